"""The command for judgments of several raters."""

from __future__ import annotations

from functools import partial

from sqlrank.cli import options as o
from sqlrank.cli.groups import argument, flag, option
from sqlrank.cli.terminal import write_judged


class AgreementInputs(o.TextFiles):
    """Inputs of agreement."""

    qrels: list[str] = argument(
        "QRELS",
        "Judgments of several raters: a file, quoted glob, directory, URL, or - for stdin, with query_id, doc_id, "
        "relevance and rater. Of several files, one without a rater is that of one rater; name=path names them.",
        several=True,
    )
    columns: dict[str, str] | None = o.column_option("Column for query_id, doc_id, relevance or rater")
    where: str | None = option("SQL", "Keep only rows that meet this condition")
    input_format: str | None = o.TextFiles.input_format
    header: bool | None = flag(
        "CSV has no header: query_id, doc_id, rater, relevance", given=False, default=None, flags="--no-header"
    )
    relevance_map: dict[str, float | None] | None = o.Files.relevance_map
    database: str | None = o.database_option("QRELS as a table")


def agreement_command(
    inputs: AgreementInputs,
    significance: o.Alpha,
    output: o.RatersOutput,
    resources: o.Resources,
) -> None:
    """Say how far raters agree who judged the same documents.

    Krippendorff's alpha, Fleiss' and Cohen's kappa over the pairs of a query and a document that several raters judged,
    each with an interval; who differs most from the others, and with --disputed on what.

    Examples:
        sqlrank agreement judgments.csv --column rater=assessor
        sqlrank agreement judgments.csv --disputed 20 -o agreement.json
    """
    from sqlrank.judging.raters.rater_agreement import agreement
    from sqlrank.output.agreement import AGREEMENT

    settings = o.given(inputs, significance, resources)
    write_judged(partial(agreement, inputs.qrels), AGREEMENT, settings, inputs.qrels, output)
