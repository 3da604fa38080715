"""A whole game with a coach, who says after each move what happened and why, and what you may do; more at first, less later."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import Card, CardSet
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.game.game import Game
from durak_widget.game.telling import advice, call, closing, deed
from durak_widget.lessons.display import AtTable, blank, others_of
from durak_widget.rules import pack
from durak_widget.words import Rank, Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.game.moves import Move
    from durak_widget.game.view import Played
    from durak_widget.rules.book import Rules
    from durak_widget.widget.players import Player

_MOST_WAYS: Final = 6


class Guided(AtTable):
    """A game with a coach. For the first bouts every way to go on is named; then only what is asked of you; then what happened alone.

    >>> game = Guided(seed=7, others={1: "first"})
    >>> print(game.question)
    Play a whole game. The coach says what happens, and why.
    >>> for line in game.answer("attack Jc"):
    ...     print(line)
    You attack with the jack of clubs.
    Every attacking card must be beaten: by a higher card of its suit, or by a trump.
    ...
    """

    def __init__(
        self,
        rules: Game | Rules | str | None = None,
        *,
        seed: int | str | None = None,
        others: Mapping[int, Player] | None = None,
        bouts: int = 2,
        language: str | None = None,
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Begin; for so many `bouts` the coach says everything, and for as many more what is asked."""
        from durak_widget.widget.table import Table  # noqa: PLC0415 - a coach needs a table, other lessons do not

        super().__init__(language)
        game = rules.copy() if isinstance(rules, Game) else Game(rules, seed=seed)
        counted = whole_number(bouts)
        if counted is None or counted < 0:
            raise DurakError(f"bouts={quoted(bouts)}: the coach says everything for a number of bouts, such as 2")
        self._bouts = counted
        seats: dict[int, Player] = {0: "you", **dict.fromkeys(range(1, game.seats), "careful"), **others_of(others)}
        self._lay_table(Table(game, seats, seed=seed, language=self._language, **look))

    def _looked(self) -> None:
        self._changed()

    @property
    def question(self) -> str:
        """What is to be done."""
        return self._voice.say("lesson.coach")

    def answer(self, answer: object) -> list[str]:
        """Make a move; the others move till it is your turn again. What the coach says of it all."""
        self._others_move()
        self.table.play(answer)  # type: ignore[arg-type]
        self._others_move()
        return self.said

    def _others_move(self) -> None:
        while self.table.step():
            pass

    def check(self) -> bool:
        """Whether the game has been played to its end."""
        return self.table.game.outcome is not None

    @property
    def said(self) -> list[str]:
        """What the coach says now: what happened since your last move and why, then what you may do."""
        return [*self._happened(), *self._ways()]

    # What the coach says

    @property
    def _voice(self) -> Voice:
        return Voice(self._language, me=0)

    def _happened(self) -> list[str]:
        """What was done from your last move on, each with the reason why things then went on as they did."""
        game = self.table.game
        last = max((ply for ply, played in enumerate(game.course) if played.seat == 0), default=0)
        lines: list[str] = []
        for ply, played in enumerate(game.course[last:], last + 1):
            then = game.copy()
            then.goto(ply)
            lines += [deed(played, self._voice), *self._followed(then, played)]
        return lines

    def _followed(self, game: Game, played: Played) -> list[str]:
        """What that move, the last of this game, meant."""
        voice, view = self._voice, game.view(0)
        speaks = game.bout <= 2 * self._bouts
        if not view.ends or view.ends[-1].ply != game.ply:
            if not speaks:
                return []
            ranks = tuple(Rank(rank) for rank in dict.fromkeys(card.rank for pair in game.table for card in pair if card))
            return [voice.say(f"lesson.coach.{played.verb}{_unusual(game, played)}", ranks=ranks, limit=game.limit)]
        end = view.ends[-1]
        lines = list(closing(end, voice, view.trump))
        if game.outcome is None and speaks:
            lines.append(voice.say("lesson.coach.taken" if end.taken else "lesson.coach.beaten", who=Seat(game.attacker)))
        return lines

    def _ways(self) -> list[str]:
        """What you may do, as long as hints are given."""
        view, voice = self.table.game.view(0), self._voice
        moves: tuple[Move, ...] = view.legal_moves()
        if view.bout > 2 * self._bouts or not moves:
            return []
        if view.bout > self._bouts or len(moves) > _MOST_WAYS:
            return [call(view, voice)]
        return [voice.say("lesson.coach.ways"), *(f"– {advice(move, voice)}" for move in moves)]

    # What is shown

    def sheet(self) -> dict[str, object]:
        """What the page above the table shows."""
        return {**blank(self.kind), "question": self.question, "said": self.said}

    def static(self) -> dict[str, str]:
        """What is to be done, and what the coach says now."""
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.said)
        html = f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p>{lines}</div>'
        return {"text/html": html, "text/plain": "\n".join([self.question, *self.said])}

    def __repr__(self) -> str:
        return f"<Guided {self.table.game!r}>"


def _unusual(game: Game, played: Played) -> str:
    """Where the usual reason would not be true, which other one is."""
    if played.verb == "attack":
        return "" if _beaten_as_usual(game, played.cards[0]) else ".other"
    if played.verb == "throw" and game.taking:
        return ".taking"
    return ".more" if played.verb == "beat" and game.actor == game.defender else ""


def _beaten_as_usual(game: Game, card: Card) -> bool:
    """Whether just the higher cards of its suit and the trumps beat a card that is no trump."""
    suit, trump = card.suit, str(game.trump)
    if game.trump is None or suit in (None, trump):
        return False
    beaters, deck = game.rules.beaters(card, trump), CardSet.of(pack.faces(game.rules))
    return all((one in beaters) == (one.suit == trump or (one.suit == suit and one.code > card.counts)) for one in deck)
