"""Test the review of a thousand games (`make test-release`) or one: an oracle checks each sentence, sums and two seeds.

`DURAK_TESTS=release python -m pytest -q tests/review/test_thousand_games.py` does that alone.
"""

from __future__ import annotations

import re
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import Game, Rules, bots, review
from durak_widget.analysis import endgame
from durak_widget.i18n import LANGUAGES, Seat, Translator
from durak_widget.review.decisions import MISTAKE_THRESHOLD
from durak_widget.review.game_review import BASIS_KEYS
from support.review_oracle import (
    EndingValues,
    WatchedOracle,
    cards_of_move,
    is_of_kind,
    is_repetition,
    move_text,
    oracle_states,
    was_seen_in_hand,
)
from support.sizes import tried
from support.spoken import is_complete_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYERS = (2, 3, 4)
PLAYING = (
    *("random", "first", "careful", "hasty", "generous", "hoarding", "taking", "counting"),
    *("nephew", "uncle", "neighbour", "aunt", "bookkeeper"),
    bots.get("grandmother", playouts=40, without=40),
)
SLOW = {"poker": 2, "two_decks": 1, "full_jokers": 3}
"""Rule sets with fewer games, because making or counting their worlds is slow."""
OF_TWO, OF_MORE = 30, 5
"""The number of games for other rule sets of two players, and of more."""
ASKED: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = [
    ([(1, 50_000), (2, 50_000)], []),
    ([(1, 12_000), (2, 8_000)], []),
    ([(1, 12_000)], [(1, 12_000), (2, 8_000)]),
    ([(1, 30_000), (2, 15_000)], []),
]
"""Seeds and budgets of reviews, with known and with all cards, in turns to save time."""


POSITIONS = 8_000


def rule_sets() -> list[str]:
    """Return every preset with its usual number of players, and with two to four."""
    found = []
    for name in Rules.presets():
        for players in sorted({Rules.coerce(name).players, *PLAYERS}):
            try:
                Rules.preset(name, players=players)
            except ValueError:
                continue
            found.append(f"{name}, players={players}")
    return found


COMBOS = rule_sets()
SOON = ("transfer, players=2",)
LATER = ("neighbours, players=4", "japanese_transfer, players=2", "siege, players=4", "full, players=4")


def pytest_marks(rules: str) -> list[pytest.MarkDecorator]:
    """Return the pytest marks of a rule set."""
    return [] if rules in SOON else [pytest.mark.slow if rules in LATER else pytest.mark.release]


def play_game(rules: str, number: int) -> Game:
    """Return a game of several bots."""
    rng = Random(f"{rules} {number}")
    game = Game(Rules.coerce(rules), seed=rng.getrandbits(32))
    return bots.play(game, [rng.choice(PLAYING) for _ in range(game.seats)], rng.getrandbits(32))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(rules, marks=pytest_marks(rules)) for rules in COMBOS])
def test_every_sentence_of_a_review_is_true(rules: str) -> None:
    """Two seeds, two budgets, with known and with all cards: facts are true, sums add up, nothing contradicts."""
    for number in range(tried(1, number_of_games(rules))):
        check_game(rules, number)


def number_of_games(rules: str) -> int:
    """Return how many games of a rule set are reviewed; together a thousand."""
    name, _, players = rules.partition(", players=")
    return SLOW.get(name, OF_TWO if players == "2" else OF_MORE)


def check_game(rules: str, number: int) -> Counts:
    """Review one game in all these ways."""
    game = play_game(rules, number)
    course = oracle_states(game)
    endings = EndingValues(course)
    by_seat, by_cards = (
        [review_game(game, by, *asked) for asked in asking] for by, asking in zip(BASIS_KEYS, ASKED[number % len(ASKED)], strict=True)
    )
    counted = Counts()
    for found in (*by_seat, *by_cards):
        check_decisions(found, course, endings, counted)
    for some in (by_seat, by_cards):
        for first, second in combinations(some, 2):
            check_agreement(first, second)
    for found in (*by_seat[:1], *by_cards[:1]):
        check_texts(found, course, counted)
    return counted


def review_game(game: Game, by: str, seed: int, budget: int) -> review.Review:
    """Return a game's review, with a twelfth of the budget except before a release."""
    return review.analyze(game, by=by, seed=seed, budget=tried(budget // 12, budget), positions=tried(POSITIONS // 4, POSITIONS))


class Counts:
    """How many items were checked."""

    def __init__(self) -> None:
        self.by: dict[str, int] = {}

    def add(self, name: str, count: int = 1) -> None:
        """Add this many."""
        self.by[name] = self.by.get(name, 0) + count


def check_decisions(found: review.Review, course: list[WatchedOracle], endings: EndingValues, counted: Counts) -> None:
    """Check every decision and every sum with the oracle."""
    game = found.game
    assert [decision.ply for decision in found.decisions] == list(range(game.ply))
    for decision in found.decisions:
        slow, legal = course[decision.ply], course[decision.ply].legal()
        assert (decision.seat, decision.bout, decision.legal_move_count) == (slow.actor, slow.bout, len(legal))
        assert str(decision.move) in legal
        assert (decision.verdict == "forced") == (len(legal) == 1)
        assert decision.better_move is None or str(decision.better_move) in legal
        counted.add(decision.verdict)
        if decision.loss_interval is not None:
            assert 0 <= decision.loss_interval[0] <= decision.loss <= decision.loss_interval[1] <= 1
        if decision.verdict == "mistake":
            assert decision.loss > MISTAKE_THRESHOLD
        if decision.verdict == "proved mistake" or decision.value is not None:
            assert (decision.value_after < decision.value) == (decision.verdict == "proved mistake")
            exact = endings.value(decision.ply)
            if exact is not None:
                counted.add("worked out")
                assert decision.value == exact
                left = endings.value(decision.ply, str(decision.move))
                assert left is not None and left <= decision.value_after if decision.is_exhaustive else left == decision.value_after
                assert decision.value == endings.value(decision.ply, str(decision.better_move))
        if decision.is_mistake:
            assert decision.better_move != decision.move
        if decision.mistake_kind is not None:
            counted.add(f"kind {decision.mistake_kind}")
            assert decision.is_mistake
            assert decision.mistake_kind == "seen" or is_of_kind(decision.mistake_kind, decision, slow), (decision, slow.hands)
    for luck in found.luck.values():
        assert abs(luck.fair + luck.deal + luck.drawn + luck.own + luck.others - luck.result) < 1e-9
        assert luck.result == (luck.fair if not game.outcome.winners else float(luck.seat in game.outcome.winners))
    for point in found.chances:
        assert all(share is None or 0 <= share <= 1 for share in point.shares), point
        if None in point.shares:  # only known cards are left to draw; more than two players are left, or the limit was reached
            assert set(point.shares) == {None}
            assert len(course[point.ply].talon) <= 2 + bool(course[point.ply].options["swaps"]) * 36


def check_agreement(first_review: review.Review, other: review.Review) -> None:
    """Check that the other review has no mistake where one has the best move, and the same proofs."""
    for first, second in zip(first_review.decisions, other.decisions, strict=True):
        verdicts = {first.verdict, second.verdict}
        assert not ("best" in verdicts and verdicts & {"mistake", "proved mistake"}), (first, second)
        if first.value is not None or first.verdict == "forced":
            assert first == second


def check_texts(found: review.Review, course: list[WatchedOracle], counted: Counts) -> None:
    """Check every sentence in three languages, for everybody and for each seat."""
    game = found.game
    for seat in (None, *range(game.seats)):
        to = found.for_seat(seat)
        if to.main_turning_point is None:
            assert not [decision for decision in to.decisions if decision.is_mistake and seat in (None, decision.seat)]
            assert [fact.key for fact in to.headline_facts] == ["review.none.all" if seat is None else "review.none"]
        for turn in to.turning_points:
            check_facts(turn, seat, course)
        for language in LANGUAGES:
            assert is_complete_sentence(to.sentence(language)), to.sentence(language)
            for turn in to.turning_points:
                for cards in ("words", "signs", "codes"):
                    voice = Translator(language, cards=cards, own_seat=seat)
                    for fact in turn.build_facts(seat):
                        text = voice.translate(fact.key, **fact.facts)
                        assert is_complete_sentence(text) or text.endswith(":"), text
                        counted.add("sentences")
            panel = to.view_model(language)
            for text in strings(panel):
                assert not re.search(r"[{}]|None|\bnan\b|  ", text), text
                counted.add("sentences")
            points = [shares for *_, shares in panel["chart"]["points"]]
            assert len(panel["chart"]["texts"]) == sum(share is not None for shares in points for share in shares)
            assert panel["decisions"]
            assert sum(len(some) for _, some in panel["decisions"]) == game.ply
    for language in LANGUAGES:
        assert not re.search(r"[{}]|None", re.sub(r"<style>.*?</style>", "", found.html(language)))


def strings(value: Any) -> Iterator[str]:
    """Yield all strings in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from strings(item)


def check_facts(turn: review.TurningPoint, seat: int | None, course: list[WatchedOracle]) -> None:
    """Check each fact about a turning point."""
    decision, facts = turn.decision, turn.build_facts(seat)
    slow, after = course[decision.ply], course[decision.ply + 1]
    line = iter(())
    if turn.refutation_facts:
        line = iter(check_refutation(turn, slow))
    for place, fact in enumerate(facts):
        key, facts_of_key = fact.key, fact.facts
        if key in {"review.had.won", "review.had.draw"}:
            assert (decision.value, facts_of_key["who"], facts_of_key["bout"]) == (
                1 if key.endswith("won") else 0,
                Seat(decision.seat),
                slow.bout,
            )
        elif key == "review.gift":
            assert turn.beneficiary == seat != decision.seat
            assert (facts_of_key["who"], facts_of_key["whom"], facts_of_key["bout"]) == (Seat(decision.seat), Seat(seat), slow.bout)
            assert slow.is_in(seat)
            assert slow.side(seat) != slow.side(decision.seat)
            assert decision.value_after < decision.value
        elif key == "review.gave.cards":
            assert [str(card) for card in facts_of_key["cards"]] == (cards_of_move(decision.move) or move_text(decision.move)[1])
            assert all(card[:2] in slow.hands[decision.seat] for card in map(str, facts_of_key["cards"]))
        elif key.startswith("review.gave."):
            assert key == f"review.gave.{decision.move}"
        elif key == "review.cost":
            assert (facts_of_key["bout"], facts_of_key["percent"]) == (slow.bout, round(100 * decision.loss))
            assert (move_of(facts_of_key["said"]), facts_of_key["said"].facts["who"]) == (str(decision.move), Seat(decision.seat))
            assert facts_of_key["percent"] >= 100 * MISTAKE_THRESHOLD
        elif key == "review.better":
            assert (
                f"{facts_of_key['said'].key.removeprefix('advice.')} {' '.join(map(str, facts_of_key['said'].facts.get('cards', ())))}".strip()
                in slow.legal()
            )
        elif key.startswith("review.outright."):
            assert decision.is_exhaustive
            assert decision.world_count > 1
            assert decision.best_share == (
                1 if key.endswith("won") else review.decisions.WinShareScale.from_rules(turn.position.rules).fair_share
            )
        elif key == "review.kind.seen":
            assert was_seen_in_hand(decision, slow, facts_of_key["who"].number, facts_of_key["card"]), (decision, facts_of_key)
        elif key.startswith("review.kind."):
            assert key == f"review.kind.{decision.mistake_kind}"
        elif key == "review.then":
            assert turn.refutation_facts
        elif key.startswith("past.") and place < len(turn.build_headline(seat)):
            assert move_of(fact) == str(decision.move)
            assert facts_of_key["who"] == Seat(decision.seat)
            assert after.bout >= slow.bout
        else:
            assert fact == next(line), fact
    assert next(line, None) is None


def move_of(fact: Any) -> str:
    """Return the move in a fact."""
    return " ".join((fact.key.removeprefix("deed.").removeprefix("past."), *map(str, fact.facts.get("cards", ()))))


def check_refutation(turn: review.TurningPoint, slow: WatchedOracle) -> list[Any]:
    """Check the moves that refute a mistake: legal, with possible cards and the stated result. Return the facts."""
    decision, facts = turn.decision, turn.refutation_facts
    moves = endgame.refute(turn.position, decision.move, budget=POSITIONS).line
    assert moves[0] == decision.move
    there = slow.branch()
    there.options = {**slow.options, "repetition": None}
    course, deeds = [there], []
    for move in moves:
        there = course[-1].branch()
        seat = there.actor
        there.play(str(move))  # it asserts that the move is legal
        course.append(there)
        if move.verb != "pass":
            deeds.append((seat, str(move)))
    moves_told = [(fact.facts["who"].number, move_of(fact)) for fact in facts if fact.key.startswith("deed.")]
    assert moves_told == deeds[len(deeds) - len(moves_told) :]
    assert len(moves_told) == len(deeds) - (decision.move.verb != "pass")
    for fact in facts:
        if fact.key == "theory.unbeatable":
            who, card = fact.facts["who"].number, str(fact.facts["card"])
            place = next(i for i, move in enumerate(moves) if str(move).endswith(f" {card}") and course[i].actor != who)
            assert course[place + 1].defender == who
            assert not any(course[place + 1].beats(held, card) for held in course[place + 1].hands[who])
    over, last = course[-1].outcome(), facts[-1]
    if over is None:
        assert last.key == "theory.again"
        assert decision.value_after == 0
        assert is_repetition(course)
    else:
        assert (decision.seat in over["winners"]) - (decision.seat in over["losers"]) == decision.value_after
        inner = last.facts["said"]
        assert inner.key.startswith("outcome.")
        if over["fool"] is not None:
            assert inner.facts["who"] == Seat(over["fool"])
        elif over["winners"]:
            assert [seat.number for seat in inner.facts["who"]] == over["winners"]
    return facts
