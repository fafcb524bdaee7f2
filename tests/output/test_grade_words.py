"""Grades that a map of labels made keep their words in every table that people read, and stay numbers in data."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sqlrank.inputs.reading import Reading
from sqlrank.output.tables import graded
from tests.support.cli_helper import completed
from tests.support.explorer import data_of

WORDS = {"<b>Exact": 3, "Same": 3, "Substitute": 1.5, "Irrelevant": 0, "can't tell": None}
MAPPED = ("--relevance-map", ",".join(f"{label}={'' if worth is None else worth}" for label, worth in WORDS.items()))
RUN = "query_id,doc_id,score\nq1,a,3\nq1,b,2\nq1,c,1\n"
OTHER = "query_id,doc_id,score\nq1,a,1\nq1,b,2\nq1,c,3\n"
JUDGED = "query_id,doc_id,relevance\nq1,a,<b>Exact\nq1,b,Substitute\nq1,c,Irrelevant\nq1,d,can't tell\n"
RATED = "query_id,doc_id,rater,relevance\n" + "".join(
    f"q{at},a,ann,{one}\nq{at},a,bob,{two}\n"
    for at, (one, two) in enumerate([("Same", "Same"), ("Same", "Irrelevant"), ("Irrelevant", "Irrelevant")])
)


@pytest.fixture(autouse=True)
def files() -> None:
    for name, text in (("run", RUN), ("other", OTHER), ("judged", JUDGED), ("rated", RATED)):
        Path(f"{name}.csv").write_text(text)


def test_a_grade_has_the_texts_it_was_made_of() -> None:
    texts = Reading(relevance_map=WORDS).grades
    assert texts == {3.0: "<b>Exact/Same", 1.5: "Substitute", 0.0: "Irrelevant"}
    assert [graded(grade, texts) for grade in (3.0, 1.5, 2.0, None)] == [
        "<b>Exact/Same (3)",
        "Substitute (1.5)",
        "2",
        "-",
    ]


@pytest.mark.parametrize("runs", [["run.csv"], ["run.csv", "other.csv"]])
def test_explain_shows_words_and_writes_numbers(runs: list[str]) -> None:
    asked = ("explain", "q1", *runs, "--qrels", "judged.csv", "-m", "ndcg@3", *MAPPED)
    shown = completed(*asked).out
    assert all(text in shown for text in ("<b>Exact/Same (3)", "Substitute (1.5)", "Irrelevant (0)"))
    rows = list(csv.DictReader(completed(*asked, "--format", "csv").out.splitlines()))
    assert {float(row["relevance"]) for row in rows if row["relevance"]} == {3.0, 1.5, 0.0}


@pytest.mark.parametrize("command", [["eval", "run.csv"], ["compare", "run.csv", "other.csv"]])
def test_reports_and_pages_of_all_queries_show_words(command: list[str]) -> None:
    asked = (*command, "--qrels", "judged.csv", "-m", "ndcg@3", *MAPPED, "--quiet")
    completed(*asked, "-o", "report.html")
    page = Path("report.html").read_text("utf-8")
    assert "&lt;b&gt;Exact/Same (3)" in page
    assert "<b>Exact" not in page
    completed(*asked, "-o", "pages.html", "--explore")
    grades = data_of(Path("pages.html"))["grades"]
    assert grades == {"3": "<b>Exact/Same", "1.5": "Substitute", "0": "Irrelevant"}


def test_agreement_shows_words_and_writes_numbers() -> None:
    asked = ("agreement", "rated.csv", "--reference", "ann", *MAPPED)
    lines = completed(*asked).out.splitlines()
    head = next(line for line in lines if line.startswith("ann \\ bob"))
    assert {"Irrelevant (0)", "<b>Exact/Same (3)"} <= {part.strip() for part in head.split("  ")}
    assert any(line.split()[:3] == ["grade", "<b>Exact/Same", "(3)"] for line in lines)
    confusion = json.loads(completed(*asked, "--format", "json").out)["confusion"]
    assert {row["grade"] for row in confusion} == {0, 3}
