"""Projects for dbt, and a plain Jinja in the place of dbt's."""

from __future__ import annotations

import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from sqlrank.export.dbt_package import write_package
from tests.support.components import program
from tests.support.postgres import Server

HINT = "pip install 'dbt-core<1.12' dbt-duckdb dbt-postgres in an environment of its own and name its dbt"


def rendered(
    text: str,
    first: bool = True,
    partition: str | None = None,
    config: Callable[..., object] = lambda **_: None,
    query: Callable[[str], list[Any]] = lambda _: [],
    variables: Mapping[str, Any] = MappingProxyType({}),
    refresh: bool = False,
    said: Callable[[str], object] = print,
) -> str:
    """What dbt makes of a model at the `first` run or a later one, with a plain Jinja in its place.

    `query` gives the values of a query with one column, and `said` is what is logged.
    """
    asked = dict(variables) | ({} if partition is None else {"sqlrank_partition": partition})

    def refused(text: str) -> None:
        raise ValueError(text)

    def found(text: str) -> SimpleNamespace:
        return SimpleNamespace(columns=[SimpleNamespace(values=lambda: query(text))])

    words = {
        "ref": lambda *names: names[-1],
        "source": lambda source, table: f"{source}.{table}",
        "config": lambda **given: config(**given) or "",
        "var": lambda name, default=None: asked.get(name, default),
        "is_incremental": lambda: not (first or refresh),
        "execute": True,
        "adapter": SimpleNamespace(get_relation=lambda *_: None if first else "this_table"),
        "graph": SimpleNamespace(nodes=defaultdict(lambda: SimpleNamespace(database="", schema="", alias=""))),
        "project_name": "requests",
        "flags": SimpleNamespace(FULL_REFRESH=refresh),
        "exceptions": SimpleNamespace(raise_compiler_error=refused),
        "log": lambda text, info: said(text) or "",
        "dbt": SimpleNamespace(escape_single_quotes=lambda text: text.replace("'", "''")),
        "run_query": found,
        "invocation_id": "this_run",
        "this": Named("this_table"),
    }
    made = SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True, extensions=["jinja2.ext.do"])
    return made.from_string(text).render(words)


class Named(str):
    """A relation with the parts of its name."""

    database = schema = identifier = ""


def dbt(folder: Path, *arguments: str, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run dbt in a project that brings its profiles."""
    command = [program("dbt", HINT, "SQLRANK_DBT"), *arguments, "--profiles-dir", str(folder)]
    quiet = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_USE_COLORS": "false"}
    return subprocess.run(
        command, cwd=folder, env=os.environ | quiet | dict(variables), capture_output=True, text=True, check=False
    )


def profiles(name: str, folder: Path, server: Server | None = None) -> str:
    """The connections of a project, in a schema that is called as its folder."""
    outputs: dict[str, Any] = {"duckdb": {"type": "duckdb", "path": str(folder / "dev.duckdb"), "threads": 1}}
    if server is not None:
        outputs["postgres"] = {
            "type": "postgres",
            "host": server.host,
            "port": server.port,
            "user": server.user,
            "password": "",
            "dbname": server.database,
            "schema": folder.name,
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
