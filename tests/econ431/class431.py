"""What the tests of the problem set share: the students, two hundred before a release, and the rules of text 003 once more, written for these tests alone."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from durak_widget.homework.assignment import get_assignment
from support.sizes import tried

RANKS = "9TJQKA"
DECK = frozenset(rank + suit for suit in "cdhs" for rank in RANKS)
HOMEWORK = get_assignment("econ431")
STUDENTS = [f"Student {number}" for number in range(tried(40, 200))]


def of_all(many: int) -> int:
    """What so many of two hundred are of those who are there."""
    return many * len(STUDENTS) // 200


@cache
def tasks(question: str) -> tuple[Any, ...]:
    """What each student is asked there: made once for all tests of a file, which begin anew where tries count."""
    return tuple(HOMEWORK.create_exercise(question, student) for student in STUDENTS)


def beats(card: str, target: str, trump: str) -> bool:
    """A card in the same suit with a higher rank, or any card in the trump suit."""
    if card[1] == target[1]:
        return RANKS.index(card[0]) > RANKS.index(target[0])
    return card[1] == trump


class Ending(NamedTuple):
    """Two hands and no talon, as the text has it: a winner is who has no cards left."""

    hands: tuple[frozenset[str], frozenset[str]]
    attacker: int
    trump: str
    beaten: frozenset[str] = frozenset()
    """The cards of the pairs on the table."""
    waiting: str = ""
    """The attacking card that is not beaten."""
    pairs: int = 0

    @classmethod
    def of(cls, game: Any) -> Ending:
        """That of a game, which says who holds what."""
        lying = [str(card) for pair in game.table for card in pair if card]
        waiting = str(game.table.unbeaten[0]) if game.table.unbeaten else ""
        one, two = (frozenset(map(str, hand)) for hand in game.hands)
        assert not game.talon
        assert len(lying) == bool(waiting)
        return cls((one, two), game.attacker, str(game.trump), frozenset(), waiting)

    @property
    def winner(self) -> int | None:
        """Who has run out of cards."""
        return next((seat for seat in (0, 1) if not self.hands[seat]), None)

    @property
    def seat(self) -> int:
        """Who is to act."""
        return 1 - self.attacker if self.waiting else self.attacker

    def moves(self) -> dict[str, Ending]:
        """What may be done, and what comes of it."""
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
        """With which cards the attack may go on: the defender defends up to five cards in any round."""
        ranks = {card[0] for card in self.beaten}
        return [card for card in self.hands[self.attacker] if card[0] in ranks and self.pairs < 5]

    def without(self, seat: int, card: str) -> tuple[frozenset[str], frozenset[str]]:
        """Both hands once that card is played."""
        one, two = (hand - {card} if at == seat else hand for at, hand in enumerate(self.hands))
        return one, two

    def attacks(self, card: str) -> Ending:
        """A card is to be beaten."""
        return self._replace(hands=self.without(self.attacker, card), waiting=card)

    def beats(self, card: str) -> Ending:
        """It is beaten; who cannot go on is not asked."""
        after = self._replace(
            hands=self.without(1 - self.attacker, card), beaten=self.beaten | {self.waiting, card}, waiting="", pairs=self.pairs + 1
        )
        return after if after.winner is not None or after.thrown() else after.ends()

    def takes(self) -> Ending:
        """The defender picks up all that lies there; the attacker remains the attacker."""
        taken = self.hands[1 - self.attacker] | self.beaten | {self.waiting}
        one, two = (taken if at != self.attacker else hand for at, hand in enumerate(self.hands))
        return Ending((one, two), self.attacker, self.trump)

    def ends(self) -> Ending:
        """What lies there is discarded; the defender becomes the attacker."""
        return Ending(self.hands, 1 - self.attacker, self.trump)


@cache
def worth(ending: Ending) -> int:
    """What it is worth to player 1, when both play well: by going through everything that may follow."""
    if ending.winner is not None:
        return -1 if ending.winner else 1
    ways = [worth(after) for after in ending.moves().values()]
    return min(ways) if ending.seat else max(ways)


def forced(ending: Ending) -> Ending:
    """Where somebody next has something to decide, or it is over."""
    while len(moves := ending.moves()) == 1:
        [ending] = moves.values()
    return ending


def after(ending: Ending, moves: tuple[str, ...]) -> Ending:
    """Where these moves lead, if what is forced is done by itself."""
    for move in moves:
        ending = forced(ending).moves()[move]
    return forced(ending)


def lines(ending: Ending, way: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """Every branch of its extensive form, by the moves that lead to its end."""
    found = set()
    for move, then in ending.moves().items():
        found |= {(*way, move)} | lines(then, (*way, move))
    return found
