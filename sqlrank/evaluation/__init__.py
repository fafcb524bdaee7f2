"""Metrics of rankings with judgments, from the request to the result."""
