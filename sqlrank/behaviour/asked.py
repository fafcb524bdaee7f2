"""What a call on a log asks for: which rows count, and what is taken for a click."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlrank.behaviour.options import LogReading
from sqlrank.errors import UsageError
from sqlrank.inputs.reading import Reading
from sqlrank.spelling import spelt

DWELL = re.compile(r"dwell\s*>=\s*([0-9]+(?:\.[0-9]+)?)\Z")
SIGNALS = ("click", "dwell>=SECONDS", "cart", "purchase", "best")
COLUMNS = {"click": "clicked", "cart": "cart", "purchase": "purchase", "best": "best"}
"""The column of each signal."""


@dataclass(frozen=True, slots=True)
class Signal:
    """What is taken for a click."""

    text: str
    kind: str
    """The column that says it; `dwell`, or `best` for the best of what was done."""
    least: float = 0
    """How many seconds a click has to last."""


def signal_of(text: str) -> Signal:
    """The signal of a text; UsageError for one that is not known."""
    if found := DWELL.match(text.strip()):
        return Signal(text.strip(), "dwell", float(found[1]))
    if text not in COLUMNS:
        raise UsageError(f"{spelt('signal', text)} is not known (one of {', '.join(SIGNALS)})")
    return Signal(text, COLUMNS[text])


@dataclass(frozen=True, slots=True)
class Counting:
    """Which rows of a log count, and as what."""

    signal: Signal
    depth: int | None = None
    """The last position that was displayed, of longer lists that were returned."""
    base: int | None = None
    """The position of the first document, 0 or 1; None to see it in the log."""
    page_size: int | None = None
    """How many documents a page has, where positions begin anew on each."""
    without_bots: bool = False
    sorted_too: bool = False
    """Whether lists count whose order the user chose."""
    fold: bool = False
    """Whether queries that differ in case and outer blanks are one."""


COUNTING = {
    "shown_depth": "depth",
    "position_base": "base",
    "page_size": "page_size",
    "exclude_bots": "without_bots",
    "sorted_too": "sorted_too",
    "fold_queries": "fold",
}
"""The options that say which rows count, by the fields of `Counting`."""
READING = frozenset(field.name for field in fields(Reading))


def split(options: Mapping[str, Any], signal: Signal) -> tuple[Reading, Counting]:
    """How a log is read, and which rows count."""
    given = {name: value for name, value in options.items() if value is not None and name in LogReading.__annotations__}
    counting = {COUNTING[name]: value for name, value in given.items() if name in COUNTING}
    return Reading(**{name: value for name, value in given.items() if name in READING}), Counting(signal, **counting)
