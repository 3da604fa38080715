"""The base classes of all widgets, settings, background jobs, and the user's saved data."""

import logging

# Without this handler, Python would print log messages below the notebook cell, and they may name hidden cards.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
