"""Writes the kinds of endings of the problem set, `econ431/kinds.txt`: small endings, of one size for each question, no two the same but for names.

    PYTHONPATH=. python tools/kinds431.py            some minutes, and an hour for `packs`; with names of parts, those alone

What is right there does not stand in the file, but for the habits that win most on deals for bots, which take an hour to find; `tests/econ431/` proves of each that it is of its kind.
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
"""So many of each kind at most."""
TRIES: Final = 6_000


def hidden_line(lots: Random) -> str:
    """Both cards of who attacks are known, one of the other's two, and one is left to draw."""
    one, two, three, four, five = lots.sample(DECK, 5)
    return f"{one} {two} | {three} {four}; trump {lots.choice('cdhs')}; talon {five}; seen {one} {two} | {three}"


def mixing_line(lots: Random) -> str:
    """One of the two cards of who attacks is known, the card of the other too, and two are left to draw."""
    one, two, three, four, five = lots.sample(DECK, 5)
    return f"{one} {two} | {three}; trump {lots.choice('cdhs')}; talon {four} {five}; seen {one} | {three}"


def open_line(lots: Random) -> str:
    """Two cards against three, nothing left to draw."""
    one, two, three, four, five = lots.sample(DECK, 5)
    return f"{one} {two} | {three} {four} {five}; trump {lots.choice('cdhs')}"


def sizes(line: str) -> tuple[tuple[int, int], ...]:
    """Of each information set whose it is, and how many places it has; what follows when all is known is left out."""
    tree = replace_solved_subtrees(build_tree_from_position(build_game(line)))
    met = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    return tuple(sorted((tree.infosets[place].player, count) for place, count in met.items()))


def to_join(line: str) -> bool:
    """Three sets of two places, and four of one."""
    return sizes(line) == ((0, 2),) * 3 + ((1, 1),) * 4


def form_of(line: str) -> str:
    """Which question of the strategic form an ending is for, and what it is worth to who attacks; nothing where it is for none.

    To be filled in: three plans against four, with wins, losses and halves among the twelve cells, or in a game that is worth nothing losses and halves. To be struck out:
    three plans against six, of which six go before the rest stands.
    """
    tree = replace_solved_subtrees(build_tree_from_position(build_game(line)))
    met = Counter(info for info, actor in zip(tree.infoset_of, tree.actor, strict=True) if actor >= 0)
    if tuple(sorted((tree.infosets[place].player, count) for place, count in met.items())) != ((0, 2), (0, 2), (1, 1), (1, 1)):
        return ""
    found = matrix(tree)
    worth, there = WORTH.get(minimax(found).value, ""), {cell[0] for row in found.payoffs for cell in row}
    if (len(found.rows), len(found.columns)) == (3, 4) and there == ({-1, 0, 1} if worth != "even" else {-1, 0}):
        return f"fill.{worth}"
    goes = (len(found.rows), len(found.columns)) == (3, 6) and found.dominated_strategies()
    return f"strike.{worth}" if goes and len(OnMatrix.strike(found, weak=True).solution) == STRUCK else ""


def forms(lots: Random) -> dict[str, list[str]]:
    """Kinds for the questions of the strategic form, by what they are worth."""
    kept: dict[str, list[str]] = {part: [] for part in (*FORM_PARTS, *dict.fromkeys(STRUCK_PARTS))}
    seen: set[str] = set()
    for _ in range(4 * TRIES):
        one = kind_of(hidden_line(lots))
        if one in seen:
            continue
        seen.add(one)
        try:
            alike = kept.get(form_of(one), [None] * MANY)
        except (TreeError, IndexError):
            continue
        if len(alike) < MANY:
            alike.append(one)
    return {part: sorted(lines) for part, lines in kept.items()}


WORTH: Final = {1: "won", 0: "even", -1: "lost"}
STRUCK: Final = 6


def to_mix(line: str) -> bool:
    """Whatever the stake, both must mix, each at one place and not evenly, and the little game of these places is worth what the whole is."""
    return _mixes(line, [GamePrices(1, stake, Fraction(0)) for stake in STAKES])


def to_mix_apart(line: str) -> bool:
    """So it is at whatever price of a card and toll of who takes, and how often the one does something does not tell how often the other does."""
    games = [one for one in (reduce_game(line, price) for price in PRICES) if one is not None]
    return _mixes(line, PRICES) and not any(
        sum(one.first_move_probabilities) == 1 or len(set(one.first_move_probabilities)) == 1 for one in games
    )


def _mixes(line: str, prices: Sequence[GamePrices]) -> bool:
    tree = build_coin_tree(build_game(line))
    if replace_solved_subtrees(tree).infoset_counts != (3, 6):
        return False
    for price in prices:
        found = reduce_game(line, price)
        if (
            found is None
            or Fraction(1, 2) in found.first_move_probabilities
            or found.value != minimax(matrix(replace_solved_subtrees(set_coin_prices(tree, *price)))).value
        ):
            return False
    return True


def to_begin(line: str) -> str:
    """Whether it is an advantage to attack first, and in which way; nothing where the two games are not of the size that is wanted."""
    if not DECISIONS[0] <= decisions(line) <= DECISIONS[1]:
        return ""
    one, other = count_cards_left(line)
    return f"{'even' if one + other == 0 else 'yes' if one + other > 0 else 'no'} {one} {other}"


DECISIONS: Final = (26, 36)
"""So often somebody has something to decide, in both games together."""
ALIKE: Final = 15
"""So many kinds that are won and lost by the same numbers of cards."""


def decisions(line: str) -> int:
    """In how many histories somebody has something to decide: with the hands as they stand, and exchanged."""
    hands, _, rest = line.partition(";")
    games = (hands, " | ".join(reversed(hands.split(" | "))))
    return sum(tree.history_count - tree.terminal_count for tree in (build_coin_tree(build_game(f"{one};{rest}")) for one in games))


def begun(lots: Random) -> dict[str, list[str]]:
    """Kinds by whether it is an advantage to attack first."""
    kept: dict[str, list[str]] = {}
    seen: set[str] = set()
    for _ in range(4 * TRIES):
        one = kind_of(open_line(lots))
        if one in seen:
            continue
        seen.add(one)
        alike = kept.setdefault(to_begin(one), [])
        if len(alike) < ALIKE:
            alike.append(one)
    return {
        answer: sorted(line for way, lines in kept.items() for line in lines if way.startswith(f"{answer} "))
        for answer in set(ADVANTAGE_ANSWERS)
    }


def kind_of(line: str) -> str:
    """The same for all that differ by names of suits and gaps between ranks alone."""
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
    """Lines of this kind, drawn by lots."""
    kept: dict[str, None] = {}
    seen: set[str] = set()
    for _ in range(TRIES):
        one = kind_of(line(lots))
        if one in seen:
            continue
        seen.add(one)
        try:
            if wanted(one):
                kept[one] = None
        except (TreeError, IndexError):
            continue
        if len(kept) == MANY:
            break
    return sorted(kept)


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
    one for one in ALL if any(all(rule in rules.split("|") for rule, rules in zip(one, line.split(), strict=True)) for line in _FAIR)
]
"""Who may be met: those that are not beaten nine times of ten by anybody who plays well."""
DEALS: Final = 125
REACH: Final = range(1, 6)
"""So many of the 108 mixes of habits reach the goal."""
LOTS: Final = 0.15
"""Habits that are chosen by lots earn so much on average, at most."""
ALIKE_RIGHT: Final = 12
"""So many packs have the same mix among those that reach the goal, at most."""


def met(number: int) -> tuple[str, HabitBot]:
    """The deals of a number, and who is met there."""
    seed = f"pack {number}"
    return seed, Random(seed).choice(OTHERS)


def won_of(seed: str, other: HabitBot) -> list[int]:
    """What each mix of habits wins there."""
    return [play_paired_games(one, PairedGames("econ431", other.to_line, PAIR_COUNT, seed)).won for one in ALL]


def packs(won: Callable[[str, HabitBot], list[int]] = won_of) -> list[str]:
    """Deals, each with who is met there, which are of one difficulty: by how many mixes of habits reach the goal, by what lots earn, and so that what is right differs."""
    lines: list[str] = []
    right: Counter[HabitBot] = Counter()
    for seed, other in map(met, range(DEALS)):
        found = won(seed, other)
        most = max(found)
        base = ceil((Fraction(sum(found), len(found)) + most) / 2)
        reach = [one for one, games in zip(ALL, found, strict=True) if games >= most - GOAL_MARGIN]
        earned = sum(min(max((games - base) / (most - GOAL_MARGIN - base), 0), 1) for games in found) / len(found)
        if len(reach) not in REACH or earned > LOTS or max(right[one] for one in reach) >= ALIKE_RIGHT:
            continue
        right.update(reach)
        lines.append(str(DealPack(seed, other, ALL[found.index(most)], base, most)))
        if len(lines) == MANY:
            break
    return lines


NEAR: Final = 4
"""In packs of revision 2 credit begins so many games below the goal."""


def fair_packs(won: Callable[[str, HabitBot], list[int]] = won_of) -> list[str]:
    """Those of the packs of which no one mix of habits earns much on average, with credit that begins closer to the goal: packs are left out as long as that helps."""
    found = {pack: won(pack.seed, pack.opponent) for pack in map(DealPack.from_line, load_endgames("packs"))}
    kept = [pack._replace(base_points=pack.max_points - GOAL_MARGIN - NEAR) for pack in found]
    wins = {pack.seed: won_there for pack, won_there in found.items()}

    def best(packs: Sequence[DealPack]) -> Fraction:
        """What the mix earns on average that earns most."""
        earned = (
            [min(max(Fraction(games - pack.base_points, NEAR), Fraction(0)), Fraction(1)) for games in wins[pack.seed]] for pack in packs
        )
        return max(map(sum, zip(*earned, strict=True))) / len(packs)

    while len(kept) > FEWEST:
        less, out = min((best([one for one in kept if one is not pack]), pack) for pack in kept)
        if less >= best(kept):
            break
        kept.remove(out)
    return [str(pack) for pack in kept]


FEWEST: Final = 12
"""So many packs are left at least."""


def fair_fills() -> list[str]:
    """Forms to be filled in of which no payoff stands in more than seven cells of twelve: of each pattern as many as it has orders of its plans."""
    groups = by_pattern(FORM_PARTS, lambda tree: tuple(map(str, OnMatrix.fill(tree).solution)))
    return sorted(
        line
        for (part, pattern), lines in groups.items()
        if max(Counter(pattern).values()) <= 7
        for line in lines[: {9: 9, 7: 6}.get(len(lines), 3) if part == "fill.lost" else 3]
    )


def fair_strikes() -> list[str]:
    """Plans to be struck out: of each pattern about as many as of the others."""
    groups = by_pattern(STRUCK_PARTS, struck_plans)
    return sorted(line for (part, _), lines in groups.items() for line in lines[: 4 if part == "strike.even" else 7])


def struck_plans(tree: Tree) -> tuple[object, ...]:
    """Which plans go, in no order."""
    quiz = OnMatrix.strike(tree, weak=True)
    quiz.answer(quiz.solution)
    return tuple(sorted(map(tuple, quiz.last_answer)))  # type: ignore[call-overload] # plain values


def by_pattern(parts: Sequence[str], answer: Callable[[Tree], tuple[Any, ...]]) -> dict[tuple[str, tuple[Any, ...]], list[str]]:
    """The lines of these parts, by what is right there in whichever order the moves stand."""
    found: dict[tuple[str, tuple[Any, ...]], list[str]] = {}
    for part in parts:
        for line in load_endgames(part):
            tree = replace_solved_subtrees(build_tree_from_position(build_game(line)))
            pattern = min(answer(shuffle_actions(tree, Random(number))) for number in range(32))
            found.setdefault((part, pattern), []).append(line)
    return found


def main(only: Sequence[str]) -> None:
    """Find them, and write them down; those that are not asked for stay as they are."""
    asked = {
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
            lines = chosen[name]() if name in chosen else found(Random(name), *asked[name])
        parts.append("\n".join([f"# {name}", *lines]))
        print(name, len(lines), flush=True)
    FILE.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
