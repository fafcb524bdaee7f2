"""Trials of `log value`: how often its intervals hold what a candidate truly earns, and how far off its estimates are.

Many experiments are one log, of which the sums over the users of each are those of the product (`UnitSums`).
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from sqlrank.counterfactual.asking import LEAST_ESS, Asked
from sqlrank.counterfactual.bounds import left_open
from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.measures import SHOWN
from sqlrank.counterfactual.refusals import off_balance
from sqlrank.counterfactual.unit_sums import UnitSums, Weights
from sqlrank.counterfactual.value_rows import is_tested
from sqlrank.counterfactual.values import Values
from sqlrank.counterfactual.valuing import Estimated
from sqlrank.log import value
from sqlrank.statistics.estimate import NONE, Ends
from tests.trials import drawn_logs, lot_logs
from tests.trials.drawn_logs import CANDIDATES as OF_DRAWN
from tests.trials.drawn_logs import EACH_EXPERIMENT
from tests.trials.experiments import Array, head, row
from tests.trials.lot_logs import CANDIDATES as OF_LOTS

SIZES = (50, 200, 1_000)
"""How many users a log has."""
EXPERIMENTS = {50: 1_000, 200: 1_000, 1_000: 200}
OF_ALONE = 1_000
"""How many experiments are valued one by one, whatever the users of a log."""
AT_ONCE = 10_000
"""How many users, of all experiments of one log."""
PLAIN = (*("item-position", "sn-item-position", "cascade", "sn-cascade", "list", "sn-list"), *("dr", "sn-dr", "dm"))
CLIPPED = {5.0: ("switch-dr", "dr-os"), 100.0: ("dr-os",)}
"""Those that leave out or shrink large weights, by the number that they take for large (`--clip`)."""
BY_LOT = {"look by position": ("item-position", "pbm", "ips_dcg@5"), "look everywhere": ("document",)}
"""The estimators that need no propensities of the ranker, by what people are like."""
ALONE = "snips_dcg@5"
"""What is divided by a sum over all queries, for which each experiment is a log of its own."""
LEAST_GIVEN = 0.05
"""Where the log bears fewer values, nothing is said of their intervals."""
Names = tuple[str, str]
Truths = tuple[float, dict[str, float]]


@dataclass(slots=True)
class Found:
    """What experiments gave for an estimator and a candidate."""

    errors: list[float] = field(default_factory=list)
    """How far the estimates are off the truth."""
    given: list[bool] = field(default_factory=list)
    """Whether the log bears the value."""
    held: list[bool | None] = field(default_factory=list)
    """Whether the interval of the value holds the truth; None where there is none."""
    difference_held: list[bool | None] = field(default_factory=list)
    """The same of the difference from what was shown."""

    def coverage(self, held: Sequence[bool | None]) -> float | None:
        """The share of the intervals that hold the truth, where the log bears the value."""
        known = [one for one, given in zip(held, self.given, strict=True) if given and one is not None]
        return float(np.mean(known)) if len(known) > LEAST_GIVEN * len(held) else None

    def bias(self) -> float:
        """How far the mean of the estimates is off the truth, in standard deviations of one of them."""
        return float(np.mean(self.errors) / np.std(self.errors))


@dataclass(frozen=True, slots=True)
class Valued:
    """What became of the experiments of one cell."""

    coverage: float | None
    differences: float | None
    given: float
    bias: float

    def __str__(self) -> str:
        shown = ["withheld" if one is None else f"{100 * one:.1f}" for one in (self.coverage, self.differences)]
        return " / ".join(shown) if self.coverage is not None else "withheld"


def of_experiment(sums: UnitSums, experiment: int) -> UnitSums:
    """The sums over the users of one experiment."""
    users = f"(select * from {sums.units} where unit // {EACH_EXPERIMENT} = {experiment})"
    alone = copy.copy(sums)
    alone.totals = sums.sql.row("totals", measures=sums.measures, units=Markup(users))
    return alone


def supported(each: Estimated) -> dict[tuple[Names, int], Array]:
    """By estimator, candidate and experiment: the share that is supported, and what the rest earns at most."""
    sums: dict[tuple[Names, int], Any] = defaultdict(lambda: np.zeros(3))
    if isinstance(each.source, Empirical):
        for one in {measure.estimator.name: measure.estimator for measure in each.measures}.values():
            for found in each.source.support(one, "query"):
                name = (one.name, found["system"]), int(found["query_id"]) // EACH_EXPERIMENT
                sums[name] += found["supported"] * found["levels"], found["levels"], found["possible"]
    return {name: np.array([part / whole, possible]) for name, (part, whole, possible) in sums.items()}


def borne(asked: Asked, weights: Weights, share: float | None) -> bool:
    """Whether the log bears a value, of which such a share is supported; None by the weights of logged propensities."""
    if share is None:
        return (weights.mean or 0) >= asked.min_support and not off_balance(weights) and weights.ess >= LEAST_ESS
    return share >= asked.min_support and weights.ess >= LEAST_ESS


def add(cells: dict[Names, Found], values: Values, log: pd.DataFrame, truths: Callable[[str], Truths]) -> None:
    """Add the experiments of a log to what was found by estimator and candidate."""
    (each,) = values._estimated
    support, clicks = supported(each), log.groupby(log["user_id"] // EACH_EXPERIMENT)["clicked"].sum()
    for experiment in clicks.index:
        sums, found = of_experiment(each.sums, experiment), dict[Names, float]()
        for measure in each.measures:
            name, estimate = (measure.estimator.name, measure.system), sums.estimate(measure)
            cell = cells.setdefault((of(name[0], values.asked.clip), name[1]), Found())
            shown, earned = truths(measure.estimator.name)
            truth = earned[measure.system] - (shown if measure.other else 0.0)
            ends = estimate.ends(values.asked.alpha) if is_tested(each, measure) else NONE
            share, possible = support.get((name, experiment), (None, 0.0))
            per = measure.per or sums.impressions
            if measure.other is None:
                found[name] = estimate.value
                cell.errors.append(estimate.value - truth)
                cell.given.append(borne(values.asked, sums.weights(measure), share))
                cell.held.append(holds(ends, truth))
            elif measure.other == SHOWN:
                least = found[name] - clicks[experiment] / per if measure.estimator.clicks else estimate.value
                bounds = (least, least + possible / per)
                cell.difference_held.append(None if possible and left_open(bounds) else holds(ends, truth))


def of(estimator: str, clip: float | None) -> str:
    """The words for an estimator."""
    return f"`{estimator}`" if clip is None else f"`{estimator} --clip {clip:g}`"


def holds(ends: Ends, truth: float) -> bool | None:
    """Whether an interval holds the truth; None where there is none."""
    low, high = ends
    return None if low is None or high is None else bool(low <= truth <= high)


@cache
def drawn(people: str, users: int, number: int) -> dict[Names, Found]:
    """What logs of a ranker that draws gave, by estimator and candidate."""
    known, cells = drawn_logs.world(), dict[Names, Found]()
    earned = {name: known.earned(getattr(known, name), people) for name in drawn_logs.CANDIDATES}
    truths = known.earned(known.logged, people), earned
    for first, many in chunks(users, number):
        log, candidates = drawn_logs.drawn(people, users, first, many)
        asked: list[dict[str, Any]] = [{"estimators": PLAIN}]
        asked += [{"estimators": names, "clip": clip} for clip, names in CLIPPED.items()]
        for options in asked:
            with value(candidates, log, anyway=True, **options) as values:
                add(cells, values, log, lambda _: truths)
    return cells


@cache
def by_lot(people: str, users: int, number: int) -> dict[Names, Found]:
    """What logs of rankers by lot gave, by estimator and candidate."""
    cells = dict[Names, Found]()
    looks = dict(enumerate(lot_logs.LOOKS[people], 1)) if people == PEOPLE[0] else None
    for first, many in chunks(users, number):
        log = lot_logs.by_lot(people, users, first, many)
        runs = {name: lot_logs.run(name, first, many) for name in lot_logs.CANDIDATES}
        asked: dict[str, Any] = {"estimators": BY_LOT[people], "propensities": looks, "anyway": True}
        with value(log=log, systems=runs, **asked) as values:
            add(cells, values, log, lambda name: lot_logs.earned(people, name))
    return cells


@cache
def alone(people: str, users: int, number: int) -> dict[Names, Found]:
    """What logs of rankers by lot gave by an estimator that takes each experiment by itself."""
    cells = dict[Names, Found]()
    for experiment in range(number):
        log = lot_logs.by_lot(people, users, experiment, 1)
        runs = {name: lot_logs.run(name, experiment, 1) for name in lot_logs.CANDIDATES}
        looks = dict(enumerate(lot_logs.LOOKS[people], 1))
        with value(log=log, systems=runs, estimators=ALONE, propensities=looks, anyway=True) as values:
            add(cells, values, log, lambda name: lot_logs.earned(people, name))
    return cells


def chunks(users: int, number: int) -> Iterator[tuple[int, int]]:
    """The first experiment of each log, and how many it has."""
    step = max(1, AT_ONCE // users)
    yield from ((first, min(step, number - first)) for first in range(0, number, step))


PEOPLE = ("look by position", "look for one answer")
OF_DRAWN_LOGS = (
    *(of(name, None) for name in PLAIN),
    *(of(name, clip) for clip, all_of in CLIPPED.items() for name in all_of),
)
TRIED = [
    *((drawn, people, name, one) for people in PEOPLE for name in OF_DRAWN_LOGS for one in OF_DRAWN),
    *((by_lot, people, of(name, None), one) for people in BY_LOT for name in BY_LOT[people] for one in OF_LOTS),
    *((alone, PEOPLE[0], of(ALONE, None), one) for one in OF_LOTS),
]
"""What is tried: how, with which people, which estimator and which candidate."""


def trial(cell: tuple[Any, str, str, str], users: int, experiments: int | None = None) -> Valued:
    """What became of the experiments of one cell with so many users."""
    of_cell, people, estimator, name = cell
    number = experiments or (OF_ALONE if of_cell is alone else EXPERIMENTS[users])
    found: Found = of_cell(people, users, number)[estimator, name]
    return Valued(
        found.coverage(found.held), found.coverage(found.difference_held), float(np.mean(found.given)), found.bias()
    )


def of_value() -> Iterator[str]:
    """The table of coverage."""
    yield from head(["people", "estimator", "candidate"], SIZES, "users")
    for cell in TRIED:
        yield row(cell[1:], [trial(cell, users) for users in SIZES])


def of_biases() -> Iterator[str]:
    """The table of biases."""
    yield from head(["people", "estimator", "candidate"], SIZES, "users")
    for cell in TRIED:
        yield row(cell[1:], [f"{trial(cell, users).bias:+.2f}" for users in SIZES])
