"""The estimators of what a ranking would have earned, and what each assumes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlrank.choices import VALUE_ESTIMATORS
from sqlrank.errors import UsageError, no_such_word
from sqlrank.spelling import spelt

DCG = re.compile(r"(?P<name>(?:sn)?ips_dcg)@(?P<k>[1-9][0-9]{0,8})\Z")
"""A discounted cumulative gain from clicks, with its cutoff."""
CORRECTED = ("dr", "sn-dr", "switch-dr", "dr-os", "dm")
"""Those that also expect a reward of each document."""
CLIPPED = ("switch-dr", "dr-os")
"""Those that take --clip for their parameter."""
MODELS = {
    "list": "weights of whole lists: nothing is assumed of how people look, and few lists match",
    "item-position": "a click depends on the document and its position alone, not on the documents around it",
    "cascade": "a click depends on the document and those above it, not on those below",
    "pbm": "whether a position is looked at depends on the position alone, as the propensities say, and a click on"
    " looking and the document (position-based model)",
    "document": "a click depends on the document alone, wherever it stands",
    "expected": "a click depends on the document and those above it, and rewards are as expected or the propensities"
    " as logged",
    "dcg": "whether a position is looked at depends on the position alone, as the propensities say; a gain counts by"
    " the discount of its rank, and is not a click",
}
"""What each way of weighting assumes about people."""
CITED = {
    "list": "",
    "item-position": "Li et al., KDD 2018",
    "cascade": "McInerney et al., KDD 2020",
    "pbm": "Li et al., KDD 2018",
    "document": "Li et al., KDD 2018",
    "expected": "Kiyohara et al., WSDM 2022",
    "dcg": "Joachims, Swaminathan and Schnabel, WSDM 2017",
}
"""Where each is from."""


@dataclass(frozen=True, slots=True)
class Estimator:
    """One way to estimate what a ranking would have earned."""

    name: str
    """As it is asked for, such as `item-position` or `ips_dcg@10`."""
    model: str
    """What it weights by: a key of `MODELS`."""
    normalised: bool = False
    """Whether it is divided by the sum of its weights in place of the impressions."""
    cutoff: int | None = None
    """The last rank that counts."""

    @property
    def assumes(self) -> str:
        """What it assumes, for the line next to the number."""
        cited = f" ({CITED[self.model]})" if CITED[self.model] else ""
        return f"{self.name}: {MODELS[self.model]}{cited}"

    @property
    def examines(self) -> bool:
        """Whether it needs to know how likely positions are looked at."""
        return self.model in ("pbm", "dcg")

    @property
    def clicks(self) -> bool:
        """Whether it estimates rewards of an impression, as the log has them."""
        return self.model != "dcg"


def estimator_of(text: str) -> Estimator:
    """The estimator of a text; UsageError for one that is not known."""
    name = text.strip().lower()
    if found := DCG.match(name):
        return Estimator(name, "dcg", found["name"].startswith("sn"), int(found["k"]))
    if name not in VALUE_ESTIMATORS:
        raise no_such_word(spelt("estimators", text), text, [*VALUE_ESTIMATORS, "ips_dcg@10", "snips_dcg@10"])
    if name in CORRECTED:
        return Estimator(name, "expected", name == "sn-dr")
    return Estimator(name, name.removeprefix("sn-"), name.startswith("sn-"))


def estimators_of(asked: str | Sequence[str] | None) -> list[Estimator]:
    """The estimators that were asked for, each once; none for the default ones."""
    texts = [] if asked is None else [asked] if isinstance(asked, str) else list(asked)
    if asked is not None and not texts:
        raise UsageError("the list of estimators is empty")
    return [estimator_of(text) for text in dict.fromkeys(texts)]
