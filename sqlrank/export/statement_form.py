"""The form of a statement that is handed on: its engine, its grain, what is made of it, the command that prints it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlrank.choices import ID_FORMS
from sqlrank.dialects import CONTROL
from sqlrank.errors import UsageError, no_such_word
from sqlrank.spelling import plain, spelt

KINDS = ("table", "view")
"""What a statement can become."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a statement."""

    dialect: str = "duckdb"
    summary: bool = False
    """Whether it gives one row per metric rather than one per query."""
    check: bool = False
    """Whether it gives the findings of the checks instead."""
    system: str | None = None
    """The name of the one system, which a column then holds."""
    keep: tuple[str, ...] = ()
    """Columns of the inputs that are carried along to the rows of the queries."""
    create: tuple[str, str] | None = None
    """What is made of it, and the name of that."""
    incremental: str | None = None
    """The column of the run that divides it into partitions."""
    replaced: str | None = None
    """The partition that is made again, as the engine writes it as a text."""
    until: str | None = None
    """The SQL of the value from which on partitions are left out."""
    begin: str | None = None
    """The first day that dbt asks a model for, whose batches are days."""
    model: bool = False
    """Whether it is a model of dbt, which makes the table of `create` itself and is told the partition."""
    name: str | None = None
    """What that model is called."""
    ids: str = "text"
    """How ids are told apart: one of ID_FORMS."""
    command: str | None = None
    """The command that prints it."""

    def __post_init__(self) -> None:
        if self.ids not in ID_FORMS:
            raise no_such_word(spelt("ids", self.ids), self.ids, ID_FORMS)
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
    words += option("ids", None if form.ids == "text" else form.ids)
    words += option("dialect", None if form.dialect == "duckdb" else form.dialect)
    words += ["--summary"] if form.summary else []
    words += ["--check"] if form.check else []
    words += [*option("system", form.system), *option("keep", form.keep)]
    words += [] if form.create is None else ["--create", *form.create]
    words += [*option("incremental", form.incremental), *option("replace", form.replaced)]
    words += [*option("until", form.until), *option("begin", form.begin)]
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
