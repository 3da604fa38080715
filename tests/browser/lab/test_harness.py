"""The harness of the browser tests keeps its promises, shown on a counter of a few lines."""

from __future__ import annotations

import json

import pytest
import wire
from fonts import BOTH, MACHINE
from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1
from playwright.sync_api import expect

COUNTER = '''
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = """
    export default {
      render({ model, el }) {
        const button = document.createElement("button");
        const show = () => { button.textContent = `count ${model.get("count")}`; };
        button.addEventListener("click", () => { model.set("count", model.get("count") + 1); model.save_changes(); });
        model.on("change:count", show);
        show();
        el.append(button);
        model.on("msg:custom", ({ run }) => Function(run)());
      },
    };
    """
    count = traitlets.Int(0).tag(sync=True)

counter = Counter()
counter
'''


def button(book):
    """The button of the counter."""
    return book.page.get_by_role("button", name="count")


@pytest.mark.release
def test_a_click_reaches_python_and_python_reaches_the_page(notebook):
    """A click changes the value in the kernel, and a value set in the kernel is shown."""
    book = notebook([COUNTER])
    button(book).click()
    book.until("counter.count == 1")
    assert book.python("counter.count, {'as': ['a', 'literal']}, 2 > 1") == (1, {"as": ["a", "literal"]}, True)
    assert book.python("Counter") == "<class '__main__.Counter'>"
    book.execute("counter.count = 41")
    expect(button(book)).to_have_text("count 41")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        book.python("1 / 0")


@pytest.mark.release
def test_a_saved_notebook_comes_back_with_its_kernel(notebook):
    """After a reload the view is there again, on the same widget; after a restart of the kernel nothing is left of it."""
    book = notebook([COUNTER])
    button(book).click()
    expect(button(book)).to_have_text("count 1")
    book.save()
    book.reload()
    expect(button(book)).to_have_text("count 1")
    button(book).click()
    book.until("counter.count == 2")
    book.restart_kernel()
    assert not book.python("'counter' in globals()")
    book.run_all()
    expect(button(book)).to_have_text("count 0")


@pytest.mark.release
def test_a_kernel_is_restarted_when_it_has_answered(notebook):
    """Restarted again and again at once; what JupyterLab says of its own questions that this cuts off is no complaint of ours."""
    book = notebook([COUNTER])
    for _ in range(3):
        book.run_all()
        book.restart_kernel()
    assert book.complaints() == []


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("console.error('the talon is on fire')", "console: the talon is on fire"),
        ("setTimeout(() => { throw new Error('lost a card') })", "error of the page: .*lost a card"),
        ("fetch('/nowhere').catch(() => 0)", "console: .*404"),
    ],
)
@pytest.mark.sample(3)
def test_what_goes_wrong_in_the_page_is_noticed(notebook, script, problem):
    """An error in the console or the page fails the test that does not expect it."""
    book = notebook([COUNTER])
    assert book.complaints() == []
    event, ours = ("pageerror", None) if "throw" in script else ("console", lambda message: message.type == "error")
    with book.page.expect_event(event, ours):
        book.execute(f"counter.send({{'run': {script!r}}})")
    assert len(book.complaints()) == 1
    book.expects(problem)
    assert book.complaints() == []


@pytest.mark.release
def test_a_problem_that_was_expected_has_to_come(notebook):
    """A test cannot expect what does not happen."""
    book = notebook([COUNTER])
    book.expects("a flood")
    assert book.complaints() == ["expected and not seen: a flood"]
    with book.page.expect_event("console"):
        book.page.evaluate("console.error('a flood')")


def test_a_request_to_another_machine_is_noticed(notebook):
    """Nothing that the page asks of another machine gets there, and it is reported."""
    book = notebook([COUNTER])
    with book.page.expect_event("requestfailed"):
        book.execute("counter.send({'run': 'fetch(\"https://example.org/cards.svg\").catch(() => 0)'})")
    assert "request to another machine: https://example.org/cards.svg" in book.complaints()
    book.expects("https://example.org/cards.svg")


@pytest.mark.release
def test_every_message_of_the_kernel_is_kept(notebook):
    """What opens the widget, what the page asks to change and what Python says: all of it, in order, with its buffers."""
    book = notebook([COUNTER])
    button(book).click()
    book.until("counter.count == 1")
    book.execute("counter.send({'run': '0'}, buffers=[b'six of clubs', b'7c'])")
    comms = [message["content"] for message in book.received if message["header"]["msg_type"] in {"comm_open", "comm_msg"}]
    assert any("_esm" in content["data"].get("state", {}) for content in comms)
    assert {message["channel"] for message in book.received} >= {"iopub", "shell"}
    changes = [message["content"]["data"] for message in book.sent if message["header"]["msg_type"] == "comm_msg"]
    assert {"method": "update", "state": {"count": 1}, "buffer_paths": []} in changes
    assert [message["buffers"] for message in book.received if message["buffers"]] == [[b"six of clubs", b"7c"]]


def test_frames_are_read_as_the_server_writes_them():
    """The reader of the wire undoes the writer of Jupyter's server, in both protocols."""
    message = {"header": {"msg_type": "comm_msg"}, "parent_header": {}, "metadata": {"a": [1]}, "content": {"text": "Дурак"}}
    parts = [json.dumps(value).encode() for value in message.values()]
    assert wire.decode(serialize_msg_to_ws_v1([*parts, b"one", b""], "iopub")) == {**message, "channel": "iopub", "buffers": [b"one", b""]}
    assert wire.decode(json.dumps({**message, "channel": "shell"})) == {**message, "channel": "shell", "buffers": []}


@pytest.mark.release
def test_the_page_is_as_the_test_asks(notebook):
    """Size, theme, touch and motion are the test's to choose."""
    book = notebook([COUNTER], viewport=(700, 900), theme="dark", touch=True, reduced_motion=True)
    asked = "[innerWidth, innerHeight, document.body.dataset.jpThemeLight, navigator.maxTouchPoints > 0, matchMedia('(prefers-reduced-motion: reduce)').matches]"
    assert book.page.evaluate(asked) == [700, 900, "false", True, True]
    other = notebook([COUNTER])
    assert other.page.evaluate(asked) == [1280, 800, "true", False, False]


@pytest.mark.release
def test_axe_finds_what_is_wrong(notebook):
    """A button without a name is found, the counter's own button passes."""
    book = notebook([COUNTER])
    assert book.axe(".jp-OutputArea-output button") == []
    button(book).evaluate("button => { button.textContent = ''; }")
    assert [violation["id"] for violation in book.axe(".jp-OutputArea-output button")] == ["button-name"]


@pytest.mark.release
def test_notebook_7_is_driven_in_the_same_way(notebook):
    """The counter counts in Notebook 7 too."""
    book = notebook([COUNTER], app="notebook")
    button(book).click()
    book.until("counter.count == 1")
    assert "/notebooks/" in book.page.url


@pytest.mark.release
def test_jupyterlab_asks_nothing_when_it_starts(notebook):
    """The project's settings answer the question about news before it is asked."""
    book = notebook([COUNTER])
    setting = "fetch('/lab/api/settings/@jupyterlab/apputils-extension:notification').then((answer) => answer.json())"
    assert book.page.evaluate(setting)["schema"]["properties"]["fetchNews"]["default"] == "false"
    expect(book.page.get_by_text("official Jupyter news")).to_have_count(0)


@BOTH
@pytest.mark.skipif(MACHINE, reason="the fonts of this machine are tried")
def test_pages_are_painted_with_the_font_that_is_asked_for(font, pages):
    """Whatever lies on the machine: the widest and the narrowest that are usual, with the signs that the narrow one lacks."""
    context = pages.context()
    page = context.new_page()
    page.set_content("<p style='font: 15px Roboto, sans-serif'>Waits, Žaidėjas, защищается ✓</p>")
    asked = context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        asked.send(f"{domain}.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    node = asked.send("DOM.querySelector", {"nodeId": root, "selector": "p"})["nodeId"]
    found = asked.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    context.close()
    assert {one["familyName"] for one in found} == {font, "DejaVu Sans"}
