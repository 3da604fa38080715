"""Exams on paper: printed sheets, and a table for the answers that are typed from them."""
