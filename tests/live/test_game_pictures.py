"""Test the pictures of games: they need nothing from outside, and they show no equilibria and no best responses."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.strategic_form import matrix_from_payoffs
from durak_widget.live.game_pictures import MAX_BOARD_NODES, MAX_PHONE_NODES, draw_matrix, draw_tree
from durak_widget.live.game_question import GameQuestion, make_game_spec
from durak_widget.live.question import LANGUAGES

DILEMMA = matrix_from_payoffs([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"])
SHARES = [(Fraction(1, 4), Fraction(3, 4)), None]


def check_self_contained(svg):
    """Check that a picture is well-formed and refers to nothing outside itself."""
    root = ET.fromstring(svg)  # noqa: S314 - it is our own picture
    identifiers = {element.get("id") for element in root.iter()}
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in {"script", "foreignObject", "image", "a"}
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.removeprefix("#") in identifiers
    assert not re.search(r"url\(|@import|@font-face|https?://(?!www\.w3\.org/)", svg)


@pytest.mark.parametrize("name", ["beer-quiche", "kuhn", "horse", "driver", "chain-store"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_of_trees_are_self_contained(name, language):
    """A phone shows the picture as an image, which may load nothing."""
    tree = gametheory.textbook(name)
    shares = [(Fraction(1, 2), Fraction(1, 2))] * len(tree.infosets)
    for picture in (draw_tree(tree, language), draw_tree(tree, language, shares=shares)):
        check_self_contained(picture.svg)
        assert picture.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_of_matrices_are_self_contained_and_unmarked(language):
    """No payoff is underlined, ringed or starred, although both players have dominant strategies."""
    for picture in (draw_matrix(DILEMMA, language), draw_matrix(DILEMMA, language, shares=SHARES)):
        check_self_contained(picture.svg)
        assert not re.search(r'underline|class="r"|class="s"', picture.svg)
        assert not set("*°") & set(picture.svg + picture.text)


def test_a_matrix_shows_both_payoffs():
    """In a zero-sum matrix a phone shows both payoffs too, because half of the class has the columns."""
    assert "1, −1" in draw_matrix(matrix_from_payoffs([[1, -1], [-1, 1]]), "en").text


def test_shares_stand_in_the_pictures():
    """The shares of the class are written on the branches and beside rows; without answers there are none."""
    assert "25%" in draw_matrix(DILEMMA, "en", shares=SHARES).text
    tree = gametheory.textbook("pennies")
    picture = draw_tree(tree, "en", shares=SHARES)
    assert "25%" in picture.svg
    assert picture.svg != draw_tree(tree, "en").svg


def test_pictures_of_the_class_show_no_values():
    """The picture that the projector shows before the reveal differs from the plain one only by shares."""
    tree = gametheory.textbook("entry")
    plain, shown = draw_tree(tree, "en"), draw_tree(tree, "en", shares=[(Fraction(1, 2), Fraction(1, 2)), None])

    def texts(svg):
        return sorted(element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("}text"))  # noqa: S314 - our own

    assert [text for text in texts(shown.svg) if text != "50%"] == texts(plain.svg)
    assert "★" not in shown.svg


def chain(length):
    """Return a tree of `2 * length + 1` nodes."""
    return gametheory.build_tree(
        0,
        lambda n: (
            gametheory.TerminalNode((n, 0)) if n >= length else gametheory.DecisionNode(n % 2, n, [("stop", 10**6 + n), ("go", n + 1)])
        ),
        player_count=2,
    )


@pytest.mark.parametrize("length", [MAX_PHONE_NODES // 2 - 1, MAX_PHONE_NODES // 2, MAX_BOARD_NODES // 2 - 1, MAX_BOARD_NODES // 2])
def test_large_trees_have_no_picture(length):
    """Phones get no picture of a large tree and are told so; the projector gets one of a larger tree, up to its own limit."""
    spec = make_game_spec(chain(length))
    question = GameQuestion(spec, GameQuestion.prepare(spec))
    nodes = 2 * length + 1
    forms = [question.build_form(0, language) for language in LANGUAGES]
    assert [form["picture"] is not None for form in forms] == [nodes <= MAX_PHONE_NODES] * 3
    assert len({form["text"] for form in forms}) == 3
    answer = {0: {"infosets": [0] * len(forms[0]["infosets"])}}
    assert (question.score(answer, "en")["picture"] is not None) is (nodes <= MAX_BOARD_NODES)


def test_names_from_a_file_are_escaped():
    """Names with angle brackets and quotes stay text in the picture."""
    matrix = matrix_from_payoffs([[1, 2]], rows=['<script>alert("x")</script>'], columns=["<b>", "&amp;"])
    check_self_contained(draw_matrix(matrix, "en").svg)
    spec = make_game_spec('EFG 2 R "<script>" { "<a>" } p "" 1 1 "<i>" { "<u>" "&" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }')
    check_self_contained(GameQuestion.prepare(spec)["pictures"]["en"]["svg"])
