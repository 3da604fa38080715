"""Test that games in Gambit's EFG format are read, and written so that other programs read them."""

from __future__ import annotations

import re
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


def payoffs_after(tree, *moves):
    """Return the payoffs of the history that these moves lead to."""
    here = 0
    for move in moves:
        here = next(child for child in tree.children(here) if tree.last_action(child) == move)
    assert tree.actor[here] == TERMINAL
    return tree.payoffs[tree.infoset_of[here]]


def test_textbook_games_have_the_size_of_the_book():
    """Numbers of histories, ends and information sets."""
    for name, known in SIZES.items():
        tree = from_efg(FILES[name])
        assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == known


def test_every_file_is_read_by_a_test():
    """No file of the folder is missing in the table above."""
    assert FILES.keys() == SIZES.keys()


def test_textbook_games_round_trip():
    """Writing and reading gives the same game with the same labels."""
    for name in SIZES:
        tree = from_efg(FILES[name])
        assert from_efg(to_efg(tree)) == tree


@given(st.lists(st.sampled_from(["", "x", "x #1", "x #2", "x #2 #2", " #2", "y"]), min_size=1, max_size=7))
def test_duplicate_labels_round_trip(labels):
    """Gambit needs distinct labels for a player; each is written with its number and read as it was, even if it ends in such a number."""

    def node_at(where):
        if where == len(labels):
            return TerminalNode((0,))
        return DecisionNode(0, where, [("on", where + 1), ("stop", len(labels))])

    tree = build_tree(0, node_at, player_count=1, label_infoset=lambda _, where: labels[where])
    text = to_efg(tree)
    labels_written = [line.split('"')[3] for line in text.splitlines() if line.startswith("p ")]
    assert len(set(filter(None, labels_written))) == len(list(filter(None, labels_written))) == len(list(filter(None, labels)))
    assert from_efg(text) == tree


@pytest.mark.parametrize("name", [name for name in SMALL if name != "transfer"])
@pytest.mark.parametrize("open_hands", [False, True])
@pytest.mark.sample(6)
def test_durak_trees_round_trip(name, open_hands):
    """Trees of card games round-trip too."""
    tree = build_game_tree(SMALL[name], dealer=1, open_hands=open_hands)
    assert from_efg(to_efg(tree)) == tree


def test_numbers_of_every_kind_are_exact():
    """Decimals, fractions, powers of ten and signs are read exactly."""
    tree = from_efg(FILES["signal"])
    assert tree.chance_moves == [ChanceMove(("strong", "weak"), (Fraction(9, 10), Fraction(1, 10)))]
    assert payoffs_after(tree, "strong", "quiche", "defer") == (2, 1)
    assert payoffs_after(tree, "weak", "quiche", "duel") == (1, 1)
    assert payoffs_after(tree, "weak", "quiche", "defer") == (3, 0)


def test_moves_and_payoffs_given_once_apply_again():
    """An information set without its moves has the ones given before, and an outcome its payoffs."""
    tree = from_efg(FILES["signal"])
    assert InfoSet(1, "beer", ("duel", "defer")) in tree.infosets
    assert payoffs_after(tree, "weak", "beer", "duel") == (0, 1)
    assert payoffs_after(from_efg(FILES["centipede"]), "go", "go", "shine") == (Fraction(3, 2), 2)


def test_payoffs_of_inner_nodes_are_added_to_the_ends():
    """An outcome of an inner node counts at every end below it."""
    tree = from_efg(FILES["centipede"])
    assert payoffs_after(tree, "stop") == (1, 0)
    assert payoffs_after(tree, "go", "stop") == (-1, 3)
    assert payoffs_after(tree, "go", "go", "rain") == (Fraction(1, 2), 2)
    assert tree.title == 'A "centipede" that pays as it goes'


def test_imperfect_recall_names_the_player():
    """The driver does not know at which crossing he is; poker players remember."""
    assert {"Driver", "'a crossing'"} <= set(re.findall(r"'[^']+'|Driver", describe_imperfect_recall(from_efg(FILES["driver"]))))
    assert [name for name in SIZES if describe_imperfect_recall(from_efg(FILES[name]))] == ["driver"]


def test_three_players_have_three_payoffs():
    """Each player has a name and a payoff."""
    tree = from_efg(FILES["horse"])
    assert tree.names == ("One", "Two", "Three")
    assert payoffs_after(tree, "D", "L") == (3, 2, 2)


def test_rounded_chances_add_up_to_one():
    """A third written as 0.333 three times is a third."""
    tree = from_efg('EFG 2 R "" { "A" } c "" 1 "" { "a" 0.333 "b" 0.333 "c" 0.333 } 0 t "" 0 t "" 0 t "" 0')
    assert tree.chance_moves[0].probabilities == (Fraction(1, 3),) * 3


HEAD = 'EFG 2 R "" { "A" "B" }\n'
WRONG = {
    "": "line 1: the text ends.*EFG 2 R is missing",
    "NFG 1 R": r"line 1: an \.efg file.*EFG 2 R",
    "EFG 2 R title": "line 1: the title.*quotation marks",
    'EFG 2 R "" { }': "line 1: a game.*1 to 100 players",
    HEAD + 'q "" 1': "2.*'q'",
    HEAD + 't "" 1 { 1 }': "2.*2.*1",
    HEAD + 't "" 1 { 1 x }': r"2.*2, -0\.5 or 1/3, not 'x'",
    HEAD + 't "" 1 { 1 1/0 }': "line 2: a payoff.*number",
    HEAD + 't "" 1': "2: outcome 1",
    HEAD + 't "" -1 { 0 0 }': "2.*0 on, not '-1'",
    HEAD + 'p "" 3 1 { "a" } 0': "2: player 3.*2",
    HEAD + 'p "" 1 1 0': "2: information set 1 of player 1",
    HEAD + 'p "" 1 1 { } 0': "line 2: information set 1 of player 1 has no move",
    HEAD + 'p "" 1 1 { "a" "b" } 0\n\nt "" 0': "line 4: the text ends.*node is missing",
    HEAD + 'p "" 1 1 { "a" } 0\np "" 1 1 { "b" } 0': '3: information set 1 of player 1 had the moves "a".*"b"',
    HEAD + 'p "" 1 1 { "a" "b" } 0\nt "" 1 { 1 1 }\nt "" 1 { 1 2 }': "4: outcome 1",
    HEAD + 'c "" 1 { "a" 1/2 "b" 1/4 } 0': "2.*0 and add up to 1, not 3/4",
    HEAD + 't "" 0 t': "line 2: every move has led to its node",
    HEAD + 'p "" 1 1 { "a': "line 2: the name of.*quotation marks",
}


def test_errors_name_the_line_and_a_fix():
    """Every error is one sentence."""
    for text, says in WRONG.items():
        with pytest.raises(EfgError, match=says):
            from_efg(text)


def deep_game(moves):
    """Return the text of a game with many moves one after another."""
    return HEAD + "".join(f'p "" 1 {place + 1} {{ "a" "b" }} 0\nt "" 0\n' for place in range(moves)) + 't "" 0\n'


def wide_game(moves):
    """Return the text of a game with many moves at one node."""
    return HEAD + 'p "" 1 1 { ' + '"m" ' * moves + "} 0\n" + 't "" 0\n' * moves


def test_too_deep_or_too_wide_games_are_refused():
    """Unknown names, and games so large that reading would block a notebook for minutes, give an error; slightly smaller ones are read."""
    for text, says in {
        HEAD + 'p "' + "x" * 10_001 + '" 1 1': "2: the name of a node has more than 10,000",
        HEAD + " " * (20 * 2**20): "20 MB.*20",
        deep_game(10_001): "10,000",
        wide_game(10_001): "line 2: information set 1 of player 1 has more than 10,000 moves",
    }.items():
        with pytest.raises(EfgError, match=says):
            from_efg(text)


def test_a_long_name_is_refused_quickly():
    """A name of megabytes, with backslashes or without an end, is refused at once, not read character by character."""
    for label in ('"' + "x" * 3_000_000 + '"', '"' + "\\x" * 1_500_000 + '"', '"' + "x" * 3_000_000):
        begun = process_time()
        with pytest.raises(EfgError, match=r"line 2: the name of a node"):
            from_efg(HEAD + f"p {label} 1 1")
        assert process_time() - begun < 1


def test_only_text_is_accepted():
    """Bytes and paths are refused."""
    with pytest.raises(EfgError, match=r"not b'EFG 2 R'.* from_efg\(path"):
        from_efg(b"EFG 2 R")


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.fractions(min_value=-100, max_value=100, max_denominator=99)


@st.composite
def trees(draw):
    """Return any small tree of one to three players, with labels of every kind."""
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
def test_any_tree_round_trips(tree):
    """With any labels, numbers and shapes."""
    assert from_efg(to_efg(tree)) == tree


# Comparison with OpenSpiel


def compare_with_openspiel(tree, state, here, memory):
    """Walk through both trees at once and compare players, information sets, moves, probabilities and payoffs."""
    actor = tree.actor[here]
    if actor == TERMINAL:
        assert state.is_terminal()
        assert state.returns() == pytest.approx([float(payoff) for payoff in tree.payoffs[tree.infoset_of[here]]])
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
        total += compare_with_openspiel(tree, state.child(action), child, memory)
    return total


def test_openspiel_reads_the_same_game():
    """Each history is one of OpenSpiel's, and each information set one of its information states."""
    for name in ("pennies", "kuhn", "signal", "horse", "durak", "open hands"):
        pyspiel = pytest.importorskip("pyspiel")
        durak = small("econ431", ranks="67")
        tree = build_game_tree(durak, 1, name == "open hands") if name in ("durak", "open hands") else from_efg(FILES[name])
        memory = {}
        assert compare_with_openspiel(tree, pyspiel.load_efg_game(to_efg(tree)).new_initial_state(), 0, memory) == tree.history_count
        assert len(memory) == len(set(memory.values())) == len(tree.infosets)
