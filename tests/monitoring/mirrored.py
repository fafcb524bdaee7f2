"""The rules of control charts a second time, in NumPy, over families of charts: for simulations, and as a check."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sqlrank.monitoring import rules
from sqlrank.monitoring.rules import Rule

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Days:
    """The daily values of families of charts: families by charts by days."""

    values: Numbers
    queries: Numbers | None = None
    variances: Numbers | None = None
    """The squared standard errors of the values; None for daily values alone."""


@dataclass(frozen=True, slots=True)
class Distances:
    """How far days are from what is expected, in standard deviations: families by charts by days."""

    plain: Numbers
    """Neither cut nor centred."""
    cut: Numbers
    factor: Numbers
    """By what the standard deviation is multiplied, of each chart."""
    correlation: Numbers
    moving: Numbers
    """The deviation of the moving range, in standard deviations, of each chart."""
    single: Numbers
    """By what the standard deviation is multiplied for a single day, of each chart."""


def distances(days: Days, baseline: int, weekly: bool = False) -> Distances:
    """How far the days of each chart are from its baseline; with weekdays looked for where it may have a pattern."""
    values, length = days.values, baseline
    expected = np.broadcast_to(values[..., :length].mean(-1, keepdims=True), values.shape)
    lost, estimated = np.ones(values.shape[:-1]), np.ones(values.shape[:-1])
    if weekly:
        means = np.stack([values[..., day:length:7].mean(-1) for day in range(7)], -1)[
            ..., np.arange(values.shape[-1]) % 7
        ]
        plain, within = (((values - each)[..., :length] ** 2).sum(-1) for each in (expected, means))
        ratio = (plain - within) / 6 * (length - 7) / within
        above, below = 2 / (9 * 6), 2 / (9 * (length - 7))
        deviate = ((1 - below) * np.cbrt(ratio) - 1 + above) / np.sqrt(below * np.cbrt(ratio) ** 2 + above)
        differ = deviate > rules.WEEKLY
        expected = np.where(differ[..., None], means, expected)
        lost, estimated = np.where(differ, 7, lost), np.where(differ, 1 + 7 / length, estimated)
    residuals = values - expected
    base = residuals[..., :length]
    squares = (base**2).sum(-1)
    variance = squares / (length - lost)
    found = (length * (base[..., 1:] * base[..., :-1]).sum(-1) / squares + 1) / (length - 4)
    together = found.mean(-1, keepdims=True)
    correlation = np.maximum(found, together)
    related = np.clip(correlation + rules.MORE_RELATED / math.sqrt(length), 0, rules.MOST_RELATED)
    plain = residuals / np.sqrt(of_days(days, variance, length))
    kept = np.clip(plain, -rules.CUT, rules.CUT)
    kept = kept - kept[..., :length].mean(-1, keepdims=True)
    moves = np.abs(np.diff(base, axis=-1)).sum(-1) * np.sqrt(np.where(lost > 1, length / (length - lost), 1))
    moving = moves / (length - 1) / 1.128 / np.sqrt(variance)
    factor, single = np.sqrt(estimated * (1 + related) / (1 - related)), np.sqrt(estimated * (1 + related))
    return Distances(plain, kept, factor, correlation, moving, single)


def of_days(days: Days, variance: Numbers, length: int) -> Numbers:
    """The variance of each day, of those of the baseline and the standard errors of the days."""
    if days.variances is None or days.queries is None:
        return np.broadcast_to(variance[..., None], days.values.shape)
    spread = (days.variances * days.queries)[..., :length].mean(-1, keepdims=True)
    squared = np.maximum(days.variances, spread / days.queries)
    usual = squared[..., :length].mean(-1)
    found = np.maximum(variance - usual, 0)[..., None] + np.minimum(1, variance / usual)[..., None] * squared
    return np.asarray(found, dtype=np.float64)


def statistics(found: Distances, baseline: int, rule: Rule, charts: int) -> tuple[Numbers, Numbers]:
    """The statistic of each day that is watched, and its limit, in standard deviations where it is a mean."""
    sign = rule.sides[0][1]
    known = rule.context(charts)["rule"]
    ahead = sign * (found.cut / found.factor[..., None])[..., baseline:]
    days = np.arange(1, ahead.shape[-1] + 1)
    end = student(known["reference"], baseline) / math.sqrt(baseline)
    limit = np.full(ahead.shape[-1], rule.limit(charts))
    match rule.method:
        case "e":
            return evidence(ahead - end), limit
        case "cs":
            rho, level = known["squared_rho"], known["level"]
            radius = np.sqrt(2 * (days * rho + 1) / (rho * days**2) * np.log(np.sqrt(days * rho + 1) / level))
            return np.cumsum(ahead, -1) / days, radius + end
        case "cusum":
            sums = np.cumsum(ahead - rules.SLACK, -1)
            return sums - np.minimum(np.minimum.accumulate(sums, -1), 0), limit
        case "ewma":
            smooth = np.zeros_like(ahead)
            last = np.zeros(ahead.shape[:-1])
            for day in range(ahead.shape[-1]):
                last = (1 - rules.SMOOTHING) * last + rules.SMOOTHING * ahead[..., day]
                smooth[..., day] = last
            kept = (1 - rules.SMOOTHING) ** (2 * days)
            spread = rules.SMOOTHING / (2 - rules.SMOOTHING) * (1 - kept)
            return smooth, rules.SIGMAS * np.sqrt(spread + 1 / baseline)
    single = sign * (found.plain / found.factor[..., None] / found.moving[..., None])[..., baseline:]
    return single, limit


def evidence(ahead: Numbers) -> Numbers:
    """The mean of the Shiryaev-Roberts statistics, as they are defined: day by day."""
    rates = np.array(rules.RATES).reshape(-1, *([1] * (ahead.ndim - 1)))
    sums, found = np.zeros((len(rules.RATES), *ahead.shape[:-1])), np.empty_like(ahead)
    for day in range(ahead.shape[-1]):
        sums = np.minimum((1 + sums) * np.exp(rates * ahead[..., day] - rates**2 / 2), 1e290)
        found[..., day] = sums.mean(0)
    return found


def alarms(days: Days, baseline: int, rule: Rule, charts: int, weekly: bool = False) -> NDArray[np.bool_]:
    """Whether each day that is watched alarms: families by charts by days."""
    found, most = distances(days, baseline, weekly), rule.one_day(charts)
    statistic, limit = statistics(found, baseline, rule, charts)
    beyond = statistic >= limit if rule.method in ("e", "cusum") else statistic > limit
    if most is None:
        return np.asarray(beyond)
    alone = rule.sides[0][1] * (found.plain / found.single[..., None])[..., baseline:] > most
    if days.queries is not None:
        alone &= days.queries[..., baseline:] >= rules.FEWEST
    return np.asarray(beyond | alone)


def student(deviate: float, baseline: int) -> float:
    """The quantile of t of that of the normal distribution."""
    return float(stats.t.ppf(stats.norm.cdf(deviate), baseline - 1))
