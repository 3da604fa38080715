"""What all widgets share: base class, settings, background jobs, what a user did before."""

import logging

# What fails is told at the table. Unless somebody asks for the log it stays quiet: Python would write it under the cell, with all that an error may name.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
