"""Builds the scene: everything that the page may show to one viewer.

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
    """Who says what is worth saying of what was done last."""

_LONGEST_REASON: Final = 300
_LAYS: Final = frozenset({"attack", "throw", "transfer"})
_FEW: Final = 2
"""How many cards are named at a seat."""
Scene = dict[str, Any]
Said = list[str]


class Voices(NamedTuple):
    """The two ways in which a sentence is said: written with signs, and read aloud in words.

    >>> from durak_widget import Card
    >>> Voices.of("en", me=0).say("advice.beat", target=Card("7c"), card=Card("9c"))
    ['Beat 7♣︎ with 9♣︎.', 'Beat the 7 of clubs with the 9 of clubs.']
    """

    written: Voice
    spoken: Voice

    @classmethod
    def of(cls, language: str, me: int | None, people: tuple[tuple[int, str], ...] = ()) -> Voices:
        """Both for that language, spoken to that seat, where these opponents sit and are called by their names."""
        return cls(Voice(language, cards="signs", me=me, people=people), Voice(language, me=me, people=people))

    def say(self, key: str, /, **facts: object) -> Said:
        """One sentence in both ways."""
        return [voice.say(key, **facts) for voice in self]


class Showing(NamedTuple):
    """What is shown besides, as the settings of the table have it.

    >>> Showing(step=True).facts()
    {'step': True}
    """

    hands: Mapping[int, list[str]] = MappingProxyType({})
    """Hands that lie open for everybody to see: all where that is chosen, else those that are left when the game is over."""
    turned: bool = False
    """Whether the table is looked at from another seat than one's own."""
    step: bool = False
    """Whether the bot that is to act waits for a word."""
    closed: bool = False
    """Whether no hand lies open, not even one's own."""

    @classmethod
    def of(cls, players: Players, game: Game, look: Look, acting: int | None, *, hides: bool = False) -> Showing:
        """What these settings show of that game; while it `hides` what is left, nobody's hand is turned up at its end."""
        left = game.outcome.losers if game.outcome and look.hands == "own" and not hides else ()
        open_to_all = range(game.seats) if look.hands == "open" else left
        hands = {seat: [str(card) for card in narration.hand(game.view(seat))] for seat in open_to_all}
        return cls(hands, players.turned(game, look), acting is not None and look.steps, look.hands == "hidden")

    def facts(self) -> dict[str, Any]:
        """What the scene says of it, but for the hands, which stand at their seats."""
        return {name: True for name in ("turned", "step", "closed") if getattr(self, name)}


class SceneMoment(NamedTuple):
    """Where in its match a game stands, and what else the table knows."""

    id: int
    """Grows with every scene."""
    game: int
    """The number of the game at this table."""
    last: int
    """How many moves there are with those that were undone."""
    who: Sequence[str]
    """Who plays each seat: `you`, or the name of a bot."""
    sits_next: Mapping[int, str]
    """Who plays some seats from the next game on."""
    bots: Mapping[int, str]
    """What the bots of some seats are doing: `thinks`, `late`, `failed`."""
    undo: bool
    redo: bool
    hint: int
    """How many steps of a hint there are: the thought can be asked for, or the card too."""
    end: bool
    """Whether nobody is left but bots, who may be let play on to the end at once."""
    next: str
    """The viewer's own move that was undone here, if there is one."""
    task: Setter | None = None
    """Who has set a task here, which is begun again instead of dealing another game."""
    taken_back: bool = False
    """Whether moves were taken back: whatever is played now goes on from here."""
    waits: bool = False
    """Whether the bot that is to act waits until somebody looks."""
    beside: Mapping[str, Sequence[float]] | None = None
    """What was found out about it beside the game."""
    rivalry: Rivalry | None = None
    """What a game against opponents leads to, once it is over."""
    showing: Showing = Showing()
    """What is shown beyond what one seat sees."""
    says: Says | None = None
    """Who says what is worth saying of what was done last, instead of how it was done."""
    regret: bool = False
    """Whether that cost so much that it may well be taken back."""
    review: Mapping[str, Any] | None = None
    """Where the game turned, once it is over and that is known."""
    goal: Fact | None = None
    """What is to be done from here on, where that is not simply to play."""


def scene_of(view: View, moment: SceneMoment, voices: Voices, match: Match, note: Mapping[str, Any] | None = None) -> Scene:
    """Everything that is drawn for this viewer at this moment."""
    moves = view.legal_moves() if "you" in moment.who else ()  # where bots play among themselves, nobody is asked
    crowd = len(view.counts) > 2
    did = at_seats(view, voices.written) if crowd and not view.outcome else {}
    found: Scene = {
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
        "seats": [_seat(view, seat, moment, did.get(seat), dict(voices.written.people)) for seat in range(len(view.counts))],
        "call": [narration.call(view, voice) for voice in voices],
        "legal": short(moves, narration.hand(view)),
        "can": {name: True for name in ("undo", "redo", "hint", "end", "regret") if getattr(moment, name) and (name != "hint" or moves)},
        "rules": rules_title(match.rules, voices.written.language),
    }
    if _asked_again(view, moves):
        found["can"]["done"] = True
    if any(tally.won or tally.drew or tally.lost for tally in match.score):
        found["score"] = [[list(tally.seats), tally.lost, " ".join(tally.epaulettes).replace("T", "10")] for tally in match.score]
    if view.is_covered:
        found["covered"] = True
    if view.turn_up:
        found["turnup"] = [str(view.turn_up), deal_and_trump.place_of_turn_up(view.rules)]
        if deal_and_trump.hides_one(view.rules):
            found["hidden"] = True
    if moment.next:
        found["next"] = moment.next
    if moment.taken_back:
        found["taken_back"] = True
    if moment.waits:
        found["waits"] = True
    if moment.task:
        found |= _task(moment.task, voices)
        if "verdict" in found:
            found["legal"] = {}
            found["can"].pop("hint", None)
    if moment.hint > 1:
        found["thought"] = True
    found |= moment.showing.facts()
    if moment.beside is not None:
        found["beside"] = {name: list(some) for name, some in moment.beside.items()}
    if view.ply:
        found |= _latest(view, voices.spoken)
        found["told"] = [*(moment.says(voices.written) if moment.says else ())] or lately(view, voices.written)
    if moment.goal:
        found["told"] = [voices.written.say(moment.goal.key, **moment.goal.facts)]
    if moment.review:
        found["review"] = dict(moment.review)
    by = laid_by(view) if crowd else []
    if any(seat is not None for seat in by):
        found["by"] = by
    if view.outcome and (moment.showing.closed or not view.is_covered):
        found["over"] = _over(view, voices, match, moment.rivalry)
    if note:
        found["note"] = dict(note)
    return found


def _task(task: Setter, voices: Voices) -> Scene:
    """The task that is set; when it is decided, how, and nothing more is to be done."""
    found: Scene = {"task": True, **({"brief": True} if task.brief else {})}
    verdict = [task.verdict(voice) for voice in voices]
    if verdict[0] is not None:
        found["verdict"] = {"right": verdict[0][0], "said": [one[1] for one in verdict if one]}
    return found


def short(moves: Iterable[Move], hand: Sequence[Card]) -> dict[str, Any]:
    """The legal moves by verb, and no longer than they need to be: see `Legal` of the front end, which writes them out again.

    >>> from durak_widget import Game
    >>> short(Game.from_position(hands=["6c", "7c 8d"], table="7d").legal_moves(), [])
    {'beat': [['7d', ['8d']]], 'take': True}
    """
    found: dict[str, Any] = {}
    pairs: dict[str, dict[str, list[str]]] = {}
    for move in moves:
        verb, cards = move.verb, [str(card) for card in move.cards]
        match cards:
            case []:
                found[verb] = True
            case [card]:
                found.setdefault(verb, []).append(card)
            case _ if verb == "attack":  # several of one rank
                found["several"] = max(found.get("several", 0), len(cards))
            case _ if verb == "swap":  # any two
                found[verb] = [str(card) for card in hand]
            case [target, *card]:
                found[verb] = pairs.setdefault(verb, {})
                found[verb].setdefault(target, []).extend(card)
    return found | {verb: [list(each) for each in targets.items()] for verb, targets in pairs.items()}


def _pairs(pairs: Iterable[tuple[Card, Card | None]]) -> list[list[str | None]]:
    return [[str(attack), str(beat) if beat else None] for attack, beat in pairs]


def _asked_again(view: View, moves: Iterable[Move]) -> bool:
    """Whether who passes now may be asked once more in this bout: somebody else may still lay a card."""
    others = set(view.seats_in) - {view.seat, view.defender, *view.passed}
    return bool(others) and any(move.verb == "pass" for move in moves)


def _seat(view: View, seat: int, moment: SceneMoment, did: str | None, people: Mapping[int, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"cards": view.counts[seat], "role": narration.role(view, seat), "who": moment.who[seat]}
    if seat in moment.sits_next:
        found["next"] = moment.sits_next[seat]
    if seat in people:
        found["named"] = True
    if seat in moment.bots:
        found["bot"] = moment.bots[seat]
    if narration.partners(view, seat):
        found["mate"] = True
    if seat in moment.showing.hands and seat != view.seat and not view.is_covered:
        found["hand"] = moment.showing.hands[seat]
    shown = [str(card) for who, card in view.shown if who == seat]
    if shown:
        found["shown"] = shown
    if epaulettes := narration.wears(view, seat):
        found["wears"] = [str(card) for card in epaulettes]
    return {**found, "did": did} if did and seat != view.seat else found


def _latest(view: View, voice: Voice) -> dict[str, Any]:
    """The move that led here, and how a bout ended by it."""
    played = view.course[-1]
    said = _account(view, view.ply, voice, view.seat)
    found: dict[str, Any] = {}
    ends = [end for end in view.ends if end.ply == view.ply]
    if ends:
        end = ends[-1]
        found["end"] = {"taker": end.defender if end.taken else None, "pairs": _pairs(end.table), "drew": [list(one) for one in end.drew]}
    return {"did": {"seat": played.seat, "verb": played.verb, "cards": [str(card) for card in played.cards], "said": said}, **found}


def lately(view: View, voice: Voice, viewer: int | None = None) -> list[str]:
    """What was done last, and before that: each with what came of it; what the `viewer` drew is named for whoever listens."""
    return [" ".join(_account(view, ply, voice, viewer)) for ply in range(max(1, view.ply - 1), view.ply + 1)]


def _account(view: View, ply: int, voice: Voice, viewer: int | None) -> list[str]:
    """What was done then, and what came of it; who takes and thereby ends the bout is said to take once."""
    played = view.course[ply - 1]
    end = next((end for end in view.ends if end.ply == ply), None)
    deed = [] if played.verb == "take" and end is not None else [narration.deed(played, voice)]
    return [*deed, *(() if end is None else narration.closing(end, voice, view.trump, viewer))]


def _over(view: View, voices: Voices, match: Match, rivalry: Rivalry | None) -> dict[str, Any]:
    outcome = view.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    me = view.seat
    won = True if me in outcome.winners else False if me in outcome.losers else None
    found = {
        "said": [narration.call(view, voice) for voice in voices],
        "order": narration.order(view, voices.written),
        "epaulettes": outcome.epaulettes,
        "won": won,
        "score": [_tally(tally, voices.written) for tally in match.score],
    }
    if voices.spoken.me is not None:
        word = farewell(outcome, me, len(view.ends))
        found["word"] = voices.say(word.key, **word.facts)
    if rivalry and (lines := rivalry.lines(voices.written)):
        found["rivals"] = lines
        if rivalry.meet:
            found["meet"] = rivalry.meet
    if match.loser is not None:
        found["match"] = voices.written.say("table.match_lost", name=_side(match.score[match.loser], voices.written))
    return found


def _tally(tally: Tally, voice: Voice) -> list[str | int]:
    return [_side(tally, voice), tally.won, tally.drew, tally.lost, " ".join(tally.epaulettes).replace("T", "10")]


def _side(tally: Tally, voice: Voice) -> str:
    return " + ".join(voice.say("screen.you") if seat == voice.me else voice.player(seat) for seat in tally.seats)


def listing(view: View, voice: Voice, reasons: Mapping[int, object] = MappingProxyType({})) -> list[dict[str, Any]]:
    """The moves in words under a heading for each bout, each with its reason, where it has one that may be told."""
    ends = view.ends
    suits = [end.trump for end in ends[1:]] + [view.trump] * bool(ends)  # after each of them
    closing = {end.ply: (end, suit) for end, suit in zip(ends, suits, strict=True)}
    found: list[dict[str, Any]] = [{"bout": ends[0].bout if ends else view.bout, "moves": []}]
    for ply, played in enumerate(view.course, 1):
        found[-1]["moves"].append([ply, f"{narration.deed(played, voice)} {_reason(reasons.get(ply), voice)}".rstrip()])
        if ply in closing:
            end, suit = closing[ply]
            found[-1]["end"] = " ".join(narration.closing(end, voice, suit))
            found.append({"bout": end.bout + 1, "moves": []})
    return [heading for heading in found if heading["moves"]]


def _reason(why: object, voice: Voice) -> str:
    """What a bot gave as its reason, as one line; nothing where it cannot be said: it is somebody else's, and the course is told all the same."""
    try:
        said = voice.say(why.key, **why.facts) if isinstance(why, Fact) else str(why or "")
    except Exception:  # noqa: BLE001 - a Fact of somebody's own may lack anything
        return ""
    return "".join(one if one.isprintable() else " " for one in said[:_LONGEST_REASON]).strip()


def seen(view: View) -> dict[str, Any]:
    """Every card of the deck, suit by suit, and where each is as far as a player with a perfect memory can say.

    >>> from durak_widget import Game
    >>> found = seen(Game(seed=7).view(0))
    >>> found["rows"][0], found["where"]["6s"]
    (['6c', '7c', '8c', '9c', 'Tc', 'Jc', 'Qc', 'Kc', 'Ac'], ['hand'])
    """
    where: dict[str, list[str | int]] = {}

    def put(cards: Iterable[Card], place: str | int) -> None:
        for card in cards:
            where.setdefault(str(card.face), []).append(place)

    put(view.hand, "hand")
    put((card for pair in view.table for card in pair if card), "table")
    memory = view.memory
    if memory is not None:
        for seat, known in enumerate(memory.known):
            if seat != view.seat:
                put(known, seat)
        put(memory.discarded, "gone")
        put((card for _, card in memory.talon), "talon")
        if view.turn_up and all(card != view.turn_up for _, card in memory.talon):
            put([view.turn_up], "talon")
    deck = CardSet.of(sum(deck_and_beating.deck(view.rules)))
    faces = list(dict.fromkeys(deck))
    rows = [[str(card) for card in faces if card.suit == suit] for suit in dict.fromkeys(card.suit for card in faces)]
    return {"rows": rows, "where": where}


def at_seats(view: View, voice: Voice) -> dict[int, str]:
    """What each seat did last in the bout of the last move, in a few words.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c"); game.play("beat 7c 9c")
    >>> at_seats(game.view(0), Voice())
    {0: 'attacks with the 7 of clubs', 1: 'beats the 7 of clubs'}
    """
    return {played.seat: _said(played, voice) for played in view.course[_begun(view, view.ply - 1) :]}


def laid_by(view: View) -> list[int | None]:
    """Who laid each attacking card on the table; None where that was before the game was begun here.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8d", "9c Th", "9d 6s"], trump="h")
    >>> game.play("attack 7c"); game.play("beat 7c 9c"); game.play("throw 9d"); laid_by(game.view(0))
    [0, 2]
    """
    laid = [played.seat for played in view.course[_begun(view, view.ply) :] if played.verb in _LAYS for _ in played.cards]
    return [*[None] * (len(view.table) - len(laid)), *laid]  # they lie in the order in which they were laid


def _begun(view: View, ply: int) -> int:
    """At which ply the bout of that moment began."""
    return max((end.ply for end in view.ends if end.ply <= ply), default=0)


def _said(played: Played, voice: Voice) -> str:
    cards = played.cards
    if not cards:
        return voice.say(f"did.{played.verb}")
    if played.verb == "attack" and len(cards) > _FEW:
        return voice.say("did.several", count=len(cards))
    return voice.say(f"did.{played.verb}", cards=cards, target=cards[0], card=cards[-1])


class Setter(Protocol):
    """Who sets a task at a table, instead of a game."""

    def again(self) -> None:
        """Lay the position again."""

    def hint(self) -> Move | Fact | Hint:
        """A move that serves the task, with its thought and reason where there are some; or why there is none to name."""

    @property
    def brief(self) -> bool:
        """Whether one move decides it: there is nothing to go back and forth in."""

    @property
    def decided(self) -> bool:
        """Whether it is done or missed: then the table rests."""

    def verdict(self, voice: Voice) -> tuple[bool | None, str] | None:
        """Whether it is done (None where that is not said), and that in a few words; None while nothing is decided."""
