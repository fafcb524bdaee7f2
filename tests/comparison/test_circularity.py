"""Judgments from clicks favour the system that was clicked: a planted reversal, and what is said of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank.comparison.result import Comparison
from sqlrank.errors import UsageError
from sqlrank.pages.words import words_of
from tests.support.cli_helper import completed, run_cli
from tests.support.clicks import World, marks, qrels, run, world, write
from tests.support.reports import parsed, text_of
from tests.support.tables import hold

WAYS = "interleave, randomise 1 to 5 % of the traffic, or judge the pool (sqlrank pool)"
NOTE = (
    "judgments come from clicks on old: 100 % of its first 10 documents are judged, 59 % of new's; labels of one"
    " system's clicks favour it, so a difference in its favour is no verdict. Fair ways: " + WAYS
)
REFUSED = f"ndcg@10 of new has no verdict: the judgments come from clicks, which favour old. Fair ways: {WAYS}"
FEW: dict[str, Any] = {"replicates": 200}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a world whose old system was clicked: runs, what is true, and labels of clicks."""
    found = tmp_path_factory.mktemp("world")
    made = world()
    run(found / "old.parquet", made.old)
    run(found / "new.parquet", made.new)
    run(found / "newer.parquet", made.truth)
    qrels(found / "truth.parquet", made.truth, None)
    qrels(found / "ctr.parquet", made.ctr, marks("ctr"))
    qrels(found / "weighted.parquet", made.weighted, marks("pbm"))
    qrels(found / "both.parquet", made.weighted, marks("pbm", ["new", "old"]))
    qrels(found / "unmarked.parquet", made.weighted, None)
    return found


@contextmanager
def compared(
    folder: Path, labels: Any, metrics: Any = "ndcg@10", order: str = "old new", **options: Any
) -> Iterator[Comparison]:
    """The systems of the world compared, the baseline first."""
    runs = [folder / f"{name}.parquet" for name in order.split()]
    judgments = folder / f"{labels}.parquet" if isinstance(labels, str) else labels
    with sqlrank.compare(runs, judgments, metrics, **FEW | options) as comparison:
        yield comparison


def asked(folder: Path, labels: str, *arguments: object, order: str = "old new") -> tuple[object, ...]:
    """The command that compares them."""
    runs = [folder / f"{name}.parquet" for name in order.split()]
    return ("compare", *runs, "--qrels", folder / f"{labels}.parquet", "-m", "ndcg@10", "--replicates", 200, *arguments)


def test_the_new_system_is_better_and_looks_worse(folder: Path) -> None:
    with compared(folder, "truth") as true:
        assert true["ndcg@10"]["difference"] > 0.05
        assert true["ndcg@10"]["significant"]
        assert "verdict" not in true.rows.columns
    for labels in ("ctr", "weighted"):
        with compared(folder, labels) as naive:
            row = naive["ndcg@10"]
            assert row["ci_low"] < row["difference"] < row["ci_high"] < -0.05
            assert row["ci_high"] - row["ci_low"] < 0.06


@pytest.mark.parametrize(
    ("labels", "order", "test"),
    [
        ("ctr", "old new", "randomization"),
        ("ctr", "new old", "t"),
        ("weighted", "old new", "t"),
        ("weighted", "new old", "randomization"),
    ],
)
def test_there_is_no_verdict_for_the_favoured_side(labels: str, order: str, test: str, folder: Path) -> None:
    with compared(folder, labels, ["ndcg@10", "p(rel=0.3)@5", "ap(rel=0.3)"], order, test=test) as found:
        for row in found.all_rows:
            assert (row["significant"], row["verdict"], row["favoured"]) == (None, "withheld", "old")
        assert found["ndcg@10"]["p_adjusted"] <= 0.05
        assert found.notes[0] == NOTE
        assert found.rows.columns[-2:] == ["favoured", "verdict"]
        assert "judgments: from clicks" in "\n".join(found.remarks())


def test_all_pairs_share_a_letter_where_there_is_no_verdict(folder: Path) -> None:
    with compared(folder, "weighted", all_pairs=True, order="old new newer") as found:
        letters = {row["system"]: row["letters"] for row in found.standings}
        verdicts = {(row["baseline"], row["system"]): row["verdict"] for row in found.all_rows}
    assert verdicts["old", "new"] == verdicts["old", "newer"] == "withheld"
    assert set(letters["old"]) & set(letters["new"])
    assert verdicts["new", "newer"] in ("better", "undecided")


def test_a_difference_against_the_favoured_side_keeps_its_verdict(folder: Path, tmp_path: Path) -> None:
    made = world()
    best = [(query, doc, value) for query, doc, value in made.weighted]
    run(tmp_path / "old.parquet", [(query, doc, -value) for query, doc, value in made.weighted])
    run(tmp_path / "new.parquet", [*best, *[(f"q{at}", f"x{at}", -9.0) for at in range(300)]])
    with compared(tmp_path, folder / "ctr.parquet") as found:
        row = found["ndcg@10"]
        assert (row["favoured"], row["verdict"], row["significant"]) == ("old", "better", True)


def test_gates_neither_hold_nor_fail_on_it(folder: Path) -> None:
    for gates in (
        ("--fail-on-drop", "ndcg@10=0.005"),
        ("--fail-on-drop", "ndcg@10=1%"),
        ("--fail-on-drop", "ndcg@10=0.5", "--confidently"),
        ("--not-worse-than", "ndcg@10=0.005"),
        ("--not-worse-than", "ndcg@10=0.5"),
    ):
        found = run_cli(*asked(folder, "weighted", *gates))
        assert (found.code, REFUSED in found.err) == (4, True), (gates, found.err)


def test_a_gate_does_not_hold_for_the_favoured_candidate(folder: Path, tmp_path: Path) -> None:
    junit = tmp_path / "gates.xml"
    for gate in ("--fail-on-drop", "--not-worse-than"):
        found = run_cli(*asked(folder, "ctr", gate, "ndcg@10=0.1", "--junit", junit, order="new old"))
        said = REFUSED.replace("of new", "of old")
        assert (found.code, said in found.err) == (4, True)
        assert said in junit.read_text()


def test_a_candidate_that_loses_though_it_is_favoured_fails_a_gate_and_does_not_pass_one(
    folder: Path, tmp_path: Path
) -> None:
    made = world()
    run(tmp_path / "old.parquet", [(query, doc, -value) for query, doc, value in made.weighted])
    run(tmp_path / "new.parquet", made.weighted)
    runs = (tmp_path / "new.parquet", tmp_path / "old.parquet")
    request = ("compare", *runs, "--qrels", folder / "ctr.parquet", "-m", "ndcg@10", "--replicates", 200)
    assert "drops by" in run_cli(*request, "--fail-on-drop", "ndcg@10=0.005").err
    for gate in ("--fail-on-drop", "--not-worse-than"):
        found = run_cli(*request, gate, "ndcg@10=0.9")
        assert (found.code, "has no verdict" in found.err) == (4, True)


def test_margins_have_no_verdict_either(folder: Path) -> None:
    with compared(folder, "weighted", margins={"ndcg@10": 0.5}) as found:
        assert (found["ndcg@10"]["p_not_worse"], found["ndcg@10"]["p_equivalent"]) == (None, None)
        assert "ndcg@10 of new, margin 0.5: no verdict, as the judgments favour old" in found.remarks()


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("table", "none: labels favour old"),
        ("markdown", "| none: labels favour old |"),
        ("latex", r"0.7697$^{\dagger}$"),
        ("csv", ",old,withheld"),
        ("json", '"verdict": "withheld"'),
    ],
)
def test_every_format_says_so(kind: str, said: str, folder: Path) -> None:
    found = completed(*asked(folder, "weighted", "--format", kind))
    assert said in found.out
    assert NOTE in found.err or kind == "json"
    assert "***" not in found.out.replace("*** 0.001", "").replace(r"\*\*\* 0.001", "")
    if kind in ("table", "markdown", "latex"):
        assert "verdict: none where judgments from clicks favour who leads (old)" in found.out
    if kind == "latex":
        assert r"\textbf{0" not in found.out
        assert "Dagger: no verdict, as the judgments come from clicks, which favour old." in found.out


def test_json_holds_whom_they_favour(folder: Path) -> None:
    document = json.loads(completed(*asked(folder, "weighted", "--format", "json")).out)
    (row,) = document["rows"]
    assert (row["significant"], row["favoured"], row["verdict"]) == (None, "old", "withheld")
    assert NOTE in document["notes"]


def test_matrices_of_papers_have_daggers_too(folder: Path) -> None:
    found = completed(*asked(folder, "weighted", "--format", "latex", "--all-pairs", order="old new newer")).out
    assert found.count(r"^{\dagger}$") == 4
    assert "Dagger: no verdict" in found


def test_the_report_says_so(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    verdict = "no verdict on new and old in ndcg@10: the judgments come from clicks, which favour old"
    told = {"en": (verdict, "none: labels favour old"), "zh": ("new 与 old 的 ndcg@10 不作结论", "标注偏向 old")}

    def check(language: str) -> None:
        request = ("report", *asked(folder, "weighted", "--fail-on-drop", "ndcg@10=0.005", "--lang", language)[1:])
        assert run_cli(*request, "-o", page).code == 4
        shown, words = text_of(parsed(page.read_text(encoding="utf-8"))), words_of(language)
        for said in (*told[language], words.said(REFUSED), words.said(NOTE)):
            assert said in shown
        assert "is worse than" not in shown
        assert (REFUSED in shown) is (NOTE in shown) is (language == "en")

    hold(list(told), check)


def test_labels_of_both_systems_are_evidence(folder: Path) -> None:
    with compared(folder, "both") as found:
        row = found["ndcg@10"]
        assert (row["significant"], row["verdict"], row["favoured"]) == (True, "worse", "old")
        assert found.notes[0].startswith(
            "judgments come from clicks on new and old: 100 % of the first 10 documents of old"
        )
        assert "no verdict" not in found.notes[0]
    assert "drops by" in run_cli(*asked(folder, "both", "--fail-on-drop", "ndcg@10=0.005")).err


def test_the_user_says_whose_clicks_they_are(folder: Path) -> None:
    with compared(folder, "unmarked", judged_by="old") as found:
        assert found["ndcg@10"]["verdict"] == "withheld"
        assert found.notes[0] == NOTE
    shown = completed(*asked(folder, "unmarked", "--judged-by", "old", "--judged-by", "new"))
    assert "judgments: from clicks on old and new" in shown.out
    assert "  worse\n" in shown.out
    with pytest.raises(UsageError, match="judged_by"), compared(folder, "weighted", judged_by="new"):
        pass


def test_a_name_of_no_compared_system_is_noted(folder: Path) -> None:
    with compared(folder, "truth", judged_by="older") as found:
        assert "judgments come from clicks on older: none of the compared systems is among them" in found.notes
        assert found["ndcg@10"]["verdict"] == "better"
    assert (
        "--judged-by needs judgments"
        in run_cli(*asked(folder, "truth", "--judged-by", "x")[:3], "--judged-by", "x").err
    )


def test_without_such_judgments_nothing_is_said(folder: Path, tmp_path: Path) -> None:
    unmarked = tmp_path / "labels.parquet"
    for kind in ("table", "csv", "json", "markdown", "latex"):
        shown = []
        for metadata in (None, {"sqlrank": "1.0", "contents": "judgments", "behaviour": {"systems": ["old"]}}):
            qrels(unmarked, world().weighted, metadata)
            request = asked(tmp_path, "labels", "--format", kind)
            found = completed("compare", *[folder / f"{name}.parquet" for name in ("old", "new")], *request[3:])
            assert not any(word in found.out + found.err for word in ("click", "verdict", "favour"))
            shown.append(found)
        assert shown[0] == shown[1]


def part(judged: int, lead: int) -> tuple[World, list[Any]]:
    """Two systems of disjoint documents, of whose first 100 in one query so many of the old one's are judged."""
    old = [("q", f"o{at:03}", 1000.0 - at) for at in range(100)]
    new = [("q", f"n{at:03}", 1000.0 - at) for at in range(100)]
    labels = [("q", f"o{at:03}", 1.0) for at in range(judged)] + [
        ("q", f"n{at:03}", 0.0) for at in range(judged - lead)
    ]
    return World(old, new, [], [], []), labels


def test_shares_and_methods_decide(tmp_path: Path) -> None:
    queries = range(12)
    made, _ = part(50, 0)
    for name, rows in (("old", made.old), ("new", made.new)):
        run(tmp_path / f"{name}.parquet", [(f"q{at}", doc, score) for at in queries for _, doc, score in rows])

    def check(case: tuple[int, str, str, str | None, str]) -> None:
        lead, named, method, favoured, verdict = case
        systems, (_, labels) = named.split(), part(50, lead)
        judged = [
            (f"q{at}", doc, grade if doc != "o000" else at % 3 + 1.0) for at in queries for _, doc, grade in labels
        ]
        path = qrels(tmp_path / "labels.parquet", judged, marks(method, systems))
        with compared(tmp_path, path, "dcg@100", test="t") as found:
            row = found["dcg@100"]
            assert (row["favoured"], row["verdict"]) == (favoured, verdict)
            warned = [
                note for note in found.notes if "labels of one system's clicks" in note or "which favours" in note
            ]
            assert len(warned) == (2 if systems == ["new"] and lead > 5 else favoured is not None)

    cases: list[tuple[int, str, str, str | None, str]] = [
        (3, "old new", "sdbn", None, "worse"),
        (3, "", "sdbn", None, "worse"),
        (5, "", "sdbn", None, "worse"),
        (6, "", "sdbn", "old", "worse"),
        (8, "", "sdbn", "old", "worse"),
        (8, "old", "sdbn", "old", "worse"),
        (3, "old", "sdbn", "old", "worse"),
        (15, "old", "sdbn", "old", "worse"),
        (16, "old", "sdbn", "old", "withheld"),
        (16, "", "sdbn", "old", "withheld"),
        (16, "new", "sdbn", "old", "withheld"),
        (16, "other", "sdbn", "old", "withheld"),
        (16, "old new", "ctr", "old", "worse"),
        (3, "old", "ctr", "old", "withheld"),
        (3, "old", "COEC", "old", "withheld"),
        (3, "new", "ctr", "new", "worse"),
        (3, "", "ctr", None, "worse"),
        (8, "", "ctr", "old", "withheld"),
    ]
    hold(cases, check)


def test_a_lead_that_no_judgment_turns_is_a_verdict(folder: Path, tmp_path: Path) -> None:
    ranked = [(f"q{at}", doc, score) for at in range(12) for doc, score in (("a", 3.0), ("b", 2.0), ("c", 1.0))]
    other = [(f"q{at}", doc, score) for at in range(12) for doc, score in (("c", 3.0), ("d", 2.0), ("a", 1.0))]
    run(tmp_path / "old.parquet", ranked)
    run(tmp_path / "new.parquet", other)
    labels = [
        (f"q{at}", doc, grade) for at in range(12) for doc, grade in (("a", at % 3 + 9.0), ("b", 1.0), ("c", 0.0))
    ]
    path = qrels(tmp_path / "labels.parquet", labels, marks("ctr"))
    with compared(tmp_path, path, ["dcg@1", "dcg@3"], bounds=True, test="t", top_relevance=11) as found:
        first, third = found.all_rows
        assert (first["sign_survives"], first["verdict"], first["significant"]) == (True, "worse", True)
        assert (third["sign_survives"], third["verdict"], third["significant"]) == (False, "withheld", None)
    with compared(tmp_path, path, ["dcg@1"], bounds=True, test="t", top_relevance=11, gates=["dcg@1"]) as found:
        assert "its lead stands however the rest is judged (bounds" in found.notes[0]
    with compared(tmp_path, path, ["dcg@1"], test="t") as found:
        assert found["dcg@1"]["verdict"] == "withheld"


def test_what_needs_no_judgments_or_says_what_was_judged_is_as_it_is(folder: Path) -> None:
    with compared(folder, "weighted", ["ndcg@10", "num_ret"], judged=True) as found:
        verdicts = {row["metric"]: row["verdict"] for row in found.all_rows}
    assert verdicts == {"ndcg@10": "withheld", "judged@10": "worse", "num_ret": "undecided"}


def test_segments_have_no_verdict_either(folder: Path, tmp_path: Path) -> None:
    half = write(
        tmp_path / "queries.parquet", [(f"q{at}", f"half {at % 2}") for at in range(300)], ["query_id", "half"]
    )
    with compared(folder, "weighted", queries=half, by="half") as found:
        assert [row["verdict"] for row in found.all_rows] == ["withheld"] * 3


def test_stored_rows_know_where_their_judgments_come_from(folder: Path, tmp_path: Path) -> None:
    request = ("--qrels", folder / "weighted.parquet", "-m", "ndcg@10", "--quiet")
    for judged, note in (
        ((), "judgments come from clicks on old, and how many documents of new are judged is not known"),
        (("--judged",), NOTE),
    ):
        files = [tmp_path / f"{name}.parquet" for name in ("old", "new")]
        for file in files:
            completed("eval", folder / file.name, *request, *judged, "--per-query", file)
        with sqlrank.compare(files, metrics="ndcg@10", **FEW) as found:
            assert found["ndcg@10"]["verdict"] == "withheld"
            assert found.notes[0].startswith(note)
            assert "judgments: from clicks (pbm) on old, 2026-10-01 to 2026-10-28" in found.remarks()
    with sqlrank.compare([folder / "old.parquet", files[1]], folder / "weighted.parquet", "ndcg@10", **FEW) as found:
        assert found["ndcg@10"]["verdict"] == "withheld"
        assert found.notes[0] == NOTE


def test_stored_rows_of_nobody_knows_whom_are_noted(folder: Path, tmp_path: Path) -> None:
    labels = qrels(tmp_path / "labels.parquet", world().weighted, marks(systems=[]))
    files = [tmp_path / f"{name}.parquet" for name in ("old", "new")]
    for file in files:
        completed("eval", folder / file.name, "--qrels", labels, "-m", "ndcg@10", "--quiet", "--per-query", file)
    with sqlrank.compare(files, metrics="ndcg@10", **FEW) as found:
        assert found.notes[0].startswith("judgments come from clicks, and whom they favour is not known")
    with sqlrank.compare(files, metrics="ndcg@10", judged_by="old", **FEW) as found:
        assert found["ndcg@10"]["verdict"] == "withheld"


def test_a_store_knows_it_too(folder: Path, tmp_path: Path) -> None:
    for name in ("old", "new"):
        request = ("eval", folder / f"{name}.parquet", "--qrels", folder / "weighted.parquet", "-m", "ndcg@10")
        completed(*request, "--store", tmp_path / "store", "--as-of", "2026-11-01")
    with sqlrank.compare(tmp_path / "store", baseline="old", **FEW) as found:
        assert found["ndcg@10"]["verdict"] == "withheld"
        assert found.notes[0] == NOTE


def test_a_tool_that_is_followed_changes_no_share(folder: Path) -> None:
    with compared(folder, "weighted", "ndcg_cut_10", like="trec_eval") as found:
        assert found.all_rows[0]["verdict"] == "withheld"
        assert found.notes[0] == NOTE


def test_documents_that_are_removed_are_counted_as_they_were_returned(folder: Path, tmp_path: Path) -> None:
    with compared(folder, "weighted", unjudged="remove") as found:
        assert found.notes[0].startswith(NOTE.partition(", so a difference")[0])
        assert found["ndcg@10"]["verdict"] == "better"
        assert found["ndcg@10"]["difference"] > 0.03
    with compared(folder, "ctr", unjudged="remove", judged=True) as found:
        assert (found["ndcg@10"]["verdict"], found.notes[0]) == ("withheld", NOTE)
    request = ("--qrels", folder / "weighted.parquet", "-m", "ndcg@10", "--quiet", "--judged", "--unjudged", "remove")
    for name in ("old", "new"):
        completed("eval", folder / f"{name}.parquet", *request, "--per-query", tmp_path / f"{name}.parquet")
    with sqlrank.compare([tmp_path / "old.parquet", tmp_path / "new.parquet"], metrics="ndcg@10", **FEW) as found:
        assert "how many documents of new are judged is not known" in found.notes[0]


def test_periods_are_favoured_by_their_shares(folder: Path, tmp_path: Path) -> None:
    made = world()
    rows = [(*row, "2026-11-01") for row in made.old] + [(*row, "2026-11-08") for row in made.new]
    export = write(tmp_path / "export.parquet", rows, ["query_id", "doc_id", "score", "dt"])
    options: dict[str, Any] = {"periods": "dt=before=2026-11-01,after=2026-11-08", **FEW}
    for more in ({}, {"like": "trec_eval"}):
        with sqlrank.compare(export, folder / "weighted.parquet", "ndcg_cut_10", **options | more) as found:
            assert (found.all_rows[0]["verdict"], found.all_rows[0]["favoured"]) == ("withheld", "before")
            assert found.notes[0].startswith(
                "judgments come from clicks on old: 100 % of the first 10 documents of before"
            )
            assert not [note for note in found.notes if "none of the compared systems" in note]
    options["periods"] = "dt=before=2026-10-28,after=2026-11-08"
    dated = write(
        tmp_path / "dated.parquet", [(*row[:3], "2026-10-28") for row in rows], ["query_id", "doc_id", "score", "shown"]
    )
    options["periods"] = "shown=2026-10-28,2026-11-08"
    with pytest.raises(
        UsageError, match=r"period 2026-10-28: .*the day 2026-10-28 of .*shown.* is among the days of the clicks"
    ):
        sqlrank.compare(dated, folder / "weighted.parquet", "ndcg@10", **options)


def test_days_of_the_clicks_are_refused_in_compare(folder: Path, tmp_path: Path) -> None:
    rows = [(*row, "2026-10-15") for row in world().new]
    write(tmp_path / "new.parquet", rows, ["query_id", "doc_id", "score", "day"])
    runs = (folder / "old.parquet", tmp_path / "new.parquet")
    request = ("compare", *runs, "--qrels", folder / "weighted.parquet", "-m", "ndcg@10", "--replicates", 200)
    found = run_cli(*request)
    assert (found.code, "the day 2026-10-15 of day is among the days of the clicks" in found.err) == (2, True)
    assert "what was shown then is judged by its own clicks" in completed(*request, "--same-days").err


def test_names_of_systems_are_shown_as_texts(folder: Path, tmp_path: Path) -> None:
    rows = [(name, *row) for name, part in (("<b>\x1b[2J", world().old), ("new", world().new)) for row in part]
    export = write(tmp_path / "export.parquet", rows, ["system", "query_id", "doc_id", "score"])
    labels = qrels(tmp_path / "labels.parquet", world().weighted, marks(systems=["<b>\x1b[2J"]))
    request = (export, "--baseline", "new", "--qrels", labels, "-m", "ndcg@10", "--replicates", 200)
    for kind in ("table", "markdown", "latex"):
        found = completed("compare", *request, "--format", kind)
        assert "\x1b" not in found.out + found.err
        assert "<b>" not in found.out or kind != "markdown"
    page = tmp_path / "report.html"
    completed("report", *request, "-o", page)
    assert "<b>" not in page.read_text(encoding="utf-8")


def test_no_segment_is_called_as_a_column_of_verdicts(folder: Path, tmp_path: Path) -> None:
    half = write(tmp_path / "queries.parquet", [(f"q{at}", "x") for at in range(300)], ["query_id", "verdict"])
    with pytest.raises(UsageError, match=r"verdict.*: the output has a column of that name"):
        sqlrank.compare(
            [folder / "old.parquet", folder / "new.parquet"],
            folder / "weighted.parquet",
            ["ndcg@10"],
            queries=half,
            by="verdict",
        )
    with compared(folder, "truth", queries=half, by="verdict") as found:
        assert found.by == ("verdict",)
