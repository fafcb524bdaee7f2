"""The columns of results: what each one is called, holds and means, and how a table shows it.

A column is declared once. The table that a result keeps, the tables that people read, the JSON Schema and the reference
of outputs come from the declaration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto


class Kind(Enum):
    """What the values of a column are."""

    TEXT = auto()
    DAY = auto()
    COUNT = auto()
    FLAG = auto()
    """Whether something is so."""
    NUMBER = auto()
    """A number with the decimals that are asked for."""
    GIVEN = auto()
    """A number as it was given, whatever the decimals."""
    GRADE = auto()
    """The same, after the text that a map of labels made it of."""
    ESTIMATE = auto()
    """The same with an interval, whose ends are the columns `ci_low` and `ci_high`."""
    DIFFERENCE = auto()
    """An estimate of a difference, with a sign, and stars where it is significant."""
    SIGNED = auto()
    """A number with a sign."""
    SHARE = auto()
    """A number that is shown in percent."""
    CHANGE = auto()
    """A share with a sign."""
    EFFECT = auto()
    """An effect size: two decimals and a sign."""
    SLOPE = auto()
    """A change by time, which may be small: three significant digits and a sign."""
    EFFECTIVE = auto()
    """A number of units that may be a fraction, such as an effective sample size."""
    PROBABILITY = auto()
    """A number that is never shown as 0, such as a p value."""
    VERDICT = auto()
    """A text that says whether the row is a gain or a loss."""
    EMPTY = auto()
    """Nothing: a column for people to fill with numbers."""
    SEGMENT = auto()
    """Stands for a column of each segment, which has the segment's name."""


TYPES = {
    Kind.TEXT: ("varchar", "string"),
    Kind.DAY: ("date", "string"),
    Kind.COUNT: ("bigint", "integer"),
    Kind.FLAG: ("boolean", "boolean"),
    Kind.NUMBER: ("double", "number"),
    Kind.GIVEN: ("double", "number"),
    Kind.GRADE: ("double", "number"),
    Kind.ESTIMATE: ("double", "number"),
    Kind.DIFFERENCE: ("double", "number"),
    Kind.SIGNED: ("double", "number"),
    Kind.SHARE: ("double", "number"),
    Kind.CHANGE: ("double", "number"),
    Kind.EFFECT: ("double", "number"),
    Kind.SLOPE: ("double", "number"),
    Kind.EFFECTIVE: ("double", "number"),
    Kind.PROBABILITY: ("double", "number"),
    Kind.VERDICT: ("varchar", "string"),
    Kind.EMPTY: ("double", "null"),
    Kind.SEGMENT: ("varchar", "segment"),
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
    """Its heading in tables that people read, where `{word}` stands for a word of the result; None for the name."""
    nullable: bool = False
    """Whether a value may be missing."""
    shown: bool = True
    """Whether tables that people read have it."""
    spare: int = 0
    """When a terminal leaves it out for lack of room: 1 for the first column to go; 0 for one that always stays."""
    when: str = ""
    """What was asked for where there is such a column, such as `by` or `margin`; nothing where there always is."""

    @property
    def described(self) -> str:
        """Its type in JSON and its meaning, as the reference of outputs has them."""
        _, exported = TYPES[self.kind]
        return f"{exported}{'?' * self.nullable}: {self.meaning}"


SEGMENTS = (
    Field("*", Kind.SEGMENT, "with --by: the value of this column; null in the row of the total", when="by"),
    Field("is_total", Kind.FLAG, "with --by: whether the row is of all {units}", shown=False, when="by"),
)
"""The columns that say of which segment a row is."""


def filled(fields: Iterable[Field], **words: str) -> tuple[Field, ...]:
    """The same with the words of a result in their names and meanings, where `{word}` stands for each."""

    def said(text: str) -> str:
        return text.format(**words) if "{" in text else text

    return tuple(replace(field, name=said(field.name), meaning=said(field.meaning)) for field in fields)


def asked_for(fields: Iterable[Field], given: Collection[str] = (), by: Sequence[str] = ()) -> list[Field]:
    """The columns that a result has.

    Args:
        fields: those that are declared.
        given: what was asked for, of what a column may be there for.
        by: the segments, each of which has a column in their place; none to leave the place as it is.
    """
    found: list[Field] = []
    for field in fields:
        if field.kind is Kind.SEGMENT and by:
            found += [replace(field, name=name) for name in by]
        elif not field.when or field.when in given or (field.when == "by" and by):
            found.append(field)
    return found


def stored_types(fields: Iterable[Field]) -> dict[str, str]:
    """The types in DuckDB by the names of the columns."""
    return {field.name: TYPES[field.kind][0] for field in fields}


def names_of(fields: Iterable[Field]) -> list[str]:
    """The names of the columns, which no segment may have; any other one may be that of a segment, `*` among them."""
    return [field.name for field in fields if field.kind is not Kind.SEGMENT]


def picked(fields: Iterable[Field], names: Sequence[str]) -> list[Field]:
    """Those of these names that are there, in the order of the names."""
    known = {field.name: field for field in fields}
    return [known[name] for name in names if name in known]


def spare_names(fields: Iterable[Field], kept: Collection[str] = ()) -> list[str]:
    """The columns that a terminal may leave out, the first one to go first, without those that are to be `kept`.

    The interval of an estimate is one column, and goes where its lower end does.
    """
    going = sorted((field for field in fields if field.spare and field.name not in kept), key=lambda field: field.spare)
    return ["interval" if field.name == "ci_low" and not field.shown else field.name for field in going]
