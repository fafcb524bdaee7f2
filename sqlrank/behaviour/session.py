"""A log on a connection: opened, checked, settled, with the cells that estimates read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.asked import Counting, Signal, split
from sqlrank.behaviour.event_tables import ACTIONS
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.opened_log import KIND, MARKS, NO_ACTIONS, Log, open_log
from sqlrank.behaviour.settled import Settled, settle
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import no_such_word
from sqlrank.evaluation.flow import session_engine
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.column_names import OF_POLICIES
from sqlrank.inputs.opened_inputs import notes_of
from sqlrank.inputs.reading import Reading
from sqlrank.spelling import spelt

READ = (
    *("user_id", "session_id", "system", "application", "time", "sort", "seen", "is_ad", "is_bot", "page"),
    *OF_POLICIES,
)
"""The columns that decide which rows count, or that are carried along."""


@dataclass(slots=True)
class Session:
    """A log that was looked at."""

    log: Log
    settled: Settled
    cells: Cells
    counting: Counting
    notes: list[str] = field(default_factory=list)

    def origin(self) -> dict[str, Any]:
        """Where judgments of the log come from: the rankers that showed it, its days, and what does not count."""
        facts = self.settled.facts
        return {
            "signal": self.counting.signal.text,
            "systems": facts.get("systems") or [],
            "first_day": facts.get("first_day"),
            "last_day": facts.get("last_day"),
            "impressions": facts["impressions"],
            "rows": facts["rows_read"],
            "excluded": {name: int(rows) for name, rows in self.settled.excluded.items() if rows},
        }


def session_on(
    log: Any, signal: Signal, options: Mapping[str, Any], reads: Sequence[str] = (), by: Sequence[str] = ()
) -> tuple[DuckDBEngine, Callable[[], Session]]:
    """An engine, and what looks at a log with the columns `by` on it; `reads` are other files that are read."""
    reading, counting = split(options, signal)
    reading = replace(reading, by=tuple(by))
    actions = dict(options["actions"] or {})
    if unknown := [kind for kind in actions.values() if kind not in ACTIONS]:
        raise no_such_word(spelt("actions", unknown[0]), unknown[0], ACTIONS)
    every = log if isinstance(log, list | tuple) else [log]
    engine = session_engine(options, every)
    return engine, partial(looked_at, engine, log, reading, counting, [*options["writes"], *reads], actions)


def looked_at(
    engine: DuckDBEngine,
    data: Any,
    reading: Reading,
    counting: Counting,
    writes: Sequence[str] = (),
    actions: Mapping[str, str] = NO_ACTIONS,
) -> Session:
    """Open a log, check its rows and settle what they mean."""
    log = open_log(engine, data, reading, writes, actions)
    runner = check_rows(engine, log)
    settled = settle(engine, log, counting)
    rows = log.rows_read(runner.rows_read)
    notes = [*log.notes, *runner.notes, *notes_of(rows, log.labels)]
    return Session(log, settled, Cells(engine, log, settled, counting), counting, notes)


def check_rows(engine: DuckDBEngine, log: Log) -> CheckRunner:
    """Check the rows, and return what ran the checks, with the number of rows."""
    runner = CheckRunner(engine, log, {}, KIND, compared=False)
    variables: dict[str, Any] = {"queries": True, "documents": True}
    variables |= {"in_lists": any(table.unlisted for table in log.runs), "from_text": any(t.text for t in log.runs)}
    variables |= {role: role in log.roles for role in ("dwell", "page")}
    variables["marks"] = [role for role in MARKS[1:] if role in log.roles]
    runner.scan(KIND, log.read, variables)
    return runner


class Cells:
    """The impressions of a log as they count, and what is made of them; each is made when first asked for."""

    def __init__(self, engine: DuckDBEngine, log: Log, settled: Settled, counting: Counting) -> None:
        self.engine, self.log, self.settled, self.counting = engine, log, settled, counting

    def impressions(self, carried: Sequence[str] = (), plain: bool = False) -> Markup:
        """A row for each document shown: impression_id, query_id, doc_id, position, clicked, and what is carried.

        With `plain` also was_clicked, where something else is taken for a click.
        """
        context = context_of(self.settled, self.counting, self.log, carried, plain)
        name, folder = "_".join(["impressions", *carried]), Folder(self.engine, doing="reading")
        return (folder.keep if self.settled.copies else folder.view)(name, "impressions", **context)

    def counted(self, sequence: bool = False, no_click: str = "examined", graded: bool = False) -> Markup:
        """A row for each query, document and position, with impressions and clicks, and what their order says."""
        context: dict[str, Any] = {"impressions": self.impressions(), "sequence": sequence, "no_click": no_click}
        context |= {"graded": graded, "day": None}
        return Folder(self.engine, doing="counting").keep("cells", **context)


def context_of(
    settled: Settled, counting: Counting, log: Log, carried: Sequence[str], plain: bool = False
) -> Mapping[str, Any]:
    """The variables of the statement of impressions; `plain` adds clicks to what is taken for one."""
    return {
        "log": log.relation,
        "columns": log.columns,
        "signal": counting.signal,
        "depth": counting.depth,
        "page_size": settled.bases.page_size,
        "base": settled.bases.base,
        "bases": settled.bases.by_application,
        "without_bots": counting.without_bots,
        "bots": settled.bots,
        "sorted_too": counting.sorted_too,
        "fold": counting.fold,
        "collapse": settled.copies > 0,
        "read": list(dict.fromkeys([*(name for name in READ if name in log.columns), *carried])),
        "marks": MARKS,
        "carried": carried,
        "plain": plain,
    }
