"""The bot protocol, the registry of bots by name, and a function that plays a whole game.

A bot is a class, an object with `choose`, or a function of a view. `register` gives it a name. When a game is played, each bot gets its
own random generator, which says nothing about what else the same seed decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha512
from importlib import import_module
from inspect import Parameter, signature
from random import Random
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from durak_widget.engine.game import Game, checked_seed
from durak_widget.engine.observation import View
from durak_widget.errors import ENDINGS, BotError, nearest, quoted

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move

_LOG: Final = logging.getLogger("durak_widget")
YOU: Final = "you"
"""The name for a person at a seat; no bot may have it."""
NEXT: Final = "next"
"""The name for the next opponent at a table; no bot may have it."""
OWN: Final[Mapping[str, str]] = {
    "random": "heuristic_bots:at_random",
    "first": "heuristic_bots:first",
    "careful": "heuristic_bots:Careful",
    "hasty": "heuristic_bots:Hasty",
    "generous": "heuristic_bots:Generous",
    "hoarding": "heuristic_bots:Hoarding",
    "taking": "heuristic_bots:TakingOnPurpose",
    "counting": "counting_bot:Counting",
    "searching": "monte_carlo_bot:Searching",
}
"""The bots of this package: name to `module:object`, imported when first used."""
PEOPLE: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "nephew": ("hasty", {}),
    "uncle": ("generous", {}),
    "neighbour": ("hoarding", {}),
    "aunt": ("taking", {}),
    "bookkeeper": ("counting", {}),
    "grandmother": ("searching", {"playouts": 3000, "without": 750}),
}
"""The opponents of `people`, from the weakest to the strongest: the bot and its settings."""
_LONGEST: Final = 60
Choice = Callable[[View, Random], "Move | str"]
"""A function that chooses a move; all its randomness comes from the given generator."""


class BotLike(Protocol):
    """An object whose `choose` method picks a move.

    >>> class Hasty:
    ...     def choose(self, view, rng):
    ...         return view.legal_moves()[0]
    >>> get(Hasty()).name
    'Hasty'
    """

    def choose(self, view: View, rng: Random) -> Move | str:
        """Return the move for the seat of this view."""


@dataclass(frozen=True, repr=False)
class Bot:
    """A bot: its name, and the object or function that chooses its moves.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0)
    >>> get(lambda view, rng: view.legal_moves()[-1]).choose(view, Random(1))
    Move('attack 7c')
    >>> get("careful", miserly=True).plays.miserly
    True
    """

    name: str
    """Its name at the table."""
    plays: BotLike | Choice
    """The object or function as its author wrote it, with its settings and other methods."""

    def __post_init__(self) -> None:
        _check_name(self.name)

    def choose(self, view: View, rng: Random) -> Move:
        """Return a legal move; raise `BotError` if the bot chooses anything else."""
        legal = view.legal_moves()
        if not legal:
            raise BotError(f"there is nothing for {self.name} to choose: {_why_nothing(view)}")
        plays: Any = self.plays
        chosen = getattr(plays, "choose", plays)(view, rng)
        move = next((move for move in legal if chosen in (move, str(move))), None)
        if move is None:
            raise BotError(f"{self.name} chose {quoted(chosen)}, which seat {view.seat} may not play; choose one of view.legal_moves()")
        return move

    def can(self, what: str) -> bool:
        """Return whether the bot's object has a public method with this name.

        >>> get("careful").can("choose"), get("careful").can("why")
        (True, False)
        """
        return isinstance(what, str) and not what.startswith("_") and callable(getattr(self.plays, what, None))

    def ask(self, what: str, /, *given: object) -> Any:  # noqa: ANN401 - its author knows what it answers
        """Call the method of the bot's object with this name, and return its result.

        >>> class Wise:
        ...     def choose(self, view, rng):
        ...         return view.legal_moves()[0]
        ...     def why(self, view, move):
        ...         return f"{move} comes first"
        >>> get(Wise()).ask("why", None, "take")
        'take comes first'
        """
        if not self.can(what):
            raise BotError(f"{self.name} has no answer to {quoted(what)}; give what it is made from a method of that name")
        return getattr(self.plays, what)(*given)

    def explained(self, view: View, rng: Random) -> tuple[Move, object]:
        """Choose a move, and return it with the bot's reason.

        The reason is the result of `why(view, move)`, a sentence or a `Fact`; None if the bot has no such method. If `why` raises, the
        error is logged and the move still counts.

        >>> class Wise:
        ...     def choose(self, view, rng):
        ...         return view.legal_moves()[0]
        ...     def why(self, view, move):
        ...         return f"{move} comes first."
        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0)
        >>> get(Wise()).explained(view, Random(1))
        (Move('attack 6c'), 'attack 6c comes first.')
        """
        move, reason = self.choose(view, rng), None
        try:
            if self.can("why"):
                reason = self.ask("why", view, move)
        except ENDINGS as error:
            _LOG.warning("why %s made its move could not be had", self.name, exc_info=error)
        return move, reason

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"


def _why_nothing(view: View) -> str:
    if view.actor is None:
        return "the game is over"
    if view.actor != view.seat:
        return f"the view is that of seat {view.seat}, and seat {view.actor} is to act"
    return "the view is covered" if view.is_covered else "the view does not say what may be played"


_others: dict[str, object] = {}
_Any = TypeVar("_Any")


def names() -> tuple[str, ...]:
    """Return the names of all registered bots.

    >>> names()[:3]
    ('random', 'first', 'careful')
    """
    return (*OWN, *_others)


def register(name: str) -> Callable[[_Any], _Any]:
    """Return a decorator that gives a name to a class, a function or an object with `choose`.

    >>> @register("taker")
    ... def takes_when_it_can(view, rng):
    ...     return view.legal_moves()[-1]
    >>> get("taker")
    <Bot taker>
    """
    if not isinstance(name, str) or not name:
        raise BotError(f'register takes the name of a bot, not {quoted(name)}; write @bots.register("a name") above it')
    _check_name(name)
    if name in OWN or name in PEOPLE:
        raise BotError(f"{name!r} is a bot of this package, so that all mean the same by it; choose another name")

    def register_bot(bot: _Any) -> _Any:
        _others[name] = bot
        return bot

    return register_bot


def get(bot: str | Bot | BotLike | Choice, /, **settings: object) -> Bot:
    """Return the bot for a name, an opponent, a class, an object with `choose` or a function.

    The settings go to the class of the bot.

    >>> get("careful", miserly=True), get("grandmother")
    (<Bot careful(miserly=True)>, <Bot grandmother>)
    >>> get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """
    if isinstance(bot, str) and bot in PEOPLE:
        bot_name, defaults = PEOPLE[bot]
        return Bot(bot, get(bot_name, **defaults).plays) if not settings else get(bot_name, **{**defaults, **settings})
    name, found = (bot, _found(bot)) if isinstance(bot, str) else (_called(bot), bot)
    if isinstance(found, type) and callable(getattr(found, "choose", None)):
        found = found(**_checked(name, found, settings))
    elif settings:
        raise BotError(f"{name} is made already and takes no settings; leave {', '.join(settings)} out")
    if isinstance(found, Bot):
        return found
    if isinstance(found, type) or not callable(getattr(found, "choose", found)):
        raise BotError(
            f"{quoted(bot)} is not a bot: give a name ({', '.join(names())}), a function of view and rng, or an object with choose"
        )
    listed_settings = ", ".join(f"{setting}={quoted(value, 20)}" for setting, value in settings.items())
    full_name = f"{name}({listed_settings})" if listed_settings else name
    return Bot(full_name if is_name(full_name) else name, found)  # type: ignore[arg-type]


def _found(name: str) -> object:
    """Return the object or function that is registered under a name."""
    if name in OWN:
        module, _, attribute = OWN[name].partition(":")
        return getattr(import_module(f"durak_widget.bots.{module}"), attribute)
    if name not in _others:
        raise BotError(f"there is no bot {quoted(name)}.{nearest(name, (*names(), *PEOPLE))} bots.names() lists them all")
    return _others[name]


def _called(bot: object) -> str:
    """Return the name of a bot that was given as a class, an object or a function."""
    candidates = (getattr(owner, attribute, None) for owner in (bot, type(bot)) for attribute in ("name", "__name__"))
    name = next((name for name in candidates if isinstance(name, str)), "")
    return name if is_name(name) else "a bot"


def is_name(name: object) -> bool:
    """Return whether a text can name a bot: menus, the table and sentences show it.

    >>> is_name("stubborn"), is_name("you"), is_name("")
    (True, False, False)
    """
    return isinstance(name, str) and name == name.strip() and name not in {YOU, NEXT} and 0 < len(name) <= _LONGEST and name.isprintable()


def _check_name(name: str) -> None:
    """Refuse a text that can't be the name of a bot."""
    if name in {YOU, NEXT}:
        meaning = "who sits before the screen" if name == YOU else "the opponent whom one has come to"
        raise BotError(f"{name!r} is {meaning}; call the bot something else")
    if not is_name(name):
        raise BotError(f"the name of a bot is a short printable text, such as 'stubborn', not {quoted(name)}")


def _checked(name: str, made: type, settings: Mapping[str, object]) -> Mapping[str, object]:
    """Return the settings; refuse one that the bot's class doesn't take."""
    try:
        accepted: Mapping[str, Parameter] = signature(made).parameters
    except ValueError:  # a class that is not written in Python
        accepted = {}
    if not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in accepted.values()):
        for setting in settings:
            if setting not in accepted:
                raise BotError(f"{name} has no setting {setting!r}.{nearest(setting, accepted)} It has {', '.join(accepted) or 'none'}")
    return settings


def play(game: Game, seated: Sequence[Playing] | Mapping[int, Playing], rng: Random | int | str | None = None) -> Game:
    """Play the game to its end with a bot on each seat, and return it.

    The same generator or seed gives the same moves. If a bot raises or chooses an illegal move, its error ends the play, and the game
    stays where it was.

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
    rngs = [chance(seed, seat) for seat in range(len(players))]
    while (seat := game.actor) is not None:
        game.play(players[seat].choose(game.view(seat), rngs[seat]))
    return game


def chance(seed: int | str | bytes, who: object) -> Random:
    """Return the random generator of one player for a seed.

    It says nothing about what else the seed decides. A generator made from the seed itself would: a bot could read the seed from its
    state, and the deck from the seed.

    >>> chance(7, 0).random() == chance(7, 0).random(), chance(7, 0).random() == chance(7, 1).random()
    (True, False)
    """
    seed_text = hex(seed) if isinstance(seed, int) else repr(seed)  # so that 7 and "7" give different generators
    return Random(sha512(f"{seed_text} plays {who!r}".encode()).digest())


def _players(seated: Any, count: int) -> list[Bot]:  # noqa: ANN401 - whatever was said
    """Return the bot of each seat."""
    if isinstance(seated, (str, bytes)) or not isinstance(seated, (Mapping, Sequence)):
        raise BotError(f'seated says which bot sits where, such as ["careful", "random"], not {quoted(seated)}')
    if len(seated) != count:
        raise BotError(f"the game has {count} seats, and seated names {len(seated)}; name a bot for each seat")
    by_seat = dict(seated) if isinstance(seated, Mapping) else dict(enumerate(seated))
    if by_seat.keys() != set(range(count)):
        raise BotError(f"the game has seats 0 to {count - 1}, and seated names {quoted(list(by_seat))}; name a bot for each seat")
    return [get(by_seat[seat]) for seat in range(count)]


if TYPE_CHECKING:
    Playing = str | Bot | BotLike | Choice
