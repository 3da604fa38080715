"""A model of how somebody plays: what was chosen in alike moments, counted; and a bot that chooses as often so."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.heuristic_bots import TRUMP, beating_all, prices
from durak_widget.class_games.decision_table import cost, place_of, role
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

    Tallies = dict[str, Counter[str]]

PRIOR: Final = 2
"""What was met in less alike moments counts for so many that were more so."""
_WHOLE: Final = 100
"""Chances are whole per cents: `rng.randrange(100)` decides, so that whoever asks how likely each move is can go through all of it."""
_FEW: Final = 2
_SOME: Final = 5


class Likely(NamedTuple):
    """How often one chose so: `many` times of `all` in moments that were `alike`."""

    many: int
    all: int
    alike: bool
    """Whether these moments were as like as the model can tell; else only somewhat."""


def kind(move: Move, legal: Sequence[Move], view: View) -> str:
    """What kind of move it is, by what its player sees: which verb, how dear among what would do the same, whether a trump, whether several cards at once.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> [kind(move, view.legal_moves(), view) for move in view.legal_moves()]
    ['attack cheapest', 'attack middle', 'attack dearest trump']
    """
    price = prices(view)
    place = place_of(move, legal, price)
    if place is None:
        return move.verb
    own = move.cards[1:] if move.verb == "beat" else move.cards
    return " ".join([move.verb, place, *(["trump"] if cost(move, price) >= TRUMP else []), *(["several"] if len(own) > 1 else [])])


def moments_in(view: View, kinds: Iterable[str]) -> tuple[str, str, str]:
    """What a moment is like, in three sizes: as finely as is told apart, then more and more roughly.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> moments_in(view, ["attack middle", "attack cheapest"])[1:]
    ('leads, ending: attack cheapest, attack middle', 'leads: attack cheapest, attack middle')
    """
    legal = view.legal_moves()
    asked, offered = role(legal), ", ".join(sorted(set(kinds)))
    phase = "talon" if view.talon_count else "ending"
    count = view.counts[view.seat]
    size = "few" if count <= _FEW else "some" if count <= _SOME else "many"
    able = "" if asked != "defends" else ", all" if beating_all(view, legal, prices(view)) else ", not all"
    return f"{asked}, {phase}, {size}{able}: {offered}", f"{asked}, {phase}: {offered}", f"{asked}: {offered}"


class Likeness:
    """What was chosen in alike moments, and a way to choose so. It is shown a `View`, and looks at nothing else.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> likeness = Likeness()
    >>> for _ in range(9):
    ...     likeness.learn(view, view.legal_moves()[0])
    >>> likeness.chances(view), likeness.likely(view, "attack 6c")
    ([100, 0, 0], Likely(many=9, all=9, alike=True))
    """

    name = "class"

    def __init__(self) -> None:
        """Nothing has been met yet."""
        self.chosen: Tallies = defaultdict(Counter)
        """For each moment, in each size, how often each kind of move was chosen."""
        self.offered: Counter[str] = Counter()
        """In how many decisions a kind of move was there to be chosen."""
        self.decisions = 0
        """How many decisions are counted."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Likeness):
            return NotImplemented
        return (self.chosen, self.offered, self.decisions) == (other.chosen, other.offered, other.decisions)

    __hash__ = None  # type: ignore[assignment] # it goes on learning

    def learn(self, view: View, move: Move) -> None:
        """Count a decision; one that was none, because there was one move only, is not counted."""
        legal = view.legal_moves()
        if len(legal) < 2:
            return
        kinds = [kind(one, legal, view) for one in legal]
        own = kinds[legal.index(move)]
        for moment in moments_in(view, kinds):
            self.chosen[moment][own] += 1
        self.chosen[""][own] += 1
        self.offered.update(set(kinds))
        self.decisions += 1

    def _weights(self, view: View) -> tuple[list[str], Mapping[str, Fraction]]:
        """The kind of each legal move, and how likely each kind is: what was chosen in such moments, and with little weight what was chosen in rougher ones."""
        legal = view.legal_moves()
        kinds = [kind(one, legal, view) for one in legal]
        often = self.chosen.get("", Counter())
        rates = {one: Fraction(2 * often[one] + 1, 2 * self.offered[one] + 2) for one in set(kinds)}
        chance = {one: rate / sum(rates.values()) for one, rate in rates.items()}
        for moment in reversed(moments_in(view, kinds)):
            met = self.chosen.get(moment, Counter())
            among = sum(met[one] for one in chance)
            chance = {one: (met[one] + PRIOR * before) / (among + PRIOR) for one, before in chance.items()}
        return kinds, chance

    def chances(self, view: View) -> list[int]:
        """How likely each legal move is, in whole per cents; moves of one kind are alike."""
        kinds, chance = self._weights(view)
        exact = [chance[one] * _WHOLE / kinds.count(one) for one in kinds]
        whole = [int(one) for one in exact]
        by_rest = sorted(range(len(exact)), key=lambda place: whole[place] - exact[place])
        for place in by_rest[: _WHOLE - sum(whole)]:
            whole[place] += 1
        return whole

    def choose(self, view: View, rng: Random) -> Move:
        """A move, drawn as often as it was chosen in alike moments."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        drawn = rng.randrange(_WHOLE)
        for move, chance in zip(legal, self.chances(view), strict=True):
            drawn -= chance
            if drawn < 0:
                return move
        return legal[-1]

    def likely(self, view: View, move: Move | str) -> Likely:
        """How often one chose such a move, in the most alike moments that were met; of none, 0 of 0."""
        legal = view.legal_moves()
        kinds = [kind(one, legal, view) for one in legal]
        own = next((one for one, legal_move in zip(kinds, legal, strict=True) if move in (legal_move, str(legal_move))), None)
        for size, moment in enumerate(moments_in(view, kinds)):
            met = self.chosen.get(moment, Counter())
            among = sum(met[one] for one in set(kinds))
            if own is not None and among:
                return Likely(met[own], among, size == 0)
        return Likely(0, 0, alike=False)

    def why(self, view: View, move: Move | str) -> Fact:
        """Why it chose so, in words.

        >>> from durak_widget.i18n import Voice
        >>> from durak_widget import Game
        >>> said = Likeness().why(Game(seed=7).view(0), "attack 6s")
        >>> Voice("en").say(said.key, **said.facts)
        'Nobody has met a moment like this one: it is a guess.'
        """
        found = self.likely(view, move)
        key = "chose" if found.alike else "rather" if found.all else "new"
        return Fact(f"class.play.{key}", {"count": found.many, "all": found.all})
