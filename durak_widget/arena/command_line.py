"""The command `durak-arena careful ann.py …`: a tournament from the command line."""

from __future__ import annotations

import io
import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from durak_widget.arena.result_sentences import grouped, time_left
from durak_widget.arena.schedule import SYSTEMS
from durak_widget.arena.tournament_runner import Run, load
from durak_widget.atomic_files import keep_text
from durak_widget.errors import DurakError
from durak_widget.i18n import Voice, codes
from durak_widget.parallel import add_worker_options, cores, open_executor
from durak_widget.sandbox.code_runner import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.arena.ranking import Ranking

_INTERRUPTED: Final = 130
_EVERY: Final = 1.0
_DIGITS: Final = 1000
"""The number of digits from which a seed is read as text."""


def parser() -> ArgumentParser:
    """Return the parser of the command's arguments."""
    argument_parser = ArgumentParser(
        prog="durak-arena",
        description="Lets bots play one another, and says who is better and how sure that is.",
        epilog="With --file every game is kept as it comes; the same command goes on where it was stopped, and without bots it tells what is in the file.",
    )
    argument_parser.add_argument("bots", nargs="*", help="names (careful, grandmother), files (ann.py, ann.ipynb), folders of them")
    argument_parser.add_argument("--rules", default="podkidnoy", help="a preset and changes, such as 'podkidnoy, players=3' (podkidnoy)")
    argument_parser.add_argument("--games", type=int, default=1000, help="how many in all (1000)")
    argument_parser.add_argument(
        "--seed", help="what all cards are drawn from, to play the same tournament again (otherwise a new secret, which is shown and kept)"
    )
    argument_parser.add_argument("--system", choices=SYSTEMS[:2], default="all", help="each against each, or Swiss rounds (all)")
    argument_parser.add_argument("--against", help="a ladder: all play against this one alone")
    argument_parser.add_argument(
        "--match", type=int, default=1, help="how many games in a row at each seating; the fool deals the next (1)"
    )
    argument_parser.add_argument("--seconds", type=float, default=5, help="how many seconds other people's code may compute in a game (5)")
    add_worker_options(argument_parser, "one for each core")
    argument_parser.add_argument("--file", help="where every game is kept")
    argument_parser.add_argument("--page", metavar="FILE", help="write the page for the wall (HTML)")
    argument_parser.add_argument("--language", default="en", choices=codes(), help="of the page and of what is said")
    return argument_parser


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code.

    The code is 0 if everything was played, 1 after an error, and 130 if the command was stopped.
    """
    options = parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every console has every letter
    try:
        if not options.bots and options.file:
            return _told(options, load(options.file))
        with open_executor(options.jobs, options.dask) as executor:
            return _played(options, cores() if executor is None else executor)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command says what is wrong
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)  # noqa: T201 - as above
        return _INTERRUPTED


def _played(asked: Namespace, executor: object) -> int:
    run = Run(
        asked.bots,
        asked.rules,
        games=asked.games,
        seed=_seed(asked),
        executor=executor,
        system=asked.system,
        against=asked.against,
        match=asked.match,
        file=asked.file,
        limits=Limits(seconds=asked.seconds),
    )
    start_time, games_before, last_report, is_stopped = time.monotonic(), run.played, 0.0, False
    voice = Voice(asked.language)
    try:
        with closing(run.steps()) as steps:
            for game_count in steps:
                now = time.monotonic()
                if now - last_report >= _EVERY:
                    last_report = now
                    time_text = time_left((run.planned - game_count) * (now - start_time) / max(1, game_count - games_before), voice)
                    progress_text = voice.say("arena.so_far", played=grouped(game_count), planned=grouped(run.planned))
                    print(f"\r{progress_text}, {voice.say('arena.left', time=time_text)}   ", end="", file=sys.stderr, flush=True)  # noqa: T201 - as above
    except KeyboardInterrupt:
        is_stopped = True
    print("\r", end="", file=sys.stderr)  # noqa: T201 - as above
    _told(asked, run.ranking)
    if is_stopped:
        hint = "the same command goes on from there" if asked.file else "they are lost: with --file FILE they are kept"
        print(f"stopped after {run.played} of {run.planned} games; {hint}", file=sys.stderr)  # noqa: T201 - as above
        return _INTERRUPTED
    return 0


def _seed(asked: Namespace) -> int | str:
    """Return the seed of `--seed`, or of the file, or a new secret one."""
    if asked.seed is not None:
        return int(asked.seed) if asked.seed.isdecimal() and len(asked.seed) < _DIGITS else str(asked.seed)
    if asked.file and Path(asked.file).is_file():
        return load(asked.file).seed  # an empty file is refused: without a seed its deals would follow from 1
    secret_seed = token_hex(16)  # more than a bot can try out
    print(f"the cards are drawn from --seed {secret_seed}", file=sys.stderr)  # noqa: T201 - as above
    return secret_seed


def _told(asked: Namespace, ranking: Ranking) -> int:
    print(ranking.said(asked.language), flush=True)  # noqa: T201 - that is what the command is for
    if asked.page:
        keep_text(asked.page, ranking.page(asked.language))
        print(f"{asked.page}: the page for the wall")  # noqa: T201 - as above
    return 0
