"""The command that looks at inputs before they are evaluated."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, option
from sqlrank.cli.terminal import show
from sqlrank.errors import not_known
from sqlrank.inspection.options import LookedAt


class InspectInputs(Group, heading="Inputs", takes=[LookedAt]):
    """Inputs of inspect."""

    files: list[str] = argument(
        "FILE",
        "Runs, judgments, tables of queries or documents, verdicts: whatever there is",
        several=True,
    )
    qrels: str | None = option("QRELS", "The input that is judgments, if its columns do not tell", common=True)


class InspectOutput(Group, heading="Output"):
    """Output of inspect."""

    format: str = option("FORMAT", "Output format", "table", words=("table", "json"), common=True)


def inspect_command(inputs: InspectInputs, output: InspectOutput, resources: o.Limits) -> None:
    """Describe input files, check that they match, print the command.

    Shows the format, rows, queries, documents and column roles of each input, the columns that can be segments, the
    judged share of the rankings, and ids of both sides next to each other.

    Examples:
        sqlrank inspect run.parquet qrels.parquet queries.parquet
        sqlrank inspect export.parquet --format json
    """
    from sqlrank.inspection.inspection import inspect

    if output.format not in ("table", "json"):
        raise not_known("--format", output.format, ("table", "json"))
    found = inspect(*inputs.files, **o.given(inputs, resources))
    show(found.to_json() if output.format == "json" else str(found))
