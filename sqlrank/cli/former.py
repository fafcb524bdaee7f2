"""Former commands and options, each with what to write in its place."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.spelling import as_option, renamed


def of_report(words: Sequence[str], command_of: Callable[[str], Any]) -> list[str]:
    """The command whose -o writes what `report` wrote of these words: gsb, compare or eval."""
    rest = [word for word in words if word != "--gsb"]
    if len(rest) < len(words):
        return ["gsb", *rest]
    compare = command_of("compare")
    try:
        given, _, _ = compare.make_parser(compare.make_context("compare", [], resilient_parsing=True)).parse_args(
            list(rest)
        )
    except Exception:  # what the parser makes of a wrong line is said of the command that is named
        return ["eval", *rest]
    runs = given.get("runs") or ()
    if len(runs) < 2 and not {"baseline", "periods", "all_pairs"} & given.keys():
        return ["eval", *rest]
    pairs = [] if len(runs) < 3 or {"baseline", "periods", "all_pairs"} & given.keys() else ["--all-pairs"]
    return ["compare", *pairs, *rest]


SHOWN = (
    *(("eval", "worst"), ("eval", "best"), ("compare", "worst"), ("compare", "best"), ("compare", "movers")),
    *(("gsb", "disputed"), ("agreement", "disputed")),
)
"""The options by which queries and items were asked for that --show has now."""
COMMANDS: dict[str, Callable[[Sequence[str], Callable[[str], Any]], list[str]]] = {
    "power": lambda words, _: ["compare", "--plan", *words],
    "report": of_report,
}
"""What makes the new command of the words after a former one, with what builds a command by its name."""
OPTIONS: dict[tuple[str, str], str] = {
    **{(command, f"--{kind}"): f"--show {kind}={{value}}" for command, kind in SHOWN},
    ("monitor", "--report"): "-o {value} (with -o - for the table too)",
}
"""What to write for a former option of a command, with its value."""
VALUES = {("compare", "--judgments"): "--qrels {value}"}
"""What to write for a former value NAME=FILE of an option that there still is."""


def refuse_command(words: Sequence[str], command_of: Callable[[str], Any]) -> None:
    """Raise UsageError for a command that there is no more, with the one that does what it did.

    `command_of` builds a command by its name.
    """
    if words and words[0] in COMMANDS:
        new = shlex.join(["sqlrank", *COMMANDS[words[0]](words[1:], command_of)])
        raise UsageError(f"sqlrank {words[0]} is part of another command: {new}")


def refuse_options(command: Any, words: Sequence[str]) -> None:
    """Raise UsageError for an option that a command has no more, with what to write in its place."""
    known = {flag for parameter in command.params for flag in parameter.opts}
    for place, word in enumerate(words):
        flag, equals, value = word.partition("=")
        value = value if equals else next(iter(words[place + 1 : place + 2]), "")
        if instead := instead_of(command, flag, value, flag in known):
            raise UsageError(f"{flag} {value}".rstrip() + f": write {instead.format(value=value or 'VALUE')}")


def instead_of(command: Any, flag: str, value: str, known: bool) -> str | None:
    """What to write for an option and its value; None where it is none of a former version."""
    if known:
        return VALUES.get((command.name, flag)) if "=" in value else None
    news = renamed(flag.removeprefix("--"), [parameter.name for parameter in command.params])
    return OPTIONS.get((command.name, flag)) or " or ".join(f"{as_option(new)} {{value}}" for new in news)
