"""The inputs of a statement: the relation that holds the rows of each, and the columns of their roles."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from markupsafe import Markup

from sqlrank.statement.partitions import PARTITION_ROWS, Partition
from sqlrank.statement.templates import NativeId, sql_text

DESCENDING = sql_text("desc")
TITLES = {
    "run": "the rankings",
    "qrels": "the judgments",
    "queries": "the queries",
    "items": "the items",
    "history": "the history",
    "baseline": "the baseline",
}
"""What comments call each input."""
AN_ID, OF_LISTS, RELEVANT, COMPUTED, FILTERED = (
    "with an id of several columns",
    "a row for each place of a list",
    "every row of relevance 1",
    "with columns that are computed",
    "of which a condition keeps some",
)
"""What comments say of columns that are made."""
ID_ROLES = ("query_id", "doc_id")
"""The roles of ids that tell rows apart."""
COLUMN_ROLES = frozenset(
    "system query_id doc_id score rank relevance subtopic item_weight category length vector".split()
)
"""The roles of columns that a statement reads."""


@dataclass(frozen=True, slots=True)
class Place:
    """The column of a segment or a weight, and the inputs that it is read from."""

    name: str
    alias: str
    """What it is called in the output."""
    found: bool
    """Whether it is read from the run."""
    judged: bool
    """Whether it is read from the judgments."""
    asked: bool
    """Whether it is read from the table of queries."""
    is_number: bool = False
    """Whether it is a weight."""

    @property
    def sources(self) -> list[str]:
        """The inputs that a query has it from, in their order; a weight of the table of queries from no other."""
        there = {"asked": self.asked, "found": self.found, "judged": self.judged}
        sources = [source for source, read in there.items() if read]
        return sources[:1] if self.asked and self.is_number else sources


@dataclass(frozen=True, slots=True)
class IdColumn:
    """One of the columns that an id is made of."""

    number: int
    """Its place among them, from 1."""
    name: str
    """What it is called in the rows of the queries."""


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column that is made of the values of a list."""

    name: str
    element: str
    """What a value is called where rows are made."""
    list: str
    """The column that holds the list."""
    key: str | None
    """The field of the structs in the list, or None where it holds plain values."""
    beside: bool
    """Whether it is another list than the one that rows are made of."""
    identifies: bool
    """Whether its values are ids."""


@dataclass(frozen=True, slots=True)
class Lists:
    """The columns of one input that are made of lists."""

    columns: tuple[ListColumn, ...]
    """The first of them is of the list that rows are made of."""
    place: str | None
    """The column with the place in the list, from 1, where that is read."""
    separator: str | None
    """What stands between the values of a text."""
    pattern: str | None
    """The same as a regular expression."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """The rows of one input, and its column for each role."""

    relation: Markup | None = None
    """What stands after `from`; None where there is no such input."""
    system: str = "system"
    query_id: str = "query_id"
    doc_id: str = "doc_id"
    score: str = "score"
    rank: str = "rank"
    relevance: str = "relevance"
    subtopic: str = "subtopic"
    item_weight: str = "item_weight"
    category: str = "category"
    length: str = "length"
    vector: str = "vector"
    low: str | None = None
    """The lower end of the interval of each relevance, where judgments have one, and the upper one."""
    high: str | None = None
    stated_doc_id: str | None = None
    """A column with the same ids as the files state them, whose statistics tell whether one is missing."""
    where: Markup | None = None
    """The condition on its rows."""
    direction: Markup | None = None
    """How its scores order."""
    extra: tuple[Place, ...] = ()
    """The segments that are read from it."""
    weight: str | None = None
    """The column of the weight, where that is read from it."""
    carried: tuple[Place, ...] = ()
    """Both: what the rows of its queries carry."""
    composed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The ids that are made of several columns, by role."""
    positive: bool = False
    """Whether every row is relevance 1."""
    lists: Lists | None = None
    """The columns that are made of lists."""
    computed: tuple[tuple[str, Markup], ...] = ()
    """The columns that an expression of the user makes."""
    given_where: Markup | None = None
    """The condition on its rows before anything else reads them: on judgments of their own."""

    def __bool__(self) -> bool:
        """Whether there is such an input."""
        return self.relation is not None

    @property
    def texts(self) -> list[str]:
        """The roles of ids that are made as texts: of several columns, or of lists."""
        listed = [column.name for column in self.lists.columns if column.identifies] if self.lists else []
        return [role for role in ID_ROLES if role in dict(self.composed) or getattr(self, role) in listed]

    @property
    def made(self) -> bool:
        """Whether some of its columns are made of others."""
        return bool(self.composed or self.positive or self.lists or self.computed or self.given_where)


@dataclass(frozen=True, slots=True)
class Kept:
    """Columns of one input that are carried along to the rows of the queries."""

    kind: str
    """The field of the input."""
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """All inputs of a statement."""

    run: Relation
    qrels: Relation = Relation()
    queries: Relation = Relation()
    """The table of queries, with their segments and weights."""
    items: Relation = Relation()
    history: Relation = Relation()
    baseline: Relation = Relation()
    labelled: bool = False
    """Whether the rows of the run are judgments too."""
    parted: bool = False
    """Whether the judgments are of the relation of the run, whose condition leaves them alone."""
    without_judgments: bool = False
    system: str | Markup | None = None
    """The name of the one system; None where a column of the run names several."""
    by_rank: bool = False
    """Whether a rank orders in place of a score."""
    direction: Markup = DESCENDING
    """How scores order."""
    segments: tuple[Place, ...] = ()
    cluster: Place | None = None
    """The column whose value related queries share."""
    weight: Place | None = None
    kept: tuple[Kept, ...] = ()
    partition: Partition | None = None
    """What restricts the run to one of its partitions."""
    id_columns: tuple[IdColumn, ...] = ()
    """The columns that the id of a query is made of, and that its row carries."""

    def __post_init__(self) -> None:
        for kind, place in (("run", "found"), ("qrels", "judged"), ("queries", "asked")):
            relation = getattr(self, kind)
            extra = tuple(each for each in self.carried if getattr(each, place))
            weight = self.weight.name if self.weight is not None and getattr(self.weight, place) else None
            carried = tuple(each for each in self.carried_columns if getattr(each, place))
            object.__setattr__(self, kind, replace(relation, extra=extra, weight=weight, carried=carried))

    @property
    def carried(self) -> tuple[Place, ...]:
        """The columns of the queries that their rows carry: segments, and that of the clusters."""
        return self.segments if self.cluster is None else (*self.segments, self.cluster)

    @property
    def carried_columns(self) -> tuple[Place, ...]:
        """Those, and the weight."""
        if self.weight is None:
            return self.carried
        return (*self.carried, replace(self.weight, alias="weight", is_number=True))

    @property
    def several(self) -> bool:
        """Whether there may be several systems."""
        return self.system is None

    @property
    def weighted(self) -> bool:
        """Whether queries have weights."""
        return self.weight is not None

    @property
    def exported(self) -> bool:
        """Whether the relation of the run carries the judgments."""
        return self.labelled or self.parted

    @property
    def judged(self) -> Markup | None:
        """The relation that holds the judgments."""
        return self.run.relation if self.labelled else self.qrels.relation

    def named(self) -> Iterator[tuple[str, Relation]]:
        """Every input that there is, with the name of its field."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Relation) and value:
                yield field.name, value

    def with_native(self, roles: Collection[str]) -> Relations:
        """The same with the ids of these roles, `query_id` or `doc_id`, told apart as they are; made ones are texts."""
        named = dict(self.named())
        texts = {role for relation in named.values() for role in relation.texts}
        kept = [role for role in roles if role not in texts]
        for kind, relation in named.items() if kept else ():
            ids: dict[str, Any] = {role: NativeId(getattr(relation, role)) for role in kept}
            named[kind] = replace(relation, **ids)
        made: dict[str, Any] = dict(named)
        return replace(self, **made)

    def context(self) -> dict[str, Any]:
        """The inputs as variables of the templates; `segments` are all columns that rows of queries carry."""
        others = ("queries", "cluster", "weight", "kept", "partition")
        names = [field.name for field in fields(self) if field.name not in others]
        given = {name: getattr(self, name) for name in names} | {"segments": self.carried}
        inputs: dict[str, Relation] = dict(self.named())
        divided = None
        if self.partition is not None:
            divided = self.partition.context(inputs, TITLES)
            rows = {"run": PARTITION_ROWS} | {kind: self.partition.rows_of(kind) for kind, _ in self.partition.cut}
            inputs |= {kind: replace(inputs[kind], relation=relation) for kind, relation in rows.items()}
        given_rows = {kind: each for kind, each in inputs.items() if each.made}
        inputs |= {kind: replace(each, relation=sql_text(f"given_{kind}")) for kind, each in given_rows.items()}
        keys = ["system", "query_id"] if self.several else ["query_id"]
        kept = [
            {"rows": f"{each.kind}_columns", "columns": each.columns, "found": each.kind == "run"}
            | {"relation": inputs[each.kind], "of_keys": keys if each.kind == "run" else keys[-1:]}
            for each in self.kept
        ]
        given |= inputs | {"asked": inputs.get("queries", self.queries)}
        given |= {"several": self.several, "weighted": self.weighted, "kept": kept, "partition": divided}
        return given | {"prepared": [step_of(kind, relation) for kind, relation in given_rows.items()]}


def step_of(kind: str, relation: Relation) -> dict[str, Any]:
    """The variables of the step that gives an input the columns that it is read from."""
    named = [(getattr(relation, role), columns) for role, columns in relation.composed]
    ids = [{"name": name, "columns": columns, "complaint": None} for name, columns in named]
    said = [AN_ID] * bool(ids) + [OF_LISTS] * bool(relation.lists) + [RELEVANT] * relation.positive
    said += [COMPUTED] * bool(relation.computed) + [FILTERED] * bool(relation.given_where)
    return {
        "name": f"given_{kind}",
        "title": sql_text(f"{TITLES[kind]}, {' and '.join(said)}"),
        "computed": [{"name": name, "expression": expression} for name, expression in relation.computed],
        "where": relation.given_where,
        "ids": ids,
        "relevance": relation.relevance if relation.positive else None,
        "lists": relation.lists,
        "relation": relation.relation,
    }


def direction(ascending: bool) -> Markup:
    """How scores order."""
    return sql_text("asc" if ascending else "desc")
