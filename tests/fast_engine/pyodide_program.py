"""Run in Pyodide: report the host there, and results of games. Print JSON."""

import json
import sys
from pathlib import Path


def main() -> dict[str, object]:
    """Return the results of the fast engine and of the Python engine in Pyodide."""
    from durak_widget import Game, analysis, fast_engine  # noqa: PLC0415 - it lies in /project
    from durak_widget.fast_engine.game_simulation import _simulate_in_python  # noqa: PLC0415 - as above

    game_sets = json.loads(Path("/project/tests/fast_engine/game_sets.json").read_text(encoding="utf-8"))
    game = Game("transfer, players=4", seed=7)
    after = game.copy()
    after.play(game.legal_moves()[0])
    solved = analysis.endgame.solve_endgame(Game.from_position("perevodnoy", hands=["9c Td Qs Jc", "Kc Ts Jd As"], trump="h"))
    return {
        "where": fast_engine.describe_host(),
        "digests": [fast_engine.simulate_games(**game_set).digest for game_set in game_sets],
        "legal": fast_engine.legal_moves(game) == game.legal_moves(),
        "played": fast_engine.position_after(game, [game.legal_moves()[0]]) == after.position,
        "plain": fast_engine.simulate_games(game.rules, count=3, seed=1) == _simulate_in_python(game.rules, 3, 1, [0] * 4),
        "tried": fast_engine.playouts(after, count=40).sums,
        "opened": analysis.solve_double_dummy(Game("econ431, ranks=QKA", seed=3), budget=70_000)[::2],
        "ended": [solved.value, solved.bouts_to_end, solved.positions_searched, *map(str, solved.best_line)],
        "at last": fast_engine.describe_host(),
    }


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, "/project")
    sys.stdout.write(json.dumps(main()) + "\n")
