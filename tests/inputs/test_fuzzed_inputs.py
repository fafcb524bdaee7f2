"""Nested fields, composed ids and lists in texts, of any content: what Python makes of them, or an error."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.options.values import text_of_columns
from tests.inputs.test_conditions import TEXTS as WORDS
from tests.support.examples import examples

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=5)
KEYS = st.text(st.characters(codec="utf-8", exclude_characters="\x00.[]"), min_size=1, max_size=4)
IDS = st.one_of(TEXTS, st.integers(-(10**6), 10**6))
JUNK = st.one_of(st.none(), st.booleans(), st.floats(0.1, 0.9), st.just([]), st.just({}), TEXTS)
Pair = tuple[str, str, float]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the inputs are written."""
    return tmp_path_factory.mktemp("fuzzed")


def evaluated(path: Path, wanted: list[Pair] | None, columns: dict[str, str], **options: Any) -> None:
    """Evaluate a run against judgments of the last document of each query, or see it refused where that is wanted.

    None is wanted of rows of which one is no ranking: an id is missing or twice.
    """
    pairs = wanted if wanted is not None else [("q", "d", 1.0)]
    last = {query: doc for query, doc, _ in pairs}
    asked = (path, {query: {doc: 1} for query, doc in last.items()}, ["rr", "num_ret"])
    if wanted is None:
        with pytest.raises(sqlrank.SqlrankError):
            sqlrank.evaluate(*asked, columns=columns, **options)
        return
    with sqlrank.evaluate(*asked, columns=columns, **options) as result:
        found = result.to_dict()
    for query, doc in last.items():
        ranked = sorted([(score, other.encode()) for one, other, score in pairs if one == query], reverse=True)
        place = [each for _, each in ranked].index(doc.encode()) + 1
        assert found[query] == {"rr": pytest.approx(1 / place), "num_ret": len(ranked)}


def write_json(path: Path, records: list[dict[str, Any]], plain: bool = True) -> Path:
    """Records as lines of JSON."""
    path.write_text("".join(f"{json.dumps(record, ensure_ascii=plain)}\n" for record in records), encoding="utf-8")
    return path


def as_pairs(rows: list[tuple[Any, Any, float]]) -> list[Pair] | None:
    """The rows of a run with their ids as text; None if one has none, or two are of one document."""
    if not rows or any(not isinstance(each, str | int) or isinstance(each, bool) for row in rows for each in row[:2]):
        return None
    pairs = [(str(query), str(doc), score) for query, doc, score in rows]
    return pairs if len({pair[:2] for pair in pairs}) == len(pairs) else None


def value_at(value: Any, keys: list[str]) -> Any:
    """What a path leads to in a value of JSON."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


@examples(8)
@given(
    st.lists(KEYS, min_size=2, max_size=2, unique=True),
    st.lists(st.tuples(IDS, IDS, st.one_of(st.none(), JUNK)), min_size=1, max_size=4),
    st.booleans(),
)
def test_fields_are_those_of_their_own_row(folder: Path, keys: list[str], rows: list[Any], deep: bool) -> None:
    query_key, doc_key = keys
    records: list[dict[str, Any]] = []
    for number, (query, doc, junk) in enumerate(rows):
        inner = {query_key: query, doc_key: doc}
        whole = {"more": inner} if deep else inner
        spoiled = junk is not None and number > 0
        records.append({"r": junk if spoiled else whole, "s": float(number)})
    path = write_json(folder / "run.jsonl", records)
    steps = ["more"] if deep else []
    paths = [[*steps, key] for key in keys]
    found = [(*(value_at(each["r"], keys) for keys in paths), each["s"]) for each in records]
    texts = [".".join(["r", *path]) for path in paths]
    told = [text_of_columns([text]) if "," in text else text for text in texts]
    evaluated(path, as_pairs(found), dict(zip(("query_id", "doc_id"), told, strict=True)) | {"score": "s"})


@examples(8)
@given(st.lists(st.tuples(IDS, st.lists(st.tuples(IDS, IDS), max_size=3)), min_size=1, max_size=3), st.booleans())
def test_fields_in_lists_are_those_of_their_own_place(folder: Path, rows: list[Any], plain: bool) -> None:
    records = [
        {"id": query, "x": {"hits": [{"id": other, "p": {"id": doc}} for other, doc in places]}}
        for query, places in rows
    ]
    path = write_json(folder / "lists.jsonl", records, plain)
    if not any(places for _, places in rows):
        return
    found = [(query, doc, float(-place)) for query, places in rows for place, (_, doc) in enumerate(places)]
    twice = len({str(query) for query, places in rows if places}) < sum(bool(places) for _, places in rows)
    wanted = None if twice or any(doc == "" for _, doc, _ in found) else as_pairs(found)
    evaluated(path, wanted, {"query_id": "id", "doc_id": "x.hits[].p.id"})


@examples(8)
@given(st.lists(st.lists(TEXTS, max_size=4), min_size=1, max_size=3), st.text("|;, \\.'é", min_size=1, max_size=2))
def test_texts_are_split_as_python_splits_them(folder: Path, rows: list[list[str]], mark: str) -> None:
    path = folder / "texts.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["query_id", "docs"])
        writer.writerows([f"q{number}", mark.join(docs)] for number, docs in enumerate(rows))
    found = []
    for number, docs in enumerate(rows):
        text = mark.join(docs)
        parts = [part.strip(" ") for part in text.split(mark)] if text.strip(" ") else []
        found += [(f"q{number}", doc, float(-place)) for place, doc in enumerate(parts)]
    wanted = None if any(doc == "" for _, doc, _ in found) else as_pairs(found)
    evaluated(path, wanted, {"doc_id": "docs"}, separator=mark)


@examples(8)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_composed_ids_keep_their_parts_apart(folder: Path, rows: list[tuple[str, str, str]]) -> None:
    records = [{"a": a, "r": {"b": b}, "d": doc, "s": number} for number, (a, b, doc) in enumerate(rows)]
    path = write_json(folder / "composed.jsonl", records)

    def written(part: str) -> str:
        return part.replace("%", "%25").replace(",", "%2C")

    found = [(f"{written(a)},{written(b)}", doc, float(number)) for number, (a, b, doc) in enumerate(rows)]
    evaluated(path, as_pairs(found), {"query_id": "a,r.b", "doc_id": "d", "score": "s"})


Expression = tuple[str, Callable[[dict[str, Any]], Any]]
"""An expression of SQL over a row, and the same in Python."""
TEXT_COLUMN: Expression = ("land", lambda row: row["land"])
NUMBER: Expression = ("n", lambda row: row["n"])


def made_of(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Texts made of texts."""

    def joined(one: Expression, other: Expression) -> Expression:
        return f"({one[0]}) || '-' || ({other[0]})", lambda row: f"{one[1](row)}-{other[1](row)}"

    def chosen(limit: int, one: Expression, other: Expression) -> Expression:
        return (
            f"case when n > {limit} then {one[0]} else {other[0]} end",
            lambda row: (one if row["n"] > limit else other)[1](row),
        )

    def filled(one: Expression, word: str) -> Expression:
        quoted = word.replace("'", "''")
        return f"coalesce(nullif({one[0]}, ''), '{quoted}')", lambda row: one[1](row) or word

    return st.one_of(
        st.builds(joined, parts, parts),
        st.builds(chosen, st.integers(-3, 3), parts, parts),
        st.builds(filled, parts, st.text("a'=:;,.{%\\ \"é", max_size=4)),
    )


EXPRESSIONS = st.recursive(
    st.sampled_from([TEXT_COLUMN, (f"cast({NUMBER[0]} as varchar)", lambda row: str(row["n"]))]), made_of, max_leaves=5
)


@examples(8)
@given(EXPRESSIONS, st.lists(st.tuples(TEXTS, st.integers(-3, 3)), min_size=1, max_size=5))
def test_segments_of_an_expression_are_those_of_their_own_rows(expression: Expression, values: list[Any]) -> None:
    rows = [{"land": land, "n": number, "query_id": f"q{place}"} for place, (land, number) in enumerate(values)]
    run = pyarrow.Table.from_pylist([row | {"doc_id": "d", "score": 1.0} for row in rows])
    judged = {str(row["query_id"]): {"d": 1} for row in rows}
    with sqlrank.evaluate(run, judged, "num_q", by=f"part={expression[0]}") as result:
        found = {row["part"]: row["queries"] for row in result.to_dicts() if not row["is_total"]}
    assert found == Counter(expression[1](row) for row in rows)


@examples(8)
@given(WORDS)
def test_no_text_makes_a_segment_do_anything_else(text: str) -> None:
    run = pyarrow.Table.from_pylist([{"query_id": "q", "doc_id": "d", "score": 1.0, "land": "de"}])
    options: list[dict[str, Any]] = [{"by": f"part={text}"}, {"weight": text or "x"}]
    for option in options:
        # Most texts are refused.
        with suppress(sqlrank.SqlrankError), sqlrank.evaluate(run, {"q": {"d": 1}}, "rr", **option) as result:
            assert result.to_dict() == {"q": {"rr": 1.0}}
