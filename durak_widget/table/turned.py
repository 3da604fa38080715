"""Where the game turned: all of it told, and such a moment laid once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.table.analysis_jobs import Trial

if TYPE_CHECKING:
    from durak_widget.review.game_review import By
    from durak_widget.table.session import Session


def send_review(session: Session, by: By = "what it knew") -> None:
    """Send all that the review says, by what could be known if there is no other; where there is none at all, or not yet, the scene says so."""
    review = session.review(by) or session.review()
    if review is None:
        session.refresh()
    else:
        session.send({"kind": "turned", **review.panel(session.voices(session.view()).written)})


def send_by_cards(session: Session) -> None:
    """Have the game judged by all cards, and send what that says, as soon as it is there."""
    if session.review() is None:
        session.refresh()
    else:
        session.judge_by_cards(lambda: send_review(session, "all cards"))


def again(session: Session, ply: int) -> None:
    """Lay the viewer's own decision after so many moves once more; or what was tried already."""
    reviews, trial = (session.review(), session.review("all cards")), session.trial
    if trial is None:
        turns = [turn for review in reviews if review is not None for turn in review.turns if turn.decision.seat == review.seat]
        mine = [turn for turn in turns if turn.decision.ply == ply]
        trial = Trial.of(mine[0], session.match) if mine else None
    if trial is None:
        session.say("told", "stale")
        return session.refresh()
    return session.again(trial)
