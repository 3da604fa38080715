"""Where it turned, once a game is over: one sentence to the person before the screen, and the moment tried again; nothing while it goes on, and nothing to others."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from durak_widget import Game, Match, Table, bots, review
from durak_widget.review.decision_evaluation import Effort
from durak_widget.table.analysis_jobs import ReviewJob
from support.loops import run, seen, settled
from support.spy import Spy
from support.tables import listening, say

ALL_BUT_FIVE = (
    "6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad 6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As"  # whoever remembers knows all hands
)
WON = {"hands": ["Ks 7d", "9c Qd Kd"], "trump": "h", "discard": ALL_BUT_FIVE}
"""Seat 0 to lead: the king of spades, which must be taken, wins; the seven loses."""


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is looked through in a fraction of the time."""
    for how in ("FAST_ENGINE_EFFORT", "PYTHON_EFFORT"):
        monkeypatch.setattr(f"durak_widget.review.decision_evaluation.{how}", Effort(20_000, 3_000))


def laid(**more: object) -> Table:
    """A table at that moment."""
    return Table(Game.from_position(**WON), {0: "you", 1: "careful", **more.pop("seats", {})}, seed=1, pace=0, **more)


def known(scene: dict) -> bool:
    """It has been found where it turned."""
    return "review" in scene and scene["review"] != SOON


SOON = {"said": ["The game is being looked through …"] * 2, "marks": []}


async def lost(table: Table) -> dict:
    """It is given away; the scene that says so."""
    table.play("attack 7d")
    await seen(table, lambda scene: scene["actor"] == 0)
    table.play("take")
    await seen(table, lambda scene: "over" in scene or scene["actor"] == 0)
    if "over" not in table.scene:
        table.play("take")
    await seen(table, lambda scene: "over" in scene)
    return await seen(table, known)


def test_a_game_given_away_is_told_in_a_sentence_and_tried_again() -> None:
    """Written and spoken; the very position is laid with what is to be done; then it is won, which is said, and the match goes on."""

    async def story() -> None:
        table = laid()
        sent = listening(table)
        scene = await lost(table)
        match = table.match
        written, spoken = scene["review"]["said"]
        assert written == "You had it won in bout 2. 7♦︎ gave it away. Better: attack with K♠︎. What you missed comes back tomorrow."
        better = "Better: attack with the king of spades. What you missed comes back tomorrow."
        assert spoken == f"You had it won in bout 2. The 7 of diamonds gave it away. {better}"
        assert (scene["review"]["again"], scene["review"]["marks"], sent) == (0, [0], [{"kind": "told", "said": spoken}])
        scene = say(table, "again", to=0)
        assert scene["note"]["said"][0] == "Play bout 2 again with the same cards. Can you get rid of them all this time?"
        assert scene["told"] == [scene["note"]["said"][0]]
        assert (scene["hand"], scene["ply"], table.players) == (["7d", "Ks"], 0, ("you", "careful"))
        assert "review" not in scene
        table.play("attack Ks")
        await seen(table, lambda scene: scene["actor"] == 0)
        if "pass" in table.scene["legal"]:
            table.play("pass")
        table.play("attack 7d")
        scene = await seen(table, lambda scene: "over" in scene)
        assert scene["over"]["won"] is True
        assert scene["review"] == {"said": ["This time you made it."] * 2}
        assert [row[1:4] for row in scene["over"]["score"]] == [[0, 0, 1], [1, 0, 0]]
        scene = say(table, "next")
        assert table.match is match
        assert (scene["ply"], scene["talon"], len(match.games)) == (0, 24, 2)
        assert "review" not in scene

    run(story)


def test_till_it_is_known_that_is_said() -> None:
    """With the end itself, so that nothing that can be pressed moves later; in a script, where nothing runs by itself, nothing is said."""

    async def story() -> None:
        table, scenes = laid(), []
        table.observe(lambda change: scenes.append(change["new"]), "scene")
        await lost(table)
        ends = [scene["review"] for scene in scenes if "over" in scene]
        assert ends[0] == SOON
        assert known({"review": ends[-1]})

    run(story)
    table = Table(bots.play(Game(seed=7), ["careful", "first"], 1))
    table.refresh()
    assert "review" not in table.scene


def test_what_fails_is_said_once(monkeypatch) -> None:
    """And asked no more; the whole error is in Python."""

    def fails(_game: Game, settings: object) -> None:
        raise ZeroDivisionError("a card")

    monkeypatch.setattr("durak_widget.review.analyze_in_steps", fails)

    async def story() -> None:
        table = Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "you"}, pace=0)
        table._session.start_jobs()
        scene = await seen(table, lambda scene: "note" in scene)
        assert "ZeroDivisionError" in scene["note"]["said"][0]
        assert "a card" not in str(scene)
        assert type(table.failures["review"]) is ZeroDivisionError
        table._session.start_jobs()
        await nothing(table)

    run(story)


def test_what_was_missed_again_may_be_tried_once_more() -> None:
    """As often as one likes; *New game* leaves it too."""

    async def story() -> None:
        table = laid()
        await lost(table)
        say(table, "again", to=0)
        scene = await lost(table)
        assert scene["review"] == {"said": ["Not this time either."] * 2, "again": 0}
        scene = say(table, "again", to=0)
        assert (scene["ply"], "note" in scene, "review" in scene) == (0, True, False)
        scene = say(table, "new")
        assert (scene["talon"], len(table.match.games)) == (24, 2)

    run(story)


def test_what_is_tried_again_counts_for_nobody(tmp_path) -> None:
    """No file is written of it."""

    async def story() -> None:
        table = laid(keep=str(tmp_path))
        await lost(table)
        kept = sorted(tmp_path.iterdir())
        assert len(kept) == 1
        say(table, "again", to=0)
        await lost(table)
        assert sorted(tmp_path.iterdir()) == kept

    run(story)


def test_all_of_it_is_told_when_it_is_asked_for() -> None:
    """The line, the worst with what was better and how it goes on, luck and play, every decision; at an earlier moment too."""

    async def story() -> None:
        table = laid()
        sent = listening(table)
        scene = await lost(table)
        say(table, "goto", to=0)
        assert table.scene["review"] == scene["review"]
        say(table, "turned")
        told = sent[-1]
        found = review.analyze(table.game, 0)
        assert told["kind"] == "turned"
        assert scene["review"]["said"][0].startswith(f"{told['said']} Better: attack with K♠︎.")
        assert told["worst"][0]["said"] == found.turning_points[0].to_text(cards="signs", me=0)
        assert "Better: attack with K♠" in told["worst"][0]["said"]
        assert told["worst"][0]["mine"] is True
        assert told["turns"] == [[0, told["said"]]]
        assert [point[:2] for point in told["line"]["points"]] == [[one.ply, one.bout] for one in found.chances]
        assert sum(len(rows) for _, rows in told["decisions"]) == len(found.decisions)
        luck = found.luck[0]
        assert [bar[1] for bar in told["luck"]["bars"]] == [
            pytest.approx(100 * (luck.deal + luck.drawn)),
            pytest.approx(100 * (luck.own + luck.others)),
        ]

    run(story)


def test_what_the_other_gave_is_told_and_there_is_nothing_to_try_again() -> None:
    """Who was let off hears by whom; another's decision is not one's own to take."""

    async def story() -> None:
        table = Table(Game.from_position(**WON), {0: "first", 1: "you"}, seed=1, pace=0)
        for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
            table.play(move)
        scene = await seen(table, known)
        assert scene["review"]["said"][0] == "Player 1 let you off in bout 2. Player 1 attacked with 7♦︎."
        assert "again" not in scene["review"]
        scene = say(table, "again", to=0)
        assert (scene["note"]["said"][0], scene["game"]) == ("The table has moved on: look again.", 1)

    run(story)


async def nothing(table: Table) -> None:
    """Nothing is found, nor sought, nor told."""
    for _ in range(20):
        await asyncio.sleep(0.01)
        await settled()
    assert "review" not in table.scene
    assert table._session.get_review() is None
    sent = listening(table)
    say(table, "turned")
    assert sent == []


def test_nothing_is_said_while_a_game_goes_on() -> None:
    """Not before its end; and no more once its last moves were taken back to be played otherwise."""

    async def story() -> None:
        table = laid()
        table.play("attack 7d")
        await nothing(table)
        await lost_from_here(table)
        scene = say(table, "undo")
        assert scene["taken_back"] is True
        await nothing(table)
        assert say(table, "again", to=0)["note"]["said"][0] == "The table has moved on: look again."

    async def lost_from_here(table: Table) -> None:
        table.play("take")
        await seen(table, lambda scene: "over" in scene or scene["actor"] == 0)
        if "over" not in table.scene:
            table.play("take")
        await seen(table, known)

    run(story)


def test_who_only_watches_is_told_nothing() -> None:
    """Where bots play among themselves nobody is judged; nor where a task is set, which judges otherwise."""

    class Task:
        is_single_move, is_decided = False, False

        def restart(self) -> None: ...

        def hint(self) -> None: ...

        def verdict(self, _) -> None: ...

    async def story() -> None:
        await nothing(Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "careful", 1: "first"}, pace=0))
        table = Table(bots.play(Game(seed=7), ["careful", "first"], 1), pace=0)
        table.task = Task()
        await nothing(table)

    run(story)


def test_of_several_people_the_one_before_the_screen_is_spoken_to() -> None:
    """Each hears of what they did; where nobody has said that they are there, nothing is said."""

    async def story() -> None:
        game = Game.from_position(**WON)
        for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
            game.play(move)
        table = Table(game, {0: "you", 1: "you"}, seed=1)
        table.refresh()
        assert table._session.find_viewing_person() is None
        table.seat = 1
        table._session.update()
        scene = await seen(table, known)
        assert scene["review"]["said"][0].startswith("Player 1 let you off in bout 2.")
        table.seat = 0
        assert table.scene["review"]["said"][0].startswith("You had it won in bout 2.")

    run(story)


def test_it_is_dropped_when_another_game_begins() -> None:
    """Whatever was found of the one before is not told of the next."""

    async def story() -> None:
        table = Table(bots.play(Game(seed=7), ["careful", "first"], 1), {0: "you"}, pace=60_000)
        sent = listening(table)
        table.refresh()
        table._session.start_jobs()
        await settled()
        say(table, "next")
        await nothing(table)
        assert sent == []

    run(story)


def test_it_is_worked_at_in_slices() -> None:
    """Between two of them whoever wants something else is heard; what is known already is not sought again."""
    works, found = [], []
    turned = ReviewJob(lambda work, heard: works.append((work, heard)), lambda: found.append(True))
    game = bots.play(Game(seed=7), ["careful", "first"], 1)
    turned.request(1, game)
    turned.request(1, game)
    assert len(works) == 1
    while not found:
        work, heard = works[-1]
        heard(work())
    assert len(works) > 1
    assert turned.get_review(1, 0).sentence() == review.analyze(game, 0).sentence()
    turned.request(None, None)
    assert turned.get_review(1, 0) is None
    turned.request(2, game)
    work, heard = works[-1]
    turned.request(None, None)
    count = len(works)
    heard(work())  # which nobody wants to know any more
    assert (len(works), len(found)) == (count, 1)


def test_opponents_are_called_by_their_names() -> None:
    """As everywhere at the table, in the sentence as in all that is told besides."""

    async def story() -> None:
        table = Table(Game.from_position(**WON), {0: "aunt", 1: "you"}, seed=1, pace=0)
        sent = listening(table)
        for move in ("attack 7d", "beat 7d Qd", "attack 9c", "take", "attack Kd", "take"):
            table.play(move)
        scene = await seen(table, known)
        assert "unt" in scene["review"]["said"][0]
        say(table, "turned")
        assert "Player 1" not in str(sent[-1]["worst"])

    run(story)


def test_no_card_is_told_that_the_viewer_may_not_know() -> None:
    """Till the end nothing but what was seen; and of the same cards played once more no hand lies open either."""

    async def story() -> None:
        table = Table(Game(seed=7), {0: "you", 1: "careful"}, pace=0, seed=1)
        spy = Spy(table)
        table.observe(lambda _: "over" in table.scene or spy.scene(), "scene")
        while table.game.outcome is None:
            if table.game.actor == 0:
                table.play(table.game.legal_moves()[-1])
            else:
                table.step()
        scene = await seen(table, known)
        assert spy.leaks == []
        read = spy.read
        scene = say(table, "again", to=scene["review"]["again"])
        assert scene["talon"] > 0
        assert spy.read > read
        for _ in range(4):
            if table.game.actor == 0:
                table.play(table.game.legal_moves()[0])
            else:
                table.step()
        assert spy.leaks == []

    run(story)


@pytest.mark.slow
def test_of_what_is_tried_again_no_move_before_it_is_taken_back() -> None:
    """*Undo* leads back to its first moment, and says there that there is nothing more; whoever wants to see what was before looks back."""

    async def story() -> None:
        table = Table(Game(seed=7), {0: "you", 1: "careful"}, pace=0, seed=1)
        while table.game.outcome is None:
            if table.game.actor == 0:
                table.play(table.game.legal_moves()[-1])
            else:
                table.step()
        first = (await seen(table, known))["review"]["again"]
        scene = say(table, "again", to=first)
        assert 0 < scene["ply"] == first
        assert say(table, "undo")["note"]["said"][0] == "There is no move to undo."
        table.play(table.game.legal_moves()[0])
        await seen(table, lambda scene: scene["actor"] == 0 or "over" in scene)
        scene = say(table, "undo")
        assert (scene["ply"], "undo" in scene["can"]) == (first, False)
        assert say(table, "goto", to=0)["ply"] == 0
        assert say(table, "branch")["ply"] == first, "no other game is made of it"

    run(story)


def test_the_match_that_rests_goes_on_wherever_it_was_looked_at() -> None:
    """Also where an earlier moment was looked at when the other was laid."""

    async def story() -> None:
        table = laid()
        await lost(table)
        say(table, "goto", to=1)
        say(table, "again", to=0)
        scene = say(table, "next")
        assert scene["talon"] == 24
        assert isinstance(table.match, Match)

    run(story)


def test_who_plays_no_game_to_its_end_loads_no_review() -> None:
    """The table alone does not import it."""
    code = "import sys; from durak_widget import Table; table = Table(seed=7); table.play('attack Jc'); sys.exit('durak_widget.review' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
