"""Exams on paper: print them, and read the answers that were typed off."""
