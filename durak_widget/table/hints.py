"""Hints in two steps: first a thought, then the recommended move with its reason.

In a two-player endgame without a talon the move comes from an exact search. Before that it is the careful
bot's move, unless playouts are sure of a better one. Thought and reason use only what the player may know,
and they are true of the cards on the table.
"""

from __future__ import annotations

from collections import Counter
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.bots.heuristic_bots import TRUMP_PRICE, CarefulBot, get_card_prices, plan_beats, prefer_usual_move
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import build_advice_fact, build_doing_fact, format_advice
from durak_widget.i18n import Seat, TranslatableText
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from durak_widget.analysis.endgame import EndgameSolution
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Observation
    from durak_widget.i18n import Translator

_LINE_POSITIONS: Final = 10_000
"""The number of positions searched to describe the rest of a game: about a fifth of a second."""
_MAX_LINE_SENTENCES: Final = 5
"""The largest number of sentences that describe how a game goes on; a longer description is left out."""
HINT_POSITIONS: Final = 40_000
"""The number of positions searched for a hint: less than a second in plain Python."""
_MANY_CARDS: Final = 24
"""The number of cards in both hands above which a position takes longer to search, so that fewer positions are searched."""
_WORLD_COUNT: Final = 50
"""The number of possible deals searched when the opponent's hand is not known."""


class Explanation(NamedTuple):
    """The explanation of a move: a thought, and the sentences of the reason."""

    thought: TranslatableText
    reason: Sequence[TranslatableText] = ()


def explain_advice(view: Observation, advice: Advice) -> Explanation:
    """Return why the hint recommends a certain move.

    >>> from durak_widget import Game, Move
    >>> from durak_widget.table.hints import Advice
    >>> view = Game.from_position(hands=["9c Ah", "7d"], trump="h", table="7c", attacker=1, talon="8d").view(0)
    >>> explain_advice(view, Advice(Move("beat 7c 9c"))).thought.key
    'hint.thought.plain'
    """
    usual = _EXPLAINERS[advice.move.verb](view, advice.move) if view.legal_moves()[1:] else _explain_only_move(view)
    if advice.ending is not None:
        return _explain_exact(view, advice.move, advice.ending, usual)
    if advice.outright_value is not None:
        return _explain_outright(view, advice.move, advice.outright_value, usual)
    if advice.playouts is not None:
        return _explain_playouts(view, advice, advice.playouts, usual)
    return _explain("guess", "guess", who=Seat(_find_opponent(view))) if advice.is_guess and not usual.reason else usual


def _explain(thought: str, *reason: str, **facts: object) -> Explanation:
    """Return an explanation made of a thought and a reason, each given by its text key."""
    return Explanation(
        TranslatableText(f"hint.thought.{thought}", facts), tuple(TranslatableText(f"hint.reason.{key}", facts) for key in reason if key)
    )


# Explanations of ordinary moves while some cards are hidden
def _explain_only_move(view: Observation) -> Explanation:
    """Explain a move that is the only legal move."""
    stuck = view.legal_moves()[0].verb == "take"
    return _explain("stuck" if stuck else "only", "only", **({"cards": view.table.unbeaten} if stuck else {}))


def _explain_beat(view: Observation, move: Move) -> Explanation:
    """Explain how to beat a card: with a cheap card, or first where the fewest cards can beat."""
    price, (target, card) = get_card_prices(view), move.cards
    beats = [legal for legal in view.legal_moves() if legal.verb == "beat"]
    answers = {attack: {beat.cards[1] for beat in beats if beat.cards[0] is attack} for attack in {beat.cards[0] for beat in beats}}
    cheapest = price(card) == min(map(price, answers[target]))
    if len(view.table.unbeaten) > 1:
        if not plan_beats(view, beats, price):
            return _explain("any")
        fewest = _count_faces(answers[target]) == min(map(_count_faces, answers.values()))
        return _explain("all", "fewest" if fewest else "cheap" if cheapest else "", target=target)
    if _count_faces(answers[target]) == 1:
        return _explain("one", "one", target=target)
    if not cheapest:
        return _explain("any")
    if price(card) < TRUMP_PRICE and _are_only_trumps_expensive(view, answers[target]):
        return _explain("plain", "plain")
    return _explain("trumps", "trumps") if all(answer.suit == view.trump for answer in answers[target]) else _explain("cheap", "cheap")


def _explain_take(view: Observation, move: Move) -> Explanation:  # noqa: ARG001 - as with the other verbs
    beats = [legal for legal in view.legal_moves() if legal.verb == "beat"]
    return _explain("any") if plan_beats(view, beats, get_card_prices(view)) else _explain("some", "some")


def _explain_attack(view: Observation, move: Move) -> Explanation:
    price = get_card_prices(view)
    attacks = [legal.cards for legal in view.legal_moves() if legal.verb == "attack"]
    highest = max(map(price, move.cards))
    if highest != min(max(map(price, cards)) for cards in attacks):
        return _explain("any")
    if len(move.cards) > 1:
        return _explain("several", "several")
    reason = "low" if highest < TRUMP_PRICE and _are_only_trumps_expensive(view, view.hand) else "least"
    same_rank = [
        card for card in view.hand if card.rank == move.cards[0].rank and card is not move.cards[0].face and price(card) < TRUMP_PRICE
    ]
    if highest < TRUMP_PRICE and same_rank and view.limit > 1 and view.seat in _find_throwers(view):
        return _explain("pair", reason, "pair", card=same_rank[0])
    if view.trump and all(card.suit == view.trump for card in view.hand):
        return _explain("trumps.alone", "low.trump")
    return _explain("low" if view.talon_count else "late", reason)


def _explain_throw(view: Observation, move: Move) -> Explanation:
    facts = {"who": Seat(view.defender)}
    trump = get_card_prices(view)(move.cards[0]) >= TRUMP_PRICE
    if not view.talon_count:
        return _explain("throw.late", "throw.late", **facts)
    if trump:
        return _explain("any")
    return _explain("throw", "throw.taking" if view.taking else "throw", **facts)


def _explain_pass(view: Observation, move: Move) -> Explanation:  # noqa: ARG001 - as with the other verbs
    price = get_card_prices(view)
    throws = [legal.cards[0] for legal in view.legal_moves() if legal.verb == "throw"]
    return _explain("keep", "keep") if view.talon_count and all(price(card) >= TRUMP_PRICE for card in throws) else _explain("any")


def _explain_swap(view: Observation, move: Move) -> Explanation:
    price = get_card_prices(view)
    cheapest = min(sum(map(price, legal.cards)) for legal in view.legal_moves() if legal.verb == "swap")
    return _explain("swap", "swap") if sum(map(price, move.cards)) == cheapest else _explain("any")


def _count_faces(cards: Iterable[Card]) -> int:
    """Return the number of cards that differ in rank or suit."""
    return len({card.face for card in cards})


def _are_only_trumps_expensive(view: Observation, cards: Iterable[Card]) -> bool:
    """Return whether each card that is not a trump is cheaper than a trump (a joker is not)."""
    price = get_card_prices(view)
    return view.trump is not None and all(card.suit == view.trump or price(card) < TRUMP_PRICE for card in cards)


def _find_throwers(view: Observation) -> list[int]:
    """Return the seats of players who may throw in cards after the viewer opens an attack."""
    return attack.list_throwers(view.rules, view.seat, view.defender, view.data.seats_in)


_EXPLAINERS: Final[dict[str, Callable[[Observation, Move], Explanation]]] = {
    "beat": _explain_beat,
    "take": _explain_take,
    "attack": _explain_attack,
    "throw": _explain_throw,
    "pass": _explain_pass,
    "swap": _explain_swap,
    "transfer": lambda _, __: _explain("transfer", "transfer"),
    "show": lambda _, move: _explain("show", "show", card=move.cards[-1]),
}


def _find_opponent(view: Observation) -> int:
    return next(seat for seat in view.seats_in if seat != view.seat)


# Explanations of moves that were compared by playouts (random games)
def _explain_playouts(view: Observation, advice: Advice, playouts: Playouts, usual: Explanation) -> Explanation:
    """Explain by playouts why a move is better than another; else give the usual reason.

    Without such a result return the usual explanation.
    """
    from durak_widget.review.decisions import WinShareScale, is_surely_better  # noqa: PLC0415 - who asks for no hint loads none of it

    move, shares = advice.move, WinShareScale.from_rules(view.rules)

    def percent(option: Move) -> int:
        return round(100 * shares.payoff_to_share(playouts[option]))

    beats = [option for option in playouts.moves if option.verb == "beat"]
    take = next((option for option in playouts.moves if option.verb == "take"), None)
    spends = move.verb == "beat" and get_card_prices(view)(move.cards[1]) >= TRUMP_PRICE
    if take is not None and beats and (spends or move == take):
        beat = move if spends else max(beats, key=playouts.__getitem__)
        comparison = TranslatableText(f"hint.reason.weigh.{'beat' if spends else 'take'}", {"take": percent(take), "beat": percent(beat)})
        if is_surely_better(playouts, move, take if spends else beat, shares.width):
            thought, reason = (
                (usual.thought, usual.reason) if spends and advice.usual_move is None else (TranslatableText("hint.thought.weigh"), ())
            )
            return Explanation(thought, [*reason, comparison])
    if advice.usual_move is None:
        return usual
    comparison = TranslatableText(
        "hint.reason.weigh", {"percent": percent(move), "other": percent(advice.usual_move), "said": build_doing_fact(advice.usual_move)}
    )
    return Explanation(TranslatableText("hint.thought.any"), [comparison])


# Explanations when there are few possible deals of the hidden cards
def _explain_outright(view: Observation, move: Move, value: int, usual: Explanation) -> Explanation:
    """Explain a move whose result is the same for every possible deal of the hidden cards."""
    opponent = {"who": Seat(_find_opponent(view))}
    if value == -1:
        return Explanation(TranslatableText("hint.thought.lost", opponent), usual.reason)
    result = TranslatableText("review.outright.won" if value == 1 else "review.outright.draw")
    if move == CarefulBot().choose(view, Random(0)):
        return Explanation(usual.thought, [*usual.reason, result])
    return Explanation(TranslatableText("hint.thought.won", opponent) if value == 1 else TranslatableText("hint.thought.draw"), [result])


# Explanations of endgame moves
def _explain_exact(view: Observation, move: Move, ending: EndgameSolution, usual: Explanation) -> Explanation:
    """Explain a move by an exact search of the endgame, perhaps with the usual reason."""
    opponent, move_values = {"who": Seat(_find_opponent(view))}, ending.move_values
    if ending.value == -1:
        longest = move in ending.quickest_moves and len(ending.quickest_moves) < len(move_values)
        return Explanation(
            TranslatableText("hint.thought.lost", opponent), [TranslatableText("hint.reason.longest")] if longest else usual.reason
        )
    careful = CarefulBot().choose(view, Random(0))
    if ending.value is None:
        careful_loses = move_values.get(careful) == -1 and careful != move
        return Explanation(
            usual.thought, [*usual.reason, *[TranslatableText("hint.reason.loses", {"said": build_advice_fact(careful)})] * careful_loses]
        )
    if set(move_values.values()) == {ending.value}:
        any_wins = ending.value == 1 and ending.is_fully_solved and len(move_values) > 1
        return Explanation(usual.thought, [*usual.reason, *[TranslatableText("hint.reason.any")] * any_wins])
    if ending.value == 0:
        return _explain("draw", "draw")
    game_after = ending.game
    game_after.play(move)
    if [legal.verb for legal in game_after.legal_moves()] == ["take"] and game_after.actor == _find_opponent(view):
        return _explain("takes", "takes", **opponent)
    thought = TranslatableText("hint.thought.won", opponent)
    sentences = _describe_line(game_after, move, ending)
    if sentences:
        return Explanation(thought, (TranslatableText("hint.reason.then"), *sentences))
    warning = [TranslatableText("hint.reason.gives", {"said": build_advice_fact(careful)})] if move_values.get(careful, 1) < 1 else []
    return Explanation(thought, (TranslatableText("hint.reason.wins", opponent), *warning))


def _describe_line(game_after: Game, move: Move, ending: EndgameSolution) -> list[TranslatableText]:
    """Describe how the game goes on after a move, if this takes only a few sentences."""
    from durak_widget.analysis.endgame import line_to_facts, solve_endgame  # noqa: PLC0415 - no other moment of a game needs it

    line = ending.best_line
    if line[:1] != (move,):
        line = () if game_after.outcome else (move, *solve_endgame(game_after, budget=_LINE_POSITIONS).best_line)
    sentences = line_to_facts(game_after, line[1:]) if line else []
    return sentences if len(sentences) <= _MAX_LINE_SENTENCES else []


class Advice(NamedTuple):
    """A recommended move, and what supports the recommendation."""

    move: Move
    ending: EndgameSolution | None = None
    """The result of an exact search, if all cards can be known."""
    is_guess: bool = False
    """True if the opponent's hand can't be known, so that the move is best on average over all possible hands."""
    outright_value: int | None = None
    """The result for every deal of the hidden cards, if it is always the same (1 won, 0 tied, -1 lost); no other move is better."""
    playouts: Playouts | None = None
    """The playout results of all legal moves, if they affect the advice."""
    usual_move: Move | None = None
    """The usual move in this position, if it is surely worse than the recommended move."""


class Adviser:
    """A bot that recommends a move: exact in short endgames, else usually the careful bot's.

    Playouts may replace the careful bot's move by one that is surely better.

    >>> from durak_widget import Game
    >>> game = Game.from_position("crazy", hands=["9c As", "Kc Ad"], attacker=0)
    >>> CarefulBot().choose(game.view(0), Random(1)), Adviser().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack As'))
    """

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return a move for the viewer's seat, based only on what the viewer may know."""
        return self.advise(view, rng).move

    def advise(self, view: Observation, rng: Random) -> Advice:
        """Return the recommended move with what supports the recommendation."""
        usual = CarefulBot().choose(view, rng)
        if view.talon_count or len(view.seats_in) != 2 or view.memory is None:
            return _advise_by_playouts(view, usual)
        from durak_widget.bots.counting_bot import solve_visible_endgame  # noqa: PLC0415 - no other moment of a game needs it

        ending = solve_visible_endgame(
            view, HINT_POSITIONS * _MANY_CARDS // max(_MANY_CARDS, sum(view.counts))
        )  # With many cards in hand, each position takes longer to search
        if ending is None:
            best = _find_best_on_average(view)
            return Advice(prefer_usual_move(best, view, usual), is_guess=True) if best else Advice(usual)
        good = ending.quickest_moves or ending.best_moves or [move for move in view.legal_moves() if ending.move_values.get(move) != -1]
        return Advice(prefer_usual_move(good, view, usual), ending) if good else Advice(usual, ending)


def _advise_by_playouts(view: Observation, usual: Move) -> Advice:
    """Return advice while cards are hidden: a move that is best in every deal, or by playouts.

    Without either, the usual move is advised.
    """
    from durak_widget.review.decision_evaluation import EXHAUSTIVE_SEARCH_BUDGET, search_all_worlds  # noqa: PLC0415 - as above
    from durak_widget.review.decisions import WinShareScale, is_surely_better  # noqa: PLC0415 - who asks for no hint loads none of it
    from durak_widget.table.playout_estimates import estimate_moves  # noqa: PLC0415 - as above

    if len(view.legal_moves()) == 1:
        return Advice(usual)
    result = search_all_worlds(view, EXHAUSTIVE_SEARCH_BUDGET) if view.memory is not None else None
    if result is not None:
        return Advice(prefer_usual_move(result.best_moves, view, usual), outright_value=result.value)
    playouts = estimate_moves(view)
    if playouts is None:
        return Advice(usual)
    best = playouts.best
    assert best is not None  # noqa: S101 - worlds were played
    is_better = best != usual and is_surely_better(playouts, best, usual, WinShareScale.from_rules(view.rules).width)
    return Advice(best, playouts=playouts, usual_move=usual) if is_better else Advice(usual, playouts=playouts)


def _find_best_on_average(view: Observation) -> Sequence[Move]:
    """Return the moves that win in the largest number of possible deals of the hidden cards.

    Of these, return those that most often leave epaulettes. Moves that so few samples cannot tell apart count as equal.
    """
    from durak_widget.analysis.endgame import solve_endgame  # noqa: PLC0415 - as above
    from durak_widget.analysis.possible_worlds import worlds  # noqa: PLC0415 - as above

    possible, rng = worlds(view), Random(0)
    move_counts: tuple[Counter[Move], Counter[Move], Counter[Move]] = (Counter(), Counter(), Counter())
    count = possible.count()
    is_complete = count.is_exact and count <= _WORLD_COUNT
    for world in possible.all() if is_complete else [possible.sample(rng) for _ in range(_WORLD_COUNT)]:
        for epaulettes, counter in enumerate(move_counts):
            ending = solve_endgame(world, budget=HINT_POSITIONS // _WORLD_COUNT, epaulettes=epaulettes)
            if not ending.is_fully_solved:
                return ()
            counter.update(ending.move_values)
    won, one_epaulette, two_epaulettes = move_counts
    threshold = max(won.values()) - (0 if is_complete else isqrt(_WORLD_COUNT))  # Allow for the standard error of a small sample
    best = max((one_epaulette[move] + two_epaulettes[move], won[move]) for move in won if won[move] >= threshold)
    return [
        move for move in view.legal_moves() if won[move] >= threshold and (one_epaulette[move] + two_epaulettes[move], won[move]) == best
    ]


class Hint(NamedTuple):
    """A hint in the language of the table."""

    thought: str
    """The thought that leads to the move, without the move's card; empty if an exercise's hint has no thought."""
    move: Move
    """The recommended move."""
    reason: str = ""
    """The reason for the recommended move."""


class UntranslatedHint(NamedTuple):
    """A hint whose texts have not been translated yet."""

    move: Move
    explanation: Explanation

    def translate(self, voice: Translator) -> Hint:
        """Return the hint in the language of the translator `voice`."""
        thought, reason = self.explanation
        return Hint(
            voice.translate(thought.key, **thought.facts), self.move, " ".join(voice.translate(fact.key, **fact.facts) for fact in reason)
        )


class HintGiver(Protocol):
    """A bot that gives hints; its `implementation` may have a method `advise`."""

    @property
    def implementation(self) -> Any:  # noqa: ANN401 - as of a bot
        """Return the object with the methods from which the bot was made."""

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the recommended move."""


def find_hint(adviser: HintGiver, view: Observation, rng: Random) -> UntranslatedHint:
    """Return a hint for the player whose view of the game is given.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> from durak_widget.bots.bot import get
    >>> from durak_widget.table.hints import Adviser
    >>> from durak_widget.i18n import Translator
    >>> found = find_hint(get(Adviser()), Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h").view(0), Random(0))
    >>> found.translate(Translator()).move
    Move('attack Ks')
    """
    advise = getattr(adviser.implementation, "advise", None)
    chosen = advise(view, rng) if advise else Advice(adviser.choose(view, rng))
    return UntranslatedHint(chosen.move, explain_advice(view, chosen))


def format_hint_move(hint: UntranslatedHint | Hint, voice: Translator) -> str:
    """Return the second step of a hint: the move and its reason."""
    translated = hint if isinstance(hint, Hint) else hint.translate(voice)
    return " ".join(filter(None, [voice.translate("table.hint", advice=format_advice(translated.move, voice)), translated.reason]))


def format_thought(hint: UntranslatedHint | Hint, voice: Translator) -> str:
    """Return the first step of a hint: the thought that leads to the move."""
    return hint.thought if isinstance(hint, Hint) else hint.translate(voice).thought


def wrap_task_hint(hint: Move | TranslatableText | Hint) -> Hint | TranslatableText:
    """Return an exercise's hint as a `Hint`; a hint that is only a move has no thought."""
    return Hint("", hint) if isinstance(hint, Move) else hint
