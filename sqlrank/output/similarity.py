"""Writing comparisons of rankings without judgments, in the formats of an evaluation."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.comparison.similarity.likeness import Likeness
from sqlrank.errors import UsageError
from sqlrank.output.formats import write_metrics
from sqlrank.output.tables import Destination


def write_likeness(result: Likeness, destination: Destination) -> None:
    """Write the summary in any format but trec, for which it raises UsageError."""
    if destination.kind == "trec":
        takes = ", ".join(RESULT_FORMATS)
        raise UsageError(f"--format {destination.kind} is not for rankings that are compared; choose one of {takes}")
    write_metrics(result, destination, partial(document_of, result))


def document_of(result: Likeness) -> dict[str, Any]:
    """What a JSON document of compared rankings holds beside the rows."""
    return {
        "baseline": result.baseline,
        "inputs": {kind: found.to_dict() for kind, found in result.inputs.items()},
        "queries": {system: asdict(found) for system, found in result.counts.items()},
        "conventions": result.conventions.to_dict(),
        "notes": result.notes + result.own_sql,
    }
