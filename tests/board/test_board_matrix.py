"""Test the matrix board: elimination, its reasons, texts and messages, and which messages it refuses."""

from __future__ import annotations

import gc
import json
import re
import weakref
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import DurakError, Game, analysis, board, gametheory
from durak_widget.board.iterated_elimination import IteratedElimination
from durak_widget.board.matrix_view_model import MatrixWording
from durak_widget.board.message_parsing import MessageError
from durak_widget.gametheory.strategic_form import DominatedStrategy, matrix_from_payoffs
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets.user_defaults import defaults
from support.asked import Asks
from support.spoken import english, english_text

KUHN = gametheory.from_efg((Path(__file__).parents[1] / "data" / "efg" / "kuhn.efg").read_text(encoding="utf-8"))
TWO = analysis.build_tree_from_position(Game.from_position("econ431", hands=["Qh Ks", "Kh Kc"], trump="h"), open_hands=True)
DILEMMA = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}


def dilemma(**more):
    """Return a matrix board of the prisoner's dilemma."""
    return board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **DILEMMA, **more)


def reply_to(view, message):
    """Return what the page gets when it sends a message."""
    replies = []
    view.send = replies.append
    view._receive_message(view, message, [])
    return [reply["text"] for reply in replies]


GAMES = st.builds(
    lambda rows, columns, numbers, most: [
        [(numbers[2 * (row * columns + at)] % most, numbers[2 * (row * columns + at) + 1] % most) for at in range(columns)]
        for row in range(rows)
    ],
    st.integers(1, 5),
    st.integers(1, 5),
    st.lists(st.integers(0, 10**6), min_size=50, max_size=50),
    st.sampled_from([2, 3, 9]),
)


@given(GAMES)
def test_matrix_board_eliminates_the_same_strategies_as_eliminate_dominated(payoffs):
    """Compare with `weak=True` until a mixed strategy dominates, which that function does not look for."""
    table = matrix_from_payoffs(payoffs)
    striking, steps = IteratedElimination(table), table.eliminate_dominated(weak=True).steps
    for known in steps:
        step = striking.find_next_step()
        assert step is not None
        if len(step.dominated_by) > 1:
            return
        plans = (table.rows, table.columns)[step.player]
        assert (step.player, plans[step.strategy].short_label, step.is_strict) == (known.player, known.strategy, known.is_strict)
        assert striking.remaining_matrix.eliminate_dominated(weak=True).steps[0] == known
        striking.eliminate(step)
    step = striking.find_next_step()
    assert step is None or len(step.dominated_by) > 1


@given(GAMES, st.integers(0, 1), st.integers(0, 4))
def test_each_strategy_is_eliminated_or_gets_a_reason_why_not(payoffs, seat, place):
    """The reason is a cell in which it is better than its closest rival. What dominates it is better."""
    table = matrix_from_payoffs(payoffs)
    striking = IteratedElimination(table)
    alive = striking.remaining_strategies(seat)
    place %= len(alive)
    player_payoffs = [[cell[seat] for cell in line] for line in (table.payoffs if seat == 0 else zip(*table.payoffs, strict=True))]
    step = striking.find_domination(seat, place)
    if step is not None:
        there = [sum(probability * player_payoffs[by][at] for by, probability in step.dominated_by) for at in range(len(player_payoffs[0]))]
        assert all(mine <= theirs for mine, theirs in zip(player_payoffs[place], there, strict=True))
        assert step.is_strict == all(mine < theirs for mine, theirs in zip(player_payoffs[place], there, strict=True))
        return
    why = striking.explain_not_dominated(seat, place)
    if why is None:
        assert len(alive) == 1
    elif why.opponent_strategy is None:
        assert player_payoffs[why.nearest_strategy] == player_payoffs[place]
    else:
        assert player_payoffs[place][why.opponent_strategy] > player_payoffs[why.nearest_strategy][why.opponent_strategy]
        assert not why.is_best_response or all(
            player_payoffs[place][why.opponent_strategy] > line[why.opponent_strategy]
            for at, line in enumerate(player_payoffs)
            if at != place
        )


def test_an_eliminated_strategy_can_be_restored():
    """Each step names its reason. A strategy that was dominated only after it is restored too."""
    view = dilemma()
    ann, bob = (DominatedStrategy(player, name, "silent", "talks", is_strict=True) for player, name in enumerate(("Ann", "Bob")))
    assert view.eliminate() == ann
    assert view.eliminate("silent", player=1) == bob
    assert list(view.eliminations) == [ann, bob]
    assert repr(view.remaining_matrix) == "<Matrix: 1 × 1>"
    assert view.undo() == bob
    assert repr(view.remaining_matrix) == "<Matrix: 1 × 2>"
    view.undo()
    assert view.undo() is None


def test_a_mixed_strategy_can_dominate():
    """Where no pure strategy dominates, the text shows the fractions of the mix."""
    view = board.Matrix([[4, 0], [0, 4], [1, 1]], rows=["up", "down", "middle"], columns=["l", "r"])
    assert view.eliminate() == DominatedStrategy(0, "Row", "middle", "1/2 up + 1/2 down", is_strict=True)
    assert f"1. {english_text('matrix.step.mix', name='Row', plan='middle', by='1/2 up + 1/2 down', other='Column')}" in str(view)


def test_an_undominated_strategy_is_not_eliminated_and_the_reason_is_shown():
    """Nothing changes."""
    for plan, seat, says in [
        ("talks", 0, english("matrix.kept.most", name="Ann", plan="talks", against="silent", payoff="5")),
        ("talks", None, "'talks'.*player=0.*player=1"),
        ("sings", 0, "'sings'"),
        (7, 0, "0 to 1"),
        (0, None, "0 needs a player"),
        (0, 5, "player .*not 5"),
    ]:
        view = dilemma()
        before = view.matrix_view
        with pytest.raises((MessageError, RefusedError), match=says):
            view.eliminate(plan, player=seat)
        assert (view.eliminations, view.matrix_view) == ((), before)


def test_each_reason_against_elimination_has_a_text():
    """Test no rival, a closest rival, equal payoffs, the last strategy and an eliminated one."""
    view = board.Matrix(
        [[(2, 0), (0, 0), (1, 0)], [(2, 0), (3, 0), (0, 0)], [(0, 0), (3, 0), (1, 0)]], rows=list("ABC"), columns=list("abc")
    )
    with pytest.raises(RefusedError, match=english("matrix.kept.near", name="Row", plan="A", by="B", against="c", less="0", payoff="1")):
        view.eliminate("A")
    with pytest.raises(RefusedError, match=english("matrix.kept.same", name="Column", plan="b", by="a")):
        view.eliminate("b")
    view = dilemma()
    view.eliminate()
    with pytest.raises(RefusedError, match=english("matrix.kept.only", name="Ann", plan="talks")):
        view.eliminate("talks", player=0)
    with pytest.raises(RefusedError, match=english("matrix.gone", name="Ann", plan="silent")):
        view.eliminate("silent", player=0)
    view.eliminate()
    with pytest.raises(RefusedError, match=english("matrix.nothing")):
        view.eliminate()


def test_trees_tables_and_pairs_are_shown_as_matrices():
    """Strategies and players of a tree are named in the tree's language."""
    assert repr(board.Matrix(TWO)) == repr(board.Matrix(gametheory.matrix(TWO))) == "<Matrix: 3 × 4>"
    assert board.Matrix(TWO, language="ru").matrix_view["rows"][2][0] == "ходит с К♠︎"
    assert board.Matrix(TWO, language="lt").matrix_view["names"] == ["Žaidėjas 1", "Žaidėjas 2"]
    assert board.Matrix(gametheory.matrix(TWO)).matrix_view["names"] == ["Player 1", "Player 2"]
    assert board.Matrix(KUHN).matrix_view["rows"][0][1].startswith("J: check; Q: check")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: board.Matrix([[1] * 65]), english_text("matrix.large", rows="1", columns="65")),
        (lambda: board.Matrix([["1", "x"]]), "payoff.*number or a fraction"),
        (lambda: board.Matrix("rock"), "payoffs.*list of rows"),
        (lambda: dilemma(theme="pink"), "theme .*'pink'"),
        (lambda: dilemma(them="dark"), "Matrix has no option 'them'. Did you mean 'theme'"),
        (lambda: board.Matrix(three_players(), language="ru"), english("matrix.two.other", count="3")),
        (
            lambda: board.Matrix(analysis.build_tree_from_position(Game.from_position(hands=["6c 8d 9h", "7c Td Jh"]), open_hands=True)),
            english("matrix.large"),
        ),
    ],
)
def test_unsuitable_games_are_refused_with_a_message(make, message):
    """The message gives the size if the game is too large."""
    with pytest.raises(DurakError, match=message):
        make()


def three_players():
    """Return a game of three players."""
    return gametheory.build_tree("", {"": gametheory.TerminalNode((1, 0, -1))}.__getitem__, player_count=3)


def test_all_messages_to_the_page_are_plain_json():
    """They go through JSON unchanged, and fractions are strings."""
    message = board.Matrix([[("1/3", 1), (0, 0)], [(0, 0), (2, "-1/2")]]).matrix_view
    assert json.loads(json.dumps(message)) == message
    assert message["payoffs"] == [["1/3", "1"], ["0", "0"], ["2", "-1/2"]]
    assert message["cells"] == [[0, 1], [1, 2]]
    assert message["best_responses"] == ["30", "21"]


def test_best_responses_are_among_the_remaining_strategies():
    """Eliminated strategies have none. 1 marks the row player's, 2 the column player's."""
    view = dilemma()
    assert view.matrix_view["best_responses"] == ["02", "13"]
    view.eliminate()
    assert view.matrix_view["best_responses"] == ["00", "13"]
    view.mark_best_responses(False)
    assert (view.matrix_view["marks"], "*" in str(view)) == (False, False)


@given(GAMES)
def test_a_cell_marked_for_both_players_is_a_pure_equilibrium(payoffs):
    """Compare with the pure equilibria of `gametheory.equilibria`."""
    view = board.Matrix(payoffs)
    both = {(row, at) for row, line in enumerate(view.matrix_view["best_responses"]) for at, mark in enumerate(line) if mark == "3"}
    assert both == {
        (equilibrium.row.index(1), equilibrium.column.index(1)) for equilibrium in view.list_equilibria() if equilibrium.is_pure
    }
    view.close()


def test_selected_cell_is_described_in_words():
    """You can select by name or number. Its best responses are described too."""
    view = dilemma()
    view.select_cell("talks", "silent")
    assert (view.selected_cell, view.matrix_view["text"]) == (
        (1, 0),
        " ".join(
            [
                english_text("matrix.cell", first="Ann", row="talks", second="Bob", column="silent"),
                english_text("matrix.worth", first="Ann", row_payoff="5", second="Bob", other="0"),
                english_text("matrix.best", name="Ann"),
            ]
        ),
    )
    view.select_cell(1, 1)
    assert view.matrix_view["text"].endswith(english_text("matrix.best.both"))
    view.language = "lt"
    assert view.matrix_view["text"].endswith(Translator("lt").translate("matrix.best.both"))
    view.select_cell()
    assert view.matrix_view["text"] == ""


def test_equilibria_are_listed_with_their_probabilities():
    """Each is described; the one shown has its probabilities, and notes on the list follow."""
    view = board.Matrix([[(3, 2), (0, 0)], [(0, 0), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob"))
    assert view.matrix_view["equilibria"] is None
    assert len(view.list_equilibria()) == 3
    assert reply_to(view, {"kind": "show_equilibrium", "index": 2}) == []
    found = view.matrix_view["equilibria"]
    assert found["list"][2] == english_text(
        "matrix.equilibrium",
        first="Ann",
        row="3/5 opera + 2/5 match",
        second="Bob",
        column="2/5 opera + 3/5 match",
        row_payoff="6/5",
        other="6/5",
    )
    assert (found["shown_index"], found["rows"], found["columns"], found["notes"]) == (
        2,
        ["3/5", "2/5"],
        ["2/5", "3/5"],
        [english_text("matrix.note.all")],
    )
    (refusal,) = reply_to(view, {"kind": "show_equilibrium", "index": 3})
    assert re.findall(r"\d+", refusal) == ["3", "0", "2"]
    assert reply_to(view, {"kind": "list_equilibria", "on": False}) == []
    assert view.matrix_view["equilibria"] is None


def test_every_note_on_equilibria_has_a_text():
    """Test one, all, infinitely many and too many equilibria, zero-sum and general games."""
    for code in LANGUAGES:
        big = [[(int(row == at), (7 * row + 3 * at) % 10) for at in range(12)] for row in range(12)]
        for payoffs in ([[1, -1], [-1, 1]], [[(1, 1), (0, 0)], [(0, 0), (1, 1)]], [[0, 0]], big, gametheory.matrix(KUHN)):
            found = gametheory.equilibria(payoffs)
            texts = MatrixWording(found.matrix, Translator(code)).describe_equilibria(found)
            assert len(texts) == 1 + (found.value is not None)
            assert all(line.endswith(".") and "{" not in line for line in texts)


MESSAGES = [
    None, [], {"kind": 7}, {"kind": "toggle"}, {"kind": "select_cell", "row": "0", "column": 0}, {"kind": "select_cell", "row": 0}, {"kind": "select_cell", "row": 0, "column": 2**70},
    {"kind": "eliminate", "player": 2, "strategy": 0}, {"kind": "eliminate", "player": 0, "strategy": 1.5}, {"kind": "eliminate", "player": 0, "strategy": 1}, {"kind": "show_best_responses", "on": "yes"},
    {"kind": "show_both_payoffs"}, {"kind": "list_equilibria", "on": 1}, {"kind": "show_equilibrium", "index": "first"}, {"kind": "show_equilibrium", "index": -1}, {"kind": "answer", "row": 0},
]  # fmt: skip


def test_invalid_messages_are_refused_and_change_nothing():
    """The page gets a message that says why."""
    for message in MESSAGES:
        view = dilemma()
        before = view.matrix_view
        (reply,) = reply_to(view, message)
        assert reply
        assert "Traceback" not in reply
        assert view.matrix_view == before


def test_valid_messages_change_the_matrix_board():
    """Test selecting, eliminating, undoing, marks and showing both payoffs."""
    view = board.Matrix([[1, 2], [0, 1]])
    assert reply_to(view, {"kind": "select_cell", "row": 1, "column": 0}) == []
    assert reply_to(view, {"kind": "eliminate", "player": 0, "strategy": 1}) == []
    assert (view.selected_cell, len(view.eliminations)) == ((1, 0), 1)
    assert (
        reply_to(view, {"kind": "undo_elimination"})
        == reply_to(view, {"kind": "show_both_payoffs", "on": True})
        == reply_to(view, {"kind": "show_best_responses", "on": False})
        == []
    )
    message = view.matrix_view
    assert (message["eliminated"], message["pairs"], message["marks"], message["is_zero_sum"]) == ([], True, False, True)
    assert reply_to(view, {"kind": "select_cell", "row": None, "column": None}) == []
    assert view.selected_cell is None


def test_exercises_hide_payoffs_and_best_responses():
    """Empty cells and dominance stay hidden. Answers go to the exercise."""
    view = board.Matrix([[(77, 1), (2, 3)], [(4, 5), (2, 3)]])
    view.question = task = Asks(
        "fill", cells={"0,0": {"text": "", "mark": "", "open": True}, "0,1": {"text": "", "mark": "", "open": True}}
    )
    message = view.matrix_view
    assert (message["cells"], message["payoffs"]) == ([[-1, -1], [2, 1]], [["", ""], ["2", "3"], ["4", "5"]])
    assert (message["best_responses"], message["can"]["eliminate"], message["marks"]) == ([], False, False)
    view.select_cell(0, 0)
    assert view.matrix_view["text"].endswith(english_text("matrix.cell.asked"))
    for kind in (
        {"kind": "eliminate"},
        {"kind": "show_best_responses", "on": True},
        {"kind": "list_equilibria", "on": True},
        {"kind": "show_equilibrium", "index": 0},
    ):
        assert reply_to(view, kind) == [english_text("matrix.asked")]
    assert reply_to(view, {"kind": "answer", "row": 0, "column": 0, "text": "77, 1"}) == []
    assert task.given == [{"row": 0, "column": 0, "text": "77, 1"}]
    assert view.question_view["question_kind"] == "fill"
    assert "77" not in str(view) + view.svg()
    assert "2, 3" in str(view)
    assert "*" not in str(view)
    view.question = None
    assert (view.question_view, view.matrix_view["best_responses"]) == ({}, ["13", "21"])


def test_picture_shows_the_whole_matrix():
    """It is valid XML without external references, and has every number, in all languages."""
    for code in LANGUAGES:
        view = board.Matrix(TWO, language=code)
        view.eliminate()
        view.list_equilibria()
        root = ET.fromstring(view.svg())  # noqa: S314 - our own
        texts = [text.strip() for text in root.itertext() if text.strip()]
        assert texts.count("1*°") == 4
        assert "http" not in view.svg().replace("http://www.w3.org/2000/svg", "")
        assert str(view) in texts
        bundle = view._repr_mimebundle_()[0]
        assert bundle["text/plain"] == str(view)
        assert bundle["text/html"].startswith('<div class="durak-picture"><style>')
        assert "application/vnd.jupyter.widget-view+json" in bundle


def test_names_are_escaped_in_pictures():
    """No name becomes markup."""
    view = board.Matrix([[1, 2]], rows=["<b>&"], columns=["a", '"<script>"'], names=("<i>", "B\0"))
    assert "<script>" not in view.svg()
    assert "<i>" not in view._build_static_bundle()["text/html"]
    assert view.matrix_view["rows"] == [["<b>&", "<b>&"]]
    ET.fromstring(view.svg())  # noqa: S314 - our own


def test_numbers_are_shown_as_fractions():
    """This includes values and mixed strategies."""
    view = board.Matrix([[Fraction(1, 3), -1], [-2, 1]])
    view.list_equilibria()
    assert "1/3" in str(view)
    assert "." not in str(view).replace(". ", " ").rstrip(".").replace(".\n", "\n")


def test_closed_matrix_boards_are_garbage_collected():
    """None of many closed boards stays alive."""
    references = []
    for _ in range(20):
        view = dilemma()
        view.list_equilibria()
        references.append(weakref.ref(view))
        view.close()
        del view
    gc.collect()
    assert sum(reference() is not None for reference in references) == 0


def test_the_page_can_change_only_language_and_theme():
    """The board starts in the reader's language. Other settings from the page are ignored."""
    defaults(language="lt")
    try:
        view = dilemma()
    finally:
        defaults(None)
    assert view.language == "lt"
    view.set_state({"theme": "dark", "language": "xx", "matrix_view": {}, "words": {}, "matrix": {}})
    assert (view.theme, view.language) == ("dark", "lt")
    assert view.matrix_view["names"] == ["Ann", "Bob"]
    assert view.words["lang"] == "lt"
