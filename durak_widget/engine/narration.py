"""What a seat sees, told in words: whose turn it is, what lies where, what was done, what it may do.

Every sentence is said by a `Voice`, which chooses the language, names the cards, and knows which seat is `you`.
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
"""How many cards a sentence names."""
_BY_TURNS = {None: "cdsh", "h": "cdsh", "d": "chsd", "s": "dchs", "c": "dshc"}
"""The suits as they are held where that is trump."""
_ROLES = {"throws in": "throws"}


# What is where


def hand(view: View) -> list[Card]:
    """The viewer's hand as people hold it: suit by suit, black and red by turns, trumps last, then jokers."""
    suits = _BY_TURNS[view.trump]
    return sorted(view.hand, key=lambda card: (card.is_joker, suits.find(card.suit or ""), card.code))


def playable(view: View) -> set[Card]:
    """The viewer's cards that may be played now."""
    played = (move.cards[1:] if move.verb == "beat" else move.cards for move in view.legal_moves())
    return {card.face for some in played for card in some}


def partners(view: View, seat: int) -> bool:
    """Whether that other seat is of the viewer's side."""
    side = seating.sides(view.rules)
    return seat != view.seat and side[seat] == side[view.seat]


def wears(view: View, seat: int) -> tuple[Card, ...]:
    """The epaulettes of that seat, if it is the fool and wears any."""
    outcome = view.outcome
    if outcome is None or seat != outcome.fool or not outcome.epaulettes or not view.ends:
        return ()
    return tuple(card.face for card in worn(outcome, view.ends[-1].attacks))


def role(view: View, seat: int) -> str:
    """The key of what a seat does now, or of how the game ended for it: `voice.say(f"role.{key}", who=Seat(seat))` says it.

    >>> from durak_widget import Game
    >>> [role(Game(seed=7).view(0), seat) for seat in (0, 1)]
    ['attacks', 'defends']
    """
    outcome = view.outcome
    if outcome is None:
        does = view.role_of(seat)
        return "passed" if does == "waits" and seat in view.passed else _ROLES.get(does, does)
    if seat == outcome.fool:
        return "fool"
    if not outcome.winners:
        return "draw"
    return "won" if seat in outcome.winners else "lost"


def title(view: View, voice: Voice) -> str:
    """What is shown: `Durak table, bout 4, move 17, as Player 1 sees it`."""
    return voice.say("picture.title", bout=view.bout, move=view.ply, number=view.seat + 1)


def trump_words(view: View, voice: Voice) -> str:
    """`Trump: hearts` or `No trumps`."""
    return voice.say("screen.trump", suit=Suit(view.trump)) if view.trump else voice.say("screen.no_trumps")


def room(view: View, voice: Voice) -> str:
    """How many attacking cards there are of how many there may be: `2 of 6`; after the end, only how many."""
    count = len(view.table)
    return voice.say("screen.cards", count=count) if view.outcome else voice.say("screen.limit", count=count, limit=view.limit)


# What is to be done


def call(view: View, voice: Voice) -> str:
    """The call to action: whose turn it is, and for what; or how the game ended.

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
    doing = "defend" if view.actor == view.defender else "throw" if view.table else "open"
    return _taker(view, voice) + voice.say(f"call.waits.{doing}", who=Seat(view.actor))


def _taker(view: View, voice: Voice) -> str:
    return f"{voice.say('deed.take', who=Seat(view.defender))} " if view.taking else ""


def _opening(view: View, voice: Voice) -> str:
    said = voice.say("call.open.several" if attack.several(view.rules) else "call.open")
    swaps = any(move.verb == "swap" for move in view.legal_moves())
    return f"{said} {voice.say('call.swap')}" if swaps else said


def _adding(view: View, voice: Voice) -> str:
    throws = tuple(dict.fromkeys(move.cards[0].face for move in view.legal_moves() if move.verb == "throw"))
    said = voice.say("call.throw", cards=throws) if len(throws) <= _FEW else voice.say("call.throw.any")
    return _taker(view, voice) + said


def _defending(view: View, voice: Voice) -> str:
    can = {move.verb for move in view.legal_moves()}
    unbeaten = view.table.unbeaten
    facts: dict[str, object] = {"cards": unbeaten} if len(unbeaten) <= _FEW else {"count": len(unbeaten)}
    several = "" if "cards" in facts else ".several"
    if can == {"take"}:
        return voice.say(f"call.stuck{several}", **facts)
    ways = [Fact(f"call.beat{several}", facts), Fact("call.transfer"), Fact("call.show")]
    named = [way for way, verb in zip(ways, ("beat", "transfer", "show"), strict=True) if verb in can]
    return voice.say("call.defend", ways=(*named, Fact("call.take")))


def _ended(view: View, voice: Voice) -> str:
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked only when the game is over
    said = voice.say("sentence", said=ended(outcome))
    lost_together = outcome.fool is not None and len(outcome.losers) > 1
    return f"{voice.say('sentence', said=seats_together('outcome.lost', outcome.losers))} {said}" if lost_together else said


def advice(move: Move, voice: Voice) -> str:
    """A move as something to do.

    >>> from durak_widget import Move
    >>> from durak_widget.i18n import Voice
    >>> advice(Move("beat 7c 9c"), Voice())
    'Beat the 7 of clubs with the 9 of clubs.'
    """
    wanted = advised(move)
    return voice.say(wanted.key, **wanted.facts)


# What has been done


def deed(played: Played, voice: Voice) -> str:
    """A move that was made, for the log.

    >>> from durak_widget import Card, Played
    >>> from durak_widget.i18n import Voice
    >>> deed(Played(1, "throw", (Card("9h"),)), Voice())
    'Player 2 throws in the 9 of hearts.'
    """
    made = done(played)
    return voice.say(made.key, **made.facts)


def done(played: Played) -> Fact:
    """What was done, before it is said in any language."""
    return Fact(f"deed.{played.verb}", {"who": Seat(played.seat), **_named(played.cards)})


def past(played: Played) -> Fact:
    """What was done, told when it is past.

    >>> from durak_widget import Card, Played
    >>> from durak_widget.i18n import Voice
    >>> took = past(Played(1, "take", ()))
    >>> [Voice(one).say(took.key, **took.facts) for one in ("en", "lt", "ru")]
    ['Player 2 took.', 'Žaidėjas 2 paėmė.', 'Игрок 2 взял.']
    """
    return done(played)._replace(key=f"past.{played.verb}")


def advised(move: Move) -> Fact:
    """A move as something to do, before it is said in any language."""
    return Fact(f"advice.{move.verb}", _named(move.cards))


def doing(move: Move) -> Fact:
    """A move as something that may be done, within a sentence: `passing`."""
    return Fact(f"doing.{move.verb}", _named(move.cards))


def _named(cards: Sequence[Card]) -> dict[str, object]:
    """The cards of a move under every name that a sentence may use: all of them, the first, the last."""
    return {"cards": tuple(cards), "target": cards[0], "card": cards[-1]} if cards else {}


def closing(end: BoutEnd, voice: Voice, trump: str | None = None, viewer: int | None = None) -> tuple[str, ...]:
    """How a bout ended, for the log; `trump` is the trump suit afterwards, which a card turned over may have changed.

    What the `viewer` of that end drew is named, for whoever listens; without one it is counted as the others' cards are.

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
    """How a bout ended, before it is said in any language."""
    lying = [code for code in (*end.attacks, *end.beats) if code >= 0]
    told = [Fact("end.taken" if end.taken else "end.beaten", {"who": Seat(end.defender), "count": len(lying)})]
    named = viewer if end.mine else None
    counted = [(seat, count) for seat, count in end.drew if seat != named]
    if counted:
        told.append(cards_drawn(counted))
    if named is not None:
        told.append(Fact("end.draws_named", {"who": Seat(named), "cards": tuple(end.drawn)}))
    told += [Fact("end.turned", {"card": card}) for card in map(Card, end.turned[1:])]
    if end.turned[1:] and trump not in (None, end.trump):
        told.append(Fact("end.trump", {"suit": Suit(trump or "")}))
    return [*told, *(Fact("end.out", {"who": Seat(seat)}) for seat in end.out)]


def cards_drawn(drew: Sequence[tuple[int, int]]) -> Fact:
    """Who drew how many cards, in order."""
    keys = ("end.draws", *("end.draws_too",) * (len(drew) - 1))
    return Fact(
        "end.drawn", {"draws": tuple(Fact(key, {"who": Seat(seat), "count": count}) for key, (seat, count) in zip(keys, drew, strict=True))}
    )


def order(view: View, voice: Voice) -> str:
    """Return which seats had no cards left first, such as `First to finish: Player 2, then you.`; with two players the result says it."""
    return voice.say("told.order", seats=tuple(map(Seat, view.places))) if view.places and len(view.counts) > 2 else ""


# All of it


def told(view: View, voice: Voice) -> str:
    """Everything that the seat sees, a line for each part of the table."""
    others = seating.clockwise(view.seat, len(view.counts))[:-1]
    ending = [said] if view.outcome and (said := order(view, voice)) else []
    seats = (_other(view, seat, voice) for seat in others)
    return "\n".join([call(view, voice), *ending, *seats, _lying(view, voice), piles(view, voice), *_own(view, voice)])


def _other(view: View, seat: int, voice: Voice) -> str:
    parts = [voice.player(seat)]
    if partners(view, seat):
        parts.append(voice.say("told.partner"))
    parts += [voice.say("screen.cards", count=view.counts[seat]), voice.say(f"role.{role(view, seat)}", who=Seat(seat))]
    shown = tuple(voice.name(card) for who, card in view.shown if who == seat)
    if shown:
        parts.append(voice.say("told.shown", cards=shown))
    return f"{', '.join(parts)}."


def _lying(view: View, voice: Voice) -> str:
    if not view.table:
        return voice.say("told.empty")
    return voice.say("told.table", pairs="; ".join(pair_words(pair, voice) for pair in view.table), room=room(view, voice))


def pair_words(pair: Pair, voice: Voice) -> str:
    """`7 of clubs, beaten by 9 of clubs` or `7 of clubs, not beaten`."""
    attack, beat = pair
    by = {} if beat is None else {"by": voice.name(beat)}
    return voice.say("screen.beaten" if by else "screen.unbeaten", card=voice.name(attack), **by)


def piles(view: View, voice: Voice) -> str:
    """What is trump, which card shows it, and how many lie in the talon and in the discard pile."""
    trump = trump_words(view, voice)
    said = [voice.say("told.face_up", trump=trump, card=view.turn_up) if view.turn_up else f"{trump}."]
    if view.talon_count or deal_and_trump.leaves_talon(view.rules):
        said.append(f"{voice.say('screen.talon', count=view.talon_count)}.")
    if view.discard_count:
        said.append(f"{voice.say('screen.discard', count=view.discard_count)}.")
    return " ".join(said)


def holding(view: View, voice: Voice) -> str:
    """The viewer's hand alone.

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
    held, may = hand(view), playable(view)
    doing = voice.say(f"role.{role(view, view.seat)}", who=Seat(view.seat))
    cards = voice.say("screen.cards", count=len(held))
    key = "told.holding" if held else "told.me"
    lines = [voice.say(key, number=view.seat + 1, cards=cards, role=doing, hand=", ".join(map(voice.name, held)))]
    if may and not may.issuperset(held):
        lines.append(voice.say("told.may_play", cards=tuple(voice.name(card) for card in dict.fromkeys(held) if card in may)))
    return lines
