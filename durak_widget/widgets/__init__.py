"""What is the table in the notebook: its door, its traits, what Python can ask of it? What a person means and who plays is asked in its rooms."""

import logging

# What fails is told at the table. Unless somebody asks for the log it stays quiet: Python would write it under the cell, with all that an error may name.
logging.getLogger("durak_widget").addHandler(logging.NullHandler())
