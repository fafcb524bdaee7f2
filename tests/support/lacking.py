"""Failures in words: which file to open, and what to write there."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def none_lacks(names: Iterable[str], words: str) -> None:
    """Fail with a line for each name, which stands wherever the words have `{}`; pass where there is no name."""
    if lines := [words.replace("{}", name) for name in sorted(names)]:
        pytest.fail("\n".join(lines), pytrace=False)
