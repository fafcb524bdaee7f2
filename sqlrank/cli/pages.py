"""The reports and charts among the files that a command writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrank.choices import CHARTS, PAGES, PICTURES
from sqlrank.cli.groups import Group
from sqlrank.errors import Outcome, UsageError
from sqlrank.options import reports as r
from sqlrank.process.remote import path_of
from sqlrank.spelling import as_option

if TYPE_CHECKING:
    from sqlrank.process.output_files import Target


class Titled(Group, heading="Report", takes=[r.Titled]):
    """A report of tables, which -o FILE.html writes."""

    def drawn(self) -> list[str]:
        """Those of the options that were given which are of charts and queries."""
        return [name for name in self.given() if name not in ("title", "lang")]

    def settings(self) -> dict[str, Any]:
        """How the report is made, besides its gates and decimals."""
        return {name: value for name, value in self.given().items() if name != "chart"}

    def check(self, pages: Sequence[str], pictures: Sequence[str]) -> None:
        """Raise UsageError for options without a file that they are for, or for files that are not written here."""
        if pictures:
            raise UsageError(f"-o {pictures[0]}: no charts are drawn of this; here a report is .html")
        if not pages and self.given():
            raise UsageError(f"{as_option(next(iter(self.given())))} is for a report: give -o report.html too")


class Report(Titled, takes=[r.WithCharts]):
    """A report with charts."""


class Charted(Report, takes=[r.OneChart]):
    """A report, or one chart."""

    chart: str | None

    def check(self, pages: Sequence[str], pictures: Sequence[str]) -> None:
        """The same for charts too."""
        known = ", ".join((*PICTURES, ".json"))
        if self.chart is None and pictures:
            raise UsageError(f"-o {pictures[0]}: name the chart with --chart ({', '.join(CHARTS)}); a report is .html")
        if self.chart is None:
            super().check(pages, pictures)
        elif pages:
            raise UsageError(f"-o {pages[0]}: a chart is one of {known}; for a report leave out --chart")
        elif not pictures:
            raise UsageError(f"--chart {self.chart}: give a file for it with -o, one of {known}")


class Explored(Charted, takes=[r.EveryQuery]):
    """A report, one chart, or the page of all queries."""

    explore: bool
    rows: int | None
    interactive: bool

    def check(self, pages: Sequence[str], pictures: Sequence[str]) -> None:
        """The same for the page of all queries too."""
        super().check(pages, pictures)
        if self.rows is not None and not self.explore:
            raise UsageError("--rows says how many places --explore shows; add --explore")
        if self.explore and (self.chart is not None or self.interactive):
            other = "--interactive" if self.chart is None else "--chart"
            raise UsageError(f"--explore writes a page of queries, without charts; leave out {other}")


class Pages:
    """The reports and charts among the outputs of a command."""

    def __init__(self, paths: Sequence[str], asked: Titled | None, digits: int) -> None:
        from sqlrank.process.output_files import Target

        self.chart: str | None = getattr(asked, "chart", None)
        drawn = (*PICTURES, ".json") if self.chart else PICTURES
        pictures = [path for path in paths if asked and suffix_of(path) in drawn]
        pages = [path for path in paths if asked and suffix_of(path) in PAGES]
        self.paths = [*pages, *pictures]
        self.settings: dict[str, Any] = {"digits": digits}
        if asked is not None:
            asked.check(pages, pictures)
            self.settings |= asked.settings()
        self.files: list[Target] = [Target(path) for path in self.paths]

    def prepare(self, drawn: bool) -> None:
        """Load what draws charts before anything is computed; UsageError without the extra that it takes."""
        if self.files and drawn and not self.settings.get("explore"):
            from sqlrank.reports.charts.chart import converter

            converter()
            if self.chart is None:
                from sqlrank.reports.charts.page_pictures import prepare

                prepare()

    def write(self, result: Any, gates: Sequence[Outcome], of: Any = None) -> None:
        """Write each of them; `of` is the result whose notes and conventions hold, where that is another."""
        for file in self.files:
            if self.chart is not None:
                from sqlrank.reports.charts.choose import chart_of

                chart_of(result, self.chart, self.settings.get("lang", "en")).save(file)
            else:
                from sqlrank.reports.document import write_report
                from sqlrank.reports.report_settings import Settings

                write_report(result, file, Settings(**self.settings, gates=gates), of)


def suffix_of(path: str) -> str:
    """The suffix of a path or URL, in lower case."""
    return Path(path_of(path)).suffix.lower()
