"""Why a bot did what it did: told with the course of the game to whoever may know all cards, and to nobody before."""

from __future__ import annotations

import pytest

from durak_widget import Rules, Table, bots
from durak_widget.i18n import TranslatableText, Translator
from support.tables import listening, move, say


class Wise(bots.get("careful").implementation.__class__):
    """Names a card of its hand, as a reason may."""

    def why(self, view, chosen):
        """A reason that would give the hand away."""
        return f"{chosen} it was, and I hold {view.hand}."


class Learned(bots.get("careful").implementation.__class__):
    """Says it in every language."""

    def why(self, view, chosen):  # noqa: ARG002 - as it is asked
        """A sentence of the package."""
        return TranslatableText("advice.take")


class Mute(bots.get("careful").implementation.__class__):
    """Fails at the reason alone."""

    def why(self, view, chosen):
        """Never answers."""
        raise RuntimeError(f"no idea why {chosen} of {view}")


def told(table: Table) -> list[str]:
    """The course of the game as the page lists it."""
    sent = listening(table)
    say(table, "list")
    return [said for bout in sent[-1]["bouts"] for _, said in bout["moves"]]


def ended(bot: object, **more: object) -> Table:
    """A small game, played to its end against that bot."""
    table = Table(Rules(ranks="9TJQKA"), {0: "you", 1: bot}, seed=4, pace=0, **more)
    while table.game.actor is not None:
        if table.game.actor == 0:
            move(table, table.game.legal_moves()[0])
        else:
            table.step()
    return table


def test_a_reason_is_told_when_nothing_is_hidden_any_more():
    """With each move of the bot, and with none of the person's."""
    table = ended(Wise())
    made = [played.seat == 1 for played in table.game.view(0).history]
    assert ["it was, and I hold" in said for said in told(table)] == made
    assert any(made)


def test_a_reason_is_not_told_while_cards_are_hidden():
    """It may name what the bot holds: neither the course nor a scene nor anything else that is sent has it; where all hands lie open, the course does."""
    table = Table(seed=7, seats={0: "you", 1: Wise()}, pace=0)
    sent = listening(table)
    while len(table._session.get_move_reasons()) < 3:
        if table.game.actor == 0:
            move(table, table.game.legal_moves()[0])
        else:
            table.step()
        assert "I hold" not in str(table.scene)
    for kind in ("list", "say", "lately", "share"):
        say(table, kind)
    assert "I hold" not in str(sent)
    table.hands = "open"
    assert sum("I hold" in said for said in told(table)) == 3


def test_moves_taken_back_take_their_reasons_along():
    """What is played instead has its own."""
    table = Table(seed=7, seats={0: Wise(), 1: Wise()}, pace=0, hands="open")
    table.step(), table.step(), table.step()
    assert sorted(table._session.get_move_reasons()) == [1, 2, 3]
    table._session.goto(1, is_taken_back=True)
    table.step()
    assert sorted(table._session.get_move_reasons()) == [1, 2]
    say(table, "new")
    assert table._session.get_move_reasons() == {}


def test_a_reason_stands_beside_its_own_move_alone():
    """Whoever takes back and plays otherwise is not given the reason of a bot for a move of the same number; nor is a game laid by hand."""
    table = Table(seed=7, seats={0: Wise(), 1: Wise()}, pace=0, hands="open")
    table.step(), table.step()
    table._session.goto(1, is_taken_back=True)
    table._session.seat_player(table.game.actor, "you")
    move(table, table.game.legal_moves()[-1])
    assert sorted(table._session.get_move_reasons()) == [1]
    first = table.game.moves[0]
    table.game.goto(0)
    table.game.play(next(one for one in table.game.legal_moves() if one != first))
    table.refresh()
    assert table._session.get_move_reasons() == {}


class Broken:
    """A truth that nobody can ask for, as an array of several has none."""

    def __bool__(self):
        """Refused."""
        raise ValueError("which?")


def check_course_with(said):
    """Check one case of the next test."""

    class Odd(bots.get("careful").implementation.__class__):
        def why(self, view, chosen):  # noqa: ARG002 - as it is asked
            return said

    listed = told(ended(Odd()))
    assert listed
    assert all(len(one) < 500 and "\x00" not in one and one.encode("utf-8") for one in listed)


def test_a_reason_that_cannot_be_told_takes_nothing_away():
    """The course is told all the same, in one line a move that can be sent."""
    for said in [
        Broken(),
        TranslatableText("no.such.key"),
        TranslatableText("advice.beat", None),
        TranslatableText("advice.beat"),
        "\ud800\u202e\x00 ok",
        "x" * 10**6,
        7,
        ["a"],
    ]:
        check_course_with(said)


class Leaves(bots.get("careful").implementation.__class__):
    """Ends the program, had it the say."""

    def why(self, view, chosen):
        """Never answers."""
        raise SystemExit(f"{chosen} of {view}")


class Unasked(bots.get("careful").implementation.__class__):
    """Fails when it is looked at."""

    @property
    def why(self):
        """Never there."""
        raise ValueError("not now")


def test_whatever_a_reason_does_the_move_is_made():
    """Neither an exit nor an attribute that fails stops the game."""
    for bot in [Leaves, Unasked]:
        table = ended(bot())
        assert table.game.outcome is not None
        assert not table.failures


def test_a_reason_is_said_in_the_language_of_the_table():
    """If it is one of the package's sentences."""
    for language in ("en", "lt", "ru"):
        said = Translator(language, cards="signs", own_seat=0).translate("advice.take")
        assert any(one.endswith(f" {said}") for one in told(ended(Learned(), language=language)))


@pytest.mark.filterwarnings("ignore")
def test_a_reason_that_fails_costs_nobody_the_move(caplog):
    """It is logged; the game goes on to its end."""
    table = ended(Mute())
    assert table.game.outcome is not None
    assert not table._session.get_move_reasons()
    assert not table.failures
    assert "could not be had" in caplog.text
