"""A complete game with a coach, who explains events, rules and the cost of choices.

The coach explains what happened and why, what is new in this lesson, and what a choice cost. It gives each reason at most twice; then
it comments only on moves that gave away chances. It computes the cost by the card prices of the careful bot, and in endgames by exact
search. Sometimes it praises a move. It uses only what the player could see. A topic decides what the coach looks for and which rules it
still explains.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.bots.bot import OPPONENT_BOTS, PERSON_NAME
from durak_widget.bots.counting_bot import solve_visible_endgame
from durak_widget.bots.heuristic_bots import TRUMP_PRICE, CarefulBot, get_card_prices, plan_beats, prefer_usual_move
from durak_widget.cards import Card, CardSet
from durak_widget.engine.game import Game
from durak_widget.engine.narration import build_advice_fact, build_bout_end_facts, build_past_fact, build_played_fact, is_partner
from durak_widget.errors import DurakError, PositionError, as_whole_number, short_repr, suggest_nearest
from durak_widget.exercises.lesson_opponents import seat_opponents
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
"""The number of your turns in which the coach lists the moves that you can choose from.

In later turns only the card table shows them.
"""
_MAX_REPEATS: Final = 2
"""The maximum number of times that the coach gives the same reason in a game."""
_TABLE_LINE_KINDS: Final = frozenset({"event", "end", "options"})
"""The kinds of remarks that only repeat what the card table displays."""
_OPINION_KINDS: Final = frozenset({"expensive", "praise"})
"""The kinds of remarks that give an opinion about a player's choice."""
_MAX_EARLIER_LINES: Final = 12
"""The maximum number of the coach's remarks on earlier turns that are displayed."""
SEARCH_BUDGET: Final = 5_000
"""The maximum number of endgame positions to search after each of your moves.

That many positions take a tenth of a second in plain Python.
"""
_EXPENSIVE_RANKS: Final = 3
"""The coach comments on a card that is this many ranks above the cheapest card that could do the same."""
_MAX_REFUTATION_LINES: Final = 8
"""The maximum number of sentences in which the coach explains how a move loses."""


class CoachedTurn(NamedTuple):
    """A move in a coached game, with the coach's remarks on it."""

    played: PlayedMove
    remarks: tuple[Remark, ...]


class Guided(TableDisplay):
    """A game against bots, with a coach who comments on the moves.

    In your first turns, the coach lists your options and explains every rule. Later it says what an expensive choice cost: its price,
    and its effect on your chances as soon as the table's own coach knows it. With `about`, the coach comments on one topic only:
    `"throw"`, `"transfer"`, `"end"`, `"epaulettes"` or `"teams"`.

    >>> game = Guided(seed=7, others={1: "first"})
    >>> print(game.question)
    Play a whole game. The coach helps you.
    >>> for line in game.answer("attack Jc")[:2]:
    ...     print(line)
    You attack with the jack of clubs.
    The defender must beat every attacking card with a higher card of its suit, or with a trump.
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
        **look: Any,  # noqa: ANN401 - options of `Table`
    ) -> None:
        """Start a game in which the coach explains rules during the first `bouts` bouts."""
        from durak_widget.table.table_widget import Table  # noqa: PLC0415 - other lessons don't need a table

        super().__init__(language)
        self._topic, self._topic_name = find_topic(about), about
        game = rules.copy() if isinstance(rules, Game) else Game(rules, seed=seed)
        bout_count = as_whole_number(bouts)
        if bout_count is None or bout_count < 0:
            raise DurakError(f"bouts must be a number of bouts in which the coach explains the rules, such as 2, not {short_repr(bouts)}")
        self._explained_bouts = bout_count
        self._coached_game: Game | None = None
        self._turns: list[CoachedTurn] = []
        seats: dict[int, Player] = {0: "you", **dict.fromkeys(range(1, game.seats), "careful"), **require_opponents(others)}
        faces = {
            seat: key
            for seat, key in seat_opponents("nephew", game.seats).items()
            if seats[seat] not in (None, PERSON_NAME, *OPPONENT_BOTS) and key not in seats.values()
        }
        coach_options = {} if about else {"coach": True}  # In a lesson with a topic, the coach comments only on the topic
        self._attach_table(Table(game, seats, seed=seed, language=self._language, **{"shown_as": faces, **coach_options, **look}))
        self.table._session.opening_comment_writer = self._opening_sentences
        self.table.commentary = self._table_sentences

    def _on_scene_change(self) -> None:
        self._refresh()

    @property
    def question(self) -> str:
        """Return the text that asks the student to play a game with the coach."""
        return self._voice.translate("lesson.coach")

    def answer(self, answer: object) -> list[str]:
        """Play your move and the moves of the others before your next turn; return the remarks."""
        self._let_others_move()
        self.table.play(answer)  # type: ignore[arg-type]
        self._let_others_move()
        return self.sentences

    def _let_others_move(self) -> None:
        """Let the other players move until it is your turn."""
        while self.table.step():
            pass

    def check(self) -> bool:
        """Return whether the game has been played to its end."""
        return self.table.game.outcome is not None

    @property
    def sentences(self) -> list[str]:
        """Return the coach's remarks on the moves since your last move, and on your next move."""
        return [remark.to_text(self._voice) for remark in self._list_remarks()]

    @property
    def _voice(self) -> Translator:
        return Translator(self._language, own_seat=0, opponent_keys=self.table.opponent_keys)

    def _list_remarks(self) -> list[Remark]:
        """Return the coach's remarks on the moves since your last move, and on your next move."""
        return [*(remark for turn in self._update_turns()[self._find_last_own_ply() :] for remark in turn.remarks), *self._list_options()]

    def _opening_sentences(self, voice: Translator) -> list[str]:
        """Return the coach's advice on how to begin; in a lesson with a topic, an empty list."""
        return [] if self._topic else [remark.to_text(voice) for remark in self._list_options()[:1]]

    def _table_sentences(self, voice: Translator) -> list[str]:
        """Return the coach's remark to display on the card table, or an empty list.

        It is the coach's opinion about your move, or else the newest remark. Remarks that only describe moves are left out.
        """
        comment = self.table.coach_comment
        # For a costly move, the table displays the coach's comment beside the button that takes the move back
        if comment is not None and comment.is_costly:
            return [comment.to_text(voice)]
        turns = self._update_turns()[self._find_last_own_ply() :]
        notable = [remark for turn in turns for remark in turn.remarks if remark.kind not in _TABLE_LINE_KINDS]
        opinions = [remark for remark in notable if remark.kind in _OPINION_KINDS]
        return [remark.to_text(voice) for remark in (opinions or notable)[-1:]]

    def _find_last_own_ply(self) -> int:
        """Return the index of your last move in the game, or 0 before your first move."""
        return max((ply for ply, played in enumerate(self.table.game.history) if played.seat == 0), default=0)

    def _update_turns(self) -> list[CoachedTurn]:
        """Update the coach's remarks on each move of the game, and return them.

        The remarks on a move that is taken back are dropped.
        """
        game = self.table.game
        history = game.history
        if game is not self._coached_game:
            self._coached_game, self._turns = game, []
        first_changed = next(
            (ply for ply, (turn, played) in enumerate(zip(self._turns, history, strict=False)) if turn.played != played), None
        )
        if first_changed is not None:
            del self._turns[first_changed:]
        for ply in range(len(self._turns), len(history)):
            self._turns.append(CoachedTurn(history[ply], tuple(self._drop_repeats(self._make_remarks(game, ply)))))
        self._apply_coach_comment()
        return self._turns[: len(history)]

    def _apply_coach_comment(self) -> None:
        """Use the coach's comment on the card table in place of other opinions on your last move.

        If an opinion already begins like that comment, nothing changes.
        """
        comment, ply = self.table.coach_comment, self._find_last_own_ply()
        if comment is None or ply >= len(self._turns):
            return
        played, remarks = self._turns[ply]
        if any(remark.facts[0].key == comment.facts[0].key for remark in remarks):
            return
        opinion = Remark("expensive" if comment.is_costly else "praise", comment.facts)
        if self._drop_repeats([opinion]):
            move_remark, *other_remarks = (remark for remark in remarks if remark.kind not in _OPINION_KINDS)
            self._turns[ply] = CoachedTurn(played, (move_remark, opinion, *other_remarks))

    def _drop_repeats(self, remarks: list[Remark]) -> list[Remark]:
        """Remove each remark that the coach has already made too often in this game."""
        reason_counts = Counter(remark.reason for turn in self._turns for remark in turn.remarks)
        return [remark for remark in remarks if not remark.reason or reason_counts[remark.reason] < _MAX_REPEATS]

    def _make_remarks(self, game: Game, ply: int) -> list[Remark]:
        """Return the coach's remarks on the move number `ply` (from 0) of a game."""
        before, after, played, move = game.copy(), game.copy(), game.history[ply], game.moves[ply]
        before.goto(ply)
        after.goto(ply + 1)
        view_before, view_after = before.view(0), after.view(0)
        candidates = [
            Remark("event", [build_played_fact(played)]),
            comment_on_choice(view_before, move) if played.seat == 0 else None,
            self._topic.comment(view_before, played, view_after) if self._topic else None,
            self._explain_rule(after, played),
        ]
        bout_end = view_after.bout_ends[-1] if view_after.bout_ends and view_after.bout_ends[-1].ply == after.ply else None
        if bout_end is not None:
            candidates += [
                Remark("event", build_bout_end_facts(bout_end, view_after.trump)),
                self._explain_next_attacker(after, taken=bout_end.taken),
            ]
        remarks = [remark for remark in candidates if remark]
        if after.outcome is None:
            return remarks
        return [*remarks, *make_final_remarks(after, [*self._turns, (played, remarks)], 0), *self._advise_after_game()]

    def _advise_after_game(self) -> list[Remark]:
        """Return the advice on how to go on when the game is over."""
        return [make_remark("end", "end.next", said=TranslatableText("screen.next_game"))]

    def _explain_rule(self, game: Game, played: PlayedMove) -> Remark | None:
        """Return a remark that explains the rule behind a move.

        Return None if the move ended the bout, or if the coach does not (or no longer) explain this rule.
        """
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
        """Return a remark that lists the moves you can choose from, or that introduces the topic."""
        game = self.table.game
        moves = game.view(0).legal_moves()
        turn_count = sum(played.seat == 0 for played in game.history)
        if self._topic:
            return [] if turn_count else [make_remark("options", f"about.{self._topic_name}")]
        if turn_count < _TURNS_WITH_ADVICE and moves and all(move.verb == "attack" for move in moves):
            return [make_remark("options", "ways.open")]  # Any card may be led, so a list of moves would not help
        if turn_count >= _TURNS_WITH_ADVICE or game.bout > self._explained_bouts or not 0 < len(moves) <= _MAX_MOVES_LISTED:
            return []
        return [make_remark("options", "ways"), *(make_remark("options", "way", said=build_advice_fact(move)) for move in moves)]

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: the coach's remarks on all turns."""
        remarks, voice = self._list_remarks(), self._voice
        earlier_remarks = [remark for turn in self._update_turns()[: self._find_last_own_ply()] for remark in turn.remarks][
            -_MAX_EARLIER_LINES:
        ]
        return {
            **empty_view_model(self.kind),
            "question": self.question,
            "feedback": self.sentences,
            "feedback_kinds": [remark.kind for remark in remarks],
            "earlier_feedback": [[remark.kind, remark.to_text(voice)] for remark in earlier_remarks],
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the task and the coach's remarks, as HTML and text."""
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.sentences)
        html = f'<div class="durak-picture"><p><b>{escape(self.question)}</b></p>{lines}</div>'
        return {"text/html": html, "text/plain": "\n".join([self.question, *self.sentences])}

    def __repr__(self) -> str:
        return f"<Guided {self.table.game!r}>"


def _find_rule_variant(game: Game, played: PlayedMove) -> str:
    """Return the ending of a message id for a special case of a rule; "" for the usual case."""
    if played.verb == "attack" and attack.has_transfers(game.rules):
        return ".transfer"
    if played.verb == "attack":
        return "" if _is_beaten_as_usual(game, played.cards[0]) else ".other"
    if played.verb == "throw" and game.taking:
        return ".taking"
    return ".more" if played.verb == "beat" and game.actor == game.defender else ""


def _is_beaten_as_usual(game: Game, card: Card) -> bool:
    """Return whether exactly the trumps and the higher cards of the same suit beat a card."""
    suit, trump = card.suit, str(game.trump)
    if game.trump is None or suit in (None, trump):
        return False
    beaters, deck = game.rules.beaters(card, trump), CardSet.from_mask(deck_and_beating.deck_faces(game.rules))
    return all((other in beaters) == (other.suit == trump or (other.suit == suit and other.code > card.effective_face)) for other in deck)


class Remark(NamedTuple):
    """A remark of the coach, with its kind and its sentences."""

    kind: str
    """The kind of remark: `event`, `rule`, `topic`, `expensive`, `praise`, `end` or `options`."""
    facts: Sequence[TranslatableText]

    @property
    def reason(self) -> str:
        """Return the message id of this remark; "" if the coach may repeat the remark in a game."""
        return "" if self.kind in _TABLE_LINE_KINDS else self.facts[0].key

    def to_text(self, voice: Translator) -> str:
        """Return the text of this remark in the language of `voice`."""
        return " ".join(voice.translate(fact.key, **fact.facts) for fact in self.facts)


def make_remark(kind: str, key: str, /, **facts: object) -> Remark:
    """Create a remark that has one sentence."""
    return Remark(kind, [TranslatableText(f"lesson.coach.{key}", facts)])


def comment_on_choice(view: Observation, move: Move) -> Remark | None:
    """Return the coach's remark on the choice of a move; None if there is nothing to say.

    >>> from durak_widget import Game, Move
    >>> from durak_widget.i18n import Translator
    >>> game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
    >>> print(comment_on_choice(game.view(0), Move("beat 6c Qs")).to_text(Translator(own_seat=0)))
    The queen of clubs would have been enough. Save a trump like the queen of spades for a card that you can't beat with anything else.
    >>> comment_on_choice(game.view(0), Move("beat 6c Qc")) is None
    True
    """
    if not view.talon_count and len(view.seats_in) == 2 and view.memory is not None and len(view.legal_moves()) > 1:
        ending = solve_visible_endgame(view, SEARCH_BUDGET)
        if ending is not None and ending.value is not None:
            return _comment_on_solved(view, move, ending)
    return _comment_on_price(view, move)


def _comment_on_solved(view: Observation, move: Move, ending: EndgameSolution) -> Remark | None:
    """Return a remark on the choice of a move in an endgame whose solution is known."""
    values, usual_move = ending.move_values, CarefulBot().choose(view, Random(0))
    best = prefer_usual_move(ending.quickest_moves or ending.best_moves, view, usual_move)
    if values.get(move, ending.value) != ending.value:
        mistake_fact = TranslatableText("table.coach.won" if ending.value == 1 else "table.coach.draw", {"said": build_advice_fact(best)})
        return Remark("expensive", [mistake_fact, *_explain_refutation(move, ending)])
    is_only_win = ending.value == 1 and len(values) > 2 and len(ending.best_moves) == 1
    return Remark("praise", [TranslatableText("table.coach.only")]) if is_only_win and move != usual_move else None


def _explain_refutation(move: Move, ending: EndgameSolution) -> list[TranslatableText]:
    """Explain how a move loses; return an empty list if the explanation would be too long."""
    from durak_widget.analysis.endgame import line_to_facts, refute  # noqa: PLC0415 - only endgames need this module

    try:
        refutation = refute(ending.game, move, budget=SEARCH_BUDGET)
    except PositionError:  # The search for the refutation would take too long
        return []
    sentences = line_to_facts(refutation.game, refutation.line)[1:]  # Skip the first sentence, which would only repeat the losing move
    return [TranslatableText("lesson.coach.gave.how"), *sentences] if len(sentences) <= _MAX_REFUTATION_LINES else []


def _comment_on_price(view: Observation, move: Move) -> Remark | None:
    """Return a remark on how expensive a move's cards are; None if there is nothing to say.

    It may also say that a careful player would have beaten the attacks instead of taking the cards.
    """
    legal, price = view.legal_moves(), get_card_prices(view)
    if move.verb == "beat" and len(view.table.unbeaten) == 1:
        return _comment_on_beating(view, move.cards[1], plan_beats(view, legal, price)[0].cards[1])
    if move.verb == "take":
        beats = plan_beats(view, legal, price) if len(legal) > 1 else []
        if beats and all(price(option.cards[1]) < TRUMP_PRICE for option in beats):
            target, card = beats[0].cards
            return make_remark("expensive", "dear.take" if len(beats) == 1 else "dear.takes", target=target, card=card)
    if move.verb == "attack" and view.talon_count:
        return _comment_on_opening(view, move)
    if move.verb == "throw" and view.talon_count and move.cards[0].suit == view.trump:
        return make_remark("expensive", "dear.throw", card=move.cards[0])
    if (
        move.verb == "pass"
        and view.talon_count
        and len(legal) > 1
        and all(price(option.cards[0]) >= TRUMP_PRICE for option in legal if option.cards)
    ):
        return make_remark("praise", "praise.keep")
    return None


def _comment_on_beating(view: Observation, card: Card, cheap: Card) -> Remark | None:
    """Return a remark on a card that beat the only unbeaten attacking card."""
    price = get_card_prices(view)
    ranks_on_table = {other.rank for pair in view.table for other in pair if other}
    throwers = attack.list_throwers(view.rules, view.attacker, view.seat, view.data.seats_in)
    if throwers and price(cheap) < price(card) < TRUMP_PRICE and card.rank in ranks_on_table and cheap.rank not in ranks_on_table:
        return make_remark("praise", "praise.rank", rank=Rank(card.rank))
    if price(card) - price(cheap) < _EXPENSIVE_RANKS:
        return None
    return make_remark("expensive", "dear.trump" if card.suit == view.trump != cheap.suit else "dear.beat", by=cheap, card=card)


def _comment_on_opening(view: Observation, move: Move) -> Remark | None:
    """Return a remark on a card that opened a bout; None if the coach has no advice."""
    price = get_card_prices(view)
    attacks = [option.cards for option in view.legal_moves() if option.verb == "attack"]
    cheapest = min(attacks, key=lambda cards: max(map(price, cards)))[0]
    card = move.cards[0]
    has_pair = sum(other.rank == card.rank for other in view.hand) > 1
    if price(card) - price(cheapest) < _EXPENSIVE_RANKS or (has_pair and price(card) < TRUMP_PRICE):
        return None
    return make_remark("expensive", "dear.open.trump" if card.suit == view.trump != cheapest.suit else "dear.open", by=cheapest, card=card)


def make_final_remarks(game: Game, course: Iterable[tuple[PlayedMove, Sequence[Remark]]], seat: int) -> list[Remark]:
    """Return the coach's remarks on the end of a game.

    They give the result, and the move that decided the game if that was proved.
    """
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - the game is over
    result = "won" if seat in outcome.winners else "fool" if seat == outcome.fool else "lost" if outcome.losers else "draw"
    final_remarks = [make_remark("end", f"end.{result}")]
    mistakes = [played for played, remarks in course if any(remark.reason == "table.coach.won" for remark in remarks)]
    if mistakes and result != "won":
        final_remarks.append(make_remark("end", "decided.gave", said=build_past_fact(mistakes[-1])))
    return final_remarks


class Topic(NamedTuple):
    """A topic to which a coached game is limited."""

    comment: Commentator
    explained_verbs: frozenset[str]
    """The kinds of moves whose rules the coach explains.

    The lesson has already explained the rules of all other moves.
    """


def find_topic(about: object) -> Topic | None:
    """Return the topic named `about` for a coached game, or None if `about` is "".

    >>> find_topic("transfers")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: the coach has no topic 'transfers'. Did you mean 'transfer'? Its topics are throw, transfer, end, epaulettes, teams
    """
    if about == "":
        return None
    if not isinstance(about, str) or about not in TOPICS:
        raise DurakError(f"the coach has no topic {short_repr(about)}.{suggest_nearest(about, TOPICS)} Its topics are {', '.join(TOPICS)}")
    return TOPICS[about]


def _comment_on_throwing(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - all topics have these parameters
    """Return a remark that you passed although you held a good card to throw in."""
    if played.seat != before.seat or played.verb != "pass":
        return None
    price, cards = get_card_prices(before), [move.cards[0] for move in before.legal_moves() if move.verb == "throw"]
    good_cards = [card for card in cards if price(card) < TRUMP_PRICE or not before.talon_count]
    return make_remark("topic", "missed.throw", card=min(good_cards, key=price)) if good_cards else None


def _comment_on_transferring(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - as above
    """Return a remark that you could have transferred the attack, or that you did so."""
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
    """Return a remark that the talon is empty, or that the defender has only one card."""
    if before.talon_count and not after.talon_count:
        return make_remark("topic", "end.talon")
    if after.actor == after.seat == after.attacker and not after.table and not after.talon_count and after.counts[after.defender] == 1:
        return make_remark("topic", "end.last", who=Seat(after.defender))
    return None


def _comment_on_epaulettes(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:
    """Return a remark that you played a six which could have become an epaulette."""
    is_six = played.cards[-1:] and played.cards[-1].rank == "6" and played.verb in {"attack", "throw"}
    if is_six and played.seat == before.seat and not before.talon_count and after.outcome is None and len(before.hand) > len(played.cards):
        return make_remark("topic", "missed.six", card=played.cards[-1])
    return _comment_on_talon_end(before, played, after) if before.talon_count else None


def _comment_on_partner(before: Observation, played: PlayedMove, after: Observation) -> Remark | None:  # noqa: ARG001 - as above
    """Return a remark that your partner defends, so that you should not throw in cards."""
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
"""The topics of coached games by name."""
