"""Writing pools: what to judge next, for raters and for people who look."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from sqlrank.judging.pooling.columns import ROWS
from sqlrank.judging.pooling.pool import Pool
from sqlrank.output.tables import relation_table
from sqlrank.output.writing import Destination, Writing, of_rows
from sqlrank.pages.tables import Table
from sqlrank.spelling import spelt

SHOWN = 20
"""How many pairs a table for people shows where nobody said how many there are to be."""


def pool_table(pool: Pool, digits: int) -> Table:
    """The pairs that people are shown; the caption says where the others are."""
    shown = pool.rows if pool.budget is not None else pool.rows.limit(SHOWN)
    table = relation_table(shown, digits, ROWS)
    first = len(table.rows)
    hint = f"the first {first} of {pool.given:,}: {spelt('budget', 'N')} shows N, and a file has all"
    return replace(table, caption=hint if first < pool.given else "")


def document_of(pool: Pool, _: Destination) -> dict[str, Any]:
    """What a JSON document of a pool holds besides the pairs."""
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


POOL = Writing(
    tables=lambda pool, to: [pool_table(pool, to.digits)],
    document=document_of,
    metadata=lambda pool: {
        "metric": pool.measure.text,
        "depth": str(pool.depth),
        "conventions": json.dumps(pool.conventions.to_dict()),
    },
    places=of_rows("trec_eval has no pairs without judgment; pool takes {takes}"),
    captions=True,
)
