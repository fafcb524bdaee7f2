"""The page for those who come from ranx shows what ranx gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.recipes.pages import RECIPES, blocks, write_files
from tests.support.peers import package

PAGE = RECIPES / "from-ranx.md"


def test_the_page_shows_the_values_of_ranx_and_the_same_ones_of_ours(tmp_path: Path) -> None:
    package("ranx")
    write_files(PAGE, tmp_path)
    done = subprocess.run(
        [sys.executable, "theirs.py"], cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    found = blocks(PAGE)
    (place,) = [number for number, block in enumerate(found) if block.file == "theirs.py"]
    theirs, ours = found[place + 1 : place + 3]

    assert theirs.body == done.stdout
    assert ours.printed is not None
    assert ours.printed.body == done.stdout
