"""What holds for every ranking, on rankings that hypothesis makes up."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from sqlrank.metrics.catalogue import NUMBER
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Measure, Metric
from sqlrank.statement.column_checks import without_average
from tests.reference import definitions as reference
from tests.support.cases import BROAD, FLOOR, Table, arrow, rows_of, same, texts
from tests.support.examples import examples
from tests.support.tables import each

pytestmark = [pytest.mark.needs("random"), pytest.mark.usefixtures("plans_whatever_the_size")]

GRADES = [-1.0, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0]
DOCS = ["a", "B", "b", "aa", "é", "文", "🙂", " ", "10", "9"]
BOUNDED = [text for text in texts(BROAD) if sqlrank.METRICS[text.partition("(")[0].partition("@")[0]].range]
CUT = [case.text for case in BROAD if case.k and not case.parameters.get("ideal")]
PERFECT = [
    *("ndcg", "ndcg@3", "ndcg(gain=exp2)@3", "ndcg(discount=letor)", "ndcg(gain=exp2, discount=ln)@1"),
    *("ndcg(discount=none)", "ndcg(ideal=retrieved)", "ap", "ap(norm=min)@3", "ap(norm=retrieved)", "ap(rel=0.5)"),
    *("rprec", "rprec(rel=0.5)", "rr", "rr@1", "success@1", "recall(norm=min)@2", "set_recall", "judged@3"),
    *("rprec(mult=0.2)", "bpref", "bing", "iprec(recall=0.7)", "ap_11pt", "rndcg", "ndcg_rel(gain=exp2)"),
    *("g(gain=0.5:1,1:1,2:2,3:3)", "compat", "q_measure", "q_measure(gain=exp2)@2", "o_measure", "p_measure", "p_plus"),
    *("ncu", "ncu(stops=rank)", "ncu(utility=precision)", "bpref(norm=relevant)", "compat(p=0.5)", "accuracy"),
    *("set_p(norm=min)", "grouped_ap", "gauc", "pairwise_accuracy"),
]
MONOTONE = [
    *("ndcg", "ndcg(gain=exp2)@3", "rndcg", "ndcg_rel", "dcg@4", "ap", "ap@3", "rr", "p@2", "recall@3", "rprec"),
    *("bpref", "bing", "yaap", "iprec(recall=0.5)", "ap_11pt", "f@2", "hits@2", "rbp", "rbp(grade=binary)@3"),
    *("success@1", "err@3", "nerr@3", "sdcg@3", "insq@5", "compat", "nerr8@3", "nerr9@3", "nerr10@9", "nerr11@9"),
    *("inst@9", "inst(t=2)@3", "set_success", "q_measure", "q_measure(beta=3)@3", "o_measure", "pfound", "pfound@3"),
    *("ar", "ar@3", "bpref(norm=relevant)"),
]
"""Metrics that are highest where the more relevant of equal scores come first."""

SOME = [
    *("ndcg", "ndcg(gain=exp2)@3", "ndcg(discount=letor, ideal=retrieved)", "ap(rel=0.5, norm=min)@3", "rr", "rprec"),
    *("p(norm=returned)@2", "judged@3", "num_rel_ret"),
]

modest = examples(2)
"""Few examples of many queries: what an evaluation takes hardly depends on how many there are."""

judgments = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(GRADES), min_size=1, max_size=8)
rankings = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=9)


@st.composite
def evaluations(draw: st.DrawFn) -> tuple[Table, Table]:
    """A run and judgments of a few queries; the first has a document that is found and relevant at every level."""
    pairs = draw(st.lists(st.tuples(rankings, judgments), min_size=12, max_size=30))
    run = {f"q{number}": found for number, (found, _) in enumerate(pairs) if found}
    qrels = {f"q{number}": judged for number, (_, judged) in enumerate(pairs)}
    return {"sure": {"a": 1.0, "b": 1.0}} | run, {"sure": {"a": 3.0, "c": 1.0}} | qrels


def shared_values(run: Any, qrels: Any, asked: list[str], **options: Any) -> dict[str, dict[str, float | None]]:
    """Values by query and metric, in order of query."""
    with sqlrank.evaluate(run, qrels, asked, **options) as result:
        values: dict[str, dict[str, float | None]] = result.to_dict()
    return dict(sorted(values.items()))


def assert_equal(found: dict[str, dict[str, float | None]], wanted: dict[str, dict[str, float | None]]) -> None:
    """Compare all values to 1e-12."""
    assert list(found) == list(wanted)
    for query, values in wanted.items():
        assert values.keys() == found[query].keys()
        assert all(same(found[query][text], value) for text, value in values.items()), query


@modest
@given(
    data=evaluations(),
    ties=st.sampled_from(["doc-desc", "best", "worst"]),
    depth=st.sampled_from([None, 1, 3]),
    unjudged=st.sampled_from(["nonrelevant", "remove"]),
    empty=st.sampled_from(["zero", "one"]),
)
def test_values_lie_within_the_range_of_their_metric(data: tuple[Table, Table], **conventions: Any) -> None:
    with sqlrank.evaluate(*data, BOUNDED, **conventions) as result:
        values, bounds = result.to_dict(), {measure.text: measure.metric.range for measure in result.measures}

    for text, bound in bounds.items():
        assert bound is not None
        low, high = bound
        found = [value[text] for value in values.values() if value[text] is not None]
        assert all(low - 1e-12 <= value <= high + 1e-12 for value in found), text


@modest
@given(st.lists(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0]), min_size=1, max_size=10), min_size=12, max_size=30))
def test_perfect_ranking_scores_one(queries: list[list[float]]) -> None:
    judged = {
        f"q{number}": {f"d{place}": grade for place, grade in enumerate([*grades, 1.0, 0.0])}
        for number, grades in enumerate(queries)
    }

    values = shared_values(judged, judged, PERFECT)

    wrong = {text: value for found in values.values() for text, value in found.items() if not same(value, 1.0)}
    assert not wrong


@modest
@given(evaluations())
def test_best_order_of_ties_is_never_below_another_nor_their_mean_and_worst_never_above(
    data: tuple[Table, Table],
) -> None:
    best, usual, worst = (shared_values(*data, MONOTONE, ties=ties) for ties in ("best", "doc-desc", "worst"))
    linear = [text for text in MONOTONE if parse_measures(text)[0].metric.linear]
    mean = shared_values(*data, linear, ties="average")

    assert len(linear) > 10
    for between in (usual, mean):
        for query, values in between.items():
            for text, middle in values.items():
                low, high = worst[query][text], best[query][text]
                if low is None or middle is None or high is None:
                    assert low is middle is high is None
                else:
                    assert low - 1e-12 <= middle <= high + 1e-12, (query, text)


def test_scaled_rbp_is_within_1_with_every_gain() -> None:
    wanted = {"linear": 0.5 / 3 + 0.25, "exp2": 0.5 / 7 + 0.25, "1:1,3:9": 0.5 / 9 + 0.25}
    asked = [f"rbp(p=0.5, gain={gain})" for gain in wanted]
    with sqlrank.evaluate({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 3}}, asked) as result:
        assert [*result.to_dict()["q"].values()] == pytest.approx([*wanted.values()])


def test_interpolated_precision_of_the_book_is_reached_by_no_smaller_recall() -> None:
    run = {"q": {f"d{place:02}": -float(place) for place in range(1, 11)}}
    wanted = {"round": 1 / 2, "ceil": 3 / 7, "exact": 3 / 7}
    asked = [f"iprec(recall=0.4, rule={rule})" for rule in wanted]
    with sqlrank.evaluate(run, {"q": {"d02": 1, "d05": 1, "d07": 1}}, asked) as result:
        assert [*result.to_dict()["q"].values()] == pytest.approx([*wanted.values()])


def test_every_metric_whose_ties_are_said_to_have_bounds_is_tried() -> None:
    tried = {parse_measures(text)[0].metric for text in MONOTONE}
    said = {
        metric
        for metric in map(sqlrank.METRICS.get, reference.METRICS)
        if metric and "worst" in without_average(metric)
    }
    assert {metric for metric in said if not metric.linear and metric.summary != "none"} <= tried <= said


@modest
@given(data=evaluations(), seed=st.randoms(use_true_random=False))
def test_order_of_the_rows_changes_nothing(data: tuple[Table, Table], seed: Any) -> None:
    run, qrels = map(rows_of, data)
    shuffled_run, shuffled_qrels = seed.sample(run, len(run)), seed.sample(qrels, len(qrels))

    given = arrow(shuffled_run, "query_id", "doc_id", "score"), arrow(shuffled_qrels, "query_id", "doc_id", "relevance")
    assert_equal(shared_values(*given, SOME), shared_values(*data, SOME))


NAMES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6),
    min_size=len(DOCS) + 1,
    max_size=len(DOCS) + 1,
    unique=True,
)


@modest
@given(data=evaluations(), names=NAMES)
def test_ids_are_only_names_whose_bytes_have_an_order(data: tuple[Table, Table], names: list[str]) -> None:
    old = sorted([*DOCS, "c"], key=str.encode)
    renamed = dict(zip(old, sorted(names, key=str.encode), strict=True))
    run, qrels = (
        {f"{names[0]}{query}": {renamed[doc]: value for doc, value in pairs.items()} for query, pairs in table.items()}
        for table in data
    )

    values = shared_values(run, qrels, SOME)

    assert_equal(values, {names[0] + query: found for query, found in shared_values(*data, SOME).items()})


@modest
@given(data=evaluations(), tail=st.integers(1, 8))
def test_unjudged_tail_below_the_cutoff_changes_nothing(data: tuple[Table, Table], tail: int) -> None:
    run, qrels = data
    deepest = max(case.k for case in BROAD if case.k)
    tail_of = {f"tail {place}": -1000.0 - place % 3 for place in range(tail)}
    filled = {
        query: found | {f"filler {place}": -1.0 - place for place in range(deepest - len(found))}
        for query, found in run.items()
    }
    longer = {query: found | tail_of for query, found in filled.items()}

    assert_equal(shared_values(longer, qrels, CUT), shared_values(filled, qrels, CUT))


@modest
@given(evaluations())
def test_metrics_asked_together_have_the_values_they_have_alone(data: tuple[Table, Table]) -> None:
    together = shared_values(*data, SOME)
    for alone in (["ndcg"], ["rr", "judged@3"]):
        found = shared_values(*data, alone)
        assert_equal(found, {query: {text: values[text] for text in alone} for query, values in together.items()})


@modest
@given(data=evaluations(), seed=st.randoms(use_true_random=False), weighted=st.booleans())
def test_geometric_mean_is_that_of_values_of_at_least_the_floor(
    data: tuple[Table, Table], seed: Any, weighted: bool
) -> None:
    run, qrels = data
    geometric = ["ap(mean=geometric)", "bpref(mean=geometric)", "ap(mean=geometric, norm=k)@3"]
    asked = {query: (seed.choice(["de", "fr"]), seed.randint(1, 8) / 4) for query in qrels}
    table = arrow([(query, *values) for query, values in asked.items()], "query_id", "market", "weight")
    weight = "weight" if weighted else None

    with sqlrank.evaluate(run, qrels, geometric, queries=table, by="market", weight=weight, empty="skip") as result:
        values = result.to_dict()
        columns = result.rows.columns
        rows = [dict(zip(columns, row, strict=True)) for row in result.rows.fetchall()]

    assert {row["metric"] for row in rows} == {measure.text for measure in result.measures}
    for row in rows:
        kept = [
            (found[row["metric"]], asked[query][1] if weighted else 1.0)
            for query, found in values.items()
            if row["market"] in (None, asked[query][0]) and found[row["metric"]] is not None
        ]
        assert row["queries"] == len(kept)
        assert [row["stderr"], row["ci_low"], row["ci_high"]] == [None, None, None]
        logs = math.fsum(weight * math.log(max(value or 0.0, FLOOR)) for value, weight in kept)
        wanted = math.exp(logs / math.fsum(weight for _, weight in kept)) if kept else None
        assert same(row["value"], wanted)


def numbers(smallest: float, largest: float) -> st.SearchStrategy[str]:
    """Numbers between these as a person may write them: whole, with a point, with an exponent."""
    whole = st.integers(math.floor(smallest) + 1, math.ceil(largest) - 1).map(str)
    floats = st.floats(smallest, largest, allow_nan=False, exclude_min=True, exclude_max=True).map(repr)
    return whole | floats if largest - smallest > 1 else floats


tables = st.dictionaries(st.integers(-3, 12) | st.sampled_from([0.5, 1.25]), st.integers(0, 40), min_size=1).map(
    lambda pairs: ",".join(f"{relevance}:{gain}" for relevance, gain in pairs.items())
)


NUMBERS = {"rel": (-1000, 1000), "documents": (1, 10**9), "min": (-9, 0), "max": (1, 9), "fp": (-9, 9), "fn": (-9, 9)}


def values_of(metric: Metric, name: str) -> st.SearchStrategy[str]:
    """The ways to write one parameter."""
    words = [word for word in metric.choices.get(name, ()) if word != NUMBER]
    bound = metric.bounds.get(name) or metric.within.get(name) or NUMBERS.get(name, (0, 9))
    ways = [st.sampled_from(words)] if words else []
    if name == "gain":
        ways += [tables, st.sampled_from(["linear_from_2", "exp2_from_.5", "binary_from_3.0"])]
    if name == "recalls":
        ways.append(st.sampled_from(["0.5", "0/.25/1", "0.125/0.250"]))
    if not words or NUMBER in metric.choices[name]:
        ways.append(numbers(bound[0], bound[1] if len(bound) > 1 else 1000))
    return st.one_of(ways)


@st.composite
def metric_texts(draw: st.DrawFn) -> str:
    """The text of any metric of the catalogue with any parameters."""
    metric = sqlrank.METRICS[draw(st.sampled_from(sorted(sqlrank.METRICS)))]
    written = {
        name: draw(values_of(metric, name))
        for name in metric.parameters
        if name in metric.required or draw(st.booleans())
    }
    if ":" in written.get("gain", ""):
        written.pop("max", None)
    if written.get("weight", "none") != "none":
        written = {name: value for name, value in written.items() if name not in metric.weighed_with}
    if "tn" in written:
        written["documents"] = "1000"
    inside = ", ".join(f"{name}={value}" for name, value in written.items())
    takes_k = metric.cutoff == "required" or written.get("ideal") == "full" or written.get("norm") == "k"
    cutoff = metric.cutoff != "none" and (takes_k or draw(st.booleans()))
    return metric.name + (f"({inside})" if inside else "") + (f"@{draw(st.integers(1, 10**6))}" if cutoff else "")


TEXTS = Language(texts=True)


@examples(120)
@given(text=metric_texts(), rel=st.sampled_from([1.0, 2.0, 0.5, 1e-7, 3e20]))
def test_canonical_text_parses_back_to_the_measure(text: str, rel: float) -> None:
    (measure,) = parse_measures(text, Language(rel, texts=True))

    assert parse_measures(measure.text, TEXTS) == (measure,)
    assert parse_measures([measure.text, measure.text.upper()], TEXTS) == (measure,)


@examples(60)
@given(st.sets(metric_texts(), min_size=2, max_size=12))
def test_different_measures_have_different_columns_and_texts(asked: set[str]) -> None:
    measures: set[Measure] = {measure for text in asked for measure in parse_measures(text, TEXTS)}
    for names in ({measure.column for measure in measures}, {measure.text for measure in measures}):
        assert len(names) == len(measures)


@each(
    [
        ("ap(rel=-1)", "ap(rel=1)"),
        ("ap(rel=1e-5)", "ap(rel=1e5)"),
        ("ap(rel=12)", "ap(rel=1.2)"),
        ("ap(rel=2)@10", "ap@10"),
        ("p(norm=returned)@5", "p@5"),
        ("ndcg(gain=0:0,1:1)", "ndcg(gain=0:0,1:11)"),
        ("ndcg(gain=1:0,11:1)", "ndcg(gain=1:0.11,1.1:1)"),
        ("ndcg(gain=-1:1)", "ndcg(gain=1:1)"),
        ("ndcg(gain=exp2, discount=ln)", "ndcg(gain=exp2, discount=none)"),
    ]
)
def test_measures_that_are_nearly_alike_have_different_columns(pair: tuple[str, str]) -> None:
    left, right = parse_measures(pair)
    assert left != right
    assert left.column != right.column
