"""The statements that sum up per-query rows: all that an interval needs, and the means with theirs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.metrics.measure import Measure
from sqlrank.statement.lines import lines_of
from sqlrank.statement.relations import Relations
from sqlrank.statement.templates import render, sql_text

PER_QUERY = sql_text("per_query")
"""The step of the per-query rows."""

SUMMARISED = {
    **{"value": "double", "queries": "bigint", "stderr": "double"},
    **{"effective": "double", "skewness": "double", "least": "double", "most": "double"},
}
"""What the summary holds of each metric, with its type.

`effective` is the number of queries of equal weight that the weights come down to, `skewness` that of the mean, and
`least` and `most` are the values where there are no more than two, which may be one.
"""


def summary(dialect: Dialect, measures: Iterable[Measure], inputs: Relations, per_query: Markup) -> str:
    """The statement that sums up the rows of each system and segment with all that an interval needs.

    In DuckDB it gives a row for each metric, in Spark one with columns for each, and knows no clusters there.
    """
    described = [
        {"text": measure.text, "column": measure.column, "kind": measure.summary, "rows_weight": measure.weight_column}
        | {"factors": factors_of(measure, inputs)}
        | {kind: f"{measure.column}_{kind}" for kind in ("weight", "squares", *SUMMARISED)}
        for measure in measures
        if measure.summary != "none"
    ]
    kinds = [str(measure["kind"]) for measure in described]
    return render(
        "summary.sql",
        dialect,
        **inputs.context() | {"segments": inputs.segments},
        measures=described,
        per_query=per_query,
        cluster=inputs.cluster,
        weighed=inputs.cluster is not None or any(measure["factors"] for measure in described),
        sums=numbers_of(kinds, "sum"),
        geometric=numbers_of(kinds, "geometric"),
        others=numbers_of(kinds, "sum", "geometric"),
    )


def numbers_of(kinds: Iterable[str], *sought: str) -> list[int]:
    """Which metrics, counted from 1, are of some kinds."""
    return [number for number, kind in enumerate(kinds, 1) if kind in sought]


def means(
    dialect: Dialect,
    measures: Iterable[Measure],
    inputs: Relations,
    named: bool,
    text: str | None = None,
    per_query: Markup = PER_QUERY,
) -> str:
    """The statement that gives one row per segment and metric, over per-query rows that `text` makes or a table holds.

    Where systems are `named`, there is one for each system too.
    """
    described: list[dict[str, Any]] = [
        {"text": measure.text, "column": measure.column, "kind": measure.summary}
        | {"factors": factors_of(measure, inputs)}
        | {part: f"{measure.column}_{part}" for part in ("factor", "weight", "mean", "value", "queries")}
        | {"stderr": f"{measure.column}_stderr" if measure.summary == "mean" else None}
        for measure in measures
        if measure.summary != "none"
    ]
    names = [segment.alias for segment in inputs.segments]
    divided = [inputs.partition.column] if inputs.partition is not None else []
    scope = [*divided, *(["system"] if named else []), *names, *(["is_total"] if names else [])]
    columns = [name for measure in described for name in (*measure["factors"], measure["column"])]
    written = ", ".join(map(dialect.ident, scope))
    weighed, spread = (any(measure[part] for measure in described) for part in ("factors", "stderr"))
    lines = [] if text is None else lines_of(text.rstrip(), dialect)
    header = list(takewhile(lambda line: line.startswith("--"), lines))
    return render(
        "means.sql",
        dialect,
        measures=described,
        header=header,
        statement=lines[len(header) :],
        per_query=per_query,
        named=named,
        partition=inputs.partition,
        segments=inputs.segments,
        needed=list(dict.fromkeys(columns)),
        scope=sql_text(written),
        within=sql_text(f"partition by {written}" if scope else ""),
        weighed=weighed,
        centred=weighed or (spread and not dialect.sample_deviation),
        spread=spread,
    )


def factors_of(measure: Measure, inputs: Relations) -> list[str]:
    """The columns whose product weighs a query in the mean of a measure: none where that is a count."""
    given = ["weight"] if inputs.weighted else []
    return [] if measure.counts else [*given, *filter(None, [measure.weight_column])]
