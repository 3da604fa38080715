"""Describes a view's possible worlds: their number, and where each card may be.

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

from durak_widget.analysis.hand_inference import GameInference
from durak_widget.analysis.monte_carlo_playouts import DEFAULT_WORLD_COUNT, Playouts, run_playouts
from durak_widget.analysis.world_sampling import CardLayoutSampler, make_sampling_tables
from durak_widget.cards import ONE_DECK_MASK, Card, CardSet, add_cards, merge_copies, normalize_copies, subtract_cards
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.determinization import build_state
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Move
from durak_widget.engine.observation import Observation
from durak_widget.errors import PositionError, as_whole_number, short_repr
from durak_widget.i18n import get_default_language

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from durak_widget.analysis.card_probability_chart import CardProbabilityChart
    from durak_widget.analysis.world_history_search import WorldHistory
    from durak_widget.analysis.world_sampling import CardLayout, SamplingTables
    from durak_widget.engine.observation import ObservationData
    from durak_widget.engine.state import State

EQUALLY_LIKELY_UNITS: Final = ("world", "deal")
ASSUMPTIONS: Final = ("passed", "took")
TALON: Final = "talon"
DEFAULT_LIST_LIMIT: Final = 100_000
"""The default limit on the number of worlds that are listed."""
EquallyLikelyUnit = Literal["world", "deal"]


class WorldCount(int):
    """A number of worlds that is either exact or an upper bound.

    >>> WorldCount(29), WorldCount(29, is_exact=False), WorldCount(29).is_exact
    (29, at most 29, True)
    """

    is_exact: bool
    """True if the number is exact; False if it is only an upper bound."""

    def __new__(cls, value: int, *, is_exact: bool = True) -> WorldCount:  # noqa: D102 - the class says it
        count = super().__new__(cls, value)
        count.is_exact = is_exact
        return count

    def __repr__(self) -> str:
        return f"{'' if self.is_exact else 'at most '}{int(self)}"

    __str__ = __repr__


class Worlds:
    """The possible arrangements of the cards that a seat doesn't see, given what the seat saw.

    `analysis.worlds` makes it.

    >>> from random import Random
    >>> from durak_widget import Game, analysis
    >>> view = Game(seed=7).view(0)
    >>> worlds = analysis.worlds(view)
    >>> worlds.sample(Random(1)).view(0) == view, worlds.chance(1, "Ah")
    (True, Fraction(6, 29))
    """

    __slots__ = ("_add_to_hand", "_inference", "_known_hands", "_known_talon", "_sampler", "_sight", "assumptions", "each")

    each: EquallyLikelyUnit
    """"world" if all possible worlds are equally probable, or "deal" if all deals that can have led to a world are equally probable."""
    assumptions: tuple[str, ...]
    """The assumptions about the other players that are treated as certain."""

    def __init__(self, view: Observation, *, assumptions: Collection[str] | str = (), each: EquallyLikelyUnit = "world") -> None:
        self.assumptions, self.each = _parse_assumptions(assumptions), each
        if each not in EQUALLY_LIKELY_UNITS:
            raise PositionError(f"each must be 'world' or 'deal', not {short_repr(each)}: it says what is equally probable")
        self._sight = sight = _require_sight(view)
        self._inference = GameInference(sight, self.assumptions)
        if self._inference.has_unseen_swaps and each == "deal":
            raise PositionError("another seat has swapped cards unseen, and the ways to do that cannot be counted; use each='world'")
        self._sampler = CardLayoutSampler(self._inference, deals_are_equal=each == "deal")
        self._known_hands, self._known_talon = list(sight.known_hands or ()), sight.known_talon_cards
        self._add_to_hand: Callable[[int, int], int] = add_cards if compile_rules(sight.rules).has_two_decks else int.__or__

    @property
    def view(self) -> Observation:
        """Return what one seat sees; this view is the same in all possible worlds."""
        return Observation(self._sight)

    # --- Count and sample worlds ---

    def count(self) -> WorldCount:
        """Return the number of possible worlds, or of possible deals if `each` is "deal".

        It is exact where counting is cheap, and otherwise an upper bound that says so.

        >>> from durak_widget import Game, analysis
        >>> game = Game(seed=7)
        >>> analysis.worlds(game.view(0)).count()
        12280224991305141603532800000
        """
        total = self._sampler.count()
        return WorldCount(self._sampler.upper_bound(), is_exact=False) if total is None else WorldCount(total)

    def has_fewer_than(self, limit: int) -> bool:
        """Return whether the number of worlds is certainly below a limit.

        That may be known long before they are counted.

        >>> from durak_widget import Game, analysis
        >>> game = Game.from_position("econ431", hands=["9c Tc", "Jc"], trump="h", discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks")
        >>> analysis.worlds(game.view(0)).has_fewer_than(6), analysis.worlds(game.view(0)).has_fewer_than(5)
        (True, False)
        """
        return self._sampler.has_fewer_than(limit)

    def sample(self, rng: Random) -> Game:
        """Return a random possible world as a game.

        `each` says whether all worlds or all deals are equally probable. The seat can't distinguish this game from
        the real one.
        """
        self.require_some_world()
        layout, known_past = self._sampler.sample_with_history(rng)
        seed = rng.getrandbits(64)

        def replay() -> Game:
            """Build the whole game that led to the sampled world."""
            past = known_past or self._sampler.sample_history(layout, Random(seed))
            assert past is not None  # noqa: S101 - what has none is not drawn
            return self._build_game(past)

        return LazyGame(replay)

    def sample_state(self, rng: Random) -> State:
        """Return the state of a random world, which is faster to build than a whole game.

        >>> from random import Random
        >>> from durak_widget import Game, analysis
        >>> view = Game(seed=7).view(0)
        >>> analysis.worlds(view).sample_state(Random(1)).hands[0] == view.hand.mask
        True
        """
        return self._build_state(self._sampler.sample(rng))

    def sample_states(self, rng: Random) -> Iterator[State]:
        """Yield the states of random worlds, without end."""
        self.require_some_world()
        while True:
            yield self._build_state(self._sampler.sample(rng))

    def all(self, limit: int = DEFAULT_LIST_LIMIT) -> Iterator[Game]:
        """Yield all worlds in a fixed order; raise an error if there are more than `limit`.

        >>> from durak_widget import Game, analysis
        >>> game = Game.from_position("econ431", hands=["9c Tc", "Jc"], trump="h", discard="9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks")
        >>> [str(world.hands[1]) for world in analysis.worlds(game.view(0)).all()]
        ['Jc', 'Qc', 'Kc', 'Ac', 'As']
        """
        count = self.count()
        if count > limit:
            raise PositionError(
                f"there are {count} worlds, more than {limit}; draw some with sample(rng), or set the limit with all(limit=…)"
            )
        return self._iterate_games()

    def _iterate_games(self) -> Iterator[Game]:
        """Yield a game for each possible world, or for each possible deal if `each` is "deal"."""
        sampler = self._sampler
        for layout in sampler.all_layouts():
            if self.each == "deal":
                yield from map(self._build_game, sampler.all_histories(layout))
            elif (past := sampler.sample_history(layout, Random(0))) is not None:
                yield self._build_game(past)

    def playouts(
        self,
        moves: Iterable[Move | str] | None = None,
        *,
        count: int = DEFAULT_WORLD_COUNT,
        seed: int = 1,
        policy: str | Sequence[str] = "careful",
        seconds: float | None = None,
        decided: int = 0,
        ahead: bool = False,
        max_python_worlds: int | None = None,
    ) -> Playouts:
        """Play out games from the worlds after each legal move; see `fast_engine.playouts`.

        In plain Python, without the fast engine, at most `max_python_worlds` worlds are played.

        >>> from durak_widget import Game, analysis
        >>> game = Game(seed=7)
        >>> analysis.worlds(game.view(0)).playouts(count=2000).best
        Move('attack 6s')
        """
        return run_playouts(
            self,
            moves,
            count=count,
            seed=seed,
            policy=policy,
            seconds=seconds,
            decided=decided,
            ahead=ahead,
            max_python_worlds=max_python_worlds,
        )

    def sampling_tables(self) -> SamplingTables | None:
        """Return tables to sample random worlds from; None if making them would take too long.

        >>> from durak_widget import Game, analysis
        >>> [len(node) for node in analysis.worlds(Game(seed=7).view(0)).sampling_tables().nodes]
        [1, 0]
        """
        return make_sampling_tables(self._sampler)

    def known_state(self) -> State:
        """Return a game state without the unseen cards, which differ from world to world."""
        sight, state = self._sight, self._build_state(self._sampler.sample(Random(0)))
        known_hands = [state.hands[seat] if seat == sight.seat else mask for seat, mask in enumerate(self._known_hands)]
        removed = [
            subtract_cards(normalize_copies(hand), normalize_copies(mask)) for hand, mask in zip(state.hands, known_hands, strict=True)
        ]
        state.repeatable_positions = tuple(
            (attacker, *map(subtract_cards, map(normalize_copies, hands_then), removed))
            for attacker, *hands_then in state.repeatable_positions
        )
        state.hands = known_hands
        return state

    def state_of_layout(self, layout: CardLayout) -> State:
        """Return the game state of the world with a given layout of the unseen cards."""
        return self._build_state(layout)

    # --- Probabilities of cards ---

    def chance(self, seat: int | str | None, card: Card | str) -> Fraction:
        """Return the exact probability that a seat holds a card.

        `None` or `"talon"` stands for the talon.

        >>> from durak_widget import Game, analysis
        >>> worlds = analysis.worlds(Game(seed=7).view(0))
        >>> worlds.chance(1, "Ah"), worlds.chance("talon", "Ah"), worlds.chance(0, "Jc")
        (Fraction(6, 29), Fraction(23, 29), Fraction(1, 1))
        """
        return self._chance_of_mask(seat, 1 << Card(card).face_code)

    def chance_of_any(self, seat: int | str | None, cards: Iterable[Card | str] | str) -> Fraction:
        """Return the probability that a seat (or the talon) has at least one of the given cards.

        >>> from durak_widget import Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chance_of_any(1, "Ah Kh")
        Fraction(153, 406)
        """
        given_cards = CardSet(cards) if isinstance(cards, str) else cards
        return self._chance_of_mask(seat, reduce(or_, (1 << Card(card).face_code for card in given_cards), 0))

    def chance_to_beat(self, seat: int | str | None, card: Card | str) -> Fraction:
        """Return the probability that a seat (or the talon) has a card that beats a given card.

        It uses the rules and the current trump suit.

        >>> from durak_widget import Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chance_to_beat(1, "Ac")
        Fraction(12158, 16965)
        """
        return self._chance_of_mask(seat, self.view.beaters(card).mask & ONE_DECK_MASK)

    def chances(self, seat: int | str | None) -> dict[Card, Fraction]:
        """Return each card's probability of being in a seat's hand, or in the talon.

        >>> from durak_widget import Card, Game, analysis
        >>> analysis.worlds(Game(seed=7).view(0)).chances(1)[Card("Ah")]
        Fraction(6, 29)
        """
        cards = CardSet.from_mask(compile_rules(self._sight.rules).deck_mask)
        return {card: self.chance(seat, card) for card in dict.fromkeys(cards)}

    def picture(self, *, language: str = "en") -> CardProbabilityChart:
        """Return a chart of where each card may be; see `CardProbabilityChart`."""
        from durak_widget.analysis.card_probability_chart import CardProbabilityChart  # noqa: PLC0415 - drawn only when asked for

        seats = [seat for seat, count in enumerate(self._sight.counts) if count and seat != self._sight.seat]
        return CardProbabilityChart(self.view, {holder: self._chances_or_none(holder) for holder in (*seats, None)}, language=language)

    def _chances_or_none(self, seat: int | None) -> dict[Card, Fraction] | None:
        """Return the same as `chances`, or None if counting would take too long."""
        try:
            return self.chances(seat)
        except PositionError:  # The probability stays unknown, because counting would take too long
            return None

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        return f"<Worlds of {self.view!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the chart of the worlds in the formats in which Jupyter can display it."""
        return self.picture(language=get_default_language())._repr_mimebundle_(include, exclude)

    def _chance_of_mask(self, seat: int | str | None, mask: int) -> Fraction:
        """Return the probability that a seat or the talon has at least one card in `mask`."""
        sight = self._sight
        number = None if seat is None or seat == TALON else as_whole_number(seat)
        if number is None:
            if seat is not None and seat != TALON:
                raise PositionError(f"{short_repr(seat)} is not a seat; give a seat, or None or 'talon' for the talon")
            held = sum({1 << face for _, face in sight.known_talon_cards})
        else:
            if not 0 <= number < len(sight.counts):
                raise PositionError(f"{short_repr(seat)} is not a seat; the seats are 0 to {len(sight.counts) - 1}")
            held = merge_copies((sight.known_hands or ())[number])
            if number == sight.seat:
                return Fraction(bool(held & mask))
        return Fraction(1) if held & mask else 1 - self._sampler.probability_of_none(number, mask & merge_copies(sight.unseen))

    # --- Build worlds from layouts of the unseen cards ---

    def require_some_world(self) -> None:
        """Raise an error if no world agrees with the assumptions."""
        if self.assumptions and not self.count():
            raise PositionError(
                f"no world agrees with assumptions={self.assumptions!r}: the moves of the game contradict them; leave out assumptions"
            )

    def _build_state(self, layout: CardLayout) -> State:
        """Build the state of the world with a given layout."""
        hands, add_card = self._known_hands[:], self._add_to_hand
        for seat, faces in layout.hands.items():
            hand = hands[seat]
            for face in faces:
                hand = add_card(hand, 1 << face)
            hands[seat] = hand
        talon = layout.talon[:]
        for index, face in self._known_talon:
            talon.insert(index, face)
        return build_state(self._sight, hands, talon)

    def _build_game(self, history: WorldHistory) -> Game:
        """Build the whole game of a possible world, given which cards were dealt and drawn."""
        initial_sight = self._inference.initial_sight
        hands = list(initial_sight.known_hands or ())
        for seat, dealt in history.dealt_hands.items():
            for face in dealt:
                hands[seat] = self._add_to_hand(hands[seat], 1 << face)
        game = Game.from_state(build_state(initial_sight, hands, [history.face_of_slot[slot] for slot in range(initial_sight.talon_count)]))
        for ply, move in enumerate(self._sight.moves, 1):
            game.play(Move.from_cards("swap", *map(Card.from_code, history.swapped_cards[ply])) if move is None else move)
        return game


def _require_sight(view: object) -> ObservationData:
    """Return the data in a view; raise an error for a view without a hand or a memory.

    To infer possible worlds, a view must show its own hand and its memory.
    """
    if not isinstance(view, Observation):
        raise PositionError(f"worlds needs a view, not {short_repr(view)}; use game.view(seat)")
    if view.is_hand_hidden:
        raise PositionError("this view has no hand, so its worlds cannot be found; use the view before `without_hand()`")
    if view.memory is None:
        raise PositionError("a view without memory does not show which cards are gone; use game.view(seat), which has its memory")
    return view.data


def _parse_assumptions(raw: Iterable[str] | str) -> tuple[str, ...]:
    """Return the names of the given assumptions; raise an error for an unknown name."""
    named = (raw,) if isinstance(raw, str) else tuple(raw)
    for name in named:
        if name not in ASSUMPTIONS:
            raise PositionError(f"{short_repr(name)} is not an assumption; give {', '.join(map(repr, ASSUMPTIONS))}, or both in a list")
    return tuple(name for name in ASSUMPTIONS if name in named)


def worlds(view: Observation, *, assumptions: Collection[str] | str = (), each: EquallyLikelyUnit = "world") -> Worlds:
    """Infer the possible worlds of a view, given everything that its seat has seen.

    `each` says what is equally likely: each world as it is now, or each deal from the start that can have led
    to one. `assumptions` takes for certain what is not: with `"took"`, a player who took could not beat; with
    `"passed"`, a player who passed had nothing to throw in but trumps.

    >>> from durak_widget import Game, analysis
    >>> analysis.worlds(Game(seed=7).view(0)).chance(1, "Ah")
    Fraction(6, 29)
    """
    return Worlds(view, assumptions=assumptions, each=each)


class LazyGame(Game):
    """A sampled game that saves time: it replays its moves only when they are needed.

    >>> world = LazyGame(lambda: Game(seed=7))
    >>> world.trump == Game(seed=7).trump, isinstance(world, Game)
    (True, True)
    """

    __slots__ = ("_replay",)

    def __init__(self, replay: Callable[[], Game]) -> None:
        self._replay = replay

    def __getattr__(self, name: str) -> object:
        """Replay the game's moves when code first uses an attribute that needs them."""
        if name not in Game.__slots__:
            msg = f"a game has no {name!r}"
            raise AttributeError(msg)
        game = self._replay()
        for slot in Game.__slots__:
            setattr(self, slot, getattr(game, slot))
        return getattr(game, name)

    def __reduce__(self) -> tuple[object, ...]:
        return _return_game, (Game.copy(self),)


def _return_game(game: Game) -> Game:
    """Return `game`; pickle calls this function to rebuild a `LazyGame`."""
    return game


def playouts(
    source: Observation | Game | Worlds,
    moves: Iterable[Move | str] | None = None,
    *,
    count: int = DEFAULT_WORLD_COUNT,
    seed: int = 1,
    policy: str | Sequence[str] = "careful",
    seconds: float | None = None,
    decided: int = 0,
    ahead: bool = False,
) -> Playouts:
    """Play out games after each legal move, from worlds that a seat considers possible.

    For a game, this takes the view of the seat to act, and ignores the cards that are hidden from it. For
    worlds, it uses their `assumptions`. The same seed gives the same answer on every computer. With
    `seconds` instead of `count`, it uses as many worlds as fit into that time, at least one; the answer says
    how many, and with that `count` it can be repeated. With two players, an endgame of at most `decided`
    cards is solved instead of played out, if no position can repeat (see `docs/endings.md`). With `ahead`,
    the seat's own later moves are not the careful bot's, but those with the best results so far given what
    the seat would have seen.

    >>> from durak_widget import Game, fast_engine
    >>> print(fast_engine.playouts(Game.from_position_line("6c 7c | 9h Ts; trump h"), count=50))
    50 worlds
    attack 7c                -0.340
    attack 6c                -0.400   0.060 ± 0.140 less
    """
    worlds = source if isinstance(source, Worlds) else Worlds(_require_view_to_play(source))
    return worlds.playouts(moves, count=count, seed=seed, policy=policy, seconds=seconds, decided=decided, ahead=ahead)


def _require_view_to_play(source: object) -> Observation:
    """Return a given view unchanged, or the view of the seat to act in a given game.

    Raise an error for any other value.
    """
    if isinstance(source, Game):
        if source.actor is None:
            raise PositionError("the game is over, so there is no move to try")
        return source.view(source.actor)
    if isinstance(source, Observation):
        return source
    raise PositionError(f"playouts needs a view, a game or worlds, not {short_repr(source)}; use fast_engine.playouts(game.view(seat))")
