"""Gives a hint in two steps: first a thought, then the move with its reason.

In a two-player endgame without a talon the move comes from an exact search. Before that it is the careful
bot's move, unless playouts are sure of a better one. Thought and reason use only what the player may know,
and they are true of the cards on the table.
"""

from __future__ import annotations

from collections import Counter
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.bots.heuristic_bots import TRUMP, Careful, beating_all, preferred, prices
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import advice, advised, doing
from durak_widget.i18n import Fact, Seat
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from durak_widget.analysis.endgame import Ending
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import View
    from durak_widget.i18n import Voice

_LINE_POSITIONS: Final = 10_000
"""How many more positions are searched to say how the game goes on, which takes about a fifth of a second."""
_SHORT: Final = 5
"""A line of so many sentences is still heard to its end."""
HINT_POSITIONS: Final = 40_000
"""How many positions are searched for a hint, which takes less than a second in plain Python."""
_MANY: Final = 24
"""With more cards than these in both hands each position takes longer, and fewer are looked at."""
_SOME: Final = 50
"""So many possible worlds are looked at where the other hand is not known."""


class Explanation(NamedTuple):
    """A thought, and the sentences of the reason."""

    thought: Fact
    reason: Sequence[Fact] = ()


def explain_advice(view: View, advice: Advice) -> Explanation:
    """Return why a seat is advised to make this move.

    >>> from durak_widget import Game, Move
    >>> from durak_widget.table.hints import Advice
    >>> view = Game.from_position(hands=["9c Ah", "7d"], trump="h", table="7c", attacker=1, talon="8d").view(0)
    >>> explain_advice(view, Advice(Move("beat 7c 9c"))).thought.key
    'hint.thought.plain'
    """
    usual = _KINDS[advice.move.verb](view, advice.move) if view.legal_moves()[1:] else _alone(view)
    if advice.ending is not None:
        return _exact(view, advice.move, advice.ending, usual)
    if advice.outright is not None:
        return _outright(view, advice.move, advice.outright, usual)
    if advice.found is not None:
        return _weighed(view, advice, advice.found, usual)
    return _explain("guess", "guess", who=Seat(_other(view))) if advice.guessed and not usual.reason else usual


def _explain(thought: str, *reason: str, **facts: object) -> Explanation:
    """Return the explanation whose thought and reasons have these keys."""
    return Explanation(Fact(f"hint.thought.{thought}", facts), tuple(Fact(f"hint.reason.{one}", facts) for one in reason if one))


# Before everything can be known
def _alone(view: View) -> Explanation:
    """There is only one legal move."""
    stuck = view.legal_moves()[0].verb == "take"
    return _explain("stuck" if stuck else "only", "only", **({"cards": view.table.unbeaten} if stuck else {}))


def _beat(view: View, move: Move) -> Explanation:
    """One card is beaten: as cheaply as it goes, or the one with the fewest answers first."""
    price, (target, card) = prices(view), move.cards
    beats = [one for one in view.legal_moves() if one.verb == "beat"]
    answers = {attack: {one.cards[1] for one in beats if one.cards[0] is attack} for attack in {one.cards[0] for one in beats}}
    cheapest = price(card) == min(map(price, answers[target]))
    if len(view.table.unbeaten) > 1:
        if not beating_all(view, beats, price):
            return _explain("any")
        fewest = _faces(answers[target]) == min(map(_faces, answers.values()))
        return _explain("all", "fewest" if fewest else "cheap" if cheapest else "", target=target)
    if _faces(answers[target]) == 1:
        return _explain("one", "one", target=target)
    if not cheapest:
        return _explain("any")
    if price(card) < TRUMP and _trumps_alone_are_dear(view, answers[target]):
        return _explain("plain", "plain")
    return _explain("trumps", "trumps") if all(one.suit == view.trump for one in answers[target]) else _explain("cheap", "cheap")


def _take(view: View, move: Move) -> Explanation:  # noqa: ARG001 - as with the other verbs
    beats = [one for one in view.legal_moves() if one.verb == "beat"]
    return _explain("any") if beating_all(view, beats, prices(view)) else _explain("some", "some")


def _attack(view: View, move: Move) -> Explanation:
    price = prices(view)
    attacks = [one.cards for one in view.legal_moves() if one.verb == "attack"]
    dearest = max(map(price, move.cards))
    if dearest != min(max(map(price, cards)) for cards in attacks):
        return _explain("any")
    if len(move.cards) > 1:
        return _explain("several", "several")
    low = "low" if dearest < TRUMP and _trumps_alone_are_dear(view, view.hand) else "least"
    twin = [card for card in view.hand if card.rank == move.cards[0].rank and card is not move.cards[0].face and price(card) < TRUMP]
    if dearest < TRUMP and twin and view.limit > 1 and view.seat in _throwers(view):
        return _explain("pair", low, "pair", card=twin[0])
    if view.trump and all(card.suit == view.trump for card in view.hand):
        return _explain("trumps.alone", "low.trump")
    return _explain("low" if view.talon_count else "late", low)


def _throw(view: View, move: Move) -> Explanation:
    facts = {"who": Seat(view.defender)}
    trump = prices(view)(move.cards[0]) >= TRUMP
    if not view.talon_count:
        return _explain("throw.late", "throw.late", **facts)
    if trump:
        return _explain("any")
    return _explain("throw", "throw.taking" if view.taking else "throw", **facts)


def _pass(view: View, move: Move) -> Explanation:  # noqa: ARG001 - as with the other verbs
    price = prices(view)
    throws = [one.cards[0] for one in view.legal_moves() if one.verb == "throw"]
    return _explain("keep", "keep") if view.talon_count and all(price(card) >= TRUMP for card in throws) else _explain("any")


def _swap(view: View, move: Move) -> Explanation:
    price = prices(view)
    least = min(sum(map(price, one.cards)) for one in view.legal_moves() if one.verb == "swap")
    return _explain("swap", "swap") if sum(map(price, move.cards)) == least else _explain("any")


def _faces(cards: Iterable[Card]) -> int:
    """How many cards these are, in whichever suit each may be played."""
    return len({card.face for card in cards})


def _trumps_alone_are_dear(view: View, cards: Iterable[Card]) -> bool:
    """Whether there are trumps, and none of these cards, such as a joker, is worth as much without being one."""
    price = prices(view)
    return view.trump is not None and all(card.suit == view.trump or price(card) < TRUMP for card in cards)


def _throwers(view: View) -> list[int]:
    """Who may throw in once this seat has opened the attack."""
    return attack.may_throw(view.rules, view.seat, view.defender, view.sight.seats_in)


_KINDS: Final[dict[str, Callable[[View, Move], Explanation]]] = {
    "beat": _beat,
    "take": _take,
    "attack": _attack,
    "throw": _throw,
    "pass": _pass,
    "swap": _swap,
    "transfer": lambda _, __: _explain("transfer", "transfer"),
    "show": lambda _, move: _explain("show", "show", card=move.cards[-1]),
}


def _other(view: View) -> int:
    return next(seat for seat in view.seats_in if seat != view.seat)


# What playouts say
def _weighed(view: View, advice: Advice, found: Playouts, usual: Explanation) -> Explanation:
    """What is usual, and what spending a trump brings beside taking, where these are surely apart; or what surely brings more."""
    from durak_widget.review.decisions import ShareOfResult, surely_more  # noqa: PLC0415 - who asks for no hint loads none of it

    move, shares = advice.move, ShareOfResult.of(view.rules)

    def percent(of: Move) -> int:
        return round(100 * shares.share(found[of]))

    beats = [one for one in found.moves if one.verb == "beat"]
    take = next((one for one in found.moves if one.verb == "take"), None)
    spends = move.verb == "beat" and prices(view)(move.cards[1]) >= TRUMP
    if take is not None and beats and (spends or move == take):
        beat = move if spends else max(beats, key=found.__getitem__)
        weigh = Fact(f"hint.reason.weigh.{'beat' if spends else 'take'}", {"take": percent(take), "beat": percent(beat)})
        if surely_more(found, move, take if spends else beat, shares.width):
            thought, reason = (usual.thought, usual.reason) if spends and advice.instead is None else (Fact("hint.thought.weigh"), ())
            return Explanation(thought, [*reason, weigh])
    if advice.instead is None:
        return usual
    weighed = Fact("hint.reason.weigh", {"percent": percent(move), "other": percent(advice.instead), "said": doing(advice.instead)})
    return Explanation(Fact("hint.thought.any"), [weighed])


# Where the cards lie in a few ways
def _outright(view: View, move: Move, value: int, usual: Explanation) -> Explanation:
    """What is usual, where that is what brings it; and that it is so however the cards lie."""
    who = {"who": Seat(_other(view))}
    if value == -1:
        return Explanation(Fact("hint.thought.lost", who), usual.reason)
    held = Fact("review.outright.won" if value == 1 else "review.outright.draw")
    if move == Careful().choose(view, Random(0)):
        return Explanation(usual.thought, [*usual.reason, held])
    return Explanation(Fact("hint.thought.won", who) if value == 1 else Fact("hint.thought.draw"), [held])


# At the end
def _exact(view: View, move: Move, ending: Ending, usual: Explanation) -> Explanation:
    """What an exact search knows stands above what is usual."""
    who, worth = {"who": Seat(_other(view))}, ending.moves
    if ending.value == -1:
        longest = move in ending.quickest and len(ending.quickest) < len(worth)
        return Explanation(Fact("hint.thought.lost", who), [Fact("hint.reason.longest")] if longest else usual.reason)
    careful = Careful().choose(view, Random(0))
    if ending.value is None:
        loses = worth.get(careful) == -1 and careful != move
        return Explanation(usual.thought, [*usual.reason, *[Fact("hint.reason.loses", {"said": advised(careful)})] * loses])
    if set(worth.values()) == {ending.value}:
        any_wins = ending.value == 1 and ending.proved and len(worth) > 1
        return Explanation(usual.thought, [*usual.reason, *[Fact("hint.reason.any")] * any_wins])
    if ending.value == 0:
        return _explain("draw", "draw")
    then = ending.game
    then.play(move)
    if [one.verb for one in then.legal_moves()] == ["take"] and then.actor == _other(view):
        return _explain("takes", "takes", **who)
    thought = Fact("hint.thought.won", who)
    sentences = _describe_line(then, move, ending)
    if sentences:
        return Explanation(thought, (Fact("hint.reason.then"), *sentences))
    gives = [Fact("hint.reason.gives", {"said": advised(careful)})] if worth.get(careful, 1) < 1 else []
    return Explanation(thought, (Fact("hint.reason.wins", who), *gives))


def _describe_line(then: Game, move: Move, ending: Ending) -> list[Fact]:
    """Return how the game goes on after a move, if a few sentences can say it."""
    from durak_widget.analysis.endgame import solve, story  # noqa: PLC0415 - no other moment of a game needs it

    line = ending.line
    if line[:1] != (move,):
        line = () if then.outcome else (move, *solve(then, budget=_LINE_POSITIONS).line)
    sentences = story(then, line[1:]) if line else []
    return sentences if len(sentences) <= _SHORT else []


class Advice(NamedTuple):
    """A move, and what is known of it."""

    move: Move
    ending: Ending | None = None
    """What an exact search has found, where everything can be known."""
    guessed: bool = False
    """The other hand cannot be known: the move is best by all that may lie there."""
    outright: int | None = None
    """What it brings however the cards lie that are not seen, where that is known: 1 won, 0 drawn, -1 lost; and then no other brings more."""
    found: Playouts | None = None
    """What each move brings by playouts, where these have something to say."""
    instead: Move | None = None
    """The move that is usual, and surely brings less."""


class Adviser:
    """Two left and no talon: the best move, as long as that is soon found. At any other moment what the careful bot would play, or what surely brings more.

    >>> from durak_widget import Game
    >>> game = Game.from_position("crazy", hands=["9c As", "Kc Ad"], attacker=0)
    >>> Careful().choose(game.view(0), Random(1)), Adviser().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack As'))
    """

    def choose(self, view: View, rng: Random) -> Move:
        """A move for the seat of this view, by what that seat may know."""
        return self.advise(view, rng).move

    def advise(self, view: View, rng: Random) -> Advice:
        """Which move is advised, and what is known of it."""
        usual = Careful().choose(view, rng)
        if view.talon_count or len(view.seats_in) != 2 or view.memory is None:
            return _weighed_advice(view, usual)
        from durak_widget.bots.counting_bot import ending_of  # noqa: PLC0415 - no other moment of a game needs it

        ending = ending_of(view, HINT_POSITIONS * _MANY // max(_MANY, sum(view.counts)))  # with many cards a position takes longer
        if ending is None:
            best = _best_on_average(view)
            return Advice(preferred(best, view, usual), guessed=True) if best else Advice(usual)
        good = ending.quickest or ending.best or [move for move in view.legal_moves() if ending.moves.get(move) != -1]
        return Advice(preferred(good, view, usual), ending) if good else Advice(usual, ending)


def _weighed_advice(view: View, usual: Move) -> Advice:
    """What brings as much as there is however the cards lie, where they lie in a few ways; else what is usual, unless another move surely brings more."""
    from durak_widget.review.decision_evaluation import OUTRIGHT, held_outright  # noqa: PLC0415 - as above
    from durak_widget.review.decisions import ShareOfResult, surely_more  # noqa: PLC0415 - who asks for no hint loads none of it
    from durak_widget.table.playout_estimates import tried_out  # noqa: PLC0415 - as above

    if len(view.legal_moves()) == 1:
        return Advice(usual)
    held = held_outright(view, OUTRIGHT) if view.memory is not None else None
    if held is not None:
        return Advice(preferred(held.best, view, usual), outright=held.value)
    found = tried_out(view)
    if found is None:
        return Advice(usual)
    best = found.best
    assert best is not None  # noqa: S101 - worlds were played
    more = best != usual and surely_more(found, best, usual, ShareOfResult.of(view.rules).width)
    return Advice(best, found=found, instead=usual) if more else Advice(usual, found=found)


def _best_on_average(view: View) -> Sequence[Move]:
    """The moves that win in most of the worlds that this seat may think of; of those that so few cannot tell apart, the ones that oftenest leave epaulettes."""
    from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - as above
    from durak_widget.analysis.possible_worlds import worlds  # noqa: PLC0415 - as above

    possible, rng = worlds(view), Random(0)
    worth: tuple[Counter[Move], Counter[Move], Counter[Move]] = (Counter(), Counter(), Counter())
    count = possible.count()
    few = count.exact and count <= _SOME
    for world in possible.all() if few else [possible.sample(rng) for _ in range(_SOME)]:
        for epaulettes, found in enumerate(worth):
            ending = solve(world, budget=HINT_POSITIONS // _SOME, epaulettes=epaulettes)
            if not ending.proved:
                return ()
            found.update(ending.moves)
    won, one, two = worth
    told_apart = max(won.values()) - (0 if few else isqrt(_SOME))  # by what so few draws can tell
    most = max((one[move] + two[move], won[move]) for move in won if won[move] >= told_apart)
    return [move for move in view.legal_moves() if won[move] >= told_apart and (one[move] + two[move], won[move]) == most]


class Hint(NamedTuple):
    """What helps a person on, in the words of their table."""

    thought: str
    """What leads to it, without the card; empty where an exercise has none."""
    move: Move
    """A move to make."""
    reason: str = ""
    """Why that one."""


class Counsel(NamedTuple):
    """A hint before it is said in any language."""

    move: Move
    why: Explanation

    def said(self, voice: Voice) -> Hint:
        """The hint in the language of a voice."""
        thought, reason = self.why
        return Hint(voice.say(thought.key, **thought.facts), self.move, " ".join(voice.say(fact.key, **fact.facts) for fact in reason))


class Gives(Protocol):
    """Who gives hints: a bot, which may also say what it knows of its move, as `Adviser` does."""

    @property
    def plays(self) -> Any:  # noqa: ANN401 - as of a bot
        """What it was made from."""

    def choose(self, view: View, rng: Random) -> Move:
        """The move that is advised."""


def counsel(adviser: Gives, view: View, rng: Random) -> Counsel:
    """What is advised to the seat of this view.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> from durak_widget.bots.bot import get
    >>> from durak_widget.table.hints import Adviser
    >>> from durak_widget.i18n import Voice
    >>> found = counsel(get(Adviser()), Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h").view(0), Random(0))
    >>> found.said(Voice()).move
    Move('attack Ks')
    """
    advise = getattr(adviser.plays, "advise", None)
    found = advise(view, rng) if advise else Advice(adviser.choose(view, rng))
    return Counsel(found.move, explain_advice(view, found))


def say_hint(counsel: Counsel | Hint, voice: Voice) -> str:
    """Return the second step of a hint: the move, and why."""
    hint = counsel if isinstance(counsel, Hint) else counsel.said(voice)
    return " ".join(filter(None, [voice.say("table.hint", advice=advice(hint.move, voice)), hint.reason]))


def thought(counsel: Counsel | Hint, voice: Voice) -> str:
    """The first step."""
    return counsel.thought if isinstance(counsel, Hint) else counsel.said(voice).thought


def of_task(found: Move | Fact | Hint) -> Hint | Fact:
    """What who sets a task hints: a move alone has no thought."""
    return Hint("", found) if isinstance(found, Move) else found
