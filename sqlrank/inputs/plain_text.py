"""Text files as DuckDB reads them: compressed ones are unpacked and verified to their end, other encodings decoded.

What has to be changed is written to the folder of temporary files.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterable
from typing import IO, Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, ResourceError, UsageError, without_credentials
from sqlrank.inputs.files import COMPRESSIONS
from sqlrank.process.remote import URL, file_system, path_of
from sqlrank.spelling import spelt

BLOCK = 1 << 18
"""How many bytes of a file are read at once."""
GZIP = b"\x1f\x8b"
ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes([number, 0x2A, 0x4D, 0x18]) for number in range(0x50, 0x60)))
"""How a zstd frame begins, or one to be skipped."""
FOREIGN = {
    b"PK\x03\x04": "a zip archive; unpack it (of Excel, which is such, name it .xlsx)",
    b"BZh91AY&SY": "compressed by bzip2; sqlrank reads gzip and zstd",
    b"\xfd7zXZ\x00": "compressed by xz; sqlrank reads gzip and zstd",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it",
    b"\x04\x22\x4d\x18": "compressed by lz4; name it .lz4 if ranx saved it, or unpack it",
    b"%PDF-": "a PDF file; export CSV or Parquet",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an old Office file; export CSV",
    b"SQLite format 3\x00": "an SQLite database; export CSV or Parquet",
    b"ARROW1\x00\x00": "an Arrow IPC (Feather) file; write Parquet",
    b"Obj\x01": "an Avro file; write Parquet",
    b"PAR1": "a Parquet file; leave out {option}, or name it .parquet",
}
"""The first bytes of files that are not text, and what to do with such a file."""
WIDE = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks of other Unicode encodings, the longer first."""
GUESSES = ("gb18030", "cp1252", "latin-1")
"""The encodings that are tried on text that is not UTF-8, the strictest first."""


def plain_files(engine: DuckDBEngine, files: Iterable[str], encoding: str | None) -> list[str]:
    """Files of plain UTF-8: those given, or verified copies in the temporary folder of the engine, made once."""
    decoder = None if encoding is None else decoder_of(encoding)
    files = list(files)
    if len(files) < 2:
        return [plain_file(engine, file, encoding, decoder) for file in files]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(lambda file: plain_file(engine, file, encoding, decoder), files))


def decoder_of(name: str) -> Callable[[], codecs.IncrementalDecoder] | None:
    """The decoder of an encoding; None for UTF-8, which DuckDB reads itself."""
    try:
        "".encode(name)
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        raise UsageError(f"{spelt('encoding', name)} is not known; for example utf-16, latin-1, gbk") from None
    return None if found.name == "utf-8" else codecs.getincrementaldecoder(name)


def plain_file(
    engine: DuckDBEngine, file: str, encoding: str | None, decoder: Callable[[], codecs.IncrementalDecoder] | None
) -> str:
    """One of these files."""
    if file in engine.copies:
        return engine.copies[file]
    with opened(file) as source:
        start = source.read(16)
    kind = compression_of(engine.called(file), start)
    if start.startswith(codecs.BOM_UTF8):  # which says what it is
        encoding = decoder = None
    if kind is None and decoder is None:
        check_text(engine.called(file), start)
        return file
    copy = copy_path(engine, file)
    engine.copies[file] = copy
    engine.origins[copy] = engine.called(file)
    label = engine.called(file)
    if kind is not None:
        from sqlrank.inputs.compression import unpacked
    try:
        with opened(file) as source, open(copy, "wb") as target:
            blocks = unpacked(source, kind, label) if kind else iter(lambda: source.read(BLOCK), b"")
            write_text(target, blocks, encoding, decoder, label)
    except OSError as error:
        raise ResourceError(
            f"{label}: its text cannot be kept in {engine.scratch}: {error.strerror or error};"
            f" name another folder with {spelt('temp_dir')}"
        ) from error
    if os.path.getsize(copy) == 0:
        raise DataError(f"{label}: the file is empty")
    return copy


def compression_of(label: str, start: bytes) -> str | None:
    """How a text file is compressed, by its first bytes; DataError if its name says that it is, and it is not."""
    kind = "gzip" if start.startswith(GZIP) else "zstd" if start.startswith(ZSTD) else None
    said = COMPRESSIONS.get(os.path.splitext(path_of(label))[1].lower())
    if said is not None and kind is None:
        raise DataError(f"{label}: is called a {said} file, and does not begin like one; write it again, or rename it")
    return kind


def write_text(
    target: IO[bytes],
    blocks: Iterable[bytes],
    encoding: str | None,
    decoder: Callable[[], codecs.IncrementalDecoder] | None,
    label: str,
) -> None:
    """Write blocks of text as UTF-8."""
    if decoder is None:
        first = True
        for block in blocks:
            if first:
                check_text(label, block)
            first = False
            target.write(block)
        return
    decode = decoder()
    try:
        for block in blocks:
            target.write(decode.decode(block).encode())
        target.write(decode.decode(b"", final=True).encode())
    except UnicodeError as error:
        raise DataError(f"{label}: is not {encoding}: {error}; name the encoding with {spelt('encoding')}") from error


def copy_path(engine: DuckDBEngine, file: str) -> str:
    """Where the copy of a file is put: under its hive partitions, and its name without the suffix of a compression."""
    *folders, name = path_of(file).split("/")
    stem, suffix = os.path.splitext(name)
    partitions = [folder for folder in folders if "=" in folder]
    folder = os.path.join(engine.scratch, f"text-{len(engine.copies)}", *partitions)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, stem if suffix.lower() in COMPRESSIONS else name)


def opened(file: str) -> Any:
    """A file or URL, to be read in bytes."""
    if not URL.match(file):
        return open(file, "rb")
    try:
        return file_system(file)[1].open(file, "rb")
    except Exception as error:  # whatever the remote file system raises
        raise DataError(f"{without_credentials(file)}: cannot be read: {error}") from None


def check_text(label: str, start: bytes) -> None:
    """Raise DataError if the first bytes of a file are not UTF-8 text."""
    for magic, what in FOREIGN.items():
        if start.startswith(magic):
            raise DataError(f"{label}: is {what.format(option=spelt('input_format'))}")
    for mark, name in WIDE.items():
        if start.startswith(mark):
            raise DataError(
                f"{label}: is encoded in {name.upper()}, not in UTF-8; say so with {spelt('encoding', name)}"
            )
    if b"\x00" in start[:16]:
        likely = "utf-16-le" if start[1:2] == b"\x00" else "utf-16-be" if start[:1] == b"\x00" else None
        hint = f"; if it is UTF-16, say so with {spelt('encoding', likely)}" if likely else ""
        raise DataError(f"{label}: holds NUL bytes and is not a text{hint}")


def is_plain(start: bytes) -> bool:
    """Whether the first bytes of a file are those of text, compressed or not."""
    if start.startswith((GZIP, *ZSTD)):
        return True
    text = start.decode("utf-8", "ignore")
    return bool(start) and len(text.encode()) > len(start) - 4 and not re.search(r"[\x00-\x08\x0e-\x1f\x7f]", text)


def check_encoding(engine: DuckDBEngine, files: Iterable[str]) -> None:
    """Raise DataError if one of some plain files is not UTF-8, with the line."""
    for file in files:
        with opened(file) as source:
            for number, line in enumerate(source, start=1):
                try:
                    line.decode()
                except UnicodeDecodeError as error:
                    likely = next(name for name in GUESSES if decodes(line, name))
                    bad = line[error.start : error.start + 1].hex()
                    raise DataError(
                        f"{engine.called(file)}, line {number}: is not UTF-8 (byte 0x{bad} at place {error.start + 1});"
                        f" name the encoding, perhaps {spelt('encoding', likely)}"
                    ) from None


def decodes(line: bytes, encoding: str) -> bool:
    """Whether a line may be in an encoding."""
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
