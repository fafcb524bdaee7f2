"""Every plan gives the ranks that sorting gives, and each is chosen where it should be."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.api import show_sql
from sqlrank.engines import duckdb_settings
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.duckdb_errors import translated
from sqlrank.evaluation import ranking as rank_plans
from sqlrank.evaluation.ranking import Planner
from sqlrank.inputs import check_runner
from tests.support.cases import Table, arrow, assert_same, random_data, rows_of
from tests.support.examples import examples
from tests.support.tables import each, hold

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

ALWAYS = {"RANKINGS_LONGER_THAN_LIMIT": 0.0} | dict.fromkeys(
    ("COMPARISONS_PER_DOCUMENT", "MOST_FOUND", "MOST_IN_BUCKETS", "MOST_JUDGED", "LOOKUPS_PER_DOCUMENT"), float("inf")
)
"""Limits under which a plan is chosen whatever the data."""
PLANS: dict[str, Callable[[Planner], Any]] = {
    "top": Planner.top,
    "count": Planner.count,
    "lists": Planner.lists,
    "buckets": Planner.buckets,
}
SHALLOW = "ndcg@10, ndcg(gain=exp2)@3, ap@5, p@1, p@10, rr@10, recall@7, judged@10, err(max=9)@10, dcg@2, rbp@10"
POSITIVE = "ndcg@10, ndcg(gain=exp2), ap, ap@5, p@10, rr, recall@7, rprec, err(max=9)@10, rbp, num_rel_ret"
FULL = f"{SHALLOW}, ndcg, ap, rr, recall@100, bpref, rprec, rndcg, infap, num_rel_ret, utility, set_p"
RUN, QRELS = random_data(20261121)
assert {-1.0, 0.0} <= {relevance for judged in QRELS.values() for relevance in judged.values()}


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets only one plan be chosen, whatever the data; `sort` where none is named."""

    def choose(plan: str | None, heap: bool = True) -> None:
        for name, value in ALWAYS.items():
            monkeypatch.setattr(rank_plans, name, value)
        monkeypatch.setattr(rank_plans, "LARGEST_HEAP", rank_plans.LARGEST_HEAP if heap else 0)
        monkeypatch.setattr(rank_plans, "PLANS", (PLANS[plan],) if plan else ())
        if plan == "buckets":
            monkeypatch.setattr(rank_plans, "LOOKUPS_PER_DOCUMENT", 0)

    return choose


def assert_plans_sort(only: Callable[..., None], run: Any, qrels: Any = None, **options: Any) -> None:
    """The values, counts and numbers of ties of every plan are those of the plan that sorts everything."""
    for metrics, kinds in PLANS_OF.items():
        only(None)
        with sqlrank.evaluate(run, qrels, metrics, **options) as result:
            assert result.plan.name == "sort"
            texts = [measure.text for measure in result.measures]
            wanted, counts = by_system(result), result.counts
        for kind in kinds:
            choose(only, kind)
            with sqlrank.evaluate(run, qrels, metrics, **options) as result:
                assert result.plan.name == kind.partition(" ")[0]
                for system, found in by_system(result).items():
                    assert_same(found, wanted[system], texts)
                assert result.counts == counts


def choose(only: Callable[..., None], kind: str) -> None:
    """Let only one plan be chosen, of its kinds this one."""
    only(kind.partition(" ")[0], heap=kind != "top by lists")


def by_system(result: sqlrank.Result) -> dict[str, Any]:
    """The values of each system by query."""
    values = result.to_dict()
    return values if len(result.systems) > 1 else {result.systems[0]: values}


DOCUMENTS_OF_FILE = [f"d-{place:02}" for place in range(100)]
PLANS_OF = {SHALLOW: ["top", "top by lists"], POSITIVE: ["count of the relevant"], FULL: ["count", "lists", "buckets"]}
"""Each plan, and each way of it, by metrics that it can do."""
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"order": "asc"},
    {"ties": "doc-asc"},
    {"judgments": "max"},
    {"order": "asc", "ties": "doc-asc", "score_type": "float"},
    {"query_set": "shared", "rel": 2.0},
    {"depth": 4, "query_set": "run", "empty": "skip"},
]


@pytest.mark.needs("random")
@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_plans_give_the_values_of_sorting(only: Callable[..., None], conventions: dict[str, Any]) -> None:
    assert_plans_sort(only, RUN, QRELS, **conventions)


def several_systems() -> Any:
    """A column of two systems, of which one has half of the other's rows."""
    other = {query: dict(list(documents.items())[::2]) for query, documents in list(RUN.items())[10:]}
    rows = [(name, *row) for name, run in (("all", RUN), ("half", other)) for row in rows_of(run)]
    return arrow(rows, "system", "query_id", "doc_id", "score")


def export(*systems: str) -> Any:
    """An export of these systems, with its judgments."""
    rows = [(name, q, d, s, QRELS.get(q, {}).get(d)) for name in systems for q, d, s in rows_of(RUN)]
    return arrow(rows, "system", "query_id", "doc_id", "score", "relevance")


def text_in_segments() -> str:
    """A text file whose queries are in one of three parts."""
    lines = [f"{q},{d},{s!r},s{hash_of(q)}" for q, d, s in rows_of(RUN) if "," not in q + d and '"' not in q + d]
    Path("run.csv").write_text("\n".join(["query_id,doc_id,score,part", *lines]), encoding="utf-8")
    return "run.csv"


INPUTS: dict[str, Callable[[], tuple[Any, Any, dict[str, Any]]]] = {
    "several systems": lambda: (several_systems(), QRELS, {}),
    "an export": lambda: (export("a"), None, {}),
    "an export of several systems": lambda: (export("a", "b"), None, {}),
    "loaded text, filtered and in segments": lambda: (
        text_in_segments(),
        QRELS,
        {"by": "part", "where": "part <> 's1'", "query_set": "shared"},
    ),
}


@pytest.mark.parametrize("inputs", INPUTS)
def test_plans_give_the_values_of_sorting_for_every_input(only: Callable[..., None], inputs: str) -> None:
    run, qrels, options = INPUTS[inputs]()
    assert_plans_sort(only, run, qrels, **options)


def lie(path: Path, column: int, said: tuple[float | str, float | str]) -> None:
    """Let the footer of a Parquet file say other bounds of a column than it has."""
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    body, tail = whole[:footer], whole[footer:]
    true = bounds_of(path, column)
    for low, high in true:
        tail = tail.replace(as_stated(low), as_stated(said[0])).replace(as_stated(high), as_stated(said[1]))
    path.write_bytes(body + tail)
    assert not true & bounds_of(path, column)


def bounds_of(path: Path, column: int) -> set[tuple[Any, Any]]:
    """What the footer of a Parquet file says of a column, in each of its row groups."""
    metadata = parquet.read_metadata(path)
    found = [metadata.row_group(group).column(column).statistics for group in range(metadata.num_row_groups)]
    return {(one.min, one.max) for one in found}


def as_stated(bound: float | str) -> bytes:
    """A bound as the statistics of a column have it."""
    return struct.pack("<d", bound) if isinstance(bound, float) else bound.encode()


@pytest.mark.needs("random")
@pytest.mark.parametrize(
    ("order", "checks", "said"),
    [
        (order, checks, said)
        for place, said in enumerate([(-3.0, -2.0), (2e6, 3e6), (0.5, 0.5)])
        for order, checks in zip(["desc", "asc"], [place != 1, place == 1], strict=True)
    ],
)
def test_plans_believe_nothing_that_a_footer_says_of_ids_scores_and_relevance(
    only: Callable[..., None], tmp_path: Path, said: tuple[float, float], order: str, checks: bool
) -> None:
    queries = ("query-a", "query-b")
    run = [(q, d, 10.125 + (place * 37 % 101) / 3) for q in queries for place, d in enumerate(DOCUMENTS_OF_FILE)]
    judged = [(q, d, 1.25 if place % 7 else 2.75) for q in queries for place, d in enumerate(DOCUMENTS_OF_FILE[::5])]
    written = {"run": (run, "score"), "qrels": (judged, "relevance")}
    for name, (rows, value) in written.items():
        parquet.write_table(arrow(rows, "query_id", "doc_id", value), f"{name}.parquet", row_group_size=40)
    only(None)
    with sqlrank.evaluate("run.parquet", "qrels.parquet", POSITIVE, order=order) as result:
        wanted = result.to_dict()
    below = said[0] < 0
    for name in written:
        lie(tmp_path / f"{name}.parquet", 0, ("aaaaa-a", "bbbbb-b") if below else ("yyyyy-y", "zzzzz-z"))
        lie(tmp_path / f"{name}.parquet", 1, ("A--0", "B--0") if below else ("y--0", "z--0"))
        lie(tmp_path / f"{name}.parquet", 2, said)

    for kind in (kind for kinds in PLANS_OF.values() for kind in kinds):
        choose(only, kind)
        with sqlrank.evaluate("run.parquet", "qrels.parquet", POSITIVE, order=order, checks=checks) as result:
            assert_same(result.to_dict(), wanted, [measure.text for measure in result.measures])


def test_plans_give_the_values_of_sorting_where_a_part_has_no_query_that_was_judged(
    monkeypatch: pytest.MonkeyPatch, only: Callable[..., None]
) -> None:
    monkeypatch.setattr(duckdb_settings, "ROWS_AT_ONCE", 100)
    run = {f"q{query}": {f"d{place}": float(place) for place in range(30)} for query in range(8)}

    assert_plans_sort(only, run, {"q1": {"d1": 1.0}})


def hash_of(query: str) -> int:
    """A number from 0 to 2, the same in every process."""
    return sum(query.encode()) % 3


SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.5, 1e300, -1e300, 5e-324, 0.1 + 0.2, 0.3])
DOCUMENTS = st.sampled_from("uvwxyzé9B")
RANKINGS = st.dictionaries(st.sampled_from("abdefghi"), st.dictionaries(DOCUMENTS, SCORES, min_size=1), min_size=5)
JUDGMENTS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.dictionaries(DOCUMENTS, st.sampled_from([0, 1, 2, -1]), min_size=1), min_size=5
)


@pytest.mark.needs("random")
@examples(6)
@given(RANKINGS, JUDGMENTS, st.booleans())
def test_plans_agree_on_whatever_is_tied(run: Table, qrels: Table, ascending: bool) -> None:
    run, qrels = run | {"c": {"u": 1.0}}, qrels | {"c": {"u": 1}}
    order = "asc" if ascending else "desc"
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ALWAYS.items():
            patch.setattr(rank_plans, name, value)
        patch.setattr(rank_plans, "FEW_DOCUMENTS", 0)
        for plan, method in PLANS.items():
            patch.setattr(rank_plans, "PLANS", (method,))
            patch.setattr(rank_plans, "LOOKUPS_PER_DOCUMENT", 0 if plan == "buckets" else float("inf"))
            with sqlrank.evaluate(run, qrels, "ndcg@3, ap@3, p@2", order=order, checks=False) as result:
                found[plan] = (result.to_dict(), result.counts)
                alike = len({score for documents in run.values() for score in documents.values()}) == 1
                assert result.plan.name == ("sort" if alike and plan == "buckets" else plan)
        patch.setattr(rank_plans, "PLANS", ())
        with sqlrank.evaluate(run, qrels, "ndcg@3, ap@3, p@2", order=order, checks=False) as result:
            sorted_values, counts = result.to_dict(), result.counts
    for values, counted in found.values():
        assert_same(values, sorted_values, ["ndcg@3", "ap@3", "p@2"])
        assert counted == counts


def sized(queries: int, documents: int, judged: int) -> tuple[Table, Table]:
    """Rankings of equal length, of whose documents some at random places are judged."""
    generator = random.Random(queries + documents)
    run = {f"q{q}": {f"d{d}": generator.random() for d in range(documents)} for q in range(queries)}
    qrels = {q: dict.fromkeys(generator.sample(sorted(found), judged), 1.0) for q, found in run.items()}
    return run, qrels


PLANNED: list[tuple[str, int, int, str, dict[str, Any]]] = [
    ("top", 100, 2, "ndcg@10", {}),
    ("top", 100, 50, "ndcg@10, p@5", {}),
    ("top", 100, 50, "ndcg@40", {}),
    ("count", 100, 2, "ndcg@10, ap", {}),
    ("count", 100, 2, "ndcg@100", {}),
    ("lists", 100, 20, "ap", {}),
    ("sort", 100, 21, "ap", {}),
    ("buckets", 1200, 110, "ap", {}),
    ("sort", 700, 110, "ap", {}),
    ("count", 15, 5, "ndcg@10", {}),
    ("lists", 40, 8, "ndcg@20", {}),
    ("sort", 300, 250, "ap", {}),
    ("sort", 100, 50, "ap", {"ties": "worst"}),
    ("sort", 100, 50, "p@5", {"unjudged": "remove"}),
    ("sort", 100, 50, "gauc", {}),
]
"""The plan of 20 rankings: how long they are, how much is judged, what is asked."""


@each(PLANNED)
def test_plan_is_chosen_by_what_was_asked_and_found(case: tuple[str, int, int, str, dict[str, Any]]) -> None:
    plan, documents, judged, metrics, options = case
    with sqlrank.evaluate(*sized(20, documents, judged), metrics, **options) as result:
        assert result.plan.name == plan
        assert f"ranked by plan {plan}: {result.plan.reason}" in result.sql.replace("\n-- ", " ")


@each([(2, "count"), (20, "lists"), (21, "sort")])
def test_an_export_of_which_much_is_relevant_is_sorted(case: tuple[int, str]) -> None:
    relevant, plan = case
    run, qrels = sized(20, 100, relevant)
    rows = [(*row, qrels[row[0]].get(row[1], 0.0)) for row in rows_of(run)]

    assert sqlrank.evaluate(arrow(rows, "query_id", "doc_id", "score", "relevance"), metrics="ap").plan.name == plan


@pytest.mark.parametrize(("found", "plan"), [(True, "sort"), (False, "count")])
def test_where_much_is_judged_a_sample_says_whether_it_is_found(
    monkeypatch: pytest.MonkeyPatch, found: bool, plan: str
) -> None:
    monkeypatch.setattr(rank_plans, "SAMPLED_DOCUMENTS", 500)
    run, qrels = sized(20, 100, 50)
    judged = qrels if found else {query: {f"{doc}, elsewhere": 1.0 for doc in each} for query, each in qrels.items()}
    judged["q0"]["d0"] = 1.0
    made: list[str] = []
    monkeypatch.setattr(Planner, "make", noted(made, Planner.make))

    assert sqlrank.evaluate(run, judged, "ap").plan.name == plan
    assert ("hits" in made) is not found


Limits = dict[Any, dict[str, float]]
FEW: Limits = {rank_plans: {"FEW_DOCUMENTS": 2000}}
FEWER: Limits = {rank_plans: {"FEW_DOCUMENTS": 2000, "FEW_WITH_CUTOFFS": 1999}}
HUGE: Limits = {duckdb_settings: {"BYTES_PER_NUMBER": 1e9}}
LONG = "nothing below place 11 matters, and rankings have 100 documents on average"
LIMITS: dict[str, tuple[int, str, Limits, str, str | None]] = {
    "long rankings": (2, "ndcg@10", {}, "top", LONG),
    "few documents": (2, "ndcg@10", FEW, "sort", "the documents are few"),
    "fewer, and a cutoff": (2, "ndcg@10", FEWER, "top", None),
    "fewer, and no cutoff": (2, "ap", FEWER, "sort", None),
    "lists beyond memory": (20, "ap", HUGE, "sort", None),
    "lists beyond memory, and a cutoff": (20, "ndcg@40", HUGE, "sort", None),
}
"""How much is judged, what is asked, and limits; the plan, and its reason where it is compared."""


@pytest.mark.parametrize("case", LIMITS)
def test_plan_is_chosen_by_limits(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged, metrics, limits, name, reason = LIMITS[case]
    for module, values in limits.items():
        for limit, value in values.items():
            monkeypatch.setattr(module, limit, value)

    plan = sqlrank.evaluate(*sized(20, 100, judged), metrics).plan

    assert plan.name == name
    assert reason in (None, plan.reason)


@each(["ndcg@10", "ap"])
def test_documents_of_queries_without_judgments_change_nothing(metrics: str) -> None:
    run, qrels = sized(20, 100, 2)
    few = {query: qrels[query] for query in list(qrels)[:5]}

    result, alone = (sqlrank.evaluate(given, few, metrics) for given in (run, {query: run[query] for query in few}))

    assert "where query_id in (select query_id from judged)" in "".join(result.sources) or metrics == "ap"
    assert_same(result.to_dict(), alone.to_dict(), [metrics])


@pytest.mark.parametrize(
    ("metrics", "at_once", "long"),
    [("ndcg@10", True, False), ("ap", True, True), ("ap", False, False), ("ndcg@10", False, True)],
)
def test_a_document_that_stands_twice_is_found_by_every_plan(
    monkeypatch: pytest.MonkeyPatch, metrics: str, at_once: bool, long: bool
) -> None:
    if not at_once:
        for name in ("BYTES_PER_MARK", "BYTES_PER_LONG_MARK"):
            monkeypatch.setattr(duckdb_settings, name, 2e7)
    if long:
        monkeypatch.setattr(check_runner, "LONG_RANKING", 100)
    run, qrels = sized(20, 100, 2)
    rows = [*rows_of(run), ("q3", max(run["q3"], key=run["q3"].__getitem__), 2.0)]

    with pytest.raises(sqlrank.DataError, match=r"of query 'q3' appears 2 times"):
        sqlrank.evaluate(arrow(rows, "query_id", "doc_id", "score"), qrels, metrics)


@each(
    {
        "documents": ({"q": {"1": 2.0, 1: 1.0}}, {"q": {"1": 1}}),
        "queries": ({"1": {"a": 2.0}, 1: {"a": 1.0}}, {"1": {"a": 1}}),
        "judgments": ({"q": {"1": 2.0}}, {"q": {"1": 1, 1: 0}}),
    }
)
def test_ids_of_dictionaries_with_equal_texts_are_copies(inputs: tuple[Any, Any]) -> None:
    with pytest.raises(sqlrank.DataError, match=r"appears 2 times|is judged more than once"):
        sqlrank.evaluate(*inputs, "ap")


def test_dictionaries_of_texts_are_not_looked_through_for_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(DuckDBEngine, "execute", noted(ran, DuckDBEngine.execute))

    sqlrank.evaluate(*sized(20, 100, 2), "ap").close()
    assert not [sql for sql in ran if "next_mark" in sql]
    run = arrow(rows_of(sized(20, 100, 2)[0]), "query_id", "doc_id", "score")
    sqlrank.evaluate(run, {"q1": {"d1": 1}}, "ap").close()
    assert len([sql for sql in ran if "next_mark" in sql]) == 1


def rounded(row: Any) -> tuple[str, ...]:
    """A row of the summary, its numbers to the digits that are the same in every order of the queries."""
    return tuple(f"{value:.12g}" if isinstance(value, float) else str(value) for value in row)


IN_PARTS: list[dict[str, Any]] = [{}, {"by": "part"}, {"query_set": "run"}, {"query_set": "shared", "empty": "skip"}]


@pytest.mark.needs("random")
@pytest.mark.parametrize(
    ("several", "labelled", "metrics", "options"),
    [
        ((first + second) % 2 == 0, (first + second // 2) % 2 == 0, metrics, options)
        for first, metrics in enumerate([SHALLOW, FULL, "gauc, ndcg@3"])
        for second, options in enumerate(IN_PARTS)
    ],
)
def test_parts_give_the_values_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, metrics: str, options: dict[str, Any], labelled: bool, several: bool
) -> None:
    metrics = metrics.replace(", err(max=9)@10", "")
    rows = [(f"s{hash_of(d) % 2}" if several else "s", q, d, s, QRELS.get(q, {}).get(d)) for q, d, s in rows_of(RUN)]
    names = ("system", "query_id", "doc_id", "score", "relevance", "part")
    run = arrow([(*row, f"p{hash_of(row[1])}") for row in rows], *names)
    inputs = (run, None) if labelled else (run.drop_columns(["relevance"]), QRELS)
    found: list[Any] = []
    for at_once in (10**9, 200):
        monkeypatch.setattr(duckdb_settings, "ROWS_AT_ONCE", at_once)
        with sqlrank.evaluate(inputs[0], inputs[1], metrics, **options) as result:
            texts = [measure.text for measure in result.measures]
            means = sorted(rounded(row) for row in result.rows.fetchall())
            found.append((result.to_dict(), result.counts, means))
            assert (result.plan.part["parts"] > 1) is (at_once == 200)

    (whole, counts, means), (in_parts, counts_in_parts, means_in_parts) = found
    for system in result.systems if len(result.systems) > 1 else [""]:
        assert_same(in_parts[system] if system else in_parts, whole[system] if system else whole, texts)
    assert counts_in_parts == counts
    assert means_in_parts == means


@pytest.mark.parametrize("metrics", ["ndcg@3", "ap, judged@5"])
def test_a_part_without_a_query_changes_nothing(monkeypatch: pytest.MonkeyPatch, metrics: str) -> None:
    run, qrels = sized(2, 100, 2)
    whole = sqlrank.evaluate(run, qrels, metrics)
    monkeypatch.setattr(duckdb_settings, "ROWS_AT_ONCE", 10)

    in_parts = sqlrank.evaluate(run, qrels, metrics)

    assert in_parts.plan.part["parts"] > 10
    assert in_parts.to_dict() == whole.to_dict()
    assert in_parts.counts == whole.counts


SHOWN: dict[str, tuple[str, dict[str, Any]]] = {
    "sort": ("ap", {"judged": 30}),
    "top": ("ndcg@10", {}),
    "count": ("ap", {}),
    "lists": ("ap", {"judged": 20}),
    "buckets": ("ap", {"judged": 20, "lookups": 10}),
    "several systems": ("ndcg@10, ap", {"systems": 2}),
    "an export": ("ap, rr", {"labelled": True}),
    "averaged ties": ("ndcg@10", {"ties": "average"}),
    "other rows": ("sdcg@5, gauc, rndcg, compat", {}),
    "parts": ("ap, ndcg@5", {"rows": 200}),
    "whole systems": ("ap, personalization@3", {}),
}
"""Metrics with what they are asked of, by what is special about it."""


@pytest.mark.needs("random")
@pytest.mark.parametrize("case", SHOWN)
def test_the_statements_that_are_shown_are_those_that_ran(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics, options = SHOWN[case][0], dict(SHOWN[case][1])
    monkeypatch.setattr(duckdb_settings, "ROWS_AT_ONCE", options.pop("rows", 10**9))
    monkeypatch.setattr(rank_plans, "LOOKUPS_PER_DOCUMENT", options.pop("lookups", rank_plans.LOOKUPS_PER_DOCUMENT))
    files = written(tmp_path, options.pop("judged", 2), options.pop("systems", 1), options.pop("labelled", False))
    ran: list[str] = []
    monkeypatch.setattr(DuckDBEngine, "execute", noted(ran, DuckDBEngine.execute))

    with sqlrank.evaluate(files[0], files[1], metrics, **options) as result:
        queries = sorted(result.per_query.fetchall())
        texts = [text for text in result.sql.split(";\n\n") if "from per_query" not in text]
        shown = show_sql(files[0], files[1], metrics, **options)
        whole = [*result.sources, *texts]
    assert all(any(text.strip() in each for each in ran) for text in whole), "to the byte"
    assert all(text.strip() in shown for text in whole)

    with duckdb.connect() as bare:
        statements = duckdb.extract_statements(shown)
        for statement in statements[:-1] if "whole" not in case else statements[:-2]:
            bare.execute(statement)
        found = bare.execute(statements[-1 if "whole" not in case else -2])
        names = [column[0] for column in found.description]
        kept = [place for place, name in enumerate(names) if not name.startswith("sqlrank_")]
        rows = sorted(tuple(row[place] for place in kept) for row in found.fetchall())
    assert [row[:2] for row in rows] == [row[:2] for row in queries]
    assert [value for row in rows for value in row[2:]] == pytest.approx([each for row in queries for each in row[2:]])


def written(folder: Path, judged: int, systems: int, labelled: bool) -> tuple[str | list[str], str | None]:
    """Files of random rankings, with judgments of their own or in an export."""
    run, qrels = sized(20, 100, judged)
    paths = [str(folder / f"run_{number}.parquet") for number in range(systems)]
    for path in paths:
        rows = [(*row, qrels[row[0]].get(row[1])) for row in rows_of(run)]
        names = ("query_id", "doc_id", "score", *(["relevance"] if labelled else []))
        parquet.write_table(arrow([row[: len(names)] for row in rows], *names), path)
    if labelled:
        return paths[0], None
    parquet.write_table(arrow(rows_of(qrels), "query_id", "doc_id", "relevance"), folder / "qrels.parquet")
    return paths if systems > 1 else paths[0], str(folder / "qrels.parquet")


def noted(said: list[str], method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that notes its first argument: the statement that an engine runs, the table that a planner makes."""

    def noting(owner: Any, first: str, *given: Any, **context: Any) -> Any:
        said.append(first)
        return method(owner, first, *given, **context)

    return noting


@each(
    [
        duckdb.OutOfMemoryException("Out of Memory Error: failed to offload data block of size 256.0 KiB."),
        duckdb.IOException('IO Error: Could not write file "/t/duckdb_temp_storage": No space left on device'),
    ]
)
def test_a_full_disk_is_an_error_that_says_so(error: duckdb.Error) -> None:
    found = translated(error)

    assert isinstance(found, sqlrank.ResourceError)
    assert "the disk of the temporary files is full" in str(found)
    assert "temp_dir=" in str(found)


def test_a_copy_in_any_part_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_settings, "ROWS_AT_ONCE", 100)
    run, qrels = sized(20, 100, 2)

    def check(case: tuple[int, str]) -> None:
        place, query = case
        rows = [*rows_of(run), (query, max(run[query], key=run[query].__getitem__), 2e9)]
        with pytest.raises(sqlrank.DataError, match=f"of query '{query}' appears 2 times"):
            sqlrank.evaluate(arrow(rows, "query_id", "doc_id", "score"), qrels, ("ap, ndcg@3", "ndcg@3")[place % 2])

    hold(enumerate(list(run)[::4]), check)


def test_what_looks_across_queries_is_never_done_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_settings, "ROWS_AT_ONCE", 100)
    for metric in ("err@5", "ndcg(ideal=full)@5"):
        assert sqlrank.evaluate(*sized(20, 100, 2), metric).plan.part["parts"] == 1
