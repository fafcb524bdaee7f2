"""Reports: results as one HTML page, and as tables in a notebook."""
