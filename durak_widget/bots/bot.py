"""What a bot is, and where one is found by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from durak_widget.errors import BotError, nearest, quoted
from durak_widget.game.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.game.moves import Move

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
    """A bot: its name, and how it chooses.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0)
    >>> get(lambda view, rng: view.legal_moves()[-1]).choose(view, Random(1))
    Move('attack 7c')
    """

    name: str
    """What it is called at the table."""
    chooses: Choice
    """The choice as its author wrote it."""

    def choose(self, view: View, rng: Random) -> Move:
        """Its move, which is a legal one; a `BotError` says what else it chose."""
        legal = view.legal_moves()
        if not legal:
            raise BotError(f"there is nothing for {self.name} to choose: {_why_nothing(view)}")
        chosen = self.chooses(view, rng)
        move = next((move for move in legal if chosen in (move, str(move))), None)
        if move is None:
            raise BotError(f"{self.name} chose {quoted(chosen)}, which seat {view.seat} may not play; choose one of view.legal_moves()")
        return move

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"


def _why_nothing(view: View) -> str:
    if view.actor is None:
        return "the game is over"
    if view.actor != view.seat:
        return f"the view is that of seat {view.seat}, and seat {view.actor} is to act"
    return "the view is covered"


_OWN: Final[Mapping[str, str]] = {
    "random": "simple:at_random",
    "first": "simple:first",
    "careful": "careful:Careful",
}
"""The bots of this package, by what makes them; each module is imported when its bot is first asked for."""
_others: dict[str, object] = {}

_Any = TypeVar("_Any")


def names() -> tuple[str, ...]:
    """The names of all bots that can be had by name.

    >>> names()[:3]
    ('random', 'first', 'careful')
    """
    return (*_OWN, *_others)


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
    if name in _OWN:
        raise BotError(f"{name!r} is a bot of this package, so that all mean the same by it; choose another name")

    def named(bot: _Any) -> _Any:
        _others[name] = bot
        return bot

    return named


def get(bot: str | Bot | BotLike | Choice, /, **settings: object) -> Bot:
    """The bot of that name, with its settings; an object with `choose`, or a function, becomes a bot too.

    >>> get("careful", miserly=True)
    <Bot careful(miserly=True)>
    >>> get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """
    name, found = (bot, _found(bot)) if isinstance(bot, str) else (_called(bot), bot)
    if isinstance(found, type):
        found = found(**_checked(name, found, settings))
    elif settings:
        raise BotError(f"{name} is made already and takes no settings; leave {', '.join(settings)} out")
    if isinstance(found, Bot):
        return found
    chooses = getattr(found, "choose", found)
    if not callable(chooses):
        raise BotError(
            f"{quoted(bot)} is not a bot: give a name ({', '.join(names())}), a function of view and rng, or an object with choose"
        )
    said = ", ".join(f"{setting}={value!r}" for setting, value in settings.items())
    return Bot(f"{name}({said})" if said else name, chooses)


def _found(name: str) -> object:
    """What is registered under a name."""
    if name in _OWN:
        module, _, what = _OWN[name].partition(":")
        return getattr(import_module(f"durak_widget.bots.{module}"), what)
    if name not in _others:
        raise BotError(f"there is no bot {quoted(name)}.{nearest(name, names())} bots.names() lists them all")
    return _others[name]


def _called(bot: object) -> str:
    """What a bot is called that was given as itself."""
    for thing in (bot, type(bot)):
        for fact in ("name", "__name__"):
            name = getattr(thing, fact, None)
            if isinstance(name, str):
                return name
    return "a bot"


def _checked(name: str, made: type, settings: Mapping[str, object]) -> Mapping[str, object]:
    """The settings, each of which the bot has."""
    takes = signature(made).parameters
    if not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in takes.values()):
        for setting in settings:
            if setting not in takes:
                raise BotError(f"{name} has no setting {setting!r}.{nearest(setting, takes)} It has {', '.join(takes) or 'none'}")
    return settings
