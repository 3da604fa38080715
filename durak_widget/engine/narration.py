"""Describes the table in words: the cards, past moves, whose turn it is, and what to do.

A `Translator` makes every sentence. It sets the language, the names of the cards, and which player the sentence calls `you`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.engine.outcome_wording import build_outcome_fact, build_seats_fact, list_epaulette_cards
from durak_widget.i18n import Seat, Suit, TranslatableText
from durak_widget.rules import attack, deal_and_trump, seating, turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.history import BoutEnd, Pair
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation, PlayedMove
    from durak_widget.i18n import Translator

_MAX_CARDS_NAMED = 4
"""The maximum number of cards that a sentence lists by name; for more, the sentence gives only the number of cards."""
_SUIT_ORDERS = {None: "cdsh", "h": "cdsh", "d": "chsd", "s": "dchs", "c": "dshc"}
"""The order in which a displayed hand shows the suits, for each trump suit."""
_ROLE_KEYS = {"throws in": "throws"}


# --- Words for cards and seats ---


def sort_hand(view: Observation) -> list[Card]:
    """Sort a hand for display: black and red suits alternate, then trumps, then jokers."""
    suits = _SUIT_ORDERS[view.trump]
    return sorted(view.hand, key=lambda card: (card.is_joker, suits.find(card.suit or ""), card.code))


def find_playable_cards(view: Observation) -> set[Card]:
    """Return the cards that the observing seat may legally play now."""
    played = (move.cards[1:] if move.verb == "beat" else move.cards for move in view.legal_moves())
    return {card.face for cards in played for card in cards}


def is_partner(view: Observation, seat: int) -> bool:
    """Return whether a seat is in the same team as the observing seat."""
    side = seating.side_of_seat(view.rules)
    return seat != view.seat and side[seat] == side[view.seat]


def find_epaulettes(view: Observation, seat: int) -> tuple[Card, ...]:
    """Return the cards that a seat wears as epaulettes; none if the seat is not the fool."""
    outcome = view.outcome
    if outcome is None or seat != outcome.fool or not outcome.epaulettes or not view.bout_ends:
        return ()
    return tuple(card.face for card in list_epaulette_cards(outcome, view.bout_ends[-1].attacks))


def find_role_key(view: Observation, seat: int) -> str:
    """Return the end of the translation key for what a seat does now, or for its result.

    `voice.translate(f"role.{key}", who=Seat(seat))` returns the words.

    >>> from durak_widget import Game
    >>> [find_role_key(Game(seed=7).view(0), seat) for seat in (0, 1)]
    ['attacks', 'defends']
    """
    outcome = view.outcome
    if outcome is None:
        seat_role = view.role_of(seat)
        return "passed" if seat_role == "waits" and seat in view.passed else _ROLE_KEYS.get(seat_role, seat_role)
    if seat == outcome.fool:
        return "fool"
    if not outcome.winners:
        return "draw"
    return "won" if seat in outcome.winners else "lost"


def format_title(view: Observation, voice: Translator) -> str:
    """Return a picture's title, such as `Durak table, bout 4, move 17, as Player 1 sees it`."""
    return voice.translate("picture.title", bout=view.bout, move=view.ply, number=view.seat + 1)


def format_trump(view: Observation, voice: Translator) -> str:
    """Return the trump suit in words: `Trump: hearts` or `No trumps`."""
    return voice.translate("screen.trump", suit=Suit(view.trump)) if view.trump else voice.translate("screen.no_trumps")


def format_attack_count(view: Observation, voice: Translator) -> str:
    """Return the number of attacking cards and the maximum in words, such as `2 of 6`.

    After the end of the game, the words have only the number.
    """
    count = len(view.table)
    return voice.translate("screen.cards", count=count) if view.outcome else voice.translate("screen.limit", count=count, limit=view.limit)


# --- Sentences that say what to do now ---


def format_opening_reason(view: Observation, voice: Translator, *, names_card: bool) -> str:
    """Return a sentence that says why a player attacks first in the first game.

    The rules and the dealt cards must have decided it. The sentence says only what the observing player knows. With `names_card`, it names this player's own lowest trump.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Translator
    >>> game = Game(seed=7)
    >>> format_opening_reason(game.view(0), Translator(own_seat=0), names_card=True)
    'You begin: you have the lowest trump, the 10 of hearts.'
    """
    assert view.actor is not None  # noqa: S101 - nobody has moved yet
    lowest_trump = next((card for card in sort_hand(view) if view.trump is not None and card.suit == view.trump), None)
    is_own_opening = view.actor == view.seat and not view.is_hand_hidden
    does_lowest_trump_open = view.trump is not None and turns.does_lowest_trump_open(view.rules)
    if does_lowest_trump_open and is_own_opening and lowest_trump is not None and names_card and voice.own_seat == view.seat:
        return voice.translate("call.begins.own", card=lowest_trump.face)
    is_after_dealer = not does_lowest_trump_open or (is_own_opening and lowest_trump is None)
    return voice.translate("call.begins.dealer" if is_after_dealer else "call.begins.lowest", who=Seat(view.actor))


def format_call_to_action(view: Observation, voice: Translator) -> str:
    """Return a sentence that says whose turn it is and what to do, or how the game ended.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Translator
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c")
    >>> format_call_to_action(game.view(1), Translator(own_seat=1)), format_call_to_action(game.view(0), Translator(own_seat=0))
    ('Beat the 7 of clubs, or take.', 'Player 2 defends.')
    """
    if view.outcome:
        return _format_ended(view, voice)
    if not view.actor == view.seat == voice.own_seat or not view.legal_moves():
        return _format_waiting(view, voice)
    if view.actor == view.defender:
        return _format_defending(view, voice)
    return _format_throwing(view, voice) if view.table else _format_opening(view, voice)


def _format_waiting(view: Observation, voice: Translator) -> str:
    assert view.actor is not None  # noqa: S101 - somebody is to act while the game goes on
    task = "defend" if view.actor == view.defender else "throw" if view.table else "open"
    return _format_taker(view, voice) + voice.translate(f"call.waits.{task}", who=Seat(view.actor))


def _format_taker(view: Observation, voice: Translator) -> str:
    """Return a sentence that the defender takes the cards; "" if the defender does not."""
    return f"{voice.translate('deed.take', who=Seat(view.defender))} " if view.taking else ""


def _format_opening(view: Observation, voice: Translator) -> str:
    sentence = voice.translate("call.open.several" if attack.can_open_with_several(view.rules) else "call.open")
    swaps = any(move.verb == "swap" for move in view.legal_moves())
    return f"{sentence} {voice.translate('call.swap')}" if swaps else sentence


def _format_throwing(view: Observation, voice: Translator) -> str:
    throws = tuple(dict.fromkeys(move.cards[0].face for move in view.legal_moves() if move.verb == "throw"))
    sentence = voice.translate("call.throw", cards=throws) if len(throws) <= _MAX_CARDS_NAMED else voice.translate("call.throw.any")
    return _format_taker(view, voice) + sentence


def _format_defending(view: Observation, voice: Translator) -> str:
    verbs = {move.verb for move in view.legal_moves()}
    unbeaten = view.table.unbeaten
    facts: dict[str, object] = {"cards": unbeaten} if len(unbeaten) <= _MAX_CARDS_NAMED else {"count": len(unbeaten)}
    several = "" if "cards" in facts else ".several"
    if verbs == {"take"}:
        return voice.translate(f"call.stuck{several}", **facts)
    defenses = [TranslatableText(f"call.beat{several}", facts), TranslatableText("call.transfer"), TranslatableText("call.show")]
    legal_defenses = [defense for defense, verb in zip(defenses, ("beat", "transfer", "show"), strict=True) if verb in verbs]
    return voice.translate("call.defend", ways=(*legal_defenses, TranslatableText("call.take")))


def _format_ended(view: Observation, voice: Translator) -> str:
    """Return sentences that say how the game ended."""
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked only when the game is over
    sentence = voice.translate("sentence", said=build_outcome_fact(outcome))
    lost_together = outcome.fool is not None and len(outcome.losers) > 1
    return f"{voice.translate('sentence', said=build_seats_fact('outcome.lost', outcome.losers))} {sentence}" if lost_together else sentence


def format_advice(move: Move, voice: Translator) -> str:
    """Return a sentence that recommends a move.

    >>> from durak_widget import Move
    >>> from durak_widget.i18n import Translator
    >>> format_advice(Move("beat 7c 9c"), Translator())
    'Beat the 7 of clubs with the 9 of clubs.'
    """
    fact = build_advice_fact(move)
    return voice.translate(fact.key, **fact.facts)


# --- Sentences about past moves ---


def format_played_move(played: PlayedMove, voice: Translator) -> str:
    """Return a log entry for a move: a sentence that says who made which move.

    >>> from durak_widget import Card, PlayedMove
    >>> from durak_widget.i18n import Translator
    >>> format_played_move(PlayedMove(1, "throw", (Card("9h"),)), Translator())
    'Player 2 throws in the 9 of hearts.'
    """
    fact = build_played_fact(played)
    return voice.translate(fact.key, **fact.facts)


def build_played_fact(played: PlayedMove) -> TranslatableText:
    """Return a log entry for a move as translatable text: who made which move."""
    return TranslatableText(f"deed.{played.verb}", {"who": Seat(played.seat), **_build_card_facts(played.cards)})


def build_past_fact(played: PlayedMove) -> TranslatableText:
    """Return a translatable text that says who made which move, in the past tense.

    >>> from durak_widget import Card, PlayedMove
    >>> from durak_widget.i18n import Translator
    >>> took = build_past_fact(PlayedMove(1, "take", ()))
    >>> [Translator(language).translate(took.key, **took.facts) for language in ("en", "lt", "ru")]
    ['Player 2 took the cards.', 'Žaidėjas 2 paėmė kortas.', 'Игрок 2 взял карты.']
    """
    return build_played_fact(played)._replace(key=f"past.{played.verb}")


def build_advice_fact(move: Move) -> TranslatableText:
    """Return a translatable text that recommends a move."""
    return TranslatableText(f"advice.{move.verb}", _build_card_facts(move.cards))


def build_doing_fact(move: Move) -> TranslatableText:
    """Return a translatable phrase that names a move inside a sentence, such as `passing`."""
    return TranslatableText(f"doing.{move.verb}", _build_card_facts(move.cards))


def _build_card_facts(cards: Sequence[Card]) -> dict[str, object]:
    """Return a move's cards as a dict, keyed by the names that translated sentences use."""
    return {"cards": tuple(cards), "target": cards[0], "card": cards[-1]} if cards else {}


def format_bout_end(end: BoutEnd, voice: Translator, trump: str | None = None, viewer: int | None = None) -> tuple[str, ...]:
    """Return log entries about a bout's end: who took or beat cards, who drew, and who is out.

    `trump` is the trump suit after the bout; it may be new if a hidden card was turned over. The sentences name the cards that `viewer` drew.
    They only count the cards of all other seats, and without a `viewer` those of every seat.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Translator
    >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac"); game.play("attack 6c"); game.play("take")
    >>> format_bout_end(game.view(1).bout_ends[0], Translator(own_seat=1))
    ('You take 1 card.', 'Player 1 draws 1 card.')
    >>> format_bout_end(game.view(0).bout_ends[0], Translator(own_seat=0), viewer=0)
    ('Player 2 takes 1 card.', 'You draw the ace of clubs.')
    """
    return tuple(voice.translate(fact.key, **fact.facts) for fact in build_bout_end_facts(end, trump, viewer))


def build_bout_end_facts(end: BoutEnd, trump: str | None = None, viewer: int | None = None) -> list[TranslatableText]:
    """Return translatable texts about the end of a bout; see `format_bout_end`."""
    codes = [code for code in (*end.attacks, *end.beats) if code >= 0]
    facts = [TranslatableText("end.taken" if end.taken else "end.beaten", {"who": Seat(end.defender), "count": len(codes)})]
    named_seat = viewer if end.own_draw_mask else None
    draws = [(seat, count) for seat, count in end.draw_counts if seat != named_seat]
    if draws:
        facts.append(build_draws_fact(draws))
    if named_seat is not None:
        facts.append(TranslatableText("end.draws_named", {"who": Seat(named_seat), "cards": tuple(end.own_draw)}))
    facts += [TranslatableText("end.turned", {"card": card}) for card in map(Card, end.turned_cards[1:])]
    if end.turned_cards[1:] and trump not in (None, end.trump):
        facts.append(TranslatableText("end.trump", {"suit": Suit(trump or "")}))
    return [*facts, *(TranslatableText("end.out", {"who": Seat(seat)}) for seat in end.seats_out)]


def build_draws_fact(draw_counts: Sequence[tuple[int, int]]) -> TranslatableText:
    """Return a translatable text that says how many cards each seat drew, in drawing order."""
    keys = ("end.draws", *("end.draws_too",) * (len(draw_counts) - 1))
    return TranslatableText(
        "end.drawn",
        {
            "draws": tuple(
                TranslatableText(key, {"who": Seat(seat), "count": count}) for key, (seat, count) in zip(keys, draw_counts, strict=True)
            )
        },
    )


def format_finishing_order(view: Observation, voice: Translator) -> str:
    """Return a sentence that lists the players in the order in which they left the game.

    With two players the sentence is empty, because the result of the game already says this.
    """
    return voice.translate("told.order", seats=tuple(map(Seat, view.places))) if view.places and len(view.counts) > 2 else ""


# --- Descriptions of the whole table ---


def describe_observation(view: Observation, voice: Translator) -> str:
    """Describe in words everything that a seat sees; use one line for each part of the table."""
    other_seats = seating.seats_clockwise(view.seat, len(view.counts))[:-1]
    ending = [finishing_order] if view.outcome and (finishing_order := format_finishing_order(view, voice)) else []
    seats = (_describe_other_seat(view, seat, voice) for seat in other_seats)
    return "\n".join(
        [
            format_call_to_action(view, voice),
            *ending,
            *seats,
            _describe_table(view, voice),
            describe_piles(view, voice),
            *_describe_own_seat(view, voice),
        ]
    )


def _describe_other_seat(view: Observation, seat: int, voice: Translator) -> str:
    sentences = [_describe_role(view, seat, view.counts[seat], voice)]
    if is_partner(view, seat):
        sentences.append(voice.translate("told.partner", who=Seat(seat)))
    shown_trumps = tuple(voice.name_card(card) for shower, card in view.shown_trumps if shower == seat)
    if shown_trumps:
        sentences.append(voice.translate("told.shown", who=Seat(seat), cards=shown_trumps))
    return " ".join(sentences)


def _describe_role(view: Observation, seat: int, card_count: int, voice: Translator) -> str:
    """Return a sentence on what a seat does now, or its result, and its number of cards."""
    return voice.translate(f"told.role.{find_role_key(view, seat)}", who=Seat(seat), count=card_count)


def _describe_table(view: Observation, voice: Translator) -> str:
    if not view.table:
        return voice.translate("told.empty")
    return voice.translate(
        "told.table", pairs="; ".join(format_pair(pair, voice) for pair in view.table), room=format_attack_count(view, voice)
    )


def format_pair(pair: Pair, voice: Translator) -> str:
    """Describe an attacking card in words, such as `7 of clubs, beaten by 9 of clubs`."""
    attack, beat = pair
    by = {} if beat is None else {"by": voice.name_card(beat)}
    return voice.translate("screen.beaten" if by else "screen.unbeaten", card=voice.name_card(attack), **by)


def describe_piles(view: Observation, voice: Translator) -> str:
    """Describe in words the trump suit and the sizes of the talon and the discard pile."""
    trump = format_trump(view, voice)
    sentences = [voice.translate("told.face_up", trump=trump, card=view.turn_up) if view.turn_up else f"{trump}."]
    if view.talon_count or deal_and_trump.has_talon_after_deal(view.rules):
        sentences.append(f"{voice.translate('screen.talon', count=view.talon_count)}.")
    if view.discard_count:
        sentences.append(f"{voice.translate('screen.discard', count=view.discard_count)}.")
    return " ".join(sentences)


def describe_hand(view: Observation, voice: Translator) -> str:
    """Describe in words only the hand of the observing seat.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Translator
    >>> describe_hand(Game.from_position(hands=["7c 7d", "9c Th"], trump="h").view(1), Translator(own_seat=1))
    'You hold 2 cards: 9 of clubs, 10 of hearts.'
    """
    if view.is_hand_hidden:
        return _describe_other_seat(view, view.seat, voice)
    cards = sort_hand(view)
    return voice.translate("told.hand" if cards else "told.hand.none", count=len(cards), hand=", ".join(map(voice.name_card, cards)))


def _describe_own_seat(view: Observation, voice: Translator) -> list[str]:
    if view.is_hand_hidden:
        return [_describe_other_seat(view, view.seat, voice)]
    cards_in_hand, playable_cards = sort_hand(view), find_playable_cards(view)
    role_words = _describe_role(view, view.seat, len(cards_in_hand), voice)
    key = "told.holding" if cards_in_hand else "told.me"
    lines = [voice.translate(key, number=view.seat + 1, role=role_words, hand=", ".join(map(voice.name_card, cards_in_hand)))]
    if playable_cards and not playable_cards.issuperset(cards_in_hand):
        lines.append(
            voice.translate(
                "told.may_play", cards=tuple(voice.name_card(card) for card in dict.fromkeys(cards_in_hand) if card in playable_cards)
            )
        )
    return lines
