"""Defines bots in general, registers them by name, and plays whole games between them.

A bot is a class, an object with a method `choose`, or a function of an observation. `register` gives it a name. In a game, each bot gets its
own random number generator, from which it cannot work out other random numbers that depend on the same seed, such as the deal.
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

from durak_widget.engine.game import Game, require_seed
from durak_widget.engine.observation import Observation
from durak_widget.errors import USER_CODE_EXCEPTIONS, BotError, short_repr, suggest_nearest

if TYPE_CHECKING:
    from durak_widget.engine.moves import Move

_LOG: Final = logging.getLogger("durak_widget")
PERSON_NAME: Final = "you"
"""The name of the player of a seat if it is a person; no bot may have this name."""
NEXT_OPPONENT_NAME: Final = "next"
"""The name that stands for the first named opponent whom the user has not beaten; no bot may have this name."""
BUILT_IN_BOTS: Final[Mapping[str, str]] = {
    "random": "heuristic_bots:choose_randomly",
    "first": "heuristic_bots:choose_first",
    "careful": "heuristic_bots:CarefulBot",
    "hasty": "heuristic_bots:HastyBot",
    "generous": "heuristic_bots:GenerousBot",
    "hoarding": "heuristic_bots:HoardingBot",
    "taking": "heuristic_bots:TakingBot",
    "counting": "counting_bot:CountingBot",
    "searching": "monte_carlo_bot:MonteCarloBot",
}
"""The bots of this package: for each name, the `module:object` that is imported when the bot is first used."""
OPPONENT_BOTS: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "nephew": ("hasty", {}),
    "uncle": ("generous", {}),
    "neighbour": ("hoarding", {}),
    "aunt": ("taking", {}),
    "bookkeeper": ("counting", {}),
    "grandmother": ("searching", {"playouts": 3000, "without": 750}),
}
"""The named opponents, from the weakest to the strongest, each with its bot and the bot's settings."""
MAX_NAME_LENGTH: Final = 60
ChooseFunction = Callable[[Observation, Random], "Move | str"]
"""The type of a function that chooses a move, given an observation and a random number generator."""


class BotLike(Protocol):
    """The type of an object with a method `choose` that chooses a move.

    >>> class Hasty:
    ...     def choose(self, view, rng):
    ...         return view.legal_moves()[0]
    >>> get(Hasty()).name
    'Hasty'
    """

    def choose(self, view: Observation, rng: Random) -> Move | str:
        """Choose a move for the seat whose turn it is, given this seat's observation."""


@dataclass(frozen=True, repr=False)
class Bot:
    """A bot with a name; it wraps the object or function that chooses its moves.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0)
    >>> get(lambda view, rng: view.legal_moves()[-1]).choose(view, Random(1))
    Move('attack 7c')
    >>> get("careful", miserly=True).implementation.miserly
    True
    """

    name: str
    """The name under which the table shows the bot."""
    implementation: BotLike | ChooseFunction
    """The object or function that the bot's author has written."""

    def __post_init__(self) -> None:
        _require_valid_name(self.name)

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the move that the bot chooses; raise `BotError` if the move is not legal."""
        legal = view.legal_moves()
        if not legal:
            raise BotError(f"{self.name} has no move to choose: {_explain_no_moves(view)}")
        implementation: Any = self.implementation
        choice = getattr(implementation, "choose", implementation)(view, rng)
        move = next((move for move in legal if choice in (move, str(move))), None)
        if move is None:
            raise BotError(
                f"{self.name} chose {short_repr(choice)}, which is not legal for seat {view.seat}; choose one of view.legal_moves()"
            )
        return move

    def has_method(self, name: str) -> bool:
        """Return whether the object that the bot wraps has a public method with a given name.

        >>> get("careful").has_method("choose"), get("careful").has_method("why")
        (True, False)
        """
        return isinstance(name, str) and not name.startswith("_") and callable(getattr(self.implementation, name, None))

    def call_method(self, name: str, /, *arguments: object) -> Any:  # noqa: ANN401 - its author knows what it answers
        """Call a method of the object that the bot wraps, and return the result.

        >>> class Wise:
        ...     def choose(self, view, rng):
        ...         return view.legal_moves()[0]
        ...     def why(self, view, move):
        ...         return f"{move} comes first"
        >>> get(Wise()).call_method("why", None, "take")
        'take comes first'
        """
        if not self.has_method(name):
            raise BotError(f"{self.name} has no method {short_repr(name)}; add a method of that name to the bot's class")
        return getattr(self.implementation, name)(*arguments)

    def choose_and_explain(self, view: Observation, rng: Random) -> tuple[Move, object]:
        """Let the bot choose a move; return the move and the bot's reason for it.

        The reason is a sentence or a `TranslatableText`, and comes from the bot's method `why(view, move)`. It is None if the bot has no such method.
        If `why` raises an error, the error is logged, and the move is still valid.

        >>> class Wise:
        ...     def choose(self, view, rng):
        ...         return view.legal_moves()[0]
        ...     def why(self, view, move):
        ...         return f"{move} comes first."
        >>> from durak_widget import Game
        >>> view = Game.from_position(hands=["6c 7c", "9h Ts"]).view(0)
        >>> get(Wise()).choose_and_explain(view, Random(1))
        (Move('attack 6c'), 'attack 6c comes first.')
        """
        move, reason = self.choose(view, rng), None
        try:
            if self.has_method("why"):
                reason = self.call_method("why", view, move)
        except USER_CODE_EXCEPTIONS as error:
            _LOG.warning("could not get the reason of %s for its move", self.name, exc_info=error)
        return move, reason

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"


def _explain_no_moves(view: Observation) -> str:
    if view.actor is None:
        return "the game is over"
    if view.actor != view.seat:
        return f"the view is that of seat {view.seat}, and it is the turn of seat {view.actor}"
    return "the view is covered" if view.is_hand_hidden else "the view does not show the legal moves"


_registered_bots: dict[str, object] = {}
_AnyBot = TypeVar("_AnyBot")


def names() -> tuple[str, ...]:
    """Return the names of all bots: first those of this package, then the registered ones.

    >>> names()[:3]
    ('random', 'first', 'careful')
    """
    return (*BUILT_IN_BOTS, *_registered_bots)


def register(name: str) -> Callable[[_AnyBot], _AnyBot]:
    """Return a decorator that registers a class, a function or an object as a bot.

    >>> @register("taker")
    ... def takes_when_it_can(view, rng):
    ...     return view.legal_moves()[-1]
    >>> get("taker")
    <Bot taker>
    """
    if not isinstance(name, str) or not name:
        raise BotError(f'register needs the name of a bot, not {short_repr(name)}; write @bots.register("a name") above the bot')
    _require_valid_name(name)
    if name in BUILT_IN_BOTS or name in OPPONENT_BOTS:
        raise BotError(f"this package already has a bot {name!r}; choose another name")

    def register_bot(bot: _AnyBot) -> _AnyBot:
        _registered_bots[name] = bot
        return bot

    return register_bot


def get(bot: str | Bot | BotLike | ChooseFunction, /, **settings: object) -> Bot:
    """Return a `Bot` for a bot's name, an opponent's name, a class, an object, or a function.

    Keyword arguments are the settings of the bot; the function passes them to the bot's class.

    >>> get("careful", miserly=True), get("grandmother")
    (<Bot careful(miserly=True)>, <Bot grandmother>)
    >>> get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """
    if isinstance(bot, str) and bot in OPPONENT_BOTS:
        bot_name, defaults = OPPONENT_BOTS[bot]
        return Bot(bot, get(bot_name, **defaults).implementation) if not settings else get(bot_name, **{**defaults, **settings})
    name, implementation = (bot, _find_registered(bot)) if isinstance(bot, str) else (_derive_name(bot), bot)
    if isinstance(implementation, type) and callable(getattr(implementation, "choose", None)):
        implementation = implementation(**_require_settings(name, implementation, settings))
    elif settings:
        raise BotError(f"{name} is already made and takes no settings; leave out {', '.join(settings)}")
    if isinstance(implementation, Bot):
        return implementation
    if isinstance(implementation, type) or not callable(getattr(implementation, "choose", implementation)):
        raise BotError(
            f"{short_repr(bot)} is not a bot; give a name ({', '.join(names())}), a function of view and rng, or an object with choose"
        )
    listed_settings = ", ".join(f"{setting}={short_repr(value, 20)}" for setting, value in settings.items())
    full_name = f"{name}({listed_settings})" if listed_settings else name
    return Bot(full_name if is_valid_name(full_name) else name, implementation)  # type: ignore[arg-type]


def _find_registered(name: str) -> object:
    """Return the class, object or function that was registered as a bot under a given name."""
    if name in BUILT_IN_BOTS:
        module, _, attribute = BUILT_IN_BOTS[name].partition(":")
        return getattr(import_module(f"durak_widget.bots.{module}"), attribute)
    if name not in _registered_bots:
        raise BotError(
            f"there is no bot {short_repr(name)}.{suggest_nearest(name, (*names(), *OPPONENT_BOTS))} bots.names() lists them all"
        )
    return _registered_bots[name]


def _derive_name(bot: object) -> str:
    """Derive a name for a bot from its class, object or function."""
    candidates = (getattr(owner, attribute, None) for owner in (bot, type(bot)) for attribute in ("name", "__name__"))
    name = next((name for name in candidates if isinstance(name, str)), "")
    return name if is_valid_name(name) else "a bot"


def is_valid_name(name: object) -> bool:
    """Return whether a text can be a bot's name, which appears in menus and sentences.

    >>> is_valid_name("stubborn"), is_valid_name("you"), is_valid_name("")
    (True, False, False)
    """
    return (
        isinstance(name, str)
        and name == name.strip()
        and name not in {PERSON_NAME, NEXT_OPPONENT_NAME}
        and 0 < len(name) <= MAX_NAME_LENGTH
        and name.isprintable()
    )


def _require_valid_name(name: str) -> None:
    """Raise an error if a text can't be the name of a bot."""
    if name in {PERSON_NAME, NEXT_OPPONENT_NAME}:
        meaning = "the name of the person at the screen" if name == PERSON_NAME else "the name of the opponent whom you have reached"
        raise BotError(f"{name!r} is {meaning}; choose another name for the bot")
    if not is_valid_name(name):
        raise BotError(f"the name of a bot must be a short printable text, such as 'stubborn', not {short_repr(name)}")


def _require_settings(name: str, bot_class: type, settings: Mapping[str, object]) -> Mapping[str, object]:
    """Return `settings` unchanged; raise an error if a bot's class does not accept them."""
    try:
        accepted: Mapping[str, Parameter] = signature(bot_class).parameters
    except ValueError:  # Some classes in C have no readable signature, so their settings can't be checked.
        accepted = {}
    if not any(parameter.kind is Parameter.VAR_KEYWORD for parameter in accepted.values()):
        for setting in settings:
            if setting not in accepted:
                raise BotError(
                    f"{name} has no setting {setting!r}.{suggest_nearest(setting, accepted)} Its settings are {', '.join(accepted) or 'none'}"
                )
    return settings


def play(game: Game, seated: Sequence[AnyBot] | Mapping[int, AnyBot], rng: Random | int | str | None = None) -> Game:
    """Let the given bots play a game to its end; return the same game object.

    `rng` is a random number generator or a seed; the same seed gives the same moves. If a bot raises an error or chooses an illegal move, the
    function raises the error, and the game stays in its last position.

    >>> from durak_widget import Game
    >>> play(Game(seed=7), ["careful", "random"], 7).outcome.fool
    1
    >>> play(Game("podkidnoy, players=3", seed=7), {0: "first", 1: "careful", 2: "first"}, Random(1)).outcome.fool
    0
    """
    if not isinstance(game, Game):
        raise BotError(f'bots play a Game, not {short_repr(game)}; use bots.play(Game(), ["careful", "random"])')
    players = _get_bots_by_seat(seated, game.seats)
    seed = rng.getrandbits(256) if isinstance(rng, Random) else token_bytes(32) if rng is None else require_seed(rng)
    rngs = [create_player_rng(seed, seat) for seat in range(len(players))]
    while (seat := game.actor) is not None:
        game.play(players[seat].choose(game.view(seat), rngs[seat]))
    return game


def create_player_rng(seed: int | str | bytes, player: object) -> Random:
    """Create a random number generator that depends on a seed and on the player who uses it.

    The seed cannot be read from the generator. With a generator made directly from the seed, a bot could find out the seed, and so the deck.

    >>> create_player_rng(7, 0).random() == create_player_rng(7, 0).random(), create_player_rng(7, 0).random() == create_player_rng(7, 1).random()
    (True, False)
    """
    seed_text = hex(seed) if isinstance(seed, int) else repr(seed)  # With `repr`, the seeds 7 and "7" give different numbers.
    return Random(sha512(f"{seed_text} plays {player!r}".encode()).digest())


def _get_bots_by_seat(seated: Any, count: int) -> list[Bot]:  # noqa: ANN401 - whatever was said
    """Return a list with the bot of each seat, given a list or a dict of bots."""
    if isinstance(seated, (str, bytes)) or not isinstance(seated, (Mapping, Sequence)):
        raise BotError(f'seated must say which bot is on which seat, such as ["careful", "random"], not {short_repr(seated)}')
    if len(seated) != count:
        raise BotError(f"the game has {count} seats, but seated names {len(seated)} bots; name a bot for each seat")
    by_seat = dict(seated) if isinstance(seated, Mapping) else dict(enumerate(seated))
    if by_seat.keys() != set(range(count)):
        raise BotError(f"the game has seats 0 to {count - 1}, but seated names {short_repr(list(by_seat))}; name a bot for each seat")
    return [get(by_seat[seat]) for seat in range(count)]


if TYPE_CHECKING:
    AnyBot = str | Bot | BotLike | ChooseFunction
