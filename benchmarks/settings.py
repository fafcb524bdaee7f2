"""What a benchmark was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shapes import SHAPES
from tools import Environments, Peer, Tool, peers


@dataclass(frozen=True)
class Settings:
    """The choices of the command line."""

    folder: Path
    results: Path
    runs: int
    scale: float
    shapes: list[str]
    peers: list[str]
    environments: Environments

    @property
    def chosen_shapes(self) -> list[str]:
        """The shapes asked for, else all."""
        return self.shapes or list(SHAPES)

    @property
    def chosen_peers(self) -> list[Peer]:
        """The peers asked for, else all."""
        return [peer for name, peer in peers().items() if not self.peers or name in self.peers]

    def tools_of(self, name: str, shape: str, form: str | None = None) -> list[Tool]:
        """What a peer runs on a shape, in one form or in all of its own, if it was chosen and is installed."""
        peer = peers()[name]
        program = self.environments.program(peer)
        if peer not in self.chosen_peers or self.environments.missing(peer) or program is None:
            return []
        return [tool for tool in peer.tools(SHAPES[shape], program) if form in (None, tool.form)]
