"""Test scenes: the moves, seen cards, the short form of legal moves, and their size."""

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
from durak_widget.i18n import LANGUAGES, Seat, Translator
from durak_widget.rules.preset_catalogue import PRESETS
from durak_widget.table.scene import encode_legal_moves
from support.mixes import mixes, seeds
from support.sizes import tried
from support.tables import anything, finished_game, record_messages, send_message

# The reason why a player attacks first


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize("seed", range(12))
def test_the_first_scene_says_truly_why_a_player_begins(name: str, seed: int) -> None:
    """Own lowest trump is named, if it decides. The cards of others are not."""
    table = Table(name, seed=seed)
    game, voice = table.game, Translator("en", own_seat=0, cards="signs")
    trumps = [[card for card in hand if game.trump is not None and card.suit == game.trump] for hand in game.hands]
    lowest = min((card for cards in trumps for card in cards), key=lambda card: "23456789TJQKA".index(card.rank), default=None)
    [reason] = table.scene["commentary"]
    if game.rules.first_attacker == "lowest_trump" and lowest is not None:
        assert lowest.face in {card.face for card in trumps[game.attacker]}
        expected = (
            {voice.translate("call.begins.own", card=lowest.face)}
            if game.attacker == 0
            else {voice.translate("call.begins.lowest", who=Seat(1))}
        )
    elif game.rules.first_attacker == "lowest_trump" and game.trump is not None and game.attacker != 0:
        expected = {voice.translate("call.begins.lowest", who=Seat(game.attacker))}  # the rule, because the viewer can't know more
    else:
        assert game.attacker == (game.dealer + 1) % game.seats
        expected = {voice.translate("call.begins.dealer", who=Seat(game.attacker))}
    if game.attacker > 1:
        expected = {voice.translate(key, who=Seat(game.attacker)) for key in ("call.begins.lowest", "call.begins.dealer")}
    assert reason in expected
    assert "commentary" not in Table(Game.from_position_line("6h | 7h; trump h")).scene


def test_a_later_game_of_a_match_does_not_say_it_again() -> None:
    """There the game before decides. Neither does a covered hand show its lowest trump."""
    table = Table(finished_game())
    send_message(table, "next_game")
    assert table.game.ply == 0
    assert "commentary" not in table.scene
    table = Table(seed=7, seats={0: "you", 1: "you"})
    assert table.scene["covered"]
    assert not any(rank in table.scene["commentary"][0] for rank in ("10", "♣", "♦", "♥", "♠"))


def test_a_users_comment_function_is_called_only_after_a_move() -> None:
    """It may read the last move. Before the first move the table has its usual text, also if a move is taken back."""
    table = Table(seed=7)
    usual = table.scene["commentary"]
    table.commentary = lambda _: [str(table.game.moves[-1])]
    assert table.scene["commentary"] == usual
    move = table.game.legal_moves()[0]
    table.play(move)
    assert table.scene["commentary"] == [str(move)]
    send_message(table, "undo")
    assert table.scene["commentary"] == usual
    table.commentary = lambda _: []
    assert table.scene["commentary"] == usual


# Lists of moves and cards


def test_the_list_of_moves_covers_the_whole_game() -> None:
    """Each bout has a heading, each move appears once in order, also undone ones."""
    game = finished_game("transfer, players=3")
    table = Table(game)
    sent = record_messages(table)
    send_message(table, "goto", to_ply=4)
    send_message(table, "move_list")
    assert [scene["kind"] for scene in sent] == ["move_list"]
    headings = sent[0]["bouts"]
    assert [ply for heading in headings for ply, _ in heading["moves"]] == list(range(1, game.last_ply + 1))
    assert [heading["bout"] for heading in headings] == list(range(1, len(headings) + 1))
    assert all("end" in heading for heading in headings[:-1])
    assert all(words.startswith(("Player ", "You ")) for heading in headings for _, words in heading["moves"])


def test_seen_cards_are_listed_only_with_that_aid() -> None:
    """With it every card has its place or is unknown. Without it there is an answer but no list."""
    table = Table("two_decks", seed=7)
    sent = record_messages(table)
    before = table.scene["id"]
    assert send_message(table, "seen_cards")["id"] > before
    assert sent == []
    table.memory = True
    for _ in range(30):
        send_message(table, "move", move=str(table.game.legal_moves()[0])) if table.game.actor == 0 else table.step()
    send_message(table, "seen_cards")
    answer = sent[-1]
    assert [len(row) for row in answer["rows"]] == [9] * 4
    hand = Counter(str(card) for card in table.game.hands[0])
    assert hand == Counter({card: places.count("hand") for card, places in answer["locations"].items() if "hand" in places})
    gone = Counter(str(card) for card in table.game.discard)
    assert gone == Counter({card: places.count("gone") for card, places in answer["locations"].items() if "gone" in places})


# Size of a scene


def preset_for(name: str, players: int) -> Rules | None:
    """Return the preset for that many players, if it exists."""
    try:
        return Rules.preset(name, players=players)
    except RulesError:
        return None


@pytest.mark.parametrize(("players", "most"), [(2, 4000), (3, 6000), (6, 6000)])
def test_a_scene_is_small(players: int, most: int) -> None:
    """Its bytes are measured as Jupyter sends them, at every ply of each preset, in all languages."""
    turns, rng = cycle(sorted(LANGUAGES)), Random(players)
    for rules in filter(None, (preset_for(name, players) for name in sorted(Rules.presets())[:: tried(16, 1)])):
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
        assert table.scene["result"]
        assert len(json.dumps(table.scene, ensure_ascii=False).encode()) <= most, rules


# The short form of the legal moves


def expand(legal: dict, hand: list[str]) -> set[Move]:
    """Return every legal move in the short form."""
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


@given(anything | mixes.map(lambda rules: changed_rules(rules, opening="same_rank")), seeds)
def test_the_short_form_is_equivalent_to_the_legal_moves(rules: Rules, seed: int) -> None:
    """Expanded, it is the same set at every moment."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < 200:
        view = game.view(game.actor)
        hand = narration.sort_hand(view)
        legal = encode_legal_moves(view.legal_moves(), hand)
        assert expand(legal, [str(card) for card in hand]) == set(game.legal_moves())
        game.play(rng.choice(game.legal_moves()))


def test_an_unknown_verb_has_a_short_form() -> None:
    """It follows from the number of cards, so a new verb needs nothing."""
    for cards, short_form in [("", True), ("6c", ["6c"]), ("6c 7c", [["6c", ["7c"]]])]:
        unheard = SimpleNamespace(verb="redeal", cards=tuple(map(Card, cards.split())))
        assert encode_legal_moves([unheard, Move("take")], []) == {"redeal": short_form, "take": True}


def test_every_verb_occurs_in_these_tests() -> None:
    """The expanded moves include all of them."""
    verbs: set[str] = set()
    for rules in ("siege", "passport, players=3", "poker", "transfer"):
        game, rng = Game(Rules.parse(rules), seed=4), Random(4)
        while game.actor is not None:
            view = game.view(game.actor)
            legal = encode_legal_moves(view.legal_moves(), narration.sort_hand(view))
            assert {move.verb for move in view.legal_moves()} == legal.keys() - {"several"}
            verbs |= legal.keys()
            game.play(rng.choice(game.legal_moves()))
    assert verbs - {"several"} == set(VERBS)


def changed_rules(rules: Rules, **more: object) -> Rules:
    """Return the rules with a change, if they are valid."""
    try:
        return rules.replace(**more)
    except RulesError:
        return rules
