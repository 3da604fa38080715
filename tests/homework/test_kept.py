"""The kept form: whatever leaves Python tells nothing of what is right, and neither does what stays of it in memory."""

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

ON_PAPER = ("picked", "row", "chosen", "few", "many")
ON_BOARDS = ("values", "path", "sets", "fill", "strike", "best", "strategy")
CHUNK = re.compile(rb"[A-Za-z0-9+/_=-]{24,}")


def leaves(task) -> bytes:
    """All bytes of a task that leave Python: its page, its static form, and what its board is told."""
    page = ExerciseWidget(task)
    found = [
        json.dumps(page.get_state(["sheet", "words", "language"]), ensure_ascii=False),
        json.dumps(task.static_mimebundle(), ensure_ascii=False),
    ]
    found += [repr(task), task.question]
    if hasattr(task, "question_kind"):
        found.append(json.dumps(task.to_message(), ensure_ascii=False))
        found.append(repr({name: value for name, value in task.view.get_state().items() if not name.startswith("_") and name != "layout"}))
    return "\n".join(found).encode()


def decoded(data: bytes) -> bytes:
    """The same with whatever is packed in it, down to the last."""
    found, waiting = [data], [data]
    while waiting:
        for chunk in CHUNK.findall(waiting.pop()):
            for unpack in (b64decode, urlsafe_b64decode):
                with suppress(Error, ValueError, FutureWarning):  # the last where it is written in the other alphabet
                    inner = unpack(chunk + b"=" * (-len(chunk) % 4))
                    with suppress(zlib.error):
                        inner = zlib.decompress(inner)
                    if len(inner) < len(chunk) * 50 and inner not in found:
                        found.append(inner)
                        waiting += [inner] if inner.isascii() or inner.startswith((b"{", b"<")) else []
    return b"\n".join(found)


def masked(token: str) -> str:
    """A token without the random bytes of its seals."""
    found = json.loads(zlib.decompress(urlsafe_b64decode(token.partition(":")[2])))
    if found["seals"]:
        found["seals"] = {
            "salt": len(found["seals"]["salt"]),
            "entries": [[len(one) for one in note] for note in found["seals"]["entries"]],
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
"""Two exercises that look alike, and differ in their keys and reasons alone."""


def test_two_that_differ_in_their_keys_alone_look_the_same():
    """Page, static form and token, but for the random bytes of their seals; before an answer, and after the same one."""
    for name, known in PAIRS.items():
        one, other = (known(key) for key in (0, 1))
        assert masked(seal(one)) == masked(seal(other))
        kept = [prepare_for_homework(task) for task in (one, other)]
        assert leaves(kept[0]) == leaves(kept[1])
        if name in ("pick", "choose", "few", "what if"):
            for task in kept:
                task.answer({"pick": "8c", "choose": "a", "few": "12", "what if": "take"}[name])
            assert leaves(kept[0]) == leaves(kept[1])
            assert kept[0]._build_verdict() == kept[1]._build_verdict()


def test_what_a_board_is_told_of_the_task_hangs_on_what_was_done_alone():
    """On two trees with other keys: the sheet and the task are the same after a right and a wrong answer."""
    for make in (
        lambda won: OnTree.values(coins(won, seen=True)),
        lambda won: OnTree.path(coins(won, seen=True), whole=True),
        lambda won: OnMatrix.fill(coins(won)),
        lambda won: OnMatrix.best(coins(won)),
        lambda won: Strategy(coins(won)),
        lambda won: Strategy(coins(won), live=True),
    ):
        told = []
        for won in (1, -3):
            for key in (1, -3):
                task = make(won)
                answer = make(key).solution
                task.defer_grading()
                assert task.view is not None
                task.answer(answer)
                told.append((key, task.view_model(), task.to_message(), task.static_mimebundle(), task.marks, str(task._build_verdict())))
        for key in (1, -3):
            one, other = [found for which, *found in told if which == key]
            assert one == other


def test_what_a_tree_is_told_of_a_kept_strategy_hangs_on_the_strategy_alone():
    """Not what it gives away, what the game is worth, or what answers it best: before it is kept and after, with values shown or not."""
    for live in (False, True):
        told = []
        for won in (1, -3, 5):
            task = Strategy(coins(won), live=live)
            task.defer_grading()
            seen = [task.view.get_state()["solution"]]
            for answer in ({0: {"heads": "1/4", "tails": "3/4"}}, {0: {"heads": "1/2", "tails": "1/2"}}):
                task.answer(answer)
                seen.append(task.view.get_state()["solution"])
            task.view.values = True
            task.view.handle_message({"kind": "likely", "set": 0, "move": 0, "to": "1/3"})
            told.append([*seen, task.view.get_state()["solution"], task.to_message(), task.view.get_state()["task"]])
        assert told[0] == told[1] == told[2]
        assert told[0][1]["own"] is None
        assert told[0][1]["likely"] == {"0": ["1/4", "3/4"]}


def test_nothing_of_the_answer_leaves_python():
    """For some students: page, static form, token and receipt, with all that is packed in them."""
    for name in ON_PAPER:
        for number in range(6 if name in ("many", "row") else 20):
            task = ASSIGNMENT.create_exercise(name, f"student {number}")
            solution, token = task.solution, seal(task)
            kept = prepare_for_homework(task)
            data = decoded(leaves(kept) + token.encode())
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
    """All that hangs on a sealed exercise, as bytes: its reasons and its right answer are not among them."""
    for name in ON_PAPER:
        task = ASSIGNMENT.create_exercise(name, "Ann")
        kept = prepare_for_homework(task)
        data = pickle.dumps({field: value for field, value in vars(kept).items() if field != "_callbacks"})
        if name == "many":
            assert str(task.right.numerator).encode() not in data
            assert pickle.dumps(task.right.numerator)[3:-1] not in data
        if name == "chosen":
            assert b"No. 1." not in data
        with pytest.raises(DurakError, match="shows no solution"):
            _ = kept.solution
        with pytest.raises(DurakError, match="shows no solution"):
            kept.reveal()


SEEN = ("Nothing is done on the board", "Fields that are still empty", "The moves do not lead to an end")
"""What anybody sees of an answer, and so may be said of it."""


def test_a_kept_task_says_the_same_of_right_and_wrong():
    """That it is kept; where there are many answers, what the seal tells."""
    for name in KINDS:
        work = homework(ASSIGNMENT, student="Ann", folder=None)
        said = []
        for right in (True, False):
            task = ASSIGNMENT.create_exercise(name, "Ann")
            given = task.solution if right else wrong(task, name)
            verdict = work.answer(name, given)
            if name == "played":
                work[name].restart()
            assert list(verdict.sentences) == work[name].view_model()["said"] or name == "played"
            told = [line.replace(": no card", "") for line in verdict.sentences if not line.startswith(SEEN)]
            said.append((verdict.right, told, work[name].view_model()["state"], work[name].view_model()["marks"]))
        if name in ("row", "many"):
            assert [one[2] for one in said] == ["right", "wrong"]
        else:
            assert said[0] == said[1]
            assert said[0][1][0] == "Your answer is kept."
            assert said[0][2] == "kept"
        assert said[0][3] == said[1][3] == {}


def test_an_exercise_that_is_told_to_keep_tells_nothing_though_it_has_its_key():
    """As whoever makes another form of homework may use it."""
    for name in ON_PAPER:
        shown = []
        for right in (True, False):
            task = ASSIGNMENT.create_exercise(name, "Ann")
            given = task.solution if right else wrong(task, name)
            task.defer_grading()
            assert not task.answer(given)
            assert not task.check()
            shown.append((task._build_verdict(), {**task.view_model(), "given": 0, "items": 0}, task.static_mimebundle()))
        assert shown[0] == shown[1]


@pytest.mark.parametrize("name", [*ON_BOARDS, "played"])
def test_a_kept_task_shows_no_solution(name):
    """Neither asked for by code nor by the page; what the board could work out for a person is refused there, too."""
    work = homework(ASSIGNMENT, student="Ann", folder=None)
    task = work[name]
    for ask in (lambda: task.solution, task.reveal, lambda: ExerciseWidget(task).handle_message({"kind": "reveal"})):
        with pytest.raises(DurakError, match="shows no solution"):
            ask()
    if name == "played":
        assert task.hint().key == "class.no_hint"
        return
    for message in ({"kind": "solve"}, {"kind": "best", "seat": 0}, {"kind": "learn"}):
        if hasattr(task, "tree"):
            with pytest.raises(DurakError):
                task.view.handle_message(message)
    assert not task.is_over
    work.answer(name, ASSIGNMENT.create_exercise(name, "Ann").solution)
    assert not task.is_over


def test_a_position_is_kept_when_it_is_over_and_can_be_played_again():
    """At the table it says that it is kept; another game is kept in its place when that is over."""
    work = homework(ASSIGNMENT, student="Ann", folder=None)
    task = work["played"]
    assert "verdict" not in task.table.scene
    for moves in (["take"], ["beat 7c 9c"]):
        work.answer("played", moves)
        assert task.table.scene["verdict"] == {"right": None, "said": ["Your answer is kept."] * 2}
        assert work.receipt["answers"]["played"]["answer"] == moves
        task.restart()
        assert "verdict" not in task.table.scene
        assert task.view_model()["state"] == "kept"
    fresh = ASSIGNMENT.create_exercise("played", "Ann")
    assert fresh.answer(work.receipt["answers"]["played"]["answer"])


def test_a_token_shows_what_its_exercise_shows():
    """Question, items, trump and picture, in every language; and it takes the same answers."""
    for code in sorted(LANGUAGES):
        for name in ON_PAPER:
            task = ASSIGNMENT.create_exercise(name, "Ann")
            task.language = code
            quiz = sealed(seal(task), language=code)
            one, other = task.view_model(), quiz.view_model()
            assert {field: other[field] for field in ("kind", "question", "items", "trump", "picture", "number")} == {
                field: one[field] for field in ("kind", "question", "items", "trump", "picture", "number")
            }
            assert other.get("target") == one.get("target")
            unmarked = re.sub(r' data-answer="\w+"', "", task.static_mimebundle()["text/html"])
            assert quiz.static_mimebundle() == {**task.static_mimebundle(), "text/html": unmarked}
            quiz.answer(task.solution)
            assert task.answer(json.loads(json.dumps(quiz.last_answer)))


def test_a_token_shows_positions_and_ways():
    """As a seat sees them, and no card more."""
    task = WhatIf(DEFENDING, {"beat 7c 9c": "It is cheap.", "take": "No."}, better="take")
    quiz = sealed(seal(task))
    assert quiz.view_model()["pictures"] == task.view_model()["pictures"]
    assert quiz.view_model()["picture"] == task.view_model()["picture"]
    quiz = sealed(seal(Pick.moves(DEFENDING, "beat")))
    assert quiz.view_model()["picture"] == Pick.moves(DEFENDING, "beat").view_model()["picture"]
    assert "jack of diamonds" not in decoded(seal(task).encode()).decode(errors="replace")
    assert quiz.static_mimebundle()["text/plain"].startswith(quiz.question)


@cache
def whole() -> str:
    """A token: to seal takes long: all that are changed below begin as this one."""
    return seal(ASSIGNMENT.create_exercise("many", "Ann"))


def changed(**fields):
    """A token in which something else stands."""
    found = json.loads(zlib.decompress(urlsafe_b64decode(whole().partition(":")[2])))
    for path, value in fields.items():
        *way, last = path.split("__")
        inner = found
        for part in way:
            inner = inner[part]
        inner[last] = value
    return "durak-sealed-2:" + urlsafe_b64encode(zlib.compress(json.dumps(found).encode())).decode()


def test_a_hostile_token_is_refused_in_a_sentence():
    """Cut, of another form, too large, or with what no exercise holds."""
    for token in (
        None,
        7,
        "",
        "durak-sealed-2:",
        "durak-sealed-2:AAAA",
        "durak-sealed-2:ééé",
        "x" * 3_000_000,
        "durak-sealed-2:" + "A" * 1000,
        changed(exercise=None),
        changed(few=1),
        changed(seals={}),
        changed(seals__salt="zz"),
        changed(seals__notes=[]),
        changed(seals__notes=[["00", "00"]] * 4),
        changed(exercise__kind="drill"),
        changed(exercise__kind="pick"),
        changed(exercise__question={}),
        changed(exercise__question={"en": 7}),
        changed(exercise__question={"xx": "?"}),
        changed(exercise__question={"en": "?" * 5000}),
        changed(exercise__items={"<b>": {}}),
        changed(exercise__items={"9c": {"en": "x"}}),
        changed(exercise__trump="x"),
        changed(exercise__target="zz"),
        changed(exercise__pictures={"en": ["<script>", ""]}),
        changed(exercise__pictures={"en": ["<svg ", 7]}),
        changed(exercise__number="1\n"),
        changed(exercise__question={"en": "\ud800"}),
        changed(exercise__ways={"9c": {}}),
        changed(exercise__pictures=[]),
    ):
        with pytest.raises(DurakError, match=r"^(this is no exercise|these are no seals)"):
            sealed(token)


def test_a_token_that_unpacks_to_very_much_is_refused():
    """Before it is unpacked."""
    with pytest.raises(DurakError, match="copy all of its text"):
        sealed("durak-sealed-2:" + urlsafe_b64encode(zlib.compress(b" " * 100_000_000)).decode())


def test_what_a_token_shows_runs_nowhere():
    """A picture that would run something stands in an image, in which nothing runs; words are written, and not marked up."""
    quiz = sealed(
        changed(exercise__pictures={"en": ['<svg onload="alert(1)"><script>alert(1)</script></svg>', '"><script>alert(1)</script>']})
    )
    html = quiz.view_model()["picture"] + quiz.static_mimebundle()["text/html"]
    assert "<script" not in html
    assert "onload" not in html


def test_a_token_may_be_broken_into_lines():
    """As mail does it."""
    token = seal(ASSIGNMENT.create_exercise("chosen", "Ann"))
    assert sealed("\n".join(token[at : at + 70] for at in range(0, len(token), 70))).question == "Which one?"
