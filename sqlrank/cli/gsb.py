"""The command for side-by-side verdicts."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from sqlrank.choices import CORRECTIONS, FORMATS
from sqlrank.cli import options as o
from sqlrank.cli.terminal import output_file, tell
from sqlrank.errors import UsageError

JudgmentsFile = Annotated[
    str,
    typer.Argument(
        metavar="JUDGMENTS",
        help="The verdicts: a file, quoted glob, folder, URL, or - for stdin, with query_id and verdict, and where "
        "known doc_id and rater. good: the candidate is better; same; bad: it is worse. Also g, s, b; 1, 0, -1; "
        "better, equal, worse; win, tie, loss.",
        show_default=False,
    ),
]
Segments = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        help="A row per value of this column of the judgments, besides the total; repeatable.",
        show_default=False,
    ),
]
VerdictWeight = Annotated[
    str | None,
    typer.Option("--weight", metavar="COLUMN", help="The weight of each verdict in delta_gsb.", show_default=False),
]
SegmentCorrection = Annotated[
    str | None,
    typer.Option(
        "--correction",
        metavar="WORD",
        help=f"How the segments decide together: {', '.join(CORRECTIONS)}. [default: {CORRECTIONS[0]}]",
        show_default=False,
    ),
]
VerdictWhere = Annotated[
    str | None,
    typer.Option("--where", metavar="SQL", help="Only rows where this holds.", show_default=False),
]
VerdictColumn = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="ROLE=NAME",
        help="Which column is query_id, doc_id, rater or verdict; repeatable.",
        show_default=False,
    ),
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="CSV without names: query_id, verdict.")]
VerdictDatabase = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="FILE",
        help="A DuckDB file, opened read-only, of which JUDGMENTS is a table.",
        show_default=False,
    ),
]
VerdictFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"One of {', '.join(FORMATS[:-1])}. [default: that of the suffix of -o, else table]",
        show_default=False,
    ),
]


def gsb_command(
    context: typer.Context,
    verdicts: JudgmentsFile,
    by: Segments = None,
    weight: VerdictWeight = None,
    alpha: o.Alpha = None,
    correction: SegmentCorrection = None,
    where: VerdictWhere = None,
    column: VerdictColumn = None,
    input_format: o.InputFormat = None,
    encoding: o.Encoding = None,
    no_header: NoHeader = False,
    database: VerdictDatabase = None,
    format: VerdictFormat = None,  # noqa: A002 the option's name
    output: o.Output = None,
    digits: o.Digits = 4,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    temp_dir: o.TempDir = None,
    sql_time_limit: o.SqlTimeLimit = None,
    quiet: o.Quiet = False,
) -> None:
    """Count good, same and bad verdicts of two systems seen side by side, and say whether to ship.

    delta_gsb = (good - bad) / (good + same + bad). Where its whole interval is above 0: better, ship; where it is below
    0: worse, do not ship; else not enough evidence, with the number of judgments to plan for. Verdicts of one query
    belong together, and with a rater column those of one rater. Segments of --by decide together (--correction), the
    total alone.

    Example: sqlrank gsb verdicts.csv --by country
    """
    from sqlrank.inputs.reading import input_paths
    from sqlrank.output.files import opened
    from sqlrank.output.formats import format_of
    from sqlrank.output.verdicts import write_verdicts
    from sqlrank.verdicts.side_by_side import gsb

    settings: dict[str, Any] = o.given(context.params)
    if alpha is not None:
        settings["alpha"] = o.number(alpha, "--alpha")
    if correction is not None:
        settings["correction"] = correction
    kind = format_of(output, format, "table")
    if kind == "trec":
        raise UsageError(f"trec_eval has no verdicts; gsb takes {', '.join(FORMATS[:-1])}")
    settings["progress"] = sys.stderr.isatty() and not quiet
    target, inputs = output_file(output), input_paths([verdicts, *([database] if database else [])])
    with opened([target], inputs) as writes, gsb(verdicts, writes=writes, **settings) as result:
        write_verdicts(result, kind, target, digits)
        tell(result.notes, quiet)
        if kind in ("csv", "tsv", "jsonl", "parquet"):
            tell(result.remarks(), quiet)
