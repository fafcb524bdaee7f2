"""The dbt package gives the statements of `sqlrank sql`, in a stand-in for dbt's Jinja and in dbt itself."""

from __future__ import annotations

import csv
import difflib
import json
import os
import re
import shutil
import stat
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank import dbt as writer
from sqlrank.dbt import jinja, package_files, write_package
from sqlrank.dialects import DIALECTS, DUCKDB
from sqlrank.errors import ResourceError, UsageError
from sqlrank.metrics import columns_of, parse_measures
from sqlrank.settled import Options
from sqlrank.statements import summary
from sqlrank.templates import sql_text
from tests.cases import BROAD, FAMILIES, SOME, texts
from tests.cli_helper import ROOT
from tests.dbt_package import RefusedError, call, dbt, package, project
from tests.postgres import Server, server
from tests.statements import REQUESTS, SEPARATE

EXAMPLE = ROOT / "docs" / "examples" / "dbt"

LABELLED = ("exports.shown", None)
SYSTEMS = {"columns": {"system": "variant"}}
OTHERS = {"items": "shop.items", "history": "shop.history", "baseline": "shop.baseline"}
NOVEL = ["alpha_ndcg@10", "alpha_dcg(alpha=0.3)@5", "err_ia@5", "nrbp(beta=0.7)", "ap_ia", "p_ia@5", "subtopic_recall@3"]
SHOWN = ["novelty@5", "popularity(norm=share)@10", "surprisal@5", "unexpectedness@10", "diversity@10", "ndcg@10"]
WHOLE = ["coverage@10", "gini@10", "gini(over=shown)@5", "entropy@10", "personalization@10", "auc"]

MORE: dict[str, tuple[tuple[str, str | None], list[str], dict[str, Any]]] = {
    "defaults": (SEPARATE, [], {}),
    "broad": (SEPARATE, texts(BROAD), {}),
    "names of other tools": (SEPARATE, ["map", "P_5", "ndcg_cut_5,10", "official", "iprec_at_recall", "hit_rate@10"], {}),
    "squares": (SEPARATE, ["setf(beta=4)", "ndcg(dcg='exp-log2')@10", "ap-l2", "IPrec@0.1", "utility(tn=1, documents=50)"], {}),
    "averaged": (SEPARATE, ["ndcg@10", "p@5"], {"ties": "average"}),
    "single precision": (LABELLED, ["ap"], {"score_type": "float", "ties": "doc-asc", "query_set": "run", "empty": "one"}),
    "ranks": (SEPARATE, ["rr"], {"columns": {"run.rank": "position"}, "ties": "rank"}),
    "pairs": (SEPARATE, ["gauc(weight=rows)", "gauc(weight=positives)", "pairwise_accuracy", "grouped_ap"], {"summary": True}),
    "labelled systems": (LABELLED, ["ndcg@5", "ap(mean=geometric)"], {**SYSTEMS, "summary": True, "by": "country"}),
    "weights": (SEPARATE, ["ap", "num_rel"], {"summary": True, "weight": "qrels.traffic", "by": ["run.market", "device"]}),
    "novelty": (SEPARATE, NOVEL, {"rel": 2}),
    "novelty of systems": (SEPARATE, NOVEL, {**SYSTEMS, "judgments": "mean", "depth": 20}),
    "recommended": (SEPARATE, SHOWN, OTHERS),
    "compared by rank": (SEPARATE, ["unexpectedness@10"], {"baseline": "b", "columns": {"baseline.rank": "place"}}),
    "whole": (SEPARATE, WHOLE, {**OTHERS, "by": "country"}),
    "whole systems": (SEPARATE, ["coverage@10", "auc(rel=2)"], {"history": "h", **SYSTEMS, "order": "asc", "depth": 5}),
    "quoted": (('"My Lake".Runs."The ""best"" run"', "judgments"), ["p@3"], {"columns": {"doc_id": 'the "sku"', "score": "order"}}),
    "hostile": (
        ("r", "q"),
        ["ap"],
        {"by": ["queries.a'b; --"], "queries": "t", "columns": {"query_id": "{{ 1/0 }}", "system": "x\ny"}, "summary": True},
    ),
}  # fmt: skip
EVERY = REQUESTS | MORE
DIALECTS_OF = {name: options.get("dialect", "duckdb") for name, (_, _, options) in EVERY.items()}
CONVENTIONS: list[dict[str, Any]] = [
    {"ties": "best", "order": "asc"},
    {"ties": "worst", "depth": 3, "unjudged": "remove"},
    {"ties": "doc-asc", "query_set": "shared", "empty": "skip"},
    {"duplicates": "best", "judgments": "mean", "query_set": "run"},
    {"rel": 0.5, "score_type": "float", "where": "market = 'de'"},
    {"ties": "rank", "duplicates": "best", "depth": 7},
]
REFUSED: list[tuple[str, list[str], dict[str, Any]]] = [
    ("ties=input needs a look at the rows", ["ap"], {"ties": "input"}),
    ("ties=error needs a look at the rows", ["ap"], {"ties": "error"}),
    ("depth with ties=average", ["p@5"], {"ties": "average", "depth": 3}),
    ("duplicates=first needs a look", ["ap"], {"duplicates": "first"}),
    ("empty=error needs a look", ["ap"], {"empty": "error"}),
    ("ties=average: ap has no closed form", ["ap"], {"ties": "average"}),
    ("ties=doc is not known \\(one of doc-desc, doc-asc", ["ap"], {"ties": "doc"}),
    ("rel=x is not a finite number", ["ap"], {"rel": "x"}),
    ("depth=0 keeps nothing", ["ap"], {"depth": 0}),
    ("there is no option tie \\(one of rel, ties", ["ap"], {"tie": "best"}),
    ("there is no option like", ["ap"], {"like": "ranx"}),
    ('there is no metric "nndcg"', ["nndcg@10"], {}),
    ('"ndcg\\[10\\]" is not a metric', ["ndcg[10]"], {}),
    ("as another tool has it", ["rbp.95"], {}),
    ('ap has no parameter "gain" \\(it takes rel, norm, mean\\)', ["ap(gain=exp2)"], {}),
    ("gain=exp3 is not known \\(one of linear, exp2, binary or a table", ["ndcg(gain=exp3)@10"], {}),
    ("names each relevance once", ["ndcg(gain=1:1,1:2)@10"], {}),
    ("names each relevance once", ["ndcg(gain=0:0,1:-1)@10"], {}),
    ('rel must be a number, not "high"', ["ap(rel=high)"], {}),
    ('rel must be a number, not "nan"', ["ap(rel=nan)"], {}),
    ("write parameters as name=value", ["ap(2)"], {}),
    ("p must be between 0.0 and 1.0", ["rbp(p=1)"], {}),
    ("recall must be from 0.0 to 1.0", ["iprec(recall=2)"], {}),
    ("iprec needs the parameter recall", ["iprec"], {}),
    ("min must be below max", ["sdcg(min=3, max=2)@5"], {}),
    ("say how many documents there are", ["utility(tn=1)"], {}),
    ("p needs a cutoff", ["p"], {}),
    ("takes no cutoff", ["set_p@5"], {}),
    ("ideal=full and norm=k need a cutoff", ["ndcg(ideal=full)"], {}),
    ("1 or more, not 0", ["p@0"], {}),
    ("relstring is a text", ["relstring@5"], {}),
    ("judged_only holds for all metrics", ["ap(judged_only=true)"], {}),
    ("auc: one value for a whole system", ["auc"], {}),
    ("novelty@5: history is needed", ["novelty@5"], {}),
    ("diversity@5: items is needed", ["diversity@5"], {}),
    ("by=score: the output has a column", ["ap"], {"by": "score"}),
    ("by=ap: the statement has a column", ["ap"], {"by": "ap"}),
    ("a column is named twice", ["ap"], {"by": ["a", "A"]}),
    ("there is no role title", ["ap"], {"columns": {"title": "x"}}),
    ("there is no role run.title", ["ap"], {"columns": {"run.title": "x"}}),
    ("cannot be the name of a column", ["ap"], {"columns": {"doc_id": ""}}),
    ("no metric was asked for", [""], {}),
]  # fmt: skip


def macro_of(metrics: list[str], options: dict[str, Any]) -> str:
    """The macro that a request is for."""
    if options.get("summary"):
        return "summary"
    measures = parse_measures(metrics or "ap")
    return "overall" if any(measure.metric.grain == "system" for measure in measures) else "per_query"


def named(metrics: list[str], options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The macro, and the options that it takes: those of `sqlrank.sql` but what a project settles."""
    rest = {name: value for name, value in options.items() if name not in ("summary", "dialect")}
    return macro_of(metrics, options), rest


def expected(name: str, dialect: str) -> str:
    """The statement of a request by sqlrank itself."""
    (run, qrels), metrics, options = EVERY[name]
    return sqlrank.sql(run, qrels, metrics or None, **(options | {"dialect": dialect}))


def difference(wanted: str, found: str) -> str:
    """The first lines that differ."""
    lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "sqlrank sql", "dbt", lineterm="", n=1)
    return "\n".join(list(lines)[:12])


def assert_same(run: str, qrels: str | None, metrics: list[str], options: dict[str, Any], adapter: str) -> None:
    """The macros in the stand-in give the text of `sqlrank.sql`."""
    macro, rest = named(metrics, options)
    wanted = sqlrank.sql(run, qrels, metrics or None, **(options | {"dialect": adapter}))
    found = getattr(package(adapter), macro)(run=run, qrels=qrels, metrics=metrics or None, **rest)
    assert found == wanted, difference(wanted, found)


@pytest.mark.parametrize("name", EVERY)
def test_requests_have_the_text_of_sqlrank(name: str) -> None:
    (run, qrels), metrics, options = EVERY[name]
    assert_same(run, qrels, metrics, options, DIALECTS_OF[name])


@pytest.mark.parametrize("family", FAMILIES)
def test_metrics_with_many_parameters_have_the_text_of_sqlrank(family: str) -> None:
    assert_same(*SEPARATE, texts(FAMILIES[family]), {}, "duckdb")


@pytest.mark.parametrize("adapter", sorted(DIALECTS))
@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_conventions_have_the_text_of_sqlrank(conventions: dict[str, Any], adapter: str) -> None:
    single = conventions.get("score_type") == "float" and DIALECTS[adapter].single is None
    chosen = {name: value for name, value in conventions.items() if not (single and name == "score_type")}
    asked = [text for text in texts(SOME) if len(text) < 40]  # PostgreSQL reads only 63 bytes of a name
    for (run, qrels), several in ((SEPARATE, {}), (LABELLED, {}), (SEPARATE, SYSTEMS)):
        assert_same(run, qrels, asked, chosen | several, adapter)


def test_names_that_the_engine_would_cut_are_refused() -> None:
    table = ",".join(f"{number}.5:{number}" for number in range(12))
    with pytest.raises(RefusedError, match="PostgreSQL reads only 63 bytes of a name, and gain_0p5x0_1p5x1.* is longer"):
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
    measures = columns_of(parse_measures(["ndcg@10", "ap(mean=geometric)", "gauc(weight=rows)", "num_ret"]))
    segments = [{"name": "country", "alias": "country"}]
    inputs = {"segments": segments, "weighted": True}
    wanted = summary(DUCKDB, measures, inputs, sql_text("marts.per_query"))
    asked = [measure.text for measure in measures]
    found = package("duckdb").summary(per_query="marts.per_query", metrics=asked, by="queries.country", weight=True)
    assert found == wanted
    with pytest.raises(RefusedError, match="ties was settled where the rows per query were made"):
        package("duckdb").summary(per_query="marts.per_query", metrics=asked, ties="best")


@pytest.mark.parametrize(("complaint", "metrics", "options"), REFUSED, ids=lambda value: str(value))
def test_what_cannot_be_said_is_refused_with_the_reason(
    complaint: str, metrics: list[str], options: dict[str, Any]
) -> None:
    with pytest.raises(RefusedError, match=f"sqlrank: .*{complaint}"):
        package("duckdb").per_query(run="r", qrels="q", metrics=metrics, **options)


@pytest.mark.parametrize(("complaint", "metrics", "options"), REFUSED, ids=lambda value: str(value))
def test_what_is_refused_here_is_refused_by_sqlrank_too(
    complaint: str, metrics: list[str], options: dict[str, Any]
) -> None:
    if "another tool" in complaint or "auc" in complaint or "like" in options:
        return  # these sqlrank takes
    if "rel" in options:
        options = options | {"rel": float("nan")}
    with pytest.raises(UsageError):
        sqlrank.sql("r", "q", metrics, **options)


def test_relations_that_a_step_would_hide_are_refused() -> None:
    for options in ({"run": "ranked"}, {"qrels": '"ranked"'}, {"queries": "RANKED", "by": "queries.country"}):
        with pytest.raises(RefusedError, match="(?i)the statement has a step called .*ranked"):
            package("duckdb").per_query(**({"run": "r", "qrels": "q", "metrics": ["ap"]} | options))
    with pytest.raises(RefusedError, match="is not the name of a relation"):
        package("duckdb").per_query(run="r; drop table r", qrels="q")


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


@pytest.mark.parametrize("value", ["it's", "\\", "a\\'b", None, True, 3, 2.0, 0.1, 1e20, -1e-7, [1.0, "x'"], "{{ 1 }}", "\n"])
@pytest.mark.parametrize("adapter", sorted(DIALECTS))
def test_values_are_written_as_sqlrank_writes_them(value: Any, adapter: str) -> None:
    assert package(adapter).literal(value) == DIALECTS[adapter].literal(value)


@pytest.mark.parametrize("name", ["a", "A", "select", 'a"b', "a`b", "é", "a b", "{{ x }}", "1a", "_", "a\n", "\\", "$"])
@pytest.mark.parametrize("adapter", sorted(DIALECTS))
def test_names_are_written_as_sqlrank_writes_them(name: str, adapter: str) -> None:
    assert package(adapter).ident(name) == DIALECTS[adapter].ident(name)


@pytest.mark.parametrize("value", ["\x00", float("nan"), float("inf"), ["\x00"]])
def test_values_that_no_statement_can_hold_are_refused(value: Any) -> None:
    with pytest.raises(RefusedError):
        package("duckdb").literal(value)


def test_every_option_of_the_statement_is_an_option_of_the_macros() -> None:
    elsewhere = {"like", "metrics_dir", "relevance_map", "input_format", "header", "database"}
    facts = package("duckdb").facts()
    options = {*facts["conventions"], *facts["options"]}
    assert options == set(Options.__annotations__) - elsewhere
    for text in (package_files()["README.md"], package_files()["macros/sqlrank.yml"]):
        assert [name for name in options if not re.search(rf"(`|name: ){name}\b", text)] == []
        assert "{version}" not in text


def test_the_package_is_written_whole_and_only_over_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "deep" / "package"
    files = write_package(str(folder))
    assert files == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode)
    (folder / "macros" / "of an older version.sql").touch()
    assert write_package(str(folder)) == files
    assert not (folder / "macros" / "of an older version.sql").exists()
    with monkeypatch.context() as patch:
        patch.setattr(writer, "package_files", lambda: {"dbt_project.yml": "name: sqlrank\n", "x" * 300: ""})
        with pytest.raises(ResourceError, match="package cannot be written: File name too long"):
            write_package(str(folder))
    assert files == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert [path.name for path in folder.parent.iterdir()] == ["package"]


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_package(str(other))
    (other / "dbt_project.yml").write_text("name: sqlrank_users\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty and holds no dbt package of sqlrank"):
        write_package(str(other))
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file is not a folder"):
        write_package(str(tmp_path / "file"))


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
        names = ["default", "two_levels", "systems", "segments", "bounds", "labelled systems", "novelty", "whole", "hostile"]
        assert compiled_differently(tmp_path / "p", [*names, "postgres"], "postgres", running) == {}
        address = {"PGHOST": running.host, "PGPORT": str(running.port), "PGUSER": running.user}
        folder = example(tmp_path / "example", address)

        def read(table: str) -> list[dict[str, Any]]:
            command = [f"{running.programs}/psql", running.url, "-c", f"copy (select * from {table}) to stdout csv header"]
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
    run_dbt(folder, "deps")
    run_dbt(folder, "compile", "--target", target)
    compiled = folder / "target" / "compiled" / "requests" / "models"
    pairs = {}
    for name, model in zip(names, models, strict=True):
        found = (compiled / f"{model}.sql").read_text(encoding="utf-8")
        pairs[name] = (expected(name, target).rstrip("\n"), found.rstrip("\n"))
    return {name: difference(wanted, found) for name, (wanted, found) in pairs.items() if wanted != found}


ODD = {"run.query_id": "it's \"odd\"; --", "run.doc_id": "Order", "run.score": "{{ score }}"}
EXTRA = {
    "models/odd.sql": """
        select
            query_id as "it's ""odd""; --",
            doc_id as "Order",
            score as "{{ '{{ score }}' }}"
        from {{ ref('runs') }}
        where system = 'semantic'
    """,
    "models/odd_per_query.sql": f"{{{{ sqlrank.per_query(ref('odd'), ref('judgments'), ['ap'], columns={jinja(ODD)}) }}}}",
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


def example(folder: Path, address: dict[str, str]) -> Path:
    """The example project with the package, and with models whose columns and rows are odd."""
    kept = shutil.ignore_patterns("sqlrank_package", "dbt_packages", "target", "logs", "*.duckdb", "package-lock.yml")
    shutil.copytree(EXAMPLE, folder, ignore=kept)
    write_package(str(folder / "sqlrank_package"))
    for name, text in EXTRA.items():
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    run_dbt(folder, "deps", **address)
    return folder


def assert_built(folder: Path, target: str, address: dict[str, str], read: Callable[[str], list[dict[str, Any]]]) -> None:
    """The example builds, with the values of sqlrank, and its tests find what is wrong."""
    done = run_dbt(folder, "build", "--target", target, warned=True, **address)
    assert re.search(r"PASS=\d+ WARN=2 ERROR=0 SKIP=0", done), done
    seeds = {name: str(folder / "seeds" / f"{name}.csv") for name in ("runs", "judgments", "queries", "products")}
    asked = ["ndcg@10", "ap", "rr", "p@3"]
    inputs = {"run": seeds["runs"], "qrels": seeds["judgments"]}
    result = sqlrank.evaluate(**inputs, metrics=asked, queries=seeds["queries"], by="country", weight="traffic")
    relation = result.rows.select("system, country, metric, value")
    wanted = {row[:3]: row[3] for row in relation.fetchall()}
    found = {(row["system"], row["country"], row["metric"]): float(row["value"]) for row in read("summary")}
    assert found == pytest.approx(wanted, abs=1e-12)
    assert len(found) == 2 * 3 * len(asked)
    shares = {row["system"]: float(row["value"]) for row in read("catalogue")}
    whole = sqlrank.evaluate(**inputs, metrics=["coverage@3"], items=seeds["products"])
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


def run_dbt(folder: Path, *arguments: str, warned: bool = False, **variables: str) -> str:
    """What dbt says, which is to end well, and to warn of nothing unless told."""
    done = dbt(folder, *arguments, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert warned or "WARNING" not in done.stdout, done.stdout
    return done.stdout
