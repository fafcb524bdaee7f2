"""Matrices of a few rows, as lists of them."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = list[list[float]]


def inverse(matrix: Sequence[Sequence[float]]) -> Matrix | None:
    """The inverse of a square matrix by elimination with pivots; None where it has none."""
    size = len(matrix)
    unit = [[float(column == row) for column in range(size)] for row in range(size)]
    rows = [[*map(float, row), *beside] for row, beside in zip(matrix, unit, strict=True)]
    scale = max((abs(value) for row in matrix for value in row), default=0.0)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        if not abs(rows[pivot][column]) > 1e-12 * scale:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        divisor = rows[column][column]
        rows[column] = [value / divisor for value in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [value - factor * one for value, one in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]


def product(left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]
