"""Bots asked: what one would do at every information set, exactly where that can be had, with its error where it cannot; and strategies that play."""

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
    """179 histories of podkidnoy."""
    return analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)


def by_frequency(view, rng):
    """A bot that draws a number of its own: nobody can know all that it may do."""
    return view.legal_moves()[0 if rng.random() < 0.3 else -1]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("bot", ["first", "careful"])
@pytest.mark.sample(3)
def test_a_strategy_is_what_the_bot_does_at_the_table(name, bot):
    """In games of every deal, the bot's move is the one to which the strategy gives all weight."""
    tree = analysis.build_game_tree(SMALL[name], dealer=1)
    asked = analysis.convert_bot_to_strategy(tree, bots.get(bot))
    assert asked.is_pure
    assert not asked.sample_counts
    rng = Random(name)
    for _ in range(60):
        here = 0
        while tree.child_count[here]:
            children = tree.children(here)
            if tree.actor[here] >= 0:
                game = analysis.restore_game(tree, here)
                move = bots.get(bot).choose(game.view(tree.actor[here]), rng)
                assert tree.infosets[tree.infoset_of[here]].actions[asked.rows[tree.infoset_of[here]].index(1)] == str(move)
            here = rng.choice(children)


def test_a_bot_without_chance_is_asked_once(tree):
    """As often as there are information sets, and each time with the moves of that set."""
    asked = Counter()

    def last(view, rng):
        asked[tuple(map(str, view.legal_moves()))] += 1
        return str(view.legal_moves()[-1])

    strategy = analysis.convert_bot_to_strategy(tree, last)
    assert asked == Counter(one.actions for one in tree.infosets)
    assert strategy == gametheory.Strategy.from_choices(tree, [len(one.actions) - 1 for one in tree.infosets])


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


def test_choices_among_so_many_are_known_exactly(tree):
    """All ways are gone through, so that the probabilities are fractions and nothing is an estimate."""
    for name, known in WAYS.items():
        strategy = analysis.convert_bot_to_strategy(tree, known)
        assert strategy.exact
        assert not strategy.sample_counts
        assert strategy.rows == tuple(TRUTH[name](len(one.actions)) for one in tree.infosets)


def test_what_cannot_be_known_is_counted(tree):
    """Frequencies of so many askings, from a seed, with an error in which the truth lies."""
    one, again, other = (analysis.convert_bot_to_strategy(tree, by_frequency, samples=400, seed=seed) for seed in (1, 1, 2))
    assert one == again != other
    assert not one.exact
    assert one.sample_counts == dict.fromkeys(range(len(tree.infosets)), 400)
    far = [abs(row[0] - 0.3) / one.standard_errors(place)[0] for place, row in enumerate(one.rows)]
    assert max(far) < 4
    assert sum(distance < 1 for distance in far) > len(far) / 2
    assert "58 of them estimated" in repr(one)


def test_a_bot_with_too_many_ways_is_counted(tree):
    """Where more ways lead on than it may be asked, frequencies must do."""
    strategy = analysis.convert_bot_to_strategy(tree, lambda view, rng: view.legal_moves()[rng.randrange(1000) % 2], samples=50)
    assert set(strategy.sample_counts.values()) == {50}


def test_estimates_stay_estimates(tree):
    """In a pickle, and where one seat's part goes over to another strategy."""
    counted = analysis.convert_bot_to_strategy(tree, by_frequency, samples=10)
    assert pickle.loads(pickle.dumps(counted)).sample_counts == counted.sample_counts
    mixed = gametheory.Strategy.uniform(tree).replace_player(1, counted)
    assert mixed.sample_counts.keys() == {place for place, one in enumerate(tree.infosets) if one.player == 1}
    assert not mixed.replace_player(1, gametheory.Strategy.uniform(tree)).sample_counts
    assert gametheory.Strategy.uniform(tree).standard_errors(0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("name", [*GAMES, "two decks", "weli", "lowest trump begins", "all but one"])
@pytest.mark.sample(9)
def test_without_memory_a_bot_comes_to_the_table_now(name):
    """It sees what is there, with the legal moves of the set, as in a game that begins from the position; and of moves, bouts, draws and wandered cards nothing."""
    tree = analysis.build_game_tree(SMALL[name], dealer=1)
    shown = {}
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
        assert shown.setdefault(key, view) == view
    assert len(set(shown.values())) == len(shown)
    assert len(shown) < len(tree.infosets)


def by_the_past(view, rng):
    """A bot that goes by what was played: of one course it makes one move, and any other perhaps of another."""
    return Random(", ".join(map(str, view.history))).choice(view.legal_moves())


def test_without_memory_nobody_goes_by_the_past(tree):
    """A bot that reads the course plays otherwise by it; without memory it plays alike wherever hand and table, and whatever else lies there, are alike."""
    for bot in (by_the_past, lambda view, rng: by_the_past(view, rng) if rng.random() < 0.9 else view.legal_moves()[0]):
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


def test_with_open_hands_a_bot_sees_them():
    """Its memory holds the other's hand, wherever the tree shows it."""
    opened = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1, open_hands=True)
    unsure = []

    def looks(view, rng):
        unsure.append(len(view.memory.known[1 - view.seat]) - view.counts[1 - view.seat])
        return view.legal_moves()[0]

    analysis.convert_bot_to_strategy(opened, looks)
    assert set(unsure) == {0}


def test_a_bot_that_cannot_play_so_is_refused(tree):
    """In one sentence, which names the information set."""
    for bot, says in (
        (
            lambda *_: "attack Ah",
            r"at information set 0, 'seat 1 holds 6c 7c 6d, table 7d': the bot chose 'attack Ah', and may choose beat",
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


def test_only_games_of_durak_can_be_shown_to_a_bot():
    """A game from elsewhere has no views."""
    with pytest.raises(TreeError, match="not made of a game of durak"):
        analysis.convert_bot_to_strategy(kuhn(), bots.get("first"))


# And back


@pytest.mark.slow
def test_a_strategy_plays_as_it_says():
    """The bot of a strategy, asked everywhere, is that strategy."""
    for name in GAMES:
        tree = analysis.build_game_tree(SMALL[name], dealer=1)
        careful = analysis.convert_bot_to_strategy(tree, bots.get("careful"))
        some = careful.replace_player(0, gametheory.Strategy.uniform(tree))
        assert analysis.convert_bot_to_strategy(tree, analysis.convert_strategy_to_bot(tree, some)) == some


def test_an_equilibrium_sits_down_at_a_table(tree):
    """Against a bot, over many deals; no better bot can win more from it than the game is worth."""
    player = analysis.convert_strategy_to_bot(tree, gametheory.solve(tree, "cfr+", iterations=50).strategy)
    for deal in range(1, 25):
        game = bots.play(analysis.restore_game(tree, tree.children(0)[deal - 1]), [player, "careful"], deal)
        assert game.outcome is not None


def test_a_strategy_knows_its_own_game_alone(tree):
    """Another moment is refused in a sentence; so is a tree whose hands lie open."""
    player = analysis.convert_strategy_to_bot(tree, gametheory.Strategy.uniform(tree))
    with pytest.raises(BotError, match="in no game that the strategy is for"):
        player.choose(Game(seed=7).view(0), Random(1))
    opened = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1, open_hands=True)
    for wrong in (opened, kuhn()):
        with pytest.raises(StrategyError, match="a tree with hidden hands"):
            analysis.convert_strategy_to_bot(wrong, gametheory.Strategy.uniform(wrong))


def test_the_refusal_of_a_label_says_what_tells_sets_apart():
    """Where several sets are called the same, it names one whose story can be read."""
    tree = analysis.build_game_tree(SMALL["passport"], dealer=1)
    label = Counter(one.label for one in tree.infosets).most_common(1)[0][0]
    with pytest.raises(
        StrategyError, match=r"say which by its number: .*analysis.describe_infoset_history\(tree, \d+\) says what the seat has seen before"
    ):
        gametheory.Strategy.uniform(tree)[label]
