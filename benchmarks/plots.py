"""Plots of the figures, the same bytes for the same figures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

try:
    import matplotlib as mpl
except ImportError as error:
    raise SystemExit("the plots need matplotlib: pip install 'sqlrank[bench]'") from error

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "sqlrank", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"})

import matplotlib.pyplot as plt  # noqa: E402 - the backend is chosen first
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.axis import Axis  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

OURS, THEIRS = "#1f5fa8", "#9a9a9a"
COLUMNS = 2


def plot_times(shapes: dict[str, Any], file: Path) -> None:
    """A panel for each shape with a bar for each tool."""
    lines = -(-len(shapes) // COLUMNS)
    figure, axes = plt.subplots(lines, COLUMNS, figsize=(11, 3.1 * lines), layout="constrained", squeeze=False)
    panels = list(axes.flat)
    for panel, (name, section) in zip(panels, shapes.items(), strict=False):
        plot_shape(panel, f"{name}: {section['rows']:,} rows", section["results"])
    for panel in panels[len(shapes) :]:
        panel.set_axis_off()
    save(figure, file)


def plot_shape(panel: Axes, title: str, results: list[dict[str, Any]]) -> None:
    """The seconds of each tool that finished."""
    rows = sorted((row for row in results if "seconds" in row), key=lambda row: (row["form"], row["seconds"]))
    names = [f"{row['tool']} ({row['form']})" for row in rows]
    seconds = [row["seconds"] for row in rows]
    colours = [OURS if row["tool"].startswith("sqlrank") else THEIRS for row in rows]
    bars = panel.barh(names, seconds, color=colours)
    panel.bar_label(bars, [f" {value:.3g}" for value in seconds])
    panel.set_xscale("log")
    panel.set_xlim(*decades(min(seconds) / 1.5, max(seconds) * 2))
    plain_numbers(panel.xaxis)
    panel.invert_yaxis()
    panel.set_title(title)
    panel.set_xlabel("seconds (logarithmic)")
    panel.spines[["top", "right"]].set_visible(False)


def plot_growth(growth: dict[str, Any], file: Path) -> None:
    """Seconds, and time per row, by the number of rows."""
    figure, (total, per_row) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    for tool in dict.fromkeys(row["tool"] for row in drawn(growth)):
        rows = [row for row in drawn(growth) if row["tool"] == tool]
        colour = OURS if tool.startswith("sqlrank") else THEIRS
        for panel, figure_name in ((total, "seconds"), (per_row, "per_row")):
            panel.plot(
                [row["rows"] for row in rows], [row[figure_name] for row in rows], "o-", color=colour, label=tool
            )
    total.set_yscale("log")
    total.set_ylim(*decades(*(function(row["seconds"] for row in drawn(growth)) for function in (min, max))))
    plain_numbers(total.yaxis)
    total.set_ylabel("seconds (logarithmic)")
    per_row.set_ylim(bottom=0)
    per_row.set_ylabel(f"time per row, 1 at {growth['base_rows']:,} rows")
    for panel in (total, per_row):
        panel.set_xscale("log")
        plain_numbers(panel.xaxis)
        panel.set_xlabel("rows (logarithmic)")
        panel.legend(frameon=False)
        panel.spines[["top", "right"]].set_visible(False)
    save(figure, file)


def drawn(growth: dict[str, Any]) -> list[dict[str, Any]]:
    """The figures of those that finished."""
    return [row for row in growth["results"] if "per_row" in row]


def decades(low: float, high: float) -> tuple[float, float]:
    """The powers of ten around an interval, so that a logarithmic axis has two labels at least."""
    return 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))


def plain_numbers(axis: Axis) -> None:
    """Label the powers of ten as they are written."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def save(figure: Figure, file: Path) -> None:
    """Write a figure without the date."""
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
