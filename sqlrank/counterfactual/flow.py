"""Values of rankings from the arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.session import session_on
from sqlrank.counterfactual.asking import asked_of
from sqlrank.counterfactual.candidates import open_candidates
from sqlrank.counterfactual.estimators import estimators_of
from sqlrank.counterfactual.options import ValueOptions
from sqlrank.counterfactual.value_rows import value_rows
from sqlrank.counterfactual.values import Values
from sqlrank.counterfactual.valuing import Valuing
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import list_runs
from sqlrank.inputs.opening import allowed

GRADES = 3
"""What the best that is done with a document is worth at most."""


@public(record=ValueOptions)
def value(
    run: Any = None, log: Any = None, *, systems: Mapping[str, Any] | None = None, **options: Unpack[ValueOptions]
) -> Values:
    """Off-policy evaluation: what rankings or policies would have earned in place of what a log shows.

    What is earned is the mean reward of an impression, by default its clicks. A value is refused where the log does
    not support it: too little of what the candidate would show was shown, too few impressions count, or the weights do
    not balance; its row then has no value, and where no row has one it is an error.

    Args:
        run: rows of query_id, doc_id and score (or rank), as `evaluate` takes them; or a policy: query_id, doc_id,
            position and propensity, the probability that it shows the document there, or a row for each document of
            each impression with impression_id. One, or a list.
        log: a log, as `judgments` takes it. It may hold the probabilities of what was shown: `propensity` of a document
            at its position, `propensity_prefix` of it with those above it, `propensity_list` of the whole list.
        systems: several runs by the name of their system, in place of `run`.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The values, with their support, and the differences between candidates and what was shown.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong, or the log bears no value.
        ResourceError: memory or disk ran out.
    """
    if log is None:
        raise UsageError("give the log that the runs are valued on")
    given, meant = list_runs(run, systems), signal_of(options["signal"])
    asked = asked_of(options, estimators_of(options["estimators"]), GRADES if meant.kind == "best" else 1)
    propensities, expected = options["propensities"], options["expected"]
    others = [*(data for _, data in given), propensities, expected]
    read = allowed([str(data) for data in others if isinstance(data, str | Path)])
    engine, opened = session_on(log, meant, options, read)
    with closed_on_error(engine):
        session = opened()
        candidates = open_candidates(
            engine, given, options["run_columns"] or {}, session.settled.bases.base, session.counting.fold
        )
        valuing = Valuing(engine, session, candidates, asked, propensities, expected)
        estimated = valuing.estimated()
        return Values(valuing, estimated, value_rows(valuing, estimated))
