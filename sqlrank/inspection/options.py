"""The options of a look at inputs."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import duckdb

from sqlrank.evaluation.options import Columns, Files
from sqlrank.options.declared import options_of
from sqlrank.options.shared import Limits, Session


class LookedAt(Files, total=False):
    """How inputs are read."""

    columns: Annotated[Mapping[str, str | Sequence[str]], options_of(Columns)["columns"]]
    session: Annotated[str | None, options_of(Columns)["session"]]


class InspectOptions(LookedAt, Limits, total=False):
    """The options of `sqlrank.inspect`."""

    connection: Annotated[duckdb.DuckDBPyConnection | None, options_of(Session)["connection"]]
