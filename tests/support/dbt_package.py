"""The dbt package for tests: its macros in a plain Jinja in the place of dbt's, and projects for dbt itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

from sqlrank.export.dbt import package_files, write_package
from tests.support.components import program
from tests.support.postgres import Server

HINT = "pip install 'dbt-core<1.12' dbt-duckdb dbt-postgres in an environment of its own and name its dbt"


class ReturnedError(Exception):
    """What dbt's `return` is: the value of a macro, thrown."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class RefusedError(Exception):
    """What dbt's `exceptions.raise_compiler_error` throws."""


def return_(value: Any) -> NoReturn:
    """End a macro with a value."""
    raise ReturnedError(value)


def refuse(text: str) -> NoReturn:
    """End everything."""
    raise RefusedError(text)


@cache
def macros() -> Template:
    """Every macro of the package in one template."""
    texts = (text for name, text in package_files().items() if name.startswith("macros/") and name.endswith(".sql"))
    made = SandboxedEnvironment(extensions=["jinja2.ext.do"], undefined=StrictUndefined)
    return made.from_string("\n".join(texts))


class Package:
    """The macros of the package for one adapter, as attributes."""

    def __init__(self, adapter: str) -> None:
        context = {
            "sqlrank": self,
            "target": {"type": adapter},
            "return": return_,
            "exceptions": {"raise_compiler_error": refuse},
            "modules": {"re": {name: getattr(re, name) for name in re.__all__}},
            "adapter": {"dispatch": self.dispatch},
            "execute": True,
            "fromjson": json.loads,
        }
        self.adapter = adapter
        self.module = macros().make_module(context)

    def __getattr__(self, name: str) -> Any:
        macro = getattr(self.module, name)

        def call(*values: Any, **named: Any) -> Any:
            try:
                return macro(*values, **named)
            except ReturnedError as returned:
                return returned.value

        return call

    def dispatch(self, name: str, package: str) -> Callable[..., Any]:
        """The macro of a name for this adapter, or the default one."""
        found: Callable[..., Any] = getattr(self, f"default__{name}")
        return found


@cache
def package(adapter: str) -> Package:
    """The macros for one adapter."""
    return Package(adapter)


def jinja(value: Any) -> str:
    """A value as it is written in Jinja, which reads Python's texts and numbers."""
    return "none" if value is None else repr(value)


def call(macro: str, run: Any, qrels: Any, metrics: Any, options: dict[str, Any]) -> str:
    """The call of a macro as a model writes it."""
    named = {"run": run, "qrels": qrels, "metrics": metrics} | options
    return f"{{{{ sqlrank.{macro}({', '.join(f'{name}={jinja(value)}' for name, value in named.items())}) }}}}\n"


def dbt(folder: Path, *arguments: str, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run dbt in a project that brings its profiles."""
    command = [program("dbt", HINT, "SQLRANK_DBT"), *arguments, "--profiles-dir", str(folder)]
    quiet = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_USE_COLORS": "false"}
    return subprocess.run(
        command, cwd=folder, env=os.environ | quiet | dict(variables), capture_output=True, text=True, check=False
    )


def profiles(name: str, folder: Path, server: Server | None = None) -> str:
    """The connections of a project."""
    outputs: dict[str, Any] = {"duckdb": {"type": "duckdb", "path": str(folder / "dev.duckdb"), "threads": 1}}
    if server is not None:
        outputs["postgres"] = {
            "type": "postgres",
            "host": server.host,
            "port": server.port,
            "user": server.user,
            "password": "",
            "dbname": server.database,
            "schema": "public",
            "threads": 1,
        }
    return json.dumps({name: {"target": "duckdb", "outputs": outputs}})


def project(folder: Path, models: dict[str, str], server: Server | None = None) -> None:
    """A project of these models, with the package installed."""
    (folder / "models").mkdir(parents=True)
    for name, text in models.items():
        (folder / "models" / f"{name}.sql").write_text(text, encoding="utf-8")
    settings = {
        "name": "requests",
        "version": "1.0",
        "profile": "requests",
        "flags": {"send_anonymous_usage_stats": False},
    }
    (folder / "dbt_project.yml").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "profiles.yml").write_text(profiles("requests", folder, server), encoding="utf-8")
    write_package(str(folder / "dbt_packages" / "sqlrank"))
