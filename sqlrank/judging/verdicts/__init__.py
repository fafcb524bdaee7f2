"""Judgments of two systems side by side: good, same or bad."""
