"""scipy.stats, an extra."""

from __future__ import annotations

from typing import Any

from sqlrank.errors import UsageError


def scipy_stats() -> Any:
    """Import scipy.stats, which Wilcoxon's test needs; UsageError if it is not installed."""
    try:
        from scipy import stats
    except ImportError as error:
        raise UsageError("--test wilcoxon needs scipy: pip install 'sqlrank[stats]'") from error
    return stats
