"""Loads the files of both pages, and defines the headers of every answer."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
from pathlib import Path
from typing import Final, NamedTuple

from durak_widget.i18n import Translator
from durak_widget.live.question import LANGUAGES

STATIC_FOLDER: Final = Path(__file__).resolve().parents[1] / "static"
STUDENT_FILES: Final = ("student.html", "student.js", "student.css")
PROJECTOR_FILES: Final = ("projector.html", "projector.js", "projector.css")
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; sandbox allow-scripts allow-forms"
)
TEACHER_POLICY: Final = f"{_POLICY} allow-popups"
"""The policy of the teacher's page, which opens the projector in a window of its own."""
SECURITY_HEADERS: Final = {
    # The sandbox gives the page an origin of its own, so it cannot use anything of the Jupyter server that may be at the same address.
    "Content-Security-Policy": _POLICY,
    # The origin of a sandboxed page is `null`; this lets it read its own scripts and words.
    "Access-Control-Allow-Origin": "null",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""The headers of every answer, also of errors."""


class Page(NamedTuple):
    """A file, as it is and compressed."""

    content_type: str
    data: bytes
    compressed: bytes
    etag: str


def make_page(name: str, data: bytes) -> Page:
    """Return a file for the server; `name` says what it is.

    >>> page = make_page("student.css", b"p { color: red }" * 9)
    >>> page.content_type, len(page.compressed) < len(page.data)
    ('text/css; charset=utf-8', True)
    """
    return Page(_TYPES[Path(name).suffix], data, gzip.compress(data, 9, mtime=0), f'"{hashlib.sha256(data).hexdigest()[:20]}"')


def load_student_pages(folder: Path = STATIC_FOLDER) -> dict[str, Page]:
    """Return the files of the students' page by name, without those that are not built yet.

    The page for a code has the same style sheet under the name `code.css`.
    """
    pages = _load_pages(folder, STUDENT_FILES, "live.phone.")
    return pages | ({"code.css": pages["student.css"]} if "student.css" in pages else {})


def load_projector_pages(folder: Path = STATIC_FOLDER) -> dict[str, Page]:
    """Return the files of the projector by name, without those that are not built yet."""
    return _load_pages(folder, PROJECTOR_FILES, "live.board.")


def _load_pages(folder: Path, names: tuple[str, ...], prefix: str) -> dict[str, Page]:
    pages = {name: make_page(name, (folder / name).read_bytes()) for name in names if (folder / name).is_file()}
    for language in LANGUAGES:
        name = f"words.{language}.json"
        pages[name] = make_page(name, json.dumps(get_words(language, prefix), ensure_ascii=False).encode())
    return pages


def get_words(language: str, prefix: str) -> dict[str, str]:
    """Return the texts of a page in a language: all with a prefix, by their keys without it."""
    from durak_widget.i18n._translation import get_complete_sentences  # noqa: PLC0415 - only a server needs all texts

    texts = {key.removeprefix(prefix): text for key, text in get_complete_sentences(language).items() if key.startswith(prefix)}
    return {"lang": language, **texts}


# --- The page for a code ---


def choose_language(accepted: str) -> str:
    """Return the first language of the session in an `Accept-Language` header.

    >>> choose_language("lt-LT,lt;q=0.9,en;q=0.8"), choose_language("fr"), choose_language("")
    ('lt', 'en', 'en')
    """
    for part in accepted[:200].split(","):
        language = part.split(";")[0].strip().lower()[:2]
        if language in LANGUAGES:
            return language
    return "en"


def render_code_page(language: str, problem: str = "", *, path: str = "", typed: str = "") -> bytes:
    """Return the page on which a student types a code.

    `problem` is the last part of a catalogue key, such as `wrong_code`, and `path` leads to the session's first page.
    `typed` stays in the box, so that a student can find their mistake.
    """
    translate = Translator(language).translate
    texts = {name: html.escape(translate(f"live.room.code.{name}")) for name in ("title", "label", "button")}
    message = f'<p class="dp-problem" role="alert">{html.escape(translate(f"live.room.code.{problem}"))}</p>' if problem else ""
    return f"""<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{path}code.css">
<title>{texts["title"]}</title>
<div id="page">
<main>
<h1>{texts["title"]}</h1>
{message}
<form class="dp-entry" action="{path or "./"}">
<label class="dp-label" for="code">{texts["label"]}</label>
<input class="dp-input dp-code" id="code" name="code" required autofocus maxlength="12" value="{html.escape(typed[:12])}" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button class="dp-button" data-primary>{texts["button"]}</button>
</form>
</main>
</div>
</html>
""".encode()
