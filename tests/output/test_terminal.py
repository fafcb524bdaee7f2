"""Tables on a real terminal of a given width: no line is wider, nothing is lost in silence, colours mean something."""

from __future__ import annotations

import re
import subprocess
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from sqlrank.cli.terminal import grouped
from sqlrank.pages.tables import ASCII, drawings
from tests.support.cli_helper import command, completed, environment, error_of
from tests.support.pseudo_terminal import pseudo_terminal, read_to_end
from tests.support.reports import KEYWORD, QRELS, QUERIES, SEMANTIC, VERDICTS, write_hostile
from tests.support.small_data import write_csv
from tests.support.tables import each

JUDGED = [KEYWORD, "--qrels", QRELS]
COMPARED = [KEYWORD, SEMANTIC, "--qrels", QRELS, "-m", "ndcg@10", "-m", "ap", "--queries", QUERIES, "--by", "country"]
COMMANDS: dict[str, list[object]] = {
    "eval": ["eval", *JUDGED, SEMANTIC],
    "eval by segment": ["eval", *JUDGED, "--queries", QUERIES, "--by", "country"],
    "eval drawn": ["eval", *JUDGED, "--plot"],
    "compare": ["compare", *COMPARED, "--show", "movers=2"],
    "compare drawn": ["compare", *COMPARED, "--plot"],
    "gsb": ["gsb", VERDICTS, "--by", "country"],
    "explain": ["explain", "q0013", *JUDGED],
    "explain two": ["explain", "q0013", KEYWORD, SEMANTIC, "--qrels", QRELS, "--queries", QUERIES],
}
CHOSEN = {"query_id": "user_id", "doc_id": "item_id", "relevance": "clicked"}
COLOR = re.compile(r"\x1b\[\d*m")


def terminal(width: int, *arguments: object, **variables: str) -> str:
    """What a command writes on a terminal of a width."""
    known = {name: value for name, value in environment().items() if name not in ("COLUMNS", "NO_COLOR")}
    known |= {"TERM": "xterm-256color"} | variables
    with pseudo_terminal(width) as (ours, theirs):
        process = subprocess.Popen(command(*arguments), stdout=theirs, stderr=subprocess.PIPE, env=known)
        seen = read_to_end(ours, theirs)
    _, err = process.communicate()
    assert process.returncode == 0, err.decode()
    return seen.replace("\r\n", "\n")


@pytest.mark.needs("process")
@each([*product([20, 80], COMMANDS), *zip(cycle([40, 60, 120, 200]), COMMANDS)])
def test_no_line_is_wider_than_the_terminal(case: tuple[int, str]) -> None:
    width, name = case
    lines = COLOR.sub("", terminal(width, *COMMANDS[name])).splitlines()
    assert max(map(cell_len, lines)) <= width, max(lines, key=cell_len)


@pytest.mark.needs("process")
def test_a_summary_is_turned_then_long() -> None:
    wide, turned, long = (terminal(width, "eval", *JUDGED, SEMANTIC) for width in (100, 60, 41))
    assert wide.splitlines()[0].split() == ["system", "queries", "ndcg@10", "ap", "rr", "p@10", "recall@100"]
    assert turned.splitlines()[0].split() == ["system", "keyword", "semantic"]
    assert long.splitlines()[0].split() == ["system", "metric", "value"]
    for text in (wide, turned, long):
        assert all(value in text for value in ("0.5891 ±0.0220", "0.6959 ±0.0199"))


@pytest.mark.needs("process")
@each(
    [
        (
            (100, "compare", *COMPARED),
            "system, country, metric, keyword, semantic, difference, 95 % interval, adjusted p",
            "delta_gsb, wins/ties/losses, effect, p, relative, queries; --format csv has every column",
        ),
        (
            (80, "compare", f"keyword-with-synonyms={KEYWORD}", f"semantic={SEMANTIC}", *COMPARED[2:]),
            "country, metric, semantic, difference, 95 % interval, adjusted p",
            "delta_gsb, wins/ties/losses, effect, p, relative, queries, system, keyword-with-synonyms; --format csv",
        ),
        (
            (64, "compare", f"semantic-of-last-week={SEMANTIC}", *COMPARED),
            "system, country, metric, difference, 95 % interval",
            "delta_gsb, wins/ties/losses, effect, p, relative, queries, semantic-of-last-week, value, adjusted p;",
        ),
    ]
)
def test_columns_are_left_out_in_a_stated_order_and_named_and_what_decides_stays(case: Any) -> None:
    asked, columns, said = case
    table, _, left_out = COLOR.sub("", terminal(*asked)).partition("no room for: ")
    assert re.split(r"\s{2,}", table.splitlines()[0]) == columns.split(", ")
    assert " ".join(left_out.split()).startswith(said)


@pytest.mark.needs("process")
def test_a_terminal_too_narrow_for_columns_has_a_line_for_each_value() -> None:
    lines = terminal(30, "compare", *COMPARED).splitlines()
    block = lines[: lines.index("")]
    assert block[0] == "system: semantic"
    assert len(block) == 15
    assert "difference: -0.0886 **" in block


@pytest.mark.needs("process")
def test_hostile_and_wide_names_fit_too(tmp_path: Path) -> None:
    run_a, run_b, qrels, queries, _ = write_hostile(tmp_path)
    inputs = [run_a, run_b, "--qrels", qrels, "--queries", queries, "--by", "<b>segment\"'</b>", "-m", "ndcg@5"]
    named = tmp_path / "长名字的系统.csv"
    named.write_bytes(run_b.read_bytes())
    for width in (60, 100):
        for arguments in (
            ["compare", *inputs, "--show", "movers=20"],
            ["eval", named, "--qrels", qrels, "-m", "ndcg@5"],
        ):
            text = terminal(width, *arguments)
            lines = COLOR.sub("", text).splitlines()
            assert max(map(cell_len, lines)) <= width
            assert not re.search("[\x00-\x08\x0b-\x1a\x1c-\x1f\u202e]", text)


@pytest.mark.needs("process")
def test_significant_gains_and_losses_are_coloured() -> None:
    text = terminal(200, "compare", *COMPARED)
    assert re.search(r"\x1b\[31m +-0\.0886", text)
    assert re.search(r"\x1b\[32m +\+0\.1037", text)
    assert text.count("\x1b[0m") == text.count("\x1b[3") == 10
    plain = completed("compare", *COMPARED).out
    assert "\x1b" not in plain
    assert COLOR.sub("", text).splitlines()[:11] == plain.splitlines()[:11]


@pytest.mark.needs("process")
def test_colours_are_left_out_where_they_are_not_wanted_and_there_where_asked_for() -> None:
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in terminal(200, "compare", *COMPARED, **variables)
    assert "\x1b" not in terminal(200, "compare", *COMPARED, "--color", "never")
    assert "\x1b[31m" in completed("compare", *COMPARED, "--color", "always").out
    assert "--color sometimes is not known" in error_of(2, "compare", *COMPARED, "--color", "sometimes")


def test_intervals_are_drawn_on_a_common_scale() -> None:
    lines = completed("compare", *COMPARED, "--plot").out.splitlines()
    drawn = [line[-24:] for line in lines[1:9]]
    assert lines[0].endswith("  drawn")
    assert lines[1].rstrip().endswith("├───●──┤  ┊")
    assert all("●" in line for line in drawn)
    assert "--plot draws in a table, not in csv" in error_of(2, "compare", *COMPARED, "--plot", "--format", "csv")


def test_a_drawing_lies_where_its_numbers_are() -> None:
    names = ("value", "low", "high")
    rows = [dict(zip(names, row, strict=True)) for row in ((0.0, -1.0, 1.0), (3.0, 2.0, 3.0), (1.0, None, None))]
    first, second, third = drawings(rows, names, lambda _: 0, zero=True)
    assert first is not None
    assert second is not None
    assert third is None
    assert (first.low, first.value, first.high, first.zero) == (6, 28, 50, 28)
    assert (second.low, second.value, second.high) == (72, 94, 94)
    assert first.text(101, ASCII) == " " * 6 + "|" + "-" * 21 + "o" + "-" * 21 + "|" + " " * 50


@pytest.mark.needs("process")
def test_an_output_that_cannot_hold_the_marks_has_others() -> None:
    known = environment() | {"PYTHONIOENCODING": "ascii"}
    arguments = command("gsb", VERDICTS, "--plot")
    done = subprocess.run(arguments, env=known, capture_output=True, check=True)
    assert b"|" in done.stdout
    assert b"\\u" not in done.stdout


def test_notes_of_one_kind_are_counted_and_others_said() -> None:
    notes = [f"run_{number}.csv: doc_id is read from the column item_{number}" for number in range(4)]
    other = "the inputs were not checked (--no-checks)"
    assert grouped([*notes, other]) == [(other, 0), (notes[0], 3)]
    assert grouped(notes[:2]) == [(notes[0], 0), (notes[1], 0)]
    different = [f"my.csv: {role} is read from the column {name}" for role, name in CHOSEN.items()]
    assert grouped(different) == [(note, 0) for note in different]


def test_many_runs_have_one_note_about_their_columns_and_one_line_about_their_queries() -> None:
    paths = [write_csv(f"run_{number}.csv", ("search_term", "sku", "score"), [("q", "d", 1)]) for number in range(6)]
    judged = write_csv("qrels.csv", ("query_id", "doc_id", "grade"), [("q", "d", 1), ("r", "d", 1)])
    asked = (*paths, "--qrels", judged, "-m", "ap")
    outcome = completed("eval", *asked)
    assert [line.partition("note: ")[2] for line in outcome.err.splitlines()] == [
        "run_0.csv, run_1.csv, run_2.csv, run_3.csv and 2 more: query_id is read from the column search_term, doc_id"
        " from sku",
        "qrels.csv: relevance is read from the column grade",
    ]
    counted = "run_0, run_1, run_2, run_3 and 2 more: 2 judged queries, 1 without results, 0 with nothing relevant"
    assert [line for line in outcome.out.splitlines() if "judged queries" in line] == [counted]
    assert completed("eval", *asked, "--quiet").err == ""
