"""Handlers for every kind of message that the page sends to a table, each declared once.

Among them are the messages that show the review and replay one of its moments. Others share a game or
position as text, a notebook cell and a picture, or open one from pasted text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.engine import narration
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.engine.moves import Move
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import ENDINGS, DurakError, tellable
from durak_widget.i18n import Fact
from durak_widget.table import hints, intents, rules_dialog
from durak_widget.table.analysis_jobs import Trial
from durak_widget.table.scene import lately, listing, seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.observation import View
    from durak_widget.i18n import Voice
    from durak_widget.review.game_review import By
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.hints import Counsel, Hint
    from durak_widget.table.intents import Intent
    from durak_widget.table.session import Session

    Does = Callable[[Session, Intent], None]

_READS: Final = {"show", "draft", "list", "seen", "share", "say", "holding", "lately", "piles", "read", "turned", "by_cards", "people"}
"""Kinds that only read, or that a page sends by itself: a bot that waits for *Start* still waits."""
MEANINGS: Final[dict[str, Meaning]] = {}
"""Every kind of message that a table understands."""
LINK_MAKERS: Final[list[Callable[[Game | Rules], str]]] = []
"""Functions that turn a game or its rules into a link; a page that opens links adds its own."""


class Meaning(NamedTuple):
    """A kind of message and its handler."""

    does: Does
    wants: tuple[str, ...]
    """The fields that the message must have."""
    at_this_ply: bool
    """Whether it is valid only at the moment that the person saw."""


def hear(session: Session, message: object) -> None:
    """Do what a message asks; a scene or a message is always the answer.

    An invalid message raises an `IntentError`.
    """
    with session.lock:
        intent = intents.understood(message, {kind: meaning.wants for kind, meaning in MEANINGS.items()})
        meaning = MEANINGS[intent.kind]
        if intent.game != session.serial or (meaning.at_this_ply and intent.ply != session.game.ply):
            session.say("told", "stale")
            session.refresh()
            return
        if intent.kind not in _READS:
            session.waits = False
        try:
            meaning.does(session, intent)
        except DurakError:
            raise
        except ENDINGS as error:  # a bot may be somebody else's code
            session.went_wrong(intent.kind, tellable(error))


def _kind(kind: str, *wants: str, at_this_ply: bool = False) -> Callable[[Does], Does]:
    def register(does: Does) -> Does:
        MEANINGS[kind] = Meaning(does, wants, at_this_ply)
        return does

    return register


# Playing
@_kind("move", "move", at_this_ply=True)
def _move(session: Session, intent: Intent) -> None:
    if _decided(session):
        return None
    game, (seat, covered) = session.game, session.viewer()
    if covered or session.players.watches(seat) or game.why_not(intent.text, seat=seat) is not None:
        return session.refuse(intent.text, seat)
    is_redo = session.looking_back and session.ahead() is Move(intent.text)
    if session.looking_back and not is_redo and (not intent.branch or game.ply < session.begins):
        session.say("refused", "branch_first")
        return session.refresh()
    if not is_redo:
        return session.make(intent.text)
    game.redo()  # keep the undone moves
    return session.moved()


@_kind("why", "card", at_this_ply=True)
def _why(session: Session, intent: Intent) -> None:
    if _decided(session):
        return
    view = session.view()
    session.refuse(intents.tried(view, intent.text, intent.on, intent.verb), view.seat, intent.text, intent.on)


def _decided(session: Session) -> bool:
    """Return whether a task is done or failed, so that no move is allowed; then say so."""
    if session.setter is None or not session.setter.decided:
        return False
    session.say("told", "decided")
    session.refresh()
    return True


# Back and forth
@_kind("undo")
def _undo(session: Session, _: Intent) -> None:
    """Go back to the last moment when a person at this table was to act.

    A turning point that is played again goes back no further than its beginning.
    """
    game, first_ply = session.game, session.begins
    if game.ply <= first_ply:
        session.say("told", "nothing_to_undo")
        return session.refresh()
    own_plies = [ply for ply in range(first_ply, game.ply) if game.course[ply].seat in session.players.people]
    return session.goto(own_plies[-1] if own_plies else game.ply - 1, taken_back=bool(own_plies))


@_kind("redo")
def _redo(session: Session, _: Intent) -> None:
    """Go on to the next moment when a person at this table was to act, or to the end."""
    game = session.game
    if not session.can_redo:
        session.say("told", "nothing_to_redo")
        return session.refresh()
    finished = game.copy()
    finished.goto(game.last_ply)
    people, course = session.players.people, finished.course
    own_plies = [ply for ply in range(game.ply + 1, game.last_ply) if course[ply].seat in people]
    return session.goto(own_plies[0] if own_plies and people else game.last_ply if people else game.ply + 1, taken_back=session.taken_back)


@_kind("goto", "to")
def _goto(session: Session, intent: Intent) -> None:
    session.goto(intent.number)


# Hints
@_kind("hint", at_this_ply=True)
def _hint(session: Session, _: Intent) -> None:
    """Give a thought first; on a second request at the same moment, the move and its reason."""
    legal = session.view().legal_moves()
    if _decided(session) or (legal and session.warns()):
        return
    session.helped = session.helped or bool(legal)
    given_hint = session.hints.at(session.moment())
    if not legal:
        session.say("told", "no_hint")
        session.refresh()
    elif given_hint is not None:
        _advise(session, given_hint)
    elif session.setter is not None:
        _start_hint(session, hints.of_task(session.setter.hint()))
    else:
        adviser, rng, view = session.adviser, session.chance("hint"), session.view(remembers=True)
        session.ask("hint", lambda: hints.counsel(adviser, view, rng), lambda hint: _start_hint(session, hint), by=adviser.plays)


def _start_hint(session: Session, hint: Counsel | Hint | Fact) -> None:
    """Send the first step of a hint, or why there is none; without a thought, send the move."""
    voices = session.voices(session.view())
    if isinstance(hint, Fact):
        session.tell("told", [voice.say(hint.key, **hint.facts) for voice in voices])
        return session.refresh()
    thoughts = [hints.thought(hint, voice) for voice in voices]
    if not thoughts[0]:
        return _advise(session, hint)
    session.hints.keep(session.moment(), hint)
    session.tell("hint", thoughts)
    return session.refresh()


def _advise(session: Session, hint: Counsel | Hint) -> None:
    """Send the second step of a hint: the move and its reason."""
    move = hint.move
    sentences = [hints.say_hint(hint, voice) for voice in session.voices(session.view())]
    hand_card, target_card = str(move.cards[-1].face) if move.cards else "", str(move.cards[0]) if move.verb == "beat" else ""
    session.tell("hint", sentences, card=hand_card, on=target_card)
    session.refresh()


# Another game
@_kind("new")
def _new(session: Session, _: Intent) -> None:
    if session.setter is not None:
        return session.setter.again()
    if session.trial is not None:
        return _next(session, _)
    session.match.deal_again()
    return session.begin()


@_kind("next")
def _next(session: Session, intent: Intent) -> None:
    if session.setter is not None:
        return _new(session, intent)
    session.go_on()
    return session.next_game()


# The review
@_kind("by_cards")
@_kind("turned")
def _turned(session: Session, intent: Intent) -> None:
    """Send the whole review, by what could be known or by all cards."""
    (send_by_cards if intent.kind == "by_cards" else send_review)(session)


@_kind("again", "to")
def _again(session: Session, intent: Intent) -> None:
    """Play a turning point again, or repeat the current retry."""
    retry_decision(session, intent.number)


# Other rules
@_kind("draft", "draft")
def _draft(session: Session, intent: Intent) -> None:
    """Send the rules in words, and what the draft would make or why it cannot be played."""
    session.send(rules_dialog.sheet(session, rules_dialog.drafted(session, intent.draft)))


@_kind("meet", "who")
def _meet(session: Session, intent: Intent) -> None:
    """Seat another opponent in the place of the current one and begin a new match."""
    rules_dialog.meet(session, intent.who)


@_kind("deal", "draft")
def _deal(session: Session, intent: Intent) -> None:
    """Play a draft; refuse one that cannot be played where it was chosen."""
    draft = rules_dialog.drafted(session, intent.draft)
    if session.setter is not None:
        session.say("told", "fixed_rules")
        session.refresh()
    elif isinstance(draft.rules, str):
        session.send(rules_dialog.sheet(session, draft))
    else:
        session.lay(*rules_dialog.dealt(session, draft))


# What is shown, and to whom
@_kind("here", at_this_ply=True)
def _here(session: Session, _: Intent) -> None:
    seat = session.viewer()[0]
    if not session.players.watches(seat):
        session.players.arrive(seat)
    session.update()


@_kind("start")
def _start(session: Session, _: Intent) -> None:
    """Let the bots start: somebody looks at the table."""
    session.update()


@_kind("branch", at_this_ply=True)
def _branch(session: Session, _: Intent) -> None:
    session.branch()


@_kind("list")
def _list(session: Session, _: Intent) -> None:
    """Send all moves of the game, also undone ones, as the viewer saw them."""
    seat, covered = session.viewer()
    finished = session.game.copy()
    finished.goto(finished.last_ply)
    view = finished.view(seat)
    view = view.covered() if covered else view
    reasons = session.reasons() if nothing_hidden(session) else {}
    session.send({"kind": "list", "bouts": listing(view, session.voices(view).written, reasons)})


@_kind("seen")
def _seen(session: Session, _: Intent) -> None:
    """Send where a perfect memory knows the cards to be; without that aid, only the scene."""
    if session.look.memory:
        session.send({"kind": "seen", **seen(session.view())})
    else:
        session.refresh()


@_kind("say")
def _say(session: Session, _: Intent) -> None:
    """Send a description of the whole table for a screen reader."""
    _aloud(session, narration.told)


@_kind("holding")
def _holding(session: Session, _: Intent) -> None:
    """Send a description of the hand."""
    _aloud(session, narration.holding)


@_kind("lately")
def _lately(session: Session, _: Intent) -> None:
    """Send a description of the latest moves."""
    _aloud(session, lambda view, voice: " ".join(lately(view, voice, view.seat)) or voice.say("told.nothing"))


@_kind("piles")
def _piles(session: Session, _: Intent) -> None:
    """Send a description of the trumps and the piles."""
    _aloud(session, narration.piles)


def _aloud(session: Session, told: Callable[[View, Voice], str]) -> None:
    view = session.view()
    session.send({"kind": "told", "said": told(view, session.voices(view).spoken).replace("\n", " ")})


@_kind("stop")
def _stop(session: Session, _: Intent) -> None:
    """Pause bots that play among themselves until somebody presses *Start*."""
    session.waits = None
    session.wait()


@_kind("end")
def _end(session: Session, _: Intent) -> None:
    """Show at once how the game ends, for a person who is out of it."""
    session.rush()


@_kind("step")
def _step(session: Session, _: Intent) -> None:
    """Let the bot that waits for *Next step* move."""
    session.refresh()
    session.wake(step=True)


@_kind("turn")
def _turn(session: Session, _: Intent) -> None:
    """View the table from the next seat whose hand may be seen."""
    if not session.players.turn(session.game, session.look):
        session.say("told", "own_seat")
    session.update()


@_kind("home")
def _home(session: Session, _: Intent) -> None:
    """View the table from the viewer's own seat again."""
    session.players.turn_back()
    session.update()


# Sharing and opening games
@_kind("share")
def _share(session: Session, _: Intent) -> None:
    session.send(shared(session))


@_kind("read", "text")
def _read(session: Session, intent: Intent) -> None:
    """Answer whether a pasted text can be opened; the page asks for it only then."""
    if read_game(session, intent.text) is not None:
        session.send({"kind": "readable", "text": intent.text})


@_kind("paste", "text")
def _paste(session: Session, intent: Intent) -> None:
    """Open a pasted game or position on the table."""
    game = read_game(session, intent.text)
    if game is not None:
        session.lay(Match.of(game, seed=session.random.getrandbits(32)))


@_kind("seat", "seat", "who")
def _seat(session: Session, intent: Intent) -> None:
    if session.setter is None:
        session.put(intent.number, intent.who)
    else:
        session.say("told", "fixed_seats")
        session.refresh()


@_kind("show")
def _show(session: Session, _: Intent) -> None:
    session.refresh()


_kind("people")(rules_dialog.tell_rivals)


def send_review(session: Session, by: By = "what it knew") -> None:
    """Send the review, by what could be known if there is no other.

    Without any review, the scene says so.
    """
    review = session.review(by) or session.review()
    if review is None:
        session.refresh()
    else:
        session.send({"kind": "turned", **review.panel(session.voices(session.view()).written)})


def send_by_cards(session: Session) -> None:
    """Have the game reviewed by all cards, and send the result when it is there."""
    if session.review() is None:
        session.refresh()
    else:
        session.judge_by_cards(lambda: send_review(session, "all cards"))


def retry_decision(session: Session, ply: int) -> None:
    """Let the viewer play again from their decision at `ply`, or from the current retry."""
    reviews, trial = (session.review(), session.review("all cards")), session.trial
    if trial is None:
        turns = [turn for review in reviews if review is not None for turn in review.turns if turn.decision.seat == review.seat]
        matching = [turn for turn in turns if turn.decision.ply == ply]
        trial = Trial.of(matching[0], session.match) if matching else None
    if trial is None:
        session.say("told", "stale")
        return session.refresh()
    return session.again(trial)


def shared(session: Session) -> dict[str, Any]:
    """Return what the viewer may share: what they see, in words and as a picture.

    Where no card is hidden any more, the whole game is included.

    >>> from durak_widget import Game, Table
    >>> found = shared(Table(seed=7, hands="open")._session)
    >>> sorted(found), Game.parse(found["position"]).hands == Game.parse(found["game"]).hands
    (['cell', 'game', 'kind', 'picture', 'position', 'words'], True)
    >>> sorted(shared(Table(seed=7)._session))
    ['kind', 'picture', 'words']
    """
    game, look, view = session.game, session.look, session.view()
    picture = Picture(view, four_colors=look.four_colors, language=look.language, people=session.players.called)
    moves = [
        text
        for bout in listing(view, session.voices(view).written)
        for text in (*(sentence for _, sentence in bout["moves"]), bout.get("end"))
    ]
    message = {"kind": "share", "words": "\n".join([str(picture), "", *filter(None, moves)]).strip(), "picture": picture.svg}
    shows_all = nothing_hidden(session)
    if LINK_MAKERS:
        message["link"] = LINK_MAKERS[-1](game if shows_all else game.rules)
    if not shows_all:
        return message
    text = str(game)
    position = {} if game.actor is None else {"position": game.position}
    return {**message, **position, "game": text, "cell": f'from durak_widget import Game, Table\n\nTable(Game.parse("""\n{text}"""))'}


def nothing_hidden(session: Session) -> bool:
    """Return whether all cards may be shown: the game is over for good, or all hands are open."""
    finished = session.game.copy()
    finished.goto(finished.last_ply)
    return session.look.hands == "open" or (finished.outcome is not None and not session.taken_back)


def read_game(session: Session, text: str) -> Game | None:
    """Return the game or position that a text describes; if there is none, tell the page why."""
    voices = session.voices(session.view())
    try:
        if session.setter is None:
            return Game.parse(text)
        sentences = voices.say("table.fixed_game")
    except DurakError as error:
        sentences = voices.say("table.unread", why=str(error))
    session.send({"kind": "unread", "said": sentences})
    return None
