"""What luck brought is unbiased: gone through whole, and over many games."""

from __future__ import annotations

from itertools import permutations
from math import sqrt
from random import Random
from statistics import fmean, variance

import pytest

from durak_widget import Game, Rules, bots
from durak_widget.arena.luck import CardWorth, DealtOut, chances, fitted_worths, known_odds, luck_of
from durak_widget.game.play import engine
from durak_widget.game.play.kit import kit_of
from durak_widget.game.play.state import dealt_state
from durak_widget.kernel.policies import careful
from sizes import tried

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


def played(rules: str, deck: tuple[int, ...], *, first: bool) -> tuple[float, ...]:
    """What luck brought where this deck is dealt; seat 0 plays carefully, the others so or by the first move."""
    kit = kit_of(Rules.of(rules))
    state = dealt_state(kit, deck, 0)
    begun = DealtOut(kit.rules, tuple(state.hands), state.talon, state.turn_up, state.suit)
    engine.begin(state)
    while state.actor is not None:
        engine.play(state, engine.legal_moves(state)[0] if first and state.actor else careful(state))
    brought = [0.0] * kit.players
    for chance in chances(begun, [[(seat, many) for seat, many, _ in end[8]] for end in state.ends]):
        early = [one + chance.left * by + (not chance.left) * late for one, by, late in zip(ANY.drawn, ANY.early, ANY.last, strict=True)]
        for seat, more in enumerate(chance.more):
            brought[seat] += sum(a * b for a, b in zip(ANY.dealt if chance.dealt else early, more, strict=True))
    return tuple(brought)


@pytest.mark.parametrize("rules", SMALL)
@pytest.mark.parametrize("first", [False, True])
def test_over_all_decks_luck_brings_nothing(rules: str, *, first: bool) -> None:
    """Every order of a small deck is dealt once: whatever cards are said to be worth, and whoever plays, each seat's mean is 0, to the last bit."""
    found = [played(rules, deck, first=first) for deck in permutations(kit_of(Rules.of(rules)).deck)]
    assert any(abs(brought) > 0.1 for luck in found for brought in luck)
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
    raw, rest, brought = [], [], []
    for seed in range(tried(400, 4000)):
        game = bots.play(Game(seed=f"luck {seed}"), ["careful", "careful"], seed)
        luck = luck_of(game)
        assert luck is not None
        assert game.outcome is not None
        share = (game.outcome.utilities[0] + 1) / 2
        raw.append(share)
        rest.append(share - luck[0])
        brought.append(luck[0])
    assert variance(rest) < 0.9 * variance(raw)
    assert abs(fmean(brought)) < 4 * sqrt(variance(brought) / len(brought))


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
