"""`durak-arena careful ann.py …`: a tournament from the command line; `python -m durak_widget.arena` is the same."""

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
"""What has more of them is taken as a word."""


def parser() -> ArgumentParser:
    """What may be asked."""
    found = ArgumentParser(
        prog="durak-arena",
        description="Lets bots play one another, and says who is better and how sure that is.",
        epilog="With --file every game is kept as it comes; the same command goes on where it was stopped, and without bots it tells what is in the file.",
    )
    found.add_argument("bots", nargs="*", help="names (careful, grandmother), files (ann.py, ann.ipynb), folders of them")
    found.add_argument("--rules", default="podkidnoy", help="a preset and changes, such as 'podkidnoy, players=3' (podkidnoy)")
    found.add_argument("--games", type=int, default=1000, help="how many in all (1000)")
    found.add_argument(
        "--seed", help="what all cards are drawn from, to play the same tournament again (otherwise a new secret, which is shown and kept)"
    )
    found.add_argument("--system", choices=SYSTEMS[:2], default="all", help="each against each, or Swiss rounds (all)")
    found.add_argument("--against", help="a ladder: all play against this one alone")
    found.add_argument("--match", type=int, default=1, help="how many games in a row at each seating; the fool deals the next (1)")
    found.add_argument("--seconds", type=float, default=5, help="how many seconds other people's code may compute in a game (5)")
    add_worker_options(found, "one for each core")
    found.add_argument("--file", help="where every game is kept")
    found.add_argument("--page", metavar="FILE", help="write the page for the wall (HTML)")
    found.add_argument("--language", default="en", choices=codes(), help="of the page and of what is said")
    return found


def main(arguments: Sequence[str]) -> int:
    """Carry it out; 0 if all was played, 1 where something could not be done, 130 where it was stopped."""
    asked = parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every console has every letter
    try:
        if not asked.bots and asked.file:
            return _told(asked, load(asked.file))
        with open_executor(asked.jobs, asked.dask) as executor:
            return _played(asked, cores() if executor is None else executor)
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
    began, before, said, stopped = time.monotonic(), run.played, 0.0, False
    voice = Voice(asked.language)
    try:
        with closing(run.steps()) as steps:
            for played in steps:
                now = time.monotonic()
                if now - said >= _EVERY:
                    said = now
                    left = time_left((run.planned - played) * (now - began) / max(1, played - before), voice)
                    far = voice.say("arena.so_far", played=grouped(played), planned=grouped(run.planned))
                    print(f"\r{far}, {voice.say('arena.left', time=left)}   ", end="", file=sys.stderr, flush=True)  # noqa: T201 - as above
    except KeyboardInterrupt:
        stopped = True
    print("\r", end="", file=sys.stderr)  # noqa: T201 - as above
    _told(asked, run.ranking)
    if stopped:
        how = "the same command goes on from there" if asked.file else "they are lost: with --file FILE they are kept"
        print(f"stopped after {run.played} of {run.planned} games; {how}", file=sys.stderr)  # noqa: T201 - as above
        return _INTERRUPTED
    return 0


def _seed(asked: Namespace) -> int | str:
    """Return the seed of `--seed`, else that of the file, else a new one, from which nobody can work out the cards."""
    if asked.seed is not None:
        return int(asked.seed) if asked.seed.isdecimal() and len(asked.seed) < _DIGITS else str(asked.seed)
    if asked.file and Path(asked.file).is_file():
        return load(asked.file).seed  # an empty file is refused: without a seed its deals would follow from 1
    seed = token_hex(16)  # more than a bot can try out
    print(f"the cards are drawn from --seed {seed}", file=sys.stderr)  # noqa: T201 - as above
    return seed


def _told(asked: Namespace, ranking: Ranking) -> int:
    print(ranking.said(asked.language), flush=True)  # noqa: T201 - that is what the command is for
    if asked.page:
        keep_text(asked.page, ranking.page(asked.language))
        print(f"{asked.page}: the page for the wall")  # noqa: T201 - as above
    return 0
