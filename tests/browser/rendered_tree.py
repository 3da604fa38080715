"""Render a tree, joined to Python as in a notebook."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, TypeVar

from rendered_table import STATIC

from durak_widget import Game

if TYPE_CHECKING:
    from durak_widget.board import Tree

ENDING = Game.from_position("suits=cd, ranks=6789TJ, hand_size=2", hands=["7c Td 8d", "8c 9d"], trump="c", discard="6c Tc 6d 9c Jc 7d Jd")
LAY = """([values, width]) => {
  window.close_tree?.();
  window.sent = [];
  const heard = new Map(), dirty = {};
  const fire = (event, ...given) => [...(heard.get(event) ?? [])].forEach((run) => run(...given));
  // Bytes come as base64: a page is told them as a notebook tells them.
  const bytes = (told) => typeof told?.[' bytes'] === 'string' ? new DataView(Uint8Array.from(atob(told[' bytes']), (one) => one.charCodeAt(0)).buffer)
    : told && typeof told === 'object' && !Array.isArray(told) ? Object.fromEntries(Object.entries(told).map(([name, one]) => [name, bytes(one)])) : told;
  values = bytes(values);
  const apply = ({ changes: coded, said }) => { const changes = bytes(coded); for (const [name, value] of Object.entries(changes)) { values[name] = value; fire(`change:${name}`); } for (const one of said) fire('msg:custom', one); };
  const model = {
    get: (name) => values[name],
    set: (name, value) => { if (values[name] !== value) { values[name] = value; dirty[name] = value; fire(`change:${name}`); } },
    save_changes() { const all = { ...dirty }; for (const name of Object.keys(dirty)) delete dirty[name]; return window.python({ kind: ' set', ...all }).then(apply); },
    send: (message) => {
      window.sent.push(message);
      if (window.gone) throw new Error('the kernel is gone');
      window.unanswered = (window.unanswered ?? 0) + 1;
      return window.python(message).then(apply).finally(() => { window.unanswered -= 1; });
    },
    on: (event, run) => heard.set(event, [...(heard.get(event) ?? []), run]),
    off: (event, run) => heard.set(event, (heard.get(event) ?? []).filter((one) => one !== run)),
  };
  Object.assign(window, { model, heard, apply, gone: false });
  const el = document.createElement('div');
  el.style.width = `${width}px`;
  document.body.replaceChildren(el);
  window.close_tree = board.render({ model, el });
}"""
# Wait until everything is rendered, answered and still: a few frames after the last movement. Answers that a test holds back are ignored.
RESTS = """() => new Promise((done) => {
  let still = 0, frames = 0;
  const look = () => {
    const view = document.querySelector('.dk-view');
    still = view?.dataset.nodes !== undefined && view.dataset.moving === undefined && (!window.unanswered || ++frames > 120) ? still + 1 : 0;
    if (still > 3) done(); else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""


class TreePage:
    """A page with one tree."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.view: Tree | None = None
        self._changes: dict[str, Any] = {}
        self._said: list[Any] = []
        page.expose_function("python", self._hear)

    def mount(self, view: Any, width: int = 1000) -> None:
        """Show a view."""
        self.view = view
        view.observe(self._changed)
        view.send = self._said.append
        state = {name: encode_bytes(value) for name, value in view.get_state().items() if not name.startswith("_") and name != "layout"}
        self._changes.clear()
        self.page.evaluate(LAY, [state, width])
        self.rest()

    def _changed(self, change: Any) -> None:
        if self.view is not None and change["owner"] is self.view and self.view.trait_metadata(change["name"], "sync"):
            self._changes.update(self.view.get_state(change["name"]))

    def _hear(self, message: dict[str, Any]) -> dict[str, Any]:
        view = self.view
        if view is None:
            return {"changes": {}, "said": []}
        if message["kind"] == " set":
            view.set_state({name: value for name, value in message.items() if name != "kind"})
        else:
            view._receive_message(view, message, [])
        return self._told()

    def _told(self) -> dict[str, Any]:
        changes, sentences = encode_bytes(self._changes), list(self._said)
        self._changes.clear()
        self._said.clear()
        return {"changes": changes, "said": sentences}

    def sync(self) -> None:
        """Send the page what Python has changed."""
        self.page.evaluate("(told) => apply(told)", self._told())
        self.rest()

    def rest(self) -> None:
        """Wait until nothing moves."""
        self.page.evaluate(RESTS)

    def sent(self) -> list[Any]:
        """Return the messages since the last call."""
        return self.page.evaluate("sent.splice(0)")

    def press(self, *keys: str) -> None:
        """Press keys on the tree."""
        self.page.locator(".dk-view").focus()
        for key in keys:
            self.page.keyboard.press(key)
            self.rest()

    def run_command(self, name: str) -> None:
        """Press the button of a command in the toolbar, or choose it in the menu."""
        in_bar = self.page.get_by_role("toolbar").get_by_role("button", name=name, exact=True)
        if in_bar.is_visible():
            in_bar.click()
        else:
            self.open_menu()
            self.page.locator(".dk-menu-item", has_text=name).click()
        self.rest()

    def open_menu(self) -> Any:
        """Open the menu of the toolbar and return it."""
        self.page.locator("[data-tool=menu]").click()
        return self.page.get_by_role("menu")

    def open_settings(self) -> Any:
        """Open the settings from the menu and return them."""
        self.open_menu()
        self.page.locator("[data-item=settings]").click()
        return self.page.locator(".dk-menu-panel")

    def node(self, history: int) -> Any:
        """Return the element of a node."""
        return self.page.locator(f".dk-node[data-id='{history}']")

    def heard(self, history: int) -> str:
        """Return what a screen reader says about a node."""
        return self.node(history).locator("> .dk-sr-only").inner_text()

    @property
    def at(self) -> int:
        """Return the focused history, as a screen reader is told."""
        return self.page.evaluate(
            "Number(document.getElementById(document.querySelector('.dk-view').getAttribute('aria-activedescendant')).dataset.id)"
        )


def encode_bytes(message: Any) -> Any:
    """Return a message with its bytes as text."""
    if isinstance(message, bytes):
        return {" bytes": b64encode(message).decode()}
    return {name: encode_bytes(value) for name, value in message.items()} if isinstance(message, dict) else message


Kind = TypeVar("Kind", bound="TreePage")
BOTH = """async ([looked, drawn]) => {
  const [tree, hand] = await Promise.all([looked, drawn].map(async (url) => (await import(url)).default));
  window.board = { render: (given) => (given.model.get("tree_draft_view") || given.model.get("matrix_draft_view") ? hand : tree).render(given) };
}"""
"""The board and the editor have different entry points."""


def load_tree_page(page: Any, kind: type[Kind] = TreePage) -> Kind:
    """Load the board bundle into an empty page."""
    page.set_content("<!doctype html><body></body>")
    page.add_style_tag(content=(STATIC / "sketch.css").read_text(encoding="utf-8"))  # includes board.css
    page.evaluate(BOTH, [bundle_url(), bundle_url(name="sketch.js")])
    return kind(page)


def bundle_url(number: int = 0, name: str = "board.js") -> str:
    """Return the URL of a bundle. Another number gives another copy."""
    code = (STATIC / name).read_bytes() + f"\n//{number}".encode()
    return f"data:text/javascript;base64,{b64encode(code).decode()}"
