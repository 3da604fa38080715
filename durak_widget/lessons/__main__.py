"""Runs the commands of `durak-marks` as `python -m durak_widget.lessons COMMAND`."""

import sys

from durak_widget import safe_import_path

if __name__ == "__main__":
    safe_import_path.remove_untrusted_folders(sys.argv[1:])
    from durak_widget.grading import command_line

    sys.exit(command_line.main(sys.argv[1:]))
