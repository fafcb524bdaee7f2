"""The command that would evaluate inputs, and whether it does."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.api import evaluate
from sqlrank.comparison.flow import compare
from sqlrank.comparison.similarity.likeness import likeness
from sqlrank.conventions import plain
from sqlrank.errors import SqlrankError
from sqlrank.judging.verdicts.side_by_side import gsb

DESCRIBED = ("queries", "by")
"""The options of a table of queries, without which the rest may be evaluated."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A command with its inputs and its options, by the names of the Python interface."""

    command: str
    """`eval`, `compare` or `gsb`."""
    inputs: Sequence[str]
    options: Mapping[str, Any]
    labelled: bool = False
    """Whether the rankings have judgments of their own."""

    @property
    def line(self) -> str:
        """The command line."""
        return shlex.join(["sqlrank", self.command, *self.inputs, *words_of(self.options)])

    def problem(self, settings: Mapping[str, Any]) -> str | None:
        """Why the command would fail; None where it succeeds. `settings` are threads, memory and temporary folder."""
        options = dict(self.options) | dict(settings)
        qrels = options.pop("qrels", None)
        inputs = self.inputs[0] if len(self.inputs) == 1 else list(self.inputs)
        try:
            if self.command == "gsb":
                gsb(inputs, **options).close()
            elif self.command == "eval":
                evaluate(inputs, qrels, **options).close()
            elif qrels is not None or "positives" in options or self.labelled:
                compare(inputs, qrels, **options).close()
            else:
                likeness(inputs, **options).close()
        except SqlrankError as error:
            return str(error)
        return None

    def without(self, *names: str) -> Suggestion:
        """The same without some options."""
        return replace(self, options={name: value for name, value in self.options.items() if name not in names})


def words_of(options: Mapping[str, Any]) -> Iterator[str]:
    """Options as the command line has them."""
    for name, value in options.items():
        if name == "header":
            yield "--no-header"
        elif name == "relevance_map":
            worths = ((label, "" if worth is None else plain(worth)) for label, worth in value.items())
            yield from ("--relevance-map", ",".join(f"{label}={worth}" for label, worth in worths))
        elif name == "columns":
            for role, column in value.items():
                yield from ("--column", f"{role}={column}")
        else:
            for each in [value] if isinstance(value, str) else value:
                yield from (f"--{name.replace('_', '-')}", str(each))


def found_to_work(suggestion: Suggestion, settings: Mapping[str, Any]) -> tuple[str | None, list[str]]:
    """The command line that succeeds, if one does, and why what was left out of it or all of it does not."""
    problem = suggestion.problem(settings)
    if problem is None:
        return suggestion.line, []
    if set(DESCRIBED) & suggestion.options.keys():
        fewer = suggestion.without(*DESCRIBED)
        if fewer.problem(settings) is None:
            return fewer.line, [f"--queries {suggestion.options['queries']} is left out: {problem}"]
    return None, [problem]
