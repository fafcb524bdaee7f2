"""The columns of the explanation of one ranking."""

from __future__ import annotations

from sqlrank.columns import Field, Kind

PLACES = (
    Field("rank", Kind.COUNT, "the rank; null below the last document that counts", nullable=True),
    Field("doc_id", Kind.TEXT, "the document at this rank; null where only the best ranking has one", nullable=True),
    Field("title", Kind.TEXT, "its title, where --items or the run has titles", nullable=True, when="items"),
    Field("score", Kind.GIVEN, "its score", nullable=True, spare=5),
    Field("relevance", Kind.GRADE, "its relevance; null where unjudged", nullable=True),
    Field("gain", Kind.GIVEN, "what the relevance is worth", nullable=True, spare=6),
    Field("discount", Kind.NUMBER, "the weight of the rank", nullable=True, spare=7),
    Field("contribution", Kind.NUMBER, "gain times discount", nullable=True),
    Field("hits", Kind.COUNT, "relevant documents down to this rank", nullable=True, spare=1),
    Field("ideal_doc_id", Kind.TEXT, "the document of the best ranking at this rank", nullable=True, spare=9),
    Field("ideal_title", Kind.TEXT, "its title", nullable=True, spare=4, when="items"),
    Field("ideal_relevance", Kind.GRADE, "its relevance", nullable=True, spare=8),
    Field("ideal_gain", Kind.GIVEN, "its gain", nullable=True, spare=2),
    Field("ideal_contribution", Kind.NUMBER, "its gain times the discount", nullable=True, spare=3),
)
"""A row for each place of the ranking and of the best one."""
