"""Lines of cells in columns of one width."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TextIO

from sqlrank.dialects import visible


def write_aligned(
    lines: Iterable[Sequence[str]],
    words: Container[int],
    file: TextIO,
    paint: Mapping[tuple[int, int], tuple[str, str]] | None = None,
) -> None:
    """Lines of cells in columns: words to the left, numbers to the right.

    `paint` has what stands before and after a cell, by line and column, and takes no room.
    """
    shown = [[visible(text) for text in line] for line in lines]
    widths = [max(map(cells, column)) for column in zip(*shown, strict=True)]
    for place, line in enumerate(shown):
        padded = [
            text + " " * (width - cells(text)) if number in words else " " * (width - cells(text)) + text
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        padded[-1] = padded[-1].rstrip()
        for number in range(len(padded)) if paint else ():
            before, after = (paint or {}).get((place, number), ("", ""))
            padded[number] = before + padded[number] + after
        file.write("  ".join(padded).rstrip() + "\n")


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
