"""The files that Spark and Hadoop write: parts in a folder, some of them empty, with a marker once all are there."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from sqlrank.errors import DataError

PART = re.compile(r"part-(?:[mr]-)?\d{5}(?![^.-])")
"""How the name of a part begins; what follows may say nothing of its format."""
UNFINISHED = "_temporary"
"""The folder that is there while a job writes."""


def is_part(path: str) -> bool:
    """Whether a file is called as parts are."""
    return PART.match(os.path.basename(path)) is not None


def check_finished(folder: str) -> None:
    """Raise DataError if a job writes to a folder still, or failed."""
    if any(path.is_dir() for path in Path(folder).rglob(UNFINISHED)):
        raise DataError(f"{folder}: the job that writes it has not ended, as its folder {UNFINISHED} says")


def filled(files: Sequence[str]) -> list[str]:
    """The files without the empty parts of jobs that ended, which had no rows for them; DataError for another one."""
    kept = [file for file in files if os.path.getsize(file) or not is_part(file) or not has_ended(file)]
    for file in kept or files:
        if os.path.getsize(file) == 0:
            raise DataError(f"{file}: the file is empty")
    return kept


def has_ended(file: str) -> bool:
    """Whether the job that wrote a part says that it did so to the end."""
    return os.path.isfile(os.path.join(os.path.dirname(file), "_SUCCESS"))
