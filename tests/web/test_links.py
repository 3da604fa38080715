"""What a link says is read strictly: it opens a table, or a sentence says why not, and never anything else."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from functools import cache
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Game, Rules, bots
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.web.share_links import LinkError, TableLink, format_link
from support.mixes import anything, seeds


def packed(text):
    """As a link packs it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")


def test_each_link_lays_what_it_says():
    """Rules, a deal, who sits where, a position, a language; nothing at all is the page as it is."""
    assert TableLink.from_text("") == TableLink.from_text("#") == TableLink()
    assert TableLink.from_text("#language=lt").language == "lt"
    assert TableLink.from_text("#rules=perevodnoy&seed=7").game.hands == Game("perevodnoy", seed=7).hands
    assert TableLink.from_text("#rules=&seed=a word").game.hands == Game(seed="a word").hands
    assert TableLink.from_text("#rules=transfer,%20players=3&seats=you,uncle,careful").seats == ("you", "uncle", "careful")
    assert TableLink.from_text(f"#position={quote('6c 7c | 9h Ts; trump h')}").game.trump == "h"


@given(rules=anything, seed=seeds, plies=st.integers(0, 60))
def test_a_game_that_is_shared_is_the_game(rules, seed, plies):
    """However it was played, and wherever it stands: the same moves lead to the same cards."""
    game = Game(rules, seed=seed)
    for _ in range(plies):
        if game.outcome is not None:
            break
        game.play(game.legal_moves()[0])
    found = TableLink.from_text(f"{format_link(game)}&seats=you&language=ru")
    assert str(found.game) == str(game)
    assert (found.seats, found.language) == (("you",), "ru")
    assert TableLink.from_text(format_link(rules)).game.rules == rules


def test_each_preset_is_opened_by_its_name():
    """So its page in the docs leads to a table."""
    for name in Rules.presets():
        assert TableLink.from_text(f"#rules={name}").game.rules == Rules.preset(name)


def test_a_whole_game_is_a_short_link():
    """It may be sent in a message."""
    game = bots.play(Game(seed=7), ["careful", "careful"], 7)
    assert len(format_link(game)) < 700


@cache
def bomb():
    """A few bytes that would fill the memory."""
    return packed("Durak 1\n" + " " * 20_000_000)


NAMES = [
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "../../etc/passwd",
    "you;rm -rf",
    "\x00",
    "ﬁrst",
    "YOU",
    "careful ",
    "__class__",
]
SEEDS = ["9" * 5000, "-1" * 80, "🂡" * 101]
POSITIONS = [
    "6c",
    "6c 7c | 9h Ts; trump x",
    "6c 6c | 6c",
    "| | | | | | | |",
    "6c 7c | 9h; trump h; limit 99999999999999999999",
    "6c\u202e | 9h; trump h",
    "podkidnoy; " * 500,
]
RULES = [
    "podkidno",
    "players=99",
    "transfer, transfer",
    "rules=rules",
    "podkidnoy, deck=<b>",
    "podkidnoy" * 300,
    "players=2 if 1 else 3",
    "__import__('os')",
]


@cache
def hostile():
    """Return the links that open nothing."""
    return [
        *(f"#seats=you,{quote(name)}" for name in NAMES),
        *(f"#rules=podkidnoy&seed={quote(seed)}" for seed in SEEDS),
        *(f"#position={quote(position)}" for position in POSITIONS),
        *(f"#rules={quote(rules)}" for rules in RULES),
        *(f"#language={quote(code)}" for code in ("de", "EN", "<b>", "", "en,lt")[:3]),
        *(f"#{quote(name)}=1" for name in NAMES),
        *(
            f"#game={text}"
            for text in (
                "x",
                "AAAA",
                "====",
                "%00",
                "é",
                packed("Durak 9"),
                packed(""),
                packed("Durak 1\nRules: podkidnoy"),
                bomb()[:20_000],
            )
        ),
        *(
            f"#game={packed(text)}"
            for text in ("Durak 1\nRules: podkidnoy\nDealer: 0\nDeck: 6c\n", "Durak 1\n" * 1000, "6c | 7c; trump z", "\ud7ff" * 9)
        ),
        "#seed=7",
        "#rules=podkidnoy&rules=transfer",
        "#rules=podkidnoy&position=6c|7c;trump h",
        "#rules=podkidnoy&game=AAAA",
        "#seats=you,you,you",
        "#seats=" + ",".join(["you"] * 5000),
        "#seats=",
        "#" + "a" * 30_000,
        "#" + "&" * 3000,
        "#" + "a=1&" * 3000,
        "#=",
        "#&",
        "#%",
        "#%ff=%fe",
        "#rules",
        "#rules=%ff",
        "#<img src=x onerror=alert(1)>",
        "#javascript:alert(1)",
        "##",
        "#rules=podkidnoy#seed=7",
        "#\x00",
        "#rules=podkidnoy;seed=7",
        "#position=" + "6c ".replace(" ", "%20") * 3000,
        "#constructor=1",
        "#__proto__=1",
        "#toString",
        "#rules=podkidnoy&seed=7&seed=8",
        "#Rules=podkidnoy",
        "#rules =podkidnoy",
        "#language=en&language=lt",
        "#rules=podkidnoy&seats=you,uncle,aunt",
        "#position=6c%0a7c",
        "#game=" + packed("Durak 1\nRules: podkidnoy, players=3\nDealer: 7\n"),
        "#seats=you%2Cnobody",
        "#seats=next,%F0%9F%82%A1",
        "#rules=podkidnoy&seed=" + "7" * 101,
        "#rules=%00",
        "#rules=podkidnoy, players=" + "9" * 400,
        "#rules=podkidnoy, deck=36, deck=52",
        "#rules=' or 1=1 --",
        "#rules=data:text/html,<script>alert(1)</script>",
        "#seats=you,\u202euncle",
        "#seats=you," + "a" * 15_000,
        "#language=../../etc",
        "#position=6c 7c | 9h Ts; trump h; attacker 9",
        "#position=" + quote("6c 7c | 9h Ts; trump h; <svg onload=alert(1)>"),
        "#game=" + "A" * 19_000,
        "#game=" + packed("Durak 1\nRules: podkidnoy\nDealer: 0\nDeck: " + "6c " * 36 + "\n"),
        "#__init__=1&__class__=2",
        "#rules=podkidnoy&seed=\u0661\u0662&seats=constructor",
    ]


def test_whatever_else_a_link_says_is_refused_in_a_sentence():
    """One that is not too long to be read, names nothing but what was written, and says what would be right."""
    for link in hostile():
        with pytest.raises(LinkError) as refused:
            TableLink.from_text(link)
        said = str(refused.value)
        assert 10 < len(said) < 700
        assert "\n" not in said or "line" in said
        assert "Traceback" not in said


def test_who_opens_it_is_told_why_in_the_language_of_the_page():
    """In short, and without a word of programs; nothing that somebody wrote is repeated at length, or as signs that cannot be seen."""
    for link in hostile():
        for language in LANGUAGES:
            with pytest.raises(LinkError) as refused:
                TableLink.from_text(link)
            told = refused.value.to_text(Translator(language))
            assert 10 < len(told) < 200
            assert told.isprintable()
            assert told.endswith(".")
            for code in ("()", "Rules.", "line 1", "Did you mean"):
                assert code not in told


@given(st.text(max_size=200))
def test_no_text_is_anything_but_a_table_or_a_sentence(text):
    """Whatever stands behind the sign."""
    try:
        found = TableLink.from_text("#" + text)
    except LinkError:
        return
    assert found.game is None or isinstance(found.game, Game)


def test_no_game_is_unpacked_that_is_larger_than_any():
    """A few bytes that would fill the memory."""
    assert len(bomb()) > 20_000
    with pytest.raises(LinkError, match="perhaps it was cut short"):
        TableLink.from_text("#game=" + packed("Durak 1\n" + " " * 2_000_000))


def test_seats_are_as_many_as_the_rules_have():
    """Fewer than that are filled with who plays carefully."""
    assert TableLink.from_text("#rules=transfer,players=4&seats=you,uncle").seats == ("you", "uncle")
    with pytest.raises(LinkError, match="names 3 seats, and there are 2"):
        TableLink.from_text(f"{format_link(Rules())}&seats=you,aunt,uncle")
