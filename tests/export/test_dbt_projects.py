"""The dbt package in dbt itself, on DuckDB and PostgreSQL: the texts of `sqlrank sql`, and the example project."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.export.dbt import write_package
from tests.recipes.pages import RECIPES, files, write_files
from tests.support.cli_helper import ROOT
from tests.support.components import program
from tests.support.dbt_package import HINT, call, dbt, jinja, project
from tests.support.dbt_requests import DIALECTS_OF, EVERY, difference, expected, named
from tests.support.postgres import Server, server

EXAMPLE = ROOT / "docs" / "examples" / "dbt"
PAGE = RECIPES / "dbt.md"
pytestmark = pytest.mark.usefixtures("installed")
NOWHERE: Mapping[str, str] = {}
"""The variables of a target that needs none."""


@pytest.fixture(scope="module")
def installed() -> None:
    """Dbt, without which no test here need begin."""
    program("dbt", HINT, "SQLRANK_DBT")


def test_dbt_compiles_the_text_of_sqlrank(tmp_path: Path) -> None:
    names = [name for name, dialect in DIALECTS_OF.items() if dialect == "duckdb"]
    assert len(names) > 25
    assert compiled_differently(tmp_path / "p", names, "duckdb") == {}


def test_dbt_builds_the_example_on_duckdb(tmp_path: Path) -> None:
    folder = example(tmp_path / "example", {})

    def read(table: str) -> list[dict[str, Any]]:
        with duckdb.connect(str(folder / "search_quality.duckdb"), read_only=True) as connection:
            relation = connection.sql(f"from {table}")
            return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]

    assert_built(folder, "duckdb", {}, read)


def test_dbt_compiles_and_builds_on_postgres(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        names = [
            "default",
            "two_levels",
            "systems",
            "segments",
            "bounds",
            "labelled systems",
            "novelty",
            "whole",
            "hostile",
        ]
        assert compiled_differently(tmp_path / "p", [*names, "postgres"], "postgres", running) == {}
        address = {"PGHOST": running.host, "PGPORT": str(running.port), "PGUSER": running.user}
        folder = example(tmp_path / "example", address)

        def read(table: str) -> list[dict[str, Any]]:
            command = [
                f"{running.programs}/psql",
                running.url,
                "-c",
                f"copy (select * from {table}) to stdout csv header",
            ]
            environment = os.environ | {"PGOPTIONS": "-c search_path=search_quality,search_quality_dbt_test__audit"}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return [
                {name: value or None for name, value in row.items()} for row in csv.DictReader(done.stdout.splitlines())
            ]

        assert_built(folder, "postgres", address, read)


def compiled_differently(folder: Path, names: list[str], target: str, running: Server | None = None) -> dict[str, str]:
    """Compile these requests in one project; where dbt's text is not that of sqlrank, the difference."""
    models = {}
    for name in names:
        (run, qrels), metrics, options = EVERY[name]
        macro, rest = named(metrics, options)
        models[re.sub(r"\W", "_", name)] = call(macro, run, qrels, metrics or None, rest)
    project(folder, models, running)
    run_dbt(folder, "compile", "--target", target)
    compiled = folder / "target" / "compiled" / "requests" / "models"
    pairs = {}
    for name, model in zip(names, models, strict=True):
        found = (compiled / f"{model}.sql").read_text(encoding="utf-8")
        pairs[name] = (expected(name, target).rstrip("\n"), found.rstrip("\n"))
    return {name: difference(wanted, found) for name, (wanted, found) in pairs.items() if wanted != found}


ODD = {"run.query_id": 'it\'s "odd"; --', "run.doc_id": "Order", "run.score": "{{ score }}"}
EXTRA = {
    "models/odd.sql": """
        select
            query_id as "it's ""odd""; --",
            doc_id as "Order",
            score as "{{ '{{ score }}' }}"
        from {{ ref('runs') }}
        where system = 'semantic'
    """,
    "models/odd_per_query.sql": f"""
        {{{{ sqlrank.per_query(ref('odd'), ref('judgments'), ['ap'], columns={jinja(ODD)}) }}}}
    """,
    "models/doubled.sql": """
        select * from {{ ref('runs') }}
        union all
        select * from {{ ref('runs') }} where system = 'semantic' and query_id = 'q1'
    """,
    "models/extra.yml": """
        models:
          - name: doubled
            data_tests:
              - sqlrank.one_row_per_document:
                  name: doubled_rows
                  config: {severity: warn, store_failures: true}
                  arguments: {columns: {system: system}}
          - name: odd
            data_tests:
              - sqlrank.metric_at_least:
                  name: out_of_reach
                  config: {severity: warn, store_failures: true}
                  arguments:
                    qrels: ref('judgments')
                    metric: ndcg(gain=exp2)@10
                    at_least: 1.5
                    columns: __ODD__
                    queries: ref('queries')
                    by: [queries.country]
    """.replace("__ODD__", json.dumps(ODD | {"run.score": "{{ '{{ score }}' }}"})),
}


def example(folder: Path, address: Mapping[str, str]) -> Path:
    """The example project with the package, and with models whose columns and rows are odd."""
    kept = shutil.ignore_patterns("sqlrank_package", "dbt_packages", "target", "logs", "*.duckdb", "package-lock.yml")
    shutil.copytree(EXAMPLE, folder, ignore=kept)
    write_package(str(folder / "sqlrank_package"))
    for name, text in EXTRA.items():
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    run_dbt(folder, "deps", variables=address)
    return folder


def assert_built(
    folder: Path, target: str, address: Mapping[str, str], read: Callable[[str], list[dict[str, Any]]]
) -> None:
    """The example builds, with the values of sqlrank, and its tests find what is wrong."""
    done = run_dbt(folder, "build", "--target", target, variables=address, warned=True)
    assert re.search(r"PASS=\d+ WARN=2 ERROR=0 SKIP=0", done), done
    assert_no_macro_of_dbt_is_hidden(folder)
    seeds = {name: str(folder / "seeds" / f"{name}.csv") for name in ("runs", "judgments", "queries", "products")}
    asked = ["ndcg@10", "ap", "rr", "p@3"]
    run, qrels = seeds["runs"], seeds["judgments"]
    result = sqlrank.evaluate(run, qrels, metrics=asked, queries=seeds["queries"], by="country", weight="traffic")
    relation = result.rows.select("system, country, metric, value")
    wanted = {row[:3]: row[3] for row in relation.fetchall()}
    found = {(row["system"], row["country"], row["metric"]): float(row["value"]) for row in read("summary")}
    assert found == pytest.approx(wanted, abs=1e-12)
    assert len(found) == 2 * 3 * len(asked)
    shares = {row["system"]: float(row["value"]) for row in read("catalogue")}
    whole = sqlrank.evaluate(run, qrels, metrics=["coverage@3"], items=seeds["products"])
    assert shares == pytest.approx(dict(whole.rows.select("system, value").fetchall()))
    odd = {row["query_id"]: float(row["ap"]) for row in read("odd_per_query")}
    semantic = result.per_query.filter("system = 'semantic'").select("query_id, ap")
    assert odd == pytest.approx(dict(semantic.fetchall()))
    below = read("main_dbt_test__audit.out_of_reach" if target == "duckdb" else "out_of_reach")
    assert sorted((row["system"], row["country"] or "", float(row["least"])) for row in below) == [
        ("odd", "", 1.5),
        ("odd", "de", 1.5),
        ("odd", "fr", 1.5),
    ]
    assert {row["metric"] for row in below} == {"ndcg(gain=exp2)@10"}
    twice = read("main_dbt_test__audit.doubled_rows" if target == "duckdb" else "doubled_rows")
    assert {(row["system"], row["query_id"], int(row["copies"])) for row in twice} == {("semantic", "q1", 2)}


def assert_no_macro_of_dbt_is_hidden(folder: Path) -> None:
    """The package has no macro that goes by the name of one of dbt's own."""
    manifest = json.loads((folder / "target" / "manifest.json").read_text(encoding="utf-8"))
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for macro in manifest["macros"].values():
        names[macro["package_name"] == "sqlrank"].add(macro["name"])
    assert "per_query" in names[True]
    assert names[True] & names[False] == set()


def run_dbt(folder: Path, *arguments: str, variables: Mapping[str, str] = NOWHERE, warned: bool = False) -> str:
    """What dbt says, which is to end well, and to warn of nothing unless told."""
    done = dbt(folder, *arguments, variables=variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert warned or "WARNING" not in done.stdout, done.stdout
    return done.stdout


RUNS = {
    "2026-11-01": {"q1": ["d1", "d2"], "q2": ["d3", "d4"]},
    "2026-11-02": {"q1": ["d2", "d1"], "q2": ["d3", "d4"]},
    "2026-11-03": {"q1": ["d2", "d9"], "q2": ["d4", "d8"]},
}
JUDGMENTS = {"q1": "d1", "q2": "d3"}
VALUES = ("ndcg_at_10", "ap")


@pytest.mark.parametrize("target", ["duckdb", "postgres"])
def test_the_page_is_followed_in_an_empty_project(tmp_path: Path, target: str) -> None:
    with server(tmp_path) if target == "postgres" else nullcontext() as running:
        folder = tmp_path / "daily"
        followed(folder, running)
        run_dbt(folder, "deps")

        def build(day: str) -> subprocess.CompletedProcess[str]:
            return dbt(folder, "build", "--target", target, "--vars", f"{{day: {day}}}", variables=NOWHERE)

        def built() -> dict[tuple[str, str, str], float]:
            shown = ["show", "--target", target, "--inline", "select * from {{ ref('quality') }}", "--limit", "100"]
            done = dbt(folder, *shown, "--output", "json", "--vars", "{day: 2026-11-01}", "-q", variables=NOWHERE)
            rows = json.loads(done.stdout)["show"]
            assert {row["system"] for row in rows} == {"runs"}
            return {(row["ds"], row["query_id"], name): float(row[name]) for row in rows for name in VALUES}

        one, two, three = RUNS
        for day in (one, two, two):
            done = build(day)
            assert done.returncode == 0, done.stdout
        assert built() == pytest.approx(evaluated(folder, one) | evaluated(folder, two), abs=1e-12)
        done = build(three)
        assert done.returncode == 1, done.stdout
        assert re.search(r"FAIL 1 sqlrank_metric_at_least_quality", done.stdout), done.stdout
        assert built().keys() >= evaluated(folder, three).keys()
        done = build("2026-11-04")
        assert re.search(r"FAIL 1 sqlrank_metric_at_least_quality", done.stdout), done.stdout


def test_the_project_of_the_page_builds_as_it_stands(tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    write_package(str(tmp_path / "sqlrank_package"))
    run_dbt(tmp_path, "deps")
    good, poor = (dbt(tmp_path, "build", "--vars", f"{{day: {day}}}", variables=NOWHERE) for day in list(RUNS)[:2])
    with duckdb.connect(str(tmp_path / "search.duckdb"), read_only=True) as connection:
        found = connection.execute("select ds, query_id, ndcg_at_10, ap from quality").fetchall()

    assert good.returncode == 0, good.stdout
    assert (poor.returncode, "FAIL 1 sqlrank_metric_at_least_quality" in poor.stdout) == (1, True), poor.stdout
    values = {(ds, query, name): value for ds, query, *both in found for name, value in zip(VALUES, both, strict=True)}
    assert values == pytest.approx(evaluated(tmp_path, "2026-11-01") | evaluated(tmp_path, "2026-11-02"), abs=1e-12)


def followed(folder: Path, running: Server | None) -> None:
    """A project with the tables of the page, and what it tells to write."""
    project(folder, {}, running)
    shutil.rmtree(folder / "dbt_packages")
    write_package(str(folder / "sqlrank_package"))
    for name in ("packages.yml", "models/quality.sql", "models/quality.yml"):
        (folder / name).write_text(files(PAGE)[name], encoding="utf-8")
    assert sorted(path.name for path in (folder / "models").iterdir()) == ["quality.sql", "quality.yml"]
    rows = ["ds,query_id,doc_id,score"]
    for day, queries in RUNS.items():
        rows += [f"{day},{query},{doc},{-place}" for query, docs in queries.items() for place, doc in enumerate(docs)]
    judged = ["query_id,doc_id,relevance", *(f"{query},{doc},1" for query, doc in JUDGMENTS.items())]
    (folder / "seeds").mkdir()
    (folder / "seeds" / "runs.csv").write_text("\n".join(rows), encoding="utf-8")
    (folder / "seeds" / "judgments.csv").write_text("\n".join(judged), encoding="utf-8")


def evaluated(folder: Path, day: str) -> dict[tuple[str, str, str], float]:
    """The values of one day by query and column, as `evaluate` gives them."""
    run, qrels = (str(folder / "seeds" / f"{name}.csv") for name in ("runs", "judgments"))
    with sqlrank.evaluate(run, qrels, metrics=["ndcg@10", "ap"], where=f"ds = '{day}'") as result:
        rows = result.per_query.select("query_id", *VALUES).fetchall()
    return {(day, query, name): value for query, *values in rows for name, value in zip(VALUES, values, strict=True)}


@pytest.mark.parametrize("target", ["duckdb", "postgres"])
def test_the_package_in_a_git_subdirectory_passes_its_own_tests(tmp_path: Path, target: str) -> None:
    write_package(str(tmp_path / "repository" / "packages" / "sqlrank"))
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b.c commit -qm one", "tag v1"):
        subprocess.run(["git", "-C", str(tmp_path / "repository"), *command.split()], check=True)
    folder = tmp_path / "integration_tests"
    shutil.copytree(tmp_path / "repository" / "packages" / "sqlrank" / "integration_tests", folder)
    source = {"git": f"file://{tmp_path / 'repository'}", "subdirectory": "packages/sqlrank", "revision": "v1"}
    (folder / "packages.yml").write_text(json.dumps({"packages": [source]}), encoding="utf-8")
    with server(tmp_path) if target == "postgres" else nullcontext() as running:
        address = {"PGHOST": running.host, "PGPORT": str(running.port), "PGUSER": running.user} if running else {}
        run_dbt(folder, "deps", variables=address)
        assert " ERROR=0 SKIP=0 " in run_dbt(folder, "build", "--target", target, variables=address)
    worked = folder / "seeds" / "worked.csv"
    worked.write_text(worked.read_text(encoding="utf-8").replace("first,rr,0.5", "first,rr,0.6"), encoding="utf-8")
    if target == "duckdb":
        assert "FAIL 1 values_are_those_worked_out" in dbt(folder, "build", variables=address).stdout


def test_a_project_can_override_what_an_adapter_writes(tmp_path: Path) -> None:
    folder = tmp_path / "overridden"
    model = "{{ sqlrank.per_query(ref('run'), ref('run'), ['rr'], columns={'query_id': 'Query'}) }}"
    project(folder, {"run": RUN.format(score=1.0), "per_query": model}, None)
    settings = json.loads((folder / "dbt_project.yml").read_text(encoding="utf-8"))
    settings["dispatch"] = [{"macro_namespace": "sqlrank", "search_order": ["requests", "sqlrank"]}]
    (folder / "dbt_project.yml").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "macros").mkdir()
    text = """
        {% macro duckdb__dialect() %}
            {% do return(dict(sqlrank.default__dialect('postgres'), double='float8', quote='`')) %}
        {% endmacro %}
    """
    (folder / "macros" / "own.sql").write_text(text, encoding="utf-8")
    run_dbt(folder, "compile", "--target", "duckdb")
    found = (folder / "target" / "compiled" / "requests" / "models" / "per_query.sql").read_text(encoding="utf-8")
    assert "cast(score as float8)" in found
    assert "cast(`Query` as text)" in found


RUN = "select 'q1' as query_id, 'd1' as doc_id, {score} as score, 1.0 as relevance, 'de' as country"
GOOD = f"select 'good' as system, run.* from ({RUN.format(score=1.0)}) as run"
POOR = f"{GOOD} union all {GOOD.replace('d1', 'd0').replace('1.0 as score', '2.0 as score')}".replace("good", "poor")
EMPTY = {"qrels": "ref('judgments')", "metric": "rr", "at_least": 0}
AGAINST = {"qrels": "ref('judgments')", "metric": "rr", "than": "ref('run')"}
SYSTEMS = {"qrels": "ref('judgments')", "metric": "rr", "columns": {"system": "system"}}
PER_QUERY = {"of": "per_query", "metric": "rr"}
SUMMARY = {"of": "summary", "metric": "rr"}
CHECKED: dict[str, tuple[str, str, dict[str, Any], bool]] = {
    "passes": ("run", "metric_at_least", EMPTY | {"at_least": 1}, True),
    "passes_as_text": ("run", "metric_at_least", EMPTY | {"at_least": "0.5", "by": "country"}, True),
    "is_below": ("run", "metric_at_least", EMPTY | {"at_least": 1.1}, False),
    "condition_leaves_nothing": ("run", "metric_at_least", EMPTY | {"config": {"where": "score > 5"}}, False),
    "condition_leaves_nothing_of_an_export": (
        "run",
        "metric_at_least",
        {"metric": "rr", "at_least": 0, "config": {"where": "1 = 0"}},
        False,
    ),
    "where_leaves_nothing": ("run", "metric_at_least", {"metric": "rr", "at_least": 0, "where": "score > 5"}, False),
    "model_is_empty": ("nothing", "metric_at_least", EMPTY, False),
    "export_is_empty": ("nothing", "metric_at_least", {"metric": "rr", "at_least": 0}, False),
    "empty_by_segment": ("nothing", "metric_at_least", EMPTY | {"by": ["country"]}, False),
    "judgments_are_empty": ("run", "metric_at_least", EMPTY | {"qrels": "ref('nothing')"}, False),
    "no_query_is_shared": ("other", "metric_at_least", EMPTY | {"query_set": "shared"}, False),
    "every_value_is_null": (
        "run",
        "metric_at_least",
        EMPTY | {"qrels": "ref('hopeless')", "empty": "skip"},
        False,
    ),
    "relevance_is_nan": ("run", "metric_at_least", EMPTY | {"metric": "dcg", "qrels": "ref('not_a_number')"}, False),
    "per_query_passes": ("rows", "metric_at_least", {"of": "per_query", "metric": "rr", "at_least": 1}, True),
    "per_query_is_below": ("rows", "metric_at_least", {"of": "per_query", "metric": "rr", "at_least": 1.1}, False),
    "per_query_is_empty": ("no_rows", "metric_at_least", {"of": "per_query", "metric": "rr", "at_least": 0}, False),
    "summary_passes": ("means", "metric_at_least", {"of": "summary", "metric": "mrr", "at_least": 1}, True),
    "summary_is_below": ("means", "metric_at_least", {"of": "summary", "metric": "rr", "at_least": 1.1}, False),
    "summary_lacks_the_metric": ("means", "metric_at_least", {"of": "summary", "metric": "ap", "at_least": 0}, False),
    "summary_by_segment": (
        "means_by_country",
        "metric_at_least",
        {"of": "summary", "metric": "rr", "at_least": 1.1, "by": "country"},
        False,
    ),
    "is_not_below": ("run", "metric_not_below", AGAINST, True),
    "falls_within_the_margin": ("late", "metric_not_below", AGAINST | {"by_more_than": 0.5}, True),
    "falls": ("late", "metric_not_below", AGAINST | {"by_more_than": 0.4}, False),
    "rises": ("run", "metric_not_below", AGAINST | {"than": "ref('late')"}, True),
    "falls_by_segment": ("late", "metric_not_below", AGAINST | {"by": "country"}, False),
    "is_not_below_by_segment": ("run", "metric_not_below", AGAINST | {"by": "country"}, True),
    "segment_is_missing": ("french", "metric_not_below", AGAINST | {"by": "country", "by_more_than": 1}, False),
    "run_is_empty": ("nothing", "metric_not_below", AGAINST | {"by_more_than": 1}, False),
    "baseline_is_empty": ("run", "metric_not_below", AGAINST | {"than": "ref('nothing')"}, False),
    "systems_match": ("systems", "metric_not_below", SYSTEMS | {"than": "ref('systems')"}, True),
    "a_system_is_missing": ("systems", "metric_not_below", SYSTEMS | {"than": "ref('three')"}, False),
    "a_system_is_new": ("three", "metric_not_below", SYSTEMS | {"than": "ref('systems')"}, False),
    "worse_than_one_system": ("systems", "metric_not_below", SYSTEMS | {"baseline_system": "good"}, False),
    "better_than_one_system": ("systems", "metric_not_below", SYSTEMS | {"baseline_system": "poor"}, True),
    "no_such_system": ("systems", "metric_not_below", SYSTEMS | {"baseline_system": "none"}, False),
    "nothing_but_the_baseline": ("only_good", "metric_not_below", SYSTEMS | {"baseline_system": "good"}, False),
    "per_query_is_not_below": ("rows", "metric_not_below", PER_QUERY | {"than": "ref('rows')"}, True),
    "per_query_falls": ("late_rows", "metric_not_below", PER_QUERY | {"baseline_system": "run"}, False),
    "per_query_falls_within": (
        "late_rows",
        "metric_not_below",
        PER_QUERY | {"than": "ref('rows')", "baseline_system": "run", "by_more_than": 0.5},
        True,
    ),
    "per_query_falls_below": (
        "late_rows",
        "metric_not_below",
        PER_QUERY | {"than": "ref('rows')", "baseline_system": "run"},
        False,
    ),
    "per_query_without_counterpart": ("late_rows", "metric_not_below", PER_QUERY | {"than": "ref('rows')"}, False),
    "summary_is_not_below": ("means", "metric_not_below", SUMMARY | {"than": "ref('means')"}, True),
    "summary_falls": (
        "late_means",
        "metric_not_below",
        SUMMARY | {"than": "ref('means')", "baseline_system": "run"},
        False,
    ),
    "summary_is_of_segments": ("means_by_country", "metric_not_below", SUMMARY | {"than": "ref('means')"}, False),
    "documents_are_unique": ("run", "one_row_per_document", {}, True),
    "a_document_stands_twice": ("twice", "one_row_per_document", {}, False),
    "an_id_is_null": ("without_id", "one_row_per_document", {}, False),
    "scores_are_finite": ("run", "finite_numbers", {"column_name": "score"}, True),
    "a_score_is_nan": ("nan_score", "finite_numbers", {"column_name": "score"}, False),
    "a_score_is_infinite": ("infinite_score", "finite_numbers", {"column_name": "score"}, False),
}
"""By name: the model, the test, its arguments, and whether it passes."""


def test_tests_of_dbt_fail_where_nothing_was_evaluated(tmp_path: Path) -> None:
    folder = tmp_path / "checked"
    one = RUN.format(score=1.0)
    models = {
        "run": one,
        "judgments": one,
        "nothing": f"{one} where 1 = 0",
        "other": one.replace("q1", "q9"),
        "hopeless": one.replace("1.0 as relevance", "0.0 as relevance"),
        "not_a_number": one.replace("1.0 as relevance", "cast('nan' as double) as relevance"),
        "twice": f"{one} union all {one}",
        "without_id": one.replace("'d1'", "cast(null as varchar)"),
        "late": f"{one} union all {one.replace('d1', 'd0').replace('1.0 as score', '2.0 as score')}",
        "french": one.replace("'de'", "'fr'"),
        "systems": f"{GOOD} union all {POOR}",
        "three": f"{GOOD} union all {POOR} union all {GOOD.replace('good', 'third')}",
        "only_good": GOOD,
        "rows": "{{ sqlrank.per_query(ref('run'), ref('judgments'), ['rr']) }}",
        "no_rows": "select * from {{ ref('rows') }} where 1 = 0",
        "late_rows": "{{ sqlrank.per_query(ref('late'), ref('judgments'), ['rr']) }}",
        "means": "{{ sqlrank.summary(ref('run'), ref('judgments'), ['rr']) }}",
        "late_means": "{{ sqlrank.summary(per_query=ref('late_rows'), metrics=['rr']) }}",
        "means_by_country": "{{ sqlrank.summary(ref('run'), ref('judgments'), ['rr'], by='country') }}",
        "nan_score": RUN.format(score="cast('nan' as double)"),
        "infinite_score": RUN.format(score="cast('-inf' as double)"),
    }
    project(folder, models, None)
    tests: dict[str, list[Any]] = {}
    for name, (model, test, arguments, _) in CHECKED.items():
        config = {"config": arguments["config"]} if "config" in arguments else {}
        given = {key: value for key, value in arguments.items() if key != "config"}
        tests.setdefault(model, []).append({f"sqlrank.{test}": {"name": name, "arguments": given} | config})
    listed = [{"name": model, "data_tests": each} for model, each in tests.items()]
    (folder / "models" / "checked.yml").write_text(json.dumps({"models": listed}), encoding="utf-8")
    run_dbt(folder, "run", "--target", "duckdb")
    dbt(folder, "test", "--target", "duckdb", variables=NOWHERE)
    results = json.loads((folder / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    found = {row["unique_id"].split(".")[2]: row["status"] for row in results if row["unique_id"].startswith("test.")}
    assert found == {name: "pass" if passes else "fail" for name, (_, _, _, passes) in CHECKED.items()}


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("test_metric_not_below(ref('run'), 'rr')", "needs than, a relation, or baseline_system"),
        ("test_metric_not_below(ref('run'), 'rr', ref('run'), by_more_than='x')", "is not a finite number"),
        ("test_metric_at_least(ref('run'), 'p@1,5', 0)", "give one metric"),
        ("test_metric_at_least(ref('run'), 'rr', 0, of='means')", "give one metric of a run, per_query or summary"),
        ("test_metric_at_least(ref('run'), 'rr', 0, ref('run'), of='per_query')", "leave out what was settled"),
        ("test_metric_at_least(ref('run'), 'rr', 0, of='per_query', ties='best')", "ties was settled"),
        ("test_metric_at_least(ref('run'), 'rr', 0, of='summary', weight='w')", "leave out what was settled"),
    ],
)
def test_a_gate_that_makes_no_sense_is_refused(tmp_path: Path, call: str, complaint: str) -> None:
    folder = tmp_path / "refused"
    project(folder, {"run": RUN.format(score=1.0), "refused": f"{{{{ sqlrank.{call} }}}}"}, None)
    done = dbt(folder, "compile", "--target", "duckdb", variables=NOWHERE)
    assert done.returncode != 0
    assert complaint in done.stdout


@pytest.mark.parametrize("at_least", ["none", "true", "'much'", "'nan'"])
def test_a_threshold_that_is_no_number_is_refused(tmp_path: Path, at_least: str) -> None:
    folder = tmp_path / "refused"
    project(folder, {"run": RUN.format(score=1.0)}, None)
    text = f"{{{{ sqlrank.test_metric_at_least(ref('run'), 'rr', {at_least}) }}}}"
    (folder / "models" / "refused.sql").write_text(text, encoding="utf-8")
    done = dbt(folder, "compile", "--target", "duckdb", variables=NOWHERE)
    assert done.returncode != 0
    assert "is not a finite number" in done.stdout
