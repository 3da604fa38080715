"""Describes the possible worlds of a view: how many there are, and how likely each card's place is.

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
"""So many worlds are listed at most, unless more are asked for."""
Each = Literal["world", "deal"]


class Count(int):
    """How many worlds there are: a whole number, which says whether it is exact or a bound.

    >>> Count(29), Count(29, exact=False), Count(29).exact
    (29, at most 29, True)
    """

    exact: bool
    """Whether there are just so many; else there are no more than that."""

    def __new__(cls, value: int, *, exact: bool = True) -> Count:  # noqa: D102 - the class says it
        made = super().__new__(cls, value)
        made.exact = exact
        return made

    def __repr__(self) -> str:
        return f"{'' if self.exact else 'at most '}{int(self)}"

    __str__ = __repr__


class Worlds:
    """All that may lie where a seat does not see, given everything that it has seen; `analysis.worlds` makes it.

    >>> from random import Random
    >>> from durak_widget import Game, analysis
    >>> view = Game(seed=7).view(0)
    >>> worlds = analysis.worlds(view)
    >>> worlds.sample(Random(1)).view(0) == view, worlds.chance(1, "Ah")
    (True, Fraction(6, 29))
    """

    __slots__ = ("_course", "_join", "_known", "_laying", "_lying", "_sight", "each", "likely")

    each: Each
    """What is equally likely: each world, or each deal from which one can have come."""
    likely: tuple[str, ...]
    """What was taken for certain though it is not."""

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
        """The view that all these worlds show the seat."""
        return View(self._sight)

    # How many, and which

    def count(self) -> Count:
        """How many worlds there are: exactly where counting is cheap, else a bound that says so; by deals, how many deals.

        >>> from durak_widget import Game, analysis
        >>> game = Game(seed=7)
        >>> analysis.worlds(game.view(0)).count()
        12280224991305141603532800000
        """
        total = self._laying.total()
        return Count(self._laying.bound(), exact=False) if total is None else Count(total)

    def are_fewer(self, than: int) -> bool:
        """Whether there are certainly fewer worlds than that, which may be known long before they are counted.

        >>> from durak_widget import Game, analysis
        >>> game = Game.from_position("econ431", hands=["9c Tc", "Jc"], trump="h", discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks")
        >>> analysis.worlds(game.view(0)).are_fewer(6), analysis.worlds(game.view(0)).are_fewer(5)
        (True, False)
        """
        return self._laying.are_fewer(than)

    def sample(self, rng: Random) -> Game:
        """A world drawn by chance, every one equally likely: a game that this seat cannot tell from the real one."""
        self.require_some_world()
        layout, found = self._laying.draw_past(rng)
        seed = rng.getrandbits(64)

        def unfold() -> Game:
            past = found or self._laying.past(layout, Random(seed))
            assert past is not None  # noqa: S101 - what has none is not drawn
            return self._game(past)

        return World(unfold)

    def state(self, rng: Random) -> State:
        """A world drawn in the same way, as a state to search in: this is the fast way.

        >>> from random import Random
        >>> from durak_widget import Game, analysis
        >>> view = Game(seed=7).view(0)
        >>> analysis.worlds(view).state(Random(1)).hands[0] == view.hand.mask
        True
        """
        return self._state(self._laying.draw(rng))

    def states(self, rng: Random) -> Iterator[State]:
        """One such state after another, without end."""
        self.require_some_world()
        while True:
            yield self._state(self._laying.draw(rng))

    def all(self, most: int = MOST_LISTED) -> Iterator[Game]:
        """All worlds in a fixed order; where there are more than `most`, they are refused with their number.

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
        laying = self._laying
        for layout in laying.every():
            if self.each == "deal":
                yield from map(self._game, laying.pasts(layout))
            elif (past := laying.past(layout, Random(0))) is not None:
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
        """Each legal move of this seat, or some, tried in as many of these worlds and played out by a policy; see `fast_engine.playouts`.

        In so many as `plain` says at most, where plain Python has to play them.

        >>> from durak_widget import Game, analysis
        >>> game = Game(seed=7)
        >>> analysis.worlds(game.view(0)).playouts(count=2000).best
        Move('attack 6s')
        """
        return played_out(self, moves, count=count, seed=seed, policy=policy, seconds=seconds, decided=decided, ahead=ahead, plain=plain)

    def drawing(self) -> Tables | None:
        """How worlds are drawn from what was counted, as tables; None where it was too much to count.

        >>> from durak_widget import Game, analysis
        >>> [len(node) for node in analysis.worlds(Game(seed=7).view(0)).drawing().nodes]
        [1, 0]
        """
        return tables_of(self._laying)

    def bare(self) -> State:
        """The moment with no unseen card in any other hand: what all worlds share."""
        sight, state = self._sight, self._state(self._laying.draw(Random(0)))
        known = [state.hands[seat] if seat == sight.seat else mask for seat, mask in enumerate(self._known)]
        lacks = [minus(plainly(hand), plainly(mask)) for hand, mask in zip(state.hands, known, strict=True)]
        state.past = tuple((attacker, *map(minus, map(plainly, then), lacks)) for attacker, *then in state.past)
        state.hands = known
        return state

    def laid(self, layout: Layout) -> State:
        """The world in which the unseen cards lie so."""
        return self._state(layout)

    # How likely

    def chance(self, seat: int | str | None, card: Card | str) -> Fraction:
        """How likely it is that a seat holds that card, or that it lies in the talon (`None` or `"talon"`): exactly, by counting.

        >>> from durak_widget import Game, analysis
        >>> worlds = analysis.worlds(Game(seed=7).view(0))
        >>> worlds.chance(1, "Ah"), worlds.chance("talon", "Ah"), worlds.chance(0, "Jc")
        (Fraction(6, 29), Fraction(23, 29), Fraction(1, 1))
        """
        return self._chance(seat, 1 << Card(card).face_code)

    def chance_of_any(self, seat: int | str | None, cards: Iterable[Card | str] | str) -> Fraction:
        """How likely it is that a seat holds at least one of these cards, or that one lies in the talon.

        >>> from durak_widget import Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chance_of_any(1, "Ah Kh")
        Fraction(153, 406)
        """
        named = CardSet(cards) if isinstance(cards, str) else cards
        return self._chance(seat, reduce(or_, (1 << Card(card).face_code for card in named), 0))

    def chance_to_beat(self, seat: int | str | None, card: Card | str) -> Fraction:
        """How likely it is that a seat holds a card that beats this one (or the talon does), under these rules and the trumps of now.

        >>> from durak_widget import Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chance_to_beat(1, "Ac")
        Fraction(12158, 16965)
        """
        return self._chance(seat, self.view.beaters(card).mask & ONE_DECK)

    def chances(self, seat: int | str | None) -> dict[Card, Fraction]:
        """For each card of the deck, how likely it is in that place; see `chance`.

        >>> from durak_widget import Card, Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chances(1)[Card("Ah")]
        Fraction(6, 29)
        """
        cards = CardSet.of(kit_of(self._sight.rules).all_cards)
        return {card: self.chance(seat, card) for card in dict.fromkeys(cards)}

    def picture(self, *, language: str = "en") -> ChanceGrid:
        """Where each card may lie and how likely, as a picture for notebooks and as text; see `Grid`."""
        from durak_widget.analysis.card_probability_chart import ChanceGrid  # noqa: PLC0415 - drawn only when asked for

        seats = [seat for seat, count in enumerate(self._sight.counts) if count and seat != self._sight.seat]
        return ChanceGrid(self.view, {place: self._column(place) for place in (*seats, None)}, language=language)

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
        """How a notebook shows worlds: as a picture."""
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

    # Worlds made of layouts

    def require_some_world(self) -> None:
        """Refuse `likely` where it leaves no world."""
        if self.likely and not self.count():
            raise PositionError(f"no world is left where likely={self.likely!r} holds, for the course of play belies it; leave it out")

    def _state(self, layout: Layout) -> State:
        hands, join = self._known[:], self._join
        for seat, faces in layout.hands.items():
            hand = hands[seat]
            for face in faces:
                hand = join(hand, 1 << face)
            hands[seat] = hand
        talon = layout.talon[:]
        for place, face in self._lying:
            talon.insert(place, face)
        return state_of(self._sight, hands, talon)

    def _game(self, past: Past) -> Game:
        """The game that came about so."""
        begin = self._course.begin
        hands = list(begin.known or ())
        for seat, dealt in past.dealt.items():
            for face in dealt:
                hands[seat] = self._join(hands[seat], 1 << face)
        game = Game.of(state_of(begin, hands, [past.faces[place] for place in range(begin.talon_count)]))
        for ply, move in enumerate(self._sight.moves, 1):
            game.play(Move.of("swap", *map(Card.of, past.swaps[ply])) if move is None else move)
        return game


def _checked(view: object) -> Sight:
    """What a view shows, if worlds can be made of it."""
    if not isinstance(view, View):
        raise PositionError(f"worlds are asked of a view, not of {quoted(view)}; ask game.view(seat) for one")
    if view.is_covered:
        raise PositionError("a covered view leaves out the hand that the worlds must fit; take the view before covered()")
    if view.memory is None:
        raise PositionError("a view without memory does not say which cards are gone; ask game.view(seat), which remembers")
    return view.sight


def _likely(likely: Iterable[str] | str) -> tuple[str, ...]:
    named = (likely,) if isinstance(likely, str) else tuple(likely)
    for one in named:
        if one not in LIKELY:
            raise PositionError(f"{quoted(one)} is nothing that may be likely; say {', '.join(map(repr, LIKELY))}, or both in a list")
    return tuple(one for one in LIKELY if one in named)


def worlds(view: View, *, likely: Collection[str] | str = (), each: Each = "world") -> Worlds:
    """All that may lie where the seat of a view does not see, given everything that it has seen.

    `each` says what is equally likely: each world as it lies now, or each deal from the beginning that can have led to one. `likely` takes for certain
    what is not: `"took"`, that who took could not beat; `"passed"`, that who passed had nothing to throw in but trumps.

    >>> from durak_widget import Game, analysis
    >>> analysis.worlds(Game(seed=7).view(0)).chance(1, "Ah")
    Fraction(6, 29)
    """
    return Worlds(view, likely=likely, each=each)


class World(Game):
    """A game like any other. That it has just been drawn costs little: how it came about is played when it is first asked for.

    >>> world = World(lambda: Game(seed=7))
    >>> world.trump == Game(seed=7).trump, isinstance(world, Game)
    (True, True)
    """

    __slots__ = ("_unfold",)

    def __init__(self, unfold: Callable[[], Game]) -> None:
        self._unfold = unfold

    def __getattr__(self, name: str) -> object:
        """What is not there yet: then all of it is made."""
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
    """Each legal move of the seat of a view (or some `moves`), tried in as many worlds that it may think possible and played out by a policy.

    Of a game the view of the seat to act is taken: what is hidden from it is not looked at. The same seed gives the same answer wherever it is asked.
    Worlds may be given in place of a view, so that what is `likely` is taken for certain. With `seconds`, in place of `count`, as many worlds are
    taken as fit into that time here, one at least; the answer says how many those were, and with that `count` it comes again. Between two, an ending of
    at most `decided` cards is not played out but counts for what it is worth, where no position can come again (see `docs/endings.md`); elsewhere not.
    With `ahead` the seat's own later moves are those of which most may be hoped for, by what they have brought so far in what it would have seen, in place
    of the careful bot's.

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
