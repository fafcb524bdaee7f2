"""Tables that have a part of an id of several columns, such as one of users where queries are of a user and a date."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from sqlrank.inputs.column_names import plain_name
from sqlrank.inputs.relation_maker import Part, RelationMaker
from sqlrank.inputs.roles import Roles
from sqlrank.statement.templates import render, sql_text


def parts_in(roles: Roles, whole: Sequence[str]) -> list[int]:
    """Which parts of the queries' ids a table has, from 1, where it has some of several; else none."""
    names = [plain_name(column) for column in whole]
    own = [plain_name(column) for column in roles.columns_of("query_id")] if "query_id" in roles.names else []
    known = [names.index(column) + 1 for column in own if column in names]
    return known if len(known) == len(own) < len(whole) else []


def said_of_parts(roles: Roles, whole: Sequence[str]) -> str:
    """The note on such a table."""
    own = " and ".join(roles.columns_of("query_id"))
    return f"{roles.table.label}: its rows are of each {own}, a part of the queries of {','.join(whole)}"


def of_all_queries(
    maker: RelationMaker, relation: Markup, part: Part, numbers: Sequence[int], known: Sequence[Markup]
) -> Markup:
    """The rows of a table of parts, `numbers` of the queries' ids, with the id of each of the `known` queries."""
    engine, name = maker.engine, maker.engine.name("queries_by_part")
    columns = [column.alias for column in part.columns if column.alias != "query_id"]
    context = {"relation": relation, "columns": columns, "numbers": numbers, "relations": known}
    statement = render("sources/of_parts.sql", engine.dialect, **context)
    engine.keep(name, statement, doing="reading")
    maker.sources.append(render("sources/created.sql", engine.dialect, name=name, statement=sql_text(statement)))
    return sql_text(engine.dialect.ident(name))
