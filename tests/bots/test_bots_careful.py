"""Test the careful bot: its moves, and how rarely it is the fool."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import Game, Rules, bots
from support.spoken import english_text


def count_losses(name: str, against: str, rules: Rules, games: int) -> int:
    """Return how many of these games the bot lost, on every seat in turn, against the other bot on all other seats."""
    bot, other, count = bots.get(name), bots.get(against), 0
    for number in range(games):
        seat = number % rules.players
        deal = number // rules.players
        game = bots.play(Game(rules, seed=deal), [bot if who == seat else other for who in range(rules.players)], deal)
        count += seat in game.outcome.losers
    return count


def careful_move(game: Game, *, memory: bool = True, **options: bool) -> str:
    """Return the careful bot's move as text."""
    return str(bots.get("careful", **options).choose(game.view(game.actor, memory=memory), Random(1)))


def position_game(hands: list[str], *, trump: str | None = "h", preset: str = "podkidnoy", **place: object) -> Game:
    """Return a game under the rules of a preset, with hearts as trumps."""
    return Game.from_position(Rules.preset(preset, players=len(hands)), hands=hands, trump=trump, **place)


@pytest.mark.parametrize(
    ("game", "move"),
    [
        pytest.param(position_game(["6h 7c 9d", "9c"]), "attack 7c", id="opens with the lowest plain card"),
        pytest.param(
            position_game(["6h Xr 7h", "9c"], preset="full_jokers"), "attack 6h", id="opens with the lowest trump if it holds no plain card"
        ),
        pytest.param(position_game(["Xr", "9c"], preset="full_jokers"), "attack Xr", id="opens with a joker if it holds nothing else"),
        pytest.param(
            position_game(["7c 7d 7h 9d", "9c 9s Ts"], preset="siege"), "attack 7c 7d", id="opens with all plain cards of the lowest rank"
        ),
        pytest.param(position_game(["6d 7c", "9c"], preset="weli"), "attack 7c", id="keeps a card of any suit like a trump"),
        pytest.param(position_game(["6d", "9c"], preset="weli"), "attack 6d=h", id="lets a card of any suit be a trump"),
        pytest.param(position_game(["6d 7c", "9c"], preset="no_trumps", trump=None), "attack 6d", id="without trumps every card is plain"),
        pytest.param(
            position_game(["9h 8c Ad 7d", "9c"], preset="poker", talon="6c 6d"), "swap 8c 7d", id="swaps its two lowest plain cards"
        ),
        pytest.param(position_game(["9h Th Ad", "9c"], preset="poker", talon="6c 6d"), "attack Ad", id="swaps no trump"),
        pytest.param(position_game(["9c Kd", "7c"], table="7d/9d", talon="6c"), "throw 9c", id="throws in a plain card"),
        pytest.param(position_game(["9h Kd", "7c"], table="7d/9d", talon="6c"), "pass", id="keeps a trump while there is a talon"),
        pytest.param(position_game(["9h 7s Kd", "7c"], table="7d/9d", talon="6c"), "throw 7s", id="throws in the cheapest"),
        pytest.param(position_game(["9h Kd", "7c"], table="7d/9d"), "throw 9h", id="throws in anything once the talon is empty"),
        pytest.param(position_game(["Kd", "6h Tc Ac"], table="9c"), "beat 9c Tc", id="beats with the lowest plain card"),
        pytest.param(
            position_game(["Kd", "6h Xb Ad"], table="9c", preset="full_jokers"), "beat 9c 6h", id="beats with a trump before a joker"
        ),
        pytest.param(position_game(["Kd", "6h 7h Td"], table="9c"), "beat 9c 6h", id="beats with the lowest trump if no plain card does"),
        pytest.param(position_game(["Kd", "6s Td 8d"], table="9c"), "take", id="takes when it cannot beat"),
        pytest.param(position_game(["Kd", "Tc 8s Jc"], table="9c 9d"), "take", id="takes when it cannot beat all"),
        pytest.param(position_game(["Kd", "Tc Tc 9h"], table="9c 9c 9d", preset="two_decks"), "beat 9d 9h", id="beats copies one by one"),
        pytest.param(position_game(["6c", "8d 9d 8h"], table="7d 7c"), "beat 7c 8h", id="beats first what has fewest answers"),
        pytest.param(
            position_game(["Kd", "9d Tc Jc", "7s 8s"], table="9c", preset="perevodnoy"),
            "transfer 9d",
            id=english_text("did.transfer", card="a plain card"),
        ),
        pytest.param(
            position_game(["Kd", "9h Tc", "7s 8s"], table="9c", preset="perevodnoy"),
            "beat 9c Tc",
            id="beats plainly before it transfers a trump",
        ),
        pytest.param(
            position_game(["Kd", "9h Th", "7s 8s"], table="9c", preset="perevodnoy"),
            "transfer 9h",
            id="transfers a trump to save a higher one",
        ),
        pytest.param(
            position_game(["Kd", "9h Tc", "7s 8s"], table="9c", preset="passport"), "show 9h", id="shows what it need not pay for"
        ),
        pytest.param(
            position_game(["Kd", "6s Kc", "7s 8s"], table="Qd", preset="weli"), "beat Qd 6s=h", id="beats with a card of any suit"
        ),
    ],
)
def test_the_careful_bot_plays_the_cheapest_card(game: Game, move: str) -> None:
    """The cheapest card that does the job, with or without memory."""
    assert careful_move(game) == move
    assert careful_move(game, memory=False) == move


def test_the_miserly_variant_takes_to_keep_its_trumps() -> None:
    """While there is a talon it gives no trump away, which makes it weaker; without a talon it plays like the careful bot."""
    early, late = (position_game(["Kd", "6h Td 8d"], table="9c", talon=talon) for talon in ("6c", ""))
    assert (careful_move(early), careful_move(early, miserly=True), careful_move(late, miserly=True)) == (
        "beat 9c 6h",
        "take",
        "beat 9c 6h",
    )
    plain = position_game(["Kd", "6h Tc 8d"], table="9c", talon="6c")
    assert careful_move(plain, miserly=True) == "beat 9c Tc"


def test_the_careful_bot_takes_only_if_it_cannot_beat_all() -> None:
    """In whole games it takes only if no choice of its cards beats all cards on the table."""
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
    """Can these cards all be beaten? Try every way."""
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
def test_careful_beats_random_between_two(preset: str) -> None:
    """It loses fewer than one game in ten."""
    assert count_losses("careful", "random", Rules.preset(preset), 100) < 10


@pytest.mark.parametrize(("players", "games"), [(3, 120), *(pytest.param(players, 300, marks=pytest.mark.release) for players in (2, 4))])
def test_careful_is_rarely_the_fool_among_random_bots(players: int, games: int) -> None:
    """Far below its fair share of one fool per game."""
    assert count_losses("careful", "random", Rules(players=players), games) < games / players / 5


def test_random_is_usually_the_fool_among_careful_bots() -> None:
    """One random player among three loses most games."""
    assert count_losses("random", "careful", Rules(players=3), 100) > 80
