"""From a bot to what it would do everywhere, and back from a strategy to a bot.

A bot is anything with `choose(view, rng)`. All its chance comes from the generator that it is handed, so the generator knows whether there was any:
one that is never used means one move for certain. Where it is used to choose among so many, all ways are gone through, and the probabilities are exact; only a
bot that draws numbers of its own is asked many times, and counted.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from math import lcm, prod
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from durak_widget.analysis.game_at_node import firsts, moments, view_of
from durak_widget.engine.observation import View
from durak_widget.errors import ENDINGS, BotError, DurakError, quoted, tellable, whole_number
from durak_widget.gametheory.strategy import Strategy, StrategyError, pure_row
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.moves import Move
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree

    class Chooser(Protocol):
        """An object that plays."""

        def choose(self, view: View, rng: Random) -> Move | str:
            """The move that the seat of this view makes."""

    Player: TypeAlias = "Chooser | Callable[[View, Random], Move | str]"

SAMPLES: Final = 200
"""How often a bot is asked where its frequencies must be counted."""


class _Dice(Random):
    """A generator that gives what is written for it, notes among how many it was to choose, and whether it was asked for anything else."""

    def __new__(cls, _written: list[int]) -> _Dice:  # older Pythons would seed it with the list
        return super().__new__(cls)

    def __init__(self, written: list[int]) -> None:
        super().__init__(0)  # seeds it
        self.written, self.among, self.loose = written, list[int](), False

    def _randbelow(self, n: int) -> int:  # all that `choice`, `randrange`, `shuffle` and `sample` ask for
        if n == 1:
            return 0
        self.among.append(n)
        return self.written[len(self.among) - 1] if len(self.among) <= len(self.written) else 0

    def random(self) -> float:
        self.loose = True
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self.loose = True
        return super().getrandbits(k)

    def seed(self, a: float | str | bytes | bytearray | None = None, version: int = 2) -> None:  # type: ignore[override] # as in Random
        self.loose = True
        super().seed(a, version)

    def getstate(self) -> tuple[Any, ...]:
        self.loose = True
        return super().getstate()


def strategy_of(tree: Tree, bot: Player, *, memory: bool = True, samples: int = SAMPLES, seed: int | str = 0) -> Strategy:
    """What a bot would do wherever it may have to act: it is asked at every information set of both seats.

    A bot that uses no chance makes one move for certain, and the probabilities of one that chooses by `rng.choice` and the like are exact. Any other is asked so
    many times, from a seed, and `strategy.samples` and `strategy.errors(…)` say so. Without `memory` it is shown what one sees who comes to the table now:
    its hand and all that lies open, and nothing of the past; and it plays alike wherever that is alike.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> tree = analysis.build(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> strategy_of(tree, lambda view, rng: rng.choice(view.legal_moves())) == gametheory.Strategy.uniform(tree)
    True
    >>> strategy_of(tree, lambda view, rng: view.legal_moves()[rng.random() < 0.3], seed=1)
    <Strategy: 58 information sets, 58 of them mixed, 58 of them estimated>
    """
    require_tree(tree)
    choose = _asks(bot)
    if (whole_number(samples) or 0) < 1:
        raise BotError(f"samples={quoted(samples)} is how often a bot is asked that leaves its choice to chance: a whole number from 1 on")
    rows: list[tuple[Number, ...]] = [()] * len(tree.sets)
    counted: dict[int, int] = {}
    asked: dict[View, int] = {}
    for history, moment in moments(tree, firsts(tree)):
        place, view = tree.info[history], View(moment.sight(tree.actor[history], memory=memory))
        before = place if memory else asked.setdefault(view, place)
        if before != place:
            rows[place] = rows[before]
            if before in counted:
                counted[place] = samples
            continue
        question = _Question(choose, bot_name(bot), view, tree.sets[place], place)
        found = question.exactly(samples)
        if found is None:
            rng = Random(f"{seed} at {place}")
            often = Counter(question.ask(rng) for _ in range(samples))
            counted[place] = samples
            rows[place] = tuple([often[move] / samples for move in range(len(tree.sets[place].moves))])
        else:
            rows[place] = found
    strategy = Strategy(tree, rows)
    strategy.samples = counted
    return strategy


def _asks(bot: Player) -> Callable[[View, Random], object]:
    """How a bot is asked."""
    choose = getattr(bot, "choose", bot)
    if isinstance(bot, str):
        raise BotError(f"{quoted(bot)} is the name of a bot; give the bot itself, bots.get({quoted(bot)})")
    if isinstance(bot, type) or not callable(choose):
        raise BotError(f"{quoted(bot)} is not a bot; give an object with choose(view, rng), or such a function")
    return choose


def bot_name(bot: object) -> str:
    """What a bot is called.

    >>> def hasty(view, rng):
    ...     return view.legal_moves()[0]
    >>> bot_name(hasty)
    'hasty'
    """
    names = (getattr(thing, fact, None) for thing in (bot, type(bot)) for fact in ("name", "__name__"))
    name = next((name for name in names if isinstance(name, str)), "")
    return name if name.isprintable() and name != "<lambda>" and 0 < len(name) < 100 else "the bot"


class _Question:
    """What a bot is to answer at one information set."""

    __slots__ = ("_choose", "_legal", "_name", "_place", "_set", "_view")

    def __init__(self, choose: Callable[[View, Random], object], name: str, view: View, one: InfoSet, place: int) -> None:
        self._choose, self._name, self._view, self._set, self._place = choose, name, view, one, place
        self._legal = view.legal_moves()

    def ask(self, rng: Random) -> int:
        """The place of the move that it chooses, which is a legal one."""
        try:
            chosen = self._choose(self._view, rng)
        except ENDINGS as raised:
            said = str(raised) if isinstance(raised, DurakError) else f"{self._name} raised {type(raised).__name__}: {raised}"
            raise self._wrong(said) from tellable(raised)
        place = next((place for place, move in enumerate(self._legal) if chosen in (move, str(move))), None)
        if place is None:
            raise self._wrong(f"{self._name} chose {quoted(chosen)}, and may choose {', '.join(self._set.moves)}")
        return place

    def exactly(self, most: int) -> tuple[Fraction, ...] | None:
        """How likely it is to make each move, if that can be found by going through no more than so many ways; None if not."""
        likely, written = [Fraction(0)] * len(self._legal), list[int]()
        for _ in range(max(most, 1)):
            dice = _Dice(written)
            chosen = self.ask(dice)
            ways = prod(dice.among)
            if dice.loose or ways > most:
                return None
            if ways == 1:
                return pure_row(chosen, len(self._legal))
            likely[chosen] += Fraction(1, ways)
            written = [*written, *[0] * len(dice.among)][: len(dice.among)]
            while written and written[-1] + 1 == dice.among[len(written) - 1]:
                written.pop()
            if not written:
                return tuple(likely) if sum(likely) == 1 else None
            written[-1] += 1
        return None

    def _wrong(self, said: str) -> BotError:
        return BotError(f"at information set {self._place}, {self._set.label!r}: {said}")


class Strategist:
    """Who plays by a strategy: a bot, made by `bot_of`."""

    def __init__(self, tree: Tree, strategy: Strategy) -> None:
        strategy.require_sets(tree.sets)
        if getattr(tree.origin, "open_hands", True) or getattr(tree.origin, "seeing", True):
            raise StrategyError(
                "a bot is shown its own hand alone, so that it plays by a strategy of a tree with hidden hands, made by analysis.build"
            )
        self._tree, self._strategy = tree, strategy
        self._met: dict[View, int] = {}
        self._places: dict[int, list[int]] = {}
        for history, moment in moments(tree, firsts(tree)):
            self._places.setdefault(hash(View(moment.sight(tree.actor[history]))), []).append(tree.info[history])

    def choose(self, view: View, rng: Random) -> Move:
        """The move of the strategy, drawn where it mixes."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        row = self._strategy.rows[self._place(view)]
        if max(row) == 1:
            return legal[row.index(max(row))]
        if self._strategy.exact:
            whole = lcm(*(Fraction(one).denominator for one in row))
            drawn: Number = Fraction(rng.randrange(whole), whole)
        else:
            drawn = rng.random() * sum(row)
        return next(move for move, upto in zip(legal, accumulate(row), strict=True) if drawn < upto)

    def _place(self, view: View) -> int:
        """The information set at which the seat of this view stands."""
        place = self._met.get(view)
        if place is None:
            place = next((place for place in self._places.get(hash(view), ()) if view_of(self._tree, place) == view), None)
            if place is None:
                raise BotError("this moment is in no game that the strategy is for: it has other rules, another deck or another dealer")
            self._met[view] = place
        return place


def bot_of(tree: Tree, strategy: Strategy) -> Strategist:
    """A bot that plays by a strategy of a small game: at a table, against another bot, or asked again.

    >>> from durak_widget import Game, Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree = analysis.build(rules, dealer=1)
    >>> bot = bot_of(tree, gametheory.Strategy.uniform(tree))
    >>> game = Game(rules, deck="6c 7c 6d 7d", dealer=1); game.play("attack 6c")
    >>> bot.choose(game.view(1), Random(1))
    Move('beat 6c 7c')
    >>> strategy_of(tree, bot) == gametheory.Strategy.uniform(tree)
    True
    """
    return Strategist(tree, strategy)
