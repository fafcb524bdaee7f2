"""Run tools in turn on the same data, and compare the answers of every run."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from process import Done, run
from shapes import Data
from tools import PLAIN, Tool, sqlrank

Answers: TypeAlias = dict[tuple[tuple[str, ...], tuple[str, ...]], dict[str, float]]


class DisagreementError(Exception):
    """A tool gives another answer than sqlrank: its time means nothing."""


class BrokenError(Exception):
    """sqlrank itself did not finish."""


@dataclass
class Result:
    """What was measured of a tool."""

    tool: Tool
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)
    difference: float = 0.0
    failure: str | None = None

    def row(self, baseline: Result | None, unchecked: Result | None = None) -> dict[str, Any]:
        """The figures, beside those of the baseline."""
        row: dict[str, Any] = {"tool": self.tool.name, "form": self.tool.form}
        if self.failure:
            return row | {"missing": self.failure}
        row |= {"seconds": round(min(self.seconds), 4), "peak_mb": round(max(self.peaks), 1)}
        row |= {"rounds": [round(seconds, 4) for seconds in self.seconds]}
        if baseline and not baseline.failure:
            ratios = [ours / theirs for ours, theirs in zip(self.seconds, baseline.seconds, strict=True)]
            row |= {"ratio": round(min(self.seconds) / min(baseline.seconds), 4)}
            row |= {"ratio_low": round(min(ratios), 4), "ratio_high": round(max(ratios), 4)}
        if unchecked:
            row |= {"ratio_unchecked": round(min(self.seconds) / min(unchecked.seconds), 4)}
        tolerance = {"relative": self.tool.relative, "absolute": self.tool.absolute}
        return row | {"difference": self.difference, "why": self.tool.why, "metrics": self.tool.metrics} | tolerance


@dataclass
class Contest:
    """Tools on the same data."""

    data: Data
    results: list[Result]
    answers: Answers = field(default_factory=dict)

    def run(self, runs: int) -> list[Result]:
        """Measure in turn, so that noise hits all tools alike, and compare the answers of every run."""
        for number in range(runs):
            for result in self.results:
                if result.failure:
                    continue
                done = self.one(result)
                if not result.failure:
                    self.check(result, done)
                    result.seconds.append(done.seconds)
                    result.peaks.append(done.peak_mb)
                    say(f"{self.data.shape.name} {number + 1}/{runs}: {label(result.tool)}", done)
        return self.results

    def one(self, result: Result) -> Done:
        """Run a tool once; a peer that fails is out."""
        done = run(result.tool.command, self.data.folder)
        if done.failure:
            say(f"{self.data.shape.name}: {label(result.tool)}", done)
            if result.tool.name.startswith("sqlrank"):
                raise BrokenError(f"{label(result.tool)} on {self.data.shape.name}: {done.failure}")
            result.failure = done.failure
        return done

    def check(self, result: Result, done: Done) -> None:
        """Fail unless the answers are those of sqlrank."""
        if result.failure:
            return
        tool, found = result.tool, result.tool.values(done.output)
        if tool.against is None:
            self.answers.setdefault((PLAIN, tool.metrics), found)
        expected = self.expected(tool)
        for metric in tool.metrics:
            theirs, ours = found.get(metric, float("nan")), expected[metric]
            apart = abs(theirs - ours)
            if not apart <= tool.absolute + tool.relative * abs(ours):
                where = f"{label(tool)} on {self.data.shape.name}"
                raise DisagreementError(f"{where} disagrees on {metric}: {theirs!r}, and sqlrank has {ours!r}")
            relative = apart / abs(ours) if ours else apart
            result.difference = max(result.difference, apart if tool.absolute else relative)

    def expected(self, tool: Tool) -> dict[str, float]:
        """What sqlrank answers to the same question."""
        key = (tool.against or PLAIN, tool.metrics)
        if key not in self.answers:
            asked = sqlrank(self.data.shape, tool.form, *key[0], metrics=tool.metrics)
            done = run(asked.command, self.data.folder)
            if done.failure:
                raise BrokenError(f"sqlrank on {self.data.shape.name}: {done.failure}")
            self.answers[key] = asked.values(done.output)
        return self.answers[key]


def contest(data: Data, tools: Iterable[Tool], runs: int) -> list[Result]:
    """Measure tools on the same data."""
    return Contest(data, [Result(tool) for tool in tools]).run(runs)


def label(tool: Tool) -> str:
    """The name of a tool with its form."""
    return f"{tool.name} ({tool.form})"


def say(what: str, done: Done) -> None:
    """Tell how a run went."""
    print(f"{what}: {done.failure or f'{done.seconds:.2f} s, {done.peak_mb:.0f} MB'}", file=sys.stderr)
