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
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.errors import DataError, ResourceError, UsageError
from sqlrank.evaluation.store.folders import file_name
from sqlrank.evaluation.stored import Stored, open_stored
from sqlrank.inputs.reading import Reading
from sqlrank.process import output_files
from tests.support.cli_helper import Outcome, command, completed, environment, error_of, run_cli
from tests.support.small_data import QRELS, RUN, RUN_NAMES, SEGMENTS, Row, as_pairs, write_both, write_csv
from tests.support.tables import each, hold

AP = [(1 / 2 + 2 / 3) / 3, 1 / 2, 0.0]
BETTER = [("q1", "d2", 1.0), ("q2", "d4", 1.0)]
FOLDER, FILE = "results", "results.duckdb"
PLACES = pytest.mark.parametrize("place", [FOLDER, FILE])
ROWS = {FOLDER: f"'{FOLDER}/*/*.parquet'", FILE: "results"}
HOSTILE = ["../x", "a/b", "ü'\"", "x" * 300, "a b", "A B", ".hidden", "nul", "a\nb", "-", "%2e%2e", "{x}", "*"]
Rows = tuple[Row, ...]
BOTH = ("run", "better")
CSV = ("--format", "csv")
DAY, NEXT = "2026-11-10", "2026-11-11"


@cache
def result(*systems: str, metrics: str = "ap", judged: Rows = tuple(QRELS), **options: Any) -> sqlrank.Result:
    """An evaluation of the small data, which is made once; the system `better` ranks otherwise."""
    runs = {system: as_pairs(BETTER if system == "better" else RUN) for system in systems}
    return sqlrank.evaluate(systems=runs, qrels=as_pairs(judged), metrics=metrics, **options)


def keep(place: str, *days: str, systems: tuple[str, ...] = ("run",), **options: Any) -> None:
    """Store an evaluation, under each of the days."""
    for day in days:
        result(*systems, **options).store(place, as_of=day)


def evaluated(place: str, day: str, *options: Any, run: str = "run.csv", metrics: tuple[str, ...] = ("ap",)) -> Outcome:
    """Evaluate the small data at the command line and store it."""
    write_both()
    asked = [word for metric in metrics for word in ("-m", metric)]
    return run_cli("eval", run, "--qrels", "qrels.csv", *asked, "--store", place, "--as-of", day, *options)


def put(place: str, day: str, *options: Any, **named: Any) -> str:
    """The same, which ends well: what it notes."""
    outcome = evaluated(place, day, *options, **named)
    assert outcome.code == 0, outcome.err
    return outcome.err


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
    outcome = evaluated(place, DAY)

    shown = "results/" if place == FOLDER else place
    assert f"note: stored 3 queries of run for 2026-11-10 in {shown}\n" in outcome.err
    assert "0.2963" in outcome.out  # the table is printed as ever
    found = rows(place, "select as_of, system, query_id, ap, judged_at_10, sqlrank_retrieved")
    assert [row[:3] for row in found] == [(date(2026, 11, 10), "run", query) for query in ("q1", "q2", "q3")]
    assert [row[3:] for row in found] == [
        pytest.approx(row) for row in zip(AP, (2 / 3, 1 / 2, 0.0), (3, 2, 0), strict=True)
    ]
    assert len(rows(place)[0]) == 6


@PLACES
def test_segments_weights_and_clusters_are_columns(place: str) -> None:
    lines = [(query, country, number, "t") for number, (query, country) in enumerate(SEGMENTS.items(), 1)]
    given = ("--queries", write_csv("queries.csv", ("query_id", "country", "traffic", "topic"), lines))
    keep(place, DAY, queries=given[1], by="country", weight="traffic", cluster="topic")
    assert rows(place, "select query_id, country, topic, weight") == [
        ("q1", "de", "t", 1.0),
        ("q2", "fr", "t", 2.0),
        ("q3", "de", "t", 3.0),
    ]
    said = refused(3, place, NEXT, *given, "--by", "country", "--cluster", "topic")
    assert "was evaluated with --weight traffic, this evaluation without --weight" in said
    said = refused(3, place, NEXT, *given, "--weight", "traffic")
    assert "was evaluated with --by or --cluster country, topic, this evaluation without --by or --cluster" in said


def test_a_store_says_what_its_rows_mean() -> None:
    keep(FOLDER, DAY, rel=2)
    (file,) = files()
    assert file == Path(FOLDER, "as_of=2026-11-10", file_name("run"))
    told = {key.decode(): value.decode() for key, value in pq.read_metadata(file).metadata.items()}
    assert (told["as_of"], told["rows"], told["sqlrank"]) == (DAY, "per query", sqlrank.__version__)
    assert json.loads(told["conventions"])["rel"] == 2
    contents = json.loads(told["contents"])
    assert contents["metrics"] == {"ap(rel=2)": "ap_rel2", "judged@10": "judged_at_10"}
    assert contents["pool"] == "judged@10"

    keep(FILE, DAY)
    with duckdb.connect(FILE) as connection:
        found = connection.execute("select as_of, system, contents->>'$.pool' from meanings").fetchall()
    assert found == [(date(2026, 11, 10), "run", "judged@10")]


@each(
    {
        "the largest cutoff": ({"metrics": "p@5, ndcg@20"}, ["p_at_5", "ndcg_at_20", "judged_at_20"]),
        "asked for": ({"metrics": "ap, judged@10"}, ["ap", "judged_at_10"]),
        "a tool": ({"like": "trec_eval"}, ["ap"]),
    }
)
def test_the_share_that_was_judged_is_stored_to_the_largest_cutoff_unless_a_tool_is_followed(case: Any) -> None:
    options, columns = case
    place = "-".join(columns)
    keep(place, DAY, **options)
    assert pq.read_schema(files(place)[0]).names[3:-1] == columns


def test_a_labelled_export_has_no_share_that_was_judged() -> None:
    columns = ("query_id", "doc_id", "score", "relevance")
    with sqlrank.evaluate(write_csv("export.csv", columns, [("q1", "d1", 0.9, 1)]), None, "ap") as export:
        export.store(FOLDER, as_of=DAY)
    assert pq.read_schema(files()[0]).names[3:] == ["ap", "sqlrank_retrieved"]


def test_python_stores_a_result_and_says_so() -> None:
    both = result("a", "b")
    assert both.store(FOLDER, as_of=date(2026, 11, 10)) == [
        f"stored 3 queries of {system} for 2026-11-10 in results/" for system in ("a", "b")
    ]
    with pytest.raises(DataError, match=r"holds rows of a, b for 2026-11-10 already; replace=True puts"):
        both.store(Path(FOLDER), as_of=datetime(2026, 11, 10, 12))
    assert both.store(FOLDER, as_of=DAY, replace=True)[0].startswith("replaced 3 queries of a")
    with pytest.raises(UsageError, match=r"as_of= takes a date such as '2026-11-10', not '10.11.2026'"):
        both.store(FOLDER, as_of="10.11.2026")
    assert sorted(set(rows(FOLDER, "select system"))) == [("a",), ("b",)]


def test_a_condition_of_the_user_does_not_keep_rows_from_the_store_and_a_run_under_it_is_compared() -> None:
    run, qrels = write_both()
    condition = "cast(score as double) > 0.6"
    with sqlrank.evaluate(run, qrels, "ap", where=condition, query_set="run") as met:
        for place in (FOLDER, FILE):
            met.store(place, as_of=DAY)
            assert rows(place, "select query_id") == [("q1",)]
            asked = ("--qrels", qrels, "-m", "ap", "--where", condition, "--query-set", "run", *CSV)
            assert completed("compare", place, "new=run.csv", *asked).table[0]["difference"] == "0"


@PLACES
def test_a_system_of_any_name_is_stored_inside_the_store(place: str) -> None:
    Path("inside").mkdir()
    os.chdir("inside")
    keep(place, DAY, systems=tuple(HOSTILE))
    assert sorted(set(rows(place, "select system"))) == sorted((system,) for system in HOSTILE)
    assert opened(place).systems == tuple(sorted(HOSTILE))
    assert os.listdir("..") == ["inside"]
    assert os.listdir() == [place]
    if place == FOLDER:
        assert [path.parts[:2] for path in files()] == [("results", "as_of=2026-11-10")] * len(HOSTILE)
        assert len({path.name.lower() for path in files()}) == len(HOSTILE)
        assert all(len(path.name) < 80 for path in files())


def test_polars_and_pyarrow_read_a_folder() -> None:
    keep(FOLDER, DAY, NEXT)
    assert polars.read_parquet(FOLDER)["as_of"].unique().sort().to_list() == [date(2026, 11, 10), date(2026, 11, 11)]
    assert pq.read_table(FOLDER, partitioning=None).num_rows == 6


# What it refuses


@PLACES
def test_a_day_and_system_is_stored_once_unless_it_is_replaced(place: str) -> None:
    keep(place, DAY)
    said = refused(3, place, DAY)
    assert "holds rows of run for 2026-11-10 already; --replace-stored puts these in their place" in said
    with pytest.raises(DataError, match="holds rows of run for 2026-11-10 already"):
        keep(place, DAY, systems=("other", "run"))
    assert set(rows(place, "select system")) == {("run",)}  # nor is the other one there
    write_csv("better.csv", RUN_NAMES, BETTER)
    noted = put(place, DAY, "--replace-stored", run="run=better.csv")
    assert "note: replaced 3 queries of run for 2026-11-10 in" in noted
    assert [row[0] for row in rows(place, "select ap")] == pytest.approx([1 / 3, 1.0, 0.0])
    assert "note: stored 3 queries of run for 2026-11-12" in put(place, "2026-11-12", "--replace-stored")


WAYS: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
    (("--ties", "doc-asc"), ("ap",), "with --ties doc-desc, this evaluation with --ties doc-asc"),
    (("--depth", "5"), ("ap",), "with --depth None, this evaluation with --depth 5"),
    ((), ("ap", "rr"), "with -m ap -m judged@10, this evaluation with -m ap -m judged@10 -m rr"),
    ((), ("rr",), "with -m ap -m judged@10, this evaluation with -m judged@10 -m rr"),
    (("--where", "doc_id <> 'd9'"), ("ap",), "without --where, this evaluation with --where \"doc_id <> 'd9'\""),
]


@pytest.mark.parametrize(("place", "ways"), [(FOLDER, WAYS), (FILE, WAYS[:1])], ids=[FOLDER, FILE])
def test_rows_that_were_measured_otherwise_are_refused_with_the_names_of_both_ways(place: str, ways: Any) -> None:
    keep(place, DAY)

    def check(way: Any) -> None:
        options, metrics, said = way
        err = refused(3, place, NEXT, *options, metrics=metrics)
        assert said in err
        assert "a store holds one way of measuring" in err
        assert "name another place" in err
        assert len(rows(place)) == 3

    hold(ways, check)


@PLACES
def test_the_only_rows_may_be_replaced_by_such_as_were_measured_otherwise(place: str) -> None:
    keep(place, DAY)
    result("run", metrics="rr").store(place, as_of=DAY, replace=True)
    assert [row[0] for row in rows(place, "select rr")] == [0.5, 0.5, 0.0]
    keep(place, NEXT, metrics="rr")
    assert "with -m judged@10 -m rr, this" in refused(3, place, NEXT, "--replace-stored")


def test_conditions_may_differ_by_a_date() -> None:
    for day in (DAY, NEXT):
        run = write_csv("run.csv", (*RUN_NAMES, "day"), [(*row, day) for row in RUN])
        with sqlrank.evaluate(run, as_pairs(QRELS), "ap", where=f"day = '{day}'") as of_day:
            for place in (FOLDER, FILE):
                of_day.store(place, as_of=day)
    for place in (FOLDER, FILE):
        assert opened(place).where is None
        assert opened(place).days == (DAY, NEXT)


@PLACES
def test_late_results_days_to_come_and_metrics_in_another_order_are_stored(place: str) -> None:
    keep(place, DAY, "2999-12-31", metrics="ap, rr")
    keep(place, "2026-11-01", metrics="rr, ap")
    assert opened(place).days == ("2026-11-01", DAY, "2999-12-31")
    assert rows(place, "select ap, rr")[:3] == rows(place, "select ap, rr")[3:6] == rows(place, "select ap, rr")[6:]


AS_OF = ("--as-of", DAY)
NO_REQUESTS: list[tuple[tuple[str, ...], str]] = [
    (("--store", "x"), "--store needs the day of the rows: --as-of DATE, such as --as-of 2026-11-10"),
    (("--store", "x", "--as-of", "today"), "--as-of takes a date such as 2026-11-10, not 'today'"),
    (("--store", "x", "--as-of", "2026-02-30"), "--as-of takes a date such as 2026-11-10, not '2026-02-30'"),
    (("--store", "x", "--as-of", "20261110"), "--as-of takes a date such as 2026-11-10, not '20261110'"),
    (AS_OF, "--as-of says how --store stores, which is not given"),
    (("--replace-stored",), "--replace-stored says how --store stores, which is not given"),
    (("--store", "x", *AS_OF, "--show-sql"), "--show-sql has no place for --store"),
    (("--store", "run.csv", *AS_OF), "run.csv is an input and will not be overwritten"),
    (("--store", "file", *AS_OF), "file is a file; a store is a folder"),
    (("--store", "http://h/x", *AS_OF), "http cannot be written"),
    (("--store", "s3://b/x.parquet", *AS_OF), "behind a URL a store is a folder"),
]


@each(NO_REQUESTS)
def test_a_request_that_cannot_be_stored_is_refused_before_anything_is_read(case: Any) -> None:
    options, said = case
    Path("file").write_text("")
    both = write_both()
    assert said in error_of(2, "eval", both[0], "--qrels", both[1], "-m", "ap", *options)
    assert not Path("x").exists()


def test_a_segment_called_as_the_day_is_refused() -> None:
    queries = write_csv("queries.csv", ("query_id", "as_of"), [("q1", "x")])
    said = refused(2, FOLDER, DAY, "--queries", queries, "--by", "as_of")
    assert "--by as_of: the output has a column of that name" in said
    assert not Path(FOLDER).exists()


def test_a_place_that_holds_something_else_is_refused() -> None:
    day = Path(FOLDER, "as_of=2026-11-09")
    day.mkdir(parents=True)
    with duckdb.connect(FILE) as connection:
        connection.execute(f"copy (select 1 as a) to '{day}/a.parquet'")
        connection.execute("create table results as select 1 as a")
    Path("text.duckdb").write_text("no database")
    for place, code, said in (
        (FOLDER, 3, "results/as_of=2026-11-09/a.parquet is not a file of a store"),
        (FILE, 3, "results.duckdb has a table results that is not that of a store"),
        ("text.duckdb", 3, "text.duckdb: cannot be opened"),
    ):
        with pytest.raises(sqlrank.SqlrankError, match=said) as raised:
            keep(place, DAY)
        assert raised.value.exit_code == code


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
    real, linked = output_files.put_new, list[str]()

    def overtaken(path: str, target: str) -> None:
        linked.append(target)
        if len(linked) == 2:
            Path(target).write_bytes(b"of another")
        real(path, target)

    monkeypatch.setattr(output_files, "put_new", overtaken)
    if place == FILE:
        keep(place, DAY, systems=("a", "b"))
        return
    with pytest.raises(DataError, match="holds rows of a for 2026-11-10 already"):
        keep(place, DAY, systems=("a", "b"))
    assert [Path(linked[1])] == files()  # what this one had put there is gone
    assert Path(linked[1]).read_bytes() == b"of another"


def test_two_first_writers_of_different_ways_leave_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    real = output_files.put_new

    def overtaken(path: str, target: str) -> None:
        monkeypatch.setattr(output_files, "put_new", real)
        keep(FOLDER, DAY, systems=("b",), metrics="rr")
        real(path, target)

    monkeypatch.setattr(output_files, "put_new", overtaken)
    with pytest.raises(DataError, match="a store holds one way of measuring"):
        keep(FOLDER, NEXT)
    assert set(rows(FOLDER, "select system")) == {("b",)}


@pytest.mark.needs("process")
@PLACES
def test_a_writer_that_is_killed_leaves_the_store_readable(place: str) -> None:
    write_both()
    keep(place, "2026-11-09")
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
    keep(place, "2027-02-01")


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
    old = DAY if options else "2026-11-09"
    asked = ("-m", "ap", "--store", FOLDER, "--as-of", DAY, *options)
    for at in range(1, 100):
        result("run").store(FOLDER, as_of=old, replace=True)
        before = {path: path.read_bytes() for path in files()}
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
    keep(FOLDER, DAY)
    (file,) = files()
    for name in (f".{file.name[:40]}.0123.part", ".half.parquet", "_half.parquet"):
        (file.parent / name).write_bytes(file.read_bytes()[:100])
    keep(FOLDER, NEXT)
    assert opened(FOLDER).days == (DAY, NEXT)
    assert opened(str(file.parent)).days == (DAY,)


def snapshot() -> dict[str, bytes]:
    """Every file below this folder."""
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def test_a_full_disk_leaves_the_store_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(FOLDER, DAY)
    before = snapshot()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def check(case: tuple[str, bool, str]) -> None:
        call, replace, day = case
        with monkeypatch.context() as patched:
            patched.setattr(os, call, full)
            with pytest.raises(ResourceError, match="cannot be written: No space left on device"):
                result("run").store(FOLDER, as_of=day, replace=replace)
        assert snapshot() == before

    new = [(call, False, NEXT) for call in ("fsync", "link", "open")]
    hold([*new, *((call, True, day) for call in ("fsync", "replace", "open") for day in (DAY, NEXT))], check)


@PLACES
def test_a_disk_that_is_full_for_duckdb_leaves_the_store_as_it_was(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlrank.engines.duckdb import DuckDBEngine

    keep(place, DAY)
    before, real = rows(place), DuckDBEngine.run
    words = "insert into" if place == FILE else ".part'"

    def full(engine: DuckDBEngine, sql: str, parameters: Any) -> Any:
        if words in sql:
            raise duckdb.IOException("IO Error: Could not write file: No space left on device")
        return real(engine, sql, parameters)

    with monkeypatch.context() as patched:
        patched.setattr(DuckDBEngine, "run", full)
        outcome = evaluated(place, NEXT)
    assert outcome.code == 5, outcome
    assert "cannot be written: Could not write file: No space left on device" in outcome.err
    assert rows(place) == before
    assert [path.name for path in Path().rglob(".*")] == []


def test_a_file_system_without_hard_links_takes_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: Any) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    keep(FOLDER, DAY)
    with pytest.raises(DataError, match="already"):
        keep(FOLDER, DAY)
    Path("a").write_text("")
    Path("b").write_text("")
    with pytest.raises(FileExistsError):
        output_files.put_new("a", "b")


def test_a_place_that_cannot_be_written_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlrank.evaluation.store import database

    keep(FILE, DAY)
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    with duckdb.connect(FILE), pytest.raises(ResourceError, match=r"results\.duckdb: cannot be opened: "):
        keep(FILE, NEXT)
    Path("file").write_text("")
    with pytest.raises(ResourceError, match=r"file/x/as_of=2026-11-10: cannot be written: Not a directory"):
        keep("file/x", DAY)


# Reading


@PLACES
def test_a_store_of_one_day_is_compared_as_a_per_query_file(place: str) -> None:
    write_both()
    better = write_csv("better.csv", RUN_NAMES, BETTER)
    keep(place, DAY, systems=BOTH)
    outcome = completed("compare", place, "--baseline", "run", *CSV)
    assert [(row["system"], row["metric"]) for row in outcome.table] == [("better", "ap")]
    expected = completed("compare", "run.csv", better, "--qrels", "qrels.csv", "-m", "ap", *CSV)
    assert outcome.out == expected.out
    with_run = ("compare", place, "new=better.csv", "--qrels", "qrels.csv", "--baseline", "run", *CSV)
    assert {row["system"] for row in completed(*with_run).table} == {"better", "new"}
    said = error_of(3, *with_run, "--where", "score is not null", "--query-set", "judged")
    assert "was evaluated without --where" in said


@PLACES
def test_what_reads_rankings_says_that_a_store_holds_none(place: str) -> None:
    keep(place, DAY)
    for words in (("eval",), ("inspect",), ("eval", "-o", "report.html")):
        assert "is a store of values per query, and no ranking" in error_of(3, words[0], place, *words[1:])
    assert not Path("report.html").exists()


def test_a_store_is_named_by_its_folder_a_day_or_a_pattern() -> None:
    keep(FOLDER, DAY, systems=BOTH)

    def check(path: str) -> None:
        found = opened(path)
        assert (found.systems, found.days, found.day, found.pool) == (("better", "run"), (DAY,), "as_of", "judged@10")
        assert found.metrics == {"ap": "ap", "judged@10": "judged_at_10"}

    hold(["results", "results/", "results/as_of=2026-11-10", "results/as_of=2026-11-1*/*.parquet"], check)
    assert opened(str(files()[0])).systems == ("better",)


@PLACES
def test_the_periods_of_a_store_are_compared(place: str) -> None:
    keep(place, DAY, NEXT)
    with sqlrank.evaluate(systems={"run": as_pairs(BETTER)}, qrels=as_pairs(QRELS), metrics="ap") as better:
        better.store(place, as_of="2026-11-12")
    asked = ("--periods", "as_of=before=2026-11-10,after=2026-11-12", *CSV)
    (row,) = completed("compare", place, *asked).table
    assert (row["system"], row["metric"], row["queries"]) == ("after", "ap", "3")
    assert float(row["baseline_value"]) == pytest.approx(sum(AP) / 3)
    assert float(row["value"]) == pytest.approx((1 / 3 + 1) / 3)


@PLACES
def test_several_days_are_compared_only_where_it_is_said_which_and_of_which_system(place: str) -> None:
    keep(place, DAY, NEXT, systems=BOTH)
    said = error_of(3, "compare", place, "--baseline", "run")
    assert "holds 2 days, 2026-11-10 to 2026-11-11" in said
    assert "--periods as_of=2026-11-10,2026-11-11" in said
    asked = ("compare", place, "--periods", "as_of=2026-11-10,2026-11-11", *CSV)
    assert "holds several systems; choose --system: better, run" in error_of(2, *asked)
    assert "--system other:" in error_of(2, *asked, "--system", "other")
    alone = [completed(*asked, "--system", system).table[0] for system in BOTH]
    assert [row["difference"] for row in alone] == ["0", "0"]
    assert alone[0]["value"] < alone[1]["value"]
    if place == FOLDER:
        asked = ("compare", f"{FOLDER}/*/run-*.parquet", *asked[2:])
        assert completed(*asked).table == [alone[0]]


@PLACES
def test_judgments_that_change_are_noted_with_the_day(place: str) -> None:
    keep(place, DAY, NEXT)
    more = (*QRELS, ("q3", "d7", 1))
    keep(place, "2026-11-12", judged=more)
    keep(place, DAY, systems=("b",), judged=more)
    found = opened(place)
    mixed, changed = found.notes[:2]
    assert "the judgments are not those of the day before from 2026-11-11, 2026-11-12 on" in changed
    assert "the systems of 2026-11-10 were not evaluated against the same judgments" in mixed
    assert found.judgments is None


def test_files_that_somebody_put_there_are_noticed() -> None:
    write_both()
    keep(FOLDER, DAY)
    keep("other", NEXT, rel=2)
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
    keep(FOLDER, DAY)
    (file,) = files()
    table = pq.read_table(file, partitioning=None)
    told = dict(table.schema.metadata)
    told[b"conventions"] = json.dumps(json.loads(told[b"conventions"]) | {"mood": "good"}).encode()
    pq.write_table(table.replace_schema_metadata(told), file)
    with pytest.raises(DataError, match="with other conventions: store it again"):
        keep(FOLDER, NEXT)


def test_a_store_behind_a_url_is_written_and_read() -> None:
    place = f"memory://{Path.cwd().name}"
    keep(place, DAY, NEXT)
    assert "already; --replace-stored" in refused(3, place, NEXT)
    assert "replaced 3 queries" in put(place, NEXT, "--replace-stored")
    with pytest.raises(DataError, match="a store holds one way"):
        keep(place, "2026-11-12", rel=2)
    assert opened(place).days == opened(f"{place}/as_of=*/*.parquet").days == (DAY, NEXT)
    assert opened(f"{place}/as_of=2026-11-11").days == (NEXT,)
