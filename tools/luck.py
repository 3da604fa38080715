"""Writes what cards are worth, `durak_widget/arena/luck.json`: fitted by least squares to games of the careful bot, each seat erring in turn.

    PYTHONPATH=. python tools/luck.py [GAMES]        two minutes, with numpy

No tournament deals what is dealt here: its chance is another.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from durak_widget.arena.luck import FILE, TRAITS, CardsByChance, CardWorth, DealtOut, chances
from durak_widget.game.play import engine
from durak_widget.game.play.kit import kit_of
from durak_widget.game.play.state import dealt_state
from durak_widget.kernel.chance import SplitMix, stirred
from durak_widget.kernel.policies import careful
from durak_widget.review.decisions import ShareOfResult
from durak_widget.rules.book import Rules

if TYPE_CHECKING:
    from durak_widget.game.play.state import State

RULES: Final = ("podkidnoy", "perevodnoy", "econ431", "durnius", "thrown_up", "podkidnoy, players=3")
GAMES: Final = 30_000
SEED: Final = 0x6C75636B
"""Of the deals: `luck`, as it is written."""
ERRS: Final = 10
"""Of so many moves one is made by chance, by one seat."""


def played(rules: Rules, number: int) -> tuple[DealtOut, State]:
    """How a game's cards lay, and how it ended."""
    kit, chance = kit_of(rules), SplitMix(stirred(SEED ^ stirred(number)))
    dealer, deck, errs = chance.below(kit.players), list(kit.deck), number % (kit.players + 1)
    chance.shuffle(deck)
    state = dealt_state(kit, deck, dealer)
    begun = DealtOut(rules, tuple(state.hands), state.talon, state.turn_up, state.suit)
    engine.begin(state)
    while state.actor is not None:
        if state.actor == errs and not chance.below(ERRS):
            moves = engine.legal_moves(state)
            engine.play(state, moves[chance.below(len(moves))])
        else:
            engine.play(state, careful(state))
    return begun, state


def told(chance: CardsByChance, seats: int) -> np.ndarray:
    """What a worth is multiplied with, for each seat, less the mean of all."""
    more = np.array(chance.more)
    more -= more.mean(axis=0)
    parts = np.zeros((seats, len(CardWorth._fields), TRAITS))
    for part, weight in enumerate((chance.dealt, not chance.dealt, (not chance.dealt) * chance.left, not chance.left)):
        parts[:, part] = weight * more
    return parts.reshape(seats, -1)


def fitted(rules: Rules, games: int) -> tuple[CardWorth, float]:
    """The worths that leave least of the variance of a result, and how much that is, by the games that were fitted."""
    seats, shares = kit_of(rules).players, ShareOfResult.of(rules)
    rows, results, who = [], [], []
    for number in range(games):
        begun, end = played(rules, number)
        drew = [[(seat, many) for seat, many, _ in bout[8]] for bout in end.ends]
        rows.append(sum(told(chance, seats) for chance in chances(begun, drew)))
        results.append([shares.share(worth) for worth in end.outcome.utilities])
        who.append(number % (seats + 1))
    features, shared, erring = np.array(rows), np.array(results), np.array(who)
    for one in range(seats + 1):  # how good they are is no luck
        shared[erring == one] -= shared[erring == one].mean(axis=0)
    matrix, right = features.reshape(games * seats, -1), shared.reshape(-1)
    worth = np.linalg.lstsq(matrix, right, rcond=1e-6)[0]
    left = float((right - matrix @ worth).var() / right.var())
    return CardWorth(*(tuple(round(float(one), 4) for one in part) for part in worth.reshape(-1, TRAITS))), left


def main(words: list[str]) -> None:
    """Fit them all, and write them down."""
    games, found = int(words[0]) if words else GAMES, {}
    for name in RULES:
        began = perf_counter()
        found[name], left = fitted(Rules.of(name), games)
        print(
            f"{name}: {games} games, {100 * left:.0f} % of the variance of a single result left, {perf_counter() - began:.0f} s", flush=True
        )
    text = ",\n".join(f"  {json.dumps(name)}: {json.dumps(worth)}" for name, worth in found.items())
    FILE.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
