"""Validation of the arguments of the Python interface, with errors that name them as Python does."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from functools import wraps
from math import isfinite
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

from sqlrank.choices import CORRECTIONS, INPUT_FORMATS, TESTS, TOOLS, UNITS
from sqlrank.conventions import Conventions, text_of_columns
from sqlrank.errors import SqlrankError, UsageError, commanded

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Kind:
    """What values an argument takes."""

    meant: str
    """The expected value, in words."""
    take: Callable[[Any], Any]
    """Converts a value; raises TypeError for one of another kind, ValueError for one that is no such value."""
    optional: bool = True
    """Whether None means that the argument is not given."""


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


INPUT = Kind("rows", lambda value: value)
TEXT, WORD = Kind("a text", text), Kind("a text", text, optional=False)
PATH = Kind("the path of a file or folder", path)
TEXTS = Kind("a text or a list of texts", texts)
NUMBER, WHOLE = Kind("a finite number", number, optional=False), Kind("a whole number", whole)
GATES = Kind("a text such as 'ndcg@10=0.4', a list of them, or a dictionary of values by metric", gates)
KEYS = Kind(TEXTS.meant, lambda value: list(value) if isinstance(value, Mapping) else texts(value))
FLAG = Kind("True or False", lambda value: of(bool, value), optional=False)

OF_TEXT = (
    "like weight cluster periods judged_at session separator input_format encoding timezone memory_limit system prefix"
    " incremental replace until day unit reference"
).split()
"""The arguments that are a text."""
FLAGS = (
    "all_pairs confidently segments paired sequential judged bounds same_days exact_labels header checks"
    " progress texts summary every check exclude_bots sorted_too fold_queries anyway"
).split()
"""The arguments that are True or False."""
KINDS: dict[str, Kind] = {
    **dict.fromkeys(OF_TEXT, TEXT),
    **{item.name: WORD for item in fields(Conventions) if item.metadata["choices"]},
    **dict.fromkeys(
        (*("test", "correction", "alternative", "dialect", "ids", "metric", "query"), *("method", "direction")),
        WORD,
    ),
    **dict.fromkeys(("metrics_dir", "database", "temp_dir"), PATH),
    **dict.fromkeys(("metrics", "by", "keep", "judged_by", "estimators"), TEXTS),
    **dict.fromkeys(("writes", "gates"), Kind(TEXTS.meant, texts, optional=False)),
    **dict.fromkeys(("rel", "alpha", "power", "clip", "min_support"), NUMBER),
    **dict.fromkeys(("signal", "no_click", "interval"), WORD),
    "prior": Kind("two numbers, such as (1, 10)", two_numbers),
    "propensities": Kind("a table, or a dictionary of them by position, such as {1: 1.0, 2: 0.6}", by_position),
    "actions": Kind("a dictionary of what actions say, such as {'item_click': 'click'}", names),
    "top_relevance": Kind(NUMBER.meant, number),
    "unjudged": Kind("a text or a finite number", word_or_number, optional=False),
    **dict.fromkeys(("depth", "budget", "threads", "most"), WHOLE),
    **dict.fromkeys(("rounds", "planned", "shown_depth", "position_base", "page_size"), WHOLE),
    **dict.fromkeys(("min_impressions", "min_documents", "max_rank", "top"), Kind(WHOLE.meant, whole, optional=False)),
    **dict.fromkeys(
        ("replicates", "seed", "rows", "label_draws", "iterations"), Kind(WHOLE.meant, whole, optional=False)
    ),
    **dict.fromkeys(FLAGS, FLAG),
    "sql_time_limit": Kind("a number of seconds", seconds, optional=False),
    **dict.fromkeys(
        ("columns", "run_columns"), Kind("a dictionary of column names by role, such as {'query_id': 'qid'}", names)
    ),
    "relevance_map": Kind("a dictionary of numbers by label, such as {'E': 3, 'I': 0}, or None for unjudged", labels),
    "where": Kind("a text, a list of texts, or a dictionary of them by input: 'run', 'qrels', 'positives'", conditions),
    "as_of": Kind("a date such as '2026-11-10'", day, optional=False),
    "before": Kind("a date such as '2026-11-10'", day),
    "shares": Kind("a dictionary of shares by arm, such as {'A': 0.5, 'B': 0.5}", labels),
    "sizes": Kind("a list of whole numbers", sizes),
    "margins": Kind("a dictionary of margins by metric, such as {'ndcg@10': 0.005, 'ap': '1%'}", bounds),
    "systems": Kind("a dictionary of runs by the name of their system, with at least one", systems),
    **dict.fromkeys(("fail_under", "fail_on_drop", "not_worse_than"), GATES),
    "create": Kind("a pair of texts such as ('table', 'daily')", pair),
    "connection": Kind("a connection of DuckDB", connection),
}
"""The kind of every argument by its name, which means the same in every function."""

CHOICES: dict[str, Collection[str]] = {item.name: item.metadata["choices"] or {} for item in fields(Conventions)}
CHOICES |= {"input_format": INPUT_FORMATS, "like": TOOLS, "test": TESTS, "correction": CORRECTIONS, "unit": UNITS}
"""The words of options that take one."""
OTHERS = {
    "column": "columns",
    "margin": "margins",
    "no-header": "header=False",
    "no-checks": "checks=False",
    "replace-stored": "replace=True",
    "unpaired": "paired=False",
    "gate-segments": "segments=True",
    "labels-as-exact": "exact_labels=True",
    "movers": "most",
    "action": "actions",
    "estimator": "estimators",
    "run-column": "run_columns",
    "run": "runs",
    "all": "every",
}
OTHERS |= dict.fromkeys(
    ("propensities", "expected", "qrels", "positives", "queries", "items", "history", "baseline", "scores", "engine"),
    "",
)
"""Options of the command line that have another name in Python, or are inputs."""
OPTION = re.compile(
    r"(?<![\w-])(?<!sqlrank sql )--(?P<name>[a-z][a-z-]*[a-z])(?P<value> (?:[\w.]+=[\w.=,-]*\w(?:\[\](?:\.\w+)?)?"
    r"|[A-Z]+\b|'[^']*'|-?[0-9][0-9.e+-]*(?![\w-])|[^\s:,;()]+(?=:|,? is not)|[\w-]+(?=[ ,.;)]|$)))?"
)
METRIC = re.compile(r"(?<![\w-])-m (?=\S)")


def in_python(said: str) -> str:
    """A message with options of the command line replaced by the arguments of Python."""
    return METRIC.sub("metrics=", OPTION.sub(argument, said)) if "-" in said else said


def argument(found: re.Match[str]) -> str:
    """An option, with its value if it has one, as an argument."""
    option, value = found["name"], (found["value"] or "").strip()
    name = option.replace("-", "_")
    if option not in OTHERS and name not in KINDS:
        return found[0]
    called = OTHERS.get(option) or name
    if "=" in called or not value:
        return (called if "=" in called else f"{called}=") + (found["value"] or "")
    if name in ("column", "margin", "relevance_map") and "=" in value:
        value = value.removeprefix("'").removesuffix("'")
        pairs = (pair.partition("=") for pair in (value.split(",") if name == "relevance_map" else [value]))
        inside = ", ".join(f"{key!r}: {one if name == 'relevance_map' else repr(one)}" for key, _, one in pairs)
        return f"{called}={{{inside}}}"
    if re.fullmatch(r"'.*'|[A-Z]+|-?[0-9][0-9.e+-]*", value):
        return f"{called}={value}"
    follows = found.string[found.end() :]
    if value in CHOICES.get(name, ()) or re.match(r":|,? is not", follows):
        return f"{called}={value!r}"
    return f"{called}={found['value']}"


def taken(name: str, value: Any, kinds: Mapping[str, Kind]) -> Any:
    """An argument, converted; UsageError if it is of another kind."""
    kind = kinds.get(name)
    if kind is None or (value is None and kind.optional):
        return value
    try:
        return kind.take(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{name}= takes {kind.meant}, not {short(value)}") from error


def short(value: Any) -> str:
    """A value as a message shows it."""
    try:
        shown = repr(value)
    except Exception as error:  # whatever an object of the caller raises, or Python of a number of many digits
        return f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return shown if len(shown) <= 60 else f"{shown[:60]}..."


def public(*only: str, **special: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a public function: its arguments are validated, and its errors name arguments rather than options.

    `only` are the arguments that are looked at (none for all), `special` the kinds of those that differ from their
    namesakes.
    """
    kinds = ({name: KINDS[name] for name in only} if only else KINDS) | special

    def decorate(call: Callable[P, R]) -> Callable[P, R]:
        code = call.__code__
        order, every = code.co_varnames[: code.co_argcount], code.co_argcount + code.co_kwonlyargcount

        @wraps(call)
        def checked(*arguments: Any, **named: Any) -> R:
            try:
                places = [taken(name, value, kinds) for name, value in zip(order, arguments, strict=False)]
                options = {name: taken(name, value, kinds) for name, value in named.items()}
                return spoken(call(*places, *arguments[len(order) :], **options))
            except SqlrankError as error:
                if isinstance(error, UsageError) and error.unknown is not None:
                    error.args = (error.unknown.told(*code.co_varnames[:every]),)
                if not commanded():
                    error.args = (in_python(str(error)),)
                raise

        return checked

    return decorate


def spoken(result: R) -> R:
    """A result whose notes name arguments rather than options."""
    notes: Iterable[str] | None = getattr(result, "notes", None)
    if notes is not None and not commanded():
        result.notes = [in_python(note) for note in notes]  # type: ignore[attr-defined]
    return result
