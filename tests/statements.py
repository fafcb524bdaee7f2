"""Requests and their statements; run as a module to write the golden ones, or all into a folder for the linter."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sqlrank
from sqlrank.dialects import DIALECTS
from sqlrank.statement.templates import render
from tests.support.cli_helper import FIXTURES

GOLDEN = Path(__file__).parent / "golden" / "statements"
SEPARATE = ("ranker.results", "judgments")

REQUESTS: dict[str, tuple[tuple[str, str | None], list[str], dict[str, Any]]] = {
    "default": (SEPARATE, ["ndcg@10", "ap", "rr", "p@10", "recall@100"], {}),
    "ndcg_only": (SEPARATE, ["ndcg@10"], {}),
    "cutoffs": (SEPARATE, ["ndcg@5,10", "recall@5,10"], {}),
    "counts": (SEPARATE, ["num_q", "num_ret", "num_rel", "num_rel_ret"], {}),
    "two_levels": (SEPARATE, ["ap(rel=2)@100", "ap@100", "rprec"], {}),
    "gains": (SEPARATE, ["ndcg(gain=exp2)@10", "ndcg(gain=0:0,1:1,2:4)@10", "dcg(discount=letor)@10"], {}),
    "ideals": (SEPARATE, ["ndcg(ideal=retrieved)@10", "ndcg(ideal=full)@10"], {}),
    "labelled": (("exports.shown", None), ["ndcg@10", "ap"], {}),
    "systems": (SEPARATE, ["ndcg@10", "set_f"], {"columns": {"system": "variant"}}),
    "composed": (
        SEPARATE,
        ["ndcg@10"],
        {"columns": {"query_id": "user_id,date", "doc_id": "item_id,shop", "qrels.query_id": "uid,date"}},
    ),
    "sessions": (
        ("exports.shown", None),
        ["ndcg@10", "ap"],
        {"session": "session", "columns": {"query_id": "query", "rank": "place"}, "by": ["country"]},
    ),
    "positives": (("ranker.results", None), ["ndcg@10"], {"positives": "clicks"}),
    "segments": (
        SEPARATE,
        ["ndcg@10"],
        {"queries": "queries", "by": ["queries.country"], "weight": "queries.traffic", "query_set": "shared"},
    ),
    "bounds": (SEPARATE, ["ndcg@10"], {"ties": "worst", "depth": 100, "unjudged": "remove", "empty": "skip"}),
    "raters": (SEPARATE, ["ap"], {"judgments": "max", "duplicates": "best", "where": "market = 'de'", "order": "asc"}),
    "shown": (
        ("exports.shown", None),
        ["popularity@10", "diversity(missing=omit)@10"],
        {"history": "clicks", "items": "goods"},
    ),
    "shown_of_systems": (("exports.shown", None), ["coverage@10", "personalization@10"], {"items": "goods"}),
    "places": (SEPARATE, ["p@10", "ap@10"], {"like": "rectools"}),
    "by_place": (SEPARATE, ["ap", "ndcg_rel", "ndcg"], {}),
    "numbers": (SEPARATE, ["rr@10"], {"ties": "number-desc"}),
    "native": (SEPARATE, ["ndcg@10"], {"ids": "native"}),
    "native_postgres": (SEPARATE, ["ndcg@10", "ap"], {"ids": "native", "dialect": "postgres", "keep": ["country"]}),
    "incremental": (
        SEPARATE,
        ["ndcg@10"],
        {
            "keep": ["country"],
            "create": ("table", "daily"),
            "incremental": "ds",
            "system": "production",
            "query_set": "judged",
        },
    ),
    "findings": (SEPARATE, ["ndcg@10"], {"check": True}),
    "summary": (SEPARATE, ["ndcg@10", "num_ret"], {"summary": True, "queries": "queries", "by": ["queries.country"]}),
}
for each in DIALECTS:
    if each != "duckdb":
        REQUESTS[each] = (SEPARATE, ["ndcg@10", "ap"], {"dialect": each, "columns": {"run.query_id": "query id"}})
LISTS = {"run.doc_id": "hits[].id", "run.score": "scores[]"}
TEXTS = {"run.doc_id": "doc_texts[]"}
BEGUN: set[str] = set()
"""Statements of which only the first step is worth a golden file: the others are those of another one."""
for each, dialect in DIALECTS.items():
    spoken = {} if each == "duckdb" else {"dialect": each}
    BEGUN.add(f"lists_{each}")
    REQUESTS[f"lists_{each}"] = (SEPARATE, ["rr@10"], spoken | {"columns": LISTS})
    if dialect.split:
        BEGUN.add(f"texts_{each}")
        REQUESTS[f"texts_{each}"] = (SEPARATE, ["rr@10"], spoken | {"columns": TEXTS, "separator": "|"})

TWINS = {"databricks": "spark", "trino": "snowflake"}
"""Statements that are another's below the command, and whose golden file says so in its only line."""

LINTED = {"spark": "sparksql", "datafusion": "postgres"}
"""What the linter calls an engine, where it has another name for it or only a relative."""


def statement(name: str) -> str:
    """The statement of one request."""
    (run, qrels), metrics, options = REQUESTS[name]
    return sqlrank.sql(run, qrels, metrics, **options)


def below_command(name: str) -> str:
    """The statement of one request without the line that holds the command."""
    return statement(name).partition("\n")[2]


def golden(name: str) -> str:
    """What the golden file of a request holds."""
    if name in BEGUN:
        step, end, _ = statement(name).partition("\n),\n")
        return step + end
    return f"-- below the command, that of {TWINS[name]}.sql\n" if name in TWINS else statement(name)


def write(folder: Path) -> None:
    """Write every golden file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in REQUESTS:
        (folder / f"{name}.sql").write_text(golden(name), encoding="utf-8")


def write_by_dialect(folder: Path) -> None:
    """Write every statement into a folder named as the linter calls its dialect."""
    for name, (_, _, options) in REQUESTS.items():
        dialect = options.get("dialect", "duckdb")
        if dialect == "sqlite":  # whose casts may have a collation, which the linter does not know
            continue
        target = folder / LINTED.get(dialect, dialect)
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{name}.sql").write_text(statement(name), encoding="utf-8")
    for name, text in (verdict_statements() | comparison_statements() | pool_statements()).items():
        (folder / "duckdb" / f"{name}.sql").write_text(text, encoding="utf-8")


def verdict_statements() -> dict[str, str]:
    """What `sqlrank gsb` runs, without and with segments."""
    verdicts = FIXTURES / "search" / "verdicts.csv"
    found: dict[str, str] = {}
    for name, by in (("gsb", ()), ("gsb_segments", ("country", "query_id"))):
        with sqlrank.gsb(verdicts, by=by) as result:
            parts = ("verdicts", "total", *(["summary"] if by else []), "items")
            texts = zip(parts, (result.sources[-1], *result.statements), strict=True)
            found |= {f"{name}_{part}": text for part, text in texts}
    return found


def pool_statements() -> dict[str, str]:
    """What `sqlrank pool` runs of sql/pooling, for both kinds of metrics, the second with weights and titles."""
    search = FIXTURES / "search"
    found: dict[str, str] = {}
    runs, queries = [search / "keyword.parquet", search / "semantic.parquet"], search / "queries.parquet"
    weighted: dict[str, Any] = {"weight": "traffic", "queries": queries, "query_set": "shared", "budget": 9}
    for number, options in enumerate(({"metric": "ndcg@10"}, {"metric": "ap@10"} | weighted), 1):

        def recorded(template: str, *arguments: Any, number: int = number, **context: Any) -> str:
            text = render(template, *arguments, **context)
            if template.startswith("pooling/") and template != "pooling/weights.sql":
                found[f"pool_{Path(template).stem}_{number}"] = text
            return text

        with ExitStack() as stack:
            for module in ("flow", "statements", "pool"):
                stack.enter_context(patch(f"sqlrank.judging.pooling.{module}.render", recorded))
            with sqlrank.pool(runs, search / "qrels.parquet", **options) as pool:
                pool.rows.fetchall()
    return found


def comparison_statements() -> dict[str, str]:
    """What `sqlrank compare` runs of sql/comparison, for each test, with segments, weights and movers."""
    search = FIXTURES / "search"
    found: dict[str, str] = {}

    def recorded(template: str, *arguments: Any, **context: Any) -> str:
        text = render(template, *arguments, **context)
        if template.startswith("comparison/"):
            found.setdefault(f"comparison_{Path(template).stem}", text)
        return text

    runs = [search / "keyword.parquet", search / "semantic.parquet"]
    options: dict[str, Any] = {"queries": search / "queries.parquet", "by": "country", "query_set": "shared"}
    with ExitStack() as stack:
        for module in ("paired", "significance", "replicates", "compared_systems", "result"):
            stack.enter_context(patch(f"sqlrank.comparison.{module}.render", recorded))
        for test in ("randomization", "bootstrap", "wilcoxon"):
            asked = ["ndcg@10", "gauc"]
            with sqlrank.compare(runs, search / "qrels.parquet", asked, test=test, replicates=100, **options) as result:
                assert repr(result)
                assert result.movers(3).columns
                assert result.per_query.columns
    return found


if __name__ == "__main__":
    write_by_dialect(Path(sys.argv[1])) if len(sys.argv) > 1 else write(GOLDEN)
