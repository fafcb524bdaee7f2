"""Options in groups: each is declared once, under a heading of the help, and a command gets one object per group."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import typer

from sqlrank.cli.completion import column_names, role_columns
from sqlrank.cli.places import heading_of, place_of
from sqlrank.options.declared import Option, on_the_command_line, options_of, shown
from sqlrank.options.kinds import FLAG
from sqlrank.spelling import plain

COMPLETE: dict[str, Callable[..., Any]] = {
    "columns": column_names,
    "roles": role_columns,
}
"""What the shell offers, by the word of an option."""


@dataclass
class Declaration:
    """One option or argument."""

    make: Callable[..., Any]
    """Gives Typer's record of it, of its spellings."""
    kind: Any
    """What Typer is to read: a text, several, or a flag. Numbers are texts here, and converted by us."""
    flags: str = ""
    """How it is written, where that is not its name."""
    default: Any = None
    """The value where it is not given."""
    convert: Callable[[Any, str], Any] | None = None
    """Makes the value of what is given, and of how the option is written."""
    passed: bool = True
    """Whether the value is an argument of that name in the Python interface."""
    common: bool = False
    """Whether people use it so often that help begins with it."""
    positional: bool = False
    """Whether it is an argument, which stands before all options in the order in which it was declared."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.flags = self.flags or f"--{name.replace('_', '-')}"

    def parameter(self, name: str, heading: str) -> inspect.Parameter:
        """The parameter of a function from which Typer makes the option."""
        info = self.make(*self.flags.split())
        info.rich_help_panel = heading
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=info, annotation=self.kind)

    def value(self, given: Any) -> Any:
        """The value that a command gets."""
        if given in (None, False, (), []):
            return self.default
        return self.convert(given, self.flags.split()[0]) if self.convert else given


class Group:
    """Options of one heading; an instance holds their values under the names of the declarations."""

    heading: ClassVar[str]
    taken: ClassVar[dict[str, Declaration]] = {}

    def __init_subclass__(cls, heading: str | None = None, takes: Sequence[type | Mapping[str, Option]] = ()) -> None:
        """Set the heading; the options that it `takes`, of records or by name, follow the others."""
        cls.heading = heading or cls.heading
        found = (options_of(each) if isinstance(each, type) else each for each in takes)
        options = {name: item for each in found for name, item in each.items()}
        cls.taken = {name: declaration_of(name, item, options) for name, item in options.items()}

    def __init__(self, values: Mapping[str, Any]) -> None:
        for name, declaration in self.declarations().items():
            setattr(self, name, declaration.value(values[name]))

    @classmethod
    def declarations(cls) -> dict[str, Declaration]:
        """Its own declarations, then those of the groups that it is made of, then those that it takes, by name."""
        found = {name: item for name, item in vars(cls).items() if isinstance(item, Declaration)}
        for base in cls.__bases__:
            found |= (base.declarations() if issubclass(base, Group) else {}) | found
        return found | cls.taken | found

    def given(self) -> dict[str, Any]:
        """The values that were given, by argument of the Python interface."""
        names = [name for name, declaration in self.declarations().items() if declaration.passed]
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def argument(
    metavar: str,
    text: str,
    several: bool = False,
    required: bool = True,
    complete: Callable[..., list[str]] | None = None,
) -> Any:
    """An argument, by position; `complete` gives what the shell offers, where that is not files."""
    info = typer.Argument(
        ... if required else None, metavar=metavar, help=text, show_default=False, autocompletion=complete
    )
    return Declaration(lambda *_: info, list[str] if several else str, passed=False, positional=True)


def option(
    metavar: str,
    text: str,
    default: Any = None,
    shown: str = "",
    words: Iterable[str] = (),
    convert: Callable[[Any, str], Any] | None = None,
    passed: bool = True,
    kind: Any = str,
    complete: Callable[..., list[str]] | None = None,
    flags: str = "",
    common: bool = False,
) -> Any:
    """An option with a value, which is written as its name unless `flags` say otherwise.

    The lines of `text` after the first are its words, each as `word: meaning`, or else `words` are listed. `shown` is
    the default in the help where it is not `default`. `convert` takes the value and the name of the option. `passed`
    says whether it is an argument of that name in the Python interface; `kind` is `list[str]` if it may be repeated.
    `complete` gives what the shell offers, where these are not the words. `common` puts it where help begins.
    """
    words = list(words)
    sentence, newline, meanings = text.partition("\n")
    listed = f": {', '.join(words)}" if words and not meanings else ""
    ends = f" [default: {shown or default}]" if shown or default else ""
    make = partial(
        typer.Option,
        None,
        metavar=metavar,
        help=f"{sentence}{listed}{ends}{newline}{meanings}",
        show_default=False,
        autocompletion=complete or ((lambda: words) if words else None),
    )
    return Declaration(make, kind, flags, default, convert, passed, common)


repeated = partial(option, kind=list[str])
"""An option that may be given more than once."""


def flag(
    text: str,
    given: bool = True,
    default: bool | None = False,
    passed: bool = True,
    flags: str = "",
    common: bool = False,
) -> Any:
    """An option without a value: `given` is its value with it, `default` without; the others are as for `option`."""
    make = partial(typer.Option, False, help=text, show_default=False)
    return Declaration(make, bool, flags, default, lambda *_: given, passed, common)


def declaration_of(name: str, item: Option, options: Mapping[str, Option]) -> Any:
    """What the command line makes of an option of a record, which stands among the others."""
    text, flags = shown(item.meaning, options, on_the_command_line), item.spelt(name)
    if item.kind is FLAG:
        return flag(text, given=item.given, default=None, flags=flags, common=item.common)
    usual = shown(item.shown, options, on_the_command_line)
    usual = usual or ("" if item.default in (None, ...) else plain(item.default))
    read = item.kind.read

    def convert(value: Any, spelt: str) -> Any:
        return item.checked(name, read(value, spelt) if read else value)

    return option(
        item.metavar,
        text,
        shown=usual,
        words=item.words,
        convert=convert,
        kind=item.kind.typed,
        complete=COMPLETE.get(item.complete),
        flags=flags,
        common=item.common,
    )


def common_of(function: Callable[..., None]) -> frozenset[str]:
    """The names of the options of a command that people use most."""
    groups = groups_of(function).values()
    return frozenset(name for group in groups for name, item in group.declarations().items() if item.common)


def groups_of(function: Callable[..., None]) -> dict[str, type[Group]]:
    """The groups of options by which the parameters of a function are annotated."""
    groups: dict[str, type[Group]] = inspect.get_annotations(function, eval_str=True)
    del groups["return"]
    return groups


def takes_groups(function: Callable[..., None], *others: type[Group]) -> Callable[..., None]:
    """A function that has the options of the groups by which the parameters of this one are annotated.

    Besides those it has the options of `others`, which never reach it.
    """
    groups = groups_of(function)

    def run(**values: Any) -> None:
        function(**{name: group(values) for name, group in groups.items()})

    found = [
        (name, heading_of(name, group.heading), declaration)
        for group in (*groups.values(), *others)
        for name, declaration in group.declarations().items()
    ]
    found.sort(key=lambda each: (not each[2].positional, *place_of(each[0], each[1])))
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [declaration.parameter(name, heading) for name, heading, declaration in found]
    )
    return run
