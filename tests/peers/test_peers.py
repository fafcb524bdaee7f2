"""Query by query against pytrec_eval, ir_measures and scikit-learn, through `like`; and every claim of every tool."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from typing import Any

import ir_measures
import numpy as np
import pyarrow.compute as pc
import pytest
import pytrec_eval
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score, roc_auc_score

import sqlrank
from sqlrank.evaluation.request import request_of
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.tools import SCALES, Claim, presets
from tests.support.cases import Table, arrow, rows_of
from tests.support.tables import hold

FLOOR = 0.00001


def peer_data(seed: int, queries: int, grades: list[list[int]], distinct: bool = False) -> tuple[Table, Any]:
    """A run and whole relevances: ties, some only in 32 bits, unjudged documents and missed queries.

    Args:
        seed: of the random numbers.
        queries: how many there are; their ids are numbers.
        grades: the relevances of a query are among one of these.
        distinct: whether every score of a query is another, above 0 and the same in 32 bits.
    """
    rng = random.Random(seed)
    run: Table = {}
    qrels: dict[str, dict[str, int]] = {}
    for number in range(1, queries + 1):
        names = {"".join(rng.choices("09aAzé", k=rng.randint(1, 3))) for _ in range(rng.choice([3, 6, 12, 40]))}
        docs = rng.sample(sorted(names), len(names))
        among = rng.choice(grades)
        if number % 10 != 1:
            judged = rng.sample(docs, rng.randint(1, len(docs)))
            qrels[str(number)] = {doc: rng.choice(among) for doc in judged}
            # pytrec_eval is unreliable where every judgment of a query is negative.
            qrels[str(number)][judged[0]] = max(among)
        if number % 10 != 2:
            found = rng.sample(docs, rng.randint(1, len(docs)))
            spread = rng.choice([0, 2, 5, 400])
            scores = [rng.randint(-spread, spread) / 8 + rng.choice([0, 0, 1e-10]) for _ in found]
            if distinct:
                scores = [place / 8 for place in rng.sample(range(1, 400), len(found))]
            run[str(number)] = dict(zip(found, scores, strict=True))
    return run, qrels


GRADES = [[0, 1], [0, 1, 2, 3], [-2, -1, 0, 1, 2], [0], [1]]
RUN, QRELS = peer_data(1, 120, GRADES)

TREC = {
    "num_ret": "num_ret", "num_rel": "num_rel", "num_rel_ret": "num_rel_ret", "set_map": "set_map", "binG": "binG",
    "num_nonrel_judged_ret": "num_nonrel_judged_ret", "map": "map", "bpref": "bpref", "Rprec": "Rprec", "G": "G",
    "recip_rank": "recip_rank", "11pt_avg": "11pt_avg", "infAP": "infAP", "utility": "utility", "ndcg": "ndcg",
    "ndcg_rel": "ndcg_rel", "Rndcg": "Rndcg", "set_P": "set_P", "set_recall": "set_recall", "set_F": "set_F",
    "set_relative_P": "set_relative_P",
    **{f"iprec_at_recall.{tenth / 10:.2f}": f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)},
    **{f"Rprec_mult.{fifth / 5:.2f}": f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11) if fifth != 5},
    **{f"{name}.{k}": f"{name}_{k}" for name in ("P", "recall", "relative_P") for k in (5, 10, 15, 20, 30, 100, 1000)},
    **{f"{name}.{k}": f"{name}_{k}" for name in ("map_cut", "ndcg_cut") for k in (5, 10, 15, 20, 30, 100, 1000)},
    **{f"success.{k}": f"success_{k}" for k in (1, 5, 10)},
}  # fmt: skip
"""Names of trec_eval and of pytrec_eval's values."""

GEOMETRIC = ["gm_map", "gm_bpref"]
UNSAID = {"num_q", "runid", "relstring"}
"""Measures of pytrec_eval that are no number of a query."""


def close(value: float | None, wanted: float, tolerance: float = 1e-12) -> bool:
    """Whether two values agree, relative to those above 1."""
    return value is not None and math.isclose(value, wanted, rel_tol=tolerance, abs_tol=tolerance)


@pytest.mark.parametrize("level", [1, 2])
def test_pytrec_eval_has_the_same_value_of_every_query_and_the_same_mean(level: int) -> None:
    supported = pytrec_eval.supported_measures
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, supported, relevance_level=level).evaluate(RUN)

    result = sqlrank.evaluate(RUN, QRELS, [*TREC, *GEOMETRIC], like="trec_eval-9", query_set="shared", rel=level)

    values = result.to_dict()
    assert values.keys() == theirs.keys()
    assert len(values) > 80
    for query, found in values.items():
        numbers = list(found.values())
        wrong = [
            f"{name} of {query}: {value} instead of {theirs[query][name]}"
            for name, value in zip(TREC.values(), numbers, strict=False)
            if not close(value, theirs[query][name])
        ]
        wrong += [
            f"{name} of {query}: {value} instead of {theirs[query][name]}"
            for name, value in zip(GEOMETRIC, numbers[len(TREC) :], strict=True)
            if not close(math.log(max(value, FLOOR)), theirs[query][name])
        ]
        assert not wrong
    rows = result.rows.project("value").fetchall()
    for name, (value,) in zip([*TREC.values(), *GEOMETRIC], rows, strict=True):
        wanted = pytrec_eval.compute_aggregated_measure(name, [found[name] for found in theirs.values()])
        assert close(value, wanted), name


def test_pytrec_eval_has_the_same_values_of_relevances_that_are_the_gains() -> None:
    gains = {
        query: {doc: 2**value - 1 if value > 0 else value for doc, value in judgments.items()}
        for query, judgments in QRELS.items()
    }
    asked = {"G": "g(gain=exp2)", "ndcg_rel": "ndcg_rel(gain=exp2)", "Rndcg": "rndcg(gain=exp2)"}
    theirs = pytrec_eval.RelevanceEvaluator(gains, set(asked)).evaluate(RUN)

    values = sqlrank.evaluate(RUN, QRELS, list(asked.values()), like="trec_eval-9", query_set="shared").to_dict()

    for query, found in values.items():
        wanted = [theirs[query][name] for name in asked]
        assert all(close(value, given) for value, given in zip(found.values(), wanted, strict=True)), query


def test_every_measure_of_pytrec_eval_is_compared() -> None:
    named = {re.sub(r"_[\d.]+$", "", name) for name in TREC.values()} | set(GEOMETRIC) | UNSAID
    assert named == {*pytrec_eval.supported_measures}
    preset = presets()["trec_eval-9"]
    asked = sqlrank.evaluate(RUN, QRELS, [*TREC, *GEOMETRIC], like="trec_eval-9").measures
    assert {measure.metric.name for measure in asked} == set(preset.claims) - {"num_q", "relstring"}


IR_MEASURES: dict[str, tuple[float, list[str]]] = {
    "pytrec_eval": (1e-12, [
        "AP", "AP@5", "AP(rel=2)", "P@5", "P(rel=2)@10", "R@5", "R(rel=2)@5", "Rprec", "Rprec(rel=2)", "Bpref", "infAP",
        "Bpref(rel=2)", "IPrec@0.1", "IPrec(rel=2)@0.8", "Success@1", "Success@5", "SetP", "SetP(relative=True)",
        "SetP(rel=2)", "SetR", "SetF", "SetF(beta=2.)", "SetF(beta=0.5)", "SetAP", "NumRet", "NumRet(rel=1)",
        "nDCG", "nDCG@5", "nDCG(dcg='log2')@10", "RR", "RR(rel=2)",
    ]),
    "gdeval": (5.1e-6, ["nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@10", "ERR@1", "ERR@3", "ERR@20"]),
    "msmarco": (1e-12, ["RR@1", "RR@5", "RR(rel=2)@10", "Judged", "Judged@1", "Judged@10"]),
    "cwl": (1e-9, [
        "RBP(rel=1)", "RBP(rel=2)", "RBP(rel=1,p=0.5)", "SDCG(max_rel=3)@1", "SDCG(max_rel=3)@10",
        "SDCG(min_rel=1,max_rel=3)@10", "INST(max_rel=3)", "INST(T=2.,max_rel=3)", "INSQ(max_rel=3)",
        "INSQ(T=2.,min_rel=1,max_rel=3)", "BPM(max_rel=3)@1", "BPM(max_rel=3)@10", "BPM(T=0.5,max_rel=3)@10",
        "NERR8(max_rel=3)@1", "NERR8(max_rel=3)@10", "NERR9(max_rel=3)@10", "NERR9(min_rel=1,max_rel=3)@10",
        "NERR10(max_rel=3)", "NERR10(p=0.5,max_rel=3)", "NERR11(max_rel=3)", "NERR11(T=2.,max_rel=3)",
    ]),
}  # fmt: skip
"""By ranking: how far values may differ, and texts that both read."""


def theirs_of(texts: list[str], run: Any, qrels: Any) -> dict[tuple[str, str], float]:
    """The values of ir_measures by query and text."""
    measures = {ir_measures.parse_measure(text): text for text in texts}
    found = ir_measures.iter_calc(list(measures), qrels, run)
    return {(value.query_id, measures[value.measure]): value.value for value in found}


def apart(texts: list[str], run: Any, qrels: Any) -> dict[tuple[str, str], float]:
    """The same of metrics asked for one by one: of several parameters together, pyndeval's second sees no run."""
    return {key: value for text in texts for key, value in theirs_of([text], run, qrels).items()}


def compare(texts: list[str], run: Table, qrels: Any, theirs: dict[tuple[str, str], float], tolerance: float) -> None:
    """Compare each query and text, and the means."""
    result = sqlrank.evaluate(run, qrels, texts, like="ir_measures")
    values = result.to_dict()
    assert len(theirs) == len(values) * len(texts)
    wrong = [
        f"{text} of {query}: {value} instead of {theirs[query, text]}"
        for query, found in values.items()
        for text, value in zip(texts, found.values(), strict=True)
        if not close(value, theirs[query, text], tolerance)
    ]
    assert not wrong, f"{len(wrong)} values differ, such as {'; '.join(wrong[:5])}"
    for text, (mean,) in zip(texts, result.rows.project("value").fetchall(), strict=True):
        wanted = ir_measures.parse_measure(text).aggregator()
        for query in values:
            wanted.add(theirs[query, text])
        assert close(mean, wanted.result(), tolerance), text


@pytest.mark.parametrize("ranking", IR_MEASURES)
def test_ir_measures_has_the_same_value_of_every_query(ranking: str) -> None:
    tolerance, texts = IR_MEASURES[ranking]
    texts = [text for text in texts if not text.startswith("NumRet")]

    compare(texts, RUN, QRELS, theirs_of(texts, RUN, QRELS), tolerance)


def test_ir_measures_counts_the_same() -> None:
    values = sqlrank.evaluate(RUN, QRELS, ["num_ret", "num_rel_ret"], like="ir_measures").to_dict()

    theirs = theirs_of(["NumRet", "NumRet(rel=1)"], RUN, QRELS)
    for query, found in values.items():
        assert list(found.values()) == [theirs[query, "NumRet"], theirs[query, "NumRet(rel=1)"]]


def test_ir_measures_has_the_same_compatibility_of_scores_without_ties() -> None:
    run, qrels = peer_data(2, 100, GRADES, distinct=True)
    texts = ["Compat", "Compat(p=0.8)", "Compat(normalize=False)"]

    compare(texts, run, qrels, theirs_of(texts, run, qrels), 1e-9)


@pytest.mark.parametrize("text", ["Accuracy", "Accuracy@10", "Accuracy(rel=2)"])
def test_ir_measures_has_the_same_accuracy_where_it_has_one(text: str) -> None:
    run, qrels = peer_data(3, 100, [[0, 1], [0, 1, 2, 3]])
    for scores in run.values():
        # Without a document that is not relevant ir_measures divides by zero.
        scores |= {"not judged first": 99.0, "not judged last": -99.0}
    found = sqlrank.evaluate(run, qrels, text, like="ir_measures").to_dict()

    theirs = theirs_of([text], run, qrels)

    known = {query: value for query, values in found.items() for value in values.values() if value is not None}
    assert known.keys() == {query for query, _ in theirs}
    assert len(known) > 25
    assert all(close(value, theirs[query, text], 1e-9) for query, value in known.items())


DIVERSITY = [
    "alpha_nDCG@1", "alpha_nDCG@5", "alpha_nDCG@20", "alpha_nDCG(alpha=0.)@5", "alpha_nDCG(alpha=0.9)@5", "alpha_DCG@5",
    "alpha_DCG(alpha=0.2)@20", "ERR_IA@5", "ERR_IA@20", "nERR_IA@5", "nERR_IA@20", "NRBP", "NRBP(alpha=0.2,beta=0.8)",
    "nNRBP", "nNRBP(alpha=0.2,beta=0.8)", "AP_IA", "P_IA@5", "P_IA@20", "StRecall@1", "StRecall@5", "StRecall(rel=2)@5",
]  # fmt: skip


def test_ir_measures_has_the_same_diversity() -> None:
    rng = random.Random(4)
    run, qrels = peer_data(5, 150, [[0, 1], [0, 1, 2]])
    rows = [
        (query, doc, topic, relevance if topic == "1" else rng.choice([0, relevance]))
        for query, judged in qrels.items()
        for doc, relevance in judged.items()
        for topic in rng.sample("12345", rng.randint(1, 4))
    ]
    judgments = [ir_measures.Qrel(query, doc, relevance, topic) for query, doc, topic, relevance in rows]
    found = apart(DIVERSITY, run, judgments)
    # Where nothing covers a subtopic, pyndeval's nNRBP alone is not a number.
    assert {text[:5] for (_, text), value in found.items() if math.isnan(value)} == {"nNRBP"}
    theirs = {key: 0.0 if math.isnan(value) else value for key, value in found.items()}

    compare(DIVERSITY, run, arrow(rows, "query_id", "doc_id", "subtopic", "relevance"), theirs, 1e-9)


def test_every_claim_about_ir_measures_is_compared() -> None:
    preset = presets()["ir_measures"]
    asked = [text for _, texts in IR_MEASURES.values() for text in texts if text != "NumRet(rel=1)"]
    asked += [*DIVERSITY, "NumRelRet", "Compat", "Accuracy"]
    compared = {parse_measures(text, Language(preset=preset))[0].metric.name for text in asked}
    assert compared == set(preset.claims)


def labelled(seed: int, grades: list[float], queries: int = 100) -> tuple[Table, Table]:
    """Rankings of judged documents, many of them tied, of two classes at least; one relevant document is missed."""
    rng = random.Random(seed)
    run: Table = {}
    qrels: Table = {}
    for number in range(queries):
        docs = [f"d{place}" for place in range(rng.randint(2, 25))]
        run[f"q{number}"] = {doc: rng.randint(0, rng.choice([1, 3, 9, 90])) / 4 for doc in docs}
        qrels[f"q{number}"] = {doc: rng.choice(grades) for doc in docs} | {"d0": 0, "d1": 1, "missed": 3}
    return run, qrels


def test_sklearn_has_the_same_discounted_gain_of_every_query() -> None:
    run, qrels = labelled(6, [0, 0, 1, 2.5])
    texts = ["ndcg", "ndcg@1", "ndcg@5", "dcg", "dcg@5"]

    values = sqlrank.evaluate(run, qrels, texts, like="sklearn").to_dict()

    for query, found in values.items():
        truth = np.array([[qrels[query][doc] for doc in run[query]]])
        scores = np.array([list(run[query].values())])
        theirs = [ndcg_score(truth, scores, k=k) for k in (None, 1, 5)] + [
            dcg_score(truth, scores, k=k) for k in (None, 5)
        ]
        assert all(close(value, float(wanted)) for value, wanted in zip(found.values(), theirs, strict=True)), query


def test_sklearn_has_the_same_areas_and_grouped_precision() -> None:
    run, qrels = labelled(7, [0, 0, 1])

    result = sqlrank.evaluate(run, qrels, ["gauc", "grouped_ap", "auc"], like="sklearn", rel=1)

    for query, found in result.to_dict().items():
        truth, scores = [qrels[query][doc] for doc in run[query]], list(run[query].values())
        assert close(found["gauc"], float(roc_auc_score(truth, scores))), query
        assert close(found["grouped_ap"], float(average_precision_score(truth, scores))), query
    scores = [score for _, _, score in rows_of(run)]
    truth = [qrels[query][doc] for query, doc, _ in rows_of(run)]
    assert close(result["auc"], float(roc_auc_score(truth, scores)))


SMALL_RUN = arrow(
    [("q", "a", 4.0, 1.0), ("q", "b", 3.0, 2.0), ("q", "c", 2.0, 3.0), ("p", "a", 1.0, 1.0), ("p", "c", 0.5, 2.0)],
    "query_id", "doc_id", "score", "rank",
)  # fmt: skip
SMALL_QRELS = arrow(
    [("q", "b", "1", 1.0), ("q", "c", "2", 2.0), ("q", "a", "1", 0.0), ("p", "c", "1", 1.0), ("p", "a", "1", 0.0)],
    "query_id", "doc_id", "subtopic", "relevance",
)  # fmt: skip
OTHERS: dict[str, Any] = {
    "items": arrow([("a", "x"), ("b", "y"), ("c", "x"), ("z", "x")], "doc_id", "category"),
    "history": arrow([("u", "a"), ("v", "a"), ("v", "b")], "query_id", "doc_id"),
    "baseline_run": {"q": {"b": 1.0}},
}


def small(tool: str, *texts: str) -> sqlrank.Result:
    """Metrics of a tool over a few rows, which are those that the first one may have."""
    only, most = rows_for(tool, texts[0])
    judged = SMALL_QRELS.filter(pc.greater(SMALL_QRELS["relevance"], 0)) if only else SMALL_QRELS
    if most:
        judged = judged.filter(pc.less_equal(judged["relevance"], most))
    return sqlrank.evaluate(SMALL_RUN, judged, texts, like=tool, texts=True, **OTHERS)


def rows_for(tool: str, text: str) -> tuple[bool, float | None]:
    """Whether a metric is of relevant documents alone, and the largest label that it takes."""
    most = [SCALES[claim.labels].most for claim in presets()[tool].claims.get(metric_of(text), ()) if claim.labels]
    return relevant_alone(tool, text), min(filter(None, most), default=None)


def relevant_alone(tool: str, text: str) -> bool:
    """Whether a tool takes every row of the judgments for relevant in a metric."""
    return metric_of(text) in presets()[tool].all_relevant


def metric_of(text: str) -> str:
    """The name of a metric."""
    return re.split(r"[@(]", text)[0]


def forms_of(metric: str, cutoffs: str = "any") -> list[str]:
    """The texts of a metric with and without a cutoff, as far as it takes one."""
    entry = sqlrank.METRICS[metric]
    needed = f"({', '.join(f'{name}=0.5' for name in entry.required)})" if entry.required else ""
    forms = []
    if entry.cutoff != "required" and cutoffs in ("any", "without"):
        forms.append(metric + needed)
    if entry.cutoff != "none" and cutoffs in ("any", "with"):
        forms.append(f"{metric}{needed}@3")
    return forms


def texts_of_claim(tool: str, metric: str, claim: Claim) -> list[str]:
    """The texts by which what a tool has of a metric is asked for."""
    given = ", ".join(f"{name}={value}" for name, value in claim.when.items())
    short = presets()[tool].long_enough.get(metric) == "always"
    texts = [form.replace(metric, f"{metric}({given})") if given else form for form in forms_of(metric, claim.cutoffs)]
    return [text.replace("@3", "@2") if short else text for text in texts]


@pytest.mark.parametrize("tool", presets())
def test_metrics_that_a_tool_is_said_to_have_are_evaluated_with_its_parameters(tool: str) -> None:
    preset, alike = presets()[tool], defaultdict[Any, list[str]](list)

    def check(row: tuple[str, Claim]) -> None:
        metric, claim = row
        assert claim.name
        assert texts_of_claim(tool, metric, claim)
        for text in texts_of_claim(tool, metric, claim):
            request = request_of(text, {"like": tool}, texts=True)
            (measure,) = request.measures
            settled = {**claim.parameters, **claim.when}
            assert measure.metric.name == metric
            assert {name: dict(measure.values)[name] for name in settled} == settled
            wanted = dict(preset.conventions) | dict(preset.rankings.get(claim.ranking, {}))
            assert {name: getattr(request.conventions, name) for name in wanted} == wanted
            alike[request.conventions, rows_for(tool, text)].append(text)

    hold([(metric, claim) for metric, claims in preset.claims.items() for claim in claims], check)
    for texts in alike.values():
        with small(tool, *texts) as result:
            asked = [measure.text for measure in result.measures if measure.metric.name != "relstring"]
            assert [text for text in asked if result[text] is None] == []


@pytest.mark.parametrize("tool", presets())
def test_every_other_metric_is_refused_with_the_reason(tool: str) -> None:
    preset = presets()[tool]
    for metric in sqlrank.METRICS:
        claimed = {claim.cutoffs for claim in preset.claims.get(metric, ())}
        reason = preset.refusal(metric) or f"it has no {metric}"
        for form in forms_of(metric):
            if not {"any", "with" if "@" in form else "without"} & claimed:
                with pytest.raises(sqlrank.UsageError, match=re.escape(reason)) as caught:
                    small(tool, form)
                assert preset.title in str(caught.value)


def test_the_serendipity_of_rectools_is_refused_as_the_other_metric_that_it_is() -> None:
    with pytest.raises(sqlrank.UsageError, match=r"its Serendipity is .* than it ranks by popularity, not how far"):
        small("rectools", "serendipity@3")


@pytest.mark.parametrize("tool", presets())
def test_every_refusal_is_met(tool: str) -> None:
    preset = presets()[tool]
    for metric in preset.refused:
        claimed = {claim.cutoffs for claim in preset.claims.get(metric, ())}
        assert "any" not in claimed
        assert [form for form in forms_of(metric) if ("with" if "@" in form else "without") not in claimed], metric


def test_claims_and_refusals_name_metrics_of_the_catalogue_and_their_parameters() -> None:
    for preset in presets().values():
        assert {*preset.claims, *preset.refused, *preset.positive} <= set(sqlrank.METRICS)
        for metric, claims in preset.claims.items():
            for claim in claims:
                assert {*claim.parameters, *claim.when} <= set(sqlrank.METRICS[metric].parameters)
                assert claim.ranking in {"", *preset.rankings}
                assert bool(claim.ranking) is bool(preset.rankings)
