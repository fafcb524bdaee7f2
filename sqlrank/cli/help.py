"""The help of a command: its options under headings, one line each where it fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LARGEST_WIDTH = 120
"""Of a line, on a terminal that is wider."""
AS_IT_IS = "\b\n"
"""What tells Typer not to break the lines of a paragraph anew."""


def argument_name(parameter: Any) -> str:
    """An argument as it stands in the help."""
    name = f"{parameter.metavar}..." if parameter.nargs == -1 else parameter.metavar
    return name if parameter.required else f"[{name}]"


def option_name(parameter: Any) -> str:
    """An option with its value, or an argument, as it stands in the help."""
    if parameter.param_type_name == "argument":
        return argument_name(parameter)
    return " ".join([", ".join(sorted(parameter.opts, key=len)), *filter(None, [parameter.metavar])])


def write_options(parameters: Sequence[Any], formatter: Any, plain: str) -> None:
    """Write options by heading, in columns of one width; `plain` is the heading of those without one."""
    width = max(len(option_name(parameter)) for parameter in parameters)
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in parameters:
        rows = sections.setdefault(getattr(parameter, "rich_help_panel", None) or plain, [])
        rows.extend(help_rows(parameter, width, formatter.width - width - 6))
    for heading, rows in sections.items():
        with formatter.section(heading):
            formatter.write_dl(rows, col_max=width)


def help_rows(parameter: Any, width: int, room: int) -> list[tuple[str, str]]:
    """The rows of one option: a line, and where its words and their meanings do not fit on it, one for each of them."""
    name, (sentence, *lines) = option_name(parameter).ljust(width), (parameter.help or "").split("\n")
    meanings = dict(line.split(": ", 1) for line in lines)
    text, mark, default = sentence.partition(" [default: ")
    inline = f"{text}: {', '.join(f'{word} ({meaning})' for word, meaning in meanings.items())}{mark}{default}"
    if not meanings or len(inline) <= room:
        return [(name, inline if meanings else sentence)]
    longest = max(map(len, meanings))
    return [(name, sentence), *(("", f"  {word:<{longest}}  {meaning}") for word, meaning in meanings.items())]
