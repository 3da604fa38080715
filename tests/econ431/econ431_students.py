"""Helpers of the problem set's tests: the students (two hundred before a release), and text 003's rules, written again."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from durak_widget.homework.assignment import get_assignment
from support.sizes import tried

RANKS = "9TJQKA"
DECK = frozenset(rank + suit for suit in "cdhs" for rank in RANKS)
HOMEWORK = get_assignment("econ431")
STUDENTS = [f"Student {number}" for number in range(tried(40, 200))]


def scaled(many: int) -> int:
    """Scale a number out of two hundred students to the students in use."""
    return many * len(STUDENTS) // 200


@cache
def tasks(question: str) -> tuple[Any, ...]:
    """Return each student's task, made once for a test file. Tests start it again if tries count."""
    return tuple(HOMEWORK.create_exercise(question, student) for student in STUDENTS)


def beats(card: str, target: str, trump: str) -> bool:
    """Return whether a card beats another: same suit and higher rank, or a trump on a plain card."""
    if card[1] == target[1]:
        return RANKS.index(card[0]) > RANKS.index(target[0])
    return card[1] == trump


class Ending(NamedTuple):
    """Two hands without talon, by text 003. A player without cards has won."""

    hands: tuple[frozenset[str], frozenset[str]]
    attacker: int
    trump: str
    beaten: frozenset[str] = frozenset()
    """The beaten cards and the cards that beat them."""
    waiting: str = ""
    """The attacking card that is not beaten yet."""
    pairs: int = 0

    @classmethod
    def of(cls, game: Any) -> Ending:
        """Return the ending of a game, with all hands known."""
        lying = [str(card) for pair in game.table for card in pair if card]
        waiting = str(game.table.unbeaten[0]) if game.table.unbeaten else ""
        first, two = (frozenset(map(str, hand)) for hand in game.hands)
        assert not game.talon
        assert len(lying) == bool(waiting)
        return cls((first, two), game.attacker, str(game.trump), frozenset(), waiting)

    @property
    def winner(self) -> int | None:
        """Return the player without cards."""
        return next((seat for seat in (0, 1) if not self.hands[seat]), None)

    @property
    def seat(self) -> int:
        """Return the player to move."""
        return 1 - self.attacker if self.waiting else self.attacker

    def moves(self) -> dict[str, Ending]:
        """Return the possible moves and their results."""
        if self.winner is not None:
            return {}
        if self.waiting:
            mine = self.hands[1 - self.attacker]
            found = {f"beat {self.waiting} {card}": self.beats(card) for card in mine if beats(card, self.waiting, self.trump)}
            return {**found, "take": self.takes()}
        if not self.beaten:
            return {f"attack {card}": self.attacks(card) for card in self.hands[self.attacker]}
        return {**{f"throw {card}": self.attacks(card) for card in self.thrown()}, "pass": self.ends()}

    def thrown(self) -> list[str]:
        """Return the cards that may be thrown in: the defender defends up to five cards in a round."""
        ranks = {card[0] for card in self.beaten}
        return [card for card in self.hands[self.attacker] if card[0] in ranks and self.pairs < 5]

    def without(self, seat: int, card: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return both hands after a card was played."""
        first, two = (hand - {card} if at == seat else hand for at, hand in enumerate(self.hands))
        return first, two

    def attacks(self, card: str) -> Ending:
        """Return the ending after an attack with a card."""
        return self._replace(hands=self.without(self.attacker, card), waiting=card)

    def beats(self, card: str) -> Ending:
        """Return the ending after a card was beaten."""
        ending = self._replace(
            hands=self.without(1 - self.attacker, card), beaten=self.beaten | {self.waiting, card}, waiting="", pairs=self.pairs + 1
        )
        return ending if ending.winner is not None or ending.thrown() else ending.ends()

    def takes(self) -> Ending:
        """Return the ending after the defender picked up all cards; the attacker stays."""
        taken = self.hands[1 - self.attacker] | self.beaten | {self.waiting}
        first, two = (taken if at != self.attacker else hand for at, hand in enumerate(self.hands))
        return Ending((first, two), self.attacker, self.trump)

    def ends(self) -> Ending:
        """Return the ending after all cards were discarded; the defender attacks."""
        return Ending(self.hands, 1 - self.attacker, self.trump)


@cache
def ending_value(ending: Ending) -> int:
    """Return the value to player 1 when both play well, by full search."""
    if ending.winner is not None:
        return -1 if ending.winner else 1
    ways = [ending_value(then) for then in ending.moves().values()]
    return min(ways) if ending.seat else max(ways)


def skip_forced(ending: Ending) -> Ending:
    """Return the next ending with a real decision, or the final one."""
    while len(moves := ending.moves()) == 1:
        [ending] = moves.values()
    return ending


def after_moves(ending: Ending, moves: tuple[str, ...]) -> Ending:
    """Return the ending after these moves; forced moves are made automatically."""
    for move in moves:
        ending = skip_forced(ending).moves()[move]
    return skip_forced(ending)


def lines(ending: Ending, way: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """Return every branch of the extensive form, by the moves that lead to its end."""
    found = set()
    for move, then in ending.moves().items():
        found |= {(*way, move)} | lines(then, (*way, move))
    return found
