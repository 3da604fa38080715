"""An independent check of a certificate, short enough to be read whole: no solver's code, no floats, only the tree's own arrays."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from durak_widget.gametheory.certificate import Certificate
    from durak_widget.gametheory.tree import Tree


class CertificateError(DurakError, ValueError):
    """A certificate that does not prove what it says."""


def check(tree: Tree, certificate: Certificate) -> Fraction:
    """Replay a certificate: the gap that it leaves, proved anew; a `CertificateError` says what is wrong with it.

    >>> from durak_widget.gametheory import Strategy, certify
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> certificate = certify(tree, Strategy.of(tree, {"begins": "l"}))
    >>> check(tree, certificate)
    Fraction(0, 1)
    >>> check(tree, certificate._replace(upper=Fraction(1, 2)))
    Traceback (most recent call last):
    durak_widget.gametheory.certificate_checker.CertificateError: the certificate says upper = 1/2, and seat 1's strategy lets seat 0 have 1
    """
    rows = certificate.strategy.rows
    if tree.seats != 2 or any(one[0] + one[1] for one in tree.payoffs):
        raise CertificateError("a certificate is of a game of two seats in which one wins what the other loses")
    if len(rows) != len(tree.sets) or any(len(row) != len(one.moves) for row, one in zip(rows, tree.sets, strict=True)):
        raise CertificateError("the certificate is of another tree: its strategy has other information sets or moves")
    if any(type(one) not in {int, Fraction} or one < 0 for row in rows for one in row) or any(sum(row) != 1 for row in rows):
        raise CertificateError("the certificate's strategy must have exact probabilities of at least 0 that add up to 1")
    try:
        lower, upper = -_most(tree, rows, 1), _most(tree, rows, 0)
    except RecursionError:
        raise CertificateError("a seat moves more often here than Python follows; sys.setrecursionlimit lets it") from None
    if certificate.lower != lower:
        raise CertificateError(f"the certificate says lower = {certificate.lower}, and seat 0's strategy guarantees {lower}")
    if certificate.upper != upper:
        raise CertificateError(f"the certificate says upper = {certificate.upper}, and seat 1's strategy lets seat 0 have {upper}")
    return upper - lower


def _most(
    tree: Tree, rows: tuple[tuple[Fraction | float, ...], ...], seat: int, here: list[tuple[int, Fraction]] | None = None
) -> Fraction:
    """The most that a seat can get from these histories on, each with its weight, while the other plays by the rows."""
    total, waiting = Fraction(0), here or [(0, Fraction(1))]
    sets: dict[int, list[tuple[int, Fraction]]] = {}
    while waiting:
        history, weight = waiting.pop()
        who, info = tree.actor[history], tree.info[history]
        if who == -2:
            total += weight * tree.payoffs[info][seat]
        elif who == seat:
            sets.setdefault(info, []).append((history, weight))
        else:
            likely = tree.chances[info].probabilities if who == -1 else rows[info]
            waiting += [(child, weight * Fraction(p)) for child, p in zip(tree.children(history), likely, strict=True) if p]
    for info, group in sets.items():
        ways = range(len(tree.sets[info].moves))
        total += max(_most(tree, rows, seat, [(tree.children(history)[way], weight) for history, weight in group]) for way in ways)
    return total
