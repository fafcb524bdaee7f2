"""The packages that sqlrank is held against, where they are installed."""

from __future__ import annotations

import importlib
import os
import warnings
from typing import Any

import pytest


def package(name: str) -> Any:
    """A package, or a skip that says what is missing; with SQLRANK_PEERS a failure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError as error:
        if os.environ.get("SQLRANK_PEERS"):
            raise
        pytest.skip(f"NOT COMPARED with {name}: {error}; python -m tests.peer_environments installs it and compares")
