"""Solve two-player zero-sum games by one linear program in floats, as large as the tree.

Koller, Megiddo and von Stengel (1994): a player's best mix is the solution of the program, and the solution of its dual is the other
player's. HiGHS (Huangfu and Hall 2018), which comes with scipy, solves it. `double_oracle` is exact and needs no numpy. On Durak trees of
700 to 22,000 histories this takes between the same time and a third of it; a poker of 3,500 histories takes half a second here, and
minutes there. `python -m benchmarks numpy_pairs` measures both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from durak_widget.gametheory.tree import TreeError

if TYPE_CHECKING:
    from durak_widget.gametheory.sequence_form import Floats, SequenceForm


class Program(NamedTuple):
    """A side's program: its plan, and what each information set of the other is then worth to the other at most, are to be found."""

    aim: Floats
    """What is to be made small: what the other has at the beginning."""
    below: csr_array
    """No move of the other may bring it more than its information set is worth: this, times what is to be found, is at most 0."""
    plan: csr_array
    """The plan is one: this, times what is to be found, is 1, 0, 0 …"""
    size: int
    """How many of the unknowns are the plan."""


def program(form: SequenceForm, seat: int) -> Program:
    """The program that finds a seat's best plan."""
    own, other = form.sides[seat], form.sides[1 - seat]
    payoffs = form.payoffs if seat == 0 else -form.payoffs.T
    worths = other.constraints()
    below = csr_array(hstack([-payoffs.T, -worths.T]))
    plan = own.constraints()
    plan = csr_array(hstack([plan, csr_array((plan.shape[0], worths.shape[0]))]))
    aim = np.zeros(own.size + worths.shape[0])
    aim[own.size] = 1.0
    return Program(aim, below, plan, own.size)


def linear(form: SequenceForm, algorithm: str = "highs") -> tuple[Floats, Floats]:
    """The probabilities of both sides' moves at an equilibrium, as near as floats come."""
    one = program(form, 0)
    certain = np.zeros(one.plan.shape[0])
    certain[0] = 1.0
    bounds = np.full((len(one.aim), 2), (-np.inf, np.inf))
    bounds[: one.size, 0] = 0.0
    found = linprog(one.aim, one.below, np.zeros(one.below.shape[0]), one.plan, certain, bounds, method=algorithm)
    if found.x is None or found.ineqlin.marginals is None:
        raise TreeError(f"the linear program came to no end: {found.message}; method='cfr+' solves larger trees")
    plans = found.x[: one.size], -found.ineqlin.marginals
    mine, theirs = (side.likely(np.maximum(plan[1:], 0.0)) for side, plan in zip(form.sides, plans, strict=True))
    return mine, theirs
