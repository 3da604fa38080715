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
    """A function that comments on a move, from what you saw before and after it."""

_MOST_WAYS: Final = 6
_FIRST_TURNS: Final = 2
"""Number of turns in which the coach says what you may do; after that the table shows it."""
_OFTEN: Final = 2
"""Number of times that a reason is given in a game."""
_PLAIN: Final = frozenset({"deed", "end", "ways"})
"""Lines that the table tells in its own way."""
_THOUGHT: Final = frozenset({"dear", "praise"})
"""Opinions about a choice."""
_BEFORE: Final = 12
"""Number of lines of earlier turns that can still be read."""
PATIENCE: Final = 5_000
"""Positions of an endgame to search after each of your moves.

That takes a tenth of a second in plain Python.
"""
_DEAR: Final = 3
"""Ranks above the cheapest sufficient card from which the coach comments on a card."""
_LONG: Final = 8
"""Length limit, in sentences, for telling how a move loses."""


class CoachedTurn(NamedTuple):
    """A move, and what the coach says about it."""

    played: Played
    remarks: tuple[Remark, ...]


class Guided(AtTable):
    """A game with a coach.

    In your first turns it says what you may do, and the reason of every rule. After that it says what an expensive choice
    cost: its price at once, and what it does to your chances as soon as the table's own coach knows. A lesson `about` a topic
    looks only at that: `"throw"`, `"transfer"`, `"end"`, `"epaulettes"` or `"teams"`.

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
        """Start a game; rules are explained during twice `bouts`, each at most twice."""
        from durak_widget.table.table_widget import Table  # noqa: PLC0415 - a coach needs a table, other lessons do not

        super().__init__(language)
        self._topic, self._about = topic_of(about), about
        game = rules.copy() if isinstance(rules, Game) else Game(rules, seed=seed)
        bout_count = whole_number(bouts)
        if bout_count is None or bout_count < 0:
            raise DurakError(f"bouts={quoted(bouts)}: the coach explains the rules for a number of bouts, such as 2")
        self._bouts = bout_count
        self._game: Game | None = None
        self._turns: list[CoachedTurn] = []
        seats: dict[int, Player] = {0: "you", **dict.fromkeys(range(1, game.seats), "careful"), **others_of(others)}
        coach_options = {} if about else {"coach": True}  # in a lesson with a topic the coach looks only at that
        self._lay_table(Table(game, seats, seed=seed, language=self._language, **{**coach_options, **look}))
        self.table.says = self._on_felt

    def _looked(self) -> None:
        self._changed()

    @property
    def question(self) -> str:
        """Return the task."""
        return self._voice.say("lesson.coach")

    def answer(self, answer: object) -> list[str]:
        """Make a move, let the others move until it is your turn, and return the coach's lines."""
        self._others_move()
        self.table.play(answer)  # type: ignore[arg-type]
        self._others_move()
        return self.said

    def _others_move(self) -> None:
        while self.table.step():
            pass

    def check(self) -> bool:
        """Return whether the game has been played to its end."""
        return self.table.game.outcome is not None

    @property
    def said(self) -> list[str]:
        """Return the coach's lines now: what happened since your last move, then what you may do."""
        return [line.said(self._voice) for line in self._lines()]

    # What the coach says

    @property
    def _voice(self) -> Voice:
        return Voice(self._language, me=0)

    def _lines(self) -> list[Remark]:
        """Return the remarks since your last move, then those about what you may do."""
        return [*(line for turn in self._account()[self._last() :] for line in turn.remarks), *self._ways()]

    def _on_felt(self, voice: Voice) -> list[str]:
        """Return the line to show on the table, if there is more to say than what was done.

        It is what the coach thinks of your move, or else the newest remark.
        """
        comment = self.table.coach_says
        if comment is not None and comment.dear:  # the button to take the move back is beside it
            return [comment.said(voice)]
        turns = self._account()[self._last() :]
        notable = [line for turn in turns for line in turn.remarks if line.kind not in _PLAIN]
        opinions = [line for line in notable if line.kind in _THOUGHT]
        return [line.said(voice) for line in (opinions or notable)[-1:]]

    def _last(self) -> int:
        """Return the ply of your last move; 0 before it."""
        return max((ply for ply, played in enumerate(self.table.game.course) if played.seat == 0), default=0)

    def _account(self) -> list[CoachedTurn]:
        """Return what was said about each move up to the one that is shown.

        The remarks about a move that is taken back are dropped.
        """
        game = self.table.game
        course = game.course
        if game is not self._game:
            self._game, self._turns = game, []
        first_changed = next(
            (ply for ply, (turn, played) in enumerate(zip(self._turns, course, strict=False)) if turn.played != played), None
        )
        if first_changed is not None:
            del self._turns[first_changed:]
        for ply in range(len(self._turns), len(course)):
            self._turns.append(CoachedTurn(course[ply], tuple(self._heard(self._remarks(game, ply)))))
        self._judge()
        return self._turns[: len(course)]

    def _judge(self) -> None:
        """Replace the first opinion about your last move by that of the table's coach.

        An opinion that says the same and more stays.
        """
        comment, ply = self.table.coach_says, self._last()
        if comment is None or ply >= len(self._turns):
            return
        played, remarks = self._turns[ply]
        if any(line.facts[0].key == comment.facts[0].key for line in remarks):
            return
        move_remark, *other_remarks = (line for line in remarks if line.kind not in _THOUGHT)
        self._turns[ply] = CoachedTurn(played, (move_remark, Remark("dear" if comment.dear else "praise", comment.facts), *other_remarks))

    def _heard(self, remarks: list[Remark]) -> list[Remark]:
        """Drop the remarks whose reason was given often enough."""
        reason_counts = Counter(line.reason for turn in self._turns for line in turn.remarks)
        return [line for line in remarks if not line.reason or reason_counts[line.reason] < _OFTEN]

    def _remarks(self, game: Game, ply: int) -> list[Remark]:
        """Return the remarks about the move at a ply."""
        before, after, played, move = game.copy(), game.copy(), game.course[ply], game.moves[ply]
        before.goto(ply)
        after.goto(ply + 1)
        view_before, view_after = before.view(0), after.view(0)
        candidates = [
            Remark("deed", [done(played)]),
            opinion(view_before, move) if played.seat == 0 else None,
            self._topic.watch(view_before, played, view_after) if self._topic else None,
            self._rule(after, played),
        ]
        bout_end = view_after.ends[-1] if view_after.ends and view_after.ends[-1].ply == after.ply else None
        if bout_end is not None:
            candidates += [Remark("deed", closed(bout_end, view_after.trump)), self._onward(after, taken=bout_end.taken)]
        lines = [line for line in candidates if line]
        return lines if after.outcome is None else [*lines, *goodbye(after, [*self._turns, (played, lines)], 0)]

    def _rule(self, game: Game, played: Played) -> Remark | None:
        """Return the rule of the last move of a game, if it did not end the bout."""
        view = game.view(0)
        is_explained = self._topic is None or played.verb in self._topic.explains
        if not is_explained or game.bout > 2 * self._bouts or (view.ends and view.ends[-1].ply == game.ply):
            return None
        ranks = tuple(Rank(rank) for rank in dict.fromkeys(card.rank for pair in game.table for card in pair if card))
        return remark("rule", f"{played.verb}{_unusual(game, played)}", ranks=ranks, limit=game.limit)

    def _onward(self, game: Game, *, taken: bool) -> Remark | None:
        """Say who attacks next, and why."""
        if self._topic is not None or game.outcome is not None or game.bout > 2 * self._bouts:
            return None
        return remark("rule", "taken" if taken else "beaten", who=Seat(game.attacker))

    def _ways(self) -> list[Remark]:
        """Return what you may do in your first turns, or what the topic of the game is."""
        game = self.table.game
        moves = game.view(0).legal_moves()
        turn_count = sum(played.seat == 0 for played in game.course)
        if self._topic:
            return [] if turn_count else [remark("ways", f"about.{self._about}")]
        if turn_count < _FIRST_TURNS and moves and all(move.verb == "attack" for move in moves):
            return [remark("ways", "ways.open")]  # any card will do, so a list would be useless
        if turn_count >= _FIRST_TURNS or game.bout > self._bouts or not 0 < len(moves) <= _MOST_WAYS:
            return []
        return [remark("ways", "ways"), *(remark("ways", "way", said=advised(move)) for move in moves)]

    # What is shown

    def sheet(self) -> dict[str, object]:
        """Return the view model: the turns before, this one, and the kind of each line."""
        lines, voice = self._lines(), self._voice
        before = [line for turn in self._account()[: self._last()] for line in turn.remarks][-_BEFORE:]
        return {
            **blank_sheet(self.kind),
            "question": self.question,
            "said": self.said,
            "kinds": [line.kind for line in lines],
            "before": [[line.kind, line.said(voice)] for line in before],
        }

    def static(self) -> dict[str, str]:
        """Return the task and the coach's lines, as HTML and text."""
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.said)
        html = f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p>{lines}</div>'
        return {"text/html": html, "text/plain": "\n".join([self.question, *self.said])}

    def __repr__(self) -> str:
        return f"<Guided {self.table.game!r}>"


def _unusual(game: Game, played: Played) -> str:
    """Return the ending of the rule's key where the usual reason would be wrong."""
    if played.verb == "attack" and attack.allowed(game.rules):
        return ".transfer"
    if played.verb == "attack":
        return "" if _beaten_as_usual(game, played.cards[0]) else ".other"
    if played.verb == "throw" and game.taking:
        return ".taking"
    return ".more" if played.verb == "beat" and game.actor == game.defender else ""


def _beaten_as_usual(game: Game, card: Card) -> bool:
    """Return whether exactly the higher cards of its suit and the trumps beat a non-trump."""
    suit, trump = card.suit, str(game.trump)
    if game.trump is None or suit in (None, trump):
        return False
    beaters, deck = game.rules.beaters(card, trump), CardSet.of(deck_and_beating.faces(game.rules))
    return all((other in beaters) == (other.suit == trump or (other.suit == suit and other.code > card.counts)) for other in deck)


class Remark(NamedTuple):
    """One line of the coach: its kind, and its sentences."""

    kind: str
    """`deed`, `rule`, `topic`, `dear`, `praise`, `end` or `ways`."""
    facts: Sequence[Fact]

    @property
    def reason(self) -> str:
        """Return the key by which it is counted; empty for what is told every time."""
        return "" if self.kind in {"deed", "end", "ways"} else self.facts[0].key

    def said(self, voice: Voice) -> str:
        """Return the line as a sentence."""
        return " ".join(voice.say(fact.key, **fact.facts) for fact in self.facts)


def remark(kind: str, key: str, /, **facts: object) -> Remark:
    """Make a remark of one sentence of the coach's own."""
    return Remark(kind, [Fact(f"lesson.coach.{key}", facts)])


def opinion(view: View, move: Move) -> Remark | None:
    """Return a remark about a choice; None if there is nothing to say.

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
    """Comment on a choice in an endgame that was solved."""
    values, usual_move = ending.moves, Careful().choose(view, Random(0))
    best = preferred(ending.quickest or ending.best, view, usual_move)
    if values.get(move, ending.value) != ending.value:
        mistake_fact = Fact("table.coach.won" if ending.value == 1 else "table.coach.draw", {"said": advised(best)})
        return Remark("dear", [mistake_fact, *_refuted(move, ending)])
    is_only_win = ending.value == 1 and len(values) > 2 and len(ending.best) == 1
    return Remark("praise", [Fact("table.coach.only")]) if is_only_win and move != usual_move else None


def _refuted(move: Move, ending: Ending) -> list[Fact]:
    """Say how a move loses, if that is short."""
    from durak_widget.analysis.endgame import refute, story  # noqa: PLC0415 - no other moment of a game needs it

    try:
        refutation = refute(ending.game, move, budget=PATIENCE)
    except PositionError:  # the search would take too long
        return []
    sentences = story(refutation.game, refutation.line)[1:]  # without the move itself
    return [Fact("lesson.coach.gave.how"), *sentences] if len(sentences) <= _LONG else []


def _priced(view: View, move: Move) -> Remark | None:
    """Comment on a choice that the careful player would have made for less."""
    legal, price = view.legal_moves(), prices(view)
    if move.verb == "beat" and len(view.table.unbeaten) == 1:
        return _beaten(view, move.cards[1], beating_all(view, legal, price)[0].cards[1])
    if move.verb == "take":
        beats = beating_all(view, legal, price) if len(legal) > 1 else []
        if beats and all(price(option.cards[1]) < TRUMP for option in beats):
            target, card = beats[0].cards
            return remark("dear", "dear.take" if len(beats) == 1 else "dear.takes", target=target, card=card)
    if move.verb == "attack" and view.talon_count:
        return _opened(view, move)
    if move.verb == "throw" and view.talon_count and move.cards[0].suit == view.trump:
        return remark("dear", "dear.throw", card=move.cards[0])
    if (
        move.verb == "pass"
        and view.talon_count
        and len(legal) > 1
        and all(price(option.cards[0]) >= TRUMP for option in legal if option.cards)
    ):
        return remark("praise", "praise.keep")
    return None


def _beaten(view: View, card: Card, cheap: Card) -> Remark | None:
    """Comment on the card that beat the only open attack."""
    price = prices(view)
    ranks_on_table = {other.rank for pair in view.table for other in pair if other}
    throwers = attack.may_throw(view.rules, view.attacker, view.seat, view.sight.seats_in)
    if throwers and price(cheap) < price(card) < TRUMP and card.rank in ranks_on_table and cheap.rank not in ranks_on_table:
        return remark("praise", "praise.rank", rank=Rank(card.rank))
    if price(card) - price(cheap) < _DEAR:
        return None
    return remark("dear", "dear.trump" if card.suit == view.trump != cheap.suit else "dear.beat", by=cheap, card=card)


def _opened(view: View, move: Move) -> Remark | None:
    """Comment on the card that opened an attack."""
    price = prices(view)
    attacks = [option.cards for option in view.legal_moves() if option.verb == "attack"]
    cheapest = min(attacks, key=lambda cards: max(map(price, cards)))[0]
    card = move.cards[0]
    has_pair = sum(other.rank == card.rank for other in view.hand) > 1
    if price(card) - price(cheapest) < _DEAR or (has_pair and price(card) < TRUMP):
        return None
    return remark("dear", "dear.open.trump" if card.suit == view.trump != cheapest.suit else "dear.open", by=cheapest, card=card)


def goodbye(game: Game, course: Iterable[tuple[Played, Sequence[Remark]]], me: int) -> list[Remark]:
    """Return the remarks at the end of a game.

    They say kindly how it went, what decided it if that was proved, and how to go on.
    """
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    result = "won" if me in outcome.winners else "fool" if me == outcome.fool else "lost" if outcome.losers else "draw"
    lines = [remark("end", f"end.{result}")]
    mistakes = [played for played, remarks in course if any(line.reason == "table.coach.won" for line in remarks)]
    if mistakes and result != "won":
        lines.append(remark("end", "decided.gave", said=past(mistakes[-1])))
    return [*lines, remark("end", "end.next", said=Fact("screen.next_game"))]


class Topic(NamedTuple):
    """A topic that a game with a coach can be about."""

    watch: Watch
    explains: frozenset[str]
    """The moves whose rule is still explained; the lesson has explained the others."""


def topic_of(about: object) -> Topic | None:
    """Return the topic of a name; None for a first lesson, in which everything is explained.

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
    """Say that you passed and held a card worth throwing in."""
    if played.seat != before.seat or played.verb != "pass":
        return None
    price, cards = prices(before), [move.cards[0] for move in before.legal_moves() if move.verb == "throw"]
    good_cards = [card for card in cards if price(card) < TRUMP or not before.talon_count]
    return remark("topic", "missed.throw", card=min(good_cards, key=price)) if good_cards else None


def _transfer(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """Say that you could have transferred the attack, or praise that you did."""
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
    """Say that the talon runs out, or that the defender holds only one card."""
    if before.talon_count and not after.talon_count:
        return remark("topic", "end.talon")
    if after.actor == after.seat == after.attacker and not after.table and not after.talon_count and after.counts[after.defender] == 1:
        return remark("topic", "end.last", who=Seat(after.defender))
    return None


def _epaulettes(before: View, played: Played, after: View) -> Remark | None:
    """Say that a six that could have become an epaulette is gone."""
    is_six = played.cards[-1:] and played.cards[-1].rank == "6" and played.verb in {"attack", "throw"}
    if is_six and played.seat == before.seat and not before.talon_count and after.outcome is None and len(before.hand) > len(played.cards):
        return remark("topic", "missed.six", card=played.cards[-1])
    return _end(before, played, after) if before.talon_count else None


def _teams(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """Say that your partner defends now, and nothing is thrown in on a partner."""
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
"""The topics by name."""
