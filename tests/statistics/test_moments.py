"""The moments of a weighted mean: the statement's are those of leaving out one unit after the other."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pytest

from sqlrank.dialects import DUCKDB
from sqlrank.statement.templates import environment
from sqlrank.statistics.moments import Moments, clustered, moments_of

STATEMENT = """{% from "macros/moments.sql" import moments_of %}
with
units as (select * from drawn),

{{ moments_of("units", scope) }}

select * from moments order by all"""


def found(units: Any, scope: list[str]) -> list[Moments]:
    """What the statement says of a table of units."""
    sql = str(environment(DUCKDB).from_string(STATEMENT).render(scope=scope))
    with duckdb.connect() as connection:
        connection.register("drawn", units)
        result = connection.execute(sql)
        names = [column[0] for column in result.description]
        return [moments_of(dict(zip(names, row, strict=True))) for row in result.fetchall()]


def without_each(weight: Any, difference: Any) -> float:
    """The variance of the mean by leaving out each unit, around the mean of all."""
    mean, number = difference.sum() / weight.sum(), len(weight)
    left = [np.delete(difference, place).sum() / np.delete(weight, place).sum() for place in range(number)]
    return float((number - 1) / number * ((np.array(left) - mean) ** 2).sum())


def test_three_units_by_hand() -> None:
    import pyarrow

    (three,) = found(pyarrow.table({"weight": [1.0, 1.0, 2.0], "difference": [1.0, 0.0, 1.0]}), [])
    # the mean is 1/2; without the units 1/3, 2/3 and 1/2
    assert (three.units, three.weight, three.heaviest) == (3, 4.0, 2.0)
    assert three.effective == pytest.approx(16 / 6)
    assert three.squared_moves == pytest.approx(1 / 36 + 1 / 36)
    assert three.stderr == pytest.approx((2 / 3 / 18) ** 0.5)


def test_of_units_that_weigh_alike_it_is_the_standard_error_of_the_mean() -> None:
    import pyarrow

    values = np.random.default_rng(1).normal(size=50)
    (all_of_them,) = found(pyarrow.table({"weight": np.ones(50), "difference": values}), [])
    assert all_of_them.stderr == pytest.approx(values.std(ddof=1) / 50**0.5, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_variance_is_that_of_leaving_out_each_unit(seed: int) -> None:
    import pandas as pd

    random = np.random.default_rng(seed)
    weight = random.lognormal(0, 1, 60)
    units = pd.DataFrame({"weight": weight, "difference": weight * random.normal(size=60)})
    units["scope"] = pd.Series(["one", "another", None])[random.integers(0, 3, 60)].to_numpy()
    groups = [part for _, part in units.groupby("scope", dropna=False)]
    wanted = [without_each(part["weight"].to_numpy(), part["difference"].to_numpy()) for part in groups]

    assert sorted(each.variance for each in found(units, ["scope"])) == pytest.approx(sorted(wanted), rel=1e-9)


def test_a_unit_without_weight_counts_for_nothing_and_one_alone_has_no_standard_error() -> None:
    import pyarrow

    (two,) = found(pyarrow.table({"weight": [3.0, 1.0, 0.0], "difference": [3.0, -1.0, 0.0]}), [])
    assert two.units == 2
    assert two.stderr == pytest.approx(((1 / 2) * (1.5**2 + 0.5**2)) ** 0.5)
    (alone,) = found(pyarrow.table({"weight": [3.0, 0.0], "difference": [3.0, 0.0]}), [])
    assert (alone.units, alone.stderr) == (1, None)


def test_both_ways_is_never_less_than_either() -> None:
    assert clustered(2.0) == 2.0
    assert clustered(2.0, 3.0, 1.0) == 4.0
    assert clustered(2.0, 3.0, 4.0) == 3.0
