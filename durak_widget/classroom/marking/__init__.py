"""What is a folder of work worth? How a class stands, and what is given back, is asked in `reporting`."""
