"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlrank.evaluation import ranking as rank_plans


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


NOT_OF_RANKS = {
    *("arguments", "cli", "compare", "compare_output", "conditions", "faults", "files", "inputs"),
    *("metric_texts", "python", "streams", "trec_bytes"),
}
"""What is tested where it does not matter how the ranks are found."""


@pytest.fixture(autouse=True)
def _plans_whatever_the_size(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Let small data be ranked by the plans that large data are ranked by."""
    if request.module.__name__.rpartition("test_")[2] not in NOT_OF_RANKS:
        monkeypatch.setattr(rank_plans, "FEW_DOCUMENTS", 0)
