"""Conditions that the user writes in SQL: one expression, and nothing that could end it."""

from __future__ import annotations

import re

import duckdb

from sqlrank.dialects import DUCKDB, Dialect
from sqlrank.errors import UsageError

BRACKETS = {")": "(", "]": "["}


def check_condition(text: str, dialect: Dialect) -> None:
    """Refuse anything but one SQL expression.

    DuckDB reads its own; of what other engines read it is seen that quotes and brackets are closed, and that nothing
    begins a comment or ends the statement.

    Raises:
        UsageError: the text holds no expression, or more than one.
    """
    problem = problem_in_duckdb(text) if dialect is DUCKDB else problem_elsewhere(text, dialect)
    if problem:
        raise UsageError(f"--where {text!r} is not one SQL expression: {problem}")


def problem_in_duckdb(text: str) -> str | None:
    """What DuckDB says of a text that is no expression."""
    try:
        duckdb.SQLExpression(text)
    except duckdb.Error as error:
        return str(error).splitlines()[0]
    return None


def problem_elsewhere(text: str, dialect: Dialect) -> str | None:
    """What keeps a text from being one expression in an engine that is not here to read it."""
    bare = quoted_parts(dialect).sub(" x ", text)
    if not bare.strip():
        return "it is empty"
    found = re.search(r"--|/\*|#|;|\$\$|['\"`\\\x00]", bare)
    if found:
        return f"there is {found[0]!r} outside of quotes, or a quote is not closed"
    open_brackets: list[str] = []
    for mark in re.findall(r"[()\[\]]", bare):
        if mark not in BRACKETS:
            open_brackets.append(mark)
        elif not open_brackets or open_brackets.pop() != BRACKETS[mark]:
            return f"a {mark!r} closes nothing"
    return f"a {open_brackets[-1]!r} is not closed" if open_brackets else None


def quoted_parts(dialect: Dialect) -> re.Pattern[str]:
    """What a text or a quoted name looks like in a dialect."""
    inside = r"(?:[^'\\]|\\.|'')*" if dialect.escapes_texts else r"(?:[^']|'')*"
    name = r"(?:[^Q\\]|\\.|QQ)*" if dialect.escapes_names else r"(?:[^Q]|QQ)*"
    quote = dialect.quote
    parts = [f"'{inside}'", f"{quote}{name.replace('Q', quote)}{quote}"]
    if quote != '"':  # where it is another quote of texts, or by a setting one of names
        parts.append(f'"{inside.replace(chr(39), chr(34))}"')
    return re.compile("|".join(parts), re.DOTALL)
