"""Commands whose help has the options under headings, and whose texts are taken as they are."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sqlrank.cli.handler import exit_code_of
from sqlrank.errors import UsageError
from sqlrank.output import streams

LARGEST_WIDTH = 120
"""Of a line of the help, on a terminal that is wider."""


class Command(TyperCommand):
    """A command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, all of which are texts or flags.

        Typer would hand them to pydantic, whose import takes a sixth of a small evaluation, to make texts of texts.
        """
        if ctx.resilient_parsing:  # of a line that is not finished, for completion
            return super().parse_args(ctx, args)
        given, rest, _ = self.make_parser(ctx).parse_args(args=args)
        for parameter in self.get_params(ctx):
            value = given.get(parameter.name)
            if parameter.is_eager and value:  # --help, which ends here
                parameter.handle_parse_result(ctx, given, rest)
            elif parameter.expose_value:
                ctx.params[parameter.name] = parameter.default if value is None else value
        for parameter in self.get_params(ctx):
            if parameter.required and ctx.params[parameter.name] in (None, ()):
                raise UsageError(f"argument {parameter.metavar} is missing (see {ctx.command_path} --help)")
        if rest:
            raise UsageError(f"unexpected argument {rest[0]} (see {ctx.command_path} --help)")
        ctx.args = rest
        return rest

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments and options on the line of usage."""
        return [*(argument_name(item) for item in self.params if item.param_type_name == "argument"), "[OPTIONS]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options under their headings."""
        write_options(self.get_params(ctx), formatter, "Help")


class CommandGroup(TyperGroup):
    """The application, which ends with a documented exit code whatever happens."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, all of which are flags; one without a default would bring up pydantic."""
        parameters = super().get_params(ctx)
        for parameter in parameters:
            parameter.default = False
        return parameters

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command; with `standalone_mode` the process ends with it, else the handler is the caller's."""
        run = partial(super().main, args, "sqlrank", complete_var, False, windows_expand_args, **extra)
        if standalone_mode:
            sys.exit(exit_code_of(run))
        return run()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of the application; without any, and without a command, its help is all there is to say."""
        if not args and not ctx.resilient_parsing:
            streams.say(ctx.get_help())
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands with the whole first line of their help."""
        write_options(self.get_params(ctx), formatter, "Options")
        self.format_commands(ctx, formatter)


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
    """Write options, those of one heading together and all in columns of one width.

    Args:
        parameters: those of a command.
        formatter: what they are written to.
        plain: the heading of those without one.
    """
    width = max(len(option_name(parameter)) for parameter in parameters)
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in parameters:
        rows = sections.setdefault(parameter.rich_help_panel or plain, [])
        rows.extend(help_rows(parameter, width, formatter.width - width - 6))
    for heading, rows in sections.items():
        with formatter.section(heading):
            formatter.write_dl(rows, col_max=width)


def help_rows(parameter: Any, width: int, room: int) -> list[tuple[str, str]]:
    """The rows of one option: a line, and where its words and their meanings do not fit on it, one for each of them."""
    name, (sentence, *lines) = option_name(parameter).ljust(width), parameter.help.split("\n")
    meanings = dict(line.split(": ", 1) for line in lines)
    text, mark, default = sentence.partition(" [default: ")
    inline = f"{text}: {', '.join(f'{word} ({meaning})' for word, meaning in meanings.items())}{mark}{default}"
    if not meanings or len(inline) <= room:
        return [(name, inline if meanings else sentence)]
    longest = max(map(len, meanings))
    return [(name, sentence), *(("", f"  {word:<{longest}}  {meaning}") for word, meaning in meanings.items())]
