"""Does the default run notice a wrong token? `python -m tests.mutants [--draw N | --again] [FOLDER or FILE...]`.

One token of a template, or of a module of numbers, is changed in a copy of the project, and the default tests that
reach the file are asked until one fails. Printed is what nobody noticed. All changes of a folder are tried, or N drawn
from it. What is found is kept in tests/mutants.json, by file with a digest of its text; a survivor that changes no
value stands in tests/equal_mutants.toml with the reason.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from itertools import groupby

from tests.mutants.asking import serve, tried
from tests.mutants.changes import Mutant, mutants_of, sources_of
from tests.mutants.record import FOLDERS, equal, keep, recorded_mutants


def main(arguments: list[str]) -> int:
    """Try the changes; 1 where one that is not known to be equal was not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("paths", nargs="*", default=FOLDERS)
    parser.add_argument("--draw", type=int, help="how many of all changes to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="try those that were not noticed the last time")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.serve:
        return serve()
    mutants = [mutant for path in sources_of(*chosen.paths) for mutant in mutants_of(path)]
    known, record = equal(), recorded_mutants()
    mutants = [mutant for mutant in mutants if (mutant.path, mutant.name) not in known]
    if chosen.again:
        mutants = [mutant for mutant in mutants if mutant.name in record.get(mutant.path, {}).get("unnoticed", ())]
    if chosen.draw:
        drawn = random.Random(chosen.seed).sample(mutants, min(chosen.draw, len(mutants)))
        mutants = sorted(drawn, key=lambda mutant: (mutant.path, mutant.start))
    found: dict[Mutant, str | None] = {}
    for _, of_file in groupby(tried(mutants, chosen.processes), lambda pair: pair[0].path):
        of_one = dict(of_file)
        keep(of_one, chosen.again)  # at once, for whoever stops it
        found |= of_one
    unnoticed = [mutant for mutant, test in found.items() if test is None]
    for mutant in unnoticed:
        sys.stdout.write(f"unnoticed: {mutant.path}: {mutant.name}\n")
    share = 1 - len(unnoticed) / max(len(found), 1)
    sys.stdout.write(f"{len(found)} changes, {len(unnoticed)} unnoticed: {share:.1%} were noticed\n")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
