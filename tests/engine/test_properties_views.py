"""Test views in every game of every preset and every mix: they leak nothing, and account for every card."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget import Card, Game, Move, Rules
from durak_widget.cards import FACE_COUNT, bit_indices, card_from_bit, face_from_bit
from durak_widget.engine.observation import Observation, observe_state
from support.mixes import MOST_PLIES, anything, played, seeds
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Iterator


@given(anything, seeds, st.integers(0, 250))
def test_views_leak_no_hidden_cards(rules: Rules, seed: int, plies: int) -> None:
    """A view does not change when cards that the seat has never seen change places."""
    game, rng, eyes = Game(rules, seed=seed), Random(seed), SeenCards(rules)
    eyes.add_visible_cards(game)
    while game.actor is not None and game.ply < plies:
        game.play(rng.choice(game.legal_moves()))
        eyes.add_visible_cards(game)
    eyes.check(game, rng)


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(4)
def test_views_leak_no_hidden_cards_in_every_preset(name: str) -> None:
    """The same, for each preset by name, after every move of a game."""
    game, rng = Game(Rules.preset(name), seed=5), Random(5)
    eyes = SeenCards(game.rules)
    while game.actor is not None and game.ply < 120:
        eyes.add_visible_cards(game)
        eyes.check(game, rng)
        game.play(rng.choice(game.legal_moves()))


@pytest.mark.slow
@settings(max_examples=tried(4, 300))
@given(st.integers(2, 4), st.integers(2, 3), st.sampled_from([1, 2]), st.sampled_from(["top", "bottom"]), seeds)
def test_swapped_cards_are_no_longer_known(players: int, hand_size: int, decks: int, turn_up: str, seed: int) -> None:
    """After many swaps, no view names a card that its seat can no longer locate."""
    rules = Rules(players=players, hand_size=hand_size, ranks="6789T", decks=decks, swaps=9, turn_up=turn_up)
    game, rng, eyes = Game(rules, seed=seed), Random(seed), SeenCards(rules)
    eyes.add_visible_cards(game)
    while game.actor is not None and game.ply < MOST_PLIES:
        swaps = [move for move in game.legal_moves() if move.verb == "swap"]
        game.play(rng.choice(swaps or game.legal_moves()))
        eyes.add_visible_cards(game)
        eyes.check(game, rng)


@given(anything, seeds, st.integers(0, 250))
def test_a_perfect_memory_accounts_for_every_card(rules: Rules, seed: int, plies: int) -> None:
    """The known cards in hands, discard pile, talon, on the table and aside, and the unseen cards, are the whole deck."""
    game = played(rules, seed, plies)
    for seat in range(rules.players):
        view = game.view(seat)
        cards = Counter(card for some in (*view.memory.known, view.memory.discarded, view.memory.unseen) for card in some)
        cards.update(card for _, card in view.memory.talon)
        cards.update(card.face for pair in view.table for card in pair if card is not None)
        if view.turn_up is not None and view.turn_up not in {card for _, card in view.memory.talon}:
            cards[view.turn_up] += 1
        assert cards == Counter(map(card_from_bit, game.state.compiled_rules.deck))


@given(anything, seeds, st.integers(0, 120))
def test_a_covered_view_does_not_depend_on_the_hand(rules: Rules, seed: int, plies: int) -> None:
    """If another deal with another hand looks the same on the table, the covered view is the same."""
    game, rng = played(rules, seed, plies), Random(seed)
    for seat in range(rules.players):
        for other in other_deals(game, seat, rng):
            assert_look_alike(game, other, seat)


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(16)
def test_a_covered_view_does_not_depend_on_the_hand_in_every_preset(name: str) -> None:
    """The same, for each preset by name, at several moments of a game; such deals exist, and the open views of most of them differ."""
    rng, differ = Random(7), []
    for plies in range(0, 40, 4):
        game = played(Rules.preset(name), 7, plies)
        for seat in range(len(game.hands)):
            for other in other_deals(game, seat, rng):
                assert_look_alike(game, other, seat)
                differ.append(own_cards(other, seat) != own_cards(game, seat))
                assert (other.view(seat) != game.view(seat)) == differ[-1]
    assert sum(differ) > 20


def own_cards(game: Game, seat: int) -> list[object]:
    """Return every hand of a seat since the deal, and the card that showed the trump suit from a hand."""
    then, held = game.copy(), []
    for ply in range(game.ply + 1):
        then.goto(ply)
        held.append(then.hands[seat])
    then.goto(0)
    return [*held, then.state.publicly_seen]


def assert_look_alike(game: Game, other: Game, seat: int) -> None:
    """Assert that the covered views of a seat are equal, with all their attributes."""
    view, same = game.view(seat).without_hand(), other.view(seat).without_hand()
    assert view == same
    assert (hash(view), repr(view), view.history, view.bout_ends) == (hash(same), repr(same), same.history, same.bout_ends)


def other_deals(game: Game, seat: int, rng: Random) -> Iterator[Game]:
    """Yield games in which a card of this seat's hand was exchanged with another card in the deal, and all visible moves were the same."""
    deck = _header_words(game, "Deck")
    held = [place for place, card in enumerate(deck) if card in game.hands[seat]]
    for _ in range(min(8, len(held))):
        own_place, other_place = rng.choice(held), rng.randrange(len(deck))
        exchanged = {Card(deck[own_place]): Card(deck[other_place]), Card(deck[other_place]): Card(deck[own_place])}
        dealt = [deck[{own_place: other_place, other_place: own_place}.get(place, place)] for place in range(len(deck))]
        other = Game(game.rules, deck=dealt)
        if _has_the_same_visible_course(game, other, exchanged):
            yield other


def _has_the_same_visible_course(game: Game, other: Game, exchanged: dict[Card, Card]) -> bool:
    """Play the same moves, with other cards in a swap, which nobody sees; return whether everything visible stays equal."""
    again = game.copy()
    again.goto(0)
    for move in game.moves:
        if _visible_facts(again) != _visible_facts(other):
            return False
        again.play(move)
        if move.verb == "swap":
            move = Move.from_cards("swap", *(exchanged.get(card, card) for card in move.cards))  # noqa: PLW2901 - the same move before all eyes
        if other.why_not(move) is not None:
            return False
        other.play(move)
    return _visible_facts(again) == _visible_facts(other)


def _visible_facts(game: Game) -> tuple[object, ...]:
    """Return what everybody at the table sees at a moment, and the cards turned over so far."""
    counts = [len(hand) for hand in game.hands]
    turned = [end.turned_cards for end in game.view(0).bout_ends[-1:]]
    return game.actor, game.attacker, game.defender, game.table, game.turn_up, game.trump, counts, turned


class SeenCards:
    """The cards that each seat has ever seen: its hand, the table, the turn-up, the cards named in moves.

    When a seat swaps, the others lose sight of all that it held.
    """

    def __init__(self, rules: Rules) -> None:
        self.seen = [0] * rules.players
        self.hands = [0] * rules.players

    def add_visible_cards(self, game: Game) -> None:
        """Add the cards seen after a move."""
        state = game.state
        if not game.ply:
            self.open, self.hidden = state.turn_up, state.hidden_card
            self.seen = [self._trump_card_in_a_hand(game)] * len(self.seen)
        if self.hidden and not self.open & sum(state.talon):  # the turn-up is drawn, so the card under it is visible
            self.seen = [seen | self.hidden for seen in self.seen]
            self.hidden = 0
        if game.ply and game.moves[-1].verb == "swap":
            who = game.history[-1].seat
            self.seen = [seen if seat == who else seen & ~self.hands[who] for seat, seen in enumerate(self.seen)]
        self.hands = state.hands
        for seat, hand in enumerate(state.hands):
            self.seen[seat] |= hand | state.table | state.discard | state.turn_up
            if game.ply and game.moves[-1].verb != "swap":
                self.seen[seat] |= _all_copies(game.moves[-1].cards)

    def _trump_card_in_a_hand(self, game: Game) -> int:
        """If all cards are dealt, return the last card dealt that can show the trump suit; it stays in a hand."""
        if game.talon or game.card_aside or game.trump is None or game.rules.trump != "turn_up":
            return 0
        able = [
            card for card in map(Card, _header_words(game, "Deck")) if card.suit and not (game.rules.spades_by_spades and card.suit == "s")
        ]
        return _all_copies(able[-1:])

    def check(self, game: Game, rng: Random) -> None:
        """For each seat, exchange the cards that it has never seen, and compare the views."""
        for seat, seen in enumerate(self.seen):
            state, view = game.state, game.view(seat)
            hidden = [1 << bit for bit in bit_indices(sum(state.compiled_rules.deck) & ~seen)]
            to = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
            now = state.hands
            state.hands = [sum(to.get(1 << bit, 1 << bit) for bit in bit_indices(hand)) for hand in now]
            state.repeatable_positions = tuple(
                (who, *map(_moved_hand, then, now, state.hands)) for who, *then in state.repeatable_positions
            )
            state.set_talon(tuple(to.get(bit, bit) for bit in state.talon))
            state.hidden_card, state.card_aside = to.get(state.hidden_card, state.hidden_card), to.get(state.card_aside, state.card_aside)
            story, first = game._history.copy(), view.data.first_observation
            ends, drew, swaps = story._seen_cache
            story._seen_cache = (
                ends,
                tuple(cards if who == seat else () for who, cards in enumerate(drew)),
                swaps,
            )  # only the seat itself knows what it drew
            other = Observation(observe_state(state, seat, story, first))
            assert other == view
            assert repr(other) == repr(view)
            for what in ("memory", "history", "bout_ends", "hand", "table", "counts"):
                assert getattr(other, what) == getattr(view, what)
            assert other.legal_moves() == view.legal_moves()


def _moved_hand(then: int, now: int, other_now: int) -> int:
    """Return the earlier hand, if the present hand is another one and the same cards have been played and drawn since."""
    faces = Counter(map(face_from_bit, _bits(then)))
    faces.subtract(map(face_from_bit, _bits(now)))
    faces.update(map(face_from_bit, _bits(other_now)))
    return sum(1 << face + FACE_COUNT * copy for face, count in faces.items() for copy in range(count))


def _bits(mask: int) -> list[int]:
    return [1 << bit for bit in bit_indices(mask)]


def _header_words(game: Game, key: str) -> list[str]:
    """Return the words of a header of the game text."""
    return next(line for line in str(game).splitlines() if line.startswith(f"{key}: ")).split()[1:]


def _all_copies(cards) -> int:
    return sum(1 << code | 1 << code + FACE_COUNT for code in {card.face_code for card in cards})
