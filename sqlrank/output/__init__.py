"""What is written: tables, files and pages."""
