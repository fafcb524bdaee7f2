"""What sqlrank is to reach, and what of it was: a benchmark fails where it falls behind again."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tools import HERE

SLACK = 0.15
"""By how much a target may be missed that was reached once: these machines are shared."""


@dataclass(frozen=True)
class Target:
    """A ratio of two figures of one section, or milliseconds, and its limit."""

    section: str
    tool: str
    beside: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    reached: bool = False

    @property
    def limit(self) -> float:
        """What is to be reached."""
        return self.at_most or self.at_least or 0.0

    def figure(self, seconds: Mapping[str, float]) -> float | None:
        """What was measured; None where it was not."""
        if self.tool not in seconds or (self.beside is not None and self.beside not in seconds):
            return None
        if self.beside is None:
            return 1000 * seconds[self.tool]
        ratio = seconds[self.tool] / seconds[self.beside]
        return ratio if self.at_least is None else 1 / ratio

    def holds(self, figure: float, slack: float = 0.0) -> bool:
        """Whether a figure reaches it, or misses it by no more than so large a share."""
        if self.at_least is not None:
            return figure >= self.at_least * (1 - slack)
        return figure <= self.limit * (1 + slack)


@dataclass(frozen=True)
class Judgment:
    """A target beside what was measured."""

    target: Target
    figure: float

    @property
    def state(self) -> str:
        """Whether it is reached."""
        if self.target.holds(self.figure):
            return "reached" if self.target.reached else "reached, and not marked so"
        if not self.target.reached:
            return "not yet"
        return "missed by little" if self.target.holds(self.figure, SLACK) else "lost"

    def __str__(self) -> str:
        target = self.target
        beside = "milliseconds" if target.beside is None else f"beside {target.beside}"
        wanted = f"{'at most' if target.at_least is None else 'at least'} {target.limit:g}"
        return f"{target.section}: {target.tool}, {beside}: {self.figure:.3g}, {wanted}: {self.state}"


def targets() -> list[Target]:
    """All targets."""
    listed = tomllib.loads((HERE / "targets.toml").read_text(encoding="utf-8"))["targets"]
    return [Target(**entry) for entry in listed]


def judgments(results: Mapping[str, Any], sections: Iterable[str] | None = None) -> Iterator[Judgment]:
    """The targets whose figures were measured at full size, of some sections or of all."""
    asked = None if sections is None else set(sections)
    for target in targets():
        section = section_of(results, target.section)
        if section is None or section["scale"] != 1 or (asked is not None and target.section not in asked):
            continue
        figure = target.figure(dict(seconds_of(section["results"])))
        if figure is not None:
            yield Judgment(target, figure)


def section_of(results: Mapping[str, Any], name: str) -> Any:
    """A section, or the part of one that stands after a dot."""
    section, _, part = name.partition(".")
    found = results.get(section)
    return found.get(part) if found and part else found


def seconds_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """The seconds of each tool, in growth those of a row."""
    for row in rows:
        if "seconds" not in row or row.get("form", "full") != "full":
            continue
        if "planned" in row:
            yield f"{row['tool']}, a row of {row['planned']:,}", row["seconds"] / row["rows"]
            continue
        yield row["tool"], row["seconds"]
        if "base" in row:
            yield row["base"], row["base_seconds"]
