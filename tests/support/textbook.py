"""Games of the textbooks, and small ones invented by Hypothesis, for whoever solves games: nothing here knows a solver."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from zlib import crc32

from hypothesis import strategies as st

from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree

HALF = Fraction(1, 2)


def tree_of(places, root="", seats=2, say=None):
    """The tree of a game told as a mapping."""
    return build_tree(root, places.__getitem__, player_count=seats, label_infoset=say)


def matching_pennies():
    """Seat 0 wins 1 if both coins show the same; nobody sees the other's: value 0, both mix evenly."""
    places = {"": DecisionNode(0, "hides", [("heads", "h"), ("tails", "t")])}
    for one in "ht":
        places[one] = DecisionNode(1, "guesses", [("heads", one + "h"), ("tails", one + "t")])
        for other in "ht":
            places[one + other] = TerminalNode((1, -1) if one == other else (-1, 1))
    return tree_of(places)


def kuhn():
    """Kuhn's poker (1950): three cards, one each, an ante of 1 and one bet of 1. Value −1/18 to who begins."""

    def look(where):
        cards, said = where
        if not cards:
            return ChanceNode([("".join(deal), Fraction(1, 6), (deal, "")) for deal in permutations("JQK", 2)])
        if said in {"pp", "bp", "bb", "pbp", "pbb"}:
            if said.endswith("bp"):
                won = 1 if said == "bp" else -1
            else:
                won = (2 if said.endswith("bb") else 1) * (1 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else -1)
            return TerminalNode((won, -won))
        seat = len(said) % 2
        return DecisionNode(seat, cards[seat] + said, [("pass", (cards, said + "p")), ("bet", (cards, said + "b"))])

    return build_tree(((), ""), look, player_count=2, title="Kuhn poker")


def leduc(ranks="JQK", most=1, bets=(1, 2)):
    """A poker like Leduc's: two of each rank, one card each, a round, a common card, another round; `most` bets a round, of one size in each."""
    deck = [rank + suit for rank in ranks for suit in "sh"]

    def deals(used):
        left = [card for card in deck if card not in used]
        return [(card, Fraction(1, len(left))) for card in left]

    def look(where):
        cards, rounds = where
        if len(cards) < 2:
            return ChanceNode([(card, p, ((*cards, card), rounds)) for card, p in deals(cards)])
        said = rounds[-1]
        paid = 1 + sum(bet * one.count("r") for bet, one in zip(bets, rounds, strict=False))
        if said.endswith("f"):
            paid -= bets[len(rounds) - 1]
            loser = (len(said) - 1) % 2
            return TerminalNode((-paid, paid) if loser == 0 else (paid, -paid))
        if said.endswith("c") and len(said) > 1:
            if len(rounds) == 2:
                common = cards[2][0]
                strong = [(card[0] == common, ranks.index(card[0])) for card in cards[:2]]
                won = paid * ((strong[0] > strong[1]) - (strong[0] < strong[1]))
                return TerminalNode((won, -won))
            return ChanceNode([(card, p, ((*cards, card), (*rounds, ""))) for card, p in deals(cards)])
        seat = len(said) % 2
        moves = [("call", "c")]
        if said.endswith("r"):
            moves.insert(0, ("fold", "f"))
        if said.count("r") < most:
            moves.append(("raise", "r"))
        knows = (cards[seat], cards[2:], rounds)
        return DecisionNode(seat, knows, [(name, (cards, (*rounds[:-1], said + sign))) for name, sign in moves])

    return build_tree(((), ("",)), look, player_count=2, title="small Leduc poker")


def signalling():
    """A card, high or low, is drawn and shown to seat 0, who folds (−1) or bets; seat 1, who has not seen it, folds (+1) or calls (±2).

    Myerson's card game with the low card as likely as the high one: the value is 1/3, betting low with probability 1/3 and calling with 2/3.
    """
    places = {"": ChanceNode([("high", HALF, "h"), ("low", HALF, "l")])}
    for one in "hl":
        places[one] = DecisionNode(0, {"h": "high", "l": "low"}[one], [("fold", one + "f"), ("bet", one + "b")])
        places[one + "f"] = TerminalNode((-1, 1)) if one == "l" else TerminalNode((1, -1))
        places[one + "b"] = DecisionNode(1, "bet", [("fold", one + "bf"), ("call", one + "bc")])
        places[one + "bf"] = TerminalNode((1, -1))
        places[one + "bc"] = TerminalNode((2, -2)) if one == "h" else TerminalNode((-2, 2))
    return tree_of(places)


@st.composite
def zero_sum(draw, deepest=4, *, open_moves=False):
    """A random game of two seats with perfect recall: each sees of what the other and chance do what a random rule lets it see.

    What a seat knows is the list of all that it did and saw: so it forgets nothing. `open_moves`: of the seats' moves all is seen.
    """
    numbers = draw(st.integers(0, 2**32))
    deep = draw(st.integers(1, deepest))

    def noise(*key):
        return crc32(repr((numbers, *key)).encode())

    def look(where):
        done, known = where
        depth = len(done)
        if depth == deep or (depth and noise(done) % 7 == 0):
            won = Fraction(noise("won", done) % 9 - 4, 1 + noise("by", done) % 3)
            return TerminalNode((won, -won))
        if noise("who", depth) % 4 == 0:
            ways = 1 + noise("ways", depth) % 3
            likely = [1 + noise("likely", depth, way) % 3 for way in range(ways)]
            return ChanceNode(
                [(f"{way}", Fraction(one, sum(likely)), after(done, known, None, way, depth)) for way, one in enumerate(likely)]
            )
        seat = noise("seat", depth) % 2
        ways = 1 + noise("moves", known[seat]) % 3
        return DecisionNode(seat, known[seat], [(f"{way}", after(done, known, seat, way, depth)) for way in range(ways)])

    def after(done, known, who, way, depth):
        seen = []
        for seat in (0, 1):
            if who == seat or (open_moves and who is not None) or noise("sees", depth, seat) % 2:
                sight = ("saw", depth, who, way)
            else:
                sight = ("saw", depth)
            seen.append((*known[seat], sight))
        if who is None and open_moves:
            seen = [(*one, ("saw", depth)) for one in known]
        return (*done, way), tuple(seen)

    return build_tree(((), ((), ())), look, player_count=2)
