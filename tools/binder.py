"""Prints, as JSON, how repo2docker (which Binder uses) would build this folder.

It prints the build pack and the build steps.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import repo2docker
from repo2docker.app import Repo2Docker

KEPT = {"jupyterlab", "notebook", "ipywidgets", "ipykernel", "jupyter_server"}
"""The packages of a fresh image that notebooks depend on; other packages of the image are left out."""


def chosen() -> repo2docker.buildpacks.BuildPack:
    """Return the first build pack of repo2docker that can build this folder."""
    app = Repo2Docker()
    return next(pack for pack in (kind(app.base_image) for kind in app.buildpacks) if pack.detect())


def base(python: str) -> list[str]:
    """Return the packages of a fresh image with a given Python version, as pip requirements."""
    lock = Path(repo2docker.__file__).parent / "buildpacks" / "conda" / f"environment.py-{python}-linux-64.lock"
    packages = re.findall(r"/([a-z_0-9-]+)-(\d[\w.]*)-[^/]+\.conda", lock.read_text(encoding="utf-8"))
    return [f"{name}=={version}" for name, version in packages if name in KEPT]


def main() -> None:
    """Print the build plan as JSON."""
    pack = chosen()
    print(
        json.dumps(
            {
                "pack": type(pack).__name__,
                "python": pack.python_version,
                "base": base(pack.python_version),
                "install": [script for _, script in [*pack.get_preassemble_scripts(), *pack.get_assemble_scripts()]],
                "postBuild": pack.get_post_build_scripts(),
                "start": pack.get_start_script(),
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
