"""User SQL: one expression over a row, or over the rows of a query.

On an engine that cannot parse it here, only what it surely reads as DuckDB does is accepted. A text is cut into white
space, numbers, quoted texts, names and a fixed set of marks. Whatever else stands in it (comments, dollar quotes, texts
with a prefix, variables, control characters) is refused, and so are words that begin a query and functions that are not
known to compute from their arguments alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from sqlrank.dialects import DUCKDB, Dialect, visible
from sqlrank.errors import UsageError, shortened
from sqlrank.spelling import spelt
from sqlrank.statement.allowed_functions import AGGREGATE, ELSEWHERE, SCALAR
from sqlrank.statement.syntax_trees import CHANGING, parsed

MARKS = r"<=>|<>|!=|<=|>=|\|\||::|[=<>+%.,()]|\*(?!/)|/(?![/*])|-(?![->])"
"""Operators and brackets; no comment begins with one of them."""
BEGINS_QUERY = frozenset(
    """
    alter create delete desc describe drop execute exists explain insert lateral merge pivot select show summarize
    table truncate unnest unpivot update values with
    """.split()
)
"""Words that begin a query or another statement, or that stand before one."""
NO_OPERAND = r"|[^\w)\]'\"`]+"
"""What a token looks like that is no operand, or none at all."""
JOINS = frozenset("and or not when then else case like ilike between".split())
"""Words after which an operand begins."""
BEFORE_BRACKET = frozenset(
    """
    and or not in like ilike rlike regexp case when then else between is cast try_cast safe_cast convert extract
    coalesce nullif interval date time timestamp distinct from to similar escape all any some
    decimal numeric varchar char character nvarchar string float double number dec bigint int integer
    row struct array
    """.split()
)
"""Words after which an opening bracket calls no function, or only a part of the language."""
MARK = re.compile(r"\w*?(--|/\*|//|\$\$|[^\w\s])|\w+")
"""What a message shows of something that is no token."""
Token = tuple[str, str, int]
"""Kind, text and place."""
BRACKETS = {")": "(", "]": "["}


@cache
def token_pattern(dialect: Dialect) -> str:
    """What may stand in an expression, as one pattern: each kind of token is a group of its own."""
    control = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
    if dialect.triples_quotes:
        texts = "|".join(
            rf"{quote}(?!{quote}{quote})(?:[^{quote}\\\n{control}]|\\[^\n{control}])*{quote}"
            for quote in dialect.text_quotes
        )
    elif dialect.may_escape_quotes:
        texts = rf"'(?:[^'\\{control}]|''|\\(?!'))*'(?!')"
    elif dialect.escapes_texts:
        texts = rf"'(?:[^'\\{control}]|''|\\[^{control}])*'(?!')"
    else:
        texts = rf"'(?:[^'{control}]|'')*'(?!')"
    quotes = sorted({dialect.quote, '"'} - {*dialect.text_quotes})
    names = "|".join(rf"{quote}(?:[^{quote}\\{control}]|{quote}{quote})+{quote}(?!{quote})" for quote in quotes)
    word = r"[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_$@#'\"`&]|[^\x00-\x7f])"
    number = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_$'\"`]|[^\x00-\x7f])"
    marks = "|".join([MARKS, *([] if dialect.brackets_names else [r"[\[\]]"]), *dialect.operators])
    kinds = {"text": texts, "name": names, "word": word, "number": number, "mark": marks}
    return "|".join([r"(?P<space>[ \t\r\n]+)", *(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())])


def problem_elsewhere(text: str, dialect: Dialect, aggregates: bool = False) -> str | None:
    """Why a text is not surely one expression in an engine, over a row or (`aggregates`) a query's rows; else None."""
    found: list[Token] = []
    for kind, token, place in tokens(text, dialect):
        if kind is None:
            mark = MARK.match(token)
            shown = visible((mark[1] or mark[0]) if mark else token)
            return (
                f"there is {shown!r} outside of quotes, or a quote is not closed, at character {place + 1};"
                f" {dialect.title} may read it in another way"
            )
        if kind != "space":
            found.append((kind, token, place))
    if dialect.substitutes and "${" in text:
        return f"{dialect.title} replaces what stands in ${{...}}"
    if not found:
        return "it is empty"
    return problem_of_words(found, functions(aggregates)) or problem_of_brackets(found)


def functions(aggregates: bool) -> frozenset[str]:
    """The words after which a bracket may open, in lower case."""
    return SCALAR | ELSEWHERE | BEFORE_BRACKET | (AGGREGATE if aggregates else frozenset())


def tokens(text: str, dialect: Dialect) -> Iterator[tuple[str | None, str, int]]:
    """The tokens of a text with their kind and place; the kind of what is none is None, and ends them."""
    pattern, place = re.compile(token_pattern(dialect)), 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            yield None, text[place : place + 10], place
            return
        yield match.lastgroup, match[0], place
        place = match.end()


def problem_of_words(found: list[Token], functions: frozenset[str]) -> str | None:
    """A word that begins a query, a call of a function that is not known, or what may be a relation after IN."""
    texts = ["", *(written for _, written, _ in found), "", ""]
    for number, (kind, written, place) in enumerate(found, 1):
        word, last, following = written.lower(), texts[number - 1].lower(), texts[number + 1]
        where = f"at character {place + 1} there is {written}"
        if kind == "name" and following == "(":
            return f"{where}, a function by a quoted name"
        if kind != "word" or (last == "." and following != "("):
            continue
        if word in BEGINS_QUERY or (word == "from" and (last in ("", "(", ",") or following == "(")):
            return f"{where}, which begins a query"
        if word == "in" and not is_list(found[number:], last):
            return f"{where} without a list of values in brackets"
        if following == "(" and (last == "." or word not in functions):
            return f"{where}(, which is not one of the functions that only compute from a row"
    return None


def is_list(rest: list[Token], last: str) -> bool:
    """Whether what follows the word IN is surely a list of values: some engines read a lone name as a relation."""
    if not rest or rest[0][1] != "(" or last in JOINS or re.fullmatch(NO_OPERAND, last):
        return False
    inside = next((number for number, (_, written, _) in enumerate(rest) if written == ")"), len(rest))
    return any(kind not in ("word", "name") and written != "." for kind, written, _ in rest[1:inside])


def problem_of_brackets(found: list[Token]) -> str | None:
    """A bracket that closes nothing or is not closed."""
    still_open: list[str] = []
    for kind, written, place in found:
        if kind != "mark" or written not in "()[]":
            continue
        if written in "([":
            still_open.append(written)
        elif not still_open or still_open.pop() != BRACKETS[written]:
            return f"at character {place + 1} a {written!r} closes nothing"
    return f"a {still_open[-1]!r} is not closed" if still_open else None


SHOWN_TEXT = 300
"""How much of a condition a message shows."""


def check_condition(text: str, dialect: Dialect, option: str = "where") -> None:
    """Raise UsageError unless a text, which an option gave, is one SQL expression over a row.

    DuckDB parses its own; of what other engines read only that passes which they surely read as we do.
    """
    if not isinstance(text, str):
        raise UsageError(f"{spelt(option, repr(text))} is not one SQL expression: it is not a text")
    problem = parsed(text).problem if dialect is DUCKDB else problem_elsewhere(text, dialect)
    if problem:
        raise UsageError(f"{spelt_sql(option, text)} is not one SQL expression over a row: {problem}")


def check_own(text: str, dialect: Dialect) -> None:
    """Raise UsageError unless a text is one SQL expression over the rows of a query."""
    found = parsed(text, aggregates=True) if dialect is DUCKDB else None
    problem = found.problem if found else problem_elsewhere(text, dialect, aggregates=True)
    problem = problem or (changing(found.columns) if found else None)
    if problem:
        raise UsageError(f"this is not one SQL expression over the rows of a query: {problem}")


def changing(columns: Iterable[list[str]]) -> str | None:
    """The problem with a name whose value depends on the session, where no column has it."""
    found = next((parts[0] for parts in columns if len(parts) == 1 and parts[0].lower() in CHANGING), None)
    return None if found is None else f"{found} is another value each time"


def check_names(text: str, option: str = "where") -> None:
    """Raise UsageError if a condition uses a name such as current_user, whose value depends on the session."""
    if problem := changing(parsed(text).columns):
        raise UsageError(f"{spelt_sql(option, text)} is not one SQL expression over a row: {problem}")


def spelt_sql(option: str, text: str) -> str:
    """An option with the SQL that it gave; `option` is its name, perhaps with what stands before the SQL."""
    name, _, before = option.partition(" ")
    return spelt(name, f"{before} {short(text)}".strip())


def short(text: str) -> str:
    """A condition as messages show it."""
    return shortened(text, SHOWN_TEXT)
