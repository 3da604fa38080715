"""Test the remarks of opponents after a game: enough different ones, no repetition, and true claims, checked with the game record."""

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
from support.tables import play_on

RANKS = "23456789TJQKA"
KEYS = [person.key for person in bots.people()]
MANY = 20
each = pytest.mark.parametrize("key", [pytest.param(key, marks=[pytest.mark.slow] * (key == "grandmother")) for key in KEYS])
"""Grandmother is a slow bot, so her games take longer."""


def opponent_bot(key):
    """Return the opponent's bot; grandmother uses fewer playouts here."""
    return bots.get("searching", playouts=12) if key == "grandmother" else key


@cache
def finished_games(key, many=MANY):
    """Return games in which that opponent has seat 1."""
    return [bots.play(Game(seed=seed), [("careful", "counting", "first")[seed % 3], opponent_bot(key)], seed) for seed in range(many)]


def cards_played_and_taken(game):
    """Return, from the record alone, who played which card with which verb in which bout and what it beat; and who took which cards in it."""
    there, laid, taken, table = game.copy(), [], [], []
    for ply, played_move in enumerate(game.history):
        there.goto(ply)
        bout, trump, talon, lie = there.bout, there.trump, bool(there.talon), {card for pair in there.table for card in pair if card}
        defender = there.defender
        there.goto(ply + 1)
        if played_move.verb in {"attack", "throw", "beat"}:
            cards = played_move.cards[-1:] if played_move.verb == "beat" else played_move.cards
            laid += [
                (
                    played_move.seat,
                    played_move.verb,
                    card,
                    played_move.cards[0] if played_move.verb == "beat" else None,
                    bout,
                    card.suit == trump,
                    talon,
                )
                for card in cards
            ]
            lie |= set(cards)
        table = [*table, *lie]
        if there.bout != bout or there.outcome is not None:
            got = {card for card in table if card in there.hands[defender]}
            if got:
                taken.append((defender, bout, got))
            table = []
    return laid, taken


# Variety of remarks


@each
def test_every_opponent_has_several_remarks(key):
    """In four games of five there are three or more different remarks. Ten games in a row have five different ones, and never the same twice running."""
    many = [len({fact.key for fact in list_remarks(game, 1, key)}) for game in finished_games(key)]
    assert sum(count >= 3 for count in many) >= 0.8 * MANY
    heard = []
    for game in finished_games(key)[:10]:
        heard.append(choose_remark(game, 1, key, heard).key)
    assert len(set(heard)) >= 5
    assert all(remark != other for remark, other in pairwise(heard))


@pytest.mark.parametrize("key", ["nephew", "bookkeeper"])
def test_a_remark_repeats_only_after_all_others(key):
    """For one game, all remarks come before any comes again."""
    game, heard = finished_games(key)[3], []
    all_of_it = {fact.key for fact in list_remarks(game, 1, key)}
    for _ in range(2 * len(all_of_it)):
        heard.append(choose_remark(game, 1, key, heard).key)
    assert set(heard[: len(all_of_it)]) == set(heard[len(all_of_it) :]) == all_of_it


def test_a_table_remembers_earlier_remarks(tmp_path, monkeypatch):
    """From game to game, and in another notebook; if the file cannot be written, there is still a remark."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    heard = [play_on(Table(seed=seed, seats={1: "nephew"}))["result"]["quotes"][0] for seed in range(5)]
    assert all(remark != other for remark, other in pairwise(heard))
    (tmp_path / "sayings.json").unlink()
    (tmp_path / "sayings.json").mkdir()
    assert play_on(Table(seed=0, seats={1: "nephew"}))["result"]["quotes"][0] == heard[0]


@pytest.mark.slow
def test_every_remark_has_a_text_and_occurs():
    """In every language, with cards as words and signs: complete sentences without placeholders. Every claim occurs at some time."""
    made = set()
    for key in KEYS:
        for game in finished_games(key):
            for fact in list_remarks(game, 1, key):
                made.add(fact.key)
                for language in LANGUAGES:
                    for cards in ("words", "signs"):
                        words = Translator(language, cards=cards).translate("sentence", said=fact)
                        assert words.endswith(".")
                        assert "{" not in words
                        assert "the the" not in words
    rare = {"people.bookkeeper.gift"}  # checked by _check_claim when it occurs
    assert {f"people.{key}.{name}" for key, claims in CLAIMS.items() for name in claims} <= made | rare


def test_with_three_players_no_remark_says_you():
    """With several others nobody would know who is meant, so remarks about an only other are left out."""
    you = {"gift", "proved", "empty", "trumps", "balance", "recalled", "open", "early", "taken"}
    for key in KEYS:
        game = bots.play(Game("podkidnoy, players=3", seed=4), ["careful", opponent_bot(key), "careful"], 4)
        remarks = list_remarks(game, 1, key)
        assert {fact.key.rpartition(".")[2] for fact in remarks} & you == set()
        assert len(remarks) > 1 or key == "aunt"


def test_there_is_a_remark_under_all_rules():
    """It has a text in another language too."""
    for rules in ["econ431", "passport", "siege", "decks=2", "jokers=2", "players=4, teams=2v2"]:
        for key in KEYS[:5]:
            game = Game(rules, seed=3)
            game = bots.play(game, ["careful", key, *["careful"] * (game.seats - 2)], 3)
            remarks = list_remarks(game, 1, key)
            assert remarks
            for fact in remarks:
                assert "{" not in Translator("lt").translate("sentence", said=fact)


# Truth of claims


@each
def test_every_claim_is_true(key):
    """Every claim about the cards is found in the record, by another method than the one that made it."""
    for game in finished_games(key)[: tried(8, MANY)]:
        for fact in list_remarks(game, 1, key):
            _check_claim(game, key, fact.key.rpartition(".")[2], fact.facts)


def test_every_claim_is_true_under_other_rules():
    """Also if a game ends during a bout, and without trumps."""
    for rules in ["econ431", "no_trumps", "durnius"]:
        for key in KEYS[:5]:
            for seed in range(tried(2, 6)):
                game = bots.play(Game(rules, seed=seed), [("careful", "random")[seed % 2], key], seed)
                for fact in list_remarks(game, 1, key):
                    _check_claim(game, key, fact.key.rpartition(".")[2], fact.facts)


def views_before_moves(game, wanted):
    """Yield the view of seat 1 before each matching move, and the move."""
    there = game.copy()
    for ply, played_move in enumerate(game.history):
        if played_move.seat == 1 and wanted(played_move):
            there.goto(ply)
            yield there.view(1), played_move


def _check_claim(game, key, what, facts):
    laid, taken = cards_played_and_taken(game)
    own, other = ([card_play for card_play in laid if card_play[0] == seat] for seat in (1, 0))
    mine, theirs = ([(bout, cards) for seat, bout, cards in taken if seat == who] for who in (1, 0))
    card, count, outcome = facts.get("card"), facts.get("count"), game.outcome
    if what in {"won", "lost", "drawn"}:
        assert what == ("won" if 1 in outcome.winners else "lost" if 1 in outcome.losers else "drawn")
    elif what == "took":
        found = []
        for view, _ in views_before_moves(game, lambda move: move.verb == "take"):
            plan = plan_beats(view, view.legal_moves(), get_card_prices(view))
            dear = any(get_card_prices(view)(beat.cards[1]) >= TRUMP_PRICE for beat in plan)
            lies = card in [attack for attack, _ in view.table]
            found.append(lies and bool(plan) and (key == "nephew" or (dear and view.talon_count == count)))
        assert any(found)
    elif what == "dearer":
        assert card.suit != game.trump
        assert any(
            move.cards[0] == card and any(held.suit != game.trump and RANKS.index(held.rank) < RANKS.index(card.rank) for held in view.hand)
            for view, move in views_before_moves(game, lambda move: move.verb == "attack")
        )
    elif what == "left":
        assert any(
            f"throw {card}" in map(str, view.legal_moves()) for view, _ in views_before_moves(game, lambda move: move.verb == "pass")
        )
    elif what == "armful":
        assert count == max(len(cards) for _, cards in mine)
    elif what == "out":
        assert (own[-1][2], len(game.hands[1]), 1 in outcome.winners) == (card, 0, True)
    elif what == "threw":
        assert count == sum(card_play[1] == "throw" and card_play[5] for card_play in own)
    elif what == "highest":
        views = [view for view, move in views_before_moves(game, lambda move: move.verb == "attack") if move.cards[0] == card]
        plain = [[get_card_prices(view)(held) for held in view.hand if held.suit != game.trump] for view in views]
        assert any(len(all_of) > 1 and max(all_of) == get_card_prices(game.view(1))(card) for all_of in plain)
    elif what == "carried":
        assert count == sum(
            card_play[2] in cards and card_play[4] == bout and card_play[1] != "beat" for card_play in own for bout, cards in theirs
        )
    elif what == "thrown":
        assert count == sum(card_play[1] == "throw" for card_play in own)
    elif what == "kept":
        assert set(facts["cards"]) <= set(game.hands[1])
        assert not [cards for bout, cards in mine if bout == game.bout and cards & set(facts["cards"])]
        assert all(card.suit == game.trump or card.rank == "A" for card in facts["cards"])
    elif what == "rather":
        views = [view for view, _ in views_before_moves(game, lambda move: move.verb == "take") if card in view.table.unbeaten]
        assert any(view.talon_count and facts["kept"] in view.hand for view in views)
        assert facts["kept"].suit == game.trump or facts["kept"].rank == "A"
    elif what == "treasure":
        held = [
            sum(card.suit == game.trump or card.rank == "A" for card in view.hand) for view, _ in views_before_moves(game, lambda _: True)
        ]
        assert max(held) == count
    elif what == "dealt":
        there = game.copy()
        there.goto(0)
        assert card in there.hands[1]
        assert [card_play[4] for card_play in laid if card_play[2] == card] == [facts["bout"]]
    elif what in {"useful", "went"}:
        assert any(card in cards and bout == facts["bout"] for bout, cards in mine)
        later = [card_play for card_play in own if card_play[2] == card and card_play[4] > facts["bout"]]
        assert any(card_play[3] == facts.get("beaten") for card_play in later)
    elif what == "worth":
        assert any((card_play[2], card_play[3]) == (facts["trump"], card) for card_play in own)
        assert facts["trump"].suit == game.trump != card.suit
        assert get_card_prices(game.view(1))(card) >= JACK_PRICE
    elif what == "gathered":
        assert count == sum(len(cards) for _, cards in mine)
    elif what == "never":
        assert not mine
    elif what == "taken":
        assert count == len(theirs)
    elif what == "entered":
        assert (count, facts["bouts"]) == (len(game.moves), len({card_play[4] for card_play in laid}))
    elif what == "trumps":
        assert (count, facts["mine"]) == (sum(card_play[5] for card_play in other), sum(card_play[5] for card_play in own))
    elif what == "discarded":
        dealt = game.copy()
        dealt.goto(0)
        whole, left = (
            sum(map(len, position.hands)) + len(position.talon) + sum(card is not None for pair in position.table for card in pair)
            for position in (dealt, game)
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
        assert any(card_play[2] == card and card_play[4] == facts["later"] > facts["bout"] for card_play in other)
    elif what == "met":
        assert any((card_play[2], card_play[3]) == (facts["mine"], card) for card_play in own)
    elif what == "early":
        assert count == sum(card_play[5] and card_play[6] for card_play in other)
    elif what == "open":
        views = [view for view, _ in views_before_moves(game, lambda _: True) if not view.talon_count and view.counts[0] == count]
        assert any(view.memory.known[0] | view.memory.unseen == _hand_at(game, view.ply) for view in views)
    else:
        assert what in {"gift", "proved"}
        values = []
        for ply, played_move in enumerate(game.history):
            if played_move.seat == (what == "proved") and played_move.cards and played_move.cards[-1] == card:
                there = game.copy()
                there.goto(ply)
                if not there.talon:
                    ending = solve_endgame(there)
                    values.append((ending.value, ending.move_values[there.copy().redo()]))
        assert (1, 1) in values if what == "proved" else any(value > move_value == -1 for value, move_value in values)


def _hand_at(game, ply):
    there = game.copy()
    there.goto(ply)
    return there.hands[0]
