"""What of a condition Iceberg may be asked, so that it leaves files out: what means the same there as in SQL.

A condition is asked in part: of those joined by `and`, the ones that are understood. Rows that do not meet the others
come back, and the whole condition runs on what was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

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
