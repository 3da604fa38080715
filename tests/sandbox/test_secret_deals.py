"""Test that no bot can compute hidden cards while it plays."""

from __future__ import annotations

import sqlite3
import warnings
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, arena, key_derivation
from durak_widget.arena.bot_entrants import build_entrants
from durak_widget.arena.duplicate_games import DEFAULT_LIMITS, TournamentTerms, _create_match, play_meeting
from durak_widget.arena.schedule import SLOW_DERIVATION, build_schedule, choose_deal_source
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "def choose(view):\n    return view.legal_moves()[0]\n"
CHEAT = '''
import time
from durak_widget.arena.schedule import choose_deal_source
from durak_widget.arena.bot_entrants import Entrant
from durak_widget.engine.game import Game

WORDS = [f"word{number}" for number in range(2000)]


def choose(view, rng):
    """Try one seed after another, as long as a game's time lasts, until the own hand and the trump fit."""
    tried, mine = 0, sorted(map(str, view.hand))
    rng.shuffle(WORDS)
    until = time.process_time() + 4.7
    for word in WORDS:
        key = choose_deal_source([Entrant("cheat", "code", "", "")], word, {}).key
        tried += 1
        for number in range(1, 12):
            game = Game(view.rules, seed=f"{key} 'careful', 'cheat' {number}")
            if sorted(map(str, game.hands[view.seat])) == mine and game.trump == view.trump:
                return f"knows after {tried}"
        if time.process_time() > until:
            break
    return f"tried {tried}"
'''


def deck_of(text: str) -> str:
    """Return the deck of a game from its text."""
    return next(line for line in text.splitlines() if line.startswith("Deck: "))


def two_bots(tmp_path: Path, code: str = FIRST) -> list[object]:
    """Return the careful bot, and a student's code."""
    (tmp_path / "cheat.py").write_text(code, encoding="utf-8")
    return ["careful", tmp_path / "cheat.py"]


@pytest.mark.slow
@pytest.mark.skipif(not key_derivation.HAS_SCRYPT, reason="this Python has no scrypt")
def test_a_bot_that_guesses_the_seed_can_try_few(tmp_path: Path) -> None:
    """In five seconds, knowing the derivation and the opponent, it tries fewer than 200 words per game."""
    ranking = arena.play(two_bots(tmp_path, CHEAT), games=2, seed="a seed that is in no list")
    sentences = [forfeit.english_text for forfeit in ranking.forfeits]
    assert len(sentences) == 2
    assert all("tried" in sentence or "longer than" in sentence for sentence in sentences), sentences
    assert all(int(sentence.split("tried ")[1].split("'")[0].split("”")[0]) < 200 for sentence in sentences if "tried " in sentence), (
        sentences
    )


def test_the_same_bot_finds_a_known_seed(tmp_path: Path) -> None:
    """With the right word in its list it would know every card, so its derivation is right."""
    source = choose_deal_source(build_entrants(two_bots(tmp_path)), "word7", {})
    order = build_schedule(("careful", "cheat"), 2, system="all", games=2, match=1, seed=source.seed, against=None, key=source.key)
    (meeting,) = next(order.generate_meetings(list))
    sat = play_meeting(TournamentTerms(Rules(), build_entrants(["careful", "first"]), 1, DEFAULT_LIMITS, uses_whole_seed=True), meeting)
    assert deck_of(str(Game(Rules(), seed=f"{source.key} 'careful', 'cheat' 1"))) == deck_of(sat.games[0].text)


def test_deals_without_student_code_do_not_change() -> None:
    """Lessons and docs rely on them: the deal follows from seed and names."""
    order = build_schedule(("careful", "first"), 2, system="all", games=2, match=1, seed=1, against=None)
    assert next(order.generate_meetings(list))[0].deal_seed == "1 'careful', 'first' 1"


def test_without_a_seed_a_new_secret_is_stored(tmp_path: Path) -> None:
    """Two tournaments have different deals, and the same call continues from the file."""
    file = tmp_path / "ours.sqlite"
    first, other = arena.play(two_bots(tmp_path), games=4, file=file), arena.play(two_bots(tmp_path), games=4)
    assert first.seed != other.seed
    assert len(str(first.seed)) == 32
    assert arena.load(file).seed == first.seed
    more = arena.play(two_bots(tmp_path), games=8, file=file)
    assert (more.seed, more.games_played) == (first.seed, 8)
    again = arena.play(two_bots(tmp_path), games=8, seed=first.seed)
    assert [game.text for game in again.games] == [game.text for game in more.games]


def test_without_scrypt_a_random_key_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deal does not depend on the seed, and the file continues."""
    monkeypatch.setattr(key_derivation, "HAS_SCRYPT", False)
    file = tmp_path / "ours.sqlite"
    first, other = (choose_deal_source(build_entrants(two_bots(tmp_path)), "a word", {}) for _ in range(2))
    assert first.derivation == SLOW_DERIVATION
    assert first.key != other.key
    arena.play(two_bots(tmp_path), games=4, seed="a long word of our own", file=file)
    assert arena.play(two_bots(tmp_path), games=8, seed="a long word of our own", file=file).games_played == 8


def test_every_deal_of_a_match_uses_the_whole_seed(tmp_path: Path) -> None:
    """With student code there are more than 2³² possible deals."""
    ranking = arena.play(two_bots(tmp_path), games=6, match=3, seed="a long word of our own")
    assert len({deck_of(game.text) for game in ranking.games}) >= 3
    terms = TournamentTerms(Rules(), build_entrants(["careful", "first"]), 3, DEFAULT_LIMITS, uses_whole_seed=True)
    assert _create_match(terms, "a deal").game.seed == "a deal"
    later = _create_match(terms, "a deal")
    while later.game.outcome is None:
        later.game.play(later.game.legal_moves()[0])
    assert int(later.next_game().seed).bit_length() > 200


def test_an_older_file_can_be_read_but_not_continued(tmp_path: Path) -> None:
    """Its games are shown. The old derivation is gone, so another file is needed."""
    file = tmp_path / "ours.sqlite"
    arena.play(["careful", "first"], games=4, file=file)
    with sqlite3.connect(file) as base:
        base.execute("DELETE FROM metadata WHERE key IN ('deals', 'key')")
    base.close()
    assert arena.load(file).games_played == 4
    with pytest.raises(arena.TournamentFileError, match="earlier version"):
        arena.play(["careful", "first"], games=8, file=file)
    assert arena.load(file).games_played == 4


def test_an_easily_guessed_seed_is_reported(tmp_path: Path) -> None:
    """This is so if student code plays."""
    for seed, easy in ((1, True), ("willow", True), ("5f3e9c1d7a2b4068", False), (None, False)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ranking = arena.play(two_bots(tmp_path), games=2, seed=seed)  # type: ignore[arg-type]
        assert any("easy to guess" in problem for problem in ranking.problems) == easy


def test_a_seed_is_not_called_easy_if_deals_do_not_depend_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scrypt the secret is random, also if a Python with scrypt continues."""
    file = tmp_path / "ours.sqlite"
    with monkeypatch.context() as without:
        without.setattr(key_derivation, "HAS_SCRYPT", False)
        assert not arena.play(two_bots(tmp_path), games=2, seed="willow", file=file).problems
    assert not arena.play(two_bots(tmp_path), games=4, seed="willow", file=file).problems
