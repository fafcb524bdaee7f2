"""The command that would evaluate inputs, and whether it does."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.api import evaluate
from sqlrank.comparison.flow import compare
from sqlrank.comparison.similarity.likeness import likeness
from sqlrank.errors import SqlrankError
from sqlrank.inputs.column_names import WANTED, plain_name
from sqlrank.inputs.missing_columns import group_of, missing
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, columns_of_judgments, has
from sqlrank.inspection.kinds import ITEMS, KINDS, LABELLED, POSITIVES, QRELS, QUERIES, RUN, UNKNOWN, VERDICTS
from sqlrank.inspection.profiles import Profile, Profiler
from sqlrank.judging.verdicts.side_by_side import gsb
from sqlrank.spelling import plain, spelt

PASSED = ("session", "separator", "input_format", "encoding", "database", "timezone")
"""The ways of reading that the command repeats as they are."""
MOST_TRIED = 1_000_000
"""The largest number of rows on which the command is tried before it is printed."""
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
            return fewer.line, [f"{spelt('queries', suggestion.options['queries'])} is left out: {problem}"]
    return None, [problem]


def suggest(
    profiles: Sequence[Profile],
    given: Sequence[str],
    looks: Sequence[Profiler],
    reading: Reading,
    settings: Mapping[str, Any],
) -> tuple[str | None, list[str]]:
    """The command that evaluates the inputs, or None and why; it is tried where rows are not many."""
    named = list(zip(given, profiles, looks, strict=True))
    of = {kind: [text for text, profile, _ in named if profile.kind == kind] for kind in (*KINDS, UNKNOWN)}
    notes = [
        f"{profile.label}: {missing}"
        for _, profile, each in named
        for missing in what_is_missing(profile.kind, each.roles)
    ]
    if labels_of_others(looks):
        of[QRELS], of[LABELLED] = of[LABELLED], []
    ranked = [*of[RUN], *of[LABELLED]]
    judged = judging(of)
    if not judged and not of[LABELLED] and len(ranked) == 1 and any(map(wanted_beside, profiles, looks)):
        judged = {"positives": ranked}
    if "positives" in judged:
        notes += [
            f"{profile.label}: {may_be_labels(each)}"
            for _, profile, each in named
            if each.kind == POSITIVES and each.grades
        ]
    if not ranked and not of[VERDICTS]:
        notes.append("there are no rankings among the inputs: no query, document, and score or rank")
    elif not judged and not of[LABELLED] and len(ranked) == 1:
        notes.append("there are no judgments among the inputs; metrics that need none are in sqlrank metrics")
    if notes:
        return None, notes
    if ranked:
        queries = [(text, each.segments) for text, each, _ in named if each.kind == QUERIES and each.segments]
        others = {"queries": queries[0][0], "by": queries[0][1][0].name} if queries else {}
        others |= {"items": of[ITEMS][0]} if of[ITEMS] else {}
        command, options = "eval" if len(ranked) == 1 else "compare", judged | others | told(profiles, reading)
    else:
        command, ranked, options = "gsb", of[VERDICTS][:1], told(profiles, reading)
    suggested = Suggestion(command, ranked, options, bool(of[LABELLED]))
    if sum(profile.rows for profile in profiles) > MOST_TRIED or not all(map(may_be_read_again, given)):
        return suggested.line, []
    return found_to_work(suggested, settings)


def may_be_read_again(path: str) -> bool:
    """Whether an input is still there once it was read, as no stream is."""
    return path != "-" and (not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path))


def may_be_labels(pairs: Profiler) -> str:
    """What to say of pairs with a column that looks like their labels, which would all count as relevant."""
    grade = pairs.grades[0]
    return (
        f"the column {grade.name} may hold the label of each pair ({', '.join(grade.examples)}): name it with"
        f" {spelt('columns', {'relevance': grade.name})}, and say with {spelt('relevance_map')} what texts are worth;"
        f" {spelt('positives')} takes every pair as relevant"
    )


def labels_of_others(looks: Sequence[Profiler]) -> list[Profiler]:
    """The rankings with labels that are judgments of the other inputs: those that stand alone among runs."""
    kinds = [each.kind for each in looks]
    alone = RUN in kinds and not {QRELS, POSITIVES} & {*kinds} and kinds.count(LABELLED) == 1
    return [each for each in looks if each.kind == LABELLED] if alone else []


def judging(of: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The option of judgments, or of pairs that stand in place of judgments."""
    if of[QRELS]:
        return {"qrels": of[QRELS]}
    return {"positives": of[POSITIVES]} if of[POSITIVES] and not of[LABELLED] else {}


def wanted_beside(profile: Profile, each: Profiler) -> bool:
    """Whether rankings have the relevant documents of each query next to them; the column is then advised."""
    table = each.roles.table
    if each.kind != RUN or not table.unlisted:
        return False
    told = columns_of_judgments(each.reading.columns).get("qrels.doc_id")
    column = told or next((name for name in table.columns if plain_name(name) in WANTED), None)
    if column is None or not has(table, column):
        return False
    profile.roles["positives.doc_id"] = column
    profile.advice += [] if told else [("columns", {"qrels.doc_id": column})]
    return True


def what_is_missing(kind: str, roles: Roles) -> list[str]:
    """What an input would need to be evaluated."""
    ranked = kind == ITEMS and any(role in roles.names for role in ("score", "rank", "relevance"))
    if (kind == UNKNOWN or ranked) and (group := group_of(roles)):
        return [group]
    if kind == UNKNOWN:
        return [
            f"no column is a query or a document by its name; say which with {spelt('columns', {'query_id': 'NAME'})}"
        ]
    if kind == QUERIES and roles.table.inside:
        return [str(missing(roles, "doc_id", "run")).removeprefix(f"{roles.table.label} ")]
    needed = {QRELS: ("relevance",), VERDICTS: ("verdict",)}.get(kind, ())
    return [f"it has no column for the {role}" for role in needed if role not in roles.names]


def told(profiles: Sequence[Profile], reading: Reading) -> dict[str, Any]:
    """What was told of the inputs, and what they need besides."""
    options: dict[str, Any] = {}
    columns = dict(reading.columns)
    for profile in profiles:
        for name, value in profile.advice:
            if name == "columns":
                columns |= value
            else:
                options[name] = value
    given = {name: getattr(reading, name) for name in PASSED}
    passed = {name: value for name, value in given.items() if value is not None}
    passed |= {} if reading.header else {"header": False}
    passed |= {"relevance_map": dict(reading.relevance_map)} if reading.relevance_map else {}
    return ({"columns": columns} if columns else {}) | passed | options
