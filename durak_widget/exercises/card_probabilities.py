"""Probabilities of hidden cards, and the wrong numbers that result from typical mistakes.

Probabilities of another player's hand are computed as in `analysis.possible_worlds`. An exercise names a mistake only if the student
typed exactly the number that the mistake leads to.

>>> key = RandomHandDraw(hidden_count=30, wanted_count=1, drawn_count=6).build_probability_answer_key()
>>> key.right, key.mistakes["with_replacement"], key.mistakes["contrary"]
(Fraction(1, 5), Fraction(134176679, 729000000), Fraction(4, 5))
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, factorial, perm, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.possible_worlds import worlds
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.game import Game
from durak_widget.engine.observation import Observation
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.exercises.answer_parsing import parse_cards, resolve_seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.analysis.possible_worlds import Worlds
    from durak_widget.cards import Card

_MAX_WANTED_CARDS: Final = 12
"""The largest number of hidden cards in a question that asks how many of these cards a hand contains."""
_MAX_WORLDS: Final = 20_000
"""The maximum number of possible deals that are enumerated to count hands."""
MISTAKE_NAMES: Final = (
    "with_replacement", "contrary", "own", "gone", "turned", "seen", "one_card", "added", "exactly", "at_least", "without_trumps", "one_order",
    "ordered", "all_hidden", "unplayed", "inverse", "prior", "joint", "evidence", "no_prior",
)  # fmt: skip
"""The names of the typical mistakes for which explanations exist."""
_MAX_HIDDEN_CARDS: Final = 1000
"""The maximum number of hidden cards in a question."""


class HiddenHand:
    """A player's hand whose cards are partly or fully hidden from another player.

    >>> hidden = HiddenHand(Game(seed=7).view(0))
    >>> hidden.build_probability_answer_key("Ah").right, hidden.build_probability_answer_key("Ah").mistakes["own"]
    (Fraction(6, 29), Fraction(6, 35))
    """

    def __init__(self, view: object, holder: int | None = None, seat: int | None = None) -> None:
        """Set up the hidden hand of the seat `holder`; with two players, `holder` may be omitted.

        `view` is an observation, or a game that is seen from `seat` (by default the seat to move).
        """
        self.view = _require_view(view, seat)
        self.seat = _require_holder(self.view, holder)
        if compile_rules(self.view.rules).has_two_decks:
            raise DurakError("questions about hidden cards need rules with one deck; with two decks, every card exists twice")
        self.worlds: Worlds = worlds(self.view, each="deal")
        memory = self.view.memory
        assert memory is not None  # noqa: S101 - `worlds` has checked this
        self._unseen_cards, self._known_cards, self._discarded_cards = memory.unseen, memory.known[self.seat], memory.discarded
        self._hidden_counts = [
            count - len(memory.known[other_seat]) for other_seat, count in enumerate(self.view.counts) if other_seat != self.view.seat
        ]
        self._drawn_count = self.view.counts[self.seat] - len(self._known_cards)
        self._hidden_talon_count = self.view.talon_count - len(memory.talon)

    def to_random_draw(self, wanted_cards: Iterable[Card], trumps: Iterable[Card] = ()) -> RandomHandDraw:
        """Return a simpler problem, in which the hand is drawn at random from all hidden cards.

        This ignores what the moves so far reveal about the hand.
        """
        faces = {card.face for card in wanted_cards}
        turn_up = self.view.turn_up
        table_cards = [card.face for pair in self.view.table for card in pair if card is not None]
        visible = {
            "own": list(self.view.hand),
            "gone": [*self._discarded_cards, *table_cards],
            "turned": [turn_up] if turn_up is not None and turn_up not in self._unseen_cards and turn_up not in self.view.hand else [],
        }
        extra = {name: (len(cards), _count_among(cards, faces)) for name, cards in visible.items()}
        return RandomHandDraw(
            len(self._unseen_cards),
            _count_among(self._unseen_cards, faces),
            self._drawn_count,
            extra,
            _count_among(self._unseen_cards, set(trumps) & faces),
        )

    @property
    def is_free(self) -> bool:
        """Return whether every arrangement of the hidden cards fits the moves so far."""
        return worlds(self.view).count() == _count_deals(len(self._unseen_cards), self._hidden_counts, self._hidden_talon_count)

    def build_probability_answer_key(
        self, holds: object, least: object = 1, most: object = None, *, beats: Card | str | None = None
    ) -> NumericAnswerKey:
        """Build the answer key: the probability that the hand has `least` to `most` counted cards.

        `holds` names the cards to count; alternatively, `beats` names a card, and all cards that beat it are counted.
        """
        low, high = _require_count("least", least), None if most is None else _require_count("most", most)
        wanted, trumps = self.find_wanted_cards(holds, beats)
        right = sum(self.compute_count_distribution(wanted)[low : None if high is None else high + 1], Fraction(0))
        return self._with_mistakes(right, wanted, self.to_random_draw(wanted, trumps).build_probability_answer_key(low, high))

    def build_average_answer_key(self, holds: object) -> NumericAnswerKey:
        """Build the answer key: the average number of the cards `holds` in the hidden hand."""
        wanted, _ = self.find_wanted_cards(holds, None)
        right = sum((self.worlds.chance(self.seat, card) for card in wanted), Fraction(0))
        return self._with_mistakes(right, wanted, self.to_random_draw(wanted).build_average_answer_key())

    def build_hand_count_answer_key(self, holds: object = "") -> NumericAnswerKey:
        """Build the answer key: the number of possible hands with all cards in `holds`."""
        wanted = self.find_wanted_cards(holds, None)[0] if holds else ()
        drawn_key = self.to_random_draw(wanted).build_hand_count_answer_key()
        if self.is_free:
            return self._with_mistakes(drawn_key.right, wanted, drawn_key)
        hands = {world.hands[self.seat] for world in self.worlds.all(limit=_MAX_WORLDS)}
        return self._with_mistakes(Fraction(sum(all(card in hand for card in wanted) for hand in hands)), wanted, drawn_key)

    def find_wanted_cards(self, holds: object, beats: Card | str | None) -> tuple[Sequence[Card], Sequence[Card]]:
        """Return the cards to count: named cards, all trumps, or cards that beat the card `beats`.

        The second result has the cards that beat `beats` only because they are trumps.
        """
        if beats is not None:
            [target] = parse_cards([beats])
            beaters = list(self.view.beaters(target))
            return beaters, [card for card in beaters if card.suit != target.suit]
        if holds == "trumps":
            if self.view.trump is None:
                raise DurakError("there are no trumps in this game; name the cards that you ask about")
            return [card for card in self._unseen_cards | self._known_cards if card.suit == self.view.trump], ()
        if not (cards := tuple(dict.fromkeys(card.face for card in parse_cards(holds)))):
            raise DurakError("name the cards that you ask about, as in 'Ah Kh', or use 'trumps'")
        return cards, ()

    def compute_count_distribution(self, wanted_cards: Sequence[Card]) -> list[Fraction]:
        """Return the probabilities that the hidden hand contains 0, 1, 2 … of the given cards.

        >>> from durak_widget import Card
        >>> HiddenHand(Game(seed=7).view(0)).compute_count_distribution([Card("Ah"), Card("Kh")])
        [Fraction(253, 406), Fraction(69, 203), Fraction(15, 406)]
        """
        certain = [card for card in wanted_cards if card in self._known_cards]
        hidden = [card for card in wanted_cards if card in self._unseen_cards and card not in certain]
        if len(hidden) > _MAX_WANTED_CARDS:
            raise DurakError(f"this question asks about {len(hidden)} hidden cards; ask about {_MAX_WANTED_CARDS} at most")
        random_draw = self.to_random_draw(hidden)
        probabilities = [random_draw.probability_of_count(k, k) for k in range(len(hidden) + 1)]
        is_plain = self.is_free and 1 - probabilities[0] == self.worlds.chance_of_any(self.seat, hidden)
        return [Fraction(0)] * len(certain) + (probabilities if is_plain else self._count_by_inclusion_exclusion(hidden))

    def _count_by_inclusion_exclusion(self, cards: Sequence[Card]) -> list[Fraction]:
        """Return the probabilities that the hidden hand contains 0, 1, 2 … of the given cards.

        Inclusion and exclusion gives them from the probabilities that the hand contains none of some cards.
        """
        count = len(cards)
        none_held_sums = [
            sum((1 - self.worlds.chance_of_any(self.seat, subset) for subset in combinations(cards, size)), Fraction(0))
            for size in range(count + 1)
        ]
        missing = [
            sum(((-1) ** (size - n) * comb(size, n) * none_held_sums[size] for size in range(n, count + 1)), Fraction(0))
            for n in range(count + 1)
        ]
        return missing[::-1]

    def _with_mistakes(self, right: Fraction, wanted_cards: Sequence[Card], random_draw_key: NumericAnswerKey) -> NumericAnswerKey:
        """Build an answer key with the correct number `right` and typical wrong numbers.

        The wrong numbers are those for a random draw. If a counted card is known to be in the hand, there are none.
        """
        if any(card in self._known_cards for card in wanted_cards):
            return NumericAnswerKey(right, {})
        if random_draw_key.right == right:
            return random_draw_key
        # A mistake that leads to the correct number can't be recognized
        wrong_values = {name: value for name, value in random_draw_key.mistakes.items() if value != random_draw_key.right}
        contrary = {"contrary": 1 - right} if "contrary" in wrong_values else {}
        return NumericAnswerKey(right, {**wrong_values, **contrary, "unplayed": random_draw_key.right})


def _count_among(cards: Iterable[Card], wanted: set[Card]) -> int:
    """Return how many of the given cards are in the set `wanted`."""
    return sum(card.face in wanted for card in cards)


def _count_deals(hidden_count: int, hand_sizes: Iterable[int], talon_count: int) -> int:
    """Return the number of ways to deal the hidden cards; order matters only in the talon."""
    sizes = list(hand_sizes)
    return factorial(hidden_count) // (prod(map(factorial, sizes)) * factorial(hidden_count - sum(sizes) - talon_count))


def _require_view(view: object, seat: int | None) -> Observation:
    """Return the observation `view`; if `view` is a game, return what a seat sees there."""
    observation = view.view(resolve_seat(view, seat)) if isinstance(view, Game) else view
    if not isinstance(observation, Observation):
        raise DurakError(f"a question about hidden cards needs a game or a view, such as game.view(0), not {short_repr(view)}")
    return observation


def _require_holder(view: Observation, seat: int | None) -> int:
    """Return the seat whose hand is hidden; with two players, `seat` may be None."""
    other_seats = [other_seat for other_seat in range(len(view.counts)) if other_seat != view.seat]
    number = other_seats[0] if seat is None and len(other_seats) == 1 else as_whole_number(seat)
    if number not in other_seats:
        raise DurakError(
            f"holder must be the seat whose hand you ask about, one of {', '.join(map(str, other_seats))}, not {short_repr(seat)}"
        )
    return number


def _require_count(name: str, number: object) -> int:
    """Return `number` as an integer; raise an error if it is not a non-negative integer."""
    count = as_whole_number(number)
    if count is None or count < 0:
        raise DurakError(f"{name} must be a number of cards, 0 or more, not {short_repr(number)}")
    return count


class NumericAnswerKey(NamedTuple):
    """The correct answer to a numeric question, and the wrong numbers from typical mistakes."""

    right: Fraction
    mistakes: Mapping[str, Fraction]
    """The number that each typical mistake leads to; it may equal the correct answer."""


class RandomHandDraw(NamedTuple):
    """A probability problem: how many of some wanted cards are in a hand drawn at random?"""

    hidden_count: int
    wanted_count: int
    drawn_count: int
    visible_counts: Mapping[str, tuple[int, int]] = {}
    """The number of cards, and of cards asked for, in each group of visible cards.

    Some students forget to exclude these groups: `own`, `gone`, `turned`.
    """
    trump_count: int = 0
    """How many of the cards asked for are counted only because they are trumps."""

    @classmethod
    def from_values(cls, hidden_count: object, wanted_count: object, drawn_count: object) -> RandomHandDraw:
        """Build a problem from an author's numbers; raise an error for invalid numbers.

        >>> RandomHandDraw.from_values(30, 6, 31)
        Traceback (most recent call last):
        durak_widget.errors.DurakError: with 30 hidden cards, the number of cards that you ask about and the number of cards drawn must both be from 0 to 30, not 6 and 31
        """
        numbers = [as_whole_number(number) for number in (hidden_count, wanted_count, drawn_count)]
        cards, wanted, drawn_cards = (-1 if number is None else number for number in numbers)
        if not 0 <= wanted <= cards or not 0 <= drawn_cards <= cards or cards > _MAX_HIDDEN_CARDS:
            raise DurakError(
                f"with {short_repr(hidden_count)} hidden cards, the number of cards that you ask about and the number of cards drawn must both be from 0 to {short_repr(hidden_count)}, not {short_repr(wanted_count)} and {short_repr(drawn_count)}"
                if 0 <= cards <= _MAX_HIDDEN_CARDS
                else f"the number of hidden cards must be from 0 to {_MAX_HIDDEN_CARDS}, not {short_repr(hidden_count)}"
            )
        return cls(cards, wanted, drawn_cards)

    def probability_of_count(self, least: int = 1, most: int | None = None) -> Fraction:
        """Return the probability that `least` to `most` of the wanted cards are drawn.

        >>> RandomHandDraw(23, 5, 5).probability_of_count(), RandomHandDraw(18, 3, 5).probability_of_count(0, 0)
        (Fraction(3583, 4807), Fraction(143, 408))
        """
        hidden_count, wanted_count, drawn_count, *_ = self
        counts = range(least, min(drawn_count if most is None else most, drawn_count) + 1)
        return Fraction(
            sum(comb(wanted_count, k) * comb(hidden_count - wanted_count, drawn_count - k) for k in counts), comb(hidden_count, drawn_count)
        )

    def probability_with_replacement(self, least: int = 1, most: int | None = None) -> Fraction:
        """Return the wrong probability that a student gets by putting back each drawn card."""
        share = Fraction(self.wanted_count, self.hidden_count) if self.hidden_count else Fraction(0)
        counts = range(least, min(self.drawn_count if most is None else most, self.drawn_count) + 1)
        return sum((comb(self.drawn_count, k) * share**k * (1 - share) ** (self.drawn_count - k) for k in counts), Fraction(0))

    def draws_with_visible_cards(self) -> dict[str, RandomHandDraw]:
        """Return the problems that result if a student counts visible cards as hidden by mistake.

        Each draw makes the mistake for one group of visible cards, or for all groups.
        """
        counts_by_group = {name: counts for name, counts in self.visible_counts.items() if counts[0]}
        if len(counts_by_group) > 1:
            counts_by_group["seen"] = (
                sum(cards for cards, _ in counts_by_group.values()),
                sum(wanted for _, wanted in counts_by_group.values()),
            )
        return {
            name: self._replace(hidden_count=self.hidden_count + cards, wanted_count=self.wanted_count + wanted)
            for name, (cards, wanted) in counts_by_group.items()
        }

    def build_probability_answer_key(self, least: int = 1, most: int | None = None) -> NumericAnswerKey:
        """Build the answer key: the probability that `least` to `most` wanted cards are drawn."""
        right = self.probability_of_count(least, most)
        mistakes = {name: draw.probability_of_count(least, most) for name, draw in self.draws_with_visible_cards().items()}
        mistakes |= {"contrary": 1 - right, "with_replacement": self.probability_with_replacement(least, most)}
        if self.trump_count:
            mistakes["without_trumps"] = self._replace(wanted_count=self.wanted_count - self.trump_count).probability_of_count(least, most)
        if self.drawn_count > 1 and self.hidden_count:
            share = Fraction(self.wanted_count, self.hidden_count)
            mistakes["one_card"] = 1 - share if most == 0 else share
            if least == 1 and most is None and self.wanted_count > 1:
                mistakes["added"] = share * self.drawn_count
        if most is None and least > 0:
            mistakes["exactly"] = self.probability_of_count(least, least)
        if least == most and 0 < least <= self.drawn_count:
            mistakes["at_least"] = self.probability_of_count(least)
            mistakes["one_order"] = right / comb(self.drawn_count, least)
        return NumericAnswerKey(right, mistakes)

    def build_average_answer_key(self) -> NumericAnswerKey:
        """Build the answer key: the average number of wanted cards that are drawn."""
        share = Fraction(self.wanted_count, self.hidden_count) if self.hidden_count else Fraction(0)
        mistakes = {
            name: Fraction(draw.drawn_count * draw.wanted_count, draw.hidden_count)
            for name, draw in self.draws_with_visible_cards().items()
        }
        mistakes |= {"at_least": self.probability_of_count(), "one_card": share, "all_hidden": Fraction(self.wanted_count)}
        return NumericAnswerKey(share * self.drawn_count, mistakes)

    def build_hand_count_answer_key(self) -> NumericAnswerKey:
        """Build the answer key: how many hands contain all wanted cards."""
        free_places = self.drawn_count - self.wanted_count
        if free_places < 0:
            return NumericAnswerKey(Fraction(0), {})
        unwanted = self.hidden_count - self.wanted_count
        mistakes = {
            name: Fraction(comb(draw.hidden_count - draw.wanted_count, free_places))
            for name, draw in self.draws_with_visible_cards().items()
        }
        mistakes |= {"ordered": Fraction(perm(unwanted, free_places)), "with_replacement": Fraction(unwanted**free_places)}
        return NumericAnswerKey(Fraction(comb(unwanted, free_places)), mistakes)


def build_posterior_answer_key(prior: Fraction, likelihood_if_true: Fraction, likelihood_if_false: Fraction) -> NumericAnswerKey:
    """Build the answer key for the probability of a hypothesis after an observation.

    `prior` was the probability before the observation. The observation has the probability `likelihood_if_true` if the hypothesis is
    true, and `likelihood_if_false` otherwise. The rule is Bayes' rule.

    >>> build_posterior_answer_key(Fraction(1, 3), Fraction(1, 4), Fraction(1)).right
    Fraction(1, 9)
    """
    evidence = prior * likelihood_if_true + (1 - prior) * likelihood_if_false
    if not all(0 <= chance <= 1 for chance in (prior, likelihood_if_true, likelihood_if_false)) or not evidence:
        raise DurakError(
            f"probabilities must be from 0 to 1, and the observation must be possible, not {prior}, {likelihood_if_true} and {likelihood_if_false}"
        )
    right, joint = prior * likelihood_if_true / evidence, prior * likelihood_if_true
    mistakes = {"inverse": likelihood_if_true, "prior": prior, "joint": joint, "evidence": evidence, "contrary": 1 - right}
    return NumericAnswerKey(right, {**mistakes, "no_prior": likelihood_if_true / (likelihood_if_true + likelihood_if_false)})
