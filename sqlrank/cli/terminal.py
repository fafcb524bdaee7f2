"""Where the results of a command go, what it says on the terminal, and the files that it names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlrank.choices import TIDY
from sqlrank.cli.handler import say
from sqlrank.cli.pages import Pages
from sqlrank.errors import UsageError
from sqlrank.process import streams
from sqlrank.spelling import as_option

if TYPE_CHECKING:
    from sqlrank.cli.options import Output, RatersOutput, TableOutput
    from sqlrank.cli.pages import Titled
    from sqlrank.engines.open_result import OpenResult
    from sqlrank.errors import Outcome
    from sqlrank.judging.raters.rater_agreement import RaterAgreement
    from sqlrank.judging.verdicts.side_by_side import SideBySide
    from sqlrank.output.writing import Destination, Writing
    from sqlrank.process.output_files import Target

ADDED = ("days", "all_days")
"""The options of outputs, besides --show, that ask for more than the rows."""


class Outputs:
    """Files and formats of what a command writes, `-` for stdout; UsageError for a format with no place for it."""

    def __init__(self, output: Output, per_query: str | None = None, report: Titled | None = None) -> None:
        from sqlrank.output.formats import check_tidy, format_of

        asked = output.output or []
        if per_query == "-" and "-" in asked:
            raise UsageError("-o - and --per-query - would both be written to standard output; name a file for one")
        self.pages = Pages(asked, report, output.digits)
        """The reports and charts among them."""
        rest = [path for path in asked if path not in self.pages.paths]
        if output.format and (len(rest) > 1 or (asked and not rest)):
            raise UsageError(
                f"--format {output.format}: leave it out; the suffix says what a report or several files are"
            )
        self.queries_too = output.format == "trec" and per_query == "-"
        """Whether the lines of every query stand before the summary, as trec_eval -q prints them."""
        added = {name: found for name in ADDED if (found := getattr(output, name, None))}
        self.additions = (getattr(output, "show", None) or {}) | added | ({"queries": True} if self.queries_too else {})
        """What is asked for in addition to the rows, by its option."""
        alone = not asked and (per_query != "-" or self.queries_too)
        paths = [None if path == "-" else path for path in (rest or (["-"] if alone else []))]
        self.tables = [output_file(path) for path in paths]
        self.destinations = [self.destination(file, output) for file in self.tables]
        """Where the summary is written, and how."""
        self.kinds = {each.kind for each in self.destinations} or {output.format or "table"}
        """The formats of the summary."""
        self.quiet = output.quiet
        if getattr(output, "plot", False) and ("table" not in self.kinds or (asked and not rest)):
            other = ", ".join(sorted(self.kinds)) if rest or not asked else "a report or a chart; add -o - for one"
            raise UsageError(f"--plot draws in a table, not in {other}")
        path = None if per_query == "-" else per_query
        self.per_query_file = output_file(path)
        self.per_query_kind = None
        if per_query and not self.queries_too:
            tidy = output.format if output.format in TIDY else None
            self.per_query_kind = check_tidy(format_of(path, tidy, "csv"))

    def destination(self, file: Target | None, output: Output) -> Destination:
        """Where a summary is written, and how; None for standard output."""
        from sqlrank.output.formats import format_of
        from sqlrank.output.writing import Destination
        from sqlrank.pages.terminal_tables import screen_of

        kind = format_of(file.path if file else None, output.format, "table")
        screen = screen_of(kind == "table" and file is None, output.color, getattr(output, "plot", False))
        screen = replace(screen, verbose=getattr(output, "verbose", True))
        return Destination(kind, file, output.digits, screen, self.additions)

    @property
    def files(self) -> list[Target | None]:
        """Every file that is written, but for that of per-query rows."""
        return [*self.tables, *self.pages.files]

    def check(self, result: str, given: Collection[str] = (), drawn: bool = False) -> None:
        """Raise UsageError if a result of this class has no place in a format, or what is asked for besides in none.

        `given` are the arguments besides the options of the output; a report of the result has charts if it is `drawn`.
        """
        from sqlrank.output.writing import writing_of

        writing, asked = writing_of(result), [*self.additions, *given]
        for each in self.destinations:
            writing.check(each.kind)
        refused = [error for each in self.destinations for error in refusals(writing, each.kind, asked)]
        if refused and len(refused) == len(self.destinations):
            raise refused[0]
        if not self.destinations and self.pages.files and self.additions:
            raise UsageError(f"{as_option(next(iter(self.additions)))} is printed below the table: add -o - for it")
        if not self.destinations:
            writing.check("table", asked, summary=bool(self.pages.files))
        self.pages.prepare(drawn)

    def write(self, result: Any, of: OpenResult | None = None, gates: Sequence[Outcome] = (), **more: Any) -> None:
        """Write the reports, the per-query rows, and the summary with `more` besides; `of` as in `write`."""
        from sqlrank.output.writing import write, write_per_query

        self.pages.write(result, gates, of)  # first, as charts are what may not succeed
        if self.per_query_kind:
            write_per_query(result, self.per_query_kind, self.per_query_file)
        for each in self.destinations:
            write(result, replace(each, additions={**each.additions, **more}), of)

    def tell(self, notes: list[str], remarks: Callable[[], list[str]]) -> None:
        """Say on stderr what was noticed, and what the formats have no place for."""
        tell(notes, self.quiet)
        if not self.pages.files and self.kinds <= {*TIDY} - {"json"}:
            tell(remarks(), self.quiet)


def refusals(writing: Writing, kind: str, asked: Collection[str]) -> list[UsageError]:
    """Why what is asked for has no place in a format, if it has none."""
    try:
        writing.check(kind, asked)
    except UsageError as error:
        return [error]
    return []


def write_judged(
    call: Callable[..., SideBySide | RaterAgreement],
    kind: str,
    settings: dict[str, Any],
    files: list[str],
    output: RatersOutput,
    report: Titled,
) -> None:
    """Call a function of the Python interface for what people judged, which is in `files`, and write its result.

    `kind` is the name of its class.
    """
    from sqlrank.process.output_files import opened

    outputs = Outputs(output, report=report)
    outputs.check(kind, settings, drawn=kind == "SideBySide")
    with (
        opened(outputs.files, input_files(files, None, settings)) as writes,
        call(writes=writes, progress=output.progress, **settings) as result,
    ):
        outputs.write(result)
        outputs.tell(result.notes, result.remarks_on_rows)


def output_file(path: str | None) -> Target | None:
    """An output file, or None for standard output."""
    from sqlrank.process.output_files import Target

    return None if path is None else Target(path)


def show(text: str) -> None:
    """Lines for people on stdout."""
    from sqlrank.dialects import visible_lines

    with streams.standard_output(for_people=True) as stream:
        stream.write(f"{visible_lines(text)}\n")


def check_no_output(output: TableOutput) -> None:
    """Raise UsageError if a statement is asked for, and a file or a format for rows too."""
    if output.output or output.format is not None:
        raise UsageError("--sql prints a statement: leave out -o and --format, and redirect it into a file")


def show_statement(text: str) -> None:
    """Print a statement as it runs elsewhere; UsageError for a control character that SQL cannot write otherwise."""
    from sqlrank.dialects import STEERING, visible

    if found := STEERING.search(text):
        line = visible(text[: found.end()].rpartition("\n")[2].strip())
        raise UsageError(
            f"the statement would hold the control character {visible(found[0])}, as in {line[-60:]}; rename what"
            f" has it in its name, or write it as chr({ord(found[0])}) in a condition"
        )
    with streams.standard_output(for_people=False) as stream:
        stream.write(text)


def tell(lines: list[str], quiet: bool) -> None:
    """Say what was noticed, unless silence was asked for; of notes that differ by a name or a number, the first."""
    from sqlrank.inputs.column_notes import columns_together

    for line, alike in grouped(columns_together(lines) if not quiet else []):
        more = f" (and {alike} more like it; --format json has all)" if alike else ""
        say("note", line + more)


def grouped(notes: list[str]) -> list[tuple[str, int]]:
    """The first note of each kind, with the number of others of its kind."""
    kinds: list[list[str]] = []
    for note in notes:
        kind = next((kind for kind in kinds if are_alike(kind[0], note)), None)
        if kind is None:
            kinds.append([note])
        else:
            kind.append(note)
    # Two are both said: to name the second takes no more room than to count it.
    return [(note, 0) for kind in kinds if len(kind) < 3 for note in kind] + [
        (kind[0], len(kind) - 1) for kind in kinds if len(kind) > 2
    ]


def are_alike(one: str, other: str) -> bool:
    """Whether two notes differ by what they are about, a name before a colon, and by numbers alone.

    Notes that name different columns or metrics say different things, each of which a reader has to know.
    """
    words, others = one.split(), other.split()
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    return len(words) == len(others) and all(map(is_name_or_number, differing))


def is_name_or_number(pair: tuple[str, str]) -> bool:
    """Whether both words are the name before a colon, or have a number in them."""
    return all(word.endswith(":") for word in pair) or all(any(map(str.isdigit, word)) for word in pair)


INPUT_OPTIONS = ("positives", "scores", "queries", "items", "history", "baseline_run", "database")


def input_files(runs: list[str], qrels: str | list[str] | None, settings: dict[str, Any]) -> list[str]:
    """Every file that is read."""
    from sqlrank.inputs.reading import input_paths

    given = [qrels, *(settings.get(name) for name in INPUT_OPTIONS)]
    every = [one for each in given for one in (each if isinstance(each, list | tuple) else [each])]
    return input_paths([*runs, *filter(None, every)])
