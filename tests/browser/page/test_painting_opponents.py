"""Opponents on the painted table: a face and a name, what they say at the end, and the button that seats the next."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import Table, bots
from durak_widget.words import screen


@pytest.fixture(scope="module")
def beaten(tmp_path_factory):
    """The first scene of a game against the nephew, and the last of the second one that was won."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_WIDGET_HOME", str(tmp_path_factory.mktemp("home")))
        table, good = Table(seats={1: "nephew"}, seed=5), bots.get("counting")
        first, times = dict(table.scene), 0
        while times < 2:
            while table.game.outcome is None:
                if table.game.actor == 0:
                    table.play(good.choose(table.game.view(0), Random(1)))
                else:
                    table.step()
            times += table.scene["over"]["won"] is True
            if times < 2:
                table.hear({"kind": "next", "game": table.scene["game"], "ply": table.scene["ply"]})
        return first, dict(table.scene)


def test_an_opponent_has_a_name_and_a_face(blank, beaten):
    """At the plate and in its name, beside the role; who is no opponent any more has neither."""
    first, _ = beaten
    blank.lay(first, words=screen("en"))
    seat = blank.read()["seats"][0]
    assert (seat["shown"], seat["name"].startswith("Tim, 6 cards")) == ("Tim", True)
    assert blank.page.locator(".dk-plate .dk-portrait svg path").count() > 3
    assert "nephew" in blank.page.locator(".dk-portrait").get_attribute("title")
    other = {**first, "id": first["id"] + 1, "seats": [first["seats"][0], {"cards": 6, "role": "attacks", "who": "careful"}]}
    blank.show(other)
    assert blank.read()["seats"][0]["shown"] == "Player 2"
    assert blank.page.locator(".dk-portrait").count() == 0


def test_who_is_beaten_says_so_and_the_next_sits_down_at_a_press(blank, beaten):
    """The end card has their sentence and how one stands; the first button is the next opponent, also by keys."""
    _, last = beaten
    blank.lay(last, words=screen("en"))
    told = blank.read()
    assert any(line.startswith("Tim: “") for line in told["over"]["lines"])
    assert "You have beaten Tim, two games of three. Next: Uncle Yasha." in told["over"]["lines"]
    assert told["actions"][0] == ["meet", "Play Uncle Yasha"]
    blank.click("[data-action=meet]")
    assert {"kind": "meet", "who": "uncle"}.items() <= blank.take()[-1].items()
