"""Ids of run and judgments that match in part: each spoiled one is counted, with a pair, or the evaluation stops."""

from __future__ import annotations

import os
import random
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.errors import DataError
from tests.support.cli_helper import completed
from tests.support.small_data import write_csv
from tests.support.tables import each, hold

WAYS: dict[str, tuple[Callable[[int], str], Callable[[str], str]]] = {
    "if case did not matter": (lambda n: f"AB-{n + 1}", str.lower),
    "without the blanks around them": (lambda n: f"d{n}", lambda text: f" {text} "),
    "without leading zeros": (lambda n: f"{n + 1}", lambda text: text.zfill(9)),
    "without a trailing .0": (lambda n: f"{n + 1}", lambda text: f"{text}.0"),
    "in one normal form of Unicode": (lambda n: f"café {n}", lambda text: unicodedata.normalize("NFD", text)),
    "in one encoding": (lambda n: f"café {n}", lambda text: text.encode().decode("latin-1")),
    "without the prefix 'q='": (lambda n: f"{('red', 'blue')[n % 2]} shoes {n}", lambda text: f"q={text}"),
    "without the prefix 'doc'": (lambda n: f"{n + 1}", lambda text: f"doc{text}"),
    "without the prefix 'item:'": (lambda n: f"{n + 1}", lambda text: f"item:{text}"),
    "without the quotes and invisible characters": (lambda n: f"d{n}", lambda text: f'"{text}"'),
    "invisible characters": (lambda n: f"d{n}", lambda text: f"\ufeff{text}"),
    "forms of characters": (lambda n: f"ab{n + 1}", lambda text: text.replace("ab", "\uff21\uff22")),
}
"""By the words of the message: ids, and what spoils them."""
PAIRS = int(os.environ.get("SQLRANK_PAIRS", "120"))
"""How many random pairs of run and judgments are tried."""
SHARES = (0.0, 0.05, 0.3, 0.5, 0.7, 1.0)


def spoiled(rng: random.Random, ids: list[str], way: Callable[[str], str], share: float) -> dict[str, str]:
    """What each id is in the run: so many are written in another way."""
    changed = {*rng.sample(ids, round(share * len(ids)))}
    return {text: way(text) if text in changed else text for text in ids}


def evaluated(run: Any, qrels: Any) -> tuple[list[str], str, float | None]:
    """The notes of an evaluation and its recall; where it stops, its error."""
    try:
        with sqlrank.evaluate(run, qrels, ["recall@100"]) as found:
            return found.notes, "", found["recall@100"]
    except DataError as error:
        return [], str(error), None


@each(list(WAYS))
def test_spoiled_ids_are_counted_or_refused(way: str) -> None:
    ids_of, spoil = WAYS[way]
    rng = random.Random(way)
    for share in SHARES:
        ids = [ids_of(number) for number in range(20)]
        in_run = spoiled(rng, ids, spoil, share)
        number = sum(in_run[text] != text for text in ids)
        for column in ("doc_id", "query_id"):
            if column == "doc_id":
                run = {"one": {in_run[text]: float(place) for place, text in enumerate(ids)}, "two": {"x": 1.0}}
                qrels = {"one": dict.fromkeys(ids, 1), "two": {"x": 1, "y": 1}}
                same = 20 - number + 1
            else:
                run = {in_run[text]: {"x": 1.0} for text in ids}
                qrels = {text: {"x": 1, "y": 1} for text in ids}
                same = 20 - number
            notes, error, _ = evaluated(run, qrels)
            near = [note for note in notes if "would match" in note]
            if number == 0:
                assert (near, error) == ([], "")
            elif number > same:
                assert re.search(r"would match", error), error
                assert way in error
            else:
                (note,) = near
                assert f"{number} judged {'document' if column == 'doc_id' else 'quer'}" in note
                assert way in note
                assert error == ""


@pytest.mark.needs("random")
def test_of_random_pairs_none_is_silent() -> None:
    def check(number: int) -> None:
        rng = random.Random(number)
        ids_of, spoil = WAYS[list(WAYS)[number % len(WAYS)]]
        queries, docs = ([ids_of(at) for at in range(rng.randint(2, 20))] for _ in range(2))
        share = rng.choice([0.0, rng.random(), rng.random(), 1.0])
        of_queries = spoiled(rng, queries, spoil, share if number % 2 else 0.0)
        of_docs = spoiled(rng, docs, spoil, 0.0 if number % 2 else share)
        qrels = {query: dict.fromkeys(rng.sample(docs, rng.randint(1, len(docs))), 1) for query in queries}
        found = {query: rng.sample(docs, rng.randint(1, len(docs))) for query in queries}
        run = {of_queries[query]: {of_docs[doc]: rng.random() for doc in some} for query, some in found.items()}
        hits = [
            sum(run.get(query, {}).get(doc) is not None for doc in judged) / len(judged)
            for query, judged in qrels.items()
        ]
        apart = any(of_queries[query] != query for query in queries) or any(
            of_docs[doc] != doc and doc in found[query] for query, judged in qrels.items() for doc in judged
        )
        notes, error, value = evaluated(run, qrels)
        assert value == (None if error else pytest.approx(sum(hits) / len(hits)))
        assert any("would match" in said for said in (*notes, error)) is apart

    hold(range(PAIRS), check)


def test_ids_that_are_apart_are_no_near_ones() -> None:
    run = {"q1": {"a1": 3.0, "b1": 2.0, "10": 1.0}, "e-bike": {"a": 1.0}, "same": {"a": 1.0}}
    qrels = {"q1": {"a1": 1, "1-0": 1, "c1": 1, "100": 1}, "bike": {"a": 1}, "same": {"a": 1}}
    notes, error, _ = evaluated(run, qrels)
    assert error == ""
    assert not [note for note in notes if "would match" in note]


def test_whole_numbers_are_not_looked_at_and_other_numbers_are() -> None:
    pd = pytest.importorskip("pandas")
    run = pd.DataFrame({"query_id": [1, 1, 2], "doc_id": [10, 11, 12], "score": [3.0, 2.0, 1.0]})
    qrels = pd.DataFrame({"query_id": [1, 1, 2], "doc_id": [10, 12, 13], "relevance": [1, 1, 1]})
    assert evaluated(run, qrels)[:2] == ([], "")
    _, error, _ = evaluated(run.astype({"doc_id": float}), qrels)
    assert "would match without a trailing .0" in error


def test_some_queries_of_many_documents_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_DOCUMENTS", "LOOKED_AT"):
        monkeypatch.setattr(f"sqlrank.evaluation.partial_matches.{name}", 10)
    run = {f"q{number:03}": {"D1": 2.0, "d2": 1.0, "d3": 0.5} for number in range(50)}
    qrels = {f"q{number:03}": {"d1": 1, "d2": 1, "d3": 1} for number in range(50)}
    notes, error, _ = evaluated(run, qrels)
    assert error == ""
    assert any("at least 4 judged documents are not in the run, and would match if case" in note for note in notes)


def test_the_table_of_queries_is_held_against_the_queries() -> None:
    pa = pytest.importorskip("pyarrow")
    run = {f"q{number}": {"a": 1.0} for number in range(4)}
    cases = {
        ("q0", "q1", "q2", "q3"): [],
        ("q0", "q1", "q2"): ["it has no row for 1 query evaluated, such as 'q3'; add it"],
        ("q0", "q1", "Q2"): [
            "no row for 2 queries evaluated, such as 'q2'; add them",
            "'q2' is 'Q2' in the table of queries",
        ],
        ("Q0", "Q1"): ["ids would match if case did not matter: 'Q0' in the table of queries is 'q0'"],
        ("x", "y"): ["it has no row for any query that is evaluated, such as 'q0'"],
    }
    for ids, said in cases.items():
        queries = pa.table({"query_id": list(ids), "c": ["x"] * len(ids)})
        try:
            with sqlrank.evaluate(run, {query: {"a": 1} for query in run}, ["rr"], queries=queries, by="c") as found:
                told = "\n".join(note for note in found.notes if "queries" in note)
        except DataError as error:
            told = str(error)
        assert bool(told) is bool(said)
        assert all(text in told for text in said), told


def test_ids_of_other_inputs_and_of_two_systems_are_held_against_each_other() -> None:
    docs = [f"ab{number}" for number in range(1, 9)]
    run = {query: {doc: -float(place) for place, doc in enumerate(docs)} for query in ("u1", "u2")}
    turned = [doc.upper() if number < 3 else doc for number, doc in enumerate(docs)]

    def rows(query: bool, ids: list[str], **more: Any) -> pa.Table:
        given = [(user, doc) for user in (("u1", "U2") if query else ("",)) for doc in ids]
        columns = {"query_id": [user for user, _ in given]} if query else {}
        columns |= {"doc_id": [doc for _, doc in given]}
        return pa.table(columns | {name: [value] * len(given) for name, value in more.items()})

    cases: dict[str, tuple[str, dict[str, Any], list[str]]] = {
        "items": ("coverage@8", {"items": rows(False, turned)}, ["3 documents are not in the items"]),
        "items alike": ("coverage@8", {"items": rows(False, docs)}, []),
        "history": (
            "novelty@8",
            {"history": rows(True, turned)},
            ["3 documents are not in the history"],
        ),
        "most of the items": (
            "coverage@8",
            {"items": rows(False, [doc.upper() for doc in docs])},
            ["8 documents are not"],
        ),
    }

    def check(case: tuple[str, dict[str, Any], list[str]]) -> None:
        metric, options, said = case
        try:
            with sqlrank.evaluate(run, None, metric, **options) as found:
                told = [note for note in found.notes if "would match" in note]
        except DataError as error:
            told = [str(error)]
        assert len(told) == len(said)
        assert [part for part, whole in zip(said, told, strict=True) if part not in whole] == []

    hold(cases, check)
    other = {query: {turned[place]: -float(place) for place in range(8)} for query in run}
    with sqlrank.likeness(systems={"one": run, "two": other}) as likeness:
        (note,) = [note for note in likeness.notes if "would match" in note]
    assert (
        "6 documents are not in one, and would match if case did not matter: 'AB1' of query 'u1' is 'ab1' in one"
        in note
    )


@each(["if case did not matter", "without leading zeros", "without the prefix 'q='"])
def test_stored_queries_that_are_spelled_otherwise_are_told_or_refused(way: str) -> None:
    ids_of, spoil = WAYS[way]
    queries = [ids_of(number) for number in range(20)]

    def stored(system: str, names: Iterable[str]) -> str:
        rows = [(query, "d", 1) for query in names]
        run = write_csv(f"{system}.csv", ("query_id", "doc_id", "score"), rows)
        judged = write_csv("judged.csv", ("query_id", "doc_id", "relevance"), rows)
        completed(
            "eval", run, "--qrels", judged, "-m", "rr", "--query-set", "shared", "--per-query", f"{system}.parquet"
        )
        return f"{system}.parquet"

    old = stored("a", queries)
    for share, count in ((0.0, 0), (0.1, 2), (0.3, 6), (0.7, 14)):
        files = [old, stored("b", spoiled(random.Random(way), queries, spoil, share).values())]
        if count > 10:
            with pytest.raises(DataError, match=f"b: {count} queries are not in a, and would match"):
                sqlrank.compare(files, metrics="rr")
            continue
        with sqlrank.compare(files, metrics="rr") as comparison:
            found = [note for note in comparison.notes if f"b: {count} queries are not in a, and would match" in note]
        assert len(found) == (count > 0)
