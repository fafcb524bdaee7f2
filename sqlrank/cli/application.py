"""The application and its commands, which are built when they are asked for."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from sqlrank.choices import SETTINGS
from sqlrank.cli.commands import COMMANDS, EXIT_CODES, GROUPS, PANELS
from sqlrank.cli.former import refuse_command, refuse_options
from sqlrank.cli.handler import exit_code_of
from sqlrank.cli.help import ALL, AS_IT_IS, FEW, LARGEST_WIDTH, all_option, argument_name, write_options, write_shortly
from sqlrank.errors import UsageError, nearest
from sqlrank.process import streams
from sqlrank.version import __version__


def function_of(name: str) -> Callable[..., None]:
    """The function of a command: its parameters are groups of options, its docstring is the help with examples."""
    function: Callable[..., None] = getattr(
        import_module(f"sqlrank.cli.{COMMANDS[name][0]}"), f"{name.replace(' ', '_')}_command"
    )
    return function


class Command(TyperCommand):
    """A command, all of whose arguments are texts or flags."""

    common: frozenset[str] = frozenset()
    """The names of the parameters that people use most, which help begins with."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, and both options of help."""
        *parameters, short = super().get_params(ctx)
        return [*parameters, short, all_option(short)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments without pydantic, whose import takes a fifth of a small evaluation."""
        if ctx.resilient_parsing:  # of a line that is not finished, for completion
            return super().parse_args(ctx, args)
        refuse_options(self, args)
        given, rest, _ = self.make_parser(ctx).parse_args(args=args)
        for parameter in self.get_params(ctx):
            value = given.get(parameter.name)
            if parameter.is_eager and value:  # --help, which ends here
                parameter.handle_parse_result(ctx, given, rest)
            elif parameter.expose_value:
                ctx.params[parameter.name] = (
                    value if isinstance(value, str | bool | list | tuple) else absent(parameter)
                )
        settle(self, ctx)
        if missing := [item.metavar for item in self.params if item.required and not ctx.params[item.name]]:
            raise UsageError(f"argument {missing[0]} is missing (see {ctx.command_path} --help)")
        if rest:
            raise UsageError(f"unexpected argument {rest[0]} (see {ctx.command_path} --help)")
        ctx.args = rest
        return rest

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments and options on the line of usage."""
        return [*(argument_name(item) for item in self.params if item.param_type_name == "argument"), "[OPTIONS]"]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write what most people need, or all of it where that is asked for."""
        if ctx.meta.get(ALL) or len(self.params) <= FEW:
            super().format_help(ctx, formatter)
        else:
            self.format_usage(ctx, formatter)
            write_shortly(self, ctx, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options under their headings."""
        write_options(self.get_params(ctx), formatter, "Help")


class CommandGroup(TyperGroup):
    """The application, which ends with a documented exit code whatever happens."""

    before = ""
    """What stands before the commands of this group, in the names of all."""

    def main(self, *args: Any, standalone_mode: bool = True, **options: Any) -> Any:
        """Run the command; with `standalone_mode` the process ends with it, else the handler is the caller's."""
        run = partial(super().main, *args, **options | {"prog_name": "sqlrank", "standalone_mode": False})
        if standalone_mode:
            sys.exit(exit_code_of(run))
        return run()

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, all of which are flags; one without a default would bring up pydantic."""
        parameters = super().get_params(ctx)
        for parameter in parameters:
            parameter.default = False
        return parameters

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of the application; without any, and without a command, its help is all there is to say."""
        if not args and not ctx.resilient_parsing:
            streams.say(ctx.get_help())
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def summaries(self) -> dict[str, str]:
        """The commands and groups that stand here, each with what it does, in the order of their headings."""
        found: dict[str, str] = {}
        for name, (_, summary) in COMMANDS.items():
            group, _, rest = name.rpartition(" ")
            if group == self.before:
                found[rest] = summary
            elif not self.before:
                found[group] = GROUPS[group]
        order = [name for names in PANELS.values() for name in names]
        return found if self.before else {name: found[name] for name in order}

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands."""
        return list(self.summaries())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command, or a group of some; None if there is none of that name."""
        if not self.before and cmd_name in GROUPS:
            return group_of(cmd_name)
        name = f"{self.before} {cmd_name}".strip()
        return command_of(name) if name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is asked for; UsageError if there is none of that name."""
        if args[0] not in self.summaries() and not ctx.resilient_parsing:
            refuse_command([*filter(None, [self.before]), *args], command_of)
            known, path = nearest(args[0], self.list_commands(ctx)), ctx.command_path
            raise UsageError(f"there is no command {f'{self.before} {args[0]}'.strip()}{known} (see {path} --help)")
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands with their summaries."""
        write_options(self.get_params(ctx), formatter, "Options")
        summaries = self.summaries()
        widest = max(map(len, summaries))
        panels = {"Commands": tuple(summaries)} if self.before else PANELS
        for heading, names in panels.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), summaries[name]) for name in names])


class LogGroup(CommandGroup):
    """The commands on logs."""

    before = "log"


def group_of(name: str) -> Any:
    """The group of some commands, with their summaries as its help."""
    kinds = {kind.before: kind for kind in CommandGroup.__subclasses__()}
    alone = typer.Typer(
        name=name,
        cls=kinds[name],
        help=GROUPS[name],
        short_help=GROUPS[name],
        add_completion=False,
        rich_markup_mode=None,
        epilog=AS_IT_IS + EXIT_CODES,
    )
    alone.callback()(lambda: None)
    return get_command(alone)


def command_of(name: str) -> Any:
    """A command, built of its function."""
    from sqlrank.cli.groups import common_of, takes_groups
    from sqlrank.cli.options import Project

    function = function_of(name)
    text, heading, examples = (inspect.getdoc(function) or "").partition("Examples:\n")
    lines = "\n".join(f"  {line.strip()}" for line in examples.splitlines())
    epilog, summary = f"{AS_IT_IS}{heading}{lines}\n\n{AS_IT_IS}{EXIT_CODES}", COMMANDS[name][1]
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    register = alone.command(name, cls=Command, help=text.rstrip(), short_help=summary, epilog=epilog)
    register(takes_groups(function, Project))
    command: Any = get_command(alone)
    command.common = common_of(function)
    return command


def settle(command: Any, ctx: Any) -> None:
    """Take what was not given from the settings of the project, and show all values if that is asked for."""
    if "config" not in ctx.params:
        return
    evaluation, shows = ctx.params.pop("config"), ctx.params.pop("show_config")
    if evaluation is None and not shows and not any(map(may_hold_settings, (Path.cwd(), *Path.cwd().parents))):
        return
    from sqlrank.cli.project_settings import Settled

    asked = [each for each in command.params if each.name in ctx.params]
    settled = Settled(command.name, asked, ctx.params, every_parameter)
    settled.settle(evaluation)
    if shows:
        typer.echo("\n".join(settled.lines()))
        raise typer.Exit


def may_hold_settings(folder: Path) -> bool:
    """Whether a folder has a file that settings of a project may be in."""
    return any((folder / name).is_file() for name in SETTINGS)


def every_parameter() -> Iterator[Any]:
    """The parameters of every command."""
    for name in COMMANDS:
        yield from command_of(name).params


def absent(parameter: Any) -> Any:
    """What Typer takes for an argument that is not given."""
    if parameter.nargs == -1 or getattr(parameter, "multiple", False):
        return ()
    return False if getattr(parameter, "is_flag", False) else None


app = typer.Typer(
    name="sqlrank",
    cls=CommandGroup,
    epilog=AS_IT_IS + EXIT_CODES,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": LARGEST_WIDTH},
)


def show_version(asked: bool) -> None:
    """Print the version and stop."""
    if asked:
        typer.echo(f"sqlrank {__version__}")
        raise typer.Exit


@app.callback()
def main_options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Ranking metrics as SQL: nDCG, MAP, P@k, MRR and more over Parquet and CSV."""
