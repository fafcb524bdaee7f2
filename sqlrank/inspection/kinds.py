"""What an input may be, and which format it has."""

from __future__ import annotations

from sqlrank.inputs.beginnings import BEGINNINGS
from sqlrank.inputs.column_names import TIERS, plain_name
from sqlrank.inputs.roles import Roles

RUN, LABELLED, QRELS, POSITIVES = "run", "labelled export", "judgments", "positives"
QUERIES, ITEMS, VERDICTS, UNKNOWN = "queries", "items", "verdicts", "unknown"
KINDS = {
    RUN: "rankings",
    LABELLED: "rankings with their judgments",
    QRELS: "judgments",
    POSITIVES: "pairs of a query and a document",
    QUERIES: "a table of queries",
    ITEMS: "a table of documents",
    VERDICTS: "side-by-side verdicts",
    UNKNOWN: "none that is known",
}
"""What an input may be, in words."""


def kind_of(roles: Roles) -> str:
    """What an input is, by the roles of its columns as those of a run."""
    names, table = roles.names, roles.table
    if any(plain_name(column) in TIERS["verdicts"]["verdict"][0] for column in table.columns):
        return VERDICTS
    query, document = "query_id" in names, "doc_id" in names
    ordered, labelled = bool({"score", "rank"} & names.keys()), "relevance" in names
    if query and document:
        return {(True, True): LABELLED, (True, False): RUN, (False, True): QRELS}.get((ordered, labelled), POSITIVES)
    return QUERIES if query else ITEMS if document else UNKNOWN


def format_of(roles: Roles) -> str:
    """The format of an input, for people."""
    table = roles.table
    if table.foreign:
        return table.foreign.partition(";")[0]
    if table.format in BEGINNINGS:
        return BEGINNINGS[table.format].title
    if table.text:
        return "TREC" if table.canonical else "JSON" if table.json else "CSV"
    return "Parquet" if table.files else "a table"
