"""Compares the speed of two checkouts: `python -m benchmarks between OLD`.

`git worktree add OLD COMMIT` creates the other checkout.

Both checkouts run one short program alternately, in a fresh process each time, with the same Python and this
checkout's benchmark, so that only the package differs. Times are seconds of CPU time, including processes that the
program starts. A line has the median ratio of the times now and before, and the smallest and the largest ratio.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Part = Callable[[], object]

HERE = Path(__file__).resolve().parent.parent
RANDOM = {"podkidnoy": 800, "transfer": 500, "econ431": 1200, "two_decks": 200}
"""The number of random games for each preset."""
CAREFUL, DEALS, STUDENTS = 100, 60, 6
WORLDS = {"podkidnoy": 1000, "two_decks": 300}
"""The number of sampled worlds for each of ten positions, by preset."""
ROUNDS = 7
IMPORTS = """
import sys
from time import process_time
sys.path.insert(0, sys.argv[1])
began = process_time()
import durak_widget
package = process_time()
from durak_widget import lessons
getattr(durak_widget, "analysis" if "analysis" in dir(durak_widget) else "theory")  # as older commits call it
print(package - began, process_time() - package, durak_widget.__file__, sep="\\n")
"""
"""A program that measures imports in a fresh process; each round runs it five times, because imports are fast."""


def used() -> float:
    """Return the CPU time in seconds of this process and of its ended child processes."""
    return process_time() + sum(os.times()[2:4])


def module(*names: str) -> Any:  # noqa: ANN401 - a module of any commit
    """Import the first of some modules that exists, because older commits have other names."""
    for name in names[:-1]:
        with contextlib.suppress(ModuleNotFoundError):
            return import_module(f"durak_widget.{name}")
    return import_module(f"durak_widget.{names[-1]}")


def attribute(owner: object, *names: str) -> Any:  # noqa: ANN401 - an attribute of any commit
    """Return the first of some attributes that exists, because older commits have other names."""
    return next(getattr(owner, name) for name in names if hasattr(owner, name))


def random_games(name: str, games: int) -> Part:
    """Return a job that plays random games with the public functions."""
    package = import_module("durak_widget")
    rules = package.Rules.preset(name)

    def run() -> int:
        plies, choose = 0, Random(1).random
        for seed in range(games):
            game = package.Game(rules, seed=seed)
            while game.actor is not None:
                moves = game.legal_moves()
                game.play(moves[int(choose() * len(moves))])
            plies += game.ply
        return plies

    return run


def careful_games() -> Part:
    """Return a job that lets two careful bots play."""
    package, bots = import_module("durak_widget"), import_module("durak_widget.bots")

    def run() -> int:
        games = [package.Game(seed=seed) for seed in range(CAREFUL)]
        for seed, game in enumerate(games):
            bots.play(game, ["careful", "careful"], seed)
        return sum(game.ply for game in games)

    return run


def endings() -> Part:
    """Return a job that solves random endgames with two hands and a trump suit."""
    package, solve = import_module("durak_widget"), attribute(module("analysis", "theory").endgame, "solve_endgame", "solve")
    dealt = []
    for name, cards in (("transfer", 4), ("podkidnoy", 6)):
        rules = package.Rules.preset(name)
        for seed in range(DEALS):
            rng = Random(seed)
            chosen = rng.sample([rank + suit for suit in rules.suits for rank in rules.ranks], 2 * cards)
            hands = [" ".join(chosen[:cards]), " ".join(chosen[cards:])]
            dealt.append(package.Game.from_position(rules, hands=hands, trump=rng.choice("cdhs")))
    return lambda: [solve(game).value for game in dealt]


def worlds(name: str, each: int) -> Part:
    """Return a job that samples worlds as states, in the middle of random games."""
    package, theory = import_module("durak_widget"), module("analysis", "theory")
    views, rng = [], Random(1)
    for seed in range(10):
        game = package.Game(package.Rules.preset(name), seed=seed)
        for _ in range(25):
            if game.actor is not None:
                game.play(rng.choice(game.legal_moves()))
        views.append(game.view(seed % 2))

    def run() -> None:
        for view in views:
            possible_worlds = theory.worlds(view)
            for _ in range(each):
                possible_worlds.sample_state(rng)

    return run


def miniature(ranks: str, *, solved: bool) -> Part:
    """Return a job that builds a miniature of podkidnoy, or that solves one already built."""
    package, theory, solver = import_module("durak_widget"), module("analysis", "theory"), module("gametheory", "theory")
    sizes = {"suits": "cd", "ranks": ranks, "hand_size": 1, "attack_limit": 1}
    rules = package.Rules.preset("podkidnoy", **sizes, trump="c", first_attacker="left_of_dealer")
    build = attribute(theory, "build_game_tree", "build")
    tree = build(rules, dealer=1)
    return (lambda: str(solver.solve(tree).value)) if solved else (lambda: str(build(rules, dealer=1)))


def homework(folder: str) -> Part:
    """Return a job that creates some students' homework, with two of three answers right."""
    assignment = attribute(module("homework.assignment", "classroom.asking.assignment"), "get_assignment", "get")("econ431")
    receipt = module("homework.receipt", "classroom.handing.receipt")
    stored_answer = attribute(receipt, "StoredAnswer", "Kept")

    def run() -> None:
        for number in range(STUDENTS):
            name, answers = f"Student {number}", {}
            for place, question in enumerate(assignment.questions):
                task = assignment.create_exercise(question.name, name)
                if (number + place) % 3:
                    task.answer(task.solution)
                elif question.kind == "bot":
                    answers[question.name] = stored_answer({"code": "def choose(view):\n    return view.legal_moves()[0]\n"}, 1)
                if task.last_answer is not None:
                    answers[question.name] = stored_answer(json.loads(json.dumps(task.last_answer)), 1)
            text = attribute(receipt.Receipt(assignment.name, "", name, answers), "to_text", "text")()
            Path(folder, f"{number}.json").write_text(text, encoding="utf-8")

    return run


def marked(folder: str) -> Part:
    """Return a job that marks this homework in one process (only bots run in a sandbox)."""
    lessons = import_module("durak_widget.lessons")
    return lambda: [str(row.credit) for row in lessons.mark(folder, jobs=0).rows]


def imports(checkout: Path) -> dict[str, list[Any]]:
    """Measure the import of the package, and then of the modules that most lessons import."""
    started = [sys.executable, "-c", IMPORTS, str(checkout)]
    outputs = [subprocess.run(started, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines() for _ in range(5)]
    if not all(Path(file).is_relative_to(checkout) for _, _, file in outputs):
        raise SystemExit(f"The package came from elsewhere than {checkout}.")
    names = ("import durak_widget", "import analysis, lessons")
    return {name: [median(float(output[place]) for output in outputs), None] for place, name in enumerate(names)}


def program(checkout: Path) -> dict[str, list[Any]]:
    """Return the CPU time and the answer of each part, for the package in a checkout."""
    results: dict[str, list[Any]] = imports(checkout)
    sys.path.insert(0, str(checkout))

    def part(name: str, run: Part) -> None:
        start_time = used()
        answer = run()
        results[name] = [used() - start_time, answer]

    for name, games in RANDOM.items():
        part(f"random games, {name}", random_games(name, games))
    part("careful bots' games", careful_games())
    part("endings", endings())
    for name, world_count in WORLDS.items():
        part(f"worlds, {name}", worlds(name, world_count))
    miniature("67", solved=True)()  # Loads scipy before the clock starts
    part("a miniature built", miniature("678", solved=False))
    part("a miniature solved", miniature("678", solved=True))
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache_folder:
        os.environ["XDG_CACHE_HOME"] = cache_folder
        part("homework made and answered", homework(folder))
        part("homework marked", marked(folder))
    return results


def measured(checkout: Path) -> dict[str, list[Any]]:
    """Run the program in a fresh process, with one thread and fixed hashes.

    Compiled Python files are stored, as usual.
    """
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run([sys.executable, __file__, "--alone", str(checkout)], env=environment, stdout=subprocess.PIPE, check=True)
    result: dict[str, list[Any]] = json.loads(ran.stdout)
    return result


def checkout_of(folder: str) -> Path:
    """Return the path of a checkout; exit with a message if the folder has no package."""
    if not Path(folder, "durak_widget", "__init__.py").is_file():
        raise SystemExit(f"{folder} is no checkout: it has no durak_widget/__init__.py.")
    return Path(folder).resolve()


def main(old: Path, rounds: int) -> None:
    """Measure both checkouts by turns, and print a line for each part.

    The first round does not count, since it compiles files.
    """
    turns: list[tuple[dict[str, list[Any]], dict[str, list[Any]]]] = []
    for turn in range(rounds + 1):
        results_by_checkout = {checkout: measured(checkout) for checkout in ((HERE, old) if turn % 2 else (old, HERE))}
        turns.append((results_by_checkout[HERE], results_by_checkout[old]))
    print(f"{'now / before':<28} medians of {rounds} rounds (least .. most)   seconds of CPU, now and before")
    for name in turns[0][0]:
        pairs = [(now[name][0], before[name][0]) for now, before in turns[1:]]
        ratios = [now / before for now, before in pairs]
        now, before = (median(times) for times in zip(*pairs, strict=True))
        other = "" if all(now[name][1] == before[name][1] for now, before in turns) else "   not the same answers"
        print(f"{name:<28} {now / before:.2f} ({min(ratios):.2f} .. {max(ratios):.2f})   {now:7.3f} {before:7.3f}{other}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks between", description="how fast this checkout is beside another")
    parser.add_argument("old", metavar="OLD", type=checkout_of, help="the folder of the other checkout")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many rounds count")
    parser.add_argument("--alone", action="store_true", help="the program once, with OLD's package, as JSON")
    arguments = parser.parse_args()
    if arguments.alone:
        print(json.dumps(program(arguments.old)))
    else:
        main(arguments.old, arguments.rounds)
