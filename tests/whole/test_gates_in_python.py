"""Gates as functions of Python: what the options of the command line say, by the same definition; none raises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import sqlrank
from tests.support.cli_helper import run_cli
from tests.support.reports import KEYWORD, QRELS, QUERIES, SEMANTIC
from tests.support.tables import hold

# The means are 0.5891 and 0.6456 of ndcg@10, 0.8782 and 0.8729 of rr; the interval of the latter's difference begins at
# -0.0386.
RUNS = [str(KEYWORD), str(SEMANTIC)]
ASKED: dict[str, Any] = {"qrels": str(QRELS), "metrics": ["ndcg@10", "rr", "hole@10"]}


@pytest.fixture(scope="module")
def result() -> Iterator[sqlrank.Result]:
    with sqlrank.evaluate(RUNS, **ASKED) as made:
        yield made


def test_values_are_held_to_floors(result: sqlrank.Result) -> None:
    def check(case: tuple[Any, list[str]]) -> None:
        floors, failed = case
        outcomes = result.check(floors)
        failures = [outcome.failure for outcome in outcomes if not outcome.holds]
        assert len(failures) == len(failed)
        assert all(str(one).startswith(start) for one, start in zip(failures, failed, strict=True))

    hold(
        [
            ("ndcg@10=0.5", []),
            ("ndcg@10=0.6", ["ndcg@10 of keyword is 0.5891, below 0.6"]),
            ({"ndcg@10": 0.6, "rr": 0.875}, ["ndcg@10 of keyword is 0.58", "rr of semantic is 0.87"]),
            (["ndcg@10=0.5", "rr=0.9"], ["rr of keyword is 0.87", "rr of semantic is 0.87"]),
        ],
        check,
    )


def test_segments_are_held_where_that_is_asked() -> None:
    with sqlrank.evaluate(RUNS[1], **ASKED, queries=str(QUERIES), by="country") as result:
        assert all(outcome.holds for outcome in result.check("ndcg@10=0.6"))
        failed = [outcome for outcome in result.check("ndcg@10=0.6", segments=True) if not outcome.holds]
    assert [outcome.name for outcome in failed] == ["ndcg@10 of semantic in country=de is at least 0.6"]


def test_differences_are_held_to_drops_and_margins() -> None:
    with sqlrank.compare(RUNS, **ASKED, margins={"rr": 0.05, "ndcg@10": 0.01}) as comparison:
        assert [outcome.holds for outcome in comparison.check({"rr": 0.01})] == [True]
        (lost,) = comparison.check("rr=0.001")
        assert str(lost.failure).startswith("rr of semantic drops by 0.00532")
        assert comparison.check("rr=0.001", confidently=True)[0].holds
        assert "false-alarm rate" in str(lost.power)
        assert [outcome.holds for outcome in comparison.check(not_worse_than={"rr": 0.05, "ndcg@10": 0.01})] == [
            True
        ] * 2


def test_the_words_are_those_of_the_command_line() -> None:
    failed = run_cli("compare", *RUNS, "--qrels", QRELS, "-m", "rr", "--fail-on-drop", "rr=0.001", "--quiet")
    with sqlrank.compare(RUNS, str(QRELS), "rr") as comparison:
        (lost,) = comparison.check("rr=0.001")
    assert (failed.code, failed.err) == (4, f"sqlrank: error: {lost.failure}\n")
    failed = run_cli("eval", *RUNS, "--qrels", QRELS, "-m", "rr", "--fail-under", "rr=0.875", "--quiet")
    with sqlrank.evaluate(RUNS, str(QRELS), "rr") as result:
        (low,) = [outcome for outcome in result.check("rr=0.875") if not outcome.holds]
    assert (failed.code, failed.err) == (4, f"sqlrank: error: {low.failure}\n")


def test_a_floor_that_cannot_be_meant_is_refused(result: sqlrank.Result) -> None:
    def check(case: tuple[Any, str]) -> None:
        asked, said = case
        with pytest.raises(sqlrank.UsageError) as refused:
            result.check(**asked)
        assert said in str(refused.value)

    hold(
        [
            ({"fail_under": "ndcg@10"}, "fail_under='ndcg@10': write METRIC=VALUE, for example ndcg@10=0.42"),
            ({"fail_under": "ndcg@10=high"}, "'high' is not a number"),
            ({"fail_under": {"ap": 0.1}}, "ap was not evaluated"),
            (
                {"fail_under": "hole@10=0.1"},
                "lower hole is better, and gates and margins are for metrics of which higher is better",
            ),
            ({"fail_under": "rr=0.1", "segments": True}, "segments=True: there are no segments; give by=COLUMN"),
            ({"fail_under": 3}, "fail_under= takes a text such as 'ndcg@10=0.4', a list of them, or a dictionary"),
        ],
        check,
    )


def test_a_gate_on_differences_that_cannot_be_meant_is_refused() -> None:
    comparison = sqlrank.compare(RUNS, **ASKED, margins={"rr": 0.05})

    def check(case: tuple[Any, str]) -> None:
        asked, said = case
        with pytest.raises(sqlrank.UsageError) as refused:
            comparison.check(**asked)
        assert said in str(refused.value)

    hold(
        [
            ({}, "there is no gate; give fail_on_drop= or not_worse_than="),
            ({"not_worse_than": "rr=0.1"}, "is tested while systems are compared: compare with margins={'rr': '0.1'}"),
            ({"not_worse_than": "rr=0"}, "a margin is above 0"),
            ({"not_worse_than": "rr=0.05", "confidently": True}, "confidently= is for fail_on_drop=: give that too"),
            ({"fail_on_drop": "ap=0.1"}, "ap was not compared"),
            ({"fail_on_drop": "rr=x"}, "x is not a number, nor a share such as 1%"),
        ],
        check,
    )
