"""A hundred experiments of many cells of the tables of trials, and what they gave when the tables were written.

A table takes thousands of experiments a cell, which no test repeats. A hundred of the same kind, drawn apart, are to
give what they gave then: a change of a method that changes more than one of them is seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import astuple, is_dataclass
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from tests.judging.pooling import trials as pooling
from tests.judging.pooling.simulated import SETTINGS, Setting
from tests.pages.parts import part
from tests.support import trials_gsb
from tests.trials import arms, differences, draws, means, pairs, plans, sequences, value

RECORD = Path(__file__).with_name("few.json")
PAGES = "tables of the pages"
"""Where the record keeps a digest of each table as it was written."""
FEW, QUERIES = 100, 20
"""How many experiments are repeated, and of how many queries or clusters."""
FEW_VALUES = 10
"""How many experiments of 50 users are repeated for values."""
FEW_DRAWS = 20
"""How many experiments of 10 impressions are repeated for labels that are drawn."""
OF_MEANS = [(values, weights) for values in (*means.MEANS, means.LIMIT) for weights in values.weights]


def of_verdicts(setting: trials_gsb.Setting) -> tuple[float, ...]:
    """Coverage, errors and what is withheld, of a setting of verdicts."""
    row = trials_gsb.tried(setting, FEW, np.random.default_rng(1))
    return row["coverage"], row["errors"], row["withheld"]


def of_pools(setting: Setting, metric: str, depth: int) -> list[float]:
    """What each order of judging needs: the shares that are right after each budget, the mean and the median."""
    found = pooling.outcomes(setting, metric, depth, FEW // 2).values()
    return [share for one in found for share in (*one.right, one.mean, one.median, *(one.bounds or ()))]


def cells(of: Callable[..., Any], asked: Iterable[tuple[Any, ...]], queries: int = QUERIES) -> dict[str, Any]:
    """A cell for each thing asked, by its words."""
    return {", ".join(map(str, each)): partial(of, *each, queries, FEW) for each in asked}


CASES: dict[str, dict[str, Callable[[], Any]]] = {
    "means": {f"{v.words}, {w}": partial(means.mean_trial, v, w, QUERIES, FEW) for v, w in OF_MEANS},
    "draws": {", ".join(words): partial(draws.trial, words, 10, FEW_DRAWS) for words in draws.TRIED},
    "clusters": cells(means.clustered_trial, ((words,) for words in means.OF_CLUSTERS))
    | cells(differences.clustered_difference, ((test,) for test in differences.DRAWN)),
    "differences": cells(differences.difference_trial, differences.TESTS_TRIED),
    "ties": cells(differences.tied_trial, product(differences.DRAWN, differences.LOSING, differences.TIED)),
    "pairs": cells(pairs.errors, pairs.TRIED, 10),
    "arms": cells(arms.trial, arms.TRIED),
    "plans": cells(plans.plan_trial, ((words,) for words in plans.KINDS))
    | {f"two sides, {words}": partial(plans.plan_of_sides, words, QUERIES, FEW) for words in plans.SIDES},
    "looks": cells(sequences.left_out, ((words,) for words in (*sequences.VERDICTS, *sequences.VOTES)), 100),
    "gsb": {f"{s.words}, {s.queries}": partial(of_verdicts, s) for s in trials_gsb.SETTINGS if not s.segments},
    "value": {", ".join(cell[1:]): partial(value.trial, cell, 50, FEW_VALUES) for cell in value.TRIED},
    "pool": {f"{s.words}, {m}": partial(of_pools, s, m, depth) for s, (m, depth) in product(SETTINGS, pooling.METRICS)},
}
"""What is repeated, by table and by its words."""


def digest(name: str) -> str:
    """What tells the table of a page from any other."""
    return sha256(part(f"trials {name}").encode()).hexdigest()[:16]


def figures(cell: Any) -> list[float]:
    """The figures of a cell, in percent; those that it does not have are left out."""
    shares = astuple(cell) if is_dataclass(cell) and not isinstance(cell, type) else np.atleast_1d(cell)
    return [round(100 * float(share), 2) for share in shares if share is not None]


def written(figures: Iterable[float]) -> str:
    """Figures as they stand in the record."""
    return " / ".join(f"{figure:g}" for figure in figures)


def recorded() -> dict[str, dict[str, str]]:
    """The figures that were written, by table and words."""
    found: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def record(names: Iterable[str]) -> None:
    """Write the figures of some tables again."""
    found = recorded() if RECORD.exists() else {}
    names = [name for name in names if name in CASES]
    found |= {name: {words: written(figures(cell())) for words, cell in CASES[name].items()} for name in names}
    found[PAGES] = found.get(PAGES, {}) | {name: digest(name) for name in names}
    RECORD.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
