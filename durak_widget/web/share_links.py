"""Formats and parses links that open the table page with a game, a position or rules.

They stand after the `#`, so nothing of them leaves the browser.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from durak_widget.bots.bot import NEXT_OPPONENT_NAME, OPPONENT_BOTS, PERSON_NAME, names
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.i18n import LANGUAGES, TranslatableText, Translator
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KNOWN_PARTS: Final = ("rules", "seed", "seats", "position", "game", "language")
_MAX_LINK_LENGTH: Final = 20_000
"""The maximum length of a link; every compressed game is shorter. Browsers cut very long links."""
_MAX_GAME_LENGTH: Final = 100_000
_MAX_SEED_LENGTH: Final = 100
_EXCERPT_LENGTH: Final = 40


class LinkError(DurakError, ValueError):
    """An error because a link can't be opened.

    The message is for authors of links; `to_text` explains it in any language to those who open one.

    >>> LinkError("the link says seed twice", "twice", part="seed").to_text(Translator("lt"))
    'Joje du kartus yra „seed“.'
    """

    def __init__(self, message: str, problem: str, **facts: object) -> None:
        """Create an error; `message` is for authors of links, and `key` names a text for users.

        The problem is the end of a catalogue key that begins with `page.unread.`.

        The fact `near` is what may have been meant.
        """
        super().__init__(message)
        near = facts.pop("near", "")
        self.facts = (TranslatableText(problem, facts), *([TranslatableText("near", {"name": near})] if near else []))

    def to_text(self, voice: Translator) -> str:
        """Describe what is wrong with the link, for the user who opened it."""
        return " ".join(voice.translate(f"page.unread.{fact.key}", **fact.facts) for fact in self.facts)


class TableLink(NamedTuple):
    """The parsed content of a link to the table page.

    >>> TableLink.from_text("#rules=perevodnoy&seed=7&seats=you,uncle").seats
    ('you', 'uncle')
    >>> TableLink.from_text("#ruls=perevodnoy")
    Traceback (most recent call last):
    durak_widget.web.share_links.LinkError: a link has no 'ruls'. Did you mean 'rules'? It can have rules, seed, seats, position, game, language
    """

    game: Game | None = None
    """The game or position in the link, or a new game by the rules in the link; None if the link has none of these."""
    seats: tuple[str, ...] = ()
    language: str = ""

    @classmethod
    def from_text(cls, text: str) -> TableLink:
        """Parse a link; raise a `LinkError` if it is invalid."""
        parts = parse_link_parts(text.removeprefix("#"), _KNOWN_PARTS)
        if len([name for name in ("rules", "position", "game") if name in parts]) > 1 or ("seed" in parts and "rules" not in parts):
            raise LinkError(
                "a link must have rules (with or without a seed), or a position, or a game, and only one of them",
                "one",
                known="rules, position, game",
            )
        language = parts.get("language", "")
        if language and language not in LANGUAGES:
            raise LinkError(
                f"language must be one of {', '.join(LANGUAGES)}, not {short_repr(language)}",
                "value",
                part="language",
                known=", ".join(LANGUAGES),
            )
        try:
            game = _parse_game(parts)
        except LinkError:
            raise
        except DurakError as error:
            part_name = next(name for name in ("game", "position", "rules") if name in parts)
            raise LinkError(
                str(error), part_name, near=_find_closest(parts["rules"], Rules.presets()) if part_name == "rules" else ""
            ) from None
        seats = tuple(parts["seats"].split(",")) if "seats" in parts else ()
        _check_seats(seats, 2 if game is None else game.seats)
        return cls(game, seats, language)


def format_link(game_or_rules: Game | Rules) -> str:
    """Format a link to a given game with all its cards, or to a new game by given rules.

    >>> game = Game("transfer", seed=7)
    >>> TableLink.from_text(format_link(game)).game.hands == game.hands
    True
    >>> format_link(game.rules)
    '#rules=transfer'
    """
    parts = {"game": compress_text(str(game_or_rules))} if isinstance(game_or_rules, Game) else {"rules": str(game_or_rules)}
    return "#" + urlencode(parts, safe=",:;|=")


def parse_link_parts(text: str, known: Sequence[str]) -> dict[str, str]:
    """Parse the name=value pairs of a link; raise a `LinkError` if a name is wrong."""
    if len(text) > _MAX_LINK_LENGTH:
        raise LinkError(f"the link is longer than {_MAX_LINK_LENGTH} characters", "long")
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=2 * len(known))
    except ValueError:
        raise LinkError(f"{short_repr(text)} cannot be read as name=value, with & between", "form") from None
    parts = dict[str, str]()
    for name, value in pairs:
        if name not in known:
            raise LinkError(
                f"a link has no {short_repr(name)}.{suggest_nearest(name, known)} It can have {', '.join(known)}",
                "part",
                part=shorten(name),
                near=_find_closest(name, known),
            )
        if name in parts:
            raise LinkError(f"the link has {name} twice", "twice", part=name)
        parts[name] = value
    return parts


def _parse_game(parts: dict[str, str]) -> Game | None:
    """Return the game, position or new game in a link; None if the link has none of these."""
    if "game" in parts:
        return Game.parse(decompress_text(parts["game"]))
    if "position" in parts:
        return Game.parse(parts["position"].replace("\n", " "))
    if "rules" not in parts:
        return None
    seed = parts.get("seed", "")
    if len(seed) > _MAX_SEED_LENGTH:
        raise LinkError(f"the seed is longer than {_MAX_SEED_LENGTH} characters", "long")
    number = int(seed) if seed.isascii() and seed.isdecimal() else seed
    return Game(Rules.coerce(parts["rules"] or None), seed=number if seed else None)


def _check_seats(seats: tuple[str, ...], seat_count: int) -> None:
    """Raise a `LinkError` if a link names too many or unknown players."""
    known_names = (PERSON_NAME, NEXT_OPPONENT_NAME, *OPPONENT_BOTS, *names())
    if len(seats) > seat_count:
        raise LinkError(
            f"the link names {len(seats)} players, but there are {seat_count} seats", "seats", given=len(seats), count=seat_count
        )
    for name in seats:
        if name not in known_names:
            raise LinkError(
                f"there is no player {short_repr(name)}.{suggest_nearest(name, known_names)} A seat can have {', '.join(known_names)}",
                "nobody",
                name=shorten(name),
                near=_find_closest(name, known_names),
            )


def compress_text(text: str) -> str:
    """Compress a text for use in a link."""
    data = text.encode(errors="replace")  # A file or a name can have half of a pair of surrogates
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


def decompress_text(text: str) -> str:
    """Decompress a text from a link."""
    try:
        cleaned = re.sub(r"[^\w-]", "", text, flags=re.ASCII)  # Any character that base64 does not use would cause a warning.
        data = urlsafe_b64decode(cleaned + "=" * (-len(cleaned) % 4))
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        unpacked = unpacker.decompress(data, _MAX_GAME_LENGTH)
        if unpacker.eof and not unpacker.unconsumed_tail:
            return unpacked.decode()
    except (ValueError, zlib.error):
        pass
    raise LinkError("the game in the link cannot be read; the link may have been cut short", "cut")


def shorten(text: str) -> str:
    """Shorten a user's text, so that an error message can quote it."""
    excerpt = "".join(character if character.isprintable() else "�" for character in text[:_EXCERPT_LENGTH])
    return excerpt if len(text) <= _EXCERPT_LENGTH else f"{excerpt}…"


def _find_closest(name: str, known_names: Iterable[str]) -> str:
    return next(iter(get_close_matches(name[:_EXCERPT_LENGTH], list(known_names), 1)), "")
