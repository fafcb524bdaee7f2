"""What is learned round by round, by expectation and maximisation over counts that are made once."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.methods import Prior
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statistics.matrices import Matrix, inverse

ROUNDS = 500
"""How many rounds there are at most."""
TOLERANCE = 1e-4
"""What the largest change of a round has to stay below for the last one to be the last."""
START = 0.5
"""What everything is before the first round."""


@dataclass(frozen=True, slots=True)
class Learned:
    """How learning went."""

    rounds: int
    moved: float
    """The largest change of the last round."""
    posterior: float
    """The logarithm of what was maximised: the likelihood of the clicks, times the prior."""
    missed: float | None = None
    """What the last round had to stay below and did not, where there were rounds enough before."""

    @property
    def line(self) -> str:
        """The same in words."""
        moved = f"{self.rounds} rounds, of which the last changed {self.moved:.1g} at most"
        still = "" if self.missed is None else f", still more than {self.missed:g}: --rounds N learns longer"
        return f"{moved}{still}; log posterior {self.posterior:.6f}"


def missed(moved: float, tolerance: float | None) -> float | None:
    """The tolerance, if the last round did not stay below it."""
    return tolerance if tolerance is not None and moved >= tolerance else None


class Positions:
    """The position-based model: how attractive documents are, and how likely positions are looked at."""

    def __init__(
        self, engine: DuckDBEngine, counted: Markup, prior: Prior, prefix: str = "", known: Markup | None = None
    ) -> None:
        self.sql = Folder(engine, "learning", prefix=prefix, prior=prior, start=START)
        self.counted, self.known, self.rounds = counted, known, 0
        self.attraction = self.examination = Markup("")

    @property
    def tables(self) -> dict[str, Markup]:
        """What its statements read."""
        return {"counted": self.counted, "attraction": self.attraction, "examination": self.examination}

    def begin(self, start: float = START, falling: bool = False) -> None:
        """Hold all documents for equally attractive, and positions for equal too, or for the less the further down."""
        self.attraction = self.sql.keep("attraction_0", "start_attraction", counted=self.counted, start=start)
        self.examination = self.known or self.sql.keep(
            "examination_0", "start_examination", counted=self.counted, falling=falling
        )

    def learn(self, rounds: int = ROUNDS, tolerance: float | None = TOLERANCE) -> Learned:
        """Learn until nothing moves, or for so many rounds more."""
        moved, last = float("inf"), self.rounds + rounds
        while self.rounds < last and (tolerance is None or moved >= tolerance):
            self.rounds += 1
            tables = self.tables
            attraction = self.sql.keep(f"attraction_{self.rounds % 2}", "attraction", **tables)
            examination = self.known or self.sql.keep(f"examination_{self.rounds % 2}", "examination", **tables)
            self.attraction, self.examination = attraction, examination
            moved = self.sql.number("moved", attraction=attraction, examination=None if self.known else examination)
        return Learned(self.rounds, moved, self.posterior(), missed(moved, tolerance))

    def posterior(self) -> float:
        """The logarithm of what is maximised."""
        return sum(map(float, self.sql.numbers("posterior", **self.tables)[0]))

    def covariance(self) -> tuple[list[int], Matrix | None]:
        """The positions beside the first, and how what is known of them varies; None where the log does not say it."""
        rows = self.sql.numbers("information", **self.tables)
        at = {(one, other): float(information) for one, other, information in rows}
        positions = sorted({one for one, _ in at})[1:]
        return positions, inverse([[at.get((one, other), 0.0) for other in positions] for one in positions])

    def propensities(self) -> dict[int, float]:
        """How likely each position is looked at."""
        return dict(self.sql.numbers("examined", examination=self.examination))


class Network:
    """The dynamic Bayesian network: attraction and satisfaction of documents, and how likely people go on."""

    def __init__(self, engine: DuckDBEngine, places: Markup, prior: Prior) -> None:
        self.sql = Folder(engine, "learning", prior=prior, start=START)
        self.places = places
        self.learned = self.continuation = Markup("")

    def learn(self, rounds: int = ROUNDS, tolerance: float | None = TOLERANCE) -> Learned:
        """Learn until nothing moves, or for so many rounds."""
        self.learned = self.sql.keep("network_0", "start_network", places=self.places)
        self.continuation = self.sql.keep("continuation_0", "continuation", likely=None)
        moved, number = float("inf"), 0
        while number < rounds and (tolerance is None or moved >= tolerance):
            number += 1
            likely = self.likely()
            learned = self.sql.keep(f"network_{number % 2}", "learned", likely=likely)
            continuation = self.sql.keep(f"continuation_{number % 2}", "continuation", likely=likely)
            tables = {"learned": learned, "network": self.learned, "continuation": continuation}
            moved = self.sql.number("network_moved", before=self.continuation, **tables)
            self.learned, self.continuation = learned, continuation
        return Learned(number, moved, self.posterior(), missed(moved, tolerance))

    def likely(self) -> Markup:
        """What is likely of each place of the impressions."""
        tables = {"places": self.places, "network": self.learned, "continuation": self.continuation}
        return self.sql.keep("likely", "network", **tables)

    def posterior(self) -> float:
        """The logarithm of what is maximised."""
        tables = {"likely": self.likely(), "network": self.learned, "continuation": self.continuation}
        return sum(map(float, self.sql.numbers("network_posterior", **tables)[0]))

    def going_on(self) -> float:
        """How likely people go on to the next document."""
        return self.sql.number("going_on", continuation=self.continuation)
