"""The English of the documentation, as a linter for prose reads it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.pages.blocks import DOCS, ROOT, pages
from tests.pages.generated import WHOLE

EXCEPTIONS = {
    "typography": "quotes are those that people type and search for",
    "dates_times": "a range of numbers is no range of dates",
    "lexical_illusions": "a heading and the first word below it are often the same",
}
"""Checks that are left out, and why."""
TOGETHER = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def prose(text: str) -> str:
    """The sentences of a page: lines of code, tables and formulas are empty, so that the others keep their numbers."""
    text = re.sub(
        r"^( *)```.*?^\1```$", lambda match: "\n" * match[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"^(\||    |\s*<|:::|!\[|\[!).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`", "code", text)


def test_a_linter_for_prose_has_nothing_to_say(tmp_path: Path) -> None:
    english = [path for path in pages() if not path.is_relative_to(DOCS / "zh") and not path.name.endswith(".zh.md")]
    english = [path for path in english if path not in WHOLE] + [ROOT / name for name in TOGETHER]
    names = {}
    for number, path in enumerate(english):
        copy = tmp_path / f"{number:02}.md"
        copy.write_text(prose(path.read_text(encoding="utf-8")), encoding="utf-8")
        names[str(copy)] = path.relative_to(ROOT).as_posix()
    configuration = tmp_path / "proselint.json"
    configuration.write_text(json.dumps({"checks": dict.fromkeys(EXCEPTIONS, False)}), encoding="utf-8")
    command = [sys.executable, "-m", "proselint", "check", "--config", str(configuration), *names]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for copy_name, name in names.items():
        said = said.replace(copy_name, name)
    assert said == ""
