"""Comparing systems with a baseline: which one is better, by how much, and how sure that is."""
