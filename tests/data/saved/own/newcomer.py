"""A tree of my own as homework: other payoffs for each student."""

from durak_widget.lessons import ask, between, own_game

GAME = own_game(
    "newcomer.efg",
    lots={"payoffs": between(-4, 9)},
    so_that=["no ties", "one pure equilibrium"],
    story="A newcomer may open a shop beside another.",
)
QUESTIONS = ["values", "path", ask("plans", of="Newcomer"), "equilibria"]
ASSIGNMENT = GAME.assignment("newcomer", "A newcomer and a shop", ask=QUESTIONS)
