"""The exercises Pick, Sort and Choose: pick cards, order cards, or choose an answer.

Where the rules decide, the rules engine gives the key and the reason why a card is right. Cards that are
right by the same rule are named together.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import factorial
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card, CardSet
from durak_widget.engine import narration
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Refusal
from durak_widget.engine.table_svg import drawn_row, row
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.exercises.answer_form import AnswerForm
from durak_widget.exercises.answer_parsing import all_of, author_text, cards_among, cards_given, chosen_of, game_given, name_given, texts_of
from durak_widget.exercises.base_exercise import most_of
from durak_widget.exercises.exercise import Exercise, Opinion
from durak_widget.exercises.paper_form import letters_for
from durak_widget.i18n import Fact, Suit
from durak_widget.rules import deal_and_trump as trumps
from durak_widget.rules import deck_and_beating, seating
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from typing_extensions import Unpack

    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import Aside, Setting

VERBS = ("attack", "beat", "throw", "transfer", "show")
"""The verbs for which cards can be picked."""
_OF_THE_CARD: Final = frozenset(
    {"transfer_rank", "not_in_hand", "rank_not_on_table", "too_low", "wrong_suit", "only_spades_beat_spades", "joker_wrong_colour"}
)
"""Refusals that are about one card; any other is about all of them."""


class _Picked(AnswerForm):
    """Some of the cards, in any order."""

    hand = "pick"

    def read(self, answer: object, items: Sequence[str]) -> list[str]:
        return cards_among(answer, items)

    def text(self, given: Sequence[str]) -> str:
        return " ".join(sorted(given))


class _Sorted(AnswerForm):
    """All of the cards, in an order."""

    hand = "sort"

    def read(self, answer: object, items: Sequence[str]) -> list[str]:
        return all_of(answer, items)


class _Chosen(AnswerForm):
    """One of several options, each of which has its text."""

    one = True
    hand = "choose"

    def read(self, answer: object, items: Sequence[str]) -> list[str]:
        return [chosen_of(answer, items)]

    def fits(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        return bool(items) and all(items.values())


class Pick(Exercise):
    """Pick every card for which something is true; to pick none may be right.

    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> print(quiz.question)
    Pick every card that beats the 10 of clubs. Trumps are spades.
    >>> print(quiz.answer("Jc Ah"))
    Not yet. The ace of hearts does not beat the 10 of clubs: different suits, and hearts are not trumps (spades are). You left out 2 cards.
    >>> print(quiz.answer("Jc 6s Ts"))
    Right. The jack of clubs is higher in the same suit. The 6 of spades and the 10 of spades are trumps, and the 10 of clubs is not.
    """

    kind = "pick"
    on_paper = _Picked()

    def __init__(
        self,
        question: Text,
        cards: Iterable[Card | str] | str,
        right: Iterable[Card | str] | str,
        *,
        reasons: Mapping[str, Text] | None = None,
        **more: Unpack[Setting],
    ) -> None:
        """Ask for some of these cards; `reasons` say why a card is right or wrong."""
        self._cards = tuple(dict.fromkeys(cards_given(cards)))  # with two decks, equal cards are one answer
        self._right = {str(card) for card in cards_given(right)}
        self._reasons = texts_of(reasons or {})
        if unknown := sorted(self._right - {str(card) for card in self._cards}):
            raise DurakError(f"{unknown[0]} cannot be right: it is not among the cards {' '.join(map(str, self._cards))}")
        super().__init__(question, **more)
        self._trump = None if self._game is None or self._game.trump is None else str(self._game.trump)
        self._target: str | None = None
        """The card to beat, if no position is shown."""

    @classmethod
    def beaters(
        cls,
        target: Card | str,
        *,
        of: Iterable[Card | str] | str,
        trump: str | None,
        rules: Rules | str | None = None,
        rule: Text = "",
        **more: Unpack[Aside],
    ) -> Pick:
        """Ask which of these cards beat `target`; name an unusual `rule`."""
        game = against(target, cards_given(of), trump, rules)
        return cls._of(game, "beat", _under(rule, _which(game, "beat")), shows=False, **more)

    @classmethod
    def moves(cls, game: Game, verb: str, *, question: Text = "", rule: Text = "", **more: Unpack[Aside]) -> Pick:
        """Ask with which cards the seat to act can attack, beat, throw in, transfer or show.

        An unusual `rule` comes before the question.

        >>> game = Game.from_position(hands=["7h 9s Kd 7s", "Th Jh"], trump="s", attacker=0, table="7c/9c")
        >>> quiz = Pick.moves(game, "throw")
        >>> quiz.solution
        ['7h', '7s', '9s']
        >>> print(quiz.answer("7h 9s Kd 7s"))
        Not yet. The king of diamonds cannot be thrown in: no king lies on the table, which shows 7 and 9.
        """
        if verb not in VERBS:
            raise DurakError(f"cards are not picked to {quoted(verb)}; the verbs are {', '.join(VERBS)}.{nearest(verb, VERBS)}")
        if game_given(game).actor is None:
            raise DurakError("the game is over: nobody has a card to play; ask about a position in which somebody is to act")
        return cls._of(game, verb, _under(rule, question or _which(game, verb)), **more)

    @classmethod
    def _of(cls, game: Game, verb: str, question: Text, *, shows: bool = True, **more: Unpack[Aside]) -> Pick:
        seat = game.actor or 0
        hand = tuple(dict.fromkeys(narration.hand(game.view(seat)) if shows else game.hands[seat]))
        right = {move.cards[-1].face: move for move in reversed(game.legal_moves()) if move.verb == verb}
        reasons = {str(card): reason(right[card]) if card in right else _why_not(game, verb, card) for card in hand}
        exercise = cls(
            question,
            hand,
            [card for card in hand if card in right],
            reasons={card: text for card, text in reasons.items() if text},
            game=game if shows else None,
            seat=seat if shows else None,
            hand=shows,
            **more,
        )
        exercise._trump = str(game.trump) if game.trump else None
        exercise._target = None if shows else str(game.table[0][0])
        return exercise

    @property
    def picked(self) -> list[str]:
        """Return the cards that were picked last."""
        return list(self._given)

    def _items(self) -> Mapping[str, Text]:
        return dict.fromkeys(map(str, self._cards), "")

    @property
    def answers(self) -> int:
        """Return the number of sets of cards that can be picked, including none."""
        return 1 << len(self._cards)

    def _judge(self, given: Sequence[str]) -> Opinion:
        wrong = [item for item in given if item not in self._right]
        right = [item for item in self._solution() if item in given]
        missed = [item for item in self._solution() if item not in given]
        marks = {**dict.fromkeys(wrong, "wrong"), **dict.fromkeys(right, "right")}
        if not wrong and not missed:
            return Opinion(marks, self._why_of(right) or why_none(self._reasons), True)
        why: list[Text] = [self._reasons.get(item) or Fact("lesson.wrong", {"card": Card(item)}) for item in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        why.append(Fact("lesson.missed", {"count": len(missed)}))
        first_hint = hint(self._reasons.get(missed[0], ""))
        return Opinion(marks, [*why, first_hint] if first_hint and not wrong else why, False, [*why, *self._why_of(missed)])

    @property
    def _part_done(self) -> Fraction:
        """Return the credit: a wrong card cancels a right one, so that picking all earns nothing."""
        picked = set(self._given)
        return most_of(len(picked & self._right) - len(picked - self._right), len(self._right))

    def _why_of(self, items: Sequence[str]) -> list[Text]:
        """Return the known reasons why these cards are right."""
        return reasons_together(text for item in items if (text := self._reasons.get(item)))

    def _solution(self) -> list[str]:
        return [str(card) for card in self._cards if str(card) in self._right]

    def _seen(self) -> dict[str, object]:
        return {"trump": self._trump, **({"target": self._target} if self._target else {})}

    def _strip(self, cards: Sequence[Card]) -> str:
        return row(cards, before=Card(self._target) if self._target else None, trump=self._trump, language=self._language)

    def _ticked(self, cards: Sequence[Card]) -> tuple[str, str]:
        before = Card(self._target) if self._target else None
        return drawn_row(
            cards, before=before, trump=self._trump if before else None, language=self._language, ticked=letters_for(len(cards))
        )


class Sort(Exercise):
    """Put cards in a row so that each beats the one before it.

    >>> quiz = Sort("6s Ac 7c Ks", trump="s")
    >>> print(quiz.answer("7c 6s Ac Ks"))
    Not yet. The ace of clubs does not beat the 6 of spades: different suits, and clubs are not trumps (spades are).
    >>> quiz.solution
    ['7c', 'Ac', '6s', 'Ks']
    """

    kind = "sort"
    on_paper = _Sorted()

    def __init__(
        self,
        cards: Iterable[Card | str] | str,
        *,
        trump: str | None,
        rules: Rules | str | None = None,
        question: Text = "",
        **more: Unpack[Setting],
    ) -> None:
        """Ask for an order of cards; there must be exactly one."""
        self._cards, self._trump, self._rules = cards_given(cards), trump, Rules.of(rules or None)
        if len(self._cards) < 2 or len(set(self._cards)) < len(self._cards):
            raise DurakError(f"a row takes two cards or more, each once, not {' '.join(map(str, self._cards)) or 'none'}")
        game = against(self._cards[0], self._cards[1:], trump, rules)
        beaters = {card: self._rules.beaters(card, trump) for card in self._cards}
        self._beats = {(a, b): a in beaters[b] for a in self._cards for b in self._cards if a is not b}
        self._order = sorted(self._cards, key=lambda card: sum(self._beats[card, other] for other in self._cards if other is not card))
        for low, high in combinations(self._order, 2):
            if self._beats[high, low] is self._beats[low, high]:
                conflict = "each beats the other" if self._beats[high, low] else "neither beats the other"
                raise DurakError(f"{low} and {high} cannot be ordered: {conflict}; choose cards of one suit, and trumps")
        super().__init__(question or Fact("lesson.sort", {"trumps": _trumps(game)}), **more)

    def _refused(self, high: Card, low: Card) -> Text | None:
        """Explain why `low` must not come before `high`.

        Without trumps all cards are of one suit, and only ranks matter.
        """
        if self._trump is None:
            return Fact("lesson.sort.lower", {"card": high, "target": low})
        return against(low, [high], self._trump, self._rules).why_not(f"beat {low} {high}")

    def _items(self) -> Mapping[str, Text]:
        return dict.fromkeys(map(str, self._cards), "")

    @property
    def answers(self) -> int:
        """Return the number of possible orders."""
        return factorial(len(self._cards))

    def _judge(self, given: Sequence[str]) -> Opinion:
        row = [Card(item) for item in given]
        bad = [(low, high) for low, high in pairwise(row) if not self._beats[high, low]]
        why: list[Text] = [refusal for low, high in bad[:1] if (refusal := self._refused(high, low))]
        return Opinion(dict.fromkeys((str(high) for _, high in bad), "wrong"), why, not bad)

    def _solution(self) -> list[str]:
        return [str(card) for card in self._order]

    def _seen(self) -> dict[str, object]:
        return {"trump": self._trump}


class Choose(Exercise):
    """A choice of one answer, each with the reason why it is right or wrong.

    >>> quiz = Choose("Who wins?", {"The first to be out": "There is no prize for that.", "Nobody": "Durak only has a loser."}, right="Nobody")
    >>> print(quiz.answer("The first to be out"))
    Not yet. There is no prize for that.
    >>> print(quiz.answer("Nobody"))
    Right. Durak only has a loser.
    """

    kind = "choose"
    on_paper = _Chosen()
    at_once = True

    def __init__(
        self, question: Text, options: Mapping[str, Text], right: str, *, named: Mapping[str, Text] | None = None, **more: Unpack[Setting]
    ) -> None:
        """Ask to choose one of `options`, which map each answer to its reason.

        `named` has the texts of answers that are not shown as themselves.
        """
        self._options, self._named = texts_of(options), texts_of(named or {})
        self._right = name_given(right)
        if self._right not in self._options:
            raise DurakError(f"{quoted(right)} is not among the answers.{nearest(self._right[:100], self._options)}")
        super().__init__(question, **more)

    @property
    def answers(self) -> int:
        """Return the number of options."""
        return len(self._options)

    def _items(self) -> Mapping[str, Text]:
        return {option: self._named.get(option, option) for option in self._options}

    def _attempts(self) -> list[list[str]]:
        return [[option] for option in self._options]

    def _judge(self, given: Sequence[str]) -> Opinion:
        [option] = given
        right = option == self._right
        reason = self._options[option]
        return Opinion({option: "right" if right else "wrong"}, [reason] if reason else [], right)

    def _solution(self) -> list[str]:
        return [self._right]

    @property
    def solution_line(self) -> str:
        """Return the text of the right option."""
        return self._text(self._items()[self.solution[0]])


def against(target: Card | str, cards: Sequence[Card], trump: str | None, rules: Rules | str | None = None) -> Game:
    """Build a position in which seat 0 holds `cards` and has to beat `target`."""
    if not cards:
        raise DurakError("there is nothing to choose from: name at least one card")
    adapted = _rules(Rules.of(rules or None), trump)
    if seating.seats(adapted) != 2:
        raise DurakError("what beats what is asked with rules for two players; add players=2, teams=none")
    [target_card] = cards_given([target])
    spare = next(
        (card for card in CardSet.of(deck_and_beating.faces(adapted)) if card.face is not target_card.face and card not in cards), None
    )
    if spare is None:
        raise DurakError("these are all the cards of the deck: leave one to the other seat")
    return Game.from_position(adapted, hands=[" ".join(map(str, cards)), str(spare)], trump=trump, table=str(target_card), attacker=1)


def _rules(rules: Rules, trump: str | None) -> Rules:
    return rules.replace(trump="none") if trump is None and trumps.has_trumps(rules) else rules


def _under(rule: Text, asked: Text) -> Text:
    """Return the question after a rule that is unusual."""
    return Fact("lesson.under", {"rule": author_text(rule), "asked": asked}) if rule else asked


def _which(game: Game, verb: str) -> Fact:
    """Return the default question; it names the card to beat if there is only one."""
    if verb == "beat" and len(game.table.unbeaten) == 1:
        return Fact("lesson.pick.beaters", {"target": game.table.unbeaten[0], "trumps": _trumps(game)})
    return Fact(f"lesson.pick.{verb}")


def _trumps(game: Game) -> Fact:
    return Fact("lesson.trumps", {"suit": Suit(str(game.trump))}) if game.trump else Fact("lesson.no_trumps")


def _why_not(game: Game, verb: str, card: Card) -> Refusal | None:
    """Return why this card cannot be used so.

    If several cards must be beaten: why it does not beat the first.
    """
    target = f"{game.table.unbeaten[0]} " if verb == "beat" and game.table.unbeaten else ""
    return game.why_not(f"{verb} {target}{card}")


def reason(move: Move) -> Fact:
    """Explain the rule that allows a move with the last card that it names.

    >>> from durak_widget import Move
    >>> from durak_widget.i18n import Voice
    >>> fact = reason(Move("beat 7c Ah"))
    >>> print(Voice().say(fact.key, **fact.facts))
    The ace of hearts is a trump, and the 7 of clubs is not.
    """
    card = move.cards[-1]
    facts: dict[str, object] = {"cards": (card.face,), "count": 1}
    if move.verb != "beat":
        return Fact(f"lesson.why.{move.verb}", {} if move.verb == "attack" else facts)
    if card is not card.face:
        return Fact("lesson.why.named", {**facts, "suit": Suit(card.suit or "")})
    target = move.cards[0]
    rule = deck_and_beating.why(card.counts, target.counts)
    if rule == "joker":
        facts["colour"] = Fact(f"why.{target.color}")
    return Fact(f"lesson.why.{rule}", {**facts, "target": Card.of(target.counts)})


def reasons_together(reasons: Iterable[Text]) -> list[Text]:
    """Merge equal reasons into one that names all their cards.

    >>> same = [Fact("lesson.why.higher", {"cards": (card,), "count": 1}) for card in ("Td", "Kd")]
    >>> reasons_together([*same, "Look.", "Look."])
    [Fact(key='lesson.why.higher', facts={'cards': ('Td', 'Kd'), 'count': 2}), 'Look.']
    """
    merged: dict[str, Text] = {}
    for text in reasons:
        cards = text.facts.get("cards") if isinstance(text, Fact) else None
        if not isinstance(text, Fact) or not isinstance(cards, tuple):
            merged.setdefault(repr(text), text)
            continue
        rest = {name: fact for name, fact in text.facts.items() if name not in {"cards", "count"}}
        previous = merged.get(key := repr((text.key, rest)))
        so_far = previous.facts["cards"] if isinstance(previous, Fact) else ()
        assert isinstance(so_far, tuple)  # noqa: S101 - it was put there above
        merged[key] = Fact(text.key, {**rest, "cards": (*so_far, *cards), "count": len(so_far) + len(cards)})
    return list(merged.values())


def hint(why: Text) -> Text:
    """Return a hint to a missing card that does not name it; an author's own reason stays."""
    return Fact(f"lesson.hint.{why.key.rpartition('.')[2]}") if isinstance(why, Fact) and why.key.startswith("lesson.why.") else why


def why_none(reasons: Mapping[str, Text]) -> list[Text]:
    """Explain why no card is right: a rule about all cards, or two example reasons."""
    refusals: dict[str, Text] = {}
    for refusal in reasons.values():
        refusals.setdefault(refusal.code if isinstance(refusal, Refusal) else repr(refusal), refusal)
    general: list[Text] = [refusal for code, refusal in refusals.items() if isinstance(refusal, Refusal) and code not in _OF_THE_CARD]
    examples = list(refusals.values())[:2]
    return general[:1] or examples
