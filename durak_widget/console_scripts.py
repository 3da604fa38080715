"""The entry points of the commands of this package, such as `durak-lessons`.

Each of them removes untrusted folders (with files of other people) from `sys.path` before it imports other modules.
"""

import sys

from durak_widget import safe_import_path


def run_marks() -> int:
    """Run the command `durak-marks`, which grades homework."""
    words = sys.argv[1:]
    safe_import_path.remove_untrusted_folders(words)
    from durak_widget.grading import command_line as command  # noqa: PLC0415 - only now is the path safe

    return command.main(words if not words or words[0] in command.COMMANDS else ["mark", *words])


def run_arena() -> int:
    """Run the command `durak-arena`, which plays tournaments between bots."""
    safe_import_path.remove_untrusted_folders(sys.argv[1:])
    from durak_widget.arena import command_line  # noqa: PLC0415 - as above

    return command_line.main(sys.argv[1:])


def run_lessons() -> int:
    """Run the command `durak-lessons`, which copies the lesson notebooks to a folder."""
    safe_import_path.remove_untrusted_folders(sys.argv[1:])
    from durak_widget.lessons import notebook_installer  # noqa: PLC0415 - as above

    return notebook_installer.main(sys.argv[1:])


def run_class() -> int:
    """Run the command `durak-class`, which starts a live class session without Jupyter."""
    safe_import_path.remove_untrusted_folders(sys.argv[1:])
    from durak_widget.live import command_line  # noqa: PLC0415 - as above

    return command_line.main(sys.argv[1:])
