"""Options, declared once: calls, help and refusals say the same in Python and in the shell."""

import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

import pytest

import sqlrank
import sqlrank.log
from sqlrank.behaviour.options import JudgmentOptions, JudgmentStatement, LogOptions, PropensityOptions
from sqlrank.cli.application import command_of
from sqlrank.cli.commands import COMMANDS
from sqlrank.cli.groups import Group, takes_groups
from sqlrank.comparison.options import CompareOptions, LikenessOptions
from sqlrank.counterfactual.options import ValueOptions, ValueStatement
from sqlrank.errors import UsageError, on_the_command_line
from sqlrank.evaluation.options import EvaluateOptions
from sqlrank.experiments.options import ArmOptions
from sqlrank.export.options import ChartOptions, MacroOptions, SqlOptions
from sqlrank.interleaving.options import InterleaveOptions, VoteStatement
from sqlrank.judging.options import AgreementOptions, GsbOptions, PoolOptions
from sqlrank.monitoring.options import MonitorOptions
from sqlrank.options.declared import documented, flag, option, options_of
from sqlrank.options.kinds import NUMBER, ROLES, TEXTS, WHOLE
from sqlrank.options.reports import ReportOptions
from tests.support.cli_helper import error_of
from tests.support.tables import each, hold

CALLS: list[tuple[Callable[..., Any], type]] = [
    (sqlrank.evaluate, EvaluateOptions),
    (sqlrank.Evaluator.__init__, EvaluateOptions),
    (sqlrank.compare, CompareOptions),
    (sqlrank.likeness, LikenessOptions),
    (sqlrank.gsb, GsbOptions),
    (sqlrank.agreement, AgreementOptions),
    (sqlrank.pool, PoolOptions),
    (sqlrank.monitor, MonitorOptions),
    (sqlrank.monitor_sql, ChartOptions),
    (sqlrank.sql, SqlOptions),
    (sqlrank.macros, MacroOptions),
    (sqlrank.Result.report, ReportOptions),
    (sqlrank.log.inspect, LogOptions),
    (sqlrank.log.judgments, JudgmentOptions),
    (sqlrank.log.judgments_sql, JudgmentStatement),
    (sqlrank.log.propensities, PropensityOptions),
    (sqlrank.log.interleave, InterleaveOptions),
    (sqlrank.log.interleave_sql, VoteStatement),
    (sqlrank.log.arms, ArmOptions),
    (sqlrank.log.value, ValueOptions),
    (sqlrank.log.value_sql, ValueStatement),
]


class Counted(TypedDict, total=False):
    """What is counted."""

    parts: Annotated[int, option("N", "Largest number, see {names}; repeatable", WHOLE, 3, least=1, most=9)]
    share: Annotated[float | None, option("P", "Share", NUMBER, above=0)]
    seed: Annotated[int, option("N", "Seed", WHOLE, 0)]
    rule: Annotated[str, option("WORD", "Rule\nold: as before\nnew: as now", default="old", words=("old", "new"))]
    names: Annotated[list[str] | None, option("NAME", "Names; repeatable", TEXTS, flags="--name", shown="all")]
    columns: Annotated[dict[str, str] | None, option("ROLE=NAME", "Columns", ROLES, flags="--column")]
    header: Annotated[bool, flag("No header", in_python="Header", given=False, default=True, flags="--no-header")]
    left: Annotated[str, option("WORD", "Left to others", default=..., shown="theirs")]


def count(**options: Any) -> None:
    """Count.

    Args:
        **options: those of counting.

    Returns:
        Nothing.
    """


def test_the_documentation_has_a_line_for_each_option() -> None:
    assert documented(count.__doc__ or "", Counted).splitlines() == [
        "Count.",
        "",
        "Args:",
        "    parts: Largest number, see `names`. Default: `3`.",
        "    share: Share.",
        "    seed: Seed. Default: `0`.",
        "    rule: Rule: `old`: as before; `new`: as now. Default: `old`.",
        "    names: Names. Default: all.",
        "    columns: Columns; a dictionary of column names by role, such as {'query_id': 'qid'}.",
        "    header: Header. Default: `True`.",
        "    left: Left to others. Default: theirs.",
        "",
        "Returns:",
        "    Nothing.",
    ]


class Counting(Group, heading="Counting", takes=[Counted]):
    """What is counted."""


TAKEN: list[Counting] = []


def run(counting: Counting) -> None:
    """Count."""
    TAKEN.append(counting)


def test_the_command_line_reads_texts_and_passes_on_what_was_given() -> None:
    texts = {"parts": "5", "share": None, "seed": None, "rule": "new", "names": ["a", "b"], "columns": ["query_id=q"]}
    with on_the_command_line():
        takes_groups(run)(**texts, header=True, left=None)

    expected = {"parts": 5, "rule": "new", "names": ["a", "b"], "columns": {"query_id": "q"}, "header": False}
    assert TAKEN.pop().given() == expected


REFUSED = [
    ("parts", 0, "parts=0: give 1 to 9", "--parts 0: give 1 to 9"),
    ("parts", 10, "parts=10: give 1 to 9", "--parts 10: give 1 to 9"),
    ("share", 0.0, "share=0: give a number above 0", "--share 0: give a number above 0"),
    ("rule", "nwe", "rule='nwe' is not known; did you mean new? (one of old, new)", "--rule nwe is not known"),
]


@each(REFUSED)
def test_what_is_out_of_range_is_refused_in_the_words_of_who_asked(case: tuple[str, Any, str, str]) -> None:
    name, value, in_python, in_the_shell = case
    item = options_of(Counted)[name]
    with pytest.raises(UsageError, match=re.escape(in_python)):
        item.taken(name, value)
    with on_the_command_line(), pytest.raises(UsageError, match=re.escape(in_the_shell)):
        item.checked(name, value)


def test_none_is_taken_where_it_is_the_default() -> None:
    options = options_of(Counted)
    assert options["share"].taken("share", None) is None
    with pytest.raises(UsageError, match="parts= takes a whole number, not None"):
        options["parts"].taken("parts", None)


class Late(TypedDict, total=False):
    """What a module with postponed annotations makes of a record."""

    most: "Annotated[int, option('N', 'Largest number')]"


def test_a_record_whose_annotations_are_texts_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Late\.most is declared as a text"):
        options_of(Late)


def test_help_shows_every_option_of_every_call() -> None:
    def check(number: int) -> None:
        call, record = CALLS[number]
        shown, found = inspect.signature(call).parameters, inspect.getdoc(call) or ""
        for name, item in options_of(record).items():
            assert shown[name].default is item.default, name
            assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY, name
            assert f"\n    {name}: " in found or call is sqlrank.Evaluator.__init__, name
        assert "**options" not in found
        assert not re.search(r"\{\w+\}", found)

    hold({f"{number} {call.__qualname__}": number for number, (call, _) in enumerate(CALLS)}, check)


@each(
    [
        ("log judgments log.csv", "--no-header"),
        ("log interleave log.csv", "--no-header"),
        ("log value run.csv --log log.csv", "--no-header"),
        ("log judgments log.csv", "--rounds 3"),
        ("log interleave log.csv", "--design balanced"),
        ("log value run.csv --log log.csv", "--clip 3"),
        ("log value run.csv --log log.csv", "--action a=click"),
    ]
)
def test_a_statement_refuses_what_it_has_no_place_for(case: tuple[str, str]) -> None:
    command, asked = case
    said = f"--sql: leave out {asked.split()[0]}, which a statement has no place for"
    assert said in error_of(2, *command.split(), "--sql", *asked.split())


def test_an_option_that_a_help_text_names_is_an_option() -> None:
    commands = [command_of(name) for name in COMMANDS]
    known = {flag for command in commands for each in command.params for flag in each.opts}
    for command in commands:
        for parameter in command.params:
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", parameter.help or ""))
            assert named <= known, (command.name, parameter.name)
