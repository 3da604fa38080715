"""Makes pictures of the docs live: over each lies a table or a blackboard of the page to play, which wakes when it is touched; the picture stays for print, and where nothing runs."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BOARDS: dict[str, dict[str, Any]] = json.loads((ROOT / "docs" / "site" / "boards.json").read_text(encoding="utf-8"))
"""The blackboards of the docs by name: which link opens each, what it is called, and how high it is on a wide page and on a narrow one."""
_PICTURE = re.compile(r'<p>(<img [^>]*?src="[^"]*_images/([\w-]+)\.svg"[^>]*>)</p>')
_NAMED = re.compile(r'(<td><p>)(<code class="docutils literal notranslate"><span class="pre">([\w-]+)</span></code>)(</p></td>)')


class Live(NamedTuple):
    """What lies over a picture."""

    page: str
    """Its page, as the page to play has it; it sleeps until it is touched, but where one asks for it."""
    alone: str
    """The link to it on a page of its own."""
    called: str
    told: str
    """What stands below it, before the link."""
    leads: str
    """What the link says."""
    high: tuple[int, ...] = ()
    """How high it is on a wide page and on a narrow one; without it, as the style sheet says."""
    ask: str = ""
    """What the button says that asks for it; without one it is there at once."""


def of_page(page: Path, site: Path) -> dict[str, Live]:
    """What lies over the pictures of a page, by their names."""
    where = page.relative_to(site).with_suffix("").as_posix()
    if where == "index":
        told = "A real table: play a card, and it wakes. It runs in your browser, and nothing is sent anywhere."
        return {"table": Live("index.html?asleep", "index.html", "A table of Durak", told, "Full page")}
    if where.startswith("reference/presets/"):
        name = page.stem
        link = f"#rules={name}"
        found = Live(
            f"index.html{link}&seed=1", f"index.html{link}", f"A table of Durak: {name}", "", "Play it on a full page", ask="Play it here"
        )
        return {name: found}
    told = "Press a place: it unfolds, or folds. Arrow keys walk along the branches."
    matrix = "Press a cell, or the head of a row or column."
    return {
        f"board-{name}": Live(
            f"board.html?asleep={name}#{board['link']}",
            f"board.html#{board['link']}",
            board["called"],
            matrix if "as=matrix" in board["link"] else told,
            "Full page",
            tuple(board["high"]),
        )
        for name, board in BOARDS.items()
    }


def figure(picture: str, live: Live, play: str) -> str:
    """A picture, what lies over it, and what stands below."""
    page, alone = (escape(f"{play}{one}") for one in (live.page, live.alone))
    high = f' style="--live-wide: {live.high[0]}px; --live-narrow: {live.high[1]}px"' if live.high else ""
    ask = f' data-ask="{escape(live.ask)}" data-wait="The cards are being dealt …"' if live.ask else ""
    told = f'<span class="live-told">{live.told}</span> ' if live.told else ""
    return (
        f'<figure class="live"{high} data-page="{page}" data-called="{escape(live.called)}"{ask}><div class="live-place">{picture}</div>'
        f'<figcaption>{told}<a href="{alone}">{live.leads}</a></figcaption></figure>'
    )


def enlivened(html: str, lives: dict[str, Live], play: str) -> str:
    """A page with its live pictures, and with what makes them so.

    >>> lives = {"table": Live("index.html?asleep", "index.html", "A table", "Play a card.", "Alone")}
    >>> print(enlivened('<p><img alt="Cards" src="_images/table.svg" /></p></body>', lives, "play/"))
    <figure class="live" data-page="play/index.html?asleep" data-called="A table"><div class="live-place"><img alt="Cards" src="_images/table.svg" /></div><figcaption><span class="live-told">Play a card.</span> <a href="play/index.html">Alone</a></figcaption></figure><script type="module" src="play/docs.js"></script></body>
    """
    html = _PICTURE.sub(lambda found: figure(found[1], lives[found[2]], play) if found[2] in lives else found[0], html)
    if 'class="live"' in html:
        html = html.replace("</body>", f'<script type="module" src="{play}docs.js"></script></body>')
    return html


def opening(html: str, play: str) -> str:
    """The page of the textbooks' games: the name of each opens it on a blackboard."""
    return _NAMED.sub(lambda found: f'{found[1]}<a href="{play}board.html#game={found[3]}">{found[2]}</a>{found[4]}', html)


def enliven(site: Path) -> list[str]:
    """Make the pictures of a site live; the name of each page that has any."""
    found = []
    for page in sorted([site / "index.html", *(site / "docs").glob("*.html"), *(site / "reference" / "presets").glob("*.html")]):
        play = "../" * len(page.relative_to(site).parts[:-1]) + "play/"
        before = page.read_text(encoding="utf-8")
        text = enlivened(before, of_page(page, site), play)
        text = opening(text, play) if page.stem == "textbook-games" else text
        if text != before:
            page.write_text(text, encoding="utf-8")
            found.append(page.relative_to(site).as_posix())
    return found
