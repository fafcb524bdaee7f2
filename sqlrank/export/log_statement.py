"""The statement of judgments over a log of another session, from the arguments of a call."""

from __future__ import annotations

from typing import Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of, split
from sqlrank.behaviour.estimating import estimate_of
from sqlrank.behaviour.options import JudgmentStatement
from sqlrank.behaviour.statement import judgments_statement
from sqlrank.dialects import DIALECTS, PLAIN_NAME
from sqlrank.errors import UsageError
from sqlrank.export.log_relation import log_relation
from sqlrank.export.relation_names import dotted
from sqlrank.export.statement import with_settings
from sqlrank.options.kinds import TEXT, WORD
from sqlrank.spelling import spelt


@public(record=JudgmentStatement, log=WORD, propensities=TEXT)
def judgments_sql(log: str, **options: Unpack[JudgmentStatement]) -> str:
    """The statement of the judgments of `judgments`, over a relation of another session.

    Methods with a closed form have one: all but `pbm` and `dbn`. A log that grows is counted once a day
    (`step="cells"`), and judgments are made of the cells of all days (`step="labels"`).

    Args:
        log: name of the relation: a row for each document shown, or with `step="labels"` its cells; or a file, whose
            columns are found as `judgments` finds them.
        **options: `columns` by role, where they have other names; `where`, `shown_depth`, `position_base`, `page_size`,
            `exclude_bots` (by a column is_bot), `sorted_too` and `fold_queries`.

    Returns:
        A statement with the columns of judgments, or of cells.

    Raises:
        UsageError: a name is no relation, the method has no closed form, or an option needs a column.
    """
    step, day, propensities = options["step"], options["day"], options["propensities"]
    if (step == "cells") != (day is not None):
        by_day = f"{spelt('step', 'cells')} is by day: name its column with {spelt('day')}"
        raise UsageError(by_day if step == "cells" else f"{spelt('day')} is for {spelt('step', 'cells')}")
    if day is not None and "{{" in log and not PLAIN_NAME.match(day):
        raise UsageError(f"{spelt('day', day)}: in a model of dbt it is a plain name, in small letters")
    asked, engine = estimate_of(options), DIALECTS[options["dialect"]]
    reading, counting = split(options, signal_of("best" if asked.method.graded else options["signal"]))
    known = None if propensities is None else dotted(engine, propensities)
    if step == "labels":
        if reading.where is not None:
            raise UsageError(f"{spelt('where')} is a condition on a log: give it with {spelt('step', 'cells')}")
        relation, columns, where = dotted(engine, log), dict(reading.columns), None
    else:
        relation, columns, where = log_relation(engine, log, reading)
    text = judgments_statement(
        engine, relation, asked, counting, columns, known, step, day, incremental="{{" in log, where=where
    )
    return with_settings(text, engine)
