"""The command that estimates what rankings would have earned in place of what a log shows."""

from __future__ import annotations

from typing import Any

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, flag, repeated
from sqlrank.cli.log import Counted, Log, TakenAway
from sqlrank.cli.pages import Titled
from sqlrank.cli.terminal import Outputs, check_no_output, input_files, show_statement
from sqlrank.counterfactual.options import Estimates, RunColumns, Supported, ValueOptions, ValueStatement
from sqlrank.errors import UsageError
from sqlrank.options.shared import Statement


class Valued(Log, takes=[RunColumns]):
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


class Estimated(Group, heading="Method", takes=[Estimates, Supported]):
    """How values are estimated, and what is refused."""


class ValueTakenAway(TakenAway, takes=[Statement]):
    """The statement of a value for another engine."""

    sql: bool = flag(
        "Print the statement of item-position or pbm over relations of another session", passed=False, common=True
    )


def log_value_command(
    inputs: Valued,
    counted: Counted,
    estimated: Estimated,
    alpha: o.Alpha,
    taken: ValueTakenAway,
    output: o.LogOutput,
    report: Titled,
    resources: o.Resources,
) -> None:
    """Off-policy evaluation: estimate clicks under another ranking.

    The value is the expected reward per impression, by default in clicks, if RUN replaced the rankings of the log. It
    uses the log's own variety, where several rankers or chance ordered it, or the propensities that it holds. Each
    value comes with the user model that it assumes, the share of RUN that the log supports, and the effective number
    of impressions. There is no value where these are too small.

    Examples:
        sqlrank log value run.csv --log log.parquet --propensities propensities.csv --estimator pbm
        sqlrank log value old=old.csv new=new.csv --log log.parquet --interval bootstrap
        sqlrank log value run.csv --log log.parquet --estimator ips_dcg@10 --estimator snips_dcg@10
        sqlrank log value search.ranked --log shop.log --sql --dialect spark
    """
    from sqlrank.counterfactual.flow import value
    from sqlrank.process.output_files import opened

    if not inputs.log:
        raise UsageError("give the log that RUN is valued on with --log LOG")
    if taken.sql:
        check_no_output(output)
        show_value_sql(inputs, o.given(inputs, counted, estimated, alpha), taken)
        return
    taken.check_asked()
    settings, outputs = o.given(inputs, counted, estimated, alpha, resources), Outputs(output, report=report)
    outputs.check("Values")
    paths = input_files([*inputs.run, *inputs.log], None, settings)
    paths += [settings[name] for name in ("propensities", "expected") if name in settings]
    with (
        opened(outputs.files, paths) as writes,
        value(inputs.run, inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        outputs.write(result)
        outputs.tell(result.notes, result.remarks)


def show_value_sql(inputs: Valued, settings: dict[str, Any], taken: TakenAway) -> None:
    """Print the statement; UsageError for what it has no place for."""
    from sqlrank.export.value_statement import value_sql

    estimators = settings.pop("estimators", ["item-position"])
    for given in (inputs.run, inputs.log, estimators):
        if len(given) > 1:
            raise UsageError(f"--sql values one ranking on one log by one estimator, not by {' and '.join(given)}")
    asked = taken.carried(settings, ValueOptions, ValueStatement)
    show_statement(value_sql(inputs.run[0], inputs.log[0], estimator=estimators[0], **asked))
