"""Textbook games in extensive form, typed from their text, with equilibria that the books name and refute."""

from __future__ import annotations

from fractions import Fraction

from support.typed import Book, Said, at_once, typed

F = Fraction
SEQUENTIAL, PERFECT = "sequential equilibrium", "subgame-perfect equilibrium"
THREAT, UNBELIEVED = "Nash equilibrium, not subgame-perfect", "Nash equilibrium, not sequential"
WEAK = "weak perfect Bayesian equilibrium, not subgame-perfect"
SUBGAME = ("subgame-perfect",)
BOTH = ("subgame-perfect", "weak")


def entry(players, out, first, second, *, moves):
    """Return a game in which somebody enters or stays out, and the incumbent answers."""
    enter, stay, first_answer, second_answer = moves
    return typed(
        players, (players[0], "begins", {stay: out, enter: (players[1], "after an entry", {first_answer: first, second_answer: second})})
    )


def three_ways(players, out, first, second, ways):
    """Return a game of staying out or one of two moves that the second player can't distinguish."""
    answers = ways[3:]
    below = {
        way: (players[1], "answers", dict(zip(answers, cells, strict=True))) for way, cells in zip(ways[1:3], (first, second), strict=True)
    }
    return typed(players, (players[0], "begins", {ways[0]: out} | below))


def centipede(stops, end):
    """Return a centipede game: both stop or go on in turn."""
    here = end
    for turn in reversed(range(len(stops))):
        here = (("One", "Two")[turn % 2], f"t{turn + 1}", {"stop": stops[turn], "on": here})
    return typed(("One", "Two"), here)


def sharing():
    """Return the game of sharing two things: one proposes, the other accepts or refuses."""
    offers = ((2, 0), (1, 1), (0, 2))
    return typed(
        ("One", "Two"),
        ("One", "offers", {f"{mine}:{yours}": ("Two", f"is offered {yours}", {"y": (mine, yours), "n": (0, 0)}) for mine, yours in offers}),
    )


def burning():
    """Return the game of burning money: player 1 may burn a unit, player 2 sees it, then they meet or not."""
    cells = [[(3, 1), (0, 0)], [(0, 0), (1, 3)]]

    def meet(burned, label):
        return at_once(
            [[(first - burned, second) for first, second in line] for line in cells],
            "Bach Stravinsky",
            "Bach Stravinsky",
            knows=(f"One {label}", f"Two {label}"),
        )

    return typed(("One", "Two"), ("One", "begins", {"keep": meet(0, "kept"), "burn": meet(1, "burned")}))


def bank(lasting=15, put=10, early=8):
    """Return a bank run: an early withdrawal leaves the other the rest of 2r, a late one the rest of 2R."""
    later = at_once(
        [[(lasting, lasting), (2 * lasting - put, put)], [(put, 2 * lasting - put), (lasting, lasting)]],
        "take leave",
        "take leave",
        knows=("One late", "Two late"),
    )
    left = 2 * early - put
    cells = [[(early, early), (put, left)], [(left, put), later]]
    return typed(("One", "Two"), at_once(cells, "take leave", "take leave"))


def twice():
    """Return a prisoners' dilemma played twice; the first result is seen."""
    cells = [[(1, 1), (5, 0)], [(0, 5), (4, 4)]]

    def after(row, column, cell):
        again = [[(first + cell[0], second + cell[1]) for first, second in line] for line in cells]
        return at_once(again, "L R", "L R", knows=(f"One {row}{column}", f"Two {row}{column}"))

    return typed(("One", "Two"), at_once(cells, "L R", "L R", after=after))


def niche():
    """Return an entry game in which both then choose one of two niches at once."""
    cells = [[(-6, -6), (-1, 1)], [(1, -1), (-3, -3)]]
    return typed(("E", "I"), ("E", "begins", {"out": (0, 2), "in": at_once(cells, "small large", "small large", knows=("E in", "I in"))}))


def quarrel():
    """Return an entry game in which both then fight or not at once."""
    cells = [[(-3, -1), (1, -2)], [(-2, -1), (3, 1)]]
    return typed(("E", "I"), ("E", "begins", {"out": (0, 2), "in": at_once(cells, "fight share", "fight share", knows=("E in", "I in"))}))


def signal(pays, probabilities, messages, answers):
    """Return a signalling game, with both payoffs for each type, message and answer."""
    types = {
        kind: (
            chance,
            (
                "Sender",
                kind,
                {
                    message: ("Receiver", f"sees {message}", dict(zip(answers, cells, strict=True)))
                    for message, cells in zip(messages, pays[kind], strict=True)
                },
            ),
        )
        for kind, chance in probabilities.items()
    }
    return typed(("Sender", "Receiver"), ("", types))


ENTRY = entry(("C", "I"), (1, 2), (2, 1), (0, 0), moves=("in", "out", "yield", "fight"))
PREDATION = entry(("E", "I"), (0, 2), (-3, -1), (2, 1), moves=("in", "out", "fight", "yield"))
TWO_MOVES = typed(
    ("One", "Two"),
    ("One", "begins", {"L": ("Two", "after L", {"l": (3, 1), "r": (1, 2)}), "R": ("Two", "after R", {"l": (2, 1), "r": (0, 0)})}),
)
THREE_MOVES = typed(
    ("One", "Two"),
    ("One", "begins", {"L": (2, 0), "R": ("Two", "after R", {"l": (1, 1), "r": ("One", "at last", {"L": (3, 0), "R": (0, 2)})})}),
)
THIRD = typed(
    ("One", "Two", "Three"),
    (
        "One",
        "begins",
        {
            "A": (2, 0, 0),
            "D": (
                "Two",
                "after D",
                {"L": ("Three", "Three", {"l": (1, 2, 1), "r": (3, 3, 3)}), "R": ("Three", "Three", {"l": (0, 1, 2), "r": (0, 1, 1)})},
            ),
        },
    ),
)
TYPES = {"t1": [((1, 3), (4, 0)), ((2, 1), (0, 0))], "t2": [((2, 4), (0, 1)), ((1, 0), (1, 2))]}
HALVES = {"t1": F(1, 2), "t2": F(1, 2)}
BREAKFAST = {"wimp": [((1, 1), (3, 0)), ((0, 1), (2, 0))], "surly": [((0, 0), (2, 1)), ((1, 0), (3, 1))]}
POOL = "pooling"


def offered(*answers):
    """Return player 2's answers to the offers nothing, one and two."""
    return dict(zip(("is offered 0", "is offered 1", "is offered 2"), answers, strict=True))


BOOKS = {
    "entry": Book(
        "Osborne 2004, section 5.1, the entry game; Osborne and Rubinstein 1994, section 6.2",
        ENTRY,
        (
            Said({"begins": "in", "after an entry": "yield"}, (2, 1), PERFECT, BOTH),
            Said({"begins": "out", "after an entry": "fight"}, (1, 2), THREAT, (), BOTH),
        ),
        2,
    ),
    "predation": Book(
        "Mas-Colell, Whinston and Green 1995, example 9.B.1",
        PREDATION,
        (
            Said({"begins": "in", "after an entry": "yield"}, (2, 1), PERFECT, BOTH),
            Said({"begins": "out", "after an entry": "fight"}, (0, 2), THREAT, (), BOTH),
        ),
        2,
    ),
    "sharing": Book(
        "Osborne and Rubinstein 1994, example 91.1, with the nine equilibria of section 6.1.2 and the two subgame-perfect ones of 6.2",
        sharing(),
        (
            Said({"offers": "2:0", **offered("y", "y", "y")}, (2, 0), PERFECT, SUBGAME),
            Said({"offers": "1:1", **offered("n", "y", "y")}, (1, 1), PERFECT, SUBGAME),
            *(Said({"offers": "2:0", **offered(*answers)}, (2, 0), THREAT, (), SUBGAME) for answers in ("yyn", "yny", "ynn")),
            Said({"offers": "1:1", **offered(*"nyn")}, (1, 1), THREAT, (), SUBGAME),
            Said({"offers": "0:2", **offered(*"nny")}, (0, 2), THREAT, (), SUBGAME),
            *(Said({"offers": "2:0", **offered(*answers)}, (0, 0), THREAT, (), SUBGAME) for answers in ("nny", "nnn")),
        ),
        9,
        9,
    ),
    "centipede": Book(
        "Osborne and Rubinstein 1994, figure 107.1: everybody stops wherever it is their turn",
        centipede(((1, 0), (0, 2), (3, 1), (2, 4), (5, 3), (4, 6)), (6, 5)),
        (Said({f"t{turn}": "stop" for turn in range(1, 7)}, (1, 0), PERFECT, SUBGAME),),
        1,
        1,
    ),
    "two-moves": Book(
        "Gibbons 1992, figure 2.4.1: (R, (R', L')), and (L, (R', R')), which rests on a threat that is not credible",
        TWO_MOVES,
        (
            Said({"begins": "R", "after L": "r", "after R": "l"}, (2, 1), PERFECT, SUBGAME),
            Said({"begins": "L", "after L": "r", "after R": "r"}, (1, 2), THREAT, (), SUBGAME),
        ),
        2,
        2,
    ),
    "three-moves": Book(
        "Gibbons 1992, section 2.1.A: One ends the game at once",
        THREE_MOVES,
        (Said({"begins": "L", "after R": "l", "at last": "L"}, (2, 0), PERFECT, SUBGAME),),
        1,
        1,
    ),
    "gibbons-beliefs": Book(
        "Gibbons 1992, figure 4.1.1: both are subgame-perfect, as the game has no subgame; (R, R') is no perfect Bayesian equilibrium",
        three_ways(("One", "Two"), (1, 3), ((2, 1), (0, 0)), ((0, 2), (0, 1)), ("R", "L", "M", "l", "r")),
        (
            Said({"begins": "L", "answers": "l"}, (2, 1), SEQUENTIAL, BOTH),
            Said({"begins": "R", "answers": "r"}, (1, 3), UNBELIEVED, SUBGAME, ("weak",)),
        ),
        2,
    ),
    "gibbons-third": Book(
        "Gibbons 1992, figure 4.1.3: (D, L, R') alone is subgame-perfect; (A, L, L') meets the first three requirements, not the fourth",
        THIRD,
        (
            Said({"begins": "D", "after D": "L", "Three": "r"}, (3, 3, 3), SEQUENTIAL, BOTH),
            Said({"begins": "A", "after D": "L", "Three": "l"}, (2, 0, 0), WEAK, ("weak",), SUBGAME),
        ),
        4,
    ),
    "gibbons-signals": Book(
        "Gibbons 1992, figure 4.2.2: pooling on L, and separating with R from t1 and L from t2",
        signal(TYPES, HALVES, "LR", "ud"),
        (
            Said(
                {"t1": "L", "t2": "L", "sees L": "u", "sees R": "d"},
                (F(3, 2), F(7, 2)),
                f"{SEQUENTIAL}, fails the intuitive criterion",
                BOTH,
                (),
                POOL,
            ),
            Said({"t1": "R", "t2": "L", "sees L": "u", "sees R": "u"}, (2, F(5, 2)), SEQUENTIAL, BOTH, (), "separating"),
        ),
        2,
    ),
    "gibbons-breakfast": Book(
        "Gibbons 1992, section 4.4, beer and quiche: pooling on quiche fails the intuitive criterion, pooling on beer does not",
        signal(BREAKFAST, {"wimp": F(1, 10), "surly": F(9, 10)}, ("quiche", "beer"), ("duel", "not")),
        (
            Said(
                {"wimp": "beer", "surly": "beer", "sees quiche": "duel", "sees beer": "not"},
                (F(29, 10), F(9, 10)),
                SEQUENTIAL,
                BOTH,
                (),
                POOL,
            ),
            Said(
                {"wimp": "quiche", "surly": "quiche", "sees quiche": "not", "sees beer": "duel"},
                (F(21, 10), F(9, 10)),
                f"{SEQUENTIAL}, fails the intuitive criterion",
                BOTH,
                (),
                POOL,
            ),
        ),
        2,
    ),
    "bank": Book(
        "Gibbons 1992, section 2.2.B: a run on the bank, and none (R = 15, D = 10, r = 8)",
        bank(),
        (
            Said({"One": "take", "Two": "take", "One late": "take", "Two late": "take"}, (8, 8), SEQUENTIAL, SUBGAME),
            Said({"One": "leave", "Two": "leave", "One late": "take", "Two late": "take"}, (15, 15), SEQUENTIAL, SUBGAME),
        ),
        2,
    ),
    "twice": Book(
        "Gibbons 1992, section 2.3.A: a prisoners' dilemma twice, whose only subgame-perfect outcome is that of the last time, twice",
        twice(),
        (
            Said(
                {f"{who} {seen}".strip(): "L" for who in ("One", "Two") for seen in ("", "LL", "LR", "RL", "RR")},
                (2, 2),
                SEQUENTIAL,
                SUBGAME,
            ),
        ),
        1,
    ),
    "niche": Book(
        "Mas-Colell, Whinston and Green 1995, section 9.B, the niche choice game: two subgame-perfect equilibria in pure strategies",
        niche(),
        (
            Said({"begins": "out", "E in": "small", "I in": "large"}, (0, 2), SEQUENTIAL, SUBGAME),
            Said({"begins": "in", "E in": "large", "I in": "small"}, (1, -1), SEQUENTIAL, SUBGAME),
        ),
        2,
    ),
    "mwg-entry": Book(
        "Mas-Colell, Whinston and Green 1995, example 9.C.1: (out, fight) is subgame-perfect, and no weak perfect Bayesian equilibrium",
        three_ways(("E", "I"), (0, 2), ((-1, -1), (3, 0)), ((-1, -1), (2, 1)), ("out", "in1", "in2", "fight", "share")),
        (
            Said({"begins": "in1", "answers": "share"}, (3, 0), SEQUENTIAL, BOTH),
            Said({"begins": "out", "answers": "fight"}, (0, 2), UNBELIEVED, SUBGAME, ("weak",)),
        ),
        2,
    ),
    "mwg-mixed": Book(
        "Mas-Colell, Whinston and Green 1995, example 9.C.3, with γ = 1: E mixes so that I is indifferent, I fights with 1/(γ + 2)",
        three_ways(("E", "I"), (0, 2), ((-1, -1), (3, -2)), ((1, -1), (2, 1)), ("out", "in1", "in2", "fight", "share")),
        (
            Said(
                {"begins": {"in1": F(2, 3), "in2": F(1, 3)}, "answers": {"fight": F(1, 3), "share": F(2, 3)}},
                (F(5, 3), -1),
                SEQUENTIAL,
                BOTH,
            ),
        ),
        0,
        1,
    ),
    "quarrel": Book(
        "Mas-Colell, Whinston and Green 1995, example 9.C.5: (out, share; fight) is a weak perfect Bayesian equilibrium that is not subgame-perfect",
        quarrel(),
        (
            Said({"begins": "in", "E in": "share", "I in": "share"}, (3, 1), SEQUENTIAL, BOTH),
            Said({"begins": "out", "E in": "share", "I in": "fight"}, (0, 2), WEAK, ("weak",), SUBGAME),
        ),
        2,
    ),
    "ready": Book(
        "Osborne 2004, example 317.1 and section 10.4: whoever comes unready is let in; (out, fight) is no weak sequential equilibrium",
        three_ways(("C", "I"), (2, 4), ((3, 3), (1, 1)), ((4, 3), (0, 2)), ("out", "ready", "unready", "yield", "fight")),
        (
            Said({"begins": "unready", "answers": "yield"}, (4, 3), SEQUENTIAL, BOTH),
            Said({"begins": "out", "answers": "fight"}, (2, 4), UNBELIEVED, SUBGAME, ("weak",)),
        ),
        2,
    ),
    "burning": Book(
        "Osborne and Rubinstein 1994, section 6.6.2: whoever might have burned money is met at Bach",
        burning(),
        (
            Said({"begins": "keep", "One kept": "Bach", "Two kept": "Bach"}, (3, 1), SEQUENTIAL, SUBGAME),
            Said(
                {"begins": "keep", "One kept": "Stravinsky", "Two kept": "Stravinsky", "Two burned": "Stravinsky"},
                (1, 3),
                SEQUENTIAL,
                SUBGAME,
            ),
        ),
    ),
}
