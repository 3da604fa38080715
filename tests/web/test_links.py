"""Test links: they open a table or are refused with a message, and nothing else."""

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


def pack_text(text):
    """Return a text packed as in a link."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")


def test_each_link_opens_the_named_table():
    """Test rules, deals, players, positions and languages. An empty link gives the default page."""
    assert TableLink.from_text("") == TableLink.from_text("#") == TableLink()
    assert TableLink.from_text("#language=lt").language == "lt"
    assert TableLink.from_text("#rules=perevodnoy&seed=7").game.hands == Game("perevodnoy", seed=7).hands
    assert TableLink.from_text("#rules=&seed=a word").game.hands == Game(seed="a word").hands
    assert TableLink.from_text("#rules=transfer,%20players=3&seats=you,uncle,careful").seats == ("you", "uncle", "careful")
    assert TableLink.from_text(f"#position={quote('6c 7c | 9h Ts; trump h')}").game.trump == "h"


@given(rules=anything, seed=seeds, plies=st.integers(0, 60))
def test_a_shared_game_is_the_same_game(rules, seed, plies):
    """The same moves lead to the same cards, at any moment."""
    game = Game(rules, seed=seed)
    for _ in range(plies):
        if game.outcome is not None:
            break
        game.play(game.legal_moves()[0])
    found = TableLink.from_text(f"{format_link(game)}&seats=you&language=ru")
    assert str(found.game) == str(game)
    assert (found.seats, found.language) == (("you",), "ru")
    assert TableLink.from_text(format_link(rules)).game.rules == rules


def test_each_preset_can_be_opened_by_its_name():
    """So its page in the docs links to a table."""
    for name in Rules.presets():
        assert TableLink.from_text(f"#rules={name}").game.rules == Rules.preset(name)


def test_a_whole_game_is_a_short_link():
    """It fits into a message."""
    game = bots.play(Game(seed=7), ["careful", "careful"], 7)
    assert len(format_link(game)) < 700


@cache
def zip_bomb():
    """Return a few bytes that would fill the memory."""
    return pack_text("Durak 1\n" + " " * 20_000_000)


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
def hostile_links():
    """Return links that must be refused."""
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
                pack_text("Durak 9"),
                pack_text(""),
                pack_text("Durak 1\nRules: podkidnoy"),
                zip_bomb()[:20_000],
            )
        ),
        *(
            f"#game={pack_text(text)}"
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
        "#game=" + pack_text("Durak 1\nRules: podkidnoy, players=3\nDealer: 7\n"),
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
        "#game=" + pack_text("Durak 1\nRules: podkidnoy\nDealer: 0\nDeck: " + "6c " * 36 + "\n"),
        "#__init__=1&__class__=2",
        "#rules=podkidnoy&seed=\u0661\u0662&seats=constructor",
    ]


def test_invalid_links_are_refused_with_a_short_message():
    """It names only what was written, and says what would be right."""
    for link in hostile_links():
        with pytest.raises(LinkError) as refused:
            TableLink.from_text(link)
        sentence = str(refused.value)
        assert 10 < len(sentence) < 700
        assert "\n" not in sentence or "line" in sentence
        assert "Traceback" not in sentence


def test_refusals_are_in_the_page_language():
    """They are short, without technical words, long quotes or invisible characters."""
    for link in hostile_links():
        for language in LANGUAGES:
            with pytest.raises(LinkError) as refused:
                TableLink.from_text(link)
            sentence = refused.value.to_text(Translator(language))
            assert 10 < len(sentence) < 200
            assert sentence.isprintable()
            assert sentence.endswith((".", "?"))
            for code in ("()", "Rules.", "line 1", *(() if language == "en" else ("Did you mean",))):
                assert code not in sentence


@given(st.text(max_size=200))
def test_any_text_opens_a_table_or_is_refused(text):
    """Test arbitrary text after the # sign."""
    try:
        found = TableLink.from_text("#" + text)
    except LinkError:
        return
    assert found.game is None or isinstance(found.game, Game)


def test_oversized_games_are_not_unpacked():
    """A few bytes could fill the memory."""
    assert len(zip_bomb()) > 20_000
    with pytest.raises(LinkError, match="cut short"):
        TableLink.from_text("#game=" + pack_text("Durak 1\n" + " " * 2_000_000))


def test_missing_players_are_filled_with_careful_bots():
    """The rules set the number of players."""
    assert TableLink.from_text("#rules=transfer,players=4&seats=you,uncle").seats == ("you", "uncle")
    with pytest.raises(LinkError, match=r"3.*2"):
        TableLink.from_text(f"{format_link(Rules())}&seats=you,aunt,uncle")
