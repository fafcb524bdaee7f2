"""The runner of GitHub for tests: the scripts of action.yml, run by bash with the environment that GitHub gives."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.support.cli_helper import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"]}
EXPRESSION = re.compile(r"\$\{\{ (?:inputs\.([\w-]+)|steps\.([\w-]+)\.outputs\.([\w-]+)) \}\}")

Outputs = Mapping[str, Mapping[str, str]]
"""The outputs of steps, by the id of the step."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a step ended."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def commands(self) -> list[str]:
        """The commands that GitHub takes from the log."""
        found, closing = [], None
        for line in self.log.splitlines():
            if closing is None and line.startswith("::stop-commands::"):
                closing = f"::{line.removeprefix('::stop-commands::')}::"
            elif closing is None and line.startswith("::"):
                found.append(line)
            elif line == closing:
                closing = None
        return found


def evaluated(text: str, inputs: Mapping[str, str], outputs: Outputs) -> str:
    """A value of the action with its expressions replaced."""
    defaults = {name: str(said.get("default", "")) for name, said in ACTION["inputs"].items()}

    def value(found: re.Match[str]) -> str:
        name, step, output = found.groups()
        return (defaults | dict(inputs))[name] if name else outputs[step][output]

    return EXPRESSION.sub(value, text)


def run_step(
    name: str, folder: Path, inputs: Mapping[str, str], outputs: Outputs, environment: Mapping[str, str]
) -> Done:
    """Run the script of one step in a folder, which is the workspace."""
    step = STEPS[name]
    assert step["shell"] == "bash"
    runner = folder.parent / f"{folder.name}-runner"
    runner.mkdir(exist_ok=True)
    for file in ("output", "summary"):
        (runner / file).write_text("", encoding="utf-8")
    (runner / "script.sh").write_text(step["run"], encoding="utf-8")
    settings = dict(environment) | {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary"),
        "GITHUB_WORKSPACE": str(folder),
        "RUNNER_TEMP": str(runner),
    }
    settings |= {key: evaluated(str(text), inputs, outputs) for key, text in step["env"].items()}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(runner / "script.sh")],
        cwd=folder / evaluated(step.get("working-directory", "."), inputs, outputs),
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    written = (runner / "output").read_text(encoding="utf-8").splitlines()
    found = dict(line.split("=", 1) for line in written)
    return Done(done.returncode, done.stdout, found, (runner / "summary").read_text(encoding="utf-8"))
