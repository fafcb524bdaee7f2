"""How a message spells an option: as the command line does or as an argument of Python, for who asked."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from typing import Any

from sqlrank.errors import commanded

SHOWN = ("worst", "best", "movers", "disputed")
"""What --show asks for."""
COMMANDED = {
    "actions": "--action",
    "checks": "--no-checks",
    "columns": "--column",
    "estimators": "--estimator",
    "every": "--all",
    "exact_labels": "--labels-as-exact",
    "header": "--no-header",
    "margins": "--margin",
    "metrics": "-m",
    "paired": "--unpaired",
    "replace=True": "--replace-stored",
    "run_columns": "--run-column",
    "runs": "--run",
    "segments=True": "--gate-segments",
    **{kind: f"--show {kind}" for kind in SHOWN},
}
"""What the command line calls otherwise than Python, by the argument or its value."""
RENAMED = {
    "baseline": ("baseline_run", "baseline_days"),
    "iterations": ("replicates",),
    "method": ("rule",),
}
"""The names that options have now where they have not their former one."""
STAND_INS = frozenset("A..B COLUMN DAY FILE METRIC N NAME QUERY ROLE SECONDS SYSTEM VALUE".split())
"""The words that stand for a value of the reader."""
PAIRED = ("actions", "columns", "margins", "run_columns")
"""The options that take a dictionary."""
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
QUOTED = frozenset(" \t\n'\"`|&;<>()$*?\\")
"""The characters for which a shell needs quotes."""
WITHIN = frozenset('"`$\\')
"""Those that mean something between double quotes too."""


def spelt(name: str, value: Any = ...) -> str:
    """An option of Python's name, with its value if it has one, for who asked: `--rel 2` or `rel=2`.

    A dictionary is for an option that takes keys, a tuple for one that takes several values at once, a list for one
    that is repeated, and True and False are for flags.
    """
    return as_option(name, value) if commanded() else as_argument(name, value)


def renamed(name: str, known: Collection[str]) -> list[str]:
    """The options among those that are known that a former one became."""
    return [new for new in RENAMED.get(name, ()) if new in known]


def as_option(name: str, value: Any = ...) -> str:
    """An option as the command line spells it."""
    said = f"{name}={value}" if isinstance(value, bool) else name
    option = COMMANDED.get(said) or COMMANDED.get(name) or f"--{name.replace('_', '-')}"
    if value is ... or isinstance(value, bool):
        return option
    given = value if isinstance(value, list) else [value]
    if isinstance(value, Mapping):
        pairs = [f"{key}={plain(one)}" for key, one in value.items()]
        given = [tuple(pairs)] if name == "relevance_map" else pairs
    return " ".join(f"{option} {typed(plain(each))}" for each in given)


def as_argument(name: str, value: Any = ...) -> str:
    """An option as an argument of Python."""
    if value is ...:
        return f"{name}="
    if isinstance(value, float) or (isinstance(value, str) and value in STAND_INS):
        return f"{name}={plain(value)}"
    known = value is None or isinstance(value, str | int | list | tuple | Mapping)
    return f"{name}={value!r}" if known else f"{name}={str(value)!r}"


class OptionGap:
    """Where a text of a catalogue names an option: `{option:like}`, `{option:rel 2}`, `{option:columns rank=NAME}`."""

    def __init__(self, spell: Callable[..., str] = spelt) -> None:
        self.spell = spell

    def __format__(self, asked: str) -> str:
        name, _, said = asked.partition(" ")
        return self.spell(name, value_in(name, said)) if said else self.spell(name)


def value_in(name: str, said: str) -> Any:
    """The value of an option that a text of a catalogue names."""
    if name in PAIRED:
        key, _, value = said.partition("=")
        return {key: value}
    if said in ("True", "False"):
        return said == "True"
    return float(said) if NUMBER.fullmatch(said) else said


def typed(text: str) -> str:
    """A value as it is typed in a shell."""
    if not text.isprintable():
        return repr(text)
    if text and not QUOTED.intersection(text):
        return text
    return f'"{text}"' if "'" in text and not WITHIN.intersection(text) else shlex.quote(text)


def plain(value: Any) -> str:
    """A value as a person writes it: 1 and not 1.0, 0.5, `best`, a,b for a tuple."""
    if isinstance(value, tuple):
        return ",".join(map(plain, value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
