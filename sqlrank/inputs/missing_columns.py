"""What to say of a role that no column of a table plays."""

from __future__ import annotations

import re

from sqlrank.errors import DataError, nearest
from sqlrank.inputs.column_names import GROUPS, INDEX_NOTE, PANDAS_INDEX, ROW, TIERS, are_of_beir, plain_name
from sqlrank.inputs.roles import COMPOSED, Roles, by_tiers
from sqlrank.inputs.table import Table, listed
from sqlrank.spelling import spelt


def missing(roles: Roles, role: str, kind: str) -> DataError:
    """The error of a role that no column plays, or that two might."""
    if role in roles.unclear:
        return DataError(roles.unclear[role])
    table = roles.table
    tiers = TIERS[kind][role]
    likely = [name for tier in tiers for name in tier]
    free = [column for column in table.named if column not in roles.names.values()]
    near = (column for column in free if not table.canonical and nearest(plain_name(column), likely))
    close = next(near, None)
    if role == "doc_id" and table.inside and not close:
        column, fields = next(iter(table.inside.items()))
        known = next((name for name in fields if plain_name(name).strip("_") in ("id", "key")), None)
        field = known or next((name for name in fields if nearest(plain_name(name), likely)), "NAME")
        return DataError(
            f"{table.label} has no column for the {role}; in the lists of {column} it may be"
            f" {spelt('columns', {role: f'{column}[].{field}'})} (its fields: {listed(fields)})"
        )
    if role == "query_id" and (group := group_of(roles)):
        return DataError(f"{table.label} has no column for the query_id; {group} (it has {listed(table.named)})")
    told = spelt("columns", {role: close or "NAME"})
    hint = f"; is it {close!r}? Then {told}" if close else f"; name it with {told}"
    if role in COMPOSED and not close and (index := next(filter(PANDAS_INDEX.fullmatch, free), None)):
        hint = f"; if it is the index: {spelt('columns', {role: index})}"
    elif role in COMPOSED and not close and any(note.endswith(INDEX_NOTE) for note in table.notes):
        hint = "; if it is the first column, which has no name: give it one"
    if (kind, role) == ("run", "doc_id") and (values := values_per_query(table)):
        return DataError(
            f"{table.label} holds values of metrics per query ({listed(values)}), as --per-query writes them, and no"
            " rankings; sqlrank compare takes such files of two systems or more, for eval name the run itself"
        )
    if (kind, role) == ("run", "score") and table.format == "letor":
        return DataError(
            f"{table.label} is LETOR, which has no scores; give those of its lines with {spelt('scores', 'FILE')}"
        )
    if (kind, role) == ("run", "score") and by_tiers(table, TIERS["qrels"]["relevance"]):
        hint = f"; it looks like judgments: rankings come first, and judgments after {spelt('qrels')}"
    hint += by_row(roles, kind, role)
    return DataError(f"{table.label} has no column for the {role}{hint} (it has {listed(table.named)})")


def by_row(roles: Roles, kind: str, role: str) -> str:
    """How the order of the rows of a run may stand for a role, where they have one."""
    table, labelled = roles.table, "relevance" in roles.names
    if kind != "run" or table.unordered is not None or table.unlisted or table.inside:
        return ""
    if role == "doc_id" and labelled:
        return f"; if each row is a document of its own: {spelt('columns', {'doc_id': ROW})}"
    if role == "score" and "doc_id" in roles.names and not by_tiers(table, TIERS["qrels"]["relevance"]):
        return f"; if the rows of a query are in the order of the ranking: {spelt('columns', {'rank': ROW})}"
    return ""


def group_of(roles: Roles) -> str | None:
    """What to say of a column that is called a group, where none is a query by its name; None where there is none."""
    if "query_id" in roles.names or "query_id" in roles.unclear:
        return None
    column = next((name for name in roles.table.named if plain_name(name) in GROUPS), None)
    return None if column is None else f"{column} may be the query: {spelt('columns', {'query_id': column})}"


def values_per_query(table: Table) -> list[str]:
    """The columns of a table that are called as those of metrics are, where it has a row for each query."""
    from sqlrank.metrics.catalogue import catalogue

    if by_tiers(table, (*TIERS["run"]["score"], *TIERS["run"]["rank"])):
        return []
    known = [re.compile(rf"{re.escape(metric)}(?:(?:_\w+)?_at_\d+)?\Z") for metric in catalogue()]
    return [name for name in table.columns if any(pattern.match(name) for pattern in known)]


def may_be_judgments(roles: Roles) -> bool:
    """Whether what was given as a run looks like judgments: without order, as those of BEIR, or by its name."""
    table, known = roles.table, {*roles.names, *roles.unclear}
    unordered = {"query_id", "doc_id"} <= known and not {"score", "rank"} & known
    return unordered or are_of_beir(table.columns) or (bool(table.files) and named_as_judgments(table.label))


def named_as_judgments(path: str) -> bool:
    """Whether a file is called as judgments are, which a file without names cannot say otherwise."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return "qrel" in name or "judgment" in name or "judgement" in name
