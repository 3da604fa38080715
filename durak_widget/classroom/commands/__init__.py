"""What does a teacher do from the command line? Each module is one command, and does nothing that a function of the other rooms does not."""
