"""The table in the notebook: what is drawn, what a person means, and who plays which seat."""

import logging

# What fails is told at the table. Unless somebody asks for the log it stays quiet: Python would write it under the cell, with all that an error may name.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
