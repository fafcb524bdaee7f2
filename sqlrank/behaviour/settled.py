"""What has to be settled of a log before anything is estimated: each with its figure, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.asked import Counting
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.opened_log import MARKS, Log
from sqlrank.behaviour.positions import Bases, bases_of, depth_line
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted, shortened
from sqlrank.spelling import spelt

MOST_COPIES = 0.05
"""Which share of the rows may repeat a document of their impression."""
FEW_QUERIES = 10
"""Below so many queries each has many of the clicks."""
TOP_QUERY = 0.2
"""From which share of the clicks on one query is worth a line."""


PARTS = (
    ("queries", "first_query", "last_query", "query_id"),
    ("users", "user_id", "last_user", "user_id"),
    ("sessions", "first_session", "last_session", "session_id"),
)
"""What an impression has one of: what several are called, the first and the last of an impression, and the role."""


@dataclass(slots=True)
class Settled:
    """What is known of the rows of a log, and how they are read."""

    facts: dict[str, Any]
    bases: Bases
    copies: int = 0
    bots: Markup | None = None
    """The relation of users who do not behave like people."""
    lines: list[str] = field(default_factory=list)
    """What was settled, a line each."""
    unit: str = ""
    """The last of them, which says what is independent of each other."""
    excluded: dict[str, int] = field(default_factory=dict)
    """How many rows count for nothing, by reason."""


def settle(engine: DuckDBEngine, log: Log, counting: Counting) -> Settled:
    """Look at a log; DataError where it contradicts itself, or cannot be estimated from."""
    return Settling(engine, log, counting).settled()


class Settling:
    """Looks at a log, question by question."""

    def __init__(self, engine: DuckDBEngine, log: Log, counting: Counting) -> None:
        self.log, self.counting = log, counting
        self.sql = Folder(engine, "facts", prefix="log_", log=log.relation, columns=log.columns)
        self.facts: dict[str, Any] = {}
        self.excluded: dict[str, int] = {}

    def settled(self) -> Settled:
        """The answers."""
        marks = [name for name in MARKS if name in self.log.columns and name != "clicked"]
        self.facts = self.sql.row("rows", marks=marks)
        of_impressions = self.sql.keep("of_impressions")
        parts = [(what, first, last) for what, first, last, role in PARTS if role in self.log.columns]
        self.facts |= self.sql.row("impressions", of_impressions=of_impressions, parts=parts)
        suspects = self.sql.keep("suspects", of_impressions=of_impressions) if self.facts["suspects"] else None
        lines = [*self.log.lines, *self.impressions(), *self.signal()]
        positions = self.sql.rows("positions")
        bases = bases_of(self.log, self.counting, self.facts, positions)
        lines += bases.lines
        lines += depth_line(positions, self.counting, "seen" in self.log.columns)
        copies, of_copies = self.copies(suspects)
        lines += [*of_copies, *self.left_out()]
        bots, of_bots = self.bots(of_impressions)
        self.sql.drop("of_impressions")
        unit = self.unit()
        lines += [*of_bots, *self.queries(), unit]
        return Settled(self.facts, bases, copies, bots, lines, unit, self.excluded)

    def impressions(self) -> Iterator[str]:
        """What an impression is, and whether there are some without clicks."""
        facts, label = self.facts, self.log.label
        for what in (what for what, *_ in PARTS if facts.get(f"several_{what}")):
            raise DataError(
                f"{label}: {counted(facts[f'several_{what}'], 'impression', 'has', 'have')} rows of several {what},"
                f" such as {shortened(facts[f'{what}_example'])!r}; an impression is one list that one person saw for"
                f" one query: name its column with {spelt('columns', {'impression_id': 'NAME'})}"
            )
        if not facts["clicks"]:
            raise DataError(
                f"{label}: nothing was clicked in {counted(facts['rows_read'], 'row')}; is it the right column?"
            )
        if facts["clicks"] == facts["rows_read"]:
            raise DataError(
                f"{label}: every row is a click: no row says what was shown and not clicked; export what was shown too,"
                " a row for each document of each list"
            )
        share = percent(facts["without_clicks"] / facts["impressions"])
        yield (
            f"{counted(facts['impressions'], 'impression')} of {counted(facts['rows_read'], 'row')};"
            f" {facts['without_clicks']:,} without a click ({share})"
        )
        if not facts["without_clicks"] and facts["impressions"] > 20:
            yield "every impression has a click: those without were left out, and rates are of impressions with a click"

    def signal(self) -> Iterator[str]:
        """What is taken for a click."""
        signal, label = self.counting.signal, self.log.label
        if signal.kind == "best":
            if not {"cart", "purchase"} & self.log.columns:
                raise DataError(
                    f"{label} has no column of carts or purchases, whose best is a grade; name one with"
                    f" {spelt('columns', {'cart': 'NAME'})}"
                )
            yield "a click is worth 1, what went into the cart 2, what was bought 3: the best of a document counts"
            return
        if signal.kind not in self.log.columns:
            raise DataError(
                f"{label} has no column for {spelt('signal', signal.text)}; name it with"
                f" {spelt('columns', {signal.kind: 'NAME'})}"
            )
        if signal.kind == "dwell":
            unknown = self.facts["without_dwell"]
            yield (
                f"a click counts from {signal.least:g} seconds on;"
                f" {counted(unknown, 'click', 'has', 'have')} no known duration: the last one of an impression counts,"
                " others do not"
            )
        elif signal.kind != "clicked":
            yield (
                f"{signal.text} counts as the click: {counted(self.facts[signal.kind], 'row')}, in addition to"
                f" {self.facts['clicks']:,} with a click"
            )

    def copies(self, suspects: Markup | None) -> tuple[int, Sequence[str]]:
        """How many rows repeat a document of their impression; DataError for many, or for two documents at a place."""
        facts, label = self.facts, self.log.label
        if suspects is None:
            return 0, ()
        found = self.sql.row("copies", suspects=suspects)
        copies, share = int(found["copies"]), found["copies"] / facts["rows_read"]
        repeating = ("repeats a document of its impression", "repeat a document of their impression")
        said = counted(copies, "row", *repeating, between=f" ({percent(share)})")
        if share > MOST_COPIES:
            raise DataError(
                f"{label}: {said}, such as"
                f" {shortened(found['document_example'])!r} in {shortened(found['impression_example'])!r}: is it the"
                " right column of impressions, or was the log joined twice? Keep one row of each"
            )
        self.check_places(suspects)
        self.excluded["copies"] = copies
        return copies, [f"{said}: each counts once"] if copies else []

    def check_places(self, suspects: Markup) -> None:
        """Raise DataError if two documents stand at one place of an impression."""
        if not self.facts["places_short"]:
            return
        found = self.sql.row("shared_places", suspects=suspects)
        if found["findings"]:
            pages = (
                f" or do positions begin anew on each page? Name its column with {spelt('columns', {'page': 'NAME'})}"
            )
            raise DataError(
                f"{self.log.label}: {counted(found['findings'], 'place')} of impressions hold several documents, such"
                f" as place {found['place_example']} of {shortened(found['impression_example'])!r}"
                f" ({shortened(found['documents_example'])}); give each its own position, in a grid row by row;{pages}"
            )

    def left_out(self) -> Iterator[str]:
        """Rows that count for nothing, for what the log says of them."""
        facts, columns = self.facts, self.log.columns
        if "is_ad" in columns and facts["is_ad"]:
            self.excluded["ads"] = facts["is_ad"]
            yield f"{counted(facts['is_ad'], 'row')} of ads: left out, and the others keep their positions"
        if "seen" in columns:
            unseen = self.excluded["unseen"] = facts["rows_read"] - facts["seen"]
            yield f"{counted(unseen, 'row', 'was', 'were')} never seen ({self.log.roles['seen']}): left out"
        if "sort" in columns and facts["sorted_rows"]:
            example, rows = shortened(facts["sorted_example"]), counted(facts["sorted_rows"], "row", "is", "are")
            if self.counting.sorted_too:
                yield f"{rows} of lists whose order the user chose ({example}): counted"
                return
            self.excluded["sorted"] = facts["sorted_rows"]
            yield (
                f"{rows} of lists whose order the user chose ({example}), which no ranker made: left out"
                f" ({spelt('sorted_too')} counts them)"
            )

    def bots(self, of_impressions: Markup) -> tuple[Markup | None, Sequence[str]]:
        """Who does not behave like people, and what it makes of the rate of clicks."""
        if "user_id" not in self.log.columns:
            return None, ()
        bots = self.sql.keep("users", people=of_impressions)
        found = self.sql.row("bots", bots=bots, people=of_impressions)
        if not found["users"]:
            return None, ()
        rest = found["rows_read"] - found["rows_of"]
        rate = found["all_clicks"] / found["rows_read"]
        without = f" and {(found['all_clicks'] - found['clicks']) / rest:.4f} without" if rest else ""
        if self.counting.without_bots:
            self.excluded["bots"] = found["rows_of"]
        among = f" of {found['all_users']:,}"
        way = "left out" if self.counting.without_bots else f"counted ({spelt('exclude_bots')} leaves them out)"
        return bots, [
            f"{counted(found['users'], 'user', 'looks', 'look', among)} automated, such as"
            f" {shortened(found['example'])!r}: {percent(found['rows_of'] / found['rows_read'])} of the rows,"
            f" {percent(found['clicks'] / found['all_clicks'])} of the clicks; the click rate is {rate:.4f} with"
            f" them{without}: {way}"
        ]

    def queries(self) -> Iterator[str]:
        """How the clicks are spread over queries, and which queries may be one."""
        found = self.sql.row("queries")
        self.facts["queries"] = found["queries"]
        share = found["most_clicks"] / found["clicks"]
        if share > TOP_QUERY and found["queries"] >= FEW_QUERIES:
            yield (
                f"{percent(share)} of the clicks belong to one query, {shortened(found['most_example'])!r}:"
                f" {counted(found['queries'], 'query', 'is', 'are')} worth {found['effective']:.1f} of equal weight"
            )
        if found["mergeable"]:
            way = "counted as one" if self.counting.fold else f"told apart ({spelt('fold_queries')} makes them one)"
            yield (
                f"{counted(found['mergeable'], 'query', 'differs', 'differ')} from another in case or outer blanks"
                f" alone ({shortened(found['mergeable_example'])}): {way}"
            )

    def unit(self) -> str:
        """The unit of which each is independent of the others."""
        words = {"user_id": "user", "session_id": "session, as the log knows no users"}
        neither = "impression, as the log knows neither users nor sessions"
        return f"independent unit: {words.get(self.log.unit, neither)}"


def percent(share: float) -> str:
    """A share in percent, with a digit behind the point where it is small."""
    return f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"
