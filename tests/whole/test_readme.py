"""The README says what the code does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from sqlrank.cli import EXIT_CODES
from sqlrank.cli.application import COMMANDS
from sqlrank.output.metric_pages import reference_page
from tests import readme


def test_the_generated_parts_are_what_the_code_gives() -> None:
    assert readme.README.read_text(encoding="utf-8") == readme.renewed(), "run: python -m tests.readme"


def test_the_metric_reference_is_what_the_code_gives() -> None:
    assert readme.REFERENCE.read_text(encoding="utf-8") == reference_page(), "run: python -m tests.readme"


def test_it_opens_with_one_sentence_and_two_commands_of_one_line() -> None:
    text = readme.README.read_text(encoding="utf-8")
    first, second, *_ = readme.commands()
    assert "\n" not in first + second
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/sqlrank eval ")
    assert second == "python3 -m venv .venv && .venv/bin/pip install --quiet '.[test]' && .venv/bin/python -m pytest"
    assert text.split("\n\n")[1].count(". ") == 0


def test_the_python_snippets_run(tmp_path: Path) -> None:
    snippets = re.findall(r"```python\n(.*?)```", readme.README.read_text(encoding="utf-8"), re.DOTALL)
    shutil.copytree(readme.ROOT / "fixtures" / "search", tmp_path / "fixtures" / "search")
    for snippet in snippets:
        exec(snippet, {})
    assert (tmp_path / "per_query.parquet").exists()


def test_the_exit_codes_are_those_of_the_help() -> None:
    told = " ".join(EXIT_CODES.split()).removeprefix("Exit codes: ")
    text = " ".join(readme.README.read_text(encoding="utf-8").replace("`", "").split())
    assert told in text


def test_nothing_in_the_project_names_a_machine_or_a_registry() -> None:
    for path in [readme.README, readme.ROOT / "pyproject.toml", readme.ROOT / ".ci" / "run"]:
        assert not re.search(r"/(home|root|work)/|pypi\.org|https?://(?!127|`)", path.read_text(encoding="utf-8"))


def test_every_place_where_it_runs_has_its_tests() -> None:
    (table,) = re.findall(r"<!-- where -->\n(.*?)<!-- /where -->", readme.README.read_text(encoding="utf-8"), re.DOTALL)
    proofs = re.findall(r"`(tests/[\w/]+\.py)` \|$", table, re.MULTILINE)
    assert len(proofs) == len(table.splitlines()) - 2
    for proof in proofs:
        assert re.search(r"^def (test_|main)", (readme.ROOT / proof).read_text(encoding="utf-8"), re.MULTILINE), proof


def test_every_command_is_in_the_readme() -> None:
    text = readme.README.read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"sqlrank {name}" in text, name
