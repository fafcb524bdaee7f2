"""Notes on columns that were found by their names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from sqlrank.errors import first_of


class ReadFrom(str):
    """A note that a role is read from a column whose name was found to mean it."""

    label: str
    """The input."""
    pair: tuple[str, str]
    """The role and the column."""

    def __new__(cls, label: str, role: str, column: str) -> Self:
        """The note of one role."""
        made = super().__new__(cls, f"{label}: {role} is read from the column {column}")
        made.label, made.pair = label, (role, column)
        return made


def columns_together(notes: Iterable[str]) -> list[str]:
    """The same notes, those of columns in one line for the inputs whose columns are read alike."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    others = []
    for note in notes:
        if isinstance(note, ReadFrom):
            pairs.setdefault(note.label, []).append(note.pair)
        else:
            others.append(note)
    labels: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for label, found in pairs.items():
        labels.setdefault(tuple(found), []).append(label)
    lines = []
    for ((role, column), *more), named in labels.items():
        rest = "".join(f", {other} from {name}" for other, name in more)
        lines.append(f"{first_of(named)}: {role} is read from the column {column}{rest}")
    return [*lines, *others]
