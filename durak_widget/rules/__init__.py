"""The options of the game, one module for each subject, and the presets.

`seating`: who is against whom. `deck_and_beating`: which cards there are, and what beats what. `deal_and_trump`: the deal, the trump
suit, swaps with the talon. `attack`: how an attack goes, with throw-ins and transfers. `turns`: who begins, who draws first.
`scoring`: the end. `ruleset` makes one value of them, `preset_catalogue` has the presets.

To add an option: its values with a sentence each, what it cannot be mixed with, and the rule, all in the module whose question it answers. Besides: a preset that uses it, in
`preset_catalogue.py`; the text that it comes from, in `docs/site/sources.json`; a row of the index in `notebooks/16_under_the_hood.ipynb`; its row in `tests/data/book.json` and its rule in
`tests/support/oracle.py`; its sentences in `RULES` of the other languages (`option.<name>.<value>`), its label at the table where it has more than two answers (`rules.label.<name>`), the words
for what it cannot be mixed with (`rules.refused.<code>`); and `python tools/pages.py` for the docs. Each has a test that asks for it by name.
"""
