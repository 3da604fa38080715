"""Builds the play page, on which a table runs with Python in the browser.

Any web server for files can serve the page.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
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
BUNDLES = (
    "widget.js",
    "widget.css",
    "panels.js",
    "extras.js",
    "lesson.js",
    "lesson.css",
    "board.js",
    "board.css",
    "sketch.js",
    "sketch.css",
)
ELSEWHERE = {
    *("frontend", "__pycache__", "arena", "sandbox", "tournament_widget", "exercises", "lessons", "classroom"),
    *("homework", "paper_exams", "duplicate_deals", "econ431", "custom_games", "grading", "class_games", "live"),
}
"""The subpackages that neither a table nor a board needs."""
LEARN_PAGE = "web/learn_page.py"
"""The module of the learn page, which is packed with the lessons that it needs."""
DEALS = 24
SAID_BY_PYTHON = ("page.unread", "page.brought", "page.unbrought", "page.sketch.refused")
_UNUSED_TEXT = re.compile(
    rb'^    "(?!%s)(?:class|arena|live|page)\.[\w.-]+": .*,\n' % "|".join(map(re.escape, SAID_BY_PYTHON)).encode(), re.MULTILINE
)
"""Matches a text of homework, tournaments or live class sessions in a catalogue, or a label of a page, which the page has in a file of its own."""
ONLY_BOARD = ("board", "wiping", "unwiped", "instead", "game", "sketch")
"""How the keys of labels begin that only the board page needs. The table page does not load them."""
ONLY_HTML = ("lead",)
"""How the keys of texts begin that only the HTML of a page has."""


def python(folder: Path) -> None:
    """Copy the Pyodide files to a folder, with an empty list of packages."""
    folder.mkdir(parents=True)
    source_folder = frontend.FRONTEND / "node_modules" / "pyodide"
    for name in PYTHON:
        shutil.copy(source_folder / name, folder)
    lock = json.loads((source_folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    (folder / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")


def code(path: Path) -> None:
    """Write a zip file with the parts of this package that a table needs, and with traitlets."""
    own = {
        file.relative_to(ROOT).as_posix(): file
        for file in PACKAGE.rglob("*")
        if file.is_file() and not ELSEWHERE & set(file.relative_to(PACKAGE).parts[:-1]) and file.suffix != ".pyc"
    }
    del own[f"{PACKAGE.name}/{LEARN_PAGE}"]
    theirs = {
        file.as_posix(): Path(str(file.locate()))
        for file in files_of("traitlets") or ()
        if file.parts[0] == "traitlets" and file.suffix == ".py" and not {"tests", "config"} & set(file.parts)
    }
    write_zip(path, {**own, **theirs})


def write_zip(path: Path, files: dict[str, Path]) -> None:
    """Write a zip file; equal files always give an equal zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), read_for_page(file), zipfile.ZIP_DEFLATED)


def read_for_page(file: Path) -> bytes:
    """Return the content of a file; a catalogue of texts comes without those that no page needs."""
    content = file.read_bytes()
    return _UNUSED_TEXT.sub(b"", content) if file.parent == PACKAGE / "i18n" else content


def stored(what: str) -> dict[str, Any]:
    """Return what a page displays before Python is loaded, computed in a new process.

    For a language, these are deals in which the visitor moves first, with the texts of the page. For "boards",
    these are the boards of the docs, and for "learn.en" the steps of the learn page in English. The process is
    new, because it replaces anywidget.
    """
    process = subprocess.run(
        [sys.executable, __file__, "--stored", what],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise SystemExit(f"The page to play: cannot store {what!r}.\n{process.stderr}")
    data: dict[str, Any] = json.loads(process.stdout)
    return data


def tell_boards() -> None:
    """Print each board of the docs as the message that Python would send to open it."""
    anywidget_shim.install_shims()
    from durak_widget.web.board_links import BoardLink  # noqa: PLC0415 - what stands in for anywidget comes first

    messages_by_board = {}
    for name, board in BOARDS.items():
        plain, paths, buffers = extract_buffers({"kind": "open", "state": BoardLink.from_text(board["link"]).build_board().get_state()})
        text = json.dumps({**plain, "paths": paths}, ensure_ascii=False, separators=(",", ":"))
        messages_by_board[name] = {"text": text, "buffers": [base64.b64encode(buffer).decode() for buffer in buffers]}
    json.dump(messages_by_board, sys.stdout, ensure_ascii=False)


def tell_stored(language: str) -> None:
    """Print what the table page displays in a language before Python is loaded, and how to play."""
    anywidget_shim.install_shims()
    from durak_widget.table.how_to_play import build_how_to_play_message  # noqa: PLC0415 - likewise
    from durak_widget.web.table_page import TableVisit  # noqa: PLC0415 - what stands in for anywidget comes first

    messages: list[dict[str, Any]] = []
    CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
    deals, state = [], {}
    with tempfile.TemporaryDirectory() as folder:
        seed = 0
        while len(deals) < DEALS:
            seed += 1
            messages.clear()
            TableVisit(Path(folder) / str(seed)).handle_message({"kind": "begin", "files": {}, "language": language, "seed": seed})
            [opened] = [message for message in messages if message["kind"] == "open"]
            state = opened["state"]
            scene = state.pop("scene")
            if scene["actor"] == scene["viewer"]:
                deals.append({"seed": seed, "scene": scene})
    sentences = words_of(language).sentences
    labels = {
        name.removeprefix("page."): sentence
        for name, sentence in sentences.items()
        if name.startswith("page.") and not name.startswith(SAID_BY_PYTHON)
    }
    labels["how_to_play"] = sentences["screen.how_to_play"]
    first = {
        "labels": {name: label for name, label in labels.items() if not name.startswith((*ONLY_BOARD, *ONLY_HTML))},
        "state": state,
        "deals": deals,
    }
    how_to_play = {**build_how_to_play_message(language), "learn_link": ("learn.html", sentences["learn.lead.short"])}
    stored_data = {"first": first, "labels": {"labels": labels}, "how_to_play": how_to_play}
    json.dump(stored_data, sys.stdout, ensure_ascii=False)


def tell_learn(language: str) -> None:
    """Print what the learn page displays in a language before Python is loaded, and the files that it needs.

    These files are the modules that a walk through all steps imports, except those that a table needs too.
    """
    anywidget_shim.install_shims()
    from durak_widget.lessons.first_steps import STEPS  # noqa: PLC0415 - what stands in for anywidget comes first
    from durak_widget.web.learn_page import LearnVisit, get_labels  # noqa: PLC0415 - as above

    messages: list[dict[str, Any]] = []
    CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
    steps = []
    with tempfile.TemporaryDirectory() as folder:
        visit = LearnVisit(Path(folder))
        visit.handle_message({"kind": "begin", "files": {}, "language": language})
        for step in range(len(STEPS)):
            messages.clear()
            visit.handle_message({"kind": "step", "step": step})
            states = {message["bundle"]: message["state"] for message in messages if message["kind"] == "open"}
            # The words and the settings are stored with the play page.
            table_state = states["widget.js"]
            steps.append(
                {
                    "name": STEPS[step],
                    "exercise": states["lesson.js"]["exercise_view"],
                    "scene": table_state["scene"],
                    "coach": table_state["coach"],
                }
            )
            assert visit.exercise is not None  # noqa: S101 - a step is open
            for move in visit.exercise.table.game.legal_moves() if step < len(STEPS) - 1 else ():
                visit.exercise.restart()
                visit.exercise.answer(str(move))
                visit.exercise.view_model()
    modules = [Path(str(module.__file__)) for name, module in sorted(sys.modules.items()) if name.startswith(f"{PACKAGE.name}.")]
    files = [
        file.relative_to(ROOT).as_posix()
        for file in modules
        if ELSEWHERE & set(file.relative_to(PACKAGE).parts[:-1]) or file == PACKAGE / LEARN_PAGE
    ]
    json.dump({"labels": get_labels(language), "steps": steps, "files": files}, sys.stdout, ensure_ascii=False)


def page(folder: Path) -> None:
    """Write the HTML pages, the data that they display first, and the web app manifest."""
    from docs_site import ADDRESS  # noqa: PLC0415 - it imports the table, which must not happen before anywidget is replaced

    languages = {code: stored(code) for code in LANGUAGES}
    learn = {code: stored(f"learn.{code}") for code in LANGUAGES}
    write_zip(folder / "lessons.zip", {name: ROOT / name for data in learn.values() for name in data.pop("files")})
    painted = {f"{name}.{code}": data for code, parts in languages.items() for name, data in parts.items()}
    painted |= {f"learn.{code}": data for code, data in learn.items()} | {f"board.{name}": data for name, data in stored("boards").items()}
    for name, data in painted.items():
        (folder / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    labels = languages["en"]["labels"]["labels"]
    learn_labels = {f"learn.{key}": text for key, text in learn["en"]["labels"].items()}
    options = "".join(f'<option value="{code}" lang="{code}">{escape(name)}</option>' for code, name in LANGUAGES.items())
    for source, name in (("play.html", "index.html"), ("board.html", "board.html"), ("learn.html", "learn.html")):
        html = (SOURCES / source).read_text(encoding="utf-8")
        noscript = 'This page needs JavaScript; <a href="../index.html">the docs</a> do without.'
        for key, text in {
            **{key: escape(text) for key, text in (labels | learn_labels).items()},
            "site": ADDRESS,
            "languages": options,
            "codes": " ".join(LANGUAGES),
            "noscript": noscript,
        }.items():
            html = html.replace(f"{{{key}}}", text)
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
    """Build the play page in a folder, which is emptied first."""
    frontend.main("build")
    frontend.main("install")
    shutil.rmtree(folder, ignore_errors=True)
    python(folder / "python")
    code(folder / "durak.zip")
    for name in BUNDLES:
        shutil.copy(PACKAGE / "static" / name, folder)
    shutil.copy(ROOT / "THIRD_PARTY_LICENSES.txt", folder)
    shutil.copy(SIGN / "favicon.svg", folder / "icon.svg")
    for icon in SIGN.glob("icon-*.png"):
        shutil.copy(icon, folder)
    page(folder)
    node = frontend.provide_node()
    frontend.run(str(node.program), "site.mjs", str(folder), node=node)
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PLAY, help="the folder for the page (build/site/play)")
    parser.add_argument("--stored", metavar="WHAT", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.stored == "boards":
        tell_boards()
    elif asked.stored and asked.stored.startswith("learn."):
        tell_learn(asked.stored.removeprefix("learn."))
    elif asked.stored:
        tell_stored(asked.stored)
    else:
        print(f"Built in {build(asked.folder.resolve())}; to see it, use `python -m http.server --directory`")
