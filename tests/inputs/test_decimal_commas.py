"""Numbers with decimal commas beside semicolons or tabs are read as numbers, or refused with their line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import sqlrank
from tests.support.tables import each

RUN = "query_id;doc_id;score\nq1;d1;{}\nq1;d2;{}\nq1;d3;{}\n"
READ: dict[str, tuple[str, float]] = {
    "every score": (RUN.format("2,5", "10,25", "0,5"), 1.0),
    "some scores have none": (RUN.format("9", "10,5", "-3"), 1.0),
    "signs and exponents": (RUN.format("-2,5", "1,5e1", "+3,5E-1"), 1.0),
    "three decimals after a nought": (RUN.format("0,125", "0,250", "0,100"), 1.0),
    "three decimals beside two": (RUN.format("9,125", "1,250", "8,5"), 1 / 3),
    "in quotes": (RUN.format('"2,5"', '"10,25"', '"0,5"'), 1.0),
    "beside tabs": (RUN.format("2,5", "10,25", "0,5").replace(";", "\t"), 1.0),
    "below sep=": ("sep=;\n" + RUN.format("2,5", "10,25", "0,5"), 1.0),
}
REFUSED = {
    "a point beside a comma": (RUN.format("2,5", "10.25", "1"), "line 2: 1 of 3 scores"),
    "points between thousands": (RUN.format("1,5", "1.000,5", "1"), "line 2: 2 of 3 scores"),
    "thousands or decimals": (
        RUN.format("7", "1,250", "2,000"),
        "line 3: 1,250 in the column score may be 1.250 or 1250",
    ),
    "a word beside a comma": (RUN.format("2,5", "high", "1"), "line 2: 2 of 3 scores"),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@each(READ)
def test_scores_with_decimal_commas_order_as_numbers(case: tuple[str, float]) -> None:
    text, value = case
    Path("run.csv").write_text(text)
    with sqlrank.evaluate("run.csv", {"q1": {"d2": 1}}, "rr") as result:
        assert result["rr"] == pytest.approx(value)
        assert any("is read as" in note and "decimal commas" in note for note in result.notes)


@each(REFUSED)
def test_commas_that_may_be_something_else_are_refused(case: Sequence[str]) -> None:
    text, said = case
    Path("run.csv").write_text(text)
    with pytest.raises(sqlrank.DataError) as error:
        sqlrank.evaluate("run.csv", {"q1": {"d2": 1}}, "rr")
    assert f"run.csv, {said}" in str(error.value)


def test_labels_and_weights_have_decimal_commas_and_ids_are_left_alone() -> None:
    Path("qrels.csv").write_text("query_id;doc_id;relevance;traffic\n1,5;d1;0,5;1,5\n1,5;d2;1,5;1,5\nq2;d1;1;4,5\n")
    run = {"1,5": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0}}
    with sqlrank.evaluate(run, "qrels.csv", "dcg@1", weight="traffic") as result:
        assert result.to_dict() == {"1,5": {"dcg@1": 0.5}, "q2": {"dcg@1": 1.0}}
        assert result["dcg@1"] == pytest.approx((1.5 * 0.5 + 4.5) / 6)


def test_other_problems_of_such_a_file_are_told_as_ever_and_ranks_by_row_are_numbers() -> None:
    Path("run.csv").write_bytes(RUN.format("2,5", "1,5", "\xe9").encode("latin-1"))
    with pytest.raises(sqlrank.DataError, match=r"run\.csv, line 4: is not UTF-8"):
        sqlrank.evaluate("run.csv", {"q1": {"d2": 1}}, "rr")
    Path("run.csv").write_text("query_id;doc_id;price\nq1;d1;2,5\nq1;d2;1,5\n")
    with sqlrank.evaluate("run.csv", {"q1": {"d2": 1}}, "rr", columns={"rank": "(row)"}) as result:
        assert result["rr"] == 0.5


def test_labels_that_a_map_names_are_texts() -> None:
    Path("qrels.csv").write_text("query_id;doc_id;relevance\nq1;d1;0,5\nq1;d2;1,5\n")
    with sqlrank.evaluate({"q1": {"d1": 2.0}}, "qrels.csv", "dcg@1", relevance_map={"0,5": 7, "1,5": 1}) as result:
        assert result["dcg@1"] == 7
