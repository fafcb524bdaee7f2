"""Run in an environment with Jupyter: a notebook whose cells show results, executed, or written to be opened."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "search"
SETUP = f"""
import os

import sqlrank
import sqlrank.engines.progress as progress

progress.SECONDS_BEFORE_SHOWN = progress.SECONDS_OF_A_STATEMENT = progress.SECONDS_BETWEEN_LOOKS = 0.001

os.chdir({str(FOLDER)!r})
keyword, semantic, qrels = (f"{{name}}.parquet" for name in ("keyword", "semantic", "qrels"))
segments = {{"by": "country", "queries": "queries.parquet"}}
result = sqlrank.evaluate(keyword, qrels, ["ndcg@10", "ap"], progress=True, **segments)
comparison = sqlrank.compare([keyword, semantic], qrels, ["ndcg@10"], progress=True, **segments)
verdicts = sqlrank.gsb("verdicts.csv", by="country")
"""
CELLS = [
    SETUP,
    "result",
    "comparison",
    "verdicts",
    'result.explain("q0013", rows=5)',
    'comparison.explain("q0013", rows=5)',
    'result.plot.by_cutoff("ndcg")',
    "comparison.plot.segments()",
    "sqlrank.METRICS",
]


def main() -> None:
    """Write the notebook to a file, or with no argument execute it and print the kinds of each output as JSON."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    if len(sys.argv) > 1:
        nbformat.write(notebook, sys.argv[1])
        return
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [[dict(output.get("data", output)) for output in cell.outputs] for cell in notebook.cells]
    print(json.dumps(outputs))  # noqa: T201


if __name__ == "__main__":
    main()
