"""What a shell offers while a line is typed, as it asks for it."""

from __future__ import annotations

import gzip
import subprocess
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sqlrank.cli import app
from sqlrank.cli.commands import COMMANDS
from tests.support.cli_helper import FIXTURES, command, environment
from tests.support.components import program
from tests.support.tables import each

SEARCH = FIXTURES / "search"


def offered(line: str) -> list[str]:
    """The words that bash is offered in place of the last one of a line."""
    words = {"_SQLRANK_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    done = CliRunner().invoke(app, [], prog_name="sqlrank", env=words, catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.fixture
def _in_the_folder_of_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SEARCH)


@pytest.mark.usefixtures("_in_the_folder_of_the_example")
@each(
    {
        "sqlrank ": " ".join(dict.fromkeys(name.split()[0] for name in COMMANDS)),
        "sqlrank eval --fail": "--fail-under",
        "sqlrank eval --hel": "--help --help-all",
        "sqlrank eval --ties doc": "doc-desc doc-asc",
        "sqlrank compare --test boot": "bootstrap",
        "sqlrank eval keyword.parquet -m nd": "ndcg ndcg_rel",
        "sqlrank eval keyword.parquet -m p": "p@10 p_ia@10 p_measure p_plus pairwise_accuracy personalization@10 pfound"
        " pooled_p@10 popularity@10",
        "sqlrank metrics jac": "jaccard@10",
        "sqlrank eval run.csv --format js": "json jsonl",
        "sqlrank eval run.csv --color ": "auto always never",
        "sqlrank sql runs --dialect s": "spark snowflake sqlite",
        "sqlrank eval run.csv --chart seg": "segments segment-differences",
        "sqlrank eval run.csv --lang ": "en zh",
    }.items()
)
def test_words_are_offered(case: tuple[str, str]) -> None:
    line, words = case
    assert sorted(offered(line)) == sorted(words.split())


@pytest.mark.usefixtures("_in_the_folder_of_the_example")
@each(
    {
        "sqlrank eval keyword.parquet --by ": ["query_id", "doc_id", "score"],
        "sqlrank eval keyword.csv --qrels qrels.csv --by r": ["relevance"],
        "sqlrank eval keyword.csv --queries queries.parquet --by c": ["country"],
        "sqlrank eval keyword.csv --queries queries.csv --weight tr": ["traffic"],
        "sqlrank gsb verdicts.csv --by c": ["country"],
        "sqlrank eval keyword.csv --column qu": ["query_id="],
    }.items()
)
def test_columns_of_the_files_of_the_line_are_offered(case: tuple[str, list[str]]) -> None:
    line, words = case
    assert offered(line) == words


def test_columns_of_other_formats_are_offered_too() -> None:
    Path("run.jsonl").write_text('{"query_id": "q", "doc_id": "d", "score": 1, "day": "2026-11-23"}\n')
    with gzip.open("run.tsv.gz", "wt") as file:
        file.write("query_id\tdoc_id\tscore\tdaytime\n" + "q\td\t1\t2\n" * 100_000)
    assert offered("sqlrank eval run.jsonl run.tsv.gz --by da") == ["day", "daytime"]
    assert offered("sqlrank eval other=run.jsonl --by da") == ["day"]


@each(product([b"", b"PAR1broken", b"\xff\xfe\x00", b"\x1f\x8b", b"{"], ["parquet", "csv", "csv.gz", "jsonl"]))
def test_what_cannot_be_read_offers_nothing_and_says_nothing(case: tuple[bytes, str]) -> None:
    content, suffix = case
    Path(f"run.{suffix}").write_bytes(content)
    assert offered(f"sqlrank eval run.{suffix} nowhere.parquet --by country") == []


@pytest.mark.needs("process")
def test_the_script_for_a_shell_completes_a_line(tmp_path: Path) -> None:
    bash = program("bash", "install bash")
    (tmp_path / "sqlrank").write_text(f'#!/bin/sh\nexec {" ".join(command())} "$@"\n')
    (tmp_path / "sqlrank").chmod(0o755)
    variables = environment() | {"PATH": f"{tmp_path}:{environment()['PATH']}"}
    script = """
        source <(_SQLRANK_COMPLETE=source_bash sqlrank)
        COMP_WORDS=(sqlrank eval keyword.parquet --by sc); COMP_CWORD=4
        "$(complete -p sqlrank | sed 's/.*-F \\([^ ]*\\).*/\\1/')" sqlrank
        echo "${COMPREPLY[@]}"
    """
    done = subprocess.run([bash, "-c", script], cwd=SEARCH, env=variables, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("score\n", "")
