"""Former commands and options, each with what to write in its place, at the command line and in settings."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlrank.choices import CHART_METHODS
from sqlrank.errors import UsageError
from sqlrank.spelling import SHOWN, as_option, renamed

PAIRED = frozenset(("baseline", "periods", "all_pairs"))
"""The options of comparisons that say which systems are compared."""


def of_report(words: Sequence[str], command_of: Callable[[str], Any]) -> list[str]:
    """The command whose -o writes what `report` wrote of these words: gsb, compare or eval."""
    rest = [word for word in words if word != "--gsb"]
    if len(rest) < len(words):
        return ["gsb", *rest]
    compare = command_of("compare")
    context = compare.make_context("compare", [], resilient_parsing=True)
    try:
        given, _, _ = compare.make_parser(context).parse_args(list(rest))
    except Exception:  # of the parser: the new command says what is wrong with the line
        return ["eval", *rest]
    number, paired = len(given.get("runs") or ()), bool(PAIRED & given.keys())
    if number < 2 and not paired:
        return ["eval", *rest]
    return ["compare", *(["--all-pairs"] if number > 2 and not paired else []), *rest]


COMMANDS: dict[str, Callable[[Sequence[str], Callable[[str], Any]], list[str]]] = {
    "power": lambda words, _: ["compare", "--plan", *words],
    "report": of_report,
}
"""What makes the new command of the words after a former one, with what builds a command by its name."""
OPTIONS: dict[str, tuple[str, str]] = {
    **{kind: ("show", f"--show {kind}={{value}}") for kind in SHOWN},
    "report": ("title", "-o {value} (with -o - for the table too)"),
}
"""What to write for a former option and its value, where there is another option."""
FITTING: dict[str, Callable[[str], bool]] = {
    "baseline_days": lambda value: ".." in value,
    "rule": lambda value: value in CHART_METHODS,
}
"""Whether a value is one of an option whose former name other commands still have, for something else."""
VALUES = {("compare", "judgments"): "--qrels {value}"}
"""What to write for a former value NAME=FILE of an option that there still is, by command."""


def refuse_command(words: Sequence[str], command_of: Callable[[str], Any]) -> None:
    """Raise UsageError for a command that there is no more, with the one that does what it did.

    `command_of` builds a command by its name.
    """
    if words and words[0] in COMMANDS:
        new = shlex.join(["sqlrank", *COMMANDS[words[0]](words[1:], command_of)])
        raise UsageError(f"sqlrank {words[0]} is part of another command: {new}")


def refuse_options(command: Any, words: Sequence[str]) -> None:
    """Raise UsageError for an option that a command has no more, with what to write in its place."""
    names = [parameter.name for parameter in command.params]
    known = {flag for parameter in command.params for flag in parameter.opts}
    for place, word in enumerate(words):
        flag, equals, value = word.partition("=")
        value = value if equals else next(iter(words[place + 1 : place + 2]), "")
        name = flag.removeprefix("--")
        told = instead_of_value(command.name, name, value) if flag in known else instead_of(name, value, names)
        if told and flag != name:
            raise UsageError(f"{flag} {value}".rstrip() + f": write {told}")


def instead_of(name: str, value: str, names: Collection[str]) -> str:
    """What to write for a former option among those of these names; nothing for what is none."""
    needed, text = OPTIONS.get(name, ("", ""))
    texts = [text] if needed in names else [f"{as_option(new)} {{value}}" for new in renamed(name, names)]
    return " or ".join(texts).format(value=value or "VALUE")


def fitting(name: str, value: str, names: Collection[str]) -> str:
    """The same for a name that other commands still have: only where the value is one of the new option."""
    return instead_of(name, value, [new for new in names if new in FITTING and FITTING[new](value)])


def instead_of_value(command: str, name: str, value: str) -> str:
    """What to write for a former value of an option; nothing for what is none."""
    return VALUES.get((command, name), "").format(value=value) if "=" in value else ""
