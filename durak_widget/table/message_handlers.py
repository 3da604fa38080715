"""Handles every kind of message that the page sends to a table, each declared once.

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
"""What only reads, and what a page says by itself: a bot that waits for *Start* still waits."""
MEANINGS: Final[dict[str, Meaning]] = {}
"""Every kind of message that a table understands."""
LINK_MAKERS: Final[list[Callable[[Game | Rules], str]]] = []
"""What turns a game, or its rules, into a link. A page that can open links puts its function here."""


class Meaning(NamedTuple):
    """What a kind of message means."""

    does: Does
    wants: tuple[str, ...]
    """What must be said with it."""
    at_this_ply: bool
    """It is meant for the moment that the person saw, and no other."""


def hear(session: Session, message: object) -> None:
    """Do what a person means. Whatever it is, a scene or a message answers; of what is no message, an `IntentError` says why."""
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
        except ENDINGS as error:  # a bot is made by somebody else's code
            session.went_wrong(intent.kind, tellable(error))


def _kind(kind: str, *wants: str, at_this_ply: bool = False) -> Callable[[Does], Does]:
    def declared(does: Does) -> Does:
        MEANINGS[kind] = Meaning(does, wants, at_this_ply)
        return does

    return declared


# Playing
@_kind("move", "move", at_this_ply=True)
def _move(session: Session, intent: Intent) -> None:
    if _decided(session):
        return None
    game, (seat, covered) = session.game, session.viewer()
    if covered or session.players.watches(seat) or game.why_not(intent.text, seat=seat) is not None:
        return session.refuse(intent.text, seat)
    repeats = session.looking_back and session.ahead() is Move(intent.text)
    if session.looking_back and not repeats and (not intent.branch or game.ply < session.begins):
        session.say("refused", "branch_first")
        return session.refresh()
    if not repeats:
        return session.make(intent.text)
    game.redo()  # nothing that was undone is dropped
    return session.moved()


@_kind("why", "card", at_this_ply=True)
def _why(session: Session, intent: Intent) -> None:
    if _decided(session):
        return
    view = session.view()
    session.refuse(intents.tried(view, intent.text, intent.on, intent.verb), view.seat, intent.text, intent.on)


def _decided(session: Session) -> bool:
    """Where a task is done or missed, nothing is played: say so."""
    if session.setter is None or not session.setter.decided:
        return False
    session.say("told", "decided")
    session.refresh()
    return True


# Back and forth
@_kind("undo")
def _undo(session: Session, _: Intent) -> None:
    """Back to the last moment when a person at this table was to act; of what is tried again, no further than to where that begins."""
    game, first = session.game, session.begins
    if game.ply <= first:
        session.say("told", "nothing_to_undo")
        return session.refresh()
    mine = [ply for ply in range(first, game.ply) if game.course[ply].seat in session.players.people]
    return session.goto(mine[-1] if mine else game.ply - 1, taken_back=bool(mine))


@_kind("redo")
def _redo(session: Session, _: Intent) -> None:
    """On to the next moment when a person at this table was to act, or to the end."""
    game = session.game
    if not session.can_redo:
        session.say("told", "nothing_to_redo")
        return session.refresh()
    ahead = game.copy()
    ahead.goto(game.last_ply)
    people, course = session.players.people, ahead.course
    mine = [ply for ply in range(game.ply + 1, game.last_ply) if course[ply].seat in people]
    return session.goto(mine[0] if mine and people else game.last_ply if people else game.ply + 1, taken_back=session.taken_back)


@_kind("goto", "to")
def _goto(session: Session, intent: Intent) -> None:
    session.goto(intent.number)


# What helps
@_kind("hint", at_this_ply=True)
def _hint(session: Session, _: Intent) -> None:
    """A thought first; asked again at the same moment, the move and its reason."""
    legal = session.view().legal_moves()
    if _decided(session) or (legal and session.warns()):
        return
    session.helped = session.helped or bool(legal)
    known = session.hints.at(session.moment())
    if not legal:
        session.say("told", "no_hint")
        session.refresh()
    elif known is not None:
        _advise(session, known)
    elif session.setter is not None:
        _start_hint(session, hints.of_task(session.setter.hint()))
    else:
        adviser, rng, view = session.adviser, session.chance("hint"), session.view(remembers=True)
        session.ask("hint", lambda: hints.counsel(adviser, view, rng), lambda found: _start_hint(session, found), by=adviser.plays)


def _start_hint(session: Session, hint: Counsel | Hint | Fact) -> None:
    """Send the first step: the thought that leads to a hint, or why there is no hint. A hint without a thought is sent at once."""
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
    """The second step: the move and why."""
    move = hint.move
    said = [hints.say_hint(hint, voice) for voice in session.voices(session.view())]
    card, on = str(move.cards[-1].face) if move.cards else "", str(move.cards[0]) if move.verb == "beat" else ""
    session.tell("hint", said, card=card, on=on)
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


# Where it turned
@_kind("by_cards")
@_kind("turned")
def _turned(session: Session, intent: Intent) -> None:
    """All that the review says, by what could be known, or by all cards."""
    (send_by_cards if intent.kind == "by_cards" else send_review)(session)


@_kind("again", "to")
def _again(session: Session, intent: Intent) -> None:
    """A moment at which it turned is tried again; or what was tried, once more."""
    retry_decision(session, intent.number)


# Other rules
@_kind("draft", "draft")
def _draft(session: Session, intent: Intent) -> None:
    """The rules in words, and what shall perhaps be played instead: what it would be, or why it cannot be."""
    session.send(rules_dialog.sheet(session, rules_dialog.drafted(session, intent.draft)))


@_kind("meet", "who")
def _meet(session: Session, intent: Intent) -> None:
    """Another opponent sits down in the place of the one that was played, and a new match begins."""
    rules_dialog.meet(session, intent.who)


@_kind("deal", "draft")
def _deal(session: Session, intent: Intent) -> None:
    """Play that; what cannot be played is refused where it was chosen."""
    draft = rules_dialog.drafted(session, intent.draft)
    if session.setter is not None:
        session.say("told", "fixed_rules")
        session.refresh()
    elif isinstance(draft.rules, str):
        session.send(rules_dialog.sheet(session, draft))
    else:
        session.lay(*rules_dialog.dealt(session, draft))


# Who looks, and at what
@_kind("here", at_this_ply=True)
def _here(session: Session, _: Intent) -> None:
    seat = session.viewer()[0]
    if not session.players.watches(seat):
        session.players.arrive(seat)
    session.update()


@_kind("start")
def _start(session: Session, _: Intent) -> None:
    """Somebody looks at the table: nobody need wait any more."""
    session.update()


@_kind("branch", at_this_ply=True)
def _branch(session: Session, _: Intent) -> None:
    session.branch()


@_kind("list")
def _list(session: Session, _: Intent) -> None:
    """The whole course of the game, also what was undone, as the viewer saw it."""
    seat, covered = session.viewer()
    ahead = session.game.copy()
    ahead.goto(ahead.last_ply)
    view = ahead.view(seat)
    view = view.covered() if covered else view
    reasons = session.reasons() if nothing_hidden(session) else {}
    session.send({"kind": "list", "bouts": listing(view, session.voices(view).written, reasons)})


@_kind("seen")
def _seen(session: Session, _: Intent) -> None:
    """Where the cards are that a perfect memory knows; while that aid is switched off, only the scene again."""
    if session.look.memory:
        session.send({"kind": "seen", **seen(session.view())})
    else:
        session.refresh()


@_kind("say")
def _say(session: Session, _: Intent) -> None:
    """The whole table in words, for whoever listens."""
    _aloud(session, narration.told)


@_kind("holding")
def _holding(session: Session, _: Intent) -> None:
    """The hand alone."""
    _aloud(session, narration.holding)


@_kind("lately")
def _lately(session: Session, _: Intent) -> None:
    """What was done last."""
    _aloud(session, lambda view, voice: " ".join(lately(view, voice, view.seat)) or voice.say("told.nothing"))


@_kind("piles")
def _piles(session: Session, _: Intent) -> None:
    """The trumps and the piles."""
    _aloud(session, narration.piles)


def _aloud(session: Session, told: Callable[[View, Voice], str]) -> None:
    view = session.view()
    session.send({"kind": "told", "said": told(view, session.voices(view).spoken).replace("\n", " ")})


@_kind("stop")
def _stop(session: Session, _: Intent) -> None:
    """Bots that play among themselves pause till somebody says to start."""
    session.waits = None
    session.wait()


@_kind("end")
def _end(session: Session, _: Intent) -> None:
    """Who is out of the game sees at once how it ends."""
    session.rush()


@_kind("step")
def _step(session: Session, _: Intent) -> None:
    """The bot that waits for a word may move."""
    session.refresh()
    session.wake(step=True)


@_kind("turn")
def _turn(session: Session, _: Intent) -> None:
    """The table is looked at from the next seat whose hand may be seen."""
    if not session.players.turn(session.game, session.look):
        session.say("told", "own_seat")
    session.update()


@_kind("home")
def _home(session: Session, _: Intent) -> None:
    """Back from another's seat to one's own."""
    session.players.turn_back()
    session.update()


# What is taken away, and brought
@_kind("share")
def _share(session: Session, _: Intent) -> None:
    session.send(shared(session))


@_kind("read", "text")
def _read(session: Session, intent: Intent) -> None:
    """Whether a text can be laid; the page asks for it only then."""
    if read_game(session, intent.text) is not None:
        session.send({"kind": "readable", "text": intent.text})


@_kind("paste", "text")
def _paste(session: Session, intent: Intent) -> None:
    """A text is laid on the table."""
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


def retry_decision(session: Session, ply: int) -> None:
    """Let the viewer try again: their own decision after that many moves, or the one that they are trying already."""
    reviews, trial = (session.review(), session.review("all cards")), session.trial
    if trial is None:
        turns = [turn for review in reviews if review is not None for turn in review.turns if turn.decision.seat == review.seat]
        mine = [turn for turn in turns if turn.decision.ply == ply]
        trial = Trial.of(mine[0], session.match) if mine else None
    if trial is None:
        session.say("told", "stale")
        return session.refresh()
    return session.again(trial)


def shared(session: Session) -> dict[str, Any]:
    """What the viewer may take away: what is seen, in words and as a picture; and, where nothing is hidden any more, all of it.

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
        text for bout in listing(view, session.voices(view).written) for text in (*(said for _, said in bout["moves"]), bout.get("end"))
    ]
    found = {"kind": "share", "words": "\n".join([str(picture), "", *filter(None, moves)]).strip(), "picture": picture.svg}
    whole = nothing_hidden(session)
    if LINK_MAKERS:
        found["link"] = LINK_MAKERS[-1](game if whole else game.rules)
    if not whole:
        return found
    text = str(game)
    position = {} if game.actor is None else {"position": game.position}
    return {**found, **position, "game": text, "cell": f'from durak_widget import Game, Table\n\nTable(Game.parse("""\n{text}"""))'}


def nothing_hidden(session: Session) -> bool:
    """Whether all cards may be told: the game is over, and is not played on from an earlier moment; or all hands lie open."""
    ahead = session.game.copy()
    ahead.goto(ahead.last_ply)
    return session.look.hands == "open" or (ahead.outcome is not None and not session.taken_back)


def read_game(session: Session, text: str) -> Game | None:
    """Return the game or position that a text describes. If there is none, tell the page why and return None."""
    voices = session.voices(session.view())
    try:
        if session.setter is None:
            return Game.parse(text)
        why = voices.say("table.fixed_game")
    except DurakError as error:
        why = voices.say("table.unread", why=str(error))
    session.send({"kind": "unread", "said": why})
    return None
