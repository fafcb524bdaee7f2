"""Pages run from top to bottom, each in a folder of its own, and written again with what was printed."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from tests.pages.blocks import ROOT, Block, Fixtures, commands, steps

READ = re.compile(r"^\.read (?P<file>\S+)$", re.MULTILINE)
"""The command of the DuckDB shell that runs a file."""


class Reader:
    """Somebody who takes the steps of one page, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "page"
        self.folder.mkdir()
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.status, self.said = 0, ""
        programs = folder / "programs"
        programs.mkdir()
        for name, arguments in {"sqlrank": " -m sqlrank", "python": ""}.items():
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
            (programs / name).chmod(0o755)
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
        self.environment = kept | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",  # so that notes and results stand in the order of a terminal
            "COLUMNS": "120",
        }

    def take(self, step: Block | Fixtures) -> dict[tuple[int, int], str]:
        """Take one step; what it printed, by the place in the page where that belongs."""
        if isinstance(step, Fixtures):
            shutil.copytree(ROOT / step.folder, self.folder / step.folder, dirs_exist_ok=True)
        elif step.file is not None:
            (self.folder / step.file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / step.file).write_text(step.body, encoding="utf-8")
        elif step.language == "console":
            return {(step.start, step.end): "".join(self.at_terminal(step))}
        elif step.language == "python":
            return told(step, self.in_python(step.body))
        elif step.language == "sql" and step.printed is not None:
            return told(step, self.in_duckdb(step.body))
        return {}

    def at_terminal(self, block: Block) -> Iterator[str]:
        """The commands of a block with what each prints; AssertionError if one fails and the page does not ask how."""
        for command in commands(block):
            asked = command.startswith("echo $?")
            if self.status and not asked:
                raise AssertionError(f"exit code {self.status} before {command!r}: {self.said}")
            done = subprocess.run(
                ["bash", "-c", f"(exit {self.status})\n{command}"],
                cwd=self.folder,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
            )
            self.status, self.said = done.returncode, done.stdout
            yield "$ " + command + "\n" + self.without_folder(done.stdout)
        if self.status:
            raise AssertionError(f"exit code {self.status} of {command!r}: {self.said}")

    def without_folder(self, text: str) -> str:
        """What was printed, as lines, without the name of the temporary folder."""
        text = text.replace(f"{self.folder}/", "").replace(str(self.folder), ".")
        return "\n".join(line.rstrip() for line in text.splitlines()) + "\n" if text else ""

    def in_python(self, source: str) -> str:
        """What a snippet prints; those of one page share their names."""
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            exec(compile(source, "<page>", "exec"), self.names)
        return self.without_folder(printed.getvalue())

    def in_duckdb(self, statement: str) -> str:
        """The rows of a statement as DuckDB shows them; those of one page share their session."""
        session = self.names.setdefault("duckdb session", duckdb.connect())
        statement = READ.sub(lambda found: f"{(self.folder / found['file']).read_text(encoding='utf-8')};", statement)
        with contextlib.chdir(self.folder):
            found = session.sql(statement)
            return "" if found is None else self.without_folder(str(found))


def told(block: Block, printed: str) -> dict[tuple[int, int], str]:
    """What a block printed where the page shows it; AssertionError if it prints and the page has no place for it."""
    if block.printed is None:
        assert not printed, f"a block of text is missing for {printed!r} after {block.body!r}"
        return {}
    return {(block.printed.start, block.printed.end): printed}


def run(text: str) -> str:
    """A page with what its steps print today."""
    found: dict[tuple[int, int], str] = {}
    with TemporaryDirectory() as folder:
        reader = Reader(Path(folder))
        for step in steps(text):
            found |= reader.take(step)
    for (start, end), printed in sorted(found.items(), reverse=True):
        text = text[:start] + printed + text[end:]
    return text
