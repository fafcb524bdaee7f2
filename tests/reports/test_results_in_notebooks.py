"""Every kind of result in a notebook: a table of HTML, what completion offers, and charts that are said and fit."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank import log
from tests.support.cli_helper import ROOT
from tests.support.reports import every, parsed, tables_of, text_of
from tests.support.results import MAKERS, result_of

NO_RESULTS = {"Evaluator", "LogOptions"}
"""The public classes that are no results, besides errors."""
BLOCK = re.compile(r"^::: sqlrank\.(?:log\.)?(\w+)\n((?:    .*\n)+)", re.MULTILINE)
MEMBERS = re.compile(r"members: \[(.*)\]")


def public_classes() -> set[str]:
    """The names of the public classes of results."""
    found = {
        name: getattr(module, name)
        for module in (sqlrank, log)
        for name in module.__all__
        if inspect.isclass(getattr(module, name))
    }
    return {name for name, kind in found.items() if not issubclass(kind, Exception)} - NO_RESULTS


def listed() -> dict[str, set[str]]:
    """The members that the reference of Python lists, by class."""
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    found = {name: MEMBERS.search(options) for name, options in BLOCK.findall(page)}
    return {name: set(members[1].split(", ")) for name, members in found.items() if members}


def cell(shown: str) -> Any:
    """The HTML of a cell as a tree."""
    return parsed(f"<!DOCTYPE html><title>cell</title>{shown}")


def test_there_is_a_result_of_every_public_class() -> None:
    assert public_classes() | {"Explanation", "ExplainedDifference"} == set(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_a_notebook_shows_a_table_of_every_result(name: str) -> None:
    result = result_of(name)
    assert type(result).__name__ == name
    root = cell(result._repr_html_())
    assert every(root, "th")
    assert name == "Pool" or every(root, "td")


@pytest.mark.parametrize("name", [name for name in MAKERS if not name.startswith("Expl")])
def test_completion_offers_what_the_reference_lists_and_nothing_else(name: str) -> None:
    result = result_of(name)
    assert {each for each in dir(result) if not each.startswith("_")} == listed()[name]
    assert all(hasattr(result, each) for each in listed()[name])


def test_an_inspection_has_a_table_for_each_input_and_pair_and_the_command() -> None:
    search = ROOT / "fixtures" / "search"
    inspection = sqlrank.inspect(str(search / "keyword.parquet"), str(search / "qrels.parquet"))
    shown = tables_of(cell(inspection._repr_html_()))
    assert [caption.rpartition("/")[2].partition(":")[0] for caption in shown][:3] == [
        *("keyword.parquet", "qrels.parquet", "qrels.parquet"),
    ]
    run, _, pair, command = shown.values()
    assert {"what": "ties", "found": "80 % of 294 queries have tied scores"} in run
    assert {"what": "queries", "found": "292 in both, 2 only in the run, 8 only in the judgments"} in pair
    assert command == [{"command": inspection.command}]


def test_a_column_of_a_log_that_is_not_read_stands_beside_its_words(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("impression_id,query_id,doc_id,position,clicked,colour\ni,q,d,1,1,red\ni,q,e,2,0,red\n")
    (roles, *_) = tables_of(cell(log.inspect(str(path))._repr_html_())).values()
    assert {"what": "not read", "found": "colour"} in roles


def test_texts_of_the_data_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("query_id,doc_id,score,<b>c</b>\n<script>,d,1,2\n")
    shown = sqlrank.inspect(str(path))._repr_html_()
    assert "<b>c" not in shown
    assert "<script>" not in shown


def test_a_chart_is_said_and_fits_its_cell() -> None:
    with MAKERS["Result"]() as result:
        chart = result.plot.by_cutoff("ndcg")
    bundle = chart._repr_mimebundle_()
    picture = bundle["image/svg+xml"]
    head = picture.partition(">")[0]
    assert head.startswith('<svg role="img" aria-label="')
    assert "max-width: 100%; height: auto" in head
    assert chart.title in head
    assert "table below" not in head
    assert bundle["application/vnd.vegalite.v6+json"]["description"] == chart.alternative


def test_words_of_a_chart_cannot_end_their_attribute() -> None:
    runs = {'"><script>alert(1)</script>': {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}
    with sqlrank.evaluate(systems=runs, qrels={"q": {"d": 1}}, metrics="ndcg@5,10") as result:
        picture = result.plot.by_cutoff("ndcg")._repr_mimebundle_()["image/svg+xml"]
    assert "<script>" not in picture
    assert text_of(parsed(f"<!DOCTYPE html><title>cell</title>{picture}")) is not None
