"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlrank import rank_plans


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _plans_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small data be ranked by the plans that large data are ranked by."""
    monkeypatch.setattr(rank_plans, "FEW_DOCUMENTS", 0)
