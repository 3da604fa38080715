"""Results worth teaching: small games solved whole, their page, their plots and their command."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from durak_widget import Game, theory
from durak_widget.games.kit.needed import MissingError
from durak_widget.theory import results
from durak_widget.theory.results import __main__ as command
from durak_widget.theory.results import plots
from durak_widget.theory.results.miniature import Miniature, proved, worth
from durak_widget.theory.results.mixes import _decks
from durak_widget.theory.results.remembers import FORGETS, OPTIMAL, RANDOM, REMEMBERS
from durak_widget.theory.results.result import laid_out, markdown
from durak_widget.theory.results.solved import LINES

PAGE = Path(__file__).parents[3] / "docs" / "miniatures.md"


# What games are worth


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("econ431 cd 67 1 c", Fraction(-2, 3)),
        ("econ431 cd 67 1 none", Fraction(0)),
        ("podkidnoy cd 67 1 none", Fraction(1, 4)),
        ("econ431 cd 678 1 none", Fraction(-31, 180)),
        ("podkidnoy cd 678 1 none", Fraction(-31, 180)),
        ("econ431 cd 678 2 none", Fraction(8, 45)),
        ("perevodnoy cdh 67 3 none", Fraction(-17, 20)),
        ("podkidnoy cdh 67 3 none", Fraction(19, 20)),
    ],
)
@pytest.mark.sample(4)
def test_attacking_first(line, value):
    """An advantage, or none."""
    assert worth(Miniature.of(line)).value == value


def test_what_is_not_dealt_may_lie_aside():
    """Then each deal is an ending in which one card, or more, is not known: with one card each who attacks wins, and a draw is what podkidnoy makes of a card that is beaten."""
    found = results.first_attack(decks="2x2", hands="1 2", rules="econ431 podkidnoy")
    assert found.value("econ431 cd 67 1 c aside") == 1
    beaten = [("6c", "7c"), ("6d", "7d"), ("6d", "6c"), ("6d", "7c"), ("7d", "6c"), ("7d", "7c")]
    assert found.value("podkidnoy cd 67 1 c aside") == 1 - Fraction(len(beaten), 12)
    assert len(found.table()) == len(found.worths) == 12
    assert found.value("econ431 cd 67 2 c") == Fraction(2, 3)


def test_a_position_with_its_talon_is_the_game():
    """The tree over all deals, and the tree from one of them with everything unseen, are worth the same."""
    one = Miniature.of("podkidnoy cd 67 1 c")
    game = Game.from_position(one.rules, hands=["6c", "7c"], talon="6d 7d", trump="c", bout=1)
    assert theory.solve(theory.build_from(game)).value == worth(one).value


@pytest.mark.parametrize("line", LINES.splitlines())
def test_a_miniature_is_named_by_its_line(line):
    """A line is read, and written again as it was."""
    assert Miniature.of(line).line == line
    assert Miniature.of(line).rules


def test_a_limit_is_in_the_line_too():
    """How many cards an attack may have, where that is not the size of a hand."""
    one = Miniature.of("econ431 cdhs 67 4 none at most 2")
    assert (one.attacks, one.line) == (2, "econ431 cdhs 67 4 none at most 2")
    assert str(one) == "econ431, 4 × 2, 4 each, no trumps, at most 2 a bout"


@pytest.mark.long
def test_open_hands_help_the_one_or_the_other():
    """Both signs occur, and values with open hands are those of backward induction."""
    found = results.seeing(rules="podkidnoy", decks="3x2", hands="1", trumps="none")
    assert [str(gain) for gain in found.gains] == ["-1/40"]
    found = results.seeing(rules="econ431", decks="3x2", hands="2", trumps="none")
    assert [str(gain) for gain in found.gains] == ["1/30"]


# Memory


@pytest.mark.long
def test_memory_is_worth_something():
    """With memory the bot loses to nobody; without, an opponent wins 7/36 a game from it, and its other self 5/36."""
    found = results.memory()
    assert found.solution.value == Fraction(8, 45)
    assert (found.exploitable[REMEMBERS], found.exploitable[FORGETS]) == (0, Fraction(7, 36))
    assert found.gains(REMEMBERS, FORGETS) == Fraction(5, 36) == -found.gains(FORGETS, REMEMBERS)
    assert found.gains(REMEMBERS, RANDOM) > found.gains(FORGETS, RANDOM) > 0 == found.gains(REMEMBERS, OPTIMAL)
    by_label = {}
    for one, row in zip(found.tree.sets, found.players[FORGETS], strict=True):
        assert by_label.setdefault((one.seat, one.label, one.moves), row) == row
    assert found.forgotten == (len(found.tree.sets), len(by_label))


def test_any_bot_may_be_asked():
    """One that attacks with what the other cannot beat, so far as it remembers what that is: a third of what it loses without."""

    def sure(view, _rng):
        if view.memory:
            may_be = view.memory.known[1 - view.seat] | view.memory.unseen
            for move in view.legal_moves():
                if move.verb == "attack" and not may_be & view.beaters(move.cards[0]):
                    return move
        return view.legal_moves()[0]

    found = results.memory(game="econ431 c 6789T 2 c", bot=sure)
    assert (found.exploitable[REMEMBERS], found.exploitable[FORGETS]) == (Fraction(1, 15), Fraction(1, 5))
    shown = set()
    theory.strategy_of(found.tree, lambda view, _rng: shown.add(view) or view.legal_moves()[0], memory=False)
    assert found.forgotten == (len(found.tree.sets), len(shown))
    assert len(shown) < len(found.tree.sets)


def test_both_bots_reckon_with_chance_alone():
    """Each makes a move that is best on average over all plays at random, told apart by what it knows: summed up here play by play."""
    found = results.memory(game="econ431 c 6789 1 none")
    tree = found.tree
    worths = [0] * tree.histories
    for here in reversed(range(tree.histories)):
        below = tree.children(here)
        worths[here] = tree.payoffs[tree.info[here]][0] if not below else sum(worths[one] for one in below) / Fraction(len(below))
    reach, sums = [Fraction(1)] * tree.histories, {}
    for here in range(tree.histories):
        for one in tree.children(here):
            reach[one] = reach[here] / len(tree.children(here))
        if tree.actor[here] >= 0:
            place, sign = tree.info[here], 1 - 2 * tree.actor[here]
            gains = [sign * reach[here] * worths[one] for one in tree.children(here)]
            for key in (place, tree.sets[place]):
                sums[key] = [one + two for one, two in zip(sums.get(key, [0] * len(gains)), gains, strict=True)]
    for place, one in enumerate(tree.sets):
        assert sums[place][found.players[REMEMBERS][place].index(1)] == max(sums[place])
        assert sums[one][found.players[FORGETS][place].index(1)] == max(sums[one])


def test_simple_rules_of_play_lose():
    """Uniform play, the cheapest card, and always taking, in the smallest game of two cards each."""
    found = results.naive(game="econ431 cd 67 2 c")
    assert found.exploitable["random"] == theory.exploitability(found.tree, theory.Strategy.uniform(found.tree)) == Fraction(4, 9)
    for one, row in zip(found.tree.sets, found.players["takes"], strict=True):
        if "take" in one.moves:
            assert row[one.moves.index("take")] == 1
    for one, row in zip(found.tree.sets, found.players["beats"], strict=True):
        assert not one.moves[row.index(1)].startswith(("take", "throw"))


@pytest.mark.long
def test_naive_strategies_are_as_exploitable_as_another_implementation_found():
    """Half of what both seats lose together: any move 0.70, always to take 0.98; the game is worth −7/45."""
    found = results.naive()
    assert found.tree.histories == 117_781
    assert found.solution.value == Fraction(-7, 45)
    assert found.exploitable["random"] == Fraction(60_659, 86_400)
    assert found.exploitable["takes"] == Fraction(44, 45)


def test_what_is_not_proved_is_not_called_exact():
    """A value without its certificate is refused."""
    tree = Miniature.of("podkidnoy cd 67 1 c").tree()
    with pytest.raises(ArithmeticError, match="not found exactly: a gap of"):
        proved(tree, theory.solve(tree, "cfr+", iterations=3))


# The page


def rows_of_the_page():
    """The table of the page, by the line of each game."""
    cells = [
        line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and "`" in line
    ]
    return {line.strip("`"): rest for line, *rest in cells}


def test_the_published_table_has_every_miniature():
    """At least forty games of all rule sets that are listed, each proved."""
    rows = rows_of_the_page()
    assert list(rows) == LINES.splitlines()
    assert len(rows) >= 40
    assert {row[-1] for row in rows.values()} == {"0"}


def test_the_published_table_is_what_is_found():
    """A few of the quick ones, computed anew: value and sizes to the last digit."""
    rows = rows_of_the_page()
    quick = [line for line, row in rows.items() if int(row[4].replace(",", "")) < 5000]
    for line in Random(11).sample(quick, 12):
        told = results.Miniatures((worth(Miniature.of(line)),)).markdown()[2].strip("| ").split(" | ")
        assert told[:7] == [f"`{line}`", *rows[line][:6]]


# Plots


@pytest.fixture(scope="module")
def quick():
    """One result of each kind that is drawn, quickly found."""
    return [
        results.first_attack(rules="podkidnoy", decks="2x2", hands="1 2"),
        results.seeing(rules="podkidnoy", decks="3x2", hands="1", trumps="none"),
        results.memory(game="econ431 c 6789 1 none"),
        results.naive(game="econ431 cd 67 2 c"),
        results.taking(cards=4),
        results.two_against_two(ranks="KA", rules="podkidnoy"),
    ]


@pytest.mark.long
def test_plots_are_drawn_alike_each_time(quick):
    """No date, no random name; small, with letters as text, and dark where the reader's page is."""
    for result in quick:
        drawn = plots.svg(result.plot)
        assert drawn == plots.svg(result.plot)
        assert "prefers-color-scheme:dark" in drawn
        assert "<text" in drawn
        assert not re.search(r"<dc:date>|20\d\d-\d\d", drawn)
        assert len(drawn) < 40_000


def test_a_plot_goes_where_it_is_told(quick):
    """Into axes that are given, or a figure of its own."""
    with plots.dressed(plots.DARK) as plt:
        for result in quick:
            axes = plt.figure().subplots()
            assert result.plot(axes) is axes
            assert axes.has_data()
            assert plt.fignum_exists(result.plot().number)
        plt.close("all")


def test_what_has_no_plot_says_so():
    """And what says the same without one."""
    with pytest.raises(TypeError, match="a Chances has no plot; its table has all that it says"):
        results.chances().plot()


def test_without_matplotlib_a_sentence_says_what_to_install(quick, monkeypatch):
    """And what works all the same."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingError, match=r"pip install 'durak_widget\[plot\]'. Without it there are print\(result\)"):
        quick[-1].plot()


def test_a_contest_can_be_printed():
    """Whoever makes one of players of their own reads the game, its worth and who wins what; the two that are made here say no less."""
    found = results.naive(game="econ431 cd 67 1 c")
    contest = results.Contest(found.game, found.solution, found.players, found.exploitable)
    assert str(contest).splitlines()[:2] == ["Who wins what from whom?", found.said()[0]]
    assert str(contest).splitlines()[2:] == str(found).splitlines()[2:]
    assert "histories, worth -2/3 to who attacks first" in found.said()[0]


@pytest.mark.parametrize(("throws", "lost"), [(False, Fraction(143, 180)), (True, Fraction(73, 180))])
@pytest.mark.long
def test_who_takes_the_lowest_rank_for_the_cheapest_is_another_player(throws, lost):
    """As the page says: the rule that minds no trumps loses other sums."""
    tree = Miniature.of("econ431 cd 678 2 c").tree()

    def chosen(moves):
        cards = [move for move in moves if " " in move]
        if not cards or ("pass" in moves and not throws):
            return len(moves) - 1
        return moves.index(min(cards, key=lambda move: ("678".index(move.split()[-1][0]), move[-1] == "c")))

    assert {one.moves[-1] for one in tree.sets if any(" " not in move for move in one.moves)} == {"pass", "take"}
    assert theory.exploitability(tree, theory.Strategy.choosing(tree, [chosen(one.moves) for one in tree.sets])) == lost


def test_the_kinds_of_decks_are_those_of_the_page():
    """Of five cards 620 kinds, 500 of them with a trump, 188 with all four suits."""
    decks = list(_decks(5, 4, "h"))
    assert len(decks) == 620
    assert sum(any(card.suit == "h" for card in deck) for deck in decks) == 500
    assert sum(len({card.suit for card in deck}) == 4 for deck in decks) == 188


def test_no_rows_are_no_table():
    """Where all is said in sentences there is nothing for a page."""
    assert markdown([]) == laid_out([]) == []
    assert results.largest(game="podkidnoy cd 67 1 c").markdown() == []


def test_where_memory_is_not_counted_the_answer_is_given_all_the_same(monkeypatch):
    """JupyterLite has an empty module where others count it."""
    monkeypatch.setitem(sys.modules, "resource", ModuleType("resource"))
    found = results.largest(game="podkidnoy cd 67 1 c")
    assert (found.memory, "GB" in str(found)) == (None, False)


# The command


def test_the_command_lists_and_tells_and_draws(capsys, tmp_path):
    """Without a name, all of them; with one, its answer, its table as a page has it, its picture."""
    command.main([])
    said = capsys.readouterr().out
    assert all(name in said for name in results.RESULTS)
    command.main(["two_against_two", "--ranks", "KA", "--plot", str(tmp_path / "two.svg")])
    assert "420 positions" in capsys.readouterr().out
    assert (tmp_path / "two.svg").read_text(encoding="utf-8").startswith("<?xml")
    command.main(["chances", "--markdown"])
    assert "| the other holds a given unseen card | 5/18 | 0.278 |" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        command.main(["chance"])


def test_every_result_is_a_command_and_public():
    """Each name is a function with an example, and its result's class is named too."""
    assert set(results.RESULTS) <= set(results.__all__) == set(dir(results))
    for name in results.RESULTS:
        assert ">>>" in getattr(results, name).__doc__
    with pytest.raises(AttributeError, match="it has RESULTS, Chances, "):
        _ = results.chance


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("largest --game podkidnoy_cd_67", "'podkidnoy cd 67' names no miniature; say preset, suits, ranks, cards a hand and trump, as in"),
        ("largest --game podkidnoy_cd_67_one_c", "'podkidnoy cd 67 one c' names no miniature"),
        ("largest --game podkidnoy_cd_67_1_c_at_most_x", "names no miniature"),
        ("largest --game podkidnjoy_cd_67_1_c", "there is no preset 'podkidnjoy'. Did you mean 'podkidnoy'?"),
        ("largest --game podkidnoy_cd_67_9_c", "2 players with 9 cards each need 18 cards"),
        ("largest --limit 10", "the limit is 10"),
        ("first_attack --decks 2x2_2y2", "decks='2x2 2y2': '2y2' is not suits x ranks, at most 4x9; say it as in decks='2x3 3x2'"),
        ("seeing --hands x", "hands='x': 'x' is not cards a hand; say it as in hands='1 2'"),
        ("taking --rules foo", "there is no preset 'foo'"),
    ],
)
def test_the_command_says_in_a_sentence_what_is_wrong(arguments, said, capsys):
    """And ends with 2; the function itself raises a DurakError."""
    name, *options = arguments.split()
    with pytest.raises(SystemExit) as ended:
        command.main([name, *(option.replace("_", " ") for option in options)])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert not printed.out
    assert printed.err.count("\n") == 1


def test_a_plot_that_cannot_be_is_refused_before_anything_is_computed(capsys, tmp_path, monkeypatch):
    """Results that are not drawn, a folder that is not there, matplotlib that is not installed."""
    refused = {}
    for name, file in (("chances", "x.svg"), ("mixers", "x.svg"), ("taking", "no/x.svg")):
        with pytest.raises(SystemExit) as ended:
            command.main([name, "--plot", str(tmp_path / file)])
        assert ended.value.code == 2
        printed = capsys.readouterr()
        assert not printed.out
        refused[name] = printed.err
    assert refused["chances"] == "chances is not drawn; first_attack, taking, memory, seeing, two_against_two and naive are\n"
    assert "there is no folder" in refused["taking"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit):
        command.main(["largest", "--plot", str(tmp_path / "x.svg")])
    with pytest.raises(SystemExit):
        command.main(["memory", "--plot", str(tmp_path / "x.svg")])
    assert "plots need matplotlib: pip install" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
