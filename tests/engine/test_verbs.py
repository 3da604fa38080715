"""The contract of a verb: whoever adds one to `FORMS` is told here, by its name, what it still lacks."""

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


def smallest(verb: Verb) -> str:
    """A move of the verb that can be read, with as few cards as it takes."""
    return " ".join([verb, *CARDS[: MOVE_FORMS[verb].card_counts[0]]])


def moments() -> list[Game]:
    """A game at its beginning, in each phase of a bout, and at its end."""
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
def legal(verb: Verb) -> tuple[Game, Move]:
    """A game of some preset, or under a value of some option, in which a move of the verb may be made."""
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
    """In the order of the rule book, which is also that of lists of legal moves."""
    assert get_args(Verb) == VERBS == tuple(MOVE_FORMS)


def test_its_form_is_an_example_that_can_be_read() -> None:
    """What a refusal tells to write can be written."""
    for verb in VERBS:
        written = re.findall(r"'([^']+)'", MOVE_FORMS[verb].example)
        assert written
        assert all(Move(text).verb == verb for text in written)
        assert Move(smallest(verb)).verb == verb


def test_with_another_number_of_cards_it_is_unreadable() -> None:
    """And the refusal shows how it is written."""
    for verb in VERBS:
        for cards in range(10):
            text = " ".join([verb, *(["7c"] * cards)])
            if cards in MOVE_FORMS[verb].card_counts:
                assert len(Move(text).cards) == cards
            else:
                with pytest.raises(IllegalMove, match=re.escape(MOVE_FORMS[verb].example)):
                    Move(text)


def test_where_it_may_not_be_made_it_is_refused_in_every_language() -> None:
    """At any moment of a game, by the seat to act or another: an `IllegalMove` with a known code and a whole sentence, never another error."""
    for verb in VERBS:
        for game, seat in product(moments(), (None, 0, 1)):
            refusal = game.why_not(smallest(verb), seat)
            if refusal is None:
                assert Move(smallest(verb)) in game.legal_moves()
                continue
            assert refusal.code in REFUSAL_CODES
            for language, cards, me in product(LANGUAGES, ("words", "signs", "codes"), (None, 0, 1)):
                said = refusal.to_text(Translator(language, cards=cards, own_seat=me))
                assert said.endswith((".", "…")) or cards == "codes"
                assert "{" not in said
            if seat is None:
                before = str(game)
                with pytest.raises(IllegalMove) as caught:
                    game.play(smallest(verb))
                assert (caught.value.code, str(game)) == (refusal.code, before)


def test_it_can_be_made_and_is_carried_out() -> None:
    """In some preset it is legal; it is carried out by the engine, taken back, and read again from the text of the game."""
    for verb in VERBS:
        game, move = legal(verb)
        again = game.copy()
        again.play(move)
        assert again.last_move == PlayedMove(game.actor, verb, move.cards)
        assert Game.parse(str(again)).state.key() == again.state.key()
        again.undo()
        assert again.state.key() == game.state.key()
        assert len(state_transitions.MOVE_APPLIERS) == len(VERBS) + 1


def test_it_has_its_words() -> None:
    """As what was done, as advice, on a button or in a menu of the table, and what the coach says of it."""
    for verb in VERBS:
        for language in LANGUAGES:
            game, move = legal(verb)
            after = game.copy()
            after.play(move)
            for me in (None, 0, 1):
                voice = Translator(language, own_seat=me)
                for said in (
                    narration.format_played_move(after.last_move, voice),
                    narration.format_advice(move, voice),
                    *_coach(verb, voice),
                ):
                    assert said.endswith(".")
                    assert "{" not in said
            assert get_front_end_texts(language).get(verb), f"the words lack screen.{verb}, which the table's buttons and menus say"


def _coach(verb: Verb, voice: Translator) -> list[str]:
    return [voice.translate(f"lesson.coach.{verb}", ranks=(), limit=6)]


def test_whoever_may_make_it_is_called_to_do_it() -> None:
    """The call to action of somebody with such a move is another one than that of a seat that waits, and can be said in every language."""
    for verb in VERBS:
        game, _ = legal(verb)
        view = game.view(game.actor)
        for language in LANGUAGES:
            voice = Translator(language, own_seat=view.seat)
            other = game.view((view.seat + 1) % game.seats)
            assert narration.format_call_to_action(view, voice) != narration.format_call_to_action(
                other, Translator(language, own_seat=other.seat)
            )


@pytest.mark.slow
def test_a_call_speaks_of_it() -> None:
    """Without it the same player would be called to something else; passing and taking go without saying, as a way out."""
    for verb in sorted({*VERBS} - {"pass", "take"}):
        game, _ = legal(verb)
        view = game.view(game.actor)
        without = Observation(view.data._replace(legal_moves=tuple(move for move in view.legal_moves() if move.verb != verb)))
        voice = Translator(own_seat=view.seat)
        assert narration.format_call_to_action(view, voice) != narration.format_call_to_action(without, voice)


def test_the_front_end_knows_it() -> None:
    """It has its line in the front end's table of verbs, from which its place on the wire and its button follow."""
    for verb in VERBS:
        declared = re.search(
            r"VERBS = \{(.*?)\n\}", (FRONTEND / "widgets" / "protocol" / "scene.ts").read_text(encoding="utf-8"), re.DOTALL
        )[1]
        assert re.search(rf"^  {verb}: ", declared, re.MULTILINE), f"frontend/src/widgets/protocol/scene.ts has no line for {verb}"


def test_the_oracle_knows_it() -> None:
    """The independent implementation that free mixes are held against plays it too, or it would go untested there."""
    for verb in VERBS:
        game, move = legal(verb)
        options = {name: getattr(game.rules, name) for name in Rules.options()}
        deck = next(line for line in str(game).splitlines() if line.startswith("Deck: ")).split()[1:]
        oracle = Oracle(options, deck, game.dealer)
        for made in game.moves:
            oracle.play(str(made))
        assert str(move) in oracle.legal()


def test_who_counts_worlds_follows_it() -> None:
    """`durak_widget/analysis/hand_inference.py` knows what it does to a bout: after it every seat can count what may be hidden, and the cards lie there as they do."""
    for verb in VERBS:
        game, move = legal(verb)
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


def test_it_has_a_number_in_other_programs() -> None:
    """`durak_widget/analysis/rl_encoding.py` lists it among the moves that can come up under such rules."""
    for verb in VERBS:
        game, _ = legal(verb)
        left_out = [str(move) for move in game.legal_moves() if move not in action_space_of_rules(game.rules).number_of_move]
        assert not left_out, f"durak_widget/analysis/rl_encoding.py leaves out {left_out}"


def test_a_hint_of_it_has_its_reason() -> None:
    """`durak_widget/table/hints.py` knows why it may be advised, and that can be said."""
    for verb in VERBS:
        for language in LANGUAGES:
            game, move = legal(verb)
            found = explain_advice(game.view(game.actor), Advice(move))
            for said in (found.thought, *found.reason):
                assert "{" not in Translator(language, own_seat=game.actor).translate(said.key, **said.facts)


def test_a_verb_that_is_not_followed_is_named() -> None:
    """What a bout does not know is taken for nothing else."""
    bout = PublicBout(Game(seed=7).view(0).data)
    with pytest.raises(DurakError, match=r"what 'fly' does to a bout is not followed: .* durak_widget/analysis/hand_inference\.py"):
        bout.apply_move(0, SimpleNamespace(verb="fly", kind=len(VERBS) + 1, cards=(Card("7c"),)))


def test_cards_of_examples_are_cards() -> None:
    """The smallest moves above name different cards."""
    assert len({Card(text) for text in CARDS}) == len(CARDS)
