"""A person at the table: makes moves as people do, by mouse, by touch or by keys, and waits for what they see."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from notebook_page import PATIENCE
from playwright.sync_api import expect

from durak_widget import Card, Move

if TYPE_CHECKING:
    from collections.abc import Callable

    from notebook_page import Notebook
    from playwright.sync_api import Locator

IMPORTS = "from durak_widget import Game, Match, Rules, Table"
DEFENDING = "Game.from_position('passport', hands=['7c 7h 9d Tc', '9h Ts Qd Ac Kc Jc'], trump='h', table='7d', attacker=1)"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
# What follows a click on a card: the game goes on, or a question is asked, or the card is picked and a target is wanted.
_SETTLED = """([n, id]) => {
    const table = document.querySelectorAll('.dk:not(.dk-exercise, .dk-board-feedback, .dk-board)')[n];
    const dialog = table.querySelector('.dk-dialog'), picked = table.querySelector('.dk-hand-card[data-picked]');
    return table.dataset.scene !== id ? 'scene' : dialog ? 'asked' : picked ? 'picked' : false;
}"""


class Person:
    """Sits at the nth table of a notebook, whose name in the kernel is given."""

    def __init__(self, book: Notebook, name: str = "table", n: int = 0, how: Literal["mouse", "touch", "keys"] = "mouse") -> None:
        self.book, self.name, self.n, self.how = book, name, n, how
        self.table = book.table(n)
        self.page = book.page

    # What is there

    @property
    def hand(self) -> Locator:
        """The cards of the hand."""
        return self.table.get_by_role("group", name="Your hand", exact=True)

    def card(self, card: Card | str) -> Locator:
        """A card of the hand; of two that are alike the first that is not picked."""
        return self.hand.locator(f".dk-hand-card[data-card='{Card(str(card)).face}']:not([data-picked])").first

    def legal(self) -> list[str]:
        """The legal moves of the seat to act."""
        return self.book.python(f"[str(move) for move in {self.name}.game.legal_moves()]")

    def settled(self) -> dict[str, Any]:
        """The scene once it is for a person to act or the game is over, and the page shows just that."""
        return self.turn()[0]

    def turn(self) -> tuple[dict[str, Any], list[str]]:
        """The same, with the legal moves: asked for together, since each question to a kernel takes its time."""
        name = self.name
        waits = f"{name}.game.actor is not None and {name}.players[{name}.game.actor] != 'you'"
        deadline, asked = monotonic() + PATIENCE / 1000, 0
        while monotonic() < deadline:
            if asked == 2:
                self.start()
            asked += 1
            found = self.book.python(f"None if {waits} else (dict({name}.scene), [str(move) for move in {name}.game.legal_moves()])")
            if found is not None:
                expect(self.table).to_have_attribute("data-scene", str(found[0]["id"]))
                return found
        raise AssertionError("no person was to act")

    # What is done

    def start(self) -> None:
        """Where a bot is to open, say that one is there."""
        if self.book.python(
            f"bool({self.name}.scene.get('is_waiting')) and {self.name}.game.last_ply == 0 and 'you' in {self.name}.players"
        ):
            self.press(self.button("Start"))

    def press(self, what: Locator) -> None:
        """Click, tap, or go there by the keyboard and press Enter."""
        if self.how == "keys":
            what.focus()
            self.page.keyboard.press("Enter")
        elif self.how == "touch":
            what.tap(force=True)
        else:  # after a drag in no time at all, Chromium takes a tap for the end of a fling
            what.click(force=True)

    def button(self, name: str) -> Locator:
        """A button of the table."""
        return self.table.get_by_role("button", name=name, exact=True)

    def here(self) -> None:
        """Say that the person whose turn it is sits there now."""
        button = self.table.locator("[data-action=here]")
        button.wait_for()  # with the scene that asks
        self.press_and_see(button)

    def undo(self) -> None:
        """Take the last move back, and see that it is: a question to the kernel may be quicker than a click."""
        self.press_and_see(self.button("Undo"))

    def press_and_see(self, what: Locator) -> None:
        """Press something that leads to another scene, and wait till the page shows it."""
        before = self.table.get_attribute("data-scene")
        self.press(what)
        expect(self.table).not_to_have_attribute("data-scene", before)

    def after(self, scene_id: int) -> str:
        """What follows: `scene`, `asked` or `picked`."""
        return self.page.wait_for_function(_SETTLED, arg=[self.n, str(scene_id)]).json_value()

    def play(self, text: str) -> None:
        """Make a move as a person does, whatever it needs: clicks, a target, an answer."""
        move, scene = Move(text), int(self.table.get_attribute("data-scene"))
        ply = int(self.table.get_attribute("data-ply"))
        if not move.cards:
            self.press(self.button(text.capitalize()))
        elif move.verb == "swap":
            self.press(self.button("Swap"))
            for card in move.cards:
                self.press(self.card(card))
        elif self.how == "drag":
            self.drag(move)
        else:
            self._with_cards(move, scene)
        self.after_move(ply)

    def drag(self, move: Move) -> None:
        """Carry one card with a finger to the card that it shall beat, or to the table."""
        expect(self.table.locator(".dk-flying")).to_have_count(0)  # a finger takes what lies
        self.card(move.cards[-1]).scroll_into_view_if_needed()
        card = self.card(move.cards[-1]).bounding_box()
        target = self.table.locator(f".dk-pair[data-card='{move.cards[0]}']" if move.verb == "beat" else ".dk-table").first.bounding_box()
        (x, y), (to, down) = (card["x"] + 12, card["y"] + 20), (target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
        session = self.page.context.new_cdp_session(self.page)
        for step in range(9):
            at = {"x": x + (to - x) * step / 8, "y": y + (down - y) * step / 8}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [at]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def after_move(self, ply: int) -> None:
        """The move is made, and the page shows it."""
        self.page.wait_for_function(
            "([n, ply]) => Number(document.querySelectorAll('.dk:not(.dk-exercise, .dk-board-feedback, .dk-board)')[n].dataset.ply) > ply",
            arg=[self.n, ply],
        )

    def _with_cards(self, move: Move, scene: int) -> None:
        own = move.cards[1:] if move.verb == "beat" else move.cards
        for i, card in enumerate(own):
            self.press(self.card(card))
            if self.after_card(scene, i) == "asked":
                self.press(self.table.get_by_role("dialog").get_by_role("button", name=self.answer(move, card), exact=True))
                last = self.after(scene)
            else:
                last = self.after(scene)
            if last == "scene":
                return
        if move.verb == "beat":
            self.press(self.table.locator(f".dk-pair[data-target][data-card='{move.cards[0]}']").first)
            if self.after(scene) == "asked":
                self.press(self.table.get_by_role("dialog").get_by_role("button", name=self.answer(move, own[0]), exact=True))
        elif move.verb == "attack":
            self.press(self.button("Attack"))

    def after_card(self, scene: int, already: int) -> str:
        """What follows a press on one more card."""
        more = f"table.querySelectorAll('.dk-hand-card[data-picked]').length > {already} ? 'picked' : false"
        return self.page.wait_for_function(_SETTLED.replace("picked ? 'picked' : false", more), arg=[self.n, str(scene)]).json_value()

    def answer(self, move: Move, card: Card) -> str:
        """The name of the answer that means this move."""
        dialog = self.table.get_by_role("dialog")
        answers = dialog.get_by_role("button").all_inner_texts()
        verb = {
            "beat": f"Beat the {move.cards[0].name}",
            "transfer": "Transfer",
            "show": "Show trump",
            "attack": "Attack",
            "throw": "Throw in",
        }[move.verb]
        suit = SUITS.get(card.suit or "", "")
        return next(answer for answer in (f"{verb}, as {suit}", suit, verb) if answer in answers)


def laid(notebook, what: str, options: str = "pace=60000, motion=False", **page) -> Person:
    """Somebody at a table that has just been laid."""
    book = notebook([f"{IMPORTS}\ntable = Table({what}, {options})\ntable"], **page)
    expect(book.table()).to_be_visible()
    person = Person(book)
    person.start()
    return person


def whole_game(person: Person, seed: int, moves: int = 400, looking: Callable[[], None] = lambda: None) -> list[str]:
    """Play a game to its end by moves drawn at random, looking at the page before each; the moves that were made."""
    rng, made = Random(seed), []
    person.start()
    for _ in range(moves):
        scene, legal = person.turn()
        if "result" in scene:
            course = person.book.python(f"[str(move) for move in {person.name}.game.moves]")
            assert [course[ply] for ply, _ in made] == [text for _, text in made]
            return [text for _, text in made]
        if scene.get("covered"):
            person.here()
            continue
        looking()
        text = rng.choice([move for move in legal if move != "take"] or legal) if rng.random() < 0.8 else rng.choice(legal)
        person.play(text)
        made.append((scene["ply"], str(Move(text))))
    raise AssertionError(f"no end after {moves} moves")
