"""Every move that can come up under some rules, each with a number: what tools that think in numbers call actions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card, bits_of, folded
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import COUNTS, kit_of
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE, VERBS, Move
from durak_widget.rules import attack, deal_and_trump, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.rules.ruleset import Rules

LONGEST: Final = 100
"""A game of so many decisions a card of its deck is ended as a draw, where a tool must know how long a game can be; none that anybody plays comes near."""


class Actions:
    """The moves that can come up under some rules, in the order of the rule book, and the number of each.

    >>> from durak_widget import Move, Rules
    >>> some = actions_of(Rules(suits="c", ranks="67", hand_size=1, trump="none"))
    >>> [str(move) for move in some.moves]
    ['attack 6c', 'attack 7c', 'throw 6c', 'throw 7c', 'pass', 'beat 6c 7c', 'take']
    >>> some.numbers((Move("take"), Move("beat 6c 7c")))
    [5, 6]
    """

    __slots__ = ("faces", "moves", "number")

    def __init__(self, rules: Rules) -> None:
        kit = kit_of(rules)
        self.faces = tuple(sorted({COUNTS[code] for face in bits_of(folded(kit.all_cards)) for code in kit.plays[face]}))
        """The faces that a card of this deck can count as."""
        order = {verb: place for place, verb in enumerate(VERBS)}
        found = sorted(dict.fromkeys(_all(kit, self.faces)), key=lambda move: (order[move.verb], len(move.cards)))
        self.moves: tuple[Move, ...] = tuple(found)
        self.number = {move: place for place, move in enumerate(self.moves)}

    def __len__(self) -> int:
        return len(self.moves)

    def numbers(self, moves: Iterable[Move]) -> list[int]:
        """The numbers of these moves, the lowest first."""
        number = self.number
        return sorted([number[move] for move in moves])


@lru_cache(maxsize=128)
def actions_of(rules: Rules) -> Actions:
    """The moves that can come up under these rules: worked out once."""
    return Actions(rules)


def _all(kit: Kit, faces: tuple[int, ...]) -> Iterator[Move]:
    """They, verb by verb."""
    deck = kit.all_cards
    yield from kit.openings(deck)
    if kit.several:
        yield from (Move.of("attack", *map(Card.of, codes)) for codes in attack.groups(deck, max(kit.most), kit.plays))
    yield from kit.throws[deck]
    yield PASS_MOVE
    for suit in _suits(kit):
        answers = kit.beating(suit)[1]
        for face in faces:
            low, lower, high, upper = answers[face]
            yield from (*lower[deck & low], *upper[deck & high])
    if kit.transfers:
        yield from kit.transfer_moves[deck]
    if kit.shows:
        yield from (Move.of("show", Card.of(face)) for face in bits_of(folded(deck)))
    yield TAKE_MOVE
    if kit.swaps:
        yield from state_transitions.swaps(deck)


def _suits(kit: Kit) -> list[int | None]:
    """The suits that can be trump; None where there may be none."""
    fixed = deal_and_trump.fixed_suit(kit.rules)
    if fixed is not None:
        return [fixed]
    return [None, *sorted(deck_and_beating.trump_suits(kit.rules))] if deal_and_trump.turns_up(kit.rules) else [None]
