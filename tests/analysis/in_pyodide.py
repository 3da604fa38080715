"""What runs in Pyodide, without numpy: worlds, endings and a solved game, then every example of the rooms that are plain Python. Prints JSON."""

import doctest
import importlib
import json
import sys
from pathlib import Path
from random import Random

PACKAGE = Path("/project/durak_widget")
ROOMS = [
    path for floor in ("analysis", "gametheory") for path in (PACKAGE / floor).rglob("*.py") if path.stem not in ("__init__", "__main__")
]


def main() -> dict[str, object]:
    """What is found there."""
    from durak_widget import Game, Rules, analysis, gametheory  # noqa: PLC0415 - it lies in /project

    game = Game(seed=11)
    view = game.view(game.actor)
    worlds = analysis.worlds(view)
    ending = analysis.endgame.solve(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h"))
    going_round = analysis.endgame.solve(Game.from_position("perevodnoy", hands=["Ks As Kd", "Kh Ah Kc Ac"], trump="h"))
    rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    tree = analysis.build(rules, dealer=1, open_hands=True)
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
        "ending": [ending.value, *map(str, ending.best)],
        "going round": going_round.value,
        "solved": [str(solution.value), str(gametheory.check(tree, solution.certificate))],
        "missing": missing,
        "examples": {path.stem: examples(path) for path in ROOMS if path.parent.name != "results"},
    }


def examples(path: Path) -> tuple[int, int] | str:
    """How many examples of a module fail, and how many there are; else the package that it needs."""
    try:
        module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    except ImportError as error:
        return str(error.name)
    return doctest.testmod(module, optionflags=doctest.ELLIPSIS)[:2]


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, "/project")
    sys.stdout.write(json.dumps(main()) + "\n")
