"""Why a card is right: the rule that decides, as a sentence; cards that are right by one rule are told together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.engine.moves import Refusal
from durak_widget.i18n import Fact, Suit
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text

_OF_THE_CARD: Final = frozenset(
    {"transfer_rank", "not_in_hand", "rank_not_on_table", "too_low", "wrong_suit", "only_spades_beat_spades", "joker_wrong_colour"}
)
"""Refusals that are about one card; any other is about them all."""


def reason(move: Move) -> Fact:
    """By which rule that move may be made with the last card that it names.

    >>> from durak_widget import Move
    >>> from durak_widget.i18n import Voice
    >>> why = reason(Move("beat 7c Ah"))
    >>> print(Voice().say(why.key, **why.facts))
    The ace of hearts is a trump, and the 7 of clubs is not.
    """
    card = move.cards[-1]
    facts: dict[str, object] = {"cards": (card.face,), "count": 1}
    if move.verb != "beat":
        return Fact(f"lesson.why.{move.verb}", {} if move.verb == "attack" else facts)
    if card is not card.face:
        return Fact("lesson.why.named", {**facts, "suit": Suit(card.suit or "")})
    target = move.cards[0]
    which = deck_and_beating.why(card.counts, target.counts)
    if which == "joker":
        facts["colour"] = Fact(f"why.{target.color}")
    return Fact(f"lesson.why.{which}", {**facts, "target": Card.of(target.counts)})


def reasons_together(reasons: Iterable[Text]) -> list[Text]:
    """These reasons, each said once, with all the cards of which it is true.

    >>> same = [Fact("lesson.why.higher", {"cards": (card,), "count": 1}) for card in ("Td", "Kd")]
    >>> reasons_together([*same, "Look.", "Look."])
    [Fact(key='lesson.why.higher', facts={'cards': ('Td', 'Kd'), 'count': 2}), 'Look.']
    """
    found: dict[str, Text] = {}
    for one in reasons:
        cards = one.facts.get("cards") if isinstance(one, Fact) else None
        if not isinstance(one, Fact) or not isinstance(cards, tuple):
            found.setdefault(repr(one), one)
            continue
        rest = {name: fact for name, fact in one.facts.items() if name not in {"cards", "count"}}
        known = found.get(key := repr((one.key, rest)))
        so_far = known.facts["cards"] if isinstance(known, Fact) else ()
        assert isinstance(so_far, tuple)  # noqa: S101 - it was put there above
        found[key] = Fact(one.key, {**rest, "cards": (*so_far, *cards), "count": len(so_far) + len(cards)})
    return list(found.values())


def hint(why: Text) -> Text:
    """What leads to a card that was left out, without naming it; an author's own reason says what the author likes."""
    return Fact(f"lesson.hint.{why.key.rpartition('.')[2]}") if isinstance(why, Fact) and why.key.startswith("lesson.why.") else why


def why_none(reasons: Mapping[str, Text]) -> list[Text]:
    """Why no card at all is right: a rule that is about them all, else two examples of different rules."""
    refusals: dict[str, Text] = {}
    for why in reasons.values():
        refusals.setdefault(why.code if isinstance(why, Refusal) else repr(why), why)
    general: list[Text] = [why for code, why in refusals.items() if isinstance(why, Refusal) and code not in _OF_THE_CARD]
    examples = list(refusals.values())[:2]
    return general[:1] or examples
