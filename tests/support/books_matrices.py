"""Textbook games with simultaneous moves, typed from their text, with the book's equilibria."""

from __future__ import annotations

from fractions import Fraction

from support.typed import Book, Said, matrix_game, three_at_once, typed

F = Fraction
NASH = "Nash equilibrium"


def both(row, column, payoffs):
    """Return an equilibrium of a matrix."""
    return Said({"One": row, "Two": column}, payoffs, NASH)


def _voters():
    """Return the game of three voters, two of whom prefer A; two votes win (1 for those who like it)."""

    def won(*votes):
        liked = int(votes.count("A") >= 2)
        return liked, liked, 1 - liked

    return three_at_once([[[won(first, second, third) for second in "AB"] for first in "AB"] for third in "AB"], "A B", "A B", "A B")


def _witnesses():
    """Return the game of three witnesses: a call is worth 4 to each and costs the caller 1."""

    def has(*calls):
        return tuple(4 * any(calls) - call for call in calls)

    return three_at_once(
        [[[has(action, two, three) for two in (1, 0)] for action in (1, 0)] for three in (1, 0)], "call wait", "call wait", "call wait"
    )


def _brother(probability):
    """Return the game of the District Attorney's brother and a partner who may hate to inform, which costs 6."""

    def subgame(loses):
        cells = {"silent": ((0, -2), (-10, -1 - loses)), "confess": ((-1, -10), (-5, -5 - loses))}
        knows = "hates to inform" if loses else "does not mind"
        return ("One", "One", {mine: ("Two", knows, dict(zip(("silent", "confess"), line, strict=True))) for mine, line in cells.items()})

    return typed(("One", "Two"), ("", {"does not mind": (probability, subgame(0)), "hates to inform": (1 - probability, subgame(6))}))


def _more_information(*, knows):
    """Return a game of two equally likely states, which player 2 knows or not."""
    small = F(1, 4)
    payoffs = {
        "first": {"T": ((1, 2 * small), (1, 0), (1, 3 * small)), "B": ((2, 2), (0, 0), (0, 3))},
        "second": {"T": ((1, 2 * small), (1, 3 * small), (1, 0)), "B": ((2, 2), (0, 3), (0, 0))},
    }
    states = {
        state: (
            F(1, 2),
            ("One", "One", {move: ("Two", state if knows else "Two", dict(zip("LMR", line, strict=True))) for move, line in moves.items()}),
        )
        for state, moves in payoffs.items()
    }
    return typed(("One", "Two"), ("", states))


BOOKS = {
    "dilemma": Book(
        "Osborne 2004, section 2.2, figure 15.1; Gibbons 1992, section 1.1.A",
        matrix_game([[(2, 2), (0, 3)], [(3, 0), (1, 1)]], "quiet fink", "quiet fink"),
        (both("fink", "fink", (1, 1)),),
        1,
        1,
    ),
    "bach": Book(
        "Osborne 2004, sections 2.3 and 4.3.3; Maschler, Solan and Zamir 2013, section 5.2",
        matrix_game([[(2, 1), (0, 0)], [(0, 0), (1, 2)]], "Bach Stravinsky", "Bach Stravinsky"),
        (
            both("Bach", "Bach", (2, 1)),
            both("Stravinsky", "Stravinsky", (1, 2)),
            both({"Bach": F(2, 3), "Stravinsky": F(1, 3)}, {"Bach": F(1, 3), "Stravinsky": F(2, 3)}, (F(2, 3), F(2, 3))),
        ),
        2,
        3,
    ),
    "stag": Book(
        "Osborne 2004, section 2.5, the stag hunt of two",
        matrix_game([[(2, 2), (0, 1)], [(1, 0), (1, 1)]], "stag hare", "stag hare"),
        (
            both("stag", "stag", (2, 2)),
            both("hare", "hare", (1, 1)),
            both({"stag": F(1, 2), "hare": F(1, 2)}, {"stag": F(1, 2), "hare": F(1, 2)}, (1, 1)),
        ),
        2,
        3,
    ),
    "mozart": Book(
        "Osborne and Rubinstein 1994, example 16.1: a coordination game",
        matrix_game([[(2, 2), (0, 0)], [(0, 0), (1, 1)]], "Mozart Mahler", "Mozart Mahler"),
        (both("Mozart", "Mozart", (2, 2)), both("Mahler", "Mahler", (1, 1))),
        2,
        3,
    ),
    "hawk": Book(
        "Osborne and Rubinstein 1994, example 16.3: Hawk-Dove",
        matrix_game([[(3, 3), (1, 4)], [(4, 1), (0, 0)]], "dove hawk", "dove hawk"),
        (
            both("dove", "hawk", (1, 4)),
            both("hawk", "dove", (4, 1)),
            both({"dove": F(1, 2), "hawk": F(1, 2)}, {"dove": F(1, 2), "hawk": F(1, 2)}, (2, 2)),
        ),
        2,
        3,
    ),
    "bernheim": Book(
        "Osborne and Rubinstein 1994, section 4.1, after Bernheim 1984: what is rationalizable",
        matrix_game(
            [
                [(0, 7), (2, 5), (7, 0), (0, 1)],
                [(5, 2), (3, 3), (5, 2), (0, 1)],
                [(7, 0), (2, 5), (0, 7), (0, 1)],
                [(0, 0), (0, -2), (0, 0), (10, -1)],
            ],
            "a1 a2 a3 a4",
            "b1 b2 b3 b4",
        ),
        (both("a2", "b2", (3, 3)),),
        1,
    ),
    "struck": Book(
        "Gibbons 1992, figure 1.1.1: iterated elimination",
        matrix_game([[(1, 0), (1, 2), (0, 1)], [(0, 3), (0, 1), (2, 0)]], "Up Down", "Left Middle Right"),
        (both("Up", "Middle", (1, 2)),),
        1,
        1,
    ),
    "unstruck": Book(
        "Gibbons 1992, figure 1.1.4: nothing is dominated, and there is one equilibrium",
        matrix_game([[(0, 4), (4, 0), (5, 3)], [(4, 0), (0, 4), (5, 3)], [(3, 5), (3, 5), (6, 6)]], "T M B", "L C R"),
        (both("B", "R", (6, 6)),),
        1,
        1,
    ),
    "risky": Book(
        "Maschler, Solan and Zamir 2013, chapter 4: equilibrium against security",
        matrix_game([[(2, 1), (2, -20)], [(3, 0), (-10, 1)], [(-100, 2), (3, 3)]], "T M B", "L R"),
        (both("B", "R", (3, 3)),),
        1,
    ),
    "chicken": Book(
        "Maschler, Solan and Zamir 2013, section 8.1, after Aumann 1974",
        matrix_game([[(6, 6), (2, 7)], [(7, 2), (0, 0)]], "T B", "L R"),
        (
            both("T", "R", (2, 7)),
            both("B", "L", (7, 2)),
            both({"T": F(2, 3), "B": F(1, 3)}, {"L": F(2, 3), "R": F(1, 3)}, (F(14, 3), F(14, 3))),
        ),
        2,
        3,
    ),
    "trembling": Book(
        "Maschler, Solan and Zamir 2013, section 7.3.1: two equilibria, of which only (T, L) is perfect",
        matrix_game([[(1, 1), (0, 0)], [(0, 0), (0, 0)]], "T B", "L R"),
        (both("T", "L", (1, 1)), both("B", "R", (0, 0))),
        2,
        2,
    ),
    "weakly": Book(
        "Mas-Colell, Whinston and Green 1995, section 8.B: what is left depends on the order in which weakly dominated strategies go",
        matrix_game([[(5, 1), (4, 0)], [(6, 0), (3, 1)], [(6, 4), (4, 4)]], "U M D", "L R"),
        (both("D", "L", (6, 4)), both("D", "R", (4, 4))),
        2,
    ),
    "new-york": Book(
        "Mas-Colell, Whinston and Green 1995, section 8.D: meeting in New York",
        matrix_game([[(100, 100), (0, 0)], [(0, 0), (100, 100)]], "Empire Central", "Empire Central"),
        (
            both("Empire", "Empire", (100, 100)),
            both("Central", "Central", (100, 100)),
            both({"Empire": F(1, 2), "Central": F(1, 2)}, {"Empire": F(1, 2), "Central": F(1, 2)}, (50, 50)),
        ),
        2,
        3,
    ),
    "middle": Book(
        "Mas-Colell, Whinston and Green 1995, section 8.D, the first example: (M, m)",
        matrix_game([[(5, 3), (0, 4), (3, 5)], [(4, 0), (5, 5), (4, 0)], [(3, 5), (0, 4), (5, 3)]], "U M D", "l m r"),
        (both("M", "m", (5, 5)),),
        1,
    ),
    "brother-seldom": Book(
        "Mas-Colell, Whinston and Green 1995, example 8.E.1, where a partner who does not mind informing is met with 1/10",
        _brother(F(1, 10)),
        (Said({"One": "silent", "does not mind": "confess", "hates to inform": "silent"}, (-1, F(-19, 10)), NASH),),
        1,
        1,
    ),
    "brother-often": Book(
        "Mas-Colell, Whinston and Green 1995, example 8.E.1, where such a partner is met with 1/2: more than 1/6, so One confesses",
        _brother(F(1, 2)),
        (Said({"One": "confess", "does not mind": "confess", "hates to inform": "silent"}, (-3, F(-15, 2)), NASH),),
        1,
        1,
    ),
    "uninformed": Book(
        "Osborne 2004, section 9.3.1: more information may hurt; nobody knows the state",
        _more_information(knows=False),
        (Said({"One": "B", "Two": "L"}, (2, 2), NASH),),
        1,
        1,
    ),
    "informed": Book(
        "Osborne 2004, section 9.3.1: more information may hurt; Two knows the state",
        _more_information(knows=True),
        (Said({"One": "T", "first": "R", "second": "M"}, (1, F(3, 4)), NASH),),
        1,
        1,
    ),
    "voting": Book(
        "Osborne 2004, section 2.9.3: two candidates; who votes for the other one votes a weakly dominated way",
        _voters(),
        (
            Said({"One": "A", "Two": "A", "Three": "B"}, (1, 1, 0), NASH),
            Said({"One": "A", "Two": "A", "Three": "A"}, (1, 1, 0), NASH),
            Said({"One": "B", "Two": "B", "Three": "B"}, (0, 0, 1), NASH),
        ),
        3,
    ),
    "crime": Book(
        "Osborne 2004, section 4.8: reporting a crime, three witnesses",
        _witnesses(),
        (
            Said({"One": "call", "Two": "wait", "Three": "wait"}, (3, 4, 4), NASH),
            Said({"One": "wait", "Two": "call", "Three": "wait"}, (4, 3, 4), NASH),
            Said({"One": "wait", "Two": "wait", "Three": "call"}, (4, 4, 3), NASH),
            Said({who: {"call": F(1, 2), "wait": F(1, 2)} for who in ("One", "Two", "Three")}, (3, 3, 3), NASH),
        ),
        3,
    ),
    "boxes": Book(
        "Osborne and Rubinstein 1994, exercise 48.1: pure equilibria are worth (1, 0, 0), (0, 1, 0), (0, 0, 0)",
        three_at_once(
            [
                [[(0, 0, 3), (0, 0, 0)], [(1, 0, 0), (0, 0, 0)]],
                [[(2, 2, 2), (0, 0, 0)], [(0, 0, 0), (2, 2, 2)]],
                [[(0, 0, 0), (0, 0, 0)], [(0, 1, 0), (0, 0, 3)]],
            ],
            "T B",
            "L R",
            "A B C",
        ),
        (
            Said({"One": "B", "Two": "L", "Three": "A"}, (1, 0, 0), NASH),
            Said({"One": "B", "Two": "L", "Three": "C"}, (0, 1, 0), NASH),
        ),
    ),
}
