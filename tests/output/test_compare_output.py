"""What compare prints and writes: every format, hostile names, stars, papers, gates and reports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.comparison.notes import legend, stars
from sqlrank.comparison.questions import Questions
from sqlrank.errors import Outcome as Held
from sqlrank.evaluation.floors import digits_apart
from sqlrank.output.writing import Destination, write, write_per_query
from tests.support.cli_helper import FIXTURES, Outcome, completed, error_of, run_cli
from tests.support.comparisons import METRIC, sides
from tests.support.tables import each, hold

SEARCH = FIXTURES / "search"
REQUEST = ["compare", *(str(SEARCH / f"{name}.parquet") for name in ("keyword", "semantic"))]
REQUEST += ["--qrels", str(SEARCH / "qrels.parquet")]
COLUMNS = (
    "system baseline metric baseline_value value difference relative_difference ci_low ci_high p_value p_adjusted"
    " significant effect_size hedges_g hedges_low hedges_high"
    " wins ties losses delta_gsb queries detectable_difference queries_needed test"
    " detectable_low detectable_high queries_needed_low queries_needed_high"
).split()
HOSTILE = "b\"'\\&%$#_{}~^<|>\n\x1b[31m{{ x }}"


BY_COUNTRY: dict[str, Any] = {"queries": str(SEARCH / "queries.parquet"), "by": "country"}


def ran(*options: object) -> Outcome:
    """The command on the example, which must succeed."""
    return completed(*REQUEST, *options)


@cache
def compared(*metrics: str, turned: bool = False, by: bool = False, **options: Any) -> sqlrank.Comparison:
    """The comparison of the example, which is made once; `turned` round, so that ap drops by 0.0803."""
    runs = REQUEST[2:0:-1] if turned else REQUEST[1:3]
    return sqlrank.compare(runs, REQUEST[4], list(metrics), **options, **(BY_COUNTRY if by else {}))


def written(kind: str, comparison: sqlrank.Comparison, **additions: int) -> str:
    """What is written of a comparison in a format, with so many queries of some kinds."""
    write(comparison, Destination(kind, "written", additions=additions))
    return Path("written").read_text(encoding="utf-8")


def table_of(comparison: sqlrank.Comparison) -> list[dict[str, str]]:
    """The rows of a comparison as CSV has them."""
    return Outcome(0, written("csv", comparison), "").table


def test_the_table_has_stars_and_says_in_short_what_is_as_usual_and_all_where_asked() -> None:
    asked = ("-m", "ndcg@10", "-m", "rr", "--quiet")
    _, _, _, _, *remarks = ran(*asked).out.splitlines()
    assert remarks[0] == "trec_eval's conventions (--verbose has more)"
    assert [line.partition(":")[0] for line in remarks[1:3]] == ["keyword", "semantic"]
    assert remarks[3:] == [
        "n = 300 queries; adjusted p: 2 p values together, by Holm",
        "adjusted p at most: * 0.05, ** 0.01, *** 0.001",
        "",
        "semantic is better than keyword in ndcg@10; no evidence of a difference in rr",
    ]

    header, ndcg, rr, _, *remarks = ran(*asked, "--verbose").out.splitlines()
    assert header.split()[:5] == ["system", "metric", "queries", "keyword", "semantic"]
    assert "+0.0566 ***" in ndcg
    assert "*" not in rr
    assert remarks[-10:-2] == [
        "p: Fisher's randomization test, 10000 replicates, seed 0",
        "adjusted p: 2 p values together, by Holm",
        "95 % confidence intervals of the mean difference (randomization test, inverted; Student's with two queries"
        " added where most tie), not adjusted; n = 300 queries",
        "effect: mean difference / standard deviation of the differences",
        "ties: queries whose values differ by at most 1e-09 of the larger one",
        "power 0.8 at p <= 0.05, not adjusted: the smallest detectable difference is 0.0375 [0.0344 to"
        " 0.0413] (ndcg@10), 0.0472 [0.0422 to 0.054] (rr); in square brackets its 95 % range",
        "queries needed to detect the observed differences with that power: 134 [63 to 473] (ndcg@10), 23,403"
        " [448 or more] (rr)",
        "adjusted p at most: * 0.05, ** 0.01, *** 0.001",
    ]
    assert set(json.loads(written("json", compared("ndcg@10", "rr")))["remarks"]) <= set(remarks)


def test_what_is_not_as_usual_is_named() -> None:
    asked = ("--test", "t", "--correction", "bh", "--ties", "doc-asc", "--alternative", "greater", "--quiet")
    head, _, *remarks = ran("-m", "ndcg@10", *asked).out.splitlines()
    assert "90 % interval" in head
    assert remarks[1] == "trec_eval's conventions, but ties=doc-asc (--verbose has more)"
    assert "p: Student's paired t test, one-sided: the candidate is better" in remarks
    assert "adjusted p: 1 p value together, by Benjamini and Hochberg" in remarks
    assert "n = 300 queries" in remarks
    _, _, *remarks = ran("-m", "ndcg@10", "--test", "sign", "--quiet").out.splitlines()
    assert "p and the interval come from different procedures, and a difference is significant where both find it" in (
        remarks
    )
    _, _, *remarks = ran("-m", "ndcg@10", "--like", "ranx", "--quiet").out.splitlines()
    assert remarks[1].startswith("like ranx: ")


def test_the_table_of_identical_systems_has_no_stars() -> None:
    outcome = run_cli("compare", f"before={REQUEST[1]}", f"after={REQUEST[1]}", *REQUEST[3:], "-m", "ap", "--quiet")
    row = outcome.out.splitlines()[1]
    assert row.split()[5:] == "+0.0000 - +0.0 % 1.0000 1.0000 - 0/300/0 +0.0000".split()


def test_segments_have_rows_and_the_smallest_n_is_said() -> None:
    comparison = compared("ap", by=True)
    sizes = [int(row["queries"]) for row in table_of(comparison)]
    table = written("table", comparison)
    assert f"n = {min(sizes)} to {max(sizes)} queries" in table
    assert re.search(r"^semantic +\(all\) +ap +300 ", table, re.MULTILINE)

    lines = written("latex", comparison).splitlines()
    assert r"system & country & ap \\" in lines
    assert lines.count(r"\midrule") == len(sizes)
    assert lines[-4].startswith("semantic & (all) & ")


@each(["csv", "tsv", "jsonl", "json", "parquet"])
def test_tidy_formats_hold_the_same_rows(kind: str) -> None:
    text = Path(f"rows.{kind}")
    write(compared("ap"), Destination(kind, str(text)))
    if kind == "parquet":
        rows = pq.read_table(text).to_pylist()
    elif kind == "json":
        rows = json.loads(text.read_text())["rows"]
    elif kind == "jsonl":
        rows = [json.loads(line) for line in text.read_text().splitlines()]
    else:
        mark = "," if kind == "csv" else "\t"
        rows = [dict(zip(*(line.split(mark) for line in text.read_text().splitlines()), strict=True))]
    assert list(rows[0]) == COLUMNS
    assert len(rows) == 1
    assert float(rows[0]["difference"]) == pytest.approx(0.0803, abs=5e-5)
    assert str(rows[0]["significant"]).lower() == "true"


def test_the_document_holds_what_was_asked_and_noticed() -> None:
    found = json.loads(ran("-m", "ap", "--show", "movers=2", "--format", "json", "--seed", 7).out)
    assert found["comparison"] == {
        "baseline": "keyword",
        "families": {"total": 1},
        "test": "randomization",
        "correction": "holm",
        "alpha": 0.05,
        "replicates": 10_000,
        "seed": 7,
        "tolerance": 1e-9,
        "effect_size": "mean difference over the standard deviation of the differences",
        "interval_of_0_and_1": "Bonett-Price",
        "interval_of_ties": "Student's t, two queries added",
        "interval": "randomization test, inverted",
    }
    assert [row["query_id"] for row in found["movers"]] == ["q0297", "q0058"]
    assert found["conventions"]["query_set"] == "judged"


def test_parquet_says_how_it_came_about() -> None:
    ran("-m", "ap", "-o", "rows.parquet", "--per-query", "queries.parquet")
    for name in ("rows", "queries"):
        metadata = pq.read_metadata(f"{name}.parquet").metadata
        assert json.loads(metadata[b"comparison"])["test"] == "randomization"
        assert json.loads(metadata[b"conventions"])["ties"] == "doc-desc"


def test_both_values_of_every_query_can_be_written() -> None:
    outcome = ran("-m", "ap", "--per-query", "-")
    assert list(outcome.table[0]) == "system baseline metric query_id baseline_value value difference".split()
    assert len(outcome.table) == 300
    moved = {row["query_id"]: float(row["difference"]) for row in outcome.table}
    assert moved["q0297"] == pytest.approx(0.8628, abs=5e-5)


def test_the_queries_that_moved_most_are_shown_and_markdown_shows_as_it_is() -> None:
    table, markdown = (written(kind, compared("ap"), movers=1) for kind in ("table", "markdown"))
    assert re.search(r"^semantic +ap +q0297 +0\.0385 +0\.9013 +\+0\.8628$", table, re.MULTILINE)
    assert "| semantic | ap | q0297 | 0.0385 | 0.9013 | +0.8628 |" in markdown
    head, _, row, *_ = markdown.splitlines()
    assert head.startswith("| system | metric | queries | keyword | semantic | difference | 95 % interval |")
    assert row.startswith("| semantic | ap | 300 | 0.4472 | 0.5275 | +0.0803 \\*\\*\\* |")


def test_latex_is_a_table_for_a_paper() -> None:
    lines = [line for line in written("latex", compared("ndcg@10", "rr")).splitlines() if line[0] != "%"]
    caption = (
        r"\caption{Means over 300 queries, the best in bold. Stars: significantly different from keyword (Fisher's"
        r" randomization test, 2 p values corrected by Holm; adjusted p at most: * 0.05, ** 0.01, *** 0.001).}"
    )
    assert lines == [
        r"\begin{table}[t]",
        r"\centering",
        caption,
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"system & ndcg@10 & rr \\",
        r"\midrule",
        r"keyword & 0.5891 & \textbf{0.8782} \\",
        r"semantic & \textbf{0.6456}$^{***}$ & 0.8729 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_latex_says_that_the_largest_t_corrects() -> None:
    text = written("latex", compared("ap", correction="max-t"))
    assert "1 p value corrected by the largest t" in " ".join(text.split())


def test_latex_has_a_dash_where_there_is_no_value_and_whole_counts() -> None:
    runs, qrels = sides(a=[1, 2], b=[2, 4])
    named = pa.table({"query_id": ["q00000", "q00001"], "half": ["x", "y"], "traffic": [1.0, 0.0]})
    options: dict[str, Any] = {"queries": named, "by": "half", "weight": "traffic"}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=[METRIC, "num_ret"], **options) as comparison:
        write(comparison, Destination("latex", "written", 1))
    lines = Path("written").read_text(encoding="utf-8").splitlines()
    assert r"a & y & - & \textbf{1} \\" in lines
    assert r"b & (all) & \textbf{2.0} & \textbf{2} \\" in lines


def test_thirty_systems_are_no_more_trouble_than_two() -> None:
    values = {f"s{number:02}": [float(number % 7 + place % (number + 2)) for place in range(8)] for number in range(30)}
    runs, qrels = sides(**values)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC) as comparison:
        for kind in ("latex", "table", "markdown"):
            out = written(kind, comparison)
            assert [name for name in values if name not in out] == []


def test_hostile_names_break_no_format(capsys: pytest.CaptureFixture[str]) -> None:
    runs, qrels = sides(a=[1, 2], b=[2, 4])
    renamed = {
        name: {f"{HOSTILE}{query}": documents for query, documents in runs[system].items()}
        for name, system in (("a", "a"), (HOSTILE, "b"))
    }
    judged = {f"{HOSTILE}{query}": documents for query, documents in qrels.items()}
    comparison = sqlrank.compare(systems=renamed, qrels=judged, metrics=METRIC)

    def check(kind: str) -> None:
        write(comparison, Destination(kind, additions={"movers": 2} if kind in ("table", "markdown", "json") else {}))
        out = capsys.readouterr().out
        if kind in ("csv", "tsv", "json", "jsonl"):
            write_per_query(comparison, kind, None)
            capsys.readouterr()
        if kind in ("table", "markdown", "latex", "json", "jsonl"):
            assert "\x1b" not in out
        if kind == "latex":
            assert r"\textbackslash{}" in out
            body = "".join(line for line in out.splitlines() if line[0] != "%")
            assert not re.search(r"(?<!\\)[#_%]", body)
        if kind == "markdown":
            rows = [line for line in out.splitlines() if line.startswith("| b")]
            assert [len(re.findall(r"(?<!\\)\|", line)) for line in rows] == [14, 7, 7]
        if kind == "json":
            assert json.loads(out)["rows"][0]["system"] == HOSTILE

    with comparison:
        hold(["table", "markdown", "latex", "csv", "tsv", "json", "jsonl"], check)


@each(
    [(0.05, 0.05, "*"), (0.05, 0.01, "**"), (0.05, 0.001, "***"), (0.05, 0.051, ""), (0.1, 0.08, "*"), (0.01, 0.02, "")]
)
def test_stars_mark_what_is_significant(case: tuple[float, float, str]) -> None:
    alpha, p_adjusted, marks = case
    assert stars({"significant": p_adjusted <= alpha, "p_adjusted": p_adjusted}) == marks


@each(
    [
        (0.05, "* 0.05, ** 0.01, *** 0.001"),
        (0.01, "** 0.01, *** 0.001"),
        (0.1, "* 0.1, ** 0.01, *** 0.001"),
        (0.02, "* 0.02, ** 0.01, *** 0.001"),
        (0.005, "** 0.005, *** 0.001"),
        (0.0005, "*** 0.0005"),
    ]
)
def test_the_legend_says_what_the_stars_mean(case: tuple[float, str]) -> None:
    alpha, said = case
    assert legend(Questions(alpha=alpha)) == f"adjusted p at most: {said}"


# Gates


def gated(*options: object) -> Outcome:
    """The example with the systems turned round, so that ap drops by 0.0803 (0.0533 to 0.1073)."""
    return run_cli("compare", REQUEST[2], REQUEST[1], *REQUEST[3:], "-m", "ap", "--quiet", *options)


@each(
    [
        (["ap=0.09"], False, []),
        (["ap=0.07"], False, ["ap"]),
        (["ap=0.07"], True, []),
        (["ap=0.05"], True, ["ap"]),
        (["ap=0.09", "ndcg@10=0.01"], False, ["ndcg@10"]),
    ]
)
def test_a_drop_beyond_what_is_allowed_fails(case: tuple[list[str], bool, list[str]]) -> None:
    gates, confidently, failed = case
    held = compared("ap", "ndcg@10", turned=True).check(gates, confidently=confidently)
    assert len(held) == len(gates)
    assert compared("ap").check("ap=0")[0].holds  # a gain is no drop
    said = [outcome.failure for outcome in held if outcome.failure]
    assert [text.partition(" of keyword drops by")[0] for text in said] == failed


@each([("12%", True), ("15.22%", True), ("15.24%", False), ("0%", True)])
def test_a_drop_may_be_a_share_of_the_baseline(case: tuple[str, bool]) -> None:
    share, fails = case
    ((_, failure, *_),) = compared("ap", turned=True).check(f"ap={share}")
    said = "ap of keyword drops by 15.23 % (0.08034, 0.05285 to 0.1078) from semantic"
    assert (failure or "").startswith(f"{said}, more than {share.replace('%', ' %')}") == fails
    assert (failure is not None) == fails


def test_a_value_has_as_many_digits_as_distinguish_it_from_its_bound() -> None:
    cases = [
        (0.0565565864917, 0.005, "0.05656"),
        (0.0500004, 0.05, "0.0500004"),
        (0.05, 0.05, "0.05"),
        (-12.34567, 1, "-12.35"),
    ]
    assert [digits_apart(value, bound) for value, bound, _ in cases] == [text for *_, text in cases]


def test_gates_end_the_command_with_4_where_one_fails() -> None:
    assert gated("--fail-on-drop", "ap=12%").code == 4
    held = gated("--fail-on-drop", "ap=0.07", "--confidently")
    assert (held.code, held.out.startswith("system"), "drops by" in held.err) == (0, True, False)


def test_a_share_of_nothing_allows_no_drop_and_one_query_fails_without_an_interval() -> None:
    systems = {"old": {"q": {"a": 2.0, "b": 1.0}}, "new": {"q": {"a": 1.0, "b": 2.0}}}
    with sqlrank.compare(systems=systems, qrels={"q": {"c": 1}}, metrics="rr") as same:
        assert same.check("rr=5%")[0].holds
    with sqlrank.compare(systems=systems, qrels={"q": {"a": 1}}, metrics="rr") as dropped:
        assert dropped.check("rr=0.1")[0].failure == "rr of new drops by 0.5 from old, more than 0.1"


def test_segments_are_held_to_gates_too() -> None:
    comparison = compared("ap", turned=True, by=True)
    assert [outcome.holds for outcome in comparison.check("ap=0.09")] == [True]
    rows = table_of(comparison)
    low = [row["country"] for row in rows if float(row["difference"]) < -0.09]
    assert low
    gates = ("--fail-on-drop", "ap=0.09", "--by", "country", "--queries", BY_COUNTRY["queries"])
    outcome = gated(*gates, "--gate-segments", "--junit", "gates.xml")
    assert outcome.code == 4
    for country in low:
        assert f"ap of keyword in country={country} drops by" in outcome.err
    assert Path("gates.xml").read_text().count("<testcase") == len(rows)


def test_a_gate_adds_its_metric_to_those_that_are_compared() -> None:
    outcome = run_cli(*REQUEST, "--fail-on-drop", "p@3=0", "--format", "csv")
    assert [row["metric"] for row in outcome.table][-2:] == ["recall@100", "p@3"]


def test_a_gate_on_stored_rows_needs_its_metric_there() -> None:
    old, new = store("old.parquet", REQUEST[1]), store("new.parquet", REQUEST[2])
    assert run_cli("compare", old, new, "--fail-on-drop", "rr=0.1").code == 0
    said = error_of(3, "compare", old, new, "--fail-on-drop", "p@3=0.1")
    assert "old.parquet does not hold p@3 (it has ap, rr)" in said


def cases(path: str) -> list[tuple[str | None, str | None]]:
    """The name and the failure of each case of a report."""
    suites = ElementTree.parse(path).getroot()
    assert suites.tag == "testsuites"
    found = suites.findall("./testsuite/testcase")
    failures = [case.find("failure") for case in found]
    counted = suites.get("tests"), suites.get("failures")
    assert counted == (str(len(found)), str(sum(bad is not None for bad in failures)))
    messages = [None if bad is None else bad.get("message") for bad in failures]
    return [(case.get("name"), message) for case, message in zip(found, messages, strict=True)]


def test_a_report_of_a_comparison_shows_every_gate_and_the_reason_says_what_dropped_by_how_much() -> None:
    outcome = gated("--fail-on-drop", "ap=0.07", "--fail-on-drop", "ap=0.2", "--junit", "gates.xml")
    assert (outcome.code, outcome.out.startswith("system")) == (4, True)
    (first, failure), (second, none) = cases("gates.xml")
    assert (first, second) == tuple(f"ap of keyword does not drop by more than {most}" for most in (0.07, 0.2))
    assert f"sqlrank: error: {failure}\n" == outcome.err
    assert outcome.err.startswith("sqlrank: error: ap of keyword drops by 0.0803")
    assert " from semantic, more than 0.07\n" in outcome.err
    assert none is None


def test_a_report_of_an_evaluation_shows_every_system() -> None:
    outcome = run_cli("eval", *REQUEST[1:], "-m", "ap", "--fail-under", "ap=0.5", "--junit", "gates.xml", "--quiet")
    assert outcome.code == 4
    (first, failure), (second, none) = cases("gates.xml")
    assert (first, second) == ("ap of keyword is at least 0.5", "ap of semantic is at least 0.5")
    assert failure is not None
    assert failure.startswith("ap of keyword is 0.447")
    assert none is None


def test_a_report_is_written_over_no_input() -> None:
    outcome = gated("--fail-on-drop", "ap=0.07", "--junit", REQUEST[1])
    assert outcome.code == 2
    assert "is an input and will not be overwritten" in outcome.err


def test_a_report_holds_what_xml_cannot() -> None:
    from sqlrank.cli.outcomes import report

    text = report([Held("a\x00\x1b<&\ud800\uffff", "b\x07\"'")], "compare")
    case = ElementTree.fromstring(text.encode()).find("./testsuite/testcase")
    assert case is not None
    assert "<&" in str(case.get("name"))


# Stored per-query rows


def store(name: str, run: str, *options: Any, qrels: str = REQUEST[4]) -> str:
    """The per-query rows of an evaluation, in a file."""
    evaluated = stored if qrels == REQUEST[4] else stored.__wrapped__  # another file is of its test alone
    Path(name).write_bytes(evaluated(Path(name).suffix, run, qrels, *options))
    return name


@cache
def stored(suffix: str, run: str, qrels: str, *options: Any) -> bytes:
    """What is in such a file, evaluated once for all tests."""
    asked = ("-m", "ap", "-m", "rr", "--per-query", f"stored{suffix}", "-o", "summary.csv")
    completed("eval", run, "--qrels", qrels, *asked, *options)
    return Path(f"stored{suffix}").read_bytes()


def values(outcome: Outcome) -> dict[str, tuple[str, str, str]]:
    """Baseline value, value and p by metric."""
    assert outcome.code == 0, outcome.err
    return {row["metric"]: (row["baseline_value"], row["value"], row["p_value"]) for row in outcome.table}


def test_stored_rows_compare_as_the_runs_do() -> None:
    old, new = store("old.parquet", REQUEST[1]), store("new.parquet", REQUEST[2])
    runs = values(Outcome(0, written("csv", compared("ap", "rr")), ""))
    assert values(run_cli("compare", old, new, "--format", "csv")) == runs
    assert values(run_cli("compare", old, *REQUEST[2:], "--format", "csv")) == runs
    assert list(values(run_cli("compare", old, new, "-m", "rr", "--format", "csv"))) == ["rr"]


def test_stored_rows_keep_their_segments_and_weights() -> None:
    options = ["--queries", BY_COUNTRY["queries"], "--by", "country", "--weight", "traffic"]
    old, new = store("old.parquet", REQUEST[1], *options), store("new.parquet", REQUEST[2], *options)
    chosen = ["-m", "ap", "--format", "csv"]
    stored = completed("compare", old, new, "--by", "country", "--weight", "traffic", *chosen)
    assert stored.out == written("csv", compared("ap", by=True, weight="traffic"))


WHERE = ("--where", "score > 0")
OTHERWISE: list[tuple[Sequence[str], Sequence[str], Sequence[str], str]] = [
    (["--rel", "2"], [], [], "old.parquet and new.parquet have no metric in common"),
    (["--depth", "5"], [], [], "new.parquet was evaluated with --depth None, old.parquet with --depth 5"),
    ([], [], ["--ties", "doc-asc"], "was evaluated with --ties doc-desc, this comparison with --ties doc-asc"),
    ([], [], WHERE, "old.parquet was evaluated without --where, and is read with --where"),
    (WHERE, [], [], "evaluated with --where 'score > 0', and is read without --where"),
    ([], [], ["-m", "ndcg@10"], "old.parquet does not hold ndcg@10 (it has ap, rr)"),
    ([], [], ["--by", "country"], "old.parquet was evaluated without --by country (it holds no segments)"),
]


@each(OTHERWISE)
def test_stored_rows_that_mean_something_else_are_refused(
    case: tuple[Sequence[str], Sequence[str], Sequence[str], str],
) -> None:
    old_options, new_options, asked, said = case
    old, new = store("old.parquet", REQUEST[1], *old_options), store("new.parquet", REQUEST[2], *new_options)
    assert said in error_of(3, "compare", old, new, *asked)


def test_stored_rows_of_other_queries_are_refused() -> None:
    lines = (SEARCH / "qrels.csv").read_text().splitlines()
    first = lines[1].split(",")[0]
    Path("fewer.csv").write_text("\n".join(line for line in lines if not line.startswith(f"{first},")) + "\n")
    old, new = store("old.parquet", REQUEST[1]), store("new.parquet", REQUEST[2], qrels="fewer.csv")
    said = error_of(3, "compare", old, new)
    assert f"semantic lacks 1 that others have, such as '{first}'; evaluate them against the same judgments" in said


def test_stored_rows_of_other_judgments_are_pointed_out() -> None:
    lines = (SEARCH / "qrels.csv").read_text().splitlines()
    Path("more.csv").write_text("\n".join([*lines, f"{lines[1].split(',')[0]},a new document,1"]) + "\n")
    old, new = store("old.parquet", REQUEST[1]), store("new.parquet", REQUEST[2], qrels="more.csv")
    outcome = completed("compare", old, new)
    assert "the judgments of old.parquet are not those of new.parquet: documents judged in one only" in outcome.err
    assert "the judgments of" not in run_cli("compare", old, *REQUEST[2:]).err


def test_a_condition_on_the_runs_leaves_stored_rows_readable() -> None:
    old = store("old.parquet", REQUEST[1], *WHERE)
    completed("compare", old, *REQUEST[2:], "-m", "ap", *WHERE, "--format", "csv", "-o", "x.csv")


def test_two_stored_systems_of_one_name_need_names() -> None:
    old = store("old.parquet", REQUEST[1])
    assert "two systems are called 'keyword'; name them with name=path" in error_of(2, "compare", old, old)
    assert run_cli("compare", f"before={old}", f"after={old}").code == 0


@each(["csv", "jsonl", "parquet"])
def test_per_query_rows_that_do_not_say_what_they_mean_are_refused(kind: str) -> None:
    store(f"old.{kind}", REQUEST[1])
    if kind == "parquet":
        pq.write_table(pq.read_table("old.parquet").replace_schema_metadata({}), "old.parquet")
    said = error_of(3, "compare", f"old.{kind}", *REQUEST[2:])
    assert f"old.{kind} holds per-query rows, and not what they mean: store them in Parquet" in said


def store_as_told(change: Callable[[dict[str, Any]], object]) -> None:
    """Store rows that another version of the program wrote, whose conventions differ."""
    table = pq.read_table(store("old.parquet", REQUEST[1]))
    metadata = dict(table.schema.metadata)
    conventions = json.loads(metadata[b"conventions"])
    change(conventions)
    metadata |= {b"conventions": json.dumps(conventions).encode(), b"sqlrank": b"9.0"}
    pq.write_table(table.replace_schema_metadata(metadata), "old.parquet")


def test_rows_that_another_version_stored_are_refused() -> None:
    store_as_told(lambda conventions: conventions.update(mood="good"))
    said = error_of(3, "compare", "old.parquet", *REQUEST[2:])
    assert "old.parquet was stored by sqlrank 9.0, with other conventions: store it again" in said


def test_rows_that_were_stored_before_a_convention_was_there_are_those_of_its_default() -> None:
    store_as_told(lambda conventions: conventions.pop("top_relevance"))
    assert run_cli("compare", "old.parquet", *REQUEST[2:]).code == 0
    said = error_of(3, "compare", "old.parquet", *REQUEST[2:], "--top-relevance", "4")
    assert "was evaluated with --top-relevance None" in said


def test_a_stored_summary_is_no_per_query_file() -> None:
    completed("eval", *REQUEST[1:], "-m", "ap", "-o", "summary.parquet")
    said = error_of(3, "compare", "summary.parquet", REQUEST[2], *REQUEST[3:])
    assert "summary.parquet has no column for the query_id" in said
