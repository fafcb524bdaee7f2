"""The commands on logs of what people were shown and did: inspect, judgments and propensities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.behaviour.options import (
    CountedRows,
    Examined,
    JudgmentOptions,
    JudgmentStatement,
    LabelSteps,
    LearnedLabels,
    LogInputs,
)
from sqlrank.behaviour.options import Labels as LabelMethod
from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, flag
from sqlrank.cli.inspect import InspectOutput
from sqlrank.cli.terminal import Outputs, check_no_output, input_files, show, show_statement
from sqlrank.errors import UsageError, not_known
from sqlrank.options.declared import options_of
from sqlrank.options.shared import Separated, TextFiles
from sqlrank.spelling import spelt

WITHOUT_ORIGIN = (
    "only a Parquet file says whose clicks the judgments are of; compare hears it of others by --judged-by NAME"
)


class Log(Group, heading="Inputs", takes=[LogInputs, TextFiles, Separated]):
    """A log, and how it is read."""

    log: list[str] = argument(
        "LOG",
        "A row for each document shown (impression_id, query_id, doc_id, position, clicked), or for each impression "
        "with lists (shown, clicks), or for each event (of UBI, with its file of searches as well; of an export of "
        "GA4 or Snowplow): a file, quoted glob, directory, URL, or - for stdin",
        several=True,
    )


class Counted(Group, heading="What counts", takes=[CountedRows]):
    """Which rows count, and as what."""


class Labels(Group, heading="Method", takes=[LabelMethod, LearnedLabels]):
    """How labels are estimated."""


class TakenAway(Group, heading="Statement"):
    """The statement for another engine."""

    sql: bool

    def carried(self, settings: Mapping[str, Any], record: type, statement: type) -> dict[str, Any]:
        """The options of a statement, of those of a record that were given; UsageError for what it has no place for."""
        known = options_of(statement)
        if refused := [name for name in settings if name not in known or not known[name].carried]:
            raise UsageError(f"--sql: leave out {spelt(refused[0])}, which a statement has no place for")
        return {**settings, **self.given()}

    def check_asked(self) -> None:
        """Raise UsageError for an option of statements without --sql."""
        if own := list(self.given()):
            raise UsageError(f"--{own[0]} is for --sql")


class LabelsTakenAway(TakenAway, takes=[LabelSteps]):
    """The statement of judgments for another engine."""

    sql: bool = flag(
        "Print the statement over a relation of another session, in place of judgments", passed=False, common=True
    )


class Propensities(Group, heading="Method", takes=[Examined]):
    """How propensities are estimated."""


def log_inspect_command(inputs: Log, counted: Counted, output: InspectOutput, resources: o.Resources) -> None:
    """Describe a click log, and what to settle before using it.

    Shows the role of each column, then one line with a number for each of these: impressions without clicks, the first
    position, documents returned but not displayed, copies, users who look automated, lists that the user sorted; and
    the next command. A contradiction is an error that names an impression.

    Examples:
        sqlrank log inspect log.parquet
        sqlrank log inspect log.csv --format json
    """
    from sqlrank.behaviour.inspected import inspect

    if output.format not in ("table", "json"):
        raise not_known("--format", output.format, ("table", "json"))
    found = inspect(inputs.log, **o.given(inputs, counted, resources))
    show(found.to_json() if output.format == "json" else str(found))


def log_judgments_command(
    inputs: Log,
    counted: Counted,
    labels: Labels,
    alpha: o.Alpha,
    taken: LabelsTakenAway,
    output: o.TableOutput,
    resources: o.Resources,
) -> None:
    """Estimate relevance judgments from clicks.

    Each query and document gets a label with its interval: judgments as eval, compare, pool and agreement read them. A
    Parquet file records the systems, days and method.

    Examples:
        sqlrank log judgments log.parquet -o judgments.parquet
        sqlrank log judgments log.parquet --method ctr --min-impressions 50 -o judgments.csv
        sqlrank log judgments log.parquet --propensities propensities.csv --exclude-bots -o judgments.parquet
        sqlrank log judgments shop.log --sql --dialect spark
    """
    if taken.sql:
        check_no_output(output)
        show_judgments_sql(inputs, o.given(inputs, counted, labels, alpha), taken)
        return
    taken.check_asked()
    from sqlrank.behaviour.judgments import judgments
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, counted, labels, alpha, resources), Outputs(output)
    outputs.check("Judgments")
    paths = input_files(inputs.log, settings.get("propensities"), settings)
    with (
        opened(outputs.files, paths) as writes,
        judgments(inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        outputs.write(result)
        plain = [WITHOUT_ORIGIN] if any(each.file and each.kind != "parquet" for each in outputs.destinations) else []
        outputs.tell([*result.notes, *plain], result.remarks)


def show_judgments_sql(inputs: Log, settings: dict[str, Any], taken: TakenAway) -> None:
    """Print the statement; UsageError for what it has no place for."""
    from sqlrank.export.log_statement import judgments_sql

    asked = taken.carried(settings, JudgmentOptions, JudgmentStatement)
    if len(inputs.log) > 1:
        raise UsageError(f"--sql reads one relation, not {' and '.join(inputs.log)}")
    show_statement(judgments_sql(inputs.log[0], **asked).rstrip() + "\n")


def log_propensities_command(
    inputs: Log, counted: Counted, examined: Propensities, alpha: o.Alpha, output: o.TableOutput, resources: o.Resources
) -> None:
    """Estimate examination propensities by position.

    They are relative to the first position, with intervals. A log is refused if positions share no documents, or if
    two starting points lead to different results: the log of a single ranker does not show how far down people look.

    Examples:
        sqlrank log propensities log.parquet -o propensities.csv
        sqlrank log propensities log.parquet --method allpairs
    """
    from sqlrank.behaviour.propensities import propensities
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, counted, examined, alpha, resources), Outputs(output)
    outputs.check("Propensities")
    with (
        opened(outputs.files, input_files(inputs.log, None, settings)) as writes,
        propensities(inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        outputs.write(result)
        outputs.tell(result.notes, result.remarks)
