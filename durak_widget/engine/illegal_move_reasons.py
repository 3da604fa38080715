"""Finds out why a move is illegal: the first rule that the move breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import SUITS, Card, CardSet
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import EFFECTIVE_FACES
from durak_widget.engine.moves import Refusal
from durak_widget.engine.outcome_wording import build_outcome_fact
from durak_widget.engine.state import PHASE_DEFEND, PHASE_OPEN, PHASE_THROW_IN
from durak_widget.i18n import Rank, Seat, Suit, TranslatableText
from durak_widget.rules import attack, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.moves import Move, Verb
    from durak_widget.engine.state import State

_MAX_MOVES_NAMED = 6


def find_refusal(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """Return the reason why a move is illegal for a seat; None if the move is legal.

    Without `seat`, the function checks the move for the seat whose turn it is.
    """
    if state.actor is None:
        assert state.outcome is not None  # noqa: S101 - what is over has an outcome
        return Refusal("game_over", {"result": build_outcome_fact(state.outcome)})
    asking_seat = state.actor if seat is None else seat
    if asking_seat == state.actor and move in state_transitions.legal_moves(state):
        return None
    if seat is not None and seat != state.actor and not (move.verb == "throw" and seat != state.defender and state.phase == PHASE_DEFEND):
        return Refusal("not_your_turn.seat", {"who": Seat(seat), "actor": Seat(state.actor), "todo": _build_todo_fact(state)})
    refusal = _REFUSAL_BY_VERB[move.verb](state, move, asking_seat)
    return (
        refusal
        if asking_seat == state.actor
        else Refusal(refusal.key, {name: fact for name, fact in refusal.facts.items() if name != "may"})
    )


def _build_todo_fact(state: State) -> TranslatableText:
    """Return a translatable text that says what the player to move has to do."""
    return TranslatableText({PHASE_OPEN: "todo.open", PHASE_DEFEND: "todo.beat"}.get(state.phase, "todo.throw"))


def _build_allowed_moves_fact(state: State, actor: Seat) -> TranslatableText:
    """Return a translatable text that lists the legal moves of the player to move."""
    legal = state_transitions.legal_moves(state)
    key = "may.some" if len(legal) > _MAX_MOVES_NAMED else "may"
    return TranslatableText(key, {"who": actor, "moves": tuple(map(str, legal[:_MAX_MOVES_NAMED])), "count": len(legal)})


def _build_refusal(state: State, key: str, /, **facts: object) -> Refusal:
    """Build the reason why a move is illegal; add whose turn it is and which moves are legal."""
    assert state.actor is not None  # noqa: S101 - nobody is asked after the end
    actor = Seat(state.actor)
    return Refusal(key, {"who": actor, "may": _build_allowed_moves_fact(state, actor), **facts})


def _refuse_cards_not_held(state: State, seat: int, cards: Sequence[Card]) -> Refusal | None:
    """Return why a player cannot play a move's cards: a card is missing or has a wrong suit.

    Return None if the hand allows all of them.
    """
    hand = CardSet.from_mask(state.hands[seat])
    for card in cards:
        if hand.count(card.face) == 1 < sum(1 for other_card in cards if other_card.face is card.face):
            return _build_refusal(state, "not_in_hand.twice", card=card.face, who=Seat(seat))
        if card.face not in hand:
            return _build_refusal(state, "not_in_hand", card=card.face, who=Seat(seat), hand=tuple(hand))
    for card in cards:
        if card.code not in state.compiled_rules.played_codes[card.face_code]:
            chosen_suit = Suit(card.suit or "")
            reason = (
                TranslatableText("why.suit_not_in_deck", {"suit": chosen_suit})
                if state.compiled_rules.free_suit_faces >> card.face_code & 1
                else TranslatableText("why.suit_not_chosen")
            )
            return _build_refusal(state, "suit_not_yours_to_choose", who=Seat(seat), card=card.face, suit=chosen_suit, why=reason)
    return None


def _refuse_wrong_moment(state: State, move: Move) -> Refusal:
    """Return the reason for refusing a kind of move that is impossible at this moment."""
    if state.phase == PHASE_THROW_IN and state.taking and move.verb in ("beat", "take", "transfer", "show"):
        return _build_refusal(state, "not_your_turn.taking", defender=Seat(state.defender))
    return _build_refusal(state, "not_your_turn", move=str(move), todo=_build_todo_fact(state))


def _refuse_attack(state: State, move: Move, seat: int) -> Refusal:
    cards = move.cards
    if state.phase != PHASE_OPEN:
        return _build_refusal(state, "not_your_turn.opened", cards=cards, todo=_build_todo_fact(state))
    if len(cards) > 1:
        if not state.compiled_rules.can_open_with_several:
            return _build_refusal(state, "one_card_only", cards=cards, count=len(cards))
        if len({card.rank for card in cards}) > 1:
            return _build_refusal(state, "same_rank_only", cards=cards)
    refusal = _refuse_cards_not_held(state, seat, cards)
    return refusal or _build_refusal(state, "limit_reached.opening", cards=cards, count=len(cards), limit=state.limit)


def _build_no_throw_reason(state: State, seat: int, allowed_seats: Sequence[int]) -> TranslatableText:
    """Return a translatable text that says why a player may not throw in cards."""
    if seat == state.defender:
        return TranslatableText("why.defender", {"who": Seat(seat)})
    if state.compiled_rules.side_of_seat[seat] == state.compiled_rules.side_of_seat[state.defender]:
        return TranslatableText("why.teammate")
    if not state.seats_in >> seat & 1:
        return TranslatableText("why.out", {"who": Seat(seat)})
    if not allowed_seats:
        return TranslatableText("why.nobody")
    return TranslatableText("why.others", {"seats": tuple(map(Seat, allowed_seats))})


def _refuse_throw(state: State, move: Move, seat: int) -> Refusal:
    if state.phase == PHASE_OPEN:
        return _build_refusal(state, "open_first")
    card = move.cards[0]
    rules, attack_count = state.compiled_rules.rules, len(state.attacks)
    allowed_seats = attack.list_throwers(rules, state.attacker, state.defender, state.seats_in)
    if seat not in allowed_seats and not (
        allowed_seats and seat == state.defender and state.phase == PHASE_DEFEND and _is_too_early_to_throw(state)
    ):
        return _build_refusal(state, "may_not_throw", who=Seat(seat), why=_build_no_throw_reason(state, seat, allowed_seats))
    if attack_count >= state.limit:
        return _build_refusal(state, "limit_reached", who=Seat(seat), count=attack_count, limit=state.limit)
    if state.phase == PHASE_DEFEND and _is_too_early_to_throw(state):
        condition = TranslatableText("why.first_beaten" if state.compiled_rules.min_beaten_to_throw == 1 else "why.all_beaten")
        unbeaten = tuple(Card.from_code(code) for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0)
        return _build_refusal(
            state, "too_early_to_throw", who=Seat(seat), card=card, when=condition, unbeaten=unbeaten, count=len(unbeaten)
        )
    refusal = _refuse_cards_not_held(state, seat, move.cards)
    if refusal:
        return refusal
    on_table = {Card.from_code(code).rank for code in (*state.attacks, *state.beats) if code >= 0}
    if card.rank not in on_table:
        ranks = tuple(Rank(rank) for rank in "23456789TJQKAX" if rank in on_table)
        return _build_refusal(state, "rank_not_on_table", who=Seat(seat), card=card, rank=Rank(card.rank), ranks=ranks)
    return _build_refusal(state, "may_not_throw", who=Seat(seat), why=TranslatableText("why.passed", {"who": Seat(seat)}))


def _is_too_early_to_throw(state: State) -> bool:
    return len(state.attacks) - state.unbeaten_count < state.compiled_rules.min_beaten_to_throw


def _refuse_pass(state: State, move: Move, seat: int) -> Refusal:  # noqa: ARG001 - as the others
    return _build_refusal(state, "open_first" if state.phase == PHASE_OPEN else "not_your_turn.defend")


def _refuse_beat(state: State, move: Move, seat: int) -> Refusal:
    if state.phase == PHASE_OPEN:
        return _build_refusal(state, "open_first")
    if state.phase == PHASE_THROW_IN:
        return _refuse_wrong_moment(state, move)
    target, card = move.cards
    indexes = [index for index, code in enumerate(state.attacks) if EFFECTIVE_FACES[code] == target.code]
    if not indexes:
        table_cards = tuple(map(Card.from_code, state.attacks))
        return _build_refusal(state, "not_on_table", card=target, table=table_cards, count=len(table_cards))
    if all(state.beats[index] >= 0 for index in indexes):
        return _build_refusal(state, "already_beaten", card=target, by=Card.from_code(state.beats[indexes[0]]))
    refusal = _refuse_cards_not_held(state, seat, (card,))
    if refusal:
        return refusal
    code = deck_and_beating.reason_not_to_beat(state.compiled_rules.rules, state.trump_suit, card.effective_face, target.code)
    assert code is not None  # noqa: S101 - what beats is legal
    facts: dict[str, object] = {"card": card, "target": target}
    if code == "wrong_suit":
        trumps = (
            TranslatableText("why.trumpless")
            if state.trump_suit is None
            else TranslatableText("why.trumps", {"suit": Suit(SUITS[state.trump_suit])})
        )
        facts |= {"suit": Suit(card.suit or ""), "trumps": trumps}
    if code == "joker_wrong_colour":
        facts["colour"] = TranslatableText(f"why.{target.color}")
    return _build_refusal(state, code, **facts)


def _refuse_transfer(state: State, move: Move, seat: int) -> Refusal:
    compiled, card = state.compiled_rules, move.cards[0]
    if not (compiled.can_transfer_by_showing if move.verb == "show" else compiled.has_transfers):
        return _build_refusal(state, "transfer_not_played.show" if move.verb == "show" else "transfer_not_played")
    if state.phase == PHASE_OPEN:
        return _build_refusal(state, "open_first")
    if state.phase == PHASE_THROW_IN:
        return _refuse_wrong_moment(state, move)
    if state.bout < compiled.first_transfer_bout:
        return _build_refusal(state, "transfer_first_bout")
    if state.unbeaten_count < len(state.attacks):
        return _build_refusal(state, "transfer_after_beating")
    refusal = _refuse_cards_not_held(state, seat, move.cards)
    if refusal:
        return refusal
    if move.verb == "show" and (state.trump_suit is None or card.suit != SUITS[state.trump_suit]):
        trumps = (
            TranslatableText("why.no_trumps")
            if state.trump_suit is None
            else TranslatableText("why.only_trumps", {"suit": Suit(SUITS[state.trump_suit])})
        )
        return _build_refusal(state, "not_the_trump", card=card, trumps=trumps)
    rank = Card.from_code(state.attacks[0]).rank
    if card.rank != rank:
        return _build_refusal(state, "transfer_rank", card=card, rank=Rank(rank))
    if (seat, card.face_code) in state.shown_trumps:
        return _build_refusal(state, "already_shown", who=Seat(seat), card=card.face)
    count = len(state.attacks) + (move.verb == "transfer")
    next_defender, max_attacks = state_transitions.find_next_defender(state), state_transitions.max_transferable_attacks(state)
    return _build_refusal(state, "transfer_too_many", next=Seat(next_defender), count=count, limit=max_attacks)


def _refuse_take(state: State, move: Move, seat: int) -> Refusal:  # noqa: ARG001 - as the others
    if state.phase == PHASE_OPEN:
        return _build_refusal(state, "nothing_to_take", why=TranslatableText("why.nothing_lies"))
    if not state.unbeaten_count:
        return _build_refusal(state, "nothing_to_take", why=TranslatableText("why.nothing_unbeaten"))
    return _refuse_wrong_moment(state, move)


def _refuse_swap(state: State, move: Move, seat: int) -> Refusal:
    if not state.compiled_rules.max_swaps:
        return _build_refusal(state, "swap_not_played")
    if state.phase != PHASE_OPEN:
        return _refuse_wrong_moment(state, move)
    if state.swap_counts[seat] >= state.compiled_rules.max_swaps:
        reason = TranslatableText("why.swaps_used", {"count": state.swap_counts[seat], "limit": state.compiled_rules.max_swaps})
        return _build_refusal(state, "swap_used_up", who=Seat(seat), why=reason)
    if state.has_swapped:
        return _build_refusal(state, "swap_used_up", who=Seat(seat), why=TranslatableText("why.swapped_now"))
    count = len(state_transitions.face_down_talon(state))
    if count < 2:
        return _build_refusal(state, "swap_talon", there=TranslatableText("why.one_there" if count else "why.none_there"))
    refusal = _refuse_cards_not_held(state, seat, move.cards)
    assert refusal is not None  # noqa: S101 - two cards of the hand may be swapped
    return refusal


_REFUSAL_BY_VERB: dict[Verb, Callable[[State, Move, int], Refusal]] = {
    "attack": _refuse_attack,
    "throw": _refuse_throw,
    "pass": _refuse_pass,
    "beat": _refuse_beat,
    "transfer": _refuse_transfer,
    "show": _refuse_transfer,
    "take": _refuse_take,
    "swap": _refuse_swap,
}
