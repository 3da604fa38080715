"""Turns what a teacher writes in a notebook into questions and plans for a class session."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from durak_widget.atomic_files import parse_json_text
from durak_widget.errors import short_repr, suggest_nearest
from durak_widget.i18n import Translator, get_language
from durak_widget.live.question import LANGUAGES, SpecError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.live.question import JsonObject


def build_spec(game: object, **options: Any) -> JsonObject:  # noqa: ANN401 - make_game_spec checks them
    """Return the question that a teacher means.

    `game` is a game, an exercise, a game of numbers, or a question that is a dict already.

    >>> from durak_widget import live
    >>> build_spec(live.Guess(rounds=2))["kind"]
    'guess'
    >>> build_spec({"kind": "guess"})
    {'kind': 'guess'}
    >>> build_spec([[1, 2], [3, 4]], names=["Ann", "Bob"])["title"]["en"]
    'Ann and Bob'
    """
    if isinstance(game, dict) and "kind" in game:
        _refuse_options(options, "a question that is a dict")
        return dict(game)
    if hasattr(game, "to_spec") and not isinstance(game, type):
        _refuse_options(options, f"{type(game).__name__}(…)")
        spec: JsonObject = game.to_spec()
        return spec
    if _is_exercise(game):
        from durak_widget.live.exercise_question import make_exercise_spec  # noqa: PLC0415 - a game needs no exercises

        _refuse_options(options, "an exercise")
        return make_exercise_spec(game)
    from durak_widget.live.game_question import make_game_spec  # noqa: PLC0415 - an exercise needs no solver

    spec = make_game_spec(game, **options)
    return spec if spec.get("title") else {**spec, **_make_title(game, spec)}


def _make_title(game: object, spec: JsonObject) -> JsonObject:
    """Return a title for a game without one; empty if the game has a title itself.

    It is the name of the file, or else the players' names: several questions of a class should not look the same in a list.
    """
    if "textbook" in spec:
        return {}
    if "efg" in spec:
        from durak_widget.live.game_question import load_game  # noqa: PLC0415 - as in build_spec

        if load_game(spec).tree.title:
            return {}
    if isinstance(game, PathLike) or (isinstance(game, str) and "\n" not in game and game.lower().endswith((".efg", ".nfg"))):
        return {"title": Path(game).stem}
    if "payoffs" not in spec and "names" not in spec:
        return {}
    titles = {language: _join_names(spec.get("names"), language) for language in LANGUAGES}
    return {"title": titles}


def _join_names(names: Sequence[str] | None, language: str) -> str:
    """Return players' names as in `Ann and Bob`, or else those of rows and columns."""
    if not names:
        translate = Translator(language).translate
        names = [translate("live.game.row"), translate("live.game.column")]
    *first, last = map(str, names)
    return ", ".join(first) + get_language(language).conjunctions["and"] + last if first else last


def build_plan(plan: object) -> JsonObject:
    """Return a plan as a dict with its `title` and `steps`.

    `plan` is a plan, its name, a list of questions, or a `.json` file.

    >>> from durak_widget import live
    >>> [step["spec"]["kind"] for step in build_plan([live.Guess(), {"kind": "guess"}])["steps"]]
    ['guess', 'guess']
    >>> build_plan("penies")
    Traceback (most recent call last):
    durak_widget.live.question.SpecError: there is no plan 'penies'. Did you mean 'pennies'? ...
    """
    if isinstance(plan, (str, PathLike)):
        plan = _find_plan(plan)
    if hasattr(plan, "to_json"):
        plan = plan.to_json()
    if isinstance(plan, dict) and isinstance(plan.get("steps"), list):
        return {"title": plan.get("title", ""), "steps": [_build_step(step) for step in plan["steps"]]}
    if isinstance(plan, (list, tuple)) and plan:
        return {"title": "", "steps": [_build_step(step) for step in plan]}
    raise SpecError(f"a plan is a list of questions, a plan from live.PLANS or its name, or a .json file, not {short_repr(plan)}")


def _find_plan(name: str | PathLike[str]) -> object:
    """Return a plan by its name, or from a file."""
    from durak_widget.live.plans import PLANS  # noqa: PLC0415 - only here

    if str(name) in PLANS:
        return PLANS[str(name)]
    if not str(name).lower().endswith(".json"):
        raise SpecError(
            f"there is no plan {short_repr(str(name))}.{suggest_nearest(str(name), PLANS)} live.PLANS has {', '.join(PLANS)}; "
            "a file with a plan ends in .json"
        )
    try:
        return parse_json_text(Path(name).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"the plan {short_repr(str(name))} cannot be read: {error}") from error


def _build_step(step: object) -> JsonObject:
    """Return a step of a plan."""
    if isinstance(step, dict) and "spec" in step:
        return {**step, "spec": build_spec(step["spec"])}
    return {"spec": build_spec(step)}


def _refuse_options(options: JsonObject, what: str) -> None:
    """Raise an error if there are options."""
    if options:
        raise SpecError(f"{what} takes no options here; leave out {', '.join(options)}")


def _is_exercise(game: object) -> bool:
    """Return whether an object is an exercise of a lesson.

    A game is none, and nothing is imported to find this out.
    """
    if not any(base.__module__.startswith("durak_widget.exercises") for base in type(game).__mro__):
        return False
    from durak_widget.exercises.base_exercise import Task  # noqa: PLC0415 - only here

    return isinstance(game, Task)
