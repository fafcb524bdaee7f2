"""Metrics of which less is better: a fall is a gain in votes, verdicts and tones, and gates refuse them by name."""

from __future__ import annotations

from typing import Any

import pytest

import sqlrank
from sqlrank.errors import UsageError
from sqlrank.output.comparison import tone_of
from tests.support.cli_helper import run_cli

QUERIES = [f"q{number}" for number in range(12)]
QRELS = {query: {"a": 1, "b": 0, "c": 0} for query in QUERIES}
FIRST = {query: {"a": 3.0, "b": 2.0, "c": 1.0} for query in QUERIES}
LAST = {query: {"a": 1.0, "b": 2.0, "c": 3.0} for query in QUERIES[1:]} | {QUERIES[0]: FIRST[QUERIES[0]]}
UNJUDGED = {query: {"x": 3.0, "a": 2.0} for query in QUERIES[1:]} | {QUERIES[0]: FIRST[QUERIES[0]]}


def compared(baseline: Any, candidate: Any, metric: str, **options: Any) -> Any:
    """The row of a metric."""
    systems = {"old": baseline, "new": candidate}
    with sqlrank.compare(systems=systems, qrels=QRELS, metrics=[metric], **options) as comparison:
        return comparison[metric], comparison.remarks()


@pytest.mark.parametrize(("metric", "better"), [("rr", "higher"), ("arp", "lower")])
@pytest.mark.parametrize("turned", [False, True])
def test_who_ranks_first_what_is_relevant_wins(metric: str, better: str, turned: bool) -> None:
    sides = (LAST, FIRST) if turned else (FIRST, LAST)
    row, remarks = compared(*sides, metric)
    votes = (row["wins"], row["ties"], row["losses"])
    assert votes == ((11, 1, 0) if turned else (0, 1, 11))
    assert row["delta_gsb"] == pytest.approx(11 / 12 if turned else -11 / 12)
    assert row["significant"]
    assert tone_of(row) == ("gain" if turned else "loss")
    assert (row["difference"] > 0) is (turned is (better == "higher"))
    assert ("arp: lower is better" in remarks) is (better == "lower")


def test_verdicts_under_sets_of_judgments_and_charts_know_it() -> None:
    sets = {"people": QRELS, "model": QRELS}
    with sqlrank.compare_judgments(None, sets, ["arp"], systems={"old": LAST, "new": FIRST}) as found:
        assert {row["verdict"] for row in found.all_rows} == {"better"}
        assert "arp: lower is better" in found.remarks()
    with sqlrank.compare(systems={"old": LAST, "new": FIRST}, qrels=QRELS, metrics=["arp"]) as comparison:
        sides = {row["side"] for row in comparison.plot.sorted_differences("arp").specification["data"]["values"]}
        assert sides == {"gain", "none"}
        assert [row["side"] for row in comparison.plot.differences().specification["data"]["values"]] == ["gain"]


def test_who_shows_what_nobody_judged_loses_by_its_holes_and_a_margin_is_refused() -> None:
    with pytest.raises(
        UsageError, match="lower arp is better, and gates and margins are for metrics of which higher is better"
    ):
        compared(FIRST, LAST, "arp", margins={"arp": 0.1})
    row, _ = compared(FIRST, UNJUDGED, "hole@2")
    assert row["difference"] > 0
    assert (row["wins"], row["losses"], tone_of(row)) == (0, 11, "loss")


@pytest.mark.parametrize("gate", ["--fail-on-drop", "--not-worse-than", "--fail-under"])
def test_a_gate_of_it_is_refused_before_anything_is_read(gate: str) -> None:
    runs = ["old.csv"] if gate == "--fail-under" else ["old.csv", "new.csv"]
    command = "eval" if gate == "--fail-under" else "compare"
    found = run_cli(command, *runs, "--qrels", "qrels.csv", gate, "hole@10=0.1")
    assert found.code == 2
    assert f"{gate} hole@10: lower hole is better" in found.err
