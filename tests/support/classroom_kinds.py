"""A small assignment with a question of every kind, for the tests of homework."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from durak_widget import Game, gametheory, lessons
from durak_widget.homework.assignment import Assignment, Question

RANKS = "9TJQKA"


def picked(lots):
    """Return the question which of six cards beat one."""
    trump, *suits = lots.sample("cdhs", 4)
    cards = [f"{rank}{suit}" for rank, suit in zip(lots.sample(RANKS, 6), [trump, *suits, suits[0], suits[0]], strict=True)]
    return lessons.Pick.beaters(cards[-1], of=cards[:-1], trump=trump)


def sorted_row(lots):
    """Return the question of ordering ten cards, which have enough orders for a check."""
    cards = [f"{rank}c" for rank in RANKS] + [f"{rank}d" for rank in lots.sample(RANKS, 4)]
    lots.shuffle(cards)
    return lessons.Sort(cards, trump="d")


def chosen(lots):
    """Return a choice of one answer out of three."""
    right = lots.choice(["first", "second", "third"])
    return lessons.Choose(
        {"en": "Which one?", "ru": "Который?", "lt": "Kuris?"}, {"first": "No. 1.", "second": "No. 2.", "third": "No. 3."}, right=right
    )


def few(lots):
    """Return a number question that can be guessed."""
    return lessons.Number("How many cards are there?", lots.randint(10, 60), mistakes={"contrary": 1})


def many(lots):
    """Return a number question that can't be guessed: hands of five cards out of 23 with some of a kind."""
    good = lots.choice([5, 6, 7])
    none = Fraction(comb(23 - good, 5), comb(23, 5)) + Fraction(1, 10**6 + lots.randint(1, 10**5))
    return lessons.Number(
        "How likely is it?", 1 - none, mistakes={"contrary": none, "mine": (1 - none**2, {"en": "Squared?", "ru": "Квадрат?"})}
    )


def coins(lots, *, seen=False):
    """Return matching pennies with random payoffs; Odd may see Even's coin."""
    won, places = lots.randint(2, 9), {"": gametheory.DecisionNode(0, "begins", [("heads", "h"), ("tails", "t")])}
    for coin in "ht":
        places[coin] = gametheory.DecisionNode(1, f"after {coin}" if seen else "answers", [("heads", coin + "h"), ("tails", coin + "t")])
        for other in "ht":
            places[coin + other] = gametheory.TerminalNode((won, -won) if coin == other == "h" else (1, -1) if coin == other else (-1, 1))
    return gametheory.build_tree("", places.__getitem__, player_count=2, names=("Even", "Odd"))


def dilemma(lots):
    """Return a prisoner's dilemma."""
    worst, low, high, best = sorted(lots.sample(range(20), 4))
    rows = [[(high, high), (worst, best)], [(best, worst), (low, low)]]
    return {"matrix": rows, "rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}


def played(lots):
    """Return the task of beating a card without a trump."""
    trump = lots.choice("hs")
    game = Game.from_position(hands=[f"9c A{trump} 7d", "Jd Qc"], trump=trump, table="7c", attacker=1)
    return lessons.Position(game, lessons.goals.beat_all(trumps=False), solution=["beat 7c 9c"], pace=0, motion=False)


KINDS = {
    "picked": (picked, "pick"),
    "row": (sorted_row, "sort"),
    "chosen": (chosen, "choose"),
    "few": (few, "number"),
    "many": (many, "number"),
    "values": (lambda lots: lessons.OnTree.values(coins(lots, seen=True)), "tree"),
    "path": (lambda lots: lessons.OnTree.path(coins(lots, seen=True), whole=True), "tree"),
    "sets": (lambda lots: lessons.OnTree.sets(coins(lots)), "tree"),
    "fill": (lambda lots: lessons.OnMatrix.fill(coins(lots)), "matrix"),
    "strike": (lambda lots: lessons.OnMatrix.strike(**dilemma(lots)), "matrix"),
    "best": (lambda lots: lessons.OnMatrix.best(gametheory.matrix(coins(lots))), "matrix"),
    "strategy": (lambda lots: lessons.Strategy(coins(lots)), "strategy"),
    "played": (played, "position"),
    "cells": (lambda lots: lessons.OnMatrix.equilibria(**dilemma(lots)), "matrix"),
}
ASSIGNMENT = Assignment(
    "all-kinds",
    {"en": "All kinds", "ru": "Всех видов", "lt": "Visų rūšių"},
    [Question(name, place % 3 + 1, name.title(), make, kind) for place, (name, (make, kind)) in enumerate(KINDS.items())],
)
WRONG = {
    "picked": [],
    "few": "1",
    "many": "1/3",
    "values": {"0": "7"},
    "path": {"0": "heads"},
    "sets": [],
    "fill": ["7"],
    "strike": [],
    "best": [[0, 0, 0]],
    "cells": [],
    "strategy": {"0": {"heads": "1"}},
    "played": ["take"],
}
"""A wrong answer to each question for all instances; for `row` and `chosen` any but the right one."""


def wrong(task, name):
    """Return a wrong answer to that instance."""
    if name == "row":
        return task.solution[::-1]
    if name == "chosen":
        return "second" if task.solution != ["second"] else "third"
    return WRONG[name]
