"""The names that columns of each role go by."""

from __future__ import annotations

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
        "system": (
            ("system",),
            ("system_name", "system_id", "runid", "run_id", "run_name"),
            ("variant", "arm"),
            ("model",),
            ("model_version",),
            ("experiment",),
        ),
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
TIERS["judgments"] = {role: TIERS["verdicts"][role] for role in ("query_id", "doc_id", "rater")}
TIERS["judgments"] |= {"relevance": TIERS["qrels"]["relevance"]}
TIERS["baseline"] = {role: TIERS["run"][role] for role in ("query_id", "doc_id", "score", "rank")}
"""Per input and role: names from the canonical one to the weakest; names of one tier are equals."""

POSITIVE = "sqlrank_relevance"
"""The column that is 1 in every row of a table of positives."""
PLACE = "sqlrank_place"
"""The column with the place of a row in the lists that it comes from, from 1."""
SURE = 2
"""How many tiers of names of systems can mean nothing else."""

ROLES = ("query_id", "doc_id", "score", "rank", "relevance", "system", "subtopic", "category", "rater", "verdict")


def plain_name(name: str) -> str:
    """A column name as it is compared: case, `-`, `_` and blanks do not matter."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def names_systems(column: str) -> bool:
    """Whether a column can be nothing but the names of systems, by its own name."""
    return any(plain_name(column) in tier for tier in TIERS["run"]["system"][:SURE])


def is_known(name: str) -> bool:
    """Whether a column of any role of any input goes by a name."""
    return any(plain_name(name) in tier for roles in TIERS.values() for tiers in roles.values() for tier in tiers)
