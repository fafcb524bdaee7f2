"""What differs between the engines: quoting, literals, type names, a few functions.

The templates use only what every engine reads alike; the rest is one record per engine here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlrank.errors import UsageError

PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# Words that at least one of the engines refuses as a bare column or table name.
RESERVED = frozenset(
    """
    all analyse analyze and anti any array as asc asof at authorization between bigint binary bit boolean both by case
    cast char character check coalesce collate collation column columns concurrently constraint create cross current
    current_date current_time current_timestamp current_user cube database dec decimal default deferrable desc describe
    distinct do else end end_exec escape except exclude exists extract false fetch filter first float for foreign
    freeze from full function generated glob grant group grouping groups having hash if ilike in index initially inner
    inout insert int integer intersect interval into is isnull join key lambda last lateral leading left like limit
    local map natural none not notnull null nullif nulls numeric of offset on only or order out outer over overlaps
    overlay partition pivot placing position precision primary qualify range real recursive references returning right
    row rows select semi set show similar smallint some struct substring summarize symmetric table tablesample text
    then time timestamp to trailing treat trim true try_cast unique union unpack unpivot update user using values
    varchar variadic verbose view when where window with within
    """.split()
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one engine spells what the engines spell differently."""

    name: str
    quote: str
    """The character around identifiers, doubled inside them."""
    text: str
    """The type of ids."""
    double: str
    """The type of scores, relevances, gains and values: 64-bit floating point."""
    single: str | None
    """32-bit floating point, or None where the engine has none."""
    exact_sum: str
    """An aggregate that sums with compensation, or plain `sum`."""
    inline: str
    """Written after `as` so that a step read twice is not copied into memory, or empty."""

    recursive_windows: bool = True
    """Whether a recursive step may use window functions."""

    def ident(self, name: str) -> str:
        """A name as an identifier, quoted where it must be.

        Raises:
            UsageError: the name is empty or holds a NUL character.
        """
        if not name or "\x00" in name:
            raise UsageError(f"{name!r} cannot be the name of a column or table")
        if PLAIN_NAME.match(name) and name not in RESERVED:
            return name
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def literal(self, value: object) -> str:
        """A text, number, None, or sequence of them as a literal.

        Raises:
            UsageError: a text holds a NUL character, or a number is not finite.
        """
        match value:
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case int():
                return str(value)
            case float() if math.isfinite(value):
                return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
            case str() if "\x00" not in value:
                return "'" + value.replace("'", "''") + "'"
            case Sequence() if not isinstance(value, str | bytes):
                return "[" + ", ".join(self.literal(item) for item in value) + "]"
        raise UsageError(f"{value!r} cannot be written as a value in SQL")


DUCKDB = Dialect(
    name="duckdb",
    quote='"',
    text="varchar",
    double="double",
    single="float",
    exact_sum="fsum",
    inline="not materialized",
)
SQLITE = Dialect(
    name="sqlite",
    quote='"',
    text="text",
    double="real",
    single=None,
    exact_sum="sum",
    inline="not materialized",
    recursive_windows=False,
)

DIALECTS = {dialect.name: dialect for dialect in (DUCKDB, SQLITE)}


def visible(text: str) -> str:
    """Text with control characters written out, so that an id cannot steer a terminal."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def comment_text(text: str) -> str:
    """Text for a `--` comment: one line, no control characters, so that it cannot end the comment."""
    return CONTROL.sub(" ", text)
