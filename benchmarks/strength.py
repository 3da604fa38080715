"""`make strength`: how strong the bots and the opponents are, one against another.

Every deal is played from every seat, so that luck of the deal counts for both. What is told is the share of points, a draw as half of one, with a 95 %
interval over the deals; where more than two play, how often the one among the others is the fool. Each part plays for so many seconds of CPU, or until it has
played as many deals as are asked for. `--long` is for a night.
"""

from __future__ import annotations

import argparse
import platform
import sys
from itertools import pairwise
from math import sqrt
from statistics import mean, variance
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from durak_widget import Game, Rules, bots, kernel
from durak_widget.bots.searching import Searching
from durak_widget.theory.hidden.possible import Worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from durak_widget import View
    from durak_widget.bots.bot import Playing
    from durak_widget.game.play.state import State

PRESETS = ("podkidnoy", "perevodnoy", "econ431", "durnius", "thrown_up")
SECONDS, LONG = 6.0, 900.0
THINKING = 5
"""Who searches gets so many times as long."""
DEALS, MANY = 1000, 20_000


class Match(NamedTuple):
    """What a part found: whose points, against whom, by which rules, over how many deals."""

    rules: str
    one: str
    others: str
    share: float
    """The points of the one, or how often it was the fool, in hundredths."""
    give: float
    deals: int
    wanted: str = ""

    def __str__(self) -> str:
        versus = f"{self.one} v {self.others}"
        return f"{self.rules:24} {versus:44} {self.share:5.1f} ± {self.give:.1f}   {self.deals:6} deals" + (
            f"   (wanted: {self.wanted})" if self.wanted else ""
        )


class Sees(Worlds):
    """The worlds of a cheat, who sees all hands: only the order of the talon is left to chance."""

    __slots__ = ("_truth",)

    def __init__(self, view: View, truth: State) -> None:
        super().__init__(view)
        self._truth = truth

    def drawing(self) -> None:
        """Nothing is counted."""

    def state(self, rng: Random) -> State:
        """The truth, with the unknown part of the talon shuffled."""
        state = self._truth.copy()
        talon = list(state.talon)
        lying = {place for place, bit in enumerate(talon) if bit & (state.face_up | state.hidden)}
        free = [place for place in range(len(talon)) if place not in lying]
        cards = [talon[place] for place in free]
        rng.shuffle(cards)
        for place, card in zip(free, cards, strict=True):
            talon[place] = card
        state.lay_talon(tuple(talon))
        return state


class Cheating(Searching):
    """The same search by one who sees all hands; it must be told which game it plays."""

    def __init__(self, **settings: int) -> None:
        super().__init__(**settings)
        self.games: list[Game] = []

    def _worlds(self, view: View) -> Worlds:
        return Sees(view, self.games[-1].state)


def seats(rules: Rules) -> range:
    """The seats at which a deal is played by the one."""
    return range(rules.players)


def points(rules: Rules, one: Playing, other: Playing, deal: int) -> Iterator[tuple[float, bool]]:
    """The points of the one from every seat, and whether it was the fool."""
    for seat in seats(rules):
        game = Game(rules, seed=f"strength {deal}")
        cheat = getattr(one, "plays", one)
        if isinstance(cheat, Cheating):
            cheat.games = [game]
        bots.play(game, [one if place == seat else other for place in seats(rules)], f"{deal} {seat}")
        if game.outcome is not None:
            yield (game.outcome.utilities[seat] + 1) / 2, game.outcome.fool == seat


def match(rules: str, one: Playing, other: Playing, limit: Limit, wanted: str = "", *, fool: bool = False) -> Match:
    """So many deals from every seat, or as many as fit into the time."""
    book, found = Rules.of(rules), list[float]()
    started = process_time()
    for deal in range(limit.deals):
        all_round = list(points(book, one, other, deal))
        found.append(mean(float(lost) if fool else won for won, lost in all_round))
        if process_time() - started > limit.seconds:
            break
    give = 1.96 * sqrt(variance(found) / len(found)) if len(found) > 1 else 1.0
    return Match(rules, _name(one), _name(other) + (": the fool" if fool else ""), 100 * mean(found), 100 * give, len(found), wanted)


def _name(playing: Playing) -> str:
    plays = getattr(playing, "plays", playing)
    settings = f"({plays.playouts})" if isinstance(plays, Searching) and not isinstance(playing, str) else ""
    return playing if isinstance(playing, str) else type(plays).__name__ + settings


class Limit(NamedTuple):
    """How long a part may play."""

    seconds: float
    deals: int

    def for_who(self, key: str) -> Limit:
        """Longer for who searches."""
        return Limit(THINKING * self.seconds, self.deals) if key == bots.people()[-1].key else self


# What is measured


def ladder(limit: Limit) -> Iterator[Match]:
    """Every opponent against the one before, in five presets."""
    keys = [person.key for person in bots.people()]
    for rules in PRESETS:
        for below, above in pairwise(keys):
            yield match(rules, above, below, limit.for_who(above), "58")


def company(limit: Limit) -> Iterator[Match]:
    """One among others of the level below, three and four at the table."""
    keys = [person.key for person in bots.people()]
    for players in (3, 4):
        for below, above in pairwise(keys):
            yield match(f"podkidnoy, players={players}", above, below, limit.for_who(above), f"below {100 / players:.0f}", fool=True)


def best(limit: Limit) -> Iterator[Match]:
    """What counts and what searches against what is careful, and against what counts."""
    longer = Limit(3 * limit.seconds, limit.deals)
    yield match("podkidnoy", "counting", "careful", longer, "60")
    yield match("podkidnoy", bots.get("searching", playouts=750), "careful", longer, "82")
    yield match("podkidnoy", bots.get("searching", playouts=750), "counting", longer, "60")
    yield match("podkidnoy", bots.get("searching", playouts=20_000), "careful", longer, "87")
    yield match("podkidnoy", bots.get("searching", playouts=20_000), "counting", longer, "68")
    yield match("econ431", bots.get("searching", playouts=3000), "counting", longer, "65")
    yield match("perevodnoy", bots.get("searching", playouts=3000), "careful", longer, "85")
    yield match("podkidnoy, players=3", bots.get("searching", playouts=3000), "careful", longer, "at most 20", fool=True)


def cheat(limit: Limit) -> Iterator[Match]:
    """The same search by one who sees all hands, beside an honest one, on the same deals, both against what counts; and one against the other."""
    longer = Limit(3 * limit.seconds, limit.deals)
    yield match("podkidnoy", bots.get("searching", playouts=750), "counting", longer)
    yield match("podkidnoy", bots.get(Cheating(playouts=750)), "counting", longer)
    yield match("podkidnoy", bots.get(Cheating(playouts=750)), bots.get("searching", playouts=750), longer, "at most 55")


def child(limit: Limit) -> Iterator[Match]:
    """The first opponent against a plain habit: the lowest card that will do, trumps kept while there is a talon."""
    yield match("podkidnoy", bots.get("careful", miserly=True), "nephew", limit, "50")


PARTS: dict[str, Callable[[Limit], Iterator[Match]]] = {"ladder": ladder, "company": company, "best": best, "cheat": cheat, "child": child}


def main(words: list[str]) -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(prog="make strength")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="some parts alone")
    parser.add_argument("--long", action="store_true", help="for a night")
    parser.add_argument("--seconds", type=float, help="for each match, of CPU")
    asked = parser.parse_args(words)
    limit = Limit(asked.seconds or (LONG if asked.long else SECONDS), MANY if asked.long else DEALS)
    print(
        f"Python {platform.python_version()} on {platform.machine()}, the kernel: {kernel.which()}; shares of points in hundredths, 95 %",
        flush=True,
    )
    for name in asked.parts or PARTS:
        for found in PARTS[name](limit):
            print(found, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
