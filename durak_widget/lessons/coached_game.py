"""A complete game with a coach, who explains events, rules and costly choices.

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

from durak_widget.bots.counting_bot import solve_visible_endgame
from durak_widget.bots.heuristic_bots import TRUMP_PRICE, CarefulBot, get_card_prices, plan_beats, prefer_usual_move
from durak_widget.cards import Card, CardSet
from durak_widget.engine.game import Game
from durak_widget.engine.narration import build_advice_fact, build_bout_end_facts, build_past_fact, build_played_fact, is_partner
from durak_widget.errors import DurakError, PositionError, as_whole_number, short_repr, suggest_nearest
from durak_widget.exercises.notebook_display import TableDisplay, empty_view_model, require_opponents
from durak_widget.i18n import Rank, Seat, TranslatableText, Translator
from durak_widget.rules import attack, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.analysis.endgame import EndgameSolution
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation, PlayedMove
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.players import Player

    Commentator = Callable[[Observation, PlayedMove, Observation], "Remark | None"]
    """A function that comments on a move, given the player's views before and after the move."""

_MAX_MOVES_LISTED: Final = 6
_TURNS_WITH_ADVICE: Final = 2
"""The number of your first turns in which the coach lists your options; later only the table shows them."""
_MAX_REPEATS: Final = 2
"""The maximum number of times that the coach gives the same reason in a game."""
_TABLE_LINE_KINDS: Final = frozenset({"deed", "end", "ways"})
"""The kinds of remarks that only repeat what the card table itself says."""
_OPINION_KINDS: Final = frozenset({"dear", "praise"})
"""The kinds of remarks that express an opinion about a choice."""
_MAX_EARLIER_LINES: Final = 12
"""The maximum number of remarks from earlier turns that remain visible."""
SEARCH_BUDGET: Final = 5_000
"""The number of endgame positions that are searched after each of your moves.

That takes a tenth of a second in plain Python.
"""
_EXPENSIVE_RANKS: Final = 3
"""The coach comments on a card at least this many ranks above the cheapest card that would have been enough."""
_MAX_REFUTATION_LINES: Final = 8
"""The maximum number of sentences in the coach's explanation of how a move loses."""


class CoachedTurn(NamedTuple):
    """A move in a game, with the coach's remarks about it."""

    played: PlayedMove
    remarks: tuple[Remark, ...]


class Guided(TableDisplay):
    """A game against bots, with a coach who comments on the moves.

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
        """Start a game; the coach explains each rule at most twice, and only in the first bouts."""
        from durak_widget.table.table_widget import Table  # noqa: PLC0415 - a coach needs a table, other lessons do not

        super().__init__(language)
        self._topic, self._topic_name = find_topic(about), about
        game = rules.copy() if isinstance(rules, Game) else Game(rules, seed=seed)
        bout_count = as_whole_number(bouts)
        if bout_count is None or bout_count < 0:
            raise DurakError(f"bouts={short_repr(bouts)}: the coach explains the rules for a number of bouts, such as 2")
        self._explained_bouts = bout_count
        self._coached_game: Game | None = None
        self._turns: list[CoachedTurn] = []
        seats: dict[int, Player] = {0: "you", **dict.fromkeys(range(1, game.seats), "careful"), **require_opponents(others)}
        coach_options = {} if about else {"coach": True}  # in a lesson with a topic, the coach comments only on that topic
        self._attach_table(Table(game, seats, seed=seed, language=self._language, **{**coach_options, **look}))
        self.table.commentary = self._table_sentences

    def _on_scene_change(self) -> None:
        self._refresh()

    @property
    def question(self) -> str:
        """Return the task text, which asks the student to play a game with the coach."""
        return self._voice.translate("lesson.coach")

    def answer(self, answer: object) -> list[str]:
        """Play a move and the other players' moves until your turn; return the coach's remarks."""
        self._let_others_move()
        self.table.play(answer)  # type: ignore[arg-type]
        self._let_others_move()
        return self.sentences

    def _let_others_move(self) -> None:
        while self.table.step():
            pass

    def check(self) -> bool:
        """Return whether the game has been played to its end."""
        return self.table.game.outcome is not None

    @property
    def sentences(self) -> list[str]:
        """Return the coach's remarks: on events since your last move, then on your options."""
        return [line.to_text(self._voice) for line in self._list_remarks()]

    # Methods that choose the coach's remarks

    @property
    def _voice(self) -> Translator:
        return Translator(self._language, own_seat=0)

    def _list_remarks(self) -> list[Remark]:
        """Return the remarks on moves since your last move, then the remarks on your options."""
        return [*(line for turn in self._update_turns()[self._find_last_own_ply() :] for line in turn.remarks), *self._list_options()]

    def _table_sentences(self, voice: Translator) -> list[str]:
        """Return a remark to show on the card table, unless all remarks only describe events.

        It is what the coach thinks of your move, or else the newest remark.
        """
        comment = self.table.coach_comment
        if comment is not None and comment.is_costly:  # a costly move gets a comment beside the table's button that takes the move back
            return [comment.to_text(voice)]
        turns = self._update_turns()[self._find_last_own_ply() :]
        notable = [line for turn in turns for line in turn.remarks if line.kind not in _TABLE_LINE_KINDS]
        opinions = [line for line in notable if line.kind in _OPINION_KINDS]
        return [line.to_text(voice) for line in (opinions or notable)[-1:]]

    def _find_last_own_ply(self) -> int:
        """Return the index of your last move in the game; 0 before your first move."""
        return max((ply for ply, played in enumerate(self.table.game.history) if played.seat == 0), default=0)

    def _update_turns(self) -> list[CoachedTurn]:
        """Return the coach's remarks on each move, up to the move that is shown.

        The remarks about a move that is taken back are dropped.
        """
        game = self.table.game
        course = game.history
        if game is not self._coached_game:
            self._coached_game, self._turns = game, []
        first_changed = next(
            (ply for ply, (turn, played) in enumerate(zip(self._turns, course, strict=False)) if turn.played != played), None
        )
        if first_changed is not None:
            del self._turns[first_changed:]
        for ply in range(len(self._turns), len(course)):
            self._turns.append(CoachedTurn(course[ply], tuple(self._drop_repeats(self._make_remarks(game, ply)))))
        self._apply_coach_comment()
        return self._turns[: len(course)]

    def _apply_coach_comment(self) -> None:
        """Replace the first opinion about your last move by the comment from the table's coach.

        An opinion that says the same and more stays.
        """
        comment, ply = self.table.coach_comment, self._find_last_own_ply()
        if comment is None or ply >= len(self._turns):
            return
        played, remarks = self._turns[ply]
        if any(line.facts[0].key == comment.facts[0].key for line in remarks):
            return
        move_remark, *other_remarks = (line for line in remarks if line.kind not in _OPINION_KINDS)
        self._turns[ply] = CoachedTurn(
            played, (move_remark, Remark("dear" if comment.is_costly else "praise", comment.facts), *other_remarks)
        )

    def _drop_repeats(self, remarks: list[Remark]) -> list[Remark]:
        """Drop the remarks whose reason the coach has already given often enough in the game."""
        reason_counts = Counter(line.reason for turn in self._turns for line in turn.remarks)
        return [line for line in remarks if not line.reason or reason_counts[line.reason] < _MAX_REPEATS]

    def _make_remarks(self, game: Game, ply: int) -> list[Remark]:
        """Return the coach's remarks on the move with index `ply`."""
        before, after, played, move = game.copy(), game.copy(), game.history[ply], game.moves[ply]
        before.goto(ply)
        after.goto(ply + 1)
        view_before, view_after = before.view(0), after.view(0)
        candidates = [
            Remark("deed", [build_played_fact(played)]),
            comment_on_choice(view_before, move) if played.seat == 0 else None,
            self._topic.comment(view_before, played, view_after) if self._topic else None,
            self._explain_rule(after, played),
        ]
        bout_end = view_after.bout_ends[-1] if view_after.bout_ends and view_after.bout_ends[-1].ply == after.ply else None
        if bout_end is not None:
            candidates += [
                Remark("deed", build_bout_end_facts(bout_end, view_after.trump)),
                self._explain_next_attacker(after, taken=bout_end.taken),
            ]
        lines = [line for line in candidates if line]
        return lines if after.outcome is None else [*lines, *make_final_remarks(after, [*self._turns, (played, lines)], 0)]

    def _explain_rule(self, game: Game, played: PlayedMove) -> Remark | None:
        """Return a remark with the rule of the last move, unless the move ended the bout."""
        view = game.view(0)
        is_explained = self._topic is None or played.verb in self._topic.explained_verbs
        if not is_explained or game.bout > 2 * self._explained_bouts or (view.bout_ends and view.bout_ends[-1].ply == game.ply):
            return None
        ranks = tuple(Rank(rank) for rank in dict.fromkeys(card.rank for pair in game.table for card in pair if card))
        return make_remark("rule", f"{played.verb}{_find_rule_variant(game, played)}", ranks=ranks, limit=game.limit)

    def _explain_next_attacker(self, game: Game, *, taken: bool) -> Remark | None:
        """Return a remark that says who attacks next and why."""
        if self._topic is not None or game.outcome is not None or game.bout > 2 * self._explained_bouts:
            return None
        return make_remark("rule", "taken" if taken else "beaten", who=Seat(game.attacker))

    def _list_options(self) -> list[Remark]:
        """Return a remark that lists your options in your first turns, or is about the topic."""
        game = self.table.game
        moves = game.view(0).legal_moves()
        turn_count = sum(played.seat == 0 for played in game.history)
        if self._topic:
            return [] if turn_count else [make_remark("ways", f"about.{self._topic_name}")]
        if turn_count < _TURNS_WITH_ADVICE and moves and all(move.verb == "attack" for move in moves):
            return [make_remark("ways", "ways.open")]  # the player can lead any card, so it would be useless to list the options
        if turn_count >= _TURNS_WITH_ADVICE or game.bout > self._explained_bouts or not 0 < len(moves) <= _MAX_MOVES_LISTED:
            return []
        return [make_remark("ways", "ways"), *(make_remark("ways", "way", said=build_advice_fact(move)) for move in moves)]

    # Content that the page shows

    def view_model(self) -> dict[str, object]:
        """Return the content of the page: the coach's remarks on earlier turns and on this turn."""
        lines, voice = self._list_remarks(), self._voice
        before = [line for turn in self._update_turns()[: self._find_last_own_ply()] for line in turn.remarks][-_MAX_EARLIER_LINES:]
        return {
            **empty_view_model(self.kind),
            "question": self.question,
            "said": self.sentences,
            "kinds": [line.kind for line in lines],
            "before": [[line.kind, line.to_text(voice)] for line in before],
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the task and the coach's remarks, as HTML and text."""
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.sentences)
        html = f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p>{lines}</div>'
        return {"text/html": html, "text/plain": "\n".join([self.question, *self.sentences])}

    def __repr__(self) -> str:
        return f"<Guided {self.table.game!r}>"


def _find_rule_variant(game: Game, played: PlayedMove) -> str:
    """Return the ending of the message id if the usual explanation of a rule would be wrong."""
    if played.verb == "attack" and attack.has_transfers(game.rules):
        return ".transfer"
    if played.verb == "attack":
        return "" if _is_beaten_as_usual(game, played.cards[0]) else ".other"
    if played.verb == "throw" and game.taking:
        return ".taking"
    return ".more" if played.verb == "beat" and game.actor == game.defender else ""


def _is_beaten_as_usual(game: Game, card: Card) -> bool:
    """Return whether a card that is not a trump is beaten only by higher cards and by trumps."""
    suit, trump = card.suit, str(game.trump)
    if game.trump is None or suit in (None, trump):
        return False
    beaters, deck = game.rules.beaters(card, trump), CardSet.from_mask(deck_and_beating.deck_faces(game.rules))
    return all((other in beaters) == (other.suit == trump or (other.suit == suit and other.code > card.effective_face)) for other in deck)


class Remark(NamedTuple):
    """A remark of the coach: its kind and its sentences."""

    kind: str
    """The kind of remark: `deed`, `rule`, `topic`, `dear`, `praise`, `end` or `ways`."""
    facts: Sequence[TranslatableText]

    @property
    def reason(self) -> str:
        """Return the message id by which repetitions are counted; "" if they are allowed."""
        return "" if self.kind in {"deed", "end", "ways"} else self.facts[0].key

    def to_text(self, voice: Translator) -> str:
        """Return the remark as text."""
        return " ".join(voice.translate(fact.key, **fact.facts) for fact in self.facts)


def make_remark(kind: str, key: str, /, **facts: object) -> Remark:
    """Make a remark from one of the coach's sentences."""
    return Remark(kind, [TranslatableText(f"lesson.coach.{key}", facts)])


def comment_on_choice(view: Observation, move: Move) -> Remark | None:
    """Return a remark on the player's choice of a move; None if there is nothing to say.

    >>> from durak_widget import Game, Move
    >>> from durak_widget.i18n import Translator
    >>> game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
    >>> print(comment_on_choice(game.view(0), Move("beat 6c Qs")).to_text(Translator(own_seat=0)))
    The queen of clubs would have done: save a trump like the queen of spades for what nothing else beats.
    >>> comment_on_choice(game.view(0), Move("beat 6c Qc")) is None
    True
    """
    if not view.talon_count and len(view.seats_in) == 2 and view.memory is not None and len(view.legal_moves()) > 1:
        ending = solve_visible_endgame(view, SEARCH_BUDGET)
        if ending is not None and ending.value is not None:
            return _comment_on_solved(view, move, ending)
    return _comment_on_price(view, move)


def _comment_on_solved(view: Observation, move: Move, ending: EndgameSolution) -> Remark | None:
    """Return a remark on the choice of a move in an endgame that has been solved."""
    values, usual_move = ending.move_values, CarefulBot().choose(view, Random(0))
    best = prefer_usual_move(ending.quickest_moves or ending.best_moves, view, usual_move)
    if values.get(move, ending.value) != ending.value:
        mistake_fact = TranslatableText("table.coach.won" if ending.value == 1 else "table.coach.draw", {"said": build_advice_fact(best)})
        return Remark("dear", [mistake_fact, *_explain_refutation(move, ending)])
    is_only_win = ending.value == 1 and len(values) > 2 and len(ending.best_moves) == 1
    return Remark("praise", [TranslatableText("table.coach.only")]) if is_only_win and move != usual_move else None


def _explain_refutation(move: Move, ending: EndgameSolution) -> list[TranslatableText]:
    """Explain how a move loses, if a short explanation exists."""
    from durak_widget.analysis.endgame import line_to_facts, refute  # noqa: PLC0415 - no other moment of a game needs it

    try:
        refutation = refute(ending.game, move, budget=SEARCH_BUDGET)
    except PositionError:  # the search for the refutation would take too long
        return []
    sentences = line_to_facts(refutation.game, refutation.line)[1:]  # the first sentence would only repeat the losing move itself
    return [TranslatableText("lesson.coach.gave.how"), *sentences] if len(sentences) <= _MAX_REFUTATION_LINES else []


def _comment_on_price(view: Observation, move: Move) -> Remark | None:
    """Return a remark on a card, if a careful player would have used a cheaper one."""
    legal, price = view.legal_moves(), get_card_prices(view)
    if move.verb == "beat" and len(view.table.unbeaten) == 1:
        return _comment_on_beating(view, move.cards[1], plan_beats(view, legal, price)[0].cards[1])
    if move.verb == "take":
        beats = plan_beats(view, legal, price) if len(legal) > 1 else []
        if beats and all(price(option.cards[1]) < TRUMP_PRICE for option in beats):
            target, card = beats[0].cards
            return make_remark("dear", "dear.take" if len(beats) == 1 else "dear.takes", target=target, card=card)
    if move.verb == "attack" and view.talon_count:
        return _comment_on_opening(view, move)
    if move.verb == "throw" and view.talon_count and move.cards[0].suit == view.trump:
        return make_remark("dear", "dear.throw", card=move.cards[0])
    if (
        move.verb == "pass"
        and view.talon_count
        and len(legal) > 1
        and all(price(option.cards[0]) >= TRUMP_PRICE for option in legal if option.cards)
    ):
        return make_remark("praise", "praise.keep")
    return None


def _comment_on_beating(view: Observation, card: Card, cheap: Card) -> Remark | None:
    """Return a remark on the card that beat the only unbeaten attacking card."""
    price = get_card_prices(view)
    ranks_on_table = {other.rank for pair in view.table for other in pair if other}
    throwers = attack.list_throwers(view.rules, view.attacker, view.seat, view.data.seats_in)
    if throwers and price(cheap) < price(card) < TRUMP_PRICE and card.rank in ranks_on_table and cheap.rank not in ranks_on_table:
        return make_remark("praise", "praise.rank", rank=Rank(card.rank))
    if price(card) - price(cheap) < _EXPENSIVE_RANKS:
        return None
    return make_remark("dear", "dear.trump" if card.suit == view.trump != cheap.suit else "dear.beat", by=cheap, card=card)


def _comment_on_opening(view: Observation, move: Move) -> Remark | None:
    """Return a remark on the card with which an attack was opened."""
    price = get_card_prices(view)
    attacks = [option.cards for option in view.legal_moves() if option.verb == "attack"]
    cheapest = min(attacks, key=lambda cards: max(map(price, cards)))[0]
    card = move.cards[0]
    has_pair = sum(other.rank == card.rank for other in view.hand) > 1
    if price(card) - price(cheapest) < _EXPENSIVE_RANKS or (has_pair and price(card) < TRUMP_PRICE):
        return None
    return make_remark("dear", "dear.open.trump" if card.suit == view.trump != cheapest.suit else "dear.open", by=cheapest, card=card)


def make_final_remarks(game: Game, course: Iterable[tuple[PlayedMove, Sequence[Remark]]], seat: int) -> list[Remark]:
    """Return the coach's remarks at the end of a game.

    They say kindly how it went, what decided it if that was proved, and how to go on.
    """
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    result = "won" if seat in outcome.winners else "fool" if seat == outcome.fool else "lost" if outcome.losers else "draw"
    lines = [make_remark("end", f"end.{result}")]
    mistakes = [played for played, remarks in course if any(line.reason == "table.coach.won" for line in remarks)]
    if mistakes and result != "won":
        lines.append(make_remark("end", "decided.gave", said=build_past_fact(mistakes[-1])))
    return [*lines, make_remark("end", "end.next", said=TranslatableText("screen.next_game"))]


class Topic(NamedTuple):
    """A topic of a game with a coach."""

    comment: Commentator
    explained_verbs: frozenset[str]
    """The kinds of moves whose rules the coach explains; the lesson has already explained all others."""


def find_topic(about: object) -> Topic | None:
    """Return the topic with a given name; None for a first lesson, which explains everything.

    >>> find_topic("transfers")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a coach has nothing to say about 'transfers'. Did you mean 'transfer'? It knows throw, transfer, end, epaulettes, teams
    """
    if about == "":
        return None
    if not isinstance(about, str) or about not in TOPICS:
        raise DurakError(
            f"a coach has nothing to say about {short_repr(about)}.{suggest_nearest(about, TOPICS)} It knows {', '.join(TOPICS)}"
        )
    return TOPICS[about]


def _comment_on_throwing(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - as with the other topics
    """Point out that you passed although you held a card that you should have thrown in."""
    if played.seat != before.seat or played.verb != "pass":
        return None
    price, cards = get_card_prices(before), [move.cards[0] for move in before.legal_moves() if move.verb == "throw"]
    good_cards = [card for card in cards if price(card) < TRUMP_PRICE or not before.talon_count]
    return make_remark("topic", "missed.throw", card=min(good_cards, key=price)) if good_cards else None


def _comment_on_transferring(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - as above
    """Point out that you could have transferred the attack, or praise that you did."""
    if played.seat != before.seat:
        return None
    if played.verb in {"transfer", "show"}:
        return make_remark("praise", "praise.transfer")
    for verb in ("show", "transfer"):
        for move in before.legal_moves():
            if move.verb == verb:
                return make_remark("topic", f"missed.{verb}", card=move.cards[-1])
    return None


def _comment_on_talon_end(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - as above
    """Point out that the talon has run out, or that the defender holds only one card."""
    if before.talon_count and not after.talon_count:
        return make_remark("topic", "end.talon")
    if after.actor == after.seat == after.attacker and not after.table and not after.talon_count and after.counts[after.defender] == 1:
        return make_remark("topic", "end.last", who=Seat(after.defender))
    return None


def _comment_on_epaulettes(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:
    """Point out that you played a six that could have become an epaulette."""
    is_six = played.cards[-1:] and played.cards[-1].rank == "6" and played.verb in {"attack", "throw"}
    if is_six and played.seat == before.seat and not before.talon_count and after.outcome is None and len(before.hand) > len(played.cards):
        return make_remark("topic", "missed.six", card=played.cards[-1])
    return _comment_on_talon_end(before, played, after) if before.talon_count else None


def _comment_on_partner(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - as above
    """Point out that your partner is defending, so that you should not throw in cards."""
    if after.bout > before.bout and after.outcome is None and is_partner(after, after.defender):
        return make_remark("topic", "team.defends", who=Seat(after.defender))
    return None


TOPICS: Final[dict[str, Topic]] = {
    "throw": Topic(_comment_on_throwing, frozenset({"beat", "throw", "pass"})),
    "transfer": Topic(_comment_on_transferring, frozenset({"transfer", "show"})),
    "end": Topic(_comment_on_talon_end, frozenset()),
    "epaulettes": Topic(_comment_on_epaulettes, frozenset()),
    "teams": Topic(_comment_on_partner, frozenset()),
}
"""The topics of coached games, by name."""
