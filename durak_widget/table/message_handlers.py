"""Handlers for every kind of message that the page sends to a table.

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
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, to_reportable_error
from durak_widget.i18n import TranslatableText
from durak_widget.table import hints, intents, rules_dialog
from durak_widget.table.analysis_jobs import DecisionRetry
from durak_widget.table.scene import describe_last_moves, list_moves_by_bout, locate_cards

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.observation import Observation
    from durak_widget.i18n import Translator
    from durak_widget.review.game_review import Basis
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.hints import Hint, UntranslatedHint
    from durak_widget.table.intents import Intent
    from durak_widget.table.session import Session

    Handler = Callable[[Session, Intent], None]

_READ_ONLY_KINDS: Final = {
    "show",
    "draft",
    "list",
    "seen",
    "share",
    "say",
    "holding",
    "lately",
    "piles",
    "read",
    "turned",
    "by_cards",
    "people",
}
"""Kinds of messages that only read, or that the page sends automatically; such messages don't start a bot that waits for *Start*."""
MESSAGE_KINDS: Final[dict[str, MessageKind]] = {}
"""Every kind of message that a table understands, with its handler."""
LINK_MAKERS: Final[list[Callable[[Game | Rules], str]]] = []
"""Functions that turn a game or its rules into a link; a page that can open links adds a function."""


class MessageKind(NamedTuple):
    """The handler for a kind of message, and the conditions for a valid message."""

    handler: Handler
    required_fields: tuple[str, ...]
    """The fields that a message of this kind must contain."""
    needs_current_ply: bool
    """True if a message of this kind is valid only while the game is at the position that the person saw."""


def handle_message(session: Session, message: object) -> None:
    """Handle a message from the page, which always gets the table's state or another message.

    An invalid message raises an `IntentError`.
    """
    with session.lock:
        intent = intents.parse_intent(message, {kind: meaning.required_fields for kind, meaning in MESSAGE_KINDS.items()})
        meaning = MESSAGE_KINDS[intent.kind]
        if intent.game_number != session.game_number or (meaning.needs_current_ply and intent.ply != session.game.ply):
            session.set_translated_note("told", "stale")
            session.refresh()
            return
        if intent.kind not in _READ_ONLY_KINDS:
            session.is_waiting = False
        try:
            meaning.handler(session, intent)
        except DurakError:
            raise
        except USER_CODE_EXCEPTIONS as error:  # A user may have written the bot's code, which can raise any exception
            session.report_error(intent.kind, to_reportable_error(error))


def _handles(kind: str, *required_fields: str, needs_current_ply: bool = False) -> Callable[[Handler], Handler]:
    def register(does: Handler) -> Handler:
        MESSAGE_KINDS[kind] = MessageKind(does, required_fields, needs_current_ply)
        return does

    return register


# Handlers for messages that make a move
@_handles("move", "move", needs_current_ply=True)
def _handle_move(session: Session, intent: Intent) -> None:
    if _refuse_if_decided(session):
        return None
    game, (seat, covered) = session.game, session.find_viewer()
    if covered or session.players.is_spectator(seat) or game.why_not(intent.text, seat=seat) is not None:
        return session.explain_refusal(intent.text, seat)
    is_redo = session.is_looking_back and session.get_undone_move() is Move(intent.text)
    if session.is_looking_back and not is_redo and (not intent.drops_undone or game.ply < session.first_ply):
        session.set_translated_note("refused", "branch_first")
        return session.refresh()
    if not is_redo:
        return session.make_move(intent.text)
    game.redo()  # Keep the moves that were undone
    return session.handle_move_made()


@_handles("why", "card", needs_current_ply=True)
def _handle_why(session: Session, intent: Intent) -> None:
    if _refuse_if_decided(session):
        return
    view = session.build_view()
    session.explain_refusal(
        intents.guess_move(view, intent.text, intent.target_card, intent.chosen_verb), view.seat, intent.text, intent.target_card
    )


def _refuse_if_decided(session: Session) -> bool:
    """Return whether the task is over; if so, tell the user that no move is allowed."""
    if session.task is None or not session.task.is_decided:
        return False
    session.set_translated_note("told", "decided")
    session.refresh()
    return True


# Handlers for undo and redo
@_handles("undo")
def _handle_undo(session: Session, _: Intent) -> None:
    """Go back to the last moment when a person at the table had to make a move.

    A turning point that is played again goes back no further than its beginning.
    """
    game, first_ply = session.game, session.first_ply
    if game.ply <= first_ply:
        session.set_translated_note("told", "nothing_to_undo")
        return session.refresh()
    own_plies = [ply for ply in range(first_ply, game.ply) if game.history[ply].seat in session.players.human_seats]
    return session.goto(own_plies[-1] if own_plies else game.ply - 1, is_taken_back=bool(own_plies))


@_handles("redo")
def _handle_redo(session: Session, _: Intent) -> None:
    """Go forward to the next moment when a person had to make a move, or to the game's end."""
    game = session.game
    if not session.can_redo:
        session.set_translated_note("told", "nothing_to_redo")
        return session.refresh()
    finished = game.copy()
    finished.goto(game.last_ply)
    people, course = session.players.human_seats, finished.history
    own_plies = [ply for ply in range(game.ply + 1, game.last_ply) if course[ply].seat in people]
    return session.goto(
        own_plies[0] if own_plies and people else game.last_ply if people else game.ply + 1, is_taken_back=session.is_taken_back
    )


@_handles("goto", "to")
def _handle_goto(session: Session, intent: Intent) -> None:
    session.goto(intent.number)


# Handlers for hints
@_handles("hint", needs_current_ply=True)
def _handle_hint(session: Session, _: Intent) -> None:
    """Send a hint's thought first; on a second request, send the move and its reason."""
    legal = session.build_view().legal_moves()
    if _refuse_if_decided(session) or (legal and session.warn_about_hint()):
        return
    session.was_helped = session.was_helped or bool(legal)
    given_hint = session.hints.get(session.get_moment_key())
    if not legal:
        session.set_translated_note("told", "no_hint")
        session.refresh()
    elif given_hint is not None:
        _send_hint_move(session, given_hint)
    elif session.task is not None:
        _send_thought(session, hints.wrap_task_hint(session.task.hint()))
    else:
        adviser, rng, view = session.adviser, session.get_rng("hint"), session.build_view(with_memory=True)
        session.start_viewer_job(
            "hint", lambda: hints.find_hint(adviser, view, rng), lambda hint: _send_thought(session, hint), worker=adviser.implementation
        )


def _send_thought(session: Session, hint: UntranslatedHint | Hint | TranslatableText) -> None:
    """Send a hint's first step, or why there is no hint; without a thought, send the move."""
    voices = session.get_voices(session.build_view())
    if isinstance(hint, TranslatableText):
        session.set_note("told", [voice.translate(hint.key, **hint.facts) for voice in voices])
        return session.refresh()
    thoughts = [hints.format_thought(hint, voice) for voice in voices]
    if not thoughts[0]:
        return _send_hint_move(session, hint)
    session.hints.store(session.get_moment_key(), hint)
    session.set_note("hint", thoughts)
    return session.refresh()


def _send_hint_move(session: Session, hint: UntranslatedHint | Hint) -> None:
    """Send the second step of a hint: the move and its reason."""
    move = hint.move
    sentences = [hints.format_hint_move(hint, voice) for voice in session.get_voices(session.build_view())]
    hand_card, target_card = str(move.cards[-1].face) if move.cards else "", str(move.cards[0]) if move.verb == "beat" else ""
    session.set_note("hint", sentences, card=hand_card, on=target_card)
    session.refresh()


# Handlers for starting another game
@_handles("new")
def _handle_new(session: Session, _: Intent) -> None:
    if session.task is not None:
        return session.task.restart()
    if session.retry is not None:
        return _handle_next(session, _)
    session.match.deal_again()
    return session.start_game()


@_handles("next")
def _handle_next(session: Session, intent: Intent) -> None:
    if session.task is not None:
        return _handle_new(session, intent)
    session.leave_retry()
    return session.next_game()


# Handlers for the review of a finished game
@_handles("by_cards")
@_handles("turned")
def _handle_review(session: Session, intent: Intent) -> None:
    """Send the review of the game, based on what the players knew or on all cards."""
    (send_review_by_cards if intent.kind == "by_cards" else send_review)(session)


@_handles("again", "to")
def _handle_again(session: Session, intent: Intent) -> None:
    """Let the user play a turning point again, or repeat the current retry."""
    retry_decision(session, intent.number)


# Handlers for other rules and players
@_handles("draft", "draft")
def _handle_draft(session: Session, intent: Intent) -> None:
    """Send the drafted rules in words, with the game that they deal or the error in them."""
    session.send(rules_dialog.build_rules_message(session, rules_dialog.parse_draft(session, intent.draft)))


@_handles("meet", "who")
def _handle_meet(session: Session, intent: Intent) -> None:
    """Seat another named opponent in place of the current one, and begin a new match."""
    rules_dialog.start_match_against(session, intent.player_name)


@_handles("deal", "draft")
def _handle_deal(session: Session, intent: Intent) -> None:
    """Start a game with the drafted rules; raise an error if this table can't play them."""
    draft = rules_dialog.parse_draft(session, intent.draft)
    if session.task is not None:
        session.set_translated_note("told", "fixed_rules")
        session.refresh()
    elif isinstance(draft.rules_or_refusal, str):
        session.send(rules_dialog.build_rules_message(session, draft))
    else:
        session.open_match(*rules_dialog.deal_draft(session, draft))


# Handlers that change the view of the table
@_handles("here", needs_current_ply=True)
def _handle_here(session: Session, _: Intent) -> None:
    seat = session.find_viewer()[0]
    if not session.players.is_spectator(seat):
        session.players.set_present(seat)
    session.update()


@_handles("start")
def _handle_start(session: Session, _: Intent) -> None:
    """Let the bots start, because a person now looks at the table."""
    session.update()


@_handles("branch", needs_current_ply=True)
def _handle_branch(session: Session, _: Intent) -> None:
    session.drop_undone_moves()


@_handles("list")
def _handle_list(session: Session, _: Intent) -> None:
    """Send a list of the game's moves, even undone ones, without cards hidden from the viewer."""
    seat, covered = session.find_viewer()
    finished = session.game.copy()
    finished.goto(finished.last_ply)
    view = finished.view(seat)
    view = view.without_hand() if covered else view
    reasons = session.get_move_reasons() if can_show_all_cards(session) else {}
    session.send({"kind": "list", "bouts": list_moves_by_bout(view, session.get_voices(view).written, reasons)})


@_handles("seen")
def _handle_seen(session: Session, _: Intent) -> None:
    """Send each card's location as a perfect memory knows it, if the memory aid is on."""
    if session.appearance.memory:
        session.send({"kind": "seen", **locate_cards(session.build_view())})
    else:
        session.refresh()


@_handles("say")
def _handle_say(session: Session, _: Intent) -> None:
    """Send a description of the whole table for a screen reader."""
    _send_spoken(session, narration.describe_observation)


@_handles("holding")
def _handle_holding(session: Session, _: Intent) -> None:
    """Send a description of the viewer's hand for a screen reader."""
    _send_spoken(session, narration.describe_hand)


@_handles("lately")
def _handle_lately(session: Session, _: Intent) -> None:
    """Send a description of the latest moves for a screen reader."""
    _send_spoken(session, lambda view, voice: " ".join(describe_last_moves(view, voice, view.seat)) or voice.translate("told.nothing"))


@_handles("piles")
def _handle_piles(session: Session, _: Intent) -> None:
    """Send a description of the trumps, the talon and the discard pile for a screen reader."""
    _send_spoken(session, narration.describe_piles)


def _send_spoken(session: Session, describe: Callable[[Observation, Translator], str]) -> None:
    view = session.build_view()
    session.send({"kind": "told", "said": describe(view, session.get_voices(view).spoken).replace("\n", " ")})


@_handles("stop")
def _handle_stop(session: Session, _: Intent) -> None:
    """Pause the game of bots that play without people, until a person presses *Start*."""
    session.is_waiting = None
    session.wait_for_viewer()


@_handles("end")
def _handle_end(session: Session, _: Intent) -> None:
    """Let the bots play to the end at once, when all people are already out of the game."""
    session.play_to_end()


@_handles("step")
def _handle_step(session: Session, _: Intent) -> None:
    """Let the bot that waits for *Next step* make its move."""
    session.refresh()
    session.start_jobs(ignores_step_setting=True)


@_handles("turn")
def _handle_turn(session: Session, _: Intent) -> None:
    """Show the table from the next seat whose hand may be seen."""
    if not session.players.rotate_view(session.game, session.appearance):
        session.set_translated_note("told", "own_seat")
    session.update()


@_handles("home")
def _handle_home(session: Session, _: Intent) -> None:
    """Show the table from the viewer's own seat again."""
    session.players.reset_view()
    session.update()


# Handlers for sharing and opening games
@_handles("share")
def _handle_share(session: Session, _: Intent) -> None:
    session.send(build_share_message(session))


@_handles("read", "text")
def _handle_read(session: Session, intent: Intent) -> None:
    """Tell the page that a pasted text can be opened, or why that is impossible."""
    if parse_pasted_game(session, intent.text) is not None:
        session.send({"kind": "readable", "text": intent.text})


@_handles("paste", "text")
def _handle_paste(session: Session, intent: Intent) -> None:
    """Open a pasted game or position on the table."""
    game = parse_pasted_game(session, intent.text)
    if game is not None:
        session.open_match(Match.from_game(game, seed=session.deal_rng.getrandbits(32)))


@_handles("seat", "seat", "who")
def _handle_seat(session: Session, intent: Intent) -> None:
    if session.task is None:
        session.seat_player(intent.number, intent.player_name)
    else:
        session.set_translated_note("told", "fixed_seats")
        session.refresh()


@_handles("show")
def _handle_show(session: Session, _: Intent) -> None:
    session.refresh()


_handles("people")(rules_dialog.send_opponents)


def send_review(session: Session, basis: Basis = "what it knew") -> None:
    """Send the review of the requested kind, or else the one based on what the players knew.

    Without any review, the scene says so.
    """
    review = session.get_review(basis) or session.get_review()
    if review is None:
        session.refresh()
    else:
        session.send({"kind": "turned", **review.view_model(session.get_voices(session.build_view()).written)})


def send_review_by_cards(session: Session) -> None:
    """Send the review of the game with all cards known, as soon as it is complete."""
    if session.get_review() is None:
        session.refresh()
    else:
        session.review_by_cards(lambda: send_review(session, "all cards"))


def retry_decision(session: Session, ply: int) -> None:
    """Let the viewer replay their decision after `ply` moves, or restart the current retry."""
    reviews, trial = (session.get_review(), session.get_review("all cards")), session.retry
    if trial is None:
        turns = [turn for review in reviews if review is not None for turn in review.turning_points if turn.decision.seat == review.seat]
        matching = [turn for turn in turns if turn.decision.ply == ply]
        trial = DecisionRetry.from_turning_point(matching[0], session.match) if matching else None
    if trial is None:
        session.set_translated_note("told", "stale")
        return session.refresh()
    return session.start_retry(trial)


def build_share_message(session: Session) -> dict[str, Any]:
    """Return what the viewer may share: the visible table in words and as a picture.

    Where no card is hidden any more, the whole game is included.

    >>> from durak_widget import Game, Table
    >>> found = build_share_message(Table(seed=7, hands="open")._session)
    >>> sorted(found), Game.parse(found["position"]).hands == Game.parse(found["game"]).hands
    (['cell', 'game', 'kind', 'picture', 'position', 'words'], True)
    >>> sorted(build_share_message(Table(seed=7)._session))
    ['kind', 'picture', 'words']
    """
    game, look, view = session.game, session.appearance, session.build_view()
    picture = Picture(view, four_colors=look.four_colors, language=look.language, names=session.players.named_opponents)
    moves = [
        text
        for bout in list_moves_by_bout(view, session.get_voices(view).written)
        for text in (*(sentence for _, sentence in bout["moves"]), bout.get("end"))
    ]
    message = {"kind": "share", "words": "\n".join([str(picture), "", *filter(None, moves)]).strip(), "picture": picture.svg}
    shows_all = can_show_all_cards(session)
    if LINK_MAKERS:
        message["link"] = LINK_MAKERS[-1](game if shows_all else game.rules)
    if not shows_all:
        return message
    text = str(game)
    position = {} if game.actor is None else {"position": game.position}
    return {**message, **position, "game": text, "cell": f'from durak_widget import Game, Table\n\nTable(Game.parse("""\n{text}"""))'}


def can_show_all_cards(session: Session) -> bool:
    """Return whether all cards may be shown: the game is over for good, or hands are open."""
    finished = session.game.copy()
    finished.goto(finished.last_ply)
    return session.appearance.hands == "open" or (finished.outcome is not None and not session.is_taken_back)


def parse_pasted_game(session: Session, text: str) -> Game | None:
    """Return the game or position that a text describes; tell the page why a text is invalid."""
    voices = session.get_voices(session.build_view())
    try:
        if session.task is None:
            return Game.parse(text)
        sentences = voices.say("table.fixed_game")
    except DurakError as error:
        sentences = voices.say("table.unread", why=str(error))
    session.send({"kind": "unread", "said": sentences})
    return None
