"""Test the textbook games: they open, are solved where a solver applies, and have the equilibria that their authors found."""

from __future__ import annotations

import ast
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from durak_widget import gametheory
from durak_widget.gametheory import TreeError, textbook_games
from durak_widget.gametheory.strategy import pure_row
from durak_widget.gametheory.tree import TERMINAL
from support.by_trying import gains, payoffs

FOLDER = Path(textbook_games.__file__).parent / "textbook"
SIZES = {
    "bayes": (15, 8, (1, 2)),
    "beer-quiche": (15, 8, (2, 2)),
    "centipede": (9, 5, (2, 2)),
    "chain-store": (53, 27, (13, 1, 3, 9)),
    "driver": (5, 3, (1,)),
    "entry": (5, 3, (1, 1)),
    "horse": (9, 5, (1, 1, 1)),
    "kuhn": (55, 30, (6, 6)),
    "myerson": (11, 6, (2, 1)),
    "outside-option": (9, 5, (2, 1)),
    "pennies": (7, 4, (1, 1)),
    "spence": (15, 8, (2, 2)),
    "ultimatum": (16, 10, (1, 5)),
}
every_game = pytest.mark.parametrize("name", SIZES)


def game_and_strategy(name, **choices_by_label):
    """Return the game and a strategy. A keyword is the label of an information set with underscores; its value is a move or the probabilities of all."""
    tree = gametheory.textbook(name)
    moves = {infoset.label: infoset.actions for infoset in tree.infosets}
    named = {label.replace("_", " "): move for label, move in choices_by_label.items()}
    return tree, gametheory.Strategy.from_mapping(
        tree, {label: move if isinstance(move, str) else dict(zip(moves[label], move, strict=True)) for label, move in named.items()}
    )


def is_equilibrium(tree, strategy, expected):
    """Does nobody gain alone, by best responses and by trying every pure strategy, and are the payoffs those of the author?"""
    assert [
        gametheory.best_response(tree, strategy, seat).value - gametheory.value(tree, strategy, seat) for seat in range(tree.player_count)
    ] == gains(tree, strategy)
    assert payoffs(tree, strategy) == tuple(map(Fraction, expected))
    return gametheory.exploitability(tree, strategy) == 0 == max(gains(tree, strategy))


def test_a_game_has_the_size_in_the_book():
    """Histories, ends, and the information sets of each player."""
    for name, known in SIZES.items():
        tree = gametheory.textbook(name)
        assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == known
        assert tree.title
        assert len(set(tree.names)) == tree.player_count
        assert all(infoset.label for infoset in tree.infosets)


def test_a_textbook_game_round_trips():
    """Writing and reading gives the same game; a teacher may open such a file too."""
    for name in SIZES:
        tree = gametheory.from_efg((FOLDER / f"{name}.efg").read_text(encoding="utf-8"))
        assert tree == gametheory.textbook(name) == gametheory.from_efg(gametheory.to_efg(tree))


def test_every_file_names_its_source_and_is_in_the_docs():
    """Author and year are in the file and in the table of the page; every file has a row here."""
    page = (Path(__file__).parents[2] / "docs" / "textbook-games.md").read_text(encoding="utf-8")
    files = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.efg")}
    assert files.keys() == SIZES.keys()
    for name, text in files.items():
        comment = text.splitlines()[1].strip('"')
        author, year = comment.split(",")[0], comment.split("(")[1][:4]
        rows = [line for line in page.splitlines() if line.startswith(f"| `{name}`")]
        assert len(rows) == 1, (
            f"docs/textbook-games.md has {len(rows)} rows on {name}: it takes one, with what is known of the game and from where"
        )
        row = rows[0]
        assert author.replace("Guth", "Güth") in row, name
        assert year in row, name


def test_every_game_has_a_test_beyond_its_size():
    """Each game is used by a test here that computes something."""
    tests = [node for node in ast.parse(Path(__file__).read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)]
    named = {node.value for test in tests for node in ast.walk(test) if isinstance(node, ast.Constant)}
    unproved = sorted(SIZES.keys() - named)
    assert not unproved, (
        f"nothing is proved of {', '.join(unproved)}: what docs/textbook-games.md says is known of a game is shown by a test in this file"
    )


def test_an_unknown_game_is_refused_with_the_known_names():
    """No name can open another file."""
    for wrong in ("chess", "", "../trees", 7, None, ["kuhn"]):
        with pytest.raises(TreeError, match=r"game.*bayes, beer-quiche"):
            gametheory.textbook(wrong)


# Two-player zero-sum games: the linear program


def test_zero_sum_games_have_their_known_values():
    """Kuhn (1950), Myerson (1991, section 2.1), von Neumann and Morgenstern (1944): exact, proved, and nobody gains by any pure strategy."""
    for name, expected in (("kuhn", Fraction(-1, 18)), ("myerson", Fraction(1, 3)), ("pennies", Fraction(0))):
        tree = gametheory.textbook(name)
        solution = gametheory.solve(tree)
        assert (solution.value, solution.exact) == (expected, True)
        assert gametheory.check_certificate(tree, solution.certificate) == 0
        assert gametheory.value(tree, solution.strategy) == payoffs(tree, solution.strategy)[0] == expected
        assert max(gains(tree, solution.strategy)) == 0


def test_tree_values_equal_strategic_form_values():
    """Every pure strategy against every other: the strategy found guarantees at least the value against each column."""
    for name in ("kuhn", "myerson", "pennies"):
        tree = gametheory.textbook(name)
        table, solution = gametheory.matrix(tree), gametheory.solve(tree)
        for seat, plans in ((1, table.columns), (0, table.rows)):
            against = []
            for plan in plans:
                rows = list(solution.strategy.rows)
                for place, move in plan.actions.items():
                    rows[place] = pure_row(move, len(tree.infosets[place].actions))
                against.append(payoffs(tree, gametheory.Strategy(tree, rows))[0])
            assert (min(against) if seat == 1 else max(against)) == solution.value


def test_kuhns_first_player_may_bluff_up_to_a_third():
    """Kuhn (1950): One bets jacks with any α to 1/3, kings with 3α, and calls with the queen with α + 1/3; more bluffs can be exploited."""
    for bluff in (Fraction(0), Fraction(1, 6), Fraction(1, 3)):

        def strategy(alpha):
            return game_and_strategy(
                "kuhn",
                **{
                    "holds the jack": (1 - alpha, alpha),
                    "holds the queen": "check",
                    "holds the king": (1 - 3 * alpha, 3 * alpha),
                    "holds the jack, after check and bet": "fold",
                    "holds the queen, after check and bet": (Fraction(2, 3) - alpha, Fraction(1, 3) + alpha),
                    "holds the king, after check and bet": "call",
                    "holds the jack, after a check": (Fraction(2, 3), Fraction(1, 3)),
                    "holds the queen, after a check": "check",
                    "holds the king, after a check": "bet",
                    "holds the jack, after a bet": "fold",
                    "holds the queen, after a bet": (Fraction(2, 3), Fraction(1, 3)),
                    "holds the king, after a bet": "call",
                },
            )

        assert is_equilibrium(*strategy(bluff), (Fraction(-1, 18), Fraction(1, 18)))


def test_myersons_game_has_one_equilibrium():
    """Myerson (1991): black is raised with 1/3, a raise is called with 2/3, and there is no other equilibrium."""
    found = gametheory.solve(gametheory.textbook("myerson")).strategy
    assert found["holds red"] == (1, 0)
    assert found["holds black"] == (Fraction(1, 3), Fraction(2, 3))
    assert found["after a raise"] == (Fraction(2, 3), Fraction(1, 3))
    tree, always = game_and_strategy("myerson", holds_red="raise", holds_black="raise", after_a_raise=(Fraction(2, 3), Fraction(1, 3)))
    assert max(gains(tree, always)) > 0


# Perfect information: backward induction


def test_perfect_information_games_are_solved_by_backward_induction():
    """McKelvey and Palfrey (1992), Selten (1978), Güth and others (1982): known results, and nobody gains by any pure strategy."""
    for name, expected, line in (
        ("centipede", ("2/5", "1/10"), ("take",)),
        ("entry", (2, 2), ("enter", "share")),
        ("ultimatum", (4, 0), ("offer 0", "accept")),
        ("chain-store", (6, 2, 2, 2), ("enter", "share") * 3),
    ):
        tree = gametheory.textbook(name)
        found = gametheory.solve(tree, "backward")
        assert (found.backward_induction.values, found.backward_induction.line_of_play) == (tuple(map(Fraction, expected)), line)
        assert payoffs(tree, found.strategy) == found.backward_induction.values
        if name != "chain-store":  # its 13 information sets give 8,192 pure strategies; the best responses below cover them
            assert max(gains(tree, found.strategy)) == 0
        assert [gametheory.best_response(tree, found.strategy, seat).value for seat in range(tree.player_count)] == list(
            found.backward_induction.values
        )


def test_an_empty_threat_is_a_nash_equilibrium():
    """Selten (1978): the rival stays out because the chain store would fight, although fighting is not its best move after entry."""
    tree, threat = game_and_strategy("entry", begins="stay out", after_an_entry="fight")
    assert is_equilibrium(tree, threat, (1, 5))
    assert gametheory.solve(tree, "backward").strategy["after an entry"] == (1, 0)


def test_the_ultimatum_has_two_backward_solutions():
    """Güth and others (1982): a player who is offered nothing loses nothing by refusing; so in the other solution one coin is offered."""
    tree = gametheory.textbook("ultimatum")
    [tie] = gametheory.solve(tree, "backward").backward_induction.ties
    assert (tie.label, tie.actions) == ("is offered 0", ("accept", "reject"))
    rest = {f"is offered {coins}": "accept" for coins in (1, 2, 3, 4)}
    proud = gametheory.Strategy.from_mapping(tree, {"begins": "offer 1", "is offered 0": "reject", **rest})
    assert is_equilibrium(tree, proud, (3, 1))


# Hidden information and general sums: the author's equilibrium, verified


def test_the_horse_has_a_perfect_and_an_imperfect_equilibrium():
    """Selten (1975), figure 1: (1, 1, 1) if Three goes left with at most 1/4; (3, 2, 2) if Two goes down with at most 2/3."""
    third, quarter = (Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 4), Fraction(3, 4))
    assert is_equilibrium(*game_and_strategy("horse", begins="across", One_went_across="across", One_or_Two_went_down=quarter), (1, 1, 1))
    assert is_equilibrium(*game_and_strategy("horse", begins="down", One_went_across=third, One_or_Two_went_down="left"), (3, 2, 2))
    assert not is_equilibrium(
        *game_and_strategy("horse", begins="across", One_went_across="across", One_or_Two_went_down="left"), (1, 1, 1)
    )


def test_every_rival_enters_after_any_history():
    """Selten (1978), a game for four: at each of its 26 information sets the player enters, or shares."""
    tree = gametheory.textbook("chain-store")
    found = gametheory.solve(tree, "backward").strategy
    assert all(found.rows[place] == (1, 0) for place in range(len(tree.infosets)))


def test_beer_quiche_has_two_pooling_equilibria():
    """Cho and Kreps (1987), figure I: both types have the same breakfast, and a type with the other breakfast would be fought."""
    for breakfast, other, expected in (("beer", "quiche", ("29/10", "9/10")), ("quiche", "beer", ("21/10", "9/10"))):
        for fights in (Fraction(1, 2), Fraction(1)):
            chosen = {"strong": breakfast, "weak": breakfast, f"sees {breakfast}": "defer", f"sees {other}": (fights, 1 - fights)}
            assert is_equilibrium(*game_and_strategy("beer-quiche", **chosen), expected)
        mild = chosen | {f"sees {other}": (Fraction(1, 3), Fraction(2, 3))}
        assert gametheory.exploitability(*game_and_strategy("beer-quiche", **mild)) > 0


def test_spence_has_a_separating_and_a_pooling_equilibrium():
    """Spence (1973): the type worth 2 goes to school and has 5/4, the type worth 1 does not and has 1; if both are paid 3/2 nobody goes."""
    tree, separate = game_and_strategy("spence", worth_1="none", worth_2="school", sees_school="wage 2", sees_none="wage 1")
    assert is_equilibrium(tree, separate, (Fraction(1 + Fraction(5, 4), 2), 0))
    standing = {
        infoset.label: now.action_values for infoset, now in zip(tree.infosets, gametheory.infoset_values(tree, separate), strict=True)
    }
    assert standing["worth 1"] == (Fraction(1, 2), 1)
    assert standing["worth 2"] == (Fraction(5, 4), 1)


def pure_equilibria(tree):
    """Return all pure equilibria, by trying every pure strategy of every player."""
    choices = product(*(range(len(infoset.actions)) for infoset in tree.infosets))
    return [strategy for strategy in (gametheory.Strategy.from_choices(tree, plan) for plan in choices) if max(gains(tree, strategy)) == 0]


def test_one_of_spences_four_equilibria_separates():
    """As in the table: one separates, in three both types do the same."""
    tree = gametheory.textbook("spence")
    alike = [equilibrium["worth 1"] == equilibrium["worth 2"] for equilibrium in pure_equilibria(tree)]
    assert sorted(alike) == [False, True, True, True]


def test_quiche_for_all_fails_the_intuitive_criterion():
    """Cho and Kreps (1987): beer can only hurt the weak type, whatever it is taken for, and helps the strong type once it is taken for strong; beer for all passes."""
    tree, payoffs_after = gametheory.textbook("beer-quiche"), {}
    for chosen in product(("beer", "quiche"), ("duel", "defer")):
        for type_ in ("strong", "weak"):
            [end] = [
                here
                for here in range(tree.history_count)
                if tree.actor[here] == TERMINAL and tree.actions_from_root(here) == (type_, *chosen)
            ]
            payoffs_after[(type_, *chosen)] = tree.payoffs[tree.infoset_of[end]]
    fails = {}
    for meal, other in (("quiche", "beer"), ("beer", "quiche")):
        now = {type_: payoffs_after[type_, meal, "defer"][0] for type_ in ("strong", "weak")}
        could = [type_ for type_ in now if max(payoffs_after[type_, other, answer][0] for answer in ("duel", "defer")) > now[type_]]
        assert len(could) == 1, "only one of the two could gain by the other breakfast, and is taken to have had it"
        after = max((payoffs_after[could[0], other, answer] for answer in ("duel", "defer")), key=lambda paid: paid[1])
        fails[meal] = after[0] > now[could[0]]
    assert fails == {"quiche": True, "beer": False}


def test_osbornes_meeting_game_has_its_known_equilibrium():
    """Osborne (2004), example 273.1: One goes to Bach. Two comes if it wants to meet, and stays away if it wants to avoid."""
    tree, found = game_and_strategy("bayes", does_not_know="Bach", wishes_to_meet="Bach", wishes_to_avoid="Stravinsky")
    assert is_equilibrium(tree, found, (1, Fraction(3, 2)))
    assert (
        gametheory.best_response(
            tree, found.replace_player(0, gametheory.Strategy.from_mapping(tree, {"does not know": "Stravinsky"})), 0
        ).value
        == 1
    )


def test_forward_induction_leads_to_bach():
    """Osborne and Rubinstein (1994), section 6.6.2: staying at home is an equilibrium; iterated elimination of dominated strategies leaves Bach for both."""
    tree = gametheory.textbook("outside-option")
    mine, theirs = [place for place, infoset in enumerate(tree.infosets) if infoset.label == "chooses a concert"]
    stays = gametheory.Strategy.from_mapping(tree, {"stays or goes": "book", mine: "Stravinsky", theirs: "Stravinsky"})
    assert is_equilibrium(tree, stays, (2, 2))
    goes = gametheory.Strategy.from_mapping(tree, {"stays or goes": "concert", mine: "Bach", theirs: "Bach"})
    assert is_equilibrium(tree, goes, (3, 1))
    left = gametheory.matrix(tree).eliminate_dominated(weak=True).remaining
    assert ([str(row) for row in left.rows], [str(column) for column in left.columns]) == (["concert, Bach"], ["Bach"])


def test_the_absent_minded_driver_is_refused():
    """Piccione and Rubinstein (1997): going on with 2/3 gives 4/3, and is best; methods that need perfect recall refuse this game."""
    tree = gametheory.textbook("driver")
    payoff_by_share = {
        share: gametheory.value(tree, gametheory.Strategy(tree, [(1 - share, share)])) for share in (Fraction(n, 12) for n in range(13))
    }
    assert max(payoff_by_share, key=payoff_by_share.__getitem__) == Fraction(2, 3)
    assert payoff_by_share[Fraction(2, 3)] == Fraction(4, 3)
    says = "'at an exit'"
    with pytest.raises(TreeError, match=says):
        gametheory.solve(tree, "backward")
    with pytest.raises(TreeError, match=says):
        gametheory.best_response(tree, gametheory.Strategy.uniform(tree), 0)
