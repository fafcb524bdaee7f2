"""Tests that read as tables: one test asks all rows, and names every row that fails."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest


def hold(cases: Mapping[str, Any] | Iterable[Any], check: Callable[[Any], object]) -> None:
    """Ask each row of a table, and fail with the name of each that failed, what it said and where.

    The rows of a mapping have the names that they have there, others their own text.
    """
    named = list(cases.items()) if isinstance(cases, Mapping) else [(str(case), case) for case in cases]
    assert named, "the table has no rows"
    failed = {}
    for name, case in named:
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            failed[name] = "".join(traceback.format_exception(error, limit=-2))
    told = "\n".join(f"[{name}]\n{said}" for name, said in failed.items())
    assert not failed, f"{len(failed)} of {len(named)} rows failed: {', '.join(failed)}\n{told}"


def each(cases: Mapping[str, Any] | Iterable[Any]) -> Callable[[Callable[[Any], object]], Callable[[], None]]:
    """Make a test of what is to hold for each row of a table."""

    def decorated(check: Callable[[Any], object]) -> Callable[[], None]:
        def test() -> None:
            hold(cases, check)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated
