"""Test the way from a tree back to games: every history is a moment of a game, with the right view for each player."""

from __future__ import annotations

import pickle

import pytest
from test_tree_from_position import POSITIONS

from durak_widget import Game, analysis, gametheory
from durak_widget.analysis.game_at_node import first_histories, replay_nodes
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError
from support.textbook import kuhn
from support.tree_games import SMALL

LARGEST = 6_000
"""Of larger trees a part is looked at."""


def checked_histories(tree):
    """Return all histories without chance nodes, or a sample of a large tree."""
    step = 1 + tree.history_count // LARGEST
    return [here for here in range(0, tree.history_count, step) if tree.actor[here] != CHANCE]


def example_trees(name):
    """Yield the small game with hidden hands, with open hands if the tree is small enough, and with one player who sees both."""
    yield analysis.build_game_tree(SMALL[name], dealer=1)
    yield analysis.build_game_tree(SMALL[name], dealer=1, seeing=[0])
    if name not in ("transfer", "two decks", "weli"):
        yield analysis.build_game_tree(SMALL[name], dealer=1, open_hands=True)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(7)
def test_histories_of_an_information_set_have_the_same_view(name):
    """All its histories have one view, other sets have other views, and the legal moves are those of the set."""
    for tree in example_trees(name):
        seen, found = {}, 0
        for here, moment in replay_nodes(tree, selected := checked_histories(tree)):
            found += 1
            assert moment.state.actor == (None if tree.actor[here] == TERMINAL else tree.actor[here])
            if tree.actor[here] == TERMINAL:
                assert moment.state.outcome.utilities == tree.payoffs[tree.infoset_of[here]]
                continue
            sight = moment.make_sight(tree.actor[here])
            assert seen.setdefault(tree.infoset_of[here], sight) == sight
            assert tuple(map(str, sight.legal_moves)) == tree.infosets[tree.infoset_of[here]].actions
        assert found == len(selected)
        assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(4)
def test_restore_game_replays_a_history(name):
    """The game contains the moves of the history, with forced moves between them, and has the views of that moment."""
    tree = analysis.build_game_tree(SMALL[name], dealer=1)
    for here, moment in replay_nodes(tree, checked_histories(tree)[:: 1 + tree.history_count // 40]):
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
def test_observations_distinguish_sets_with_the_same_label(name):
    """No two information sets have the same label and the same observations."""
    for tree in example_trees(name):
        some = first_histories(tree)[:5000]
        descriptions = [
            (tree.infosets[place].label, moment.describe_observations(tree.actor[here]))
            for place, here, moment in infosets_with_moments(tree, some)
        ]
        assert len(set(descriptions)) == len(descriptions)


def infosets_with_moments(tree, some):
    """Return the number of each of these information sets, its first history and its moment."""
    return ((tree.infoset_of[here], here, moment) for here, moment in replay_nodes(tree, some))


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("open_hands", [False, True])
@pytest.mark.sample(4)
def test_histories_of_a_position_tree_have_the_same_view(name, open_hands):
    """All histories of an information set have one view. With hidden hands other sets have other views (with open hands a view has more: the other's draws and plays)."""
    rules, setting = POSITIONS[name]
    tree = analysis.build_tree_from_position(Game.from_position(rules, **setting), open_hands)
    seen = {}
    for here, moment in replay_nodes(tree, checked_histories(tree)):
        if tree.actor[here] >= 0:
            sight = moment.make_sight(tree.actor[here])
            assert seen.setdefault(tree.infoset_of[here], sight) == sight
            assert tuple(map(str, sight.legal_moves)) == tree.infosets[tree.infoset_of[here]].actions
    assert open_hands or len(set(seen.values())) == len(seen)


def test_a_player_who_sees_the_other_hand_has_it_in_the_view():
    """If a tree shows a player the other's hand, that player's view knows it; the other player's does not."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1, seeing=[0])
    for here, moment in replay_nodes(tree, checked_histories(tree)):
        seat = tree.actor[here]
        if seat >= 0:
            assert f"seat {1 - seat} holds" in tree.infosets[tree.infoset_of[here]].label or seat == 1
            assert (moment.make_sight(seat).known_hands == tuple(moment.state.hands)) or seat == 1
    plain = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)
    assert tree.infoset_counts[1] == plain.infoset_counts[1]
    assert tree.title.endswith("hands hidden and seen by seat 0")


def test_a_tree_of_another_game_has_no_moments():
    """A game built from a function or a file was never played with cards."""
    tree = kuhn()
    assert tree.origin is None
    for selected in (analysis.restore_view, analysis.restore_game, analysis.describe_infoset_history):
        with pytest.raises(TreeError, match=r"made.*game of durak"):
            selected(tree, 1)


def test_unknown_histories_and_sets_are_refused():
    """Histories and information sets are numbered; before the deal there is no moment."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)
    with pytest.raises(TreeError, match=r"history 0.*chance"):
        analysis.restore_game(tree, 0)
    with pytest.raises(TreeError, match=r"179.*0 to 178"):
        analysis.restore_game(tree, 179)
    with pytest.raises(TreeError, match=r"-1.*0 to 57"):
        analysis.restore_view(tree, -1)


def test_the_origin_of_a_tree_is_small_and_pickled():
    """A pickled tree can restore games too. Equality ignores the origin."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert analysis.restore_view(again, 3) == analysis.restore_view(tree, 3)
    read = gametheory.from_efg(gametheory.to_efg(tree))
    assert read == tree
    assert read.origin is None
    assert len(pickle.dumps(tree.origin)) < 2000


def test_invalid_values_of_seeing_are_refused():
    """One sentence each."""
    for options, says in (
        ({"seeing": [2]}, "seeing.*seats that see.*hand"),
        ({"seeing": 0}, "seeing.*seats"),
        ({"seeing": "0"}, "seeing.*seats"),
        ({"seeing": [0], "open_hands": True}, "open_hands=True"),
    ):
        with pytest.raises(TreeError, match=says):
            analysis.build_game_tree(SMALL["podkidnoy"], 1, **options)
