"""The properties of models of dbt, in YAML: what they and their columns are, and the tests that are gates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.export.dbt_charts import DESCRIPTIONS as OF_CHARTS
from sqlrank.export.dbt_charts import Charts, chart_columns
from sqlrank.export.dbt_jinja import escaped
from sqlrank.export.statement import Settled
from sqlrank.export.table_statement import query_columns, summary_columns
from sqlrank.metrics.language import parse_measures
from sqlrank.metrics.measure import Measure, of_systems
from sqlrank.spelling import spelt
from sqlrank.statement.relations import TITLES

DESCRIPTIONS = {
    "system": "The system whose ranking this is.",
    "query_id": "The query.",
    "sqlrank_built": "The invocation of dbt that made the rows of the partition.",
    "weight": "The weight of the query in the means.",
    "sqlrank_definition": "What the values are: the metrics, the conventions, the conditions.",
    "is_total": "Whether the row is of all queries; the columns of segments are then null.",
    "metric": "The metric as its text, such as `ndcg@10`.",
    "value": "The mean over the queries, the sum of a count, or the one value of a metric of a whole system.",
    "queries": "How many queries the value is of.",
    "stderr": "The standard error of the mean; null where there is none.",
    "ci_low": "The lower end of the 95 % interval of the mean, from ten queries on.",
    "ci_high": "The upper end of the 95 % interval of the mean, from ten queries on.",
}
FILLED = ("system", "query_id", "metric")
"""The columns that are never null."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """What the means of metrics must reach, by the names of the options."""

    fail_under: Mapping[str, float] = field(default_factory=dict)
    fail_on_drop: Mapping[str, float] = field(default_factory=dict)
    against: str | None = None
    gate_segments: bool = False

    def __post_init__(self) -> None:
        if bool(self.fail_on_drop) != (self.against is not None):
            raise UsageError(f"{spelt('fail_on_drop', 'METRIC=VALUE')} and --against SYSTEM go together: give both")

    @property
    def metrics(self) -> list[str]:
        """The metrics of all gates."""
        return [*self.fail_under, *self.fail_on_drop]

    def options(self) -> dict[str, Any]:
        """The options that say so."""
        return {name: value for name, value in asdict(self).items() if value}


def properties(name: str, made: Settled, gates: Gates, charts: Charts | None = None) -> str:
    """The properties of the models of a name."""
    measures, inputs = made.request.measures, made.inputs
    texts, described = ", ".join(measure.text for measure in measures), descriptions(made)
    form = replace(made.form, system=inputs.system)
    of_queries = [column for column, _, _ in query_columns(inputs, form, measures)]
    of_means = [column for column, _, _ in summary_columns(inputs, form)]
    if inputs.partition is not None:
        of_queries, of_means = [*of_queries, "sqlrank_built", "sqlrank_definition"], [*of_means, "sqlrank_built"]
    lines, tests = ["version: 2", "", "models:"], list(gate_tests(name, made, gates))
    if of_systems(measures):
        of_means = [column for column in of_means if not column.startswith("ci_")]
        lines += model(name, f"Metrics of whole systems: {texts}.", of_means, described, tests)
    else:
        lines += model(name, f"One row for each query, with its {texts}.", of_queries, described, [])
        lines += model(f"{name}_summary", f"The means of {name}, with their errors.", of_means, described, tests)
    if charts is not None:
        title = f"Control charts of {name}: a row for each day of each, with what it is held against."
        lines += model(f"{name}_charts", title, chart_columns(made, charts), described | OF_CHARTS, [])
    return escaped("\n".join([*lines, ""]), ())


def model(name: str, title: str, columns: list[str], described: Mapping[str, str], tests: list[Any]) -> Iterator[str]:
    """The lines of one model."""
    yield f"  - name: {name}"
    yield f"    description: {yaml(title)}"
    if tests:
        yield "    data_tests:"
    for test, settings in tests:
        yield f"      - sqlrank.{test}:"
        yield from (f"          {key}: {yaml(value)}" for key, value in settings.items())
    yield "    columns:"
    for column in columns:
        yield f"      - name: {yaml(column)}"
        yield f"        description: {yaml(described[column])}"
        if column in FILLED:
            yield "        data_tests: [not_null]"


def yaml(value: Any) -> str:
    """A value as YAML, of which JSON is a part."""
    return json.dumps(value, ensure_ascii=False)


def descriptions(made: Settled) -> dict[str, str]:
    """What each column holds."""
    inputs, found = made.inputs, dict(DESCRIPTIONS)
    if inputs.partition is not None:
        found[inputs.partition.column] = "The partition of the run."
    for kept in inputs.kept:
        found |= {column: f"{column} of {TITLES[kept.kind]}." for column in kept.columns}
    found |= {column.name: "A part of the id of the query." for column in inputs.id_columns}
    found |= {segment.alias: "The segment of the query." for segment in inputs.segments}
    for measure in made.request.measures:
        found[measure.column] = f"{measure.text}: {measure.metric.title}."
        if measure.weight_column:
            found[measure.weight_column] = f"What the query weighs in the mean of {measure.text}."
    return found


def gate_tests(name: str, made: Settled, gates: Gates) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tests of the package sqlrank that are gates: each with its settings."""
    inputs, ident = made.inputs, made.dialect.ident
    if gates.fail_on_drop and not inputs.several:
        raise UsageError(
            f"{spelt('fail_on_drop')} compares systems: name the column that tells them, with"
            f" {spelt('columns', {'system': 'NAME'})}"
        )
    shared: dict[str, Any] = {}
    if inputs.partition is not None:
        shared |= {"partition": ident(inputs.partition.column), "built": "sqlrank_built"}
    every = [ident(segment.alias) for segment in inputs.segments]
    totals = {"config": {"where": "is_total"}} if every and not gates.gate_segments else {}
    by = {"by": every} if every and gates.gate_segments else {}
    for text, least in gates.fail_under.items():
        measure = gated(text, made)
        arguments = {"metric": measure.text, "at_least": least} | shared
        yield "metric_at_least", {"name": f"{name}_{measure.column}_at_least", "arguments": arguments} | totals
    for text, drop in gates.fail_on_drop.items():
        measure = gated(text, made)
        arguments = {"metric": measure.text, "baseline_system": gates.against, "by_more_than": drop} | by | shared
        yield "metric_not_below", {"name": f"{name}_{measure.column}_not_below", "arguments": arguments} | totals


def gated(text: str, made: Settled) -> Measure:
    """The one metric of a gate; UsageError for several."""
    found = parse_measures([text], made.request.language)
    if len(found) != 1:
        raise UsageError(f"{text}: a gate is on one metric, such as {found[0].text}")
    return found[0]
