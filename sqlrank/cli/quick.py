"""Commands whose texts are taken as they are: Typer brings up pydantic for them, a quarter of a small evaluation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from typer.core import TyperCommand, TyperGroup

from sqlrank.cli.handler import exit_code_of


class QuickCommand(TyperCommand):
    """A command that leaves to Typer only what has to be converted."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, those that Typer adds among them."""
        return [quickened(parameter) for parameter in super().get_params(ctx)]


class QuickGroup(TyperGroup):
    """A group of commands with such options of its own, which ends with a documented exit code whatever happens."""

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
        run = partial(super().main, args, prog_name, complete_var, False, windows_expand_args, **extra)
        if standalone_mode:
            sys.exit(exit_code_of(run))
        return run()

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, those that Typer adds among them."""
        return [quickened(parameter) for parameter in super().get_params(ctx)]


def quickened(parameter: Any) -> Any:
    """A parameter that takes texts as they are."""
    if "process_value" not in vars(parameter):
        parameter.process_value = partial(taken, parameter, parameter.process_value)
    return parameter


def taken(parameter: Any, convert: Any, context: Any, value: Any) -> Any:
    """A value as it is where there is nothing to convert, else as Typer converts it or complains of it."""
    described = getattr(parameter, "type_descriptor", None)
    if described is None:
        return convert(context, value)
    wanted = described.annotation
    several = parameter.multiple or parameter.nargs == -1
    if value is None:
        value = () if several else None
    elif wanted == list[str]:
        value = list(value)
    elif not isinstance(wanted, type) or not isinstance(value, wanted):
        return convert(context, value)
    if parameter.required and not value:
        return convert(context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)
