"""From a history of a tree back to the table: the game that stands there, what a seat sees of it, and what it saw before.

A tree keeps numbers, and what it was made from. Its moments are played anew when somebody asks, those that are asked for in one go
through the branches that lead to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.cards import CardSet, card_of, plainly
from durak_widget.engine import position_notation
from durak_widget.engine.game import Game
from durak_widget.engine.history import DREW, Pairs, Story
from durak_widget.engine.observation import View, sight_of
from durak_widget.engine.state_transitions import legal_moves
from durak_widget.gametheory.tree import CHANCE, TreeError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from durak_widget.analysis.deal_enumeration import Deal
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Sight
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Tree

_Thing = TypeVar("_Thing")
LATER: Final = 2
"""The bout of a game that begins from a position: any but the first, which alone may have rules of its own."""


class Moment:
    """One moment of a game that a tree speaks of."""

    __slots__ = ("_firsts", "_origin", "_start", "state", "story")

    def __init__(self, origin: Origin, start: State) -> None:
        self._origin, self._start = origin, start
        self._firsts: dict[int, Sight] = {}
        self.state, self.story = start.copy(), Story(len(start.hands))

    def copy(self) -> Moment:
        """Another that stands here and goes its own way."""
        new = Moment.__new__(Moment)
        new._origin, new._start, new._firsts = self._origin, self._start, self._firsts
        new.state, new.story = self.state.copy(), self.story.copy()
        return new

    def play(self, move: Move) -> None:
        """Make a move."""
        self.story.play(self.state, move)

    def sight(self, seat: int, *, memory: bool = True) -> Sight:
        """What a seat knows: what it sees in a game, and the other hands where this tree shows them. Without `memory`, what it sees who comes to the table now."""
        if not memory:
            return self._without_past(seat)
        first = None
        if self.story.moves:
            first = self._firsts.get(seat)
            if first is None:
                first = self._firsts[seat] = self._seen(self._start, seat, Story(len(self._start.hands)), None)
        return self._seen(self.state, seat, self.story, first)

    def _seen(self, state: State, seat: int, story: Story, first: Sight | None) -> Sight:
        sight = sight_of(state, seat, story, first)
        return sight._replace(known=tuple(map(plainly, state.hands))) if self._origin.sees(seat) else sight

    def _without_past(self, seat: int) -> Sight:
        """As in a game that begins here: no moves, bouts or draws before, no word of which cards wandered, and of its bout only whether it is the first."""
        sight = sight_of(self.state, seat, Story(len(self.state.hands)), None, memory=False)
        return sight._replace(ply=0, bout=min(sight.bout, LATER), ends=(), drew=(), past=())

    def told(self, seat: int) -> str:
        """What a seat has seen since the beginning, in words."""
        start, origin = self._start, self._origin
        both = tuple(range(len(start.hands))) if origin.sees(seat) else (seat,)
        said = [f"seat {one} began with {CardSet.of(start.hands[one]) or 'nothing'}" for one in both]
        said += [f"seat {one} showed {CardSet.of(seen)}" for one, seen in enumerate(start.seen) if seen & start.hands[one]]
        said += [f"{card_of(start.turn_up)} lay open"] if start.turn_up else []
        said += [f"table {Pairs.of(start.attacks, start.beats)}"] if start.attacks else []
        came: dict[int, list[str]] = {}
        for ply, who, mask in (*((end[0], who, mask) for end in self.state.ends for who, _, mask in end[DREW]), *self.state.brought):
            if who in both and mask:
                came.setdefault(ply, []).append(f"seat {who} draws {CardSet.of(mask)}")
        for end in self.state.ends:
            if end[DREW + 1]:
                came.setdefault(end[0], []).append(f"{' '.join(end[DREW + 1])} lies open")
        for ply, (who, move) in enumerate(zip(self.story.actors, self.sight(seat).moves, strict=True), 1):
            said += [f"seat {who}: {move or 'swap'}", *came.get(ply, ())]
        return "; ".join(said)

    def game(self) -> Game:
        """The game that stands here, begun where the tree begins."""
        game = Game.at(position_notation.line_of(self._start))
        for move in self.story.moves:
            game.play(move)
        return game


def moments(tree: Tree, wanted: Collection[int]) -> Iterator[tuple[int, Moment]]:
    """The moments of these histories, with the forced moves made, in the order in which they lie in the tree; not to be changed.

    Where the talon is hidden from all and has not been drawn, it is one of those that it may be.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> [(history, moment.state.ply) for history, moment in moments(tree, [1, 26])]
    [(1, 5), (26, 6)]
    """
    origin = tree.origin
    if not isinstance(origin, Origin):
        raise TreeError(
            "this tree was not made of a game of durak, so that nobody can go back to its moments; "
            "analysis.build and analysis.build_from make trees of which one can"
        )
    needed = _led_to(tree, wanted)
    waiting: list[tuple[int, list[Moment], Move | None]] = []
    if needed:
        deals: Sequence[Deal] = origin.deals(tree.histories)
        if tree.actor[0] == CHANCE and not origin.open_hands:
            deals = _ordered(deals, [deal.name for deal in deals], tree.chances[tree.info[0]].moves)
        waiting.append((0, [Moment(origin, deal.state) for deal in deals], None))
    while waiting:
        here, worlds, move = waiting.pop()
        parts = _settled(worlds, move, alike=origin.open_hands)
        if here in wanted:
            yield here, parts[0][0]
        following: list[tuple[int, list[Moment], Move | None]] = []
        if tree.actor[here] == CHANCE:
            following = [(child, part, None) for child, part in zip(tree.children(here), parts, strict=True) if child in needed]
        else:
            known = legal_moves(worlds[0].state)
            legal = _ordered(known, list(map(str, known)), tree.sets[tree.info[here]].moves)
            following = [(child, worlds, move) for child, move in zip(tree.children(here), legal, strict=True) if child in needed]
            following[:-1] = [(child, [one.copy() for one in worlds], move) for child, _, move in following[:-1]]
        waiting += reversed(following)


def _ordered(things: Sequence[_Thing], names: Sequence[str], wanted: Sequence[str]) -> Sequence[_Thing]:
    """Put things in the order in which a tree has their names: its moves may have been shuffled. Things of other names stay as they are."""
    known = dict(zip(names, things, strict=True))
    return [known[name] for name in wanted] if known.keys() == set(wanted) and len(known) == len(wanted) else things


def _led_to(tree: Tree, wanted: Collection[int]) -> set[int]:
    """These histories and all that lead to them."""
    found: set[int] = set()
    for history in wanted:
        here = history
        while here >= 0 and here not in found:
            found.add(here)
            here = tree.parent[here]
    return found


def _settled(worlds: list[Moment], move: Move | None, *, alike: bool) -> list[list[Moment]]:
    """Make a move and those that are then forced, up to where chance tells these worlds apart; the parts, one where it does not.

    Worlds that look alike to everybody are one part, or (where hands are hidden, so that chance does all at the root) each is one.
    """
    while True:
        if move is not None:
            for one in worlds:
                one.play(move)
        if len(worlds) > 1:
            parts: dict[object, list[Moment]] = {}
            for number, one in enumerate(worlds):
                parts.setdefault(tuple(map(one.sight, range(len(one.state.hands)))) if alike else number, []).append(one)
            if len(parts) > 1:
                return list(parts.values())
        legal = legal_moves(worlds[0].state)
        if len(legal) != 1:
            return [worlds]
        move = legal[0]


def firsts(tree: Tree) -> list[int]:
    """Of each information set the first of its histories.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> firsts(tree)[:4]
    [1, 2, 28, 3]
    """
    found = [-1] * len(tree.sets)
    for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if who >= 0 and found[place] < 0:
            found[place] = here
    return found


def game_of(tree: Tree, history: int) -> Game:
    """The game that stands at a history, with the forced moves made: to look at, to put on a table, to play on.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> tree.sets[tree.info[1]].label, game_of(tree, 1)
    ('seat 1 holds 6c 7c 6d, table 7d', <Game 'ranks=67, suits=cd, hand_size=1, trump=c, first_attacker=left_of_dealer': bout 3, ply 5, seat 1 to act>)
    """
    if not 0 <= history < tree.histories:
        raise TreeError(f"there is no history {history}; they are numbered from 0 to {tree.histories - 1}")
    if tree.actor[history] == CHANCE:
        raise TreeError(f"at history {history} chance is to act, and the cards are not yet drawn; take one of tree.children({history})")
    return next(moment for _, moment in moments(tree, [history])).game()


def view_of(tree: Tree, place: int) -> View:
    """What a seat sees at an information set, as a bot is shown it: the view of each of its histories.

    Where the tree shows it the other's hand too (`open_hands=True`, `seeing=`), `memory.known` holds both.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> view_of(tree, 0), view_of(tree, 0).memory.unseen
    (<View of seat 1: ply 5, hand 6c 7c 6d, table 7d, defends>, CardSet(''))
    """
    return View(_at(tree, place).sight(tree.sets[place].seat))


def told(tree: Tree, place: int) -> str:
    """What a seat has seen by the time that it is to act at an information set, in words: what tells those of one label apart.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> told(tree, 0)
    'seat 1 began with 6d; seat 0: attack 6c; seat 1: take; seat 0: attack 7c; seat 1: take; seat 0: attack 7d'
    """
    return _at(tree, place).told(tree.sets[place].seat)


def _at(tree: Tree, place: int) -> Moment:
    """The moment of the first history of an information set."""
    if not 0 <= place < len(tree.sets):
        raise TreeError(f"there is no information set {place}; they are numbered from 0 to {len(tree.sets) - 1}")
    history = next(here for here, (who, info) in enumerate(zip(tree.actor, tree.info, strict=True)) if who >= 0 and info == place)
    return next(moment for _, moment in moments(tree, [history]))
