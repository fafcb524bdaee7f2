"""LETOR (svmlight) text and the scores of its lines, as RankLib, LightGBM and XGBoost write and read them."""

from __future__ import annotations

import gzip
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import each, hold
from tests.tool_samples import FOLDER

LETOR, SCORES = FOLDER / "letor.txt", FOLDER / "letor.ranklib.scores"
METRICS = ["rr", "ndcg@10"]
# Query 10 has the relevances 0, 2, 1 in the order of the scores, and query 11 has 0, 1:
# rr 1/2 and 1/2; ndcg (2/log2(3) + 1/2) / (2 + 1/log2(3)) and 1/log2(3).
WORKED = {"rr": 0.5, "ndcg@10": (1.7618595071429148 / 2.6309297535714573 + 0.6309297535714575) / 2}
NUMBERS = [3.0, 2.0, 1.0, 0.5, 0.7]


def values(run: Any, **options: Any) -> dict[str, float | None]:
    with sqlrank.evaluate(run, metrics=METRICS, **options) as result:
        return {text: result[text] for text in METRICS}


def written(folder: Path, lines: str, scores: str | None = None, **others: str) -> list[object]:
    """The words that evaluate files with these contents."""
    (folder / "given.txt").write_text(lines, newline="")
    for name, text in others.items():
        (folder / name.replace("_", ".")).write_text(text)
    if scores is not None:
        (folder / "scores.txt").write_text(scores, newline="")
    return ["eval", folder / "given.txt", "--scores", folder / "scores.txt", "-m", "rr"]


def test_scores_are_files_numbers_arrays_and_arrays_by_name() -> None:
    for scores in (NUMBERS, tuple(NUMBERS), [3, 2, 1, 0, 1]):
        assert values(LETOR, scores=scores) == pytest.approx(WORKED)
    assert values(LETOR, scores=SCORES) == pytest.approx(WORKED)
    numpy = pytest.importorskip("numpy")
    assert values(LETOR, scores=numpy.array(NUMBERS, dtype="float32")) == pytest.approx(WORKED)
    assert values(LETOR, scores=list(numpy.array(NUMBERS, dtype="float32"))) == pytest.approx(WORKED)
    given = {"one": numpy.array(NUMBERS), "other": -numpy.array(NUMBERS)}
    with sqlrank.evaluate(LETOR, metrics="rr", scores=given) as result:
        assert {row["system"]: row["value"] for row in result.to_dicts()} == {"one": 0.5, "other": 1.0}


@each(["letor.lightgbm.scores", "letor.xgboost.scores"])
def test_scores_of_other_tools_are_ranked_as_their_numbers_are(name: str) -> None:
    scores = [float(line) for line in (FOLDER / name).read_text().split()]
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, float]] = {}
    for line, score in zip(LETOR.read_text().splitlines(), scores, strict=True):
        row = line.split()
        run.setdefault(row[1][4:], {})[row[7]] = score
        qrels.setdefault(row[1][4:], {})[row[7]] = float(row[0])
    assert values(LETOR, scores=FOLDER / name) == pytest.approx(values(run, qrels=qrels))


def test_files_of_scores_are_systems_that_compare_takes() -> None:
    words = ["compare", LETOR, "--scores", f"ranklib={SCORES}", "--scores", FOLDER / "letor.lightgbm.scores"]
    (row,) = completed(*words, "-m", "rr", "--format", "csv").table
    found = row["baseline"], row["system"], row["baseline_value"], row["value"]
    assert found == ("ranklib", "letor.lightgbm.scores", "0.5", "1")
    alone = completed(*words, "-m", "overlap@2", "--format", "csv").table
    assert alone[0]["system"] == "letor.lightgbm.scores"
    shown = completed("explain", "10", *words[1:], "-m", "rr", "--system", "ranklib", "--format", "csv").table
    assert [row["doc_id"] for row in shown[:3]] == ["GX1-a", "GX1-b", "GX1-c"]


def test_pool_and_report_take_scores_too(tmp_path: Path) -> None:
    words = [LETOR, "--scores", f"ranklib={SCORES}", "--scores", f"other={FOLDER / 'letor.lightgbm.scores'}"]
    assert completed("pool", *words, "--depth", "2", "-o", tmp_path / "pool.csv").code == 0
    with sqlrank.compare(LETOR, metrics="rr", scores={"a": NUMBERS, "b": [1, 2, 3, 4, 5]}) as result:
        assert result.rows.fetchall()


def test_lines_without_queries_have_the_sizes_of_groups_beside_them(tmp_path: Path) -> None:
    words = ["eval", FOLDER / "svmlight.txt", "--scores", FOLDER / "letor.lightgbm.scores", "-m", "rr"]
    done = completed(*words, "--format", "csv")
    assert done.table[0]["value"] == "1"
    assert f"queries are numbered by {FOLDER}/svmlight.txt.group" in done.err
    shutil.copy(FOLDER / "svmlight.txt", tmp_path / "train.txt")
    shutil.copy(FOLDER / "svmlight.txt.group", tmp_path / "train.txt.query")
    assert values(tmp_path / "train.txt", scores=NUMBERS) == pytest.approx(WORKED)
    (tmp_path / "train.txt.gz").write_bytes(gzip.compress((tmp_path / "train.txt").read_bytes()))
    assert values(tmp_path / "train.txt.gz", scores=NUMBERS) == pytest.approx(WORKED)
    with sqlrank.evaluate(tmp_path / "train.txt", metrics="rr", scores=NUMBERS) as result:
        assert sorted(result.to_dict()) == ["1", "2"]


def test_lines_are_judgments_of_other_runs(tmp_path: Path) -> None:
    run = {"10": {"GX1-a": 3, "GX1-b": 2, "GX1-c": 1}, "11": {"GX1-a": 1, "GX1-d": 2}}
    assert values(run, qrels=LETOR) == pytest.approx(WORKED)
    run = {"1": {"d2": 2, "d3": 1}, "2": {"d4": 1}}
    with sqlrank.evaluate(run, FOLDER / "quepid.ltr.txt", ["rr", "num_rel"]) as result:
        assert (result["rr"], result["num_rel"]) == (1.0, 4)
        assert any("doc_id is the first word of the comment" in note for note in result.notes)


def test_ids_come_from_comments_where_each_line_has_one(tmp_path: Path) -> None:
    def check(case: tuple[str, list[str], str]) -> None:
        lines, ids, said = case
        (tmp_path / "given.txt").write_text(lines)
        done = run_cli("eval", tmp_path / "given.txt", "--scores", "-", "-m", "rr", stdin=b"2\n1\n")
        assert (done.code, f"doc_id is {said}" in done.err) == (0, True), done.err
        with sqlrank.evaluate(tmp_path / "given.txt", metrics="rr", scores=[2, 1]) as result:
            assert [row["doc_id"] for row in result.explain("1").to_dicts()] == ids

    cases = [
        ("1 qid:1 1:2 # a\n0 qid:1 1:3 # b\n", ["a", "b"], "the first word of the comment"),
        ("1 qid:1 1:2 # a x\n0 qid:1 1:3 #a y\n", ["1", "2"], "the number of the line in its file"),
        ("1 qid:1 1:2 # a\n0 qid:1 1:3\n", ["1", "2"], "the number of the line in its file"),
        ("# made by hand\n\n1 qid:1 1:2\n\n0 qid:1 1:3\n", ["3", "5"], "the number of the line in its file"),
        ('1 qid:1 # docid = a,b\n0 qid:1 #docid="c inc = 1\n', ["a,b", '"c'], "the docid of the comment"),
    ]
    hold(cases, check)


def test_it_is_known_by_its_lines_whatever_its_name(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        name, end = case
        text = ("\ufeff" + LETOR.read_text()).replace("\n", end).encode()
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        scores = gzip.compress(SCORES.read_bytes())
        (tmp_path / "scores.gz").write_bytes(scores)
        assert values(tmp_path / name, scores=tmp_path / "scores.gz") == pytest.approx(WORKED)

    hold(
        product(["train.txt", "train.dat", "train", "train.svm", "train.csv", "vali.txt.gz", "a.trec"], ["\n", "\r\n"]),
        check,
    )


GOOD = "1 qid:1 1:0.5 # a\n0 qid:1 1:0.25 # b\n1 qid:2 1:1 # a\n"


def test_what_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    def check(case: tuple[str, str, str]) -> None:
        lines, scores, said = case
        message = error_of(3, *written(tmp_path, lines, scores))
        assert said.format(given=tmp_path / "given.txt") in message

    cases = [
        (GOOD, "3\n2\n", "scores.txt: 2 scores, and {given} has 3 lines"),
        (GOOD, "3\n2\n1\n0\n", "scores.txt: 4 scores, and {given} has 3 lines"),
        (GOOD, "3\nhigh\n1\n", "scores.txt, line 2: is not one score: 'high'"),
        (GOOD, "3\n\n1,5\n1\n", "scores.txt, line 3: is not one score: '1,5'"),
        (GOOD, "0.1\t0.2\n0.3\t0.4\n1\t2\n", "scores.txt, line 1: is not one score: '0.1\\t0.2'"),
        (GOOD, "3\n\n", "scores.txt: 1 score,"),
        (GOOD, "3\nnan\n1\n", "given.txt, line 2: "),
        (GOOD, "3\ninf\n1\n", "given.txt, line 2: "),
        (GOOD, "", "scores.txt: the file is empty"),
        (
            GOOD,
            "1\t0\t3\n1\t1\t2\n1\t2\t1\n",
            "score 3 belongs to query '1', place 2, and row 3 of {given} to query '2'",
        ),
        (GOOD, "1\t1\t3\n1\t0\t2\n2\t0\t1\n", "score 1 belongs to query '1', place 1, and row 1"),
        (GOOD, "1\t0\t3\n1\t1\n2\t0\t1\n", "scores.txt, line 2: is not a query, a place from 0 and a score"),
        (GOOD.replace("0 qid", "x qid"), "3\n2\n1\n", "given.txt, line 2: is not a line of LETOR"),
        (GOOD.replace("1:0.25", "0.25"), "3\n2\n1\n", "given.txt, line 2: is not a line of LETOR"),
        (GOOD.replace("0 qid:1", "0"), "3\n2\n1\n", "given.txt, line 2: has no qid:, which other lines have"),
        (GOOD[:-13] + "\n", "3\n2\n1\n", "given.txt, line 3: is not a line of LETOR"),
        (GOOD + GOOD[:18], "3\n2\n1\n0\n", "'a'"),
        ("1 qid:1 # docid = a\n0 qid:1 # doc\n", "2\n1\n", "given.txt, line 2: has no docid in its comment"),
        ("1 1:2\n0 1:3\n", "2\n1\n", "its lines have no qid:, and no {given}.group or"),
    ]
    hold(cases, check)


BARE = "1 1:0.5\n0 1:0.25\n1 1:1\n"


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"given_txt_group": "2\n2\n"}, "given.txt.group: its 2 groups have 4 lines, and {given} has 3"),
        ({"given_txt_query": "2\n"}, "given.txt.query: its 1 group has 2 lines, and {given} has 3"),
        ({"given_txt_group": "2\n1.5\n"}, "given.txt.group, line 2: is not a size of a group: '1.5'"),
        ({"given_txt_group": "2\n-1\n2\n"}, "given.txt.group, line 2: is not a size of a group: '-1'"),
        ({"given_txt_group": ""}, "given.txt.group: its 0 groups have 0 lines, and {given} has 3"),
        (
            {"given_txt_group": "2\n1\n", "given_txt_query": "2\n1\n"},
            "given.txt.group and {given}.query give the sizes of groups; keep one",
        ),
    ],
)
def test_sizes_of_groups_that_do_not_fit_are_told(sizes: dict[str, str], said: str, tmp_path: Path) -> None:
    message = error_of(3, *written(tmp_path, BARE, "3\n2\n1\n", **sizes))
    assert said.format(given=tmp_path / "given.txt") in message


def test_what_scores_are_not_of_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query_id,doc_id,score,relevance\nq,a,1,1\n")
    assert "which it is not" in error_of(2, "eval", tmp_path / "run.csv", "--scores", SCORES)
    assert "--scores: 3 for 2 runs" in error_of(2, "eval", LETOR, LETOR, *["--scores", SCORES] * 3)
    assert "standard input can be read only once" in error_of(2, "eval", "-", "--scores", "-", stdin=b"1 qid:1 1:1\n")
    assert "give those of its lines with --scores FILE" in error_of(3, "eval", LETOR)
    with pytest.raises(sqlrank.UsageError, match="name the file"):
        sqlrank.evaluate({"q": {"d": 1}}, metrics="rr", scores=[1.0])
    with pytest.raises(sqlrank.UsageError, match="give a file, or a list or an array of numbers"):
        sqlrank.evaluate(LETOR, metrics="rr", scores=7)
    with pytest.raises(sqlrank.DataError, match=r"the scores: 2 scores, and .* has 5 lines"):
        sqlrank.evaluate(LETOR, metrics="rr", scores=[1.0, 2.0])
    assert "is LETOR text" in error_of(3, "eval", LETOR, "--scores", SCORES, "--input-format", "trec")


def test_conditions_segments_and_printed_statements_read_the_scores(tmp_path: Path) -> None:
    words = ["eval", LETOR, "--scores", SCORES, "-m", "rr", "--format", "csv"]
    assert completed(*words, "--where", "doc_id <> 'GX1-a'").table[0]["value"] == "0.5"
    duckdb = pytest.importorskip("duckdb")
    printed = completed(*words[:-2], "--show-sql").out
    with duckdb.connect() as connection:
        rows = connection.execute(printed).fetchall()
    assert sorted(row[1] for row in rows) == ["10", "11"]
    (tmp_path / "scores.txt").write_text(SCORES.read_text())
    said = error_of(2, "eval", LETOR, "--scores", tmp_path / "scores.txt", "-m", "rr", "-o", tmp_path / "scores.txt")
    assert "scores.txt" in said
