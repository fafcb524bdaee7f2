"""Checks for data that another tool reads otherwise than sqlrank; only `like` asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sqlrank.dialects import DUCKDB
from sqlrank.evaluation.request import Request
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.metrics.measure import Measure
from sqlrank.metrics.tools import SCALES, Preset
from sqlrank.spelling import plain, spelt
from sqlrank.statement.column_texts import columns_alone, expression, weight_expression
from sqlrank.statement.columns import physical, reads_judgments

OF_JUDGED = frozenset(
    "relevant nonrelevant gainful top_gain query_relevant query_nonrelevant subtopics gain_weight relevant_weight"
    " total_weight".split()
)
"""Columns that count judged documents, returned or not."""

Found = tuple[str, dict[str, Any]]
"""The name of a check, and its variables."""


def counts_unreturned(measure: Measure) -> bool:
    """Whether judged documents that were not returned can change a value, or what it weighs."""
    reads, values = set(measure.metric.reads), dict(measure.values)
    if measure.metric.grain != "query":
        return False
    columns = columns_alone(measure, DUCKDB, joined=True)
    lines = [*expression(measure, DUCKDB, columns)]
    lines += weight_expression(measure, DUCKDB, columns) if measure.weight_column else []
    words = re.findall(r"\w+", "\n".join(lines))
    counted = any(physical(name, values) in words for name in reads & OF_JUDGED)
    judged_ideal = any("ideal" in name or name == "best_dcg" for name in reads) and values.get("ideal") != "retrieved"
    return counted or judged_ideal


def text_of(measures: Iterable[Measure]) -> str:
    """The texts of some measures."""
    return ", ".join(measure.text for measure in measures)


def checks_of(request: Request, inputs: Inputs) -> Iterator[Found]:
    """The checks that the definitions of a tool ask for."""
    preset, measures, conventions = request.language.preset, request.measures, request.conventions
    if preset is None:
        return
    tool = {"tool": preset.title}
    if not inputs.relations.without_judgments:
        yield from of_judgments(preset, request, inputs.relations.labelled)
    if orders_by_type(preset, request) and inputs.untyped_ids:
        yield "tied_numbers", tool | {"files": " and ".join(dict.fromkeys(inputs.untyped_ids))}
    if preset.typed_ids and any(measure.metric.name == "diversity" for measure in measures):
        yield "category_missing", tool | {"items": inputs.relations.items.relation}
    shown = [measure for measure in measures if not reads_judgments(measure)]
    if preset.given_ranks and conventions.order == "rank" and shown:
        cutoff = min(measure.k or 1 for measure in shown)
        yield "begins_below", tool | {"texts": text_of(shown), "cutoff": cutoff}


def orders_by_type(preset: Preset, request: Request) -> bool:
    """Whether a tool orders documents of equal score by the type of their ids, where sqlrank takes them for text."""
    return preset.typed_ids and "ties" not in request.given and request.conventions.ties == "doc-desc"


def assumptions_of(request: Request, labelled: bool) -> list[str]:
    """The assumptions of a statement on rows that it does not check, where a tool would read them otherwise."""
    preset, measures = request.language.preset, request.measures
    if preset is None:
        return []
    by_rank = preset.given_ranks and request.conventions.order == "rank"
    found = {
        "every judgment is relevant": any(measure.metric.name in preset.all_relevant for measure in measures),
        "every judged document was returned": preset.one_table
        and not labelled
        and any(counts_unreturned(each) for each in measures),
        "ids are text; where they are whole numbers, --ties number-desc orders them so": orders_by_type(
            preset, request
        ),
        "ranks are whole numbers from 1 on, each once in a ranking": by_rank,
        "judgments are whole numbers": preset.whole_grades,
        f"judgments above {plain(preset.border)} count as relevant": preset.border is not None
        and any("rel" in measure.metric.parameters for measure in measures),
        "rankings are as long as the cutoff": any(measure.metric.name in preset.long_enough for measure in measures),
    }
    found |= {f"judgments are {labels}": True for labels, _ in by_labels(preset, measures)}
    return [f"assumes, as {preset.title} does: {text}" for text, holds in found.items() if holds]


def by_labels(preset: Preset, measures: Iterable[Measure]) -> dict[tuple[str, str], list[Measure]]:
    """The measures that a tool has of some labels only, by these and by what it does with others."""
    found: dict[tuple[str, str], list[Measure]] = {}
    for measure in measures:
        claim = preset.labels_of(measure)
        if claim is not None:
            found.setdefault((claim.labels, claim.otherwise), []).append(measure)
    return found


def of_judgments(preset: Preset, request: Request, labelled: bool) -> Iterator[Found]:
    """The checks that read judgments."""
    tool, measures = {"tool": preset.title}, request.measures
    if touched := [measure for measure in measures if measure.metric.name in preset.positive]:
        yield "score_not_positive", tool | {"texts": text_of(touched)}
    if touched := [measure for measure in measures if measure.metric.name in preset.all_relevant]:
        level = max(float(dict(measure.values).get("rel", 0.0)) for measure in touched)
        least = f"of {plain(level)} or more" if level > 0 else "above 0"
        yield "not_relevant", tool | {"texts": text_of(touched), "level": level, "shown_level": least}
    if preset.whole_grades:
        reason = f"it reads grades as whole numbers: round them, or leave out {spelt('like')}"
        yield "read_otherwise", tool | {"least": None, "level": None, "reason": reason}
    levels = [float(measure["rel"]) for measure in measures if "rel" in measure.metric.parameters]
    if preset.border is not None and levels:
        least = f"it counts labels above {plain(preset.border)} as relevant, and here from {plain(max(levels))} on"
        reason = f"{least}: give {spelt('rel')} the smallest that is to count, or leave out {spelt('like')}"
        yield "read_otherwise", tool | {"least": preset.border, "level": max(levels), "reason": reason}
    asked = [
        each for each in measures if not (each.metric.parameters.get("rel") and float(each["rel"]) in request.levels)
    ]
    for (labels, otherwise), touched in by_labels(preset, asked).items():
        binary = labels == "0 or 1" and any("rel" in measure.metric.parameters for measure in touched)
        ways = f", say from which relevance they count ({spelt('rel', 1)})" if binary else ""
        said = {"labels": labels, "otherwise": otherwise, "texts": text_of(touched), "ways": ways}
        yield "labels_beyond", tool | said | SCALES[labels]._asdict()
    for measure in measures:
        if measure.metric.name in preset.long_enough and measure.k:
            which = preset.long_enough[measure.metric.name]
            yield "shorter_than_cutoff", tool | {"texts": measure.text, "cutoff": measure.k, "which": which}
    if not preset.one_table or labelled:
        return
    if touched := [measure for measure in measures if counts_unreturned(measure)]:
        yield "judged_not_returned", tool | {"texts": text_of(touched), "emptied": False}
    keeps_empty = request.conventions.empty != "zero"
    if emptied := [measure for measure in measures if keeps_empty and OF_JUDGED & set(measure.metric.empty)]:
        yield "judged_not_returned", tool | {"texts": text_of(emptied), "emptied": True}
