"""Real components that tests need: servers, engines and tools that not every machine has.

Without one the tests that need it are skipped with the reason. Where SQLRANK_COMPONENTS is set, as in `.ci/run`, a
missing one is a failure.
"""

from __future__ import annotations

import importlib
import os
import shutil
import warnings
from typing import Any, NoReturn

import pytest


def absent(what: str, hint: str) -> NoReturn:
    """Skip for want of a component, or fail where all of them must be there."""
    reason = f"{what} is not here; {hint} (with SQLRANK_COMPONENTS set this is a failure)"
    if os.environ.get("SQLRANK_COMPONENTS"):
        pytest.fail(reason)
    pytest.skip(reason)


def package(name: str, extra: str) -> Any:
    """A package, which an extra of the project brings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError as error:
        absent(f"{name} ({error})", f"pip install 'sqlrank[{extra}]'")


def program(name: str, hint: str, variable: str | None = None) -> str:
    """The path of a program, which an environment variable may name."""
    found = (os.environ.get(variable) if variable else None) or shutil.which(name)
    if found is None:
        absent(name, hint)
    return found
