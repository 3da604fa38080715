"""A student's strategy or bot, run in a process of its own: it is shown views, one at a time, and says what it chooses; nothing else comes in or out.

The game, its hidden cards and every key stay here. What comes back is data, limited in size and time, and read as if an enemy had written it.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from durak_widget.errors import BotError, quoted
from durak_widget.i18n import Fact, Voice
from durak_widget.sandbox.audit_hooks import KINDS
from durak_widget.sandbox.processes import MOST_BYTES, STARTING, Life

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random
    from types import TracebackType

    from durak_widget.engine.observation import View
    from durak_widget.gametheory.tree import InfoSet

_MOST_CODE: Final = 100_000
_MOST_MOVES: Final = 200
_LONGEST: Final = 60
WALLS: Final = ("memory", "privileges", "files", "tree", "calls")
"""What the system itself holds the code to, where it can; `docs/marking.md` says what each is."""


class Limits(NamedTuple):
    """What the code of one answer may use in all."""

    seconds: float = 10
    """Of computing. Of waiting, three times as much: a machine may be busy."""
    megabytes: int = 512


class ConfinedError(BotError):
    """What was wrong with somebody's code, in a sentence of any language.

    >>> ConfinedError("class.code.slow", seconds=10).said("lt")
    'Kodas veikė ilgiau nei 10 s.'
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.fact = Fact(key, facts)
        super().__init__(Voice().say(key, **facts))

    def said(self, language: str) -> str:
        """The sentence in that language."""
        return Voice(language).say(self.fact.key, **self.fact.facts)


class CodeRan(NamedTuple):
    """What came of somebody's code: its answers, or what was wrong with it."""

    value: tuple[object, ...] | None
    trouble: ConfinedError | None


def weaker(missing: Iterable[str]) -> Fact:
    """What is said where the system itself does not hold code back.

    >>> weaker(["calls"]).facts["walls"]
    (Fact(key='class.wall.calls', facts={}),)
    """
    walls = tuple(Fact(f"class.wall.{name}") for name in WALLS if name in missing)
    return Fact("class.code.weaker", {"walls": walls, "system": "Linux"})


class Confined:
    r"""Somebody's code as a bot (`choose(view, rng)`), or as a function of what a seat sees (`at(view)`), until it is closed.

    >>> from durak_widget import Game
    >>> with Confined("def choose(view):\n    return view.legal_moves()[0]") as bot:
    ...     bot.at(Game(seed=7).view(0))
    'attack Jc'
    >>> with Confined("def choose(view):\n    return 1 / 0") as bot:
    ...     bot.at(Game(seed=7).view(0))
    Traceback (most recent call last):
    durak_widget.sandbox.code_runner.ConfinedError: The code raised ZeroDivisionError (division by zero) in line 2.
    """

    name = "the code"

    def __init__(self, code: str, limits: Limits = Limits(), *, without: Iterable[str] = ()) -> None:  # noqa: B008 - it is a value
        """Code that defines `choose`; `without` names walls that are left out, for the tests of the others."""
        self.limits, self._without, self._code = limits, frozenset(without), code
        self.walls: tuple[str, ...] = ()
        """Which walls stood, once it has run."""
        self.missing: frozenset[str] = frozenset()
        """Which did not."""
        self.attempts: set[str] = set()
        """What the code tried and was refused, as far as that was noticed: some of `attempts.KINDS`."""
        self.trouble: ConfinedError | None = None
        """What was wrong with it; nothing more is asked of it then."""
        self._over = False
        """Whether nothing more is asked of it."""
        self._lives: dict[int, Life] = {}
        """Its processes: one for each seat, so that in the second game of a deal it does not know what it has seen in the first."""
        self._waited = self._used = 0.0
        self._outran = False
        if not isinstance(code, str) or len(code) > _MOST_CODE:
            self.trouble, self._over = ConfinedError("class.code.long", most=_MOST_CODE // 1000), True

    def at(self, view: View | InfoSet) -> Any:  # noqa: ANN401 - a move or probabilities, which whoever asked looks at
        """What it chooses there: a move as a text, or probabilities. After the first trouble nothing more is asked."""
        try:
            return self._asked(-1, (view, 0))
        except ConfinedError:
            self._over = True
            raise

    def choose(self, view: View, rng: Random) -> str:
        """The move that it makes. Each seat has a process of its own, and after a trouble a new one: a bot may lose one game by it, and play the next."""
        chosen = self._asked(view.seat, (view, rng.getrandbits(64)))
        if not isinstance(chosen, str):
            self._fail(view.seat, "class.code.answer", said=quoted(chosen))
        return chosen

    def _asked(self, who: int, asked: object) -> object:
        if self._over and self.trouble is not None:
            raise self.trouble
        try:
            if who not in self._lives:
                self._begin(who)
            return _answer(self._told(who, asked))
        except ConfinedError:
            raise
        except _NoAnswerError as error:
            self._fail(who, "class.code.answer", said=str(error))
        except (TimeoutError, OSError, EOFError, OverflowError, ValueError, RecursionError) as error:
            self._broken(who, error)

    def _begin(self, who: int) -> None:
        """A process for a seat; what is wrong with the code itself is wrong for good."""
        over, self._over = self._over, True
        try:
            life = self._lives[who] = Life(max(0.001, self.limits.seconds - self._used), self.limits.megabytes, self._without)
            self.walls = tuple(life.hear(STARTING)["walls"])
            self.missing = frozenset(WALLS) - set(self.walls)
        except (OSError, EOFError) as error:
            self._fail(who, "class.code.nowhere", why=type(error).__name__)
        self._told(who, self._code)
        self._over = over

    def _told(self, who: int, asked: object) -> dict[str, Any]:
        """Tell it something and hear what it says to that."""
        life, began = self._lives[who], time.monotonic()
        try:
            life.tell(asked, 3 * self.limits.seconds - self._waited)
            until = began + 3 * self.limits.seconds - self._waited
            said = life.hear(until - time.monotonic())
            while said.keys() == {"tried"}:
                self.attempts.update(kind for kind in KINDS if kind == said["tried"])
                said = life.hear(until - time.monotonic())
        finally:
            self._waited += time.monotonic() - began
        if "memory" in said:
            self._fail(who, "class.code.memory", megabytes=self.limits.megabytes)
        if "nothing" in said:
            self._fail(who, "class.code.nothing", code="choose(view)")
        if "exit" in said:
            self._fail(who, "class.code.ended")
        if "raised" in said:
            line, kind, words = said.get("line"), _clean(said["raised"]), _clean(said.get("said"))
            error = f"{kind} ({words})" if words else kind
            if isinstance(line, int) and 0 < line < 10**6:
                self._fail(who, "class.code.raised.line", line=line, error=error)
            self._fail(who, "class.code.raised", error=error)
        return said

    def _broken(self, who: int, error: Exception) -> NoReturn:
        """Whether it is late, has ended, or says what cannot be read."""
        self._rest(who)
        if isinstance(error, TimeoutError) or self._outran or self._used >= self.limits.seconds:
            self._over = True
            self._fail(who, "class.code.slow", seconds=f"{self.limits.seconds:g}")
        if isinstance(error, OverflowError):
            self._fail(who, "class.code.flood", most=MOST_BYTES >> 10)
        self._fail(who, "class.code.ended" if isinstance(error, (OSError, EOFError)) else "class.code.rubbish")

    def _fail(self, who: int, key: str, /, **facts: object) -> NoReturn:
        self.trouble = ConfinedError(key, **facts)
        self._rest(who)
        raise self.trouble

    def _rest(self, who: int) -> None:
        """End its process there, with all its children."""
        life = self._lives.pop(who, None)
        if life is not None:
            life.end()
            self._used += life.used
            self._outran |= life.outran

    def close(self) -> None:
        """Nothing more is asked of it, and nothing is left of it."""
        for who in tuple(self._lives):
            self._rest(who)

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _NoAnswerError(Exception):
    """What was chosen is neither a move nor probabilities."""


def _answer(said: Mapping[str, Any]) -> object:
    """A move or probabilities out of what somebody else's process said."""
    move, row, many = said.get("move"), said.get("row"), said.get("list")
    if isinstance(move, str) and len(move) <= _LONGEST:
        return move
    if isinstance(row, dict) and len(row) <= _MOST_MOVES and all(len(name) <= _LONGEST for name in row) and all(map(_fine, row.values())):
        return row
    if isinstance(many, list) and len(many) <= _MOST_MOVES and all(map(_fine, many)):
        return many
    odd = next((one for one in (said.get("odd"), move, row, many) if one is not None), said)
    raise _NoAnswerError(_clean(odd if isinstance(odd, str) else quoted(odd)))


def _fine(likely: object) -> bool:
    """Whether that is short enough to be read as a number."""
    if isinstance(likely, str):
        return len(likely) <= _LONGEST
    return (isinstance(likely, int) and abs(likely) < 10**9) or (isinstance(likely, float) and math.isfinite(likely))


def _clean(said: object) -> str:
    """Somebody else's words in one line, without signs that cannot be seen."""
    text = said if isinstance(said, str) else ""
    return "".join(sign if sign.isprintable() else " " for sign in text[:200]).strip().rstrip(".")


def run(code: str, views: Iterable[View | InfoSet], limits: Limits = Limits(), *, without: Iterable[str] = ()) -> CodeRan:  # noqa: B008 - it is a value
    """What somebody's code chooses at each of these views, or what was wrong with it.

    >>> run("import os; os._exit(0)", []).trouble, str(run("import os; os._exit(0)", ["a view"]).trouble)
    (None, 'The code ended by itself before it had answered.')
    """
    with Confined(code, limits, without=without) as confined:
        try:
            return CodeRan(tuple([confined.at(view) for view in views]), None)
        except ConfinedError as error:
            return CodeRan(None, error)
