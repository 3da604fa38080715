"""Where the game turned: all of it told, and such a moment laid once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.widget.playing.turned import Trial

if TYPE_CHECKING:
    from durak_widget.widget.playing.session import Session


def send_review(session: Session) -> None:
    """Send all that the review says; where there is none, or not yet, the scene says so."""
    review = session.review()
    if review is None:
        session.refresh()
    else:
        session.send({"kind": "turned", **review.panel(session.voices(session.view()).written)})


def again(session: Session, ply: int) -> None:
    """Lay the viewer's own decision after so many moves once more; or what was tried already."""
    review, trial = session.review(), session.trial
    if trial is None and review is not None:
        mine = [turn for turn in review.turns if (turn.decision.ply, turn.decision.seat) == (ply, review.seat)]
        trial = Trial.of(mine[0], session.match) if mine else None
    if trial is None:
        session.say("told", "stale")
        return session.refresh()
    return session.again(trial)
