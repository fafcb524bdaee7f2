"""Preferences of a log of interleaved lists, from the arguments of a call."""

from __future__ import annotations

from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.session import session_on
from sqlrank.columns import names_of
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError
from sqlrank.inputs.reading import check_distinct, check_output_names
from sqlrank.interleaving.asked import Asked, credit_of
from sqlrank.interleaving.columns import ROWS
from sqlrank.interleaving.designs import design_of
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.interleaving.options import InterleaveOptions
from sqlrank.spelling import spelt


@public(record=InterleaveOptions)
def interleave(log: Any, **options: Unpack[InterleaveOptions]) -> Interleaved:
    """Test which ranker users prefer in an interleaving experiment.

    Args:
        log: a log, as `judgments` takes it, with `team`, whose pick each document was; where known with `rank_a` and
            `rank_b`, the ranks of the document in the lists of A and B, or with these lists (`ranking_a`, `ranking_b`).
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The votes and the preference of each pair of rankers.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable or contradicts itself; its lists are no drafts; a coin is not fair.
        ResourceError: memory or disk ran out.
    """
    test, sequential, by = options["test"], options["sequential"], options["by"]
    if sequential and test is not None:
        raise UsageError(f"{spelt('sequential')} is a test of its own: leave out {spelt('test', test)}")
    segments = (by,) if isinstance(by, str) else tuple(by or ())
    check_output_names(segments, names_of(ROWS))
    check_distinct(segments)
    design = design_of(options["design"])
    asked = Asked(
        design,
        credit_of(design, options["credit"]),
        options["unit"],
        test,
        sequential,
        options["baseline"],
        options["alpha"],
        options["correction"],
        options["replicates"],
        options["seed"],
        options["tau"],
    )
    engine, opened = session_on(log, signal_of(options["signal"]), options, by=segments)
    with closed_on_error(engine):
        return Interleaved(engine, opened(), asked, segments)
