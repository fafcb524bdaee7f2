"""The page of extras, and what each weighs: `python -m tests.pages.extras` installs them one by one and measures."""

from __future__ import annotations

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
WORDS = {
    "en": (
        "Extras",
        "`pip install sqlrank` brings DuckDB, Jinja and Typer, and all metrics, comparisons and statements need nothing\n"
        "else. An extra adds packages for one purpose; without it, what needs them says so and names the extra. Several are\n"
        "installed together: `pip install 'sqlrank[report,stats]'`.",
        ("extra", "what it is for", "packages", "weighs"),
        "no extra",
        "the whole of it",
        "Installed size in MB, beyond what sqlrank itself needs, on {machine} with Python {python}, {date}; other machines\n"
        "take other files. How to install before there is a release on an index is on the [first page](../index.md).",
    ),
    "zh": (
        "可选依赖",
        "`pip install sqlrank` 会装上 DuckDB、Jinja 和 Typer，所有指标、对比和 SQL 语句都只需要这些。可选依赖各有一个用途；\n"
        "没装时，用到它的地方会报错，并写明该装哪一个。可以一起装：`pip install 'sqlrank[report,stats]'`。",
        ("名称", "用途", "软件包", "大小"),
        "不装任何可选依赖",
        "基本安装",
        "大小是安装后的兆字节数（MB），不含 sqlrank 本身需要的包；机器为 {machine}，Python {python}，{date}。其他机器上会有出入。\n"
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
    rows = [(bare, whole, "duckdb, jinja2, typer", found["megabytes"])]
    for name, packages in extras().items():
        entry = found[name]
        names = ", ".join(re.split(r"[\[><=;~]", package)[0] for package in packages)
        rows.append((f"`{name}`", entry[language], names, entry["megabytes"]))
    table = [heads, (":--", ":--", ":--", "--:"), *rows]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in table]
    return "\n\n".join([f"# {title}", about, "\n".join(lines), foot.format_map(found)]) + "\n"


def weigh(requirement: str, folder: Path) -> int:
    """The bytes that a requirement takes with all that it needs."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(folder), requirement]
    subprocess.run(command, check=True)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def measure() -> None:
    """Measure anew, and write the figures into the file."""
    text = FILE.read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        base = weigh(str(ROOT), Path(folder) / "base")
        figures = {"": base}
        for name in extras():
            figures[name] = weigh(f"{ROOT}[{name}]", Path(folder) / name) - base
    for name, size in figures.items():
        head = rf"(?ms)(^\[{name}\]\n.*?)" if name else "(?m)()"
        text = re.sub(rf"{head}^megabytes = \d+", rf"\g<1>megabytes = {max(1, round(size / 1e6))}", text, count=1)
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
