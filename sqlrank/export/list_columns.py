"""Columns that a statement makes of lists: `doc_id=docs[]`, or `doc_id=hits[].id` of structs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlrank.errors import UsageError
from sqlrank.inputs.column_names import LISTED, PLACE, POSITIVE, TIERS
from sqlrank.inputs.roles import COMPOSED, in_lists
from sqlrank.spelling import spelt
from sqlrank.statement.relations import TITLES, ListColumn, Lists

MADE = {"doc_id": COMPOSED["doc_id"], "score": "sqlrank_score", "rank": "sqlrank_rank", "relevance": POSITIVE}
"""The roles that values of lists may play, and the columns that are made for them."""
ROLES_OF_LISTS = {kind: [role for role in MADE if role in TIERS[kind]] for kind in LISTED}
"""Those of each input that may have lists."""


def list_columns(named: Mapping[str, str], kind: str, separator: str | None, labelled: bool) -> Lists | None:
    """The columns of an input that are told to be lists; UsageError if they cannot be, or others must be lists too.

    The order of the documents is the rank where neither a score nor a rank is told. `labelled` inputs have a relevance.
    """
    told = {role: parts for role, text in named.items() if role in TIERS[kind] and (parts := in_lists(text))}
    roles = [role for role in ROLES_OF_LISTS.get(kind, ()) if role != "relevance" or labelled]
    for role in told.keys() - MADE.keys() if kind in LISTED else told:
        raise UsageError(
            f"{spelt('columns', {f'{kind}.{role}': named[role]})}: the {role} of {TITLES[kind]} is not read from lists"
        )
    found = {role: told[role] for role in roles if role in told}
    if not found:
        return None
    for role in roles:
        if role not in found and (role in ("doc_id", "relevance") or role in named):
            raise UsageError(
                f"{spelt('columns', {f'{kind}.{role}': 'NAME[]'})} is needed: where {min(found)} is in lists, so is"
                f" {role}"
            )
    for role, (_, field) in found.items():
        if field is not None and "." in field:
            raise UsageError(
                f"{spelt('columns', {f'{kind}.{role}': named[role]})}: a statement reads a field of the structs in a"
                " list, and none inside of that; name a view in which it is a field of its own"
            )
    first = found["doc_id"][0]
    columns = [
        ListColumn(MADE[role], f"sqlrank_element_{number}", *parts, parts[0] != first, role == "doc_id")
        for number, (role, parts) in enumerate(found.items(), 1)
    ]
    ordered = "rank" in roles and not {"score", "rank"} & found.keys()
    pattern = None if separator is None else re.escape(separator)
    return Lists(tuple(columns), PLACE if ordered else None, separator, pattern)


def made_of_lists(named: Mapping[str, str], lists: Lists) -> dict[str, str]:
    """The columns of an input by role, with those that are made of its lists."""
    made = {role: MADE.get(role, role) if in_lists(text) else text for role, text in named.items()}
    return made if lists.place is None else made | {"rank": lists.place}
