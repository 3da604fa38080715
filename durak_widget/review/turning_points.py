"""Finds the turning points of a game: the mistakes that decided it, the worst first.

It puts each one into words and names the kind of mistake. Each kind is a claim about the cards, and is named only if the claim is true.
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
"""The loss from which an unproved mistake is also shown to the opponent, if two are left."""
LONG: Final = 12
"""The most sentences of a shown line."""
KINDS: Final = ("trump", "pair", "take", "throw", "seen", "ending")
"""The kinds: trump wasted, pair split, taken too early, card given away, seen card forgotten, endgame error."""
_ON: Final = {"transfer", "show"}


class Turning(NamedTuple):
    """A mistake at which a game turned or could have turned.

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
    """The seat that gained from it, if there is only one."""
    position: Game
    """The game just before the mistake."""
    positions: int
    """The most positions to search for the line that follows."""

    @property
    def proved(self) -> bool:
        """Return whether the mistake lost a proved value."""
        return self.decision.verdict == "proved mistake"

    def headline(self, me: int | None) -> list[Fact]:
        """Return what happened, as facts for the seat `me` or for everybody."""
        decision, player = self.decision, Seat(self.decision.seat)
        if not self.proved:
            percent = round(100 * (decision.loss or 0.0))
            return [Fact("review.cost", {"bout": decision.bout, "said": past(self.played), "percent": percent})]
        if me is not None and me == self.whom:
            return [Fact("review.gift", {"bout": decision.bout, "who": player, "whom": Seat(me)}), past(self.played)]
        had_fact = Fact("review.had.won" if decision.value == 1 else "review.had.draw", {"bout": decision.bout, "who": player})
        return [had_fact, _gave(decision)]

    @property
    def played(self) -> Played:
        """Return the move and its seat."""
        return Played(self.decision.seat, self.decision.move.verb, self.decision.move.cards)

    def facts(self, me: int | None) -> list[Fact]:
        """Return all facts: what happened, the better move, the kind, and the refutation."""
        decision = self.decision
        facts = [*self.headline(me), *self.instead]
        if decision.outright and decision.worlds > 1:
            facts.append(Fact("review.outright.won" if decision.share == 1 else "review.outright.draw"))
        if decision.kind is not None:
            facts.append(kind_told(self.position.view(decision.seat), decision.move, decision.kind))
        refutation = self.refuted
        return [*facts, Fact("review.then"), *refutation] if refutation else facts

    @property
    def instead(self) -> list[Fact]:
        """Return the better move as a fact; nothing if it is unknown."""
        better = self.decision.better
        return [] if better is None else [Fact("review.better", {"said": advised(better)})]

    @property
    def refuted(self) -> list[Fact]:
        """Return the line of best play that follows, if it is proved and short; else nothing."""
        if not self.proved:
            return []
        try:
            refutation = refute(self.position, self.decision.move, budget=self.positions)
        except PositionError:  # the line takes too long to find
            return []
        has_move_fact = self.decision.move.verb != "pass"  # the headline already has the move; the line has no fact for a pass
        facts = story(refutation.game, refutation.line)[has_move_fact:]
        return facts if 0 < len(facts) <= LONG else []

    def said(self, language: str = "en", *, me: int | None = None, cards: Naming = "words") -> str:
        """Return all of it as text, for the seat `me`; by default for the seat that erred."""
        seat = self.decision.seat if me is None else me
        return spoken(self.facts(seat), Voice(language, cards=cards, me=seat))


def spoken(facts: Iterable[Fact], voice: Voice) -> str:
    """Return facts as sentences in a language."""
    return " ".join(voice.say(fact.key, **fact.facts) for fact in facts)


def _gave(one: Decision) -> Fact:
    """Return the fact that names the losing move."""
    cards = one.move.cards[one.move.verb == "beat" :]
    return Fact("review.gave.cards", {"cards": cards}) if cards else Fact(f"review.gave.{one.move.verb}")


def turnings(decisions: Iterable[Decision], seat: int | None, positions: int) -> tuple[Turning, ...]:
    """Return the turning points, the worst first: proved mistakes, then others.

    For a seat, only its own mistakes and those from which it alone gained.
    """
    turns = []
    for decision in decisions:
        if not decision.is_mistake or decision.game is None:
            continue
        position = decision.position
        assert position is not None  # noqa: S101 - the game is there
        others = [other for other in position.seats_in if other != decision.seat]
        is_large = decision.verdict == "proved mistake" or (decision.loss or 0.0) >= GIFT
        beneficiary = others[0] if is_large and len(others) == 1 else None
        if seat in (None, decision.seat, beneficiary):
            turns.append(Turning(decision, beneficiary, position, positions))
    return tuple(
        sorted(
            turns,
            key=lambda turn: (not turn.proved, seat not in (None, turn.decision.seat), -(turn.decision.loss or 0.0), -turn.decision.ply),
        )
    )


def first(turns: Iterable[Turning], seat: int | None, *, won: bool) -> Turning | None:
    """Return the turning point for the summary; None if there is nothing to show.

    A winner sees first what the others gave away, anybody else what they gave away themselves.
    """
    ordered = sorted(turns, key=lambda turn: turn.decision.ply)
    proved = [turn for turn in ordered if turn.proved]
    own = [turn for turn in proved if seat in (None, turn.decision.seat)]
    gained = [turn for turn in proved if seat is not None and turn.whom == seat]
    for candidates in (gained, own) if won else (own,):
        if candidates:
            return candidates[-1]
    unproved = [turn for turn in ordered if not turn.proved and seat in (None, turn.decision.seat)]
    return max(unproved, key=lambda turn: turn.decision.loss or 0.0, default=None)


def headline(turn: Turning | None, seat: int | None) -> list[Fact]:
    """Return the summary as facts; if there is no mistake, a fact that says so."""
    if turn is not None:
        return turn.headline(seat)
    return [Fact("review.none.all") if seat is None else Fact("review.none", {"who": Seat(seat)})]


def kind_of(view: View, move: Move, better: Move, *, proved: bool = False) -> str | None:
    """Return the kind of a mistake; None if no kind applies.

    >>> from durak_widget import Game, Move
    >>> game = Game.at("6c | 8c 8h 9d; trump h; talon Ac Kc 7h; attacker 0"); game.play("attack 6c")
    >>> kind_of(game.view(1), Move("beat 6c 8h"), Move("beat 6c 8c")), kind_of(game.view(1), Move("take"), Move("beat 6c 8c"))
    ('trump', 'take')
    """
    return next((name for name, holds in _HOLDS.items() if holds(view, move, better)), "ending" if proved else None)


def seen_beater(view: View, move: Move) -> Card | None:
    """Return the lowest card that beats the attack and that everybody saw the defender take."""
    if move.verb not in {"attack", "throw"} or view.taking or not view.sight.seen:
        return None
    seen_cards = CardSet.of(view.sight.seen[view.defender])
    return next((card for card in seen_cards if card in view.beaters(move.cards[-1])), None)


def kind_told(view: View, move: Move, kind: str) -> Fact:
    """Return the kind of a mistake as a fact."""
    card = seen_beater(view, move) if kind == "seen" else None
    return Fact(f"review.kind.{kind}", {} if card is None else {"who": Seat(view.defender), "card": card})


def _spent(move: Move) -> tuple[Card, ...]:
    """Return the cards that leave the hand."""
    return () if move.verb in {"show", "swap"} else move.cards[move.verb == "beat" :]


def _seen(view: View, move: Move, better: Move) -> bool:
    """Return whether the attack forgot a card that the defender was seen to take.

    The better move is the same kind of attack, and no such card beats it.
    """
    return seen_beater(view, move) is not None and better.verb == move.verb and seen_beater(view, better) is None


def _trump(view: View, move: Move, better: Move) -> bool:
    """Return whether a trump was wasted: the better move does the same without one."""
    trumps = [card for card in _spent(move) if card.suit == view.trump]
    if view.trump is None or not trumps or any(card.suit == view.trump for card in _spent(better)):
        return False
    if move.verb == "beat":
        return better.verb == "beat" and better.cards[0] == move.cards[0]
    return better.verb == move.verb or (move.verb == "throw" and better.verb == "pass")


def _take(view: View, move: Move, better: Move) -> bool:
    """Return whether everything could have been beaten or passed on instead of taken."""
    if move.verb != "take" or better.verb == "take":
        return False
    return better.verb in _ON or bool(beating_all(view, view.legal_moves(), prices(view)))


def _throw(view: View, move: Move, better: Move) -> bool:
    """Return whether a card was given to a player who takes anyway, where passing was better."""
    return view.taking and move.verb == "throw" and better.verb == "pass"


def _pair(view: View, move: Move, better: Move) -> bool:
    """Return whether a pair was split.

    One of a pair beat a card that a single card beats (of three cards a pair is left), or was played alone where both may be played at
    once.
    """
    if move.verb == "attack" == better.verb:
        return len(move.cards) == 1 < len(better.cards) and better.cards[0].rank == move.cards[0].rank
    if not move.verb == better.verb == "beat" or better.cards[0] != move.cards[0]:
        return False
    return (_alike(view, move.cards[1]), _alike(view, better.cards[1])) == (2, 1)


def _alike(view: View, card: Card) -> int:
    """Return the number of cards of this rank in the hand."""
    return sum(held_card.rank == card.rank for held_card in view.hand)


_HOLDS: Final[dict[str, Callable[[View, Move, Move], bool]]] = {
    "seen": _seen,
    "trump": _trump,
    "take": _take,
    "throw": _throw,
    "pair": _pair,
}
