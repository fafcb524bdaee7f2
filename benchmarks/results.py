"""The figures that were measured, in one JSON file with a section for each measurement."""

from __future__ import annotations

import datetime
import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from settings import Settings
from tools import HERE

OWN_PACKAGES = ("duckdb", "jinja2", "typer", "matplotlib")


def load(file: Path) -> dict[str, Any]:
    """All sections measured so far."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def save(settings: Settings, section: str, figures: dict[str, Any], part: str | None = None) -> None:
    """Replace a section, or a part of one, and leave the others as they are."""
    sections = load(settings.results)
    stamped = {"date": today(), "scale": settings.scale, "runs": settings.runs, "machine": machine()} | figures
    if part is None:
        sections[section] = stamped
    else:
        sections.setdefault(section, {})[part] = stamped
    found = sections.get("versions", {}) | own_versions()
    sections["versions"] = found | settings.environments.peer_versions(settings.chosen_peers)
    settings.results.parent.mkdir(parents=True, exist_ok=True)
    settings.results.write_text(json.dumps(sections, indent=2) + "\n", encoding="utf-8")


def today() -> str:
    """The date."""
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def machine() -> dict[str, Any]:
    """What it was measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "usable_cores": usable,
        "memory_gb": round(memory / 1e9, 1),
    }


def processor() -> str:
    """The name of the processor, where the system tells it."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")


def own_versions() -> dict[str, str]:
    """The versions of sqlrank and of what it stands on."""
    found = {"sqlrank": sqlrank_version(), "python": platform.python_version()}
    for package in OWN_PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def sqlrank_version() -> str:
    """The version of the sources beside the benchmarks."""
    text = (HERE.parent / "sqlrank" / "version.py").read_text(encoding="utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0] or "unknown"
