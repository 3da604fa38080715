"""The scene: all that the page may show to one viewer about a game at one moment.

It is made from an `Observation` alone, so it shows no more than that player may know. It includes what each player
did last and which hands are open. A task can take the place of a game.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.cards import CardSet
from durak_widget.engine import narration
from durak_widget.engine.outcome_wording import build_farewell_fact
from durak_widget.i18n import TranslatableText, Translator
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
    """A function that returns sentences about the last move, or an empty list."""

_LONGEST_REASON: Final = 300
_ATTACK_VERBS: Final = frozenset({"attack", "throw", "transfer"})
_MAX_NAMED_CARDS: Final = 2
"""The largest number of cards that a seat's last action names; for more cards, only their number is given."""
Scene = dict[str, Any]
SentencePair = list[str]


class VoicePair(NamedTuple):
    """The two forms of a sentence: written with suit symbols, and read aloud in words.

    >>> from durak_widget import Card
    >>> VoicePair.for_viewer("en", me=0).say("advice.beat", target=Card("7c"), card=Card("9c"))
    ['Beat 7♣︎ with 9♣︎.', 'Beat the 7 of clubs with the 9 of clubs.']
    """

    written: Translator
    spoken: Translator

    @classmethod
    def for_viewer(cls, language: str, me: int | None, people: tuple[tuple[int, str], ...] = ()) -> VoicePair:
        """Create both forms for a language, the viewer's seat `me`, and the named opponents."""
        return cls(
            Translator(language, cards="signs", own_seat=me, opponent_keys=people), Translator(language, own_seat=me, opponent_keys=people)
        )

    def say(self, key: str, /, **facts: object) -> SentencePair:
        """Return a sentence in both forms: written, and read aloud."""
        return [voice.translate(key, **facts) for voice in self]


class DisplayOptions(NamedTuple):
    """The display options of the table that go beyond one player's view.

    >>> DisplayOptions(step=True).to_dict()
    {'step': True}
    """

    open_hands: Mapping[int, list[str]] = MappingProxyType({})
    """The hands that are shown: all hands if the user chose that, otherwise the hands left at the end of a game."""
    turned: bool = False
    """True if the table is shown from another seat than the viewer's own."""
    step: bool = False
    """True if the bot that must act waits for *Next step*."""
    closed: bool = False
    """True if no hand is shown, not even the viewer's own."""

    @classmethod
    def from_table(
        cls, players: Players, game: Game, appearance: AppearanceSettings, acting_seat: int | None, *, hides_remaining: bool = False
    ) -> DisplayOptions:
        """Return the display options that follow from a table's settings and its game."""
        open_seats = game.outcome.losers if game.outcome and appearance.hands == "own" and not hides_remaining else ()
        shown_seats = range(game.seats) if appearance.hands == "open" else open_seats
        hands = {seat: [str(card) for card in narration.sort_hand(game.view(seat))] for seat in shown_seats}
        return cls(
            hands, players.is_view_rotated(game, appearance), acting_seat is not None and appearance.steps, appearance.hands == "hidden"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the display options for the scene; shown hands are not among them."""
        return {name: True for name in ("turned", "step", "closed") if getattr(self, name)}


class SceneMoment(NamedTuple):
    """A moment of a game in its match, with what else the table knows about that moment."""

    id: int
    """The number of the scene, which increases with every scene."""
    game_number: int
    """The number of the game at the table."""
    last_ply: int
    """The number of moves in the game, including undone ones."""
    player_names: Sequence[str]
    """The name of each seat's player: `you` for a person, or the name of a bot."""
    next_players: Mapping[int, str]
    """The names of the players in the next game, for the seats whose player changes."""
    bot_states: Mapping[int, str]
    """The state of a seat's bot: `thinks`, `late` or `failed`; seats without such a state are left out."""
    undo: bool
    redo: bool
    hint: int
    """The number of available hint steps: 1 for only the thought, 2 for the thought and the move."""
    end: bool
    """True if only bots still play, so that the user may let them finish the game at once."""
    next_move: str
    """The viewer's own move that was undone at this moment; empty if there is none."""
    task: TaskController | None = None
    """The controller of the task set at the table; while there is a task, no other game is dealt."""
    is_taken_back: bool = False
    """True if moves were taken back and play goes on from this moment."""
    is_waiting: bool = False
    """True if the bot that must act waits until a person looks at the table."""
    finder_results: Mapping[str, Sequence[float]] | None = None
    """The results of the functions that analyse the position; None if there are no such functions."""
    opponent_result: OpponentResult | None = None
    """The result of a game against named opponents, once the game is over."""
    display: DisplayOptions = DisplayOptions()
    """The display options that go beyond one player's view."""
    comment_writer: CommentWriter | None = None
    """The function that comments on the last move; its comment replaces the move's description."""
    regret: bool = False
    """True if the last move cost so much that the player may want to take it back."""
    review: Mapping[str, Any] | None = None
    """The turning points of the game, after the review has found them."""
    goal: TranslatableText | None = None
    """The goal of a retry, if it is not simply to win."""


def build_scene(
    view: Observation, scene_moment: SceneMoment, voices: VoicePair, match: Match, note: Mapping[str, Any] | None = None
) -> Scene:
    """Return everything that the page draws for a viewer at one moment of the game."""
    moves = view.legal_moves() if "you" in scene_moment.player_names else ()  # Bots that play among themselves offer the user no choices
    has_several_opponents = len(view.counts) > 2
    last_actions = describe_seat_actions(view, voices.written) if has_several_opponents and not view.outcome else {}
    scene: Scene = {
        "id": scene_moment.id,
        "game": scene_moment.game_number,
        "ply": view.ply,
        "last": scene_moment.last_ply,
        "bout": view.bout,
        "limit": view.limit,
        "me": view.seat,
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
        "call": [narration.format_call_to_action(view, voice) for voice in voices],
        "legal": encode_legal_moves(moves, narration.sort_hand(view)),
        "can": {
            name: True for name in ("undo", "redo", "hint", "end", "regret") if getattr(scene_moment, name) and (name != "hint" or moves)
        },
        "rules": format_rules_title(match.rules, voices.written.language),
    }
    if _can_pass_again(view, moves):
        scene["can"]["done"] = True
    if any(tally.wins or tally.ties or tally.losses for tally in match.score):
        scene["score"] = [[list(tally.seats), tally.losses, " ".join(tally.epaulettes).replace("T", "10")] for tally in match.score]
    if view.is_hand_hidden:
        scene["covered"] = True
    if view.turn_up:
        scene["turnup"] = [str(view.turn_up), deal_and_trump.turn_up_location(view.rules)]
        if deal_and_trump.has_hidden_trump(view.rules):
            scene["hidden"] = True
    if scene_moment.next_move:
        scene["next"] = scene_moment.next_move
    if scene_moment.is_taken_back:
        scene["taken_back"] = True
    if scene_moment.is_waiting:
        scene["waits"] = True
    if scene_moment.task:
        scene |= _build_task(scene_moment.task, voices)
        if "verdict" in scene:
            scene["legal"] = {}
            scene["can"].pop("hint", None)
    if scene_moment.hint > 1:
        scene["thought"] = True
    scene |= scene_moment.display.to_dict()
    if scene_moment.finder_results is not None:
        scene["beside"] = {name: list(values) for name, values in scene_moment.finder_results.items()}
    if view.ply:
        scene |= _build_last_move(view, voices.spoken)
        scene["told"] = [*(scene_moment.comment_writer(voices.written) if scene_moment.comment_writer else ())] or describe_last_moves(
            view, voices.written
        )
    if scene_moment.goal:
        scene["told"] = [voices.written.translate(scene_moment.goal.key, **scene_moment.goal.facts)]
    if scene_moment.review:
        scene["review"] = dict(scene_moment.review)
    owners = find_attack_card_seats(view) if has_several_opponents else []
    if any(seat is not None for seat in owners):
        scene["by"] = owners
    if view.outcome and (scene_moment.display.closed or not view.is_hand_hidden):
        scene["over"] = _build_result(view, voices, match, scene_moment.opponent_result)
    if note:
        scene["note"] = dict(note)
    return scene


def _build_task(task: TaskController, voices: VoicePair) -> Scene:
    """Return the scene's entries for a task, with its verdict once the task is decided."""
    fields: Scene = {"task": True, **({"brief": True} if task.is_single_move else {})}
    verdict = [task.verdict(voice) for voice in voices]
    if verdict[0] is not None:
        fields["verdict"] = {"right": verdict[0][0], "said": [spoken_verdict[1] for spoken_verdict in verdict if spoken_verdict]}
    return fields


def encode_legal_moves(moves: Iterable[Move], hand: Sequence[Card]) -> dict[str, Any]:
    """Return the legal moves by verb, in the short form that `Legal` in the front end reads.

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
            case _ if verb == "attack":  # An attack with several cards of one rank
                encoded["several"] = max(encoded.get("several", 0), len(cards))
            case _ if verb == "swap":  # Any two cards of the hand may be swapped
                encoded[verb] = [str(card) for card in hand]
            case [target, *card]:
                encoded[verb] = pairs.setdefault(verb, {})
                encoded[verb].setdefault(target, []).extend(card)
    return encoded | {verb: [list(pair) for pair in targets.items()] for verb, targets in pairs.items()}


def _encode_pairs(pairs: Iterable[tuple[Card, Card | None]]) -> list[list[str | None]]:
    return [[str(attack), str(beat) if beat else None] for attack, beat in pairs]


def _can_pass_again(view: Observation, moves: Iterable[Move]) -> bool:
    """Return whether a passing player may be asked again, as others may still lay cards."""
    others = set(view.seats_in) - {view.seat, view.defender, *view.passed}
    return bool(others) and any(move.verb == "pass" for move in moves)


def _build_seat(
    view: Observation, seat: int, scene_moment: SceneMoment, last_action: str | None, people: Mapping[int, str]
) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "cards": view.counts[seat],
        "role": narration.find_role_key(view, seat),
        "who": scene_moment.player_names[seat],
    }
    if seat in scene_moment.next_players:
        fields["next"] = scene_moment.next_players[seat]
    if seat in people:
        fields["named"] = True
    if seat in scene_moment.bot_states:
        fields["bot"] = scene_moment.bot_states[seat]
    if narration.is_partner(view, seat):
        fields["mate"] = True
    if seat in scene_moment.display.open_hands and seat != view.seat and not view.is_hand_hidden:
        fields["hand"] = scene_moment.display.open_hands[seat]
    shown = [str(card) for owner, card in view.shown_trumps if owner == seat]
    if shown:
        fields["shown"] = shown
    if epaulettes := narration.find_epaulettes(view, seat):
        fields["wears"] = [str(card) for card in epaulettes]
    return {**fields, "did": last_action} if last_action and seat != view.seat else fields


def _build_last_move(view: Observation, voice: Translator) -> dict[str, Any]:
    """Return the scene's entries for the last move, and for a bout that the move ended."""
    played = view.history[-1]
    sentences = _describe_move(view, view.ply, voice, view.seat)
    fields: dict[str, Any] = {}
    ends = [end for end in view.bout_ends if end.ply == view.ply]
    if ends:
        end = ends[-1]
        fields["end"] = {
            "taker": end.defender if end.taken else None,
            "pairs": _encode_pairs(end.table),
            "drew": [list(drawn) for drawn in end.draw_counts],
        }
    return {"did": {"seat": played.seat, "verb": played.verb, "cards": [str(card) for card in played.cards], "said": sentences}, **fields}


def describe_last_moves(view: Observation, voice: Translator, viewer: int | None = None) -> list[str]:
    """Describe the last two moves of the game and their consequences.

    Cards that the `viewer` drew are named.
    """
    return [" ".join(_describe_move(view, ply, voice, viewer)) for ply in range(max(1, view.ply - 1), view.ply + 1)]


def _describe_move(view: Observation, ply: int, voice: Translator, viewer: int | None) -> list[str]:
    """Describe a move and its consequences; a bout's final take is mentioned only as its end."""
    played = view.history[ply - 1]
    end = next((end for end in view.bout_ends if end.ply == ply), None)
    description = [] if played.verb == "take" and end is not None else [narration.format_played_move(played, voice)]
    return [*description, *(() if end is None else narration.format_bout_end(end, voice, view.trump, viewer))]


def _build_result(view: Observation, voices: VoicePair, match: Match, opponent_result: OpponentResult | None) -> dict[str, Any]:
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    own_seat = view.seat
    won = True if own_seat in outcome.winners else False if own_seat in outcome.losers else None
    fields = {
        "said": [narration.format_call_to_action(view, voice) for voice in voices],
        "order": narration.format_finishing_order(view, voices.written),
        "epaulettes": outcome.epaulettes,
        "won": won,
        "score": [_encode_tally(tally, voices.written) for tally in match.score],
    }
    if voices.spoken.own_seat is not None:
        farewell_fact = build_farewell_fact(outcome, own_seat, len(view.bout_ends))
        fields["word"] = voices.say(farewell_fact.key, **farewell_fact.facts)
    if opponent_result and (sentences := opponent_result.format_lines(voices.written)):
        fields["rivals"] = sentences
        if opponent_result.next_opponent:
            fields["meet"] = opponent_result.next_opponent
    if match.loser is not None:
        fields["match"] = voices.written.translate("table.match_lost", name=_format_side(match.score[match.loser], voices.written))
    return fields


def _encode_tally(tally: Tally, voice: Translator) -> list[str | int]:
    return [_format_side(tally, voice), tally.wins, tally.ties, tally.losses, " ".join(tally.epaulettes).replace("T", "10")]


def _format_side(tally: Tally, voice: Translator) -> str:
    return " + ".join(voice.translate("screen.you") if seat == voice.own_seat else voice.name_player(seat) for seat in tally.seats)


def list_moves_by_bout(view: Observation, voice: Translator, reasons: Mapping[int, object] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Return the moves in words under a heading for each bout, with reasons that may be shown."""
    ends = view.bout_ends
    suits = [end.trump for end in ends[1:]] + [view.trump] * bool(ends)  # The trump suit after each bout, which a bout can change
    closing = {end.ply: (end, suit) for end, suit in zip(ends, suits, strict=True)}
    bouts: list[dict[str, Any]] = [{"bout": ends[0].bout if ends else view.bout, "moves": []}]
    for ply, played in enumerate(view.history, 1):
        bouts[-1]["moves"].append(
            [ply, f"{narration.format_played_move(played, voice)} {_format_reason(reasons.get(ply), voice)}".rstrip()]
        )
        if ply in closing:
            end, suit = closing[ply]
            bouts[-1]["end"] = " ".join(narration.format_bout_end(end, voice, suit))
            bouts.append({"bout": end.bout + 1, "moves": []})
    return [bout for bout in bouts if bout["moves"]]


def _format_reason(reason: object, voice: Translator) -> str:
    """Return a bot's reason for its move as one line; empty if it can't be formatted.

    The reason comes from somebody else's code, so any error is ignored.
    """
    try:
        text = voice.translate(reason.key, **reason.facts) if isinstance(reason, TranslatableText) else str(reason or "")
    except Exception:  # noqa: BLE001 - a Fact of somebody's own may lack anything
        return ""
    return "".join(character if character.isprintable() else " " for character in text[:_LONGEST_REASON]).strip()


def locate_cards(view: Observation) -> dict[str, Any]:
    """Return each card of the deck, with its location if a perfect memory would know it.

    >>> from durak_widget import Game
    >>> found = locate_cards(Game(seed=7).view(0))
    >>> found["rows"][0], found["where"]["6s"]
    (['6c', '7c', '8c', '9c', 'Tc', 'Jc', 'Qc', 'Kc', 'Ac'], ['hand'])
    """
    where: dict[str, list[str | int]] = {}

    def add_cards(cards: Iterable[Card], location: str | int) -> None:
        for card in cards:
            where.setdefault(str(card.face), []).append(location)

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
    return {"rows": rows, "where": where}


def describe_seat_actions(view: Observation, voice: Translator) -> dict[int, str]:
    """Describe in a few words what each seat did last in the bout of the last move.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Translator
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c"); game.play("beat 7c 9c")
    >>> describe_seat_actions(game.view(0), Translator())
    {0: 'attacks with the 7 of clubs', 1: 'beats the 7 of clubs'}
    """
    return {played.seat: _format_action(played, voice) for played in view.history[_find_bout_start(view, view.ply - 1) :]}


def find_attack_card_seats(view: Observation) -> list[int | None]:
    """Return the seat that laid each attacking card; None if the card was there at the start.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8d", "9c Th", "9d 6s"], trump="h")
    >>> game.play("attack 7c"); game.play("beat 7c 9c"); game.play("throw 9d"); find_attack_card_seats(game.view(0))
    [0, 2]
    """
    seats = [
        played.seat for played in view.history[_find_bout_start(view, view.ply) :] if played.verb in _ATTACK_VERBS for _ in played.cards
    ]
    return [*[None] * (len(view.table) - len(seats)), *seats]  # The table lists cards in the order in which they were laid


def _find_bout_start(view: Observation, ply: int) -> int:
    """Return the number of moves after which the bout of a given moment began."""
    return max((end.ply for end in view.bout_ends if end.ply <= ply), default=0)


def _format_action(played: PlayedMove, voice: Translator) -> str:
    cards = played.cards
    if not cards:
        return voice.translate(f"did.{played.verb}")
    if played.verb == "attack" and len(cards) > _MAX_NAMED_CARDS:
        return voice.translate("did.several", count=len(cards))
    return voice.translate(f"did.{played.verb}", cards=cards, target=cards[0], card=cards[-1])


class TaskController(Protocol):
    """The controller of a task that is set at a table in place of an ordinary game."""

    def restart(self) -> None:
        """Set up the position of the task again."""

    def hint(self) -> Move | TranslatableText | Hint:
        """Return a move that solves the task, perhaps with a reason, or why there is no hint."""

    @property
    def is_single_move(self) -> bool:
        """Return whether a single move decides the task, so that undo and redo are not offered."""

    @property
    def is_decided(self) -> bool:
        """Return whether the task is solved or failed, so that play stops."""

    def verdict(self, voice: Translator) -> tuple[bool | None, str] | None:
        """Return whether the task is solved (None: secret) and a sentence; None if undecided."""
