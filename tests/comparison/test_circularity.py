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
from tests.support.clicks import marks, qrels, run, world, write
from tests.support.printed import printed
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
    turned = [(query, doc, -value) for query, doc, value in made.weighted]
    more = [*made.weighted, *[(f"q{at}", f"x{at}", -9.0) for at in range(300)]]
    rankings = {"old": made.old, "new": made.new, "newer": made.truth, "turned": turned, "best": made.weighted}
    for name, rows in {**rankings, "more": more}.items():
        run(found / f"{name}.parquet", rows)
    qrels(found / "truth.parquet", made.truth, None)
    qrels(found / "ctr.parquet", made.ctr, marks("ctr"))
    qrels(found / "weighted.parquet", made.weighted, marks("pbm"))
    qrels(found / "both.parquet", made.weighted, marks("pbm", ["new", "old"]))
    qrels(found / "unmarked.parquet", made.weighted, None)
    return found


def runs_of(folder: Path, order: str) -> list[str]:
    """The runs, of which `old=turned` is the file `turned` as the system `old`."""
    return [
        f"{name}={folder / (file or name)}.parquet" for name, _, file in (word.partition("=") for word in order.split())
    ]


@contextmanager
def compared(
    folder: Path, labels: Any, metrics: Any = "ndcg@10", order: str = "old new", **options: Any
) -> Iterator[Comparison]:
    """The systems of the world compared, the baseline first."""
    judgments = folder / f"{labels}.parquet" if isinstance(labels, str) else labels
    with sqlrank.compare(runs_of(folder, order), judgments, metrics, **FEW | options) as comparison:
        yield comparison


def asked(folder: Path, labels: str, *arguments: object, order: str = "old new") -> tuple[object, ...]:
    """The command that compares them."""
    judgments = folder / f"{labels}.parquet"
    return ("compare", *runs_of(folder, order), "--qrels", judgments, "-m", "ndcg@10", "--replicates", 200, *arguments)


def stored(folder: Path, to: Path, labels: str, *options: object) -> list[Path]:
    """The per-query rows of both systems, in files of their own."""
    files = [to / f"{name}.parquet" for name in ("old", "new")]
    request = ("--qrels", folder / f"{labels}.parquet", "-m", "ndcg@10", "--quiet", *options)
    for file in files:
        completed("eval", folder / file.name, *request, "--per-query", file)
    return files


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


def test_there_is_no_verdict_for_the_favoured_side(folder: Path) -> None:
    def check(case: tuple[str, str, str]) -> None:
        labels, order, test = case
        with compared(folder, labels, ["ndcg@10", "p(rel=0.3)@5", "ap(rel=0.3)"], order, test=test) as found:
            for row in found.all_rows:
                assert (row["significant"], row["verdict"], row["favoured"]) == (None, "withheld", "old")
            assert found["ndcg@10"]["p_adjusted"] <= 0.05
            assert found.notes[0] == NOTE
            assert found.rows.columns[-2:] == ["favoured", "verdict"]
            assert "judgments: from clicks" in "\n".join(found.remarks())

    cases = [
        ("ctr", "old new", "randomization"),
        ("ctr", "new old", "t"),
        ("weighted", "old new", "t"),
        ("weighted", "new old", "randomization"),
    ]
    hold(cases, check)


def test_all_pairs_share_a_letter_where_there_is_no_verdict(folder: Path) -> None:
    with compared(folder, "weighted", all_pairs=True, order="old new newer") as found:
        letters = {row["system"]: row["letters"] for row in found.standings}
        verdicts = {(row["baseline"], row["system"]): row["verdict"] for row in found.all_rows}
        matrices = printed(found, "latex")["latex"]
    assert verdicts["old", "new"] == verdicts["old", "newer"] == "withheld"
    assert set(letters["old"]) & set(letters["new"])
    assert verdicts["new", "newer"] in ("better", "undecided")
    assert matrices.count(r"^{\dagger}$") == 4
    assert "Dagger: no verdict" in matrices


def test_a_difference_against_the_favoured_side_keeps_its_verdict(folder: Path) -> None:
    with compared(folder, "ctr", order="old=turned new=more") as found:
        row = found["ndcg@10"]
        assert (row["favoured"], row["verdict"], row["significant"]) == ("old", "better", True)


def test_gates_neither_hold_nor_fail_on_it(folder: Path, tmp_path: Path) -> None:
    for gates in (
        ("--fail-on-drop", "ndcg@10=0.005"),
        ("--fail-on-drop", "ndcg@10=1%"),
        ("--fail-on-drop", "ndcg@10=0.5", "--confidently"),
        ("--not-worse-than", "ndcg@10=0.005"),
        ("--not-worse-than", "ndcg@10=0.5"),
    ):
        found = run_cli(*asked(folder, "weighted", *gates))
        assert (found.code, REFUSED in found.err) == (4, True), (gates, found.err)
    junit = tmp_path / "gates.xml"
    for gate in ("--fail-on-drop", "--not-worse-than"):
        found = run_cli(*asked(folder, "ctr", gate, "ndcg@10=0.1", "--junit", junit, order="new old"))
        said = REFUSED.replace("of new", "of old")
        assert (found.code, said in found.err) == (4, True)
        assert said in junit.read_text()


def test_a_candidate_that_loses_though_it_is_favoured_fails_a_gate_and_does_not_pass_one(folder: Path) -> None:
    order = "new=best old=turned"
    assert "drops by" in run_cli(*asked(folder, "ctr", "--fail-on-drop", "ndcg@10=0.005", order=order)).err
    for gate in ("--fail-on-drop", "--not-worse-than"):
        found = run_cli(*asked(folder, "ctr", gate, "ndcg@10=0.9", order=order))
        assert (found.code, "has no verdict" in found.err) == (4, True)


def test_segments_and_margins_have_no_verdict_either_and_what_needs_no_judgments_has_its_own(
    folder: Path, tmp_path: Path
) -> None:
    halves = [(f"q{at}", f"half {at % 2}") for at in range(300)]
    half = write(tmp_path / "queries.parquet", halves, ["query_id", "half"])
    asked: dict[str, Any] = {"judged": True, "queries": half, "by": "half", "margins": {"ndcg@10": 0.5}}
    with compared(folder, "weighted", ["ndcg@10", "num_ret"], **asked) as found:
        verdicts = [(row["metric"], row["verdict"]) for row in found.all_rows]
        assert verdicts.count(("ndcg@10", "withheld")) == 3
        assert {*verdicts[-3:]} == {("ndcg@10", "withheld"), ("judged@10", "worse"), ("num_ret", "undecided")}
        assert (found["ndcg@10"]["p_not_worse"], found["ndcg@10"]["p_equivalent"]) == (None, None)
        assert "ndcg@10 of new, margin 0.5: no verdict, as the judgments favour old" in found.remarks()


def test_every_format_says_so(folder: Path) -> None:
    said = {
        "table": "none: labels favour old",
        "markdown": "| none: labels favour old |",
        "latex": r"0.7697$^{\dagger}$",
        "csv": ",old,withheld",
        "json": '"verdict": "withheld"',
    }
    with compared(folder, "weighted") as comparison:
        shown = printed(comparison, *said)
    for kind, words in said.items():
        assert words in shown[kind]
        assert "***" not in shown[kind].replace("*** 0.001", "").replace(r"\*\*\* 0.001", "")
        legend = "verdict: none where judgments from clicks favour the leader (old)"
        assert (legend in shown[kind]) is (kind != "csv")
    assert r"\textbf{0" not in shown["latex"]
    assert "Dagger: no verdict, as the judgments come from clicks, which favour old." in shown["latex"]
    document = json.loads(shown["json"])
    (row,) = document["rows"]
    assert (row["significant"], row["favoured"], row["verdict"]) == (None, "old", "withheld")
    assert NOTE in document["notes"]
    command = completed(*asked(folder, "weighted", "--format", "csv"))
    assert command.out == shown["csv"]
    assert NOTE in command.err


def test_the_report_says_so(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    verdict = "no verdict on new and old in ndcg@10: the judgments come from clicks, which favour old"
    told = {"en": (verdict, "none: labels favour old"), "zh": ("new 与 old 的 ndcg@10 不作结论", "标注偏向 old")}

    def check(language: str) -> None:
        request = ("compare", *asked(folder, "weighted", "--fail-on-drop", "ndcg@10=0.005", "--lang", language)[1:])
        assert run_cli(*request, "-o", page).code == 4
        shown, words = text_of(parsed(page.read_text(encoding="utf-8"))), words_of(language)
        for said in (*told[language], words.said(REFUSED), words.said(NOTE)):
            assert said in shown
        assert "is worse than" not in shown
        assert (REFUSED in shown) is (NOTE in shown) is (language == "en")

    hold(list(told), check)


FROM = "judgments come from clicks on"
FAIR = NOTE.partition(", so a difference")[0]
HOW: list[tuple[str, dict[str, Any], str, str]] = [
    ("both", {}, "worse", f"{FROM} new and old: 100 % of the first 10 documents of old"),
    ("unmarked", {"judged_by": "old"}, "withheld", NOTE),
    ("truth", {"judged_by": "older"}, "better", f"{FROM} older: none of the compared systems is among them"),
    ("weighted", {"like": "sklearn"}, "withheld", NOTE),
    ("weighted", {"unjudged": "remove"}, "better", FAIR),  # documents that are removed count as they were returned
    ("ctr", {"unjudged": "remove", "judged": True}, "withheld", NOTE),
]


def test_whose_labels_they_are_decides(folder: Path) -> None:
    def check(case: tuple[str, dict[str, Any], str, str]) -> None:
        labels, options, verdict, note = case
        with compared(folder, labels, **options) as found:
            row = found.all_rows[0]
            assert row["verdict"] == verdict
            assert found.notes[0].startswith(note)
            if labels == "both":
                assert (row["significant"], row["favoured"]) == (True, "old")
                assert "no verdict" not in found.notes[0]
            if options == {"unjudged": "remove"}:
                assert row["difference"] > 0.03

    hold(HOW, check)
    with pytest.raises(UsageError, match="judged_by"), compared(folder, "weighted", judged_by="new"):
        pass


def test_the_command_is_told_whose_labels_they_are(folder: Path) -> None:
    assert "drops by" in run_cli(*asked(folder, "both", "--fail-on-drop", "ndcg@10=0.005")).err
    shown = completed(*asked(folder, "unmarked", "--judged-by", "old", "--judged-by", "new"))
    assert "judgments: from clicks on old and new" in shown.out
    assert "  worse\n" in shown.out
    assert "--judged-by needs judgments" in run_cli(*asked(folder, "truth")[:3], "--judged-by", "x").err


def test_without_such_judgments_nothing_is_said(folder: Path, tmp_path: Path) -> None:
    shown = []
    for metadata in (None, {"sqlrank": "1.0", "contents": "judgments", "behaviour": {"systems": ["old"]}}):
        labels = qrels(tmp_path / "labels.parquet", world().weighted, metadata)
        with compared(folder, labels) as found:
            shown.append([*printed(found, "table", "csv", "json", "markdown", "latex").values(), *found.notes])
        assert not [text for text in shown[-1] for word in ("click", "verdict", "favour") if word in text]
    assert shown[0] == shown[1]


def part(judged: int, lead: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Two systems of disjoint documents, of whose first 100 in one query so many of the old one's are judged."""
    old, new = ([("q", f"{side}{at:03}", 1000.0 - at) for at in range(100)] for side in "on")
    labels = [("q", doc, 1.0) for _, doc, _ in old[:judged]] + [("q", doc, 0.0) for _, doc, _ in new[: judged - lead]]
    return old, new, labels


def test_shares_and_methods_decide(tmp_path: Path) -> None:
    queries = range(12)
    for name, rows in zip(("old", "new"), part(50, 0), strict=False):
        run(tmp_path / f"{name}.parquet", [(f"q{at}", doc, score) for at in queries for _, doc, score in rows])

    def check(case: tuple[int, str, str, str | None, str]) -> None:
        lead, named, method, favoured, verdict = case
        systems, labels = named.split(), part(50, lead)[2]
        judged = [
            (f"q{at}", doc, grade if doc != "o000" else at % 3 + 1.0) for at in queries for _, doc, grade in labels
        ]
        path = qrels(tmp_path / "labels.parquet", judged, marks(method, systems))
        with compared(tmp_path, path, "dcg@100", test="t") as found:
            row = found["dcg@100"]
            assert (row["favoured"], row["verdict"]) == (favoured, verdict)
            words = ("labels of one system's clicks", "which favours")
            warned = [note for note in found.notes if any(word in note for word in words)]
            assert len(warned) == (2 if systems == ["new"] and lead > 5 else favoured is not None)

    cases: list[tuple[int, str, str, str | None, str]] = [
        (3, "old new", "sdbn", None, "worse"),
        (5, "", "sdbn", None, "worse"),
        (6, "", "sdbn", "old", "worse"),
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
    for name, docs in (("old", "abc"), ("new", "cda")):
        rows = [(f"q{at}", doc, -float(place)) for at in range(12) for place, doc in enumerate(docs)]
        run(tmp_path / f"{name}.parquet", rows)
    labels = [(f"q{at}", *row) for at in range(12) for row in (("a", at % 3 + 9.0), ("b", 1.0), ("c", 0.0))]
    path = qrels(tmp_path / "labels.parquet", labels, marks("ctr"))
    with compared(tmp_path, path, ["dcg@1", "dcg@3"], bounds=True, test="t", top_relevance=11) as found:
        first, third = found.all_rows
        assert (first["sign_survives"], first["verdict"], first["significant"]) == (True, "worse", True)
        assert (third["sign_survives"], third["verdict"], third["significant"]) == (False, "withheld", None)
    with compared(tmp_path, path, ["dcg@1"], bounds=True, test="t", top_relevance=11, gates=["dcg@1"]) as found:
        assert "its lead holds however the rest is judged (bounds" in found.notes[0]
    with compared(tmp_path, path, ["dcg@1"], test="t") as found:
        assert found["dcg@1"]["verdict"] == "withheld"


def test_stored_rows_and_stores_know_where_their_judgments_come_from(folder: Path, tmp_path: Path) -> None:
    qrels(folder / "nobody.parquet", world().weighted, marks(systems=[]))
    unknown = "the judged share of the documents of new is unknown"
    wanted: dict[str, tuple[str, tuple[str, ...], str | None, str]] = {
        "only values": ("weighted", (), "withheld", f"judgments come from clicks on old, and {unknown}"),
        "documents that are removed": ("weighted", ("--judged", "--unjudged", "remove"), None, unknown),
        "of nobody knows whom": (
            "nobody",
            (),
            None,
            "judgments come from clicks, and it is unknown which system they favour",
        ),
        "shares": ("weighted", ("--judged",), "withheld", NOTE),
    }

    def check(case: tuple[str, tuple[str, ...], str | None, str]) -> None:
        labels, options, verdict, note = case
        with sqlrank.compare(stored(folder, tmp_path, labels, *options), metrics="ndcg@10", **FEW) as found:
            assert note in found.notes[0]
            if verdict:
                assert (found["ndcg@10"]["verdict"], found.notes[0].find(note)) == (verdict, 0)
                assert "judgments: from clicks (pbm) on old, 2026-10-01 to 2026-10-28" in found.remarks()

    hold(wanted, check)
    files = [folder / "old.parquet", tmp_path / "new.parquet"]
    with sqlrank.compare(files, folder / "weighted.parquet", "ndcg@10", **FEW) as found:
        assert (found["ndcg@10"]["verdict"], found.notes[0]) == ("withheld", NOTE)
    files = stored(folder, tmp_path, "nobody")
    with sqlrank.compare(files, metrics="ndcg@10", judged_by="old", **FEW) as found:
        assert found["ndcg@10"]["verdict"] == "withheld"
    for name in ("old", "new"):
        request = ("eval", folder / f"{name}.parquet", "--qrels", folder / "weighted.parquet", "-m", "ndcg@10")
        completed(*request, "--store", tmp_path / "store", "--as-of", "2026-11-01")
    with sqlrank.compare(tmp_path / "store", baseline="old", **FEW) as found:
        assert (found["ndcg@10"]["verdict"], found.notes[0]) == ("withheld", NOTE)


def test_periods_are_favoured_by_their_shares(folder: Path, tmp_path: Path) -> None:
    made, labels, names = world(), folder / "weighted.parquet", ["query_id", "doc_id", "score"]
    rows = [(*row, day) for ranked, day in ((made.old, "2026-11-01"), (made.new, "2026-11-08")) for row in ranked]
    export = write(tmp_path / "export.parquet", rows, [*names, "dt"])
    for more in ({}, {"like": "sklearn"}):
        options: dict[str, Any] = {"periods": "dt=before=2026-11-01,after=2026-11-08", **FEW, **more}
        with sqlrank.compare(export, labels, "ndcg@10", **options) as found:
            assert (found.all_rows[0]["verdict"], found.all_rows[0]["favoured"]) == ("withheld", "before")
            said = "judgments come from clicks on old: 100 % of the first 10 documents of before"
            assert found.notes[0].startswith(said)
            assert not [note for note in found.notes if "none of the compared systems" in note]
    dated = write(tmp_path / "dated.parquet", [(*row[:3], "2026-10-28") for row in rows], [*names, "shown"])
    said = r"period 2026-10-28: .*the day 2026-10-28 of .*shown.* is among the days of the clicks"
    with pytest.raises(UsageError, match=said):
        sqlrank.compare(dated, labels, "ndcg@10", periods="shown=2026-10-28,2026-11-08", **FEW)


def test_days_of_the_clicks_are_refused_in_compare(folder: Path, tmp_path: Path) -> None:
    rows = [(*row, "2026-10-15") for row in world().new]
    write(tmp_path / "new.parquet", rows, ["query_id", "doc_id", "score", "day"])
    runs = (folder / "old.parquet", tmp_path / "new.parquet")
    request = ("compare", *runs, "--qrels", folder / "weighted.parquet", "-m", "ndcg@10", "--replicates", 200)
    found = run_cli(*request)
    assert (found.code, "the day 2026-10-15 of day is among the days of the clicks" in found.err) == (2, True)
    assert "the results of these days are judged by their own clicks" in completed(*request, "--same-days").err


def test_names_of_systems_are_shown_as_texts(folder: Path, tmp_path: Path) -> None:
    rows = [(name, *row) for name, part in (("<b>\x1b[2J", world().old), ("new", world().new)) for row in part]
    export = write(tmp_path / "export.parquet", rows, ["system", "query_id", "doc_id", "score"])
    labels = qrels(tmp_path / "labels.parquet", world().weighted, marks(systems=["<b>\x1b[2J"]))
    with sqlrank.compare(export, labels, "ndcg@10", baseline="new", **FEW) as found:
        shown = printed(found, "table", "markdown", "latex")
    request = (export, "--baseline", "new", "--qrels", labels, "-m", "ndcg@10", "--replicates", 200)
    command = completed("compare", *request)
    assert "\x1b" not in "".join(shown.values()) + command.out + command.err
    assert "<b>" not in shown["markdown"]
    page = tmp_path / "report.html"
    completed("compare", *request, "-o", page)
    assert "<b>" not in page.read_text(encoding="utf-8")


def test_no_segment_is_called_as_a_column_of_verdicts(folder: Path, tmp_path: Path) -> None:
    half = write(tmp_path / "queries.parquet", [(f"q{at}", "x") for at in range(300)], ["query_id", "verdict"])
    refused = pytest.raises(UsageError, match=r"verdict.*: the output has a column of that name")
    with refused, compared(folder, "weighted", queries=half, by="verdict"):
        pass
    with compared(folder, "truth", queries=half, by="verdict") as found:
        assert found.by == ("verdict",)
