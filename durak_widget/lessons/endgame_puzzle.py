"""Defines endgame puzzles with exactly one winning move.

It finds, proves, rates, reads and writes them. `puzzles.txt` holds the puzzles of the package, found in games of bots by
`tools/puzzles.py`, each proved. A line with the preset comes first, then one line for each puzzle: its difficulty from 1 to 5 and its
position. New puzzles can be found in games of bots or in the user's own games.
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
"""Least and greatest number of cards left."""
_CARD: Final = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
_SEATS: Final = {"attacker", "passed"}
"""The facts of a position whose value is a seat."""
_TURNED: Final = str.maketrans("01", "10")
_TRUMP: Final = "h"
_LONGEST: Final = 60
"""Number of moves after which a game is not played on."""
FILE = Path(__file__).with_name("puzzles.txt")
_USUAL = "podkidnoy"
"""The preset that a position need not name."""
PAIRS: Final = (("careful", "careful"), ("careful", "counting"), ("first", "careful"))
"""The pairs of bots whose games are searched, in turn."""


class Puzzle(NamedTuple):
    """An endgame that the seat to act, which is seat 0, wins by exactly one move.

    >>> puzzle = Puzzle("Qd Ks 7d | Kh Kc 9d; trump h", 1)
    >>> puzzle.cards, puzzle.game.actor
    (6, 0)
    """

    position: str
    """The position line for `Game.at`, without the discarded cards."""
    grade: int
    """The difficulty, from 1 to 5."""

    @property
    def game(self) -> Game:
        """Return the game; all other cards are in the discard pile."""
        return laid(self.position)

    @property
    def cards(self) -> int:
        """Return the number of cards in the two hands and on the table."""
        return len(_CARD.findall(self.position))

    @property
    def rules(self) -> Rules:
        """Return the rules."""
        rules_text, colon, _ = self.position.rpartition(": ")
        return Rules.parse(rules_text) if colon else Rules()

    @property
    def line(self) -> tuple[Move, ...]:
        """Return the winning moves of seat 0 against a player who counts cards."""
        return way_home(self.game) or ()


@lru_cache(maxsize=256)
def _whole_pack(rules: Rules) -> CardSet:
    """Return all cards of a game."""
    game = Game(rules, seed=0)
    card_aside = [] if game.turn_up is None or game.turn_up in game.talon else [game.turn_up]
    return CardSet([*(card for hand in game.hands for card in hand), *game.talon, *game.discard, *card_aside])


def laid(position: str) -> Game:
    """Build a game from a position, with all other cards discarded.

    So a player who counts cards knows the other hand.

    >>> game = laid("9c Ah | Kd Qh; trump h")
    >>> len(game.discard), solve(game.view(0)).value == solve(game).value
    (32, True)
    """
    game = Game.at(position)
    if len(game.discard) or len(game.talon):
        return game
    counts = Counter(str(card) for card in _left(game))
    discarded = [str(card) for card in _whole_pack(game.rules) if not counts[str(card)]]
    return Game.at(f"{position}; discard {' '.join(discarded)}" if discarded else position)


def bare(game: Game) -> str | None:
    """Return a position without its history, the seat to act first.

    It is the same for all positions that differ only by the names of suits and seats. It is None where the position depends on its history.

    >>> bare(Game.at("9s Ac | Qs 9c Kd; trump c; attacker 1"))
    'Kc 9h Qs | Ah 9s; trump h'
    """
    if not stands_alone(game):
        return None
    hands, *facts = game.position.split("; ")
    rules, colon, hands = hands.rpartition(": ")
    key_values = [fact.partition(" ") for fact in facts]
    values = {key: value for key, _, value in key_values if key in SAID}
    first, second = (part.strip() for part in hands.split("|"))
    if game.actor == 1:
        first, second = second, first
        values = {**values, "attacker": values.get("attacker", "0")}
        values = {key: value.translate(_TURNED) if key in _SEATS else value for key, value in values.items()}
    values["trump"] = _TRUMP
    if values.get("attacker") == "0":
        del values["attacker"]
    order = [key for key in ("trump", "attacker", "table", "taking", "passed", "limit") if key in values]
    old_suits, new_suits = [suit for suit in SUITS if suit != str(game.trump)], [suit for suit in SUITS if suit != _TRUMP]
    spellings = []
    for permutation in permutations(new_suits):
        suit_names = {**dict(zip(old_suits, permutation, strict=True)), str(game.trump): _TRUMP}
        hands_renamed = [_renamed(part, suit_names, ordered=True) for part in (first, second)]
        tail = [f"{key} {_renamed(values[key], suit_names, ordered=False) if key == 'table' else values[key]}".rstrip() for key in order]
        spellings.append("; ".join([f"{hands_renamed[0]} | {hands_renamed[1]}", *tail]))
    return f"{rules}{colon}{min(spellings)}"


def _renamed(cards: str, names: dict[str, str], *, ordered: bool) -> str:
    """Return cards with other suits; those of a hand in the order of suits."""
    renamed = _CARD.sub(lambda match: match[1] + names[match[2]], cards)
    return " ".join(map(str, CardSet(read_cards(renamed)))) if ordered else renamed


def one_way(game: Game, budget: int | None = PATIENCE) -> Ending | None:
    """Return the solution of a position in which exactly one move wins, or None.

    There must be three moves or more and two bouts or more, and the win must be proved.
    """
    if game.actor is None or game.talon or len(game.seats_in) != 2 or len(game.legal_moves()) < 3:
        return None
    solution = solve(game, budget=budget)
    return solution if solution.value == 1 and solution.proved and len(solution.best) == 1 and (solution.bouts or 0) > 1 else None


def puzzle_of(game: Game) -> Puzzle | None:
    """Return the puzzle that a position is, or None.

    One move wins, which is proved, and it is not the only one that looks good.

    >>> puzzle_of(Game(seed=7)) is None
    True
    """
    if game.talon or game.outcome is not None or game.seats != 2 or not LEAST <= len(_left(game)) <= MOST:
        return None
    position = bare(game)
    if position is None:
        return None
    try:
        rebuilt = laid(position)
    except DurakError:  # it depends on its history
        return None
    solution = one_way(rebuilt) if rebuilt.actor == 0 else None
    if solution is None or way_home(rebuilt) is None:
        return None
    difficulty = _grade(rebuilt, solution)
    return Puzzle(position, difficulty) if difficulty else None


def _left(game: Game) -> list[Card]:
    """Return the cards in the hands and on the table."""
    return [*(card for hand in game.hands for card in hand), *(card for pair in game.table for card in pair if card)]


def _grade(game: Game, found: Ending) -> int:
    """Return the difficulty; 0 if the winning move is obvious.

    It grows with the cards, the bouts, and the moves that look as good, and if it misleads `careful`.
    """
    view, (right,) = game.view(0), found.best
    price = prices(view)

    def cost(move: Move) -> int:
        return sum(price(card) for card in move.cards[move.verb == "beat" :])

    is_misleading = Careful().choose(view, Random(0)) != right
    cheaper = sum(cost(move) <= cost(right) for move in found.moves if move != right)
    if not is_misleading and cheaper < 2:
        return 0
    cards, bouts = len(_left(game)), found.bouts or 0
    points = (cards >= 8) + (cards >= 11) + (bouts >= 4) + (bouts >= 7) + (cheaper >= 3) + is_misleading
    return min(max(points, 1), 5)


def way_home(game: Game) -> tuple[Move, ...] | None:
    """Return the winning moves of the seat to act against a player who counts cards.

    The winner takes the quickest way. Return None if it is not found soon.
    """
    own_moves: list[Move] = []
    current, win_search, counting = game.copy(), Winning(), Counting()
    seat = current.actor
    while current.outcome is None and len(own_moves) < _LONGEST:
        if current.actor == seat:
            assert seat is not None  # noqa: S101 - somebody is to act
            move = win_search.way(current, seat)
            if move is None:
                return None
            own_moves.append(move)
        else:
            assert current.actor is not None  # noqa: S101 - as above
            move = counting.choose(current.view(current.actor), Random(0))
        current.play(move)
    return tuple(own_moves) if current.outcome is not None and seat in current.outcome.winners else None


@lru_cache(maxsize=1)
def shelf() -> tuple[Puzzle, ...]:
    """Return all puzzles of the package, preset by preset, the easier first.

    >>> len(shelf()) >= 1000, len({one.position.partition(":")[0] for one in shelf() if ":" in one.position}) >= 4
    (True, True)
    """
    return tuple(read(FILE.read_text(encoding="utf-8")))


def by_rules(rules: Rules | str | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles with these rules; all of them without rules.

    >>> by_rules() == shelf(), {str(one.rules) for one in by_rules("siege")}
    (True, {'siege'})
    """
    wanted = None if rules is None else Rules.parse(rules) if isinstance(rules, str) else rules
    selected = tuple(puzzle for puzzle in shelf() if wanted is None or puzzle.rules == wanted)
    if not selected:
        available = ", ".join(dict.fromkeys(str(puzzle.rules) for puzzle in shelf()))
        raise DurakError(f"there are no endings by the rules {quoted(str(wanted))}; there are some by {available}")
    return selected


def read(text: str) -> list[Puzzle]:
    r"""Parse puzzles: a line with the preset, then a line for each puzzle with its difficulty.

    >>> read("# podkidnoy\n2 Qd Ks 7d | Kh Kc 9d; trump h\n# siege\n1 Jc Kh Ah | 9h; trump h\n")[1]
    Puzzle(position='siege: Jc Kh Ah | 9h; trump h', grade=1)
    """
    puzzles, rules = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            rules = line[1:].strip()
        elif line.strip():
            difficulty, _, position = line.partition(" ")
            puzzles.append(Puzzle(position if rules == _USUAL else f"{rules}: {position}", int(difficulty)))
    return puzzles


def written(puzzles: Iterable[Puzzle]) -> str:
    """Format puzzles as `read` parses them."""
    lines_by_rules: dict[str, list[str]] = {}
    for puzzle in sorted(puzzles, key=lambda puzzle: (puzzle.grade, len(puzzle.position), puzzle.position)):
        rules, colon, position = puzzle.position.rpartition(": ")
        lines_by_rules.setdefault(rules if colon else _USUAL, []).append(f"{puzzle.grade} {position}")
    return "".join(f"# {rules}\n" + "".join(f"{line}\n" for line in lines) for rules, lines in lines_by_rules.items())


def puzzles(games: Game | Iterable[Any]) -> tuple[Puzzle, ...]:
    """Return the puzzles in one game or several: every position that is one, once, in order.

    It also takes the result of `lessons.games()`. Only games of two are searched; where a talon is left, or more play, nothing is certain.

    >>> from durak_widget import bots
    >>> game = bots.play(Game("econ431", seed=11), ["careful", "careful"], 5)
    >>> [(one.position, one.grade) for one in puzzles(game)]
    [('econ431: Ah Qs As | Ac Ad 9h Qh; trump h', 1)]
    """
    puzzle_by_position: dict[str, Puzzle] = {}
    if not isinstance(games, Game) and not isinstance(games, Iterable):
        raise DurakError(f"puzzles are looked for in a game, or in a list of games, not in {quoted(games)}")
    recorded_games = getattr(games, "played", None)
    for game in (
        [games] if isinstance(games, Game) else games if recorded_games is None else [recorded.game for recorded in recorded_games.values()]
    ):
        if not isinstance(game, Game):
            raise DurakError(f"puzzles are looked for in games, and {quoted(game)} is none")
        for puzzle in puzzles_in_game(game):
            puzzle_by_position.setdefault(puzzle.position, puzzle)
    return tuple(puzzle_by_position.values())


def puzzles_in_game(game: Game) -> Iterator[Puzzle]:
    """Yield the puzzles in a game, from its beginning to its current move."""
    replayed, last_ply = game.copy(), game.ply
    for ply in range(last_ply + 1):
        replayed.goto(ply)
        puzzle = puzzle_of(replayed)
        if puzzle is not None:
            yield puzzle


def mined(rules: Rules | str, *, seed: int = 1, most: int | None = None, executor: object = None) -> Iterator[Puzzle]:
    """Yield puzzles from games of bots, without end unless `most` limits the games.

    They are the same for the same seed, in the same order for every executor. `executor` is as in `parallel.WorkerPool`.
    When you stop, games that were played ahead are lost.

    >>> found = list(mined("econ431", most=12))
    >>> [one.grade in range(1, 6) for one in found][:1]
    [True]
    >>> list(mined("econ431", most=12, executor=1)) == found
    True
    """
    waiting: dict[int, tuple[Puzzle, ...]] = {}
    next_number = 0
    games = count() if most is None else range(most)
    with WorkerPool(executor) as pool, closing(pool.run_unordered(in_bot_game, games, common=(rules, seed))) as results:
        for number, puzzles_found in results:
            if not isinstance(puzzles_found, tuple) or isinstance(puzzles_found, Failed):
                raise DurakError(f"game {number} by the rules {rules} could not be played: {puzzles_found}")
            waiting[number] = puzzles_found
            while next_number in waiting:
                yield from waiting.pop(next_number)
                next_number += 1


def in_bot_game(dealt: tuple[Rules | str, int], number: int) -> tuple[Puzzle, ...]:
    """Return the puzzles in one game of two bots.

    >>> in_bot_game(("econ431", 1), 0) == in_bot_game(("econ431", 1), 0)
    True
    """
    rules, seed = dealt
    deal_seed, puzzles_found = f"{rules} {seed} {number}", []
    game, bot_names = Game(rules, seed=deal_seed), PAIRS[number % len(PAIRS)]
    players, rng = [get(name) for name in bot_names], Random(deal_seed)
    while (seat := game.actor) is not None:
        puzzle = puzzle_of(game)
        if puzzle is not None:
            puzzles_found.append(puzzle)
        game.play(players[seat].choose(game.view(seat), rng))
    return tuple(puzzles_found)
