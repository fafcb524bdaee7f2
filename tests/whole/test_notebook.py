"""Where the Python interface is used: notebooks, and programs that a type checker reads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from jinja2 import ModuleLoader

from tests.support.cli_helper import ROOT
from tests.support.components import program

CONSUMER = """
import sqlrank

with sqlrank.evaluate({"q": {"d": 1.0}}, {"q": {"d": 1}}, ["ap"]) as made:
    value: float | None = made["ap"]
    reveal_type(made)
reveal_type(sqlrank.gsb("verdicts.csv").total)
sqlrank.evaluate({}, {}, ties=3)
made.nothing
"""


@pytest.mark.needs("jupyter")
def test_a_fresh_jupyter_evaluates_with_and_without_progress(tmp_path: Path) -> None:
    python = program("jupyter-python", "name the Python of an environment with jupyterlab", "SQLRANK_JUPYTER")
    done = subprocess.run(
        [python, str(ROOT / "tests" / "support" / "notebook.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == "1.0\n-0.25\n1.0\n1\n" * 2


@pytest.mark.needs("process")
def test_a_type_checker_sees_the_types(tmp_path: Path) -> None:
    (tmp_path / "consumer.py").write_text(CONSUMER, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = True\n", encoding="utf-8")
    venv.create(tmp_path / "environment")
    python = tmp_path / "environment" / "bin" / "python"
    packages = next((tmp_path / "environment" / "lib").iterdir()) / "site-packages"
    shutil.copytree(ROOT / "sqlrank", packages / "sqlrank", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "mypy", "--python-executable", str(python), "consumer.py"]
    bare = {name: value for name, value in os.environ.items() if name not in ("MYPYPATH", "PYTHONPATH")}
    said = subprocess.run(command, cwd=tmp_path, env=bare, capture_output=True, text=True, check=False).stdout

    assert "missing library stubs or py.typed marker" not in said
    assert 'Revealed type is "sqlrank.evaluation.result.Result"' in said
    assert 'Revealed type is "dict[str, Any]"' in said
    assert 'Argument "ties" to "evaluate" has incompatible type "int"; expected "str"' in said
    assert '"Result" has no attribute "nothing"' in said


@pytest.mark.needs("process")
def test_the_wheel_brings_the_mark_of_its_types_and_compiled_templates(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert "sqlrank/py.typed" in names
    assert f"sqlrank/compiled/{ModuleLoader.get_module_filename('evaluate.sql')}" in names
    assert not any("dbt" in name for name in names if name.startswith("sqlrank/compiled"))
