"""Where it turned, judged by what all cards say: only when that is asked for, once, beside the table; each way leads back to the other."""

from __future__ import annotations

from durak_widget import Game, Table, bots, review
from durak_widget.review.decision_evaluation import Effort
from support.loops import run, seen, settled, until
from support.tables import listening, say


def test_where_that_fails_the_drawer_is_told_what_there_is(monkeypatch) -> None:
    """Its button waits no longer, and it is said what failed."""
    monkeypatch.setattr("durak_widget.review.decision_evaluation.FAST_ENGINE_EFFORT", Effort(6_000, 2_000))
    once = review.analyze_in_steps

    def fails(game: Game, settings: review.ReviewSettings) -> object:
        if settings.by == "all cards":
            raise ZeroDivisionError("a card")
        return once(game, settings=settings)

    monkeypatch.setattr("durak_widget.review.analyze_in_steps", fails)

    async def story() -> None:
        table, sent = Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "you"}, pace=0), []
        table._session.start_jobs()
        await seen(
            table, lambda scene: scene.get("review", {}).get("marks") is not None and "looked through" not in scene["review"]["said"][0]
        )
        table._session.send = sent.append
        say(table, "by_cards")
        scene = await seen(table, lambda scene: "note" in scene)
        assert "ZeroDivisionError" in scene["note"]["said"][0]
        assert [(one["kind"], one["by"]) for one in sent] == [("turned", "seat")]

    run(story)


def test_it_is_judged_by_all_cards_when_that_is_asked_for(monkeypatch) -> None:
    """Beside the table, once; who asks before the game has been looked through sees the scene; a mistake that only all cards show can be tried again too."""
    monkeypatch.setattr("durak_widget.review.decision_evaluation.FAST_ENGINE_EFFORT", Effort(20_000, 2_000))
    monkeypatch.setattr("durak_widget.review.decision_evaluation.PYTHON_EFFORT", Effort(20_000, 2_000))

    async def story() -> None:
        table = Table(bots.play(Game(seed=7), ["first", "careful"], 1), {0: "you", 1: "careful"}, pace=0, seed=1)
        table._session.start_jobs()
        sent = listening(table)
        say(table, "by_cards")
        assert not [one for one in sent if one["kind"] == "turned"]
        await seen(table, lambda scene: scene.get("review", {}).get("marks"))
        say(table, "by_cards")
        say(table, "by_cards")  # nobody is asked twice
        await until(lambda: any(one["kind"] == "turned" for one in sent))
        await settled()
        [told] = [one for one in sent if one["kind"] == "turned"]
        found = review.analyze(table.game, 0, by="all cards")
        assert (told["by"], told["worst"]) == (
            "cards",
            found.view_model(table._session.get_voices(table._session.build_view()).written)["worst"],
        )
        assert told["other"] == ["Judge it by what could be known", "The game is being looked through …"]
        assert "orders" in told["how"]
        say(table, "by_cards")
        assert sent[-1] == told
        say(table, "turned")
        assert (sent[-1]["by"], sent[-1]["other"][0]) == ("seat", "Judge it by what all cards say")
        before = {turn.decision.ply for turn in review.analyze(table.game, 0).turning_points}
        ply = next(turn.decision.ply for turn in found.turning_points[:3] if turn.decision.seat == 0 and turn.decision.ply not in before)
        say(table, "again", to=ply)
        assert (table.scene["ply"], table.game.state.hands) == (ply, found.decisions[ply].position.state.hands)

    run(story)
