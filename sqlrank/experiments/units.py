"""The units of an experiment: what each did in its arm, made of the impressions of a log once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.session import Session
from sqlrank.behaviour.settled import percent
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted, several, shortened
from sqlrank.experiments.asked import Asked, arm_of, coarser, noun_of
from sqlrank.experiments.metrics import ArmMetric
from sqlrank.spelling import spelt
from sqlrank.statement.templates import sql_text

MOST_ARMS = 20
"""Beyond so many arms the column is of something else."""
MOST_LEFT_OUT = 0.05
"""Which share of the units may be in several arms, and of the impressions without a unit."""
ENOUGH = 20
"""From how many users with several units on their arms say what the randomization unit is."""


class Units:
    """Makes the units of the arms of a log, and says what does not count."""

    def __init__(self, engine: DuckDBEngine, session: Session, asked: Asked, metrics: Sequence[ArmMetric]) -> None:
        self.engine, self.session, self.asked, self.metrics = engine, session, asked, list(metrics)
        log = session.log
        self.unit, self.arm, self.label = asked.unit_of(log), arm_of(log), log.label
        self.noun = noun_of(self.unit)
        self.coarse = coarser(self.unit, log)
        self.timed, self.waits = "time" in log.columns, "time_to_click" in [metric.text for metric in metrics]
        if asked.before is not None and not self.timed:
            raise DataError(
                f"{self.label} has no column of times for {spelt('before')}; name it with"
                f" {spelt('columns', {'time': 'NAME'})}"
            )
        known: dict[str, Any] = {
            "metrics": self.metrics,
            "segments": list(log.segments),
            "coarse": self.coarse,
            "waits": self.waits,
        }
        self.sql = Folder(engine, room="experiments", prefix="arms_", doing="counting", **known)
        self.unit_days = self.days()
        self.facts: dict[str, Any] = self.sql.row("facts", unit_days=self.unit_days)
        self.table = self.sql.keep("units", unit_days=self.unit_days)
        """A row for each unit, with its arm, segments and values."""
        self.lines = list(self.settled())
        """What was settled, a line each."""
        bots = session.settled.bots if self.unit == "user_id" and not session.counting.without_bots else None
        self.arms: list[dict[str, Any]] = self.sql.rows("arms", units=self.table, bots=bots)
        """Each arm with its units, impressions, the share of impressions without a click, and bots, by name."""
        self.check_arms()

    def days(self) -> Markup:
        """The table of what each unit did on each day."""
        wanted = dict.fromkeys([self.unit, self.coarse, self.arm, *(["time"] * self.timed)])
        carried = [name for name in wanted if name not in (None, "impression_id")]
        carried += [*(["click_time"] * self.waits), *self.session.log.segments]
        impressions = self.session.cells.impressions([str(name) for name in carried], plain=True)
        before = None if self.asked.before is None else str(self.asked.before)
        context = {
            "impressions": impressions,
            "unit": self.unit,
            "arm": self.arm,
            "timed": self.timed,
            "before": before,
        }
        return self.sql.keep("unit_days", **context)

    def settled(self) -> Iterator[str]:
        """What the units are, and what does not count; DataError for what contradicts itself."""
        facts, nouns = self.facts, several(self.noun)
        yield f"arm column: {self.session.log.roles[self.arm]}; randomization unit: {self.noun} ({self.noun_column})"
        if facts["mixed"]:
            raise DataError(
                f"{self.label}: {counted(facts['mixed'], 'impression', 'has', 'have')} rows of several {nouns}; an"
                " impression is one list for one user: name its column with"
                f" {spelt('columns', {'impression_id': 'NAME'})}"
            )
        if self.waits:
            yield from self.times()
        yield from self.periods()
        if facts["without_unit"]:
            without, share = facts["without_unit"], facts["without_unit"] / facts["impressions"]
            said = counted(without, "impression", "has", "have")
            self.check_share(share, f"{said} no {self.noun}", "is it the right column?")
            yield f"{said} no {self.noun} ({percent(share)}): left out"
        if facts["without_arm"]:
            without, share = facts["without_arm"], facts["without_arm"] / facts["impressions"]
            said = counted(without, "impression", "has", "have")
            yield f"{said} no arm ({percent(share)}): left out{self.earlier()}"
        yield from self.crossing()
        self.check_coarser()

    @property
    def noun_column(self) -> str:
        """The column of the units."""
        return self.session.log.roles[self.unit]

    def times(self) -> Iterator[str]:
        """Clicks of unknown time, or that came before their list; DataError where those are many, or all."""
        facts, leave = (
            self.facts,
            f"name the column with {spelt('columns', {'time': 'NAME'})}, or leave out time_to_click",
        )
        if facts["at_midnight"] > facts["waiting"] / 2:
            raise DataError(
                f"{self.label}: {self.session.log.roles['time']} holds days and no times of lists, so the time to a"
                f" click is unknown; {leave}"
            )
        for name, what in (
            ("backwards", "were clicked before they were shown"),
            ("timeless", "without its time"),
        ):
            if facts[name]:
                share, said = facts[name] / facts["waiting"], counted(facts[name], "impression")
                ways = f"are times of one zone? Else {leave}"
                self.check_share(share, f"{said} with a click {what}", ways)
                yield f"{said} with a click {what} ({percent(share)}): left out of time_to_click"

    def periods(self) -> Iterator[str]:
        """What is before the experiment; DataError where nothing is, or all is."""
        facts, before = self.facts, self.asked.before
        if before is None:
            return
        if facts["without_day"]:
            share, said = facts["without_day"] / facts["impressions"], counted(facts["without_day"], "impression")
            self.check_share(share, f"{said} have no time that can be read", "is it the right column?")
            yield f"{said} have no time that can be read ({percent(share)}): left out"
        days = f"the log is of {facts['first_day']} to {facts['last_day']}"
        if not facts["before"]:
            raise DataError(
                f"{self.label}: no impression is from before {before} ({days}); leave out {spelt('before')}"
            )
        if not facts["since"]:
            raise DataError(f"{self.label}: no impression is from {before} on ({days}): which day did the test begin?")
        said = counted(facts["before"], "impression", "tells", "tell", f" from before {before}")
        yield f"{said} what {several(self.noun)} did before"

    def earlier(self) -> str:
        """That impressions without an arm are what came before the test, where all of them are."""
        begin, end = self.facts["first_with_arm"], self.facts["last_without_arm"]
        if self.asked.before is not None or begin is None or end is None or end >= begin:
            return ""
        return f"; all are from before {begin}, and {spelt('before', begin)} reduces the variance by them"

    def crossing(self) -> Iterator[str]:
        """How many units were in several arms; DataError for many."""
        found = self.sql.row("crossing", units=self.table)
        if not found["units"]:
            raise DataError(f"{self.label}: no impression names both an arm and a {self.noun}")
        if not found["crossing"]:
            return
        crossing = counted(found["crossing"], self.noun, "was", "were", f" of {found['units']:,}")
        said = (
            f"{crossing} in several arms, such as"
            f" {shortened(found['example'])!r} in {shortened(found['one'])!r} and {shortened(found['other'])!r}"
        )
        finer = ["session", "impression"] if self.unit == "user_id" else ["impression"]
        ways = " or ".join(spelt("unit", unit) for unit in finer)
        way = f"; if each list was randomized, {ways}" if self.unit != "impression_id" else ""
        self.check_share(found["crossing"] / found["units"], said, f"their values belong to no arm{way}")
        yield f"{said}: left out"

    def check_share(self, share: float, said: str, ways: str) -> None:
        """Raise DataError if so large a share does not count."""
        if share > MOST_LEFT_OUT:
            raise DataError(
                f"{self.label}: {said} ({percent(share)}; up to {percent(MOST_LEFT_OUT)} are left out): {ways}"
            )

    def check_coarser(self) -> None:
        """Raise DataError if those that have several units were in one arm each: they are the randomization unit."""
        if self.coarse is None:
            return
        found = self.sql.row("coarser", units=self.table)
        if found["several"] >= ENOUGH and found["alone"] > (1 - MOST_LEFT_OUT) * found["several"]:
            noun, nouns = noun_of(self.coarse), several(self.noun)
            raise DataError(
                f"{self.label}: {found['alone']:,} of {counted(found['several'], noun)} with several {nouns}"
                f" {'was' if found['alone'] == 1 else 'were'} in one arm: the randomization unit is the {noun},"
                f" and {nouns} of one {noun} are not independent; leave out {spelt('unit', self.noun)}"
            )

    def check_arms(self) -> None:
        """Raise DataError if there is one arm, or so many that they are none."""
        names = [row["arm"] for row in self.arms]
        column = self.session.log.roles[self.arm]
        if len(names) > MOST_ARMS:
            shown = ", ".join(shortened(name) for name in names[:3])
            raise DataError(
                f"{self.label}: {column} holds {len(names):,} arms, such as {shown}; is it the right column?"
                f" Name it with {spelt('columns', {'arm': 'NAME'})}, and leave out others with {spelt('where')}"
            )
        if len(names) < 2:
            raise DataError(
                f"{self.label}: {column} names one arm, {names[0] if names else 'none'!r}; a test needs two: name its"
                f" column with {spelt('columns', {'arm': 'NAME'})}"
            )

    def relation(self, adjusted: Markup | None = None) -> Markup:
        """The units as a comparison reads queries, with their values, or those that are adjusted in another table."""
        return sql_text(self.sql.text("compared", **self.values(adjusted)).strip())

    def per_unit(self, adjusted: Markup | None = None) -> str:
        """The statement of the same for a reader."""
        return self.sql.text("per_unit", **self.values(adjusted))

    def values(self, adjusted: Markup | None) -> dict[str, Any]:
        """Where the values of units are."""
        found = (
            {"units": self.table, "column": "value"} if adjusted is None else {"units": adjusted, "column": "adjusted"}
        )
        return found | {"named": list(self.session.log.segments.items())}
