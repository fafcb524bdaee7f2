"""What results can do for a reader: tables for notebooks, charts and reports.

Everything that draws knows the results, and is above them; it is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrank.errors import UsageError

if TYPE_CHECKING:
    import duckdb

    from sqlrank.charts.comparison_plots import ComparisonPlots
    from sqlrank.charts.result_plots import ResultPlots
    from sqlrank.charts.verdict_plots import VerdictPlots


class Presented:
    """A result that is read as a data frame, a table of a notebook or a report."""

    def to_pandas(self, *, per_query: bool = False) -> Any:
        """The rows as a data frame of pandas; with `per_query` those of the queries. UsageError without pandas."""
        return converted(self, per_query, "df", "pandas")

    def to_polars(self, *, per_query: bool = False) -> Any:
        """The rows as a data frame of polars; with `per_query` those of the queries. UsageError without polars."""
        return converted(self, per_query, "pl", "polars")

    def to_arrow(self, *, per_query: bool = False) -> Any:
        """The rows as an Arrow table; with `per_query` those of the queries. UsageError without pyarrow."""
        return converted(self, per_query, "to_arrow_table", "pyarrow")

    def to_dicts(self, *, per_query: bool = False) -> list[dict[str, Any]]:
        """The rows as dictionaries by column; with `per_query` those of the queries."""
        relation = rows_of(self, per_query)
        names = relation.columns
        return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        lang: str = "en",
        interactive: bool = False,
        digits: int = 4,
    ) -> None:
        """Write one HTML file that shows the whole result: it needs no network and, unless `interactive`, no script.

        Args:
            path: the file, which is written whole or not at all.
            title: its title; None for one that names the systems.
            lang: its language, `en` or `zh`.
            interactive: whether charts have tooltips and zoom, by scripts in the file.
            digits: decimals.

        Raises:
            UsageError: the extra `report` is not installed, or there is no report of this kind of result.
            ResourceError: the file cannot be written.
        """
        from sqlrank.reports.document import write_report
        from sqlrank.reports.settings import Settings

        settings = Settings(title=title, language=lang, interactive=interactive, digits=digits)
        write_report(self, str(path), settings)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        """The tables of the terminal, for a notebook."""
        from sqlrank.reports.notebook import result_html

        return result_html(self)


class PresentedResult(Presented):
    """An evaluation, with its charts."""

    @cached_property
    def plot(self) -> ResultPlots:
        """Its charts: `result.plot.by_cutoff()`."""
        from sqlrank.charts.result_plots import ResultPlots

        return ResultPlots(self)


class PresentedComparison(Presented):
    """A comparison, with its charts."""

    @cached_property
    def plot(self) -> ComparisonPlots:
        """Its charts: `comparison.plot.differences()`."""
        from sqlrank.charts.comparison_plots import ComparisonPlots

        return ComparisonPlots(self)


class PresentedVerdicts(Presented):
    """Side-by-side verdicts, with their charts."""

    @cached_property
    def plot(self) -> VerdictPlots:
        """Its charts: `result.plot.verdicts()`."""
        from sqlrank.charts.verdict_plots import VerdictPlots

        return VerdictPlots(self)


class PresentedCatalogue:
    """The catalogue of metrics, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        from sqlrank.reports.notebook import catalogue_html

        return catalogue_html(self)  # type: ignore[arg-type]


def rows_of(result: Any, per_query: bool) -> duckdb.DuckDBPyRelation:
    """The rows of a result, or of its queries; UsageError where it has none."""
    import duckdb

    found = getattr(result, "per_query", None) if per_query else result.rows
    if found is None:
        raise UsageError(f"a {type(result).__name__} has no per-query rows")
    if not isinstance(found, duckdb.DuckDBPyRelation):
        raise UsageError("the per-query rows are a data frame of Spark: result.per_query")
    return found


def printed(relation: duckdb.DuckDBPyRelation, without: Collection[str] = ()) -> str:
    """The rows as DuckDB prints them, with numbers of four decimals, `without` some columns so that none is elided."""
    import duckdb

    places = duckdb.ConstantExpression(4)
    columns = [
        duckdb.FunctionExpression("round", duckdb.ColumnExpression(name), places).alias(name)
        if str(kind) == "DOUBLE"
        else duckdb.ColumnExpression(name)
        for name, kind in zip(relation.columns, relation.types, strict=True)
        if name not in without
    ]
    return str(relation.select(*columns))


def converted(result: Any, per_query: bool, method: str, package: str) -> Any:
    """The rows of a result as DuckDB converts them; UsageError with the package that is missing."""
    try:
        return getattr(rows_of(result, per_query), method)()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"this needs {package}: pip install {package} ({error})") from error
