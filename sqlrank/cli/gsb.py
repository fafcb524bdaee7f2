"""The command for side-by-side verdicts."""

from __future__ import annotations

from functools import partial

from sqlrank.choices import TABLE_INPUTS
from sqlrank.cli import options as o
from sqlrank.cli.completion import column_names
from sqlrank.cli.groups import Group, argument, flag, option, repeated
from sqlrank.cli.terminal import write_judged


class GsbInputs(o.TextFiles):
    """Inputs of gsb."""

    verdicts: str = argument(
        "JUDGMENTS",
        "Verdicts: a file, quoted glob, directory, URL, or - for stdin, with query_id and verdict, and doc_id and "
        "rater where known. good: the candidate is better; same; bad: it is worse. Also g, s, b; 1, 0, -1; better, "
        "equal, worse; win, tie, loss.",
    )
    columns: dict[str, str] | None = o.column_option("Column for query_id, doc_id, rater or verdict")
    where: str | None = option("SQL", "Keep only rows that meet this condition")
    input_format: str | None = option("FORMAT", "Input format, if the suffix does not tell", words=TABLE_INPUTS)
    header: bool | None = flag("CSV has no header: query_id, verdict", given=False, default=None, flags="--no-header")
    database: str | None = o.database_option("JUDGMENTS as a table")


class GsbSegments(Group, heading="Segments and weights"):
    """What is summed up."""

    by: list[str] | None = repeated(
        "COLUMN",
        "Segment by this column: one row for each value, besides the total; repeatable",
        complete=column_names,
        common=True,
    )
    weight: str | None = option(
        "COLUMN", "Column with the weight of each verdict in delta_gsb", complete=column_names, common=True
    )


class GsbSignificance(o.Alpha):
    """How the decision is made."""

    correction: str | None = o.correction_option("the segments")
    sequential: bool = flag("Interval and p that hold whenever one looks, for deciding while people judge", common=True)


def gsb_command(
    inputs: GsbInputs,
    segments: GsbSegments,
    significance: GsbSignificance,
    output: o.RatersOutput,
    resources: o.Resources,
) -> None:
    """Summarize side-by-side (GSB) ratings and recommend whether to ship.

    delta_gsb = (good - bad) / (good + same + bad). If its whole interval is above 0: better, ship; below 0:
    worse, do not ship; else there is not enough evidence, and the number of judgments to plan for is given. The
    interval accounts for the correlation of the verdicts on one query and, with a rater column, of one rater. The
    decisions on segments (--by) are corrected together (--correction); the total stands alone.

    Examples:
        sqlrank gsb verdicts.csv --by country
        sqlrank gsb verdicts.csv --column rater=user_id --correction none -o gsb.json
    """
    from sqlrank.judging.verdicts.side_by_side import gsb
    from sqlrank.output.verdicts import VERDICTS

    settings = o.given(inputs, segments, significance, resources)
    write_judged(partial(gsb, inputs.verdicts), VERDICTS, settings, [inputs.verdicts], output)
