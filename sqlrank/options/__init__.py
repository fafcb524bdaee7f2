"""Options, each declared once for calls and for the command line."""
