"""Finds positions for the problem set in random games, and writes `econ431/positions.txt`.

The positions of one question have equal size.

    PYTHONPATH=. python tools/positions431.py            takes about a minute

The file does not contain the right answers; `tests/econ431/` checks that every position fits its question.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from durak_widget import Game
from durak_widget.analysis import build_tree_from_position
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.analysis.payoffs_in_coins import build_coin_tree
from durak_widget.econ431.endgame_positions import SUIT_PATTERN, swap_seats
from durak_widget.errors import DurakError
from durak_widget.exercises.node_value_question import solve_backward
from durak_widget.exercises.tree_construction_question import TreeConstructionQuestion
from durak_widget.gametheory.tree import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from durak_widget.gametheory.tree import Tree

FILE: Final = Path(__file__).resolve().parent.parent / "durak_widget/econ431/positions.txt"
MANY: Final = 120
"""The number of positions for each question."""
RARE: Final = {"beat": 60}
"""The number of positions for the questions that have only few suitable positions."""


def line_of(game: Game) -> str:
    """Return a position line without the rules and without the history."""
    hands, *facts = game.position.removeprefix("econ431: ").split("; ")
    return "; ".join(
        [hands, *(fact for fact in facts if fact.startswith(("trump", "attacker", "table", "talon", "turn-up", "discard", "bout")))]
    )


def known_as(line: str) -> str:
    """Return one name for all positions that differ only in suits and seats."""
    names = []
    for position_line in (line, swap_seats(line)):
        hands, _, rest = position_line.partition("; ")
        for suits in permutations("cdhs"):
            change = dict(zip("cdhs", suits, strict=True))
            text = SUIT_PATTERN.sub(lambda found, change=change: change[found[0]], f"{hands}; {rest.partition('; turn-up')[0]}")
            names.append("; ".join(" | ".join(" ".join(sorted(part.split())) for part in fact.split(" | ")) for fact in text.split("; ")))
    return min(names)


def to_go_on(game: Game) -> bool:
    """Return whether a position fits the question on which two of five cards can be thrown in.

    Two beaten cards are on the table, with three ranks in all. One of the two cards fits only a rank of the defender,
    and a trump that does not fit is the trap.
    """
    if game.actor != game.attacker or len(game.table) != 2 or not game.talon or len(game.hands[game.attacker]) != 5:
        return False
    attacks, beats = ({card.rank for card in cards if card} for cards in zip(*game.table, strict=True))
    fit = {card for card in game.hands[game.attacker] if card.rank in attacks | beats}
    trap = any(card.suit == str(game.trump) for card in game.hands[game.attacker] if card not in fit)
    return len(fit) == 2 and len(attacks | beats) == 3 and not attacks.issuperset({card.rank for card in fit}) and trap


def to_draw(game: Game) -> bool:
    """Return whether a position fits the question that asks students to draw the tree.

    13 to 15 branches are right, and 5 to 7 of the wrong ones are tempting.
    """
    if game.talon or game.table or sum(map(len, game.hands)) != 5:
        return False
    try:
        drawn = TreeConstructionQuestion(game, "")
    except DurakError:
        return False
    right = drawn.parse_answer(drawn.solution)
    wrong = [end for end in range(1, drawn.tree.history_count) if end not in right and drawn.tree.parent[end] in {0, *right}]
    return 13 <= len(right) <= 15 and 5 <= len(wrong) <= 7 and drawn.tree.history_count <= 100


def to_value(game: Game) -> bool:
    """Return whether a position fits the question on node values.

    9 or 10 nodes are decisions, and each player wins at least 3 of them.
    """
    if game.talon or game.table or sum(map(len, game.hands)) != 5:
        return False
    tree = build_tree_from_position(game, open_hands=True)
    values_by_node, _ = solve_backward(tree)
    values = [values_by_node[node][0] for node in range(tree.history_count) if tree.actor[node] != TERMINAL]
    return len(values) in (9, 10) and min(values.count(1), values.count(-1)) >= 3


def is_fair(line: str) -> bool:
    """Return whether a simple guess (the best payoff of the player to move) earns little.

    The guess is right at only 3 to 6 nodes.
    """
    tree = build_coin_tree(Game.from_position_line(f"econ431: {line}"))
    values_by_node, _ = solve_backward(tree)
    most = [max(payoffs[seat] for payoffs in tree.payoffs) for seat in (0, 1)]
    places = [node for node in range(tree.history_count) if tree.actor[node] != TERMINAL]
    return 3 <= sum(values_by_node[node][tree.actor[node]] == most[tree.actor[node]] for node in places) <= 6


def to_take(game: Game) -> bool:
    """Return whether a position fits the question on taking or beating, with answer "take".

    In every line, two or three moves have to be right.
    """
    return _wins(game, {2, 3}) == "take"


def to_beat(game: Game) -> bool:
    """Return whether a position fits the question on taking or beating, with answer "beat".

    One card wins by beating, and in some line another move has to be right after that.
    """
    return _wins(game, {1, 2}).startswith("beat")


def _wins(game: Game, times: set[int]) -> str:
    """Return a position's only winning move, or "" if the position is unsuitable.

    `times` are the allowed numbers of right moves that the player must find.
    """
    if game.talon or len(game.table) != 1 or game.actor != game.defender or sum(map(len, game.hands)) != 4 or len(game.legal_moves()) != 2:
        return ""
    solution = solve_endgame(game)
    if solution.value != 1 or len(solution.best_moves) != 1:
        return ""
    tree = build_tree_from_position(game, open_hands=True)
    right = decided(tree, solution.seat)
    return str(solution.best_moves[0]) if 14 <= tree.history_count <= 40 and max(right) >= 2 and right <= times else ""


def decided(tree: Tree, seat: int) -> set[int]:
    """Return how many right moves a seat may have to find, if both players play well."""
    values_by_node, _ = solve_backward(tree)
    return _decided(tree, values_by_node, seat, 0, 0)


def _decided(tree: Tree, values_by_node: list[tuple[Fraction, ...]], seat: int, node: int, so_far: int) -> set[int]:
    actor = tree.actor[node]
    if actor == TERMINAL:
        return {so_far}
    best_children = [child for child in tree.children(node) if values_by_node[child][actor] == values_by_node[node][actor]]
    so_far += actor == seat and len(best_children) < tree.child_count[node]
    return set().union(*(_decided(tree, values_by_node, seat, child, so_far) for child in best_children))


WANTED: Final[dict[str, Callable[[Game], bool]]] = {
    "moves": to_go_on,
    "draw": to_draw,
    "values": to_value,
    "take": to_take,
    "beat": to_beat,
}


def found() -> dict[str, list[str]]:
    """Find the positions for each question in random games.

    Of positions that differ only in suits and seats, the first is kept.
    """
    lines: dict[str, dict[str, str]] = {name: {} for name in WANTED}
    lots = Random(431)
    while any(len(lines_of_question) < RARE.get(name, MANY) for name, lines_of_question in lines.items()):
        game = Game("econ431", seed=lots.getrandbits(32))
        while game.outcome is None:
            for name, wants in WANTED.items():
                if len(lines[name]) < RARE.get(name, MANY) and wants(game):
                    line = line_of(game)
                    lines[name].setdefault(known_as(line), line)
            game.play(lots.choice(game.legal_moves()))
    return {name: sorted(lines_of_question.values()) for name, lines_of_question in lines.items()}


if __name__ == "__main__":
    said = ["Positions of econ431 that came up in games played by lots; written by tools/positions431.py."]
    for name, lines in found().items():
        said += [f"# {name}", *lines]
        said += ["# values.fair", *filter(is_fair, lines)] if name == "values" else []
    FILE.write_text("\n".join(said) + "\n", encoding="utf-8")
