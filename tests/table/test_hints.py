"""Test hints in two steps: thoughts and reasons are true, and exist in every language."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, Move, Rules, Table, fast_engine
from durak_widget.analysis import endgame
from durak_widget.analysis.monte_carlo_playouts import Playouts
from durak_widget.bots.bot import get
from durak_widget.bots.heuristic_bots import get_card_prices
from durak_widget.engine.narration import format_advice
from durak_widget.exercises import goals
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.lessons import Position
from durak_widget.table.hints import Adviser, Hint, UntranslatedHint, find_hint, format_hint_move
from support.sizes import tried
from support.spoken import english_text
from support.tables import send_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget import Observation

ADVISER = get(Adviser())
H = {"trump": "h"}
TALON = {**H, "talon": "8d 8s 8h Ts"}


THOUGHTS = [
    (
        "podkidnoy",
        {"hands": ["9c Tc Ah", "7d Jd"], **TALON, "table": "7c", "attacker": 1},
        0,
        english_text("hint.thought.plain"),
        "beat 7c 9c",
        english_text("hint.reason.plain"),
    ),
    (
        "podkidnoy",
        {"hands": ["9h Td Ah", "7d Jd"], **TALON, "table": "7c", "attacker": 1},
        0,
        english_text("hint.thought.trumps"),
        "beat 7c 9h",
        english_text("hint.reason.trumps"),
    ),
    (
        "podkidnoy",
        {"hands": ["9c Td", "7d Jd"], **TALON, "table": "7c", "attacker": 1},
        0,
        english_text("hint.thought.one"),
        "beat 7c 9c",
        english_text("hint.reason.one"),
    ),
    (
        "podkidnoy",
        {"hands": ["6c Td", "7d Jd"], **TALON, "table": "7c", "attacker": 1},
        0,
        english_text("hint.thought.stuck"),
        "take",
        english_text("hint.reason.only"),
    ),
    (
        "podkidnoy",
        {"hands": ["6c 6s Ah", "7d Jd"], **TALON},
        0,
        english_text("hint.thought.pair"),
        "attack 6c",
        " ".join([english_text("hint.reason.low"), english_text("hint.reason.pair", card="the 6 of spades")]),
    ),
    (
        "podkidnoy",
        {"hands": ["7h Ah", "7d Jd"], **TALON},
        0,
        english_text("hint.thought.trumps.alone"),
        "attack 7h",
        english_text("hint.reason.low.trump"),
    ),
    (
        "podkidnoy",
        {"hands": ["7c Ah", "9d Jd"], **TALON, "table": "7d/Td"},
        0,
        english_text("hint.thought.throw"),
        "throw 7c",
        english_text("hint.reason.throw", who="Player 2"),
    ),
    (
        "podkidnoy",
        {"hands": ["7h Ad", "9d Jd"], **TALON, "table": "7d/Td"},
        0,
        english_text("hint.thought.keep"),
        "pass",
        english_text("hint.reason.keep"),
    ),
    (
        "perevodnoy",
        {"hands": ["7d Tc", "9d Jd"], **TALON, "table": "7c", "attacker": 1},
        0,
        english_text("hint.thought.transfer"),
        "transfer 7d",
        english_text("hint.reason.transfer"),
    ),
    (
        "passport",
        {"hands": ["7h Tc", "9d Jd"], **TALON, "table": "7c", "attacker": 1, "bout": 2},
        0,
        english_text("hint.thought.show"),
        "show 7h",
        english_text("hint.reason.show"),
    ),
    (
        "siege",
        {"hands": ["Qc 6s", "9h As Kd"], "trump": "s", "table": "8c 8h", "attacker": 1, "talon": "7d 7s"},
        0,
        english_text("hint.thought.all"),
        "beat 8h 6s",
        english_text("hint.reason.fewest", target="the 8 of hearts"),
    ),
    (
        "siege",
        {"hands": ["Qc 6s 7c", "9h As Kd"], "trump": "s", "table": "8c 8h 8d", "attacker": 1, "talon": "7d 7s"},
        0,
        english_text("hint.thought.some"),
        "take",
        english_text("hint.reason.some"),
    ),
    (
        "podkidnoy",
        {"hands": ["Ks 7d", "9c Qd Kd"], **H, "whole": True},
        0,
        english_text("hint.thought.takes", who="Player 2"),
        "attack Ks",
        english_text("hint.reason.takes", who="Player 2"),
    ),
    (
        "podkidnoy",
        {"hands": ["6c 8c", "9c Kc 7h"], **H, "whole": True},
        0,
        english_text("hint.thought.lost"),
        "attack 6c",
        english_text("hint.reason.low"),
    ),
    (
        "podkidnoy, players=3",
        {"hands": ["6c Kd", "9c Kc 7h", "Ad"], **H},
        0,
        english_text("hint.thought.late"),
        "attack 6c",
        english_text("hint.reason.low"),
    ),
]


def test_each_thought_leads_to_its_move_and_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table lists each kind of moment without playouts."""
    for rules, placed, seat, thought, move, reason in THOUGHTS:
        monkeypatch.setattr("durak_widget.table.playout_estimates.estimate_moves", lambda _: None)
        if placed.pop("whole", False):
            held = " ".join(placed["hands"]).split()
            deck = [f"{rank}{suit}" for suit in "cdhs" for rank in "6789TJQKA"]
            placed["discard"] = " ".join(card for card in deck if card not in held)
        table = Table(Game.from_position(rules, **placed), {seat: "you"})
        scene = table.scene["id"]
        assert table.hint() == Hint(thought, Move(move), reason)
        assert table.scene["id"] == scene  # nothing is shown
        assert send_message(table, "hint")["note"]["text"][1] == thought
        assert send_message(table, "hint")["note"]["text"][1].endswith(reason)


def is_lowest(view: Observation, move: Move) -> bool:
    """Return whether no lower plain card would do the same, and this is no trump."""
    others = [other.cards[-1] for other in view.legal_moves() if other.verb == move.verb and other.cards[:-1] == move.cards[:-1]]
    plain = [card for card in others if card.suit not in (None, view.trump)]
    return move.cards[-1] in plain and all(card.rank == move.cards[-1].rank or card.code % 13 > move.cards[-1].code % 13 for card in plain)


def forces_pick_up(game: Game, move: Move) -> bool:
    """Return whether the other can only pick up, and the player attacks again."""
    me, then = game.actor, game.copy()
    then.play(move)
    if [str(move) for move in then.legal_moves()] != ["take"]:
        return False
    then.play("take")
    return then.outcome is not None or then.attacker == me


CLAIMS: dict[str, Callable[[Game, Observation, Move], bool]] = {
    "plain": lambda _, view, move: is_lowest(view, move),
    "low": lambda _, view, move: is_lowest(view, move),
    "low.trump": lambda _, view, move: all(card.suit == view.trump and card.code >= move.cards[0].code for card in view.hand),
    "trumps": lambda _, view, __: {move.cards[1].suit for move in view.legal_moves() if move.verb == "beat"} == {view.trump},
    "one": lambda _, view, __: len({move.cards[1].face for move in view.legal_moves() if move.verb == "beat"}) == 1,
    "only": lambda _, view, __: len(view.legal_moves()) == 1,
    "pair": lambda _, view, move: sum(card.rank == move.cards[0].rank for card in view.hand) > 1 < view.limit,
    "throw": lambda _, view, move: move.cards[0].suit != view.trump and not view.taking,
    "throw.taking": lambda _, view, move: move.cards[0].suit != view.trump and view.taking,
    "throw.late": lambda _, view, __: not view.talon_count,
    "keep": lambda _, view, __: (
        min(get_card_prices(view)(move.cards[0]) for move in view.legal_moves() if move.cards) >= 1000 and view.talon_count > 0
    ),
    "takes": lambda game, _, move: forces_pick_up(game, move),
    "wins": lambda game, _, move: endgame.solve_endgame(game).move_values[move] == 1,
    "then": lambda game, _, move: endgame.solve_endgame(game).move_values[move] == 1,
    "any": lambda game, _, __: set(endgame.solve_endgame(game).move_values.values()) == {1},
    "draw": lambda game, _, move: endgame.solve_endgame(game).move_values[move] == endgame.solve_endgame(game).value == 0,
}
"""Checks of the claims of some reasons."""


def hints_of_game(rules: Rules, seed: int) -> list[tuple[Game, UntranslatedHint]]:
    """Return the hint at each moment of a game that sometimes follows it."""
    game, rng, found = Game(rules, seed=seed), Random(seed), []
    while game.outcome is None and game.ply < 150:
        advised = find_hint(ADVISER, game.view(game.actor), rng)
        found.append((game.copy(), advised))
        game.play(advised.move if rng.random() < 0.7 else rng.choice(game.legal_moves()))
    return found


LATER = ("perevodnoy", "poker")


@pytest.mark.parametrize(
    "preset",
    [
        pytest.param(name, marks=[] if name == "siege" else pytest.mark.slow if name in LATER else pytest.mark.release)
        for name in Rules.presets()
    ],
)
def test_thoughts_and_reasons_are_true_under_all_rules(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each preset's game has legal moves, texts in every language and true claims."""
    monkeypatch.setattr("durak_widget.table.hints.HINT_POSITIONS", 600)
    monkeypatch.setattr("durak_widget.table.hints._LINE_POSITIONS", 300)
    monkeypatch.setattr("durak_widget.table.playout_estimates.choose_playout_count", lambda _: 800)
    for game, found in hints_of_game(Rules.preset(preset), 5):
        view = game.view(game.actor)
        assert found.move in view.legal_moves()
        for fact in found.explanation.reason:
            claim = CLAIMS.get(fact.key.removeprefix("hint.reason."))
            assert claim is None or claim(game, view, found.move), (fact.key, game, found.move)
        for language in LANGUAGES:
            voice = Translator(language, cards="signs", own_seat=view.seat)
            hint = found.translate(voice)
            assert "{" not in f"{hint.thought} {format_hint_move(found, voice)}"
            assert len(format_hint_move(found, voice)) < 400


def test_every_checked_claim_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games without playouts use all reasons above."""
    monkeypatch.setattr("durak_widget.table.playout_estimates.estimate_moves", lambda _: None)
    missed = set(CLAIMS) - {"draw", "low.trump"}
    for seed in range(8):
        for _, found in hints_of_game(Rules.preset("podkidnoy"), seed):
            missed -= {fact.key.removeprefix("hint.reason.") for fact in found.explanation.reason}
            if not missed:
                return
    assert not missed


def test_hints_are_refused_if_there_is_nothing_to_do() -> None:
    """Test another's turn, a cover, and a finished game."""
    table = Table(seed=7)
    assert table.hint().move is Move("attack 6s")
    table.play("attack Jc")
    assert table.hint() is None
    assert Table(seats={0: "you", 1: "you"}, seed=7).hint() is None
    over = Game.from_position(hands=["6c", "7d 8d"], **H)
    over.play("attack 6c")
    over.play("take")
    assert Table(over).hint() is None


@pytest.fixture(scope="module")
def weighed_hints() -> list[tuple[Game, UntranslatedHint]]:
    """Return hints of a few games whose reason compares moves, each with the moment."""
    found = []
    for seed in [6, *range(tried(0, 6))]:
        game, careful = Game(seed=seed), get("careful")
        while game.view(0).talon_count and game.outcome is None:
            view = game.view(game.actor)
            if len(view.legal_moves()) > 1:
                advised = find_hint(ADVISER, view, Random(0))
                if any(fact.key.startswith("hint.reason.weigh") for fact in advised.explanation.reason):
                    found.append((game.copy(), advised))
            game.play(careful.choose(view, Random(1)))
    return found


@pytest.mark.slow
def test_picking_up_is_compared_with_beating_while_there_is_a_talon(weighed_hints: list[tuple[Game, UntranslatedHint]]) -> None:
    """Both are recommended sometimes. Other playouts confirm both numbers, and the hint has the higher."""
    keys = {fact.key for _, advised in weighed_hints for fact in advised.explanation.reason}
    assert {"hint.reason.weigh", "hint.reason.weigh.take", "hint.reason.weigh.beat"} <= keys
    for game, advised in weighed_hints:
        facts = next(fact.facts for fact in advised.explanation.reason if fact.key.startswith("hint.reason.weigh"))
        shares = fast_engine.playouts(game.view(game.actor), count=1000, seed=9)
        best = 50 * (1 + shares[advised.move])
        other = facts["other" if "other" in facts else "beat" if advised.move.verb == "take" else "take"]
        own = facts["percent" if "percent" in facts else "take" if advised.move.verb == "take" else "beat"]
        assert abs(own - best) < 7
        assert own > other
        if "take" in facts:
            assert abs(facts["take"] - 50 * (1 + shares["take"])) < 7


def test_the_value_of_a_transfer_is_not_attributed_to_beating(monkeypatch: pytest.MonkeyPatch) -> None:
    """Picking up is compared with the best beating move, even if a transfer is better."""
    game = Game.from_position_line("perevodnoy: 7d 8c Ah | Jd Qs; trump h; table 7c; attacker 1; talon 8d 8s 8h Ts")
    view, values = game.view(0), {"take": 50, "transfer 7d": 40, "beat 7c 8c": -30, "beat 7c Ah": -40}
    found = Playouts(view.legal_moves(), 1000, 0, tuple(1000 * values[str(move)] for move in view.legal_moves()), {})
    products = {
        (i, j): 1000 * values[str(a)] * values[str(b)] for i, a in enumerate(found.moves) for j, b in enumerate(found.moves[: i + 1])
    }
    monkeypatch.setattr("durak_widget.table.playout_estimates.estimate_moves", lambda _: replace(found, products=products))
    sentence = find_hint(ADVISER, view, Random(0)).translate(Translator())
    assert (str(sentence.move), sentence.reason) == ("take", english_text("hint.reason.weigh.take", take="92", beat="25"))


def test_a_comparing_hint_is_complete_in_every_language(weighed_hints: list[tuple[Game, UntranslatedHint]]) -> None:
    """No field is unfilled, and both numbers are there."""
    for game, advised in weighed_hints[:12]:
        for language in LANGUAGES:
            hint = advised.translate(Translator(language, own_seat=game.actor))
            assert hint.thought
            assert not {"{", "}"} & set(hint.thought + hint.reason)
            assert len(re.findall(r"\d+", hint.reason.replace("100", ""))) >= 2


def test_a_hint_is_in_the_language_of_its_table() -> None:
    """All texts of the table are."""
    game = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], table="7c", attacker=1, **TALON)
    for language in ("en", "ru", "lt"):
        assert Table(game, language=language).hint().thought == Translator(language).translate("hint.thought.plain")


def test_an_exercise_shows_its_authors_hint() -> None:
    """A move alone comes at once, with a thought in two steps. Without a known way there is none."""
    game = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
    task = Position(game, goals.beat_all(trumps=False), solution=["beat 7c 9c"])
    assert task.table.hint() == Hint("", Move("beat 7c 9c"))
    named = f"{english_text('screen.hint')}: {format_advice(Move('beat 7c 9c'), Translator())}"
    assert send_message(task.table, "hint")["note"]["text"][1] == named
    task.hint = lambda: Hint("Is there a club?", Move("beat 7c 9c"), "So the trump stays.")
    assert send_message(task.table, "hint")["note"]["text"] == ["Is there a club?"] * 2
    assert send_message(task.table, "hint")["note"]["text"][1] == f"{named} So the trump stays."
    del task.hint
    task.answer("beat 7c Ah")
    assert task.table.hint() is None


def test_a_thought_belongs_to_its_moment() -> None:
    """After a move and undo it was given already; another moment starts again."""
    table = Table(Game(seed=7), {0: "you", 1: "first"})
    assert send_message(table, "hint")["has_shown_thought"]
    table.play("attack Jc")
    table.step()
    assert "has_shown_thought" not in table.scene
    assert "card" not in send_message(table, "hint")["note"]
    send_message(table, "undo")
    assert "card" not in send_message(table, "hint")["note"]
