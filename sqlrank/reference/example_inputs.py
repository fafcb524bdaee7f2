"""The small inputs that metrics are worked out on."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

RANKING = (0, 3, 2, None, 1)
"""The relevance of the documents at ranks 1 to 5; the one at rank 4 is unjudged."""
MISSED = 2
"""The relevance of a document that was not returned."""
DOCUMENTS = tuple(f"d{rank}" for rank in range(1, len(RANKING) + 1))
QUERY = "q"

SUBTOPICS = ("a b", "", "a", "c", "b")
"""The subtopics that the documents at ranks 1 to 5 are relevant to; the one not returned is relevant to d."""
CATEGORIES = ("a", "b", "a", "", "c")
LENGTHS = (500, 1000, 2000, 800, 400)
"""The lengths of the documents at ranks 1 to 5."""
VECTORS = ("[1, 0]", "[0, 1]", "[1, 1]", "[2, 0]", "[-1, 0]")
"""The vectors of the documents at ranks 1 to 5."""
KNOWN = (8, 4, 2, 1, 0)
"""How many users of the history know each document, by one row each."""
IN_BASELINE = (2, 1, None, 4, None)
"""Where each document stands in the baseline."""

SCORED = (("q1", 0.9, 1), ("q1", 0.7, 0), ("q1", 0.4, 1), ("q2", 0.7, 1), ("q2", 0.2, 0))
"""Query, score and relevance of the rows of several rankings."""
CATALOGUE = "abcde"
LISTS = {"q1": "abc", "q2": "bad", "q3": "acb"}
"""The documents shown for three queries."""
PAIR = {"baseline": "abcde", "ranking": "badfc"}
"""Two rankings of one query."""

SAID = {
    "": f"five documents; one more, of relevance {MISSED}, was not returned",
    "subtopic": "five documents with the subtopics that each is relevant to; one more, relevant to d, was not returned",
    "category": "five documents with their categories; one has none",
    "length": "five documents of relevance 0, 3, 2, none and 1, with their lengths",
    "vector": "five documents with their vectors",
    "history": f"five documents, and how many of the {max(KNOWN)} users of the history know each, by one row each",
    "baseline": "five documents, and where each stands in the first five of the baseline",
    "system": f"three documents for each of three queries, of a catalogue of five: {', '.join(CATALOGUE)}",
    "score": "five rows of two queries",
    "pair": "two rankings of one query",
}
"""What the table of an example shows, by the input that a metric needs besides a run and judgments, or its grain."""


@dataclass(frozen=True)
class Extra:
    """An input that few metrics need."""

    option: str
    """The option that names it."""
    heading: str
    cells: tuple[object, ...]
    """What it says of the documents at ranks 1 to 5."""
    rows: list[list[object]]
    """The file, its header first."""


def extra(name: str) -> Extra:
    """The input of a name, such as `history`; KeyError if no example has it."""
    rows: list[list[object]]
    if name == "subtopic":
        topics = [*zip(DOCUMENTS, SUBTOPICS, strict=True), ("missed", "d")]
        rows = [[QUERY, document, topic, 1] for document, names in topics for topic in names.split()]
        cells = tuple(names.replace(" ", ", ") for names in SUBTOPICS)
        return Extra("qrels", "subtopics", cells, [["query_id", "doc_id", "subtopic", "relevance"], *rows])
    if name == "category":
        rows = [[document, category] for document, category in zip(DOCUMENTS, CATEGORIES, strict=True)]
        return Extra("items", "category", CATEGORIES, [["doc_id", "category"], *rows])
    if name == "length":
        rows = [[document, length] for document, length in zip(DOCUMENTS, LENGTHS, strict=True)]
        return Extra("items", "length", LENGTHS, [["doc_id", "length"], *rows])
    if name == "vector":
        rows = [[document, vector] for document, vector in zip(DOCUMENTS, VECTORS, strict=True)]
        return Extra("items", "vector", VECTORS, [["doc_id", "vector"], *rows])
    if name == "history":
        rows = [
            [f"u{user}", document] for document, users in zip(DOCUMENTS, KNOWN, strict=True) for user in range(users)
        ]
        return Extra("history", "known to", KNOWN, [["user_id", "doc_id"], *rows])
    if name == "baseline":
        stands = {rank: document for document, rank in zip(DOCUMENTS, IN_BASELINE, strict=True) if rank}
        rows = [[QUERY, stands.get(rank, f"other{rank}"), -rank] for rank in range(1, len(DOCUMENTS) + 1)]
        return Extra("baseline_run", "in the baseline", IN_BASELINE, [["query_id", "doc_id", "score"], *rows])
    if name == "items":
        rows = [[document] for document in CATALOGUE]
        return Extra("items", "", (), [["doc_id"], *rows])
    raise KeyError(name)


def write_extra(name: str, folder: Path) -> dict[str, str]:
    """The option of an input, with the file that it was written to."""
    found = extra(name)
    path = folder / f"{found.option}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(found.rows)
    return {found.option: str(path)}


def ranked(documents: str | tuple[str, ...]) -> dict[str, float]:
    """The scores of documents in the order of a ranking: 5, 4, 3 and so on."""
    return {document: float(len(documents) - place) for place, document in enumerate(documents)}


def judged() -> dict[str, dict[str, float]]:
    """The judgments of the ranking."""
    found = {document: float(known) for document, known in zip(DOCUMENTS, RANKING, strict=True) if known is not None}
    return {QUERY: found | {"missed": float(MISSED)}}
