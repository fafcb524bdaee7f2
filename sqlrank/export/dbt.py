"""The dbt package: the templates of sql/ as macros, the catalogue as data, and the planning written in dbt's Jinja."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path

from sqlrank.conventions import Conventions
from sqlrank.errors import ResourceError, UsageError
from sqlrank.export.dbt_data import data_macros
from sqlrank.export.dbt_templates import FOLDERS, macros_of
from sqlrank.process.signals import put_off, remains, remove
from sqlrank.sql_files import sql_folder
from sqlrank.version import __version__

STATEMENTS = ("evaluate.sql", "overall.sql", "means.sql")
"""The templates that macros are made of, besides those in folders."""

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
    files = {
        path.relative_to(own).as_posix(): filled(path.read_text(encoding="utf-8"))
        for path in sorted(own.rglob("*"))
        if path.is_file()
    }
    for folder in FOLDERS:
        for path in sorted((sql_folder() / folder).glob("*.sql")):
            if folder or path.name in STATEMENTS:
                name = path.relative_to(sql_folder()).as_posix()
                texts = macros_of(name, path.read_text(encoding="utf-8")).values()
                files[f"macros/templates/{name}"] = "\n".join([f"{{# sql/{name} #}}\n", *texts])
    return files | {f"macros/data/{name}.sql": text for name, text in data_macros().items()}


def filled(text: str) -> str:
    """A text of the package with the version and what the conventions decide."""
    options = {item.name: (item.metadata["help"], item.metadata["choices"] or {}) for item in fields(Conventions)}
    described = {
        name: f"{text}: {', '.join(choices)}" if choices else text for name, (text, choices) in options.items()
    }
    arguments = [f"      - name: {name}\n        description: {json.dumps(text)}" for name, text in described.items()]
    conventions = [f"- `{name}`: {text}" for name, text in described.items()]
    text = text.replace("{version}", __version__).replace("{arguments}", "\n".join(arguments))
    return text.replace("{conventions}", "\n".join(conventions))
