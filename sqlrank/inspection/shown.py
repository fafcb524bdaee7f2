"""What inputs are, as a cell of a notebook shows it."""

from __future__ import annotations

from sqlrank.inspection.inspection import Inspection
from sqlrank.inspection.lines import overlap_lines, profile_lines
from sqlrank.pages.html import fragment_html
from sqlrank.pages.tables import lines_table, listed


def inspection_html(found: Inspection) -> str:
    """A table for each input, one for each pair that is to fit, the command, and the notes."""
    labelled = {profile.label: profile for profile in reversed(found.profiles)}
    blocks = [profile_lines(profile) for profile in found.profiles]
    blocks += [overlap_lines(overlap, labelled) for overlap in found.overlaps]
    tables = list(map(lines_table, blocks))
    if found.command:
        tables.append(listed(["command"], [[found.command]], caption="to evaluate them"))
    return fragment_html(tables, found.notes)
