"""Where the results of one command go."""

from __future__ import annotations

from collections.abc import Callable

from sqlrank.choices import TIDY
from sqlrank.cli.options import Output
from sqlrank.cli.terminal import output_file, tell
from sqlrank.errors import UsageError


class Outputs:
    """Formats and files of summary and per-query rows (`-`: stdout); UsageError for a format with no place for them."""

    def __init__(self, output: Output, per_query: str | None = None) -> None:
        from sqlrank.output.formats import check_tidy, format_of
        from sqlrank.pages.terminal_tables import screen_of

        if output.output == per_query == "-":
            raise UsageError("-o - and --per-query - would both be written to standard output; name a file for one")
        path = None if output.output == "-" else output.output
        self.kind = format_of(path, output.format, "table")
        self.file, self.digits, self.quiet = output_file(path), output.digits, output.quiet
        shown = self.kind == "table" and self.file is None
        self.screen = screen_of(shown, output.color, getattr(output, "plot", False))
        """How a table is written: its width, colours and drawings."""
        if self.screen.plot and self.kind != "table":
            raise UsageError(f"--plot draws in a table, not in {self.kind}; sqlrank report draws charts")
        self.queries_too = self.kind == "trec" and per_query == "-"
        """Whether the lines of every query stand before the summary, as trec_eval -q prints them."""
        self.summary = per_query != "-" or output.output is not None or self.queries_too
        """Whether the summary is written."""
        path = None if per_query == "-" else per_query
        self.per_query_file = output_file(path)
        self.per_query_kind = None
        if per_query and not self.queries_too:
            tidy = output.format if output.format in TIDY else None
            self.per_query_kind = check_tidy(format_of(path, tidy, "csv"))

    def tell(self, notes: list[str], remarks: Callable[[], list[str]]) -> None:
        """Say on stderr what was noticed, and what the format has no place for."""
        tell(notes, self.quiet)
        if self.kind in TIDY and self.kind != "json":
            tell(remarks(), self.quiet)
