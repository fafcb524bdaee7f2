"""What a build adds: the compiled templates, and the addresses of the project where a release knows them."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class CompiledTemplates(BuildHookInterface[Any]):
    """Puts the compiled templates next to the package, as the first run after an install would take twice as long.

    An editable install reads the files of sql/.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them into a folder that lasts as long as the build."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from sqlrank.statement.templates import compile_templates

        self.folder = tempfile.TemporaryDirectory()
        compile_templates(self.folder.name)
        build_data["force_include"][self.folder.name] = "sqlrank/compiled"


class Addresses(MetadataHookInterface):
    """Names the repository and the site as project URLs, from SQLRANK_REPOSITORY and SQLRANK_SITE."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the URLs; none where the build is told of no repository."""
        repository, site = (os.environ.get(f"SQLRANK_{name}", "").rstrip("/") for name in ("REPOSITORY", "SITE"))
        urls = {"Documentation": f"{site}/"} if site else {}
        if repository:
            urls |= {"Source": repository, "Issues": f"{repository}/issues"}
            urls["Changelog"] = f"{repository}/blob/v{metadata['version']}/CHANGELOG.md"
        metadata["urls"] = urls
