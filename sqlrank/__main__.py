"""`python -m sqlrank`, the command without its script."""

from sqlrank.cli import main

main()
