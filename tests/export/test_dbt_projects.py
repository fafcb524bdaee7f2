"""Models and tests in dbt itself, on DuckDB and PostgreSQL: days, late judgments, gates, and what they say of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest

import sqlrank
from tests.recipes.pages import RECIPES
from tests.support.cli_helper import ROOT, completed
from tests.support.components import program
from tests.support.dbt import HINT, dbt, profiles, project
from tests.support.postgres import Server, server

EXAMPLE = ROOT / "docs" / "examples" / "dbt"
PAGE = RECIPES / "dbt.md"
TARGETS = ("duckdb", "postgres")


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """Dbt, without which no test here need begin."""
    program("dbt", HINT, "SQLRANK_DBT")


@pytest.fixture(scope="module", params=TARGETS)
def running(request: pytest.FixtureRequest) -> Iterator[Server | None]:
    """A server of PostgreSQL, or none for DuckDB; another pytest that starts would close pytest's folder to it."""
    with TemporaryDirectory() as folder, started(Path(folder), request.param) as one:
        yield one


def started(folder: Path, target: str) -> AbstractContextManager[Server | None]:
    """The server of a target."""
    return server(folder) if target == "postgres" else nullcontext()


class Project:
    """A project of dbt in a folder, with the package and connections to DuckDB and, where one runs, PostgreSQL."""

    def __init__(self, folder: Path, name: str, running: Server | None) -> None:
        self.folder, self.running, self.target = folder, running, "duckdb" if running is None else "postgres"
        (folder / "profiles.yml").write_text(profiles(name, folder, running), encoding="utf-8")

    def run(self, *arguments: str, partition: str | None = None) -> tuple[int, str]:
        """How dbt ends, and what it says, in which there is to be no warning."""
        variables = [] if partition is None else ["--vars", json.dumps({"sqlrank_partition": partition})]
        done = dbt(self.folder, *arguments, "--target", self.target, *variables, variables={})
        assert "WARNING" not in done.stdout, done.stdout
        return done.returncode, done.stdout + done.stderr

    def built(self, partition: str | None = None, fails: tuple[str, ...] = ()) -> None:
        """Build everything, and see which tests fail."""
        code, said = self.run("build", partition=partition)
        assert (code, tuple(re.findall(r"FAIL \d+ (\w+) \.", said))) == (1 if fails else 0, fails), said

    def rows(self, model: str) -> list[dict[str, Any]]:
        """The rows of a model."""
        if self.running is None:
            (path,) = self.folder.glob("*.duckdb")
            with duckdb.connect(str(path), read_only=True) as connection:
                relation = connection.table(model)
                return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        query = f"select coalesce(json_agg(each), '[]') from {self.folder.name}.{model} as each"
        command = [f"{self.running.programs}/psql", self.running.url, "-Atc", query]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found


def test_the_example_builds_with_the_values_of_an_evaluation(
    tmp_path: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("sqlrank_package", "dbt_packages", "target", "logs"))
    made = Project(folder, "search_quality", running)
    monkeypatch.chdir(folder)
    settings = (folder / "sqlrank.toml").read_text(encoding="utf-8")
    (folder / "sqlrank.toml").write_text(f'dialect = "{made.target}"\n{settings}', encoding="utf-8")
    completed("dbt", ".")
    completed("dbt", "sqlrank_package", "--package")
    add_odd(made.target, folder)
    assert made.run("deps")[0] == 0
    made.built()
    assert_described(made)

    seeds = {name: str(folder / "seeds" / f"{name}.csv") for name in ("runs", "judgments", "queries", "products")}
    asked, inputs = ["ndcg@10", "ap", "rr", "p@3"], (seeds["runs"], seeds["judgments"])
    with sqlrank.evaluate(*inputs, asked, queries=seeds["queries"], by="country", weight="traffic") as result:
        wanted = {row[:3]: row[3:] for row in result.rows.select("system, country, metric, value, stderr").fetchall()}
        semantic = dict(result.per_query.filter("system = 'semantic'").select("query_id, ap").fetchall())
    found = made.rows("search_quality_summary")
    assert {(row["system"], row["country"], row["metric"]) for row in found} == wanted.keys()
    for row in found:
        key = (row["system"], row["country"], row["metric"])
        assert (row["value"], row["stderr"]) == pytest.approx(wanted[key], abs=1e-12), key
    shares = {row["system"]: row["value"] for row in made.rows("catalogue")}
    with sqlrank.evaluate(*inputs, ["coverage@3"], items=seeds["products"]) as result:
        assert shares == pytest.approx(dict(result.rows.select("system, value").fetchall()), abs=1e-12)
    assert {row["query_id"]: row["ap"] for row in made.rows("odd_quality")} == pytest.approx(semantic, abs=1e-12)


def add_odd(target: str, folder: Path) -> None:
    """A model of rankings whose columns have names that SQL, dbt and YAML read as something else, and its metrics."""
    text = """
        select query_id as "it's ""odd""; --", doc_id as "Order", score as "{{ '{{ score }}' }}"
        from {{ ref('runs') }}
        where system = 'semantic'
    """
    (folder / "models" / "odd.sql").write_text(text, encoding="utf-8")
    columns = ('run.query_id=it\'s "odd"; --', "run.doc_id=Order", "run.score={{ score }}")
    kind = "kind=case when \"{{ score }}\" is not null then '{% if x %}' end"
    odd = [word for column in columns for word in ("--column", column)]
    gate = ("--fail-under", "ap=0.1", "--gate-segments")
    completed("dbt", ".", "odd", "--qrels", "judgments", "-m", "ap", *odd, "--by", kind, *gate, "--dialect", target)


def assert_described(made: Project) -> None:
    """The catalogue of dbt describes every column, and the package has no macro that hides one of dbt's own."""
    code, said = made.run("docs", "generate")
    assert code == 0, said
    manifest = json.loads((made.folder / "target" / "manifest.json").read_text(encoding="utf-8"))
    catalogue = json.loads((made.folder / "target" / "catalog.json").read_text(encoding="utf-8"))["nodes"]
    ours = [node for name, node in manifest["nodes"].items() if name.startswith("model.") and node["description"]]
    assert len(ours) == 5
    for node in ours:
        described = {name.lower() for name, column in node["columns"].items() if column["description"]}
        assert {name.lower() for name in catalogue[node["unique_id"]]["columns"]} == described
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for macro in manifest["macros"].values():
        names[macro["package_name"] == "sqlrank"].add(macro["name"])
    assert "test_metric_at_least" in names[True]
    assert names[True] & names[False] == set()


RUNS = {
    "2026-11-01": {"q1": ["d1", "d2"], "q2": ["d3", "d4"]},
    "2026-11-02": {"q1": ["d2", "d1"], "q2": ["d3", "d4"]},
    "2026-11-03": {"q1": ["d2", "d9"], "q2": ["d4", "d8"]},
}
VALUES = ("ndcg_at_10", "ap")


def test_the_page_is_followed_day_by_day(
    tmp_path: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = daily(tmp_path / "daily", running, monkeypatch)
    one, two, three = RUNS

    def holds(*days: str) -> None:
        wanted = {key: value for day in days for key, value in evaluated(made.folder, day).items()}
        rows = made.rows("quality")
        found = {(str(row["ds"])[:10], row["query_id"], name): row[name] for row in rows for name in VALUES}
        assert found == pytest.approx(wanted, abs=1e-12)
        assert len(rows) == 2 * len(days)

    gate = ("quality_ndcg_at_10_at_least",)
    made.built(fails=gate)  # of the third day
    holds(one, two, three)
    made.built(partition=two)
    holds(one, two, three)
    made.built(fails=gate)  # nothing is missing, and the last day is held to the gate
    before = made.rows("quality")
    write_seeds(made.folder, {"q1": "d2", "q2": "d3"})
    made.built(partition=one)  # the judgment of q1 came late
    after = made.rows("quality")
    assert [row for row in after if str(row["ds"])[:10] != one] == [row for row in before if str(row["ds"])[:10] != one]
    changed = {(str(row["ds"])[:10], row["query_id"], name): row[name] for row in after for name in VALUES}
    assert evaluated(made.folder, one).items() <= {k: pytest.approx(v, abs=1e-12) for k, v in changed.items()}.items()
    code, said = made.run("build", partition="2026-11-04")
    assert (code, "the run has no rows of the partition 2026-11-04" in said) == (1, True), said
    write_seeds(made.folder, {"q1": "d2", "q2": "d3"}, twice=True)
    code, said = made.run("build", partition=three)
    assert (code, "FAIL 1 quality_inputs" in said, "SKIP" in said) == (1, True, True), said
    assert "quality_summary" in said
    write_seeds(made.folder, {"q1": "d2", "q2": "d3"}, days=(two, three))
    code, said = made.run("build", "--full-refresh")
    assert (code, f"such as {one}" in said) == (1, True), said
    assert len(made.rows("quality")) == 6


def daily(folder: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with tables like those of the page, and the models that its first command writes."""
    project(folder, {})
    made = Project(folder, "requests", running)
    (folder / "seeds").mkdir()
    write_seeds(folder, {"q1": "d1", "q2": "d3"})
    monkeypatch.chdir(folder)
    command, *_ = re.findall(r"^\$ sqlrank (dbt \. runs .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    completed(*command.split(), "--dialect", made.target)
    return made


def write_seeds(folder: Path, judgments: dict[str, str], twice: bool = False, days: Sequence[str] = (*RUNS,)) -> None:
    """The rankings of three days, whose last document may stand there twice, and the judgments."""
    rows = ["ds,query_id,doc_id,score"]
    for day in days:
        rows += [f"{day},{query},{doc},{-place}" for query, docs in RUNS[day].items() for place, doc in enumerate(docs)]
    rows += rows[-1:] if twice else []
    judged = ["query_id,doc_id,relevance", *(f"{query},{doc},1" for query, doc in judgments.items())]
    (folder / "seeds" / "runs.csv").write_text("\n".join(rows), encoding="utf-8")
    (folder / "seeds" / "judgments.csv").write_text("\n".join(judged), encoding="utf-8")


def evaluated(folder: Path, day: str) -> dict[tuple[str, str, str], float]:
    """The values of one day by query and column, as `evaluate` gives them."""
    run, qrels = (str(folder / "seeds" / f"{name}.csv") for name in ("runs", "judgments"))
    with sqlrank.evaluate(run, qrels, metrics=["ndcg@10", "ap"], where=f"ds = '{day}'") as result:
        rows = result.per_query.select("query_id", *VALUES).fetchall()
    return {(day, query, name): value for query, *values in rows for name, value in zip(VALUES, values, strict=True)}


def told(first: str, end: str) -> tuple[str, ...]:
    """The days that dbt is to make, the last of which is not one."""
    return ("build", "--event-time-start", first, "--event-time-end", end)


def batched(
    folder: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch, *options: str, runs: str = "runs"
) -> Project:
    """A project whose model is one of batches, whose inputs have an event_time, in a session far from UTC."""
    project(folder, {"texts": "select cast(ds as varchar(10)) as ds, query_id, doc_id, score from {{ ref('runs') }}"})
    made = Project(folder, "requests", running)
    (folder / "seeds").mkdir()
    write_seeds(folder, {"q1": "d1", "q2": "d3"})
    judged = {"name": "judgments", "config": {"event_time": "cast('2020-01-01' as date)"}}
    dated = {"name": "runs", "config": {"event_time": "ds"}}
    (folder / "seeds" / "seeds.yml").write_text(json.dumps({"seeds": [judged, dated]}), encoding="utf-8")
    monkeypatch.chdir(folder)
    asked = ("-m", "ndcg@10", "-m", "ap", "--query-set", "judged", "--fail-under", "ndcg@10=0.5", *options)
    days = ("--incremental", "ds", "--begin", "2026-11-01", "--name", "quality", "--dialect", made.target)
    completed("dbt", ".", runs, "--qrels", "judgments", *asked, *days)
    if running is not None:
        settings = "alter database postgres set timezone = 'Asia/Shanghai'; "
        settings += "alter database postgres set datestyle = 'SQL, DMY'"
        for text in settings.split("; "):
            subprocess.run([f"{running.programs}/psql", running.url, "-qc", text], check=True)
    return made


def test_batches_make_the_days_that_dbt_is_told(
    tmp_path: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = batched(tmp_path / "batched", running, monkeypatch)
    one, two, three = RUNS

    def holds(*days: str) -> list[dict[str, Any]]:
        rows = made.rows("quality")
        wanted = {key: value for day in days for key, value in evaluated(made.folder, day).items()}
        found = {(str(row["ds"])[:10], row["query_id"], name): row[name] for row in rows for name in VALUES}
        assert found == pytest.approx(wanted, abs=1e-12)
        assert len(rows) == 2 * len(days)
        return rows

    def does(code: int, complaint: str, *arguments: str) -> None:
        found, said = made.run(*arguments)
        assert (found, complaint in said) == (code, True), said

    does(0, "batch 2026-11-02", *told(one, three))
    first = holds(one, two)
    does(1, "FAIL 1 quality_ndcg_at_10_at_least", *told(three, "2026-11-05"))  # and a day without rows
    holds(one, two, three)
    assert [row for row in made.rows("quality") if row in first] == first
    write_seeds(made.folder, {"q2": "d3"})
    does(0, "batch 2026-11-02", *told(two, three))  # q1 is judged no more
    rows = made.rows("quality")
    assert sorted((str(row["ds"])[:10], row["query_id"]) for row in rows if str(row["ds"])[:10] != three) == [
        (one, "q1"), (one, "q2"), (two, "q2"),
    ]  # fmt: skip
    write_seeds(made.folder, {"q1": "d1", "q2": "d3"}, twice=True)
    does(1, "FAIL 1 quality_inputs", *told(three, "2026-11-04"))
    does(0, "PASS quality_inputs", *told(one, three))  # the day with the fault was not built
    write_seeds(made.folder, {"q1": "d1", "q2": "d3"})
    does(0, "batch 2026-11-01", *told(one, "2026-11-03"), "--full-refresh", "--vars", "{sqlrank_forget: true}")
    before = holds(one, two)
    does(1, "whose rows would go", *told(two, three), "--full-refresh")
    does(1, "in place of sqlrank_partition", *told(one, two), "--vars", "{sqlrank_partition: 2026-11-01}")
    write_seeds(made.folder, {"q1": "d1", "q2": "d3"}, days=(one,))
    does(1, "whose rows would go", *told(two, three))
    assert made.rows("quality") == before
    path = made.folder / "models" / "quality.sql"
    path.write_text(path.read_text(encoding="utf-8").replace("trec_eval''s", "other"), encoding="utf-8")
    does(1, "made with another definition", *told(one, two))
    assert made.rows("quality") == before


@pytest.mark.parametrize("kind", ["timestamp", "varchar(10)"])
def test_batches_are_of_a_column_of_the_type_date(
    tmp_path: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    made = batched(tmp_path / f"of_{kind[:4]}", running, monkeypatch, runs="texts")
    path = made.folder / "models" / "texts.sql"
    path.write_text(path.read_text(encoding="utf-8").replace("varchar(10)", kind), encoding="utf-8")
    code, said = made.run(*told("2026-11-01", "2026-11-02"))
    assert (code, "and the days of batches are of a column of the type date" in said) == (1, True), said


def test_a_batch_that_fails_leaves_its_day_and_a_retry_makes_it(
    tmp_path: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = batched(tmp_path / "retried", running, monkeypatch)
    days = told("2026-11-01", "2026-11-03")
    assert made.run(*days)[0] == 0
    before = made.rows("quality")
    path = made.folder / "models" / "quality.sql"
    whole = path.read_text(encoding="utf-8")
    fails = "{% if sqlrank_batch is defined and sqlrank_batch == '2026-11-02' %}select 1 from nowhere{% endif %}\n"
    path.write_text(whole.replace("from (\nwith", f"from (\n{fails}with"), encoding="utf-8")
    code, said = made.run(*days)
    assert (code, "PARTIAL SUCCESS (1/2)" in said) == (1, True), said
    held = [row for row in made.rows("quality") if str(row["ds"])[:10] == "2026-11-02" or "02/11" in str(row["ds"])]
    assert len(held) == 2
    assert all(row in before for row in held)
    broken = path.read_text(encoding="utf-8")
    path.write_text(whole, encoding="utf-8")
    code, said = made.run("retry")
    assert (code, "batch 2026-11-02" in said, "batch 2026-11-01" in said) == (0, True, False), said
    assert len({row["sqlrank_built"] for row in made.rows("quality")}) == 2
    path.write_text(broken, encoding="utf-8")
    assert made.run(*days, "--full-refresh")[0] == 1
    before = made.rows("quality")
    path.write_text(whole, encoding="utf-8")
    code, said = made.run("retry")  # of a full refresh: dbt would make a table of the second day alone
    assert (code, "whose rows would go" in said, made.rows("quality") == before) == (1, True, True), said


def test_charts_are_those_of_monitor_and_an_alarm_fails(
    tmp_path: Path, running: Server | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "charts"
    project(folder, {})
    made = Project(folder, "requests", running)
    write_days(folder)
    monkeypatch.chdir(folder)
    asked = ("runs", "--qrels", "judgments", "-m", "dcg@1", "--column", "query_id=ds,qid", "--by", "run.country")
    charts = ("--monitor", "--day", "ds", "--charts", "3", "--rule", "cusum")
    completed("dbt", ".", *asked, *charts, "--name", "daily", "--dialect", made.target)
    made.built(fails=("daily_alarms",))

    found = by_country_and_day(made.rows("daily_charts"))
    run, qrels = (str(folder / "seeds" / f"{name}.csv") for name in ("runs", "judgments"))
    columns = {"query_id": "qid"}
    with sqlrank.monitor(run, qrels, "dcg@1", day="ds", by="country", rule="cusum", columns=columns) as result:
        rows = [dict(zip(result.rows.columns, row, strict=True)) for row in result.rows.fetchall()]
        assert [chart["country"] for chart in result.alarms] == [None, "us"]
    wanted = by_country_and_day(rows)
    assert found.keys() == wanted.keys()
    for key, values in wanted.items():
        assert found[key] == pytest.approx(values, abs=1e-9), key


def write_days(folder: Path) -> None:
    """The rankings of 40 days of two countries, in one of which the last days are worse, and their judgments."""
    (folder / "seeds").mkdir()
    runs, judgments = ["ds,qid,country,doc_id,score"], ["ds,qid,doc_id,relevance"]
    for day in range(40):
        ds = date(2026, 1, 1) + timedelta(days=day)
        for query in range(6):
            country = "us" if query % 2 else "de"
            value = 0.5 + (day * 7 + query * 5) % 11 / 50 - (0.3 if day >= 35 and country == "us" else 0)
            runs.append(f"{ds},q{query},{country},d,1")
            judgments.append(f"{ds},q{query},d,{value}")
    (folder / "seeds" / "runs.csv").write_text("\n".join(runs), encoding="utf-8")
    (folder / "seeds" / "judgments.csv").write_text("\n".join(judgments), encoding="utf-8")


def by_country_and_day(rows: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[Any, ...]]:
    """What a chart has of each day."""
    return {
        (str(row["country"]), str(row["day"])[:10]): tuple(
            row[name] for name in ("value", "statistic", "limit", "alarm")
        )
        for row in rows
    }


def means(system: str, value: object, metric: str = "ap", **more: object) -> str:
    """One row of a model of means, as SQL."""
    columns = {"system": f"'{system}'", "metric": f"'{metric}'", "value": value} | more
    return "select " + ", ".join(f"{value} as {name}" for name, value in columns.items())


def several(*rows: str) -> str:
    """Rows below each other."""
    return " union all ".join(rows)


def of_days(*values: float) -> str:
    """Rows of days, the first of November and those after it."""
    return several(*(means("a", value, ds=f"cast('2026-11-0{day}' as date)") for day, value in enumerate(values, 1)))


def in_segments(germany: object, france: object, total: object, system: str = "a") -> str:
    """Rows of two segments and the total."""
    values = (("'de'", germany), ("'fr'", france), ("cast(null as varchar)", total))
    return several(
        *(means(system, value, country=name, is_total="true" if "null" in name else "false") for name, value in values)
    )


NAN, NULL = "cast('nan' as double precision)", "cast(null as double precision)"
MODELS = {
    "good": means("a", 0.5),
    "poor": means("a", 0.3),
    "other": means("a", 0.5, "rr"),
    "nothing": f"{means('a', 0.5)} where 1 = 0",
    "undefined": means("a", NULL),
    "not_a_number": means("a", NAN),
    "two": several(means("a", 0.5), means("b", 0.4)),
    "twice": several(means("a", 0.5), means("a", 0.5)),
    "days": of_days(0.2, 0.5),
    "falling": of_days(0.5, 0.2),
    "divided": in_segments(0.1, 0.9, 0.5),
    "alike": in_segments(0.1, 0.9, 0.5),
    "divided_otherwise": in_segments(0.9, 0.1, 0.5),
    "run": "select 'q1' as query_id, 'd1' as doc_id, 1.0 as score",
    "doubled": "select 'q1' as query_id, 'd1' as doc_id union all select 'q1', 'd1'",
    "without_id": "select 'q1' as query_id, cast(null as varchar) as doc_id",
    "infinite": "select cast('-inf' as double precision) as score",
}
LEAST = {"metric": "ap", "at_least": 0.4}
MARGIN = {"metric": "ap", "by_more_than": 0.1}
CHECKED: dict[str, tuple[str, str, dict[str, Any], bool]] = {
    "is_at_least": ("good", "metric_at_least", LEAST, True),
    "is_equal": ("good", "metric_at_least", LEAST | {"at_least": "0.5"}, True),
    "is_below": ("poor", "metric_at_least", LEAST, False),
    "one_of_two_is_below": ("two", "metric_at_least", LEAST | {"at_least": 0.45}, False),
    "lacks_the_metric": ("other", "metric_at_least", LEAST | {"at_least": -1}, False),
    "has_no_rows": ("nothing", "metric_at_least", LEAST | {"at_least": -1}, False),
    "condition_leaves_nothing": ("good", "metric_at_least", LEAST | {"config": {"where": "value > 1"}}, False),
    "value_is_null": ("undefined", "metric_at_least", LEAST | {"at_least": -1}, False),
    "value_is_nan": ("not_a_number", "metric_at_least", LEAST | {"at_least": -1}, False),
    "the_last_day_is_at_least": ("days", "metric_at_least", LEAST | {"partition": "ds"}, True),
    "every_day_is_not": ("days", "metric_at_least", LEAST, False),
    "the_last_day_is_below": ("falling", "metric_at_least", LEAST | {"partition": "ds"}, False),
    "a_segment_is_below": ("divided", "metric_at_least", LEAST, False),
    "the_total_is_at_least": ("divided", "metric_at_least", LEAST | {"config": {"where": "is_total"}}, True),
    "is_not_below": ("good", "metric_not_below", MARGIN | {"than": "ref('good')"}, True),
    "falls": ("poor", "metric_not_below", MARGIN | {"than": "ref('good')"}, False),
    "falls_within": ("poor", "metric_not_below", MARGIN | {"than": "ref('good')", "by_more_than": 0.2}, True),
    "rises": ("good", "metric_not_below", MARGIN | {"than": "ref('poor')"}, True),
    "baseline_is_empty": ("good", "metric_not_below", MARGIN | {"than": "ref('nothing')"}, False),
    "model_is_empty": ("nothing", "metric_not_below", MARGIN | {"than": "ref('good')"}, False),
    "both_are_empty": ("nothing", "metric_not_below", MARGIN | {"than": "ref('nothing')"}, False),
    "a_value_is_nan": ("not_a_number", "metric_not_below", MARGIN | {"than": "ref('good')"}, False),
    "a_system_is_missing": ("good", "metric_not_below", MARGIN | {"than": "ref('two')"}, False),
    "a_system_is_new": ("two", "metric_not_below", MARGIN | {"than": "ref('good')"}, False),
    "a_system_stands_twice": ("twice", "metric_not_below", MARGIN | {"than": "ref('good')"}, False),
    "within_one_system": ("two", "metric_not_below", MARGIN | {"baseline_system": "a"}, True),
    "below_one_system": ("two", "metric_not_below", MARGIN | {"baseline_system": "a", "by_more_than": 0.05}, False),
    "no_such_system": ("two", "metric_not_below", MARGIN | {"baseline_system": "c"}, False),
    "nothing_but_the_baseline": ("good", "metric_not_below", MARGIN | {"baseline_system": "a"}, False),
    "one_system_of_another_model": (
        "poor", "metric_not_below", MARGIN | {"than": "ref('two')", "baseline_system": "b"}, True,
    ),
    "segments_match": ("divided", "metric_not_below", MARGIN | {"than": "ref('alike')", "by": ["country"]}, True),
    "a_segment_falls": (
        "divided", "metric_not_below", MARGIN | {"than": "ref('divided_otherwise')", "by": ["country"]}, False,
    ),
    "the_last_day_falls": ("falling", "metric_not_below", MARGIN | {"than": "ref('days')", "partition": "ds"}, False),
    "the_last_day_rises": ("days", "metric_not_below", MARGIN | {"than": "ref('falling')", "partition": "ds"}, True),
    "documents_are_unique": ("run", "one_row_per_document", {}, True),
    "a_document_stands_twice": ("doubled", "one_row_per_document", {}, False),
    "an_id_is_null": ("without_id", "one_row_per_document", {"keys": ["query_id", "doc_id"]}, False),
    "scores_are_finite": ("run", "finite_numbers", {"column_name": "score"}, True),
    "a_score_is_infinite": ("infinite", "finite_numbers", {"column_name": "score"}, False),
}  # fmt: skip
"""By name: the model, the test, its arguments, and whether it passes."""


def test_tests_of_the_package_fail_where_they_should(tmp_path: Path, running: Server | None) -> None:
    folder = tmp_path / "checked"
    project(folder, MODELS)
    made = Project(folder, "requests", running)
    tests: dict[str, list[Any]] = {}
    for name, (model, test, arguments, _) in CHECKED.items():
        config = {"config": arguments["config"]} if "config" in arguments else {}
        given = {key: value for key, value in arguments.items() if key != "config"}
        tests.setdefault(model, []).append({f"sqlrank.{test}": {"name": name, "arguments": given} | config})
    listed = [{"name": model, "data_tests": each} for model, each in tests.items()]
    (folder / "models" / "checked.yml").write_text(json.dumps({"models": listed}), encoding="utf-8")
    made.run("build")
    results = json.loads((folder / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    found = {row["unique_id"].split(".")[2]: row["status"] for row in results if row["unique_id"].startswith("test.")}
    assert found == {name: "pass" if passes else "fail" for name, (_, _, _, passes) in CHECKED.items()}


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("test_metric_not_below(ref('good'), 'ap')", "needs than, a model, or baseline_system, a system"),
        ("test_metric_not_below(ref('good'), 'ap', ref('good'), by_more_than='x')", "by_more_than=x is not a finite"),
        ("test_metric_at_least(ref('good'), 'ap', at_least=true)", "at_least=True is not a finite number"),
    ],
)
def test_a_gate_that_makes_no_sense_is_refused(tmp_path: Path, call: str, complaint: str) -> None:
    project(tmp_path / "refused", {"good": MODELS["good"], "refused": f"{{{{ sqlrank.{call} }}}}"})
    code, said = Project(tmp_path / "refused", "requests", None).run("compile")
    assert (code, complaint in said) == (2, True), said
