"""Runs whose scores stand in files of their own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.errors import UsageError


@dataclass(frozen=True, slots=True)
class Scored:
    """A run in LETOR with the scores of its lines."""

    lines: str
    """The file of its lines."""
    scores: Any
    """The file of its scores, or numbers."""
    several: bool
    """Whether there are others, so that the system is called by its scores."""

    @property
    def named(self) -> Any:
        """What the system is called by."""
        return self.scores if self.several and isinstance(self.scores, str) else self.lines


def scored_runs(runs: Sequence[tuple[str | None, Any]], scores: Any) -> list[tuple[str | None, Any]]:
    """The runs with the scores of each: one run with several scores is as many systems."""
    from sqlrank.inputs.reading import named_run

    if isinstance(scores, Mapping):
        given: list[tuple[str | None, Any]] = [(str(name), each) for name, each in scores.items()]
    else:
        several = isinstance(scores, list | tuple) and bool(scores) and not isinstance(scores[0], int | float)
        every = list(scores) if several else [scores]
        given = [named_run(str(each)) if isinstance(each, str | os.PathLike) else (None, each) for each in every]
    if len(runs) == 1:
        runs = list(runs) * len(given)
    if len(runs) != len(given):
        raise UsageError(f"--scores: {len(given)} for {len(runs)} runs; give one for each, or several for one run")
    for _, data in runs:
        if not isinstance(data, str | os.PathLike):
            raise UsageError("--scores are of the lines of a LETOR file; name the file")
    return [
        (named or name, Scored(str(data), each, len(given) > 1))
        for (name, data), (named, each) in zip(runs, given, strict=True)
    ]
