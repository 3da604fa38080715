"""Describes a view's possible worlds: their number, and where each card probably is.

A world is a whole deal, with all hands and the talon in order. As a game, its view for this player equals the
real view. The moves of a sampled world are replayed only when they are first needed. `playouts` takes a view,
a game (it uses the view of the player to act) or a set of worlds that was narrowed down. `docs/worlds.md`
says what is certain and what is not.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import or_
from random import Random
from typing import TYPE_CHECKING, Final, Literal

from durak_widget.analysis.hand_inference import Course
from durak_widget.analysis.monte_carlo_playouts import USUAL, Playouts, played_out
from durak_widget.analysis.world_sampling import Laying, tables_of
from durak_widget.cards import ONE_DECK, Card, CardSet, folded, minus, plainly, plus
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.determinization import state_of
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Move
from durak_widget.engine.observation import View
from durak_widget.errors import PositionError, quoted, whole_number
from durak_widget.i18n import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from durak_widget.analysis.card_probability_chart import ChanceGrid
    from durak_widget.analysis.world_history_search import Past
    from durak_widget.analysis.world_sampling import Layout, Tables
    from durak_widget.engine.observation import Sight
    from durak_widget.engine.state import State

EACH: Final = ("world", "deal")
LIKELY: Final = ("passed", "took")
TALON: Final = "talon"
MOST_LISTED: Final = 100_000
"""Default limit on the number of worlds to list."""
Each = Literal["world", "deal"]


class Count(int):
    """Number of worlds, which says whether it is exact or an upper bound.

    >>> Count(29), Count(29, exact=False), Count(29).exact
    (29, at most 29, True)
    """

    exact: bool
    """Whether there are exactly this many; otherwise there are at most this many."""

    def __new__(cls, value: int, *, exact: bool = True) -> Count:  # noqa: D102 - the class says it
        count = super().__new__(cls, value)
        count.exact = exact
        return count

    def __repr__(self) -> str:
        return f"{'' if self.exact else 'at most '}{int(self)}"

    __str__ = __repr__


class Worlds:
    """Possible arrangements of the cards that a seat doesn't see, given all that it has seen.

    `analysis.worlds` makes it.

    >>> from random import Random
    >>> from durak_widget import Game, analysis
    >>> view = Game(seed=7).view(0)
    >>> worlds = analysis.worlds(view)
    >>> worlds.sample(Random(1)).view(0) == view, worlds.chance(1, "Ah")
    (True, Fraction(6, 29))
    """

    __slots__ = ("_course", "_join", "_known", "_laying", "_lying", "_sight", "each", "likely")

    each: Each
    """Unit that is equally likely: each world, or each deal that can have led to one."""
    likely: tuple[str, ...]
    """Assumptions about the other players that are taken for certain."""

    def __init__(self, view: View, *, likely: Collection[str] | str = (), each: Each = "world") -> None:
        self.likely, self.each = _likely(likely), each
        if each not in EACH:
            raise PositionError(f"each={quoted(each)} cannot be equally likely; say 'world' or 'deal'")
        self._sight = sight = _checked(view)
        self._course = Course(sight, self.likely)
        if self._course.swapped and each == "deal":
            raise PositionError("another seat has swapped cards unseen, and the ways to do so are not counted; say each='world'")
        self._laying = Laying(self._course, by_deal=each == "deal")
        self._known, self._lying = list(sight.known or ()), sight.talon_known
        self._join: Callable[[int, int], int] = plus if kit_of(sight.rules).twins else int.__or__

    @property
    def view(self) -> View:
        """Return the view that the seat has in all these worlds."""
        return View(self._sight)

    # Counts and samples

    def count(self) -> Count:
        """Return the number of worlds, or of deals if these are equally likely.

        It is exact where counting is cheap, and otherwise an upper bound that says so.

        >>> from durak_widget import Game, analysis
        >>> game = Game(seed=7)
        >>> analysis.worlds(game.view(0)).count()
        12280224991305141603532800000
        """
        total = self._laying.total()
        return Count(self._laying.bound(), exact=False) if total is None else Count(total)

    def are_fewer(self, than: int) -> bool:
        """Return whether there are certainly fewer worlds than this.

        That may be known long before they are counted.

        >>> from durak_widget import Game, analysis
        >>> game = Game.from_position("econ431", hands=["9c Tc", "Jc"], trump="h", discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks")
        >>> analysis.worlds(game.view(0)).are_fewer(6), analysis.worlds(game.view(0)).are_fewer(5)
        (True, False)
        """
        return self._laying.are_fewer(than)

    def sample(self, rng: Random) -> Game:
        """Return a random world, all equally likely, as a game.

        The seat can't distinguish it from the real game.
        """
        self.require_some_world()
        layout, known_past = self._laying.draw_past(rng)
        seed = rng.getrandbits(64)

        def replay() -> Game:
            past = known_past or self._laying.past(layout, Random(seed))
            assert past is not None  # noqa: S101 - what has none is not drawn
            return self._game(past)

        return World(replay)

    def state(self, rng: Random) -> State:
        """Return a random world as a state, which is the fast way to search in it.

        >>> from random import Random
        >>> from durak_widget import Game, analysis
        >>> view = Game(seed=7).view(0)
        >>> analysis.worlds(view).state(Random(1)).hands[0] == view.hand.mask
        True
        """
        return self._state(self._laying.draw(rng))

    def states(self, rng: Random) -> Iterator[State]:
        """Yield random worlds as states, without end."""
        self.require_some_world()
        while True:
            yield self._state(self._laying.draw(rng))

    def all(self, most: int = MOST_LISTED) -> Iterator[Game]:
        """Yield all worlds in a fixed order; refuse more than `most` with their number.

        >>> from durak_widget import Game, analysis
        >>> game = Game.from_position("econ431", hands=["9c Tc", "Jc"], trump="h", discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks")
        >>> [str(world.hands[1]) for world in analysis.worlds(game.view(0)).all()]
        ['Jc', 'Qc', 'Kc', 'Ac', 'As']
        """
        count = self.count()
        if count > most:
            raise PositionError(f"there are {count} worlds, more than {most}; draw some with sample(rng), or say how many with all(most=…)")
        return self._every()

    def _every(self) -> Iterator[Game]:
        sampler = self._laying
        for layout in sampler.every():
            if self.each == "deal":
                yield from map(self._game, sampler.pasts(layout))
            elif (past := sampler.past(layout, Random(0))) is not None:
                yield self._game(past)

    def playouts(
        self,
        moves: Iterable[Move | str] | None = None,
        *,
        count: int = USUAL,
        seed: int = 1,
        policy: str | Sequence[str] = "careful",
        seconds: float | None = None,
        decided: int = 0,
        ahead: bool = False,
        plain: int | None = None,
    ) -> Playouts:
        """Try the seat's legal moves in these worlds by playouts; see `fast_engine.playouts`.

        In plain Python, without the fast engine, at most `plain` worlds are played.

        >>> from durak_widget import Game, analysis
        >>> game = Game(seed=7)
        >>> analysis.worlds(game.view(0)).playouts(count=2000).best
        Move('attack 6s')
        """
        return played_out(self, moves, count=count, seed=seed, policy=policy, seconds=seconds, decided=decided, ahead=ahead, plain=plain)

    def drawing(self) -> Tables | None:
        """Return the tables to sample worlds from; None if there was too much to count.

        >>> from durak_widget import Game, analysis
        >>> [len(node) for node in analysis.worlds(Game(seed=7).view(0)).drawing().nodes]
        [1, 0]
        """
        return tables_of(self._laying)

    def bare(self) -> State:
        """Return the state without unseen cards in other hands, which all worlds share."""
        sight, state = self._sight, self._state(self._laying.draw(Random(0)))
        known = [state.hands[seat] if seat == sight.seat else mask for seat, mask in enumerate(self._known)]
        removed = [minus(plainly(hand), plainly(mask)) for hand, mask in zip(state.hands, known, strict=True)]
        state.past = tuple((attacker, *map(minus, map(plainly, hands_then), removed)) for attacker, *hands_then in state.past)
        state.hands = known
        return state

    def laid(self, layout: Layout) -> State:
        """Return the world in which the unseen cards are as in a layout."""
        return self._state(layout)

    # Probabilities

    def chance(self, seat: int | str | None, card: Card | str) -> Fraction:
        """Return the exact probability that a seat holds a card.

        `None` or `"talon"` stands for the talon.

        >>> from durak_widget import Game, analysis
        >>> worlds = analysis.worlds(Game(seed=7).view(0))
        >>> worlds.chance(1, "Ah"), worlds.chance("talon", "Ah"), worlds.chance(0, "Jc")
        (Fraction(6, 29), Fraction(23, 29), Fraction(1, 1))
        """
        return self._chance(seat, 1 << Card(card).face_code)

    def chance_of_any(self, seat: int | str | None, cards: Iterable[Card | str] | str) -> Fraction:
        """Return the probability that a seat, or the talon, holds at least one of these cards.

        >>> from durak_widget import Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chance_of_any(1, "Ah Kh")
        Fraction(153, 406)
        """
        given_cards = CardSet(cards) if isinstance(cards, str) else cards
        return self._chance(seat, reduce(or_, (1 << Card(card).face_code for card in given_cards), 0))

    def chance_to_beat(self, seat: int | str | None, card: Card | str) -> Fraction:
        """Return the probability that a seat, or the talon, holds a card that beats this one.

        It uses the rules and the current trump suit.

        >>> from durak_widget import Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chance_to_beat(1, "Ac")
        Fraction(12158, 16965)
        """
        return self._chance(seat, self.view.beaters(card).mask & ONE_DECK)

    def chances(self, seat: int | str | None) -> dict[Card, Fraction]:
        """Return the probability of each card of the deck in that place; see `chance`.

        >>> from durak_widget import Card, Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chances(1)[Card("Ah")]
        Fraction(6, 29)
        """
        cards = CardSet.of(kit_of(self._sight.rules).all_cards)
        return {card: self.chance(seat, card) for card in dict.fromkeys(cards)}

    def picture(self, *, language: str = "en") -> ChanceGrid:
        """Return a chart of the probable places of each card; see `ChanceGrid`."""
        from durak_widget.analysis.card_probability_chart import ChanceGrid  # noqa: PLC0415 - drawn only when asked for

        seats = [seat for seat, count in enumerate(self._sight.counts) if count and seat != self._sight.seat]
        return ChanceGrid(self.view, {holder: self._column(holder) for holder in (*seats, None)}, language=language)

    def _column(self, place: int | None) -> dict[Card, Fraction] | None:
        try:
            return self.chances(place)
        except PositionError:  # too much to count
            return None

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        return f"<Worlds of {self.view!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Show the worlds in a notebook as a chart."""
        return self.picture(language=spoken())._repr_mimebundle_(include, exclude)

    def _chance(self, seat: int | str | None, mask: int) -> Fraction:
        sight = self._sight
        number = None if seat is None or seat == TALON else whole_number(seat)
        if number is None:
            if seat is not None and seat != TALON:
                raise PositionError(f"{quoted(seat)} holds no cards; name a seat, or None or 'talon' for the talon")
            held = sum({1 << face for _, face in sight.talon_known})
        else:
            if not 0 <= number < len(sight.counts):
                raise PositionError(f"{quoted(seat)} is not a seat; the seats are 0 to {len(sight.counts) - 1}")
            held = folded((sight.known or ())[number])
            if number == sight.seat:
                return Fraction(bool(held & mask))
        return Fraction(1) if held & mask else 1 - self._laying.lacks(number, mask & folded(sight.unseen))

    # Worlds from layouts

    def require_some_world(self) -> None:
        """Refuse assumptions that leave no world."""
        if self.likely and not self.count():
            raise PositionError(f"no world is left where likely={self.likely!r} holds, for the course of play belies it; leave it out")

    def _state(self, layout: Layout) -> State:
        hands, add_card = self._known[:], self._join
        for seat, faces in layout.hands.items():
            hand = hands[seat]
            for face in faces:
                hand = add_card(hand, 1 << face)
            hands[seat] = hand
        talon = layout.talon[:]
        for index, face in self._lying:
            talon.insert(index, face)
        return state_of(self._sight, hands, talon)

    def _game(self, past: Past) -> Game:
        """Return the game with this history."""
        initial_sight = self._course.begin
        hands = list(initial_sight.known or ())
        for seat, dealt in past.dealt.items():
            for face in dealt:
                hands[seat] = self._join(hands[seat], 1 << face)
        game = Game.of(state_of(initial_sight, hands, [past.faces[slot] for slot in range(initial_sight.talon_count)]))
        for ply, move in enumerate(self._sight.moves, 1):
            game.play(Move.of("swap", *map(Card.of, past.swaps[ply])) if move is None else move)
        return game


def _checked(view: object) -> Sight:
    """Return the sight of a view; refuse a view from which no worlds can be inferred."""
    if not isinstance(view, View):
        raise PositionError(f"worlds are asked of a view, not of {quoted(view)}; ask game.view(seat) for one")
    if view.is_covered:
        raise PositionError("a covered view leaves out the hand that the worlds must fit; take the view before covered()")
    if view.memory is None:
        raise PositionError("a view without memory does not say which cards are gone; ask game.view(seat), which remembers")
    return view.sight


def _likely(likely: Iterable[str] | str) -> tuple[str, ...]:
    named = (likely,) if isinstance(likely, str) else tuple(likely)
    for name in named:
        if name not in LIKELY:
            raise PositionError(f"{quoted(name)} is nothing that may be likely; say {', '.join(map(repr, LIKELY))}, or both in a list")
    return tuple(name for name in LIKELY if name in named)


def worlds(view: View, *, likely: Collection[str] | str = (), each: Each = "world") -> Worlds:
    """Infer the possible worlds of a view, given everything that its seat has seen.

    `each` says what is equally likely: each world as it is now, or each deal from the start that can have led
    to one. `likely` takes for certain what is not: with `"took"`, a player who took could not beat; with
    `"passed"`, a player who passed had nothing to throw in but trumps.

    >>> from durak_widget import Game, analysis
    >>> analysis.worlds(Game(seed=7).view(0)).chance(1, "Ah")
    Fraction(6, 29)
    """
    return Worlds(view, likely=likely, each=each)


class World(Game):
    """Game that replays its moves only when they are first needed, so it is cheap to sample.

    >>> world = World(lambda: Game(seed=7))
    >>> world.trump == Game(seed=7).trump, isinstance(world, Game)
    (True, True)
    """

    __slots__ = ("_unfold",)

    def __init__(self, unfold: Callable[[], Game]) -> None:
        self._unfold = unfold

    def __getattr__(self, name: str) -> object:
        """Replay the game when a missing attribute is first needed."""
        if name not in Game.__slots__:
            msg = f"a game has no {name!r}"
            raise AttributeError(msg)
        game = self._unfold()
        for slot in Game.__slots__:
            setattr(self, slot, getattr(game, slot))
        return getattr(game, name)

    def __reduce__(self) -> tuple[object, ...]:
        return _as_it_is, (Game.copy(self),)


def _as_it_is(game: Game) -> Game:
    return game


def playouts(
    of: View | Game | Worlds,
    moves: Iterable[Move | str] | None = None,
    *,
    count: int = USUAL,
    seed: int = 1,
    policy: str | Sequence[str] = "careful",
    seconds: float | None = None,
    decided: int = 0,
    ahead: bool = False,
) -> Playouts:
    """Try a seat's legal moves in worlds that it considers possible, and play them out.

    For a game, this takes the view of the seat to act, and ignores the cards that are hidden from it. For
    worlds, it uses their assumptions (`likely`). The same seed gives the same answer on every computer. With
    `seconds` instead of `count`, it uses as many worlds as fit into that time, at least one; the answer says
    how many, and with that `count` it can be repeated. With two players, an endgame of at most `decided`
    cards is solved instead of played out, if no position can repeat (see `docs/endings.md`). With `ahead`,
    the seat's own later moves are not the careful bot's, but those with the best results so far given what
    the seat would have seen.

    >>> from durak_widget import Game, fast_engine
    >>> print(fast_engine.playouts(Game.at("6c 7c | 9h Ts; trump h"), count=50))
    50 worlds
    attack 7c                -0.340
    attack 6c                -0.400   0.060 ± 0.140 less
    """
    worlds = of if isinstance(of, Worlds) else Worlds(_view_of(of))
    return worlds.playouts(moves, count=count, seed=seed, policy=policy, seconds=seconds, decided=decided, ahead=ahead)


def _view_of(of: object) -> View:
    if isinstance(of, Game):
        if of.actor is None:
            raise PositionError("the game is over: there is no move left to try")
        return of.view(of.actor)
    if isinstance(of, View):
        return of
    raise PositionError(f"playouts are asked of a view, a game or worlds, not of {quoted(of)}; say fast_engine.playouts(game.view(seat))")
