"""Defines endgame puzzles with exactly one winning move: finds, proves, grades, reads and writes them.

`puzzles.txt` holds the puzzles of the package, found in games of bots by `tools/puzzles.py`, each proved. A
line with the preset comes first, then one line for each puzzle: its grade from 1 to 5 and its position. New
puzzles can be found in games of bots or in the user's own games.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from functools import lru_cache
from itertools import count, permutations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.endgame import solve
from durak_widget.bots.bot import get
from durak_widget.bots.counting_bot import Counting
from durak_widget.bots.heuristic_bots import Careful, prices
from durak_widget.cards import SUITS, CardSet, read_cards
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.goals import PATIENCE, Winning
from durak_widget.parallel import Failed, WorkerPool
from durak_widget.rules.ruleset import Rules
from durak_widget.widgets.missed_endgames import SAID, stands_alone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.analysis.endgame import Ending
    from durak_widget.cards import Card
    from durak_widget.engine.moves import Move

GRADES: Final = range(1, 6)
"""From the easiest to the hardest."""
LEAST, MOST = 4, 16
"""So many cards may be left."""
_CARD: Final = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
_SEATS: Final = {"attacker", "passed"}
"""What names a seat."""
_TURNED: Final = str.maketrans("01", "10")
_TRUMP: Final = "h"
_LONGEST: Final = 60
"""Longer games are not played out."""
FILE = Path(__file__).with_name("puzzles.txt")
_USUAL = "podkidnoy"
"""The rules that a position need not name."""
PAIRS: Final = (("careful", "careful"), ("careful", "counting"), ("first", "careful"))
"""Who plays against whom, by turns."""


class Puzzle(NamedTuple):
    """An ending that the seat to act, which is seat 0, wins by exactly one move.

    >>> puzzle = Puzzle("Qd Ks 7d | Kh Kc 9d; trump h", 1)
    >>> puzzle.cards, puzzle.game.actor
    (6, 0)
    """

    position: str
    """As `Game.at` reads it, without the cards that are gone."""
    grade: int
    """How hard it is, from 1 to 5."""

    @property
    def game(self) -> Game:
        """The position; all cards that are nowhere else lie in the discard pile."""
        return laid(self.position)

    @property
    def cards(self) -> int:
        """How many cards are left in the two hands and on the table."""
        return len(_CARD.findall(self.position))

    @property
    def rules(self) -> Rules:
        """By which rules it is played."""
        said, colon, _ = self.position.rpartition(": ")
        return Rules.parse(said) if colon else Rules()

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves of seat 0 on the way home, against one who counts."""
        return way_home(self.game) or ()


@lru_cache(maxsize=256)
def _whole_pack(rules: Rules) -> CardSet:
    """All cards of a game."""
    game = Game(rules, seed=0)
    apart = [] if game.turn_up is None or game.turn_up in game.talon else [game.turn_up]
    return CardSet([*(card for hand in game.hands for card in hand), *game.talon, *game.discard, *apart])


def laid(position: str) -> Game:
    """A position whose other cards are all gone, so that whoever counts knows the other hand.

    >>> game = laid("9c Ah | Kd Qh; trump h")
    >>> len(game.discard), solve(game.view(0)).value == solve(game).value
    (32, True)
    """
    game = Game.at(position)
    if len(game.discard) or len(game.talon):
        return game
    there = Counter(str(card) for card in _left(game))
    gone = [str(card) for card in _whole_pack(game.rules) if not there[str(card)]]
    return Game.at(f"{position}; discard {' '.join(gone)}" if gone else position)


def bare(game: Game) -> str | None:
    """A position without its past, the seat to act first: the same for all that differ by the names of suits and seats; None where it hangs on its past.

    >>> bare(Game.at("9s Ac | Qs 9c Kd; trump c; attacker 1"))
    'Kc 9h Qs | Ah 9s; trump h'
    """
    if not stands_alone(game):
        return None
    hands, *facts = game.position.split("; ")
    rules, colon, hands = hands.rpartition(": ")
    told = [fact.partition(" ") for fact in facts]
    said = {key: value for key, _, value in told if key in SAID}
    first, second = (part.strip() for part in hands.split("|"))
    if game.actor == 1:
        first, second = second, first
        said = {**said, "attacker": said.get("attacker", "0")}
        said = {key: value.translate(_TURNED) if key in _SEATS else value for key, value in said.items()}
    said["trump"] = _TRUMP
    if said.get("attacker") == "0":
        del said["attacker"]
    order = [key for key in ("trump", "attacker", "table", "taking", "passed", "limit") if key in said]
    others, plain = [suit for suit in SUITS if suit != str(game.trump)], [suit for suit in SUITS if suit != _TRUMP]
    written = []
    for named in permutations(plain):
        names = {**dict(zip(others, named, strict=True)), str(game.trump): _TRUMP}
        new = [_renamed(part, names, ordered=True) for part in (first, second)]
        tail = [f"{key} {_renamed(said[key], names, ordered=False) if key == 'table' else said[key]}".rstrip() for key in order]
        written.append("; ".join([f"{new[0]} | {new[1]}", *tail]))
    return f"{rules}{colon}{min(written)}"


def _renamed(cards: str, names: dict[str, str], *, ordered: bool) -> str:
    """Cards with other suits; of a hand in the order of suits."""
    renamed = _CARD.sub(lambda found: found[1] + names[found[2]], cards)
    return " ".join(map(str, CardSet(read_cards(renamed)))) if ordered else renamed


def one_way(game: Game, budget: int | None = PATIENCE) -> Ending | None:
    """What is known of a position in which exactly one of three moves or more wins, in two bouts or more; None where that is not proved."""
    if game.actor is None or game.talon or len(game.seats_in) != 2 or len(game.legal_moves()) < 3:
        return None
    found = solve(game, budget=budget)
    return found if found.value == 1 and found.proved and len(found.best) == 1 and (found.bouts or 0) > 1 else None


def puzzle_of(game: Game) -> Puzzle | None:
    """The puzzle that a position is: one move wins, which is proved of each, and it is not the only one that looks good; None where it is none.

    >>> puzzle_of(Game(seed=7)) is None
    True
    """
    if game.talon or game.outcome is not None or game.seats != 2 or not LEAST <= len(_left(game)) <= MOST:
        return None
    position = bare(game)
    if position is None:
        return None
    try:
        lies = laid(position)
    except DurakError:  # it hangs on its past
        return None
    found = one_way(lies) if lies.actor == 0 else None
    if found is None or way_home(lies) is None:
        return None
    grade = _grade(lies, found)
    return Puzzle(position, grade) if grade else None


def _left(game: Game) -> list[Card]:
    """The cards in the hands and on the table."""
    return [*(card for hand in game.hands for card in hand), *(card for pair in game.table for card in pair if card)]


def _grade(game: Game, found: Ending) -> int:
    """How hard it is: many cards, many bouts, many moves that look as good, and whether `careful` is misled; 0 where it is plain."""
    view, (right,) = game.view(0), found.best
    price = prices(view)

    def cost(move: Move) -> int:
        return sum(price(card) for card in move.cards[move.verb == "beat" :])

    misled = Careful().choose(view, Random(0)) != right
    cheaper = sum(cost(move) <= cost(right) for move in found.moves if move != right)
    if not misled and cheaper < 2:
        return 0
    cards, bouts = len(_left(game)), found.bouts or 0
    points = (cards >= 8) + (cards >= 11) + (bouts >= 4) + (bouts >= 7) + (cheaper >= 3) + misled
    return min(max(points, 1), 5)


def way_home(game: Game) -> tuple[Move, ...] | None:
    """The moves of the seat to act if it hurries home and the other counts; None where that is not found soon."""
    mine: list[Move] = []
    now, winning, counting = game.copy(), Winning(), Counting()
    seat = now.actor
    while now.outcome is None and len(mine) < _LONGEST:
        if now.actor == seat:
            assert seat is not None  # noqa: S101 - somebody is to act
            move = winning.way(now, seat)
            if move is None:
                return None
            mine.append(move)
        else:
            assert now.actor is not None  # noqa: S101 - as above
            move = counting.choose(now.view(now.actor), Random(0))
        now.play(move)
    return tuple(mine) if now.outcome is not None and seat in now.outcome.winners else None


@lru_cache(maxsize=1)
def shelf() -> tuple[Puzzle, ...]:
    """All of them, preset by preset, the easier first.

    >>> len(shelf()) >= 1000, len({one.position.partition(":")[0] for one in shelf() if ":" in one.position}) >= 4
    (True, True)
    """
    return tuple(read(FILE.read_text(encoding="utf-8")))


def by_rules(rules: Rules | str | None = None) -> tuple[Puzzle, ...]:
    """The puzzles that are played by these rules; all of them, where none are named.

    >>> by_rules() == shelf(), {str(one.rules) for one in by_rules("siege")}
    (True, {'siege'})
    """
    kept = None if rules is None else Rules.parse(rules) if isinstance(rules, str) else rules
    found = tuple(one for one in shelf() if kept is None or one.rules == kept)
    if not found:
        there = ", ".join(dict.fromkeys(str(one.rules) for one in shelf()))
        raise DurakError(f"there are no endings by the rules {quoted(str(kept))}; there are some by {there}")
    return found


def read(text: str) -> list[Puzzle]:
    r"""Puzzles as they are written: a line with the preset, then a line for each of its puzzles, its grade first.

    >>> read("# podkidnoy\n2 Qd Ks 7d | Kh Kc 9d; trump h\n# siege\n1 Jc Kh Ah | 9h; trump h\n")[1]
    Puzzle(position='siege: Jc Kh Ah | 9h; trump h', grade=1)
    """
    found, rules = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            rules = line[1:].strip()
        elif line.strip():
            grade, _, position = line.partition(" ")
            found.append(Puzzle(position if rules == _USUAL else f"{rules}: {position}", int(grade)))
    return found


def written(puzzles: Iterable[Puzzle]) -> str:
    """Puzzles as `read` reads them."""
    by_rules: dict[str, list[str]] = {}
    for one in sorted(puzzles, key=lambda one: (one.grade, len(one.position), one.position)):
        rules, colon, position = one.position.rpartition(": ")
        by_rules.setdefault(rules if colon else _USUAL, []).append(f"{one.grade} {position}")
    return "".join(f"# {rules}\n" + "".join(f"{line}\n" for line in lines) for rules, lines in by_rules.items())


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
