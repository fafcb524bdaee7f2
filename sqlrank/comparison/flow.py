"""Comparing systems: which one is better, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.columns import names_of
from sqlrank.comparison.arms import Arms
from sqlrank.comparison.columns import CLICKS
from sqlrank.comparison.compared_periods import periods_of
from sqlrank.comparison.compared_systems import Given, Sides
from sqlrank.comparison.comparison_request import TAKEN, Asked, clusters_of, of_own_queries
from sqlrank.comparison.missing_judgments import possible_differences
from sqlrank.comparison.options import CompareOptions
from sqlrank.comparison.paired import Paired
from sqlrank.comparison.periods import read_periods
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.uncertain_differences import check_compared, find_parts
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.flow import connect
from sqlrank.evaluation.judged_share import with_pool
from sqlrank.evaluation.options import BaseOptions
from sqlrank.evaluation.request import Request, as_systems, list_runs, request_of
from sqlrank.evaluation.stored import Stored, check_one_day, check_reading, open_stored
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading, check_output_names
from sqlrank.inputs.roles import find_roles
from sqlrank.metrics.language import parse_measures
from sqlrank.options.kinds import TEXT
from sqlrank.options.shared import part_of, session_of
from sqlrank.spelling import spelt

QUESTIONS = ("test", "correction", "alpha", "replicates", "seed", "all_pairs", "alternative")
"""The options that are fields of `Questions`."""


@public(record=CompareOptions, baseline=TEXT)
def compare(
    runs: Any = None,
    qrels: Any = None,
    metrics: str | Iterable[str] | None = None,
    *,
    baseline: str | None = None,
    systems: Mapping[str, Any] | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Compare systems with a baseline, query by query.

    Args:
        runs: the baseline and its candidates, in a list, each as `evaluate` takes a run, or a Parquet file of per-query
            rows that an evaluation stored; or one run or export that names its systems in a column, or a store of one
            day.
        qrels: the judgments, as `evaluate` takes them; None where the runs have a relevance column or are stored.
        metrics: texts such as `ndcg@10`; None for the default ones, or those of the stored files.
        baseline: the name of the system that the others are compared with; None for the first.
        systems: several runs by the name of their system, in place of `runs`.
        **options: conventions and ways of reading, by the names of the command line.

    Returns:
        A row for each candidate, metric and segment, the queries that moved most, and what was noticed.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong, or the systems cannot be compared.
        ResourceError: memory or disk ran out.
    """
    told = part_of(options, BaseOptions)
    cluster, one_by_one = clusters_of(options["cluster"])
    margins = options["margins"] or {}
    paired = options["paired"] and options["periods"] is None
    chosen: dict[str, Any] = {name: value for name, value in options.items() if name in QUESTIONS}
    questions = Questions(**chosen, margins=margins, cluster=cluster, paired=paired)
    request = request_of(metrics, told | ({} if cluster is None else {"cluster": cluster}))
    request = request.beside(options["judged"], options["bounds"], metrics is not None)
    qrels = request.judgments(qrels)
    runs, systems = as_systems(runs, systems)
    engine = connect(request, [runs, qrels], systems, None, **session_of(options))
    with closed_on_error(engine):
        gates = options["gates"]
        demanded = parse_measures([*gates, *margins], request.language) if gates or margins else ()
        split = read_periods(options["periods"], options["system"], one_by_one)
        asked = Asked(request, questions, metrics is not None, demanded, baseline, frozenset(told), split)
        given = list_runs(runs, systems)
        return compare_on(local_engine(engine), asked, given, qrels, options["checks"], options["writes"])


def compare_on(
    engine: DuckDBEngine, asked: Asked, given: Sequence[Given], qrels: Any, checks: bool, writes: Sequence[str]
) -> Comparison:
    """Compare systems, on an engine that is closed with the comparison."""
    sides = sides_of(engine, asked, given, qrels, checks, writes)
    cluster = asked.questions.cluster or sides.cluster
    questions = replace(asked.questions, cluster=cluster, crossing=sides.crossing)
    result, request = sides.result, sides.request
    systems = sides.order(asked.baseline, questions.all_pairs)
    by, cluster = sides.by, sides.cluster
    check_output_names(by, (*TAKEN, *(names_of(CLICKS) if sides.behaviours else ())))
    weighted = request.reading.weight is not None
    paired = Paired(engine, sides.sources(), systems, sides.measures, by, weighted, questions.all_pairs, cluster)
    arms = None if questions.paired else Arms(paired, sides.sources(), questions.crossing)
    notes = sides.notes()
    if arms is None or (arms.crossing is None and paired.same_queries()):
        notes += (
            []
            if questions.paired
            else [
                f"all systems have the same queries, which are compared one by one, as without {spelt('paired', False)}"
            ]
        )
        questions = replace(questions, paired=True)
        notes += pair_up(paired, sides)
    else:
        paired = arms
        notes += arms.check()
    paired.differ()
    periods = [] if sides.periods is None else sides.periods.results
    if check_compared(result, bool(sides.stored), not isinstance(paired, Arms), periods) and result is not None:
        find_parts(result, paired, questions.seed)
    notes += paired.unpaired()
    possible = None
    if request.bounded and result is not None:
        possible = possible_differences(engine, result, paired, request.bounded)
    return Comparison(paired, questions, sides, request.language, list(dict.fromkeys(notes)), possible, arms)


def sides_of(
    engine: DuckDBEngine, asked: Asked, given: Sequence[Given], qrels: Any, checks: bool, writes: Sequence[str]
) -> Sides:
    """What is compared: stored rows, runs that are evaluated, or the periods of either."""
    request, paired = asked.request, asked.questions.paired
    every = opened(engine, given, request)
    stored = [one for one in every if isinstance(one, Stored)]
    fresh = [one for one in every if not isinstance(one, Stored)]
    if asked.periods is None and paired:
        check_one_day(stored)
    if request.bounded and not paired:
        raise UsageError(f"{spelt('bounds')} is for pairs of values; eval {spelt('bounds')} has those of each system")
    if request.bounded and (stored or not fresh):
        raise UsageError(f"{spelt('bounds')} needs the runs: per-query rows do not say which documents are unjudged")
    if fresh and not paired:
        request = of_own_queries(request)
    measures = asked.measures(stored)
    if asked.periods is not None:
        split = periods_of(engine, with_pool(request, measures), asked.periods, every, qrels, checks, writes)
        return Sides(engine, split.stored, None, measures, request, asked.options, split)
    result = None
    if fresh:
        writes = [*writes, *(path for file in stored for path in file.files)]
        result = evaluate_request(engine, with_pool(request, measures), fresh, qrels, checks, writes)
    return Sides(engine, every, result, measures, request, asked.options)


def pair_up(paired: Paired, sides: Sides) -> list[str]:
    """Keep the queries that count for all systems; notes on those that only one side has."""
    query_set = sides.conventions.query_set if sides.judged else "shared"
    shared = sides.check_shared(paired.systems, query_set, paired.all_pairs)
    paired.choose_queries(query_set)
    return shared


def local_engine(engine: Any) -> DuckDBEngine:
    """DuckDB, in which comparisons run; UsageError if an input belongs to Spark."""
    if not isinstance(engine, DuckDBEngine):
        raise UsageError("comparisons run in DuckDB: collect the data frame, or write it to Parquet and name that")
    return engine


def opened(engine: DuckDBEngine, given: Sequence[Given], request: Request) -> list[Stored | Given]:
    """The runs, with files of per-query rows opened; DataError if their conventions, segments or weights differ."""
    every = [open_stored(engine, name, data, request.reading) or (name, data) for name, data in given]
    stored = [one for one in every if isinstance(one, Stored)]
    check_reading(stored, request.reading)
    return every


def brings_judgments(engine: DuckDBEngine, given: Sequence[Given], reading: Reading) -> bool:
    """Whether any run has a relevance column or holds the values of an evaluation; DataError if one cannot be read."""
    for name, data in given:
        if open_stored(engine, name, data, reading) is not None:
            return True
        if "relevance" in find_roles(open_table(engine, data, "run", reading), "run", reading).names:
            return True
    return False
