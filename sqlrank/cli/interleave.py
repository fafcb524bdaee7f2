"""The command for interleaved lists."""

from __future__ import annotations

from typing import Any

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, flag, option
from sqlrank.cli.log import Counted, Log, TakenAway
from sqlrank.cli.pages import Titled
from sqlrank.cli.terminal import Outputs, check_no_output, input_files, output_file, show_statement
from sqlrank.errors import UsageError
from sqlrank.interleaving import options
from sqlrank.interleaving.options import Designs, InterleaveOptions, Teams, Votes, VoteStatement
from sqlrank.options.texts import number


class Voted(Group, heading="Votes", takes=[Votes, Designs]):
    """How votes are made of clicks."""


class Tested(Group, heading="Significance", takes=[options.Tested]):
    """How preferences are tested."""


class VotesTakenAway(TakenAway, takes=[Teams]):
    """The statement of votes for another engine."""

    sql: bool = flag(
        "Print the statement over a relation of another session, of team drafts", passed=False, common=True
    )


class VoteGates(o.Junit):
    """What the rankers must hold against the baseline."""

    not_worse_than: float | None = option(
        "N",
        "Exit with code 4 unless the interval shows every ranker to be less than N below the baseline in delta_ab",
        convert=number,
        passed=False,
        common=True,
    )
    fail_on_drop: float | None = option(
        "N",
        "Exit with code 4 if delta_ab of any ranker is below -N",
        convert=number,
        passed=False,
        common=True,
    )


def log_interleave_command(
    inputs: Log,
    counted: Counted,
    voted: Voted,
    tested: Tested,
    taken: VotesTakenAway,
    output: o.LogOutput,
    report: Titled,
    gates: VoteGates,
    resources: o.Resources,
) -> None:
    """Test which ranker users prefer in an interleaving experiment.

    Each list has picks of several rankers, and clicks on its picks are a ranker's credit. Each user votes for the
    ranker with more credit; delta_ab = (wins of a + ties / 2) / votes - 1/2. The draft is checked first: unfair coins,
    lists that are not drafts, and a ranker that changed half-way are refused.

    Examples:
        sqlrank log interleave interleaved.parquet
        sqlrank log interleave interleaved.parquet --credit cart=3,purchase=10 --by device
        sqlrank log interleave interleaved.parquet --baseline A --not-worse-than 0.02
        sqlrank log interleave shop.lists --sql --dialect spark
    """
    if taken.sql:
        check_no_output(output)
        show_votes_sql(inputs, o.given(inputs, counted, voted, tested), taken)
        return
    taken.check_asked()
    from sqlrank.cli.outcomes import conclude
    from sqlrank.interleaving.flow import interleave
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, counted, voted, tested, resources), Outputs(output, report=report)
    bounds = {"not_worse_than": gates.not_worse_than, "fail_on_drop": gates.fail_on_drop}
    told = {name: value for name, value in bounds.items() if value is not None}
    check_gates(told, settings.get("baseline"), gates.junit is not None)
    junit = output_file(gates.junit)
    with (
        opened([*outputs.files, junit], input_files(inputs.log, None, settings)) as writes,
        interleave(inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        outcomes = result.held_to(**told)
        outputs.write(result, gates=outcomes)
        outputs.tell(result.notes, result.remarks)
        conclude(outcomes, "log interleave", junit)


def check_gates(told: dict[str, float], baseline: str | None, junit: bool) -> None:
    """Raise UsageError for gates that cannot be meant."""
    if told and baseline is None:
        raise UsageError(f"--{next(iter(told)).replace('_', '-')} is against a baseline: give --baseline NAME")
    if told.get("not_worse_than", 1) <= 0:
        raise UsageError("--not-worse-than: a margin is above 0")
    if junit and not told:
        raise UsageError("--junit reports on gates: give --not-worse-than or --fail-on-drop too")


def show_votes_sql(inputs: Log, settings: dict[str, Any], taken: TakenAway) -> None:
    """Print the statement; UsageError for what it has no place for."""
    from sqlrank.export.interleaving_statement import interleave_sql

    asked = taken.carried(settings, InterleaveOptions, VoteStatement)
    if len(inputs.log) > 1:
        raise UsageError(f"--sql reads one relation, not {' and '.join(inputs.log)}")
    show_statement(interleave_sql(inputs.log[0], **asked).rstrip() + "\n")
