"""`--check` finds what an evaluation refuses: inputs are spoiled in every way that a check knows."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.errors import SqlrankError
from sqlrank.inputs.check_files import every_check
from tests.support.lacking import none_lacks
from tests.support.tables import hold

Row = list[Any]
Tables = dict[str, list[Row]]
COLUMNS = {
    "runs": "system query_id doc_id score place market traffic pool".split(),
    "judged": "query_id doc_id relevance subtopic traffic pool item_weight".split(),
    "labelled": "system query_id doc_id score relevance market traffic item_weight".split(),
    "asked": "query_id country traffic".split(),
    "goods": "doc_id category length vector".split(),
    "clicks": "query_id doc_id".split(),
    "before": "query_id doc_id score".split(),
}
NUMBERS = ("score", "place", "relevance", "traffic", "length", "item_weight")
KINDS = dict.fromkeys(NUMBERS, pa.float64()) | {"vector": pa.list_(pa.float64())}
OTHERS: dict[str, Any] = {"items": "goods", "history": "clicks", "baseline_run": "before"}
SHOWN = ["diversity@3", "novelty@3", "unexpectedness@3"]


def clean(rng: random.Random) -> Tables:
    """Tables that nothing is wrong with; documents are numbers, ranks count."""
    tables: Tables = {name: [] for name in COLUMNS}
    queries = [f"q{number}" for number in range(rng.randint(2, 5))]
    for query in queries:
        market, traffic = rng.choice(["de", "us"]), float(rng.randint(0, 4))
        grades = {str(doc): float(rng.choice([0, 1, 2, 3])) for doc in range(1, 8)} | {"1": 3.0}
        tables["asked"].append([query, market, traffic])
        for doc, grade in grades.items():
            tables["judged"].append([query, doc, grade, f"t{int(doc) % 2}", traffic, market, float(doc)])
        for system in ("a", "b"):
            for place, doc in enumerate(rng.sample(sorted(grades), 5), 1):
                score = 9.0 - place
                tables["runs"].append([system, query, doc, score, float(place), market, traffic, market])
                tables["labelled"].append([system, query, doc, score, grades[doc], market, traffic, float(doc)])
            tables["clicks"].append([query, "1"])
        tables["before"] += [[query, str(doc), float(doc)] for doc in range(1, 4)]
    tables["goods"] = [[str(doc), f"c{doc % 3}", 100.0 * doc, [1.0, doc / 9]] for doc in range(1, 9)]
    return tables


def spoil(table: str, column: str, value: Any) -> Callable[[Tables, random.Random], None]:
    """Put a value into one row of a table."""

    def spoiled(tables: Tables, rng: random.Random) -> None:
        row = rng.choice(tables[table] or [[None] * 9])
        row[COLUMNS[table].index(column)] = value

    return spoiled


def every(table: str, column: str, value: Any) -> Callable[[Tables, random.Random], None]:
    """Put a value, or what a function makes of the old one, into every row."""

    def spoiled(tables: Tables, rng: random.Random) -> None:
        place = COLUMNS[table].index(column)
        for row in tables[table]:
            row[place] = value(row[place]) if callable(value) else value

    return spoiled


def copy(table: str, **changed: Any) -> Callable[[Tables, random.Random], None]:
    """Let a row stand twice, the second time with other values."""

    def spoiled(tables: Tables, rng: random.Random) -> None:
        row = list(rng.choice(tables[table] or [[None] * len(COLUMNS[table])]))
        for column, value in changed.items():
            row[COLUMNS[table].index(column)] = value
        tables[table].append(row)

    return spoiled


def empty(table: str) -> Callable[[Tables, random.Random], None]:
    """Leave no row."""
    return lambda tables, _: tables[table].clear()


def drop_query(table: str) -> Callable[[Tables, random.Random], None]:
    """Leave out the rows of one query."""

    def spoiled(tables: Tables, rng: random.Random) -> None:
        place = COLUMNS[table].index("query_id")
        query = rng.choice(tables[table] or [[None] * 9])[place]
        tables[table][:] = [row for row in tables[table] if row[place] != query]

    return spoiled


SEPARATE: dict[str, Any] = {"run": "runs", "qrels": "judged", "columns": {"system": "system"}}
LABELLED: dict[str, Any] = {"run": "labelled", "qrels": None, "columns": {"system": "system"}}
WEIGHTS: list[dict[str, Any]] = [
    {"queries": "asked", "weight": "queries.traffic"},
    {"weight": "run.traffic"},
    {"weight": "qrels.traffic"},
]
Case = tuple[str, Callable[[Tables, random.Random], None], list[str], dict[str, Any]]
CASES: list[Case] = [
    *(("null_id", spoil(table, column, None), ["rr"], {}) for table in ("runs", "judged") for column in
      ("query_id", "doc_id")),
    *(("bad_score", spoil("runs", "score", value), ["rr"], {}) for value in (None, math.nan, math.inf, -math.inf)),
    *(("bad_relevance", spoil("judged", "relevance", value), ["rr"], {}) for value in (None, math.nan, -math.inf)),
    ("bad_relevance", spoil("labelled", "relevance", math.nan), ["rr"], LABELLED),
    ("rank_not_whole", spoil("runs", "place", 1.5), ["rr"], {"order": "rank", "columns": {"system": "system",
     "run.rank": "place"}}),
    ("rank_not_whole", spoil("runs", "place", 0.0), ["rr"], {"order": "rank", "columns": {"system": "system",
     "run.rank": "place"}}),
    ("rank_repeated", every("runs", "place", 1.0), ["rr"], {"order": "rank", "columns": {"system": "system",
     "run.rank": "place"}}),
    ("id_not_a_number", spoil("runs", "doc_id", "07"), ["rr"], {"ties": "number-desc"}),
    ("id_not_a_number", spoil("runs", "doc_id", ""), ["rr"], {"ties": "number-desc"}),
    ("id_not_a_number", spoil("before", "doc_id", "x"), SHOWN, OTHERS | {"ties": "number-desc"}),
    ("run_duplicates", copy("runs", score=0.5), ["rr"], {}),
    ("qrels_duplicates", copy("judged", relevance=2.0), ["rr"], {}),
    ("qrels_duplicates", copy("judged"), ["alpha_dcg@3"], {}),
    ("null_system", spoil("runs", "system", None), ["rr"], SEPARATE),
    ("null_subtopic", spoil("judged", "subtopic", None), ["alpha_dcg@3"], {}),
    *(("bad_item_weight", spoil("judged", "item_weight", value), ["ap(weight=item)"], {}) for value in
      (None, math.nan, math.inf, -1.0, 1e101)),
    ("bad_item_weight", spoil("labelled", "item_weight", None), ["ap(weight=item)"], LABELLED),
    ("zero_item_weight", spoil("judged", "item_weight", 0.0), ["ap(weight=item)"], {}),
    ("zero_item_weight", every("labelled", "item_weight", 0.0), ["ap(weight=item)"], LABELLED),
    ("item_weights_differ", every("labelled", "item_weight", lambda _: random.random() + 1), ["ap(weight=item)"],
     LABELLED),
    ("labels_differ", every("labelled", "relevance", lambda _: random.random()), ["rr(rel=0.1)"], LABELLED),
    ("level_unreached", every("judged", "relevance", lambda old: old / 10), ["ap"], {}),
    ("level_unreached", every("labelled", "relevance", lambda old: old / 10), ["ap"], LABELLED),
    ("grade_above_max", spoil("judged", "relevance", 4.0), ["err(max=3)@3"], {}),
    ("not_a_probability", spoil("judged", "relevance", 4.0), ["err(gain=linear, max=none)@3"],
     {"where": {"qrels": "relevance <= 1 or relevance > 3"}, "query_set": "shared"}),
    ("above_top", spoil("judged", "relevance", 4.0), ["rr"], {"top_relevance": 3}),
    ("above_top", spoil("labelled", "relevance", 4.0), ["rr"], LABELLED | {"top_relevance": 3}),
    ("gain_missing", spoil("judged", "relevance", 4.0), ["ndcg(gain=1:1,2:2,3:3)"], {}),
    ("gain_missing", copy("judged", relevance=4.0), ["ndcg(gain=1:1,2:2,3:3)"], {"judgments": "max"}),
    ("value_not_finite", spoil("judged", "relevance", 2000.0), ["ndcg(gain=exp2)"], {}),
    ("no_shared_query", every("judged", "query_id", lambda old: f"other {old}"), ["rr"], {}),
    ("where_emptied", every("judged", "relevance", lambda old: old), ["rr"], {"where": "query_id <> 'q0'"}),
    ("segment_varies", spoil("runs", "market", "jp"), ["rr"], {"by": "run.market"}),
    ("segment_varies", spoil("runs", "market", None), ["rr"], {"by": "run.market"}),
    ("segment_varies", spoil("judged", "pool", "jp"), ["rr"], {"by": "qrels.pool"}),
    ("segment_varies", spoil("runs", "traffic", 77.0), ["rr"], {"weight": "run.traffic"}),
    ("segment_varies", spoil("labelled", "market", "jp"), ["rr"], LABELLED | {"by": "market"}),
    ("weight_missing", drop_query("asked"), ["rr"], WEIGHTS[0]),
    ("weight_missing", drop_query("asked"), ["rr"], WEIGHTS[0] | {"query_set": "shared"}),
    ("weight_missing", drop_query("asked"), ["rr"], WEIGHTS[0] | {"query_set": "run"}),
    ("weight_missing", drop_query("runs"), ["rr"], WEIGHTS[1]),
    ("weight_missing", drop_query("judged"), ["rr"], WEIGHTS[2] | {"query_set": "run"}),
    *(("weight_missing", every("asked", "traffic", value), ["rr"], WEIGHTS[0]) for value in (-1.0, None)),
    *(("weight_missing", every("runs", "traffic", value), ["rr"], WEIGHTS[1]) for value in (-1.0, None)),
    *(("weight_missing", every("judged", "traffic", value), ["rr"], WEIGHTS[2]) for value in (-1.0, None)),
    ("bad_weight", spoil("asked", "traffic", math.nan), ["rr"], WEIGHTS[0]),
    ("bad_weight", every("runs", "traffic", math.inf), ["rr"], WEIGHTS[1]),
    ("bad_weight", every("judged", "traffic", math.nan), ["rr"], WEIGHTS[2]),
    ("null_id", spoil("asked", "query_id", None), ["rr"], WEIGHTS[0]),
    ("queries_duplicates", copy("asked"), ["rr"], {"queries": "asked", "by": "queries.country"}),
    *(("null_id", spoil(table, "doc_id", None), SHOWN, OTHERS) for table in ("goods", "clicks", "before")),
    ("null_id", spoil("before", "query_id", None), SHOWN, OTHERS),
    ("bad_score", spoil("before", "score", math.nan), SHOWN, OTHERS),
    ("baseline_duplicates", copy("before", score=0.5), SHOWN, OTHERS),
    ("items_duplicates", copy("goods"), SHOWN, OTHERS),
    ("items_duplicates", copy("goods"), ["tbg"], {"items": "goods"}),
    *(("bad_length", spoil("goods", "length", value), ["u_measure"], {"items": "goods"}) for value in (-1.0, math.nan)),
    ("item_lacks", every("goods", "doc_id", lambda old: f"other {old}"), ["tbg"], {"items": "goods"}),
    ("item_lacks", every("goods", "length", None), ["tbg"], {"items": "goods"}),
    ("item_lacks", every("goods", "vector", None), ["ild@3"], {"items": "goods"}),
    *(("bad_vector", spoil("goods", "vector", value), ["ild@3"], {"items": "goods"}) for value in
      ([0.0, 0.0], [1.0, None], [math.nan, 1.0], [])),
    ("vectors_differ", spoil("goods", "vector", [1.0]), ["ild@3"], {"items": "goods"}),
    ("", empty("runs"), ["rr"], {}),
    ("", empty("judged"), ["rr"], {}),
    ("", empty("labelled"), ["rr"], LABELLED),
    *(("", empty(table), SHOWN, OTHERS) for table in ("goods", "clicks", "before")),
    ("", empty("asked"), ["rr"], WEIGHTS[0]),
]  # fmt: skip
"""The check that finds it (or none), what is spoiled, and the request that refuses it."""
ELSEWHERE = {
    **dict.fromkeys(["log_id_missing", "log_mark_not_known", "log_position_not_whole"], "logs"),
    **dict.fromkeys(["log_other_mark_not_known", "log_dwell_not_a_time", "log_page_not_whole"], "logs"),
    **dict.fromkeys(["bad_verdict", "missing_weight", "null_rater", "rater_repeats"], "verdicts"),
    **dict.fromkeys(["ties_found", "tie_cut", "tied_at_cutoff", "nothing_to_find"], "refused in a statement"),
    **dict.fromkeys(
        ["category_missing", "begins_below", "judged_not_returned", "not_relevant", "score_not_positive",
         "tied_numbers", "read_otherwise", "shorter_than_cutoff", "labels_beyond"],
        "an assumption at the head of a statement, as a tool has it"),
    **dict.fromkeys(["rank_does_not_count", "score_counts_ranks"], "files without names, or by path"),
    **dict.fromkeys(["no_id_in_list", "query_in_rows"], "rows of lists as files have them"),
    **dict.fromkeys(["interval_beside", "interval_open"], "intervals of labels, which no statement reads"),
    "cluster_missing": "refused in a statement",
    "no_query_described": "a segment that is (none) in every row, which is seen",
    "no_query_in_both": "comparisons",
    "segment_disagrees": "a segment of both inputs, which a statement cannot look for",
}  # fmt: skip
"""Checks of what no statement reads."""


def refused(tables: dict[str, Any], metrics: list[str], options: dict[str, Any]) -> str | None:
    """The message of an evaluation, or None where it gives numbers."""
    asked = SEPARATE | options
    run, qrels = tables[asked.pop("run")], asked.pop("qrels")
    asked |= {kind: tables[asked[kind]] for kind in ("queries", *OTHERS) if kind in asked}
    try:
        with sqlrank.evaluate(run, None if qrels is None else tables[qrels], metrics, **asked) as result:
            result.rows.fetchall()
    except SqlrankError as error:
        return str(error)
    return None


def found(connection: Any, metrics: list[str], options: dict[str, Any]) -> list[str]:
    """What the statement finds."""
    asked = SEPARATE | options
    run, qrels = asked.pop("run"), asked.pop("qrels")
    return [row[0] for row in connection.sql(sqlrank.sql(run, qrels, metrics, check=True, **asked)).fetchall()]


def opened(tables: Tables, connection: Any) -> dict[str, Any]:
    """The tables in Arrow, which a session reads under their names."""
    made = {}
    for name, rows in tables.items():
        kinds = [KINDS.get(column, pa.string()) for column in COLUMNS[name]]
        columns = [[row[place] for row in rows] for place in range(len(kinds))]
        arrays = [pa.array(column, type=kind) for column, kind in zip(columns, kinds, strict=True)]
        made[name] = pa.table(dict(zip(COLUMNS[name], arrays, strict=True)))
        connection.register(name, made[name])
    return made


def names_of(cases: list[Case]) -> list[str]:
    """A name for each case."""
    return [f"{number}-{name or 'no rows'}" for number, (name, *_) in enumerate(cases)]


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_a_check_finds_what_an_evaluation_refuses(case: Case) -> None:
    name, spoiled, metrics, options = case
    rng = random.Random(7)
    tables = clean(rng)
    with duckdb.connect(config={"threads": 1}) as connection:
        spoiled(tables, rng)
        made = opened(tables, connection)
        findings = found(connection, metrics, options)
    assert refused(made, metrics, options) is not None
    title = every_check()[name].title if name else "there are no rows"
    assert title in findings


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    requests = {
        f"{metrics} {options}": (metrics, options) for name, _, metrics, options in CASES if name != "where_emptied"
    }
    with duckdb.connect(config={"threads": 1}) as connection:
        opened(clean(random.Random(7)), connection)

        def check(request: tuple[list[str], dict[str, Any]]) -> None:
            assert found(connection, *request) == []

        hold(requests, check)


def read(options: dict[str, Any]) -> set[str | None]:
    """The tables that a request reads."""
    asked = SEPARATE | options
    return {asked[kind] for kind in ("run", "qrels", "queries", *OTHERS) if kind in asked}


@pytest.mark.needs("random")
@pytest.mark.parametrize("seed", range(8))
def test_several_faults_at_once_are_found_as_well(seed: int) -> None:
    rng = random.Random(seed)
    differing = []
    with duckdb.connect(config={"threads": 1}) as connection:
        for _ in range(15):
            name, _, metrics, options = rng.choice(CASES)
            tables = clean(rng)
            near = [case for case in CASES if read(case[3]) <= read(options)]
            done = rng.sample(near, rng.randint(0, 2))
            for _, spoiled, _, _ in done:
                spoiled(tables, rng)
            made = opened(tables, connection)
            message, findings = refused(made, metrics, options), found(connection, metrics, options)
            if (message is None) != (not findings):
                differing.append((name, [each for each, *_ in done], metrics, options, message, findings))
    assert differing == []


def test_every_check_is_tried_or_named_with_the_reason() -> None:
    errors = {name: check.template for name, check in every_check().items() if not check.note}
    tried = {name for name, *_ in CASES if name} | set(ELSEWHERE)
    none_lacks(
        (template for name, template in errors.items() if name not in tried),
        "sql/{} is no check that --check is known to make: look for it in sql/findings too, and add a case to"
        " tests/export/test_findings.py; or say in ELSEWHERE there why not",
    )
    none_lacks(tried - set(errors), "tests/export/test_findings.py names {}, which sql/checks has not")
