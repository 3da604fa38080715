"""Test the static picture: it shows only what the seat may know, as text and as a self-contained SVG."""

from __future__ import annotations

import re
from base64 import b64decode
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from durak_widget import Game, Rules
from durak_widget.cards import SUITS, Card
from durak_widget.engine import card_svg
from durak_widget.engine.narration import format_call_to_action
from durak_widget.engine.table_svg import DARK_COLORS, LIGHT_COLORS, Picture
from durak_widget.i18n import Translator
from support.mixes import mixes, played, presets, seeds
from support.spoken import english_text

PLACED = re.compile(r'href="#\w+(?<!Pip[cdhs])" transform="translate\(([-.\d]+) ([-.\d]+)\)scale\(([.\d]+)\)"')


def parsed_svg(picture: Picture) -> ET.Element:
    """Return the elements of a picture."""
    return ET.fromstring(picture.svg)  # noqa: S314 - what this project has written


def card_heights(picture: Picture) -> dict[str, float]:
    """Return how high each card of the viewer's hand is, read from the end of the picture."""
    hand = picture.svg.rpartition("<text")[2]
    prefix = re.search(r'<title id="(\w+)title"', picture.svg)[1]
    return {card: float(y) for card, y in re.findall(rf'#{prefix}(\w+)" transform="translate\([-.\d]+ ([-.\d]+)', hand)}


@given(presets | mixes, seeds, st.integers(0, 150))
def test_every_picture_is_valid_and_self_contained(rules: Rules, seed: int, plies: int) -> None:
    """Under any rules and at any moment it is well-formed XML that links only to its own definitions, each defined once."""
    game = played(rules, seed, plies)
    for seat in range(rules.players):
        picture = game.picture(seat, four_colors=seed % 2 == 1)
        parts = list(parsed_svg(picture).iter())
        ids = [part.get("id") for part in parts if part.get("id")]
        used = {part.get("href") for part in parts if part.get("href")}
        assert len(ids) == len(set(ids))
        assert used == {f"#{name}" for name in ids if not name.endswith(("title", "desc"))}
        assert {part.tag.partition("}")[2] for part in parts} <= {
            *("svg", "title", "desc", "style", "defs", "g", "use", "rect", "circle", "path", "text"),
        }
        assert "url(" not in picture.svg
        assert picture.svg.count("http") == 1, "the name of SVG itself"


@given(presets | mixes, seeds, st.integers(0, 150))
def test_every_card_is_inside_the_picture(rules: Rules, seed: int, plies: int) -> None:
    """Every hand and every table fits on 960 x 524."""
    game = played(rules, seed, plies)
    for seat in range(rules.players):
        body = game.svg(seat).partition("</defs>")[2]
        cards = [tuple(map(float, found)) for found in PLACED.findall(body)]
        for x, y, scale in cards:
            assert 0 <= x <= 960 - 100 * scale
            assert 0 <= y <= 524 - 140 * scale


def test_the_largest_hand_fits() -> None:
    """A seat that has nearly two whole decks still sees each of its cards."""
    deck = [f"{rank}{suit}" for suit in SUITS for rank in "23456789TJQKA"]
    game = Game.from_position(Rules(ranks="23456789TJQKA", decks=2), hands=[deck + deck[:-1], "As"], trump="s")
    body = game.svg(0).partition("</defs>")[2]
    cards = [(float(x), float(y), float(scale)) for x, y, scale in PLACED.findall(body)]
    assert all(0 <= x <= 960 - 100 * scale and 0 <= y <= 524 - 140 * scale for x, y, scale in cards)
    assert len({(x, y) for x, y, _ in cards}) >= 103


def test_the_same_view_gives_the_same_picture() -> None:
    """A picture drawn twice is equal byte for byte, and another one shares no ids with it on a page."""
    game, other = Game("weli", seed=3), Game("weli", seed=4)
    assert game.svg(0) == Game("weli", seed=3).svg(0)
    names = [set(re.findall(r'id="(\w+)"', svg)) for svg in (game.svg(0), other.svg(0), game.svg(0, four_colors=True))]
    assert not names[0] & names[1]
    assert not names[0] & names[2]


def test_hidden_cards_do_not_change_the_picture() -> None:
    """Two deals that differ only in what the seat cannot see look the same to it."""
    pictures = [
        Game.from_position(hands=["6c 8d Th", hidden], trump="h", talon=f"{top} 7h", turn_up="7h").picture(0)
        for hidden, top in (("9s Ts Js", "Qc"), ("Qc Kd Ah", "9s"))
    ]
    assert pictures[0].svg == pictures[1].svg
    assert str(pictures[0]) == str(pictures[1])


def test_the_alternative_text_describes_the_table() -> None:
    """The alternative text has the turn, the cards on the table, and the seat's hand and legal moves."""
    game = Game.from_position(
        Rules.preset("transfer", players=3),
        hands=["8c Qh Ks", "9h Ts", "6c 7d 8d"],
        trump="h",
        attacker=2,
        talon="Jd 7h",
        turn_up="7h",
        table="7c/9c 7s",
        discard="6d 6s",
        throwers_passed=[1, 2],
    )
    pairs = f"{english_text('screen.beaten', card='7 of clubs', by='9 of clubs')}; {english_text('screen.unbeaten', card='7 of spades')}"
    assert str(game.picture(0)).splitlines() == [
        format_call_to_action(game.view(0), Translator(own_seat=0)),
        english_text("told.role.passed", who="Player 2", count=2),
        english_text("told.role.attacks", who="Player 3", count=3),
        english_text("told.table", pairs=pairs, room=english_text("screen.limit", count=2, limit=4)),
        f"{english_text('told.face_up', trump='Trump: hearts', card='the 7 of hearts')} {english_text('screen.talon.other', count=2)}. {english_text('screen.discard.other', count='2')}.",
        english_text(
            "told.holding",
            number="1",
            role=english_text("told.role.defends.you", who="You", count=3),
            hand="8 of clubs, king of spades, queen of hearts",
        ),
        english_text("told.may_play", cards="king of spades, queen of hearts"),
    ]
    assert str(game.picture(1)).startswith(english_text("call.waits.defend", who="Player 1"))


def test_attacking_cards_are_counted_from_the_first_attack_on() -> None:
    """An empty table has no count, as on the screen."""
    game = Game(seed=7)
    assert english_text("screen.limit", count=0, limit=6) not in game.picture(0).svg
    game.play(game.legal_moves()[0])
    assert english_text("screen.limit", count=1, limit=6) in game.picture(0).svg


def test_the_call_to_action_names_the_next_step() -> None:
    """One short sentence says what seat 0 may do, whom it waits for, or how the game ended."""
    for rules, position, moves, words in (
        ("podkidnoy", {"hands": ["6c 7d", "8c 9c"]}, "", english_text("call.open")),
        ("siege", {"hands": ["6c 6d", "8c 9c"]}, "", english_text("call.open.several")),
        ("podkidnoy", {"hands": ["6c 7d", "8c 9c"]}, "attack 6c", "Player 2 defends."),
        ("podkidnoy", {"hands": ["6c 6d 8d", "8c 9c"]}, "attack 6c; beat 6c 8c", english_text("call.throw", cards="6♦ or 8♦")),
        (
            "podkidnoy",
            {"hands": ["6c 6d", "8c 9c"]},
            "attack 6c; take",
            f"{english_text('deed.take', who='Player 2')} {english_text('call.throw', cards='6♦')}",
        ),
        ("podkidnoy", {"hands": ["8c Jd", "9h"], "attacker": 1}, "attack 9h", english_text("call.stuck", cards="9♥")),
        ("podkidnoy", {"hands": ["Tc Js", "9c"], "attacker": 1}, "attack 9c", "Beat 9♣, or take."),
        ("passport", {"hands": ["Jh 9h", "9c 7d 8d"], "attacker": 1}, "attack 9c", "Transfer, or take."),
        (
            "passport",
            {"hands": ["Jh 9s", "9c 7d 8d"], "attacker": 1},
            "attack 9c",
            f"Beat 9♣, transfer, {english_text('call.show')}, or take.",
        ),
        ("weli", {"hands": ["Jh 9s", "6c"], "attacker": 1}, "attack 6c=h", "Beat 6♣ as ♥, or take."),
        (
            "podkidnoy",
            {"hands": ["6c 6d", "8c 9c"]},
            "attack 6c; take; throw 6d",
            english_text("outcome.epaulettes", who="Player 2") + ".",
        ),
        ("podkidnoy", {"hands": ["7c", "8d 9d"]}, "attack 7c; take", english_text("outcome.fool", who="Player 2") + "."),
        ("podkidnoy", {"hands": ["7c", "9c"]}, "attack 7c; beat 7c 9c", english_text("outcome.draw").capitalize() + "."),
    ):
        game = Game.from_position(rules, trump="s", **position)
        for move in filter(None, moves.split("; ")):
            game.play(move)
        texts = [part.text.replace("\ufe0e", "") for part in parsed_svg(game.picture(0)).iter() if part.text]
        assert words in texts


def test_playable_cards_are_lifted() -> None:
    """In the hand, the cards that beat are higher than the others, and trumps come last."""
    game = Game.from_position(hands=["6h 8s Tc 7c", "9c"], trump="h", attacker=1)
    game.play("attack 9c")
    heights = card_heights(game.picture(0))
    assert list(heights) == ["7c", "Tc", "8s", "6h"]
    assert heights["Tc"] == heights["6h"] < heights["7c"] == heights["8s"]


def test_each_number_card_shows_its_number_of_pips() -> None:
    """A number card has as many pips as its rank, and one more at each of its two corners."""
    for rank, number in zip("23456789T", range(2, 11), strict=True):
        sheet = card_svg.CardSheet("p", trump=None)
        sheet.draw_face(Card(f"{rank}d"), 0, 0, 100)
        assert sheet.render_definitions().count('"#pPipd"') == number + 1, "the corner is defined once and used twice"


def test_a_notebook_shows_an_image_with_alternative_text() -> None:
    """An image with its own data and alternative text; only the text where images are not shown."""
    picture = Game(seed=7).picture(1)
    bundle = picture._repr_mimebundle_()
    alt, data = re.fullmatch(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)" style="[^"]*">', bundle["text/html"]).groups()
    assert b64decode(data).decode() == picture.svg
    assert alt == str(picture).replace("\n", " ")
    assert bundle["text/plain"] == str(picture)
    assert parsed_svg(picture).get("role") == "img"


def test_a_picture_is_small() -> None:
    """A typical picture stays below 25 kB."""
    for preset in ("podkidnoy", "econ431", "full_jokers", "teams", "railway"):
        for seed in range(4):
            game = played(Rules.preset(preset), seed, 12)
            assert all(len(game.svg(seat).encode()) < 25_000 for seat in range(len(game.hands)))


def test_text_colors_have_enough_contrast() -> None:
    """Text and suit colours have a contrast of at least 4.5 to 1 on their background, the ring 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11)."""
    for colors in (LIGHT_COLORS, DARK_COLORS):
        inks = {*card_svg._TWO_INKS.values(), *card_svg._FOUR_INKS.values()}
        on = [(colors[word], colors[ground]) for word in ("text", "soft") for ground in ("felt", "plate")]
        on += [(ink, colors["paper"]) for ink in inks] + [("#1f2630", colors["mark"])]
        assert [pair for pair in on if contrast(*pair) < 4.5] == []
        assert contrast(colors["mark"], colors["felt"]) >= 3


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours, as WCAG defines it."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_covered_hand_is_drawn_as_backs() -> None:
    """A viewer who may not see a hand sees the number of its cards, and its text is like that of any other seat."""
    view = Game(seed=7).view(0).without_hand()
    picture = Picture(view)
    assert str(picture).splitlines()[-1] == english_text("told.role.attacks", who="Player 1", count=6)
    assert str(picture).splitlines()[0] == "Player 1 attacks."
    assert "You" not in str(picture)
    assert picture.svg.count('Back"') > Picture(Game(seed=7).view(0)).svg.count('Back"')
