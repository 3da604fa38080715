"""Test properties that are true in every game of every preset and every mix."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Game, IllegalMove, Match, Rules, RulesError
from durak_widget.engine.moves import REFUSAL_CODES
from support.mixes import ALL_FACES, MOST_PLIES, anything, cards_everywhere, played, seeds, snapshot


@given(anything, seeds)
def test_no_card_is_lost_or_doubled(rules: Rules, seed: int) -> None:
    """During a whole game every card of the deck is in exactly one place."""
    game, rng = Game(rules, seed=seed), Random(seed)
    whole = cards_everywhere(game.state)
    assert whole == sum(game.state.compiled_rules.deck)
    while game.actor is not None and game.ply < MOST_PLIES:
        game.play(rng.choice(game.legal_moves()))
        state = game.state
        assert cards_everywhere(state) == whole
        held = [*state.hands, state.discard, state.table, *state.talon]
        assert sum(mask.bit_count() for mask in held) + (state.card_aside != 0) == whole.bit_count()


@given(anything, seeds)
def test_a_seat_can_act_or_the_game_is_over(rules: Rules, seed: int) -> None:
    """There is a seat to act with a legal move, or an outcome; never both, never neither."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < MOST_PLIES:
        assert game.legal_moves()
        assert game.outcome is None
        assert len(set(game.legal_moves())) == len(game.legal_moves())
        game.play(rng.choice(game.legal_moves()))
    assert (game.actor is None) == (game.outcome is not None) == (not game.legal_moves())


@given(anything, seeds)
def test_the_table_never_exceeds_the_limit(rules: Rules, seed: int) -> None:
    """Attacking cards stay within the limit, and the defender has a card for each that is not beaten."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < MOST_PLIES:
        assert len(game.table) <= game.limit
        if not game.taking:
            assert len(game.table.unbeaten) <= len(game.hands[game.defender])
        game.play(rng.choice(game.legal_moves()))


@given(anything, seeds)
def test_attacker_and_defender_are_never_the_same_seat(rules: Rules, seed: int) -> None:
    """The defender never throws in, attacker and defender are opponents, and only seats with cards act."""
    game, rng = Game(rules, seed=seed), Random(seed)
    side = game.state.compiled_rules.side_of_seat
    while game.actor is not None and game.ply < MOST_PLIES:
        verbs = {move.verb for move in game.legal_moves()}
        assert side[game.attacker] != side[game.defender]
        assert game.hands[game.actor]
        if game.actor == game.defender:
            assert verbs <= {"beat", "take", "transfer", "show"}
        else:
            assert verbs <= {"attack", "throw", "pass", "swap"}
            assert side[game.actor] != side[game.defender]
        game.play(rng.choice(game.legal_moves()))


@given(anything, seeds, st.integers(0, 300))
def test_game_text_round_trips(rules: Rules, seed: int, plies: int) -> None:
    """A game parsed from its text is the same game: rules, deal, moves, and the redo line."""
    game = played(rules, seed, plies)
    game.goto(game.ply * 2 // 3)
    again = Game.parse(str(game))
    assert str(again) == str(game)
    assert again.rules == game.rules
    assert snapshot(again.state) == snapshot(game.state)
    again.goto(again.last_ply)
    game.goto(game.last_ply)
    assert snapshot(again.state) == snapshot(game.state)


@given(anything, seeds)
def test_undo_is_exact(rules: Rules, seed: int) -> None:
    """Going back gives exactly the earlier state, and going forward the one after."""
    game, rng = Game(rules, seed=seed), Random(seed)
    moments = [snapshot(game.state)]
    while game.actor is not None and game.ply < 150:
        game.play(rng.choice(game.legal_moves()))
        moments.append(snapshot(game.state))
    last = game.ply
    for _ in range(min(last, 20)):
        undone = game.undo()
        assert snapshot(game.state) == moments[game.ply]
        assert undone in game.legal_moves()
    for ply in {0, last // 2, last // 3, last}:
        game.goto(ply)
        assert snapshot(game.state) == moments[ply]
    if last:
        game.goto(0)
        game.redo()
        assert snapshot(game.state) == moments[1]


@given(anything, seeds, st.integers(0, 200))
def test_a_copied_game_is_independent(rules: Rules, seed: int, plies: int) -> None:
    """Playing on in a copy does not change the original game."""
    game = played(rules, seed, plies)
    before, copy, rng = snapshot(game.state), game.copy(), Random(seed)
    for _ in range(30):
        if copy.actor is None:
            break
        copy.play(rng.choice(copy.legal_moves()))
    assert snapshot(game.state) == before


@given(anything, seeds)
def test_an_option_without_effect_has_no_effect(rules: Rules, seed: int) -> None:
    """If `explain()` says that an option has no effect, another value of it gives exactly the same game."""
    without = rules.explain().groups[2][1]
    for name, value, _ in without:
        others = [other for other in getattr(_option_of(name), "sentences", ()) if other != value] if name != "hand_size" else [value + 1]
        for other in others:
            try:
                changed = rules.replace(**{name: other})
            except RulesError:
                continue
            game, same, rng = Game(rules, seed=seed), Game(changed, seed=seed), Random(seed)
            while game.actor is not None and game.ply < 120:
                assert (same.actor, same.legal_moves()) == (game.actor, game.legal_moves())
                move = rng.choice(game.legal_moves())
                game.play(move)
                same.play(move)
            assert (same.outcome, same.hands) == (game.outcome, game.hands)


@pytest.mark.slow
@given(anything, seeds)
def test_the_last_bout_end_has_this_ply_if_the_last_move_ended_a_bout(rules: Rules, seed: int) -> None:
    """A bout has ended when another has begun, or when the game is over and the table empty; a game that ends during a bout leaves its cards."""
    game, rng = Game(rules, seed=seed), Random(seed)
    assert not game.view(0).bout_ends
    while game.actor is not None and game.ply < MOST_PLIES:
        bout, ends = game.bout, game.view(0).bout_ends
        game.play(rng.choice(game.legal_moves()))
        view = game.view(0)
        ended = game.bout > bout or (game.outcome is not None and not game.table)
        assert bool(view.bout_ends and view.bout_ends[-1].ply == view.ply) == ended
        assert len(view.bout_ends) == len(ends) + ended
        assert not ended or view.bout_ends[-1].bout == bout


def _option_of(name: str):
    return next(field.metadata["option"] for field in fields(Rules) if field.name == name)


def _random_moves(rng: Random) -> list[str]:
    """Return moves of every verb with random cards, most of them illegal."""
    card, other = (rng.choice(ALL_FACES) for _ in range(2))
    return [
        f"attack {card}",
        f"attack {card} {other}",
        f"throw {card}",
        "pass",
        f"beat {card} {other}",
        f"transfer {card}",
        f"show {card}",
        "take",
        f"swap {card} {other}",
        f"throw {card[0]}{card[1]}={other[1]}" if "X" not in card + other else f"throw {card}",
        f"beat {card}",
        "",
    ]


@given(anything, seeds, st.integers(0, 200))
def test_an_illegal_move_is_refused_and_changes_nothing(rules: Rules, seed: int, plies: int) -> None:
    """A move that is not in the list of legal moves is refused with a known code and a sentence, and nothing changes."""
    game = played(rules, seed, plies)
    before, text, rng = snapshot(game.state), str(game), Random(seed)
    legal = set(map(str, game.legal_moves()))
    tries = [move for _ in range(6) for move in _random_moves(rng)]
    tries += [
        f"beat {attack.face if attack.code == attack.face_code else attack} {card}" for attack, _ in game.table for card in ALL_FACES[::5]
    ]
    for move in tries:
        if move in legal:
            assert game.why_not(move) is None
            continue
        try:
            game.copy().play(move)
        except IllegalMove as error:
            assert error.code in REFUSAL_CODES
            assert str(error) == str(game.why_not(move))
            assert "{" not in str(error)
            assert len(str(error)) > 20
        else:  # the same move written differently, such as a swap with its cards in the other order
            assert game.why_not(move) is None
        for seat in range(len(game.hands)):
            refusal = game.why_not(move, seat)
            assert refusal is None or refusal.code in REFUSAL_CODES
    assert snapshot(game.state) == before
    assert str(game) == text


@given(anything.filter(lambda rules: rules.repetition is not None), seeds)
def test_every_random_game_ends(rules: Rules, seed: int) -> None:
    """A random game has an outcome."""
    game = played(rules, seed, 20_000)
    assert game.outcome is not None
    assert sum(game.outcome.utilities) == pytest.approx(0)


@given(anything.filter(lambda rules: rules.repetition is not None), seeds)
def test_a_match_can_always_go_on(rules: Rules, seed: int) -> None:
    """After each game a next one can be dealt, by the fool if there is one, and the score counts every game."""
    match, rng = Match(rules, seed=seed), Random(seed)
    for number in range(3):
        while match.game.actor is not None:
            match.game.play(rng.choice(match.game.legal_moves()))
        assert all(tally.wins + tally.losses + tally.ties == number + 1 for tally in match.score)
        if match.loser is not None:
            break
        fool = match.game.outcome.fool
        match.next_game()
        assert fool is None or match.dealer == fool
