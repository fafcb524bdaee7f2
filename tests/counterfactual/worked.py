"""Logs that are worked out by hand: rounds of one slot, slates of three, and rankings without propensities."""

from __future__ import annotations

from typing import Any

import pandas as pd

ACTIONS = (0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 2)
REWARDS = (1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0)
LOGGED, CANDIDATE, EXPECTED = (0.5, 0.3, 0.2), (0.2, 0.6, 0.2), (0.5, 0.4, 0.3)
SLATES = """\
1,a|b|c,1|0|0,.5|.4|.3,.5|.25|.1,.1,.8|.5|.6,.8|.5|.3,.3
2,b|a|d,0|1|0,.3|.3|.2,.3|.2|.05,.05,.1|.1|.1,.1|.05|.02,.02
3,a|c|b,1|1|0,.5|.2|.25,.5|.25|.2,.2,.8|.4|.3,.8|.45|.4,.4
4,c|a|b,0|0|1,.2|.3|.25,.2|.1|.1,.1,.1|.1|.3,.1|.08|.05,.05
5,b|c|a,1|0|0,.3|.2|.2,.3|.15|.1,.1,.1|.4|.1,.1|.08|.05,.05
6,a|b|d,0|1|0,.5|.4|.2,.5|.25|.1,.1,.8|.5|.1,.8|.5|.3,.3"""
"""Slate, documents and rewards; propensities of documents, prefixes and lists; the same of the candidate."""
SHOWN = """\
s1,shoes,a|b|c|d,1|0|0|0
s2,shoes,a|b|c|d,0|1|0|0
s3,shoes,b|a|c|d,1|0|1|0
s4,shoes,b|a|d|c,0|0|0|0
s5,shoes,a|c|b|d,1|1|0|0
s6,shoes,a|b|c|d,0|0|0|1
s7,hat,x|y|z|w,1|0|0|0
s8,hat,y|x|z|w,0|1|0|0
s9,hat,x|z|y|w,0|0|0|0
s10,hat,x|y|z|w,1|0|1|0"""
THETA = {1: 1.0, 2: 0.6, 3: 0.4, 4: 0.3}


def rounds() -> Any:
    """Twelve rounds of one slot, as OBP writes them."""
    return pd.DataFrame(
        {
            "slate_id": range(12),
            "query": "q",
            "doc_id": [f"a{action}" for action in ACTIONS],
            "position": 0,
            "reward": REWARDS,
            "pscore": [LOGGED[action] for action in ACTIONS],
        }
    )


def policy() -> Any:
    """How likely the candidate is to choose each document."""
    return pd.DataFrame({"query": "q", "doc_id": ["a0", "a1", "a2"], "propensity": CANDIDATE})


def expected() -> Any:
    """What each document is expected to earn."""
    return pd.DataFrame({"doc_id": ["a0", "a1", "a2"], "reward": EXPECTED})


def slates() -> tuple[Any, Any]:
    """Six slates of three slots, and how likely the candidate is to show the same."""
    log, candidate = [], []
    for line in SLATES.splitlines():
        slate, *lists = line.split(",")
        docs, rewards, item, prefix, of_list, of_item, of_prefix, e_list = (each.split("|") for each in lists)
        for slot in range(3):
            shown = (slate, docs[slot], slot)
            log.append((*shown, "q", int(rewards[slot]), float(item[slot]), float(prefix[slot]), float(of_list[0])))
            candidate.append((*shown, float(of_item[slot]), float(of_prefix[slot]), float(e_list[0])))
    scores = ["pscore_item_position", "pscore_cascade", "pscore"]
    return (
        pd.DataFrame(log, columns=["slate_id", "doc_id", "position", "query", "clicked", *scores]),
        pd.DataFrame(candidate, columns=["slate_id", "doc_id", "position", *scores]),
    )


def listed() -> Any:
    """Ten impressions of two queries without propensities: a row for each document shown."""
    rows = []
    for line in SHOWN.splitlines():
        impression, query, documents, clicks = line.split(",")
        for place, (document, click) in enumerate(zip(documents.split("|"), clicks.split("|"), strict=True), 1):
            rows.append((impression, query, document, place, int(click)))
    return pd.DataFrame(rows, columns=["impression_id", "query_id", "doc_id", "position", "clicked"])


def ranked(**orders: str) -> Any:
    """A run of the documents of each query in order."""
    rows = [(query, doc, rank) for query, docs in orders.items() for rank, doc in enumerate(docs, 1)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "rank"])


RUN = {"shoes": "bcad", "hat": "xzyw"}
