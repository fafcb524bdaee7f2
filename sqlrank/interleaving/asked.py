"""What a call on interleaved lists asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sqlrank.errors import UsageError, no_such_word
from sqlrank.interleaving.designs import Design
from sqlrank.spelling import spelt

ACTIONS = {"click": "clicked", "cart": "cart", "purchase": "purchase"}
"""The columns of what may be worth something, by what they are called in a credit."""
CLICKS: Mapping[str, float] = MappingProxyType({"clicked": 1})
"""What each action is worth where nothing else is said, by column."""


@dataclass(frozen=True, slots=True)
class Credit:
    """How much what was done with a document is worth to the ranker that picked it."""

    kind: str
    """`count`, `any`, `first`, `last`, `win`, or `weights`."""
    weights: Mapping[str, float] = field(default_factory=lambda: CLICKS)
    """What each action is worth, by column."""

    @property
    def text(self) -> str:
        """The same as it is typed."""
        names = {column: name for name, column in ACTIONS.items()}
        return self.kind if self.kind != "weights" else ",".join(f"{names[c]}={w:g}" for c, w in self.weights.items())


@dataclass(frozen=True, slots=True)
class Asked:
    """How votes are made of a log, and what is made of them."""

    design: Design
    credit: Credit
    unit: str | None
    """What votes: `impression`, `session` or `user`; None for the best that the log knows."""
    test: str | None
    """`sign`, `t` or `randomization`; None for `randomization` where each unit stands for itself, else `t`."""
    sequential: bool
    baseline: str | None
    alpha: float
    correction: str
    replicates: int
    seed: int
    tau: float
    """How fast the chance of a pick falls with its rank, of probabilistic lists."""


def credit_of(design: Design, text: str | None) -> Credit:
    """The credit of a text, such as `count` or `cart=3,purchase=10`; UsageError for one that is not known."""
    if text is None or "=" not in text:
        kind = text or design.credits[0]
        if kind not in design.credits or kind == "weights":
            ways = [each if each != "weights" else "ACTION=WORTH,..." for each in design.credits]
            raise no_such_word(spelt("credit", kind), kind, ways)
        return Credit(kind)
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, _, worth = (piece.strip() for piece in part.partition("="))
        if name not in ACTIONS:
            raise no_such_word(spelt("credit", name), name, ACTIONS)
        weights[ACTIONS[name]] = worth_of(name, worth)
    return Credit("weights", weights)


def worth_of(name: str, text: str) -> float:
    """What an action is worth; UsageError for what is no number above 0."""
    try:
        worth = float(text)
    except ValueError:
        worth = 0.0
    if not 0 < worth < float("inf"):
        raise UsageError(f"{spelt('credit', f'{name}={text}')}: give a number above 0, such as {name}=3")
    return worth
