"""Click logs, the judgments estimated from them, and how far down people look."""
