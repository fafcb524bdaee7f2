"""URLs, read from a real S3 server process on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import sqlrank
from tests.cli_helper import run_cli

SEARCH = Path(__file__).parent.parent / "fixtures" / "search"
WAIT = 60


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the S3 server did not start")


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A bucket with the example in it, on a server of its own."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    settings = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        wait_for(port, server)
        import s3fs

        files = s3fs.S3FileSystem()
        files.mkdir("exports")
        for name in ("keyword.parquet", "qrels.parquet", "keyword.csv", "qrels.csv"):
            files.put_file(str(SEARCH / name), f"exports/search/{name}")
        yield "s3://exports/search"
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({name: value} if value is not None else {})
        server.kill()
        server.wait()


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_behind_a_url_gives_the_same_values(bucket: str, kind: str) -> None:
    with sqlrank.evaluate(f"{bucket}/keyword.{kind}", f"{bucket}/qrels.{kind}", ["ndcg@10", "ap"]) as remote:
        found = remote.to_dict()
    with sqlrank.evaluate(SEARCH / f"keyword.{kind}", SEARCH / f"qrels.{kind}", ["ndcg@10", "ap"]) as local:
        expected = local.to_dict()
    assert set(found) == set(expected)
    for query, values in expected.items():
        assert found[query] == pytest.approx(values, abs=1e-12)


def test_a_url_may_be_a_glob(bucket: str) -> None:
    with sqlrank.evaluate(f"{bucket}/key*.parquet", f"{bucket}/qrels.parquet", "ndcg@10") as result:
        assert result["ndcg@10"] == pytest.approx(0.5890563924113, abs=1e-12)


def test_what_is_not_there_is_an_error_that_names_the_url(bucket: str) -> None:
    outcome = run_cli("eval", f"{bucket}/nothing.parquet", "--qrels", str(SEARCH / "qrels.parquet"))
    assert (outcome.code, outcome.out) == (3, "")
    assert f"{bucket}/nothing.parquet: nothing is there" in outcome.err


def test_a_condition_reads_no_other_object(bucket: str) -> None:
    where = f"doc_id in (select doc_id from read_parquet('{bucket}/qrels.parquet'))"
    command = ("eval", f"{bucket}/keyword.parquet", "--qrels", str(SEARCH / "qrels.parquet"), "--where")
    outcome = run_cli(*command, where)
    assert (outcome.code, outcome.out) == (2, "")
    assert run_cli(*command, "score > 0").code == 0


def test_a_protocol_nobody_knows_is_an_error_that_names_the_extra() -> None:
    outcome = run_cli("eval", "nowhere://runs/a.parquet", "--qrels", str(SEARCH / "qrels.parquet"))
    assert (outcome.code, outcome.out) == (2, "")
    assert "sqlrank[remote]" in outcome.err
