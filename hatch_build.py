"""Builds the table's front end wherever the package is built: by pip from the tree, for the sdist, the wheel, an editable install."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The tools lie beside this file, and not on the path of a build.
sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))
import frontend


class FrontendHook(BuildHookInterface):
    """Makes the bundle when its sources have changed; a Node is fetched only for that, and only where there is none."""

    def dependencies(self) -> list[str]:
        """A Node as a wheel, if one will be needed."""
        return [frontend.NODE_WHEEL] if frontend.stale() and not frontend.system_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Make the bundle before the files are gathered."""
        if not frontend.stale():
            return
        try:
            frontend.build(frontend.find_node(), quiet=True)
        except frontend.FrontendError as error:
            self.app.abort(str(error))
