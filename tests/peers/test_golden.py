"""What other tools gave for the same small inputs, value by value, under the preset named for each tool.

fixtures/golden/cases.json holds the judgments, the rankings in the order of the input, and the values as the tools
printed or returned them: trec_eval 9.0.8 and 10.0, pytrec_eval-terrier 0.5.11, ir_measures 0.4.3 and ranx 0.3.21.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import sqlrank
from sqlrank.metrics.language import single_measure
from tests.support.cases import arrow
from tests.support.cli_helper import FIXTURES, completed

Values: TypeAlias = dict[str, dict[str, float | str | None]]
"""By measure, then by query or `all`."""

CASES: dict[str, dict[str, Any]] = json.loads((FIXTURES / "golden" / "cases.json").read_text(encoding="utf-8"))
DIVERSITY = "diversity"
RANKED = [case for case in CASES if case != DIVERSITY]

EXACT = 1e-9
FOUR_DECIMALS = 5e-5 + 1e-9
FIVE_DECIMALS = 5e-6 + 1e-9


@dataclass(frozen=True)
class Peer:
    """One tool as it was called."""

    like: str
    options: dict[str, Any] = field(default_factory=dict)
    tolerance: float = EXACT
    names_missing: bool = True
    """Whether it shows judged queries without results, where it counts them."""


SHARED = {"query_set": "shared"}
PEERS = {
    "trec_eval 10": Peer("trec_eval", SHARED, FOUR_DECIMALS),
    "trec_eval 10 -c": Peer("trec_eval", {}, FOUR_DECIMALS),
    "trec_eval 10 -l 2": Peer("trec_eval", SHARED | {"rel": 2}, FOUR_DECIMALS),
    "trec_eval 9": Peer("trec_eval-9", SHARED, FOUR_DECIMALS),
    "trec_eval 9 -c": Peer("trec_eval-9", {}, FOUR_DECIMALS, names_missing=False),
    "trec_eval 9 -l 2": Peer("trec_eval-9", SHARED | {"rel": 2}, FOUR_DECIMALS),
    "pytrec_eval": Peer("trec_eval-9", SHARED),
    "ir_measures": Peer("ir_measures"),
    "ranx": Peer("ranx"),
}

COMPARED = {
    "trec_eval 10": 2781,
    "trec_eval 10 -c": 3767,
    "trec_eval 10 -l 2": 1118,
    "trec_eval 9": 3285,
    "trec_eval 9 -c": 3285,
    "trec_eval 9 -l 2": 1434,
    "pytrec_eval": 1449,
    "ir_measures": 1900,
    "ranx": 1102,
}
"""How many values of each tool there are, so that none is left out unseen."""

NOT_NUMBERS = frozenset(("relstring",))
REFUSED = {
    ("trec_eval-9", "yaap"): ("counts 0 for a query without results", "trec_eval 9 -c", "yaap"),
    ("ir_measures", "NumQ"): ("leaves out judged queries without results", "ir_measures", "num_q"),
    ("ir_measures", "NumRel"): ("leaves out judged queries without results", "ir_measures", "num_rel"),
    ("ranx", "bpref"): ("its bpref is NaN where nothing was judged not relevant", "ranx", "bpref"),
}
"""By preset and measure: why it is refused, the tool that shows the defect, and what trec_eval 10 calls the measure."""

UNSET = "it scales gains by a largest one that it never set"
DEFECTS = {
    ("trec_eval 10", "rbp", "nothing_judged_nonrelevant", "1 all"): UNSET,
    ("trec_eval 10 -c", "rbp", "nothing_judged_nonrelevant", "1 all"): UNSET,
}
"""By tool, measure, case and rows: why its values are not ours."""

ONLY_2_AND_3 = "-2:0,-1:0,0:0,1:0,2:2,3:3"
OUR_TEXTS = {
    # A cutoff is needed here; without one, trec_eval means all of its own.
    ("ranx", "recall"): "set_recall",
    # ranx leaves documents below the level out of the ideal too.
    ("ranx", "ndcg-l2"): f"ndcg(gain={ONLY_2_AND_3})",
    # What ir_measures has as a parameter of a metric is a convention here.
    ("ir_measures", "P(judged_only=True)@3"): "P@3",
    ("ir_measures", "nDCG(judged_only=True)@3"): "nDCG@3",
}
"""By tool and measure: what to ask for, where it is not the name that the tool has for it."""

RANKINGS = {
    "judged only": re.compile(r".*judged_only"),
    "gdeval": re.compile(r"ERR@|nDCG\(dcg='exp-log2'\)"),
    "cwl": re.compile(r"RBP|SDCG|INST|INSQ|BPM|NERR"),
    "ascending": re.compile(r"RR@|Judged|Compat"),
    "pytrec_eval": re.compile(r""),
}
"""The rankings that ir_measures forms, in the order in which a measure is looked up."""


def expected(peer: str, case: str) -> Values | None:
    """What a tool gave for a case; None if it gave nothing."""
    found = CASES[case]["peers"].get(peer)
    if found is not None and "as" in found:
        found = CASES[case]["peers"][found["as"]]
    return None if found is None or "why" in found else found


def measures_of(peer: str) -> list[str]:
    """Every measure that a tool gave for some case."""
    found = dict.fromkeys(measure for case in RANKED for measure in expected(peer, case) or ())
    return [measure for measure in found if measure not in NOT_NUMBERS and (PEERS[peer].like, measure) not in REFUSED]


def ranking_of(peer: str, measure: str) -> str:
    """The ranking of the tool that a measure is computed over."""
    if peer != "ir_measures":
        return ""
    return next(name for name, pattern in RANKINGS.items() if pattern.match(measure))


def rows_of_cases() -> tuple[Any, Any, Any]:
    """Runs, judgments and queries of all cases, the name of the case being part of the query."""
    run = [(f"{case}/{query}", doc, score) for case in RANKED for query, doc, score in CASES[case]["run"]]
    qrels = [(f"{case}/{query}", doc, grade) for case in RANKED for query, doc, grade in CASES[case]["qrels"]]
    queries = dict.fromkeys(query for query, _, _ in [*run, *qrels])
    return (
        arrow(run, "query_id", "doc_id", "score"),
        arrow(qrels, "query_id", "doc_id", "relevance"),
        arrow([(query, query.partition("/")[0]) for query in queries], "query_id", "example"),
    )


@cache
def evaluated(peer: str) -> dict[tuple[str, str, str], float | None]:
    """Our values by case, measure of the tool, and query or `all`: one evaluation per ranking of the tool."""
    run, qrels, queries = rows_of_cases()
    values: dict[tuple[str, str, str], float | None] = {}
    for ranking in dict.fromkeys(ranking_of(peer, measure) for measure in measures_of(peer)):
        measures = [measure for measure in measures_of(peer) if ranking_of(peer, measure) == ranking]
        asked = {measure: OUR_TEXTS.get((peer, measure), measure) for measure in measures}
        options = PEERS[peer].options | ({"unjudged": "remove"} if ranking == "judged only" else {})
        with sqlrank.evaluate(
            run, qrels, list(asked.values()), like=PEERS[peer].like, queries=queries, by="example", **options
        ) as result:
            texts = {measure: single_measure(text, result.language).text for measure, text in asked.items()}
            for query, found in result.to_dict().items():
                case, _, name = query.partition("/")
                values |= {(case, measure, name): found[text] for measure, text in texts.items()}
            overall = {
                (case, text): value
                for case, total, text, value in result.rows.project("example, is_total, metric, value").fetchall()
                if not total
            }
            values |= {(case, measure, "all"): overall[case, texts[measure]] for case in RANKED for measure in measures}
    return values


def ours(peer: str, case: str, measure: str, row: str) -> float | None:
    """Our value in the form in which the tool gives it."""
    value = evaluated(peer)[case, measure, row]
    if peer == "pytrec_eval" and measure.startswith("gm_"):
        # It gives the logarithm, with trec_eval's floor, and leaves the rest of the geometric mean to the caller.
        return None if value is None else math.log(max(value, 1e-5))
    return value


def defects(peer: str) -> Iterator[tuple[str, str, str]]:
    """Case, measure and row of the values of a tool that are not ours."""
    for tool, measure, case, rows in DEFECTS:
        if tool == peer:
            yield from ((case, measure, row) for row in rows.split())


def tolerance_of(peer: str, measure: str) -> float:
    """How exact the values of a tool are; those of gdeval are rounded."""
    return FIVE_DECIMALS if ranking_of(peer, measure) == "gdeval" else PEERS[peer].tolerance


def differs(peer: str, case: str, measure: str, row: str) -> bool:
    """Whether our value is not that of the tool."""
    value, wanted = ours(peer, case, measure, row), (expected(peer, case) or {})[measure][row]
    assert isinstance(wanted, float | int)
    return value is None or abs(value - wanted) > tolerance_of(peer, measure)


def compared(peer: str, case: str) -> list[tuple[str, str]]:
    """The measures and rows of a case that are compared."""
    found = expected(peer, case) or {}
    skipped = set(defects(peer))
    return [
        (measure, row)
        for measure in measures_of(peer)
        for row in found.get(measure, ())
        if (case, measure, row) not in skipped
    ]


PAIRS = [(peer, case) for peer in PEERS for case in RANKED if expected(peer, case) is not None]


@pytest.mark.parametrize(("peer", "case"), PAIRS)
def test_every_value_is_that_of_the_tool(peer: str, case: str) -> None:
    wanted = expected(peer, case) or {}
    different = [
        f"{measure} of {row}: {ours(peer, case, measure, row)} instead of {wanted[measure][row]}"
        for measure, row in compared(peer, case)
        if differs(peer, case, measure, row)
    ]

    assert not different, f"{len(different)} values differ: {'; '.join(different[:12])}"


@pytest.mark.parametrize(("peer", "case"), PAIRS)
def test_the_same_queries_are_evaluated(peer: str, case: str) -> None:
    theirs = {row for rows in (expected(peer, case) or {}).values() for row in rows} - {"all"}
    evaluated_queries = {row for name, _, row in evaluated(peer) if name == case} - {"all"}

    if PEERS[peer].names_missing:
        assert evaluated_queries == theirs
    else:
        assert evaluated_queries - theirs == evaluated_queries - {query for query, _, _ in CASES[case]["run"]}


@pytest.mark.parametrize("peer", PEERS)
def test_no_value_of_a_tool_is_left_out(peer: str) -> None:
    counts = Counter(name for name, case in PAIRS if name == peer for _ in compared(peer, case))
    given = sum(
        len(rows)
        for case in RANKED
        for measure, rows in (expected(peer, case) or {}).items()
        if measure not in NOT_NUMBERS and (PEERS[peer].like, measure) not in REFUSED
    )

    assert counts[peer] == COMPARED[peer]
    assert given == COMPARED[peer] + len(list(defects(peer)))


@pytest.mark.parametrize("case", RANKED)
@pytest.mark.parametrize("peer", PEERS)
def test_every_tool_gave_values_for_every_case_or_stopped(peer: str, case: str) -> None:
    told = CASES[case]["peers"][peer]

    # Without -c, trec_eval 10 stops at the first query without results.
    judged, found = ({query for query, *_ in CASES[case][table]} for table in ("qrels", "run"))
    assert ("why" in told) == (peer in ("trec_eval 10", "trec_eval 10 -l 2") and not judged <= found)


@pytest.mark.parametrize(
    ("peer", "case", "measure", "row"),
    [(peer, case, measure, row) for peer in PEERS for case, measure, row in defects(peer)],
)
def test_a_value_that_is_called_a_defect_does_differ(peer: str, case: str, measure: str, row: str) -> None:
    assert differs(peer, case, measure, row)


@pytest.mark.parametrize(("like", "measure"), REFUSED)
def test_a_measure_with_a_defect_is_refused_with_the_reason(like: str, measure: str) -> None:
    run, qrels, _ = rows_of_cases()
    reason, peer, counterpart = REFUSED[like, measure]
    theirs = [(expected(peer, case) or {})[measure]["all"] for case in RANKED]
    right = [(expected("trec_eval 10 -c", case) or {})[counterpart]["all"] for case in RANKED]

    with pytest.raises(sqlrank.UsageError, match=reason):
        sqlrank.evaluate(run, qrels, measure, like=like)
    assert any(
        value is None or value != pytest.approx(wanted, abs=1e-3) for value, wanted in zip(theirs, right, strict=True)
    )


@pytest.mark.parametrize(
    ("peer", "case"), [*product(PEERS, ["missing_queries", "several_queries", "all_tied_reversed"])]
)
def test_a_case_alone_has_the_values_that_it_has_among_others(peer: str, case: str) -> None:
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, float]] = {}
    for table, rows in ((run, CASES[case]["run"]), (qrels, CASES[case]["qrels"])):
        for query, doc, number in rows:
            table.setdefault(query, {})[doc] = number
    ranking = ranking_of(peer, measures_of(peer)[0])
    measures = [measure for measure in measures_of(peer) if ranking_of(peer, measure) == ranking][:12]
    asked = [OUR_TEXTS.get((peer, measure), measure) for measure in measures]

    # Unchecked, since a level that no judgment of the case reaches would be refused.
    with sqlrank.evaluate(run, qrels, asked, like=PEERS[peer].like, checks=False, **PEERS[peer].options) as result:
        overall = {measure: result[text] for measure, text in zip(measures, asked, strict=True)}

    assert overall == {
        measure: pytest.approx(evaluated(peer)[case, measure, "all"], rel=1e-12, abs=1e-12) for measure in measures
    }


def printed(case: str, peer: str) -> set[str]:
    """The lines that trec_eval printed for a case, without those that are refused, with single blanks."""
    lines = {"runid all run"}
    for measure, rows in (expected(peer, case) or {}).items():
        if (PEERS[peer].like, measure) in REFUSED:
            continue
        for row, value in rows.items():
            text = value if isinstance(value, str) else f"{value:{'.0f' if measure.startswith('num_') else '.4f'}}"
            lines.add(f"{measure} {row} {text}")
    return lines


@pytest.mark.parametrize(
    ("case", "peer"),
    [
        *product(
            ["graded", "missing_queries", "negative_judgments", "pooled", "several_queries"],
            ["trec_eval 10 -c", "trec_eval 9 -c", "trec_eval 9"],
        )
    ],
)
def test_the_lines_are_those_of_trec_eval(tmp_path: Path, peer: str, case: str) -> None:
    run, qrels = tmp_path / "run.trec", tmp_path / "qrels.trec"
    ranked = [f"{query} Q0 {doc} 0 {score!r} run\n" for query, doc, score in CASES[case]["run"]]
    run.write_text("".join(ranked), encoding="utf-8")
    judged = [f"{query} 0 {doc} {grade}\n" for query, doc, grade in CASES[case]["qrels"]]
    qrels.write_text("".join(judged), encoding="utf-8")
    like, query_set = PEERS[peer].like, PEERS[peer].options.get("query_set", "judged")
    asked = ["all_trec", *(["yaap", "dcg", "ideal_dcg"] if like == "trec_eval" else [])]

    outcome = completed(
        *("eval", run, "--qrels", qrels, "--like", like, "--query-set", query_set),
        *(word for metric in asked for word in ("-m", metric)),
        *("--format", "trec", "--per-query", "-"),
    )

    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    differing = {f"{measure} {row}" for name, measure, row in defects(peer) if name == case}
    assert len(set(lines)) == len(lines)
    assert {line for line in lines if line.rpartition(" ")[0] not in differing} == {
        line for line in printed(case, peer) if line.rpartition(" ")[0] not in differing
    }


@cache
def diversity() -> dict[str, float | None]:
    """Our values of the diversity metrics."""
    case = CASES[DIVERSITY]
    run = arrow(case["run"], "query_id", "doc_id", "score")
    qrels = arrow(case["qrels"], "query_id", "doc_id", "relevance", "subtopic")
    measures = list(case["peers"]["ir_measures"])
    with sqlrank.evaluate(run, qrels, measures, like="ir_measures") as result:
        (query,) = result.to_dict().values()
        assert len(query) == len(measures)
        values = {measure: result[measure] for measure in measures}
        assert list(query.values()) == [pytest.approx(value, rel=1e-12) for value in values.values()]
    return values


@pytest.mark.parametrize("measure", CASES[DIVERSITY]["peers"]["ir_measures"])
def test_every_diversity_metric_has_the_value_of_pyndeval(measure: str) -> None:
    wanted = CASES[DIVERSITY]["peers"]["ir_measures"][measure]

    assert diversity()[measure] == pytest.approx(wanted["all"], abs=EXACT)
    assert wanted["1"] == wanted["all"]


def test_subtopics_may_stand_in_a_column_of_any_name() -> None:
    case = CASES[DIVERSITY]
    run = arrow(case["run"], "query_id", "doc_id", "score")
    qrels = arrow(case["qrels"], "query_id", "doc_id", "relevance", "aspect")

    result = sqlrank.evaluate(run, qrels, "alpha_nDCG@5", like="ir_measures", columns={"subtopic": "aspect"})

    wanted = case["peers"]["ir_measures"]["alpha_nDCG@5"]["all"]
    assert result["alpha_nDCG@5"] == pytest.approx(wanted, abs=EXACT)


@pytest.mark.parametrize(
    "together",
    [
        ["RR", "RR@10"],
        ["AP", "Judged@3"],
        ["nDCG@3", "nDCG(dcg='exp-log2')@3"],
        ["ERR@20", "Compat"],
        ["P@3", "RBP(rel=1)"],
    ],
)
def test_metrics_that_a_tool_computes_over_two_rankings_are_not_evaluated_together(together: list[str]) -> None:
    run, qrels, _ = rows_of_cases()

    with pytest.raises(sqlrank.UsageError, match="ask for them apart"):
        sqlrank.evaluate(run, qrels, together, like="ir_measures")


def test_a_tool_that_is_not_known_is_refused_with_the_nearest() -> None:
    run, qrels, _ = rows_of_cases()

    with pytest.raises(sqlrank.UsageError, match="did you mean ranx"):
        sqlrank.evaluate(run, qrels, "ap", like="rank")


def test_an_option_wins_over_the_preset() -> None:
    case = CASES["all_tied_reversed"]
    run, qrels = (
        arrow(case["run"], "query_id", "doc_id", "score"),
        arrow(case["qrels"], "query_id", "doc_id", "relevance"),
    )

    assert sqlrank.evaluate(run, qrels, "mrr", like="ranx")["mrr"] == pytest.approx(1 / 3)
    assert sqlrank.evaluate(run, qrels, "mrr", like="ranx", ties="doc-asc")["mrr"] == 1
