"""Endgame puzzles: positions in which exactly one move wins.

The module finds, proves, rates, reads and writes puzzles. `puzzles.txt` has the puzzles of the package, which `tools/puzzles.py` found
in games of bots and proved. In this file, a line with the rules preset comes first, and then one line for each puzzle: its difficulty
from 1 to 5 and its position. New puzzles can be found in games of bots or in the user's own games.
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

from durak_widget.analysis.endgame import solve_endgame
from durak_widget.bots.bot import get
from durak_widget.bots.counting_bot import CountingBot
from durak_widget.bots.heuristic_bots import CarefulBot, get_card_prices
from durak_widget.cards import SUITS, CardSet, parse_cards
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.goals import SEARCH_BUDGET, WinReachability
from durak_widget.parallel import Failed, WorkerPool
from durak_widget.rules.ruleset import Rules
from durak_widget.widgets.missed_endgames import ENDGAME_FACTS, is_self_contained

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.analysis.endgame import EndgameSolution
    from durak_widget.cards import Card
    from durak_widget.engine.moves import Move

DIFFICULTIES: Final = range(1, 6)
"""The levels of difficulty of puzzles, from the easiest to the hardest."""
MIN_CARDS, MAX_CARDS = 4, 16
"""The minimum and maximum number of cards in a puzzle, counted in both hands and on the table."""
_CARD_PATTERN: Final = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
_SEAT_FACTS: Final = {"attacker", "passed"}
"""The keys in the text of a position whose values are numbers of seats."""
_EXCHANGED_SEATS: Final = str.maketrans("01", "10")
_TRUMP: Final = "h"
_MAX_MOVES: Final = 60
"""The number of moves by the winner after which the search for a solution gives up."""
PUZZLE_FILE = Path(__file__).with_name("puzzles.txt")
_USUAL_PRESET = "podkidnoy"
"""The rules preset of positions whose text names no preset."""
BOT_PAIRS: Final = (("careful", "careful"), ("careful", "counting"), ("first", "careful"))
"""The pairs of bots that play games from which puzzles are taken."""


class Puzzle(NamedTuple):
    """An endgame in which seat 0 moves first and has exactly one winning move.

    >>> puzzle = Puzzle("Qd Ks 7d | Kh Kc 9d; trump h", 1)
    >>> puzzle.card_count, puzzle.game.actor
    (6, 0)
    """

    position: str
    """The position of the puzzle as one line of text, without the discarded cards."""
    difficulty: int
    """The difficulty of the puzzle, from 1 to 5."""

    @property
    def game(self) -> Game:
        """Return a game at the puzzle's position, in which all other cards are discarded."""
        return build_game(self.position)

    @property
    def card_count(self) -> int:
        """Return the number of cards in both hands and on the table."""
        return len(_CARD_PATTERN.findall(self.position))

    @property
    def rules(self) -> Rules:
        """Return the rules of the puzzle's game."""
        rules_text, colon, _ = self.position.rpartition(": ")
        return Rules.parse(rules_text) if colon else Rules()

    @property
    def winning_line(self) -> tuple[Move, ...]:
        """Return the moves of seat 0 that solve the puzzle against the bot `counting`."""
        return find_winning_line(self.game) or ()


@lru_cache(maxsize=256)
def _list_deck(rules: Rules) -> CardSet:
    """Return all cards of the deck that a game with the given rules uses."""
    game = Game(rules, seed=0)
    card_aside = [] if game.turn_up is None or game.turn_up in game.talon else [game.turn_up]
    return CardSet([*(card for hand in game.hands for card in hand), *game.talon, *game.discard, *card_aside])


def build_game(position: str) -> Game:
    """Build a game from a position's text; discard all cards that the text does not mention.

    A player who counts cards therefore knows the opponent's hand.

    >>> game = build_game("9c Ah | Kd Qh; trump h")
    >>> len(game.discard), solve_endgame(game.view(0)).value == solve_endgame(game).value
    (32, True)
    """
    game = Game.from_position_line(position)
    if len(game.discard) or len(game.talon):
        return game
    counts = Counter(str(card) for card in _list_cards_left(game))
    discarded = [str(card) for card in _list_deck(game.rules) if not counts[str(card)]]
    return Game.from_position_line(f"{position}; discard {' '.join(discarded)}" if discarded else position)


def normalize_position(game: Game) -> str | None:
    """Rename suits and seats in a position's text, so that equivalent positions are equal.

    Seat 0 is the seat to move. Return None if the position depends on its history.

    >>> normalize_position(Game.from_position_line("9s Ac | Qs 9c Kd; trump c; attacker 1"))
    'Kc 9h Qs | Ah 9s; trump h'
    """
    if not is_self_contained(game):
        return None
    hands, *facts = game.position.split("; ")
    rules, colon, hands = hands.rpartition(": ")
    key_values = [fact.partition(" ") for fact in facts]
    values = {key: value for key, _, value in key_values if key in ENDGAME_FACTS}
    first, second = (part.strip() for part in hands.split("|"))
    if game.actor == 1:
        first, second = second, first
        values = {**values, "attacker": values.get("attacker", "0")}
        values = {key: value.translate(_EXCHANGED_SEATS) if key in _SEAT_FACTS else value for key, value in values.items()}
    values["trump"] = _TRUMP
    if values.get("attacker") == "0":
        del values["attacker"]
    order = [key for key in ("trump", "attacker", "table", "taking", "passed", "limit") if key in values]
    old_suits, new_suits = [suit for suit in SUITS if suit != str(game.trump)], [suit for suit in SUITS if suit != _TRUMP]
    spellings = []
    for permutation in permutations(new_suits):
        suit_names = {**dict(zip(old_suits, permutation, strict=True)), str(game.trump): _TRUMP}
        hands_renamed = [_rename_suits(part, suit_names, ordered=True) for part in (first, second)]
        facts_renamed = [
            f"{key} {_rename_suits(values[key], suit_names, ordered=False) if key == 'table' else values[key]}".rstrip() for key in order
        ]
        spellings.append("; ".join([f"{hands_renamed[0]} | {hands_renamed[1]}", *facts_renamed]))
    return f"{rules}{colon}{min(spellings)}"


def _rename_suits(cards: str, names: dict[str, str], *, ordered: bool) -> str:
    """Rename the suits of cards; if `ordered`, also sort the cards by suit."""
    renamed = _CARD_PATTERN.sub(lambda match: match[1] + names[match[2]], cards)
    return " ".join(map(str, CardSet(parse_cards(renamed)))) if ordered else renamed


def solve_if_one_move_wins(game: Game, budget: int | None = SEARCH_BUDGET) -> EndgameSolution | None:
    """Return the solution of an endgame if exactly one move wins; otherwise return None.

    The position must have at least three legal moves and last at least two bouts, and the win must be proved.
    """
    if game.actor is None or game.talon or len(game.seats_in) != 2 or len(game.legal_moves()) < 3:
        return None
    solution = solve_endgame(game, budget=budget)
    return (
        solution
        if solution.value == 1 and solution.is_fully_solved and len(solution.best_moves) == 1 and (solution.bouts_to_end or 0) > 1
        else None
    )


def find_puzzle(game: Game) -> Puzzle | None:
    """Return a game's current position as a puzzle, or None if it is not a valid puzzle.

    Exactly one move must be proved to win, and at least one other move must look good.

    >>> find_puzzle(Game(seed=7)) is None
    True
    """
    if game.talon or game.outcome is not None or game.seats != 2 or not MIN_CARDS <= len(_list_cards_left(game)) <= MAX_CARDS:
        return None
    position = normalize_position(game)
    if position is None:
        return None
    try:
        rebuilt = build_game(position)
    except DurakError:  # A position that depends on the history of its game can't be rebuilt
        return None
    solution = solve_if_one_move_wins(rebuilt) if rebuilt.actor == 0 else None
    if solution is None or find_winning_line(rebuilt) is None:
        return None
    difficulty = _rate_difficulty(rebuilt, solution)
    return Puzzle(position, difficulty) if difficulty else None


def _list_cards_left(game: Game) -> list[Card]:
    """Return the cards in the hands and on the table of a game."""
    return [*(card for hand in game.hands for card in hand), *(card for pair in game.table for card in pair if card)]


def _rate_difficulty(game: Game, solution: EndgameSolution) -> int:
    """Rate a puzzle's difficulty from 1 to 5, or as 0 if the winning move is obvious.

    The difficulty grows with the number of cards, of bouts, and of moves that look as good. It is higher if the winning move surprises the bot
    `careful`.
    """
    view, (right,) = game.view(0), solution.best_moves
    price = get_card_prices(view)

    def cost(move: Move) -> int:
        """Return the total price of the cards that a player spends on a move."""
        return sum(price(card) for card in move.cards[move.verb == "beat" :])

    is_misleading = CarefulBot().choose(view, Random(0)) != right
    cheaper = sum(cost(move) <= cost(right) for move in solution.move_values if move != right)
    if not is_misleading and cheaper < 2:
        return 0
    cards, bouts = len(_list_cards_left(game)), solution.bouts_to_end or 0
    points = (cards >= 8) + (cards >= 11) + (bouts >= 4) + (bouts >= 7) + (cheaper >= 3) + is_misleading
    return min(max(points, 1), 5)


def find_winning_line(game: Game) -> tuple[Move, ...] | None:
    """Return the current player's moves that win against the bot `counting`.

    The winner plays the quickest win. Return None if no win is found within the search budget.
    """
    own_moves: list[Move] = []
    current, win_search, counting = game.copy(), WinReachability(), CountingBot()
    seat = current.actor
    while current.outcome is None and len(own_moves) < _MAX_MOVES:
        if current.actor == seat:
            assert seat is not None  # noqa: S101 - the game is not over
            move = win_search.find_move(current, seat)
            if move is None:
                return None
            own_moves.append(move)
        else:
            assert current.actor is not None  # noqa: S101 - as above
            move = counting.choose(current.view(current.actor), Random(0))
        current.play(move)
    return tuple(own_moves) if current.outcome is not None and seat in current.outcome.winners else None


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles of the package, sorted by preset and then by difficulty.

    >>> len(load_puzzles()) >= 1000, len({one.position.partition(":")[0] for one in load_puzzles() if ":" in one.position}) >= 4
    (True, True)
    """
    return tuple(parse_puzzles(PUZZLE_FILE.read_text(encoding="utf-8")))


def select_puzzles(rules: Rules | str | None = None) -> tuple[Puzzle, ...]:
    """Return the package's puzzles with the given rules; all puzzles if `rules` is None.

    >>> select_puzzles() == load_puzzles(), {str(one.rules) for one in select_puzzles("siege")}
    (True, {'siege'})
    """
    wanted = None if rules is None else Rules.parse(rules) if isinstance(rules, str) else rules
    selected = tuple(puzzle for puzzle in load_puzzles() if wanted is None or puzzle.rules == wanted)
    if not selected:
        available = ", ".join(dict.fromkeys(str(puzzle.rules) for puzzle in load_puzzles()))
        raise DurakError(f"there are no endings with the rules {short_repr(str(wanted))}; there are some with {available}")
    return selected


def parse_puzzles(text: str) -> list[Puzzle]:
    r"""Parse a text of puzzles, in which a heading names the rules of the puzzles below it.

    >>> parse_puzzles("# podkidnoy\n2 Qd Ks 7d | Kh Kc 9d; trump h\n# siege\n1 Jc Kh Ah | 9h; trump h\n")[1]
    Puzzle(position='siege: Jc Kh Ah | 9h; trump h', difficulty=1)
    """
    puzzles, rules = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            rules = line[1:].strip()
        elif line.strip():
            difficulty, _, position = line.partition(" ")
            puzzles.append(Puzzle(position if rules == _USUAL_PRESET else f"{rules}: {position}", int(difficulty)))
    return puzzles


def format_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """Format puzzles as a text that `parse_puzzles` can read."""
    lines_by_rules: dict[str, list[str]] = {}
    for puzzle in sorted(puzzles, key=lambda puzzle: (puzzle.difficulty, len(puzzle.position), puzzle.position)):
        rules, colon, position = puzzle.position.rpartition(": ")
        lines_by_rules.setdefault(rules if colon else _USUAL_PRESET, []).append(f"{puzzle.difficulty} {position}")
    return "".join(f"# {rules}\n" + "".join(f"{line}\n" for line in lines) for rules, lines in lines_by_rules.items())


def puzzles(games: Game | Iterable[Any]) -> tuple[Puzzle, ...]:
    """Return all different puzzles that occur in one or more games.

    The function also accepts the result of `lessons.games()`. It searches only positions of two players without a talon, because only
    these can be solved.

    >>> from durak_widget import bots
    >>> game = bots.play(Game("econ431", seed=11), ["careful", "careful"], 5)
    >>> [(one.position, one.difficulty) for one in puzzles(game)]
    [('econ431: Ah Qs As | Ac Ad 9h Qh; trump h', 1)]
    """
    puzzle_by_position: dict[str, Puzzle] = {}
    if not isinstance(games, Game) and not isinstance(games, Iterable):
        raise DurakError(f"puzzles need a game, or a list of games, not {short_repr(games)}")
    recorded_games = getattr(games, "games_by_file", None)
    for game in (
        [games] if isinstance(games, Game) else games if recorded_games is None else [recorded.game for recorded in recorded_games.values()]
    ):
        if not isinstance(game, Game):
            raise DurakError(f"puzzles can only be found in games, and {short_repr(game)} is not a game")
        for puzzle in iterate_puzzles(game):
            puzzle_by_position.setdefault(puzzle.position, puzzle)
    return tuple(puzzle_by_position.values())


def iterate_puzzles(game: Game) -> Iterator[Puzzle]:
    """Yield the puzzles that occur in a game, from its start to its current move."""
    replayed, last_ply = game.copy(), game.ply
    for ply in range(last_ply + 1):
        replayed.goto(ply)
        puzzle = find_puzzle(replayed)
        if puzzle is not None:
            yield puzzle


def search_bot_games(rules: Rules | str, *, seed: int = 1, max_games: int | None = None, executor: object = None) -> Iterator[Puzzle]:
    """Play games between bots and yield their puzzles; play at most `max_games` games.

    The same seed gives the same puzzles in the same order for every executor. `executor` is as in `parallel.WorkerPool`. If you stop
    the search, games that were played ahead are lost.

    >>> found = list(search_bot_games("econ431", max_games=12))
    >>> [one.difficulty in range(1, 6) for one in found][:1]
    [True]
    >>> list(search_bot_games("econ431", max_games=12, executor=1)) == found
    True
    """
    unsorted_results: dict[int, tuple[Puzzle, ...]] = {}
    next_number = 0
    games = count() if max_games is None else range(max_games)
    with WorkerPool(executor) as pool, closing(pool.run_unordered(find_puzzles_in_bot_game, games, common=(rules, seed))) as results:
        for number, puzzles_found in results:
            if not isinstance(puzzles_found, tuple) or isinstance(puzzles_found, Failed):
                raise DurakError(f"game {number} with the rules {rules} could not be played: {puzzles_found}")
            unsorted_results[number] = puzzles_found
            while next_number in unsorted_results:
                yield from unsorted_results.pop(next_number)
                next_number += 1


def find_puzzles_in_bot_game(rules_and_seed: tuple[Rules | str, int], number: int) -> tuple[Puzzle, ...]:
    """Play one game between two bots, and return the puzzles that occur in it.

    >>> find_puzzles_in_bot_game(("econ431", 1), 0) == find_puzzles_in_bot_game(("econ431", 1), 0)
    True
    """
    rules, seed = rules_and_seed
    deal_seed, puzzles_found = f"{rules} {seed} {number}", []
    game, bot_names = Game(rules, seed=deal_seed), BOT_PAIRS[number % len(BOT_PAIRS)]
    players, rng = [get(name) for name in bot_names], Random(deal_seed)
    while (seat := game.actor) is not None:
        puzzle = find_puzzle(game)
        if puzzle is not None:
            puzzles_found.append(puzzle)
        game.play(players[seat].choose(game.view(seat), rng))
    return tuple(puzzles_found)
