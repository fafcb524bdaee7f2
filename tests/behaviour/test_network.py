"""The dynamic Bayesian network against all that people may have done, and learning against what it maximises."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

import pytest
from markupsafe import Markup

from sqlrank.behaviour.learning import Network, Positions
from sqlrank.behaviour.methods import Prior
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statement.templates import render, sql_text
from tests.behaviour.simulated import PLACES, Shown, logged

ONE = Prior(1, 1)
Impression = tuple[Sequence[str], Sequence[int]]
"""Documents in their order, and whether each was clicked."""

IMPRESSIONS: list[Impression] = [
    ("abcd", (1, 0, 0, 0)),
    ("abcd", (0, 1, 0, 0)),
    ("bacd", (1, 0, 1, 0)),
    ("badc", (0, 0, 0, 0)),
    ("acbd", (1, 1, 0, 0)),
    ("abcd", (0, 0, 0, 1)),
    ("dc", (0, 0)),
    ("d", (1,)),
    ("cab", (0, 0, 1)),
]


def everything_done(length: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """What may have been looked at, attracted and satisfied at each place, and whether people went on from there."""
    for looked in range(1, length + 1):
        for attracted in itertools.product((0, 1), repeat=length):
            for satisfied in itertools.product((0, 1), repeat=length):
                for last in (0, 1):
                    yield tuple(int(place < looked) for place in range(length)), attracted, satisfied, (last,)


def expected(
    impressions: Sequence[Impression], attraction: Mapping[str, float], satisfaction: Mapping[str, float], going: float
) -> dict[str, float]:
    """What a round gives, and the likelihood, by summing over everything that people may have done."""
    sums: dict[str, float] = {"likelihood": 0, "went": 0, "might": 0}
    for documents, clicks in impressions:
        total, length = 0.0, len(documents)
        parts: dict[str, float] = {}
        for looked, attracted, satisfied, (last,) in everything_done(length):
            weight, went, might = 1.0, 0, 0
            for place, name in enumerate(documents):
                a, s = attraction[name], satisfaction[name]
                weight *= a if attracted[place] else 1 - a
                clicked = looked[place] and attracted[place]
                if clicked != clicks[place] or (satisfied[place] and not clicked):
                    weight = 0
                if clicked:
                    weight *= s if satisfied[place] else 1 - s
                goes_on = looked[place + 1] if place + 1 < length else last
                if looked[place] and not satisfied[place]:
                    might, went = might + 1, went + goes_on
                    weight *= going if goes_on else 1 - going
                elif goes_on:
                    weight = 0
            total += weight
            parts["went"] = parts.get("went", 0) + weight * went
            parts["might"] = parts.get("might", 0) + weight * might
            for place, name in enumerate(documents):
                parts[f"a {name}"] = parts.get(f"a {name}", 0) + weight * attracted[place]
                parts[f"s {name}"] = parts.get(f"s {name}", 0) + weight * satisfied[place]
        sums["likelihood"] += math.log(total)
        for name, value in parts.items():
            sums[name] = sums.get(name, 0) + value / total
    return sums


@pytest.fixture
def engine() -> Iterator[DuckDBEngine]:
    found = DuckDBEngine()
    yield found
    found.close()


def places_of(engine: DuckDBEngine, impressions: Sequence[Impression], prior: Prior = ONE) -> Network:
    """The model of some impressions of one query."""
    rows = [
        (number, "q", name, place, clicked)
        for number, (documents, clicks) in enumerate(impressions)
        for place, (name, clicked) in enumerate(zip(documents, clicks, strict=True), 1)
    ]
    kinds = {
        "impression_id": "bigint",
        "query_id": "varchar",
        "doc_id": "varchar",
        "position": "bigint",
        "clicked": "int",
    }
    engine.load("shown", kinds, list(zip(*rows, strict=True)))
    for name, template, context in (
        ("numbered", "pairs", {"rows_of": sql_text("shown")}),
        ("sessions", "sessions", {"impressions": sql_text("shown"), "numbered": sql_text("numbered")}),
        ("places", "places", {"sessions": sql_text("sessions")}),
    ):
        engine.keep(name, render(f"behaviour/learning/{template}.sql", engine.dialect, **context))
    return Network(engine, sql_text("places"), prior)


def test_a_round_is_what_summing_over_everything_gives(engine: DuckDBEngine) -> None:
    network = places_of(engine, IMPRESSIONS)
    names = dict(engine.execute("select pair, doc_id from numbered"))
    attraction, satisfaction, going = dict.fromkeys("abcd", 0.5), dict.fromkeys("abcd", 0.5), 0.5
    shown = {name: sum(documents.count(name) for documents, _ in IMPRESSIONS) for name in "abcd"}
    clicked = {
        name: sum(clicks[documents.index(name)] for documents, clicks in IMPRESSIONS if name in documents)
        for name in "abcd"
    }
    for rounds in range(1, 6):
        found = expected(IMPRESSIONS, attraction, satisfaction, going)
        attraction = {name: (1 + found[f"a {name}"]) / (2 + shown[name]) for name in "abcd"}
        satisfaction = {name: (1 + found[f"s {name}"]) / (2 + clicked[name]) for name in "abcd"}
        going = (1 + found["went"]) / (2 + found["might"])
        network.learn(rounds, None)
        learned = {
            names[pair]: (a, s)
            for pair, a, s in engine.execute(f"select pair, attraction, satisfaction from {network.learned}")
        }
        assert network.going_on() == pytest.approx(going, abs=1e-12)
        for name in "abcd":
            assert learned[name] == pytest.approx((attraction[name], satisfaction[name]), abs=1e-12)
    prior = sum(math.log(v * (1 - v)) for v in (*attraction.values(), *satisfaction.values(), going))
    likelihood = expected(IMPRESSIONS, attraction, satisfaction, going)["likelihood"]
    assert network.posterior() == pytest.approx(likelihood + prior, abs=1e-9)


def test_without_a_prior_it_is_the_likelihood(engine: DuckDBEngine) -> None:
    network = places_of(engine, IMPRESSIONS, Prior(0, 0))
    network.learn(5, None)

    assert network.posterior() == engine.execute("select sum(likelihood) from likely")[0][0]


class Watched(Network):
    """A network that says before each round what it maximises."""

    seen: list[float]

    def likely(self) -> Markup:
        found = super().likely()
        tables = {"likely": found, "network": self.learned, "continuation": self.continuation}
        self.seen.append(sum(self.sql.numbers("network_posterior", **tables)[0]))
        return found


def test_what_the_network_maximises_never_falls(engine: DuckDBEngine) -> None:
    network = places_of(engine, IMPRESSIONS)
    watched = Watched(engine, network.places, ONE)
    watched.seen = []
    learned = watched.learn(14, None)

    assert len(watched.seen) == 15
    assert watched.seen[-1] == learned.posterior
    assert all(later >= earlier - 1e-9 for earlier, later in itertools.pairwise(watched.seen))


def counted(engine: DuckDBEngine, shown: Shown) -> str:
    engine.register("simulated", shown.frame())
    engine.keep(
        "counted",
        "select dense_rank() over (order by query_id, doc_id) as pair, position, count(*) * 1e0 as impressions,"
        " sum(clicked) * 1e0 as clicks from simulated group by query_id, doc_id, position",
    )
    return "counted"


@pytest.mark.parametrize("prior", [ONE, Prior(0, 0)], ids=["prior", "none"])
def test_what_the_position_based_model_maximises_never_falls(engine: DuckDBEngine, prior: Prior) -> None:
    model = Positions(engine, sql_text(counted(engine, logged("pbm", impressions=2000))), prior)
    model.begin()
    found = [model.learn(1, None).posterior for _ in range(25)]

    assert all(later >= earlier - 1e-7 for earlier, later in itertools.pairwise(found))
    assert len(model.propensities()) == PLACES
