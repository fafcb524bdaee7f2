"""The reference of metrics: facts, worked examples and pages."""
