"""Errors, and the exit code of each.

SqlrankError
├── UsageError      2: the request itself cannot be carried out as written
├── DataError       3: an input is missing, unreadable or wrong
├── GateError       4: a value or a difference is below what was demanded
└── ResourceError   5: disk, memory or an output that cannot be written
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import NamedTuple

URL_PARTS = re.compile(
    r"(?P<start>\b[a-z][a-z0-9+.-]+://)(?P<user>[^/@\s'\"]*@)?(?P<path>[^\s'\"?]*)(?P<query>\?[^\s'\"]*[^\s'\":,;.)])?"
)


class ExitCode(IntEnum):
    """The exit codes of the command line, an API of their own."""

    DONE = 0
    """Everything asked for was written."""
    INTERNAL = 1
    """A defect of sqlrank."""
    USAGE = 2
    """The command line, a metric or an option is wrong."""
    DATA = 3
    """An input is missing, unreadable or wrong."""
    GATE = 4
    """A gate failed (`--fail-under`, `--fail-on-drop`, `--not-worse-than`), a chart of monitor is in alarm, or units of
    an A/B test were not split as planned."""
    RESOURCE = 5
    """Disk or memory ran out, or an output cannot be written."""
    INTERRUPTED = 130
    """Ctrl-C; 128 and the number of the signal for others: 143 for SIGTERM, 129 for SIGHUP."""


class Unknown(NamedTuple):
    """An option that there is not."""

    said: str
    """How the message begins."""
    name: str
    known: frozenset[str]
    """The options that there are."""
    then: str
    """What follows."""

    def told(self, *others: str) -> str:
        """The message, with the nearest option, or the nearest of other names that the caller may have meant."""
        return f"{self.said}{nearest(self.name, sorted(self.known.union(others)))}{self.then}"


class SqlrankError(Exception):
    """Every error that sqlrank raises on purpose; its text says what, where, and what to do."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, text: str) -> None:
        kept = text if len(text) <= LONGEST else f"{text[: LONGEST - 500]} ... {text[-500:]}"
        super().__init__(without_credentials(kept))


class UsageError(SqlrankError):
    """The request cannot be carried out as written."""

    exit_code = ExitCode.USAGE
    unknown: Unknown | None = None
    """The option that there is not, where that is what is wrong."""


class DataError(SqlrankError):
    """An input is missing, unreadable or wrong."""

    exit_code = ExitCode.DATA


class GateError(SqlrankError):
    """A value or a difference fails its gate, a chart is in alarm, or there is a sample ratio mismatch."""

    exit_code = ExitCode.GATE


class Outcome(NamedTuple):
    """What came of a gate that was held against one system."""

    name: str
    """What was demanded of whom."""
    failure: str | None
    """Why the gate failed; None where it holds."""
    power: str | None = None
    """How often it fails by chance, and what it catches; None where that is not asked."""

    @property
    def holds(self) -> bool:
        """Whether the gate holds."""
        return self.failure is None


class ResourceError(SqlrankError):
    """Disk or memory ran out, or an output cannot be written."""

    exit_code = ExitCode.RESOURCE


LONGEST = 4000
"""How many characters a message has at most."""
SHOWN_TEXT = 200
"""How much of a value messages show."""


def shortened(text: str, most: int = SHOWN_TEXT) -> str:
    """A value of the data as a message shows it."""
    return text if len(text) <= most else f"{text[:most]}..."


def percent(part: float) -> str:
    """A share in percent."""
    return f"{100 * part:.0f} %"


def counted(number: int, noun: str, verb: str = "", verbs: str = "", between: str = "") -> str:
    """A number of things, and the verb that follows, of one and of several, perhaps with words `between` them."""
    said = f"{number:,} {noun if number == 1 else several(noun)}{between}"
    return f"{said} {verb if number == 1 else verbs}".rstrip()


def first_of(names: Sequence[str], most: int = 4) -> str:
    """Some names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def several(noun: str) -> str:
    """The plural of a noun."""
    return f"{noun.removesuffix('y')}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


_commanded: ContextVar[bool] = ContextVar("commanded", default=False)


@contextmanager
def on_the_command_line() -> Iterator[None]:
    """Name options of the command line in messages of the block, rather than arguments of Python."""
    token = _commanded.set(True)
    try:
        yield
    finally:
        _commanded.reset(token)


def commanded() -> bool:
    """Whether the command line is the caller."""
    return _commanded.get()


def without_credentials(text: str) -> str:
    """A text in which no URL has a user, a password or a signature."""
    return URL_PARTS.sub(without_secrets, text) if "://" in text else text


def without_secrets(found: re.Match[str]) -> str:
    """A URL with its secrets starred out."""
    user, query = ("***@" if found["user"] else ""), ("?***" if found["query"] else "")
    return f"{found['start']}{user}{found['path']}{query}"


def not_known(option: str, word: object, known: Iterable[str], alike: float = 0.6) -> UsageError:
    """The error of a word that an option does not take, with the nearest that it does, and all of them."""
    return no_such_word(f"{option} {word}", word, known, alike)


def no_such_word(said: str, word: object, known: Iterable[str], alike: float = 0.6) -> UsageError:
    """The same, of an option and its word as they were `said`."""
    words = list(known)
    return UsageError(f"{said} is not known{nearest(str(word), words, alike)} (one of {', '.join(words)})")


def no_option(said: str, name: str, known: Iterable[str], then: str = "") -> UsageError:
    """The error of an option that there is not, with the nearest that there is; see `Unknown`."""
    unknown = Unknown(said, name, frozenset(known), then)
    error = UsageError(unknown.told())
    error.unknown = unknown
    return error


def nearest(name: str, names: list[str], alike: float = 0.6) -> str:
    """A hint naming the known word closest to a misspelt one, or nothing when none is so much alike."""
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), [known.lower() for known in names], n=1, cutoff=alike)
    return f"; did you mean {close[0]}?" if close else ""
