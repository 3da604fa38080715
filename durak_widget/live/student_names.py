"""Lists first names for simulated students, in the languages of the students' page."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from durak_widget.live.messages import fold_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_NAMES: Final = {
    "en": (
        "Emma Liam Olivia Noah Ava James Sophia Lucas Mia Ethan Amelia Mason Harper Logan Ella Aiden Grace Jack Lily Owen "
        "Chloe Henry Zoe Leo Nora Adam Hannah Ryan Ruby Daniel Alice Oscar Lucy Max Eva Samuel Maya Thomas Ivy Felix"
    ),
    "lt": (
        "Emilija Lukas Gabija Matas Austėja Jonas Ugnė Dominykas Kamilė Nojus Liepa Jokūbas Urtė Kajus Sofija Benas Viltė Domantas "
        "Goda Rokas Miglė Tomas Saulė Paulius Ieva Mantas Rugilė Tadas Eglė Justas Monika Arnas Greta Simonas Smiltė Karolis "
        "Agnė Vytautas Rūta Aurimas"
    ),
    "ru": (
        "Анна Артём Мария Максим Софья Иван Алиса Дмитрий Ева Михаил Полина Даниил Дарья Кирилл Варвара Егор Ксения Никита "
        "Елизавета Матвей Арина Тимур Вера Роман Кира Лев Милана Глеб Ольга Павел Юлия Илья Нина Степан Яна Фёдор Лидия Марк "
        "Таня Олег"
    ),
}


def pick_names(language: str, number: int, taken: Collection[str] = ()) -> list[str]:
    """Return different names; from the 41st on, they have a number.

    `taken` has the names that are not free, each as `fold_name` returns it.

    >>> pick_names("en", 3, ["liam"])
    ['Emma', 'Olivia', 'Noah']
    >>> pick_names("lt", 41)[-1]
    'Emilija 2'
    """
    names = (name for name in _iterate_names(language) if fold_name(name) not in taken)
    return [name for name, _ in zip(names, range(number), strict=False)]


def _iterate_names(language: str) -> Iterator[str]:
    """Yield the names of a language, and then the same names with the numbers 2, 3 and so on."""
    names = _NAMES.get(language, _NAMES["en"]).split()
    yield from names
    for suffix in count(2):
        yield from (f"{name} {suffix}" for name in names)
