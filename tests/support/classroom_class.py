"""A class made up for the tests: how well each student does and how hard each question is, and from these the rows of their marks."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)> & "quoted\''
QUESTIONS = ("players-and-moves", "what-beats-what", "the-deal", "an-ending-drawn", "backward-induction", "information-sets")
QUESTIONS += ("strategic-form", "dominance", "taking-on-purpose", "a-mixed-equilibrium", "attack-first", "a-bot")
MISTAKES = ("trumps_forgotten", "turned", "own_cards", "order_counted")


def marks(students: int, seed: int = 1) -> Gradebook:
    """A class in which questions get harder, the last but one has nothing to do with the others, and one student has a hostile name."""
    lots, rows = Random(seed), []
    for number in range(students):
        name = HOSTILE if number == students // 2 else f"Anna-{number:03} Žemaitė"
        able = lots.gauss(0.2, 1)
        for place, question in enumerate(QUESTIONS):
            ease = lots.random() < 0.5 if place == 10 else able + lots.gauss(0, 0.7) > (place - 6) / 4
            credit = Fraction(1) if ease else Fraction(lots.choice((0, 0, 1, 2)), 3)
            answered = credit > 0 or lots.random() < 0.8
            mistake = "" if credit == 1 or not answered else lots.choice((*MISTAKES, ""))
            of = 1 + place % 3
            said = "" if credit == 1 else f"{name}: {HOSTILE} You forgot that trumps beat all."
            tries = 0 if not answered else 1 + min(int(lots.expovariate(0.7)), 12)
            rows.append(GradebookRow(name, f"{name}.json", question, credit * of, of, credit, tries, mistake, said))
    troubles = [Problem("broken <b>.ipynb", f"This is no notebook: {HOSTILE}"), Problem("", "Anna-001 Žemaitė is there twice.")]
    return Gradebook(rows, troubles)
