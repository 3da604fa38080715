"""Hints in two steps: first a thought, then the move with its reason.

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
"""Positions searched to say how the game goes on: about a fifth of a second."""
_SHORT: Final = 5
"""Most sentences in a line of play; a longer line is not told."""
HINT_POSITIONS: Final = 40_000
"""Positions searched for a hint: less than a second in plain Python."""
_MANY: Final = 24
"""With more cards than these in both hands, each position takes longer and fewer are searched."""
_SOME: Final = 50
"""Possible worlds searched where the other hand is not known."""


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
    return Explanation(Fact(f"hint.thought.{thought}", facts), tuple(Fact(f"hint.reason.{key}", facts) for key in reason if key))


# Before everything can be known: usual moves
def _alone(view: View) -> Explanation:
    """Explain the only legal move."""
    stuck = view.legal_moves()[0].verb == "take"
    return _explain("stuck" if stuck else "only", "only", **({"cards": view.table.unbeaten} if stuck else {}))


def _beat(view: View, move: Move) -> Explanation:
    """Explain beating one card: the cheapest way, or first the card with the fewest answers."""
    price, (target, card) = prices(view), move.cards
    beats = [legal for legal in view.legal_moves() if legal.verb == "beat"]
    answers = {attack: {beat.cards[1] for beat in beats if beat.cards[0] is attack} for attack in {beat.cards[0] for beat in beats}}
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
    return _explain("trumps", "trumps") if all(answer.suit == view.trump for answer in answers[target]) else _explain("cheap", "cheap")


def _take(view: View, move: Move) -> Explanation:  # noqa: ARG001 - as with the other verbs
    beats = [legal for legal in view.legal_moves() if legal.verb == "beat"]
    return _explain("any") if beating_all(view, beats, prices(view)) else _explain("some", "some")


def _attack(view: View, move: Move) -> Explanation:
    price = prices(view)
    attacks = [legal.cards for legal in view.legal_moves() if legal.verb == "attack"]
    highest = max(map(price, move.cards))
    if highest != min(max(map(price, cards)) for cards in attacks):
        return _explain("any")
    if len(move.cards) > 1:
        return _explain("several", "several")
    reason = "low" if highest < TRUMP and _trumps_alone_are_dear(view, view.hand) else "least"
    same_rank = [card for card in view.hand if card.rank == move.cards[0].rank and card is not move.cards[0].face and price(card) < TRUMP]
    if highest < TRUMP and same_rank and view.limit > 1 and view.seat in _throwers(view):
        return _explain("pair", reason, "pair", card=same_rank[0])
    if view.trump and all(card.suit == view.trump for card in view.hand):
        return _explain("trumps.alone", "low.trump")
    return _explain("low" if view.talon_count else "late", reason)


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
    throws = [legal.cards[0] for legal in view.legal_moves() if legal.verb == "throw"]
    return _explain("keep", "keep") if view.talon_count and all(price(card) >= TRUMP for card in throws) else _explain("any")


def _swap(view: View, move: Move) -> Explanation:
    price = prices(view)
    cheapest = min(sum(map(price, legal.cards)) for legal in view.legal_moves() if legal.verb == "swap")
    return _explain("swap", "swap") if sum(map(price, move.cards)) == cheapest else _explain("any")


def _faces(cards: Iterable[Card]) -> int:
    """Return how many different cards these are, whatever suit each is played as."""
    return len({card.face for card in cards})


def _trumps_alone_are_dear(view: View, cards: Iterable[Card]) -> bool:
    """Return whether no card here that is not a trump, such as a joker, is worth a trump."""
    price = prices(view)
    return view.trump is not None and all(card.suit == view.trump or price(card) < TRUMP for card in cards)


def _throwers(view: View) -> list[int]:
    """Return the seats that may throw in once this seat has opened the attack."""
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


# Playouts
def _weighed(view: View, advice: Advice, found: Playouts, usual: Explanation) -> Explanation:
    """Explain a move by playouts: beating with a trump or taking, or a surely better move.

    Without such a result return the usual explanation.
    """
    from durak_widget.review.decisions import ShareOfResult, surely_more  # noqa: PLC0415 - who asks for no hint loads none of it

    move, shares = advice.move, ShareOfResult.of(view.rules)

    def percent(option: Move) -> int:
        return round(100 * shares.share(found[option]))

    beats = [option for option in found.moves if option.verb == "beat"]
    take = next((option for option in found.moves if option.verb == "take"), None)
    spends = move.verb == "beat" and prices(view)(move.cards[1]) >= TRUMP
    if take is not None and beats and (spends or move == take):
        beat = move if spends else max(beats, key=found.__getitem__)
        comparison = Fact(f"hint.reason.weigh.{'beat' if spends else 'take'}", {"take": percent(take), "beat": percent(beat)})
        if surely_more(found, move, take if spends else beat, shares.width):
            thought, reason = (usual.thought, usual.reason) if spends and advice.instead is None else (Fact("hint.thought.weigh"), ())
            return Explanation(thought, [*reason, comparison])
    if advice.instead is None:
        return usual
    comparison = Fact("hint.reason.weigh", {"percent": percent(move), "other": percent(advice.instead), "said": doing(advice.instead)})
    return Explanation(Fact("hint.thought.any"), [comparison])


# Few possible deals of the hidden cards
def _outright(view: View, move: Move, value: int, usual: Explanation) -> Explanation:
    """Explain a move whose result is the same however the unseen cards lie."""
    opponent = {"who": Seat(_other(view))}
    if value == -1:
        return Explanation(Fact("hint.thought.lost", opponent), usual.reason)
    result = Fact("review.outright.won" if value == 1 else "review.outright.draw")
    if move == Careful().choose(view, Random(0)):
        return Explanation(usual.thought, [*usual.reason, result])
    return Explanation(Fact("hint.thought.won", opponent) if value == 1 else Fact("hint.thought.draw"), [result])


# Endgames
def _exact(view: View, move: Move, ending: Ending, usual: Explanation) -> Explanation:
    """Explain a move by an exact search, which takes precedence over the usual explanation."""
    opponent, move_values = {"who": Seat(_other(view))}, ending.moves
    if ending.value == -1:
        longest = move in ending.quickest and len(ending.quickest) < len(move_values)
        return Explanation(Fact("hint.thought.lost", opponent), [Fact("hint.reason.longest")] if longest else usual.reason)
    careful = Careful().choose(view, Random(0))
    if ending.value is None:
        careful_loses = move_values.get(careful) == -1 and careful != move
        return Explanation(usual.thought, [*usual.reason, *[Fact("hint.reason.loses", {"said": advised(careful)})] * careful_loses])
    if set(move_values.values()) == {ending.value}:
        any_wins = ending.value == 1 and ending.proved and len(move_values) > 1
        return Explanation(usual.thought, [*usual.reason, *[Fact("hint.reason.any")] * any_wins])
    if ending.value == 0:
        return _explain("draw", "draw")
    game_after = ending.game
    game_after.play(move)
    if [legal.verb for legal in game_after.legal_moves()] == ["take"] and game_after.actor == _other(view):
        return _explain("takes", "takes", **opponent)
    thought = Fact("hint.thought.won", opponent)
    sentences = _describe_line(game_after, move, ending)
    if sentences:
        return Explanation(thought, (Fact("hint.reason.then"), *sentences))
    warning = [Fact("hint.reason.gives", {"said": advised(careful)})] if move_values.get(careful, 1) < 1 else []
    return Explanation(thought, (Fact("hint.reason.wins", opponent), *warning))


def _describe_line(then: Game, move: Move, ending: Ending) -> list[Fact]:
    """Return how the game goes on after a move, if a few sentences can say it."""
    from durak_widget.analysis.endgame import solve, story  # noqa: PLC0415 - no other moment of a game needs it

    line = ending.line
    if line[:1] != (move,):
        line = () if then.outcome else (move, *solve(then, budget=_LINE_POSITIONS).line)
    sentences = story(then, line[1:]) if line else []
    return sentences if len(sentences) <= _SHORT else []


class Advice(NamedTuple):
    """An advised move, and what is known about it."""

    move: Move
    ending: Ending | None = None
    """The result of an exact search, where everything can be known."""
    guessed: bool = False
    """Whether the other hand cannot be known: the move is best over all possible hands."""
    outright: int | None = None
    """The result however the unseen cards lie, if known (1 won, 0 tied, -1 lost); no move is better."""
    found: Playouts | None = None
    """The playout results of all moves, where they matter."""
    instead: Move | None = None
    """The usual move, which is surely worse."""


class Adviser:
    """Advises the exact best move in short endgames, otherwise usually the careful bot's.

    Playouts may replace the careful bot's move by one that is surely better.

    >>> from durak_widget import Game
    >>> game = Game.from_position("crazy", hands=["9c As", "Kc Ad"], attacker=0)
    >>> Careful().choose(game.view(0), Random(1)), Adviser().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack As'))
    """

    def choose(self, view: View, rng: Random) -> Move:
        """Return a move for the seat of this view, from what that seat may know."""
        return self.advise(view, rng).move

    def advise(self, view: View, rng: Random) -> Advice:
        """Return the advised move and what is known about it."""
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
    """Return advice while cards are hidden: a move that is best in every deal, or by playouts.

    Without either, the usual move is advised.
    """
    from durak_widget.review.decision_evaluation import OUTRIGHT, held_outright  # noqa: PLC0415 - as above
    from durak_widget.review.decisions import ShareOfResult, surely_more  # noqa: PLC0415 - who asks for no hint loads none of it
    from durak_widget.table.playout_estimates import tried_out  # noqa: PLC0415 - as above

    if len(view.legal_moves()) == 1:
        return Advice(usual)
    result = held_outright(view, OUTRIGHT) if view.memory is not None else None
    if result is not None:
        return Advice(preferred(result.best, view, usual), outright=result.value)
    playouts = tried_out(view)
    if playouts is None:
        return Advice(usual)
    best = playouts.best
    assert best is not None  # noqa: S101 - worlds were played
    is_better = best != usual and surely_more(playouts, best, usual, ShareOfResult.of(view.rules).width)
    return Advice(best, found=playouts, instead=usual) if is_better else Advice(usual, found=playouts)


def _best_on_average(view: View) -> Sequence[Move]:
    """Return the moves that win in most possible worlds.

    Of these, return those that most often leave epaulettes. Moves that so few samples cannot tell apart count as equal.
    """
    from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - as above
    from durak_widget.analysis.possible_worlds import worlds  # noqa: PLC0415 - as above

    possible, rng = worlds(view), Random(0)
    move_counts: tuple[Counter[Move], Counter[Move], Counter[Move]] = (Counter(), Counter(), Counter())
    count = possible.count()
    is_complete = count.exact and count <= _SOME
    for world in possible.all() if is_complete else [possible.sample(rng) for _ in range(_SOME)]:
        for epaulettes, counter in enumerate(move_counts):
            ending = solve(world, budget=HINT_POSITIONS // _SOME, epaulettes=epaulettes)
            if not ending.proved:
                return ()
            counter.update(ending.moves)
    won, one_epaulette, two_epaulettes = move_counts
    threshold = max(won.values()) - (0 if is_complete else isqrt(_SOME))  # the standard error of so few samples
    best = max((one_epaulette[move] + two_epaulettes[move], won[move]) for move in won if won[move] >= threshold)
    return [
        move for move in view.legal_moves() if won[move] >= threshold and (one_epaulette[move] + two_epaulettes[move], won[move]) == best
    ]


class Hint(NamedTuple):
    """A hint in the language of the table."""

    thought: str
    """The thought that leads to the move, without the card; empty if an exercise gives none."""
    move: Move
    """The move to make."""
    reason: str = ""
    """The reason for that move."""


class Counsel(NamedTuple):
    """A hint before it is translated."""

    move: Move
    why: Explanation

    def said(self, voice: Voice) -> Hint:
        """Return the hint in the language of `voice`."""
        thought, reason = self.why
        return Hint(voice.say(thought.key, **thought.facts), self.move, " ".join(voice.say(fact.key, **fact.facts) for fact in reason))


class Gives(Protocol):
    """A bot that gives hints; its `plays` may have a method `advise`, as `Adviser` does."""

    @property
    def plays(self) -> Any:  # noqa: ANN401 - as of a bot
        """Return what the bot was made from."""

    def choose(self, view: View, rng: Random) -> Move:
        """Return the advised move."""


def counsel(adviser: Gives, view: View, rng: Random) -> Counsel:
    """Return a hint for the seat of this view.

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
    chosen = advise(view, rng) if advise else Advice(adviser.choose(view, rng))
    return Counsel(chosen.move, explain_advice(view, chosen))


def say_hint(counsel: Counsel | Hint, voice: Voice) -> str:
    """Return the second step of a hint: the move, and why."""
    translated = counsel if isinstance(counsel, Hint) else counsel.said(voice)
    return " ".join(filter(None, [voice.say("table.hint", advice=advice(translated.move, voice)), translated.reason]))


def thought(counsel: Counsel | Hint, voice: Voice) -> str:
    """Return the first step of a hint: the thought."""
    return counsel.thought if isinstance(counsel, Hint) else counsel.said(voice).thought


def of_task(found: Move | Fact | Hint) -> Hint | Fact:
    """Return an exercise's hint in the form of a `Hint`: a bare move has no thought."""
    return Hint("", found) if isinstance(found, Move) else found
