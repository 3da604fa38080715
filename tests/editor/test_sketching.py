"""A tree drawn by hand: what may be done, what is refused and why, what is still missing, what comes out of it."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from durak_widget import editor, gametheory
from durak_widget.board.message_parsing import MessageError
from durak_widget.editor.tree_editor import Sketched
from durak_widget.editor.view_model import Seen
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import TreeError
from durak_widget.translated_errors import RefusedError


def signals() -> Sketched:
    """Two ways of chance, each with two messages; nothing is joined, nothing is worth anything yet."""
    sketch = Sketched()
    sketch.chance(0)
    for node in sketch.draft.places[0].below:
        for message in ("beer", "quiche"):
            sketch.move(node, message, seat=0)
    return sketch


def test_a_game_is_drawn_and_is_that_of_the_book() -> None:
    """Entry, move by move: the tree that comes out is the one that gametheory.grow makes."""
    sketch = Sketched()
    for seat, name in enumerate(("Entrant", "Incumbent")):
        sketch.player(seat, name)
    enters, out = sketch.move(0, "enters"), sketch.move(0, "stays out")
    yields, fights = sketch.move(enters, "yields"), sketch.move(enters, "fights")
    for node, worth in ((out, "0, 2"), (yields, "1 1"), (fights, "-1; −1")):
        sketch.pay(node, worth)
    places = {
        "": gametheory.Turn(0, "", [("enters", "e"), ("stays out", "o")]),
        "e": gametheory.Turn(1, "", [("yields", "y"), ("fights", "f")]),
        "o": gametheory.End((0, 2)),
        "y": gametheory.End((1, 1)),
        "f": gametheory.End((-1, -1)),
    }
    assert sketch.tree == gametheory.grow("", places.__getitem__, seats=2, names=("Entrant", "Incumbent"))
    assert sketch.lacks == []


def test_the_next_player_is_guessed_as_one_draws() -> None:
    """After a move of one the other acts; beside a place where somebody acts, the same one does."""
    sketch = Sketched()
    first, second = sketch.move(0), sketch.move(0)
    sketch.move(first)
    sketch.move(second)
    assert [sketch.draft.places[node].actor for node in (0, first, second)] == [0, 1, 1]


def test_what_is_done_to_a_set_is_done_at_each_of_its_places() -> None:
    """A move that is added, named, shifted or taken away is so wherever the player cannot tell."""
    sketch = signals()
    strong, weak = sketch.draft.places[0].below
    sketch.join(strong, weak)
    sketch.move(strong, "tea")
    beer = sketch.draft.places[strong].below[0]
    sketch.rename(beer, "ale")
    sketch.shift(beer, 1)
    assert sketch.draft.moves(weak) == ("quiche", "ale", "tea")
    sketch.remove(sketch.draft.places[weak].below[0])
    assert sketch.draft.moves(strong) == ("ale", "tea")
    assert len(sketch.draft.places[strong].below) == len(sketch.draft.places[weak].below) == 2


def test_an_end_that_is_joined_gets_the_same_moves() -> None:
    """Either way round; and places whose moves stand in another order are drawn in the same."""
    sketch = signals()
    strong, weak = sketch.draft.places[0].below
    end = sketch.draft.places[strong].below[0]
    other = sketch.draft.places[weak].below[0]
    sketch.move(end, "duel", seat=1)
    sketch.join(other, end)
    assert sketch.draft.moves(other) == ("duel",)
    assert sketch.draft.members(other) == sketch.draft.members(end)
    sketch.shift(sketch.draft.places[weak].below[0], 1)
    sketch.join(strong, weak)
    assert [sketch.draft.move_to(node) for node in sketch.draft.places[weak].below] == ["beer", "quiche"]
    assert sketch.draft.places[sketch.draft.places[weak].below[0]].actor == 1


REFUSED = {
    "itself": (lambda sketch: sketch.join(1, 1), "A place is not joined with itself"),
    "two ends": (lambda sketch: sketch.join(3, 6), "Nobody is to move at either of these places"),
    "chance": (lambda sketch: sketch.join(0, 1), "What chance does nobody chooses"),
    "twice joined": (lambda sketch: (sketch.join(1, 2), sketch.join(1, 2)), "The player cannot tell these two places apart already"),
    "two players": (
        lambda sketch: (sketch.give(2, 1), sketch.join(1, 2)),
        "At one of these places Player 1 is to move, at the other Player 2",
    ),
    "other moves": (
        lambda sketch: (sketch.move(2, "tea"), sketch.join(1, 2)),
        "the moves of Player 1 are beer, quiche, at the other beer, quiche, tea: whoever cannot tell two places apart has the same moves at both",
    ),
    "alone": (lambda sketch: sketch.part(1), "can tell this place from all others already"),
    "a name twice": (lambda sketch: sketch.move(1, "beer"), "There is a move “beer” here already"),
    "renamed twice": (lambda sketch: sketch.rename(sketch.draft.places[1].below[0], "quiche"), "There is a move “quiche” here already"),
    "no name": (lambda sketch: sketch.move(1, "  "), "A name has at least one letter"),
    "a long name": (lambda sketch: sketch.move(1, "x" * 81), "at most 80 letters"),
    "the root": (lambda sketch: sketch.rename(0, "x"), "Nothing leads to the beginning"),
    "no chance": (lambda sketch: sketch.likely(sketch.draft.places[1].below[0], "1/2"), "It is not chance that leads here"),
    "no probability": (lambda sketch: sketch.likely(1, "3/2"), "“3/2” is no probability"),
    "no number": (lambda sketch: sketch.likely(1, "often"), "“often” is no number"),
    "no end": (lambda sketch: sketch.pay(1, "1, 0"), "This is no end"),
    "one payoff": (lambda sketch: sketch.pay(sketch.draft.places[1].below[0], "1"), "“1” does not say what each player gets"),
    "three payoffs": (lambda sketch: sketch.pay(sketch.draft.places[1].below[0], 1, 2, 3), "does not say what each player gets"),
    "no payoff": (lambda sketch: sketch.pay(sketch.draft.places[1].below[0], "1, much"), "“much” is no number"),
    "nobody": (lambda sketch: sketch.give(sketch.draft.places[1].below[0], 1), "No player is to move here"),
    "nobody knows": (lambda sketch: sketch.know(0, "all"), "No player is to move here"),
    "chance joined": (lambda sketch: (sketch.join(1, 2), sketch.give(1, None)), "This place is joined with others"),
    "nothing copied": (lambda sketch: sketch.paste(sketch.draft.places[1].below[0]), "Nothing has been copied yet"),
    "no room": (lambda sketch: (sketch.copy(1), sketch.paste(2)), "Something follows here already"),
    "no such player any more": (
        lambda sketch: (
            sketch.add_player(),
            sketch.give(2, 2),
            sketch.copy(2),
            sketch.remove(2),
            sketch.drop_player(2),
            sketch.paste(sketch.draft.places[1].below[0]),
        ),
        "of player 3 too: add a player first",
    ),
    "a seventh": (lambda sketch: [sketch.add_player() for _ in range(5)], "More than 6 players are not drawn"),
    "who acts": (lambda sketch: sketch.drop_player(0), "Player 1 is still to move somewhere"),
    "the last": (lambda sketch: (sketch.drop_player(1), sketch.drop_player(0)), "A game has at least one player"),
}


def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_lost() -> None:
    """Each refusal says why; the sketch is as the last deed that could be done left it."""
    for does, says in REFUSED.values():
        sketch, steps = signals(), []
        sketch.stepped = steps.append
        with pytest.raises(RefusedError, match=re.escape(says)):
            does(sketch)
        assert sketch.draft == (steps[-1].draft if steps else signals().draft)
        assert {one.known for one in sketch.draft.places.values() if one.known >= 0} == {*sketch.draft.sets}


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (lambda sketch: sketch.move(99), "99 is no place of this sketch; there are 0"),
        (lambda sketch: sketch.move("root"), "'root' is no place"),
        (lambda sketch: sketch.move(0, seat=2), "2 is no seat of this sketch; the seats are 0 to 1"),
        (lambda sketch: sketch.player(-1, "Ann"), "-1 is no seat"),
        (lambda sketch: sketch.shift(0, "up"), "a branch is moved by a whole number of places"),
    ],
)
def test_what_only_code_can_get_wrong_is_said_in_english(does, says) -> None:
    """No page sends such a thing."""
    with pytest.raises(MessageError, match=re.escape(says)):
        does(Sketched())


def test_what_is_missing_is_said_one_by_one() -> None:
    """Nothing drawn, a payoff that nobody typed, probabilities that do not add up; in the end nothing."""
    sketch = Sketched()
    assert sketch.lacks == ["Nothing is drawn yet: add a move, let chance decide, or type what the game is worth."]
    sketch.chance(0)
    one, two = sketch.draft.places[0].below
    assert [said.partition(":")[0] for said in sketch.lacks] == ["After “a”", "After “b”"]
    sketch.pay(one, 1, 0)
    sketch.pay(two, 0, 1)
    assert sketch.lacks == []
    assert sketch.tree.chances[0].probabilities == (Fraction(1, 2), Fraction(1, 2))
    sketch.likely(one, "2/3")
    assert sketch.tree.chances[0].probabilities == (Fraction(2, 3), Fraction(1, 3))
    sketch.likely(two, "1/2")
    assert sketch.lacks == ["At the beginning the probabilities of chance add up to 7/6, which is more than 1."]
    sketch.likely(two, "1/4")
    assert sketch.lacks == ["At the beginning the probabilities of chance add up to 11/12, and not to 1."]
    with pytest.raises(RefusedError, match="add up to 11/12"):
        _ = sketch.tree
    assert repr(sketch) == "<Sketch of 3 places; missing: 1>"


def test_an_unfinished_sketch_is_drawn_with_question_marks() -> None:
    """What is missing is seen, what is there too; and the picture of it is one."""
    sketch = signals()
    first, second = sketch.draft.places[0].below
    sketch.likely(first, 1)
    sketch.likely(second, "1/2")
    sketch.pay(sketch.draft.places[first].below[0], 1, None)
    drawing = Seen(sketch.draft).drawing
    assert ["1", "?"] in drawing["ends"].values()
    assert [one["likely"] for one in drawing["chances"]["0"]["moves"]] == ["1", "1/2"]
    assert Seen(sketch.draft).svg.count(">?<") == 7


def test_a_copy_has_sets_of_its_own_or_is_joined_with_the_first() -> None:
    """What was joined in it is so in the copy; asked for so, the players cannot tell the two."""
    for joined in (False, True):
        sketch = signals()
        strong, weak = sketch.draft.places[0].below
        sketch.join(strong, weak)
        end = sketch.draft.places[strong].below[0]
        sketch.copy(0)
        sketch.paste(end, joined=joined)
        copies = sketch.draft.places[end].below
        assert len(sketch.draft.members(copies[0])) == (4 if joined else 2)
        assert {*copies} <= {*sketch.draft.members(copies[0])}


def test_a_copy_is_of_when_it_was_made() -> None:
    """What happens to the first afterwards does not matter to it."""
    sketch = signals()
    first, _second = sketch.draft.places[0].below
    sketch.copy(first)
    sketch.cut(first)
    sketch.paste(first)
    assert sketch.draft.moves(first) == ("beer", "quiche")


def test_every_step_is_taken_back_and_done_again() -> None:
    """One looks where it happened, or at what that hung on."""
    sketch = signals()
    first = sketch.draft.places[0].below[0]
    end = sketch.move(first, "tea")
    sketch.pay(end, 1, 2)
    seen = []
    sketch.stepped = seen.append
    assert sketch.undo()
    assert seen[-1].at == end
    assert sketch.undo()
    assert (end in sketch.draft.places, seen[-1].at) == (False, first)
    assert sketch.redo()
    assert sketch.redo()
    assert not sketch.redo()
    assert sketch.draft.places[end].worth == (1, 2)


def test_what_changes_nothing_is_no_step() -> None:
    """To name a thing as it is called already is not taken back."""
    sketch = signals()
    steps = sketch.steps.past
    first = sketch.draft.places[0].below[0]
    sketch.give(first, 0)
    sketch.rename(sketch.draft.places[first].below[0], "beer")
    assert sketch.steps.past == steps


def test_chance_and_players_hand_over_their_branches() -> None:
    """A place where a player acts is made one of chance with the same ways, and back."""
    sketch = signals()
    first = sketch.draft.places[0].below[0]
    sketch.give(first, None)
    assert sketch.draft.shares(first) == [Fraction(1, 2), Fraction(1, 2)]
    sketch.give(first, 1)
    assert (sketch.draft.places[first].actor, sketch.draft.moves(first)) == (1, ("beer", "quiche"))


def test_who_forgets_that_he_was_there_is_drawn_too() -> None:
    """A place may be joined with one that follows it; taken away, both are whole."""
    sketch = Sketched()
    on = sketch.move(0, "on")
    sketch.move(0, "off")
    sketch.join(on, 0)
    assert sketch.draft.members(on) == [0, on]
    sketch.move(0, "back")
    assert len(sketch.draft.places) == 7
    sketch.remove(sketch.draft.places[0].below[1])
    assert sketch.draft.moves(on) == ("on", "back")
    sketch.remove(on)
    assert sketch.draft.moves(0) == ("back",)


def test_a_large_tree_is_not_sketched() -> None:
    """Nobody draws so much by hand: it says so, and so does a sketch that has become so large."""
    wide = gametheory.grow(
        0, lambda at: gametheory.End((at,)) if at else gametheory.Turn(0, "", [(str(one), one) for one in range(1, 2001)]), seats=1
    )
    with pytest.raises(RefusedError, match="2,001 places, and a sketch has at most 2,000"):
        Sketched(wide)
    with pytest.raises(TreeError, match="no tree of a game"):
        Sketched("kuhn")
    sketch = Sketched(
        gametheory.grow(
            0, lambda at: gametheory.End((at,)) if at else gametheory.Turn(0, "", [(str(one), one) for one in range(1, 2000)]), seats=1
        )
    )
    with pytest.raises(RefusedError, match="at most 2,000 places"):
        sketch.move(0, "one more")


def test_it_is_saved_as_its_name_ends(tmp_path) -> None:
    """A file of Gambit that is read as the same tree, a cell of Python that makes it, a picture."""
    sketch = editor.Sketch(gametheory.textbook("beer-quiche"))
    for ending in ("efg", "py", "tex", "svg"):
        sketch.save(tmp_path / f"quiche.{ending}")
    assert gametheory.from_efg((tmp_path / "quiche.efg").read_text("utf-8")) == gametheory.textbook("beer-quiche")
    made: dict[str, object] = {}
    exec((tmp_path / "quiche.py").read_text("utf-8"), made)  # noqa: S102 - our own
    assert made["tree"] == gametheory.textbook("beer-quiche")
    assert (tmp_path / "quiche.svg").read_text("utf-8") == sketch.svg()
    assert r"\begin{tikzpicture}" in (tmp_path / "quiche.tex").read_text("utf-8")
    with pytest.raises(DurakError, match=r"a sketch is saved as \.efg, \.py, \.tex or \.svg, and 'quiche\.doc' ends otherwise"):
        sketch.save("quiche.doc")
    with pytest.raises(RefusedError, match="Nothing is drawn yet"):
        editor.Sketch().save(tmp_path / "nothing.efg")
    assert not (tmp_path / "nothing.efg").exists()
