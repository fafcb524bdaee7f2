"""The reference of the command line in both languages, from the commands themselves."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from sqlrank.cli.application import command_of
from sqlrank.cli.commands import COMMANDS, EXIT_CODES
from sqlrank.cli.help import AS_IT_IS, option_name
from tests.pages.blocks import DOCS

CHINESE = DOCS / "zh" / "reference" / "chinese.toml"
"""What the reference says in Chinese, by what it says in English."""
HEAD = """# Command line

Written from `sqlrank COMMAND --help-all`; `--help` (`-h`) shows what most people need.
Standard output is data; notes, progress and errors go to standard error.
"""


@cache
def chinese(part: str) -> dict[str, str]:
    """The sentences of a part of the reference in Chinese, by those in English."""
    found: dict[str, str] = tomllib.loads(CHINESE.read_text(encoding="utf-8"))[part]
    return found


def spoken(language: str, part: str, text: str) -> str:
    """A sentence of the reference in a language; KeyError if nobody translated it."""
    return text if language == "en" or not text else chinese(part)[text]


def exit_codes(language: str = "en") -> list[str]:
    """The exit codes as a table."""
    told = " ".join(EXIT_CODES.split()).removeprefix("Exit codes: ").removesuffix(".")
    told, _, signals = told.partition(" (143")
    rows = re.findall(r"(\d+) (.*?)(?=, \d+ |$)", told) + re.findall(r"(\d+) (by \w+)", f"143{signals}")
    heads = [spoken(language, "page", word) for word in ("code", "meaning")]
    lines = (f"| {code} | {spoken(language, 'exit codes', text)} |" for code, text in rows)
    return [f"| {' | '.join(heads)} |", "| --: | :-- |", *lines]


def command_line_page(language: str = "en") -> str:
    """The page: every command with its text, its examples and its options by heading."""
    parts = [spoken(language, "page", HEAD), f"## {spoken(language, 'page', 'Exit codes')}\n", *exit_codes(language)]
    for name in COMMANDS:
        parts += section(command_of(name), name, language)
    return "\n".join(parts) + "\n"


def section(command: Any, name: str, language: str) -> Iterator[str]:
    """What the page says of one command."""
    examples = command.epilog.removeprefix(AS_IT_IS).split(AS_IT_IS)[0]
    summary, _, text = spoken(language, "commands", command.help.strip()).partition("\n")
    yield f"\n## sqlrank {name}\n\n{summary}\n"
    if text.strip():
        yield text.strip() + "\n"
    if examples.strip():
        yield "```sh\n" + "\n".join(line.strip() for line in examples.splitlines()[1:] if line.strip()) + "\n```\n"
    headings: dict[str, list[Any]] = {}
    for parameter in command.params:
        headings.setdefault(getattr(parameter, "rich_help_panel", None) or "Help", []).append(parameter)
    option, does = (spoken(language, "page", word) for word in ("option", "what it does"))
    for heading, parameters in headings.items():
        yield f"**{spoken(language, 'headings', heading)}**\n\n| {option} | {does} |\n| :-- | :-- |"
        told = ((option_name(parameter), explained(parameter)) for parameter in parameters)
        yield from (f"| `{cell(name)}` | {spoken(language, 'options', text)} |" for name, text in told)
        yield ""


def explained(parameter: Any) -> str:
    """The help of an option on one line of a table."""
    sentence, *lines = (parameter.help or "").split("\n")
    choices = [f"`{word}` {meaning}" for word, _, meaning in (line.partition(": ") for line in lines)]
    return cell(re.sub(r"([*<>\[])", r"\\\1", sentence) + "".join(f"<br>{choice}" for choice in choices))


def cell(text: str) -> str:
    """A text that does not end its cell."""
    return text.replace("|", "\\|")
