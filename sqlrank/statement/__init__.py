"""The SQL of metrics: templates, the columns they read, and one statement of them."""
