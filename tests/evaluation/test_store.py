"""A store of per-query rows by day and system: what is in it, what it refuses, and that it stays whole."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.store.folders import file_name
from sqlrank.evaluation.stored import Stored, open_stored
from sqlrank.inputs.reading import Reading
from sqlrank.process import output_files
from tests.support.cli_helper import Outcome, command, completed, environment, error_of, run_cli
from tests.support.small_data import QRELS, QRELS_NAMES, RUN, RUN_NAMES, SEGMENTS, as_pairs, write_both, write_csv

AP = [(1 / 2 + 2 / 3) / 3, 1 / 2, 0.0]
FOLDER, FILE = "results", "results.duckdb"
PLACES = pytest.mark.parametrize("place", [FOLDER, FILE])
ROWS = {FOLDER: f"'{FOLDER}/*/*.parquet'", FILE: "results"}
HOSTILE = ["../x", "a/b", "ü'\"", "x" * 300, "a b", "A B", ".hidden", "nul", "a\nb", "-", "%2e%2e", "{x}", "*"]


def evaluated(place: str, day: str, *options: Any, run: str = "run.csv", metrics: tuple[str, ...] = ("ap",)) -> Outcome:
    """Evaluate the small data and store it."""
    write_both()
    asked = [word for metric in metrics for word in ("-m", metric)]
    return run_cli("eval", run, "--qrels", "qrels.csv", *asked, "--store", place, "--as-of", day, *options)


def put(place: str, day: str, *options: Any, **named: Any) -> Outcome:
    """The same, which ends well."""
    outcome = evaluated(place, day, *options, **named)
    assert outcome.code == 0, outcome.err
    return outcome


def refused(code: int, place: str, day: str, *options: Any, **named: Any) -> str:
    """The same, which is refused."""
    outcome = evaluated(place, day, *options, **named)
    assert (outcome.code, outcome.out) == (code, ""), outcome.err
    return outcome.err


def rows(place: str, asked: str = "select *") -> list[tuple[Any, ...]]:
    """What a bare DuckDB reads."""
    with duckdb.connect(place if place.endswith(".duckdb") else ":memory:") as connection:
        return connection.execute(f"{asked} from {ROWS.get(place, repr(place + '/*/*.parquet'))}").fetchall()


def files(place: str = FOLDER) -> list[Path]:
    """The files of a store."""
    return sorted(Path(place).glob("as_of=*/*.parquet"))


def opened(path: Any) -> Stored:
    """A store as a comparison opens it; its reader is a table of a connection that is closed."""
    from sqlrank.engines.duckdb import DuckDBEngine

    engine = DuckDBEngine()
    try:
        found = open_stored(engine, None, path, Reading())
        assert found is not None
        assert engine.execute(f"select count(distinct {found.day}) from {found.reader}") == [(len(found.days),)]
        return found
    finally:
        engine.close()


# What is in it


@PLACES
def test_the_rows_have_the_day_the_query_its_values_and_how_much_was_judged(place: str) -> None:
    outcome = put(place, "2026-11-10")

    shown = "results/" if place == FOLDER else place
    assert f"note: stored 3 queries of run for 2026-11-10 in {shown}\n" in outcome.err
    assert "0.2963" in outcome.out  # the table is printed as ever
    names = "as_of, system, query_id, ap, judged_at_10, sqlrank_retrieved"
    found = rows(place, f"select {names}")
    assert [row[:3] for row in found] == [(date(2026, 11, 10), "run", query) for query in ("q1", "q2", "q3")]
    assert [row[3] for row in found] == pytest.approx(AP)
    assert [row[4] for row in found] == pytest.approx([2 / 3, 1 / 2, 0.0])
    assert [row[5] for row in found] == [3, 2, 0]
    assert len(rows(place)[0]) == 6


@PLACES
def test_segments_weights_and_clusters_are_columns(place: str) -> None:
    lines = [(query, country, number, "t") for number, (query, country) in enumerate(SEGMENTS.items(), 1)]
    write_csv("queries.csv", ("query_id", "country", "traffic", "topic"), lines)
    options = ["--queries", "queries.csv", "--by", "country", "--weight", "traffic", "--cluster", "topic"]
    put(place, "2026-11-10", *options)
    assert rows(place, "select query_id, country, topic, weight") == [
        ("q1", "de", "t", 1.0),
        ("q2", "fr", "t", 2.0),
        ("q3", "de", "t", 3.0),
    ]
    said = refused(3, place, "2026-11-11", "--queries", "queries.csv", "--by", "country", "--cluster", "topic")
    assert "was evaluated with --weight traffic, this evaluation without --weight" in said
    said = refused(3, place, "2026-11-11", "--queries", "queries.csv", "--weight", "traffic")
    assert "was evaluated with --by or --cluster country, topic, this evaluation without --by or --cluster" in said


def test_a_file_says_what_its_rows_mean() -> None:
    put(FOLDER, "2026-11-10", "--rel", "2")
    (file,) = files()
    assert file == Path(FOLDER, "as_of=2026-11-10", file_name("run"))
    told = {key.decode(): value.decode() for key, value in pq.read_metadata(file).metadata.items()}
    assert (told["as_of"], told["rows"], told["sqlrank"]) == ("2026-11-10", "per query", sqlrank.__version__)
    assert json.loads(told["conventions"])["rel"] == 2
    contents = json.loads(told["contents"])
    assert contents["metrics"] == {"ap(rel=2)": "ap_rel2", "judged@10": "judged_at_10"}
    assert contents["pool"] == "judged@10"


def test_a_database_says_what_its_rows_mean() -> None:
    put(FILE, "2026-11-10")
    with duckdb.connect(FILE) as connection:
        found = connection.execute("select as_of, system, contents->>'$.pool' from meanings").fetchall()
    assert found == [(date(2026, 11, 10), "run", "judged@10")]


@pytest.mark.parametrize(
    ("options", "metrics", "columns"),
    [
        ((), ("p@5", "ndcg@20"), ["p_at_5", "ndcg_at_20", "judged_at_20"]),
        ((), ("ap", "judged@10"), ["ap", "judged_at_10"]),
        (("--like", "trec_eval"), ("ap",), ["ap"]),
    ],
)
def test_the_share_that_was_judged_is_stored_to_the_largest_cutoff_unless_a_tool_is_followed(
    options: tuple[str, ...], metrics: tuple[str, ...], columns: list[str]
) -> None:
    put(FOLDER, "2026-11-10", *options, metrics=metrics)
    assert pq.read_schema(files()[0]).names[3:-1] == columns


def test_a_labelled_export_has_no_share_that_was_judged() -> None:
    write_csv("export.csv", ("query_id", "doc_id", "score", "relevance"), [("q1", "d1", 0.9, 1)])
    completed("eval", "export.csv", "-m", "ap", "--store", FOLDER, "--as-of", "2026-11-10")
    assert pq.read_schema(files()[0]).names[3:] == ["ap", "sqlrank_retrieved"]


def test_python_stores_a_result_and_says_so() -> None:
    runs = {"a": as_pairs(RUN), "b": as_pairs(RUN)}
    with sqlrank.evaluate(systems=runs, qrels=as_pairs(QRELS), metrics="ap") as result:
        assert result.store(FOLDER, as_of=date(2026, 11, 10)) == [
            f"stored 3 queries of {system} for 2026-11-10 in results/" for system in ("a", "b")
        ]
        with pytest.raises(DataError, match=r"holds rows of a, b for 2026-11-10 already; replace=True puts"):
            result.store(Path(FOLDER), as_of=datetime(2026, 11, 10, 12))
        assert result.store(FOLDER, as_of="2026-11-10", replace=True)[0].startswith("replaced 3 queries of a")
        with pytest.raises(UsageError, match=r"as_of= takes a date such as '2026-11-10', not '10.11.2026'"):
            result.store(FOLDER, as_of="10.11.2026")
    assert sorted(set(rows(FOLDER, "select system"))) == [("a",), ("b",)]


def test_a_condition_of_the_user_does_not_keep_rows_from_the_store() -> None:
    run = sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), "ap", where="score > 0.6", query_set="run")
    with run as result:
        result.store(FOLDER, as_of="2026-11-10")
        result.store(FILE, as_of="2026-11-10")
    assert rows(FOLDER, "select query_id") == rows(FILE, "select query_id") == [("q1",)]


@PLACES
@pytest.mark.parametrize("system", HOSTILE)
def test_a_system_of_any_name_is_stored_inside_the_store(place: str, system: str) -> None:
    Path("inside").mkdir()
    os.chdir("inside")
    with sqlrank.evaluate(systems={system: as_pairs(RUN)}, qrels=as_pairs(QRELS), metrics="ap") as result:
        result.store(place, as_of="2026-11-10")
    assert set(rows(place, "select system")) == {(system,)}
    assert opened(place).systems == (system,)
    assert os.listdir("..") == ["inside"]
    assert os.listdir() == [place]
    if place == FOLDER:
        assert [path.parts[:2] for path in files()] == [("results", "as_of=2026-11-10")]


def test_names_that_look_alike_have_files_of_their_own() -> None:
    assert len({file_name(system).lower() for system in HOSTILE}) == len(HOSTILE)
    assert all(len(file_name(system)) < 80 for system in HOSTILE)


def test_polars_and_pyarrow_read_a_folder() -> None:
    put(FOLDER, "2026-11-10")
    put(FOLDER, "2026-11-11")
    assert polars.read_parquet(FOLDER)["as_of"].unique().sort().to_list() == [date(2026, 11, 10), date(2026, 11, 11)]
    assert pq.read_table(FOLDER, partitioning=None).num_rows == 6


# What it refuses


@PLACES
def test_a_day_and_system_is_stored_once_unless_it_is_replaced(place: str) -> None:
    put(place, "2026-11-10")
    said = refused(3, place, "2026-11-10")
    assert "holds rows of run for 2026-11-10 already; --replace-stored puts these in their place" in said
    write_csv("better.csv", RUN_NAMES, [("q1", "d2", 1.0), ("q2", "d4", 1.0)])
    outcome = put(place, "2026-11-10", "--replace-stored", run="run=better.csv")
    assert "note: replaced 3 queries of run for 2026-11-10 in" in outcome.err
    assert [row[0] for row in rows(place, "select ap")] == pytest.approx([1 / 3, 1.0, 0.0])
    assert "note: stored 3 queries of run for 2026-11-12" in put(place, "2026-11-12", "--replace-stored").err


@PLACES
def test_one_of_several_systems_that_is_there_keeps_all_from_being_stored(place: str) -> None:
    put(place, "2026-11-10")
    write_both()
    said = error_of(
        3,
        "eval",
        "other=run.csv",
        "run.csv",
        "--qrels",
        "qrels.csv",
        "-m",
        "ap",
        "--store",
        place,
        "--as-of",
        "2026-11-10",
    )
    assert "holds rows of run for 2026-11-10 already" in said
    assert set(rows(place, "select system")) == {("run",)}


@PLACES
@pytest.mark.parametrize(
    ("options", "metrics", "said"),
    [
        (("--ties", "doc-asc"), ("ap",), "with --ties doc-desc, this evaluation with --ties doc-asc"),
        (("--depth", "5"), ("ap",), "with --depth None, this evaluation with --depth 5"),
        ((), ("ap", "rr"), "with -m ap -m judged@10, this evaluation with -m ap -m judged@10 -m rr"),
        ((), ("rr",), "with -m ap -m judged@10, this evaluation with -m judged@10 -m rr"),
        (("--where", "doc_id <> 'd9'"), ("ap",), "without --where, this evaluation with --where doc_id <> 'd9'"),
    ],
)
def test_rows_that_were_measured_otherwise_are_refused_with_the_names_of_both_ways(
    place: str, options: tuple[str, ...], metrics: tuple[str, ...], said: str
) -> None:
    put(place, "2026-11-10")
    err = refused(3, place, "2026-11-11", *options, metrics=metrics)
    assert said in err
    assert "a store holds one way of measuring" in err
    assert "name another place" in err
    assert len(rows(place)) == 3


@PLACES
def test_the_only_rows_may_be_replaced_by_such_as_were_measured_otherwise(place: str) -> None:
    put(place, "2026-11-10")
    put(place, "2026-11-10", "--replace-stored", metrics=("rr",))
    assert [row[0] for row in rows(place, "select rr")] == [0.5, 0.5, 0.0]
    put(place, "2026-11-11", metrics=("rr",))
    assert "with -m judged@10 -m rr, this" in refused(3, place, "2026-11-11", "--replace-stored")


@PLACES
def test_the_order_of_metrics_is_no_way_of_measuring(place: str) -> None:
    put(place, "2026-11-10", metrics=("ap", "rr"))
    put(place, "2026-11-11", metrics=("rr", "ap"))
    assert rows(place, "select ap, rr")[:3] == rows(place, "select ap, rr")[3:]


@PLACES
def test_conditions_may_differ_by_a_date(place: str) -> None:
    for day in ("2026-11-10", "2026-11-11"):
        write_csv("run.csv", (*RUN_NAMES, "day"), [(*row, day) for row in RUN])
        write_csv("qrels.csv", QRELS_NAMES, QRELS)
        asked = ("-m", "ap", "--where", f"day = '{day}'", "--store", place, "--as-of", day)
        completed("eval", "run.csv", "--qrels", "qrels.csv", *asked)
    assert opened(place).where is None
    assert opened(place).days == ("2026-11-10", "2026-11-11")


@PLACES
def test_late_results_and_days_to_come_are_stored(place: str) -> None:
    for day in ("2026-11-10", "2026-11-01", "2999-12-31"):
        put(place, day)
    assert opened(place).days == ("2026-11-01", "2026-11-10", "2999-12-31")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--store", "x"), "--store needs the day that the rows stand for: --as-of DATE, such as --as-of 2026-11-10"),
        (("--store", "x", "--as-of", "today"), "--as-of takes a date such as 2026-11-10, not 'today'"),
        (("--store", "x", "--as-of", "2026-02-30"), "--as-of takes a date such as 2026-11-10, not '2026-02-30'"),
        (("--store", "x", "--as-of", "20261110"), "--as-of takes a date such as 2026-11-10, not '20261110'"),
        (("--as-of", "2026-11-10"), "--as-of says how --store stores, which is not given"),
        (("--replace-stored",), "--replace-stored says how --store stores, which is not given"),
        (("--store", "x", "--as-of", "2026-11-10", "--show-sql"), "--show-sql has no place for --store"),
        (("--store", "run.csv", "--as-of", "2026-11-10"), "run.csv is an input and will not be overwritten"),
        (("--store", "file", "--as-of", "2026-11-10"), "file is a file; a store is a folder"),
        (("--store", "http://h/x", "--as-of", "2026-11-10"), "http cannot be written"),
        (("--store", "s3://b/x.parquet", "--as-of", "2026-11-10"), "behind a URL a store is a folder"),
    ],
)
def test_a_request_that_cannot_be_stored_is_refused_before_anything_is_read(
    options: tuple[str, ...], said: str
) -> None:
    Path("file").write_text("")
    both = write_both()
    assert said in error_of(2, "eval", both[0], "--qrels", both[1], "-m", "ap", *options)
    assert not Path("x").exists()


def test_a_segment_called_as_the_day_and_metrics_of_whole_systems_are_refused() -> None:
    write_csv("queries.csv", ("query_id", "as_of"), [("q1", "x")])
    assert "--by as_of: the output has a column of that name" in refused(
        2, FOLDER, "2026-11-10", "--queries", "queries.csv", "--by", "as_of"
    )
    assert not Path(FOLDER).exists()


def test_a_place_that_holds_something_else_is_refused() -> None:
    day = Path(FOLDER, "as_of=2026-11-09")
    day.mkdir(parents=True)
    with duckdb.connect(FILE) as connection:
        connection.execute(f"copy (select 1 as a) to '{day}/a.parquet'")
        connection.execute("create table results as select 1 as a")
    assert "results/as_of=2026-11-09/a.parquet is no file of a store" in refused(3, FOLDER, "2026-11-10")
    assert "results.duckdb has a table results that is no store's" in refused(3, FILE, "2026-11-10")
    Path("text.duckdb").write_text("no database")
    assert "text.duckdb: cannot be opened" in refused(3, "text.duckdb", "2026-11-10")


# Many writers, and ends at any moment


def started(place: str, day: str, *options: Any, system: str = "run") -> subprocess.Popen[bytes]:
    """A process that stores."""
    asked = ("-m", "ap", "--store", place, "--as-of", day, *options)
    words = command("eval", f"{system}=run.csv", "--qrels", "qrels.csv", *asked)
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())


@pytest.mark.needs("process")
@PLACES
def test_of_two_writers_of_one_day_and_system_one_wins(place: str) -> None:
    write_both()
    ended = [(*writer.communicate(), writer.returncode) for writer in [started(place, "2026-11-10") for _ in range(2)]]
    assert sorted(code for *_, code in ended) == [0, 3], ended
    assert any(b"holds rows of run for 2026-11-10 already" in err for _, err, _ in ended)
    assert len(rows(place)) == 3


@pytest.mark.needs("process")
@PLACES
def test_writers_at_once_lose_nothing(place: str) -> None:
    write_both()
    writers = [started(place, f"2026-11-{day:02}", system=system) for day in (10, 11, 12) for system in "ab"]
    for writer in writers:
        _, err = writer.communicate()
        assert writer.returncode == 0, err
    assert sorted(rows(place, "select distinct as_of, system")) == [
        (date(2026, 11, day), system) for day in (10, 11, 12) for system in "ab"
    ]
    assert len(rows(place)) == 18


@PLACES
def test_a_writer_that_another_overtook_is_refused_at_the_last_moment(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, qrels = as_pairs(RUN), as_pairs(QRELS)
    with sqlrank.evaluate(systems={"a": runs, "b": runs}, qrels=qrels, metrics="ap") as result:
        real, linked = output_files.put_new, list[str]()

        def overtaken(path: str, target: str) -> None:
            linked.append(target)
            if len(linked) == 2:
                Path(target).write_bytes(b"of another")
            real(path, target)

        monkeypatch.setattr(output_files, "put_new", overtaken)
        if place == FILE:
            result.store(place, as_of="2026-11-10")
            return
        with pytest.raises(DataError, match="holds rows of a for 2026-11-10 already"):
            result.store(place, as_of="2026-11-10")
    assert [Path(linked[1])] == files()  # what this one had put there is gone
    assert Path(linked[1]).read_bytes() == b"of another"


def test_two_first_writers_of_different_ways_leave_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlrank.evaluate(as_pairs(RUN), as_pairs(QRELS), "ap") as result:
        real = output_files.put_new

        def overtaken(path: str, target: str) -> None:
            monkeypatch.setattr(output_files, "put_new", real)
            with sqlrank.evaluate(systems={"b": as_pairs(RUN)}, qrels=as_pairs(QRELS), metrics="rr") as other:
                other.store(FOLDER, as_of="2026-11-10")
            real(path, target)

        monkeypatch.setattr(output_files, "put_new", overtaken)
        with pytest.raises(DataError, match="a store holds one way of measuring"):
            result.store(FOLDER, as_of="2026-11-11")
    assert set(rows(FOLDER, "select system")) == {("b",)}


@pytest.mark.needs("process")
@PLACES
def test_a_writer_that_is_killed_leaves_the_store_readable(place: str) -> None:
    write_both()
    put(place, "2026-11-09")
    begun = time.monotonic()
    started(place, "2026-11-08").communicate()
    took, stored, chance = time.monotonic() - begun, 2, random.Random(7)
    for day in range(30):
        writer = started(place, f"2027-01-{day + 1:02}", "--replace-stored" if day % 2 else "--quiet")
        time.sleep(took * (0.5 + 0.55 * chance.random()))
        writer.kill()
        writer.communicate()
        found = rows(place, "select as_of, ap")
        days = {row[0] for row in found}
        assert len(found) == 3 * len(days)
        assert len(days) >= stored
        stored = len(days)
        assert opened(place).days == tuple(sorted(map(str, days)))
    put(place, "2027-02-01")


KILLED = """
import os, runpy, signal, sys
left = int(sys.argv.pop(1))
def hook(event, arguments):
    global left
    if "as_of=" in str(arguments) and event.partition(".")[0] in ("open", "os", "shutil"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
runpy.run_module("sqlrank", run_name="__main__")
"""
"""Runs the command, and kills it before the nth time that Python asks the system for something in the store."""


@pytest.mark.needs("process")
@pytest.mark.parametrize("options", [(), ("--replace-stored",)])
def test_a_writer_that_is_killed_at_any_call_leaves_the_store_readable(options: tuple[str, ...]) -> None:
    both = write_both()
    old = "2026-11-10" if options else "2026-11-09"
    for at in range(1, 100):
        put(FOLDER, old, "--replace-stored")
        before = {path: path.read_bytes() for path in files()}
        asked = ("-m", "ap", "--store", FOLDER, "--as-of", "2026-11-10", *options)
        words = [sys.executable, "-c", KILLED, str(at), "eval", both[0], "--qrels", both[1], *asked]
        ended = subprocess.run(words, capture_output=True, env=environment(), check=False)
        if ended.returncode != -signal.SIGKILL:
            assert ended.returncode == 0, ended.stderr
            break
        assert len(rows(FOLDER)) == 3 * len(files())
        assert opened(FOLDER).systems == ("run",)
        for path, data in before.items():
            assert path.stat().st_size == len(data)
        if not options:
            for path in Path(FOLDER, "as_of=2026-11-10").glob("*.parquet"):
                path.unlink()
    assert at > 5


def test_temporary_files_that_a_killed_writer_left_are_not_read() -> None:
    put(FOLDER, "2026-11-10")
    (file,) = files()
    for name in (f".{file.name[:40]}.0123.part", ".half.parquet", "_half.parquet"):
        (file.parent / name).write_bytes(file.read_bytes()[:100])
    put(FOLDER, "2026-11-11")
    assert opened(FOLDER).days == ("2026-11-10", "2026-11-11")
    assert opened(str(file.parent)).days == ("2026-11-10",)


def snapshot() -> dict[str, bytes]:
    """Every file below this folder."""
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.mark.parametrize("call", ["fsync", "link", "replace", "open"])
@pytest.mark.parametrize("options", [(), ("--replace-stored",)])
def test_a_full_disk_leaves_the_store_as_it_was(
    call: str, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(FOLDER, "2026-11-10")
    before = snapshot()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for day in ("2026-11-10", "2026-11-11"):
        used = {"link": not options, "replace": bool(options)}.get(call, True)
        if not used or (day == "2026-11-10" and not options):
            continue
        with monkeypatch.context() as patched:
            patched.setattr(os, call, full)
            outcome = evaluated(FOLDER, day, *options)
        assert outcome.code == 5, outcome
        assert "cannot be written: No space left on device" in outcome.err
        assert snapshot() == before


@PLACES
def test_a_disk_that_is_full_for_duckdb_leaves_the_store_as_it_was(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlrank.engines.duckdb import DuckDBEngine

    put(place, "2026-11-10")
    before, real = rows(place), DuckDBEngine.run
    words = "insert into" if place == FILE else ".part'"

    def full(engine: DuckDBEngine, sql: str, parameters: Any) -> Any:
        if words in sql:
            raise duckdb.IOException("IO Error: Could not write file: No space left on device")
        return real(engine, sql, parameters)

    with monkeypatch.context() as patched:
        patched.setattr(DuckDBEngine, "run", full)
        outcome = evaluated(place, "2026-11-11")
    assert outcome.code == 5, outcome
    assert "cannot be written: Could not write file: No space left on device" in outcome.err
    assert rows(place) == before
    assert [path.name for path in Path().rglob(".*")] == []


def test_a_file_system_without_hard_links_takes_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: Any) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    put(FOLDER, "2026-11-10")
    assert "already" in refused(3, FOLDER, "2026-11-10")
    Path("a").write_text("")
    Path("b").write_text("")
    with pytest.raises(FileExistsError):
        output_files.put_new("a", "b")


def test_a_database_that_another_process_keeps_open_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlrank.evaluation.store import database

    put(FILE, "2026-11-10")
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    with duckdb.connect(FILE):
        assert "results.duckdb: cannot be opened: " in refused(5, FILE, "2026-11-11")


def test_a_folder_that_cannot_be_made_is_told() -> None:
    Path("file").write_text("")
    assert "file/x/as_of=2026-11-10: cannot be written: Not a directory" in refused(5, "file/x", "2026-11-10")


# Reading


def both_systems(place: str, *days: str) -> None:
    """A store of two systems."""
    for day in days:
        put(place, day)
        write_csv("better.csv", RUN_NAMES, [("q1", "d2", 1.0), ("q2", "d4", 1.0)])
        put(place, day, run="better.csv")


@PLACES
def test_a_store_of_one_day_is_compared_as_a_per_query_file(place: str) -> None:
    both_systems(place, "2026-11-10")
    outcome = completed("compare", place, "--baseline", "run", "--format", "csv")
    assert [(row["system"], row["metric"]) for row in outcome.table] == [("better", "ap")]
    expected = completed("compare", "run.csv", "better.csv", "--qrels", "qrels.csv", "-m", "ap", "--format", "csv")
    assert outcome.out == expected.out
    with_run = completed(
        "compare", place, "new=better.csv", "--qrels", "qrels.csv", "--baseline", "run", "--format", "csv"
    )
    assert {row["system"] for row in with_run.table} == {"better", "new"}
    filtered = ("--where", "score is not null", "--query-set", "judged")
    said = error_of(3, "compare", place, "new=better.csv", "--qrels", "qrels.csv", "--baseline", "run", *filtered)
    assert "was evaluated without --where" in said


def test_a_store_is_compared_with_a_run_under_a_condition() -> None:
    condition = ("--where", "cast(score as double) > 0")
    for place in (FOLDER, FILE):
        put(place, "2026-11-10", *condition)
        asked = ("--qrels", "qrels.csv", "-m", "ap", *condition, "--format", "csv")
        assert completed("compare", place, "new=run.csv", *asked).table[0]["difference"] == "0"


@pytest.mark.parametrize(
    "path", ["results", "results/", "results/as_of=2026-11-10", "results/as_of=2026-11-1*/*.parquet"]
)
def test_a_store_is_named_by_its_folder_a_day_or_a_pattern(path: str) -> None:
    both_systems(FOLDER, "2026-11-10")
    found = opened(path)
    assert (found.systems, found.days, found.day, found.pool) == (
        ("better", "run"),
        ("2026-11-10",),
        "as_of",
        "judged@10",
    )
    assert found.metrics == {"ap": "ap", "judged@10": "judged_at_10"}
    assert opened(str(files()[0])).systems == ("better",)


@PLACES
def test_several_days_are_compared_only_where_it_is_said_which(place: str) -> None:
    both_systems(place, "2026-11-10", "2026-11-12")
    said = error_of(3, "compare", place, "--baseline", "run")
    assert "holds 2 days, 2026-11-10 to 2026-11-12" in said
    assert "--periods as_of=2026-11-10,2026-11-12" in said


@PLACES
def test_the_periods_of_a_store_are_compared(place: str) -> None:
    for day in ("2026-11-10", "2026-11-11"):
        put(place, day)
    write_csv("better.csv", RUN_NAMES, [("q1", "d2", 1.0), ("q2", "d4", 1.0)])
    put(place, "2026-11-12", run="run=better.csv")
    asked = ("--periods", "as_of=before=2026-11-10,after=2026-11-12", "--format", "csv")
    (row,) = completed("compare", place, *asked).table
    assert (row["system"], row["metric"], row["queries"]) == ("after", "ap", "3")
    assert float(row["baseline_value"]) == pytest.approx(sum(AP) / 3)
    assert float(row["value"]) == pytest.approx((1 / 3 + 1) / 3)


@PLACES
def test_the_periods_of_one_of_several_systems_are_compared(place: str) -> None:
    both_systems(place, "2026-11-10", "2026-11-11")
    asked = ("compare", place, "--periods", "as_of=2026-11-10,2026-11-11", "--format", "csv")
    assert "holds several systems; choose --system: better, run" in error_of(2, *asked)
    assert "--system other:" in error_of(2, *asked, "--system", "other")
    alone = [completed(*asked, "--system", system).table[0] for system in ("run", "better")]
    assert [row["difference"] for row in alone] == ["0", "0"]
    assert alone[0]["value"] < alone[1]["value"]
    if place == FOLDER:
        asked = ("compare", f"{FOLDER}/*/run-*.parquet", *asked[2:])
        assert completed(*asked).table == [alone[0]]


@PLACES
def test_what_reads_rankings_says_that_a_store_holds_none(place: str) -> None:
    both_systems(place, "2026-11-10")
    for words in (("eval",), ("inspect",), ("report", "-o", "report.html")):
        assert "is a store of values per query, and no ranking" in error_of(3, words[0], place, *words[1:])
    assert not Path("report.html").exists()


@PLACES
def test_judgments_that_change_are_noted_with_the_day(place: str) -> None:
    put(place, "2026-11-10")
    put(place, "2026-11-11")
    write_csv("more.csv", QRELS_NAMES, [*QRELS, ("q3", "d7", 1)])
    asked = ("-m", "ap", "--store", place, "--as-of")
    completed("eval", "run.csv", "--qrels", "more.csv", *asked, "2026-11-12")
    completed("eval", "b=run.csv", "--qrels", "more.csv", *asked, "2026-11-10")
    changed, mixed = opened(place).notes[1], opened(place).notes[0]
    assert "the judgments are not those of the day before from 2026-11-11, 2026-11-12 on" in changed
    assert "the systems of 2026-11-10 were not evaluated against the same judgments" in mixed
    assert opened(place).judgments is None


def test_files_that_somebody_put_there_are_noticed() -> None:
    put(FOLDER, "2026-11-10")
    put("other", "2026-11-11", "--rel", "2")
    (file,) = files()
    copied = file.with_name("copy.parquet")
    copied.write_bytes(file.read_bytes())
    assert "results/ holds rows of run for 2026-11-10 twice" in error_of(3, "compare", FOLDER, "new=run.csv")
    copied.write_bytes(files("other")[0].read_bytes())
    said = error_of(3, "compare", FOLDER, "new=run.csv")
    assert "with --rel 2, results/as_of=2026-11-10/run-" in said
    assert "take one of them out" in said


def test_a_folder_of_runs_by_day_is_no_store() -> None:
    Path("runs/as_of=2026-11-10").mkdir(parents=True)
    write_both()
    with duckdb.connect() as connection:
        connection.execute("copy (from 'run.csv') to 'runs/as_of=2026-11-10/run.parquet'")
    completed("compare", "runs", "new=run.csv", "--qrels", "qrels.csv", "-m", "ap")


def test_a_store_of_another_version_is_refused() -> None:
    put(FOLDER, "2026-11-10")
    (file,) = files()
    table = pq.read_table(file, partitioning=None)
    told = dict(table.schema.metadata)
    told[b"conventions"] = json.dumps(json.loads(told[b"conventions"]) | {"mood": "good"}).encode()
    pq.write_table(table.replace_schema_metadata(told), file)
    assert "with other conventions: store it again" in refused(3, FOLDER, "2026-11-11")


def test_a_store_behind_a_url_is_written_and_read() -> None:
    place = f"memory://{Path.cwd().name}"
    put(place, "2026-11-10")
    put(place, "2026-11-11")
    assert "already; --replace-stored" in refused(3, place, "2026-11-11")
    assert "replaced 3 queries" in put(place, "2026-11-11", "--replace-stored").err
    assert "a store holds one way" in refused(3, place, "2026-11-12", "--rel", "2")
    assert opened(place).days == opened(f"{place}/as_of=*/*.parquet").days == ("2026-11-10", "2026-11-11")
    assert opened(f"{place}/as_of=2026-11-11").days == ("2026-11-11",)
