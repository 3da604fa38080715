"""Assignments with random questions, students' answers and receipts, and their notebooks."""
