"""A table of partitions ends as one made at once, whatever comes late, is deleted, changes, fails or overlaps."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS
from sqlrank.errors import UsageError
from tests.support.components import package
from tests.support.postgres import Server, server

Row = tuple[Any, ...]
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
RUNS = {
    day: [(day, system, f"q{query}", f"d{doc}", float((doc * (query + place)) % 5), "de" if query else "us")
          for place, system in enumerate("ab", number) for query in range(3) for doc in range(5)]
    for number, day in enumerate(DAYS)
}  # fmt: skip
"""Rows of two systems by day: day, system, query, document, score, market."""
QRELS = [(day, f"q{query}", f"d{(query + number) % 5}", 1.0 + number) for number, day in enumerate(DAYS)
         for query in range(3)]  # fmt: skip
"""Judgments by day: day, query, document, relevance."""
PARTS: dict[str, dict[str, Any]] = {
    "judgments of each day": {"columns": {"query_id": "ds,qid", "system": "system"}},
    "sessions": {"columns": {"query_id": "qid", "system": "system"}, "session": "ds"},
    "other names": {"columns": {"run.query_id": "ds,qid", "qrels.query_id": "day,qid", "system": "system"}},
    "shared": {"columns": {"query_id": "ds,qid", "system": "system"}, "query_set": "shared"},
    "conditions": {"columns": {"query_id": "ds,qid", "system": "system"}, "where": "market = 'de'", "by": ["market"]},
}
METRICS = ["ndcg@3", "rr"]
NUMBERS = count()


class Database:
    """A database with the rows of some days, and connections to it."""

    def __init__(self, name: str, connect: Any, stack: ExitStack) -> None:
        self.name, self.connect = name, connect
        self.main = stack.enter_context(self.opened())
        number = next(NUMBERS)
        self.table, self.runs, self.judged = f"daily_{number}", f"runs_{number}", f"judged_{number}"
        text, double = DIALECTS[name].text, DIALECTS[name].double
        self.run(f"create table {self.runs} (ds date, system {text}, qid {text}, doc_id {text}, score {double},"
                 f" market {text})")  # fmt: skip
        self.run(f"create table {self.judged} (ds date, qid {text}, doc_id {text}, relevance {double}, day {text})")

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """A connection of its own."""
        connection = self.connect()
        try:
            yield connection
        finally:
            connection.close()

    def run(self, statement: str, connection: Any = None) -> None:
        """Run a statement to its end."""
        found = (connection or self.main).execute(statement)
        if self.name == "duckdb":
            found.fetchall()

    def script(self, text: str, connection: Any = None) -> None:
        """Run the statements of a script, stopping at the first error."""
        for statement in text.split(";\n\n"):
            self.run(statement, connection)

    def add(self, *days: str) -> None:
        """The rows of days arrive."""
        for day in days:
            self.insert(self.runs, RUNS[day])
            self.insert(self.judged, [(*row, row[0]) for row in QRELS if row[0] == day])

    def insert(self, table: str, rows: list[Row]) -> None:
        """Rows arrive."""
        values = ", ".join(f"({', '.join(map(DIALECTS[self.name].literal, row))})" for row in rows)
        self.run(f"insert into {table} values {values}")

    def sql(self, part: str, run: str | None = None, **options: Any) -> str:
        """The statement of one of the kinds of partitions."""
        made = PARTS[part] | options
        return sqlrank.sql(run or self.runs, self.judged, METRICS, dialect=self.name, **made)

    def adding(self, part: str, **options: Any) -> str:
        """The statement that adds a partition."""
        return self.sql(part, create=("table", self.table), incremental="ds", **options)

    def rows(self, statement: str) -> list[str]:
        """The rows of a statement, in an order of their own."""
        found = self.main.execute(statement).fetchall()
        return sorted(
            repr([round(float(value), 9) if isinstance(value, int | float) else str(value) for value in row])
            for row in found
        )

    def whole(self, part: str, **options: Any) -> list[str]:
        """What the table is to hold: the rows of all days at once."""
        columns = ", ".join(self.columns())
        return self.rows(f"select {columns} from ({self.sql(part, **options)}) as whole")

    def columns(self) -> list[str]:
        """The columns of the table, but for what the rows are."""
        found = self.main.execute(f"select * from {self.table} where 1 = 0")
        return [column[0] for column in found.description if column[0] != "sqlrank_definition"]

    def held(self) -> list[str]:
        """What the table holds."""
        return self.rows(f"select {', '.join(self.columns())} from {self.table}")


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server."""
    package("psycopg", "test")
    with server(tmp_path_factory.mktemp("pg")) as running:
        yield running


@pytest.fixture(params=["duckdb", "postgres", "sqlite"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of each engine."""
    with ExitStack() as stack:
        if request.param == "duckdb":
            shared = stack.enter_context(duckdb.connect(str(tmp_path / "shared.duckdb")))
            yield Database("duckdb", shared.cursor, stack)
        elif request.param == "sqlite":
            import sqlite3

            def connect() -> Any:
                return sqlite3.connect(
                    tmp_path / "shared.sqlite", isolation_level=None, timeout=5, check_same_thread=False
                )

            yield Database("sqlite", connect, stack)
        else:
            psycopg = package("psycopg", "test")
            url = request.getfixturevalue("postgres").url
            yield Database("postgres", lambda: psycopg.connect(url, autocommit=True), stack)


@pytest.mark.parametrize("part", PARTS)
def test_days_in_any_order_end_as_all_at_once(database: Database, part: str) -> None:
    script = database.adding(part)
    database.add(DAYS[1])
    for _ in range(2):
        database.script(script)
    database.add(DAYS[0], DAYS[2])
    for _ in range(3):
        database.script(script)

    assert database.held() == database.whole(part)
    database.run(f"delete from {database.table} where ds = '{DAYS[1]}'")
    database.script(script)
    assert database.held() == database.whole(part)


def test_a_summary_of_each_day_is_that_of_the_day_alone(database: Database) -> None:
    script = database.adding("conditions", summary=True)
    database.add(*DAYS)
    for _ in range(5):
        database.script(script)

    columns = ", ".join(name for name in database.columns() if name != "ds")
    for day in DAYS:
        for table, rest in ((database.runs, ""), (database.judged, "")):
            database.run(f"create table {table}_{day[-1]} as select * from {table} where ds = '{day}'{rest}")
        text = database.sql("conditions", summary=True).replace(database.runs, f"{database.runs}_{day[-1]}")
        wanted = database.rows(
            f"select {columns} from ({text.replace(database.judged, f'{database.judged}_{day[-1]}')}) as w"
        )
        assert database.rows(f"select {columns} from {database.table} where ds = '{day}'") == wanted


@pytest.mark.parametrize("summary", [False, True])
def test_a_second_system_is_added_to_the_days_that_the_table_holds(database: Database, summary: bool) -> None:
    script = database.adding("judgments of each day", summary=summary)
    database.insert(database.runs, [row for day in DAYS[:2] for row in RUNS[day] if row[1] == "a"])
    database.insert(database.judged, [(*row, row[0]) for row in QRELS])
    for _ in range(3):
        database.script(script)
    first = database.held()
    database.insert(database.runs, [row for day in DAYS[:2] for row in RUNS[day] if row[1] == "b"])
    for _ in range(3):
        database.script(script)

    assert set(first) < set(database.held())
    found = database.rows(f"select ds, system, count(*) from {database.table} group by ds, system")
    assert len(found) == 4
    if not summary:
        columns = ", ".join(database.columns())
        text = database.sql("judgments of each day")
        assert database.held() == database.rows(f"select {columns} from ({text}) as w where ds <= '{DAYS[1]}'")


def test_systems_of_their_own_relations_share_a_table(database: Database) -> None:
    database.add(*DAYS)
    for name in "ab":
        database.run(f"create view {database.runs}_{name} as select * from {database.runs} where system = '{name}'")
    columns = {"query_id": "ds,qid"}
    scripts = [
        sqlrank.sql(f"{database.runs}_{name}", database.judged, METRICS, dialect=database.name, columns=columns,
                    system=name, create=("table", database.table), incremental="ds")
        for name in "ab"
    ]  # fmt: skip
    for script in [*scripts, *scripts[::-1], *scripts, *scripts]:
        database.script(script)
    assert database.held() == database.whole("judgments of each day")

    renewing = sqlrank.sql(f"{database.runs}_b", database.judged, METRICS, dialect=database.name, columns=columns,
                           system="b", create=("table", database.table), incremental="ds", replace=DAYS[1])  # fmt: skip
    database.script(renewing)
    assert database.held() == database.whole("judgments of each day")


@pytest.mark.parametrize("part", ["judgments of each day", "shared", "conditions"])
def test_a_day_without_rows_to_add_does_not_hold_up_the_next(database: Database, part: str) -> None:
    script = database.adding(part)
    database.add(*DAYS[1:])
    empty = [(DAYS[0], system, "q9", "d1", 1.0, "jp") for system in "ab"]
    database.insert(database.runs, empty if part != "shared" else [*empty, *RUNS[DAYS[0]]])
    for _ in range(3):
        database.script(script)

    assert len(database.rows(f"select distinct ds from {database.table}")) == 2
    database.insert(database.judged, [(*row, row[0]) for row in QRELS if row[0] == DAYS[0]])
    if part == "judgments of each day":
        database.script(script)
        assert len(database.rows(f"select distinct ds from {database.table}")) == 3


@pytest.mark.parametrize("part", ["judgments of each day", "shared"])
def test_a_partition_is_renewed(database: Database, part: str) -> None:
    database.add(*DAYS)
    script, renewing = database.adding(part), database.adding(part, replace=DAYS[1])
    for _ in DAYS:
        database.script(script)
    before = database.held()
    database.run(f"update {database.judged} set relevance = 7 where ds = '{DAYS[1]}' and doc_id = 'd1'")
    database.insert(database.runs, [(DAYS[1], "a", "q1", "d9", 99.0, "de"), (DAYS[1], "b", "q2", "d9", 99.0, "de")])
    assert database.whole(part) != before
    database.script(script)
    assert database.held() == before
    for _ in range(2):
        database.script(renewing)
        assert database.held() == database.whole(part)


def test_nothing_is_deleted_that_nothing_takes_the_place_of(database: Database) -> None:
    database.add(*DAYS)
    script = database.adding("judgments of each day")
    for _ in DAYS:
        database.script(script)
    before = database.held()
    database.run(f"delete from {database.runs} where ds = '{DAYS[1]}'")
    columns = {"query_id": "ds,qid"}
    database.run(f"create view {database.runs}_a as select * from {database.runs} where system = 'a'")
    of_one = sqlrank.sql(f"{database.runs}_a", database.judged, METRICS, dialect=database.name, columns=columns,
                         system="a", create=("table", database.table), incremental="ds", replace=DAYS[1])  # fmt: skip
    scripts = [database.adding("judgments of each day", replace=day) for day in ("2030-01-01", DAYS[1])]
    for renewing in (*scripts, of_one):
        with pytest.raises(Exception, match="nothing is deleted"):
            database.script(renewing)
        for statement in renewing.split(";\n\n"):  # a shell that goes on after an error
            with suppress(Exception):
                database.run(statement)
        assert database.held() == before


@pytest.mark.parametrize("replace", [None, DAYS[1]])
def test_a_crash_between_any_two_statements_is_mended_by_the_next_run(database: Database, replace: str | None) -> None:
    database.add(*DAYS)
    script = database.adding("judgments of each day", replace=replace)
    for stop in range(len(script.split(";\n\n")) + 1):
        with database.opened() as connection:
            for statement in script.split(";\n\n")[:stop]:
                database.run(statement, connection)
            with suppress(Exception):
                connection.rollback()
        if replace is not None and stop > 1:
            assert len(database.rows(f"select * from {database.table} where ds = '{replace}'")) in (
                (0, 6) if stop < 9 else (6,)
            )
    for _ in range(4):
        database.script(script)
        database.script(database.adding("judgments of each day"))
    assert database.held() == database.whole("judgments of each day")


@pytest.mark.parametrize("replace", [None, DAYS[0]])
def test_two_at_once_leave_the_day_once_or_one_of_them_fails(database: Database, replace: str | None) -> None:
    database.add(DAYS[0])
    script = database.adding("judgments of each day", replace=replace)
    if replace is not None:
        database.script(script)
        database.run(f"update {database.judged} set relevance = 7")
    else:  # the table is there, so that both come to the insert
        for statement in script.split(";\n\n")[:-1]:
            database.run(statement)
    begun, failures = threading.Barrier(2), []
    begin, commit = DIALECTS[database.name].begin, DIALECTS[database.name].commit
    statements = [part for part in script.split(";\n\n") if part.strip() not in (begin, commit)]

    def overlapping() -> None:
        with database.opened() as connection:
            try:
                for statement in statements[:2]:
                    with suppress(Exception):
                        database.run(statement, connection)
                begun.wait(10)
                database.run(begin, connection)
                for statement in statements[2:]:
                    database.run(statement, connection)
                with suppress(threading.BrokenBarrierError):
                    begun.wait(0.5)
                database.run(commit, connection)
            except Exception as error:  # of any of the engines
                failures.append(error)
                with suppress(Exception):
                    database.run("rollback", connection)

    threads = [threading.Thread(target=overlapping) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(failures) < 2
    assert database.held() == database.whole("judgments of each day")


@pytest.mark.parametrize("part", ["judgments of each day", "shared"])
def test_a_row_without_a_system_stops_the_statement_that_would_read_it(database: Database, part: str) -> None:
    database.add(*DAYS)
    database.insert(database.runs, [(DAYS[1], None, "q1", "d1", 9.0, "de")])
    script = database.adding(part)
    for text in (script, script, script, database.sql(part), database.sql(part, summary=True)):
        with suppress(Exception) if text == script else pytest.raises(Exception, match="a row has no system"):
            database.script(text)
    assert database.rows(f"select distinct ds from {database.table}") == [f"['{DAYS[0]}']"]
    database.run(f"drop table {database.table}")  # which is of another definition
    for _ in DAYS:
        database.script(database.adding(part, where="system is not null"))
    assert database.held() == database.whole(part, where="system is not null")


@pytest.mark.parametrize("part", ["judgments of each day", "conditions"])
def test_a_row_without_a_day_is_found_by_the_check(database: Database, part: str) -> None:
    database.add(*DAYS)
    database.script(database.adding(part))
    checking = database.adding(part, check=True)
    known = database.main.execute(checking).fetchall()
    database.insert(database.runs, [(None, "a", "q1", "d1", 9.0, "de"), (None, "a", "q1", "d2", 8.0, "de")])
    found = [row for row in database.main.execute(checking).fetchall() if row not in known]
    assert [tuple(row[:3]) for row in found] == [("a row has no partition, so no table of partitions has it", "run", 2)]


OTHERS: list[dict[str, Any]] = [{"rel": 2}, {"where": "market = 'de'"}, {"empty": "skip"}, {"by": ["market"]}]


@pytest.mark.parametrize("replace", [None, DAYS[0]])
def test_rows_of_another_definition_are_not_added(database: Database, replace: str | None) -> None:
    database.add(*DAYS)
    script = database.adding("judgments of each day")
    database.script(script)
    before = database.held()
    definitions = database.rows(f"select distinct sqlrank_definition from {database.table}")
    assert definitions == [repr(["ndcg@3, rr; trec_eval's conventions"])]
    for other in OTHERS:
        text = database.adding("judgments of each day", replace=replace, **other)
        with pytest.raises(Exception, match=r"holds rows that are not|rr_rel2|market"):
            database.script(text)
    fewer = sqlrank.sql(database.runs, database.judged, "rr", dialect=database.name, create=("table", database.table),
                        incremental="ds", replace=replace, **PARTS["judgments of each day"])  # fmt: skip
    with pytest.raises(Exception, match="holds rows that are not"):
        database.script(fewer)
    assert database.held() == before
    database.script(script)
    assert len(database.held()) == 2 * len(before)


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"columns": {"run.query_id": "ds,qid", "qrels.query_id": "key"}}, "a part of the ids of queries"),
    ({"columns": {"system": "team,variant"}}, "make one column of theirs"),
    ({"dialect": "datafusion", "replace": "2026"}, "Apache DataFusion deletes no rows"),
    ({"incremental": None, "replace": "2026"}, "name the column that divides the run"),
]


@pytest.mark.parametrize(("options", "message"), REFUSALS)
def test_what_cannot_be_right_is_refused(options: dict[str, Any], message: str) -> None:
    asked = {"create": ("table", "daily"), "incremental": "ds", "query_set": "judged"} | options
    with pytest.raises(UsageError, match=message):
        sqlrank.sql("runs", "judged", "rr", **asked)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_header_says_what_an_engine_cannot_promise(dialect: str) -> None:
    options: dict[str, Any] = {"dialect": dialect, "create": ("table", "daily"), "incremental": "ds"}
    with pytest.raises(UsageError, match=r"a judged query may have no results in one .*'shared' leaves it out"):
        sqlrank.sql("runs", "judged", "rr", **options)
    options["query_set"] = "judged"
    spoken = DIALECTS[dialect]
    header = sqlrank.sql("runs", "judged", "rr", **options).partition("\ncreate table")[0]
    assert ("one of them fails" in header) == spoken.keys
    assert (f"{spoken.title} keeps no key" in header) == (not spoken.keys)
    assert "run this again until none is added" in header
    assert "the judgments count in every partition" in header
    if spoken.deletes:
        text = sqlrank.sql("runs", "judged", "rr", replace="2026", **options)
        assert (f"{spoken.title} has no transaction of both" in text) == (not spoken.begin)
        assert (f"\n{spoken.begin};\n\ndelete" in text and f"\n{spoken.commit};\n\ndrop" in text) == bool(spoken.begin)
        assert text.index("table sqlrank_renewed_daily ") < text.index("delete from")
