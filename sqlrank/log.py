"""What people did with what they were shown: `sqlrank.log.judgments(...)` and the others of its kind."""

from __future__ import annotations

from sqlrank.behaviour.flow import judgments
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.log_options import LogOptions

__all__ = ["Judgments", "LogOptions", "judgments"]
