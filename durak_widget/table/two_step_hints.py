"""Hints in two steps: first a thought, then the move with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from durak_widget.engine.moves import Move
from durak_widget.engine.narration import advice
from durak_widget.table.hints import Advice, Why, why

if TYPE_CHECKING:
    from collections.abc import Hashable
    from random import Random

    from durak_widget.engine.observation import View
    from durak_widget.i18n import Fact, Voice


class Hint(NamedTuple):
    """What helps a person on, in the words of their table."""

    thought: str
    """What leads to it, without the card; empty where an exercise has none."""
    move: Move
    """A move to make."""
    reason: str = ""
    """Why that one."""


class Counsel(NamedTuple):
    """A hint before it is said in any language."""

    move: Move
    why: Why

    def said(self, voice: Voice) -> Hint:
        """The hint in the language of a voice."""
        thought, reason = self.why
        return Hint(voice.say(thought.key, **thought.facts), self.move, " ".join(voice.say(fact.key, **fact.facts) for fact in reason))


class Gives(Protocol):
    """Who gives hints: a bot, which may also say what it knows of its move, as `advising.Adviser` does."""

    @property
    def plays(self) -> Any:  # noqa: ANN401 - as of a bot
        """What it was made from."""

    def choose(self, view: View, rng: Random) -> Move:
        """The move that is advised."""


def counsel(adviser: Gives, view: View, rng: Random) -> Counsel:
    """What is advised to the seat of this view.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> from durak_widget.bots.bot import get
    >>> from durak_widget.table.hints import Adviser
    >>> from durak_widget.i18n import Voice
    >>> found = counsel(get(Adviser()), Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h").view(0), Random(0))
    >>> found.said(Voice()).move
    Move('attack Ks')
    """
    advise = getattr(adviser.plays, "advise", None)
    found = advise(view, rng) if advise else Advice(adviser.choose(view, rng))
    return Counsel(found.move, why(view, found))


class Hints:
    """What was thought of at a table, and at which moment: who asks again there is told the rest."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self._moment: Hashable = None
        self._counsel: Counsel | Hint | None = None

    def keep(self, moment: Hashable, counsel: Counsel | Hint) -> None:
        """The thought has been told."""
        self._moment, self._counsel = moment, counsel

    def at(self, moment: Hashable) -> Counsel | Hint | None:
        """Of what only the thought has been told at this moment."""
        return self._counsel if self._moment == moment else None


def told(counsel: Counsel | Hint, voice: Voice) -> str:
    """The second step: the move, and why."""
    hint = counsel if isinstance(counsel, Hint) else counsel.said(voice)
    return " ".join(filter(None, [voice.say("table.hint", advice=advice(hint.move, voice)), hint.reason]))


def thought(counsel: Counsel | Hint, voice: Voice) -> str:
    """The first step."""
    return counsel.thought if isinstance(counsel, Hint) else counsel.said(voice).thought


def of_task(found: Move | Fact | Hint) -> Hint | Fact:
    """What who sets a task hints: a move alone has no thought."""
    return Hint("", found) if isinstance(found, Move) else found
