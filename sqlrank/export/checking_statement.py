"""The statement that looks for what another one counts on not to be there, for the tests of a warehouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlrank.dialects import Dialect
from sqlrank.evaluation.request import Request
from sqlrank.export.statement_form import Form
from sqlrank.inputs.check_files import every_check
from sqlrank.metrics.measure import Measure
from sqlrank.statement.columns import OF_ITEMS, inputs_of
from sqlrank.statement.gains import gain_value
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import header_of
from sqlrank.statement.templates import render

LARGEST = 1000.0
"""The relevance beyond which sums of 2 to its power are no 64-bit numbers, or come near to that."""


def findings(dialect: Dialect, inputs: Relations, request: Request, form: Form) -> str:
    """The statement that gives a row for each finding: what, of which input, how often, and one example.

    It finds what an evaluation refuses, but the values of own metrics, which it does not compute, and what `like` says
    of a tool's data, which heads the statement as an assumption.
    """
    measures, conventions = request.measures, request.conventions
    kept = {each.kind: each.columns for each in inputs.kept}
    described = {
        kind: [*(place.name for place in relation.extra), *filter(None, [relation.weight])]
        for kind, relation in inputs.named()
    }
    carried = {kind: list(dict.fromkeys((*names, *kept.get(kind, ())))) for kind, names in described.items()}
    emptied = request.reading.where is not None and "query_set" not in request.given and not inputs.exported
    return render(
        "findings.sql",
        dialect,
        **inputs.context() | conventions.to_dict() | of_relevances(measures, request.levels),
        copies=conventions.copies,
        carried={"run": [], "qrels": []} | carried,
        described={"run": [], "qrels": []} | described,
        subtopics="subtopic" in inputs_of(measures),
        item_weights="item_weight" in inputs_of(measures),
        of_items=[role for role in OF_ITEMS if role in inputs_of(measures)],
        emptied=emptied,
        testing=True,
        titles={name: check.title for name, check in every_check().items()},
        header=header_of(measures, conventions, None, form.command),
    )


def of_relevances(measures: Sequence[Measure], asked: Any) -> dict[str, Any]:
    """What is counted on of the relevances: the levels that some reach, the largest, those in gain tables."""
    values = [dict(measure.values) for measure in measures]
    gains = [gain_value(value["gain"]) for value in values if "gain" in value]
    ends = [dict(measure.values)["max"] for measure in measures if "stop" in measure.metric.reads]
    levels = {float(measure["rel"]) for measure in measures if "rel" in measure.metric.parameters}
    return {
        "levels": sorted(levels - {float(level) for level in asked}),
        "largest": sorted({most for most in ends if isinstance(most, float)}),
        "of_chances": "none" in ends,
        "tables": [[relevance for relevance, _ in gain["pairs"]] for gain in gains if gain["pairs"]],
        "overflow": LARGEST if any(gain["kind"] == "exp2" for gain in gains) else None,
    }
