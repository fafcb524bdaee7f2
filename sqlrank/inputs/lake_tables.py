"""Tables of a lake: Delta and Iceberg, whose logs say which rows of their files are still there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from sqlrank.errors import DataError, SqlrankError, UsageError, without_credentials
from sqlrank.inputs.files import ICEBERG_METADATA, versions_of
from sqlrank.inputs.lake_conditions import COMPARABLE, asked

EXTRA = "pip install 'sqlrank[lake]'"


class LakeRows(NamedTuple):
    """The rows of a table of a lake for DuckDB."""

    rows: Any
    """A data set of Arrow, or a reader of its batches."""
    divided_by: tuple[str, ...] | None = None
    """The columns that divide a data set, of which DuckDB may ask it; None for a reader, which it cannot ask."""
    whole: int | None = None
    """How many rows there are, where a condition left some out."""


def lake_rows(argument: str, kind: str, where: str | None) -> LakeRows:
    """The rows of a table of a lake.

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


def delta_rows(argument: str, where: str | None) -> LakeRows:
    """The rows of a Delta table as a data set of Arrow, of which DuckDB reads the files and columns that it needs."""
    from deltalake import DeltaTable

    table = DeltaTable(argument)
    return LakeRows(table.to_pyarrow_dataset(), tuple(table.metadata().partition_columns))


def iceberg_rows(argument: str, where: str | None) -> LakeRows:
    """The rows of an Iceberg table, without the partitions that the condition leaves out."""
    table = iceberg_table(argument)
    if where is None:
        return LakeRows(table.scan().to_arrow_batch_reader())
    rows = table.scan(row_filter=condition_of(table, where)).to_arrow_batch_reader()
    return LakeRows(rows, whole=table.scan().count())


def iceberg_table(argument: str) -> Any:
    """The table of a file of metadata, of a folder, or of a catalogue."""
    from pyiceberg.catalog import load_catalog
    from pyiceberg.table import StaticTable

    if argument.endswith(ICEBERG_METADATA):
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
    if hint.is_file() and (told := hint.read_text(encoding="utf-8", errors="replace").strip()):
        versions = [(version, path) for version, path in versions if is_version(told, version, os.path.basename(path))]
    last = [path for version, path in versions if version == versions[-1][0]]
    if len(last) != 1:
        names = " and ".join(os.path.basename(path) for path in last) or "none"
        raise DataError(f"{folder}: which metadata is the current one? ({names}); name the file")
    return last[0]


def is_version(told: str, version: int, name: str) -> bool:
    """Whether a hint tells this version, by its number or by the name of its file."""
    return told in (name, name.removesuffix(ICEBERG_METADATA)) or (told.isdecimal() and int(told) == version)


def condition_of(table: Any, where: str) -> Any:
    """What of a condition an Iceberg table is asked: about the columns that divide it, where it means the same."""
    from pyiceberg.expressions import AlwaysTrue
    from pyiceberg.transforms import IdentityTransform

    from sqlrank.statement.syntax_trees import tree_of

    schema = table.schema()
    identical = [field for field in table.spec().fields if isinstance(field.transform, IdentityTransform)]
    kinds = {schema.find_column_name(field.source_id): str(schema.find_type(field.source_id)) for field in identical}
    kinds = {name: kind for name, kind in kinds.items() if kind in COMPARABLE}
    tree = tree_of(where, "alone")
    found = None if isinstance(tree, str) else asked(tree, kinds)
    return AlwaysTrue() if found is None else found
