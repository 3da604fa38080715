"""What luck brought is unbiased: gone through whole, and over many games."""

from __future__ import annotations

from itertools import permutations
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Rules, bots
from durak_widget.arena.luck import CardWorth, DealtOut, chances, fitted_worths, known_odds, luck_of
from durak_widget.game.play import engine
from durak_widget.game.play.kit import kit_of
from durak_widget.game.play.state import dealt_state
from durak_widget.kernel.policies import careful
from sizes import tried

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.game.play.moves import Move
    from durak_widget.game.play.state import State

ANY = CardWorth(*(tuple(Random(part).gauss(0, 1) for _ in range(5)) for part in range(4)))
"""Worths of no sense at all: what they say need not be true for its mean to be 0."""
SMALL = [
    "podkidnoy, suits=cd, ranks=678, hand_size=1",
    "podkidnoy, suits=cd, ranks=678, hand_size=2",
    "perevodnoy, suits=cd, ranks=678, hand_size=1",
    "podkidnoy, suits=cd, ranks=678, hand_size=1, players=3",
    "podkidnoy, suits=cd, ranks=678, hand_size=1, turn_up=aside, draw_order=loser_first",
    "podkidnoy, suits=cd, ranks=678, hand_size=1, turn_up=top",
    "podkidnoy, suits=cd, ranks=678, hand_size=1, trump=d",
]


def brought(begun: DealtOut, end: State, worth: CardWorth) -> list[float]:
    """What luck brought each seat."""
    found = [0.0] * len(begun.hands)
    for chance in chances(begun, [[(seat, many) for seat, many, _ in bout[8]] for bout in end.ends]):
        drawn = [
            one + chance.left * by + (not chance.left) * late for one, by, late in zip(worth.drawn, worth.early, worth.last, strict=True)
        ]
        for seat, more in enumerate(chance.more):
            found[seat] += sum(a * b for a, b in zip(worth.dealt if chance.dealt else drawn, more, strict=True))
    return found


def played(rules: str, deck: Sequence[int], choosers: Sequence[Callable[[State], Move]]) -> tuple[DealtOut, State]:
    """How the cards lay where this deck is dealt, and how it ended."""
    kit = kit_of(Rules.of(rules))
    state = dealt_state(kit, deck, 0)
    begun = DealtOut(kit.rules, tuple(state.hands), state.talon, state.turn_up, state.suit)
    engine.begin(state)
    while state.actor is not None:
        engine.play(state, choosers[state.actor](state))
    return begun, state


def first(state: State) -> Move:
    """The first legal move."""
    return engine.legal_moves(state)[0]


@pytest.mark.parametrize("rules", SMALL)
@pytest.mark.parametrize("other", [careful, first])
def test_over_all_decks_luck_brings_nothing(rules: str, other: Callable[[State], Move]) -> None:
    """Every order of a small deck is dealt once: whatever cards are said to be worth, and whoever plays, each seat's mean is 0, to the last bit."""
    table = [careful, other, other]
    found = [brought(*played(rules, deck, table), ANY) for deck in permutations(kit_of(Rules.of(rules)).deck)]
    assert any(abs(one) > 0.1 for luck in found for one in luck)
    for of_seat in zip(*found, strict=True):
        assert abs(fmean(of_seat)) < 1e-12


def test_over_all_decks_luck_of_a_game_brings_nothing() -> None:
    """So it is with games as they are stored, also where a bot plays by what it sees; and the sides have nothing in all."""
    rules, cards = Rules.of("podkidnoy, suits=cd, ranks=67, hand_size=1"), ("6c", "7c", "6d", "7d")
    found = []
    for deck in permutations(cards):
        luck = luck_of(bots.play(Game(rules, deck=" ".join(deck)), ["careful", "counting"], 1), ANY)
        assert luck is not None
        assert abs(sum(luck)) < 1e-12
        found.append(luck[0])
    assert any(found)
    assert abs(fmean(found)) < 1e-12


def test_luck_takes_variance_away() -> None:
    """Of careful players, whose results are luck alone, no more than nine tenths are left."""
    raw, rest, lucks = [], [], []
    for seed in range(tried(400, 4000)):
        game = bots.play(Game(seed=f"luck {seed}"), ["careful", "careful"], seed)
        luck = luck_of(game)
        assert luck is not None
        assert game.outcome is not None
        share = (game.outcome.utilities[0] + 1) / 2
        raw.append(share)
        rest.append(share - luck[0])
        lucks.append(luck[0])
    assert variance(rest) < 0.9 * variance(raw)
    assert abs(fmean(lucks)) < 4 * sqrt(variance(lucks) / len(lucks))


@pytest.mark.long
@pytest.mark.parametrize("rules", ["podkidnoy", "econ431"])
def test_over_very_many_games_luck_brings_nothing(rules: str) -> None:
    """In a hundred thousand games of one who errs now and then the mean is within 0.3 points of 100, and as near as its own error says."""
    chance, worth, deck = Random(431), fitted_worths()[rules], list(kit_of(Rules.of(rules)).deck)

    def erring(state: State) -> Move:
        return chance.choice(engine.legal_moves(state)) if chance.random() < 0.1 else careful(state)

    found = []
    for number in range(100_000):
        chance.shuffle(deck)
        one, other = brought(*played(rules, deck, [erring, careful][:: 1 if number % 2 else -1]), worth)
        found.append(100 * (one - other) / 2 * (1 if number % 2 else -1))
    give = 1.96 * sqrt(variance(found) / len(found))
    print(f"{rules}: the luck of who errs {fmean(found):+.2f} \u00b1 {give:.2f} points of 100")  # noqa: T201 - the figures of the docs: pytest -s
    assert abs(fmean(found)) < 0.3
    assert abs(fmean(found)) < 2 * give


def test_where_chance_is_another_nothing_is_said() -> None:
    """Swaps, hidden trumps, two decks, jokers, no talon; a game that goes on, or that began in its middle."""
    for preset in Rules.presets():
        rules = Rules.preset(preset)
        if not known_odds(rules):
            assert luck_of(bots.play(Game(rules, seed=1), ["first"] * Game(rules, seed=1).seats, 1), ANY) is None
    assert {preset for preset in Rules.presets() if not known_odds(Rules.preset(preset))} == {
        *("bulk", "bulk_transfer", "railway", "poker", "changeable_trump", "full_jokers", "two_decks", "spades_by_spades"),
        *("teams_of_two", "teams_of_three"),  # all is dealt out
    }
    assert luck_of(Game(seed=1)) is None
    middle = Game(seed=1)
    for _ in range(12):
        middle.play(middle.legal_moves()[0])
    assert luck_of(bots.play(Game.at(middle.position), ["first", "first"], 1)) is None
    assert luck_of(bots.play(Game("weli", seed=1), ["first", "first"], 1)) is None


@pytest.mark.parametrize("rules", sorted(fitted_worths()))
def test_a_trump_is_worth_having(rules: str) -> None:
    """Where worths were fitted, a middling trump is worth more than a middling other card, dealt or drawn."""
    worth = fitted_worths()[rules]
    assert known_odds(Rules.of(rules))
    for traits in (worth.dealt, worth.drawn):
        assert traits[0] + 0.5 * traits[1] + 0.25 * traits[2] > 0.5 * traits[3] + 0.25 * traits[4]
