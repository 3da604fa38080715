"""The rule options of Durak, in one module for each subject, and the preset rule sets.

- `seating`: seats and sides;
- `deck_and_beating`: the cards of the deck, and which card beats which;
- `deal_and_trump`: the deal, the trump suit, swaps with the talon;
- `attack`: how an attack goes, with throw-ins and transfers;
- `turns`: who begins, and who draws first;
- `scoring`: the end of a game;
- `ruleset`: one value of all options;
- `preset_catalogue`: the presets.

To add an option, write its values with a sentence each, its conflicts with other options, and its rule, all in the module of its subject.
Then add:

- `preset_catalogue.py`: a preset that uses it;
- `docs/site/sources.json`: the text that it comes from;
- `notebooks/16_under_the_hood.ipynb`: a row of the index;
- `tests/data/book.json`: its row, and `tests/support/oracle.py`: its rule;
- `RULES` of the other languages: its sentences (`option.<name>.<value>`);
- its label at the table if it has more than two values (`rules.label.<name>`), and the words for its conflicts (`rules.refused.<code>`);
- `python tools/pages.py` for the docs.

A test for each of these names what is missing.
"""
