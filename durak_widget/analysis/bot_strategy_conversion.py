"""Converts a bot to its strategy in a game tree, and a strategy to a bot.

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

from durak_widget.analysis.game_at_node import first_histories, replay_nodes, restore_view
from durak_widget.engine.observation import Observation
from durak_widget.errors import USER_CODE_EXCEPTIONS, BotError, DurakError, as_whole_number, short_repr, to_reportable_error
from durak_widget.gametheory.strategy import Strategy, StrategyError, pure_row
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.moves import Move
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree

    class Chooser(Protocol):
        """An object that chooses moves, such as a bot."""

        def choose(self, view: Observation, rng: Random) -> Move | str:
            """Return a legal move for the player who sees `view`."""

    BotLike: TypeAlias = "Chooser | Callable[[Observation, Random], Move | str]"

DEFAULT_SAMPLES: Final = 200
"""The default number of times that a bot chooses a move in one position, if its move probabilities have to be
estimated."""


class _RecordingRandom(Random):
    """A random generator that gives a bot planned results and records how the bot uses them.

    It records the number of options of each choice, and whether the bot draws numbers in another way.
    """

    def __new__(
        cls, _planned_choices: list[int]
    ) -> _RecordingRandom:  # Before Python 3.11, `Random` would use the planned choices as a seed
        return super().__new__(cls)

    def __init__(self, planned_choices: list[int]) -> None:
        super().__init__(0)  # With a fixed seed, every run gives equal results
        self.planned_choices, self.option_counts, self.is_used_otherwise = planned_choices, list[int](), False

    def _randbelow(self, n: int) -> int:  # `choice`, `randrange`, `shuffle` and `sample` get random numbers only from this method
        if n == 1:
            return 0
        self.option_counts.append(n)
        return self.planned_choices[len(self.option_counts) - 1] if len(self.option_counts) <= len(self.planned_choices) else 0

    def random(self) -> float:
        self.is_used_otherwise = True
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self.is_used_otherwise = True
        return super().getrandbits(k)

    def seed(self, a: float | str | bytes | bytearray | None = None, version: int = 2) -> None:  # type: ignore[override] # as in Random
        self.is_used_otherwise = True
        super().seed(a, version)

    def getstate(self) -> tuple[Any, ...]:
        self.is_used_otherwise = True
        return super().getstate()


def convert_bot_to_strategy(
    tree: Tree, bot: BotLike, *, memory: bool = True, samples: int = DEFAULT_SAMPLES, seed: int | str = 0
) -> Strategy:
    """Convert a bot to a strategy by asking the bot for a move at every information set.

    A bot that uses no randomness makes one move for certain. If it uses `rng.declare_choice` and the like, the
    probabilities are exact. Any other bot is asked `samples` times, from a seed, and `strategy.sample_counts` and
    `strategy.standard_errors(…)` say so. Without `memory` it sees what a player sees who joins the table now: their
    hand and all open cards, and nothing of the past. It then plays the same wherever that is the same.

    >>> from durak_widget import Rules, analysis, gametheory
    >>> tree = analysis.build_game_tree(Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), dealer=1)
    >>> convert_bot_to_strategy(tree, lambda view, rng: rng.choice(view.legal_moves())) == gametheory.Strategy.uniform(tree)
    True
    >>> convert_bot_to_strategy(tree, lambda view, rng: view.legal_moves()[rng.random() < 0.3], seed=1)
    <Strategy: 58 information sets, 58 of them mixed, 58 of them estimated>
    """
    require_tree(tree)
    choose = _require_choose_function(bot)
    if (as_whole_number(samples) or 0) < 1:
        raise BotError(
            f"samples must be a whole number from 1 on, not {short_repr(samples)}: it is how often a bot with random choices is asked"
        )
    rows: list[tuple[Number, ...]] = [()] * len(tree.infosets)
    sample_counts: dict[int, int] = {}
    infoset_of_view: dict[Observation, int] = {}
    for history, moment in replay_nodes(tree, first_histories(tree)):
        infoset, view = tree.infoset_of[history], Observation(moment.make_sight(tree.actor[history], memory=memory))
        first_infoset = infoset if memory else infoset_of_view.setdefault(view, infoset)
        if first_infoset != infoset:
            rows[infoset] = rows[first_infoset]
            if first_infoset in sample_counts:
                sample_counts[infoset] = samples
            continue
        query = _InfosetQuery(choose, get_bot_name(bot), view, tree.infosets[infoset], infoset)
        exact_row = query.find_exact_probabilities(samples)
        if exact_row is None:
            rng = Random(f"{seed} at {infoset}")
            move_counts = Counter(query.ask(rng) for _ in range(samples))
            sample_counts[infoset] = samples
            rows[infoset] = tuple([move_counts[move] / samples for move in range(len(tree.infosets[infoset].actions))])
        else:
            rows[infoset] = exact_row
    strategy = Strategy(tree, rows)
    strategy.sample_counts = sample_counts
    return strategy


def _require_choose_function(bot: BotLike) -> Callable[[Observation, Random], object]:
    """Return the bot's `choose` function; raise an error if the object is not a bot."""
    choose = getattr(bot, "choose", bot)
    if isinstance(bot, str):
        raise BotError(f"{short_repr(bot)} is the name of a bot; give the bot itself, bots.get({short_repr(bot)})")
    if isinstance(bot, type) or not callable(choose):
        raise BotError(f"{short_repr(bot)} is not a bot; give an object with choose(view, rng), or a function choose(view, rng)")
    return choose


def get_bot_name(bot: object) -> str:
    """Return the name of a bot for use in error messages.

    >>> def hasty(view, rng):
    ...     return view.legal_moves()[0]
    >>> get_bot_name(hasty)
    'hasty'
    """
    names = (getattr(owner, attribute, None) for owner in (bot, type(bot)) for attribute in ("name", "__name__"))
    name = next((name for name in names if isinstance(name, str)), "")
    return name if name.isprintable() and name != "<lambda>" and 0 < len(name) < 100 else "the bot"


class _InfosetQuery:
    """A query that asks a bot for its move at one information set."""

    __slots__ = ("_choose", "_infoset", "_infoset_record", "_legal_moves", "_name", "_view")

    def __init__(
        self, choose: Callable[[Observation, Random], object], name: str, view: Observation, infoset_record: InfoSet, infoset: int
    ) -> None:
        self._choose, self._name, self._view, self._infoset_record, self._infoset = choose, name, view, infoset_record, infoset
        self._legal_moves = view.legal_moves()

    def ask(self, rng: Random) -> int:
        """Return the index of the bot's move; raise an error if the move is illegal."""
        try:
            chosen = self._choose(self._view, rng)
        except USER_CODE_EXCEPTIONS as error:
            problem = str(error) if isinstance(error, DurakError) else f"{self._name} raised {type(error).__name__}: {error}"
            raise self._make_error(problem) from to_reportable_error(error)
        index = next((index for index, move in enumerate(self._legal_moves) if chosen in (move, str(move))), None)
        if index is None:
            raise self._make_error(
                f"{self._name} chose {short_repr(chosen)}, but must choose one of {', '.join(self._infoset_record.actions)}"
            )
        return index

    def find_exact_probabilities(self, max_combinations: int) -> tuple[Fraction, ...] | None:
        """Return the exact probability of each move, by trying all random choices of the bot.

        None means that it can't be found with at most `max_combinations` combinations of choices.
        """
        probabilities, planned_choices = [Fraction(0)] * len(self._legal_moves), list[int]()
        for _ in range(max(max_combinations, 1)):
            recorder = _RecordingRandom(planned_choices)
            chosen = self.ask(recorder)
            combinations = prod(recorder.option_counts)
            if recorder.is_used_otherwise or combinations > max_combinations:
                return None
            if combinations == 1:
                return pure_row(chosen, len(self._legal_moves))
            probabilities[chosen] += Fraction(1, combinations)
            planned_choices = [*planned_choices, *[0] * len(recorder.option_counts)][: len(recorder.option_counts)]
            while planned_choices and planned_choices[-1] + 1 == recorder.option_counts[len(planned_choices) - 1]:
                planned_choices.pop()
            if not planned_choices:
                return tuple(probabilities) if sum(probabilities) == 1 else None
            planned_choices[-1] += 1
        return None

    def _make_error(self, problem: str) -> BotError:
        return BotError(f"at information set {self._infoset}, {self._infoset_record.label!r}: {problem}")


class StrategyBot:
    """A bot that plays by a strategy; create it with `convert_strategy_to_bot`."""

    def __init__(self, tree: Tree, strategy: Strategy) -> None:
        strategy.require_same_infosets(tree.infosets)
        if getattr(tree.origin, "open_hands", True) or getattr(tree.origin, "seeing", True):
            raise StrategyError(
                "a bot sees only its own hand, so it plays a strategy only for a tree with hidden hands; make the tree with analysis.build_game_tree"
            )
        self._tree, self._strategy = tree, strategy
        self._infoset_of_view: dict[Observation, int] = {}
        self._infosets_by_hash: dict[int, list[int]] = {}
        for history, moment in replay_nodes(tree, first_histories(tree)):
            self._infosets_by_hash.setdefault(hash(Observation(moment.make_sight(tree.actor[history]))), []).append(
                tree.infoset_of[history]
            )

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the strategy's move in a view; if the strategy mixes moves, draw one at random."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        row = self._strategy.rows[self._find_infoset(view)]
        if max(row) == 1:
            return legal[row.index(max(row))]
        if self._strategy.exact:
            denominator = lcm(*(Fraction(probability).denominator for probability in row))
            random_number: Number = Fraction(rng.randrange(denominator), denominator)
        else:
            random_number = rng.random() * sum(row)
        return next(move for move, upper_limit in zip(legal, accumulate(row), strict=True) if random_number < upper_limit)

    def _find_infoset(self, view: Observation) -> int:
        """Return the index of the information set that belongs to a player's observation."""
        infoset = self._infoset_of_view.get(view)
        if infoset is None:
            infoset = next(
                (infoset for infoset in self._infosets_by_hash.get(hash(view), ()) if restore_view(self._tree, infoset) == view), None
            )
            if infoset is None:
                raise BotError(
                    "this moment is not in any game that the strategy is for: it has other rules, another deck or another dealer"
                )
            self._infoset_of_view[view] = infoset
        return infoset


def convert_strategy_to_bot(tree: Tree, strategy: Strategy) -> StrategyBot:
    """Convert a strategy of a small game to a bot.

    >>> from durak_widget import Game, Rules, analysis, gametheory
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> tree = analysis.build_game_tree(rules, dealer=1)
    >>> bot = convert_strategy_to_bot(tree, gametheory.Strategy.uniform(tree))
    >>> game = Game(rules, deck="6c 7c 6d 7d", dealer=1); game.play("attack 6c")
    >>> bot.choose(game.view(1), Random(1))
    Move('beat 6c 7c')
    >>> convert_bot_to_strategy(tree, bot) == gametheory.Strategy.uniform(tree)
    True
    """
    return StrategyBot(tree, strategy)
