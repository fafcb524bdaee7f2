"""The statement that looks for what another one counts on not to be there, for the tests of a warehouse."""

from __future__ import annotations

from sqlrank.dialects import Dialect
from sqlrank.evaluation.request import Request
from sqlrank.export.form import Form
from sqlrank.inputs.check_files import every_check
from sqlrank.statement.columns import inputs_of
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import header_of
from sqlrank.statement.templates import render


def findings(dialect: Dialect, inputs: Relations, request: Request, form: Form) -> str:
    """The statement that gives a row for each finding: what, of which input, how often, and one example."""
    measures, conventions = request.measures, request.conventions
    kept = {each.kind: each.columns for each in inputs.kept}
    carried = {
        kind: list(
            dict.fromkeys(
                (*(place.name for place in relation.extra), *filter(None, [relation.weight]), *kept.get(kind, ()))
            )
        )
        for kind, relation in inputs.named()
    }
    return render(
        "findings.sql",
        dialect,
        **inputs.context() | conventions.to_dict(),
        carried={"run": [], "qrels": []} | carried,
        subtopics="subtopic" in inputs_of(measures),
        titles={name: check.title for name, check in every_check().items()},
        header=header_of(measures, conventions, None, form.command),
    )
