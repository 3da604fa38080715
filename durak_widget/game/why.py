"""Why a move is refused: asked only when one is, and answered with the first rule that it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import RANK_NAMES, SUIT_NAMES, SUITS, Card, CardSet
from durak_widget.game import engine, swapping
from durak_widget.game.kit import COUNTS
from durak_widget.game.refusal import Refusal
from durak_widget.game.state import ADD, DEFEND, OPEN
from durak_widget.rules import beating, throwing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.game.moves import Move
    from durak_widget.game.state import State

_MOST_NAMED = 6


def why_not(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """The reason why this seat (the one to act, if none is named) may not make the move now; None if it may."""
    if state.actor is None:
        return Refusal("game_over", {"result": str(state.outcome)})
    asker = state.actor if seat is None else seat
    if asker == state.actor and move in engine.legal_moves(state):
        return None
    if seat is not None and seat != state.actor and not (move.verb == "throw" and seat != state.defender and state.phase == DEFEND):
        return Refusal("not_your_turn.seat", {"seat": str(seat), "actor": str(state.actor), "role": _role(state)})
    refusal = _ASK[move.verb](state, move, asker)
    return refusal if asker == state.actor else Refusal(refusal.key, {**refusal.facts, "may": ""})


def _role(state: State) -> str:
    if state.phase == OPEN:
        return "to open the attack"
    if state.phase == DEFEND:
        return "to beat or take"
    return "to throw in or pass"


def _may(state: State) -> str:
    """What the seat to act may do instead, which is for its own eyes."""
    legal = engine.legal_moves(state)
    named = ", ".join(map(str, legal[:_MOST_NAMED]))
    more = f" … ({len(legal)} moves)" if len(legal) > _MOST_NAMED else ""
    return f"Seat {state.actor} may: {named}{more}"


def _refuse(state: State, key: str, **facts: object) -> Refusal:
    return Refusal(key, {"may": _may(state), "actor": str(state.actor), **{name: str(fact) for name, fact in facts.items()}})


def _listed(items: Sequence[object], none: str) -> str:
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:]) or none


def _not_held(state: State, seat: int, cards: Sequence[Card]) -> Refusal | None:
    """The first card that the seat does not hold, or that cannot be played in the suit chosen."""
    hand = CardSet.of(state.hands[seat])
    for card in cards:
        if hand.count(card.face) == 1 < sum(1 for other in cards if other.face is card.face):
            return _refuse(state, "not_in_hand.twice", card=card.face, seat=seat)
        if card.face not in hand:
            return _refuse(state, "not_in_hand", card=card.face, seat=seat, hand=str(hand) or "no cards")
    for card in cards:
        if card.code not in state.kit.plays[card.face_code]:
            chosen = SUIT_NAMES[card.suit or ""]
            why = (
                f"the deck has no {chosen}"
                if state.kit.declared >> card.face_code & 1
                else "it is not a card whose suit is chosen under these rules"
            )
            return _refuse(state, "suit_not_yours_to_choose", card=card.face, chosen=chosen, why=why)
    return None


def _in_mid_bout(state: State, move: Move) -> Refusal:
    """A move that is for another moment of the bout."""
    if state.phase == ADD and state.taking and move.verb in ("beat", "take", "transfer", "show"):
        return _refuse(state, "not_your_turn.taking", defender=state.defender)
    return _refuse(state, "not_your_turn", move=move, role=_role(state))


def _attack(state: State, move: Move, seat: int) -> Refusal:
    cards = move.cards
    if state.phase != OPEN:
        return _refuse(state, "not_your_turn.opened", cards=_listed(cards, ""), role=_role(state))
    if len(cards) > 1:
        if not state.kit.several:
            return _refuse(state, "one_card_only", cards=_listed(cards, ""), count=len(cards))
        if len({card.rank for card in cards}) > 1:
            return _refuse(state, "same_rank_only", cards=_listed(cards, ""))
    missing = _not_held(state, seat, cards)
    return missing or _refuse(state, "limit_reached.opening", cards=_listed(cards, ""), count=len(cards), limit=state.limit)


def _who_may(state: State, seat: int, named: Sequence[int]) -> str:
    """Why a seat is not among those who may throw in."""
    if seat == state.defender:
        return "the defender does not throw in on itself"
    if state.kit.side[seat] == state.kit.side[state.defender]:
        return "nobody throws in on a teammate"
    if not state.seats_in >> seat & 1:
        return "it is out"
    if not named:
        return "nobody may under these rules"
    return f"under these rules only {_listed([f'seat {s}' for s in named], '')} may now"


def _throw(state: State, move: Move, seat: int) -> Refusal:
    if state.phase == OPEN:
        return _refuse(state, "open_first")
    card = move.cards[0]
    rules, laid = state.kit.rules, len(state.attacks)
    named = throwing.may_throw(rules, state.attacker, state.defender, state.seats_in)
    if seat not in named and not (named and seat == state.defender and state.phase == DEFEND and _too_early(state)):
        return _refuse(state, "may_not_throw", seat=seat, who=_who_may(state, seat, named))
    if laid >= state.limit:
        return _refuse(state, "limit_reached", count=laid, limit=state.limit)
    if state.phase == DEFEND and _too_early(state):
        when = (
            "cards are thrown in once one is beaten"
            if state.kit.beaten_needed == 1
            else "cards are thrown in when every card on the table is beaten"
        )
        unbeaten = [_counting(Card.of(code)) for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
        verb = "is" if len(unbeaten) == 1 else "are"
        return _refuse(state, "too_early_to_throw", card=card, when=when, unbeaten=_listed(unbeaten, ""), verb=verb)
    missing = _not_held(state, seat, move.cards)
    if missing:
        return missing
    on_table = {Card.of(code).rank for code in (*state.attacks, *state.beats) if code >= 0}
    if card.rank not in on_table:
        ranks = _listed([_rank(rank) for rank in "23456789TJQKAX" if rank in on_table], "none")
        return _refuse(state, "rank_not_on_table", card=card, rank=_rank(card.rank), ranks=ranks)
    return _refuse(state, "may_not_throw", seat=seat, who="it has passed already")


def _counting(card: Card) -> str:
    """An attacking card as a move names it, with how it was played: `6h (6d=h)`."""
    return str(card) if card is card.face else f"{Card.of(card.counts)} ({card})"


def _too_early(state: State) -> bool:
    return len(state.attacks) - state.unbeaten < state.kit.beaten_needed


def _rank(rank: str) -> str:
    return RANK_NAMES[rank]


def _pass(state: State, move: Move, seat: int) -> Refusal:  # noqa: ARG001 - as the others
    return _refuse(state, "open_first" if state.phase == OPEN else "not_your_turn.defend")


def _beat(state: State, move: Move, seat: int) -> Refusal:
    if state.phase == OPEN:
        return _refuse(state, "open_first")
    if state.phase == ADD:
        return _in_mid_bout(state, move)
    target, card = move.cards
    places = [i for i, code in enumerate(state.attacks) if COUNTS[code] == target.code]
    if not places:
        lying = [_counting(Card.of(code)) for code in state.attacks]
        return _refuse(state, "not_on_table", card=target, table=_listed(lying, ""), verb="lies" if len(lying) == 1 else "lie")
    if all(state.beats[i] >= 0 for i in places):
        return _refuse(state, "already_beaten", card=target, by=Card.of(state.beats[places[0]]))
    missing = _not_held(state, seat, (card,))
    if missing:
        return missing
    code = beating.why_not(state.kit.rules, state.suit, card.counts, target.code)
    assert code is not None  # noqa: S101 - what beats is legal
    trumps = f"{SUIT_NAMES[SUITS[state.suit]]} are" if state.suit is not None else "there are none"
    return _refuse(state, code, card=card, target=target, suit=SUIT_NAMES.get(card.suit or "", ""), trumps=trumps, colour=target.color)


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
    missing = _not_held(state, seat, move.cards)
    if missing:
        return missing
    if move.verb == "show" and (state.suit is None or card.suit != SUITS[state.suit]):
        trumps = f"trumps are {SUIT_NAMES[SUITS[state.suit]]}" if state.suit is not None else "there are no trumps"
        return _refuse(state, "not_the_trump", card=card, trumps=trumps)
    rank = Card.of(state.attacks[0]).rank
    if card.rank != rank:
        return _refuse(state, "transfer_rank", card=card, rank=_rank(rank))
    if (seat, card.face_code) in state.shown:
        return _refuse(state, "already_shown", seat=seat, card=card.face)
    count = len(state.attacks) + (move.verb == "transfer")
    after, most = engine.next_defender(state), engine.most_for_next(state)
    return _refuse(state, "transfer_too_many", next=after, count=count, s="" if count == 1 else "s", limit=most)


def _take(state: State, move: Move, seat: int) -> Refusal:  # noqa: ARG001 - as the others
    if state.phase == OPEN:
        return _refuse(state, "nothing_to_take", why="no card lies on the table")
    if not state.unbeaten:
        return _refuse(state, "nothing_to_take", why="every card on the table is beaten")
    return _in_mid_bout(state, move)


def _swap(state: State, move: Move, seat: int) -> Refusal:
    if not state.kit.swaps:
        return _refuse(state, "swap_not_played")
    if state.phase != OPEN:
        return _in_mid_bout(state, move)
    if state.swapped[seat] >= state.kit.swaps:
        return _refuse(state, "swap_used_up", seat=seat, why=f"{state.swapped[seat]} of {state.kit.swaps} in this game are used")
    if state.swapped_now:
        return _refuse(state, "swap_used_up", seat=seat, why="one is allowed before a bout, and it has been made")
    count = len(swapping.face_down(state))
    if count < 2:
        there = "only one is" if count else "none is"
        return _refuse(state, "swap_talon", there=there)
    missing = _not_held(state, seat, move.cards)
    assert missing is not None  # noqa: S101 - two cards of the hand may be swapped
    return missing


_ASK: dict[str, Callable[[State, Move, int], Refusal]] = {
    "attack": _attack,
    "throw": _throw,
    "pass": _pass,
    "beat": _beat,
    "transfer": _transfer,
    "show": _transfer,
    "take": _take,
    "swap": _swap,
}
