"""How is homework marked without a server: instances for each student, receipts, marks, the class's page and its own play? What an exercise is, is asked in `lessons`.

What teachers and students use of it is fetched through `durak_widget.lessons`; `python -m durak_widget.lessons` is its command.
"""
