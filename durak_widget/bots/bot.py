"""Defines the bot protocol, the registry of bots by name, and a function that plays a whole game.

A bot is a class, an object with `choose`, or a function of a view. `register` gives it a name. When a game is
played, each bot gets its own random generator, which says nothing about what else the same seed decides.
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
"""Who plays a seat, when it is a person: no bot is called so."""
NEXT: Final = "next"
"""At a table, the opponent whom one has come to: no bot is called so."""
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
"""The bots of this package, by what makes them; each module is imported when its bot is first asked for."""
PEOPLE: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "nephew": ("hasty", {}),
    "uncle": ("generous", {}),
    "neighbour": ("hoarding", {}),
    "aunt": ("taking", {}),
    "bookkeeper": ("counting", {}),
    "grandmother": ("searching", {"playouts": 3000, "without": 750}),
}
"""The opponents of `people`, from the weakest to the strongest: which bot each plays as, and with which settings."""
_LONGEST: Final = 60
Choice = Callable[[View, Random], "Move | str"]
"""How a bot chooses: it is shown what its seat may know, and all its chance comes from the generator that it is given."""


class BotLike(Protocol):
    """Whatever has such a `choose` can play.

    >>> class Hasty:
    ...     def choose(self, view, rng):
    ...         return view.legal_moves()[0]
    >>> get(Hasty()).name
    'Hasty'
    """

    def choose(self, view: View, rng: Random) -> Move | str:
        """The move that the seat of this view makes."""


@dataclass(frozen=True, repr=False)
class Bot:
    """A bot: its name, and what it was made from, of which more can be asked than its move.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0)
    >>> get(lambda view, rng: view.legal_moves()[-1]).choose(view, Random(1))
    Move('attack 7c')
    >>> get("careful", miserly=True).plays.miserly
    True
    """

    name: str
    """What it is called at the table."""
    plays: BotLike | Choice
    """The object or the function as its author wrote it: its settings, and what else it can do, are there."""

    def __post_init__(self) -> None:
        _check_name(self.name)

    def choose(self, view: View, rng: Random) -> Move:
        """Choose a move, which is a legal one; a `BotError` says what else it chose."""
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
        """Whether it can be asked for that too: a method of the object that it was made from.

        >>> get("careful").can("choose"), get("careful").can("why")
        (True, False)
        """
        return isinstance(what, str) and not what.startswith("_") and callable(getattr(self.plays, what, None))

    def ask(self, what: str, /, *given: object) -> Any:  # noqa: ANN401 - its author knows what it answers
        """What its method of that name answers.

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
        """Choose a move, and give what it answers to `why(view, move)`, a sentence or a `Fact`; None where it has none. One that fails costs nobody the move, and is logged.

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
        move, said = self.choose(view, rng), None
        try:
            if self.can("why"):
                said = self.ask("why", view, move)
        except ENDINGS as error:
            _LOG.warning("why %s made its move could not be had", self.name, exc_info=error)
        return move, said

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
    """The names of all bots that can be had by name.

    >>> names()[:3]
    ('random', 'first', 'careful')
    """
    return (*OWN, *_others)


def register(name: str) -> Callable[[_Any], _Any]:
    """Give a name to a bot: to a class, an object with `choose`, or a function.

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

    def named(bot: _Any) -> _Any:
        _others[name] = bot
        return bot

    return named


def get(bot: str | Bot | BotLike | Choice, /, **settings: object) -> Bot:
    """The bot of that name, with its settings, or that of an opponent; an object with `choose`, or a function, becomes a bot too.

    >>> get("careful", miserly=True), get("grandmother")
    (<Bot careful(miserly=True)>, <Bot grandmother>)
    >>> get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """
    if isinstance(bot, str) and bot in PEOPLE:
        way, made = PEOPLE[bot]
        return Bot(bot, get(way, **made).plays) if not settings else get(way, **{**made, **settings})
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
    said = ", ".join(f"{setting}={quoted(value, 20)}" for setting, value in settings.items())
    full = f"{name}({said})" if said else name
    return Bot(full if is_name(full) else name, found)  # type: ignore[arg-type]


def _found(name: str) -> object:
    """What is registered under a name."""
    if name in OWN:
        module, _, what = OWN[name].partition(":")
        return getattr(import_module(f"durak_widget.bots.{module}"), what)
    if name not in _others:
        raise BotError(f"there is no bot {quoted(name)}.{nearest(name, (*names(), *PEOPLE))} bots.names() lists them all")
    return _others[name]


def _called(bot: object) -> str:
    """What a bot is called that was given as itself."""
    facts = (getattr(thing, fact, None) for thing in (bot, type(bot)) for fact in ("name", "__name__"))
    name = next((name for name in facts if isinstance(name, str)), "")
    return name if is_name(name) else "a bot"


def is_name(name: object) -> bool:
    """Whether a bot may be called so: it stands in menus, beside its seat and in sentences.

    >>> is_name("stubborn"), is_name("you"), is_name("")
    (True, False, False)
    """
    return isinstance(name, str) and name == name.strip() and name not in {YOU, NEXT} and 0 < len(name) <= _LONGEST and name.isprintable()


def _check_name(name: str) -> None:
    """What a bot is called stands in menus, beside its seat and in sentences."""
    if name in {YOU, NEXT}:
        meant = "who sits before the screen" if name == YOU else "the opponent whom one has come to"
        raise BotError(f"{name!r} is {meant}; call the bot something else")
    if not is_name(name):
        raise BotError(f"the name of a bot is a short printable text, such as 'stubborn', not {quoted(name)}")


def _checked(name: str, made: type, settings: Mapping[str, object]) -> Mapping[str, object]:
    """The settings, each of which the bot has."""
    try:
        takes: Mapping[str, Parameter] = signature(made).parameters
    except ValueError:  # a class that is not written in Python
        takes = {}
    if not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in takes.values()):
        for setting in settings:
            if setting not in takes:
                raise BotError(f"{name} has no setting {setting!r}.{nearest(setting, takes)} It has {', '.join(takes) or 'none'}")
    return settings


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


if TYPE_CHECKING:
    Playing = str | Bot | BotLike | Choice
