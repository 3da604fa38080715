"""The scripts of docs/results: the pages show what they compute, and other ways of counting agree."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import deals
import miniatures
import players
import run
import small_endings
from durak_widget import Game, PositionError, RulesError, analysis, gametheory
from durak_widget.analysis import endgame
from durak_widget.cards import CardSet
from miniatures import Miniature, require_exact, solved
from support.lesson_notebooks import fix_moves

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHOWN = run.shown((DOCS / "results.md").read_text(encoding="utf-8"))
QUICK = {"mixing", "chances"}
ROWS = {
    line.strip("`"): cells
    for line, *cells in (
        row.strip("| ").split(" | ") for row in (DOCS / "miniatures.md").read_text(encoding="utf-8").splitlines() if row.startswith("| `")
    )
}


# The pages


@pytest.mark.parametrize("command", [pytest.param(command, marks=[pytest.mark.release] * (command not in QUICK)) for command in SHOWN])
def test_the_page_shows_what_the_script_prints(command):
    """Each block is the beginning of the command's output."""
    assert run.computed(command, SHOWN[command].count("\n")) == SHOWN[command]


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=[pytest.mark.release] * (int(row[2].replace(",", "")) > 60)) for line, row in ROWS.items()]
)
def test_the_table_of_miniatures_is_what_the_script_finds(line):
    """Value and sizes, to the last digit."""
    [row] = run.markdown(miniatures.miniatures(only=line).rows)[2:3]
    assert row.strip("| ").split(" | ") == [f"`{line}`", *ROWS[line]]


def test_the_table_has_every_miniature():
    """And each line is read and written back the same."""
    assert list(ROWS) == miniatures.LINES.splitlines()
    assert [Miniature.parse(line).line for line in ROWS] == list(ROWS)


def test_update_writes_new_figures_into_the_page(tmp_path, monkeypatch):
    """As many lines as are shown; other commands stay as they are."""
    page = tmp_path / "results.md"
    block = "```text\n$ python docs/results/run.py {}\n{}```\n"
    page.write_text("Before.\n\n" + block.format("chances", "old\n" * 3) + "\n" + block.format("mixing", "old\n"), encoding="utf-8")
    monkeypatch.setattr(run, "PAGE", page)
    run.main(["update", "chances"])
    shown_lines = run.shown(page.read_text(encoding="utf-8"))
    assert shown_lines == {"chances": "".join(SHOWN["chances"].splitlines(keepends=True)[:3]), "mixing": "old\n"}


def test_a_picture_is_the_same_each_time_and_dark_on_a_dark_page(tmp_path, capsys):
    """No date and no random name is in it."""
    for file in ("one.svg", "two.svg"):
        run.main(["two_against_two", "--ranks", "KA", "--plot", str(tmp_path / file)])
    picture = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert capsys.readouterr().out
    assert picture == (tmp_path / "two.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme:dark" in picture
    assert not re.search(r"<dc:date>|20\d\d-\d\d", picture)


def test_errors_of_the_script_are_one_sentence(monkeypatch):
    """The script stops with an error message."""
    for command in ("largest --game podkidnoy_cd_67", "largest --limit 10", "taking --rules foo", "taking --rules two_decks"):
        monkeypatch.setattr(sys, "argv", ["run.py", *(word.replace("_", " ") if "cd" in word else word for word in command.split())])
        with pytest.raises(SystemExit) as ended:
            run.main()
        assert isinstance(ended.value.code, str)
        assert "\n" not in ended.value.code


# Endings


def test_positions_of_one_kind_have_the_same_value():
    """A position looked up by its kind has the value, and as many best moves, as when it is solved alone."""
    for rules, trump, ranks in (
        ("econ431", "h", "9TJQKA"),
        ("passport", "h", "9TJQKA"),
        ("japanese", "d", "JQKA"),
        ("low_trump", "c", "6KA"),
        ("weli", "h", "6QK"),
    ):
        endings, rng = small_endings.Endings(rules, "cdhs", ranks, trump), Random(rules)
        for _ in range(20):
            cards = rng.sample(endings.cards, rng.randrange(3, 6))
            cut = rng.randrange(1, len(cards) - 1)
            mine, theirs, attack = tuple(cards[:cut]), tuple(cards[cut:-1]), rng.choice([None, cards[-1]])
            found = endings.waiting(mine, theirs, attack)
            game = Game.from_position(
                endings.rules, hands=[CardSet(mine), CardSet(theirs)], trump=trump, table=str(attack) if attack else "", attacker=0
            )
            ending = endgame.solve_endgame(game)
            assert found is not None
            assert (found.value, sorted(found.moves.values()), found.best) == (
                ending.value,
                sorted(ending.move_values.values()),
                len(ending.best_moves),
            )


def test_two_decks_are_refused():
    """Two cards that look alike would be counted as two."""
    with pytest.raises(PositionError, match="decks=1"):
        small_endings.two_against_two(rules="two_decks")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "tied"), [("econ431", 0), ("podkidnoy", 27)])
def test_all_but_one_speaks_where_at_most_one_card_can_be_beaten(rules, tied):
    """Counted here without a tree. The exceptions are single cards, both of which run out."""
    rows = small_endings.all_but_one(rules=rules, cards=4).rows
    for row in rows:
        assert row["the rule speaks"] == rule_speaks(row["attacker"], row["defender"])
        assert row["exceptions"] == (tied if (row["attacker"], row["defender"]) == (1, 1) else 0)


def rule_speaks(mine, theirs):
    """With Q K A of three suits, hearts trumps: count the deals in which at most one of the attacker's cards can be beaten."""
    deck = [rank + suit for suit in "cdh" for rank in "QKA"]

    def beaten(card, other):
        return "QKA".index(other[0]) > "QKA".index(card[0]) if card[1] == other[1] else other[1] == "h"

    return sum(
        sum(any(beaten(card, answer) for answer in other) for card in hand) <= 1
        for hand in combinations(deck, mine)
        for other in combinations([card for card in deck if card not in hand], theirs)
    )


# Deals


def test_chances_agree_with_counting_all_hands():
    """Cards 0 to 2, or 0 to 4 before the turn-up is seen, are trumps."""
    a_trump, a_card, none, average = (row["exactly"] for row in deals.chances().rows)
    trumps = {0, 1, 2}
    hands = list(combinations(range(18), 5))
    assert none == Fraction(sum(not trumps & set(hand) for hand in hands), len(hands))
    assert average == Fraction(sum(len(trumps & set(hand)) for hand in hands), len(hands))
    assert a_card == Fraction(sum(17 in hand for hand in hands), len(hands))
    hands = list(combinations(range(23), 5))
    assert a_trump == Fraction(sum(min(hand) < 5 for hand in hands), len(hands))


def test_the_attacker_must_mix():
    """If the attacker always leads the one card or always the other, they are guaranteed less: another linear program says so."""
    rows = deals.mixing().rows
    tree = deals.tree_of("econ431", deals.parse_cards("Ah Tc Jc Qs Ks"), "h", 2, 1, 1)
    [place] = [place for place, infoset in enumerate(tree.infosets) if infoset.label == rows[0]["knows"]]
    for move in tree.infosets[place].actions:
        assert gametheory.solve(fix_moves(tree, {place: move})).value < Fraction(-1, 5)


@pytest.mark.slow
def test_a_deck_with_a_gap_is_of_the_same_kind():
    """It has the same value, and mixing saves as much."""
    first, other = (deals.mixing(cards=cards).sentences[1] for cards in ("Ah Tc Jc Qs Ks", "Ah 6d 9d Qc Kc"))
    assert first == other


def test_the_kinds_of_decks_are_those_of_the_page():
    """Of five cards 620 kinds, 500 of them with a trump, 188 with all four suits."""
    decks = list(deals.kinds_of_decks(5, 4, "h"))
    assert len(decks) == 620
    assert sum(any(card.suit == "h" for card in deck) for deck in decks) == 500
    assert sum(len({card.suit for card in deck}) == 4 for deck in decks) == 188


# Small games


def test_a_miniature_with_its_talon_is_the_game_from_any_deal():
    """The tree over all deals, and the tree from one deal with everything unseen, have the same value."""
    miniature = Miniature.parse("podkidnoy cd 67 1 c")
    game = Game.from_position(miniature.rules, hands=["6c", "7c"], talon="6d 7d", trump="c", bout=1)
    assert gametheory.solve(analysis.build_tree_from_position(game)).value == solved(miniature).value


def test_cards_that_lie_aside_are_not_drawn():
    """With one card each the attacker wins, unless the card is beaten: then both run out, and `podkidnoy` calls that a tie."""
    beaten = [("6c", "7c"), ("6d", "7d"), ("6d", "6c"), ("6d", "7c"), ("7d", "6c"), ("7d", "7c")]
    assert solved(Miniature.parse("econ431 cd 67 1 c aside")).value == 1
    assert solved(Miniature.parse("podkidnoy cd 67 1 c aside")).value == 1 - Fraction(len(beaten), 12)


def test_a_miniature_may_limit_the_cards_of_an_attack():
    """If the limit is not the hand size, it is in the line."""
    miniature = Miniature.parse("econ431 cdhs 67 4 none at most 2")
    assert (miniature.attacks, miniature.line) == (2, "econ431 cdhs 67 4 none at most 2")
    assert miniature.rules.attack_limit == 2
    with pytest.raises(RulesError):
        Miniature.parse("econ431 cdhs 67 four none")


def test_a_value_without_proof_is_refused():
    """Three iterations of CFR+ leave a gap."""
    tree = Miniature.parse("podkidnoy cd 67 1 c").tree()
    with pytest.raises(ArithmeticError, match="not found exactly"):
        require_exact(tree, gametheory.solve(tree, "cfr+", iterations=3))


def test_both_bots_assume_that_all_play_at_random():
    """Each makes a move that is best on average over all plays at random, by what it knows; summed up here play by play."""
    tree = Miniature.parse("econ431 c 6789 1 none").tree()
    remembers, forgets = players.best_against_random(tree)
    values = [Fraction(0)] * tree.history_count
    for here in reversed(range(tree.history_count)):
        below = tree.children(here)
        values[here] = sum(values[child] for child in below) / Fraction(len(below)) if below else tree.payoffs[tree.infoset_of[here]][0]
    reach, sums = [Fraction(1)] * tree.history_count, {}
    for here in range(tree.history_count):
        for child in tree.children(here):
            reach[child] = reach[here] / len(tree.children(here))
        if tree.actor[here] >= 0:
            place, sign = tree.infoset_of[here], 1 - 2 * tree.actor[here]
            gains = [sign * reach[here] * values[child] for child in tree.children(here)]
            for key in (place, tree.infosets[place]):
                sums[key] = [total + gain for total, gain in zip(sums.get(key, [0] * len(gains)), gains, strict=True)]
    for place, infoset in enumerate(tree.infosets):
        assert sums[place][remembers[place].index(1)] == max(sums[place])
        assert sums[infoset][forgets[place].index(1)] == max(sums[infoset])


def test_players_follow_their_rule():
    """One takes whenever it can, one never throws in."""
    tree = Miniature.parse("econ431 cd 67 2 c").tree()
    takes, beats = players.by_rule(tree, "c", "take", "pass"), players.by_rule(tree, "c", "pass")
    for infoset, taking, beating in zip(tree.infosets, takes, beats, strict=True):
        assert "take" not in infoset.actions or taking[infoset.actions.index("take")] == 1
        assert not infoset.actions[beating.index(1)].startswith(("take", "throw"))


@pytest.mark.parametrize(("throws", "lost"), [(False, Fraction(143, 180)), (True, Fraction(73, 180))])
@pytest.mark.release
def test_a_player_for_whom_a_low_trump_is_cheap_loses_something_else(throws, lost):
    """As the page says; the cheapest card is then the one of the lowest rank."""
    tree = Miniature.parse("econ431 cd 678 2 c").tree()

    def chosen(moves):
        cards = [move for move in moves if " " in move]
        if not cards or ("pass" in moves and not throws):
            return len(moves) - 1
        return moves.index(min(cards, key=lambda move: ("678".index(move.split()[-1][0]), move[-1] == "c")))

    assert (
        gametheory.exploitability(tree, gametheory.Strategy.from_choices(tree, [chosen(infoset.actions) for infoset in tree.infosets]))
        == lost
    )
