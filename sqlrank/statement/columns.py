"""The columns that metrics may read of the observations.

Where a column depends on a parameter, such as the relevance level, it stands once for each value and is named for it:
`hits`, `hits_rel2`, `gain_exp2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import ITEM, WITHIN, Measure, Metric, Value, column_part
from sqlrank.sql_files import Entries, read_entry, sql_folder

RETRIEVED, IDEAL, QUERY, CUMULATED = "retrieved", "ideal", "query", "cumulated"
PLACE, SUBTOPIC, COVER, GROUP, PAIR, SHOWN, AGREED = "place", "subtopic", "cover", "group", "pair", "shown", "agreed"
VECTOR, TASTE = "vector", "taste"
SHARED = "shared"

RANKED_KINDS = {
    PLACE: "place_rows",
    SUBTOPIC: "subtopic_rows",
    COVER: "cover_rows",
    GROUP: "group_rows",
    PAIR: "pair_rows",
    SHOWN: "shown_rows",
    AGREED: "agreed_rows",
    VECTOR: "vector_rows",
    TASTE: "taste_rows",
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
    "tail": 0.1,
    "unit": 1.0,
    "k": 0,
    "weight": "none",
}
"""The values of parameters for which a column has its plain name."""

BARE = ("gain", "discount", "ideal")
"""Parameters whose values speak for themselves in a column's name."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the observations that metrics may read."""

    depends: tuple[str, ...] = ()
    """The parameters it depends on; `k` is the cutoff, 0 for none."""
    rows: tuple[str, ...] = ()
    """The kinds of observation that hold it."""
    text: str = ""
    """What it holds."""
    needs: tuple[str, ...] = ()
    """Columns it is computed from."""
    needs_with: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Further ones, each with the words of the parameters with which alone it is needed."""
    unless_listed: tuple[str, ...] = ()
    """Further ones, but where the engine makes its total of a list."""
    input: str | None = None
    """The input that it comes from, besides the run and the judgments."""
    step: str | None = None
    """The step of the statement that makes it; None where it is written out wherever it is read."""
    tells_judged: bool = False
    """Whether it tells a document that was judged from one that was not."""
    judged: bool = False
    """Whether the judgment of a document decides it, though rows of documents shown hold it."""
    positive_only: bool = False
    """Whether it is 0, or read only next to one that is, where the relevance of a document found is not positive."""


def read_column(path: Path) -> Column:
    """The column in one file of sql/columns."""
    entry: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in read_entry(path).items()
    }
    return Column(**entry)


COLUMNS = Entries(sorted((sql_folder() / "columns").glob("*.sql")), read_column)
"""The columns by name: each is one file of sql/columns, with its entry in the header comment.

Below it stands what it holds in a row, `when` under which condition and `then` what, or the expression alone.
"""

COUNTS = Entries(sorted((sql_folder() / "columns" / "counts").glob("*.sql")), read_column)
"""Those that no metric reads: what the counts next to them need."""

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
    "weight_above_place": Column(("p",), (SHARED,), "sum of p^d / d over the depths d above its place"),
    "share_above_place": Column((), (SHARED,), "sum of 1 / d over the depths d above its place"),
}
"""The columns that metrics of two rankings may read: `place` is the depth from which on both hold a document.

Where one depends on `k`, that is the cutoff, 0 for none."""

OF_ITEMS = ("category", "length", "vector")
"""The inputs that are columns of the items."""
OF_JUDGMENTS = ("subtopic", "item_weight")
"""Those that are columns of the judgments."""

APART = (
    *("retrieved", "query_relevant", "query_nonrelevant", "judged", "subtopics"),
    *("unjudged_above", "negatives", "stop", "stop_reached", "doc_grade", "doc_reached"),
)
"""Columns that a step of the queries, or one of the documents found alone, must give."""

UNJUDGED = frozenset(("retrieved",))
"""Columns of a query that its ranking alone decides, as it does those of `SHOWN` that no judgment decides."""

OF_JUDGED = {AGREED, SUBTOPIC, COVER, GROUP, PAIR}
"""Kinds of rows that only judged documents have, or that count those apart."""

EMPTY_TEXTS = {
    "relevant": "no judged document is relevant",
    "gainful": "no judged document has a positive gain",
    "subtopics": "no subtopic has a relevant document",
}


def physical(column: str, values: Mapping[str, Value]) -> str:
    """The name under which a column stands for these parameter values."""
    settled = column_values(column, values)
    changed = [(name, value) for name, value in settled.items() if value != DEFAULTS.get(name, 0.0)]
    return "_".join([column] + [prefix_of(name) + column_part(value) for name, value in changed])


def prefix_of(parameter: str) -> str:
    """What stands before the value of a parameter in a column's name."""
    return {"k": "at_", "weight": "weight_"}.get(parameter, "" if parameter in BARE else parameter)


def column_values(column: str, values: Mapping[str, Value]) -> dict[str, Value]:
    """The parameters a column depends on, with their defaults where a metric does not have them.

    A best ranking that no cutoff cuts is that of a metric without one.
    """
    whole: dict[str, Value] = {"ideal": "judged", "k": 0} if values.get("ideal") == "uncut" else {}
    whole |= {"weight": ITEM if values.get("weight") in (ITEM, WITHIN) else "none"}
    return {name: whole.get(name, values.get(name, DEFAULTS.get(name, 0.0))) for name in column_of(column).depends}


def column_of(name: str) -> Column:
    """A column of a name, of whichever kind of metric."""
    return COLUMNS.get(name) or COUNTS.get(name) or PAIR_COLUMNS[name]


def reads_judgments(measure: Measure) -> bool:
    """Whether a measure depends on what was judged."""
    known = [COLUMNS[name] for name in measure.metric.reads if name in COLUMNS and name not in UNJUDGED]
    rows = {row for column in known for row in column.rows}
    judged = any(column.judged for column in known) or bool(set(measure.metric.empty) - UNJUDGED)
    return bool(rows - {SHOWN, VECTOR, TASTE}) or judged or "relevance" in measure.metric.inputs


def reads_any(measure: Measure, kinds: set[str]) -> bool:
    """Whether a measure reads a column of rows of these kinds."""
    return any(kinds & set(COLUMNS[column].rows) for column in measure.reads)


def reads_of(metric: Metric, values: Mapping[str, Value]) -> list[str]:
    """The columns that a metric reads, but for those of weights that no parameter asks for."""
    weighed = values.get("weight", "none")
    return [name for name in metric.reads if weighed in metric.reads_with.get(name, {}).get("weight", (weighed,))]


def inputs_behind(name: str, values: Mapping[str, Value] = MappingProxyType({})) -> Iterator[str]:
    """The inputs besides run and judgments that a column comes from, or those that it is computed from.

    `values` are those of the parameters, where some columns are needed with words of theirs alone.
    """
    if name in COLUMNS:
        column = COLUMNS[name]
        yield from filter(None, [column.input])
        settled = {**values, **column_values(name, values)}
        also = [needed for needed, words in column.needs_with.items() if words.items() <= settled.items()]
        for needed in (*column.needs, *also):
            yield from inputs_behind(needed, values)


def inputs_of(measures: Iterable[Measure]) -> dict[str, str]:
    """The inputs that measures cannot do without, besides run and judgments, each with the texts of those measures."""
    found: dict[str, list[str]] = {}
    for measure in measures:
        values = dict(measure.values)
        read = (*reads_of(measure.metric, values), *measure.metric.empty)
        columns = [given for name in read for given in inputs_behind(name, values)]
        for name in dict.fromkeys([*measure.metric.inputs, *columns]):
            spared = measure.metric.spares.get(name)
            if spared is None or not spared.items() <= values.items():
                found.setdefault(name, []).append(measure.text)
    return {name: ", ".join(texts) for name, texts in found.items()}


def check_vectors(measures: Iterable[Measure], dialect: Dialect) -> None:
    """Raise UsageError if a measure compares vectors and the engine has nothing for that."""
    if not dialect.vectors and (asked := inputs_of(measures).get("vector")):
        raise UsageError(f"{asked}: {dialect.title} has no cosine distance of two lists; evaluate in DuckDB")
