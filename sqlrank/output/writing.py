"""How each kind of result is written: a record for each, which the command line, Python and notebooks go by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from sqlrank.choices import RESULT_FORMATS
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.output.formats import write_relation, write_text
from sqlrank.output.tables import DIGITS
from sqlrank.pages.tables import Table
from sqlrank.pages.terminal_tables import PLAIN, Screen, write_lines, write_table
from sqlrank.pages.text_tables import markdown_text, write_latex, write_markdown
from sqlrank.pages.words import ENGLISH, Words
from sqlrank.presentation import in_short
from sqlrank.process.output_files import Target
from sqlrank.spelling import as_option
from sqlrank.version import __version__

if TYPE_CHECKING:
    from sqlrank.pages.html import Verdict

WRITINGS = {
    "ArmComparison": "experiments:ARMS",
    "Comparison": "comparison:COMPARISON",
    "ExplainedDifference": "explanation:DIFFERENCE",
    "Explanation": "explanation:EXPLANATION",
    "Interleaved": "interleaving:INTERLEAVED",
    "JudgmentSets": "judgment_sets:SETS",
    "Judgments": "behaviour:JUDGMENTS",
    "Likeness": "summary:LIKENESS",
    "Monitored": "monitoring:MONITORED",
    "Plan": "power:PLAN",
    "Pool": "pool:POOL",
    "Propensities": "behaviour:EXAMINATION",
    "RaterAgreement": "agreement:AGREEMENT",
    "Result": "summary:SUMMARY",
    "SideBySide": "verdicts:VERDICTS",
    "Values": "values:VALUES",
}
"""Where the record of each kind is, by the name of its class: it is loaded when such a result is written."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a result is written, and how."""

    kind: str
    """The format; `html` for a cell of a notebook."""
    file: Target | str | None = None
    """The file; None for standard output."""
    digits: int = DIGITS
    screen: Screen = PLAIN
    """What a table is written for."""
    additions: Mapping[str, Any] = field(default_factory=dict)
    """What is asked for besides the rows, such as the 5 worst queries, by the name of its option."""


class Shown(NamedTuple):
    """What people see of a result."""

    tables: Sequence[Table]
    """Its tables, the first of which is the result."""
    remarks: Sequence[str]
    """The lines below them."""
    head: Sequence[str] = ()
    """The lines above them on a terminal."""
    answer: Sequence[str] = ()
    """What they say, in a sentence or two that end it all."""


class Place(NamedTuple):
    """The formats that have a place for something."""

    refusal: str
    """What is said of another format `{kind}`, of the `{option}` that asks for it, and of those that it `{takes}`."""
    formats: Collection[str] = ("table", "markdown", "json")


ROWS = "the rows"


def of_rows(refusal: str, formats: Collection[str] = RESULT_FORMATS) -> dict[str, Place]:
    """The place of the rows themselves."""
    return {ROWS: Place(refusal, formats)}


INTERVALS = of_rows("trec_eval's files have no place for intervals; this takes {takes}")
"""That of the results of logs."""
PLACE = Place("{option} has no place in {kind}; choose table, markdown or json, or --per-query FILE")
SINGLE_QUERIES = dict.fromkeys(("worst", "best", "movers"), PLACE)
"""The kinds of queries that may be asked for below a summary, by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How a kind of result is written."""

    tables: Callable[[Any, Destination], Sequence[Table]]
    places: Mapping[str, Place]
    """Where the rows have a place, and what may be asked for besides them by its option, in the order of checks."""
    document: Callable[[Any, Destination], dict[str, Any]] | None = None
    """What a JSON document holds besides the rows; None where it is the rows alone."""
    metadata: Callable[[Any], dict[str, str]] = attrgetter("metadata")
    """The metadata of a Parquet file, besides the version."""
    remarks: Callable[[Any, Destination], list[str]] = lambda result, _: result.remarks()
    head: Callable[[Any], Sequence[str]] = lambda _: ()
    answer: Callable[[Any, Words], Sequence[Verdict]] = lambda *_: ()
    """What the result says in a sentence or two, which stand apart below its remarks and lead its report."""
    captions: bool = False
    """Whether the captions of tables stand before the remarks of what is written."""
    own: Mapping[str, Callable[[Any, Destination, TextIO], object]] = field(default_factory=dict)
    """Its own writers of formats."""
    per_query: Callable[[Any, str, Target | str | None], None] | None = None
    """How the rows of its queries are written, where that is not as the others."""
    kept: str = ""
    """A column that stays at Python's prompt, however narrow the terminal is."""

    def check(self, kind: str, asked: Collection[str] = (), summary: bool = True) -> None:
        """Raise UsageError if the rows, or what is `asked` for besides them, cannot be written in a format.

        It cannot where there is no `summary` that it would stand below, either.
        """
        for name, place in self.places.items():
            if name not in (ROWS, *asked):
                continue
            if kind not in place.formats:
                takes = ", ".join(place.formats)
                raise UsageError(place.refusal.format(option=as_option(name), kind=kind, takes=takes))
            if name != ROWS and not summary:
                raise UsageError(
                    f"{as_option(name)} is printed below the summary, which --per-query - leaves out: name its file"
                )

    def described(self, result: Any, kind: str) -> dict[str, str]:
        """The metadata of a file, which Parquet alone has."""
        return {"sqlrank": __version__} | self.metadata(result) if kind == "parquet" else {}

    def shown(self, result: Any, to: Destination) -> Shown:
        """What people see of a result that is written."""
        tables = self.tables(result, to)
        captions = [table.caption for table in tables if self.captions and table.caption]
        return Shown(tables, [*captions, *self.remarks(result, to)], self.head(result), self.answers(result))

    def answers(self, result: Any) -> list[str]:
        """The sentences of its answer in English."""
        return [verdict.text for verdict in self.answer(result, ENGLISH)]


def writing_of(kind: str | type) -> Writing:
    """How a kind of result is written, by its class or the name of it; UsageError where it is none."""
    names = [kind] if isinstance(kind, str) else [each.__name__ for each in kind.__mro__]
    place = next((WRITINGS[name] for name in names if name in WRITINGS), None)
    if place is None:
        raise UsageError(f"there are no tables of a {names[0]}")
    module, _, name = place.partition(":")
    writing: Writing = getattr(import_module(f"sqlrank.output.{module}"), name)
    return writing


def write(result: Any, to: Destination, of: OpenResult | None = None) -> None:
    """Write a result, whose connection is that of the result `of` which it was made, where that is another.

    Raises:
        UsageError: the format has no place for it.
    """
    writing = writing_of(type(result))
    writing.check(to.kind)
    if to.kind in writing.own:
        write_text(to.file, partial(writing.own[to.kind], result, to), to.kind == "table")
    elif to.kind in ("table", "markdown", "latex"):
        write_text(to.file, lambda file: write_shown(writing.shown(result, to), to, file), to.kind == "table")
    else:
        document = partial(writing.document, result, to) if writing.document else None
        source = result if of is None else of
        write_relation(source, result.rows, to.kind, to.file, writing.described(source, to.kind), document)


def write_per_query(result: Any, kind: str, file: Target | str | None) -> None:
    """Write the rows of the queries of a result in a tidy format, to a file or to standard output."""
    writing = writing_of(type(result))
    if writing.per_query is None:
        write_relation(result, result.per_query, kind, file, writing.described(result, kind))
    else:
        writing.per_query(result, kind, file)


def write_shown(shown: Shown, to: Destination, file: TextIO) -> None:
    """Write what people see to a terminal, or as Markdown or LaTeX."""
    tables, remarks, head, answer = shown
    if to.kind == "latex":  # a paper has no room for more than the first one
        write_latex(tables[0], remarks, file)
    elif to.kind == "markdown":
        for each in tables:
            write_markdown(each, remarks if each is tables[-1] else [], file)
        if answer:
            file.write("\n" + "".join(f"{markdown_text(line)}  \n" for line in answer))
    else:
        write_lines(head, file, to.screen)
        for each in tables:
            write_table(each, file, to.screen)
            file.write("\n")
        write_lines(remarks if to.screen.verbose else in_short(remarks, to.screen.more), file, to.screen)
        write_lines(["", *answer] if answer else [], file, to.screen)
