"""scipy.stats, an extra."""

from __future__ import annotations

from typing import Any

from sqlrank.errors import UsageError


def scipy_stats(test: str) -> Any:
    """Import scipy.stats, which a test needs; UsageError if it is not installed."""
    try:
        from scipy import stats
    except ImportError as error:
        raise UsageError(f"--test {test} needs scipy: pip install 'sqlrank[stats]'") from error
    return stats
