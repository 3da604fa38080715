"""The table in words: the actor, the cards, the moves made, the moves possible.

Every sentence goes through a `Voice`, which chooses the language, names the cards, and knows which seat is `you`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.engine.outcome_wording import ended, seats_together, worn
from durak_widget.i18n import Fact, Seat, Suit
from durak_widget.rules import attack, deal_and_trump, seating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.history import BoutEnd, Pair
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Played, View
    from durak_widget.i18n import Voice

_FEW = 4
"""The maximum number of cards named in a sentence."""
_BY_TURNS = {None: "cdsh", "h": "cdsh", "d": "chsd", "s": "dchs", "c": "dshc"}
"""The order of suits in a hand, for each trump suit."""
_ROLES = {"throws in": "throws"}


# Cards and seats


def hand(view: View) -> list[Card]:
    """Return the hand in the usual order: black and red suits in turn, trumps, then jokers."""
    suits = _BY_TURNS[view.trump]
    return sorted(view.hand, key=lambda card: (card.is_joker, suits.find(card.suit or ""), card.code))


def playable(view: View) -> set[Card]:
    """Return the viewer's cards that may be played now."""
    played = (move.cards[1:] if move.verb == "beat" else move.cards for move in view.legal_moves())
    return {card.face for cards in played for card in cards}


def partners(view: View, seat: int) -> bool:
    """Return whether that seat is another one on the viewer's side."""
    side = seating.sides(view.rules)
    return seat != view.seat and side[seat] == side[view.seat]


def wears(view: View, seat: int) -> tuple[Card, ...]:
    """Return the epaulettes of a seat, if it is the fool and has any."""
    outcome = view.outcome
    if outcome is None or seat != outcome.fool or not outcome.epaulettes or not view.ends:
        return ()
    return tuple(card.face for card in worn(outcome, view.ends[-1].attacks))


def role(view: View, seat: int) -> str:
    """Return the key of a seat's role now, or of its result after the game.

    `voice.say(f"role.{key}", who=Seat(seat))` gives the words.

    >>> from durak_widget import Game
    >>> [role(Game(seed=7).view(0), seat) for seat in (0, 1)]
    ['attacks', 'defends']
    """
    outcome = view.outcome
    if outcome is None:
        seat_role = view.role_of(seat)
        return "passed" if seat_role == "waits" and seat in view.passed else _ROLES.get(seat_role, seat_role)
    if seat == outcome.fool:
        return "fool"
    if not outcome.winners:
        return "draw"
    return "won" if seat in outcome.winners else "lost"


def title(view: View, voice: Voice) -> str:
    """Return the title, such as `Durak table, bout 4, move 17, as Player 1 sees it`."""
    return voice.say("picture.title", bout=view.bout, move=view.ply, number=view.seat + 1)


def trump_words(view: View, voice: Voice) -> str:
    """Return `Trump: hearts` or `No trumps`."""
    return voice.say("screen.trump", suit=Suit(view.trump)) if view.trump else voice.say("screen.no_trumps")


def room(view: View, voice: Voice) -> str:
    """Return the number of attacking cards and the limit, such as `2 of 6`.

    After the end it is only the number.
    """
    count = len(view.table)
    return voice.say("screen.cards", count=count) if view.outcome else voice.say("screen.limit", count=count, limit=view.limit)


# What to do now


def call(view: View, voice: Voice) -> str:
    """Return the call to action: whose turn it is and for what, or how the game ended.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c")
    >>> call(game.view(1), Voice(me=1)), call(game.view(0), Voice(me=0))
    ('Beat the 7 of clubs, or take.', 'Player 2 defends.')
    """
    if view.outcome:
        return _ended(view, voice)
    if not view.actor == view.seat == voice.me or not view.legal_moves():
        return _waiting(view, voice)
    if view.actor == view.defender:
        return _defending(view, voice)
    return _adding(view, voice) if view.table else _opening(view, voice)


def _waiting(view: View, voice: Voice) -> str:
    assert view.actor is not None  # noqa: S101 - somebody is to act while the game goes on
    task = "defend" if view.actor == view.defender else "throw" if view.table else "open"
    return _taker(view, voice) + voice.say(f"call.waits.{task}", who=Seat(view.actor))


def _taker(view: View, voice: Voice) -> str:
    return f"{voice.say('deed.take', who=Seat(view.defender))} " if view.taking else ""


def _opening(view: View, voice: Voice) -> str:
    sentence = voice.say("call.open.several" if attack.several(view.rules) else "call.open")
    swaps = any(move.verb == "swap" for move in view.legal_moves())
    return f"{sentence} {voice.say('call.swap')}" if swaps else sentence


def _adding(view: View, voice: Voice) -> str:
    throws = tuple(dict.fromkeys(move.cards[0].face for move in view.legal_moves() if move.verb == "throw"))
    sentence = voice.say("call.throw", cards=throws) if len(throws) <= _FEW else voice.say("call.throw.any")
    return _taker(view, voice) + sentence


def _defending(view: View, voice: Voice) -> str:
    verbs = {move.verb for move in view.legal_moves()}
    unbeaten = view.table.unbeaten
    facts: dict[str, object] = {"cards": unbeaten} if len(unbeaten) <= _FEW else {"count": len(unbeaten)}
    several = "" if "cards" in facts else ".several"
    if verbs == {"take"}:
        return voice.say(f"call.stuck{several}", **facts)
    ways = [Fact(f"call.beat{several}", facts), Fact("call.transfer"), Fact("call.show")]
    available_ways = [way for way, verb in zip(ways, ("beat", "transfer", "show"), strict=True) if verb in verbs]
    return voice.say("call.defend", ways=(*available_ways, Fact("call.take")))


def _ended(view: View, voice: Voice) -> str:
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked only when the game is over
    sentence = voice.say("sentence", said=ended(outcome))
    lost_together = outcome.fool is not None and len(outcome.losers) > 1
    return f"{voice.say('sentence', said=seats_together('outcome.lost', outcome.losers))} {sentence}" if lost_together else sentence


def advice(move: Move, voice: Voice) -> str:
    """Return a move as advice.

    >>> from durak_widget import Move
    >>> from durak_widget.i18n import Voice
    >>> advice(Move("beat 7c 9c"), Voice())
    'Beat the 7 of clubs with the 9 of clubs.'
    """
    fact = advised(move)
    return voice.say(fact.key, **fact.facts)


# What was done


def deed(played: Played, voice: Voice) -> str:
    """Return a move that was made, for the log.

    >>> from durak_widget import Card, Played
    >>> from durak_widget.i18n import Voice
    >>> deed(Played(1, "throw", (Card("9h"),)), Voice())
    'Player 2 throws in the 9 of hearts.'
    """
    fact = done(played)
    return voice.say(fact.key, **fact.facts)


def done(played: Played) -> Fact:
    """Return the fact of a move that was made, for any language."""
    return Fact(f"deed.{played.verb}", {"who": Seat(played.seat), **_named(played.cards)})


def past(played: Played) -> Fact:
    """Return the fact of a move that was made, in the past tense.

    >>> from durak_widget import Card, Played
    >>> from durak_widget.i18n import Voice
    >>> took = past(Played(1, "take", ()))
    >>> [Voice(language).say(took.key, **took.facts) for language in ("en", "lt", "ru")]
    ['Player 2 took.', 'Žaidėjas 2 paėmė.', 'Игрок 2 взял.']
    """
    return done(played)._replace(key=f"past.{played.verb}")


def advised(move: Move) -> Fact:
    """Return the fact of a move as advice, for any language."""
    return Fact(f"advice.{move.verb}", _named(move.cards))


def doing(move: Move) -> Fact:
    """Return the fact of a possible move within a sentence, such as `passing`."""
    return Fact(f"doing.{move.verb}", _named(move.cards))


def _named(cards: Sequence[Card]) -> dict[str, object]:
    """Return the cards of a move under each name that a sentence may use: all, first, last."""
    return {"cards": tuple(cards), "target": cards[0], "card": cards[-1]} if cards else {}


def closing(end: BoutEnd, voice: Voice, trump: str | None = None, viewer: int | None = None) -> tuple[str, ...]:
    """Return how a bout ended, for the log.

    `trump` is the trump suit afterwards, which a card turned over may have changed. The draw of the `viewer` of that end is named;
    without one it is counted like the others.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["6c 7c", "8d 9d"], talon="Ac"); game.play("attack 6c"); game.play("take")
    >>> closing(game.view(1).ends[0], Voice(me=1))
    ('You take 1 card.', 'Player 1 draws 1 card.')
    >>> closing(game.view(0).ends[0], Voice(me=0), viewer=0)
    ('Player 2 takes 1 card.', 'You draw the ace of clubs.')
    """
    return tuple(voice.say(fact.key, **fact.facts) for fact in closed(end, trump, viewer))


def closed(end: BoutEnd, trump: str | None = None, viewer: int | None = None) -> list[Fact]:
    """Return the facts of the end of a bout, for any language."""
    codes = [code for code in (*end.attacks, *end.beats) if code >= 0]
    facts = [Fact("end.taken" if end.taken else "end.beaten", {"who": Seat(end.defender), "count": len(codes)})]
    named_seat = viewer if end.mine else None
    draws = [(seat, count) for seat, count in end.drew if seat != named_seat]
    if draws:
        facts.append(cards_drawn(draws))
    if named_seat is not None:
        facts.append(Fact("end.draws_named", {"who": Seat(named_seat), "cards": tuple(end.drawn)}))
    facts += [Fact("end.turned", {"card": card}) for card in map(Card, end.turned[1:])]
    if end.turned[1:] and trump not in (None, end.trump):
        facts.append(Fact("end.trump", {"suit": Suit(trump or "")}))
    return [*facts, *(Fact("end.out", {"who": Seat(seat)}) for seat in end.out)]


def cards_drawn(drew: Sequence[tuple[int, int]]) -> Fact:
    """Return the fact that says who drew how many cards, in order."""
    keys = ("end.draws", *("end.draws_too",) * (len(drew) - 1))
    return Fact(
        "end.drawn", {"draws": tuple(Fact(key, {"who": Seat(seat), "count": count}) for key, (seat, count) in zip(keys, drew, strict=True))}
    )


def order(view: View, voice: Voice) -> str:
    """Return a sentence with the seats in the order in which they finished.

    With two players it is empty, because the result says the same.
    """
    return voice.say("told.order", seats=tuple(map(Seat, view.places))) if view.places and len(view.counts) > 2 else ""


# The whole table


def told(view: View, voice: Voice) -> str:
    """Return all that the seat sees, with a line for each part of the table."""
    others = seating.clockwise(view.seat, len(view.counts))[:-1]
    ending = [finishing_order] if view.outcome and (finishing_order := order(view, voice)) else []
    seats = (_other(view, seat, voice) for seat in others)
    return "\n".join([call(view, voice), *ending, *seats, _lying(view, voice), piles(view, voice), *_own(view, voice)])


def _other(view: View, seat: int, voice: Voice) -> str:
    parts = [voice.player(seat)]
    if partners(view, seat):
        parts.append(voice.say("told.partner"))
    parts += [voice.say("screen.cards", count=view.counts[seat]), voice.say(f"role.{role(view, seat)}", who=Seat(seat))]
    shown = tuple(voice.name(card) for shower, card in view.shown if shower == seat)
    if shown:
        parts.append(voice.say("told.shown", cards=shown))
    return f"{', '.join(parts)}."


def _lying(view: View, voice: Voice) -> str:
    if not view.table:
        return voice.say("told.empty")
    return voice.say("told.table", pairs="; ".join(pair_words(pair, voice) for pair in view.table), room=room(view, voice))


def pair_words(pair: Pair, voice: Voice) -> str:
    """Return `7 of clubs, beaten by 9 of clubs` or `7 of clubs, not beaten`."""
    attack, beat = pair
    by = {} if beat is None else {"by": voice.name(beat)}
    return voice.say("screen.beaten" if by else "screen.unbeaten", card=voice.name(attack), **by)


def piles(view: View, voice: Voice) -> str:
    """Return the trump suit, the card that shows it, and the sizes of talon and discard pile."""
    trump = trump_words(view, voice)
    sentences = [voice.say("told.face_up", trump=trump, card=view.turn_up) if view.turn_up else f"{trump}."]
    if view.talon_count or deal_and_trump.leaves_talon(view.rules):
        sentences.append(f"{voice.say('screen.talon', count=view.talon_count)}.")
    if view.discard_count:
        sentences.append(f"{voice.say('screen.discard', count=view.discard_count)}.")
    return " ".join(sentences)


def holding(view: View, voice: Voice) -> str:
    """Return the viewer's hand alone.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Voice
    >>> holding(Game.from_position(hands=["7c 7d", "9c Th"], trump="h").view(1), Voice(me=1))
    'You hold 2 cards: 9 of clubs, 10 of hearts.'
    """
    if view.is_covered:
        return _other(view, view.seat, voice)
    cards = hand(view)
    return voice.say("told.hand" if cards else "told.hand.none", count=len(cards), hand=", ".join(map(voice.name, cards)))


def _own(view: View, voice: Voice) -> list[str]:
    if view.is_covered:
        return [_other(view, view.seat, voice)]
    cards_in_hand, playable_cards = hand(view), playable(view)
    role_words = voice.say(f"role.{role(view, view.seat)}", who=Seat(view.seat))
    count_words = voice.say("screen.cards", count=len(cards_in_hand))
    key = "told.holding" if cards_in_hand else "told.me"
    lines = [voice.say(key, number=view.seat + 1, cards=count_words, role=role_words, hand=", ".join(map(voice.name, cards_in_hand)))]
    if playable_cards and not playable_cards.issuperset(cards_in_hand):
        lines.append(
            voice.say("told.may_play", cards=tuple(voice.name(card) for card in dict.fromkeys(cards_in_hand) if card in playable_cards))
        )
    return lines
