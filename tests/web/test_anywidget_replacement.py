"""Test that the replacement for anywidget sends the same messages in the same order."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from unittest import mock

import anywidget
import pytest
import traitlets

from durak_widget.web import anywidget_shim
from durak_widget.web.message_channel import CHANNEL, MessageChannel, get_channel, use_channel


class Comm:
    """A connection that notes what is sent to the page."""

    comm_id = "one"

    def __init__(self, log):
        self.log, self.kernel = log, self

    def on_msg(self, _):
        """Do nothing: no messages come."""

    def send(self, data, buffers=()):
        """Note the message."""
        method = data["method"]
        if method == "update":
            self.log.append(("update", data["state"], data["buffer_paths"], list(buffers)))
        elif method == "custom":
            self.log.append(("custom", data["content"], list(buffers)))

    def close(self, *_):
        """Do nothing."""


def real_widget(kind, **more):
    """Return a real anywidget widget, and the list of messages to its page."""
    messages = []
    with mock.patch("comm.create_comm", return_value=Comm(messages)):
        widget = kind(**more)
    return widget, messages, lambda state: widget._handle_msg({"content": {"data": {"method": "update", "state": state}}, "buffers": []})


def replacement_widget(kind, **more):
    """Return a replacement widget, and the list of messages to its page."""
    messages = []
    CHANNEL.clear()
    widget = kind(**more)

    def heard(text, buffers):
        message = json.loads(text)
        if message["kind"] == "update":
            paths = [path[1:] for path in message.get("paths", [])]
            messages.append(("update", {name: trait for name, trait in message["state"].items() if [name] not in paths}, paths, buffers))
        elif message["kind"] == "custom":
            messages.append(("custom", message["content"], buffers))

    CHANNEL.connect(heard)
    messages.clear()
    return widget, messages, lambda state: CHANNEL.receive(json.dumps({"kind": "update", "id": widget.model_id, "state": state}))


def widget_class(base):
    """Return a small widget class on that base, which notes events of Python in the same list."""

    class Small(base):
        _esm = "export default {}"
        count = traitlets.Int(0, min=0, max=9).tag(sync=True)
        word = traitlets.Unicode("").tag(sync=True)
        data = traitlets.Bytes(b"").tag(sync=True)
        inside = traitlets.Dict().tag(sync=True)
        own = traitlets.Int(0)

        @traitlets.validate("word")
        def _short(self, proposal):
            return proposal["value"][:3]

    return Small


def check_both(what):
    """Check that both do the same, and return it."""
    found = []
    for open_, base in ((real_widget, anywidget.AnyWidget), (replacement_widget, anywidget_shim.AnyWidget)):
        widget, messages, page = open_(widget_class(base), count=1)
        what(widget, messages, page)
        found.append(messages)
    assert found[0] == found[1]
    return found[0]


def test_a_change_is_sent_before_python_observers_run():
    """It is sent once, and only if it is visible and new."""

    def change(widget, log, _):
        widget.observe(lambda event: log.append(("heard", event["name"], event["old"], event["new"])))
        widget.count, widget.own = 2, 5
        widget.count = 2
        widget.set_trait("inside", {"a": [1, None, "ą"]})

    messages = check_both(change)
    assert messages[:2] == [("update", {"count": 2}, [], []), ("heard", "count", 1, 2)]
    assert len(messages) == 5


def test_widgets_can_be_opened_together_with_their_final_states():
    """Earlier changes are not sent, later ones are. The page can reach them then."""
    messages = []
    CHANNEL.clear()
    CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
    with anywidget_shim.open_later():
        widgets = [widget_class(anywidget_shim.AnyWidget)(count=count) for count in (1, 2)]
        for widget in widgets:
            widget.word = "abc"
        assert messages == []
    assert [(message["kind"], message["state"]["count"], message["state"]["word"]) for message in messages] == [
        ("open", 1, "abc"),
        ("open", 2, "abc"),
    ]
    CHANNEL.receive(json.dumps({"kind": "update", "id": widgets[1].model_id, "state": {"count": 5}}))
    assert widgets[1].count == 5
    widgets[0].count = 3
    assert messages[-1]["state"] == {"count": 3}


def test_a_change_from_the_page_is_sent_back_only_if_adjusted():
    """A word cut to three letters is sent, a number is not. Unknown traits are ignored."""

    def change(widget, log, page):
        widget.observe(lambda event: log.append(("heard", event["name"], event["new"])), ["count", "word"])
        page({"count": 4})
        page({"word": "word", "count": 5})
        page({"own": 3, "nothing": 1})
        log.append((widget.count, widget.word, widget.own))

    assert ("update", {"word": "wor"}, [], []) in check_both(change)


def test_changes_made_by_observers_are_sent():
    """An observer answers a change with another."""

    def change(widget, _, page):
        widget.observe(lambda _: widget.set_trait("word", "abc"), "count")
        page({"count": 3})

    assert check_both(change) == [("update", {"word": "abc"}, [], [])]


def test_held_changes_are_sent_together():
    """Each has its final value."""

    def change(widget, log, _):
        with widget.hold_sync():
            widget.count = 2
            with widget.hold_sync():
                widget.word = "a"
            widget.count = 3
            log.append("still")

    messages = check_both(change)
    assert messages[0] == "still"
    assert messages[1:] == [("update", {"count": 3, "word": "a"}, [], [])]


def test_bytes_are_sent_as_buffers():
    """Test traits, nested values and messages."""

    def change(widget, _, __):
        widget.data = b"\x00\xff"
        widget.inside = {"deep": [1, b"x"]}
        widget.send({"a": 1}, buffers=[b"12"])

    messages = check_both(change)
    assert messages[0] == ("update", {}, [["data"]], [b"\x00\xff"])


def test_a_message_reaches_every_handler_once():
    """It comes with the widget and the buffers. Removed handlers get nothing."""
    for open_, base in ((real_widget, anywidget.AnyWidget), (replacement_widget, anywidget_shim.AnyWidget)):
        widget, _, _ = open_(widget_class(base))
        heard = []

        def hear(*arguments, heard=heard):
            heard.append(arguments)

        widget.on_msg(hear)
        widget.on_msg(hear)
        if open_ is real_widget:
            say = lambda: widget._handle_msg({"content": {"data": {"method": "custom", "content": {"k": 1}}}, "buffers": [b"x"]})  # noqa: E731, B023
        else:
            say = lambda: CHANNEL.receive(  # noqa: E731
                json.dumps({"kind": "custom", "id": widget.model_id, "content": {"k": 1}, "buffers": [None], "paths": [["buffers", 0]]}),  # noqa: B023
                [b"x"],
            )
        say()
        assert heard == [(widget, {"k": 1}, [b"x"])]
        widget.on_msg(hear, remove=True)
        say()
        assert len(heard) == 1


def test_a_closed_widget_neither_sends_nor_receives():
    """The page does not either."""

    def change(widget, _, __):
        widget.close()
        widget.count = 7
        widget.send({"a": 1})

    assert check_both(change) == []


def connected_channel():
    """Return a new channel, and the list of messages to its page."""
    channel, messages = MessageChannel(), []
    channel.connect(lambda text, _: messages.append(json.loads(text)))
    return channel, messages


def test_widgets_of_several_pages_live_in_one_process():
    """Each is shown on its own page only, also after the block, and hears its own page only."""
    CHANNEL.clear()
    everyone = []
    CHANNEL.connect(lambda text, _: everyone.append(text))
    pages = [connected_channel() for _ in range(2)]
    widgets = []
    for channel, _ in pages:
        with use_channel(channel):
            widgets.append(widget_class(anywidget_shim.AnyWidget)(count=1))
    for (channel, messages), widget in zip(pages, widgets, strict=True):
        widget.count += 1
        widget.send("hello")
        channel.receive(json.dumps({"kind": "update", "id": widget.model_id, "state": {"count": 7}}))
        widget.close()
        assert [message["kind"] for message in messages] == ["open", "update", "custom", "close"]
        assert {message["id"] for message in messages} == {widget.model_id}
        assert widget.count == 7
    assert everyone == []
    other = widget_class(anywidget_shim.AnyWidget)()
    pages[0][0].receive(json.dumps({"kind": "update", "id": other.model_id, "state": {"count": 5}}))
    assert other.count == 0
    assert len(everyone) == 1


def test_a_channel_is_used_only_in_its_block_and_its_thread():
    """Blocks may be inside one another, and an error ends a block too."""
    first, second = MessageChannel(), MessageChannel()
    found = []
    with use_channel(first):
        with contextlib.suppress(ZeroDivisionError), use_channel(second):
            thread = threading.Thread(target=lambda: found.append(get_channel()))
            thread.start()
            thread.join()
            found.append(get_channel())
            raise ZeroDivisionError
        found.append(get_channel())
    assert [*found, get_channel()] == [CHANNEL, second, first, CHANNEL]


def test_widgets_that_are_opened_together_keep_their_channels():
    """The channel is the one at creation, not at the end of the block that opens them."""
    channel, messages = connected_channel()
    with anywidget_shim.open_later(), use_channel(channel):
        widget_class(anywidget_shim.AnyWidget)(count=3)
    assert [message["state"]["count"] for message in messages] == [3]


@pytest.mark.slow
def test_all_widgets_work_with_the_replacement(tmp_path):
    """In a Python without anywidget a table is opened, played at, and sends the same messages."""
    program = """
import sys, json
if sys.argv[1] == "ours":
    sys.modules["IPython"] = None
    from durak_widget.web import anywidget_shim
    anywidget_shim.install_shims()
    assert "ipywidgets" in sys.modules and not hasattr(sys.modules["ipywidgets"], "DOMWidget")
from durak_widget import Table
table = Table(seed=7, language="lt", layout={"width": "400px"})
table.play("attack Jc")
table.step()
print(json.dumps([table.scene, table.words, table.settings], sort_keys=True))
"""
    root = Path(__file__).parents[2]
    outputs = [
        subprocess.run([sys.executable, "-c", program, which], cwd=root, capture_output=True, text=True, check=True).stdout
        for which in ("ours", "theirs")
    ]
    assert outputs[0] == outputs[1]


def test_deeply_nested_messages_are_refused_before_parsing(monkeypatch):
    """Python in a browser could not catch the error, and the table would be lost."""
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
    with pytest.raises(ValueError, match="nested more than"):
        CHANNEL.receive('{"kind": "import_files", "id": "x", "text": ' + "[" * 20_000)
