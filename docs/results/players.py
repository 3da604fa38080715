"""Computes what simple players lose: bots with and without memory, and simple rules."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from durak_widget import gametheory
from durak_widget.cards import Card
from miniatures import Miniature, require_exact
from result import Result, Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import InfoSet, Tree


def memory(*, game: str = "econ431 cd 678 2 none") -> Result:
    """Compare a bot with memory with a bot that only knows its hand and the table.

    Both assume that every player moves at random from now on, and take the best move against that.
    """
    tree = Miniature.parse(game).tree()
    remembers, forgets = best_against_random(tree)
    sentence, lost, rows = _compared(game, tree, {"remembers": remembers, "forgets": forgets})
    sentences = [
        sentence,
        f"The bot that remembers distinguishes {len(tree.infosets):,} information sets, the one that forgets {len(set(tree.infosets)):,}.",
        f"A best response wins {lost['remembers']} a game from the one that remembers, {lost['forgets']} from the one that forgets.",
        f"Against each other, the one that remembers wins {_won(tree, remembers, forgets)} a game.",
    ]
    return Result(sentences, rows)


def best_against_random(tree: Tree) -> tuple[Strategy, Strategy]:
    """Return the best strategies against random play, with and without memory.

    Without memory, information sets with the same label are one.
    """
    standings = gametheory.infoset_values(tree, gametheory.Strategy.uniform(tree))
    expected: dict[InfoSet, list[Fraction]] = {}
    for infoset, standing in zip(tree.infosets, standings, strict=True):
        weighted = [Fraction(standing.reach_probability * value) for value in standing.action_values or ()]
        before = expected.setdefault(infoset, [Fraction(0)] * len(weighted))
        expected[infoset] = [total + summand for total, summand in zip(before, weighted, strict=True)]
    remembers = [_best(standing.counterfactual_values) for standing in standings]
    return gametheory.Strategy.from_choices(tree, remembers), gametheory.Strategy.from_choices(
        tree, [_best(expected[infoset]) for infoset in tree.infosets]
    )


def _best(values: Sequence[float | Fraction]) -> int:
    """Return the index of the largest value, or of the first one in a tie."""
    return max(range(len(values)), key=values.__getitem__)


def naive(*, game: str = "econ431 cd 678 2 c") -> Result:
    """Evaluate players who follow a simple rule, for example to always take.

    Other rules: play the cheapest card and beat if possible, with or without throwing in.

    >>> [(row["player"], str(row["exploitability"])) for row in naive(game="econ431 cd 67 2 c").rows]
    [('random', '4/9'), ('beats, throws in', '1/2'), ('beats', '5/6'), ('takes', '5/6'), ('optimal', '0')]
    """
    tree = Miniature.parse(game).tree()
    trump = Miniature.parse(game).trump
    players = {
        "random": gametheory.Strategy.uniform(tree),
        "beats, throws in": by_rule(tree, trump),
        "beats": by_rule(tree, trump, "pass"),
        "takes": by_rule(tree, trump, "take", "pass"),
    }
    sentence, _, rows = _compared(game, tree, players)
    return Result([sentence], rows)


def by_rule(tree: Tree, trump: str, *first: str) -> Strategy:
    """Return a strategy that makes the first legal move in a list, or plays the cheapest card."""
    chosen = []
    for infoset in tree.infosets:
        moves = infoset.actions
        preferred = [moves.index(move) for move in first if move in moves]
        chosen.append(preferred[0] if preferred else min(range(len(moves)), key=lambda place: _price(moves[place], trump)))
    return gametheory.Strategy.from_choices(tree, chosen)


def _price(move: str, trump: str) -> tuple[bool, bool, int]:
    """Return a sort key for moves by price: low cards, high cards, trumps, then take or pass."""
    _, *cards = move.split()
    if not cards:
        return True, True, 0
    card = Card(cards[-1])
    return False, card.suit == trump, card.code % 13


def _compared(game: str, tree: Tree, players: Mapping[str, Strategy]) -> tuple[str, dict[str, Fraction], list[Row]]:
    """Compare strategies: a sentence on the game, each exploitability, and a table of results."""
    solution = gametheory.solve(tree)
    require_exact(tree, solution)
    players = {**players, "random": gametheory.Strategy.uniform(tree), "optimal": solution.strategy}
    lost = {name: Fraction(gametheory.exploitability(tree, strategy)) for name, strategy in players.items()}
    rows: list[Row] = [
        {
            "player": name,
            **{f"v. {other}": _won(tree, strategy, opponent) for other, opponent in players.items()},
            "exploitability": lost[name],
        }
        for name, strategy in players.items()
    ]
    return f"{Miniature.parse(game)}: {tree.history_count:,} histories, worth {solution.value} to the player who attacks first.", lost, rows


def _won(tree: Tree, strategy: Strategy, opponent: Strategy) -> Fraction:
    """Return how much one strategy wins from another per game, averaged over both seats."""
    values = [
        Fraction(gametheory.value(tree, first.replace_player(1, second))) for first, second in ((strategy, opponent), (opponent, strategy))
    ]
    return (values[0] - values[1]) / 2
