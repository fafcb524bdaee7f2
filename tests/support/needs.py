"""What a test may need beyond Python and the package: the reasons of the mark `needs`.

A test without the mark belongs to the default run. `pytest -m needs` runs all others, and `.ci/run` both.
"""

NEEDS = {
    "engines": "ClickHouse (chdb) and DataFusion, which run a statement that was taken away",
    "spark": "a Spark session, one for all tests",
    "postgres": "a PostgreSQL server, one for all tests",
    "server": "a server of S3 or HTTP on this machine",
    "dbt": "dbt, in an environment of its own",
    "packages": "the package of another tool, in an environment of its own",
    "pipelines": "Airflow, Dagster and MLflow, in an environment of their own",
    "jupyter": "JupyterLab, in an environment of its own",
    "chromium": "Chromium, which shows a page",
    "pages": "the pages of the documentation, taken step by step",
    "process": "a process of its own, which is what is tried: start, streams, signals, memory, terminals",
    "simulation": "experiments drawn at random, as many as the bound needs that is held",
    "random": "random data of some size against another implementation, or a product of many choices",
}
