"""Turns the answers of a live class session into rows, scores, charts and strategies."""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.live.class_session import ClassSession
from durak_widget.live.event_log import EventLog
from durak_widget.live.session_records import to_float, try_part
from durak_widget.live.texts import translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from durak_widget.class_games.frequency_chart import FrequencyChart
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.live.class_session import AskedQuestion, Seat
    from durak_widget.live.question import Json, JsonObject

    Row = dict[str, Any]
    Source = ClassSession | EventLog | str | Iterable[JsonObject]
    """A session, its log, the text of its log, or a list of its events."""

COLUMNS: Final[dict[str, str]] = {
    "session": "the code of the session",
    "question": "the number of the question in the session, from 1",
    "title": "the title of the question, in the session's language",
    "kind": "`game`, `exercise`, `guess`, `public_goods`, `first_price` or `second_price`",
    "attempt": "how often the question had been asked, with this time",
    "round": "the round of a game with several rounds, from 1",
    "seat": "the number of the student's seat, from 0; it is the same in all questions",
    "name": "the student's name; only with `names=True`",
    "role": "the name of the player that the student was; empty if there is only one role",
    "infoset": "the label of the information set at which the student chose; in an auction, the student's value",
    "choice": "what the student chose, as a student reads it in the session's language, or the number that the student wrote",
    "probability": "the probability of this choice: 1, or less in a mix, such as 0.25; choices of probability 0 have no row",
    "points": "the points of the whole answer as a number; only in the first row of an answer, and empty without a result",
    "points_exact": "the same as an exact text, such as `3/2`",
    "counts": "whether the points of this answer are in the student's total; of several attempts, only one counts",
    "seconds": "how many seconds after the question had opened the answer came; if it was changed, the last time",
    "simulated": "whether the student is simulated; such rows are there only with `simulated=True`",
}
"""What each column of the rows contains, by the column's name.

An answer has several rows if a student chose at several information sets, or chose a mix. Its points are in the first of them, so the
sum of the column counts each answer once. The sum of the rows that count is the student's total on the teacher's panel.
"""
_BOM: Final = "\ufeff"
_TEXT_STYLE: Final = "\ufe0e"
"""The invisible character after a suit on a page; in data it would only be in the way."""
_NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,/]\d+)?%?", re.ASCII)
"""The regular expression for a text that is a number, and so not a formula of a spreadsheet."""


def build_rows(source: Source, *, names: bool = False, simulated: bool = False) -> list[Row]:
    """Return the choices in a session as rows of a table with the columns `COLUMNS`.

    Each choice is a row. Students who were removed have no rows. `pandas.DataFrame(rows)` accepts them as they are.

    >>> build_rows('{"event":"session","time":0,"version":1,"code":"BCDFGH","language":"en"}')
    []
    """
    session = _load_session(source)
    return [
        row
        for asked in session.questions
        for seat in _list_students(session, asked, simulated=simulated)
        for row in _build_answer_rows(session, asked, seat, names=names)
    ]


def build_scores(source: Source, *, names: bool = False, simulated: bool = False) -> list[Row]:
    """Return a row for each student with the total of their points, the best first.

    The totals are those of the teacher's panel. `answered` is the number of questions with an answer, where a question that was asked again
    is one question. Students without any answer are listed, too.

    >>> build_scores('{"event":"session","time":0,"version":1,"code":"BCDFGH","language":"en"}', names=True)
    []
    """
    session = _load_session(source)
    seats = [seat for seat in session.seats if not seat.is_removed and (simulated or not seat.is_simulated)]
    answered = Counter(seat for seats in _group_answers(session).values() for seat in seats)
    return [
        {
            "seat": seat.number,
            **({"name": seat.name} if names else {}),
            "points": to_float(seat.points or Fraction(0)),
            "answered": answered[seat.number],
        }
        for seat in sorted(seats, key=lambda seat: (-(seat.points or Fraction(0)), seat.number))
    ]


def _group_answers(session: ClassSession) -> dict[int, set[int]]:
    """Return the seats that answered each question in any attempt, by the first attempt."""
    groups: dict[int, set[int]] = {}
    for asked in session.questions:
        groups.setdefault(asked.first_id, set()).update(asked.answers)
    return groups


class _PlainCell:
    """A cell of a CSV file that is written as it is, because it is a number and no formula."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text


def format_rows(rows: Iterable[Row], *, names: bool = False) -> str:
    r"""Return rows as the text of a CSV file that spreadsheets read as UTF-8.

    Numbers are plain decimals. A text that a spreadsheet would take for a formula begins with an apostrophe.

    >>> format_rows([{"session": "BCDFGH", "seat": 0, "points": -0.5, "points_exact": "-1/2"}]).splitlines()[1]
    'BCDFGH,,,,,,0,,,,,-0.5,-1/2,,,'
    """
    from durak_widget.homework.csv_tables import format_csv  # noqa: PLC0415 - as in build_chart

    header = [column for column in COLUMNS if names or column != "name"]
    return _BOM + format_csv(header, [[_format_cell(row.get(column)) for column in header] for row in rows])


def _format_cell(value: object) -> object:
    """Return what a CSV file has for a value of a row."""
    if value is None:
        return ""
    if isinstance(value, float):
        return _PlainCell(f"{value:.10f}".rstrip("0").rstrip(".")) if math.isfinite(value) else value
    return _PlainCell(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


def build_chart(source: Source, question: int | None = None, *, simulated: bool = False) -> FrequencyChart:
    """Return a chart of how often each choice was made, as for the class's own games.

    Without a number, it is the last question. If students chose mixes, the chart counts percentage points: two students with 50%
    each are 100 of 200.
    """
    from durak_widget.class_games.frequency_chart import FrequencyChart, Share  # noqa: PLC0415 - a session that runs needs no charts

    session = _load_session(source)
    asked = _find_question(session, question)
    rows = [row for row in build_rows(session, simulated=simulated) if row["question"] == asked.id]
    counts, totals = Counter[tuple[str, str, str]](), Counter[tuple[str, str]]()
    unit = 1 if all(row["probability"] == 1 for row in rows) else 100
    for row in rows:
        place = row["role"], row["infoset"]
        amount = round(row["probability"] * unit)
        counts[place[0], place[1], row["choice"]] += amount
        totals[place] += amount
    keys = [key for place in totals for key in counts if key[:2] == place]
    return FrequencyChart([Share(": ".join(filter(None, key)), counts[key], totals[key[:2]]) for key in keys], session.language)


def build_strategy(source: Source, question: int | None = None, *, simulated: bool = True) -> Strategy:
    """Return how the class plays a game, as a strategy of its tree.

    Without a number, it is the last game. At a later decision, only the students count whose own earlier choices lead there. So this
    strategy earns exactly what the class earns. Without any answer, all actions are equally likely.
    """
    from durak_widget.live.game_question import GameQuestion, load_game  # noqa: PLC0415 - as in build_chart
    from durak_widget.live.strategy_pool import StrategyPool  # noqa: PLC0415 - as in build_chart

    session = _load_session(source)
    asked = _find_question(session, question, kind="game")
    tree, game = load_game(asked.spec).tree, GameQuestion(asked.spec, asked.question.prepared)
    strategies: list[list[dict[int, tuple[Fraction, ...]]]] = [[] for _ in range(tree.player_count)]
    for seat in _list_students(session, asked, simulated=simulated):
        player = game.prepared["roles"][game.role_of(seat.number)]
        strategies[player].append(game.parse_strategy(seat.number, asked.answers[seat.number]))
    return StrategyPool(tree, strategies).to_strategy()


def _load_session(source: Source) -> ClassSession:
    """Return the session itself, or the session that a log describes."""
    if isinstance(source, ClassSession):
        return source
    if isinstance(source, EventLog):
        source = source.to_text()
    return ClassSession(EventLog.from_text(source) if isinstance(source, str) else EventLog.from_events(source), now=0.0)


def _find_question(session: ClassSession, number: int | None, *, kind: str = "") -> AskedQuestion:
    """Return a question by its number, or the last one; `kind` leaves out all other kinds."""
    if number is None:
        asked = next((asked for asked in reversed(session.questions) if kind in ("", asked.spec["kind"])), None)
        if asked is None:
            raise DurakError(f"no {kind or 'question'} has been asked yet")
        return asked
    index = as_whole_number(number)
    if index is None or not 1 <= index <= len(session.questions):
        raise DurakError(f"there is no question {short_repr(number)}; the questions are numbered from 1 to {len(session.questions)}")
    asked = session.questions[index - 1]
    if kind not in ("", asked.spec["kind"]):
        raise DurakError(f"question {index} is not a {kind}; its kind is {asked.spec['kind']}")
    return asked


def _list_students(session: ClassSession, asked: AskedQuestion, *, simulated: bool) -> list[Seat]:
    """Return the seats of the students whose answers count, in order."""
    seats = [session.seats[number] for number in sorted(asked.answers)]
    return [seat for seat in seats if not seat.is_removed and (simulated or not seat.is_simulated)]


def _build_answer_rows(session: ClassSession, asked: AskedQuestion, seat: Seat, *, names: bool) -> Iterator[Row]:
    """Yield a row for each choice in an answer; the points are only in the first."""
    points = asked.get_points(seat.number)
    answer = {
        "session": session.code,
        "question": asked.id,
        "title": asked.question.title(session.language),
        "kind": asked.spec["kind"],
        "attempt": asked.attempt,
        "round": asked.round,
        "seat": seat.number,
        **({"name": seat.name} if names else {}),
        "counts": seat.number in asked.counted_points,
        "seconds": round(max(0.0, asked.answered_at[seat.number] - asked.opened_at), 2),
        "simulated": seat.is_simulated,
    }
    for number, choice in enumerate(_list_choices(asked, seat.number, session.language)):
        has_points = number == 0 and points is not None
        row = {
            **answer,
            **choice,
            "probability": float(Fraction(choice["probability"])),
            "points": to_float(points) if has_points and points is not None else None,
            "points_exact": str(points) if has_points else None,
        }
        yield {name: row[name] for name in COLUMNS if name in row}


# --- What students read ---


def _list_choices(asked: AskedQuestion, seat: int, language: str) -> list[JsonObject]:
    """Return the choices in an answer, as the student reads them in a language.

    Questions list choices by names that are the same in all languages. The texts are in the form, in the same order. An answer that chooses
    none of the options is a choice, too, so that its points have a row.
    """
    question, answer = asked.question, asked.answers[seat]
    choices = question.list_choices(seat, answer)
    if not choices:
        return [{"role": "", "infoset": "", "choice": translate(language, "live.exercise.none"), "probability": "1"}]
    form = try_part(lambda: question.build_form(seat, language), None) or {}
    labels, texts = _read_labels(form, answer), _read_texts(form, answer)
    if "text" in answer and choices[0]["choice"] != answer["text"]:  # The student typed the letters of cards, which only bars write out
        groups = try_part(lambda: question.build_tally({seat: answer}, language), None)
        texts = [bar["label"] for group in groups or [] for bar in group["bars"] if bar["count"]]
    role = question.name_role(question.role_of(seat), language)
    return [
        {
            **choice,
            "role": role or choice["role"],
            "infoset": choice["infoset"] and (labels[index] if len(labels) == len(choices) else choice["infoset"]),
            "choice": (texts[index].replace(_TEXT_STYLE, "") if len(texts) == len(choices) else "") or choice["choice"],
        }
        for index, choice in enumerate(choices)
    ]


def _read_texts(form: JsonObject, answer: Json) -> list[str]:
    """Return the texts of the options in an answer; none for numbers and typed texts."""
    if "infosets" in form:
        return [infoset["actions"][action]["text"] for infoset, action in _list_actions(form, answer)]
    options = form.get("options", [])
    chosen = answer.get("choices", [answer.get("choice")]) if options else []
    return [options[index]["text"] for index in chosen if isinstance(options[index], dict)]


def _read_labels(form: JsonObject, answer: Json) -> list[str]:
    """Return the labels of the information sets for all choices in an answer to a game."""
    return [infoset["label"] for infoset, _ in _list_actions(form, answer)] if "infosets" in form else []


def _list_actions(form: JsonObject, answer: Json) -> Iterator[tuple[JsonObject, int]]:
    """Yield each information set of a game's form with each action that an answer plays there."""
    for infoset, choice in zip(form["infosets"], answer["infosets"], strict=True):
        if isinstance(choice, int):
            yield infoset, choice
        else:
            yield from ((infoset, action) for action, percent in enumerate(choice) if percent)
