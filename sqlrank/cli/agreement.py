"""The command for judgments of several raters."""

from __future__ import annotations

from functools import partial

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, repeated
from sqlrank.cli.pages import Titled
from sqlrank.cli.terminal import write_judged
from sqlrank.errors import UsageError
from sqlrank.evaluation.options import RelevanceMap
from sqlrank.judging.options import Held, JudgmentColumns, RatingFiles


class AgreementInputs(Group, heading="Inputs", takes=[JudgmentColumns, RatingFiles, RelevanceMap]):
    """Inputs of agreement."""

    qrels: list[str] = argument(
        "QRELS",
        "Judgments of several raters: a file, quoted glob, directory, URL, or - for stdin, with query_id, doc_id, "
        "relevance and rater. Each of several files without a rater column is one rater; name=path names them.",
        several=True,
    )


class Reference(Group, heading="Reference", takes=[Held]):
    """Against whom raters are held, and by what their bias is told apart."""

    runs: list[str] | None = repeated(
        "RUN",
        "Tell the bias apart by system, and compare it with that of the first one: rankings as for eval; name=path "
        "names the system; repeatable",
        flags="--run",
        common=True,
    )
    top: int | None


def agreement_command(
    inputs: AgreementInputs,
    reference: Reference,
    significance: o.Alpha,
    output: o.RatersOutput,
    report: Titled,
    resources: o.Resources,
) -> None:
    """Measure how well raters agree on documents (alpha, kappa).

    Krippendorff's alpha, Fleiss' and Cohen's kappa over the pairs of a query and a document that several raters judged,
    each with an interval; the raters who differ most from the others, and with --show on which pairs. With a
    reference, such as people for a language model: the confusion of grades, and the bias by grade, segment and system.

    Examples:
        sqlrank agreement judgments.csv --column rater=assessor
        sqlrank agreement judgments.csv --show disputed=20 -o agreement.json
        sqlrank agreement human=people.csv llm=model.csv --run old.csv --run new.csv
    """
    from sqlrank.judging.raters.rater_agreement import agreement

    if reference.top is not None and reference.runs is None:
        raise UsageError("--top is of rankings: give them with --run")
    settings = o.given(inputs, reference, significance, resources)
    files = [*inputs.qrels, *(reference.runs or [])]
    write_judged(partial(agreement, inputs.qrels), "RaterAgreement", settings, files, output, report)
