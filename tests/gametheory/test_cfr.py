"""Test CFR+ and outcome sampling: results, interrupts, pickling, and agreement with OpenSpiel."""

from __future__ import annotations

import pickle
from itertools import islice

import pytest

from durak_widget import gametheory
from durak_widget.gametheory import CFR, OutcomeSampling, StrategyError
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from support.textbook import kuhn, leduc, matching_pennies, signalling


def test_exploitability_shrinks():
    """With ten times the iterations, the exploitability is at most a fifth."""
    for game in (matching_pennies, kuhn, signalling, leduc):
        cfr = CFR(game()).run(60)
        early = cfr.exploitability()
        assert cfr.run(540).exploitability() <= early / 5


def test_fast_and_exact_exploitability_are_equal():
    """The array code agrees with best responses in plain Python."""
    tree = leduc()
    cfr = CFR(tree).run(20)
    assert cfr.exploitability() == pytest.approx(float(gametheory.exploitability(tree, cfr.strategy())), abs=1e-12)


def test_iterations_continue_after_a_stop():
    """One run, three runs, and a pickle in between give bit-identical results."""
    tree = leduc()
    whole = CFR(tree).run(90)
    parts = pickle.loads(pickle.dumps(CFR(tree).run(30).run(17)))
    parts.run(43)
    assert parts.iterations == whole.iterations == 90
    assert parts.strategy() == whole.strategy()
    assert parts.seconds > 0


def test_an_interrupt_keeps_the_iterations():
    """After a keyboard interrupt the message says so, and the result can be used, certified and continued."""

    def interrupt(progress):
        if progress.done >= 40:
            raise KeyboardInterrupt

    cfr = CFR(kuhn()).run(1000, progress=interrupt, every=20)
    assert cfr.interrupted
    assert cfr.iterations == 40
    assert cfr.strategy() == CFR(kuhn()).run(40).strategy()
    assert not cfr.run(10).interrupted
    solution = gametheory.solve(kuhn(), "cfr+", progress=interrupt)
    assert "interrupted" in str(solution)
    assert gametheory.check_certificate(solution.tree, solution.certificate) > 0


def test_it_stops_at_a_target_or_time_limit():
    """At an exploitability, or after some seconds."""
    cfr = CFR(kuhn()).run(100_000, until=0.01, every=10)
    assert cfr.exploitability() <= 0.01
    assert cfr.iterations < 100_000
    assert CFR(kuhn()).run(1000, seconds=0).iterations == 1


def test_progress_is_reported(capsys):
    """To a function, or as one line that is overwritten and ended."""
    reports = []
    CFR(kuhn()).run(50, progress=reports.append, every=10)
    assert [report.done for report in reports] == [10, 20, 30, 40, 50]
    assert reports[-1].exploitability < reports[0].exploitability
    OutcomeSampling(0, make_expand_function(kuhn()), player_count=2).run(20, progress=True)
    printed = capsys.readouterr().err
    assert printed.startswith("\r[")
    assert printed.endswith("\n")
    assert printed.count("\n") == 1


def test_openspiel_learns_the_same_strategy():
    """Its CFR+ on its own Kuhn poker has the same average strategy, iteration for iteration."""
    spiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import cfr as theirs  # noqa: PLC0415 - only where it is installed

    game, tree = spiel.load_game("kuhn_poker"), kuhn()
    solver, ours = theirs.CFRPlusSolver(game), CFR(tree)
    for count in (1, 2, 17, 80):
        for _ in range(count):
            solver.evaluate_and_update_policy()
        table = solver.average_policy()
        rows = []
        for infoset in tree.infosets:
            state = table.state_lookup[str("JQK".index(infoset.label[0])) + infoset.label[1:]]
            rows.append(table.action_probability_array[state])
        ours.run(count)
        for mine, other in zip(ours.strategy(), rows, strict=True):
            assert mine == pytest.approx(tuple(other), abs=1e-9)


@pytest.mark.slow
def test_outcome_sampling_learns_without_a_tree():
    """On matching pennies and Kuhn poker, only by playing: close to an equilibrium, and the same for the same seed."""
    tree = kuhn()
    learner, again, other = (OutcomeSampling(0, make_expand_function(tree), player_count=2, seed=seed).run(4000) for seed in (1, 1, 2))
    assert learner.strategy(tree) == again.strategy(tree) != other.strategy(tree)
    assert gametheory.exploitability(tree, learner.strategy(tree)) < 0.1
    assert len(learner) == 12
    assert learner.run(100).iterations == 4100


def test_outcome_sampling_continues_after_a_pickle():
    """Its numbers and its random state are kept, if the game itself can be pickled."""
    whole = OutcomeSampling("", Pennies(), player_count=2, seed=3).run(300)
    parts = pickle.loads(pickle.dumps(OutcomeSampling("", Pennies(), player_count=2, seed=3).run(100))).run(200)
    assert parts.average_probabilities(0, "hides") == whole.average_probabilities(0, "hides")


class Pennies:
    """Matching pennies as a function of nodes; each node is the list of moves."""

    def __init__(self):
        self.look = make_expand_function(matching_pennies())

    def __call__(self, where):
        """Whose move it is there."""
        places = {"": 0, "h": 1, "t": 2, "hh": 3, "ht": 4, "th": 5, "tt": 6}
        found = self.look(places[where])
        if len(where) == 2:
            return found
        return found._replace(knowledge=("hides", "guesses")[found.player], actions=[(name, where + name[0]) for name, _ in found.actions])

    def __reduce__(self):
        return Pennies, ()


def test_outcome_sampling_refuses_an_unvisited_node():
    """It does not guess a strategy at a node that no play reached. Its exploration rate must be valid."""
    learned = OutcomeSampling("", Pennies(), player_count=2)
    with pytest.raises(StrategyError, match="0 knows 'hides'"):
        learned.average_probabilities(0, "hides")
    with pytest.raises(StrategyError, match=r"exploration_rate .*0"):
        OutcomeSampling("", Pennies(), player_count=2, exploration_rate=0)
    assert list(islice(learned.strategy(matching_pennies()), 1)) == [(0.5, 0.5)]
