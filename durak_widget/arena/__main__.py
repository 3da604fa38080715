"""Run `python -m durak_widget.arena BOT …`, which is the same as `durak-arena`."""

import sys

from durak_widget.commands import arena

if __name__ == "__main__":
    sys.exit(arena())
