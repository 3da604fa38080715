"""Builds a JupyterLite site of the lessons, with JupyterLab and Python in the browser.

The site needs no other server, so any web server for files can serve it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "lite"
TOOLS = (
    "jupyterlite-core==0.8.6",
    "jupyterlite-pyodide-kernel==0.8.6",
)  # Pinned, because these versions must match the version of Pyodide in package.json
KERNEL = ("micropip", "packaging", "ipython", "jedi", "traitlets", "typing-extensions")  # The kernel's dependencies
WIDGETS = ("anywidget", "ipywidgets", "jupyterlab_widgets", "comm", "psygnal")  # Our dependencies that Pyodide lacks
NEEDS = {"durak-widget": ["anywidget"], "anywidget": ["ipywidgets", "psygnal", "typing-extensions"], "ipywidgets": ["traitlets", "comm"]}
ANYWHERE = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none", "--python-version=3.14"]
PHONE = """@media (max-width: 480px), (max-height: 480px) {
  .jp-SideArea { min-width: 1px !important; max-width: 1px !important; }
}
"""  # Hides the side areas on a phone, where the open file browser would leave no space for the lesson
UNREAD = ("*.map", "*.d.ts", "*.html", "README.md", "pyodide.js")  # Files in the Pyodide package that are not needed


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> None:
    """Run a command, and print its output only if it fails."""
    process = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if process.returncode:
        print(process.stdout, file=sys.stderr)
        raise SystemExit(f"The JupyterLite site: `{Path(command[0]).name} {' '.join(map(str, command[1:4]))} …` failed; see above.")


def pip(*arguments: str | Path) -> None:
    """Run pip for this Python."""
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def called(name: str) -> str:
    """Return the normalized name of a package, as package indexes use it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def emptied(folder: Path) -> Path:
    """Return a folder after emptying or creating it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def builder() -> Path:
    """Install JupyterLite into a folder of its own, and return the folder.

    Next to a JupyterLab, JupyterLite's extension would be loaded there too.
    """
    place, noted = CACHE / "tools", CACHE / "tools" / "installed.json"
    if not noted.is_file() or json.loads(noted.read_text(encoding="utf-8")) != list(TOOLS):
        pip("install", "--target", emptied(place), *TOOLS)
        noted.write_text(json.dumps(TOOLS), encoding="utf-8")
    return place


def pyodide() -> Path:
    """Install Pyodide with npm, as for the tests, and return its folder."""
    run(sys.executable, ROOT / "tools" / "frontend.py", "install")
    return ROOT / "durak_widget" / "frontend" / "node_modules" / "pyodide"


def wheels() -> list[Path]:
    """Build a wheel of this package, and download the pure Python wheels that it needs."""
    place = emptied(CACHE / "wheels")
    run(sys.executable, ROOT / "tools" / "frontend.py", "build")
    pip("wheel", "--no-deps", "--wheel-dir", place, ROOT)
    pip("download", "--no-deps", *ANYWHERE, "--dest", place, *WIDGETS)
    return sorted(place.glob("*.whl"))


def locked(wheel: Path) -> dict[str, Any]:
    """Return a wheel's entry for Pyodide's lock file, including the modules in the wheel."""
    name, version = wheel.name.split("-")[:2]
    inside = {path.partition("/")[0] for path in zipfile.ZipFile(wheel).namelist() if path.endswith(".py")}
    return {
        "name": called(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(module for module in inside if module.isidentifier()),
        "depends": NEEDS.get(called(name), []),
        "unvendored_tests": False,
    }


def python(place: Path, own: list[Path]) -> None:
    """Copy Pyodide to a folder, with the wheels that the kernel and this package need."""
    shutil.copytree(pyodide(), place, ignore=shutil.ignore_patterns(*UNREAD))
    listed = place / "pyodide-lock.json"
    lock = json.loads(listed.read_text(encoding="utf-8"))
    packages, to_do = {}, list(KERNEL)
    while to_do:
        name = called(to_do.pop())
        if name not in packages:
            packages[name] = lock["packages"][name]
            to_do += packages[name]["depends"]
    wheel_folder = CACHE / "kernel"
    wheel_folder.mkdir(parents=True, exist_ok=True)
    missing = [
        f"{package['name']}=={package['version']}" for package in packages.values() if not (wheel_folder / package["file_name"]).is_file()
    ]
    if missing:
        pip("download", "--no-deps", *ANYWHERE, "--dest", wheel_folder, *missing)
    for package in packages.values():
        wheel = Path(shutil.copy(wheel_folder / package["file_name"], place))
        package["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()  # This wheel is not the one in Pyodide's list
    for wheel in own:
        shutil.copy(wheel, place)
        packages[called(wheel.name.split("-")[0])] = locked(wheel)
    listed.write_text(json.dumps({**lock, "packages": packages}), encoding="utf-8")


def contents(place: Path, besides: Mapping[str, str]) -> None:
    """Copy the lessons and the docs that they link to, and write some other files."""
    (place / "notebooks").mkdir(parents=True)
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copy(notebook, place / "notebooks")
    shutil.copytree(ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("site", "adr"))
    for name, text in besides.items():
        (place / name).write_text(text, encoding="utf-8")


def settings(place: Path, site: Path, own: list[Path], tools: Path, *, exposed: bool) -> None:
    """Write JupyterLite's configuration files."""
    kernel = "@jupyterlite/pyodide-kernel-extension"
    pages = [str(wheel) for wheel in own if wheel.name.startswith(("anywidget-", "jupyterlab_widgets-"))]
    build = {
        "apps": ["lab", "notebooks"],
        "contents": [str(place / "content")],
        "output_dir": str(site),
        "federated_extensions": [*pages, str(tools / "share" / "jupyter" / "labextensions" / kernel)],
        "ignore_sys_prefix": ["federated_extensions"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    told = {"exposeAppInBrowser": exposed, "litePluginSettings": {f"{kernel}:kernel": {"disablePyPIFallback": True}}}
    for name, content in {
        "jupyter_lite_config.json": {"LiteBuildConfig": build},
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": told},
    }.items():
        (place / name).write_text(json.dumps(content, indent=1), encoding="utf-8")
    shutil.copy(ROOT / "tools" / "lab_settings" / "overrides.json", place)


def fit_phones(site: Path) -> None:
    """Make lessons use the full width of a phone, without side bars and file browser."""
    bars = (ROOT / "tools" / "lab_settings" / "custom" / "custom.css").read_text(encoding="utf-8")
    page = site / "lab" / "index.html"
    text = page.read_text(encoding="utf-8")
    if text.count("</head>") != 1:
        raise SystemExit(
            f"The JupyterLite site: {page.name} of its lab must have exactly one </head>, before which the style for phones goes"
        )
    page.write_text(text.replace("</head>", f"<style>\n{bars}{PHONE}</style>\n</head>"), encoding="utf-8")


def build(site: Path, *, exposed: bool = False, besides: Mapping[str, str] = MappingProxyType({})) -> Path:
    """Build the JupyterLite site in a folder.

    `exposed` lets a script in the page control JupyterLab, as tests do. `besides` has the texts of other files for
    the site, by name.
    """
    site, place, tools, own = site.resolve(), emptied(CACHE / "source"), builder(), wheels()
    python(place / "static" / "pyodide", own)
    contents(place / "content", besides)
    settings(place, site, own, tools, exposed=exposed)
    shutil.rmtree(site, ignore_errors=True)
    run(sys.executable, "-m", "jupyterlite_core", "build", cwd=place, PYTHONPATH=str(tools))
    fit_phones(site)
    return site


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=CACHE / "site", help="the folder for the site (build/lite/site)")
    print(f"Built in {build(parser.parse_args().site)}; to see it, use `{Path(sys.executable).name} -m http.server --directory`")
