"""Adds reference games and move counts to `tests/data`, for presets that have none.

The oracle in `tests/support/oracle.py` plays them. It is written from the rule book and shares no code with the engine, and
`tests/engine/test_conformance.py` compares the engine with what it wrote. Each new row says `"by": "tests/support/oracle.py"`; rows without
that word come from an earlier implementation that is not kept here. Existing lines stay as they are, byte for byte.

    python tools/reference_games.py          # append what is missing
    python tools/reference_games.py --check  # exit with 1 where something is missing
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from support import oracle_book  # noqa: E402 - found only by the line above
from support.oracle import Oracle  # noqa: E402 - the same

GAMES = TESTS / "data" / "games.jsonl"
PERFT = TESTS / "data" / "perft.json"
BY = "tests/support/oracle.py"
MOST_PLIES = 2_000
DEPTH = 5


def options_of(preset: str, players: int) -> oracle_book.Options:
    """Return all rule options of a preset for a number of players."""
    options = oracle_book.DEFAULTS | oracle_book.PRESETS[preset]
    return options if preset in oracle_book.BOOK["players_fixed"] else options | {"players": players}


def numbers_of_players(preset: str, wanted: tuple[int, ...]) -> list[int]:
    """Return which numbers of players in `wanted` a preset allows, or the one that it fixes."""
    if preset in oracle_book.BOOK["players_fixed"]:
        return [options_of(preset, 0)["players"]]
    return [players for players in wanted if oracle_book.refusal(options_of(preset, players)) is None]


def random_game(preset: str, players: int, number: int, *, with_legal_moves: bool) -> dict[str, Any]:
    """Return the record of a random game, with all legal moves at each ply if requested."""
    rng = random.Random(f"{preset} {players} {number}")
    options = options_of(preset, players)
    deck = oracle_book.deck_of(options)
    rng.shuffle(deck)
    dealer = rng.randrange(players)
    game = Oracle(options, deck, dealer)
    plies: list[Any] = []
    while game.actor is not None:
        if len(plies) == MOST_PLIES:
            raise SystemExit(f"{preset} for {players}: a random game is not over after {MOST_PLIES} moves")
        legal = game.legal()
        move = rng.choice(legal)
        plies.append({"actor": game.actor, "legal": legal, "move": move} if with_legal_moves else [game.actor, move])
        game.play(move)
    return {"preset": preset, "players": players, "deck": deck, "dealer": dealer, "plies": plies, "outcome": game.outcome(), "by": BY}


def count_moves(game: Oracle, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves."""
    legal = [] if game.actor is None else game.legal()
    if depth == 1:
        return len(legal)
    count = 0
    for move in legal:
        branch = copy.deepcopy(game)
        branch.play(move)
        count += count_moves(branch, depth - 1)
    return count


def move_counts(preset: str, players: int) -> dict[str, Any]:
    """Return the move counts of a preset, from the deal with seed 1."""
    options = options_of(preset, players)
    deck = oracle_book.deck_of(options)
    random.Random(1).shuffle(deck)
    counts = [count_moves(Oracle(options, deck, 0), depth) for depth in range(1, DEPTH + 1)]
    return {"preset": preset, "players": players, "seed": 1, "dealer": 0, "counts": counts, "by": BY}


def append_missing(games: Path = GAMES, perft: Path = PERFT, *, write: bool = True) -> list[str]:
    """Add each preset's missing rows, and return the names of these presets."""
    missing = []
    played = {json.loads(line)["preset"] for line in games.read_text(encoding="utf-8").splitlines()}
    counted = {row["preset"] for row in json.loads(perft.read_text(encoding="utf-8"))}
    for preset in oracle_book.PRESETS:
        if preset in played and preset in counted:
            continue
        missing.append(preset)
        if write and preset not in played:
            rows = [
                random_game(preset, players, number, with_legal_moves=number == 0)
                for players in numbers_of_players(preset, (2, 3, 4, 6))
                for number in range(2)
            ]
            with games.open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
        if write and preset not in counted:
            rows = [move_counts(preset, players) for players in numbers_of_players(preset, (2, 3))]
            before = perft.read_text(encoding="utf-8").rstrip().removesuffix("]").rstrip()
            perft.write_text(before + "".join(",\n" + json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8", newline="\n")
    return missing


def main() -> int:
    """Add all missing rows, or with `--check` only print which are missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something is missing")
    check = parser.parse_args().check
    missing = append_missing(write=not check)
    print(
        "every preset has reference games and move counts" if not missing else f"{'missing' if check else 'appended'}: {', '.join(missing)}"
    )
    return 1 if check and missing else 0


if __name__ == "__main__":
    sys.exit(main())
