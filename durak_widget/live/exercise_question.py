"""Asks the whole class an exercise, such as a position, a number or a choice.

A spec has all texts in every language and the answer key, so that another process can judge answers without the exercise. The key is
neither in a form nor in a board before the reveal.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final

from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import build_advice_fact
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import require_text, translate_text
from durak_widget.exercises.base_exercise import Task
from durak_widget.exercises.choice_exercise import Choose, Pick, Sort
from durak_widget.exercises.exercise import draw_game_beside
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import Translator
from durak_widget.live.exercise_keys import MAX_ITEMS, AnswerKey, Bars, Verdict, load_key
from durak_widget.live.question import LANGUAGES, Json, JsonObject, Question, SpecError
from durak_widget.live.texts import keep_together, translate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from durak_widget.exercises.exercise import Exercise
    from durak_widget.live.game_pictures import GamePicture

_KINDS: Final = (
    "Choose, Predict, WhatIf, Pick, Sort, Number, a Position whose solution is a single move, and OnMatrix.strike, best and equilibria"
)
"""The exercises that a class can be asked."""
_PROBABILITY_PATTERN: Final = re.compile(r"probabilit|likely|chance|tikimyb|tikėtin|вероятн|шанс", re.IGNORECASE)
"""The words of a question that asks for a probability."""
_MAX_QUESTION_LENGTH: Final = 8000
"""The maximum length of a text in all languages together, in characters."""


class ExerciseQuestion(Question):
    """An exercise as a question to the class."""

    kind: ClassVar[str] = "exercise"

    def __init__(self, spec: JsonObject, prepared: JsonObject) -> None:
        super().__init__(spec, prepared)
        self._data: JsonObject = spec["exercise"]
        self._loaded_key: AnswerKey | None = None

    @classmethod
    def prepare(cls, spec: JsonObject) -> JsonObject:
        """Check the texts and the answer key of a spec; there is nothing else to prepare."""
        data = spec.get("exercise")
        load_key(data)
        try:
            texts = [require_text(text) for text in (spec.get("title", ""), data["question"])]  # type: ignore[index] # the key is made of it
            question = cls(spec, {})
            for language in LANGUAGES:  # An error must come now, and not when the class is waiting
                question.build_form(0, language)
                question.build_board({}, None, None, is_revealed=True, language=language)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, DurakError) as error:
            raise SpecError(f"a text of this exercise is not valid ({type(error).__name__}: {error}); use make_exercise_spec") from None
        if any(len(str(text)) > _MAX_QUESTION_LENGTH for text in texts):
            raise SpecError("the text of the question is too long to be read on a phone; shorten it")
        return {}

    @property
    def _key(self) -> AnswerKey:
        if self._loaded_key is None:
            self._loaded_key = load_key(self._data)
        return self._loaded_key

    def score(self, answers: Mapping[int, Json], language: str) -> JsonObject:
        """Return whether each answer is right, with its credit from 0 to 1 as its points.

        The reasons are in every language, so that the event loop has nothing to judge. Equal answers share them.
        """
        judged = {seat: self._key.judge(answer, language) for seat, answer in answers.items()}
        seats: dict[str, JsonObject] = {}
        reasons: dict[str, JsonObject] = {}
        for seat, judgement in judged.items():
            name = json.dumps(answers[seat], sort_keys=True)
            if name not in reasons:
                sentences = {code: list(self._key.judge(answers[seat], code).sentences) for code in LANGUAGES}
                reasons[name] = {"index": len(reasons), "sentences": sentences}
            seats[str(seat)] = {
                "points": str(judgement.credit),
                "is_right": judgement.is_right,
                "mistake": judgement.mistake,
                "reasons": reasons[name]["index"],
            }
        return {
            "seats": seats,
            "right_count": sum(judgement.is_right for judgement in judged.values()),
            "reasons": [reason["sentences"] for reason in reasons.values()],
        }

    def title(self, language: str) -> str:
        """Return the title of the spec, or else a general title."""
        return translate_text(self.spec.get("title") or "", Translator(language)) or translate(language, "live.exercise.title")

    def _question_text(self, language: str) -> str:
        return keep_together(translate_text(self._data["question"], Translator(language)))

    def build_form(self, seat: int, language: str) -> JsonObject:  # noqa: ARG002 - every student gets the same question
        """Return the question with its picture and its options, without the answer key."""
        picture = self._find_picture(language)
        return {
            "title": self.title(language),
            "text": self._question_text(language),
            "role": "",
            "picture": picture["svg"] if picture else None,
            "picture_text": picture["text"] if picture else "",
            **self._key.build_form_fields(language),
        }

    def _find_picture(self, language: str) -> JsonObject | None:
        """Return the picture in a language, or else in any language."""
        pictures = self._data.get("pictures") or {}
        picture: JsonObject | None = pictures.get(language) or next(iter(pictures.values()), None)
        return picture

    def parse_answer(self, seat: int, answer: object) -> Json:  # noqa: ARG002 - every student gets the same question
        """Return an answer in its canonical form."""
        return self._key.parse(answer)

    def pick_answer(self, seat: int, rng: Random) -> Json:  # noqa: ARG002 - as above
        """Return an answer that is right about half of the time."""
        return self._key.parse(self._key.pick(rng))

    def build_tally(self, answers: Mapping[int, Json], language: str) -> list[JsonObject]:
        """Return the bars so far, without marks."""
        return [self._build_bars(answers, None, language, "").group]

    def _build_bars(self, answers: Mapping[int, Json], result: JsonObject | None, language: str, title: str) -> Bars:
        """Return the bars of the answers; with a result, they say which answers are right."""
        verdicts = None
        if result is not None:
            judged = [result["seats"].get(str(seat), {}) for seat in answers]
            verdicts = [Verdict(bool(facts.get("is_right")), str(facts.get("mistake") or "")) for facts in judged]
        return self._key.build_bars(list(answers.values()), verdicts, language, title)

    def build_board(
        self,
        answers: Mapping[int, Json],
        result: JsonObject | None,
        solution: JsonObject | None,  # noqa: ARG002 - the answer key is in the spec
        *,
        is_revealed: bool,
        language: str,
        earlier: Sequence[JsonObject] = (),
    ) -> JsonObject:
        """Return the bars of the answers; the right answer is marked only after the reveal.

        If the question was asked before, both results are shown.
        """
        titles = self._name_attempts(len(earlier) + 1, language)
        # Without answers there is no result, but the right answer can be shown
        is_judged = result is not None and "right_count" in result  # Not if the worker has failed
        shown_result = (result if is_judged else None if answers else {"seats": {}}) if is_revealed else None
        bars = self._build_bars(answers, shown_result, language, titles[-1])
        lines: list[str] = []
        if bars.long_answers:
            lines.append(translate(language, "live.exercise.long_answers", answers="; ".join(bars.long_answers)))
        if is_revealed:
            if result is not None and is_judged and answers:
                lines.append(translate(language, "live.exercise.right_count", count=result["right_count"], total=str(len(answers))))
            lines.append(translate(language, "live.exercise.solution", solution=self._key.describe_solution(language)))
            lines += self._list_explanations(language)
        picture = self._find_picture(language)
        return {
            "title": self.title(language),
            "text": self._question_text(language),
            "picture": picture["svg"] if picture else None,
            "picture_text": picture["text"] if picture else "",
            "groups": [bars.group],
            "lines": lines,
            "equilibria": [],
            "table": None,
            "earlier": [
                {"title": title, "groups": [self._copy_marks(group, bars.group, title) for group in board["groups"][:1]]}
                for title, board in zip(titles, earlier, strict=False)
            ],
        }

    def _copy_marks(self, group: JsonObject, marked_group: JsonObject, title: str) -> JsonObject:
        """Return a group of earlier answers with the marks that the group of today's answers has.

        So the right answer is marked in both or in none, and a wrong option also if nobody chooses it now.
        """
        marked = {bar["label"]: list(bar["marks"]) for bar in marked_group["bars"]}
        is_rest_wrong = getattr(self._key, "has_one_solution", False) and any("right" in marks for marks in marked.values())
        bars = [
            {**bar, "marks": marked.get(bar["label"]) or ["mistake"] * bool(is_rest_wrong and bar["count"]), "note": ""}
            for bar in group["bars"]
        ]
        return {**group, "title": title, "bars": bars}

    def _name_attempts(self, count: int, language: str) -> list[str]:
        """Return a title for each time that the question was asked; empty if it was asked once."""
        if count == 1:
            return [""]
        if count == 2:
            return [translate(language, f"live.exercise.{name}") for name in ("before", "after")]
        return [translate(language, "live.exercise.attempt", number=str(number)) for number in range(1, count + 1)]

    def _list_explanations(self, language: str) -> list[str]:
        """Return the sentences that explain the correct answer."""
        explanations = self._data.get("solution") or {}
        sentences: list[str] = explanations.get(language) or explanations.get("en") or []
        return list(map(keep_together, sentences))

    def _describe_own_result(self, result: JsonObject, own: JsonObject | None, role: int, language: str) -> JsonObject:  # noqa: ARG002 - all have the same role
        """Return whether a student was right, and why, in the student's language."""
        if own is None:
            return {
                "headline": translate(language, "live.question.no_answer"),
                "lines": self._describe_solution(language),
                "is_right": None,
            }
        is_right = bool(own["is_right"])
        name = "right" if is_right else "wrong" if own["points"] == "0" else "partly"
        reasons = result["reasons"][own["reasons"]]
        lines = [
            *(reasons.get(language) or reasons["en"]),
            *([] if is_right else self._describe_solution(language)[:1]),
            *self._list_explanations(language),
        ]
        return {
            "headline": translate(language, f"live.exercise.{name}"),
            "lines": list(dict.fromkeys(lines)),
            "is_right": is_right,
        }

    def _describe_solution(self, language: str) -> list[str]:
        solution = translate(language, "live.exercise.solution", solution=self._key.describe_solution(language))
        return [solution, *self._list_explanations(language)]

    def list_choices(self, seat: int, answer: Json) -> list[JsonObject]:  # noqa: ARG002 - every student gets the same question
        """Return an answer as rows of data, with one row for each chosen option."""
        return [{"role": "", "infoset": "", "choice": choice, "probability": "1"} for choice in self._key.list_choices(answer)]


QUESTION_CLASSES: Final[dict[str, type[Question]]] = {ExerciseQuestion.kind: ExerciseQuestion}


def make_exercise_spec(exercise: object, *, title: object = "", pictures: Mapping[str, GamePicture] | None = None) -> JsonObject:
    """Return an exercise as a question to the class, with its texts in every language.

    `pictures` are by language, and replace the picture of the exercise. The exercise keeps its state, but a `Position` starts again.

    >>> from durak_widget.lessons import Choose
    >>> spec = make_exercise_spec(Choose("Who wins?", {"The first": "", "Nobody": "Durak only has a loser."}, right="Nobody"))
    >>> spec["exercise"]["right"], spec["exercise"]["reasons"]["Nobody"]["en"]
    (['Nobody'], 'Durak only has a loser.')
    """
    if not isinstance(exercise, Task):
        raise SpecError(f"this is not an exercise: {short_repr(exercise)}. These can be asked: {_KINDS}")
    if exercise.is_grading_deferred:
        raise SpecError("an exercise of homework has no answer key here; ask the exercise that it was made from")
    builder = next((build for exercise_class, build in _BUILDERS if isinstance(exercise, exercise_class)), None)
    if builder is None:
        raise SpecError(f"a class cannot be asked {type(exercise).__name__}. These can be asked: {_KINDS}")
    try:
        data = {"question": _translate_each(exercise, lambda: exercise.question), **builder(exercise)}
    except SpecError:
        raise
    except DurakError as error:
        raise SpecError(f"this exercise cannot be asked: {error}") from error
    if pictures is not None:
        data["pictures"] = {language: picture._asdict() for language, picture in pictures.items()}
    spec = {"kind": "exercise", "title": require_text(title), "exercise": data}
    ExerciseQuestion.prepare(spec)
    return spec


@contextmanager
def _use_language(exercise: Task, language: str) -> Iterator[None]:
    """Give an exercise another language for a moment."""
    before = exercise.language
    exercise.language = language
    try:
        yield
    finally:
        exercise.language = before


def _translate_each(exercise: Task, say: Any) -> dict[str, Any]:  # noqa: ANN401 - a function without arguments
    """Return what a function returns while the exercise speaks each language."""
    translations = {}
    for language in LANGUAGES:
        with _use_language(exercise, language):
            translations[language] = say()
    return translations


def _group_by_item(texts_by_language: Mapping[str, Mapping[Any, str]]) -> dict[Any, dict[str, str]]:
    """Return texts by item and language, from texts by language and item."""
    names = dict.fromkeys(name for texts in texts_by_language.values() for name in texts)
    return {
        name: {language: texts[name] for language, texts in texts_by_language.items() if name in texts}
        for name in names
    }  # fmt: skip


def _draw(exercise: Exercise | Position) -> dict[str, JsonObject]:
    """Return the picture of the question in each language; empty if there is none."""
    pictures = _translate_each(exercise, exercise.draw_question_picture)
    return {language: {"svg": picture.svg, "text": str(picture)} for language, picture in pictures.items() if picture is not None}


def _list_items(exercise: Exercise) -> list[JsonObject]:
    """Return the cards or options of an exercise, each with its text in every language."""
    texts = _group_by_item(
        _translate_each(exercise, lambda: {item: text or _name_card(item, exercise) for item, text in _read_items(exercise)})
    )
    pictures = _group_by_item(
        _translate_each(exercise, lambda: {item: picture.svg for item, picture in exercise.draw_resulting_positions().items()})
    )
    return [{"id": item, "text": text, **({"picture": pictures[item]} if item in pictures else {})} for item, text in texts.items()]


def _read_items(exercise: Exercise) -> list[list[str]]:
    items: Any = exercise.view_model()["items"]
    return list(items)


def _name_card(item: str, exercise: Exercise) -> str:
    return Translator(exercise.language, cards="signs").name_card(Card(item))


def _build_options(exercise: Exercise, type_name: str) -> JsonObject:
    """Return what a question with cards or options needs."""
    return {
        "type": type_name,
        "pictures": _draw(exercise),
        "items": _list_items(exercise),
        "right": list(exercise.solution),
        "reasons": _group_by_item(_translate_each(exercise, exercise.explain_items)),
        "solution": _translate_each(exercise, lambda: list(exercise.explain_solution())),
    }


def _build_sort(exercise: Sort) -> JsonObject:
    pairs = _group_by_item(_translate_each(exercise, lambda: {" ".join(pair): text for pair, text in exercise.explain_pairs().items()}))
    return {**_build_options(exercise, "sort"), "reasons": pairs}


def _build_number(exercise: Number) -> JsonObject:
    sentences = _group_by_item(_translate_each(exercise, lambda: exercise.mistake_messages))
    return {
        "type": "number",
        "pictures": _draw(exercise),
        "right": str(exercise.right),
        "is_probability": 0 < exercise.right < 1 and _PROBABILITY_PATTERN.search(exercise.question) is not None,
        "tolerance": str(exercise.tolerance),
        "mistakes": {name: {"value": str(value), "sentence": sentences[str(value)]} for name, value in exercise.mistakes.items()},
        "solution": _translate_each(exercise, lambda: list(exercise.explain_solution())),
    }


def _build_position(exercise: Position) -> JsonObject:
    """Return a choice between all legal moves, each judged by the goal of the exercise."""
    if not exercise.is_single_move:
        raise SpecError("a class can be asked for one move only, but the solution of this position has several")
    exercise.restart()
    game = exercise.table.game
    if game.actor != exercise.seat:
        raise SpecError("in this position another player moves first; ask about a position in which the student is to move")
    moves = [str(move) for move in game.legal_moves()]
    if len(moves) > MAX_ITEMS:
        raise SpecError(f"this position has {len(moves)} legal moves; a phone shows at most {MAX_ITEMS}")
    names = {
        move: {language: translate_text(build_advice_fact(Move(move)), Translator(language, cards="signs")) for language in LANGUAGES}
        for move in moves
    }
    right: list[str] = []

    def judge_moves() -> dict[str, str]:
        reasons = {}
        for move in moves:
            exercise.restart()
            verdict = exercise.answer(move)
            if verdict.right and move not in right:
                right.append(move)
            reasons[move] = " ".join(verdict.sentences[1:]) if exercise.is_decided else ""
        exercise.restart()
        return {move: reason for move, reason in reasons.items() if reason}

    return {
        "type": "choice",
        "pictures": _draw(exercise),
        "items": [{"id": move, "text": names[move]} for move in moves],
        "reasons": _group_by_item(_translate_each(exercise, judge_moves)),
        "right": right,
        "solution": _translate_each(exercise, lambda: list(exercise.explain_solution())),
    }


def _build_matrix(exercise: OnMatrix) -> JsonObject:
    """Return a choice of the strategies, payoffs or cells of a matrix."""
    if exercise.question_kind not in {"strike", "best"} or (snapshot := exercise.to_snapshot()) is None:
        raise SpecError(f"a class cannot be asked this question about a matrix. These can be asked: {_KINDS}")
    rows, columns = range(len(exercise.matrix.rows)), range(len(exercise.matrix.columns))
    if exercise.question_kind == "strike":
        plain = [[player, strategy] for player, strategies in enumerate((rows, columns)) for strategy in strategies]
    elif snapshot.get("whole") is True:
        plain = [[row, column] for row in rows for column in columns]
    else:
        plain = [[player, row, column] for player in (0, 1) for row in rows for column in columns]
    if len(plain) > MAX_ITEMS:
        raise SpecError(f"this matrix has {len(plain)} parts to choose from; a phone shows at most {MAX_ITEMS}")
    names = _group_by_item(_translate_each(exercise, lambda: {_format_part(part): _describe_part(exercise, part) for part in plain}))
    solved = OnMatrix.from_snapshot(snapshot)
    solved.answer(exercise.solution)
    solution: Any = solved.last_answer  # In the solution, strategies may have names; in the last answer, they are numbers
    pictures = {language: draw_game_beside(exercise.matrix, language) for language in LANGUAGES}
    return {
        "type": "matrix",
        "pictures": {language: {"svg": picture.svg, "text": picture.description} for language, picture in pictures.items()},
        "items": [{"id": _format_part(part), "text": names[_format_part(part)], "plain": part} for part in plain],
        "right": [_format_part(part) for part in solution],
        "snapshot": snapshot,
        "solution": _translate_each(exercise, lambda: list(exercise.explain_solution())),
    }


def _format_part(part: Sequence[int]) -> str:
    """Return the name of a strategy, payoff or cell of a matrix, such as `0 1`."""
    return " ".join(map(str, part))


def _describe_part(exercise: OnMatrix, part: Sequence[int]) -> str:
    """Return the words for one strategy, payoff or cell of a matrix."""
    [described] = exercise.describe_answer_parts([tuple(part)])
    return ": ".join(text for text in (described.location, described.text) if text not in {"", "×"})


_BUILDERS: Final[Sequence[tuple[type[Task], Any]]] = (
    (Choose, lambda exercise: _build_options(exercise, "choice")),
    (Pick, lambda exercise: _build_options(exercise, "pick")),
    (Sort, _build_sort),
    (Number, _build_number),
    (Position, _build_position),
    (OnMatrix, _build_matrix),
)
"""For each class of exercises that can be asked, the function that takes its texts and its key."""
