"""The reasons why a move is refused: the first rule that it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import SUITS, Card, CardSet
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import COUNTS
from durak_widget.engine.moves import Refusal
from durak_widget.engine.outcome_wording import ended
from durak_widget.engine.state import ADD, DEFEND, OPEN
from durak_widget.i18n import Fact, Rank, Seat, Suit
from durak_widget.rules import attack, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.moves import Move, Verb
    from durak_widget.engine.state import State

_MOST_NAMED = 6


def why_not(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """Return why a seat (by default the one to act) may not make the move now; None if it may."""
    if state.actor is None:
        assert state.outcome is not None  # noqa: S101 - what is over has an outcome
        return Refusal("game_over", {"result": ended(state.outcome)})
    asking_seat = state.actor if seat is None else seat
    if asking_seat == state.actor and move in state_transitions.legal_moves(state):
        return None
    if seat is not None and seat != state.actor and not (move.verb == "throw" and seat != state.defender and state.phase == DEFEND):
        return Refusal("not_your_turn.seat", {"who": Seat(seat), "actor": Seat(state.actor), "todo": _todo(state)})
    refusal = _ASK[move.verb](state, move, asking_seat)
    return (
        refusal
        if asking_seat == state.actor
        else Refusal(refusal.key, {name: fact for name, fact in refusal.facts.items() if name != "may"})
    )


def _todo(state: State) -> Fact:
    """Return the fact that says what the seat to act has to do."""
    return Fact({OPEN: "todo.open", DEFEND: "todo.beat"}.get(state.phase, "todo.throw"))


def _may(state: State, who: Seat) -> Fact:
    """Return the fact that lists the moves of the seat to act, for this seat only."""
    legal = state_transitions.legal_moves(state)
    key = "may.some" if len(legal) > _MOST_NAMED else "may"
    return Fact(key, {"who": who, "moves": tuple(map(str, legal[:_MOST_NAMED])), "count": len(legal)})


def _refuse(state: State, key: str, /, **facts: object) -> Refusal:
    """Build the refusal of a move; the facts are about the seat to act by default."""
    assert state.actor is not None  # noqa: S101 - nobody is asked after the end
    actor = Seat(state.actor)
    return Refusal(key, {"who": actor, "may": _may(state, actor), **facts})


def _not_held(state: State, seat: int, cards: Sequence[Card]) -> Refusal | None:
    """Refuse the first card that the seat does not hold or that cannot have the chosen suit."""
    hand = CardSet.of(state.hands[seat])
    for card in cards:
        if hand.count(card.face) == 1 < sum(1 for other in cards if other.face is card.face):
            return _refuse(state, "not_in_hand.twice", card=card.face, who=Seat(seat))
        if card.face not in hand:
            return _refuse(state, "not_in_hand", card=card.face, who=Seat(seat), hand=tuple(hand))
    for card in cards:
        if card.code not in state.kit.plays[card.face_code]:
            chosen = Suit(card.suit or "")
            reason = (
                Fact("why.suit_not_in_deck", {"suit": chosen}) if state.kit.declared >> card.face_code & 1 else Fact("why.suit_not_chosen")
            )
            return _refuse(state, "suit_not_yours_to_choose", card=card.face, suit=chosen, why=reason)
    return None


def _in_mid_bout(state: State, move: Move) -> Refusal:
    """Refuse a move that belongs to another moment of the bout."""
    if state.phase == ADD and state.taking and move.verb in ("beat", "take", "transfer", "show"):
        return _refuse(state, "not_your_turn.taking", defender=Seat(state.defender))
    return _refuse(state, "not_your_turn", move=str(move), todo=_todo(state))


def _attack(state: State, move: Move, seat: int) -> Refusal:
    cards = move.cards
    if state.phase != OPEN:
        return _refuse(state, "not_your_turn.opened", cards=cards, todo=_todo(state))
    if len(cards) > 1:
        if not state.kit.several:
            return _refuse(state, "one_card_only", cards=cards, count=len(cards))
        if len({card.rank for card in cards}) > 1:
            return _refuse(state, "same_rank_only", cards=cards)
    refusal = _not_held(state, seat, cards)
    return refusal or _refuse(state, "limit_reached.opening", cards=cards, count=len(cards), limit=state.limit)


def _who_may(state: State, seat: int, named: Sequence[int]) -> Fact:
    """Return the fact that says why a seat may not throw in."""
    if seat == state.defender:
        return Fact("why.defender", {"who": Seat(seat)})
    if state.kit.side[seat] == state.kit.side[state.defender]:
        return Fact("why.teammate")
    if not state.seats_in >> seat & 1:
        return Fact("why.out", {"who": Seat(seat)})
    if not named:
        return Fact("why.nobody")
    return Fact("why.others", {"seats": tuple(map(Seat, named))})


def _throw(state: State, move: Move, seat: int) -> Refusal:
    if state.phase == OPEN:
        return _refuse(state, "open_first")
    card = move.cards[0]
    rules, attack_count = state.kit.rules, len(state.attacks)
    allowed_seats = attack.may_throw(rules, state.attacker, state.defender, state.seats_in)
    if seat not in allowed_seats and not (allowed_seats and seat == state.defender and state.phase == DEFEND and _too_early(state)):
        return _refuse(state, "may_not_throw", who=Seat(seat), why=_who_may(state, seat, allowed_seats))
    if attack_count >= state.limit:
        return _refuse(state, "limit_reached", count=attack_count, limit=state.limit)
    if state.phase == DEFEND and _too_early(state):
        condition = Fact("why.first_beaten" if state.kit.beaten_needed == 1 else "why.all_beaten")
        unbeaten = tuple(Card.of(code) for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0)
        return _refuse(state, "too_early_to_throw", card=card, when=condition, unbeaten=unbeaten, count=len(unbeaten))
    refusal = _not_held(state, seat, move.cards)
    if refusal:
        return refusal
    on_table = {Card.of(code).rank for code in (*state.attacks, *state.beats) if code >= 0}
    if card.rank not in on_table:
        ranks = tuple(Rank(rank) for rank in "23456789TJQKAX" if rank in on_table)
        return _refuse(state, "rank_not_on_table", card=card, rank=Rank(card.rank), ranks=ranks)
    return _refuse(state, "may_not_throw", who=Seat(seat), why=Fact("why.passed", {"who": Seat(seat)}))


def _too_early(state: State) -> bool:
    return len(state.attacks) - state.unbeaten < state.kit.beaten_needed


def _pass(state: State, move: Move, seat: int) -> Refusal:  # noqa: ARG001 - as the others
    return _refuse(state, "open_first" if state.phase == OPEN else "not_your_turn.defend")


def _beat(state: State, move: Move, seat: int) -> Refusal:
    if state.phase == OPEN:
        return _refuse(state, "open_first")
    if state.phase == ADD:
        return _in_mid_bout(state, move)
    target, card = move.cards
    indexes = [index for index, code in enumerate(state.attacks) if COUNTS[code] == target.code]
    if not indexes:
        table_cards = tuple(map(Card.of, state.attacks))
        return _refuse(state, "not_on_table", card=target, table=table_cards, count=len(table_cards))
    if all(state.beats[index] >= 0 for index in indexes):
        return _refuse(state, "already_beaten", card=target, by=Card.of(state.beats[indexes[0]]))
    refusal = _not_held(state, seat, (card,))
    if refusal:
        return refusal
    code = deck_and_beating.why_not(state.kit.rules, state.suit, card.counts, target.code)
    assert code is not None  # noqa: S101 - what beats is legal
    facts: dict[str, object] = {"card": card, "target": target}
    if code == "wrong_suit":
        trumps = Fact("why.trumpless") if state.suit is None else Fact("why.trumps", {"suit": Suit(SUITS[state.suit])})
        facts |= {"suit": Suit(card.suit or ""), "trumps": trumps}
    if code == "joker_wrong_colour":
        facts["colour"] = Fact(f"why.{target.color}")
    return _refuse(state, code, **facts)


def _transfer(state: State, move: Move, seat: int) -> Refusal:
    kit, card = state.kit, move.cards[0]
    if not (kit.shows if move.verb == "show" else kit.transfers):
        return _refuse(state, "transfer_not_played.show" if move.verb == "show" else "transfer_not_played")
    if state.phase == OPEN:
        return _refuse(state, "open_first")
    if state.phase == ADD:
        return _in_mid_bout(state, move)
    if state.bout < kit.transfer_from:
        return _refuse(state, "transfer_first_bout")
    if state.unbeaten < len(state.attacks):
        return _refuse(state, "transfer_after_beating")
    refusal = _not_held(state, seat, move.cards)
    if refusal:
        return refusal
    if move.verb == "show" and (state.suit is None or card.suit != SUITS[state.suit]):
        trumps = Fact("why.no_trumps") if state.suit is None else Fact("why.only_trumps", {"suit": Suit(SUITS[state.suit])})
        return _refuse(state, "not_the_trump", card=card, trumps=trumps)
    rank = Card.of(state.attacks[0]).rank
    if card.rank != rank:
        return _refuse(state, "transfer_rank", card=card, rank=Rank(rank))
    if (seat, card.face_code) in state.shown:
        return _refuse(state, "already_shown", who=Seat(seat), card=card.face)
    count = len(state.attacks) + (move.verb == "transfer")
    next_defender, max_attacks = state_transitions.next_defender(state), state_transitions.most_for_next(state)
    return _refuse(state, "transfer_too_many", next=Seat(next_defender), count=count, limit=max_attacks)


def _take(state: State, move: Move, seat: int) -> Refusal:  # noqa: ARG001 - as the others
    if state.phase == OPEN:
        return _refuse(state, "nothing_to_take", why=Fact("why.nothing_lies"))
    if not state.unbeaten:
        return _refuse(state, "nothing_to_take", why=Fact("why.nothing_unbeaten"))
    return _in_mid_bout(state, move)


def _swap(state: State, move: Move, seat: int) -> Refusal:
    if not state.kit.swaps:
        return _refuse(state, "swap_not_played")
    if state.phase != OPEN:
        return _in_mid_bout(state, move)
    if state.swapped[seat] >= state.kit.swaps:
        reason = Fact("why.swaps_used", {"count": state.swapped[seat], "limit": state.kit.swaps})
        return _refuse(state, "swap_used_up", who=Seat(seat), why=reason)
    if state.swapped_now:
        return _refuse(state, "swap_used_up", who=Seat(seat), why=Fact("why.swapped_now"))
    count = len(state_transitions.face_down(state))
    if count < 2:
        return _refuse(state, "swap_talon", there=Fact("why.one_there" if count else "why.none_there"))
    refusal = _not_held(state, seat, move.cards)
    assert refusal is not None  # noqa: S101 - two cards of the hand may be swapped
    return refusal


_ASK: dict[Verb, Callable[[State, Move, int], Refusal]] = {
    "attack": _attack,
    "throw": _throw,
    "pass": _pass,
    "beat": _beat,
    "transfer": _transfer,
    "show": _transfer,
    "take": _take,
    "swap": _swap,
}
