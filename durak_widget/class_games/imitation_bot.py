"""Defines a bot that plays like a class: it chooses moves as often as the recorded games did.

The model counts the choices made in similar situations. It sees only a `View`. A bot can be saved as one
small file that contains no student's name.
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
"""What was met in less alike moments counts for so many that were more so."""
_WHOLE: Final = 100
"""Chances are whole per cents: `rng.randrange(100)` decides, so that whoever asks how likely each move is can go through all of it."""
_FEW: Final = 2
_SOME: Final = 5
FORMAT: Final = "durak_widget.class_bot/1"
_MOST_BYTES: Final = 20_000_000
_MOST: Final = 10**9


class Likely(NamedTuple):
    """How often one chose so: `many` times of `all` in moments that were `alike`."""

    many: int
    all: int
    alike: bool
    """Whether these moments were as like as the model can tell; else only somewhat."""


def kind(move: Move, legal: Sequence[Move], view: View) -> str:
    """What kind of move it is, by what its player sees: which verb, how dear among what would do the same, whether a trump, whether several cards at once.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> [kind(move, view.legal_moves(), view) for move in view.legal_moves()]
    ['attack cheapest', 'attack middle', 'attack dearest trump']
    """
    price = prices(view)
    place = place_of(move, legal, price)
    if place is None:
        return move.verb
    own = move.cards[1:] if move.verb == "beat" else move.cards
    return " ".join([move.verb, place, *(["trump"] if cost(move, price) >= TRUMP else []), *(["several"] if len(own) > 1 else [])])


def moments_in(view: View, kinds: Iterable[str]) -> tuple[str, str, str]:
    """What a moment is like, in three sizes: as finely as is told apart, then more and more roughly.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 9d Ah", "7c"], trump="h").view(0)
    >>> moments_in(view, ["attack middle", "attack cheapest"])[1:]
    ('leads, ending: attack cheapest, attack middle', 'leads: attack cheapest, attack middle')
    """
    legal = view.legal_moves()
    asked, offered = role(legal), ", ".join(sorted(set(kinds)))
    phase = "talon" if view.talon_count else "ending"
    count = view.counts[view.seat]
    size = "few" if count <= _FEW else "some" if count <= _SOME else "many"
    able = "" if asked != "defends" else ", all" if beating_all(view, legal, prices(view)) else ", not all"
    return f"{asked}, {phase}, {size}{able}: {offered}", f"{asked}, {phase}: {offered}", f"{asked}: {offered}"


class Likeness:
    """What was chosen in alike moments, and a way to choose so. It is shown a `View`, and looks at nothing else.

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
        """Nothing has been met yet."""
        self.chosen: Tallies = defaultdict(Counter)
        """For each moment, in each size, how often each kind of move was chosen."""
        self.offered: Counter[str] = Counter()
        """In how many decisions a kind of move was there to be chosen."""
        self.decisions = 0
        """How many decisions are counted."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Likeness):
            return NotImplemented
        return (self.chosen, self.offered, self.decisions) == (other.chosen, other.offered, other.decisions)

    __hash__ = None  # type: ignore[assignment] # it goes on learning

    def learn(self, view: View, move: Move) -> None:
        """Count a decision; one that was none, because there was one move only, is not counted."""
        legal = view.legal_moves()
        if len(legal) < 2:
            return
        kinds = [kind(one, legal, view) for one in legal]
        own = kinds[legal.index(move)]
        for moment in moments_in(view, kinds):
            self.chosen[moment][own] += 1
        self.chosen[""][own] += 1
        self.offered.update(set(kinds))
        self.decisions += 1

    def _weights(self, view: View) -> tuple[list[str], Mapping[str, Fraction]]:
        """The kind of each legal move, and how likely each kind is: what was chosen in such moments, and with little weight what was chosen in rougher ones."""
        legal = view.legal_moves()
        kinds = [kind(one, legal, view) for one in legal]
        often = self.chosen.get("", Counter())
        rates = {one: Fraction(2 * often[one] + 1, 2 * self.offered[one] + 2) for one in set(kinds)}
        chance = {one: rate / sum(rates.values()) for one, rate in rates.items()}
        for moment in reversed(moments_in(view, kinds)):
            met = self.chosen.get(moment, Counter())
            among = sum(met[one] for one in chance)
            chance = {one: (met[one] + PRIOR * before) / (among + PRIOR) for one, before in chance.items()}
        return kinds, chance

    def chances(self, view: View) -> list[int]:
        """How likely each legal move is, in whole per cents; moves of one kind are alike."""
        kinds, chance = self._weights(view)
        exact = [chance[one] * _WHOLE / kinds.count(one) for one in kinds]
        whole = [int(one) for one in exact]
        by_rest = sorted(range(len(exact)), key=lambda place: whole[place] - exact[place])
        for place in by_rest[: _WHOLE - sum(whole)]:
            whole[place] += 1
        return whole

    def choose(self, view: View, rng: Random) -> Move:
        """A move, drawn as often as it was chosen in alike moments."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        drawn = rng.randrange(_WHOLE)
        for move, chance in zip(legal, self.chances(view), strict=True):
            drawn -= chance
            if drawn < 0:
                return move
        return legal[-1]

    def likely(self, view: View, move: Move | str) -> Likely:
        """How often one chose such a move, in the most alike moments that were met; of none, 0 of 0."""
        legal = view.legal_moves()
        kinds = [kind(one, legal, view) for one in legal]
        own = next((one for one, legal_move in zip(kinds, legal, strict=True) if move in (legal_move, str(legal_move))), None)
        for size, moment in enumerate(moments_in(view, kinds)):
            met = self.chosen.get(moment, Counter())
            among = sum(met[one] for one in set(kinds))
            if own is not None and among:
                return Likely(met[own], among, size == 0)
        return Likely(0, 0, alike=False)

    def why(self, view: View, move: Move | str) -> Fact:
        """Why it chose so, in words.

        >>> from durak_widget.i18n import Voice
        >>> from durak_widget import Game
        >>> said = Likeness().why(Game(seed=7).view(0), "attack 6s")
        >>> Voice("en").say(said.key, **said.facts)
        'Nobody has met a moment like this one: it is a guess.'
        """
        found = self.likely(view, move)
        key = "chose" if found.alike else "rather" if found.all else "new"
        return Fact(f"class.play.{key}", {"count": found.many, "all": found.all})


@dataclass(frozen=True, repr=False)
class ClassBot(Bot):
    """A bot that chooses as somebody did; see `class_bot`."""

    plays: Likeness
    """What was chosen in which moments."""

    def said(self, view: View, move: Move | str, language: str | None = None) -> str:
        """How often such a move was chosen in alike moments, in a sentence.

        >>> from durak_widget import Game
        >>> bot = class_bot(who="careful")
        >>> bot.said(Game(seed=7).view(0), "attack 6s")
        'In moments like this one, 93 of 93 chose so.'
        """
        found = self.plays.why(view, move)
        return Voice(user_defaults.language() if language is None else language).say(found.key, **found.facts)

    def save(self, path: str | PathLike[str]) -> None:
        """Write what was counted to a file, from which `class_bot` makes the same bot again; no name and no game is in it.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "last-year.json")
        >>> class_bot().save(path)
        >>> class_bot(path).plays == class_bot().plays
        True
        """
        likeness = self.plays
        kept = {
            "format": FORMAT,
            "decisions": likeness.decisions,
            "offered": dict(sorted(likeness.offered.items())),
            "chosen": {moment: dict(sorted(kinds.items())) for moment, kinds in sorted(likeness.chosen.items())},
        }
        keep_text(path, json.dumps(kept, indent=1, ensure_ascii=True) + "\n")


def class_bot(
    played: Games | str | PathLike[str] | Iterable[Game] | None = None,
    *,
    who: str | Collection[str] | None = None,
    name: str = "class",
) -> ClassBot:
    """A bot that chooses as these games did: those of a folder, of `games(…)`, or what `save` has written; without anything, as the bots of the sample.

    It counts what people chose, or everybody where no people played, or `who` is named (a student, a bot, several).

    >>> bot = class_bot()
    >>> bot, bot.plays.decisions > 1000
    (<Bot class>, True)
    >>> from durak_widget import Table
    >>> Table(seats={1: bot}, seed=7).players
    ('you', 'class')
    """
    if isinstance(played, (str, bytes, os.PathLike)) and path_of(played).lower().endswith(".json"):
        return ClassBot(name, _read(Path(path_of(played))))
    found = played if isinstance(played, Games) else games(played, budget=0)
    by_game: dict[str, list[Row]] = {}
    for row in _chosen(found, who):
        by_game.setdefault(row["file"], []).append(row)
    likeness = Likeness()
    for file, rows in by_game.items():
        game = found.played[file].game.copy()
        for row in rows:
            game.goto(row["ply"] - 1)
            likeness.learn(game.view(row["seat"]), Move(row["chosen"]))
    if not likeness.decisions:
        raise DurakError("there is nothing to learn from: nobody had a choice in these games")
    return ClassBot(name, likeness)


def _chosen(found: Games, who: str | Collection[str] | None) -> list[Row]:
    """The decisions that are counted."""
    if who is None:
        return [row for row in found if row["who"] == YOU] or found.rows
    if not isinstance(who, (str, Collection)):
        raise DurakError(f'who names a player, or several, as in who=["ann", "ben"], not {quoted(who)}')
    wanted, players = {who} if isinstance(who, str) else set(who), {row["player"] for row in found}
    if strange := sorted(wanted - players):
        known = ", ".join(map(repr, sorted(players))) or "none"
        raise DurakError(f"nobody called {quoted(strange[0])} decides anything there; there are {known}")
    return [row for row in found if row["player"] in wanted]


def _read(path: Path) -> Likeness:
    """What `save` has written, read as strictly as if somebody else had."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            raise _no_bot(path, f"it is no file, or longer than {_MOST_BYTES} bytes" if path.exists() else "there is no such file")
        found = read_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DurakError(f"{quoted(path.name)} cannot be read: {error.strerror or 'something is in the way'}") from None
    except ValueError:
        raise _no_bot(path, "it is no JSON") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _no_bot(path, f"it does not say 'format': '{FORMAT}'")
    if not isinstance(found.get("chosen"), dict) or not isinstance(found.get("offered"), dict):
        raise _no_bot(path, "it does not say what was chosen and what was offered")
    likeness = Likeness()
    likeness.decisions = _count(path, found.get("decisions"))
    likeness.offered = _counter(path, found["offered"])
    for moment, kinds in found["chosen"].items():
        likeness.chosen[moment] = _counter(path, kinds)
    return likeness


def _counter(path: Path, counts: object) -> Counter[str]:
    if not isinstance(counts, dict):
        raise _no_bot(path, "it does not say how often each kind of move was chosen")
    return Counter({cast("str", kind): _count(path, count) for kind, count in counts.items()})


def _count(path: Path, count: object) -> int:
    number = whole_number(count)
    if number is None or isinstance(count, bool) or not 0 <= number <= _MOST:
        raise _no_bot(path, f"{quoted(count)} is not how often something was chosen")
    return number


def _no_bot(path: Path, why: str) -> DurakError:
    return DurakError(f"{quoted(path.name)} is not what bot.save has written: {why}")
