"""Puts a live table or game theory board over images in the docs.

A table or board starts when the reader touches it. The image is still used in print, and where no scripts run.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BOARDS: dict[str, dict[str, Any]] = json.loads((ROOT / "docs" / "site" / "boards.json").read_text(encoding="utf-8"))
"""The boards in the docs by name, each with its link, its title, and its height on wide and narrow pages."""
_PICTURE = re.compile(r'<p>(<img [^>]*?src="[^"]*_images/([\w-]+)\.svg"[^>]*>)</p>')
_NAMED = re.compile(r'(<td><p>)(<code class="docutils literal notranslate"><span class="pre">([\w-]+)</span></code>)(</p></td>)')


class Live(NamedTuple):
    """A live table or board that replaces an image in the docs."""

    page: str
    """The address that the frame loads. The page in it sleeps until it is touched, unless a button loads it."""
    alone: str
    """The link that opens the table or board on a page of its own."""
    called: str
    told: str
    """The text below the frame, before the link."""
    leads: str
    """The text of the link."""
    high: tuple[int, ...] = ()
    """The height on a wide page and on a narrow page; if empty, the style sheet determines it."""
    ask: str = ""
    """The text of the button that loads the frame; if empty, the frame is loaded at once."""


def of_page(page: Path, site: Path) -> dict[str, Live]:
    """Return a page's live tables and boards, by the name of the image that each replaces."""
    where = page.relative_to(site).with_suffix("").as_posix()
    if where == "index":
        caption = "A real table: play a card, and it wakes. It runs in your browser, and nothing is sent anywhere."
        return {"table": Live("index.html?asleep", "index.html", "A table of Durak", caption, "Full page")}
    if where.startswith("reference/presets/"):
        name = page.stem
        link = f"#rules={name}"
        live = Live(
            f"index.html{link}&seed=1", f"index.html{link}", f"A table of Durak: {name}", "", "Play it on a full page", ask="Play it here"
        )
        return {name: live}
    caption = "Press a place: it unfolds, or folds. Arrow keys walk along the branches."
    matrix_caption = "Press a cell, or the head of a row or column."
    return {
        f"board-{name}": Live(
            f"board.html?asleep={name}#{board['link']}",
            f"board.html#{board['link']}",
            board["called"],
            matrix_caption if "as=matrix" in board["link"] else caption,
            "Full page",
            tuple(board["high"]),
        )
        for name, board in BOARDS.items()
    }


def figure(picture: str, live: Live, play: str) -> str:
    """Render an image as an HTML figure with a live table or board and a caption."""
    page, alone = (escape(f"{play}{address}") for address in (live.page, live.alone))
    high = f' style="--live-wide: {live.high[0]}px; --live-narrow: {live.high[1]}px"' if live.high else ""
    ask = f' data-ask="{escape(live.ask)}" data-wait="The cards are being dealt …"' if live.ask else ""
    caption = f'<span class="live-told">{live.told}</span> ' if live.told else ""
    return (
        f'<figure class="live"{high} data-page="{page}" data-called="{escape(live.called)}"{ask}><div class="live-place">{picture}</div>'
        f'<figcaption>{caption}<a href="{alone}">{live.leads}</a></figcaption></figure>'
    )


def enlivened(html: str, lives: dict[str, Live], play: str) -> str:
    """Return a page's HTML with live figures instead of images, and with the script they need.

    >>> lives = {"table": Live("index.html?asleep", "index.html", "A table", "Play a card.", "Alone")}
    >>> print(enlivened('<p><img alt="Cards" src="_images/table.svg" /></p></body>', lives, "play/"))
    <figure class="live" data-page="play/index.html?asleep" data-called="A table"><div class="live-place"><img alt="Cards" src="_images/table.svg" /></div><figcaption><span class="live-told">Play a card.</span> <a href="play/index.html">Alone</a></figcaption></figure><script type="module" src="play/docs.js"></script></body>
    """
    html = _PICTURE.sub(lambda match: figure(match[1], lives[match[2]], play) if match[2] in lives else match[0], html)
    if 'class="live"' in html:
        html = html.replace("</body>", f'<script type="module" src="{play}docs.js"></script></body>')
    return html


def opening(html: str, play: str) -> str:
    """Make each game's name on the page of textbook games a link that opens the game."""
    return _NAMED.sub(lambda match: f'{match[1]}<a href="{play}board.html#game={match[3]}">{match[2]}</a>{match[4]}', html)


def enliven(site: Path) -> list[str]:
    """Put live tables and boards into the pages of a site; return the names of these pages."""
    changed_pages = []
    for page in sorted([site / "index.html", *(site / "docs").glob("*.html"), *(site / "reference" / "presets").glob("*.html")]):
        play = "../" * len(page.relative_to(site).parts[:-1]) + "play/"
        before = page.read_text(encoding="utf-8")
        text = enlivened(before, of_page(page, site), play)
        text = opening(text, play) if page.stem == "textbook-games" else text
        if text != before:
            page.write_text(text, encoding="utf-8")
            changed_pages.append(page.relative_to(site).as_posix())
    return changed_pages
