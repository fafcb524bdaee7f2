"""Values of rankings from the arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.flow import session_on
from sqlrank.behaviour.log_options import LogOptions
from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.candidates import open_candidates
from sqlrank.counterfactual.estimators import estimators_of
from sqlrank.counterfactual.value_rows import value_rows
from sqlrank.counterfactual.values import Values
from sqlrank.counterfactual.valuing import Valuing
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import list_runs
from sqlrank.inputs.opening import allowed
from sqlrank.statistics.student import check_alpha

GRADES = 3
"""What the best that is done with a document is worth at most."""


@public()
def value(
    run: Any = None,
    log: Any = None,
    *,
    systems: Mapping[str, Any] | None = None,
    estimators: str | Sequence[str] | None = None,
    propensities: Any = None,
    expected: Any = None,
    run_columns: Mapping[str, str] | None = None,
    signal: str = "click",
    clip: float | None = None,
    min_impressions: int = 5,
    min_support: float = 0.8,
    anyway: bool = False,
    interval: str = "delta",
    alpha: float = 0.05,
    seed: int = 0,
    iterations: int = 1000,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    progress: bool = False,
    writes: Sequence[str] = (),
    **options: Unpack[LogOptions],
) -> Values:
    """Estimate what rankings or policies would have earned, had they been shown in place of what a log shows.

    What is earned is the mean reward of an impression, by default its clicks. A value is refused where the log cannot
    bear it: too little of what the candidate would show was shown, too few impressions count, or the weights do not
    balance; its row then has no value, and where no row has one it is an error.

    Args:
        run: rows of query_id, doc_id and score (or rank), as `evaluate` takes them; or a policy: query_id, doc_id,
            position and propensity, the probability that it shows the document there, or a row for each document of
            each impression with impression_id. One, or a list.
        log: a log, as `judgments` takes it. It may hold the probabilities of what was shown: `propensity` of a document
            at its position, `propensity_prefix` of it with those above it, `propensity_list` of the whole list.
        systems: several runs by the name of their system, in place of `run`.
        estimators: `item-position`, `cascade` or `list`, each with `sn-` before it where it is to be self-normalised;
            `dr`, `sn-dr`, `switch-dr`, `dr-os` (doubly robust) or `dm`; `pbm` or `document`; `ips_dcg@10` or
            `snips_dcg@10`, gains from clicks in place of rewards. None for item-position by the propensities of the
            log, or by those that its own variety tells, and `pbm` with `propensities`.
        propensities: how likely each position is looked at, for `pbm` and gains: a table of position and propensity, or
            a dictionary; None for what `sqlrank.log.propensities` learns of the log.
        expected: for those that are doubly robust, what documents are expected to earn from a place on: a table of
            doc_id and reward, and query_id and position where these matter; None to learn it of the log.
        run_columns: column names of the runs by role.
        signal: what is taken for a reward, as for `judgments`.
        clip: the largest weight that counts; None for none. `switch-dr` leaves out weights above it, and `dr-os`
            shrinks weights by it.
        min_impressions: how many impressions a document has at a place, or anywhere with `pbm` and `document`, for the
            log to say what it earns there.
        min_support: the least share of the places of a candidate of which the log says that; each counts by the
            impressions that reach it, times the mean reward of its position in the log.
        anyway: whether values are given that the log cannot bear, with a note on each.
        interval: `delta`, linear in what each unit adds; `bootstrap`; or a lower bound in its place, `student`,
            `bernstein` or `hoeffding`.
        alpha: what the intervals leave out, 0.05 for those of 95 %.
        seed: where the bootstrap, and the halves of units that rewards are learned of, begin.
        iterations: how many replicates the bootstrap has.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The values, with their support, and the differences between candidates and what was shown.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong, or the log bears no value.
        ResourceError: memory or disk ran out.
    """
    check_alpha(alpha)
    if log is None:
        raise UsageError("give the log that the runs are valued on")
    given, meant = list_runs(run, systems), signal_of(signal)
    asked = Asked(
        estimators_of(estimators),
        clip,
        min_impressions,
        min_support,
        anyway,
        interval,
        iterations,
        seed,
        alpha,
        GRADES if meant.kind == "best" else 1,
    )
    settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
    others = [*(data for _, data in given), propensities, expected]
    read = allowed([str(data) for data in others if isinstance(data, str | Path)])
    engine, opened = session_on(log, meant, options, connection, progress, [*writes, *read], settings)
    with closed_on_error(engine):
        session = opened()
        candidates = open_candidates(
            engine, given, run_columns or {}, session.settled.bases.base, session.counting.fold
        )
        valuing = Valuing(engine, session, candidates, asked, propensities, expected)
        estimated = valuing.estimated()
        return Values(valuing, estimated, value_rows(valuing, estimated))
