"""What repo2docker, which Binder builds with, would do in this folder: prints the build pack that it chooses and its steps, as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import repo2docker
from repo2docker.app import Repo2Docker

KEPT = {"jupyterlab", "notebook", "ipywidgets", "ipykernel", "jupyter_server"}
"""Of what an image has before anything is installed, the packages on which a notebook hangs."""


def chosen() -> repo2docker.buildpacks.BuildPack:
    """The first build pack that says that it fits."""
    app = Repo2Docker()
    return next(pack for pack in (kind(app.base_image) for kind in app.buildpacks) if pack.detect())


def base(python: str) -> list[str]:
    """The packages that an image with this Python begins with, as pip names them."""
    lock = Path(repo2docker.__file__).parent / "buildpacks" / "conda" / f"environment.py-{python}-linux-64.lock"
    found = re.findall(r"/([a-z_0-9-]+)-(\d[\w.]*)-[^/]+\.conda", lock.read_text(encoding="utf-8"))
    return [f"{name}=={version}" for name, version in found if name in KEPT]


def main() -> None:
    """Print it."""
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
