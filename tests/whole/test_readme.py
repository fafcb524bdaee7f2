"""The README keeps its form, and the project stands alone."""

from __future__ import annotations

import re

from tests.pages.blocks import ROOT
from tests.pages.generated import README
from tests.pages.parts import part


def test_it_opens_with_three_sentences_and_two_commands_of_one_line() -> None:
    text = README.read_text(encoding="utf-8")
    first, second, *_ = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)
    assert "\n" not in first + second
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/sqlrank eval ")
    assert second == "python3 -m venv .venv && .venv/bin/pip install --quiet '.[test]' && .venv/bin/python -m pytest"
    assert len(re.findall(r"\.\s", text.split("\n\n")[1] + "\n")) == 3
    assert text.count("\n") <= 150


def test_nothing_in_the_project_names_a_machine_or_a_registry() -> None:
    for path in [README, ROOT / "pyproject.toml", ROOT / ".ci" / "run"]:
        assert not re.search(r"/(home|root|work)/|pypi\.org|https?://(?!127|`)", path.read_text(encoding="utf-8"))


def test_every_place_where_it_runs_has_its_tests() -> None:
    table = part("where")
    proofs = re.findall(r"`(tests/[\w/]+\.py)` \|$", table, re.MULTILINE)
    assert len(proofs) == len(table.splitlines()) - 2
    for proof in proofs:
        assert re.search(r"^def (test_|main)", (ROOT / proof).read_text(encoding="utf-8"), re.MULTILINE), proof
