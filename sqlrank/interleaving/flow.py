"""Preferences of a log of interleaved lists, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.flow import session_on
from sqlrank.behaviour.log_options import LogOptions
from sqlrank.columns import names_of
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError
from sqlrank.inputs.reading import check_distinct, check_output_names
from sqlrank.interleaving.asked import Asked, check_choices, credit_of
from sqlrank.interleaving.columns import ROWS
from sqlrank.interleaving.designs import design_of
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.statistics.corrections import check_correction
from sqlrank.statistics.student import check_alpha

DRAWS = 10_000
"""How many choices of signs are drawn."""


@public()
def interleave(
    log: Any,
    *,
    design: str = "team-draft",
    credit: str | None = None,
    unit: str | None = None,
    test: str | None = None,
    sequential: bool = False,
    baseline: str | None = None,
    by: str | Sequence[str] | None = None,
    signal: str = "click",
    tau: float = 3,
    alpha: float = 0.05,
    correction: str = "holm",
    iterations: int = DRAWS,
    seed: int = 0,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    progress: bool = False,
    writes: Sequence[str] = (),
    **options: Unpack[LogOptions],
) -> Interleaved:
    """Say which ranker people prefer, of lists to which each of several rankers gave picks.

    Args:
        log: a log, as `judgments` takes it, with `team`, whose pick each document was; where known with `rank_a` and
            `rank_b`, the ranks of the document in the lists of A and B, or with these lists (`ranking_a`, `ranking_b`).
        design: how lists were made: `team-draft`, `balanced` or `probabilistic`.
        credit: what clicks give a ranker: `count`, `any`, `first`, `last`, what each action is worth
            (`cart=3,purchase=10`), or of probabilistic lists `win`, the chance that more than half of the clicks are
            on its picks; None for `count`.
        unit: what votes: `impression`, `session` or `user`; None for the best that the log knows.
        test: `sign`, exact; `t`, clustered by user; `randomization`, of all signs or of those drawn for users, and of
            t; None for `randomization` where each unit stands for itself, and else `t`.
        sequential: whether the interval and the p value hold whenever one looks.
        baseline: the ranker that the others are held against, as `b`; None for all pairs.
        by: columns that split the log into segments.
        signal: what is taken for a click, as for `judgments`.
        tau: how fast the chance of a pick falls with its rank, of probabilistic lists.
        alpha: what the intervals leave out, 0.05 for those of 95 %, and the largest p value that decides.
        correction: how p values are corrected together, `holm`, `bonferroni`, `bh` or `none`.
        iterations: how many choices of signs `randomization` draws for users.
        seed: of these draws.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        The votes and the preference of each pair of rankers.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable or contradicts itself; its lists are no drafts; a coin is not fair.
        ResourceError: memory or disk ran out.
    """
    check_alpha(alpha)
    check_correction(correction)
    check_choices(unit, test)
    if sequential and test is not None:
        raise UsageError(f"--sequential is a test of its own: leave out --test {test}")
    segments = (by,) if isinstance(by, str) else tuple(by or ())
    check_output_names(segments, names_of(ROWS))
    check_distinct(segments)
    chosen = design_of(design)
    asked = Asked(
        chosen, credit_of(chosen, credit), unit, test, sequential, baseline, alpha, correction, iterations, seed, tau
    )
    if iterations < 1 or not tau > 0:
        raise UsageError("--iterations and --tau are above 0")
    settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
    engine, opened = session_on(log, signal_of(signal), options, connection, progress, writes, settings, segments)
    with closed_on_error(engine):
        return Interleaved(engine, opened(), asked, segments)
