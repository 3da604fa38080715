"""Homework: assignments with random questions, notebooks, and students' answers."""
