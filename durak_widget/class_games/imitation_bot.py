"""Defines a bot that imitates how a school class played.

It chooses moves as often as the recorded games did. The model counts the choices made in similar situations.
It sees only an `Observation`. A bot can be saved as one small file that contains no student's name.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from durak_widget.atomic_files import parse_json_text, require_path, save_text
from durak_widget.bots.bot import PERSON_NAME, Bot
from durak_widget.bots.heuristic_bots import TRUMP_PRICE, get_card_prices, plan_beats
from durak_widget.class_games.decision_table import classify_cost, find_role, get_move_cost
from durak_widget.class_games.game_dataset import GameDataset, games
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from random import Random

    from durak_widget.class_games.decision_table import Row
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Observation

    Tallies = dict[str, Counter[str]]

PRIOR_WEIGHT: Final = 2
"""The weight of choices in less similar situations, as a number of decisions in the most similar ones."""
_CHANCE_TOTAL: Final = 100
"""The sum of the probabilities of all legal moves, in percent.

`rng.randrange(100)` chooses, so a caller that needs the probability of each move can try all values.
"""
_MAX_FEW_CARDS: Final = 2
_MAX_SOME_CARDS: Final = 5
FORMAT: Final = "durak_widget.class_bot/1"
_MAX_FILE_BYTES: Final = 20_000_000
_MAX_COUNT: Final = 10**9


class ChoiceFrequency(NamedTuple):
    """How often recorded players chose one kind of move, among a number of similar situations."""

    times_chosen: int
    total: int
    is_close_match: bool
    """True if these situations equal the given one in every detail that the model knows."""


def classify_move(move: Move, legal: Sequence[Move], view: Observation) -> str:
    """Return the kind of a move, such as "beat cheapest" or "attack middle".

    It names the verb, the cost among moves with the same verb, whether it is a trump, and whether it has several cards.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> [classify_move(move, view.legal_moves(), view) for move in view.legal_moves()]
    ['attack cheapest', 'attack middle', 'attack dearest trump']
    """
    price = get_card_prices(view)
    cost_class = classify_cost(move, legal, price)
    if cost_class is None:
        return move.verb
    own = move.cards[1:] if move.verb == "beat" else move.cards
    return " ".join(
        [move.verb, cost_class, *(["trump"] if get_move_cost(move, price) >= TRUMP_PRICE else []), *(["several"] if len(own) > 1 else [])]
    )


def describe_situation(view: Observation, move_kinds: Iterable[str]) -> tuple[str, str, str]:
    """Describe a player's situation in three texts, the most detailed one first.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> describe_situation(view, ["attack middle", "attack cheapest"])[1:]
    ('leads, ending: attack cheapest, attack middle', 'leads: attack cheapest, attack middle')
    """
    legal = view.legal_moves()
    role_name, offered = find_role(legal), ", ".join(sorted(set(move_kinds)))
    phase = "talon" if view.talon_count else "ending"
    hand_size = view.counts[view.seat]
    size = "few" if hand_size <= _MAX_FEW_CARDS else "some" if hand_size <= _MAX_SOME_CARDS else "many"
    beating = "" if role_name != "defends" else ", all" if plan_beats(view, legal, get_card_prices(view)) else ", not all"
    return f"{role_name}, {phase}, {size}{beating}: {offered}", f"{role_name}, {phase}: {offered}", f"{role_name}: {offered}"


class ImitationModel:
    """Counts which kinds of moves recorded players chose, and imitates their choices.

    It sees an `Observation` and nothing else.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> likeness = ImitationModel()
    >>> for _ in range(9):
    ...     likeness.learn(view, view.legal_moves()[0])
    >>> likeness.get_chances(view), likeness.find_frequency(view, "attack 6c")
    ([100, 0, 0], ChoiceFrequency(times_chosen=9, total=9, is_close_match=True))
    """

    name = "class"

    def __init__(self) -> None:
        """Create a model that has seen no decisions yet."""
        self.chosen: Tallies = defaultdict(Counter)
        """How often each kind of move was chosen, by situation at each level of detail."""
        self.offered: Counter[str] = Counter()
        """The number of decisions in which each kind of move was possible."""
        self.decisions = 0
        """The number of decisions that are counted."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ImitationModel):
            return NotImplemented
        return (self.chosen, self.offered, self.decisions) == (other.chosen, other.offered, other.decisions)

    __hash__ = None  # type: ignore[assignment] # it is mutable

    def learn(self, view: Observation, move: Move) -> None:
        """Count the kind of move that a recorded player chose, unless the move was forced."""
        legal = view.legal_moves()
        if len(legal) < 2:
            return
        kinds = [classify_move(legal_move, legal, view) for legal_move in legal]
        chosen_kind = kinds[legal.index(move)]
        for situation in describe_situation(view, kinds):
            self.chosen[situation][chosen_kind] += 1
        self.chosen[""][chosen_kind] += 1
        self.offered.update(set(kinds))
        self.decisions += 1

    def _estimate_probabilities(self, view: Observation) -> tuple[list[str], Mapping[str, Fraction]]:
        """Return the kind of each legal move, and how probable each kind is.

        It counts what was chosen in such situations and, with little weight, what was chosen in rougher ones.
        """
        legal = view.legal_moves()
        kinds = [classify_move(move, legal, view) for move in legal]
        total_chosen = self.chosen.get("", Counter())
        rates = {kind_name: Fraction(2 * total_chosen[kind_name] + 1, 2 * self.offered[kind_name] + 2) for kind_name in set(kinds)}
        probabilities = {kind_name: rate / sum(rates.values()) for kind_name, rate in rates.items()}
        for situation in reversed(describe_situation(view, kinds)):
            counts = self.chosen.get(situation, Counter())
            count_here = sum(counts[kind_name] for kind_name in probabilities)
            probabilities = {
                kind_name: (counts[kind_name] + PRIOR_WEIGHT * prior) / (count_here + PRIOR_WEIGHT)
                for kind_name, prior in probabilities.items()
            }
        return kinds, probabilities

    def get_chances(self, view: Observation) -> list[int]:
        """Return the probability, in whole percent, with which to choose each legal move.

        Moves of one kind are equally probable.
        """
        kinds, probabilities = self._estimate_probabilities(view)
        exact = [probabilities[kind_name] * _CHANCE_TOTAL / kinds.count(kind_name) for kind_name in kinds]
        percents = [int(percent) for percent in exact]
        by_rest = sorted(range(len(exact)), key=lambda index: percents[index] - exact[index])
        for index in by_rest[: _CHANCE_TOTAL - sum(percents)]:
            percents[index] += 1
        return percents

    def choose(self, view: Observation, rng: Random) -> Move:
        """Choose a random move, with probabilities estimated from recorded players' choices."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        remaining = rng.randrange(_CHANCE_TOTAL)
        for move, chance in zip(legal, self.get_chances(view), strict=True):
            remaining -= chance
            if remaining < 0:
                return move
        return legal[-1]

    def find_frequency(self, view: Observation, move: Move | str) -> ChoiceFrequency:
        """Return how often recorded players chose moves of the same kind in similar situations.

        It is 0 of 0 if there are none.
        """
        legal = view.legal_moves()
        kinds = [classify_move(legal_move, legal, view) for legal_move in legal]
        own_kind = next(
            (kind_name for kind_name, legal_move in zip(kinds, legal, strict=True) if move in (legal_move, str(legal_move))), None
        )
        for size, situation in enumerate(describe_situation(view, kinds)):
            counts = self.chosen.get(situation, Counter())
            total = sum(counts[kind_name] for kind_name in set(kinds))
            if own_kind is not None and total:
                return ChoiceFrequency(counts[own_kind], total, size == 0)
        return ChoiceFrequency(0, 0, is_close_match=False)

    def why(self, view: Observation, move: Move | str) -> TranslatableText:
        """Return a translatable text on why the model chose a move.

        >>> from durak_widget.i18n import Translator
        >>> from durak_widget import Game
        >>> said = ImitationModel().why(Game(seed=7).view(0), "attack 6s")
        >>> Translator("en").translate(said.key, **said.facts)
        'No player has been in a position like this one, so this move is a guess.'
        """
        frequency = self.find_frequency(view, move)
        key = "chose" if frequency.is_close_match else "rather" if frequency.total else "new"
        return TranslatableText(f"class.play.{key}", {"count": frequency.times_chosen, "all": frequency.total})


@dataclass(frozen=True, repr=False)
class ClassBot(Bot):
    """A bot that plays like recorded players; create it with `class_bot`."""

    implementation: ImitationModel
    """The model that counts which kinds of moves the players chose."""

    def explain(self, view: Observation, move: Move | str, language: str | None = None) -> str:
        """Return a sentence on how often the players chose this kind of move.

        >>> from durak_widget import Game
        >>> bot = class_bot(who="careful")
        >>> bot.explain(Game(seed=7).view(0), "attack 6s")
        'Players chose this move in 93 of 93 positions like this one.'
        """
        reason = self.implementation.why(view, move)
        return Translator(user_defaults.get_language() if language is None else language).translate(reason.key, **reason.facts)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the model's counts to a file from which `class_bot` can create the same bot again.

        The name of the file must end in `.json`. The file contains no name and no game.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "last-year.json")
        >>> class_bot().save(path)
        >>> class_bot(path).implementation == class_bot().implementation
        True
        """
        likeness = self.implementation
        data = {
            "format": FORMAT,
            "decisions": likeness.decisions,
            "offered": dict(sorted(likeness.offered.items())),
            "chosen": {situation: dict(sorted(kinds.items())) for situation, kinds in sorted(likeness.chosen.items())},
        }
        save_text(path, json.dumps(data, indent=1, ensure_ascii=True) + "\n")


def class_bot(
    source: GameDataset | str | PathLike[str] | Iterable[Game] | None = None,
    *,
    who: str | Collection[str] | None = None,
    name: str = "class",
) -> ClassBot:
    """Create a bot that plays like the players of recorded games.

    `source` is a folder, the result of `games(…)`, or a file that `save` has written, whose name must end in `.json`.
    Without `source`, the sample is used. The bot counts the decisions of people, or of everyone where no people played, or those of `who`
    (a student, a bot, several).

    >>> bot = class_bot()
    >>> bot, bot.implementation.decisions > 1000
    (<Bot class>, True)
    >>> from durak_widget import Table
    >>> Table(seats={1: bot}, seed=7).players
    ('you', 'class')
    """
    if isinstance(source, (str, bytes, os.PathLike)) and require_path(source).lower().endswith(".json"):
        return ClassBot(name, _read_model(Path(require_path(source))))
    dataset = source if isinstance(source, GameDataset) else games(source, budget=0)
    by_game: dict[str, list[Row]] = {}
    for row in _select_decisions(dataset, who):
        by_game.setdefault(row["file"], []).append(row)
    likeness = ImitationModel()
    for file, rows in by_game.items():
        game = dataset.games_by_file[file].game.copy()
        for row in rows:
            game.goto(row["ply"] - 1)
            likeness.learn(game.view(row["seat"]), Move(row["chosen"]))
    if not likeness.decisions:
        raise DurakError("there is nothing to learn from: no player had a choice in these games")
    return ClassBot(name, likeness)


def _select_decisions(dataset: GameDataset, who: str | Collection[str] | None) -> list[Row]:
    """Return the decisions of the players whom the model should imitate.

    `who` has the players' names; None stands for all people or, if there are none, for all players.
    """
    if who is None:
        return [row for row in dataset if row["who"] == PERSON_NAME] or dataset.rows
    if not isinstance(who, (str, Collection)):
        raise DurakError(f'who must be the name of a player, or several, as in who=["ann", "ben"], not {short_repr(who)}')
    wanted_players, players = {who} if isinstance(who, str) else set(who), {row["player"] for row in dataset}
    if unknown := sorted(wanted_players - players):
        known_players = ", ".join(map(repr, sorted(players))) or "none"
        raise DurakError(f"no decision is by a player called {short_repr(unknown[0])}; there are {known_players}")
    return [row for row in dataset if row["player"] in wanted_players]


def _read_model(path: Path) -> ImitationModel:
    """Read a file that `ClassBot.save` wrote; raise an error for any other content."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_FILE_BYTES:
            raise _build_file_error(
                path, f"it is not a file, or it is longer than {_MAX_FILE_BYTES} bytes" if path.exists() else "there is no such file"
            )
        data = parse_json_text(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DurakError(f"cannot read {short_repr(path.name)}: {error.strerror or 'the system gave no reason'}") from None
    except ValueError:
        raise _build_file_error(path, "it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _build_file_error(path, f"it does not have 'format': '{FORMAT}'")
    if not isinstance(data.get("chosen"), dict) or not isinstance(data.get("offered"), dict):
        raise _build_file_error(path, "it does not have the counts of chosen and offered moves")
    likeness = ImitationModel()
    likeness.decisions = _parse_count(path, data.get("decisions"))
    likeness.offered = _parse_counts(path, data["offered"])
    for situation, kinds in data["chosen"].items():
        likeness.chosen[situation] = _parse_counts(path, kinds)
    return likeness


def _parse_counts(path: Path, counts: object) -> Counter[str]:
    """Parse the model's counts from a dict that was read from a file."""
    if not isinstance(counts, dict):
        raise _build_file_error(path, "it does not have the counts for each kind of move")
    return Counter({cast("str", kind_name): _parse_count(path, count) for kind_name, count in counts.items()})


def _parse_count(path: Path, count: object) -> int:
    """Parse one of the model's counts, as it is stored in a file."""
    number = as_whole_number(count)
    if number is None or isinstance(count, bool) or not 0 <= number <= _MAX_COUNT:
        raise _build_file_error(path, f"{short_repr(count)} is not a count of moves")
    return number


def _build_file_error(path: Path, why: str) -> DurakError:
    """Return an error which says that a file was not written by `ClassBot.save`."""
    return DurakError(f"{short_repr(path.name)} was not written by bot.save: {why}")
