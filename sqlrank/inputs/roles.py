"""Which column plays which role: by well-known names, unless given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.inputs.table import Table, listed

IDS = {
    "query_id": (
        ("query_id", "queryid"),
        ("qid", "topic", "topic_id", "query_no", "search_id", "request_id", "impression_id"),
        ("user_id", "userid", "user", "visitor_id", "customer_id"),
        ("session_id", "query"),
    ),
    "doc_id": (
        ("doc_id", "docid"),
        ("docno", "document_id", "corpus_id", "passage_id", "pid", "document", "doc"),
        ("item_id", "itemid", "product_id", "sku", "asin", "ad_id", "item"),
        ("url",),
    ),
}
LABELS = (
    ("relevance",),
    ("rel", "label", "grade", "judgment", "judgement", "rating", "gain", "y_true"),
    ("is_relevant", "relevant", "clicked", "click", "purchased", "converted", "target"),
)
TIERS: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {
    "run": IDS
    | {
        "score": (
            ("score",),
            ("sim", "similarity", "prediction", "pred", "y_score", "y_pred", "model_score"),
        ),
        "rank": (("rank",), ("position", "pos")),
        "relevance": LABELS,
        "system": (("system",), ("system_name", "system_id", "runid", "run_id", "run_name")),
    },
    "qrels": IDS
    | {
        "relevance": (*LABELS, ("score",)),
        "subtopic": (("subtopic", "subtopic_id"), ("aspect", "intent", "facet"), ("iteration",)),
    },
    "queries": {"query_id": IDS["query_id"]},
    "items": {
        "doc_id": IDS["doc_id"],
        "category": (("category", "category_id"), ("genre", "product_category", "department", "topic")),
    },
    "history": {"query_id": IDS["query_id"], "doc_id": IDS["doc_id"]},
    "verdicts": {
        "query_id": (*IDS["query_id"][:2], ("session_id", "query")),  # whoever is a user there is a rater here
        "doc_id": IDS["doc_id"],
        "rater": (
            ("rater", "rater_id"),
            ("annotator", "annotator_id", "judge", "judge_id", "assessor", "assessor_id", "worker", "worker_id"),
            ("user_id", "userid", "user"),
        ),
        "verdict": (("verdict",), ("judgment", "judgement", "label", "gsb", "preference", "vote", "result")),
    },
}
TIERS["baseline"] = {role: TIERS["run"][role] for role in ("query_id", "doc_id", "score", "rank")}
"""Per input and role: names from the canonical one to the weakest; names of one tier are equals."""

ROLES = ("query_id", "doc_id", "score", "rank", "relevance", "system", "subtopic", "category", "rater", "verdict")


@dataclass(slots=True)
class Roles:
    """The columns of one table by role."""

    table: Table
    names: dict[str, str]
    """Role and the column that plays it."""
    given: list[str] = field(default_factory=list)
    """The --column options that apply to this table, as they were written."""
    unclear: dict[str, str] = field(default_factory=dict)
    """By role, the message where two columns are equally likely."""
    notes: dict[str, str] = field(default_factory=dict)
    """By role, a note on the column chosen, where it has not the canonical name."""


def plain_name(name: str) -> str:
    """A column name as it is compared: case, `-`, `_` and blanks do not matter."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def find_roles(table: Table, kind: str, given: Mapping[str, str]) -> Roles:
    """The columns of a table by role, some given as `query_id` or `run.query_id`; DataError if one is not there."""
    roles = Roles(table, {})
    told: dict[str, str] = {}
    for name, column in given.items():
        prefix, _, role = name.rpartition(".")
        if role not in TIERS[kind] or prefix not in ("", kind):
            continue
        if table.unnamed and column.isdecimal():
            column = role
        if prefix or has(table, column):
            told[role] = column
            roles.given.append(name)
    for role in dict.fromkeys([*TIERS[kind], *told]):
        if role in told:
            roles.names[role] = require(table, told[role])
            continue
        found = [column for column in by_tiers(table, TIERS[kind][role]) if column not in told.values()]
        if len(found) > 1:
            both = f"{' and '.join(found)} may both be the {role}; name it with --column {role}={found[0]}"
            roles.unclear[role] = f"{table.label}: {both}"
        elif found:
            roles.names[role] = found[0]
            if found[0] != role and not table.canonical:
                roles.notes[role] = f"{table.label}: {role} is read from the column {found[0]}"
    return roles


def check_role_names(given: Mapping[str, str]) -> None:
    """Raise if a --column role is not known."""
    for name in given:
        prefix, _, role = name.rpartition(".")
        if role not in ROLES or prefix not in ("", *TIERS):
            roles = ", ".join(ROLES)
            raise UsageError(
                f"--column {name}: the roles are {roles}, with the input before them if need be: run., qrels."
            )


def positions_of(given: Mapping[str, str], kind: str) -> dict[str, int]:
    """The positions, from 1, that were given to roles of an input whose columns have no names."""
    parts = [(*name.rpartition(".")[::2], column) for name, column in given.items()]
    return {
        role: int(column)
        for prefix, role, column in parts
        if column.isdecimal() and prefix in ("", kind) and role in TIERS[kind]
    }


def by_tiers(table: Table, tiers: Sequence[Sequence[str]]) -> list[str]:
    """The columns of the strongest tier that has any."""
    for tier in tiers:
        if found := [column for column in table.columns if plain_name(column) in tier]:
            return found
    return []


def require(table: Table, column: str) -> str:
    """The column of a name, which may differ in case; DataError with the nearest if there is none."""
    if column in table.columns:
        return column
    alike = [name for name in table.columns if plain_name(name) == plain_name(column)]
    if len(alike) == 1:
        return alike[0]
    known = listed(list(table.columns))
    raise DataError(f"{table.label} has no column {column!r}{nearest(column, list(table.columns))} (it has {known})")


def missing(roles: Roles, role: str, kind: str) -> DataError:
    """The error of a role that no column plays, or that two might."""
    if role in roles.unclear:
        return DataError(roles.unclear[role])
    table = roles.table
    tiers = TIERS[kind][role]
    likely = [name for tier in tiers for name in tier]
    free = [column for column in table.columns if column not in roles.names.values()]
    close = next((column for column in free if nearest(plain_name(column), likely)), None)
    hint = f"; is it {close!r}? Then --column {role}={close}" if close else f"; name it with --column {role}=NAME"
    return DataError(f"{table.label} has no column for the {role}{hint} (it has {listed(list(table.columns))})")


def has(table: Table, name: str) -> bool:
    """Whether a table has a column of this name."""
    try:
        require(table, name)
    except DataError:
        return False
    return True
