"""What results can do for a reader: tables for notebooks, charts and reports.

What draws a result knows it, and stands above it: `sqlrank/__init__.py` registers it here by where it is, and it is
loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from sqlrank.arguments import public
from sqlrank.errors import UsageError
from sqlrank.options.kinds import PATH
from sqlrank.options.reports import ReportOptions

if TYPE_CHECKING:
    import duckdb

DRAWN_BY: dict[str, str] = {}
"""What draws: `report`, `notebook`, `text`, and the charts of each kind of result by its name, as `module:function`."""


def register(places: Mapping[str, str]) -> None:
    """Say where what draws results is."""
    DRAWN_BY.update(places)


def drawn_by(what: str) -> Callable[..., Any]:
    """What draws it; UsageError if nothing does."""
    if what not in DRAWN_BY:
        raise UsageError(f"nothing draws the charts of a {what}")
    module, _, name = DRAWN_BY[what].partition(":")
    drawing: Callable[..., Any] = getattr(import_module(module), name)
    return drawing


class Usual(str):
    """A remark on what is as usual: a terminal shows it in short, or not at all, unless it is asked for all."""

    short: str
    """What stands in its place; nothing where it is left out."""

    def __new__(cls, text: str, short: str = "") -> Self:
        """A remark, and what stands in its place."""
        made = super().__new__(cls, text)
        made.short = short
        return made


def in_short(remarks: Iterable[str], more: str) -> list[str]:
    """Remarks without what is as usual; the first that is shortened says where `more` of them are."""
    found, told = [], False
    for remark in remarks:
        text = remark.short if isinstance(remark, Usual) else remark
        if text and text is not remark and not told:
            text, told = f"{text} ({more})", True
        found += [text] if text else []
    return found


OF_ALL = frozenset("close notes remarks rows to_arrow to_dicts to_pandas to_polars".split())
"""What every result offers."""


class Presented:
    """A result that is read as text, a data frame, a table of a notebook or a report."""

    offered: ClassVar[str] = ""
    """What it offers besides, as the reference of Python lists it; all else is for the package itself."""

    def __dir__(self) -> list[str]:
        known = {*self.offered.split(), *OF_ALL}
        return sorted(name for name in super().__dir__() if name.startswith("_") or name in known)

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

    @public(record=ReportOptions, path=PATH)
    def report(self, path: str | Path, **options: Unpack[ReportOptions]) -> None:
        """Write one HTML file that shows the whole result: it needs no network and, unless `interactive`, no script.

        With `explore` it is a page on which every query is found and opened, by a script in the file.

        Args:
            path: the file, which is written whole or not at all.
            **options: those of reports.

        Raises:
            UsageError: the extra `report` is not installed, or there is no report of this kind of result.
            ResourceError: the file cannot be written.
        """
        drawn_by("report")(self, path, **options)

    def __repr__(self) -> str:
        shown: str = drawn_by("text")(self)
        return shown

    def _repr_html_(self) -> str:
        """The tables of the terminal, for a notebook."""
        shown: str = drawn_by("notebook")(self)
        return shown


class Charted(Presented):
    """A result that has charts."""

    @cached_property
    def plot(self) -> Any:
        """Its charts: `result.plot.by_cutoff()`, `comparison.plot.differences()`, `verdicts.plot.verdicts()`."""
        return drawn_by(type(self).__name__)(self)


class Looked:
    """What was found of inputs, which a notebook shows as tables."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        shown: str = drawn_by(type(self).__name__)(self)
        return shown


class PresentedCatalogue:
    """The catalogue of metrics, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        shown: str = drawn_by("catalogue")(self)
        return shown


def rows_of(result: Any, per_query: bool) -> duckdb.DuckDBPyRelation:
    """The rows of a result, or of its queries; UsageError where it has none."""
    import duckdb

    found = getattr(result, "per_query", None) if per_query else result.rows
    if found is None:
        raise UsageError(f"a {type(result).__name__} has no per-query rows")
    if not isinstance(found, duckdb.DuckDBPyRelation):
        raise UsageError("the per-query rows are a data frame of Spark: result.per_query")
    return found


def converted(result: Any, per_query: bool, method: str, package: str) -> Any:
    """The rows of a result as DuckDB converts them; UsageError with the package that is missing."""
    try:
        return getattr(rows_of(result, per_query), method)()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"this needs {package}: pip install {package} ({error})") from error
