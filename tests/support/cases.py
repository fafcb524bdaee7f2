"""Random runs and judgments with every awkward case, and the values that the reference gives for them."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import pyarrow as pa
import pytest

import sqlrank
from tests.reference import definitions as reference

Table: TypeAlias = dict[str, dict[str, float]]
Values: TypeAlias = dict[str, dict[str, float | None]]

QUERIES = int(os.environ.get("SQLRANK_QUERIES", "40"))
"""How many queries the random data has."""
TOLERANCE = 1e-12
FLOOR = 0.00001
"""What a query counts at least in a geometric mean."""
LONG = "long/" * 59
ALPHABET = ["0", "9", "A", "Z", "a", "z", "é", "文", "\uffee", "🙂", "'", '"', " "]
GRADES: list[list[float]] = [
    [0, 1],
    [0, 1, 2, 3],
    [-2, -1, 0, 1, 2, 5],
    [-1, 0],
    [0],
    [0, 0, 0, 2],
    [0, 0.25, 0.5, 1.5],
    [0.1, 0.7, 1],
]
TABLE = "-1:0.5,0:0,0.1:0.1,0.25:0,0.5:3,0.7:1,1:1,1.5:2,2:4,3:2.5,5:10"


@dataclass(frozen=True)
class Case:
    """One metric as the product is asked for it and as the reference is."""

    metric: str
    k: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text that asks for it."""
        inside = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return self.metric + (f"({inside})" if inside else "") + (f"@{self.k}" if self.k else "")

    @property
    def arguments(self) -> dict[str, Any]:
        """The parameters as the reference takes them: a gain table as a mapping."""
        gain = self.parameters.get("gain", "")
        if ":" not in gain:
            return dict(self.parameters)
        pairs = (pair.split(":") for pair in gain.split(","))
        return dict(self.parameters) | {"gain": {float(left): float(right) for left, right in pairs}}


def grid(metric: str, cutoffs: Iterable[int | None] = (None,), **choices: Iterable[Any]) -> list[Case]:
    """Every combination of cutoffs and parameter values, None standing for a parameter that is not written."""
    return [
        Case(metric, k, {name: value for name, value in zip(choices, values, strict=True) if value is not None})
        for values in product(*choices.values())
        for k in cutoffs
    ]


CHANCES = "-1:0,0:0,0.1:0.05,0.25:0.1,0.5:0.25,0.7:0,1:0.5,1.5:0.3,2:1,3:0.75,5:1"
GAINS = [None, "exp2", "binary", TABLE]
FROM = ["linear_from_2", "exp2_from_0.5", "binary_from_1"]
DISCOUNTS = [None, "ln", "letor", "reciprocal", "none"]
FURTHER_DISCOUNTS = ["log10", "letor3", "1:1,2:0.6,3:0.5,4:0.5"]
LEVELS = [None, 0, 0.5, 2]
SCALES: dict[str, list[Any]] = {"min": [None, -2, 0.5], "max": [None, 2.5, 7]}
FAMILIES = {
    "gains": [
        *grid("ndcg", [3], gain=GAINS, discount=DISCOUNTS, ideal=[None, "uncut", "retrieved", "full"]),
        *grid("ndcg", [None, 10], gain=GAINS, ideal=[None, "retrieved"]),
        *grid("ndcg", [1, 40], gain=GAINS, ideal=["full"]),
        *grid("dcg", [None, 4], gain=GAINS, discount=DISCOUNTS),
        *grid("dcg", [None, 3, 500], discount=FURTHER_DISCOUNTS),
        *grid("ndcg", [3], gain=["exp2"], discount=FURTHER_DISCOUNTS, ideal=[None, "retrieved", "full"]),
        *grid("rndcg", discount=FURTHER_DISCOUNTS),
        *grid("dcg", [1, 500]),
        *grid("ideal_dcg", [None], gain=GAINS, discount=DISCOUNTS),
        *grid("ideal_dcg", [500, 4], gain=GAINS, ideal=[None, "uncut", "retrieved"]),
        *grid("ideal_dcg", [1, 30], gain=GAINS, ideal=["full"]),
        *grid("ndcg_rel", gain=GAINS, discount=DISCOUNTS),
        *grid("rndcg", gain=GAINS, discount=DISCOUNTS),
        *grid("rndcg", gain=[None, "exp2"], rel=[1, 2, 9]),
        *grid("g", gain=GAINS),
        *grid("rbp", [None, 3], p=[None, 0.5], grade=[None, "raw"]),
        *grid("rbp", [None, 3], gain=GAINS[1:], grade=["raw"]),
        *grid("rbp", gain=["linear_from_2"]),
        *grid("ndcg", [3], gain=FROM, ideal=[None, "retrieved", "full"]),
        *grid("dcg", gain=FROM),
        *grid("rndcg", gain=FROM),
        *grid("compat", p=[None, 0.5], normalize=[None, "no"]),
        *grid("q_measure", [None, 1, 5], gain=GAINS, beta=[None, 0.25]),
        *grid("o_measure", gain=GAINS, beta=[None, 3]),
        *grid("p_measure", gain=GAINS, beta=[None, 3]),
        *grid("p_plus", gain=GAINS, beta=[None, 3]),
        *grid("ncu", gain=GAINS, stops=[None, "rank"], utility=[None, "precision"], beta=[None, 3]),
        *grid("ncu", stops=["rank"], gamma=[0.5]),
        *grid("arp", gain=GAINS, weight=[None, "gain"]),
    ],
    "hits": [
        *grid("ap", [None, 1, 5], rel=LEVELS, norm=[None, "retrieved", "min", "returned"]),
        *grid("ap", [1, 5], rel=[None, 2], norm=["k"], mean=[None, "geometric"]),
        *grid("ap", rel=[0.5], mean=["geometric"]),
        *grid("ap_11pt", rel=LEVELS, rule=[None, "ceil", "exact"], recalls=[None, "0.25/0.5/0.75", "0.33"]),
        *grid("iprec", recall=[0, 0.1, 0.25, 0.7, 1], rel=LEVELS, rule=[None, "ceil", "exact"]),
        *grid("infap", rel=LEVELS),
        *grid("bpref", rel=LEVELS, mean=[None, "geometric"]),
        *grid("bpref", rel=LEVELS, norm=["relevant", "relevant10"]),
        *grid("bing", rel=LEVELS),
        *grid("yaap", rel=LEVELS),
        *grid("rr", [None, 1, 3], rel=LEVELS),
        *grid("accuracy", [None, 2, 6], rel=LEVELS, pairless=[None, "bounds"]),
        *grid("rr_all", [None, 1, 5], rel=LEVELS, norm=[None, "relevant"]),
        *grid("ar", [None, 1, 5], rel=LEVELS),
    ],
    "counts": [
        *grid("p", [1, 5, 100], rel=LEVELS, norm=[None, "returned"]),
        *grid("recall", [1, 5, 100], rel=LEVELS, norm=[None, "min"]),
        *grid("success", [1, 3, 100], rel=LEVELS),
        *grid("set_success", rel=LEVELS),
        *grid("hits", [None, 1, 4, 100], rel=LEVELS),
        *grid("f", [1, 100], rel=LEVELS, beta=[None, 0.5, 2]),
        *grid("set_f", rel=LEVELS, beta=[None, 0.5, 2]),
        *grid("set_p", rel=LEVELS, norm=[None, "min"]),
        *grid("set_ap", rel=LEVELS),
        *grid("set_recall", rel=LEVELS),
        *grid("rprec", rel=LEVELS, mult=[None, 0.2, 1.2, 3]),
        *grid("utility", tp=[None, 2.5], fp=[None, -0.25], fn=[None, -2], rel=[None, 2]),
        *grid("utility", tn=[None, 0.5], documents=[1000], rel=[None, 0.5]),
        *grid("judged", [None, 1, 4, 100]),
        *grid("hole", [1, 4, 100]),
        *grid("unj", [1, 4, 100]),
        *grid("rbp", [None, 3], p=[None, 0.5], grade=["binary"], rel=LEVELS),
        *grid("rbp_resid", p=[None, 0.5], complete=[None, "zero"]),
        *grid("num_rel", rel=LEVELS),
        *grid("num_rel_ret", rel=LEVELS),
        *grid("num_nonrel_judged_ret", rel=LEVELS),
        *grid("num_ret"),
        *grid("num_q"),
    ],
    "places": [
        *grid("err", [1, 3, 100], max=[None, 5, 6.5, "query"]),
        *grid("err", [3], gain=["linear", "binary", TABLE], max=[None, "query"]),
        *grid("err", [3], gain=["binary", CHANCES], max=["none"]),
        *grid("nerr", [1, 3, 100], gain=[None, "linear", "binary"], max=[None, 5, 6.5]),
        *grid("nerr", [3], gain=[TABLE]),
        *grid("nerr", [3], gain=["binary", CHANCES], max=["none"]),
        *grid("pfound", [None, 3], decay=[None, 1, 0.5], **SCALES),
        *grid("nerr8", [1, 7, 100], **SCALES),
        *grid("nerr9", [1, 7, 100], **SCALES),
        *grid("nerr10", [1, 7], p=[None, 0.5], **SCALES),
        *grid("nerr11", [1, 7], t=[None, 2.5], **SCALES),
        *grid("insq", [1, 7], t=[None, 2.5], **SCALES),
        *grid("inst", [1, 7], t=[None, 2.5], **SCALES),
        *grid("sdcg", [1, 7, 100], **SCALES),
        *grid("bpm", [1, 7, 100], t=[None, 0.25, 2.5], **SCALES),
    ],
    "a thousand places": [
        *grid("nerr10", p=[None, 0.999]),
        *grid("nerr11", t=[None, 2.5], max=[7]),
        *grid("insq", t=[None, 2.5], min=[0.5]),
        *grid("inst", t=[None, 2.5]),
    ],
}
"""Every metric with all its parameters; those of a family are asked for in one request."""

CASES = [case for family in FAMILIES.values() for case in family]
BROAD = [
    *grid("ndcg", [None, 3], gain=GAINS),
    *grid("ndcg", [3], gain=["exp2"], discount=["letor"], ideal=["uncut", "retrieved", "full"]),
    *grid("ndcg", [4], discount=["reciprocal", *FURTHER_DISCOUNTS]),
    *grid("dcg", [4], gain=[TABLE], discount=["ln", "none"]),
    *grid("ideal_dcg", [4], gain=["exp2"], ideal=[None, "retrieved"]),
    *grid("ndcg_rel", gain=["exp2"]),
    *grid("rndcg", gain=[TABLE]),
    *grid("q_measure", [None, 4], gain=[None, TABLE]),
    *grid("o_measure", beta=[3]),
    *grid("p_measure", gain=["exp2"]),
    *grid("p_plus"),
    *grid("ncu", stops=[None, "rank"]),
    *grid("arp", gain=[None, "exp2"]),
    *grid("g"),
    *grid("ap", [None, 5], norm=[None, "retrieved", "min"]),
    *grid("ap", rel=[0.5], mean=[None, "geometric"]),
    *grid("ap", [5], norm=["k"]),
    *grid("ap_11pt", rule=["ceil"]),
    *grid("iprec", recall=[0.25], rel=[0.5]),
    *grid("infap"),
    *grid("bpref", rel=[None, 2]),
    *grid("bpref", norm=["relevant"]),
    *grid("rr_all", [None, 4], norm=[None, "relevant"]),
    *grid("ar", [5], rel=[0.5]),
    *grid("bing"),
    *grid("yaap", rel=[2]),
    *grid("p", [5], rel=[2], norm=[None, "returned"]),
    *grid("recall", [5], rel=[0], norm=[None, "min"]),
    *grid("rr", [None, 3]),
    *grid("success", [3], rel=[2]),
    *grid("set_success", rel=[2]),
    *grid("hits", [3], rel=[2]),
    *grid("f", [5], rel=[0.5], beta=[2]),
    *grid("set_f", beta=[None, 0.5]),
    *grid("set_p", norm=[None, "min"]),
    *grid("set_ap"),
    *grid("set_recall", rel=[2]),
    *grid("rprec", rel=[None, 0.5]),
    *grid("rprec", mult=[1.2]),
    *grid("utility", fn=[-2], tn=[0.5], documents=[1000]),
    *grid("judged", [None, 4]),
    *grid("hole", [4]),
    *grid("unj", [4]),
    *grid("rbp", [None, 3], grade=[None, "binary"], rel=[2]),
    *grid("rbp_resid", complete=[None, "zero"]),
    *grid("err", [3], max=[None, "query"]),
    *grid("nerr", [3]),
    *grid("pfound", [None, 4], max=[2]),
    *grid("nerr8", [7]),
    *grid("nerr9", [7], max=[2.5]),
    *grid("nerr10", [20], p=[0.5]),
    *grid("nerr11", [20], t=[2]),
    *grid("insq", [20], min=[-2]),
    *grid("inst", [20], t=[2]),
    *grid("sdcg", [7], max=[7]),
    *grid("bpm", [7], t=[0.25]),
    *grid("accuracy", [None, 6]),
    *grid("compat", normalize=[None, "no"]),
    *grid("num_rel", rel=[None, 2]),
    *grid("num_rel_ret"),
    *grid("num_nonrel_judged_ret"),
    *grid("num_ret"),
    *grid("num_q"),
]
"""Fewer of the same, for the many sets of conventions."""

SOME = BROAD[::3]
"""Fewer still, for the many ways to give rows."""

LINEAR = [case for case in CASES if sqlrank.METRICS[case.metric].linear]
"""Those whose mean over the orders of ties has a closed form."""


def texts(cases: Iterable[Case]) -> list[str]:
    """What to ask for."""
    return [case.text for case in cases]


def random_data(seed: int, queries: int = QUERIES, alphabet: list[str] = ALPHABET) -> tuple[Table, Table]:
    """A run and judgments: ties, ids that differ late or in their case, missed, unjudged and hopeless queries.

    Scores are multiples of 1/8, which 32-bit floats hold exactly; some are a negative zero.
    """
    rng = random.Random(seed)
    run: Table = {}
    qrels: Table = {}
    for number in range(queries):
        query = f"{LONG}q{number}" if number % 8 == 0 else f"q {number} é"
        names = {"".join(rng.choices(alphabet, k=rng.randint(1, 4))) for _ in range(rng.choice([2, 3, 5, 12, 40]))}
        docs = [LONG + name if number % 7 == 0 else name for name in sorted(names)]
        grades = rng.choice(GRADES)
        if number % 10 != 1:
            qrels[query] = {doc: float(rng.choice(grades)) for doc in rng.sample(docs, rng.randint(1, len(docs)))}
        if number % 10 != 2:
            spread = rng.choice([0, 1, 4, 400])
            found = rng.sample(docs, rng.randint(1, len(docs)))
            run[query] = {doc: rng.choice([1, -1]) * (rng.randint(0, spread) / 8) for doc in found}
    return run, qrels


def expected_values(run: Table, qrels: Table, cases: Iterable[Case], **conventions: Any) -> Values:
    """Values by query and text, each ranking being made once."""
    query_set, empty = conventions.pop("query_set", "judged"), conventions.pop("empty", "zero")
    when_empty = {"zero": 0.0, "one": 1.0, "skip": None}[empty]
    calls = calls_of(cases, qrels)
    values: Values = {}
    for query in queries_of(run, qrels, query_set):
        judgments = qrels.get(query, {})
        ranking = reference.rank(run.get(query, {}), judgments, **conventions)
        judged = list(judgments.values())
        values[query] = {text: reference.resolve(call(ranking, judged), when_empty) for text, call in calls.items()}
    return values


def queries_of(run: Mapping[str, Any], qrels: Mapping[str, Any], query_set: str = "judged") -> list[str]:
    """The queries that are evaluated."""
    found = {"judged": qrels, "run": run, "shared": [query for query in qrels if query in run]}[query_set]
    return list(found)


def calls_of(cases: Iterable[Case], qrels: Table) -> dict[str, Callable[..., Any]]:
    """What computes each case from a ranking and all judgments of its query, by text."""
    relevances = [relevance for judgments in qrels.values() for relevance in judgments.values()]
    return {
        case.text: partial(
            reference.METRICS[case.metric],
            k=case.k,
            **reference.with_largest(case.metric, case.arguments, relevances),
        )
        for case in cases
    }


def assert_same(ours: Mapping[str, Any], theirs: Mapping[str, Any], asked: Iterable[str]) -> None:
    """Compare every query and metric, naming the first that differ; `asked` are the texts as they were written."""
    assert ours.keys() == theirs.keys()
    different = []
    for query, wanted in theirs.items():
        found = list(ours[query].values())
        for text, value in zip(asked, found, strict=True):
            if not same(value, wanted[text]):
                different.append(f"{text} of {query[-12:]!r}: {value} instead of {wanted[text]}")
    assert not different, f"{len(different)} values differ, such as {'; '.join(different[:5])}"


def same(value: float | None, wanted: float | None) -> bool:
    """Whether two values agree to 1e-12, relative to those above 1."""
    if value is None or wanted is None:
        return value is wanted
    return math.isclose(value, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def rows_of(table: Table) -> list[tuple[str, str, float]]:
    """The rows of a nested dictionary."""
    return [(query, doc, number) for query, pairs in table.items() for doc, number in pairs.items()]


NUMBERS = (
    *("score", "relevance", "weight", "rank", "position", "clicked", "propensity"),
    *("rank_a", "rank_b", "cart"),
)
"""Columns that hold numbers; all others hold texts."""


def arrow(rows: Iterable[tuple[Any, ...]], *columns: str) -> Any:
    """An Arrow table of these rows."""
    listed = list(rows)
    values = [[row[place] for row in listed] for place in range(len(columns))]
    named = dict(zip(columns, values, strict=True))
    return pa.table({name: pa.array(column, type=kind_of(name, column)) for name, column in named.items()})


def kind_of(name: str, values: Iterable[Any]) -> Any:
    """The type of a column: numbers are doubles, the rest is text."""
    number = name in NUMBERS or any(isinstance(value, float) for value in values)
    return pa.float64() if number else pa.string()


def summary_of(values: Values, text: str, kind: str = "mean") -> tuple[Any, int]:
    """The value of one metric over all queries and the number of queries in it."""
    kept = [value for found in values.values() if (value := found[text]) is not None]
    if not kept:
        return None, 0
    if kind == "geometric":
        return about(math.exp(reference.mean(math.log(max(value, FLOOR)) for value in kept))), len(kept)
    return about(math.fsum(kept) if kind == "sum" else reference.mean(kept)), len(kept)


def about(value: float) -> Any:
    """What equals a value to 1e-12; None for one that is undefined."""
    return None if math.isnan(value) else pytest.approx(value, rel=TOLERANCE, abs=TOLERANCE)
