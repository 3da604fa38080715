"""Finds the small endgames of the problem set, and writes them to `econ431/kinds.txt`.

The endgames of one question have equal size, and no two differ only by the names of suits and ranks.

    PYTHONPATH=. python tools/kinds431.py            takes some minutes, and an hour for `packs`; arguments select parts

The file does not contain the right answers, except for the best habits in packs of deals, which take an hour to
find. `tests/econ431/` checks that every endgame fits its question.
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis.durak_tree import build_tree_from_position
from durak_widget.analysis.payoffs_in_coins import build_coin_tree, replace_solved_subtrees, set_coin_prices
from durak_widget.econ431.bot_question import GOAL_MARGIN, PAIR_COUNT, DealPack
from durak_widget.econ431.endgame_positions import DECK, RANKS, build_game, load_endgames, shuffle_actions
from durak_widget.econ431.endgame_questions import ADVANTAGE_ANSWERS, count_cards_left
from durak_widget.econ431.hidden_card_questions import DOMINANCE_PARTS as STRUCK_PARTS
from durak_widget.econ431.hidden_card_questions import FORM_PARTS
from durak_widget.econ431.mixed_strategy_questions import PRICES, STAKES, GamePrices, reduce_game
from durak_widget.exercises.duplicate_bot_games import PairedGames, play_paired_games
from durak_widget.exercises.habit_bot import HABITS, HabitBot
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.strategic_form import matrix
from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.tree import Tree

FILE: Final = Path(__file__).resolve().parent.parent / "durak_widget/econ431/kinds.txt"
MANY: Final = 60
"""The maximum number of endgames for each question."""
TRIES: Final = 6_000


def hidden_line(lots: Random) -> str:
    """Return a random endgame with one unknown card in the defender's hand.

    Each player has two cards. Both cards of the attacker and one of the defender's are known, and one card is left to
    draw.
    """
    first, second, third, fourth, fifth = lots.sample(DECK, 5)
    return f"{first} {second} | {third} {fourth}; trump {lots.choice('cdhs')}; talon {fifth}; seen {first} {second} | {third}"


def mixing_line(lots: Random) -> str:
    """Return a random endgame with one unknown card in the attacker's hand.

    The attacker has two cards and the defender one known card; two cards are left to draw.
    """
    first, second, third, fourth, fifth = lots.sample(DECK, 5)
    return f"{first} {second} | {third}; trump {lots.choice('cdhs')}; talon {fourth} {fifth}; seen {first} | {third}"


def open_line(lots: Random) -> str:
    """Return a random endgame without a talon, with two cards against three."""
    first, second, third, fourth, fifth = lots.sample(DECK, 5)
    return f"{first} {second} | {third} {fourth} {fifth}; trump {lots.choice('cdhs')}"


def sizes(line: str) -> tuple[tuple[int, int], ...]:
    """Return, for each information set, its player and its number of nodes.

    Subgames with perfect information are left out.
    """
    tree = replace_solved_subtrees(build_tree_from_position(build_game(line)))
    met = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    return tuple(sorted((tree.infosets[place].player, count) for place, count in met.items()))


def to_join(line: str) -> bool:
    """Return whether an endgame has three information sets of two nodes and four of one."""
    return sizes(line) == ((0, 2),) * 3 + ((1, 1),) * 4


def form_of(line: str) -> str:
    """Return which part of the endgame file an endgame fits, for the strategic form questions.

    The question on filling in the matrix needs three strategies against four, with wins, losses and ties in the
    twelve cells; if the value of the game is 0, only losses and ties. The question on dominance needs three
    strategies against six, of which six are eliminated.
    """
    tree = replace_solved_subtrees(build_tree_from_position(build_game(line)))
    met = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    if tuple(sorted((tree.infosets[place].player, count) for place, count in met.items())) != ((0, 2), (0, 2), (1, 1), (1, 1)):
        return ""
    payoff_matrix = matrix(tree)
    result, payoffs = WORTH.get(minimax(payoff_matrix).value, ""), {cell[0] for row in payoff_matrix.payoffs for cell in row}
    if (len(payoff_matrix.rows), len(payoff_matrix.columns)) == (3, 4) and payoffs == ({-1, 0, 1} if result != "even" else {-1, 0}):
        return f"fill.{result}"
    has_dominated_strategies = (len(payoff_matrix.rows), len(payoff_matrix.columns)) == (3, 6) and payoff_matrix.dominated_strategies()
    return f"strike.{result}" if has_dominated_strategies and len(OnMatrix.strike(payoff_matrix, weak=True).solution) == STRUCK else ""


def forms(lots: Random) -> dict[str, list[str]]:
    """Find endgames for the questions on the strategic form, by file part."""
    lines_by_part: dict[str, list[str]] = {part: [] for part in (*FORM_PARTS, *dict.fromkeys(STRUCK_PARTS))}
    seen_lines: set[str] = set()
    for _ in range(4 * TRIES):
        line = kind_of(hidden_line(lots))
        if line in seen_lines:
            continue
        seen_lines.add(line)
        try:
            lines_of_part = lines_by_part.get(form_of(line), [None] * MANY)
        except (TreeError, IndexError):
            continue
        if len(lines_of_part) < MANY:
            lines_of_part.append(line)
    return {part: sorted(lines) for part, lines in lines_by_part.items()}


WORTH: Final = {1: "won", 0: "even", -1: "lost"}
STRUCK: Final = 6


def to_mix(line: str) -> bool:
    """Return whether both players must mix at every stake.

    Each player must mix at exactly one information set, with unequal probabilities.
    """
    return _mixes(line, [GamePrices(1, stake, Fraction(0)) for stake in STAKES])


def to_mix_apart(line: str) -> bool:
    """Return whether both players mix at every price, with independent probabilities.

    One player's probability must not give away the other's.
    """
    games = [game for game in (reduce_game(line, price) for price in PRICES) if game is not None]
    return _mixes(line, PRICES) and not any(
        sum(game.first_move_probabilities) == 1 or len(set(game.first_move_probabilities)) == 1 for game in games
    )


def _mixes(line: str, prices: Sequence[GamePrices]) -> bool:
    tree = build_coin_tree(build_game(line))
    if replace_solved_subtrees(tree).infoset_counts != (3, 6):
        return False
    for price in prices:
        reduced = reduce_game(line, price)
        if (
            reduced is None
            or Fraction(1, 2) in reduced.first_move_probabilities
            or reduced.value != minimax(matrix(replace_solved_subtrees(set_coin_prices(tree, *price)))).value
        ):
            return False
    return True


def to_begin(line: str) -> str:
    """Return whether attacking first pays in an endgame; "" if its trees have the wrong size."""
    if not DECISIONS[0] <= decisions(line) <= DECISIONS[1]:
        return ""
    cards_left, exchanged_cards_left = count_cards_left(line)
    return f"{'even' if cards_left + exchanged_cards_left == 0 else 'yes' if cards_left + exchanged_cards_left > 0 else 'no'} {cards_left} {exchanged_cards_left}"


DECISIONS: Final = (26, 36)
"""The allowed range of the number of decision nodes in both deals of an endgame together."""
ALIKE: Final = 15
"""The maximum number of endgames with the same numbers of cards left."""


def decisions(line: str) -> int:
    """Return the number of decision nodes in an endgame, with these and with exchanged hands."""
    hands, _, rest = line.partition(";")
    games = (hands, " | ".join(reversed(hands.split(" | "))))
    return sum(
        tree.history_count - tree.terminal_count
        for tree in (build_coin_tree(build_game(f"{hands_of_game};{rest}")) for hands_of_game in games)
    )


def begun(lots: Random) -> dict[str, list[str]]:
    """Find endgames for the question whether attacking first pays, and group them by answer."""
    lines_by_answer: dict[str, list[str]] = {}
    seen_lines: set[str] = set()
    for _ in range(4 * TRIES):
        standard_line = kind_of(open_line(lots))
        if standard_line in seen_lines:
            continue
        seen_lines.add(standard_line)
        lines_of_answer = lines_by_answer.setdefault(to_begin(standard_line), [])
        if len(lines_of_answer) < ALIKE:
            lines_of_answer.append(standard_line)
    return {
        answer: sorted(line for key, lines in lines_by_answer.items() for line in lines if key.startswith(f"{answer} "))
        for answer in set(ADVANTAGE_ANSWERS)
    }


def kind_of(line: str) -> str:
    """Return an endgame in standard form: fixed names of suits, and no gaps between ranks."""
    trump = line.partition("trump ")[2][0]
    cards = [word for word in line.replace(";", " ").split() if len(word) == 2 and word[0] in RANKS and word[1] in "cdhs"]
    ranks = sorted({card[0] for card in cards}, key=RANKS.index)
    suits: dict[str, str] = {trump: "h"}
    for card in cards:
        if card[1] not in suits:
            suits[card[1]] = next(suit for suit in "cds" if suit not in suits.values())
    names = {card: RANKS[ranks.index(card[0])] + suits[card[1]] for card in cards}
    return " ".join(
        f"{names.get(word.strip(';'), word.strip(';'))}{';' * word.endswith(';')}"
        for word in line.replace(f"trump {trump}", "trump h").split()
    )


def found(lots: Random, line: Callable[[Random], str], wanted: Callable[[str], bool]) -> list[str]:
    """Draw random endgames, and return those that meet a condition."""
    kept_lines: dict[str, None] = {}
    seen_lines: set[str] = set()
    for _ in range(TRIES):
        standard_line = kind_of(line(lots))
        if standard_line in seen_lines:
            continue
        seen_lines.add(standard_line)
        try:
            if wanted(standard_line):
                kept_lines[standard_line] = None
        except (TreeError, IndexError):
            continue
        if len(kept_lines) == MANY:
            break
    return sorted(kept_lines)


ALL: Final = [HabitBot(*rules) for rules in product(*HABITS.values())]
_FAIR: Final = (
    "low|pair low|rank never|trump all|plain|none",
    "low high never all|plain|none",
    "pair high never all|plain",
    "high low|rank never all|plain",
    "high low trump plain|none",
    "trump low never|trump all|plain",
    "trump rank never all|plain|none",
    "trump high never all|plain",
)
OTHERS: Final = [
    bot for bot in ALL if any(all(rule in rules.split("|") for rule, rules in zip(bot, line.split(), strict=True)) for line in _FAIR)
]
"""The bots that may be the opponent: a good player beats them in less than nine of ten games."""
DEALS: Final = 125
REACH: Final = range(1, 6)
"""The allowed range of how many habit combinations (of 108) reach the goal in a pack."""
LOTS: Final = 0.15
"""The maximum credit that random habits may earn on average."""
ALIKE_RIGHT: Final = 12
"""The maximum number of packs in which one and the same habit combination reaches the goal."""


def met(number: int) -> tuple[str, HabitBot]:
    """Return the seed of a numbered pack of deals, and its opponent."""
    seed = f"pack {number}"
    return seed, Random(seed).choice(OTHERS)


def won_of(seed: str, other: HabitBot) -> list[int]:
    """Return how many games each habit combination wins in a pack of deals."""
    return [play_paired_games(bot, PairedGames("econ431", other.to_line, PAIR_COUNT, seed)).won for bot in ALL]


def packs(won: Callable[[str, HabitBot], list[int]] = won_of) -> list[str]:
    """Find packs of deals with an opponent that are equally difficult for students."""
    lines: list[str] = []
    right: Counter[HabitBot] = Counter()
    for seed, other in map(met, range(DEALS)):
        games_won = won(seed, other)
        most = max(games_won)
        base = ceil((Fraction(sum(games_won), len(games_won)) + most) / 2)
        reach = [bot for bot, games in zip(ALL, games_won, strict=True) if games >= most - GOAL_MARGIN]
        earned = sum(min(max((games - base) / (most - GOAL_MARGIN - base), 0), 1) for games in games_won) / len(games_won)
        if len(reach) not in REACH or earned > LOTS or max(right[bot] for bot in reach) >= ALIKE_RIGHT:
            continue
        right.update(reach)
        lines.append(str(DealPack(seed, other, ALL[games_won.index(most)], base, most)))
        if len(lines) == MANY:
            break
    return lines


NEAR: Final = 4
"""In revision 2, credit begins this number of games below the goal."""


def fair_packs(won: Callable[[str, HabitBot], list[int]] = won_of) -> list[str]:
    """Select packs for revision 2, so that no combination of habits earns much on average.

    Packs are removed as long as that lowers the best average.
    """
    games_won = {pack: won(pack.seed, pack.opponent) for pack in map(DealPack.from_line, load_endgames("packs"))}
    kept = [pack._replace(base_points=pack.max_points - GOAL_MARGIN - NEAR) for pack in games_won]
    wins = {pack.seed: won_there for pack, won_there in games_won.items()}

    def best(packs: Sequence[DealPack]) -> Fraction:
        """Return the highest mean credit that a single combination of habits earns."""
        earned = (
            [min(max(Fraction(games - pack.base_points, NEAR), Fraction(0)), Fraction(1)) for games in wins[pack.seed]] for pack in packs
        )
        return max(map(sum, zip(*earned, strict=True))) / len(packs)

    while len(kept) > FEWEST:
        less, out = min((best([other for other in kept if other is not pack]), pack) for pack in kept)
        if less >= best(kept):
            break
        kept.remove(out)
    return [str(pack) for pack in kept]


FEWEST: Final = 12
"""The minimum number of packs that must be left."""


def fair_fills() -> list[str]:
    """Select endgames for revision 2 in which no payoff fills more than seven of twelve cells.

    The patterns of right answers are about equally frequent.
    """
    groups = by_pattern(FORM_PARTS, lambda tree: tuple(map(str, OnMatrix.fill(tree).solution)))
    return sorted(
        line
        for (part, pattern), lines in groups.items()
        if max(Counter(pattern).values()) <= 7
        for line in lines[: {9: 9, 7: 6}.get(len(lines), 3) if part == "fill.lost" else 3]
    )


def fair_strikes() -> list[str]:
    """Select endgames for the dominance question, with all patterns of answers about equal."""
    groups = by_pattern(STRUCK_PARTS, struck_plans)
    return sorted(line for (part, _), lines in groups.items() for line in lines[: 4 if part == "strike.even" else 7])


def struck_plans(tree: Tree) -> tuple[object, ...]:
    """Return the strategies that are eliminated, in a fixed order."""
    quiz = OnMatrix.strike(tree, weak=True)
    quiz.answer(quiz.solution)
    return tuple(sorted(map(tuple, quiz.last_answer)))  # type: ignore[call-overload] # plain values


def by_pattern(parts: Sequence[str], answer: Callable[[Tree], tuple[Any, ...]]) -> dict[tuple[str, tuple[Any, ...]], list[str]]:
    """Group the endgames in some parts of the file by the pattern of their right answers.

    The pattern does not depend on the order of actions.
    """
    lines_by_pattern: dict[tuple[str, tuple[Any, ...]], list[str]] = {}
    for part in parts:
        for line in load_endgames(part):
            tree = replace_solved_subtrees(build_tree_from_position(build_game(line)))
            pattern = min(answer(shuffle_actions(tree, Random(number))) for number in range(32))
            lines_by_pattern.setdefault((part, pattern), []).append(line)
    return lines_by_pattern


def main(only: Sequence[str]) -> None:
    """Find the endgames for some questions (by default all), and write the file again."""
    sources = {
        "sets": (hidden_line, to_join),
        "mix": (mixing_line, to_mix),
    }
    first = {f"first.{answer}": lines for answer, lines in (begun(Random("first")) if not only or "first" in only else {}).items()}
    first |= forms(Random("forms")) if not only or "forms" in only else {}
    lines: list[str] = []
    parts = ["Kinds of small endings of econ431, and seeds of deals; written by tools/kinds431.py."]
    for name in (
        "sets",
        *FORM_PARTS,
        *dict.fromkeys(STRUCK_PARTS),
        "fill.fair",
        "strike.fair",
        "mix",
        "apart",
        *sorted(f"first.{answer}" for answer in set(ADVANTAGE_ANSWERS)),
        "packs",
        "packs.fair",
    ):
        if name in first:
            lines = first[name]
        elif only and name not in only:
            lines = list(load_endgames(name))
        elif name == "apart":
            lines = [line for line in lines if to_mix_apart(line)]
        else:
            chosen = {"packs": packs, "packs.fair": fair_packs, "fill.fair": fair_fills, "strike.fair": fair_strikes}
            lines = chosen[name]() if name in chosen else found(Random(name), *sources[name])
        parts.append("\n".join([f"# {name}", *lines]))
        print(name, len(lines), flush=True)
    FILE.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
