"""What would a bot do everywhere in a small game, what is it certain of, and what is it worth that hands are hidden? How it comes to a single move is asked in `bots`."""

from durak_widget.moved import as_its_module

__getattr__ = as_its_module(__name__)
