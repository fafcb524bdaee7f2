"""What columns are called: the names that each role goes by, and which column is what where a file names none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from sqlrank.errors import DataError, UsageError, counted
from sqlrank.spelling import spelt

IDS = {
    "query_id": (
        ("query_id", "queryid"),
        (
            "qid",
            "q_id",
            "topic",
            "topic_id",
            "query_no",
            *"question_id search_id srch_id request_id impression_id".split(),
        ),
        ("user_id", "userid", "user", "uid", "visitor_id", "visitorid", "customer_id"),
        ("user_query",),  # UBI calls what was typed so, and query what the engine was asked
        ("session_id", "query"),
        ("search_term", "search_query", "query_text"),
        ("user_input",),
    ),
    "doc_id": (
        ("doc_id", "docid"),
        ("docno", "document_id", "corpus_id", "passage_id", "chunk_id", "article_id", "pid", "document", "doc"),
        ("item_id", "itemid", "iid", "product_id", *"product_uid prop_id sku asin ad_id item movie_id movieid".split()),
        ("url",),
    ),
}
GROUPS = ("group_id", "groupid", "group")
"""What learners of rankings call a query, and others what they like: asked about, never taken for it."""
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
            ("sim", "similarity", "cosine", "prediction", "pred", "preds", "est", "y_score", "y_pred", "model_score"),
        ),
        "rank": (("rank",), ("position", "pos"), ("slot", "ordinal")),
        "relevance": LABELS,
        "item_weight": (("item_weight",),),
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
        "subtopic": (
            ("subtopic", "subtopic_id"),
            ("aspect", "intent", "facet", "nugget", "nugget_id", "claim", "claim_id"),
            ("iteration",),
        ),
        "item_weight": (("item_weight",),),
    },
    "queries": {"query_id": IDS["query_id"]},
    "items": {
        "doc_id": IDS["doc_id"],
        "category": (("category", "category_id"), ("genre", "product_category", "department", "topic")),
        "length": (("length",), ("doc_length", "document_length")),
        "vector": (("vector",), ("embedding", "embeddings")),
    },
    "history": {"query_id": IDS["query_id"], "doc_id": IDS["doc_id"]},
    "verdicts": {
        "query_id": (
            *IDS["query_id"][:2],
            ("user_query",),
            ("session_id", "query"),
        ),  # whoever is a user there is a rater here
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
OF_ARMS = ("experiment_arm", "test_arm", "experiment_variant", "ab_variant", "ab_group")
LOGGED = ("log", "events", "searches", "propensities", "policy", "expected")
"""The inputs of behaviour, whose roles no evaluation has."""
TIERS["log"] = {
    "impression_id": (
        ("impression_id",),
        ("serp_id", "ranking_id", "search_id", "query_response_id", "request_id", "slate_id", "impression"),
    ),
    "query_id": (
        ("query_id",),
        ("user_query",),
        ("query", "search_term", "search_query", "query_text", "keywords", "qid", "queryid", "q"),
        ("message",),
    ),
    "doc_id": (
        *TIERS["run"]["doc_id"][:2],
        (*TIERS["run"]["doc_id"][2], "object_id", "objectid", "page_id"),
        *TIERS["run"]["doc_id"][3:],
    ),
    "position": (("position", "pos"), ("rank", "ordinal", "item_list_index", "slot"), ("index",)),
    "clicked": (("clicked", "is_clicked"), ("click", "is_click", "clicks"), ("reward",)),
    "shown": (("shown", "shown_ids", "displayed"), ("results", "doc_ids", "item_ids", "items", "hits", "ranking")),
    "clicks": (("clicks", "clicked"), ("clicked_ids", "clicked_positions", "click_positions")),
    "user_id": (
        ("user_id", "userid", "user"),
        ("client_id", "user_pseudo_id", "domain_userid", "usertoken", "visitor_id"),
        ("customer_id", "customerid", "shopper_id", "member_id", "account_id", "uid"),
    ),
    "session_id": (("session_id", "sessionid", "session"), ("ga_session_id", "domain_sessionid")),
    "time": (
        ("time", "timestamp", "ts", "event_time", "event_timestamp", "collector_tstamp", "derived_tstamp"),
        ("event_ts", "event_datetime", "datetime", "created_at", "occurred_at", "server_time"),
        ("day", "date", "dt", "event_date", "ds"),
    ),
    "click_time": (("click_time", "clicked_at", "time_of_click", "click_timestamp"),),
    "system": (*TIERS["run"]["system"], ("ranking_function", "ranker", "algorithm")),
    "arm": (("arm",), ("variant", "treatment", "experiment_group", "test_group", "bucket"), OF_ARMS),
    "application": (("application", "app"), ("surface", "site")),
    "seen": (("seen", "visible", "in_viewport", "is_seen"),),
    "dwell": (("dwell", "dwell_time", "dwell_seconds"),),
    "cart": (("cart", "add_to_cart", "added_to_cart"),),
    "purchase": (("purchase", "purchased", "bought", "converted"),),
    "page": (("page", "page_number"),),
    "page_size": (("page_size", "per_page"),),
    "sort": (("sort", "sort_by", "sort_order"),),
    "is_ad": (("is_ad", "sponsored", "ad"),),
    "is_bot": (("is_bot", "bot"),),
    "swap": (("swap", "swapped_with", "swap_position"),),
    "team": (("team", "teams"), ("picked_by", "drafted_by")),
    "rank_a": (("rank_a", "position_a"),),
    "rank_b": (("rank_b", "position_b"),),
    "length_a": (("length_a", "results_of_a"),),
    "length_b": (("length_b", "results_of_b"),),
    "ranking_a": (("ranking_a", "list_a", "results_a"),),
    "ranking_b": (("ranking_b", "list_b", "results_b"),),
    "propensity": (("propensity",), ("pscore_item_position", "item_propensity")),
    "propensity_prefix": (("propensity_prefix",), ("pscore_cascade", "prefix_propensity")),
    "propensity_list": (("propensity_list",), ("pscore", "list_propensity", "slate_propensity")),
    "action": (("action_name", "event_name"), ("action", "event", "event_type"), ("type", "se_action")),
}
TIERS["events"] = TIERS["log"] | {
    # UBI calls an impression a query, and what was asked for user_query.
    "impression_id": (("impression_id",), ("query_id", "queryid"), *TIERS["log"]["impression_id"][1:]),
    "query_id": (
        ("user_query",),
        ("query", "search_term", "search_query", "query_text", "keywords", "q"),
        ("query_id",),
    ),
    "doc_id": (("object_id", "objectid"), *TIERS["log"]["doc_id"]),
}
TIERS["searches"] = {
    "impression_id": TIERS["events"]["impression_id"],
    "query_id": TIERS["events"]["query_id"],
    "returned": (
        ("query_response_hit_ids", "query_response_object_ids"),
        ("hit_ids", "object_ids", "returned", "results", "doc_ids"),
    ),
}
TIERS["propensities"] = {
    "position": TIERS["log"]["position"],
    "propensity": (("propensity",), ("examination", "theta", "pscore")),
}
OF_POLICIES = ("propensity", "propensity_prefix", "propensity_list")
"""The probabilities that a policy, or a log, may have of each document shown."""
TIERS["policy"] = {role: TIERS["log"][role] for role in ("impression_id", "query_id", "doc_id", "position", "system")}
TIERS["policy"] |= {
    role: (*TIERS["log"][role], tuple(f"evaluation_policy_{name}" for tier in TIERS["log"][role] for name in tier))
    for role in OF_POLICIES
}
TIERS["expected"] = {role: TIERS["log"][role] for role in ("query_id", "doc_id", "position")}
TIERS["expected"] |= {"reward": (("reward", "expected_reward"), ("q_hat", "value", "prediction", "relevance"))}
"""Per input and role: names from the canonical one to the weakest; names of one tier are equals."""
ENDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "low": (("low",), ("relevance_low", "ci_low"), ("lower",)),
    "high": (("high",), ("relevance_high", "ci_high"), ("upper",)),
}
"""The same for the ends of the interval of a label: judgments have both or none, and no name tells them alone."""
LISTED = ("run", "baseline", "qrels", "history")
"""The inputs that may have lists."""
LIST_NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "doc_id": (
        ("doc_ids", "docids", "documents", "docs", "docnos", "passage_ids", "pids", "corpus_ids", "chunk_ids"),
        ("retrieved_ids", "retrieved_context_ids"),
        ("expected_ids", "reference_context_ids"),
        ("item_ids", "itemids", "items", "product_ids", "products", "skus", "asins", "ad_ids", "urls"),
        ("ranking", "ranked", "results", "retrieved", "hits", "recommendations", "recommended", "recs", "predictions"),
        ("relevant", "relevant_docs", "relevant_items", "ground_truth", "positives", "purchases", "clicks", "history"),
    ),
    "score": (("scores",), ("sims", "similarities", "preds", "y_scores", "model_scores")),
    "rank": (("ranks", "positions"),),
    "relevance": (("relevances",), ("rels", "labels", "grades", "judgments", "judgements", "ratings", "gains")),
}
"""By role, names of lists from the likeliest on; a list may also be called as a column of one value is."""
WANTED = frozenset(
    (
        "expected_ids",
        "reference_context_ids",
        "relevant",
        "relevant_docs",
        "relevant_items",
        "ground_truth",
        "positives",
    )
)
"""Names of lists of the relevant documents of a query, which judgments are where there are other lists too."""

POSITIVE = "sqlrank_relevance"
"""The column that is 1 in every row of a table of positives."""
PLACE = "sqlrank_place"
"""The column with the place of a row in the lists that it comes from, from 1."""
ROW = "(row)"
"""What `--column` calls the number of a row, from 1; a column of that name goes first."""
SURE = 2
"""How many tiers of names of systems can mean nothing else."""

ROLES = (
    *("query_id", "doc_id", "score", "rank", "relevance", "system", "subtopic", "item_weight"),
    *("category", "length", "vector"),
    *("rater", "verdict"),
    *ENDS,
)


SEARCH_INDEX = "_index"
"""The column of the index of a search engine, in which an `_id` is unique."""
PANDAS_INDEX = re.compile(r"Unnamed: \d+|__index_level_\d+__")
"""What pandas calls an index without a name, once it has read it back from CSV, and in Parquet."""
BEIR = frozenset(("query-id", "corpus-id", "score"))
"""The columns of judgments as BEIR and MTEB write them, in which a score is the relevance."""


INDEX_NOTE = "its first column has no name, as an index has none, and is left out"


def are_of_beir(columns: Iterable[str]) -> bool:
    """Whether columns are those of BEIR's judgments, apart from what pandas adds."""
    return {name for name in columns if not PANDAS_INDEX.fullmatch(name)} == BEIR


def plain_name(name: str) -> str:
    """A column name as it is compared: case, `-`, `_` and blanks do not matter."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def names_systems(column: str) -> bool:
    """Whether a column can be nothing but the names of systems, by its own name."""
    return any(plain_name(column) in tier for tier in TIERS["run"]["system"][:SURE])


def is_known(name: str) -> bool:
    """Whether a column of any role of an evaluation goes by a name."""
    evaluated = [roles for kind, roles in TIERS.items() if kind not in LOGGED]
    return any(plain_name(name) in tier for roles in evaluated for tiers in roles.values() for tier in tiers)


HEADERLESS = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "relevance"),
    "positives": ("query_id", "doc_id"),
    "verdicts": ("query_id", "verdict"),
    "judgments": ("query_id", "doc_id", "rater", "relevance"),
}
"""The columns of files without names, by input."""
TREC_FIELDS = {
    "run": ("query_id", "iteration", "doc_id", "rank", "score", "tag"),
    **dict.fromkeys(("qrels", "judgments"), ("query_id", "iteration", "doc_id", "relevance")),
}
"""The fields of the lines of TREC, by input."""
NUMBERED = ("run", "qrels")
"""The inputs that a number in the third of three columns tells to have no names."""


class Heads(NamedTuple):
    """What is known of the first line of a file before it is opened."""

    header: bool = True
    """Whether it holds names, as far as the caller says."""
    told: Mapping[str, int] = MappingProxyType({})
    """The positions that were given to roles, from 1."""
    marked: bool = False
    """Whether one was written as a place, such as #3, which only a file without names has."""
    named: frozenset[str] = frozenset()
    """What the columns begin with that were told for roles: themselves, or what they are inside of."""


def is_number(text: str) -> bool:
    """Whether a field is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def has_no_names(fields: Sequence[str], role: str) -> bool:
    """Whether the first line of a run or of judgments is a row: three fields, the last a number, and no known name."""
    return role in NUMBERED and len(fields) == 3 and is_number(fields[2]) and not any(map(is_known, fields))


def is_nameless(fields: Sequence[str], role: str, heads: Heads) -> bool:
    """Whether a first line that was not said to be a row is one."""
    return heads.header and (has_no_names(fields, role) or (heads.marked and not any(map(is_known, fields))))


def assumed(rows: Iterable[Sequence[str]], role: str) -> dict[str, int]:
    """The positions of roles in such a file, by its first rows.

    The third column of a run is its rank if it counts 1, 2, 3, ... in every query, as in runs of MS MARCO.
    """
    numbers = [[row[2] for row in same] for _, same in groupby(rows, lambda row: row[0])]
    whole = numbers[:-1] or numbers  # the last query may be cut
    counts = [[str(place) for place in range(1, len(found) + 1)] for found in whole]
    ranked = role == "run" and whole == counts and any(len(found) > 1 for found in whole)
    return {"rank": 3} if ranked else {}


def unnamed_score(role: str, positions: Mapping[str, int] | None) -> bool:
    """Whether the third column of a file without names is taken for the score, and nobody called it so."""
    return positions is not None and role == "run" and not {"score", "rank"} & set(positions)


def unnamed(count: int, role: str, positions: Mapping[str, int], label: str, line: str) -> list[str]:
    """The names of columns that the file does not name: roles by position, the rest by number."""
    expected = HEADERLESS.get(role, ())
    for name, position in positions.items():
        if position > count:
            raise DataError(
                f"{label}: {spelt('columns', {name: position})}: the first line has {counted(count, 'column')}:"
                f" {line[:100]!r}"
            )
    told = {position: name for name, position in positions.items()}
    if len(told) < len(positions):
        raise UsageError(f"{spelt('columns')}: two roles have one position")
    columns = []
    for position in range(1, count + 1):
        usual = expected[position - 1] if position <= len(expected) else None
        free = usual is not None and usual not in positions and not (usual == "score" and "rank" in positions)
        columns.append(told.get(position) or (str(usual) if free else f"column_{position}"))
    missing = [name for name in expected if name not in columns and not (name == "score" and "rank" in columns)]
    if missing or not (expected or positions):
        raise DataError(
            f"{label}: {spelt('header', False)} needs the columns {', '.join(expected)}; the first line is"
            f" {line[:100]!r}"
        )
    return columns
