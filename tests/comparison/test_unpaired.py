"""Systems of different queries: by hand, against scipy and statsmodels, and at the limit against pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import statsmodels.api as sm
from scipy import stats

import sqlrank
from tests.support.cli_helper import completed, run_cli
from tests.support.comparisons import METRIC
from tests.support.tables import each, hold

WORDS = ("two-sided", "greater", "less")

Values = Mapping[str, float]
"""The value of `METRIC` by query."""


def given(**arms: Values) -> dict[str, Any]:
    """Runs by system and judgments of arms with these values."""
    judgments: dict[str, dict[str, float]] = {}
    for system, values in arms.items():
        for query, value in values.items():
            judgments.setdefault(query, {"nothing": 0.0})[system] = value
    return {"systems": {s: {q: {s: 1.0} for q in values} for s, values in arms.items()}, "qrels": judgments}


def compared(options: Mapping[str, Any] | None = None, **arms: Values) -> sqlrank.Comparison:
    """The comparison of arms, the first the baseline."""
    return sqlrank.compare(**given(**arms), metrics=METRIC, paired=False, **(options or {}))


def row(options: Mapping[str, Any] | None = None, **arms: Values) -> dict[str, Any]:
    """The only row of such a comparison."""
    with compared(options, **arms) as comparison:
        return comparison[METRIC]


def drawn(seed: int, alone: Sequence[int], shared: int = 0, gain: float = 0.0) -> tuple[Values, Values]:
    """Values of so many queries of each side alone, and of both, whose values are alike."""
    random = np.random.default_rng(seed)
    one = {f"a{number}": random.beta(2, 3) for number in range(alone[0])}
    other = {f"b{number}": 1.5 * random.beta(2, 3) + gain for number in range(alone[1])}
    for number in range(shared):
        level = random.beta(2, 3)
        one[f"s{number}"], other[f"s{number}"] = level + random.random() / 9, level + random.random() / 9 + gain
    return one, other


def listed(values: Values) -> list[float]:
    """The values alone."""
    return list(values.values())


def welch(one: Any, other: Any, axis: int) -> Any:
    """Welch's t."""
    return stats.ttest_ind(one, other, equal_var=False, axis=axis).statistic


def together(cases: Sequence[tuple[Values, Values]], **options: Any) -> list[dict[str, Any]]:
    """The rows of several such comparisons as segments of one, without a correction."""
    sides: tuple[dict[str, float], dict[str, float]] = ({}, {})
    case_of: dict[str, str] = {}
    for number, case in enumerate(cases):
        for side, values in zip(sides, case, strict=True):
            side.update({f"{number} {query}": value for query, value in values.items()})
            case_of.update(dict.fromkeys((f"{number} {query}" for query in values), f"case {number}"))
    options |= {"by": "case", "correction": "none", **tables(*sides, case=case_of)}
    with compared(options, a=sides[0], b=sides[1]) as found:
        return [found.row_of(METRIC, case=f"case {number}") for number in range(len(cases))]


@each(WORDS)
def test_different_queries_are_compared_by_the_test_of_welch(word: str) -> None:
    cases = [drawn(seed, (7 + 20 * seed, 40), gain=0.1) for seed in range(4)]
    for (one, other), found in zip(cases, together(cases, test="t", alternative=word), strict=True):
        theirs = stats.ttest_ind(listed(other), listed(one), equal_var=False, alternative=word)
        confidence = 0.95 if word == "two-sided" else 0.9
        interval = stats.ttest_ind(listed(other), listed(one), equal_var=False).confidence_interval(confidence)
        assert found["p_value"] == pytest.approx(theirs.pvalue, rel=1e-9)
        assert (found["ci_low"], found["ci_high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)
        assert (found["baseline_queries"], found["queries"], found["shared_queries"]) == (len(one), 40, 0)
        assert (found["wins"], found["ties"], found["losses"], found["delta_gsb"]) == (0, 0, 0, None)


@each(WORDS)
def test_labels_of_few_queries_are_all_tried_as_scipy_does(word: str) -> None:
    cases = [drawn(sum(sizes), sizes, gain=0.2) for sizes in ((3, 5), (2, 9), (8, 8), (6, 4))]
    for (one, other), found in zip(cases, together(cases, alternative=word), strict=True):
        theirs = stats.permutation_test((listed(other), listed(one)), welch, n_resamples=np.inf, alternative=word)
        assert found["test"] == "randomization-exact"
        far = np.abs(theirs.null_distribution) >= abs(theirs.statistic) * (1 - 1e-9)
        wanted = far.mean() if word == "two-sided" else theirs.pvalue
        assert found["p_value"] == pytest.approx(wanted, abs=1e-12)


def test_labels_of_many_queries_are_drawn_as_scipy_draws_them() -> None:
    one, other = drawn(5, (30, 90), gain=-0.12)
    found = row({"replicates": 100_000}, a=one, b=other)
    theirs = stats.permutation_test((listed(other), listed(one)), welch, n_resamples=20_000, rng=1)
    assert found["p_value"] == pytest.approx(theirs.pvalue, abs=0.012)


def test_choices_of_labels_with_queries_of_both_sides_exchange_their_values() -> None:
    one, other = drawn(3, (3, 4), shared=3, gain=0.4)
    lone = [one[f"a{place}"] for place in range(3)] + [other[f"b{place}"] for place in range(4)]
    observed, found = abs(by_hand(one, other)[0]), []
    for label, swaps in product(range(2**7), range(2**3)):
        if label.bit_count() == 4:
            sides: tuple[dict[str, float], dict[str, float]] = ({}, {})
            for place, value in enumerate(lone):
                sides[label >> place & 1][f"l{place}"] = value
            for place in range(3):
                first, second = (0, 1) if swaps >> place & 1 else (1, 0)
                sides[first][f"s{place}"], sides[second][f"s{place}"] = one[f"s{place}"], other[f"s{place}"]
            found.append(abs(by_hand(*sides)[0]) >= observed * (1 - 1e-9))
    assert row(a=one, b=other)["p_value"] == pytest.approx(np.mean(found), abs=1e-12)


def by_hand(one: Values, other: Values) -> tuple[float, float, float]:
    """t, the standard error and the degrees of freedom, of values of equal weight."""
    moved: dict[str, float] = {}
    for sign, values in ((-1, one), (1, other)):
        mean, number = float(np.mean(listed(values))), len(values)
        for query, value in values.items():
            moved[query] = moved.get(query, 0.0) + sign * (value - mean) / math.sqrt(number * (number - 1))
    parts = [one.keys() - other.keys(), other.keys() - one.keys(), one.keys() & other.keys()]
    variances = [sum(moved[query] ** 2 for query in part) for part in parts]
    weights = [{q: (q in one) / len(one) + (q in other) / len(other) for q in part} for part in parts]
    sizes = [sum(w.values()) ** 2 / sum(v**2 for v in w.values()) if w else 1.0 for w in weights]
    degrees = sum(variances) ** 2 / sum(
        v**2 / max(size - 1, 0.5) for v, size in zip(variances, sizes, strict=True) if v
    )
    error = math.sqrt(sum(variances))
    return float(np.mean(listed(other)) - np.mean(listed(one))) / error, error, degrees


def test_queries_of_both_sides_count_by_their_covariance() -> None:
    cases = [drawn(seed, (20, 12), shared=15) for seed in range(3)]
    for (one, other), found in zip(cases, together(cases, test="t"), strict=True):
        t, error, degrees = by_hand(one, other)
        variances = [np.var(listed(values), ddof=1) / len(values) for values in (one, other)]
        assert found["sqlrank_sums"]["stderr"] == pytest.approx(error, rel=1e-9)
        assert found["p_value"] == pytest.approx(2 * stats.t.sf(abs(t), degrees), rel=1e-9)
        assert error < math.sqrt(sum(variances))
        assert found["shared_queries"] == 15 == found["wins"] + found["ties"] + found["losses"]


def test_the_same_queries_are_compared_one_by_one_and_nearly_the_same_nearly_so() -> None:
    one, other = drawn(1, (0, 0), shared=40, gain=0.02)
    with compared(a=one, b=other) as comparison, sqlrank.compare(**given(a=one, b=other), metrics=METRIC) as pairs:
        assert comparison.rows.fetchall() == pairs.rows.fetchall()
        assert any("the same queries" in note for note in comparison.notes)
    one, other = drawn(1, (0, 0), shared=400, gain=0.01)
    pairs = stats.ttest_rel(listed(other), listed(one)).pvalue
    assert row({"test": "t"}, a={**one, "alone": 0.4}, b=other)["p_value"] == pytest.approx(pairs, rel=0.2)


def tables(one: Values, other: Values, **columns: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a comparison with a table of queries."""
    queries = list(dict.fromkeys([*one, *other]))
    table = {"query_id": queries} | {name: [values[query] for query in queries] for name, values in columns.items()}
    return {"queries": pa.table(table)}


def left_out(one: Values, other: Values, group: Mapping[str, str], weight: Mapping[str, float]) -> float:
    """The standard error by leaving out each group of queries in turn."""

    def mean(values: Values, without: str | None = None) -> float:
        kept = [query for query in values if group[query] != without]
        return sum(weight[query] * values[query] for query in kept) / sum(weight[query] for query in kept)

    moved: dict[str, float] = {}
    for sign, values in ((1, one), (-1, other)):
        groups = {group[query] for query in values}
        for left in groups:
            share = math.sqrt((len(groups) - 1) / len(groups))
            moved[left] = moved.get(left, 0.0) + sign * share * (mean(values, left) - mean(values))
    return math.sqrt(sum(value**2 for value in moved.values()))


@each([0, 9])
def test_weights_count_as_where_each_query_is_left_out(shared: int) -> None:
    one, other = drawn(2, (14, 18), shared=shared)
    random = np.random.default_rng(9)
    weight = {query: float(random.integers(1, 9)) for query in [*one, *other]}
    found = row({"test": "t", "weight": "weight", **tables(one, other, weight=weight)}, a=one, b=other)
    means = [np.average(listed(values), weights=[weight[query] for query in values]) for values in (one, other)]
    assert found["difference"] == pytest.approx(means[1] - means[0], rel=1e-12)
    wanted = left_out(one, other, {query: query for query in weight}, weight)
    assert found["sqlrank_sums"]["stderr"] == pytest.approx(wanted, rel=1e-9)


def clustered(seed: int, shared: bool) -> tuple[Values, Values, dict[str, str]]:
    """Queries of users, of whom those of either side are others, or the same."""
    random = np.random.default_rng(seed)
    sides: tuple[dict[str, float], dict[str, float]] = ({}, {})
    user_of = {}
    for user in range(24):
        for number in range(int(random.integers(1, 7))):
            side = int(random.integers(2)) if shared else user % 2
            query = f"u{user}q{number}"
            sides[side][query], user_of[query] = random.random() + user / 24, f"user {user}"
    return *sides, user_of


def test_clusters_of_one_side_each_are_those_of_statsmodels() -> None:
    one, other, user = clustered(3, shared=False)
    found = row({"test": "t", "cluster": "user", **tables(one, other, user=user)}, a=one, b=other)
    queries, arm = [*one, *other], [0.0] * len(one) + [1.0] * len(other)
    groups = [int(user[query].split()[1]) for query in queries]
    model = sm.OLS([*one.values(), *other.values()], sm.add_constant(np.array(arm)))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    assert found["difference"] == pytest.approx(fit.params[1], rel=1e-9)
    assert found["sqlrank_sums"]["linear_error"] == pytest.approx(fit.bse[1], rel=1e-9)


@each([False, True])
def test_clusters_are_left_out_whole(shared: bool) -> None:
    one, other, user = clustered(4, shared)
    found = row({"test": "t", "cluster": "user", **tables(one, other, user=user)}, a=one, b=other)
    wanted = left_out(one, other, user, dict.fromkeys(user, 1.0))
    assert found["sqlrank_sums"]["stderr"] == pytest.approx(wanted, rel=1e-9)


def test_two_values_have_the_interval_of_agresti_and_caffo() -> None:
    one, other = ({f"{s}{n}": float(n < wins) for n in range(20)} for s, wins in (("a", 0), ("b", 3)))
    found = row(a=one, b=other)
    shares = (0 + 1) / 22, (3 + 1) / 22
    half = 1.959963984540054 * math.sqrt(sum(share * (1 - share) / 22 for share in shares))
    centre = shares[1] - shares[0]
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((centre - half, centre + half), rel=1e-9)


def test_the_effect_is_a_share_of_the_pooled_standard_deviation() -> None:
    one, other = drawn(8, (20, 35), gain=0.3)
    pooled = (19 * np.var(listed(one), ddof=1) + 34 * np.var(listed(other), ddof=1)) / 53
    found = row(a=one, b=other)
    assert found["effect_size"] == pytest.approx(found["difference"] / math.sqrt(pooled), rel=1e-9)


@each([0, 30])
def test_the_bootstrap_draws_queries_of_both_sides_together(shared: int) -> None:
    one, other = drawn(6, (40, 60), shared=shared)
    _, error, _ = by_hand(one, other)
    found, again = (row({"test": "bootstrap", **more}, a=one, b=other) for more in ({}, {"threads": 1}))
    assert found["ci_high"] - found["ci_low"] == pytest.approx(2 * 1.98 * error, rel=0.06)
    names = ("ci_low", "ci_high", "p_value")
    assert [found[name] for name in names] == pytest.approx([again[name] for name in names], rel=1e-13)


def test_a_segment_is_compared_as_if_it_stood_alone() -> None:
    one, other = drawn(7, (25, 30), shared=8)
    country = {query: "de" if place % 3 else "fr" for place, query in enumerate(dict.fromkeys([*one, *other]))}
    with compared({"by": "country", **tables(one, other, country=country)}, a=one, b=other) as comparison:
        of_segment = comparison.row_of(METRIC, country="fr")
        total = comparison[METRIC]
    alone = row(a=one, b=other)
    sides = ({query: value for query, value in values.items() if country[query] == "fr"} for values in (one, other))
    by_itself = row(**dict(zip("ab", sides, strict=True)))
    for found, wanted in ((total, alone), (of_segment, by_itself)):
        names = ("difference", "ci_low", "ci_high", "p_value", "queries", "baseline_queries", "shared_queries")
        assert [found[name] for name in names] == pytest.approx([wanted[name] for name in names], rel=1e-9)


def test_a_query_may_be_in_other_segments_on_the_other_side(tmp_path: Path) -> None:
    files = [tmp_path / f"{system}.parquet" for system in ("old", "new")]
    for number, file in enumerate(files):
        devices = ["phone" if place % (2 + number) else "desk" for place in range(12)]
        rows = [f"{file.stem},q{place},d,1,{(place + number) % 3},{device}" for place, device in enumerate(devices)]
        file.with_suffix(".csv").write_text("\n".join(["system,query_id,doc_id,score,relevance,device", *rows]))
        completed("eval", file.with_suffix(".csv"), "-m", METRIC, "--by", "device", "--per-query", file)
    with sqlrank.compare(files, None, METRIC, by="device", paired=False) as comparison:
        assert comparison[METRIC]["shared_queries"] == 12
        assert {row["device"] for row in comparison.all_rows} == {None, "desk", "phone"}


def test_what_is_of_pairs_alone_is_refused_with_a_way_on() -> None:
    def check(case: tuple[dict[str, Any], str]) -> None:
        options, said = case
        with pytest.raises(sqlrank.UsageError, match=said):
            compared(options, a={"p": 1.0, "q": 0.5}, b={"r": 1.0, "s": 0.2})

    cases: list[tuple[dict[str, Any], str]] = [
        ({"test": "wilcoxon"}, "choose randomization, t, bootstrap"),
        ({"test": "sign"}, "choose randomization, t, bootstrap"),
        ({"correction": "max-t"}, "choose holm"),
        ({"query_set": "judged"}, "query_set='run'"),
        ({"bounds": True}, "eval bounds="),
    ]
    hold(cases, check)
    with pytest.raises(sqlrank.DataError, match="paired=False"):
        sqlrank.compare(**given(a={"p": 1.0}, b={"r": 1.0}), metrics=METRIC)


def test_one_query_on_a_side_and_sides_that_are_one_constant_tell_nothing_of_their_spread() -> None:
    found = row(a={"p": 1.0}, b={f"r{place}": place / 9 for place in range(9)})
    assert (found["ci_low"], found["p_value"]) == (None, None)
    assert found["difference"] == pytest.approx(4 / 9 - 1)
    found = row(a=dict.fromkeys("pqr", 0.5), b=dict.fromkeys("stu", 0.5))
    assert (found["difference"], found["p_value"], found["ci_low"]) == (0, 1.0, None)


def test_every_query_of_either_side_is_among_the_rows_and_sums_are_compared_by_their_means() -> None:
    one, other = drawn(2, (3, 4), shared=2)
    with compared(a=one, b=other) as comparison:
        rows = comparison.per_query.fetchall()
        assert len(rows) == 9
        assert [row[-1] is None for row in rows].count(False) == 2
        assert len(comparison.movers().fetchall()) == 2
    one, other = drawn(1, (5, 9))
    with sqlrank.compare(**given(a=one, b=other), metrics="num_ret", paired=False) as comparison:
        assert comparison["num_ret"]["value"] == 1.0
        assert any("its mean over queries is compared" in note for note in comparison.notes)


def test_all_pairs_margins_and_power_are_as_of_pairs() -> None:
    one, other = drawn(4, (60, 50), gain=-0.1)
    third, _ = drawn(14, (40, 2))
    third = {f"c{query}": value for query, value in third.items()}
    options = {"all_pairs": True, "margins": {METRIC: 0.2}}
    with compared(options, a=one, b=other, c=third) as comparison:
        assert [(row["baseline"], row["system"]) for row in comparison.all_rows] == [("a", "b"), ("a", "c"), ("b", "c")]
        first = comparison.all_rows[0]
        assert 0 < first["p_not_worse"] < 0.5
        needed = first["queries_needed"]
        plan = comparison.power([needed, 100, 400]).fetchall()
        wide = {(line[0], line[1], line[3]): line[4] for line in plan}
        assert wide["b", "a", 100] == pytest.approx(2 * wide["b", "a", 400], rel=0.03)
        assert wide["b", "a", needed] == pytest.approx(abs(first["difference"]), rel=0.03)
        assert len(comparison.standings) == 3


def test_gates_and_json_take_arms_at_the_command_line(tmp_path: Path) -> None:
    one, other = drawn(9, (30, 40), gain=-0.3)
    lines = ["system,query_id,doc_id,score,relevance"]
    for system, values in (("old", one), ("new", other)):
        lines += [f"{system},{query},d,1,{value}" for query, value in values.items()]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    command = ["compare", str(tmp_path / "log.csv"), "--baseline", "old", "-m", METRIC, "--unpaired"]
    table = run_cli(*command, "--fail-on-drop", f"{METRIC}=0.001")
    assert table.code == 4
    assert "n = 30 queries of the baseline, 40 of the candidate, 0 in both" in table.out
    assert "whose difference is normal" in table.out
    assert '"baseline_queries": 30' in run_cli(*command, "--format", "json").out
