"""Judgments that come from clicks: what their metadata say, and that no day is judged by its own clicks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from tests.support.cases import rows_of
from tests.support.cli_helper import completed, error_of
from tests.support.clicks import marks, qrels, write
from tests.support.tables import each

RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0, "b": 2.0}}
LABELS = [("q1", "a", 1.0), ("q1", "b", 0.0), ("q2", "a", 1.0)]
NAMES = ("query_id", "doc_id", "score")
REMARK = "judgments: from clicks (sdbn) on old, 2026-10-01 to 2026-10-28"


def labels(folder: Path, metadata: Any, name: str = "labels") -> Path:
    """A file of judgments with some metadata."""
    return qrels(folder / f"{name}.parquet", LABELS, metadata)


def told(folder: Path, **others: Any) -> Path:
    """Judgments from clicks whose metadata say something else than usual."""
    return labels(folder, marks(**others))


def dated(folder: Path, days: tuple[Any, Any], name: str = "dt") -> Path:
    """A run whose queries are of these two days."""
    of_query = dict(zip(RUN, days, strict=True))
    rows = [(*row, of_query[row[0]]) for row in rows_of(RUN)]
    return write(folder / "run.parquet", rows, (*NAMES, name))


def remarks(run: Any, judgments: Any, **options: Any) -> list[str]:
    """The lines below the numbers of an evaluation."""
    with sqlrank.evaluate(run, judgments, ["p@1"], **options) as result:
        return result.remarks()


def notes(run: Any, judgments: Any, **options: Any) -> list[str]:
    """The notes of an evaluation."""
    with sqlrank.evaluate(run, judgments, ["p@1"], **options) as result:
        return result.notes


FROM, ON, DURING = "judgments: from clicks (sdbn)", "judgments: from clicks (sdbn) on old", "2026-10-01 to 2026-10-28"


@each(
    [
        ({}, REMARK),
        ({"systems": []}, f"{FROM}, {DURING}"),
        ({"first_day": None, "last_day": None}, ON),
        ({"first_day": None}, f"{ON}, up to 2026-10-28"),
        ({"last_day": None}, f"{ON}, from 2026-10-01 on"),
        ({"systems": ["old", "new"]}, f"{ON} and new, {DURING}"),
        (
            {"systems": list("abcdefg"), "method": "ctr"},
            f"judgments: from clicks (ctr) on a, b, c, d, e and 2 more, {DURING}",
        ),
    ]
)
def test_a_remark_says_where_the_judgments_come_from(case: tuple[dict[str, Any], str]) -> None:
    others, line = case
    assert line in remarks(RUN, told(Path(), **others))


def test_other_judgments_have_no_such_remark(tmp_path: Path) -> None:
    others = [
        labels(tmp_path, None),
        labels(tmp_path, {"contents": "something else", "behaviour": marks()["behaviour"]}, "else"),
        labels(tmp_path, {"sqlrank": b"\xff\xfe", "contents": b"\xff\x00", "behaviour": b"\xfe"}, "bytes"),
        {"q1": {"a": 1}},
    ]
    csv = tmp_path / "labels.csv"
    csv.write_text("query_id,doc_id,relevance\nq1,a,1\n")
    for judgments in [*others, csv]:
        assert not [line for line in remarks(RUN, judgments) if "clicks" in line]


def test_all_files_of_judgments_are_asked(tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    qrels(folder / "1[a].parquet", LABELS[:1], marks())
    qrels(folder / "2.parquet", LABELS[1:2], marks(systems=["new"]))
    human = qrels(tmp_path / "human.parquet", LABELS[2:], None)
    found = remarks(RUN, [folder, human])
    assert REMARK in found
    assert REMARK.replace("old", "new") in found


def test_kept_judgments_say_it_too(tmp_path: Path) -> None:
    with sqlrank.Evaluator(told(tmp_path), ["p@1"]) as evaluator, evaluator(RUN) as result:
        assert REMARK in result.remarks()
    with sqlrank.Evaluator(told(tmp_path), ["p@1"]) as evaluator, pytest.raises(UsageError, match="days of the clicks"):
        evaluator(dated(tmp_path, ("2026-10-03", "2026-11-03")))


def test_a_condition_of_the_user_does_not_hide_it(tmp_path: Path) -> None:
    assert REMARK in remarks(RUN, told(tmp_path), where="score > 0")


@each(
    [
        "no JSON", "[]", "3", "null", '"sdbn"', b"\xff\xfe", "[" * 100_000, "{}", "9" * 5000,
        {"method": 3}, {"method": ["sdbn"]}, {"method": "sdbn", "systems": "old"}, {"method": "sdbn", "systems": [3]},
        {"method": "sdbn", "systems": {"old": 1}}, {"method": "sdbn", "first_day": "October"},
        {"method": "sdbn", "first_day": 20261001}, {"method": "sdbn", "last_day": ["2026-10-01"]},
        {"method": "sdbn", "last_day": "2026-13-01"},
    ]
)  # fmt: skip
def test_metadata_that_are_none_are_an_error(behaviour: Any) -> None:
    path = labels(Path(), marks() | {"behaviour": behaviour})
    with pytest.raises(DataError, match=r"labels\.parquet: its metadata call it judgments of behaviour"):
        sqlrank.evaluate(RUN, path, ["p@1"])


def test_metadata_that_lack_are_an_error(tmp_path: Path) -> None:
    path = labels(tmp_path, {"contents": "judgments of behaviour"})
    assert "write the file again, or without these metadata" in error_of(3, "eval", run_file(tmp_path), "--qrels", path)


def run_file(folder: Path) -> Path:
    """The run as a file."""
    return write(folder / "plain.parquet", rows_of(RUN), NAMES)


def test_names_of_systems_cannot_steer_a_terminal_or_a_page(tmp_path: Path) -> None:
    path = told(tmp_path, systems=["\x1b[2Jold", "<script>alert(1)</script>"], method="\x1b]0;x\x07")
    assert "\x1b" not in "".join(remarks(RUN, path))
    shown = completed("eval", run_file(tmp_path), "--qrels", path, "-m", "p@1")
    assert "\x1b" not in shown.out + shown.err
    assert r"\x1b[2Jold" in shown.out
    page = tmp_path / "report.html"
    completed("eval", run_file(tmp_path), "--qrels", path, "-m", "p@1", "-o", page)
    assert "<script>alert" not in page.read_text()


@each(
    [
        *((name, "2026-10-01") for name in ("day", "dt", "ds", "date", "event_date", "Event Date")),
        *(("dt", day) for day in ("2026-10-28 23:59:00", "20261015")),
    ]
)
def test_days_of_the_clicks_are_refused(case: tuple[str, str]) -> None:
    name, day = case
    with pytest.raises(UsageError) as error:
        sqlrank.evaluate(dated(Path(), (day, "2026-10-29"), name), told(Path()), ["p@1"])
    shown = "2026-10-15" if day == "20261015" else day[:10]
    assert f"the day {shown} of {name} is among the days of the clicks" in str(error.value)
    assert "(2026-10-01 to 2026-10-28)" in str(error.value)
    assert "derive the judgments from the days before, or allow it with same_days" in str(error.value)


@each([("2026-09-30", "2026-10-29"), ("soon", "2026-11-01"), (None, "2026-11-01")])
def test_other_days_are_as_they_were(days: tuple[Any, Any]) -> None:
    run = dated(Path(), days)
    assert notes(run, told(Path())) == notes(run, labels(Path(), None))


def test_where_no_day_is_known_none_is_refused(tmp_path: Path) -> None:
    days = ("2026-10-01", "2026-10-02")
    assert not notes(dated(tmp_path, days, "published"), told(tmp_path))
    assert not notes(run_file(tmp_path), told(tmp_path))
    assert not notes(dated(tmp_path, days), told(tmp_path, first_day=None, last_day=None))


def test_many_days_are_counted(tmp_path: Path) -> None:
    rows = [(f"q{day}", "a", 1.0, f"2026-10-{day:02}") for day in range(1, 29)]
    run = write(tmp_path / "run.parquet", rows, (*NAMES, "dt"))
    with pytest.raises(UsageError, match=r"the days 2026-10-01, .*, 2026-10-05 and 23 more days of dt are among"):
        sqlrank.evaluate(run, told(tmp_path), ["p@1"])


def test_same_days_may_be_allowed_with_a_note_and_rows_that_are_left_out_are_not_evaluated(tmp_path: Path) -> None:
    run = dated(tmp_path, ("2026-10-03", "2026-11-03"))
    found = completed("eval", run, "--qrels", told(tmp_path), "-m", "p@1", "--same-days")
    assert "the day 2026-10-03 of dt is among the days of the clicks" in found.err
    assert "the results of these days are judged by their own clicks" in found.err
    assert any("judged by their own clicks" in note for note in notes(run, told(tmp_path), same_days=True))
    left = notes(run, told(tmp_path), where="dt > '2026-11-01'", query_set="shared")
    assert not [note for note in left if "clicks" in note]


def test_a_store_takes_no_day_of_the_clicks(tmp_path: Path) -> None:
    request = ("eval", run_file(tmp_path), "--qrels", told(tmp_path), "-m", "p@1", "--store", tmp_path / "store")
    assert "--as-of 2026-10-28 is among the days of the clicks" in error_of(2, *request, "--as-of", "2026-10-28")
    completed(*request, "--as-of", "2026-10-29")
    completed(*request, "--as-of", "2026-10-28", "--same-days")


def test_the_user_says_which_systems_were_clicked(tmp_path: Path) -> None:
    unknown = told(tmp_path, systems=[])
    assert REMARK in remarks(RUN, unknown, judged_by="old")
    assert REMARK.replace("old", "old and new") in remarks(RUN, unknown, judged_by=["old", "new"])
    assert "judgments: from clicks on old" in remarks(RUN, {"q1": {"a": 1}}, judged_by="old")
    shown = completed("eval", run_file(tmp_path), "--qrels", unknown, "-m", "p@1", "--judged-by", "old")
    assert REMARK in shown.out
    labelled = write(tmp_path / "labelled.parquet", [("q1", "a", 1.0, 1)], (*NAMES, "relevance"))
    assert "judgments: from clicks on old" in remarks(labelled, None, judged_by="old")


def test_the_user_may_say_what_the_file_says(tmp_path: Path) -> None:
    assert REMARK in remarks(RUN, told(tmp_path), judged_by="old")
    parts = [qrels(tmp_path / f"{name}.parquet", LABELS[place : place + 1], marks(systems=systems))
             for place, (name, systems) in enumerate({"a": ["old"], "b": []}.items())]  # fmt: skip
    found = remarks(RUN, parts, judged_by=["old", "new"])
    assert {REMARK, REMARK.replace("old", "old and new")} <= set(found)


@each(["new", ["old", "new"], [""]])
def test_the_user_may_not_say_anything_else(names: Any) -> None:
    with pytest.raises(UsageError, match="judged_by"):
        sqlrank.evaluate(RUN, told(Path()), ["p@1"], judged_by=names)


def test_where_there_are_no_judgments_nobody_made_them(tmp_path: Path) -> None:
    items = write(tmp_path / "items.parquet", [("a",), ("b",)], ["doc_id"])
    with pytest.raises(UsageError, match="says where judgments come from, and there are none"):
        sqlrank.evaluate(RUN, None, ["coverage@2"], judged_by="old", items=items)


def history(folder: Path, name: str = "dt", days: int = 35) -> Path:
    """An export of many days, the first of which are those of the clicks."""
    dates = [f"2026-10-{day + 1:02}" if day < 31 else f"2026-11-{day - 30:02}" for day in range(days)]
    rows = [(query, doc, score + day % 3, dates[day]) for day in range(days) for query, doc, score in rows_of(RUN)]
    return write(folder / "history.parquet", rows, (*NAMES, name))


@pytest.mark.parametrize("name", ["dt", "shown_on"])
def test_monitor_refuses_days_of_the_clicks(name: str, tmp_path: Path) -> None:
    request = ("monitor", history(tmp_path, name), "--day", name, "--qrels", told(tmp_path), "-m", "p@1")
    said = error_of(2, *request)
    assert f"the days 2026-10-01, 2026-10-02, 2026-10-03, 2026-10-04, 2026-10-05 and 23 more days of {name} are" in said
    assert "judged by their own clicks" in completed(*request, "--same-days").err
    computed = (*request[:2], "--day", f"when={name}", *request[4:])
    assert "of when are among" in error_of(2, *computed)
