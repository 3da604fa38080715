"""What does a table stand on where there is no notebook, but a page with Python in it? What it shows and understands is asked in `widget`."""
