"""What a call asks of values, checked as far as no input is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlrank.counterfactual.estimators import CLIPPED, Estimator
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt

LEAST_ESS = 100
"""Below so many effective impressions a value is refused."""
DEVIATIONS = 3
"""How many standard errors the mean weight may be off 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How values are estimated, and what is refused."""

    estimators: list[Estimator]
    """Those asked for; none for the default ones."""
    clip: float | None = None
    min_impressions: int = 5
    """How many impressions a cell has at least."""
    min_support: float = 0.8
    """The least share of its places that is supported, by what their positions earn."""
    anyway: bool = False
    """Whether values are given that the log does not support."""
    interval: str = "delta"
    replicates: int = 1000
    seed: int = 0
    alpha: float = 0.05
    top: int = 1
    """What a document earns at most."""

    def __post_init__(self) -> None:
        if self.clip is None and (found := [one.name for one in self.estimators if one.name in CLIPPED]):
            raise UsageError(
                f"{found[0]} needs {spelt('clip', 'N')}: the largest weight that counts, or by which weights shrink"
            )


def asked_of(options: Mapping[str, Any], estimators: list[Estimator], top: int = 1) -> Asked:
    """What the options of a call, or of a statement, ask for; `top` is what a document earns at most."""
    names = {field.name for field in fields(Asked)} & options.keys() - {"estimators"}
    return Asked(estimators, top=top, **{name: options[name] for name in names})
