"""The generated parts of the README, and docs/metrics.md; run as a module to renew them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sqlrank.output.metric_pages import conventions_table, metrics_table, presets_table, reference_page

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
REFERENCE = ROOT / "docs" / "metrics.md"


def commands() -> list[str]:
    """The shell commands of the README, in order."""
    return re.findall(r"```sh\n(.*?)\n```", README.read_text(encoding="utf-8"), re.DOTALL)


def example(command_line: str, language: str = "text") -> str:
    """What a command prints, run by the Python at hand."""
    arguments = command_line.split("sqlrank ")[-1].split()
    command = [sys.executable, "-m", "sqlrank.cli", *arguments]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return f"```{language}\n{printed.rstrip()}\n```"


def renewed() -> str:
    """The README with its generated parts as they should be."""
    text = README.read_text(encoding="utf-8")
    parts = {
        "example": example(commands()[0]),
        "comparison": example(next(line for line in commands() if line.startswith("sqlrank compare"))),
        "statement": example(next(line for line in commands() if line.startswith("sqlrank sql")), "sql"),
        "statements": example("sqlrank sql runs --qrels qrels -m ndcg@10 -m ap --dialect bigquery", "sql"),
        "metrics": metrics_table(),
        "conventions": conventions_table(),
        "presets": presets_table(),
    }
    for name, part in parts.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        text = f"{before}{start}{part}\n{end}{after}"
    return text


if __name__ == "__main__":
    README.write_text(renewed(), encoding="utf-8")
    REFERENCE.parent.mkdir(exist_ok=True)
    REFERENCE.write_text(reference_page(), encoding="utf-8")
