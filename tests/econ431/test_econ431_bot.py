"""Test the bot question: bots of habits played again by text 003 alone, equal goals, and different right answers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from econ431_games import Now, moves
from econ431_students import RANKS, tasks

from durak_widget import Game
from durak_widget.bots import get
from durak_widget.econ431.bot_question import GOAL_MARGIN, PAIR_COUNT, DealPack
from durak_widget.econ431.endgame_positions import load_endgames
from durak_widget.exercises.duplicate_bot_games import PairedGames, play_paired_games
from durak_widget.exercises.habit_bot import HABITS, HabitBot, parse_habits
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.i18n import LANGUAGES, get_language
from durak_widget.translated_errors import RefusedError
from support.sizes import tried
from support.spoken import english

ALL = [HabitBot(*rules) for rules in product(*HABITS.values())]
PACKS = [DealPack.from_line(line) for line in load_endgames("packs")]


def dealt(seed: str) -> tuple[Now, str]:
    """Return a deal before the first move, and its trump suit. Only this comes from the package."""
    game = Game("econ431", seed=seed)
    first, two = (frozenset(map(str, hand)) for hand in game.hands)
    return Now((first, two), tuple(map(str, game.talon)), game.attacker, size=5), str(game.trump)


def wins_game(habits: HabitBot, other: HabitBot, seat: int, seed: str) -> bool:
    """Return whether the bot of these habits beats the other."""
    now, trump = dealt(seed)
    while now.winner is None:
        ways = moves(now, trump)
        actor = 1 - now.attacker if now.waiting else now.attacker
        cards = sorted((move.split()[-1] for move in ways if " " in move), key=lambda card: ("cdhs".index(card[1]), RANKS.index(card[0])))
        chosen = choose_card(habits if actor == seat else other, now, trump, cards)
        now = next(then for move, then in ways.items() if (move.split()[-1] if " " in move else "") == chosen)
    return now.winner == seat


def choose_card(habits: HabitBot, now: Now, trump: str, cards: list[str]) -> str:
    """Return the card that these habits choose, by their description, or None to pick up or stop."""

    def dear(card: str) -> tuple[bool, int]:
        return card[1] == trump, RANKS.index(card[0])

    if not cards:
        return ""
    plain = [card for card in cards if card[1] != trump]
    if not now.waiting and not now.pairs:
        twice = [card for card in plain if sum(card[0] == other[0] for other in plain) > 1]
        trumps = [card for card in cards if card not in plain]
        if habits.lead == "high":
            return max(plain or cards, key=dear)
        return min({"low": cards, "pair": twice or cards, "trump": trumps or cards}[habits.lead], key=dear)
    if not now.waiting:
        low = min(cards, key=dear)
        return "" if now.talon and (habits.throw == "none" or (habits.throw == "plain" and low[1] == trump)) else low
    if habits.beat == "high":
        best = max(cards, key=dear)
    else:
        there = {card[0] for card in now.lying}
        known = [card for card in cards if card[0] in there] if habits.beat == "rank" else []
        best = min(known or cards, key=dear)
    spends = best[1] == trump != now.waiting[1]
    takes = {"never": False, "trump": spends, "often": not now.pairs}[habits.take]
    return "" if now.talon and takes else best


@pytest.mark.slow
@pytest.mark.parametrize("lead", HABITS["lead"])
@pytest.mark.sample(4)
def test_bots_of_habits_win_the_games_that_text_003_says(lead: str):
    """Each plays three of a student's deals from both sides against that student's opponent; the best play all sixty."""
    for number, habits in enumerate(own_habits for own_habits in ALL if own_habits.lead == lead):
        asked = tasks("bot")[number]
        seed, other = asked.paired_games.seed, parse_habits(asked.paired_games.opponent)
        deals = PAIR_COUNT if number == HABITS["lead"].index(lead) else 3
        bot = parse_habits(asked.solution) if deals == PAIR_COUNT else habits
        score = play_paired_games(bot, asked.paired_games._replace(deals=deals))
        assert score.won == sum(wins_game(bot, other, seat, f"{seed} {deal}") for deal in range(deals) for seat in (0, 1)), bot
        assert (score.won + score.lost, score.faults) == (2 * deals, ())


def earned_share(pack: DealPack, habits: HabitBot) -> float:
    """Return the credit of these habits on these deals."""
    games = play_paired_games(habits, PairedGames("econ431", pack.opponent.to_line, PAIR_COUNT, pack.seed)).won
    return min(max((games - pack.base_points) / (pack.max_points - GOAL_MARGIN - pack.base_points), 0), 1)


@pytest.mark.slow
def test_the_best_habits_win_the_stored_number_of_games():
    """One pack of every kind of opponent is played. The answers from the key earn full marks."""
    assert len(PACKS) >= 40
    for pack in {pack.opponent[:2]: pack for pack in PACKS}.values():
        assert (
            play_paired_games(pack.best_habits, PairedGames("econ431", pack.opponent.to_line, PAIR_COUNT, pack.seed)).won == pack.max_points
        )
    for task in tasks("bot")[:3]:
        assert task.answer(task.solution)
        assert compute_credit(task) == 1


@pytest.mark.release
@pytest.mark.parametrize("pack", PACKS[::9], ids=lambda pack: pack.seed)
def test_a_few_habits_reach_the_goal_and_random_ones_earn_an_eighth(pack: DealPack):
    """All 108 play; one to five reach the goal. None beats the best."""
    found = [play_paired_games(habits, PairedGames("econ431", pack.opponent.to_line, PAIR_COUNT, pack.seed)).won for habits in ALL]
    assert (max(found), ceil((Fraction(sum(found), len(found)) + max(found)) / 2)) == (pack.max_points, pack.base_points)
    assert 1 <= sum(games >= pack.max_points - GOAL_MARGIN for games in found) <= 5
    assert (
        sum(min(max((games - pack.base_points) / (pack.max_points - GOAL_MARGIN - pack.base_points), 0), 1) for games in found) / len(found)
        <= 0.15
    )


def test_the_goal_is_equally_hard_on_every_pack():
    """It is about as far above the base, which is halfway between random and best play: 16 to 30 of 120 games."""
    assert all(16 <= pack.max_points - GOAL_MARGIN - pack.base_points <= 30 for pack in PACKS)
    for task in tasks("bot"):
        pack = next(pack for pack in PACKS if pack.seed == task.paired_games.seed)
        assert (task.goal, parse_habits(task.paired_games.opponent), parse_habits(task.solution)) == (
            pack.max_points - GOAL_MARGIN,
            pack.opponent,
            pack.best_habits,
        )


def test_right_habits_and_opponents_differ_among_students():
    """No habits are best for more than a quarter of students, and rules are listed in different orders."""
    rights = Counter(parse_habits(task.solution) for task in tasks("bot"))
    assert len(rights) >= tried(7, 10)
    assert max(rights.values()) <= 50
    assert len({task.paired_games.opponent for task in tasks("bot")}) >= tried(12, 20)
    assert len({task.paired_games.seed for task in tasks("bot")}) >= tried(20, 35)
    topmost = Counter(tuple(rules[0][0] for _, rules in task._translate_rows()) for task in tasks("bot"))
    assert len(topmost) >= tried(30, 80)


@pytest.mark.slow
def test_clicking_the_same_row_everywhere_earns_almost_nothing():
    """It earns no more than random choices on average, and almost never full marks."""
    for place in (0, -1):
        shares = []
        for task in tasks("bot")[place % 12 :: 12]:
            pack = next(pack for pack in PACKS if pack.seed == task.paired_games.seed)
            shares.append(earned_share(pack, parse_habits([rules[place][0] for _, rules in task._translate_rows()])))
        assert sum(share == 1 for share in shares) <= 2
        assert sum(shares) / len(shares) <= 0.2


@pytest.mark.release
def test_good_habits_without_looking_at_the_opponent_earn_three_quarters():
    """In revision 1, at most a quarter of students get full marks by the same answer."""
    shares = [earned_share(pack, HabitBot("low", "low", "never", "all")) for pack in PACKS]
    assert 0.7 < sum(shares) / len(shares) < 0.8
    assert sum(share == 1 for share in shares) <= len(shares) / 4


def test_the_opponent_is_described_in_words():
    """All four habits are described in every language."""
    for task in tasks("bot")[:20]:
        for code in LANGUAGES:
            say = get_language(code).sentences
            task.language = code
            for habit, rule in parse_habits(task.paired_games.opponent)._asdict().items():
                assert say[f"lesson.bot.it.{habit}.{rule}"] in task.question
        task.language = "en"


def test_an_existing_bot_is_not_accepted_as_an_answer():
    """Names and bot objects are refused with a message, and nothing is kept."""
    task = tasks("bot")[0]
    task.restart()
    assert english("lesson.bot.own").search(task.question)
    for bot in ("careful", "first", get("careful")):
        with pytest.raises(RefusedError, match=english("lesson.bot.own")):
            task.answer(bot)
    assert task.last_answer is None
    assert not task.attempt_count
    task.answer({"code": "def choose(view):\n    return view.legal_moves()[0]"})
    assert compute_credit(task) == 0, "who always makes the first move is not good enough"
    task.restart()
