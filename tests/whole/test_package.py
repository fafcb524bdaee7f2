"""What the package exports, and what it does not import."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sqlrank
from sqlrank.conventions import Conventions
from sqlrank.evaluation.options import Options
from sqlrank.evaluation.request import CONVENTIONS, LANGUAGE, READING
from tests.support.cli_helper import environment


def modules_after(code: str) -> set[str]:
    """The modules that are loaded in a new process once the code has run."""
    text = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    command = [sys.executable, "-c", text]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment()).stdout
    return set(printed.split())


def test_the_public_names_are_there() -> None:
    for name in sqlrank.__all__:
        assert getattr(sqlrank, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = sqlrank.nothing


def test_the_names_of_logs_are_there() -> None:
    for name in sqlrank.log.__all__:
        assert getattr(sqlrank.log, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = sqlrank.log.nothing


def test_the_public_names_have_their_types() -> None:
    for module in (sqlrank, sqlrank.log):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        typed = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert set(module.__all__) - {"METRICS", "__version__"} <= typed


def test_no_module_needs_another_that_needs_it_even_for_its_types() -> None:
    folder = Path(sqlrank.__file__).parent
    modules = {".".join(path.relative_to(folder.parent).with_suffix("").parts): path for path in folder.rglob("*.py")}
    needed: dict[str, set[str]] = {}
    for name, path in modules.items():
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        imports = [node for node in tree if isinstance(node, ast.ImportFrom)]
        needed[name] = {
            str(node.module) for node in imports if node.module in modules and not name.endswith("__init__")
        }
    TopologicalSorter(needed).prepare()


@pytest.mark.needs("process")
def test_the_module_of_logs_is_there_once_the_package_is_imported() -> None:
    assert "sqlrank.log" not in modules_after("import sqlrank")
    loaded = modules_after("import sqlrank; sqlrank.log.judgments")
    assert {"sqlrank.log", "sqlrank.behaviour.judgments"} <= loaded
    assert not {f"sqlrank.{room}.flow" for room in ("counterfactual", "experiments", "interleaving")} & loaded


@pytest.mark.needs("process")
def test_version_imports_neither_duckdb_nor_jinja() -> None:
    code = "import sqlrank.cli\ntry:\n    sqlrank.cli.app(['--version'])\nexcept SystemExit:\n    pass"
    assert not {"duckdb", "jinja2"} & modules_after(code)


NEEDLESS = {
    "pydantic",
    "rich",
    "pyspark",
    "sqlrank.engines.spark_session",
    "fsspec",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "scipy",
    "logging",
    "statistics",
}


@pytest.mark.needs("process")
def test_help_imports_neither_duckdb_nor_jinja_nor_pydantic() -> None:
    code = "import sqlrank.cli\ntry:\n    sqlrank.cli.app(['eval', '--help'])\nexcept SystemExit:\n    pass"
    assert not {"duckdb", "jinja2", "sqlrank.evaluation.result", *NEEDLESS} & modules_after(code)


@pytest.mark.needs("process")
def test_a_small_evaluation_imports_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "export.csv").write_text("query_id,doc_id,score,relevance\nq,d,1.0,1\n", encoding="utf-8")
    command = ["eval", str(tmp_path / "export.csv"), "-m", "ndcg@10", "--ties", "doc-asc", "--quiet"]
    code = f"import sqlrank.cli\ntry:\n    sqlrank.cli.app({command!r})\nexcept SystemExit:\n    pass"
    loaded = modules_after(code)
    assert "duckdb" in loaded
    assert not NEEDLESS & loaded


@pytest.mark.needs("process")
def test_evaluating_imports_no_data_frame_library() -> None:
    code = "import sqlrank\nsqlrank.evaluate({'q': {'d': 1.0}}, {'q': {'d': 1}}).close()"
    assert not {"pandas", "polars", "pyarrow", "numpy", "fsspec"} & modules_after(code)


def test_the_typed_options_are_those_of_the_records() -> None:
    assert set(Options.__annotations__) == CONVENTIONS | READING | LANGUAGE
    assert set(Conventions().to_dict()) == CONVENTIONS
