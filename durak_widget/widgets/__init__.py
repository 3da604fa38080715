"""The base classes of all widgets, their settings, background jobs, and saved user data."""

import logging

# Without this handler, Python would print log messages below the notebook cell, and these messages may name hidden cards.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
