"""Options in groups: declared once, converted once, and passed on under the names of the Python interface."""

from __future__ import annotations

import inspect
import re
from itertools import combinations
from operator import attrgetter

import pytest

import sqlrank
import sqlrank.log
from sqlrank.cli import options as o
from sqlrank.cli.application import command_of, function_of
from sqlrank.cli.commands import COMMANDS
from sqlrank.cli.export import ChartStatement
from sqlrank.cli.groups import Group, flag, option, repeated, takes_groups
from sqlrank.cli.inspect import InspectOutput
from sqlrank.cli.log import TakenAway
from sqlrank.cli.pages import Titled
from sqlrank.cli.plan import Planning
from sqlrank.errors import UsageError
from sqlrank.options.texts import whole
from tests.support.cli_helper import run_cli
from tests.support.tables import each


class Size(Group, heading="Size"):
    """How much."""

    count: int = option("N", "How many", 3, convert=whole(1, 9))
    limit: int | None = option("N", "At most", convert=whole())


class Speaker(Size):
    """Who says it."""

    names: list[str] | None = repeated("NAME", "Who", passed=False, flags="--name -n")
    loud: bool | None = flag("Not loud", given=False, default=None, flags="--quietly")
    count: int = option("N", "How often", 2, convert=whole(1, 9))


SEEN: list[Speaker] = []


def say(speaker: Speaker) -> None:
    """Say it."""
    SEEN.append(speaker)


def test_a_command_gets_one_object_per_group_with_converted_values() -> None:
    takes_groups(say)(count="5", limit=None, names=["a", "b"], loud=True)
    speaker = SEEN.pop()

    assert (speaker.count, speaker.limit, speaker.names, speaker.loud) == (5, None, ["a", "b"], False)
    assert speaker.given() == {"count": 5, "loud": False}


def test_what_is_not_given_is_the_default() -> None:
    takes_groups(say)(count=None, limit=None, names=None, loud=False)
    speaker = SEEN.pop()
    assert (speaker.count, speaker.limit, speaker.names, speaker.loud) == (2, None, None, None)
    assert speaker.given() == {"count": 2}


def test_a_group_has_its_own_options_before_those_it_is_made_of() -> None:
    assert list(inspect.signature(takes_groups(say)).parameters) == ["names", "loud", "count", "limit"]


@each([("x", "--count: 'x' is not a whole number"), ("0", "--count 0: give 1 to 9"), ("1.5", "is not a whole number")])
def test_a_wrong_number_is_a_usage_error(case: tuple[str, str]) -> None:
    count, said = case
    with pytest.raises(UsageError, match=said):
        takes_groups(say)(count=count, limit=None, names=None, loud=False)


@each(
    [
        ("eval", "evaluate"),
        ("sql", "sql"),
        ("macros", "macros"),
        ("gsb", "gsb"),
        ("pool", "pool"),
        ("monitor", "monitor"),
        ("compare", "compare"),
        ("agreement", "agreement"),
        ("inspect", "inspect"),
        *((f"log {name}", f"log.{name}") for name in ("inspect", "judgments", "propensities")),
        *((f"log {name}", f"log.{name}") for name in ("interleave", "arms", "value")),
    ]
)
def test_what_is_passed_on_is_an_argument_of_the_python_interface(case: tuple[str, str]) -> None:
    command, function = case
    groups = inspect.get_annotations(function_of(command), eval_str=True)
    del groups["return"]
    passed = {
        name
        for group in groups.values()
        if not issubclass(group, o.Output | o.Junit | InspectOutput | TakenAway | ChartStatement | Titled | Planning)
        for name, declaration in group.declarations().items()
        if declaration.passed
    }

    assert passed <= set(inspect.signature(attrgetter(function)(sqlrank)).parameters)


def test_options_of_charts_are_arguments_of_their_statement() -> None:
    passed = ChartStatement.declarations().keys() - {"monitor"}
    assert passed <= set(inspect.signature(sqlrank.monitor_sql).parameters)


NAMESAKES = {"log judgments": {"like", "day"}, "pool": {"depth"}, "explain": {"rows", "system"}, "compare": {"system"}}
"""Options that mean something else than those of the same name in other commands."""


def test_the_same_options_stand_under_the_same_headings_in_the_same_order() -> None:
    places: dict[str, dict[str, str]] = {}
    for command in COMMANDS:
        shown = [each for each in command_of(command).params if each.name not in NAMESAKES.get(command, ())]
        places[command] = {each.name: each.rich_help_panel for each in shown if each.param_type_name == "option"}
    for one, other in combinations(places.values(), 2):
        shared = [name for name in one if name in other]
        assert [(name, one[name]) for name in shared] == [(name, other[name]) for name in other if name in one]


@each(list(COMMANDS))
def test_an_option_is_in_the_help_once(name: str) -> None:
    flags = re.findall(r"^  (?:-\w, )?(--[\w-]+)", run_cli(*name.split(), "--help-all").out, re.MULTILINE)

    assert len(flags) == len(set(flags))


def test_help_says_what_may_be_left_out_and_whether_a_baseline_is_a_run_days_or_a_name() -> None:
    for command, shown in (
        ("metrics", "\n  [NAME] "),
        ("sql", "\n  RUN "),
        ("eval", "--baseline-run FILE"),
        ("monitor", "--baseline-days A..B"),
        ("compare", "--baseline NAME"),
    ):
        assert shown in run_cli(command, "--help-all").out
