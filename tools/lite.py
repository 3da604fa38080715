"""Builds a JupyterLite site of the lessons: JupyterLab and Python in the browser alone. It asks no other machine for anything, so any server of files will do."""

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
)  # held: they and the Pyodide of package.json have to fit each other
KERNEL = ("micropip", "packaging", "ipython", "jedi", "traitlets", "typing-extensions")  # what its kernel takes from Pyodide
WIDGETS = ("anywidget", "ipywidgets", "jupyterlab_widgets", "comm", "psygnal")  # what ours needs that Pyodide has not
NEEDS = {"durak-widget": ["anywidget"], "anywidget": ["ipywidgets", "psygnal", "typing-extensions"], "ipywidgets": ["traitlets", "comm"]}
ANYWHERE = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none", "--python-version=3.14"]
PHONE = """@media (max-width: 480px), (max-height: 480px) {
  .jp-SideArea { min-width: 1px !important; max-width: 1px !important; }
}
"""  # the file browser is open from the start; lessons lead to one another, and File > Open from Path leads anywhere
UNREAD = ("*.map", "*.d.ts", "*.html", "README.md", "pyodide.js")  # of Pyodide's package


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> None:
    """Run a command; what it says is told if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise SystemExit(f"The JupyterLite site: `{Path(command[0]).name} {' '.join(map(str, command[1:4]))} …` failed, see above.")


def pip(*arguments: str | Path) -> None:
    """The pip of this Python."""
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def called(name: str) -> str:
    """The name of a package as an index has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def emptied(folder: Path) -> Path:
    """A folder in which nothing lies."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def builder() -> Path:
    """JupyterLite, in a folder of its own: installed beside a JupyterLab, its extension would load there too."""
    place, noted = CACHE / "tools", CACHE / "tools" / "installed.json"
    if not noted.is_file() or json.loads(noted.read_text(encoding="utf-8")) != list(TOOLS):
        pip("install", "--target", emptied(place), *TOOLS)
        noted.write_text(json.dumps(TOOLS), encoding="utf-8")
    return place


def pyodide() -> Path:
    """Pyodide as npm has it, which the tests use too."""
    run(sys.executable, ROOT / "tools" / "frontend.py", "install")
    return ROOT / "durak_widget" / "frontend" / "node_modules" / "pyodide"


def wheels() -> list[Path]:
    """This package, and what it needs, in plain Python."""
    place = emptied(CACHE / "wheels")
    run(sys.executable, ROOT / "tools" / "frontend.py", "build")
    pip("wheel", "--no-deps", "--wheel-dir", place, ROOT)
    pip("download", "--no-deps", *ANYWHERE, "--dest", place, *WIDGETS)
    return sorted(place.glob("*.whl"))


def locked(wheel: Path) -> dict[str, Any]:
    """A wheel as Pyodide's list of packages tells it: whoever imports one of its modules gets it."""
    name, version = wheel.name.split("-")[:2]
    inside = {path.partition("/")[0] for path in zipfile.ZipFile(wheel).namelist() if path.endswith(".py")}
    return {
        "name": called(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(one for one in inside if one.isidentifier()),
        "depends": NEEDS.get(called(name), []),
        "unvendored_tests": False,
    }


def python(place: Path, own: list[Path]) -> None:
    """Python for the browser, with the packages that there are: those of the kernel, and our own."""
    shutil.copytree(pyodide(), place, ignore=shutil.ignore_patterns(*UNREAD))
    listed = place / "pyodide-lock.json"
    lock = json.loads(listed.read_text(encoding="utf-8"))
    there, to_do = {}, list(KERNEL)
    while to_do:
        name = called(to_do.pop())
        if name not in there:
            there[name] = lock["packages"][name]
            to_do += there[name]["depends"]
    kept = CACHE / "kernel"
    kept.mkdir(parents=True, exist_ok=True)
    missing = [f"{one['name']}=={one['version']}" for one in there.values() if not (kept / one["file_name"]).is_file()]
    if missing:
        pip("download", "--no-deps", *ANYWHERE, "--dest", kept, *missing)
    for one in there.values():
        wheel = Path(shutil.copy(kept / one["file_name"], place))
        one["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()  # built by somebody else than Pyodide's own
    for wheel in own:
        shutil.copy(wheel, place)
        there[called(wheel.name.split("-")[0])] = locked(wheel)
    listed.write_text(json.dumps({**lock, "packages": there}), encoding="utf-8")


def contents(place: Path, besides: Mapping[str, str]) -> None:
    """The lessons, and the pages that they lead to; and other files, by their names."""
    (place / "notebooks").mkdir(parents=True)
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copy(notebook, place / "notebooks")
    shutil.copytree(ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("site", "adr"))
    for name, text in besides.items():
        (place / name).write_text(text, encoding="utf-8")


def settings(place: Path, site: Path, own: list[Path], tools: Path, *, exposed: bool) -> None:
    """What JupyterLite is told."""
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
    for name, said in {
        "jupyter_lite_config.json": {"LiteBuildConfig": build},
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": told},
    }.items():
        (place / name).write_text(json.dumps(said, indent=1), encoding="utf-8")
    shutil.copy(ROOT / "tools" / "lab_settings" / "overrides.json", place)


def fit_phones(site: Path) -> None:
    """Give a lesson the whole width of a phone, where the side bars and the file browser would leave a strip of it."""
    bars = (ROOT / "tools" / "lab_settings" / "custom" / "custom.css").read_text(encoding="utf-8")
    page = site / "lab" / "index.html"
    text = page.read_text(encoding="utf-8")
    if text.count("</head>") != 1:
        raise SystemExit(f"The JupyterLite site: {page.name} of its lab has no one </head>, before which its style for phones would stand.")
    page.write_text(text.replace("</head>", f"<style>\n{bars}{PHONE}</style>\n</head>"), encoding="utf-8")


def build(site: Path, *, exposed: bool = False, besides: Mapping[str, str] = MappingProxyType({})) -> Path:
    """Build the site in a folder. `exposed`: a script in the page may drive JupyterLab, as tests do; `besides`: other files that lie there."""
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
    parser.add_argument("site", nargs="?", type=Path, default=CACHE / "site", help="the folder to build it in; build/lite/site without one")
    print(f"Built in {build(parser.parse_args().site)}: `{Path(sys.executable).name} -m http.server --directory` shows it")
