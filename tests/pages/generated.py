"""What is generated in the documentation: whole pages, and parts of the others."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sqlrank.reference.metric_pages import conventions_table, metrics_table, presets_table
from sqlrank.reference.metric_reference import chinese_page, reference_page
from tests.pages import extras, tested
from tests.pages.blocks import DOCS, READMES, ROOT
from tests.pages.command_line import chinese, command_line_page, exit_codes
from tests.pages.github_action import action_table
from tests.pages.outputs import schema_page, tables
from tests.pages.parts import with_part

README = READMES[0]


@cache
def printed(command_line: str, language: str = "text") -> str:
    """A block of what a command prints, run by the Python at hand in the folder of the project."""
    arguments = command_line.split("sqlrank ")[-1].split()
    command = [sys.executable, "-m", "sqlrank", *arguments]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return f"```{language}\n{found.rstrip()}\n```"


def changelog() -> str:
    """The changelog as a page of the site."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")


WHOLE: dict[Path, Callable[[], str]] = {
    DOCS / "reference" / "metrics.md": reference_page,
    DOCS / "zh" / "reference" / "metrics.md": lambda: chinese_page(chinese("parameters")),
    DOCS / "reference" / "command-line.md": command_line_page,
    DOCS / "zh" / "reference" / "command-line.md": lambda: command_line_page("zh"),
    DOCS / "reference" / "sqlrank.schema.json": schema_page,
    DOCS / "reference" / "extras.md": lambda: extras.page("en"),
    DOCS / "zh" / "reference" / "extras.md": lambda: extras.page("zh"),
    DOCS / "changelog.md": changelog,
    DOCS / "explanation" / "security.md": lambda: (ROOT / "SECURITY.md").read_text(encoding="utf-8"),
}
PARTS: dict[str, Callable[[], str]] = {
    "example": lambda: printed(README.read_text(encoding="utf-8").split("```sh\n")[1].split("\n```")[0]),
    "statement": lambda: printed("sqlrank sql runs --qrels qrels -m ndcg@10", "sql"),
    "statements": lambda: printed("sqlrank sql runs --qrels qrels -m ndcg@10 -m ap --dialect bigquery", "sql"),
    "metrics": metrics_table,
    "conventions": conventions_table,
    "presets": presets_table,
    "fields": tables,
    "exit codes": lambda: "\n".join(exit_codes()),
    "action": action_table,
    "tests by need": tested.reasons_table,
    "values of tools": tested.tools_table,
    "labels of tools": tested.labels_table,
    "coverage": tested.coverage_table,
    "mutants": tested.mutants_table,
}


def renewed(text: str) -> str:
    """A page with its generated parts as they should be."""
    for name in re.findall(r"^<!-- /([\w ]+) -->$", text, re.MULTILINE):
        if name in PARTS:
            text = with_part(text, name, PARTS[name]())
    return text
