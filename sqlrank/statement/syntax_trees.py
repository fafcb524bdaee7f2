"""User SQL as DuckDB parses it: one expression, every part of which is on the list of allowed ones.

It is parsed on a connection of its own, where nothing of it runs, so that neither an error of it nor what it asks for
reaches the connection that evaluates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any

import duckdb

from sqlrank.dialects import DUCKDB
from sqlrank.statement.allowed_functions import AGGREGATE, LONGEST_PADDING, OPERATORS, OVER_LISTS, PADDED, SCALAR
from sqlrank.statement.templates import render, sql_text

CLASSES = frozenset("COLUMN_REF CONSTANT COMPARISON CONJUNCTION OPERATOR CASE CAST BETWEEN FUNCTION TYPE".split())
"""Kinds of expressions that look at nothing but one row."""
OPERATOR_TYPES = frozenset(
    """
    COMPARE_IN COMPARE_NOT_IN OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL OPERATOR_COALESCE OPERATOR_NULLIF
    ARRAY_EXTRACT ARRAY_SLICE STRUCT_EXTRACT ARRAY_CONSTRUCTOR OPERATOR_TRY
    """.split()
)
COLLATIONS = frozenset(("nocase", "noaccent", "nfc", "binary", "c", "posix"))
CALLED = {
    "SUBQUERY": "a subquery",
    "WINDOW": "a window function",
    "PARAMETER": "a parameter",
    "STAR": "a star",
    "LAMBDA": "a lambda",
    "DEFAULT": "the word default",
    "POSITIONAL_REFERENCE": "a column by its number",
    "COLLATE": "a collation other than " + ", ".join(sorted(COLLATIONS)),
}
"""What the other kinds are called."""
CHANGING = frozenset(
    """
    current_catalog current_database current_date current_localtime current_localtimestamp current_role current_schema
    current_time current_timestamp current_user get_current_time localtime localtimestamp session_user
    """.split()
)
"""Names that mean something of the session where no column has them."""
PLACES = frozenset(("query_location", "query_location_length"))
STATEMENT = frozenset(("type", "cte_map", "select_list", "from_table", "aggregate_handling"))
"""The parts of a select without a FROM clause, of which all but the list are empty."""


@dataclass(slots=True)
class Parsed:
    """The columns of an expression, and the problem with it."""

    problem: str | None = None
    """Why it is refused."""
    columns: list[list[str]] = field(default_factory=list)
    """The columns, each as the parts of its name."""


@cache
def parser() -> tuple[duckdb.DuckDBPyConnection, Lock]:
    """A connection for parsing and binding, which can read nothing."""
    return duckdb.connect(config={"enable_external_access": False, "threads": 1}), Lock()


def ask(sql: str, *parameters: object) -> Any:
    """The first value of a statement on the connection for parsing."""
    connection, lock = parser()
    with lock:
        found = connection.execute(sql, list(parameters)).fetchone()
    return found[0] if found else None


def parsed(text: str, aggregates: bool = False) -> Parsed:
    """Parse a text as one expression over a row, or with `aggregates`, and lambdas over lists, over a query's rows."""
    if "\x00" in text:
        return Parsed("there is a NUL character")
    try:
        alone, bracketed = (tree_of(text, name) for name in ("alone", "bracketed"))
    except RecursionError:
        return Parsed("it is nested too deeply")
    except (duckdb.Error, ValueError) as error:
        return Parsed(str(error).splitlines()[0])
    if isinstance(alone, str) or isinstance(bracketed, str):
        return Parsed(alone if isinstance(alone, str) else str(bracketed))
    if alone != bracketed:
        return Parsed("it reads otherwise between brackets")
    return Walk(aggregates).over(alone)


def tree_of(text: str, template: str) -> dict[str, Any] | str:
    """The tree of an expression without places, or what is wrong with it."""
    answer = json.loads(ask(render("conditions/parsed.sql", DUCKDB), rendered(text, template)))
    if answer["error"]:
        return str(answer.get("error_message", "it cannot be read"))
    nodes = [statement["node"] for statement in answer["statements"]]
    if len(nodes) != 1 or not is_bare(nodes[0]):
        return "it is more than an expression"
    (expression,) = nodes[0]["select_list"]
    if "alias" in expression:
        return "it is more than an expression: it has a name"
    bare: dict[str, Any] = without_places(expression)
    return bare


def rendered(text: str, template: str) -> str:
    """A select of a text."""
    return render(f"conditions/{template}.sql", DUCKDB, condition=sql_text(text))


def is_bare(node: Mapping[str, Any]) -> bool:
    """Whether a statement is a select of one expression and nothing else."""
    return (
        set(node) <= STATEMENT
        and node["type"] == "SELECT_NODE"
        and not node.get("cte_map")
        and len(node.get("select_list", ())) == 1
        and node.get("from_table") == {"type": "EMPTY"}
        and node.get("aggregate_handling", "STANDARD_HANDLING") == "STANDARD_HANDLING"
    )


def without_places(part: Any) -> Any:
    """A tree without what says where its parts stand in the text."""
    if isinstance(part, dict):
        return {key: without_places(value) for key, value in part.items() if key not in PLACES}
    return [without_places(value) for value in part] if isinstance(part, list) else part


class Walk:
    """One look at every part of a tree; `aggregates` if the expression is over all rows of a query."""

    def __init__(self, aggregates: bool) -> None:
        self.aggregates = aggregates
        self.functions = SCALAR | AGGREGATE | OVER_LISTS if aggregates else SCALAR

    def over(self, tree: dict[str, Any]) -> Parsed:
        """Walk a tree; the first problem ends it."""
        found = Parsed()
        for part in parts_of(tree):
            found.problem = self.problem(part)
            if found.problem:
                return found
            if part["class"] == "COLUMN_REF":
                found.columns.append(part["column_names"])
        return found

    def problem(self, part: dict[str, Any]) -> str | None:
        """Why a part is refused, looking at it alone."""
        kind = part["class"]
        if kind == "FUNCTION":
            return self.problem_of_function(part)
        allowed = (
            kind in CLASSES
            or (kind == "COLLATE" and str(part["collation"]).lower() in COLLATIONS)
            or (kind == "LAMBDA" and self.allows_lambda(part))
        )
        if kind == "OPERATOR" and part["type"] not in OPERATOR_TYPES:
            return f"there is {part['type'].lower().replace('_', ' ')}, which is not of one row"
        if kind == "TYPE" and len(part.get("qualified_name", {}).get("path", ())) > 1:
            return f"there is a type of a schema, {part['type_name']}"
        return None if allowed else f"there is {CALLED.get(kind, kind.lower().replace('_', ' '))}"

    def allows_lambda(self, part: dict[str, Any]) -> bool:
        """Whether a lambda may stand here: in own metrics, and as `column -> 'key'` of JSON anywhere."""
        return self.aggregates or (part.get("syntax_type") == "SINGLE_ARROW" and part["expr"]["class"] == "CONSTANT")

    def problem_of_function(self, part: dict[str, Any]) -> str | None:
        """Why a call is refused."""
        name = str(part["function_name"]).lower()
        if len(part.get("qualified_name", {}).get("path", ())) > 1:
            return f"{name} is called by a dotted name; write {name}(...)"
        if name not in (OPERATORS if part.get("is_operator") else self.functions):
            if name in AGGREGATE:
                return f"there is an aggregate, {name}"
            return f"there is the function {name}, which is not one of those that only compute from a row"
        if not self.aggregates and (
            part.get("distinct") or "filter" in part or part.get("order_bys", {}).get("orders")
        ):
            return f"{name} is written as an aggregate"
        if name in PADDED and not is_short(part["arguments"][1:2]):
            return f"{name} needs a whole number up to {LONGEST_PADDING:,} as its second argument"
        return None


def is_short(arguments: list[dict[str, Any]]) -> bool:
    """Whether the length of a padded text is written out and small."""
    literal = arguments[0]["expression"].get("literal", {}) if arguments else {}
    text = str(literal.get("text", ""))
    return literal.get("kind") == "INTEGER" and text.isdecimal() and len(text) < 9 and int(text) <= LONGEST_PADDING


def parts_of(tree: Any) -> Iterator[dict[str, Any]]:
    """Every expression of a tree, the outer before the inner."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if "class" in part:
                yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def type_of(text: str, columns: Mapping[str, str]) -> str:
    """The type of an expression over columns of these types, which DuckDB can evaluate."""
    described = [(name, sql_text(kind)) for name, kind in columns.items()]
    connection, lock = parser()
    with lock:
        bound = render("conditions/bound.sql", DUCKDB, condition=sql_text(text), columns=described, boolean=False)
        return str(connection.execute(bound).fetchall()[0][1])


def problem_of_types(text: str, columns: Mapping[str, str], condition: bool = True) -> str | None:
    """The error of DuckDB for a condition, or any expression, over columns of these types; nothing is read for that."""
    described = [(name, sql_text(kind)) for name, kind in columns.items()]
    try:
        ask(render("conditions/bound.sql", DUCKDB, condition=sql_text(text), columns=described, boolean=condition))
    except duckdb.Error as error:
        return str(error).splitlines()[0].partition(": ")[2] or str(error)
    return None
