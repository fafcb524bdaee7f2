"""The statements that sum up per-query rows: all that an interval needs, and the means with theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.metrics.measure import Measure
from sqlrank.statement.relations import Relations
from sqlrank.statement.templates import render, sql_text

PER_QUERY = sql_text("per_query")
"""The step of the per-query rows."""

KINDS = ("sum", "geometric", "mean")
"""How metrics are summed up, the usual kind last."""

SHORT = 60
"""Up to how long the names of metrics and columns are written in one line."""

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
    described = summed_up(measures, inputs)
    kinds = [str(measure["kind"]) for measure in described]
    scoping = bool(inputs.segments) or inputs.weighted or inputs.cluster is not None
    scoping = scoping or any(measure["averaged"] for measure in described)
    return render(
        "summary.sql",
        dialect,
        **inputs.context() | {"segments": inputs.segments},
        measures=described,
        per_query=per_query,
        cluster=inputs.cluster,
        scoping=scoping,
        weighed=inputs.cluster is not None or any(measure["factors"] for measure in described),
        sums=numbers_of(kinds, "sum"),
        geometric=numbers_of(kinds, "geometric"),
        others=numbers_of(kinds, "sum", "geometric"),
    )


def summed_up(measures: Iterable[Measure], inputs: Relations) -> list[dict[str, Any]]:
    """The metrics that have a summary, with what weighs their queries and the columns of what is known of each."""
    return [
        {"text": measure.text, "column": measure.column, "kind": measure.summary, "rows_weight": measure.weight_column}
        | {
            "factors": factors_of(measure, inputs),
            "averaged": measure.weighs_items and measure.weight_column is not None,
        }
        | {kind: f"{measure.column}_{kind}" for kind in ("weight", "squares", *SUMMARISED)}
        for measure in measures
        if measure.summary != "none"
    ]


def numbers_of(kinds: Iterable[str], *sought: str) -> list[int]:
    """Which metrics, counted from 1, are of some kinds."""
    return [number for number, kind in enumerate(kinds, 1) if kind in sought]


def means(
    dialect: Dialect,
    measures: Sequence[Measure],
    inputs: Relations,
    conventions: Conventions,
    named: bool,
    per_query: Markup = PER_QUERY,
) -> dict[str, Any]:
    """The variables of the steps that give one row per segment and metric, over the rows of the queries.

    Where systems are `named`, there is one for each system too.
    """
    described = summed_up(measures, inputs)
    scope = [inputs.partition.column] if inputs.partition is not None else []
    scope += ["system"] if named else []
    names = [*scope, *(segment.alias for segment in inputs.segments), *(["is_total"] if inputs.segments else [])]
    kinds = {kind: [str(each["text"]) for each in described if each["kind"] == kind] for kind in KINDS}
    some = [
        {"kind": kind, "metrics": sql_text(", ".join(map(dialect.literal, texts)))}
        for kind, texts in kinds.items()
        if texts
    ]
    of_means = kinds["mean"] and some[-1]["metrics"]
    return {
        "summed": True,
        "per_query": per_query,
        "segments": inputs.segments,
        "weighted": inputs.weighted,
        "measures_summed": described,
        "scope_names": scope,
        "scope": sql_text("".join(f"{dialect.ident(name)}, " for name in names)),
        "weighed": any(each["factors"] for each in described) or not dialect.sample_deviation,
        "nullable": conventions.empty not in ("zero", "one") or any(each.metric.undefined for each in measures),
        "alike": len({tuple(each["factors"]) for each in described}) == 1,
        "long": sum(len(f"{each['text']}{each['column']}") for each in described) > SHORT,
        "kinds": some,
        "has_means": bool(of_means),
        "of_means": of_means if of_means and len(some) > 1 else None,
    }


def means_of_rows(
    dialect: Dialect, measures: Sequence[Measure], inputs: Relations, conventions: Conventions, per_query: Markup
) -> str:
    """The statement that gives one row per system, segment and metric, over per-query rows that a table holds."""
    return render("means_of_rows.sql", dialect, **means(dialect, measures, inputs, conventions, True, per_query))


def factors_of(measure: Measure, inputs: Relations) -> list[str]:
    """The columns whose product weighs a query in the mean of a measure: none where that is a count."""
    given = ["weight"] if inputs.weighted else []
    return [] if measure.counts else [*given, *filter(None, [measure.weight_column])]
