"""How a tree is drawn by hand on a painted page: with the mouse and keys, deed by deed, from nothing."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from editor.by_chance import way_to

if TYPE_CHECKING:
    from painted_tree import Board

    from durak_widget.gametheory.tree import Tree

INSIDE = """(id) => {
  const box = (one) => one.getBoundingClientRect(), sign = document.querySelector(`.dk-node[data-id='${id}'] .dk-sign`), view = box(document.querySelector('.dk-view'));
  if (!sign || document.querySelector('.dk-view[data-dots]')) return false;
  const { left, right, top, bottom } = box(sign);
  return left > view.left + 2 && right < view.right - 2 && top > view.top + 2 && bottom < view.bottom - 2;
}"""


class Hand:
    """Draws on a sketch that is laid on a page."""

    def __init__(self, board: Board) -> None:
        self.board, self.page = board, board.page
        self.turn = 0
        self._joins = cycle(("line", "keys"))

    def stepped(self, times: int = 1) -> None:
        """Wait for so many steps that Python has taken, and for what then moves."""
        self.turn += times
        self.page.wait_for_function("(turn) => document.querySelector('.dk-editor').dataset.shown === String(turn)", arg=self.turn)
        self.board.rest()

    def see(self, place: int) -> None:
        """Look at all of it where that place is not seen."""
        if not self.page.evaluate(INSIDE, place):
            self.board.press("0")

    def choose(self, place: int) -> None:
        """Click a place."""
        self.see(place)
        self.board.node(place).locator(".dk-sign").click(position={"x": 8, "y": 8})
        self.board.rest()

    def typed(self, text: str) -> None:
        """Type into the field that is open on the tree, and take it."""
        field = self.page.locator(".dk-editor-input")
        field.fill(text)
        field.press("Enter")

    def below(self, place: int) -> tuple[int, ...]:
        """What follows a place."""
        return self.board.view.draft.nodes[place].children

    def moves(self, place: int, names: tuple[str, ...], seat: int) -> None:
        """Draw branches of a seat, and name each."""
        self.choose(place)
        for at, name in enumerate(names):
            self.page.keyboard.press("A" if at else str(seat + 1))
            self.stepped()
            if self.page.locator(".dk-editor-input").input_value() == name:
                self.page.locator(".dk-editor-input").press("Enter")
            else:
                self.typed(name)
                self.stepped()

    def chance(self, place: int, names: tuple[str, ...]) -> None:
        """Let chance decide, and name its ways, the last first."""
        self.choose(place)
        self.page.get_by_role("button", name="Let chance decide", exact=True).click()
        self.stepped()
        for _ in names[2:]:
            self.page.keyboard.press("a")
            self.stepped()
            self.page.locator(".dk-editor-input").press("Escape")
        for _ in range(len(names), 2):
            self.choose(self.below(place)[-1])
            self.page.keyboard.press("Delete")
            self.stepped()
        for child, name in reversed(list(zip(self.below(place), names, strict=True))):
            if self.board.view.draft.get_action_to(child) != name:
                self.choose(child)
                self.page.keyboard.press("n")
                self.typed(name)
                self.stepped()

    def likely(self, place: int, text: str) -> None:
        """Type how likely chance leads there."""
        self.choose(place)
        self.page.keyboard.press("p")
        self.typed(text)
        self.stepped()

    def know(self, place: int, text: str) -> None:
        """Say below the tree what is known there."""
        self.choose(place)
        field = self.page.get_by_label("What the player knows")
        field.fill(text)
        field.press("Enter")
        self.stepped()

    def pay(self, place: int, text: str) -> None:
        """Type what an end is worth."""
        self.see(place)
        self.board.node(place).locator(".dk-payoffs").click()
        self.typed(text)
        self.stepped()

    def join(self, one: int, other: int) -> None:
        """Pull a line from place to place, or say it by keys."""
        if next(self._joins) == "keys":
            self.choose(one)
            self.page.keyboard.press("j")
            self.choose(other)
        else:
            self.pull(one, other)
        self.stepped()

    def pull(self, one: int, other: int) -> None:
        """Pull a line."""
        self.see(one)
        self.see(other)
        boxes = [self.board.node(place).locator(".dk-sign").bounding_box() for place in (one, other)]
        (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2 + 15, (y + to_y) / 2)
        self.page.mouse.move(to_x, to_y)
        self.page.mouse.up()

    def names(self, tree: Tree) -> None:
        """Type who plays, and what the game is called."""
        self.page.get_by_text("Players and title").click()
        for seat, name in enumerate(tree.names):
            if seat >= self.board.view.draft.player_count:
                self.page.get_by_role("button", name="Add a player").click()
                self.stepped()
            field = self.page.get_by_label(f"Name of player {seat + 1}")
            field.fill(name)
            field.press("Enter")
            self.stepped()

    def draw(self, tree: Tree) -> None:
        """Draw a tree from nothing."""
        ids = {0: 0}
        self.names(tree)
        for what, history, names, other in way_to(tree):
            place = ids[history]
            match what:
                case "moves":
                    self.moves(place, names, other)
                case "chance":
                    self.chance(place, names)
                case "join":
                    self.join(place, ids[other])
                case "likely":
                    self.likely(place, names[0])
                case "know":
                    self.know(place, names[0])
                case _:
                    self.pay(place, names[0])
            ids.update(zip(tree.children(history), self.below(place), strict=False))
