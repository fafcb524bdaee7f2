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
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dbt import jinja, write_package
from tests.cli_helper import ROOT
from tests.dbt_package import call, dbt, project
from tests.dbt_requests import DIALECTS_OF, EVERY, difference, expected, named
from tests.postgres import Server, server

EXAMPLE = ROOT / "docs" / "examples" / "dbt"
NOWHERE: Mapping[str, str] = {}
"""The variables of a target that needs none."""


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
