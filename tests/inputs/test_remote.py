"""URLs, read from a real S3 server process on this machine."""

from __future__ import annotations

import gzip
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import duckdb
import pytest
from backports import zstd

import sqlrank
from tests.support.cli_helper import FIXTURES, completed, error_of, run_cli, run_process
from tests.support.postgres import free_port
from tests.support.tables import hold

pytestmark = pytest.mark.needs("server")

SEARCH = FIXTURES / "search"
QRELS = ("--qrels", str(SEARCH / "qrels.parquet"))
WAIT = 60


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the S3 server did not start")


def of_server() -> Any:
    """The files of the server."""
    import s3fs

    return s3fs.S3FileSystem()


def put_partitions(files: Any) -> None:
    """The run again, in a folder of hive partitions with the marker that Spark leaves."""
    with duckdb.connect() as connection, tempfile.TemporaryDirectory() as folder:
        run = f"select *, if(right(query_id, 1) < '5', 'a', 'b') as half from '{SEARCH / 'keyword.parquet'}'"
        connection.execute(f"copy ({run}) to '{folder}/halves' (partition_by half, format parquet)").fetchall()
        files.put(f"{folder}/halves", "exports/halves", recursive=True)
        files.pipe("exports/halves/_SUCCESS", b"")


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
        files = of_server()
        files.mkdir("exports")
        for name in ("keyword.parquet", "qrels.parquet", "keyword.csv", "qrels.csv"):
            files.put_file(str(SEARCH / name), f"exports/search/{name}")
        put_partitions(files)
        yield "s3://exports/search"
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({name: value} if value is not None else {})
        server.kill()
        server.wait()


def test_a_file_behind_a_url_gives_the_same_values(bucket: str) -> None:
    for kind in ("parquet", "csv"):
        found = [
            sqlrank.evaluate(f"{folder}/keyword.{kind}", f"{folder}/qrels.{kind}", ["ndcg@10", "ap"]).to_dict()
            for folder in (bucket, SEARCH)
        ]
        assert found[0].keys() == found[1].keys()
        for query, values in found[1].items():
            assert found[0][query] == pytest.approx(values, abs=1e-12)


def test_a_url_may_be_a_glob_or_a_folder_of_hive_partitions(bucket: str) -> None:
    with sqlrank.evaluate(f"{bucket}/key*.parquet", f"{bucket}/qrels.parquet", "ndcg@10") as result:
        assert result["ndcg@10"] == pytest.approx(0.5890563924113, abs=1e-12)
    halves = bucket.replace("search", "halves")
    for run in (halves, f"{halves}/", f"{halves}/*/*.parquet"):
        with sqlrank.evaluate(run, f"{bucket}/qrels.parquet", "ndcg@10", by="half") as result:
            assert result["ndcg@10"] == pytest.approx(0.5890563924113, abs=1e-12)
            assert {row[1] for row in result.rows.fetchall()} == {None, "a", "b", "(no results)"}


def test_results_are_written_to_a_url_whole(bucket: str, tmp_path: Path) -> None:
    def check(suffix: str) -> None:
        inputs = (f"{bucket}/keyword.parquet", *QRELS)
        remote, local = f"{bucket}/out/summary.{suffix}", tmp_path / f"summary.{suffix}"
        assert completed("eval", *inputs, "-o", remote, "--per-query", f"{bucket}/out/queries.parquet").out == ""
        assert run_cli("eval", *inputs, "-o", local).code == 0
        files = of_server()
        if suffix != "parquet":
            assert files.cat_file(remote) == local.read_bytes()
        files.get_file(remote, str(tmp_path / "back"))
        files.get_file(f"{bucket}/out/queries.parquet", str(tmp_path / "queries.parquet"))
        with duckdb.connect() as connection:
            assert connection.sql(f"from '{tmp_path / 'queries.parquet'}'").shape == (300, 8)

    hold(["csv", "parquet", "json", "md"], check)


def test_a_condition_lets_results_be_written_to_a_url(bucket: str) -> None:
    where = ("--where", "score > 0", "-o", f"{bucket}/out/filtered.parquet")
    completed("eval", f"{bucket}/keyword.parquet", *QRELS, *where)
    with sqlrank.evaluate(f"{bucket}/keyword.parquet", f"{bucket}/qrels.parquet") as result:
        assert len(result.rows.fetchall()) == 5


def test_the_last_release_is_compared_from_a_url(bucket: str) -> None:
    stored = f"{bucket}/releases/last.parquet"
    completed("eval", f"{bucket}/keyword.parquet", *QRELS, "-m", "ap", "--per-query", stored, "--quiet")
    asked = (f"last={stored}", SEARCH / "semantic.parquet", *QRELS, "-m", "ap", "--format", "csv")
    (row,) = completed("compare", *asked).table
    assert [row[name] for name in ("baseline", "wins", "ties", "losses")] == ["last", "180", "9", "111"]


def test_a_store_is_kept_behind_a_url(bucket: str) -> None:
    place = f"{bucket}/results/"
    asked = (*QRELS, "-m", "ap", "--store", place, "--as-of", "2026-11-10")
    for run, code in ((f"{bucket}/keyword", 0), (SEARCH / "semantic", 0), (f"{bucket}/keyword", 3)):
        outcome = run_cli("eval", f"{run}.parquet", *asked)
        assert outcome.code == code, outcome.err
    assert f"{place} holds rows of keyword for 2026-11-10 already" in outcome.err
    completed("eval", f"{bucket}/keyword.parquet", *asked, "--replace-stored")
    for store in (place, f"{place}as_of=2026-11-10", f"{place}*/*.parquet"):
        outcome = completed("compare", store, "--baseline", "keyword", "--format", "csv")
        assert [outcome.table[0][name] for name in ("wins", "ties", "losses")] == ["180", "9", "111"]


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """A server of the example over https, whose certificate this process and those it starts trust."""
    import trustme

    with tempfile.TemporaryDirectory() as folder:
        authority = trustme.CA()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
        authority.cert_pem.write_to_path(f"{folder}/authority.pem")
        handler = partial(SimpleHTTPRequestHandler, directory=str(SEARCH))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        os.environ["SSL_CERT_FILE"] = f"{folder}/authority.pem"
        try:
            yield f"localhost:{server.server_port}"
        finally:
            del os.environ["SSL_CERT_FILE"]
            server.shutdown()
            server.server_close()


def test_files_are_read_over_https_and_no_secret_is_printed(web: str) -> None:
    run = f"https://analyst:opensesame@{web}/keyword.parquet?signature=s3cret"
    qrels = f"https://{web}/qrels.csv?signature=s3cret"
    outcome = run_process("eval", run, "--qrels", qrels, "-m", "ndcg@10", "--format", "csv")
    assert outcome.code == 0, outcome.err
    assert outcome.values == {("keyword", "ndcg@10"): "0.589056392411"}
    for asked in (("--format", "json"), ("-m", "nothing"), ("-o", run), ("--column", "score=nothing")):
        outcome = run_process("eval", run, "--qrels", qrels, *asked)
        assert not re.search("opensesame|s3cret", outcome.out + outcome.err), asked
    outcome = run_process("eval", run.replace("keyword", "nothing"), "--qrels", qrels)
    assert (outcome.code, outcome.out) == (3, "")
    assert f"https://***@{web}/nothing.parquet?***: nothing is there" in outcome.err


def test_what_cannot_be_read_or_written_is_told_with_its_url(bucket: str, web: str) -> None:
    def check(case: tuple[int, list[object], str]) -> None:
        code, words, said = case
        assert said in error_of(code, "eval", *words)

    run, glob = [f"{bucket}/keyword.parquet", *QRELS], [f"{bucket}/key*.parquet", "--qrels", f"{bucket}/qrels.parquet"]
    elsewhere = f"doc_id in (select doc_id from read_parquet('{bucket}/qrels.parquet'))"
    cases: list[tuple[int, list[object], str]] = [
        (2, [*glob, "-o", f"{bucket}/keyword.parquet"], "is an input and will not be overwritten"),
        (2, [*glob, "-o", f"{bucket}/key.parquet"], "is an input and will not be overwritten"),
        (5, [*run, "-o", "s3://nowhere-at-all/out.csv"], "s3://nowhere-at-all/out.csv: cannot be written"),
        (3, [f"{bucket}/nothing.parquet", *QRELS], f"{bucket}/nothing.parquet: nothing is there"),
        (2, [*run, "--where", elsewhere], "a subquery"),
        (2, [SEARCH / "export.parquet", "-o", f"https://{web}/out.csv"], "https cannot be written"),
        (2, ["nowhere://runs/a.parquet", *QRELS], "sqlrank[remote]"),
    ]
    hold(cases, check)


def test_compressed_text_behind_a_url_is_verified_to_its_end(bucket: str) -> None:
    text, files = (SEARCH / "keyword.csv").read_bytes(), of_server()
    qrels = ["--qrels", f"{bucket}/qrels.csv", "-m", "ap", "--format", "csv", "--quiet"]
    plain = completed("eval", f"{bucket}/keyword.csv", *qrels)
    for kind, suffix, data in (("gzip", "gz", gzip.compress(text)), ("zstd", "zst", zstd.compress(text))):
        whole, cut = (f"exports/packed/{name}.csv.{suffix}" for name in ("whole", "cut"))
        files.pipe(whole, data)
        files.pipe(cut, data[: len(data) // 2])
        assert run_cli("eval", f"keyword=s3://{whole}", *qrels) == plain
        assert f"s3://{cut}: the {kind} stream is cut short" in error_of(3, "eval", f"s3://{cut}", *qrels)
