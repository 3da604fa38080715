"""Implements the command `durak-arena`, which plays a tournament from the command line."""

from __future__ import annotations

import io
import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from durak_widget.arena.result_sentences import format_count, format_time_left
from durak_widget.arena.schedule import SYSTEMS
from durak_widget.arena.tournament_runner import Run, load
from durak_widget.atomic_files import save_text
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator, list_language_codes
from durak_widget.parallel import add_worker_options, count_cores, open_executor
from durak_widget.sandbox.code_runner import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.arena.ranking import Ranking

_EXIT_INTERRUPTED: Final = 130
_PROGRESS_SECONDS: Final = 1.0
_MAX_SEED_DIGITS: Final = 1000
"""A seed of digits only becomes a number if it has fewer digits than this; any other seed stays text."""


def build_parser() -> ArgumentParser:
    """Return the parser for the arguments of `durak-arena`."""
    argument_parser = ArgumentParser(
        prog="durak-arena",
        description="Let bots play each other, and report which is better and how certain that is.",
        epilog="With --file, every game is stored immediately. The same command continues where it was stopped; without bots, it reports what is in the file.",
    )
    argument_parser.add_argument(
        "bots", nargs="*", help="names (careful, grandmother), files (ann.py, ann.ipynb), or folders with such files"
    )
    argument_parser.add_argument("--rules", default="podkidnoy", help="a preset with changes, such as 'podkidnoy, players=3' (podkidnoy)")
    argument_parser.add_argument("--games", type=int, default=1000, help="the total number of games (1000)")
    argument_parser.add_argument(
        "--seed", help="the seed of all cards, to play the same tournament again (without it, a new secret is used, shown and stored)"
    )
    argument_parser.add_argument(
        "--system", choices=SYSTEMS[:2], default="all", help="every bot against every other, or Swiss rounds (all)"
    )
    argument_parser.add_argument("--against", help="a ladder: all bots play only against this one")
    argument_parser.add_argument(
        "--match", type=int, default=1, help="the number of games in a row at each seating; the fool deals the next game (1)"
    )
    argument_parser.add_argument(
        "--seconds", type=float, default=5, help="the number of seconds that a bot from a file may compute per game (5)"
    )
    add_worker_options(argument_parser, "one for each core")
    argument_parser.add_argument("--file", help="the file that stores every game")
    argument_parser.add_argument("--page", metavar="FILE", help="write the page for the wall (HTML)")
    argument_parser.add_argument(
        "--language", default="en", choices=list_language_codes(), help="the language of the page and of the report"
    )
    return argument_parser


def main(arguments: Sequence[str]) -> int:
    """Run the command `durak-arena` and return its exit code.

    The code is 0 if everything was played, 1 after an error, and 130 if the command was stopped.
    """
    options = build_parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # Some consoles can't print every character of the result
    try:
        if not options.bots and options.file:
            return _print_ranking(options, load(options.file))
        with open_executor(options.jobs, options.dask) as executor:
            return _play_tournament(options, count_cores() if executor is None else executor)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command says what is wrong
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)  # noqa: T201 - as above
        return _EXIT_INTERRUPTED


def _play_tournament(options: Namespace, executor: object) -> int:
    run = Run(
        options.bots,
        options.rules,
        games=options.games,
        seed=_choose_seed(options),
        executor=executor,
        system=options.system,
        against=options.against,
        match=options.match,
        file=options.file,
        limits=Limits(seconds=options.seconds),
    )
    start_time, games_before, last_report, is_stopped = time.monotonic(), run.games_played, 0.0, False
    voice = Translator(options.language)
    try:
        with closing(run.play_deals()) as steps:
            for game_count in steps:
                now = time.monotonic()
                if now - last_report >= _PROGRESS_SECONDS:
                    last_report = now
                    time_text = format_time_left(
                        (run.games_planned - game_count) * (now - start_time) / max(1, game_count - games_before), voice
                    )
                    progress_text = voice.translate(
                        "arena.so_far", played=format_count(game_count), planned=format_count(run.games_planned)
                    )
                    print(f"\r{progress_text}, {voice.translate('arena.left', time=time_text)}   ", end="", file=sys.stderr, flush=True)  # noqa: T201 - as above
    except KeyboardInterrupt:
        is_stopped = True
    print("\r", end="", file=sys.stderr)  # noqa: T201 - as above
    _print_ranking(options, run.ranking)
    if is_stopped:
        hint = "the same command continues from there" if options.file else "they are lost; to keep them, use --file FILE"
        print(f"stopped after {run.games_played} of {run.games_planned} games; {hint}", file=sys.stderr)  # noqa: T201 - as above
        return _EXIT_INTERRUPTED
    return 0


def _choose_seed(options: Namespace) -> int | str:
    """Return the seed from `--seed` or the tournament file; without either, a secret seed."""
    if options.seed is not None:
        return int(options.seed) if options.seed.isdecimal() and len(options.seed) < _MAX_SEED_DIGITS else str(options.seed)
    if options.file and Path(options.file).is_file():
        return load(options.file).seed  # An empty file makes `load` raise an error; the default seed 1 would be easy to guess
    secret_seed = token_hex(16)  # A bot can't guess this random seed, because there are too many possible seeds
    print(f"the cards were drawn with --seed {secret_seed}", file=sys.stderr)  # noqa: T201 - as above
    return secret_seed


def _print_ranking(options: Namespace, ranking: Ranking) -> int:
    print(ranking.to_text(options.language), flush=True)  # noqa: T201 - that is what the command is for
    if options.page:
        save_text(options.page, ranking.to_html(options.language))
        print(f"{options.page}: the page for the wall")  # noqa: T201 - as above
    return 0
