"""What is read: files and tables, the roles of their columns, and the checks of their rows."""
