"""Test the intuitive criterion: literature results, and its definition on a grid of beliefs as fine as the payoffs."""

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


def test_refutations_are_those_of_the_literature():
    """Beer passes; quiche is refuted by beer, sent by the strong type. In Spence's game the equilibrium without pay for school is refuted by the type worth 2."""
    for name, chosen, refuted in KNOWN:
        tree = gametheory.textbook(name)
        found = find_intuitive_refutations(tree, Strategy.from_mapping(tree, chosen))
        assert [(refutation.message, refutation.type_label, refutation.excluded_types) for refutation in found] == refuted
        for refutation in found:
            assert tree.infosets[refutation.type_infoset].actions[refutation.message_index] == refutation.message
            assert tree.infosets[refutation.receiver_infoset].label == f"sees {refutation.message}"


OTHERS = {
    "horse": "chance",
    "bayes": "own type",
    "entry": "chance",
    "kuhn": "own type",
    "driver": "chance",
}


def test_other_games_are_not_signalling_games():
    """The reason is named, and `require_signalling_game` raises an error with it."""
    for name, known in OTHERS.items():
        tree = gametheory.textbook(name)
        assert known in describe_why_not_signalling(tree)
        with pytest.raises(gametheory.TreeError, match="signalling game"):
            require_signalling_game(tree)


def random_signalling_game(rng, *, messages=2, answers=2, blind=False, more=False, second=1):
    """Return a random signalling game of two types. `blind`: messages are hidden; `more`: play goes on after the answer; `second`: the player who answers."""
    pays = {}

    def node_at(where):
        if where == "":
            return ChanceNode([("t0", F(1, 3), "0"), ("t1", F(2, 3), "1")])
        if len(where) == 1:
            return DecisionNode(0, where, [(f"m{number}", f"{where}{number}") for number in range(messages)])
        if len(where) == 2:
            return DecisionNode(
                second, ("blind" if blind else f"sees m{where[1]}"), [(f"a{number}", f"{where}{number}") for number in range(answers)]
            )
        if more and len(where) == 3:
            return DecisionNode(0, where, [("on", where + "0")])
        return TerminalNode(pays.setdefault(where, (rng.randint(-3, 3), rng.randint(-3, 3))))

    return build_tree("", node_at, player_count=2)


def test_the_missing_property_is_named():
    """Hidden messages, a game that goes on, a sender who answers itself."""
    for form, reason in (
        ({"blind": True}, "which message"),
        ({"more": True}, "goes on after the"),
        ({"second": 0}, "must answer the messages"),
    ):
        assert reason in describe_why_not_signalling(random_signalling_game(Random(1), **form))


def refutations_by_definition(tree, strategy):
    """Return refutations by Cho and Kreps's two steps, with best answers on a grid of beliefs fine enough for payoffs from −3 to 3."""
    game, found = require_signalling_game(tree), []
    grid = sorted({F(n, d) for d in range(1, 13) for n in range(d + 1)})

    def pay(type_, sent, answer, seat):
        node = tree.first_child[tree.first_child[type_] + sent] + answer
        return tree.payoffs[tree.infoset_of[node]][seat]

    def best(types, sent):
        able = set()
        beliefs = [(probability, 1 - probability) for probability in grid] if len(types) == 2 else [(F(1),)]
        for belief in beliefs:
            has = [sum(sure * pay(type_node, sent, answer, 1) for sure, type_node in zip(belief, types, strict=True)) for answer in (0, 1)]
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
        left = [
            type_node
            for type_node in game.type_nodes
            if has(type_node) <= max(pay(type_node, sent, answer, 0) for answer in best(game.type_nodes, sent))
        ]
        found += [
            (f"m{sent}", tree.last_action(type_node))
            for type_node in left
            if has(type_node) < min(pay(type_node, sent, answer, 0) for answer in best(left, sent))
        ]
    return found


def test_refutations_match_the_definition():
    """In random signalling games in which both types send the same message."""
    rng, refuted = Random(6), 0
    for _ in range(tried(80, 300)):
        tree = random_signalling_game(rng)
        strategy = Strategy(
            tree, [(F(1), F(0)) if infoset.player == 0 else rng.choice([(1, 0), (0, 1), (F(1, 2), F(1, 2))]) for infoset in tree.infosets]
        )
        expected = refutations_by_definition(tree, strategy)
        types = {place: f"t{label}" for place, label in ((strategy.find_infoset(move), move) for move in "01")}
        assert sorted(
            (refutation.message, types[refutation.type_infoset]) for refutation in find_intuitive_refutations(tree, strategy)
        ) == sorted(expected)
        refuted += bool(expected)
    assert tried(5, 20) < refuted < tried(75, 280)
