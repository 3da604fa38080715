"""Games in Gambit's form are read, whoever wrote them, and written so that others read them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.analysis.durak_tree import build_game_tree
from durak_widget.gametheory.gambit_files import EfgError, from_efg, to_efg
from durak_widget.gametheory.tree import (
    CHANCE,
    TERMINAL,
    ChanceMove,
    ChanceNode,
    DecisionNode,
    InfoSet,
    TerminalNode,
    build_tree,
    describe_imperfect_recall,
)
from support.tree_games import SMALL, small

FILES = {path.stem: path.read_text(encoding="utf-8") for path in (Path(__file__).parents[1] / "data" / "efg").glob("*.efg")}
SIZES = {
    "pennies": (7, 4, (1, 1)),
    "kuhn": (55, 30, (6, 6)),
    "signal": (15, 8, (2, 2)),
    "driver": (5, 3, (1,)),
    "horse": (9, 5, (1, 1, 1)),
    "centipede": (7, 4, (1, 1)),
}


def paid(tree, *moves):
    """What the history that these moves lead to is worth."""
    here = 0
    for move in moves:
        here = next(child for child in tree.children(here) if tree.last_action(child) == move)
    assert tree.actor[here] == TERMINAL
    return tree.payoffs[tree.infoset_of[here]]


def test_textbook_games_are_read():
    """Histories, ends and information sets are as many as the book draws."""
    for name, known in SIZES.items():
        tree = from_efg(FILES[name])
        assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == known


def test_every_file_is_a_test():
    """No file lies there unread."""
    assert FILES.keys() == SIZES.keys()


def test_what_is_written_is_read_as_the_same_tree():
    """There and back is the same game in the same words."""
    for name in SIZES:
        tree = from_efg(FILES[name])
        assert from_efg(to_efg(tree)) == tree


@given(st.lists(st.sampled_from(["", "x", "x #1", "x #2", "x #2 #2", " #2", "y"]), min_size=1, max_size=7))
def test_labels_are_kept_apart_and_come_back(labels):
    """Gambit takes no two alike of one player; each is written with its number, and read as it was, also where it ends in such a number itself."""

    def look(where):
        if where == len(labels):
            return TerminalNode((0,))
        return DecisionNode(0, where, [("on", where + 1), ("stop", len(labels))])

    tree = build_tree(0, look, player_count=1, label_infoset=lambda _, where: labels[where])
    text = to_efg(tree)
    said = [line.split('"')[3] for line in text.splitlines() if line.startswith("p ")]
    assert len(set(filter(None, said))) == len(list(filter(None, said))) == len(list(filter(None, labels)))
    assert from_efg(text) == tree


@pytest.mark.parametrize("name", [name for name in SMALL if name != "transfer"])
@pytest.mark.parametrize("open_hands", [False, True])
@pytest.mark.sample(6)
def test_durak_there_and_back(name, open_hands):
    """Any tree of ours too."""
    tree = build_game_tree(SMALL[name], dealer=1, open_hands=open_hands)
    assert from_efg(to_efg(tree)) == tree


def test_numbers_of_every_kind_are_exact():
    """Decimals, fractions, powers of ten and signs are the numbers that they say."""
    tree = from_efg(FILES["signal"])
    assert tree.chance_moves == [ChanceMove(("strong", "weak"), (Fraction(9, 10), Fraction(1, 10)))]
    assert paid(tree, "strong", "quiche", "defer") == (2, 1)
    assert paid(tree, "weak", "quiche", "duel") == (1, 1)
    assert paid(tree, "weak", "quiche", "defer") == (3, 0)


def test_moves_and_payoffs_said_once_hold_again():
    """An information set without its moves has those it had before, and an outcome its payoffs."""
    tree = from_efg(FILES["signal"])
    assert InfoSet(1, "beer", ("duel", "defer")) in tree.infosets
    assert paid(tree, "weak", "beer", "duel") == (0, 1)
    assert paid(from_efg(FILES["centipede"]), "go", "go", "shine") == (Fraction(3, 2), 2)


def test_what_is_paid_on_the_way_is_added_to_the_ends():
    """An outcome of an inner node counts at every end below it."""
    tree = from_efg(FILES["centipede"])
    assert paid(tree, "stop") == (1, 0)
    assert paid(tree, "go", "stop") == (-1, 3)
    assert paid(tree, "go", "go", "rain") == (Fraction(1, 2), 2)
    assert tree.title == 'A "centipede" that pays as it goes'


def test_who_forgets_is_named():
    """The driver does not know at which crossing he is; poker players remember."""
    assert describe_imperfect_recall(from_efg(FILES["driver"])) == "Driver forgets what they knew or did before 'a crossing'"
    assert [name for name in SIZES if describe_imperfect_recall(from_efg(FILES[name]))] == ["driver"]


def test_three_players_have_three_payoffs():
    """Each player has a name and is paid."""
    tree = from_efg(FILES["horse"])
    assert tree.names == ("One", "Two", "Three")
    assert paid(tree, "D", "L") == (3, 2, 2)


def test_rounded_chances_add_up():
    """A third written as 0.333 three times is a third."""
    tree = from_efg('EFG 2 R "" { "A" } c "" 1 "" { "a" 0.333 "b" 0.333 "c" 0.333 } 0 t "" 0 t "" 0 t "" 0')
    assert tree.chance_moves[0].probabilities == (Fraction(1, 3),) * 3


HEAD = 'EFG 2 R "" { "A" "B" }\n'
WRONG = {
    "": "line 1: the text ends here, and EFG 2 R is missing",
    "NFG 1 R": "line 1: an .efg file begins with EFG 2 R",
    "EFG 2 R title": "line 1: the title stands in quotation marks",
    'EFG 2 R "" { }': "line 1: a game has from 1 to 100 players",
    HEAD + 'q "" 1': "line 2: a node begins with c .* not 'q'",
    HEAD + 't "" 1 { 1 }': "line 2: an outcome has a payoff for each of the 2 players, and 1 are given",
    HEAD + 't "" 1 { 1 x }': "line 2: a payoff is a number such as 2, -0.5 or 1/3, not 'x'",
    HEAD + 't "" 1 { 1 1/0 }': "line 2: a payoff is a number",
    HEAD + 't "" 1': "line 2: outcome 1 comes for the first time",
    HEAD + 't "" -1 { 0 0 }': "line 2: the number of an outcome is a whole number from 0 on, not '-1'",
    HEAD + 'p "" 3 1 { "a" } 0': "line 2: player 3 is to act, and 2 players are named",
    HEAD + 'p "" 1 1 0': "line 2: information set 1 of player 1 comes for the first time",
    HEAD + 'p "" 1 1 { } 0': "line 2: information set 1 of player 1 has no move",
    HEAD + 'p "" 1 1 { "a" "b" } 0\n\nt "" 0': "line 4: the text ends here, and a node is missing",
    HEAD + 'p "" 1 1 { "a" } 0\np "" 1 1 { "b" } 0': 'line 3: information set 1 of player 1 had the moves "a" before, and has "b" here',
    HEAD + 'p "" 1 1 { "a" "b" } 0\nt "" 1 { 1 1 }\nt "" 1 { 1 2 }': "line 4: outcome 1 paid otherwise before",
    HEAD + 'c "" 1 { "a" 1/2 "b" 1/4 } 0': "line 2: the probabilities of chance must be at least 0 and add up to 1, not 3/4",
    HEAD + 't "" 0 t': "line 2: every move has led to its node",
    HEAD + 'p "" 1 1 { "a': "line 2: the name of a move stands in quotation marks",
}


def test_errors_name_the_line_and_what_would_be_right():
    """Whatever is wrong is told in a sentence."""
    for text, says in WRONG.items():
        with pytest.raises(EfgError, match=says):
            from_efg(text)


def deep(moves):
    """So many moves one after another."""
    return HEAD + "".join(f'p "" 1 {place + 1} {{ "a" "b" }} 0\nt "" 0\n' for place in range(moves)) + 't "" 0\n'


def wide(moves):
    """So many moves at one place."""
    return HEAD + 'p "" 1 1 { ' + '"m" ' * moves + "} 0\n" + 't "" 0\n' * moves


def test_what_nobody_has_drawn_is_refused():
    """Names, files, and games so deep or so wide that reading them would keep a notebook for minutes, each in a sentence; a little smaller they are read."""
    for text, says in {
        HEAD + 'p "' + "x" * 10_001 + '" 1 1': r"line 2: the name of a node has more than 10,000 signs",
        HEAD + " " * (20 * 2**20): "an .efg file has at most 20 MB, and this has 20",
        deep(10_001): r"line 2000\d: more than 10,000 moves lead here from the start",
        wide(10_001): "line 2: information set 1 of player 1 has more than 10,000 moves",
    }.items():
        with pytest.raises(EfgError, match=says):
            from_efg(text)


def test_a_long_name_costs_what_its_length_is():
    """A name of megabytes, with strokes or never ended, is refused at once and not taken in sign by sign."""
    for label in ('"' + "x" * 3_000_000 + '"', '"' + "\\x" * 1_500_000 + '"', '"' + "x" * 3_000_000):
        begun = process_time()
        with pytest.raises(EfgError, match=r"line 2: the name of a node"):
            from_efg(HEAD + f"p {label} 1 1")
        assert process_time() - begun < 1


def test_what_is_no_text_is_refused():
    """Bytes and paths are not read."""
    with pytest.raises(EfgError, match="read as its text"):
        from_efg(b"EFG 2 R")


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.fractions(min_value=-100, max_value=100, max_denominator=99)


@st.composite
def trees(draw):
    """Any small tree of one to three players, with names of every kind."""
    seats = draw(st.integers(1, 3))
    moves = {}

    def place(depth):
        kind = draw(st.integers(-2 if depth else -1, seats - 1)) if depth < 3 else TERMINAL
        if kind == TERMINAL:
            return TerminalNode(tuple(draw(st.tuples(*[NUMBERS] * seats))))
        if kind == CHANCE:
            shares = draw(st.lists(st.integers(0, 5), min_size=1, max_size=3).filter(any))
            return ChanceNode([(draw(NAMES), Fraction(share, sum(shares)), place(depth + 1)) for share in shares])
        knows = draw(st.integers(0, 3))
        if (kind, knows) not in moves:
            moves[kind, knows] = draw(st.lists(NAMES, min_size=1, max_size=3))
        return DecisionNode(kind, knows, [(name, place(depth + 1)) for name in moves[kind, knows]])

    labels = draw(st.lists(NAMES, min_size=4, max_size=4))
    names = draw(st.lists(NAMES, min_size=seats, max_size=seats))
    return build_tree(
        place(0), lambda found: found, player_count=seats, title=draw(NAMES), names=names, label_infoset=lambda _, knows: labels[knows]
    )


@given(trees())
def test_any_tree_comes_back(tree):
    """Whatever the names, numbers and shapes."""
    assert from_efg(to_efg(tree)) == tree


# What OpenSpiel makes of it


def walk(tree, state, here, memory):
    """Go through both at once: who acts, what is known, what may be done, how likely, what it is worth."""
    actor = tree.actor[here]
    if actor == TERMINAL:
        assert state.is_terminal()
        assert state.returns() == pytest.approx([float(worth) for worth in tree.payoffs[tree.infoset_of[here]]])
        return 1
    moves = (tree.chance_moves if actor == CHANCE else tree.infosets)[tree.infoset_of[here]].actions
    if actor == CHANCE:
        assert state.is_chance_node()
        chances = [chance for _, chance in state.chance_outcomes()]
        assert chances == pytest.approx([float(chance) for chance in tree.chance_moves[tree.infoset_of[here]].probabilities])
    else:
        assert state.current_player() == actor
        known = state.information_state_string(actor)
        assert memory.setdefault(known, tree.infoset_of[here]) == tree.infoset_of[here]
    total = 1
    for child, action, move in zip(tree.children(here), state.legal_actions(), moves, strict=True):
        assert state.action_to_string(action) == move
        total += walk(tree, state.child(action), child, memory)
    return total


def test_openspiel_reads_the_same_game():
    """Each history is one of OpenSpiel's, and each information set one of its information states."""
    for name in ("pennies", "kuhn", "signal", "horse", "durak", "open hands"):
        pyspiel = pytest.importorskip("pyspiel")
        durak = small("econ431", ranks="67")
        tree = build_game_tree(durak, 1, name == "open hands") if name in ("durak", "open hands") else from_efg(FILES[name])
        memory = {}
        assert walk(tree, pyspiel.load_efg_game(to_efg(tree)).new_initial_state(), 0, memory) == tree.history_count
        assert len(memory) == len(set(memory.values())) == len(tree.infosets)
