"""How many examples hypothesis makes up: few by default, SQLRANK_EXAMPLES times as many where that is set."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("SQLRANK_EXAMPLES", "1"))


def examples(number: int) -> settings:
    """Settings for so many examples, of which each may take its time and finds the folder as the last one left it."""
    return settings(
        max_examples=number * TIMES,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
