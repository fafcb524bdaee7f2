"""Requests to the dbt package: what it must write as `sqlrank sql` does, and what it must refuse."""

from __future__ import annotations

import difflib
from typing import Any

from sqlrank.evaluation.request import request_of
from sqlrank.export.statement import relation_sql
from sqlrank.export.statement_form import Form
from sqlrank.metrics.language import parse_measures
from tests.statements import REQUESTS, SEPARATE
from tests.support.cases import BROAD, texts

LABELLED = ("exports.shown", None)
SYSTEMS = {"columns": {"system": "variant"}}
OTHERS = {"items": "shop.items", "history": "shop.history", "baseline": "shop.baseline"}
NOVEL = [
    "alpha_ndcg@10",
    "alpha_dcg(alpha=0.3)@5",
    "err_ia@5",
    "nrbp(beta=0.7)",
    "ap_ia",
    "p_ia@5",
    "subtopic_recall@3",
]
SHOWN = ["novelty@5", "popularity(norm=share)@10", "surprisal@5", "unexpectedness@10", "diversity@10", "ndcg@10"]
WHOLE = ["coverage@10", "gini@10", "gini(over=shown)@5", "entropy@10", "personalization@10", "auc"]

MORE: dict[str, tuple[tuple[str, str | None], list[str], dict[str, Any]]] = {
    "defaults": (SEPARATE, [], {}),
    "broad": (SEPARATE, texts(BROAD), {}),
    "names of other tools": (SEPARATE, ["map", "P_5", "ndcg_cut_5,10", "official", "iprec_at_recall", "map@7"], {}),
    "parameters of other tools": (SEPARATE, ["setf(beta=4)", "ndcg(dcg='exp-log2')@10", "IPrec@0.1"], {}),
    "without cutoffs": (SEPARATE, ["f1", "precision", "f1@5"], {}),
    "prices": (SEPARATE, ["utility(tn=1, documents=50)", "utility(fp=-0.25)"], {}),
    "averaged": (SEPARATE, ["ndcg@10", "p@5"], {"ties": "average"}),
    "single precision": (LABELLED, ["ap"], {"score_type": "float", "ties": "doc-asc", "query_set": "run"}),
    "ranks": (SEPARATE, ["rr"], {"columns": {"run.rank": "position"}, "ties": "rank"}),
    "project": (("`my-project`.search.runs", "judgments"), ["rr"], {"dialect": "bigquery"}),
    "pairs": (SEPARATE, ["gauc(weight=rows)", "gauc(weight=positives)", "pairwise_accuracy"], {"summary": True}),
    "hits of what is not relevant": (SEPARATE, ["ap(rel=0)"], {}),
    "gain of what is not relevant": (SEPARATE, ["ap", "ndcg(gain=0:1,1:0,2:3)@5"], {}),
    "count of what is not relevant": (SEPARATE, ["num_nonrel_judged_ret", "ap"], {}),
    "groups": (SEPARATE, ["grouped_ap", "gauc"], {"empty": "one"}),
    "labelled systems": (LABELLED, ["ndcg@5", "ap(mean=geometric)"], {**SYSTEMS, "summary": True, "by": "country"}),
    "weights": (SEPARATE, ["ap", "num_rel"], {"summary": True, "weight": "qrels.traffic", "by": ["run.market", "os"]}),
    "novelty": (SEPARATE, NOVEL, {"rel": 2}),
    "novelty of systems": (SEPARATE, NOVEL, {**SYSTEMS, "judgments": "mean", "depth": 20}),
    "recommended": (SEPARATE, SHOWN, OTHERS),
    "compared by rank": (SEPARATE, ["unexpectedness@10"], {"baseline": "b", "columns": {"baseline.rank": "place"}}),
    "whole": (SEPARATE, WHOLE, {**OTHERS, "by": "country"}),
    "brackets in a text": (SEPARATE, ["ap"], {"where": "market = 'a) or (b' and \"odd)name\" = 1"}),
    "condition": (SEPARATE, ["ap"], {"where": "(\"a;b\" = 'it''s; -- (' or market in ('de', 'fr'))"}),
    "computed": (
        SEPARATE,
        ["ap", "num_rel"],
        {"by": ["week=date_trunc('week', day)", "os"], "weight": "clicks * (2 + price)", "where": "run: a = 'qrels: b'"}
        | {"summary": True, "query_set": "shared"},
    ),
    "computed of queries": (
        SEPARATE,
        ["ap", "p@5"],
        {"queries": "asked", "by": "kind=case when words > 3 then 'long' else 'short' end", "query_set": "run"}
        | {"where": {"qrels": "judged_at < '2026-01-01'", "run": "market = 'de'"}, "columns": {"query_id": "a,b"}},
    ),
    "conditions on judgments": (SEPARATE, ["ndcg@10"], {"where": ["qrels: x = 1", "y = 2"], "query_set": "judged"}),
    "a condition on positives": (
        ("runs", None),
        ["rr"],
        {"positives": "bought", "where": "positives: kind = 'buy'"},
    ),
    "shown alone": (SEPARATE, ["gini(over=shown)@5"], {}),
    "whole systems": (SEPARATE, ["coverage@10", "auc(rel=2)"], {"history": "h", **SYSTEMS, "order": "asc", "depth": 5}),
    "quoted": (
        ('"My Lake".Runs."The ""best"" run"', '"the judgments"'),
        ["p@3"],
        {"columns": {"doc_id": 'the "sku"', "score": "order"}},
    ),
    "hostile": (
        ("r", "q"),
        ["ap"],
        {
            "by": ["queries.a'b; --"],
            "queries": "t",
            "columns": {"query_id": "{{ 1/0 }}", "system": "x\ny"},
            "summary": True,
        },
    ),
}  # fmt: skip
BEYOND_DBT = ("shown", "shown_of_systems", "places", "incremental", "findings")
"""Requests of `sqlrank sql` that the package does not know: without judgments at all, and like a tool."""
EVERY = {name: request for name, request in REQUESTS.items() if name not in BEYOND_DBT} | MORE
DIALECTS_OF = {name: options.get("dialect", "duckdb") for name, (_, _, options) in EVERY.items()}
CONVENTIONS: list[dict[str, Any]] = [
    {"ties": "best", "order": "asc"},
    {"ties": "worst", "depth": 3, "unjudged": "remove"},
    {"ties": "doc-asc", "query_set": "shared", "empty": "skip"},
    {"duplicates": "best", "judgments": "mean", "query_set": "run"},
    {"rel": 0.5, "score_type": "float", "where": "market = 'de'"},
    {"ties": "rank", "duplicates": "best", "depth": 7},
    {"order": "rank", "ties": "number-desc"},
]
REFUSED: list[tuple[str, list[str], dict[str, Any]]] = [
    ("ties=input needs a look at the rows", ["ap"], {"ties": "input"}),
    ("ties=error needs a look at the rows", ["ap"], {"ties": "error"}),
    ("depth with ties=average", ["p@5"], {"ties": "average", "depth": 3}),
    ("duplicates=first needs a look", ["ap"], {"duplicates": "first"}),
    ("empty=error needs a look", ["ap"], {"empty": "error"}),
    ("ap: no closed form with ties=average", ["ap"], {"ties": "average"}),
    ("ties=doc is not known \\(one of doc-desc, doc-asc", ["ap"], {"ties": "doc"}),
    ("rel=x, .*give a number", ["ap"], {"rel": "x"}),
    ("depth=0: .*whole number of 1 or more", ["ap"], {"depth": 0}),
    ("order=rank takes places as given", ["ap"], {"order": "rank", "depth": 3}),
    ("there is no option tie \\(one of rel, top_relevance, ties", ["ap"], {"tie": "best"}),
    ("there is no option like", ["ap"], {"like": "ranx"}),
    ('there is no metric "nndcg"', ["nndcg@10"], {}),
    ('"ndcg\\[10\\]": write name', ["ndcg[10]"], {}),
    ("write name", ["rbp.95"], {}),
    ('no parameter "gain" \\(it takes rel, norm, mean\\)', ["ap(gain=exp2)"], {}),
    ("gain=exp3 is not known \\(one of linear, exp2, binary, a table", ["ndcg(gain=exp3)@10"], {}),
    ("in rising order", ["ndcg(gain=1:1,1:2)@10"], {}),
    ("in rising order", ["ndcg(gain=2:1,1:0)@10"], {}),
    ("gain=0:0.50 is not known", ["ndcg(gain=0:0.50)@10"], {}),
    ("rel is given twice", ["ap(rel=1, rel=2)"], {}),
    ("mean is given twice", ["gm_map(mean=arithmetic)"], {}),
    ("recall is given twice", ["iprec(recall=0.1)@0.5"], {}),
    ("gain=linear_from_0 is not known", ["ndcg(gain=linear_from_0)"], {}),
    ('there is no metric "ap-l2"', ["ap-l2"], {}),
    ("in rising order", ["ap_11pt(recalls=0.5/0.25)"], {}),
    ("gain=0:0,1:-1 is not known", ["ndcg(gain=0:0,1:-1)@10"], {}),
    ("rel=high is not known \\(one of a number\\)", ["ap(rel=high)"], {}),
    ("rel=nan is not known", ["ap(rel=nan)"], {}),
    ("write name", ["ap(2)"], {}),
    ("write name", ["ap(rel=2"], {}),
    ("write name", ["ap(rel=1=2)"], {}),
    ("p must be between 0 and 1, not 1.0", ["rbp(p=1)"], {}),
    ("beta_squared=-1 is not known \\(one of a number above 0", ["setf(beta=-1)"], {}),
    ("recall must be from 0 to 1", ["iprec(recall=2)"], {}),
    ("iprec needs the parameter recall", ["iprec"], {}),
    ("min must be below max", ["sdcg(min=3, max=2)@5"], {}),
    ("how many there are", ["utility(tn=1)"], {}),
    ("p needs a cutoff", ["p"], {}),
    ("takes no cutoff", ["set_p@5"], {}),
    ("ideal=full needs a cutoff", ["ndcg(ideal=full)"], {}),
    ("norm=k needs a cutoff", ["ap(norm=k)"], {}),
    ("1 or more, not 0", ["p@0"], {}),
    ('there is no metric "relstring"', ["relstring@5"], {}),
    ("no parameter .judged_only", ["ap(judged_only=true)"], {}),
    ("auc: one value for a system", ["auc"], {}),
    ("novelty@5: history is needed", ["novelty@5"], {}),
    ("diversity@5: items is needed", ["diversity@5"], {}),
    ("by=score: the output has a column", ["ap"], {"by": "score"}),
    ("by=ap: the statement has a column", ["ap"], {"by": "ap"}),
    ("by=A: the output has a column", ["ap"], {"by": ["a", "A"]}),
    ("there is no role title", ["ap"], {"columns": {"title": "x"}}),
    ("there is no role run.title", ["ap"], {"columns": {"run.title": "x"}}),
    ("cannot be the name of a column", ["ap"], {"columns": {"doc_id": ""}}),
    ("no metric was asked for", [""], {}),
    ("where=a\\) or \\(b is not one expression", ["ap"], {"where": "a) or (b", "query_set": "judged"}),
    ("not one expression", ["ap"], {"where": "(a"}),
    ("by=a\\) or \\(b is not one expression", ["ap"], {"by": "x=a) or (b"}),
    ("weight=a\\) \\* \\(b is not one expression", ["ap"], {"weight": "a) * (b"}),
    ("one condition on the run and one on the qrels", ["ap"], {"where": ["a = 1", "run: b = 2"]}),
    ("one condition on the run and one on the qrels", ["ap"], {"where": "items: b = 2"}),
    ("not one expression", ["ap"], {"where": "market = 'de"}),
    ("not one expression", ["ap"], {"where": 'market = "de'}),
    ("not one expression", ["ap"], {"where": "market = 'de' -- all"}),
    ("not one expression", ["ap"], {"where": "market /* and more"}),
    ("not one expression", ["ap"], {"where": "a; b"}),
    ("not one expression", ["ap"], {"where": "a = $$'$$) or (b = $$'$$"}),
    ("not one expression", ["ap"], {"where": "a = '\\' or b = ' or c = '"}),
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
    return macro_of(metrics, options), ({"query_set": "judged"} if "where" in rest else {}) | rest


def expected(name: str, dialect: str) -> str:
    """The statement of a request by sqlrank itself."""
    (run, qrels), metrics, options = EVERY[name]
    return with_system(run, qrels, metrics, **(options | {"dialect": dialect}))


def with_system(
    run: str, qrels: str | None, metrics: list[str], *, dialect: str, summary: bool = False, **options: Any
) -> str:
    """The statement of `sqlrank sql` with a column that names the system, as the models of dbt have it."""
    form = Form(dialect=dialect, summary=summary)
    return relation_sql(run, qrels, request_of(metrics or None, options), form, named=True)


def difference(wanted: str, found: str) -> str:
    """The first lines that differ."""
    lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "sqlrank sql", "dbt", lineterm="", n=1)
    return "\n".join(list(lines)[:12])
