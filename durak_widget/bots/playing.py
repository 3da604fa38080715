"""A whole game of bots, and the chance that each of them is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha512
from random import Random
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from durak_widget.bots.bot import get
from durak_widget.engine.game import Game, checked_seed
from durak_widget.errors import BotError, quoted

if TYPE_CHECKING:
    from durak_widget.bots.bot import Bot, BotLike, Choice

    Playing = str | Bot | BotLike | Choice


def play(game: Game, seated: Sequence[Playing] | Mapping[int, Playing], rng: Random | int | str | None = None) -> Game:
    """The game, played to its end by the bots that sit on its seats; the same generator or seed plays it in the same way again.

    A bot that raises, or chooses what it may not, ends it with its error; the game then stands where it was.

    >>> from durak_widget import Game
    >>> play(Game(seed=7), ["careful", "random"], 7).outcome.fool
    1
    >>> play(Game("podkidnoy, players=3", seed=7), {0: "first", 1: "careful", 2: "first"}, Random(1)).outcome.fool
    0
    """
    if not isinstance(game, Game):
        raise BotError(f'bots play a Game, not {quoted(game)}; say bots.play(Game(), ["careful", "random"])')
    players = _players(seated, game.seats)
    seed = rng.getrandbits(256) if isinstance(rng, Random) else token_bytes(32) if rng is None else checked_seed(rng)
    chances = [chance(seed, seat) for seat in range(len(players))]
    while (seat := game.actor) is not None:
        game.play(players[seat].choose(game.view(seat), chances[seat]))
    return game


def chance(seed: int | str | bytes, who: object) -> Random:
    """A generator for one player: the same for the same seed, and it says nothing of what else that seed decides.

    A generator made from the seed itself would: from its state a bot could read the seed, and from that the deck.

    >>> chance(7, 0).random() == chance(7, 0).random(), chance(7, 0).random() == chance(7, 1).random()
    (True, False)
    """
    said = hex(seed) if isinstance(seed, int) else repr(seed)  # a number of any length, and not the text that looks like it
    return Random(sha512(f"{said} plays {who!r}".encode()).digest())


def _players(seated: Any, count: int) -> list[Bot]:  # noqa: ANN401 - whatever was said
    """The bot of each seat."""
    if isinstance(seated, (str, bytes)) or not isinstance(seated, (Mapping, Sequence)):
        raise BotError(f'seated says which bot sits where, such as ["careful", "random"], not {quoted(seated)}')
    if len(seated) != count:
        raise BotError(f"the game has {count} seats, and seated names {len(seated)}; name a bot for each seat")
    by_seat = dict(seated) if isinstance(seated, Mapping) else dict(enumerate(seated))
    if by_seat.keys() != set(range(count)):
        raise BotError(f"the game has seats 0 to {count - 1}, and seated names {quoted(list(by_seat))}; name a bot for each seat")
    return [get(by_seat[seat]) for seat in range(count)]
