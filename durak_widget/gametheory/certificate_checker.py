"""Checks a certificate of a game's value without using any solver's code.

The check is short enough to be read whole. It uses exact numbers and the arrays of the tree, and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from durak_widget.gametheory.certificate import Certificate
    from durak_widget.gametheory.tree import Tree


class CertificateError(DurakError, ValueError):
    """An error for a certificate that does not prove the bounds that it states."""


def check_certificate(tree: Tree, certificate: Certificate) -> Fraction:
    """Check a certificate of a game's value; return the gap between the certificate's bounds.

    Raise a `CertificateError` that says what is wrong if the certificate proves nothing.

    >>> from durak_widget.gametheory import Strategy, certify
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> certificate = certify(tree, Strategy.from_mapping(tree, {"begins": "l"}))
    >>> check_certificate(tree, certificate)
    Fraction(0, 1)
    >>> check_certificate(tree, certificate._replace(upper=Fraction(1, 2)))
    Traceback (most recent call last):
    durak_widget.gametheory.certificate_checker.CertificateError: the certificate claims upper = 1/2, but against the strategy of player 1, player 0 can get 1
    """
    rows = certificate.strategy.rows
    if tree.player_count != 2 or any(payoffs[0] + payoffs[1] for payoffs in tree.payoffs):
        raise CertificateError("a certificate needs a zero-sum game of two players: one player wins what the other loses")
    if len(rows) != len(tree.infosets) or any(len(row) != len(record.actions) for row, record in zip(rows, tree.infosets, strict=True)):
        raise CertificateError("the certificate is for another tree: its strategy has other information sets or moves")
    if any(type(probability) not in {int, Fraction} or probability < 0 for row in rows for probability in row) or any(
        sum(row) != 1 for row in rows
    ):
        raise CertificateError("the certificate's strategy must have exact probabilities that are at least 0 and add up to 1")
    try:
        lower, upper = -_compute_best_value(tree, rows, 1), _compute_best_value(tree, rows, 0)
    except RecursionError:
        raise CertificateError(
            "in this tree a player moves more often than Python's recursion limit allows; raise the limit with sys.setrecursionlimit"
        ) from None
    if certificate.lower != lower:
        raise CertificateError(f"the certificate claims lower = {certificate.lower}, but the strategy of player 0 guarantees {lower}")
    if certificate.upper != upper:
        raise CertificateError(
            f"the certificate claims upper = {certificate.upper}, but against the strategy of player 1, player 0 can get {upper}"
        )
    return upper - lower


def _compute_best_value(
    tree: Tree, rows: tuple[tuple[Fraction | float, ...], ...], player: int, nodes: list[tuple[int, Fraction]] | None = None
) -> Fraction:
    """Return a player's highest expected payoff if play starts at one of several nodes.

    The payoff after each start node is multiplied by the weight of this node. The start nodes are pairs of node and
    weight.

    The other player's action probabilities are in `rows`.
    """
    total, waiting = Fraction(0), nodes or [(0, Fraction(1))]
    infosets: dict[int, list[tuple[int, Fraction]]] = {}
    while waiting:
        node, weight = waiting.pop()
        actor, info = tree.actor[node], tree.infoset_of[node]
        if actor == -2:
            total += weight * tree.payoffs[info][player]
        elif actor == player:
            infosets.setdefault(info, []).append((node, weight))
        else:
            probabilities = tree.chance_moves[info].probabilities if actor == -1 else rows[info]
            waiting += [
                (child, weight * Fraction(probability))
                for child, probability in zip(tree.children(node), probabilities, strict=True)
                if probability
            ]
    for info, group in infosets.items():
        actions = range(len(tree.infosets[info].actions))
        total += max(
            _compute_best_value(tree, rows, player, [(tree.children(node)[action], weight) for node, weight in group]) for action in actions
        )
    return total
