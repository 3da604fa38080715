"""Who reads everything that a table lets out, and knows which cards its viewer may know."""

from __future__ import annotations

import json
import re

from durak_widget import Card, Game, Table
from durak_widget.cards import SUIT_NAMES, CardSet

NAMES = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}


CODE = re.compile(r"(?<![0-9A-Za-z])(?:([2-9TJQKA])([cdhs])|X([rb]))(?![0-9A-Za-z])")


SIGN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")


NAME = re.compile(rf"({'|'.join(['[2-9]', *NAMES])}) of ({'|'.join(SUIT_NAMES.values())})|(red|black) joker")


def named(text: str) -> set[str]:
    """The codes of all cards that occur in a text: as codes, with signs, or by their names."""
    letters = {name: suit for suit, name in SUIT_NAMES.items()} | dict(zip("♣♦♥♠", "cdhs", strict=True))
    found = {f"{rank}{suit}" if rank else f"X{joker}" for rank, suit, joker in CODE.findall(text)}
    found |= {f"{NAMES.get(rank, rank)}{letters[suit]}" for rank, suit in SIGN.findall(text)}
    return found | {f"{NAMES.get(rank, rank)}{letters[suit]}" if rank else f"X{joker[0]}" for rank, suit, joker in NAME.findall(text)}


def open_to(game: Game, seat: int, *, covered: bool) -> set[str]:
    """The cards that whoever sits there may know of: what has lain open, what the seat put back itself, and its hand unless that is covered."""
    start = game.copy()
    start.goto(0)
    state = start.state
    cards = [
        start.turn_up,
        *(card for seen, hand in zip(state.publicly_seen, state.hands, strict=True) for card in CardSet.from_mask(seen & hand)),
    ]
    for one in game.history:
        if one.verb != "swap" or (one.seat == seat and not covered):
            cards += one.cards
    turned = [card for end in game.view(seat).bout_ends for card in end.turned_cards]
    hand = [] if covered else game.hands[seat]
    return (
        {str(card.face) for card in (*cards, *hand) if card}
        | {str(Card.from_code(card.effective_face)) for card in cards if card}
        | set(turned)
    )


class Spy:
    """Reads everything that a table lets out, and objects to each card that its viewer may not know."""

    def __init__(self, table: Table) -> None:
        self.table, self.read, self.last, self.leaks = table, 0, 0, []
        table._session.send = self.message

    def viewer(self) -> tuple[int, bool]:
        """Who sits at the bottom, and whether under backs; what else the table shows must fit that."""
        scene = self.table.scene
        return scene["me"], "covered" in scene

    def scene(self, asked: str = "") -> None:
        """The scene, if it is a new one, shows no card but those, and the one that was asked about."""
        seat, _ = self.viewer()
        if self.table.scene["id"] == self.last:
            return
        self.last = self.table.scene["id"]
        if self.table.hands == "own" and "you" in self.table.players and self.table.players[seat] != "you":
            self.leaks.append(({"a bot's hand"}, self.table.scene))
        self.judge(self.table.scene, self.allowed(self.table.game) | named(asked))

    def allowed(self, game: Game) -> set[str]:
        """The cards that whoever looks may know of at a moment; every hand, where all lie open, and what is left in the hands of losers at the end."""
        seat, covered = self.viewer()
        left = game.outcome.losers if game.outcome and self.table.hands == "own" else ()
        turned_up = game.hands if self.table.hands == "open" else [game.hands[loser] for loser in left]
        return open_to(game, seat, covered=covered) | {str(card.face) for hand in turned_up for card in hand}

    def picture(self) -> None:
        """Nor does the picture, which is stored with the notebook."""
        seat, covered = self.viewer()
        data, _ = self.table._repr_mimebundle_()
        text = data["text/plain"] + data["text/html"].partition('src="')[0]
        self.judge(text, open_to(self.table.game, seat, covered=covered))

    def message(self, content: dict) -> None:
        """The moves are listed to the last, also those that were undone; the deck is listed whole, and the places are what is told."""
        if content["kind"] in {"unread", "readable"}:  # which speak of what was pasted
            return
        game = self.table.game.copy()
        if content["kind"] == "list":
            game.goto(game.last_ply)
        told = content["where"] if content["kind"] == "seen" else content
        if content["kind"] == "share":
            told = [content["words"], *re.findall("<title.*</desc>", content["picture"])]
            game.goto(game.last_ply)
            open_ = self.table.hands == "open" or (game.outcome is not None and "taken_back" not in self.table.scene)
            if not open_ and content.keys() & {"position", "game", "cell"}:
                self.leaks.append(({"the whole deal"}, content))
            game = self.table.game
        self.judge(told, self.allowed(game))

    def judge(self, told: object, allowed: set[str]) -> None:
        """Note the cards named there that are not among these, and where."""
        self.read += 1
        if leak := named(json.dumps(told, ensure_ascii=False)) - allowed:
            self.leaks.append((leak, told))
