"""Find the cards that a text names, and the cards that a player may know."""

from __future__ import annotations

import re

from durak_widget import Card, Game

NAMES = {Card(rank + suit).name: rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}
_CODES = re.compile(r"(?<![\w])([2-9TJQKA][cdhs])(?![\w])")
_SIGNS = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
_WORDS = re.compile("|".join(sorted(NAMES, key=len, reverse=True)))


def find_card_names(text: str) -> set[str]:
    """Return every card that a text names, as a code, by its sign or in words."""
    signs = {("T" if rank == "10" else rank) + "cdhs"["♣♦♥♠".index(suit)] for rank, suit in _SIGNS.findall(text)}
    return set(_CODES.findall(text)) | signs | {NAMES[name] for name in _WORDS.findall(text)}


def known_cards_by_moment(game: Game, viewer: int | None) -> list[set[str]]:
    """Return, for each moment of a game, the cards that this seat may have seen, or None if the viewer may see no hand."""
    replayed, found = game.copy(), []
    known: set[str] = set()
    for ply in range(game.ply + 1):
        replayed.goto(ply)
        known |= {str(card.face) for pair in replayed.table for card in pair if card}
        known |= {str(card.face) for played in replayed.history[-1:] if played.verb != "swap" for card in played.cards}
        if replayed.turn_up:
            known.add(str(replayed.turn_up))
        if viewer is not None:
            known |= {str(card) for card in replayed.hands[viewer]}
        found.append(set(known))
    return found
