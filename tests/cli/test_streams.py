"""Standard streams that are closed, full or narrow, and outputs in folders that others may write to."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest

from sqlrank.errors import ResourceError
from sqlrank.process.output_files import Target
from tests.support.cli_helper import FIXTURES, Outcome, command, completed, environment, error_of, run_cli
from tests.support.small_data import separated, write_csv
from tests.support.tables import each

SEARCH = FIXTURES / "search"
EVAL = ("eval", SEARCH / "keyword.csv", "--qrels", SEARCH / "qrels.csv", "-m", "ndcg@10")
HELP = ("eval", "--help-all")
PRINTING: list[tuple[object, ...]] = [EVAL, ("metrics",), ("sql", "r", "--qrels", "j"), ("--version",), HELP]


BOTH = ("run.csv", "--qrels", "qrels.csv")
pytestmark = pytest.mark.usefixtures("run_and_qrels")


def in_bash(script: str, **variables: str) -> Outcome:
    """Run a script."""
    done = subprocess.run(["bash", "-c", script], capture_output=True, env=environment() | variables, check=False)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def in_shell(arguments: tuple[object, ...], redirected: str) -> Outcome:
    """Run the command in a shell, with what the shell does to its streams."""
    return in_bash(f"{shlex.join(command(*arguments))} {redirected}")


@pytest.mark.needs("process")
@each(product(PRINTING, [">&-", "> /dev/full"]))
def test_a_closed_or_full_standard_output_is_exit_5_and_a_line(case: tuple[tuple[object, ...], str]) -> None:
    arguments, redirected = case
    outcome = in_shell(arguments, redirected)

    assert (outcome.code, outcome.err.count("\n"), outcome.out) == (5, 1, "")
    # Of a text longer than the buffer nothing is left to tell that it was for standard output.
    long = "--help-all" in arguments and redirected == "> /dev/full"
    named = "an output or a temporary file" if long else "standard output cannot be written"
    assert outcome.err.startswith(f"sqlrank: error: {named}: ")


@pytest.mark.needs("process")
@each(["2>&-", "2> /dev/full", "<&-"])
def test_a_standard_error_or_input_that_nobody_needs_may_be_closed_or_full(redirected: str) -> None:
    outcome = in_shell(EVAL, redirected)
    assert outcome.code == 0
    assert "ndcg@10" in outcome.out


@pytest.mark.needs("process")
def test_closed_streams_do_not_become_files_that_are_written() -> None:
    assert in_shell((*EVAL, "-o", "out.csv"), "<&- >&- 2>&-").code == 0
    assert Path("out.csv").read_text().splitlines()[0].startswith("system,metric,value")
    assert len(Path("out.csv").read_text().splitlines()) == 2


@pytest.mark.needs("process")
def test_a_closed_standard_input_that_is_to_be_read_is_exit_5_and_a_line() -> None:
    outcome = in_shell(("eval", "-", *EVAL[2:4]), "<&-")
    assert outcome == Outcome(5, "", "sqlrank: error: -: standard input is closed\n")


@pytest.mark.needs("process")
def test_standard_input_that_does_not_fit_on_the_disk_is_exit_5_and_a_line() -> None:
    Path("temp").mkdir()
    words = shlex.join(command("eval", "-", *EVAL[2:4], "--temp-dir", "temp"))
    outcome = in_bash(f"ulimit -f 1; {words} < {EVAL[1]}")

    assert (outcome.code, outcome.out) == (5, "")
    (line,) = outcome.err.splitlines()
    assert re.match(r"sqlrank: error: -: standard input cannot be kept in \S*temp/sqlrank-\w+: File too large;", line)
    assert list(Path("temp").iterdir()) == []


def encoded(encoding: str, *arguments: object) -> bytes:
    """What the command prints where streams have this encoding."""
    known = environment() | {"PYTHONIOENCODING": encoding}
    return subprocess.run(command(*arguments), capture_output=True, env=known, check=True).stdout


@pytest.mark.needs("process")
@each({"ascii": "\\xb1", "latin-1": "±", "utf-8": "±"}.items())
def test_a_table_is_whole_in_every_encoding(case: tuple[str, str]) -> None:
    encoding, shown = case
    last = encoded(encoding, *EVAL, "--quiet").decode(encoding).splitlines()[-1]
    assert last == f"{shown} half-width of the 95 % confidence interval of the mean (Student's t)"


@pytest.mark.needs("process")
@each(zip(["csv", "tsv", "json", "jsonl", "trec"], ["ascii", "utf-16", "utf-16", "ascii", "utf-16"], strict=True))
def test_formats_for_programs_are_utf_8_whatever_the_locale(case: tuple[str, str]) -> None:
    form, encoding = case
    write_csv("ünï.csv", ("query_id", "doc_id", "score", "relevance"), [("好", "d", 1, 1)])
    arguments = ("eval", "ünï.csv", "-m", "ap", "--format", form, "--quiet", "--per-query", "-")

    whole = encoded("utf-8", *arguments)
    assert encoded(encoding, *arguments) == whole
    assert "好" in whole.decode()


GATED = ("--per-query", "-", "--junit", "junit.xml")
COMPARED = ("compare", SEARCH / "semantic.csv", *EVAL[1:4])


@pytest.mark.needs("process")
@each(
    [
        ((*EVAL, "--fail-under", "ndcg@10=0.99"), "head -n 1", "ndcg@10 of keyword is 0.58"),
        ((*EVAL, "--fail-under", "ndcg@10=0.99"), "true", "ndcg@10 of keyword is 0.58"),
        ((*COMPARED, "--fail-on-drop", "ndcg@10=0"), "true", "ndcg@10 of keyword drops by"),
    ]
)
def test_a_gate_decides_the_exit_code_whoever_reads_the_output(case: tuple[tuple[object, ...], str, str]) -> None:
    arguments, reader, said = case
    Path("junit.xml").unlink(missing_ok=True)
    outcome = in_shell((*arguments, *GATED), f"| {reader}; exit ${{PIPESTATUS[0]}}")

    assert outcome.code == 4
    assert outcome.err.splitlines()[-1].startswith(f"sqlrank: error: {said}")
    assert 'failures="1"' in Path("junit.xml").read_text()


def test_trec_format_refuses_before_the_first_byte() -> None:
    rows = [(query, "d", 1, 1) for query in ("a", "b", "c\td")]
    Path("run.tsv").write_text(separated(";")(("query_id", "doc_id", "score", "relevance"), rows).replace(";", ","))
    Path("run.tsv").rename("run.csv")
    several = [("a", "d", 1, 1, "x"), ("a", "d", 1, 1, "y")]
    write_csv("several.csv", ("query_id", "doc_id", "score", "relevance", "system"), several)
    for arguments in (
        ("run.csv", "--per-query", "-"),
        ("several.csv",),
        ("several.csv", "-o", "t.txt"),
        ("run.csv", "-m", "err"),
    ):
        error_of(2, "eval", *arguments, "--format", "trec")

        assert not Path("t.txt").exists()


@each([("csv", 0o600), ("parquet", 0o640), ("json", 0o664)])
def test_the_mode_of_a_file_that_is_replaced_is_kept(case: tuple[str, int]) -> None:
    suffix, mode = case
    out = Path(f"out.{suffix}")
    out.touch()
    out.chmod(mode)

    completed("eval", *BOTH, "-o", out)
    assert stat.S_IMODE(out.stat().st_mode) == mode
    assert out.stat().st_size > 0


def test_the_name_of_a_temporary_file_cannot_be_guessed_and_no_link_is_followed() -> None:
    Path("victim").write_text("precious")
    names = {Target("out.csv").temporary for _ in range(20)}
    assert len(names) == 20

    with patch("sqlrank.process.output_files.secrets.token_hex", return_value="known"):
        for link in ("victim", "nowhere"):
            Path(".out.csv.known.part").unlink(missing_ok=True)
            Path(".out.csv.known.part").symlink_to(link)
            error_of(5, "eval", *BOTH, "-o", "out.csv")

            assert Path("victim").read_text() == "precious"
            assert not Path("nowhere").exists()
            assert not Path("out.csv").exists()


def test_a_file_that_is_swapped_while_it_is_written_takes_no_place() -> None:
    target = Target("out.csv")
    Path("out.csv").write_text("as it was")
    with pytest.raises(ResourceError, match="another file was put in its place"), target.whole() as temporary:  # noqa: PT012
        os.unlink(temporary)
        Path(temporary).write_text("of somebody else")

    assert Path("out.csv").read_text() == "as it was"


def test_a_folder_that_cannot_be_written_is_found_before_anything_is_computed() -> None:
    with patch("sqlrank.api.evaluate", side_effect=AssertionError("computed")):
        assert run_cli("eval", *BOTH, "-o", "/proc/out.csv").code == 5


def test_what_is_written_is_synced_before_it_takes_its_place_and_its_folder_after() -> None:
    done: list[str] = []
    sync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def replaced(source: str, target: str) -> None:
        done.extend(["rename"] if str(target).endswith("out.csv") else [])
        replace(source, target)

    with patch.object(os, "fsync", synced), patch.object(os, "replace", replaced):
        assert run_cli("eval", *BOTH, "-o", "out.csv").code == 0

    assert done == ["file", "rename", "folder"]
