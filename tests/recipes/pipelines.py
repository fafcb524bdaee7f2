"""An environment with Airflow, Dagster and MLflow, which the variable SQLRANK_PIPELINES names by its Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.support.cli_helper import ROOT
from tests.support.components import program

HINT = "pip install '.[pipelines]' in an environment of its own and name its Python"


def run_there(folder: Path, *arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment in a folder: its name, or `python`, and arguments."""
    python = Path(program("pipelines-python", HINT, "SQLRANK_PIPELINES"))
    name, *rest = (str(argument) for argument in arguments)
    environment = {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [str(python.parent / name), *rest],
        cwd=folder,
        env=environment | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
