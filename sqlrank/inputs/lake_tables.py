"""Tables of a lake: Delta and Iceberg, whose logs say which rows of their files are still there.

A condition is asked in part: of those joined by `and`, the ones that are understood. Rows that do not meet the others
come back, and the whole condition runs on what was read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from sqlrank.errors import DataError, SqlrankError, UsageError, without_credentials
from sqlrank.inputs.files import ICEBERG_METADATA, versions_of

DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
LARGEST = {"int": 2**31 - 1, "long": 2**63 - 1}
COMPARABLE = frozenset(("string", "int", "long", "date", "boolean"))
"""The types of Iceberg whose values compare as those of DuckDB do with a literal of the same kind."""
COMPARISONS = {
    "COMPARE_EQUAL": "EqualTo",
    "COMPARE_NOTEQUAL": "NotEqualTo",
    "COMPARE_LESSTHAN": "LessThan",
    "COMPARE_LESSTHANOREQUALTO": "LessThanOrEqual",
    "COMPARE_GREATERTHAN": "GreaterThan",
    "COMPARE_GREATERTHANOREQUALTO": "GreaterThanOrEqual",
}
OPPOSITE = {
    "EqualTo": "NotEqualTo",
    "LessThan": "GreaterThanOrEqual",
    "GreaterThan": "LessThanOrEqual",
    "In": "NotIn",
    "IsNull": "NotNull",
}
OPPOSITE |= {there: here for here, there in OPPOSITE.items()}
ORDERED = frozenset(("LessThan", "LessThanOrEqual", "GreaterThan", "GreaterThanOrEqual"))
TURNED = {"LessThan": "GreaterThan", "LessThanOrEqual": "GreaterThanOrEqual"}
TURNED |= {there: here for here, there in TURNED.items()}
"""The comparison with its sides exchanged, where it is another."""


def asked(tree: Mapping[str, Any], kinds: Mapping[str, str], negated: bool = False, either: bool = False) -> Any:
    """The expression of Iceberg that every row meets which meets a condition (or does not, if `negated`), or None.

    `kinds` are the types of the columns that may stand in it, by their names. Where a comparison is with null, SQL
    keeps neither the row nor, negated, its opposite; Iceberg keeps it in some cases, so that more comes back. Where
    `either` of several suffices, nothing is asked by order: pyiceberg would compare a null with the value.
    """
    from pyiceberg import expressions

    match tree["type"]:
        case "CONJUNCTION_AND" | "CONJUNCTION_OR" as kind:
            alternatives = (kind == "CONJUNCTION_AND") == negated
            parts = [asked(child, kinds, negated, either or alternatives) for child in tree["children"]]
            if alternatives:
                return None if None in parts else expressions.Or(*parts)
            known = [part for part in parts if part is not None]
            return expressions.And(*known) if len(known) > 1 else next(iter(known), None)
        case "OPERATOR_NOT":
            return asked(tree["children"][0], kinds, not negated, either)
        case "COMPARE_BETWEEN":
            sides = [("COMPARE_GREATERTHANOREQUALTO", "lower"), ("COMPARE_LESSTHANOREQUALTO", "upper")]
            both = [{"type": kind, "left": tree["input"], "right": tree[side]} for kind, side in sides]
            return asked({"type": "CONJUNCTION_AND", "children": both}, kinds, negated, either)
    name, column, values = compared(tree, kinds)
    if column is None or None in values:
        return None
    name = OPPOSITE[name] if negated else name
    if either and name in ORDERED:
        return None
    given = [] if name in ("IsNull", "NotNull") else [set(values)] if name in ("In", "NotIn") else values
    return getattr(expressions, name)(column, *given)


def compared(tree: Mapping[str, Any], kinds: Mapping[str, str]) -> tuple[str, str | None, list[Any]]:
    """What a comparison is called in Iceberg, its column and its values; no column, or values of None, if unknown."""
    match tree["type"]:
        case "COMPARE_IN":
            name, (left, *others) = "In", tree["children"]
        case "OPERATOR_IS_NULL" | "OPERATOR_IS_NOT_NULL" as kind:
            name, left, others = ("IsNull" if kind == "OPERATOR_IS_NULL" else "NotNull"), tree["children"][0], []
        case kind if kind in COMPARISONS:
            name, left, others = COMPARISONS[kind], tree["left"], [tree["right"]]
            if left["class"] != "COLUMN_REF":
                name, left, others = TURNED.get(name, name), tree["right"], [left]
        case _:
            return "", None, []
    column = column_of(left, kinds)
    return name, column, [] if column is None else [value_of(other, kinds[column]) for other in others]


def column_of(tree: Mapping[str, Any], kinds: Mapping[str, str]) -> str | None:
    """The column that an expression is, by its name, which may be written in another case; None if it is none."""
    if tree["class"] != "COLUMN_REF" or len(tree["column_names"]) != 1:
        return None
    found = [name for name in kinds if name.lower() == tree["column_names"][0].lower()]
    return found[0] if len(found) == 1 and "." not in found[0] else None


def value_of(tree: Mapping[str, Any], kind: str) -> Any:
    """The value of a literal that DuckDB compares with a column of this type as it is; None for any other."""
    told_date = (
        tree["class"] == "CAST" and tree["type_expr"]["type_name"].lower() == "date" and not tree.get("try_cast")
    )
    literal = (tree["child"] if told_date else tree).get("literal", {})
    text = str(literal.get("text", ""))
    match kind, literal.get("kind"):
        case "string", "STRING" if not told_date:
            return text
        case (("int" | "long"), "INTEGER") if not told_date:
            return int(text) if abs(int(text)) <= LARGEST[kind] else None
        case "boolean", "BOOLEAN" if not told_date:
            return text == "true"
        case "date", "STRING" if DAY.match(text):
            return day(text)
    return None


def day(text: str) -> date | None:
    """The date that a text is, or None."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


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
