"""What of a tree is unfolded, where does it lie, and what is the page told of it? How it is played is asked in `play`."""
