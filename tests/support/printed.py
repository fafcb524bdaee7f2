"""What is printed of a comparison, without a command for each format."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

from sqlrank import Comparison
from sqlrank.output.writing import Destination, write


def printed(comparison: Comparison, *kinds: str) -> dict[str, str]:
    """The text by format."""
    found = {}
    for kind in kinds:
        with redirect_stdout(io.StringIO()) as out:
            write(comparison, Destination(kind))
        found[kind] = out.getvalue()
    return found
