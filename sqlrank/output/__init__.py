"""Writing results: tables, files and pages."""
