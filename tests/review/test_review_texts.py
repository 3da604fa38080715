"""Test the texts of a review: each is checked with the engine in three languages, and seeds never contradict."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest

from durak_widget import DurakError, Match, PositionError, bots, review
from durak_widget.analysis import endgame
from durak_widget.exercises import goals
from durak_widget.i18n import LANGUAGES, Seat, Translator
from durak_widget.lessons import Position
from durak_widget.review.decisions import MISTAKE_THRESHOLD, VERDICTS
from durak_widget.review.luck_and_skill import TITLE_THRESHOLDS, BoutChances, Skill
from durak_widget.review.review_report import build_line_notes
from durak_widget.review.turning_points import GIFT_LOSS, MISTAKE_KINDS, classify_mistake
from support.reviewed import SMALL, game_from_position, play_reviewed_game, reviewed_game
from support.sizes import tried
from support.spoken import english_text, is_complete_sentence

RULES = (SMALL, "perevodnoy", "podkidnoy, players=3")
GAMES = [(rules, seed) for rules in RULES for seed in range(1, 1 + tried(1, 200))]


def test_every_decision_has_a_known_verdict() -> None:
    """Its loss is in its interval, a better move is legal, and the kind is true."""
    for rules, seed in GAMES:
        game = play_reviewed_game(rules, seed)
        found = reviewed_game(rules, seed)
        assert [decision.ply for decision in found.decisions] == list(range(game.ply))
        for decision in found.decisions:
            before = decision.position
            assert (before.actor, before.bout, before.ply) == (decision.seat, decision.bout, decision.ply)
            assert decision.verdict in VERDICTS
            assert decision.move in before.legal_moves()
            assert decision.legal_move_count == len(before.legal_moves())
            assert (decision.legal_move_count == 1) == (decision.verdict == "forced")
            if decision.loss_interval is not None:
                assert 0 <= decision.loss_interval[0] <= decision.loss <= decision.loss_interval[1] <= 1
            if decision.is_mistake:
                assert decision.better_move in before.legal_moves()
                assert decision.better_move != decision.move
                assert decision.mistake_kind == classify_mistake(
                    before.view(decision.seat),
                    decision.move,
                    decision.better_move,
                    is_proved=decision.verdict == "proved mistake",
                )
                assert decision.mistake_kind in (*MISTAKE_KINDS, None)


def test_every_sentence_is_complete_and_true() -> None:
    """Test three card notations. Wins, escapes, and silence where nothing was found are checked."""
    heard = 0
    ways = [("en", "words"), ("lt", "codes"), ("ru", "signs")]
    for rules, seed in GAMES:
        for seat in (None, *range(play_reviewed_game(rules, seed).seats)):
            found = reviewed_game(rules, seed).for_seat(seat)
            for turn in found.turning_points:
                facts = turn.build_facts(seat)
                for language, cards in ways:
                    voice = Translator(language, cards=cards, own_seat=seat)
                    for fact in facts:
                        sentence = voice.translate(fact.key, **fact.facts)
                        assert is_complete_sentence(sentence) or sentence.endswith(":"), sentence
                heard += len(facts)
                check_turning_point(turn, seat)
            assert all(is_complete_sentence(found.sentence(language)) for language in LANGUAGES)
            if not any(decision.is_mistake and seat in (None, decision.seat) for decision in found.decisions) and not found.turning_points:
                assert [fact.key for fact in found.headline_facts] in (["review.none"], ["review.none.all"])
            for language in LANGUAGES:
                assert all(re.search(r"[{}]|None", skill.to_text(language)) is None and skill.title(language) for skill in found.skill)
    assert heard > 20


def check_turning_point(turn: review.TurningPoint, seat: int | None) -> None:
    """Check the text on a turning point."""
    decision, before = turn.decision, turn.position
    keys = [fact.key for fact in turn.build_headline(seat)]
    facts_by_key = {fact.key: fact.facts for fact in turn.build_facts(seat)}
    assert facts_by_key["review.better"]["said"].key == f"advice.{decision.better_move.verb}"
    if not turn.is_proved:
        assert keys == ["review.cost"]
        cost = facts_by_key["review.cost"]
        assert (cost["said"].key, cost["said"].facts["who"]) == (f"past.{decision.move.verb}", Seat(decision.seat))
        assert (cost["bout"], cost["who"], cost["percent"]) == (before.bout, Seat(decision.seat), round(100 * decision.loss))
        return
    if decision.is_exhaustive:  # `test_proved_mistakes.py` checks the proof
        assert before.talon
        assert decision.world_count == 1 or f"review.outright.{'won' if decision.value else 'draw'}" in facts_by_key
        return
    ending = endgame.solve_endgame(before)
    assert ending.move_values[decision.move] < ending.value == ending.move_values[decision.better_move]
    if keys[0] == "review.gift":
        assert seat in before.seats_in
        assert seat != decision.seat
        assert facts_by_key["review.gift"]["whom"] == Seat(seat)
    else:
        assert keys[0] == ("review.had.won" if ending.value == 1 else "review.had.draw")
        assert facts_by_key[keys[0]] == {"who": Seat(decision.seat), "bout": before.bout}
    if turn.refutation_facts:
        after = before.copy()
        for move in endgame.refute(before, decision.move).line:
            after.play(move)
        if after.outcome is not None:
            assert (decision.seat in after.outcome.losers) == (decision.value_after == -1)


def test_a_given_away_win_is_described_to_each_player() -> None:
    """The loser, the player who escaped and others get their own text; the winner reads of the gift."""
    game = game_from_position("Qh Ks | Kh Kc; trump h", "attack Ks", "beat Ks Kh", "attack Kc", "take")
    assert review.analyze(game, 1, by="all cards").sentence("en") != review.analyze(game, 0, by="all cards").sentence("en")
    tie = game_from_position("Qh Ks | Kh Kc; trump h", "attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh")
    sentences = {seat: review.analyze(tie, seat, by="all cards").sentence("en") for seat in (None, 0, 1)}
    for seat in (0, None):
        had = Translator("en", own_seat=seat).translate("review.had.won", bout=2, who=Seat(0))
        assert sentences[seat].startswith(had)
        assert "the king of spades" in sentences[seat]
    assert sentences[1] == Translator("en", own_seat=1).translate("review.none", who=Seat(1))
    gift = review.analyze(tie, 1, by="all cards").turning_points[0]
    said = Translator("en", own_seat=1).translate("review.gift", bout=2, who=Seat(0), whom=Seat(1))
    assert gift.to_text("en", me=1).startswith(english_text("past.attack", who=f"{said} Player 1", cards="the king of spades"))
    assert gift.to_text("ru", me=1).startswith(Translator("ru", own_seat=1).translate("review.gift", bout=2, who=Seat(0), whom=Seat(1)))
    won = ((seed, seat) for seed in range(25) for seat in (0, 1) if seat in play_reviewed_game(SMALL, seed).outcome.winners)
    gifts = (review.analyze(play_reviewed_game(SMALL, seed), seat, budget=0) for seed, seat in won)
    assert any("review.gift" in {fact.key for fact in found.headline_facts} for found in gifts)


def test_everything_after_a_pass_is_described() -> None:
    """The pass is mentioned already, but what follows must not be left out."""
    then = ("attack Td", "beat Td Th", "pass", "attack Kc", "take", "attack Jd", "take", "attack Ac", "take")
    game = game_from_position("Th Tc Td | Ac Jd Kc; trump h; attacker 0", "attack Th", "take", "pass", *then)
    turn = next(
        turn for turn in review.analyze(game, by="all cards").turning_points if turn.decision.move.verb == "pass" and turn.refutation_facts
    )
    line_of = endgame.refute(turn.position, turn.decision.move).line
    deeds = [fact for fact in turn.refutation_facts if fact.key.startswith("deed.")]
    assert [fact.key for fact in deeds] == [f"deed.{move.verb}" for move in line_of if move.verb != "pass"]
    assert deeds[0].facts["who"] == Seat(1)


@pytest.mark.slow
def test_a_turning_point_can_be_played_again() -> None:
    """The position before it becomes an exercise of getting out; the move made misses the goal."""
    tried_again = 0
    for seed in range(30):
        game = play_reviewed_game(SMALL, seed)
        for turn in review.analyze(game, budget=0).turning_points:
            decision = turn.decision
            if decision.value != 1 or decision.is_exhaustive:
                continue
            goal, before = goals.get_out(), turn.position
            assert goal.reachability.is_reachable(before, decision.seat)
            after = before.copy()
            after.play(decision.move)
            assert not goal.reachability.is_reachable(after, decision.seat)
            try:
                task = Position(before, goal, solution=solution(before, decision.seat), seat=decision.seat)
            except DurakError:  # the bots of the lesson reply otherwise
                continue
            assert task.question
            tried_again += 1
        if tried_again > 1:
            return
    pytest.fail("too few cases of this kind were met")


def solution(game: object, seat: int) -> list[str]:
    """Return a seat's winning moves against an opponent who plays the first legal move."""
    game, found = game.copy(), []
    while game.outcome is None and seat not in game.places:
        if game.actor == seat:
            move = goals.get_out().reachability.find_move(game, seat)
            found.append(str(move))
        else:
            move = game.legal_moves()[0]
        game.play(move)
    return found


def test_the_review_page_and_its_chart_are_self_contained() -> None:
    """There are no scripts or external files. The chart is valid, with turns and bouts, and rows are plain."""
    game = play_reviewed_game("perevodnoy, players=3", 2)
    found = review.analyze(game, 0, budget=6_000)
    for language in LANGUAGES:
        page, svg = found.html(language), found.svg(language)
        assert svg in page
        assert not re.search(r"<script|<link|src=|@import|url\(", page)
        assert not re.search(r"[{}]", re.sub(r"<style>.*?</style>", "", page))
        drawing = ET.fromstring(svg)  # noqa: S314 - our own
        assert sum(element.tag.endswith("path") for element in drawing.iter()) == len(found.turning_points)
        assert sum(element.tag.endswith("circle") for element in drawing.iter()) == sum(
            chance.shares[0] is not None for chance in found.chances
        )
    rows = found.rows()
    assert len(rows) == game.ply
    assert all(isinstance(value, (int, float, str, type(None))) for row in rows for value in row.values())
    starts = [end.ply for end in game.view(0).bout_ends]
    assert [chance.ply for chance in found.chances][1:] == starts
    assert found.chances[-1].shares == tuple(1.0 if seat in game.outcome.winners else 0.0 for seat in range(3))


@pytest.mark.slow
def test_chances_in_endings_are_exact() -> None:
    """A proved winner has 100, and a player who is out can't be the fool."""
    exact = 0
    for seed in range(8):
        game = play_reviewed_game("podkidnoy, players=3", seed)
        found = review.analyze(game, budget=100)
        for point in found.chances[:-1]:
            there = game.copy()
            there.goto(point.ply)
            if found.decisions[point.ply].value is not None:
                ending = endgame.solve_endgame(there)
                if ending.value:
                    assert point.shares[ending.seat] == float(ending.value > 0)
                    assert all(point.shares[seat] == 1.0 for seat in range(3) if seat not in there.seats_in)
                    exact += 1
        if exact > 3:
            return
    pytest.fail("too few cases of this kind were met")


def test_the_stated_number_of_worlds_is_the_number_tried() -> None:
    """There is a limit per move; slow worlds are fewer, and exact results state none."""
    swaps = "podkidnoy, swaps=3, ranks=9TJQKA, suits=ch, hand_size=3"
    for rules, budget in ((SMALL, 500), (swaps, 200_000)):
        found = review.analyze(play_reviewed_game(rules, 1), budget=budget)
        tried_in = {decision.world_count for decision in found.decisions}
        assert found.world_count == max(tried_in) > 0
        assert english_text("review.how.seat", worlds=str(found.world_count)) in found.html("en")
    exact = review.analyze(game_from_position("Qh | 7c; trump h", "attack Qh", "take"))
    assert (exact.world_count, exact.view_model("en")["method"]) == (
        0,
        english_text("review.how.exact.seat"),
    )


@pytest.mark.slow
def test_a_chance_is_a_share_or_unknown() -> None:
    """Estimates from few worlds stay in bounds. With an empty talon and no proof none is given."""
    carried = unknown = 0
    for seed in range(12):
        game = play_reviewed_game("transfer, players=4", seed)
        found = review.analyze(game, budget=400)
        for point in found.chances[:-1]:
            there = game.copy()
            there.goto(point.ply)
            carried += any(not 0 <= found._timeline.shares[seat][point.ply] <= 1 for seat in range(4))
            assert all(share is None or 0 <= share <= 1 for share in point.shares)
            if None in point.shares:
                unknown += 1
                assert point.shares == (None,) * 4
                assert len(there.talon) < 3
        if carried and unknown > 1:
            return
    pytest.fail("too few cases of this kind were met")


def test_progress_is_reported_and_matches_are_reviewed_by_game() -> None:
    """Steps count up to their total, and a match is refused with instructions."""
    match, heard = Match(SMALL, seed=1), []
    while match.game.outcome is None:
        match.game.play(match.game.legal_moves()[0])
    review.analyze(match.games[0], budget=50, on_progress=lambda done, whole: heard.append((done, whole)))
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert heard[-1][0] == heard[-1][1]
    assert len({whole for _, whole in heard}) == 1
    assert len(heard) > match.game.ply
    with pytest.raises(PositionError, match=r"match\.games\[-1\]"):
        review.analyze(match)
    back = match.game.copy()
    back.goto(1)
    assert review.analyze(back, budget=50).rows() == review.analyze(match.game, budget=50).rows()


def test_each_title_has_a_measured_bot() -> None:
    """The docs' table has the thresholds; changing one requires new measurements."""
    page = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| ([−\d.]+) ± [\d.]+ \| [\d,]+ \| (.+) \|$", page, re.MULTILINE)
    assert len(rows) == 10
    assert [Skill(0, 1000, 10 * float(lost.replace("−", "-")), 1.0, 0, 0).title() for _, lost, _ in rows] == [title for *_, title in rows]
    assert len({title for *_, title in rows}) == len(TITLE_THRESHOLDS) + 1
    assert {name for name, *_ in rows} > {person.key for person in bots.people()}


def test_better_players_get_better_titles() -> None:
    """Over some games, errors cost more per move, and titles follow."""
    often, never = (
        sum(
            (review.analyze(play_reviewed_game(SMALL, seed, errs), budget=4_000).skill[0] for seed in range(3)), Skill(0, 0, 0.0, 0.0, 0, 0)
        )
        for errs in (0.6, 0.0)
    )
    assert never.mean_loss < often.mean_loss
    assert never.rank > often.rank
    assert never.decision_count > 10
    assert 0 < often.standard_error < often.mean_loss
    assert [Skill(0, 100, lost, 1.0, 0, 0).rank for lost in (20.0, 5.0, 4.0, 3.0, 1.0, 0.2)] == list(range(6))


@pytest.mark.slow
def test_a_mistake_without_a_drop_in_the_chart_is_explained() -> None:
    """The chart answers another question. If it drops at each mistake, no note appears."""
    heard: set[str] = set()
    for seed in range(12):
        for by in ("what it knew", "all cards"):
            found = review.analyze(play_reviewed_game(SMALL, seed), by=by, budget=1_000)
            line = {point.ply: point.shares for point in found.chances}
            flat = False
            for decision in found.decisions:
                before, after = max(ply for ply in line if ply <= decision.ply), min(ply for ply in line if ply > decision.ply)
                if decision.is_mistake and None not in (line[before][decision.seat], line[after][decision.seat]):
                    flat |= line[before][decision.seat] - line[after][decision.seat] < MISTAKE_THRESHOLD
            notes = {language: found.view_model(language)["chart"]["note"] for language in LANGUAGES}
            assert all(bool(words) == flat for words in notes.values())
            assert all(words in unescape(found.html(language)) for language, words in notes.items())
            heard.add(notes["en"])
        if len(heard) == 3:
            return
    pytest.fail("too few cases of this kind were met")


@pytest.mark.slow
def test_an_opponents_expensive_mistake_is_described_too() -> None:
    """There are two players left, proved or not. It follows yours, and cheap ones are left out."""
    described = 0
    for seed in range(6):
        found = review.analyze(play_reviewed_game("podkidnoy", seed, 0.4), budget=40_000)
        for seat in (0, 1):
            turns = found.for_seat(seat).turning_points
            others = [turn.decision for turn in turns if turn.decision.seat != seat]
            assert all(other_decision.verdict == "proved mistake" or other_decision.loss >= GIFT_LOSS for other_decision in others)
            assert {other_decision.ply for other_decision in others} == {
                decision.ply
                for decision in found.decisions
                if decision.seat != seat and decision.is_mistake and (decision.verdict == "proved mistake" or decision.loss >= GIFT_LOSS)
            }
            described += sum(other_decision.verdict == "mistake" for other_decision in others)
        if described > 1:
            return
    pytest.fail("too few cases of this kind were met")


@pytest.mark.parametrize(
    ("shares", "is_explained"),
    [((0.5, 0.82), True), ((0.5, 0.44), True), ((0.5, 0.1), False), ((0.5, None, 0.82), True), ((0.5, None, 0.1), False)],
)
def test_a_curve_that_hardly_falls_at_a_mistake_is_explained(shares: tuple[float | None, ...], is_explained: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Also where the chance is unknown in between, and where the curve falls far less than the mistake cost."""
    points = [BoutChances(bout, 10 * bout, (share, None)) for bout, share in enumerate(shares)]
    decision = SimpleNamespace(seat=0, ply=4, loss=0.29)
    told = build_line_notes(SimpleNamespace(chances=points, turning_points=[SimpleNamespace(decision=decision)], basis_key="seat"))
    assert bool(told) == is_explained
