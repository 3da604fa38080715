"""Where do puzzles come from? From games: of bots, or somebody's own."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from durak_widget.bots.bot import get
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.lessons.endgame_puzzle import puzzle_of
from durak_widget.parallel import Failed, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.lessons.endgame_puzzle import Puzzle
    from durak_widget.rules.ruleset import Rules

PAIRS: Final = (("careful", "careful"), ("careful", "counting"), ("first", "careful"))
"""Who plays against whom, by turns."""


def puzzles(games: Game | Iterable[Any]) -> tuple[Puzzle, ...]:
    """The puzzles in a game, or in several: every moment that is one, once, in the order of play.

    What `lessons.games()` gives will do too. Games of two are looked through; where a talon is left, or more play, nothing is certain.

    >>> from durak_widget import bots
    >>> game = bots.play(Game("econ431", seed=11), ["careful", "careful"], 5)
    >>> [(one.position, one.grade) for one in puzzles(game)]
    [('econ431: Ah Qs As | Ac Ad 9h Qh; trump h', 1)]
    """
    found: dict[str, Puzzle] = {}
    if not isinstance(games, Game) and not isinstance(games, Iterable):
        raise DurakError(f"puzzles are looked for in a game, or in a list of games, not in {quoted(games)}")
    played = getattr(games, "played", None)
    for game in [games] if isinstance(games, Game) else games if played is None else [one.game for one in played.values()]:
        if not isinstance(game, Game):
            raise DurakError(f"puzzles are looked for in games, and {quoted(game)} is none")
        for one in puzzles_in_game(game):
            found.setdefault(one.position, one)
    return tuple(found.values())


def puzzles_in_game(game: Game) -> Iterator[Puzzle]:
    """The puzzles on the way of a game, from its beginning to where it stands."""
    then, end = game.copy(), game.ply
    for ply in range(end + 1):
        then.goto(ply)
        one = puzzle_of(then)
        if one is not None:
            yield one


def mined(rules: Rules | str, *, seed: int = 1, most: int | None = None, executor: object = None) -> Iterator[Puzzle]:
    """Puzzles that come up in games of bots, without end unless so many games are the `most`; the same for the same seed, in the same order whoever plays the games.

    `executor` is as in `parallel.WorkerPool`. When you stop, games that were played ahead are lost.

    >>> found = list(mined("econ431", most=12))
    >>> [one.grade in range(1, 6) for one in found][:1]
    [True]
    >>> list(mined("econ431", most=12, executor=1)) == found
    True
    """
    waiting: dict[int, tuple[Puzzle, ...]] = {}
    after = 0
    games = count() if most is None else range(most)
    with WorkerPool(executor) as pool, closing(pool.run_unordered(in_bot_game, games, common=(rules, seed))) as results:
        for number, found in results:
            if not isinstance(found, tuple) or isinstance(found, Failed):
                raise DurakError(f"game {number} by the rules {rules} could not be played: {found}")
            waiting[number] = found
            while after in waiting:
                yield from waiting.pop(after)
                after += 1


def in_bot_game(dealt: tuple[Rules | str, int], number: int) -> tuple[Puzzle, ...]:
    """The puzzles in the game of that number, which two bots play.

    >>> in_bot_game(("econ431", 1), 0) == in_bot_game(("econ431", 1), 0)
    True
    """
    rules, seed = dealt
    deal, found = f"{rules} {seed} {number}", []
    game, pair = Game(rules, seed=deal), PAIRS[number % len(PAIRS)]
    players, chances = [get(name) for name in pair], Random(deal)
    while (seat := game.actor) is not None:
        one = puzzle_of(game)
        if one is not None:
            found.append(one)
        game.play(players[seat].choose(game.view(seat), chances))
    return tuple(found)
