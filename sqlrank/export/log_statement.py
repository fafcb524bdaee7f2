"""The statement of judgments over a log of another session, from the arguments of a call."""

from __future__ import annotations

from typing import Unpack

from sqlrank.arguments import TEXT, WORD, public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.flow import estimate_of
from sqlrank.behaviour.log_options import LogOptions, split
from sqlrank.behaviour.statement import STEPS, judgments_statement
from sqlrank.dialects import DIALECTS, PLAIN_NAME
from sqlrank.errors import UsageError, not_known
from sqlrank.export.log_relation import log_relation
from sqlrank.export.relation_names import dotted
from sqlrank.export.statement import with_settings


@public(log=WORD, method=TEXT, propensities=TEXT, step=WORD)
def judgments_sql(
    log: str,
    *,
    method: str | None = None,
    signal: str = "click",
    prior: tuple[float, float] | None = None,
    propensities: str | None = None,
    no_click: str = "examined",
    min_impressions: int = 10,
    clip: float = 10,
    alpha: float = 0.05,
    dialect: str = "duckdb",
    step: str = "all",
    day: str | None = None,
    **options: Unpack[LogOptions],
) -> str:
    """The statement of the judgments of `judgments`, over a relation of another session.

    Methods with a closed form have one: all but `pbm` and `dbn`. A log that grows is counted once a day
    (`step="cells"`), and judgments are made of the cells of all days (`step="labels"`).

    Args:
        log: name of the relation: a row for each document shown, or with `step="labels"` its cells; or a file, whose
            columns are found as `judgments` finds them.
        method: as `judgments` takes it.
        signal: as `judgments` takes it; `dwell` needs its column among `columns`.
        prior: as `judgments` takes it.
        propensities: name of the relation of position and propensity.
        no_click: as `judgments` takes it.
        min_impressions: as `judgments` takes it.
        clip: as `judgments` takes it.
        alpha: as `judgments` takes it.
        dialect: the engine that will run it: one of `sqlrank.dialects.DIALECTS`.
        step: `all`, `cells` or `labels`.
        day: the column of the days, for cells; in a model of dbt the last day that it holds is made again.
        **options: `columns` by role, where they have other names; `where`, `shown_depth`, `position_base`, `page_size`,
            `exclude_bots` (by a column is_bot), `sorted_too` and `fold_queries`.

    Returns:
        A statement with the columns of judgments, or of cells.

    Raises:
        UsageError: a name is no relation, the method has no closed form, or an option needs a column.
    """
    if dialect not in DIALECTS:
        raise not_known("--dialect", dialect, DIALECTS)
    if step not in STEPS:
        raise not_known("--step", step, STEPS)
    if (step == "cells") != (day is not None):
        by_day = "--step cells is by day: name its column with --day"
        raise UsageError(by_day if step == "cells" else "--day is for --step cells")
    if day is not None and "{{" in log and not PLAIN_NAME.match(day):
        raise UsageError(f"--day {day!r}: in a model of dbt it is a plain name, in small letters")
    others = {"no_click": no_click, "fewest": min_impressions, "clip": clip, "alpha": alpha}
    asked = estimate_of(method, prior, propensities is not None, None, **others)
    engine = DIALECTS[dialect]
    reading, counting = split(options, signal_of("best" if asked.method.graded else signal))
    known = None if propensities is None else dotted(engine, propensities)
    if step == "labels":
        if reading.where is not None:
            raise UsageError("--where is a condition on a log: give it with --step cells")
        relation, columns, where = dotted(engine, log), dict(reading.columns), None
    else:
        relation, columns, where = log_relation(engine, log, reading)
    text = judgments_statement(
        engine, relation, asked, counting, columns, known, step, day, incremental="{{" in log, where=where
    )
    return with_settings(text, engine)
