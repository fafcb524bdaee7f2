"""`python -m sqlrank.cli`."""

from sqlrank.cli import main

main()
