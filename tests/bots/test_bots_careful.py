"""The careful bot: which move it chooses, and how seldom it is the fool."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import Game, Rules, bots


def lost(name: str, against: str, rules: Rules, games: int) -> int:
    """How many of these games the bot lost, sitting on every seat in turn, with others on all the rest."""
    one, other, count = bots.get(name), bots.get(against), 0
    for number in range(games):
        seat = number % rules.players
        deal = number // rules.players
        game = bots.play(Game(rules, seed=deal), [one if who == seat else other for who in range(rules.players)], deal)
        count += seat in game.outcome.losers
    return count


def chosen(game: Game, *, memory: bool = True, **options: bool) -> str:
    """What the careful bot does here, in words."""
    return str(bots.get("careful", **options).choose(game.view(game.actor, memory=memory), Random(1)))


def placed(hands: list[str], *, trump: str | None = "h", preset: str = "podkidnoy", **place: object) -> Game:
    """A position under the rules of a preset, hearts being trumps."""
    return Game.from_position(Rules.preset(preset, players=len(hands)), hands=hands, trump=trump, **place)


@pytest.mark.parametrize(
    ("game", "move"),
    [
        pytest.param(placed(["6h 7c 9d", "9c"]), "attack 7c", id="opens with the lowest plain card"),
        pytest.param(
            placed(["6h Xr 7h", "9c"], preset="full_jokers"), "attack 6h", id="opens with the lowest trump if it holds no plain card"
        ),
        pytest.param(placed(["Xr", "9c"], preset="full_jokers"), "attack Xr", id="opens with a joker if it holds nothing else"),
        pytest.param(
            placed(["7c 7d 7h 9d", "9c 9s Ts"], preset="siege"), "attack 7c 7d", id="opens with all plain cards of the lowest rank"
        ),
        pytest.param(placed(["6d 7c", "9c"], preset="weli"), "attack 7c", id="keeps a card of any suit like a trump"),
        pytest.param(placed(["6d", "9c"], preset="weli"), "attack 6d=h", id="lets a card of any suit be a trump"),
        pytest.param(placed(["6d 7c", "9c"], preset="no_trumps", trump=None), "attack 6d", id="without trumps every card is plain"),
        pytest.param(placed(["9h 8c Ad 7d", "9c"], preset="poker", talon="6c 6d"), "swap 8c 7d", id="swaps its two lowest plain cards"),
        pytest.param(placed(["9h Th Ad", "9c"], preset="poker", talon="6c 6d"), "attack Ad", id="swaps no trump"),
        pytest.param(placed(["9c Kd", "7c"], table="7d/9d", talon="6c"), "throw 9c", id="throws in a plain card"),
        pytest.param(placed(["9h Kd", "7c"], table="7d/9d", talon="6c"), "pass", id="keeps a trump while there is a talon"),
        pytest.param(placed(["9h 7s Kd", "7c"], table="7d/9d", talon="6c"), "throw 7s", id="throws in the cheapest"),
        pytest.param(placed(["9h Kd", "7c"], table="7d/9d"), "throw 9h", id="throws in anything once the talon is empty"),
        pytest.param(placed(["Kd", "6h Tc Ac"], table="9c"), "beat 9c Tc", id="beats with the lowest plain card"),
        pytest.param(placed(["Kd", "6h Xb Ad"], table="9c", preset="full_jokers"), "beat 9c 6h", id="beats with a trump before a joker"),
        pytest.param(placed(["Kd", "6h 7h Td"], table="9c"), "beat 9c 6h", id="beats with the lowest trump if no plain card does"),
        pytest.param(placed(["Kd", "6s Td 8d"], table="9c"), "take", id="takes when it cannot beat"),
        pytest.param(placed(["Kd", "Tc 8s Jc"], table="9c 9d"), "take", id="takes when it cannot beat all"),
        pytest.param(placed(["Kd", "Tc Tc 9h"], table="9c 9c 9d", preset="two_decks"), "beat 9d 9h", id="beats copies one by one"),
        pytest.param(placed(["6c", "8d 9d 8h"], table="7d 7c"), "beat 7c 8h", id="beats first what has fewest answers"),
        pytest.param(placed(["Kd", "9d Tc Jc", "7s 8s"], table="9c", preset="perevodnoy"), "transfer 9d", id="transfers with a plain card"),
        pytest.param(
            placed(["Kd", "9h Tc", "7s 8s"], table="9c", preset="perevodnoy"), "beat 9c Tc", id="beats plainly before it transfers a trump"
        ),
        pytest.param(
            placed(["Kd", "9h Th", "7s 8s"], table="9c", preset="perevodnoy"), "transfer 9h", id="transfers a trump to save a higher one"
        ),
        pytest.param(placed(["Kd", "9h Tc", "7s 8s"], table="9c", preset="passport"), "show 9h", id="shows what it need not pay for"),
        pytest.param(placed(["Kd", "6s Kc", "7s 8s"], table="Qd", preset="weli"), "beat Qd 6s=h", id="beats with a card of any suit"),
    ],
)
def test_the_careful_one_pays_least(game: Game, move: str) -> None:
    """The cheapest card that does it, whether or not it may remember what was played."""
    assert chosen(game) == move
    assert chosen(game, memory=False) == move


def test_a_miserly_one_would_rather_take() -> None:
    """While there is a talon it gives no trump away, and a weaker opponent it is; without a talon it is as any careful one."""
    early, late = (placed(["Kd", "6h Td 8d"], table="9c", talon=talon) for talon in ("6c", ""))
    assert (chosen(early), chosen(early, miserly=True), chosen(late, miserly=True)) == ("beat 9c 6h", "take", "beat 9c 6h")
    plain = placed(["Kd", "6h Tc 8d"], table="9c", talon="6c")
    assert chosen(plain, miserly=True) == "beat 9c Tc"


def test_the_careful_one_takes_nothing_that_it_could_beat() -> None:
    """In whole games it takes only when no choice of its cards would beat all that lies there."""
    bot, taken, rules = bots.get("careful"), [], Rules.preset("siege", players=3)
    for seed in range(40):
        game, rng = Game(rules, seed=seed), Random(seed)
        while game.actor is not None:
            move = bot.choose(game.view(game.actor), rng)
            if move.verb == "take":
                taken.append(len(game.table.unbeaten))
                assert not can_beat_all(game.legal_moves(), [], list(game.table.unbeaten))
            game.play(move)
    assert taken.count(1) > 50 < len(taken) - taken.count(1)


def can_beat_all(moves: tuple, used: list, todo: list) -> bool:
    """Whether these cards can all be beaten, tried in every way."""
    if not todo:
        return True
    answers = [move.cards[1] for move in moves if move.verb == "beat" and move.cards[0] is todo[0] and move.cards[1] not in used]
    return any(can_beat_all(moves, [*used, card], todo[1:]) for card in answers)


@pytest.mark.parametrize(
    "preset",
    [
        "passport",
        "siege",
        *(pytest.param(name, marks=pytest.mark.release) for name in ("podkidnoy", "bulk", "no_trumps", "weli", "econ431")),
    ],
)
def test_between_two_careful_beats_random(preset: str) -> None:
    """It loses fewer than one game in ten."""
    assert lost("careful", "random", Rules.preset(preset), 100) < 10


@pytest.mark.parametrize(("players", "games"), [(3, 120), *(pytest.param(players, 300, marks=pytest.mark.release) for players in (2, 4))])
def test_careful_is_seldom_the_fool_among_random_ones(players: int, games: int) -> None:
    """Far below its fair share of one fool in so many games."""
    assert lost("careful", "random", Rules(players=players), games) < games / players / 5


def test_the_random_one_is_the_fool_among_careful_ones() -> None:
    """And the other way round: one careless player among three loses most games."""
    assert lost("random", "careful", Rules(players=3), 100) > 80
