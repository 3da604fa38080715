"""The cards that a seat does not see are dealt anew: nothing that its table tells while the game goes on is any different."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import Game, Observation, Rules, Table, analysis, bots, lessons
from durak_widget.table.move_feedback import estimate_win_chance
from support.sizes import tried
from support.tables import listening, say

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = [person.key for person in bots.people()]
FIELDS = ["passport", "econ431", "siege, players=3"]
LATER = ["podkidnoy", "perevodnoy", "podkidnoy, players=3", "durnius, players=4", "teams"]
every_field = pytest.mark.parametrize("field", FIELDS + [pytest.param(field, marks=pytest.mark.slow) for field in LATER])
READ = ("hint", "hint", "say", "holding", "lately", "piles", "list", "seen", "share", "draft", "turned", "people", "again", "undo", "redo")
"""What a person may ask; a hint is asked for twice, a thought and then the card."""
LANGUAGES = ("en", "lt", "ru")
ANY = ("6c", "Td", "Ah")
"""Cards of which a person asks why they may not be played, also such as they do not hold."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has been beaten yet."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))


def moments(field: str, many: int) -> list[tuple[Game, Game]]:
    """Careful games, each stopped somewhere where seat 0 is to act, and another deal in which that seat has seen the same."""
    rules, rng, found = Rules.parse(field), Random(field), []
    while len(found) < many:
        seed = rng.getrandbits(32)
        game = bots.play(Game(rules, seed=seed), ["careful"] * rules.players, seed)
        game.goto(rng.choice([ply for ply, played in enumerate(game.history) if played.seat == 0]))
        game.forget_undone()
        other = analysis.worlds(game.view(0)).sample(rng).copy()
        if other.hands != game.hands:  # late in a game there may be no other
            other._seed = game.seed  # as if it had been dealt, so that it counts against opponents too
            found.append((game, other))
    return found


def opponents(game: Game, rng: Random) -> dict[int, str]:
    """Some of them, on all other seats: the one whom one has come to is among them."""
    return {0: "you", **dict(zip(range(1, game.seats), ["next", *rng.sample(PEOPLE[1:], game.seats - 2)], strict=True))}


def told(game: Game, seats: dict[int, str], language: str) -> list[Any]:
    """All that a table says: every scene and message, whatever is asked of it and found out beside it; a coach and the chances too, where they may help."""
    table = Table(game, seats, seed=1, language=language, memory=True, coach=True, chances=True)
    sent, scenes = listening(table), []
    table._session._finder_results._start_job = lambda _name, work, heard, **_: heard(work())
    table._session.set_finder("certain", _certain)
    scenes.append(table.scene)
    scenes += [say(table, "why", card=card) for card in ANY]
    for kind in READ:
        more = {"draft": {"draft": {}}, "again": {"to": 0}}.get(kind, {})
        scenes.append(say(table, kind, **more))
    bundle, _ = table._repr_mimebundle_()
    table.close()
    return [*scenes, *sent, bundle["text/plain"], bundle["text/html"].partition('src="')[0]]


def _certain(view: Observation) -> list[float]:
    """How many moves are legal, and how many cards of others are known."""
    return [len(view.legal_moves()), *(map(len, view.memory.known) if view.memory else ())]


@every_field
def test_hidden_cards_dealt_anew_change_nothing_that_is_told(field: str) -> None:
    """Against opponents, whom the game counts against: scenes as a whole, hints in two steps, what is read aloud, lists, pictures, and each "why not", word for word, in any language."""
    rng, kinds = Random(field), set()
    for game, other in moments(field, tried(2, 30)):
        assert other.view(0) == game.view(0)
        seats, language = opponents(game, rng), rng.choice(LANGUAGES)
        heard = told(game, seats, language)
        assert told(other, seats, language) == heard
        kinds |= {one["note"]["kind"] for one in heard if "note" in one} | {one["kind"] for one in heard if "kind" in one}
    assert kinds == {"hint", "refused", "told", "list", "seen", "share", "door", "people"}  # the test does read what is said


@pytest.mark.slow
@every_field
def test_nor_what_a_coach_says_at_the_table_and_what_may_be_hoped_for(field: str) -> None:
    """Where nothing counts: a word on the last move, the chances, and whatever else is found out."""
    for game, other in moments(field, tried(1, 20)):
        heard = told(game, {0: "you"}, "en")
        assert told(other, {0: "you"}, "en") == heard
        found = {name for one in heard if "beside" in one for name in one["beside"]}
        assert found == {"certain", *(["chances"] if estimate_win_chance(game.view(0)) else [])}


@every_field
def test_nor_what_a_coach_says_in_a_lesson(field: str) -> None:
    """Of all that was done so far, and of what may be done now."""
    for game, other in moments(field, tried(2, 30)):
        said = []
        for one in (game, other):
            quiz = lessons.Guided(one, bouts=9)
            said.append((quiz.sentences, quiz.view_model(), quiz.table.scene))
            quiz.table.close()
        assert said[0] == said[1]
        assert said[0][0]
