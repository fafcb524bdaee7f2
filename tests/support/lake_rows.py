"""Rows of every type for tables of a lake, and conditions on them at random."""

from __future__ import annotations

import datetime
import decimal
import random
from typing import Any

import pyarrow as pa

WORDS = ["a_x", "abx", "a%", "a", "Z", None, "é", "", "it's", "long" * 20, "b"]
NUMBERS = [0, 1, -2, None, 7]
FLOATS = [0.5, -0.0, float("nan"), None, float("inf"), 2.0, -1.5, float("-inf")]
DAYS = [datetime.date(2026, 1, 1), datetime.date(2026, 3, 29), None, datetime.date(1969, 12, 31)]
TIMES = [datetime.datetime(2026, 1, 1, 23, 30, 0, 123456), datetime.datetime(2026, 3, 29, 1, 30), None]
COUNT = 44


def rows() -> pa.Table:
    """Rows with a column of each type; those that divide a table have few values.

    None of these is an empty text, which Delta takes for null there.
    """

    def cycle(values: list[Any], step: int = 1) -> list[Any]:
        return [values[(number * step) % len(values)] for number in range(COUNT)]

    structs = [
        None if number % 9 == 4 else {"x": value, "y": word}
        for number, (value, word) in enumerate(zip(cycle(FLOATS, 3), cycle(WORDS, 5), strict=True))
    ]
    zoned = [None if time is None else time.replace(tzinfo=datetime.UTC) for time in cycle(TIMES, 2)]
    return pa.table(
        {
            "id": pa.array(range(COUNT), pa.int64()),
            "word": pa.array(cycle(WORDS[:7]), pa.string()),
            "n": pa.array(cycle(NUMBERS[:4]), pa.int32()),
            "day": pa.array(cycle(DAYS[:3], 2), pa.date32()),
            "flag": pa.array(cycle([True, False, None]), pa.bool_()),
            "big": pa.array(cycle([2**40, -(2**62), None, 3]), pa.int64()),
            "other": pa.array(cycle(WORDS, 3), pa.string()),
            "m": pa.array(cycle(NUMBERS, 2), pa.int32()),
            "real": pa.array(cycle(FLOATS), pa.float64()),
            "single": pa.array(cycle(FLOATS, 3), pa.float32()),
            "price": pa.array(cycle([None, *map(decimal.Decimal, ("1", "0.5", "-3"))]), pa.decimal128(12, 2)),
            "at": pa.array(cycle(TIMES), pa.timestamp("us")),
            "zoned": pa.array(zoned, pa.timestamp("us", tz="UTC")),
            "later": pa.array(cycle(DAYS, 3), pa.date32()),
            "s": pa.array(structs, pa.struct([("x", pa.float64()), ("y", pa.string())])),
            "tags": pa.array(cycle([["a", "b"], [], None, ["a_x"]]), pa.list_(pa.string())),
        }
    )


TEXTS = ["a_x", "abx", "a", "a%", "Z", "", "é", "it's", "long" * 20, "longlonglong", "2026-01-01", "1", "\U0010ffff"]
WHOLES = ["0", "1", "-2", "7", "3", "1099511627776", "-4611686018427387904", "2147483648", "9223372036854775808"]
FRACTIONS = ["0.5", "-0.5", "1.0", "2.5", "1e0", "'nan'::double", "'inf'::double", "-0.0"]
NUMERIC = [*WHOLES, *FRACTIONS]
DATES = ["date '2026-01-01'", "'2026-03-29'", "'2026-1-1'", "date '1969-12-31'", "timestamp '2026-01-01 12:00:00'"]
MOMENTS = [
    "timestamp '2026-01-01 23:30:00.123456'",
    "'2026-03-29 01:30:00'",
    "timestamptz '2026-01-02 00:30:00.123456+01'",
    *DATES,
]
COLUMNS = {
    "word": TEXTS,
    "other": TEXTS,
    "n": NUMERIC,
    "m": NUMERIC,
    "big": NUMERIC,
    "real": NUMERIC,
    "single": NUMERIC,
    "price": NUMERIC[:-3],
    "day": DATES,
    "later": DATES,
    "at": MOMENTS,
    "zoned": MOMENTS,
    "flag": ["true", "false", "1", "0"],
    "s.x": NUMERIC,
    "s.y": TEXTS,
}
"""The columns, each with literals that may stand beside it."""
COMPARISONS = ["=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"]
PATTERNS = ["a_x", "a%", "a\\_x", "%", "_", "", "a|_x", "é%", "%x", "lo%ng", "A_X", "a!%"]
OTHERS = [
    "flag",
    "length(word) = 3",
    "word = other",
    "n < m",
    "real > n",
    "list_contains(tags, 'a')",
    "len(tags) = 0",
    "starts_with(word, 'a')",
    "lower(word) = 'z'",
    "coalesce(n, 0) = 0",
    "case when n > 0 then flag else word is null end",
    "isnan(real)",
    "try_cast(word as integer) = 1",
    "day + 1 = later",
    "n % 2 = 0",
    "real + 0 > 1",
    "null",
    "word = null",
    "n in (null, 1)",
    "n not in (null, 1)",
    "word || 'x' = 'ax'",
    "cast(at as date) = day",
]


def literal(chance: random.Random, column: str) -> str:
    """A literal that may be compared with a column."""
    value = chance.choice(COLUMNS[column])
    return "'" + value.replace("'", "''") + "'" if COLUMNS[column] is TEXTS else value


def leaf(chance: random.Random) -> str:
    """One comparison."""
    column = chance.choice(["word", "n", "day", *COLUMNS])
    kind = chance.randrange(12)
    if kind < 5:
        sides = [column, literal(chance, column)]
        if kind == 4:
            sides.reverse()
        return f" {chance.choice(COMPARISONS)} ".join(sides)
    if kind == 5:
        return f"{column} is {chance.choice(['', 'not '])}null"
    if kind in (6, 7):
        listed = ", ".join(literal(chance, column) for _ in range(chance.randint(1, 3)))
        return f"{column} {chance.choice(['', 'not '])}in ({listed})"
    if kind == 8:
        return f"{column} {chance.choice(['', 'not '])}between {literal(chance, column)} and {literal(chance, column)}"
    if kind in (9, 10):
        texts = chance.choice(["word", "other", "s.y"])
        how = chance.choice(["like", "not like", "ilike", "not ilike"])
        escape = chance.choice(["", "", " escape '\\'", " escape '|'", " escape '!'"])
        return f"{texts} {how} '{chance.choice(PATTERNS)}'{escape}"
    return chance.choice(OTHERS)


def condition(chance: random.Random, depth: int = 0) -> str:
    """A condition, of several comparisons in most cases."""
    kind = chance.randrange(4 if depth < 3 else 1)
    if kind == 0:
        return leaf(chance)
    if kind == 1:
        return f"not ({condition(chance, depth + 1)})"
    joined = chance.choice([" and ", " or "]).join(condition(chance, depth + 1) for _ in range(chance.randint(2, 3)))
    return f"({joined})"
