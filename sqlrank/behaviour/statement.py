"""The statement of judgments over a log of another session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.behaviour.asked import Counting, Signal
from sqlrank.behaviour.estimating import Estimate
from sqlrank.behaviour.opened_log import MARKS, NEEDED
from sqlrank.dialects import Dialect
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.statistics.student import quantile
from sqlrank.version import __version__

STEPS = ("all", "cells", "labels")
"""What a statement makes: judgments of a log; its cells by day; or judgments of cells that are kept."""
OPTIONAL = ("seen", "is_ad", "is_bot", "sort", "cart", "purchase", "dwell", "page")
"""The columns of a log that are read where they are named."""
INTERVALS = {
    "beta": "Paulson's approximation of the ends of the Beta distribution",
    "gamma": "Wilson and Hilferty's approximation of the ends of the Gamma distribution",
}
"""How ends are approximated where an engine has no quantiles."""
MERGED = {"spark": "merge", "databricks": "merge"}
"""Where rows of a day are made again by a merge, which takes tables of Delta."""
SEQUENCE = ("examined", "last_clicks", "to_first", "first_clicks")
"""The columns of cells of what the order of clicks says."""


def judgments_statement(
    dialect: Dialect,
    relation: Any,
    asked: Estimate,
    counting: Counting,
    columns: Mapping[str, str],
    propensities: Any = None,
    step: str = "all",
    day: str | None = None,
    incremental: bool = False,
    where: Any = None,
) -> str:
    """The statement, in a dialect.

    Args:
        dialect: how the engine spells SQL.
        relation: the log, or the cells of it, as they stand after `from`.
        asked: how labels are estimated: by a method with a closed form.
        counting: which rows count; where positions begin is 1 unless it says otherwise.
        columns: the columns of the log by role, where they have other names, and those that are read besides.
        propensities: the relation of propensities, where the method needs them.
        step: one of `STEPS`.
        day: the column of the days of cells.
        where: the condition on the rows of the log.
        incremental: whether it is a model of dbt, which reads the last day that it holds and what came since.

    Raises:
        UsageError: the method learns round by round, or an option needs a column that is not named.
    """
    method = asked.method
    if method.learns is not None:
        raise UsageError(
            f"--sql: {method.name} learns round by round, which DuckDB alone does; statements are of the methods with a"
            " closed form, such as sdbn, ctr or ratio"
        )
    known = known_columns(counting.signal, columns, day)
    sequence = method.reads == "sequence"
    rows = {"impressions": sql_text("impressions"), "sequence": sequence, "no_click": asked.no_click}
    cells = render("behaviour/cells.sql", dialect, **rows, graded=method.graded, day=day if step == "cells" else None)
    z, of_method = quantile(1 - asked.alpha), f"judgments of {relation} by {method.name}"
    tables = {
        "cells": sql_text("cells"),
        "propensities": propensities,
        "prior": asked.prior,
        "clip": asked.clip,
        "found": None,
    }
    estimates = render(f"behaviour/methods/{method.name}.sql", dialect, **tables)
    ends = {"estimates": sql_text("estimates"), "z": z, "tail": asked.alpha / 2, "exact": False}
    labels = render(f"behaviour/intervals/{method.interval}.sql", dialect, **ends)
    counted = [
        "impressions",
        "clicks",
        *(SEQUENCE if sequence else ()),
        *(["grades", "squares"] if method.graded else []),
    ]
    made = {
        "impressions": impressions_of(dialect, counting, known, day if step == "cells" else None),
        "cells": cells,
        "estimates": estimates,
        "labels": labels,
    }
    return render(
        "behaviour/statement.sql",
        dialect,
        version=comment(__version__),
        title=comment(f"counts of {relation} by day" if step == "cells" else of_method),
        header=[comment(line) for line in header(asked, counting, step)],
        columns=list(known.items()),
        marks=MARKS,
        where=where,
        cell_columns=[*([day] if step == "cells" and day else []), "query_id", "doc_id", "position", *counted],
        relation=relation,
        day=day if incremental else None,
        strategy=sql_text(MERGED.get(dialect.name, dialect.dbt_strategy)),
        delta=dialect.name in MERGED,
        estimate=comment(method.title),
        interval=comment(INTERVALS[method.interval]),
        method=method.name,
        fewest=asked.fewest,
        step=step,
        **{name: sql_text(text.strip()) for name, text in made.items()},
    )


def known_columns(signal: Signal, columns: Mapping[str, str], day: str | None) -> dict[str, str]:
    """The columns of a log that are read, by role; UsageError for an option that needs one that is not named."""
    needed = [*NEEDED, *([] if signal.kind in NEEDED else ["dwell"] if signal.kind == "dwell" else [])]
    needed += [signal.kind] if signal.kind in ("cart", "purchase") else []
    needed += [name for name in OPTIONAL if name in columns]
    found = {role: columns.get(role, role) for role in dict.fromkeys(needed)}
    return found | ({} if day is None else {day: day})


def impressions_of(
    dialect: Dialect, counting: Counting, known: Mapping[str, str], day: str | None, carried: Sequence[str] = ()
) -> str:
    """The step of the impressions, each document once, with its day and what else is carried."""
    if counting.page_size and "page" not in known:
        raise UsageError(
            f"{spelt('page_size')}: name the column of the pages with {spelt('columns', {'page': 'NAME'})}"
        )
    if counting.without_bots and "is_bot" not in known:
        raise UsageError(
            f"{spelt('exclude_bots')}: in a statement, name the column that says it with"
            f" {spelt('columns', {'is_bot': 'NAME'})}"
        )
    return render(
        "behaviour/impressions.sql",
        dialect,
        log=sql_text("log_rows"),
        columns=frozenset(known),
        signal=counting.signal,
        depth=counting.depth,
        page_size=counting.page_size,
        base=1 if counting.base is None else counting.base,
        bases=[],
        without_bots=counting.without_bots,
        bots=None,
        sorted_too=counting.sorted_too,
        fold=counting.fold,
        collapse=True,
        carried=[*([] if day is None else [day]), *carried],
        marks=MARKS,
        plain=False,
        read=[name for name in known if name not in (*NEEDED, *MARKS, "dwell")],
    )


def header(asked: Estimate, counting: Counting, step: str) -> list[str]:
    """What the statement assumes, line by line."""
    base = 1 if counting.base is None else counting.base
    log = [
        f"the log has a row for each document shown; clicked is 1 or 0, and positions begin at {base}",
        "sqlrank log inspect says of an export whether that holds, and what has to be settled first",
    ]
    assumed = [f"it assumes that {asked.method.assumes}"]
    return [*(log if step != "labels" else []), *(assumed if step != "cells" else [])]
