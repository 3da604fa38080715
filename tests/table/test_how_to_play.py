"""Test how to play: six pictures of one real game, with a sentence each in every language."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from durak_widget import Game, Table
from durak_widget.cards import SUIT_SIGNS, SUITS
from durak_widget.i18n import LANGUAGES, get_language
from durak_widget.table.how_to_play import STEPS, build_how_to_play_message, play_example
from support.spoken import is_complete_sentence
from support.tables import record_messages, send_message

every_language = pytest.mark.parametrize("language", LANGUAGES)


def game_at(step: str) -> Game:
    """Return the game of the pictures at one of them; the engine refuses an illegal move."""
    game = play_example()
    game.goto(STEPS[step])
    return game


def drawn_cards(svg: str) -> set[str]:
    """Return the cards that a picture draws face up."""
    return set(re.findall(r'<use href="#how-[a-z]+-(\w\w)"', svg))


def test_each_picture_shows_its_rule() -> None:
    """The same position is accepted without the moves before it, and its last move is an example of the rule."""
    for step in list(STEPS)[:-1]:
        game = game_at(step)
        assert Game.from_position_line(game.position).legal_moves() == game.legal_moves()
        assert game.view(0).history[-1].seat == 0
    opening = game_at("attack")
    opening.goto(0)
    assert opening.actor == 0
    trumps = [(card, seat) for seat, hand in enumerate(opening.hands) for card in hand if card.suit == opening.trump]
    assert min(trumps)[1] == 0  # the lowest trump begins
    [(attacked, beater)] = game_at("beat").view(0).table
    assert beater is not None
    assert (attacked.suit, attacked.suit == opening.trump, attacked < beater) == (beater.suit, False, True)
    [(attacked, beater)] = game_at("trump").view(0).table
    assert beater is not None
    assert attacked.suit != beater.suit == opening.trump
    ranks = "6789TJQKA"
    assert ranks.index(beater.rank) < ranks.index(attacked.rank)
    before_take = game_at("take")
    before_take.goto(before_take.ply - 1)
    assert list(map(str, before_take.legal_moves())) == ["take"]
    throw = game_at("throw")
    assert throw.view(0).history[-1].verb == "throw"
    outcome = game_at("fool").outcome
    assert outcome is not None
    assert outcome.fool == 1


@every_language
def test_the_pictures_show_what_you_see_and_say_it(language: str) -> None:
    """They are well-formed, with every open card, no hidden one, and a text for people who do not see them."""
    message = build_how_to_play_message(language)
    assert len(message["steps"]) == len(STEPS) == 6
    described = set()
    for step, (title, sentence, svg) in zip(STEPS, message["steps"], strict=True):
        view = game_at(step).view(0)
        face_up = [*view.hand, *(card for pair in view.table for card in pair), view.turn_up if view.talon_count else None]
        assert drawn_cards(svg) == {str(card) for card in face_up if card}
        picture = ET.fromstring(svg)  # noqa: S314 - our own picture
        described.add(picture.attrib["aria-label"])
        assert is_complete_sentence(sentence), sentence
        assert title
        for key in (f"how.{step}", f"how.{step}.title"):
            assert key in get_language(language).sentences
    assert len(described) == 6


@every_language
def test_a_sentence_shows_the_symbol_of_each_suit_beside_its_name(language: str) -> None:
    """A newcomer need not know the names."""
    sentences = " ".join(text for _, text, _ in build_how_to_play_message(language)["steps"])
    for letter in SUITS:
        name = get_language(language).suits[letter]["nom"]
        assert f"{name}\N{NO-BREAK SPACE}{SUIT_SIGNS[letter]}" in sentences


@every_language
def test_a_table_sends_the_pictures_in_its_language(language: str) -> None:
    """Waiting bots go on waiting."""
    table = Table("no_trumps", seats={0: "careful", 1: "you"}, seed=7, language=language)
    table._session.wait_for_viewer()
    sent = record_messages(table)
    send_message(table, "how_to_play")
    assert sent == [build_how_to_play_message(language)]
    assert table._session.is_waiting is True
