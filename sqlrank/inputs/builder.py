"""Tables with their columns by role become the relations that checks and statements read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from markupsafe import Markup

from sqlrank.engines.protocol import Engine, count_rows
from sqlrank.errors import UsageError
from sqlrank.inputs.opened_inputs import FirstRun, Inputs, zone_in_words, zone_used
from sqlrank.inputs.reading import Reading, named_by
from sqlrank.inputs.relation_maker import Part, RelationMaker
from sqlrank.inputs.required_roles import Found, found_ends, need
from sqlrank.inputs.roles import Roles
from sqlrank.inputs.segments import Places, carried, check_segments, idle, unread
from sqlrank.spelling import spelt
from sqlrank.statement.columns import OF_ITEMS
from sqlrank.statement.relations import Place, Relation, Relations, direction
from sqlrank.statement.templates import render


class Builder:
    """Makes the relations of all inputs, such as `run_input` and `qrels_input`."""

    def __init__(self, engine: Engine, reading: Reading, found: Found) -> None:
        self.reading, self.found, self.conventions = reading, found, found.conventions
        self.maker = RelationMaker(engine, reading)
        tables = {"run": [roles.table for roles in found.runs]}
        judged = [roles.table for roles in found.judgments]
        # What a pool has besides its judgments is about its pairs.
        described = [] if found.parted else [table for table in judged if not table.is_pool]
        tables |= {"queries": [found.others["queries"].table]} if "queries" in found.others else {}
        tables |= {"qrels": described} if described else {}
        self.places = Places(tables, found.exported, self.conventions.query_set == "judged")
        self.tasks = engine.tasks([table.size for table in [*tables["run"], *judged]])
        self.segments: tuple[Place, ...] = ()
        self.cluster: Place | None = None
        self.weight: Place | None = None
        self.unfilled = 0
        self.ends: list[str] = []
        """The roles of the ends of the labels' intervals, where the judgments have them."""

    def build(self) -> Inputs:
        """Make the relations; DataError for a missing column, UsageError for two of one name or an input not given."""
        found = self.found
        notes = [*dict.fromkeys(found.check()), *self.find_segments()]
        if self.reading.where is not None:
            from sqlrank.inputs.conditions import notes_on_condition

            notes += notes_on_condition(self.reading, found)
        names = [system.name for system in found.systems if not system.has_column]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"two systems are called {twice!r}; name them with name=path")
        if found.parts_of_queries:
            from sqlrank.inputs.parts_of_ids import said_of_parts

            notes.append(said_of_parts(found.others["queries"], found.runs[0].composed["query_id"]))
        relations = self.relations(None if found.several else names[0])
        by_column, first = any(system.has_column for system in found.systems), found.systems[0]
        column = first.roles.names["system"] if first.has_column else None
        labels, tables = found.labels(self.reading)
        runs = [roles.table for roles in found.runs]
        every = [*found.runs, *found.judgments, *found.others.values()]
        read = [name for roles in every for name in roles.columns_read()]
        zone = zone_used(self.maker.engine, self.reading, [roles.table for roles in every], read)
        if zone is not None:
            self.maker.sources.insert(0, render("sources/timezone.sql", self.maker.engine.dialect, zone=zone))
        return Inputs(
            labels=labels,
            tables=tables,
            runs=runs,
            count=partial(count_rows, self.maker.engine),
            sources=self.maker.sources,
            in_order=self.maker.in_order,
            notes=notes,
            where=self.reading.where,
            weight=self.reading.weight,
            filtered=0 if self.reading.where is None else self.maker.count_filtered(runs, relations.run.relation),
            judgments_filtered=self.judgments_filtered(relations.qrels.relation),
            conditions=self.reading.conditions,
            relations=relations,
            systems=names,
            by_column=by_column,
            lists_in_order=[one.name for one in found.systems if one.roles.table.in_order and not one.has_column],
            named_by_path=found.several
            and not by_column
            and not any(system.given or not system.roles.table.files for system in found.systems),
            first_run=FirstRun(None if column else first.name, first.roles.table, column),
            unused_ranks=found.unused_ranks,
            untyped_ids=[roles.table.label for roles in found.runs if not roles.table.is_text(roles.names["doc_id"])],
            unfiltered=self.make_unfiltered(),
            judgments=[roles.table for roles in found.judgments],
            unfilled=self.unfilled,
            conventions=self.conventions,
            composed=found.runs[0].composed,
            remarks=[*found.what_judgments_are(), *([] if zone is None else [zone_in_words(zone)])],
            timezone=zone,
            copies=self.advice_on_copies,
        )

    def advice_on_copies(self, kind: str) -> str:
        """What to choose where the copies of a document in the runs or the judgments differ in a column."""
        from sqlrank.inputs.copies import advice_on_copies

        others = [self.found.others[kind]] if kind in self.found.others else []
        inputs = {"run": self.found.runs, "qrels": self.found.judgments}.get(kind, others)
        of_ranks = kind == "run" and self.conventions.copies == "error"
        return advice_on_copies(self.maker.engine, inputs, self.reading.where if kind == "run" else None, of_ranks)

    def find_segments(self) -> list[str]:
        """Find the columns of the segments, the clusters and the weight, and return notes on them."""
        reading = self.reading
        self.segments = tuple(self.places.of(name) for name in reading.by)
        self.cluster = self.places.of(reading.cluster) if reading.cluster is not None else None
        self.weight = self.places.of(reading.weight) if reading.weight is not None else None
        check_segments(self.segments, self.cluster)
        queries = self.found.others.get("queries")
        read = "titles" in self.found.needs or not unread(reading, [*self.segments, self.cluster, self.weight])
        if queries is None or read:
            return self.places.notes
        return [*self.places.notes, f"{queries.table.label}{idle()}"]

    def relations(self, system: str | None) -> Relations:
        """Make the relations of all inputs; `system` is the name of the only one."""
        found, run, qrels = self.found, self.make_run(), self.make_qrels()
        known = [each.relation for each in (run, qrels) if each.relation is not None]
        return Relations(
            run=run,
            qrels=qrels,
            queries=self.make_queries(known),
            items=self.make_needed("items"),
            history=self.make_needed("history"),
            baseline=self.make_needed("baseline"),
            labelled=found.labelled,
            parted=found.parted,
            without_judgments=not found.judged,
            system=system,
            by_rank=found.by_rank,
            direction=direction(found.by_rank or self.conventions.order == "asc"),
            segments=self.segments,
            cluster=self.cluster,
            weight=self.weight,
            id_columns=carried(
                found.runs[0].composed.get("query_id", ()), [*self.segments, *filter(None, [self.cluster])]
            ),
        )

    def make_run(self) -> Relation:
        """Make `run_input`."""
        found = self.found
        ordered = self.conventions.ties == "input" or self.conventions.copies == "first"
        needed = ["query_id", "doc_id"]
        needed += ["rank"] if self.conventions.ties == "rank" else []
        needed += ["relevance", *found.of_judgments] if found.labelled else []
        parts = []
        for system in found.systems:
            names = system.roles.names
            chosen = {"system": names["system"]} if found.several and system.has_column else {}
            chosen |= {role: names[role] for role in needed} | {"score": names["rank" if found.by_rank else "score"]}
            chosen |= {"rank": names["rank"]} if found.unused_ranks else {}
            part = self.part(system.roles, chosen, "found", self.reading.where)
            literal = found.several and not system.has_column
            parts.append(replace(part, system=system.name if literal else None))
        loaded = ordered or self.tasks is not None or any(roles.table.costly for roles in found.runs)
        parts, stated = (parts, None) if loaded else self.maker.stated(parts)
        relation = self.maker.make("run_input", parts, loaded, ordered, self.tasks)
        return Relation(relation=relation, stated_doc_id=stated)

    def make_qrels(self) -> Relation:
        """Make `qrels_input`, where the judgments are not those of the run."""
        if not self.found.judgments:
            return Relation()
        self.ends = found_ends(self.found.judgments, self.reading)
        parts = [self.judged_part(roles) for roles in self.found.judgments]
        loaded = self.tasks is not None or any(roles.table.costly for roles in self.found.judgments)
        parts, stated = (parts, None) if loaded else self.maker.stated(parts)
        relation = self.maker.make("qrels_input", parts, loaded, tasks=self.tasks, distinct=self.found.parted)
        low, high = self.ends or (None, None)
        return Relation(relation=relation, stated_doc_id=stated, low=low, high=high)

    def judgments_filtered(self, relation: Markup | None) -> int:
        """How many judgments their condition left out."""
        if self.reading.conditions.qrels is None or self.found.parted:
            return 0
        tables = [roles.table for roles in self.found.judgments]
        return self.maker.count_filtered(tables, relation) - self.unfilled

    def judged_part(self, roles: Roles) -> Part:
        """A table of judgments; of a pool that raters are filling, the rows that somebody judged."""
        needed = ["query_id", "doc_id", "relevance", *self.found.of_judgments]
        named = {role: roles.names[role] for role in [*needed, *self.ends]}
        part = self.part(roles, named, "judged", self.reading.conditions.qrels)
        if self.found.parted:
            from sqlrank.inputs.pool_files import filled

            labels = self.reading.unjudged_labels
            return replace(part, judged=filled(self.maker.engine, roles, labels, blank=True))
        if roles.table.is_pool or self.reading.unjudged_labels:
            from sqlrank.inputs.pool_files import only_judged

            part, unfilled = only_judged(self.maker.engine, roles, part, self.reading.unjudged_labels)
            self.unfilled += unfilled
        return part

    def make_queries(self, known: Sequence[Markup]) -> Relation:
        """Make `queries_input`, where there is a table of queries, of those that are `known`."""
        roles = self.found.others.get("queries")
        if roles is None:
            return Relation()
        part = self.part(roles, {"query_id": roles.names["query_id"]}, "asked")
        relation = self.maker.make("queries_input", [part], roles.table.costly)
        if parts := self.found.parts_of_queries:
            from sqlrank.inputs.parts_of_ids import of_all_queries

            relation = of_all_queries(self.maker, relation, part, parts, known)
        return Relation(relation=relation)

    def make_needed(self, kind: str) -> Relation:
        """Make `items_input`, `history_input` or `baseline_input` if a metric reads it; UsageError if it is missing."""
        needs, others = self.found.needs, self.found.others
        read = [role for role in OF_ITEMS if kind == "items" and role in needs]
        if kind not in needs and not read:
            return Relation()
        roles = others.get(kind)
        if roles is None and kind == "items" and not read and "history" in others:
            return self.made_needed("items", others["history"], ["doc_id"])
        if roles is None:
            hint = f" (or {spelt('history')})" if kind == "items" and not read else ""
            raise UsageError(f"{needs.get(kind) or needs[read[0]]}: {spelt(named_by(kind))}{hint} is needed")
        needed = {"items": ["doc_id"], "history": ["query_id", "doc_id"], "baseline": ["query_id", "doc_id"]}[kind]
        return self.made_needed(kind, roles, [*needed, *read])

    def made_needed(self, kind: str, roles: Roles, needed: list[str]) -> Relation:
        """Make one of these relations from a table."""
        need(roles, kind, needed)
        chosen = {role: roles.names[role] for role in needed}
        by_rank = kind == "baseline" and "score" not in roles.names
        if kind == "baseline":
            need(roles, kind, ["rank" if by_rank else "score"])
            chosen["score"] = roles.names["rank" if by_rank else "score"]
        relation = self.maker.make(f"{kind}_input", [self.maker.part(roles, chosen)], roles.table.costly)
        return Relation(relation=relation, direction=direction(by_rank or self.conventions.order == "asc"))

    def make_unfiltered(self) -> Markup | None:
        """Make `run_unfiltered`, the queries of the run without --where, where that may empty judged queries."""
        if not self.found.judgments or self.found.parted or self.reading.where is None:
            return None
        parts = [self.maker.part(roles, {"query_id": roles.names["query_id"]}) for roles in self.found.runs]
        return self.maker.make("run_unfiltered", parts, any(roles.table.costly for roles in self.found.runs))

    def part(self, roles: Roles, chosen: dict[str, str], read: str, where: str | None = None) -> Part:
        """A table with its segments, clusters and weight; `read` is the field of `Place` that says if one is read."""
        placed = [*self.segments, *filter(None, [self.cluster, self.weight])]
        extras = list(dict.fromkeys(each.name for each in placed if getattr(each, read)))
        numbers = [] if self.weight is None else [self.weight.name]
        return self.maker.part(roles, chosen, extras, numbers, where)
