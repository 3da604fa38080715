"""Test the tree board: each message, each call from code, and refusals."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.boards import TREES, drawing_cards, ending, hidden, load_file, talon, wide
from durak_widget import DurakError, Rules, board, gametheory
from durak_widget.board.tree_expansion import MIN_REACHED_PROBABILITY
from durak_widget.board.tree_message_handlers import MESSAGE_HANDLERS
from durak_widget.gametheory.best_responses import reach_probabilities
from durak_widget.i18n import Translator
from support.spoken import english, english_text
from support.textbook import kuhn


def send(view, **message):
    """Send a message from the page, and return the refusal, if any."""
    heard = []
    view.send = lambda content, **_: heard.append(content)
    view._receive_message(view, message, [])
    del view.send
    return heard


def test_drawing_message_has_every_field_for_the_open_nodes():
    """It can be sent as JSON."""
    view = board.Tree(hidden(), depth=1)
    drawing = view.drawing
    assert set(drawing) == {
        *(
            "id",
            "layout_id",
            "title",
            "direction",
            "players",
            "size",
            "nodes",
            "infosets",
            "chance_moves",
            "payoffs",
            "shared_infosets",
            "lanes",
            "labels",
            "current_node",
            "breadcrumbs",
            "search_result",
        )
    }
    assert set(drawing["nodes"]) == {"id", "parent", "level", "row", "actor", "info", "hidden_count", "action"}
    deal = drawing["chance_moves"]["0"]["moves"][0]
    assert deal == {
        "text": "Player 1: 6♣︎; Player 2: 6♦︎; talon 7♣︎ 7♦︎",
        "hands": [["6c"], ["6d"]],
        "talon": ["7c", "7d"],
        "probability": "1/24",
    }
    assert drawing["infosets"]["0"]["moves"][0] == {
        "text": english_text("tree.beat", target="the 7 of diamonds", card="the 6 of clubs"), "verb": "beat", "cards": ["6c"], "beaten_cards": ["7d"]
    }  # fmt: skip
    assert drawing["infosets"]["0"]["label"] == "holds 6♣︎ 7♣︎ 6♦︎; table: 7♦︎"
    state = view.get_state()
    assert unpack_drawing(state["drawing_view"]) | state["focus_view"] == json.loads(json.dumps(drawing)) == drawing
    assert state["solution_view"] == state["matrix_view"] == state["question_view"] == state["learning"] == {}


def unpack_drawing(message):
    """Return a drawing as the page reads it."""
    infosets = {
        key: {"label": label, "moves": [message["moves"][move] for move in moves]} for key, (label, *moves) in message["infosets"].items()
    }
    nodes = {name: list(memoryview(column).cast("d" if name == "row" else "i")) for name, column in message["nodes"].items()}
    return {name: value for name, value in message.items() if name != "moves"} | {"infosets": infosets, "nodes": nodes}


def test_selecting_and_searching_do_not_send_the_drawing_again():
    """A label or another direction sends it."""
    view, sent = board.Tree(kuhn()), []
    view.comm.send = lambda data=None, **_: sent.append(set(data["state"]))
    view.go_to(3)
    view.find("bet")
    assert sent == [{"focus_view"}, {"focus_view"}]
    view.add_label(3, "a trap")
    assert "drawing_view" in sent[-1]


def test_an_unchanged_layout_is_marked_as_unchanged():
    """Selecting and searching keep the layout, and unfolding changes it."""
    view = board.Tree(kuhn())
    layout_id, number = view.drawing["layout_id"], view.drawing["id"]
    view.go_to(3)
    view.find("bet")
    assert view.drawing["layout_id"] == layout_id
    assert view.drawing["id"] > number
    view.unfold()
    assert view.drawing["layout_id"] == view.drawing["id"]


def test_messages_unfold_fold_select_and_search():
    """They come one after another, as from a person."""
    view = board.Tree(kuhn(), depth=1)
    assert view.expansion.shown_count == 7
    assert not send(view, kind="toggle", id=3)
    assert view.expansion.shown_count == 9
    assert not send(view, kind="unfold", scope="all")
    assert view.expansion.shown_count == 55
    assert not send(view, kind="unfold", scope="depth", number=2)
    assert view.drawing["size"] == {"histories": 55, "shown": 19, "levels": 3, "rows": 12}
    assert not send(view, kind="unfold", scope="player", number=1)
    assert view.expansion.shown_count == 43
    assert not send(view, kind="select_node", id=44)
    assert view.current_node == view.drawing["current_node"] == 44
    assert [crumb["text"] for crumb in view.drawing["breadcrumbs"]] == [english_text("tree.root"), "JQ", "pass", "bet", "bet"]
    assert not send(view, kind="fold")
    assert (view.expansion.shown_count, view.current_node) == (1, 0)  # the selected node is always shown
    assert not send(view, kind="find", text="bet")
    found = view.drawing["search_result"]
    assert (found["count"], found["position"]) == (24, 1)
    first = view.current_node
    assert view.tree.last_action(first) == "bet"
    assert not send(view, kind="go_to_match", step=1)
    assert view.drawing["search_result"]["position"] == 2
    assert not send(view, kind="go_to_match", step=-1)
    assert not send(view, kind="go_to_match", step=-1)
    assert view.drawing["search_result"]["position"] == 24
    assert not send(view, kind="find", text="")
    assert view.drawing["search_result"] is None


def test_search_finds_folded_nodes_in_drawing_order():
    """It searches moves, views, payoffs, numbers and whole cards."""
    view = board.Tree(hidden(), depth=0)
    tree = view.tree
    assert [tree.last_action(node) for node in view.find("take")] == ["take"] * 64
    assert all("7c" in tree.last_action(node).split() for node in view.find("7c"))
    assert view.find("♣") == [] or all(tree.actor[node] >= 0 for node in view.find("♣"))
    assert [tree.infoset_of[node] for node in view.find("holds 6c 7c 6d, table 7d")] == [
        tree.infoset_of[node] for node in view.find("6♣︎ 7♣︎ 6♦︎; table: 7♦︎")
    ]
    assert view.find("#17") == [17]
    assert 17 in view.find("17")
    ends = [node for node in range(tree.history_count) if tree.actor[node] == -2]
    assert set(view.find("-1")) == {end for end in ends if -1 in tree.payoffs[tree.infoset_of[end]]}
    assert view.find("  ") == view.find("no such thing") == []
    drawn = board.Tree(drawing_cards())
    assert drawn.find("7d")
    assert "draws" in drawn.tree.last_action(next(node for node in drawn.find("7d") if drawn.tree.actor[drawn.tree.parent[node]] == -1))
    order = [view.expansion.shown_nodes.index(node) for node in view.find("take") if view.expansion.is_shown(node)]
    assert order == sorted(order)


def test_search_finds_moves_by_their_displayed_words():
    """It works in each language."""
    view = board.Tree(ending(), language="ru", depth=0)
    assert view.find("берёт") == view.find("take") != []
    view.language = "lt"
    assert view.find("ima") == view.find("take")


def test_only_histories_that_the_strategy_reaches_are_opened():
    """Without a strategy a message says what to do."""
    view = board.Tree(ending(), depth=0)
    with pytest.raises(DurakError, match=english("board.refused.nothing")):
        view.unfold(only_reached=True)
    view.solve()
    view.unfold(only_reached=True)
    reach = reach_probabilities(ending(), view.solution.strategy)
    assert view.expansion.open_nodes == {node for node in range(ending().history_count) if reach[node] and ending().child_count[node]}
    assert 1 < view.expansion.shown_count < ending().history_count


def test_almost_impossible_moves_of_a_learned_strategy_are_not_reached():
    """CFR+ keeps tiny probabilities of most moves; these open nothing."""
    view = board.Tree(kuhn(), depth=0)
    view.solve("cfr+")
    view.unfold(only_reached=True)
    rows = view.solution.strategy.rows
    tree = view.tree
    for node in view.expansion.open_nodes - {0}:
        before = tree.parent[node]
        assert tree.actor[before] == -1 or rows[tree.infoset_of[before]][node - tree.first_child[before]] > MIN_REACHED_PROBABILITY
    assert view.expansion.shown_count < tree.history_count


def test_every_tree_is_described_and_drawn_in_every_language():
    """Test outline, both drawing directions and each node, without words of another language."""
    for language in ["en", "ru", "lt"]:
        for name in TREES:
            view = board.Tree(TREES[name](), depth=99, language=language)
            assert str(view).count("\n") >= min(view.tree.history_count, 200)
            descriptions = [view.describe_node(node) for node in range(0, view.tree.history_count, 7)]
            assert all(description.endswith(".") for description in descriptions)
            assert language == "en" or not any(
                "holds" in description or "attacks" in description for description in [*descriptions, str(view)]
            )
            right = view.svg()
            view.direction = "down"
            assert view.svg() != right


def test_labels_speak_of_players_and_not_of_seats():
    """Durak labels use the table's words."""
    for tree in (ending(), hidden(), talon(), drawing_cards()):
        assert "seat " not in str(board.Tree(tree, depth=3))


def test_authors_can_label_nodes_and_branches():
    """Any number of labels is possible where a move can be made."""
    view = board.Tree(kuhn(), depth=9)
    view.add_label(7, "a trap")
    view.add_label(7, "mind it")
    view.add_label((0, "bet"), "a bluff")
    assert view.drawing["labels"] == {"nodes": {"7": ["a trap", "mind it"]}, "branches": {"8": ["a bluff"], "10": ["a bluff"]}}
    assert "a trap · mind it" in view.svg()
    assert "a bluff" in str(view)
    view.add_label(7, None)
    assert view.drawing["labels"]["nodes"] == {}
    for where, text in (
        (99, "x"),
        ((0, "bett"), "x"),
        ((0, 2), "x"),
        ((99, 0), "x"),
        ((0,), "x"),
        ("7", "x"),
        (7, ""),
        (7, 5),
        (None, "x"),
    ):
        with pytest.raises(DurakError):
            view.add_label(where, text)
    with pytest.raises(DurakError, match=r"0 has no move 'bett'\. Did you mean 'bet'\?"):
        view.add_label((0, "bett"), "x")


WRONG = [
    (lambda: board.Tree("podkidnoy"), r"'podkidnoy'.*analysis\.build_game_tree\(rules\)"),
    (lambda: board.Tree(None), "None"),
    (lambda: board.Tree(Rules()), "is not a game tree"),
    (lambda: board.Tree(kuhn(), dept=3), r"Tree has no option 'dept'\. Did you mean 'depth'\?"),
    (lambda: board.Tree(kuhn(), direction="dwn"), r"'right', 'down'.*mean 'down'\?"),
    (lambda: board.Tree(kuhn(), values=1), "values .*1"),
    (lambda: board.Tree(kuhn(), language="lit"), "Did you mean 'lt'"),
    (lambda: board.Tree(kuhn(), depth=-1), "0.*-1"),
    (lambda: board.Tree(kuhn(), depth=float("nan")), "not nan"),
    (lambda: board.Tree(kuhn()).go_to(55), "0 to 54"),
    (lambda: board.Tree(kuhn()).go_to(True), "history"),
    (lambda: board.Tree(kuhn()).unfold(player=2), "0 to 1"),
    (lambda: board.Tree(kuhn()).unfold(3.0), "history"),
    (lambda: board.Tree(kuhn()).find(9), "short text"),
    (lambda: board.Tree(kuhn()).find("x" * 300), "short text"),
    (lambda: board.Tree(kuhn()).open_on_table(7), english("board.refused.no_table")),
    (lambda: board.Tree(kuhn()).table, english("board.refused.no_table")),
    (lambda: board.Tree(hidden()).open_on_table(0), english("board.refused.chance")),
]


def test_invalid_calls_are_refused_with_a_message():
    """The message says what is wrong and what would be right."""
    for do, sentence in WRONG:
        with pytest.raises(DurakError, match=sentence) as refused:
            do()
        assert len(str(refused.value)) < 300


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["all", "player", "depth", "reached", "9c", "start"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["kind", "id", "n", "text"]), inner, max_size=3),
    max_leaves=5,
)
FIELDS = [
    "id",
    "scope",
    "command",
    "number",
    "text",
    "step",
    "player",
    "on",
    "node",
    "index",
    "infoset",
    "action",
    "probability",
    "strategy",
    "row",
    "column",
]
OWN = sorted(
    set(MESSAGE_HANDLERS)
    - {
        "solve",
        "learn",
        "show_matrix",
        "select_cell",
        "eliminate",
        "undo_elimination",
        "mark_best_responses",
        "set_probability",
        "delete_own_strategy",
    }
)


@given(st.sampled_from([*OWN, "togle", ""]), st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=4))
def test_hostile_messages_are_carried_out_or_refused(kind, fields):
    """What is shown stays valid, and there is never a traceback."""
    view = board.Tree(load_file("horse"))
    for answer in send(view, **{**fields, "kind": kind}):
        assert answer["kind"] in {"error", "node_details"}
        assert "failed" not in answer["text"]
        assert len(answer["text"]) < 400
    assert view.drawing["current_node"] in view.drawing["nodes"]["id"]
    assert view.drawing["size"]["shown"] == view.expansion.shown_count
    view.close()


def test_malformed_messages_are_refused():
    """Test arbitrary values."""
    for message in [None, 5, "toggle", [], {}, {"kind": None}, {"kind": ["toggle"]}, {"kind": "toggle"}, {"id": 3}]:
        view = board.Tree(kuhn())
        view.send = Mock()
        view._receive_message(view, message, [])
        assert [call.args[0]["kind"] for call in view.send.call_args_list] == ["error"]


def test_the_page_can_change_only_display_settings():
    """Wrong values and all other settings are ignored."""
    view = board.Tree(kuhn())
    view.set_state(
        {
            "direction": "down",
            "values": "yes",
            "language": "lt",
            "drawing_view": {},
            "question_view": {"question_kind": "values"},
            "task": 3,
        }
    )
    assert (view.direction, view.values, view.language) == ("down", False, "lt")
    assert view.drawing["direction"] == "down"
    assert view.drawing["players"] == ["Žaidėjas 1", "Žaidėjas 2"]
    assert view.question is None
    assert view.question_view == {}


def test_players_without_a_name_are_numbered():
    """Given names are kept."""
    view = board.Tree(wide(), depth=0)
    assert view.drawing["players"] == ["Ann", "Player 2", "Cid"]
    assert view.drawing["title"] == "a wide game"


def test_moves_without_a_name_are_numbered():
    """Each branch has a label."""
    view = board.Tree(gametheory.from_efg('EFG 2 R "" { "A" } p "" 1 1 "" { "" "" } 0 t "" 1 "" { 1 } t "" 2 "" { 1/3 }'))
    assert [move["text"] for move in view.drawing["infosets"]["0"]["moves"]] == ["1", "2"]
    assert view.drawing["payoffs"]["1"] == ["1/3"]


def test_trivial_games_and_games_of_a_hundred_players_are_shown():
    """Test a game without moves and a game of one player."""
    over = board.Tree(gametheory.build_tree("", {"": gametheory.TerminalNode((1, -1))}.__getitem__, player_count=2))
    over.unfold()
    over.toggle(0)
    over.handle_message({"kind": "go_to_match", "step": 1})
    assert (over.expansion.shown_count, over.drawing["payoffs"]) == (1, {"0": ["1", "-1"]})
    assert "<svg" in over.svg()
    alone = board.Tree(
        gametheory.build_tree(
            "",
            {"": gametheory.DecisionNode(0, "", [("a", "z"), ("b", "z")]), "z": gametheory.TerminalNode((3,))}.__getitem__,
            player_count=1,
        )
    )
    assert printed_text(alone) == f"{english_text('tree.size.all', count='3')}\n[0] Player 1\n  [1] a: the end, 3\n  [2] b: the end, 3"
    crowd = " ".join(f'"P{player}"' for player in range(100))
    pays = " ".join("1" for _ in range(100))
    many = board.Tree(gametheory.from_efg(f'EFG 2 R "" {{ {crowd} }} p "" 100 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ {pays} }} t "" 1'))
    assert len(many.drawing["payoffs"]["0"]) == 100
    assert "<svg" in many.svg()


def printed_text(view):
    """Return what a terminal shows."""
    return str(view)


def test_refusals_are_in_the_language_of_the_person():
    """Test clicks that cannot be carried out."""
    for language in ["en", "ru", "lt"]:
        view = board.Tree(hidden(), language=language)
        answers = [*send(view, kind="unfold", scope="reached"), *send(view, kind="open_table", id=0)]
        reasons = [Translator(language).translate(f"board.refused.{why}") for why in ("nothing", "chance")]
        assert answers == [{"kind": "error", "text": why} for why in reasons]


def test_an_exercise_on_the_tree_is_shown_and_gets_answers():
    """Messages go to it until it is over."""

    class Task:
        question_kind, is_over, given = "path", False, ()

        def to_message(self):
            return {"moves": dict(self.given)}

        def handle_answer(self, message):
            self.given = (*self.given, (str(message["node"]), message["action"]))

    view, task = board.Tree(kuhn()), Task()
    assert "no question" in send(view, kind="answer", node=3, action=1)[0]["text"]
    view.question = task
    assert view.get_state("question_view") == {"question_view": {"question_kind": "path", "moves": {}}}
    assert not send(view, kind="answer", node=3, action=1)
    assert view.question_view == {"question_kind": "path", "moves": {"3": 1}}
    task.is_over = True
    assert not send(view, kind="answer", node=4, action=1)
    assert view.question_view["moves"] == {"3": 1}
    view.question = None
    assert view.question_view == {}
