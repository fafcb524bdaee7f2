"""Conventions that depend on the inputs: on whether there are judgments, and on their columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles
from sqlrank.metrics.tools import Preset
from sqlrank.spelling import spelt

WHOLE_NUMBERS = frozenset(
    "TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT INT LONG SHORT BYTE".split()
)
"""The types of whole numbers in DuckDB and Spark."""


def settled(
    conventions: Conventions,
    preset: Preset | None,
    reading: Reading,
    given: Collection[str],
    runs: Sequence[Roles],
    judged: bool,
) -> Conventions:
    """The conventions that the inputs decide, where none was given: the columns of the runs, what judgments there are.

    Raises:
        UsageError: one that was given speaks of judgments, and there are none.
    """
    conventions = of_positives(of_columns(conventions, preset, given, runs), reading, given)
    return conventions if judged else without_judgments(conventions, given)


def without_judgments(conventions: Conventions, given: Collection[str]) -> Conventions:
    """The conventions without judgments, over the queries of the run; UsageError if one given speaks of judgments."""
    for name, needs in (
        ("query_set", conventions.query_set != "run"),
        ("ties", conventions.ties in ("best", "worst")),
        ("unjudged", conventions.unjudged != "nonrelevant"),
        ("top_relevance", conventions.top_relevance is not None),
    ):
        if needs and (name in given or name != "query_set"):
            option = spelt(name, getattr(conventions, name))
            raise UsageError(
                f"{option} looks at judgments, and there are none; leave it out, or give them with {spelt('qrels')}"
            )
    return replace(conventions, query_set="run")


def of_positives(conventions: Conventions, reading: Reading, given: Collection[str]) -> Conventions:
    """The conventions of pairs of relevance 1, of which one may stand there often: it counts once."""
    counted = {"relevance", "qrels.relevance"} & reading.columns.keys()
    if reading.positives is None or counted or "judgments" in given:
        return conventions
    return replace(conventions, judgments="max")


def of_columns(
    conventions: Conventions, preset: Preset | None, given: Collection[str], runs: Sequence[Roles]
) -> Conventions:
    """The conventions of a tool that decides by the columns of the run: a rank column, or the type of the ids."""
    if preset is None:
        return conventions
    if preset.given_ranks and "order" not in given and all("rank" in {*one.names, *one.unclear} for one in runs):
        return replace(conventions, order="rank")
    if preset.typed_ids and "ties" not in given and conventions.ties == "doc-desc":
        types = [one.table.columns.get(one.names.get("doc_id", ""), "") for one in runs]
        if all(kind.upper() in WHOLE_NUMBERS for kind in types):
            return replace(conventions, ties="number-desc")
    return conventions


def of_relations(
    conventions: Conventions, preset: Preset | None, given: Collection[str], told: Collection[str]
) -> Conventions:
    """The same for relations of unknown columns: a rank column is assumed unless only a score was named."""
    roles = {name.rpartition(".")[2] for name in told}
    if preset is not None and preset.given_ranks and "order" not in given and ("rank" in roles or "score" not in roles):
        return replace(conventions, order="rank")
    return conventions
