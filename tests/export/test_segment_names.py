"""One rule says which column a segment or weight is: the same wherever it is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.small_data import write_csv

NONE = "(no results)"
Inputs = dict[str, Any]
"""The columns of segments, and for each query their values, by input."""

FULL: Inputs = {
    "run": (("country", "traffic"), {"q1": ("run 1", 1), "q2": ("run 2", 2)}),
    "qrels": (("country", "traffic"), {"q1": ("qrels 1", 3), "q2": ("qrels 2", 4), "q3": ("qrels 3", 5)}),
    "queries": (("country", "traffic"), {"q1": ("queries 1", 6), "q2": ("queries 2", 7), "q3": ("queries 3", 8)}),
}
WITHOUT_QUERIES = {kind: FULL[kind] for kind in ("run", "qrels")}
RUN_ALONE = {"run": FULL["run"], "qrels": ((), {"q1": (), "q2": (), "q3": ()})}
LABELLED = {"run": FULL["run"]}
LABELLED_WITH_QUERIES = {kind: FULL[kind] for kind in ("run", "queries")}

CASES: list[tuple[Inputs, str, list[str]]] = [
    (FULL, "country", ["queries 1", "queries 2", "queries 3"]),
    (FULL, "queries.country", ["queries 1", "queries 2", "queries 3"]),
    (FULL, "qrels.country", ["qrels 1", "qrels 2", "qrels 3"]),
    (FULL, "run.country", ["run 1", "run 2", NONE]),
    (WITHOUT_QUERIES, "run.country", ["run 1", "run 2", NONE]),
    (WITHOUT_QUERIES, "qrels.country", ["qrels 1", "qrels 2", "qrels 3"]),
    (RUN_ALONE, "country", ["run 1", "run 2", NONE]),
    (LABELLED, "country", ["run 1", "run 2"]),
    (LABELLED, "run.country", ["run 1", "run 2"]),
    (LABELLED, "qrels.country", ["run 1", "run 2"]),
    (LABELLED_WITH_QUERIES, "country", ["queries 1", "queries 2"]),
    (LABELLED_WITH_QUERIES, "run.country", ["run 1", "run 2"]),
]
"""The inputs, the name of a segment, and what it is for each query."""


def tables(inputs: Inputs) -> dict[str, Any]:
    """The inputs as Arrow tables."""
    found: dict[str, Any] = {}
    for kind, (names, described) in inputs.items():
        number = {"run": ("doc_id", "score"), "qrels": ("doc_id", "relevance")}.get(kind, ())
        columns = ("query_id", *number, *names)
        rows = [(query, *(("a", 1) if kind != "queries" else ()), *values) for query, values in described.items()]
        if kind == "run" and "qrels" not in inputs:
            columns, rows = (*columns, "relevance"), [(*row, 1) for row in rows]
        found[kind] = pa.table({name: [row[place] for row in rows] for place, name in enumerate(columns)})
    return found


def evaluated(inputs: Inputs, by: str, weight: str) -> list[tuple[Any, ...]]:
    given = tables(inputs)
    queries = given.get("queries")
    with sqlrank.evaluate(given["run"], given.get("qrels"), "rr", by=by, weight=weight, queries=queries) as result:
        return [row[2:4] for row in result.per_query.fetchall()]


def compared(inputs: Inputs, by: str, weight: str) -> list[tuple[Any, ...]]:
    given = tables(inputs)
    both, queries = {"old": given["run"], "new": given["run"]}, given.get("queries")
    with sqlrank.compare(
        systems=both, qrels=given.get("qrels"), metrics="rr", by=by, weight=weight, queries=queries
    ) as made:
        columns = made.per_query.columns
        places = [columns.index("country"), columns.index("weight")]
        return [tuple(row[place] for place in places) for row in made.per_query.fetchall()]


def stated(sql: Callable[..., str]) -> Callable[[Inputs, str, str], list[tuple[Any, ...]]]:
    """What a statement gives in a session that holds the inputs as tables."""

    def run(inputs: Inputs, by: str, weight: str) -> list[tuple[Any, ...]]:
        options = {"queries": "queries"} if "queries" in inputs else {}
        statement = sql("run", "qrels" if "qrels" in inputs else None, ["rr"], by=by, weight=weight, **options)
        with duckdb.connect() as connection:
            for kind, table in tables(inputs).items():
                connection.register(kind, table)
            return sorted(connection.sql(f"select query_id, country, weight from ({statement})").fetchall())

    return lambda inputs, by, weight: [row[1:] for row in run(inputs, by, weight)]


WAYS = {
    "eval": evaluated,
    "compare": compared,
    "sql": stated(sqlrank.sql),
}


def weights_of(inputs: Inputs, segments: Sequence[str]) -> list[float]:
    """The weight of each query, from the input that the segment is of."""
    kind = segments[0].partition(" ")[0]
    return [float(inputs[kind][1][f"q{number}"][1]) for number, _ in enumerate(segments, 1)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("inputs", "name", "expected"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_name_means_the_same_column_wherever_it_stands(
    way: str, inputs: Inputs, name: str, expected: list[str]
) -> None:
    weight = name.replace("country", "traffic")
    if NONE in expected:  # a query without results has no weight of the run
        weight = "qrels.traffic"
        inputs = inputs | {"qrels": FULL["qrels"]}
        if name == "country":
            inputs = inputs | {"qrels": (("traffic",), {q: (v[1],) for q, v in FULL["qrels"][1].items()})}
        assert [row[0] for row in WAYS[way](inputs, name, weight)] == expected
        return
    assert WAYS[way](inputs, name, weight) == list(zip(expected, weights_of(inputs, expected), strict=True))


def test_rankings_without_judgments_have_segments_by_the_same_rule() -> None:
    given = tables({"run": FULL["run"], "queries": FULL["queries"]})
    run, queries = given["run"].drop_columns(["relevance"]), given["queries"]
    for name, kind in (("country", "queries"), ("run.country", "run"), ("queries.country", "queries")):
        weight = name.replace("country", "traffic")
        with sqlrank.likeness(
            systems={"old": run, "new": run}, metrics="overlap@1", by=name, weight=weight, queries=queries
        ) as result:
            expected = [(f"{kind} {number}", float(FULL[kind][1][f"q{number}"][1])) for number in ((1, 2))]
            assert [row[3:5] for row in result.per_query.fetchall()] == expected


def write(inputs: Inputs) -> list[str]:
    """The inputs as files, and the arguments that name them."""
    for kind, table in tables(inputs).items():
        write_csv(f"{kind}.csv", table.column_names, [tuple(row.values()) for row in table.to_pylist()])
    named = {"qrels": ["--qrels", "qrels.csv"], "queries": ["--queries", "queries.csv"]}
    return ["run.csv", *(word for kind in named if kind in inputs for word in named[kind])]


def test_a_note_names_the_input_that_is_read_where_several_have_the_column() -> None:
    outcome = completed("eval", *write(FULL), "--by", "country", "-m", "rr")

    assert "country is read from queries.csv; it is a column of run.csv (run.country) and qrels.csv" in outcome.err


def test_queries_without_results_are_described_by_the_judgments() -> None:
    agreeing = {"run": FULL["run"], "qrels": (("country", "traffic"), FULL["run"][1] | {"q3": ("qrels 3", 5)})}
    outcome = completed(
        "eval", *write(agreeing), "--by", "country", "--weight", "traffic", "-m", "rr", "--format", "csv"
    )

    assert [row["country"] for row in outcome.table] == ["qrels 3", "run 1", "run 2", ""]
    assert "country is read from run.csv, for queries without results from qrels.csv" in outcome.err


@pytest.mark.parametrize("option", ["--by country", "--weight traffic"])
def test_run_and_judgments_that_disagree_are_never_mixed(option: str) -> None:
    said = error_of(3, "eval", *write(WITHOUT_QUERIES), *option.split(), "-m", "rr")

    name = option.split()[1]
    assert f"disagree on {name} (cases: 2): query 'q1' has" in said
    assert f"write run.{name} or qrels.{name}" in said


def test_a_column_that_is_called_like_an_input_and_a_column_wins() -> None:
    run = (("queries.country", "country"), {"q1": ("whole", "part"), "q2": ("whole", "part")})
    given = tables({"run": run, "queries": FULL["queries"]})
    with sqlrank.evaluate(given["run"], None, "rr", by="queries.country", queries=given["queries"]) as result:
        assert result.by == ("queries.country",)
        assert {row[2] for row in result.per_query.fetchall()} == {"whole"}


@pytest.mark.parametrize("names", [("run.country", "queries.country"), ("country", "run.Country")])
def test_two_segments_of_one_name_are_refused(names: tuple[str, str]) -> None:
    given = tables(FULL)
    for call in (
        lambda: sqlrank.evaluate(given["run"], given["qrels"], "rr", by=names, queries=given["queries"]),
        lambda: sqlrank.sql("r", "j", "rr", by=names, queries="q"),
    ):
        with pytest.raises(UsageError, match="two segments would have"):
            call()


def test_a_segment_of_queries_that_were_not_given_is_refused() -> None:
    given = tables(WITHOUT_QUERIES)
    for call in (
        lambda: sqlrank.evaluate(given["run"], given["qrels"], "rr", by="queries.country"),
        lambda: sqlrank.sql("r", "j", "rr", weight="queries.traffic"),
    ):
        with pytest.raises(UsageError, match="there is no table of queries"):
            call()
    with pytest.raises(DataError, match="no column 'market'"):
        sqlrank.evaluate(given["run"], given["qrels"], "rr", by="qrels.market")


def test_a_table_of_queries_that_nothing_reads_is_told() -> None:
    outcome = completed("eval", *write(FULL), "--by", "run.country", "-m", "rr")

    assert "queries.csv: nothing reads it" in outcome.err
    said = "-- note: no segment or weight comes from the table of queries, so it is not read\n"
    statement = sqlrank.sql("r", "j", "rr", queries="q", by="run.country")
    assert said in statement
    assert "asked" not in statement


def test_macros_refuse_segments_and_weights() -> None:
    with pytest.raises(UsageError, match="by=: a macro gives a row for each query"):
        sqlrank.macros("rr", by="country")
    with pytest.raises(UsageError, match="weight=: a macro gives a row for each query"):
        sqlrank.macros("rr", weight="traffic")


def test_stored_rows_are_compared_under_either_name() -> None:
    arguments = write(FULL)
    options = ["-m", "rr", "--by", "queries.country", "--weight", "queries.traffic"]
    for name in ("old", "new"):
        outcome = run_cli("eval", f"{name}={arguments[0]}", *arguments[1:], *options, "--per-query", f"{name}.parquet")
        assert outcome.code == 0, outcome.err
    for by, weight in (("country", "traffic"), ("queries.country", "queries.traffic")):
        outcome = run_cli("compare", "old.parquet", "new.parquet", "--by", by, "--weight", weight, "--format", "csv")
        assert outcome.code == 0, outcome.err
        assert [row["country"] for row in outcome.table] == ["queries 1", "queries 2", "queries 3", ""]
