"""What a table tells beside the game: the last deed at each seat, a word at the end, the whole table read aloud; and tables at which only bots play."""

from __future__ import annotations

import pytest

from durak_widget import Card, Game, Match, Rules, Table
from durak_widget.engine.narration import sort_hand
from durak_widget.engine.outcome_wording import build_farewell_fact
from durak_widget.i18n import LANGUAGES, Seat, Translator
from support.tables import listening, say

THREE = {"hands": ["7c 9d Kc", "9c Th Ac", "7d 9s Qs"], "trump": "h"}


def course(*moves: str, **placed: object) -> list[dict]:
    """The scenes for Player 1 of a table of three, after each of these moves."""
    table = Table(Game.from_position("podkidnoy, players=3", **{**THREE, **placed}), seats={0: "you", 1: "first", 2: "first"}, pace=60_000)
    scenes = []
    for move in moves:
        table.game.play(move)
        table.refresh()
        scenes.append(table.scene)
    return scenes


def test_what_a_seat_did_last_stands_there_till_it_acts_again() -> None:
    """Each seat's own last deed in this bout, in a few words; the viewer's own is not told."""
    told = [[seat.get("did") for seat in scene["seats"]] for scene in course("attack 7c", "beat 7c 9c", "throw 9d", "take", "pass")]
    assert told == [
        [None, None, None],
        [None, "beats 7♣︎", None],
        [None, "beats 7♣︎", None],
        [None, "takes", None],
        [None, "takes", "passes"],
    ]


def test_what_was_done_at_the_end_of_a_bout_stands_till_the_next_begins() -> None:
    """When a bout is over one still sees how; the next deed clears the others."""
    scenes = course("attack 7c", "take", "throw 7d", "attack 9s")
    assert [scene["bout"] - scenes[0]["bout"] for scene in scenes] == [0, 0, 1, 1]
    assert [seat.get("did") for seat in scenes[2]["seats"]] == [None, "takes", "throws in 7♦︎"]
    assert [seat.get("did") for seat in scenes[3]["seats"]] == [None, None, "attacks with 9♠︎"]


def test_who_laid_a_card_is_told_where_it_is_not_plain() -> None:
    """With three, each attacking card has its seat; with two, and of what lay there before, nobody need be told."""
    assert course("attack 7c", "beat 7c 9c", "throw 9d")[-1]["by"] == [0, 0]
    twins = Game.from_position("two_decks, players=3", hands=["7c 8d", "9c Th Ac", "7c 6s"], trump="h", attacker=0)
    for move in ("attack 7c", "beat 7c 9c", "throw 7c"):
        twins.play(move)
    assert Table(twins, seats={0: "you", 1: "first", 2: "first"}).scene["by"] == [0, 2], "twins are told apart by who laid them"
    assert "by" not in Table(Game.from_position(hands=["7c 8c", "9c Td"], table="7d", trump="h")).scene
    assert "by" not in Table(Game.from_position("podkidnoy, players=3", **THREE, table="8d")).scene


def test_who_takes_is_said_to_take_once() -> None:
    """The cards that were taken say it; while others may still throw in, the word alone is said."""
    table = Table(Game.from_position(hands=["7c 8c", "9d Td"], trump="h"), seats={1: "you", 0: "first"}, pace=60_000)
    for move in ("attack 7c", "take"):
        table.game.play(move)
    table.refresh()
    assert table.scene["did"]["said"][0] == "You take 1 card."
    assert not any("You take. You take" in line for line in table.scene["told"])


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_everybody_who_has_played_is_told_a_word(language: str) -> None:
    """Safe, fool, a draw, with one's side or without: each has its sentence, with the number of bouts in it."""
    said = set()
    for rules, hands, moves in (
        ("podkidnoy", ["7c", "8d 9d"], ["attack 7c", "take"]),
        ("podkidnoy", ["7c", "9c"], ["attack 7c", "beat 7c 9c"]),
    ):
        game = Game.from_position(rules, hands=hands, trump="h")
        for move in moves:
            game.play(move)
        for seat in (0, 1):
            fact = build_farewell_fact(game.outcome, seat, 21)
            said.add(Translator(language, own_seat=seat).translate(fact.key, **fact.facts))
    assert len(said) == 3
    assert all("21" in sentence for sentence in said)


def test_a_side_is_told_its_own_word() -> None:
    """Where two play together, it is the side that is out, or held out."""
    game = Game.from_position("teams, players=4", hands=["7c", "8d 9d", "", "9s"], trump="h", attacker=0, bout=9)
    match = Match.from_game(game)
    while match.game.actor is not None:
        match.game.play(match.game.legal_moves()[-1])
    outcome = match.game.outcome
    keys = {build_farewell_fact(outcome, seat, 1).key for seat in range(4)}
    assert keys <= {"farewell.won", "farewell.fool", "farewell.lost"}
    assert "farewell.won" in keys


def test_the_whole_table_is_said_to_who_asks() -> None:
    """Whose turn it is and for what, the seats, what lies, the talon and trumps, the hand and what of it may be played; in the table's language."""
    table = Table(seed=7, language="en")
    heard = listening(table)
    say(table, "say")
    [told] = [message for message in heard if message["kind"] == "told"]
    for part in ("Your turn", "Player 2, 6 cards", "Table: empty", "Trump: hearts", "Talon, 24 cards", "jack of clubs"):
        assert part in told["said"]
    assert "\n" not in told["said"]


def test_what_one_draws_is_named_to_who_listens() -> None:
    """The cards that came into the hand, and how many the others drew; a covered hand's cards are counted."""
    game = Game.from_position(
        "podkidnoy, players=3, hand_size=2", hands=["7c 8d", "9c Th", "9d 6s"], trump="h", talon="Ac Kd Qs Jh", attacker=0
    )
    game.play("attack 7c")
    table = Table(game, seats={0: "you", 1: "you", 2: "first"}, pace=60_000)
    table.play("take")
    assert "ace of clubs" not in str(table.scene), "player 2, who took, looks on"
    for seat, said in ((0, ["Player 2 takes 1 card.", "You draw the ace of clubs."]), (1, ["You take 1 card.", "Player 1 draws 1 card."])):
        looks = Table(game, seats={seat: "you", **{other: "first" for other in range(3) if other != seat}}, pace=60_000)
        assert looks.scene["did"]["said"] == said


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_part_of_the_table_is_said_to_who_asks(language: str) -> None:
    """The hand alone, what was done last, the trumps and the piles: each in a sentence of the table's language, which is in the whole of it or was heard."""
    game = Game.from_position("podkidnoy, hand_size=2", hands=["7c 8d", "9c Th"], trump="h", talon="Ac Kd Qs Jh", turn_up="Jh", attacker=0)
    table = Table(game, seats={0: "you", 1: "first"}, pace=60_000, language=language)
    heard = listening(table)

    def asked(kind: str) -> str:
        heard.clear()
        say(table, kind)
        return str(heard[-1]["said"])

    assert asked("lately") == Translator(language).translate("told.nothing")
    table.play("attack 7c")
    table.play("take")
    whole, now = asked("say"), Translator(language, own_seat=0)
    assert asked("piles") in whole
    assert asked("holding").partition(": ")[2] == ", ".join(map(now.name_card, sort_hand(table.game.view(0)))) + "."
    assert asked("lately").endswith(" ".join(table.scene["did"]["said"]))
    assert now.translate("deed.attack", who=Seat(0), cards=(Card("7c"),)) in asked("lately")


def test_a_table_of_bots_says_you_to_nobody() -> None:
    """Nobody sits there: no seat is called you, no card may be clicked, no hint is offered."""
    table = Table(Rules(players=3), seats={0: "first", 1: "first", 2: "first"}, seed=7, pace=60_000)
    for _ in range(4):
        scene = table.scene
        assert (scene["legal"], scene["can"].get("hint")) == ({}, None)
        assert not any("you" in text.casefold() for text in [*scene["call"], *scene.get("told", [])])
        table.step()


def test_bots_among_themselves_pause_till_somebody_says_to_start() -> None:
    """*Pause* lets them wait, *Start* lets them go on."""
    table = Table(seats={0: "first", 1: "first"}, seed=7, pace=60_000)
    say(table, "start")
    assert "waits" not in table.scene
    say(table, "stop")
    assert table.scene["waits"] is True
    say(table, "start")
    assert "waits" not in table.scene


def test_who_may_be_asked_again_may_be_done_with_the_bout() -> None:
    """Where somebody else may still lay a card, a pass need not be the last; of two it is."""
    three = Game.from_position("podkidnoy, players=3", **THREE)
    for move in ("attack 7c", "beat 7c 9c"):
        three.play(move)
    assert Table(three, seats={0: "you", 1: "first", 2: "first"}, pace=60_000).scene["can"].get("done") is True
    three.play("pass")
    assert three.actor == 2
    last = Table(three, seats={0: "first", 1: "first", 2: "you"}, pace=60_000).scene
    assert "pass" in last["legal"]
    assert "done" not in last["can"], "nobody else may lay a card"
    two = Table(Game.from_position(hands=["7c 9d", "9c Td"], trump="h", table="7s/9s", attacker=0), seats={1: "first"})
    assert "pass" in two.scene["legal"]
    assert "done" not in two.scene["can"]
