"""Test exhaustive search over worlds: the bounds of each move equal those from complete play in all worlds that look alike."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import Game, Rules, analysis
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.analysis.exhaustive_world_search import solve_worlds
from durak_widget.analysis.possible_worlds import Worlds
from durak_widget.analysis.worlds_with_open_hands import OpenHandsWorlds
from support.by_plan import Plain, TooMuchError, then
from support.sizes import tried

SMALL = "ranks=JQKA, suits=chs, hand_size=2, repetition=None"
MOST = 7
"""With so many cards left at most it is played to its ends."""
PRESETS = (
    *("podkidnoy", "basic", "perevodnoy", "econ431", "changeable_trump", "no_trumps", "spades_by_spades", "albanian", "siege"),
    *("podkidnoy, out_when=at_once", "poker", "low_trump", "thrown_up", "durnius"),
)
"""Each with a small deck: among them what is transferred, swapped; and what is trump changes."""


def random_moment(rules: str, chance: Random) -> Game:
    """Return a moment of a small random game, with few cards left and at least one to draw."""
    while True:
        game = Game(Rules.coerce(rules), seed=chance.getrandbits(32))
        moments = []
        while game.actor is not None and game.ply < 120:
            left = sum(map(len, game.hands)) + len(game.talon)
            if 1 <= len(game.talon) <= 3 and left <= MOST and len(game.legal_moves()) > 1:
                moments.append(game.copy())
            game.play(chance.choice(game.legal_moves()))
        if moments:
            return chance.choice(moments)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS[:: tried(3, 1)])
@pytest.mark.parametrize("by_cards", [False, True])
def test_bounds_equal_complete_play(preset: str, by_cards: bool) -> None:  # noqa: FBT001 - a parameter
    """The guaranteed value, and the value in each world. Games without end, or too long to play out here, are skipped."""
    chance, compared = Random(f"{preset} {by_cards}"), 0
    for _ in range(tried(12, 200)):
        game = random_moment(f"{preset}, {SMALL}", chance)
        worlds = OpenHandsWorlds(game) if by_cards else Worlds(game.view(game.actor))
        found = solve_worlds(worlds, 40_000) if by_cards or worlds.has_fewer_than(13) else None
        if found is None:
            continue
        games = [Game.from_state(world) for world in worlds.all()] if isinstance(worlds, OpenHandsWorlds) else list(worlds.all())
        plain = Plain(game.actor, range(2) if by_cards else [game.actor], 6_000)
        assert list(found) == list(game.legal_moves())
        try:
            for move, bounds in found.items():
                after = [plain.then(game, move) for game in games]
                assert bounds.value_by_world == tuple(map(plain.value, after))
                assert bounds.guaranteed_value == next((value for value in (1, 0) if plain.has(after, value)), -1)
        except TooMuchError:
            continue
        compared += 1
        if compared == tried(2, 100):
            break
    assert compared


def test_the_trump_may_change_before_the_talon_is_empty() -> None:
    """Each world is searched under its own trump, and by the rules of exact endings once a move leads to one."""
    gone = "discard 6c 7c 8c Tc Jc Qc Kc Ac 7d 8d 9d Td Qd 7h 9h Th 6s 7s 8s Ts Qs As; bout 9"
    position = f"changeable_trump: 9c Qh | Jd 9s; trump d; attacker 1; table 6h/Jh Js/Kd Kh/Ah Ks/Ad; talon 6d 8h; turn-up 6d; {gone}"
    worlds = Worlds(Game.from_position_line(position).view(1))
    found = solve_worlds(worlds, 40_000)
    assert found is not None
    exact = 0
    for place, game in enumerate(worlds.all()):
        for move in game.legal_moves():
            after = then(game, move)
            if after.outcome is None and not after.talon:
                value = solve_endgame(after).value
                assert found[move].value_by_world[place] == (value if after.actor == 1 else -value)
                exact += 1
    assert exact == 3
    assert {bounds.value_by_world for bounds in found.values()} == {(-1, -1, 1)}, "by the trump of now it would be won in all of them"


def test_a_win_in_every_world_may_need_different_strategies() -> None:
    """A player who knew the talon would win with either ace in each world; without that knowledge only the king or the jack wins in all of them."""
    gone = "attacker 1; talon Ks Kh; turn-up Kh; discard Qc Jh Qh Ah; bout 8; seen | Js As"
    found = solve_worlds(
        analysis.worlds(Game.from_position_line(f"podkidnoy, {SMALL}: Jc Qs | Kc Ac Js As; trump h; {gone}").view(1)), 40_000
    )
    assert found is not None
    assert {str(move): bounds.guaranteed_value for move, bounds in found.items()} == {
        "attack Kc": 1,
        "attack Ac": -1,
        "attack Js": 1,
        "attack As": -1,
    }
    assert {bounds.value_by_world for bounds in found.values()} == {(1, 1, 1)}


def test_beyond_its_budget_there_is_no_result() -> None:
    """There is no partial result."""
    game = random_moment(f"podkidnoy, {SMALL}", Random(1))
    assert solve_worlds(analysis.worlds(game.view(game.actor)), 0) is None
