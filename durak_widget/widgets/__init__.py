"""The base class of all widgets, and their settings, background jobs and saved user data."""

import logging

# The table reports errors itself. Without this handler Python would print log messages under the cell, and these may name cards.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
