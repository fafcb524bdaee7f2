"""What inputs are, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlrank.errors import counted, percent
from sqlrank.inspection.kinds import KINDS
from sqlrank.inspection.profiles import FIRST, Overlap, Profile

MOST_ROLES = 12
"""How wide the names of roles are."""


def lines_of(
    profiles: Sequence[Profile], overlaps: Iterable[Overlap], notes: Iterable[str], command: str | None
) -> Iterator[str]:
    """The lines for people: each input, how they fit, and the command that would evaluate them."""
    labelled = {profile.label: profile for profile in reversed(profiles)}
    for profile in profiles:
        yield from profile_lines(profile)
        yield ""
    for overlap in overlaps:
        yield from overlap_lines(overlap, labelled)
        yield ""
    yield from (f"note: {note}" for note in notes)
    if command:
        yield command


def profile_lines(profile: Profile) -> Iterator[str]:
    """One input."""
    said = [KINDS[profile.kind], profile.format]
    if profile.queries:
        said += [counted(profile.rows, "row"), counted(profile.queries, "query")]
    if profile.documents:
        said.append(("" if profile.exact else "about ") + counted(profile.documents, "document"))
    yield f"{profile.label}: {', '.join(said)}"
    for role, column in profile.roles.items():
        yield f"  {role:<{MOST_ROLES}} {column}{of_role(profile, role)}"
    free = [name for name in profile.columns if name not in split_of(profile)]
    if free:
        yield f"  {'not read':<{MOST_ROLES}} {', '.join(free)}"
    if profile.documents and profile.queries:
        mean = profile.rows / max(profile.rankings, 1)
        of = "query" if profile.rankings == profile.queries else "ranking"
        yield f"  documents per {of}: {profile.fewest} to {profile.most}, {mean:.1f} on average"
    if profile.tied:
        part = percent(profile.tied / profile.sampled)
        yield f"  ties: {part} of {counted(profile.sampled, 'query')} have tied scores"
    for segment in profile.segments:
        more = ", ..." if segment.values > len(segment.examples) else ""
        yield f"  segment: --by {segment.name} ({segment.values} values: {', '.join(segment.examples)}{more})"
    if profile.without_id:
        yield f"  {counted(profile.without_id, 'row')} without query or document"
    yield from (f"  note: {note.removeprefix(f'{profile.label}: ')}" for note in profile.notes)


def split_of(profile: Profile) -> set[str]:
    """The columns that play a role, alone or with others."""
    return {name for column in profile.roles.values() for name in (column, *column.split(","))}


def of_role(profile: Profile, role: str) -> str:
    """What is known of the values of a role."""
    ordering = "score" if "score" in profile.roles else "rank"
    if role == ordering and profile.score_range is not None:
        low, high = profile.score_range
        return f", {low:g} to {high:g}"
    if role == "system" and profile.systems:
        return f": {', '.join(profile.systems)}"
    if role == "relevance" and profile.judged:
        per_query = profile.judged / max(profile.queries, 1)
        largest = "" if profile.largest_relevance is None else f"maximum {profile.largest_relevance:g}, "
        return f", {largest}{percent(profile.positive / profile.judged)} positive, {per_query:.1f} per query"
    return ""


def overlap_lines(overlap: Overlap, profiles: Mapping[str, Profile]) -> Iterator[str]:
    """How a run and judgments fit."""
    yield f"{overlap.run} against {overlap.judgments}:"
    alone, left = overlap.of_run - overlap.shared, overlap.of_judgments - overlap.shared
    yield f"  queries: {overlap.shared} in both, {alone} only in the run, {left} only in the judgments"
    if overlap.judged_first is not None and overlap.judged_share is not None:
        first, every = percent(overlap.judged_first), percent(overlap.judged_share)
        yield f"  judged: {first} of the first {FIRST} documents, {every} of all"
    sides = [profiles[label] for label in (overlap.run, overlap.judgments)]
    for ids in ("query_ids", "doc_ids"):
        shown = [", ".join(getattr(side, ids)) for side in sides]
        yield f"  {ids.replace('_', ' ')}: {shown[0]} | {shown[1]}"
