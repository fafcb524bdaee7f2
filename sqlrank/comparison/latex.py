"""Comparisons as tables of LaTeX, for papers."""

from __future__ import annotations

from typing import Any, TextIO

from sqlrank.comparison.corrections import CORRECTIONS
from sqlrank.comparison.notes import Row, legend, p_values, stars
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.significance import TESTS
from sqlrank.dialects import visible
from sqlrank.errors import UsageError
from sqlrank.wide import latex_text


def write_latex(comparison: Comparison, file: TextIO, digits: int) -> None:
    """The values as a LaTeX table for a paper: a row per system, the best in bold, stars for significant differences.

    Raises:
        UsageError: the baseline has several values of a metric, as candidates lack values of different queries.
    """
    texts = [measure.text for measure in comparison.measures]
    body: list[str] = []
    for block in blocks(comparison):
        body += [r"\midrule", *latex_block(comparison, block, texts, digits)]
    left = 1 + len(comparison.by)
    header = ["system", *comparison.by, *texts]
    lines = [
        *(f"% {visible(line)}" for line in comparison.remarks()),
        r"\begin{table}[t]",
        r"\centering",
        rf"\caption{{{latex_text(caption(comparison))}}}",
        rf"\begin{{tabular}}{{{'l' * left}{'r' * len(texts)}}}",
        r"\toprule",
        " & ".join(latex_text(text) for text in header) + r" \\",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    file.write("\n".join(lines) + "\n")


def blocks(comparison: Comparison) -> list[dict[tuple[str, str], Row]]:
    """The rows of each segment by system and metric, the total last."""
    found: dict[tuple[Any, ...], dict[tuple[str, str], Row]] = {}
    for row in sorted(comparison.all_rows, key=lambda row: row["is_total"]):
        segment = (row["is_total"], *(row[name] for name in comparison.by))
        found.setdefault(segment, {})[row["system"], row["metric"]] = row
    return list(found.values())


def latex_block(comparison: Comparison, block: dict[tuple[str, str], Row], texts: list[str], digits: int) -> list[str]:
    """The lines of one segment, the baseline first."""
    values: dict[tuple[str, str], float] = {}
    for (system, text), row in block.items():
        values[system, text] = row["value"]
        known = values.setdefault((comparison.baseline, text), row["baseline_value"])
        if abs(known - row["baseline_value"]) > 1e-9:
            raise UsageError(
                f"{text}: the queries with a value on both sides are not the same for all candidates, so the baseline"
                " has more than one mean; compare one candidate at a time, or choose --format table"
            )
    best = {text: max(values[system, text] for system in comparison.systems) for text in texts}
    first = next(iter(block.values()))
    labels = ["(all)" if first["is_total"] else str(first[name]) for name in comparison.by]
    lines = []
    for system in comparison.systems:
        cells = [latex_text(text) for text in (system, *labels)]
        for text in texts:
            number = f"{values[system, text]:.{digits}f}"
            shown = rf"\textbf{{{number}}}" if values[system, text] == best[text] else number
            marks = "" if system == comparison.baseline else stars(block[system, text])
            cells.append(shown + (f"$^{{{marks}}}$" if marks else ""))
        lines.append(" & ".join(cells) + r" \\")
    return lines


def caption(comparison: Comparison) -> str:
    """What a reader of the paper must know of the table."""
    questions = comparison.questions
    corrected = (
        f"{p_values(comparison.family)}, not corrected"
        if questions.correction == "none"
        else f"{p_values(comparison.family)} corrected by {CORRECTIONS[questions.correction][0]}"
    )
    return (
        f"Means over {comparison.size} queries, the best in bold. Stars: significantly different from"
        f" {comparison.baseline} ({TESTS[questions.test]}, {corrected}; {legend(comparison.questions)})."
    )
