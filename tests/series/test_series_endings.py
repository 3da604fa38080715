"""Test lesson 11 on endings: each number is computed by full play, the tree and the endgame search."""

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
"""A mark for tests that compute the notebook's numbers again."""

if TYPE_CHECKING:
    from durak_widget import Card
    from durak_widget.engine.state import State
    from durak_widget.gametheory.tree import Tree

BOOK = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / "11_endings_solved.ipynb", as_version=4)
PROSE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "markdown")


@cache
def notebook_names() -> dict[str, Any]:
    """Return all names in the notebook's cells, with its exercises."""
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


def after_move(game: Game, move: Move) -> Game:
    """Return the game one move later."""
    later = game.copy()
    later.play(move)
    return later


KNOWN: dict[object, int] = {}
"""Values to seat 0 of positions that were played to the end."""


def full_value(game: Game) -> int:
    """Return the value to seat 0 by playing every line, without a tree or an endgame search."""
    return value_of_state(game._state)


def value_of_state(state: State) -> int:
    """Return the same for a position; nothing is hidden, so its key is enough."""
    if state.outcome is not None:
        return int(state.outcome.utilities[0])
    key = state.key()
    if key not in KNOWN:
        following = []
        for move in state_transitions.legal_moves(state):
            later = state.copy()
            state_transitions.apply_move(later, move)
            following.append(value_of_state(later))
        KNOWN[key] = max(following) if state.actor == 0 else min(following)
    return KNOWN[key]


def end_values(game: Game) -> list[int]:
    """Return the values to seat 0 at the end of each continuation."""
    if game.outcome is not None:
        return [int(game.outcome.utilities[0])]
    return [end for move in game.legal_moves() for end in end_values(after_move(game, move))]


def node_values(tree: Tree) -> list[int]:
    """Return the value of each history to seat 0, from the ends."""
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
    """Return the tree of an ending."""
    return analysis.build_tree_from_position(notebook_names()[name], open_hands=True)


def beats(card: Card, other: Card) -> bool:
    """Return whether one card beats the other with hearts as trumps."""
    if card.suit == other.suit:
        return "6789TJQKA".index(card.rank) > "6789TJQKA".index(other.rank)
    return card.suit == "h"


def children(tree: Tree, here: int = 0) -> dict[str, int]:
    """Return the successors of a history, by move."""
    return {tree.last_action(child): child for child in tree.children(here)}


def history_at(tree: Tree, *moves: str) -> int:
    """Return the history after these moves."""
    here = 0
    for move in moves:
        here = children(tree, here)[move]
    return here


POSITIONS = {"kings": 1, "seven": 1, "jack": 0, "spades": 1, "ace": 1, "sevens": 1}
"""Every ending of the lesson with its value to the student."""


@pytest.mark.parametrize("name", POSITIONS)
def test_an_ending_has_the_value_in_the_lesson(name: str) -> None:
    """Full play and the endgame search agree on each move."""
    game, ending = notebook_names()[name], endgame.solve_endgame(notebook_names()[name])
    assert game.actor == 0
    assert {move: full_value(after_move(game, move)) for move in game.legal_moves()} == ending.move_values
    assert full_value(game) == ending.value == POSITIONS[name]


@pytest.mark.parametrize("name", ["kings", "seven", "jack", "spades", "ace"])
def test_backward_induction_gives_the_same_values(name: str) -> None:
    """The solver and a loop of four lines agree with full play at each node."""
    tree = tree_of(name)
    found = node_values(tree)
    assert gametheory.solve(tree, "backward").value == found[0] == POSITIONS[name]
    deciding = [here for here, actor in enumerate(tree.actor) if actor >= 0]
    for here in deciding[:20]:
        assert full_value(analysis.restore_game(tree, here)) == found[here]


def test_one_card_wins_and_the_other_ties() -> None:
    """The first exercise's solution says so."""
    moves = {str(move): value for move, value in endgame.solve_endgame(notebook_names()["kings"]).move_values.items()}
    assert moves == {"attack Qh": 1, "attack Ks": 0}
    line = endgame.solve_endgame(after_move(notebook_names()["kings"], Move("attack Ks"))).best_line
    assert [str(move) for move in line] == ["beat Ks Kh", "attack Kc", "beat Kc Qh"]


def test_the_ends_of_the_kings_ending_are_counted() -> None:
    """There are nine: six wins, a tie and two losses. After the king of spades two of four are won."""
    game, tree = notebook_names()["kings"], notebook_names()["tree"]
    assert sorted(end_values(game)) == sorted(
        int(tree.payoffs[tree.infoset_of[here]][0]) for here, actor in enumerate(tree.actor) if actor == TERMINAL
    )
    assert [end_values(game).count(end) for end in (1, 0, -1)] == [6, 1, 2]
    assert len(end_values(game)) == 9
    king = end_values(after_move(game, Move("attack Ks")))
    assert (len(king), king.count(1)) == (4, 2)
    quiz = notebook_names()["11/ends"]
    assert quiz.answer("6").right
    for wrong in ("7", "2", "9"):
        quiz.restart()
        assert not quiz.answer(wrong).right


@pytest.mark.parametrize(("name", "count", "number"), [("11/three-values", 3, 3), ("11/values", 7, 4)])
def test_requested_values_match_full_play(name: str, count: int, number: int) -> None:
    """The exercise's solution and the printed one agree with full play."""
    quiz = notebook_names()[name]
    deciding = [here for here, actor in enumerate(quiz.tree.actor) if actor >= 0]
    true = [full_value(analysis.restore_game(quiz.tree, here)) for here in deciding]
    assert [int(text) for text in quiz.solution] == true
    assert len(true) == count
    [row] = re.findall(rf"^{number}\. (After .*)$", PROSE, re.MULTILINE)
    printed = [int(number.replace("−", "-")) for number in re.findall(r": (−?\d)\.", row)]
    assert sorted(printed) == sorted(true)
    assert printed[-1] == true[0]


def test_the_solution_path_is_unique() -> None:
    """At each of its four nodes another move is worse. It ends in the stated tie."""
    tree, found, here, path = notebook_names()["jacks"], node_values(notebook_names()["jacks"]), 0, []
    while tree.actor[here] != TERMINAL:
        sign = 1 if tree.actor[here] == 0 else -1
        best, *others = sorted(tree.children(here), key=lambda child: -sign * found[child])
        assert all(sign * found[other] < sign * found[best] for other in others)
        path.append(tree.last_action(best))
        here = best
    assert path == ["attack Js", "beat Js Qs", "throw Qc", "beat Qc Ac"] == notebook_names()["11/path"].solution
    assert tree.payoffs[tree.infoset_of[here]] == (0, 0)
    assert found[history_at(tree, "attack Js", "take")] == 1, "if Player 2 takes the jack, you win"


def test_both_players_can_force_the_tie() -> None:
    """A proof for either player is played against every reply."""
    game = notebook_names()["jack"]
    assert all(endgame.solve_endgame(game).prove(seat).is_valid(game) for seat in (0, 1))


def test_all_cards_but_one_cannot_be_beaten() -> None:
    """By the rules exactly one order wins, from the bottom up."""
    game = notebook_names()["spades"]
    unbeaten = [card for card in game.hands[0] if not any(beats(other, card) for other in game.hands[1])]
    assert " ".join(map(str, unbeaten)) == "8s Js Ks" == " ".join(notebook_names()["11/unbeaten"].solution)
    assert [str(move) for move in endgame.solve_endgame(game).best_moves] == ["attack 8s"]


def test_trees_have_the_stated_sizes() -> None:
    """They are counted in nodes."""
    for name in ("spades", "ace"):
        tree = tree_of(name)
        assert f"{tree.history_count:,} nodes" in PROSE
    assert {name: notebook_names()[name].history_count for name in ("tree", "jacks", "aces")} == {"tree": 16, "jacks": 15, "aces": 85}


def test_beating_the_ace_loses_as_the_text_says() -> None:
    """The other jack is thrown in and can't be beaten. After picking up, all but one card win."""
    game = after_move(notebook_names()["ace"], Move("beat Ac Jh"))
    ending = endgame.solve_endgame(game)
    assert [str(move) for move in ending.best_moves] == ["throw Js"]
    game = after_move(game, Move("throw Js"))
    assert [str(move) for move in game.legal_moves()] == ["take"]
    for card, with_what in (("Kc", "Ac"), ("Js", "Jh")):
        game = after_move(after_move(notebook_names()["ace"], Move("take")), Move(f"attack {card}"))
        game = after_move(game, Move(f"beat {card} {with_what}"))
        while game.actor == 1:
            game = after_move(game, Move("pass"))
        can = [card for card in game.hands[0] if any(beats(other, card) for other in game.hands[1])]
        assert game.attacker == 0
        assert len(can) <= 1
        assert full_value(game) == 1
