"""Assignments with random questions, students' answers and receipts, and the notebooks to hand out."""
