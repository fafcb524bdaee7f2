"""Run in an environment with Jupyter alone: a notebook that evaluates, with and without progress."""

from __future__ import annotations

import importlib.util

import nbformat
from nbclient import NotebookClient

CELL = """
import sqlrank

run, other = {"q": {"d": 1.0, "e": 0.5}, "r": {"d": 1.0}}, {"q": {"e": 1.0, "d": 0.5}, "r": {"d": 1.0}}
qrels = {"q": {"d": 1}, "r": {"d": 1}}
with open("verdicts.csv", "w") as file:
    file.write("query_id,verdict\\nq,good\\nr,bad\\n")
for progress in (False, True):
    with sqlrank.evaluate(run, qrels, ["ap"], progress=progress) as made:
        print(made["ap"])
    with sqlrank.compare([run, other], qrels, ["ap"], progress=progress) as made:
        print(made["ap"]["difference"])
    with sqlrank.likeness([run, other], ["jaccard@2"], progress=progress) as made:
        print(made["jaccard@2"])
    with sqlrank.gsb("verdicts.csv", progress=progress) as made:
        print(made.total["good"])
"""


def main() -> None:
    """Execute the notebook and print what its cell printed on stdout, and nothing else."""
    if importlib.util.find_spec("ipywidgets"):
        raise SystemExit("ipywidgets is here, which a fresh JupyterLab does not bring")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for output in notebook.cells[0].outputs:
        print(output["text"] if output.get("name") == "stdout" else output, end="")  # noqa: T201


if __name__ == "__main__":
    main()
