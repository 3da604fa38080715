"""Test the matrix editor: cells, strategies, names, undo, and its result as a matrix board."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget import board, editor, gametheory
from durak_widget.board.message_parsing import MessageError
from durak_widget.editor.matrix_draft import MatrixDraft
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator
from durak_widget.translated_errors import RefusedError
from support.spoken import english

SEEDS = st.integers(min_value=0, max_value=2**32)


def send_messages(sketch, *messages):
    """Send messages to the sketch, and return its messages to the page."""
    replies = []
    sketch.send = replies.append
    for message in messages:
        sketch._receive_message(sketch, message, [])
    return replies


def test_a_matrix_can_be_written_by_messages_alone():
    """Each kind of message is used. The result equals the matrix made in code."""
    sketch = editor.MatrixSketch()
    cells = [{"kind": "set_cell", "row": n // 2, "column": n % 2, "text": text} for n, text in enumerate(("3,3", "0; 5", "5 0", "1, 1"))]
    assert not send_messages(
        sketch,
        {"kind": "rename_player", "player": 0, "text": "Ann"},
        {"kind": "rename_strategy", "player": 0, "index": 0, "text": "silent"},
        *cells,
        {"kind": "add_strategy", "player": 1},
        {"kind": "shift_strategy", "player": 1, "index": 2, "step": -2},
        {"kind": "remove_strategy", "player": 1, "index": 0},
        {"kind": "undo"},
        {"kind": "redo"},
    )
    assert sketch.missing_items == []
    again = board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "B"], names=("Ann", "Column"))
    assert str(board.Matrix(sketch.matrix)) == str(again)
    (sent,) = send_messages(sketch, {"kind": "export", "format": "python"})
    namespace: dict[str, object] = {}
    exec(sent["text"].replace("board.Matrix", "matrix = board.Matrix"), namespace)  # noqa: S102 - our own
    assert str(namespace["matrix"]) == str(again)
    assert sketch.svg().startswith("<svg")


def test_a_single_number_is_the_other_players_loss():
    """Two numbers may have any separator. Other text is refused, and nothing is lost."""
    sketch = editor.MatrixSketch([[1, -1], [-1, 1]])
    for text, cell in {
        "2": (2, -2),
        "1/2": (Fraction(1, 2), Fraction(-1, 2)),
        "1,5": (1, 5),
        "1 1/2": (1, Fraction(1, 2)),
        "": (None, None),
    }.items():
        sketch.set_cell(0, 0, text)
        assert sketch.draft.cells[0][0] == cell
    sketch.set_cell(0, 0, 3, None)
    assert sketch.matrix_draft_view["cells"][0][0] == "3, ?"
    with pytest.raises(RefusedError, match=english("sketch.refused.number", text="a lot")):
        sketch.set_cell(0, 0, "1, a lot")
    with pytest.raises(RefusedError, match=english("sketch.refused.payoffs")):
        sketch.set_cell(0, 0, "1, 2, 3")
    assert sketch.draft.cells[0][0] == (3, None)


def test_a_pasted_table_fills_cells_and_adds_rows_and_columns_in_one_step():
    """Cells with two numbers or one, and empty ones. Other cells stay."""
    sketch = editor.MatrixSketch([[(7, 7), (8, 8)], [(9, 9), (6, 6)]])
    before = sketch.draft
    text = "2,1\t0 0\t-1\r\n(1; 2)\t\t\u22121/2,\u00a00\r\n"
    assert not send_messages(sketch, {"kind": "paste_table", "row": 1, "column": 0, "text": text})
    nothing = (None, None)
    assert sketch.draft.cells == (
        ((7, 7), (8, 8), nothing),
        ((2, 1), (0, 0), (-1, 1)),
        ((1, 2), nothing, (Fraction(-1, 2), 0)),
    )
    assert sketch.draft.strategies == (("A", "B", "C"), ("a", "b", "c"))
    assert sketch.undo()
    assert sketch.draft == before
    sketch.paste_table(0, 1, "1 2\n\n3 4")
    assert [row[1] for row in sketch.draft.cells] == [(1, 2), nothing, (3, 4)]


@pytest.mark.parametrize(
    ("text", "key", "facts"),
    [
        ("1\t2\n3\ta lot", "sketch.refused.table", {"row": "2", "column": "2"}),
        ("A\tB\n1\t2", "sketch.refused.table", {"row": "1", "column": "1"}),
        ("1 2 3\n4 5 6", "sketch.refused.table", {"row": "1", "column": "1"}),
        ("\t".join("1" * 20), "sketch.refused.plans", {"most": "20"}),
        ("\n".join("1" * 21), "sketch.refused.plans", {"most": "20"}),
        ("Once upon a time\n" * 2000, "sketch.refused.plans", {"most": "20"}),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_in_a_sentence_and_changes_nothing(text, key, facts):
    """The sentence names the first cell that isn't payoffs, or the largest size."""
    for language in ("en", "lt", "ru"):
        sketch = editor.MatrixSketch(language=language)
        begun = sketch.draft
        (reply,) = send_messages(sketch, {"kind": "paste_table", "row": 0, "column": 1, "text": text})
        assert reply["kind"] == "error"
        if language == "en":
            assert english(key, **facts).search(reply["text"])
        assert (sketch.draft, sketch.history.undo_count) == (begun, 0)


@settings(max_examples=50)
@given(st.text(st.sampled_from("12 ,;-\t\n\r/x\u200b\ud800"), max_size=60) | st.text(max_size=40))
def test_any_pasted_text_is_one_step_or_none(text):
    """Accepted tables can be undone; the page can show what it gets."""
    sketch = editor.MatrixSketch()
    begun = sketch.draft
    for reply in send_messages(sketch, {"kind": "paste_table", "row": 1, "column": 1, "text": text}):
        assert reply["text"].encode()
        assert sketch.draft == begun
    assert sketch.history.undo_count == (sketch.draft != begun)
    sketch.close()


REFUSED = {
    "a name twice": ({"kind": "rename_strategy", "player": 0, "index": 1, "text": "A"}, "sketch.refused.plan_twice", {"plan": "A"}),
    "a player twice": ({"kind": "rename_player", "player": 0, "text": " b "}, "sketch.refused.player_twice", {"name": "b"}),
    "no name": ({"kind": "rename_strategy", "player": 1, "index": 1, "text": " "}, "sketch.refused.nameless", {}),
    "a number": ({"kind": "set_cell", "row": 0, "column": 0, "text": "1; x"}, "sketch.refused.number", {"text": "x"}),
    "a file": ({"kind": "export", "format": "svg"}, "sketch.lacks.cell", {"row": "A", "column": "a"}),
}


def test_refusals_are_in_the_page_language():
    """Trees do the same."""
    for message, key, facts in REFUSED.values():
        for language in ["en", "lt", "ru"]:
            sketch = editor.MatrixSketch(language=language)
            sketch.rename_player(1, "b")
            begun = sketch.draft
            assert send_messages(sketch, message) == [{"kind": "error", "text": Translator(language).translate(key, **facts)}]
            assert sketch.draft == begun


def test_default_player_names_follow_the_page_language():
    """Given names stay."""
    for language, names in [("en", ("Row", "Column")), ("lt", ("Eilutė", "Stulpelis")), ("ru", ("Строка", "Столбец"))]:
        assert editor.MatrixSketch(language=language).draft == MatrixDraft(names=names)
        assert editor.MatrixSketch([[1]], language=language).draft.names == ("Row", "Column")


def test_a_matrix_has_one_to_twenty_strategies_per_player():
    """The last one can't be removed."""
    sketch = editor.MatrixSketch([[1]])
    for seat in (0, 1):
        with pytest.raises(RefusedError, match=english("sketch.refused.last_plan")):
            sketch.remove_strategy(seat, 0)
    for _ in range(19):
        sketch.add_strategy(0)
    with pytest.raises(RefusedError, match=english("sketch.refused.plans", most="20")):
        sketch.add_strategy(0)
    with pytest.raises(RefusedError, match=english("sketch.refused.plans", most="20")):
        editor.MatrixSketch([[0]] * 21)


def test_malformed_messages_are_refused_and_change_nothing():
    """The error is in English, like all errors of programs."""
    for message in [
        None,
        {"kind": "dance"},
        {"kind": "set_cell", "row": 2, "column": 0, "text": "1"},
        {"kind": "set_cell", "row": 0, "column": "a", "text": "1"},
        {"kind": "paste_table", "row": 0, "column": 2, "text": "1\t2"},
        {"kind": "paste_table", "row": 0, "column": 0, "text": ["1", "2"]},
        {"kind": "add_strategy", "player": 2},
        {"kind": "remove_strategy", "player": 0, "index": -1},
        {"kind": "shift_strategy", "player": 0, "index": 0, "step": "on"},
        {"kind": "export", "format": "efg"},
    ]:
        sketch = editor.MatrixSketch(language="ru")
        begun = sketch.draft
        with pytest.raises(MessageError):
            sketch.handle_message(message)
        assert (sketch.draft, sketch.history.undo_count) == (begun, 0)


def random_action(sketch, rng):
    """Do one random action."""
    seat = rng.randrange(2)
    place, rows, columns = rng.randrange(len(sketch.draft.strategies[seat])), *map(len, sketch.draft.strategies)
    deeds = {
        "add": lambda: sketch.add_strategy(seat),
        "drop": lambda: sketch.remove_strategy(seat, place),
        "shift": lambda: sketch.shift_strategy(seat, place, rng.choice((-1, 1))),
        "rename": lambda: sketch.rename_strategy(seat, place, rng.choice("AxyB")),
        "player": lambda: sketch.rename_player(seat, rng.choice(("Ann", "Bob"))),
        "paste": lambda: sketch.paste_table(rng.randrange(rows), rng.randrange(columns), rng.choice(("1\t2", "1 2\n3\n", "1\tx"))),
        "put": lambda: sketch.set_cell(rng.randrange(rows), rng.randrange(columns), rng.choice(("1", "2, 0", ""))),
    }
    deeds[rng.choice([*deeds])]()


@settings(max_examples=30)
@given(SEEDS)
def test_every_action_can_be_undone_and_redone(seed):
    """Each row keeps as many cells as there are columns."""
    rng, sketch = Random(seed), editor.MatrixSketch()
    states = [sketch.draft]
    for _ in range(20):
        with suppress(RefusedError):
            random_action(sketch, rng)
        if sketch.draft != states[-1]:
            states.append(sketch.draft)
        rows, columns = sketch.draft.strategies
        assert [len(line) for line in sketch.draft.cells] == [len(columns)] * len(rows)
        assert len({*rows}) == len(rows)
    for before in reversed(states[:-1]):
        assert sketch.undo()
        assert sketch.draft == before
    assert not sketch.undo()
    for after in states[1:]:
        assert sketch.redo()
        assert sketch.draft == after
    sketch.close()


def test_file_format_follows_the_file_name(tmp_path):
    """Python and pictures can be saved only when nothing is missing."""
    sketch = editor.MatrixSketch([[(1, 2), ("1/3", 0)]])
    for ending in (".py", ".nfg", ".svg"):
        sketch.save(tmp_path / f"game{ending}")
    assert gametheory.from_nfg((tmp_path / "game.nfg").read_text("utf-8")).payoffs == sketch.matrix.payoffs
    assert "Fraction(1, 3)" in (tmp_path / "game.py").read_text("utf-8")
    with pytest.raises(DurakError, match=re.escape("'game.doc'")):
        sketch.save("game.doc")
    sketch.set_cell(0, 0, None, None)
    with pytest.raises(RefusedError, match=english("sketch.lacks.cell", row="A", column="a")):
        sketch.save(tmp_path / "none.svg")
    assert not (tmp_path / "none.svg").exists()
    data, _ = sketch._repr_mimebundle_()
    assert "?" not in data["text/plain"].splitlines()[0]
    with pytest.raises(DurakError, match="Did you mean 'theme'"):
        editor.MatrixSketch(them="dark")
