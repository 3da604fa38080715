"""What deal and draws brought in a game, to be taken off its score: the same is expected of everybody however they play, so that no score is favoured.

What a card is worth was fitted on other games beforehand (`tools/luck.py`). A hand is worth the sum of its cards, and cards come by chance with known odds:
of those that nobody has seen each is as likely to be next. So what a deal or a draw brought is the worth of its cards less that of as many average ones among
those that could have come. Its mean is 0 whatever the worths are and whatever anybody plays; good worths only take more of the luck away.
"""

from __future__ import annotations

from functools import lru_cache
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import RED_JOKER, SUITS
from durak_widget.game.play.kit import kit_of, mask_of_trumps
from durak_widget.masks import SUIT_MASKS, bits_of
from durak_widget.rules import dealing, exchange, seating, trump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from durak_widget.game.game import Game
    from durak_widget.rules.book import Rules

FILE: Final = Path(__file__).with_name("luck.json")
"""What cards are worth, by rules."""
TRAITS: Final = 5
"""What is told of a card: whether it is a trump, that by its rank, by its rank squared; else its rank, and that squared."""


class CardWorth(NamedTuple):
    """What the traits of a card are worth, as a share of a win, to whoever gets it."""

    dealt: tuple[float, ...]
    drawn: tuple[float, ...]
    early: tuple[float, ...]
    """Besides, times the part of the talon that is left after the draw."""
    last: tuple[float, ...]
    """Besides, where nothing is left."""


class DealtOut(NamedTuple):
    """How the cards lay after the deal, each as the bit of its mask."""

    rules: Rules
    hands: tuple[int, ...]
    talon: tuple[int, ...]
    """What is drawn, the first on top."""
    turn_up: int
    """What lies face up, wherever that is, or 0."""
    suit: int | None
    """The trump suit by its place in `SUITS`."""


class CardsByChance(NamedTuple):
    """A deal, or what was drawn when a bout ended."""

    dealt: bool
    left: float
    """The part of the talon that is left after it."""
    more: tuple[tuple[float, ...], ...]
    """For each seat, by how much the traits of its cards are more than was to be expected."""


def luck_of(game: Game, worth: CardWorth | None = None) -> tuple[float, ...] | None:
    """What deal and draws brought each side of a game that is over, as a share of a win: the sides have 0 in all, and the mean over all games is 0.

    None while a game goes on, where it began from a position in the middle, where chance has other odds (see `known_odds`), or where it is not known what cards are
    worth; a `worth` may be given. A deck in a given order is taken for one that was shuffled.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> [round(share, 2) for share in luck_of(game)]
    [0.27, -0.27]
    >>> luck_of(Game(seed=7)) is luck_of(bots.play(Game("poker", seed=7), ["careful", "random"], 1)) is None
    True
    """
    rules = game.rules
    worth = worth or fitted_worths().get(str(rules))
    if worth is None or game.outcome is None or not known_odds(rules):
        return None
    ends = game.view(0).ends
    there = game.copy()
    there.goto(0)
    begun = DealtOut(
        rules,
        tuple([hand.mask for hand in there.hands]),
        tuple([1 << card.face_code for card in there.talon]),
        0 if there.turn_up is None else 1 << there.turn_up.face_code,
        None if there.trump is None else SUITS.index(there.trump),
    )
    if there.bout != 1 or len(there.table) or not _whole(begun):
        return None
    side = seating.sides(rules)
    brought = [0.0] * (max(side) + 1)
    for chance in chances(begun, [end.drew for end in ends]):
        traits = worth.dealt if chance.dealt else _of_a_draw(worth, chance.left)
        for seat, more in enumerate(chance.more):
            brought[side[seat]] += sum([one * by for one, by in zip(traits, more, strict=True)])
    middle = sum(brought) / len(brought)
    return tuple([share - middle for share in brought])


@lru_cache(maxsize=1)
def fitted_worths() -> dict[str, CardWorth]:
    """What cards are worth, by the rules as text.

    >>> "podkidnoy" in fitted_worths()
    True
    """
    return {rules: CardWorth(*map(tuple, worth)) for rules, worth in loads(FILE.read_text(encoding="utf-8")).items()}


@lru_cache(maxsize=64)
def known_odds(rules: Rules) -> bool:
    """Whether all that chance does is to deal and to draw, each unseen card as likely: there are a talon, one deck, no jokers, no swaps, no hidden trump, and any card can show the trump suit.

    >>> from durak_widget import Rules
    >>> [known_odds(Rules.preset(name)) for name in ("perevodnoy", "econ431", "poker", "bulk", "spades_by_spades")]
    [True, True, False, False, False]
    """
    kit = kit_of(rules)
    shown = not trump.turns_up(rules) or not kit.all_cards & ~trump.can_show(rules)
    plain = not kit.all_cards >> RED_JOKER
    return plain and shown and dealing.leaves_talon(rules) and not exchange.times(rules) and not trump.hides_one(rules)


def chances(begun: DealtOut, drew: Iterable[Iterable[tuple[int, int]]]) -> Iterator[CardsByChance]:
    """What chance did in a game: the deal, then what was drawn, from how the cards lay and, of each bout, who drew how many, in that order."""
    kit, talon, open_card = kit_of(begun.rules), begun.talon, begun.turn_up
    traits = _traits(begun.rules, begun.suit)
    yield CardsByChance(True, 1.0, _more(traits, begun.hands, kit.all_cards & ~open_card))
    gone, hidden = 0, sum(talon) & ~open_card
    for bout in drew:
        came = [0] * kit.players
        for seat, many in bout:
            came[seat] |= sum(talon[gone : gone + many]) & ~open_card
            gone += many
        if any(came):
            yield CardsByChance(False, 1 - gone / len(talon), _more(traits, came, hidden))
            hidden &= ~sum(came)


def _whole(begun: DealtOut) -> bool:
    """Whether all cards lie where a deal lays them."""
    kit = kit_of(begun.rules)
    lying = sum(begun.hands) | sum(begun.talon) | begun.turn_up
    return lying == kit.all_cards and all(hand.bit_count() == kit.hand_size for hand in begun.hands)


def _of_a_draw(worth: CardWorth, left: float) -> tuple[float, ...]:
    """What traits are worth that are drawn when so much of the talon is left."""
    last = not left
    return tuple([one + left * early + last * late for one, early, late in zip(worth.drawn, worth.early, worth.last, strict=True)])


def _more(traits: Sequence[tuple[float, ...]], came: Sequence[int], hidden: int) -> tuple[tuple[float, ...], ...]:
    """By how much what came to each seat is more than as many average cards of those that could have come."""
    of_all, many = _told(traits, hidden), hidden.bit_count()
    parts = [(_told(traits, cards), cards.bit_count() / many) for cards in came]
    return tuple([tuple([own - part * every for own, every in zip(told, of_all, strict=True)]) for told, part in parts])


def _told(traits: Sequence[tuple[float, ...]], cards: int) -> list[float]:
    """The traits of some cards, summed up."""
    some = [traits[face] for face in bits_of(cards)]
    return [sum(column) for column in zip(*some, strict=True)] if some else [0.0] * TRAITS


@lru_cache(maxsize=64)
def _traits(rules: Rules, suit: int | None) -> list[tuple[float, ...]]:
    """The traits of each face; its rank is from 0, the lowest of the deck, to 1."""
    faces, trumps = kit_of(rules).all_cards, mask_of_trumps(suit)
    ranks = sorted({face % 13 for face in bits_of(faces)})
    found = list[tuple[float, ...]]()
    for face in range(13 * len(SUIT_MASKS)):
        rank = ranks.index(face % 13) / max(1, len(ranks) - 1) if face % 13 in ranks else 0.0
        found.append((1.0, rank, rank**2, 0.0, 0.0) if trumps >> face & 1 else (0.0, 0.0, 0.0, rank, rank**2))
    return found
