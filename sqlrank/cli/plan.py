"""The plan of a test set: what compare --plan writes in place of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, flag
from sqlrank.cli.terminal import Outputs, input_files
from sqlrank.comparison import options as c
from sqlrank.errors import UsageError
from sqlrank.options.declared import options_of
from sqlrank.spelling import as_option

REFUSED = ("by", *(name for name in options_of(c.Significance) if name not in ("alpha", "paired")))
"""The options of comparisons that a plan has no place for: those of segments, clusters and tests."""


class Significance(Group, heading="Significance", takes=[c.Significance]):
    """How differences are tested."""


class Planning(Group, heading="Planning", takes=[c.Planned]):
    """A plan in place of a comparison."""

    plan: bool = flag(
        "Plan sample size instead: the smallest difference that N queries detect, from the spread of these differences",
        passed=False,
        common=True,
    )

    def check_idle(self) -> None:
        """Raise UsageError for an option of plans without --plan."""
        if alone := self.given():
            raise UsageError(f"{as_option(next(iter(alone)))} is for --plan")


def write_plan(
    planning: Planning,
    inputs: o.Runs,
    metrics: list[str] | None,
    settings: dict[str, Any],
    outputs: Outputs,
    refused: Sequence[str],
) -> None:
    """Write which difference so many queries would detect; UsageError for what a plan has no place for.

    `settings` are those of the comparison, `refused` further options that were given and are not for plans.
    """
    from sqlrank.comparison.flow import compare
    from sqlrank.output.power import Plan
    from sqlrank.process.output_files import opened
    from sqlrank.statistics.paired_power import POWER

    told = {name: value for name, value in settings.items() if value is not None}
    if given := [*refused, *(name for name in REFUSED if name in told)]:
        raise UsageError(f"--plan has no place for {as_option(given[0])}: leave it out")
    outputs.check("Plan")
    asked = {"power": POWER} | planning.given()
    with (
        opened(outputs.files, input_files(inputs.runs, inputs.qrels, told)) as writes,
        compare(inputs.runs, inputs.qrels, metrics, writes=writes, test="t", **told) as comparison,
    ):
        plan = Plan(comparison, comparison.power(**asked), asked["power"])
        outputs.write(plan, of=comparison)
        outputs.tell(comparison.notes, plan.remarks)
