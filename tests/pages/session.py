"""A Python session that a page talks to: a snippet or a statement in JSON on each line of its input, its output back.

It is run as a script by the interpreter whose packages the page is to have.
"""

import contextlib
import io
import json
import sys
import traceback
from typing import Any


def printed(names: dict[str, object], language: str, source: str) -> str:
    """What a snippet prints, or a statement gives; snippets share their names, statements their connection."""
    if language == "sql":
        import duckdb

        session: Any = names.setdefault("__duckdb__", duckdb.connect())
        found = session.sql(source)
        return "" if found is None else f"{found}"
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(source, "<page>", "exec"), names)
    return stream.getvalue()


if __name__ == "__main__":
    names: dict[str, object] = {"__name__": "__main__"}
    for line in sys.stdin:
        try:
            answer = {"printed": printed(names, **json.loads(line))}
        except Exception:
            answer = {"error": traceback.format_exc()}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
