"""The first screen of a report: its sentences by hand, and against the numbers of random comparisons."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import sqlrank
from sqlrank.comparison.answers import Answer, answers_of
from sqlrank.pages.html import Verdict, Verdicts
from sqlrank.pages.words import words_of
from sqlrank.reports.comparison import ComparisonParts
from sqlrank.reports.evaluation import EvaluationParts
from sqlrank.reports.report_settings import Settings
from sqlrank.reports.tables import matrix_cell
from sqlrank.statistics.verdict import BETTER, DIFFERS, UNDECIDED, WITHHELD, WORSE

Rankings = dict[str, dict[str, float]]

SAID = re.compile(
    r"(?P<claim>better|worse|no evidence of a difference) in (?P<name>\S+): "
    r"(?P<value>[+-][\d.]+)"
    r"(?: \(95 % interval (?P<low>[+-][\d.]+) to (?P<high>[+-][\d.]+)\))?"
)
"""What is said of a metric or of a market."""


def first_screen(result: Any) -> list[Verdict]:
    """The statements of the first screen."""
    parts = EvaluationParts if isinstance(result, sqlrank.Result) else ComparisonParts
    said = parts(result, Settings()).verdict()[0]
    assert isinstance(said, Verdicts)
    return list(said.items)


def two(number: int, place: Any) -> tuple[dict[str, Rankings], Rankings]:
    """Systems whose one relevant document stands at rank 2 in `old`, and at that which `place` gives in `new`."""
    docs = [f"d{rank}" for rank in range(10)]
    old = {f"q{query:03}": {doc: -float(rank) for rank, doc in enumerate(docs)} for query in range(number)}
    new = {}
    for query in range(number):
        others = [doc for doc in docs if doc != "d1"]
        others.insert(place(query) - 1, "d1")
        new[f"q{query:03}"] = {doc: -float(rank) for rank, doc in enumerate(others)}
    return {"old": old, "new": new}, {query: {"d1": 1} for query in old}


def segments(number: int, of: Any) -> list[dict[str, str]]:
    """The market of each query."""
    return [{"query_id": f"q{query:03}", "market": of(query)} for query in range(number)]


def compared(systems: dict[str, Rankings], qrels: Rankings, of: Any, **options: Any) -> Any:
    """A comparison by market."""
    pandas = pytest.importorskip("pandas")
    queries = pandas.DataFrame(segments(len(qrels), of))
    return sqlrank.compare(systems=systems, qrels=qrels, queries=queries, by="market", seed=1, **options)


def test_a_gain_with_a_market_that_loses_is_said_in_that_order() -> None:
    # in fr 1 - 1/2, .5 and .5 by turns with 0; in de 1/3, 1/4 and 1/5 less 1/2
    systems, qrels = two(90, lambda query: 3 + query % 3 if query < 30 else 1 + (query % 3 == 0))
    with compared(systems, qrels, lambda query: "de" if query < 30 else "fr", metrics=["rr", "p@1"]) as made:
        (said,) = first_screen(made)

    assert (said.text, said.tone) == ("new is better than old in rr", "gain")
    total, loss = (40 * 0.5 + 10 * (1 / 3 + 1 / 4 + 1 / 5 - 3 / 2)) / 90, (1 / 3 + 1 / 4 + 1 / 5) / 3 - 1 / 2
    assert said.detail.startswith(f"{total:+.4f} (95 % interval +0.")
    assert said.detail.endswith("90 queries")
    assert [line.tone for line in said.lines] == ["loss", "gain"]
    assert said.lines[0].text.startswith(f"worse in de: {loss:+.4f} (95 % interval -0.")
    assert said.lines[0].text.endswith(", 30 queries")
    assert said.lines[1].text.startswith(f"better in p@1: {40 / 90:+.4f} (95 % interval +0.")


def test_differences_that_are_all_alike_are_no_evidence() -> None:
    systems, qrels = two(40, lambda query: 1)
    with compared(systems, qrels, lambda query: "de", metrics=["rr"]) as made:
        (said,) = first_screen(made)

    assert (said.text, said.tone) == ("no evidence of a difference between new and old in rr", "")


def test_a_total_against_its_segments_stands_in_the_verdict() -> None:
    # each market goes up, and the markets have other shares of the queries of each side
    def answer(*decided: bool) -> Answer:
        rows = [
            {"is_total": number == 0, "baseline": "old", "system": "new", "metric": "rr", "difference": difference}
            | {"ci_low": difference - 0.05, "ci_high": difference + 0.05, "significant": significant}
            | {"sqlrank_better": "higher"}
            for number, (difference, significant) in enumerate(zip((-0.1, 0.1, 0.2, -0.1), decided, strict=True))
        ]
        return answers_of(rows)[0]

    assert (answer(True, True, True, True).claim, answer(True, True, True, True).opposite) == (WORSE, (2, 3))
    assert [row["difference"] for row in answer(True, True, True, True).against] == [0.2, 0.1]
    for decided in ((True, True, False, True), (False, True, True, True), (False,) * 4):
        assert answer(*decided).opposite is None


@pytest.mark.parametrize(
    ("significant", "difference", "better", "claim"),
    [
        (True, 0.1, "higher", BETTER),
        (True, -0.1, "higher", WORSE),
        (True, -0.1, "lower", BETTER),
        (True, -0.1, "neither", DIFFERS),
        (False, 0.1, "higher", UNDECIDED),
        (None, 0.1, "higher", UNDECIDED),
    ],
)
def test_a_claim_is_the_verdict_of_what_was_found(
    significant: bool | None, difference: float, better: str, claim: str
) -> None:
    row = {"is_total": True, "baseline": "a", "system": "b", "metric": "rr", "difference": difference}
    row |= {"significant": significant, "sqlrank_better": better}
    assert answers_of([row])[0].claim == claim


def random_systems(draw: random.Random, number: int) -> tuple[dict[str, Rankings], Rankings, list[str]]:
    """Systems of different worth over queries of three markets, one of which may prefer another system."""
    queries = [f"q{query:03}" for query in range(draw.choice([8, 25, 60]))]
    markets = [draw.choice(["de", "fr", "us"]) for _ in queries]
    docs = [f"d{place}" for place in range(8)]
    qrels: Rankings = {query: {doc: draw.choice([0, 0, 1, 2]) for doc in docs} for query in queries}
    systems: dict[str, Rankings] = {}
    for place in range(number):
        worth = {market: draw.choice([0.0, 0.3, 1.0]) for market in ("de", "fr", "us")}
        systems[f"s{place}"] = {
            query: {doc: worth[market] * qrels[query][doc] + draw.random() for doc in docs}
            for query, market in zip(queries, markets, strict=True)
        }
    return systems, qrels, markets


def claim_by_hand(row: dict[str, Any]) -> str:
    """What a row bears out."""
    if not row["significant"]:
        return "no evidence of a difference"
    assert not row["ci_low"] < 0 < row["ci_high"]
    return "better" if row["difference"] > 0 else "worse"


def check_two(made: Any, said: Verdict) -> None:
    """Hold every sentence on two systems against the rows, and every row that is to be said against the sentences."""
    totals = {row["metric"]: row for row in made.all_rows if row["is_total"]}
    parts = {(row["metric"], row["market"]): row for row in made.all_rows if not row["is_total"]}
    metric = made.measures[0].text
    claim = claim_by_hand(totals[metric])
    assert said.text in (f"s1 is {claim} than s0 in {metric}", f"{claim} between s1 and s0 in {metric}")
    seen = {metric}
    for part in (part for line in said.lines for part in line.text.split("; ")):
        if (found := SAID.match(part)) is None:
            assert "goes" in part
            continue
        metric = found["name"] if found["name"] in totals else metric
        row = totals.get(found["name"]) or parts[metric, found["name"]]
        seen.add(found["name"] if found["name"] in totals else (metric, found["name"]))
        assert claim_by_hand(row) == found["claim"]
        assert found["value"] == f"{row['difference']:+.4f}"
        ends = (None, None) if row["ci_low"] is None else (f"{row['ci_low']:+.4f}", f"{row['ci_high']:+.4f}")
        assert (found["low"], found["high"]) == ends
    against = {
        key
        for key, row in parts.items()
        if claim_by_hand(row) in ("better", "worse") and claim_by_hand(row) != claim_by_hand(totals[key[0]])
    }
    assert seen == {*totals, *against}


def check_many(made: Any, said: Verdict) -> None:
    """Hold the sentences on many systems against the pairs."""
    apart = {
        (row["metric"], winner)
        for row in made.all_rows
        if row["is_total"] and row["significant"]
        for winner in [(row["system"], row["baseline"])[:: 1 if row["difference"] > 0 else -1]]
    }
    for text in (said.text, *(line.text for line in said.lines)):
        if found := re.match(r"(\w+) is better than all others in (\S+)$", text):
            best, metric = found.groups()
            assert all((metric, (best, other)) in apart for other in made.systems if other != best)
        elif found := re.match(r"(\w+) is first in (\S+), but cannot be told apart from (.*)$", text):
            best, metric, others = found.groups()
            same = set(others.split(", "))
            for other in set(made.systems) - {best}:
                assert ((metric, (best, other)) in apart) is (other not in same)
        elif found := re.match(r"no two systems can be told apart in (\S+)$", text):
            assert not any(metric == found[1] for metric, _ in apart)


@pytest.mark.parametrize("seed", range(30))
def test_no_sentence_says_more_than_the_numbers_bear(seed: int) -> None:
    draw = random.Random(seed)
    test = ["randomization", "t", "bootstrap", "wilcoxon", "sign"][seed % 5]
    for number in (2, 4):
        systems, qrels, markets = random_systems(draw, number)
        options = {"metrics": ["ndcg@5", "rr", "p@3"], "all_pairs": number > 2, "replicates": 200, "test": test}
        with compared(systems, qrels, lambda query, of=markets: of[query], **options) as made:
            (said,) = first_screen(made)
            (check_two if number == 2 else check_many)(made, said)


def test_one_system_says_its_values_its_worst_segments_and_what_they_rest_on() -> None:
    systems, qrels = two(40, lambda query: 1 if query < 30 else 2)
    pandas = pytest.importorskip("pandas")
    queries = pandas.DataFrame(segments(40, lambda query: "de" if query < 30 else "fr"))
    del systems["new"]["q000"]
    with sqlrank.evaluate(systems["new"], qrels, ["rr", "p@1"], queries=queries, by="market") as made:
        (said,) = first_screen(made)

    assert said.text == "rr of run is 0.8500"  # (29 + 10 / 2) / 40
    assert said.lines[0].text.startswith("p@1: 0.7250 (95 % interval ")
    assert said.lines[1].text.startswith("lowest in fr: 0.5000")
    assert said.lines[-1].text == "40 judged queries, 1 of them without results"


def test_gates_that_fail_come_first_and_those_that_hold_are_one_line() -> None:
    from sqlrank.errors import Outcome

    gates = [Outcome("a", None), Outcome("b", "0.1 is below 0.2"), Outcome("c", None)]
    said = Settings(gates=gates).answer([Verdict("the answer")]).items
    assert [(one.text, one.detail) for one in said] == [
        ("b: fails", "0.1 is below 0.2"),
        ("the answer", ""),
        ("2 gates hold", "a, c"),
    ]


def test_every_verdict_has_words_in_both_languages() -> None:
    for language in ("en", "zh"):
        words = words_of(language)
        for claim in (BETTER, WORSE, DIFFERS, UNDECIDED, WITHHELD):
            assert {claim, f"{claim}-in", f"{claim}-all"} <= words.texts.keys()


def three(number: int = 40) -> tuple[dict[str, Rankings], Rankings]:
    """Systems that put the one relevant document at rank 1, at 1 or 2 by turns, and at 4 or 5 by turns."""
    systems: dict[str, Rankings] = {}
    for name, places in {"a": (5, 4), "b": (1, 1), "c": (1, 2)}.items():
        made, qrels = two(number, lambda query, places=places: places[query % 2])
        systems[name] = made["new"]
    return systems, qrels


def places_table(result: Any) -> Any:
    """The table of the first screen."""
    parts = EvaluationParts if isinstance(result, sqlrank.Result) else ComparisonParts
    return parts(result, Settings(digits=2)).verdict()[1]


def test_of_three_systems_the_best_is_named_and_all_stand_in_a_table_of_places() -> None:
    systems, qrels = three()
    with sqlrank.compare(systems=systems, qrels=qrels, metrics=["rr", "p@1"], all_pairs=True, seed=1) as made:
        (said,), table = first_screen(made), places_table(made)

    assert (said.text, said.tone) == ("b is better than all others in rr", "gain")
    assert said.detail == "1.0000 (95 % interval 0.9124 to 1.0000); 3 pairs of systems were compared"
    assert [line.text for line in said.lines] == ["b is better than all others in p@1"]
    rows = [[cell.said for cell in row] for row in table.without("interval", "drawn").rows]
    assert rows == [
        ["1", "b", "1.00 a", "1.00 a"],
        ["2", "c", "0.75 b", "0.50 b"],
        ["3", "a", "0.23 c", "0.00 c"],  # 1/4 and 1/5 by turns: .225
    ]


def test_with_a_baseline_each_system_stands_beside_it_alone() -> None:
    systems, qrels = three()
    with sqlrank.compare(systems=systems, qrels=qrels, metrics=["rr"], baseline="c", seed=1) as made:
        said, table = first_screen(made), places_table(made)

    assert [(one.text, one.tone) for one in said] == [
        ("better than c in rr: b", "gain"),
        ("worse than c in rr: a", "loss"),
    ]
    assert [row[1].text for row in table.rows] == ["b", "c (baseline)", "a"]


def test_where_less_is_better_the_least_is_first_and_where_neither_is_the_largest() -> None:
    systems, qrels = three()
    for metric, first in (("arp", "b"), ("num_ret", "a")):
        with sqlrank.evaluate(systems=systems, qrels=qrels, metrics=[metric]) as made:
            table = places_table(made)
        assert table.rows[0][1].text == first, metric
        assert "was not tested" in table.caption


def test_there_is_no_order_where_pairs_have_values_for_different_queries() -> None:
    """The mean rank of relevant documents has no value where none is found; no system is better than all others."""
    docs = ["d0", "d1", "d2"]
    places = {"a": (1, 2, None), "b": (2, None, 1), "c": (None, 1, 2)}
    systems: dict[str, Rankings] = {name: {} for name in places}
    for query in range(30):
        for name, of in places.items():
            rank = of[query % 3]
            others = [doc for doc in docs if doc != "d1"]
            shown = others if rank is None else [*others[: rank - 1], "d1", *others[rank - 1 :]]
            systems[name][f"q{query:03}"] = {doc: -float(place) for place, doc in enumerate(shown)}
    qrels = {f"q{query:03}": {"d1": 1} for query in range(30)}
    with sqlrank.compare(systems=systems, qrels=qrels, metrics=["arp"], all_pairs=True, seed=1) as made:
        (said,) = first_screen(made)

    assert (said.text, said.detail) == ("no order in arp: pairs of systems have it for different queries", "")


def test_long_names_are_cut_in_the_middle_and_stay_apart() -> None:
    systems, qrels = three()
    long = {f"a ranker of which the name is very long, variant {name}": run for name, run in systems.items()}
    with sqlrank.compare(systems=long, qrels=qrels, metrics=["rr"], all_pairs=True, seed=1) as made:
        table = places_table(made)

    names = [row[1].text for row in table.rows]
    assert names == [f"a ranker of whic…long, variant {name}" for name in "bca"]


@pytest.mark.parametrize(
    ("difference", "dense", "text"),
    [(0.0174, True, "+.017"), (-0.5, True, "-.500"), (10.5, True, "+10.500"), (0.0174, False, "+0.017")],
)
def test_a_small_cell_of_a_matrix_has_no_0_before_its_point(difference: float, dense: bool, text: str) -> None:
    row = {"difference": difference, "significant": False, "sqlrank_better": "higher"}
    assert matrix_cell(row, 3, dense).text == text
