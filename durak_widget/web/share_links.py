"""Links to the table page: rules, deal, players, position or game, and language.

They stand after the `#`, so nothing of them leaves the browser.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from durak_widget.bots.bot import NEXT, PEOPLE, YOU, names
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.i18n import LANGUAGES, Fact, Voice
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KNOWN: Final = ("rules", "seed", "seats", "position", "game", "language")
_LONGEST: Final = 20_000
"""More than the longest game, compressed; browsers cut very long links."""
_LONGEST_GAME: Final = 100_000
_LONGEST_SEED: Final = 100
_BRIEF: Final = 40


class LinkError(DurakError, ValueError):
    """A link that cannot be opened.

    The message is for authors of links; `told` explains it in any language to those who open one.

    >>> LinkError("the link says seed twice", "twice", part="seed").told(Voice("lt"))
    'Joje du kartus pasakyta „seed“.'
    """

    def __init__(self, said: str, wrong: str, **facts: object) -> None:
        """Create the error; `wrong` is the text key after `page.unread.`.

        The fact `near` is what may have been meant.
        """
        super().__init__(said)
        near = facts.pop("near", "")
        self.facts = (Fact(wrong, facts), *([Fact("near", {"name": near})] if near else []))

    def told(self, voice: Voice) -> str:
        """Return what is wrong, for the user who opened the link."""
        return " ".join(voice.say(f"page.unread.{fact.key}", **fact.facts) for fact in self.facts)


class Link(NamedTuple):
    """The content of a link to the table page.

    >>> Link.read("#rules=perevodnoy&seed=7&seats=you,uncle").seats
    ('you', 'uncle')
    >>> Link.read("#ruls=perevodnoy")
    Traceback (most recent call last):
    durak_widget.web.share_links.LinkError: a link has no 'ruls'. Did you mean 'rules'? It has rules, seed, seats, position, game, language
    """

    game: Game | None = None
    """The game or position; None if the link names no rules, deal, position or game."""
    seats: tuple[str, ...] = ()
    language: str = ""

    @classmethod
    def read(cls, text: str) -> Link:
        """Return the content of a link; a `LinkError` says what is wrong with it."""
        parts = parts_of_link(text.removeprefix("#"), _KNOWN)
        if len([name for name in ("rules", "position", "game") if name in parts]) > 1 or ("seed" in parts and "rules" not in parts):
            raise LinkError(
                "a link says rules (and perhaps a seed), or a position, or a game: one of them", "one", known="rules, position, game"
            )
        language = parts.get("language", "")
        if language and language not in LANGUAGES:
            raise LinkError(
                f"language={quoted(language)}: the page speaks {', '.join(LANGUAGES)}", "value", part="language", known=", ".join(LANGUAGES)
            )
        try:
            game = _game(parts)
        except LinkError:
            raise
        except DurakError as error:
            part_name = next(name for name in ("game", "position", "rules") if name in parts)
            raise LinkError(str(error), part_name, near=_near(parts["rules"], Rules.presets()) if part_name == "rules" else "") from None
        seats = tuple(parts["seats"].split(",")) if "seats" in parts else ()
        _check_seats(seats, 2 if game is None else game.seats)
        return cls(game, seats, language)


def written(what: Game | Rules) -> str:
    """Return the link to a game, which shows every card, or to a new game by these rules.

    >>> game = Game("transfer", seed=7)
    >>> Link.read(written(game)).game.hands == game.hands
    True
    >>> written(game.rules)
    '#rules=transfer'
    """
    parts = {"game": into_link(str(what))} if isinstance(what, Game) else {"rules": str(what)}
    return "#" + urlencode(parts, safe=",:;|=")


def parts_of_link(text: str, known: Sequence[str]) -> dict[str, str]:
    """Return the name=value pairs of a link; an unknown or repeated name raises a `LinkError`."""
    if len(text) > _LONGEST:
        raise LinkError(f"the link is longer than {_LONGEST} characters", "long")
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=2 * len(known))
    except ValueError:
        raise LinkError(f"{quoted(text)} cannot be read as name=value, with & between", "form") from None
    parts = dict[str, str]()
    for name, value in pairs:
        if name not in known:
            raise LinkError(
                f"a link has no {quoted(name)}.{nearest(name, known)} It has {', '.join(known)}",
                "part",
                part=brief(name),
                near=_near(name, known),
            )
        if name in parts:
            raise LinkError(f"the link says {name} twice", "twice", part=name)
        parts[name] = value
    return parts


def _game(said: dict[str, str]) -> Game | None:
    if "game" in said:
        return Game.parse(out_of_link(said["game"]))
    if "position" in said:
        return Game.parse(said["position"].replace("\n", " "))
    if "rules" not in said:
        return None
    seed = said.get("seed", "")
    if len(seed) > _LONGEST_SEED:
        raise LinkError(f"the seed is longer than {_LONGEST_SEED} characters", "long")
    number = int(seed) if seed.isascii() and seed.isdecimal() else seed
    return Game(Rules.of(said["rules"] or None), seed=number if seed else None)


def _check_seats(seats: tuple[str, ...], many: int) -> None:
    known = (YOU, NEXT, *PEOPLE, *names())
    if len(seats) > many:
        raise LinkError(f"the link names {len(seats)} seats, and there are {many}", "seats", given=len(seats), count=many)
    for name in seats:
        if name not in known:
            raise LinkError(
                f"nobody is called {quoted(name)}.{nearest(name, known)} A seat takes {', '.join(known)}",
                "nobody",
                name=brief(name),
                near=_near(name, known),
            )


def into_link(text: str) -> str:
    """Compress a text into the form that a link carries."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")


def out_of_link(text: str) -> str:
    """Return the text that a link carries in compressed form."""
    try:
        cleaned = re.sub(r"[^\w-]", "", text, flags=re.ASCII)  # Python skips other characters, sometimes with a warning
        data = urlsafe_b64decode(cleaned + "=" * (-len(cleaned) % 4))
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        unpacked = unpacker.decompress(data, _LONGEST_GAME)
        if unpacker.eof and not unpacker.unconsumed_tail:
            return unpacked.decode()
    except (ValueError, zlib.error):
        pass
    raise LinkError("what the link says is no game: perhaps it was cut short", "cut")


def brief(text: str) -> str:
    """Return the start of a user's text, short enough to quote in a sentence."""
    shown = "".join(character if character.isprintable() else "�" for character in text[:_BRIEF])
    return shown if len(text) <= _BRIEF else f"{shown}…"


def _near(name: str, known: Iterable[str]) -> str:
    return next(iter(get_close_matches(name[:_BRIEF], list(known), 1)), "")
