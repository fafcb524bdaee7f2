"""The process around a command: streams, output files, signals, and files elsewhere."""
