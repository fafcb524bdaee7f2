"""Writing pools: what to judge next, for raters and for people who look."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.judging.pooling.pool import Pool
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Shown, for_people, relation_table
from sqlrank.pages.tables import Table
from sqlrank.version import __version__

SHOWN = 20
"""How many pairs a table for people shows where nobody said how many there are to be."""
UNFILLED = "relevance"
"""The column that raters fill, which is of no use to people who look."""
NUMBERS = ("priority", "weight", "systems", "best_rank")


def write_pool(pool: Pool, destination: Destination) -> None:
    """Write the pairs in any format but trec: all of them, or for people the first ones unless a budget was given."""
    check_kind(destination.kind)

    def shown() -> Shown:
        table = pool_table(pool, destination.digits)
        return [table], [*([table.caption] if table.caption else []), *pool.remarks()]

    people = for_people(shown, destination.screen)
    write_result(pool, pool.rows, destination, metadata_of(pool), people, partial(document_of, pool))


def check_kind(kind: str) -> None:
    """Raise UsageError for a format that has no place for pairs without relevance."""
    if kind == "trec":
        raise UsageError(f"trec_eval has no pairs without judgment; pool takes {', '.join(RESULT_FORMATS)}")


def pool_table(pool: Pool, digits: int) -> Table:
    """The pairs that people are shown; the caption says where the others are."""
    shown = pool.rows if pool.budget is not None else pool.rows.limit(SHOWN)
    table = relation_table(shown, digits, NUMBERS).without(UNFILLED)
    return replace(table, caption=hint_of(pool, len(table.rows)), spare=("best_rank", "systems"))


def hint_of(pool: Pool, shown: int) -> str:
    """Where the other pairs are, if not all of them are shown."""
    return f"the first {shown} of {pool.given:,}: --budget N shows N, and a file has all" if shown < pool.given else ""


def metadata_of(pool: Pool) -> dict[str, str]:
    """The metadata of a Parquet file."""
    conventions = json.dumps(pool.conventions.to_dict())
    return {"sqlrank": __version__, "metric": pool.measure.text, "depth": str(pool.depth), "conventions": conventions}


def document_of(pool: Pool) -> dict[str, Any]:
    """What a JSON document of a pool holds beside the pairs."""
    return {
        "metric": pool.measure.text,
        "depth": pool.depth,
        "budget": pool.budget,
        "to_judge": asdict(pool.totals),
        "systems": {system: asdict(found) for system, found in pool.counts.items()},
        "possible": [asdict(each) | {"decided": each.decided} for each in pool.possible],
        "conventions": pool.conventions.to_dict(),
        "notes": pool.notes + ([] if pool.where is None else [f"only rows where {pool.where}"]),
    }
