"""Test that hidden cards do not influence anything the table shows during a game."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget import Game, Observation, Rules, Table, analysis, bots, lessons
from durak_widget.table.move_feedback import estimate_win_chance
from support.sizes import tried
from support.tables import record_messages, send_message

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = [person.key for person in bots.people()]
FIELDS = ["passport", "econ431", "siege, players=3"]
LATER = ["podkidnoy", "perevodnoy", "podkidnoy, players=3", "durnius, players=4", "teams"]
every_field = pytest.mark.parametrize("field", FIELDS + [pytest.param(field, marks=pytest.mark.slow) for field in LATER])
READ = (
    "hint",
    "hint",
    "describe_table",
    "describe_hand",
    "describe_last_moves",
    "describe_piles",
    "move_list",
    "seen_cards",
    "share",
    "draft",
    "review",
    "opponents",
    "how_to_play",
    "retry_decision",
    "undo",
    "redo",
)
"""Requests of a person; a hint has two steps, a thought and then the card."""
LANGUAGES = ("en", "lt", "ru")
ANY = ("6c", "Td", "Ah")
"""Cards for "why not" questions, some of which the person doesn't hold."""


@pytest.fixture(autouse=True)
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a home folder in which nobody has been beaten."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))


def equal_views(field: str, many: int) -> list[tuple[Game, Game]]:
    """Return careful games stopped at seat 0's turn, with another deal that looks the same to it."""
    rules, rng, found = Rules.parse(field), Random(field), []
    while len(found) < many:
        seed = rng.getrandbits(32)
        game = bots.play(Game(rules, seed=seed), ["careful"] * rules.players, seed)
        game.goto(rng.choice([ply for ply, played in enumerate(game.history) if played.seat == 0]))
        game.forget_undone()
        other = analysis.worlds(game.view(0)).sample(rng).copy()
        if other.hands != game.hands:  # late in a game there may be no other deal
            other._seed = game.seed  # as if dealt, so that it counts against opponents
            found.append((game, other))
    return found


def opponents(game: Game, rng: Random) -> dict[int, str]:
    """Return opponents for all other seats, including the next one to beat."""
    return {0: "you", **dict(zip(range(1, game.seats), ["next", *rng.sample(PEOPLE[1:], game.seats - 2)], strict=True))}


def everything_shown(game: Game, seats: dict[int, str], language: str) -> list[Any]:
    """Return all scenes and messages of a table after every request, with coach and chances if allowed."""
    table = Table(game, seats, seed=1, language=language, memory=True, coach=True, chances=True)
    sent, scenes = record_messages(table), []
    table._session._finder_results._start_job = lambda _name, work, heard, **_: heard(work())
    table._session.set_finder("certain", _certain)
    scenes.append(table.scene)
    scenes += [send_message(table, "explain_refusal", card=card) for card in ANY]
    for kind in READ:
        more = {"draft": {"draft": {}}, "retry_decision": {"to_ply": 0}}.get(kind, {})
        scenes.append(send_message(table, kind, **more))
    bundle, _ = table._repr_mimebundle_()
    table.close()
    return [*scenes, *sent, bundle["text/plain"], bundle["text/html"].partition('src="')[0]]


def _certain(view: Observation) -> list[float]:
    """Return how many moves are legal, and how many cards of others are known."""
    return [len(view.legal_moves()), *(map(len, view.memory.known) if view.memory else ())]


@every_field
def test_hidden_cards_do_not_change_what_a_table_shows(field: str) -> None:
    """In counting games: scenes, hints, spoken text, lists, pictures and each "why not" are the same in any language."""
    rng, kinds = Random(field), set()
    for game, other in equal_views(field, tried(2, 30)):
        assert other.view(0) == game.view(0)
        seats, language = opponents(game, rng), rng.choice(LANGUAGES)
        heard = everything_shown(game, seats, language)
        assert everything_shown(other, seats, language) == heard
        kinds |= {message["note"]["kind"] for message in heard if "note" in message} | {
            message["kind"] for message in heard if "kind" in message
        }
    assert kinds == {
        "hint",
        "refused",
        "info",
        "announcement",
        "move_list",
        "seen_cards",
        "share",
        "rules_dialog",
        "opponents",
        "how_to_play",
    }  # the test did read some texts


@pytest.mark.slow
@every_field
def test_hidden_cards_do_not_change_coach_and_chances_at_a_table(field: str) -> None:
    """In games that do not count: comments, chances and other findings."""
    for game, other in equal_views(field, tried(1, 20)):
        heard = everything_shown(game, {0: "you"}, "en")
        assert everything_shown(other, {0: "you"}, "en") == heard
        found = {name for message in heard if "analysis" in message for name in message["analysis"]}
        assert found == {"certain", *(["chances"] if estimate_win_chance(game.view(0)) else [])}


@every_field
def test_hidden_cards_do_not_change_a_lessons_coach(field: str) -> None:
    """Test comments on past moves and on the options."""
    for game, other in equal_views(field, tried(2, 30)):
        comments = []
        for position in (game, other):
            quiz = lessons.Guided(position, bouts=9)
            comments.append((quiz.sentences, quiz.view_model(), quiz.table.scene))
            quiz.table.close()
        assert comments[0] == comments[1]
        assert comments[0][0]
