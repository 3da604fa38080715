"""Grading of a folder of submissions: gradebook, class report, feedback and command line."""
