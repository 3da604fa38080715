"""Test boards opened by links: contents, refusals, and that stored data equals what Python sends."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from durak_widget import gametheory
from durak_widget.i18n import LANGUAGES, get_language
from durak_widget.web.blackboard_page import CHANNEL_NAME, BoardLink, BoardVisit, format_board_link
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import LinkError
from support.spoken import english

SMALL = "rules=suits=cd, ranks=67, hand_size=1, trump=c, first_attacker=left_of_dealer&dealer=1"


def test_a_link_opens_the_named_board():
    """Test textbook games, positions and all deals; trees and matrices; the unfolded part."""
    for link, shape in [
        ("game=kuhn", "<Tree of 55 histories, 19 shown>"),
        ("game=kuhn&depth=1", "<Tree of 55 histories, 7 shown>"),
        ("game=outside-option&as=matrix", "<Matrix: 3 × 2>"),
        ("position=6c 8d | 7c 9h; trump h&open_hands=yes&depth=1", "<Tree of 13 histories, 3 shown>"),
        (SMALL, "<Tree of 179 histories, 78 shown>"),
        (f"{SMALL}&open_hands=yes&depth=0", "<Tree of 191 histories, 1 shown>"),
    ]:
        assert repr(BoardLink.from_text(f"#{link}").build_board()) == shape


def test_a_link_sets_the_display():
    """Test direction, language, and exact solutions with values."""
    view = BoardLink.from_text("#game=myerson&solved=yes&values=yes&direction=down&language=ru").build_board("lt")
    assert (view.solution.value, view.values, view.direction, view.language) == (Fraction(1, 3), True, "down", "ru")
    assert BoardLink.from_text("#game=myerson").build_board("lt").language == "lt"
    assert len(BoardLink.from_text("#game=horse&solved=yes").build_board().answer_view["equilibria"]) == 2


def test_without_a_game_the_page_lists_the_textbook_games():
    """An address without a game is not refused. Games have names in every language."""
    messages = []
    CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
    BoardVisit().handle_message({"kind": "begin", "link": "", "language": "en"})
    CHANNEL.clear()
    assert [message for message in messages if message["kind"] == "notice"] == []
    with pytest.raises(LinkError) as refused:
        BoardLink.from_text("#game=none")
    books = set(str(refused.value).partition("there are ")[2].split(", "))
    for code in LANGUAGES:
        named = {key.removeprefix("page.game.") for key in get_language(code).sentences if key.startswith("page.game.")}
        assert named == books


def test_a_gambit_file_can_be_sent_by_link():
    """It is the same game again."""
    for name in ["kuhn", "horse", "driver"]:
        tree = gametheory.textbook(name)
        assert BoardLink.from_text(format_board_link(gametheory.to_efg(tree))).tree == tree


LONG_NUMBERS = 'EFG 2 R "x" { "a" "b" }\nc "" 1 "" { "l" 1e-999 "r" 1 } 0\nt "" 1 "" { 1 -1 }\n' + 'c "" 1 0\nt "" 1\n' * 100 + 't "" 1\n'
"""A short file whose numbers grow with each chance move."""
MANY_PLANS = gametheory.to_efg(
    gametheory.build_tree(
        (),
        lambda way: (
            gametheory.TerminalNode((sum(way) % 5, -(sum(way) % 5)))
            if len(way) == 6
            else gametheory.DecisionNode(len(way) % 2, (len(way), way[:-1] if way else ()), [(str(n), (*way, n)) for n in range(3)])
        ),
        player_count=2,
    )
)
"""A thousand histories and a huge number of strategies."""


REFUSED = [
    ("", "link to a blackboard.*game, efg, position, rules"),
    ("game=kuhn&position=6c | 7c", "one of game, efg"),
    ("game=kuhm", "no textbook game 'kuhm'"),
    ("gam=kuhn", "a link has no 'gam'. Did you mean 'game'?"),
    ("game=kuhn&depth=-1", "depth .*'-1'"),
    ("game=kuhn&depth=1000", "a small number"),
    ("game=kuhn&as=list", "as .*'list'"),
    ("game=kuhn&solved=maybe", "solved .*'maybe'"),
    ("game=kuhn&language=de", "language .*'de'"),
    ("game=entry&as=matrix&depth=3", "depth.*blackboard"),
    ("game=kuhn&dealer=1", "dealer.*blackboard"),
    ("game=kuhn&open_hands=yes", "open_hands"),
    (format_board_link(LONG_NUMBERS)[1:] + "&solved=yes", "numbers of more than 12 digits"),
    (format_board_link(MANY_PLANS)[1:] + "&solved=yes", "too large"),
    (format_board_link(MANY_PLANS)[1:] + "&as=matrix", "too large.*matrix"),
    ("game=horse&as=matrix", english("matrix.two.other", count="3")),
    ("rules=", "and the limit is 20,000"),
    ("efg=nonsense", "cut short"),
    (format_board_link("EFG 3 R")[1:], r"line 1: an \.efg file.*EFG 2 R"),
    ("position=6c", "position is one line,"),
]


def test_invalid_links_are_refused():
    """Test bad links, games and display settings."""
    for link, why in REFUSED:
        with pytest.raises(LinkError, match=why):
            BoardLink.from_text(link).build_board()


def test_a_visit_opens_one_board_after_another():
    """The old one is closed. An invalid link keeps it, with a message in the visitor's language."""
    messages = []
    CHANNEL.clear()
    CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
    visit = BoardVisit()

    def say(**message):
        CHANNEL.receive(json.dumps({"id": CHANNEL_NAME, **message}))

    say(kind="begin", link="#game=kuhn&depth=1", language="lt", files={})
    first = visit.board
    assert first.language == "lt"
    say(kind="link", link="#game=nothing")
    assert visit.board is first
    assert messages[-1]["text"].startswith("Nuorodos atverti negalima. Vadovėlių žaidimo „nothing“")
    say(kind="link", link="#game=entry&as=matrix")
    assert (repr(visit.board), first.comm) == ("<Matrix: 2 × 2>", None)
    CHANNEL.clear()
