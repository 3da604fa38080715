"""Test the coach's comments: they are true, each reason appears at most twice, and the rest is silence."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from durak_widget import DurakError, Game, Move
from durak_widget.analysis import endgame
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.i18n import Translator
from durak_widget.lessons import Guided
from durak_widget.lessons.coached_game import TOPICS, comment_on_choice
from support.sizes import tried
from support.spoken import english_text

TALON = {"trump": "s", "talon": "8c 8h 9h 8s"}
DECK = [f"{rank}{suit}" for suit in "cdhs" for rank in "6789TJQKA"]


def coach_text(move: str, rules: str = "podkidnoy", **placed: object) -> str:
    """Return the coach's text on a choice of seat 0."""
    found = comment_on_choice(Game.from_position(rules, **placed).view(0), Move(move))
    return "" if found is None else found.to_text(Translator(own_seat=0))


def ending(*hands: str, trump: str = "h") -> Game:
    """Return an ending of two players; all other cards are gone."""
    held = " ".join(hands).split()
    return Game.from_position(hands=list(hands), trump=trump, discard=" ".join(card for card in DECK if card not in held))


DEFENDING = {"hands": ["Qc 7d Qs", "6d 8d"], "table": "6c", "attacker": 1, **TALON}


CHOICES = [
    ("beat 6c Qs", DEFENDING, english_text("lesson.coach.dear.trump", by="the queen of clubs", card="the queen of spades")),
    ("beat 6c Qc", DEFENDING, ""),
    ("take", DEFENDING, english_text("lesson.coach.dear.take", card="the queen of clubs", target="the 6 of clubs")),
    (
        "beat 6c Ac",
        {**DEFENDING, "hands": ["9d Ac 7c", "6d 8d"], "talon": "Th Jh Jd"},
        english_text("lesson.coach.dear.beat", by="the 7 of clubs", card="the ace of clubs"),
    ),
    ("beat 6c 8c", {**DEFENDING, "hands": ["8c Ac 7c", "6d 8d"], "talon": "Th Jh Jd"}, ""),
    (
        "attack Ac",
        {"hands": ["6c Ac 7s", "6d 8d"], **TALON},
        english_text("lesson.coach.dear.open", by="the 6 of clubs", card="the ace of clubs"),
    ),
    (
        "attack 7s",
        {"hands": ["6c Ac 7s", "6d 8d"], **TALON},
        english_text("lesson.coach.dear.open.trump", by="the 6 of clubs", card="the 7 of spades"),
    ),
    ("attack 6c", {"hands": ["6c Ac 7s", "6d 8d"], **TALON}, ""),
    ("attack Kc", {"hands": ["6c Kc Kd", "6d 8d"], **TALON}, ""),
    (
        "throw 7s",
        {"hands": ["7s Ac", "6d 8d"], "table": "7c/9c", **TALON},
        english_text("lesson.coach.dear.throw", card="the 7 of spades"),
    ),
    ("pass", {"hands": ["7s Ac", "6d 8d"], "table": "7c/9c", **TALON}, english_text("lesson.coach.praise.keep")),
    ("pass", {"hands": ["7d Ac", "6d 8d"], "table": "7c/9c", **TALON}, ""),
]


def test_a_choice_is_compared_with_the_careful_player() -> None:
    """Test a trump for a plain card, an ace for a seven, and trumps thrown in or led early. Small losses get no text."""
    for move, placed, sentence in CHOICES:
        assert coach_text(move, **placed) == sentence


def test_an_expensive_card_of_a_rank_on_the_table_is_praised() -> None:
    """It lets nothing new be thrown in."""
    game = Game.from_position(hands=["8h Th Ah", "6d Jd"], table="6c/Tc 6h", attacker=1, trump="s", talon="8c")
    assert comment_on_choice(game.view(0), Move("beat 6h Th")).facts[0].key == "lesson.coach.praise.rank"
    assert comment_on_choice(game.view(0), Move("beat 6h 8h")) is None
    assert comment_on_choice(game.view(0), Move("beat 6h Ah")).kind == "expensive"


def test_giving_a_win_away_is_explained() -> None:
    """An exact search gives the refutation. Moves that keep the win are not judged by their price."""
    game = ending("Ks 7d", "9c Qd Kd")
    assert comment_on_choice(game.view(0), Move("attack 7d")).to_text(Translator(own_seat=0)) == (
        f"{english_text('table.coach.won', said='attack with the king of spades.')} {english_text('lesson.coach.gave.how')} {english_text('deed.beat', who='Player 2', target='the 7 of diamonds', card='the queen of diamonds')} {english_text('deed.attack', who='Player 2', cards='the 9 of clubs')} {english_text('theory.unbeatable.you', who='You', card='the 9 of clubs')} {english_text('deed.take.you', who='You')} {english_text('deed.attack', who='Player 2', cards='the king of diamonds')} {english_text('theory.unbeatable.you', who='You', card='the king of diamonds')} {english_text('deed.take.you', who='You')} {english_text('outcome.fool.you', who='You')}."
    )
    assert comment_on_choice(game.view(0), Move("attack Ks")) is None
    tie = ending("Qh Ks", "Kh Kc")
    assert comment_on_choice(tie.view(0), Move("attack Ks")).facts[0].key == "table.coach.won"
    assert comment_on_choice(tie.view(0), Move("attack Qh")) is None


def test_in_an_ending_only_moves_that_lose_value_are_criticized() -> None:
    """Test each move of some endings."""
    seen = Counter()
    for seed in range(tried(25, 60)):
        game, rng = Game(seed=seed), Random(seed)
        while game.outcome is None:
            if not game.talon and sum(map(len, game.hands)) <= 7 and len(game.legal_moves()) > 1:
                view, found = game.view(game.actor), endgame.solve_endgame(game)
                for move, value in found.move_values.items():
                    remark = comment_on_choice(view, move)
                    blamed = remark is not None and remark.kind == "expensive"
                    assert blamed is (value < found.value), (game, move)
                    seen[blamed] += 1
            usual = CarefulBot().choose(game.view(game.actor), rng)
            game.play(usual if rng.random() < 0.5 else rng.choice(game.legal_moves()))
    assert min(seen[True], seen[False]) > 10


def play_with_coach(coach: Guided, seed: int, silly: float = 0.5) -> list[str]:
    """Play a game with a coach, and return all counted reasons and the last text."""
    rng = Random(seed)
    while not coach.check():
        coach._let_others_move()
        game = coach.table.game
        if game.outcome is None:
            coach.answer(rng.choice(game.legal_moves()) if rng.random() < silly else CarefulBot().choose(game.view(0), rng))
    return [remark.reason for turn in coach._update_turns() for remark in turn.remarks if remark.reason]


@pytest.mark.parametrize(("rules", "about"), [("podkidnoy, players=3", ""), ("podkidnoy, players=3", "throw"), ("passport, players=3", "transfer"), ("teams", "teams")])  # fmt: skip
@pytest.mark.sample(2)
def test_each_reason_is_given_at_most_twice(rules: str, about: str) -> None:
    """This is so for whole games. A lesson on one topic says nothing on others."""
    for seed in range(3):
        coach = Guided(rules, seed=seed, about=about)
        reasons = play_with_coach(coach, seed)
        assert reasons
        assert max(Counter(reasons).values()) <= 2
        if about:
            rules_told = {
                key
                for key in reasons
                if key.rpartition(".")[2] in {"attack", "beat", "throw", "pass", "take", "transfer", "show", "taken", "beaten"}
            }
            topics = {key.removeprefix("lesson.coach.").split(".")[0] for key in rules_told} - {"missed", "dear", "praise"}
            assert topics <= TOPICS[about].explained_verbs


TOLD = [
    (
        "throw",
        "podkidnoy",
        {"hands": ["6c 6s Ac", "9c 8d Jd"], "trump": "h", "talon": "8c 8h"},
        ["attack 6c", "beat 6c 9c", "pass"],
        english_text("lesson.coach.missed.throw", card="the 6 of spades"),
    ),
    (
        "transfer",
        "perevodnoy",
        {"hands": ["6s 9c Ac", "6c 8d Jd"], "trump": "h", "talon": "8c 8h", "attacker": 1, "bout": 2},
        ["attack 6c", "beat 6c 9c"],
        english_text("lesson.coach.missed.transfer", card="the 6 of spades"),
    ),
    (
        "transfer",
        "passport",
        {"hands": ["6h 9c Ac", "6c 8d Jd"], "trump": "h", "talon": "8c 8h", "attacker": 1, "bout": 2},
        ["attack 6c", "take"],
        english_text("lesson.coach.missed.show", card="the 6 of hearts"),
    ),
    (
        "transfer",
        "perevodnoy",
        {"hands": ["6s 9c Ac", "6c 8d Jd"], "trump": "h", "talon": "8c 8h", "attacker": 1, "bout": 2},
        ["attack 6c", "transfer 6s"],
        english_text("lesson.coach.praise.transfer"),
    ),
    (
        "end",
        "podkidnoy",
        {"hands": ["7c 9s Ac Ad Kd Kc", "9c 8d Jd Jc Tc Td"], "trump": "h", "talon": "8c 8h"},
        ["attack 7c", "beat 7c 9c", "pass"],
        english_text("lesson.coach.end.talon"),
    ),
    (
        "epaulettes",
        "podkidnoy, players=3",
        {"hands": ["6c 9s Ac", "9c 8d Jd", "Jc Tc Td"], "trump": "h"},
        ["attack 6c"],
        english_text("lesson.coach.missed.six", card="the 6 of clubs"),
    ),
    (
        "teams",
        "teams",
        {"hands": ["6c 9s", "9c 8d", "Jc Tc", "Td Js"], "trump": "h", "attacker": 0},
        ["attack 6c", "beat 6c 9c", "pass"],
        english_text("lesson.coach.team.defends", who="Uncle Yasha"),
    ),
]


def test_a_lesson_mentions_missed_chances_for_its_topic() -> None:
    """The card is named."""
    for about, rules, placed, moves, sentence in TOLD:
        game = Game.from_position(rules, **placed)
        coach = Guided(game, about=about, others=dict.fromkeys(range(1, game.seats), "first"))
        for move in moves:
            coach.table.play(move)
        assert sentence in coach.sentences


def test_unknown_topics_are_refused() -> None:
    """The message lists all topics."""
    assert list(TOPICS) == ["throw", "transfer", "end", "epaulettes", "teams"]
    with pytest.raises(DurakError, match="'trumps'"):
        Guided(about="trumps")


def test_comments_disappear_with_an_undone_move() -> None:
    """Another choice is judged again, and undone comments do not count."""
    coach = Guided(Game.from_position(**DEFENDING), others={1: "first"}, coach=False)
    comment = english_text("lesson.coach.dear.trump", by="the queen of clubs", card="the queen of spades")
    for _ in range(3):
        coach.table.play("beat 6c Qs")
        assert comment in coach.sentences
        coach.table.game.undo()
        coach.table.refresh()
    coach.table.play("beat 6c Qc")
    assert comment not in coach.sentences


def test_options_are_listed_in_the_first_two_turns_only() -> None:
    """Later the table shows them; lessons on one topic always leave them to it. For the lead any card will do."""
    coach = Guided(seed=7, others={1: "first"}, bouts=9)
    assert english_text("lesson.coach.ways") not in coach.sentences
    assert english_text("lesson.coach.ways") in coach.answer("attack Jc")
    assert english_text("lesson.coach.ways") not in coach.answer("pass")
    assert english_text("lesson.coach.ways") not in Guided(seed=7, about="throw").sentences


def test_the_end_has_a_kind_word_and_the_deciding_moment() -> None:
    """It says how to go on."""
    for hands, moves, first, decided in [
        (("6c", "7d 8d"), ["attack 6c", "take"], english_text("lesson.coach.end.won"), None),
        (
            ("Ks 7d", "9c Qd Kd"),
            ["attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd"],
            english_text("lesson.coach.end.fool"),
            english_text("lesson.coach.decided.gave", said="you attacked with the 7 of diamonds."),
        ),
        (("6c", "7c"), ["attack 6c", "beat 6c 7c"], english_text("lesson.coach.end.draw"), None),
    ]:
        coach = Guided(ending(*hands), others={1: "first"})
        for move in moves:
            coach.table.play(move)
        if coach.table.game.outcome is None:
            coach.table.play("take")
        assert coach.check()
        last = coach.sentences[coach.sentences.index(first) :]
        assert last == [
            first,
            *([decided] if decided else []),
            english_text("lesson.coach.end.next", said=english_text("screen.next_game")),
        ]


def test_each_line_of_the_sheet_has_its_kind() -> None:
    """The page draws events paler than comments. Earlier turns are included."""
    coach = Guided(Game.from_position(**DEFENDING), others={1: "first"})
    coach.answer("beat 6c Qs")
    sheet = coach.view_model()
    assert len(sheet["feedback_kinds"]) == len(sheet["feedback"])
    assert sheet["feedback_kinds"][:2] == ["event", "expensive"]
    coach.table.play(coach.table.game.legal_moves()[0])
    coach._let_others_move()
    assert ["expensive", sheet["feedback"][1]] in coach.view_model()["earlier_feedback"] + list(
        map(list, zip(coach.view_model()["feedback_kinds"], coach.sentences, strict=True))
    )
