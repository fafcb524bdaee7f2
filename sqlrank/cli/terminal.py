"""The terminal: the application and its commands, and what they say."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from sqlrank.cli.groups import takes_groups
from sqlrank.cli.handler import say
from sqlrank.cli.help import LARGEST_WIDTH, Command, CommandGroup
from sqlrank.dialects import STEERING, visible, visible_lines
from sqlrank.errors import UsageError
from sqlrank.output import streams

if TYPE_CHECKING:
    from sqlrank.output.files import Target

Function = TypeVar("Function", bound=Callable[..., None])

EXIT_CODES = """Exit codes: 0 done, 1 internal error, 2 usage, 3 the data is wrong or missing,
4 a gate (--fail-under, --fail-on-drop) failed, 5 memory, disk or an output
failed, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)."""

AS_IT_IS = "\b\n"
"""What tells Typer not to break the lines of a paragraph anew."""

app = typer.Typer(
    name="sqlrank",
    cls=CommandGroup,
    epilog=AS_IT_IS + EXIT_CODES,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": LARGEST_WIDTH},
)


def command(name: str, *examples: str) -> Callable[[Function], Function]:
    """Register a function, each of whose parameters is a group of options, as a command of the application.

    Args:
        name: the name of the command; its help is the docstring of the function, the first line also the summary.
        examples: what follows `sqlrank` and the name on the lines that end the help.
    """

    def register(function: Function) -> Function:
        lines = [f"  {' '.join(filter(None, ['sqlrank', name, example]))}" for example in examples]
        text = inspect.getdoc(function) or ""
        shown = "\n".join(["Examples:" if lines[1:] else "Example:", *lines])
        epilog = f"{AS_IT_IS}{shown}\n\n{AS_IT_IS}{EXIT_CODES}"
        summary = text.partition("\n")[0]
        app.command(name, cls=Command, help=text, short_help=summary, epilog=epilog)(takes_groups(function))
        return function

    return register


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
