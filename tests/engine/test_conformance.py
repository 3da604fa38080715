"""Compare the engine move by move with reference data from an independent implementation of the rule book."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import reference_games
from durak_widget import Game, Match, Move, Rules
from support import oracle, oracle_book
from support.sizes import tried

DATA = Path(__file__).parents[1] / "data"
PERFT = json.loads((DATA / "perft.json").read_text())
GAMES = [json.loads(line) for line in (DATA / "games.jsonl").read_text().splitlines()]
BY_PRESET = sorted({game["preset"] for game in GAMES})


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves."""
    moves = game.legal_moves()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        branch = game.copy()
        branch.play(move)
        count += perft(branch, depth - 1)
    return count


def test_perft_counts_match_the_reference() -> None:
    """From a fixed deal there are as many sequences of moves as in the reference data."""
    for row in PERFT:
        game = Game(Rules.preset(row["preset"], players=row["players"]), seed=row["seed"], dealer=row["dealer"])
        assert [perft(game, depth + 1) for depth in range(len(row["counts"]))] == row["counts"]


@pytest.mark.parametrize("preset", BY_PRESET)
@pytest.mark.sample(3)
def test_reference_games_play_the_same(preset: str) -> None:
    """Each reference game has the same actors, the same legal moves in the same order, and the same outcome."""
    for row in (row for row in GAMES if row["preset"] == preset):
        game = Game(Rules.preset(preset, players=row["players"]), deck=row["deck"], dealer=row["dealer"])
        for ply in row["plies"]:
            actor, move = (ply["actor"], ply["move"]) if isinstance(ply, dict) else ply
            assert game.actor == actor
            if isinstance(ply, dict):
                assert [str(legal) for legal in game.legal_moves()] == ply["legal"]
            game.play(move)
        assert game.actor is None
        outcome = {name: list(value) if isinstance(value, tuple) else value for name, value in game.outcome._asdict().items()}
        assert outcome == row["outcome"]


def test_every_preset_has_reference_games() -> None:
    """Every preset appears in both files of reference data."""
    assert set(BY_PRESET) == set(Rules.presets()) == {row["preset"] for row in PERFT}


@pytest.mark.parametrize("chapter", range(20))
@pytest.mark.sample(10)
def test_random_rule_mixes_play_as_in_the_oracle(chapter: int) -> None:
    """On free mixes of all options, engine and oracle agree on every card, actor, list of moves and outcome."""
    for number in range(chapter * 15, chapter * 15 + 15):
        rng = Random(number)
        options = oracle_book.random_mix(rng)
        deck, dealer = oracle_book.deck_of(options), rng.randrange(options["players"])
        rng.shuffle(deck)
        game, slow = Game(Rules(**options), deck=deck, dealer=dealer), oracle.Oracle(options, deck, dealer)
        while slow.actor is not None and game.ply < 300:
            assert game.actor == slow.actor, str(game)
            assert [str(move) for move in game.legal_moves()] == slow.legal(), str(game)
            assert str(game.table) == " ".join(a if b is None else f"{a}/{b}" for a, b in slow.table), str(game)
            _assert_same_cards(game, slow)
            move = rng.choice(slow.legal())
            game.play(move)
            slow.play(move)
        _assert_same_cards(game, slow)
        assert game.actor == slow.actor
        if slow.actor is None:
            expected = slow.outcome()
            assert {name: getattr(game.outcome, name) for name in expected} == {
                name: tuple(value) if isinstance(value, list) else value for name, value in expected.items()
            }, str(game)


def test_next_games_of_a_match_begin_as_in_the_oracle() -> None:
    """On free mixes, the next games of a match have the dealer and first attacker that the oracle names."""
    compared = 0
    for number in range(tried(20, 150)):
        rng = Random(number)
        options = oracle_book.random_mix(rng) | {"repetition": 3}
        match = Match(Rules(**options), seed=number)
        for _ in range(2):
            while match.game.actor is not None:
                match.game.play(rng.choice(match.game.legal_moves()))
            if match.loser is not None:
                break
            after = {name: list(value) if isinstance(value, tuple) else value for name, value in match.game.outcome._asdict().items()}
            dealer = oracle.Oracle.next_dealer(options, match.dealer, after["fool"])
            deck = next(line for line in str(match.next_game()).splitlines() if line.startswith("Deck: ")).split()[1:]
            assert match.dealer == dealer
            assert match.game.attacker == oracle.Oracle(options, deck, dealer, after=after).attacker
            compared += 1
    assert compared > tried(25, 200)


def _assert_same_cards(game: Game, slow: oracle.Oracle) -> None:
    assert [sorted(map(str, hand)) for hand in game.hands] == [sorted(hand) for hand in slow.hands]
    assert list(map(str, game.talon)) == slow.talon
    assert sorted(map(str, game.discard)) == sorted(slow.discard)
    assert (game.trump, game.places, game.attacker, game.defender) == (slow.trump, tuple(slow.places), slow.attacker, slow.defender)


def test_equal_moves_are_the_same_object() -> None:
    """A move parsed twice is the same object, so lists of moves are compared fast."""
    assert Move("beat 7c 9c") is Move("BEAT 7♣ 9c")


def test_the_oracle_has_every_option() -> None:
    """Every option has a row in data/book.json, a rule in the oracle, and different values in the mixes. Otherwise no mix would test it."""
    for name in list(Rules.options()):
        assert name in oracle_book.OPTIONS, f"tests/data/book.json has no row for {name}"
        source = "".join(path.read_text(encoding="utf-8") for path in Path(oracle.__file__).parent.glob("oracle*.py"))
        assert f'"{name}"' in source, f"no tests/oracle*.py ever asks for {name}: write its rule there, from the rule book"
        drawn = {oracle_book.random_mix(Random(number))[name] for number in range(60)}
        assert len(drawn) > 1, f"{name} is the same in every mix"


def test_the_oracle_has_no_other_option() -> None:
    """An option removed from the rules is removed from the tests too."""
    assert list(oracle_book.OPTIONS) == list(dict.fromkeys(oracle_book.OPTIONS))
    assert oracle_book.OPTIONS.keys() == set(Rules.options())
    assert oracle_book.PRESETS.keys() == set(Rules.presets())


def test_the_script_appends_reference_games_of_a_new_preset(tmp_path: Path) -> None:
    """Rows of a missing preset are appended with the name of the implementation, and the earlier lines stay as they are."""
    games, perft_rows = tmp_path / "games.jsonl", tmp_path / "perft.json"
    before = "".join(line + "\n" for line in (DATA / "games.jsonl").read_text().splitlines() if '"preset": "econ431"' not in line)
    games.write_text(before)
    counts = (DATA / "perft.json").read_text()
    perft_rows.write_text("\n".join(line for line in counts.splitlines() if '"econ431"' not in line))
    assert reference_games.append_missing(games, perft_rows) == ["econ431"]
    assert games.read_text().startswith(before)
    new = [json.loads(line) for line in games.read_text()[len(before) :].splitlines()]
    assert {(row["preset"], row["by"]) for row in new} == {("econ431", "tests/support/oracle.py")}
    counted = [row["counts"] for row in json.loads(perft_rows.read_text()) if row["preset"] == "econ431"]
    assert counted == [row["counts"] for row in PERFT if row["preset"] == "econ431"]
    assert reference_games.append_missing(games, perft_rows) == []
