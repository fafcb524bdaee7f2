"""Options, each declared once: what a call takes, what the command line takes, and what is said of both.

A record of options is a `TypedDict` whose fields are `Annotated` with an `Option`: type checkers read the types, and
validation, the command line, `help()` and the references read the rest.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ForwardRef, get_args

from sqlrank.errors import UsageError, no_such_word
from sqlrank.options.kinds import FLAG, TEXT, Kind
from sqlrank.spelling import spelt

OTHER = re.compile(r"\{(\w+)\}")
"""Another option where a meaning names it, as {name}."""
WIDTH = 120
"""The width of a line of documentation."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its meaning, and the values that it takes."""

    metavar: str
    """What stands for its value on the command line."""
    meaning: str
    """A sentence; lines below it are words that it takes, each as `word: meaning`. `{name}` is another option."""
    kind: Kind = TEXT
    default: Any = None
    """The value where it is not given; where that is None, None may be given too; `...` leaves it out."""
    shown: str = ""
    """What the default is in words, where it is none of the values."""
    words: Sequence[str] = ()
    """The words that it takes."""
    open: bool = False
    """Whether it takes others too, or whoever reads the option refuses them in words of its own."""
    least: float | None = None
    """The smallest value."""
    above: float | None = None
    """What the value has to exceed."""
    most: float | None = None
    """The largest value."""
    hint: str = ""
    """What an error says of a good value."""
    flags: str = ""
    """How the command line spells it, where that is not its name."""
    given: Any = True
    """The value that a flag stands for."""
    in_python: str = ""
    """Its meaning in Python, where that is another than on the command line."""
    complete: str = ""
    """What the shell offers for its value: `columns` or `roles`."""
    common: bool = False
    """Whether people use it so often that help begins with it."""
    carried: bool = True
    """Whether a statement for another engine can carry it."""

    def spelt(self, name: str) -> str:
        """The option as the command line spells it."""
        return self.flags.split()[0] if self.flags else f"--{name.replace('_', '-')}"

    def taken(self, name: str, value: Any) -> Any:
        """A value of Python, converted; UsageError for one that is not taken."""
        if value is None and (self.default is None or (self.default is ... and self.kind.optional)):
            return None
        return self.checked(name, self.kind.taken(name, value))

    def checked(self, name: str, value: Any) -> Any:
        """A value of the kind; UsageError for a word that is not known, or a number out of range."""
        if self.words and not self.open and value not in self.words:
            raise no_such_word(spelt(name, value), value, self.words)
        low = (self.least is not None and value < self.least) or (self.above is not None and not value > self.above)
        if low or (self.most is not None and value > self.most):
            hint = f"; {self.hint}" if self.hint else ""
            raise UsageError(f"{spelt(name, value)}: give {self.range}{hint}")
        return value

    @property
    def range(self) -> str:
        """The numbers that it takes, in words."""
        if self.above is not None:
            return f"a number above {in_digits(self.above)}"
        least = in_digits(self.least or 0)
        return f"{least} or more" if self.most is None else f"{least} to {in_digits(self.most)}"


def in_digits(number: float) -> str:
    """A number without an exponent."""
    return f"{number:,.6f}".rstrip("0").rstrip(".")


def option(metavar: str, meaning: str, kind: Kind = TEXT, default: Any = None, **others: Any) -> Option:
    """An option with a value."""
    return Option(metavar, meaning, kind, default, **others)


def flag(meaning: str, **others: Any) -> Option:
    """An option that is True or False; on the command line it stands for True unless `given` says otherwise."""
    return Option("", meaning, FLAG, **{"default": False} | others)


def options_of(record: type) -> dict[str, Option]:
    """The options of a record, by name."""
    found = {}
    for name, annotation in record.__annotations__.items():
        if isinstance(annotation, ForwardRef):
            raise TypeError(
                f"{record.__name__}.{name} is declared as a text: leave out `from __future__ import annotations`"
            )
        said = [each for each in get_args(annotation)[1:] if isinstance(each, Option)]
        if said:
            found[name] = said[0]
    return found


def picked(record: type, *names: str) -> dict[str, Option]:
    """Some options of a record."""
    options = options_of(record)
    return {name: options[name] for name in names}


def shown(text: str, options: Mapping[str, Option], spell: Callable[[str, Option | None], str]) -> str:
    """A meaning in which each other option that it names is spelt."""
    return OTHER.sub(lambda found: spell(found[1], options.get(found[1])), text)


def on_the_command_line(name: str, item: Option | None) -> str:
    """An option that a meaning names, as the command line spells it."""
    return item.spelt(name) if item else f"--{name.replace('_', '-')}"


def documented(doc: str, record: type) -> str:
    """The docstring of a function whose line on `**options` became a line on each option of a record."""
    lines = inspect.cleandoc(doc).splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith("    **options:")), None)
    if start is None:
        return doc
    end = next((number for number, line in enumerate(lines[start:], start) if not line.strip()), len(lines))
    return "\n".join([*lines[:start], *described(options_of(record)), *lines[end:]])


def described(options: Mapping[str, Option]) -> Iterable[str]:
    """Yield the lines on options in a docstring."""
    for name, item in options.items():
        said, *words = shown(item.in_python or item.meaning, options, lambda other, _: f"`{other}`").split("\n")
        sentence = said.replace("; repeatable", "") + (f"; {item.kind.meant}" if item.kind.explained else "")
        listed = "; ".join(f"`{word.replace(': ', '`: ', 1)}" for word in words)
        known = listed or ", ".join(f"`{word}`" for word in item.words)
        usual = shown(item.shown, options, lambda other, _: f"`{other}`") or usual_of(item.default)
        usual = f"`{usual}`" if usual in item.words else usual
        text = f"{name}: {sentence}{f': {known}' if known else ''}.{f' Default: {usual}.' if usual else ''}"
        yield from textwrap.wrap(text, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False)


def usual_of(default: Any) -> str:
    """A default as documentation shows it; nothing where there is none to speak of."""
    idle = default is None or default is False or default is ... or default == ()
    return "" if idle else f"`{default}`"


def signature_of(call: Callable[..., Any], record: type) -> inspect.Signature:
    """The signature of a function in which each option of a record stands for `**options`."""
    found = inspect.signature(call)
    plain = [each for each in found.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=item.default, annotation=type_of(record, name))
        for name, item in options_of(record).items()
    ]
    return found.replace(parameters=[*plain, *keywords])


def type_of(record: type, name: str) -> Any:
    """The type of an option, without what is said of it."""
    annotation: Any = record.__annotations__[name]
    found = get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation
    return getattr(found, "__forward_arg__", found)
