"""URLs, read and written through fsspec, with credentials from where its file systems look for them."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from sqlrank.errors import DataError, ResourceError, UsageError

URL = re.compile(r"(?P<protocol>[a-z][a-z0-9+.-]+)://")
WEB = ("http", "https")
"""Protocols that have no folders and are not written, and whose addresses may hold any character."""


def path_of(url: str) -> str:
    """A URL without what follows its path: the part that names a file."""
    return url.partition("?")[0] if URL.match(url) else url


def file_system(url: str) -> tuple[str, Any]:
    """The protocol of a URL and its file system; UsageError if the extra `remote` is missing or none is known."""
    protocol = URL.match(url)["protocol"]  # type: ignore[index]
    try:
        import fsspec

        return protocol, fsspec.filesystem(protocol)
    except (ImportError, ValueError) as error:
        hint = f"pip install 'sqlrank[remote]' ({error})"
        raise UsageError(f"{url}: reading and writing URLs needs the extra: {hint}") from None


def list_files(url: str) -> tuple[str, Any, list[str]]:
    """Protocol, file system and URLs in order of a file, pattern or folder; DataError if nothing is there."""
    protocol, system = file_system(url)
    try:
        found = matching(system, protocol, url)
    except Exception as error:  # whatever the remote file system raises
        raise DataError(f"{url}: cannot be reached: {error}") from None
    if not found:
        raise DataError(f"{url}: nothing is there")
    return protocol, system, sorted(f if URL.match(f) else f"{protocol}://{f.lstrip('/')}" for f in found)


def matching(system: Any, protocol: str, url: str) -> list[str]:
    """What the file system has under a URL."""
    if protocol in WEB:
        return [url] if system.exists(url) else []
    if re.search(r"[*?\[]", url):
        return [path for path in system.glob(url) if not system.isdir(path)]
    if system.isdir(url):
        return list(system.find(url))
    return [url] if system.exists(url) else []


def fetch(url: str, folder: str) -> str:
    """A file of the web as a local one, under its name: few servers give parts of a file. DataError if it fails."""
    _, system = file_system(url)
    path = os.path.join(folder, os.path.basename(path_of(url)) or "index")
    try:
        system.get_file(url, path)
    except Exception as error:  # whatever the remote file system raises
        raise DataError(f"{url}: cannot be read: {error}") from None
    return path


def check_target(url: str) -> None:
    """Raise UsageError if a URL cannot be written."""
    protocol, _ = file_system(url)
    if protocol in WEB:
        raise UsageError(f"{url}: {protocol} cannot be written; write a file, or to s3:// or gs://")


def upload(path: str, url: str, new: bool = False) -> None:
    """Put a local file in its place, where it appears whole; ResourceError if it cannot be written.

    Raises:
        FileExistsError: something is there, and the file is to be `new`.
    """
    _, system = file_system(url)
    try:
        system.put_file(path, url, **({"mode": "create"} if new else {}))
    except Exception as error:  # whatever the remote file system raises
        if new and system.exists(url):
            raise FileExistsError(url) from error
        raise ResourceError(f"{url}: cannot be written: {error}") from None


def remove_remote(url: str) -> None:
    """Remove a file behind a URL, if that can be done."""
    _, system = file_system(url)
    with suppress(Exception):  # whatever the remote file system raises
        system.rm_file(url)


def files_like(pattern: str) -> tuple[str, Any, list[str]]:
    """Protocol, file system and URLs in order of a pattern, which may match nothing; DataError if it cannot be read."""
    protocol, system = file_system(pattern)
    try:
        system.invalidate_cache()
        found = matching(system, protocol, pattern)
    except Exception as error:  # whatever the remote file system raises
        raise DataError(f"{pattern}: cannot be reached: {error}") from None
    return protocol, system, sorted(f if URL.match(f) else f"{protocol}://{f.lstrip('/')}" for f in found)
