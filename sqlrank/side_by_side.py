"""Side-by-side verdicts: good, same and bad counted, and whether the candidate is to be shipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import duckdb

from sqlrank.arguments import INPUT, public
from sqlrank.engine_choice import connection_of
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.held import Held
from sqlrank.input_rows import input_rows, notes_of
from sqlrank.preference import Preference, Sums, preference_of
from sqlrank.reading import SQL_TIME_LIMIT, Reading
from sqlrank.sign_test import sign_test
from sqlrank.templates import render, sql_text
from sqlrank.verdicts import KIND, VerdictChecker, VerdictInputs, open_verdicts

ROWS = "gsb_rows"
KINDS = {
    **dict.fromkeys(("good", "same", "bad", "total"), "bigint"),
    **dict.fromkeys(("delta_gsb", "stderr", "ci_low", "ci_high", "p_value"), "double"),
    "decision": "varchar",
    "judgments_needed": "bigint",
}
"""The columns of the result and their types."""
RATER_KINDS = {"items": "bigint", "conflicting": "bigint", "disagreement": "double"}
"""Those that stand there besides where raters are known."""


@public(judgments=INPUT)
def gsb(
    judgments: Any,
    *,
    by: str | Sequence[str] | None = None,
    weight: str | None = None,
    alpha: float = 0.05,
    where: str | None = None,
    columns: Mapping[str, str] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    header: bool = True,
    database: str | None = None,
    sql_time_limit: float = SQL_TIME_LIMIT,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    progress: bool = False,
    writes: Sequence[str] = (),
) -> SideBySide:
    """Sum up verdicts of people who saw the results of two systems side by side.

    Args:
        judgments: rows of query_id and verdict, and where known of doc_id and rater: a path, glob, folder or URL, a
            pandas, polars or Arrow table, or a DuckDB relation. A verdict is `good` (the candidate is better), `same`
            or `bad`, in words, as g, s, b, as 1, 0, -1, or as 好, 平, 差.
        by: columns that split the queries into segments.
        weight: a column with the weight of each verdict in delta_gsb.
        alpha: what the interval leaves out: 0.05 for one of 95 %.
        where: an SQL condition on the rows.
        columns: column names by role: query_id, doc_id, rater, verdict.
        input_format: one of parquet, csv, tsv, json; None tells by suffix and content.
        encoding: how text files are encoded; None for UTF-8.
        header: whether CSV files begin with the names of their columns.
        database: a DuckDB file, opened read-only, whose tables the judgments are.
        sql_time_limit: seconds after which a statement with `where` is stopped.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.

    Returns:
        The counts, delta_gsb with its interval, and the decision.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the input is missing, unreadable or wrong.
        ResourceError: memory or disk ran out.
    """
    if not 1e-6 <= alpha <= 0.5:
        raise UsageError(f"--alpha {alpha:g} is not between 0.000001 and 0.5; 0.05 gives an interval of 95 %")
    segments = checked_segments((by,) if isinstance(by, str) else tuple(by or ()))
    reading = Reading(
        weight=weight,
        where=where,
        columns=dict(columns or {}),
        input_format=input_format,
        encoding=encoding,
        header=header,
        database=database,
        sql_time_limit=sql_time_limit,
    )
    settings: dict[str, Any] = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
    engine = DuckDBEngine(connection or connection_of([judgments]), progress=progress, **settings)
    try:
        return SideBySide(engine, open_verdicts(engine, judgments, reading, segments, writes), alpha)
    except BaseException:
        engine.close()
        raise


def checked_segments(by: tuple[str, ...]) -> tuple[str, ...]:
    """The segment columns, refused where the output would have two columns of a name."""
    for name in by:
        if name.lower() in {"is_total", *KINDS, *RATER_KINDS}:
            raise UsageError(f"--by {name}: the output has a column of that name; rename the column first")
    if len({name.lower() for name in by}) < len(by):
        raise UsageError(f"--by {', '.join(by)}: a column is named twice")
    return by


class SideBySide(Held):
    """Verdicts summed up: counts, delta_gsb with its interval, and the decision, in total and by segment.

    It holds a database connection; use it as a context manager, or call `close()`, when it is not to live as long as
    the program.
    """

    def __init__(self, engine: DuckDBEngine, verdicts: VerdictInputs, alpha: float) -> None:
        super().__init__(engine)
        self.by: tuple[str, ...] = tuple(verdicts.by)
        self.alpha, self.weight, self.where = alpha, verdicts.reading.weight, verdicts.reading.where
        self.raters = verdicts.raters
        """Whether it is known who gave each verdict."""
        self._verdicts = verdicts
        checker = VerdictChecker(engine, verdicts)
        checker.look_at_rows()
        found = engine.gather(self.statements)
        groups = {self._group(row): row for row in found[0]}
        if self.weight is not None:
            checker.look_at_weights(found[0])
        items = {self._group(row): row for row in found[1]} if self.raters else {}
        rows = [self._row(group, row, items.get(group, {})) for group, row in groups.items()]
        self._load(rows)
        self.total: dict[str, Any] = {name: rows[-1][name] for name in self._kinds()}
        """The row of all verdicts by column."""
        self.inputs = {KIND: input_rows(checker.rows_read[KIND], where=verdicts.inputs.filtered)}
        """The rows of the verdicts, and why some were left out."""
        self.notes = [*verdicts.inputs.notes, *checker.notes, *notes_of(self.inputs, verdicts.inputs.labels)]

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each segment and the total: by and is_total (with segments), counts, estimates, decision."""
        names = [*zip(self.by, self._verdicts.segments, strict=True), *([("is_total",) * 2] if self.by else [])]
        names += [(name, name) for name in self._kinds()]
        relation = sql_text(self._local.dialect.ident(self._local.name(ROWS)))
        context = {"columns": names, "segments": self._verdicts.segments, "relation": relation}
        return self._local.relation(render("gsb/rows.sql", self._local.dialect, **context))

    @property
    def decision(self) -> str:
        """What follows from all verdicts: `ship`, `do not ship` or `not enough evidence`."""
        return str(self.total["decision"])

    @property
    def sql(self) -> str:
        """What ran, over the relations that `sources` make."""
        return ";\n\n".join(self.statements)

    @property
    def statements(self) -> list[str]:
        """The statement of the sums, and that of the items where raters are known."""
        verdicts = self._verdicts
        columns = ["query_id", *(["doc_id"] if verdicts.documents else [])]
        context = {"verdicts": verdicts.relation, "segments": verdicts.segments, "weighted": self.weight is not None}
        names = ["gsb/summary.sql", *(["gsb/items.sql"] if self.raters else [])]
        return [render(name, self._local.dialect, **context, columns=columns) for name in names]

    @property
    def sources(self) -> list[str]:
        """The statements that make the relations it reads."""
        return self._verdicts.inputs.sources

    @property
    def confidence(self) -> str:
        """What the interval is called, such as `95 %`."""
        return f"{100 * (1 - self.alpha):.10g} %"

    def shown(self) -> dict[str, Any]:
        """The conventions and their values."""
        interval = "Bonett-Price, Student's t over queries"
        return {"good": "the candidate is better", "alpha": self.alpha, "interval": interval, "weight": self.weight}

    def remarks(self) -> list[str]:
        """What is printed beside the numbers."""
        weighed = f"; delta_gsb and its interval weigh verdicts by {self.weight}, the counts do not"
        lines = [
            "good: the candidate is better; delta_gsb = (good - bad) / (good + same + bad)"
            + ("" if self.weight is None else weighed),
            f"{self.confidence} interval: verdicts of one query belong together; one good and one bad judgment are"
            " added (Bonett and Price), Student's t",
            "the interval decides: ship where all of it is above 0, do not ship where delta_gsb is not;"
            " p is that of the exact sign test, for information",
        ]
        if self.total["judgments_needed"] is not None:
            needed = f"{self.total['judgments_needed']} judgments in total would decide with a power of 0.8"
            lines.append(f"{needed}, were {self.total['delta_gsb']:.12g} the true delta_gsb")
        if self.total.get("items"):
            share = f"{self.total['conflicting']} of {self.total['items']} items with several raters"
            lines.append(f"raters disagree on {share} ({100 * self.total['disagreement']:.1f} %)")
        elif self.raters:
            lines.append("no item has several raters")
        return lines + ([] if self.where is None else [f"only rows where {self.where}"])

    def __repr__(self) -> str:
        return "\n".join([str(self.rows), *self.remarks(), *self.notes])

    def _kinds(self) -> dict[str, str]:
        return KINDS | (RATER_KINDS if self.raters else {})

    def _group(self, row: dict[str, Any]) -> tuple[Any, ...]:
        return row["is_total"], *(row[segment] for segment in self._verdicts.segments)

    def _row(self, group: tuple[Any, ...], row: dict[str, Any], items: dict[str, Any]) -> dict[str, Any]:
        sums = Sums(**{name: row[name] for name in Sums.__slots__})
        found: Preference = preference_of(sums, self.alpha)
        judged, conflicting = int(items.get("items", 0)), int(items.get("conflicting", 0))
        return (
            dict(zip(("is_total", *self._verdicts.segments), group, strict=True))
            | {"good": sums.good, "same": sums.same, "bad": sums.bad, "total": sums.total}
            | {"p_value": sign_test(sums.good, sums.bad)}
            | asdict(found)
            | {"items": judged, "conflicting": conflicting, "disagreement": conflicting / judged if judged else None}
        )

    def _load(self, rows: list[dict[str, Any]]) -> None:
        rows.sort(key=lambda row: bool(row["is_total"]))
        kinds = dict.fromkeys(self._verdicts.segments, "varchar") | {"is_total": "boolean"} | self._kinds()
        name = self._local.name(ROWS)
        columns = [(column, sql_text(kind)) for column, kind in kinds.items()]
        sql = render("sources/few.sql", self._local.dialect, name=name, columns=columns)
        self._local.make("table", name, sql, [[row[column] for row in rows] for column in kinds])
