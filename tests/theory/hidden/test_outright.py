"""Worlds gone through whole: what each move brings, found again by games played to their ends, each plan asked in all worlds that look alike."""

from __future__ import annotations

from random import Random

import pytest

from by_plan import Plain, then
from durak_widget import Game, Rules, theory
from durak_widget.theory.hidden.face_up import FaceUp
from durak_widget.theory.hidden.outright import gone_through
from durak_widget.theory.hidden.possible import Worlds
from sizes import tried

SMALL = "ranks=JQKA, suits=chs, hand_size=2, repetition=None"
MOST = 7
"""With so many cards left at most it is played to its ends."""
RULES = (f"podkidnoy, {SMALL}", f"podkidnoy, {SMALL}, out_when=at_once", f"basic, {SMALL}")


def some_moment(rules: str, chance: Random) -> Game:
    """A moment of a small game that was played by chance, with a card left to draw and few in all."""
    while True:
        game = Game(Rules.of(rules), seed=chance.getrandbits(32))
        moments = []
        while game.actor is not None:
            left = sum(map(len, game.hands)) + len(game.talon)
            if 1 <= len(game.talon) <= 3 and left <= MOST and len(game.legal_moves()) > 1:
                moments.append(game.copy())
            game.play(chance.choice(game.legal_moves()))
        if moments:
            return chance.choice(moments)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("by_cards", [False, True])
def test_bounds_are_found_again_by_games_played_to_their_ends(rules: str, by_cards: bool) -> None:  # noqa: FBT001 - a parameter
    """What is had outright, and what at most in each world."""
    chance, told = Random(f"{rules} {by_cards}"), 0
    for _ in range(tried(3, 200)):
        game = some_moment(rules, chance)
        seat = game.actor
        assert seat is not None
        worlds = FaceUp(game) if by_cards else Worlds(game.view(seat))
        found = gone_through(worlds, 40_000)
        if found is None:
            continue
        told += 1
        games = [Game.of(world) for world in worlds.all()] if isinstance(worlds, FaceUp) else list(worlds.all())
        plain = Plain(seat, range(2) if by_cards else [seat])
        assert list(found) == list(game.legal_moves())
        for move, bounds in found.items():
            after = [then(one, move) for one in games]
            assert bounds.most == tuple(map(plain.worth, after))
            assert bounds.least == next((worth for worth in (1, 0) if plain.has(after, worth)), -1)
    assert told > tried(1, 130)


def test_what_is_won_in_every_world_is_not_yet_won_by_one_plan() -> None:
    """Who knew the talon would win with either ace, in each of its worlds; who does not has a plan for all of them with the king or the jack alone."""
    gone = "attacker 1; talon Ks Kh; turn-up Kh; discard Qc Jh Qh Ah; bout 8; seen | Js As"
    found = gone_through(theory.worlds(Game.at(f"{RULES[0]}: Jc Qs | Kc Ac Js As; trump h; {gone}").view(1)), 40_000)
    assert found is not None
    assert {str(move): bounds.least for move, bounds in found.items()} == {"attack Kc": 1, "attack Ac": -1, "attack Js": 1, "attack As": -1}
    assert {bounds.most for bounds in found.values()} == {(1, 1, 1)}


def test_beyond_its_budget_nothing_is_said() -> None:
    """There is no half of an answer."""
    game = some_moment(RULES[0], Random(1))
    assert gone_through(theory.worlds(game.view(game.actor)), 0) is None
