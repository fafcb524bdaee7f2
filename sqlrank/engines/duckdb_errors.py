"""Errors of DuckDB, translated."""

from __future__ import annotations

import re
from collections.abc import Mapping

import duckdb

from sqlrank.errors import DataError, ResourceError, SqlrankError, UsageError
from sqlrank.spelling import spelt

STREAM = re.compile(r"reading the stream registered as '(?P<name>[^']*)' failed: (?:\w+: )?(?P<what>.*)", re.DOTALL)
ABSENT = re.compile(r"No such file|not found|does not exist", re.IGNORECASE)
ORIGINAL = "Original Line: "
"""What stands before the text of a line of CSV."""
PATH = re.compile(r"Object at location (\S+)|file '([^']*)'")
"""The file in what Delta and Iceberg say of one that is not there."""


def translated(error: duckdb.Error) -> SqlrankError | KeyboardInterrupt:
    """Translate a DuckDB error, without its hints at options that sqlrank does not have."""
    text = first_line(error)
    if isinstance(error, duckdb.InterruptException):
        return KeyboardInterrupt()
    if "No space left" in text or "failed to offload" in text:
        return ResourceError(
            f"the disk of the temporary files is full: {text}; name another folder with {spelt('temp_dir')}"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return ResourceError(f"memory ran out: {text}; see {spelt('memory_limit')} and {spelt('threads')}")
    if type(error) is duckdb.Error or isinstance(error, duckdb.SerializationException):
        return DataError(text)  # what its readers throw at a damaged file
    if isinstance(error, duckdb.IOException | duckdb.ConversionException | duckdb.InvalidInputException):
        return DataError(text)
    if isinstance(error, duckdb.PermissionException):
        return UsageError(f"{text}: only the inputs of this evaluation can be read")
    if isinstance(error, duckdb.ConnectionException):
        return UsageError(f"the connection cannot be used: {text}")
    if isinstance(error, duckdb.DataError):
        return DataError(text)
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        return UsageError(text)
    return SqlrankError(text)


def of_stream(text: str, labels: Mapping[str, str]) -> str:
    """A message about rows that Arrow reads for DuckDB, with what the user calls them, by the names that they have."""
    found = STREAM.search(text)
    if found is None or found["name"] not in labels:
        return text
    label, what = labels[found["name"]], found["what"].partition(" Detail: Python exception")[0]
    if not ABSENT.search(what):
        return f"{label}: cannot be read: {what}"
    path = PATH.search(what)
    told = path[1] or path[2] if path else what
    return f"{label}: a data file is not there, {told}; restore it, or write the table again"


def is_of_reading(error: duckdb.Error) -> bool:
    """Whether an error may come from a damaged file; what its readers throw has no class of its own in DuckDB."""
    kinds = duckdb.IOException | duckdb.InvalidInputException | duckdb.InternalException | duckdb.OutOfMemoryException
    return type(error) is duckdb.Error or isinstance(
        error, kinds | duckdb.SerializationException | duckdb.FatalException
    )


def first_line(error: BaseException) -> str:
    """The part of a DuckDB message that says what is wrong: the file and line of a text file included."""
    text = str(error)
    for name in (
        "Invalid Input Error: ",
        "IO Error: ",
        "Conversion Error: ",
        "Binder Error: ",
        "Catalog Error: ",
    ):
        text = text.removeprefix(name)
    lines = text.strip().splitlines() or [type(error).__name__]
    if lines[0].startswith("Traceback"):  # of a file system in Python, which says at the end what is wrong
        return lines[-1].strip()
    if lines[0].startswith("CSV Error on Line"):
        file = next((line.strip() for line in lines if line.strip().startswith("file = ")), "file = a text file")
        number, said = lines[0].rpartition(": ")[2], [line.strip() for line in lines[1:3]]
        what = "; ".join(line for line in said if not line.startswith(ORIGINAL))
        shown = next((f" (it is {line.removeprefix(ORIGINAL):.100})" for line in said if line.startswith(ORIGINAL)), "")
        return f"{file.removeprefix('file = ')}, line {number}: {what}{shown}"
    return lines[0].strip()
