"""The intuitive criterion: the books' answers, and its definition over beliefs as fine as the payoffs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.signalling_games import describe_why_not_signalling, find_intuitive_refutations, require_signalling_game
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree
from support.sizes import tried

F = Fraction
KNOWN = [
    ("beer-quiche", {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"}, []),  # Cho and Kreps (1987)
    ("beer-quiche", {"strong": "quiche", "weak": "quiche", "sees beer": "duel", "sees quiche": "defer"}, [("beer", "strong", ("weak",))]),
    ("spence", {"worth 1": "none", "worth 2": "school", "sees school": "wage 2", "sees none": "wage 1"}, []),
    ("spence", {"worth 1": "none", "worth 2": "none", "sees school": "wage 1", "sees none": "wage 2"}, []),
    (
        "spence",
        {"worth 1": "none", "worth 2": "none", "sees school": "wage 1", "sees none": "wage 1"},
        [("school", "worth 2", ("worth 1",))],
    ),
]


def test_the_books_refute_the_same():
    """Beer stands, quiche is refuted by beer, which strong would have; and of the schools the one that nobody pays for, by whoever is worth 2."""
    for name, chosen, refuted in KNOWN:
        tree = gametheory.textbook(name)
        found = find_intuitive_refutations(tree, Strategy.from_mapping(tree, chosen))
        assert [(one.message, one.type_label, one.excluded_types) for one in found] == refuted
        for one in found:
            assert tree.infosets[one.type_infoset].actions[one.message_index] == one.message
            assert tree.infosets[one.receiver_infoset].label == f"sees {one.message}"


OTHERS = {
    "horse": "chance does not begin",
    "bayes": "One does not know its type",
    "entry": "chance does not begin",
    "kuhn": "does not know its type",
    "driver": "chance does not begin",
}


def test_other_games_are_none_of_signals():
    """Why a game is no signalling game is said, and asked all the same it is refused with that."""
    for name, known in OTHERS.items():
        tree = gametheory.textbook(name)
        assert known in describe_why_not_signalling(tree)
        with pytest.raises(gametheory.TreeError, match="this is no signalling game: "):
            require_signalling_game(tree)


def of_signals(rng, *, messages=2, answers=2, blind=False, more=False, second=1):
    """A random signalling game of two types; `blind`: messages are not seen; `more`: it goes on after the answer; `second`: who answers."""
    pays = {}

    def look(where):
        if where == "":
            return ChanceNode([("t0", F(1, 3), "0"), ("t1", F(2, 3), "1")])
        if len(where) == 1:
            return DecisionNode(0, where, [(f"m{one}", f"{where}{one}") for one in range(messages)])
        if len(where) == 2:
            return DecisionNode(
                second, ("blind" if blind else f"sees m{where[1]}"), [(f"a{one}", f"{where}{one}") for one in range(answers)]
            )
        if more and len(where) == 3:
            return DecisionNode(0, where, [("on", where + "0")])
        return TerminalNode(pays.setdefault(where, (rng.randint(-3, 3), rng.randint(-3, 3))))

    return build_tree("", look, player_count=2)


def test_what_is_missing_is_said():
    """Messages that are not seen, a game that goes on, a sender who answers itself."""
    for form, said in (
        ({"blind": True}, "Player 2 does not see which message was sent"),
        ({"more": True}, "it goes on after the answer"),
        ({"second": 0}, "not answered by one"),
    ):
        assert said in describe_why_not_signalling(of_signals(Random(1), **form))


def by_definition(tree, strategy):
    """Cho and Kreps's two steps, with the best answers found by a grid of beliefs that is as fine as payoffs from −3 to 3 ask for."""
    game, found = require_signalling_game(tree), []
    grid = sorted({F(n, d) for d in range(1, 13) for n in range(d + 1)})

    def pay(type_, sent, answer, seat):
        node = tree.first_child[tree.first_child[type_] + sent] + answer
        return tree.payoffs[tree.infoset_of[node]][seat]

    def best(types, sent):
        able = set()
        beliefs = [(one, 1 - one) for one in grid] if len(types) == 2 else [(F(1),)]
        for belief in beliefs:
            has = [sum(sure * pay(one, sent, answer, 1) for sure, one in zip(belief, types, strict=True)) for answer in (0, 1)]
            able |= {answer for answer in (0, 1) if has[answer] == max(has)}
        return able

    def has(type_):
        rows = strategy.rows
        return sum(
            rows[tree.infoset_of[type_]][sent] * rows[tree.infoset_of[tree.first_child[type_] + sent]][answer] * pay(type_, sent, answer, 0)
            for sent in (0, 1)
            for answer in (0, 1)
        )

    for sent in (0, 1):
        if any(strategy.rows[tree.infoset_of[type_]][sent] for type_ in game.type_nodes):
            continue
        left = [one for one in game.type_nodes if has(one) <= max(pay(one, sent, answer, 0) for answer in best(game.type_nodes, sent))]
        found += [
            (f"m{sent}", tree.last_action(one)) for one in left if has(one) < min(pay(one, sent, answer, 0) for answer in best(left, sent))
        ]
    return found


def test_it_is_as_cho_and_kreps_define_it():
    """Of random signalling games in which both types send the same: the refutations are those of the definition."""
    rng, refuted = Random(6), 0
    for _ in range(tried(80, 300)):
        tree = of_signals(rng)
        strategy = Strategy(
            tree, [(F(1), F(0)) if one.player == 0 else rng.choice([(1, 0), (0, 1), (F(1, 2), F(1, 2))]) for one in tree.infosets]
        )
        expected = by_definition(tree, strategy)
        types = {place: f"t{label}" for place, label in ((strategy.find_infoset(one), one) for one in "01")}
        assert sorted((one.message, types[one.type_infoset]) for one in find_intuitive_refutations(tree, strategy)) == sorted(expected)
        refuted += bool(expected)
    assert tried(5, 20) < refuted < tried(75, 280)
