"""What the name of a segment or weight means: one rule for evaluations, comparisons, statements, macros and dbt.

A bare name is a column of the table of queries if one is given and has it, else of the run, else of the judgments.
`run.NAME`, `qrels.NAME` and `queries.NAME` say which. Where the columns are known, one that is called so wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.inputs.reading import OUTPUT_NAMES, Reading, check_output_names, kind_and_name
from sqlrank.inputs.roles import has, require
from sqlrank.inputs.table import Table, listed
from sqlrank.spelling import spelt
from sqlrank.statement.relations import IdColumn, Place

IDLE = ": nothing reads it;"
"""What a note on a table of queries says that is there for nothing."""


def idle() -> str:
    """What is said of a table of queries that was given in vain."""
    return f"{IDLE} name a column of it with {spelt('by')}, {spelt('cluster')} or {spelt('weight')}"


def place_of(text: str, labelled: bool, queries: bool) -> Place:
    """A segment or weight of relations of unknown columns; UsageError if it is of a table of queries not given."""
    kind, name = kind_and_name(text)
    if kind == "queries" and not queries:
        raise UsageError(f"{text}: there is no table of queries; name it with {spelt('queries')}")
    return placed(name, kind or ("queries" if queries else "run"), labelled)


def placed(name: str, kind: str, labelled: bool, both: bool = False) -> Place:
    """A segment or weight of one input; `both` if the judgments have it too, for queries without results."""
    one = labelled and kind in ("run", "qrels")
    return Place(name, name, one or kind == "run", one or kind == "qrels" or both, kind == "queries")


def check_segments(segments: Iterable[Place], cluster: Place | None = None) -> None:
    """Raise UsageError if two segments would have one name in the output, or that of another column."""
    seen: set[str] = set()
    for name in (each.alias for each in segments):
        check_output_names([name], OUTPUT_NAMES)
        if name.lower() in seen:
            raise UsageError(
                f"{spelt('by', name)}: two segments would have this name in the output; rename one of the columns"
            )
        seen.add(name.lower())
    if cluster is not None and cluster.alias.lower() in seen:
        raise UsageError(
            f"{spelt('cluster', cluster.alias)}: a segment would have this name in the output; rename the column"
        )


def carried(columns: Iterable[str], segments: Iterable[Place]) -> tuple[IdColumn, ...]:
    """The columns of an id that its row carries besides the segments.

    One that is called as a column of the output is `query_id_part` and the like.
    """
    named = {f"{name}_part" if name.lower() in OUTPUT_NAMES else name: number for number, name in enumerate(columns, 1)}
    shown = {segment.alias.lower() for segment in segments}
    return tuple(IdColumn(number, name) for name, number in named.items() if name.lower() not in shown)


def unread(reading: Reading, named: Iterable[Place | None]) -> bool:
    """Whether there is a table of queries that no segment and no weight reads."""
    return reading.queries is not None and not any(each is not None and each.asked for each in named)


class Places:
    """Finds segments and weights in tables of known columns; `fills` if queries without results are averaged."""

    def __init__(self, tables: Mapping[str, Sequence[Table]], labelled: bool, fills: bool) -> None:
        self.tables, self.labelled, self.fills = tables, labelled, fills
        self.notes: list[str] = []
        self.found: dict[str, Place] = {}

    def of(self, text: str) -> Place:
        """Where a segment or weight is read; DataError if no input has it, UsageError if there is no such input."""
        if text not in self.found:
            self.found[text] = self.prefixed(text) or self.sought(text)
        return self.found[text]

    def prefixed(self, text: str) -> Place | None:
        """Where it is read if its name says so; None for a bare name, and where a column is called so."""
        kind, name = kind_and_name(text)
        if kind is None or any(has(table, text) for tables in self.tables.values() for table in tables):
            return None
        if kind == "qrels" and self.labelled:
            kind = "run"
        if kind not in self.tables:
            hint = f"no table of queries; give it with {spelt('queries')}" if kind == "queries" else "no judgments"
            raise UsageError(f"{text}: there is {hint}")
        for table in self.tables[kind]:
            require(table, name)
        return placed(name, kind, self.labelled)

    def sought(self, name: str) -> Place:
        """Where a column of a bare name is read: of the table of queries, else of the run, else of the judgments."""
        order = [kind for kind in ("queries", "run", "qrels") if kind in self.tables]
        holding = [kind for kind in order if all(has(table, name) for table in self.tables[kind])]
        if not holding:
            raise self.unknown(name, [table for kind in order for table in self.tables[kind]])
        first, *others = holding
        both = self.fills and holding == ["run", "qrels"]
        if both:
            filled = f"for queries without results from {self.label('qrels')}"
            one = f"; run.{name} and qrels.{name} are one of them" if name.isidentifier() else ""
            self.notes.append(f"{name} is read from {self.label('run')}, {filled}{one}")
        elif others:
            known = " and ".join(f"{self.label(kind)} ({kind}.{name})" for kind in others)
            self.notes.append(f"{name} is read from {self.label(first)}; it is a column of {known} too")
        return placed(name, first, self.labelled, both)

    def unknown(self, name: str, tables: Sequence[Table]) -> DataError:
        """The error of a column that no input has throughout, with the nearest of those that they have."""
        hint = nearest(name, list(dict.fromkeys(column for table in tables for column in table.named)))
        lacking = list({table.label: table for table in tables if not has(table, name)}.values())
        having = list(dict.fromkeys(table.label for table in tables if has(table, name)))
        if having:
            runs = [table for table in lacking if table in self.tables["run"]] or lacking
            return DataError(f"{runs[0].label} has no column {name!r}, which {' and '.join(having)} has")
        if len(lacking) == 1:
            return DataError(f"{lacking[0].label} has no column {name!r}{hint} (it has {listed(lacking[0].named)})")
        held = "; ".join(f"{table.label} has {listed(table.named)}" for table in lacking)
        return DataError(f"no input has a column {name!r}{hint} ({held})")

    def label(self, kind: str) -> str:
        """What to call an input."""
        return " and ".join(dict.fromkeys(table.label for table in self.tables[kind]))
