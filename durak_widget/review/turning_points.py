"""Finds a game's turning points, which are the mistakes that decided the game.

It puts each one into words and names the kind of mistake. Each kind is a claim about the cards, and is named only if the claim is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.endgame import line_to_facts, refute
from durak_widget.bots.heuristic_bots import get_card_prices, plan_beats
from durak_widget.cards import CardSet
from durak_widget.engine.narration import build_advice_fact, build_past_fact
from durak_widget.engine.observation import PlayedMove
from durak_widget.errors import PositionError
from durak_widget.i18n import Seat, TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation
    from durak_widget.i18n._translation import CardNaming
    from durak_widget.review.decisions import Decision

GIFT_LOSS: Final = 0.25
"""The minimum loss of win chance at which an unproved mistake is also shown to the opponent, if only two players are
left."""
MAX_LINE_FACTS: Final = 12
"""The maximum number of sentences about one sequence of moves."""
MISTAKE_KINDS: Final = ("trump", "pair", "take", "throw", "seen", "ending")
"""The kinds of mistakes: wasting a trump, splitting a pair, taking too early, giving a card away, forgetting a seen
card, and losing an endgame."""
_PASSING_ON_VERBS: Final = {"transfer", "show"}


class TurningPoint(NamedTuple):
    """A mistake that changed, or could have changed, who wins the game.

    >>> from durak_widget import Game, review
    >>> game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> turn = review.analyze(game, 0, by="all cards").turning_points[0]
    >>> print(turn.to_text(cards="codes")[:74])
    In bout 2, you could have won. The mistake: Ks. Better: attack with Qh. Th
    """

    decision: Decision
    beneficiary: int | None
    """The opponent who gained from the mistake; None if the mistake was small, or if there were several opponents."""
    position: Game
    """The game just before the mistake."""
    endgame_budget: int
    """The maximum number of positions to search for the opponent's best play after the mistake."""

    @property
    def is_proved(self) -> bool:
        """Return whether a proof shows that the mistake gave away a win or a tie."""
        return self.decision.verdict == "proved mistake"

    def build_headline(self, me: int | None) -> list[TranslatableText]:
        """Return texts that describe the mistake, addressed to seat `me`; with None, to everybody."""
        decision, player = self.decision, Seat(self.decision.seat)
        if not self.is_proved:
            percent = round(100 * (decision.loss or 0.0))
            cost_facts = {"bout": decision.bout, "who": player, "said": build_past_fact(self.played_move), "percent": percent}
            return [TranslatableText("review.cost", cost_facts)]
        if me is not None and me == self.beneficiary:
            return [
                TranslatableText("review.gift", {"bout": decision.bout, "who": player, "whom": Seat(me)}),
                build_past_fact(self.played_move),
            ]
        had_fact = TranslatableText("review.had.won" if decision.value == 1 else "review.had.draw", {"bout": decision.bout, "who": player})
        return [had_fact, _build_giveaway_fact(decision)]

    @property
    def played_move(self) -> PlayedMove:
        """Return the mistake as a `PlayedMove`, which has the move and the seat that made it."""
        return PlayedMove(self.decision.seat, self.decision.move.verb, self.decision.move.cards)

    def build_facts(self, me: int | None) -> list[TranslatableText]:
        """Return texts on the mistake, the better move, and how the opponent could refute it."""
        return [*self.build_headline(me), *self.better_move_facts, *self.explanation_facts]

    @property
    def explanation_facts(self) -> list[TranslatableText]:
        """Return texts on the kind of mistake and its refutation; an empty list if there are none."""
        decision = self.decision
        facts = []
        if decision.is_exhaustive and decision.world_count > 1:
            facts.append(TranslatableText("review.outright.won" if decision.best_share == 1 else "review.outright.draw"))
        if decision.mistake_kind is not None:
            facts.append(build_kind_fact(self.position.view(decision.seat), decision.move, decision.mistake_kind))
        refutation = self.refutation_facts
        return [*facts, TranslatableText("review.then"), *refutation] if refutation else facts

    @property
    def better_move_facts(self) -> list[TranslatableText]:
        """Return a list with a text on the better move; an empty list if none is known."""
        better = self.decision.better_move
        return [] if better is None else [TranslatableText("review.better", {"said": build_advice_fact(better)})]

    @property
    def refutation_facts(self) -> list[TranslatableText]:
        """Return texts on how to refute a proved mistake; an empty list if that takes many moves."""
        if not self.is_proved:
            return []
        try:
            refutation = refute(self.position, self.decision.move, budget=self.endgame_budget)
        except PositionError:  # The search for a refutation reached its limit
            return []
        has_move_fact = self.decision.move.verb != "pass"  # The headline already names the move, unless it is a pass
        facts = line_to_facts(refutation.game, refutation.line)[has_move_fact:]
        return facts if 0 < len(facts) <= MAX_LINE_FACTS else []

    def to_text(self, language: str = "en", *, me: int | None = None, cards: CardNaming = "words") -> str:
        """Describe the mistake, and what it led to, in sentences addressed to seat `me`.

        By default, that is the seat that made the mistake.
        """
        seat = self.decision.seat if me is None else me
        return format_facts(self.build_facts(seat), Translator(language, cards=cards, own_seat=seat))


def format_facts(facts: Iterable[TranslatableText], voice: Translator) -> str:
    """Translate texts into one language, and return them as sentences in one text."""
    return " ".join(voice.translate(fact.key, **fact.facts) for fact in facts)


def _build_giveaway_fact(decision: Decision) -> TranslatableText:
    """Return a text that names the cards, or kind of move, that cost the player a win or tie."""
    cards = decision.move.cards[decision.move.verb == "beat" :]
    return TranslatableText("review.gave.cards", {"cards": cards}) if cards else TranslatableText(f"review.gave.{decision.move.verb}")


def find_turning_points(decisions: Iterable[Decision], seat: int | None, positions: int) -> tuple[TurningPoint, ...]:
    """Return all turning points, worst first; proved mistakes come before other mistakes.

    For a seat, only its own mistakes and those from which it alone gained.
    """
    turns = []
    for decision in decisions:
        if not decision.is_mistake or decision.game is None:
            continue
        position = decision.position
        assert position is not None  # noqa: S101 - the game is there
        opponents = [other for other in position.seats_in if other != decision.seat]
        is_large = decision.verdict == "proved mistake" or (decision.loss or 0.0) >= GIFT_LOSS
        beneficiary = opponents[0] if is_large and len(opponents) == 1 else None
        if seat in (None, decision.seat, beneficiary):
            turns.append(TurningPoint(decision, beneficiary, position, positions))
    return tuple(
        sorted(
            turns,
            key=lambda turn: (not turn.is_proved, seat not in (None, turn.decision.seat), -(turn.decision.loss or 0.0), -turn.decision.ply),
        )
    )


def choose_main_turning_point(turns: Iterable[TurningPoint], seat: int | None, *, has_won: bool) -> TurningPoint | None:
    """Choose the turning point to name in the summary; None if none is important enough.

    A winner sees first what the others gave away, anybody else what they gave away themselves.
    """
    ordered = sorted(turns, key=lambda turn: turn.decision.ply)
    proved = [turn for turn in ordered if turn.is_proved]
    own = [turn for turn in proved if seat in (None, turn.decision.seat)]
    gained = [turn for turn in proved if seat is not None and turn.beneficiary == seat]
    for candidates in (gained, own) if has_won else (own,):
        if candidates:
            return candidates[-1]
    unproved = [turn for turn in ordered if not turn.is_proved and seat in (None, turn.decision.seat)]
    return max(unproved, key=lambda turn: turn.decision.loss or 0.0, default=None)


def build_headline(turn: TurningPoint | None, seat: int | None) -> list[TranslatableText]:
    """Return a review's summary as a list of texts, even if there was no mistake."""
    if turn is not None:
        return turn.build_headline(seat)
    return [TranslatableText("review.none.all") if seat is None else TranslatableText("review.none", {"who": Seat(seat)})]


def classify_mistake(view: Observation, move: Move, better: Move, *, is_proved: bool = False) -> str | None:
    """Return the kind of mistake that a move was; None if no kind fits.

    >>> from durak_widget import Game, Move
    >>> game = Game.from_position_line("6c | 8c 8h 9d; trump h; talon Ac Kc 7h; attacker 0"); game.play("attack 6c")
    >>> classify_mistake(game.view(1), Move("beat 6c 8h"), Move("beat 6c 8c")), classify_mistake(game.view(1), Move("take"), Move("beat 6c 8c"))
    ('trump', 'take')
    """
    return next((name for name, holds in _MISTAKE_TESTS.items() if holds(view, move, better)), "ending" if is_proved else None)


def find_seen_beater(view: Observation, move: Move) -> Card | None:
    """Of the cards that the defender openly took, return the lowest that beats the attack."""
    if move.verb not in {"attack", "throw"} or view.taking or not view.data.publicly_known:
        return None
    seen_cards = CardSet.from_mask(view.data.publicly_known[view.defender])
    return next((card for card in seen_cards if card in view.beaters(move.cards[-1])), None)


def build_kind_fact(view: Observation, move: Move, kind: str) -> TranslatableText:
    """Return a text that explains a kind of mistake."""
    card = find_seen_beater(view, move) if kind == "seen" else None
    return TranslatableText(f"review.kind.{kind}", {} if card is None else {"who": Seat(view.defender), "card": card})


def _list_spent_cards(move: Move) -> tuple[Card, ...]:
    """Return the cards that a move plays from the hand."""
    return () if move.verb in {"show", "swap"} else move.cards[move.verb == "beat" :]


def _is_seen_card_forgotten(view: Observation, move: Move, better: Move) -> bool:
    """Return whether the defender had openly taken a card that beats the chosen attack.

    The better move is the same kind of attack, and no such card beats it.
    """
    return find_seen_beater(view, move) is not None and better.verb == move.verb and find_seen_beater(view, better) is None


def _is_trump_wasted(view: Observation, move: Move, better: Move) -> bool:
    """Return whether a move used up a trump, although the better move needs no trump."""
    trumps = [card for card in _list_spent_cards(move) if card.suit == view.trump]
    if view.trump is None or not trumps or any(card.suit == view.trump for card in _list_spent_cards(better)):
        return False
    if move.verb == "beat":
        return better.verb == "beat" and better.cards[0] == move.cards[0]
    return better.verb == move.verb or (move.verb == "throw" and better.verb == "pass")


def _is_taken_too_early(view: Observation, move: Move, better: Move) -> bool:
    """Return whether a player took although they could have beaten or transferred all cards."""
    if move.verb != "take" or better.verb == "take":
        return False
    return better.verb in _PASSING_ON_VERBS or bool(plan_beats(view, view.legal_moves(), get_card_prices(view)))


def _is_card_given_away(view: Observation, move: Move, better: Move) -> bool:
    """Return whether a player needlessly threw in a card when the defender was already taking."""
    return view.taking and move.verb == "throw" and better.verb == "pass"


def _is_pair_split(view: Observation, move: Move, better: Move) -> bool:
    """Return whether a move needlessly separated two cards of equal rank.

    One of a pair beat a card that a single card beats (of three cards a pair is left), or was played alone where both may be played at
    once.
    """
    if move.verb == "attack" == better.verb:
        return len(move.cards) == 1 < len(better.cards) and better.cards[0].rank == move.cards[0].rank
    if not move.verb == better.verb == "beat" or better.cards[0] != move.cards[0]:
        return False
    return (_count_same_rank(view, move.cards[1]), _count_same_rank(view, better.cards[1])) == (2, 1)


def _count_same_rank(view: Observation, card: Card) -> int:
    """Return how many cards in the player's hand have the same rank as `card`."""
    return sum(held_card.rank == card.rank for held_card in view.hand)


_MISTAKE_TESTS: Final[dict[str, Callable[[Observation, Move, Move], bool]]] = {
    "seen": _is_seen_card_forgotten,
    "trump": _is_trump_wasted,
    "take": _is_taken_too_early,
    "throw": _is_card_given_away,
    "pair": _is_pair_split,
}
