"""Test answers given in code with everything they use: accepted or refused at once, and kept as they are marked."""

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
from support.spoken import english, english_text

ORDER = "9TJQKA"
HALF = Fraction(1, 2)


def bot_question(lots):
    """Return a question for a bot."""
    return lessons.Bot(3, pairs=2, seed=str(lots.random()))


ASSIGNMENT = Assignment("programs", "Programs", [Question("bot", 2, "A bot", bot_question, "bot")])


def price(move, view):
    """Return the price of a move."""
    return max([ORDER.index(card.rank) + 10 * (card.suit == view.trump) for card in move.cards], default=99) + HALF


def cheap(view):
    """Play the cheapest move, with a helper that uses a constant and an import."""
    return min(view.legal_moves(), key=lambda move: price(move, view))


def closure(number):
    """Return a function that remembers a number."""

    def inner(view):
        return view.legal_moves()[number]

    return inner


def logged(function):
    """Return a decorated function."""

    @functools.wraps(function)
    def around(view):
        return function(view)

    return around


@logged
def decorated(view):
    """Be replaced by another function, because of the decorator."""
    return view.legal_moves()[0]


@functools.lru_cache
def rank(letter):
    """Return a rank; its results are cached."""
    return ORDER.index(letter)


def cached(view):
    """Use the cached function."""
    return min(view.legal_moves(), key=lambda move: max([rank(card.rank) for card in move.cards], default=9))


def misannotated(view: Unknown, rng: random.Random) -> Unknown:  # type: ignore[name-defined] # noqa: F821 - nobody looks at it
    """Have annotations of names that do not exist."""
    return view.legal_moves()[0]


@dataclass(frozen=True)
class Steady:
    """A bot with an attribute."""

    number: int = 0

    def choose(self, view, rng):  # noqa: ARG002 - as bots are asked
        """Return always the same move."""
        return view.legal_moves()[self.number]


GIVEN = {
    "helper": cheap,
    "closure": closure(0),
    "decorated": decorated,
    "cache": cached,
    "annotations": misannotated,
    "object": Steady(),
    "method": Steady().choose,
    "partial": functools.partial(lambda number, view: view.legal_moves()[number], 0),
    "lambda": lambda view: view.legal_moves()[-1],
    "bot": bots.get("careful", miserly=True),
}


@pytest.fixture
def work():
    """Return somebody's homework."""
    return lessons.homework(ASSIGNMENT, student="Ann", folder=None)


@pytest.mark.slow
def test_a_bot_is_kept_with_everything_it_uses(work):
    """Helpers, constants, imports and closures are included, and it wins the same games elsewhere."""
    for known in GIVEN.values():
        verdict = work.answer("bot", known)
        assert verdict.sentences[-1] == english_text("class.tried")
        stored = work.receipt["answers"]["bot"]["answer"]
        marked = grade_answer(GradingSettings(ASSIGNMENT, "", "en", True, Limits()), SubmittedAnswer("Ann", 0, CountedAnswer(stored, 1)))
        here = ASSIGNMENT.create_exercise("bot", "Ann")
        here.is_closed = True
        here.answer(known)
        assert (marked.credit, marked.explanation) == (here.credit, str(here._build_verdict()))


def test_a_name_registered_only_here_is_kept_as_its_meaning(work):
    """No other process has registered it."""
    bots.register("mine-alone")(cheap_of_two)
    work.answer("bot", "mine-alone")
    assert "def price" in work.receipt["answers"]["bot"]["answer"]["code"]
    work.answer("bot", "careful")
    assert work.receipt["answers"]["bot"]["answer"] == "careful"
    own = lessons.Bot(3, pairs=2, own=True)
    assert own.answer("mine-alone").sentences[0]
    with pytest.raises(DurakError, match=english("lesson.bot.own")):
        own.answer("careful")


def cheap_of_two(view, rng):
    """Play one of two moves, as a registered bot."""
    return cheap(view)


def function_from_file():
    """Return a function of a file beside the notebook."""
    beside = sys.modules["beside"] = ModuleType("beside")
    beside.__file__ = "/somewhere/beside.py"
    return lambda view: beside.choose(view)  # noqa: PLW0108 - which is looked up when it is asked


def undefined_name(view):
    """Use a name that does not exist."""
    return view.legal_moves()[nowhere]  # noqa: F821 - that is what is wrong with it


LIVE = random.Random(1)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (function_from_file(), english("lesson.bot.file", name="beside.py")),
        (undefined_name, english("lesson.bot.unknown", name="nowhere")),
        (lambda view: LIVE.choice(view.legal_moves()), english("lesson.bot.apart", name="LIVE")),
        (Steady, "Steady"),
        (eval("lambda view: 0"), english("lesson.bot.as_text")),  # noqa: S307 - it stands nowhere
    ],
    ids=["file", "unknown", "object", "class", "no text"],
)
def test_bots_that_cannot_be_kept_are_refused_at_once(work, given, why):
    """Nothing is kept."""
    with pytest.raises(DurakError, match=why):
        work.answer("bot", given)
    assert work.receipt["answers"] == {}


def test_a_failing_program_is_kept_and_reported_at_once(work):
    """Marking would show the same, but after the deadline."""
    for code, why in (
        ("def choose(view) return 1", r"SyntaxError \(expected ':'\)"),
        ("def choose(view):\n    open('weights.json')", "PermissionError|FileNotFoundError"),
        ("x = 1", english("class.code.nothing")),
        ("def choose(view):\n    return 'sleep'", "'sleep'"),
    ):
        verdict = work.answer("bot", {"code": code})
        assert verdict.sentences[0] == english_text("class.kept")
        assert english("class.tried.broke").match(verdict.sentences[-1])
        assert re.search(why, verdict.sentences[-1])
        assert work.receipt["answers"]["bot"]["answer"] == {"code": code}


@pytest.mark.parametrize("code", ["# \ud800", "x = 1\n" * 60_000], ids=["half a sign", "long"])
@pytest.mark.parametrize("question", ["bot", "strategy"])
def test_programs_that_no_receipt_can_hold_are_refused(tmp_path, question, code):
    """The file could not be written or read again, and all other answers would be lost."""
    assignment = Assignment(
        "all", "All", [*ASSIGNMENT.questions, *(question for question in KINDS.questions if question.name in {"strategy", "few"})]
    )
    work = lessons.homework(assignment, student="Ann", folder=tmp_path)
    work.answer("few", "12")
    with pytest.raises(DurakError, match=r"half a character|at most 100,000 characters"):
        work.answer(question, {"code": code})
    work.answer("few", "13")
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


def coordination(where):
    """Return a game in which two players choose without seeing each other, with different payoffs for each pair."""
    if len(where) == 2:
        payoff = {"lx": 1, "ly": -1, "lz": 0, "rx": 2, "ry": -2, "rz": 3}[where]
        return gametheory.TerminalNode((payoff, -payoff))
    moves = "xyz" if where else "lr"
    return gametheory.DecisionNode(len(where), "begins", [(move, where + move) for move in moves])


MATRIX = gametheory.build_tree("", coordination, player_count=2)
ROWS = [[1, -1, 0], [2, -2, 3]]


@pytest.mark.parametrize(
    "given", [[1, 1, 0], (1, 1, 0), (number for number in (1, 1, 0)), range(3)], ids=["list", "tuple", "once", "range"]
)
def test_values_are_accepted_in_any_container(given):
    """Tuples used to become one unreadable text."""
    quiz = lessons.OnTree.values(TREE, player=0)
    quiz.answer(given)
    assert set(quiz.last_answer) == {"0", "1", "2"}
    with pytest.raises(DurakError, match=r"value.*number, or one for each"):
        quiz.answer([[1, 2, 3]])


def test_a_matrix_is_accepted_in_rows():
    """It used to become three unreadable texts. Another shape is refused."""
    for kind in (list, tuple, "array"):
        rows = pytest.importorskip("numpy").array(ROWS) if kind == "array" else kind(map(kind, ROWS))
        assert lessons.OnMatrix.fill(MATRIX).answer(rows)
        with pytest.raises(DurakError, match="2 rows of 3"):
            lessons.OnMatrix.fill(MATRIX).answer([list(column) for column in zip(*ROWS, [7, 7, 7], strict=True)])


def test_information_sets_may_be_python_sets():
    """Any container may hold them."""
    for given in ([{1, 2}], {(1, 2)}, {frozenset({1, 2})}, ((2, 1),)):
        assert lessons.OnTree.sets(MATRIX).answer(given)


def test_cards_may_be_separated_by_commas():
    """Most people write them so."""
    quiz = lessons.Pick.beaters("Tc", of="9c Jc Ah 6s", trump="s")
    assert quiz.answer("Jc, 6s")


@pytest.mark.parametrize("given", [Fraction(37 / 42), 37 / 42, "37/42", Fraction(37, 42)])
def test_a_fraction_made_from_a_float_is_read_as_that_float(given):
    """Nobody means 1983728407294147/2251799813685248 exactly."""
    assert lessons.Number("How likely?", "37/42").answer(given)


def test_the_verdict_says_what_is_unreadable_or_missing():
    """Neither depends on the key."""
    for quiz, given, remark in (
        (lessons.OnTree.values(TREE, player=0), {1: "won"}, [("empty", 2), ("unread", 1)]),
        (lessons.OnMatrix.fill(MATRIX), {(0, 0): "won"}, [("empty", 5), ("unread", 1)]),
    ):
        quiz.defer_grading()
        verdict = str(quiz.answer(given))
        assert verdict.startswith(english_text("class.kept"))
        assert all(english_text(f"class.kept.{lack}", count=count) in verdict for lack, count in remark), verdict
