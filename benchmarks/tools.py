"""What is measured: sqlrank in its forms, and its peers from peers.toml."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from process import run
from shapes import Shape

HERE = Path(__file__).parent
FORMS = {"full": ("ndcg@10", "ap", "p@10", "rr", "recall@100"), "shallow": ("ndcg@10",)}
TREC_NAMES = {"ndcg_cut_10": "ndcg@10", "map": "ap", "P_10": "p@10", "recip_rank": "rr", "recall_100": "recall@100"}
PLAIN: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tool:
    """A command that prints values of metrics, and what these are compared with."""

    name: str
    form: str
    command: tuple[str, ...]
    metrics: tuple[str, ...]
    prints: str = "json"
    against: tuple[str, ...] | None = PLAIN
    """Options of sqlrank under which the answers must agree; None for sqlrank itself."""
    relative: float = 1e-9
    absolute: float = 0.0
    why: str = "the same program"

    def values(self, output: str) -> dict[str, float]:
        """The values printed, by metric."""
        match self.prints:
            case "json":
                printed: dict[str, float] = json.loads(output)
                return printed
            case "trec":
                lines = (line.split() for line in output.splitlines())
                return {TREC_NAMES[name]: float(value) for name, query, value in lines if query == "all"}
            case "named csv":
                rows = list(csv.DictReader(output.splitlines()))
                return {row["metric"]: float(row["value"]) for row in rows if row["metric"] in self.metrics}
            case _:
                # Under --like a metric is printed with the parameters of the tool; the order is that asked for.
                values = [float(row["value"]) for row in csv.DictReader(output.splitlines())]
                return dict(zip(self.metrics, values, strict=True))


def sqlrank(
    shape: Shape,
    form: str,
    *options: str,
    name: str = "sqlrank",
    metrics: tuple[str, ...] | None = None,
    against: tuple[str, ...] | None = PLAIN,
) -> Tool:
    """An evaluation with sqlrank, of the metrics of a form or of others."""
    asked = metrics or FORMS[form]
    qrels = ["--qrels", shape.qrels] if shape.qrels else []
    files = [sys.executable, "-m", "sqlrank", "eval", shape.run, *qrels, "--format", "csv", "--quiet"]
    return Tool(name, form, (*files, "-m", ",".join(asked), *options), asked, "csv", against)


def all_trec(shape: Shape) -> Tool:
    """An evaluation of all measures of trec_eval with sqlrank, among them those of the full form."""
    plain = sqlrank(shape, "full", name="sqlrank -m all_trec")
    return replace(plain, command=(*plain.command[:-1], "all_trec"), prints="named csv")


def sqlrank_forms(shape: Shape) -> Iterator[Tool]:
    """Both sets of metrics, with the checks of the input and without."""
    for form in FORMS:
        yield sqlrank(shape, form, against=None)
        yield sqlrank(shape, form, "--no-checks", name="sqlrank --no-checks")


@dataclass(frozen=True)
class Peer:
    """An entry of peers.toml."""

    name: str
    shapes: list[str]
    forms: list[str]
    why: str
    script: str | None = None
    arguments: list[str] = field(default_factory=list)
    environment: str = "here"
    packages: list[str] = field(default_factory=list)
    metrics: list[str] | None = None
    against: list[str] = field(default_factory=list)
    prints: str = "json"
    relative: float = 0.0
    absolute: float = 0.0

    def tools(self, shape: Shape, program: str) -> Iterator[Tool]:
        """What is run on a shape, by the interpreter or the binary named."""
        qrels = shape.qrels or shape.run
        for form in self.forms:
            metrics = tuple(self.metrics or FORMS[form])
            if self.script:
                command = (program, str(HERE / "peers" / self.script), shape.run, qrels, *metrics)
            else:
                command = (program, *self.arguments, qrels, shape.run)
            stated = (self.relative, self.absolute, self.why)
            yield Tool(self.name, form, command, metrics, self.prints, tuple(self.against), *stated)


def peers() -> dict[str, Peer]:
    """All peers by name."""
    table = tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))
    return {name: Peer(name, **entry) for name, entry in table.items()}


@dataclass(frozen=True)
class Environments:
    """Where the peers are found."""

    ranx_python: str | None
    trec_eval: str | None

    def program(self, peer: Peer) -> str | None:
        """The interpreter or binary that runs a peer."""
        match peer.environment:
            case "ranx":
                return self.ranx_python or sys.executable
            case "trec_eval":
                return shutil.which(self.trec_eval or "trec_eval")
            case _:
                return sys.executable

    def missing(self, peer: Peer) -> str | None:
        """Why a peer cannot run, if it cannot."""
        program = self.program(peer)
        if program is None:
            return f"the program {peer.environment} was not found"
        absent = [package for package, version in versions(program, peer.packages).items() if version is None]
        return f"not installed: {', '.join(absent)}" if absent else None

    def peer_versions(self, chosen: Iterable[Peer]) -> dict[str, str]:
        """The versions of the packages of the peers that can run; those of another environment are marked."""
        found: dict[str, str] = {}
        for peer in chosen:
            program = self.program(peer)
            if program is None or self.missing(peer):
                continue
            if not peer.script:
                said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
                found[peer.name] = (said.stdout + said.stderr).partition("\n")[0].strip() or "unknown"
            mark = f" (with {peer.name})" if peer.environment != "here" else ""
            found |= {f"{name}{mark}": version for name, version in versions(program, peer.packages).items() if version}
        return found


def versions(program: str, packages: Iterable[str]) -> dict[str, str | None]:
    """The versions of packages in the environment of an interpreter; None for one that is not there."""
    done = run([program, str(HERE / "versions.py"), *packages], HERE) if packages else None
    if done is None:
        return {}
    return dict.fromkeys(packages) if done.failure else json.loads(done.output)
