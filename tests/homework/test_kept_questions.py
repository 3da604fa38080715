"""Test kept questions: neither their output nor their memory reveals the right answer."""

from __future__ import annotations

import json
import pickle
import re
import zlib
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from contextlib import suppress
from fractions import Fraction
from functools import cache

import pytest

from durak_widget.errors import DurakError
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.homework.keyless_exercise import prepare_for_homework, seal, sealed
from durak_widget.homework.student_homework import homework
from durak_widget.i18n import LANGUAGES
from durak_widget.lessons import Choose, Number, OnMatrix, OnTree, Pick, Sort, Strategy, WhatIf
from support.asked import DEFENDING, coins
from support.classroom_kinds import ASSIGNMENT, KINDS, wrong
from support.spoken import english, english_text

ON_PAPER = ("picked", "row", "chosen", "few", "many")
ON_BOARDS = ("values", "path", "sets", "fill", "strike", "best", "strategy")
CHUNK = re.compile(rb"[A-Za-z0-9+/_=-]{24,}")


def outputs(task) -> bytes:
    """Return all bytes that a task sends out: page, static form and board messages."""
    page = ExerciseWidget(task)
    found = [
        json.dumps(page.get_state(["exercise_view", "words", "language"]), ensure_ascii=False),
        json.dumps(task.static_mimebundle(), ensure_ascii=False),
    ]
    found += [repr(task), task.question]
    if hasattr(task, "question_kind"):
        found.append(json.dumps(task.to_message(), ensure_ascii=False))
        found.append(repr({name: value for name, value in task.view.get_state().items() if not name.startswith("_") and name != "layout"}))
    return "\n".join(found).encode()


def decoded(data: bytes) -> bytes:
    """Return the same with everything packed in it."""
    found, waiting = [data], [data]
    while waiting:
        for chunk in CHUNK.findall(waiting.pop()):
            for unpack in (b64decode, urlsafe_b64decode):
                with suppress(Error, ValueError, FutureWarning):  # the last is the other Base64 alphabet
                    inner = unpack(chunk + b"=" * (-len(chunk) % 4))
                    with suppress(zlib.error):
                        inner = zlib.decompress(inner)
                    if len(inner) < len(chunk) * 50 and inner not in found:
                        found.append(inner)
                        waiting += [inner] if inner.isascii() or inner.startswith((b"{", b"<")) else []
    return b"\n".join(found)


def without_random_bytes(token: str) -> str:
    """Return a token without the random bytes of its seals."""
    found = json.loads(zlib.decompress(urlsafe_b64decode(token.partition(":")[2])))
    if found["seals"]:
        found["seals"] = {
            "salt": len(found["seals"]["salt"]),
            "entries": [[len(character) for character in note] for note in found["seals"]["entries"]],
        }
    return json.dumps(found, sort_keys=True)


PAIRS = {
    "pick": lambda key: Pick("Which?", "7c 8c 9c", ("7c", "8c 9c")[key], reasons={"7c": ("It is.", "It is not.")[key]}),
    "choose": lambda key: Choose("Who?", {"a": ("Yes.", "No.")[key], "b": ""}, right="ab"[key]),
    "few": lambda key: Number("How many?", (12, 13)[key], mistakes={"contrary": 5}),
    "many": lambda key: Number(
        "How likely?", ("3583/4807", "1224/4807")[key], mistakes={"contrary": ("1224/4807", "3583/4807")[key]}, hint="Count."
    ),
    "no mistakes": lambda key: Number("How likely?", ("3583/4807", "1224/4807")[key], mistakes={"contrary": "1/9"} if key else {}),
    "what if": lambda key: WhatIf(DEFENDING, {"beat 7c 9c": "It is cheap.", "take": "No."}, better=("take", "beat 7c 9c")[key]),
    "sort": lambda key: Sort("6s Ac 7c Ks 8c 9c Tc Jc Qc 7s", trump="s", why=("A.", "B.")[key]),
}
"""Pairs of exercises that look alike and differ only in keys and reasons."""


def test_questions_that_differ_only_in_their_keys_look_the_same():
    """Page, static form and token are equal except for random bytes, before and after the same answer."""
    for name, known in PAIRS.items():
        first, other = (known(key) for key in (0, 1))
        assert without_random_bytes(seal(first)) == without_random_bytes(seal(other))
        kept_tasks = [prepare_for_homework(task) for task in (first, other)]
        assert outputs(kept_tasks[0]) == outputs(kept_tasks[1])
        if name in ("pick", "choose", "few", "what if"):
            for task in kept_tasks:
                task.answer({"pick": "8c", "choose": "a", "few": "12", "what if": "take"}[name])
            assert outputs(kept_tasks[0]) == outputs(kept_tasks[1])
            assert kept_tasks[0]._build_verdict() == kept_tasks[1]._build_verdict()


def test_board_messages_depend_only_on_actions():
    """Two trees with different keys send the same after right and wrong answers."""
    for make in (
        lambda won: OnTree.values(coins(won, seen=True)),
        lambda won: OnTree.path(coins(won, seen=True), whole=True),
        lambda won: OnMatrix.fill(coins(won)),
        lambda won: OnMatrix.best(coins(won)),
        lambda won: Strategy(coins(won)),
        lambda won: Strategy(coins(won), live=True),
    ):
        messages = []
        for won in (1, -3):
            for key in (1, -3):
                task = make(won)
                answer = make(key).solution
                task.defer_grading()
                assert task.view is not None
                task.answer(answer)
                messages.append(
                    (key, task.view_model(), task.to_message(), task.static_mimebundle(), task.marks, str(task._build_verdict()))
                )
        for key in (1, -3):
            first, other = [found for which, *found in messages if which == key]
            assert first == other


def test_tree_messages_of_a_kept_strategy_depend_only_on_the_strategy():
    """Exploitability, values and best responses are not sent, before or after keeping it."""
    for live in (False, True):
        messages = []
        for won in (1, -3, 5):
            task = Strategy(coins(won), live=live)
            task.defer_grading()
            seen = [task.view.get_state()["solution_view"]]
            for answer in ({0: {"heads": "1/4", "tails": "3/4"}}, {0: {"heads": "1/2", "tails": "1/2"}}):
                task.answer(answer)
                seen.append(task.view.get_state()["solution_view"])
            task.view.values = True
            task.view.handle_message({"kind": "set_probability", "infoset": 0, "action": 0, "probability": "1/3"})
            messages.append([*seen, task.view.get_state()["solution_view"], task.to_message(), task.view.get_state()["question_view"]])
        assert messages[0] == messages[1] == messages[2]
        assert messages[0][1]["own_guarantee"] is None
        assert messages[0][1]["probabilities"] == {"0": ["1/4", "3/4"]}


def test_no_output_contains_the_answer():
    """Test page, static form, token and receipt of several students, unpacked."""
    for name in ON_PAPER:
        for number in range(6 if name in ("many", "row") else 20):
            task = ASSIGNMENT.create_exercise(name, f"student {number}")
            solution, token = task.solution, seal(task)
            kept_task = prepare_for_homework(task)
            data = decoded(outputs(kept_task) + token.encode())
            assert b"data-answer" not in data
            if name == "many":
                right = Fraction(solution[0])
                for text in (
                    solution[0],
                    str(right.numerator),
                    f"{float(right):.4f}"[1:],
                    *(str(value) for value in task.mistakes.values()),
                ):
                    assert text.encode() not in data
            if name == "row":
                for joint in (" ", '", "', "', '"):
                    assert joint.join(solution).encode() not in data


def test_the_key_is_not_in_memory():
    """No object of a sealed exercise contains reasons or the right answer."""
    for name in ON_PAPER:
        task = ASSIGNMENT.create_exercise(name, "Ann")
        kept_task = prepare_for_homework(task)
        data = pickle.dumps({field: value for field, value in vars(kept_task).items() if field != "_callbacks"})
        if name == "many":
            assert str(task.right.numerator).encode() not in data
            assert pickle.dumps(task.right.numerator)[3:-1] not in data
        if name == "chosen":
            assert b"No. 1." not in data
        with pytest.raises(DurakError, match=english("class.no_solution")):
            _ = kept_task.solution
        with pytest.raises(DurakError, match=english("class.no_solution")):
            kept_task.reveal()


SEEN = (english("class.kept.blank"), english("class.kept.empty.one"), english("class.kept.empty.other"), english("class.kept.way"))
"""Facts about an answer that anybody can see."""


def test_a_kept_task_says_the_same_for_right_and_wrong_answers():
    """It says "kept". If there are many possible answers, the seal tells."""
    for name in KINDS:
        work = homework(ASSIGNMENT, student="Ann", folder=None)
        verdicts = []
        for right in (True, False):
            task = ASSIGNMENT.create_exercise(name, "Ann")
            given = task.solution if right else wrong(task, name)
            verdict = work.answer(name, given)
            if name == "played":
                work[name].restart()
            assert list(verdict.sentences) == work[name].view_model()["feedback"] or name == "played"
            none, kept = english_text("class.kept.none"), english_text("class.kept")
            sentences = [kept if line == none else line for line in verdict.sentences if not any(fact.match(line) for fact in SEEN)]
            verdicts.append((verdict.right, sentences, work[name].view_model()["state"], work[name].view_model()["marks"]))
        if name in ("row", "many"):
            assert [kept_verdict[2] for kept_verdict in verdicts] == ["right", "wrong"]
        else:
            assert verdicts[0] == verdicts[1]
            assert verdicts[0][1][0] == english_text("class.kept")
            assert verdicts[0][2] == "saved"
        assert verdicts[0][3] == verdicts[1][3] == {}


def test_an_exercise_set_to_keep_reveals_nothing_despite_its_key():
    """Other forms of homework may use it so."""
    for name in ON_PAPER:
        output_list = []
        for right in (True, False):
            task = ASSIGNMENT.create_exercise(name, "Ann")
            given = task.solution if right else wrong(task, name)
            task.defer_grading()
            assert not task.answer(given)
            assert not task.check()
            output_list.append((task._build_verdict(), {**task.view_model(), "answer": 0, "items": 0}, task.static_mimebundle()))
        assert output_list[0] == output_list[1]


@pytest.mark.parametrize("name", [*ON_BOARDS, "played"])
def test_a_kept_task_shows_no_solution(name):
    """Code and page are refused, and so are the board's solvers."""
    work = homework(ASSIGNMENT, student="Ann", folder=None)
    task = work[name]
    for ask in (lambda: task.solution, task.reveal, lambda: ExerciseWidget(task).handle_message({"kind": "reveal"})):
        with pytest.raises(DurakError, match=english("class.no_solution")):
            ask()
    if name == "played":
        assert task.hint().key == "class.no_hint"
        return
    for message in ({"kind": "solve"}, {"kind": "mark_best_responses", "player": 0}, {"kind": "learn"}):
        if hasattr(task, "tree"):
            with pytest.raises(DurakError):
                task.view.handle_message(message)
    assert not task.is_over
    work.answer(name, ASSIGNMENT.create_exercise(name, "Ann").solution)
    assert not task.is_over


def test_a_position_is_kept_at_its_end_and_can_be_played_again():
    """The table says so. Another finished game replaces it."""
    work = homework(ASSIGNMENT, student="Ann", folder=None)
    task = work["played"]
    assert "verdict" not in task.table.scene
    for moves in (["take"], ["beat 7c 9c"]):
        work.answer("played", moves)
        assert task.table.scene["verdict"] == {"right": None, "text": [english_text("class.kept")] * 2}
        assert work.receipt["answers"]["played"]["answer"] == moves
        task.restart()
        assert "verdict" not in task.table.scene
        assert task.view_model()["state"] == "saved"
    fresh = ASSIGNMENT.create_exercise("played", "Ann")
    assert fresh.answer(work.receipt["answers"]["played"]["answer"])


def test_a_token_shows_what_its_exercise_shows():
    """Question, items, trump and picture are the same in every language, and it accepts the same answers."""
    for code in sorted(LANGUAGES):
        for name in ON_PAPER:
            task = ASSIGNMENT.create_exercise(name, "Ann")
            task.language = code
            quiz = sealed(seal(task), language=code)
            first, other = task.view_model(), quiz.view_model()
            assert {field: other[field] for field in ("kind", "question", "items", "trump", "picture", "number")} == {
                field: first[field] for field in ("kind", "question", "items", "trump", "picture", "number")
            }
            assert other.get("target") == first.get("target")
            unmarked = re.sub(r' data-answer="\w+"', "", task.static_mimebundle()["text/html"])
            assert quiz.static_mimebundle() == {**task.static_mimebundle(), "text/html": unmarked}
            quiz.answer(task.solution)
            assert task.answer(json.loads(json.dumps(quiz.last_answer)))


def test_a_token_shows_positions_and_paths():
    """It shows what the player sees, and no other card."""
    task = WhatIf(DEFENDING, {"beat 7c 9c": "It is cheap.", "take": "No."}, better="take")
    quiz = sealed(seal(task))
    assert quiz.view_model()["pictures"] == task.view_model()["pictures"]
    assert quiz.view_model()["picture"] == task.view_model()["picture"]
    quiz = sealed(seal(Pick.moves(DEFENDING, "beat")))
    assert quiz.view_model()["picture"] == Pick.moves(DEFENDING, "beat").view_model()["picture"]
    assert "jack of diamonds" not in decoded(seal(task).encode()).decode(errors="replace")
    assert quiz.static_mimebundle()["text/plain"].startswith(quiz.question)


@cache
def valid_token() -> str:
    """Return a token; it is made once, because sealing is slow."""
    return seal(ASSIGNMENT.create_exercise("many", "Ann"))


def changed_token(**fields):
    """Return a token with something else in it."""
    found = json.loads(zlib.decompress(urlsafe_b64decode(valid_token().partition(":")[2])))
    for path, value in fields.items():
        *way, last = path.split("__")
        inner = found
        for part in way:
            inner = inner[part]
        inner[last] = value
    return "durak-sealed-2:" + urlsafe_b64encode(zlib.compress(json.dumps(found).encode())).decode()


def test_a_hostile_token_is_refused():
    """Test cut, malformed and too large ones, and contents of no exercise."""
    for token in (
        None,
        7,
        "",
        "durak-sealed-2:",
        "durak-sealed-2:AAAA",
        "durak-sealed-2:ééé",
        "x" * 3_000_000,
        "durak-sealed-2:" + "A" * 1000,
        changed_token(paper=None),
        changed_token(few=1),
        changed_token(seals={}),
        changed_token(seals__salt="zz"),
        changed_token(seals__notes=[]),
        changed_token(seals__notes=[["00", "00"]] * 4),
        changed_token(exercise__kind="drill"),
        changed_token(exercise__kind="pick"),
        changed_token(exercise__question={}),
        changed_token(exercise__question={"en": 7}),
        changed_token(exercise__question={"xx": "?"}),
        changed_token(exercise__question={"en": "?" * 5000}),
        changed_token(exercise__items={"<b>": {}}),
        changed_token(exercise__items={"9c": {"en": "x"}}),
        changed_token(exercise__trump="x"),
        changed_token(exercise__target="zz"),
        changed_token(exercise__pictures={"en": ["<script>", ""]}),
        changed_token(exercise__pictures={"en": ["<svg ", 7]}),
        changed_token(exercise__number="1\n"),
        changed_token(exercise__question={"en": "\ud800"}),
        changed_token(exercise__ways={"9c": {}}),
        changed_token(exercise__pictures=[]),
    ):
        with pytest.raises(DurakError, match=r"^(this is not an exercise|these are not seals)"):
            sealed(token)


def test_a_token_that_unpacks_to_very_much_is_refused():
    """It is refused before unpacking."""
    with pytest.raises(DurakError, match=r"copy.*text"):
        sealed("durak-sealed-2:" + urlsafe_b64encode(zlib.compress(b" " * 100_000_000)).decode())


def test_token_contents_are_never_executed():
    """Pictures are shown as images, and words are escaped."""
    quiz = sealed(
        changed_token(exercise__pictures={"en": ['<svg onload="alert(1)"><script>alert(1)</script></svg>', '"><script>alert(1)</script>']})
    )
    html = quiz.view_model()["picture"] + quiz.static_mimebundle()["text/html"]
    assert "<script" not in html
    assert "onload" not in html


def test_a_token_may_be_broken_into_lines():
    """Mail programs do that."""
    token = seal(ASSIGNMENT.create_exercise("chosen", "Ann"))
    assert sealed("\n".join(token[at : at + 70] for at in range(0, len(token), 70))).question == "Which one?"
