"""The page of extras, and what each weighs: `python -m tests.pages.extras` installs them one by one and measures."""

from __future__ import annotations

import email
import platform
import re
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.pages.blocks import DOCS, ROOT

FILE = DOCS / "reference" / "extras.toml"
OF_DEVELOPERS = ("test", "site", "browser", "engines", "warehouses", "pipelines", "bench", "peers")
"""Extras that only the tests, the benchmarks and the site need."""
SHORT = {
    "MIT": "MIT",
    "Apache": "Apache-2.0",
    "BSD-3-Clause": "BSD-3-Clause",
    "BSD": "BSD",
    "Python Software Foundation": "PSF-2.0",
    "PSF": "PSF-2.0",
    "Mozilla": "MPL-2.0",
    "ISC": "ISC",
}
"""How licences are written, by words of theirs."""


def extras() -> dict[str, list[str]]:
    """The extras for users, and the packages that each asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, list[str]] = project["optional-dependencies"]
    return {name: packages for name, packages in found.items() if name not in OF_DEVELOPERS}


def measured() -> dict[str, Any]:
    """What was measured and what each extra is for."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def page(language: str) -> str:
    """The page of a language."""
    found = measured()
    words = found["page"][language]
    rows = [(words["bare"], words["whole"], "duckdb, jinja2, typer", found["megabytes"], found["licences"])]
    for name, packages in extras().items():
        entry = found[name]
        names = ", ".join(re.split(r"[\[><=;~]", package)[0] for package in packages)
        rows.append((f"`{name}`", entry[language], names, entry["megabytes"], entry["licences"]))
    table = [words["columns"], (":--", ":--", ":--", "--:", ":--"), *rows]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in table]
    return "\n\n".join([words["head"].strip(), "\n".join(lines), words["foot"].strip().format_map(found)]) + "\n"


def weigh(requirement: str, folder: Path) -> tuple[int, set[str]]:
    """The bytes that a requirement takes with all that it needs, and the licences of these packages."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(folder), requirement]
    subprocess.run(command, check=True)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return size, {licence(path) for path in folder.glob("*.dist-info/METADATA") if not path.match("sqlrank-*/*")}


def licence(metadata: Path) -> str:
    """The licence of a package: its expression, its classifier, or the first words of what it says."""
    said = email.message_from_string(metadata.read_text(encoding="utf-8"))
    classified = [text for text in said.get_all("Classifier", []) if text.startswith("License :: OSI Approved :: ")]
    text = said["License-Expression"] or (classified[0].rpartition(" :: ")[2] if classified else said["License"])
    return next((short for words, short in SHORT.items() if text and words in text), text or f"none ({said['Name']})")


def measure() -> None:
    """Measure anew, and write the figures into the file."""
    with TemporaryDirectory() as folder:
        base, of_base = weigh(str(ROOT), Path(folder) / "base")
        figures = {"": (base, of_base)}
        for name in extras():
            size, found = weigh(f"{ROOT}[{name}]", Path(folder) / name)
            figures[name] = size - base, found
    text = FILE.read_text(encoding="utf-8")
    for name, (size, found) in figures.items():
        licences = ", ".join(sorted(found))
        entry = rf'megabytes = {max(1, round(size / 1e6))}\nlicences = "{licences}"'
        head = rf"(?ms)(^\[{name}\]\n.*?)" if name else "(?m)()"
        text = re.sub(rf'{head}^megabytes = \d+\nlicences = "[^"]*"', rf"\g<1>{entry}", text, count=1)
    facts = {
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    for name, value in facts.items():
        text = re.sub(rf'(?m)^{name} = ".*"', f'{name} = "{value}"', text)
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    measure()
