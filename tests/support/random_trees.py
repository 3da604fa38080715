"""Random games with and without hidden information, and optimal play, for tests of tree questions."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceNode, DecisionNode, TerminalNode, build_tree

if TYPE_CHECKING:
    from durak_widget.gametheory.tree import Tree

NAMES = ("Ann", "Bob", "Cem")


def open_tree(rng: Random, *, most: int = 4) -> Tree:
    """Return a tree of two or three players with perfect information and ties, zero-sum or not, with or without chance."""
    seats, zero_sum, chances = rng.choice((2, 2, 3)), rng.random() < 0.5, rng.random() < 0.6
    among = [Fraction(n, d) for n in range(-3, 4) for d in (1, 1, 2)] if rng.random() < 0.7 else [Fraction(0), Fraction(1)]

    def look(where: str) -> object:
        if where and (len(where) == most or rng.random() < 0.25):
            payoffs = [rng.choice(among) for _ in range(seats)]
            return TerminalNode((payoffs[0], -payoffs[0]) if zero_sum and seats == 2 else tuple(payoffs))
        ways = rng.choice((2, 2, 3)) if len(where) < 2 else 2
        moves = "abc"[:ways]
        if chances and rng.random() < 0.3:
            parts = [rng.randint(1, 3) for _ in moves]
            return ChanceNode([(move, Fraction(part, sum(parts)), where + move) for move, part in zip(moves, parts, strict=True)])
        return DecisionNode(rng.randrange(seats), where, [(move, where + move) for move in moves])

    return build_tree("", look, player_count=seats, names=NAMES[:seats])


def hidden_tree(rng: Random, *, seats: int = 2, most: int = 4) -> Tree:
    """Return a tree of perfect recall: a random rule says what each player sees. Some chance moves have probability 0."""
    number, deep, among, open_moves = rng.randrange(2**32), rng.randint(1, most), rng.choice((2, 4, 50)), rng.random() < 0.3

    def noise(*key: object) -> int:
        return Random(repr((number, *key))).randrange(2**20)

    def look(where: tuple[tuple[int, ...], tuple[tuple[object, ...], ...]]) -> object:
        done, known = where
        depth = len(done)
        if depth == deep or (depth and noise("stops", done) % 7 == 0):
            return TerminalNode(
                tuple([Fraction(noise("won", done, seat) % among - among // 2, 1 + noise(done, seat) % 2) for seat in range(seats)])
            )
        if noise("who", depth) % 4 == 0:
            parts = [noise("likely", done, way) % 3 for way in range(2)] + [1]
            return ChanceNode([(f"{way}", Fraction(part, sum(parts)), after(done, known, None, way)) for way, part in enumerate(parts)])
        seat = noise("seat", depth) % seats
        return DecisionNode(
            seat, known[seat], [(f"{way}", after(done, known, seat, way)) for way in range(1 + noise("ways", known[seat]) % 3)]
        )

    def after(done: tuple[int, ...], known: tuple[tuple[object, ...], ...], who: int | None, way: int) -> object:
        depth = len(done)
        seen = [seat == who or open_moves or noise("sees", depth, seat) % 2 for seat in range(seats)]
        return (*done, way), tuple([(*own, way if sees else "?") for own, sees in zip(known, seen, strict=True)])

    return build_tree(((), ((),) * seats), look, player_count=seats, names=NAMES[:seats])


def inner_nodes(tree: Tree) -> list[int]:
    """Return the histories that are not ends, the last first."""
    return [here for here in reversed(range(tree.history_count)) if tree.actor[here] != TERMINAL]


def optimal_play(
    tree: Tree, rng: Random, *, wrong: dict[int, tuple[Fraction, ...]] | None = None
) -> tuple[list[tuple[Fraction, ...]], dict[int, int]]:
    """Return the value of each history and the moves under optimal play, with any of equally good moves. `wrong`: false values for some."""
    values: list[tuple[Fraction, ...]] = [()] * tree.history_count
    moves: dict[int, int] = {}
    for here in reversed(range(tree.history_count)):
        ways, actor, info = [values[child] for child in tree.children(here)], tree.actor[here], tree.infoset_of[here]
        if actor == TERMINAL:
            values[here] = tree.payoffs[info]
        elif actor == CHANCE:
            values[here] = chance_value(ways, tree.chance_moves[info].probabilities)
        else:
            most = max(way[actor] for way in ways)
            moves[here] = rng.choice([move for move, way in enumerate(ways) if way[actor] == most])
            values[here] = ways[moves[here]]
        values[here] = (wrong or {}).get(here, values[here])
    return values, moves


def chance_value(ways: list[tuple[Fraction, ...]], probabilities: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return the value of a chance move."""
    return tuple(
        sum((share * way[seat] for share, way in zip(probabilities, ways, strict=True)), Fraction(0)) for seat in range(len(ways[0]))
    )


def random_notation(number: Fraction, rng: Random) -> str:
    """Return a number in a random notation."""
    sign, size = ("-" if number < 0 else ""), abs(number)
    decimal = size.denominator
    for factor in (2, 5):
        while not decimal % factor:
            decimal //= factor
    ways = [f"{sign}{size}", f" {sign} {size.numerator} / {size.denominator} ", f"{sign}{size}".replace("-", "−")]
    if decimal == 1:
        text = f"{float(size):.8f}".rstrip("0").rstrip(".")
        ways += [sign + text, sign + text.replace(".", ","), f"{sign}{float(size * 100):.6f}".rstrip("0").rstrip(".") + " %"]
    else:
        ways += [f"{sign}{float(size):.3f}", f"{sign}{float(size):.5f}".replace(".", ",")]
    if size.denominator > 1 < size:
        ways.append(f"{sign}{size.numerator // size.denominator} {size - size.numerator // size.denominator}")
    return rng.choice(ways)
