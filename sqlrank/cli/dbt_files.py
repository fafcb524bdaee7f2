"""Models of dbt as files of a project: written whole, or compared with what is there."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from sqlrank.cli.terminal import show
from sqlrank.dialects import STEERING, visible
from sqlrank.errors import GateError, UsageError
from sqlrank.export.dbt_models import ModelRequest, model_files
from sqlrank.process.output_files import Target, opened, reported_of

MARKS = ("-- sqlrank ", "# sqlrank ")
"""How a file of ours begins, which may be written over."""
SHOWN = 12
"""How many lines of a difference are shown."""


def write(project: str, asked: Sequence[ModelRequest]) -> None:
    """Write all models, and say which files they are."""
    files = {name: text for request in asked for name, text in model_files(request).items()}
    write_models(project, files)
    show("\n".join(str(Path(project, name)) for name in files))


def check(project: str, asked: Sequence[ModelRequest]) -> None:
    """Show where files are not what would be written, and raise GateError with the commands that write them."""
    found = [(request, lines) for request in asked if (lines := list(differences(project, model_files(request))))]
    if found:
        show("\n".join(line for _, lines in found for line in lines))
        commands = " && ".join(request.command or f"that of {request.name}" for request, _ in found)
        raise GateError(f"{project}: a file is not what would be written; in that folder: {commands}")


def write_models(project: str, files: Mapping[str, str]) -> None:
    """Write files into the folder of a project, all of them or none.

    Raises:
        UsageError: a file of that name is not ours, or one would hold a control character.
        ResourceError: a file cannot be written.
    """
    paths = {Path(project, name): text for name, text in files.items()}
    with reported_of(project):
        for path, text in paths.items():
            check_file(path, text)
        for folder in dict.fromkeys(path.parent for path in paths):
            folder.mkdir(parents=True, exist_ok=True)
    targets = [Target(str(path)) for path in paths]
    with opened(targets, []), ExitStack() as written:
        for target, text in zip(targets, paths.values(), strict=True):
            Path(written.enter_context(target.whole())).write_text(text, encoding="utf-8")


def check_file(path: Path, text: str) -> None:
    """Raise UsageError for a file that is not ours, or a text that cannot be read as it is."""
    if found := STEERING.search(text):
        line = visible(text[: found.end()].rpartition("\n")[2].strip())
        raise UsageError(f"{path} would hold the control character {visible(found[0])}, as in {line[-60:]}; rename it")
    if path.is_file() and not path.read_text(encoding="utf-8", errors="replace").startswith(MARKS):
        raise UsageError(f"{path} is there and was not written by sqlrank dbt; choose another --name, or move it")


def differences(project: str, files: Mapping[str, str]) -> Iterator[str]:
    """The first lines in which files of a project are not what they should be."""
    for name, text in files.items():
        yield from difference(Path(project, name), text)


def difference(path: Path, wanted: str) -> Iterator[str]:
    """The lines of a file that are others than wanted, as a unified diff of a few lines."""
    if not path.is_file():
        yield f"{path} is not there"
        return
    found = path.read_text(encoding="utf-8", errors="replace")
    lines = list(
        difflib.unified_diff(found.splitlines(), wanted.splitlines(), str(path), "what is asked for", n=1, lineterm="")
    )
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"... and {len(lines) - SHOWN} lines more"
