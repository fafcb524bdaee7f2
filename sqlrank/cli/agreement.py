"""The command for judgments of several raters."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.completion import role_columns
from sqlrank.cli.groups import argument, flag, option, repeated
from sqlrank.cli.terminal import Outputs
from sqlrank.cli.values import roles


class AgreementInputs(o.TextFiles):
    """Inputs of agreement."""

    qrels: list[str] = argument(
        "QRELS",
        "Judgments of several raters: a file, quoted glob, directory, URL, or - for stdin, with query_id, doc_id, "
        "relevance and rater. Of several files, one without a rater is that of one rater; name=path names them.",
        several=True,
    )
    columns: dict[str, str] | None = repeated(
        "ROLE=NAME",
        "Column for query_id, doc_id, relevance or rater; repeatable",
        convert=roles,
        complete=role_columns,
        flags="--column",
    )
    where: str | None = option("SQL", "Keep only rows that meet this condition")
    input_format: str | None = o.TextFiles.input_format
    header: bool | None = flag(
        "CSV has no header: query_id, doc_id, rater, relevance", given=False, default=None, flags="--no-header"
    )
    relevance_map: dict[str, float | None] | None = o.Files.relevance_map
    database: str | None = option(
        "FILE|URL", "DuckDB file or postgresql:// URL, opened read-only, with QRELS as a table"
    )


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
    from sqlrank.inputs.reading import input_paths
    from sqlrank.judging.raters.rater_agreement import agreement
    from sqlrank.output.agreement import check_kind, write_agreement
    from sqlrank.process.output_files import opened

    settings = o.given(inputs, significance, resources)
    outputs = Outputs(output)
    check_kind(outputs.kind, output.disputed)
    settings["progress"] = output.progress
    paths = input_paths([*inputs.qrels, *filter(None, [inputs.database])])
    with opened([outputs.file], paths) as writes, agreement(inputs.qrels, writes=writes, **settings) as result:
        shown = (outputs.digits, outputs.screen, output.disputed)
        write_agreement(result, outputs.kind, outputs.file, *shown)
        outputs.tell(result.notes, result.remarks)
