"""List the tests that the default run has no time for: `python -m tests.dear LEDGER SECONDS`.

LEDGER is a folder that a run has filled, SECONDS how long the default run may take on one core. The dearest tests go to
the other run, all cases of a test together, until the rest fits; what is worked out by hand stays.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from tests.ledger import collected, lines_of
from tests.support.needs import DEAR

STAY = (
    "tests/inputs/test_checks.py::test_bad_input_is_refused",
    "tests/metrics/",
    "tests/peers/test_golden.py::test_every_value_is_that_of_the_tool",
    "tests/statement/test_statements.py::test_the_statement_is_the_golden_one",
    "tests/whole/test_safety.py",
    "tests/whole/test_worked_examples.py",
    "tests/whole/test_worked_rows.py",
    "tests/whole/test_wrong_values.py",
)
"""How the names begin of tests that every run asks, whatever they take."""


def main(arguments: list[str]) -> None:
    """Write the list, in order of the names."""
    folder, most = Path(arguments[0]), float(arguments[1])
    DEAR.write_text("", encoding="utf-8")  # so that what was on it is weighed again
    default = {test for test, needed in collected(folder).items() if not needed}
    seconds: dict[str, float] = defaultdict(float)
    for test, _, taken in lines_of(folder):
        if test in default:
            seconds[test.partition("[")[0]] += taken
    whole, listed = sum(seconds.values()), list[str]()
    for test in sorted(seconds, key=lambda test: -seconds[test]):
        if whole > most and not test.startswith(STAY):
            listed.append(f"{test} {seconds[test]:.2f}\n")
            whole -= seconds[test]
    DEAR.write_text("".join(sorted(listed)), encoding="utf-8")
    sys.stdout.write(f"{len(listed)} of {len(seconds)} tests are dear; the others take {whole:.0f} s\n")


if __name__ == "__main__":
    main(sys.argv[1:])
