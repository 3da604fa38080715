"""Which cards a text names, and which cards a player may know."""

from __future__ import annotations

import re

from durak_widget import Card, Game

NAMES = {Card(rank + suit).name: rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}
_CODES = re.compile(r"(?<![\w])([2-9TJQKA][cdhs])(?![\w])")
_SIGNS = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
_WORDS = re.compile("|".join(sorted(NAMES, key=len, reverse=True)))


def named(text: str) -> set[str]:
    """Every card that a text names: as a code, by its sign, or in words."""
    signs = {("T" if rank == "10" else rank) + "cdhs"["♣♦♥♠".index(suit)] for rank, suit in _SIGNS.findall(text)}
    return set(_CODES.findall(text)) | signs | {NAMES[name] for name in _WORDS.findall(text)}


def known(game: Game, viewer: int | None) -> list[set[str]]:
    """For each moment of a game, the cards that this seat may have seen by then; None for somebody who may see no hand."""
    there, found = game.copy(), []
    seen: set[str] = set()
    for ply in range(game.ply + 1):
        there.goto(ply)
        seen |= {str(card.face) for pair in there.table for card in pair if card}
        seen |= {str(card.face) for played in there.history[-1:] if played.verb != "swap" for card in played.cards}
        if there.turn_up:
            seen.add(str(there.turn_up))
        if viewer is not None:
            seen |= {str(card) for card in there.hands[viewer]}
        found.append(set(seen))
    return found
