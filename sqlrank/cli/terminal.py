"""What commands say on the terminal, and the files that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlrank.cli.handler import say
from sqlrank.errors import UsageError
from sqlrank.output import streams

if TYPE_CHECKING:
    from sqlrank.output.files import Target


def output_file(path: str | None) -> Target | None:
    """An output file, or None for standard output."""
    from sqlrank.output.files import Target

    return None if path is None else Target(path)


def show(text: str) -> None:
    """Lines for people on stdout."""
    from sqlrank.dialects import visible_lines

    with streams.standard_output(for_people=True) as stream:
        stream.write(f"{visible_lines(text)}\n")


def show_statement(text: str) -> None:
    """Print a statement as it runs elsewhere; UsageError for a control character that SQL cannot write otherwise."""
    from sqlrank.dialects import STEERING, visible

    if found := STEERING.search(text):
        line = visible(text[: found.end()].rpartition("\n")[2].strip())
        raise UsageError(
            f"the statement would hold the control character {visible(found[0])}, as in {line[-60:]}; rename what"
            f" has it in its name, or write it as chr({ord(found[0])}) in a condition"
        )
    with streams.standard_output(for_people=False) as stream:
        stream.write(text)


def tell(lines: list[str], quiet: bool) -> None:
    """Say what was noticed, unless silence was asked for."""
    for line in lines if not quiet else ():
        say("note", line)


INPUT_OPTIONS = ("queries", "items", "history", "baseline", "database")


def input_files(runs: list[str], qrels: str | None, settings: dict[str, Any]) -> list[str]:
    """Every file that is read."""
    from sqlrank.inputs.reading import input_paths

    return input_paths([*runs, *filter(None, (qrels, *(settings.get(name) for name in INPUT_OPTIONS)))])
