"""Builds the page to play: a table on the real Python model, in the browser alone. Any server of files will do."""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from html import escape
from importlib.metadata import files as files_of
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import frontend
from docs_live import BOARDS
from durak_widget.i18n import LANGUAGES
from durak_widget.i18n import get_language as words_of
from durak_widget.web import anywidget_shim
from durak_widget.web.message_channel import CHANNEL, extract_buffers

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "durak_widget"
SOURCES = PACKAGE / "frontend" / "src" / "web"
PLAY = ROOT / "build" / "site" / "play"
SIGN = ROOT / "docs" / "site" / "_static"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
BUNDLES = ("widget.js", "widget.css", "drawers.js", "board.js", "board.css")
ELSEWHERE = {
    *("frontend", "__pycache__", "arena", "sandbox", "tournament_widget", "exercises", "lessons", "classroom"),
    *("homework", "paper_exams", "duplicate_deals", "econ431", "custom_games", "grading", "class_games"),
}
"""Packages that no table and no blackboard asks for."""
DEALS = 24


def python(folder: Path) -> None:
    """Python for the browser, without a list of packages that are nowhere."""
    folder.mkdir(parents=True)
    there = frontend.FRONTEND / "node_modules" / "pyodide"
    for name in PYTHON:
        shutil.copy(there / name, folder)
    lock = json.loads((there / "pyodide-lock.json").read_text(encoding="utf-8"))
    (folder / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")


def code(path: Path) -> None:
    """The package as far as a table needs it, and traitlets, which it stands on; always the same bytes of the same files."""
    own = {
        one.relative_to(ROOT).as_posix(): one
        for one in PACKAGE.rglob("*")
        if one.is_file() and not ELSEWHERE & set(one.relative_to(PACKAGE).parts[:-1]) and one.suffix != ".pyc"
    }
    theirs = {
        one.as_posix(): Path(str(one.locate()))
        for one in files_of("traitlets") or ()
        if one.parts[0] == "traitlets" and one.suffix == ".py" and not {"tests", "config"} & set(one.parts)
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, one in sorted({**own, **theirs}.items()):
            archive.writestr(zipfile.ZipInfo(name), one.read_bytes(), zipfile.ZIP_DEFLATED)


def stored(what: str) -> dict[str, Any]:
    """What a page paints before Python is there. In a language: deals that begin with the visitor, and the words around them; `boards`: the blackboards of the docs. Asked in a Python of its own, where something stands in for anywidget."""
    asked = subprocess.run(
        [sys.executable, __file__, "--stored", what],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        raise SystemExit(f"The page to play: nothing could be stored of {what!r}.\n{asked.stderr}")
    found: dict[str, Any] = json.loads(asked.stdout)
    return found


def tell_boards() -> None:
    """Print each blackboard of the docs, as Python would tell it."""
    anywidget_shim.install_shims()
    from durak_widget.web.blackboard_page import BoardLink  # noqa: PLC0415 - what stands in for anywidget comes first

    found = {}
    for name, board in BOARDS.items():
        plain, paths, buffers = extract_buffers({"kind": "open", "state": BoardLink.from_text(board["link"]).build_board().get_state()})
        text = json.dumps({**plain, "paths": paths}, ensure_ascii=False, separators=(",", ":"))
        found[name] = {"text": text, "buffers": [base64.b64encode(one).decode() for one in buffers]}
    json.dump(found, sys.stdout, ensure_ascii=False)


def tell_stored(language: str) -> None:
    """Print it."""
    anywidget_shim.install_shims()
    from durak_widget.web.table_page import TableVisit  # noqa: PLC0415 - what stands in for anywidget comes first

    told: list[dict[str, Any]] = []
    CHANNEL.connect(lambda text, _: told.append(json.loads(text)))
    deals, state = [], {}
    with tempfile.TemporaryDirectory() as folder:
        seed = 0
        while len(deals) < DEALS:
            seed += 1
            told.clear()
            TableVisit(Path(folder) / str(seed)).handle_message({"kind": "begin", "files": {}, "language": language, "seed": seed})
            [opened] = [one for one in told if one["kind"] == "open"]
            state = opened["state"]
            scene = state.pop("scene")
            if scene["actor"] == scene["me"]:
                deals.append({"seed": seed, "scene": scene})
    sentences = words_of(language).sentences
    labels = {
        name.removeprefix("page."): said
        for name, said in sentences.items()
        if name.startswith("page.") and not name.startswith("page.unread")
    }
    json.dump({"labels": labels, "state": state, "deals": deals}, sys.stdout, ensure_ascii=False)


def page(folder: Path) -> None:
    """The pages themselves, what they paint first, and what a telephone asks for that puts one among its programs."""
    first = {code: stored(code) for code in LANGUAGES}
    painted = {f"first.{code}": said for code, said in first.items()} | {f"board.{name}": one for name, one in stored("boards").items()}
    for name, one in painted.items():
        (folder / f"{name}.json").write_text(json.dumps(one, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    labels = first["en"]["labels"]
    options = "".join(f'<option value="{code}" lang="{code}">{escape(name)}</option>' for code, name in LANGUAGES.items())
    for source, name in (("play.html", "index.html"), ("board.html", "board.html")):
        html = (SOURCES / source).read_text(encoding="utf-8")
        noscript = 'This page needs JavaScript; <a href="../index.html">the docs</a> do without.'
        for key, said in {
            **{key: escape(said) for key, said in labels.items()},
            "languages": options,
            "codes": " ".join(LANGUAGES),
            "noscript": noscript,
        }.items():
            html = html.replace(f"{{{key}}}", said)
        (folder / name).write_text(html, encoding="utf-8")
    manifest = {
        "name": labels["title"],
        "short_name": labels["title"],
        "description": labels["lead"],
        "start_url": "./index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f4f1ea",
        "theme_color": "#2f6b53",
        "icons": [
            {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            *({"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any"} for size in (192, 512)),
            {"src": "icon-512-whole.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def build(folder: Path = PLAY) -> Path:
    """Build the page in a folder, which is emptied first."""
    frontend.main("build")
    frontend.main("install")
    shutil.rmtree(folder, ignore_errors=True)
    python(folder / "python")
    code(folder / "durak.zip")
    for name in BUNDLES:
        shutil.copy(PACKAGE / "static" / name, folder)
    shutil.copy(SIGN / "favicon.svg", folder / "icon.svg")
    for icon in SIGN.glob("icon-*.png"):
        shutil.copy(icon, folder)
    page(folder)
    node = frontend.provide_node()
    frontend.run(str(node.program), "site.mjs", str(folder), node=node)
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PLAY, help="the folder to build it in; build/site/play without one")
    parser.add_argument("--stored", metavar="WHAT", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.stored == "boards":
        tell_boards()
    elif asked.stored:
        tell_stored(asked.stored)
    else:
        print(f"Built in {build(asked.folder.resolve())}: `python -m http.server --directory` shows it")
