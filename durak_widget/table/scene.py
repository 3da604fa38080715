"""Builds the scene: the data of everything that the front end shows to one viewer.

The scene depends on an `Observation`, so it shows no more than this player may know. It includes what each player did last and which hands are
open. A task (an exercise at the table) can take the place of an ordinary game.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.cards import CardSet
from durak_widget.engine import narration
from durak_widget.engine.outcome_wording import build_farewell_fact
from durak_widget.i18n import Seat, TranslatableText, Translator
from durak_widget.rules import deal_and_trump, deck_and_beating
from durak_widget.rules.ruleset import format_rules_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.match import Match, Tally
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation, PlayedMove
    from durak_widget.table.hints import Hint
    from durak_widget.table.players import OpponentResult, Players
    from durak_widget.widgets.appearance_settings import AppearanceSettings

    CommentWriter = Callable[[Translator], Sequence[str]]
    """The type of a function that returns sentences about the last move, or an empty list."""

_LONGEST_REASON: Final = 300
_ATTACK_VERBS: Final = frozenset({"attack", "throw", "transfer"})
_MAX_NAMED_CARDS: Final = 2
"""If a player's last action involved more cards than this, its description gives only the number of cards."""
_MAX_SIDES_IN_SCORE: Final = 3
"""How many sides the score of a match lists with their full names."""
Scene = dict[str, Any]
SentencePair = list[str]


class VoicePair(NamedTuple):
    """A translator for text on the screen, and one for text that a screen reader reads aloud.

    >>> from durak_widget import Card
    >>> VoicePair.for_viewer("en", me=0).say("advice.beat", target=Card("7c"), card=Card("9c"))
    ['Beat 7♣︎ with 9♣︎.', 'Beat the 7 of clubs with the 9 of clubs.']
    """

    written: Translator
    spoken: Translator

    @classmethod
    def for_viewer(cls, language: str, me: int | None, people: tuple[tuple[int, str], ...] = (), card_letters: str = "") -> VoicePair:
        """Create translators for the screen and for a screen reader; seat `me` is called "you"."""
        spoken = Translator(language, own_seat=me, opponent_keys=people, card_letters=card_letters)
        return cls(replace(spoken, cards="signs"), spoken)

    def say(self, key: str, /, **facts: object) -> SentencePair:
        """Return a translated sentence twice: as written on the screen, and as read aloud."""
        return [voice.translate(key, **facts) for voice in self]


class DisplayOptions(NamedTuple):
    """What the front end shows beyond what one player knows, such as other hands.

    >>> DisplayOptions(waits_for_step=True).to_dict()
    {'waits_for_step': True}
    """

    open_hands: Mapping[int, list[str]] = MappingProxyType({})
    """The hands that are shown face up: all hands if the user chose this, otherwise, after the game, the losers' hands."""
    is_rotated: bool = False
    """True if the table is shown from another seat than the viewer's own."""
    waits_for_step: bool = False
    """True if a bot waits until the user presses *Next step*."""
    hides_hands: bool = False
    """True if no hand is shown face up, not even the viewer's own."""

    @classmethod
    def from_table(
        cls, players: Players, game: Game, appearance: AppearanceSettings, acting_seat: int | None, *, hides_remaining: bool = False
    ) -> DisplayOptions:
        """Work out the display options from a table's settings and its game."""
        open_seats = game.outcome.losers if game.outcome and appearance.hands == "own" and not hides_remaining else ()
        shown_seats = range(game.seats) if appearance.hands == "open" else open_seats
        hands = {seat: [str(card) for card in narration.sort_hand(game.view(seat))] for seat in shown_seats}
        return cls(
            hands, players.is_view_rotated(game, appearance), acting_seat is not None and appearance.steps, appearance.hands == "hidden"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options that are True, as a dict for the front end.

        Open hands are not included.
        """
        return {name: True for name in ("is_rotated", "waits_for_step", "hides_hands") if getattr(self, name)}


class SceneMoment(NamedTuple):
    """What a scene (the data for one update of the page) needs besides an observation."""

    id: int
    """The number of the scene (the data of one update); each scene of a table has a higher number than the one before."""
    game_number: int
    """The number of the game, counted since the table was created."""
    last_ply: int
    """The number of moves in the game, including moves that were taken back."""
    player_names: Sequence[str]
    """The name of each seat's player: `you` for a person, or the name of a bot."""
    next_players: Mapping[int, str]
    """The names of the players in the next game, only for the seats whose player will change."""
    bot_states: Mapping[int, str]
    """The states of bots that think, are late or have failed, by seat: `thinks`, `late` or `failed`."""
    undo: bool
    redo: bool
    hint: int
    """How many steps of a hint the user can see: 0, 1 (the thought), or 2 (also the move)."""
    end: bool
    """True if only bots are left in the game, so that the user may let them finish it at once."""
    next_move: str
    """The move that the viewer made in this position and then took back; empty if there is none."""
    task: TaskController | None = None
    """The controller of the exercise at the table; None for an ordinary game."""
    is_taken_back: bool = False
    """True if the user has taken back moves and play goes on from this position."""
    is_waiting: bool = False
    """True if a bot waits until a person looks at the table."""
    finder_results: Mapping[str, Sequence[float]] | None = None
    """The results of the analysis functions (finders), by name; None if no function is set."""
    opponent_result: OpponentResult | None = None
    """The opponents' remarks and the user's progress, after a game against named opponents; None before the game ends."""
    display: DisplayOptions = DisplayOptions()
    """What the front end shows in addition to one player's observation."""
    comment_writer: CommentWriter | None = None
    """The function that comments on the last move; the front end shows these comments instead of the move's description."""
    opening_comment_writer: CommentWriter | None = None
    """The function that a lesson sets to comment on the start of the game; its list replaces the reason why a player begins."""
    opponent_progress: str = ""
    """What the user still needs to beat the named opponent, in words; empty if the game is not against one, or if they are beaten."""
    regret: bool = False
    """True if the last move was so bad that the player may want to take it back."""
    review: Mapping[str, Any] | None = None
    """The data of the game review that the front end shows; None if there is no review yet."""
    goal: TranslatableText | None = None
    """The player's goal in a retry of a turning point, at the start of the retry; otherwise None."""


def build_scene(
    view: Observation, scene_moment: SceneMoment, voices: VoicePair, match: Match, note: Mapping[str, Any] | None = None
) -> Scene:
    """Build the scene: the data of everything that the front end shows to one viewer."""
    # If only bots play at the table, the user has no moves to choose from.
    moves = view.legal_moves() if "you" in scene_moment.player_names else ()
    has_several_opponents = len(view.counts) > 2
    last_actions = describe_seat_actions(view, voices.written) if has_several_opponents and not view.outcome else {}
    scene: Scene = {
        "id": scene_moment.id,
        "game": scene_moment.game_number,
        "ply": view.ply,
        "last_ply": scene_moment.last_ply,
        "bout": view.bout,
        "limit": view.limit,
        "viewer": view.seat,
        "actor": view.actor,
        "trump": view.trump,
        "talon": view.talon_count,
        "discard": view.discard_count,
        "table": _encode_pairs(view.table),
        "hand": [str(card) for card in narration.sort_hand(view)],
        "seats": [
            _build_seat(view, seat, scene_moment, last_actions.get(seat), dict(voices.written.opponent_keys))
            for seat in range(len(view.counts))
        ],
        "call_to_action": [narration.format_call_to_action(view, voice) for voice in voices],
        "legal": encode_legal_moves(moves, narration.sort_hand(view)),
        "can": {
            name: True for name in ("undo", "redo", "hint", "end", "regret") if getattr(scene_moment, name) and (name != "hint" or moves)
        },
        "rules": format_rules_title(match.rules, voices.written.language),
    }
    if _can_pass_again(view, moves):
        scene["can"]["done"] = True
    if score := scene_moment.opponent_progress or _format_match_score(match, voices.written):
        scene["match_score"] = score
    if view.is_hand_hidden:
        scene["covered"] = True
    if view.turn_up:
        scene["turn_up"] = [str(view.turn_up), deal_and_trump.turn_up_location(view.rules)]
        if deal_and_trump.has_hidden_trump(view.rules):
            scene["has_hidden_trump"] = True
    if scene_moment.next_move:
        scene["undone_move"] = scene_moment.next_move
    if scene_moment.is_taken_back:
        scene["taken_back"] = True
    if scene_moment.is_waiting:
        scene["is_waiting"] = True
    if scene_moment.task:
        scene |= _build_task(scene_moment.task, voices)
        if "verdict" in scene:
            scene["legal"] = {}
            scene["can"].pop("hint", None)
    if scene_moment.hint > 1:
        scene["has_shown_thought"] = True
    scene |= scene_moment.display.to_dict()
    if scene_moment.finder_results is not None:
        scene["analysis"] = {name: list(values) for name, values in scene_moment.finder_results.items()}
    if view.ply:
        scene |= _build_last_move(view, voices.spoken)
        comments = [*(scene_moment.comment_writer(voices.written) if scene_moment.comment_writer else ())]
        scene["commentary"] = comments or describe_last_moves(view, voices.written)
    elif comments := _comment_on_opening(view, scene_moment, voices, match):
        scene["commentary"] = comments
    if scene_moment.goal:
        scene["commentary"] = [voices.written.translate(scene_moment.goal.key, **scene_moment.goal.facts)]
    if scene_moment.review:
        scene["review"] = dict(scene_moment.review)
    attack_card_seats = find_attack_card_seats(view) if has_several_opponents else []
    if any(seat is not None for seat in attack_card_seats):
        scene["attackers"] = attack_card_seats
    if view.outcome and (scene_moment.display.hides_hands or not view.is_hand_hidden):
        scene["result"] = _build_result(view, voices, match, scene_moment.opponent_result)
    if note:
        scene["note"] = dict(note)
    return scene


def _comment_on_opening(view: Observation, scene_moment: SceneMoment, voices: VoicePair, match: Match) -> list[str]:
    """Return what to say at the start of the game, as a list of sentences.

    These are a lesson's comments, or, in the first game of a match, the reason why a player attacks first. The list can be empty.
    """
    if scene_moment.opening_comment_writer:
        return [*scene_moment.opening_comment_writer(voices.written)]
    if scene_moment.task or len(match.games) > 1 or not match.game.was_opener_chosen_by_cards:
        return []
    return [narration.format_opening_reason(view, voices.written, names_card=not scene_moment.display.hides_hands)]


def _format_match_score(match: Match, voice: Translator) -> str:
    """Format how many games each side has lost; return "" before the first game ends.

    In a match of more than three sides, the text has only the user's own side. For a spectator it has the sides that have lost a game.
    """
    if not any(tally.wins or tally.ties or tally.losses for tally in match.score):
        return ""
    is_long = len(match.score) > _MAX_SIDES_IN_SCORE
    own_tally = next((tally for tally in match.score if voice.own_seat in tally.seats), None)
    if is_long and own_tally:
        game_count = own_tally.wins + own_tally.ties + own_tally.losses
        return voice.translate("table.match_score.own", lost=own_tally.losses, games=game_count)
    sides = []
    for tally in match.score:
        if tally.losses or not is_long:
            name = _format_side(tally, voice, in_sentence=True)
            ranks = f" ({_format_ranks(tally.epaulettes, voice)})" if tally.epaulettes else ""
            sides.append(f"{name}{':' if name[-1].isdigit() else ''} {tally.losses}{ranks}")
    return voice.translate("table.match_score", score=", ".join(sides)) if sides else ""


def _build_task(task: TaskController, voices: VoicePair) -> Scene:
    """Return what the front end shows about an exercise, with the verdict at its end."""
    fields: Scene = {"task": True, **({"is_single_move": True} if task.is_single_move else {})}
    verdict = [task.verdict(voice) for voice in voices]
    if verdict[0] is not None:
        fields["verdict"] = {"right": verdict[0][0], "text": [spoken_verdict[1] for spoken_verdict in verdict if spoken_verdict]}
    return fields


def encode_legal_moves(moves: Iterable[Move], hand: Sequence[Card]) -> dict[str, Any]:
    """Encode the legal moves for the front end, grouped by verb.

    The type `Legal` in the front end describes the format.

    >>> from durak_widget import Game
    >>> encode_legal_moves(Game.from_position(hands=["6c", "7c 8d"], table="7d").legal_moves(), [])
    {'beat': [['7d', ['8d']]], 'take': True}
    """
    encoded: dict[str, Any] = {}
    pairs: dict[str, dict[str, list[str]]] = {}
    for move in moves:
        verb, cards = move.verb, [str(card) for card in move.cards]
        match cards:
            case []:
                encoded[verb] = True
            case [card]:
                encoded.setdefault(verb, []).append(card)
            case _ if verb == "attack":  # For attacks with several cards, the front end gets only the maximum number of cards.
                encoded["several"] = max(encoded.get("several", 0), len(cards))
            case _ if verb == "swap":  # Any two cards of the hand may be swapped, so the front end gets the whole hand.
                encoded[verb] = [str(card) for card in hand]
            case [target, *card]:
                encoded[verb] = pairs.setdefault(verb, {})
                encoded[verb].setdefault(target, []).extend(card)
    return encoded | {verb: [list(pair) for pair in targets.items()] for verb, targets in pairs.items()}


def _encode_pairs(pairs: Iterable[tuple[Card, Card | None]]) -> list[list[str | None]]:
    return [[str(attack), str(beat) if beat else None] for attack, beat in pairs]


def _can_pass_again(view: Observation, moves: Iterable[Move]) -> bool:
    """Return whether a player who passes now may later be asked again to throw in.

    This is possible while other attackers may still play cards.
    """
    other_throwers = set(view.seats_in) - {view.seat, view.defender, *view.passed}
    return bool(other_throwers) and any(move.verb == "pass" for move in moves)


def _build_seat(
    view: Observation, seat: int, scene_moment: SceneMoment, last_action: str | None, people: Mapping[int, str]
) -> dict[str, Any]:
    """Return what the front end shows at one seat: its cards, its role and its player."""
    fields: dict[str, Any] = {
        "cards": view.counts[seat],
        "role": narration.find_role_key(view, seat),
        "player": scene_moment.player_names[seat],
    }
    if seat in scene_moment.next_players:
        fields["next_player"] = scene_moment.next_players[seat]
    if seat in people:
        fields["is_named"] = True
    if seat in scene_moment.bot_states:
        fields["bot_state"] = scene_moment.bot_states[seat]
    if narration.is_partner(view, seat):
        fields["is_partner"] = True
    if seat in scene_moment.display.open_hands and seat != view.seat and not view.is_hand_hidden:
        fields["hand"] = scene_moment.display.open_hands[seat]
    shown_trumps = [str(card) for owner, card in view.shown_trumps if owner == seat]
    if shown_trumps:
        fields["shown_trumps"] = shown_trumps
    if epaulettes := narration.find_epaulettes(view, seat):
        fields["epaulettes"] = [str(card) for card in epaulettes]
    return {**fields, "last_action": last_action} if last_action and seat != view.seat else fields


def _build_last_move(view: Observation, voice: Translator) -> dict[str, Any]:
    """Return what the front end shows about the last move, and about a bout that just ended."""
    played = view.history[-1]
    sentences = _describe_move(view, view.ply, voice, view.seat)
    fields: dict[str, Any] = {}
    ends = [end for end in view.bout_ends if end.ply == view.ply]
    if ends:
        end = ends[-1]
        fields["bout_end"] = {
            "taker": end.defender if end.taken else None,
            "pairs": _encode_pairs(end.table),
            "drawn": [list(drawn) for drawn in end.draw_counts],
        }
    return {
        "last_move": {"seat": played.seat, "verb": played.verb, "cards": [str(card) for card in played.cards], "sentences": sentences},
        **fields,
    }


def describe_last_moves(view: Observation, voice: Translator, viewer: int | None = None) -> list[str]:
    """Describe the last two moves and their consequences, such as the end of a bout.

    The description names the cards that `viewer` drew.
    """
    return [" ".join(_describe_move(view, ply, voice, viewer)) for ply in range(max(1, view.ply - 1), view.ply + 1)]


def _describe_move(view: Observation, ply: int, voice: Translator, viewer: int | None) -> list[str]:
    """Describe a move and, if the move ended a bout, the end of the bout.

    If the defender takes and this ends the bout, only the end of the bout is described.
    """
    played = view.history[ply - 1]
    end = next((end for end in view.bout_ends if end.ply == ply), None)
    description = [] if played.verb == "take" and end is not None else [narration.format_played_move(played, voice)]
    return [*description, *(() if end is None else narration.format_bout_end(end, voice, view.trump, viewer))]


def _build_result(view: Observation, voices: VoicePair, match: Match, opponent_result: OpponentResult | None) -> dict[str, Any]:
    """Return what the front end shows about a finished game."""
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    own_seat = view.seat
    won = True if own_seat in outcome.winners else False if own_seat in outcome.losers else None
    fields = {
        "text": [narration.format_call_to_action(view, voice) for voice in voices],
        "order": narration.format_finishing_order(view, voices.written),
        "epaulettes": outcome.epaulettes,
        "won": won,
        "score": [_encode_tally(tally, voices.written) for tally in match.score],
    }
    if voices.spoken.own_seat is not None:
        farewell_fact = build_farewell_fact(outcome, own_seat, len(view.bout_ends))
        fields["farewell"] = voices.say(farewell_fact.key, **farewell_fact.facts)
    if opponent_result:
        fields |= _build_opponent_result(opponent_result, voices)
    if match.loser is not None:
        fields["match_result"] = voices.written.translate("table.match_lost", name=_format_side(match.score[match.loser], voices.written))
    return fields


def _build_opponent_result(result: OpponentResult, voices: VoicePair) -> dict[str, Any]:
    """Return what named opponents say about a finished game, and whom the user has beaten."""
    fields: dict[str, Any] = {}
    if result.quotes:
        fields["quotes"] = result.format_quotes(voices.written)
    if standing := result.format_standing(voices.written):
        fields["standing"] = standing
    if result.next_opponent:
        fields["next_opponent"] = result.next_opponent
    if result.newly_beaten:
        seat, opponent = result.newly_beaten
        fields["beaten"] = {
            "opponent": opponent,
            "text": voices.say("table.rival.beaten", who=Seat(seat)),
            **({"all_beaten": list(result.beaten_opponents)} if result.beaten_opponents else {}),
        }
    return fields


def _encode_tally(tally: Tally, voice: Translator) -> list[str | int]:
    return [_format_side(tally, voice), tally.wins, tally.ties, tally.losses, _format_ranks(tally.epaulettes, voice)]


def _format_ranks(ranks: Iterable[str], voice: Translator) -> str:
    """Format ranks as cards show them."""
    return " ".join(voice.letters.get(rank, rank) for rank in ranks)


def _format_side(tally: Tally, voice: Translator, *, in_sentence: bool = False) -> str:
    """Format the names of a side's players; inside a sentence, `you` has a small letter."""
    you = voice.translate("screen.you")
    own_name = you[0].lower() + you[1:] if in_sentence else you
    return " + ".join(own_name if seat == voice.own_seat else voice.name_player(seat) for seat in tally.seats)


def list_moves_by_bout(view: Observation, voice: Translator, reasons: Mapping[int, object] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Describe all moves in words, grouped by bout; include bots' reasons for their moves."""
    ends = view.bout_ends
    # This list has the trump suit after each bout, since a hidden trump can change the suit at the end of a bout.
    later_trumps = [end.trump for end in ends[1:]] + [view.trump] * bool(ends)
    end_by_ply = {end.ply: (end, suit) for end, suit in zip(ends, later_trumps, strict=True)}
    bouts: list[dict[str, Any]] = [{"bout": ends[0].bout if ends else view.bout, "moves": []}]
    for ply, played in enumerate(view.history, 1):
        bouts[-1]["moves"].append(
            [ply, f"{narration.format_played_move(played, voice)} {_format_reason(reasons.get(ply), voice)}".rstrip()]
        )
        if ply in end_by_ply:
            end, suit = end_by_ply[ply]
            bouts[-1]["end"] = " ".join(narration.format_bout_end(end, voice, suit))
            bouts.append({"bout": end.bout + 1, "moves": []})
    return [bout for bout in bouts if bout["moves"]]


def _format_reason(reason: object, voice: Translator) -> str:
    """Format a bot's reason for its move as one line; return an empty text if this fails.

    The reason comes from user-written code, so any exception can occur.
    """
    try:
        text = voice.translate(reason.key, **reason.facts) if isinstance(reason, TranslatableText) else str(reason or "")
    except Exception:  # noqa: BLE001 - a text from user-written code can raise any exception
        return ""
    return "".join(character if character.isprintable() else " " for character in text[:_LONGEST_REASON]).strip()


def locate_cards(view: Observation) -> dict[str, Any]:
    """Return where each card is, as far as a player with perfect memory could know.

    >>> from durak_widget import Game
    >>> locations = locate_cards(Game(seed=7).view(0))
    >>> locations["rows"][0], locations["locations"]["6s"]
    (['6c', '7c', '8c', '9c', 'Tc', 'Jc', 'Qc', 'Kc', 'Ac'], ['hand'])
    """
    locations: dict[str, list[str | int]] = {}

    def add_cards(cards: Iterable[Card], location: str | int) -> None:
        for card in cards:
            locations.setdefault(str(card.face), []).append(location)

    add_cards(view.hand, "hand")
    add_cards((card for pair in view.table for card in pair if card), "table")
    memory = view.memory
    if memory is not None:
        for seat, known_cards in enumerate(memory.known):
            if seat != view.seat:
                add_cards(known_cards, seat)
        add_cards(memory.discarded, "gone")
        add_cards((card for _, card in memory.talon), "talon")
        if view.turn_up and all(card != view.turn_up for _, card in memory.talon):
            add_cards([view.turn_up], "talon")
    deck = CardSet.from_mask(sum(deck_and_beating.build_deck(view.rules)))
    faces = list(dict.fromkeys(deck))
    rows = [[str(card) for card in faces if card.suit == suit] for suit in dict.fromkeys(card.suit for card in faces)]
    return {"rows": rows, "locations": locations}


def describe_seat_actions(view: Observation, voice: Translator) -> dict[int, str]:
    """Describe in a few words what each player did last in the current (or just ended) bout.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Translator
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c"); game.play("beat 7c 9c")
    >>> describe_seat_actions(game.view(0), Translator())
    {0: 'attacks with the 7 of clubs', 1: 'beats the 7 of clubs'}
    """
    return {played.seat: _format_action(played, voice) for played in view.history[_find_bout_start(view, view.ply - 1) :]}


def find_attack_card_seats(view: Observation) -> list[int | None]:
    """Return which seat played each attacking card; None for cards of a starting position.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8d", "9c Th", "9d 6s"], trump="h")
    >>> game.play("attack 7c"); game.play("beat 7c 9c"); game.play("throw 9d"); find_attack_card_seats(game.view(0))
    [0, 2]
    """
    seats = [
        played.seat for played in view.history[_find_bout_start(view, view.ply) :] if played.verb in _ATTACK_VERBS for _ in played.cards
    ]
    return [*[None] * (len(view.table) - len(seats)), *seats]  # The table lists its cards in the order of play.


def _find_bout_start(view: Observation, ply: int) -> int:
    """Return the ply at which a bout began, given any ply in this bout."""
    return max((end.ply for end in view.bout_ends if end.ply <= ply), default=0)


def _format_action(played: PlayedMove, voice: Translator) -> str:
    cards = played.cards
    if not cards:
        return voice.translate(f"did.{played.verb}")
    if played.verb == "attack" and len(cards) > _MAX_NAMED_CARDS:
        return voice.translate("did.several", count=len(cards))
    return voice.translate(f"did.{played.verb}", cards=cards, target=cards[0], card=cards[-1])


class TaskController(Protocol):
    """The type of an object that runs an exercise at a table, in place of an ordinary game."""

    def restart(self) -> None:
        """Set up the position of the exercise again."""

    def hint(self) -> Move | TranslatableText | Hint:
        """Return a hint: a move that solves the exercise, or a text on why there is none."""

    @property
    def is_single_move(self) -> bool:
        """Return whether the first move decides the exercise, which makes undo useless."""

    @property
    def is_decided(self) -> bool:
        """Return whether the exercise is solved or failed, so that play stops."""

    def verdict(self, voice: Translator) -> tuple[bool | None, str] | None:
        """Return whether the exercise is solved, with a sentence; None while it is undecided.

        If the result must stay secret, the first value is None.
        """
