"""Run in Pyodide, without numpy: worlds, endgames, a solved game, and the examples of each module. Print the results as JSON."""

import doctest
import importlib
import json
import sys
from pathlib import Path
from random import Random

PACKAGE = Path("/project/durak_widget")
MODULES = [path for name in ("analysis", "gametheory") for path in (PACKAGE / name).rglob("*.py") if path.stem != "__init__"]


def main() -> dict[str, object]:
    """Return the results."""
    from durak_widget import Game, Rules, analysis, gametheory  # noqa: PLC0415 - /project is in sys.path only now

    game = Game(seed=11)
    view = game.view(game.actor)
    worlds = analysis.worlds(view)
    ending = analysis.endgame.solve_endgame(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h"))
    going_round = analysis.endgame.solve_endgame(Game.from_position("perevodnoy", hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h"))
    rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    tree = analysis.build_game_tree(rules, dealer=1, open_hands=True)
    solution = gametheory.solve(tree, "backward")
    try:
        gametheory.solve(tree, "cfr+")
    except ImportError as error:
        missing = str(error)
    else:
        missing = "nothing"
    return {
        "where": sys.platform,
        "worlds": [worlds.count(), worlds.sample(Random(1)).view(game.actor) == view],
        "ending": [ending.value, *map(str, ending.best_moves)],
        "going round": going_round.value,
        "solved": [str(solution.value), str(gametheory.check_certificate(tree, solution.certificate))],
        "missing": missing,
        "examples": {name: examples(name) for name in map(module_name, MODULES)},
    }


def module_name(path: Path) -> str:
    """Return the name by which a module is imported."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def examples(name: str) -> tuple[int, int] | str:
    """Return how many examples of a module fail, and how many there are; if it can't be imported, the package that it needs."""
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        return str(error.name)
    return doctest.testmod(module, optionflags=doctest.ELLIPSIS)[:2]


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, "/project")
    sys.stdout.write(json.dumps(main()) + "\n")
