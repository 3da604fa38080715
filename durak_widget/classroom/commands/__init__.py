"""What a teacher does from the command line: each module is one command, and does nothing that a function does not."""
