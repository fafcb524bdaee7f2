"""The command that prints a statement again, for the comment above it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlrank.conventions import plain
from sqlrank.dialects import CONTROL
from sqlrank.export.statement_form import Form

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
    words += option("dialect", None if form.dialect == "duckdb" else form.dialect)
    words += ["--summary"] if form.summary else []
    words += ["--check"] if form.check else []
    words += [*option("system", form.system), *option("keep", form.keep)]
    words += [] if form.create is None else ["--create", *form.create]
    words += [*option("incremental", form.incremental), *option("replace", form.replaced)]
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
