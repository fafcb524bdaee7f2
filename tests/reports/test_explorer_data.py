"""The data of the page of all queries: what the evaluation and `explain` say, whole or drawn, and refused elsewhere."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from hashlib import md5, sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.errors import UsageError
from sqlrank.reports import explorer_data
from sqlrank.reports.explorer import SCRIPTS
from tests.support.cli_helper import completed, error_of
from tests.support.explorer import Data, data_of, keys_of, rows_of, values_of
from tests.support.reports import (
    HOSTILE,
    KEYWORD,
    QRELS,
    QUERIES,
    SEMANTIC,
    VERDICTS,
    command_for,
    every,
    parsed,
    text_of,
    write_hostile,
)

METRICS = ["ndcg@10", "rr", "num_rel_ret"]
TWO = [KEYWORD, SEMANTIC, "--qrels", QRELS, "--queries", QUERIES, "--by", "country"]
ASKED = [word for metric in METRICS for word in ("-m", metric)]
CLOSE = 5e-9
"""Parts are stored to nine decimals."""


def explored(path: Path, *arguments: object) -> Data:
    """The data of the page that a command writes."""
    completed(*command_for(*arguments), *arguments, "--explore", "-o", path)
    return data_of(path)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return explored(tmp_path_factory.mktemp("explorer") / "two.html", *TWO, *ASKED)


@pytest.fixture(scope="module")
def comparison() -> Any:
    with sqlrank.compare([KEYWORD, SEMANTIC], QRELS, METRICS, queries=QUERIES, by="country") as made:
        yield made


def test_every_value_is_that_of_the_evaluation(two: Data, comparison: Any) -> None:
    found = comparison.evaluation.to_dict()
    assert two["systems"] == comparison.systems
    for system, queries in found.items():
        for metric in METRICS:
            assert values_of(two, system, metric) == {query: values[metric] for query, values in queries.items()}
    assert two["queries"]["ids"] == sorted(found["keyword"])


def test_segments_and_texts_are_those_of_the_table_of_queries(two: Data) -> None:
    rows = duckdb.execute(f"select query_id, query, country from '{QUERIES}'").fetchall()
    known = {query: (text, country) for query, text, country in rows}
    segment = two["segments"][0]
    countries = [segment["values"][place] for place in segment["of"]]
    queries = zip(two["queries"]["ids"], two["queries"]["texts"], countries, strict=True)
    assert {query: (text, country) for query, text, country in queries} == {
        query: known[query] for query in two["queries"]["ids"]
    }


def test_the_script_says_no_word_that_the_page_has_not(two: Data) -> None:
    folder = Path(sqlrank.__file__).parent / "pages" / "templates"
    script = "".join((folder / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    said = set(re.findall(r'say\("([\w-]+)"', script))
    assert len(said) > 30
    assert said <= two["words"].keys()


def test_places_and_parts_are_those_of_explain(two: Data, comparison: Any) -> None:
    assert two["metrics"][two["parts"]]["text"] == "ndcg@10"
    for query in two["queries"]["ids"][::15]:
        *wanted, last = comparison.explain(query).to_dicts()
        wanted += [] if last["doc_id"] is None else [last]
        rows = {row["doc_id"]: row for row in rows_of(two, query)}
        assert rows.keys() == {row["doc_id"] for row in wanted}
        for row in wanted:
            found = rows[row["doc_id"]]
            assert (found["rank"]["keyword"], found["rank"]["semantic"]) == (row["baseline_rank"], row["rank"])
            assert found["relevance"] == row["relevance"]
            assert found["part"]["keyword"] == pytest.approx(row["baseline_contribution"], abs=CLOSE)
            assert found["part"]["semantic"] == pytest.approx(row["contribution"], abs=CLOSE)
            for name, side in (("baseline_score", "keyword"), ("score", "semantic")):
                assert found["score"][side] == (None if row[name] is None else pytest.approx(row[name], rel=1e-5))


@pytest.mark.parametrize("metric", ["ndcg@10", "p@5", "ap(rel=2)", "rr", "err@10", "rbp", "nerr@10", "num_rel_ret"])
def test_parts_add_up_to_the_value_in_each_ranking(metric: str, tmp_path: Path) -> None:
    data = explored(tmp_path / "one.html", KEYWORD, "--qrels", QRELS, "-m", metric, "--rows", 1000)
    values = values_of(data, "keyword", data["metrics"][0]["text"])
    assert any(values.values())
    for query, value in values.items():
        whole = math.fsum(row["part"]["keyword"] for row in rows_of(data, query))
        assert whole == pytest.approx(value, abs=1e-7)


OWN = """{#
title = "hits"
params = { rel = 1 }
reads = ["hit"]
summary = "mean"
parts = "sum"
formula = "hits"
citation = "none"
#}
{% from "macros/ranking.sql" import at, total %}
power({{ total(at(hit)) }}, 2)"""


def test_parts_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.sql").write_text(OWN)
    asked = [KEYWORD, "--qrels", QRELS, "-m", "mine", "--metrics-dir", tmp_path, "--explore", "-o", "x.html"]
    assert "take parts out of the entry" in error_of(2, "eval", *asked)


def test_a_value_of_one_for_nothing_to_find_needs_no_parts(tmp_path: Path) -> None:
    data = explored(tmp_path / "one.html", KEYWORD, "--qrels", QRELS, "-m", "ndcg@10", "--rel", 3, "--empty", "one")
    values = values_of(data, "keyword", "ndcg@10")
    assert any(
        value == 1 and not any(row["part"]["keyword"] for row in rows_of(data, query))
        for query, value in values.items()
    )


def test_one_ranking_stands_beside_the_best_order(tmp_path: Path) -> None:
    judged = duckdb.execute(f"select query_id, relevance, doc_id from '{QRELS}' where relevance > 0").fetchall()
    data = explored(tmp_path / "one.html", SEMANTIC, "--qrels", QRELS, "-m", "ndcg@10", "--rows", 5)
    with sqlrank.evaluate(SEMANTIC, QRELS, "ndcg@10") as result:
        for query in data["queries"]["ids"][::15]:
            places = result.explain(query, rows=5).to_dicts()
            best = [(row["ideal_doc_id"], row["ideal_relevance"]) for row in places if row["ideal_doc_id"] is not None]
            assert [(row["doc_id"], row["relevance"]) for row in rows_of(data, query, "best")] == best
            assert (
                best
                == [(doc, found) for _, found, doc in sorted((j for j in judged if j[0] == query), reverse=True)][:5]
            )
            shown = [(row["rank"]["semantic"], row["doc_id"]) for row in rows_of(data, query)]
            assert shown == [(row["rank"], row["doc_id"]) for row in places if row["doc_id"] is not None]


def test_queries_without_results_and_with_unjudged_documents_are_counted(two: Data, comparison: Any) -> None:
    for place, system in enumerate(two["systems"]):
        for at, query in enumerate(two["queries"]["ids"]):
            rows = [row for row in rows_of(two, query) if (row["rank"][system] or math.inf) <= two["rows"]]
            assert (two["retrieved"][place][at] == 0) is (not rows)
            assert two["unjudged"][place][at] == sum(row["relevance"] is None for row in rows)
    assert any(not found for found in two["retrieved"][0])


def test_three_systems_of_one_export_are_all_there(tmp_path: Path) -> None:
    lines = ["system,query_id,doc_id,score,relevance"]
    lines += [f"{name},{query},{doc},{score},{ord(doc) % 2}" for name, query, doc, score in THREE]
    (tmp_path / "export.csv").write_text("\n".join(lines) + "\n")
    data = explored(tmp_path / "three.html", tmp_path / "export.csv", "-m", "p@2", "--rows", 1)
    assert data["systems"] == ["x", "y", "z"]
    assert [(row["doc_id"], row["rank"], row["part"]) for row in rows_of(data, "q")] == [
        ("a", {"x": 1, "y": 2, "z": None}, {"x": 0.5, "y": 0.5, "z": 0}),
        ("b", {"x": 2, "y": 1, "z": 1}, {"x": 0, "y": 0, "z": 0}),
    ]


THREE = [("x", "q", "a", 2), ("x", "q", "b", 1), ("y", "q", "b", 2), ("y", "q", "a", 1), ("z", "q", "b", 1)]


def test_arms_with_queries_of_their_own_have_values_where_they_have_queries(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("query_id,doc_id,score,relevance\nq,a,2,1\nr,a,1,0\ns,b,1,1\n")
    (tmp_path / "other.csv").write_text("query_id,doc_id,score,relevance\nt,a,2,1\nu,a,1,0\nv,b,1,1\n")
    files = [tmp_path / "one.csv", tmp_path / "other.csv", "--unpaired", "-m", "p@1"]
    data = explored(tmp_path / "arms.html", *files)
    assert data["queries"]["ids"] == list("qrstuv")
    assert values_of(data, "one", "p@1") == {"q": 1, "r": 0, "s": 1, "t": None, "u": None, "v": None}


def test_without_judgments_there_are_rankings_and_no_relevance(tmp_path: Path) -> None:
    data = explored(tmp_path / "bare.html", KEYWORD, "-m", "num_ret")
    assert (data["judged"], data["best"], data["parts"]) == (False, None, None)
    assert rows_of(data, data["queries"]["ids"][0])[0]["rank"] == {"keyword": 1}


@pytest.mark.parametrize(
    ("metrics", "sentence"),
    [
        (["accuracy"], "What each document adds is not shown: accuracy cannot be split by document"),
        (["accuracy", "p@5"], "What documents add is shown for p@5: accuracy cannot be split by document."),
    ],
)
def test_the_page_says_which_metric_has_no_parts(metrics: list[str], sentence: str, tmp_path: Path) -> None:
    data = explored(tmp_path / "parts.html", KEYWORD, "--qrels", QRELS, *(f"-m{metric}" for metric in metrics))
    assert sentence in (tmp_path / "parts.html").read_text("utf-8")
    assert ("part" in data["places"]) is ("p@5" in metrics)


def test_more_queries_than_fit_are_drawn_by_their_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer_data, "MOST_QUERIES", 40)
    arguments = [*TWO, "-m", "ndcg@10"]
    data = explored(tmp_path / "drawn.html", *arguments)
    with sqlrank.evaluate(KEYWORD, QRELS, "ndcg@10") as result:
        every_query = list(result.to_dict())
    drawn = sorted(sorted(every_query, key=lambda query: md5(query.encode()).hexdigest())[:40])
    assert data["queries"]["ids"] == drawn
    assert len(data["places"]["starts"]) == 41
    assert "This page holds 40 of 300 queries" in (tmp_path / "drawn.html").read_text("utf-8")
    assert explored(tmp_path / "again.html", *arguments) == data


def test_fewer_queries_are_drawn_where_they_take_more_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer_data, "MOST_BYTES", 30_000)
    data = explored(tmp_path / "small.html", *TWO, "-m", "ndcg@10")
    held = len(data["queries"]["ids"])
    text = (tmp_path / "small.html").read_text("utf-8")
    assert 50 < held < 300
    assert f"This page holds {held} of 300 queries" in text
    assert len(re.findall(r'id="data">([^<]*)<', text)[0]) <= 30_000


def test_the_page_is_valid_asks_for_nothing_and_lets_its_own_script_run_alone(tmp_path: Path) -> None:
    explored(tmp_path / "page.html", *TWO, "-m", "ndcg@10", "--lang", "zh", "--fail-under", "ndcg@10=0.1")
    text = (tmp_path / "page.html").read_text("utf-8")
    root = parsed(text)
    assert [element.get("src") for name in ("script", "img", "link", "iframe") for element in every(root, name)] == [
        None
    ] * 2
    policy = next(meta.get("content") for meta in every(root, "meta") if meta.get("http-equiv"))
    script = "".join(every(root, "script")[1].itertext())
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none';"
        " form-action 'none'"
    )
    assert every(root, "html")[0].get("lang") == "zh-Hans"
    assert "keyword 的 ndcg@10 不低于 0.1" in text_of(root)
    assert "innerHTML" not in script


def test_hostile_texts_are_data_and_nothing_else(tmp_path: Path) -> None:
    write_hostile(tmp_path)
    files = [tmp_path / f"{name}.csv" for name in ("run_a", "run_b")]
    others = [word for kind in ("qrels", "queries", "items") for word in (f"--{kind}", tmp_path / f"{kind}.csv")]
    path = tmp_path / "hostile.html"
    data = explored(path, *files, *others, "--by", "<b>segment\"'</b>", "-m", "ndcg@5", "--title", HOSTILE[-1])
    text = path.read_text("utf-8")
    assert not any(one in text for one in ("alert(1)", "onerror", "</style><b>"))
    assert len(data["queries"]["ids"]) == len(HOSTILE)
    assert HOSTILE[0] in data["queries"]["texts"]
    assert HOSTILE[0] in data["documents"]["ids"]
    assert sorted(keys_of(data)) == sorted(f"{one[:200]}{number}" for number, one in enumerate(HOSTILE))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([VERDICTS, "--explore", "-o", "x.html"], "no such option: --explore"),
        ([*TWO, "--explore", "--chart", "ecdf", "-o", "x.svg"], "leave out --chart"),
        ([*TWO, "--explore", "--interactive", "-o", "x.html"], "leave out --interactive"),
        ([*TWO, "--rows", 3, "-o", "x.html"], "add --explore"),
        (
            [KEYWORD, "--qrels", QRELS, "-m", "auc", "--explore", "-o", "x.html"],
            "ask for a metric that has one",
        ),
    ],
)
def test_what_has_no_page_of_queries_is_refused(arguments: list[object], message: str, tmp_path: Path) -> None:
    assert message in error_of(2, *command_for(*arguments), *arguments)
    assert not list(Path.cwd().glob("x.*"))


def test_stored_rows_have_no_rankings_to_explore(tmp_path: Path) -> None:
    for name, run in (("one", KEYWORD), ("other", SEMANTIC)):
        completed("eval", run, "--qrels", QRELS, "-m", "ndcg@10", "--per-query", tmp_path / f"{name}.parquet")
    stored = [tmp_path / "one.parquet", tmp_path / "other.parquet", "-m", "ndcg@10"]
    assert "give the runs" in error_of(2, "compare", *stored, "--explore", "-o", "x.html")


def test_a_result_writes_the_page_from_python(comparison: Any, two: Data, tmp_path: Path) -> None:
    comparison.report(tmp_path / "page.html", explore=True, rows=10)
    assert data_of(tmp_path / "page.html") == two
    with pytest.raises(UsageError, match="rows=0: give 1 or more"):
        comparison.report(tmp_path / "none.html", explore=True, rows=0)
