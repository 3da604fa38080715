"""A view is an information state: it has perfect recall, and with a guess at the hidden cards it gives a full state (rule book §10)."""

from __future__ import annotations

import pickle
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import CardSet, Game, PositionError, Rules
from durak_widget.cards import bit_indices, face_from_bit, normalize_copies
from durak_widget.engine import state_transitions
from durak_widget.engine.determinization import build_state
from durak_widget.engine.history import GameHistory
from durak_widget.engine.observation import ObservationData, observe_state
from support.mixes import SIZED, anything, drew, knowledge, played, seeds, snapshot
from support.sizes import tried

if TYPE_CHECKING:
    from durak_widget.engine.state import State

# Perfect recall


@pytest.mark.parametrize("rules", SIZED, ids=str)
@pytest.mark.parametrize("memory", [True, False], ids=["memory", "no memory"])
@pytest.mark.sample(4)
def test_equal_views_had_equal_views_before(rules: Rules, *, memory: bool) -> None:
    """In thousands of small games, two equal views had equal views at every earlier moment."""
    before: dict[ObservationData, list[ObservationData]] = {}
    alike, rng = 0, Random(1)
    for seed in range(tried(150, 700)):
        game = Game(rules, seed=seed)
        pasts: list[list[ObservationData]] = [[] for _ in range(game.seats)]
        while game.actor is not None and game.ply < 14:
            for seat, past in enumerate(pasts):
                sight = game.view(seat, memory=memory).data
                if sight in before:
                    alike += 1
                    assert before[sight] == past
                else:
                    before[sight] = list(past)
                past.append(sight)
            legal = game.legal_moves()
            game.play(legal[int(rng.random() ** 2 * len(legal))])  # the first moves more often, so that games go alike
    assert alike > tried(60, 500)


@given(anything, seeds, st.integers(0, 200))
def test_a_view_gives_back_every_hand_its_seat_has_held(rules: Rules, seed: int, plies: int) -> None:
    """In every preset and mix, the first hand, the draws and the moves in a view give the seat's hand at every earlier moment."""
    game = played(rules, seed, plies)
    held: list[list[CardSet]] = [[] for _ in range(game.seats)]
    then = game.copy()
    for ply in range(game.ply + 1):
        then.goto(ply)
        for seat, hands in enumerate(held):
            hands.append(then.hands[seat])
    for seat, hands in enumerate(held):
        assert list(replayed_hands(game, seat)) == hands


def replayed_hands(game: Game, seat: int):
    """Yield the hands of a seat, computed from its present view alone."""
    view = game.view(seat)
    sight = view.data
    hand = CardSet.from_mask((sight.first_observation or sight).hand)
    drew, ends = dict(sight.own_draws), {end.ply: end for end in view.bout_ends}
    yield hand
    for ply, played_move in enumerate(view.history, 1):
        if played_move.seat == seat and played_move.verb in ("attack", "throw", "transfer"):
            hand -= [card.face for card in played_move.cards]
        if played_move.seat == seat and played_move.verb == "beat":
            hand -= [played_move.cards[1].face]
        if played_move.seat == seat and played_move.verb == "swap":
            hand -= played_move.cards
        end = ends.get(ply)
        if end is not None and end.taken and end.defender == seat:
            for attack, beat in end.table:
                for card in (attack, beat):
                    hand = hand_with(hand, card)
        for bit in bit_indices(drew.get(ply, 0)):
            hand = hand_with(hand, CardSet.from_mask(1 << face_from_bit(1 << bit)))
        yield hand


def hand_with(hand: CardSet, more) -> CardSet:
    """Return the hand with one more card, also when it is a second copy."""
    cards = [*hand, *([] if more is None else more if isinstance(more, CardSet) else [more.face])]
    return CardSet(cards)


def test_the_order_of_draws_distinguishes_two_views() -> None:
    """A seat that drew the nine first and the ten later has another view than one that drew them the other way round."""
    rules = Rules(hand_size=2, trump="s")

    def talon_line(talon: str) -> Game:
        game = Game.from_position(rules, hands=["6c Kh", "7c 7h"], talon=talon)
        for move in ("attack 6c", "beat 6c 7c", "attack 7h", "beat 7h Kh"):
            game.play(move)
        return game

    nine_first, ten_first = talon_line("9c Jd Jc Td"), talon_line("Td Jd Jc 9c")
    assert nine_first.hands[0] == ten_first.hands[0] == CardSet("9c Td")
    assert nine_first.view(0) != ten_first.view(0)
    assert [[str(end.own_draw) for end in game.view(0).bout_ends] for game in (nine_first, ten_first)] == [["9c", "Td"], ["Td", "9c"]]


def test_cards_taken_in_a_swap_are_remembered() -> None:
    """A seat remembers the two cards that it took in a swap, which nobody else sees."""
    rules = Rules(swaps=1, hand_size=2, trump="h")
    game = Game.from_position(rules, hands=["6c 9c", "7c Kh"], talon="8d 9h Ts Js")
    game.play("swap 6c 9c")
    assert game.view(0).data.own_draws == ((1, CardSet("8d 9h").mask),)
    assert game.view(1).data.own_draws == ()


def test_a_view_hides_the_cards_that_others_drew() -> None:
    """A view shows the seat's own cards only; a covered view shows none."""
    game = Game(Rules(players=3), seed=3)
    while not game.view(0).bout_ends:
        game.play(game.legal_moves()[0])
    drew = [end for end in game.view(0).bout_ends if end.draw_counts]
    for seat in range(3):
        for end, mine in zip(game.view(seat).bout_ends, drew, strict=False):
            assert len(end.own_draw) == dict(mine.draw_counts).get(seat, 0)
            assert end.own_draw <= game.hands[seat]
        assert not any(end.own_draw for end in game.view(seat).without_hand().bout_ends)
        assert game.view(seat).without_hand().data.first_observation.hand == 0


# From a view back to a state


def rebuilt_state(game: Game, seat: int) -> State:
    """Rebuild the state of a game from what a seat sees and the hidden cards."""
    state = game.state
    return build_state(game.view(seat).data, list(map(normalize_copies, state.hands)), tuple(map(face_from_bit, state.talon)))


def facts_known_to(state: State, seat: int) -> tuple[object, ...]:
    """Return everything in a state except what only other seats know."""
    facts = [field for field in snapshot(state) if field[0] not in {"known", "drew"}]
    return (
        *facts,
        knowledge(state, seat),
        drew(state, seat),
        tuple(normalize_copies(seen & hand) for seen, hand in zip(state.publicly_seen, state.hands, strict=True)),
    )


def assert_equal_states(state: State, other: State, seat: int) -> None:
    """Assert that all slots are equal, also the cached tables, except what only other seats know."""
    assert facts_known_to(state, seat) == facts_known_to(other, seat)
    assert list(map(normalize_copies, state.talon_suffix_masks)) == list(map(normalize_copies, other.talon_suffix_masks))
    assert (state.compiled_rules, state.beater_masks, state.beating_moves) == (
        other.compiled_rules,
        other.beater_masks,
        other.beating_moves,
    )
    assert state_transitions.legal_moves(state) == state_transitions.legal_moves(other)


@given(anything, seeds, st.integers(0, 250))
def test_a_view_and_the_hidden_cards_give_the_state(rules: Rules, seed: int, plies: int) -> None:
    """`build_state` gives back every slot, for every seat, at any moment of any game, and play continues in the same way."""
    game, rng = played(rules, seed, plies), Random(seed)
    for seat in range(game.seats):
        state = rebuilt_state(game, seat)
        assert_equal_states(state, game.state, seat)
        assert state.key() == game.state.key()
    true, state = game.state, rebuilt_state(game, 0)
    for _ in range(60):
        if true.actor is None:
            break
        assert state_transitions.legal_moves(true) == state_transitions.legal_moves(state)
        move = rng.choice(state_transitions.legal_moves(true))
        state_transitions.apply_move(true, move)
        state_transitions.apply_move(state, move)
    assert (true.outcome, true.key()) == (state.outcome, state.key())


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(4)
def test_views_give_the_state_at_every_moment_in_every_preset(name: str) -> None:
    """From the deal to the end of the game."""
    game, rng = Game(Rules.preset(name), seed=11), Random(11)
    while game.actor is not None and game.ply < 150:
        for seat in range(game.seats):
            assert_equal_states(rebuilt_state(game, seat), game.state, seat)
        game.play(rng.choice(game.legal_moves()))
    assert_equal_states(rebuilt_state(game, 0), game.state, 0)


@given(anything, seeds, st.integers(0, 200))
def test_a_sampled_state_looks_like_the_real_one(rules: Rules, seed: int, plies: int) -> None:
    """If the cards that a seat cannot locate are dealt at random, it sees the same as in the real state."""
    game, rng = played(rules, seed, plies), Random(seed)
    for seat in range(game.seats):
        sight = game.view(seat).data
        hands, talon = sampled_state(sight, rng)
        other = observe_state(build_state(sight, hands, talon), seat, game._history, sight.first_observation)
        if other.actor == seat:
            assert other == sight
        assert other._replace(legal_moves=()) == sight._replace(legal_moves=())


def sampled_state(sight: ObservationData, rng: Random) -> tuple[list[int], tuple[int, ...]]:
    """Place the hidden cards at random where they can be, however unlikely the play makes it."""
    unseen = [face_from_bit(1 << bit) for bit in bit_indices(sight.unseen)]
    rng.shuffle(unseen)
    hands = [CardSet.from_mask(known) for known in sight.known_hands]
    for seat, hand in enumerate(hands):
        missing = sight.counts[seat] - len(hand)
        hands[seat] = CardSet([*hand, *map(str, map(CardSet.from_mask, (1 << unseen.pop() for _ in range(missing))))])
    at = dict(sight.known_talon_cards)
    return [hand.mask for hand in hands], tuple(at[place] if place in at else unseen.pop() for place in range(sight.talon_count))


def test_impossible_hidden_cards_are_refused() -> None:
    """Wrong numbers of cards, a card twice, another own hand, another place of the turn-up."""
    for change, says in (
        (lambda hands, talon: (hands[:1], talon), "hands must have"),
        (lambda hands, talon: ([hands[0], hands[1] & hands[1] - 1], talon), "hands must have"),
        (lambda hands, talon: (hands, talon[1:]), "talon.*24 faces"),
        (lambda hands, talon: (hands, (100, *talon[1:])), "faces from 0 to 53"),
        (lambda _, talon: (range(10**12), talon), "hands must have"),
        (lambda hands, _: (hands, range(10**12)), "talon.*24 faces"),
        (lambda hands, talon: (hands[::-1], talon), "impossible"),
        (lambda hands, talon: ([hands[0], hands[0]], talon), "impossible"),
        (lambda hands, talon: (hands, talon[::-1]), "impossible"),
        (lambda hands, talon: (hands, (talon[0],) * 24), "impossible"),
    ):
        game = Game(seed=7)
        hands, talon = [hand.mask for hand in game.hands], tuple(card.code for card in game.talon)
        with pytest.raises(PositionError, match=says):
            build_state(game.view(0).data, *change(hands, talon))


def test_a_view_without_memory_or_hand_gives_no_state() -> None:
    """A view without memory, or without the hand, does not hold enough."""
    for view in (Game(seed=7).view(0, memory=False), Game(seed=7).view(0).without_hand()):
        with pytest.raises(PositionError, match=r"state.*view.*memory"):
            build_state(view.data, [0, 0], ())


def test_hidden_hands_may_use_any_copy_of_a_card() -> None:
    """With two decks, hands may be masks as in a state; no card is lost or doubled."""
    for seed in range(20):
        game = Game("two_decks", seed=seed)
        state = build_state(game.view(0).data, game.state.hands, tuple(map(face_from_bit, game.state.talon)))
        assert state.key() == game.state.key()
        assert list(map(int.bit_count, state.hands)) == [6, 6]


def test_with_two_missing_cards_the_card_aside_is_unknown() -> None:
    """If the position lacks two cards of the deck, the one that is aside cannot be found from the rest."""
    game = Game.from_position_line("railway: 6c 7c | 9h Ts; aside Ac")
    with pytest.raises(PositionError, match=r"card.*aside, and 32"):
        build_state(game.view(0).data, [hand.mask for hand in game.hands], ())


def test_hidden_cards_of_a_wrong_type_are_refused() -> None:
    """Hands are masks, and the talon is a list of faces."""
    for hands, talon in ((["6c", "7c"], (0,) * 24), ([63, 63], ("6c",) * 24), ([63, None], (0,) * 24), (7, ()), ([63, 63], None)):
        with pytest.raises(PositionError, match=r"hands.*masks and the talon.*faces"):
            build_state(Game(seed=7).view(0).data, hands, talon)


def test_hashes_of_views_rarely_collide() -> None:
    """So a dictionary with views as keys is fast."""
    views = set()
    for seed in range(300):
        game, rng = Game(SIZED[0], seed=seed), Random(seed)
        while game.actor is not None and game.ply < 20:
            views |= {game.view(0), game.view(1)}
            game.play(rng.choice(game.legal_moves()))
    assert len({hash(view) for view in views}) > 0.99 * len(views) > 1000


def test_a_view_is_an_immutable_value() -> None:
    """It can be compared, hashed and pickled, and cannot be changed."""
    game = Game("transfer, players=3", seed=2)
    game.play(game.legal_moves()[0])
    sight = game.view(1).data
    assert pickle.loads(pickle.dumps(sight)) == sight
    assert {sight: 1}[game.view(1).data] == 1
    with pytest.raises(AttributeError):
        sight.hand = 0


def test_a_copied_history_is_independent() -> None:
    """Entries added to a copy do not appear in the original."""
    story, state = GameHistory(2), Game(seed=7).state
    copy = story.copy()
    copy.play(state, state_transitions.legal_moves(state)[0])
    assert (len(copy.moves), story.moves, story.actors, story.get_ends_and_draws(Game(seed=7).state, 0)) == (1, [], [], ((), ()))
