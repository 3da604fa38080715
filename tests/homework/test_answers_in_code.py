"""What a student answers in code, with all that it uses: taken or refused at once, and what is kept is what is marked."""

from __future__ import annotations

import functools
import random
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType

import pytest

from durak_widget import bots, gametheory, lessons
from durak_widget.errors import DurakError
from durak_widget.grading.answer_grading import GradingSettings, SubmittedAnswer, grade_answer
from durak_widget.grading.submissions import CountedAnswer
from durak_widget.lessons import Assignment, Question
from durak_widget.sandbox.code_runner import Limits
from support.classroom_kinds import ASSIGNMENT as KINDS

ORDER = "9TJQKA"
HALF = Fraction(1, 2)


def made(lots):
    """A question for a bot."""
    return lessons.Bot(3, pairs=2, seed=str(lots.random()))


ASSIGNMENT = Assignment("programs", "Programs", [Question("bot", 2, "A bot", made, "bot")])


def price(move, view):
    """What a move costs."""
    return max([ORDER.index(card.rank) + 10 * (card.suit == view.trump) for card in move.cards], default=99) + HALF


def cheap(view):
    """With a helper, which uses a constant and an import."""
    return min(view.legal_moves(), key=lambda move: price(move, view))


def closed(number):
    """A function that remembers something."""

    def inner(view):
        return view.legal_moves()[number]

    return inner


def logged(function):
    """A decorator."""

    @functools.wraps(function)
    def around(view):
        return function(view)

    return around


@logged
def decorated(view):
    """What is left of it is another function."""
    return view.legal_moves()[0]


@functools.lru_cache
def rank(letter):
    """A function that remembers what it was asked."""
    return ORDER.index(letter)


def cached(view):
    """Uses it."""
    return min(view.legal_moves(), key=lambda move: max([rank(card.rank) for card in move.cards], default=9))


def said(view: Unknown, rng: random.Random) -> Unknown:  # type: ignore[name-defined] # noqa: F821 - nobody looks at it
    """Says of its arguments what is not there."""
    return view.legal_moves()[0]


@dataclass(frozen=True)
class Steady:
    """A bot that has something."""

    number: int = 0

    def choose(self, view, rng):  # noqa: ARG002 - as bots are asked
        """Always that one."""
        return view.legal_moves()[self.number]


GIVEN = {
    "helper": cheap,
    "closure": closed(0),
    "decorated": decorated,
    "cache": cached,
    "annotations": said,
    "object": Steady(),
    "method": Steady().choose,
    "partial": functools.partial(lambda number, view: view.legal_moves()[number], 0),
    "lambda": lambda view: view.legal_moves()[-1],
    "bot": bots.get("careful", miserly=True),
}


@pytest.fixture
def work():
    """Somebody's homework."""
    return lessons.homework(ASSIGNMENT, student="Ann", folder=None)


@pytest.mark.slow
def test_what_a_bot_uses_goes_with_it(work):
    """Helpers, constants, imports, what it remembers: by itself it wins as many games as it does here."""
    for known in GIVEN.values():
        verdict = work.answer("bot", known)
        assert verdict.sentences[-1] == "It was tried as it will be run when it is marked, and nothing broke."
        kept = work.receipt["answers"]["bot"]["answer"]
        marked = grade_answer(GradingSettings(ASSIGNMENT, "", "en", True, Limits()), SubmittedAnswer("Ann", 0, CountedAnswer(kept, 1)))
        here = ASSIGNMENT.create_exercise("bot", "Ann")
        here.is_closed = True
        here.answer(known)
        assert (marked.credit, marked.explanation) == (here.credit, str(here._build_verdict()))


def test_a_name_that_only_this_notebook_knows_is_kept_as_what_it_means(work):
    """Nobody else has registered it."""
    bots.register("mine-alone")(cheap_of_two)
    work.answer("bot", "mine-alone")
    assert "def price" in work.receipt["answers"]["bot"]["answer"]["code"]
    work.answer("bot", "careful")
    assert work.receipt["answers"]["bot"]["answer"] == "careful"
    own = lessons.Bot(3, pairs=2, own=True)
    assert own.answer("mine-alone").sentences[0]
    with pytest.raises(DurakError, match="one of your own"):
        own.answer("careful")


def cheap_of_two(view, rng):
    """As a registered bot is asked."""
    return cheap(view)


def of_a_file():
    """A function of a file beside the notebook."""
    beside = sys.modules["beside"] = ModuleType("beside")
    beside.__file__ = "/somewhere/beside.py"
    return lambda view: beside.choose(view)  # noqa: PLW0108 - which is looked up when it is asked


def unknown(view):
    """Uses what is not there."""
    return view.legal_moves()[nowhere]  # noqa: F821 - that is what is wrong with it


LIVE = random.Random(1)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (of_a_file(), "uses the file beside.py, which is not handed in"),
        (unknown, "uses nowhere, and nothing of that name is there"),
        (lambda view: LIVE.choice(view.legal_moves()), "uses LIVE, which cannot be handed in with it"),
        (Steady, "Steady is a class: give a bot made of it, as in Steady"),
        (eval("lambda view: 0"), "Give your function as a text"),  # noqa: S307 - it stands nowhere
    ],
    ids=["file", "unknown", "object", "class", "no text"],
)
def test_what_cannot_go_with_a_bot_is_said_at_once(work, given, why):
    """And nothing is kept."""
    with pytest.raises(DurakError, match=why):
        work.answer("bot", given)
    assert work.receipt["answers"] == {}


def test_a_program_that_breaks_is_kept_and_its_author_told_at_once(work):
    """As it will be when it is marked, and not after the last day."""
    for code, why in (
        ("def choose(view) return 1", r"SyntaxError \(expected ':'\) in line 1"),
        ("def choose(view):\n    open('weights.json')", "PermissionError|FileNotFoundError"),
        ("x = 1", "defines no function choose"),
        ("def choose(view):\n    return 'sleep'", "chose 'sleep'"),
    ):
        verdict = work.answer("bot", {"code": code})
        assert verdict.sentences[0] == "Your answer is kept."
        assert verdict.sentences[-1].startswith("But tried as it will be run when it is marked, it breaks:")
        assert re.search(why, verdict.sentences[-1])
        assert work.receipt["answers"]["bot"]["answer"] == {"code": code}


@pytest.mark.parametrize("code", ["# \ud800", "x = 1\n" * 60_000], ids=["half a sign", "long"])
@pytest.mark.parametrize("question", ["bot", "strategy"])
def test_a_program_that_no_receipt_can_hold_is_refused(tmp_path, question, code):
    """Else the file could not be written any more, or not be read again, and all other answers would be gone."""
    assignment = Assignment("all", "All", [*ASSIGNMENT.questions, *(one for one in KINDS.questions if one.name in {"strategy", "few"})])
    one = lessons.homework(assignment, student="Ann", folder=tmp_path)
    one.answer("few", "12")
    with pytest.raises(DurakError, match=r"half a character|at most 100,000 characters"):
        one.answer(question, {"code": code})
    one.answer("few", "13")
    assert lessons.homework(assignment, student="Ann", folder=tmp_path).receipt["answers"] == {"few": {"answer": "13", "attempts": 2}}


# Other answers


COIN = {
    "": gametheory.ChanceNode([("heads", HALF, "h"), ("tails", HALF, "t")]),
    "h": gametheory.DecisionNode(0, "h", [("a", "1"), ("b", "2")]),
}
COIN |= {
    "t": gametheory.DecisionNode(0, "t", [("a", "2"), ("b", "1")]),
    "1": gametheory.TerminalNode((1, -1)),
    "2": gametheory.TerminalNode((-1, 1)),
}
TREE = gametheory.build_tree("", COIN.__getitem__, player_count=2)


def both(where):
    """Two who do not see what the other does, with other rewards for each pair."""
    if len(where) == 2:
        worth = {"lx": 1, "ly": -1, "lz": 0, "rx": 2, "ry": -2, "rz": 3}[where]
        return gametheory.TerminalNode((worth, -worth))
    moves = "xyz" if where else "lr"
    return gametheory.DecisionNode(len(where), "begins", [(move, where + move) for move in moves])


MATRIX = gametheory.build_tree("", both, player_count=2)
ROWS = [[1, -1, 0], [2, -2, 3]]


@pytest.mark.parametrize("given", [[1, 1, 0], (1, 1, 0), (one for one in (1, 1, 0)), range(3)], ids=["list", "tuple", "once", "range"])
def test_values_are_given_one_by_one(given):
    """However they are held together; a tuple was taken for one text that nobody can read."""
    quiz = lessons.OnTree.values(TREE, player=0)
    quiz.answer(given)
    assert set(quiz.last_answer) == {"0", "1", "2"}
    with pytest.raises(DurakError, match="a value is a number, or one for each player"):
        quiz.answer([[1, 2, 3]])


def test_a_matrix_is_given_as_it_stands_there():
    """In rows; they were taken for three texts that nobody can read. Of another shape it is refused."""
    for kind in (list, tuple, "array"):
        rows = pytest.importorskip("numpy").array(ROWS) if kind == "array" else kind(map(kind, ROWS))
        assert lessons.OnMatrix.fill(MATRIX).answer(rows)
        with pytest.raises(DurakError, match="as the 2 rows of 3 that the matrix has"):
            lessons.OnMatrix.fill(MATRIX).answer([list(column) for column in zip(*ROWS, [7, 7, 7], strict=True)])


def test_information_sets_may_be_sets():
    """Of Python's, in whatever they lie."""
    for given in ([{1, 2}], {(1, 2)}, {frozenset({1, 2})}, ((2, 1),)):
        assert lessons.OnTree.sets(MATRIX).answer(given)


def test_cards_may_have_commas_between_them():
    """As most people write them."""
    quiz = lessons.Pick.beaters("Tc", of="9c Jc Ah 6s", trump="s")
    assert quiz.answer("Jc, 6s")


@pytest.mark.parametrize("given", [Fraction(37 / 42), 37 / 42, "37/42", Fraction(37, 42)])
def test_a_fraction_that_was_made_of_a_float_is_that_float(given):
    """Nobody means 1983728407294147/2251799813685248 exactly."""
    assert lessons.Number("How likely?", "37/42").answer(given)


def test_what_is_kept_says_what_cannot_be_read_and_what_is_left():
    """Neither hangs on the key."""
    for quiz, given, said in (
        (lessons.OnTree.values(TREE, player=0), {1: "won"}, ["still empty: 2", "hold no number: 1"]),
        (lessons.OnMatrix.fill(MATRIX), {(0, 0): "won"}, ["still empty: 5", "hold no number: 1"]),
    ):
        quiz.defer_grading()
        kept = str(quiz.answer(given))
        assert kept.startswith("Your answer is kept.")
        assert all(one in kept for one in said), kept
