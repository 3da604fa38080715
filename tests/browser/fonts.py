"""The fonts of the rendered pages: the widest and the narrowest common ones, independent of the machine."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

WIDEST, NARROWEST = "DejaVu Sans", "Roboto"
MACHINE = os.environ.get("DURAK_FONT") == "machine"
CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{home}/fonts</dir>
  <cachedir>{home}/cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
"""


def find_font_files(package: str, folder: str, pattern: str) -> list[Path]:
    """Return the font files of a package."""
    spec = importlib.util.find_spec(package)
    found = sorted(Path(spec.submodule_search_locations[0], folder).glob(pattern)) if spec and spec.submodule_search_locations else []
    assert found, f"{package} brings no {pattern}: is the extra `test` installed?"
    return found


def font_environment(font: str, home: Path) -> dict[str, str]:
    """Return the environment of a browser that has no other fonts. Signs that Roboto lacks come from DejaVu Sans."""
    if MACHINE:
        return {}
    files = find_font_files("matplotlib", "mpl-data/fonts/ttf", "DejaVuSans*.ttf")
    if font == NARROWEST:
        files += find_font_files("font_roboto", "files", "Roboto-*.ttf")
    (home / "fonts").mkdir()
    for file in files:
        (home / "fonts" / file.name).symlink_to(file)
    (home / "fonts.conf").write_text(CONFIG.format(home=home), encoding="utf-8")
    return {"FONTCONFIG_FILE": str(home / "fonts.conf")}
