"""The command for interleaved lists."""

from __future__ import annotations

from typing import Any

from sqlrank.choices import CORRECTIONS, DESIGNS, DIALECTS, UNITS, VOTE_TESTS
from sqlrank.cli import options as o
from sqlrank.cli.completion import column_names
from sqlrank.cli.groups import Group, flag, option, repeated
from sqlrank.cli.log import ONLY_HERE, Counted, Log
from sqlrank.cli.terminal import Outputs, check_no_output, input_files, output_file, show_statement
from sqlrank.cli.values import names, number, whole
from sqlrank.errors import UsageError

OF_STATEMENTS = (
    *("columns", "signal", "shown_depth", "position_base", "page_size", "exclude_bots", "sorted_too", "fold_queries"),
    *("where", "credit", "unit", "by", "alpha"),
)
"""The options that a statement has a place for."""


class Voted(Group, heading="Votes"):
    """How votes are made of clicks."""

    design: str | None = option(
        "WORD",
        "How lists were made\n"
        "team-draft: in turn, a coin says who begins each round; needs team, whose pick each document was\n"
        "balanced: in turn, without teams; needs rank_a and rank_b\n"
        "probabilistic: each pick drawn by its rank; needs rank_a, rank_b, length_a and length_b",
        shown="team-draft",
        words=DESIGNS,
    )
    credit: str | None = option(
        "WORD",
        "What clicks give a ranker: count, any, first, last, ACTION=WORTH,... such as cart=3,purchase=10, or of"
        " probabilistic lists win, the chance of more than half of the clicks",
        shown="count",
        common=True,
    )
    unit: str | None = option("WORD", "What votes", shown="the best that the log knows", words=UNITS)
    tau: float | None = option("N", "How fast the chance of a pick falls with its rank", shown="3", convert=number)
    baseline: str | None = option(
        "NAME", "The ranker that others are held against, as b", shown="all pairs", common=True
    )
    by: list[str] | None = repeated(
        "COLUMN",
        "Segment by this column: rows for each value, besides the total; repeatable",
        complete=column_names,
        common=True,
    )


class Tested(o.Alpha):
    """How preferences are tested."""

    test: str | None = option(
        "WORD",
        "The test\n"
        "sign: exact, where each unit stands for itself\n"
        "t: of the mean vote, clustered by user\n"
        "randomization: of all signs, or of those drawn for users, and of t",
        shown="randomization or t",
        words=VOTE_TESTS,
    )
    correction: str | None = option(
        "WORD", "Correction for multiple comparisons, over segments, and over pairs", shown="holm", words=CORRECTIONS
    )
    sequential: bool = flag("Always-valid interval and p value, for looking while the experiment runs", common=True)
    iterations: int | None = option("N", "Draws of --test randomization", shown="10000", convert=whole(1))
    seed: int | None = option("N", "Seed of these draws", shown="0", convert=whole(0))


class TakenAway(Group, heading="SQL to take away"):
    """The statement for another engine."""

    sql: bool = flag(
        "Print the statement over a relation of another session, of team drafts", passed=False, common=True
    )
    dialect: str | None = option(
        "DIALECT", "The engine that will run it", shown="duckdb", words=DIALECTS, passed=False, common=True
    )
    teams: list[str] | None = option(
        "A,B", "The two rankers of the statement", shown="A,B", convert=names, passed=False
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
    taken: TakenAway,
    output: o.TableOutput,
    gates: VoteGates,
    resources: o.Resources,
) -> None:
    """Test which ranker users prefer in an interleaving experiment.

    Each list has picks of several rankers, and clicks on its picks are a ranker's credit. A vote for each user says who
    had more; delta_ab = (wins of a + ties / 2) / votes - 1/2. The draft is looked at first: coins that are not fair,
    lists that are no drafts, and a ranker that changed half-way are refused.

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
    if others := [name for name in ("dialect", "teams") if getattr(taken, name) is not None]:
        raise UsageError(f"--{others[0]} is for --sql")
    from sqlrank.cli.outcomes import conclude
    from sqlrank.log import interleave
    from sqlrank.output.interleaving import write_interleaved
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, counted, voted, tested, resources), Outputs(output)
    bounds = {"not_worse_than": gates.not_worse_than, "fail_on_drop": gates.fail_on_drop}
    told = {name: value for name, value in bounds.items() if value is not None}
    check_gates(told, voted.baseline, gates.junit is not None)
    report = output_file(gates.junit)
    with (
        opened([outputs.file, report], input_files(inputs.log, None, settings)) as writes,
        interleave(inputs.log, writes=writes, progress=output.progress, **settings) as result,
    ):
        outcomes = result.held_to(**told)
        write_interleaved(result, outputs.destination)
        outputs.tell(result.notes, result.remarks)
        conclude(outcomes, "log interleave", report)


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
    from sqlrank.log import interleave_sql

    settings = {name: value for name, value in settings.items() if value is not False}
    if refused := [name for name in settings if name not in OF_STATEMENTS]:
        raise UsageError(
            f"--sql: leave out {ONLY_HERE.get(refused[0], f'--{refused[0]}')}, which a statement has no place for"
        )
    if len(inputs.log) > 1:
        raise UsageError(f"--sql reads one relation, not {' and '.join(inputs.log)}")
    asked = {name: getattr(taken, name) for name in ("dialect", "teams") if getattr(taken, name) is not None}
    show_statement(interleave_sql(inputs.log[0], **settings, **asked).rstrip() + "\n")
