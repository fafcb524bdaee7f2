"""Render the figures as a page and as plots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from results import load
from shapes import SHAPES
from targets import judgments
from tools import FORMS, HERE, peers


def write_report(results: Path) -> None:
    """Write the page and the plots beside the figures."""
    sections = load(results)
    if not sections:
        raise SystemExit(f"{results} has no figures: measure something first")
    from plots import plot_growth, plot_times

    environment = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"number": number, "agreement": agreement, "command": command}
    plots = {name: results.with_name(f"{results.stem}-{name}.svg") for name in ("time", "growth")}
    shapes = {name: sections["shapes"][name] for name in SHAPES if name in sections.get("shapes", {})}
    if shapes:
        plot_times(shapes, plots["time"])
    if "growth" in sections:
        plot_growth(sections["growth"], plots["growth"])
    found = {"shapes": shapes, "judgments": list(judgments(sections))}
    page = environment.get_template("report.md").render(
        sections | found, forms=FORMS, peers=peers().values(), plots=plots, results=results.name
    )
    page_file = results.with_suffix(".md")
    page_file.write_text(page, encoding="utf-8")
    print(f"wrote {page_file}", file=sys.stderr)


def number(value: float | None) -> str:
    """A figure with three digits, or with those before the point; nothing where there is none."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def agreement(row: dict[str, Any]) -> str:
    """How far the answers lie apart, and how far they may."""
    kind = "absolute" if row["absolute"] else "relative"
    apart = f"{row['difference']:.0e} apart" if row["difference"] else "the same"
    return f"{apart}, {row[kind]:.0e} {kind} allowed"


def command(section: str, scale: float, runs: int) -> str:
    """How a section is measured again."""
    scaled = "" if scale == 1 else f" --scale {scale:g}"
    return f"python benchmarks/run.py {section} --folder DIR --runs {runs}{scaled}"
