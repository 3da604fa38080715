"""Textbook games, and small games made by Hypothesis, for tests of solvers; no solver is used here."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from zlib import crc32

from hypothesis import strategies as st

from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree

HALF = Fraction(1, 2)


def tree_of(places, root="", seats=2, say=None):
    """Return the tree of a game given as a mapping."""
    return build_tree(root, places.__getitem__, player_count=seats, label_infoset=say)


def matching_pennies():
    """Return matching pennies: seat 0 wins 1 if both coins are the same; value 0, both mix evenly."""
    places = {"": DecisionNode(0, "hides", [("heads", "h"), ("tails", "t")])}
    for coin in "ht":
        places[coin] = DecisionNode(1, "guesses", [("heads", coin + "h"), ("tails", coin + "t")])
        for other in "ht":
            places[coin + other] = TerminalNode((1, -1) if coin == other else (-1, 1))
    return tree_of(places)


def kuhn():
    """Return Kuhn's poker (1950): three cards, one each, an ante of 1 and one bet of 1. The value to the first player is −1/18."""

    def look(where):
        cards, messages = where
        if not cards:
            return ChanceNode([("".join(deal), Fraction(1, 6), (deal, "")) for deal in permutations("JQK", 2)])
        if messages in {"pp", "bp", "bb", "pbp", "pbb"}:
            if messages.endswith("bp"):
                won = 1 if messages == "bp" else -1
            else:
                won = (2 if messages.endswith("bb") else 1) * (1 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else -1)
            return TerminalNode((won, -won))
        seat = len(messages) % 2
        return DecisionNode(seat, cards[seat] + messages, [("pass", (cards, messages + "p")), ("bet", (cards, messages + "b"))])

    return build_tree(((), ""), look, player_count=2, title="Kuhn poker")


def leduc(ranks="JQK", most=1, bets=(1, 2)):
    """Return a poker like Leduc's: two of each rank, one card each, a round, a common card, another round.

    Each round has at most `most` bets of one size.
    """
    deck = [rank + suit for rank in ranks for suit in "sh"]

    def deals(used):
        left = [card for card in deck if card not in used]
        return [(card, Fraction(1, len(left))) for card in left]

    def look(where):
        cards, rounds = where
        if len(cards) < 2:
            return ChanceNode([(card, p, ((*cards, card), rounds)) for card, p in deals(cards)])
        last_round = rounds[-1]
        paid = 1 + sum(bet * actions.count("r") for bet, actions in zip(bets, rounds, strict=False))
        if last_round.endswith("f"):
            paid -= bets[len(rounds) - 1]
            loser = (len(last_round) - 1) % 2
            return TerminalNode((-paid, paid) if loser == 0 else (paid, -paid))
        if last_round.endswith("c") and len(last_round) > 1:
            if len(rounds) == 2:
                common = cards[2][0]
                strong = [(card[0] == common, ranks.index(card[0])) for card in cards[:2]]
                won = paid * ((strong[0] > strong[1]) - (strong[0] < strong[1]))
                return TerminalNode((won, -won))
            return ChanceNode([(card, p, ((*cards, card), (*rounds, ""))) for card, p in deals(cards)])
        seat = len(last_round) % 2
        moves = [("call", "c")]
        if last_round.endswith("r"):
            moves.insert(0, ("fold", "f"))
        if last_round.count("r") < most:
            moves.append(("raise", "r"))
        knows = (cards[seat], cards[2:], rounds)
        return DecisionNode(seat, knows, [(name, (cards, (*rounds[:-1], last_round + sign))) for name, sign in moves])

    return build_tree(((), ("",)), look, player_count=2, title="small Leduc poker")


def signalling():
    """Return a signalling game: seat 0 sees a high or low card and folds (−1) or bets; seat 1 does not see it and folds (+1) or calls (±2).

    Myerson's card game with the low card as likely as the high one: the value is 1/3, betting low with probability 1/3 and calling with 2/3.
    """
    places = {"": ChanceNode([("high", HALF, "h"), ("low", HALF, "l")])}
    for card in "hl":
        places[card] = DecisionNode(0, {"h": "high", "l": "low"}[card], [("fold", card + "f"), ("bet", card + "b")])
        places[card + "f"] = TerminalNode((-1, 1)) if card == "l" else TerminalNode((1, -1))
        places[card + "b"] = DecisionNode(1, "bet", [("fold", card + "bf"), ("call", card + "bc")])
        places[card + "bf"] = TerminalNode((1, -1))
        places[card + "bc"] = TerminalNode((2, -2)) if card == "h" else TerminalNode((-2, 2))
    return tree_of(places)


@st.composite
def zero_sum(draw, deepest=4, *, open_moves=False):
    """Return a random zero-sum game of two with perfect recall; a random rule says what each player sees.

    A player's information is the list of all that they did and saw, so they forget nothing. `open_moves`: all moves of players are seen.
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
            weights = [1 + noise("likely", depth, way) % 3 for way in range(ways)]
            return ChanceNode(
                [(f"{way}", Fraction(weight, sum(weights)), after(done, known, None, way, depth)) for way, weight in enumerate(weights)]
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
            seen = [(*sights, ("saw", depth)) for sights in known]
        return (*done, way), tuple(seen)

    return build_tree(((), ((), ())), look, player_count=2)
