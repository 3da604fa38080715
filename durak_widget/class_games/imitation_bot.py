"""Defines a bot that plays like a class.

It chooses moves as often as the recorded games did. The model counts the choices made in similar situations.
It sees only a `View`. A bot can be saved as one small file that contains no student's name.
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

from durak_widget.atomic_files import keep_text, path_of, read_json
from durak_widget.bots.bot import YOU, Bot
from durak_widget.bots.heuristic_bots import TRUMP, beating_all, prices
from durak_widget.class_games.decision_table import cost, place_of, role
from durak_widget.class_games.game_dataset import Games, games
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.i18n import Fact, Voice
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from random import Random

    from durak_widget.class_games.decision_table import Row
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import View

    Tallies = dict[str, Counter[str]]

PRIOR: Final = 2
"""Weight of what was chosen in less similar situations, in decisions."""
_WHOLE: Final = 100
"""Sum of the chances, which are whole percent.

`rng.randrange(100)` chooses, so a caller that needs the probability of each move can try all values.
"""
_FEW: Final = 2
_SOME: Final = 5
FORMAT: Final = "durak_widget.class_bot/1"
_MOST_BYTES: Final = 20_000_000
_MOST: Final = 10**9


class Likely(NamedTuple):
    """The frequency of a kind of move: `many` times of `all` in similar situations."""

    many: int
    all: int
    alike: bool
    """True if the situations were as similar as the model can distinguish."""


def kind(move: Move, legal: Sequence[Move], view: View) -> str:
    """Return what kind of move it is, by what its player sees.

    It names the verb, the cost among moves with the same verb, whether it is a trump, and whether it has several cards.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> [kind(move, view.legal_moves(), view) for move in view.legal_moves()]
    ['attack cheapest', 'attack middle', 'attack dearest trump']
    """
    price = prices(view)
    cost_class = place_of(move, legal, price)
    if cost_class is None:
        return move.verb
    own = move.cards[1:] if move.verb == "beat" else move.cards
    return " ".join([move.verb, cost_class, *(["trump"] if cost(move, price) >= TRUMP else []), *(["several"] if len(own) > 1 else [])])


def moments_in(view: View, kinds: Iterable[str]) -> tuple[str, str, str]:
    """Describe a situation in three sizes, from the finest to the roughest.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> moments_in(view, ["attack middle", "attack cheapest"])[1:]
    ('leads, ending: attack cheapest, attack middle', 'leads: attack cheapest, attack middle')
    """
    legal = view.legal_moves()
    role_name, offered = role(legal), ", ".join(sorted(set(kinds)))
    phase = "talon" if view.talon_count else "ending"
    hand_size = view.counts[view.seat]
    size = "few" if hand_size <= _FEW else "some" if hand_size <= _SOME else "many"
    beating = "" if role_name != "defends" else ", all" if beating_all(view, legal, prices(view)) else ", not all"
    return f"{role_name}, {phase}, {size}{beating}: {offered}", f"{role_name}, {phase}: {offered}", f"{role_name}: {offered}"


class Likeness:
    """A model that counts what was chosen in similar situations and chooses as often.

    It sees a `View` and nothing else.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> likeness = Likeness()
    >>> for _ in range(9):
    ...     likeness.learn(view, view.legal_moves()[0])
    >>> likeness.chances(view), likeness.likely(view, "attack 6c")
    ([100, 0, 0], Likely(many=9, all=9, alike=True))
    """

    name = "class"

    def __init__(self) -> None:
        """Start without any counts."""
        self.chosen: Tallies = defaultdict(Counter)
        """How often each kind of move was chosen, by situation in each size."""
        self.offered: Counter[str] = Counter()
        """In how many decisions each kind of move was possible."""
        self.decisions = 0
        """The number of decisions that are counted."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Likeness):
            return NotImplemented
        return (self.chosen, self.offered, self.decisions) == (other.chosen, other.offered, other.decisions)

    __hash__ = None  # type: ignore[assignment] # it is mutable

    def learn(self, view: View, move: Move) -> None:
        """Count a decision; a forced move does not count."""
        legal = view.legal_moves()
        if len(legal) < 2:
            return
        kinds = [kind(legal_move, legal, view) for legal_move in legal]
        chosen_kind = kinds[legal.index(move)]
        for situation in moments_in(view, kinds):
            self.chosen[situation][chosen_kind] += 1
        self.chosen[""][chosen_kind] += 1
        self.offered.update(set(kinds))
        self.decisions += 1

    def _weights(self, view: View) -> tuple[list[str], Mapping[str, Fraction]]:
        """Return the kind of each legal move, and the probability of each kind.

        It counts what was chosen in such situations and, with little weight, what was chosen in rougher ones.
        """
        legal = view.legal_moves()
        kinds = [kind(move, legal, view) for move in legal]
        total_chosen = self.chosen.get("", Counter())
        rates = {kind_name: Fraction(2 * total_chosen[kind_name] + 1, 2 * self.offered[kind_name] + 2) for kind_name in set(kinds)}
        probabilities = {kind_name: rate / sum(rates.values()) for kind_name, rate in rates.items()}
        for situation in reversed(moments_in(view, kinds)):
            counts = self.chosen.get(situation, Counter())
            count_here = sum(counts[kind_name] for kind_name in probabilities)
            probabilities = {
                kind_name: (counts[kind_name] + PRIOR * prior) / (count_here + PRIOR) for kind_name, prior in probabilities.items()
            }
        return kinds, probabilities

    def chances(self, view: View) -> list[int]:
        """Return the probability of each legal move in whole percent; moves of one kind are equal."""
        kinds, probabilities = self._weights(view)
        exact = [probabilities[kind_name] * _WHOLE / kinds.count(kind_name) for kind_name in kinds]
        percents = [int(percent) for percent in exact]
        by_rest = sorted(range(len(exact)), key=lambda index: percents[index] - exact[index])
        for index in by_rest[: _WHOLE - sum(percents)]:
            percents[index] += 1
        return percents

    def choose(self, view: View, rng: Random) -> Move:
        """Return a random move, as often as it was chosen in similar situations."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        remaining = rng.randrange(_WHOLE)
        for move, chance in zip(legal, self.chances(view), strict=True):
            remaining -= chance
            if remaining < 0:
                return move
        return legal[-1]

    def likely(self, view: View, move: Move | str) -> Likely:
        """Return how often such a move was chosen, in the most similar known situations.

        It is 0 of 0 if there are none.
        """
        legal = view.legal_moves()
        kinds = [kind(legal_move, legal, view) for legal_move in legal]
        own_kind = next(
            (kind_name for kind_name, legal_move in zip(kinds, legal, strict=True) if move in (legal_move, str(legal_move))), None
        )
        for size, situation in enumerate(moments_in(view, kinds)):
            counts = self.chosen.get(situation, Counter())
            total = sum(counts[kind_name] for kind_name in set(kinds))
            if own_kind is not None and total:
                return Likely(counts[own_kind], total, size == 0)
        return Likely(0, 0, alike=False)

    def why(self, view: View, move: Move | str) -> Fact:
        """Return the reason for its choice, as a fact for a sentence.

        >>> from durak_widget.i18n import Voice
        >>> from durak_widget import Game
        >>> said = Likeness().why(Game(seed=7).view(0), "attack 6s")
        >>> Voice("en").say(said.key, **said.facts)
        'Nobody has met a moment like this one: it is a guess.'
        """
        frequency = self.likely(view, move)
        key = "chose" if frequency.alike else "rather" if frequency.all else "new"
        return Fact(f"class.play.{key}", {"count": frequency.many, "all": frequency.all})


@dataclass(frozen=True, repr=False)
class ClassBot(Bot):
    """A bot that chooses as recorded players did; `class_bot` makes one."""

    plays: Likeness
    """The model of what was chosen in which situations."""

    def said(self, view: View, move: Move | str, language: str | None = None) -> str:
        """Return a sentence that says how often such a move was chosen in similar situations.

        >>> from durak_widget import Game
        >>> bot = class_bot(who="careful")
        >>> bot.said(Game(seed=7).view(0), "attack 6s")
        'In moments like this one, 93 of 93 chose so.'
        """
        reason = self.plays.why(view, move)
        return Voice(user_defaults.language() if language is None else language).say(reason.key, **reason.facts)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the counts to a file, from which `class_bot` makes the same bot again.

        The file contains no name and no game.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "last-year.json")
        >>> class_bot().save(path)
        >>> class_bot(path).plays == class_bot().plays
        True
        """
        likeness = self.plays
        data = {
            "format": FORMAT,
            "decisions": likeness.decisions,
            "offered": dict(sorted(likeness.offered.items())),
            "chosen": {situation: dict(sorted(kinds.items())) for situation, kinds in sorted(likeness.chosen.items())},
        }
        keep_text(path, json.dumps(data, indent=1, ensure_ascii=True) + "\n")


def class_bot(
    played: Games | str | PathLike[str] | Iterable[Game] | None = None,
    *,
    who: str | Collection[str] | None = None,
    name: str = "class",
) -> ClassBot:
    """Make a bot that chooses as the players of these games did.

    `played` is a folder, the result of `games(…)`, or a file that `save` has written; without it, the sample is used. The bot counts
    the decisions of people, or of everyone where no people played, or those of `who` (a student, a bot, several).

    >>> bot = class_bot()
    >>> bot, bot.plays.decisions > 1000
    (<Bot class>, True)
    >>> from durak_widget import Table
    >>> Table(seats={1: bot}, seed=7).players
    ('you', 'class')
    """
    if isinstance(played, (str, bytes, os.PathLike)) and path_of(played).lower().endswith(".json"):
        return ClassBot(name, _read(Path(path_of(played))))
    dataset = played if isinstance(played, Games) else games(played, budget=0)
    by_game: dict[str, list[Row]] = {}
    for row in _chosen(dataset, who):
        by_game.setdefault(row["file"], []).append(row)
    likeness = Likeness()
    for file, rows in by_game.items():
        game = dataset.played[file].game.copy()
        for row in rows:
            game.goto(row["ply"] - 1)
            likeness.learn(game.view(row["seat"]), Move(row["chosen"]))
    if not likeness.decisions:
        raise DurakError("there is nothing to learn from: nobody had a choice in these games")
    return ClassBot(name, likeness)


def _chosen(found: Games, who: str | Collection[str] | None) -> list[Row]:
    """Return the decisions that are counted."""
    if who is None:
        return [row for row in found if row["who"] == YOU] or found.rows
    if not isinstance(who, (str, Collection)):
        raise DurakError(f'who names a player, or several, as in who=["ann", "ben"], not {quoted(who)}')
    wanted, players = {who} if isinstance(who, str) else set(who), {row["player"] for row in found}
    if unknown := sorted(wanted - players):
        known = ", ".join(map(repr, sorted(players))) or "none"
        raise DurakError(f"nobody called {quoted(unknown[0])} decides anything there; there are {known}")
    return [row for row in found if row["player"] in wanted]


def _read(path: Path) -> Likeness:
    """Read a file that `save` has written, without trusting its content."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            raise _no_bot(path, f"it is no file, or longer than {_MOST_BYTES} bytes" if path.exists() else "there is no such file")
        data = read_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DurakError(f"{quoted(path.name)} cannot be read: {error.strerror or 'something is in the way'}") from None
    except ValueError:
        raise _no_bot(path, "it is no JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _no_bot(path, f"it does not say 'format': '{FORMAT}'")
    if not isinstance(data.get("chosen"), dict) or not isinstance(data.get("offered"), dict):
        raise _no_bot(path, "it does not say what was chosen and what was offered")
    likeness = Likeness()
    likeness.decisions = _count(path, data.get("decisions"))
    likeness.offered = _counter(path, data["offered"])
    for situation, kinds in data["chosen"].items():
        likeness.chosen[situation] = _counter(path, kinds)
    return likeness


def _counter(path: Path, counts: object) -> Counter[str]:
    """Parse a dict of counts."""
    if not isinstance(counts, dict):
        raise _no_bot(path, "it does not say how often each kind of move was chosen")
    return Counter({cast("str", kind_name): _count(path, count) for kind_name, count in counts.items()})


def _count(path: Path, count: object) -> int:
    """Parse a count."""
    number = whole_number(count)
    if number is None or isinstance(count, bool) or not 0 <= number <= _MOST:
        raise _no_bot(path, f"{quoted(count)} is not how often something was chosen")
    return number


def _no_bot(path: Path, why: str) -> DurakError:
    """Return the error for a file that `save` has not written."""
    return DurakError(f"{quoted(path.name)} is not what bot.save has written: {why}")
