"""Defines moves, their text form such as `beat 7c 9c`, and the error for illegal moves.

The error has a stable reason code and facts; a translator makes a sentence from them in any language.
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
"""The number of cards of one rank in two decks, which is the maximum for one opening attack."""
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
"""The codes of all reasons why a move can be illegal; later versions keep these codes."""


class MoveForm(NamedTuple):
    """How to write the moves that have a given verb: the number of cards, and their order."""

    example: str
    """An example of a move with this verb, for error messages."""
    card_counts: range
    """How many cards a move with this verb may have."""
    names_faces: bool = False
    """True if the move names its cards only by what is printed on them, and not by a suit that the player chose."""
    has_free_order: bool = False
    """True if the order of the move's cards has no meaning; the move's text then sorts the cards."""


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
"""How to write the moves with each verb; lists of legal moves follow the order of these verbs."""
VERBS: Final = tuple(MOVE_FORMS)
KIND_OF_VERB: Final = {verb: kind for kind, verb in enumerate(VERBS)}
"""The index of each verb in the tuple `VERBS`, which is also the `kind` of the moves with this verb."""
ATTACK_SEVERAL: Final = len(VERBS)
"""The value of `Move.kind` for an attack with more than one card."""


class Move:
    """A move, such as `Move("beat 7c 9c")`.

    Equal moves are the same object, so `is` compares them as well as `==` does.

    >>> move = Move("beat 7c 10c")
    >>> move, move.verb, move.cards
    (Move('beat 7c Tc'), 'beat', (Card('7c'), Card('Tc')))
    """

    __slots__ = ("_text", "bit", "cards", "code", "kind", "target", "verb")

    _text: str
    verb: Verb
    """The first word of the move's text, such as `attack`."""
    cards: tuple[Card, ...]
    """The cards of the move, in the order in which the move's text has them."""
    kind: int
    """The index of the move's verb in `VERBS`; `ATTACK_SEVERAL` for an attack with several cards."""
    code: int
    """The code of the move's last card, which leaves the hand; -1 if the move has no card."""
    bit: int
    """The bit of the move's last card in a bit mask of cards; 0 if the move has no card."""
    target: int
    """The face code of the move's first card, with the suit in which it is played; -1 if the move has no card."""

    def __new__(cls, text: str | Move) -> Move:  # noqa: D102 - the class says it
        if isinstance(text, Move):
            return text
        known_move = _BY_TEXT.get(text) if isinstance(text, str) else None
        return known_move or _parse_move(text)

    def __init__(self, text: str | Move) -> None:
        """Do nothing, because `__new__` returns an object that is already initialized."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed, because all games share it")

    @staticmethod
    def from_cards(verb: Verb, *cards: Card) -> Move:
        """Return the move with the given verb and cards.

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
    """Parse a move; ignore letter case, and ignore card order where it has no meaning."""
    if not isinstance(text, str):
        raise _build_unreadable_error(text, "a move must be a text such as 'attack 7c'")
    if len(text) > _MAX_TEXT_LENGTH:
        raise _build_unreadable_error(text, "a move must be a verb and a few cards, such as 'attack 7c'")
    words = text.split()
    verb = words[0].lower() if words else ""
    if verb not in VERBS:
        near = suggest_nearest(verb, VERBS).rstrip("?").replace(" Did", "; did")
        raise _build_unreadable_error(text, f"a move must begin with one of {', '.join(VERBS)}{near}")
    try:
        cards = [Card(word) for word in words[1:]]
    except CardError as error:
        raise _build_unreadable_error(text, str(error)) from None
    return _get_move(verb, cards)


def _get_move(verb: Verb, cards: list[Card]) -> Move:
    """Return the one shared object for a move; sort its cards if their order has no meaning."""
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
    return _BY_TEXT.setdefault(str(move), move)  # `setdefault` is atomic, so two threads get the same object for equal moves


def _create_move(verb: Verb, kind: int, cards: tuple[Card, ...]) -> Move:
    """Create a new move object; the caller has checked the verb and the cards."""
    facts = {"_text": " ".join([verb, *map(str, cards)]), "verb": verb, "cards": cards, "kind": kind, "code": -1, "bit": 0, "target": -1}
    if cards:
        facts |= {"code": cards[-1].code, "bit": 1 << cards[-1].face_code, "target": cards[0].effective_face}
    move = object.__new__(Move)
    for name, fact in facts.items():
        object.__setattr__(move, name, fact)
    return move


@lru_cache(maxsize=1000)
def _create_mixed_attack(verb: Verb, cards: tuple[Card, ...]) -> Move:
    """Return an attack with cards of different ranks, which is always illegal.

    The cache is limited, because there are too many attacks of this kind to keep all of them.
    """
    return _create_move(verb, ATTACK_SEVERAL, cards)


PASS_MOVE: Final = Move.from_cards("pass")
TAKE_MOVE: Final = Move.from_cards("take")


@dataclass(frozen=True)
class Refusal:
    """The reason why a move is illegal, as a code and facts for a translatable sentence.

    >>> from durak_widget import Game
    >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
    >>> print(refusal)
    Seat 0 doesn't have 8c. Seat 0's hand is 6c 7c. Seat 0 can play: attack 6c, attack 7c
    """

    key: str
    """The catalogue key of the sentence that explains the reason, such as `not_your_turn.taking`."""
    facts: Mapping[str, object] = field(default_factory=dict, hash=False)
    """The values that the translator puts into the sentence: cards, seats, numbers, and other sentences."""

    @property
    def code(self) -> str:
        """Return the code of the reason why the move is illegal, such as `too_low`."""
        return self.key.partition(".")[0]

    def to_text(self, voice: Translator) -> str:
        """Return the reason as a sentence, in the language of the given translator.

        If the translator writes cards as codes, a second sentence lists the legal moves.

        >>> from durak_widget import Game
        >>> refusal = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h").why_not("attack 8c")
        >>> refusal.to_text(Translator("en", own_seat=0))
        "You don't have the 8 of clubs."
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
    """The error for a move that the rules do not allow; the game stays unchanged.

    >>> from durak_widget import Game
    >>> try:
    ...     Game.from_position(hands=["6c", "7c"]).play("take")
    ... except IllegalMove as error:
    ...     print(error.code, "-", error)
    nothing_to_take - There is nothing to take: the table is empty. Seat 0 can play: attack 6c
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    @property
    def code(self) -> str:
        """Return the code of the reason why the move is illegal, such as `too_low`."""
        return self.refusal.code

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Refusal]]:
        return IllegalMove, (self.refusal,)
