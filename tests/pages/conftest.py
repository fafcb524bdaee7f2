"""The site, built as it is published, and a browser that opens it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.blocks import ROOT
from tests.support.browser import chromium, served
from tests.support.components import package

SITE = ROOT / "site"


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built as it is published."""
    package("zensical", "site")
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "site")],
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return SITE


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where a server of this machine shows the site."""
    with served(site) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found
