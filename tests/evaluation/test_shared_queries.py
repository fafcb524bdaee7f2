"""Systems that do not share their queries: the weeks, or the two arms of a test."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import each, hold

Run = dict[str, dict[str, float]]

RANKING = {"d1": 3.0, "d2": 2.0, "d3": 1.0}
RELEVANT_AT = {"old": "d1", "new": "d2"}
"""The one relevant document of each query of a week: its reciprocal rank is 1 in the old one, 0.5 in the new."""


def week(name: str, queries: range) -> Run:
    return {f"{name}{number}": RANKING for number in queries}


def judged(run: Run) -> dict[str, dict[str, int]]:
    return {query: {RELEVANT_AT[query[:3]]: 1} for query in run}


OLD, NEW = week("old", range(20)), week("new", range(20))
QRELS = judged(OLD) | judged(NEW)


def written(name: str, run: Mapping[str, Mapping[str, float]], column: str = "score") -> Path:
    path = Path(f"{name}.csv")
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query_id", "doc_id", column])
        rows.writerows([query, doc, value] for query, values in run.items() for doc, value in values.items())
    return path


@pytest.fixture
def weeks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two weeks as files, with the judgments of both, and both weeks in one export with a system column."""
    monkeypatch.chdir(tmp_path)
    written("old", OLD)
    written("new", NEW)
    written("qrels", {query: dict(grades) for query, grades in QRELS.items()}, "relevance")
    lines = ["system,query_id,doc_id,score"]
    for name, run in (("old", OLD), ("new", NEW)):
        lines += [f"{name},{query},{doc},{score}" for query, scores in run.items() for doc, score in scores.items()]
    Path("both.csv").write_text("\n".join(lines) + "\n")


FORMS = [("old.csv", "new.csv"), ("a=old.csv", "b=new.csv"), ("both.csv",)]
"""Two systems by their paths, by names, and by a column."""


COMMANDS = [("eval",), ("compare", "--baseline", "{}"), ("compare", "-o", "report.html", "--baseline", "{}")]


@pytest.mark.usefixtures("weeks")
def test_systems_without_a_query_in_common_are_refused_however_they_are_named() -> None:
    def check(case: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        form, command = case
        first = "a" if "=" in form[0] else "old"
        said = error_of(3, *(word.format(first) for word in command), *form, "--qrels", "qrels.csv", "-m", "rr")
        assert "no query in common" in said
        assert "--query-set shared" in said
        assert not Path("report.html").exists()

    hold([*((form, COMMANDS[0]) for form in FORMS), *zip(FORMS, (*COMMANDS[1:], COMMANDS[1]), strict=True)], check)


@pytest.mark.usefixtures("weeks")
def test_what_the_error_advises_gives_each_system_its_own_mean() -> None:
    def check(form: tuple[str, ...]) -> None:
        asked = ("--qrels", "qrels.csv", "-m", "rr", "--query-set", "shared", "--format", "csv")
        outcome = completed("eval", *form, *asked)
        assert sorted((row["value"], row["queries"]) for row in outcome.table) == [("0.5", "20"), ("1", "20")]
        assert "both have results for 0 of 40 queries, so that their means are of different queries" in outcome.err

    hold(FORMS, check)


@pytest.mark.usefixtures("weeks")
def test_the_pattern_that_the_error_advises_reads_the_parts_of_one_run() -> None:
    Path("part-1.csv").symlink_to("old.csv")
    Path("part-2.csv").symlink_to("new.csv")
    said = error_of(3, "eval", "part-1.csv", "part-2.csv", "--qrels", "qrels.csv", "-m", "rr")
    assert "quote the pattern ('part-*.csv')" in said.replace(".parquet", ".csv")

    outcome = completed("eval", "part-*.csv", "--qrels", "qrels.csv", "-m", "rr", "--format", "csv")
    assert [(row["value"], row["queries"]) for row in outcome.table] == [("0.75", "40")]


def test_systems_given_by_name_in_python_are_refused_too() -> None:
    systems = {"old": OLD, "new": NEW}
    for call in (sqlrank.evaluate, sqlrank.compare):
        with pytest.raises(sqlrank.DataError, match=r"old and new have .* no query in common.*query_set='shared'"):
            call(systems=systems, qrels=QRELS, metrics="rr")
    with sqlrank.Evaluator(QRELS, "rr") as evaluator, pytest.raises(sqlrank.DataError, match="no query in common"):
        evaluator(systems=systems)


def partial(shared: int, of_new: int = 0) -> Run:
    """A system with results for so many of the old queries, and so many of the new ones."""
    return dict([*OLD.items()][:shared]) | dict([*NEW.items()][:of_new])


SAID = "old and part both have results for {} of {} queries"


def test_a_comparison_of_fewer_than_half_of_the_queries_is_refused_and_what_is_advised_compares() -> None:
    asked: dict[str, Any] = {"systems": {"old": OLD, "part": partial(9)}, "qrels": QRELS, "metrics": "rr"}
    with pytest.raises(sqlrank.DataError, match=SAID.format(9, 20)) as caught:
        sqlrank.compare(**asked)
    assert "query_set='shared' compares them over the 9" in str(caught.value)
    assert "query_set='judged' counts" in str(caught.value)

    for query_set, value, baseline, queries in (("shared", 1, 1, 9), ("judged", 9 / 40, 0.5, 40)):
        with sqlrank.compare(**asked, query_set=query_set) as comparison:
            row = comparison["rr"]
            assert (row["value"], row["baseline_value"], row["queries"]) == (pytest.approx(value), baseline, queries)
            assert any(SAID.format(9, 20) in note for note in comparison.notes)


@each([(20, 0, False), (20, 1, False), (20, 2, True), (19, 0, True), (10, 0, True)])
def test_from_one_query_in_twenty_on_there_is_a_note_with_both_numbers(case: tuple[int, int, bool]) -> None:
    shared, of_new, noted = case
    systems, said = {"old": OLD, "part": partial(shared, of_new)}, SAID.format(shared, 20 + of_new)
    for call in (sqlrank.evaluate, sqlrank.compare):
        result = call(systems=systems, qrels=QRELS, metrics="rr")
        assert sum(note.startswith(said) for note in result.notes) == noted


def test_every_pair_counts_where_all_are_compared() -> None:
    systems = {"old": OLD | NEW, "a": OLD, "b": partial(8, 20)}

    with sqlrank.compare(systems=systems, qrels=QRELS, metrics="rr") as comparison:
        assert any("both have" in note for note in comparison.notes)
    with pytest.raises(sqlrank.DataError, match="a and b both have results for 8 of 40 queries"):
        sqlrank.compare(systems=systems, qrels=QRELS, metrics="rr", all_pairs=True)


@pytest.mark.usefixtures("weeks")
def test_stored_rows_of_other_queries_are_refused_whatever_they_were_judged_by() -> None:
    for name, run in (("old", OLD), ("new", NEW)):
        judgments = {query: dict(grades) for query, grades in judged(run).items()}
        written(f"qrels_{name}", judgments, "relevance")
        for kind in (f"_{name}", ""):
            asked = ("--qrels", f"qrels{kind}.csv", "-m", "rr", "--per-query", f"{name}{kind}.parquet")
            completed("eval", f"{name}.csv", *asked)

    for kind in ("{}_{}", "{}"):
        said = error_of(3, "compare", *(f"{kind.format(name, name)}.parquet" for name in ("old", "new")))
        assert "no query in common" in said
        assert "same judgments" not in said
    assert "no query in common" in error_of(3, "compare", "old.parquet", "new.csv", "--qrels", "qrels.csv", "-m", "rr")


@pytest.mark.usefixtures("weeks")
def test_stored_rows_say_for_how_many_queries_both_have_results() -> None:
    written("part", partial(9))
    for name in ("old", "part"):
        completed("eval", f"{name}.csv", "--qrels", "qrels.csv", "-m", "rr", "--per-query", f"{name}.parquet")

    assert SAID.format(9, 20) in error_of(3, "compare", "old.parquet", "part.parquet")
    outcome = run_cli("compare", "old.parquet", "part.parquet", "--query-set", "judged", "--format", "json")
    assert outcome.code == 0
    assert any(SAID.format(9, 20) in note for note in json.loads(outcome.out)["notes"])
