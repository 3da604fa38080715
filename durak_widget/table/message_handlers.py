"""Handles every kind of message that the front end sends to a card table.

The messages make moves, ask for hints, start games, show a review, and change the view. Others share a game or position as text, notebook
cell and picture, or open a game from pasted text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.engine import narration
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.engine.moves import Move
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, to_reportable_error
from durak_widget.i18n import TranslatableText, use_card_letters
from durak_widget.table import hints, how_to_play, intents, rules_dialog
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

_KINDS_THAT_START_NO_BOT: Final = {
    "refresh",
    "draft",
    "move_list",
    "seen_cards",
    "share",
    "describe_table",
    "describe_hand",
    "describe_last_moves",
    "describe_piles",
    "check_text",
    "review",
    "review_by_cards",
    "opponents",
    "how_to_play",
    "seat_player",
    "rotate_view",
    "reset_view",
    "deal",
}
"""The kinds of messages after which waiting bots go on waiting: they make no move, and some are sent automatically.

The handler of `deal` decides itself.
"""
MESSAGE_KINDS: Final[dict[str, MessageKind]] = {}
"""All kinds of messages that a table accepts, each by its name and with its handler."""
LINK_MAKERS: Final[list[Callable[[Game | Rules], str]]] = []
"""The functions that make a link to a game or to a rule set; a web page that can open such links adds its function here."""


class MessageKind(NamedTuple):
    """One kind of message: its handler, its fields, and whether old messages are ignored."""

    handler: Handler
    required_fields: tuple[str, ...]
    """The names of the fields that every message of this kind must have."""
    needs_current_ply: bool
    """True if the table ignores the message when the game has changed since the user saw it."""


def handle_message(session: Session, message: object) -> None:
    """Handle a message from the front end; reply with a table update (scene) or a message.

    If the message is invalid, the function raises an `IntentError`.
    """
    with session.lock:
        intent = intents.parse_intent(message, {name: kind.required_fields for name, kind in MESSAGE_KINDS.items()})
        message_kind = MESSAGE_KINDS[intent.kind]
        if intent.game_number != session.game_number or (message_kind.needs_current_ply and intent.ply != session.game.ply):
            session.set_translated_note("info", "stale")
            session.refresh()
            return
        if intent.kind not in _KINDS_THAT_START_NO_BOT:
            session.is_waiting = False
        try:
            message_kind.handler(session, intent)
        except DurakError:
            raise
        except USER_CODE_EXCEPTIONS as error:  # Bots and callbacks can be user-written code, which can raise any exception.
            session.report_error(intent.kind, to_reportable_error(error))


def _handles(kind: str, *required_fields: str, needs_current_ply: bool = False) -> Callable[[Handler], Handler]:
    """Return a decorator that registers a function as the handler for one kind of message."""

    def register(handler: Handler) -> Handler:
        MESSAGE_KINDS[kind] = MessageKind(handler, required_fields, needs_current_ply)
        return handler

    return register


# --- Handlers for moves ---


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
    # If the user plays the move that they took back, the table redoes this move, so that the moves after it are kept.
    game.redo()
    return session.handle_move_made()


@_handles("explain_refusal", "card", needs_current_ply=True)
def _handle_explain_refusal(session: Session, intent: Intent) -> None:
    """Tell the viewer why they can't play a card."""
    if _refuse_if_decided(session):
        return
    view = session.build_view()
    session.explain_refusal(
        intents.guess_move(view, intent.text, intent.target_card, intent.chosen_verb), view.seat, intent.text, intent.target_card
    )


def _refuse_if_decided(session: Session) -> bool:
    """Return whether the table's exercise is over (solved or failed); if so, tell the user."""
    if session.task is None or not session.task.is_decided:
        return False
    session.set_translated_note("info", "decided")
    session.refresh()
    return True


# --- Handlers for undo and redo ---


@_handles("undo")
def _handle_undo(session: Session, _: Intent) -> None:
    """Go back to the last position in which it was a person's turn.

    If no person has moved, undo goes back one move. In a retry of a turning point, undo goes back only to the start of the retry. In a game that
    counts against an opponent, the first request only warns the user that the game then no longer counts.
    """
    game, first_ply = session.game, session.first_ply
    if game.ply <= first_ply:
        session.set_translated_note("info", "nothing_to_undo")
        return session.refresh()
    own_plies = [ply for ply in range(first_ply, game.ply) if game.history[ply].seat in session.players.human_seats]
    if own_plies and not session.is_over and session.warn_about_help("undo"):
        return None
    return session.goto(own_plies[-1] if own_plies else game.ply - 1, is_taken_back=bool(own_plies))


@_handles("redo")
def _handle_redo(session: Session, _: Intent) -> None:
    """Go forward to the next position in which it was a person's turn, or to the game's end.

    At a table of bots, redo goes forward one move.
    """
    game = session.game
    if not session.can_redo:
        session.set_translated_note("info", "nothing_to_redo")
        return session.refresh()
    finished = game.copy()
    finished.goto(game.last_ply)
    people, played_moves = session.players.human_seats, finished.history
    own_plies = [ply for ply in range(game.ply + 1, game.last_ply) if played_moves[ply].seat in people]
    return session.goto(
        own_plies[0] if own_plies and people else game.last_ply if people else game.ply + 1, is_taken_back=session.is_taken_back
    )


@_handles("goto", "to_ply")
def _handle_goto(session: Session, intent: Intent) -> None:
    session.goto(intent.number)


# --- Handlers for hints ---


@_handles("hint", needs_current_ply=True)
def _handle_hint(session: Session, _: Intent) -> None:
    """Send a hint: at the first request a thought, at the second the move with its reason."""
    legal = session.build_view().legal_moves()
    if _refuse_if_decided(session) or (legal and session.warn_about_help("hint")):
        return
    if legal and session.has_free_hints:
        session.used_free_hint = True
    elif legal:
        session.was_helped = True
    given_hint = session.hints.get(session.get_moment_key())
    if not legal:
        session.set_translated_note("info", "no_hint")
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
    """Send the first step of a hint (the thought), or the reason why there is no hint.

    If the hint has no thought, send the second step at once.
    """
    voices = session.get_voices(session.build_view())
    if isinstance(hint, TranslatableText):
        session.set_note("info", [voice.translate(hint.key, **hint.facts) for voice in voices])
        return session.refresh()
    thoughts = [hints.format_thought(hint, voice) for voice in voices]
    if not thoughts[0]:
        return _send_hint_move(session, hint)
    session.hints.store(session.get_moment_key(), hint)
    session.set_note("hint", thoughts)
    return session.refresh()


def _send_hint_move(session: Session, hint: UntranslatedHint | Hint) -> None:
    """Send the second step of a hint: the recommended move and its reason."""
    move = hint.move
    sentences = [hints.format_hint_move(hint, voice) for voice in session.get_voices(session.build_view())]
    hand_card, target_card = str(move.cards[-1].face) if move.cards else "", str(move.cards[0]) if move.verb == "beat" else ""
    session.set_note("hint", sentences, card=hand_card, target=target_card)
    session.refresh()


# --- Handlers for new games ---


@_handles("new_game")
def _handle_new_game(session: Session, _: Intent) -> None:
    """Deal the current game again; in an exercise, restart the exercise.

    In a retry of a turning point, deal the next game.
    """
    if session.task is not None:
        return session.task.restart()
    if session.retry is not None:
        return _handle_next_game(session, _)
    session.match.deal_again()
    return session.start_game()


@_handles("next_game")
def _handle_next_game(session: Session, intent: Intent) -> None:
    """Deal the next game; in an exercise, restart the exercise."""
    if session.task is not None:
        return _handle_new_game(session, intent)
    session.leave_retry()
    return session.next_game()


# --- Handlers for game reviews ---


@_handles("review_by_cards")
@_handles("review")
def _handle_review(session: Session, intent: Intent) -> None:
    """Send a review based on what the players knew, or on all cards."""
    (send_review_by_cards if intent.kind == "review_by_cards" else send_review)(session)


@_handles("retry_decision", "to_ply")
def _handle_retry_decision(session: Session, intent: Intent) -> None:
    """Start a retry of a turning point, or start the current retry again."""
    retry_decision(session, intent.number)


# --- Handlers for the rules dialog ---


@_handles("draft", "draft")
def _handle_draft(session: Session, intent: Intent) -> None:
    """Send the data of the rules dialog for the rules and players that the user is choosing."""
    _send_rules(session, rules_dialog.parse_draft(session, intent.draft))


def _send_rules(session: Session, draft: rules_dialog.RulesDraft) -> None:
    """Send the data of the rules dialog, with the letters that this table's cards show."""
    with use_card_letters(session.appearance.card_letters):
        session.send(rules_dialog.build_rules_message(session, draft))


@_handles("play_opponent", "player")
def _handle_play_opponent(session: Session, intent: Intent) -> None:
    """Begin a new match against another named opponent."""
    rules_dialog.start_match_against(session, intent.player_name)


@_handles("deal", "draft")
def _handle_deal(session: Session, intent: Intent) -> None:
    """Start a match with the rules and players that the user has chosen.

    If the options conflict, send the rules dialog with the reason instead.
    """
    draft = rules_dialog.parse_draft(session, intent.draft)
    if session.task is not None:
        session.set_translated_note("info", "fixed_rules")
        session.refresh()
    elif isinstance(draft.rules_or_refusal, str):
        _send_rules(session, draft)
    else:
        # Several bots could finish a bout before the user has looked at the new table, so they wait for *Start*.
        match, players = rules_dialog.deal_draft(session, draft)
        session.is_waiting = len(draft.seats) > 2 and bool(players.human_seats) and match.game.actor not in players.human_seats
        session.open_match(match, players)


# --- View, bots, descriptions ---


@_handles("uncover_hand", needs_current_ply=True)
def _handle_uncover_hand(session: Session, _: Intent) -> None:
    """Record that the person at the seat shown at the bottom has confirmed their presence."""
    seat = session.find_viewer()[0]
    if not session.players.is_spectator(seat):
        session.players.set_present(seat)
    session.update()


@_handles("start")
def _handle_start(session: Session, _: Intent) -> None:
    """Let waiting bots play, because a person looks at the table or has pressed *Start*."""
    session.update()


@_handles("drop_undone_moves", needs_current_ply=True)
def _handle_drop_undone_moves(session: Session, _: Intent) -> None:
    """Delete the moves that were taken back, so that play goes on from the displayed position."""
    session.drop_undone_moves()


@_handles("move_list")
def _handle_move_list(session: Session, _: Intent) -> None:
    """Send the list of all moves, without cards that the viewer may not see.

    The list includes moves that were taken back.
    """
    seat, covered = session.find_viewer()
    finished = session.game.copy()
    finished.goto(finished.last_ply)
    view = finished.view(seat)
    view = view.without_hand() if covered else view
    reasons = session.get_move_reasons() if can_show_all_cards(session) else {}
    session.send({"kind": "move_list", "bouts": list_moves_by_bout(view, session.get_voices(view).written, reasons)})


@_handles("seen_cards")
def _handle_seen_cards(session: Session, _: Intent) -> None:
    """Send where each card is, as far as a player with perfect memory could know.

    The list is only sent if the setting `memory` is on.
    """
    if session.appearance.memory:
        session.send({"kind": "seen_cards", **locate_cards(session.build_view())})
    else:
        session.refresh()


@_handles("describe_table")
def _handle_describe_table(session: Session, _: Intent) -> None:
    """Send a description of the whole table, for a screen reader."""
    _send_spoken(session, narration.describe_observation)


@_handles("describe_hand")
def _handle_describe_hand(session: Session, _: Intent) -> None:
    """Send a description of the viewer's hand, for a screen reader."""
    _send_spoken(session, narration.describe_hand)


@_handles("describe_last_moves")
def _handle_describe_last_moves(session: Session, _: Intent) -> None:
    """Send a description of the last two moves, for a screen reader."""
    _send_spoken(session, lambda view, voice: " ".join(describe_last_moves(view, voice, view.seat)) or voice.translate("told.nothing"))


@_handles("describe_piles")
def _handle_describe_piles(session: Session, _: Intent) -> None:
    """Send a description of trump suit, talon and discard pile, for a screen reader."""
    _send_spoken(session, narration.describe_piles)


def _send_spoken(session: Session, describe: Callable[[Observation, Translator], str]) -> None:
    view = session.build_view()
    session.send({"kind": "announcement", "text": describe(view, session.get_voices(view).spoken).replace("\n", " ")})


@_handles("stop")
def _handle_stop(session: Session, _: Intent) -> None:
    """Make the bots wait until the user presses *Start*."""
    session.is_waiting = None
    session.wait_for_viewer()


@_handles("play_to_end")
def _handle_play_to_end(session: Session, _: Intent) -> None:
    """Let the bots finish the game without delay, because all people have left the game."""
    session.play_to_end()


@_handles("step")
def _handle_step(session: Session, _: Intent) -> None:
    """Let the next bot make its move, because the user has pressed *Next step*."""
    session.refresh()
    session.start_jobs(ignores_step_setting=True)


@_handles("rotate_view")
def _handle_rotate_view(session: Session, _: Intent) -> None:
    """Show the table from another seat: the next one whose hand the viewer may see."""
    if not session.players.rotate_view(session.game, session.appearance):
        session.set_translated_note("info", "own_seat")
    session.update()


@_handles("reset_view")
def _handle_reset_view(session: Session, _: Intent) -> None:
    """Show the table from the viewer's own seat again."""
    session.players.reset_view()
    session.update()


# --- Handlers for shared games ---


@_handles("share")
def _handle_share(session: Session, _: Intent) -> None:
    session.send(build_share_message(session))


@_handles("check_text", "text")
def _handle_check_text(session: Session, intent: Intent) -> None:
    """Tell the front end whether the table can open a pasted text, and if not, why."""
    if parse_pasted_game(session, intent.text) is not None:
        session.send({"kind": "readable", "text": intent.text})


@_handles("open_text", "text")
def _handle_open_text(session: Session, intent: Intent) -> None:
    """Open a game or a position that the user has pasted as text."""
    game = parse_pasted_game(session, intent.text)
    if game is not None:
        session.open_match(Match.from_game(game, seed=session.deal_rng.getrandbits(32)))


@_handles("seat_player", "seat", "player")
def _handle_seat_player(session: Session, intent: Intent) -> None:
    """Change the player of a seat; in an exercise, only tell the user that this is impossible."""
    if session.task is None:
        session.seat_player(intent.number, intent.player_name)
    else:
        session.set_translated_note("info", "fixed_seats")
        session.refresh()


@_handles("refresh")
def _handle_refresh(session: Session, _: Intent) -> None:
    """Send the current state of the table (scene) to the front end."""
    session.refresh()


_handles("opponents")(rules_dialog.send_opponents)
_handles("how_to_play")(how_to_play.send_how_to_play)


def send_review(session: Session, basis: Basis = "what it knew") -> None:
    """Send the review that is based on what players knew, or on all cards, as `basis` says.

    If this review is not ready, send the review by the players' knowledge; if there is none, send only the scene.
    """
    review = session.get_review(basis) or session.get_review()
    if review is None:
        session.refresh()
    else:
        session.send({"kind": "review", **review.view_model(session.get_voices(session.build_view()).written)})


def send_review_by_cards(session: Session) -> None:
    """Start and later send a review that judges moves as if players had known all cards."""
    if session.get_review() is None:
        session.refresh()
    else:
        session.review_by_cards(lambda: send_review(session, "all cards"))


def retry_decision(session: Session, ply: int) -> None:
    """Let the viewer play the turning point at `ply` again, or restart the current retry."""
    reviews, retry = (session.get_review(), session.get_review("all cards")), session.retry
    if retry is None:
        turns = [turn for review in reviews if review is not None for turn in review.turning_points if turn.decision.seat == review.seat]
        matching = [turn for turn in turns if turn.decision.ply == ply]
        retry = DecisionRetry.from_turning_point(matching[0], session.match) if matching else None
    if retry is None:
        session.set_translated_note("info", "stale")
        return session.refresh()
    return session.start_retry(retry)


def build_share_message(session: Session) -> dict[str, Any]:
    """Return a message with the table as text and as a picture, for the viewer to share.

    If all cards may be shown, the message also contains the whole game.

    >>> from durak_widget import Game, Table
    >>> message = build_share_message(Table(seed=7, hands="open")._session)
    >>> sorted(message), Game.parse(message["position"]).hands == Game.parse(message["game"]).hands
    (['cell', 'game', 'kind', 'picture', 'position', 'text'], True)
    >>> sorted(build_share_message(Table(seed=7)._session))
    ['kind', 'picture', 'text']
    """
    game, appearance, view = session.game, session.appearance, session.build_view()
    picture = Picture(
        view,
        four_colors=appearance.four_colors,
        language=appearance.language,
        names=session.players.shown_opponents,
        card_letters=appearance.card_letters,
    )
    moves = [
        text
        for bout in list_moves_by_bout(view, session.get_voices(view).written)
        for text in (*(sentence for _, sentence in bout["moves"]), bout.get("end"))
    ]
    message = {"kind": "share", "text": "\n".join([str(picture), "", *filter(None, moves)]).strip(), "picture": picture.svg}
    shows_all = can_show_all_cards(session)
    if LINK_MAKERS:
        message["link"] = LINK_MAKERS[-1](game if shows_all else game.rules)
    if not shows_all:
        return message
    text = str(game)
    position = {} if game.actor is None else {"position": game.position}
    return {**message, **position, "game": text, "cell": f'from durak_widget import Game, Table\n\nTable(Game.parse("""\n{text}"""))'}


def can_show_all_cards(session: Session) -> bool:
    """Return whether the table may show all cards: after the game, or if all hands are open."""
    finished = session.game.copy()
    finished.goto(finished.last_ply)
    return session.appearance.hands == "open" or (finished.outcome is not None and not session.is_taken_back)


def parse_pasted_game(session: Session, text: str) -> Game | None:
    """Parse a pasted game or position; if it is invalid, tell the user why and return None.

    Return None during an exercise too, because its game can't be replaced.
    """
    voices = session.get_voices(session.build_view())
    try:
        if session.task is None:
            return Game.parse(text)
        sentences = voices.say("table.fixed_game")
    except DurakError as error:
        sentences = voices.say("table.unread", why=str(error))
    session.send({"kind": "unreadable", "text": sentences})
    return None
