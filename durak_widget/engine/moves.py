"""Moves, their text such as `attack 7c` or `beat 7c 9c`, and the illegal move error.

An illegal move has a stable reason code and facts, from which a sentence is made in any language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.cards import Card
from durak_widget.errors import CardError, DurakError, nearest, quoted
from durak_widget.i18n import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_CARDS: Final = 8
"""The maximum number of cards of one rank in two decks."""
_LONGEST_TEXT: Final = 200
_BY_TEXT: dict[str, Move] = {}
CODES: Final = (
    "game_over",
    "not_your_turn",
    "not_in_hand",
    "unreadable",
    "open_first",
    "one_card_only",
    "same_rank_only",
    "rank_not_on_table",
    "limit_reached",
    "may_not_throw",
    "too_early_to_throw",
    "not_on_table",
    "already_beaten",
    "too_low",
    "wrong_suit",
    "only_spades_beat_spades",
    "nothing_beats_joker",
    "joker_wrong_colour",
    "transfer_not_played",
    "transfer_after_beating",
    "transfer_rank",
    "transfer_too_many",
    "transfer_first_bout",
    "already_shown",
    "not_the_trump",
    "nothing_to_take",
    "swap_not_played",
    "swap_used_up",
    "swap_talon",
    "suit_not_yours_to_choose",
)
"""The stable codes of refusals."""


class Form(NamedTuple):
    """The text form of the moves of one verb."""

    example: str
    """An example or two, with a short explanation."""
    cards: range
    """The allowed numbers of cards."""
    faces: bool = False
    """True if it names faces, whatever suit the cards could be played in."""
    sorted: bool = False
    """True if the order of its cards has no meaning, so they are written in card order."""


Verb = Literal["attack", "throw", "pass", "beat", "transfer", "show", "take", "swap"]
FORMS: Final[Mapping[Verb, Form]] = {
    "attack": Form("'attack 7c' (or several cards of one rank)", range(1, _MOST_CARDS + 1), sorted=True),
    "throw": Form("'throw 7c'", range(1, 2)),
    "pass": Form("'pass'", range(1)),
    "beat": Form("'beat 7c 9c' (the card on the table, then yours)", range(2, 3)),
    "transfer": Form("'transfer 7c'", range(1, 2)),
    "show": Form("'show 7c'", range(1, 2), faces=True),
    "take": Form("'take'", range(1)),
    "swap": Form("'swap 7c 9d'", range(2, 3), faces=True, sorted=True),
}
"""The form of each verb, in the order of the rule book."""
VERBS: Final = tuple(FORMS)
KINDS: Final = {verb: kind for kind, verb in enumerate(VERBS)}
"""The index of each verb in `VERBS`."""
ATTACK_SEVERAL: Final = len(VERBS)
"""The kind of an attack with more than one card."""


class Move:
    """A move, such as `Move("beat 7c 9c")`, with one object for each, so `is` and `==` agree.

    >>> move = Move("beat 7c 10c")
    >>> move, move.verb, move.cards
    (Move('beat 7c Tc'), 'beat', (Card('7c'), Card('Tc')))
    """

    __slots__ = ("_text", "bit", "cards", "code", "kind", "target", "verb")

    _text: str
    verb: Verb
    """The verb, such as `attack`."""
    cards: tuple[Card, ...]
    """The cards in the text of the move, in order."""
    kind: int
    """The index of the verb in `VERBS`, or `ATTACK_SEVERAL`."""
    code: int
    """The code, as played, of the last card named, which leaves the hand; -1 without a card."""
    bit: int
    """The bit of that card in a mask."""
    target: int
    """The code of the face that the first card named counts as."""

    def __new__(cls, text: str | Move) -> Move:  # noqa: D102 - the class says it
        if isinstance(text, Move):
            return text
        found = _BY_TEXT.get(text) if isinstance(text, str) else None
        return found or _read(text)

    def __init__(self, text: str | Move) -> None:
        """Do nothing: the only object of each move is made when it is first needed."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; every game shares it")

    @staticmethod
    def of(verb: Verb, *cards: Card) -> Move:
        """Return the move with this verb and these cards.

        >>> Move.of("throw", Card("6d=h"))
        Move('throw 6d=h')
        """
        return _BY_TEXT.get(" ".join([verb, *map(str, cards)])) or _move(verb, list(cards))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Move({self._text!r})"

    def __reduce__(self) -> tuple[type[Move], tuple[str]]:
        return Move, (self._text,)


def _unreadable(text: object, hint: str) -> IllegalMove:
    return IllegalMove(Refusal("unreadable", {"text": quoted(text), "hint": hint}))


def _read(text: object) -> Move:
    """Parse a move leniently: any case, and cards in any order where order has no meaning."""
    if not isinstance(text, str):
        raise _unreadable(text, "a move is a text such as 'attack 7c'")
    if len(text) > _LONGEST_TEXT:
        raise _unreadable(text, "a move is a verb and a few cards, such as 'attack 7c'")
    words = text.split()
    verb = words[0].lower() if words else ""
    if verb not in VERBS:
        near = nearest(verb, VERBS).rstrip("?").replace(" Did", "; did")
        raise _unreadable(text, f"a move begins with one of {', '.join(VERBS)}{near}")
    try:
        cards = [Card(word) for word in words[1:]]
    except CardError as error:
        raise _unreadable(text, str(error)) from None
    return _move(verb, cards)


def _move(verb: Verb, cards: list[Card]) -> Move:
    """Return the only move object of a verb and its cards, with the cards in standard order."""
    form = FORMS[verb]
    if len(cards) not in form.cards:
        raise _unreadable(" ".join([verb, *map(str, cards)]), f"write {form.example}")
    if form.sorted:
        cards.sort(key=lambda card: (card.face_code, card.suit or ""))
    if form.faces:
        cards = [card.face for card in cards]
    if verb == "beat":
        cards[0] = Card.of(cards[0].counts)
    kind = ATTACK_SEVERAL if verb == "attack" and len(cards) > 1 else KINDS[verb]
    if kind == ATTACK_SEVERAL and len({card.rank for card in cards}) > 1:
        return _never_legal(verb, tuple(cards))
    move = _made(verb, kind, tuple(cards))
    return _BY_TEXT.setdefault(str(move), move)  # atomic: two threads get the same object


def _made(verb: Verb, kind: int, cards: tuple[Card, ...]) -> Move:
    facts = {"_text": " ".join([verb, *map(str, cards)]), "verb": verb, "cards": cards, "kind": kind, "code": -1, "bit": 0, "target": -1}
    if cards:
        facts |= {"code": cards[-1].code, "bit": 1 << cards[-1].face_code, "target": cards[0].counts}
    move = object.__new__(Move)
    for name, fact in facts.items():
        object.__setattr__(move, name, fact)
    return move


@lru_cache(maxsize=1000)
def _never_legal(verb: Verb, cards: tuple[Card, ...]) -> Move:
    """Return an attack with cards of several ranks.

    There are too many of these to keep all of them.
    """
    return _made(verb, ATTACK_SEVERAL, cards)


PASS_MOVE: Final = Move.of("pass")
TAKE_MOVE: Final = Move.of("take")


@dataclass(frozen=True)
class Refusal:
    """The reason why a move is refused.

    >>> from durak_widget import Game
    >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
    >>> print(refusal)
    8c is not in the hand of seat 0, which holds 6c 7c. Seat 0 may: attack 6c, attack 7c
    """

    key: str
    """The key of the sentence: the code, or a case of it such as `not_your_turn.taking`."""
    facts: Mapping[str, object] = field(default_factory=dict, hash=False)
    """The values in the sentence: cards, seats, numbers, and sentences within it."""

    @property
    def code(self) -> str:
        """Return the stable code of the reason, such as `too_low`."""
        return self.key.partition(".")[0]

    def said(self, voice: Voice) -> str:
        """Return the sentence in the language of a voice.

        If the voice writes cards as codes, the legal moves of the seat to act follow.

        >>> from durak_widget import Game
        >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
        >>> refusal.said(Voice("en", me=0))
        'The 8 of clubs is not in your hand.'
        """
        sentence = voice.say(f"refusal.{self.key}", **self.facts)
        may = self.facts.get("may")
        return f"{sentence} {voice.say(may.key, **may.facts)}" if isinstance(may, Fact) and voice.cards == "codes" else sentence

    def __str__(self) -> str:
        return self.said(Voice(cards="codes"))


class IllegalMove(DurakError, ValueError):  # noqa: N818 - the public name, like python-chess's IllegalMoveError without its tail
    """A move that the rules refuse; the game has not changed.

    >>> from durak_widget import Game
    >>> try:
    ...     Game.from_position(hands=["6c", "7c"]).play("take")
    ... except IllegalMove as error:
    ...     print(error.code, "-", error)
    nothing_to_take - There is nothing to take: no card lies on the table. Seat 0 may: attack 6c
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    @property
    def code(self) -> str:
        """Return the stable code of the reason, such as `too_low`."""
        return self.refusal.code

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Refusal]]:
        return IllegalMove, (self.refusal,)
