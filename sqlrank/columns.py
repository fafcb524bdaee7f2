"""The columns of results: what each one is called, holds and means, and how a table shows it.

A column is declared once. The table that a result keeps, the tables that people read, the JSON Schema and the reference
of outputs come from the declaration.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """What the values of a column are."""

    TEXT = auto()
    DAY = auto()
    COUNT = auto()
    NUMBER = auto()
    """A number with the decimals that are asked for."""
    ESTIMATE = auto()
    """The same with an interval, whose ends are the columns `ci_low` and `ci_high`."""
    SHARE = auto()
    """A number that is shown in percent."""
    EFFECTIVE = auto()
    """A number of units that may be a fraction, such as an effective sample size."""
    PROBABILITY = auto()
    """A number that is never shown as 0, such as a p value."""
    VERDICT = auto()
    """A text that says whether the row is a gain or a loss."""


TYPES = {
    Kind.TEXT: ("varchar", "string"),
    Kind.DAY: ("date", "string"),
    Kind.COUNT: ("bigint", "integer"),
    Kind.NUMBER: ("double", "number"),
    Kind.ESTIMATE: ("double", "number"),
    Kind.SHARE: ("double", "number"),
    Kind.EFFECTIVE: ("double", "number"),
    Kind.PROBABILITY: ("double", "number"),
    Kind.VERDICT: ("varchar", "string"),
}
"""The type of each kind in DuckDB and in JSON."""


@dataclass(frozen=True, slots=True)
class Field:
    """A declared column."""

    name: str
    """What it is called in files, in Python and in JSON."""
    kind: Kind
    meaning: str
    """What it holds, for the reference."""
    title: str | None = None
    """Its heading in tables that people read; None for the name."""
    nullable: bool = False
    """Whether a value may be missing."""
    shown: bool = True
    """Whether tables that people read have it."""
    spare: int = 0
    """When a terminal leaves it out for lack of room: 1 for the first column to go; 0 for one that always stays."""

    @property
    def described(self) -> str:
        """Its type in JSON and its meaning, as the reference of outputs has them."""
        _, exported = TYPES[self.kind]
        return f"{exported}{'?' * self.nullable}: {self.meaning}"


def stored_types(fields: Iterable[Field]) -> dict[str, str]:
    """The types in DuckDB by the names of the columns."""
    return {field.name: TYPES[field.kind][0] for field in fields}


def spare_names(fields: Iterable[Field]) -> list[str]:
    """The columns that a terminal may leave out, the first one to go first."""
    return [field.name for field in sorted(fields, key=lambda field: field.spare) if field.spare]
