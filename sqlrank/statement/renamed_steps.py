"""Renaming steps that have the name of a relation.

A step named like a relation hides it, in this statement and in every engine. Where a relation is called `ranked`, the
step becomes `sqlrank_ranked`, and what reads it writes `from sqlrank_ranked as ranked`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.statement.lines import quoted
from sqlrank.statement.relations import Relations
from sqlrank.statement.templates import sql_text

STEP = re.compile(r"^ *([a-z_0-9]+) as (?:(?:not )?materialized )?\($", re.MULTILINE)
"""The head of a step, which may stand inside another one."""
PREFIX = "sqlrank_"


def beside_relations(make: Callable[[Relations], str], inputs: Relations, dialect: Dialect) -> str:
    """A statement, made of inputs by `make`, in which no step is called as a relation that it reads."""
    text = make(inputs)
    named = [str(relation.relation) for _, relation in inputs.named()]
    taken = {name.strip('"`').lower() for name in named}
    hiding = sorted(steps_of(text) & taken)
    if not hiding:
        return text
    # What the user wrote stands aside meanwhile: in a condition, `from ranked` would be no step.
    written: dict[str, Markup] = {}
    text = renamed(make(set_aside(inputs, written)), new_names(hiding, taken | steps_of(text)), dialect)
    for placeholder, original in written.items():
        text = text.replace(placeholder, str(original))
    return text


def steps_of(text: str) -> set[str]:
    """The names of the steps of a statement."""
    return set(STEP.findall(text))


def new_names(steps: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """A name for each of these steps that nothing else has."""
    names = {}
    for step in steps:
        name = PREFIX + step
        while name in taken:
            name = PREFIX + name
        names[step] = name
    return names


def set_aside(inputs: Relations, written: dict[str, Markup]) -> Relations:
    """The inputs with a placeholder for each relation and for the condition, which are kept in `written`."""

    def placeholder(kind: str, part: str, text: Markup | None) -> Markup | None:
        if text is None:
            return None
        name = f"{PREFIX}{part}_of_{kind}"
        written[name] = text
        return sql_text(name)

    found: dict[str, Any] = {
        kind: replace(
            relation,
            relation=placeholder(kind, "relation", relation.relation),
            where=placeholder(kind, "where", relation.where),
            given_where=placeholder(kind, "given_where", relation.given_where),
            computed=tuple(
                (name, sql_text(str(placeholder(kind, f"expression_{number}", text))))
                for number, (name, text) in enumerate(relation.computed)
            ),
        )
        for kind, relation in inputs.named()
    }
    return replace(inputs, **found)


def renamed(text: str, names: Mapping[str, str], dialect: Dialect) -> str:
    """A statement in which these steps have other names; comments, texts and names between quotes stay as they are."""
    steps = "|".join(names)
    found = re.compile(
        rf"{quoted(dialect)}"
        rf"|\b(?P<before>from|join) (?P<read>{steps})\b(?P<alias> as \w+)?"
        rf"|^(?P<indent> *)(?P<made>{steps})(?= as (?:(?:not )?materialized )?\($)",
        re.MULTILINE | re.DOTALL,
    )

    def replacement(match: re.Match[str]) -> str:
        if step := match["made"]:
            return f"{match['indent']}{names[step]}"
        if step := match["read"]:
            return f"{match['before']} {names[step]}{match['alias'] or f' as {step}'}"
        return match[0]

    return found.sub(replacement, text)
