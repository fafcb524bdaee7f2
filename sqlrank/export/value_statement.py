"""The statement of the value of a ranking over a log of another session, from the arguments of a call."""

from __future__ import annotations

from typing import Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of, split
from sqlrank.behaviour.opened_log import MARKS
from sqlrank.behaviour.statement import impressions_of, known_columns
from sqlrank.counterfactual.asking import LEAST_ESS, Asked, asked_of
from sqlrank.counterfactual.estimators import estimator_of
from sqlrank.counterfactual.options import ValueStatement
from sqlrank.dialects import DIALECTS
from sqlrank.errors import UsageError, no_such_word
from sqlrank.export.log_relation import log_relation
from sqlrank.export.relation_names import dotted
from sqlrank.export.statement import with_settings
from sqlrank.options.kinds import TEXT, WORD
from sqlrank.spelling import spelt
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.version import __version__

CLOSED = ("item-position", "pbm")
"""The estimators that are sums over cells."""
RUN_ROLES = ("query_id", "doc_id", "score", "rank")


@public(record=ValueStatement, run=WORD, log=WORD, propensities=TEXT)
def value_sql(run: str, log: str, **options: Unpack[ValueStatement]) -> str:
    """The statement of the value of one ranking on a log, over relations of another session.

    It is a sum over cells, by what the log's own variety tells: no test of chance, and no interval, which are those of
    `value`. What `value` refuses has no value: too little that is supported, too few effective impressions, and a
    ranking with scores or ids that are missing or with a document twice.

    Args:
        run: name of the relation of the ranking: query_id, doc_id, and score or rank.
        log: name of the relation of the log: a row for each document shown; or a file, whose columns are found.
        **options: `columns` by role, where they have other names; `where`, `shown_depth`, `position_base`, `page_size`,
            `exclude_bots` (by a column is_bot), `sorted_too` and `fold_queries`.

    Returns:
        A statement with one row: estimator, value, at_most, supported and impressions.

    Raises:
        UsageError: a name is no relation, the estimator is no sum over cells, or an option needs a column.
    """
    estimator, propensities, engine = options["estimator"], options["propensities"], DIALECTS[options["dialect"]]
    asked = asked_of(options, [estimator_of(estimator)])
    if estimator not in CLOSED:
        raise UsageError(f"--sql: statements are of {' and '.join(CLOSED)}; DuckDB alone estimates {estimator}")
    if (estimator == "pbm") != (propensities is not None):
        raise UsageError(
            f"--sql: pbm, and it alone, needs {spelt('propensities', 'NAME')}, a relation of position and propensity"
        )
    meant = signal_of(options["signal"])
    if meant.kind == "best":
        raise UsageError(
            f"--sql: a statement counts clicks, carts or purchases; {spelt('signal', 'best')} is for DuckDB alone"
        )
    reading, counting = split(options, meant)
    relation, columns, condition = log_relation(engine, log, reading)
    known = known_columns(meant, columns, None)
    where = {"impressions": sql_text("impressions"), "sequence": False, "day": None}
    made = {
        "impressions": impressions_of(engine, counting, known, None),
        "cells": render("behaviour/cells.sql", engine, **where),
    }
    run_roles = {"query_id": "query_id", "doc_id": "doc_id", "score": "score"} | dict(options["run_columns"] or {})
    if unknown := [role for role in run_roles if role not in RUN_ROLES]:
        raise no_such_word(spelt("run_columns", unknown[0]), unknown[0], RUN_ROLES)
    run_relation = dotted(engine, run)
    text = render(
        "counterfactual/statement.sql",
        engine,
        version=comment(__version__),
        title=comment(f"what {run} would have earned in place of what {log} shows, by {estimator}"),
        header=[comment(line) for line in header(asked, counting.base)],
        columns=list(known.items()),
        marks=MARKS,
        day=None,
        where=condition,
        relation=relation,
        run=dict.fromkeys(RUN_ROLES) | run_roles,
        run_relation=run_relation,
        propensities=None if propensities is None else dotted(engine, propensities),
        estimator=estimator,
        fewest=asked.min_impressions,
        support=asked.min_support,
        least_effective=LEAST_ESS,
        **{name: sql_text(part.strip()) for name, part in made.items()},
    )
    return with_settings(text.rstrip() + "\n", engine)


def header(asked: Asked, base: int | None) -> list[str]:
    """What the statement assumes, line by line."""
    return [
        "the log has a row for each document shown; clicked is 1 or 0, and positions begin at"
        f" {1 if base is None else base}",
        "sqlrank log inspect says of an export whether that holds; sqlrank log value has the intervals, and tests"
        " whether chance decided what was shown",
        f"it assumes that {asked.estimators[0].assumes.partition(': ')[2]}",
    ]
