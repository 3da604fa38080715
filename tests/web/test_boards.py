"""Test boards opened by links: contents, refusals, and that stored data equals what Python sends."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.bimatrix_equilibria import to_matrix
from durak_widget.i18n import LANGUAGES, Translator, get_language
from durak_widget.web.blackboard_page import CHANNEL_NAME, BoardVisit
from durak_widget.web.board_links import BoardLink, format_board_link
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import LinkError
from support.spoken import english, english_text

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
    assert len(BoardLink.from_text("#game=entry&as=matrix&solved=yes").build_board().grid.shown_equilibria.equilibria) >= 2


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
        assert BoardLink.from_text(format_board_link(gametheory.to_efg(tree))).game == tree


THREE_COINS = 'NFG 1 R "Three coins" { "A" "B" "C" } { 2 2 2 } 0 0 0 1 1 -2 1 -2 1 -2 1 1 -2 1 1 1 -2 1 1 1 -2 0 0 0'


def test_a_gambit_matrix_can_be_sent_by_link():
    """It is a matrix, on request a tree, and for three players always a tree."""
    matrix = gametheory.matrix(gametheory.textbook("outside-option"))
    link = format_board_link(gametheory.to_nfg(matrix))
    assert BoardLink.from_text(link).game.payoffs == matrix.payoffs
    assert repr(BoardLink.from_text(link).build_board()) == "<Matrix: 3 × 2>"
    assert repr(BoardLink.from_text(f"{link}&as=tree").build_board()) == "<Tree of 10 histories, 10 shown>"
    assert BoardLink.from_text(format_board_link(THREE_COINS)).game.player_count == 3
    with pytest.raises(LinkError, match=r"depth.*blackboard"):
        BoardLink.from_text(f"{link}&depth=1")


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
    ("", "link to a blackboard.*game, efg, nfg, position, rules"),
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
    (format_board_link(gametheory.to_nfg(to_matrix([[0] * 10] * 4)))[1:] + "&solved=yes", "at most 36 cells"),
    ("game=entry&as=matrix&values=yes", "values.*blackboard"),
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


# --- Editors and files ---


@pytest.fixture
def board_page():
    """Return a visit, a function that sends it a message, and a list of its answers."""
    answers = []
    CHANNEL.clear()
    CHANNEL.connect(lambda text, _: answers.append(json.loads(text)))
    visit = BoardVisit()

    def say(kind, **message):
        CHANNEL.receive(json.dumps({"id": CHANNEL_NAME, "kind": kind, **message}))
        return answers[-1] if answers else None

    yield visit, say, answers
    CHANNEL.clear()


def type_cells(sketch, rows):
    """Type a line of text into each cell of a matrix editor."""
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            sketch.set_cell(row, column, text)


@pytest.mark.parametrize(("kind", "first"), [("tree", "sketch.lacks.all"), ("matrix", "sketch.lacks.cell")])
def test_an_unfinished_sketch_stays_and_the_notice_names_what_is_missing(board_page, kind, first):
    """No board is opened."""
    visit, say, _ = board_page
    say("begin", link=f"#sketch={kind}", language="en", files={})
    opened = visit.sketch
    answer = say("show_sketch")
    assert answer["kind"] == "notice"
    assert english_text(first, row="A", column="a") in answer["text"]
    assert visit.sketch is opened
    assert (visit.board, opened.comm is None) == (None, False)


def test_a_typed_matrix_is_shown_and_its_sketch_stays(board_page):
    """The link of the board has the same game, and so has the new link of the editor."""
    visit, say, _ = board_page
    say("begin", link="#sketch=matrix", language="en", files={})
    visit.sketch.add_strategy(0, '"Schere"')
    visit.sketch.add_strategy(1, "ножницы")
    type_cells(visit.sketch, [["0 0", "-1, 1", "1; -1"], ["1/3, -1", "0", "-1 1"], ["-1", "1", "0,5 0"]])
    answer = say("show_sketch")
    assert answer["kind"] == "address"
    opened = visit.sketch
    say("link", link=answer["link"])
    assert repr(visit.board) == "<Matrix: 3 × 3>"
    assert visit.sketch is opened
    board_matrix, typed = visit.board.remaining_matrix, opened.matrix
    assert (board_matrix.payoffs, board_matrix.names) == (typed.payoffs, typed.names)
    assert [plan.short_label for plan in (*board_matrix.rows, *board_matrix.columns)] == [
        *opened.draft.strategies[0],
        *opened.draft.strategies[1],
    ]
    say("link", link=answer["sketch_link"])
    assert visit.sketch is not opened
    assert (opened.comm, visit.sketch.matrix.payoffs) == (None, typed.payoffs)


@pytest.mark.parametrize("name", ["kuhn", "horse", "spence", "driver"])
def test_a_drawn_tree_is_shown_and_its_sketch_stays(board_page, name):
    """The link of the board has the same game, and so has the new link of the editor. A small tree is shown whole."""
    visit, say, _ = board_page
    tree = gametheory.textbook(name)
    say("begin", link=f"#sketch=tree&{format_board_link(gametheory.to_efg(tree))[1:]}&language=lt", language="lt", files={})
    assert (visit.sketch.tree, visit.sketch.language) == (tree, "lt")
    answer = say("show_sketch")
    say("link", link=answer["link"])
    assert (visit.board.tree, visit.board.language) == (tree, "lt")
    assert f"{tree.history_count} shown" in repr(visit.board)
    say("link", link=answer["sketch_link"])
    assert (visit.sketch.tree, visit.sketch.language) == (tree, "lt")


@pytest.mark.parametrize(("size", "is_listed"), [(2, True), (6, True), (7, False)])
def test_a_typed_matrix_is_shown_with_its_equilibria_if_it_is_small(board_page, size, is_listed):
    """A larger one can take long. The link of the editor asks for no solution."""
    visit, say, _ = board_page
    say("begin", link="#sketch=matrix", language="en", files={})
    visit.sketch.paste_table(0, 0, "\n".join("\t".join("1" if row == column else "0" for column in range(size)) for row in range(size)))
    answer = say("show_sketch")
    say("link", link=answer["link"])
    assert (visit.board.grid.shown_equilibria is not None) == is_listed
    assert (visit.board.matrix_view["equilibria"] is not None) == is_listed
    say("link", link=answer["sketch_link"])
    assert len(visit.sketch.matrix.rows) == size


def test_a_sketch_that_a_link_cannot_have_is_refused_in_a_sentence(board_page):
    """Test a number that is too long. The sketch stays."""
    visit, say, _ = board_page
    say("begin", link="#sketch=matrix", language="en", files={})
    type_cells(visit.sketch, [["1, 1"] * 2, ["1, 1", "1234567890123456, 1"]])
    opened = visit.sketch
    assert english("page.sketch.refused.large").match(say("show_sketch")["text"])
    assert (visit.sketch is opened, visit.board) == (True, None)


def send_to_sketch(sketch, **message):
    """Send an editor a message of the page; return the text of its error, or None."""
    replies = []
    sketch.send = replies.append
    sketch._receive_message(sketch, message, [])
    return replies[0]["text"] if replies else None


CELL = {"kind": "set_cell", "row": 0, "column": 0}
PAYOFFS = {"kind": "set_payoffs", "id": 1}


@pytest.mark.parametrize(
    ("link", "refused", "edit"),
    [
        ("#sketch=matrix", {**CELL, "text": "9, x"}, {**CELL, "text": "1, 0"}),
        ("#sketch=matrix", {**CELL, "text": "9, x"}, {**CELL, "column": 1, "text": "4, 4"}),
        ("#sketch=matrix", {**CELL, "kind": "paste_table", "text": "1\tx"}, {**CELL, "text": "1, 0"}),
        ("#sketch=matrix", {"kind": "rename_strategy", "player": 0, "index": 0, "text": "B"}, {"kind": "add_strategy", "player": 0}),
        (f"#sketch=tree&{format_board_link(gametheory.to_efg(gametheory.textbook('entry')))[1:]}", None, None),
    ],
)
def test_a_sketch_with_a_refused_text_is_not_shown(board_page, link, refused, edit):
    """The notice says again why the text was refused, until the next edit."""
    visit, say, _ = board_page
    say("begin", link=link, language="en", files={})
    if refused is None:
        end = next(node for node, record in visit.sketch.draft.nodes.items() if not record.children)
        refused, edit = {**PAYOFFS, "id": end, "text": "9, x"}, {**PAYOFFS, "id": end, "text": "9, 8"}
    else:
        type_cells(visit.sketch, [["1, 0", "0, 1"], ["0, 1", "1, 0"]])
    assert say("show_sketch")["kind"] == "address"
    why = send_to_sketch(visit.sketch, **refused)
    assert why
    for _ in range(2):
        assert say("show_sketch") == {"kind": "notice", "id": CHANNEL_NAME, "text": why}
    assert send_to_sketch(visit.sketch, **edit) is None
    if edit["kind"] == "add_strategy":
        visit.sketch.undo()
    assert say("show_sketch")["kind"] == "address"


def test_an_accepted_text_in_another_field_does_not_hide_a_refused_one(board_page):
    """It changes nothing, so the page still shows the refused text."""
    visit, say, _ = board_page
    say("begin", link="#sketch=matrix", language="en", files={})
    type_cells(visit.sketch, [["1, 0", "1/2, 1"], ["0, 1", "1, 0"]])
    why = send_to_sketch(visit.sketch, **CELL, text="9, x")
    assert send_to_sketch(visit.sketch, **{**CELL, "column": 1}, text="0.5, 1") is None
    assert say("show_sketch")["text"] == why


def test_a_refused_button_does_not_stop_a_sketch_from_being_shown(board_page):
    """The page shows no text that the game lacks. The same holds after another node is selected."""
    visit, say, _ = board_page
    say("begin", link="#sketch=matrix", language="en", files={})
    type_cells(visit.sketch, [["1, 0", "0, 1"], ["0, 1", "1, 0"]])
    visit.sketch.remove_strategy(0, 0)
    assert send_to_sketch(visit.sketch, kind="remove_strategy", player=0, index=0)
    assert say("show_sketch")["kind"] == "address"
    say("link", link=f"#sketch=tree&{format_board_link(gametheory.to_efg(gametheory.textbook('entry')))[1:]}")
    assert send_to_sketch(visit.sketch, kind="set_payoffs", id=1, text="9, x")
    assert send_to_sketch(visit.sketch, kind="select_node", id=1) is None
    assert say("show_sketch")["kind"] == "notice"
    assert send_to_sketch(visit.sketch, kind="select_node", id=0) is None
    assert say("show_sketch")["kind"] == "address"


def test_notices_about_a_sketch_are_in_its_language(board_page):
    """Test a missing payoff, a refused text and a number that is too long. Other notices are in the page's language."""
    visit, say, _ = board_page
    say("begin", link="#sketch=matrix&language=lt", language="en", files={})
    lithuanian = Translator("lt")
    missing = lithuanian.translate("sketch.lacks.cell", row="A", column="a")
    assert missing in say("show_sketch")["text"]
    why = send_to_sketch(visit.sketch, **CELL, text="9, x")
    assert say("show_sketch")["text"] == why == lithuanian.translate("sketch.refused.number", text="x")
    type_cells(visit.sketch, [["1, 1"] * 2, ["1, 1", "1234567890123456, 1"]])
    assert say("show_sketch")["text"] == lithuanian.translate("page.sketch.refused.large", count=12)
    assert english("page.sketch.refused.file").match(say("file", text="a letter")["text"])


def test_a_page_without_a_sketch_shows_none(board_page):
    """A message that comes too early does nothing."""
    _, say, answers = board_page
    say("begin", link="", language="en", files={})
    say("show_sketch")
    assert answers == []


@pytest.mark.parametrize(
    "link",
    [
        "#sketch=circle",
        "#sketch=",
        "#sketch=tree&nfg=x",
        "#sketch=matrix&efg=x",
        "#sketch=tree&efg=nonsense",
        "#sketch=tree&game=kuhn",
        "#sketch=tree&language=de",
        "#sketch=tree&sketch=tree",
        "#language=en#sketch=tree",
        "#efg=a#sketch=tree",
        f"#sketch=matrix&{format_board_link(THREE_COINS)[1:]}",
    ],
)
def test_an_invalid_link_to_an_editor_is_refused_in_a_sentence(board_page, link):
    """Nothing is opened."""
    visit, say, _ = board_page
    answer = say("begin", link=link, language="en", files={})
    assert english("page.unread").match(answer["text"])
    assert visit.sketch is None


def test_a_file_from_disk_gets_a_link(board_page):
    """Test a tree and a matrix."""
    visit, say, _ = board_page
    say("begin", link="", language="en", files={})
    kuhn = gametheory.textbook("kuhn")
    say("link", link=say("file", text=gametheory.to_efg(kuhn))["link"])
    assert visit.board.tree == kuhn
    say("link", link=say("file", text=f"\n{gametheory.to_nfg(gametheory.matrix(gametheory.textbook('pennies')))}")["link"])
    assert repr(visit.board) == "<Matrix: 2 × 2>"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "file"),
        ("a letter to a friend", "file"),
        ("\udce9\x00", "file"),
        ("NFG 1 R", "file"),
        ('EFG 2 R "x" { "a" "b" } t "" 1 "" { 1 }', "file"),
        (LONG_NUMBERS, "large"),
        (MANY_PLANS + " " * 200_000, "large"),
    ],
)
def test_an_invalid_file_is_refused_in_a_sentence(board_page, text, key):
    """Test texts that are no game, broken games, and games that are too large."""
    visit, say, _ = board_page
    say("begin", link="", language="en", files={})
    answer = say("file", text=text)
    assert english(f"page.sketch.refused.{key}").match(answer["text"])
    assert visit.board is None
