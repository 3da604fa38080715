"""Writes a version's section of CHANGELOG.md to build/notes.md, for a release.

It refuses a tag that does not match the version.

`python tools/release_notes.py v0.2.0` writes the notes for a tag; without an argument, the tag of the package's
version is used.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = "https://github.com/durak-widget/durak_widget/blob"


class NoReleaseError(Exception):
    """An error because the release with a tag is not ready, with the reason."""


def version(root: Path = ROOT) -> str:
    """Return the version of the package."""
    text = (root / "durak_widget" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def notes(tag: str, root: Path = ROOT) -> str:
    """Return the changelog section of a tag, with links to the files at that tag."""
    package_version = version(root)
    if tag != f"v{package_version}":
        raise NoReleaseError(f"the tag is {tag}, but durak_widget/__init__.py has version {package_version}; correct one of them")
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1]
    if cited != package_version:
        raise NoReleaseError(f"CITATION.cff has version {cited}, but durak_widget/__init__.py has {package_version}; correct one of them")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## \[{re.escape(package_version)}\] - (\d{{4}}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if section is None:
        raise NoReleaseError(
            f"CHANGELOG.md has no section '## [{package_version}] - YEAR-MONTH-DAY'; move the changes there from Unreleased"
        )
    if not (body := section[2].strip()):
        raise NoReleaseError(f"CHANGELOG.md has no text under {package_version}")
    return re.sub(r"\]\((?!https?://|#)([^)]+)\)", rf"]({PLACE}/{tag}/\1)", body) + "\n"


def main(tag: str) -> int:
    """Write the release notes; return 1 if the release is not ready."""
    try:
        text = notes(tag)
    except NoReleaseError as error:
        print(f"no release notes: {error}", file=sys.stderr)
        return 1
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "notes.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main((sys.argv[1:] or [""])[0] or f"v{version()}"))
