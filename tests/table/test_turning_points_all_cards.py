"""Test the turning point with all cards known: only on request, once, in the background, with a way back."""

from __future__ import annotations

from durak_widget import Game, Table, bots, review
from durak_widget.i18n import Translator
from durak_widget.review.decision_evaluation import Effort
from support.loops import run, wait_for_scene, wait_until, wait_until_idle
from support.spoken import english, english_text
from support.tables import record_messages, send_message

SOON = Translator("en").translate("table.reviewing")


def test_a_failed_review_with_all_cards_is_reported_in_the_panel(monkeypatch) -> None:
    """Its button stops waiting, and the error is shown."""
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
        await wait_for_scene(
            table,
            lambda scene: scene.get("review", {}).get("turning_points") is not None and scene["review"]["text"][0] != SOON,
        )
        table._session.send = sent.append
        send_message(table, "review_by_cards")
        scene = await wait_for_scene(table, lambda scene: "note" in scene)
        assert "ZeroDivisionError" in scene["note"]["text"][0]
        assert [(message["kind"], message["basis"]) for message in sent] == [("review", "seat")]

    run(story)


def test_a_review_with_all_cards_runs_on_request(monkeypatch) -> None:
    """It runs once in the background. Its extra mistakes can be tried again too."""
    monkeypatch.setattr("durak_widget.review.decision_evaluation.FAST_ENGINE_EFFORT", Effort(20_000, 2_000))
    monkeypatch.setattr("durak_widget.review.decision_evaluation.PYTHON_EFFORT", Effort(20_000, 2_000))

    async def story() -> None:
        table = Table(bots.play(Game(seed=7), ["first", "careful"], 1), {0: "you", 1: "careful"}, pace=0, seed=1)
        table._session.start_jobs()
        sent = record_messages(table)
        send_message(table, "review_by_cards")
        assert not [message for message in sent if message["kind"] == "review"]
        await wait_for_scene(table, lambda scene: scene.get("review", {}).get("turning_points"))
        send_message(table, "review_by_cards")
        send_message(table, "review_by_cards")  # it is not computed twice
        await wait_until(lambda: any(message["kind"] == "review" for message in sent))
        await wait_until_idle()
        [review_message] = [message for message in sent if message["kind"] == "review"]
        found = review.analyze(table.game, 0, by="all cards")
        assert (review_message["basis"], review_message["worst"]) == (
            "cards",
            found.view_model(table._session.get_voices(table._session.build_view()).written)["worst"],
        )
        assert review_message["other_basis"] == [english_text("review.by.seat"), SOON]
        assert english("review.how.cards").fullmatch(review_message["method"])
        send_message(table, "review_by_cards")
        assert sent[-1] == review_message
        send_message(table, "review")
        assert (sent[-1]["basis"], sent[-1]["other_basis"][0]) == ("seat", english_text("review.by.cards"))
        before = {turn.decision.ply for turn in review.analyze(table.game, 0).turning_points}
        ply = next(turn.decision.ply for turn in found.turning_points[:3] if turn.decision.seat == 0 and turn.decision.ply not in before)
        send_message(table, "retry_decision", to_ply=ply)
        assert (table.scene["ply"], table.game.state.hands) == (ply, found.decisions[ply].position.state.hands)

    run(story)
