"""What stands in for anywidget does what anywidget does, as far as our widgets ask: the same is told in the same order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from unittest import mock

import anywidget
import pytest
import traitlets

from durak_widget.web import anywidget_shim
from durak_widget.web.message_channel import CHANNEL


class Comm:
    """A connection that notes what is told on it, as a page of ours is told it."""

    comm_id = "one"

    def __init__(self, told):
        self.told, self.kernel = told, self

    def on_msg(self, _):
        """Nobody is there to say anything."""

    def send(self, data, buffers=()):
        """Note it."""
        method = data["method"]
        if method == "update":
            self.told.append(("update", data["state"], data["buffer_paths"], list(buffers)))
        elif method == "custom":
            self.told.append(("custom", data["content"], list(buffers)))

    def close(self, *_):
        """Nothing more."""


def real(kind, **more):
    """A widget of anywidget's own, and what its page is told."""
    told = []
    with mock.patch("comm.create_comm", return_value=Comm(told)):
        widget = kind(**more)
    return widget, told, lambda state: widget._handle_msg({"content": {"data": {"method": "update", "state": state}}, "buffers": []})


def ours(kind, **more):
    """One that stands in, and what its page is told."""
    told = []
    CHANNEL.clear()
    widget = kind(**more)

    def heard(text, buffers):
        said = json.loads(text)
        if said["kind"] == "update":
            paths = [path[1:] for path in said.get("paths", [])]
            told.append(("update", {name: one for name, one in said["state"].items() if [name] not in paths}, paths, buffers))
        elif said["kind"] == "custom":
            told.append(("custom", said["content"], buffers))

    CHANNEL.connect(heard)
    told.clear()
    return widget, told, lambda state: CHANNEL.receive(json.dumps({"kind": "update", "id": widget.model_id, "state": state}))


def kind_of(base):
    """A small widget on that base, which notes what Python hears in the same list as what the page is told."""

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


def both(what):
    """What happens with each of them: they must not differ."""
    found = []
    for open_, base in ((real, anywidget.AnyWidget), (ours, anywidget_shim.AnyWidget)):
        widget, told, page = open_(kind_of(base), count=1)
        what(widget, told, page)
        found.append(told)
    assert found[0] == found[1]
    return found[0]


def test_a_change_is_told_before_anybody_in_python_hears_of_it():
    """Once, and only what is seen; what stays as it is is not told."""

    def change(widget, told, _):
        widget.observe(lambda event: told.append(("heard", event["name"], event["old"], event["new"])))
        widget.count, widget.own = 2, 5
        widget.count = 2
        widget.set_trait("inside", {"a": [1, None, "ą"]})

    told = both(change)
    assert told[:2] == [("update", {"count": 2}, [], []), ("heard", "count", 1, 2)]
    assert len(told) == 5


def test_what_the_page_says_is_not_told_back_unless_it_became_something_else():
    """A word is cut to three letters: that is told; a number is not. What is no trait of the page's is passed over."""

    def change(widget, told, page):
        widget.observe(lambda event: told.append(("heard", event["name"], event["new"])), ["count", "word"])
        page({"count": 4})
        page({"word": "word", "count": 5})
        page({"own": 3, "nothing": 1})
        told.append((widget.count, widget.word, widget.own))

    assert ("update", {"word": "wor"}, [], []) in both(change)


def test_what_somebody_changes_while_the_page_is_heard_is_told():
    """Who hears of a change answers it with another."""

    def change(widget, _, page):
        widget.observe(lambda _: widget.set_trait("word", "abc"), "count")
        page({"count": 3})

    assert both(change) == [("update", {"word": "abc"}, [], [])]


def test_changes_that_are_held_are_told_at_once():
    """In the end, each as it then is."""

    def change(widget, told, _):
        with widget.hold_sync():
            widget.count = 2
            with widget.hold_sync():
                widget.word = "a"
            widget.count = 3
            told.append("still")

    told = both(change)
    assert told[0] == "still"
    assert told[1:] == [("update", {"count": 3, "word": "a"}, [], [])]


def test_bytes_travel_beside():
    """In a trait, and deep in one, and with a message."""

    def change(widget, _, __):
        widget.data = b"\x00\xff"
        widget.inside = {"deep": [1, b"x"]}
        widget.send({"a": 1}, buffers=[b"12"])

    told = both(change)
    assert told[0] == ("update", {}, [["data"]], [b"\x00\xff"])


def test_a_message_is_heard_by_whoever_asked():
    """Once each, with the widget and what is binary; and no more by who was taken away."""
    for open_, base in ((real, anywidget.AnyWidget), (ours, anywidget_shim.AnyWidget)):
        widget, _, _ = open_(kind_of(base))
        heard = []

        def hear(*said, heard=heard):
            heard.append(said)

        widget.on_msg(hear)
        widget.on_msg(hear)
        if open_ is real:
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


def test_what_is_closed_is_told_and_hears_nothing():
    """Neither does the page."""

    def change(widget, _, __):
        widget.close()
        widget.count = 7
        widget.send({"a": 1})

    assert both(change) == []


@pytest.mark.slow
def test_all_our_widgets_find_what_they_ask_for(tmp_path):
    """In a Python that has no anywidget, with what stands in for it, a table is laid, played at, and says what it says with the real one."""
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
    said = [
        subprocess.run([sys.executable, "-c", program, which], cwd=root, capture_output=True, text=True, check=True).stdout
        for which in ("ours", "theirs")
    ]
    assert said[0] == said[1]


def test_a_message_that_is_nested_deep_never_reaches_the_parser(monkeypatch):
    """Python in a browser could not catch that it is too deep, and the table would be gone."""
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
    with pytest.raises(ValueError, match="nested more than"):
        CHANNEL.receive('{"kind": "bring", "id": "x", "text": ' + "[" * 20_000)
