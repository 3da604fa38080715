"""Test TikZ output of trees and matrices: structure, completeness and positions. LaTeX itself is not run."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.boards import TREES
from durak_widget import board, gametheory
from durak_widget.board.latex_export import escape_tex, format_tex_number
from durak_widget.board.tree_layout import TreeLayout
from durak_widget.engine.card_svg import format_number
from durak_widget.errors import DurakError
from durak_widget.gametheory import DecisionNode, TerminalNode, build_tree
from durak_widget.gametheory.strategy import Strategy

# TikZ keys that we use from no library, and our own styles.
KEYS = {
    *(
        "x",
        "y",
        "every node/.style",
        "inner sep",
        "outer sep",
        "text",
        "font",
        "draw",
        "fill",
        "line width",
        "line join",
        "rounded corners",
    ),
    *("dash pattern", "draw opacity", "anchor", "radius", "branch", "lit", "together", "under", "called", "card"),
    *(f"{name}/.style" for name in ("branch", "lit", "together", "under", "called", "card")),
}
COMMANDS = {"draw", "fill", "filldraw", "node", "definecolor", "begin", "end"}


def strip_comments(text):
    """Return the text without comments and escaped characters."""
    return re.sub(r"(?m)%.*$", "", re.sub(r"\\[\\{}%$&#_]", "", text))


def is_balanced(text, signs="{}[]"):
    """Return whether all braces are closed in the right order."""
    waiting = []
    pairs = dict(zip(signs[1::2], signs[::2], strict=True))
    for sign in strip_comments(text):
        if sign in pairs.values():
            waiting.append(sign)
        elif sign in pairs and (not waiting or waiting.pop() != pairs[sign]):
            return False
    return not waiting


def statements(text):
    """Return the statements of a picture."""
    body = text.partition(r"\begin{tikzpicture}")[2].partition("\n")[2].partition(r"\end{tikzpicture}")[0]
    return [line for line in body.splitlines() if not line.startswith("%")]


def test_tikz_has_every_element_at_its_place_in_the_picture():
    """Test branches, player signs, payoffs and dashed information sets."""
    for name in [*TREES, "beer-quiche"]:
        for direction in ["right", "down"]:
            tree = TREES[name]() if name in TREES else gametheory.textbook(name)
            view = board.Tree(tree, depth=99, direction=direction)
            text = view.tikz()
            assert is_balanced(text)
            drawing_data, solution, _ = view._build_picture_data(view.expansion)
            spread = TreeLayout(drawing_data, solution)
            ways = Counter(
                tuple(re.findall(r"\((-?[\d.]+),(-?[\d.]+)\)", statement))
                for statement in statements(text)
                if statement.startswith((r"\draw[branch", r"\draw[lit"))
            )
            assert sum(ways.values()) == tree.history_count - 1
            at = [(format_number(x), format_number(y)) for x, y in zip(spread.x, spread.y, strict=True)]
            ends = {(way[0], way[-1]) for way in ways}
            assert ends == {(at[spread.parent_position[place]], at[place]) for place in spread.positions if place}
            dashed = [statement for statement in statements(text) if statement.startswith(r"\draw[together")]
            assert all("dash pattern=on " in set_line for set_line in dashed)
            assert len(dashed) >= len(view.drawing["shared_infosets"])
            paid = Counter(re.findall(r"\\textcolor\{seat(\d)\}", text))
            terminals = sum(actor == -2 for actor in tree.actor)
            assert paid == {str(seat + 1): terminals for seat in range(tree.player_count)}
            chances = [statement for statement in statements(text) if statement.startswith(r"\filldraw[draw=line, fill=white")]
            assert len(chances) == sum(actor == -1 for actor in tree.actor) + (-1 in tree.actor)  # once more in the legend


def test_tikz_needs_no_extra_library():
    """Every statement ends, starts with a TikZ command, and uses no library key."""
    for name in ["beer-quiche", "kuhn", "horse", "driver"]:
        text = board.tikz(gametheory.textbook(name))
        assert "usetikzlibrary" not in text
        head = text.partition(r"\begin{tikzpicture}")[2].partition("\n")[0]
        for line in statements(text):
            assert line.endswith(";"), line
            assert re.match(r"\\(\w+)", line)[1] in COMMANDS, line
        for options in [
            *re.findall(r"\\(?:draw|fill|filldraw|node)\[([^\]]*)\]", "\n".join(statements(text))),
            re.sub(r"=\{([^}]*)\}", r",\1", head.strip("[]")),
        ]:
            for option in filter(None, (option.strip() for option in options.split(","))):
                key = option.partition("=")[0]
                assert key in KEYS or re.fullmatch(r"seat\d|ink|line|soft", key), option


@given(st.text(max_size=30))
def test_names_are_escaped_for_tex(words):
    """No name becomes a command, comment, formula or open brace."""
    escaped = escape_tex(words)
    assert is_balanced(escaped, "{}")
    known = re.sub(
        r"\\(text\w+|ensuremath|ldots|\w+suit|star|cdot|approx|times|rightarrow|downarrow|lambda|varepsilon|circ|quotedblbase|guillemot\w+)",
        "",
        escaped,
    )
    assert not re.search(r"\\[a-zA-Z]", known.replace(r"\\", ""))
    assert not re.search(r"(?<!\\)[%$&#_]", escaped)
    assert not re.search(r"(?<!\^)\^(?!\\circ)", escaped.replace(r"\textasciicircum", ""))


def test_numbers_suits_and_scripts_are_written_for_tex():
    """Fractions have a stroke, suits work in every engine, and other scripts get a note on engines."""
    assert format_tex_number("-1/3") == r"\ensuremath{-\textstyle\frac{1}{3}}"
    assert format_tex_number("7") == "7"
    places = {
        "": DecisionNode(0, "", [("6♠ & 50 %", "l"), ("d_1", "r")]),
        "l": TerminalNode((Fraction(-1, 3), 1)),
        "r": TerminalNode((0, 0)),
    }
    latin = board.tikz(build_tree("", places.__getitem__, player_count=2, names=("Ona", "Šarūnas")))
    assert r"6\ensuremath{\spadesuit} \& 50 \%" in latin
    assert r"d\_1" in latin
    assert "Šarūnas" in latin
    assert latin.splitlines()[1] == "% Made by durak_widget. To be set with pdflatex, lualatex or xelatex."
    other = board.tikz(build_tree("", places.__getitem__, player_count=2, names=("Анна", "Боб")))
    assert "Анна" in other
    assert "lualatex or xelatex" in other.splitlines()[1]
    assert r"\setsansfont{DejaVu Sans}" in other


def test_drawings_too_large_for_tex_are_refused(monkeypatch):
    """TeX dimensions end at 5.7 metres. The message comes before TeX fails."""
    view = board.Tree(gametheory.textbook("kuhn"))
    monkeypatch.setattr("durak_widget.board.latex_export._MAX_POINTS", 200)
    with pytest.raises(DurakError, match=r"TeX.*5\.7"):
        view.tikz()


def test_a_strategy_and_a_solution_are_drawn_on_the_branches():
    """Width shows the probability. Other arguments are refused."""
    tree = gametheory.textbook("beer-quiche")
    plays = Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    for what in (plays, gametheory.solve(tree)):
        widths = {float(match) for match in re.findall(r"line width=([\d.]+)pt", board.tikz(tree, what))}
        assert max(widths) == 4.125
    assert board.tikz(tree) != board.tikz(tree, from_middle=False)
    with pytest.raises(DurakError, match="a strategy or a solution"):
        board.tikz(tree, "beer")


def test_a_matrix_becomes_a_tex_table():
    """It has all strategies and payoffs, underlines best responses and leaves out eliminated strategies."""
    view = board.Matrix(
        [[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)], [(-1, -1), (-1, -1)]], rows=["opera", "match", "50 %"], columns=["opera", "match"]
    )
    text = view.tabular()
    assert is_balanced(text)
    rows = [line for line in text.splitlines() if line.endswith(r"\cline{3-4}")]
    assert len(rows) == 4
    assert all(len(re.findall(r"(?<!\\)&", row)) == 3 for row in rows[1:])
    assert r"50 \%" in text
    assert text.count(r"\underline{") == 6
    view.eliminate("50 %")
    assert r"50 \%" not in view.tabular().partition(r"\end{tabular}")[0]
    assert board.tabular(gametheory.textbook("entry")).count(r"\underline{") == 5
