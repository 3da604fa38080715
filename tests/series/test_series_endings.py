"""What lesson 11 says of its endings, each number by routes that share nothing: every game played out by the rules, the tree from its end, the search of endings."""

from __future__ import annotations

import contextlib
import io
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from durak_widget import Game, Move, analysis, gametheory, lessons
from durak_widget.analysis import endgame
from durak_widget.engine import state_transitions
from durak_widget.gametheory.tree import TERMINAL

pytestmark = pytest.mark.release
"""It works out again what the notebook says, and what its cells show at each run of the tests."""

if TYPE_CHECKING:
    from durak_widget import Card
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Tree

BOOK = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / "11_endings_solved.ipynb", as_version=4)
PROSE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "markdown")


@cache
def names() -> dict[str, Any]:
    """Whatever the cells of the notebook name, and its exercises by theirs."""
    found: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        for kind in ("Position", "Number", "OnTree", "Choose", "Pick"):

            class Kept(getattr(lessons, kind)):  # type: ignore[misc] - whichever it is
                def __init__(self, *given: object, **more: object) -> None:
                    super().__init__(*given, **more)
                    found[self.name] = self

            patch.setattr(lessons, kind, Kept)
        for cell in BOOK.cells:
            if cell.cell_type == "code":
                exec(cell.source, found)  # noqa: S102 - our own notebook
    return found


def after(game: Game, move: Move) -> Game:
    """The game one move later."""
    later = game.copy()
    later.play(move)
    return later


KNOWN: dict[object, int] = {}
"""What positions that were played out are worth to seat 0."""


def worth(game: Game) -> int:
    """What it is worth to seat 0, by playing whatever may be played to the end of the game: no tree, no search of endings."""
    return played_out(game._state)


def played_out(state: State) -> int:
    """The same of a position; it hides nothing, so that its key says all."""
    if state.outcome is not None:
        return int(state.outcome.utilities[0])
    key = state.key()
    if key not in KNOWN:
        following = []
        for move in state_transitions.legal_moves(state):
            later = state.copy()
            state_transitions.apply_move(later, move)
            following.append(played_out(later))
        KNOWN[key] = max(following) if state.actor == 0 else min(following)
    return KNOWN[key]


def ends(game: Game) -> list[int]:
    """What each way in which it may go on is worth to seat 0 when it is over."""
    if game.outcome is not None:
        return [int(game.outcome.utilities[0])]
    return [end for move in game.legal_moves() for end in ends(after(game, move))]


def values(tree: Tree) -> list[int]:
    """Of each history what it is worth to seat 0, from the ends."""
    found = [0] * tree.history_count
    for here in reversed(range(tree.history_count)):
        below = [found[child] for child in tree.children(here)]
        found[here] = (
            int(tree.payoffs[tree.infoset_of[here]][0])
            if tree.actor[here] == TERMINAL
            else max(below)
            if tree.actor[here] == 0
            else min(below)
        )
    return found


@cache
def tree_of(name: str) -> Tree:
    """The tree of an ending."""
    return analysis.build_tree_from_position(names()[name], open_hands=True)


def beats(one: Card, other: Card) -> bool:
    """Whether one card beats the other, where hearts are trumps."""
    if one.suit == other.suit:
        return "6789TJQKA".index(one.rank) > "6789TJQKA".index(other.rank)
    return one.suit == "h"


def children(tree: Tree, here: int = 0) -> dict[str, int]:
    """The histories that follow one, by the move that leads there."""
    return {tree.last_action(child): child for child in tree.children(here)}


def at(tree: Tree, *moves: str) -> int:
    """The history that these moves lead to."""
    here = 0
    for move in moves:
        here = children(tree, here)[move]
    return here


POSITIONS = {"kings": 1, "seven": 1, "jack": 0, "spades": 1, "ace": 1, "sevens": 1}
"""Every ending of the lesson, with what it is worth to the pupil."""


@pytest.mark.parametrize("name", POSITIONS)
def test_an_ending_is_worth_what_the_lesson_says(name: str) -> None:
    """Each of its moves too: every game played out, and the search of endings, say the same."""
    game, ending = names()[name], endgame.solve_endgame(names()[name])
    assert game.actor == 0
    assert {move: worth(after(game, move)) for move in game.legal_moves()} == ending.move_values
    assert worth(game) == ending.value == POSITIONS[name]


@pytest.mark.parametrize("name", ["kings", "seven", "jack", "spades", "ace"])
def test_backward_induction_says_so_too(name: str) -> None:
    """On the tree of the ending, by the solver and by a loop of four lines; at each place it is what playing on comes to."""
    tree = tree_of(name)
    found = values(tree)
    assert gametheory.solve(tree, "backward").value == found[0] == POSITIONS[name]
    deciding = [here for here, actor in enumerate(tree.actor) if actor >= 0]
    for here in deciding[:20]:
        assert worth(analysis.restore_game(tree, here)) == found[here]


def test_one_card_wins_and_the_other_draws() -> None:
    """The first exercise, and what its solution tells."""
    moves = {str(move): value for move, value in endgame.solve_endgame(names()["kings"]).move_values.items()}
    assert moves == {"attack Qh": 1, "attack Ks": 0}
    line = endgame.solve_endgame(after(names()["kings"], Move("attack Ks"))).best_line
    assert [str(move) for move in line] == ["beat Ks Kh", "attack Kc", "beat Kc Qh"]


def test_the_ends_of_the_kings_are_counted() -> None:
    """Nine, of which six are won, one is drawn and two are lost; after the king of spades two of four are won."""
    game, tree = names()["kings"], names()["tree"]
    assert sorted(ends(game)) == sorted(
        int(tree.payoffs[tree.infoset_of[here]][0]) for here, actor in enumerate(tree.actor) if actor == TERMINAL
    )
    assert [ends(game).count(end) for end in (1, 0, -1)] == [6, 1, 2]
    assert len(ends(game)) == 9
    king = ends(after(game, Move("attack Ks")))
    assert (len(king), king.count(1)) == (4, 2)
    quiz = names()["11/ends"]
    assert quiz.answer("6").right
    for wrong in ("7", "2", "9"):
        quiz.restart()
        assert not quiz.answer(wrong).right


@pytest.mark.parametrize(("name", "count", "said"), [("11/three-values", 3, 3), ("11/values", 7, 4)])
def test_the_values_that_are_asked_for_are_right(name: str, count: int, said: int) -> None:
    """The solution of the exercise, and that which is printed at the end of the lesson, are what playing on from each place comes to."""
    quiz = names()[name]
    deciding = [here for here, actor in enumerate(quiz.tree.actor) if actor >= 0]
    true = [worth(analysis.restore_game(quiz.tree, here)) for here in deciding]
    assert [int(text) for text in quiz.solution] == true
    assert len(true) == count
    [row] = re.findall(rf"^{said}\. (After .*)$", PROSE, re.MULTILINE)
    printed = [int(number.replace("−", "-")) for number in re.findall(r": (−?\d)\.", row)]
    assert sorted(printed) == sorted(true)
    assert printed[-1] == true[0]


def test_the_path_is_the_only_one() -> None:
    """At each of its four places any other move is worse for whoever chooses; it ends in the draw that is told."""
    tree, found, here, path = names()["jacks"], values(names()["jacks"]), 0, []
    while tree.actor[here] != TERMINAL:
        sign = 1 if tree.actor[here] == 0 else -1
        best, *others = sorted(tree.children(here), key=lambda child: -sign * found[child])
        assert all(sign * found[other] < sign * found[best] for other in others)
        path.append(tree.last_action(best))
        here = best
    assert path == ["attack Js", "beat Js Qs", "throw Qc", "beat Qc Ac"] == names()["11/path"].solution
    assert tree.payoffs[tree.infoset_of[here]] == (0, 0)
    assert found[at(tree, "attack Js", "take")] == 1, "if Player 2 takes the jack, you win"


def test_both_can_force_the_draw() -> None:
    """As the answer says: a proof for either seat, which is played through against every reply."""
    game = names()["jack"]
    assert all(endgame.solve_endgame(game).prove(seat).is_valid(game) for seat in (0, 1))


def test_all_but_one_cannot_be_beaten() -> None:
    """By the rules of beating; and one order alone wins, from the bottom up."""
    game = names()["spades"]
    unbeaten = [card for card in game.hands[0] if not any(beats(other, card) for other in game.hands[1])]
    assert " ".join(map(str, unbeaten)) == "8s Js Ks" == " ".join(names()["11/unbeaten"].solution)
    assert [str(move) for move in endgame.solve_endgame(game).best_moves] == ["attack 8s"]


def test_trees_have_the_sizes_that_are_told() -> None:
    """In numbers of places, as the tree counts its histories."""
    for name in ("spades", "ace"):
        tree = tree_of(name)
        assert f"{tree.history_count:,} places" in PROSE
    assert {name: names()[name].history_count for name in ("tree", "jacks", "aces")} == {"tree": 16, "jacks": 15, "aces": 85}


def test_who_beats_the_ace_loses_as_it_is_told() -> None:
    """The other jack is thrown in, nothing beats it, and the king goes out; who takes has a card for each, and then none that can be beaten but one."""
    game = after(names()["ace"], Move("beat Ac Jh"))
    ending = endgame.solve_endgame(game)
    assert [str(move) for move in ending.best_moves] == ["throw Js"]
    game = after(game, Move("throw Js"))
    assert [str(move) for move in game.legal_moves()] == ["take"]
    for card, with_what in (("Kc", "Ac"), ("Js", "Jh")):
        game = after(after(names()["ace"], Move("take")), Move(f"attack {card}"))
        game = after(game, Move(f"beat {card} {with_what}"))
        while game.actor == 1:
            game = after(game, Move("pass"))
        can = [card for card in game.hands[0] if any(beats(other, card) for other in game.hands[1])]
        assert game.attacker == 0
        assert len(can) <= 1
        assert worth(game) == 1
