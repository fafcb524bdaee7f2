"""The log of `test_hostile_logs` as the events of a site, of which exports are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tests.behaviour.test_hostile_logs import Row, Rows, number_of

START = datetime(2026, 11, 1, 8, tzinfo=UTC)
USERS = 60


@dataclass(frozen=True)
class Shown:
    """A list that was shown to a user, with what was clicked in it."""

    user: str
    session: int
    """A number that other users have too, with two lists in each."""
    time: datetime
    query: str
    rows: list[Row]

    @property
    def clicked(self) -> Iterator[tuple[datetime, Row]]:
        """What was clicked, a second for each position later."""
        for row in self.rows:
            if row["clicked"]:
                yield self.time + timedelta(seconds=10 + row["position"]), row


def shown(rows: Rows) -> list[Shown]:
    """The lists of a log, ten minutes apart."""
    numbers = dict.fromkeys(number_of(row) for row in rows)
    lists = {number: [row for row in rows if number_of(row) == number] for number in numbers}
    return [
        Shown(
            user=same[0]["user_id"],
            session=1_700_000_000 + number // (2 * USERS),
            time=START + timedelta(minutes=10 * number),
            query=same[0]["query_id"],
            rows=sorted(same, key=lambda row: row["position"]),
        )
        for number, same in lists.items()
    ]


def micros(time: datetime) -> int:
    """Microseconds since 1970."""
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
