"""The dbt package: tests of rankings and of their metrics, for the models that are written and for others."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from sqlrank.errors import ResourceError, UsageError
from sqlrank.process.signals import put_off, remains, remove
from sqlrank.sql_files import sql_folder
from sqlrank.version import __version__

MARK = "# Written by sqlrank dbt"
"""How the project file of a package of ours begins, which may be written over."""


def write_package(folder: str) -> list[str]:
    """Write the dbt package whole into a new or empty folder, or over an older one; returns the files written."""
    target = Path(folder).absolute()
    check_package(target)
    files = package_files()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with put_off():
            made = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
            remains.add(str(made))
        try:
            made.chmod(0o777 & ~umask())
            for name, text in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            with put_off():
                replace(made, target)
        finally:
            remove(str(made))
    except OSError as error:
        raise ResourceError(f"{folder} cannot be written: {error.strerror or error}") from error
    return sorted(files)


def check_package(target: Path) -> None:
    """Raise UsageError if a folder holds files that would be lost."""
    if not target.exists():
        return
    if not target.is_dir() or target.is_symlink():
        raise UsageError(f"{target} is not a folder; name a new one for the dbt package")
    if Path.cwd().is_relative_to(target.resolve()):
        raise UsageError(f"{target} is the folder you are in; name a folder inside it for the dbt package")
    project = target / "dbt_project.yml"
    ours = project.is_file() and project.read_text(encoding="utf-8", errors="replace").startswith(MARK)
    if any(target.iterdir()) and not ours:
        raise UsageError(f"{target} is not empty and holds no dbt package of sqlrank; name a new folder")


def replace(made: Path, target: Path) -> None:
    """Put a folder in the place of another one, which comes back if that fails."""
    old = made.with_name(f"{made.name}-old")
    if target.exists():
        target.rename(old)
    try:
        made.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def umask() -> int:
    """The permissions that new files of this process do not get."""
    current = os.umask(0)
    os.umask(current)
    return current


def package_files() -> dict[str, str]:
    """The text of every file of the package, by its path."""
    own = sql_folder() / "dbt"
    return {
        path.relative_to(own).as_posix(): path.read_text(encoding="utf-8").replace("{version}", __version__)
        for path in sorted(own.rglob("*"))
        if path.is_file()
    }
