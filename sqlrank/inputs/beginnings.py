"""How text files begin: what tells a format that the name of a file does not, or says less of than its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from sqlrank.errors import DataError, shortened
from sqlrank.inputs.column_names import LOGGED, TREC_FIELDS, is_number
from sqlrank.spelling import spelt


class Start(NamedTuple):
    """How a text file begins."""

    line: str
    """Its first line that is neither blank nor a comment; empty for JSON, whose only line may be the whole file."""
    role: str
    """The input that it is given as."""
    text: str = ""
    """Its first characters, of JSON."""
    named: Collection[str] = ()
    """What the columns begin with that were told for roles."""
    placed: bool = False
    """Whether it was said that the first line is a row, whose columns are known by their places."""


class Beginning(NamedTuple):
    """A format that is told by the beginning of a file."""

    title: str
    """What a message calls it."""
    known: Callable[[Start], bool]
    """Whether a file that begins so is of this format."""
    json: bool = False
    """Whether it is JSON, and other formats are no question."""
    general: bool = False
    """Whether it stands back where another one is told."""
    holds_runs: bool = True
    """Whether `--input-format` means the runs too, of which the format holds none otherwise."""


LETOR = re.compile(r"\s*[-+]?[0-9.]+(\s+qid:\S+(\s+\d+:\S+)*|(\s+\d+:\S+)+)\s*(#.*)?\Z", re.DOTALL)
"""A line of LETOR: a label, the query, and features as NUMBER:VALUE; some writers leave out the query."""


def is_letor(start: Start) -> bool:
    """Whether the first line is of LETOR, whose fields may be taken for those of TREC."""
    return LETOR.match(start.line) is not None


def is_trec(start: Start) -> bool:
    """Whether the first line can be nothing but TREC: its second field is Q0 or 0, its numbers are such."""
    fields = start.line.split()
    if start.role == "run":
        return len(fields) == 6 and fields[1].upper() == "Q0" and all(map(is_number, fields[3:5]))
    marked = start.role in TREC_FIELDS and len(fields) == 4
    return marked and fields[1].upper() in ("0", "Q0") and is_number(fields[3])


RECBOLE = re.compile(r"[^:\s]+:(?:token|float)(?:_seq)?")
"""The name of a column in an atomic file of RecBole, with its type."""


def is_recbole(start: Start) -> bool:
    """Whether the first line holds names with types, as `user_id:token`."""
    fields = re.split(r"[\t,]", start.line.strip())
    return len(fields) > 1 and all(map(RECBOLE.fullmatch, fields))


MOVIELENS = re.compile(r"\d+(?:::\d+::\d+(?:\.\d+)?::\d+|\t\d+\t\d{1,2}(?:\.\d+)?\t\d{8,})\s*")
"""A rating: user, movie, rating, and the second of it, which no relevance is as large as."""


def is_movielens(start: Start) -> bool:
    """Whether the first line is a rating of MovieLens, whose fields may be taken for those of TREC."""
    may_be = not start.placed and start.role not in LOGGED
    return may_be and MOVIELENS.fullmatch(start.line) is not None


QUEPID_RATINGS = ("query", "docid", "rating")
QUEPID = (QUEPID_RATINGS, ("Query Text", "Doc ID", "Doc Position"), ("Case ID", "Query Text", "Doc ID", "Rating"))
"""The columns by which exports of Quepid are known: ratings, snapshots, and ratings in detail."""


def is_quepid(start: Start) -> bool:
    """Whether the first line holds the names of an export of Quepid."""
    fields = start.line.strip().split(",") if start.role not in LOGGED else []
    return tuple(fields) == QUEPID_RATINGS or any(set(known) <= set(fields) for known in QUEPID[1:])


def has(key: str, opening: str, *inside: str) -> Callable[[Start], bool]:
    """What tells an object of JSON: a key, what its value opens with, and keys that stand somewhere inside it."""

    def known(start: Start) -> bool:
        from sqlrank.inputs.nested_json import PAIRED, keys_of

        present = start.role in PAIRED and all(f'"{each}"' in start.text for each in (key, *inside))
        return present and (key, opening) in keys_of(start.text)[0]

    return known


def any_of(*known: Callable[[Start], bool]) -> Callable[[Start], bool]:
    """What is told in one of several ways."""
    return lambda start: any(each(start) for each in known)


def are_dictionaries(start: Start) -> bool:
    """Whether it is an object of dictionaries rather than records."""
    from sqlrank.inputs.nested_json import PAIRED, begins_as_dictionaries

    return start.role in PAIRED and begins_as_dictionaries(start.text, start.named)


ANSWER = re.compile(
    r'"details"\s*:\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"(?:metric_score|metric_details|unrated_docs|hits)"\s*:'
)
"""The details of an answer of `_rank_eval`, of which `filter_path` keeps what it names: objects where dictionaries have
numbers."""


def is_answer(start: Start) -> bool:
    """Whether it is an answer of `_rank_eval`, or what a filter left of one."""
    return has("details", "{")(start) and ANSWER.search(start.text) is not None


BEGINNINGS = {
    "trec": Beginning("TREC", is_trec),
    "letor": Beginning("LETOR (svmlight)", is_letor),
    "recbole": Beginning("an atomic file of RecBole", is_recbole),
    "movielens": Beginning("ratings of MovieLens", is_movielens, holds_runs=False),
    "quepid": Beginning("an export of Quepid", is_quepid),
    "rank_eval_request": Beginning(
        "a request of _rank_eval", has("requests", "[", "ratings"), json=True, holds_runs=False
    ),
    "rank_eval_answer": Beginning("an answer of _rank_eval", is_answer, json=True),
    "judgment_list": Beginning(
        "a judgment list of OpenSearch",
        any_of(has("judgmentRatings", "["), has("hits", "{", "_source", "judgmentRatings")),
        json=True,
        holds_runs=False,
    ),
    "quepid_json": Beginning(
        "ratings of Quepid",
        any_of(has("queries", "[", "ratings"), has("queries", "[", "relevant_documents")),
        json=True,
        holds_runs=False,
    ),
    "mteb": Beginning("predictions of MTEB", has("mteb_model_meta", "{"), json=True),
    "dictionaries": Beginning("JSON of dictionaries", are_dictionaries, json=True, general=True),
}
"""The formats that are told so; those that are not told at all are CSV, or records of JSON."""


def told_by_beginning(start: Start, by_name: str | None, label: str) -> str:
    """The format of a text file, by its name and by how it begins; DataError if it may be of two."""
    timed = start.placed and MOVIELENS.fullmatch(start.line) is not None
    usual = by_name or ("csv" if timed else format_of_line(start.line, start.role))
    found = [name for name, each in BEGINNINGS.items() if each.json == (usual == "json") and each.known(start)]
    found = [name for name in found if not BEGINNINGS[name].general] or found
    if len(found) > 1:
        titles = " or ".join(BEGINNINGS[name].title for name in found)
        options = " or ".join(spelt("input_format", name) for name in found)
        raise DataError(
            f"{label}: may be {titles}; say which with {options}. It begins"
            f" {shortened((start.line or start.text).strip())!r}"
        )
    return found[0] if found else usual


def format_of_line(line: str, role: str) -> str:
    """The format by the first line of a text file: JSON, TREC or else CSV."""
    if line.lstrip()[:1] in ("{", "["):
        return "json"
    fields, needed = len(line.split()), len(TREC_FIELDS[role]) if role in TREC_FIELDS else 0
    exact = fields == needed or (role == "run" and fields > needed > 0)
    return "trec" if exact and not any(mark in line for mark in ",;|") else "csv"


def check_letor(line: str, label: str) -> None:
    """Raise DataError if a line of a file that is said to be of another format is of LETOR."""
    if LETOR.match(line):
        raise DataError(
            f"{label}: is LETOR text (svmlight: a label, qid: and features): leave out {spelt('input_format')}, or say"
            f" letor; the first line is {shortened(line.strip())!r}"
        )
