"""The columns of propensities of positions."""

from __future__ import annotations

from sqlrank.columns import Field, Kind

PROPENSITIES = (
    Field("position", Kind.COUNT, "the position, from 1"),
    Field("propensity", Kind.NUMBER, "how likely it is looked at, relative to the first position"),
    Field("low", Kind.NUMBER, "lower end of the 95 % interval; null where there are too few users", nullable=True),
    Field("high", Kind.NUMBER, "its upper end", nullable=True),
    Field("impressions", Kind.COUNT, "impressions with a document at the position", spare=2),
    Field("clicks", Kind.COUNT, "how many of these were clicked", spare=1),
)
"""A row for each position."""
