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
}
"""How licences are written, by words of theirs."""
WORDS = {
    "en": (
        "Extras",
        "`pip install sqlrank` brings DuckDB, Jinja and Typer, and all metrics, comparisons and statements need nothing\n"
        "else. An extra adds packages for one purpose; without it, what needs them says so and names the extra. Several are\n"
        "installed together: `pip install 'sqlrank[report,stats]'`.",
        ("extra", "what it is for", "packages", "weighs", "licences"),
        "no extra",
        "the whole of it",
        "Installed size in MB, beyond what sqlrank itself needs, on {machine} with Python {python}, {date}; other machines\n"
        "take other files. The licences are those of these packages and of all that they need, as their metadata say. The\n"
        "wheel of sqlrank holds its own files alone (Apache-2.0), and each release comes with a list of the software that it\n"
        "was tested with (CycloneDX). How to install before there is a release on an index is on the [first page](../index.md).",
    ),
    "zh": (
        "可选依赖",
        "`pip install sqlrank` 会装上 DuckDB、Jinja 和 Typer，所有指标、对比和 SQL 语句都只需要这些。可选依赖各有一个用途；\n"
        "没装时，用到它的地方会报错，并写明该装哪一个。可以一起装：`pip install 'sqlrank[report,stats]'`。",
        ("名称", "用途", "软件包", "大小", "许可证"),
        "不装任何可选依赖",
        "基本安装",
        "大小是安装后的兆字节数（MB），不含 sqlrank 本身需要的包；机器为 {machine}，Python {python}，{date}。其他机器上会有出入。\n"
        "许可证按这些软件包及其依赖的元数据列出；sqlrank 的 wheel 里只有它自己的文件（Apache-2.0），每次发布附有测试所用软件的清单（CycloneDX）。\n"
        "在软件包索引上发布之前怎么安装，见[首页](../index.md)。",
    ),
}


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
    title, about, heads, bare, whole, foot = WORDS[language]
    found = measured()
    rows = [(bare, whole, "duckdb, jinja2, typer", found["megabytes"], found["licences"])]
    for name, packages in extras().items():
        entry = found[name]
        names = ", ".join(re.split(r"[\[><=;~]", package)[0] for package in packages)
        rows.append((f"`{name}`", entry[language], names, entry["megabytes"], entry["licences"]))
    table = [heads, (":--", ":--", ":--", "--:", ":--"), *rows]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in table]
    return "\n\n".join([f"# {title}", about, "\n".join(lines), foot.format_map(found)]) + "\n"


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
    text = FILE.read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        base, licences = weigh(str(ROOT), Path(folder) / "base")
        figures = {"": (base, licences)}
        for name in extras():
            size, found = weigh(f"{ROOT}[{name}]", Path(folder) / name)
            figures[name] = size - base, found
    for name, (size, found) in figures.items():
        entry = rf"megabytes = {max(1, round(size / 1e6))}\nlicences = \"{', '.join(sorted(found))}\""
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
