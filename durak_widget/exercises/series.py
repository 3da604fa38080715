"""The lessons of the series: what each is called, and how many exercises it has.

What every notebook has: something to do first, after sixty words at most; then exercises, each with a line that leads to it ("Next: …") and a `name`; a challenge (a `Position` named
`NN/challenge`), "You can now", where the rules come from, folded solutions; cells of fifteen lines at most, no helper code, no name of an option where people play (lessons 0 to 6). A
cell that shows an exercise is tagged `exercise`, and its first line, which JupyterLab shows although the cell is folded, is a comment that gives nothing away. Every position could have
arisen in play (`tests/series/test_series_true.py`), a challenge is won by force and lost by the first thought (`tests/series/test_series_positions.py`), and every number that it tells
is worked out in two ways (`tests/series/test_series_numbers.py`). A new lesson needs its line here and a link from its neighbour; a new word of the
game a line in `docs/glossary.md`. Its outputs are tests, and `tests/browser/lab/test_notebooks.py` does every exercise in it by clicks, wrongly and rightly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Lesson(NamedTuple):
    """One notebook of the series."""

    title: Mapping[str, str]
    """What it is called, in each language."""
    exercises: int
    """How many of its exercises are remembered: none of homework, which keeps its answers itself."""
    notebook: str = ""
    """The file that it is, without its ending."""
    challenge: bool = False
    """Whether it ends in a challenge, which is among its exercises."""


CHALLENGE: Final = "/challenge"
"""So ends the name of a challenge, as in `04/challenge`."""

SERIES: Final[Mapping[str, Lesson]] = {
    "00": Lesson({"en": "Who is the fool?", "ru": "Кто дурак?", "lt": "Kas durnius?"}, 1, "00_welcome"),
    "01": Lesson({"en": "Trumps", "ru": "Козыри", "lt": "Koziriai"}, 8, "01_trumps", challenge=True),
    "02": Lesson(
        {"en": "Attack, defence, taking", "ru": "Атака, защита, взятие", "lt": "Puolimas, gynyba, ėmimas"},
        8,
        "02_attack_and_defence",
        challenge=True,
    ),
    "03": Lesson({"en": "Throw-ins", "ru": "Подкидывание", "lt": "Primetimas"}, 9, "03_throw_ins", challenge=True),
    "04": Lesson(
        {"en": "The end, the fool, epaulettes", "ru": "Конец, дурак, погоны", "lt": "Pabaiga, durnius, antpečiai"},
        13,
        "04_the_end",
        challenge=True,
    ),
    "05": Lesson(
        {"en": "Transfers and the passport", "ru": "Переводы и проездной", "lt": "Pervedimas ir pasas"}, 13, "05_transfers", challenge=True
    ),
    "06": Lesson(
        {"en": "More players, teams, matches", "ru": "Больше игроков, команды, матчи", "lt": "Daugiau žaidėjų, komandos, mačai"},
        13,
        "06_more_players",
        challenge=True,
    ),
    "07": Lesson({"en": "Variants I", "ru": "Варианты: часть первая", "lt": "Atmainos: pirma dalis"}, 17, "07_variants_1", challenge=True),
    "08": Lesson({"en": "Variants II", "ru": "Варианты: часть вторая", "lt": "Atmainos: antra dalis"}, 13, "08_variants_2", challenge=True),
    "09": Lesson(
        {"en": "House rules of your own", "ru": "Свои домашние правила", "lt": "Savos namų taisyklės"}, 9, "09_house_rules", challenge=True
    ),
    "10": Lesson(
        {"en": "Counting cards and chances", "ru": "Счёт карт и вероятности", "lt": "Kortų skaičiavimas ir tikimybės"},
        11,
        "10_counting_cards",
        challenge=True,
    ),
    "11": Lesson(
        {"en": "Endings solved", "ru": "Концовки, решённые с конца", "lt": "Pabaigos, išspręstos nuo galo"},
        10,
        "11_endings_solved",
        challenge=True,
    ),
    "12": Lesson({"en": "Hidden cards", "ru": "Скрытые карты", "lt": "Paslėptos kortos"}, 10, "12_hidden_cards", challenge=True),
    "13": Lesson(
        {"en": "Mixing", "ru": "Смешанные стратегии", "lt": "Mišrios strategijos"},
        9,
        "13_mixing",
        challenge=True,
    ),
    "14": Lesson({"en": "The problem set", "ru": "Задачи", "lt": "Uždaviniai"}, 0, "14_problem_set"),
    "15": Lesson(
        {"en": "What did we play?", "ru": "Как мы играли?", "lt": "Kaip mes žaidėme?"},
        8,
        "15_what_did_we_play",
        challenge=True,
    ),
    "16": Lesson({"en": "Under the hood", "ru": "Под капотом", "lt": "Po gaubtu"}, 2, "16_under_the_hood"),
    "17": Lesson({"en": "Write a bot", "ru": "Пишем бота", "lt": "Parašykite botą"}, 10, "17_write_a_bot", challenge=True),
    "18": Lesson({"en": "Signals", "ru": "Сигналы", "lt": "Signalai"}, 13, "18_signals", challenge=True),
    "19": Lesson(
        {"en": "Three at the table", "ru": "Трое за столом", "lt": "Trise prie stalo"}, 11, "19_three_at_the_table", challenge=True
    ),
}
"""By the number with which the names of their exercises begin, as in `01/what-beats-what`."""
