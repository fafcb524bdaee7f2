"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sqlrank.cli.application import command_of
from sqlrank.cli.commands import COMMANDS, EXIT_CODES
from sqlrank.cli.help import AS_IT_IS, option_name

HEAD = """# Command line

Written from `sqlrank COMMAND --help-all`; `--help` (`-h`) shows what most people need.
Standard output is data; notes, progress and errors go to standard error.
"""


def exit_codes() -> list[str]:
    """The exit codes as a table."""
    told = " ".join(EXIT_CODES.split()).removeprefix("Exit codes: ").removesuffix(".")
    told, _, signals = told.partition(" (143")
    rows = re.findall(r"(\d+) (.*?)(?=, \d+ |$)", told) + re.findall(r"(\d+) (by \w+)", f"143{signals}")
    return ["| code | meaning |", "| --: | :-- |", *(f"| {code} | {text} |" for code, text in rows)]


def command_line_page() -> str:
    """The page: every command with its text, its examples and its options by heading."""
    parts = [HEAD, "## Exit codes\n", *exit_codes()]
    for name in COMMANDS:
        parts += section(command_of(name), name)
    return "\n".join(parts) + "\n"


def section(command: Any, name: str) -> Iterator[str]:
    """What the page says of one command."""
    summary, _, text = command.help.partition("\n")
    examples = command.epilog.removeprefix(AS_IT_IS).split(AS_IT_IS)[0]
    yield f"\n## sqlrank {name}\n\n{summary}\n"
    if text.strip():
        yield text.strip() + "\n"
    if examples.strip():
        yield "```sh\n" + "\n".join(line.strip() for line in examples.splitlines()[1:] if line.strip()) + "\n```\n"
    headings: dict[str, list[Any]] = {}
    for parameter in command.params:
        headings.setdefault(getattr(parameter, "rich_help_panel", None) or "Help", []).append(parameter)
    for heading, parameters in headings.items():
        yield f"**{heading}**\n\n| option | what it does |\n| :-- | :-- |"
        yield from (f"| `{cell(option_name(parameter))}` | {explained(parameter)} |" for parameter in parameters)
        yield ""


def explained(parameter: Any) -> str:
    """The help of an option on one line of a table."""
    sentence, *lines = (parameter.help or "").split("\n")
    choices = [f"`{word}` {meaning}" for word, _, meaning in (line.partition(": ") for line in lines)]
    return cell(re.sub(r"([*<>\[])", r"\\\1", sentence) + "".join(f"<br>{choice}" for choice in choices))


def cell(text: str) -> str:
    """A text that does not end its cell."""
    return text.replace("|", "\\|")
