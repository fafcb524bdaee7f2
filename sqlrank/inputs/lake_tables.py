"""Tables of a lake: Delta and Iceberg, whose logs say which rows of their files are still there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlrank.errors import DataError, SqlrankError, UsageError, without_credentials
from sqlrank.inputs.remote import URL

LOG = "_delta_log"
METADATA = ".metadata.json"
NUMBER = re.compile(r"v?(\d+)(?:-.*)?\.metadata\.json\Z")
"""The name of a file of Iceberg's metadata, with its version."""
EXTRA = "pip install 'sqlrank[lake]'"
COMPARABLE = ("string", "int", "long", "date", "boolean")
"""The types of partitions on which a condition means in Iceberg what it means in SQL."""


def kind_of(argument: str) -> str | None:
    """Whether an argument is a table of a lake: `delta`, `iceberg`, or None."""
    if URL.match(argument):
        return "iceberg" if argument.endswith(METADATA) else None
    if in_catalogue(argument):
        return "iceberg"
    if os.path.isdir(os.path.join(argument, LOG)):
        return "delta"
    if argument.endswith(METADATA) and os.path.isfile(argument):
        return "iceberg"
    return "iceberg" if any(versions_of(argument)) else None


def versions_of(folder: str) -> Iterator[tuple[int, str]]:
    """The versions of the metadata of an Iceberg table in a folder, each with its file."""
    for path in Path(folder, "metadata").glob(f"*{METADATA}") if os.path.isdir(folder) else ():
        if found := NUMBER.match(path.name):
            yield int(found[1]), str(path)


def table_of(folder: str) -> str | None:
    """The table of a lake that a folder is, or is below; None if there is none."""
    every = (str(path) for path in (Path(folder), *Path(folder).parents))
    return next((path for path in every if kind_of(path) is not None), None)


def check_plain(label: str, files: Iterable[str]) -> None:
    """Raise DataError if files are those of a table of a lake: rows that were deleted would count."""
    for folder in {os.path.dirname(os.path.abspath(file)) for file in files if not URL.match(file)}:
        if (table := table_of(folder)) is not None:
            raise DataError(
                f"{label}: the files of a {'Delta' if kind_of(table) == 'delta' else 'Iceberg'} table hold rows that it"
                f" has deleted; name the table, {table}"
            )


def lake_rows(argument: str, kind: str, where: str | None) -> Any:
    """The rows of a table of a lake for DuckDB: a data set of Arrow, or a reader of its batches.

    `where` is a condition that the rows which are read have to meet, by which files may be left out.
    """
    open_rows = delta_rows if kind == "delta" else iceberg_rows
    label = without_credentials(argument)
    try:
        return open_rows(argument, where)
    except ImportError as error:
        package = "deltalake" if kind == "delta" else "pyiceberg"
        raise UsageError(f"{label}: reading a table of {kind.title()} needs {package}: {EXTRA} ({error})") from None
    except SqlrankError:
        raise
    except Exception as error:  # whatever the library raises of a log, a file or a store
        raise DataError(f"{label}: cannot be read as {kind.title()}: {str(error)[:300]}") from error


def delta_rows(argument: str, where: str | None) -> Any:
    """The rows of a Delta table as a data set of Arrow, of which DuckDB reads the files and columns that it needs."""
    from deltalake import DeltaTable

    return DeltaTable(argument).to_pyarrow_dataset()


def iceberg_rows(argument: str, where: str | None) -> Any:
    """The rows of an Iceberg table, without the partitions that the condition leaves out."""
    table = iceberg_table(argument)
    if where is not None and on_partitions(table, where):
        return table.scan(row_filter=where, case_sensitive=False).to_arrow_batch_reader()
    return table.scan().to_arrow_batch_reader()


def iceberg_table(argument: str) -> Any:
    """The table of a file of metadata, of a folder, or of a catalogue."""
    from pyiceberg.catalog import load_catalog
    from pyiceberg.table import StaticTable

    if argument.endswith(METADATA):
        return StaticTable.from_metadata(argument)
    if os.path.isdir(argument):
        return StaticTable.from_metadata(current_metadata(argument))
    catalog, _, name = argument.partition(".")
    with load_catalog(catalog) as opened:
        return opened.load_table(name)


def current_metadata(folder: str) -> str:
    """The file of the current metadata in a folder; DataError if two claim to be it."""
    hint = Path(folder, "metadata", "version-hint.text")
    versions = sorted(versions_of(folder))
    if hint.is_file():
        number = hint.read_text(encoding="utf-8").strip()
        versions = [(version, path) for version, path in versions if str(version) == number or number in path]
    last = [path for version, path in versions if version == versions[-1][0]]
    if len(last) != 1:
        names = " and ".join(os.path.basename(path) for path in last) or "none"
        raise DataError(f"{folder}: which metadata is the current one? ({names}); name the file")
    return last[0]


def in_catalogue(argument: str) -> bool:
    """Whether an argument names a table of a catalogue that pyiceberg knows, as in `prod.search.runs`."""
    if "/" in argument or "." not in argument or os.path.exists(argument) or not find_spec("pyiceberg"):
        return False
    from pyiceberg.utils.config import Config

    return argument.partition(".")[0] in Config().get_known_catalogs()


def on_partitions(table: Any, where: str) -> bool:
    """Whether a condition is on columns that divide the table, and means the same in Iceberg."""
    from pyiceberg.expressions.parser import parse
    from pyiceberg.transforms import IdentityTransform

    from sqlrank.statement.syntax_trees import parsed

    schema = table.schema()
    divided = {
        schema.find_column_name(field.source_id).lower()
        for field in table.spec().fields
        if isinstance(field.transform, IdentityTransform) and str(schema.find_type(field.source_id)) in COMPARABLE
    }
    if not {parts[-1].lower() for parts in parsed(where).columns} <= divided:
        return False
    try:
        parse(where)
    except Exception:  # a condition of SQL that Iceberg cannot say, which DuckDB applies alone
        return False
    return True
