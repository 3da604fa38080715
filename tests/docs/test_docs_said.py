"""What docs, lessons and words say of plans and of the problem set is what the books, and the program, mean by it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from durak_widget import theory
from durak_widget.board.kit.refusing import RefusedError
from durak_widget.classroom.econ431 import ASSIGNMENT
from durak_widget.rules import variants
from durak_widget.words import Voice

ROOT = Path(__file__).resolve().parents[2]
WEAKLY = {"en": "weakly", "lt": "silpnai", "ru": "слабо"}
ONCE = {"en": "written once", "lt": "vieną kartą", "ru": "один раз"}


def lesson(number: str) -> str:
    """What stands in the cells of a notebook."""
    [path] = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])


def page(name: str) -> str:
    """A page of the docs."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", WEAKLY)
@pytest.mark.parametrize("key", ["matrix.step.weak", "matrix.nothing", "lesson.matrix.strike.weak", "class.econ431.lead.dominance"])
def test_domination_that_is_weak_is_called_so(key: str, language: str) -> None:
    """Osborne, Gibbons and Maschler, Solan and Zamir mean the strict kind by the word alone."""
    assert WEAKLY[language] in Voice(language).say(key, name="A", plan="a", by="b", other="B")


def test_no_definition_of_domination_leaves_its_kind_out() -> None:
    """A bold *dominated* alone is defined nowhere; lesson and glossary have both kinds, and lesson, page and question say what is only true of one."""
    told = {"12": lesson("12"), "14": lesson("14"), "glossary": page("glossary"), "matrices": page("matrices"), "trees": page("trees")}
    assert not [where for where, text in told.items() if "**dominated**" in text]
    assert "weakly" in told["12"].split("## What is never better")[1].split("**Next")[0]
    assert re.search(r"\| dominated \| \*weakly\*: never better .*; \*strictly\*: always worse \|", told["glossary"])
    for where in ("12", "matrices", "14"):
        assert re.search(
            r"weakly dominated (one|plan) may (still )?be played in an equilibrium, and what is left .*depend on the order", told[where]
        ), where


def test_a_weakly_dominated_plan_is_played_in_an_equilibrium_and_the_order_matters() -> None:
    """As the pages say: in `entry` the threat; and of three plans against two, one order leaves another cell than the other."""
    table = theory.matrix(theory.textbook("entry"))
    [weak] = table.dominated()
    assert (weak.strict, weak.plan) == (False, "fight")
    assert [str(one.said) for one in theory.equilibria(table) if "fight" in one.said]
    game = [[(1, 1), (0, 0)], [(1, 1), (2, 1)], [(0, 0), (2, 1)]]
    left = set()
    for row, column in (("A", "a"), ("C", "b")):
        view = theory.Matrix(game)
        view.strike(row)
        view.strike(column)
        while view.left.dominated():
            view.strike()
        with pytest.raises(RefusedError, match="No plan that is left is dominated by another, not even weakly"):
            view.strike()
        left.add(str(view.left))
    assert len(left) == 2


def test_what_a_mix_dominates_weakly_is_not_called_undominated() -> None:
    """Only mixes that are strictly better are looked for, so it is said of single plans alone."""
    view = theory.Matrix([[2, 0, 1], [0, 2, 1], [1, 1, 0]])
    mixed = [(one + other) / 2 for one, other in zip((2, 0, 1), (0, 2, 1), strict=True)]
    assert all(one >= other for one, other in zip(mixed, (1, 1, 0), strict=True))
    with pytest.raises(RefusedError, match="Row: no other plan dominates C: A comes nearest"):
        view.strike("C")


@pytest.mark.parametrize("language", ONCE)
def test_a_question_whose_matrix_is_reduced_says_so(language: str) -> None:
    """The leads of questions 10 and 11, whose tables have fewer rows than a plan for each information set would make."""
    for name in ("strategic-form", "dominance"):
        assert name in {one.name for one in ASSIGNMENT.questions}
        assert ONCE[language] in Voice(language).say(f"class.econ431.lead.{name}")


@pytest.mark.parametrize("where", ["trees", "matrices", "glossary", "12"])
def test_where_a_matrix_is_explained_it_is_said_which_plans_are_one(where: str) -> None:
    """`theory.matrix` is the reduced form."""
    text = lesson("12") if where == "12" else page(where)
    assert re.search(r"[Pp]lans that differ only where (their|one's) own moves never lead", text)


def test_plans_that_differ_only_where_they_never_lead_are_one() -> None:
    """Two moves, of which one ends the game, and two later: three rows, not four."""
    tree = theory.from_efg(
        'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "stop" "go" } 0 t "" 1 "" { 0 0 } p "" 2 1 "" { "l" "r" } 0 '
        'p "" 1 2 "" { "x" "y" } 0 t "" 2 "" { 1 -1 } t "" 3 "" { 2 -2 } p "" 1 3 "" { "x" "y" } 0 t "" 2 t "" 3'
    )
    assert len(theory.matrix(tree).rows) == 1 + 2 * 2


def test_the_problem_set_claims_no_text_for_its_questions() -> None:
    """The text of the game has rules alone: the homework does not bear its title, and lesson and page say whose the questions are."""
    sources = {said for said in vars(variants).values() if isinstance(said, str)} | {
        getattr(one, "source", "") for one in vars(variants).values()
    }
    for language in WEAKLY:
        title = Voice(language).say("class.econ431")
        assert "431" not in title
        assert title not in sources
    for text in (lesson("14"), page("problem-set")):
        assert "The game is that of" in text
        assert "he questions are ours" in text
        assert "questions follow" not in text


@pytest.mark.parametrize(("row", "key"), [("exploitability", "board.solved.left"), ("Nash distance", "board.answer.distance")])
def test_what_a_strategy_loses_is_called_on_the_board_as_in_the_glossary(row: str, key: str) -> None:
    """In each language by one word."""
    [line] = [line for line in page("glossary").splitlines() if line.startswith(f"| {row} |")]
    _, english, _, lithuanian, russian, _ = (cell.strip() for cell in line.split("|"))
    for language, word in {"en": english, "lt": lithuanian, "ru": russian}.items():
        assert word.lower() in Voice(language).say(key, lost="1").lower()
