"""The macros of the dbt package give the statements of `sqlrank sql`, in a stand-in for dbt's Jinja."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank.dialects import DIALECTS, DUCKDB
from sqlrank.errors import ResourceError, UsageError
from sqlrank.evaluation.request import Options
from sqlrank.export import dbt as writer
from sqlrank.export.dbt import package_files, write_package
from sqlrank.metrics.language import column_measures, parse_measures
from sqlrank.statement.relations import Place, Relation, Relations
from sqlrank.statement.summaries import means
from sqlrank.statement.templates import sql_text
from tests.statements import SEPARATE
from tests.support.cases import FAMILIES, SOME, sample, texts
from tests.support.cli_helper import ROOT
from tests.support.dbt_package import RefusedError, package
from tests.support.dbt_requests import (
    CONVENTIONS,
    DIALECTS_OF,
    EVERY,
    LABELLED,
    REFUSED,
    SYSTEMS,
    difference,
    named,
    with_system,
)


def assert_same(run: str, qrels: str | None, metrics: list[str], options: dict[str, Any], adapter: str) -> None:
    """The macros in the stand-in give the text of `sqlrank.sql`."""
    macro, rest = named(metrics, options)
    wanted = with_system(run, qrels, metrics, **(options | {"dialect": adapter}))
    found = getattr(package(adapter), macro)(run=run, qrels=qrels, metrics=metrics or None, **rest)
    assert found == wanted, difference(wanted, found)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EVERY)
def test_requests_have_the_text_of_sqlrank(name: str) -> None:
    (run, qrels), metrics, options = EVERY[name]
    assert_same(run, qrels, metrics, options, DIALECTS_OF[name])


@pytest.mark.parametrize("sign", ["\n", "\n  ", "\r\n", "\x85", "\u2028", "\f", "\n'\n"])
@pytest.mark.parametrize("adapter", ["duckdb", "postgres", "spark"])
def test_values_and_names_with_line_breaks_have_the_text_of_sqlrank(adapter: str, sign: str) -> None:
    escaped = f"x{sign}y".replace("'", "\\'" if adapter == "spark" else "''")
    control = adapter != "duckdb" and sign == "\f"
    where = "c = 'it''s -- \"'" if control or adapter == "spark" else f"c = '{escaped}'"
    options = {"by": [f"run.x{sign}y"], "where": where, "columns": {"run.query_id": f"y{sign}"}, "summary": True}
    assert_same(*SEPARATE, ["rr", "num_ret"], options, adapter)


def test_a_condition_beside_judgments_says_what_becomes_of_queries_without_results() -> None:
    refused = "where=ds = 1: .*judged queries of which it leaves no row count as 0; say query_set='shared'"
    for options in ({}, {"columns": {"query_id": "ds,qid"}}, {"session": "ds"}):
        with pytest.raises(RefusedError, match=refused):
            package("duckdb").per_query(run="r", qrels="q", metrics=["ap"], where="ds = 1", **options)
    for query_set in ("judged", "shared", "run"):
        assert_same("r", "q", ["ap"], {"where": "ds = 1", "query_set": query_set}, "duckdb")
    assert_same("r", None, ["ap"], {"columns": {"run.relevance": "label"}}, "duckdb")
    assert package("duckdb").per_query(run="r", metrics=["ap"], where="ds = 1")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_metrics_with_many_parameters_have_the_text_of_sqlrank(family: str) -> None:
    assert_same(*SEPARATE, texts(FAMILIES[family]), {}, "duckdb")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("adapter", "conventions"),
    sample([*(("duckdb", each) for each in CONVENTIONS), *zip(sorted(DIALECTS), CONVENTIONS * 3, strict=False)], 2),
    ids=str,
)
def test_conventions_have_the_text_of_sqlrank(adapter: str, conventions: dict[str, Any]) -> None:
    single = conventions.get("score_type") == "float" and DIALECTS[adapter].single is None
    chosen = {name: value for name, value in conventions.items() if not (single and name == "score_type")}
    asked = [text for text in texts(SOME) if len(text) < 40]  # PostgreSQL reads only 63 bytes of a name
    for (run, qrels), several in ((SEPARATE, {}), (LABELLED, {}), (SEPARATE, SYSTEMS)):
        assert_same(run, qrels, asked, chosen | several, adapter)


def test_names_that_the_engine_would_cut_are_refused() -> None:
    table = ",".join(f"{number}.5:{number}" for number in range(12))
    with pytest.raises(
        RefusedError, match=r"PostgreSQL reads only 63 bytes of a name, and gain_0p5x0_1p5x1.* is longer"
    ):
        package("postgres").per_query(run="r", qrels="q", metrics=[f"ndcg(gain={table})@10"])


def test_every_name_of_a_metric_means_the_same() -> None:
    for metric in sqlrank.METRICS.values():
        if metric.summary in ("none", "whole"):
            continue
        needed = f"({', '.join(f'{name}=0.5' for name in metric.required)})" if metric.required else ""
        for name in (metric.name, *metric.aliases):
            text = name + needed + ("" if metric.cutoff == "none" else "@3")
            wanted = [(measure.text, dict(measure.values), measure.k) for measure in parse_measures(text)]
            found = package("duckdb").measures(text, 1.0)
            assert [(measure["text"], measure["values"], measure["k"]) for measure in found] == wanted


def test_the_summary_of_rows_that_exist_has_the_text_of_sqlrank() -> None:
    measures = column_measures(parse_measures(["ndcg@10", "ap(mean=geometric)", "gauc(weight=rows)", "num_ret"]))
    country, weight = (Place(name, name, found=False, judged=False, asked=True) for name in ("country", "weight"))
    inputs = Relations(run=Relation(), segments=(country,), weight=weight)
    wanted = means(DUCKDB, measures, inputs, named=True, per_query=sql_text("marts.per_query"))
    asked = [measure.text for measure in measures]
    found = package("duckdb").summary(per_query="marts.per_query", metrics=asked, by="queries.country", weight=True)
    assert found == wanted
    with pytest.raises(RefusedError, match="ties was settled where the rows per query were made"):
        package("duckdb").summary(per_query="marts.per_query", metrics=asked, ties="best")


TAKEN = (
    "rbp.95",
    "ap-l2",
    "ndcg(gain=2:1,1:0)@10",
    "ndcg(gain=0:0.50)@10",
    "market = 'de' -- all",
    "a = '\\' or b = ' or c = '",
    "a) * (b",
)
"""Texts that sqlrank reads and that the macros want in plainer words."""


@pytest.mark.parametrize(("complaint", "metrics", "options"), REFUSED, ids=str)
def test_what_cannot_be_said_is_refused_with_the_reason(
    complaint: str, metrics: list[str], options: dict[str, Any]
) -> None:
    with pytest.raises(RefusedError, match=f"sqlrank: .*{complaint}"):
        package("duckdb").per_query(run="r", qrels="q", metrics=metrics, **options)
    taken = any(text in TAKEN for text in (metrics[0], options.get("where"), options.get("weight")))
    if taken or any(part in complaint for part in ("auc", "judged_only", "option like")):
        return  # these sqlrank itself takes
    with pytest.raises((UsageError, ValueError)):
        sqlrank.sql("r", "q", metrics, **options)


def test_relations_that_a_step_would_hide_are_refused() -> None:
    for options in ({"run": "ranked"}, {"qrels": '"ranked"'}, {"queries": "RANKED", "by": "queries.country"}):
        with pytest.raises(RefusedError, match=r"(?i)the statement has a step called .*ranked"):
            package("duckdb").per_query(**({"run": "r", "qrels": "q", "metrics": ["ap"]} | options))


def test_an_adapter_that_is_not_known_is_refused() -> None:
    with pytest.raises(RefusedError, match="the adapter oracle is not known \\(one of duckdb, "):
        package("oracle").per_query(run="r", qrels="q")


def test_a_relation_of_dbt_stands_as_its_adapter_writes_it() -> None:
    class Relation:
        identifier = "Runs; --"

        def __str__(self) -> str:
            return '"db"."s"."Runs; --"'

    found = package("duckdb").per_query(run=Relation(), qrels="q", metrics=["ap"])
    assert '    from "db"."s"."Runs; --"\n' in found
    assert "'Runs; --' as system" in found


VALUES = [
    "it's",
    "\\",
    "a\\'b",
    None,
    3,
    2.0,
    0.1,
    1e20,
    -1e-7,
    "{{ 1 }}",
    "\n",
    "é",
    "${x}",
    "$\\{",
]
NAMES = ["a", "A", "select", "system", 'a"b', "a`b", "é", "a b", "{{ x }}", "1a", "_", "a\n", "\\", "$", "a\\`b"]


@pytest.mark.parametrize("adapter", sorted(DIALECTS))
def test_values_and_names_are_written_as_sqlrank_writes_them(adapter: str) -> None:
    dialect = DIALECTS[adapter]
    assert [package(adapter).literal(value) for value in VALUES] == [dialect.literal(value) for value in VALUES]
    assert [package(adapter).ident(name) for name in NAMES] == [dialect.ident(name) for name in NAMES]


@pytest.mark.parametrize("value", ["\x00", float("nan"), float("inf"), "\r", [1.0]])
def test_values_that_no_statement_can_hold_are_refused(value: Any) -> None:
    with pytest.raises(RefusedError):
        package("duckdb").literal(value)


def test_every_option_of_the_statement_is_an_option_of_the_macros() -> None:
    elsewhere = {
        "encoding",
        "like",
        "metrics_dir",
        "relevance_map",
        "input_format",
        "header",
        "database",
        "timezone",
        "sql_time_limit",
        "cluster",
    }
    facts = package("duckdb").facts()
    options = {*facts["conventions"], *facts["options"]}
    assert options == set(Options.__annotations__) - elsewhere
    for text in (package_files()["README.md"], package_files()["macros/sqlrank.yml"]):
        assert [name for name in options if not re.search(rf"(`|name: ){name}\b", text)] == []
        assert "{version}" not in text


def test_the_package_has_the_licence_of_the_project() -> None:
    assert package_files()["LICENSE"] == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_package_is_written_whole_and_only_over_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "deep" / "package"
    files = write_package(str(folder))
    assert files == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode)
    (folder / "macros" / "of an older version.sql").touch()
    assert write_package(str(folder)) == files
    assert not (folder / "macros" / "of an older version.sql").exists()
    with monkeypatch.context() as patch:
        patch.setattr(writer, "package_files", lambda: {"README.md": "", "x" * 300: ""})
        with pytest.raises(ResourceError, match="package cannot be written: File name too long"):
            write_package(str(folder))
    assert files == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert [path.name for path in folder.parent.iterdir()] == ["package"]


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_package(str(other))
    (other / "dbt_project.yml").write_text("name: sqlrank\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty and holds no dbt package of sqlrank"):
        write_package(str(other))
    with pytest.raises(UsageError, match="is the folder you are in"):
        write_package(".")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file is not a folder"):
        write_package(str(tmp_path / "file"))
