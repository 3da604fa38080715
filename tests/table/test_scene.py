"""What a scene holds: the moves, the cards seen, the legal moves in short, and how large it may be."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, cycle, product
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given

from durak_widget import Card, Game, Move, Rules, RulesError, Table
from durak_widget.engine import narration
from durak_widget.engine.moves import MOVE_FORMS, VERBS
from durak_widget.i18n import LANGUAGES
from durak_widget.table.scene import encode_legal_moves
from support.mixes import mixes, seeds
from support.sizes import tried
from support.tables import anything, ended, listening, say

# The list of moves, and of cards


def test_the_list_of_moves_is_that_of_the_whole_game() -> None:
    """A heading for each bout, each move once and in order, also those that were undone."""
    game = ended("transfer, players=3")
    table = Table(game)
    sent = listening(table)
    say(table, "goto", to=4)
    say(table, "list")
    assert [said["kind"] for said in sent] == ["list"]
    headings = sent[0]["bouts"]
    assert [ply for heading in headings for ply, _ in heading["moves"]] == list(range(1, game.last_ply + 1))
    assert [heading["bout"] for heading in headings] == list(range(1, len(headings) + 1))
    assert all("end" in heading for heading in headings[:-1])
    assert all(words.startswith(("Player ", "You ")) for heading in headings for _, words in heading["moves"])


def test_the_cards_seen_are_told_only_where_that_aid_is_on() -> None:
    """With it, every card of the deck has its place or is unknown; without it, there is an answer and no list."""
    table = Table("two_decks", seed=7)
    sent = listening(table)
    before = table.scene["id"]
    assert say(table, "seen")["id"] > before
    assert sent == []
    table.memory = True
    for _ in range(30):
        say(table, "move", move=str(table.game.legal_moves()[0])) if table.game.actor == 0 else table.step()
    say(table, "seen")
    told = sent[-1]
    assert [len(row) for row in told["rows"]] == [9] * 4
    hand = Counter(str(card) for card in table.game.hands[0])
    assert hand == Counter({card: places.count("hand") for card, places in told["where"].items() if "hand" in places})
    gone = Counter(str(card) for card in table.game.discard)
    assert gone == Counter({card: places.count("gone") for card, places in told["where"].items() if "gone" in places})


# How large a scene is


def preset(name: str, players: int) -> Rules | None:
    """That preset for so many, if there is one."""
    try:
        return Rules.preset(name, players=players)
    except RulesError:
        return None


@pytest.mark.parametrize(("players", "most"), [(2, 4000), (3, 6000), (6, 6000)])
def test_a_scene_is_small(players: int, most: int) -> None:
    """At every ply of a game of each preset, seen by whoever is to act, in all languages by turns: its bytes as Jupyter sends them."""
    turns, rng = cycle(sorted(LANGUAGES)), Random(players)
    for rules in filter(None, (preset(name, players) for name in sorted(Rules.presets())[:: tried(16, 1)])):
        table = Table(rules, seats=dict.fromkeys(range(players), "you"), seed=players)
        game = table.game
        while game.actor is not None:
            table.seat = game.actor
            if not game.ply % 4:
                table.language = next(turns)
            assert table.scene["legal"]
            assert len(json.dumps(table.scene, ensure_ascii=False).encode()) <= most, rules
            game.play(rng.choice(game.legal_moves()))
        table.refresh()
        assert table.scene["over"]
        assert len(json.dumps(table.scene, ensure_ascii=False).encode()) <= most, rules


# The short form of the legal moves


def written_out(legal: dict, hand: list[str]) -> set[Move]:
    """Every legal move that the short form stands for."""
    ones = {verb: [[card] for card in legal.get(verb, ())] for verb in ("attack", "throw", "transfer", "show")}
    ones["beat"] = [[on, card] for on, cards in legal.get("beat", ()) for card in cards]
    ones["swap"] = [list(two) for two in combinations(legal.get("swap", ()), 2)]
    ones |= {verb: [[]] for verb in VERBS if not MOVE_FORMS[verb].card_counts[-1] and legal.get(verb)}
    ways: dict[str, list[list[str]]] = {}
    for card in hand:
        ways.setdefault(card[0], []).append([played for played in legal.get("attack", ()) if played[:2] == card])
    for count, rank in product(range(2, legal.get("several", 1) + 1), ways):
        ones["attack"] += [list(cards) for some in combinations(ways[rank], count) for cards in product(*some)]
    return {Move(" ".join([verb, *cards])) for verb, each in ones.items() for cards in each}


@given(anything | mixes.map(lambda rules: mixed(rules, opening="same_rank")), seeds)
def test_the_short_form_stands_for_the_legal_moves(rules: Rules, seed: int) -> None:
    """Written out again it is the same set of moves, at every moment of a game."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < 200:
        view = game.view(game.actor)
        hand = narration.sort_hand(view)
        legal = encode_legal_moves(view.legal_moves(), hand)
        assert written_out(legal, [str(card) for card in hand]) == set(game.legal_moves())
        game.play(rng.choice(game.legal_moves()))


def test_a_verb_that_nobody_has_thought_of_has_a_short_form() -> None:
    """By how many cards it names; nothing else has to be said for a new verb."""
    for cards, told in [("", True), ("6c", ["6c"]), ("6c 7c", [["6c", ["7c"]]])]:
        unheard = SimpleNamespace(verb="redeal", cards=tuple(map(Card, cards.split())))
        assert encode_legal_moves([unheard, Move("take")], []) == {"redeal": told, "take": True}


def test_every_verb_has_been_told() -> None:
    """The moves written out again in these tests hold every verb that there is."""
    told: set[str] = set()
    for rules in ("siege", "passport, players=3", "poker", "transfer"):
        game, rng = Game(Rules.parse(rules), seed=4), Random(4)
        while game.actor is not None:
            view = game.view(game.actor)
            legal = encode_legal_moves(view.legal_moves(), narration.sort_hand(view))
            assert {move.verb for move in view.legal_moves()} == legal.keys() - {"several"}
            told |= legal.keys()
            game.play(rng.choice(game.legal_moves()))
    assert told - {"several"} == set(VERBS)


def mixed(rules: Rules, **more: object) -> Rules:
    """The rules with a change, if they can be played so."""
    try:
        return rules.replace(**more)
    except RulesError:
        return rules
