"""Defines moves, their text such as `beat 7c 9c`, and the error for illegal moves.

An illegal move has a stable reason code and facts, from which a sentence is made in any language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.cards import Card
from durak_widget.errors import CardError, DurakError, short_repr, suggest_nearest
from durak_widget.i18n import TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_CARDS: Final = 8
"""The maximum number of cards of one rank in two decks."""
_MAX_TEXT_LENGTH: Final = 200
_BY_TEXT: dict[str, Move] = {}
REFUSAL_CODES: Final = (
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
"""The stable codes of the reasons why a move can be illegal."""


class MoveForm(NamedTuple):
    """The rules for writing the moves with one verb."""

    example: str
    """One or two examples of a move, with a short explanation."""
    card_counts: range
    """The numbers of cards that the move may have."""
    names_faces: bool = False
    """True if the move names its cards by their faces, not by the suits in which they could be played."""
    has_free_order: bool = False
    """True if the order of the move's cards has no meaning, so that they are written in card order."""


Verb = Literal["attack", "throw", "pass", "beat", "transfer", "show", "take", "swap"]
MOVE_FORMS: Final[Mapping[Verb, MoveForm]] = {
    "attack": MoveForm("'attack 7c' (or several cards of one rank)", range(1, _MAX_CARDS + 1), has_free_order=True),
    "throw": MoveForm("'throw 7c'", range(1, 2)),
    "pass": MoveForm("'pass'", range(1)),
    "beat": MoveForm("'beat 7c 9c' (the card on the table, then yours)", range(2, 3)),
    "transfer": MoveForm("'transfer 7c'", range(1, 2)),
    "show": MoveForm("'show 7c'", range(1, 2), names_faces=True),
    "take": MoveForm("'take'", range(1)),
    "swap": MoveForm("'swap 7c 9d'", range(2, 3), names_faces=True, has_free_order=True),
}
"""The form of the moves with each verb, in the order of the rule book."""
VERBS: Final = tuple(MOVE_FORMS)
KIND_OF_VERB: Final = {verb: kind for kind, verb in enumerate(VERBS)}
"""The index of each verb in `VERBS`."""
ATTACK_SEVERAL: Final = len(VERBS)
"""The value of `kind` for an attack with more than one card."""


class Move:
    """A move, such as `Move("beat 7c 9c")`; equal moves are one object, so `is` means `==`.

    >>> move = Move("beat 7c 10c")
    >>> move, move.verb, move.cards
    (Move('beat 7c Tc'), 'beat', (Card('7c'), Card('Tc')))
    """

    __slots__ = ("_text", "bit", "cards", "code", "kind", "target", "verb")

    _text: str
    verb: Verb
    """The verb of the move, such as `attack`."""
    cards: tuple[Card, ...]
    """The cards of the move, in the order of its text."""
    kind: int
    """The index of the verb in `VERBS`, or `ATTACK_SEVERAL`."""
    code: int
    """The played code of the move's last card, which leaves the hand; -1 without a card."""
    bit: int
    """The bit (in a mask) of the last card of the move."""
    target: int
    """The code of the face that the move's first card counts as."""

    def __new__(cls, text: str | Move) -> Move:  # noqa: D102 - the class says it
        if isinstance(text, Move):
            return text
        found = _BY_TEXT.get(text) if isinstance(text, str) else None
        return found or _parse_move(text)

    def __init__(self, text: str | Move) -> None:
        """Do nothing: `__new__` returns the only object of each move."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; every game shares it")

    @staticmethod
    def from_cards(verb: Verb, *cards: Card) -> Move:
        """Return the move with a verb and cards.

        >>> Move.from_cards("throw", Card("6d=h"))
        Move('throw 6d=h')
        """
        return _BY_TEXT.get(" ".join([verb, *map(str, cards)])) or _get_move(verb, list(cards))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Move({self._text!r})"

    def __reduce__(self) -> tuple[type[Move], tuple[str]]:
        return Move, (self._text,)


def _build_unreadable_error(text: object, hint: str) -> IllegalMove:
    return IllegalMove(Refusal("unreadable", {"text": short_repr(text), "hint": hint}))


def _parse_move(text: object) -> Move:
    """Parse a move leniently: any case, and cards in any order where order has no meaning."""
    if not isinstance(text, str):
        raise _build_unreadable_error(text, "a move is a text such as 'attack 7c'")
    if len(text) > _MAX_TEXT_LENGTH:
        raise _build_unreadable_error(text, "a move is a verb and a few cards, such as 'attack 7c'")
    words = text.split()
    verb = words[0].lower() if words else ""
    if verb not in VERBS:
        near = suggest_nearest(verb, VERBS).rstrip("?").replace(" Did", "; did")
        raise _build_unreadable_error(text, f"a move begins with one of {', '.join(VERBS)}{near}")
    try:
        cards = [Card(word) for word in words[1:]]
    except CardError as error:
        raise _build_unreadable_error(text, str(error)) from None
    return _get_move(verb, cards)


def _get_move(verb: Verb, cards: list[Card]) -> Move:
    """Return the only move object of a verb and its cards, with the cards in standard order."""
    form = MOVE_FORMS[verb]
    if len(cards) not in form.card_counts:
        raise _build_unreadable_error(" ".join([verb, *map(str, cards)]), f"write {form.example}")
    if form.has_free_order:
        cards.sort(key=lambda card: (card.face_code, card.suit or ""))
    if form.names_faces:
        cards = [card.face for card in cards]
    if verb == "beat":
        cards[0] = Card.from_code(cards[0].effective_face)
    kind = ATTACK_SEVERAL if verb == "attack" and len(cards) > 1 else KIND_OF_VERB[verb]
    if kind == ATTACK_SEVERAL and len({card.rank for card in cards}) > 1:
        return _create_mixed_attack(verb, tuple(cards))
    move = _create_move(verb, kind, tuple(cards))
    return _BY_TEXT.setdefault(str(move), move)  # `setdefault` is atomic: two threads get the same object


def _create_move(verb: Verb, kind: int, cards: tuple[Card, ...]) -> Move:
    facts = {"_text": " ".join([verb, *map(str, cards)]), "verb": verb, "cards": cards, "kind": kind, "code": -1, "bit": 0, "target": -1}
    if cards:
        facts |= {"code": cards[-1].code, "bit": 1 << cards[-1].face_code, "target": cards[0].effective_face}
    move = object.__new__(Move)
    for name, fact in facts.items():
        object.__setattr__(move, name, fact)
    return move


@lru_cache(maxsize=1000)
def _create_mixed_attack(verb: Verb, cards: tuple[Card, ...]) -> Move:
    """Return an attack with cards of several ranks.

    There are too many of these to keep all of them.
    """
    return _create_move(verb, ATTACK_SEVERAL, cards)


PASS_MOVE: Final = Move.from_cards("pass")
TAKE_MOVE: Final = Move.from_cards("take")


@dataclass(frozen=True)
class Refusal:
    """The reason why a move is illegal.

    >>> from durak_widget import Game
    >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
    >>> print(refusal)
    8c is not in the hand of seat 0, which holds 6c 7c. Seat 0 may: attack 6c, attack 7c
    """

    key: str
    """The key of the reason's sentence: the code, or the code with a case, such as `not_your_turn.taking`."""
    facts: Mapping[str, object] = field(default_factory=dict, hash=False)
    """The values for the gaps in the sentence: cards, seats, numbers, and other sentences."""

    @property
    def code(self) -> str:
        """Return the stable code of the reason, such as `too_low`."""
        return self.key.partition(".")[0]

    def to_text(self, voice: Translator) -> str:
        """Return the reason as a sentence in the language of a translator.

        If the voice writes cards as codes, the legal moves of the seat to act follow.

        >>> from durak_widget import Game
        >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
        >>> refusal.to_text(Translator("en", own_seat=0))
        'The 8 of clubs is not in your hand.'
        """
        sentence = voice.translate(f"refusal.{self.key}", **self.facts)
        may = self.facts.get("may")
        return (
            f"{sentence} {voice.translate(may.key, **may.facts)}"
            if isinstance(may, TranslatableText) and voice.cards == "codes"
            else sentence
        )

    def __str__(self) -> str:
        return self.to_text(Translator(cards="codes"))


class IllegalMove(DurakError, ValueError):  # noqa: N818 - the public name, like python-chess's IllegalMoveError without its tail
    """An error about a move that the rules do not allow; the game has not changed.

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
