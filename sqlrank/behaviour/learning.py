"""What is learned round by round, by expectation and maximisation over counts that are made once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.methods import Prior
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.spelling import spelt
from sqlrank.statistics.matrices import Matrix, inverse

ROUNDS = 500
"""How many rounds there are at most."""
TOLERANCE = 1e-4
"""What the largest change of a round has to stay below for the last one to be the last."""
START = 0.5
"""What everything is before the first round."""
NEAR = 0.99
"""How likely the position that is looked at most may be taken to be; at 1 no click could ever speak against it."""
OF_DOCUMENTS = {"key": "pair", "learned": "attraction", "beside": "propensity"}
OF_POSITIONS = {"key": "position", "learned": "propensity", "beside": "attraction"}
"""The two sides of the position-based model: whose they are, what is learned of them, and which of the other."""


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
        moved = f"{self.rounds} rounds, the last of which changed at most {self.moved:.1g}"
        still = (
            "" if self.missed is None else f", still more than {self.missed:g}: {spelt('rounds', 'N')} learns longer"
        )
        return f"{moved}{still}; log posterior {self.posterior:.6f}"


def missed(moved: float, tolerance: float | None) -> float | None:
    """The tolerance, if the last round did not stay below it."""
    return tolerance if tolerance is not None and moved >= tolerance else None


class Believed(NamedTuple):
    """What is held for true after a round of the position-based model: two tables."""

    attraction: Markup
    """pair, attraction, and how far it moved."""
    examination: Markup
    """position, propensity, and how far it moved."""


class Positions:
    """The position-based model: how attractive documents are, and how likely positions are looked at."""

    def __init__(
        self, engine: DuckDBEngine, counted: Markup, prior: Prior, prefix: str = "", known: Markup | None = None
    ) -> None:
        self.sql = Folder(engine, "learning", prefix=prefix, prior=prior, start=START)
        self.prior, self.counted, self.known, self.rounds, self.moved = prior, counted, known, 0, math.inf
        self.now = Believed(Markup(""), Markup(""))

    @property
    def tables(self) -> dict[str, Markup]:
        """What its statements read."""
        return {"counted": self.counted} | self.now._asdict()

    def begin(self, start: float = START, falling: bool = False) -> None:
        """Hold all documents for equally attractive, and positions for equal too, or for the less the further down."""
        attraction = self.sql.keep("attraction_first", "start_attraction", counted=self.counted, start=start)
        examination = self.known or self.sql.keep(
            "examination_first", "start_examination", counted=self.counted, falling=falling
        )
        self.now = Believed(attraction, examination)

    def learn(self, rounds: int = ROUNDS, tolerance: float | None = TOLERANCE) -> Learned:
        """Learn until nothing moves, or for so many rounds more."""
        last = self.rounds + rounds
        if tolerance is None:
            while self.rounds < last:
                self.now = self.after(self.now, "second" if self.rounds % 2 else "third")
        else:
            self.settle(last, tolerance)
        return Learned(self.rounds, self.moved, self.posterior(self.now), missed(self.moved, tolerance))

    def settle(self, last: int, tolerance: float) -> None:
        """Learn until nothing moves or the last round is over, and skip rounds that lead where others have led.

        What is skipped is a step of squared extrapolation (R. Varadhan and C. Roland, Scandinavian Journal of
        Statistics 35, 2008, scheme S3), which counts where it makes the clicks more likely.
        """
        best = -math.inf
        while self.rounds < last and self.moved >= tolerance:
            start, once = self.now, self.after(self.now, "second")
            self.now = twice = self.after(once, "third")
            if self.moved >= tolerance:
                ahead = self.after(self.ahead(start, once, twice), "first")
                likely = self.posterior(ahead)
                self.now = self.rescaled(ahead if likely >= best else self.after(twice, "first"))
                best = max(likely, best)

    def after(self, believed: Believed, slot: str) -> Believed:
        """What is held for true after one round more, in the tables of a slot."""
        tables = {"counted": self.counted} | believed._asdict()
        attraction = self.sql.keep(f"attraction_{slot}", "improved", **tables, **OF_DOCUMENTS)
        examination = self.known or self.sql.keep(f"examination_{slot}", "improved", **tables, **OF_POSITIONS)
        self.rounds += 1
        self.moved = self.sql.number("moved", attraction=attraction, examination=None if self.known else examination)
        return Believed(attraction, examination)

    def ahead(self, start: Believed, once: Believed, twice: Believed) -> Believed:
        """Where two rounds lead, if others do as they did."""
        sides = [
            side | {"start": start[n], "once": once[n], "twice": twice[n]}
            for n, side in enumerate((OF_DOCUMENTS, OF_POSITIONS)[: 1 if self.known else 2])
        ]
        step = max(1.0, self.sql.number("step", sides=sides))
        found = [self.sql.keep(f"{side['learned']}_ahead", "ahead", side=side, step=step) for side in sides]
        return Believed(found[0], self.known or found[1])

    def rescaled(self, believed: Believed) -> Believed:
        """The same with the most likely position near 1, which leaves room to the attractions, where no prior minds."""
        if self.known or self.prior.a or self.prior.b:
            return believed
        factor = min(1.0, self.sql.number("top", examination=believed.examination) / NEAR)
        attraction = self.sql.keep(
            "attraction_scaled", "rescaled", before=believed.attraction, factor=factor, **OF_DOCUMENTS
        )
        examination = self.sql.keep(
            "examination_scaled", "rescaled", before=believed.examination, factor=1 / factor, **OF_POSITIONS
        )
        return Believed(attraction, examination)

    def posterior(self, believed: Believed) -> float:
        """The logarithm of what is maximised."""
        return sum(
            map(float, self.sql.numbers("posterior", counted=self.counted, known=self.known, **believed._asdict())[0])
        )

    def covariance(self) -> tuple[list[int], Matrix | None]:
        """The positions after the first, and how what is known of them varies; None where the log does not say it."""
        rows = self.sql.numbers("information", **self.tables)
        at = {(one, other): float(information) for one, other, information in rows}
        positions = sorted({one for one, _ in at})[1:]
        return positions, inverse([[at.get((one, other), 0.0) for other in positions] for one in positions])

    def propensities(self) -> dict[int, float]:
        """How likely each position is looked at."""
        return dict(self.sql.numbers("examined", examination=self.now.examination))


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
        moved, number = math.inf, 0
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
