"""The help of a command: its options under headings, one line each where it fits."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

LARGEST_WIDTH = 120
"""The width of a line, on a terminal that is wider."""
ALL = "sqlrank.help_all"
"""Where the context of a command says that all of the help is asked for."""
EXAMPLES = 3
"""How many examples help begins with."""
FEW = 12
"""Up to how many parameters of a command are all shown at once."""
AS_IT_IS = "\b\n"
"""What tells Typer not to break the lines of a paragraph anew."""


def all_option(short: Any) -> Any:
    """The option that shows every option, made of the one that shows those that people use most."""
    found = copy(short)
    found.name, found.opts, found.help = "help_all", ["--help-all"], "Show every option and exit."
    found.callback = show_all
    return found


def show_all(ctx: Any, _: Any, asked: bool) -> None:
    """Show all of the help, and stop."""
    if asked and not ctx.resilient_parsing:
        import typer

        ctx.meta[ALL] = True
        typer.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def write_shortly(command: Any, ctx: Any, formatter: Any) -> None:
    """Write the summary of a command, its first examples, and the options that people use most."""
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(command.help.partition("\n")[0])
    lines = [line.strip() for line in command.epilog.splitlines() if line.strip().startswith("sqlrank ")]
    if lines:
        with formatter.section("Examples"):
            formatter.write("".join(f"{'':{formatter.current_indent}}{line}\n" for line in lines[:EXAMPLES]))
    every = command.get_params(ctx)
    used = [one for one in every if one.name in command.common or one.param_type_name == "argument" or one.is_eager]
    write_options(list(map(shortly, used)), formatter, "Options", headings=False)
    formatter.write_paragraph()
    number = sum(one.param_type_name != "argument" for one in every)
    formatter.write_text(f"{ctx.command_path} --help-all shows all {number} options, and the exit codes.")


def shortly(parameter: Any) -> Any:
    """A parameter with the first sentence of its help, and its default."""
    found, (sentence, _, rest) = copy(parameter), parameter.help.partition(". ")
    _, default, value = rest.partition(" [default: ")
    found.help = f"{sentence}{default}{value if default else ''}"
    return found


def argument_name(parameter: Any) -> str:
    """An argument as it stands in the help."""
    name = f"{parameter.metavar}..." if parameter.nargs == -1 else parameter.metavar
    return name if parameter.required else f"[{name}]"


def option_name(parameter: Any) -> str:
    """An option with its value, or an argument, as it stands in the help."""
    if parameter.param_type_name == "argument":
        return argument_name(parameter)
    return " ".join([", ".join(sorted(parameter.opts, key=len)), *filter(None, [parameter.metavar])])


def write_options(parameters: Sequence[Any], formatter: Any, plain: str, headings: bool = True) -> None:
    """Write options by heading, in columns of one width; `plain` is the heading of those without one, or of all."""
    width = max(len(option_name(parameter)) for parameter in parameters)
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in parameters:
        heading = getattr(parameter, "rich_help_panel", None) if headings else None
        rows = sections.setdefault(heading or plain, [])
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
