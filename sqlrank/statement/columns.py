"""The columns that metrics may read of the observations.

Where a column depends on a parameter, such as the relevance level, it stands once for each value and is named for it:
`hits`, `hits_rel2`, `gain_exp2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sqlrank.errors import UsageError
from sqlrank.metrics.catalogue import Metric, Value
from sqlrank.metrics.measure import Measure, column_part

RETRIEVED, IDEAL, QUERY, CUMULATED = "retrieved", "ideal", "query", "cumulated"
PLACE, SUBTOPIC, COVER, GROUP, PAIR, SHOWN, AGREED = "place", "subtopic", "cover", "group", "pair", "shown", "agreed"
SHARED = "shared"

RANKED_KINDS = {
    PLACE: "place_rows",
    SUBTOPIC: "subtopic_rows",
    COVER: "cover_rows",
    GROUP: "group_rows",
    PAIR: "pair_rows",
    SHOWN: "shown_rows",
    AGREED: "agreed_rows",
}
"""Kinds of observation that few metrics read, and the step that makes each."""

DEFAULTS: dict[str, Value] = {
    "rel": 1.0,
    "gain": "linear",
    "discount": "log2",
    "ideal": "judged",
    "min": 0.0,
    "max": "data",
    "t": 1.0,
    "alpha": 0.5,
    "p": 0.95,
}
"""The values of parameters for which a column has its plain name."""

BARE = ("gain", "discount", "ideal")
"""Parameters whose values speak for themselves in a column's name."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the observations that metrics may read."""

    depends: tuple[str, ...]
    """The parameters it depends on."""
    rows: tuple[str, ...]
    """The kinds of observation that hold it; it is 0 in the others."""
    text: str
    """What it holds."""
    needs: tuple[str, ...] = ()
    """Columns it is computed from."""
    input: str | None = None
    """The input that it comes from, besides the run and the judgments."""


SCALE = ("min", "max")

LEAST = {"rel": 1e-300, "min": 0.0}
"""Parameters below which a document without judgment is better than one with some."""

COLUMNS = {
    "gain": Column(("gain",), (RETRIEVED,), "gain of a retrieved document"),
    "ideal_gain": Column(("gain", "ideal"), (IDEAL,), "gain at this place of the best ranking"),
    "ideal_step": Column(
        ("gain", "ideal"), (IDEAL,), "1 at the last place of each gain of the best ranking", ("ideal_gain",)
    ),
    "discount": Column(("discount",), (RETRIEVED, IDEAL, PLACE, SUBTOPIC, COVER), "weight of the place"),
    "hit": Column(("rel",), (RETRIEVED,), "1 for a relevant document"),
    "hits": Column(("rel",), (RETRIEVED,), "hits down to this rank", ("hit",)),
    "miss": Column(("rel",), (RETRIEVED,), "1 for a document judged not relevant"),
    "misses": Column(("rel",), (RETRIEVED,), "documents judged not relevant down to this rank", ("miss",)),
    "negatives": Column((), (RETRIEVED,), "documents with a negative judgment down to this rank"),
    "precision_at_hit": Column(("rel",), (RETRIEVED,), "precision at a hit", ("hit", "hits")),
    "reciprocal_rank": Column(("rel",), (RETRIEVED,), "1 / rank at a hit", ("hit",)),
    "judged": Column((), (RETRIEVED,), "1 for a judged document"),
    "relstring_code": Column((), (RETRIEVED,), "its relevance: 1 for 0, 10 for 9, 11 below, 12 above"),
    "unjudged_above": Column((), (RETRIEVED,), "documents without judgment right above"),
    "query_relevant": Column(
        ("rel",), (RETRIEVED,), "the query's relevant documents, beside each document", ("relevant",)
    ),
    "query_nonrelevant": Column(
        ("rel",), (RETRIEVED,), "the query's documents judged not relevant, beside each", ("nonrelevant",)
    ),
    "stop": Column(("max",), (RETRIEVED,), "probability that this document satisfies"),
    "stop_reached": Column(("max",), (RETRIEVED,), "probability that none above satisfied", ("stop",)),
    "gain_so_far": Column(("gain",), (CUMULATED,), "gain down to this place", ("gain",)),
    "ideal_cost_so_far": Column(
        ("gain", "ideal"), (CUMULATED,), "ideal gain down to this place, at least 1 for each", ("ideal_gain",)
    ),
    "dcg_so_far": Column(
        ("gain", "discount"), (CUMULATED,), "discounted gain down to this place", ("gain", "discount")
    ),
    "ideal_dcg_so_far": Column(
        ("gain", "ideal", "discount"),
        (CUMULATED,),
        "discounted ideal gain down to this place",
        ("ideal_gain", "discount"),
    ),
    "every_place": Column((), (PLACE,), "1 for each place down to the cutoff"),
    "place_grade": Column(SCALE, (PLACE,), "relevance at this place between 0 and 1"),
    "reached": Column(SCALE, (PLACE,), "product of 1 - grade over the places above", ("place_grade",)),
    "grade_above": Column(SCALE, (PLACE,), "sum of the grades above this place", ("place_grade",)),
    "inst_view": Column((*SCALE, "t"), (PLACE,), "probability that this place is viewed", ("grade_above",)),
    "relevant": Column(("rel",), (QUERY,), "relevant judged documents of the query"),
    "nonrelevant": Column(("rel",), (QUERY,), "documents of the query judged not relevant"),
    "gainful": Column(("gain",), (QUERY,), "judged documents with a positive gain"),
    "top_relevance": Column((), (QUERY,), "largest relevance of the query"),
    "retrieved": Column((), (QUERY,), "documents returned"),
    "group_relevant": Column(("rel",), (GROUP,), "relevant documents with one score"),
    "group_others": Column(("rel",), (GROUP,), "other documents with one score"),
    "group_precision": Column(
        ("rel",), (GROUP,), "relevant documents with one score, times the precision down to them", ("group_relevant",)
    ),
    "pairs_won": Column(
        ("rel",),
        (GROUP,),
        "pairs whose relevant document scores higher; half of those with one score",
        ("group_relevant", "group_others"),
    ),
    "graded_pairs": Column((), (PAIR,), "pairs of judged documents of different relevance"),
    "graded_pairs_won": Column((), (PAIR,), "those whose more relevant document scores higher; half where equal"),
    "agreement": Column(
        ("p",), (AGREED,), "weight of the depths at which both rankings hold the document", ("gainful",)
    ),
    "agreement_best": Column(("p",), (AGREED,), "the same summed over the ideal ranking with itself", ("agreement",)),
    "agreement_weight": Column(("p",), (AGREED,), "weight of all depths", ("agreement",)),
    "covered": Column(("rel",), (SUBTOPIC,), "1 for a subtopic of a document", input="subtopic"),
    "first_covered": Column(
        ("rel",), (SUBTOPIC,), "1 where a subtopic is seen for the first time", ("covered",), "subtopic"
    ),
    "subtopic_precision": Column(
        ("rel",), (SUBTOPIC,), "precision for the subtopic, over its relevant documents", ("covered",), "subtopic"
    ),
    "novelty": Column(
        ("alpha", "rel"), (SUBTOPIC,), "gain of a subtopic, less where it was seen above", ("covered",), "subtopic"
    ),
    "ideal_novelty": Column(
        ("alpha", "rel"), (COVER,), "gain of this place of the greedy ideal", ("subtopics",), "subtopic"
    ),
    "subtopics": Column(("rel",), (QUERY,), "subtopics with a relevant document", input="subtopic"),
    "shown": Column((), (SHOWN,), "1 for a document returned"),
    "popularity": Column((), (SHOWN,), "rows of the history about the document", input="history"),
    "history_rows": Column((), (SHOWN,), "rows of the history", input="history"),
    "self_information": Column((), (SHOWN,), "-log2 of the share of users who know the document", input="history"),
    "top_information": Column((), (SHOWN,), "log2 of the number of users", input="history"),
    "expected": Column((), (SHOWN,), "place in the baseline run, 0 where it does not stand there", input="baseline"),
    "in_baseline": Column((), (SHOWN,), "1 where the baseline has results for the query", input="baseline"),
    "alike_above": Column((), (SHOWN,), "documents of the same category above", input="category"),
    "categorised": Column((), (SHOWN,), "1 for a document that has a category", input="category"),
    "first_of_category": Column((), (SHOWN,), "1 for the first document of a category", input="category"),
}

PAIR_COLUMNS = {
    "shared": Column((), (SHARED,), "1 for a document that is in both rankings"),
    "moved": Column((), (SHARED,), "by how many places it stands elsewhere than in the baseline"),
    "above": Column((), (SHARED,), "shared documents that the system scores lower"),
    "above_in_baseline": Column((), (SHARED,), "shared documents that the baseline scores lower"),
    "above_in_either": Column((), (SHARED,), "those that the baseline scores lower, or alike and the system lower"),
    "swapped": Column((), (SHARED,), "shared documents that the baseline scores lower and the system higher"),
    "returned": Column((), (QUERY,), "documents of the system"),
    "baseline_returned": Column((), (QUERY,), "documents of the baseline"),
    "last_depth": Column(("k",), (SHARED,), "end of the shorter ranking if both hold it by then, or of the longer"),
    "weight_from_place": Column(("p",), (SHARED,), "sum of p^d / d over its place and the depths d below"),
    "weight_below_end": Column(("p", "k"), (SHARED,), "the same over the depths below the last one"),
}
"""The columns that metrics of two rankings may read: `place` is the depth from which on both hold a document.

Where one depends on `k`, that is the cutoff, 0 for none."""

UNJUDGED = frozenset(("retrieved",))
"""Columns of a query that its ranking alone decides, as it does all of `SHOWN`."""

EMPTY_TEXTS = {
    "relevant": "no judged document is relevant",
    "gainful": "no judged document has a positive gain",
    "subtopics": "no subtopic has a relevant document",
}


def physical(column: str, values: Mapping[str, Value]) -> str:
    """The name under which a column stands for these parameter values."""
    settled = column_values(column, values)
    changed = [(name, value) for name, value in settled.items() if value != DEFAULTS.get(name, 0.0)]
    return "_".join([column] + [("" if name in BARE else name) + column_part(value) for name, value in changed])


def column_values(column: str, values: Mapping[str, Value]) -> dict[str, Value]:
    """The parameters a column depends on, with their defaults where a metric does not have them."""
    return {name: values.get(name, DEFAULTS.get(name, 0.0)) for name in column_of(column).depends}


def column_of(name: str) -> Column:
    """A column of a name, of whichever kind of metric."""
    return COLUMNS.get(name) or PAIR_COLUMNS[name]


def check_average(measures: Iterable[Measure]) -> None:
    """Raise UsageError if the mean of a metric over all orders of ties has no closed form."""
    for measure in measures:
        if not measure.metric.linear:
            instead = without_average(measure.metric, dict(measure.values))
            raise UsageError(f"--ties average: {measure.text} has no closed form; {instead}")


def without_average(metric: Metric, values: Mapping[str, Value] = MappingProxyType({})) -> str:
    """What to do about ties where their mean has no closed form: where more relevant is better, two orders bound it."""
    of_relevances = metric.grain == "query" and not any(COLUMNS[name].input for name in metric.reads)
    rising = values.get("norm") != "retrieved" and ":" not in str(values.get("gain"))
    rising = rising and not any(float(values.get(name, least)) < least for name, least in LEAST.items())
    if of_relevances and metric.monotone and rising:
        return "--ties worst and --ties best give its two bounds"
    return "choose an order of ties"


def reads_judgments(measure: Measure) -> bool:
    """Whether a measure depends on what was judged."""
    known = [COLUMNS[name] for name in measure.metric.reads if name in COLUMNS and name not in UNJUDGED]
    rows = {row for column in known for row in column.rows}
    return bool(rows - {SHOWN} or set(measure.metric.empty) - UNJUDGED) or "relevance" in measure.metric.inputs


def inputs_of(measures: Iterable[Measure]) -> dict[str, str]:
    """The inputs that measures cannot do without, besides run and judgments, each with the texts of those measures."""
    found: dict[str, list[str]] = {}
    for measure in measures:
        columns = (COLUMNS[name].input for name in (*measure.metric.reads, *measure.metric.empty) if name in COLUMNS)
        for name in dict.fromkeys([*measure.metric.inputs, *filter(None, columns)]):
            spared = measure.metric.spares.get(name)
            if spared is None or not spared.items() <= dict(measure.values).items():
                found.setdefault(name, []).append(measure.text)
    return {name: ", ".join(texts) for name, texts in found.items()}
