"""A PostgreSQL server for tests: a cluster in a temporary folder, with the text order of a language, not of bytes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.components import absent

HINT = "apt-get install postgresql (Debian keeps the programs below /usr/lib/postgresql)"
LOCALE = ("--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8", "--encoding=UTF8")


@dataclass(frozen=True, slots=True)
class Server:
    """Where a running server is."""

    host: str
    port: int
    user: str
    database: str
    sockets: str
    """The folder of its unix socket."""
    programs: str
    """The folder of psql and the others."""

    @property
    def url(self) -> str:
        """The connection as one text."""
        return f"postgresql://{self.user}@{self.host}:{self.port}/{self.database}"


def programs() -> str:
    """The folder with initdb and pg_ctl, which Debian keeps out of PATH."""
    found = shutil.which("pg_ctl")
    if found:
        return str(Path(found).resolve().parent)
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not newest:
        absent("the PostgreSQL server", HINT)
    return str(newest[-1].parent)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run_as_postgres(*command: str, cwd: Path) -> None:
    """Run one of the server's programs: as the user postgres where we are root, whom it refuses."""
    prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    log = cwd / "commands.log"
    with log.open("a", encoding="utf-8") as out:  # a pipe would be kept open by the server that pg_ctl leaves behind
        done = subprocess.run([*prefix, *command], cwd=cwd, stdout=out, stderr=out, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {log.read_text(encoding='utf-8')}")


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """A server with an empty database, stopped at the end.

    Args:
        folder: a temporary folder for the cluster; it must be short enough for a socket (about 90 bytes).
    """
    bindir = programs()
    home = folder / "pg"
    home.mkdir()
    user = "postgres"
    if os.geteuid() == 0:
        shutil.chown(home, user, user)
        for parent in home.parents:  # pytest makes its folders for their owner alone
            if not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)
    data = str(home / "data")
    run_as_postgres(
        f"{bindir}/initdb", "-D", data, "-A", "trust", "-U", user, "--no-sync", "--no-instructions", *LOCALE, cwd=home
    )
    port = free_port()
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={home} -c fsync=off"
    start = (f"{bindir}/pg_ctl", "-D", data, "-l", str(home / "server.log"), "-o", options, "-w", "-t", "60", "start")
    try:
        run_as_postgres(*start, cwd=home)
        yield Server("127.0.0.1", port, user, "postgres", str(home), bindir)
    finally:
        if Path(data, "postmaster.pid").exists():
            run_as_postgres(f"{bindir}/pg_ctl", "-D", data, "-m", "immediate", "-w", "stop", cwd=home)
