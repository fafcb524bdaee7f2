"""What options take as values of Python."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from numbers import Integral, Real
from typing import Any


def text(value: Any) -> str:
    """A text."""
    return str(of(str, value))


def word_or_number(value: Any) -> str | float:
    """A text, or a finite number."""
    return value if isinstance(value, str) else number(value)


def path(value: Any) -> str:
    """The path of a file or folder, as text."""
    found = os.fspath(value)
    if not found:
        raise ValueError
    return str(of(str, found))


def texts(value: Any) -> Any:
    """A text, or a list of some."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | bytes):
        raise TypeError
    return [of(str, one) for one in value]


def number(value: Any) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise TypeError
    found = float(value)
    if not isfinite(found):
        raise ValueError
    return value if isinstance(value, int) else found


def seconds(value: Any) -> float:
    """A number, which may be infinite."""
    return value if value == float("inf") else number(value)


def whole(value: Any) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError
    return int(value)


def day(value: Any) -> date:
    """A day: a date, or one written as 2026-11-10."""
    if isinstance(value, date):
        return value.date() if isinstance(value, datetime) else value
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", of(str, value)):
        raise ValueError
    return date.fromisoformat(value)


def names(value: Any) -> dict[str, str]:
    """Texts by text; several texts stand as one line of CSV."""
    return {of(str, key): listed(one) for key, one in of(Mapping, value).items()}


def listed(value: Any) -> str:
    """A text, or several as a line of CSV."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | bytes) or not value:
        raise TypeError
    return text_of_columns([of(str, one) for one in value])


def conditions(value: Any) -> Any:
    """The conditions as they were given; TypeError for what is no text, list of texts or mapping of them."""
    if isinstance(value, Mapping):
        found: Any = {str(kind): condition for kind, condition in value.items()}
        parts: Iterable[Any] = found.values()
    else:
        found = value if isinstance(value, str) else list(value)
        parts = [found] if isinstance(found, str) else found
    if isinstance(value, bytes) or not all(isinstance(part, str) for part in parts):
        raise TypeError
    return found


def labels(value: Any) -> dict[str, float | None]:
    """Numbers by text, or None."""
    return {of(str, key): None if one is None else number(one) for key, one in of(Mapping, value).items()}


def sizes(value: Any) -> list[int]:
    """Whole numbers."""
    if isinstance(value, str | bytes | Mapping):
        raise TypeError
    return [whole(one) for one in value]


def bounds(value: Any) -> dict[str, float | str]:
    """Numbers or texts by text."""
    return {of(str, key): one if isinstance(one, str) else number(one) for key, one in of(Mapping, value).items()}


def gates(value: Any) -> Any:
    """A text, a list of some, or numbers or texts by text."""
    return bounds(value) if isinstance(value, Mapping) else texts(value)


def pair(value: Any) -> tuple[str, str]:
    """Two texts."""
    if isinstance(value, str | bytes | Mapping):
        raise TypeError
    first, second = value
    return of(str, first), of(str, second)


def two_numbers(value: Any) -> tuple[float, float]:
    """Two finite numbers."""
    if isinstance(value, str | bytes | Mapping):
        raise TypeError
    first, second = value
    return number(first), number(second)


def by_position(value: Any) -> Any:
    """Numbers by position; what is no dictionary as it is."""
    if not isinstance(value, Mapping):
        return value
    found = {int(number(position)): number(one) for position, one in value.items()}
    if not found or list(found) != list(value):
        raise ValueError
    return found


def systems(value: Any) -> Mapping[str, Any]:
    """Runs by the name of their system."""
    if not of(Mapping, value) or not all(isinstance(name, str) and name for name in value):
        raise ValueError
    return dict(value)


def connection(value: Any) -> Any:
    """A connection of DuckDB."""
    import duckdb

    return of(duckdb.DuckDBPyConnection, value)


def of(wanted: Any, value: Any) -> Any:
    """A value of a type, or TypeError."""
    if not isinstance(value, wanted):
        raise TypeError
    return value


def text_of_columns(names: Sequence[str]) -> str:
    """Several columns as a --column option names them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
