"""Results in a fresh JupyterLab: tables and pictures of real cells, in a real browser, and what completion offers."""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from tests.support.browser import chromium, compare_picture, opened
from tests.support.cli_helper import ROOT
from tests.support.components import package, program
from tests.support.reports import KEYWORD, QRELS, VERDICTS, every, parsed, tables_of

SCRIPT = ROOT / "tests" / "support" / "rich_notebook.py"
SECONDS = 60


def jupyter() -> str:
    return program("jupyter-python", "name the Python of an environment with jupyterlab", "SQLRANK_JUPYTER")


def test_cells_show_tables_and_pictures(tmp_path: Path) -> None:
    done = subprocess.run([jupyter(), SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    setup, *shown = json.loads(done.stdout)
    assert all(map(is_gone, setup)), setup
    assert setup  # a bar was shown
    shown = [[output for output in outputs if not is_gone(output)] for outputs in shown]
    for (output,) in (*shown[:5], shown[7]):
        page = parsed(f"<!DOCTYPE html><title>cell</title>{output['text/html']}")
        assert every(page, "td")
        assert not re.search(r"\d\.\d{6}", output["text/html"].partition("</style>")[2])
    for (output,) in shown[5:7]:
        assert output["image/svg+xml"].startswith("<svg")
        assert output["application/vnd.vegalite.v6+json"]["data"]["values"]


def is_gone(output: dict[str, Any]) -> bool:
    """Whether an output is a progress bar that has ended."""
    return output == {"text/html": "", "text/plain": "<IPython.core.display.HTML object>"}


def write_settings(folder: Path, theme: str) -> None:
    """What a reader may choose in JupyterLab: a theme, no news, and cells that stay on the page."""
    settings = {
        "apputils-extension/themes": {"theme": theme},
        "apputils-extension/notification": {"fetchNews": "false"},
        "notebook-extension/tracker": {"windowingMode": "none"},
    }
    for name, values in settings.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """JupyterLab on a port of this machine: the address of its documents, with the token."""
    token = secrets.token_hex(8)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--ServerApp.port={port}", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}"]
    home = {"HOME": str(folder), "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings")}
    command = [jupyter(), "-m", "jupyterlab", "--no-browser", "--allow-root", *options]
    with (
        open(folder / "lab.log", "w") as log,
        subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=os.environ | home) as server,
    ):
        try:
            wait_for(f"http://127.0.0.1:{port}/api?token={token}")
            yield f"http://127.0.0.1:{port}/doc/tree/{{}}?token={token}"
        finally:
            server.terminate()


def wait_for(address: str) -> None:
    end = time.monotonic() + SECONDS
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            assert time.monotonic() < end, f"{address} does not answer"
            time.sleep(0.3)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_jupyterlab_shows_them_as_they_are_meant_to_look(theme: str, tmp_path: Path) -> None:
    notebook = tmp_path / "rich.ipynb"
    subprocess.run([jupyter(), SCRIPT, notebook], check=True)
    write_settings(tmp_path, f"JupyterLab {theme}")
    # A reader whose system is dark may have a light theme, and the other way round.
    dark = theme == "Light"
    with (
        lab(tmp_path) as address,
        chromium() as browser,
        opened(browser, address.format(notebook.name), 1280, dark) as seen,
    ):
        page = seen.page
        page.set_default_timeout(SECONDS * 1000)
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.get_by_text("| Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_function("document.querySelectorAll('.sqlrank table').length >= 6")
        page.wait_for_function("document.querySelectorAll('.jp-RenderedSVG, .vega-embed').length >= 2")
        assert not page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count()
        aligned = "cell => getComputedStyle(cell).textAlign"
        assert page.locator(".sqlrank td:not([class])").first.evaluate(aligned) == "end"
        assert page.locator(".sqlrank td.text").first.evaluate(aligned) == "start"
        tables = page.locator(".sqlrank").all()
        for number, table in enumerate(tables[:3]):
            table.scroll_into_view_if_needed()
            compare_picture(f"notebook-{theme.lower()}-{number}", picture(table))


def picture(element: Any) -> Any:
    return package("PIL.Image", "browser").open(io.BytesIO(element.screenshot()))


def test_completion_offers_what_a_result_can_become() -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"]) as result:
        assert {"to_pandas", "to_polars", "to_arrow", "to_dicts", "plot", "report", "per_query"} <= set(dir(result))
        explained = result.explain("q0013")
        assert {"to_pandas", "df", "fetchall", "values"} <= set(dir(explained))


def test_rows_become_frames_of_every_kind() -> None:
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    with sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10", "ap"]) as result:
        expected = result.to_dicts()
        assert [row["metric"] for row in expected] == ["ndcg@10", "ap"]
        assert expected[0]["value"] == result["ndcg@10"]
        frames = [result.to_pandas(), result.to_polars(), result.to_arrow()]
        assert [type(frame) for frame in frames] == [pandas.DataFrame, polars.DataFrame, arrow.Table]
        assert frames[0].to_dict("records") == frames[1].to_dicts() == frames[2].to_pylist() == expected
        queries = result.to_dicts(per_query=True)
        assert len(queries) == len(result.to_pandas(per_query=True)) == 300
        assert queries[0].keys() == {"system", "query_id", "ndcg_at_10", "ap"}
        explained = result.explain("q0013", rows=3)
        assert len(explained.to_pandas()) == 3


def test_what_is_not_there_is_said() -> None:
    with (
        sqlrank.gsb(str(VERDICTS)) as verdicts,
        pytest.raises(sqlrank.UsageError, match="a SideBySide has no per-query rows"),
    ):
        verdicts.to_dicts(per_query=True)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    with (
        sqlrank.evaluate(str(KEYWORD), str(QRELS), ["ndcg@10"]) as result,
        pytest.raises(sqlrank.UsageError, match="pip install polars"),
    ):
        result.to_polars()


def test_the_table_of_a_cell_is_that_of_the_terminal() -> None:
    with sqlrank.evaluate(str(KEYWORD), str(QRELS)) as result:
        (table,) = tables_of(parsed(f"<!DOCTYPE html><title>cell</title>{result._repr_html_()}")).values()
    assert table == [
        {
            **{"system": "keyword", "queries": "300", "ndcg@10": "0.5891 ±0.0220", "ap": "0.4472 ±0.0203"},
            **{"rr": "0.8782 ±0.0304", "p@10": "0.5547 ±0.0241", "recall@100": "0.6093 ±0.0232"},
        }
    ]
