"""Gives hints in two steps: first a thought that leads to a move, then the move itself.

In a two-player endgame without a talon, an exact search finds the move. Before that, the move is the careful bot's, unless playouts show that
another move is clearly better. The thought and the reason use only what the player may know, and they are true in the current position.
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
"""How many positions a search may visit to describe the rest of a game; this takes about a fifth of a second."""
_MAX_LINE_SENTENCES: Final = 5
"""The maximum number of sentences in a description of how a game goes on; a longer description is left out."""
HINT_POSITIONS: Final = 40_000
"""How many positions a search may visit for a hint; this takes less than a second in plain Python."""
_MANY_CARDS: Final = 24
"""If both hands together have more cards than this, the search visits fewer positions, because each takes longer."""
_WORLD_COUNT: Final = 50
"""How many possible deals of the hidden cards a search tries when the opponent's hand is unknown."""


class Explanation(NamedTuple):
    """The explanation of a move: a thought that leads to the move, and a reason."""

    thought: TranslatableText
    reason: Sequence[TranslatableText] = ()


def explain_advice(view: Observation, advice: Advice) -> Explanation:
    """Explain why a hint recommends its move.

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
    """Build an explanation from the text keys of a thought and of a reason."""
    return Explanation(
        TranslatableText(f"hint.thought.{thought}", facts), tuple(TranslatableText(f"hint.reason.{key}", facts) for key in reason if key)
    )


# --- Ordinary moves ---


def _explain_only_move(view: Observation) -> Explanation:
    """Explain the only legal move of a position."""
    stuck = view.legal_moves()[0].verb == "take"
    return _explain("stuck" if stuck else "only", "only", **({"cards": view.table.unbeaten} if stuck else {}))


def _explain_beat(view: Observation, move: Move) -> Explanation:
    """Explain why a hint recommends a beat, for example because the beating card is cheap."""
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
    """Return the number of different cards; do not count second copies of a card."""
    return len({card.face for card in cards})


def _are_only_trumps_expensive(view: Observation, cards: Iterable[Card]) -> bool:
    """Return whether each given card is a trump or is cheaper than all trumps.

    A joker is neither.
    """
    price = get_card_prices(view)
    return view.trump is not None and all(card.suit == view.trump or price(card) < TRUMP_PRICE for card in cards)


def _find_throwers(view: Observation) -> list[int]:
    """Return the seats that may throw in cards if the viewer attacks."""
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


# --- Results of playouts ---


def _explain_playouts(view: Observation, advice: Advice, playouts: Playouts, usual: Explanation) -> Explanation:
    """Explain a move by its results in simulated games (playouts), compared with another move.

    If the playouts do not show a clear difference, return the usual explanation.
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


# --- Search of all deals ---


def _explain_outright(view: Observation, move: Move, value: int, usual: Explanation) -> Explanation:
    """Explain a move that has the same result for every possible deal of the hidden cards."""
    opponent = {"who": Seat(_find_opponent(view))}
    if value == -1:
        return Explanation(TranslatableText("hint.thought.lost", opponent), usual.reason)
    result = TranslatableText("review.outright.won" if value == 1 else "review.outright.draw")
    if move == CarefulBot().choose(view, Random(0)):
        return Explanation(usual.thought, [*usual.reason, result])
    return Explanation(TranslatableText("hint.thought.won", opponent) if value == 1 else TranslatableText("hint.thought.draw"), [result])


# --- Solved endgames ---


def _explain_exact(view: Observation, move: Move, ending: EndgameSolution, usual: Explanation) -> Explanation:
    """Explain a move by the result of an exact endgame search."""
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
    """Describe how the game goes on after a move.

    Return an empty list if the description would be too long.
    """
    from durak_widget.analysis.endgame import line_to_facts, solve_endgame  # noqa: PLC0415 - no other moment of a game needs it

    line = ending.best_line
    if line[:1] != (move,):
        line = () if game_after.outcome else (move, *solve_endgame(game_after, budget=_LINE_POSITIONS).best_line)
    sentences = line_to_facts(game_after, line[1:]) if line else []
    return sentences if len(sentences) <= _MAX_LINE_SENTENCES else []


class Advice(NamedTuple):
    """A recommended move, with the results of searches or simulated games that support it."""

    move: Move
    ending: EndgameSolution | None = None
    """The result of an exact endgame search; None if there was no such search, as when some cards are unknown."""
    is_guess: bool = False
    """True if the opponent's hand is unknown, so that the move is only the best on average over all possible hands."""
    outright_value: int | None = None
    """The move's result if it is the same however the hidden cards are dealt: 1 won, 0 tied, -1 lost; otherwise None."""
    playouts: Playouts | None = None
    """Each legal move's results in simulated games (playouts); None if there were no playouts."""
    usual_move: Move | None = None
    """The careful bot's move, if it is clearly worse than the recommended move; otherwise None."""


class Adviser:
    """A bot for hints, which solves endgames and otherwise plays much like the careful bot.

    If playouts show that another move is clearly better, it recommends this move.

    >>> from durak_widget import Game
    >>> game = Game.from_position("crazy", hands=["9c As", "Kc Ad"], attacker=0)
    >>> CarefulBot().choose(game.view(0), Random(1)), Adviser().choose(game.view(0), Random(1))
    (Move('attack 9c'), Move('attack As'))
    """

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the recommended move for the player of a given observation."""
        return self.advise(view, rng).move

    def advise(self, view: Observation, rng: Random) -> Advice:
        """Return the recommended move and the results of the searches or playouts that support it."""
        usual = CarefulBot().choose(view, rng)
        if view.talon_count or len(view.seats_in) != 2 or view.memory is None:
            return _advise_by_playouts(view, usual)
        from durak_widget.bots.counting_bot import solve_visible_endgame  # noqa: PLC0415 - no other moment of a game needs it

        # The more cards the players have, the longer each position takes to search.
        ending = solve_visible_endgame(view, HINT_POSITIONS * _MANY_CARDS // max(_MANY_CARDS, sum(view.counts)))
        if ending is None:
            best_moves = _find_best_on_average(view)
            return Advice(prefer_usual_move(best_moves, view, usual), is_guess=True) if best_moves else Advice(usual)
        good_moves = (
            ending.quickest_moves or ending.best_moves or [move for move in view.legal_moves() if ending.move_values.get(move) != -1]
        )
        return Advice(prefer_usual_move(good_moves, view, usual), ending) if good_moves else Advice(usual, ending)


def _advise_by_playouts(view: Observation, usual: Move) -> Advice:
    """Recommend a move while cards are hidden, by a search of all deals or by simulated games.

    If neither finds a clearly better move, recommend the usual move.
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
    """Return the moves with the best total result over the possible deals of the hidden cards.

    A win counts 1, a tie 0 and a loss -1. If several moves are equally good, return those that most often leave the fool with epaulettes.
    Moves whose difference is too small for the number of sampled deals count as equal. Return () if a deal is too large to solve.
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
    # Sampled deals have a standard error, so a move with slightly fewer wins may be as good as the best.
    threshold = max(won.values()) - (0 if is_complete else isqrt(_WORLD_COUNT))
    best = max((one_epaulette[move] + two_epaulettes[move], won[move]) for move in won if won[move] >= threshold)
    return [
        move for move in view.legal_moves() if won[move] >= threshold and (one_epaulette[move] + two_epaulettes[move], won[move]) == best
    ]


class Hint(NamedTuple):
    """A hint in the language of the table: a thought, a move, and a reason."""

    thought: str
    """The thought that leads to the move, without naming the move; empty if an exercise gives only the move."""
    move: Move
    """The recommended move."""
    reason: str = ""
    """The reason for the recommended move."""


class UntranslatedHint(NamedTuple):
    """A hint before its texts are translated to the language of the table."""

    move: Move
    explanation: Explanation

    def translate(self, voice: Translator) -> Hint:
        """Translate the texts of this hint into the language of a translator."""
        thought, reason = self.explanation
        return Hint(
            voice.translate(thought.key, **thought.facts), self.move, " ".join(voice.translate(fact.key, **fact.facts) for fact in reason)
        )


class HintGiver(Protocol):
    """The type of a bot that gives hints; it may wrap an object with a method `advise`."""

    @property
    def implementation(self) -> Any:  # noqa: ANN401 - as of a bot
        """Return the object or function that this bot wraps."""

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the recommended move for the player of a given observation."""


def find_hint(adviser: HintGiver, view: Observation, rng: Random) -> UntranslatedHint:
    """Ask a bot for a hint, for the player of a given observation.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> from durak_widget.bots.bot import get
    >>> from durak_widget.table.hints import Adviser
    >>> from durak_widget.i18n import Translator
    >>> hint = find_hint(get(Adviser()), Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h").view(0), Random(0))
    >>> hint.translate(Translator()).move
    Move('attack Ks')
    """
    advise = getattr(adviser.implementation, "advise", None)
    advice = advise(view, rng) if advise else Advice(adviser.choose(view, rng))
    return UntranslatedHint(advice.move, explain_advice(view, advice))


def format_hint_move(hint: UntranslatedHint | Hint, voice: Translator) -> str:
    """Format the second step of a hint: the recommended move and its reason."""
    translated = hint if isinstance(hint, Hint) else hint.translate(voice)
    return " ".join(filter(None, [voice.translate("table.hint", advice=format_advice(translated.move, voice)), translated.reason]))


def format_thought(hint: UntranslatedHint | Hint, voice: Translator) -> str:
    """Format the first step of a hint: the thought that leads to the move."""
    return hint.thought if isinstance(hint, Hint) else hint.translate(voice).thought


def wrap_task_hint(hint: Move | TranslatableText | Hint) -> Hint | TranslatableText:
    """Return an exercise's hint; if the exercise gives only a move, convert it to a `Hint`."""
    return Hint("", hint) if isinstance(hint, Move) else hint
