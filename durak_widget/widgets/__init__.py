"""The base class of all widgets, with settings, background jobs and the user's saved data."""

import logging

# The table reports errors itself. Without this handler, log messages would be printed below the cell, and may name hidden cards.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
