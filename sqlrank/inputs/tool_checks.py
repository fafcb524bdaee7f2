"""What a tool would read otherwise in some data than sqlrank does: the checks that only `like` asks for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from sqlrank.conventions import Conventions, plain
from sqlrank.dialects import DUCKDB
from sqlrank.inputs.builder import Inputs
from sqlrank.metrics.measure import Measure
from sqlrank.metrics.tools import Preset
from sqlrank.statement.columns import physical, reads_judgments
from sqlrank.statement.expressions import expression

OF_JUDGED = frozenset("relevant nonrelevant gainful top_relevance query_relevant query_nonrelevant subtopics".split())
"""Columns that count judged documents, returned or not."""

Found = tuple[str, dict[str, Any]]
"""The name of a check, and its variables."""


def counts_unreturned(measure: Measure) -> bool:
    """Whether judged documents that were not returned can change a value."""
    reads, values = set(measure.metric.reads), dict(measure.values)
    words = (
        set(re.findall(r"\w+", "\n".join(expression(measure, DUCKDB)))) if measure.metric.grain == "query" else set()
    )
    counted = any(physical(name, values) in words for name in reads & OF_JUDGED)
    judged_ideal = any("ideal" in name for name in reads) and values.get("ideal") != "retrieved"
    return counted or judged_ideal


def text_of(measures: Iterable[Measure]) -> str:
    """The texts of some measures."""
    return ", ".join(measure.text for measure in measures)


def checks_of(
    preset: Preset, measures: Collection[Measure], conventions: Conventions, inputs: Inputs, given: Collection[str]
) -> Iterator[Found]:
    """The checks that the definitions of a tool ask for.

    Args:
        preset: the tool.
        measures: what was asked for.
        conventions: how a ranking is formed.
        inputs: the inputs as opened.
        given: the conventions that were asked for one by one.
    """
    tool = {"tool": preset.title}
    if not inputs.context["without_judgments"]:
        yield from of_judgments(preset, measures, conventions, inputs.context)
    shown = [measure for measure in measures if not reads_judgments(measure)]
    untyped = inputs.context["untyped_ids"]
    if preset.typed_ids and "ties" not in given and conventions.ties == "doc-desc" and untyped:
        yield "tied_numbers", tool | {"files": " and ".join(dict.fromkeys(untyped))}
    if preset.typed_ids and any(measure.metric.name == "diversity" for measure in measures):
        yield "category_missing", tool | {"items": inputs.context["items"]["relation"]}
    if preset.given_ranks and conventions.order == "rank" and shown:
        cutoff = min(measure.k or 1 for measure in shown)
        yield "begins_below", tool | {"texts": text_of(shown), "cutoff": cutoff}


def assumptions_of(
    preset: Preset, measures: Collection[Measure], conventions: Conventions, labelled: bool, given: Collection[str]
) -> list[str]:
    """What a statement takes for granted of rows that nobody looks at, where a tool would read them otherwise.

    Args:
        preset: the tool.
        measures: what was asked for.
        conventions: how a ranking is formed.
        labelled: whether run and judgments are one table.
        given: the conventions that were asked for one by one.
    """
    relevant = any(measure.metric.name in preset.all_relevant for measure in measures)
    one_table = preset.one_table and not labelled and any(counts_unreturned(each) for each in measures)
    typed = preset.typed_ids and "ties" not in given and conventions.ties == "doc-desc"
    found = {
        "every judgment is relevant": relevant,
        "every judged document was returned": one_table,
        "ids are text; where they are whole numbers, --ties number-desc orders them so": typed,
        "ranks are whole numbers from 1 on, each once in a ranking": preset.given_ranks and conventions.order == "rank",
    }
    return [f"assumes, as {preset.title} does: {text}" for text, holds in found.items() if holds]


def of_judgments(
    preset: Preset, measures: Collection[Measure], conventions: Conventions, context: Mapping[str, Any]
) -> Iterator[Found]:
    """Those that look at judgments."""
    tool = {"tool": preset.title}
    if touched := [measure for measure in measures if measure.metric.name in preset.positive]:
        yield "score_not_positive", tool | {"texts": text_of(touched)}
    if touched := [measure for measure in measures if measure.metric.name in preset.all_relevant]:
        level = max(float(dict(measure.values).get("rel", 0.0)) for measure in touched)
        least = f"of {plain(level)} or more" if level > 0 else "above 0"
        yield "not_relevant", tool | {"texts": text_of(touched), "level": level, "shown_level": least}
    touched = [measure for measure in measures if counts_unreturned(measure)]
    if preset.one_table and touched and not context["labelled"]:
        yield "judged_not_returned", tool | {"texts": text_of(touched), "emptied": False}
    emptied = [measure for measure in measures if conventions.empty != "zero" and OF_JUDGED & set(measure.metric.empty)]
    if preset.one_table and emptied and not context["labelled"]:
        yield "judged_not_returned", tool | {"texts": text_of(emptied), "emptied": True}
