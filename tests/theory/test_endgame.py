"""Are exact endings exact, under every rule set, and do their lines and proofs hold when they are played?"""

from __future__ import annotations

from random import Random

import pytest
from endings import NEVER, WorkedOut, ending

from durak_widget import Game, IllegalMove, PositionError, Rules
from durak_widget.theory import endgame
from durak_widget.theory.duel import Duel, TooLargeError
from durak_widget.theory.wandering import Wandering

MANY = {"podkidnoy": 150, "transfer": 150, "perevodnoy": 150}
ALL = sorted(name for name in Rules.presets() if Rules.preset(name).teams == "none")


@pytest.mark.parametrize("name", ALL)
def test_an_ending_is_what_playing_everything_out_says(name):
    """The value of every move, and the bouts to the end, as from all positions that can be reached, in fifty endings or more of each preset, and on many ways through them."""
    rules = Rules.preset(name, players=2).replace(repetition=None)
    for seed in range(MANY.get(name, 50)):
        game = ending(rules, seed, 3)
        if game is None:
            continue
        state, found = game.state, endgame.solve(game)
        worked_out = WorkedOut(state)
        assert found.value == worked_out.worth(state, game.actor), game.position
        for move in game.legal_moves():
            after = game.copy()
            after.play(move)
            assert found.moves[move] == worked_out.worth(after.state, game.actor), (game.position, move)
        bouts = min(within[0] for within in worked_out.within)
        assert found.bouts == (bouts if bouts < NEVER else None), game.position
        rng = Random(seed)
        for _ in range(3):
            played = game.copy()
            while played.actor is not None:
                assert endgame.solve(played).value == worked_out.worth(played.state, played.actor), played.position
                played.play(rng.choice(played.legal_moves()))


@pytest.mark.parametrize("name", ["podkidnoy", "econ431", "perevodnoy", "passport", "siege", "two_decks", "weli", "crazy"])
def test_lines_and_proofs_hold_when_they_are_played(name):
    """The line replays and ends as the value says after as many bouts; the proofs of both sides are believed by the checker, and altered ones are not."""
    rules = Rules.preset(name)
    for seed in range(100, 112):
        game = ending(rules, seed, 4)
        if game is None:
            continue
        found, seat = endgame.solve(game), game.actor
        other = 1 - seat
        assert found.proof().holds(game)
        assert found.proof(other).holds(game)
        assert (found.proof().worth, found.proof(other).worth) == (found.value, -found.value)
        assert not found.proof()._replace(worth=found.value + 1).holds(game)
        assert not found.proof(other)._replace(worth=1 - found.value).holds(game)
        for language in ("en", "ru", "lt"):
            assert found.said(language).count(".") >= len([move for move in found.line if move.verb != "pass"])
        assert (found.value == 0) == found.said().endswith(("comes again.", "draw."))
        if found.value:
            played = game.copy()
            for move in found.line:
                played.play(move)
            assert (seat in played.outcome.winners) == (found.value == 1)
            assert len(played.view(0).ends) - len(game.view(0).ends) in {
                found.bouts,
                found.bouts - 1,
            }  # at once, the last bout ends in its middle


def test_kings_and_aces_wander():
    """With transfers positions come again, and nobody is the worse for it who knows how: what is won is won, and the rest is a draw."""
    rules = Rules.preset("perevodnoy")
    game = Game.from_position(rules, hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h")
    worked_out = WorkedOut(Game.from_position(rules.replace(repetition=None), hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h").state)
    assert len({state.key() for state in worked_out.states}) == len(worked_out.states)
    found = endgame.solve(game)
    assert found.value == worked_out.worth(worked_out.states[0], 0)
    assert found.proof().holds(game)
    assert found.proof(1).holds(game)


def test_three_players_may_have_been_there():
    """When one is out the other two play on, and what the third won does not matter."""
    game = Game.from_position(Rules(players=3), hands=["Qh Ks", "", "Kh Kc"], trump="h")
    assert (game.seats_in, endgame.solve(game).value, endgame.solve(game).bouts) == ((0, 2), 1, 2)


def test_what_is_no_ending_is_refused_in_a_sentence():
    """A talon, three players, the end, a view that has forgotten, or something else: each is told what would do."""
    over = Game.from_position(hands=["6c", "7d"])
    over.play("attack 6c")
    over.play("take")
    small = Game.from_position(Rules(ranks="67", suits="cd", hand_size=1), hands=["6c", "7d"], discard="7c 6d")
    for what, says in (
        (Game(seed=7), "still to be drawn"),
        (Game.from_position(Rules(players=3), hands=["6c", "7d", "8h"]), "3 players are left"),
        (over, "the game is over"),
        (small.view(0, memory=False), "without its memory"),
        (small.view(0).covered(), "without its memory"),
        (Game.from_position(hands=["6c", "7d"]).view(0), "does not know the other hand"),
        ("6c", "is a game or a view"),
    ):
        with pytest.raises(PositionError, match=says):
            endgame.solve(what)
    assert endgame.solve(small.view(1)).value == endgame.solve(small).value * -1 * -1


def test_a_budget_is_kept_and_nothing_is_guessed():
    """Beyond the budget the value is None, unless a move that wins was proved; what is proved is right, and more is proved with more."""
    game = Game.from_position(hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s")
    whole = endgame.solve(game)
    before = -1
    for budget in (1, 10, 100, 1000, 10**6):
        found = endgame.solve(game, budget=budget)
        assert found.moves.items() <= whole.moves.items()
        assert found.value in {None, whole.value}
        assert found.proved == (len(found.moves) == len(whole.moves))
        assert len(found.moves) >= before
        before = len(found.moves)
    assert endgame.solve(game, budget=10**6).proved
    nothing = endgame.solve(game, budget=1)
    assert (nothing.value, nothing.line, nothing.bouts, nothing.best) == (None, (), None, ())
    with pytest.raises(PositionError, match="nothing is proved within a budget of 1"):
        nothing.proof()


@pytest.mark.parametrize("name", ["podkidnoy", "econ431", "perevodnoy", "siege", "weli"])
def test_a_refutation_claims_nothing_that_does_not_hold(name):
    """Its line begins with the move and ends as it says, as soon as can be; who is said to hold nothing that beats a card may only take, or pass it on."""
    rules, refuted = Rules.preset(name), 0
    for seed in range(200, 240):
        game = ending(rules, seed, 3)
        if game is None:
            continue
        found, seat = endgame.solve(game), game.actor
        for move, worth in found.moves.items():
            if worth == 1 or worth == found.value == 0:
                with pytest.raises(PositionError, match="nothing to refute"):
                    endgame.refute(game, move)
                continue
            refuted += 1
            refutation = endgame.refute(game, move)
            assert (refutation.line[0], refutation.worth) == (move, worth)
            played, helpless = game.copy(), 0
            for ply, one in enumerate(refutation.line):
                played.play(one)
                said_of = (
                    ply
                    and one.cards
                    and played.actor == played.defender
                    and not played.taking
                    and one.verb in {"attack", "throw", "transfer"}
                )
                if said_of:
                    suffices = [
                        other for other in played.legal_moves() if other.verb == "beat" and other.cards[0].counts == one.cards[-1].counts
                    ]
                    helpless += not suffices
            assert refutation.said().count("nothing that beats") == helpless
            assert (played.outcome is None) == refutation.said().endswith("comes again.")
            if worth < 0:
                assert seat in played.outcome.losers
            for language in ("ru", "lt"):
                assert len(refutation.said(language)) > len(refutation.line)
    assert refuted > 10


def test_a_refutation_speaks_to_who_makes_the_move():
    """In three languages, with what the move gives away; an illegal move is refused as ever, and a view is told why it will not do."""
    game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    drawn = endgame.refute(game, "attack Ks")
    assert str(drawn).startswith("You attack with the king of spades. That is no more than a draw. Player 2 beats")
    assert drawn.said("ru", cards="signs").startswith("Вы ходите с K♠︎. Это не больше, чем ничья. Игрок 2 отбивает K♠︎")
    assert drawn.said("lt", cards="signs").startswith("Jūs einate korta K♠︎. Taip bus tik lygiosios. Žaidėjas 2 muša K♠︎")
    with pytest.raises(IllegalMove, match="7c is not in the hand"):
        endgame.refute(game, "attack 7c")
    with pytest.raises(PositionError, match="give the game"):
        endgame.refute(game.view(0), "attack Ks")


def test_a_proof_beyond_the_budget_is_refused_in_a_sentence(monkeypatch):
    """The budget may suffice for the value and not for a whole strategy; then that is said."""
    game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    found = endgame.solve(game, budget=50)

    def no_more(*_):
        raise TooLargeError

    monkeypatch.setattr(Duel, "wins", no_more)
    with pytest.raises(PositionError, match="within a budget of 50"):
        found.proof()


@pytest.mark.parametrize("name", ["podkidnoy", "perevodnoy"])
def test_what_is_too_deep_for_python_is_said_to_be(name, monkeypatch):
    """Where the search goes deeper than Python follows, nothing is guessed, and a refutation says in a sentence what would do."""
    game = Game.from_position(Rules.preset(name), hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s")

    def too_deep(*_):
        raise RecursionError

    monkeypatch.setattr(Duel, "_reaches", too_deep)
    monkeypatch.setattr(Wandering, "_search", too_deep)
    found = endgame.solve(game)
    assert (found.value, found.moves, found.proved) == (None, {}, False)
    for asked in (found.proof, lambda: endgame.refute(game, "attack 6c")):
        with pytest.raises(PositionError, match="longer than Python follows"):
            asked()
