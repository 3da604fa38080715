"""Draw a tree by hand in the tree editor, with the mouse and keys."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from editor.by_chance import way_to
from support.spoken import english_text

if TYPE_CHECKING:
    from rendered_tree import TreePage

    from durak_widget.gametheory.tree import Tree

INSIDE = """(id) => {
  const box = (one) => one.getBoundingClientRect(), sign = document.querySelector(`.dk-node[data-id='${id}'] .dk-sign`), view = box(document.querySelector('.dk-view'));
  if (!sign || document.querySelector('.dk-view[data-dots]')) return false;
  const { left, right, top, bottom } = box(sign);
  return left > view.left + 2 && right < view.right - 2 && top > view.top + 2 && bottom < view.bottom - 2;
}"""


class TreeDrawer:
    """Draws on a tree editor."""

    def __init__(self, board: TreePage) -> None:
        self.board, self.page = board, board.page
        self.turn = 0
        self._joins = cycle(("line", "keys"))

    def wait_for_steps(self, times: int = 1) -> None:
        """Wait until Python has handled this many steps and the animation has ended."""
        self.turn += times
        self.page.wait_for_function("(turn) => document.querySelector('.dk-editor').dataset.shown === String(turn)", arg=self.turn)
        self.board.rest()

    def scroll_into_view(self, place: int) -> None:
        """Show the whole tree if this node is out of sight."""
        if not self.page.evaluate(INSIDE, place):
            self.board.press("0")

    def choose(self, place: int) -> None:
        """Click a node."""
        self.scroll_into_view(place)
        self.board.node(place).locator(".dk-sign").click(position={"x": 8, "y": 8})
        self.board.rest()

    def type_text(self, text: str) -> None:
        """Type into the open field and confirm."""
        field = self.page.locator(".dk-editor-input")
        field.fill(text)
        field.press("Enter")

    def below(self, place: int) -> tuple[int, ...]:
        """Return the children of a node."""
        return self.board.view.draft.nodes[place].children

    def moves(self, place: int, names: tuple[str, ...], seat: int) -> None:
        """Add moves of a player at a node and name each."""
        self.choose(place)
        for at, name in enumerate(names):
            self.page.keyboard.press("A" if at else str(seat + 1))
            self.wait_for_steps()
            if self.page.locator(".dk-editor-input").input_value() == name:
                self.page.locator(".dk-editor-input").press("Enter")
            else:
                self.type_text(name)
                self.wait_for_steps()

    def chance(self, place: int, names: tuple[str, ...]) -> None:
        """Make a node a chance node and name its moves, the last first."""
        self.choose(place)
        self.page.get_by_role("button", name=english_text("screen.sketch.chance.add"), exact=True).click()
        self.wait_for_steps()
        for _ in names[2:]:
            self.page.keyboard.press("a")
            self.wait_for_steps()
            self.page.locator(".dk-editor-input").press("Escape")
        for _ in range(len(names), 2):
            self.choose(self.below(place)[-1])
            self.page.keyboard.press("Delete")
            self.wait_for_steps()
        for child, name in reversed(list(zip(self.below(place), names, strict=True))):
            if self.board.view.draft.get_action_to(child) != name:
                self.choose(child)
                self.page.keyboard.press("n")
                self.type_text(name)
                self.wait_for_steps()

    def set_probability(self, place: int, text: str) -> None:
        """Type the probability of a chance move."""
        self.choose(place)
        self.page.keyboard.press("p")
        self.type_text(text)
        self.wait_for_steps()

    def set_information(self, place: int, text: str) -> None:
        """Type what the player knows at a node, in the field below the tree."""
        self.choose(place)
        field = self.page.get_by_label(english_text("screen.sketch.field.knows"))
        field.fill(text)
        field.press("Enter")
        self.wait_for_steps()

    def set_payoffs(self, place: int, text: str) -> None:
        """Type the payoffs of an end."""
        self.scroll_into_view(place)
        self.board.node(place).locator(".dk-payoffs").click()
        self.type_text(text)
        self.wait_for_steps()

    def join(self, first: int, second: int) -> None:
        """Join two nodes into an information set, by dragging a line or by keys."""
        if next(self._joins) == "keys":
            self.choose(first)
            self.page.keyboard.press("j")
            self.choose(second)
        else:
            self.drag_line(first, second)
        self.wait_for_steps()

    def drag_line(self, first: int, second: int) -> None:
        """Drag a line from one node to another."""
        self.scroll_into_view(first)
        self.scroll_into_view(second)
        boxes = [self.board.node(node).locator(".dk-sign").bounding_box() for node in (first, second)]
        (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2 + 15, (y + to_y) / 2)
        self.page.mouse.move(to_x, to_y)
        self.page.mouse.up()

    def names(self, tree: Tree) -> None:
        """Type the names of the players and of the game."""
        self.page.get_by_text(english_text("screen.sketch.game")).click()
        for seat, name in enumerate(tree.names):
            if seat >= self.board.view.draft.player_count:
                self.page.get_by_role("button", name=english_text("screen.sketch.player.add")).click()
                self.wait_for_steps()
            field = self.page.get_by_label(english_text("screen.sketch.field.player", number=str(seat + 1)))
            field.fill(name)
            field.press("Enter")
            self.wait_for_steps()

    def draw(self, tree: Tree) -> None:
        """Draw a tree from nothing."""
        ids = {0: 0}
        self.names(tree)
        for kind, history, names, second in way_to(tree):
            place = ids[history]
            match kind:
                case "moves":
                    self.moves(place, names, second)
                case "chance":
                    self.chance(place, names)
                case "join":
                    self.join(place, ids[second])
                case "likely":
                    self.set_probability(place, names[0])
                case "know":
                    self.set_information(place, names[0])
                case _:
                    self.set_payoffs(place, names[0])
            ids.update(zip(tree.children(history), self.below(place), strict=False))
