"""Play at a table like a person, by mouse, touch or keys, and wait for what the page shows."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from notebook_page import PATIENCE
from playwright.sync_api import expect

from durak_widget import Card, Move
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from notebook_page import Notebook
    from playwright.sync_api import Locator

IMPORTS = "from durak_widget import Game, Match, Rules, Table"
DEFENDING = "Game.from_position('passport', hands=['7c 7h 9d Tc', '9h Ts Qd Ac Kc Jc'], trump='h', table='7d', attacker=1)"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
# Return what follows a click on a card: another scene, a question, or a selected card that needs a target.
_SETTLED = """([n, id]) => {
    const table = document.querySelectorAll('.dk:not(.dk-exercise, .dk-board-feedback, .dk-board)')[n];
    const dialog = table.querySelector('.dk-dialog'), picked = table.querySelector('.dk-hand-card[data-picked]');
    return table.dataset.scene !== id ? 'scene' : dialog ? 'asked' : picked ? 'picked' : false;
}"""


class HumanPlayer:
    """Plays at the nth table of a notebook. `name` is the table's name in the kernel."""

    def __init__(self, book: Notebook, name: str = "table", n: int = 0, how: Literal["mouse", "touch", "keys"] = "mouse") -> None:
        self.book, self.name, self.n, self.how = book, name, n, how
        self.table = book.table(n)
        self.page = book.page

    # What is on the page

    @property
    def hand(self) -> Locator:
        """Return the hand."""
        return self.table.get_by_role("group", name=english_text("screen.hand"), exact=True)

    def card(self, card: Card | str) -> Locator:
        """Return a card of the hand, or of two equal cards the first that is not selected."""
        return self.hand.locator(f".dk-hand-card[data-card='{Card(str(card)).face}']:not([data-picked])").first

    def legal(self) -> list[str]:
        """Return the legal moves."""
        return self.book.python(f"[str(move) for move in {self.name}.game.legal_moves()]")

    def settled(self) -> dict[str, Any]:
        """Return the scene, once a person is to act or the game is over and the page shows it."""
        return self.turn()[0]

    def turn(self) -> tuple[dict[str, Any], list[str]]:
        """Return that scene and the legal moves, in one question to the kernel."""
        name = self.name
        waits = f"{name}.game.actor is not None and {name}.players[{name}.game.actor] != 'you'"
        deadline, question_count = monotonic() + PATIENCE / 1000, 0
        while monotonic() < deadline:
            if question_count == 2:
                self.start()
            question_count += 1
            found = self.book.python(f"None if {waits} else (dict({name}.scene), [str(move) for move in {name}.game.legal_moves()])")
            if found is not None:
                expect(self.table).to_have_attribute("data-scene", str(found[0]["id"]))
                return found
        raise AssertionError("no person was to act")

    # Actions

    def start(self) -> None:
        """Press *Start* if a bot opens."""
        if self.book.python(
            f"bool({self.name}.scene.get('is_waiting')) and {self.name}.game.last_ply == 0 and 'you' in {self.name}.players"
        ):
            self.press(self.button("Start"))

    def press(self, what: Locator) -> None:
        """Click, tap, or focus and press Enter."""
        if self.how == "keys":
            what.focus()
            self.page.keyboard.press("Enter")
        elif self.how == "touch":
            what.tap(force=True)
        else:  # after an instant drag, Chromium treats a tap as the end of a fling
            what.click(force=True)

    def button(self, name: str) -> Locator:
        """Return a button of the table."""
        return self.table.get_by_role("button", name=name, exact=True)

    def choose(self, command: str) -> None:
        """Choose a command in the menu, by its words."""
        self.press(self.button(english_text("screen.menu")))
        self.press(self.table.get_by_role("menuitem", name=command, exact=True))

    def show_hand(self) -> None:
        """Press the button that shows the hand of the person to act."""
        button = self.table.locator("[data-action=here]")
        button.wait_for()  # in the scene that asks
        self.press_and_see(button)

    def undo(self) -> None:
        """Undo the last move and wait for it: a question to the kernel may be faster than a click."""
        self.press_and_see(self.button(english_text("screen.undo")))

    def press_and_see(self, what: Locator) -> None:
        """Press something that changes the scene and wait for it."""
        before = self.table.get_attribute("data-scene")
        self.press(what)
        expect(self.table).not_to_have_attribute("data-scene", before)

    def after(self, scene_id: int) -> str:
        """Return what follows: `scene`, `asked` or `picked`."""
        return self.page.wait_for_function(_SETTLED, arg=[self.n, str(scene_id)]).json_value()

    def play(self, text: str) -> None:
        """Make a move with all its clicks, targets and answers."""
        move, scene = Move(text), int(self.table.get_attribute("data-scene"))
        ply = int(self.table.get_attribute("data-ply"))
        if not move.cards:
            self.press(self.button(text.capitalize()))
        elif move.verb == "swap":
            self.press(self.button(english_text("screen.swap")))
            for card in move.cards:
                self.press(self.card(card))
        elif self.how == "drag":
            self.drag(move)
        else:
            self._with_cards(move, scene)
        self.after_move(ply)

    def drag(self, move: Move) -> None:
        """Drag a card with a finger to the card it beats or to the table."""
        expect(self.table.locator(".dk-flying")).to_have_count(0)  # a finger takes a resting card
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
        """Wait until the move is made and shown."""
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
            self.press(self.button(english_text("screen.attack")))

    def after_card(self, scene: int, already: int) -> str:
        """Return what follows a click on one more card."""
        more = f"table.querySelectorAll('.dk-hand-card[data-picked]').length > {already} ? 'picked' : false"
        return self.page.wait_for_function(_SETTLED.replace("picked ? 'picked' : false", more), arg=[self.n, str(scene)]).json_value()

    def answer(self, move: Move, card: Card) -> str:
        """Return the label of the answer that plays this move."""
        dialog = self.table.get_by_role("dialog")
        answers = dialog.get_by_role("button").all_inner_texts()
        verb = {
            "beat": f"Beat the {move.cards[0].name}",
            "transfer": "Transfer",
            "show": english_text("screen.show"),
            "attack": "Attack",
            "throw": "Throw in",
        }[move.verb]
        suit = SUITS.get(card.suit or "", "")
        return next(answer for answer in (f"{verb}, as {suit}", suit, verb) if answer in answers)


def open_table(notebook, what: str, options: str = "pace=60000, motion=False", **page) -> HumanPlayer:
    """Open a table and return its player."""
    book = notebook([f"{IMPORTS}\ntable = Table({what}, {options})\ntable"], **page)
    expect(book.table()).to_be_visible()
    person = HumanPlayer(book)
    person.start()
    return person


def play_whole_game(person: HumanPlayer, seed: int, moves: int = 400, looking: Callable[[], None] = lambda: None) -> list[str]:
    """Play random moves to the end, looking at the page before each. Return the moves."""
    rng, made = Random(seed), []
    person.start()
    for _ in range(moves):
        scene, legal = person.turn()
        if "result" in scene:
            course = person.book.python(f"[str(move) for move in {person.name}.game.moves]")
            assert [course[ply] for ply, _ in made] == [text for _, text in made]
            return [text for _, text in made]
        if scene.get("covered"):
            person.show_hand()
            continue
        looking()
        text = rng.choice([move for move in legal if move != "take"] or legal) if rng.random() < 0.8 else rng.choice(legal)
        person.play(text)
        made.append((scene["ply"], str(Move(text))))
    raise AssertionError(f"no end after {moves} moves")
