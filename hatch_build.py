"""Builds the table's front end wherever the package is built: by pip from the tree, for the sdist, the wheel, an editable install.

It also gives the package's metadata a README whose links work everywhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# The tools lie beside this file, and not on the path of a build.
sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))
import frontend


def make_links_absolute(markdown: str, repository: str) -> str:
    """Return Markdown in which each link and picture has its whole address.

    `repository` is the address of the project on GitHub. A link leads to the page about a file, and a picture is the
    file itself.
    """

    def absolute(link: re.Match[str]) -> str:
        text, target = link.groups()
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        return f"{text}({repository}/{'raw' if text.startswith('!') else 'blob'}/HEAD/{target})"

    pictures_first = re.sub(r"(!\[[^]]*\])\(([^)\s]+)\)", absolute, markdown)
    return re.sub(r"((?<!!)\[(?:!\[[^]]*\]\([^)]*\)|[^][])*\])\(([^)\s]+)\)", absolute, pictures_first)


class ReadmeHook(MetadataHookInterface):
    """Makes README.md the description of the package, with absolute links."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description."""
        markdown = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": make_links_absolute(markdown, metadata["urls"]["Homepage"])}


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
