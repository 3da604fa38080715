"""Writes the positions of the problem set, `econ431/positions.txt`: positions that come up when the game is played by lots, of one size for each question.

    PYTHONPATH=. python tools/positions431.py            about a minute

What is right there does not stand in the file; `tests/econ431/` proves of each that it is of its kind.
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
"""So many of each kind."""
RARE: Final = {"beat": 60}
"""So many of one that seldom comes up."""


def line_of(game: Game) -> str:
    """A position without its rules, and without what was seen on the way."""
    hands, *facts = game.position.removeprefix("econ431: ").split("; ")
    return "; ".join(
        [hands, *(fact for fact in facts if fact.startswith(("trump", "attacker", "table", "talon", "turn-up", "discard", "bout")))]
    )


def known_as(line: str) -> str:
    """Of all positions that differ in suits and seats alone, one name."""
    names = []
    for one in (line, swap_seats(line)):
        hands, _, rest = one.partition("; ")
        for suits in permutations("cdhs"):
            change = dict(zip("cdhs", suits, strict=True))
            text = SUIT_PATTERN.sub(lambda found, change=change: change[found[0]], f"{hands}; {rest.partition('; turn-up')[0]}")
            names.append("; ".join(" | ".join(" ".join(sorted(part.split())) for part in fact.split(" | ")) for fact in text.split("; ")))
    return min(names)


def to_go_on(game: Game) -> bool:
    """Two pairs of three ranks lie there; of five cards two fit, one of them only to a card of the defender's, and one that does not is a trump."""
    if game.actor != game.attacker or len(game.table) != 2 or not game.talon or len(game.hands[game.attacker]) != 5:
        return False
    attacks, beats = ({card.rank for card in cards if card} for cards in zip(*game.table, strict=True))
    fit = {card for card in game.hands[game.attacker] if card.rank in attacks | beats}
    trap = any(card.suit == str(game.trump) for card in game.hands[game.attacker] if card not in fit)
    return len(fit) == 2 and len(attacks | beats) == 3 and not attacks.issuperset({card.rank for card in fit}) and trap


def to_draw(game: Game) -> bool:
    """A bout of an ending begins; 13 to 15 branches are right, and 5 to 7 of those that one may think of beside them are not."""
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
    """A bout of an ending begins; somebody decides at 9 or 10 histories, of which each player wins at least 3."""
    if game.talon or game.table or sum(map(len, game.hands)) != 5:
        return False
    tree = build_tree_from_position(game, open_hands=True)
    worth, _ = solve_backward(tree)
    values = [worth[here][0] for here in range(tree.history_count) if tree.actor[here] != TERMINAL]
    return len(values) in (9, 10) and min(values.count(1), values.count(-1)) >= 3


def is_fair(line: str) -> bool:
    """Where somebody values such an ending, "the player who moves gets the most there is" is right at 3 to 6 places: it is no good guess, and neither is its opposite."""
    tree = build_coin_tree(Game.from_position_line(f"econ431: {line}"))
    worth, _ = solve_backward(tree)
    most = [max(worth[seat] for worth in tree.payoffs) for seat in (0, 1)]
    places = [here for here in range(tree.history_count) if tree.actor[here] != TERMINAL]
    return 3 <= sum(worth[here][tree.actor[here]] == most[tree.actor[here]] for here in places) <= 6


def to_take(game: Game) -> bool:
    """In an ending a card lies there that could be beaten; only taking wins, and however the other plays, two or three moves have to be right."""
    return _wins(game, {2, 3}) == "take"


def to_beat(game: Game) -> bool:
    """There is as much to choose from and to look at, but taking loses: one card beats it, and in some line another move has to be right after that."""
    return _wins(game, {1, 2}).startswith("beat")


def _wins(game: Game, times: set[int]) -> str:
    """The one move that wins in such an ending, which has to be one of so many; nothing where it is another."""
    if game.talon or len(game.table) != 1 or game.actor != game.defender or sum(map(len, game.hands)) != 4 or len(game.legal_moves()) != 2:
        return ""
    found = solve_endgame(game)
    if found.value != 1 or len(found.best_moves) != 1:
        return ""
    tree = build_tree_from_position(game, open_hands=True)
    right = decided(tree, found.seat)
    return str(found.best_moves[0]) if 14 <= tree.history_count <= 40 and max(right) >= 2 and right <= times else ""


def decided(tree: Tree, seat: int) -> set[int]:
    """How often a seat has to find the right move while both play well, in any line."""
    worth, _ = solve_backward(tree)
    return _decided(tree, worth, seat, 0, 0)


def _decided(tree: Tree, worth: list[tuple[Fraction, ...]], seat: int, here: int, so_far: int) -> set[int]:
    actor = tree.actor[here]
    if actor == TERMINAL:
        return {so_far}
    good = [child for child in tree.children(here) if worth[child][actor] == worth[here][actor]]
    so_far += actor == seat and len(good) < tree.child_count[here]
    return set().union(*(_decided(tree, worth, seat, child, so_far) for child in good))


WANTED: Final[dict[str, Callable[[Game], bool]]] = {
    "moves": to_go_on,
    "draw": to_draw,
    "values": to_value,
    "take": to_take,
    "beat": to_beat,
}


def found() -> dict[str, list[str]]:
    """The positions of each kind, from games that are played by lots; of those that differ in suits and seats alone, the first."""
    lines: dict[str, dict[str, str]] = {name: {} for name in WANTED}
    lots = Random(431)
    while any(len(one) < RARE.get(name, MANY) for name, one in lines.items()):
        game = Game("econ431", seed=lots.getrandbits(32))
        while game.outcome is None:
            for name, wants in WANTED.items():
                if len(lines[name]) < RARE.get(name, MANY) and wants(game):
                    line = line_of(game)
                    lines[name].setdefault(known_as(line), line)
            game.play(lots.choice(game.legal_moves()))
    return {name: sorted(one.values()) for name, one in lines.items()}


if __name__ == "__main__":
    said = ["Positions of econ431 that came up in games played by lots; written by tools/positions431.py."]
    for name, lines in found().items():
        said += [f"# {name}", *lines]
        said += ["# values.fair", *filter(is_fair, lines)] if name == "values" else []
    FILE.write_text("\n".join(said) + "\n", encoding="utf-8")
