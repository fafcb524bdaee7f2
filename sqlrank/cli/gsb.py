"""The command for side-by-side verdicts."""

from __future__ import annotations

from functools import partial

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument
from sqlrank.cli.pages import Charted
from sqlrank.cli.terminal import write_judged
from sqlrank.judging.options import Deciding, GsbSegments, RatingFiles, VerdictColumns


class GsbInputs(Group, heading="Inputs", takes=[VerdictColumns, RatingFiles]):
    """Inputs of gsb."""

    verdicts: str = argument(
        "JUDGMENTS",
        "Verdicts: a file, quoted glob, directory, URL, or - for stdin, with query_id and verdict, and doc_id and "
        "rater where known. good: the candidate is better; same; bad: it is worse. Also g, s, b; 1, 0, -1; better, "
        "equal, worse; win, tie, loss.",
    )


class Summed(Group, heading="Segments and weights", takes=[GsbSegments]):
    """What is summed up."""


class GsbSignificance(Group, heading="Significance", takes=[Deciding]):
    """How the decision is made."""


def gsb_command(
    inputs: GsbInputs,
    segments: Summed,
    significance: GsbSignificance,
    output: o.RatersOutput,
    report: Charted,
    resources: o.Resources,
) -> None:
    """Summarize side-by-side (GSB) ratings and recommend whether to ship.

    delta_gsb = (good - bad) / (good + same + bad). If its whole interval is above 0: better, ship; below 0:
    worse, do not ship; else there is not enough evidence, and the output gives the number of judgments to plan for.
    The interval accounts for the correlation of the verdicts on one query and, with a rater column, of one rater. The
    decisions on segments (--by) are corrected together (--correction), without the total.

    Examples:
        sqlrank gsb verdicts.csv --by country -o - -o report.html
        sqlrank gsb verdicts.csv --column rater=user_id --correction none -o gsb.json
    """
    from sqlrank.judging.verdicts.side_by_side import gsb

    settings = o.given(inputs, segments, significance, resources)
    write_judged(partial(gsb, inputs.verdicts), "SideBySide", settings, [inputs.verdicts], output, report)
