"""Chooses what an opponent says after a game: one sentence in their own voice.

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
"""So many positions are looked at for each move, to see whether it gave something away."""
_LAST: Final = 12
"""So many of the last moves of others are asked about."""
_FEW: Final = 2
_SOME: Final = 3


# Of oneself
def _took(mine: Recalled) -> Facts | None:
    """Somebody took what they could have beaten."""
    for view, played in mine.mine[::-1]:
        if played.verb == "take" and beating_all(view, view.legal_moves(), prices(view)):
            return {"card": view.table.unbeaten[0]}
    return None


def _dearer(mine: Recalled) -> Facts | None:
    """Somebody attacked with a plain card, and had a smaller one; the dearest of such."""
    found = [
        played.cards[0]
        for view, played in mine.mine
        if played.verb == "attack" and len(played.cards) == 1 and min(map(prices(view), view.hand)) < prices(view)(played.cards[0]) < TRUMP
    ]
    return {"card": max(found, key=mine.price)} if found else None


def _left(mine: Recalled) -> Facts | None:
    """Somebody passed, and could have thrown in a plain card."""
    for view, played in mine.mine[::-1]:
        fits = [move.cards[0] for move in view.legal_moves() if move.verb == "throw" and prices(view)(move.cards[0]) < TRUMP]
        if played.verb == "pass" and fits:
            return {"card": fits[0]}
    return None


def _armful(mine: Recalled) -> Facts | None:
    """Somebody took many at once."""
    most = max((len(cards) for _, cards in mine.takes(mine=True)), default=0)
    return {"count": most} if most > _SOME else None


def _out(mine: Recalled) -> Facts | None:
    """Who won, with which card they went out."""
    own = [played for _, played in mine.mine if played.verb in {"attack", "throw", "transfer", "beat"}]
    single = bool(own) and len(own[-1].cards) == 1 + (own[-1].verb == "beat")
    return {"card": own[-1].cards[-1]} if single and mine.won and not mine.game.hands[mine.seat] else None


def _threw(mine: Recalled) -> Facts | None:
    """Somebody threw trumps in."""
    trumps = sum(one.seat == mine.seat and one.verb == "throw" and one.trump for one in mine.laid)
    return {"count": trumps} if trumps else None


def _highest(mine: Recalled) -> Facts | None:
    """Somebody attacked with the dearest plain card of several that they held."""
    found = []
    for view, played in mine.mine:
        price = prices(view)
        plain = sorted({price(card) for card in view.hand if price(card) < TRUMP})
        if played.verb == "attack" and len(plain) > 1 and price(played.cards[0]) == plain[-1]:
            found.append(played.cards[0])
    return {"card": max(found, key=mine.price)} if found else None


def _thrown(mine: Recalled) -> Facts | None:
    """Somebody threw several cards in."""
    count = sum(one.seat == mine.seat and one.verb == "throw" for one in mine.course)
    return {"count": count} if count >= _FEW else None


def _carried(mine: Recalled) -> Facts | None:
    """So many of the cards with which they attacked another took."""
    bouts = {bout for bout, _ in mine.takes(mine=False)}
    count = sum(one.seat == mine.seat and one.beaten is None and one.bout in bouts for one in mine.laid)
    return {"count": count} if count >= _FEW else None


def _kept(mine: Recalled) -> Facts | None:
    """Somebody is left with what they kept."""
    lately = {card.face for bout, cards in mine.takes(mine=True) if bout == mine.game.bout for card in cards}
    kept = tuple(card for card in mine.game.hands[mine.seat] if mine.price(card) >= ACE and card.face not in lately)
    return {"cards": kept} if kept else None


def _rather(mine: Recalled) -> Facts | None:
    """Somebody took rather than beat with a trump or an ace."""
    for view, played in mine.mine[::-1]:
        price = prices(view)
        plan = beating_all(view, view.legal_moves(), price) if played.verb == "take" and view.talon_count else []
        dear = [move.cards[1] for move in plan if price(move.cards[1]) >= ACE]
        if dear:
            return {"card": view.table.unbeaten[0], "kept": max(dear, key=price)}
    return None


def _treasure(mine: Recalled) -> Facts | None:
    """So many trumps and aces they held at once."""
    most = max((sum(prices(view)(card) >= ACE for card in view.hand) for view, _ in mine.mine), default=0)
    return {"count": most} if most >= _SOME else None


def _from_the_deal(mine: Recalled) -> Facts | None:
    """A trump or an ace that they were dealt, and held on to for some bouts: till when."""
    there = mine.game.copy()
    there.goto(0)
    price = prices(there.view(mine.seat))
    dealt = {card.face for card in there.hands[mine.seat] if price(card) >= ACE}
    once = [one for one in mine.laid if one.card.face in dealt and sum(one.card.face is other.card.face for other in mine.laid) == 1]
    late = max(once, key=lambda one: (one.bout, price(one.card.face)), default=None)
    moved = not mine.single or any(played.verb == "swap" for played in mine.course)
    return {"card": late.card.face, "bout": late.bout} if late and late.bout > _SOME and not moved else None


def _on_purpose(mine: Recalled) -> Facts | None:
    """Somebody took though they need not, with so many cards to come."""
    for view, played in mine.mine[::-1]:
        if played.verb == "take" and TakingOnPurpose().would_take(view):
            return {"card": max((attack for attack, _ in view.table), key=prices(view)), "count": view.talon_count}
    return None


def _again(mine: Recalled, *, own: bool, beats: bool) -> tuple[int, LaidCard] | None:
    """A card that somebody took, and when they laid it after that; of several the dearest."""
    found = []
    for bout, cards in mine.takes(mine=own):
        faces = {card.face for card in cards}
        later = (one for one in mine.laid if one.bout > bout and (one.seat == mine.seat) is own and one.card.face in faces)
        found += [(bout, one) for one in later if (one.beaten is not None) is beats]
    return max(found, key=lambda pair: mine.price(pair[1].card), default=None) if mine.single else None


def _came_in_useful(mine: Recalled) -> Facts | None:
    """With a card that they took they beat another later."""
    found = _again(mine, own=True, beats=True)
    return {"card": found[1].card, "beaten": found[1].beaten, "bout": found[0]} if found else None


def _went_with(mine: Recalled) -> Facts | None:
    """With a card that they took they attacked later."""
    found = _again(mine, own=True, beats=False)
    return {"card": found[1].card, "bout": found[0]} if found else None


def _gathered(mine: Recalled) -> Facts | None:
    """So many cards they took in all."""
    count = sum(len(cards) for _, cards in mine.takes(mine=True))
    return {"count": count} if count >= _FEW else None


def _never(mine: Recalled) -> Facts | None:
    """Somebody took nothing."""
    return None if mine.takes(mine=True) or not mine.course else {}


def _worth_it(mine: Recalled) -> Facts | None:
    """Somebody gave a trump for a plain card that is a jack or more."""
    found = [one for one in mine.laid if one.seat == mine.seat and one.trump and one.beaten is not None]
    dear = [one for one in found if one.beaten is not None and one.beaten.suit != one.card.suit and JACK <= mine.price(one.beaten) < TRUMP]
    return {"card": dear[-1].beaten, "trump": dear[-1].card} if dear else None


# Of both
def _entered(mine: Recalled) -> Facts | None:
    """So many moves, and so many bouts."""
    return {"count": len(mine.course), "bouts": mine.game.bout} if mine.course else None


def _trumps(mine: Recalled) -> Facts | None:
    """So many trumps each of two has laid."""
    laid = [one.seat == mine.seat for one in mine.laid if one.trump]
    return {"mine": sum(laid), "count": len(laid) - sum(laid)} if mine.pair and laid else None


def _discarded(mine: Recalled) -> Facts | None:
    """So many cards lie on the discard pile."""
    count = len(mine.game.discard)
    return {"count": count} if count else None


def _when_empty(mine: Recalled) -> Facts | None:
    """So many cards each of two had when the talon was gone."""
    if mine.emptied is None or not mine.pair:
        return None
    there = mine.game.copy()
    there.goto(mine.emptied)
    return {"mine": len(there.hands[mine.seat]), "count": len(there.hands[1 - mine.seat])}


def _balance(mine: Recalled) -> Facts | None:
    """So many cards each of two took."""
    own, other = (sum(len(cards) for _, cards in mine.takes(mine=one)) for one in (True, False))
    return {"mine": own, "count": other} if mine.pair and own + other else None


def _worked_out(mine: Recalled) -> Facts | None:
    """Of the last moves the first from which on it was won, whatever the other did."""
    found: Facts | None = None
    for view, played in mine.mine[: -_LAST - 1 : -1] if mine.pair and mine.won else ():
        ending = ending_of(view, _BUDGET)
        if ending is None or ending.value != 1:
            break
        found = {"card": played.cards[-1]} if played.cards else found
    return found


# Of the other
def _gift(*had: int) -> Claim:
    """The other gave away to who counts what was worth so much."""

    def given(mine: Recalled) -> Facts | None:
        if not mine.pair or not mine.won:
            return None
        for _, (view, played) in zip(range(_LAST), mine.moments(1 - mine.seat), strict=False):
            ending = ending_of(view, _BUDGET)
            if ending is None:
                return None
            worth = {str(move): value for move, value in ending.moves.items()}.get(str(played))
            if worth == -1 and ending.value in had:
                return {"card": played.cards[-1]} if played.cards else None
        return None

    return given


def _not_forgotten(mine: Recalled) -> Facts | None:
    """A card that the other took, and laid again later."""
    both = [found for beats in (True, False) if (found := _again(mine, own=False, beats=beats))] if mine.pair else []
    if not both:
        return None
    bout, one = max(both, key=lambda pair: mine.price(pair[1].card))
    return {"card": one.card, "bout": bout, "later": one.bout}


def _met(mine: Recalled) -> Facts | None:
    """The dearest card that they beat, and with which."""
    found = [(one.beaten, one.card) for one in mine.laid if one.seat == mine.seat and one.beaten is not None]
    beaten, card = max(found, key=lambda pair: mine.price(pair[0]), default=(None, None))
    return {"card": beaten, "mine": card} if card else None


def _early(mine: Recalled) -> Facts | None:
    """So many trumps the other laid as long as there was a talon."""
    count = sum(one.talon and one.seat != mine.seat and one.trump for one in mine.laid)
    return {"count": count} if mine.pair and count >= _FEW else None


def _open_book(mine: Recalled) -> Facts | None:
    """So many cards the other still held, and each of them could be known."""
    for view, _ in mine.mine:
        memory = view.memory
        if mine.pair and memory is not None and not view.talon_count:
            held = view.counts[1 - mine.seat]
            unknown = held - len(memory.known[1 - mine.seat])
            if held > 1 and unknown == len(memory.unseen):
                return {"count": held}
    return None


def _they_took(mine: Recalled) -> Facts | None:
    """So often the other took."""
    count = len(mine.takes(mine=False))
    return {"count": count} if mine.pair and count >= _FEW else None


class Recalled:
    """A game as one seat recalls it.

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
        """Whether there was one other alone, to whom one says *you*."""
        return self.game.seats == 2

    @property
    def single(self) -> bool:
        """Whether there is each card but once, so that one that is seen again is the same."""
        return not two_decks(self.game.rules)

    @cached_property
    def price(self) -> Price:
        """What a card is worth."""
        return prices(self.game.view(self.seat))

    def moments(self, seat: int) -> Iterator[tuple[View, Played]]:
        """What a seat saw before each of its moves, and the move, the latest first."""
        there = self.game.copy()
        for ply in reversed(range(len(self.course))):
            if self.course[ply].seat == seat:
                there.goto(ply)
                yield there.view(seat), self.course[ply]

    @cached_property
    def mine(self) -> tuple[tuple[View, Played], ...]:
        """One's own moments, the earliest first."""
        return tuple(self.moments(self.seat))[::-1]

    @cached_property
    def laid(self) -> tuple[LaidCard, ...]:
        """All cards that were laid, in order."""
        found, empty = [], self.emptied or 0
        for ply, played in enumerate(self.course):
            if played.verb in {"attack", "throw", "transfer", "beat"}:
                beats = played.verb == "beat"
                bout, trump = self._bout_of(ply)
                for card in played.cards[beats:]:
                    beaten = played.cards[0] if beats else None
                    found.append(
                        LaidCard(played.seat, played.verb, card, beaten, bout, ply < empty, trump is not None and card.suit == trump)
                    )
        return tuple(found)

    def _bout_of(self, ply: int) -> tuple[int, str | None]:
        """In which bout the move after so many others was made, and what was trump then."""
        at = bisect_right([end.ply for end in self.ends], ply)
        return (self.ends[at].bout, self.ends[at].trump) if at < len(self.ends) else (self.game.bout, self.game.trump)

    @cached_property
    def emptied(self) -> int | None:
        """After how many moves the talon was gone; None where it was not, or where there never was one."""
        there = self.game.copy()
        for ply in (0, *(end.ply for end in self.ends)):
            there.goto(ply)
            if not there.talon:
                return ply or None
        return None

    def takes(self, *, mine: bool) -> list[tuple[int, tuple[Card, ...]]]:
        """In which bouts somebody took, oneself or another, and what."""
        return [
            (end.bout, tuple(card for pair in end.table for card in pair if card is not None))
            for end in self.ends
            if end.taken and (end.defender == self.seat) is mine
        ]

    @property
    def won(self) -> bool:
        """Whether this seat is no loser of it."""
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
    """What it beat; nothing, where it attacked."""
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
"""What each of them may claim, by its name, what is most their own first."""


def saying(game: Game, seat: int, key: str, heard: Iterable[str] = ()) -> Fact:
    """What the opponent of that key says of a game that is over, and that they played at that seat; of what was `heard` of them before, what is longest ago.

    >>> from durak_widget import Game, bots
    >>> from durak_widget.i18n import Voice
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> first = saying(game, 1, "uncle")
    >>> print(Voice().say("sentence", said=first))
    Trumps that I threw in: 2. I hope that was of use.
    >>> saying(game, 1, "uncle", [first.key]) == first
    False
    """
    last = {fact: at for at, fact in enumerate(heard)}
    return min(sayings(game, seat, key), key=lambda fact: last.get(fact.key, -1))


def sayings(game: Game, seat: int, key: str) -> tuple[Fact, ...]:
    """All that they could say of it, what is most their own first, and how it ended last.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> [fact.key.removeprefix("people.uncle.") for fact in sayings(game, 1, "uncle")]
    ['threw', 'highest', 'carried', 'thrown', 'lost']
    """
    mine = Recalled(game, seat)
    claims = [Fact(f"people.{key}.{name}", facts) for name, claim in CLAIMS[key].items() if (facts := claim(mine)) is not None]
    return (*claims, how_it_ended(game, seat, key))


def how_it_ended(game: Game, seat: int, key: str) -> Fact:
    """What they say of how it ended, which claims nothing of what they did: also of a game that another began there.

    >>> from durak_widget import Game, bots
    >>> how_it_ended(bots.play(Game(seed=2), ["careful", "uncle"], 2), 1, "uncle").key
    'people.uncle.lost'
    """
    outcome = game.outcome
    result = "drawn" if outcome is None or not outcome.winners else "won" if seat in outcome.winners else "lost"
    return Fact(f"people.{key}.{result}")
