"""The table of trials of `gsb`."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.trials_gsb import SETTINGS, check, trials

EXPERIMENTS = 4_000


def of_verdicts() -> Iterator[str]:
    """The table; AssertionError where a number says more than the verdicts do."""
    yield from ("| verdicts | queries | coverage | errors |", "| :-- | --: | --: | --: |")
    for setting, found in zip(SETTINGS, trials(EXPERIMENTS, 1), strict=True):
        check(setting, found)
        numbers = " | ".join(f"{100 * found[name]:.1f}" for name in ("coverage", "errors"))
        yield f"| {found['data']} | {found['queries']} | {numbers} |"
