"""The files that recipes tell their reader to write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.recipes.pages import RECIPES

PAGES = sorted(RECIPES.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_file_is_named_where_its_reader_sees_it(page: Path) -> None:
    for name, fence in re.findall(r"<!-- file: (\S+) -->\n(.*)\n", page.read_text(encoding="utf-8")):
        assert fence.endswith(f' title="{name}"'), (name, fence)
