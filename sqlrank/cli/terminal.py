"""The terminal: the application, one line for everything that is said, and exit codes for what goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from sqlrank.cli.handler import say
from sqlrank.dialects import STEERING, visible, visible_lines
from sqlrank.errors import UsageError
from sqlrank.output import streams

if TYPE_CHECKING:
    from sqlrank.output.files import Target

EXIT_CODES = """Exit codes: 0 done, 1 internal error, 2 usage, 3 the data is wrong or missing, 4 a gate
(--fail-under, --fail-on-drop) failed, 5 memory, disk or an output failed, 130 interrupted
(143 by SIGTERM, 129 by SIGHUP)."""

app = typer.Typer(
    name="sqlrank",
    help="Ranking metrics as SQL: nDCG, MAP, P@k, MRR and more over Parquet and CSV.",
    epilog=EXIT_CODES,
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def output_file(path: str | None) -> Target | None:
    """An output file, or None for standard output."""
    from sqlrank.output.files import Target

    return None if path is None else Target(path)


def show(text: str) -> None:
    """Lines for people on stdout."""
    with streams.standard_output(for_people=True) as stream:
        stream.write(f"{visible_lines(text)}\n")


def show_statement(text: str) -> None:
    """A statement on stdout, as it runs elsewhere.

    Raises:
        UsageError: it holds a character that would steer the terminal, and that SQL has no other way to write.
    """
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
