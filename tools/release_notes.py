"""What did a version bring? Writes its section of CHANGELOG.md to build/notes.md, and refuses a tag that is not the version.

`python tools/release_notes.py v0.2.0`; without a tag, the one that the version asks for.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = "https://github.com/durak-widget/durak_widget/blob"


class NoReleaseError(Exception):
    """What is not ready for this tag, in one sentence."""


def version(root: Path = ROOT) -> str:
    """The version that the package says."""
    text = (root / "durak_widget" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def notes(tag: str, root: Path = ROOT) -> str:
    """What is new in it, with links that lead to the pages as they were then."""
    said = version(root)
    if tag != f"v{said}":
        raise NoReleaseError(f"the tag is {tag}, but durak_widget/__init__.py says {said}: either is wrong")
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1]
    if cited != said:
        raise NoReleaseError(f"CITATION.cff says {cited}, but durak_widget/__init__.py says {said}: either is wrong")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(said)}\] - (\d{{4}}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if found is None:
        raise NoReleaseError(f"CHANGELOG.md has no section '## [{said}] - YEAR-MONTH-DAY': what is new stands under Unreleased")
    if not (body := found[2].strip()):
        raise NoReleaseError(f"CHANGELOG.md says nothing under {said}")
    return re.sub(r"\]\((?!https?://|#)([^)]+)\)", rf"]({PLACE}/{tag}/\1)", body) + "\n"


def main(tag: str) -> int:
    """Write it; 1 where there is nothing to release."""
    try:
        text = notes(tag)
    except NoReleaseError as error:
        print(f"No release: {error}", file=sys.stderr)
        return 1
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "notes.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main((sys.argv[1:] or [""])[0] or f"v{version()}"))
