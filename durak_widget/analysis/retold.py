"""A line of play in words, as one of the players hears it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.engine.narration import done
from durak_widget.engine.outcome_wording import ended
from durak_widget.i18n import Fact, Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.i18n._translation import Naming


def retold(
    game: Game, line: Sequence[Move], language: str, cards: Naming, verdict: str = "", people: tuple[tuple[int, str], ...] = ()
) -> str:
    """How a line goes to its end, or to where it repeats itself, spoken to who makes its first move, of which a verdict may be said; opponents are called by their names where `people` says who sits where.

    Who is said to hold nothing that beats a card was looked up.

    >>> from durak_widget import Game
    >>> retold(Game.from_position(hands=["8c 7s", "7d Kc"], trump="h"), ["attack 8c", "beat 8c Kc", "attack 7d", "take"], "en", "codes")
    'You attack with 8c. Seat 1 beats 8c with Kc. Seat 1 attacks with 7d. You hold nothing that beats 7d. You take. You are the fool.'
    """
    voice = Voice(language, cards=cards, me=game.actor, people=people)
    return " ".join(voice.say(fact.key, **fact.facts) for fact in story(game, line, verdict))


def story(game: Game, line: Sequence[Move], verdict: str = "") -> list[Fact]:
    """A line of play retold, before it is said in any language."""
    played, told = game.copy(), list[Fact]()
    for move in line:
        played.play(move)
        last = played.last
        assert last is not None  # noqa: S101 - it was made just now
        if last.verb != "pass":
            told.append(done(last))
        if verdict:
            told.append(Fact(verdict))
            verdict = ""
        elif last.seat == played.attacker and last.cards and played.actor == played.defender and not played.taking:
            better = played.rules.beaters(last.cards[-1], played.trump)
            if not better & played.hands[played.defender]:
                told.append(Fact("theory.unbeatable", {"who": Seat(played.defender), "card": last.cards[-1]}))
    end = played.outcome
    return [*told, Fact("theory.again") if end is None else Fact("sentence", {"said": ended(end)})]
