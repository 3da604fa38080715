"""Helpers for the rule book's examples: positions, lines of play, legal moves, refusals and stacked decks."""

import re
from collections import Counter

import pytest

from durak_widget import Card, Game, IllegalMove, Rules
from support.oracle_book import DEFAULTS

IN_ORDER = "6c 7c 8c 9c Tc Jc Qc Kc Ac 6d 7d 8d 9d Td Jd Qd Kd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs Ks As"
"""The 36 cards in card order, as a deck with 6c on top."""


def play(game: Game, line: str) -> Game:
    """Play a line such as `0 attack 7c; 1 take`; each move must be the turn of the seat before it."""
    for part in line.split(";"):
        seat, _, move = part.strip().partition(" ")
        assert game.actor == int(seat), f"seat {game.actor} is asked, not seat {seat} for {move!r}"
        game.play(move)
    return game


def legal(game: Game) -> str:
    """Return the legal moves in order, such as `attack 7c; attack 8d`."""
    return "; ".join(map(str, game.legal_moves()))


def hands(game: Game) -> list[str]:
    """Return the hands by seat, in card order."""
    return [str(hand) for hand in game.hands]


def talon(game: Game) -> str:
    """Return the talon from the top."""
    return " ".join(map(str, game.talon))


def everything(game: Game) -> Counter[str]:
    """Return every card in the game, wherever it is, with its count."""
    lying = [card for pair in game.table for card in pair if card is not None]
    return Counter(str(card.face) for cards in (*game.hands, game.talon, game.discard, lying) for card in cards)


def refused(game: Game, move: str) -> IllegalMove:
    """Return the refusal of a move, and check that it changes neither the game nor any seat's view."""
    seats = range(game.rules.players)
    before = str(game), [game.view(seat) for seat in seats], game.legal_moves(), game.actor
    with pytest.raises(IllegalMove) as caught:
        game.play(move)
    assert (str(game), [game.view(seat) for seat in seats], game.legal_moves(), game.actor) == before
    reason = game.why_not(move)
    assert reason is not None
    assert (reason.code, str(reason)) == (caught.value.code, str(caught.value))
    return caught.value


def whole_deck(rules: Rules) -> list[str]:
    """Return the cards of the options in card order, copies side by side (rule book §4.1)."""
    faces = [rank + suit for suit in rules.suits for rank in rules.ranks] + ["Xr", "Xb"] * (rules.jokers // 2)
    return [face for face in faces for _ in range(rules.decks)]


def stacked(rules: Rules, *, hands: list[str], top: str = "", bottom: str = "", dealer: int = 0) -> list[Card]:
    """Return a deck that deals these hands and a talon with these top and bottom cards, the others in card order."""
    held, first, last = [hand.split() for hand in hands], top.split(), bottom.split()
    assert {len(hand) for hand in held} == {rules.hand_size}
    left = Counter(whole_deck(rules)) - Counter([*first, *last, *(card for hand in held for card in hand)])
    between = [face for face in dict.fromkeys(whole_deck(rules)) for _ in range(left[face])]
    order = [(dealer + k) % rules.players for k in range(1, rules.players + 1)]
    dealt = [held[seat][turn] for turn in range(rules.hand_size) for seat in order]
    return [Card(text) for text in [*dealt, *first, *between, *last]]


def known(view):
    """Return what the viewer knows of each hand."""
    return [str(cards) for cards in view.memory.known]


def lying(view):
    """Return what the viewer knows of the talon: place from the top, and card."""
    return [(place, str(card)) for place, card in view.memory.talon]


def course(view):
    """Return the game's record as the viewer saw it."""
    return [f"{ply.seat} {ply}" for ply in view.history]


def says(refusal, words):
    """Return whether the sentence contains these words or this pattern, perhaps at its beginning."""
    if isinstance(words, re.Pattern):
        return words.search(str(refusal)) is not None
    return words in str(refusal) or words.capitalize() in str(refusal)


def options_of(rules):
    """Return every option of a rule set with its value."""
    return {name: getattr(rules, name) for name in DEFAULTS}


def placed(rules, hands, *, trump="s", **more):
    """Return a position of a preset or other rules, with spades as trumps."""
    rules = Rules.preset(rules, players=len(hands)) if isinstance(rules, str) else rules
    return Game.from_position(rules, hands=hands, trump=trump, **more)


def asked(game):
    """Return the seats that are asked in turn while everybody passes."""
    seats, bout = [], game.bout
    while game.bout == bout and legal(game).endswith("pass"):
        seats.append(game.actor)
        game.play("pass")
    return seats
