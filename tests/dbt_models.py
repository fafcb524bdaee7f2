"""Models of dbt whose text is kept; run as a module to write the golden ones."""

from __future__ import annotations

from pathlib import Path

from sqlrank.cli.dbt_files import write_models
from sqlrank.export.dbt_models import ModelRequest, model_files
from sqlrank.export.dbt_properties import Gates
from sqlrank.export.statement_form import Form

GOLDEN = Path(__file__).parent / "golden" / "dbt"
REQUESTS = {
    "postgres": ModelRequest(
        name="daily",
        run="source('warehouse', 'runs')",
        qrels="ref('labels', 'judgments')",
        metrics=["rr"],
        options={"columns": {"query_id": "ds,qid"}},
        form=Form(dialect="postgres", incremental="ds", system="production"),
        gates=Gates(fail_under={"rr": 0.4}),
    ),
    "bigquery": ModelRequest(
        name="daily",
        run="runs",
        metrics=["ndcg@10"],
        options={"columns": {"system": "variant"}, "by": ["country"]},
        form=Form(dialect="bigquery", incremental="Day"),
        gates=Gates(fail_on_drop={"ndcg@10": 0.01}, against="control", gate_segments=True),
    ),
    "microbatch": ModelRequest(
        name="daily",
        run="runs",
        qrels="judgments",
        metrics=["rr"],
        options={"columns": {"system": "variant"}, "query_set": "judged"},
        form=Form(dialect="postgres", incremental="Day", begin="2026-11-01"),
    ),
}
"""By the name of a folder; DuckDB's models are those of docs/examples/dbt."""


def golden(name: str) -> dict[str, str]:
    """The rows of the queries and the properties, by file; the means and the test of the inputs are in the example."""
    files = model_files(REQUESTS[name])
    return {path: text for path, text in files.items() if path in ("models/daily.sql", "models/daily.yml")}


if __name__ == "__main__":
    for each in REQUESTS:
        write_models(str(GOLDEN / each), golden(each))
