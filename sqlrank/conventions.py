"""The conventions that decide what a number means: each named, with its choices and its default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from sqlrank.errors import UsageError, no_such_word
from sqlrank.spelling import plain, spelt

TIES = ("doc-desc", "doc-asc", "number-desc", "rank", "input")
"""The orders of ties that need no judgments."""
JUDGED_TIES = ("best", "worst", "average", "error")
"""Those that do: a document has no place in them that holds whatever is judged."""


NUMBER = "N"
"""The choice of a convention that stands for any number above 0."""


def convention(default: Any, text: str, choices: dict[str, str] | None = None, unset: str = "all") -> Any:
    """A field of `Conventions` with what help and errors show: a text, the choices, and what None stands for."""
    return field(default=default, metadata={"help": text, "choices": choices, "unset": unset})


@dataclass(frozen=True, slots=True)
class Conventions:
    """How a ranking is formed and what counts; the defaults are those of trec_eval 10 with `-c`."""

    rel: float = convention(1.0, "smallest relevance that counts as relevant")
    top_relevance: float | None = convention(
        None,
        "highest relevance grade, for bounds, pools and metrics that read it; a judgment above it is an error",
        unset="the largest judged",
    )
    ties: str = convention(
        "doc-desc",
        "order of documents with equal scores",
        {
            "doc-desc": "larger document id first, by bytes",
            "doc-asc": "smaller document id first, by bytes",
            "number-desc": "larger document id first, where ids are whole numbers",
            "rank": "by the rank column",
            "input": "in the order of the input",
            "best": "more relevant first: the upper bound",
            "worst": "less relevant first: the lower bound",
            "average": "the mean over all orders",
            "error": "stop if ties could change a value",
        },
    )
    order: str = convention(
        "desc",
        "order of the scores",
        {
            "desc": "larger is better",
            "asc": "smaller is better: distances",
            "rank": "ranks are taken from the rank column, gaps included",
        },
    )
    score_type: str = convention(
        "double", "precision at which scores are compared", {"double": "64 bit", "float": "32 bit"}
    )
    depth: int | None = convention(None, "keep only the first N of each ranking, before anything else")
    query_set: str = convention(
        "judged",
        "queries included in the mean",
        {
            "judged": "every judged query; one without results counts as 0",
            "shared": "queries that are judged and have results",
            "run": "every query with results; one without judgments has nothing to find",
        },
    )
    empty: str = convention(
        "zero",
        "value of a query without relevant documents (or without positive gain)",
        {"zero": "0", "one": "1", "skip": "left out of the mean", "error": "stop with an error"},
    )
    unjudged: str | float = convention(
        "nonrelevant",
        "how unjudged documents count",
        {
            "nonrelevant": "as not relevant",
            "remove": "removed before ranks are counted, as are negative judgments",
            NUMBER: "as one of that relevance; the ideal ranking is made of the judgments alone",
        },
    )
    duplicates: str = convention(
        "error",
        "document that occurs twice in one ranking",
        {"error": "stop with an error", "best": "keep the better rank", "first": "keep the first row of the input"},
    )
    collapse: str = convention(
        "none",
        "chunks of one document, as rows of one ranking",
        {
            "none": "a document appears once: see --duplicates",
            "best": "the document has the best score of its chunks",
            "first": "that of the first of them in the input",
            "sum": "the sum of their scores",
        },
    )
    judgments: str = convention(
        "error",
        "several judgments of one document for one query",
        {"error": "stop with an error", "max": "the highest", "mean": "the mean"},
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            choices, value = item.metadata["choices"], getattr(self, item.name)
            if choices and NUMBER in choices and value not in choices.keys() - {NUMBER}:
                object.__setattr__(self, item.name, above_zero(item.name, value, choices))
            elif choices and value not in choices:
                raise no_such_word(spelt(item.name, value), value, choices)
        if not math.isfinite(self.rel):
            raise UsageError(f"{spelt('rel', self.rel)} is not a finite number")
        if self.top_relevance is not None and not (math.isfinite(self.top_relevance) and self.top_relevance > 0):
            raise UsageError(
                f"{spelt('top_relevance', self.top_relevance)} is not a finite number above 0; give one such as 3"
            )
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"{spelt('depth', self.depth)} keeps nothing; give 1 or more")
        if self.grade_of_unjudged is not None and self.ties in ("best", "worst"):
            raise UsageError(
                f"{spelt('ties', self.ties)} orders by what was judged, and {spelt('unjudged', self.unjudged)} makes up"
                " judgments; choose one of them"
            )
        if self.collapse != "none":
            self.check_collapse()
        if self.order == "rank":
            for option, counts in (
                (spelt("depth", self.depth), self.depth is not None),
                (spelt("unjudged", "remove"), self.unjudged == "remove"),
            ):
                if counts:
                    raise UsageError(
                        f"{option} counts places, which {spelt('order', 'rank')} takes as given; choose one of them"
                    )

    def check_collapse(self) -> None:
        """Raise UsageError where the chunks of a document cannot be taken together so."""
        for option, refused in (
            (spelt("duplicates", self.duplicates), self.duplicates != "error"),
            (spelt("order", "rank"), self.order == "rank"),
            (spelt("order", "asc"), self.order == "asc" and self.collapse == "sum"),
        ):
            if refused:
                raise UsageError(
                    f"{spelt('collapse', self.collapse)} makes one score of those of the chunks; leave out {option}"
                )

    @property
    def needs_judgments(self) -> bool:
        """Whether the order or the choice of documents depends on their judgments or their copies."""
        return self.copies != "error" or self.ties in ("best", "worst") or self.unjudged != "nonrelevant"

    @property
    def copies(self) -> str:
        """What becomes of rows of one document: `error`, `best`, `first` or `sum`."""
        return self.duplicates if self.collapse == "none" else self.collapse

    @property
    def grade_of_unjudged(self) -> float | None:
        """The relevance that a document without a judgment counts as; None where it counts as none."""
        return self.unjudged if isinstance(self.unjudged, float) else None

    def to_dict(self) -> dict[str, str | float | int | None]:
        """Every convention and its value, in the order in which they are printed."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def describe(self) -> str:
        """All conventions on one line, as printed with the numbers."""
        return described(self.to_dict())

    def of_statement(self, leveled: bool) -> str:
        """Those that a statement follows, on one line: what it cannot stop at is an assumption, and no convention.

        `leveled` says whether a metric has a level of relevance.
        """
        idle = {"rel"} if not leveled else set()
        idle |= {"ties", "score_type"} if self.order == "rank" else set()
        idle |= {"collapse"} if self.collapse == "none" else set()
        followed = {name: value for name, value in self.to_dict().items() if name not in idle and value != "error"}
        return described(followed)

    def in_short(self, tool: str = "") -> str:
        """Whose conventions they are, and those that are not the usual ones; `tool` is that of --like."""
        usual = type(self)().to_dict()
        unlike = described({name: value for name, value in self.to_dict().items() if value != usual[name]})
        if tool:
            return ": ".join([f"like {tool}", *filter(None, [unlike])])
        return ", but ".join(["trec_eval's conventions", *filter(None, [unlike])])


def described(values: Mapping[str, object]) -> str:
    """Conventions and their values as they are printed, without those that are None."""
    return ", ".join(f"{name.replace('_', '-')}={plain(value)}" for name, value in values.items() if value is not None)


def above_zero(name: str, value: object, choices: dict[str, str]) -> float:
    """The number that a convention is, as a number or its text; UsageError if it is neither that nor a word."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except ValueError:
        raise no_such_word(spelt(name, value), value, choices) from None
    if not 0 < number < math.inf:
        raise UsageError(f"{spelt(name, value)} is not a finite number above 0; give one such as 1")
    return number
