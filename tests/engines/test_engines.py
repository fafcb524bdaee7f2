"""The statement for an engine gives, in that engine, what sqlrank gives.

Each engine is real: SQLite, a PostgreSQL server, ClickHouse, DataFusion, Spark, and a DuckDB of its own.
"""

from __future__ import annotations

import json
import math
import pickle
import random
import re
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

import sqlrank
from sqlrank.conventions import Conventions
from sqlrank.dialects import DIALECTS
from sqlrank.errors import UsageError
from sqlrank.metrics.language import parse_measures
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statistics.student import critical_value
from tests.metrics import test_diversity as diversity
from tests.metrics import test_readers as readers
from tests.metrics import test_recommender as recommender
from tests.metrics import test_score_pairs as score_pairs
from tests.support.cases import BROAD, FAMILIES, LINEAR, SOME, Case, Table, arrow, random_data, rows_of, texts
from tests.support.engines import OPEN, SLOW, on_engines, session
from tests.support.sessions import Session
from tests.whole.test_worked_rows import rows as worked_rows

Row = tuple[Any, ...]


def fitting(engine: str, cases: Iterable[Case]) -> list[str]:
    """What to ask for of an engine: without tables of gains and discounts, whose names are too long for some."""
    longest = DIALECTS[engine].longest_name
    return [case.text for case in cases if longest is None or not has_table(case)]


def has_table(case: Case) -> bool:
    """Whether a table is among the parameters of a case."""
    return any(":" in str(case.parameters.get(name, "")) for name in ("gain", "discount"))


FEWER = [case.text for case in SOME if not has_table(case)]
EVERY_STEP = [
    *("ndcg", "ndcg(gain=exp2, discount=letor, ideal=retrieved)@3", "p_plus", "bpref"),
    *("set_f(beta=0.5)", "nerr@3", "nerr8@7", "num_rel"),
]
"""Metrics that together take every step: how rows are read and told apart is written in the steps."""
SUMMARISED = [*FEWER[::3], "num_rel(rel=2)", "num_ret"]
"""Fewer metrics for the summaries, in which some engines compute each apart."""

RUN, QRELS = random_data(31)
RUN_COLUMNS = ("query_id", "doc_id", "score")
QRELS_COLUMNS = ("query_id", "doc_id", "relevance")
PLAIN = Conventions()
TABLES = {"found": (rows_of(RUN), RUN_COLUMNS), "judged": (rows_of(QRELS), QRELS_COLUMNS)}
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "doc-asc"},
    {"ties": "best"},
    {"ties": "worst"},
    {"order": "asc"},
    {"depth": 3},
    {"depth": 3, "ties": "worst", "unjudged": "remove"},
    {"unjudged": "remove"},
    {"unjudged": "remove", "query_set": "run"},
    {"query_set": "shared", "empty": "skip"},
    {"query_set": "run", "empty": "one"},
    {"rel": 2},
]


TOLERANCE = 1e-9
RECOMPUTING = ("clickhouse", "datafusion", "snowflake", "spark")
"""Engines that compute a step again for each metric of a summary."""


class Rows(NamedTuple):
    """Rows and the names of their columns."""

    columns: list[str]
    rows: list[Row]

    def only(self, columns: list[str]) -> Rows:
        """Some of the columns."""
        places = [self.columns.index(column) for column in columns]
        return Rows(columns, [tuple(row[place] for place in places) for row in self.rows])


class Evaluated(NamedTuple):
    """What sqlrank gives: values by query and by metric, the names of segments, and how it read the metrics."""

    per_query: Rows
    rows: Rows
    by: list[str]
    language: Any

    def means(self, metrics: list[str]) -> Rows:
        """The values of some of the metrics."""
        asked = {measure.text for measure in parse_measures(metrics, self.language)}
        place = self.rows.columns.index("metric")
        return Rows(self.rows.columns, [row for row in self.rows.rows if row[place] in asked])


EVALUATED: dict[bytes, Evaluated] = {}
"""What was evaluated, by its inputs."""


def evaluated(run: Any = None, qrels: Any = None, metrics: Any = (), **options: Any) -> Evaluated:
    """What sqlrank gives for these inputs, which is computed once for all engines."""
    inputs = pickle.dumps((run, qrels, metrics, options))
    if inputs not in EVALUATED:
        with sqlrank.evaluate(run, qrels, metrics, **options) as result:
            by_query, means = (Rows(found.columns, found.fetchall()) for found in (result.per_query, result.rows))
            EVALUATED[inputs] = Evaluated(by_query, means, list(result.by), result.language)
    return EVALUATED[inputs]


def near(value: Any, wanted: Any) -> bool:
    """Whether two values agree, numbers to 1e-9."""
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return math.isclose(value, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(value == wanted)


def keyed(columns: list[str], rows: list[Row], keys: list[str]) -> dict[Row, dict[str, Any]]:
    """Rows by the values of their keys."""
    named = [dict(zip(columns, row, strict=True)) for row in rows]
    return {tuple(row[key] for key in keys): row for row in named}


def assert_same_rows(connection: Session, statement: str, given: Rows, keys: list[str]) -> None:
    """Run the statement in the engine and compare each value with those of sqlrank.

    A statement for one run does not name its system.
    """
    columns, rows = connection.query(statement)
    named = "system" in columns
    keys = keys if named else [key for key in keys if key != "system"]
    found = keyed(columns, rows, keys)
    wanted = keyed(*given, keys)
    assert len(rows) == len(given.rows) == len(wanted) > 0
    assert found.keys() == wanted.keys()
    different = [
        f"{column} of {[str(part)[-12:] for part in key]}: {found[key][column]} instead of {value}"
        for key, row in wanted.items()
        for column, value in row.items()
        if column not in (*keys, "ci_low", "ci_high")
        and (named or column != "system")
        and not near(found[key][column], value)
    ]
    assert not different, f"{len(different)} values differ, such as {'; '.join(different[:5])}"


def assert_same_statements(
    engine: str, result: Evaluated, qrels: str | None, asked: list[str], run: str = "found", **options: Any
) -> None:
    """Compare the per-query rows of the metrics asked, and the summary of some of them."""
    statement = sqlrank.sql(run, qrels, asked, dialect=engine, **options)
    assert_same_rows(OPEN[engine], statement, result.per_query, ["system", "query_id", *result.by])
    some = [text for text in SUMMARISED if text in asked][:: 3 if engine in RECOMPUTING else 1]
    statement = sqlrank.sql(run, qrels, some, dialect=engine, summary=True, **options)
    assert_same_rows(OPEN[engine], statement, result.means(some), ["system", "metric", *result.by])


def shapes(cases: list[Case], of_each: bool = True) -> list[Case]:
    """Cases that hold every word that a parameter of a metric can have; any number stands for all numbers.

    An engine may misread a part of an expression: words choose the parts, and numbers fill the places in them. A word
    is the same text in all metrics, so that an engine that is slow is asked for each word and each metric once.
    """
    seen: set[object] = set()
    kept = []
    for case in cases:
        words = {name: value if isinstance(value, str) else "number" for name, value in case.parameters.items()}
        cut = ("k", "number" if case.k else "none")
        chosen: set[object] = {(case.metric if of_each else "", *word) for word in [*words.items(), cut]}
        chosen.add(case.metric)
        if not chosen <= seen:
            kept.append(case)
            seen |= chosen
    return kept


def steps(metrics: list[str]) -> set[str]:
    """The steps of a statement, alike for all gains."""
    named = re.findall(r"^(\w+) as (?:\w+ )*\($", sqlrank.sql("found", "judged", metrics), re.MULTILINE)
    return {name.replace("_exp2", "") for name in named}


def test_the_metrics_that_take_every_step_take_those_of_many_others() -> None:
    assert steps(FEWER) == steps(EVERY_STEP)
    assert len(steps(EVERY_STEP)) > 15


@on_engines("family", FAMILIES, every=True)
def test_all_metrics_with_many_parameters_agree(engine: str, family: str) -> None:
    asked = fitting(engine, shapes(FAMILIES[family], of_each=engine != "spark"))
    statement = sqlrank.sql("found", "judged", asked, dialect=engine)

    result = evaluated(qrels=QRELS, metrics=asked, systems={"found": RUN})

    assert_same_rows(session(engine, **TABLES), statement, result.per_query, ["system", "query_id"])


IN_ONE_STEP = [
    case
    for family in FAMILIES.values()
    for case in family
    for measure in parse_measures(case.text)
    if measure.metric.grain == "query" and ColumnPlan((measure,), Conventions(), diagnostics=False).in_one_step
]
"""Metrics that are sums over the judged documents of a query, whose statement is the short one."""


def frame(case: Case) -> str:
    """The short statement of a metric without its expressions: its steps, and how they are joined and cut."""
    statement = re.sub(r"(hits|ideal)_\w+", r"\1", sqlrank.sql("found", "judged", case.text, dialect="sqlite"))
    parts = re.findall(r"^ *((?:from|where|group by|\w+ join) .*|\w+ as \()$", statement, re.MULTILINE)
    return re.sub(r"\d+(\.\d+)?", "N", "\n".join(parts))


@cache
def of_every_frame() -> list[Case]:
    """The metric of the shortest name for each frame of a short statement."""
    return list({frame(case): case for case in sorted(IN_ONE_STEP, key=lambda case: -len(case.text))}.values())


@on_engines("conventions", [{}, {"empty": "skip", "order": "asc"}, {"ties": "doc-asc", "judgments": "max"}], every=True)
def test_metrics_that_take_one_step_agree_alone_and_together(engine: str, conventions: dict[str, Any]) -> None:
    """Alone are asked every word of a parameter and every frame; the expressions are the same text in both."""
    session(engine, **TABLES)
    shaped, framed = fitting(engine, shapes(IN_ONE_STEP)), fitting(engine, of_every_frame())
    alone = list(dict.fromkeys([*shaped[:: SLOW.get(engine, 1)], *framed]))
    together = list(dict.fromkeys([*shaped, *framed] if conventions else fitting(engine, IN_ONE_STEP)))
    assert len(framed) >= 10
    assert len(together) > 80

    result = evaluated(qrels=QRELS, metrics=together, systems={"found": RUN}, **conventions)

    for some in (*([text] for text in alone if not conventions), together):
        statement = sqlrank.sql("found", "judged", some, dialect=engine, **conventions)
        assert "run_rows" not in statement
        columns = ["query_id", *(measure.column for measure in parse_measures(some))]
        assert_same_rows(OPEN[engine], statement, result.per_query.only(columns), ["query_id"])


@on_engines("conventions", CONVENTIONS)
def test_metrics_agree_under_the_conventions(engine: str, conventions: dict[str, Any]) -> None:
    asked = fitting(engine, BROAD)

    result = evaluated(qrels=QRELS, metrics=asked, systems={"found": RUN}, **conventions)

    session(engine, **TABLES)
    assert_same_statements(engine, result, "judged", asked, **conventions)


@on_engines("judgments", ["max", "mean"])
def test_copies_and_several_raters_agree(engine: str, judgments: str) -> None:
    rng = random.Random(3)
    cases = [case for case in SOME if ":" not in case.parameters.get("gain", "")]
    found = rows_of(RUN) + [(query, doc, score - 0.125) for query, doc, score in rows_of(RUN)[::3]]
    judged = rows_of(QRELS) + [(query, doc, rng.choice([0.0, 1.0, 2.5, 3.0])) for query, doc, _ in rows_of(QRELS)[::3]]
    rng.shuffle(found)
    options: dict[str, Any] = {"judgments": judgments, "duplicates": "best"}

    result = evaluated(
        qrels=arrow(judged, *QRELS_COLUMNS),
        metrics=texts(cases),
        systems={"found": arrow(found, *RUN_COLUMNS)},
        **options,
    )

    session(engine, found=(found, RUN_COLUMNS), judged=(judged, QRELS_COLUMNS))
    assert_same_statements(engine, result, "judged", texts(cases), **options)


@on_engines("")
def test_rankings_by_rank_agree(engine: str) -> None:
    rows = [
        (query, doc, float(rank)) for query, found in RUN.items() for rank, doc in enumerate(sorted(found), start=1)
    ]
    columns = ("query_id", "doc_id", "rank")

    result = evaluated(qrels=QRELS, metrics=EVERY_STEP, systems={"found": arrow(rows, *columns)})

    session(engine, found=(rows, columns), judged=TABLES["judged"])
    assert_same_statements(engine, result, "judged", EVERY_STEP, columns={"rank": "rank"})


@on_engines("labelled", [False, True], every=True)
def test_queries_of_several_columns_agree(engine: str, labelled: bool) -> None:
    names = ("user_name", "date", "item", "shop")
    number = {query: place for place, query in enumerate(QRELS)}
    users, shops = ["a,b", "a", "%2C", "it's"], ["s,", "", "%"]

    def parts(query: str, doc: str) -> Row:
        place = number.get(query, 99)
        return users[place % 4], f"b,{place}", doc, shops[len(doc) % 3]

    judged = [(*parts(query, doc), relevance) for query, doc, relevance in rows_of(QRELS)]
    found: list[Row] = [(*parts(query, doc), score) for query, doc, score in rows_of(RUN)]
    columns: tuple[str, ...] = (*names, "score")
    if labelled:
        found = [(*row, float(len(row[2]) % 3)) for row in found]
        columns = (*columns, "relevance")
    options: dict[str, Any] = {"columns": {"query_id": "user_name,date", "doc_id": "item,shop"}}

    result = evaluated(
        qrels=None if labelled else arrow(judged, *names, "relevance"),
        metrics=EVERY_STEP,
        systems={"found": arrow(found, *columns)},
        **options,
    )

    assert result.per_query.columns[2:4] == ["user_name", "date"]
    session(engine, found=(found, columns), judged=(judged, (*names, "relevance")))
    assert_same_statements(engine, result, None if labelled else "judged", EVERY_STEP, **options)


LISTS = {
    "duckdb": ("from_json({}, '[\"varchar\"]')", 'from_json({}, \'[{{"id": "varchar", "value": "double"}}]\')'),
    "sqlite": ("{}", "{}"),
    "postgres": ("array(select jsonb_array_elements_text(cast({} as jsonb)))", "cast({} as jsonb)"),
    "clickhouse": (
        "JSONExtract(assumeNotNull({}), 'Array(String)')",
        "JSONExtract(assumeNotNull({}), 'Array(Tuple(id String, value Nullable(Float64)))')",
    ),
    "spark": ("from_json({}, 'array<string>')", "from_json({}, 'array<struct<id: string, value: double>>')"),
    "snowflake": ("parse_json({})", "parse_json({})"),
}
"""By engine, a list of texts and a list of structs out of a text of JSON."""


def load_lists(engine: str, name: str, rows: list[Row]) -> None:
    """A table with a row for each query: its documents and values in two lists, in a list of structs, and in texts."""
    listed: dict[str, list[tuple[str, float]]] = {}
    for query, doc, value in rows:
        listed.setdefault(query, []).append((doc, value))
    docs = [[doc for doc, _ in pairs] for pairs in listed.values()]
    numbers = [[value for _, value in pairs] for pairs in listed.values()]
    structs = [[{"id": doc, "value": value} for doc, value in pairs] for pairs in listed.values()]
    texts = [(" | ".join(some), "|".join(map(str, many))) for some, many in zip(docs, numbers, strict=True)]
    if engine == "datafusion":
        columns = {"query_id": list(listed), "docs": docs, "many": numbers, "hits": structs}
        columns |= {"doc_texts": [each for each, _ in texts], "value_texts": [each for _, each in texts]}
        session(engine).context.deregister_table(name)  # type: ignore[attr-defined]
        session(engine).context.register_record_batches(name, [pa.table(columns).to_batches()])  # type: ignore[attr-defined]
        return
    made = [
        (query, *(json.dumps(part) for part in parts), *both)
        for query, parts, both in zip(listed, zip(docs, numbers, structs, strict=True), texts, strict=True)
    ]
    texts_of = ("query_id", "docs_json", "many_json", "hits_json", "doc_texts", "value_texts")
    plain, struct = LISTS[engine]
    columns_of = [f"{plain.format('docs_json')} as docs", f"{plain.format('many_json')} as many"]
    columns_of += [f"{struct.format('hits_json')} as hits", "query_id", "doc_texts", "value_texts"]
    session(engine, **{f"{name}_texts": (made, texts_of)})
    OPEN[engine].view(name, f"select {', '.join(columns_of)} from {name}_texts")


FORMS: dict[str, dict[str, Any]] = {
    "lists": {"columns": {"doc_id": "docs[]", "run.score": "many[]", "qrels.relevance": "many[]"}},
    "ranked": {"columns": {"doc_id": "docs[]", "qrels.relevance": "hits[].value"}},
    "structs": {"columns": {"doc_id": "hits[].id", "run.score": "hits[].value", "qrels.relevance": "hits[].value"}},
    "both": {"columns": {"doc_id": "hits[].id", "run.score": "many[]", "qrels.relevance": "many[]"}},
    "ranked structs": {"columns": {"doc_id": "hits[].id", "qrels.relevance": "hits[].value"}},
    "texts": {
        "columns": {"doc_id": "doc_texts[]", "run.score": "value_texts[]", "qrels.relevance": "value_texts[]"},
        "separator": "|",
    },
    "ranked texts": {"columns": {"doc_id": "doc_texts[]", "qrels.relevance": "value_texts[]"}, "separator": "|"},
}


@on_engines("form", FORMS, every=True)
def test_lists_agree(engine: str, form: str) -> None:
    options = FORMS[form]
    if engine == "snowflake" and form != "structs":
        pytest.skip("fakesnow mixes up the places of values where several rows hold lists")
    if "separator" in options and not DIALECTS[engine].split:
        with pytest.raises(UsageError, match="cannot split texts at a separator"):
            sqlrank.sql("found", "judged", EVERY_STEP, dialect=engine, **options)
        return
    # White space around the parts of a text is not of the ids.
    found: list[Row] = sorted(rows_of(RUN), key=lambda row: (row[0], -row[2], row[1]))
    found, judged = ([row for row in rows if row[1] == row[1].strip()] for rows in (found, rows_of(QRELS)))
    load_lists(engine, "found_lists", found)
    load_lists(engine, "judged_lists", judged)
    if "ranked" in form:
        places = [(query, doc, float(place)) for place, (query, doc, _) in enumerate(found, 1)]
        table, order = arrow(places, "query_id", "doc_id", "rank"), "rank"
    else:
        table, order = arrow(found, *RUN_COLUMNS), "score"

    result = evaluated(
        qrels=arrow(judged, *QRELS_COLUMNS),
        metrics=EVERY_STEP,
        systems={"found_lists": table},
        columns={order: order},
    )

    assert_same_statements(engine, result, "judged_lists", EVERY_STEP, run="found_lists", **options)


def systems_rows() -> list[Row]:
    """Rows of three systems, the last of which found results for every second query only."""
    rng = random.Random(4)
    rows: list[Row] = [("one", *row) for row in rows_of(RUN)]
    rows += [("two é", query, doc, rng.randint(0, 4) / 8) for query, doc, _ in rows_of(RUN)]
    few: Table = {query: RUN[query] for query in list(RUN)[::2]}
    return rows + [("three", *row) for row in rows_of(few)]


@on_engines(
    "labelled conventions",
    [False, True],
    [{}, {"ties": "best", "depth": 3}, {"query_set": "run", "unjudged": "remove"}, {"query_set": "shared"}],
)
def test_several_systems_agree(engine: str, labelled: bool, conventions: dict[str, Any]) -> None:
    rows: list[Row] = systems_rows()
    columns: tuple[str, ...] = ("system", *RUN_COLUMNS)
    if labelled:
        rows = [(*row, QRELS.get(row[1], {}).get(row[2])) for row in rows]
        columns = (*columns, "relevance")
    judged = None if labelled else "judged"

    result = evaluated(arrow(rows, *columns), None if labelled else QRELS, EVERY_STEP, **conventions)

    session(engine, found=(rows, columns), judged=TABLES["judged"])
    assert_same_statements(engine, result, judged, EVERY_STEP, columns={"system": "system"}, **conventions)


@on_engines("conventions", [{}, {"unjudged": "remove", "depth": 4}, {"query_set": "run"}])
def test_labelled_export_of_one_system_agrees(engine: str, conventions: dict[str, Any]) -> None:
    rows = [(*row, QRELS.get(row[0], {}).get(row[1])) for row in rows_of(RUN)]
    columns = (*RUN_COLUMNS, "relevance")

    result = evaluated(metrics=EVERY_STEP, systems={"found": arrow(rows, *columns)}, **conventions)

    session(engine, found=(rows, columns))
    assert_same_statements(engine, result, None, EVERY_STEP, **conventions)


def asked_rows() -> list[Row]:
    """A table of queries: a market, at times unknown or of one query only, a language, and a weight."""
    rng = random.Random(5)
    queries = list(QRELS | dict.fromkeys(RUN))
    rows = [
        (query, rng.choice(["de", "fr", "it's", None]), rng.choice("ab"), rng.randint(0, 9) / 4) for query in queries
    ]
    return [(queries[0], "alone", "a", 1.0), *rows[1:]]


@on_engines(
    "several segmentation",
    [False, True],
    [
        (["market", "language"], True, {"query_set": "run"}),
        ([], True, {}),
        (["market"], False, {"empty": "skip"}),
        (["market"], True, {"query_set": "shared", "empty": "skip", "ties": "worst"}),
    ],
)
def test_segments_and_weights_of_a_table_of_queries_agree(engine: str, several: bool, segmentation: Any) -> None:
    segments, weighted, conventions = segmentation
    asked, columns = asked_rows(), ("query_id", "market", "language", "weight")
    found = (systems_rows(), ("system", *RUN_COLUMNS)) if several else TABLES["found"]
    session(engine, found=found, judged=TABLES["judged"], asked=(asked, columns))
    relation = arrow(*found[:1], *found[1])

    result = evaluated(
        relation if several else None,
        QRELS,
        EVERY_STEP,
        systems=None if several else {"found": relation},
        queries=arrow(asked, *columns),
        by=segments,
        weight="weight" if weighted else None,
        **conventions,
    )

    assert_same_statements(
        engine,
        result,
        "judged",
        EVERY_STEP,
        queries="asked",
        by=[f"queries.{name}" for name in segments],
        weight="queries.weight" if weighted else None,
        columns={"system": "system"} if several else {},
        **conventions,
    )


@on_engines("several query_set", [True, False], ["judged", "run"])
def test_segments_of_the_run_and_weights_of_the_judgments_agree(engine: str, several: bool, query_set: str) -> None:
    markets = {row[0]: row[1] for row in asked_rows()}
    rows = systems_rows() if several else [("only", *row) for row in rows_of(RUN)]
    found = [(*row, markets[row[1]]) for row in rows]
    judged = [(*row, len(row[0]) % 3 + 0.5) for row in rows_of(QRELS)]
    if query_set == "run":
        found = [row for row in found if row[1] in QRELS]
    columns = ("system", *RUN_COLUMNS, "market"), (*QRELS_COLUMNS, "weight")
    relation = arrow(found, *columns[0])

    result = evaluated(
        relation if several else None,
        arrow(judged, *columns[1]),
        EVERY_STEP,
        systems=None if several else {"found": relation.drop_columns("system")},
        by="market",
        weight="weight",
        query_set=query_set,
    )

    session(engine, found=(found, columns[0]), judged=(judged, columns[1]))
    assert_same_statements(
        engine,
        result,
        "judged",
        EVERY_STEP,
        by="market",
        weight="qrels.weight",
        query_set=query_set,
        columns={"system": "system"} if several else {},
    )


@on_engines("")
def test_one_query_has_no_standard_error_in_either(engine: str) -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1.0}}
    asked = ["ap", "dcg(gain=binary, discount=none)"]  # a fraction and a whole number in one column

    result = evaluated(qrels=qrels, metrics=asked, systems={"found": run})

    connection = session(engine, found=(rows_of(run), RUN_COLUMNS), judged=(rows_of(qrels), QRELS_COLUMNS))
    statement = sqlrank.sql("found", "judged", asked, dialect=engine, summary=True)
    assert_same_rows(connection, statement, result.rows, ["system", "metric"])
    assert {row[:6] for row in connection.query(statement)[1]} == {
        ("ap", 0.5, 1, None, None, None),
        ("dcg(gain=binary, discount=none)", 1, 1, None, None, None),
    }


@on_engines("")
def test_the_interval_of_a_mean_is_that_of_student_from_ten_queries_on(engine: str) -> None:
    connection = session(engine, **TABLES)
    statement = sqlrank.sql(
        "found", "judged", ["ndcg@10", "num_ret", "ap(mean=geometric)"], dialect=engine, summary=True
    )

    columns, rows = connection.query(statement)

    found = {row["metric"]: row for row in (dict(zip(columns, each, strict=True)) for each in rows)}
    mean = found["ndcg@10"]
    half = critical_value(mean["queries"] - 1) * mean["stderr"]
    assert mean["queries"] >= 10
    assert [mean["ci_low"], mean["ci_high"]] == pytest.approx([mean["value"] - half, mean["value"] + half], rel=1e-4)
    assert [row["ci_low"] for name, row in found.items() if name != "ndcg@10"] == [None, None]
    few = f"query_id in ({', '.join(DIALECTS[engine].literal(query) for query in sorted(set(RUN) & set(QRELS))[:9])})"
    statement = sqlrank.sql("found", "judged", "ndcg@10", dialect=engine, summary=True, where=few, query_set="shared")
    columns, rows = connection.query(statement)
    assert [rows[0][columns.index(name)] for name in ("queries", "ci_low", "ci_high")] == [9, None, None]


@on_engines("")
def test_share_of_judged_documents_is_not_divided_as_whole_numbers(engine: str) -> None:
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1.0}}
    connection = session(engine, found=(rows_of(run), RUN_COLUMNS), judged=(rows_of(qrels), QRELS_COLUMNS))

    statement = sqlrank.sql("found", "judged", ["judged@2", "judged"], dialect=engine)

    assert connection.query(statement)[1] == [("q", 0.5, 0.5)]


@on_engines("")
def test_worked_rows_have_the_values_worked_out(engine: str) -> None:
    kept = [row for row in worked_rows() if not ColumnPlan(parse_measures(row["metric"]), PLAIN, False).across_queries]
    found = [(f"w{n}", f"d{rank}", -float(rank)) for n, row in enumerate(kept) for rank in range(places(row))]
    judged = [
        (f"w{n}", f"d{rank}", float(text))
        for n, row in enumerate(kept)
        for rank, text in enumerate(row["ranking"].split())
        if text != "-"
    ]
    judged += [
        (f"w{n}", f"missed{rank}", float(text))
        for n, row in enumerate(kept)
        for rank, text in enumerate(row["missed"].split())
    ]
    connection = session(engine, found=(found, RUN_COLUMNS), judged=(judged, QRELS_COLUMNS))
    measures = dict.fromkeys(measure for row in kept for measure in parse_measures(row["metric"]))

    columns, rows = connection.query(
        sqlrank.sql("found", "judged", [measure.text for measure in measures], dialect=engine)
    )

    values = keyed(columns, rows, ["query_id"])
    for n, row in enumerate(kept):
        (measure,) = parse_measures(row["metric"])
        assert values[(f"w{n}",)][measure.column] == pytest.approx(float(row["expected"]), abs=1e-9), row
    assert len(kept) > 100


def places(row: dict[str, str]) -> int:
    """How many documents a worked ranking has."""
    return len(row["ranking"].split())


@on_engines("")
def test_means_over_the_orders_of_ties_agree(engine: str) -> None:
    asked = fitting(engine, [case for case in LINEAR[::4] if case.metric not in {"gauc", "grouped_ap", "auc"}])

    result = evaluated(qrels=QRELS, metrics=asked, systems={"found": RUN}, ties="average")

    session(engine, **TABLES)
    assert_same_statements(engine, result, "judged", asked, ties="average")


@on_engines("conventions", [{}, {"depth": 4, "ties": "worst", "query_set": "run"}, {"order": "asc"}])
def test_metrics_of_scores_agree(engine: str, conventions: dict[str, Any]) -> None:
    connection = session(engine, **TABLES)

    result = evaluated(qrels=QRELS, metrics=texts(score_pairs.CASES), systems={"found": RUN}, **conventions)
    overall = evaluated(qrels=QRELS, metrics=texts(score_pairs.AUC), systems={"found": RUN}, **conventions)

    statement = sqlrank.sql("found", "judged", texts(score_pairs.CASES), dialect=engine, **conventions)
    assert_same_rows(connection, statement, result.per_query, ["system", "query_id"])
    statement = sqlrank.sql("found", "judged", texts(score_pairs.AUC), dialect=engine, **conventions)
    assert_same_rows(connection, statement, overall.rows, ["system", "metric"])


@on_engines("conventions", [{}, {"depth": 3, "query_set": "shared"}, {"unjudged": "remove"}])
def test_metrics_of_what_is_shown_agree(engine: str, conventions: dict[str, Any]) -> None:
    asked, whole = texts(recommender.CASES), texts(recommender.WHOLE)
    given = {"found": rows_of(recommender.RUN), "judged": rows_of(recommender.QRELS)}
    columns = {"found": RUN_COLUMNS, "judged": QRELS_COLUMNS}
    inputs: dict[str, Any] = {name: name for name in recommender.INPUTS}
    tables: dict[str, Any] = {name: (rows, columns[name]) for name, rows in given.items()}
    tables |= {name: table_of(data) for name, data in recommender.INPUTS.items()}
    connection = session(engine, **tables)

    options = recommender.INPUTS | conventions
    result = evaluated(qrels=recommender.QRELS, metrics=[*asked, *whole], systems={"found": recommender.RUN}, **options)

    statement = sqlrank.sql("found", "judged", asked, dialect=engine, **inputs, **conventions)
    assert_same_rows(connection, statement, result.per_query, ["system", "query_id"])
    statement = sqlrank.sql("found", "judged", whole, dialect=engine, **inputs, **conventions)
    assert_same_rows(connection, statement, result.means(whole), ["system", "metric"])


@on_engines("conventions", [{}, {"depth": 3, "query_set": "run", "ties": "worst"}])
def test_metrics_of_readers_agree(engine: str, conventions: dict[str, Any]) -> None:
    asked = texts(readers.CASES)
    tables: dict[str, Any] = {"found": (rows_of(readers.RUN), RUN_COLUMNS), "items": table_of(readers.ITEMS)}
    connection = session(engine, judged=(rows_of(readers.QRELS), QRELS_COLUMNS), **tables)

    options: dict[str, Any] = {"items": readers.ITEMS, **conventions}
    result = evaluated(qrels=readers.QRELS, metrics=asked, systems={"found": readers.RUN}, **options)

    statement = sqlrank.sql("found", "judged", asked, dialect=engine, items="items", **conventions)
    assert_same_rows(connection, statement, result.per_query, ["system", "query_id"])


def table_of(data: Any) -> tuple[list[Row], tuple[str, ...]]:
    """The rows and columns of an Arrow table, or of a nested dictionary of scores."""
    if isinstance(data, dict):
        return rows_of(data), RUN_COLUMNS
    return [tuple(row.values()) for row in data.to_pylist()], tuple(data.column_names)


@on_engines("conventions greedy", [{}, {"query_set": "run", "ties": "doc-asc"}], [True, False])
def test_metrics_of_subtopics_agree(engine: str, conventions: dict[str, Any], greedy: bool) -> None:
    every = parse_measures(texts(diversity.CASES[::3]))
    asked = [measure.text for measure in every if ("ideal_novelty" in measure.metric.reads) is greedy]
    judged = table_of(diversity.rows_of(diversity.JUDGED))
    connection = session(engine, found=(rows_of(diversity.RUN), RUN_COLUMNS), judged=judged)
    columns = {"subtopic": "subtopic"}
    if greedy and not DIALECTS[engine].recursive_windows:
        with pytest.raises(UsageError, match=r"cannot find the greedy ideal of .*; take alpha_dcg"):
            sqlrank.sql("found", "judged", asked, dialect=engine, columns=columns)
        return

    result = evaluated(
        qrels=diversity.rows_of(diversity.JUDGED), metrics=asked, systems={"found": diversity.RUN}, **conventions
    )

    statement = sqlrank.sql("found", "judged", asked, dialect=engine, columns=columns, **conventions)
    assert_same_rows(connection, statement, result.per_query, ["system", "query_id"])


WEIGHED = [
    *("ndcg(weight=item)@5", "ndcg(gain=exp2, ideal=retrieved, weight=item)@5", "dcg(weight=item)@5"),
    *("ap(weight=item)@10", "arp(weight=item)", "pairwise_accuracy(weight=item)", "bpref(weight=item)"),
    *("p(weight=item)@5", "rr(weight=item)", "ndcg(weight=within)@5", "ndcg@5"),
]
"""Metrics whose documents have weights, beside one that has none."""


@on_engines("conventions", [{}, {"unjudged": "remove", "query_set": "run", "empty": "skip"}])
def test_metrics_of_documents_that_weigh_agree(engine: str, conventions: dict[str, Any]) -> None:
    rng = random.Random(5)
    weighed = [(*row, rng.choice([0.5, 1.0, 3.0, 250.0])) for row in rows_of(QRELS)]
    judged = (weighed, (*QRELS_COLUMNS, "item_weight"))
    connection = session(engine, found=(rows_of(RUN), RUN_COLUMNS), judged=judged)

    options: dict[str, Any] = {"qrels": arrow(weighed, *judged[1]), "systems": {"found": RUN}, **conventions}
    result = evaluated(metrics=WEIGHED, **options)

    statement = sqlrank.sql("found", "judged", WEIGHED, dialect=engine, **conventions)
    assert_same_rows(connection, statement, result.per_query, ["system", "query_id"])
    some = WEIGHED[:: 3 if engine in RECOMPUTING else 1]
    statement = sqlrank.sql("found", "judged", some, dialect=engine, summary=True, **conventions)
    assert_same_rows(connection, statement, result.means(some), ["system", "metric"])


HOSTILE = [
    *("it's", 'a"b', "a`b", "back\\slash", "\\", "\\'", "select", "two words", "ünï 文 🙂"),
    *("-- no", "/*", "{{ x }}", "${x}", "%s", "a\nb"),
]


@on_engines("")
def test_hostile_names_and_values_are_read_as_they_are(engine: str) -> None:
    rows = [("q", "d", 1.0, 2.0, name) for name in HOSTILE]
    connection = session(engine, found=(rows, (*RUN_COLUMNS, "relevance", "system")))
    spoken = DIALECTS[engine]

    for name in HOSTILE:
        # A condition has plain texts, which sqlrank itself writes so that every session reads them alike.
        quoted = name.replace("'", "''")
        literal = f"'{quoted}'" if spoken.escapes_bytes else spoken.literal(name)
        where = f"{spoken.ident('system')} = {literal}"
        statement = sqlrank.sql("found", None, "p@1", dialect=engine, where=where, columns={"system": "system"})
        assert connection.query(statement)[1] == [(name, "q", 1.0)], name


@on_engines("")
def test_hostile_names_of_columns_are_read_as_they_are(engine: str) -> None:
    names = [name for name in HOSTILE if "${" not in name or not DIALECTS[engine].substitutes]
    rows = [("q", "d", 1.0, 2.0, *names)]
    connection = session(engine, plain=(rows, (*RUN_COLUMNS, "relevance", *(f"c{n}" for n in range(len(names))))))
    spoken = DIALECTS[engine]
    listed = ", ".join(f"c{n} as {spoken.ident(name)}" for n, name in enumerate(names))
    connection.view("hostile", f"select query_id, doc_id, score, relevance, {listed} from plain")

    statement = sqlrank.sql("hostile", None, "p@1", dialect=engine, by=names)

    columns, found = connection.query(statement)
    assert columns == ["query_id", *names, "p_at_1"]
    assert found == [("q", *names, 1.0)]


@pytest.mark.parametrize("dialect", [dialect.name for dialect in DIALECTS.values() if dialect.substitutes])
def test_a_name_that_the_engine_would_replace_is_refused(dialect: str) -> None:
    with pytest.raises(UsageError, match="replaces what stands in"):
        sqlrank.sql("found", "judged", "ap", dialect=dialect, columns={"score": "${x}"})


def test_a_name_that_the_engine_would_cut_off_is_refused() -> None:
    long = "ndcg(gain=0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8,9:9,10:10,11:11,12:12)@10"
    with pytest.raises(UsageError, match="PostgreSQL reads only 63 bytes of a name"):
        sqlrank.sql("found", "judged", long, dialect="postgres")


@pytest.mark.parametrize("dialect", [dialect.name for dialect in DIALECTS.values() if dialect.single is None])
def test_scores_of_32_bits_are_refused_where_there_are_none(dialect: str) -> None:
    with pytest.raises(UsageError, match="leave out score_type='float'"):
        sqlrank.sql("found", "judged", "ap", dialect=dialect, score_type="float")


@on_engines("")
def test_scores_of_32_bits_tie_where_they_are_alike(engine: str) -> None:
    if DIALECTS[engine].single is None:
        with pytest.raises(UsageError, match="leave out score_type='float'"):
            sqlrank.sql("found", "judged", "rr", dialect=engine, score_type="float")
        return
    run = {"q": {"a": 0.1, "b": 0.1 + 1e-12, "c": 0.05}}
    connection = session(engine, found=(rows_of(run), RUN_COLUMNS), judged=([("q", "a", 1.0)], QRELS_COLUMNS))
    for kind, value in (("double", 0.5), ("float", 1.0)):
        statement = sqlrank.sql("found", "judged", "rr", dialect=engine, score_type=kind, ties="doc-asc")
        assert connection.query(statement)[1] == [("q", value)]
