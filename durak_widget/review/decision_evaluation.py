"""Evaluates every decision of a game: exactly where possible, otherwise by Monte Carlo playouts.

It is exact if everything can be known or if the few possible worlds can be searched completely. Otherwise
each legal move is played out in the same worlds. The last decision of a running game is evaluated from what
its player could know. It is criticized only if a review of the whole game would criticize it too. The effort
sets the number of playouts, shared among all decisions, and the number of positions for each endgame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.endgame import solve
from durak_widget.analysis.exhaustive_world_search import gone_through
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.analysis.worlds_with_open_hands import FaceUp
from durak_widget.bots.heuristic_bots import Careful, preferred
from durak_widget.engine.observation import View
from durak_widget.errors import PositionError
from durak_widget.fast_engine import which, why_not
from durak_widget.fast_engine.random_generator import stirred
from durak_widget.review.decisions import BAR, FEW, Decision, ShareOfResult, costs_of, crossed
from durak_widget.review.turning_points import kind_of
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from durak_widget.analysis.endgame import Ending
    from durak_widget.analysis.exhaustive_world_search import Bounds
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.review.decisions import Said
    from durak_widget.rules.ruleset import Rules

    Trying = Callable[[int, int], Playouts]
    """What tries the legal moves in so many worlds, by a seed."""

SOUGHT: Final = 8
"""In so many worlds a move is tried at most where they cannot be counted, since each is then looked for."""
ORDERS: Final = 7
"""So many cards of the talon come in more than `FEW` orders, also where one lies fixed and the others are three pairs: 90."""
OUTRIGHT: Final = 40_000
"""So many positions are looked at, at most, where worlds are gone through whole: the same for a review, a hint and the chances, so that they agree."""
LEAST: Final = 4
"""In so many worlds each move is tried at least, and …"""
MOST: Final = 4000
"""… at most."""
OFFERED: Final = 300
"""So many legal moves have to be tried in a whole game of two, if it is a long one: among them a review shares its playouts out. And …"""
MORE: Final = 100
"""… so many more for each more who plays, …"""
TRANSFERRED: Final = 150
"""… and so many where attacks are transferred."""
STILL: Final = 2
"""A game that has offered more than half of that already is taken to offer as much again: twice what it has."""
_LUCK: Final = 4
"""A fourth of the playouts goes to luck."""


@dataclass(frozen=True)
class Asking:
    """How decisions are judged."""

    shares: ShareOfResult
    by_cards: bool
    """By what all cards say; else by what each seat could know."""
    seed: int
    playouts: int
    """So many playouts are shared out among all decisions that are not weighed exactly without."""
    positions: int
    """So many positions of an ending are looked at for each decision."""


def weighed(game: Game, seats: Collection[int], asking: Asking, judged: dict[int, Decision]) -> Iterator[None]:
    """All decisions of these seats up to where a game stands, each by the number of moves made before it; first those that need no playouts."""
    there, course = game.copy(), game.course
    waiting: dict[int, int] = {}
    for ply, played in enumerate(course):
        if played.seat not in seats:
            continue
        there.goto(ply)
        known = weighed_exactly(there, asking)
        if known is None:
            waiting[ply] = len(there.legal_moves())
        else:
            judged[ply] = known
            yield
    worlds = max(LEAST, min(MOST, asking.playouts // max(1, sum(waiting.values()))))
    for ply in waiting:
        there.goto(ply)
        judged[ply] = sampled(there, asking, worlds)
        yield


def weighed_exactly(game: Game, asking: Asking) -> Decision | None:
    """The decision that a game stands before, the move that could be redone taken for the one that was made; None where playouts have to say."""
    view, bare = _begun(game, "forced")
    if bare.ways == 1:
        return replace(bare, loss=0.0, interval=(0.0, 0.0))
    ending = exact(game if asking.by_cards else view, asking.positions)
    if ending is None:
        return _weighed_outright(game, view, bare, asking)
    if ending.value is None or bare.move not in ending.moves:
        return None
    value, left = ending.value, ending.moves[bare.move]
    loss = asking.shares.known(value) - asking.shares.known(left)
    proved = replace(bare, loss=loss, interval=(loss, loss), value=value, left=left, error=loss, share=asking.shares.known(value))
    if not loss:
        return replace(proved, verdict="best", better=bare.move)
    better = preferred(ending.quickest or ending.best, view, Careful().choose(view, Random(0)))
    return replace(proved, verdict="proved mistake", better=better, kind=kind_of(view, bare.move, better, proved=True))


def _weighed_outright(game: Game, view: View, bare: Decision, asking: Asking) -> Decision | None:
    """A decision where there are hardly any worlds, by what may be had outright; None where that is not known, or does not say."""
    held = held_outright(game if asking.by_cards else view, min(asking.positions, OUTRIGHT))
    if held is None:
        return None
    known, value, (least, most) = asking.shares.known, held.value, held.moves[bare.move]
    told = replace(bare, worlds=len(most), outright=True, share=known(value), error=0.0)
    if least == value:
        return replace(told, verdict="best", better=bare.move, loss=0.0, interval=(0.0, 0.0), value=value, left=value)
    loss = known(value) - sum(map(known, most)) / len(most)
    if loss <= BAR:
        return None
    better = preferred(held.best, view, Careful().choose(view, Random(0)))
    told = replace(
        told, better=better, loss=loss, interval=(loss, known(value) - known(least)), error=loss, kind=kind_of(view, bare.move, better)
    )
    if max(most) < value:
        return replace(told, verdict="proved mistake", value=value, left=max(most))
    return replace(told, verdict="mistake")


class Outright(NamedTuple):
    """What one move, or some, bring in every world there may be, where none brings more in any."""

    value: int
    """1 won, 0 drawn, -1 lost."""
    moves: dict[Move, Bounds]
    """Each legal move, with what is known of it."""

    @property
    def best(self) -> list[Move]:
        """The moves that bring it."""
        return [move for move, bounds in self.moves.items() if bounds.least == self.value]


def held_outright(position: Game | View, positions: int) -> Outright | None:
    """What may be had however the cards lie that a view does not show; of a game all hands are open, and the rest of the talon comes in any order.

    None where there are more than a few worlds, where it takes more than so many positions, and where it depends on how the cards lie.

    >>> from durak_widget import Game
    >>> gone = "Qc 9h Th Jh Qh Kh 9s Js Qs Ks"
    >>> game = Game.at(f"ranks=9TJQKA, suits=chs, hand_size=3: Jc Kc Ac | Tc Ah As; trump c; talon Ts 9c; discard {gone}")
    >>> held = held_outright(game.view(0), 10_000)
    >>> held.value, held.best
    (1, [Move('attack Jc')])
    """
    try:
        worlds = _few_worlds(position)
        found = None if worlds is None else gone_through(worlds, positions)
    except PositionError:  # too much to count, or to list
        return None
    if found is None:
        return None
    value = max(bounds.least for bounds in found.values())
    return None if any(max(bounds.most) > value for bounds in found.values()) else Outright(value, found)


def _few_worlds(position: Game | View) -> Worlds | FaceUp | None:
    """All worlds, where there are hardly any and two are left to play; else None."""
    if len(position.seats_in) != 2:
        return None
    if isinstance(position, View):
        worlds = Worlds(position)
        return worlds if _few(worlds, position) else None
    lying = FaceUp(position)
    return lying if factorial(lying.unknown) < FEW else None


def exact(position: Game | View, positions: int) -> Ending | None:
    """What is known of an ending of two; None before it, and where a card lies that a seat does not see."""
    try:
        return solve(position, budget=positions)
    except PositionError:
        return None


def sampled(game: Game, asking: Asking, count: int) -> Decision:
    """The decision that a game stands before, by playouts in so many worlds; each half of them is drawn by a chance of its own."""
    view, bare = _begun(game, "cannot be told")
    width, chance = asking.shares.width, stirred(asking.seed ^ stirred(2 * game.ply))
    try:
        few, tried = _trying_by_cards(game) if asking.by_cards else trying(view)
        one, two = tried((count + 1) // 2, chance), tried((count + 1) // 2, stirred(chance + 1))
    except PositionError:  # no world is found, or there are too many moves to try side by side
        return bare
    if not one.worlds or not two.worlds:
        return bare
    found = _joined(one, two)
    costs = costs_of(found, bare.move, width)
    told = replace(bare, worlds=found.worlds, share=asking.shares.share(found[costs.better]), error=crossed(one, two, bare.move, width))
    if few:  # they tell how one bot would go on, and not what a move is worth
        return told
    told = replace(told, better=costs.better, loss=costs.loss, interval=costs.interval)
    if costs.verdict == "cannot be told":
        return told
    kind = kind_of(view, bare.move, costs.better) if costs.verdict == "mistake" else None
    return replace(told, verdict=costs.verdict, kind=kind)


def _begun(game: Game, verdict: Said) -> tuple[View, Decision]:
    """What the seat to act sees, and the decision before anything is known of it."""
    seat = game.actor
    assert seat is not None  # noqa: S101 - a move was made here
    view, after = game.view(seat), game.copy()
    return view, Decision(game.ply, game.bout, seat, after.redo(), len(view.legal_moves()), verdict)


def trying(view: View, plain: int | None = None) -> tuple[bool, Trying]:
    """Whether there are hardly any worlds by this view, and what tries its legal moves in them: in so many at most where it has to be done plainly."""
    worlds = Worlds(view)
    most = SOUGHT if worlds.drawing() is None else MOST
    return _few(worlds, view), lambda many, seed: worlds.playouts(count=min(many, most), seed=seed, plain=plain)


def _few(worlds: Worlds, view: View) -> bool:
    """Whether there are hardly any worlds; where the order of the talon alone makes enough of them they are not counted."""
    if view.talon_count - len(view.sight.talon_known) >= ORDERS:
        return False
    return worlds.are_fewer(FEW)


def _trying_by_cards(game: Game) -> tuple[bool, Trying]:
    """Whether there are hardly any orders of the talon, and what tries the legal moves in them, with all hands seen."""
    lying = FaceUp(game)
    return factorial(lying.unknown) < FEW, lambda many, seed: lying.worth(None, count=many, seed=seed)


def _joined(one: Playouts, two: Playouts) -> Playouts:
    """Both halves as one."""
    return replace(
        one,
        worlds=one.worlds + two.worlds,
        given_up=one.given_up + two.given_up,
        sums=tuple(mine + other for mine, other in zip(one.sums, two.sums, strict=True)),
        products={pair: one.products[pair] + two.products[pair] for pair in one.products},
    )


def judged_by_itself(game: Game, ply: int, *, effort: Effort | None = None, seed: int = 1) -> Decision:
    """The decision after so many moves, as a review with that effort and seed would judge it later.

    In how many worlds a review tries each move depends on how the game goes on, and in more worlds more can be told. The worlds are the same, the first
    of them in each half. So a mistake is called one only if it is one in as few as a long game leaves, and in twice as many, and so on up to the most.

    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> found = judged_by_itself(game, 0)
    >>> found.verdict, str(found.better)
    ('proved mistake', 'attack 7d')
    """
    there, spent = game.copy(), usual_for(game.rules) if effort is None else effort
    there.goto(ply)
    asking = Asking(ShareOfResult.of(game.rules), by_cards=False, seed=seed, playouts=spent.judging, positions=spent.positions)
    known = weighed_exactly(there, asking)
    if known is not None:
        return known
    worlds = max(LEAST, min(MOST, spent.judging // _offered(game, ply)))
    found = sampled(there, asking, worlds)
    while found.verdict == "mistake" and worlds < MOST:
        worlds = min(MOST, 2 * worlds)
        found = sampled(there, asking, worlds)
    return found


def _offered(game: Game, ply: int) -> int:
    """How many legal moves the whole game may offer, taken rather too high."""
    there, far = game.copy(), 0
    for before in range(ply + 1):
        there.goto(before)
        far += len(there.legal_moves())
    usual = OFFERED + MORE * (game.seats - 2) + TRANSFERRED * attack.allowed(game.rules)
    return max(usual, STILL * far)


class Effort(NamedTuple):
    """What may be spent on one review.

    >>> Effort(1000, 50).judging, Effort(1000, 50).luck
    (750, 250)
    """

    playouts: int
    positions: int
    """So many are looked at for each ending."""

    @property
    def luck(self) -> int:
        """So many playouts go to luck, and …"""
        return self.playouts // _LUCK

    @property
    def judging(self) -> int:
        """… so many to decisions."""
        return self.playouts - self.luck


KERNEL: Final = Effort(300_000, 100_000)
"""Where the kernel plays them: some two seconds for a game of two."""
PLAIN: Final = Effort(9_000, 5_000)
"""In plain Python: some four seconds, ten on a slow machine, and so less can be told."""


def usual_for(rules: Rules) -> Effort:
    """What a review is worth where nothing else is said."""
    return KERNEL if why_not(rules) is None and not which().startswith("none") else PLAIN
