"""Systems compared under several sets of judgments."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sqlrank
from sqlrank.errors import UsageError
from sqlrank.judgment_sets.corrected import corrected
from tests.support.cli_helper import completed, error_of
from tests.support.small_data import write_csv
from tests.trials.corrected import moments

Table = dict[str, dict[str, float]]


def made(queries: int, labelled: int, seed: int = 1, turned: bool = False) -> tuple[dict[str, Table], Table, Table]:
    """Three systems, people's judgments of some queries, and a model's of all; `turned` favours the baseline."""
    rng = random.Random(seed)
    runs: dict[str, Table] = {name: {} for name in ("a", "b", "c")}
    people: Table = {}
    model: Table = {}
    for number in range(queries):
        query, docs = f"q{number:03}", [f"d{place}" for place in range(12)]
        true = {doc: float(rng.choice([0, 0, 1, 2])) for doc in docs}
        for name, noise in (("a", 2.0), ("b", 1.0), ("c", 0.9)):
            runs[name][query] = {doc: true[doc] + rng.gauss(0, noise) for doc in docs}
        high = sorted(docs, key=runs["a"][query].__getitem__, reverse=True)[:4]
        model[query] = (
            {doc: 2.0 if doc in high else 0.0 for doc in docs}
            if turned
            else {doc: float(min(3, max(0, grade + rng.choice([0, 0, 0, 1, -1])))) for doc, grade in true.items()}
        )
        if number < labelled:
            people[query] = true
    return runs, people, model


def by_set(result: Any, system: str = "b", metric: str = "ndcg@5") -> dict[str, dict[str, Any]]:
    """The rows of one question by set."""
    return {row["judgments"]: row for row in result.to_dicts() if (row["system"], row["metric"]) == (system, metric)}


def test_every_set_has_the_differences_of_a_comparison_by_it() -> None:
    runs, people, model = made(60, 20)
    sets = {"people": people, "model": model}
    with sqlrank.compare_judgments(None, sets, ["ndcg@5", "p@3"], systems=runs) as result:
        for name, judged in sets.items():
            with sqlrank.compare(None, judged, ["ndcg@5", "p@3"], systems=runs) as alone:
                rows = alone.to_dicts()
            ours = [row for row in result.to_dicts() if row["judgments"] == name]
            columns = ("system", "metric", "baseline_value", "value", "difference", "ci_low", "p_adjusted", "queries")
            assert [[row[name] for name in columns] for row in ours] == [
                [row[name] for name in columns] for row in rows
            ]


def test_a_model_is_corrected_by_people_and_tells_more_than_they_do_alone() -> None:
    runs, people, model = made(200, 40)
    with sqlrank.compare_judgments(None, {"people": people, "model": model}, ["ndcg@5"], systems=runs) as result:
        rows = by_set(result)
        both = {
            name: {row["query_id"]: row["difference"] for row in result.comparisons[name].to_dicts(per_query=True)
                   if row["system"] == "b"}
            for name in ("people", "model")
        }  # fmt: skip
    assert list(rows) == ["people", "model", "model corrected"]
    found = rows["model corrected"]
    assert found["ci_high"] - found["ci_low"] < rows["people"]["ci_high"] - rows["people"]["ci_low"]
    assert 40 < found["worth"] < 200
    assert (found["queries"], found["verdict"], found["beside"]) == (200, "better", "agrees")
    # By hand: y - w f of the labelled, and w f of the others.
    y, f = list(both["people"].values()), [both["model"][query] for query in both["people"]]
    others = [value for query, value in both["model"].items() if query not in both["people"]]
    mean_y, mean_f = sum(y) / 40, sum(f) / 40
    slope = sum((a - mean_y) * (b - mean_f) for a, b in zip(y, f, strict=True)) / sum((b - mean_f) ** 2 for b in f)
    weight = slope * 160 / 200
    assert found["difference"] == pytest.approx(mean_y + weight * (sum(others) / 160 - mean_f), abs=1e-12)


def test_queries_that_mostly_tie_are_corrected_with_the_range_of_the_metric() -> None:
    runs, people, model = made(200, 40)
    for number in range(200):
        if number % 10:
            runs["b"][f"q{number:03}"] = runs["a"][f"q{number:03}"]
    with sqlrank.compare_judgments(None, {"people": people, "model": model}, ["ndcg@5"], systems=runs) as result:
        found = by_set(result)["model corrected"]
        y, f = (
            {row["query_id"]: row["difference"] for row in result.comparisons[name].to_dicts(per_query=True)
             if row["system"] == "b"}
            for name in ("people", "model")
        )  # fmt: skip
    sides = [y.values(), [f[query] for query in y], [value for query, value in f.items() if query not in y]]
    row = moments(*(np.array(list(side)) for side in sides))
    assert row["changed"] <= 4
    expected = corrected(row, 1.0)
    assert expected is not None
    assert [found["ci_low"], found["ci_high"]] == pytest.approx(list(expected.estimate.ends(0.05)))
    assert found["difference"] == pytest.approx(expected.estimate.value)
    assert found["verdict"] == "undecided"


def test_a_verdict_that_turns_is_told() -> None:
    runs, people, model = made(80, 80, turned=True)
    with sqlrank.compare_judgments(None, {"people": people, "model": model}, ["ndcg@5"], systems=runs) as result:
        rows = by_set(result)
        notes, order = result.notes, result.orders["model"][0]
    assert (rows["people"]["verdict"], rows["model"]["verdict"]) == ("better", "worse")
    assert rows["model"]["beside"] == "turned"
    assert any(
        "the verdict on b turns: ndcg@5 is worse under model, and the opposite under people" in note for note in notes
    )
    assert not any("corrected" in text for text in (*rows, *notes)), "people judged all"
    assert order.tau is not None
    assert order.low is not None
    assert order.high is not None
    assert order.low <= order.tau < 0
    assert order.tau <= order.high


def test_too_few_queries_of_people_correct_nothing_and_that_is_told() -> None:
    runs, people, model = made(40, 6)
    with sqlrank.compare_judgments(None, {"people": people, "model": model}, ["ndcg@5"], systems=runs) as result:
        assert list(by_set(result)) == ["people", "model"]
        assert any(
            "people and model share 6 queries and only model has 34 others; 10 of each" in note for note in result.notes
        )


def test_the_same_judgments_agree_in_everything() -> None:
    runs, _, model = made(40, 40)
    with sqlrank.compare_judgments(None, {"one": model, "other": dict(model)}, ["ndcg@5"], systems=runs) as result:
        assert {row["beside"] for row in result.to_dicts()} == {None, "agrees"}
        assert [(order.tau, order.low, order.high) for order in result.orders["other"]] == [(1, 1, 1)]


def test_rows_have_their_segments() -> None:
    runs, people, model = made(60, 30)
    segment = "half=case when query_id < 'q030' then 'first' else 'second' end"
    sets = {"people": people, "model": model}
    with sqlrank.compare_judgments(None, sets, ["ndcg@5"], systems=runs, by=segment) as result:
        rows = [row for row in result.to_dicts() if row["system"] == "b"]
    assert {(row["half"], row["judgments"]) for row in rows} >= {
        ("first", "model"),
        ("second", "model"),
        (None, "people"),
    }
    assert [row["is_total"] for row in rows if row["judgments"] == "model corrected"] == [True]


@pytest.mark.parametrize(
    ("sets", "options", "says"),
    [
        ({"people": {"q": {"d": 1}}}, {}, "two sets of judgments or more"),
        ("people.csv", {}, "sets by name"),
        ({"a": {"q": {"d": 1}}, "": {"q": {"d": 1}}}, {}, "not a name for a set"),
        ({"a": {"q": {"d": 1}}, "b": {"q": {"d": 1}}}, {"bounds": True}, "is for one set of judgments"),
    ],
)
def test_what_makes_no_sense_is_refused(sets: Any, options: dict[str, Any], says: str) -> None:
    runs = {"one": {"q": {"d": 1.0}}, "other": {"q": {"d": 2.0}}}
    with pytest.raises(sqlrank.UsageError, match=says):
        sqlrank.compare_judgments(None, sets, ["ndcg@5"], systems=runs, **options)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as files."""
    monkeypatch.chdir(tmp_path)
    runs, people, model = made(40, 12)
    for name, table in {**runs, "people": people, "model": model}.items():
        rows = [(query, doc, number) for query, docs in table.items() for doc, number in docs.items()]
        write_csv(f"{name}.csv", ("query_id", "doc_id", "relevance" if name in ("people", "model") else "score"), rows)


SETS = ("--qrels", "human=people.csv", "--qrels", "llm=model.csv")


@pytest.mark.usefixtures("files")
def test_the_command_line_shows_every_set() -> None:
    told = completed("compare", "a.csv", "b.csv", "c.csv", *SETS, "-m", "ndcg@5")
    assert [line.split()[:3] for line in told.out.splitlines()[1:4]] == [
        ["b", "ndcg@5", "human"],
        ["b", "ndcg@5", "llm"],
        ["b", "ndcg@5", "llm"],
    ]
    assert "Kendall's tau" in told.out
    document = json.loads(
        completed("compare", "a.csv", "b.csv", "c.csv", *SETS, "-m", "ndcg@5", "--format", "json").out
    )
    assert document["judgments"] == ["human", "llm"]
    assert {row["judgments"] for row in document["rows"]} == {"human", "llm", "llm corrected"}
    assert document["order"][0]["queries"] == 12


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*SETS, "--qrels", "people.csv"), "name every set of judgments, or none"),
        (SETS[:2], "two sets of judgments or more"),
        (
            ("--qrels", "human=people.csv", "--qrels", "human=model.csv"),
            "--qrels human=model.csv: another set is called human",
        ),
        ((*SETS, "--plan"), "--plan plans by one set of judgments"),
        ((*SETS, "--fail-on-drop", "ndcg@5=0.1"), "--fail-on-drop is for one set of judgments"),
        ((*SETS, "--junit", "gates.xml"), "--junit is for one set of judgments"),
        ((*SETS, "--show", "movers=3"), "--show movers is for one set of judgments"),
    ],
)
def test_the_command_line_refuses_what_is_of_one_set(arguments: tuple[str, ...], says: str) -> None:
    assert says in error_of(2, "compare", "a.csv", "b.csv", "-m", "ndcg@5", *arguments)


@pytest.mark.usefixtures("files")
def test_the_convention_is_still_a_word() -> None:
    told = completed("compare", "a.csv", "b.csv", "--qrels", "people.csv", "-m", "ndcg@5", "--judgments", "max").out
    assert "judgments=max" in told


def test_a_notebook_shows_the_table() -> None:
    runs, people, model = made(40, 12)
    with sqlrank.compare_judgments(None, {"people": people, "model": model}, ["ndcg@5"], systems=runs) as result:
        shown = result._repr_html_()
    assert "model corrected" in shown
    assert "Kendall" in shown


@pytest.mark.parametrize(
    ("runs", "options"),
    [(["old.csv", "-"], {}), (["pipe", "new.csv"], {}), (["old.csv", "new.csv"], {"queries": "pipe"})],
)
def test_a_stream_that_every_set_would_read_is_refused(runs: list[str], options: dict[str, Any]) -> None:
    os.mkfifo("pipe")
    with pytest.raises(UsageError, match=r"a stream can be read only once; write it to a file"):
        sqlrank.compare_judgments(runs, {"people": "people.csv", "model": "model.csv"}, ["rr"], **options)


def test_standard_input_is_one_set_at_most() -> None:
    with pytest.raises(UsageError, match="standard input can be read only once"):
        sqlrank.compare_judgments(["old.csv", "new.csv"], {"people": "-", "model": "-"}, ["rr"])
