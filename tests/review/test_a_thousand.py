"""A thousand games reviewed, by `make test-release`; one by `make test`: each sentence is said anew by the oracle, all adds up, and seeds do not contradict.

`DURAK_TESTS=release python -m pytest -q tests/review/test_a_thousand.py` does that alone.
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
from support.restated import Endings, Watched, again, bears_out, gone, names, seen_well, watched
from support.sizes import tried
from support.spoken import well_said

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYERS = (2, 3, 4)
PLAYING = (
    *("random", "first", "careful", "hasty", "generous", "hoarding", "taking", "counting"),
    *("nephew", "uncle", "neighbour", "aunt", "bookkeeper"),
    bots.get("grandmother", playouts=40, without=40),
)
SLOW = {"poker": 2, "two_decks": 1, "full_jokers": 3}
"""Of these fewer are looked at: each world has to be laid, or counted, for long."""
OF_TWO, OF_MORE = 30, 5
"""So many games of each other rule set of two, and of more."""
ASKED: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]] = [
    ([(1, 50_000), (2, 50_000)], []),
    ([(1, 12_000), (2, 8_000)], []),
    ([(1, 12_000)], [(1, 12_000), (2, 8_000)]),
    ([(1, 30_000), (2, 15_000)], []),
]
"""With which seeds and budgets a game is reviewed, by what was known and by all cards: by turns, since time is short."""


POSITIONS = 8_000


def combos() -> list[str]:
    """Every preset, by as many as it is usual with, and by two to four."""
    found = []
    for name in Rules.presets():
        for players in sorted({Rules.coerce(name).players, *PLAYERS}):
            try:
                Rules.preset(name, players=players)
            except ValueError:
                continue
            found.append(f"{name}, players={players}")
    return found


COMBOS = combos()
SOON = ("transfer, players=2",)
LATER = ("neighbours, players=4", "japanese_transfer, players=2", "siege, players=4", "full, players=4")


def marks(rules: str) -> list[pytest.MarkDecorator]:
    """Return in which runs a rule set is looked at."""
    return [] if rules in SOON else [pytest.mark.slow if rules in LATER else pytest.mark.release]


def played(rules: str, number: int) -> Game:
    """A game by a mix of bots."""
    rng = Random(f"{rules} {number}")
    game = Game(Rules.coerce(rules), seed=rng.getrandbits(32))
    return bots.play(game, [rng.choice(PLAYING) for _ in range(game.seats)], rng.getrandbits(32))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(rules, marks=marks(rules)) for rules in COMBOS])
def test_all_that_is_said_of_a_game_is_so(rules: str) -> None:
    """By two seeds and two budgets, by what was known and by all cards: facts hold, nothing is left unfilled, all adds up, nobody contradicts."""
    for number in range(tried(1, many(rules))):
        looked(rules, number)


def many(rules: str) -> int:
    """How many games of a rule set are looked at: a thousand together."""
    name, _, players = rules.partition(", players=")
    return SLOW.get(name, OF_TWO if players == "2" else OF_MORE)


def looked(rules: str, number: int) -> Counted:
    """One game reviewed in all these ways."""
    game = played(rules, number)
    course = watched(game)
    endings = Endings(course)
    by_seat, by_cards = (
        [reviewed(game, by, *asked) for asked in asking] for by, asking in zip(BASIS_KEYS, ASKED[number % len(ASKED)], strict=True)
    )
    counted = Counted()
    for found in (*by_seat, *by_cards):
        judged(found, course, endings, counted)
    for some in (by_seat, by_cards):
        for first, second in combinations(some, 2):
            agree(first, second)
    for found in (*by_seat[:1], *by_cards[:1]):
        told(found, course, counted)
    return counted


def reviewed(game: Game, by: str, seed: int, budget: int) -> review.Review:
    """Its review; otherwise than before a release with a twelfth of the budget."""
    return review.analyze(game, by=by, seed=seed, budget=tried(budget // 12, budget), positions=tried(POSITIONS // 4, POSITIONS))


class Counted:
    """How much was looked at."""

    def __init__(self) -> None:
        self.by: dict[str, int] = {}

    def add(self, name: str, many: int = 1) -> None:
        """So many more of these."""
        self.by[name] = self.by.get(name, 0) + many


def judged(found: review.Review, course: list[Watched], endings: Endings, counted: Counted) -> None:
    """Every decision and every sum, by the oracle."""
    game = found.game
    assert [one.ply for one in found.decisions] == list(range(game.ply))
    for one in found.decisions:
        slow, legal = course[one.ply], course[one.ply].legal()
        assert (one.seat, one.bout, one.legal_move_count) == (slow.actor, slow.bout, len(legal))
        assert str(one.move) in legal
        assert (one.verdict == "forced") == (len(legal) == 1)
        assert one.better_move is None or str(one.better_move) in legal
        counted.add(one.verdict)
        if one.loss_interval is not None:
            assert 0 <= one.loss_interval[0] <= one.loss <= one.loss_interval[1] <= 1
        if one.verdict == "mistake":
            assert one.loss > MISTAKE_THRESHOLD
        if one.verdict == "proved mistake" or one.value is not None:
            assert (one.value_after < one.value) == (one.verdict == "proved mistake")
            exact = endings.worth(one.ply)
            if exact is not None:
                counted.add("worked out")
                assert one.value == exact
                left = endings.worth(one.ply, str(one.move))
                assert left is not None and left <= one.value_after if one.is_exhaustive else left == one.value_after
                assert one.value == endings.worth(one.ply, str(one.better_move))
        if one.is_mistake:
            assert one.better_move != one.move
        if one.mistake_kind is not None:
            counted.add(f"kind {one.mistake_kind}")
            assert one.is_mistake
            assert one.mistake_kind == "seen" or bears_out(one.mistake_kind, one, slow), (one, slow.hands)
    for luck in found.luck.values():
        assert abs(luck.fair + luck.deal + luck.drawn + luck.own + luck.others - luck.result) < 1e-9
        assert luck.result == (luck.fair if not game.outcome.winners else float(luck.seat in game.outcome.winners))
    for point in found.chances:
        assert all(share is None or 0 <= share <= 1 for share in point.shares), point
        if None in point.shares:  # nothing is drawn any more but what all know, and two are not left, or more than was looked at
            assert set(point.shares) == {None}
            assert len(course[point.ply].talon) <= 2 + bool(course[point.ply].options["swaps"]) * 36


def agree(one: review.Review, other: review.Review) -> None:
    """What one calls best the other calls no mistake, and what is proved is the same."""
    for first, second in zip(one.decisions, other.decisions, strict=True):
        verdicts = {first.verdict, second.verdict}
        assert not ("best" in verdicts and verdicts & {"mistake", "proved mistake"}), (first, second)
        if first.value is not None or first.verdict == "forced":
            assert first == second


def told(found: review.Review, course: list[Watched], counted: Counted) -> None:
    """Every sentence, in three languages, told to everybody and to each seat."""
    game = found.game
    for seat in (None, *range(game.seats)):
        to = found.for_seat(seat)
        if to.main_turning_point is None:
            assert not [one for one in to.decisions if one.is_mistake and seat in (None, one.seat)]
            assert [fact.key for fact in to.headline_facts] == ["review.none.all" if seat is None else "review.none"]
        for turn in to.turning_points:
            holds(turn, seat, course)
        for language in LANGUAGES:
            assert well_said(to.sentence(language)), to.sentence(language)
            for turn in to.turning_points:
                for cards in ("words", "signs", "codes"):
                    voice = Translator(language, cards=cards, own_seat=seat)
                    for fact in turn.build_facts(seat):
                        said = voice.translate(fact.key, **fact.facts)
                        assert well_said(said) or said.endswith(":"), said
                        counted.add("sentences")
            panel = to.view_model(language)
            for said in strings(panel):
                assert not re.search(r"[{}]|None|nan|  ", said), said
                counted.add("sentences")
            points = [shares for *_, shares in panel["line"]["points"]]
            assert len(panel["line"]["said"]) == sum(share is not None for shares in points for share in shares)
            assert panel["decisions"]
            assert sum(len(some) for _, some in panel["decisions"]) == game.ply
    for language in LANGUAGES:
        assert not re.search(r"[{}]|None", re.sub(r"<style>.*?</style>", "", found.html(language)))


def strings(value: Any) -> Iterator[str]:
    """All that is said in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from strings(one)


def holds(turn: review.TurningPoint, seat: int | None, course: list[Watched]) -> None:
    """Each fact that is told of a turning point."""
    one, facts = turn.decision, turn.build_facts(seat)
    slow, after = course[one.ply], course[one.ply + 1]
    line = iter(())
    if turn.refutation_facts:
        line = iter(refuted(turn, slow))
    for place, fact in enumerate(facts):
        key, said = fact.key, fact.facts
        if key in {"review.had.won", "review.had.draw"}:
            assert (one.value, said["who"], said["bout"]) == (1 if key.endswith("won") else 0, Seat(one.seat), slow.bout)
        elif key == "review.gift":
            assert turn.beneficiary == seat != one.seat
            assert (said["who"], said["whom"], said["bout"]) == (Seat(one.seat), Seat(seat), slow.bout)
            assert slow.is_in(seat)
            assert slow.side(seat) != slow.side(one.seat)
            assert one.value_after < one.value
        elif key == "review.gave.cards":
            assert [str(card) for card in said["cards"]] == (gone(one.move) or names(one.move)[1])
            assert all(card[:2] in slow.hands[one.seat] for card in map(str, said["cards"]))
        elif key.startswith("review.gave."):
            assert key == f"review.gave.{one.move}"
        elif key == "review.cost":
            assert (said["bout"], said["percent"]) == (slow.bout, round(100 * one.loss))
            assert (deed(said["said"]), said["said"].facts["who"]) == (str(one.move), Seat(one.seat))
            assert said["percent"] >= 100 * MISTAKE_THRESHOLD
        elif key == "review.better":
            assert (
                f"{said['said'].key.removeprefix('advice.')} {' '.join(map(str, said['said'].facts.get('cards', ())))}".strip()
                in slow.legal()
            )
        elif key.startswith("review.outright."):
            assert one.is_exhaustive
            assert one.world_count > 1
            assert one.best_share == (
                1 if key.endswith("won") else review.decisions.WinShareScale.from_rules(turn.position.rules).fair_share
            )
        elif key == "review.kind.seen":
            assert seen_well(one, slow, said["who"].number, said["card"]), (one, said)
        elif key.startswith("review.kind."):
            assert key == f"review.kind.{one.mistake_kind}"
        elif key == "review.then":
            assert turn.refutation_facts
        elif key.startswith("past.") and place < len(turn.build_headline(seat)):
            assert deed(fact) == str(one.move)
            assert said["who"] == Seat(one.seat)
            assert after.bout >= slow.bout
        else:
            assert fact == next(line), fact
    assert next(line, None) is None


def deed(fact: Any) -> str:
    """What was done, as a move."""
    return " ".join((fact.key.removeprefix("deed.").removeprefix("past."), *map(str, fact.facts.get("cards", ()))))


def refuted(turn: review.TurningPoint, slow: Watched) -> list[Any]:
    """How a mistake is refuted: each move of it may be played, nobody holds what he is said not to, and it ends as it is said to. The facts that were looked at."""
    one, told = turn.decision, turn.refutation_facts
    moves = endgame.refute(turn.position, one.move, budget=POSITIONS).line
    assert moves[0] == one.move
    there = slow.branch()
    there.options = {**slow.options, "repetition": None}
    course, deeds = [there], []
    for move in moves:
        there = course[-1].branch()
        seat = there.actor
        there.play(str(move))  # which asserts that it may be played
        course.append(there)
        if move.verb != "pass":
            deeds.append((seat, str(move)))
    said = [(fact.facts["who"].number, deed(fact)) for fact in told if fact.key.startswith("deed.")]
    assert said == deeds[len(deeds) - len(said) :]
    assert len(said) == len(deeds) - (one.move.verb != "pass")
    for fact in told:
        if fact.key == "theory.unbeatable":
            who, card = fact.facts["who"].number, str(fact.facts["card"])
            place = next(i for i, move in enumerate(moves) if str(move).endswith(f" {card}") and course[i].actor != who)
            assert course[place + 1].defender == who
            assert not any(course[place + 1].beats(held, card) for held in course[place + 1].hands[who])
    over, last = course[-1].outcome(), told[-1]
    if over is None:
        assert last.key == "theory.again"
        assert one.value_after == 0
        assert again(course)
    else:
        assert (one.seat in over["winners"]) - (one.seat in over["losers"]) == one.value_after
        inner = last.facts["said"]
        assert inner.key.startswith("outcome.")
        if over["fool"] is not None:
            assert inner.facts["who"] == Seat(over["fool"])
        elif over["winners"]:
            assert [seat.number for seat in inner.facts["who"]] == over["winners"]
    return told
