"""A tree in the notebook: what each message does, what code does, and what is refused."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.boards import TREES, drawing_cards, ending, hidden, of_file, talon, wide
from durak_widget import DurakError, Rules, board, gametheory
from durak_widget.board.tree_expansion import MIN_REACHED_PROBABILITY
from durak_widget.board.tree_message_handlers import MESSAGE_HANDLERS
from durak_widget.gametheory.best_responses import reach_probabilities
from durak_widget.i18n import Translator
from support.textbook import kuhn


def say(view, **message):
    """The page says this; what it is refused with, if it is."""
    heard = []
    view.send = lambda content, **_: heard.append(content)
    view._receive_message(view, message, [])
    del view.send
    return heard


def test_the_drawing_is_as_it_was_agreed():
    """Every part that the page reads is there, and only of what is shown; it can be sent."""
    view = board.Tree(hidden(), depth=1)
    drawing = view.drawing
    assert set(drawing) == {
        *(
            "id",
            "laid",
            "title",
            "direction",
            "seats",
            "size",
            "nodes",
            "sets",
            "chances",
            "ends",
            "joined",
            "lanes",
            "labels",
            "at",
            "crumbs",
            "found",
        )
    }
    assert set(drawing["nodes"]) == {"id", "up", "level", "row", "actor", "info", "more", "at"}
    deal = drawing["chances"]["0"]["moves"][0]
    assert deal == {"said": "Player 1: 6♣︎; Player 2: 6♦︎; talon 7♣︎ 7♦︎", "hands": [["6c"], ["6d"]], "talon": ["7c", "7d"], "likely": "1/24"}
    assert drawing["sets"]["0"]["moves"][0] == {
        "said": "beats the 7 of diamonds with the 6 of clubs", "verb": "beat", "cards": ["6c"], "on": ["7d"]
    }  # fmt: skip
    assert drawing["sets"]["0"]["said"] == "holds 6♣︎ 7♣︎ 6♦︎; table: 7♦︎"
    state = view.get_state()
    assert unpacked(state["drawing"]) | state["looked"] == json.loads(json.dumps(drawing)) == drawing
    assert state["solution"] == state["matrix"] == state["task"] == state["learning"] == {}


def unpacked(told):
    """A drawing as the page reads it."""
    sets = {key: {"said": said, "moves": [told["moves"][one] for one in moves]} for key, (said, *moves) in told["sets"].items()}
    nodes = {name: list(memoryview(column).cast("d" if name == "row" else "i")) for name, column in told["nodes"].items()}
    return {name: one for name, one in told.items() if name != "moves"} | {"sets": sets, "nodes": nodes}


def test_who_only_looks_about_is_not_told_everything_again():
    """Looking and finding tell where one is and what was found; a label, or another direction, tells the drawing."""
    view, sent = board.Tree(kuhn()), []
    view.comm.send = lambda data=None, **_: sent.append(set(data["state"]))
    view.go_to(3)
    view.find("bet")
    assert sent == [{"looked"}, {"looked"}]
    view.add_label(3, "a trap")
    assert "drawing" in sent[-1]


def test_a_drawing_that_is_laid_as_before_says_so():
    """Looking and finding lay nothing anew; opening does."""
    view = board.Tree(kuhn())
    laid, number = view.drawing["laid"], view.drawing["id"]
    view.go_to(3)
    view.find("bet")
    assert view.drawing["laid"] == laid
    assert view.drawing["id"] > number
    view.unfold()
    assert view.drawing["laid"] == view.drawing["id"]


def test_messages_open_fold_look_and_find():
    """What a person does on the page, one after another."""
    view = board.Tree(kuhn(), depth=1)
    assert view.expansion.shown_count == 7
    assert not say(view, kind="toggle", id=3)
    assert view.expansion.shown_count == 9
    assert not say(view, kind="open", what="all")
    assert view.expansion.shown_count == 55
    assert not say(view, kind="open", what="depth", n=2)
    assert view.drawing["size"] == {"histories": 55, "shown": 19, "levels": 3, "rows": 12}
    assert not say(view, kind="open", what="seat", n=1)
    assert view.expansion.shown_count == 43
    assert not say(view, kind="look", id=44)
    assert view.current_node == view.drawing["at"] == 44
    assert [crumb["said"] for crumb in view.drawing["crumbs"]] == ["the beginning", "JQ", "pass", "bet", "bet"]
    assert not say(view, kind="close")
    assert (view.expansion.shown_count, view.current_node) == (1, 0)  # what is looked at is always shown
    assert not say(view, kind="find", text="bet")
    found = view.drawing["found"]
    assert (found["count"], found["place"]) == (24, 1)
    first = view.current_node
    assert view.tree.last_action(first) == "bet"
    assert not say(view, kind="next", step=1)
    assert view.drawing["found"]["place"] == 2
    assert not say(view, kind="next", step=-1)
    assert not say(view, kind="next", step=-1)
    assert view.drawing["found"]["place"] == 24
    assert not say(view, kind="find", text="")
    assert view.drawing["found"] is None


def test_one_finds_what_is_not_open_in_the_order_of_the_drawing():
    """Moves, what seats know, payoffs, numbers and cards; a card as a whole word, and not in every deal."""
    view = board.Tree(hidden(), depth=0)
    tree = view.tree
    assert [tree.last_action(one) for one in view.find("take")] == ["take"] * 64
    assert all("7c" in tree.last_action(one).split() for one in view.find("7c"))
    assert view.find("♣") == [] or all(tree.actor[one] >= 0 for one in view.find("♣"))
    assert [tree.infoset_of[one] for one in view.find("holds 6c 7c 6d, table 7d")] == [
        tree.infoset_of[one] for one in view.find("6♣︎ 7♣︎ 6♦︎; table: 7♦︎")
    ]
    assert view.find("#17") == [17]
    assert 17 in view.find("17")
    ends = [one for one in range(tree.history_count) if tree.actor[one] == -2]
    assert set(view.find("-1")) == {one for one in ends if -1 in tree.payoffs[tree.infoset_of[one]]}
    assert view.find("  ") == view.find("no such thing") == []
    drawn = board.Tree(drawing_cards())
    assert drawn.find("7d")
    assert "draws" in drawn.tree.last_action(next(one for one in drawn.find("7d") if drawn.tree.actor[drawn.tree.parent[one]] == -1))
    order = [view.expansion.shown_nodes.index(one) for one in view.find("take") if view.expansion.is_shown(one)]
    assert order == sorted(order)


def test_moves_are_found_as_they_are_said():
    """In the words of the language, too."""
    view = board.Tree(ending(), language="ru", depth=0)
    assert view.find("берёт") == view.find("take") != []
    view.language = "lt"
    assert view.find("ima") == view.find("take")


def test_only_what_the_strategy_reaches():
    """Histories of positive reach are open; without a strategy it is said what to do."""
    view = board.Tree(ending(), depth=0)
    with pytest.raises(DurakError, match=r"No strategy is shown yet: solve the game"):
        view.unfold(only_reached=True)
    view.solve()
    view.unfold(only_reached=True)
    reach = reach_probabilities(ending(), view.solution.strategy)
    assert view.expansion.open_nodes == {one for one in range(ending().history_count) if reach[one] and ending().child_count[one]}
    assert 1 < view.expansion.shown_count < ending().history_count


def test_what_a_learned_strategy_hardly_ever_does_is_not_reached():
    """CFR+ gives most moves some weight: what is left of a move that is as good as never made opens nothing."""
    view = board.Tree(kuhn(), depth=0)
    view.solve("cfr+")
    view.unfold(only_reached=True)
    rows = view.solution.strategy.rows
    tree = view.tree
    for one in view.expansion.open_nodes - {0}:
        before = tree.parent[one]
        assert tree.actor[before] == -1 or rows[tree.infoset_of[before]][one - tree.first_child[before]] > MIN_REACHED_PROBABILITY
    assert view.expansion.shown_count < tree.history_count


def test_every_tree_is_told_and_drawn_in_every_language():
    """The outline, the picture both ways, each node told: nothing fails, and nothing of one language is left in another."""
    for language in ["en", "ru", "lt"]:
        for name in TREES:
            view = board.Tree(TREES[name](), depth=99, language=language)
            assert str(view).count("\n") >= min(view.tree.history_count, 200)
            told = [view.describe_node(node) for node in range(0, view.tree.history_count, 7)]
            assert all(one.endswith(".") for one in told)
            assert language == "en" or not any("holds" in one or "attacks" in one for one in [*told, str(view)])
            right = view.svg()
            view.direction = "down"
            assert view.svg() != right


def test_no_label_speaks_of_seats_as_programs_do():
    """What is said of Durak speaks of players as the table does."""
    for tree in (ending(), hidden(), talon(), drawing_cards()):
        assert "seat " not in str(board.Tree(tree, depth=3))


def test_labels_of_an_author():
    """Any number, on nodes and on branches, everywhere a move may be made."""
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
    with pytest.raises(DurakError, match=r"information set 0 has no move 'bett'\. Did you mean 'bet'\? It has pass, bet"):
        view.add_label((0, "bett"), "x")


WRONG = [
    (lambda: board.Tree("podkidnoy"), r"'podkidnoy' is no tree of a game; analysis\.build_game_tree\(rules\) makes one"),
    (lambda: board.Tree(None), "None is no tree"),
    (lambda: board.Tree(Rules()), "is no tree of a game"),
    (lambda: board.Tree(kuhn(), dept=3), r"Tree has no option 'dept'\. Did you mean 'depth'\?"),
    (lambda: board.Tree(kuhn(), direction="dwn"), r"direction takes 'right', 'down'\. Did you mean 'down'\?"),
    (lambda: board.Tree(kuhn(), values=1), r"values=1: values takes True or False"),
    (lambda: board.Tree(kuhn(), language="lit"), "Did you mean 'lt'"),
    (lambda: board.Tree(kuhn(), depth=-1), "depth is how many levels are opened, a whole number from 0 on, not -1"),
    (lambda: board.Tree(kuhn(), depth=float("nan")), "not nan"),
    (lambda: board.Tree(kuhn()).go_to(55), "55 is no history of this tree; they are numbered from 0 to 54"),
    (lambda: board.Tree(kuhn()).go_to(True), "True is no history"),
    (lambda: board.Tree(kuhn()).unfold(player=2), "2 is no seat of this tree; the seats are 0 to 1"),
    (lambda: board.Tree(kuhn()).unfold(3.0), "3.0 is no history"),
    (lambda: board.Tree(kuhn()).find(9), "what is looked for is a short text"),
    (lambda: board.Tree(kuhn()).find("x" * 300), "what is looked for is a short text"),
    (lambda: board.Tree(kuhn()).open_on_table(7), "This is no tree of Durak"),
    (lambda: board.Tree(kuhn()).table, "This is no tree of Durak"),
    (lambda: board.Tree(hidden()).open_on_table(0), "Chance decides here"),
]


def test_what_cannot_be_is_refused_in_a_sentence():
    """What is wrong and what would be right; one sentence for whoever types."""
    for do, said in WRONG:
        with pytest.raises(DurakError, match=said) as refused:
            do()
        assert len(str(refused.value)) < 300


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["all", "seat", "depth", "reached", "9c", "start"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["kind", "id", "n", "text"]), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ["id", "what", "n", "text", "step", "seat", "on", "node", "to", "set", "move", "row", "column"]
OWN = sorted(set(MESSAGE_HANDLERS) - {"solve", "learn", "matrix", "cell", "strike", "unstrike", "best", "likely", "forget"})


@given(st.sampled_from([*OWN, "togle", ""]), st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=4))
def test_no_message_of_a_hostile_page_gets_through(kind, fields):
    """It is done or refused in a sentence; what is shown stays whole, and it never is a traceback."""
    view = board.Tree(of_file("horse"))
    for answer in say(view, **{**fields, "kind": kind}):
        assert answer["kind"] in {"error", "told"}
        assert "failed" not in answer["said"]
        assert len(answer["said"]) < 400
    assert view.drawing["at"] in view.drawing["nodes"]["id"]
    assert view.drawing["size"]["shown"] == view.expansion.shown_count
    view.close()


def test_what_is_no_message_is_refused():
    """Whatever came over the wire."""
    for message in [None, 5, "toggle", [], {}, {"kind": None}, {"kind": ["toggle"]}, {"kind": "toggle"}, {"id": 3}]:
        view = board.Tree(kuhn())
        view.send = Mock()
        view._receive_message(view, message, [])
        assert [call.args[0]["kind"] for call in view.send.call_args_list] == ["error"]


def test_the_page_may_change_how_it_looks_and_nothing_else():
    """Settings are taken where they may be; a wrong one, and what is not the page's to change, is not."""
    view = board.Tree(kuhn())
    view.set_state({"direction": "down", "values": "yes", "language": "lt", "drawing": {}, "told_task": {"asks": "values"}, "task": 3})
    assert (view.direction, view.values, view.language) == ("down", False, "lt")
    assert view.drawing["direction"] == "down"
    assert view.drawing["seats"] == ["Žaidėjas 1", "Žaidėjas 2"]
    assert view.question is None
    assert view.told_task == {}


def test_a_player_without_a_name_has_a_number():
    """Names stand as they are given; where none is, the player is counted."""
    view = board.Tree(wide(), depth=0)
    assert view.drawing["seats"] == ["Ann", "Player 2", "Cid"]
    assert view.drawing["title"] == "a wide game"


def test_moves_without_names_are_numbered():
    """A branch always has something to call it by."""
    view = board.Tree(gametheory.from_efg('EFG 2 R "" { "A" } p "" 1 1 "" { "" "" } 0 t "" 1 "" { 1 } t "" 2 "" { 1/3 }'))
    assert [move["said"] for move in view.drawing["sets"]["0"]["moves"]] == ["1", "2"]
    assert view.drawing["ends"]["1"] == ["1/3"]


def test_the_smallest_game_and_one_of_many_players():
    """A game that is over before it begins, one of a single player, one of a hundred."""
    over = board.Tree(gametheory.build_tree("", {"": gametheory.TerminalNode((1, -1))}.__getitem__, player_count=2))
    over.unfold()
    over.toggle(0)
    over.handle_message({"kind": "next", "step": 1})
    assert (over.expansion.shown_count, over.drawing["ends"]) == (1, {"0": ["1", "-1"]})
    assert "<svg" in over.svg()
    alone = board.Tree(
        gametheory.build_tree(
            "",
            {"": gametheory.DecisionNode(0, "", [("a", "z"), ("b", "z")]), "z": gametheory.TerminalNode((3,))}.__getitem__,
            player_count=1,
        )
    )
    assert print_of(alone) == "Places: 3, all shown.\n[0] Player 1\n  [1] a: the end, 3\n  [2] b: the end, 3"
    crowd = " ".join(f'"P{one}"' for one in range(100))
    pays = " ".join("1" for _ in range(100))
    many = board.Tree(gametheory.from_efg(f'EFG 2 R "" {{ {crowd} }} p "" 100 1 "" {{ "a" "b" }} 0 t "" 1 "" {{ {pays} }} t "" 1'))
    assert len(many.drawing["ends"]["0"]) == 100
    assert "<svg" in many.svg()


def print_of(view):
    """What a terminal shows."""
    return str(view)


def test_what_a_person_is_refused_is_said_in_their_language():
    """What a click can ask for and cannot be."""
    for language in ["en", "ru", "lt"]:
        view = board.Tree(hidden(), language=language)
        answers = [*say(view, kind="open", what="reached"), *say(view, kind="table", id=0)]
        reasons = [Translator(language).translate(f"board.refused.{why}") for why in ("nothing", "chance")]
        assert answers == [{"kind": "error", "said": why} for why in reasons]


def test_what_asks_something_is_shown_and_given():
    """A task tells what it asks and what was given; a message goes to it, until it is over."""

    class Task:
        question_kind, is_over, given = "path", False, ()

        def to_message(self):
            return {"moves": dict(self.given)}

        def handle_answer(self, message):
            self.given = (*self.given, (str(message["node"]), message["move"]))

    view, task = board.Tree(kuhn()), Task()
    assert say(view, kind="give", node=3, move=1)[0]["said"] == "nothing is asked here, so there is nothing to answer"
    view.question = task
    assert view.get_state("told_task") == {"task": {"asks": "path", "moves": {}}}
    assert not say(view, kind="give", node=3, move=1)
    assert view.told_task == {"asks": "path", "moves": {"3": 1}}
    task.is_over = True
    assert not say(view, kind="give", node=4, move=1)
    assert view.told_task["moves"] == {"3": 1}
    view.question = None
    assert view.told_task == {}
