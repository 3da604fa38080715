"""Finds the turning points of a game: the mistakes that decided it, the worst first.

It puts each one into words and names the kind of mistake. Each kind is a claim about the cards, and is named
only if the claim is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.endgame import refute, story
from durak_widget.bots.heuristic_bots import beating_all, prices
from durak_widget.cards import CardSet
from durak_widget.engine.narration import advised, past
from durak_widget.engine.observation import Played
from durak_widget.errors import PositionError
from durak_widget.i18n import Fact, Seat, Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.i18n._translation import Naming
    from durak_widget.review.decisions import Decision

GIFT: Final = 0.25
"""What cost somebody so much, of two who are left, is told to the other too, though it is not proved."""
LONG: Final = 12
"""A line of more sentences is not told."""
KINDS: Final = ("trump", "pair", "take", "throw", "seen", "ending")
"""A trump wasted, a pair split, taken too early, thrown in a present, a seen card forgotten, an ending misplayed."""
_ON: Final = {"transfer", "show"}


class Turning(NamedTuple):
    """A mistake at which a game turned, or could have.

    >>> from durak_widget import Game, review
    >>> game = Game.at("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> turn = review.of(game, 0, by="all cards").turns[0]
    >>> print(turn.said(cards="codes")[:91])
    You had it won in bout 2. Ks gave it away. Better: attack with Qh. The ending was misplayed
    """

    decision: Decision
    whom: int | None
    """Whom it let off, where that can be said."""
    position: Game
    """The moment before it."""
    positions: int
    """So many positions are looked at to tell how it goes on."""

    @property
    def proved(self) -> bool:
        """Whether an exact value was given away."""
        return self.decision.verdict == "proved mistake"

    def headline(self, me: int | None) -> list[Fact]:
        """What happened, told to a seat, or to anybody: what was had and how it went, or by whom one was let off."""
        one, who = self.decision, Seat(self.decision.seat)
        if not self.proved:
            percent = round(100 * (one.loss or 0.0))
            return [Fact("review.cost", {"bout": one.bout, "said": past(self.played), "percent": percent})]
        if me is not None and me == self.whom:
            return [Fact("review.gift", {"bout": one.bout, "who": who, "whom": Seat(me)}), past(self.played)]
        had = Fact("review.had.won" if one.value == 1 else "review.had.draw", {"bout": one.bout, "who": who})
        return [had, _gave(one)]

    @property
    def played(self) -> Played:
        """The move, and whose it was."""
        return Played(self.decision.seat, self.decision.move.verb, self.decision.move.cards)

    def facts(self, me: int | None) -> list[Fact]:
        """All that is told of it: what happened, what was better, of which kind it was, and how it is refuted."""
        one = self.decision
        told = [*self.headline(me), *self.instead]
        if one.outright and one.worlds > 1:
            told.append(Fact("review.outright.won" if one.share == 1 else "review.outright.draw"))
        if one.kind is not None:
            told.append(kind_told(self.position.view(one.seat), one.move, one.kind))
        refuted = self.refuted
        return [*told, Fact("review.then"), *refuted] if refuted else told

    @property
    def instead(self) -> list[Fact]:
        """What was better, in a sentence; nothing where that is not known."""
        better = self.decision.better
        return [] if better is None else [Fact("review.better", {"said": advised(better)})]

    @property
    def refuted(self) -> list[Fact]:
        """How it goes on with the best play of both, where that is proved and soon told; else nothing."""
        if not self.proved:
            return []
        try:
            found = refute(self.position, self.decision.move, budget=self.positions)
        except PositionError:  # how it goes on takes long to find
            return []
        retold = self.decision.move.verb != "pass"  # the move itself is told already; of a pass the story tells nothing
        told = story(found.game, found.line)[retold:]
        return told if 0 < len(told) <= LONG else []

    def said(self, language: str = "en", *, me: int | None = None, cards: Naming = "words") -> str:
        """All of it in words, told to a seat; to whom it happened, if no other is named."""
        seat = self.decision.seat if me is None else me
        return spoken(self.facts(seat), Voice(language, cards=cards, me=seat))


def spoken(facts: Iterable[Fact], voice: Voice) -> str:
    """Sentences in a voice."""
    return " ".join(voice.say(fact.key, **fact.facts) for fact in facts)


def _gave(one: Decision) -> Fact:
    """What gave it away."""
    cards = one.move.cards[one.move.verb == "beat" :]
    return Fact("review.gave.cards", {"cards": cards}) if cards else Fact(f"review.gave.{one.move.verb}")


def turnings(decisions: Iterable[Decision], seat: int | None, positions: int) -> tuple[Turning, ...]:
    """Where a game turned, the worst first, for a seat or for all: proved mistakes, then others; what is none of a seat's, and let somebody else off, is left out."""
    found = []
    for one in decisions:
        if not one.is_mistake or one.game is None:
            continue
        before = one.position
        assert before is not None  # noqa: S101 - the game is there
        others = [other for other in before.seats_in if other != one.seat]
        much = one.verdict == "proved mistake" or (one.loss or 0.0) >= GIFT
        whom = others[0] if much and len(others) == 1 else None
        if seat in (None, one.seat, whom):
            found.append(Turning(one, whom, before, positions))
    return tuple(
        sorted(
            found,
            key=lambda turn: (not turn.proved, seat not in (None, turn.decision.seat), -(turn.decision.loss or 0.0), -turn.decision.ply),
        )
    )


def first(turns: Iterable[Turning], seat: int | None, *, won: bool) -> Turning | None:
    """What is told at the end: who won hears first of what the others gave, who did not of what it gave away; None where there is nothing."""
    by_time = sorted(turns, key=lambda turn: turn.decision.ply)
    proved = [turn for turn in by_time if turn.proved]
    mine = [turn for turn in proved if seat in (None, turn.decision.seat)]
    gifts = [turn for turn in proved if seat is not None and turn.whom == seat]
    for some in (gifts, mine) if won else (mine,):
        if some:
            return some[-1]
    dear = [turn for turn in by_time if not turn.proved and seat in (None, turn.decision.seat)]
    return max(dear, key=lambda turn: turn.decision.loss or 0.0, default=None)


def headline(turn: Turning | None, seat: int | None) -> list[Fact]:
    """The turning point that is told, in one sentence; where there is nothing to reproach, a sentence that says so."""
    if turn is not None:
        return turn.headline(seat)
    return [Fact("review.none.all") if seat is None else Fact("review.none", {"who": Seat(seat)})]


def kind_of(view: View, move: Move, better: Move, *, proved: bool = False) -> str | None:
    """Of which kind a mistake is; None where it is of none.

    >>> from durak_widget import Game, Move
    >>> game = Game.at("6c | 8c 8h 9d; trump h; talon Ac Kc 7h; attacker 0"); game.play("attack 6c")
    >>> kind_of(game.view(1), Move("beat 6c 8h"), Move("beat 6c 8c")), kind_of(game.view(1), Move("take"), Move("beat 6c 8c"))
    ('trump', 'take')
    """
    return next((name for name, holds in _HOLDS.items() if holds(view, move, better)), "ending" if proved else None)


def seen_beater(view: View, move: Move) -> Card | None:
    """A card that everybody has seen go into the defender's hand, that still lies there, and that beats what is played; the lowest one."""
    if move.verb not in {"attack", "throw"} or view.taking or not view.sight.seen:
        return None
    held = CardSet.of(view.sight.seen[view.defender])
    return next((card for card in held if card in view.beaters(move.cards[-1])), None)


def kind_told(view: View, move: Move, kind: str) -> Fact:
    """A kind as a sentence."""
    card = seen_beater(view, move) if kind == "seen" else None
    return Fact(f"review.kind.{kind}", {} if card is None else {"who": Seat(view.defender), "card": card})


def _spent(move: Move) -> tuple[Card, ...]:
    """The cards that leave the hand."""
    return () if move.verb in {"show", "swap"} else move.cards[move.verb == "beat" :]


def _seen(view: View, move: Move, better: Move) -> bool:
    """An attack that a card beats which the defender was seen to take; the better one is an attack that none of these beats."""
    return seen_beater(view, move) is not None and better.verb == move.verb and seen_beater(view, better) is None


def _trump(view: View, move: Move, better: Move) -> bool:
    """A trump was spent where none needed to be: on the same card, as an attack, or thrown in."""
    trumps = [card for card in _spent(move) if card.suit == view.trump]
    if view.trump is None or not trumps or any(card.suit == view.trump for card in _spent(better)):
        return False
    if move.verb == "beat":
        return better.verb == "beat" and better.cards[0] == move.cards[0]
    return better.verb == move.verb or (move.verb == "throw" and better.verb == "pass")


def _take(view: View, move: Move, better: Move) -> bool:
    """Everything could have been beaten, or passed on."""
    if move.verb != "take" or better.verb == "take":
        return False
    return better.verb in _ON or bool(beating_all(view, view.legal_moves(), prices(view)))


def _throw(view: View, move: Move, better: Move) -> bool:
    """A card for somebody who takes anyway, where nothing at all was better."""
    return view.taking and move.verb == "throw" and better.verb == "pass"


def _pair(view: View, move: Move, better: Move) -> bool:
    """One of a pair was spent to beat what a single card beats (of three alike a pair is left); or laid alone where more may be laid at once."""
    if move.verb == "attack" == better.verb:
        return len(move.cards) == 1 < len(better.cards) and better.cards[0].rank == move.cards[0].rank
    if not move.verb == better.verb == "beat" or better.cards[0] != move.cards[0]:
        return False
    return (_alike(view, move.cards[1]), _alike(view, better.cards[1])) == (2, 1)


def _alike(view: View, card: Card) -> int:
    """How many cards of that rank the hand holds."""
    return sum(one.rank == card.rank for one in view.hand)


_HOLDS: Final[dict[str, Callable[[View, Move, Move], bool]]] = {
    "seen": _seen,
    "trump": _trump,
    "take": _take,
    "throw": _throw,
    "pair": _pair,
}
