"""Test the sentences of every language."""

from __future__ import annotations

import html
import pickle
import re
import subprocess
import sys
from dataclasses import fields
from itertools import islice, product
from string import Formatter

import pytest

from durak_widget import Card, DurakError, Game, Rules, i18n
from durak_widget.cards import FACE_COUNT
from durak_widget.engine import narration
from durak_widget.engine.moves import REFUSAL_CODES
from durak_widget.i18n import Rank, Seat, Suit, TranslatableText, Translator, _translation, get_front_end_texts, get_language
from durak_widget.i18n._translation import get_complete_sentences
from durak_widget.rules.option import ChoiceOption
from durak_widget.rules.preset_catalogue import PRESETS
from support.sizes import tried
from support.spoken import EVERY, LATIN, english_text, is_complete_sentence, plural_keys, sentence_keys

NAMINGS = ("words", "signs", "both", "codes")


OPTIONS = {field.name: field.metadata["option"] for field in fields(Rules)}


def rule_keys() -> dict[str, set[str]]:
    """Return the keys of all options, values and presets, with the facts that English uses."""
    found = {}
    for name, option in OPTIONS.items():
        if isinstance(option, ChoiceOption):
            found |= {f"option.{name}.{value}": sentence for value, sentence in option.sentences.items()}
        else:
            cases = {"": option.template, ".zero": getattr(option, "zero_sentence", None), ".none": getattr(option, "none_sentence", None)}
            found |= {f"option.{name}{case}": sentence for case, sentence in cases.items() if sentence is not None}
    for name, preset in PRESETS.items():
        found |= {f"preset.{name}": preset.summary, f"preset.{name}.title": name}
    return {key: {fact for _, fact, _, _ in Formatter().parse(sentence) if fact is not None} - {"s"} for key, sentence in found.items()}


def test_english_texts_of_rules_are_declared_beside_their_options() -> None:
    """The English file has none of them, so each exists once."""
    assert not get_language("en").rules


@EVERY
def test_every_rule_is_described_in_each_language(code: str) -> None:
    """Presets and numbers are whole sentences, the same at the table and after pickling."""
    counted = [Rules(hand_size=n, attack_limit=n, first_bout_limit=n, repetition=n + 1, swaps=n % 5) for n in range(1, 19)]
    for rules in (*map(Rules.preset, Rules.presets()), *counted):
        description, again = rules.explain(code), rules.explain(code)
        assert (
            Rules.presets(code)[rules.name] in description.heading
            if rules.name
            else description.heading == Translator(code).translate("rules.own")
        )
        for heading, rows in description.groups:
            assert heading.endswith(":") or heading == ""
            for name, value, sentence in rows:
                assert getattr(rules, name) == value
                assert is_complete_sentence(sentence), sentence
                assert html.escape(sentence) in description._repr_html_()
        assert html.escape(description.heading) in description._repr_html_()
        assert pickle.loads(pickle.dumps(description)) == again
        assert pickle.loads(pickle.dumps(description))._repr_html_() == again._repr_html_()


@pytest.mark.parametrize(
    ("code", "cards"),
    [
        ("en", ["1 card,", "3 cards,", "11 cards,"]),
        ("ru", ["1 карте,", "3 карты,", "11 карт,"]),
        ("lt", ["1 kortą,", "3 kortas,", "11 kortų,"]),
    ],
)
def test_numbers_in_rules_use_the_right_plural(code: str, cards: list[str]) -> None:
    """Each language has its own plural forms."""
    assert [text for number, text in zip((1, 3, 11), cards, strict=True) if text not in Rules(hand_size=number).explain(code)] == []


def test_a_rule_without_a_translation_is_described_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is in the language, and nothing fails."""
    kept_rules = {key: text for key, text in get_language("ru").rules.items() if key.startswith("option.transfer.")}
    poorer = get_language("ru")._replace(rules=kept_rules)
    monkeypatch.setattr(sys.modules["durak_widget.i18n.ru"], "LANGUAGE", poorer)
    _translation._load_language.cache_clear()
    try:
        rules = Rules.preset("first_bout_five", players=4)
        description = rules.explain("ru")
        russian, english_lines = ({line for line in text.splitlines() if line.startswith("- ")} for text in (description, rules.explain()))
        assert {line.split(":")[0] for line in russian - english_lines} == {
            "- ranks",
            "- transfer",
        }  # ranks have the letters of the language
        assert {line.split(":")[0] for line in russian & english_lines} >= {"- players", "- first_bout_limit"}
        assert description.splitlines()[0] == rules.explain().splitlines()[0]
        assert Translator("ru").translate("rules.unlike") in description
        assert Rules.presets("ru") == Rules.presets()
    finally:
        _translation._load_language.cache_clear()


@pytest.mark.parametrize("sentence", [None, "{farbe} — козырь", "{who", "{0}", "{who.voice}"])
def test_a_sentence_without_a_usable_translation_is_english(monkeypatch: pytest.MonkeyPatch, sentence: str | None) -> None:
    """It is missing or uses an old fact. Python and the page do the same."""
    kept_sentences = {key: text for key, text in get_language("ru").sentences.items() if key not in ("deed.take", "screen.trump")}
    poorer = get_language("ru")._replace(sentences=kept_sentences | ({"deed.take": sentence, "screen.trump": sentence} if sentence else {}))
    monkeypatch.setattr(sys.modules["durak_widget.i18n.ru"], "LANGUAGE", poorer)
    clear_caches()
    try:
        assert Translator("ru").translate("deed.take", who=Seat(1)) == english_text("deed.take", who="Player 2")
        assert get_front_end_texts("ru")["trump"] == get_front_end_texts("en")["trump"]
        assert get_front_end_texts("ru")["hand"] != get_front_end_texts("en")["hand"]
        assert {"deed.take", "screen.trump"} <= {*_translation.list_missing_keys(poorer.sentences, poorer.plurals)}
        assert "ru" in _translation.list_offered_languages()
    finally:
        monkeypatch.undo()
        clear_caches()


@pytest.mark.parametrize(("lacks", "offered"), [(0.04, True), (0.06, False), ("a card", False)])
def test_a_language_is_offered_with_most_sentences_and_all_cards(
    monkeypatch: pytest.MonkeyPatch, lacks: float | str, *, offered: bool
) -> None:
    """Five sentences of a hundred may be missing, but no card name."""
    russian = get_language("ru")
    if isinstance(lacks, str):
        poorer = russian._replace(ranks={rank: forms for rank, forms in russian.ranks.items() if rank != "7"})
    else:
        some = list(russian.sentences.items())
        poorer = russian._replace(sentences=dict(some[int(len(some) * lacks) :]))
    monkeypatch.setattr(sys.modules["durak_widget.i18n.ru"], "LANGUAGE", poorer)
    clear_caches()
    try:
        assert ("ru" in _translation.list_offered_languages()) == offered
    finally:
        monkeypatch.undo()
        clear_caches()


def clear_caches() -> None:
    """Forget every language that was read."""
    for cache in (
        _translation.list_language_codes,
        _translation.list_offered_languages,
        _translation.get_complete_sentences,
        _translation._load_language,
        i18n._build_front_end_texts,
    ):
        cache.cache_clear()


def test_languages_are_loaded_on_demand() -> None:
    """Importing the rules loads none, explaining loads one, and a missing one is refused."""
    code = """
import sys
from durak_widget import Rules
here = lambda: {name.rpartition(".")[2] for name in sys.modules if name.startswith("durak_widget.i18n.")} & {"en", "ru", "lt"}
rules = Rules(players=3)
assert not here(), here()
assert rules.explain("lt") and here() == {"lt"}, here()
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    for ask in (Rules().explain, Rules.presets):
        with pytest.raises(DurakError, match=r"there are no words in 'rus'; there are words in en, lt, ru\. Did you mean 'ru'\?"):
            ask("rus")


@EVERY
def test_counted_texts_for_the_page_have_all_plural_forms(code: str) -> None:
    """The front end chooses forms, so each language needs all, and uses no case."""
    sentences, plurals = get_complete_sentences(code), get_language(code).plurals
    assert [key for key in plural_keys("en") if key.startswith("screen.") for form in plurals if f"{key}.{form}" not in sentences] == []
    asked = [
        key for key, text in get_language(code).sentences.items() if key.startswith(("screen.", "role.")) and ":" in text.partition("{")[2]
    ]
    assert [key for key in asked if re.search(r"\{\w+:", get_language(code).sentences[key])] == []


def test_each_sentence_to_you_has_one_for_others() -> None:
    """Typed-input texts have display texts, too."""
    sentence_facts = sentence_keys("en")
    assert [
        key
        for key in sentence_facts
        if key.endswith((".you", ".typed")) and not key.startswith("screen.") and key.rpartition(".")[0] not in sentence_facts
    ] == []


def test_every_error_code_has_a_sentence() -> None:
    """No sentence of a refusal is without a code."""
    codes = [key.split(".")[1] for key in get_language("en").sentences if key.startswith("refusal.")]
    assert tuple(dict.fromkeys(codes)) == REFUSAL_CODES


SAMPLES = [Card(text) for text in ("7c", "6d=h", "Td", "Jh", "Qs", "Kd", "Ac", "Xr", "Xb")]


JOINTS = {"list", "row", *get_language("en").conjunctions}
NESTED = {"said", "result", "todo", "why", "when", "colour", "trumps", "there", "ways", "draws"}


def make_fact(key: str, name: str, how: str, card: Card, count: int) -> object:
    """Return a fact of that name as the sentence needs it: a card, a seat or a list."""
    if key.startswith(("screen.", "card", "picture.", "table.")) and name not in ("count", "who"):
        return "…"  # names used on their own
    value: object = "…"
    if key.startswith("rules.refused.") and name != "suit":
        value = count
    elif name in ("card", "target", "by", "cards", "unbeaten", "table") or (name == "hand" and how):
        value = card
    elif name in ("who", "actor", "defender", "next", "seats"):
        value = Seat(1)
    elif name == "suit":
        value = Suit(card.suit or "s")
    elif name in ("rank", "ranks"):
        value = Rank(card.rank)
    elif name in ("count", "limit", "number"):
        value = count
    elif name in NESTED:
        value = TranslatableText("call.take")
    return (value, value) if how.partition(" ")[0] in JOINTS else value


@EVERY
@pytest.mark.parametrize("cards", NAMINGS)
@pytest.mark.sample(4)
def test_every_sentence_can_be_formatted(code: str, cards: str) -> None:
    """Test all cards, one and many, you and others. No field is left."""
    sentences = get_language(code).sentences
    for (key, sentence), card, count, me in islice(product(sentences.items(), SAMPLES, (1, 2, 5, 11, 21), (None, 1)), 0, None, tried(7, 1)):
        asked = Formatter().parse(sentence + sentences.get(f"{key}.typed", ""))
        named = {name: make_fact(key, name, how or "", card, count) for _, name, how, _ in asked if name is not None}
        text = Translator(code, cards=cards, own_seat=me).translate(key, **named)
        assert not re.search(r"[{}<>]|  |\.\.", text), (key, text)
        assert text.count("None") == sentence.count("None"), (key, text)  # A fact that is None would add one
        assert text.endswith(".") == sentence.endswith("."), key


def test_russian_is_written_in_cyrillic() -> None:
    """No English is left, except Python and key names."""
    russian = {**get_language("ru").sentences, **get_language("ru").rules}
    left = {
        key: LATIN.findall(re.sub(r"\{[^}]*\}|Python|\b(?:Enter|Shift|Ctrl|JSON|QR)\b", "", sentence)) for key, sentence in russian.items()
    }
    assert {key: words for key, words in left.items() if words} == {}
    assert {
        key
        for key, sentence in russian.items()
        if sentence == get_language("en").sentences.get(key) and re.search("[A-Za-z]", re.sub(r"\{.*?\}", "", sentence))
    } == set()


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", {0: "0 cards", 1: "1 card", 2: "2 cards", 21: "21 cards"}),
        ("ru", {1: "1 карта", 2: "2 карты", 5: "5 карт", 11: "11 карт", 12: "12 карт", 21: "21 карта", 22: "22 карты", 111: "111 карт"}),
        ("lt", {0: "0 kortų", 1: "1 korta", 2: "2 kortos", 5: "5 kortos", 10: "10 kortų", 11: "11 kortų", 21: "21 korta", 22: "22 kortos"}),
    ],
)
def test_cards_are_counted_with_the_right_plural(code: str, forms: dict[int, str]) -> None:
    """Test one, two, five, eleven, twenty-one and twenty-two."""
    assert {count: Translator(code).translate("screen.cards", count=count) for count in forms} == forms


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("ru", {1: "1 карту", 3: "3 карты", 5: "5 карт", 21: "21 карту"}),
        ("lt", {1: "1 kortą", 2: "2 kortas", 11: "11 kortų", 22: "22 kortas"}),
    ],
)
def test_counted_cards_are_in_the_right_case(code: str, forms: dict[int, str]) -> None:
    """Objects are in the accusative, in each plural form."""
    for count, form in forms.items():
        assert re.search(rf"\b{form}\b", Translator(code, own_seat=0).translate("end.taken", who=Seat(0), count=count))


@EVERY
def test_every_number_has_a_plural_form(code: str) -> None:
    """The rule gives only existing forms, and uses each."""
    rule, forms = get_language(code).plural, get_language(code).plurals
    assert {rule(count) for count in range(200)} == set(forms)


@EVERY
def test_the_front_end_can_name_every_card(code: str) -> None:
    """Ranks, suits and the pattern give the same names as in Python."""
    texts = get_front_end_texts(code)
    for card in map(Card.from_code, range(FACE_COUNT)):
        text = str(card)
        name = texts[f"joker.{text}"] if card.is_joker else texts["card"].format(rank=texts[f"rank.{text[0]}"], of=texts[f"of.{text[1]}"])
        assert name == Translator(code).name_card(card)
    assert texts["card.as"].format(card="…", suit=texts["suit.h"]) in Translator(code).name_card(Card("6d=h")).replace(
        Translator(code).name_card(Card("6d")), "…"
    )


def test_accessible_names_on_the_page_do_not_change() -> None:
    """Screen readers, keyboards and tests rely on them."""
    texts = get_front_end_texts("en")
    assert [texts[key] for key in ("region", "hand", "table", "trump", "no_trumps", "beaten", "unbeaten", "name")] == [
        *("Durak table", "Your hand", "Table", "Trump: {suit}", "No trumps"),
        *("{card}, beaten by {by}", "{card}, not beaten", "Player {number}"),
    ]
    buttons = ("take", "pass", "transfer", "show", "swap", "hint", "undo", "redo", "new", "move")
    assert [texts[key] for key in buttons] == [
        *("Take", "Pass", "Transfer", "Show trump", "Swap", "Hint", "Undo", "Redo", "New game", "Move"),
    ]
    assert (texts["talon.other"], texts["discard.one"]) == ("Talon, {count} cards", "Discard pile, {count} card")


@EVERY
def test_a_picture_declares_its_language(code: str) -> None:
    """Its texts are in that language."""
    game = Game("teams", seed=3)
    picture = game.picture(0, language=code)
    assert f' lang="{code}" ' in picture.svg == game.svg(0, language=code)
    assert Translator(code).translate("screen.name", number=2) in picture.svg
    assert Translator(code).translate("picture.me", number=1) in picture.svg
    assert str(picture).startswith(narration.format_call_to_action(game.view(0), Translator(code, own_seat=0)))


def test_seats_are_numbered_from_0_in_code_and_players_from_1() -> None:
    """A seat is an index, a player is a person at the table."""
    assert Translator(cards="codes").translate("deed.take", who=Seat(1)) == english_text("deed.take", who="Seat 1")
    assert Translator(cards="signs").translate("deed.take", who=Seat(1)) == english_text("deed.take", who="Player 2")


def test_missing_texts_and_facts_raise_errors() -> None:
    """Test keys, facts, languages and card styles; the error names each."""
    with pytest.raises(KeyError, match=r"'deed\.fly' has no words for who"):
        Translator("lt").translate("deed.fly", who=Seat(0))
    with pytest.raises(KeyError, match="card"):
        Translator().translate("deed.throw", who=Seat(0))
    with pytest.raises(TypeError):
        Translator().translate("sentence", said=None)
    with pytest.raises(DurakError, match=r"there are no words in 'rus'; there are words in en, lt, ru\. Did you mean 'ru'\?"):
        Translator("rus")
    with pytest.raises(DurakError, match="cards='letters' is no way to name cards; use 'words', 'signs', 'both', 'codes'"):
        Translator(cards="letters")
    with pytest.raises(AttributeError, match=r"it has .*LANGUAGES, Language, "):
        _ = i18n.LANGUAGE
    with pytest.raises(DurakError, match="there are no words in 'xx'"):
        Game(seed=1).svg(language="xx")


def test_a_language_is_one_file(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found by its name, and nothing else is needed."""
    text = "from durak_widget.i18n.en import LANGUAGE as EN\nloud = {**EN.sentences, 'deed.take': '{who} TAKES.'}\nLANGUAGE = EN._replace(name='Loud', sentences=loud)\n"
    (tmp_path / "loud.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(i18n, "__path__", [*i18n.__path__, str(tmp_path)])
    monkeypatch.setattr(_translation, "_LANGUAGE_FOLDERS", list(i18n.__path__))
    monkeypatch.delattr(i18n, "LANGUAGES")
    _translation.list_language_codes.cache_clear()
    _translation.list_offered_languages.cache_clear()
    try:
        assert i18n.LANGUAGES["loud"] == "Loud"
        assert Translator("loud").translate("deed.take", who=Seat(1)) == "Player 2 TAKES."
    finally:
        sys.modules.pop("durak_widget.i18n.loud", None)
        _translation.list_language_codes.cache_clear()
        _translation.list_offered_languages.cache_clear()
        _translation._load_language.cache_clear()


def test_a_translator_is_a_value() -> None:
    """Equal ones compare equal, and can be pickled."""
    assert (
        Translator("ru", cards="signs", own_seat=1)
        == pickle.loads(pickle.dumps(Translator("ru", cards="signs", own_seat=1)))
        != Translator("ru")
    )
    assert len({Translator(), Translator("en"), Translator(own_seat=0)}) == 2


@pytest.mark.parametrize(("code", "sentence"), [("en", "Better: take."), ("ru", "Лучше: берите."), ("lt", "Geriau: imkite.")])
def test_advice_inside_a_sentence_has_no_capital_letter(code: str, sentence: str) -> None:
    """It can be its own sentence or the end of one."""
    voice = Translator(code)
    assert voice.translate("review.better", said=TranslatableText("advice.take")) == sentence
    advice = voice.translate("advice.take")
    assert advice[0].isupper()
    for key in ("table.coach.won", "table.coach.draw", "hint.reason.gives", "hint.reason.loses"):
        assert voice.translate(key, said=TranslatableText("advice.take")).endswith((f": {advice.lower()}", f", {advice.lower()}"))
