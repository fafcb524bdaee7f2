"""Where the SQL files are: beside the package in a checkout, inside it once installed."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HEADER = re.compile(r"\A\{#(.*?)#\}\s*", re.DOTALL)


@cache
def sql_folder() -> Path:
    """The folder of the templates, in a wheel, an editable install and a checkout alike."""
    package = Path(__file__).parent
    installed = package / "sql"
    return installed if installed.is_dir() else package.parent / "sql"


def read_entry(path: Path) -> dict[str, Any]:
    """The TOML entry that a metric or a check carries in its header comment.

    Raises:
        ValueError: there is no header, or it is not TOML.
    """
    header = HEADER.match(path.read_text(encoding="utf-8"))
    if header is None:
        raise ValueError(f"{path.name} does not begin with its entry, a comment {{# ... #}}")
    return tomllib.loads(header.group(1))
