"""The statements of a folder of sql/behaviour, or of another room of logs, and the tables that are kept of them."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statement.templates import render, sql_text


class Folder:
    """Runs the statements of a folder, by name.

    `known` goes to every statement, tables that are kept have names that begin with `prefix`, and `doing` is what
    progress says while they are made.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        name: str = "",
        *,
        room: str = "behaviour",
        prefix: str = "",
        doing: str = "",
        **known: Any,
    ) -> None:
        self.engine, self.prefix, self.doing, self.known = engine, prefix, doing, known
        self.path = f"{room}/{name}/" if name else f"{room}/"

    def text(self, template: str, /, **context: Any) -> str:
        """A statement."""
        return render(f"{self.path}{template}.sql", self.engine.dialect, **self.known | context)

    def rows(self, template: str, /, **context: Any) -> list[dict[str, Any]]:
        """The rows of a statement of few rows."""
        return self.engine.gather([self.text(template, **context)])[0]

    def row(self, template: str, /, **context: Any) -> dict[str, Any]:
        """The first row of a statement by column name, or nothing."""
        return self.engine.row(self.text(template, **context))

    def numbers(self, template: str, /, **context: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement of few rows, without names."""
        return self.engine.execute(self.text(template, **context))

    def number(self, template: str, /, **context: Any) -> float:
        """The one number of a statement."""
        return float(self.numbers(template, **context)[0][0])

    def named(self, base: str) -> str:
        """The name of a table."""
        return self.engine.name(f"{self.prefix}{base}")

    def table(self, base: str) -> Markup:
        """A table by its name."""
        return sql_text(self.engine.dialect.ident(self.named(base)))

    def keep(self, base: str, template: str | None = None, /, **context: Any) -> Markup:
        """Keep the rows of a statement as a table, in place of the one that has its name."""
        statement = self.text(template or base, **context)
        self.drop(base)
        self.engine.keep(self.named(base), statement, doing=self.doing)
        return self.table(base)

    def view(self, base: str, template: str | None = None, /, **context: Any) -> Markup:
        """Make a view of a statement."""
        name, statement = self.named(base), sql_text(self.text(template or base, **context))
        view = render("behaviour/view.sql", self.engine.dialect, name=name, statement=statement)
        self.engine.make("view", name, view)
        return self.table(base)

    def drop(self, base: str) -> None:
        """Drop a table, if there is one."""
        if ("table", self.named(base)) in self.engine.made:
            self.engine.drop("table", self.named(base))
