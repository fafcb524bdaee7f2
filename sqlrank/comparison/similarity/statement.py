"""The request and the statement that compare rankings without judgments, query by query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import JUDGED_TIES, TIES, Conventions
from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import CONVENTIONS, Request, check_option, reading_of
from sqlrank.metrics.catalogue import DEFAULT_LIKENESS
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.column_texts import ColumnText, expression
from sqlrank.statement.columns import PAIR_COLUMNS, physical
from sqlrank.statement.gains import deepest_of
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import check_apart, header_of
from sqlrank.statement.statement_facts import shallowest
from sqlrank.statement.templates import render, sql_text

RANKING = ("ties", "order", "score_type", "depth", "duplicates", "collapse")
"""The conventions that say how a ranking is formed."""
INPUTS = ("scores", "by", "weight", "queries", "where", "columns", "input_format", "encoding", "header", "database")
"""The ways of reading that need no judgments."""

DIAGNOSTICS = {
    "sqlrank_returned": "returned",
    "sqlrank_baseline_returned": "baseline_returned",
    "sqlrank_shared": "shared",
}
"""What is computed besides the metrics, for the counts next to the numbers: names, and the totalled columns."""

WRITTEN = ("place", "rank", "baseline_rank", "baseline_score", "shorter", "longer", "baseline", *DIAGNOSTICS)
"""Names that the statement and the output write, besides those of columns and metrics."""


class RankingConventions(Conventions):
    """The conventions that apply without judgments: those that say how a ranking is formed."""

    def to_dict(self) -> dict[str, str | float | int | None]:
        """Every convention of a ranking and its value."""
        return {name: getattr(self, name) for name in RANKING}


def similarity_request(metrics: str | Iterable[str] | None, options: Mapping[str, Any]) -> Request:
    """The measures, conventions and ways of reading that are asked for; UsageError if a metric needs judgments."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        check_option(name)
        option = spelt(name)
        if name not in (*RANKING, *INPUTS):
            raise UsageError(f"{option} needs judgments; give them with {spelt('qrels')}, or leave {option} out")
    if given.get("ties") in JUDGED_TIES:
        raise UsageError(
            f"{spelt('ties', given['ties'])} needs judgments ({spelt('qrels')}); without them choose {', '.join(TIES)}"
        )
    if given.get("order") == "rank":
        raise UsageError(
            f"{spelt('order', 'rank')} leaves gaps, which a comparison without judgments has no meaning for; leave"
            " it out"
        )
    language = Language(pairs=True)
    measures = parse_measures(DEFAULT_LIKENESS if metrics is None else metrics, language)
    conventions = RankingConventions(**{name: value for name, value in given.items() if name in CONVENTIONS})
    return Request(measures, language, conventions, reading_of(given))


def similarity_statement(
    dialect: Dialect,
    inputs: Relations,
    request: Request,
    baseline: str,
    compared: Sequence[str],
    diagnostics: bool,
    part: Mapping[str, int],
) -> str:
    """The statement with a row per query and compared system; `diagnostics` adds what the counts next to it need."""
    measures, conventions = request.measures, request.conventions
    reads = {name for measure in measures for name in measure.metric.reads}
    reads |= {*DIAGNOSTICS.values()} if diagnostics else set()
    check_apart(inputs, names_taken(measures))
    context = (
        inputs.context() | dict(part) | {item.name: getattr(conventions, item.name) for item in fields(Conventions)}
    )
    context |= ranking_context(conventions)
    context |= {
        "compared_with": baseline,
        "compared": list(compared),
        "reads": reads,
        "orders": bool(reads & {"above", "above_in_baseline", "above_in_either", "swapped"}),
        "ends": last_depths(measures),
        "depth_weights": depth_weights(measures),
        "above_weights": above_weights(measures),
        "limit": shallowest([deepest_of(measure.k for measure in measures) or None, conventions.depth]),
        "measures": similarity_measures(measures, dialect, diagnostics),
        "header": header_of(measures, conventions),
    }
    context["ranked_columns"] = ["doc_id", *(["score"] if context["orders"] else [])]
    return render("likeness.sql", dialect, **context)


def ranking_context(conventions: Conventions) -> dict[str, Any]:
    """Variables of the steps that rank, where no document is judged."""
    breaking = {"rank": ["given_rank"], "input": ["input_order"]}.get(conventions.ties, [])
    candidates = sql_text("run_rows" if conventions.copies == "error" else "candidates")
    return {
        "key_names": ["system", "query_id"],
        "keys": sql_text("system, query_id"),
        "ranked_from": candidates,
        "run_order": list(dict.fromkeys([*breaking, *(["input_order"] if conventions.copies == "first" else [])])),
        "tie_columns": breaking,
        "columns": [],
        "copies": conventions.copies,
    }


def last_depths(measures: Iterable[Measure]) -> list[dict[str, Any]]:
    """The last depths that are read: for each cutoff its value and the column."""
    cutoffs = dict.fromkeys(measure.k for measure in measures if "last_depth" in measure.metric.reads)
    return [{"k": k, "name": physical("last_depth", {"k": k or 0})} for k in cutoffs]


def depth_weights(measures: Iterable[Measure]) -> list[dict[str, Any]]:
    """The weights of depths: for each persistence its value, the table that holds them, and the columns."""
    read = [measure for measure in measures if "weight_from_place" in measure.metric.reads]
    found = []
    for number, p in enumerate(dict.fromkeys(measure["p"] for measure in read), start=1):
        ends = [{"k": measure.k, "name": weight_below_end(measure)} for measure in read if measure["p"] == p]
        rows = f"depth_weights_{number}"
        numbered = [end | {"rows": f"end_weights_{number}_{place}"} for place, end in enumerate(ends, start=1)]
        found.append({"p": p, "rows": rows, "from_place": physical("weight_from_place", {"p": p}), "ends": numbered})
    return found


def above_weights(measures: Iterable[Measure]) -> list[dict[str, Any]]:
    """The weights of the depths above each: for each persistence its value, the table that holds them, and the column.

    Where every depth weighs the same, the persistence is 1.
    """
    read = [measure for measure in measures if "weight_above_place" in measure.metric.reads]
    names = {measure["p"]: physical("weight_above_place", {"p": measure["p"]}) for measure in read}
    if any("share_above_place" in measure.metric.reads for measure in measures):
        names[1.0] = "share_above_place"
    return [{"p": p, "name": name, "rows": f"above_weights_{n}"} for n, (p, name) in enumerate(names.items(), start=1)]


def weight_below_end(measure: Measure) -> str:
    """The column with the weight below the last depth that a measure looks at."""
    return physical("weight_below_end", {"p": measure["p"], "k": measure.k or 0})


def similarity_measures(measures: Sequence[Measure], dialect: Dialect, diagnostics: bool) -> list[dict[str, Any]]:
    """What steps/per_query.sql needs of each measure, and of the counts."""
    plain: dict[str, Any] = {"empty": [], "nothing": 0, "weight": None, "weighed": []}
    columns = [
        plain
        | {"column": measure.column, "lines": expression(measure, dialect, pair_columns(measure, dialect))}
        | {"bare": measure.metric.undefined is not None}
        for measure in measures
    ]
    if diagnostics:
        columns += [
            plain | {"column": name, "lines": [total_of(column, dialect)], "bare": False}
            for name, column in DIAGNOSTICS.items()
        ]
    return [column | {"last": column is columns[-1]} for column in columns]


def pair_columns(measure: Measure, dialect: Dialect) -> dict[str, ColumnText]:
    """The columns that a measure reads, by the names that they have in the statement."""
    values = dict(measure.values) | {"k": measure.k or 0}
    names = [physical(read, values) for read in measure.reads]
    return {name: pair_column(name, dialect) for name in names}


def pair_column(name: str, dialect: Dialect) -> ColumnText:
    """A column of the documents that both rankings hold, or of their query."""
    value = sql_text(dialect.ident(name))
    when, total = sql_text(f"{value} is not null"), sql_text(f"max({value})")
    return ColumnText(name=name, when=when, value=value, rank=value, place=value, total=total)


def total_of(column: str, dialect: Dialect) -> Markup:
    """The total of a column of the documents that both rankings hold, or of their query."""
    return sql_text(render("sources/pair_total.sql", dialect, column=pair_column(column, dialect)).strip())


def names_taken(measures: Iterable[Measure]) -> set[str]:
    """The columns of the statement, which no segment may be called."""
    values = [dict(measure.values) | {"k": measure.k or 0} for measure in measures]
    columns = {physical(name, each) for name in PAIR_COLUMNS for each in values}
    return {*columns, *WRITTEN, *(measure.column for measure in measures)}
