"""The fonts that pages are painted with: the widest and the narrowest that are usual, whatever lies on the machine.

DejaVu Sans comes with matplotlib, Roboto with font-roboto. `DURAK_FONT=machine` leaves it to the machine, as tools/anywhere.py does.
"""

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


def lying(package: str, folder: str, pattern: str) -> list[Path]:
    """The fonts of a package."""
    spec = importlib.util.find_spec(package)
    found = sorted(Path(spec.submodule_search_locations[0], folder).glob(pattern)) if spec and spec.submodule_search_locations else []
    assert found, f"{package} brings no {pattern}: is the extra `test` installed?"
    return found


def painting(font: str, home: Path) -> dict[str, str]:
    """The environment of a browser that has no other fonts. Signs that Roboto lacks come from DejaVu Sans, as on a machine."""
    if MACHINE:
        return {}
    files = lying("matplotlib", "mpl-data/fonts/ttf", "DejaVuSans*.ttf")
    if font == NARROWEST:
        files += lying("font_roboto", "files", "Roboto-*.ttf")
    (home / "fonts").mkdir()
    for file in files:
        (home / "fonts" / file.name).symlink_to(file)
    (home / "fonts.conf").write_text(CONFIG.format(home=home), encoding="utf-8")
    return {"FONTCONFIG_FILE": str(home / "fonts.conf")}
