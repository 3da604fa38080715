"""Says in a few sentences how a game goes under given rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import SUITS
from durak_widget.i18n import Suit, TranslatableText
from durak_widget.rules import attack, deal_and_trump, deck_and_beating, scoring, seating, turns

if TYPE_CHECKING:
    from durak_widget.rules.ruleset import Rules

_Sentence = tuple[str, dict[str, object]]
"""A sentence: the end of its key, and its facts."""
_THROW_IN_MOMENTS: Final = {attack.NEVER: "all_beaten", 1: "first_beaten", 0: "any_time"}


def summarize_rules(rules: Rules) -> list[list[TranslatableText]]:
    """Return what a beginner has to know about these rules, as sentences in paragraphs.

    >>> from durak_widget import Rules
    >>> [[text.key.removeprefix("rules.play.") for text in paragraph] for paragraph in summarize_rules(Rules())[:4]]
    [['goal'], ['beat', 'trump'], ['first.lowest_trump', 'open'], ['take']]
    """
    transfer: list[_Sentence] = [("transfer", {})] if attack.has_transfers(rules) else []
    paragraphs: list[list[_Sentence]] = [
        [_find_goal(rules)],
        _list_beating_sentences(rules),
        _list_attack_sentences(rules),
        [("take", {})],
        transfer,
        _list_throwing_sentences(rules),
        [_find_limit(rules)],
        [("after", {})],
        [_find_drawing(rules)],
    ]
    return [[TranslatableText(f"rules.play.{key}", facts) for key, facts in sentences] for sentences in paragraphs if sentences]


def _find_goal(rules: Rules) -> _Sentence:
    if scoring.does_first_out_win(rules):
        return "goal.first_out", {}
    return "goal.teams" if seating.has_teams(rules) else "goal", {}


def _list_attack_sentences(rules: Rules) -> list[_Sentence]:
    lowest_trump_opens = turns.does_lowest_trump_open(rules) and deal_and_trump.has_trumps(rules)
    return [
        ("first.lowest_trump" if lowest_trump_opens else "first.after_dealer", {}),
        ("open.several" if attack.can_open_with_several(rules) else "open", {}),
    ]


def _list_beating_sentences(rules: Rules) -> list[_Sentence]:
    """Return what beats what: higher cards, trumps, and the exceptions."""
    sentences: list[_Sentence] = [("beat", {})]
    if deal_and_trump.has_trumps(rules):
        fixed_suit = deal_and_trump.fixed_trump_suit(rules)
        sentences.append(("trump", {}) if fixed_suit is None else ("trump.suit", {"suit": Suit(SUITS[fixed_suit])}))
        if deck_and_beating.does_low_trump_beat_ace(rules):
            sentences.append(("low_trump", {}))
    if deck_and_beating.has_jokers(rules):
        sentences.append(("jokers", {}))
    if deck_and_beating.do_only_spades_beat_spades(rules):
        sentences.append(("spades", {}))
    return sentences


def _list_throwing_sentences(rules: Rules) -> list[_Sentence]:
    """Return who throws in and when; nothing if nobody does."""
    count, attacker, defender = seating.seat_count(rules), 0, 1
    throwers = attack.list_throwers(rules, attacker, defender, (1 << count) - 1)
    if not throwers:
        return []
    side = seating.side_of_seat(rules)
    if throwers == [attacker]:
        who = "attacker"
    elif len(throwers) < sum(side[seat] != side[defender] for seat in range(count)):
        who = "neighbours"
    else:
        who = "teams" if seating.has_teams(rules) else "all"
    after_take: list[_Sentence] = [("throw.taken", {})] if attack.can_throw_after_take(rules) else []
    return [(f"throw.{who}", {}), (f"throw.{_THROW_IN_MOMENTS[attack.min_beaten_to_throw(rules)]}", {}), *after_take]


def _find_limit(rules: Rules) -> _Sentence:
    limit = attack.max_attacks(rules, first_bout=False)
    return ("limit.hand", {}) if limit >= attack.NEVER else ("limit", {"count": limit})


def _find_drawing(rules: Rules) -> _Sentence:
    if not deal_and_trump.has_talon_after_deal(rules):
        return "draw.none", {}
    return "draw", {"count": deal_and_trump.hand_size(rules)}
