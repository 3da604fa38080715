"""Two hours that are ready to run in class, with minutes and notes for the teacher.

Texts are in the catalogue of texts under `live.plan.<plan>.<step>`. A plan is built when it is first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from durak_widget.i18n import TranslatableText, Translator
from durak_widget.live.question import LANGUAGES
from durak_widget.live.textbook_words import translate_tree, translate_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from durak_widget.live.game_pictures import GamePicture
    from durak_widget.live.question import JsonObject

_NINE_POSITION: Final = (
    "econ431, suits=cdh, hand_size=1: 9c Qd | Ac; talon Jc Th; turn-up 9h; seen 9c | Ac; discard Tc Qc Kc 9d Td Jd Kd Ad Jh Qh Kh Ah"
)
"""A position in which the 9 of clubs is known and the queen of diamonds is not, so that the 9 may be a bluff."""


@dataclass(frozen=True)
class PlanStep:
    """One question of a plan, with what the teacher needs to know."""

    spec: JsonObject
    title: Mapping[str, str]
    """The title in each language."""
    note: Mapping[str, str]
    """What to say and what to expect, in each language; only the teacher sees it."""
    minutes: int
    again: bool = False
    """True if the class talks after the first answers and then answers again."""

    def to_json(self) -> JsonObject:
        """Return the step as JSON-compatible data."""
        return {"spec": self.spec, "title": dict(self.title), "note": dict(self.note), "minutes": self.minutes, "again": self.again}


@dataclass(frozen=True)
class Plan:
    """The questions of an hour, in their order.

    >>> plan = PLANS["pennies"]
    >>> plan.title["en"], sum(step.minutes for step in plan.steps) <= 60
    ('Matching pennies and the cards', True)
    """

    name: str
    title: Mapping[str, str]
    """The title in each language."""
    steps: tuple[PlanStep, ...]

    def to_json(self) -> JsonObject:
        """Return the plan as JSON-compatible data, for the command `set_plan` of a class session."""
        return {"title": dict(self.title), "steps": [step.to_json() for step in self.steps]}


# --- Helpers for authors of plans ---


def _translate(key: str, **facts: str) -> dict[str, str]:
    """Return a text of the catalogue in each language of the students' page."""
    return {language: Translator(language).translate(key, **facts) for language in LANGUAGES}


def _build_step(plan: str, name: str, minutes: int, spec: JsonObject, *, again: bool = False) -> PlanStep:
    """Return a step with its title and note; the title is also that of the question."""
    stem = f"live.plan.{plan}.{name}"
    title = _translate(f"{stem}.title")
    return PlanStep({**spec, "title": title}, title, _translate(f"{stem}.note"), minutes, again)


def _build_textbook_game(name: str, text_key: str) -> JsonObject:
    """Return a textbook game; its text uses the names that the game has in each language."""
    from durak_widget.live.game_question import make_game_spec  # noqa: PLC0415 - only a plan that is used needs its games

    spec: JsonObject = make_game_spec(name, text=_translate(text_key))
    return spec


def _build_pennies(heads_payoff: int, text_key: str, *, mix: bool = False) -> JsonObject:
    """Return matching pennies in which a match on heads pays Even `heads_payoff`."""
    faces = {language: [translate_word("pennies", side, language) for side in ("heads", "tails")] for language in LANGUAGES}
    return {
        "kind": "game",
        "payoffs": _list_pennies_payoffs(heads_payoff),
        "rows": faces,
        "columns": faces,
        "names": {language: [translate_word("pennies", name, language) for name in ("Even", "Odd")] for language in LANGUAGES},
        "text": _translate(text_key),
        **({"mix": True} if mix else {}),
    }


def _list_pennies_payoffs(heads_payoff: int) -> list[list[list[str]]]:
    return [[[str(heads_payoff), "-1"], ["-1", "1"]], [["-1", "1"], ["1", "-1"]]]


def _draw_pennies(heads_payoff: int) -> dict[str, GamePicture]:
    """Draw matching pennies in each language, for a question about the game."""
    from durak_widget.gametheory.strategic_form import matrix_from_payoffs  # noqa: PLC0415 - only a plan that is used needs pictures
    from durak_widget.live.game_pictures import draw_matrix  # noqa: PLC0415 - as above

    pictures = {}
    for language in LANGUAGES:
        faces, names = ([translate_word("pennies", word, language) for word in words] for words in (("heads", "tails"), ("Even", "Odd")))
        matrix = matrix_from_payoffs(_list_pennies_payoffs(heads_payoff), rows=faces, columns=faces, names=names)
        pictures[language] = draw_matrix(matrix, language, player_names=names)
    return pictures


def _draw_textbook_game(name: str) -> dict[str, GamePicture]:
    """Draw the tree of a textbook game in each language, for a question about the game."""
    from durak_widget.gametheory.textbook_games import textbook  # noqa: PLC0415 - only a plan that is used needs pictures
    from durak_widget.live.game_pictures import draw_tree  # noqa: PLC0415 - as above

    return {language: draw_tree(translate_tree(textbook(name), name, language), language) for language in LANGUAGES}


def _build_choice(
    plan: str,
    name: str,
    options: tuple[str, ...],
    right: str,
    pictures: Mapping[str, GamePicture] | None = None,
    **more: Any,  # noqa: ANN401 - options of the exercise
) -> JsonObject:
    """Return a question with options; each option has a text and a reason in the catalogue."""
    from durak_widget.exercises.choice_exercise import Choose  # noqa: PLC0415 - only a plan that is used needs exercises
    from durak_widget.live.exercise_question import make_exercise_spec  # noqa: PLC0415 - as above

    stem = f"live.plan.{plan}.{name}"
    exercise = Choose(
        TranslatableText(f"{stem}.text"),
        {option: TranslatableText(f"{stem}.{option}.reason") for option in options},
        right,
        named={option: TranslatableText(f"{stem}.{option}") for option in options},
        **more,
    )
    return make_exercise_spec(exercise, pictures=pictures)


def _build_number(
    plan: str, name: str, right: str, mistakes: Mapping[str, str], pictures: Mapping[str, GamePicture] | None = None
) -> JsonObject:
    """Return a question with a number; each known mistake has a sentence in the catalogue."""
    from durak_widget.exercises.number_exercise import Number  # noqa: PLC0415 - only a plan that is used needs exercises
    from durak_widget.live.exercise_question import make_exercise_spec  # noqa: PLC0415 - as above

    stem = f"live.plan.{plan}.{name}"
    named = {mistake: (value, TranslatableText(f"{stem}.{mistake}")) for mistake, value in mistakes.items()}
    exercise = Number(TranslatableText(f"{stem}.text"), right, mistakes=named, why=TranslatableText(f"{stem}.why"))
    return make_exercise_spec(exercise, pictures=pictures)


# --- The plans ---


def _build_pennies_plan() -> Plan:
    from durak_widget.engine.game import Game  # noqa: PLC0415 - only a plan that is used needs exercises

    name, stem = "pennies", "live.plan.pennies"
    often = _build_number(name, "often", "1/4", {"same": "1/2", "tails": "3/4", "old": "1/3"}, _draw_pennies(5))
    change = _build_choice(name, "change", ("even", "odd", "both", "nobody"), "odd", _draw_pennies(3))
    card_game = Game.from_position_line(_NINE_POSITION)
    steps = (
        _build_step(name, "coins", 7, _build_pennies(1, f"{stem}.coins.text")),
        _build_step(name, "change", 8, change, again=True),
        _build_step(name, "uneven", 8, _build_pennies(3, f"{stem}.uneven.text", mix=True)),
        _build_step(name, "often", 6, often),
        _build_step(name, "bluff", 10, _build_textbook_game("myerson", f"{stem}.bluff.text")),
        _build_step(name, "card", 9, _build_choice(name, "card", ("nine", "queen", "mix"), "mix", game=card_game), again=True),
        _build_step(name, "habit", 7, _build_choice(name, "habit", ("nothing", "half", "all"), "nothing", _draw_pennies(1))),
    )
    return Plan(name, _translate(f"{stem}.title"), steps)


def _build_beer_quiche_plan() -> Plan:
    name, stem = "beer-quiche", "live.plan.beer-quiche"
    bayes = _build_number(name, "bayes", "18/19", {"prior": "9/10", "beer": "19/20", "opposite": "1/19", "equal": "2/3"})
    breakfast = _build_textbook_game("beer-quiche", f"{stem}.breakfast.text")
    gain = _build_choice(name, "gain", ("strong", "weak", "both", "nobody"), "strong", _draw_textbook_game("beer-quiche"))
    steps = (
        _build_step(name, "belief", 7, _build_choice(name, "belief", ("half", "share", "sure"), "share"), again=True),
        _build_step(name, "breakfast", 11, breakfast),
        _build_step(name, "bayes", 7, bayes),
        _build_step(name, "gain", 8, gain, again=True),
        _build_step(name, "second", 8, breakfast),
        _build_step(name, "outside", 9, _build_textbook_game("outside-option", f"{stem}.outside.text")),
        _build_step(name, "school", 9, _build_textbook_game("spence", f"{stem}.school.text")),
    )
    return Plan(name, _translate(f"{stem}.title"), steps)


_BUILDERS: Final[dict[str, Callable[[], Plan]]] = {"pennies": _build_pennies_plan, "beer-quiche": _build_beer_quiche_plan}


@cache
def _build_plan(name: str) -> Plan:
    return _BUILDERS[name]()


class _Plans(Mapping[str, Plan]):
    """The plans by name; each is built when it is first used."""

    def __getitem__(self, name: str) -> Plan:
        return _build_plan(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_BUILDERS)

    def __len__(self) -> int:
        return len(_BUILDERS)

    def __contains__(self, name: object) -> bool:
        return name in _BUILDERS

    def __repr__(self) -> str:
        return f"<plans: {', '.join(_BUILDERS)}>"


PLANS: Final[Mapping[str, Plan]] = _Plans()
"""The hours that are ready to run, by name."""
