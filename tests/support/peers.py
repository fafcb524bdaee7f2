"""The packages that sqlrank is held against, where they are installed."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest


def package(name: str) -> Any:
    """A package, or a skip that says what is missing; `.ci/run` fails where a test was skipped in every environment."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"NOT COMPARED with {name}: {error}; python -m tests.peer_environments installs it and compares")
