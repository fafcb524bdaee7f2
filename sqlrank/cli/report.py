"""The command that writes reports and charts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrank.choices import CHARTS, LANGUAGES
from sqlrank.cli import options as o
from sqlrank.cli.compare import CompareInputs
from sqlrank.cli.groups import argument, flag, option
from sqlrank.cli.terminal import input_files, output_file, tell
from sqlrank.comparison.options import CompareOptions
from sqlrank.errors import Outcome, UsageError
from sqlrank.judging.options import GsbOptions
from sqlrank.options.declared import options_of, spelt
from sqlrank.options.texts import whole

if TYPE_CHECKING:
    from sqlrank.engines.open_result import OpenResult
    from sqlrank.process.output_files import Target

PICTURES = (".svg", ".png", ".pdf", ".json")
"""The suffixes of a chart alone."""
FEWEST_RANKED = 3
"""From how many runs on a report says which is best, of all pairs, unless a baseline or a gate is given."""


TESTED = ("test", "correction", "alpha", "replicates", "seed", "alternative", "margins", "all_pairs", "system")
"""The options of comparisons that an evaluation has no place for."""


class ReportInputs(CompareInputs):
    """Inputs of a report."""

    runs: list[str] = argument(
        "RUN",
        "Rankings as for eval; of two, the first is the baseline; three or more are compared in pairs; with --gsb, "
        "verdicts as for gsb",
        several=True,
    )
    gsb: bool = flag("RUN holds side-by-side verdicts", passed=False)


class ReportOutput(o.Quiet):
    """The report, and what it looks like."""

    output: str | None = option(
        "FILE",
        "Write to this file: .html, or with --chart .svg, .png, .pdf or .json (Vega-Lite)",
        flags="--output -o",
        common=True,
    )
    title: str | None = option("TEXT", "Title of the report", shown="the names of the systems")
    lang: str = option("WORD", "Language of the report", "en", words=LANGUAGES)
    interactive: bool = flag("Add scripts to the file, for tooltips and zoom")
    chart: str | None = option("NAME", "Write one chart instead", words=CHARTS, common=True)
    explore: bool = flag(
        "Write a page of all queries: to be searched, sorted and filtered, each with its rankings", common=True
    )
    rows: int | None = option("N", "Places of each ranking that --explore shows", shown="10", convert=whole(1))
    digits: int = option("N", "Decimals", 4, convert=whole(0, 12))


class ReportGates(o.EvalGates, o.CompareGates):
    """Gates of a report."""


def report_command(
    inputs: ReportInputs,
    metrics: o.Metrics,
    segments: o.Segments,
    conventions: o.ConventionOptions,
    significance: o.Significance,
    output: ReportOutput,
    gates: ReportGates,
    resources: o.Resources,
) -> None:
    """Write a report as one HTML file, or one chart.

    The answer comes first: which run is better, by how much, how certain that is, and where it is not. With three runs
    or more, all pairs are compared (--baseline NAME compares with one alone). Then come segments (over time, if they
    are dates), distributions, curves, queries to look at, and definitions. The file needs no network and no script. It
    takes an extra: pip install 'sqlrank[report]'. With --explore it is a page to find and open every query, with a
    script in the file and without the extra.

    Examples:
        sqlrank report run.parquet --qrels qrels.parquet --queries queries.parquet --by country -o report.html
        sqlrank report old.parquet new.parquet --qrels qrels.parquet --items items.parquet -o report.html --lang zh
        sqlrank report old.parquet new.parquet --qrels qrels.parquet --queries queries.parquet --explore -o queries.html
        sqlrank report verdicts.csv --gsb --by country -o report.html
        sqlrank report run.csv --qrels qrels.csv --chart by-cutoff -o by-cutoff.svg
    """
    from sqlrank.cli.outcomes import conclude
    from sqlrank.process.output_files import opened
    from sqlrank.reports.charts.chart import converter
    from sqlrank.reports.charts.page_pictures import prepare

    check_output(output)
    if inputs.gsb and output.explore:
        raise UsageError("--explore shows the queries of rankings; --gsb reports on verdicts, which have none")
    if not output.explore:
        converter()
    settings = o.given(inputs, metrics, segments, conventions, significance, resources)
    report, target = output_file(gates.junit), output_file(output.output)
    subject = Subject(inputs, metrics.metrics, settings, gates)
    if not output.explore:
        prepare()
    with (
        opened([target, report], input_files(inputs.runs, inputs.qrels, settings)) as writes,
        subject.result(writes, output.progress) as result,
    ):
        outcomes = subject.outcomes(result)
        write(result, target, output, outcomes)
        tell(result.notes, output.quiet)
        conclude(outcomes, "report", report)


def check_output(output: ReportOutput) -> None:
    """Raise UsageError if the file is not one that a report or a chart is written to."""
    if output.output is None:
        raise UsageError("a report is a file: -o report.html")
    suffix = Path(output.output).suffix.lower()
    if output.chart is None and suffix not in (".html", ".htm"):
        raise UsageError(f"-o {output.output}: a report is .html; for one chart add --chart NAME ({', '.join(CHARTS)})")
    if output.explore and (output.chart is not None or output.interactive):
        other = "--interactive" if output.chart is None else "--chart"
        raise UsageError(f"--explore writes a page of queries, without charts; leave out {other}")
    if output.rows is not None and not output.explore:
        raise UsageError("--rows says how many places --explore shows; add --explore")
    if output.chart is not None and suffix not in PICTURES:
        raise UsageError(f"-o {output.output}: a chart is one of {', '.join(PICTURES)}")


class Subject:
    """What is reported on."""

    def __init__(
        self, inputs: ReportInputs, metrics: list[str] | None, settings: dict[str, Any], gates: ReportGates
    ) -> None:
        from sqlrank.cli.gates import demands, with_margins
        from sqlrank.comparison.gates import Demands

        self.inputs, self.metrics, self.settings, self.gates = inputs, metrics, settings, gates
        several = len(inputs.runs) > 1 or inputs.baseline is not None or {"periods", "all_pairs"} & settings.keys()
        self.compared = not inputs.gsb and bool(several)
        self.demanded = Demands()
        if inputs.gsb:
            self.check_verdicts()
            return
        self.demanded = demands(gates, settings)
        self.settings = with_margins(settings, gates)
        for name, given in (("fail-on-drop", self.demanded.drops), ("not-worse-than", self.demanded.margins)):
            if given and not self.compared:
                raise UsageError(f"--{name} compares systems: give a baseline and a candidate")

    @property
    def of_places(self) -> bool:
        """Whether all pairs are compared without being asked for: which of three systems or more is best is asked."""
        if len(self.inputs.runs) < FEWEST_RANKED or self.inputs.baseline is not None or "periods" in self.settings:
            return False
        one_sided = self.settings.get("alternative", "two-sided") != "two-sided"
        return not (one_sided or self.demanded.drops or self.demanded.margins)

    def check_verdicts(self) -> None:
        """Raise UsageError for what a report of verdicts has no place for."""
        inputs = self.inputs
        given: list[object] = [inputs.qrels, inputs.baseline, self.metrics, self.gates.fail_under, self.gates.junit]
        given += [self.gates.gate_segments]
        refused = sorted(self.settings.keys() - options_of(GsbOptions).keys())
        if any(given) or self.gates.fail_on_drop or refused:
            what = f" {spelt(refused[0], CompareOptions)}" if refused else ", judgments, a baseline, metrics and gates"
            raise UsageError(f"--gsb reports on verdicts, without{what}; see sqlrank gsb --help")
        if len(inputs.runs) > 1:
            raise UsageError("--gsb takes one file of verdicts, or a quoted pattern")

    def result(self, writes: list[str], progress: bool) -> Any:
        """The evaluation, the comparison, or the verdicts."""
        inputs, shared = self.inputs, dict[str, Any](writes=writes, progress=progress)
        if inputs.gsb:
            from sqlrank.judging.verdicts.side_by_side import gsb

            return gsb(inputs.runs[0], **shared, **self.settings)
        from sqlrank.evaluation.request import texts_of

        if self.compared:
            from sqlrank.comparison.flow import compare

            shared |= {"baseline": inputs.baseline, "gates": self.demanded.metrics}
            pairs = {"all_pairs": True} if self.of_places else {}
            return compare(inputs.runs, inputs.qrels, self.metrics, **shared, **self.settings | pairs)
        from sqlrank.api import evaluate

        asked = [*texts_of(self.metrics, self.settings), *self.demanded.metrics]
        return evaluate(inputs.runs[0], inputs.qrels, asked, **shared, **without_tests(self.settings))

    def outcomes(self, result: Any) -> list[Outcome]:
        """The gates held against the result."""
        demanded = self.demanded
        if not self.compared:
            return demanded.of_values(result) if demanded.floors else []
        if demanded.floors and result.evaluation is None:
            raise UsageError("--fail-under needs the runs; of stored per-query rows --fail-on-drop can be asked")
        floors = demanded.of_values(result.evaluation) if demanded.floors else []
        return floors + demanded.of_differences(result)


def without_tests(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of an evaluation; UsageError for those of a comparison."""
    for name in TESTED:
        if name in settings:
            raise UsageError(f"{spelt(name, CompareOptions)} compares systems: give a baseline and a candidate")
    return settings


def write(result: OpenResult, target: Target | None, output: ReportOutput, outcomes: list[Outcome]) -> None:
    """Write the report, or one chart of it."""
    assert target is not None  # noqa: S101 check_output has seen it
    if output.chart is not None:
        from sqlrank.reports.charts.choose import chart_of

        chart_of(result, output.chart, output.lang).save(target)
        return
    from sqlrank.reports.document import write_report
    from sqlrank.reports.report_settings import Settings

    settings = Settings(
        title=output.title,
        language=output.lang,
        interactive=output.interactive,
        explore=output.explore,
        rows=output.rows or 10,
        digits=output.digits,
        gates=outcomes,
    )
    write_report(result, target, settings)
