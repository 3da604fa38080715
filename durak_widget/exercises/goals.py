"""Goals of position exercises, and checks whether a player can still reach them.

A goal judges each move after the move has been made. The author of an exercise knows all cards, so the check whether a goal can still
be reached uses the whole position, not an observation.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from durak_widget.bots.heuristic_bots import CarefulBot, get_card_prices, prefer_usual_move
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.engine.outcome_wording import build_outcome_fact
from durak_widget.errors import DurakError, PositionError, as_whole_number, short_repr
from durak_widget.exercises.answer_parsing import require_text, require_texts
from durak_widget.i18n import LANGUAGES, Seat, TranslatableText
from durak_widget.widgets.missed_endgames import QUICK_SEARCH_POSITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.analysis.endgame import EndgameSolution
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import PlayedMove
    from durak_widget.exercises.answer_parsing import Text

    GoalOutcome = tuple[bool, Text] | None
    """True if the goal is reached, False if it is missed, both with a reason; None if undecided."""
    OpponentNames = tuple[tuple[int, str], ...]
    """The seats and names of the opponents."""

SEARCH_BUDGET: Final = QUICK_SEARCH_POSITIONS
"""The maximum number of endgame positions to search after each move."""
TRANSFER_VERBS: Final = {"transfer", "show"}


class Goal(NamedTuple):
    """A goal that the student has to reach from a card position."""

    text: Text
    """The sentence that states the goal."""
    judge: Callable[[Game, int, PlayedMove], GoalOutcome]
    """The function that decides after a move whether a seat has reached or missed the goal."""
    reachability: GoalReachability | None = None
    """The check whether a seat can still reach the goal; None if there is no check."""


def require_goal(goal: object) -> Goal:
    """Return a goal unchanged, or raise a `DurakError` if the value is not a goal.

    Any object with a `text` and a callable `judge` is a goal.
    """
    if not callable(getattr(goal, "judge", None)):
        raise DurakError(f"a goal must be one of lessons.goals, such as goals.beat_all(), not {short_repr(goal)}")
    require_text(getattr(goal, "text", None))
    return cast("Goal", goal)


def beat_all(*, trumps: bool = True, text: Text = "", missed: Text = "") -> Goal:
    """Return the goal to beat all attacking cards; with `trumps=False`, without using trumps.

    The goal is missed as soon as it is impossible to beat all cards on the table. `missed` replaces the sentence that says so.

    >>> beat_all(trumps=False).text.key
    'lesson.goal.beat_all.plain'
    """

    def judge(game: Game, seat: int, played: PlayedMove) -> GoalOutcome:
        if played.seat == seat and played.verb == "take":
            return False, missed or TranslatableText("lesson.goal.took")
        if not trumps and played.seat == seat and played.verb == "beat" and played.cards[-1].suit == game.trump:
            return False, missed or TranslatableText("lesson.goal.trumped", {"card": played.cards[-1]})
        end = game.view(seat).bout_ends[-1:]
        if end and end[0].ply == game.ply and end[0].defender == seat:
            return not end[0].taken, TranslatableText("lesson.goal.beaten")
        return None

    return Goal(
        text or TranslatableText("lesson.goal.beat_all" if trumps else "lesson.goal.beat_all.plain"),
        judge,
        BeatAllReachability(trumps, missed),
    )


def get_out(*, epaulettes: int = 0, bouts: int | None = None, text: Text = "", missed: Text = "") -> Goal:
    """Return the goal to get rid of all cards before an opponent does.

    With `epaulettes`, the fool must also be left with that many of them. With `bouts`, the player must reach the goal within that many
    bouts. A tie is a miss too. With two players left and no talon, the goal is missed by the move that gives up a forced win.

    >>> get_out().text.key, get_out(bouts=3).text.facts
    ('lesson.goal.out', {'count': 3})
    """
    max_bouts = as_whole_number(bouts)
    if bouts is not None and (max_bouts is None or max_bouts < 1):
        raise DurakError(f"bouts must be a number from 1 on, such as 3, or None for no limit, not {short_repr(bouts)}")

    def judge(game: Game, seat: int, _: PlayedMove) -> GoalOutcome:
        outcome = game.outcome
        if outcome is not None and (seat not in outcome.winners or outcome.epaulettes < epaulettes):
            return False, missed or TranslatableText("sentence", {"said": build_outcome_fact(outcome)})
        if outcome is not None or (seat in game.places and not epaulettes):
            return True, TranslatableText("end.out", {"who": Seat(seat)})
        if max_bouts is not None and len(game.view(seat).bout_ends) >= max_bouts:
            return False, missed or TranslatableText("lesson.goal.late", {"count": max_bouts})
        return None

    winning = WinReachability(epaulettes, missed)
    goal_sentence = (
        TranslatableText("lesson.goal.out") if max_bouts is None else TranslatableText("lesson.goal.out.within", {"count": max_bouts})
    )
    return Goal(text or goal_sentence, judge, winning if max_bouts is None else _WinWithinBouts(winning, max_bouts))


class _WinWithinBouts(NamedTuple):
    """A check whether a player can force a win within a limited number of bouts."""

    win_check: WinReachability
    max_bouts: int

    def is_reachable(self, game: Game, seat: int) -> bool | None:
        """Return whether a player can force a win within the bouts that the goal allows."""
        is_winning = self.win_check.is_reachable(game, seat)
        if not is_winning:
            return is_winning
        from durak_widget.analysis.endgame import solve_endgame  # noqa: PLC0415 - no other goal needs this module

        needed_bouts = solve_endgame(game, budget=SEARCH_BUDGET, epaulettes=self.win_check.epaulettes).bouts_to_end
        return None if needed_bouts is None else needed_bouts <= self.max_bouts - len(game.view(seat).bout_ends)

    def find_move(self, game: Game, seat: int) -> Move | None:
        """Return the first move of the quickest forced win."""
        return self.win_check.find_move(game, seat)

    def explain_missed_goal(self, game_before: Game, move: Move, opponent_names: OpponentNames = ()) -> Text:
        """Explain why a move missed the exercise's goal: the win is lost, or takes too many bouts.

        An explanation that the author of the exercise has written takes precedence.
        """
        after = game_before.copy()
        after.play(move)
        if self.win_check.missed or not self.win_check.is_reachable(after, game_before.actor or 0):
            return self.win_check.explain_missed_goal(game_before, move, opponent_names)
        return TranslatableText("lesson.goal.slow", {"count": self.max_bouts})


def find_move(right: Mapping[str, Text], wrong: Mapping[str, Text] | None = None, *, text: Text = "", otherwise: Text = "") -> Goal:
    """Return a goal that is reached by playing one of the moves in `right`.

    The dicts `right` and `wrong` map moves to explanations.

    >>> goal = find_move({"beat 7c 8c": "The cheapest card will do."}, {"beat 7c Ah": "A trump is worth more than that."})
    >>> goal.text.key
    'lesson.goal.find'
    """
    if not right:
        raise DurakError("name a move to find, as in find_move({'beat 7c 8c': 'The cheapest card is enough.'})")
    results = {str(Move(move)): (True, reason) for move, reason in require_texts(right).items()}
    results |= {str(Move(move)): (False, reason) for move, reason in require_texts(wrong or {}).items()}
    other_reason = require_text(otherwise) or TranslatableText("lesson.goal.other")

    def judge(_: Game, seat: int, played: PlayedMove) -> GoalOutcome:
        return results.get(str(played), (False, other_reason)) if played.seat == seat else None

    return Goal(text or TranslatableText("lesson.goal.find"), judge)


class GoalReachability(Protocol):
    """The interface of a check whether a player can still reach an exercise's goal."""

    def is_reachable(self, game: Game, seat: int) -> bool | None:
        """Return whether a player can still reach the exercise's goal; None if that is unknown."""

    def find_move(self, game: Game, seat: int) -> Move | None:
        """Return a move after which the player can still reach the exercise's goal."""

    def explain_missed_goal(self, game_before: Game, move: Move, opponent_names: OpponentNames = ()) -> Text:
        """Explain why the exercise's goal can't be reached any more after a move."""


class WinReachability(NamedTuple):
    """A check whether a player can force a win in a two-player endgame.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    >>> WinReachability().is_reachable(game, 0), WinReachability().find_move(game, 0)
    (True, Move('attack Ks'))
    """

    epaulettes: int = 0
    missed: Text = ""

    def is_reachable(self, game: Game, seat: int) -> bool | None:
        """Return whether a seat can force a win; None if the search takes too long."""
        ending = self._solve_ending(game, seat)
        if ending is None or ending.value is None:
            return None
        return ending.value == (1 if ending.seat == seat else -1)

    def find_move(self, game: Game, seat: int) -> Move | None:
        """Return the first move of the quickest forced win."""
        if game.actor != seat:
            return None
        ending, view = self._solve_ending(game, seat), game.view(seat)
        if ending is None or ending.value != 1:
            return None
        return prefer_usual_move(ending.quickest_moves or ending.best_moves, view, CarefulBot().choose(view, Random(0)))

    def _solve_ending(self, game: Game, seat: int) -> EndgameSolution | None:
        """Return the solution of a two-player endgame; None for any other position."""
        if game.talon or len(game.seats_in) != 2 or seat not in game.seats_in or game.outcome is not None:
            return None
        from durak_widget.analysis.endgame import solve_endgame  # noqa: PLC0415 - only endgames need this module

        return solve_endgame(game, budget=SEARCH_BUDGET, epaulettes=self.epaulettes)

    def explain_missed_goal(self, game_before: Game, move: Move, opponent_names: OpponentNames = ()) -> Text:
        """Explain how the opponent refutes `move`.

        An explanation that the author of the exercise has written takes precedence.
        """
        from durak_widget.analysis.endgame import refute  # noqa: PLC0415 - only mistakes need this module

        if self.missed:
            return self.missed
        try:
            refutation = refute(game_before, move, budget=SEARCH_BUDGET)
        except PositionError:  # There is no refutation because the move still wins, or the search takes too long
            return TranslatableText("lesson.goal.bare" if self.epaulettes else "lesson.goal.gone")
        return {code: refutation.to_text(code, people=opponent_names) for code in LANGUAGES}


class BeatAllReachability(NamedTuple):
    """A check whether the defender can beat all cards on the table if no card is added.

    >>> from durak_widget import Game
    >>> game = Game.from_position("siege", hands=["Qc 6s", "9h As Kd"], trump="s", table="8c 8h", attacker=1)
    >>> BeatAllReachability().is_reachable(game, 0), BeatAllReachability().find_move(game, 0)
    (True, Move('beat 8c Qc'))
    >>> game.play("beat 8c 6s"); BeatAllReachability().is_reachable(game, 0)
    False
    """

    trumps: bool = True
    missed: Text = ""

    def is_reachable(self, game: Game, seat: int) -> bool | None:
        """Return whether the defender can beat all attacking cards, each with a different card.

        A possible transfer of the attack also counts. Return None if the seat does not defend.
        """
        if game.defender != seat or game.taking or game.outcome is not None:
            return None
        if _can_answer_all_attacks(self._find_beating_cards(game, seat)):
            return True
        if game.actor == seat:
            return any(move.verb in TRANSFER_VERBS for move in game.legal_moves())
        return False if any(beat for _, beat in game.table) else None  # The defender can't transfer after beating a card

    def find_move(self, game: Game, seat: int) -> Move | None:
        """Return the cheapest beating move after which all other attacks can be beaten.

        If there is none, return a transfer.
        """
        legal, price, beating_cards = game.legal_moves(), get_card_prices(game.view(seat)), self._find_beating_cards(game, seat)
        attacks, hand = [Card.from_code(card.effective_face) for card in game.table.unbeaten], list(game.hands[seat])
        for move in sorted((move for move in legal if move.verb == "beat"), key=lambda move: price(move.cards[1])):
            attack_index, card_index = attacks.index(move.cards[0]), hand.index(move.cards[1].face)
            remaining_beaters = [cards - {card_index} for i, cards in enumerate(beating_cards) if i != attack_index]
            if card_index in beating_cards[attack_index] and _can_answer_all_attacks(remaining_beaters):
                return move
        return next((move for move in legal if move.verb in TRANSFER_VERBS), None)

    def _find_beating_cards(self, game: Game, seat: int) -> list[set[int]]:
        """Return, for each unbeaten attacking card, the indices of the hand cards that beat it."""
        hand, trump = list(enumerate(game.hands[seat])), game.trump
        return [
            {index for index, card in hand if card in game.rules.beaters(attack, trump) and (self.trumps or card.suit != trump)}
            for attack in game.table.unbeaten
        ]

    def explain_missed_goal(self, game_before: Game, move: Move, opponent_names: OpponentNames = ()) -> Text:  # noqa: ARG002 - the explanation does not depend on the move
        """Explain that some attacking cards can't be beaten after a player's move.

        An explanation that the author of the exercise has written takes precedence.
        """
        return self.missed or TranslatableText("lesson.goal.stuck" if self.trumps else "lesson.goal.stuck.plain")


def _can_answer_all_attacks(beating_cards: list[set[int]]) -> bool:
    """Return whether each attacking card can be beaten by a different card (a matching).

    The function looks for augmenting paths: if a card is already used, the attack that it beats may change to another card.

    >>> _can_answer_all_attacks([{1, 2}, {1}]), _can_answer_all_attacks([{1}, {1}])
    (True, False)
    """
    attack_of_card: dict[int, int] = {}

    def assign(attack: int, visited: set[int]) -> bool:
        for card in beating_cards[attack] - visited:
            visited.add(card)
            if card not in attack_of_card or assign(attack_of_card[card], visited):
                attack_of_card[card] = attack
                return True
        return False

    return all(assign(attack, set()) for attack in range(len(beating_cards)))
