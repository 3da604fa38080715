"""What opponents say when a game is over: enough, not twice running, and true, each claim looked up anew in the record of the game."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from durak_widget import Game, Table, bots
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.bots.heuristic_bots import JACK_PRICE, TRUMP_PRICE, get_card_prices, plan_beats
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.table.opponent_remarks import CLAIMS, choose_remark, list_remarks
from support.sizes import tried

RANKS = "23456789TJQKA"
KEYS = [person.key for person in bots.people()]
MANY = 20
each = pytest.mark.parametrize("key", [pytest.param(key, marks=[pytest.mark.slow] * (key == "grandmother")) for key in KEYS])
"""Grandmother thinks, so her games take longer."""


def bot(key):
    """Their way to play; who thinks, thinks less here."""
    return bots.get("searching", playouts=12) if key == "grandmother" else key


@cache
def games(key, many=MANY):
    """Games in which that opponent has seat 1."""
    return [bots.play(Game(seed=seed), [("careful", "counting", "first")[seed % 3], bot(key)], seed) for seed in range(many)]


def laid_in(game):
    """By hand, from the record alone: who laid which card by which verb in which bout, what it beat; and who took which cards in it."""
    there, laid, taken, table = game.copy(), [], [], []
    for ply, one in enumerate(game.history):
        there.goto(ply)
        bout, trump, talon, lie = there.bout, there.trump, bool(there.talon), {card for pair in there.table for card in pair if card}
        defender = there.defender
        there.goto(ply + 1)
        if one.verb in {"attack", "throw", "beat"}:
            cards = one.cards[-1:] if one.verb == "beat" else one.cards
            laid += [
                (one.seat, one.verb, card, one.cards[0] if one.verb == "beat" else None, bout, card.suit == trump, talon) for card in cards
            ]
            lie |= set(cards)
        table = [*table, *lie]
        if there.bout != bout or there.outcome is not None:
            got = {card for card in table if card in there.hands[defender]}
            if got:
                taken.append((defender, bout, got))
            table = []
    return laid, taken


# How much there is to say


@each
def test_nobody_has_but_one_thing_to_say(key):
    """In four games of five there are three different sentences or more; over ten games in a row five different ones are heard, and none twice running."""
    many = [len({fact.key for fact in list_remarks(game, 1, key)}) for game in games(key)]
    assert sum(count >= 3 for count in many) >= 0.8 * MANY
    heard = []
    for game in games(key)[:10]:
        heard.append(choose_remark(game, 1, key, heard).key)
    assert len(set(heard)) >= 5
    assert all(one != other for one, other in pairwise(heard))


@pytest.mark.parametrize("key", ["nephew", "bookkeeper"])
def test_who_is_asked_again_says_something_else(key):
    """Of one game: all that there is to say comes before anything comes again."""
    game, heard = games(key)[3], []
    all_of_it = {fact.key for fact in list_remarks(game, 1, key)}
    for _ in range(2 * len(all_of_it)):
        heard.append(choose_remark(game, 1, key, heard).key)
    assert set(heard[: len(all_of_it)]) == set(heard[len(all_of_it) :]) == all_of_it


def test_at_a_table_it_is_remembered_what_was_said(tmp_path, monkeypatch):
    """From game to game, and in another notebook; where nothing can be written, something is said all the same."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    heard = []
    for seed in range(5):
        table = Table(games("nephew")[seed].copy(), seats={1: "nephew"})
        heard.append(table.scene["over"]["rivals"][0])
    assert all(one != other for one, other in pairwise(heard))
    (tmp_path / "sayings.json").unlink()
    (tmp_path / "sayings.json").mkdir()
    assert Table(games("nephew")[0].copy(), seats={1: "nephew"}).scene["over"]["rivals"][0] == heard[0]


@pytest.mark.slow
def test_everything_has_words_and_is_said_by_somebody():
    """In every language, with cards by their names and as signs: whole sentences, in which nothing is left open. Each claim is made at some time."""
    made = set()
    for key in KEYS:
        for game in games(key):
            for fact in list_remarks(game, 1, key):
                made.add(fact.key)
                for language in LANGUAGES:
                    for cards in ("words", "signs"):
                        words = Translator(language, cards=cards).translate("sentence", said=fact)
                        assert words.endswith(".")
                        assert "{" not in words
                        assert "the the" not in words
    rare = {"people.bookkeeper.gift"}  # what it claims is looked up anew wherever it comes
    assert {f"people.{key}.{name}" for key, claims in CLAIMS.items() for name in claims} <= made | rare


def test_between_more_than_two_nobody_is_called_you():
    """Whoever is meant would not know it: what is said of an only other is left out."""
    you = {"gift", "proved", "empty", "trumps", "balance", "recalled", "open", "early", "taken"}
    for key in KEYS:
        game = bots.play(Game("podkidnoy, players=3", seed=4), ["careful", bot(key), "careful"], 4)
        told = list_remarks(game, 1, key)
        assert {fact.key.rpartition(".")[2] for fact in told} & you == set()
        assert len(told) > 1 or key == "aunt"


def test_by_any_rules_something_is_said():
    """And it has words."""
    for rules in ["econ431", "passport", "siege", "decks=2", "jokers=2", "players=4, teams=2v2"]:
        for key in KEYS[:5]:
            game = Game(rules, seed=3)
            game = bots.play(game, ["careful", key, *["careful"] * (game.seats - 2)], 3)
            told = list_remarks(game, 1, key)
            assert told
            for fact in told:
                assert "{" not in Translator("lt").translate("sentence", said=fact)


# That it is so


@each
def test_what_they_claim_is_so(key):
    """Whatever an opponent says of the cards is found in the record, by another way than it was found by first."""
    for game in games(key)[: tried(8, MANY)]:
        for fact in list_remarks(game, 1, key):
            _check(game, key, fact.key.rpartition(".")[2], fact.facts)


def test_what_they_claim_is_so_by_other_rules():
    """Also where a game ends in the middle of a bout, and where nothing is trump."""
    for rules in ["econ431", "no_trumps", "durnius"]:
        for key in KEYS[:5]:
            for seed in range(tried(2, 6)):
                game = bots.play(Game(rules, seed=seed), [("careful", "random")[seed % 2], key], seed)
                for fact in list_remarks(game, 1, key):
                    _check(game, key, fact.key.rpartition(".")[2], fact.facts)


def before(game, wanted):
    """What seat 1 saw before those of its moves, and the move."""
    there = game.copy()
    for ply, one in enumerate(game.history):
        if one.seat == 1 and wanted(one):
            there.goto(ply)
            yield there.view(1), one


def _check(game, key, what, facts):
    laid, taken = laid_in(game)
    own, other = ([one for one in laid if one[0] == seat] for seat in (1, 0))
    mine, theirs = ([(bout, cards) for seat, bout, cards in taken if seat == who] for who in (1, 0))
    card, count, outcome = facts.get("card"), facts.get("count"), game.outcome
    if what in {"won", "lost", "drawn"}:
        assert what == ("won" if 1 in outcome.winners else "lost" if 1 in outcome.losers else "drawn")
    elif what == "took":
        found = []
        for view, _ in before(game, lambda one: one.verb == "take"):
            plan = plan_beats(view, view.legal_moves(), get_card_prices(view))
            dear = any(get_card_prices(view)(beat.cards[1]) >= TRUMP_PRICE for beat in plan)
            lies = card in [attack for attack, _ in view.table]
            found.append(lies and bool(plan) and (key == "nephew" or (dear and view.talon_count == count)))
        assert any(found)
    elif what == "dearer":
        assert card.suit != game.trump
        assert any(
            one.cards[0] == card and any(held.suit != game.trump and RANKS.index(held.rank) < RANKS.index(card.rank) for held in view.hand)
            for view, one in before(game, lambda one: one.verb == "attack")
        )
    elif what == "left":
        assert any(f"throw {card}" in map(str, view.legal_moves()) for view, _ in before(game, lambda one: one.verb == "pass"))
    elif what == "armful":
        assert count == max(len(cards) for _, cards in mine)
    elif what == "out":
        assert (own[-1][2], len(game.hands[1]), 1 in outcome.winners) == (card, 0, True)
    elif what == "threw":
        assert count == sum(one[1] == "throw" and one[5] for one in own)
    elif what == "highest":
        views = [view for view, one in before(game, lambda one: one.verb == "attack") if one.cards[0] == card]
        plain = [[get_card_prices(view)(held) for held in view.hand if held.suit != game.trump] for view in views]
        assert any(len(all_of) > 1 and max(all_of) == get_card_prices(game.view(1))(card) for all_of in plain)
    elif what == "carried":
        assert count == sum(one[2] in cards and one[4] == bout and one[1] != "beat" for one in own for bout, cards in theirs)
    elif what == "thrown":
        assert count == sum(one[1] == "throw" for one in own)
    elif what == "kept":
        assert set(facts["cards"]) <= set(game.hands[1])
        assert not [cards for bout, cards in mine if bout == game.bout and cards & set(facts["cards"])]
        assert all(one.suit == game.trump or one.rank == "A" for one in facts["cards"])
    elif what == "rather":
        views = [view for view, _ in before(game, lambda one: one.verb == "take") if card in view.table.unbeaten]
        assert any(view.talon_count and facts["kept"] in view.hand for view in views)
        assert facts["kept"].suit == game.trump or facts["kept"].rank == "A"
    elif what == "treasure":
        held = [sum(one.suit == game.trump or one.rank == "A" for one in view.hand) for view, _ in before(game, lambda _: True)]
        assert max(held) == count
    elif what == "dealt":
        there = game.copy()
        there.goto(0)
        assert card in there.hands[1]
        assert [one[4] for one in laid if one[2] == card] == [facts["bout"]]
    elif what in {"useful", "went"}:
        assert any(card in cards and bout == facts["bout"] for bout, cards in mine)
        later = [one for one in own if one[2] == card and one[4] > facts["bout"]]
        assert any(one[3] == facts.get("beaten") for one in later)
    elif what == "worth":
        assert any((one[2], one[3]) == (facts["trump"], card) for one in own)
        assert facts["trump"].suit == game.trump != card.suit
        assert get_card_prices(game.view(1))(card) >= JACK_PRICE
    elif what == "gathered":
        assert count == sum(len(cards) for _, cards in mine)
    elif what == "never":
        assert not mine
    elif what == "taken":
        assert count == len(theirs)
    elif what == "entered":
        assert (count, facts["bouts"]) == (len(game.moves), len({one[4] for one in laid}))
    elif what == "trumps":
        assert (count, facts["mine"]) == (sum(one[5] for one in other), sum(one[5] for one in own))
    elif what == "discarded":
        dealt = game.copy()
        dealt.goto(0)
        whole, left = (
            sum(map(len, one.hands)) + len(one.talon) + sum(card is not None for pair in one.table for card in pair)
            for one in (dealt, game)
        )
        assert count == whole - left
    elif what == "balance":
        assert (count, facts["mine"]) == tuple(sum(len(cards) for _, cards in some) for some in (theirs, mine))
    elif what == "empty":
        there = game.copy()
        there.goto(next(ply for ply in range(len(game.moves) + 1) if there.goto(ply) or not there.talon))
        assert (count, facts["mine"]) == tuple(map(len, there.hands))
    elif what == "recalled":
        assert any(card in cards and bout == facts["bout"] for bout, cards in theirs)
        assert any(one[2] == card and one[4] == facts["later"] > facts["bout"] for one in other)
    elif what == "met":
        assert any((one[2], one[3]) == (facts["mine"], card) for one in own)
    elif what == "early":
        assert count == sum(one[5] and one[6] for one in other)
    elif what == "open":
        views = [view for view, _ in before(game, lambda _: True) if not view.talon_count and view.counts[0] == count]
        assert any(view.memory.known[0] | view.memory.unseen == _held(game, view.ply) for view in views)
    else:
        assert what in {"gift", "proved"}
        values = []
        for ply, one in enumerate(game.history):
            if one.seat == (what == "proved") and one.cards and one.cards[-1] == card:
                there = game.copy()
                there.goto(ply)
                if not there.talon:
                    ending = solve_endgame(there)
                    values.append((ending.value, ending.move_values[there.copy().redo()]))
        assert (1, 1) in values if what == "proved" else any(value > worth == -1 for value, worth in values)


def _held(game, ply):
    there = game.copy()
    there.goto(ply)
    return there.hands[0]
