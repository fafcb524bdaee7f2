"""The columns of a pool."""

from __future__ import annotations

from sqlrank.columns import Field, Kind

ROWS = (
    Field("relevance", Kind.EMPTY, "for raters to fill", shown=False),
    Field("priority", Kind.COUNT, "1 for the pair to judge first"),
    Field("weight", Kind.NUMBER, "how far the judgment could set two systems apart"),
    Field("systems", Kind.COUNT, "systems that have the document among their first", spare=2),
    Field("best_rank", Kind.COUNT, "its best rank", spare=1),
)
"""A row for each pair, besides its ids and what its query and document are called."""
