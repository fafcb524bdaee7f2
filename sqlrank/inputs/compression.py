"""Compressed files: gzip, zstd and lz4, each stream verified to its end.

DuckDB takes a gzip stream without looking at its checksum and length, and a zstd frame that is cut as one that ends.
So both are unpacked here, by libraries that verify them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import IO, Protocol

from sqlrank.errors import DataError

BLOCK = 1 << 18
"""How many bytes of a compressed file are read at once."""
MOST = 1 << 22
"""How many bytes one such block gives at once, at most."""
LZ4 = b"\x04\x22\x4d\x18"
"""How a frame of lz4 begins."""


class Stream(Protocol):
    """One compressed stream, as the standard library reads zstd."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def unused_data(self) -> bytes:
        """What follows it."""

    @property
    def needs_input(self) -> bool:
        """Whether all that it was given has been unpacked."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Decompress some more bytes."""


class GzipMember:
    """One member of a gzip file, read as the standard library reads other compressed streams."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        """Whether the member has ended, and its checksum and length were right."""
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        """What follows it."""
        return self._stream.unused_data

    @property
    def needs_input(self) -> bool:
        """Whether all that it was given has been unpacked."""
        return not self._stream.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Decompress some more bytes."""
        return self._stream.decompress(self._stream.unconsumed_tail + data, max(max_length, 0))


def zstd_frame() -> tuple[Callable[[], Stream], type[Exception]]:
    """A decompressor of one zstd frame, and the exception that it raises for a damaged one."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14
    except ImportError:
        from backports import zstd
    return zstd.ZstdDecompressor, zstd.ZstdError


def lz4_frame() -> tuple[Callable[[], Stream], type[Exception]]:
    """The same of one frame of lz4."""
    import lz4.frame

    return lz4.frame.LZ4FrameDecompressor, RuntimeError


def unpacked(source: IO[bytes], kind: str, label: str) -> Iterator[bytes]:
    """The content of a compressed file, block by block; DataError if it is cut, damaged or followed by other bytes."""
    new: Callable[[], Stream]
    new, damaged = (GzipMember, zlib.error) if kind == "gzip" else lz4_frame() if kind == "lz4" else zstd_frame()
    pending = source.read(BLOCK)
    try:
        while pending:
            stream: Stream = new()
            while not stream.eof:
                data = b""
                if stream.needs_input:
                    data, pending = pending or source.read(BLOCK), b""
                block = stream.decompress(data, MOST)
                if block:
                    yield block
                elif not data and stream.needs_input and not stream.eof:
                    raise DataError(f"{label}: the {kind} stream is cut short; fetch or write the file again")
            pending = stream.unused_data or source.read(BLOCK)
            while kind == "gzip" and pending and not (pending := pending.lstrip(b"\x00")):
                pending = source.read(BLOCK)
    except damaged as error:
        raise DataError(f"{label}: the {kind} data is damaged ({error}); fetch or write the file again") from error
