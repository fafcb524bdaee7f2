"""Print the versions of packages in the environment of this interpreter: versions.py PACKAGE..."""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version


def installed(package: str) -> str | None:
    """The version of a package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


print(json.dumps({package: installed(package) for package in sys.argv[1:]}))
