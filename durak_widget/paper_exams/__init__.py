"""Exams on paper: printed sheets, and a table into which a teacher types the answers."""
