"""A look at inputs before they are evaluated: what each is, how they fit, and the command that would evaluate them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import UsageError
from sqlrank.evaluation.flow import rankings_expected
from sqlrank.evaluation.request import reading_of
from sqlrank.inputs.roles import check_role_names
from sqlrank.inspection.kinds import LABELLED, POSITIVES, QRELS, QUERIES, RUN
from sqlrank.inspection.lines import lines_of
from sqlrank.inspection.looking import check_told, lists_of_what, look
from sqlrank.inspection.options import InspectOptions, LookedAt
from sqlrank.inspection.profiles import FIRST, Overlap, Profile, Profiler
from sqlrank.inspection.suggestion import labels_of_others, suggest
from sqlrank.options.shared import Limits, part_of
from sqlrank.presentation import Looked
from sqlrank.statement.relations import direction
from sqlrank.statement.templates import render
from sqlrank.version import __version__


@dataclass(slots=True)
class Inspection(Looked):
    """What the inputs are."""

    profiles: list[Profile]
    overlaps: list[Overlap] = field(default_factory=list)
    command: str | None = None
    """The command line that evaluates them; None where none does, or an input is no file."""
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The same as values of JSON."""
        return asdict(self)

    def to_json(self) -> str:
        """The same as a JSON document."""
        content: dict[str, Any] = {"sqlrank": __version__} | self.to_dict()
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)

    def __str__(self) -> str:
        return "\n".join(lines_of(self.profiles, self.overlaps, self.notes, self.command))

    __repr__ = __str__


@public(record=InspectOptions)
def inspect(*inputs: Any, qrels: Any = None, **options: Unpack[InspectOptions]) -> Inspection:
    """Describe input files and data before they are evaluated, and check that they match.

    Args:
        inputs: paths, frames or relations as `evaluate` takes them: runs, judgments, queries, verdicts.
        qrels: the input that is judgments, where that is not to be told by its columns.
        **options: how the inputs are read, as for `evaluate`.

    Returns:
        What each input is and how they fit. Counts are of all rows; ties, copies, segments and shares of judged
        documents are of at most 1,000 queries. The command was tried on inputs of up to a million rows: it succeeds,
        or `notes` say why there is none.

    Raises:
        UsageError: nothing was given, or an option is not known.
        DataError: an input cannot be read.
    """
    given = [*((data, None) for data in inputs), *([(qrels, QRELS)] if qrels is not None else [])]
    if not given:
        raise UsageError("there is nothing to look at; give a file, or several")
    if any(is_spark(data) for data, _ in given):
        raise UsageError("inputs are looked at in DuckDB; name their files")
    reading = reading_of(part_of(options, LookedAt))
    check_role_names(reading.columns)
    settings = part_of(options, Limits)
    engine = DuckDBEngine(options["connection"], **settings)
    try:
        if reading.timezone is not None:
            engine.use_timezone(reading.timezone)
        with rankings_expected(engine, [data for data, _ in given]):
            looks = [look(engine, data, kind, reading, number) for number, (data, kind) in enumerate(given, 1)]
            if any(each.kind in (RUN, LABELLED) and not lists_of_what(each) for each in looks):
                looks = [
                    look(engine, data, QUERIES, reading, number) if lists_of_what(each) else each
                    for number, ((data, _), each) in enumerate(zip(given, looks, strict=True), 1)
                ]
            check_told(reading.columns, looks)
            profiles = [profiler.profile() for profiler in looks]
        found = Inspection(profiles)
        judged = [each for each in looks if each.kind in (QRELS, POSITIVES)] or labels_of_others(looks)
        ranked = [each for each in looks if each.kind in (RUN, LABELLED) and each not in judged]
        found.overlaps = [overlap(engine, run, one) for run in ranked for one in judged[:1]]
        if all(isinstance(data, str | Path) for data, _ in given):
            named = [str(data) for data, _ in given]
            found.command, found.notes = suggest(profiles, named, looks, reading, settings)
        return found
    finally:
        engine.close()


def overlap(engine: DuckDBEngine, run: Profiler, judged: Profiler) -> Overlap:
    """How many queries a run and judgments share, and how much of the rankings was judged."""
    sides = [{"query_id": each.context()["query_id"], "reader": each.roles.table.reader} for each in (run, judged)]
    shared = engine.row(render("inspect/shared.sql", engine.dialect, run=sides[0], judged=sides[1]))
    way = direction(ascending="score" not in run.roles.names)
    context = {"run": run.rows, "judged": judged.rows, "top": FIRST, "direction": way}
    row = engine.row(render("inspect/judged.sql", engine.dialect, **context))
    return Overlap(
        run=run.roles.table.label,
        judgments=judged.roles.table.label,
        shared=int(shared["of_both"]),
        of_run=int(shared["of_run"]),
        of_judgments=int(shared["of_judgments"]),
        judged_share=share(row["judged"], row["documents"]),
        judged_first=share(row["first_judged"], row["first_documents"]),
    )


def share(part: Any, whole: Any) -> float | None:
    """A part of a whole; None of nothing."""
    return None if not whole else float(part or 0) / float(whole)
