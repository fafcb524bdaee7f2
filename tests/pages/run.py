"""Pages run from top to bottom, each in a folder of its own, and written again with what was printed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.pages.blocks import ROOT, Block, Fixtures, commands, steps

SESSION = Path(__file__).with_name("session.py")
READ = re.compile(r"^\.read (?P<file>\S+)$", re.MULTILINE)
"""The command of the DuckDB shell that runs a file."""


class Reader:
    """Somebody who takes the steps of one page in an empty folder, with the packages of an interpreter.

    Args:
        folder: a temporary folder.
        python: the interpreter; None for the one at hand with the checkout.
    """

    def __init__(self, folder: Path, python: str | None = None) -> None:
        self.folder = folder / "page"
        self.folder.mkdir()
        self.status, self.said = 0, ""
        programs = folder / "programs"
        programs.mkdir()
        self.python = python or sys.executable
        for name, arguments in {"sqlrank": " -m sqlrank", "python": ""}.items():
            (programs / name).write_text(f'#!/bin/sh\nexec "{self.python}"{arguments} "$@"\n')
            (programs / name).chmod(0o755)
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
        environment = kept | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",  # so that notes and results stand in the order of a terminal
            "COLUMNS": "120",
        }
        if python is None:
            environment["PYTHONPATH"] = str(ROOT)
        self.of_page: dict[str, Any] = {"cwd": self.folder, "env": environment, "stdout": subprocess.PIPE}
        self.of_page |= {"text": True, "encoding": "utf-8"}
        self.session: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """End the session of Python."""
        if self.session is not None:
            self.session.communicate()

    def take(self, step: Block | Fixtures) -> dict[tuple[int, int], str]:
        """Take one step; what it printed, by the place in the page where that belongs."""
        if isinstance(step, Fixtures):
            shutil.copytree(ROOT / step.folder, self.folder / step.folder, dirs_exist_ok=True)
        elif step.file is not None:
            (self.folder / step.file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / step.file).write_text(step.body, encoding="utf-8")
        elif step.language == "console":
            return {(step.start, step.end): step.placed("".join(self.at_terminal(step)))}
        elif step.language == "python" or (step.language == "sql" and is_run(step)):
            printed = self.in_python(step)
            return told(step, printed if step.printed or step.language == "python" else "")
        return {}

    def at_terminal(self, block: Block) -> Iterator[str]:
        """The commands of a block with what each prints; AssertionError if one fails and the page does not ask how."""
        for command in commands(block):
            asked = command.startswith("echo $?")
            if self.status and not asked:
                raise AssertionError(f"exit code {self.status} before {command!r}: {self.said}")
            done = subprocess.run(
                ["bash", "-c", f"(exit {self.status})\n{command}".replace("\n> ", "\n")],
                stderr=subprocess.STDOUT,
                **self.of_page,
            )
            self.status, self.said = done.returncode, done.stdout
            yield "$ " + command + "\n" + self.without_folder(done.stdout)
        if self.status:
            raise AssertionError(f"exit code {self.status} of {command!r}: {self.said}")

    def without_folder(self, text: str) -> str:
        """What was printed, as lines, without the name of the temporary folder."""
        text = text.replace(f"{self.folder}/", "").replace(str(self.folder), ".")
        return "\n".join(line.rstrip() for line in text.splitlines()) + "\n" if text else ""

    def in_python(self, block: Block) -> str:
        """What a block of Python prints, or the rows of one of SQL as DuckDB shows them; AssertionError if it fails."""
        if self.session is None:
            self.session = subprocess.Popen(
                [self.python, "-P", str(SESSION)],
                stdin=subprocess.PIPE,
                **self.of_page,
            )
        assert self.session.stdin is not None
        assert self.session.stdout is not None
        source = READ.sub(lambda found: f"{(self.folder / found['file']).read_text(encoding='utf-8')};", block.body)
        self.session.stdin.write(json.dumps({"language": block.language, "source": source}) + "\n")
        self.session.stdin.flush()
        answer = json.loads(self.session.stdout.readline())
        assert "error" not in answer, f"{answer['error']}in\n{block.body}"
        return self.without_folder(answer["printed"])


def is_run(block: Block) -> bool:
    """Whether a block of SQL is for DuckDB: what it gives is shown, or it makes what later ones read."""
    return block.printed is not None or block.body.startswith("create ")


def told(block: Block, printed: str) -> dict[tuple[int, int], str]:
    """What a block printed where the page shows it; AssertionError if it prints and the page has no place for it."""
    if block.printed is None:
        assert not printed, f"a block of text is missing for {printed!r} after {block.body!r}"
        return {}
    return {(block.printed.start, block.printed.end): block.printed.placed(printed)}


def run(text: str, python: str | None = None) -> str:
    """A page with what its steps print today, with the packages of an interpreter."""
    found: dict[tuple[int, int], str] = {}
    with TemporaryDirectory() as folder:
        reader = Reader(Path(folder), python)
        try:
            for step in steps(text):
                found |= reader.take(step)
        finally:
            reader.close()
    for (start, end), printed in sorted(found.items(), reverse=True):
        text = text[:start] + printed + text[end:]
    return text
