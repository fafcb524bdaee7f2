"""Ids of the inputs of an evaluation that match in part: those that the others have in another form alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlrank.evaluation.counts import QueryCounts
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.opened_inputs import Inputs

MOST_DOCUMENTS = 50_000
"""Up to how many documents all are looked at for ids that match in another form."""
LOOKED_AT = 10_000
"""How many rows of a longer run are, and the rankings that they are of where these have such ids."""
OTHERS = {"history": ("doc_id",), "items": ("doc_id",), "baseline": ("query_id", "doc_id")}
"""The ids of inputs besides run and judgments; a history may be of other users than those who are evaluated."""


def check_judged(
    runner: CheckRunner,
    inputs: Inputs,
    counts: Collection[QueryCounts],
    totals: Mapping[str, int],
) -> None:
    """Note ids of the judgments that are in the run in another form alone; DataError where they are most.

    Queries without partner on both sides are looked at, and the documents of some queries: of all where the run is
    short.
    """
    relations = inputs.relations
    if relations.judged is None or relations.labelled:
        return
    run, judged = relations.run.relation, relations.judged
    if any(found.missing for found in counts) and any(found.unjudged for found in counts):
        runner.near("query_id", "judged query", run, judged)
    documents = totals["documents"]
    if documents - totals["unjudged_documents"] <= totals["judged_documents"]:
        return
    most = LOOKED_AT if documents > MOST_DOCUMENTS else None
    runner.near("doc_id", "judged document", run, judged, scoped=True, most=most)


def check_others(runner: CheckRunner, inputs: Inputs) -> None:
    """The same of ids of the run in the other inputs that metrics read."""
    looked_at = set[tuple[str, str]]()
    for kind, columns in OTHERS.items():
        relation = getattr(inputs.relations, kind).relation
        for column in columns if relation is not None else ():
            if (inputs.labels[kind], column) not in looked_at:
                looked_at.add((inputs.labels[kind], column))
                run, what = inputs.relations.run.relation, "query" if column == "query_id" else "document"
                runner.near(column, what, relation, run, kind="run", called=inputs.labels[kind])
