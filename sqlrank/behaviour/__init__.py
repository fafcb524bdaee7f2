"""What people did with what they were shown: logs, judgments made of them, and how far down people look."""
