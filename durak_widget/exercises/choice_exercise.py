"""The exercises `Pick`, `Sort` and `Choose`: pick cards, order cards, or choose an option.

If the rules of the game decide the answer, the rules engine gives the answer key and the reason for each card. Cards that are correct
for the same reason are named together.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import factorial
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card, CardSet
from durak_widget.engine import narration
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Refusal
from durak_widget.engine.table_svg import draw_card_row, render_card_row
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.exercises.answer_form import AnswerForm
from durak_widget.exercises.answer_parsing import (
    format_name,
    parse_card_order,
    parse_cards,
    parse_cards_among,
    parse_choice,
    require_game,
    require_text,
    require_texts,
)
from durak_widget.exercises.base_exercise import partial_share
from durak_widget.exercises.exercise import AnswerGrade, Exercise
from durak_widget.exercises.paper_form import make_labels
from durak_widget.i18n import Suit, TranslatableText
from durak_widget.rules import deal_and_trump as trumps
from durak_widget.rules import deck_and_beating, seating
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from typing_extensions import Unpack

    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import ExerciseOptions, PositionOptions

VERBS = ("attack", "beat", "throw", "transfer", "show")
"""The verbs of moves for which the student can pick cards."""
_SINGLE_CARD_REFUSALS: Final = frozenset(
    {"transfer_rank", "not_in_hand", "rank_not_on_table", "too_low", "wrong_suit", "only_spades_beat_spades", "joker_wrong_colour"}
)
"""The error codes of illegal moves for which another card could be legal."""


class _PickForm(AnswerForm):
    """The answer format of the exercise `Pick`: some of the cards, in any order."""

    paper_kind = "pick"

    def parse(self, answer: object, items: Sequence[str]) -> list[str]:
        return parse_cards_among(answer, items)

    def to_canonical_text(self, answer: Sequence[str]) -> str:
        return " ".join(sorted(answer))


class _SortForm(AnswerForm):
    """The answer format of the exercise `Sort`: all cards, in one order."""

    paper_kind = "sort"

    def parse(self, answer: object, items: Sequence[str]) -> list[str]:
        return parse_card_order(answer, items)


class _ChoiceForm(AnswerForm):
    """The answer format of the exercise `Choose`: one of several options, each with a text."""

    is_single = True
    paper_kind = "choose"

    def parse(self, answer: object, items: Sequence[str]) -> list[str]:
        return [parse_choice(answer, items)]

    def is_applicable(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        return bool(items) and all(items.values())


class Pick(Exercise):
    """An exercise to pick all cards that fit the question; sometimes no card fits.

    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> print(quiz.question)
    Pick every card that beats the 10 of clubs. The trump suit is spades.
    >>> print(quiz.answer("Jc Ah"))
    Not yet. The ace of hearts doesn't beat the 10 of clubs: the suits are different, and hearts aren't trumps (trumps are spades). You missed 2 cards.
    >>> print(quiz.answer("Jc 6s Ts"))
    Right. The jack of clubs is a higher card of the same suit. The 6 of spades and the 10 of spades are trumps, but the 10 of clubs isn't.
    """

    kind = "pick"
    answer_form = _PickForm()

    def __init__(
        self,
        question: Text,
        cards: Iterable[Card | str] | str,
        right: Iterable[Card | str] | str,
        *,
        reasons: Mapping[str, Text] | None = None,
        **more: Unpack[PositionOptions],
    ) -> None:
        """Ask the student to pick cards; `reasons` explain why each card is correct or wrong."""
        self._cards = tuple(dict.fromkeys(parse_cards(cards)))  # With two decks, two equal cards are offered only once
        self._right_cards = {str(card) for card in parse_cards(right)}
        self._reasons = require_texts(reasons or {})
        if unknown := sorted(self._right_cards - {str(card) for card in self._cards}):
            raise DurakError(f"{unknown[0]} cannot be right, because it is not one of the cards {' '.join(map(str, self._cards))}")
        super().__init__(question, **more)
        self._trump = None if self._game is None or self._game.trump is None else str(self._game.trump)
        self._target: str | None = None
        """The card that must be beaten, if the exercise shows no position."""

    @classmethod
    def beaters(
        cls,
        target: Card | str,
        *,
        of: Iterable[Card | str] | str,
        trump: str | None,
        rules: Rules | str | None = None,
        rule: Text = "",
        **more: Unpack[ExerciseOptions],
    ) -> Pick:
        """Ask which cards beat `target`; show the text `rule` first if it is given."""
        game = build_beating_position(target, parse_cards(of), trump, rules)
        return cls._from_game(game, "beat", _prefix_rule(rule, _default_question(game, "beat")), shows_position=False, **more)

    @classmethod
    def moves(cls, game: Game, verb: str, *, question: Text = "", rule: Text = "", **more: Unpack[ExerciseOptions]) -> Pick:
        """Ask with which cards the current player can make a kind of move, such as an attack.

        The text `rule` comes before the question, if it is given.

        >>> game = Game.from_position(hands=["7h 9s Kd 7s", "Th Jh"], trump="s", attacker=0, table="7c/9c")
        >>> quiz = Pick.moves(game, "throw")
        >>> quiz.solution
        ['7h', '7s', '9s']
        >>> print(quiz.answer("7h 9s Kd 7s"))
        Not yet. You can't throw in the king of diamonds: there is no king on the table, only 7 and 9.
        """
        if verb not in VERBS:
            raise DurakError(
                f"there is no verb {short_repr(verb)} for picking cards; the verbs are {', '.join(VERBS)}.{suggest_nearest(verb, VERBS)}"
            )
        if require_game(game).actor is None:
            raise DurakError("the game is over, so no player has a card to play; ask about a position in which a player must move")
        return cls._from_game(game, verb, _prefix_rule(rule, question or _default_question(game, verb)), **more)

    @classmethod
    def _from_game(cls, game: Game, verb: str, question: Text, *, shows_position: bool = True, **more: Unpack[ExerciseOptions]) -> Pick:
        """Build an exercise that asks with which cards a player can make a given kind of move."""
        seat = game.actor or 0
        hand = tuple(dict.fromkeys(narration.sort_hand(game.view(seat)) if shows_position else game.hands[seat]))
        right = {move.cards[-1].face: move for move in reversed(game.legal_moves()) if move.verb == verb}
        reasons = {str(card): explain_move(right[card]) if card in right else _find_refusal(game, verb, card) for card in hand}
        exercise = cls(
            question,
            hand,
            [card for card in hand if card in right],
            reasons={card: text for card, text in reasons.items() if text},
            game=game if shows_position else None,
            seat=seat if shows_position else None,
            hand=shows_position,
            **more,
        )
        exercise._trump = str(game.trump) if game.trump else None
        exercise._target = None if shows_position else str(game.table[0][0])
        return exercise

    @property
    def picked_cards(self) -> list[str]:
        """Return the cards that the student picked last."""
        return list(self._answer)

    def _items(self) -> Mapping[str, Text]:
        return dict.fromkeys(map(str, self._cards), "")

    @property
    def answer_count(self) -> int:
        """Return the number of sets of cards that the student can pick, including the empty set."""
        return 1 << len(self._cards)

    def _grade(self, answer: Sequence[str]) -> AnswerGrade:
        wrong = [item for item in answer if item not in self._right_cards]
        right = [item for item in self._compute_solution() if item in answer]
        missed = [item for item in self._compute_solution() if item not in answer]
        marks = {**dict.fromkeys(wrong, "wrong"), **dict.fromkeys(right, "right")}
        if not wrong and not missed:
            return AnswerGrade(marks, self._reasons_for(right) or explain_none_right(self._reasons), True)
        reasons: list[Text] = [self._reasons.get(item) or TranslatableText("lesson.wrong", {"card": Card(item)}) for item in wrong[:2]]
        if not missed:
            return AnswerGrade(marks, reasons, False)
        reasons.append(TranslatableText("lesson.missed", {"count": len(missed)}))
        first_hint = hint_from_reason(self._reasons.get(missed[0], ""))
        return AnswerGrade(
            marks, [*reasons, first_hint] if first_hint and not wrong else reasons, False, [*reasons, *self._reasons_for(missed)]
        )

    @property
    def _partial_credit(self) -> Fraction:
        """Return the partial credit, in which each wrong card cancels a correct card."""
        picked_cards = set(self._answer)
        return partial_share(len(picked_cards & self._right_cards) - len(picked_cards - self._right_cards), len(self._right_cards))

    def _item_reasons(self) -> Mapping[str, Text]:
        return self._reasons

    def _reasons_for(self, items: Sequence[str]) -> list[Text]:
        """Return the reasons, if any, why the given cards are correct."""
        return merge_reasons(text for item in items if (text := self._reasons.get(item)))

    def _compute_solution(self) -> list[str]:
        return [str(card) for card in self._cards if str(card) in self._right_cards]

    def _extra_view_fields(self) -> dict[str, object]:
        return {"trump": self._trump, **({"target": self._target} if self._target else {})}

    def _draw_card_row(self, cards: Sequence[Card]) -> str:
        return render_card_row(cards, first_card=Card(self._target) if self._target else None, trump=self._trump, language=self._language)

    def _draw_cards_to_tick(self, cards: Sequence[Card]) -> tuple[str, str]:
        target = Card(self._target) if self._target else None
        return draw_card_row(
            cards, first_card=target, trump=self._trump if target else None, language=self._language, tick_labels=make_labels(len(cards))
        )


class Sort(Exercise):
    """An exercise to put cards in order, so that each card beats the card before it.

    >>> quiz = Sort("6s Ac 7c Ks", trump="s")
    >>> print(quiz.answer("7c 6s Ac Ks"))
    Not yet. The ace of clubs doesn't beat the 6 of spades: the suits are different, and clubs aren't trumps (trumps are spades).
    >>> quiz.solution
    ['7c', 'Ac', '6s', 'Ks']
    """

    kind = "sort"
    answer_form = _SortForm()

    def __init__(
        self,
        cards: Iterable[Card | str] | str,
        *,
        trump: str | None,
        rules: Rules | str | None = None,
        question: Text = "",
        **more: Unpack[PositionOptions],
    ) -> None:
        """Ask the student to order the cards; raise an error unless exactly one order is correct."""
        self._cards, self._trump, self._rules = parse_cards(cards), trump, Rules.coerce(rules or None)
        if len(self._cards) < 2 or len(set(self._cards)) < len(self._cards):
            raise DurakError(f"a row needs two or more cards, each only once, not {' '.join(map(str, self._cards)) or 'none'}")
        game = build_beating_position(self._cards[0], self._cards[1:], trump, rules)
        beaters = {card: self._rules.beaters(card, trump) for card in self._cards}
        self._beats = {(a, b): a in beaters[b] for a in self._cards for b in self._cards if a is not b}
        self._sorted_cards = sorted(
            self._cards, key=lambda card: sum(self._beats[card, other] for other in self._cards if other is not card)
        )
        for low, high in combinations(self._sorted_cards, 2):
            if self._beats[high, low] is self._beats[low, high]:
                conflict = "each beats the other" if self._beats[high, low] else "neither beats the other"
                raise DurakError(f"{low} and {high} cannot be put in order: {conflict}; choose cards of one suit, and trumps")
        super().__init__(question or TranslatableText("lesson.sort", {"trumps": _describe_trumps(game)}), **more)

    def explain_pairs(self) -> dict[tuple[str, str], str]:
        """Return for each pair of cards in a wrong order why the order is wrong.

        >>> Sort("6c 7c", trump=None).explain_pairs()
        {('7c', '6c'): 'The 6 of clubs is lower than the 7 of clubs, so it comes earlier in the row.'}
        """
        self._require_solution_allowed()
        reasons = {(str(low), str(high)): self._explain_order_error(high, low) for (high, low), beats in self._beats.items() if not beats}
        return {pair: self._translate(reason) for pair, reason in reasons.items() if reason}

    def _explain_order_error(self, high: Card, low: Card) -> Text | None:
        """Explain why the card `low` must not come before the card `high`.

        Without trumps all cards are of one suit, and only ranks matter.
        """
        if self._trump is None:
            return TranslatableText("lesson.sort.lower", {"card": high, "target": low})
        return build_beating_position(low, [high], self._trump, self._rules).why_not(f"beat {low} {high}")

    def _items(self) -> Mapping[str, Text]:
        return dict.fromkeys(map(str, self._cards), "")

    @property
    def answer_count(self) -> int:
        """Return the number of possible orders of the cards."""
        return factorial(len(self._cards))

    def _grade(self, answer: Sequence[str]) -> AnswerGrade:
        cards = [Card(item) for item in answer]
        wrong_pairs = [(low, high) for low, high in pairwise(cards) if not self._beats[high, low]]
        reasons: list[Text] = [refusal for low, high in wrong_pairs[:1] if (refusal := self._explain_order_error(high, low))]
        misplaced = [item for item, right_item in zip(answer, self._compute_solution(), strict=True) if item != right_item]
        return AnswerGrade(dict.fromkeys(misplaced, "wrong"), reasons, not wrong_pairs)

    def _compute_solution(self) -> list[str]:
        return [str(card) for card in self._sorted_cards]

    def _extra_view_fields(self) -> dict[str, object]:
        return {"trump": self._trump}


class Choose(Exercise):
    """An exercise to choose one of several options, each with a reason for the feedback.

    >>> quiz = Choose("Who wins?", {"The first to be out": "There is no prize for that.", "Nobody": "Durak only has a loser."}, right="Nobody")
    >>> print(quiz.answer("The first to be out"))
    Not yet. There is no prize for that.
    >>> print(quiz.answer("Nobody"))
    Right. Durak only has a loser.
    """

    kind = "choose"
    answer_form = _ChoiceForm()
    is_single_click = True

    def __init__(
        self,
        question: Text,
        options: Mapping[str, Text],
        right: str,
        *,
        named: Mapping[str, Text] | None = None,
        **more: Unpack[PositionOptions],
    ) -> None:
        """Ask the student to choose one of `options`, which maps each option to its feedback.

        `named` has the texts of options that are not displayed by their own names.
        """
        self._option_reasons, self._option_texts = require_texts(options), require_texts(named or {})
        self._right_option = format_name(right)
        if self._right_option not in self._option_reasons:
            raise DurakError(
                f"{short_repr(right)} is not one of the answers.{suggest_nearest(self._right_option[:100], self._option_reasons)}"
            )
        super().__init__(question, **more)

    @property
    def answer_count(self) -> int:
        """Return the number of options to choose from."""
        return len(self._option_reasons)

    def _items(self) -> Mapping[str, Text]:
        return {option: self._option_texts.get(option, option) for option in self._option_reasons}

    def _sample_answers(self) -> list[list[str]]:
        return [[option] for option in self._option_reasons]

    def _item_reasons(self) -> Mapping[str, Text]:
        return self._option_reasons

    def _grade(self, answer: Sequence[str]) -> AnswerGrade:
        [option] = answer
        right = option == self._right_option
        reason = self._option_reasons[option]
        return AnswerGrade({option: "right" if right else "wrong"}, [reason] if reason else [], right)

    def _compute_solution(self) -> list[str]:
        return [self._right_option]

    @property
    def solution_line(self) -> str:
        """Return the text of the correct option."""
        return self._translate(self._items()[self.solution[0]])


def build_beating_position(target: Card | str, cards: Sequence[Card], trump: str | None, rules: Rules | str | None = None) -> Game:
    """Build a position in which seat 0 holds the given cards and has to beat `target`."""
    if not cards:
        raise DurakError("there is nothing to choose from; name at least one card")
    adapted = _adapt_rules_to_trump(Rules.coerce(rules or None), trump)
    if seating.seat_count(adapted) != 2:
        raise DurakError("this question needs rules for two players; add players=2, teams=none")
    [target_card] = parse_cards([target])
    spare = next(
        (
            card
            for card in CardSet.from_mask(deck_and_beating.deck_faces(adapted))
            if card.face is not target_card.face and card not in cards
        ),
        None,
    )
    if spare is None:
        raise DurakError("these are all the cards of the deck; leave at least one for the other seat")
    return Game.from_position(adapted, hands=[" ".join(map(str, cards)), str(spare)], trump=trump, table=str(target_card), attacker=1)


def _adapt_rules_to_trump(rules: Rules, trump: str | None) -> Rules:
    """Return the rules of a game, changed to have no trumps if `trump` is None."""
    return rules.replace(trump="none") if trump is None and trumps.has_trumps(rules) else rules


def _prefix_rule(rule: Text, question: Text) -> Text:
    """Return the question, after a sentence on the unusual rule if there is such a rule."""
    return TranslatableText("lesson.under", {"rule": require_text(rule), "asked": question}) if rule else question


def _default_question(game: Game, verb: str) -> TranslatableText:
    """Return the default question for a kind of move, which may name the card to beat."""
    if verb == "beat" and len(game.table.unbeaten) == 1:
        return TranslatableText("lesson.pick.beaters", {"target": game.table.unbeaten[0], "trumps": _describe_trumps(game)})
    return TranslatableText(f"lesson.pick.{verb}")


def _describe_trumps(game: Game) -> TranslatableText:
    """Return a translatable text that names the trump suit, or says that there is none."""
    return TranslatableText("lesson.trumps", {"suit": Suit(str(game.trump))}) if game.trump else TranslatableText("lesson.no_trumps")


def _find_refusal(game: Game, verb: str, card: Card) -> Refusal | None:
    """Return why the rules forbid a card in a kind of move; None if the card is allowed.

    If several cards must be beaten, check the card against the first of them.
    """
    target = f"{game.table.unbeaten[0]} " if verb == "beat" and game.table.unbeaten else ""
    return game.why_not(f"{verb} {target}{card}")


def explain_move(move: Move) -> TranslatableText:
    """Explain why the last card of a legal move may be played.

    >>> from durak_widget import Move
    >>> from durak_widget.i18n import Translator
    >>> fact = explain_move(Move("beat 7c Ah"))
    >>> print(Translator().translate(fact.key, **fact.facts))
    The ace of hearts is a trump, and the 7 of clubs is not.
    """
    card = move.cards[-1]
    facts: dict[str, object] = {"cards": (card.face,), "count": 1}
    if move.verb != "beat":
        return TranslatableText(f"lesson.why.{move.verb}", {} if move.verb == "attack" else facts)
    if card is not card.face:
        return TranslatableText("lesson.why.named", {**facts, "suit": Suit(card.suit or "")})
    target = move.cards[0]
    rule = deck_and_beating.find_beating_rule(card.effective_face, target.effective_face)
    if rule == "joker":
        facts["colour"] = TranslatableText(f"why.{target.color}")
    return TranslatableText(f"lesson.why.{rule}", {**facts, "target": Card.from_code(target.effective_face)})


def merge_reasons(reasons: Iterable[Text]) -> list[Text]:
    """Merge reasons that differ only in the card into one reason that names all these cards.

    >>> same = [TranslatableText("lesson.why.higher", {"cards": (card,), "count": 1}) for card in ("Td", "Kd")]
    >>> merge_reasons([*same, "Look.", "Look."])
    [TranslatableText(key='lesson.why.higher', facts={'cards': ('Td', 'Kd'), 'count': 2}), 'Look.']
    """
    merged: dict[str, Text] = {}
    for text in reasons:
        cards = text.facts.get("cards") if isinstance(text, TranslatableText) else None
        if not isinstance(text, TranslatableText) or not isinstance(cards, tuple):
            merged.setdefault(repr(text), text)
            continue
        other_facts = {name: fact for name, fact in text.facts.items() if name not in {"cards", "count"}}
        previous = merged.get(key := repr((text.key, other_facts)))
        so_far = previous.facts["cards"] if isinstance(previous, TranslatableText) else ()
        assert isinstance(so_far, tuple)  # noqa: S101 - the loop stores only tuples
        merged[key] = TranslatableText(text.key, {**other_facts, "cards": (*so_far, *cards), "count": len(so_far) + len(cards)})
    return list(merged.values())


def hint_from_reason(reason: Text) -> Text:
    """Convert the reason why a card is correct into a hint that does not name the card.

    A reason that an author has written stays unchanged.
    """
    return (
        TranslatableText(f"lesson.hint.{reason.key.rpartition('.')[2]}")
        if isinstance(reason, TranslatableText) and reason.key.startswith("lesson.why.")
        else reason
    )


def explain_none_right(reasons: Mapping[str, Text]) -> list[Text]:
    """Explain why no card is correct: by a rule for all cards, or else by two examples."""
    refusals: dict[str, Text] = {}
    for refusal in reasons.values():
        refusals.setdefault(refusal.code if isinstance(refusal, Refusal) else repr(refusal), refusal)
    general: list[Text] = [
        refusal for code, refusal in refusals.items() if isinstance(refusal, Refusal) and code not in _SINGLE_CARD_REFUSALS
    ]
    examples = list(refusals.values())[:2]
    return general[:1] or examples
