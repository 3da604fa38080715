"""The bot of the problem set: every bot of habits played once more by the rules of text 003 alone, and the goal the same work on every pack of deals."""

from __future__ import annotations

from itertools import product

import pytest
from class431 import RANKS, tasks
from econ431_later import Now, moves

from durak_widget import Game
from durak_widget.board.refusing import RefusedError
from durak_widget.bots import get
from durak_widget.classroom.credit import credit
from durak_widget.classroom.econ431.games import GOAL, PAIRS
from durak_widget.classroom.econ431.kinds import kinds
from durak_widget.lessons.habits import HABITS, Habits
from durak_widget.lessons.paired import Pairs, play_pairs

ALL = [Habits(*rules) for rules in product(*HABITS.values())]


def dealt(seed: str) -> tuple[Now, str]:
    """The deal of a game before its first move, and its trump suit: the only thing that is asked of the package."""
    game = Game("econ431", seed=seed)
    one, two = (frozenset(map(str, hand)) for hand in game.hands)
    return Now((one, two), tuple(map(str, game.talon)), game.attacker, size=5), str(game.trump)


def won(habits: Habits, seat: int, seed: str) -> bool:
    """Whether the bot of these habits wins against the bot that plays the first card there is."""
    now, trump = dealt(seed)
    while now.winner is None:
        ways = moves(now, trump)
        actor = 1 - now.attacker if now.waiting else now.attacker
        cards = sorted((move.split()[-1] for move in ways if " " in move), key=lambda card: ("cdhs".index(card[1]), RANKS.index(card[0])))
        chosen = chooses(habits, now, trump, cards) if actor == seat else "".join(cards[:1])
        now = next(then for move, then in ways.items() if (move.split()[-1] if " " in move else "") == chosen)
    return now.winner == seat


def chooses(habits: Habits, now: Now, trump: str, cards: list[str]) -> str:
    """The card that is played by these habits, as their words say; nothing for taking or going no further."""

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


@pytest.mark.parametrize("lead", HABITS["lead"])
def test_every_bot_of_habits_wins_what_the_rules_of_the_text_say(lead: str):
    """Each on three deals of a student's own, from both seats, and the careful ones on all sixty."""
    for number, habits in enumerate(one for one in ALL if one.lead == lead):
        seed = tasks("bot")[number].instance.seed
        deals = PAIRS if habits == Habits("low", "low", "never", "plain") else 3
        score = play_pairs(habits, Pairs("econ431", "first", deals, seed))
        assert score.won == sum(won(habits, seat, f"{seed} {deal}") for deal in range(deals) for seat in (0, 1)), habits
        assert (score.won + score.lost, score.faults) == (2 * deals, ())


def test_on_every_pack_of_deals_the_goal_is_the_same_work():
    """What careful habits win there is the goal or little more; so clicks earn everything."""
    assert len(kinds("packs")) >= 40
    assert len({task.instance.seed for task in tasks("bot")}) >= 35
    for seed in kinds("packs")[::6]:
        score = play_pairs(Habits("low", "low", "never", "plain"), Pairs("econ431", "first", PAIRS, seed))
        assert GOAL <= score.won <= GOAL + 5
    for task in tasks("bot")[:3]:
        assert task.answer(task.solution)
        assert credit(task) == 1


def test_a_bot_that_there_is_already_is_no_answer():
    """By its name or as itself; the question says so, and nothing is kept of it."""
    task = tasks("bot")[0]
    task.again()
    assert "of your own" in task.question
    for bot in ("careful", "first", get("careful")):
        with pytest.raises(RefusedError, match="of your own"):
            task.answer(bot)
    assert task.given is None
    assert not task.tries
    task.answer({"code": "def choose(view):\n    return view.legal_moves()[0]"})
    assert credit(task) == 0
    task.again()
