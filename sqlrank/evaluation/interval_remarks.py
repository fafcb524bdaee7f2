"""What is said of the intervals and the bounds of means."""

from __future__ import annotations

from typing import NamedTuple

from sqlrank.statistics.student import CONFIDENCE, effective_in_words

BOUNDED = (
    "(to ...) the value were every document without a judgment as relevant as {top}; without further judgments it is"
    " the one shown, and between them however the rest is judged"
)
"""What the bounds beside a value are."""


class Methods(NamedTuple):
    """How the intervals of the means were computed."""

    wilson: bool
    """Whether one is Wilson's."""
    two_values: bool
    """Whether one is the wider of Wilson's and Student's."""
    hall: bool
    """Whether one is Hall's."""
    alike: bool
    """Whether a mean has none because all its values are alike."""
    uneven: bool
    """Whether one has ends that are not equally far from the mean."""
    withheld: int
    """How many means of several queries have none."""
    fewest: float | None
    """The smallest effective number of queries of a mean."""
    most: float | None
    """The largest."""

    def in_words(self, weighted: bool, clusters: tuple[int, str] | None) -> str:
        """The line that says how the intervals are computed; `clusters` are how many, and what they are named by."""
        mean = "mean, weighted" if weighted else "mean"
        text = f"± half-width of the {CONFIDENCE} confidence interval of the {mean} (Student's t)"
        if self.uneven:
            wilson = ["Wilson's interval where every value is 0 or 1"] * self.wilson
            hall = ["Hall's interval where the mean is skewed"] * self.hall
            text += "; ".join([", + and - where its ends are not equally far", *wilson, *hall])
        text += "; the outer ends of Wilson's and Student's where there are two other values" * self.two_values
        text += "; none where all values are alike" * self.alike
        if weighted and self.fewest is not None and self.most is not None:
            text += f"; {effective_in_words(self.fewest, self.most, 'clusters' if clusters else 'queries')}"
        if clusters is not None:
            number, column = clusters
            text += f"; standard errors are robust to {number} clusters of queries (--cluster {column})"
        return text
