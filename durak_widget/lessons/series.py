"""The lessons of the series: what each is called, and how many exercises it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Lesson(NamedTuple):
    """One notebook of the series."""

    title: Mapping[str, str]
    """What it is called, in each language."""
    exercises: int
    """How many of its exercises are remembered."""


SERIES: Final[Mapping[str, Lesson]] = {
    "00": Lesson({"en": "Who is the fool?", "ru": "Кто дурак?", "lt": "Kas durnius?"}, 1),
    "01": Lesson({"en": "Trumps", "ru": "Козыри", "lt": "Koziriai"}, 8),
    "02": Lesson({"en": "Attack, defence, taking", "ru": "Атака, защита, взятие", "lt": "Puolimas, gynyba, ėmimas"}, 7),
    "03": Lesson({"en": "Throw-ins", "ru": "Подкидывание", "lt": "Primetimas"}, 12),
    "04": Lesson({"en": "The end, the fool, epaulettes", "ru": "Конец, дурак, погоны", "lt": "Pabaiga, durnius, antpečiai"}, 11),
    "05": Lesson({"en": "Transfers and the passport", "ru": "Переводы и проездной", "lt": "Perdavimas ir pasas"}, 10),
    "06": Lesson(
        {"en": "More players, teams, matches", "ru": "Больше игроков, команды, матчи", "lt": "Daugiau žaidėjų, komandos, mačai"}, 11
    ),
    "07": Lesson({"en": "Variants I", "ru": "Варианты: часть первая", "lt": "Atmainos: pirma dalis"}, 12),
    "08": Lesson({"en": "Variants II", "ru": "Варианты: часть вторая", "lt": "Atmainos: antra dalis"}, 11),
    "09": Lesson({"en": "House rules of your own", "ru": "Свои домашние правила", "lt": "Savos namų taisyklės"}, 9),
}
"""By the number with which the names of their exercises begin, as in `01/what-beats-what`."""
