"""The columns of what is made of a log: judgments, and propensities of positions."""

from __future__ import annotations

from sqlrank.columns import Field, Kind

LABELS = (
    Field("query_id", Kind.TEXT, "the query"),
    Field("doc_id", Kind.TEXT, "the document"),
    Field("relevance", Kind.NUMBER, "the label"),
    Field("low", Kind.NUMBER, "lower end of the 95 % interval of the label; null with --like", nullable=True),
    Field("high", Kind.NUMBER, "its upper end", nullable=True),
    Field("impressions", Kind.COUNT, "impressions of the document for the query", spare=1),
    Field("clicks", Kind.COUNT, "how many of these have a click", spare=2),
    Field("method", Kind.TEXT, "how the label was estimated", shown=False),
)
"""A row of judgments for each pair of a query and a document."""

PROPENSITIES = (
    Field("position", Kind.COUNT, "the position, from 1"),
    Field("propensity", Kind.NUMBER, "how likely it is looked at, relative to the first position"),
    Field("low", Kind.NUMBER, "lower end of the 95 % interval; null where there are too few users", nullable=True),
    Field("high", Kind.NUMBER, "its upper end", nullable=True),
    Field("impressions", Kind.COUNT, "impressions with a document at the position", spare=2),
    Field("clicks", Kind.COUNT, "how many of these were clicked", spare=1),
)
"""A row for each position."""
