"""The methods that make judgments of a log: each is one file of sql/behaviour/methods, with its entry in the header."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlrank.errors import UsageError, no_such_word
from sqlrank.spelling import spelt
from sqlrank.sql_files import Entries, read_entry, sql_folder


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a label before the log: clicks, and how often there was none, as if they had been seen."""

    a: float
    b: float


@dataclass(frozen=True, slots=True)
class Method:
    """One file of sql/behaviour/methods."""

    name: str
    title: str
    reads: str
    """What it reads: `cells`; `sequence`, cells with what the order of clicks says; `sessions`, whole impressions."""
    interval: str
    """How its labels vary: `beta` or `gamma`; a file of sql/behaviour/intervals."""
    assumes: str
    """What has to hold of the people, in words."""
    propensities: bool = False
    """Whether it needs to be told how likely each position is looked at."""
    graded: bool = False
    """Whether the best of what was done counts, and not whether something was."""
    learns: str | None = None
    """What it learns round by round, in DuckDB alone; None for a closed form."""
    prior: tuple[float, float] | str = (1, 1)
    """The prior where none is told: two numbers, `likelihood` for that of the log, or `none` for a method without."""
    citation: str = ""
    doi: str = ""

    def prior_of(self, told: Prior | None) -> Prior | None:
        """The prior that is taken; UsageError if one is told that the method has no place for."""
        if told is not None and self.prior == "none":
            raise UsageError(f"{spelt('prior')}: {self.name} has none; leave it out")
        return told if told is not None or isinstance(self.prior, str) else Prior(*map(float, self.prior))


def prior_of(told: tuple[float, float] | None) -> Prior | None:
    """The prior that was told; UsageError if it is none."""
    if told is None:
        return None
    found = Prior(*map(float, told))
    if not (found.a >= 0 and found.b >= 0 and found.a + found.b < float("inf")):
        raise UsageError(f"{spelt('prior', (found.a, found.b))}: give two numbers, 0 or more")
    return found


@cache
def every_method() -> Entries[Method]:
    """The methods by name."""
    return Entries(sorted((sql_folder() / "behaviour" / "methods").glob("*.sql")), read_method)


def read_method(path: Path) -> Method:
    """The method in one file."""
    entry = read_entry(path)
    prior = entry.get("prior", (1, 1))
    return Method(path.stem, **entry | {"prior": prior if isinstance(prior, str) else tuple(prior)})


def method_of(name: str | None, with_propensities: bool) -> Method:
    """The method of a name, or the default one: for a log whose propensities are known, or not."""
    chosen = name or ("ratio" if with_propensities else "sdbn")
    if chosen not in every_method():
        raise no_such_word(spelt("method", chosen), chosen, every_method())
    method = every_method()[chosen]
    if method.propensities and not with_propensities:
        raise UsageError(
            f"{spelt('method', chosen)} needs {spelt('propensities', 'FILE')}: how likely each position is looked at,"
            " as sqlrank log propensities writes it; without them, sdbn is the safe choice"
        )
    return method
