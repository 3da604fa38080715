"""Test the letters that cards show, and that files and codes don't depend on them."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import durak_widget
from durak_widget import Card, CardSet, Game, IllegalMove, Move, Rules, Table, lessons
from durak_widget.analysis import build_game_tree
from durak_widget.board import Tree
from durak_widget.cards import SUIT_SIGNS
from durak_widget.econ431.endgame_positions import format_cards
from durak_widget.engine.table_svg import Picture, render_card_row
from durak_widget.errors import DurakError
from durak_widget.i18n import (
    CARD_LETTER_CHOICES,
    CARD_LETTERS,
    LANGUAGES,
    TranslatableText,
    Translator,
    find_ambiguous_ten,
    get_front_end_texts,
)
from durak_widget.rules.rules_form import build_field
from durak_widget.table.how_to_play import build_how_to_play_message
from durak_widget.table.message_handlers import build_share_message
from durak_widget.web.share_links import format_link
from support.spoken import english
from support.tables import record_messages, send_message

ALL_CARDS = [Card.from_code(code) for code in range(54)]
TEXT_STYLE = "\ufe0e"


@pytest.fixture(autouse=True)
def _reset_defaults():
    """Reset all default settings, for other tests."""
    yield
    durak_widget.defaults(None)


def test_each_language_has_its_letters() -> None:
    """Cards show the first letters of their names; the ten is always 10."""
    signs = {code: [Translator(code, cards="signs").name_card(Card(f"{rank}h")) for rank in "9TJQKA"] for code in LANGUAGES}
    assert [sign.replace(f"♥{TEXT_STYLE}", "") for sign in signs["ru"]] == ["9", "10", *"ВДКТ"]
    assert [sign.replace(f"♥{TEXT_STYLE}", "") for sign in signs["lt"]] == ["9", "10", *"BDKT"]
    assert [sign.replace(f"♥{TEXT_STYLE}", "") for sign in signs["en"]] == ["9", "10", *"JQKA"]


@pytest.mark.parametrize("choice", CARD_LETTERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_pictures_and_the_page_have_the_same_letters(language: str, choice: str) -> None:
    """Whatever the language is, the setting decides; screen readers say the name of the card."""
    game = Game.from_position(hands=["8c Qh", "9h Ts"], trump="h", table="Ac", attacker=1)
    table = Table(game, language=language, card_letters=choice)
    letters = CARD_LETTERS[choice]
    assert {rank: table.words[f"letter.{rank}"] for rank in "TJQKA"} == letters
    shown, spoken = table.scene["call_to_action"]
    assert f"{letters['A']}♣" in shown
    assert "♣" not in spoken
    assert letters["A"] not in spoken.split()
    own, other = (Picture(game.view(0), language=language, card_letters=name).svg for name in (choice, "international"))
    assert (own == other) == (choice == "international")
    assert (
        build_share_message(table._session)["picture"]
        == Picture(table._session.build_view(), language=language, card_letters=choice, names=table._session.players.named_opponents).svg
    )


def test_a_setting_applies_at_once() -> None:
    """The page gets new words and a new scene; tables made later start with the default."""
    game = Game.from_position(hands=["8c Qh", "9h Ts"], trump="h", table="Kc", attacker=1)
    table = Table(game, language="ru")
    assert "К♣" in table.scene["call_to_action"][0]
    table.card_letters = "international"
    assert table.words["letter.K"] == "K"
    assert "K♣" in table.scene["call_to_action"][0]
    assert "короля" in table.scene["call_to_action"][1]
    durak_widget.defaults(card_letters="lithuanian")
    assert Table(game).words["letter.Q"] == get_front_end_texts("en")["letter.Q"] == "D"
    assert Translator("ru", cards="signs").name_card(Card("Ah")) == f"T♥{TEXT_STYLE}"


def test_trees_have_the_letters_of_their_language() -> None:
    """Names and pictures of a tree agree. LaTeX pictures show international letters on cards, which every font has."""
    view = Tree(build_game_tree(Rules(suits="c", ranks="JQA", hand_size=1)), language="ru", depth=5)
    for choice, shown, hidden in (("auto", "Д", "Q"), ("international", "Q", "Д"), ("lithuanian", "D", "Q")):
        view.card_letters = choice
        assert view.words["letter.Q"] == shown
        assert f">{shown}</text>" in view.svg()
        assert f">{hidden}</text>" not in view.svg()
        assert f"{shown}♣" in str(view)
        assert f"{hidden}♣" not in str(view)
        assert "{Q};" in view.tikz()


def test_rules_name_ranks_as_cards_show_them() -> None:
    """The form and the explanation agree."""
    assert ("TJQKA", "10 В Д К Т") in build_field("ranks", "TJQKA", "ru").offers
    assert "10 В Д К Т" in str(Rules(ranks="TJQKA").explain("ru"))


def test_the_rules_panel_of_a_table_has_its_letters() -> None:
    """A table's own setting holds for its rules too, and only there."""
    table = Table(language="ru", card_letters="international")
    sent = record_messages(table)
    send_message(table, "draft", draft={})
    text = json.dumps(sent, ensure_ascii=False)
    assert "10 J Q K A" in text
    assert "10 В Д К Т" not in text
    assert "10 В Д К Т" in str(Rules().explain("ru"))


def test_data_of_questions_has_the_same_letters_everywhere() -> None:
    """They are stored once. A sentence shows them with the letters of its language."""
    durak_widget.defaults(card_letters="russian")
    data = format_cards(["Kh", "Jd", "Ts"])
    assert data.replace(TEXT_STYLE, "") == "K♥ J♦ 10♠"
    durak_widget.defaults(None)
    text = TranslatableText("sentence", {"said": data})
    assert Translator("ru").translate(text.key, **text.facts).replace(TEXT_STYLE, "") == "К♥ В♦ 10♠."
    assert Translator("en").translate(text.key, **text.facts).replace(TEXT_STYLE, "") == "K♥ J♦ 10♠."
    assert Translator("ru").translate("sentence", said="USA ♠, WJ♠ and A") == "USA ♠, WJ♠ and A."  # These are no cards


@given(
    seed=st.integers(0, 10**6),
    moves=st.integers(0, 60),
    language=st.sampled_from([*LANGUAGES]),
    choice=st.sampled_from(CARD_LETTER_CHOICES),
)
def test_files_links_and_codes_do_not_depend_on_letters(seed: int, moves: int, language: str, choice: str) -> None:
    """Whatever the user reads, a game is written with the same bytes, and read again."""
    game, rng = Game("transfer", seed=seed), random.Random(seed)
    for _ in range(moves):
        if game.outcome:
            break
        game.play(rng.choice(game.legal_moves()))
    durak_widget.defaults(None)
    expected = _write(game)
    durak_widget.defaults(language=language, card_letters=choice)
    assert _write(game) == expected
    message = build_share_message(Table(game.copy(), hands="open")._session)
    assert message["game"] == expected[0]
    assert Game.parse(expected[0]).moves == game.moves


def _write(game: Game) -> list[str]:
    """Return a game in all forms in which it is written."""
    moves = [str(move) for move in game.legal_moves()]
    return [str(game), game.position, format_link(game), repr(game.hands), *moves, *map(str, game.moves)]


@given(
    card=st.sampled_from(ALL_CARDS), language=st.sampled_from([*LANGUAGES]), choice=st.sampled_from(["auto", "international", "russian"])
)
def test_a_card_can_be_typed_as_it_is_written(card: Card, language: str, choice: str) -> None:
    """The text of a card on the screen is the same card when it is typed, in either case."""
    if card.is_joker:
        return
    text = Translator(language, cards="signs", card_letters=choice).name_card(card)
    assert Card(text) is Card(text.lower()) is card


@given(card=st.sampled_from([card for card in ALL_CARDS if card.rank != "A"]))
def test_lithuanian_letters_can_be_typed_except_for_the_ace(card: Card) -> None:
    """The Latin T is the ten in every file, so the ace is typed as A."""
    if not card.is_joker:
        assert Card(Translator("lt", cards="signs", card_letters="lithuanian").name_card(card)) is card
    assert Card("Ts") is Card("10s")


def test_russian_letters_and_suits_can_be_typed() -> None:
    """Each suit has its Russian initial; the Cyrillic letter that looks like T is the ace."""
    assert [str(Card(text)) for text in ("Тт", "дб", "Кч", "вп", "10п")] == ["Ac", "Qd", "Kh", "Js", "Ts"]
    assert Move("beat 9♠ Т♠") is Move("beat 9s As") is not Move("beat 9♠ T♠")
    assert str(CardSet("В♣, Дb".replace("b", "б"))) == "Jc Qd"
    for text in ("Ж♠", "ВД", "Ю", "Т", "Bx", "D"):
        with pytest.raises(DurakError):
            Card(text)


def test_an_ambiguous_ten_is_refused_with_both_ways_to_write_it() -> None:
    """With T on the aces, a typed T would be a guess. Python's own moves are codes and are clear."""
    game = Game.from_position(hands=["Ts Kc As", "Ad Qs"], trump="h", talon="9h")
    start = game.copy()
    table = Table(game, language="lt", card_letters="lithuanian")
    with pytest.raises(IllegalMove, match=english("refusal.unreadable.ten", text="Ts", ten="10s", ace="As")) as refused:
        table.play("attack Ts")
    assert refused.value.code == "unreadable"
    assert "dešimtukas" in refused.value.refusal.to_text(Translator("lt"))
    assert not table.game.moves
    table.play(Move("attack Ts"))
    assert [str(move) for move in table.game.moves] == ["attack Ts"]
    for settings in ({"language": "ru"}, {"language": "lt", "card_letters": "international"}):
        table = Table(start.copy(), **settings)
        table.play("attack Ts")
        assert table.game.moves


def test_a_typed_ten_is_the_ace_if_only_the_ace_is_legal() -> None:
    """Nothing has to be asked if only one card can be played."""
    for hand, move in (("Ts Kc", "attack Ts"), ("As Kc", "attack As")):
        table = Table(Game.from_position(hands=[hand, "Ad Qs"], trump="h", talon="9h"), language="lt")
        table.play("attack Ts")
        assert [str(played) for played in table.game.moves] == [move]


def test_a_verb_is_no_ambiguous_card() -> None:
    """The first letters of `throw` are those of a ten of hearts."""
    assert find_ambiguous_ten("throw Kc", CARD_LETTERS["lithuanian"]) == {}
    game = Game.from_position(hands=["Ts As Kc", "Qs Ks"], trump="h", table="Td/Ad", attacker=0, talon="9h 8h")
    with pytest.raises(IllegalMove, match=english("refusal.unreadable.ten", text="Ts", ten="10s", ace="As")):
        Table(game, language="lt").play("throw Ts")


def test_how_to_play_has_the_letters_of_the_table() -> None:
    """The pictures differ where the letters differ."""
    pictures = {choice: str(build_how_to_play_message("ru", choice)["steps"]) for choice in ("", "russian", "international")}
    assert pictures[""] == pictures["russian"] != pictures["international"]


def test_homework_refuses_an_ambiguous_ten_too(tmp_path) -> None:
    """A wrong guess would cost points. Answers with T are accepted where cards show A for the ace."""
    homework = lessons.homework("econ431", student="Ann", folder=tmp_path)
    index = next(n for n, question in enumerate(homework.assignment.questions) if question.kind == "pick")
    answer = homework.assignment.create_exercise(index + 1, "Ann").solution
    durak_widget.defaults(card_letters="lithuanian")
    with pytest.raises(DurakError, match=english("refusal.unreadable.ten", text="Th", ten="10h", ace="Ah")):
        homework.answer(index + 1, ["Th"])
    homework.answer(index + 1, [card.replace("T", "10") for card in answer])
    assert homework[index + 1].last_answer == answer
    durak_widget.defaults(None)
    homework.answer(index + 1, answer)
    assert homework[index + 1].last_answer == answer


def test_a_row_of_cards_has_its_letters() -> None:
    """Two rows that differ only in their letters share no ids, so one page can show both."""
    rows = [render_card_row([Card("Qd")], language=language) for language in ("en", "ru")]
    assert rows[0] != rows[1]
    ids = [set(re.findall(r'id="([^"]+)"', Picture(Game(seed=7).view(0), language="ru", card_letters=name).svg)) for name in CARD_LETTERS]
    assert not set.intersection(*ids)


def test_unknown_letters_are_refused() -> None:
    """The error names the choices."""
    with pytest.raises(DurakError, match="card_letters='greek': use 'auto', 'international'"):
        Translator(card_letters="greek")
    assert set(SUIT_SIGNS.values()) == set("♣♦♥♠")
