"""The page on which every query is found: a list of all, each with its rankings."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from sqlrank.comparison.result import Comparison
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.evaluation.fingerprints import folder_of
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import SIGNS, Measure, of_queries
from sqlrank.pages.html import environment, render, shown
from sqlrank.reports.charts.making import listed
from sqlrank.reports.explorer_data import Columns, packed_data
from sqlrank.reports.provenance import definition_blocks, note_blocks
from sqlrank.reports.report_settings import Settings
from sqlrank.spelling import spelt

SCRIPTS = ("explorer", "explorer_list", "explorer_query", "explorer_person")
"""The parts of the script: what all of them use, the list, a query that is opened, and what a person does."""
PREFIX = "explore-"
"""How the keys of the words begin that the script says."""
SHARED = tuple("query metric value difference drawn rank document relevance".split())
"""The others that it says."""


def explorer_html(result: OpenResult, settings: Settings) -> str:
    """The page of an evaluation or a comparison; UsageError of anything else, and of stored per-query rows."""
    if not isinstance(result, Comparison | Result):
        raise UsageError(
            f"{spelt('explore', True)} shows the queries of rankings, and {type(result).__name__} has none"
        )
    evaluation, measures, words = ranked(result), asked(result), settings.words
    explored = evaluation.explored(measures, result.systems, settings.rows)
    try:
        data, held = packed_data(explored, evaluation.by, facts(settings, measures, explored.added, evaluation))
        every = explored.number()
    finally:
        explored.close()
    sampled = [words("explore-sampled", held=f"{held:,}", all=f"{every:,}")] if held < every else []
    definitions = definition_blocks(measures, evaluation.conventions.to_dict(), evaluation.context_remarks, words)
    script = "\n".join(environment().get_template(f"{name}.js").render() for name in SCRIPTS)
    return render(
        "explorer.html",
        page=settings.page(words("title-explorer", names=listed(result.systems)), folder_of(evaluation.fingerprints())),
        words=words,
        gates=[settings.answer([])] if settings.gates else [],
        said=[*sampled, *about_parts(measures, explored.added, settings)],
        data=data,
        script=Markup(script),  # noqa: S704 a file of ours
        script_hash=b64encode(sha256(script.encode()).digest()).decode("ascii"),
        blocks=[*note_blocks(result.notes, words), *definitions],
    )


def ranked(result: Comparison | Result) -> Result:
    """The evaluation that has the rankings of all systems; UsageError where some have none."""
    evaluation = result if isinstance(result, Result) else result.evaluation
    if evaluation is None or not {*result.systems} <= {*evaluation.systems}:
        raise UsageError(
            f"{spelt('explore', True)} shows rankings, which stored per-query rows and periods do not have;"
            " give the runs"
        )
    return evaluation


def asked(result: Comparison | Result) -> tuple[Measure, ...]:
    """The metrics that have a value for each query; UsageError if there is none."""
    measures = of_queries(result.measures)
    if not measures:
        raise UsageError(
            f"{spelt('explore', True)} shows values of queries; ask for a metric that has one for each, such as"
            f" {spelt('metrics', 'ndcg@10')}"
        )
    return measures


def facts(settings: Settings, measures: tuple[Measure, ...], added: Measure | None, evaluation: Result) -> Columns:
    """What the script has to know besides the queries."""
    texts = settings.words.texts
    own = {key.removeprefix(PREFIX): text for key, text in texts.items() if key.startswith(PREFIX)}
    return {
        "rows": settings.rows,
        "digits": settings.digits,
        "rel": evaluation.language.rel,
        "judged": not evaluation.unjudged,
        "grades": {f"{grade:.12g}": shown(text) for grade, text in evaluation.grades.items()},
        "metrics": [metric(measure) for measure in measures],
        "parts": None if added is None else measures.index(added),
        "words": own | {key: texts[key] for key in SHARED},
    }


def metric(measure: Measure) -> dict[str, Any]:
    """What the script has to know of a metric."""
    return {"text": measure.text, "counts": measure.counts, "sign": SIGNS[measure.metric.better]}


def about_parts(measures: tuple[Measure, ...], added: Measure | None, settings: Settings) -> list[str]:
    """The sentence on the metric whose parts are shown, where it is not the first or where there is none."""
    if added is None:
        return [settings.words("explore-no-parts", metrics=", ".join(measure.text for measure in measures))]
    if added is not measures[0]:
        return [settings.words("explore-other-parts", metric=added.text, first=measures[0].text)]
    return []
