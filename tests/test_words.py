"""What is said to people: every language says everything, of every game, and names no more than may be known."""

from __future__ import annotations

import html
import pickle
import re
import subprocess
import sys
from dataclasses import fields
from functools import lru_cache
from itertools import product
from random import Random
from string import Formatter

import pytest

from durak_widget import BoutEnd, Card, DurakError, Game, Move, Played, Refusal, Rules, words
from durak_widget.cards import FACES, SUITS
from durak_widget.game import telling
from durak_widget.game.refusal import CODES
from durak_widget.rules.option import Choice, Number
from durak_widget.rules.variants import PRESETS
from durak_widget.words import LANGUAGES, Fact, Rank, Seat, Suit, Voice, _language, language, screen

OTHERS = sorted(set(LANGUAGES) - {"en"})
EVERY = pytest.mark.parametrize("code", sorted(LANGUAGES))
NAMINGS = ("words", "signs", "codes")


def groups(code: str) -> set[str]:
    """The keys that stand in all plural forms of the language, without the form."""
    forms = language(code).plurals
    keys = language(code).sentences.keys()
    return {key.rpartition(".")[0] for key in keys if keys >= {f"{key.rpartition('.')[0]}.{form}" for form in forms}}


def keys(code: str) -> dict[str, set[str]]:
    """What the language can say, whatever its plural forms: each key with the facts that its sentences name."""
    found: dict[str, set[str]] = {}
    for key, sentence in language(code).sentences.items():
        stem, _, form = key.rpartition(".")
        facts = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}
        found.setdefault(stem if form in language(code).plurals and stem in groups(code) else key, set()).update(facts)
    return found


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_says_what_english_says(code: str) -> None:
    """A translation has the keys of the reference: none is missing, in no plural form, and none is left over."""
    assert sorted(keys("en").keys() - keys(code).keys()) == [], "missing"
    assert sorted(keys(code).keys() - keys("en").keys()) == [], "left over"


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_names_the_same_facts(code: str) -> None:
    """A sentence names in each language what it names in English."""
    said, reference = keys(code), keys("en")
    assert {key: facts for key, facts in said.items() if facts != reference[key]} == {}


OPTIONS = {field.name: field.metadata["option"] for field in fields(Rules)}


def told_by_rules() -> dict[str, set[str]]:
    """What the rules have to say: the keys of every option and its values, and of every preset, each with the facts that English names."""
    found = {}
    for name, option in OPTIONS.items():
        if isinstance(option, Choice):
            found |= {f"option.{name}.{value}": said for value, said in option.says.items()}
        else:
            cases = {"": option.says, ".zero": getattr(option, "zero", None), ".none": getattr(option, "none", None)}
            found |= {f"option.{name}{case}": said for case, said in cases.items() if said is not None}
    for name, preset in PRESETS.items():
        found |= {f"preset.{name}": preset.line, f"preset.{name}.title": name}
    return {key: {fact for _, fact, _, _ in Formatter().parse(said) if fact is not None} - {"s"} for key, said in found.items()}


@pytest.mark.parametrize("code", OTHERS)
def test_every_language_says_every_rule(code: str) -> None:
    """Each value of each option and each preset has its sentence, with the same facts: none is missing, in no plural form, and none is left over."""
    words, wanted = language(code), told_by_rules()
    numbers = {f"option.{name}" for name, option in OPTIONS.items() if isinstance(option, Number)}
    forms = {key: [f"{key}.{form}" for form in words.plurals] for key in numbers}
    spelt = {key: [key] if key in words.rules or key not in numbers else forms[key] for key in wanted}
    asked = {one: wanted[key] for key, ones in spelt.items() for one in ones}
    assert sorted(asked.keys() - words.rules.keys()) == [], "missing"
    assert sorted(words.rules.keys() - asked.keys()) == [], "left over"
    named = {key: {fact for _, fact, _, _ in Formatter().parse(said) if fact is not None} for key, said in words.rules.items()}
    assert {key: facts for key, facts in named.items() if facts != asked[key]} == {}
    assert [key for key, said in words.rules.items() if said.endswith(".") == key.endswith(".title")] == []


def test_english_stands_beside_its_options() -> None:
    """The words of English have none of the rules: each sentence stands once, where its option is declared."""
    assert not language("en").rules


@EVERY
def test_every_rule_is_told_in_the_language(code: str) -> None:
    """Explained, every preset and every number is a whole sentence; the table says the same, and it comes back from a pickle as the same."""
    counted = [Rules(hand_size=n, attack_limit=n, first_bout_limit=n, repetition=n + 1, swaps=n % 5) for n in range(1, 19)]
    for rules in (*map(Rules.preset, Rules.presets()), *counted):
        said, again = rules.explain(code), rules.explain(code)
        assert Rules.presets(code)[rules.name] in said.heading if rules.name else said.heading == Voice(code).say("rules.own")
        for heading, rows in said.groups:
            assert heading.endswith(":") or heading == ""
            for name, value, sentence in rows:
                assert getattr(rules, name) == value
                assert well_said(sentence, Voice(code)), sentence
                assert html.escape(sentence) in said._repr_html_()
        assert html.escape(said.heading) in said._repr_html_()
        assert pickle.loads(pickle.dumps(said)) == again
        assert pickle.loads(pickle.dumps(said))._repr_html_() == again._repr_html_()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["Each player is dealt 1 card, ", "Each player is dealt 3 cards, ", "Each player is dealt 11 cards, "]),
        ("ru", ["Каждому сдают по 1 карте, ", "Каждому сдают по 3 карты, ", "Каждому сдают по 11 карт, "]),
        ("lt", ["Kiekvienam dalijama po 1 kortą, ", "Kiekvienam dalijama po 3 kortas, ", "Kiekvienam dalijama po 11 kortų, "]),
    ],
)
def test_a_rule_that_counts_counts_as_its_language_does(code: str, said: list[str]) -> None:
    """The number in the sentence of an option stands with the plural form of the language."""
    assert [one for number, one in zip((1, 3, 11), said, strict=True) if one not in Rules(hand_size=number).explain(code)] == []


def test_a_rule_without_a_translation_is_told_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a language does not say of the rules yet is said in English, and the rest in the language; nothing fails."""
    kept = {key: said for key, said in language("ru").rules.items() if key.startswith("option.transfer.")}
    poorer = language("ru")._replace(rules=kept)
    monkeypatch.setattr(sys.modules["durak_widget.words.ru"], "LANGUAGE", poorer)
    _language._found.cache_clear()
    try:
        said = Rules.preset("first_bout_five", players=4).explain("ru")
        assert said.startswith("First bout five. At most five attacking cards in the first bout.\n\nНе так, как")
        assert "- players: 4 players.\n- first_bout_limit: At most 5 attacking cards in the first bout of a game.\n" in said
        assert "- transfer: Защищающийся отбивается или берёт." in said
        assert Rules.presets("ru") == Rules.presets()
    finally:
        _language._found.cache_clear()


def test_a_language_is_fetched_when_it_is_asked_for() -> None:
    """Importing the rules fetches no language; explaining them in one fetches that one; one that is not there is refused in a sentence."""
    code = """
import sys
from durak_widget import Rules
here = lambda: {name.rpartition(".")[2] for name in sys.modules if name.startswith("durak_widget.words.")} & {"en", "ru", "lt"}
rules = Rules(players=3)
assert not here(), here()
assert rules.explain("lt") and here() == {"lt"}, here()
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    for ask in (Rules().explain, Rules.presets):
        with pytest.raises(DurakError, match=r"there are no words in 'rus'; there are words in en, lt, ru\. Did you mean 'ru'\?"):
            ask("rus")


@EVERY
def test_what_is_counted_on_the_screen_has_all_its_forms(code: str) -> None:
    """The front end picks a plural form by itself, so each that English has stands in all forms of the language, and asks for no case."""
    assert {key for key in groups("en") if key.startswith("screen.")} <= groups(code)
    asked = [
        key for key, said in language(code).sentences.items() if key.startswith(("screen.", "role.")) and ":" in said.partition("{")[2]
    ]
    assert [key for key in asked if re.search(r"\{\w+:", language(code).sentences[key])] == []


@EVERY
def test_whoever_is_spoken_to_can_be_spoken_of(code: str) -> None:
    """A sentence for `you` has one for everybody else, and what is typed has one for what is shown."""
    said = keys(code)
    assert [
        key for key in said if key.endswith((".you", ".typed")) and not key.startswith("screen.") and key.rpartition(".")[0] not in said
    ] == []


def test_every_code_has_its_sentence() -> None:
    """Each reason for a refusal can be said, and every sentence of a refusal is for one."""
    said = [key.split(".")[1] for key in language("en").sentences if key.startswith("refusal.")]
    assert tuple(dict.fromkeys(said)) == CODES


SAMPLES = [Card(text) for text in ("7c", "6d=h", "Td", "Jh", "Qs", "Kd", "Ac", "Xr", "Xb")]


JOINTS = {"list", "row", *language("en").joints}
NESTED = {"said", "result", "todo", "why", "when", "colour", "trumps", "there", "ways", "draws"}


def fact(key: str, name: str, how: str, card: Card, count: int) -> object:
    """A fact of that name, for a sentence that asks for it like this: a card, a seat …, or several where it asks for a list."""
    if key.startswith(("screen.", "card", "picture.", "table.")) and name not in ("count", "who"):
        return "…"  # names that stand on their own
    one: object = "…"
    if name in ("card", "target", "by", "cards", "unbeaten", "table") or (name == "hand" and how):
        one = card
    elif name in ("who", "actor", "defender", "next", "seats"):
        one = Seat(1)
    elif name == "suit":
        one = Suit(card.suit or "s")
    elif name in ("rank", "ranks"):
        one = Rank(card.rank)
    elif name in ("count", "limit", "number"):
        one = count
    elif name in NESTED:
        one = Fact("call.take")
    return (one, one) if how.partition(" ")[0] in JOINTS else one


@EVERY
@pytest.mark.parametrize("cards", NAMINGS)
def test_every_sentence_can_be_said(code: str, cards: str) -> None:
    """Each of them, of every kind of card, for one card and for many, of `you` and of somebody else, with nothing left open."""
    sentences = language(code).sentences
    for (key, sentence), card, count, me in product(sentences.items(), SAMPLES, (1, 2, 5, 11, 21), (None, 1)):
        asked = Formatter().parse(sentence + sentences.get(f"{key}.typed", ""))
        named = {name: fact(key, name, how or "", card, count) for _, name, how, _ in asked if name is not None}
        said = Voice(code, cards=cards, me=me).say(key, **named)
        assert not re.search(r"[{}<>]|None|  |\.\.", said), (key, said)
        assert said.endswith(".") == sentence.endswith("."), key


LATIN = re.compile(r"[A-Za-z]{2,}")


def well_said(said: str, voice: Voice) -> bool:
    """Whether this is a whole sentence in its language."""
    whole = said.endswith(".") and said[0] == said[0].upper() and not re.search(r"[{}]|None|  |\.\.| [.,:;]", said)
    foreign = LATIN.search(said) if voice.language == "ru" and voice.cards != "codes" else None
    return whole and foreign is None


def test_russian_is_written_in_cyrillic() -> None:
    """No English is left over in a Russian sentence; Python is called so everywhere."""
    russian = {**language("ru").sentences, **language("ru").rules}
    left = {key: LATIN.findall(re.sub(r"\{[^}]*\}|Python", "", said)) for key, said in russian.items()}
    assert {key: words for key, words in left.items() if words} == {}
    assert {
        key
        for key, said in russian.items()
        if said == language("en").sentences.get(key) and re.search("[A-Za-z]", re.sub(r"\{.*?\}", "", said))
    } == set()


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", {0: "0 cards", 1: "1 card", 2: "2 cards", 21: "21 cards"}),
        ("ru", {1: "1 карта", 2: "2 карты", 5: "5 карт", 11: "11 карт", 12: "12 карт", 21: "21 карта", 22: "22 карты", 111: "111 карт"}),
        ("lt", {0: "0 kortų", 1: "1 korta", 2: "2 kortos", 5: "5 kortos", 10: "10 kortų", 11: "11 kortų", 21: "21 korta", 22: "22 kortos"}),
    ],
)
def test_cards_are_counted(code: str, forms: dict[int, str]) -> None:
    """One, two, five, eleven, twenty-one, twenty-two cards, as the language counts them."""
    assert {count: Voice(code).say("screen.cards", count=count) for count in forms} == forms


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("ru", {1: "Вы забираете 1 карту.", 3: "Вы забираете 3 карты.", 5: "Вы забираете 5 карт.", 21: "Вы забираете 21 карту."}),
        ("lt", {1: "Jūs paimate 1 kortą.", 2: "Jūs paimate 2 kortas.", 11: "Jūs paimate 11 kortų.", 22: "Jūs paimate 22 kortas."}),
    ],
)
def test_counted_cards_stand_in_their_case(code: str, forms: dict[int, str]) -> None:
    """What is taken stands in the accusative, in each plural form."""
    assert {count: Voice(code, me=0).say("end.taken", who=Seat(0), count=count) for count in forms} == forms


@EVERY
def test_every_number_has_a_form(code: str) -> None:
    """The plural rule names only forms that the language has, and each of them is used."""
    rule, forms = language(code).plural, language(code).plurals
    assert {rule(count) for count in range(200)} == set(forms)


@pytest.mark.parametrize(
    ("code", "cards", "other", "mine"),
    [
        ("en", "signs", "Player 2 beats 7♣ with 9♣.", "You beat 7♣ with 9♣."),
        ("en", "words", "Player 2 beats the 7 of clubs with the 9 of clubs.", "You beat the 7 of clubs with the 9 of clubs."),
        ("en", "codes", "Seat 1 beats 7c with 9c.", "You beat 7c with 9c."),
        ("ru", "signs", "Игрок 2 отбивает 7♣ картой 9♣.", "Вы отбиваете 7♣ картой 9♣."),
        ("ru", "words", "Игрок 2 отбивает семёрку треф девяткой треф.", "Вы отбиваете семёрку треф девяткой треф."),
        ("lt", "signs", "Žaidėjas 2 muša 7♣ korta 9♣.", "Jūs mušate 7♣ korta 9♣."),
        ("lt", "words", "Žaidėjas 2 muša kryžių septynetą kryžių devynetu.", "Jūs mušate kryžių septynetą kryžių devynetu."),
    ],
)
def test_a_move_is_told_of_another_and_of_you(code: str, cards: str, other: str, mine: str) -> None:
    """The same move, seen from outside and by the one who made it, with the cards in the case that they need."""
    played = Played(1, "beat", (Card("7c"), Card("9c")))
    said = [telling.deed(played, Voice(code, cards=cards, me=me)).replace("\ufe0e", "") for me in (None, 0, 1)]
    assert said == [other, other, mine]


@pytest.mark.parametrize(
    ("code", "won", "together"),
    [
        ("en", "Player 1 wins.", "You and Player 3 win."),
        ("ru", "Игрок 1 выиграл.", "Вы и игрок 3 выиграли."),
        ("lt", "Žaidėjas 1 laimėjo.", "Jūs ir žaidėjas 3 laimėjote."),
    ],
)
def test_winners_are_one_or_several(code: str, won: str, together: str) -> None:
    """The verb goes with how many they are, and with whether you are one of them."""
    assert Voice(code).say("sentence", said=Fact("outcome.won", {"who": (Seat(0),), "count": 1})) == won
    assert Voice(code, me=0).say("sentence", said=Fact("outcome.won", {"who": (Seat(0), Seat(2)), "count": 2})) == together


@pytest.mark.parametrize(
    ("move", "seat", "code", "said"),
    [
        ("beat Td 9c", 1, "en", "9♣ does not beat 10♦: different suits, and clubs are not trumps (spades are)."),
        ("beat Td 9c", 1, "ru", "9♣ не бьёт 10♦: масти разные, а трефы — не козыри (козыри — пики)."),
        ("beat Td 9c", 1, "lt", "9♣ nemuša 10♦: skirtingos rūšys, o kryžiai – ne koziriai (koziriai – vynai)."),
        (
            "throw Th",
            2,
            "en",
            "10♥ cannot be thrown in yet: cards are thrown in when every card on the table is beaten, and 10♦ is not beaten.",
        ),
        ("take", 0, "en", "It is not your turn: Player 2 is to act."),
        ("take", 0, "ru", "Сейчас не ваш ход, а игрока 2."),
        ("take", 0, "lt", "Dabar ne jūsų eilė, o žaidėjo 2."),
        ("beat Td Ac", 1, "en", "A♣ is not in your hand."),
        ("beat Td Ac", 1, "ru", "A♣ нет у вас на руках."),
        ("pass", 1, "en", "The defender cannot pass: beat a card, or take."),
    ],
)
def test_the_one_who_tries_a_move_is_told_why_not(move: str, seat: int, code: str, said: str) -> None:
    """One sentence, to the person at the table, without the list of legal moves: those are lit there."""
    game = Game.from_position(Rules(players=3), hands=["6c 7c", "9c Jd", "Th"], trump="s", table="Td", attacker=0)
    assert game.why_not(move, seat).said(Voice(code, cards="signs", me=seat)).replace("\ufe0e", "") == said


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
"""Positions in which the last move is refused for a reason that random tries seldom meet."""


def odd(rules: str, position: dict[str, object], line: str) -> Refusal:
    """The refusal of the last move of a line, for the seat to act or, where that is the defender, for the last seat that might throw."""
    game = Game.from_position(rules, **{"trump": "h", **position})
    *moves, last = line.split("; ")
    for move in moves:
        game.play(move)
    return game.why_not(last, max(seat for seat in range(len(game.hands)) if seat != game.defender) if last.startswith("throw") else None)


@lru_cache
def refusals() -> dict[tuple[str, ...], Refusal]:
    """Refusals of moves tried in games of every preset, and the odd ones: one for each sentence and each reason within it."""
    found = [odd(*position) for position in ODD]
    for number, name in enumerate([*Rules.presets()] * 6):
        rng, rules = Random(number), Rules.preset(name)
        game = Game(rules.replace(players=3) if number % 2 and rules.players == 2 else rules, seed=number)
        plies = rng.randrange(60) if number % 6 else 10_000
        while game.actor is not None and game.ply < plies:
            game.play(rng.choice(game.legal_moves()))
        held = [str(card) for hand in game.hands for card in hand] or FACES_TRIED
        for form, seat in product(VERBS, (None, *range(len(game.hands)))):
            some = [rng.choice(held), rng.choice([*held, *FACES_TRIED])]
            target = rng.choice([str(pair[0].face) for pair in game.table] or some)
            move = form.format(*some, target).replace("Xr=h", "Xr").replace("Xb=h", "Xb")
            found.append(game.why_not(move, seat))
    return {
        (refusal.key, *[fact.key for fact in refusal.facts.values() if isinstance(fact, Fact)]): refusal for refusal in found if refusal
    }


def test_refusals_of_every_kind_were_found() -> None:
    """All codes but that of a text which is no move, and every case of them, are among the refusals that the tests below say."""
    cases = {key.removeprefix("refusal.") for key in keys("en") if key.startswith("refusal.") and not key.endswith((".you", ".typed"))}
    assert {key for key, *_ in refusals()} == cases - {"unreadable"}
    reasons = {key for key in keys("en") if key.startswith("why.") and not key.endswith(".you")}
    assert {reason for _, *within in refusals() for reason in within if reason.startswith("why.")} == reasons


@EVERY
@pytest.mark.parametrize("me", [None, 0, 1])
def test_real_refusals_can_be_said(code: str, me: int | None) -> None:
    """Each refusal of a random try is one whole sentence, in every language and to everybody; typed, the legal moves follow."""
    for refusal, cards in product(refusals().values(), ("words", "signs")):
        voice = Voice(code, cards=cards, me=me)
        assert well_said(refusal.said(voice), voice), refusal.said(voice)
    for refusal in refusals().values():
        typed = refusal.said(Voice(code, cards="codes", me=me))
        assert not re.search("[{}]|None", typed)
        assert typed.endswith(".") == ("may" not in refusal.facts) or typed[-1] == ")"


def test_a_refusal_is_a_value() -> None:
    """It comes back from a pickle as the same and says the same; its facts are cards and seats, not words."""
    for refusal in refusals().values():
        again = pickle.loads(pickle.dumps(refusal))
        assert again == refusal
        assert (again.code, str(again)) == (refusal.code, str(refusal))
    too_low = Game.from_position(hands=["8c", "6c"], table="7c", trump="h").why_not("beat 7c 6c")
    assert {name: too_low.facts[name] for name in ("card", "target", "who")} == {"card": Card("6c"), "target": Card("7c"), "who": Seat(1)}


@EVERY
@pytest.mark.parametrize("preset", sorted(Rules.presets()))
def test_whole_games_are_told(code: str, preset: str) -> None:
    """Every call, every move, every hint, every end of a bout and every table of a game is said in whole sentences."""
    rng = Random(preset)
    game = Game(Rules.preset(preset), seed=rng.randrange(100))
    players = len(game.hands)
    while True:
        seat = rng.randrange(players)
        voice = Voice(code, cards=rng.choice(("words", "signs")), me=rng.choice((seat, seat, None)))
        view = game.view(seat)
        said = [telling.call(view, voice), telling.call(view.covered(), voice)]
        said += [telling.advice(move, voice) for move in view.legal_moves()]
        said += telling.told(view, Voice(code, me=seat)).splitlines()
        if view.course:
            said.append(telling.deed(view.course[-1], voice))
        said += [one for end in view.ends[-1:] for one in telling.closing(end, voice, view.trump)]
        assert [one for one in said if not well_said(one, voice)] == []
        if game.actor is None:
            break
        game.play(rng.choice(game.legal_moves()))
    assert well_said(telling.order(view, voice) or "-.", voice)


CODE = re.compile(r"\b([2-9TJQKA][cdhs]|X[rb])\b")


@pytest.mark.parametrize("preset", sorted(Rules.presets()))
def test_the_log_names_no_hidden_card(preset: str) -> None:
    """A move in the log names the cards that it laid open, and the end of a bout only what was turned over for all to see."""
    rng = Random(7)
    game = Game(Rules.preset(preset), seed=3)
    while game.actor is not None and game.ply < 400:
        game.play(rng.choice(game.legal_moves()))
    for seat in range(len(game.hands)):
        view, voice = game.view(seat), Voice(cards="codes", me=seat)
        for played in view.course:
            assert set(CODE.findall(telling.deed(played, voice))) <= {str(card.face) for card in played.cards} | {
                str(card) for card in played.cards
            }
        for end in view.ends:
            assert set(CODE.findall(" ".join(telling.closing(end, voice, view.trump)))) <= set(end.turned)


def test_a_swap_of_somebody_else_names_nothing() -> None:
    """Who swapped is told, what was swapped is not."""
    game = Game.from_position(Rules(swaps=1, hand_size=2), hands=["6c 9c", "7c 9d"], trump="h", talon="8d 9h Ts Js 8h", turn_up="8h")
    game.play("swap 6c 9c")
    assert telling.deed(game.view(1).course[0], Voice(me=1)) == "Player 1 swaps two cards with the talon."


@pytest.mark.parametrize(
    ("end", "trump", "said"),
    [
        ({"taken": True}, None, ("Player 2 takes 3 cards.", "You draw 2 cards, Player 3 draws 1.", "Player 3 is out.")),
        ({"taken": False, "drew": (), "out": ()}, None, ("All beaten: 3 cards go to the discard pile.",)),
        ({"taken": True, "out": (), "turned": ("7h", "9s")}, "s", (*("Player 2 takes 3 cards.", "You draw 2 cards, Player 3 draws 1."), "Under the trump card lay the 9 of spades.", "Trumps are now spades.")),
        ({"taken": True, "drew": (), "out": (), "turned": ("7h", "9h")}, "h", ("Player 2 takes 3 cards.", "Under the trump card lay the 9 of hearts.")),
        ({"taken": True, "drew": (), "out": (), "turned": ("7h",)}, "h", ("Player 2 takes 3 cards.",)),
    ],
)  # fmt: skip
def test_the_end_of_a_bout(end: dict[str, object], trump: str | None, said: tuple[str, ...]) -> None:
    """Who took or that all was beaten, who drew how many, what was turned over, who is out."""
    codes = [Card(text).code for text in ("7c", "8c", "7d")]
    whole = BoutEnd(3, 1, 0, 1, True, (codes[0], codes[2]), (codes[1], -1), SUITS.index("h"), ((0, 2), (2, 1)), (), (2,))
    assert telling.closing(whole._replace(**end), Voice(me=0), trump) == said


def test_many_cards_are_counted_instead_of_named() -> None:
    """A call names four cards at most."""
    hands = ["6d 6h 6c Td Jd", "9d 9h"]
    game = Game.from_position(
        Rules(throw_in_when="any_time"), hands=hands, trump="s", table="7d/8d 7h 7s 7c 8h 8c", attacker=1, throwers_passed=[1]
    )
    assert telling.call(game.view(0), Voice(me=0)) == "You cannot beat these 5 cards: take."
    game = Game.from_position(Rules(), hands=["7d 7h 7s 8d 8h", "9d 9h 9s"], trump="s", table="7c/8c")
    assert telling.call(game.view(0), Voice(me=0)) == "You may throw in a card, or pass."


@EVERY
def test_the_screen_can_name_every_card(code: str) -> None:
    """From the names of ranks and suits and the pattern, a front end makes the same names that Python says."""
    said = screen(code)
    for card in map(Card.of, range(FACES)):
        text = str(card)
        made = said[f"joker.{text}"] if card.is_joker else said["card"].format(rank=said[f"rank.{text[0]}"], of=said[f"of.{text[1]}"])
        assert made == Voice(code).name(card)
    assert said["card.as"].format(card="…", suit=said["suit.h"]) in Voice(code).name(Card("6d=h")).replace(
        Voice(code).name(Card("6d")), "…"
    )


def test_the_words_on_the_screen_are_the_contract() -> None:
    """The accessible names that screen readers, keyboards and tests rely on."""
    said = screen("en")
    assert [said[key] for key in ("region", "hand", "table", "trump", "no_trumps", "beaten", "unbeaten", "name")] == [
        *("Durak table", "Your hand", "Table", "Trump: {suit}", "No trumps"),
        *("{card}, beaten by {by}", "{card}, not beaten", "Player {number}"),
    ]
    buttons = ("take", "pass", "transfer", "show", "swap", "hint", "undo", "redo", "new", "move")
    assert [said[key] for key in buttons] == [
        *("Take", "Pass", "Transfer", "Show trump", "Swap", "Hint", "Undo", "Redo", "New game", "Move"),
    ]
    assert (said["talon.other"], said["discard.one"]) == ("Talon, {count} cards", "Discard pile, {count} card")


@EVERY
def test_a_picture_speaks_its_language(code: str) -> None:
    """It says which language it is in, and its words are that language's."""
    game = Game("teams", seed=3)
    picture = game.picture(0, language=code)
    assert f' lang="{code}" ' in picture.svg == game.svg(0, language=code)
    assert Voice(code).say("screen.name", number=2) in picture.svg
    assert Voice(code).say("picture.me", number=1) in picture.svg
    assert str(picture).startswith(telling.call(game.view(0), Voice(code, me=0)))


def test_what_is_typed_counts_from_0_and_what_is_read_from_1() -> None:
    """A seat is a place in a program's list, and a player somebody at the table."""
    assert Voice(cards="codes").say("deed.take", who=Seat(1)) == "Seat 1 takes."
    assert Voice(cards="signs").say("deed.take", who=Seat(1)) == "Player 2 takes."


def test_nothing_is_swallowed() -> None:
    """A key without words, a fact that is missing, a language or a way that is not there: each is an error that names it."""
    with pytest.raises(KeyError, match=r"'deed\.fly' has no words in 'lt'"):
        Voice("lt").say("deed.fly", who=Seat(0))
    with pytest.raises(KeyError, match="card"):
        Voice().say("deed.throw", who=Seat(0))
    with pytest.raises(TypeError):
        Voice().say("sentence", said=None)
    with pytest.raises(DurakError, match=r"there are no words in 'rus'; there are words in en, lt, ru\. Did you mean 'ru'\?"):
        Voice("rus")
    with pytest.raises(DurakError, match="cards='letters' is no way to name cards; use 'words', 'signs', 'codes'"):
        Voice(cards="letters")
    with pytest.raises(AttributeError, match="it has LANGUAGES, Fact"):
        _ = words.LANGUAGE
    with pytest.raises(DurakError, match="there are no words in 'xx'"):
        Game(seed=1).svg(language="xx")


def test_a_language_is_one_file(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of its own, found by its name, is all that another language takes."""
    text = (
        "from durak_widget.words.en import LANGUAGE as EN\nLANGUAGE = EN._replace(name='Loud', sentences={'deed.take': '{who} TAKES.'})\n"
    )
    (tmp_path / "loud.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(words, "__path__", [*words.__path__, str(tmp_path)])
    monkeypatch.setattr(_language, "_FOLDER", list(words.__path__))
    monkeypatch.delattr(words, "LANGUAGES")
    _language.codes.cache_clear()
    try:
        assert words.LANGUAGES["loud"] == "Loud"
        assert Voice("loud").say("deed.take", who=Seat(1)) == "Player 2 TAKES."
    finally:
        sys.modules.pop("durak_widget.words.loud", None)
        _language.codes.cache_clear()
        _language._found.cache_clear()


def test_a_voice_is_a_value() -> None:
    """Equal voices are equal, and a voice can be kept."""
    assert Voice("ru", cards="signs", me=1) == pickle.loads(pickle.dumps(Voice("ru", cards="signs", me=1))) != Voice("ru")
    assert len({Voice(), Voice("en"), Voice(me=0)}) == 2


def test_a_hint_for_every_verb() -> None:
    """Each move has its imperative."""
    moves = ("attack 7c", "throw 7c", "pass", "beat 7c 9c", "transfer 7c", "show 7c", "take", "swap 7c 9c")
    assert [telling.advice(Move(move), Voice(cards="codes")) for move in moves] == [
        *("Attack with 7c.", "Throw in 7c.", "Pass.", "Beat 7c with 9c.", "Transfer with 7c.", "Show 7c and transfer.", "Take."),
        "Swap 7c and 9c with the talon.",
    ]
