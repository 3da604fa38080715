"""Remarks of an opponent after a game: one sentence in their own voice.

Every claim about the game is checked against what that player saw: the view before each of their moves, and
the cards of each bout. A claim returns its facts, or None if it is not true.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.counting_bot import ending_of
from durak_widget.bots.heuristic_bots import ACE, JACK, TRUMP, TakingOnPurpose, beating_all, prices
from durak_widget.i18n import Fact
from durak_widget.rules.deck_and_beating import two_decks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from durak_widget.cards import Card
    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Played, View

    Facts = dict[str, object]

_BUDGET: Final = 20_000
"""Positions searched for each move, to see whether it gave something away."""
_LAST: Final = 12
"""How many of the other player's last moves are checked."""
_FEW: Final = 2
_SOME: Final = 3


# About the opponent who speaks
def _took(mine: Recalled) -> Facts | None:
    """Claim a card that the player took though they could have beaten it."""
    for view, played in mine.mine[::-1]:
        if played.verb == "take" and beating_all(view, view.legal_moves(), prices(view)):
            return {"card": view.table.unbeaten[0]}
    return None


def _dearer(mine: Recalled) -> Facts | None:
    """Claim the most valuable plain card they attacked with while holding a lower one."""
    candidates = [
        played.cards[0]
        for view, played in mine.mine
        if played.verb == "attack" and len(played.cards) == 1 and min(map(prices(view), view.hand)) < prices(view)(played.cards[0]) < TRUMP
    ]
    return {"card": max(candidates, key=mine.price)} if candidates else None


def _left(mine: Recalled) -> Facts | None:
    """Claim a plain card that they could have thrown in when they passed."""
    for view, played in mine.mine[::-1]:
        throwable = [move.cards[0] for move in view.legal_moves() if move.verb == "throw" and prices(view)(move.cards[0]) < TRUMP]
        if played.verb == "pass" and throwable:
            return {"card": throwable[0]}
    return None


def _armful(mine: Recalled) -> Facts | None:
    """Claim the largest number of cards that they took at once."""
    count = max((len(cards) for _, cards in mine.takes(mine=True)), default=0)
    return {"count": count} if count > _SOME else None


def _out(mine: Recalled) -> Facts | None:
    """Claim the card with which they went out and won."""
    own = [played for _, played in mine.mine if played.verb in {"attack", "throw", "transfer", "beat"}]
    single = bool(own) and len(own[-1].cards) == 1 + (own[-1].verb == "beat")
    return {"card": own[-1].cards[-1]} if single and mine.won and not mine.game.hands[mine.seat] else None


def _threw(mine: Recalled) -> Facts | None:
    """Claim the number of trumps that they threw in."""
    trumps = sum(laid_card.seat == mine.seat and laid_card.verb == "throw" and laid_card.trump for laid_card in mine.laid)
    return {"count": trumps} if trumps else None


def _highest(mine: Recalled) -> Facts | None:
    """Claim an attack with their most valuable plain card of several."""
    candidates = []
    for view, played in mine.mine:
        price = prices(view)
        plain = sorted({price(card) for card in view.hand if price(card) < TRUMP})
        if played.verb == "attack" and len(plain) > 1 and price(played.cards[0]) == plain[-1]:
            candidates.append(played.cards[0])
    return {"card": max(candidates, key=mine.price)} if candidates else None


def _thrown(mine: Recalled) -> Facts | None:
    """Claim the number of cards that they threw in."""
    count = sum(played.seat == mine.seat and played.verb == "throw" for played in mine.course)
    return {"count": count} if count >= _FEW else None


def _carried(mine: Recalled) -> Facts | None:
    """Claim the number of their attacking cards that the other player took."""
    bouts = {bout for bout, _ in mine.takes(mine=False)}
    count = sum(laid_card.seat == mine.seat and laid_card.beaten is None and laid_card.bout in bouts for laid_card in mine.laid)
    return {"count": count} if count >= _FEW else None


def _kept(mine: Recalled) -> Facts | None:
    """Claim the valuable cards that they are left with."""
    last_taken = {card.face for bout, cards in mine.takes(mine=True) if bout == mine.game.bout for card in cards}
    remaining = tuple(card for card in mine.game.hands[mine.seat] if mine.price(card) >= ACE and card.face not in last_taken)
    return {"cards": remaining} if remaining else None


def _rather(mine: Recalled) -> Facts | None:
    """Claim that they took rather than beat with a trump or an ace."""
    for view, played in mine.mine[::-1]:
        price = prices(view)
        plan = beating_all(view, view.legal_moves(), price) if played.verb == "take" and view.talon_count else []
        valuable = [move.cards[1] for move in plan if price(move.cards[1]) >= ACE]
        if valuable:
            return {"card": view.table.unbeaten[0], "kept": max(valuable, key=price)}
    return None


def _treasure(mine: Recalled) -> Facts | None:
    """Claim the most trumps and aces that they held at once."""
    count = max((sum(prices(view)(card) >= ACE for card in view.hand) for view, _ in mine.mine), default=0)
    return {"count": count} if count >= _SOME else None


def _from_the_deal(mine: Recalled) -> Facts | None:
    """Claim a trump or an ace from the deal that they kept for some bouts."""
    start = mine.game.copy()
    start.goto(0)
    price = prices(start.view(mine.seat))
    dealt = {card.face for card in start.hands[mine.seat] if price(card) >= ACE}
    laid_once = [
        laid_card
        for laid_card in mine.laid
        if laid_card.card.face in dealt and sum(laid_card.card.face is other.card.face for other in mine.laid) == 1
    ]
    latest = max(laid_once, key=lambda laid_card: (laid_card.bout, price(laid_card.card.face)), default=None)
    is_uncertain = not mine.single or any(played.verb == "swap" for played in mine.course)
    return {"card": latest.card.face, "bout": latest.bout} if latest and latest.bout > _SOME and not is_uncertain else None


def _on_purpose(mine: Recalled) -> Facts | None:
    """Claim that they took on purpose while there were cards to come."""
    for view, played in mine.mine[::-1]:
        if played.verb == "take" and TakingOnPurpose().would_take(view):
            return {"card": max((attack for attack, _ in view.table), key=prices(view)), "count": view.talon_count}
    return None


def _again(mine: Recalled, *, own: bool, beats: bool) -> tuple[int, LaidCard] | None:
    """Return the most valuable card that a player took and laid later, with the bout.

    `own` chooses the player, and `beats` whether the card beat another or attacked.
    """
    candidates = []
    for bout, cards in mine.takes(mine=own):
        faces = {card.face for card in cards}
        laid_later = (
            laid_card
            for laid_card in mine.laid
            if laid_card.bout > bout and (laid_card.seat == mine.seat) is own and laid_card.card.face in faces
        )
        candidates += [(bout, laid_card) for laid_card in laid_later if (laid_card.beaten is not None) is beats]
    return max(candidates, key=lambda pair: mine.price(pair[1].card), default=None) if mine.single else None


def _came_in_useful(mine: Recalled) -> Facts | None:
    """Claim a card that they took and later beat another card with."""
    taken_card = _again(mine, own=True, beats=True)
    return {"card": taken_card[1].card, "beaten": taken_card[1].beaten, "bout": taken_card[0]} if taken_card else None


def _went_with(mine: Recalled) -> Facts | None:
    """Claim a card that they took and later attacked with."""
    taken_card = _again(mine, own=True, beats=False)
    return {"card": taken_card[1].card, "bout": taken_card[0]} if taken_card else None


def _gathered(mine: Recalled) -> Facts | None:
    """Claim the number of cards that they took in all."""
    count = sum(len(cards) for _, cards in mine.takes(mine=True))
    return {"count": count} if count >= _FEW else None


def _never(mine: Recalled) -> Facts | None:
    """Claim that they took nothing."""
    return None if mine.takes(mine=True) or not mine.course else {}


def _worth_it(mine: Recalled) -> Facts | None:
    """Claim a trump that they spent to beat a plain card, jack or higher."""
    trumps = [laid_card for laid_card in mine.laid if laid_card.seat == mine.seat and laid_card.trump and laid_card.beaten is not None]
    valuable = [
        laid_card
        for laid_card in trumps
        if laid_card.beaten is not None and laid_card.beaten.suit != laid_card.card.suit and JACK <= mine.price(laid_card.beaten) < TRUMP
    ]
    return {"card": valuable[-1].beaten, "trump": valuable[-1].card} if valuable else None


# About both players
def _entered(mine: Recalled) -> Facts | None:
    """Claim the number of moves and bouts."""
    return {"count": len(mine.course), "bouts": mine.game.bout} if mine.course else None


def _trumps(mine: Recalled) -> Facts | None:
    """Claim the number of trumps that each of two players laid."""
    own_flags = [card.seat == mine.seat for card in mine.laid if card.trump]
    return {"mine": sum(own_flags), "count": len(own_flags) - sum(own_flags)} if mine.pair and own_flags else None


def _discarded(mine: Recalled) -> Facts | None:
    """Claim the number of cards on the discard pile."""
    count = len(mine.game.discard)
    return {"count": count} if count else None


def _when_empty(mine: Recalled) -> Facts | None:
    """Claim the hand sizes of two players when the talon ran out."""
    if mine.emptied is None or not mine.pair:
        return None
    earlier = mine.game.copy()
    earlier.goto(mine.emptied)
    return {"mine": len(earlier.hands[mine.seat]), "count": len(earlier.hands[1 - mine.seat])}


def _balance(mine: Recalled) -> Facts | None:
    """Claim the number of cards that each of two players took."""
    own, other = (sum(len(cards) for _, cards in mine.takes(mine=is_own)) for is_own in (True, False))
    return {"mine": own, "count": other} if mine.pair and own + other else None


def _worked_out(mine: Recalled) -> Facts | None:
    """Claim the earliest of the last moves from which on the win was certain."""
    facts: Facts | None = None
    for view, played in mine.mine[: -_LAST - 1 : -1] if mine.pair and mine.won else ():
        ending = ending_of(view, _BUDGET)
        if ending is None or ending.value != 1:
            break
        facts = {"card": played.cards[-1]} if played.cards else facts
    return facts


# About the other player
def _gift(*had: int) -> Claim:
    """Return a claim of a move by which the other player gave away a result in `had`."""

    def claim(mine: Recalled) -> Facts | None:
        if not mine.pair or not mine.won:
            return None
        for _, (view, played) in zip(range(_LAST), mine.moments(1 - mine.seat), strict=False):
            ending = ending_of(view, _BUDGET)
            if ending is None:
                return None
            value_after = {str(move): value for move, value in ending.moves.items()}.get(str(played))
            if value_after == -1 and ending.value in had:
                return {"card": played.cards[-1]} if played.cards else None
        return None

    return claim


def _not_forgotten(mine: Recalled) -> Facts | None:
    """Claim a card that the other player took and laid again later."""
    candidates = [taken_card for beats in (True, False) if (taken_card := _again(mine, own=False, beats=beats))] if mine.pair else []
    if not candidates:
        return None
    bout, laid_card = max(candidates, key=lambda pair: mine.price(pair[1].card))
    return {"card": laid_card.card, "bout": bout, "later": laid_card.bout}


def _met(mine: Recalled) -> Facts | None:
    """Claim the most valuable card that they beat, and the card that beat it."""
    beaten_cards = [
        (laid_card.beaten, laid_card.card) for laid_card in mine.laid if laid_card.seat == mine.seat and laid_card.beaten is not None
    ]
    beaten, card = max(beaten_cards, key=lambda pair: mine.price(pair[0]), default=(None, None))
    return {"card": beaten, "mine": card} if card else None


def _early(mine: Recalled) -> Facts | None:
    """Claim the number of trumps that the other player laid while there was a talon."""
    count = sum(laid_card.talon and laid_card.seat != mine.seat and laid_card.trump for laid_card in mine.laid)
    return {"count": count} if mine.pair and count >= _FEW else None


def _open_book(mine: Recalled) -> Facts | None:
    """Claim the size of the other hand when each of its cards could be known."""
    for view, _ in mine.mine:
        memory = view.memory
        if mine.pair and memory is not None and not view.talon_count:
            held_count = view.counts[1 - mine.seat]
            unknown = held_count - len(memory.known[1 - mine.seat])
            if held_count > 1 and unknown == len(memory.unseen):
                return {"count": held_count}
    return None


def _they_took(mine: Recalled) -> Facts | None:
    """Claim how often the other player took."""
    count = len(mine.takes(mine=False))
    return {"count": count} if mine.pair and count >= _FEW else None


class Recalled:
    """A finished game as one seat saw it.

    >>> from durak_widget import Game, bots
    >>> mine = Recalled(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1)
    >>> mine.laid[0], mine.pair
    (LaidCard(seat=1, verb='attack', card=Card('Ad'), beaten=None, bout=1, talon=True, trump=False), True)
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game.copy(), seat
        self.game.goto(self.game.last_ply)
        self.course = self.game.course
        self.ends = self.game.view(seat).ends

    @property
    def pair(self) -> bool:
        """Return whether there were only two players."""
        return self.game.seats == 2

    @property
    def single(self) -> bool:
        """Return whether each card exists only once, so that it can be followed."""
        return not two_decks(self.game.rules)

    @cached_property
    def price(self) -> Price:
        """Return the function that values a card."""
        return prices(self.game.view(self.seat))

    def moments(self, seat: int) -> Iterator[tuple[View, Played]]:
        """Yield what a seat saw before each of its moves, and the move, the latest first."""
        earlier = self.game.copy()
        for ply in reversed(range(len(self.course))):
            if self.course[ply].seat == seat:
                earlier.goto(ply)
                yield earlier.view(seat), self.course[ply]

    @cached_property
    def mine(self) -> tuple[tuple[View, Played], ...]:
        """Return the seat's own views and moves, the earliest first."""
        return tuple(self.moments(self.seat))[::-1]

    @cached_property
    def laid(self) -> tuple[LaidCard, ...]:
        """Return all cards that were laid, in order."""
        laid_cards, talon_end = [], self.emptied or 0
        for ply, played in enumerate(self.course):
            if played.verb in {"attack", "throw", "transfer", "beat"}:
                beats = played.verb == "beat"
                bout, trump = self._bout_of(ply)
                for card in played.cards[beats:]:
                    beaten = played.cards[0] if beats else None
                    laid_cards.append(
                        LaidCard(played.seat, played.verb, card, beaten, bout, ply < talon_end, trump is not None and card.suit == trump)
                    )
        return tuple(laid_cards)

    def _bout_of(self, ply: int) -> tuple[int, str | None]:
        """Return the bout of the move at `ply`, and the trump suit then."""
        index = bisect_right([end.ply for end in self.ends], ply)
        return (self.ends[index].bout, self.ends[index].trump) if index < len(self.ends) else (self.game.bout, self.game.trump)

    @cached_property
    def emptied(self) -> int | None:
        """Return the ply at which the talon ran out, or None if it never did or never existed."""
        earlier = self.game.copy()
        for ply in (0, *(end.ply for end in self.ends)):
            earlier.goto(ply)
            if not earlier.talon:
                return ply or None
        return None

    def takes(self, *, mine: bool) -> list[tuple[int, tuple[Card, ...]]]:
        """Return the bouts in which this seat (or, if not `mine`, another) took, and the cards."""
        return [
            (end.bout, tuple(card for pair in end.table for card in pair if card is not None))
            for end in self.ends
            if end.taken and (end.defender == self.seat) is mine
        ]

    @property
    def won(self) -> bool:
        """Return whether this seat is a winner."""
        outcome = self.game.outcome
        return outcome is not None and self.seat in outcome.winners


if TYPE_CHECKING:
    Claim = Callable[[Recalled], Facts | None]


class LaidCard(NamedTuple):
    """A card that was laid on the table."""

    seat: int
    verb: str
    card: Card
    beaten: Card | None
    """The card that it beat; None if it attacked."""
    bout: int
    talon: bool
    """Whether there was a talon then."""
    trump: bool
    """Whether the card was a trump then."""


CLAIMS: Final[Mapping[str, Mapping[str, Claim]]] = {
    "nephew": {"took": _took, "dearer": _dearer, "left": _left, "armful": _armful, "out": _out},
    "uncle": {"threw": _threw, "highest": _highest, "carried": _carried, "thrown": _thrown, "out": _out},
    "neighbour": {"kept": _kept, "rather": _rather, "treasure": _treasure, "dealt": _from_the_deal},
    "aunt": {
        "took": _on_purpose,
        "useful": _came_in_useful,
        "went": _went_with,
        "worth": _worth_it,
        "gathered": _gathered,
        "never": _never,
        "taken": _they_took,
    },
    "bookkeeper": {
        "gift": _gift(1),
        "proved": _worked_out,
        "empty": _when_empty,
        "trumps": _trumps,
        "balance": _balance,
        "discarded": _discarded,
        "entered": _entered,
    },
    "grandmother": {"gift": _gift(0, 1), "recalled": _not_forgotten, "open": _open_book, "met": _met, "early": _early, "taken": _they_took},
}
"""The claims of each opponent by name, the most typical first."""


def saying(game: Game, seat: int, key: str, heard: Iterable[str] = ()) -> Fact:
    """Return a remark of an opponent about a finished game.

    Of several, it is the one `heard` longest ago.

    >>> from durak_widget import Game, bots
    >>> from durak_widget.i18n import Voice
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> first = saying(game, 1, "uncle")
    >>> print(Voice().say("sentence", said=first))
    Trumps that I threw in: 2. I hope that was of use.
    >>> saying(game, 1, "uncle", [first.key]) == first
    False
    """
    last_heard = {fact: index for index, fact in enumerate(heard)}
    return min(sayings(game, seat, key), key=lambda fact: last_heard.get(fact.key, -1))


def sayings(game: Game, seat: int, key: str) -> tuple[Fact, ...]:
    """Return all remarks they could make, the most typical first and the result last.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> [fact.key.removeprefix("people.uncle.") for fact in sayings(game, 1, "uncle")]
    ['threw', 'highest', 'carried', 'thrown', 'lost']
    """
    history = Recalled(game, seat)
    claims = [Fact(f"people.{key}.{name}", facts) for name, claim in CLAIMS[key].items() if (facts := claim(history)) is not None]
    return (*claims, how_it_ended(game, seat, key))


def how_it_ended(game: Game, seat: int, key: str) -> Fact:
    """Return their remark on the result alone.

    It claims nothing about their moves, so it also fits a game that another player began.

    >>> from durak_widget import Game, bots
    >>> how_it_ended(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1, "uncle").key
    'people.uncle.lost'
    """
    outcome = game.outcome
    result = "drawn" if outcome is None or not outcome.winners else "won" if seat in outcome.winners else "lost"
    return Fact(f"people.{key}.{result}")
