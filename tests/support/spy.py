"""Read everything that a table sends out, and check it against the cards that its viewer may know."""

from __future__ import annotations

import json
import re

from durak_widget import Card, Game, Table
from durak_widget.cards import SUIT_NAMES, CardSet

NAMES = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}


CODE = re.compile(r"(?<![0-9A-Za-z])(?:([2-9TJQKA])([cdhs])|X([rb]))(?![0-9A-Za-z])")


SIGN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")


NAME = re.compile(rf"({'|'.join(['[2-9]', *NAMES])}) of ({'|'.join(SUIT_NAMES.values())})|(red|black) joker")


def cards_in(text: str) -> set[str]:
    """Return the codes of all cards in a text: as codes, with suit signs, or by name."""
    letters = {name: suit for suit, name in SUIT_NAMES.items()} | dict(zip("♣♦♥♠", "cdhs", strict=True))
    found = {f"{rank}{suit}" if rank else f"X{joker}" for rank, suit, joker in CODE.findall(text)}
    found |= {f"{NAMES.get(rank, rank)}{letters[suit]}" for rank, suit in SIGN.findall(text)}
    return found | {f"{NAMES.get(rank, rank)}{letters[suit]}" if rank else f"X{joker[0]}" for rank, suit, joker in NAME.findall(text)}


def known_cards(game: Game, seat: int, *, covered: bool) -> set[str]:
    """Return the cards that a seat may know: shown cards, those it put back, and its hand unless covered."""
    start = game.copy()
    start.goto(0)
    state = start.state
    cards = [
        start.turn_up,
        *(card for seen, hand in zip(state.publicly_seen, state.hands, strict=True) for card in CardSet.from_mask(seen & hand)),
    ]
    for entry in game.history:
        if entry.verb != "swap" or (entry.seat == seat and not covered):
            cards += entry.cards
    turned = [card for end in game.view(seat).bout_ends for card in end.turned_cards]
    hand = [] if covered else game.hands[seat]
    return (
        {str(card.face) for card in (*cards, *hand) if card}
        | {str(Card.from_code(card.effective_face)) for card in cards if card}
        | set(turned)
    )


class Spy:
    """A reader of everything that a table sends out, which reports each card that the viewer may not know."""

    def __init__(self, table: Table) -> None:
        self.table, self.read, self.last, self.leaks = table, 0, 0, []
        table._session.send = self.message

    def viewer(self) -> tuple[int, bool]:
        """Return who sits at the bottom, and whether under backs. The rest of the table must agree."""
        scene = self.table.scene
        return scene["viewer"], "covered" in scene

    def scene(self, asked: str = "") -> None:
        """Check that a new scene shows no other cards, except the one asked about."""
        seat, _ = self.viewer()
        if self.table.scene["id"] == self.last:
            return
        self.last = self.table.scene["id"]
        if self.table.hands == "own" and "you" in self.table.players and self.table.players[seat] != "you":
            self.leaks.append(({"a bot's hand"}, self.table.scene))
        self.judge(self.table.scene, self.allowed(self.table.game) | cards_in(asked))

    def allowed(self, game: Game) -> set[str]:
        """Return the cards that the viewer may know: all if hands are open, and losers' hands at the end."""
        seat, covered = self.viewer()
        left = game.outcome.losers if game.outcome and self.table.hands == "own" else ()
        turned_up = game.hands if self.table.hands == "open" else [game.hands[loser] for loser in left]
        return known_cards(game, seat, covered=covered) | {str(card.face) for hand in turned_up for card in hand}

    def picture(self) -> None:
        """Check the picture, which is stored with the notebook."""
        seat, covered = self.viewer()
        data, _ = self.table._repr_mimebundle_()
        text = data["text/plain"] + data["text/html"].partition('src="')[0]
        self.judge(text, known_cards(self.table.game, seat, covered=covered))

    def message(self, content: dict) -> None:
        """Check a message. Moves are listed to the last, including undone ones; the deck is listed completely, so only places count."""
        if content["kind"] in {"unreadable", "readable"}:  # these quote the pasted text
            return
        game = self.table.game.copy()
        if content["kind"] == "move_list":
            game.goto(game.last_ply)
        contents = content["locations"] if content["kind"] == "seen_cards" else content
        if content["kind"] == "share":
            contents = [content["text"], *re.findall("<title.*</desc>", content["picture"])]
            game.goto(game.last_ply)
            open_ = self.table.hands == "open" or (game.outcome is not None and "taken_back" not in self.table.scene)
            if not open_ and content.keys() & {"position", "game", "cell"}:
                self.leaks.append(({"the whole deal"}, content))
            game = self.table.game
        self.judge(contents, self.allowed(game))

    def judge(self, told: object, allowed: set[str]) -> None:
        """Record the cards named there that are not allowed, and where."""
        self.read += 1
        if leak := cards_in(json.dumps(told, ensure_ascii=False)) - allowed:
            self.leaks.append((leak, told))
