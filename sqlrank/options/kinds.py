"""The kinds of values that options take, in Python and as texts of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.options import texts, values


@dataclass(frozen=True, slots=True)
class Kind:
    """What values an option takes."""

    meant: str
    """The expected value, in words."""
    take: Callable[[Any], Any]
    """Converts a value; raises TypeError for one of another kind, ValueError for one that is no such value."""
    optional: bool = True
    """Whether None means that the option is not given; of a declared option its default says so."""
    read: Callable[[Any, str], Any] | None = None
    """Converts the text of the command line, or all of them, with the name of the option; None for texts."""
    typed: Any = str
    """What the command line gives: a text, `list[str]` of an option that is repeatable, or a pair."""
    explained: bool = False
    """Whether the documentation of Python says what values it takes, which their type does not."""

    def taken(self, name: str, value: Any) -> Any:
        """A value of an argument, converted; UsageError if it is of another kind."""
        try:
            return self.take(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise UsageError(f"{name}= takes {self.meant}, not {short(value)}") from error


def short(value: Any) -> str:
    """A value as a message shows it."""
    try:
        shown = repr(value)
    except Exception as error:  # whatever an object of the caller raises, or Python of a number of many digits
        return f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return shown if len(shown) <= 60 else f"{shown[:60]}..."


INPUT = Kind("rows", lambda value: value)
INPUTS = Kind("rows", lambda value: value, read=texts.alone, typed=list[str])
CONDITIONS = Kind(
    "a text, a list of texts, or a dictionary of them by input: 'run', 'qrels', 'positives'",
    values.conditions,
    typed=list[str],
)
LABELS = Kind(
    "a dictionary of numbers by label, such as {'E': 3, 'I': 0}, or None for unjudged",
    values.labels,
    read=texts.labels,
    explained=True,
)
WORD_OR_NUMBER = Kind("a text or a finite number", values.word_or_number, optional=False)
TEXT, WORD = Kind("a text", values.text), Kind("a text", values.text, optional=False)
PATH = Kind("the path of a file or folder", values.path)
TEXTS = Kind("a text or a list of texts", values.texts, typed=list[str])
NUMBER = Kind("a finite number", values.number, optional=False, read=texts.number)
LEVEL = Kind("a finite number", values.number, read=texts.number)
WHOLE = Kind("a whole number", values.whole, read=texts.whole())
GATES = Kind("a text such as 'ndcg@10=0.4', a list of them, or a dictionary of values by metric", values.gates)
KEYS = Kind(TEXTS.meant, lambda value: list(value) if isinstance(value, Mapping) else values.texts(value))
FLAG = Kind("True or False", lambda value: values.of(bool, value), optional=False)
SECONDS = Kind("a number of seconds", values.seconds, optional=False, read=texts.number)
DAY = Kind("a date such as '2026-11-10'", values.day, read=texts.day, explained=True)
ROLES = Kind(
    "a dictionary of column names by role, such as {'query_id': 'qid'}",
    values.names,
    read=texts.roles,
    typed=list[str],
    explained=True,
)
ACTIONS = Kind(
    "a dictionary of what actions say, such as {'item_click': 'click'}",
    values.names,
    read=texts.actions_of,
    typed=list[str],
    explained=True,
)
SHARES = Kind(
    "a dictionary of shares by arm, such as {'A': 0.5, 'B': 0.5}",
    values.labels,
    read=texts.shares,
    typed=list[str],
    explained=True,
)
MARGINS = Kind(
    "a dictionary of margins by metric, such as {'ndcg@10': 0.005, 'ap': '1%'}",
    values.bounds,
    read=texts.margins,
    typed=list[str],
    explained=True,
)
NUMBERS = Kind("a dictionary of numbers by metric", values.labels, read=texts.numbers, typed=list[str])
RELATION = Kind(TEXT.meant, values.text, read=texts.only, typed=list[str])
PAIR = Kind("a pair of texts such as ('table', 'daily')", values.pair, typed=tuple[str, str], explained=True)
WHOLES = Kind("a list of whole numbers", values.sizes, read=texts.wholes)
NAMES = Kind("a list of texts", values.texts, read=texts.names)
TWO_NUMBERS = Kind("two numbers, such as (1, 10)", values.two_numbers, read=texts.two_numbers, explained=True)
BY_POSITION = Kind(
    "a table, or a dictionary of them by position, such as {1: 1.0, 2: 0.6}", values.by_position, explained=True
)
CONNECTION = Kind("a connection of DuckDB", values.connection)
