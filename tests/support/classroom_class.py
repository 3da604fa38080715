"""An invented class for the tests: students' skills and questions' difficulty, and the rows of marks that follow."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)> & "quoted\''
QUESTIONS = ("players-and-moves", "what-beats-what", "the-deal", "an-ending-drawn", "backward-induction", "information-sets")
QUESTIONS += ("strategic-form", "dominance", "taking-on-purpose", "a-mixed-equilibrium", "attack-first", "a-bot")
MISTAKES = ("trumps_forgotten", "turned", "own_cards", "order_counted")


def marks(students: int, seed: int = 1) -> Gradebook:
    """Return a class whose questions get harder; the last but one is unrelated, and one student has a hostile name."""
    rng, rows = Random(seed), []
    for number in range(students):
        name = HOSTILE if number == students // 2 else f"Anna-{number:03} Žemaitė"
        able = rng.gauss(0.2, 1)
        for place, question in enumerate(QUESTIONS):
            ease = rng.random() < 0.5 if place == 10 else able + rng.gauss(0, 0.7) > (place - 6) / 4
            credit = Fraction(1) if ease else Fraction(rng.choice((0, 0, 1, 2)), 3)
            answered = credit > 0 or rng.random() < 0.8
            mistake = "" if credit == 1 or not answered else rng.choice((*MISTAKES, ""))
            of = 1 + place % 3
            explanation = "" if credit == 1 else f"{name}: {HOSTILE} You forgot that trumps beat all."
            tries = 0 if not answered else 1 + min(int(rng.expovariate(0.7)), 12)
            rows.append(GradebookRow(name, f"{name}.json", question, credit * of, of, credit, tries, mistake, explanation))
    troubles = [Problem("broken <b>.ipynb", f"This is no notebook: {HOSTILE}"), Problem("", "Anna-001 Žemaitė is there twice.")]
    return Gradebook(rows, troubles)
