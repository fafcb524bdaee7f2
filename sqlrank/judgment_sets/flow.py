"""Comparisons under several sets of judgments, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from sqlrank.comparison.flow import compare
from sqlrank.comparison.result import Comparison
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import list_runs
from sqlrank.inputs.files import is_stream
from sqlrank.judgment_sets.compared import JudgmentSets
from sqlrank.judgment_sets.verdicts import check_names
from sqlrank.spelling import spelt

REFUSED = ("bounds", "judged", "margins", "gates", "periods", "system", "connection", "writes")
"""The options of `compare` that are of one set of judgments."""
BESIDE = ("scores", "queries", "items", "history")
"""The inputs in addition to the rankings that a comparison under any set reads."""


def compare_judgments(
    runs: Any,
    qrels: Mapping[str, Any],
    metrics: str | Iterable[str] | None = None,
    **options: Any,
) -> JudgmentSets:
    """Compare systems under several sets of judgments, and find out whether the verdict changes.

    Args:
        runs: the baseline and its candidates, as `compare` takes them.
        qrels: sets of judgments by name, as `compare` takes its qrels; the first is the one that is believed. Where
            it has fewer queries than another, that one's differences are corrected by it.
        metrics: texts such as `ndcg@10`; None for the default ones.
        **options: those of `compare`, but for bounds, judged, margins, gates, periods and connection.

    Returns:
        A row for each candidate, metric, segment and set, and for each corrected difference.

    Raises:
        UsageError: the request cannot be carried out as written, or there are fewer than two sets.
        DataError: an input is missing, unreadable or wrong, or the systems cannot be compared.
        ResourceError: memory or disk ran out.
    """
    if not isinstance(qrels, Mapping):
        raise UsageError("qrels= takes sets by name, such as {'human': 'a.parquet', 'llm': 'b.parquet'}")
    refused = next((name for name in REFUSED if name in options), None)
    if refused is not None:
        raise UsageError(f"{spelt(refused)} is for one set of judgments; leave it out, or use compare")
    check_streams(runs, qrels.values(), options)
    return compared_under(
        {str(name): given for name, given in qrels.items()}, lambda given: compare(runs, given, metrics, **options)
    )


def compared_under(judgments: Mapping[str, Any], compare_by: Callable[[Any], Comparison]) -> JudgmentSets:
    """The comparisons by each set of judgments, which are closed if one fails; UsageError where names do not serve."""
    check_names(list(judgments))
    with ExitStack() as opened:
        found = {name: opened.enter_context(compare_by(given)) for name, given in judgments.items()}
        first = next(iter(found.values()))
        for name, comparison in found.items():
            if comparison.questions.paired is not True:
                raise UsageError(
                    f"{spelt('paired', False)} compares different queries; sets of judgments need the same ones"
                )
            if comparison.systems != first.systems:
                raise UsageError(f"the systems under {name} are not those under {next(iter(found))}")
        result = JudgmentSets(found)
        opened.pop_all()
    return result


def check_streams(runs: Any, judgments: Iterable[Any], options: Mapping[str, Any]) -> None:
    """Raise UsageError where the comparison by one set would read to its end what the next one needs too."""
    ranked = [data for _, data in list_runs(runs, options.get("systems"))]
    for data in [*ranked, *(options.get(name) for name in BESIDE)]:
        if isinstance(data, str) and (data == "-" or is_stream(data)):
            raise UsageError(
                f"{data}: it is read for each set of judgments, and a stream can be read only once; write it to a file"
            )
    if sum(isinstance(data, str) and data == "-" for data in judgments) > 1:
        raise UsageError("standard input can be read only once: give one -")
