"""The commands on logs of what people were shown and did: inspect, judgments and propensities."""

from __future__ import annotations

from sqlrank.choices import DIALECTS, LABEL_METHODS, PROPENSITY_METHODS, TABLE_INPUTS
from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, flag, option, repeated
from sqlrank.cli.inspect import InspectOutput
from sqlrank.cli.terminal import Outputs, check_no_output, input_files, show, show_statement
from sqlrank.cli.values import actions_of, number, two_numbers, whole
from sqlrank.errors import UsageError, not_known

SIGNAL = (
    "What is taken for a click: click, dwell>=SECONDS, cart, purchase, or best (a click 1, the cart 2, a purchase 3)"
)


WITHOUT_ORIGIN = (
    "only a Parquet file says whose clicks the judgments are of; compare hears it of others by --judged-by NAME"
)
ONLY_HERE = {
    "actions": "--action",
    "separator": "--separator",
    "input_format": "--input-format",
    "encoding": "--encoding",
    "header": "--no-header",
    "database": "--database",
    "timezone": "--timezone",
    "rounds": "--rounds",
    "min_documents": "--min-documents",
    "like": "--like",
    "max_rank": "--max-rank",
}
"""The options that a statement has no place for."""


class Log(o.TextFiles, o.Separated, heading="Inputs"):
    """A log, and how it is read."""

    log: list[str] = argument(
        "LOG",
        "A row for each document shown (impression_id, query_id, doc_id, position, clicked), or for each impression "
        "with lists (shown, clicks), or for each event (of UBI, with its file of searches beside it; of an export of "
        "GA4 or Snowplow): a file, quoted glob, directory, URL, or - for stdin",
        several=True,
    )
    columns: dict[str, str] | None = o.column_option(
        "Column for impression_id, query_id, doc_id, position, clicked, user_id, session_id, time, click_time, "
        "system, arm, application, seen, dwell, cart, purchase, page, sort, swap, is_ad, is_bot, team, rank_a, rank_b, "
        "length_a, length_b, shown, clicks, ranking_a or ranking_b"
    )
    actions: dict[str, str] | None = repeated(
        "NAME=KIND",
        "Of events: an action that says shown, click, cart or purchase by another name; repeatable",
        convert=actions_of,
        flags="--action",
    )
    where: str | None = option("SQL", "Keep only rows that meet this condition")
    input_format: str | None = option("FORMAT", "Input format, if the suffix does not tell", words=TABLE_INPUTS)
    header: bool | None = flag("CSV has no header", given=False, default=None, flags="--no-header")
    database: str | None = o.database_option("LOG as a table")


class Counted(Group, heading="What counts"):
    """Which rows count, and as what."""

    signal: str | None = option("SIGNAL", SIGNAL, shown="click", common=True)
    shown_depth: int | None = option("N", "The last position that was displayed", convert=whole(1))
    position_base: int | None = option("0|1", "The position of the first document", convert=whole(0), shown="as seen")
    page_size: int | None = option("N", "Documents of a page, where positions begin anew on each", convert=whole(1))
    exclude_bots: bool | None = flag("Exclude users who look automated", default=None, common=True)
    sorted_too: bool | None = flag("Count lists whose order the user chose", default=None)
    fold_queries: bool | None = flag("Queries that differ in case and outer blanks alone are one", default=None)


class Labels(Group, heading="Method"):
    """How labels are estimated."""

    method: str | None = option(
        "WORD",
        "How labels are estimated",
        shown="ratio with --propensities, else sdbn",
        words=LABEL_METHODS,
        common=True,
    )
    propensities: str | None = option(
        "FILE", "How likely each position is looked at: position, propensity", common=True
    )
    prior: tuple[float, float] | None = option(
        "A,B", "Clicks, and how often there was none, added to those of each document", convert=two_numbers
    )
    no_click: str | None = option(
        "WORD",
        "What an impression without clicks says\nexamined: all of it was looked at\nskip: nothing",
        shown="examined",
        words=("examined", "skip"),
    )
    rounds: int | None = option("N", "Rounds of pbm and dbn", shown="until nothing moves", convert=whole(1))
    min_impressions: int | None = option(
        "N", "Impressions of a pair that has a label", shown="10", convert=whole(0), common=True
    )
    min_documents: int | None = option(
        "N", "Documents that link two positions, for pbm; 0 asks for none", shown="10", convert=whole(0)
    )
    clip: float | None = option("N", "What a click is worth at most with ips", shown="10", convert=number)
    like: str | None = option("TOOL", "The labels of a tool, to the last digit: opensearch", words=("opensearch",))
    max_rank: int | None = option("N", "How far down --like looks", shown="20", convert=whole(1))


class TakenAway(Group, heading="SQL to take away"):
    """The statement for another engine."""

    sql: bool = flag(
        "Print the statement over a relation of another session, in place of judgments", passed=False, common=True
    )
    dialect: str | None = option(
        "DIALECT", "The engine that will run it", shown="duckdb", words=DIALECTS, passed=False, common=True
    )
    step: str | None = option(
        "WORD",
        "What it makes\n"
        "all: judgments of a log\n"
        "cells: counts by day, for a log that grows\n"
        "labels: judgments of such counts",
        shown="all",
        words=("all", "cells", "labels"),
        passed=False,
    )
    day: str | None = option("COLUMN", "The column of the days of --step cells", passed=False)


class Examined(Group, heading="Method"):
    """How propensities are estimated."""

    method: str | None = option(
        "WORD",
        "How propensities are estimated\n"
        "pbm: with the attraction of each document\n"
        "allpairs: of documents that several rankers showed at different positions\n"
        "swap: of positions that a coin exchanged with the first",
        shown="pbm",
        words=PROPENSITY_METHODS,
        common=True,
    )
    prior: tuple[float, float] | None = Labels.prior
    rounds: int | None = option("N", "Number of EM iterations", shown="until nothing moves", convert=whole(1))
    min_impressions: int | None = option(
        "N", "Impressions of a document at both positions that it links", shown="50", convert=whole(1)
    )
    min_documents: int | None = option("N", "Documents that link two positions", shown="10", convert=whole(0))


def log_inspect_command(inputs: Log, counted: Counted, output: InspectOutput, resources: o.Resources) -> None:
    """Describe a click log, and what to settle before using it.

    Which columns are what; then a line each, with its figure: impressions without clicks, where positions begin, what
    was returned and not displayed, copies, users who behave like no person, lists that the user sorted; and the command
    to go on with. What contradicts itself is an error that names an impression.

    Examples:
        sqlrank log inspect log.parquet
        sqlrank log inspect log.csv --format json
    """
    from sqlrank.log import inspect

    if output.format not in ("table", "json"):
        raise not_known("--format", output.format, ("table", "json"))
    found = inspect(inputs.log, **o.given(inputs, counted, resources))
    show(found.to_json() if output.format == "json" else str(found))


def log_judgments_command(
    inputs: Log,
    counted: Counted,
    labels: Labels,
    alpha: o.Alpha,
    taken: TakenAway,
    output: o.TableOutput,
    resources: o.Resources,
) -> None:
    """Estimate relevance judgments from clicks.

    A label for each query and document, with its interval: judgments as eval, compare, pool and agreement read them. A
    Parquet file says which systems, days and method they are of.

    Examples:
        sqlrank log judgments log.parquet -o judgments.parquet
        sqlrank log judgments log.parquet --method ctr --min-impressions 50 -o judgments.csv
        sqlrank log judgments log.parquet --propensities propensities.csv --exclude-bots -o judgments.parquet
        sqlrank log judgments shop.log --sql --dialect spark
    """
    if taken.sql:
        check_no_output(output)
        show_judgments_sql(inputs, counted, labels, alpha, taken)
        return
    if others := [name for name in ("dialect", "step", "day") if getattr(taken, name) is not None]:
        raise UsageError(f"--{others[0]} is for --sql")
    from sqlrank.log import judgments
    from sqlrank.output.behaviour import check_kind, write_judgments
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, counted, labels, alpha, resources), Outputs(output)
    check_kind(outputs.kind)
    paths = input_files(inputs.log, labels.propensities, settings)
    with (
        opened([outputs.file], paths) as writes,
        judgments(inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        write_judgments(result, outputs.destination)
        plain = [WITHOUT_ORIGIN] if outputs.file is not None and outputs.kind != "parquet" else []
        outputs.tell([*result.notes, *plain], result.remarks)


def show_judgments_sql(inputs: Log, counted: Counted, labels: Labels, alpha: o.Alpha, taken: TakenAway) -> None:
    """Print the statement; UsageError for what it has no place for."""
    from sqlrank.log import judgments_sql

    settings = o.given(inputs, counted, labels, alpha)
    if refused := [name for name in ONLY_HERE if settings.get(name) is not None]:
        raise UsageError(f"--sql: leave out {ONLY_HERE[refused[0]]}, which is for files")
    asked = {name: getattr(taken, name) for name in ("dialect", "step", "day") if getattr(taken, name) is not None}
    if len(inputs.log) > 1:
        raise UsageError(f"--sql reads one relation, not {' and '.join(inputs.log)}")
    show_statement(judgments_sql(inputs.log[0], **settings, **asked).rstrip() + "\n")


def log_propensities_command(
    inputs: Log, counted: Counted, examined: Examined, alpha: o.Alpha, output: o.TableOutput, resources: o.Resources
) -> None:
    """Estimate examination propensities by position.

    Beside the first position, with intervals. It is refused where positions share no documents, or where learning from
    two starts ends in two places: no log of one ranker says how far down people look.

    Examples:
        sqlrank log propensities log.parquet -o propensities.csv
        sqlrank log propensities log.parquet --method allpairs
    """
    from sqlrank.log import propensities
    from sqlrank.output.behaviour import check_kind, write_propensities
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, counted, examined, alpha, resources), Outputs(output)
    check_kind(outputs.kind)
    with (
        opened([outputs.file], input_files(inputs.log, None, settings)) as writes,
        propensities(inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        write_propensities(result, outputs.destination)
        outputs.tell(result.notes, result.remarks)
