"""What to judge next."""
