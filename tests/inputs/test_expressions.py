"""Conditions on one input, columns that are computed, and labels which say that nobody judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.tables import each

RUN = """query_id,doc_id,score,day,country
q1,d1,3,2026-11-02,DE
q1,d2,2,2026-11-02,DE
q1,d3,1,2026-11-02,DE
q2,d1,5,2026-11-09,fr
q2,d2,2,2026-11-09,fr
"""
QRELS = """query_id,doc_id,relevance,country,judged_at
q1,d1,1,DE,2026-02-01
q1,d2,1,DE,2026-01-01
q2,d2,1,fr,2026-01-01
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text(RUN)
    Path("qrels.csv").write_text(QRELS)


def rr(*arguments: str) -> dict[str, str]:
    """The mean of the reciprocal rank, by segment."""
    table = completed("eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", *arguments, "--format", "csv").table
    return {row.get("week", row.get("land", "")) or "(all)": row["value"] for row in table}


@each(
    [
        ((), "0.75"),
        (("--where", "qrels:judged_at < '2026-02-01'"), "0.5"),
        (("--where", "qrels: country = 'DE'"), "1"),
        (("--where", "run:doc_id <> 'd1'"), "1"),
        (("--where", "doc_id <> 'd1'", "--where", "qrels:judged_at < '2026-02-01'"), "1"),
        (("--where", "qrels:judged_at::date < date '2026-02-01'"), "0.5"),
        (("--where", "score::double > 1", "--where", "qrels:judged_at < '2026-02-01'"), "0.5"),
    ]
)
def test_a_condition_filters_the_input_that_it_names(case: tuple[tuple[str, ...], str]) -> None:
    arguments, value = case
    assert rr(*arguments) == {"(all)": value}


def test_positives_are_filtered_too_and_python_takes_a_condition_for_each_input() -> None:
    Path("bought.csv").write_text("query_id,doc_id,day\nq1,d1,1\nq1,d2,2\nq2,d2,2\n")
    asked = ("eval", "run.csv", "--positives", "bought.csv", "-m", "rr", "--format", "csv")
    outcome = completed(*asked, "--where", "positives:day = '2'")
    assert [row["value"] for row in outcome.table] == ["0.5"]
    where = {"run": "doc_id <> 'd3'", "qrels": "judged_at < '2026-02-01'"}
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr", where=where) as result:
        assert result["rr"] == 0.5
        assert "only judgments where judged_at < '2026-02-01'" in result.remarks()
        assert "qrels.csv: 3 rows read, 1 left out: 1 by where=" in result.notes


def test_a_condition_for_the_rankings_alone_is_noted_where_the_judgments_have_its_columns() -> None:
    said = "--where holds for the rankings alone, and qrels.csv has its columns too"
    asked = ("eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", "--query-set", "shared")
    assert said in completed(*asked, "--where", "country = 'DE'").err
    for quiet in (["run:country = 'DE'"], ["score > '1'"], ["country = 'DE'", "qrels:country = 'DE'"]):
        conditions = [word for condition in quiet for word in ("--where", condition)]
        assert said not in completed(*asked, *conditions).err


@each(
    [
        (("--where", "items:x = 1"), "--where items: is of no input that there is; run: and qrels: are"),
        (("--where", "positives:x = 1"), "run: and qrels: are"),
        (("--where", "qrels:x = 1"), "--where 'qrels: x = 1': qrels.csv has no column 'x'"),
        (("--where", "qrels:(select 1)"), "--where 'qrels: (select 1)' is not one SQL expression"),
        (("--where", "score > '1'", "--where", "run:score > '2'"), "two conditions on the run; join them with and"),
        (("--by", "land=lower(nothing)"), "--by 'land = lower(nothing)': run.csv has no column 'nothing'"),
        (("--by", "land=(select 1)"), "--by 'land = (select 1)' is not one SQL expression over a row"),
        (("--by", "land=sum(score)"), "there is an aggregate, sum"),
        (("--by", "country=lower(country)"), "run.csv has a column country; give the expression another name"),
        (("--by", "value=lower(country)"), "the output has a column of that name"),
        (("--by", "land=lower(country); drop table x"), "is not one SQL expression"),
    ]
)
def test_an_expression_that_cannot_be_carried_out_is_refused_by_its_option(case: tuple[tuple[str, ...], str]) -> None:
    arguments, said = case
    assert said in error_of(2, "eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", *arguments)


def test_a_condition_on_judgments_needs_judgments_of_their_own() -> None:
    Path("export.csv").write_text("query_id,doc_id,score,relevance\nq1,d1,1,1\n")
    assert "no judgments of their own to filter" in error_of(2, "eval", "export.csv", "--where", "qrels:score > '0'")


def test_segments_and_weights_are_computed() -> None:
    week = "week=cast(date_trunc('week', cast(day as date)) as date)"
    assert rr("--by", week) == {"2026-11-02": "1", "2026-11-09": "0.5", "(all)": "0.75"}
    assert rr("--by", "land=upper(country)") == {"DE": "1", "FR": "0.5", "(all)": "0.75"}
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr", weight="case country when 'fr' then 3 else 1 end") as result:
        assert result["rr"] == pytest.approx((1 + 3 * 0.5) / 4)


def test_a_column_of_the_name_of_an_expression_is_that_column() -> None:
    rows = [line.split(",") for line in RUN.splitlines()]
    values = ["ln(score)", *("2" if row[0] == "q1" else "1" for row in rows[1:])]
    Path("run.csv").write_text("".join(f"{value},{','.join(row)}\n" for value, row in zip(values, rows, strict=True)))
    with sqlrank.evaluate("run.csv", "qrels.csv", "rr", weight="ln(score)") as result:
        assert result["rr"] == pytest.approx((2 * 1 + 0.5) / 3)


def test_what_is_computed_is_said_and_compared_and_stored() -> None:
    Path("b.csv").write_text(RUN)
    with sqlrank.compare(["run.csv", "b.csv"], "qrels.csv", "rr", by="land=upper(country)") as comparison:
        assert "land is upper(country)" in comparison.remarks()
        assert {row["land"] for row in comparison.to_dicts()} == {"DE", "FR", None}
    asked = ("--qrels", "qrels.csv", "-m", "rr", "--by", "land=upper(country)")
    for name in ("run", "b"):
        completed("eval", f"{name}.csv", *asked, "--per-query", f"{name}.parquet")
    assert completed("compare", "run.parquet", "b.parquet", "--by", "land").code == 0


STATEMENTS: list[dict[str, Any]] = [
    {"by": "land=upper(country)"},
    {"by": "land=upper(country)", "summary": True},
    {"weight": "length(country) + case country when 'fr' then 3 else 1 end", "summary": True},
    {"where": ["qrels:judged_at < '2026-02-01'"]},
    {"where": ["doc_id <> 'd1'", "qrels:judged_at < '2026-02-01'"], "summary": True},
    {"by": "land=upper(country) || ' -- run_rows, per_query'", "where": ["qrels:judged_at < '2026-02-01'"]},
]


@each(STATEMENTS)
def test_a_statement_gives_what_an_evaluation_gives(options: dict[str, Any]) -> None:
    asked = {name: value for name, value in options.items() if name != "summary"}
    with duckdb.connect() as connection, sqlrank.evaluate("run.csv", "qrels.csv", "rr", **asked) as result:
        connection.execute("create view run as from read_csv('run.csv', all_varchar = true)")
        connection.execute("create view qrels as from read_csv('qrels.csv', all_varchar = true)")
        found = connection.sql(sqlrank.sql("run", "qrels", "rr", system="run", **options))
        wanted = result.rows if options.get("summary") else result.per_query
        common = [
            name for name in wanted.columns if name in {*found.columns} - {"stderr", "is_total", "ci_low", "ci_high"}
        ]
        assert {"rr", "value"} & set(common)
        columns = ", ".join(f'"{name}"' for name in common)
        rows = [sorted(map(repr, relation.project(columns).fetchall())) for relation in (found, wanted)]
        assert rows[0] == rows[1]


def test_macros_refuse_what_they_cannot_say() -> None:
    for options in ({"by": "land=upper(country)"}, {"where": "qrels:judged_at < '2026'"}):
        with pytest.raises(sqlrank.UsageError):
            sqlrank.macros("rr", **options)  # type: ignore[arg-type]


GRADES = "query_id,doc_id,relevance\nq1,d1,can't tell\nq1,d2,E\nq2,d1,I\nq2,d2,E\n"
MAPPED = "E=1,I=0,can't tell="
WORDS = {"E": 1, "I": 0, "can't tell": None}


def test_a_label_may_say_that_nobody_judged() -> None:
    Path("qrels.csv").write_text(GRADES)
    asked = ("eval", "run.csv", "--qrels", "qrels.csv", "-m", "rr", "-m", "judged@1", "--relevance-map", MAPPED)
    outcome = completed(*asked, "--format", "csv")

    assert [row["value"] for row in outcome.table] == ["0.5", "0.5"]
    assert "4 rows read, 1 left out: 1 not judged" in outcome.err
    with sqlrank.evaluate("run.csv", "qrels.csv", "judged@1", relevance_map=WORDS) as result:
        assert result["judged@1"] == 0.5
    Path("export.csv").write_text("query_id,doc_id,score,relevance\nq1,d1,3,can't tell\nq1,d2,2,E\nq1,d3,1,I\n")
    options: dict[str, Any] = {"relevance_map": WORDS, "unjudged": "remove"}
    with sqlrank.evaluate("export.csv", None, ["judged@2", "p@2"], **options) as result:
        assert (result["judged@2"], result["p@2"]) == (1.0, 0.5)


def test_raters_who_could_not_tell_are_left_out_of_their_agreement() -> None:
    lines = "q1,d1,a,E\nq1,d1,b,E\nq1,d2,a,I\nq1,d2,b,I\nq2,d1,a,can't tell\nq2,d1,b,I\nq2,d2,a,E\nq2,d2,b,I\n"
    Path("rated.csv").write_text("query_id,doc_id,rater,relevance\n" + lines)
    without = [line for line in lines.splitlines() if "can't" not in line]
    Path("left.csv").write_text("query_id,doc_id,rater,relevance\n" + "\n".join(without) + "\n")
    asked = ("--relevance-map", MAPPED, "--format", "csv")
    assert completed("agreement", "rated.csv", *asked).out == completed("agreement", "left.csv", *asked).out
