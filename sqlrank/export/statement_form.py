"""The form of a statement that is handed on: its engine, its grain, what is made of it, the command that prints it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlrank.dialects import CONTROL
from sqlrank.errors import UsageError
from sqlrank.export.options import FormOptions
from sqlrank.options.shared import part_of
from sqlrank.spelling import plain, spelt

KINDS = ("table", "view")
"""What a statement can become."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a statement, by the names of its options, and what makes a model of dbt of it."""

    ids: str = "text"
    dialect: str = "duckdb"
    summary: bool = False
    check: bool = False
    system: str | None = None
    keep: tuple[str, ...] = ()
    create: tuple[str, str] | None = None
    incremental: str | None = None
    replace: str | None = None
    until: str | None = None
    begin: str | None = None
    """The first day that dbt asks a model for, whose batches are days."""
    model: bool = False
    """Whether it is a model of dbt, which makes the table of `create` itself and is told the partition."""
    name: str | None = None
    """What that model is called."""
    command: str | None = None
    """The command that prints it."""

    def __post_init__(self) -> None:
        if self.create is not None and self.create[0] not in KINDS:
            raise UsageError(f"{spelt('create', self.create[0])} is not known (one of {', '.join(KINDS)})")

    @property
    def keyed(self) -> bool:
        """Whether the table that it adds to has a name that an index can be called after."""
        return self.create is not None and not self.create[1].startswith("{{")

    @property
    def kind(self) -> str | None:
        """What is made of it."""
        return None if self.create is None else self.create[0]


UNSAID = ("model", "name", "command")
"""What a command does not say of a form."""


def form_of(options: Mapping[str, Any], **others: Any) -> Form:
    """The form that is asked for among some options; `others` are said elsewhere."""
    asked = part_of(options, FormOptions) | others
    keep = asked.get("keep", ())
    return Form(**asked | {"keep": (keep,) if isinstance(keep, str) else tuple(keep)})


REPLACED = ("{{", "{%", "{#", "${")
"""What begins a text that dbt's Jinja or Spark replaces, in comments too."""


def command_of(
    run: str,
    qrels: str | None,
    metrics: Iterable[str],
    form: Form,
    options: Mapping[str, Any],
    command: Iterable[str] = ("sqlrank", "sql"),
) -> str | None:
    """The command as a POSIX shell reads it.

    None where a value has what no comment may hold: a control character, or what dbt or Spark replaces inside one.
    """
    words = [*command, run, *option("qrels", qrels)]
    for text in metrics:
        words += ["-m", text]
    for item in fields(form):
        name, value = item.name, getattr(form, item.name)
        if value != item.default and name not in UNSAID:
            words += ["--create", *value] if name == "create" else option(name, value)
    for name, value in sorted(options.items()):
        words += option("column" if name == "columns" else name, value)
    command = shlex.join(words)
    return None if CONTROL.search(command) or any(sign in command for sign in REPLACED) else command


def option(name: str, value: Any) -> list[str]:
    """An option with its value, once for each of several; a flag alone; nothing for one that was not given."""
    if value is None:
        return []
    if value is True:
        return [f"--{name.replace('_', '-')}"]
    return [word for each in single(value) for word in (f"--{name.replace('_', '-')}", each)]


def single(value: Any) -> Iterator[str]:
    """The texts of a value, of each of several, or of a mapping's parts as NAME=VALUE."""
    if isinstance(value, Mapping):
        yield from (f"{name}={plain(part)}" for name, part in value.items())
    elif isinstance(value, str) or not isinstance(value, Iterable):
        yield plain(value)
    else:
        yield from map(plain, value)
