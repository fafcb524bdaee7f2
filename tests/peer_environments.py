"""Hold the presets against the packages themselves, each group of packages in an environment of its own.

    python -m tests.peer_environments [--make | --keep] [TOOL ...]

Without tools, all of them. An environment that cannot be made, or whose tests fail, is a failure. `--keep` leaves the
environments where they are, to be used again; `--make` makes them alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Environment:
    """Packages that stand each other, and the tests that need them."""

    name: str
    tools: tuple[str, ...]
    """The tools by the names of their presets."""
    packages: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where it is made."""
        return Path(tempfile.gettempdir()) / f"peers-{self.name}"

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.folder / "bin" / "python")


BESIDE = ("pyarrow", "pytest", "pytest-xdist")
"""What the tests themselves need."""
TORCH = "torch>=2.13,<2.14"
"""One release for the environments whose packages need it."""
ENVIRONMENTS = (
    Environment(
        "rankings",
        ("ranx", "lightgbm", "xgboost", "torchmetrics", "spark"),
        (".[peers,spark]", TORCH),
        (
            "tests/peers/test_peer_packages.py",
            "tests/peers/test_ranking_packages.py",
            "tests/peers/test_from_ranx.py",
            "tests/peers/test_labels_of_tools.py",
            "tests/peers/test_tool_files.py",
        ),
    ),
    Environment(
        "recommenders",
        ("rectools", "replay", "recommenders"),
        (".", "rectools>=0.19,<0.20", "replay-rec>=0.22,<0.23", "recommenders>=1.2.1,<1.3"),
        ("tests/peers/test_recommender_packages.py", "tests/peers/test_labels_of_tools.py"),
    ),
    Environment(
        "further",
        ("catboost", "lenskit", "recbole", "evidently"),
        (".", "catboost>=1.2.10,<1.3", "lenskit>=2025.8,<2026", "recbole>=1.2.1,<1.3", "evidently>=0.7.23,<0.8", TORCH),
        (
            "tests/peers/test_further_packages.py",
            "tests/peers/test_labels_of_tools.py",
        ),
    ),
)


def say(text: str) -> None:
    """Show a line at once, before what the next command prints."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def chosen(tools: list[str]) -> list[Environment]:
    """The environments of some tools, or all.

    Raises:
        SystemExit: a tool is not known.
    """
    known = {tool: environment for environment in ENVIRONMENTS for tool in environment.tools}
    for tool in tools:
        if tool not in known:
            raise SystemExit(f"there is no tool {tool} (one of {', '.join(known)})")
    return [each for each in ENVIRONMENTS if not tools or set(tools) & set(each.tools)]


def made(environment: Environment) -> bool:
    """Make an environment; whether that was done."""
    pip = [sys.executable, "-m", "pip", "--python", environment.python]
    install = [*pip, "install", "--quiet", "--no-compile", *environment.packages, *BESIDE]
    try:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment.folder)], check=True)
        return subprocess.run(install, cwd=ROOT, check=False).returncode == 0
    except (subprocess.SubprocessError, OSError) as error:
        say(str(error))
        return False


def passed(environment: Environment) -> bool:
    """Run the tests that need an environment in it; whether they passed."""
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    settings.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    command = [environment.python, "-m", "pytest", "-m", "packages", *environment.tests]
    return subprocess.run(command, cwd=ROOT, env=settings, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Make, test and remove each environment; 1 where tests failed."""
    failed, keep = [], "--keep" in arguments
    environments = chosen([argument for argument in arguments if argument not in ("--make", "--keep")])
    began = time.monotonic()
    with ThreadPoolExecutor() as pool:  # pip unpacks on one core
        there = list(pool.map(made, environments))
    say(f"-- environments: {time.monotonic() - began:.0f} s")
    if "--make" in arguments:
        return 0
    for environment, is_there in zip(environments, there, strict=True):
        tools, began = ", ".join(environment.tools), time.monotonic()
        say(f"-- {tools}: {environment.folder}")
        if not is_there or not passed(environment):
            failed.append(tools)
        say(f"-- {tools}: {time.monotonic() - began:.0f} s")
        if not keep:
            shutil.rmtree(environment.folder, ignore_errors=True)
    say(f"FAILED: {'; '.join(failed)}" if failed else "the presets agree with every tool")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
