"""Gates that know their error: how often one fails although nothing changed, and which drop it catches.

The differences at hand are resampled, whole clusters together, and every sample is held to the gate as if the true mean
difference were 0 (a false alarm where it fails), or a drop (which is caught where it fails).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.interval import estimates_of
from sqlrank.comparison.margins import lacking
from sqlrank.comparison.paired import Paired
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.test_results import Key
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.estimate import Estimate, outer_ends
from sqlrank.statistics.paired_power import POWER

SAMPLES = (200, 1_000)
"""The fewest samples and the most."""
ALL_SAMPLES = 20_000
"""About how many samples of all rows together are held to their gates."""
BUNDLES = 4096
"""With more queries than these, those of a bundle are drawn together."""
OF_BLOCK = 12
"""The samples of a block of random bits."""
FEW = 10
"""With fewer queries that differ the numbers are a guess."""

Row = Mapping[str, Any]
Rule = Callable[[Row, Questions], float]
"""What a gate compares with the largest drop that it allows, of a row of sums and how differences are tested."""


def point(row: Row, questions: Questions) -> float:
    """The mean difference itself."""
    return float(row["difference"])


def surely(row: Row, questions: Questions) -> float:
    """The upper end of the interval, which is nowhere where there is none: such a gate holds."""
    _, high = outer_ends(estimates_of(row), questions.alpha_two_sided)
    return math.inf if high is None else high


def not_worse(row: Row, questions: Questions) -> float:
    """The lower end of the one-sided interval of a margin, which is nowhere where there is none: such a gate fails."""
    low, _ = outer_ends(estimates_of(row), 2 * questions.alpha)
    return -math.inf if low is None else low


@dataclass(frozen=True, slots=True)
class Held:
    """A row of a comparison that is held to a gate."""

    name: str
    """The metric, the system and what the gate allows; the same for the segments of one gate."""
    row: Row
    allowed: float
    """The largest drop that is allowed, in the unit of the row."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class GatePower:
    """How often a gate fails, in samples like these."""

    false_alarms: float | None
    """The share of them in which it fails although nothing changed; None where the differences do not tell."""
    drop: float | None
    """The least drop with which it fails in `POWER` of them, in the unit of the row; None where none is."""
    word: str = "drop"
    """What a loss is: a rise where less is better."""

    def __str__(self) -> str:
        if self.false_alarms is None:
            return "its false-alarm rate is unknown"
        caught = f"with any {self.word} it fails at least as often"
        if self.drop is None:
            caught = f"detects no {self.word} with power {POWER:g}, however large"
        elif self.drop:
            caught = f"detects a true {self.word} of {self.drop:.3g} with power {POWER:g}"
        return f"false-alarm rate {percent(self.false_alarms)}; {caught}"


def gate_powers(paired: Paired, questions: Questions, held: Sequence[Held]) -> list[GatePower]:
    """How often each gate fails on no change with data like these, and what drop it catches."""
    if not questions.paired:
        return [of_normal(each, questions) for each in held]
    fewest, most = SAMPLES
    samples: dict[Key, list[Row]] = {}
    for total in (True, False):
        telling = [each for each in held if tells(each.row) and each.row["is_total"] is total]
        number = max(fewest, min(most, ALL_SAMPLES // max(1, len(telling))))
        samples |= drawn(paired, questions.seed, telling, number, total) if telling else {}
    return [power_of(each, samples.get(each.row["sqlrank_key"], []), questions) for each in held]


def gate_remarks(held: Sequence[Held], powers: Sequence[GatePower], questions: Questions) -> list[str]:
    """How often each gate fails by chance and what it catches: a line for each total, and one for its segments."""
    lines = []
    for name in dict.fromkeys(each.name for each in held):
        found = [(each.row, power) for each, power in zip(held, powers, strict=True) if each.name == name]
        for row, power in found:
            if row["is_total"]:
                few = f" (a guess, as only {row['sqlrank_sums']['changed']} differ)" if is_guess(row) else ""
                why = f": {lacking(row)}" if power.false_alarms is None else ""
                lines.append(f"{name}: {power}{few}{why}")
        known = [power.false_alarms for _, power in found if power.false_alarms is not None]
        if len(found) > 1 and known:
            told = (
                f"{len(known)} rows" if len(known) == len(found) else f"the {len(known)} of {len(found)} rows that tell"
            )
            any_fails = percent(1 - math.prod(1 - share for share in known))
            lines.append(f"{name}: with no change, at least one of {told} fails in {any_fails} of samples")
    if lines:
        drawn_from = f"samples of these differences around a mean of 0, seed {questions.seed}"
        drawn_from = drawn_from if questions.paired else "samples like these, whose difference is normal around 0"
        lines.append(f"gates: rates estimated from {drawn_from}")
    return lines


def is_guess(row: Row) -> bool:
    """Whether so few queries differ that their differences hardly tell how large others are."""
    return tells(row) and row["sqlrank_sums"]["changed"] < FEW


def tells(row: Row) -> bool:
    """Whether the differences of a row show how much they vary."""
    return row["difference"] is not None and row["sqlrank_deviation"] is not None


def power_of(held: Held, samples: Sequence[Row], questions: Questions) -> GatePower:
    """How often one gate fails."""
    if not samples:
        return GatePower(None, None)
    row = held.row
    factor = row["queries"] if row["sqlrank_counts"] else 1
    mean, allowed = row["sqlrank_sums"]["difference"], held.allowed / factor
    ends = sorted(held.rule(sample, questions) - mean for sample in samples)
    noise = 1e-12 * max(abs(mean), allowed)
    alarms = sum(end < -allowed - noise for end in ends) / len(ends)
    caught = ends[math.ceil(POWER * len(ends)) - 1] + allowed
    return GatePower(alarms, max(caught, 0.0) * factor if caught < math.inf else None)


def of_normal(held: Held, questions: Questions) -> GatePower:
    """How often a gate of sides with queries of their own fails, by the normal distribution of their difference.

    What the rule compares lies as far from every difference as from the one at hand.
    """
    row = held.row
    if not tells(row):
        return GatePower(None, None)
    sums = row["sqlrank_sums"]
    further = held.rule(sums, questions) - sums["difference"]
    if math.isinf(further):
        return GatePower(None, None)
    around_0, allowed = Estimate(0.0, sums["stderr"]), held.allowed + further
    _, most = around_0.ends(2 * (1 - POWER))
    return GatePower(around_0.below(-allowed), max(allowed + (most or 0.0), 0.0), loss_of(row))


def loss_of(row: Row) -> str:
    """What a loss of a row is: a rise where less is better, of which the row is mirrored."""
    return "rise" if row.get("sqlrank_mirrored") else "drop"


def drawn(paired: Paired, seed: int, held: Sequence[Held], number: int, total: bool) -> dict[Key, list[Row]]:
    """The rows of sums of each sample, by pair and segment, of totals or of segments."""
    engine, sums = paired.engine, {each.row["sqlrank_key"]: each.row["sqlrank_sums"] for each in held}
    places = sorted({pair for pair, _ in sums})
    pairs = [paired.pairs[place - 1] for place in places]
    means = [(places.index(pair) + 1, scope, row["difference"]) for (pair, scope), row in sums.items()]
    tables = {base: engine.name(f"gate_{base}") for base in ("means", "numbers")}
    kinds = {"pair": "integer", "scope": "bigint", "difference": "double"}
    engine.load(tables["means"], kinds, [list(column) for column in zip(*means, strict=True)])
    blocks = math.ceil(number / OF_BLOCK)
    numbers = render("comparison/numbers.sql", engine.dialect, count=max(blocks, OF_BLOCK))
    engine.keep(tables["numbers"], numbers)
    relations = {base: sql_text(engine.dialect.ident(name)) for base, name in tables.items()}
    context: dict[str, Any] = {"pairs": pairs, "total": total}
    context |= {"seed": str(seed), "first": 0, "last": blocks, "group": None, "bundles": BUNDLES}
    context |= {"paired": sql_text(paired.table), "scaled": sql_text("scaled"), **relations}
    found: dict[Key, list[Row]] = {}
    for sample in engine.gather([paired.render("resampled_sums", **context)])[0]:
        which = places[sample["pair"] - 1], sample["scope"]
        found.setdefault(which, []).append(sample_of(sample, sums[which]))
    for base in tables:
        engine.drop("table", tables[base])
    return found


def sample_of(sample: Row, observed: Row) -> Row:
    """The row of sums of a sample, with what is known of the metric and the range of its values from all queries."""
    weight, number = sample["weight"], sample["units"]
    moved = sample["residual"] / weight if sample["changed"] else -observed["difference"]
    squares = sample["residuals_squared"] - 2 * moved * sample["products"] + moved**2 * sample["weights_squared"]
    spread = math.sqrt(max(squares, 0.0) * number / (number - 1)) / weight if number > 1 else None
    if not sample["changed"]:
        spread = 0.0
    return {
        "difference": observed["difference"] + moved,
        "effective": weight**2 / sample["weights_squared"],
        "stderr": spread,
        "units": number,
        "changed": sample["changed"],
        "largest": sample["largest"],
        "won": sample["won"] / weight,
        "lost": sample["lost"] / weight,
        **{name: observed[name] for name in ("span", "apart", "is_binary")},
    }


def percent(share: float) -> str:
    """A share of samples, in percent."""
    if share < 1 / SAMPLES[1]:
        return "less than 0.1 %"
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"
