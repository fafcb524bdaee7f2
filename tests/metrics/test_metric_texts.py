"""Texts that ask for metrics: those of other tools mean what they mean there or are refused, and nothing is misread."""

from __future__ import annotations

from decimal import Decimal
from math import log2
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sqlrank
from sqlrank.metrics.language import Language, asked_levels, parse_measures
from sqlrank.metrics.tools import find_preset
from tests.support.cli_helper import FIXTURES, error_of
from tests.support.examples import examples

RUN = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
QRELS = {"q": {"a": 1, "b": 3, "d": 2, "e": 1}}
NINE = [5, 10, 15, 20, 30, 100, 200, 500, 1000]


def texts(text: str, like: str | None = None, with_texts: bool = False) -> list[str]:
    """The canonical texts of what a text asks for."""
    language = Language(preset=find_preset(like), texts=with_texts)
    return [measure.text for measure in parse_measures(text, language)]


@pytest.mark.parametrize(
    ("like", "text", "meant"),
    [
        (None, "P", [f"p@{k}" for k in NINE]),
        ("trec_eval", "recall", [f"recall@{k}" for k in NINE]),
        ("trec_eval-9", "p", [f"p@{k}" for k in NINE]),
        (None, "success", ["success@1", "success@5", "success@10"]),
        (None, "11pt_avg..25,.5,.75", ["ap_11pt(recalls=0.25/0.5/0.75)"]),
        (None, "11pt_avg.0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1.0", ["ap_11pt"]),
        (None, "rbp.0.8", ["rbp(p=0.8)"]),
        (None, "rbp.p=0.8", ["rbp(p=0.8)"]),
        (None, "rbp_resid.p=0.5", ["rbp_resid(p=0.5, complete=zero)"]),
        (None, "iprec_at_recall..10,.20", ["iprec(recall=0.1)", "iprec(recall=0.2)"]),
        (None, "Rprec_mult.5.0,0.35", ["rprec(mult=5)", "rprec(mult=0.35)"]),
        (None, "ndcg_cut.10,20,23.4", ["ndcg@10", "ndcg@20", "ndcg@23"]),
        (None, "ndcg.1=3,2=9,4=4.5", ["ndcg(gain=1:3,2:9,4:4.5)"]),
        (None, "utility.2,-1,0,0", ["utility(tp=2)"]),
        ("ranx", "ndcg@5-l2", ["ndcg(gain=linear_from_2)@5"]),
        ("ranx", "ndcg_burges@5-l2", ["ndcg(gain=exp2_from_2)@5"]),
        ("ranx", "rbp.80-l2", ["rbp(p=0.8, grade=raw, gain=linear_from_2)"]),
        ("ranx", "map@100-l2", ["ap(rel=2)@100"]),
        ("ranx", "ndcg-l1", ["ndcg"]),
        ("ranx", "recall", ["set_recall"]),
        ("ranx", "recall-l2", None),
        ("ranx", "hit_rate", ["set_success"]),
        ("ranx", "precision", ["set_p"]),
        ("ranx", "f1", ["set_f"]),
        (None, "nDCG(gains={0:0,1:1,2:4})@5", ["ndcg(gain=0:0,1:1,2:4)@5"]),
        (None, "nDCG(gains={0: 0, 1: 1}, judged_only=False)", ["ndcg(gain=0:0,1:1)"]),
        (None, "nDCG(dcg='exp-log2')@5", ["ndcg(gain=exp2)@5"]),
        (None, "ndcg(discount=log2.0)@5", ["ndcg@5"]),
        (None, "ndcg(discount=letor2)@5", ["ndcg(discount=letor)@5"]),
        (None, "dcg(discount=log10)@5", ["dcg(discount=log10)@5"]),
        (None, "dcg(discount=2:0.50,1:1)@5", ["dcg(discount=1:1,2:0.5)@5"]),
        (None, "dcg(discount=1:1,3:0.5)", None),
        (None, "dcg(discount=1:1,2:2)", None),
        (None, "dcg(discount=1:0,2:0)", None),
        (None, "dcg(discount=log1)", None),
        (None, "dcg(discount=letor0.5)", None),
        (None, "dcg(discount=exp)", None),
        (None, "AP(judged_only=True)@10", ["ap@10"]),
        (None, "p(norm=min)@10", ["recall(norm=min)@10"]),
        (None, "precision(rel=2, norm=min)@5", ["recall(rel=2, norm=min)@5"]),
        (None, "p(norm=returned)@10", ["p(norm=returned)@10"]),
        (None, "p(norm=max)@10", None),
        (None, "hit@10", None),
        (None, "NumRet(rel=1)", ["num_rel_ret"]),
        (None, "NumRet(rel=2)", ["num_rel_ret(rel=2)"]),
        (None, "NumRet", ["num_ret"]),
        ("ir_measures", "RBP(rel=2)", ["rbp(p=0.8, grade=binary, rel=2)"]),
        (None, "P(cutoff=20)", ["p@20"]),
        (None, "P(rel=2,cutoff=20)", ["p(rel=2)@20"]),
        (None, "IPrec(recall=0.1)", ["iprec(recall=0.1)"]),
        (None, "SetP(relative=True)", ["set_p(norm=min)"]),
        (None, "\N{GREEK SMALL LETTER ALPHA}_nDCG@5", ["alpha_ndcg@5"]),
    ],
)  # fmt: skip
def test_the_spellings_of_other_tools_mean_what_they_mean_there(
    like: str | None, text: str, meant: list[str] | None
) -> None:
    if meant is None:
        with pytest.raises(sqlrank.UsageError):
            texts(text, like)
    else:
        assert texts(text, like) == meant


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("recall", "set_recall"),
        ("p", "p@10"),
        ("map.5", "trec_eval's map takes no parameter"),
        ("Rprec.2", "trec_eval's Rprec takes no parameter"),
        ("ndcg.10", "trec_eval's ndcg takes gains"),
        ("utility.1,-1", "four parameters"),
        ("11pt_avg..5,.25", "rising order"),
        ("11pt_avg.2", "from 0 to 1"),
        ("success.0", "1 or more"),
        ("p@99999999999999999999", "below a billion"),
        ("runid", "only --format trec"),
        ("relstring.300", "only --format trec"),
        ("ap(rel=1_0)", "must be a number"),
        ("ndcg(gain=linear_from_0)", "above 0"),
        ("ndcg(gain=0:0,1:1)@5-l2", "both by"),
        ("rr-l2@5", "there is no metric"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_the_reason(text: str, fragment: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=fragment):
        texts(text)


@pytest.mark.parametrize(
    "text",
    [
        "ap(rel=1,rel=2)",
        "ap(rel=1,rel=1)",
        "ap(REL=1, rel=2)",
        "gm_map(mean=arithmetic)",
        "ndcg_burges(gain=linear)@5",
        "nDCG(dcg='log2', gain=exp2)@5",
        "nDCG(gains={1:1}, gain=exp2)@5",
        "set_relative_p(norm=returned)",
        "SetRelP(relative=False)",
        "set_f(beta=1, beta_squared=4)",
        "set_f(beta_squared=4).2",
        "ap(rel=2)-l3",
        "iprec(recall=0.1)@0.5",
        "rprec(mult=2)@0.5",
        "P(cutoff=5)@10",
        "P(cutoff=5,cutoff=10)",
        "NERR8(max_rel=3, max=2)@5",
        "NumRet(rel=1, rel=2)",
    ],
)
def test_what_is_said_twice_is_refused(text: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=r"twice|both by|is not a metric"):
        texts(text)


@pytest.mark.parametrize("text", ["gm_map(mean=geometric)", "ndcg_burges(gain=exp2)@5", "SetRelP(relative=True)"])
def test_what_a_name_says_already_may_be_repeated(text: str) -> None:
    assert texts(text) == texts(text.partition("(")[0] + ("@5" if "@" in text else ""))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--relevance-map", "a=1,a=2"),
        ("--relevance-map", "a=1, a =1"),
        ("--column", "score=y"),
    ],
)
def test_an_option_that_gives_a_name_two_values_is_refused(option: str, value: str) -> None:
    asked = [FIXTURES / "search" / "keyword.csv", "--qrels", FIXTURES / "search" / "qrels.csv"]
    said = error_of(2, "eval", *asked, "--column", "score=x", option, value)

    assert f"{option}: " in said
    assert "twice" in said


def test_a_level_in_a_metric_of_gains_drops_what_lies_below_from_ranking_and_ideal() -> None:
    result = sqlrank.evaluate(RUN, QRELS, ["ndcg@5-l2", "rbp.80-l2", "dcg-l2"], like="ranx")

    found = 3 / log2(3) + 2 / log2(5)
    assert result["dcg-l2"] == pytest.approx(found)
    assert result["ndcg@5-l2"] == pytest.approx(found / (3 + 2 / log2(3)))
    assert result["rbp.80-l2"] == pytest.approx(0.2 * (3 * 0.8 + 2 * 0.8**3))


def test_judged_only_drops_documents_without_judgment_for_all_metrics_of_a_call() -> None:
    result = sqlrank.evaluate(RUN, QRELS, ["P(judged_only=True)@3", "AP(judged_only=True)"])

    assert result.conventions.unjudged == "remove"
    assert result["p@3"] == result["P(judged_only=True)@3"] == 1.0
    with pytest.raises(sqlrank.UsageError, match="was not evaluated"):
        result["P(judged_only=False)@3"]
    for metrics, options in [
        (["P(judged_only=True)@3", "ap"], {}),
        (["P(judged_only=True)@3"], {"unjudged": "nonrelevant"}),
        (["P(judged_only=False)@3"], {"unjudged": "remove"}),
    ]:
        with pytest.raises(sqlrank.UsageError, match="judged_only"):
            sqlrank.evaluate(RUN, QRELS, metrics, **options)  # type: ignore[arg-type]


def test_levels_that_texts_name_are_told_from_the_default() -> None:
    assert asked_levels(["ap(rel=3)", "p@5", "map-l2", "rr(rel=1)", "ndcg"], Language()) == {3.0, 2.0, 1.0}
    assert asked_levels(["ap", "p@5"], Language(rel=2.0)) == set()


@pytest.mark.parametrize("rel", ["x", "2", None, float("nan"), float("inf"), True, 10**400, [1], {}, b"1", 1j])
def test_a_level_that_is_no_finite_number_is_a_usage_error(rel: Any) -> None:
    with pytest.raises(sqlrank.UsageError, match="finite number"):
        sqlrank.evaluate(RUN, QRELS, "ap", rel=rel)


@pytest.mark.parametrize("rel", [2, 2.0, Decimal(2)])
def test_a_level_is_any_number(rel: Any) -> None:
    assert sqlrank.evaluate(RUN, QRELS, "ap", rel=rel)["ap(rel=2)"] == pytest.approx((1 / 2 + 2 / 4) / 2)


@pytest.mark.parametrize(
    "metrics", [3, [3], [None], ["ap", 3], [["ap"]], b"ap", [b"ap"], {"ap": 1}, object(), 1.5, True, [], ""]
)
def test_metrics_that_are_no_texts_are_a_usage_error(metrics: Any) -> None:
    for call in (
        lambda: sqlrank.evaluate(RUN, QRELS, metrics),
        lambda: sqlrank.Evaluator(QRELS, metrics),
        lambda: sqlrank.sql("r", "j", metrics),
        lambda: sqlrank.compare(None, QRELS, metrics, systems={"a": RUN, "b": RUN}),
    ):
        with pytest.raises(sqlrank.UsageError, match="metric"):
            call()


def test_metrics_may_be_any_collection_of_texts() -> None:
    for metrics in ({"ap"}, ("ap",), iter(["ap"]), dict.fromkeys(["ap"]).keys()):
        assert sqlrank.evaluate(RUN, QRELS, metrics)["ap"] is not None


PARTS = [
    *("ndcg", "ap", "map", "P", "p", "recall", "rbp", "iprec", "set_f", "utility", "11pt_avg", "relstring", "runid"),
    *("rprec_mult", "NumRet", "nDCG", "official", "success", "err", "compat", "ap_11pt", "alpha_ndcg", "hit_rate"),
    *("rel", "gain", "gains", "norm", "p", "k", "cutoff", "recalls", "beta", "judged_only", "true", "exp2", "min"),
    *("(", ")", "@", "=", ",", ".", "_", "-", "-l", ":", "{", "}", "/", "'", '"', " ", "\t", "\n", "*", "\\", "%"),
    *("0", "1", "2", "10", "0.5", ".5", "1e3", "1e400", "nan", "inf", "-1", "99999999999999999999", "0" * 5000),
    *(
        "²",
        "\u0661",
        "\u00e9",
        "\N{GREEK SMALL LETTER ALPHA}",
        "\u0130",
        "\ud800",
        "\x00",
        "\U0001f600",
        "\u017f",
        "\u212a",
    ),
    *("linear_from_", "_from_", "1=3", "0:0,1:1", "p=0.5", "..25"),
]
TEXT = st.lists(st.sampled_from(PARTS), max_size=9).map("".join) | st.text(max_size=12)


@pytest.mark.needs("random")
@examples(400)
@given(text=TEXT, like=st.sampled_from([None, "trec_eval", "ranx", "ir_measures"]), with_texts=st.booleans())
@example(text="p@²", like=None, with_texts=False)
@example(text="p@" + "9" * 5000, like=None, with_texts=False)
@example(text="ap(rel=\u0661)", like=None, with_texts=False)
def test_any_text_is_refused_or_is_measures_that_parse_back(text: str, like: str | None, with_texts: bool) -> None:
    language = Language(preset=find_preset(like), texts=with_texts)
    try:
        measures = parse_measures(text, language)
    except sqlrank.UsageError:
        return
    for measure in measures:
        assert parse_measures(measure.text, Language(texts=True)) == (measure,)


@pytest.mark.parametrize(
    ("texts", "options", "columns"),
    [
        (["map", "ndcg_cut_10", "recip_rank"], {}, {"map": "ap", "ndcg_cut_10": "ndcg_at_10", "recip_rank": "rr"}),
        (["nDCG@20", "AP(rel=2)@100"], {}, {"nDCG@20": "ndcg_at_20", "AP(rel=2)@100": "ap_rel2_at_100"}),
        ("ndcg@5-l2", {}, {"ndcg@5-l2": "ndcg_gain_linear_from_2_at_5"}),
        (["ap", "p@5"], {"rel": 2}, {"ap": "ap_rel2", "p@5": "p_rel2_at_5"}),
        (["hit_rate@10", "mrr"], {"like": "ranx"}, {"hit_rate@10": "success_at_10", "mrr": "rr"}),
        ("P.5,10", {}, {"p@5": "p_at_5", "p@10": "p_at_10"}),
        (["rr", "auc"], {}, {"rr": "rr"}),
        (None, {}, {"ndcg@10": "ndcg_at_10", "ap": "ap", "rr": "rr", "p@10": "p_at_10", "recall@100": "recall_at_100"}),
    ],
)
def test_a_metric_that_is_asked_for_names_its_column(texts: Any, options: Any, columns: dict[str, str]) -> None:
    assert sqlrank.columns_of(texts, **options) == columns


def test_a_result_names_the_columns_of_what_was_asked_for() -> None:
    result = sqlrank.evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}}, ["map", "ndcg@1,2"])

    assert result.columns == {"map": "ap", "ndcg@1": "ndcg_at_1", "ndcg@2": "ndcg_at_2"}
    assert result.per_query.columns == ["system", "query_id", *result.columns.values()]


@pytest.mark.parametrize(("texts", "options"), [("nope", {}), ("ap", {"nope": 1}), ("ap", {"like": "nope"})])
def test_columns_of_what_is_not_known_are_refused(texts: str, options: Any) -> None:
    with pytest.raises(sqlrank.UsageError, match="nope"):
        sqlrank.columns_of(texts, **options)


@pytest.mark.parametrize(
    ("text", "like", "told"), [("accuracy@2", None, 1), ("accuracy", None, 0), ("accuracy@2", "ir_measures", 0)]
)
def test_a_name_that_another_tool_has_for_another_metric_is_told(text: str, like: str | None, told: int) -> None:
    with sqlrank.evaluate(RUN, QRELS, text, like=like) as found:
        assert [note.partition(",")[0] for note in found.notes] == [
            "accuracy@2 is not the share of queries with a relevant document"
        ] * told
    assert "success@10" in error_of(2, "eval", FIXTURES / "search/keyword.parquet", "-m", "hr@10")
