"""Write the tables of trials, the cells that are in words, and the picture: `python -m tests.trials [TABLE...]`."""

from __future__ import annotations

import sys

from tests.judging.pooling import trials as pooling
from tests.pages.parts import write_parts
from tests.support.trials_agreement import rows_of_agreement
from tests.trials import (
    arms,
    corrected,
    differences,
    draws,
    few,
    interleaving,
    means,
    pairs,
    plans,
    sequences,
    value,
    verdicts,
)
from tests.trials.cells import in_words
from tests.trials.picture import draw

TABLES = {
    "means": means.of_means,
    "limits": means.of_limits,
    "draws": draws.of_draws,
    "clusters": differences.of_clusters,
    "differences": differences.of_differences,
    "ties": differences.of_ties,
    "pairs": pairs.of_pairs,
    "arms": arms.of_arms,
    "gsb": verdicts.of_verdicts,
    "looks": sequences.of_looks,
    "agreement": rows_of_agreement,
    "plans": plans.of_plans,
    "interleaving": interleaving.of_interleaving,
    "votes": interleaving.of_votes,
    "value": value.of_value,
    "biases": value.of_biases,
    "corrected": corrected.of_corrected,
    "pool": pooling.rows,
}
"""What makes each table, by name."""


def main(names: list[str]) -> None:
    """Write the tables of these names, or all."""
    for name in names or TABLES:
        write_parts({f"trials {name}": list(TABLES[name]())})
    few.record(names or TABLES)
    write_parts({"trials in words": in_words()})
    draw()


if __name__ == "__main__":
    main(sys.argv[1:])
