"""The explanation of one query: one ranking next to the ideal one, or two rankings side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import duckdb

from sqlrank.errors import SqlrankError, UsageError
from sqlrank.metrics.measure import Measure
from sqlrank.presentation import Presented

MOVES = {"new": "new", "up": "moved up", "same": "at the same rank", "down": "moved down", "gone": "gone"}
"""What the documents of two rankings did, in words."""


def part(value: float, digits: int, sign: str = "") -> str:
    """What documents add as text: nothing is told from a little."""
    return "0" if value == 0 else f"{value:{sign}.{digits}f}"


class ExplainedRows(Presented):
    """Rows about one query, read as a relation of DuckDB: whatever that has, this has."""

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        query: str,
        text: str | None,
        grades: Mapping[float, str],
        notes: Sequence[str] = (),
    ) -> None:
        self.rows, self.query, self.grades = relation, query, grades
        self.text = text
        """The text of the query, where a table of queries has it."""
        self.notes = list(notes)
        """What a reader should know besides the rows."""

    @property
    def title(self) -> str:
        """The id of the query, with its text where that is known."""
        return self.query if self.text is None else f"{self.query}: {self.text}"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # how it is shown is decided here
            raise AttributeError(name)
        return getattr(self.rows, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *dir(self.rows)})


class Explanation(ExplainedRows):
    """A row for each place of one ranking, next to the ideal one."""

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        query: str,
        text: str | None,
        grades: Mapping[float, str],
        system: str,
        values: dict[str, float | None],
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(relation, query, text, grades, notes)
        self.system, self.values = system, values
        """The system, and the values of the query by metric."""


class BothValues(NamedTuple):
    """The values of one metric for one query."""

    baseline_value: float | None
    value: float | None

    @property
    def difference(self) -> float | None:
        """The second less the first; None where one is no number."""
        numbers = [float(value) for value in self if value is not None and not isinstance(value, str)]
        return numbers[1] - numbers[0] if len(numbers) == 2 else None


class ExplainedDifference(ExplainedRows):
    """A row for each document of two rankings: where it stands in both, and what it adds to the difference."""

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        query: str,
        text: str | None,
        grades: Mapping[float, str],
        systems: tuple[str, str],
        metric: str | None,
        values: dict[str, BothValues],
        moves: Sequence[dict[str, Any]],
        notes: Sequence[str],
    ) -> None:
        super().__init__(relation, query, text, grades, notes)
        self.systems = systems
        """The two systems, the baseline first."""
        self.metric = metric
        """The metric whose difference the documents add up to; None where no metric asked for is made of them."""
        self.values = values
        """The values of the query by metric."""
        self.moves = sorted(moves, key=lambda row: list(MOVES).index(row["moved"]))
        """For each way to move: how many documents did, and what they add."""

    @property
    def legend(self) -> str:
        """What the columns of the table are."""
        baseline, system = self.systems
        adds = "" if self.metric is None else f", and what it adds to {self.metric}"
        return f"A is {baseline}, B is {system}: the rank of each document{adds}"

    def remarks(self, digits: int = 4) -> list[str]:
        """How many documents moved which way, and how much of the difference each kind of move makes."""
        if not self.moves:
            return ["neither system has results for the query"]
        added = self.metric is not None
        kinds = [
            f"{row['documents']} {MOVES[row['moved']]}"
            + (f" ({part(row['difference'], digits, '+')})" if added else "")
            for row in self.moves
        ]
        missing = [
            f"{name} has no results for the query"
            for name, only in zip(self.systems, ("new", "gone"), strict=True)
            if {row["moved"] for row in self.moves} == {only}
        ]
        return [f"{f'{self.metric} by move' if added else 'moves'}: {', '.join(kinds)}", *missing]


def check_sums(measure: Measure, values: BothValues, moves: Sequence[dict[str, float]], empty: str) -> None:
    """Raise an error if what the documents of a system add is not its value: UsageError for a metric of the user."""
    for value, column in zip(values, ("baseline_contribution", "contribution"), strict=True):
        found = math.fsum(row[column] for row in moves)
        if empty == "one" and measure.metric.empty and (value, found) == (1, 0):  # there was nothing to find
            continue
        if value is not None and not math.isclose(found, value, rel_tol=1e-9, abs_tol=1e-9):
            said = f"{measure.text} is {value:.12g}, but what its documents add is {found:.12g}"
            if measure.metric.folder is None:
                raise SqlrankError(said)
            raise UsageError(
                f"{said}; take parts out of the entry of {measure.metric.folder}/{measure.metric.template}"
            )
