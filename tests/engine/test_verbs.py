"""Test that a verb in `MOVE_FORMS` is known everywhere: each test names a place where a new verb must be added."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import get_args

import pytest

import durak_widget
from durak_widget import Card, DurakError, Game, IllegalMove, Move, PlayedMove, Rules, analysis
from durak_widget.analysis.hand_inference import PublicBout
from durak_widget.analysis.rl_encoding import action_space_of_rules
from durak_widget.engine import narration, state_transitions
from durak_widget.engine.moves import MOVE_FORMS, REFUSAL_CODES, VERBS, Verb
from durak_widget.engine.observation import Observation
from durak_widget.i18n import LANGUAGES, Translator, get_front_end_texts
from durak_widget.table.hints import Advice, explain_advice
from support.oracle import Oracle
from support.oracle_book import VALUES, beside

EVERY = pytest.mark.parametrize("verb", VERBS)
CARDS = ("7c", "7d", "7h", "7s", "9c", "9d", "9h", "9s")
FRONTEND = Path(durak_widget.__file__).parent / "frontend" / "src"


def smallest_move(verb: Verb) -> str:
    """Return a readable move of the verb, with as few cards as possible."""
    return " ".join([verb, *CARDS[: MOVE_FORMS[verb].card_counts[0]]])


def example_games() -> list[Game]:
    """Return a game at its beginning, in each phase of a bout, and at its end."""
    hands = ["6c 8c Kc", "8d 9h Ah"]
    placed = {"hands": hands, "trump": "h"}
    over = Game.from_position(hands=["6c", "8d Kd"], trump="h")
    over.play("attack 6c")
    over.play("take")
    return [
        Game(seed=7),
        Game.from_position(**placed),
        Game.from_position(**placed, table="6d"),
        Game.from_position(**placed, table="6s/8s"),
        Game.from_position(**placed, table="6d", taking=True),
        over,
    ]


@lru_cache
def game_with_legal_move(verb: Verb) -> tuple[Game, Move]:
    """Return a game and a legal move of the verb, under a preset or a value of an option."""
    presets = [Rules.preset(name) for name in sorted(Rules.presets())]
    values = [Rules(**beside(name, value), **{name: value}) for name, values in VALUES.items() for value in values]
    for rules, seed in product([*presets, *values], range(30)):
        game, rng = Game(rules, seed=seed), Random(seed)
        while game.actor is not None and game.ply < 80:
            for move in game.legal_moves():
                if move.verb == verb:
                    return game, move
            game.play(rng.choice(game.legal_moves()))
    pytest.fail(f"under no preset and no value of an option is there a moment at which one may {verb}")


def test_the_type_and_the_table_name_the_same_verbs() -> None:
    """In the order of the rule book, which is also the order of lists of legal moves."""
    assert get_args(Verb) == VERBS == tuple(MOVE_FORMS)


def test_the_example_of_a_verb_can_be_parsed() -> None:
    """A move written as the refusal advises can be parsed."""
    for verb in VERBS:
        written = re.findall(r"'([^']+)'", MOVE_FORMS[verb].example)
        assert written
        assert all(Move(text).verb == verb for text in written)
        assert Move(smallest_move(verb)).verb == verb


def test_a_verb_with_a_wrong_number_of_cards_is_unreadable() -> None:
    """The refusal shows how the move is written."""
    for verb in VERBS:
        for cards in range(10):
            text = " ".join([verb, *(["7c"] * cards)])
            if cards in MOVE_FORMS[verb].card_counts:
                assert len(Move(text).cards) == cards
            else:
                with pytest.raises(IllegalMove, match=re.escape(MOVE_FORMS[verb].example)):
                    Move(text)


def test_an_illegal_verb_is_refused_in_every_language() -> None:
    """At any moment of a game, for the seat to act or another: an `IllegalMove` with a known code and a complete sentence, never another error."""
    for verb in VERBS:
        for game, seat in product(example_games(), (None, 0, 1)):
            refusal = game.why_not(smallest_move(verb), seat)
            if refusal is None:
                assert Move(smallest_move(verb)) in game.legal_moves()
                continue
            assert refusal.code in REFUSAL_CODES
            for language, cards, me in product(LANGUAGES, ("words", "signs", "codes"), (None, 0, 1)):
                text = refusal.to_text(Translator(language, cards=cards, own_seat=me))
                assert text.endswith((".", "…")) or cards == "codes"
                assert "{" not in text
            if seat is None:
                before = str(game)
                with pytest.raises(IllegalMove) as caught:
                    game.play(smallest_move(verb))
                assert (caught.value.code, str(game)) == (refusal.code, before)


def test_a_verb_can_be_played_and_undone() -> None:
    """It is legal in some preset; the engine plays it, undoes it, and parses it again from the game text."""
    for verb in VERBS:
        game, move = game_with_legal_move(verb)
        again = game.copy()
        again.play(move)
        assert again.last_move == PlayedMove(game.actor, verb, move.cards)
        assert Game.parse(str(again)).state.key() == again.state.key()
        again.undo()
        assert again.state.key() == game.state.key()
        assert len(state_transitions.MOVE_APPLIERS) == len(VERBS) + 1


def test_a_verb_has_its_texts() -> None:
    """A played move, advice, the buttons and menus of the table, and the coach each have a text."""
    for verb in VERBS:
        for language in LANGUAGES:
            game, move = game_with_legal_move(verb)
            after = game.copy()
            after.play(move)
            for me in (None, 0, 1):
                voice = Translator(language, own_seat=me)
                for text in (
                    narration.format_played_move(after.last_move, voice),
                    narration.format_advice(move, voice),
                    *_coach_texts(verb, voice),
                ):
                    assert text.endswith(".")
                    assert "{" not in text
            assert get_front_end_texts(language).get(verb), f"the words lack screen.{verb}, which the table's buttons and menus say"


def _coach_texts(verb: Verb, voice: Translator) -> list[str]:
    return [voice.translate(f"lesson.coach.{verb}", ranks=(), limit=6)]


def test_a_seat_that_may_play_a_verb_has_its_own_call_to_action() -> None:
    """It differs from the call to action of a seat that waits, in every language."""
    for verb in VERBS:
        game, _ = game_with_legal_move(verb)
        view = game.view(game.actor)
        for language in LANGUAGES:
            voice = Translator(language, own_seat=view.seat)
            other = game.view((view.seat + 1) % game.seats)
            assert narration.format_call_to_action(view, voice) != narration.format_call_to_action(
                other, Translator(language, own_seat=other.seat)
            )


@pytest.mark.slow
def test_the_call_to_action_mentions_the_verb() -> None:
    """Without the verb the call to action would differ. `pass` and `take` are not mentioned, because they are always a way out."""
    for verb in sorted({*VERBS} - {"pass", "take"}):
        game, _ = game_with_legal_move(verb)
        view = game.view(game.actor)
        without = Observation(view.data._replace(legal_moves=tuple(move for move in view.legal_moves() if move.verb != verb)))
        voice = Translator(own_seat=view.seat)
        assert narration.format_call_to_action(view, voice) != narration.format_call_to_action(without, voice)


def test_the_front_end_has_the_verb() -> None:
    """The front end's table of verbs has a line for it, which gives its place in the protocol and its button."""
    for verb in VERBS:
        declared = re.search(
            r"VERBS = \{(.*?)\n\}", (FRONTEND / "widgets" / "protocol" / "scene.ts").read_text(encoding="utf-8"), re.DOTALL
        )[1]
        assert re.search(rf"^  {verb}: ", declared, re.MULTILINE), f"frontend/src/widgets/protocol/scene.ts has no line for {verb}"


def test_the_oracle_plays_the_verb() -> None:
    """The independent implementation plays it too; otherwise no test on free mixes would cover it."""
    for verb in VERBS:
        game, move = game_with_legal_move(verb)
        options = {name: getattr(game.rules, name) for name in Rules.options()}
        deck = next(line for line in str(game).splitlines() if line.startswith("Deck: ")).split()[1:]
        oracle = Oracle(options, deck, game.dealer)
        for made in game.moves:
            oracle.play(str(made))
        assert str(move) in oracle.legal()


def test_hand_inference_follows_the_verb() -> None:
    """`durak_widget/analysis/hand_inference.py` applies it to a bout: afterwards every seat can count the hidden deals, and the table is right."""
    for verb in VERBS:
        game, move = game_with_legal_move(verb)
        game = game.copy()
        game.play(move)
        for seat in range(game.seats):
            assert analysis.worlds(game.view(seat)).sample(Random(1))
        before = game.copy()
        before.undo()
        if verb != "swap" and len(game.view(0).bout_ends) == len(before.view(0).bout_ends):  # the bout goes on
            bout = PublicBout(before.view(0).data)
            bout.apply_move(game.last_move.seat, move)
            laid = [card for pair in game.table for card in pair if card is not None]
            assert (len(bout.table_faces), len(bout.unbeaten)) == (len(laid), sum(beat is None for _, beat in game.table))
            assert (bout.attacker, bout.defender) == (game.attacker, game.defender)


def test_rl_encoding_numbers_the_verb() -> None:
    """`durak_widget/analysis/rl_encoding.py` lists it among the possible moves under such rules."""
    for verb in VERBS:
        game, _ = game_with_legal_move(verb)
        left_out = [str(move) for move in game.legal_moves() if move not in action_space_of_rules(game.rules).number_of_move]
        assert not left_out, f"durak_widget/analysis/rl_encoding.py leaves out {left_out}"


def test_a_hint_explains_the_verb() -> None:
    """`durak_widget/table/hints.py` has a reason for advising it, and the reason has a text."""
    for verb in VERBS:
        for language in LANGUAGES:
            game, move = game_with_legal_move(verb)
            found = explain_advice(game.view(game.actor), Advice(move))
            for text in (found.thought, *found.reason):
                assert "{" not in Translator(language, own_seat=game.actor).translate(text.key, **text.facts)


def test_hand_inference_refuses_an_unknown_verb() -> None:
    """An unknown verb raises an error and is not treated as another one."""
    bout = PublicBout(Game(seed=7).view(0).data)
    with pytest.raises(DurakError, match=r"'fly'.*durak_widget/analysis/hand_inference\.py"):
        bout.apply_move(0, SimpleNamespace(verb="fly", kind=len(VERBS) + 1, cards=(Card("7c"),)))


def test_the_example_cards_are_different_cards() -> None:
    """The smallest moves above name different cards."""
    assert len({Card(text) for text in CARDS}) == len(CARDS)
