"""The options of models of dbt."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, TypedDict

from sqlrank.options.declared import flag, option
from sqlrank.options.kinds import DAY, NUMBERS, WHOLE


class DbtModels(TypedDict, total=False):
    """What is written into a project of dbt."""

    model: Annotated[
        str | None,
        option(
            "NAME",
            "Name of the model",
            shown="that of the evaluation, or of RUN with _quality",
            flags="--name",
            common=True,
        ),
    ]
    incremental: Annotated[
        str | None,
        option(
            "COLUMN",
            "Incremental model: each run adds the partitions of RUN, by this column, that it does not hold, or makes "
            "the one of the variable sqlrank_partition anew",
            common=True,
        ),
    ]
    begin: Annotated[
        date | None,
        option(
            "DATE",
            "With {incremental}: the first day of a model of dbt's strategy microbatch, which makes the days that dbt "
            "run is told, today and yesterday by default",
            DAY,
        ),
    ]
    check: Annotated[
        bool, flag("Write nothing; exit with code 4 where a file is not what would be written", common=True)
    ]
    package: Annotated[bool, flag("Instead, write the package of tests that gates need into DIR")]


class DbtGates(TypedDict, total=False):
    """Gates that become tests."""

    fail_under: Annotated[
        Mapping[str, float],
        option(
            "METRIC=VALUE", "Test that fails if the mean of a system is below VALUE; repeatable", NUMBERS, common=True
        ),
    ]
    fail_on_drop: Annotated[
        Mapping[str, float],
        option(
            "METRIC=VALUE",
            "Test that fails where the mean of a system is below that of {against} by more than VALUE; repeatable",
            NUMBERS,
        ),
    ]
    against: Annotated[str | None, option("SYSTEM", "System that {fail_on_drop} holds the others against")]


class DbtCharts(TypedDict, total=False):
    """Control charts that become a model."""

    monitor: Annotated[
        bool,
        flag(
            "Also a model of control charts, as of monitor, and a test that fails where one is in alarm on its last "
            "day",
            common=True,
        ),
    ]
    day: Annotated[str | None, option("COLUMN", "Column of the days", shown="that of {incremental}")]
    charts: Annotated[
        int | None,
        option("N", "How many charts share the rate of false alarms; needed with {by} and with several systems", WHOLE),
    ]
