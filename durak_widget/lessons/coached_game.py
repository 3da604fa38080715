"""Plays a whole game with a coach, who explains events, rules and expensive choices.

The coach explains what happened and why, what is new in this lesson, and what a choice cost. It gives each
reason at most twice; then it speaks only about moves that gave away chances. It judges cost by the careful
bot's prices and endgames by exact search, and sometimes praises a move. It uses only what the player could
see. A topic says what the coach looks for and which rules it still explains.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.bots.counting_bot import ending_of
from durak_widget.bots.heuristic_bots import TRUMP, Careful, beating_all, preferred, prices
from durak_widget.cards import Card, CardSet
from durak_widget.engine.game import Game
from durak_widget.engine.narration import advised, closed, done, partners, past
from durak_widget.errors import DurakError, PositionError, nearest, quoted, whole_number
from durak_widget.exercises.notebook_display import AtTable, blank_sheet, others_of
from durak_widget.i18n import Fact, Rank, Seat, Voice
from durak_widget.rules import attack, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.analysis.endgame import Ending
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Played, View
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.players import Player

    Watch = Callable[[View, Played, View], "Remark | None"]
    """What there is to say of a move, by what you saw before and after it."""

_MOST_WAYS: Final = 6
_FIRST_TURNS: Final = 2
"""So often you are told what you may do; after that the table shows it."""
_OFTEN: Final = 2
"""So often a reason is given in a game."""
_PLAIN: Final = frozenset({"deed", "end", "ways"})
"""Lines that the table tells in its own way."""
_THOUGHT: Final = frozenset({"dear", "praise"})
"""What is thought of a choice."""
_BEFORE: Final = 12
"""So many lines of the turns before can still be read."""
PATIENCE: Final = 5_000
"""So many positions of an ending are looked at after each of your moves, which takes a tenth of a second in plain Python."""
_DEAR: Final = 3
"""So many ranks above what would have done, a card is worth a word."""
_LONG: Final = 8
"""A line of more sentences is not told."""


class CoachedTurn(NamedTuple):
    """A move, and what the coach says of it."""

    played: Played
    remarks: tuple[Remark, ...]


class Guided(AtTable):
    """A game with a coach. In your first turns you hear what you may do, and of every rule why; after that what a choice cost, when it was dear: by its price at once, and by what it does to your chances as soon as the table's own coach knows.

    In a lesson `about` something the coach looks out for that, and leaves the rest to you: `"throw"`, `"transfer"`, `"end"`, `"epaulettes"`, `"teams"`.

    >>> game = Guided(seed=7, others={1: "first"})
    >>> print(game.question)
    Play a whole game. The coach says what happens, and why.
    >>> for line in game.answer("attack Jc"):
    ...     print(line)
    You attack with the jack of clubs.
    Every attacking card must be beaten: by a higher card of its suit, or by a trump.
    ...
    """

    def __init__(
        self,
        rules: Game | Rules | str | None = None,
        *,
        seed: int | str | None = None,
        about: str = "",
        others: Mapping[int, Player] | None = None,
        bouts: int = 2,
        language: str | None = None,
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Begin; rules are explained in twice so many `bouts`, and none of it more often than twice."""
        from durak_widget.table.table_widget import Table  # noqa: PLC0415 - a coach needs a table, other lessons do not

        super().__init__(language)
        self._topic, self._about = topic_of(about), about
        game = rules.copy() if isinstance(rules, Game) else Game(rules, seed=seed)
        counted = whole_number(bouts)
        if counted is None or counted < 0:
            raise DurakError(f"bouts={quoted(bouts)}: the coach explains the rules for a number of bouts, such as 2")
        self._bouts = counted
        self._game: Game | None = None
        self._turns: list[CoachedTurn] = []
        seats: dict[int, Player] = {0: "you", **dict.fromkeys(range(1, game.seats), "careful"), **others_of(others)}
        judges = {} if about else {"coach": True}  # in a lesson about something the coach looks out for that
        self._lay_table(Table(game, seats, seed=seed, language=self._language, **{**judges, **look}))
        self.table.says = self._on_felt

    def _looked(self) -> None:
        self._changed()

    @property
    def question(self) -> str:
        """What is to be done."""
        return self._voice.say("lesson.coach")

    def answer(self, answer: object) -> list[str]:
        """Make a move; the others move till it is your turn again. What the coach says of it all."""
        self._others_move()
        self.table.play(answer)  # type: ignore[arg-type]
        self._others_move()
        return self.said

    def _others_move(self) -> None:
        while self.table.step():
            pass

    def check(self) -> bool:
        """Whether the game has been played to its end."""
        return self.table.game.outcome is not None

    @property
    def said(self) -> list[str]:
        """What the coach says now: what happened since your last move and why, then what you may do."""
        return [one.said(self._voice) for one in self._lines()]

    # What the coach says

    @property
    def _voice(self) -> Voice:
        return Voice(self._language, me=0)

    def _lines(self) -> list[Remark]:
        """What is said now: of what happened since your last move, then of what you may do."""
        return [*(one for turn in self._account()[self._last() :] for one in turn.remarks), *self._ways()]

    def _on_felt(self, voice: Voice) -> list[str]:
        """What is thought of your move, or else what is newest, where more is to be said than what was done: it stands where the cards are looked at."""
        word = self.table.coach_says
        if word is not None and word.dear:  # beside it stands a button to take it back
            return [word.said(voice)]
        turns = self._account()[self._last() :]
        worth = [one for turn in turns for one in turn.remarks if one.kind not in _PLAIN]
        thought = [one for one in worth if one.kind in _THOUGHT]
        return [one.said(voice) for one in (thought or worth)[-1:]]

    def _last(self) -> int:
        """Where your last move stands in the course; 0 before it."""
        return max((ply for ply, played in enumerate(self.table.game.course) if played.seat == 0), default=0)

    def _account(self) -> list[CoachedTurn]:
        """What was said of each move up to the moment that is seen; a move that is taken back takes its words along."""
        game = self.table.game
        course = game.course
        if game is not self._game:
            self._game, self._turns = game, []
        same = next((ply for ply, (turn, played) in enumerate(zip(self._turns, course, strict=False)) if turn.played != played), None)
        if same is not None:
            del self._turns[same:]
        for ply in range(len(self._turns), len(course)):
            self._turns.append(CoachedTurn(course[ply], tuple(self._heard(self._remarks(game, ply)))))
        self._judge()
        return self._turns[: len(course)]

    def _judge(self) -> None:
        """What the table's coach has found out of your last move is said in place of what was thought of it at first; what says the same and more stays."""
        word, ply = self.table.coach_says, self._last()
        if word is None or ply >= len(self._turns):
            return
        played, remarks = self._turns[ply]
        if any(one.facts[0].key == word.facts[0].key for one in remarks):
            return
        deed, *rest = (one for one in remarks if one.kind not in _THOUGHT)
        self._turns[ply] = CoachedTurn(played, (deed, Remark("dear" if word.dear else "praise", word.facts), *rest))

    def _heard(self, remarks: list[Remark]) -> list[Remark]:
        """Without what has been said often enough."""
        told = Counter(one.reason for turn in self._turns for one in turn.remarks)
        return [one for one in remarks if not one.reason or told[one.reason] < _OFTEN]

    def _remarks(self, game: Game, ply: int) -> list[Remark]:
        """What there is to say of the move after so many others."""
        before, after, played, move = game.copy(), game.copy(), game.course[ply], game.moves[ply]
        before.goto(ply)
        after.goto(ply + 1)
        seen, then = before.view(0), after.view(0)
        said = [
            Remark("deed", [done(played)]),
            opinion(seen, move) if played.seat == 0 else None,
            self._topic.watch(seen, played, then) if self._topic else None,
            self._rule(after, played),
        ]
        end = then.ends[-1] if then.ends and then.ends[-1].ply == after.ply else None
        if end is not None:
            said += [Remark("deed", closed(end, then.trump)), self._onward(after, taken=end.taken)]
        found = [one for one in said if one]
        return found if after.outcome is None else [*found, *goodbye(after, [*self._turns, (played, found)], 0)]

    def _rule(self, game: Game, played: Played) -> Remark | None:
        """What that move, the last of this game, meant, where it did not end the bout."""
        view = game.view(0)
        wanted = self._topic is None or played.verb in self._topic.explains
        if not wanted or game.bout > 2 * self._bouts or (view.ends and view.ends[-1].ply == game.ply):
            return None
        ranks = tuple(Rank(rank) for rank in dict.fromkeys(card.rank for pair in game.table for card in pair if card))
        return remark("rule", f"{played.verb}{_unusual(game, played)}", ranks=ranks, limit=game.limit)

    def _onward(self, game: Game, *, taken: bool) -> Remark | None:
        """Who attacks next, and why."""
        if self._topic is not None or game.outcome is not None or game.bout > 2 * self._bouts:
            return None
        return remark("rule", "taken" if taken else "beaten", who=Seat(game.attacker))

    def _ways(self) -> list[Remark]:
        """What you may do, in your first turns; before the first of a game that is about something, what to look out for."""
        game = self.table.game
        moves = game.view(0).legal_moves()
        turns = sum(played.seat == 0 for played in game.course)
        if self._topic:
            return [] if turns else [remark("ways", f"about.{self._about}")]
        if turns < _FIRST_TURNS and moves and all(move.verb == "attack" for move in moves):
            return [remark("ways", "ways.open")]  # any card will do: a list of them would say nothing
        if turns >= _FIRST_TURNS or game.bout > self._bouts or not 0 < len(moves) <= _MOST_WAYS:
            return []
        return [remark("ways", "ways"), *(remark("ways", "way", said=advised(move)) for move in moves)]

    # What is shown

    def sheet(self) -> dict[str, object]:
        """What the page above the table shows: the turns before and this one, and of which kind each line is."""
        lines, voice = self._lines(), self._voice
        before = [one for turn in self._account()[: self._last()] for one in turn.remarks][-_BEFORE:]
        return {
            **blank_sheet(self.kind),
            "question": self.question,
            "said": self.said,
            "kinds": [one.kind for one in lines],
            "before": [[one.kind, one.said(voice)] for one in before],
        }

    def static(self) -> dict[str, str]:
        """What is to be done, and what the coach says now."""
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.said)
        html = f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p>{lines}</div>'
        return {"text/html": html, "text/plain": "\n".join([self.question, *self.said])}

    def __repr__(self) -> str:
        return f"<Guided {self.table.game!r}>"


def _unusual(game: Game, played: Played) -> str:
    """Where the usual reason would not be true, which other one is."""
    if played.verb == "attack" and attack.allowed(game.rules):
        return ".transfer"
    if played.verb == "attack":
        return "" if _beaten_as_usual(game, played.cards[0]) else ".other"
    if played.verb == "throw" and game.taking:
        return ".taking"
    return ".more" if played.verb == "beat" and game.actor == game.defender else ""


def _beaten_as_usual(game: Game, card: Card) -> bool:
    """Whether just the higher cards of its suit and the trumps beat a card that is no trump."""
    suit, trump = card.suit, str(game.trump)
    if game.trump is None or suit in (None, trump):
        return False
    beaters, deck = game.rules.beaters(card, trump), CardSet.of(deck_and_beating.faces(game.rules))
    return all((one in beaters) == (one.suit == trump or (one.suit == suit and one.code > card.counts)) for one in deck)


class Remark(NamedTuple):
    """One line of the coach: of which kind, and its sentences."""

    kind: str
    """`deed`, `rule`, `topic`, `dear`, `praise`, `end` or `ways`."""
    facts: Sequence[Fact]

    @property
    def reason(self) -> str:
        """What it is counted as; what was done is told as often as it is done."""
        return "" if self.kind in {"deed", "end", "ways"} else self.facts[0].key

    def said(self, voice: Voice) -> str:
        """The line in the language of a voice."""
        return " ".join(voice.say(fact.key, **fact.facts) for fact in self.facts)


def remark(kind: str, key: str, /, **facts: object) -> Remark:
    """One sentence of the coach's own."""
    return Remark(kind, [Fact(f"lesson.coach.{key}", facts)])


def opinion(view: View, move: Move) -> Remark | None:
    """What there is to say of a choice; None where nothing need be said.

    >>> from durak_widget import Game, Move
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
    >>> print(opinion(game.view(0), Move("beat 6c Qs")).said(Voice(me=0)))
    The queen of clubs would have done: save a trump like the queen of spades for what nothing else beats.
    >>> opinion(game.view(0), Move("beat 6c Qc")) is None
    True
    """
    if not view.talon_count and len(view.seats_in) == 2 and view.memory is not None and len(view.legal_moves()) > 1:
        ending = ending_of(view, PATIENCE)
        if ending is not None and ending.value is not None:
            return _proved(view, move, ending)
    return _priced(view, move)


def _proved(view: View, move: Move, ending: Ending) -> Remark | None:
    worth, usual = ending.moves, Careful().choose(view, Random(0))
    best = preferred(ending.quickest or ending.best, view, usual)
    if worth.get(move, ending.value) != ending.value:
        given = Fact("table.coach.won" if ending.value == 1 else "table.coach.draw", {"said": advised(best)})
        return Remark("dear", [given, *_refuted(move, ending)])
    alone = ending.value == 1 and len(worth) > 2 and len(ending.best) == 1
    return Remark("praise", [Fact("table.coach.only")]) if alone and move != usual else None


def _refuted(move: Move, ending: Ending) -> list[Fact]:
    """How a move loses, if that is soon told."""
    from durak_widget.analysis.endgame import refute, story  # noqa: PLC0415 - no other moment of a game needs it

    try:
        found = refute(ending.game, move, budget=PATIENCE)
    except PositionError:  # how it loses takes long to tell
        return []
    told = story(found.game, found.line)[1:]  # the move itself has been told
    return [Fact("lesson.coach.gave.how"), *told] if len(told) <= _LONG else []


def _priced(view: View, move: Move) -> Remark | None:
    """A choice that the careful player would have made for less."""
    legal, price = view.legal_moves(), prices(view)
    if move.verb == "beat" and len(view.table.unbeaten) == 1:
        return _beaten(view, move.cards[1], beating_all(view, legal, price)[0].cards[1])
    if move.verb == "take":
        plan = beating_all(view, legal, price) if len(legal) > 1 else []
        if plan and all(price(one.cards[1]) < TRUMP for one in plan):
            target, card = plan[0].cards
            return remark("dear", "dear.take" if len(plan) == 1 else "dear.takes", target=target, card=card)
    if move.verb == "attack" and view.talon_count:
        return _opened(view, move)
    if move.verb == "throw" and view.talon_count and move.cards[0].suit == view.trump:
        return remark("dear", "dear.throw", card=move.cards[0])
    if move.verb == "pass" and view.talon_count and len(legal) > 1 and all(price(one.cards[0]) >= TRUMP for one in legal if one.cards):
        return remark("praise", "praise.keep")
    return None


def _beaten(view: View, card: Card, cheap: Card) -> Remark | None:
    price = prices(view)
    lying = {one.rank for pair in view.table for one in pair if one}
    throwers = attack.may_throw(view.rules, view.attacker, view.seat, view.sight.seats_in)
    if throwers and price(cheap) < price(card) < TRUMP and card.rank in lying and cheap.rank not in lying:
        return remark("praise", "praise.rank", rank=Rank(card.rank))
    if price(card) - price(cheap) < _DEAR:
        return None
    return remark("dear", "dear.trump" if card.suit == view.trump != cheap.suit else "dear.beat", by=cheap, card=card)


def _opened(view: View, move: Move) -> Remark | None:
    price = prices(view)
    attacks = [one.cards for one in view.legal_moves() if one.verb == "attack"]
    cheap = min(attacks, key=lambda cards: max(map(price, cards)))[0]
    card = move.cards[0]
    pair = sum(one.rank == card.rank for one in view.hand) > 1
    if price(card) - price(cheap) < _DEAR or (pair and price(card) < TRUMP):
        return None
    return remark("dear", "dear.open.trump" if card.suit == view.trump != cheap.suit else "dear.open", by=cheap, card=card)


def goodbye(game: Game, course: Iterable[tuple[Played, Sequence[Remark]]], me: int) -> list[Remark]:
    """What there is to say at the end: kindly how it went, what decided it if that was proved, and how to go on."""
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    went = "won" if me in outcome.winners else "fool" if me == outcome.fool else "lost" if outcome.losers else "draw"
    said = [remark("end", f"end.{went}")]
    given = [played for played, remarks in course if any(one.reason == "table.coach.won" for one in remarks)]
    if given and went != "won":
        said.append(remark("end", "decided.gave", said=past(given[-1])))
    return [*said, remark("end", "end.next", said=Fact("screen.next_game"))]


class Topic(NamedTuple):
    """One of the things that a game with a coach can be about."""

    watch: Watch
    explains: frozenset[str]
    """The moves whose rule is still told: of others, whoever comes to this lesson has read."""


def topic_of(about: object) -> Topic | None:
    """The topic of that name; None for a first lesson, in which everything is explained.

    >>> topic_of("transfers")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a coach has nothing to say about 'transfers'. Did you mean 'transfer'? It knows throw, transfer, end, epaulettes, teams
    """
    if about == "":
        return None
    if not isinstance(about, str) or about not in TOPICS:
        raise DurakError(f"a coach has nothing to say about {quoted(about)}.{nearest(about, TOPICS)} It knows {', '.join(TOPICS)}")
    return TOPICS[about]


def _throw(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as with the other topics
    """You passed, and held a card worth throwing in."""
    if played.seat != before.seat or played.verb != "pass":
        return None
    price, throws = prices(before), [move.cards[0] for move in before.legal_moves() if move.verb == "throw"]
    worth = [card for card in throws if price(card) < TRUMP or not before.talon_count]
    return remark("topic", "missed.throw", card=min(worth, key=price)) if worth else None


def _transfer(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """You beat or took, and could have transferred the attack; or you did."""
    if played.seat != before.seat:
        return None
    if played.verb in {"transfer", "show"}:
        return remark("praise", "praise.transfer")
    for verb in ("show", "transfer"):
        for move in before.legal_moves():
            if move.verb == verb:
                return remark("topic", f"missed.{verb}", card=move.cards[-1])
    return None


def _end(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """The talon runs out; or who defends against you holds one card alone."""
    if before.talon_count and not after.talon_count:
        return remark("topic", "end.talon")
    if after.actor == after.seat == after.attacker and not after.table and not after.talon_count and after.counts[after.defender] == 1:
        return remark("topic", "end.last", who=Seat(after.defender))
    return None


def _epaulettes(before: View, played: Played, after: View) -> Remark | None:
    """A six that could have hung on a shoulder has gone already."""
    six = played.cards[-1:] and played.cards[-1].rank == "6" and played.verb in {"attack", "throw"}
    if six and played.seat == before.seat and not before.talon_count and after.outcome is None and len(before.hand) > len(played.cards):
        return remark("topic", "missed.six", card=played.cards[-1])
    return _end(before, played, after) if before.talon_count else None


def _teams(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """Your partner defends now, and nothing is thrown in on a partner."""
    if after.bout > before.bout and after.outcome is None and partners(after, after.defender):
        return remark("topic", "team.defends", who=Seat(after.defender))
    return None


TOPICS: Final[dict[str, Topic]] = {
    "throw": Topic(_throw, frozenset({"beat", "throw", "pass"})),
    "transfer": Topic(_transfer, frozenset({"transfer", "show"})),
    "end": Topic(_end, frozenset()),
    "epaulettes": Topic(_epaulettes, frozenset()),
    "teams": Topic(_teams, frozenset()),
}
"""By its name, what a game with a coach can be about."""
