"""Grading of homework submissions: gradebook, class report, feedback and command line."""
