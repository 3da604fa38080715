"""No bot works out, while it plays, the cards that it may not see."""

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


def deck(text: str) -> str:
    """The deck of a game, out of its text."""
    return next(line for line in text.splitlines() if line.startswith("Deck: "))


def bots(tmp_path: Path, code: str = FIRST) -> list[object]:
    """The careful bot, and somebody else's code."""
    (tmp_path / "cheat.py").write_text(code, encoding="utf-8")
    return ["careful", tmp_path / "cheat.py"]


@pytest.mark.slow
@pytest.mark.skipif(not key_derivation.HAS_SCRYPT, reason="this Python has no scrypt")
def test_a_bot_that_looks_for_the_seed_tries_few(tmp_path: Path) -> None:
    """It may compute for its whole five seconds, knows how deals are derived and whom it meets, and does not come to 200 words a game."""
    ranking = arena.play(bots(tmp_path, CHEAT), games=2, seed="a seed that is in no list")
    said = [forfeit.english_text for forfeit in ranking.forfeits]
    assert len(said) == 2
    assert all("tried" in sentence or "longer than" in sentence for sentence in said), said
    assert all(int(sentence.split("tried ")[1].split("'")[0].split("”")[0]) < 200 for sentence in said if "tried " in sentence), said


def test_the_same_guess_finds_a_seed_that_is_known(tmp_path: Path) -> None:
    """The derivation that the bot uses is the one that deals: with the right word in its list it would know every card."""
    source = choose_deal_source(build_entrants(bots(tmp_path)), "word7", {})
    order = build_schedule(("careful", "cheat"), 2, system="all", games=2, match=1, seed=source.seed, against=None, key=source.key)
    (meeting,) = next(order.generate_meetings(list))
    sat = play_meeting(TournamentTerms(Rules(), build_entrants(["careful", "first"]), 1, DEFAULT_LIMITS, uses_whole_seed=True), meeting)
    assert deck(str(Game(Rules(), seed=f"{source.key} 'careful', 'cheat' 1"))) == deck(sat.games[0].text)


def test_deals_of_own_bots_are_as_before() -> None:
    """Lessons and docs keep their numbers: without other people's code the deal follows from seed and names alone."""
    order = build_schedule(("careful", "first"), 2, system="all", games=2, match=1, seed=1, against=None)
    assert next(order.generate_meetings(list))[0].deal_seed == "1 'careful', 'first' 1"


def test_without_a_seed_the_secret_is_new_and_kept(tmp_path: Path) -> None:
    """Two tournaments deal other cards; the file keeps the secret, and the same call goes on with it."""
    file = tmp_path / "ours.sqlite"
    one, other = arena.play(bots(tmp_path), games=4, file=file), arena.play(bots(tmp_path), games=4)
    assert one.seed != other.seed
    assert len(str(one.seed)) == 32
    assert arena.load(file).seed == one.seed
    more = arena.play(bots(tmp_path), games=8, file=file)
    assert (more.seed, more.games_played) == (one.seed, 8)
    again = arena.play(bots(tmp_path), games=8, seed=one.seed)
    assert [game.text for game in again.games] == [game.text for game in more.games]


def test_without_scrypt_a_random_key_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without scrypt deals from chance, whatever the seed is, and goes on from the file."""
    monkeypatch.setattr(key_derivation, "HAS_SCRYPT", False)
    file = tmp_path / "ours.sqlite"
    first, other = (choose_deal_source(build_entrants(bots(tmp_path)), "a word", {}) for _ in range(2))
    assert first.derivation == SLOW_DERIVATION
    assert first.key != other.key
    arena.play(bots(tmp_path), games=4, seed="a long word of our own", file=file)
    assert arena.play(bots(tmp_path), games=8, seed="a long word of our own", file=file).games_played == 8


def test_every_deal_of_a_match_has_the_whole_seed(tmp_path: Path) -> None:
    """No deal where other people's code plays is one of only four thousand million."""
    ranking = arena.play(bots(tmp_path), games=6, match=3, seed="a long word of our own")
    assert len({deck(game.text) for game in ranking.games}) >= 3
    terms = TournamentTerms(Rules(), build_entrants(["careful", "first"]), 3, DEFAULT_LIMITS, uses_whole_seed=True)
    assert _create_match(terms, "a deal").game.seed == "a deal"
    later = _create_match(terms, "a deal")
    while later.game.outcome is None:
        later.game.play(later.game.legal_moves()[0])
    assert int(later.next_game().seed).bit_length() > 200


def test_a_file_from_before_is_read_and_not_played_on(tmp_path: Path) -> None:
    """Its games are shown; how its cards were dealt is no longer known, so another file is to be named."""
    file = tmp_path / "ours.sqlite"
    arena.play(["careful", "first"], games=4, file=file)
    with sqlite3.connect(file) as base:
        base.execute("DELETE FROM metadata WHERE key IN ('deals', 'key')")
    base.close()
    assert arena.load(file).games_played == 4
    with pytest.raises(arena.TournamentFileError, match="earlier version"):
        arena.play(["careful", "first"], games=8, file=file)
    assert arena.load(file).games_played == 4


def test_a_seed_that_is_easy_to_guess_is_named(tmp_path: Path) -> None:
    """Where other people's code plays."""
    for seed, easy in ((1, True), ("willow", True), ("5f3e9c1d7a2b4068", False), (None, False)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ranking = arena.play(bots(tmp_path), games=2, seed=seed)  # type: ignore[arg-type]
        assert any("easy to guess" in said for said in ranking.problems) == easy


def test_no_seed_is_called_easy_where_deals_do_not_follow_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scrypt the cards come from a random secret; that stays so when a Python with scrypt plays on."""
    file = tmp_path / "ours.sqlite"
    with monkeypatch.context() as without:
        without.setattr(key_derivation, "HAS_SCRYPT", False)
        assert not arena.play(bots(tmp_path), games=2, seed="willow", file=file).problems
    assert not arena.play(bots(tmp_path), games=4, seed="willow", file=file).problems
