"""The options of reports and charts."""

from typing import Annotated, TypedDict

from sqlrank.choices import CHARTS, LANGUAGES
from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import WHOLE


class Titled(TypedDict, total=False):
    """A report of tables."""

    title: Annotated[
        str | None,
        option("TEXT", "Title of the report that -o FILE.html writes", shown="what it is about", in_python="Title"),
    ]


class WithCharts(TypedDict, total=False):
    """A report with charts."""

    lang: Annotated[str, option("WORD", "Language of the report and of charts", default="en", words=LANGUAGES)]
    interactive: Annotated[bool, flag("Add scripts to the report, for tooltips and zoom")]


class OneChart(TypedDict, total=False):
    """One chart in place of a report."""

    chart: Annotated[
        str | None,
        option("NAME", "Write this chart to -o FILE: .svg, .png, .pdf, or .json (Vega-Lite)", words=CHARTS, open=True),
    ]


class EveryQuery(TypedDict, total=False):
    """The page of all queries."""

    explore: Annotated[
        bool, flag("Make the report a page of all queries: to be searched, sorted and filtered, each with its rankings")
    ]
    rows: Annotated[int, option("N", "Places of each ranking that {explore} shows", WHOLE, 10, least=1)]


class ReportOptions(Titled, WithCharts, EveryQuery, total=False):
    """The options of the method `report` of results."""

    digits: Annotated[int, option("N", "Decimals", WHOLE, 4, least=0, most=12)]
