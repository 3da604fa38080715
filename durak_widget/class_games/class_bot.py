"""Play against last year's class: a bot that chooses as its games did, which can be kept as one small file without anybody's name."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from durak_widget.atomic_files import keep_text, path_of, read_json
from durak_widget.bots.bot import YOU, Bot
from durak_widget.class_games.game_dataset import Games, games
from durak_widget.class_games.imitation_bot import Likeness
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.i18n import Voice
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from durak_widget.class_games.decision_table import Row
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import View

FORMAT: Final = "durak_widget.class_bot/1"
_MOST_BYTES: Final = 20_000_000
_MOST: Final = 10**9


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
