"""Test that solved endings are exact under every rule set, and that their lines and proofs can be replayed."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from reference_endings import NEVER, ReferenceSolution, random_ending

from durak_widget import Game, IllegalMove, PositionError, Rules
from durak_widget.analysis import acyclic_endgame_solver, endgame
from durak_widget.analysis.acyclic_endgame_solver import AcyclicEndgameSolver, FastEngineSearch, TooLargeError
from durak_widget.analysis.cyclic_endgame_solver import CyclicEndgameSolver
from durak_widget.analysis.endgame import Proof
from durak_widget.engine import state_transitions
from durak_widget.i18n import Translator
from support.spoken import english, english_text

MANY = {"podkidnoy": 150, "transfer": 150, "perevodnoy": 150}
ALL = sorted(name for name in Rules.presets() if Rules.preset(name).teams == "none")


def random_endings(rules, count, *, most=3, first=0):
    """Yield that many endings, each with its seed."""
    drawn = ((seed, random_ending(rules, seed, most)) for seed in range(first, first + 4 * count))
    found = list(islice(((seed, game) for seed, game in drawn if game is not None), count))
    assert len(found) == count
    return found


@pytest.mark.parametrize("name", ALL)
@pytest.mark.sample(4)
def test_a_solution_equals_exhaustive_search(name):
    """The value of every move and the bouts to the end, compared with all reachable positions, in fifty or more endings of each preset, and on random lines through them."""
    rules = Rules.preset(name, players=2).replace(repetition=None)
    for seed, game in random_endings(rules, MANY.get(name, 50)):
        state, found = game.state, endgame.solve_endgame(game)
        reference = ReferenceSolution(state)
        assert found.value == reference.value_of(state, game.actor), game.position
        for move in game.legal_moves():
            after = game.copy()
            after.play(move)
            assert found.move_values[move] == reference.value_of(after.state, game.actor), (game.position, move)
        bouts = min(within[0] for within in reference.bouts_to_win)
        assert found.bouts_to_end == (bouts if bouts < NEVER else None), game.position
        rng = Random(seed)
        for _ in range(3):
            played = game.copy()
            while played.actor is not None:
                assert endgame.solve_endgame(played).value == reference.value_of(played.state, played.actor), played.position
                played.play(rng.choice(played.legal_moves()))


@pytest.mark.slow
def test_lines_and_proofs_can_be_replayed():
    """The line ends with the stated value after the stated number of bouts; the checker accepts the proofs of both sides."""
    for name in ("podkidnoy", "econ431", "perevodnoy", "passport", "siege", "two_decks", "weli", "crazy"):
        for _, game in random_endings(Rules.preset(name), 10, most=4, first=100):
            found, seat = endgame.solve_endgame(game), game.actor
            other = 1 - seat
            assert found.prove().is_valid(game)
            assert found.prove(other).is_valid(game)
            assert (found.prove().value, found.prove(other).value) == (found.value, -found.value)
            for language in ("en", "ru", "lt"):
                assert found.to_text(language).count(".") >= len([move for move in found.best_line if move.verb != "pass"])
            assert (found.value == 0) == found.to_text().endswith(("comes again.", "draw."))
            if found.value:
                played = game.copy()
                for move in found.best_line:
                    played.play(move)
                assert (seat in played.outcome.winners) == (found.value == 1)
                assert len(played.view(0).bout_ends) - len(game.view(0).bout_ends) in {
                    found.bouts_to_end,
                    found.bouts_to_end - 1,
                }  # with at_once the game may end during the last bout


FORGED = ("podkidnoy", "econ431", "perevodnoy", "passport", "siege", "two_decks", "weli", "crazy")


def test_a_proof_with_too_high_a_value_is_invalid():
    """A lost position is not proved as a draw or win, a drawn one not as a win: with the moves of the proof, of the other's proof, or any moves for all positions."""
    for name in FORGED:
        lost = 0
        for _, game in random_endings(Rules.preset(name).replace(repetition=None), 20, first=100):
            found, states = endgame.solve_endgame(game), [state for state in ReferenceSolution(game.state).states if state.outcome is None]
            everywhere = [{state.key(): state_transitions.legal_moves(state)[place] for state in states} for place in (0, -1)]
            for seat in (0, 1):
                proof, other = found.prove(seat), found.prove(1 - seat)
                lost += proof.value < 0
                for claimed_value in range(proof.value + 1, 2):
                    for forged in (proof.move_by_position, other.move_by_position, *everywhere):
                        assert not Proof(seat, claimed_value, forged).is_valid(game), (game.position, seat, claimed_value)
        assert lost >= 15


@pytest.mark.parametrize("name", FORGED)
@pytest.mark.sample(3)
def test_a_proof_with_a_worse_move_is_invalid(name):
    """At every position of its strategy, a move that exhaustive search finds worse makes the proof invalid; so does a missing move."""
    broken = 0
    for _, game in random_endings(Rules.preset(name).replace(repetition=None), 40, most=4, first=100):
        found, reference = endgame.solve_endgame(game), ReferenceSolution(game.state)
        states = {state.key(): place for place, state in enumerate(reference.states)}
        for proof in (found.prove(0), found.prove(1)):
            assert proof.is_valid(game)
            for key in proof.move_by_position:
                state = reference.states[states[key]]
                assert not proof._replace(
                    move_by_position={position: move for position, move in proof.move_by_position.items() if position != key}
                ).is_valid(game)
                for move, (place, _) in zip(state_transitions.legal_moves(state), reference.following[states[key]], strict=True):
                    if reference.value_of(reference.states[place], proof.seat) < proof.value:
                        assert not proof._replace(move_by_position=proof.move_by_position | {key: move}).is_valid(game), (
                            game.position,
                            move,
                        )
                        broken += 1
    assert broken >= 20


@pytest.mark.slow
def test_an_ending_with_repetition_is_solved():
    """With transfers positions repeat. Won positions are won, and the others are draws."""
    rules = Rules.preset("perevodnoy")
    game = Game.from_position(rules, hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h")
    endless = Game.from_position(rules.replace(repetition=None), hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h")
    reference = ReferenceSolution(endless.state)
    for move in shortest_cycle(reference):
        endless.play(state_transitions.legal_moves(endless.state)[move])
    assert endless.ply > 4
    assert endless.outcome is None
    assert (endless.hands, endless.attacker, str(endless.table)) == (game.hands, game.attacker, "")
    found = endgame.solve_endgame(game)
    assert found.value == reference.value_of(reference.states[0], 0)
    assert found.prove().is_valid(game)
    assert found.prove(1).is_valid(game)


def shortest_cycle(reference):
    """Return the numbers of the legal moves on a shortest way from the first position back to itself."""
    ways, waiting = {}, [0]
    for here in waiting:
        for move, (place, _) in enumerate(reference.following[here]):
            if place not in ways:
                ways[place] = [*ways.get(here, []), move]
                waiting.append(place)
            if place == 0:
                return ways[0]
    pytest.fail("no position comes again")


def test_an_ending_of_three_players_with_one_out_is_solved():
    """When one player is out the other two play on, and the third does not matter."""
    game = Game.from_position(Rules(players=3), hands=["Qh Ks", "", "Kh Kc"], trump="h")
    assert (game.seats_in, endgame.solve_endgame(game).value, endgame.solve_endgame(game).bouts_to_end) == ((0, 2), 1, 2)


def test_a_position_that_is_not_an_ending_is_refused():
    """A talon, three players, a finished game, a view without memory, another type: each error says what is needed."""
    over = Game.from_position(hands=["6c", "7d"])
    over.play("attack 6c")
    over.play("take")
    small = Game.from_position(Rules(ranks="67", suits="cd", hand_size=1), hands=["6c", "7d"], discard="7c 6d")
    for what, says in (
        (Game(seed=7), "the talon still has"),
        (Game.from_position(Rules(players=3), hands=["6c", "7d", "8h"]), "3 players are left"),
        (over, "the game is over"),
        (small.view(0, memory=False), "without.*memory"),
        (small.view(0).without_hand(), "without.*memory"),
        (Game.from_position(hands=["6c", "7d"]).view(0), "does not know the other hand"),
        ("6c", "game or a view"),
    ):
        with pytest.raises(PositionError, match=says):
            endgame.solve_endgame(what)
    assert endgame.solve_endgame(small.view(1)).value == endgame.solve_endgame(small).value * -1 * -1


def test_a_budget_limits_the_search_and_results_stay_exact():
    """Beyond the budget the value is None, unless a winning move was proved. Proved values are right, and a larger budget proves more."""
    game = Game.from_position(hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s")
    whole = endgame.solve_endgame(game)
    before = -1
    for budget in (1, 10, 100, 1000, 10**6):
        found = endgame.solve_endgame(game, budget=budget)
        assert found.move_values.items() <= whole.move_values.items()
        assert found.value in {None, whole.value}
        assert found.is_fully_solved == (len(found.move_values) == len(whole.move_values))
        assert len(found.move_values) >= before
        before = len(found.move_values)
    assert endgame.solve_endgame(game, budget=10**6).is_fully_solved
    nothing = endgame.solve_endgame(game, budget=1)
    assert (nothing.value, nothing.best_line, nothing.bouts_to_end, nothing.best_moves) == (None, (), None, ())
    with pytest.raises(PositionError, match="nothing is proved within a budget of 1"):
        nothing.prove()


def test_a_refutation_makes_only_true_statements():
    """Its line begins with the move and ends as stated. If the text says that a player has nothing that beats a card, the player can only take or transfer."""
    for name in ("podkidnoy", "econ431", "perevodnoy", "siege", "weli"):
        refuted = 0
        for _, game in random_endings(Rules.preset(name), 30, first=200):
            found, seat = endgame.solve_endgame(game), game.actor
            for move, claimed_value in found.move_values.items():
                if claimed_value == 1 or claimed_value == found.value == 0:
                    with pytest.raises(PositionError, match="nothing to refute"):
                        endgame.refute(game, move)
                    continue
                refuted += 1
                refutation = endgame.refute(game, move)
                assert (refutation.line[0], refutation.value) == (move, claimed_value)
                played, helpless = game.copy(), 0
                for ply, line_move in enumerate(refutation.line):
                    played.play(line_move)
                    said_of = (
                        ply
                        and line_move.cards
                        and played.actor == played.defender
                        and not played.taking
                        and line_move.verb in {"attack", "throw", "transfer"}
                    )
                    if said_of:
                        suffices = [
                            other
                            for other in played.legal_moves()
                            if other.verb == "beat" and other.cards[0].effective_face == line_move.cards[-1].effective_face
                        ]
                        helpless += not suffices
                assert (
                    sum(len(english(key).findall(refutation.to_text())) for key in ("theory.unbeatable", "theory.unbeatable.you"))
                    == helpless
                )
                assert (played.outcome is None) == bool(english("theory.again").search(refutation.to_text()))
                if claimed_value < 0:
                    assert seat in played.outcome.losers
                for language in ("ru", "lt"):
                    assert len(refutation.to_text(language)) > len(refutation.line)
        assert refuted > 10


def test_a_refutation_addresses_the_player_who_moves():
    """In three languages, with what the move gives away. An illegal move is refused as usual, and a view is refused with a reason."""
    game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    drawn = endgame.refute(game, "attack Ks")
    assert str(drawn).startswith(
        f"{english_text('deed.attack.you', who='You', cards='the king of spades')} {english_text('theory.drawn')} Player 2 "
    )
    for code, king in (("ru", "К♠"), ("lt", "K♠")):
        before, after = drawn.to_text(code, cards="signs").split(Translator(code).translate("theory.drawn"))
        assert king in before
        assert king in after
    with pytest.raises(IllegalMove, match=english("refusal.not_in_hand", card="7c")):
        endgame.refute(game, "attack 7c")
    with pytest.raises(PositionError, match="give the game"):
        endgame.refute(game.view(0), "attack Ks")


def test_a_proof_beyond_the_budget_is_refused(monkeypatch):
    """The budget may be enough for the value and not for a whole strategy; then the error says so."""
    game = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")
    found = endgame.solve_endgame(game, budget=50)

    def raise_too_large(*_):
        raise TooLargeError

    monkeypatch.setattr(AcyclicEndgameSolver, "can_win", raise_too_large)
    with pytest.raises(PositionError, match="within a budget of 50"):
        found.prove()


@pytest.mark.parametrize("name", ["podkidnoy", "perevodnoy"])
def test_too_deep_a_search_for_python_returns_no_value(name, monkeypatch):
    """If the search is deeper than Python's recursion limit, there is no value, and a refutation raises an error that names a way out."""
    game = Game.from_position(Rules.preset(name), hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s")

    def raise_recursion_error(*_):
        raise RecursionError

    monkeypatch.setattr(acyclic_endgame_solver._PythonSearch, "can_reach", raise_recursion_error)
    monkeypatch.setattr(CyclicEndgameSolver, "_search_within", raise_recursion_error)
    monkeypatch.setattr(FastEngineSearch, "create", lambda *_: None)
    found = endgame.solve_endgame(game)
    assert (found.value, found.move_values, found.is_fully_solved) == (None, {}, False)
    for call in (found.prove, lambda: endgame.refute(game, "attack 6c")):
        with pytest.raises(PositionError, match="recursion limit"):
            call()


def test_an_invalid_number_of_epaulettes_is_refused():
    """With and without the fast engine."""
    for epaulettes in (3, -1, 1.0, True, "1", [1], None):
        game = Game.from_position(hands=["6c 6d Kc", "Ts Qd Tc"], trump="h")
        with pytest.raises(PositionError, match="0, 1 or 2"):
            endgame.solve_endgame(game, epaulettes=epaulettes)
