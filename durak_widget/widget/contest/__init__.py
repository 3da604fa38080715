"""What is seen of a tournament in the notebook while it is played, and how is it stopped and gone on with? Who is better is asked in `arena`."""
