"""Control charts of metrics over days."""
