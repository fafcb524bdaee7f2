"""What a test may need beyond Python and the package: the reasons of the mark `needs`.

A test without the mark belongs to the default run. `pytest -m needs` runs all others, and `.ci/run` runs both. A test
has the mark `needs(reason)`, or takes a fixture or stands in a file that is named here.
"""

from functools import cache
from pathlib import Path

NEEDS = {
    "engines": "ClickHouse (chdb), DataFusion or SQLite, which run a statement that was taken away",
    "spark": "a Spark session, one for all tests",
    "postgres": "a PostgreSQL server, one for all tests",
    "server": "a server of S3 or HTTP on this machine",
    "dbt": "dbt, in an environment of its own",
    "packages": "the package of another tool, in an environment of its own",
    "pipelines": "Airflow, Dagster and MLflow, in an environment of their own",
    "jupyter": "JupyterLab, in an environment of its own",
    "chromium": "Chromium, which shows a page",
    "reports": "whole reports, whose charts are drawn",
    "pages": "the pages of the documentation and its recipes, taken step by step",
    "process": "a process of its own, which is what is tried: start, streams, signals, memory, terminals",
    "simulation": "experiments drawn at random, as many as the bound needs that is held",
    "random": "random data of some size against another implementation, or the whole of a product of many choices",
    "time": "nothing else, but longer than the default run has: tests/dear.txt lists them",
}
FIXTURES = {
    "browser": "chromium",
    "engine": "engines",
    "postgres": "postgres",
    "spark": "spark",
    "server": "server",
    "web": "server",
    "url": "server",
}
"""What a fixture brings."""
FILES = {
    "tests/engines/test_partitions.py": "postgres",
    "tests/engines/test_pipelines.py": "engines",
    "tests/engines/test_spark": "spark",
    "tests/export/test_dbt_": "dbt",
    "tests/pages/": "pages",
    "tests/peers/test_from_ranx.py": "packages",
    "tests/peers/test_further_packages.py": "packages",
    "tests/peers/test_peer_packages.py": "packages",
    "tests/peers/test_ranking_packages.py": "packages",
    "tests/peers/test_recommender_packages.py": "packages",
    "tests/peers/test_tools_elsewhere.py": "random",
    "tests/recipes/test_files.py": "pages",
    "tests/recipes/test_github_action.py": "pages",
    "tests/recipes/test_gitlab.py": "pages",
    "tests/recipes/test_pipelines.py": "pipelines",
    "tests/reports/charts/": "reports",
    "tests/reports/test_explorer_data.py": "reports",
    "tests/reports/test_jupyter.py": "jupyter",
    "tests/reports/test_reports.py": "reports",
    "tests/whole/test_notebook.py": "jupyter",
}
"""What all tests of a file need, by how its path begins."""
DEAR = Path(__file__).parents[1] / "dear.txt"
"""The tests that belong to the other run for the time they take, a line each; `python -m tests.dear` writes it."""


@cache
def dear() -> frozenset[str]:
    """The names of the tests that take long."""
    return frozenset(line.split()[0] for line in DEAR.read_text(encoding="utf-8").splitlines())


def reasons(test: str, fixtures: list[str]) -> set[str]:
    """What a test needs by its file, its fixtures and the time that it takes."""
    found = {reason for beginning, reason in FILES.items() if test.startswith(beginning)}
    found |= {FIXTURES[name] for name in fixtures if name in FIXTURES}
    return found | ({"time"} if test.partition("[")[0] in dear() else set())
