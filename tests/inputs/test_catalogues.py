"""DuckLake and MotherDuck as databases: opened by extensions of DuckDB, and never taken for files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import duckdb
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.tables import each

TOKENS = ("MOTHERDUCK_TOKEN", "motherduck_token")
EXTENSIONS = {
    "ducklake:rows.ducklake": "ducklake",
    "DuckLake:sqlite:rows.sqlite": "ducklake",
    "ducklake:~/rows.ducklake": "ducklake",
    "md:shop": "motherduck",
    "motherduck:shop": "motherduck",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in TOKENS:
        monkeypatch.delenv(name, raising=False)


@each(EXTENSIONS.items())
def test_an_extension_that_is_not_there_is_named(case: tuple[str, str]) -> None:
    database, extension = case
    config: dict[str, str | bool | int | float | list[str]] = {
        "extension_directory": "none",
        "autoinstall_known_extensions": False,
    }
    with duckdb.connect(config=config) as connection, pytest.raises(sqlrank.UsageError) as error:
        sqlrank.evaluate("runs", "qrels", "rr", database=database, connection=connection)
    said = str(error.value)
    assert said.startswith(f"database={database!r}: needs the extension {extension} of DuckDB {duckdb.__version__}")
    assert f"INSTALL {extension}" in said


def test_motherduck_needs_a_token_and_shows_none() -> None:
    said = error_of(2, "eval", "runs", "--qrels", "qrels", "--database", "md:shop")
    assert "--database md:shop: MotherDuck needs the extension motherduck of DuckDB and a token" in said
    assert "MOTHERDUCK_TOKEN" in said
    said = error_of(2, "eval", "runs", "--qrels", "qrels", "--database", "md:shop?motherduck_token=abc")
    assert "abc" not in said
    assert "MOTHERDUCK_TOKEN" in said


@each({"md:shop": "md:shop", "ducklake:a.ducklake": "ducklake:../a.ducklake", "a.duckdb": "../a.duckdb"}.items())
def test_settings_name_a_file_of_ducklake_relative_to_their_own(case: tuple[str, str]) -> None:
    given, shown = case
    Path("sqlrank.toml").write_text(f'database = "{given}"\n')
    assert f'database = "{shown}"' in in_folder("below", "eval", "runs", "--qrels", "qrels", "--show-config")


def in_folder(folder: str, *words: str) -> str:
    """What a command prints in a folder."""
    Path(folder).mkdir(exist_ok=True)
    with contextlib.chdir(folder):
        return completed(*words).out
