"""The command that estimates what rankings would have earned in place of what a log shows."""

from __future__ import annotations

from sqlrank.choices import DIALECTS, VALUE_ESTIMATORS, VALUE_INTERVALS
from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, flag, option, repeated
from sqlrank.cli.log import ONLY_HERE, Counted, Log
from sqlrank.cli.terminal import Outputs, check_no_output, input_files, show_statement
from sqlrank.cli.values import number, roles, whole
from sqlrank.errors import UsageError

NOT_IN_SQL = ONLY_HERE | {
    "expected": "--expected",
    "clip": "--clip",
    "anyway": "--anyway",
    "interval": "--interval",
    "iterations": "--iterations",
    "seed": "--seed",
    "alpha": "--alpha",
}
"""The options that a statement has no place for."""


class Valued(Log):
    """What is valued, and the log that it is valued on."""

    run: list[str] = argument(
        "RUN",
        "Rows of query_id, doc_id and score (or rank); or a policy, with query_id, doc_id, position and propensity, the"
        " probability that it shows the document there. A file, quoted glob, directory or URL; name=path names it",
        several=True,
    )
    log: list[str] = repeated(
        "LOG",
        "What was shown and clicked, as log judgments takes it; it may hold the propensity of what was shown, of its "
        "prefix (propensity_prefix) or of the list (propensity_list)",
        passed=False,
        common=True,
    )
    columns: dict[str, str] | None = o.column_option(
        "Column of LOG for impression_id, query_id, doc_id, position, clicked, user_id, session_id, time, system, "
        "application, seen, dwell, cart, purchase, page, sort, is_ad, is_bot, shown, clicks, propensity, "
        "propensity_prefix or propensity_list"
    )
    run_columns: dict[str, str] | None = repeated(
        "ROLE=NAME",
        "Column of RUN for query_id, doc_id, score, rank, system; or of a policy; repeatable",
        convert=roles,
        flags="--run-column",
        common=True,
    )


class Estimated(Group, heading="Estimates"):
    """How values are estimated, and what is refused."""

    estimators: list[str] | None = repeated(
        "NAME",
        f"How: {', '.join(VALUE_ESTIMATORS)}, or gains from clicks, ips_dcg@K and snips_dcg@K; repeatable",
        shown="item-position, and pbm with --propensities",
        words=(),
        flags="--estimator",
        common=True,
    )
    propensities: str | None = option(
        "FILE",
        "Examination propensities by position, for pbm and gains: columns position, propensity",
        shown="estimated from LOG",
        common=True,
    )
    expected: str | None = option("FILE", "Reward model for dr: columns doc_id, reward", shown="estimated from LOG")
    clip: float | None = option("N", "Cap for importance weights", shown="none", convert=number)
    min_impressions: int | None = option(
        "N", "Minimum impressions of a document at a position for it to count as supported", shown="5", convert=whole(1)
    )
    min_support: float | None = option(
        "P", "Minimum supported share of the positions of RUN, weighted by reward", shown="0.8", convert=number
    )
    anyway: bool = flag("Print values that the log does not support, with a note on each")
    interval: str | None = option(
        "WORD",
        "Intervals of what is independent: users, else sessions, else impressions\n"
        "delta: linear in what each adds\n"
        "bootstrap: percentiles, with propensities of each replicate\n"
        "student: a lower bound in place of an interval\n"
        "bernstein: the same, of few impressions\n"
        "hoeffding: the same, of few impressions",
        shown="delta",
        words=VALUE_INTERVALS,
        common=True,
    )
    iterations: int | None = option("N", "Replicates of the bootstrap", shown="1000", convert=whole(1))
    seed: int | None = option("N", "Seed of their random numbers", shown="0", convert=whole())


class TakenAway(Group, heading="SQL to take away"):
    """The statement for another engine."""

    sql: bool = flag(
        "Print the statement of item-position or pbm over relations of another session", passed=False, common=True
    )
    dialect: str | None = option(
        "DIALECT", "The engine that will run it", shown="duckdb", words=DIALECTS, passed=False, common=True
    )


def log_value_command(
    inputs: Valued,
    counted: Counted,
    estimated: Estimated,
    alpha: o.Alpha,
    taken: TakenAway,
    output: o.TableOutput,
    resources: o.Resources,
) -> None:
    """Off-policy evaluation: estimate clicks under another ranking.

    In place of those that a log shows, for each impression, by default in clicks: by the log's own variety where
    several rankers or chance ordered it, or by propensities that it holds. Beside each value stand the user model it
    takes for granted, how much of what RUN would show the log has shown, and how many impressions its weights are
    worth; where that is too little there is no value.

    Examples:
        sqlrank log value run.csv --log log.parquet --propensities propensities.csv --estimator pbm
        sqlrank log value old=old.csv new=new.csv --log log.parquet --interval bootstrap
        sqlrank log value run.csv --log log.parquet --estimator ips_dcg@10 --estimator snips_dcg@10
        sqlrank log value search.ranked --log shop.log --sql --dialect spark
    """
    from sqlrank.log import value
    from sqlrank.output.behaviour import check_kind
    from sqlrank.output.values import write_values
    from sqlrank.process.output_files import opened

    if not inputs.log:
        raise UsageError("give the log that RUN is valued on with --log LOG")
    if taken.sql:
        show_value_sql(inputs, counted, estimated, alpha, taken, output)
        return
    if taken.dialect is not None:
        raise UsageError("--dialect is for --sql")
    settings, outputs = o.given(inputs, counted, estimated, alpha, resources), Outputs(output)
    check_kind(outputs.kind)
    paths = input_files([*inputs.run, *inputs.log], None, settings)
    paths += [path for path in (estimated.propensities, estimated.expected) if path is not None]
    with (
        opened([outputs.file], paths) as writes,
        value(inputs.run, inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        write_values(result, outputs.destination)
        outputs.tell(result.notes, result.remarks)


def show_value_sql(
    inputs: Valued, counted: Counted, estimated: Estimated, alpha: o.Alpha, taken: TakenAway, output: o.TableOutput
) -> None:
    """Print the statement; UsageError for what it has no place for."""
    from sqlrank.log import value_sql

    check_no_output(output)
    settings = o.given(inputs, counted, estimated, alpha)
    if refused := [name for name in NOT_IN_SQL if settings.get(name)]:
        raise UsageError(f"--sql: leave out {NOT_IN_SQL[refused[0]]}, which is for files")
    estimators = settings.pop("estimators", ["item-position"])
    for given in (inputs.run, inputs.log, estimators):
        if len(given) > 1:
            raise UsageError(f"--sql values one ranking on one log by one estimator, not by {' and '.join(given)}")
    settings = {name: value for name, value in settings.items() if name not in NOT_IN_SQL}
    settings |= {} if taken.dialect is None else {"dialect": taken.dialect}
    show_statement(value_sql(inputs.run[0], inputs.log[0], estimator=estimators[0], **settings))
