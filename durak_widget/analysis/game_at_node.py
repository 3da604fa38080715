"""Goes from a tree's node back to cards: the game, a player's view, their observations.

A tree stores only numbers and its origin. The game is replayed when a node is asked for. Nodes that are asked
for together are reached in one walk along the branches that lead to them.
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
"""Bout number in a game that starts at a position: any number but 1, as the first bout may have special rules."""


class Moment:
    """State of the game at one node of a tree, with the history that led to it."""

    __slots__ = ("_firsts", "_origin", "_start", "state", "story")

    def __init__(self, origin: Origin, start: State) -> None:
        self._origin, self._start = origin, start
        self._firsts: dict[int, Sight] = {}
        self.state, self.story = start.copy(), Story(len(start.hands))

    def copy(self) -> Moment:
        """Return an independent copy."""
        new = Moment.__new__(Moment)
        new._origin, new._start, new._firsts = self._origin, self._start, self._firsts
        new.state, new.story = self.state.copy(), self.story.copy()
        return new

    def play(self, move: Move) -> None:
        """Play a move."""
        self.story.play(self.state, move)

    def sight(self, seat: int, *, memory: bool = True) -> Sight:
        """Return what a seat knows: its view, plus the other hands where the tree shows them.

        Without `memory`, it is what a player sees who joins the table only now.
        """
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
        """Return the sight of a seat as if the game started here.

        There are no earlier moves, bouts or draws, and no record of cards that changed hands. Of the bout it
        says only whether it is the first.
        """
        sight = sight_of(self.state, seat, Story(len(self.state.hands)), None, memory=False)
        return sight._replace(ply=0, bout=min(sight.bout, LATER), ends=(), drew=(), past=())

    def told(self, seat: int) -> str:
        """Return what a seat has observed since the start, as text."""
        start, origin = self._start, self._origin
        both = tuple(range(len(start.hands))) if origin.sees(seat) else (seat,)
        sentences = [f"seat {holder} began with {CardSet.of(start.hands[holder]) or 'nothing'}" for holder in both]
        sentences += [
            f"seat {holder} showed {CardSet.of(shown_cards)}"
            for holder, shown_cards in enumerate(start.seen)
            if shown_cards & start.hands[holder]
        ]
        sentences += [f"{card_of(start.turn_up)} lay open"] if start.turn_up else []
        sentences += [f"table {Pairs.of(start.attacks, start.beats)}"] if start.attacks else []
        draws: dict[int, list[str]] = {}
        for ply, actor, mask in (*((end[0], actor, mask) for end in self.state.ends for actor, _, mask in end[DREW]), *self.state.brought):
            if actor in both and mask:
                draws.setdefault(ply, []).append(f"seat {actor} draws {CardSet.of(mask)}")
        for end in self.state.ends:
            if end[DREW + 1]:
                draws.setdefault(end[0], []).append(f"{' '.join(end[DREW + 1])} lies open")
        for ply, (actor, move) in enumerate(zip(self.story.actors, self.sight(seat).moves, strict=True), 1):
            sentences += [f"seat {actor}: {move or 'swap'}", *draws.get(ply, ())]
        return "; ".join(sentences)

    def game(self) -> Game:
        """Return the game up to this node, starting where the tree starts."""
        game = Game.at(position_notation.line_of(self._start))
        for move in self.story.moves:
            game.play(move)
        return game


def moments(tree: Tree, wanted: Collection[int]) -> Iterator[tuple[int, Moment]]:
    """Yield these histories with their states after forced moves, in the order of the tree.

    The states must not be changed. Where no player knows the order of the talon and no card is drawn yet, it
    is one possible order.

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
        history, worlds, move = waiting.pop()
        parts = _settled(worlds, move, alike=origin.open_hands)
        if history in wanted:
            yield history, parts[0][0]
        following: list[tuple[int, list[Moment], Move | None]] = []
        if tree.actor[history] == CHANCE:
            following = [(child, part, None) for child, part in zip(tree.children(history), parts, strict=True) if child in needed]
        else:
            legal_here = legal_moves(worlds[0].state)
            legal = _ordered(legal_here, list(map(str, legal_here)), tree.sets[tree.info[history]].moves)
            following = [(child, worlds, move) for child, move in zip(tree.children(history), legal, strict=True) if child in needed]
            following[:-1] = [(child, [world.copy() for world in worlds], move) for child, _, move in following[:-1]]
        waiting += reversed(following)


def _ordered(things: Sequence[_Thing], names: Sequence[str], wanted: Sequence[str]) -> Sequence[_Thing]:
    """Put items in the order of their names in the tree, whose actions may have been shuffled.

    Return the items unchanged if their names are not exactly the wanted ones.
    """
    by_name = dict(zip(names, things, strict=True))
    return [by_name[name] for name in wanted] if by_name.keys() == set(wanted) and len(by_name) == len(wanted) else things


def _led_to(tree: Tree, wanted: Collection[int]) -> set[int]:
    """Return these histories and all their ancestors."""
    on_paths: set[int] = set()
    for history in wanted:
        ancestor = history
        while ancestor >= 0 and ancestor not in on_paths:
            on_paths.add(ancestor)
            ancestor = tree.parent[ancestor]
    return on_paths


def _settled(worlds: list[Moment], move: Move | None, *, alike: bool) -> list[list[Moment]]:
    """Play a move and the forced moves after it, and split the worlds at the next chance move.

    With open hands, worlds stay together if all players observe the same. With hidden hands chance acts only
    at the root, so each world is a part of its own. There is one part if chance does not act.
    """
    while True:
        if move is not None:
            for world in worlds:
                world.play(move)
        if len(worlds) > 1:
            parts: dict[object, list[Moment]] = {}
            for number, world in enumerate(worlds):
                parts.setdefault(tuple(map(world.sight, range(len(world.state.hands)))) if alike else number, []).append(world)
            if len(parts) > 1:
                return list(parts.values())
        legal = legal_moves(worlds[0].state)
        if len(legal) != 1:
            return [worlds]
        move = legal[0]


def firsts(tree: Tree) -> list[int]:
    """Return the first history of each information set.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> firsts(tree)[:4]
    [1, 2, 28, 3]
    """
    histories = [-1] * len(tree.sets)
    for history, (actor, infoset) in enumerate(zip(tree.actor, tree.info, strict=True)):
        if actor >= 0 and histories[infoset] < 0:
            histories[infoset] = history
    return histories


def game_of(tree: Tree, history: int) -> Game:
    """Return the game at a history, after forced moves, to inspect or to play on.

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
    """Return the player's view at an information set, as a bot gets it.

    All histories of the information set have this view. Where the tree shows the other hand too
    (`open_hands=True`, `seeing=`), `memory.known` holds both.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> view_of(tree, 0), view_of(tree, 0).memory.unseen
    (<View of seat 1: ply 5, hand 6c 7c 6d, table 7d, defends>, CardSet(''))
    """
    return View(_at(tree, place).sight(tree.sets[place].seat))


def told(tree: Tree, place: int) -> str:
    """Return as text what the player has observed before they act at an information set.

    This distinguishes information sets that have the same label.

    >>> from durak_widget import Rules, analysis
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> told(tree, 0)
    'seat 1 began with 6d; seat 0: attack 6c; seat 1: take; seat 0: attack 7c; seat 1: take; seat 0: attack 7d'
    """
    return _at(tree, place).told(tree.sets[place].seat)


def _at(tree: Tree, place: int) -> Moment:
    """Return the state at the first history of an information set."""
    if not 0 <= place < len(tree.sets):
        raise TreeError(f"there is no information set {place}; they are numbered from 0 to {len(tree.sets) - 1}")
    history = next(
        node
        for node, (actor, infoset_of_node) in enumerate(zip(tree.actor, tree.info, strict=True))
        if actor >= 0 and infoset_of_node == place
    )
    return next(moment for _, moment in moments(tree, [history]))
