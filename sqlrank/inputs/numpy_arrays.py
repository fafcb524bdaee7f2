"""Arrays of NumPy: a structured one is a table whose columns are its fields, any other has no names of columns."""

from __future__ import annotations

from typing import Any

from sqlrank.errors import UsageError

READ = "biufMUSO"
"""The kinds of fields that are read: booleans, numbers, times, texts and objects."""


def is_array(data: Any) -> bool:
    """Whether an input is an array of NumPy, or a scalar."""
    return type(data).__module__.partition(".")[0] == "numpy" and hasattr(data, "dtype")


def columns_of(data: Any, label: str) -> dict[str, Any]:
    """The fields of a structured array by name, as DuckDB reads them.

    Raises:
        UsageError: the array has no fields, more than one dimension or masked values, or a field is of a kind that is
            not read.
    """
    advice = "pass a data frame, or a structured array of one dimension whose fields are the columns"
    if data.dtype.names is None or data.ndim != 1:
        raise UsageError(
            f"{label}: an array of NumPy of shape {data.shape} and type {data.dtype} has no names of columns; {advice}"
        )
    if hasattr(data, "mask"):
        raise UsageError(f"{label}: a masked array of NumPy cannot be read, as its masked values would count; {advice}")
    return {name: column_of(data[name], f"{label}: the field {name}") for name in data.dtype.names}


def column_of(field: Any, label: str) -> Any:
    """A field in the order of bytes of this machine, in one piece, its texts as objects."""
    import numpy

    kind = field.dtype.kind
    if kind not in READ or field.ndim != 1:
        raise UsageError(f"{label} holds {field.dtype} of shape {field.shape}, which is not read; leave it out")
    if kind == "S":
        field = numpy.char.decode(field, "utf-8")
    if kind in "US":
        return field.astype(object)
    if kind == "M":
        return field.astype("datetime64[us]")
    native = field.dtype.newbyteorder("=")
    return numpy.ascontiguousarray(field, numpy.float32 if native == numpy.float16 else native)
