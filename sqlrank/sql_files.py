"""Where the SQL files are: next to the package in a checkout, inside it once installed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

HEADER = re.compile(r"\A\{#(.*?)#\}\s*", re.DOTALL)


@cache
def sql_folder() -> Path:
    """The folder of the templates, in a wheel, an editable install and a checkout alike."""
    package = Path(__file__).parent
    installed = package / "sql"
    return installed if installed.is_dir() else package.parent / "sql"


def read_entry(path: Path) -> dict[str, Any]:
    """The TOML entry in the header comment of a metric or a check; ValueError if there is none, or it is not TOML."""
    header = HEADER.match(path.read_text(encoding="utf-8"))
    if header is None:
        raise ValueError(f"{path.name} does not begin with its entry, a comment {{# ... #}}")
    return tomllib.loads(header.group(1))


class Entries(Mapping[str, T]):
    """The entries of files of sql/ by the stem of the file, in the order of `paths`, each read when first asked for."""

    def __init__(self, paths: Iterable[Path], read: Callable[[Path], T]) -> None:
        self.paths = {path.stem: path for path in paths}
        self.read = cache(read)

    def __getitem__(self, name: str) -> T:
        return self.read(self.paths[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)
