"""What compare prints and writes: every format, hostile names, stars, papers, gates and reports."""

from __future__ import annotations

import json
import re
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
from sqlrank.output.comparison import write_comparison, write_differences
from sqlrank.output.single_queries import Chosen
from sqlrank.output.tables import Destination
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


def ran(*options: object) -> Outcome:
    """The command on the example, which must succeed."""
    return completed(*REQUEST, *options)


def test_the_table_says_in_short_what_is_as_usual() -> None:
    _, _, _, _, *remarks = ran("-m", "ndcg@10", "-m", "rr", "--quiet").out.splitlines()
    assert remarks[0] == "trec_eval's conventions (--verbose has more)"
    assert [line.partition(":")[0] for line in remarks[1:3]] == ["keyword", "semantic"]
    assert remarks[3:] == [
        "n = 300 queries; adjusted p: 2 p values together, by Holm",
        "adjusted p at most: * 0.05, ** 0.01, *** 0.001",
    ]


def test_what_is_not_as_usual_is_named() -> None:
    asked = ("--test", "t", "--correction", "bh", "--ties", "doc-asc", "--alternative", "greater", "--quiet")
    _, _, *remarks = ran("-m", "ndcg@10", *asked).out.splitlines()
    assert remarks[1] == "trec_eval's conventions, but ties=doc-asc (--verbose has more)"
    assert "p: Student's paired t test, one-sided: the candidate is better" in remarks
    assert "adjusted p: 1 p value together, by Benjamini and Hochberg" in remarks
    assert "n = 300 queries" in remarks
    assert "p and the interval come from different procedures and may disagree" in remarks
    _, _, *remarks = ran("-m", "ndcg@10", "--like", "ranx", "--quiet").out.splitlines()
    assert remarks[1].startswith("like ranx: ")


def test_verbose_and_json_have_every_remark() -> None:
    shown = ran("-m", "ndcg@10", "--verbose", "--quiet").out.splitlines()
    written = json.loads(ran("-m", "ndcg@10", "--format", "json", "--quiet").out)["remarks"]
    assert set(written) <= set(shown)
    assert any(line.startswith("power 0.8 at p <= 0.05") for line in written)


def test_the_table_shows_stars_and_says_which_test_correction_and_n() -> None:
    outcome = ran("-m", "ndcg@10", "-m", "rr", "--quiet", "--verbose")
    header, ndcg, rr, _, *remarks = outcome.out.splitlines()
    assert header.split()[:5] == ["system", "metric", "queries", "keyword", "semantic"]
    assert "+0.0566 ***" in ndcg
    assert "*" not in rr
    assert remarks[-8:] == [
        "p: Fisher's randomization test, 10000 replicates, seed 0",
        "adjusted p: 2 p values together, by Holm",
        "95 % confidence intervals of the mean difference (randomization test, inverted; Student's with two queries"
        " added where most tie), not adjusted; n = 300 queries",
        "effect: mean difference / standard deviation of the differences",
        "ties: queries whose values differ by at most 1e-09 of the larger one",
        "power 0.8 at p <= 0.05, not adjusted: so many queries find differences from 0.0375 [0.0344 to"
        " 0.0413] (ndcg@10), 0.0472 [0.0422 to 0.054] (rr) on; in square brackets what the data leave possible (95 %)",
        "queries that would find the differences seen with that power: 134 [64 to 461] (ndcg@10), 23,403 [448 or more]"
        " (rr)",
        "adjusted p at most: * 0.05, ** 0.01, *** 0.001",
    ]


def test_the_table_of_identical_systems_has_no_stars() -> None:
    outcome = run_cli("compare", f"before={REQUEST[1]}", f"after={REQUEST[1]}", *REQUEST[3:], "-m", "ap", "--quiet")
    row = outcome.out.splitlines()[1]
    assert row.split()[5:] == "+0.0000 - +0.0 % 1.0000 1.0000 - 0/300/0 +0.0000".split()


def test_a_segmented_table_says_the_smallest_n() -> None:
    queries = ["--queries", SEARCH / "queries.parquet", "--by", "country"]
    outcome = ran("-m", "ap", *queries, "--quiet")
    sizes = [int(row["queries"]) for row in ran("-m", "ap", *queries, "--format", "csv").table]
    assert f"n = {min(sizes)} to {max(sizes)} queries" in outcome.out
    assert re.search(r"^semantic +\(all\) +ap +300 ", outcome.out, re.MULTILINE)


@each(["csv", "tsv", "jsonl", "json", "parquet"])
def test_tidy_formats_hold_the_same_rows(kind: str) -> None:
    ran("-m", "ap", "-o", f"rows.{kind}")
    text = Path(f"rows.{kind}")
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
    found = json.loads(ran("-m", "ap", "--movers", 2, "--format", "json", "--seed", 7).out)
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


def test_the_queries_that_moved_most_are_shown() -> None:
    table = ran("-m", "ap", "--movers", 1).out
    assert re.search(r"^semantic +ap +q0297 +0\.0385 +0\.9013 +\+0\.8628$", table, re.MULTILINE)
    markdown = ran("-m", "ap", "--movers", 1, "--format", "markdown").out
    assert "| semantic | ap | q0297 | 0.0385 | 0.9013 | +0.8628 |" in markdown


def test_markdown_has_a_table_that_shows_as_it_is() -> None:
    lines = ran("-m", "rr", "-m", "ap", "--format", "markdown").out.splitlines()
    assert lines[0].startswith("| system | metric | queries | keyword | semantic | difference | 95 % interval |")
    assert lines[3].startswith("| semantic | ap | 300 | 0.4472 | 0.5275 | +0.0803 \\*\\*\\* |")


def test_latex_is_a_table_for_a_paper() -> None:
    lines = [line for line in ran("-m", "ndcg@10", "-m", "rr", "--format", "latex").out.splitlines() if line[0] != "%"]
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
    text = ran("-m", "ap", "--correction", "max-t", "--format", "latex").out
    assert "1 p value corrected by the largest t" in " ".join(text.split())


def test_latex_has_a_block_for_each_segment() -> None:
    queries = ["--queries", SEARCH / "queries.parquet", "--by", "country"]
    lines = ran("-m", "ap", *queries, "--format", "latex").out.splitlines()
    assert r"system & country & ap \\" in lines
    segments = len(ran("-m", "ap", *queries, "--format", "csv").table)
    assert lines.count(r"\midrule") == segments
    assert lines[-4].startswith("semantic & (all) & ")


def test_latex_has_a_dash_where_there_is_no_value_and_whole_counts() -> None:
    runs, qrels = sides(a=[1, 2], b=[2, 4])
    named = pa.table({"query_id": ["q00000", "q00001"], "half": ["x", "y"], "traffic": [1.0, 0.0]})
    options: dict[str, Any] = {"queries": named, "by": "half", "weight": "traffic"}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=[METRIC, "num_ret"], **options) as comparison:
        write_comparison(comparison, Destination("latex", "table.tex", 1))
    lines = Path("table.tex").read_text(encoding="utf-8").splitlines()
    assert r"a & y & - & \textbf{1} \\" in lines
    assert r"b & (all) & \textbf{2.0} & \textbf{2} \\" in lines


def test_thirty_systems_are_no_more_trouble_than_two(capsys: pytest.CaptureFixture[str]) -> None:
    values = {f"s{number:02}": [number % 7 + place % (number + 2) for place in range(8)] for number in range(30)}
    runs, qrels = sides(**{name: [float(value) for value in column] for name, column in values.items()})
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC) as comparison:
        for kind in ("latex", "table", "markdown"):
            write_comparison(comparison, Destination(kind))
            out = capsys.readouterr().out
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
        movers = Chosen(movers=2) if kind in ("table", "markdown", "json") else Chosen()
        write_comparison(comparison, Destination(kind), movers)
        out = capsys.readouterr().out
        if kind in ("csv", "tsv", "json", "jsonl"):
            write_differences(comparison, kind, None)
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
    [
        (0.05, 0.05, "*"),
        (0.05, 0.01, "**"),
        (0.05, 0.001, "***"),
        (0.05, 0.051, ""),
        (0.1, 0.08, "*"),
        (0.01, 0.02, ""),
    ]
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
        (["--fail-on-drop", "ap=0.09"], 0),
        (["--fail-on-drop", "ap=0.07"], 4),
        (["--fail-on-drop", "ap=0.07", "--confidently"], 0),
        (["--fail-on-drop", "ap=0.05", "--confidently"], 4),
        (["--fail-on-drop", "ap=0.09", "--fail-on-drop", "ndcg@10=0.01"], 4),
    ]
)
def test_a_drop_beyond_what_is_allowed_fails(case: tuple[list[str], int]) -> None:
    options, code = case
    outcome = gated(*options)
    assert outcome.code == code
    assert outcome.out.startswith("system")
    assert ("drops by" in outcome.err) == (code == 4)


@each([("12%", 4), ("15.22%", 4), ("15.24%", 0), ("0%", 4)])
def test_a_drop_may_be_a_share_of_the_baseline(case: tuple[str, int]) -> None:
    share, code = case
    outcome = gated("--fail-on-drop", f"ap={share}")
    assert outcome.code == code, outcome.err
    said = "ap of keyword drops by 15.23 % (0.0803422938432, -0.107751645069 to -0.0528518917776) from semantic"
    assert (f"{said}, more than {share.replace('%', ' %')}" in outcome.err) == (code == 4)


def test_a_share_of_nothing_allows_no_drop() -> None:
    Path("old.csv").write_text("query_id,doc_id,score\nq,a,2\nq,b,1\n")
    Path("new.csv").write_text("query_id,doc_id,score\nq,b,2\nq,a,1\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq,c,1\n")
    same = ("compare", "old.csv", "new.csv", "--qrels", "qrels.csv", "--fail-on-drop", "rr=5%")
    assert run_cli(*same).code == 0


def test_segments_are_held_to_gates_too() -> None:
    gates = ("--fail-on-drop", "ap=0.09", "--by", "country", "--queries", SEARCH / "queries.parquet")
    assert gated(*gates).code == 0
    outcome = gated(*gates, "--gate-segments", "--junit", "gates.xml")
    assert outcome.code == 4
    rows = [row for row in gated(*gates, "--format", "csv").table if float(row["difference"]) < -0.09]
    assert rows
    for row in rows:
        assert f"ap of keyword in country={row['country']} drops by" in outcome.err
    assert Path("gates.xml").read_text().count("<testcase") == len(gated(*gates, "--format", "csv").table)


def test_a_gate_adds_its_metric_to_those_that_are_compared() -> None:
    outcome = run_cli(*REQUEST, "--fail-on-drop", "p@3=0", "--format", "csv")
    assert [row["metric"] for row in outcome.table][-2:] == ["recall@100", "p@3"]


def test_a_gate_on_stored_rows_needs_its_metric_there() -> None:
    old, new = store("old.parquet", REQUEST[1]), store("new.parquet", REQUEST[2])
    assert run_cli("compare", old, new, "--fail-on-drop", "rr=0.1").code == 0
    said = error_of(3, "compare", old, new, "--fail-on-drop", "p@3=0.1")
    assert "old.parquet does not hold p@3 (it has ap, rr)" in said


def test_a_drop_over_one_query_fails_without_an_interval() -> None:
    Path("old.csv").write_text("query_id,doc_id,score\nq,a,2\nq,b,1\n")
    Path("new.csv").write_text("query_id,doc_id,score\nq,a,1\nq,b,2\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\n")

    outcome = run_cli("compare", "old.csv", "new.csv", "--qrels", "qrels.csv", "--fail-on-drop", "rr=0.1")

    assert outcome.code == 4
    assert "rr of new drops by 0.5 from old, more than 0.1" in outcome.err


def test_a_gain_is_no_drop() -> None:
    assert run_cli(*REQUEST, "-m", "ap", "--fail-on-drop", "ap=0").code == 0


def test_the_reason_says_what_dropped_by_how_much_and_how_sure_that_is() -> None:
    error = "sqlrank: error: ap of keyword drops by 0.0803"
    assert gated("--fail-on-drop", "ap=0.07").err.startswith(error)
    assert " from semantic, more than 0.07\n" in gated("--fail-on-drop", "ap=0.07").err


def cases(path: str) -> list[tuple[str | None, str | None]]:
    """The name and the failure of each case of a report."""
    suites = ElementTree.parse(path).getroot()
    assert suites.tag == "testsuites"
    found = suites.findall("./testsuite/testcase")
    counted = suites.get("tests"), suites.get("failures")
    assert counted == (str(len(found)), str(sum(case.find("failure") is not None for case in found)))
    failures = [case.find("failure") for case in found]
    return [
        (case.get("name"), None if bad is None else bad.get("message"))
        for case, bad in zip(found, failures, strict=True)
    ]


def test_a_report_of_a_comparison_shows_every_gate() -> None:
    outcome = gated("--fail-on-drop", "ap=0.07", "--fail-on-drop", "ap=0.2", "--junit", "gates.xml")
    assert outcome.code == 4
    (first, failure), (second, none) = cases("gates.xml")
    assert (first, second) == (
        "ap of keyword does not drop by more than 0.07",
        "ap of keyword does not drop by more than 0.2",
    )
    assert f"sqlrank: error: {failure}\n" == outcome.err
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
    runs = values(ran("-m", "ap", "-m", "rr", "--format", "csv"))
    assert values(run_cli("compare", old, new, "--format", "csv")) == runs
    assert values(run_cli("compare", old, *REQUEST[2:], "--format", "csv")) == runs
    assert list(values(run_cli("compare", old, new, "-m", "rr", "--format", "csv"))) == ["rr"]


def test_stored_rows_keep_their_segments_and_weights() -> None:
    options = ["--queries", SEARCH / "queries.parquet", "--by", "country", "--weight", "traffic"]
    old, new = store("old.parquet", REQUEST[1], *options), store("new.parquet", REQUEST[2], *options)
    chosen = ["-m", "ap", "--format", "csv"]
    stored = completed("compare", old, new, "--by", "country", "--weight", "traffic", *chosen)
    assert stored.out == ran(*options, *chosen).out


@each(
    [
        (["--rel", "2"], [], [], "old.parquet and new.parquet have no metric in common"),
        (["--depth", "5"], [], [], "new.parquet was evaluated with --depth None, old.parquet with --depth 5"),
        (
            [],
            [],
            ["--ties", "doc-asc"],
            "old.parquet was evaluated with --ties doc-desc, this comparison with --ties doc-asc",
        ),
        (
            [],
            [],
            ["--where", "score > 0"],
            "old.parquet was evaluated without --where, and is to be read with --where",
        ),
        (["--where", "score > 0"], [], [], "evaluated with --where score > 0, and is to be read without --where"),
        ([], [], ["-m", "ndcg@10"], "old.parquet does not hold ndcg@10 (it has ap, rr)"),
        ([], [], ["--by", "country"], "old.parquet was evaluated without --by country (it holds no segments)"),
    ]
)
def test_stored_rows_that_mean_something_else_are_refused(case: tuple[list[str], list[str], list[str], str]) -> None:
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
    assert "the judgments of old.parquet are not those of new.parquet: what was judged in one only" in outcome.err
    assert "the judgments of" not in run_cli("compare", old, *REQUEST[2:]).err


def test_a_condition_on_the_runs_leaves_stored_rows_readable() -> None:
    old = store("old.parquet", REQUEST[1], "--where", "score > 0")
    completed("compare", old, *REQUEST[2:], "-m", "ap", "--where", "score > 0", "--format", "csv", "-o", "x.csv")


def test_two_stored_systems_of_one_name_need_names() -> None:
    old = store("old.parquet", REQUEST[1])
    assert "two systems are called 'keyword'; name them with name=path" in error_of(2, "compare", old, old)
    assert run_cli("compare", f"before={old}", f"after={old}").code == 0


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_per_query_rows_that_do_not_say_what_they_mean_are_refused(kind: str) -> None:
    store(f"old.{kind}", REQUEST[1])
    if kind == "parquet":
        pq.write_table(pq.read_table("old.parquet").replace_schema_metadata({}), "old.parquet")
    said = error_of(3, "compare", f"old.{kind}", *REQUEST[2:])
    assert f"old.{kind} holds per-query rows, and not what they mean: store them in Parquet" in said


def test_rows_that_another_version_stored_are_refused() -> None:
    table = pq.read_table(store("old.parquet", REQUEST[1]))
    metadata = dict(table.schema.metadata)
    metadata[b"conventions"] = json.dumps(json.loads(metadata[b"conventions"]) | {"mood": "good"}).encode()
    metadata[b"sqlrank"] = b"9.0"
    pq.write_table(table.replace_schema_metadata(metadata), "old.parquet")
    said = error_of(3, "compare", "old.parquet", *REQUEST[2:])
    assert "old.parquet was stored by sqlrank 9.0, with other conventions: store it again" in said


def test_rows_that_were_stored_before_a_convention_was_there_are_those_of_its_default() -> None:
    table = pq.read_table(store("old.parquet", REQUEST[1]))
    metadata = dict(table.schema.metadata)
    conventions = json.loads(metadata[b"conventions"])
    del conventions["top_relevance"]
    metadata[b"conventions"] = json.dumps(conventions).encode()
    pq.write_table(table.replace_schema_metadata(metadata), "old.parquet")
    assert run_cli("compare", "old.parquet", *REQUEST[2:]).code == 0
    said = error_of(3, "compare", "old.parquet", *REQUEST[2:], "--top-relevance", "4")
    assert "was evaluated with --top-relevance None" in said


def test_a_stored_summary_is_no_per_query_file() -> None:
    run_cli("eval", *REQUEST[1:], "-o", "summary.parquet")
    said = error_of(3, "compare", "summary.parquet", REQUEST[2], *REQUEST[3:])
    assert "summary.parquet has no column for the query_id" in said
