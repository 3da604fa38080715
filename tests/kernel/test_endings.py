"""What the kernel says of endings is what the plain search says: values, moves, bouts, lines; and what playing everything out says."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from random import Random

import pytest
from hypothesis import given

from durak_widget import Game, PositionError, Rules, kernel
from durak_widget.theory.endings import by_kernel, endgame
from durak_widget.theory.endings.duel import Duel, fits
from durak_widget.theory.endings.repeats import without_end
from mixes import anything, seeds
from sizes import tried

pytestmark = pytest.mark.skipif(kernel.which().startswith("none"), reason=kernel.which())
MANY = tried(12, 400)
KINDS = (
    *("podkidnoy", "econ431", "low_trump", "spades_by_spades", "no_trumps", "railway", "albanian"),
    *("podkidnoy, goal=first_out", "podkidnoy, out_when=at_once", "econ431, out_when=bout_end, goal=not_last"),
    *(
        "podkidnoy, throw_in_after_take=False",
        "podkidnoy, throw_in_by=nobody",
        "podkidnoy, attack_limit=2",
        "podkidnoy, first_bout_limit=1",
    ),
    *("podkidnoy, players=3", "podkidnoy, players=4, out_when=at_once", "podkidnoy, players=4, teams=2v2", "podkidnoy, jokers=2"),
)


def dealt(rules: Rules, seed: int, most: int) -> Game | None:
    """Two hands of about as many cards, at two of the seats, and some moves into them; None where that is over already."""
    rng = Random(seed)
    one, other = rng.sample(range(rules.players), 2)
    deck = [rank + suit for suit in rules.suits for rank in rules.ranks]
    size = rng.randint(1, most)
    cards = rng.sample(deck, min(2 * size + rng.randint(0, 1), len(deck)))
    hands = [""] * rules.players
    hands[one], hands[other] = " ".join(cards[:size]), " ".join(cards[size:])
    suits = [suit for suit in rules.suits if suit != "s" or not rules.spades_by_spades]
    try:
        game = Game.from_position(rules, hands=hands, trump=rng.choice(suits) if rules.trump == "turn_up" else None, attacker=one)
    except PositionError:
        return None
    for _ in range(rng.randint(0, 4)):
        if game.actor is not None:
            game.play(rng.choice(game.legal_moves()))
    return game if game.actor is not None else None


def endings(rules: Rules, most: int) -> list[Game]:
    """Many of them, such as the kernel searches."""
    drawn = (dealt(rules, seed, most) for seed in range(20 * MANY))
    return list(islice((game for game in drawn if game is not None and fits(game.state)), MANY))


def plain(game: Game, budget: int | None = None) -> endgame.Ending:
    """The ending as the plain search has it."""
    state, drawn = without_end(game.state)
    return endgame.Ending(state, Duel(state, budget, plainly=True), drawn, budget)


def known(found: endgame.Ending) -> tuple[object, ...]:
    """All that is said of an ending, but for how much was looked at."""
    return found.value, found.moves, found.best, found.bouts, found.quickest, found.line


def by_the_kernel(game: Game, budget: int | None = None) -> endgame.Ending:
    """The ending as the kernel has it."""
    found = endgame.solve(game, budget=budget)
    assert isinstance(found._solver, Duel)
    assert found._solver._kernel is not None
    return found


@pytest.mark.parametrize("rules", KINDS)
def test_endings_are_those_of_the_plain_search(rules):
    """Value, the value of every move, the best, bouts, quickest and line, from the start of a bout or from its middle, also where others are out."""
    found = endings(Rules.of(rules), 5)
    assert len(found) == MANY
    for game in found:
        assert known(by_the_kernel(game)) == known(plain(game)), game.position


@given(anything, seeds)
def test_endings_of_any_mix_are_those_of_the_plain_search(rules, seed):
    """Under every mix of all options in which the plain search goes by masks."""
    game = dealt(rules, seed, 4)
    if game is not None and fits(game.state):
        assert known(by_the_kernel(game)) == known(plain(game)), game.position


def test_whom_a_slice_interrupts_finds_the_same(monkeypatch):
    """A search that rests after every seventh step says what one says that never rests, and looks at as many positions."""
    for game in endings(Rules.of("podkidnoy"), 4):
        whole = by_the_kernel(game)
        expected = known(whole), whole.looked
        with monkeypatch.context() as patched:
            patched.setattr(by_kernel, "SLICE", 7)
            sliced = by_the_kernel(game)
            assert (known(sliced), sliced.looked) == expected


def test_who_interrupts_a_search_may_ask_again(monkeypatch):
    """Between two slices it is left as it stands; whatever is asked next, of this ending or another, is answered rightly."""
    hands = ["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"]
    game, other = Game.from_position(hands=hands, trump="s"), Game.from_position(hands=hands, trump="c")
    state, _ = without_end(game.state)
    duel, slices = Duel(state), iter([9, 9, 9])

    def few(_: object) -> int:
        if next(slices, 0):
            return 10**6
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(by_kernel, "SLICE", 20)
        patched.setattr(by_kernel.KernelSearch, "_left", property(few))
        with pytest.raises(KeyboardInterrupt):
            duel.wins(state, 0)
    assert known(by_the_kernel(other)) == known(plain(other))
    assert duel.wins(state, 0) == Duel(state, plainly=True).wins(state, 0)


def test_endings_asked_by_turns_do_not_mix():
    """Each keeps its own answers, though all lie in one table: same hands, other trumps and other rules."""
    hands = ["9c Td Qs Jc", "Kc Ts Jd As"]
    kinds = [(rules, trump) for rules in ("podkidnoy", "econ431", "podkidnoy, attack_limit=1") for trump in "cdhs"]
    games = [Game.from_position(rules, hands=hands, trump=trump) for rules, trump in kinds]
    found = [by_the_kernel(game) for game in games]
    for what in ("moves", "bouts", "quickest", "line"):
        for one, game in zip(found, games, strict=True):
            assert getattr(one, what) == getattr(plain(game), what)


def test_with_a_budget_as_much_is_known_as_without_a_kernel():
    """What marks, hints and kept games are told hangs on no package: value, moves and even how much was looked at."""
    for game in endings(Rules.of("podkidnoy"), 5):
        for budget in (0, 1, 2, 5, 20, 100, 5000):
            found, other = endgame.solve(game, budget=budget), plain(game, budget)
            assert (found.value, found.moves, found.looked) == (other.value, other.moves, other.looked)


@pytest.mark.long
def test_a_table_that_is_full_forgets_and_is_right():
    """Nine cards against nine, more positions than there is room for; the plain search, which forgets nothing, says the same."""
    rng = Random(9)
    cards = rng.sample([rank + suit for suit in "cdhs" for rank in "6789TJQKA"], 18)
    game = Game.from_position(hands=[" ".join(cards[:9]), " ".join(cards[9:])], trump=rng.choice("cdhs"))
    found = by_the_kernel(game)
    assert found.looked > 1 << 20
    assert found.value == plain(game).value


OFF = """
from durak_widget import Game, kernel
from durak_widget.theory import endgame
assert kernel.which().startswith("none"), kernel.which()
for hands in {hands!r}:
    found = endgame.solve(Game.from_position(hands=hands, trump="h"))
    print(found._solver._kernel, found.value, list(map(str, found.moves.items())), found.bouts, *found.line)
"""


def test_without_the_kernel_the_answers_are_the_same():
    """A Python of its own with the kernel switched off says the same by the plain search."""
    rng, cards = Random(3), [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]
    hands = []
    for _ in range(8):
        some = rng.sample(cards, 10)
        hands.append([" ".join(some[:5]), " ".join(some[5:])])
    off = subprocess.run(
        [sys.executable, "-c", OFF.format(hands=hands)],
        env={**os.environ, "DURAK_KERNEL": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    for said, (one, other) in zip(off.stdout.splitlines(), hands, strict=True):
        found = by_the_kernel(Game.from_position(hands=[one, other], trump="h"))
        assert said == " ".join(
            ["None", str(found.value), str(list(map(str, found.moves.items()))), str(found.bouts), *map(str, found.line)]
        )
