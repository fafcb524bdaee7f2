"""The files that pages of the documentation show, for tests that use them as a reader would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages.blocks import DOCS, Block, steps
from tests.support.cli_helper import ROOT
from tests.support.components import package

RECIPES = DOCS / "recipes"


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return [step for step in steps(page.read_text(encoding="utf-8")) if isinstance(step, Block)]


def files(page: Path) -> dict[str, str]:
    """The files that a page tells its reader to write, by name."""
    return {block.file: block.body for block in blocks(page) if block.file is not None}


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page tells its reader to write."""
    for name, text in files(page).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def programs(folder: Path) -> Path:
    """A folder with `sqlrank` and `python`, which are those of this process."""
    made = folder / "programs"
    made.mkdir()
    for name, arguments in {"sqlrank": " -m sqlrank", "python": ""}.items():
        (made / name).write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}"{arguments} "$@"\n')
        (made / name).chmod(0o755)
    return made


def assert_follows_schema(name: str, file: Path) -> None:
    """A file follows the schema that a CI system publishes."""
    package("check_jsonschema", "test")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{name}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(done.stdout + done.stderr)
