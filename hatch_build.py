"""Compiles the templates when a wheel is built: the first run after an install would take twice as long."""

from __future__ import annotations

import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledTemplates(BuildHookInterface[Any]):
    """Puts the compiled templates beside the package; an editable install reads the files of sql/."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them into a folder that lasts as long as the build."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from sqlrank.statement.templates import compile_templates

        self.folder = tempfile.TemporaryDirectory()
        compile_templates(self.folder.name)
        build_data["force_include"][self.folder.name] = "sqlrank/compiled"
