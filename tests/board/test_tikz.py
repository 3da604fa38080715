"""Trees and matrices for LaTeX. There is none here to set them: what is held is their structure, that nothing is missing, and where it stands."""

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

# What TikZ itself knows, without a library, as far as we use it; and what we define.
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
    *(f"{one}/.style" for one in ("branch", "lit", "together", "under", "called", "card")),
}
COMMANDS = {"draw", "fill", "filldraw", "node", "definecolor", "begin", "end"}


def bare(text):
    """The text without remarks and without what is escaped."""
    return re.sub(r"(?m)%.*$", "", re.sub(r"\\[\\{}%$&#_]", "", text))


def balanced(text, signs="{}[]"):
    """Whether every brace is closed, in the order in which they were opened."""
    waiting = []
    pairs = dict(zip(signs[1::2], signs[::2], strict=True))
    for sign in bare(text):
        if sign in pairs.values():
            waiting.append(sign)
        elif sign in pairs and (not waiting or waiting.pop() != pairs[sign]):
            return False
    return not waiting


def parts(text):
    """The statements of a picture."""
    body = text.partition(r"\begin{tikzpicture}")[2].partition("\n")[2].partition(r"\end{tikzpicture}")[0]
    return [line for line in body.splitlines() if not line.startswith("%")]


def test_nothing_is_missing_and_all_of_it_is_where_the_picture_has_it():
    """A branch for each place but the first, from place to place; the sign of each; every payoff; dashes for each set."""
    for name in [*TREES, "beer-quiche"]:
        for direction in ["right", "down"]:
            tree = TREES[name]() if name in TREES else gametheory.textbook(name)
            view = board.Tree(tree, depth=99, direction=direction)
            text = view.tikz()
            assert balanced(text)
            told, solution, _ = view._build_picture_data(view.expansion)
            spread = TreeLayout(told, solution)
            ways = Counter(
                tuple(re.findall(r"\((-?[\d.]+),(-?[\d.]+)\)", one))
                for one in parts(text)
                if one.startswith((r"\draw[branch", r"\draw[lit"))
            )
            assert sum(ways.values()) == tree.history_count - 1
            at = [(format_number(x), format_number(y)) for x, y in zip(spread.x, spread.y, strict=True)]
            ends = {(way[0], way[-1]) for way in ways}
            assert ends == {(at[spread.parent_position[place]], at[place]) for place in spread.positions if place}
            dashed = [one for one in parts(text) if one.startswith(r"\draw[together")]
            assert all("dash pattern=on " in one for one in dashed)
            assert len(dashed) >= len(view.drawing["joined"])
            paid = Counter(re.findall(r"\\textcolor\{seat(\d)\}", text))
            terminals = sum(actor == -2 for actor in tree.actor)
            assert paid == {str(seat + 1): terminals for seat in range(tree.player_count)}
            chances = [one for one in parts(text) if one.startswith(r"\filldraw[draw=line, fill=white")]
            assert len(chances) == sum(actor == -1 for actor in tree.actor) + (-1 in tree.actor)  # and in the legend


def test_nothing_but_tikz_itself_is_asked_for():
    """Every statement ends, begins with a command of TikZ, and has no key that needs a library."""
    for name in ["beer-quiche", "kuhn", "horse", "driver"]:
        text = board.tikz(gametheory.textbook(name))
        assert "usetikzlibrary" not in text
        head = text.partition(r"\begin{tikzpicture}")[2].partition("\n")[0]
        for line in parts(text):
            assert line.endswith(";"), line
            assert re.match(r"\\(\w+)", line)[1] in COMMANDS, line
        for options in [
            *re.findall(r"\\(?:draw|fill|filldraw|node)\[([^\]]*)\]", "\n".join(parts(text))),
            re.sub(r"=\{([^}]*)\}", r",\1", head.strip("[]")),
        ]:
            for option in filter(None, (one.strip() for one in options.split(","))):
                key = option.partition("=")[0]
                assert key in KEYS or re.fullmatch(r"seat\d|ink|line|soft", key), option


@given(st.text(max_size=30))
def test_words_stay_words(words):
    """Whatever something is called: no command, no remark, no mathematics, no brace that is not closed."""
    said = escape_tex(words)
    assert balanced(said, "{}")
    known = re.sub(
        r"\\(text\w+|ensuremath|ldots|\w+suit|star|cdot|approx|times|rightarrow|downarrow|lambda|varepsilon|circ|quotedblbase|guillemot\w+)",
        "",
        said,
    )
    assert not re.search(r"\\[a-zA-Z]", known.replace(r"\\", ""))
    assert not re.search(r"(?<!\\)[%$&#_]", said)
    assert not re.search(r"(?<!\^)\^(?!\\circ)", said.replace(r"\textasciicircum", ""))


def test_numbers_suits_and_other_alphabets():
    """Fractions have a stroke, suits are in every engine; who needs a font of many letters is told which engine has it."""
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


def test_what_tex_cannot_measure_is_refused(monkeypatch):
    """No dimension of TeX is longer than 5.7 metres: in a sentence, before it fails there."""
    view = board.Tree(gametheory.textbook("kuhn"))
    monkeypatch.setattr("durak_widget.board.latex_export._MAX_POINTS", 200)
    with pytest.raises(DurakError, match=r"TeX draws nothing that is longer than 5\.7 metres.*unfold less of it"):
        view.tikz()


def test_a_strategy_is_on_the_branches_and_a_solution_too():
    """Their probabilities, wide where they are likely; what is neither is refused."""
    tree = gametheory.textbook("beer-quiche")
    plays = Strategy.from_mapping(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    for what in (plays, gametheory.solve(tree)):
        widths = {float(one) for one in re.findall(r"line width=([\d.]+)pt", board.tikz(tree, what))}
        assert max(widths) == 4.125
    assert board.tikz(tree) != board.tikz(tree, from_middle=False)
    with pytest.raises(DurakError, match="a strategy or a solution"):
        board.tikz(tree, "beer")


def test_a_matrix_is_a_table():
    """Every plan, every payoff, best responses underlined, what is struck out left out; as many cells in each line as there are columns."""
    view = board.Matrix(
        [[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)], [(-1, -1), (-1, -1)]], rows=["opera", "match", "50 %"], columns=["opera", "match"]
    )
    text = view.tabular()
    assert balanced(text)
    rows = [line for line in text.splitlines() if line.endswith(r"\cline{3-4}")]
    assert len(rows) == 4
    assert all(len(re.findall(r"(?<!\\)&", row)) == 3 for row in rows[1:])
    assert r"50 \%" in text
    assert text.count(r"\underline{") == 6
    view.eliminate("50 %")
    assert r"50 \%" not in view.tabular().partition(r"\end{tabular}")[0]
    assert board.tabular(gametheory.textbook("entry")).count(r"\underline{") == 5
