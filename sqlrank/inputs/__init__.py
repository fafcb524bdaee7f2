"""Reading inputs: files, tables and frames, the roles of their columns, and the checks of their rows."""
