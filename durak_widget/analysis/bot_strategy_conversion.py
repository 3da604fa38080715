"""Converts a bot to its strategy in a tree, and a strategy to a bot.

A bot is anything with `choose(view, rng)`. All its randomness comes from this generator, so the generator can
tell how it is used. If it is never used, the bot's move is certain. If it is used to choose among several
options, all combinations are tried and the probabilities are exact. Only a bot that draws numbers in another
way is asked many times, and its moves are counted.
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
        """Object that chooses moves."""

        def choose(self, view: View, rng: Random) -> Move | str:
            """Return the move of the seat of this view."""

    Player: TypeAlias = "Chooser | Callable[[View, Random], Move | str]"

SAMPLES: Final = 200
"""Default number of times that a bot is asked if its moves must be counted."""


class _Dice(Random):
    """Random generator that returns planned choices and records how it is used.

    It records the number of options of each choice, and whether the bot draws numbers in another way.
    """

    def __new__(cls, _written: list[int]) -> _Dice:  # older Pythons would use the list as the seed
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
    """Return the strategy of a bot, which is asked at every information set of both players.

    A bot that uses no randomness makes one move for certain. If it uses `rng.choice` and the like, the
    probabilities are exact. Any other bot is asked `samples` times, from a seed, and `strategy.samples` and
    `strategy.errors(…)` say so. Without `memory` it sees what a player sees who joins the table now: their
    hand and all open cards, and nothing of the past. It then plays the same wherever that is the same.

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
    sample_counts: dict[int, int] = {}
    infoset_of_view: dict[View, int] = {}
    for history, moment in moments(tree, firsts(tree)):
        infoset, view = tree.info[history], View(moment.sight(tree.actor[history], memory=memory))
        first_infoset = infoset if memory else infoset_of_view.setdefault(view, infoset)
        if first_infoset != infoset:
            rows[infoset] = rows[first_infoset]
            if first_infoset in sample_counts:
                sample_counts[infoset] = samples
            continue
        query = _Question(choose, bot_name(bot), view, tree.sets[infoset], infoset)
        exact_row = query.exactly(samples)
        if exact_row is None:
            rng = Random(f"{seed} at {infoset}")
            move_counts = Counter(query.ask(rng) for _ in range(samples))
            sample_counts[infoset] = samples
            rows[infoset] = tuple([move_counts[move] / samples for move in range(len(tree.sets[infoset].moves))])
        else:
            rows[infoset] = exact_row
    strategy = Strategy(tree, rows)
    strategy.samples = sample_counts
    return strategy


def _asks(bot: Player) -> Callable[[View, Random], object]:
    """Return the bot's choose function; refuse anything that is not a bot."""
    choose = getattr(bot, "choose", bot)
    if isinstance(bot, str):
        raise BotError(f"{quoted(bot)} is the name of a bot; give the bot itself, bots.get({quoted(bot)})")
    if isinstance(bot, type) or not callable(choose):
        raise BotError(f"{quoted(bot)} is not a bot; give an object with choose(view, rng), or such a function")
    return choose


def bot_name(bot: object) -> str:
    """Return the name of a bot.

    >>> def hasty(view, rng):
    ...     return view.legal_moves()[0]
    >>> bot_name(hasty)
    'hasty'
    """
    names = (getattr(owner, attribute, None) for owner in (bot, type(bot)) for attribute in ("name", "__name__"))
    name = next((name for name in names if isinstance(name, str)), "")
    return name if name.isprintable() and name != "<lambda>" and 0 < len(name) < 100 else "the bot"


class _Question:
    """Question to a bot at one information set."""

    __slots__ = ("_choose", "_legal", "_name", "_place", "_set", "_view")

    def __init__(self, choose: Callable[[View, Random], object], name: str, view: View, one: InfoSet, place: int) -> None:
        self._choose, self._name, self._view, self._set, self._place = choose, name, view, one, place
        self._legal = view.legal_moves()

    def ask(self, rng: Random) -> int:
        """Return the index of the move that the bot chooses; refuse an illegal one."""
        try:
            chosen = self._choose(self._view, rng)
        except ENDINGS as error:
            problem = str(error) if isinstance(error, DurakError) else f"{self._name} raised {type(error).__name__}: {error}"
            raise self._wrong(problem) from tellable(error)
        index = next((index for index, move in enumerate(self._legal) if chosen in (move, str(move))), None)
        if index is None:
            raise self._wrong(f"{self._name} chose {quoted(chosen)}, and may choose {', '.join(self._set.moves)}")
        return index

    def exactly(self, most: int) -> tuple[Fraction, ...] | None:
        """Return the exact probability of each move.

        None means that it can't be found with at most `most` combinations of choices.
        """
        probabilities, planned_choices = [Fraction(0)] * len(self._legal), list[int]()
        for _ in range(max(most, 1)):
            recorder = _Dice(planned_choices)
            chosen = self.ask(recorder)
            combinations = prod(recorder.among)
            if recorder.loose or combinations > most:
                return None
            if combinations == 1:
                return pure_row(chosen, len(self._legal))
            probabilities[chosen] += Fraction(1, combinations)
            planned_choices = [*planned_choices, *[0] * len(recorder.among)][: len(recorder.among)]
            while planned_choices and planned_choices[-1] + 1 == recorder.among[len(planned_choices) - 1]:
                planned_choices.pop()
            if not planned_choices:
                return tuple(probabilities) if sum(probabilities) == 1 else None
            planned_choices[-1] += 1
        return None

    def _wrong(self, said: str) -> BotError:
        return BotError(f"at information set {self._place}, {self._set.label!r}: {said}")


class Strategist:
    """Bot that plays a strategy; `bot_of` makes it."""

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
        """Return the strategy's move, chosen at random if the strategy mixes."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        row = self._strategy.rows[self._place(view)]
        if max(row) == 1:
            return legal[row.index(max(row))]
        if self._strategy.exact:
            denominator = lcm(*(Fraction(probability).denominator for probability in row))
            random_number: Number = Fraction(rng.randrange(denominator), denominator)
        else:
            random_number = rng.random() * sum(row)
        return next(move for move, upper_limit in zip(legal, accumulate(row), strict=True) if random_number < upper_limit)

    def _place(self, view: View) -> int:
        """Return the information set of a view."""
        infoset = self._met.get(view)
        if infoset is None:
            infoset = next((infoset for infoset in self._places.get(hash(view), ()) if view_of(self._tree, infoset) == view), None)
            if infoset is None:
                raise BotError("this moment is in no game that the strategy is for: it has other rules, another deck or another dealer")
            self._met[view] = infoset
        return infoset


def bot_of(tree: Tree, strategy: Strategy) -> Strategist:
    """Return a bot that plays a strategy of a small game.

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
