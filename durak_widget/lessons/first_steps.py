"""The exercises of a first game of Durak: one rule at a time, and then a whole game."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import Card, CardSet
from durak_widget.engine.game import Game
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.exercises.goals import Goal, find_move, get_out
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import Suit, TranslatableText
from durak_widget.lessons.coached_game import Guided
from durak_widget.rules.deck_and_beating import build_deck
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.observation import PlayedMove
    from durak_widget.exercises.goals import GoalOutcome
    from durak_widget.lessons.coached_game import Remark

OPPONENT: Final = "nephew"
"""The bot that plays against the learner: the first of the named opponents."""
WHOLE_GAME: Final = "game"
"""The name of the last step."""
FIRST_SEED: Final = 38
"""The seed of the first whole game, in which the learner attacks first."""
_TURN_UP: Final = "7h"
_EXPLAINED_BOUTS: Final = 2
_TALON_SEED: Final = 7


class _Step(NamedTuple):
    """A position with its goal and a solution."""

    hands: tuple[str, str]
    goal: Goal
    solution: tuple[str, ...]
    table: str = ""
    attacker: int = 0
    has_talon: bool = True
    is_taking: bool = False
    """True if the opponent has decided to take the cards, so that the learner can still throw in more."""


def _text(name: str, *, button: str = "", suit: str = "", **cards: str) -> TranslatableText:
    """Return a text of a step, which may name cards, a suit, and a button of the table."""
    facts: dict[str, object] = {fact: Card(card) for fact, card in cards.items()} | ({"suit": Suit(suit)} if suit else {})
    return TranslatableText(f"learn.{name}", facts | ({"button": TranslatableText(f"screen.{button}")} if button else {}))


def _judge_answered_attack(_: Game, seat: int, played: PlayedMove) -> GoalOutcome:
    """Judge a move: the goal is reached when the opponent has answered the learner's attack."""
    return None if played.seat == seat else (True, _text(f"attack.{played.verb}"))


def _say_at_the_end(goal: Goal, reason: TranslatableText) -> Goal:
    """Return a goal with another sentence that says why it is reached."""

    def judge(game: Game, seat: int, played: PlayedMove) -> GoalOutcome:
        outcome = goal.judge(game, seat, played)
        return (True, reason) if outcome and outcome[0] else outcome

    return goal._replace(judge=judge)


def _build_steps() -> dict[str, _Step]:
    """Build all steps but the whole game, by name and in order."""
    return {
        "attack": _Step(("6c 9c 8d Td Js Qs", "7c Kc Jd Ad Ks As"), Goal(_text("attack"), _judge_answered_attack), ("attack 6c",)),
        "beat": _Step(
            ("7c Jc 8d Kd 6s Ts", "6d Td Qd 8s Qs"),
            find_move(
                {"beat 9c Jc": _text("beat.right", card="Jc")},
                {"take": _text("beat.take", suit="c")},
                text=_text("beat", card="9c", suit="c"),
            ),
            ("beat 9c Jc",),
            "9c",
            attacker=1,
        ),
        "trump": _Step(
            ("Kd 6h Jc 9s Qs 7c", "8c Tc 7s Ks Td"),
            find_move(
                {"beat Ad 6h": _text("trump.right")}, {"take": _text("trump.take", suit="h")}, text=_text("trump", card="Ad", suit="h")
            ),
            ("beat Ad 6h",),
            "Ad",
            attacker=1,
        ),
        "take": _Step(
            ("6c 9c 8d Td Jd Qs", "7c Ac 8s Qd 9d"),
            find_move({"take": _text("take.right")}, text=_text("take", button="take", card="Ks", suit="s")),
            ("take",),
            "Ks",
            attacker=1,
        ),
        "throw": _Step(
            ("6s 9d Jd As Qh", "9c 7s Ks Td Qd"),
            find_move(
                {"throw Jd": _text("throw.right")},
                {"pass": _text("throw.pass")},
                text=_text("throw", attack="8c", card="Jc"),
            ),
            ("throw Jd",),
            "8c/Jc",
        ),
        "pass": _Step(
            ("6s 9d As Qh", "9c 7s Ks Td"),
            find_move(
                {"pass": _text("pass.right")}, {"throw Qh": _text("pass.trump", button="pass")}, text=_text("pass", button="pass", suit="h")
            ),
            ("pass",),
            "8c/Jc Jd/Qd",
        ),
        "taking": _Step(
            ("9d 7s Jd As Qh", "7c Jc Kc 6d Td Qd"),
            find_move({"throw 9d": _text("taking.right")}, {"pass": _text("taking.pass")}, text=_text("taking", card="9s")),
            ("throw 9d",),
            "9s",
            is_taking=True,
        ),
        "end": _Step(
            ("Ks 7d", "9c Jd Qd Kd"),
            _say_at_the_end(get_out(text=_text("end"), missed=_text("end.missed", card="7d", better="Ks")), _text("end.right")),
            ("attack Ks", "attack 7d"),
            has_talon=False,
        ),
    }


def _build_game(step: _Step) -> Game:
    """Build the position of a step; its talon has all other cards in a fixed order."""
    used = {_TURN_UP, *" ".join((*step.hands, step.table.replace("/", " "))).split()}
    talon = [str(card) for card in CardSet.from_mask(sum(build_deck(Rules()))) if str(card) not in used]
    Random(_TALON_SEED).shuffle(talon)
    return Game.from_position(
        hands=step.hands,
        trump=Card(_TURN_UP).suit,
        attacker=step.attacker,
        table=step.table,
        taking=step.is_taking,
        talon=" ".join([*talon, _TURN_UP]) if step.has_talon else "",
        turn_up=_TURN_UP if step.has_talon else None,
    )


class FirstStep(Position):
    """An exercise of the first game. When it is solved, a button leads to the next one.

    >>> step = FirstStep("beat")
    >>> print(step.answer("beat 9c Jc"))
    Right. The jack of clubs is higher. Both cards leave the game.
    >>> step.can_go_on
    True
    """

    def __init__(self, name: str, *, language: str | None = None, go_on: Callable[[], object] | None = None) -> None:
        """Create the step with a name; `go_on` is called when the learner wants to go on."""
        step = _build_steps()[name]
        self._go_on = go_on
        hands = "own" if step.has_talon else "open"  # In the ending, the learner can count what the opponent beats
        super().__init__(_build_game(step), step.goal, solution=step.solution, seat=0, others={1: OPPONENT}, language=language, hands=hands)

    @property
    def question(self) -> str:
        """Return what to do, with a symbol beside the name of each suit.

        So newcomers learn the names.
        """
        return translate_text(self._goal.text, replace(self._voice, cards="both"))

    @property
    def can_go_on(self) -> bool:
        """Return whether the step is solved, or its solution is shown."""
        return self._state in ("right", "shown")

    def next(self) -> None:
        """Go on to the next step, if this one is solved or shown."""
        if self._go_on is not None and self.can_go_on:
            self._go_on()

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays; when the step is done, also the way on."""
        return {**super().view_model(), "has_next": self.can_go_on}


class FirstGame(Guided):
    """A whole game against the first opponent, with a coach in the first bouts.

    It does not count as a win against the opponent, because the coach helps.
    """

    def __init__(self, game: Game | None = None, *, language: str | None = None) -> None:
        """Start the game that is always the first one, or go on with a game."""
        # A game that is read from text has no seed, so the table does not count it.
        super().__init__(game or Game.parse(str(Game(seed=FIRST_SEED))), others={1: OPPONENT}, bouts=_EXPLAINED_BOUTS, language=language)

    @property
    def can_go_on(self) -> bool:
        """Return whether the game is over."""
        return self.check()

    @property
    def question(self) -> str:
        """Return what to do: play, or go on to other games when the game is over."""
        return self._voice.translate("learn.game.over" if self.check() else "learn.game")

    def _advise_after_game(self) -> list[Remark]:
        return []  # The page has no button for a next game. The question says how to go on.


STEPS: Final = (*_build_steps(), WHOLE_GAME)
"""The names of the steps, in order."""


def create_step(name: str, *, language: str | None = None, go_on: Callable[[], object] | None = None) -> FirstStep | FirstGame:
    """Create the exercise of a step."""
    return FirstGame(language=language) if name == WHOLE_GAME else FirstStep(name, language=language, go_on=go_on)
