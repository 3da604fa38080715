"""What a coach thinks of a choice: only what is so is said, each reason twice at most, and silence on the rest."""

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

TALON = {"trump": "s", "talon": "8c 8h 9h 8s"}
DECK = [f"{rank}{suit}" for suit in "cdhs" for rank in "6789TJQKA"]


def said_of(move: str, rules: str = "podkidnoy", **placed: object) -> str:
    """What the coach says of a choice of seat 0."""
    found = comment_on_choice(Game.from_position(rules, **placed).view(0), Move(move))
    return "" if found is None else found.to_text(Translator(own_seat=0))


def ending(*hands: str, trump: str = "h") -> Game:
    """Two are left, and all other cards are gone."""
    held = " ".join(hands).split()
    return Game.from_position(hands=list(hands), trump=trump, discard=" ".join(card for card in DECK if card not in held))


DEFENDING = {"hands": ["Qc 7d Qs", "6d 8d"], "table": "6c", "attacker": 1, **TALON}


CHOICES = [
    ("beat 6c Qs", DEFENDING, "The queen of clubs would have done: save a trump like the queen of spades for what nothing else beats."),
    ("beat 6c Qc", DEFENDING, ""),
    ("take", DEFENDING, "You need not have taken: the queen of clubs beats the 6 of clubs."),
    (
        "beat 6c Ac",
        {**DEFENDING, "hands": ["9d Ac 7c", "6d 8d"], "talon": "Th Jh Jd"},
        "The 7 of clubs would have done: the ace of clubs is worth more later.",
    ),
    ("beat 6c 8c", {**DEFENDING, "hands": ["8c Ac 7c", "6d 8d"], "talon": "Th Jh Jd"}, ""),
    (
        "attack Ac",
        {"hands": ["6c Ac 7s", "6d 8d"], **TALON},
        "The 6 of clubs would have done to begin: the ace of clubs is worth more later.",
    ),
    (
        "attack 7s",
        {"hands": ["6c Ac 7s", "6d 8d"], **TALON},
        "The 6 of clubs would have done to begin: while there is a talon, save a trump like the 7 of spades.",
    ),
    ("attack 6c", {"hands": ["6c Ac 7s", "6d 8d"], **TALON}, ""),
    ("attack Kc", {"hands": ["6c Kc Kd", "6d 8d"], **TALON}, ""),
    (
        "throw 7s",
        {"hands": ["7s Ac", "6d 8d"], "table": "7c/9c", **TALON},
        "There is still a talon: a trump like the 7 of spades is worth more later.",
    ),
    ("pass", {"hands": ["7s Ac", "6d 8d"], "table": "7c/9c", **TALON}, "Well kept: trumps are worth more later."),
    ("pass", {"hands": ["7d Ac", "6d 8d"], "table": "7c/9c", **TALON}, ""),
]


def test_a_choice_is_judged_by_what_the_careful_player_would_have_paid() -> None:
    """A trump where a plain card would do, an ace where a seven would, a trump thrown in or led while there is a talon; and nothing where little is lost."""
    for move, placed, said in CHOICES:
        assert said_of(move, **placed) == said


def test_a_dearer_card_of_a_rank_that_lies_there_is_praised() -> None:
    """It lets nothing new be thrown in."""
    game = Game.from_position(hands=["8h Th Ah", "6d Jd"], table="6c/Tc 6h", attacker=1, trump="s", talon="8c")
    assert comment_on_choice(game.view(0), Move("beat 6h Th")).facts[0].key == "lesson.coach.praise.rank"
    assert comment_on_choice(game.view(0), Move("beat 6h 8h")) is None
    assert comment_on_choice(game.view(0), Move("beat 6h Ah")).kind == "dear"


def test_who_gives_a_win_away_is_told_how() -> None:
    """By an exact search, with the refutation in words; what keeps the win is not judged by any price."""
    game = ending("Ks 7d", "9c Qd Kd")
    assert comment_on_choice(game.view(0), Move("attack 7d")).to_text(Translator(own_seat=0)) == (
        "That gives the win away. What wins: attack with the king of spades. Against the best play it goes on so:"
        " That loses. Player 2 beats the 7 of diamonds with the queen of diamonds. Player 2 attacks with the 9 of clubs."
        " You hold nothing that beats the 9 of clubs. You take. Player 2 attacks with the king of diamonds."
        " You hold nothing that beats the king of diamonds. You take. You are the fool."
    ).replace(" That loses.", "")
    assert comment_on_choice(game.view(0), Move("attack Ks")) is None
    drawn = ending("Qh Ks", "Kh Kc")
    assert comment_on_choice(drawn.view(0), Move("attack Ks")).facts[0].key == "table.coach.won"
    assert comment_on_choice(drawn.view(0), Move("attack Qh")) is None


def test_in_an_ending_only_what_gives_something_away_is_called_dear() -> None:
    """Over some endings and each of their moves: what keeps the value is never blamed, and what loses it always is."""
    seen = Counter()
    for seed in range(tried(25, 60)):
        game, rng = Game(seed=seed), Random(seed)
        while game.outcome is None:
            if not game.talon and sum(map(len, game.hands)) <= 7 and len(game.legal_moves()) > 1:
                view, found = game.view(game.actor), endgame.solve_endgame(game)
                for move, worth in found.move_values.items():
                    remark = comment_on_choice(view, move)
                    blamed = remark is not None and remark.kind == "dear"
                    assert blamed is (worth < found.value), (game, move)
                    seen[blamed] += 1
            usual = CarefulBot().choose(game.view(game.actor), rng)
            game.play(usual if rng.random() < 0.5 else rng.choice(game.legal_moves()))
    assert min(seen[True], seen[False]) > 10


def played(coach: Guided, seed: int, silly: float = 0.5) -> list[str]:
    """A game with a coach to its end: all that is counted as a reason, and the last words."""
    rng = Random(seed)
    while not coach.check():
        coach._let_others_move()
        game = coach.table.game
        if game.outcome is None:
            coach.answer(rng.choice(game.legal_moves()) if rng.random() < silly else CarefulBot().choose(game.view(0), rng))
    return [one.reason for turn in coach._update_turns() for one in turn.remarks if one.reason]


@pytest.mark.parametrize(("rules", "about"), [("podkidnoy, players=3", ""), ("podkidnoy, players=3", "throw"), ("passport, players=3", "transfer"), ("teams", "teams")])  # fmt: skip
@pytest.mark.sample(2)
def test_no_reason_is_given_more_often_than_twice(rules: str, about: str) -> None:
    """Whatever is played, in the whole of a game; and a lesson about something leaves the rest to the learner."""
    for seed in range(3):
        coach = Guided(rules, seed=seed, about=about)
        reasons = played(coach, seed)
        assert reasons
        assert max(Counter(reasons).values()) <= 2
        if about:
            rules_told = {
                key
                for key in reasons
                if key.rpartition(".")[2] in {"attack", "beat", "throw", "pass", "take", "transfer", "show", "taken", "beaten"}
            }
            told = {key.removeprefix("lesson.coach.").split(".")[0] for key in rules_told} - {"missed", "dear", "praise"}
            assert told <= TOPICS[about].explained_verbs


TOLD = [
    (
        "throw",
        "podkidnoy",
        {"hands": ["6c 6s Ac", "9c 8d Jd"], "trump": "h", "talon": "8c 8h"},
        ["attack 6c", "beat 6c 9c", "pass"],
        "You held the 6 of spades: it could have been thrown in.",
    ),
    (
        "transfer",
        "perevodnoy",
        {"hands": ["6s 9c Ac", "6c 8d Jd"], "trump": "h", "talon": "8c 8h", "attacker": 1, "bout": 2},
        ["attack 6c", "beat 6c 9c"],
        "You could have transferred the attack with the 6 of spades.",
    ),
    (
        "transfer",
        "passport",
        {"hands": ["6h 9c Ac", "6c 8d Jd"], "trump": "h", "talon": "8c 8h", "attacker": 1, "bout": 2},
        ["attack 6c", "take"],
        "You could have transferred the attack by showing the 6 of hearts.",
    ),
    (
        "transfer",
        "perevodnoy",
        {"hands": ["6s 9c Ac", "6c 8d Jd"], "trump": "h", "talon": "8c 8h", "attacker": 1, "bout": 2},
        ["attack 6c", "transfer 6s"],
        "Well transferred.",
    ),
    (
        "end",
        "podkidnoy",
        {"hands": ["7c 9s Ac Ad Kd Kc", "9c 8d Jd Jc Tc Td"], "trump": "h", "talon": "8c 8h"},
        ["attack 7c", "beat 7c 9c", "pass"],
        "The talon is empty: from now on nobody draws, and what is gone does not come back.",
    ),
    (
        "epaulettes",
        "podkidnoy, players=3",
        {"hands": ["6c 9s Ac", "9c 8d Jd", "Jc Tc Td"], "trump": "h"},
        ["attack 6c"],
        "The 6 of clubs is gone early: as your very last card it would have been an epaulette.",
    ),
    (
        "teams",
        "teams",
        {"hands": ["6c 9s", "9c 8d", "Jc Tc", "Td Js"], "trump": "h", "attacker": 0},
        ["attack 6c", "beat 6c 9c", "pass"],
        "Player 3, your partner, defends: you throw nothing in now.",
    ),
]


def test_a_lesson_looks_out_for_what_is_new() -> None:
    """What was possible and not seen is named, by its card."""
    for about, rules, placed, moves, said in TOLD:
        game = Game.from_position(rules, **placed)
        coach = Guided(game, about=about, others=dict.fromkeys(range(1, game.seats), "first"))
        for move in moves:
            coach.table.play(move)
        assert said in coach.sentences


def test_there_are_topics_and_no_others() -> None:
    """Whoever names another is told which there are."""
    assert list(TOPICS) == ["throw", "transfer", "end", "epaulettes", "teams"]
    with pytest.raises(DurakError, match=r"nothing to say about 'trumps'\. It knows throw, transfer, end, epaulettes, teams"):
        Guided(about="trumps")


def test_words_go_with_the_move_that_is_taken_back() -> None:
    """Played otherwise, the choice is judged anew; and what was taken back is not counted as said."""
    coach = Guided(Game.from_position(**DEFENDING), others={1: "first"}, coach=False)
    dear = "The queen of clubs would have done: save a trump like the queen of spades for what nothing else beats."
    for _ in range(3):
        coach.table.play("beat 6c Qs")
        assert dear in coach.sentences
        coach.table.game.undo()
        coach.table.refresh()
    coach.table.play("beat 6c Qc")
    assert dear not in coach.sentences


def test_what_one_may_do_is_listed_in_the_first_two_turns_alone() -> None:
    """After that the table shows it, as it always does in a lesson about something; to open, any card will do."""
    coach = Guided(seed=7, others={1: "first"}, bouts=9)
    assert "You may:" not in coach.sentences
    assert "You may:" in coach.answer("attack Jc")
    assert "You may:" not in coach.answer("pass")
    assert "You may:" not in Guided(seed=7, about="throw").sentences


def test_at_the_end_there_is_a_kind_word_and_what_decided() -> None:
    """And how to go on."""
    for hands, moves, first, decided in [
        (("6c", "7d 8d"), ["attack 6c", "take"], "You won: well played!", None),
        (
            ("Ks 7d", "9c Qd Kd"),
            ["attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd"],
            "This time you are the fool: everybody is, now and then. You have played a whole game.",
            "What decided it: you attacked with the 7 of diamonds.",
        ),
        (("6c", "7c"), ["attack 6c", "beat 6c 7c"], "A draw: nobody got the better of you.", None),
    ]:
        coach = Guided(ending(*hands), others={1: "first"})
        for move in moves:
            coach.table.play(move)
        if coach.table.game.outcome is None:
            coach.table.play("take")
        assert coach.check()
        last = coach.sentences[coach.sentences.index(first) :]
        assert last == [first, *([decided] if decided else []), "Once more? Press “Next game”."]


def test_a_sheet_says_of_which_kind_each_line_is() -> None:
    """So that the page can draw what was done paler than what is thought of it; the turns before are there too."""
    coach = Guided(Game.from_position(**DEFENDING), others={1: "first"})
    coach.answer("beat 6c Qs")
    sheet = coach.view_model()
    assert len(sheet["kinds"]) == len(sheet["said"])
    assert sheet["kinds"][:2] == ["deed", "dear"]
    coach.table.play(coach.table.game.legal_moves()[0])
    coach._let_others_move()
    assert ["dear", sheet["said"][1]] in coach.view_model()["before"] + list(
        map(list, zip(coach.view_model()["kinds"], coach.sentences, strict=True))
    )
