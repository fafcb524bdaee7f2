"""The roles that an evaluation requires, and notes on the columns chosen for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlrank.conventions import Conventions
from sqlrank.errors import DataError
from sqlrank.inputs.column_names import ENDS, PLACE, names_systems, plain_name
from sqlrank.inputs.missing_columns import may_be_judgments, missing
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.columns import OF_ITEMS, OF_JUDGMENTS


@dataclass(frozen=True, slots=True)
class System:
    """One run and what it is called."""

    given: str | None
    """The name that was given to it."""
    stem: str
    """The name that its file gives it."""
    roles: Roles

    @property
    def name(self) -> str:
        """Its name, where no column names its systems."""
        return self.given or self.stem

    @property
    def has_column(self) -> bool:
        """Whether a column of the run names the systems."""
        return self.given is None and "system" in self.roles.names


@dataclass(frozen=True, slots=True)
class Found:
    """The tables of all inputs with their columns by role."""

    systems: Sequence[System]
    others: Mapping[str, Roles]
    """The inputs besides runs and judgments, by kind."""
    conventions: Conventions
    needs: Mapping[str, str]
    """Inputs and columns that metrics require, with the texts of those metrics; see `open_inputs`."""
    judged: bool
    """Whether there are judgments."""
    judgments: Sequence[Roles] = ()
    """The tables of judgments, where those are not of the runs."""
    ordered: bool = False
    """Whether the order of the scores was asked for."""
    parted: bool = False
    """Whether they are those of the runs nevertheless, which a condition on the rankings leaves alone."""

    @property
    def runs(self) -> list[Roles]:
        """The table of each run."""
        return [system.roles for system in self.systems]

    @property
    def labelled(self) -> bool:
        """Whether the rows of the runs are judgments too."""
        return self.judged and not self.judgments

    @property
    def exported(self) -> bool:
        """Whether the tables of the runs carry the judgments."""
        return self.labelled or self.parted

    @property
    def several(self) -> bool:
        """Whether there may be several systems."""
        return len(self.systems) > 1 or self.systems[0].has_column

    @property
    def by_rank(self) -> bool:
        """Whether a rank orders in place of a score."""
        return self.conventions.order == "rank" or "score" not in self.runs[0].names

    @property
    def unused_ranks(self) -> bool:
        """Whether every run has a rank column as well as the scores that order it."""
        if self.by_rank:
            return False
        ranks = [(roles, roles.names.get("rank", "")) for roles in self.runs]
        told = [plain_name(name) == "rank" or "rank" in roles.given for roles, name in ranks]
        return all(told) and not any(name in roles.table.conflicts for roles, name in ranks)

    @property
    def of_judgments(self) -> list[str]:
        """What metrics require of each judgment besides its relevance."""
        return [role for role in OF_JUDGMENTS if role in self.needs]

    @property
    def parts_of_queries(self) -> list[int]:
        """Which parts of the queries' ids the table of queries has, from 1, where it has not all of them."""
        whole = self.runs[0].composed.get("query_id", ())
        if "queries" not in self.others or len(whole) < 2:
            return []
        from sqlrank.inputs.parts_of_ids import parts_in

        return parts_in(self.others["queries"], whole)

    def labels(self, reading: Reading) -> tuple[dict[str, str], dict[str, Table | None]]:
        """The label of each input for messages, and its table where a row of it can be located."""
        run = " and ".join(dict.fromkeys(roles.table.label for roles in self.runs))
        alone = self.runs[0].table if len(self.runs) == 1 and reading.where is None else None
        names: dict[str, str] = {"run": run, "qrels": run, "queries": ""}
        tables: dict[str, Table | None] = {"run": alone, "qrels": alone, "queries": None}
        if judged := [roles.table for roles in self.judgments]:
            names["qrels"] = " and ".join(dict.fromkeys(table.label for table in judged))
            whole = len(judged) == 1 and reading.conditions.qrels is None and not self.parted
            tables["qrels"] = judged[0] if whole else None
        for kind, roles in self.others.items():
            names[kind], tables[kind] = roles.table.label, roles.table
        if "history" in names:
            names, tables = {"items": names["history"]} | names, {"items": tables["history"]} | tables
        if self.parts_of_queries:
            tables["queries"] = None
        return names, tables

    def what_judgments_are(self) -> Iterator[str]:
        """Yield a line that says what the judgments are, where they are no table of those."""
        if self.exported:
            yield "judgments are the labels of the export: documents that were not shown have none"
        for qrels in self.judgments:
            if qrels.positive:
                yield f"judgments are the rows of {qrels.table.label}: each is relevance 1, and a pair counts once"

    def check(self) -> list[str]:
        """Check the required roles and return notes on the columns; DataError if one is missing or ambiguous."""
        self.check_labels()
        notes = [note for system in self.systems for note in self.check_run(system)]
        notes += self.choices()
        if "subtopic" in self.needs:
            notes.append("judgments are by subtopic; for other metrics the largest of a document counts")
        for qrels in self.judgments:
            need(qrels, "qrels", ["query_id", "doc_id", "relevance", *self.of_judgments])
        if (self.parted or not self.judgments) and "subtopic" in self.needs:
            raise DataError(
                f"{self.needs['subtopic']}: judgments by subtopic are needed; give them with {spelt('qrels')}"
            )
        if "queries" in self.others:
            need(self.others["queries"], "queries", ["query_id"])
        return notes

    def check_labels(self) -> None:
        """Raise DataError where runs need labels of their own, and one of several files looks like their judgments."""
        if not self.exported:
            return
        lacking = next((roles for roles in self.runs if "relevance" not in roles.names), None)
        judgments = next((roles for roles in self.runs if roles is not lacking and may_be_judgments(roles)), None)
        if lacking is not None and judgments is not None and judgments.table.label != lacking.table.label:
            raise DataError(
                f"{lacking.table.label} has no column for the relevance, and {judgments.table.label}, which is given as"
                f" a run too, looks like judgments: rankings come first, and judgments after {spelt('qrels')}"
            )

    def check_run(self, system: System) -> Iterator[str]:
        """Check the required roles of one run, and yield notes on columns ignored; DataError if one is missing."""
        names, table = system.roles.names, system.roles.table
        need(system.roles, "run", ["query_id", "doc_id"])
        if "score" not in names and ("rank" not in names or "score" in system.roles.unclear):
            raise missing(system.roles, "rank" if "rank" in system.roles.unclear else "score", "run")
        if "system" in system.roles.unclear and system.given is None:
            raise missing(system.roles, "system", "run")
        if self.conventions.order == "rank" and "rank" not in names:
            raise missing(system.roles, "rank", "run")
        if self.conventions.order != "rank" and ("score" not in names) != self.by_rank:
            raise DataError(f"{table.label} and {self.runs[0].table.label}: one has scores, the other only ranks")
        if self.conventions.ties == "rank" and "rank" not in names:
            raise DataError(
                f"{table.label} has no rank column, which {spelt('ties', 'rank')} needs;"
                f" {spelt('columns', {'rank': 'NAME'})}"
            )
        if self.exported and "relevance" not in names:
            error = missing(system.roles, "relevance", "run")
            metrics = f", needed for {self.needs['judgments']}" if "judgments" in self.needs else ""
            raise DataError(f"{error}; or give the judgments with {spelt('qrels')}{metrics}")
        if self.exported:
            need(system.roles, "run", [role for role in self.of_judgments if role != "subtopic"])
        if not self.exported and "relevance" in names and not table.canonical:
            instead = (
                f"the judgments are those of {spelt('qrels')}"
                if self.judged
                else "rankings are compared without judgments"
            )
            yield f"{table.label}: the column {names['relevance']} is ignored; {instead}"
        if system.given is not None and "system" in names and names_systems(names["system"]):
            yield f"{table.label}: the column {names['system']} is ignored; {system.given} was given"

    def choices(self) -> Iterator[str]:
        """Yield notes on the columns chosen for roles, and on a rank that orders in place of a score."""
        ordering = "rank" if self.conventions.order == "rank" else "score"
        used = {"query_id", "doc_id", "system", ordering} | ({"relevance"} if self.exported else set())
        used |= {"rank"} if self.conventions.ties == "rank" else set()
        used |= {*self.of_judgments} if self.exported else set()
        for roles in (*self.runs, *self.judgments, *self.others.values()):
            yield from roles.table.notes
        for roles in self.runs:
            yield from (note for role, note in roles.notes.items() if role in used)
            if self.conventions.order == "rank":
                yield f"{roles.table.label}: the column {roles.names['rank']} gives the places"
            elif not (self.by_rank or self.ordered) and self.conventions.order == "desc" and of_distances(roles):
                column = roles.names["score"]
                yield (
                    f"{roles.table.label}: documents are ordered by the column {column}, largest first; if smaller is"
                    f" better, choose {spelt('order', 'asc')}"
                )
            elif self.by_rank and roles.names["rank"] != PLACE:
                yield f"{roles.table.label}: there is no score; the column {roles.names['rank']} orders"
        unused = {*OF_JUDGMENTS, *OF_ITEMS} - set(self.needs)
        for other in (*self.judgments, *self.others.values()):
            yield from (note for role, note in other.notes.items() if role not in unused)


def of_distances(roles: Roles) -> bool:
    """Whether the scores of a run are distances by the name of their column, of which the smallest is the best."""
    return bool({"distance", "distances", "dist", "dissimilarity"} & {*plain_name(roles.names["score"]).split("_")})


def found_ends(judgments: Sequence[Roles], reading: Reading) -> list[str]:
    """The roles of the ends of the labels' intervals; DataError where one is missing, or a table has none.

    None where they are not asked for, and where every label is 1.
    """
    having = {roles.table.label: [role for role in ENDS if role in roles.names] for roles in judgments}
    if reading.exact_labels or reading.positives is not None or not any(having.values()):
        return []
    lacking = next((label for label, ends in having.items() if len(ends) < len(ENDS)), None)
    if lacking is not None:
        raise DataError(
            f"{lacking} has not both ends of the interval of each label, low and high: name them with"
            f" {spelt('columns', {'low': 'NAME'})} and {spelt('columns', {'high': 'NAME'})} in every table of"
            f" judgments, or read none with {spelt('exact_labels', True)}"
        )
    return list(ENDS)


def need(roles: Roles, kind: str, needed: Collection[str]) -> None:
    """Raise DataError if no column of a table plays one of these roles."""
    for role in needed:
        if role not in roles.names:
            raise missing(roles, role, kind)
