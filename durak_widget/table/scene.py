"""The scene: everything that the page may show to one viewer.

It is made from a `View` alone, so it shows no more than that player may know. It includes what each player
did last and which hands are open. A task can take the place of a game.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.cards import CardSet
from durak_widget.engine import narration
from durak_widget.engine.outcome_wording import farewell
from durak_widget.i18n import Fact, Voice
from durak_widget.rules import deal_and_trump, deck_and_beating
from durak_widget.rules.ruleset import rules_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.match import Match, Tally
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Played, View
    from durak_widget.table.hints import Hint
    from durak_widget.table.players import Players, Rivalry
    from durak_widget.widgets.appearance_settings import Look

    Says = Callable[[Voice], Sequence[str]]
    """A function that returns sentences about the last move, or none."""

_LONGEST_REASON: Final = 300
_LAYS: Final = frozenset({"attack", "throw", "transfer"})
_FEW: Final = 2
"""Most cards named at a seat."""
Scene = dict[str, Any]
Said = list[str]


class Voices(NamedTuple):
    """The two forms of a sentence: written with suit signs, and read aloud in words.

    >>> from durak_widget import Card
    >>> Voices.of("en", me=0).say("advice.beat", target=Card("7c"), card=Card("9c"))
    ['Beat 7♣︎ with 9♣︎.', 'Beat the 7 of clubs with the 9 of clubs.']
    """

    written: Voice
    spoken: Voice

    @classmethod
    def of(cls, language: str, me: int | None, people: tuple[tuple[int, str], ...] = ()) -> Voices:
        """Create both voices for a language and the seat `me`, with the named opponents."""
        return cls(Voice(language, cards="signs", me=me, people=people), Voice(language, me=me, people=people))

    def say(self, key: str, /, **facts: object) -> Said:
        """Return a sentence in both forms."""
        return [voice.say(key, **facts) for voice in self]


class Showing(NamedTuple):
    """Display options of the table beyond one player's view.

    >>> Showing(step=True).facts()
    {'step': True}
    """

    hands: Mapping[int, list[str]] = MappingProxyType({})
    """Open hands: all hands if that is chosen, else the ones that are left at the end of a game."""
    turned: bool = False
    """Whether the table is viewed from another seat than the viewer's own."""
    step: bool = False
    """Whether the bot that is to act waits for *Next step*."""
    closed: bool = False
    """Whether no hand is open, not even the viewer's own."""

    @classmethod
    def of(cls, players: Players, game: Game, look: Look, acting: int | None, *, hides: bool = False) -> Showing:
        """Return what these settings show; with `hides`, no hand is opened at the end of the game."""
        open_seats = game.outcome.losers if game.outcome and look.hands == "own" and not hides else ()
        shown_seats = range(game.seats) if look.hands == "open" else open_seats
        hands = {seat: [str(card) for card in narration.hand(game.view(seat))] for seat in shown_seats}
        return cls(hands, players.turned(game, look), acting is not None and look.steps, look.hands == "hidden")

    def facts(self) -> dict[str, Any]:
        """Return the options for the scene, without the hands: those are listed with the seats."""
        return {name: True for name in ("turned", "step", "closed") if getattr(self, name)}


class SceneMoment(NamedTuple):
    """The moment of a game in its match, and what else the table knows."""

    id: int
    """A number that grows with every scene."""
    game: int
    """The number of the game at this table."""
    last: int
    """The number of moves, including undone ones."""
    who: Sequence[str]
    """The player of each seat: `you`, or the name of a bot."""
    sits_next: Mapping[int, str]
    """The players of some seats from the next game on."""
    bots: Mapping[int, str]
    """The states of the bots of some seats: `thinks`, `late`, `failed`."""
    undo: bool
    redo: bool
    hint: int
    """The number of hint steps available: the thought, or the move too."""
    end: bool
    """Whether only bots are left, which may play on to the end at once."""
    next: str
    """The viewer's own move that was undone here, if there is one."""
    task: Setter | None = None
    """The controller of the task set here; it restarts instead of dealing another game."""
    taken_back: bool = False
    """Whether moves were taken back, so that the game goes on from here."""
    waits: bool = False
    """Whether the bot that is to act waits until somebody looks."""
    beside: Mapping[str, Sequence[float]] | None = None
    """Results of the functions that analyse this moment."""
    rivalry: Rivalry | None = None
    """The result of a game against opponents, once it is over."""
    showing: Showing = Showing()
    """The display options beyond the view of one seat."""
    says: Says | None = None
    """The source of a comment on the last move, shown instead of its description."""
    regret: bool = False
    """Whether the last move cost so much that it may be taken back."""
    review: Mapping[str, Any] | None = None
    """The turning points of the game, once they are known."""
    goal: Fact | None = None
    """The goal from here on, if not simply to play."""


def scene_of(view: View, moment: SceneMoment, voices: Voices, match: Match, note: Mapping[str, Any] | None = None) -> Scene:
    """Build everything that is drawn for this viewer at this moment."""
    moves = view.legal_moves() if "you" in moment.who else ()  # bots that play among themselves need no choices
    has_several_opponents = len(view.counts) > 2
    last_actions = at_seats(view, voices.written) if has_several_opponents and not view.outcome else {}
    scene: Scene = {
        "id": moment.id,
        "game": moment.game,
        "ply": view.ply,
        "last": moment.last,
        "bout": view.bout,
        "limit": view.limit,
        "me": view.seat,
        "actor": view.actor,
        "trump": view.trump,
        "talon": view.talon_count,
        "discard": view.discard_count,
        "table": _pairs(view.table),
        "hand": [str(card) for card in narration.hand(view)],
        "seats": [_seat(view, seat, moment, last_actions.get(seat), dict(voices.written.people)) for seat in range(len(view.counts))],
        "call": [narration.call(view, voice) for voice in voices],
        "legal": short(moves, narration.hand(view)),
        "can": {name: True for name in ("undo", "redo", "hint", "end", "regret") if getattr(moment, name) and (name != "hint" or moves)},
        "rules": rules_title(match.rules, voices.written.language),
    }
    if _asked_again(view, moves):
        scene["can"]["done"] = True
    if any(tally.won or tally.drew or tally.lost for tally in match.score):
        scene["score"] = [[list(tally.seats), tally.lost, " ".join(tally.epaulettes).replace("T", "10")] for tally in match.score]
    if view.is_covered:
        scene["covered"] = True
    if view.turn_up:
        scene["turnup"] = [str(view.turn_up), deal_and_trump.place_of_turn_up(view.rules)]
        if deal_and_trump.hides_one(view.rules):
            scene["hidden"] = True
    if moment.next:
        scene["next"] = moment.next
    if moment.taken_back:
        scene["taken_back"] = True
    if moment.waits:
        scene["waits"] = True
    if moment.task:
        scene |= _task(moment.task, voices)
        if "verdict" in scene:
            scene["legal"] = {}
            scene["can"].pop("hint", None)
    if moment.hint > 1:
        scene["thought"] = True
    scene |= moment.showing.facts()
    if moment.beside is not None:
        scene["beside"] = {name: list(values) for name, values in moment.beside.items()}
    if view.ply:
        scene |= _latest(view, voices.spoken)
        scene["told"] = [*(moment.says(voices.written) if moment.says else ())] or lately(view, voices.written)
    if moment.goal:
        scene["told"] = [voices.written.say(moment.goal.key, **moment.goal.facts)]
    if moment.review:
        scene["review"] = dict(moment.review)
    owners = laid_by(view) if has_several_opponents else []
    if any(seat is not None for seat in owners):
        scene["by"] = owners
    if view.outcome and (moment.showing.closed or not view.is_covered):
        scene["over"] = _over(view, voices, match, moment.rivalry)
    if note:
        scene["note"] = dict(note)
    return scene


def _task(task: Setter, voices: Voices) -> Scene:
    """Build the scene's fields of a task, with its verdict once it is decided."""
    fields: Scene = {"task": True, **({"brief": True} if task.brief else {})}
    verdict = [task.verdict(voice) for voice in voices]
    if verdict[0] is not None:
        fields["verdict"] = {"right": verdict[0][0], "said": [spoken_verdict[1] for spoken_verdict in verdict if spoken_verdict]}
    return fields


def short(moves: Iterable[Move], hand: Sequence[Card]) -> dict[str, Any]:
    """Return the legal moves by verb, in a short form that `Legal` of the front end expands.

    >>> from durak_widget import Game
    >>> short(Game.from_position(hands=["6c", "7c 8d"], table="7d").legal_moves(), [])
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
            case _ if verb == "attack":  # several of one rank
                encoded["several"] = max(encoded.get("several", 0), len(cards))
            case _ if verb == "swap":  # any two
                encoded[verb] = [str(card) for card in hand]
            case [target, *card]:
                encoded[verb] = pairs.setdefault(verb, {})
                encoded[verb].setdefault(target, []).extend(card)
    return encoded | {verb: [list(pair) for pair in targets.items()] for verb, targets in pairs.items()}


def _pairs(pairs: Iterable[tuple[Card, Card | None]]) -> list[list[str | None]]:
    return [[str(attack), str(beat) if beat else None] for attack, beat in pairs]


def _asked_again(view: View, moves: Iterable[Move]) -> bool:
    """Return whether a player who passes now may be asked again: others may still lay a card."""
    others = set(view.seats_in) - {view.seat, view.defender, *view.passed}
    return bool(others) and any(move.verb == "pass" for move in moves)


def _seat(view: View, seat: int, moment: SceneMoment, did: str | None, people: Mapping[int, str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"cards": view.counts[seat], "role": narration.role(view, seat), "who": moment.who[seat]}
    if seat in moment.sits_next:
        fields["next"] = moment.sits_next[seat]
    if seat in people:
        fields["named"] = True
    if seat in moment.bots:
        fields["bot"] = moment.bots[seat]
    if narration.partners(view, seat):
        fields["mate"] = True
    if seat in moment.showing.hands and seat != view.seat and not view.is_covered:
        fields["hand"] = moment.showing.hands[seat]
    shown = [str(card) for owner, card in view.shown if owner == seat]
    if shown:
        fields["shown"] = shown
    if epaulettes := narration.wears(view, seat):
        fields["wears"] = [str(card) for card in epaulettes]
    return {**fields, "did": did} if did and seat != view.seat else fields


def _latest(view: View, voice: Voice) -> dict[str, Any]:
    """Build the last move, and the end of the bout if it ended one."""
    played = view.course[-1]
    sentences = _account(view, view.ply, voice, view.seat)
    fields: dict[str, Any] = {}
    ends = [end for end in view.ends if end.ply == view.ply]
    if ends:
        end = ends[-1]
        fields["end"] = {
            "taker": end.defender if end.taken else None,
            "pairs": _pairs(end.table),
            "drew": [list(drawn) for drawn in end.drew],
        }
    return {"did": {"seat": played.seat, "verb": played.verb, "cards": [str(card) for card in played.cards], "said": sentences}, **fields}


def lately(view: View, voice: Voice, viewer: int | None = None) -> list[str]:
    """Return descriptions of the last two moves and their consequences.

    Cards that the `viewer` drew are named.
    """
    return [" ".join(_account(view, ply, voice, viewer)) for ply in range(max(1, view.ply - 1), view.ply + 1)]


def _account(view: View, ply: int, voice: Voice, viewer: int | None) -> list[str]:
    """Describe a move and its consequences; a take that ends the bout is mentioned once."""
    played = view.course[ply - 1]
    end = next((end for end in view.ends if end.ply == ply), None)
    description = [] if played.verb == "take" and end is not None else [narration.deed(played, voice)]
    return [*description, *(() if end is None else narration.closing(end, voice, view.trump, viewer))]


def _over(view: View, voices: Voices, match: Match, rivalry: Rivalry | None) -> dict[str, Any]:
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    own_seat = view.seat
    won = True if own_seat in outcome.winners else False if own_seat in outcome.losers else None
    fields = {
        "said": [narration.call(view, voice) for voice in voices],
        "order": narration.order(view, voices.written),
        "epaulettes": outcome.epaulettes,
        "won": won,
        "score": [_tally(tally, voices.written) for tally in match.score],
    }
    if voices.spoken.me is not None:
        farewell_fact = farewell(outcome, own_seat, len(view.ends))
        fields["word"] = voices.say(farewell_fact.key, **farewell_fact.facts)
    if rivalry and (sentences := rivalry.lines(voices.written)):
        fields["rivals"] = sentences
        if rivalry.meet:
            fields["meet"] = rivalry.meet
    if match.loser is not None:
        fields["match"] = voices.written.say("table.match_lost", name=_side(match.score[match.loser], voices.written))
    return fields


def _tally(tally: Tally, voice: Voice) -> list[str | int]:
    return [_side(tally, voice), tally.won, tally.drew, tally.lost, " ".join(tally.epaulettes).replace("T", "10")]


def _side(tally: Tally, voice: Voice) -> str:
    return " + ".join(voice.say("screen.you") if seat == voice.me else voice.player(seat) for seat in tally.seats)


def listing(view: View, voice: Voice, reasons: Mapping[int, object] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Return the moves in words under a heading for each bout, with reasons that may be told."""
    ends = view.ends
    suits = [end.trump for end in ends[1:]] + [view.trump] * bool(ends)  # the trump after each bout
    closing = {end.ply: (end, suit) for end, suit in zip(ends, suits, strict=True)}
    bouts: list[dict[str, Any]] = [{"bout": ends[0].bout if ends else view.bout, "moves": []}]
    for ply, played in enumerate(view.course, 1):
        bouts[-1]["moves"].append([ply, f"{narration.deed(played, voice)} {_reason(reasons.get(ply), voice)}".rstrip()])
        if ply in closing:
            end, suit = closing[ply]
            bouts[-1]["end"] = " ".join(narration.closing(end, voice, suit))
            bouts.append({"bout": end.bout + 1, "moves": []})
    return [bout for bout in bouts if bout["moves"]]


def _reason(why: object, voice: Voice) -> str:
    """Return the reason of a bot as one line; empty where it cannot be formatted.

    The reason comes from somebody else's code, so any error is ignored.
    """
    try:
        text = voice.say(why.key, **why.facts) if isinstance(why, Fact) else str(why or "")
    except Exception:  # noqa: BLE001 - a Fact of somebody's own may lack anything
        return ""
    return "".join(character if character.isprintable() else " " for character in text[:_LONGEST_REASON]).strip()


def seen(view: View) -> dict[str, Any]:
    """Return every card of the deck, and where a player with a perfect memory knows it to be.

    >>> from durak_widget import Game
    >>> found = seen(Game(seed=7).view(0))
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
    deck = CardSet.of(sum(deck_and_beating.deck(view.rules)))
    faces = list(dict.fromkeys(deck))
    rows = [[str(card) for card in faces if card.suit == suit] for suit in dict.fromkeys(card.suit for card in faces)]
    return {"rows": rows, "where": where}


def at_seats(view: View, voice: Voice) -> dict[int, str]:
    """Return what each seat did last in the bout of the last move, in a few words.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c"); game.play("beat 7c 9c")
    >>> at_seats(game.view(0), Voice())
    {0: 'attacks with the 7 of clubs', 1: 'beats the 7 of clubs'}
    """
    return {played.seat: _said(played, voice) for played in view.course[_begun(view, view.ply - 1) :]}


def laid_by(view: View) -> list[int | None]:
    """Return the seat of each attacking card on the table; None for one that was there before.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8d", "9c Th", "9d 6s"], trump="h")
    >>> game.play("attack 7c"); game.play("beat 7c 9c"); game.play("throw 9d"); laid_by(game.view(0))
    [0, 2]
    """
    seats = [played.seat for played in view.course[_begun(view, view.ply) :] if played.verb in _LAYS for _ in played.cards]
    return [*[None] * (len(view.table) - len(seats)), *seats]  # cards lie in the order in which they were laid


def _begun(view: View, ply: int) -> int:
    """Return the ply at which the bout of that moment began."""
    return max((end.ply for end in view.ends if end.ply <= ply), default=0)


def _said(played: Played, voice: Voice) -> str:
    cards = played.cards
    if not cards:
        return voice.say(f"did.{played.verb}")
    if played.verb == "attack" and len(cards) > _FEW:
        return voice.say("did.several", count=len(cards))
    return voice.say(f"did.{played.verb}", cards=cards, target=cards[0], card=cards[-1])


class Setter(Protocol):
    """A controller of a task at a table, in place of a game."""

    def again(self) -> None:
        """Set up the position again."""

    def hint(self) -> Move | Fact | Hint:
        """Return a move that solves the task, perhaps with a reason; or why there is no hint."""

    @property
    def brief(self) -> bool:
        """Return whether one move decides the task, so that there is no undo and redo."""

    @property
    def decided(self) -> bool:
        """Return whether the task is done or failed, so that play stops."""

    def verdict(self, voice: Voice) -> tuple[bool | None, str] | None:
        """Return whether the task is done (None: not shown) and a sentence; None if undecided."""
