"""Spark in processes of its own: a server of Spark Connect, and Ctrl-C at the command line. For `pytest -m needs`."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.support.cli_helper import FIXTURES, command, environment, run_process
from tests.support.components import package
from tests.support.spark import BRIEF, SETTINGS

SEARCH = FIXTURES / "search"
ASKED = [SEARCH / "keyword.parquet", "--qrels", SEARCH / "qrels.parquet", "-m", "ndcg@10", "-m", "ap"]
SECONDS_TO_START = 90


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Spark keeps what its tasks hand on."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, scratch: Path) -> Iterator[str]:
    """The address of a server of Spark Connect."""
    home = Path(package("pyspark", "spark").__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = SETTINGS | {"spark.log.level": "INFO", "spark.sql.shuffle.partitions": "4"}
    settings |= {"spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": str(port)}
    words = [str(home / "bin" / "spark-submit"), "--master", "local[2]"]
    words += [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    words += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    log = tmp_path_factory.mktemp("connect") / "log"
    with log.open("wb") as out:
        env = os.environ | BRIEF | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": str(scratch)}
        started = subprocess.Popen(words, stdout=out, stderr=out, env=env, start_new_session=True)
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while b"Connect server started" not in log.read_bytes():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.5)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A run that takes a while."""
    folder = tmp_path_factory.mktemp("large")
    with duckdb.connect() as connection:
        connection.execute(
            "create table run as select 'q' || (i % 1000) as query_id, 'd' || i as doc_id,"
            " (hash(i) % 999)::double as score from range(5000000) r(i)"
        )
        connection.execute(
            "create table qrels as select query_id, doc_id, 1 as relevance from run where hash(doc_id) % 9 = 0"
        )
        for name in ("run", "qrels"):
            connection.execute(f"copy {name} to '{folder / name}.parquet'")
    return [folder / "run.parquet", folder / "qrels.parquet"]


def handed_on(scratch: Path) -> set[Path]:
    """Files that tasks have written for others to read: a job is at work."""
    return set(scratch.rglob("shuffle_*.data"))


def test_connect_gives_the_numbers_of_duckdb(server: str, tmp_path: Path) -> None:
    wanted = run_process("eval", *ASKED)

    found = run_process("eval", *ASKED, "--spark", server)

    assert (found.code, found.out, found.err) == (wanted.code, wanted.out, wanted.err)
    per_query = run_process("eval", *ASKED, "--per-query", "-", "--quiet", "--spark", server)
    assert per_query.out == run_process("eval", *ASKED, "--per-query", "-", "--quiet").out
    folder = tmp_path / "queries"
    assert run_process("eval", *ASKED, "--per-query", folder, "--format", "csv", "--spark", server).code == 0
    assert (folder / "_SUCCESS").exists()


def test_connect_tells_what_is_wrong(server: str) -> None:
    bad = FIXTURES / "bad"
    outcome = run_process("eval", bad / "run_text_score.csv", "--qrels", bad / "qrels.csv", "--spark", server)

    assert (outcome.code, outcome.out) == (3, "")
    assert "run_text_score.csv, line 3: 1 of 2 scores" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    package("pyspark", "spark")
    for address in ("sc://127.0.0.1:1", "spark://127.0.0.1:1"):
        outcome = run_process("eval", *ASKED, "--spark", address)

        assert (outcome.code, outcome.out) == (2, "")
        assert f"--spark {address}: nothing answers there" in outcome.err


@pytest.mark.parametrize("connect", [False, True])
def test_ctrl_c_ends_the_command_and_its_jobs(
    large: list[Path], scratch: Path, request: pytest.FixtureRequest, connect: bool
) -> None:
    package("pyspark", "spark")
    address = request.getfixturevalue("server") if connect else "local[2]"
    words = command("eval", large[0], "--qrels", large[1], "-m", "ndcg", "-m", "ap", "-m", "bpref", "--spark", address)
    env, before = environment() | BRIEF | {"SPARK_LOCAL_DIRS": str(scratch)}, handed_on(scratch)
    started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True)
    deadline = time.monotonic() + SECONDS_TO_START
    while handed_on(scratch) <= before:
        assert started.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)

    at = time.monotonic()
    started.send_signal(signal.SIGINT)
    out, said = started.communicate(timeout=60)

    assert (started.returncode, out) == (130, "")
    assert said == "sqlrank: error: interrupted; nothing was written\n"
    assert time.monotonic() - at < 30
    if connect:
        assert run_process("eval", *ASKED, "--spark", address).code == 0
