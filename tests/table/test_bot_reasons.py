"""Test bots' reasons for moves: they are in the game's record once all cards may be seen, never before."""

from __future__ import annotations

import pytest

from durak_widget import Rules, Table, bots
from durak_widget.i18n import TranslatableText, Translator
from support.tables import make_move, record_messages, send_message


class RevealingBot(bots.get("careful").implementation.__class__):
    """A bot whose reason names a card of its hand."""

    def why(self, view, chosen):
        """Return a reason that reveals the hand."""
        return f"{chosen} it was, and I hold {view.hand}."


class TranslatedBot(bots.get("careful").implementation.__class__):
    """A bot whose reason exists in every language."""

    def why(self, view, chosen):  # noqa: ARG002 - the interface of bots
        """Return a sentence of the package."""
        return TranslatableText("advice.take")


class SilentBot(bots.get("careful").implementation.__class__):
    """A bot that fails only when asked for its reason."""

    def why(self, view, chosen):
        """Raise an error."""
        raise RuntimeError(f"no idea why {chosen} of {view}")


def record_of(table: Table) -> list[str]:
    """Return the record of the game as the page lists it."""
    sent = record_messages(table)
    send_message(table, "move_list")
    return [reason for bout in sent[-1]["bouts"] for _, reason in bout["moves"]]


def finished_table(bot: object, **more: object) -> Table:
    """Return a small game, played to its end against that bot."""
    table = Table(Rules(ranks="9TJQKA"), {0: "you", 1: bot}, seed=4, pace=0, **more)
    while table.game.actor is not None:
        if table.game.actor == 0:
            make_move(table, table.game.legal_moves()[0])
        else:
            table.step()
    return table


def test_reasons_are_shown_when_nothing_is_hidden():
    """Each move of the bot has one, the person's have none."""
    table = finished_table(RevealingBot())
    of_bot = [played.seat == 1 for played in table.game.view(0).history]
    assert ["it was, and I hold" in reason for reason in record_of(table)] == of_bot
    assert any(of_bot)


def test_reasons_are_not_shown_while_cards_are_hidden():
    """They could name hidden cards. With all hands open, the record has them."""
    table = Table(seed=7, seats={0: "you", 1: RevealingBot()}, pace=0)
    sent = record_messages(table)
    while len(table._session.get_move_reasons()) < 3:
        if table.game.actor == 0:
            make_move(table, table.game.legal_moves()[0])
        else:
            table.step()
        assert "I hold" not in str(table.scene)
    for kind in ("move_list", "describe_table", "describe_last_moves", "share"):
        send_message(table, kind)
    assert "I hold" not in str(sent)
    table.hands = "open"
    assert sum("I hold" in reason for reason in record_of(table)) == 3


def test_undone_moves_lose_their_reasons():
    """Other moves have their own."""
    table = Table(seed=7, seats={0: RevealingBot(), 1: RevealingBot()}, pace=0, hands="open")
    table.step(), table.step(), table.step()
    assert sorted(table._session.get_move_reasons()) == [1, 2, 3]
    table._session.goto(1, is_taken_back=True)
    table.step()
    assert sorted(table._session.get_move_reasons()) == [1, 2]
    send_message(table, "new_game")
    assert table._session.get_move_reasons() == {}


def test_a_reason_belongs_to_exactly_its_move():
    """Another move of the same number has none, nor has a game set by hand."""
    table = Table(seed=7, seats={0: RevealingBot(), 1: RevealingBot()}, pace=0, hands="open")
    table.step(), table.step()
    table._session.goto(1, is_taken_back=True)
    table._session.seat_player(table.game.actor, "you")
    make_move(table, table.game.legal_moves()[-1])
    assert sorted(table._session.get_move_reasons()) == [1]
    first = table.game.moves[0]
    table.game.goto(0)
    table.game.play(next(move for move in table.game.legal_moves() if move != first))
    table.refresh()
    assert table._session.get_move_reasons() == {}


class UndecidableValue:
    """A value whose truth can't be asked for, like an array's."""

    def __bool__(self):
        """Raise an error."""
        raise ValueError("which?")


def check_record_with(given_reason):
    """Check one case of the next test."""

    class Odd(bots.get("careful").implementation.__class__):
        def why(self, view, chosen):  # noqa: ARG002 - the interface of bots
            return given_reason

    listed = record_of(finished_table(Odd()))
    assert listed
    assert all(len(reason) < 500 and "\x00" not in reason and reason.encode("utf-8") for reason in listed)


def test_an_invalid_reason_does_not_disturb_the_record():
    """Each move still has one line that can be sent."""
    for reason in [
        UndecidableValue(),
        TranslatableText("no.such.key"),
        TranslatableText("advice.beat", None),
        TranslatableText("advice.beat"),
        "\ud800\u202e\x00 ok",
        "x" * 10**6,
        7,
        ["a"],
    ]:
        check_record_with(reason)


class ExitingBot(bots.get("careful").implementation.__class__):
    """A bot whose reason exits the process."""

    def why(self, view, chosen):
        """Exit the process."""
        raise SystemExit(f"{chosen} of {view}")


class UnreadableBot(bots.get("careful").implementation.__class__):
    """A bot whose `why` fails when it is looked up."""

    @property
    def why(self):
        """Raise an error."""
        raise ValueError("not now")


def test_a_failing_reason_does_not_stop_the_move():
    """Test exits and failing attributes."""
    for bot in [ExitingBot, UnreadableBot]:
        table = finished_table(bot())
        assert table.game.outcome is not None
        assert not table.failures


def test_a_reason_is_in_the_language_of_the_table():
    """It must be a sentence of the package."""
    for language in ("en", "lt", "ru"):
        sentence = Translator(language, cards="signs", own_seat=0).translate("advice.take")
        assert any(move.endswith(f" {sentence}") for move in record_of(finished_table(TranslatedBot(), language=language)))


@pytest.mark.filterwarnings("ignore")
def test_a_failing_reason_is_logged_and_the_game_goes_on(caplog):
    """It is played to its end."""
    table = finished_table(SilentBot())
    assert table.game.outcome is not None
    assert not table._session.get_move_reasons()
    assert not table.failures
    assert "could not get the reason" in caplog.text
