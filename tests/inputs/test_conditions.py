"""SQL of the user: a condition is one expression over a row, decided on the parsed tree, and nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

import sqlrank
from sqlrank.dialects import DIALECTS
from sqlrank.export.dbt_models import ModelRequest, model_files
from sqlrank.statement.allowed_functions import AGGREGATE, OVER_LISTS, SCALAR
from sqlrank.statement.conditions import problem_elsewhere
from sqlrank.statement.syntax_trees import parsed
from tests.support.cli_helper import run_cli
from tests.support.examples import examples
from tests.support.tables import each

RUN = "select 'q1' as query_id, 'd' || i as doc_id, i as score, {'a': i} as part, if(i = 3, 'x', '' || i) as price"
ROWS = f"{RUN} from range(5) as rows (i)"

OVER_A_ROW = [
    "score > 1",
    "score between 1 and 3 and doc_id like 'd%' or price is null",
    "doc_id in ('d1', 'd2') and not score = 7",
    "case when score > 1 then true else doc_id ~ '^d' end",
    "try_cast(price as integer) is distinct from 2",
    "lower(doc_id) = 'd1' or regexp_matches(doc_id, '^d[12]$')",
    "part.a = 1 or part['a'] = 2",
    "date '2024-01-01' + interval 1 day > date '2020-01-01' and score > 0",
    "lpad(doc_id, 10, '0') < '1'",
    "coalesce(nullif(price, 'x'), '0') <> '' -- a comment",
    "DOC_ID collate nocase = 'D1' or \"score\" * 2 + 1 > 2 ** 2",
]

MORE_THAN_A_ROW = {
    "score in (select 1)": "a subquery",
    "exists (select 1)": "a subquery",
    "(from run) > 0": "a subquery",
    "(table run) > 0": "a subquery",
    "(values (true))": "a subquery",
    "array(select 1)[1] = 1": "a subquery",
    "(with t as (select 1) select * from t) = 1": "a subquery",
    "sum(score) > 1": "an aggregate, sum",
    "count(*) > 1": "an aggregate",
    "row_number() over () < 3": "a window function",
    "sum(score) over () > 1": "a window function",
    "unnest([true])": "the function unnest",
    "len(range(1000000000000)) > 1": "the function range",
    "len(repeat('a', 1000000000)) > 1": "the function repeat",
    "lpad(doc_id, 1000000000, 'x') = ''": "a whole number up to 1,000",
    "lpad(doc_id, score, 'x') = ''": "a whole number up to 1,000",
    "len([x for x in [1, 2]]) = 2": "the function list_apply",
    "len(list_transform([1], lambda x: x)) = 1": "the function list_transform",
    "getenv('HOME') = ''": "the function getenv",
    "current_setting('threads') = '1'": "the function current_setting",
    "getvariable('x') = 1": "the function getvariable",
    "nextval('s') = 1": "the function nextval",
    "random() > 0.5": "the function random",
    "now() is not null": "the function now",
    "error('x')": "the function error",
    "query('select 1') = 1": "the function query",
    "write_log('x') is null": "the function write_log",
    "main.lower(doc_id) = 'd1'": "a dotted name",
    "doc_id.lower() = 'd1'": "a dotted name",
    "$1 = 1": "a parameter",
    "? = 1": "a parameter",
    "*": "a star",
    "columns(*) = 1": "a star",
    "default": "the word default",
    "doc_id collate de = 'd1'": "a collation",
    "score::main.kind = 1": "a type of a schema",
    "1 = 1) or (1 = 1": "syntax error",
    "1 = 1; drop table run": "",
    "1 = 1 union select true": "more than an expression",
    "true order by 1": "more than an expression",
    "true limit 1": "more than an expression",
    "true from run": "more than an expression",
    "true qualify true": "more than an expression",
    "true, true": "more than an expression",
    "true as x": "more than an expression",
    "x: true": "more than an expression",
    "doc_id = 'd1\x00'": "NUL",
    "(" * 5000 + "true" + ")" * 5000: "",
    "+".join(["1"] * 5000): "",
}


@each(zip(OVER_A_ROW, cycle([False, True])))
def test_a_condition_may_be_any_expression_over_a_row(case: tuple[str, bool]) -> None:
    where, passed = case
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; copy run to 'run.parquet'")
        expected = connection.execute(f"select doc_id from run where (\n{where}\n) order by 1").fetchall()
        run: Any = connection.table("run") if passed else "run.parquet"
        qrels = {"q1": {doc_id: 1 for (doc_id,) in expected}}
        more: dict[str, Any] = {"connection": connection} if passed else {}
        with sqlrank.evaluate(run, qrels, ["num_ret"], where=where, **more) as result:
            assert result["num_ret"] == len(expected) > 0


@each(MORE_THAN_A_ROW.items())
def test_a_condition_that_looks_at_more_than_a_row_is_refused(case: tuple[str, str]) -> None:
    where, problem = case
    with pytest.raises(sqlrank.UsageError, match="is not one SQL expression") as refused:
        sqlrank.sql("r", "j", "rr", where=where)
    assert problem in str(refused.value)


# One of each kind of reason, with a file and with a relation that is passed by turns.
@each(zip(list(MORE_THAN_A_ROW.items())[::6], cycle([False, True])))
def test_an_evaluation_refuses_it_in_the_same_words_and_does_nothing(case: tuple[tuple[str, str], bool]) -> None:
    (where, problem), passed = case
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; copy run to 'run.parquet'; begin; create table mine (a int)")
        run: Any = connection.table("run") if passed else "run.parquet"
        more: dict[str, Any] = {"connection": connection} if passed else {}
        with pytest.raises(sqlrank.UsageError, match="is not one SQL expression") as refused:
            sqlrank.evaluate(run, {"q1": {"d1": 1}}, "rr", where=where, **more)
        assert problem in str(refused.value)
        assert connection.execute("select count(*) from mine").fetchall() == [(0,)]


@each(["nope", "main.run.score", "run.score", "secret.word", "current_user", "rowid"])
def test_a_condition_names_columns_of_the_input_alone(name: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; create table secret as select 'TOPSECRET' as word")
        with pytest.raises(sqlrank.UsageError, match="it has query_id, doc_id, score, part, price"):
            sqlrank.evaluate(connection.table("run"), {"q1": {"d1": 1}}, "rr", where=f"{name} is not null")


@each(
    [
        ("cast(price as integer) > 1", sqlrank.DataError, "cannot be evaluated on 1 row,"),
        ("price = 3", sqlrank.DataError, "cannot be evaluated on 1 row,"),
        ("nope > 1", sqlrank.UsageError, "no column 'nope'"),
        ("score > [1]", sqlrank.UsageError, "Cannot compare values"),
        ("score >", sqlrank.UsageError, "syntax error"),
        ("no_such_function(score)", sqlrank.UsageError, "no_such_function"),
    ]
)
def test_an_error_of_a_condition_leaves_the_transaction_of_the_caller_open(
    case: tuple[str, type[Exception], str],
) -> None:
    where, error, fragment = case
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; begin; create table mine as select 1 as a")
        with pytest.raises(error, match="where=") as raised:
            sqlrank.evaluate(connection.table("run"), {"q1": {"d1": 1}}, "rr", where=where)
        assert fragment in str(raised.value)
        connection.execute("insert into mine values (2); commit")
        assert connection.execute("select sum(a) from mine").fetchall() == [(3,)]


def test_a_function_of_the_caller_cannot_stand_in_for_one_of_duckdb_and_others_are_no_trouble() -> None:
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; create macro thrice(x) as 3 * x")
        result = sqlrank.evaluate(connection.table("run"), {"q1": {"d1": 1}}, "rr", where="lower(doc_id) = 'd1'")
        assert result["rr"] == 1
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; create table secret as select 'TOPSECRET' as word")
        connection.execute("create macro lower(x) as (select error(max(word)) from secret)")
        with pytest.raises(sqlrank.UsageError, match="a function of your own called 'lower'") as refused:
            sqlrank.evaluate(connection.table("run"), {"q1": {"d1": 1}}, "rr", where="lower(doc_id) = 'd1'")
    assert "TOPSECRET" not in str(refused.value)


def test_every_function_that_is_allowed_is_one_of_duckdb() -> None:
    with duckdb.connect() as connection:
        known = {row[0] for row in connection.execute("select function_name from duckdb_functions()").fetchall()}
    assert (SCALAR | AGGREGATE | OVER_LISTS) - known == set()


READS_ELSEWHERE = [
    ("postgres", "x = $q$a$q$"),
    ("postgres", r"x = E'a\'' or '1'"),
    ("postgres", "x = U&'a'"),
    ("postgres", "a = 1 -- x"),
    ("postgres", "a = 1 /* x /* y */ */"),
    ("postgres", "pg_read_file('x') = ''"),
    ("postgres", "pg_catalog.lower(x) = ''"),
    ("postgres", "\"lower\"(x) = ''"),
    ("postgres", "x in (select 1)"),
    ("postgres", "x = any(table t)"),
    ("postgres", "(from t) = 1"),
    ("postgres", "a = @b"),
    ("spark", r"a = r'\' or 1 = 1 --'"),
    ("spark", "a = '${x}'"),
    ("spark", "java_method('a', 'b') = ''"),
    ("databricks", r"a = R'\'"),
    ("snowflake", "a // b"),
    ("snowflake", "a = $$x$$"),
    ("snowflake", "a = $1"),
    ("bigquery", r"a = r'\'"),
    ("bigquery", "a = b'x'"),
    ("bigquery", "a = '''x'''"),
    ("bigquery", 'a = """x"""'),
    ("bigquery", "a = 'x' # y"),
    ("clickhouse", "a = $x$a$x$"),
    ("clickhouse", "a in tbl"),
    ("clickhouse", "a in (tbl)"),
    ("clickhouse", "a in (db.tbl)"),
    ("clickhouse", "in(a, tbl)"),
    ("clickhouse", "file('x') = ''"),
    ("clickhouse", "a = \u2018x\u2019"),
    ("clickhouse", "a = {x:String}"),
    ("redshift", r"a = 'x\' or b = ' or 1 = 1'"),
    ("sqlite", "[a'] = 1"),
    ("sqlite", "load_extension('x') = 1"),
    ("trino", "a = 1; drop table r"),
    ("trino", "a = 'x\x00'"),
    ("trino", "a = 'x\x1b[31m'"),
    ("trino", "a\u202e = 1"),
    ("datafusion", "((a = 1)"),
    ("datafusion", "a = 1) or (1 = 1"),
]


@each(READS_ELSEWHERE)
def test_what_another_engine_may_read_in_another_way_is_refused(case: tuple[str, str]) -> None:
    dialect, where = case
    with pytest.raises(sqlrank.UsageError, match="is not one SQL expression"):
        sqlrank.sql("r", "j", "rr", dialect=dialect, where=where)


@each(
    product(
        DIALECTS,
        [
            "price >= 1.5e3 and market in ('de', 'it') or not label is null",
            "cast(price as decimal(10, 2)) between 1 and 2",
            "coalesce(lower(trim(market)), '') like 'd%'",
            "case when (price > 1) then market <> 'x' else 1 = 1 end",
            "extract(year from shown) = 2024 and price is not distinct from 2",
        ],
    )
)
def test_plain_conditions_stand_in_the_statement_of_every_engine(case: tuple[str, str]) -> None:
    dialect, where = case
    assert where in sqlrank.sql("r", "j", "rr", dialect=dialect, where=where)


FRAGMENTS = st.sampled_from(
    "select from where ( ) [ ] { } ' \" ` ; , -- /* */ // # $ $$ $q$ E' U&' r' b' x' \\ ? : :: . * + - = <> || -> ->> "
    "lambda x read_text('secret.txt') secret doc_id score 'd1' 1 1e5 null and or not in between case when then else "
    "exists any union as over filter order by limit copy attach set drop create insert pragma query( sum( lower( main. "
    "\x00 \x1b \u202e \n \t é 😀".split(" ")
)
TEXTS = st.one_of(
    st.lists(FRAGMENTS, max_size=12).map(" ".join), st.lists(FRAGMENTS, max_size=8).map("".join), st.text()
)


@given(where=TEXTS)
@example(where="doc_id in (select word from secret)")
@example(where="(select word from secret) is not null")
@example(where="length((select content from read_text('secret.txt'))) > 0")
@examples(20)
def test_no_text_makes_a_condition_do_anything_else(where: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("TOPSECRET")
    with duckdb.connect() as connection:
        connection.execute(f"create table run as {ROWS}; create table secret as select 'TOPSECRET' as word; begin")
        before = state_of(connection)
        try:
            with sqlrank.evaluate(connection.table("run"), {"q1": {"d1": 1}}, "rr", where=where) as result:
                assert result["rr"] in (0.0, 1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5)
        except sqlrank.SqlrankError as error:
            assert "TOPSECRET" not in str(error)  # noqa: PT017 most texts are refused
        assert state_of(connection) == before


def state_of(connection: duckdb.DuckDBPyConnection) -> list[Any]:
    """What a statement beside the one meant would change."""
    names = "select table_name from duckdb_tables() union all select view_name from duckdb_views() where not internal"
    rows = connection.execute(f"{names} order by all").fetchall()
    settings = connection.execute("select name, value from duckdb_settings() order by all").fetchall()
    return [rows, settings, connection.execute("select count(*), sum(score) from run").fetchall()]


@given(where=TEXTS, dialect=st.sampled_from(sorted(DIALECTS)))
@examples(50)
def test_no_text_breaks_the_lexers(where: str, dialect: str) -> None:
    problem = problem_elsewhere(where, DIALECTS[dialect])
    if problem is None:
        assert not any(mark in where for mark in ("\x00", "$q$ ", ";;"))
        assert where.strip()


@given(where=TEXTS)
@examples(50)
def test_what_is_accepted_is_one_expression_in_the_eyes_of_duckdb(where: str) -> None:
    if parsed(where).problem is None:
        assert len(duckdb.SQLExpression(where).get_name()) >= 0
        assert len(duckdb.extract_statements(f"select (\n{where}\n)")) == 1


def is_read_or_refused(path: Path, **options: Any) -> None:
    """A run of two documents gives the right value or an error of sqlrank."""
    try:
        with sqlrank.evaluate(path, {"q1": {"d2": 1}}, "rr", **options) as result:
            assert result["rr"] == 0.5
    except sqlrank.SqlrankError as error:
        assert str(error)  # noqa: PT017 either is right


@given(names=st.lists(st.text(min_size=1, max_size=12), min_size=3, max_size=3, unique_by=str.lower))
@examples(8)
def test_columns_may_have_any_name_that_a_file_may_hold(names: list[str], tmp_path: Path) -> None:
    values = (["q1", "q1"], ["d1", "d2"], [2.0, 1.0])
    try:
        parquet.write_table(pyarrow.table(dict(zip(names, values, strict=True))), tmp_path / "run.parquet")
    except UnicodeEncodeError:
        return
    roles = dict(zip(("run.query_id", "run.doc_id", "run.score"), names, strict=True))
    is_read_or_refused(tmp_path / "run.parquet", columns=roles)


@given(name=st.text(min_size=1, max_size=20))
@examples(8)
def test_files_may_have_any_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.csv"
    try:
        path.write_text("query_id,doc_id,score\nq1,d1,2\nq1,d2,1\n")
    except (OSError, ValueError):
        return
    is_read_or_refused(path)
    path.unlink()


def test_a_condition_that_lasts_is_stopped_by_a_limit_and_settings_that_mean_nothing_are_refused() -> None:
    rows = "select 'q1' as query_id, 'd' || i as doc_id, i as score from range(300000) as rows (i)"
    with duckdb.connect() as connection:
        connection.execute(f"copy ({rows}) to 'run.parquet'")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\n")
    where = "levenshtein(lpad(doc_id, 100, 'x'), lpad(query_id, 100, 'y')) >= 0"
    command = ["eval", "run.parquet", "--qrels", "qrels.csv", "-m", "rr", "--where", where]
    stopped = run_cli(*command, "--sql-time-limit", "0.05")
    plain = run_cli(*command[:-1], "score >= 0", "--sql-time-limit", "300")

    assert (stopped.code, stopped.out, plain.code) == (2, "", 0)
    assert where in stopped.err
    assert "0.05 seconds; raise the limit with --sql-time-limit" in stopped.err
    assert [run_cli(*command, "--sql-time-limit", wrong).code for wrong in ("0", "-1", "nan", "x")] == [2, 2, 2, 2]
    Path("run.csv").write_text("query_id,doc_id,score,relevance\nq1,d1,1,1\n")
    for option, values in {"--memory-limit": ("-5", "0", "abc", "1XB"), "--threads": ("0", "x")}.items():
        assert [run_cli("eval", "run.csv", f"{option}={value}").code for value in values] == [2] * len(values)
    assert run_cli("eval", "run.csv", "--memory-limit", "500MB", "--threads", "1").code == 0


@each(
    [{"memory_limit": value} for value in ("-5", "0", "0GB", "abc", "1XB", "nan", "none", "", 5, -1.5, True)]
    + [{"threads": value} for value in (0, -1, "x", 1.5, True, 10**9)]
    + [{"temp_dir": value} for value in (3, "", b"")]
)
def test_a_setting_that_means_nothing_is_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(sqlrank.UsageError, match=f"^{name}="):
        sqlrank.evaluate({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}, "rr", **wrong)


EXPORT = """create table export as from (values
    ('1', 's', 'u1', 'a', 4.0, 1), ('1', 's', 'u1', 'b', 3.0, 1), ('1', 's', 'u2', 'a', 5.0, 0),
    ('1', 's', 'u2', 'c', 3.6, 1), ('1', 's', 'u3', 'd', 2.0, 1), ('2', 't', 'u1', {}))
    as rows (ds, system, query_id, doc_id, score, relevance)"""
SYSTEMS = {"columns": {"system": "system"}}
LEFT_OUT: dict[str, tuple[str, dict[str, Any], list[tuple[Any, ...]]]] = {
    # Where `run:` leaves rows out, their labels are still to be found: u1 has two relevant documents, u3 one.
    "labels are kept": ("run: score between 3.5 and 8", {}, [("u1", 0.5), ("u2", 1.0), ("u3", 0.0)]),
    "labels go with their rows": ("score between 3.5 and 8", {}, [("u1", 1.0), ("u2", 1.0)]),
    "of several systems": ("run: ds = '1' and score >= 3.5", SYSTEMS,
                           [("s", "u1", 0.5), ("s", "u2", 1.0), ("s", "u3", 0.0)]),
    "judged apart": ("ds = '1' and score >= 3.5", SYSTEMS | {"qrels": "judged"},
                     [("s", "u1", 0.5), ("s", "u2", 1.0), ("s", "u3", 0.0)]),
}  # fmt: skip


def rows_of_forms(connection: Any, where: str, options: dict[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
    """The recall of each query in every form of a statement, and that of an evaluation."""
    given = {"where": where, "query_set": "judged", **options}
    qrels = given.pop("qrels", None)
    key = "system, query_id" if "columns" in options else "query_id"
    for metrics in ("recall@5", ["recall@5", "p@3", "bpref"], ["recall@5", "err@3"]):
        for further in ({}, {"duplicates": "best"}, {"ids": "native"}):
            text = sqlrank.sql("export", qrels, metrics, **given | further)
            yield connection.execute(f"select {key}, recall_at_5 from ({text}) order by all").fetchall()
    adding = sqlrank.sql("export", qrels, "recall@5", **given, create=("table", "held"), incremental="ds")
    connection.execute(f"drop table if exists held; {adding}; {adding}")
    yield connection.execute(f"select {key}, recall_at_5 from held order by all").fetchall()
    model = ModelRequest(name="m", run="export", qrels=qrels, metrics=["recall@5"], options=given)
    text = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"\1", model_files(model)["models/m.sql"])
    yield connection.execute(f"select {key}, recall_at_5 from ({text}) order by all").fetchall()
    passed = connection.table("export"), None if qrels is None else connection.table(qrels)
    with sqlrank.evaluate(*passed, "recall@5", connection=connection, **given) as result:
        yield connection.execute(f"select {key}, recall_at_5 from {result.per_query_table} order by all").fetchall()
    found = connection.execute(sqlrank.sql("export", qrels, "recall@5", check=True, **given)).fetchall()
    assert found == []


@each(LEFT_OUT)
def test_a_condition_leaves_out_rankings_and_no_judgments_in_every_form(case: tuple[str, dict[str, Any], Any]) -> None:
    where, options, wanted = case
    with duckdb.connect() as connection:
        connection.execute(EXPORT.format("'a', 9.0, 1" if options else "'e', 9.0, null"))
        connection.execute("create table judged as select distinct query_id, doc_id, relevance from export")
        for number, found in enumerate(rows_of_forms(connection, where, options)):
            assert found == wanted, number
