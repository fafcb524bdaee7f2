"""`sqlrank pool`: what it prints and writes, what raters fill and what is read back."""

from __future__ import annotations

import csv
import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.cli.pool import pool_command
from sqlrank.output.writing import Destination, write
from sqlrank.pages.terminal_tables import Screen
from tests.support.cli_helper import FIXTURES, Outcome, completed, error_of
from tests.support.hostile import NAMES, VALUES

SEARCH = FIXTURES / "search"
RUNS = (SEARCH / "keyword.parquet", SEARCH / "semantic.parquet")
REQUEST = ("pool", *RUNS, "--qrels", SEARCH / "qrels.parquet")


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Rows as CSV or Parquet."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def fill(path: Path, rating: Callable[[int, dict[str, str]], str]) -> Path:
    """Let a rater fill a pool in: the relevance of each row, by its place in the file and what it holds."""
    rows = read(path)
    return written(path, [row | {"relevance": rating(place, row)} for place, row in enumerate(rows)])


def test_the_table_shows_the_first_pairs_and_what_was_judged() -> None:
    out = completed(*REQUEST, "--queries", SEARCH / "queries.parquet", "--quiet").out
    lines = out.splitlines()
    assert lines[0].split() == "query_id doc_id query_text priority weight systems best_rank".split()
    assert lines[1].split() == "q0102 sku-152322 usb c charger for laptop 1 1.0000 1 1".split()
    assert lines[21:] == [
        "",
        "the first 20 of 262: --budget N shows N, and a file has all",
        "262 pairs of 162 queries to judge, in the first 10 of each ranking",
        "by weight: how far apart a document of gain 1 sets two systems in ndcg@10, at most, before division by what"
        " there is to find (Carterette, Allan and Sitaraman, SIGIR 2006)",
        "11 pairs have weight 0: every system has them at the same places",
        "keyword: 2,635 of 2,791 documents in the first 10 of each ranking were judged (94 %)",
        "semantic: 2,802 of 2,966 documents in the first 10 of each ranking were judged (94 %)",
        "2 of the queries have no judgment so far",
        "no bounds say when the sign of the difference in ndcg@10 is certain: a further relevant document may lower it"
        " as well as raise it; pool by p@10 or dcg@10 to see them",
        "rel=1, ties=doc-desc, order=desc, score-type=double, query-set=run, duplicates=error, collapse=none,"
        " judgments=error",
    ]


def test_a_budget_shows_as_many_as_it_says() -> None:
    out = completed(*REQUEST, "--budget", "33", "--quiet").out
    assert out.splitlines().index("") == 34
    assert "the first 33 of 262 pairs of 162 queries to judge" in out


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json", "parquet", "markdown", "latex"])
def test_every_format_holds_the_pairs(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"pool.{kind}"
    completed(*REQUEST, "--budget", "3", "--format", kind, "-o", path)
    columns = ["query_id", "doc_id", "relevance", "priority", "weight", "systems", "best_rank"]
    first = {"query_id": "q0102", "doc_id": "sku-152322", "relevance": None, "priority": 1, "weight": 1.0}
    first |= {"systems": 1, "best_rank": 1}
    if kind == "parquet":
        table = pq.read_table(path)
        assert table.column_names == columns
        assert table.to_pylist()[0] == first
        assert table.schema.metadata[b"metric"] == b"ndcg@10"
    elif kind == "json":
        document = json.loads(path.read_text())
        assert document["rows"][0] == first
        assert (document["metric"], document["depth"], document["budget"]) == ("ndcg@10", 10, 3)
        assert document["to_judge"] == {"pairs": 262, "queries": 162, "weightless": 11, "unjudged": 2}
        assert document["systems"]["keyword"] == {"queries": 294, "documents": 2791, "judged": 2635}
        assert document["conventions"]["ties"] == "doc-desc"
        assert document["possible"] == []
    elif kind == "jsonl":
        assert json.loads(path.read_text().splitlines()[0]) == first
    elif kind in ("csv", "tsv"):
        mark = "\t" if kind == "tsv" else ","
        assert path.read_text().splitlines()[:2] == [
            mark.join(columns),
            mark.join(["q0102", "sku-152322", "", "1", "1", "1", "1"]),
        ]
    else:
        assert "sku-152322" in path.read_text()
        assert "relevance" not in path.read_text().splitlines()[0]


def test_what_is_possible_is_printed_and_written() -> None:
    request = (*REQUEST, "-m", "p@10", "--budget", "1", "--top-relevance", "5")
    *_, decided, of_what, conventions = completed(*request, "--quiet").out.splitlines()
    assert decided.startswith(
        "semantic less keyword in p@10: +0.0717 as judged so far, from +0.0387 to +0.1074 however"
    )
    assert decided.endswith("however the rest is judged: semantic is better")
    assert of_what == "over 297 queries with results, the rest at most as relevant as --top-relevance 5"
    assert conventions.startswith("rel=1, top-relevance=5, ties=doc-desc")
    (row,) = json.loads(completed(*request, "--format", "json").out)["possible"]
    assert (row["baseline"], row["system"], row["decided"]) == ("keyword", "semantic", True)
    assert [round(row[name], 4) for name in ("difference", "bound_low", "bound_high")] == [0.0717, 0.0387, 0.1074]


def test_a_file_has_every_pair(tmp_path: Path) -> None:
    completed(*REQUEST, "-o", tmp_path / "pool.csv")
    assert len(read(tmp_path / "pool.csv")) == 262


def test_raters_are_told_titles_and_texts(tmp_path: Path) -> None:
    run = written(
        tmp_path / "run.csv", [{"query_id": "q", "doc_id": doc, "score": 9 - place} for place, doc in enumerate("abc")]
    )
    items = written(
        tmp_path / "items.csv", [{"sku": "a", "Title": 'a "quoted", title'}, {"sku": "b", "Title": "two\nlines"}]
    )
    queries = written(tmp_path / "queries.csv", [{"query_id": "q", "text": "what\tthey typed"}])
    out = completed("pool", run, "--items", items, "--queries", queries, "--format", "csv")
    assert [(row["query_text"], row["title"]) for row in out.table] == [
        ("what\tthey typed", 'a "quoted", title'),
        ("what\tthey typed", "two\nlines"),
        ("what\tthey typed", ""),
    ]
    assert "nothing reads it" not in out.err


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_long_title_is_cut_where_a_terminal_ends(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    titles = pa.Table.from_pylist([{"doc_id": "a", "title": "a long title " * 20}, {"doc_id": "b", "title": "short"}])
    with sqlrank.pool({"q": {"a": 2.0, "b": 1.0}}, items=titles) as pool:
        write(pool, Destination("table", screen=Screen(width)))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["query_id", "doc_id", "title", "priority", "weight"]
    assert lines[1].startswith("q         a       a long title a")
    assert "…" in lines[1]
    assert max(map(len, lines)) <= width
    assert lines[3].startswith("no room for: best_rank, systems;")


def test_a_table_without_titles_is_pointed_out(tmp_path: Path) -> None:
    items = written(tmp_path / "items.csv", [{"doc_id": "a", "colour": "red"}])
    said = completed(*REQUEST, "--items", items, "--format", "csv").err
    assert "--items: no column has the names of the documents; call one title, name, text" in said


def test_the_examples_of_the_help_run_as_they_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, source in (("old", RUNS[0]), ("new", RUNS[1]), ("qrels", SEARCH / "qrels.parquet")):
        shutil.copy(source, f"{name}.parquet")
    written(Path("items.parquet"), [{"doc_id": "sku-152322", "title": "Charger"}])
    examples = [
        line.strip() for line in str(pool_command.__doc__).partition("Examples:")[2].splitlines() if line.strip()
    ]
    assert len(examples) == 2
    for line in examples:
        completed(*shlex.split(line)[1:])
    rows = read(Path("pool.csv"))
    assert len(rows) == 200
    assert rows[0]["title"] == "Charger"


def round_trip(tmp_path: Path, suffix: str, *runs: Path) -> list[Outcome]:
    """Pool, fill half of the pool in, read it back, and pool what is left."""
    pool = tmp_path / f"pool{suffix}"
    completed("pool", *runs, "-o", pool)
    if suffix == ".parquet":
        rows = pq.read_table(pool).to_pylist()
        written(pool, [row | {"relevance": 1.0 if place % 2 else None} for place, row in enumerate(rows)])
    else:
        fill(pool, lambda place, _: "1" if place % 2 else "")
    options = ("--qrels", pool, "--format", "csv")
    return [completed("eval", *runs, *options, "-m", "judged@10"), completed("pool", *runs, *options)]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_hostile_ids_and_texts_come_back_as_they_were(suffix: str, tmp_path: Path) -> None:
    texts = list(dict.fromkeys([*NAMES, *(value for value in VALUES if isinstance(value, str) and value.strip())]))
    rows = [
        {"query_id": query, "doc_id": doc, "score": float(-place)}
        for query in texts
        for place, doc in enumerate(texts[:6])
    ]
    run = written(tmp_path / "run.parquet", rows)
    pool = tmp_path / f"pool{suffix}"
    completed("pool", run, "-o", pool)
    found = read(pool) if suffix == ".csv" else pq.read_table(pool).to_pylist()
    assert {(row["query_id"], row["doc_id"]) for row in found} == {(row["query_id"], row["doc_id"]) for row in rows}
    evaluated, left = round_trip(tmp_path, suffix, run)
    assert f"{len(rows)} rows read, {len(rows) // 2} left out: {len(rows) // 2} not judged yet" in evaluated.err
    assert len(left.table) == len(rows) // 2


def test_a_pool_filled_in_part_counts_with_what_was_judged_before(tmp_path: Path) -> None:
    qrels, pool = SEARCH / "qrels.parquet", tmp_path / "pool.csv"
    completed(*REQUEST, "-o", pool)
    fill(pool, lambda place, row: f"{place % 3}" if place < 100 else " " if place % 2 else "")
    both = ("--qrels", qrels, "--qrels", pool)
    part = f"{qrels} and {pool}: judged in part, and unjudged documents count as not relevant: the values do not estim"
    assert part in completed("eval", *RUNS, *both, "-m", "ndcg@10").err
    assert part in completed("compare", *RUNS, *both, "-m", "ndcg@10", "--test", "t").err
    assert "judged in part" not in completed("eval", *RUNS, *both, "-m", "num_ret").err
    judged = written(
        tmp_path / "judged.csv",
        [{name: row[name] for name in ("query_id", "doc_id", "relevance")} for row in read(pool)[:100]],
    )
    wanted = completed("eval", *RUNS, "--qrels", qrels, "--qrels", judged, "-m", "ndcg@10", "--format", "csv").out
    assert completed("eval", *RUNS, *both, "-m", "ndcg@10", "--format", "csv").out == wanted
    assert completed("eval", *RUNS, "--qrels", qrels, "-m", "ndcg@10", "--format", "csv").out != wanted

    again = completed("pool", *RUNS, *both, "--format", "csv")
    assert "2 files" not in again.err
    assert f"{qrels} and {pool}: " in again.err
    assert "162 not judged yet" in again.err
    rows = [(row["query_id"], row["doc_id"]) for row in read(pool)]
    assert [(row["query_id"], row["doc_id"]) for row in again.table] == rows[100:]


def test_nothing_is_left_once_a_pool_is_filled(tmp_path: Path) -> None:
    pool = tmp_path / "pool.csv"
    completed(*REQUEST, "-o", pool)
    fill(pool, lambda place, row: "0")
    done = completed(*REQUEST, "--qrels", pool, "--format", "csv")
    assert "judged in part" not in completed("eval", *RUNS, "--qrels", pool, "-m", "p@10").err
    assert done.out == "query_id,doc_id,relevance,priority,weight,systems,best_rank\n"
    assert "nothing is left to judge: everything in the first 10 was judged" in done.err
    shown = completed(*REQUEST, "--qrels", pool)
    assert shown.out.splitlines()[0].split()[:2] == ["query_id", "doc_id"]
    assert "0 pairs of 0 queries to judge" in shown.out


def test_a_pool_that_nobody_filled_is_no_judgment(tmp_path: Path) -> None:
    pool = tmp_path / "pool.csv"
    completed(*REQUEST, "--budget", "9", "-o", pool)
    said = error_of(3, "eval", RUNS[0], "--qrels", pool, "-m", "ndcg@10")
    assert "there are no rows with a relevance: that column is not filled in yet" in said
    both = ("--qrels", SEARCH / "qrels.parquet", "--qrels", pool, "-m", "ndcg@10")
    assert "9 not judged yet" in completed("eval", RUNS[0], *both).err


def test_what_a_rater_wrote_that_is_no_number_is_an_error(tmp_path: Path) -> None:
    pool = tmp_path / "pool.csv"
    completed(*REQUEST, "--budget", "9", "-o", pool)
    fill(pool, lambda place, row: "yes" if place == 3 else "")
    said = error_of(3, "eval", RUNS[0], "--qrels", pool, "-m", "ndcg@10")
    assert "1 of 1 relevances is not a finite number" in said
    assert "has 'yes'" in said
    assert "line" not in said  # rows are not those of the file, as some are left out
    assert "--relevance-map" in said
    completed("eval", RUNS[0], "--qrels", pool, "-m", "ndcg@10", "--relevance-map", "yes=1")


def test_a_row_without_relevance_stays_an_error_in_other_judgments(tmp_path: Path) -> None:
    qrels = written(tmp_path / "qrels.csv", [{"query_id": "q0001", "doc_id": "a", "relevance": ""}])
    said = error_of(3, "eval", RUNS[0], "--qrels", qrels, "-m", "ndcg@10")
    assert "document 'a' of query 'q0001' has null; judge every document or leave out its row" in said


def test_the_columns_of_a_pool_are_no_weights_and_no_segments_of_queries(tmp_path: Path) -> None:
    run = written(
        tmp_path / "run.csv",
        [
            {"query_id": query, "doc_id": doc, "score": 9 - place, "weight": number}
            for number, query in enumerate("qr", 1)
            for place, doc in enumerate("ab")
        ],
    )
    pool = tmp_path / "pool.csv"
    completed("pool", run, "-o", pool)
    fill(pool, lambda place, row: "1" if row["query_id"] == "q" else "0")
    done = completed("eval", run, "--qrels", pool, "-m", "p@1", "--weight", "weight", "--format", "csv")
    assert float(done.values["run", "p@1"]) == pytest.approx(1 / 3)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    "options",
    [
        ("--column", "query_id=user_id,date", "--column", "doc_id=shop,sku"),
        ("--column", "query_id=user_id", "--session", "date", "--column", "doc_id=sku"),
    ],
)
def test_ids_of_several_columns_are_read_back_by_the_same_options(
    options: tuple[str, ...], suffix: str, tmp_path: Path
) -> None:
    rows = [
        {"user_id": user, "date": date, "shop": "s,1", "sku": sku, "score": float(-place)}
        for user in ("u%1", "u,2")
        for date in ("2024-01-01", "2024-01-02")
        for place, sku in enumerate(("a", "b"))
    ]
    run, pool = written(tmp_path / f"run{suffix}", rows), tmp_path / "pool.csv"
    completed("pool", run, *options, "-o", pool)
    assert "query_id" not in read(pool)[0]
    found = {(row["user_id"], row["date"], row.get("sku", row.get("doc_id"))) for row in read(pool)}
    assert found == {(row["user_id"], row["date"], row["sku"]) for row in rows}
    fill(pool, lambda place, row: "1")
    assert completed("pool", run, "--qrels", pool, *options, "--format", "csv").table == []


def test_the_settings_of_a_project_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = (
        f'[evaluations.next]\nrun = {json.dumps([str(run) for run in RUNS])}\nqrels = ["{SEARCH / "qrels.parquet"}"]\n'
    )
    Path("sqlrank.toml").write_text(content + 'metric = "p@5"\nbudget = 4\nformat = "csv"\n')
    done = completed("pool", "--config", "next")
    assert [row["weight"] for row in done.table] == ["0.2"] * 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-m", "p@5", "-m", "p@10"], "a pool is ordered by one metric, not by p@5, p@10; give --metric once"),
        (["-m", "rr"], "rr: what a document adds to it is not a weight of its place"),
        (["--depth", "0"], "--depth 0 pools nothing"),
        (["--depth", "ten"], "--depth: 'ten' is not a whole number"),
        (["--budget", "0"], "--budget 0 asks for nothing"),
        (["--format", "trec"], "trec_eval has no pairs without judgment"),
        (["--format", "parquet"], "Parquet is not written to standard output"),
        (["--ties", "average"], "--ties average gives tied documents no place"),
        (["-o", RUNS[0]], "is an input and will not be overwritten"),
        (["--by", "country"], "no such option: --by"),
    ],
)
def test_what_is_no_pool_is_refused(options: list[Any], said: str) -> None:
    assert said in error_of(2, *REQUEST, *options)


def test_what_is_wrong_with_the_rows_is_an_error_as_everywhere(tmp_path: Path) -> None:
    run = written(tmp_path / "run.csv", [{"query_id": "q", "doc_id": doc, "score": "x"} for doc in "ab"])
    assert "run.csv, line 2: 2 of 2 score" in error_of(3, "pool", run)
    twice = written(tmp_path / "twice.csv", [{"query_id": "q", "doc_id": "a", "score": 1}] * 2)
    assert "appears more than once in a ranking" in error_of(3, "pool", twice)
    assert "no such file" in error_of(3, "pool", tmp_path / "nowhere.csv")


def test_python_and_the_command_line_give_the_same() -> None:
    out = completed(*REQUEST, "-m", "ap", "--depth", "7", "--format", "csv")
    with sqlrank.pool([str(run) for run in RUNS], SEARCH / "qrels.parquet", "ap", depth=7) as pool:
        assert [(row["query_id"], row["doc_id"]) for row in out.table] == [row[:2] for row in pool.rows.fetchall()]
