"""From a tree back to the table: the moment of every history is that of a game, and what a seat sees there is its view."""

from __future__ import annotations

import pickle

import pytest
from test_tree_from import POSITIONS

from durak_widget import Game, analysis, gametheory
from durak_widget.analysis.game_at_node import first_histories, replay_nodes
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError
from support.textbook import kuhn
from support.tree_games import SMALL

LARGEST = 6_000
"""Of larger trees a part is looked at."""


def histories(tree):
    """All histories but those of chance, or of a large tree each of some step."""
    step = 1 + tree.history_count // LARGEST
    return [here for here in range(0, tree.history_count, step) if tree.actor[here] != CHANCE]


def trees(name):
    """The small game with hidden hands, with open ones where that is not too large, and with one seat that sees both."""
    yield analysis.build_game_tree(SMALL[name], dealer=1)
    yield analysis.build_game_tree(SMALL[name], dealer=1, seeing=[0])
    if name not in ("transfer", "two decks", "weli"):
        yield analysis.build_game_tree(SMALL[name], dealer=1, open_hands=True)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(7)
def test_histories_of_an_information_set_look_alike(name):
    """The views of all its histories are one view, other sets have others, and its moves are those of the set."""
    for tree in trees(name):
        seen, found = {}, 0
        for here, moment in replay_nodes(tree, asked := histories(tree)):
            found += 1
            assert moment.state.actor == (None if tree.actor[here] == TERMINAL else tree.actor[here])
            if tree.actor[here] == TERMINAL:
                assert moment.state.outcome.utilities == tree.payoffs[tree.infoset_of[here]]
                continue
            sight = moment.make_sight(tree.actor[here])
            assert seen.setdefault(tree.infoset_of[here], sight) == sight
            assert tuple(map(str, sight.legal_moves)) == tree.infosets[tree.infoset_of[here]].actions
        assert found == len(asked)
        assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(4)
def test_a_history_is_a_game(name):
    """`restore_game` leads to a game in which the moves of the history were made, some forced ones between them, and whose views are those of the moment."""
    tree = analysis.build_game_tree(SMALL[name], dealer=1)
    for here, moment in replay_nodes(tree, histories(tree)[:: 1 + tree.history_count // 40]):
        game = analysis.restore_game(tree, here)
        chosen = list(tree.actions_from_root(here)[tree.actor[0] == CHANCE :])
        for move in map(str, game.moves):
            if chosen and move == chosen[0]:
                chosen.pop(0)
        assert not chosen
        for seat in (0, 1):
            assert game.view(seat).data == moment.make_sight(seat)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(4)
def test_what_was_seen_tells_sets_of_one_label_apart(name):
    """No two information sets have the same label and the same story."""
    for tree in trees(name):
        some = first_histories(tree)[:5000]
        said = [
            (tree.infosets[place].label, moment.describe_observations(tree.actor[here])) for place, here, moment in with_moments(tree, some)
        ]
        assert len(set(said)) == len(said)


def with_moments(tree, some):
    """The number of each of these information sets, its first history and its moment."""
    return ((tree.infoset_of[here], here, moment) for here, moment in replay_nodes(tree, some))


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("open_hands", [False, True])
@pytest.mark.sample(4)
def test_a_tree_from_a_position_leads_back_too(name, open_hands):
    """All histories of an information set have one view; with hidden hands other sets have others (with open ones, what the other drew and played is known too)."""
    rules, setting = POSITIONS[name]
    tree = analysis.build_tree_from_position(Game.from_position(rules, **setting), open_hands)
    seen = {}
    for here, moment in replay_nodes(tree, histories(tree)):
        if tree.actor[here] >= 0:
            sight = moment.make_sight(tree.actor[here])
            assert seen.setdefault(tree.infoset_of[here], sight) == sight
            assert tuple(map(str, sight.legal_moves)) == tree.infosets[tree.infoset_of[here]].actions
    assert open_hands or len(set(seen.values())) == len(seen)


def test_who_sees_the_other_hand_remembers_it():
    """Where a tree shows a seat the other's hand, its view says so as a memory would; the other seat's does not."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1, seeing=[0])
    for here, moment in replay_nodes(tree, histories(tree)):
        seat = tree.actor[here]
        if seat >= 0:
            assert f"seat {1 - seat} holds" in tree.infosets[tree.infoset_of[here]].label or seat == 1
            assert (moment.make_sight(seat).known_hands == tuple(moment.state.hands)) or seat == 1
    plain = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)
    assert tree.infoset_counts[1] == plain.infoset_counts[1]
    assert tree.title.endswith("hands hidden and seen by seat 0")


def test_a_tree_from_elsewhere_has_no_moments():
    """A game told in words or read from a file was never on a table."""
    tree = kuhn()
    assert tree.origin is None
    for asked in (analysis.restore_view, analysis.restore_game, analysis.describe_infoset_history):
        with pytest.raises(TreeError, match="not made of a game of durak"):
            asked(tree, 1)


def test_what_is_not_there_is_refused():
    """Histories and information sets are numbered; before the deal there is no moment."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)
    with pytest.raises(TreeError, match="at history 0 chance is to act"):
        analysis.restore_game(tree, 0)
    with pytest.raises(TreeError, match="there is no history 179; they are numbered from 0 to 178"):
        analysis.restore_game(tree, 179)
    with pytest.raises(TreeError, match="there is no information set -1; they are numbered from 0 to 57"):
        analysis.restore_view(tree, -1)


def test_what_a_tree_was_made_from_is_small_and_kept():
    """A pickled tree leads back too; two trees are the same game whether or not one can go back."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert analysis.restore_view(again, 3) == analysis.restore_view(tree, 3)
    read = gametheory.from_efg(gametheory.to_efg(tree))
    assert read == tree
    assert read.origin is None
    assert len(pickle.dumps(tree.origin)) < 2000


def test_who_sees_is_said_by_seats():
    """What cannot be is refused in a sentence."""
    for options, says in (
        ({"seeing": [2]}, "seeing names seats that see the other's hand, such as seeing=.0., and not .2."),
        ({"seeing": 0}, "seeing names seats"),
        ({"seeing": "0"}, "seeing names seats"),
        ({"seeing": [0], "open_hands": True}, "with open_hands=True both see both hands"),
    ):
        with pytest.raises(TreeError, match=says):
            analysis.build_game_tree(SMALL["podkidnoy"], 1, **options)
