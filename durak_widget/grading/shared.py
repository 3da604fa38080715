"""What several commands ask in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.parallel import add_worker_options

if TYPE_CHECKING:
    from argparse import ArgumentParser


def about_a_folder(parser: ArgumentParser) -> None:
    """Which folder is marked, whose questions it answers, and how."""
    parser.add_argument(
        "folder",
        help="what students have handed in, however it is laid; nbgrader's submitted/ too; or a table of what was typed off sheets",
    )
    parser.add_argument("--assignment", default="econ431", help="its name, or module:NAME of one of your own (econ431)")
    parser.add_argument("--edition", help="the year or class whose questions they were (the one that was handed in, if that is one)")
    parser.add_argument(
        "--questions", help="the questions that were asked, if not all: 1,3,7 or their names; a table says it by its columns"
    )
    parser.add_argument(
        "--word", help="the word by which the questions were drawn, or the file that keeps it, where hand-out made such an edition"
    )
    parser.add_argument(
        "--typed", metavar="FILE", action="append", default=[], help="a table that you typed off sheets and that counts beside FOLDER"
    )
    parser.add_argument("--roster", metavar="FILE", help="CSV with the names of the class")
    parser.add_argument("--changes", metavar="FILE", help="CSV of points that you set yourself: student, question, points, why")
    add_worker_options(parser, "one for each core")
    parser.add_argument("--no-code", action="store_true", help="do not run strategies and bots that were given as code")
    parser.add_argument(
        "--due", metavar="TIME", help="when it was due, such as 2027-03-01T23:59: who kept answers later is named; nothing is taken off"
    )
    parser.add_argument("--anew", action="store_true", help="judge also what was judged before")
