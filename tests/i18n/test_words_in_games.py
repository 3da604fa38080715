"""Test sentences in real games: moves, refusals and endings are well formed and reveal nothing hidden."""

from __future__ import annotations

import pickle
import re
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal

import pytest

from durak_widget import BoutEnd, Card, Game, Move, PlayedMove, Refusal, Rules
from durak_widget.cards import SUITS
from durak_widget.engine import narration
from durak_widget.exercises.answer_form import describe_incomplete_fields
from durak_widget.i18n import Seat, TranslatableText, Translator, get_language
from support.spoken import EVERY, english_text, is_complete_sentence, sentence_keys

DRAWS = f"{english_text('end.draws.you', who='You', count='2 cards')}, {english_text('end.draws_too', who='Player 3', count='1')}."


@pytest.mark.parametrize(
    ("code", "cards", "other", "mine", "named"),
    [
        ("en", "signs", "Player 2 ", "You ", ("7♣", "9♣")),
        ("en", "words", "Player 2 ", "You ", ("the 7 of clubs", "the 9 of clubs")),
        ("en", "codes", "Seat 1 ", "You ", ("7c", "9c")),
        ("ru", "signs", "Игрок 2 ", "Вы ", ("7♣", "9♣")),
        ("ru", "words", "Игрок 2 ", "Вы ", ("семёрку треф", "девяткой треф")),
        ("lt", "signs", "Žaidėjas 2 ", "Jūs ", ("7♣", "9♣")),
        ("lt", "words", "Žaidėjas 2 ", "Jūs ", ("kryžių septynetą", "kryžių devynetu")),
    ],
)
def test_a_move_is_described_for_its_player_and_for_others(code: str, cards: str, other: str, mine: str, named: tuple[str, str]) -> None:
    """Cards are in the right case."""
    played = PlayedMove(1, "beat", (Card("7c"), Card("9c")))
    texts = [narration.format_played_move(played, Translator(code, cards=cards, own_seat=me)).replace("\ufe0e", "") for me in (None, 0, 1)]
    assert [text.startswith(who) for text, who in zip(texts, (other, other, mine), strict=True)] == [True] * 3
    assert texts[0] == texts[1]
    assert all(card in text for text in texts for card in named)


@pytest.mark.parametrize(
    ("code", "player", "aunt", "mine"),
    [
        ("en", "Player 2 took ", "Aunt Lida transferred ", "You showed "),
        ("ru", "Игрок 2 взял ", "Тётя Лида перевела ", "Вы показали "),
        ("lt", "Žaidėjas 2 paėmė ", "Teta Lida pervedė ", "Jūs parodėte "),
    ],
)
def test_past_tense_agrees_with_the_player(code: str, player: str, aunt: str, mine: str) -> None:
    """Test masculine, feminine and you."""
    moves = (PlayedMove(1, "take", ()), PlayedMove(2, "transfer", (Card("9c"),)), PlayedMove(0, "show", (Card("9c"),)))
    voice = Translator(code, cards="signs", own_seat=0, opponent_keys=((2, "aunt"),))
    texts = [voice.translate(fact.key, **fact.facts) for fact in map(narration.build_past_fact, moves)]
    assert all(text.startswith(begins) for text, begins in zip(texts, (player, aunt, mine), strict=True)), texts
    within = voice.translate("review.cost", bout=3, said=narration.build_past_fact(moves[2]), who=Seat(0), percent=20)
    assert texts[2][0].lower() + texts[2][1:] in within


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("en", [("4 cards", "none"), ("no cards", "1 card")]),
        ("ru", [("4 карты", "ни одной"), ("ни одной карты", "1 карта")]),
        ("lt", [("4 kortos", "nė vienos"), ("nė vienos kortos", "1 korta")]),
    ],
)
def test_a_zero_is_expressed_without_a_number(code: str, counts: list[tuple[str, str]]) -> None:
    """The second time the noun is left out."""
    found = [Translator(code).translate("people.bookkeeper.empty", count=count, mine=mine) for count, mine in ((4, 0), (0, 1))]
    assert all(re.search(rf"\b{yours}\b.*\b{mine}\b", text) for (yours, mine), text in zip(counts, found, strict=True)), found


@pytest.mark.parametrize(("code", "number"), [("en", "4.5"), ("ru", "4,5"), ("lt", "4,5")])
def test_decimals_follow_the_language(code: str, number: str) -> None:
    """English has a point, others a comma; one digit follows."""
    assert f" {number} " in Translator(code, own_seat=0).translate("review.skill.count", who=Seat(0), percent=4.5, count=3)


@pytest.mark.parametrize(
    ("code", "won", "together"),
    [
        ("en", "Player 1 wins", "You and Player 3 win"),
        ("ru", "Игрок 1 выигрывает", "Вы и игрок 3 выиграли"),
        ("lt", "Žaidėjas 1 laimėjo", "Jūs ir žaidėjas 3 laimėjote"),
    ],
)
def test_verbs_agree_with_the_number_of_winners(code: str, won: str, together: str) -> None:
    """It also matters whether you are one."""
    assert Translator(code).translate("sentence", said=TranslatableText("outcome.won", {"who": (Seat(0),), "count": 1})) == f"{won}."
    assert (
        Translator(code, own_seat=0).translate("sentence", said=TranslatableText("outcome.won", {"who": (Seat(0), Seat(2)), "count": 2}))
        == f"{together}."
    )


@pytest.mark.parametrize(
    ("move", "seat", "sentence"),
    [
        (
            "throw Th",
            2,
            english_text("refusal.too_early_to_throw", card="10♥", when=english_text("why.all_beaten"), unbeaten="10♦", count=1),
        ),
        ("take", 0, english_text("refusal.not_your_turn.seat.you", actor="Player 2")),
        ("beat Td Ac", 1, english_text("refusal.not_in_hand.you", card="A♣")),
        ("pass", 1, english_text("refusal.not_your_turn.defend.you")),
    ],
)
def test_a_refused_move_is_explained_in_one_sentence(move: str, seat: int, sentence: str) -> None:
    """The list of legal moves is left out, because the table shows it."""
    assert why_not(move, seat, "en") == sentence


@pytest.mark.parametrize(
    ("move", "seat", "code", "facts"),
    [
        ("beat Td 9c", 1, "ru", ("9♣", "10♦", "пики")),
        ("beat Td 9c", 1, "lt", ("9♣", "10♦", "vynai")),
        ("take", 0, "ru", ("игрока 2",)),
        ("take", 0, "lt", ("žaidėjo 2",)),
        ("beat Td Ac", 1, "ru", ("Т♣",)),
    ],
)
def test_a_refusal_has_its_facts_in_every_language(move: str, seat: int, code: str, facts: tuple[str, ...]) -> None:
    """Players are in the right case."""
    assert all(fact in why_not(move, seat, code) for fact in facts)


def why_not(move: str, seat: int, code: str) -> str:
    """Return the reason why `seat` cannot make this move now."""
    game = Game.from_position(Rules(players=3), hands=["6c 7c", "9c Jd", "Th"], trump="s", table="Td", attacker=0)
    return game.why_not(move, seat).to_text(Translator(code, cards="signs", own_seat=seat)).replace("\ufe0e", "")


VERBS = (
    "attack {0}",
    "attack {0} {1}",
    "throw {0}",
    "throw {0}=h",
    "pass",
    "beat {2} {0}",
    "transfer {0}",
    "show {0}",
    "take",
    "swap {0} {1}",
)
FACES_TRIED = ["6c", "7d", "8h", "9s", "Tc", "Jd", "Qh", "Ks", "Ac", "Xr"]


ODD = [
    ("full_jokers", {"hands": ["Xr 7c", "8c 9c"]}, "attack Xr; beat Xr 8c"),
    ("full_jokers", {"hands": ["7h 7c", "Xb 9c"]}, "attack 7h; beat 7h Xb"),
    ("siege", {"hands": ["7c 7d 8c", "9h"]}, "attack 7c 7d"),
    ("podkidnoy", {"hands": ["7c 7d", "9h 9c"]}, "attack 7c; beat 8c 9c"),
    ("podkidnoy, throw_in_by=nobody", {"hands": ["7c 7d", "8c 9c 9d"]}, "attack 7c; throw 7d"),
    ("podkidnoy, players=4", {"hands": ["7c 7d", "8c 9c", "9d", ""]}, "attack 7c; throw 7h"),
    ("durnius", {"hands": ["7c 7d", "8c 9c"]}, "attack 7c; pass; throw 7d"),
    ("full_jokers", {"hands": ["7c 7d", "Xr 9d"]}, "attack 7c; beat 7c Xr"),
    ("perevodnoy, transfer_first_bout=False", {"hands": ["7c Kc", "7d 8d"], "bout": 1}, "attack 7c; transfer 7d"),
    ("perevodnoy", {"hands": ["7c", "7d 8d"]}, "attack 7c; transfer 7d"),
    ("passport", {"hands": ["7c 7d Kc", "7h 7s 9c"]}, "attack 7c; show 7h; transfer 7d; show 7h"),
    ("poker", {"hands": ["6c 7c 8c", "9c Tc Jc"], "talon": "8d 9h Ts Js Qs"}, "swap 6c 7c; swap 8d 9h"),
    (
        "poker, swaps=1, hand_size=2",
        {"hands": ["6c 9c", "7c 9d"], "talon": "8d 9h Ts Js Qs Ks"},
        "swap 6c 9c; attack 8d; take; swap 9h Ts",
    ),
    ("poker", {"hands": ["6c 7c 8c", "9c Tc Jc"]}, "swap 6c 7c"),
    ("poker", {"hands": ["6c 7c 8c", "9c Tc Jc"], "talon": "8h"}, "swap 6c 7c"),
    ("poker", {"hands": ["6c 7c 8c", "9c Tc Jc"], "talon": "8h 9h Th"}, "swap 6c 6c"),
    ("weli, suits=cdh", {"hands": ["6c Kc", "8c 9d"]}, "attack 6c=s"),
    ("no_trumps", {"hands": ["7c 7d", "8h 9d"], "trump": None}, "attack 7c; beat 7c 8h"),
    ("passport", {"hands": ["7c Kc", "7d 8d"], "trump": None}, "attack 7c; show 7d"),
]
"""Positions whose last move is refused for a rare reason."""


def refusal_of(rules: str, position: dict[str, object], line: str) -> Refusal:
    """Return the refusal of the last move of a line, for the player to move or the last who may throw in."""
    game = Game.from_position(rules, **{"trump": "h", **position})
    *moves, last = line.split("; ")
    for move in moves:
        game.play(move)
    return game.why_not(last, max(seat for seat in range(len(game.hands)) if seat != game.defender) if last.startswith("throw") else None)


@lru_cache
def refusals() -> dict[tuple[str, ...], Refusal]:
    """Return refusals from games of every preset and special positions: one for each sentence and reason."""
    found = [refusal_of(*position) for position in ODD]
    for name, number in product(Rules.presets(), range(6)):
        rng, rules = Random(f"{name} {number}"), Rules.preset(name)
        game = Game(rules.replace(players=3) if number % 2 and rules.players == 2 else rules, seed=f"{name} {number}")
        plies = rng.randrange(60) if number else 10_000
        while game.actor is not None and game.ply < plies:
            game.play(rng.choice(game.legal_moves()))
        held = [str(card) for hand in game.hands for card in hand] or FACES_TRIED
        for form, seat in product(VERBS, (None, *range(len(game.hands)))):
            some = [rng.choice(held), rng.choice([*held, *FACES_TRIED])]
            target = rng.choice([str(pair[0].face) for pair in game.table] or some)
            move = form.format(*some, target).replace("Xr=h", "Xr").replace("Xb=h", "Xb")
            found.append(game.why_not(move, seat))
    return {
        (refusal.key, *[fact.key for fact in refusal.facts.values() if isinstance(fact, TranslatableText)]): refusal
        for refusal in found
        if refusal
    }


@pytest.mark.slow
def test_refusals_of_every_kind_are_found() -> None:
    """All codes except that of unreadable moves occur."""
    cases = {
        key.removeprefix("refusal.") for key in sentence_keys("en") if key.startswith("refusal.") and not key.endswith((".you", ".typed"))
    }
    assert {key for key, *_ in refusals()} == cases - {"unreadable", "unreadable.ten"}
    reasons = {key for key in sentence_keys("en") if key.startswith("why.") and not key.endswith(".you")}
    assert {reason for _, *within in refusals() for reason in within if reason.startswith("why.")} == reasons


@EVERY
@pytest.mark.parametrize("me", [None, 0, 1])
@pytest.mark.sample(2)
def test_real_refusals_can_be_formatted(code: str, me: int | None) -> None:
    """Each is a whole sentence in every language for everybody. In text mode legal moves follow."""
    for refusal, cards in product(refusals().values(), ("words", "signs")):
        voice = Translator(code, cards=cards, own_seat=me)
        assert is_complete_sentence(refusal.to_text(voice)), refusal.to_text(voice)
    for refusal in refusals().values():
        typed = refusal.to_text(Translator(code, cards="codes", own_seat=me))
        assert not re.search("[{}]|None", typed)
        assert typed.endswith(".") == ("may" not in refusal.facts) or typed[-1] == ")"


@pytest.mark.parametrize("cards", ["words", "codes"])
def test_a_refusal_about_another_player_is_not_about_you(cards: Literal["words", "codes"]) -> None:
    """A reader whose move it is not would look for the mistake in their own hand."""
    found = {key: refusal.to_text(Translator(cards=cards)) for key, refusal in refusals().items()}
    assert {key: text for key, text in found.items() if re.search(r"\b(you|your|yours)\b", text, re.IGNORECASE)} == {}


def test_a_refused_throw_is_about_its_player() -> None:
    """The defender has to move, but player 3 throws in."""
    game = Game.from_position(Rules(players=3), hands=["6c 7c", "9c Jd", "Th"], trump="s", table="Td", attacker=0)
    refusal = game.why_not("throw Th", 2)
    assert (game.actor, refusal.code, refusal.facts["who"]) == (1, "too_early_to_throw", Seat(2))


@pytest.mark.parametrize(
    ("fact", "form", "text"),
    [
        (Card("7c"), ":capital", "The 7 of clubs"),
        ((Card("7c"), Card("9c")), ":and capital", "The 7 of clubs and the 9 of clubs"),
        (TranslatableText("lesson.tree.start"), ":capital", "At the start"),
        (TranslatableText("call.take"), ":within capital", "Take"),
        (Seat(1), ":capital", "You"),
        ("a name", ":capital", "A name"),
    ],
)
def test_every_fact_can_begin_a_sentence(monkeypatch: pytest.MonkeyPatch, fact: object, form: str, text: str) -> None:
    """A sentence begins inside a text, too."""
    monkeypatch.setitem(get_language("en").sentences, "test", f"{{fact{form}}}")  # type: ignore[misc]
    assert Translator(own_seat=1).translate("test", fact=fact) == text


def test_a_refusal_is_a_value() -> None:
    """It survives pickling, and its facts are cards and seats."""
    for refusal in refusals().values():
        again = pickle.loads(pickle.dumps(refusal))
        assert again == refusal
        assert (again.code, str(again)) == (refusal.code, str(refusal))
    too_low = Game.from_position(hands=["8c", "6c"], table="7c", trump="h").why_not("beat 7c 6c")
    assert {name: too_low.facts[name] for name in ("card", "target", "who")} == {"card": Card("6c"), "target": Card("7c"), "who": Seat(1)}


@EVERY
@pytest.mark.parametrize("preset", sorted(Rules.presets()))
@pytest.mark.sample(14)
def test_whole_games_are_described(code: str, preset: str) -> None:
    """Test every call, move, hint, end of bout and table text."""
    rng = Random(preset)
    game = Game(Rules.preset(preset), seed=rng.randrange(100))
    players = len(game.hands)
    while True:
        seat = rng.randrange(players)
        voice = Translator(code, cards=rng.choice(("words", "signs")), own_seat=rng.choice((seat, seat, None)))
        view = game.view(seat)
        texts = [narration.format_call_to_action(view, voice), narration.format_call_to_action(view.without_hand(), voice)]
        texts += [narration.format_advice(move, voice) for move in view.legal_moves()]
        texts += narration.describe_observation(view, Translator(code, own_seat=seat)).splitlines()
        if view.history:
            texts.append(narration.format_played_move(view.history[-1], voice))
        texts += [
            text
            for end in view.bout_ends[-1:]
            for viewer in (None, seat)
            for text in narration.format_bout_end(end, voice, view.trump, viewer)
        ]
        texts += [
            narration.describe_piles(view, voice),
            narration.describe_hand(view, voice),
            narration.describe_hand(view.without_hand(), voice),
        ]
        assert [text for text in texts if not is_complete_sentence(text)] == []
        if game.actor is None:
            break
        game.play(rng.choice(game.legal_moves()))
    assert is_complete_sentence(narration.format_finishing_order(view, voice) or "-.")


CODE = re.compile(r"\b([2-9TJQKA][cdhs]|X[rb])\b")


def test_the_log_names_no_hidden_card() -> None:
    """A move names the cards it shows, an end of bout the open ones; the viewer's own picked up cards only to them."""
    for preset in sorted(Rules.presets()):
        rng = Random(7)
        game = Game(Rules.preset(preset), seed=3)
        while game.actor is not None and game.ply < 400:
            game.play(rng.choice(game.legal_moves()))
        for seat in range(len(game.hands)):
            view, voice = game.view(seat), Translator(cards="codes", own_seat=seat)
            for played in view.history:
                assert set(CODE.findall(narration.format_played_move(played, voice))) <= {str(card.face) for card in played.cards} | {
                    str(card) for card in played.cards
                }
            for end in view.bout_ends:
                assert set(CODE.findall(" ".join(narration.format_bout_end(end, voice, view.trump)))) <= set(end.turned_cards)
                named = CODE.findall(" ".join(narration.format_bout_end(end._replace(turned_cards=()), voice, view.trump, seat)))
                assert sorted(named) == sorted(map(str, end.own_draw))
                assert len(named) == dict(end.draw_counts).get(seat, 0)
            for end in view.without_hand().bout_ends:
                assert set(CODE.findall(" ".join(narration.format_bout_end(end, voice, view.trump, seat)))) <= set(end.turned_cards)


def test_another_players_swap_hides_its_cards() -> None:
    """Only the player is named."""
    game = Game.from_position(Rules(swaps=1, hand_size=2), hands=["6c 9c", "7c 9d"], trump="h", talon="8d 9h Ts Js 8h", turn_up="8h")
    game.play("swap 6c 9c")
    assert narration.format_played_move(game.view(1).history[0], Translator(own_seat=1)) == english_text("deed.swap", who="Player 1")


@pytest.mark.parametrize(
    ("end", "trump", "sentence"),
    [
        ({"taken": True}, None, (english_text("end.taken", who="Player 2", count=3), DRAWS, english_text("end.out", who="Player 3"))),
        ({"taken": False, "draw_counts": (), "seats_out": ()}, None, (english_text("end.beaten", count=3),)),
        ({"taken": True, "seats_out": (), "turned_cards": ("7h", "9s")}, "s", (*(english_text("end.taken", who="Player 2", count=3), DRAWS), english_text("end.turned", card="the 9 of spades"), english_text("end.trump", suit="spades"))),
        ({"taken": True, "draw_counts": (), "seats_out": (), "turned_cards": ("7h", "9h")}, "h", (english_text("end.taken", who="Player 2", count=3), english_text("end.turned", card="the 9 of hearts"))),
        ({"taken": True, "draw_counts": (), "seats_out": (), "turned_cards": ("7h",)}, "h", (english_text("end.taken", who="Player 2", count=3),)),
    ],
)  # fmt: skip
def test_the_end_of_a_bout_is_described(end: dict[str, object], trump: str | None, sentence: tuple[str, ...]) -> None:
    """Test who picked up, how many cards each took, the turned card, and who is out."""
    codes = [Card(text).code for text in ("7c", "8c", "7d")]
    whole = BoutEnd(3, 1, 0, 1, True, (codes[0], codes[2]), (codes[1], -1), SUITS.index("h"), ((0, 2), (2, 1)), (), (2,))
    assert narration.format_bout_end(whole._replace(**end), Translator(own_seat=0), trump) == sentence


def test_many_cards_are_counted_instead_of_named() -> None:
    """A call names at most four."""
    hands = ["6d 6h 6c Td Jd", "9d 9h"]
    game = Game.from_position(
        Rules(throw_in_when="any_time"), hands=hands, trump="s", table="7d/8d 7h 7s 7c 8h 8c", attacker=1, throwers_passed=[1]
    )
    assert narration.format_call_to_action(game.view(0), Translator(own_seat=0)) == english_text("call.stuck.several", count=5)
    game = Game.from_position(Rules(), hands=["7d 7h 7s 8d 8h", "9d 9h 9s"], trump="s", table="7c/8c")
    assert narration.format_call_to_action(game.view(0), Translator(own_seat=0)) == english_text("call.throw.any")


def test_every_verb_has_a_hint() -> None:
    """Each move has its imperative."""
    moves = ("attack 7c", "throw 7c", "pass", "beat 7c 9c", "transfer 7c", "show 7c", "take", "swap 7c 9c")
    assert [narration.format_advice(Move(move), Translator(cards="codes")) for move in moves] == [
        english_text("advice.attack", cards="7c"),
        english_text("advice.throw", card="7c"),
        english_text("advice.pass"),
        english_text("advice.beat", target="7c", card="9c"),
        english_text("advice.transfer", card="7c"),
        english_text("advice.show", card="7c"),
        english_text("advice.take"),
        english_text("advice.swap", cards="7c and 9c"),
    ]


def test_one_open_field_is_in_the_singular() -> None:
    """A count of 1 has its own sentence."""
    for texts, noun in ((["", "x"], "1 field "), (["", "", "x", "y"], "2 fields ")):
        notes = [Translator().translate(note.key, **note.facts) for note in describe_incomplete_fields(texts, lambda _: None)]
        assert [note.startswith(noun) for note in notes] == [True, True]
