"""Runs the command `durak-arena` as `python -m durak_widget.arena BOT …`."""

import sys

from durak_widget import safe_import_path

if __name__ == "__main__":
    safe_import_path.remove_untrusted_folders(sys.argv[1:])
    from durak_widget.arena.command_line import main

    sys.exit(main(sys.argv[1:]))
