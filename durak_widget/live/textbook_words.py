"""Names players, moves and situations of the textbook games in Lithuanian and Russian.

The games themselves are in English. A class sees them in the language of each phone.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.gametheory.tree import Tree

_LANGUAGES: Final = {"lt": 0, "ru": 1}
"""For each language, its place in a pair of translations."""
_SEPARATORS: Final = ("; ", ": ", ", ")
"""What separates the parts of a label, each of which has its own translation."""

_PLAYERS: Final = {"One": ("Pirmasis", "Первый"), "Two": ("Antrasis", "Второй"), "Three": ("Trečiasis", "Третий")}
BEGINS: Final = ("pradeda", "начинает")
"""The label of the first decision, which says only that the player moves first."""
_COMPOSERS: Final = {"Bach": ("Bachas", "Бах"), "Stravinsky": ("Stravinskis", "Стравинский")}
_SHOP: Final = {
    "Chain store": ("Parduotuvė", "Магазин"),
    "Entrant": ("Varžovas", "Соперник"),
    "enter": ("ateiti", "войти"),
    "stay out": ("neateiti", "не входить"),
    "share": ("dalytis", "делиться"),
    "fight": ("kovoti", "бороться"),
    "after an entry": ("atėjus varžovui", "после входа соперника"),
}
_RIVALS: Final = {
    name: texts
    for number in "123"
    for name, texts in (
        (f"Rival {number}", (f"Varžovas {number}", f"Соперник {number}")),
        (f"rival {number} entered", (f"varžovas {number} atėjo", f"соперник {number} вошёл")),
    )
}
_PILES: Final = {
    f"${whole}.{rest} {verb} there": (f"guli {whole},{rest} $", f"лежит {whole},{rest} $")
    for whole, rest, verb in (("0", "50", "lie"), ("1", "00", "lies"), ("2", "00", "lie"), ("4", "00", "lie"))
}
_OFFERS: Final = {
    name: texts
    for number in "01234"
    for name, texts in (
        (f"offer {number}", (f"siūlyti {number}", f"предложить {number}")),
        (f"is offered {number}", (f"siūloma {number}", f"предлагают {number}")),
    )
}
_DEALS: Final = {
    f"{first} {second}": (f"{first_texts[0]} {second_texts[0]}", f"{first_texts[1]} {second_texts[1]}")
    for letters in ({"J": ("V", "В"), "Q": ("D", "Д"), "K": ("K", "К")},)
    for first, first_texts in letters.items()
    for second, second_texts in letters.items()
    if first != second
}
_WORDS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "bayes": {
        **_PLAYERS,
        **_COMPOSERS,
        "to meet": ("nori susitikti", "хочет встречи"),
        "to avoid": ("nori vengti", "избегает встречи"),
        "does not know": ("nežino", "не знает"),
        "wishes to meet": ("nori susitikti", "хочет встречи"),
        "wishes to avoid": ("nori vengti", "избегает встречи"),
    },
    "beer-quiche": {
        "Sender": ("Siuntėjas", "Отправитель"),
        "Receiver": ("Gavėjas", "Получатель"),
        "beer": ("alus", "пиво"),
        "quiche": ("pyragas", "киш"),
        "duel": ("dvikova", "дуэль"),
        "defer": ("nusileisti", "уступить"),
        "strong": ("stiprus", "сильный"),
        "weak": ("silpnas", "слабый"),
        "sees beer": ("mato alų", "видит пиво"),
        "sees quiche": ("mato pyragą", "видит киш"),
    },
    "centipede": {**_PLAYERS, **_PILES, "take": ("imti", "взять"), "pass": ("palikti", "оставить")},
    "chain-store": {
        **_SHOP,
        **_RIVALS,
        "before": ("anksčiau", "раньше"),
        "shared": ("dalijosi", "делился"),
        "fought": ("kovojo", "боролся"),
        "out": ("varžovas neatėjo", "соперник не вошёл"),
    },
    "driver": {
        "Driver": ("Vairuotojas", "Водитель"),
        "exit": ("išsukti", "свернуть"),
        "go on": ("važiuoti toliau", "ехать дальше"),
        "at an exit": ("prie išvažiavimo", "у съезда"),
    },
    "entry": _SHOP,
    "horse": {
        **_PLAYERS,
        "down": ("žemyn", "вниз"),
        "across": ("tiesiai", "прямо"),
        "left": ("kairėn", "влево"),
        "right": ("dešinėn", "вправо"),
        "One or Two went down": ("Pirmasis arba Antrasis ėjo žemyn", "Первый или Второй пошёл вниз"),
        "One went across": ("Pirmasis ėjo tiesiai", "Первый пошёл прямо"),
    },
    "kuhn": {
        **_PLAYERS,
        **_DEALS,
        "check": ("laukti", "чек"),
        "bet": ("statyti", "ставка"),
        "fold": ("pasiduoti", "пас"),
        "call": ("atsakyti", "колл"),
        "holds the jack": ("turi valetą", "на руках валет"),
        "holds the queen": ("turi damą", "на руках дама"),
        "holds the king": ("turi karalių", "на руках король"),
        "after a check": ("po laukimo", "после чека"),
        "after a bet": ("po statymo", "после ставки"),
        "after check and bet": ("po laukimo ir statymo", "после чека и ставки"),
    },
    "myerson": {
        **_PLAYERS,
        "red": ("raudona", "красная"),
        "black": ("juoda", "чёрная"),
        "raise": ("kelti", "повысить"),
        "fold": ("pasiduoti", "сбросить"),
        "meet": ("priimti", "принять"),
        "pass": ("pasuoti", "пасовать"),
        "holds red": ("turi raudoną", "карта красная"),
        "holds black": ("turi juodą", "карта чёрная"),
        "after a raise": ("po kėlimo", "после повышения"),
    },
    "outside-option": {
        **_PLAYERS,
        **_COMPOSERS,
        "book": ("knyga", "книга"),
        "concert": ("koncertas", "концерт"),
        "stays or goes": ("likti ar eiti", "остаться или идти"),
        "chooses a concert": ("renkasi koncertą", "выбирает концерт"),
    },
    "pennies": {
        "Even": ("Lyginis", "Чёт"),
        "Odd": ("Nelyginis", "Нечет"),
        "heads": ("herbas", "орёл"),
        "tails": ("skaičius", "решка"),
        "lays a coin": ("deda monetą", "кладёт монету"),
    },
    "spence": {
        "Worker": ("Darbuotojas", "Работник"),
        "Employer": ("Darbdavys", "Работодатель"),
        "school": ("mokytis", "учиться"),
        "none": ("nesimokyti", "не учиться"),
        "wage 1": ("alga 1", "зарплата 1"),
        "wage 2": ("alga 2", "зарплата 2"),
        "worth 1": ("vertas 1", "стоит 1"),
        "worth 2": ("vertas 2", "стоит 2"),
        "sees school": ("mato, kad mokėsi", "видит, что учился"),
        "sees none": ("mato, kad nesimokė", "видит, что не учился"),
    },
    "ultimatum": {
        **_OFFERS,
        "Proposer": ("Siūlytojas", "Предлагающий"),
        "Responder": ("Atsakantysis", "Отвечающий"),
        "accept": ("priimti", "принять"),
        "reject": ("atmesti", "отклонить"),
    },
}
"""For each textbook game, its words in Lithuanian and Russian."""


def translate_word(game: str, text: str, language: str) -> str:
    """Return a name in a textbook game in a language; unknown names stay as they are.

    >>> translate_word("pennies", "heads", "lt"), translate_word("kuhn", "holds the king, after a bet", "ru"), translate_word("pennies", "x", "ru")
    ('herbas', 'на руках король, после ставки', 'x')
    """
    words = _WORDS.get(game, {})
    if language not in _LANGUAGES or not words:
        return text
    if text == "begins":
        return BEGINS[_LANGUAGES[language]]
    if text in words:
        return words[text][_LANGUAGES[language]]
    separator = next((separator for separator in _SEPARATORS if separator in text), None)
    return text if separator is None else separator.join(translate_word(game, part, language) for part in text.split(separator))


def translate_tree(tree: Tree, game: object, language: str) -> Tree:
    """Return a textbook tree with its names in a language, and other trees unchanged.

    >>> from durak_widget.gametheory import textbook
    >>> translate_tree(textbook("entry"), "entry", "lt").infosets[0].actions
    ('ateiti', 'neateiti')
    """
    if not isinstance(game, str) or game not in _WORDS or language not in _LANGUAGES:
        return tree

    def translate_all(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple([translate_word(game, text, language) for text in texts])

    translated = copy(tree)
    translated.names = translate_all(tree.names)
    translated.infosets = [
        record._replace(actions=translate_all(record.actions), label=translate_word(game, record.label, language))
        for record in tree.infosets
    ]
    translated.chance_moves = [record._replace(actions=translate_all(record.actions)) for record in tree.chance_moves]
    return translated
