"""What may the cards be that a seat does not see, and how likely is each? What is to be done about it is asked elsewhere."""
