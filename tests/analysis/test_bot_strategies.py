"""Test conversion between bots and strategies: exact if possible, otherwise estimated with an error."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from durak_widget import BotError, Game, Observation, analysis, bots, gametheory
from durak_widget.analysis.game_at_node import first_histories, replay_nodes
from durak_widget.gametheory.strategy import StrategyError
from durak_widget.gametheory.tree import TreeError
from support.textbook import kuhn
from support.tree_games import SMALL

GAMES = ("podkidnoy", "transfer with a talon", "econ431", "swaps", "passport")


@pytest.fixture(scope="module")
def tree():
    """Return a tree of podkidnoy with 179 histories."""
    return analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)


def float_random_bot(view, rng):
    """A bot that draws a float: its choices cannot be enumerated."""
    return view.legal_moves()[0 if rng.random() < 0.3 else -1]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("bot", ["first", "careful"])
@pytest.mark.sample(3)
def test_a_converted_strategy_plays_the_bots_moves(name, bot):
    """In games of every deal, the strategy gives probability 1 to the bot's move."""
    tree = analysis.build_game_tree(SMALL[name], dealer=1)
    converted = analysis.convert_bot_to_strategy(tree, bots.get(bot))
    assert converted.is_pure
    assert not converted.sample_counts
    rng = Random(name)
    for _ in range(60):
        here = 0
        while tree.child_count[here]:
            children = tree.children(here)
            if tree.actor[here] >= 0:
                game = analysis.restore_game(tree, here)
                move = bots.get(bot).choose(game.view(tree.actor[here]), rng)
                assert tree.infosets[tree.infoset_of[here]].actions[converted.rows[tree.infoset_of[here]].index(1)] == str(move)
            here = rng.choice(children)


def test_a_deterministic_bot_is_called_once_per_information_set(tree):
    """Each call has the moves of that information set."""
    calls = Counter()

    def last(view, rng):
        calls[tuple(map(str, view.legal_moves()))] += 1
        return str(view.legal_moves()[-1])

    strategy = analysis.convert_bot_to_strategy(tree, last)
    assert calls == Counter(infoset.actions for infoset in tree.infosets)
    assert strategy == gametheory.Strategy.from_choices(tree, [len(infoset.actions) - 1 for infoset in tree.infosets])


WAYS = {
    "any": lambda view, rng: rng.choice(view.legal_moves()),
    "shuffled": lambda view, rng: rng.sample(view.legal_moves(), len(view.legal_moves()))[0],
    "one in three": lambda view, rng: view.legal_moves()[0 if rng.randrange(3) == 0 else -1],
    "in two steps": lambda view, rng: view.legal_moves()[0] if rng.randint(1, 2) == 1 else rng.choice(view.legal_moves()),
}
TRUTH = {
    "any": lambda moves: (Fraction(1, moves),) * moves,
    "shuffled": lambda moves: (Fraction(1, moves),) * moves,
    "one in three": lambda moves: (Fraction(1, 3), *[Fraction(0)] * (moves - 2), Fraction(2, 3)),
    "in two steps": lambda moves: (Fraction(1, 2) + Fraction(1, 2 * moves), *[Fraction(1, 2 * moves)] * (moves - 1)),
}


def test_integer_random_choices_give_exact_probabilities(tree):
    """All outcomes of the random calls are enumerated, so the probabilities are fractions and nothing is an estimate."""
    for name, known in WAYS.items():
        strategy = analysis.convert_bot_to_strategy(tree, known)
        assert strategy.exact
        assert not strategy.sample_counts
        assert strategy.rows == tuple(TRUTH[name](len(infoset.actions)) for infoset in tree.infosets)


def test_other_random_choices_are_estimated(tree):
    """Frequencies of `samples` calls, from a seed; the true value is within the stated error."""
    strategy, again, other = (analysis.convert_bot_to_strategy(tree, float_random_bot, samples=400, seed=seed) for seed in (1, 1, 2))
    assert strategy == again != other
    assert not strategy.exact
    assert strategy.sample_counts == dict.fromkeys(range(len(tree.infosets)), 400)
    far = [abs(row[0] - 0.3) / strategy.standard_errors(place)[0] for place, row in enumerate(strategy.rows)]
    assert max(far) < 4
    assert sum(distance < 1 for distance in far) > len(far) / 2
    assert "58 of them estimated" in repr(strategy)


def test_a_bot_with_too_many_outcomes_is_estimated(tree):
    """If the random calls have more outcomes than the limit, frequencies are used."""
    strategy = analysis.convert_bot_to_strategy(tree, lambda view, rng: view.legal_moves()[rng.randrange(1000) % 2], samples=50)
    assert set(strategy.sample_counts.values()) == {50}


def test_estimates_keep_their_sample_counts(tree):
    """In a pickle, and when one player's part is copied into another strategy."""
    counted = analysis.convert_bot_to_strategy(tree, float_random_bot, samples=10)
    assert pickle.loads(pickle.dumps(counted)).sample_counts == counted.sample_counts
    mixed = gametheory.Strategy.uniform(tree).replace_player(1, counted)
    assert mixed.sample_counts.keys() == {place for place, infoset in enumerate(tree.infosets) if infoset.player == 1}
    assert not mixed.replace_player(1, gametheory.Strategy.uniform(tree)).sample_counts
    assert gametheory.Strategy.uniform(tree).standard_errors(0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("name", [*GAMES, "two decks", "weli", "lowest trump begins", "all but one"])
@pytest.mark.sample(9)
def test_without_memory_a_bot_sees_only_the_present(name):
    """It sees the table and its legal moves as in a game that begins from the position. It sees no moves, bouts, draws or earlier positions."""
    tree = analysis.build_game_tree(SMALL[name], dealer=1)
    view_by_position = {}
    for history, moment in replay_nodes(tree, first_histories(tree)):
        place, seat = tree.infoset_of[history], tree.actor[history]
        view = Observation(moment.make_sight(seat, memory=False))
        there = moment.to_game()
        begun = Game.from_position_line(there.position).view(seat, memory=False)
        assert tuple(map(str, view.legal_moves())) == tree.infosets[place].actions
        assert (
            view.memory,
            view.history,
            view.bout_ends,
            view.ply,
            view.data.own_draws,
            view.data.repeatable_positions,
            view.data.first_observation,
        ) == (
            None,
            (),
            (),
            0,
            (),
            (),
            None,
        )
        assert view.data == begun.data._replace(repeatable_positions=(), bout=min(begun.bout, 2))
        open_to_all = there.view(seat).data
        now = {
            field: getattr(open_to_all, field)
            for field in open_to_all._fields
            if field
            not in {
                "known_hands",
                "publicly_known",
                "discard",
                "known_talon_cards",
                "ply",
                "bout",
                "repeatable_positions",
                "bout_ends",
                "own_draws",
                "actors",
                "moves",
                "first_observation",
            }
        }
        key = str((open_to_all.bout == 1, now))
        assert view_by_position.setdefault(key, view) == view
    assert len(set(view_by_position.values())) == len(view_by_position)
    assert len(view_by_position) < len(tree.infosets)


def history_bot(view, rng):
    """A bot whose move depends on the history."""
    return Random(", ".join(map(str, view.history))).choice(view.legal_moves())


def test_without_memory_no_bot_depends_on_the_history(tree):
    """With memory a bot that reads the history plays by it. Without memory it plays the same whenever the present view is the same."""
    for bot in (history_bot, lambda view, rng: history_bot(view, rng) if rng.random() < 0.9 else view.legal_moves()[0]):
        knows, forgets = (analysis.convert_bot_to_strategy(tree, bot, memory=memory, samples=20) for memory in (True, False))
        rows = [{}, {}]
        for history, moment in replay_nodes(tree, first_histories(tree)):
            place, view = tree.infoset_of[history], moment.to_game().view(tree.actor[history])
            now = (
                view.seat,
                view.hand,
                view.table,
                view.counts,
                view.talon_count,
                view.turn_up,
                view.discard_count,
                view.bout == 1,
                view.legal_moves(),
            )
            for strategy, found in zip((knows, forgets), rows, strict=True):
                found.setdefault(now, set()).add(strategy.rows[place])
        assert max(map(len, rows[0].values())) > 1
        assert set(map(len, rows[1].values())) == {1}
        assert knows != forgets
        assert knows.sample_counts.keys() == forgets.sample_counts.keys()


def test_with_open_hands_a_bot_sees_the_other_hand():
    """Its memory contains the other's hand whenever the tree shows it."""
    opened = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1, open_hands=True)
    unsure = []

    def looks(view, rng):
        unsure.append(len(view.memory.known[1 - view.seat]) - view.counts[1 - view.seat])
        return view.legal_moves()[0]

    analysis.convert_bot_to_strategy(opened, looks)
    assert set(unsure) == {0}


def test_an_invalid_bot_is_refused(tree):
    """One sentence, which names the information set."""
    for bot, says in (
        (
            lambda *_: "attack Ah",
            "0, 'seat 1 holds 6c 7c 6d, table 7d': the bot chose 'attack Ah'",
        ),
        (
            bots.get(lambda *_: None),
            r"at information set 0, .*: a bot chose None, which seat 1 may not play|<lambda> chose None, which",
        ),
        (lambda *_: 1 / 0, r"at information set 0, .*: the bot raised ZeroDivisionError: division by zero"),
        ("careful", r"'careful' is the name of a bot; give the bot itself, bots.get\('careful'\)"),
        (7, r"7 is not a bot; give an object with choose"),
        (type(bots.get("careful").implementation), r"is not a bot"),
    ):
        with pytest.raises(BotError, match=says):
            analysis.convert_bot_to_strategy(tree, bot)


def test_a_bot_needs_a_tree_of_durak():
    """A tree of another game has no views."""
    with pytest.raises(TreeError, match=r"made.*game of durak"):
        analysis.convert_bot_to_strategy(kuhn(), bots.get("first"))


# From a strategy to a bot


@pytest.mark.slow
def test_a_bot_made_from_a_strategy_gives_the_strategy_back():
    """Converting the bot of a strategy gives the same strategy."""
    for name in GAMES:
        tree = analysis.build_game_tree(SMALL[name], dealer=1)
        careful = analysis.convert_bot_to_strategy(tree, bots.get("careful"))
        some = careful.replace_player(0, gametheory.Strategy.uniform(tree))
        assert analysis.convert_bot_to_strategy(tree, analysis.convert_strategy_to_bot(tree, some)) == some


def test_an_equilibrium_bot_plays_complete_games(tree):
    """It plays against another bot in 24 deals."""
    player = analysis.convert_strategy_to_bot(tree, gametheory.solve(tree, "cfr+", iterations=50).strategy)
    for deal in range(1, 25):
        game = bots.play(analysis.restore_game(tree, tree.children(0)[deal - 1]), [player, "careful"], deal)
        assert game.outcome is not None


def test_a_strategy_bot_plays_only_its_own_game(tree):
    """A position of another game is refused with a sentence; so is a tree with open hands."""
    player = analysis.convert_strategy_to_bot(tree, gametheory.Strategy.uniform(tree))
    with pytest.raises(BotError, match="game that the strategy"):
        player.choose(Game(seed=7).view(0), Random(1))
    opened = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1, open_hands=True)
    for wrong in (opened, kuhn()):
        with pytest.raises(StrategyError, match="a tree with hidden hands"):
            analysis.convert_strategy_to_bot(wrong, gametheory.Strategy.uniform(wrong))


def test_the_error_for_an_ambiguous_label_names_a_description():
    """If several information sets have the same label, the error names a call that describes the history of one."""
    tree = analysis.build_game_tree(SMALL["passport"], dealer=1)
    label = Counter(infoset.label for infoset in tree.infosets).most_common(1)[0][0]
    with pytest.raises(StrategyError, match=r"number.*seen"):
        gametheory.Strategy.uniform(tree)[label]
