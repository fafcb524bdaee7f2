"""Text of recommenders, of Quepid, of pandas and of Spark is known by its first line, and by its folder."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest

import sqlrank
from tests.inputs.test_files_of_tools import NUMBERED, values
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import each, hold
from tests.tool_samples import FOLDER, QRELS, RUN, VALUES


@each(product(["movielens.ratings.dat", "movielens.u.data"], [{}, {"input_format": "movielens"}]))
def test_ratings_of_movielens_have_the_value_worked_out(case: tuple[str, dict[str, str]]) -> None:
    name, options = case
    assert values(NUMBERED, FOLDER / name, **options) == pytest.approx(VALUES)


def test_line_ends_and_byte_order_marks_do_not_matter(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        end, name = case
        text = "\ufeff" + (FOLDER / name).read_text().replace("\n", end)
        (tmp_path / name).write_text(text, newline="")
        assert values(NUMBERED if "movielens" in name else RUN, tmp_path / name) == pytest.approx(VALUES)

    hold(
        product(["\r\n", "\n\n"], ["movielens.ratings.dat", "movielens.u.data", "recbole.inter", "quepid.basic.csv"]),
        check,
    )


@each(
    [
        ("recbole.inter", "read as an atomic file of RecBole: user_id:token is the column user_id, and so on"),
        ("recbole.inter", "query_id is read from the column user_id, doc_id from item_id, relevance from rating"),
        ("quepid.basic.csv", "read as an export of Quepid: query is query_id, docid is doc_id, rating is relevance"),
        ("quepid.basic.csv", "1 query without a rating is left out"),
        ("quepid.basic_snapshot.csv", "1 document and 1 query without a rating are left out"),
        ("index.qrels.parquet", "the column '__index_level_0__' is an index of pandas by its name, and read only if"),
    ]
)
def test_what_a_file_was_read_as_is_said(case: tuple[str, str]) -> None:
    name, said = case
    done = run_cli("eval", FOLDER / "ranx.run.json", "--qrels", FOLDER / name, "-m", "num_rel")
    assert f"{FOLDER / name}: {said}" in done.err


def test_ratings_of_movielens_may_have_names_and_say_what_counts_as_relevant(tmp_path: Path) -> None:
    text = (FOLDER / "movielens.ratings.dat").read_text().replace("::", ",")
    (tmp_path / "ratings.csv").write_text("userId,movieId,rating,timestamp\n" + text)
    assert values(NUMBERED, tmp_path / "ratings.csv") == pytest.approx(VALUES)
    with sqlrank.evaluate(NUMBERED, FOLDER / "movielens.u.data", "rr", rel=2) as result:
        assert result["rr"] == 0.25
        said = "read as ratings of MovieLens: user is query_id, movie is doc_id, rating is relevance"
        assert any(f"{said}; rel= says from which" in note for note in result.notes)


def test_snapshots_of_quepid_name_their_systems_and_their_fields_are_no_ratings(tmp_path: Path) -> None:
    rows = (FOLDER / "quepid.snapshot.csv").read_text().splitlines()
    turned = [row.replace("(3/5/26) Weekly check", "later").replace("q1,d1,1", "q1,d2,1") for row in rows[1:]]
    turned = [row.replace("q1,d2,2", "q1,d1,2") for row in turned]
    (tmp_path / "both.csv").write_text("\n".join([*rows, *turned]) + "\n")
    words = ["compare", tmp_path / "both.csv", "--qrels", FOLDER / "quepid.basic.csv", "-m", "rr", "--format", "csv"]
    (row,) = completed(*words, "--baseline", "(3/5/26) Weekly check").table
    assert (row["baseline"], row["system"]) == ("(3/5/26) Weekly check", "later")
    assert (row["baseline_value"], row["value"]) == ("0.75", "1")
    rated = [f"{row},{end}\n" for row, end in zip(rows, ["Rating", *"-----"], strict=False)]
    (tmp_path / "given.csv").write_text("".join(rated))
    assert values(tmp_path / "given.csv", FOLDER / "quepid.basic.csv") == pytest.approx(VALUES)


def test_a_look_tells_what_they_are() -> None:
    snapshot, basic = FOLDER / "quepid.snapshot.csv", FOLDER / "quepid.basic.csv"
    assert f"sqlrank eval {snapshot} --qrels {basic}\n" in completed("inspect", snapshot, basic).out
    looked = completed("inspect", FOLDER / "movielens.ratings.dat").out
    assert "judgments, ratings of MovieLens, 4 rows, 2 queries" in looked


def test_ids_of_quepid_may_hold_anything_and_guards_are_undone(tmp_path: Path) -> None:
    text = 'query,docid,rating\n" -5 °C, ""cold""",d1,1\n" plain",d2,1\n"a\nb",d3,1\nnothing\n'
    (tmp_path / "given.csv").write_text(text)
    run = {'-5 °C, "cold"': {"d1": 1}, " plain": {"d2": 1}, "a\nb": {"d3": 1}}
    with sqlrank.evaluate(run, tmp_path / "given.csv", "rr") as result:
        assert result.to_dict() == {query: {"rr": 1.0} for query in run}
        assert any("is left out of 1 query" in note for note in result.notes)


def test_a_file_that_may_be_two_things_is_refused_with_both(tmp_path: Path) -> None:
    (tmp_path / "given.txt").write_text("1\t0\t3\t881250949\n")
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\n1,0,2\n1,3,1\n")
    words = ["eval", tmp_path / "run.csv", "--qrels", tmp_path / "given.txt", "-m", "rr", "--format", "csv"]
    both = "given.txt: may be TREC or ratings of MovieLens; say which with --input-format trec or --input-format"
    assert both in error_of(3, *words)
    assert completed(*words, "--input-format", "movielens").table[0]["value"] == "1"
    (tmp_path / "run.trec").write_text("1 Q0 0 1 2 r\n1 Q0 3 2 1 r\n")
    words[1] = tmp_path / "run.trec"
    assert completed(*words, "--input-format", "trec").table[0]["value"] == "0.5"


def test_columns_that_are_known_by_their_places_are_no_ratings(tmp_path: Path) -> None:
    (tmp_path / "run.tsv").write_text("1\t2\t5\t881250949\n1\t3\t6\t881250950\n")
    with sqlrank.evaluate(tmp_path / "run.tsv", {"1": {"2": 1}}, "rr", header=False) as result:
        assert result["rr"] == 0.5
    columns = {"run.query_id": "#1", "run.doc_id": "#2", "run.score": "#4"}
    with sqlrank.evaluate(tmp_path / "run.tsv", {"1": {"2": 1}}, "rr", columns=columns) as result:
        assert result["rr"] == 0.5
    given = FOLDER / "movielens.u.data"
    assert values(NUMBERED, given, header=False, input_format=None) == pytest.approx(VALUES)
    said = "run.tsv has no column for the score; it looks like judgments"
    with pytest.raises(sqlrank.DataError, match=said.replace(".", r"\.")):
        sqlrank.evaluate(tmp_path / "run.tsv", {"1": {"2": 1}}, "rr")


def test_qrels_of_trec_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1\t7\t2\t2\n1\t7\t3\t1\n1\t7\t9\t1\n2\t7\t4\t1\n")
    assert values(NUMBERED, tmp_path / "qrels.txt") == pytest.approx(VALUES)


def test_what_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    def check(case: tuple[str, str, str]) -> None:
        name, text, said = case
        (tmp_path / name).write_text(text)
        (tmp_path / "run.csv").write_text("query_id,doc_id,score\n1,2,2\nq1,d1,1\n")
        message = error_of(3, "eval", tmp_path / "run.csv", "--qrels", tmp_path / name, "-m", "rr")
        assert str(tmp_path / name) in message
        assert said in message

    cases = [
        ("u.data", "1\t2\t2\t881250949\n1\t3\t1\n", "line 2"),
        ("u.data", "1\t2\t2\t881250949\n1\t3\thigh\t881250949\n", "line 2"),
        ("ratings.dat", "1::2::2::978300760\n1::3::1::978302109::4\n", "line 2"),
        ("ratings.dat", "1::2::2::978300760\n1::3::x::978302109\n", "line 2"),
        ("ratings.dat", "1::2::2::978300760\n::3::1::978302109\n", "line 2"),
        ("ratings.dat", "1::2::2::978300760\n1::2::1::978302109\n", "'2'"),
        ("a.inter", "user_id:token\titem_id:token\trating:float\n1\t2\n", "line 2"),
        ("a.inter", "user_id:token\titem_id:token\trating:float\n1\t2\tx\n", "line 2"),
        ("a.inter", "user_id:token\tuser_id:token\trating:float\n1\t2\t1\n", "the column 'user_id' twice"),
        ("a.inter", "user_id:token\tuser_id:float\trating:float\n1\t2\t1\n", "the column 'user_id' twice"),
        ("a.inter", "user_id:token\titem_id:token\trating:float\n", "there are no rows"),
        ("q.csv", "query,docid,rating\nq1,d1,high\nq2\n", "line 2: the rating is not a number: 'q1,d1,high'"),
        ("q.csv", "query,docid,rating\nq1,d1\nq2\n", "line 2: 2 fields, where the header has 3: 'q1,d1'"),
        ("q.csv", "query,docid,rating\nq1,d1\n", "q.csv, line 2: Expected Number of Columns: 3 Found: 2"),
        ("q.csv", "query,docid,rating\nq1,d1,high\n", "q.csv, line 2"),
        ("q.csv", "query,docid,rating\nq1,d1,1,2\nq2\n", "line 2: 4 fields, where the header has 3"),
        ("q.csv", "query,docid,rating\nq1,d1,1\nq2", "line 3: the line has no end and no rating: the file is cut"),
        ("q.csv", "query,docid,rating\nq1,d1,1\nq1,d2,", "line 3: the line has no end and no rating"),
        ("q.csv", 'query,docid,rating\nq1\n"q2,d1,1\n', "cannot be read as CSV (unexpected end of data)"),
        ("q.csv", "query,docid,rating\nq1\nquery,docid,rating\n", "line 3: the rating is not a number"),
        ("q.csv", "query,docid,rating\nq1,d1,1\nq1,d1,2\n", "'d1'"),
        ("q.csv", "query,docid,rating\nq1\n", "there are no rows"),
        ("q.csv", "Team Name,Case ID,Query Text,Doc ID,Title,Rating\nt,8,q1,d1\n", "line 2: 4 fields"),
        ("u.data", "", "the file is empty"),
    ]
    hold(cases, check)


def test_a_snapshot_that_is_cut_is_refused(tmp_path: Path) -> None:
    text = (FOLDER / "quepid.snapshot.csv").read_bytes()
    (tmp_path / "given.csv").write_bytes(text[:-8])
    said = error_of(3, "eval", tmp_path / "given.csv", "--qrels", FOLDER / "quepid.basic.csv")
    assert "given.csv, line 6: 6 fields, where the header has 7" in said


def test_empty_parts_are_left_out_where_the_job_says_that_it_ended_and_is_refused_where_it_does_not(
    tmp_path: Path,
) -> None:
    shutil.copytree(FOLDER / "spark_qrels", tmp_path / "qrels")
    assert values(RUN, f"{tmp_path}/qrels/part-*") == pytest.approx(VALUES)
    (tmp_path / "qrels" / "_SUCCESS").unlink()
    with pytest.raises(sqlrank.DataError, match="part-00000: the file is empty"):
        values(RUN, tmp_path / "qrels")
    for name in ("part-00000", "part-00001", "_SUCCESS"):
        (tmp_path / name).touch()
    with pytest.raises(sqlrank.DataError, match="part-00000: the file is empty"):
        values(RUN, tmp_path)
    shutil.copytree(FOLDER / "spark_run", tmp_path / "run")
    (tmp_path / "run" / "_temporary" / "0").mkdir(parents=True)
    with pytest.raises(sqlrank.DataError, match="run: the job that writes it has not ended"):
        values(tmp_path / "run", QRELS)


def test_parts_without_names_are_rows_and_parts_with_other_names_are_refused(tmp_path: Path) -> None:
    (tmp_path / "part-00000-a-c000.csv").write_text("q1,d1,0.9\nq1,d2,0.8\nq1,d3,0.7\n")
    (tmp_path / "part-00001-a-c000.csv").write_text("q2,d4,5.0\nq2,d5,1.0\n")
    assert values(tmp_path, QRELS) == pytest.approx(VALUES)
    (tmp_path / "part-00002-a-c000.csv").write_text("query_id,doc_id,score\nq3,d4,5.0\n")
    with pytest.raises(sqlrank.DataError):
        values(tmp_path, QRELS)


def test_an_index_is_an_id_only_if_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("Unnamed: 0,doc_id,score\nq1,d2,2\nq2,d4,1\n")
    words = ["eval", tmp_path / "run.csv", "--qrels", FOLDER / "beir.qrels.tsv", "-m", "rr", "--format", "csv"]
    assert "if it is the index: --column 'query_id=Unnamed: 0'" in error_of(3, *words)
    assert completed(*words, "--column", "run.query_id=Unnamed: 0").table[0]["value"] == "1"
    (tmp_path / "run.csv").write_text(",doc_id,score\nq1,d2,2\nq2,d4,1\n")
    assert "if it is the first column, which has no name: give it one" in error_of(3, *words)
