"""Models of dbt have the text of `sqlrank sql`, and say nothing in Jinja but what they are to say."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

import sqlrank
from sqlrank.cli.dbt_files import write_models
from sqlrank.dialects import DIALECTS
from sqlrank.errors import ResourceError, UsageError, on_the_command_line
from sqlrank.evaluation.request import request_of
from sqlrank.export import dbt_package as writer
from sqlrank.export.dbt_charts import Charts
from sqlrank.export.dbt_jinja import dbt_relation
from sqlrank.export.dbt_models import ModelRequest, model_files
from sqlrank.export.dbt_package import package_files, write_package
from sqlrank.export.dbt_properties import Gates
from sqlrank.export.statement import relation_sql
from sqlrank.export.statement_form import Form
from tests.dbt_models import GOLDEN, REQUESTS, golden
from tests.recipes.pages import RECIPES, files
from tests.statements import REQUESTS as STATEMENTS
from tests.support.cli_helper import ROOT, completed, error_of, run_cli
from tests.support.dbt import rendered

EXAMPLE = ROOT / "docs" / "examples" / "dbt"
ELSEWHERE = ("summary", "check", "create", "incremental")
"""Options of `sqlrank sql` that say which of the models a statement is."""
SAME = {name: request for name, request in STATEMENTS.items() if not set(ELSEWHERE) & request[2].keys()}


def model(**given: Any) -> str:
    """The text of a model of the rows of queries."""
    asked: dict[str, Any] = {"name": "m", "run": "runs", "qrels": "labels", "metrics": ["ap"]} | given
    if asked.get("form", Form()).incremental is not None:
        asked["options"] = {"query_set": "judged"} | dict(asked.get("options", {}))
    return model_files(ModelRequest(**asked))["models/m.sql"]


@pytest.mark.parametrize("name", SAME)
def test_a_model_has_the_text_of_the_statement_below_its_command(name: str) -> None:
    (run, qrels), metrics, given = SAME[name]
    options = dict(given)
    said = {option: options.pop(option) for option in ("dialect", "ids", "keep", "system") if option in options}
    form = Form(**said | {"keep": tuple(said.get("keep", ()))})
    wanted = relation_sql(run, qrels, request_of(metrics, options), form, named=True)

    found = rendered(model(run=run, qrels=qrels, metrics=metrics, options=options, form=form))
    assert found.partition("\n")[2] == wanted.partition("\n")[2]


@pytest.mark.parametrize("dialect", ["duckdb", "clickhouse"])
def test_charts_have_the_text_of_the_statement_of_charts(dialect: str) -> None:
    form = Form(dialect=dialect, incremental="ds", system="production")
    asked: dict[str, Any] = {"name": "m", "run": "runs", "qrels": "labels", "metrics": ["ap"], "form": form}
    asked["options"] = {"by": ["run.country"], "query_set": "judged"}
    charts = Charts(rule="cusum", baseline_days="2026-01-01..2026-01-31", charts=3)
    made = model_files(ModelRequest(**asked, charts=charts))
    assert made.keys() - model_files(ModelRequest(**asked)).keys() == {"models/m_charts.sql", "tests/m_alarms.sql"}

    given: dict[str, Any] = {"by": "country", "rule": "cusum", "baseline_days": charts.baseline_days, "charts": 3}
    wanted = sqlrank.monitor_sql("m", "ap", day="ds", **given, dialect=dialect)
    head, _, found = rendered(made["models/m_charts.sql"]).partition("\n")
    assert found == wanted
    assert "--baseline-days 2026-01-01..2026-01-31 --by run.country --charts 3 --monitor" in head
    assert head.endswith("--rule cusum")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--by", "ds", "--monitor"), "--day is missing: the column of the days (it has ds)"),
        (("--monitor",), "--day is missing: the column of the days (add one with --by or --keep)"),
        (("--by", "ds", "--monitor", "--day", "dt"), "--day dt: the model has no such column (it has ds)"),
        (("--by", "ds", "--day", "ds"), "--day is for --monitor"),
        (("--by", "ds", "--by", "country", "--monitor", "--day", "ds"), "--charts N is missing"),
        (("--column", "system=arm", "--by", "ds", "--monitor", "--day", "ds"), "--charts N is missing"),
        (("--by", "ds", "--by", "value", "--monitor", "--day", "ds", "--charts", "2"), "--by value: the output has"),
        (("--by", "ds", "--monitor", "--day", "ds", "--baseline-days", "ref('x')"), "write two days such as"),
        (("--by", "ds", "--monitor", "--day", "ds", "-m", "gm_map"), "there is no chart of it"),
        (("--by", "ds", "--monitor", "--day", "ds", "-m", "gauc(weight=rows)"), "leave out its weight"),
    ],
)
def test_charts_that_cannot_be_are_refused(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    metric = () if "-m" in words else ("-m", "ndcg@10")
    assert complaint in error_of(2, "dbt", tmp_path, "runs", "--qrels", "labels", *metric, *words)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", REQUESTS)
def test_models_of_other_engines_are_those_that_were_read(name: str) -> None:
    held = {path: (GOLDEN / name / path).read_text(encoding="utf-8") for path in golden(name)}
    assert golden(name) == held, "if it is meant: python -m tests.dbt_models, and read the difference"


def test_the_example_is_what_its_settings_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)
    assert run_cli("dbt", ".", "--check").code == 0, "cd docs/examples/dbt; sqlrank dbt .; read the difference"


@pytest.mark.parametrize(
    ("text", "expression", "word"),
    [
        ("runs", "{{ ref('runs') }}", "runs"),
        ("warehouse.runs", "{{ source('warehouse', 'runs') }}", "warehouse.runs"),
        ("ref('runs')", "{{ ref('runs') }}", "runs"),
        ('{{ ref("search", "runs") }}', "{{ ref('search', 'runs') }}", 'ref("search", "runs")'),
        ("source( 'a-b', 'runs$2' )", "{{ source('a-b', 'runs$2') }}", 'source("a-b", "runs$2")'),
    ],
)
def test_a_relation_is_a_name_or_a_call(text: str, expression: str, word: str) -> None:
    relation = dbt_relation(text, "RUN")
    assert (relation.expression, relation.word) == (expression, word)
    assert dbt_relation(relation.word, "RUN") == relation


@pytest.mark.parametrize(
    "text",
    [
        *("", "runs.csv.gz", "a.b.c", "runs)", "runs; drop", "runs\n", '"runs"', "source('runs')", "this", "ref(runs)"),
        *("ref('runs') ~ env_var('HOME')", "ref('a', 'b', 'c')", "ref('a' ~ 'b')", "ref('it''s')", "ref('{{ x }}')"),
        *("{{ env_var('HOME') }}", "{{ ref('a') }}{{ ref('b') }}", "{% set x = 1 %}", "ref('a\\')", "ref('ä')"),
    ],
)
def test_what_is_neither_is_refused(text: str) -> None:
    if text in ("this", "runs\n"):  # names
        assert dbt_relation(text, "--items").names == (text.strip(),)
        return
    with pytest.raises(UsageError, match=r"^--items .*is not a relation of dbt; name a model or seed as runs"):
        dbt_relation(text, "--items")


HOSTILE = ("{{ env_var('HOME') }}", "{% set x = 1 %}", "a{# b #}", "{{{{ '{{' }}{%%}", "{{ refs('runs') }}", "}}{")


@pytest.mark.parametrize("evil", HOSTILE)
@pytest.mark.parametrize("dialect", ["duckdb", "spark"])
def test_names_and_values_stay_what_they_are(evil: str, dialect: str) -> None:
    options = {
        "columns": {"run.score": evil, "qrels.doc_id": evil + "2"},
        "by": [f"run.{evil}3"],
        "where": "doc_id <> '" + evil.replace("'", "''" if dialect == "duckdb" else "\\'") + "'",
        "query_set": "judged",
    }
    form = Form(dialect=dialect, system=evil + "4", keep=(evil + "5",))
    wanted = relation_sql("runs", "labels", request_of(["ap"], options), form, named=True)
    found = rendered(model(options=options, form=form))
    assert found.partition("\n")[2] == wanted.partition("\n")[2]

    made = model_files(ModelRequest(name="m", run="runs", qrels="labels", options=options, form=form))
    columns = yaml.safe_load(rendered(made["models/m.yml"]))["models"][0]["columns"]
    assert {f"{evil}3", f"{evil}5"} <= {column["name"] for column in columns}


def test_what_the_model_says_itself_is_refused_in_names() -> None:
    form = Form(incremental="ds")
    for evil in ("{{ ref('runs') }}", "{{ this }}", "{% else %}", '{{ var("sqlrank_partition") }}'):
        with pytest.raises(UsageError, match="next to a relation in double braces nothing else may hold"):
            model(options={"columns": {"score": evil}}, form=form)


DAYS = ("2026-11-01", "2026-11-02", "2026-11-03")


@pytest.fixture
def days() -> Iterator[duckdb.DuckDBPyConnection]:
    """Rankings of two systems on three days, of which the last has one of them, and the judgments of all days."""
    with duckdb.connect() as connection:
        connection.execute(
            "create table runs as select date '2026-11-01' + day::int as ds, chr(97 + system::int) as system,"
            " 'q' || query as query_id, 'd' || doc as doc_id, hash(day, system, query, doc) % 100 as score"
            " from range(3) as t(day), range(2) as s(system), range(3) as q(query), range(5) as d(doc)"
            " where day < 2 or system = 0;"
            "create table labels as select 'q' || query as query_id, 'd' || query as doc_id, 1 as relevance"
            " from range(4) as t(query)"
        )
        yield connection


def values(days: duckdb.DuckDBPyConnection) -> Callable[[str], list[Any]]:
    """What a query of one column gives in dbt."""
    return lambda text: [row[0] for row in days.execute(text).fetchall()]


def test_a_run_adds_the_missing_partitions_or_makes_the_one_that_is_asked_for(days: duckdb.DuckDBPyConnection) -> None:
    text = model(form=Form(incremental="ds"), options={"columns": {"system": "system"}})

    def added(first: bool = False, **options: Any) -> list[tuple[Any, ...]]:
        found = days.sql(rendered(text, first, query=values(days), **options)).order("all").fetchall()
        assert {row[-2:] for row in found} <= {("this_run", "ap; trec_eval's conventions")}
        return [row[1:-2] for row in found]

    wanted = {
        day: sqlrank.evaluate(days.sql(f"from runs where ds = '{day}'"), days.table("labels"), ["ap"])
        .per_query.order("all").fetchall()
        for day in DAYS
    }  # fmt: skip
    assert len(wanted[DAYS[0]]) == 8
    every = [row for day in DAYS for row in wanted[day]]
    assert added(first=True) == every
    told: list[str] = []
    most: dict[str, Any] = {"variables": {"sqlrank_most": 1}, "said": told.append}
    assert added(first=True, **most) == wanted[DAYS[0]]
    assert "3 partitions are missing, and a run makes 1" in told[0]
    days.execute("create table this_table as " + rendered(text, query=values(days), **most))
    assert added() == every[8:]
    days.execute("insert into this_table " + rendered(text, first=False, query=values(days)))
    assert added() == []
    for first in (True, False):
        assert added(first, partition=DAYS[1]) == wanted[DAYS[1]]
    days.execute(f"delete from this_table where ds = '{DAYS[1]}' and system = 'b'")
    assert added() == [row for row in wanted[DAYS[1]] if row[0] == "b"]
    with pytest.raises(ValueError, match="no rows of the partition 2026-11-09"):
        added(partition="2026-11-09")

    assert added(refresh=True) == every
    other = model(form=Form(incremental="ds"), options={"columns": {"system": "system"}, "rel": 2})
    with pytest.raises(ValueError, match=r"made with another definition: ap; trec_eval.*--full-refresh"):
        rendered(other, first=False, query=values(days))
    with pytest.raises(ValueError, match="3 partitions are missing"):
        added(refresh=True, **most)
    days.execute(f"delete from runs where ds = '{DAYS[0]}'")
    with pytest.raises(ValueError, match=f"would lose partitions .* such as {DAYS[0]}"):
        added(refresh=True)
    assert added(refresh=True, variables={"sqlrank_forget": True}) == every[8:]


def test_the_open_partition_is_left_out_on_request(days: duckdb.DuckDBPyConnection) -> None:
    form = Form(incremental="ds", until="date '2026-11-01' + 2")
    options: dict[str, Any] = {"columns": {"system": "system"}, "query_set": "judged"}
    text = rendered(model(form=form, options=options), query=values(days))
    assert [row[0].isoformat() for row in days.sql(f"select distinct ds from ({text}) order by 1").fetchall()] == [
        *DAYS[:2]
    ]
    statement = sqlrank.sql(
        "runs", "labels", "ap", **options, create=("table", "held"), incremental="ds", until="current_date - 100000"
    )
    days.execute(statement)
    assert days.table("held").fetchall() == []
    assert "--until 'current_date - 100000'" in statement


def test_the_test_of_the_inputs_looks_at_the_partitions_that_the_model_makes(days: duckdb.DuckDBPyConnection) -> None:
    asked = ModelRequest(
        name="m",
        run="runs",
        qrels="labels",
        form=Form(incremental="ds"),
        options={"columns": {"system": "system"}, "query_set": "judged"},
    )
    files = model_files(asked)

    def found(first: bool = False, partition: str | None = None) -> list[str]:
        text = rendered(files["tests/m_inputs.sql"], first, partition=partition, query=values(days))
        return [row[0] for row in days.sql(text).fetchall()]

    twice = ["a document appears twice in one ranking"]
    days.execute(f"create table saved as from runs; delete from runs where ds = '{DAYS[1]}'")
    days.execute("create table this_table as " + rendered(files["models/m.sql"], query=values(days)))
    days.execute(f"insert into runs from runs where ds = '{DAYS[0]}' limit 1")
    assert (found(), found(first=True), found(partition=DAYS[0]), found(partition=DAYS[2])) == ([], twice, twice, [])
    days.execute(f"insert into runs from saved where ds = '{DAYS[1]}'")
    assert found() == []
    days.execute(f"insert into runs from saved where ds = '{DAYS[1]}' limit 1")
    assert found() == twice, "a late day is looked at before it is added"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_says_how_a_partition_is_added(dialect: str) -> None:
    text = model(form=Form(dialect=dialect, incremental="ds"))
    strategy = {"spark": "insert_overwrite", "databricks": "append", "bigquery": "merge"}.get(dialect, "delete+insert")
    assert f"incremental_strategy='{strategy}'" in text
    assert ("delete from {{ this }}" in text) is (strategy in ("append", "merge"))
    assert (f"{'partition_by' if dialect == 'spark' else 'unique_key'}=['ds']" in text) is (
        strategy not in ("append", "merge")
    )


@pytest.mark.parametrize("evil", [*HOSTILE, "\" ~ env_var('HOME') ~ \"", "it's `odd`"])
def test_a_partition_of_any_name_is_deleted_under_that_name(evil: str) -> None:
    found: dict[str, Any] = {}
    rendered(model(form=Form(dialect="databricks", incremental=evil)), config=found.update)
    made = rendered(found["pre_hook"], first=False, partition="2026-11-01")
    assert made == f"delete from this_table where cast({DIALECTS['databricks'].ident(evil)} as string) = '2026-11-01'"
    assert rendered(found["pre_hook"], first=True, partition="2026-11-01") == ""
    rendered(model(form=Form(incremental=evil)), config=found.update)
    assert found["unique_key"] == [DIALECTS["duckdb"].ident(evil)]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"name": "a-b"}, "--name a-b: a model has a name of letters, digits and _"),
        ({"name": "m.n"}, "--name m.n"),
        ({"metrics": ["ap", "coverage@10"], "options": {"items": "goods"}}, "one value for a whole system"),
        (
            {
                "metrics": ["coverage@10"],
                "options": {"items": "goods", "query_set": "run"},
                "form": Form(incremental="ds"),
            },
            "each query",
        ),
        ({"gates": Gates(fail_under={"p@1,5": 0.5})}, "p@1,5: a gate is on one metric, such as p@1"),
        ({"gates": Gates(fail_on_drop={"ap": 0.5}, against="a")}, "--fail-on-drop compares systems"),
        ({"options": {"ties": "input"}}, "--ties input needs a look at the rows"),
        ({"form": Form(begin="2026-11-01")}, "name that with --incremental"),
        (
            {"form": Form(incremental="ds", begin="2026-11-01", until="current_date")},
            "with --begin dbt says which days",
        ),
        *(
            ({"form": Form(dialect=name, incremental="ds", begin="2026-11-01")}, "it is on DuckDB and PostgreSQL")
            for name, dialect in DIALECTS.items()
            if not dialect.dbt_batches
        ),
    ],
    ids=str,
)
def test_what_no_model_can_be_is_refused(given: dict[str, Any], complaint: str) -> None:
    with on_the_command_line(), pytest.raises(UsageError, match=re.escape(complaint)):
        model(**given)


def test_a_drop_is_from_a_system_that_is_named() -> None:
    for given in ({"fail_on_drop": {"ap": 0.1}}, {"against": "a"}):
        with (
            on_the_command_line(),
            pytest.raises(UsageError, match="--fail-on-drop METRIC=VALUE and --against SYSTEM go together"),
        ):
            Gates(**given)


def test_models_are_written_whole_and_only_over_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("dbt", ".", "runs", "--qrels", "labels", "-m", "first_rank", "--metrics-dir", "own")
    (tmp_path / "own").mkdir()
    text = files(RECIPES / "own-metrics.md")["metrics/first_rank.sql"]
    (tmp_path / "own" / "first_rank.sql").write_text(text, encoding="utf-8")
    names = ["models/runs_quality.sql", "models/runs_quality_summary.sql", "models/runs_quality.yml"]
    for _ in range(2):
        assert completed(*asked).out.split() == [*names, "tests/runs_quality_inputs.sql"]
    text = (tmp_path / names[0]).read_text(encoding="utf-8")
    command = text.splitlines()[0].removeprefix(f"-- sqlrank {sqlrank.__version__}: sqlrank ")
    assert command == "dbt . runs --qrels labels -m first_rank --metrics-dir own --name runs_quality"
    assert completed(*command.split(), "--check").out == ""
    assert completed("dbt", tmp_path, *asked[2:], "--check").out == "", "wherever the command is run"

    (tmp_path / names[1]).write_text("select 1", encoding="utf-8")
    (tmp_path / names[0]).write_text(text.replace(" as first_rank", " as mean"), encoding="utf-8")
    assert "summary.sql is there and was not written by sqlrank dbt; choose another --name" in error_of(2, *asked)
    assert " as mean" in (tmp_path / names[0]).read_text(encoding="utf-8")
    outcome = run_cli(*asked, "--check")
    assert (outcome.code, " as mean" in outcome.out, " as first_rank" in outcome.out) == (4, True, True)
    assert f"a file is not what would be written; in that folder: sqlrank {command}" in outcome.err
    (tmp_path / names[1]).unlink()
    assert "models/runs_quality_summary.sql is not there" in run_cli(*asked, "--check").out


def test_no_model_is_there_if_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "models" / ("x" * 20)).mkdir(parents=True)
    with pytest.raises(UsageError, match="is not a regular file"):
        write_models(str(tmp_path), {"models/a.sql": "-- sqlrank", f"models/{'x' * 20}": "-- sqlrank"})
    with pytest.raises(ResourceError, match="cannot be written"):
        write_models(str(tmp_path), {"models/a.sql": "-- sqlrank", f"models/{'y' * 300}": "-- sqlrank"})
    with pytest.raises(UsageError, match="would hold the control character"):
        write_models(str(tmp_path), {"models/a.sql": "-- sqlrank", "models/b.sql": "-- \x1b"})
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["x" * 20]


def test_the_settings_say_which_models_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "argument RUN is missing: name the model of the rankings" in error_of(2, "dbt", ".")
    settings = """
        rel = 2
        [evaluations.nightly]
        run = "exports/run.parquet"
        [evaluations.daily]
        run = "source('warehouse', 'runs')"
        metric = ["ap"]
        dialect = "postgres"
        incremental = "ds"
        [evaluations.weekly]
        run = "ref('weeks')"
        fail-under = { "ndcg@10" = 0.5 }
    """
    (tmp_path / "sqlrank.toml").write_text(settings, encoding="utf-8")
    names = ["daily.sql", "daily_summary.sql", "daily.yml", "weekly.sql", "weekly_summary.sql", "weekly.yml"]
    assert [Path(line).name for line in completed("dbt", ".").out.split() if "inputs" not in line] == names
    text = (tmp_path / "models" / "daily.sql").read_text(encoding="utf-8")
    assert (
        f": sqlrank dbt . warehouse.runs -m ap --dialect postgres --incremental ds --name daily --rel 2{chr(10)}"
        in text
    )
    assert completed("dbt", ".", "--check").out == completed("dbt", ".", "--config", "daily", "--check").out == ""
    assert "dialect is for one model: name its RUN, or --config daily" in error_of(2, "dbt", ".", "--dialect", "spark")
    assert run_cli("dbt", ".", "--config", "daily", "--rel", "3", "--check").code == 4


def test_the_package_is_small_and_has_the_licence_of_the_project() -> None:
    made = package_files()
    assert made["LICENSE"] == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert sum(text.count("\n") for name, text in made.items() if name.endswith(".sql")) <= 150
    assert all("{version}" not in text for text in made.values())
    tests = {Path(name).stem for name in made if name.startswith("tests/")}
    assert all(f"`{name}`" in made["README.md"] for name in tests)


def test_the_package_is_written_whole_and_only_over_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "deep" / "package"
    outcome = completed("dbt", folder, "--package")
    made = write_package(str(folder))
    assert outcome.out == f"{len(made)} files written to {folder}; see {folder}/README.md\n"
    assert made == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode)
    (folder / "macros" / "of an older version.sql").touch()
    assert write_package(str(folder)) == made
    assert not (folder / "macros" / "of an older version.sql").exists()
    with monkeypatch.context() as patch:
        patch.setattr(writer, "package_files", lambda: {"README.md": "", "x" * 300: ""})
        with pytest.raises(ResourceError, match="package cannot be written: File name too long"):
            write_package(str(folder))
    assert made == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert [path.name for path in folder.parent.iterdir()] == ["package"]


def test_a_folder_with_something_else_is_no_place_for_the_package(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_package(str(other))
    (other / "dbt_project.yml").write_text("name: sqlrank\n", encoding="utf-8")
    assert "is not empty and holds no dbt package of sqlrank" in error_of(2, "dbt", other, "--package")
    with pytest.raises(UsageError, match="is the folder you are in"):
        write_package(".")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file is not a folder"):
        write_package(str(tmp_path / "file"))
