"""`python -m benchmarks.endings`: how long exact endings take, on one core: fifty random deals of each kind, two hundred of the smallest, solved to their value.

Times are seconds of CPU of this process, with the kernel where there is one (`DURAK_KERNEL=off`: without; `benchmarks.kernel` measures both by turns);
nothing here can fail, since no machine is too slow.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import median
from time import process_time

from durak_widget import Game, Rules
from durak_widget.theory.endings import endgame

DEALS = {4: 200}  # fifty of the others
KINDS = ((4, "transfer"), (4, "perevodnoy"), (4, "passport"), (6, "podkidnoy"), (6, "econ431"), (7, "podkidnoy"), (8, "podkidnoy"))


def deal(rules: Rules, cards: int, seed: int) -> Game:
    """Two hands of so many cards of the deck, and a trump suit."""
    rng = Random(seed)
    chosen = rng.sample([rank + suit for suit in rules.suits for rank in rules.ranks], 2 * cards)
    return Game.from_position(rules, hands=[" ".join(chosen[:cards]), " ".join(chosen[cards:])], trump=rng.choice("cdhs"))


def measure(cards: int, name: str) -> str:
    """A line on one kind."""
    rules, deals, times, looked, values = Rules.preset(name), DEALS.get(cards, 50), [], [], []
    for seed in range(deals):
        game = deal(rules, cards, seed)
        began = process_time()
        found = endgame.solve(game)
        times.append(process_time() - began)
        looked.append(found.looked)
        values.append(found.value)
    times.sort()
    shares = ", ".join(f"{values.count(value)} {word}" for value, word in ((1, "won"), (0, "drawn"), (-1, "lost")))
    return (
        f"{f'{cards} + {cards}, {name}':20} median {1000 * median(times):9.2f} ms   9 of 10 within {1000 * times[deals * 9 // 10 - 1]:9.2f} ms   "
        f"slowest {1000 * times[-1]:9.2f} ms   {median(looked):9,.0f} positions   {shares}"
    )


def main(wanted: set[int]) -> None:
    """All kinds, or those with so many cards: `python -m benchmarks.endings 4 6`."""
    for cards, name in KINDS:
        if not wanted or cards in wanted:
            print(measure(cards, name), flush=True)


if __name__ == "__main__":
    main({int(text) for text in sys.argv[1:]})
