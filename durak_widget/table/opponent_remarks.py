"""Chooses the sentence that a named opponent (a bot) says about a game that has ended.

The opponent who makes the remark is called the speaker. A claim is a function that checks whether a remark is true, from what the speaker saw in
the game. It returns the facts for the sentence, or None if the remark is not true.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.counting_bot import solve_visible_endgame
from durak_widget.bots.heuristic_bots import ACE_PRICE, JACK_PRICE, TRUMP_PRICE, TakingBot, get_card_prices, plan_beats
from durak_widget.i18n import TranslatableText
from durak_widget.rules.deck_and_beating import has_two_decks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from durak_widget.cards import Card
    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Observation, PlayedMove

    Facts = dict[str, object]

_SEARCH_POSITIONS: Final = 20_000
"""How many endgame positions a search may visit to decide whether a move was a mistake."""
_LAST_MOVES: Final = 12
"""How many of a player's last moves are searched for a mistake or for a certain win."""
_FEW: Final = 2
_SOME: Final = 3


# --- Claims about the bot that makes the remark ---


def _claim_avoidable_take(history: SeatHistory) -> Facts | None:
    """Find a card that the bot took although it could have beaten the card."""
    for view, played in history.own_decisions[::-1]:
        if played.verb == "take" and plan_beats(view, view.legal_moves(), get_card_prices(view)):
            return {"card": view.table.unbeaten[0]}
    return None


def _claim_costly_attack(history: SeatHistory) -> Facts | None:
    """Find the highest non-trump with which the bot attacked although it had a lower card."""
    candidates = [
        played.cards[0]
        for view, played in history.own_decisions
        if played.verb == "attack"
        and len(played.cards) == 1
        and min(map(get_card_prices(view), view.hand)) < get_card_prices(view)(played.cards[0]) < TRUMP_PRICE
    ]
    return {"card": max(candidates, key=history.price)} if candidates else None


def _claim_pass_with_throw(history: SeatHistory) -> Facts | None:
    """Find a non-trump that the bot could have thrown in when the bot passed."""
    for view, played in history.own_decisions[::-1]:
        throwable = [
            move.cards[0] for move in view.legal_moves() if move.verb == "throw" and get_card_prices(view)(move.cards[0]) < TRUMP_PRICE
        ]
        if played.verb == "pass" and throwable:
            return {"card": throwable[0]}
    return None


def _claim_large_take(history: SeatHistory) -> Facts | None:
    """Find the largest number of cards that the bot took in one bout."""
    count = max((len(cards) for _, cards in history.find_takes(own=True)), default=0)
    return {"count": count} if count > _SOME else None


def _claim_last_card(history: SeatHistory) -> Facts | None:
    """Find the card with which the bot emptied its hand and won."""
    own_moves = [played for _, played in history.own_decisions if played.verb in {"attack", "throw", "transfer", "beat"}]
    is_single_card = bool(own_moves) and len(own_moves[-1].cards) == 1 + (own_moves[-1].verb == "beat")
    return {"card": own_moves[-1].cards[-1]} if is_single_card and history.has_won and not history.game.hands[history.seat] else None


def _claim_trumps_thrown_in(history: SeatHistory) -> Facts | None:
    """Count the trumps that the bot threw in."""
    trumps = sum(laid_card.seat == history.seat and laid_card.verb == "throw" and laid_card.was_trump for laid_card in history.laid_cards)
    return {"count": trumps} if trumps else None


def _claim_highest_attack(history: SeatHistory) -> Facts | None:
    """Find an attack in which the bot played the highest non-trump of its hand."""
    candidates = []
    for view, played in history.own_decisions:
        price = get_card_prices(view)
        non_trump_prices = sorted({price(card) for card in view.hand if price(card) < TRUMP_PRICE})
        if played.verb == "attack" and len(non_trump_prices) > 1 and price(played.cards[0]) == non_trump_prices[-1]:
            candidates.append(played.cards[0])
    return {"card": max(candidates, key=history.price)} if candidates else None


def _claim_cards_thrown_in(history: SeatHistory) -> Facts | None:
    """Count the cards that the bot threw in."""
    count = sum(played.seat == history.seat and played.verb == "throw" for played in history.played_moves)
    return {"count": count} if count >= _FEW else None


def _claim_attack_cards_taken(history: SeatHistory) -> Facts | None:
    """Count the bot's attacking cards that its opponents took."""
    bouts = {bout for bout, _ in history.find_takes(own=False)}
    count = sum(laid_card.seat == history.seat and laid_card.beaten is None and laid_card.bout in bouts for laid_card in history.laid_cards)
    return {"count": count} if count >= _FEW else None


def _claim_cards_left(history: SeatHistory) -> Facts | None:
    """Find the aces, trumps and jokers left in the bot's hand at the end of the game.

    Cards that the bot took in the last bout don't count.
    """
    last_taken = {card.face for bout, cards in history.find_takes(own=True) if bout == history.game.bout for card in cards}
    remaining = tuple(card for card in history.game.hands[history.seat] if history.price(card) >= ACE_PRICE and card.face not in last_taken)
    return {"cards": remaining} if remaining else None


def _claim_take_to_save_card(history: SeatHistory) -> Facts | None:
    """Find a bout in which the bot took cards to save a trump or an ace."""
    for view, played in history.own_decisions[::-1]:
        price = get_card_prices(view)
        plan = plan_beats(view, view.legal_moves(), price) if played.verb == "take" and view.talon_count else []
        valuable = [move.cards[1] for move in plan if price(move.cards[1]) >= ACE_PRICE]
        if valuable:
            return {"card": view.table.unbeaten[0], "kept": max(valuable, key=price)}
    return None


def _claim_most_high_cards(history: SeatHistory) -> Facts | None:
    """Find the largest number of trumps and aces that the bot had in its hand at one moment."""
    count = max((sum(get_card_prices(view)(card) >= ACE_PRICE for card in view.hand) for view, _ in history.own_decisions), default=0)
    return {"count": count} if count >= _SOME else None


def _claim_card_kept_from_deal(history: SeatHistory) -> Facts | None:
    """Find a trump or an ace that the bot was dealt and kept for several bouts."""
    start = history.game.copy()
    start.goto(0)
    price = get_card_prices(start.view(history.seat))
    dealt = {card.face for card in start.hands[history.seat] if price(card) >= ACE_PRICE}
    laid_once = [
        laid_card
        for laid_card in history.laid_cards
        if laid_card.card.face in dealt and sum(laid_card.card.face is other.card.face for other in history.laid_cards) == 1
    ]
    latest = max(laid_once, key=lambda laid_card: (laid_card.bout, price(laid_card.card.face)), default=None)
    is_uncertain = not history.has_unique_cards or any(played.verb == "swap" for played in history.played_moves)
    return {"card": latest.card.face, "bout": latest.bout} if latest and latest.bout > _SOME and not is_uncertain else None


def _claim_take_on_purpose(history: SeatHistory) -> Facts | None:
    """Find a bout in which the bot took cards on purpose, while the talon was not empty."""
    for view, played in history.own_decisions[::-1]:
        if played.verb == "take" and TakingBot().would_take(view):
            return {"card": max((attack for attack, _ in view.table), key=get_card_prices(view)), "count": view.talon_count}
    return None


def _find_taken_card_laid_again(history: SeatHistory, *, own: bool, beats: bool) -> tuple[int, LaidCard] | None:
    """Find the most valuable card that a player took and played again later.

    Return the bout in which the player took the card, and the later play. `own` chooses the speaker or the other players. `beats` chooses
    whether the card later beat a card or attacked.
    """
    candidates = []
    for bout, cards in history.find_takes(own=own):
        faces = {card.face for card in cards}
        laid_later = (
            laid_card
            for laid_card in history.laid_cards
            if laid_card.bout > bout and (laid_card.seat == history.seat) is own and laid_card.card.face in faces
        )
        candidates += [(bout, laid_card) for laid_card in laid_later if (laid_card.beaten is not None) is beats]
    return max(candidates, key=lambda pair: history.price(pair[1].card), default=None) if history.has_unique_cards else None


def _claim_taken_card_beats(history: SeatHistory) -> Facts | None:
    """Find a card that the bot took and later used to beat another card."""
    taken_card = _find_taken_card_laid_again(history, own=True, beats=True)
    return {"card": taken_card[1].card, "beaten": taken_card[1].beaten, "bout": taken_card[0]} if taken_card else None


def _claim_taken_card_attacks(history: SeatHistory) -> Facts | None:
    """Find a card that the bot took and later used to attack."""
    taken_card = _find_taken_card_laid_again(history, own=True, beats=False)
    return {"card": taken_card[1].card, "bout": taken_card[0]} if taken_card else None


def _claim_total_taken(history: SeatHistory) -> Facts | None:
    """Count all cards that the bot took in the game."""
    count = sum(len(cards) for _, cards in history.find_takes(own=True))
    return {"count": count} if count >= _FEW else None


def _claim_never_took(history: SeatHistory) -> Facts | None:
    """Check that the bot never took cards in the game."""
    return None if history.find_takes(own=True) or not history.played_moves else {}


def _claim_trump_for_high_card(history: SeatHistory) -> Facts | None:
    """Find a trump with which the bot beat a non-trump that was a jack or higher."""
    trumps = [
        laid_card
        for laid_card in history.laid_cards
        if laid_card.seat == history.seat and laid_card.was_trump and laid_card.beaten is not None
    ]
    valuable = [
        laid_card
        for laid_card in trumps
        if laid_card.beaten is not None
        and laid_card.beaten.suit != laid_card.card.suit
        and JACK_PRICE <= history.price(laid_card.beaten) < TRUMP_PRICE
    ]
    return {"card": valuable[-1].beaten, "trump": valuable[-1].card} if valuable else None


# --- Claims about both players ---


def _claim_moves_and_bouts(history: SeatHistory) -> Facts | None:
    """Count the moves and the bouts of the game."""
    return {"count": len(history.played_moves), "bouts": history.game.bout} if history.played_moves else None


def _claim_trumps_laid(history: SeatHistory) -> Facts | None:
    """Count the trumps that each player of a two-player game put on the table."""
    own_flags = [card.seat == history.seat for card in history.laid_cards if card.was_trump]
    return {"mine": sum(own_flags), "count": len(own_flags) - sum(own_flags)} if history.is_two_player and own_flags else None


def _claim_discard_size(history: SeatHistory) -> Facts | None:
    """Count the cards in the discard pile at the end of the game."""
    count = len(history.game.discard)
    return {"count": count} if count else None


def _claim_hands_at_empty_talon(history: SeatHistory) -> Facts | None:
    """Count the cards in both players' hands at the moment when the talon ran out."""
    if history.talon_empty_ply is None or not history.is_two_player:
        return None
    earlier = history.game.copy()
    earlier.goto(history.talon_empty_ply)
    return {"mine": len(earlier.hands[history.seat]), "count": len(earlier.hands[1 - history.seat])}


def _claim_cards_taken_by_both(history: SeatHistory) -> Facts | None:
    """Count the cards that each player of a two-player game took."""
    own_count, other_count = (sum(len(cards) for _, cards in history.find_takes(own=is_own)) for is_own in (True, False))
    return {"mine": own_count, "count": other_count} if history.is_two_player and own_count + other_count else None


def _claim_proved_win(history: SeatHistory) -> Facts | None:
    """Find the earliest of the bot's last moves that already made the bot's win certain."""
    facts: Facts | None = None
    for view, played in history.own_decisions[: -_LAST_MOVES - 1 : -1] if history.is_two_player and history.has_won else ():
        ending = solve_visible_endgame(view, _SEARCH_POSITIONS)
        if ending is None or ending.value != 1:
            break
        facts = {"card": played.cards[-1]} if played.cards else facts
    return facts


# --- Claims about the opponent of the bot that makes the remark ---


def _make_gift_claim(*values: int) -> Claim:
    """Return a function that finds the move with which the bot's opponent lost the endgame.

    `values` are the endgame values that the other player could have had: 1 for a win, 0 for a tie.
    """

    def claim(history: SeatHistory) -> Facts | None:
        if not history.is_two_player or not history.has_won:
            return None
        for _, (view, played) in zip(range(_LAST_MOVES), history.iterate_decisions(1 - history.seat), strict=False):
            ending = solve_visible_endgame(view, _SEARCH_POSITIONS)
            if ending is None:
                return None
            value_after = {str(move): value for move, value in ending.move_values.items()}.get(str(played))
            if value_after == -1 and ending.value in values:
                return {"card": played.cards[-1]} if played.cards else None
        return None

    return claim


def _claim_other_laid_again(history: SeatHistory) -> Facts | None:
    """Find a card that the bot's opponent took and later played again."""
    candidates = (
        [taken_card for beats in (True, False) if (taken_card := _find_taken_card_laid_again(history, own=False, beats=beats))]
        if history.is_two_player
        else []
    )
    if not candidates:
        return None
    bout, laid_card = max(candidates, key=lambda pair: history.price(pair[1].card))
    return {"card": laid_card.card, "bout": bout, "later": laid_card.bout}


def _claim_best_card_beaten(history: SeatHistory) -> Facts | None:
    """Find the most valuable card that the bot beat, and the bot's card that beat it."""
    beaten_cards = [
        (laid_card.beaten, laid_card.card)
        for laid_card in history.laid_cards
        if laid_card.seat == history.seat and laid_card.beaten is not None
    ]
    beaten, card = max(beaten_cards, key=lambda pair: history.price(pair[0]), default=(None, None))
    return {"card": beaten, "mine": card} if card else None


def _claim_early_trumps_of_other(history: SeatHistory) -> Facts | None:
    """Count the trumps that the bot's opponent played before the talon was empty."""
    count = sum(laid_card.had_talon and laid_card.seat != history.seat and laid_card.was_trump for laid_card in history.laid_cards)
    return {"count": count} if history.is_two_player and count >= _FEW else None


def _claim_other_hand_known(history: SeatHistory) -> Facts | None:
    """Return how many cards the bot's opponent had when the bot could first know them all."""
    for view, _ in history.own_decisions:
        memory = view.memory
        if history.is_two_player and memory is not None and not view.talon_count:
            held_count = view.counts[1 - history.seat]
            unknown = held_count - len(memory.known[1 - history.seat])
            if held_count > 1 and unknown == len(memory.unseen):
                return {"count": held_count}
    return None


def _claim_takes_of_other(history: SeatHistory) -> Facts | None:
    """Count how often the bot's opponent took cards."""
    count = len(history.find_takes(own=False))
    return {"count": count} if history.is_two_player and count >= _FEW else None


class SeatHistory:
    """A finished game, as the player in one of its seats saw it.

    >>> from durak_widget import Game, bots
    >>> history = SeatHistory(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1)
    >>> history.laid_cards[0], history.is_two_player
    (LaidCard(seat=1, verb='attack', card=Card('Ad'), beaten=None, bout=1, had_talon=True, was_trump=False), True)
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game.copy(), seat
        self.game.goto(self.game.last_ply)
        self.played_moves = self.game.history
        self.ends = self.game.view(seat).bout_ends

    @property
    def is_two_player(self) -> bool:
        """Return whether the game was played by exactly two players."""
        return self.game.seats == 2

    @property
    def has_unique_cards(self) -> bool:
        """Return whether the deck has only one copy of each card."""
        return not has_two_decks(self.game.rules)

    @cached_property
    def price(self) -> Price:
        """Return a function that rates how useful a card is (its price)."""
        return get_card_prices(self.game.view(self.seat))

    def iterate_decisions(self, seat: int) -> Iterator[tuple[Observation, PlayedMove]]:
        """Yield each move of a player with the position as this player saw it, latest first."""
        earlier = self.game.copy()
        for ply in reversed(range(len(self.played_moves))):
            if self.played_moves[ply].seat == seat:
                earlier.goto(ply)
                yield earlier.view(seat), self.played_moves[ply]

    @cached_property
    def own_decisions(self) -> tuple[tuple[Observation, PlayedMove], ...]:
        """Return each move of this player with the position as this player saw it, in order."""
        return tuple(self.iterate_decisions(self.seat))[::-1]

    @cached_property
    def laid_cards(self) -> tuple[LaidCard, ...]:
        """Return all cards that players put on the table, in the order of play."""
        laid_cards, talon_end = [], self.talon_empty_ply or 0
        for ply, played in enumerate(self.played_moves):
            if played.verb in {"attack", "throw", "transfer", "beat"}:
                beats = played.verb == "beat"
                bout, trump = self._find_bout(ply)
                for card in played.cards[beats:]:
                    beaten = played.cards[0] if beats else None
                    laid_cards.append(
                        LaidCard(played.seat, played.verb, card, beaten, bout, ply < talon_end, trump is not None and card.suit == trump)
                    )
        return tuple(laid_cards)

    def _find_bout(self, ply: int) -> tuple[int, str | None]:
        """Return the number and the trump suit of the bout in which the move at `ply` was made."""
        index = bisect_right([end.ply for end in self.ends], ply)
        return (self.ends[index].bout, self.ends[index].trump) if index < len(self.ends) else (self.game.bout, self.game.trump)

    @cached_property
    def talon_empty_ply(self) -> int | None:
        """Return the number of moves after which the talon ran out; None if it never did."""
        earlier = self.game.copy()
        for ply in (0, *(end.ply for end in self.ends)):
            earlier.goto(ply)
            if not earlier.talon:
                return ply or None
        return None

    def find_takes(self, *, own: bool) -> list[tuple[int, tuple[Card, ...]]]:
        """Return each bout in which a given player took cards, together with these cards.

        `own` chooses the takes of this seat's player; otherwise those of the other players.
        """
        return [
            (end.bout, tuple(card for pair in end.table for card in pair if card is not None))
            for end in self.ends
            if end.taken and (end.defender == self.seat) is own
        ]

    @property
    def has_won(self) -> bool:
        """Return whether the player in this seat won the game."""
        outcome = self.game.outcome
        return outcome is not None and self.seat in outcome.winners


if TYPE_CHECKING:
    Claim = Callable[[SeatHistory], Facts | None]


class LaidCard(NamedTuple):
    """A card that a player put on the table, with the time and other facts about the move."""

    seat: int
    verb: str
    card: Card
    beaten: Card | None
    """The card that this card beat; None if this card attacked."""
    bout: int
    had_talon: bool
    """True if the talon was not empty when the player put the card on the table."""
    was_trump: bool
    """True if the card was a trump when the player put it on the table."""


CLAIMS: Final[Mapping[str, Mapping[str, Claim]]] = {
    "nephew": {
        "took": _claim_avoidable_take,
        "dearer": _claim_costly_attack,
        "left": _claim_pass_with_throw,
        "armful": _claim_large_take,
        "out": _claim_last_card,
    },
    "uncle": {
        "threw": _claim_trumps_thrown_in,
        "highest": _claim_highest_attack,
        "carried": _claim_attack_cards_taken,
        "thrown": _claim_cards_thrown_in,
        "out": _claim_last_card,
    },
    "neighbour": {
        "kept": _claim_cards_left,
        "rather": _claim_take_to_save_card,
        "treasure": _claim_most_high_cards,
        "dealt": _claim_card_kept_from_deal,
    },
    "aunt": {
        "took": _claim_take_on_purpose,
        "useful": _claim_taken_card_beats,
        "went": _claim_taken_card_attacks,
        "worth": _claim_trump_for_high_card,
        "gathered": _claim_total_taken,
        "never": _claim_never_took,
        "taken": _claim_takes_of_other,
    },
    "bookkeeper": {
        "gift": _make_gift_claim(1),
        "proved": _claim_proved_win,
        "empty": _claim_hands_at_empty_talon,
        "trumps": _claim_trumps_laid,
        "balance": _claim_cards_taken_by_both,
        "discarded": _claim_discard_size,
        "entered": _claim_moves_and_bouts,
    },
    "grandmother": {
        "gift": _make_gift_claim(0, 1),
        "recalled": _claim_other_laid_again,
        "open": _claim_other_hand_known,
        "met": _claim_best_card_beaten,
        "early": _claim_early_trumps_of_other,
        "taken": _claim_takes_of_other,
    },
}
"""For each named opponent and remark, the claim that must be true for the remark; an opponent's most typical remarks come first."""


def choose_remark(game: Game, seat: int, key: str, earlier_remarks: Iterable[str] = ()) -> TranslatableText:
    """Choose a remark that an opponent can truthfully make about a finished game.

    The function prefers a remark that is not in `earlier_remarks`, and otherwise the one that the opponent made longest ago.

    >>> from durak_widget import Game, bots
    >>> from durak_widget.i18n import Translator
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> first = choose_remark(game, 1, "uncle")
    >>> print(Translator().translate("sentence", said=first))
    I threw in 2 cards of the trump suit. I hope it helped.
    >>> choose_remark(game, 1, "uncle", [first.key]) == first
    False
    """
    last_made = {remark_key: index for index, remark_key in enumerate(earlier_remarks)}
    return min(list_remarks(game, seat, key), key=lambda remark: last_made.get(remark.key, -1))


def list_remarks(game: Game, seat: int, key: str) -> tuple[TranslatableText, ...]:
    """Return all remarks that an opponent can truthfully make, the most typical one first.

    The last remark is about the result of the game.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> [fact.key.removeprefix("people.uncle.") for fact in list_remarks(game, 1, "uncle")]
    ['threw', 'highest', 'carried', 'thrown', 'lost']
    """
    history = SeatHistory(game, seat)
    claims = [
        TranslatableText(f"people.{key}.{name}", facts) for name, claim in CLAIMS[key].items() if (facts := claim(history)) is not None
    ]
    return (*claims, remark_on_result(game, seat, key))


def remark_on_result(game: Game, seat: int, key: str) -> TranslatableText:
    """Return an opponent's remark about the result of the game.

    The remark does not mention any move, so it is also true if another player made the opponent's first moves.

    >>> from durak_widget import Game, bots
    >>> remark_on_result(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1, "uncle").key
    'people.uncle.lost'
    """
    outcome = game.outcome
    result = "drawn" if outcome is None or not outcome.winners else "won" if seat in outcome.winners else "lost"
    return TranslatableText(f"people.{key}.{result}")
